// SPDX-License-Identifier: MIT
/// Recordings: save the calls made on a mixer (mixer.h) to a small file, for bug reports. A replay makes the same
/// calls again, with the same bits on every machine.
///
/// A recording has the mixer's definition, its masks and blend spaces, and every call that changes it, in order,
/// with arguments. Before each step it also has the mixer's hash.
///
/// It has fingerprints of the clips, not the clips. A replay reports a clip that is missing or has changed.
/// Custom easings and changes made through sinew_mixer_edit_pose aren't recorded. For an animator (graph.h), it
/// has the calls on its mixer; parameters, states and transitions become notes. So a replay needs no graph.
///
/// If the library is built with SINEW_NO_RECORDING, this header declares nothing.
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "../mixer.h"

#ifndef SINEW_NO_RECORDING
#ifdef __cplusplus
extern "C" {
#endif

// ---- Recording -----------------------------------------------------------------------------------------------

/// Starts recording a new mixer, or stops recording if `write` is NULL. For an animator's mixer, use
/// sinew_animator_def instead. Call it on the mixer's thread. `error` may be NULL; it gets the reason for a
/// failure.
///
/// While recording, `write` gets the bytes of each call before the call is made. So after a crash, the last call
/// in the file is the one that crashed. Append the bytes to your file: they are valid only during the call.
/// `user` is passed to `write`. `write` can't report failure: if the file is full, drop the rest, and the
/// recording is truncated. `write` must not call the mixer (asserted; with NDEBUG the call isn't recorded, and
/// sinew_mixer_destroy does nothing).
///
/// A frame takes about 20 bytes and computes sinew_mixer_hash. Calls made by `on_event` are also recorded; the
/// mixer of a replay has no callback. Memory comes from the mixer's allocator, but only in frames that play
/// something for the first time.
///
/// Starting fails with SINEW_ERROR_ARGUMENT if the mixer has played, advanced or changed a layer, or is already
/// being recorded, and with SINEW_ERROR_OUT_OF_MEMORY.
///
/// Stopping returns the result of the whole recording. sinew_mixer_destroy also stops it. If the result isn't
/// SINEW_OK, the recording is valid, but ends before the call that failed:
///   - SINEW_ERROR_OUT_OF_MEMORY when something was played for the first time.
///   - SINEW_ERROR_ARGUMENT when a snapshot was restored that wasn't saved from this mixer during this recording.
///   - SINEW_ERROR_LIMIT for more than 65535 different clips, masks and blend spaces.
SINEW_API sinew_result sinew_mixer_record(sinew_mixer *mixer,
                                          void (*write)(const void *bytes, size_t size, void *user), void *user,
                                          sinew_error *error);

/// The maximum length of a note, in bytes.
#define SINEW_MAX_NOTE 255

/// Writes a text into a mixer's recording, between its calls: what your program knows at that moment. A replay
/// shows it in sinew_replay_describe and otherwise ignores it. UTF-8, truncated to SINEW_MAX_NOTE bytes. A no-op
/// if the mixer isn't being recorded. Allocates nothing. Call it on the mixer's thread.
SINEW_API void sinew_mixer_note(sinew_mixer *mixer, const char *text);

// ---- Replaying -----------------------------------------------------------------------------------------------

/// Parameters for sinew_replay_create. Start from sinew_replay_default.
typedef struct sinew_replay_def {
    const void *bytes;              ///< a recording; must outlive the replay
    size_t size;                    ///< the recording's size in bytes
    const sinew_skeleton *skeleton; ///< the recorded mixer's skeleton; must outlive the replay
    /// [clip_count], clips of that skeleton; must outlive the replay. Recorded clips are matched by name,
    /// duration, keys and markers, and equal ones by order. Load files with the key format and compression used
    /// when recording, because the stored keys count. A missing additive clip is made from the clip of its name,
    /// like in sinew_graph_bind.
    const sinew_clip *const *clips;
    int32_t clip_count; ///< number of clips
    /// The recorded mixer's easings (sinew_mixer_def); NULL (default): linear.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to `easing`
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_replay_default
} sinew_replay_def;

/// Returns the defaults above; `bytes`, `skeleton` and `clips` must be set. Any thread.
SINEW_API sinew_replay_def sinew_replay_default(void);

/// A replay of a recording. Read-only. You may query its mixer but not change it, except that you may edit a
/// frame's pose (sinew_mixer_edit_pose): edits don't count in the hash. docs/bodies.md shows how to replay warps,
/// solvers and springs. Only one thread at a time may use it.
typedef struct sinew_replay {
    sinew_mixer *mixer; ///< the mixer that the calls are made on; owned by the replay
    int64_t call_count; ///< number of calls in the recording
    int64_t calls_made; ///< number of calls made so far
    double seconds;     ///< how far the calls made so far have advanced the mixer
    /// The first call before which the mixer's hash differs from the recording; -1: none. The cause is another
    /// version of the library, other easings, or a bug in Sinew.
    int64_t first_mismatch;
    bool complete; ///< false: the recording wasn't stopped; it is truncated and ends with its last complete call
} sinew_replay;

/// Checks a recording and creates its mixer. Free the replay with sinew_replay_destroy. On failure `*replay` is
/// NULL. `error` may be NULL. Uses about 7 KB of stack. Any thread.
///
/// Any bytes are safe. Memory is limited to a mixer, 256 snapshots of it, 256 additive clips, and 128 times the
/// size of the bytes. Each call costs what the mixer's call costs.
///
///   - SINEW_ERROR_FORMAT, with the byte in `error`: the bytes aren't a recording, or are damaged.
///   - SINEW_ERROR_UNSUPPORTED: another version.
///   - SINEW_ERROR_ARGUMENT: another skeleton, or a clip, named in `error`, that is missing or has changed.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_replay_create(const sinew_replay_def *def, sinew_replay **replay, sinew_error *error);

/// Frees a replay and its mixer. NULL is allowed. Call it on the replay's thread.
SINEW_API void sinew_replay_destroy(sinew_replay *replay);

/// Makes the next call. A no-op after the last one. Uses up to 150 KB of stack. Call it on the replay's thread.
///
/// Fails only at a call that saves a snapshot, and doesn't make the call then: SINEW_ERROR_OUT_OF_MEMORY, or
/// SINEW_ERROR_LIMIT if the replay needs to keep more than 256 snapshots at once.
SINEW_API sinew_result sinew_replay_step(sinew_replay *replay);

/// Writes the next call as one line of text, such as "fade_to 0x101 0.5 0.25"; "" after the last call. Numbers
/// read back as the same floats. The text is truncated to `capacity` bytes including the terminating zero;
/// `capacity` must be at least 1 (asserted). Uses about 9 KB of stack. Call it on the replay's thread.
SINEW_API void sinew_replay_describe(const sinew_replay *replay, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
#endif
