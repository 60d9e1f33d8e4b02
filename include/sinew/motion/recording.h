// SPDX-License-Identifier: MIT
/// Recordings: the calls made on a mixer (mixer.h), as a small file. A replay makes the same calls again, with the
/// same bits on every machine. It is meant for bug reports.
///
/// A recording has the mixer's definition, every call that changes the mixer, in order and with its arguments, a
/// hash of the mixer before each step, and each mask and blend space. It does not have the clips, but a fingerprint
/// of each, so that a replay reports a clip that is missing or has changed. It does not have the caller's easing
/// curves, nor the changes that the caller makes through sinew_mixer_edit_pose. Of an animator (graph.h) it has the
/// calls on its mixer, and parameters, states and transitions as notes: a replay needs no graph.
///
/// A library that is built with SINEW_NO_RECORDING declares nothing here.
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "../mixer.h"

#ifndef SINEW_NO_RECORDING
#ifdef __cplusplus
extern "C" {
#endif

// ---- Recording -----------------------------------------------------------------------------------------------

/// Starts recording a new mixer; that of an animator by sinew_animator_def. `write` is called with the bytes of each
/// call before the call is made, so that after a crash the last call in the file is the one that crashed. The recording
/// is the concatenation of all bytes passed to `write`, which are valid during the call, and `user` is passed to it.
/// `write` must not call the mixer (asserted; with NDEBUG the call is not recorded, and sinew_mixer_destroy does
/// nothing). It cannot report a failure: a program whose file is full drops the rest, and the recording is truncated.
///
/// A frame takes about 20 bytes, and computes sinew_mixer_hash. Calls made by `on_event` are recorded as well; the
/// mixer of a replay has no callback. SINEW_ERROR_ARGUMENT for a mixer that has played or was changed before, or is
/// being recorded; SINEW_ERROR_OUT_OF_MEMORY. Memory comes from the mixer's allocator, never in a frame that plays
/// only sources that were played before.
///
/// A `write` of NULL stops recording, as sinew_mixer_destroy does, and returns the result of the whole recording.
/// If it is not SINEW_OK, the recording is valid but ends before the call that failed: SINEW_ERROR_OUT_OF_MEMORY
/// when something was played for the first time; SINEW_ERROR_ARGUMENT for a restored snapshot that was not saved
/// from this mixer since the recording started; SINEW_ERROR_LIMIT for more than 65535 different clips, masks and
/// blend spaces.
///
/// `error` may be NULL; it has the reason, both for starting and for stopping. Call it on the mixer's thread.
SINEW_API sinew_result sinew_mixer_record(sinew_mixer *mixer,
                                          void (*write)(const void *bytes, size_t size, void *user), void *user,
                                          sinew_error *error);

/// The largest length of a note, in bytes.
#define SINEW_MAX_NOTE 255

/// Writes a text to the recording of a mixer, between its calls: what the program knows at that moment. A replay does
/// nothing for it; sinew_replay_describe returns it. The text is UTF-8, truncated to SINEW_MAX_NOTE bytes. A no-op for
/// a mixer that is not recorded. Allocates nothing. Call it on the mixer's thread.
SINEW_API void sinew_mixer_note(sinew_mixer *mixer, const char *text);

// ---- Replaying -----------------------------------------------------------------------------------------------

/// What a replay is made from. Start from sinew_replay_default.
typedef struct sinew_replay_def {
    const void *bytes;              ///< a recording; it must outlive the replay
    size_t size;                    ///< bytes of the recording
    const sinew_skeleton *skeleton; ///< the skeleton of the recorded mixer; must outlive the replay
    /// [clip_count], clips of that skeleton. The recorded clips are found among them by name, duration, keys and
    /// markers; of several equal ones, by their order. Keys are those that are stored: load a file with the key format
    /// and compression with which it was recorded. An additive clip that is not among them is made from the clip of its
    /// name, as sinew_graph_bind makes it. They must outlive the replay.
    const sinew_clip *const *clips;
    int32_t clip_count; ///< number of clips
    /// The easings of the recorded mixer; NULL (default): linear. See sinew_mixer_def.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to `easing`
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_replay_default
} sinew_replay_def;

/// Returns the defaults above; `bytes`, `skeleton` and `clips` are NULL and must be set. Any thread.
SINEW_API sinew_replay_def sinew_replay_default(void);

/// A replay of a recording, read-only. Its mixer may be queried but not changed, except for edits of a frame's pose
/// (sinew_mixer_edit_pose), which do not count in the hash: docs/bodies.md shows how warps, solvers and springs are
/// replayed. Only one thread at a time may use it.
typedef struct sinew_replay {
    sinew_mixer *mixer; ///< the mixer on which the calls are made; owned by the replay
    int64_t call_count; ///< number of calls in the recording
    int64_t calls_made; ///< number of calls made so far
    double seconds;     ///< time by which the calls made so far have advanced the mixer
    /// The first call before which the mixer's hash differed from the recorded one; -1 if none. Caused by another
    /// version of the library, other easings, or a bug in Sinew.
    int64_t first_mismatch;
    bool complete; ///< false: the recording was not stopped; it is truncated and ends with its last complete call
} sinew_replay;

/// Checks a recording and creates its mixer; free the replay with sinew_replay_destroy. Any bytes are safe: memory is
/// limited to a mixer, at most 256 snapshots of it, 256 additive clips, and 128 times the size of the bytes, and each
/// call costs what the mixer's call costs. SINEW_ERROR_FORMAT, with the byte in `error`, for bytes that are not a
/// recording or are damaged; SINEW_ERROR_UNSUPPORTED for another version; SINEW_ERROR_ARGUMENT for another skeleton, or
/// for a clip, named in `error`, that is missing or has changed; SINEW_ERROR_OUT_OF_MEMORY. On failure `*replay` is
/// NULL. `error` may be NULL. Uses about 7 KB of stack. Any thread.
SINEW_API sinew_result sinew_replay_create(const sinew_replay_def *def, sinew_replay **replay, sinew_error *error);

/// Frees a replay and its mixer. NULL is allowed. Call it on the replay's thread.
SINEW_API void sinew_replay_destroy(sinew_replay *replay);

/// Makes the next call; no-op after the last one. For a call that saves a snapshot: SINEW_ERROR_OUT_OF_MEMORY, and
/// SINEW_ERROR_LIMIT if more than 256 snapshots are restored later; the call is not made then. Uses up to 150 KB of
/// stack. Call it on the replay's thread.
SINEW_API sinew_result sinew_replay_step(sinew_replay *replay);

/// Writes the next call as one line of text, such as "fade_to 0x101 0.5 0.25", truncated to `capacity` bytes
/// including the terminating zero; `capacity` is at least 1 (asserted). Writes "" after the last call. Numbers read
/// back as the same floats. Uses about 9 KB of stack. Call it on the replay's thread.
SINEW_API void sinew_replay_describe(const sinew_replay *replay, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
#endif
