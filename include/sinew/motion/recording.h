// SPDX-License-Identifier: MIT
/// Recordings save a mixer's calls (mixer.h) to a small file that you can attach to a bug report. A replay repeats
/// the calls, and the results are bit-identical on every machine.
///
/// A recording contains the mixer's definition, masks and blend spaces. It also contains every call that changes
/// the mixer, in order and with its arguments. The mixer's hash is stored before each step.
///
/// Clips aren't stored, only their fingerprints. A replay tells you if a clip is missing or has changed. Custom
/// easings and changes that you make with sinew_mixer_edit_pose aren't recorded. If you record an animator
/// (graph.h), you get the calls on its mixer, plus notes about parameters, states and transitions. You don't need
/// the graph to replay it.
///
/// If the library is built with SINEW_NO_RECORDING, this header is empty.
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "../mixer.h"

#ifndef SINEW_NO_RECORDING
#ifdef __cplusplus
extern "C" {
#endif

// ---- Recording -----------------------------------------------------------------------------------------------

/// Starts recording a new mixer. If `write` is NULL, this stops recording instead. Call it on the mixer's thread.
/// `error` may be NULL. To record an animator's mixer, use sinew_animator_def.
///
/// `write` receives each call's bytes before the call is made, so if your program crashes, the last call in the
/// file is where it crashed. Append the bytes to your file right away. They're only valid during the callback.
/// `user` is passed to `write`. `write` can't report failure. If you run out of disk space, drop the remaining
/// bytes, which leaves you with a truncated recording. `write` must not call functions on the mixer (asserted). In
/// NDEBUG builds such calls aren't recorded, and sinew_mixer_destroy does nothing.
///
/// Each frame writes about 20 bytes and computes sinew_mixer_hash. Calls from `on_event` are also recorded, so the
/// replay's mixer doesn't need a callback. Memory comes from the mixer's allocator, but only on frames where
/// something plays for the first time.
///
/// Starting fails with SINEW_ERROR_ARGUMENT if the mixer has already played, advanced or changed a layer, or is
/// already being recorded. It can also fail with SINEW_ERROR_OUT_OF_MEMORY.
///
/// Stopping returns the result of the whole recording. sinew_mixer_destroy also stops a recording. If you don't get
/// SINEW_OK, the recording is still valid, but it ends before the call that failed:
///   - SINEW_ERROR_OUT_OF_MEMORY if memory ran out when something played for the first time.
///   - SINEW_ERROR_ARGUMENT if you restored a snapshot that wasn't saved from this mixer during this recording.
///   - SINEW_ERROR_LIMIT if there are more than 65535 different clips, masks and blend spaces.
SINEW_API sinew_result sinew_mixer_record(sinew_mixer *mixer,
                                          void (*write)(const void *bytes, size_t size, void *user), void *user,
                                          sinew_error *error);

/// The maximum length of a note in bytes.
#define SINEW_MAX_NOTE 255

/// Adds a note to a mixer's recording. Use it to record what your program is doing at that point. Replays ignore
/// notes, except that sinew_replay_describe shows them. `text` is UTF-8 and is truncated to SINEW_MAX_NOTE bytes.
/// No-op if the mixer isn't being recorded. Doesn't allocate. Call it on the mixer's thread.
SINEW_API void sinew_mixer_note(sinew_mixer *mixer, const char *text);

// ---- Replaying -----------------------------------------------------------------------------------------------

/// Options for creating a replay. Start from sinew_replay_default.
typedef struct sinew_replay_def {
    const void *bytes;              ///< the recording; must outlive the replay
    size_t size;                    ///< size of the recording in bytes
    const sinew_skeleton *skeleton; ///< the recorded mixer's skeleton; must outlive the replay
    /// [clip_count], clips that use this skeleton. They must outlive the replay. Recorded clips are matched by
    /// name, duration, keys and markers. Identical clips are matched in order. Load your files with the same key
    /// format and compression as when you recorded, because the stored keys must match. If an additive clip is
    /// missing, it's made from the clip of the same name, like in sinew_graph_bind.
    const sinew_clip *const *clips;
    int32_t clip_count; ///< number of clips
    /// Optional. The recorded mixer's easing callback (see sinew_mixer_def). NULL (the default) is linear.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to `easing`
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_replay_default
} sinew_replay_def;

/// Returns the default options. You must set `bytes`, `skeleton` and `clips`. Any thread.
SINEW_API sinew_replay_def sinew_replay_default(void);

/// A replay of a recording. Read-only. You can query its mixer, but you must not change it. The exception is
/// sinew_mixer_edit_pose, which you may use because pose edits don't affect the hash. Only one thread at a time may use
/// a replay. Warps, solvers and springs aren't recorded. For those, see character_recording.h or docs/bodies.md.
typedef struct sinew_replay {
    sinew_mixer *mixer; ///< the mixer that the calls are made on, owned by the replay
    int64_t call_count; ///< number of calls in the recording
    int64_t calls_made; ///< number of calls made so far
    double seconds;     ///< how far the mixer has advanced so far
    /// The first call where the mixer's hash is different from the recording, or -1. The hash is checked before the
    /// call. A mismatch means that the library version or the easings are different, or that Sinew has a bug.
    int64_t first_mismatch;
    bool complete; ///< false if the recording wasn't stopped, so it ends with its last complete call
} sinew_replay;

/// Checks a recording and creates a mixer for it. Free the replay with sinew_replay_destroy. On failure `*replay`
/// is NULL. `error` may be NULL. Uses about 7 KB of stack. Thread-safe.
///
/// This is safe to call with untrusted bytes. Memory usage is limited to one mixer, 256 snapshots of it, 256
/// additive clips, and 128 times the size of the recording. Replaying a call costs the same as the original call.
///
/// Fails with:
///   - SINEW_ERROR_FORMAT if the bytes aren't a recording or are damaged. The byte position is in `error`.
///   - SINEW_ERROR_UNSUPPORTED if the recording's version isn't supported.
///   - SINEW_ERROR_ARGUMENT if the skeleton is different, or a clip is missing or has changed. Its name is in
///     `error`.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_replay_create(const sinew_replay_def *def, sinew_replay **replay, sinew_error *error);

/// Destroys a replay and its mixer. `replay` may be NULL. Call it on the replay's thread.
SINEW_API void sinew_replay_destroy(sinew_replay *replay);

/// Makes the next call. No-op after the last one. Uses up to 150 KB of stack. Call it on the replay's thread.
///
/// This can only fail at a call that saves a snapshot. In that case the call isn't made. The error is
/// SINEW_ERROR_OUT_OF_MEMORY, or SINEW_ERROR_LIMIT if the replay has to keep more than 256 snapshots at the same
/// time.
SINEW_API sinew_result sinew_replay_step(sinew_replay *replay);

/// Describes the next call in one line of text, such as "fade_to 0x101 0.5 0.25". After the last call you get "".
/// If you parse the numbers, you get exactly the same floats back. The text is truncated to `capacity` bytes,
/// including the null terminator. `capacity` must be at least 1 (asserted). Uses about 9 KB of stack. Call it on
/// the replay's thread.
SINEW_API void sinew_replay_describe(const sinew_replay *replay, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
#endif
