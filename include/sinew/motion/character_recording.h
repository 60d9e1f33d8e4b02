// SPDX-License-Identifier: MIT
/// Recordings of characters (character.h) for bug reports. A replay repeats the updates, and the results are
/// bit-identical on every machine.
///
///     sinew_character_record(character, NULL, write_to_file, file, &error);   // start
///     ...                                                                     // the game goes on
///     sinew_character_record(character, NULL, NULL, NULL, NULL);              // stop
///
/// You can start at any time. A recording begins with the character's state. Each update adds what your program has
/// changed since the one before, whatever it called: parameters, the world transform, platforms, wind, forced states,
/// your own actions in the mixer, or a restored snapshot. It also adds the ground's answers and what the rig's
/// callbacks (SINEW_RIG_CALLBACK) did to the pose. So you don't need to write notes, and a replay doesn't need your
/// callbacks.
///
/// Clips, the graph and the rig aren't stored, only fingerprints of them. Custom easings aren't stored either.
///
/// If the library is built with SINEW_NO_RECORDING, this header is empty.
#ifndef SINEW_CHARACTER_RECORDING_H
#define SINEW_CHARACTER_RECORDING_H

#include "character.h"

#ifndef SINEW_NO_RECORDING
#ifdef __cplusplus
extern "C" {
#endif

// ---- Recording -----------------------------------------------------------------------------------------------

/// Starts recording a character, between two updates. If `write` is NULL, this stops recording instead. Call it on the
/// character's thread. `error` may be NULL.
///
/// `names` lists what you play yourself in the character's mixer, as in sinew_character_write. It may be NULL if that
/// is only clips. What it points to must stay valid until the recording ends.
///
/// `write` receives the bytes of each update in two parts: what your program has changed before the update runs, and
/// the rest at its end. So if your program crashes in an update, a replay still runs that update. Append the bytes to
/// your file right away. They're only valid during the callback. `user` is passed to `write`. `write` can't report
/// failure. If you run out of disk space, drop the remaining bytes, which leaves you with a truncated recording. It must
/// not call functions that change the character.
///
/// The character computes the same bits as without a recording. An update writes about 40 bytes, plus what has changed,
/// plus about 5 bytes for each answer about the ground. It costs about as much as two calls of sinew_character_write, or
/// four if you call sinew_character_begin and sinew_character_end yourself. Memory comes from the character's allocator:
/// at the start about five times what sinew_character_write writes, and later only when a state or an update is larger
/// than that.
///
/// Starting fails with SINEW_ERROR_ARGUMENT if the character is already being recorded or in the middle of an update. It
/// can also fail with SINEW_ERROR_OUT_OF_MEMORY.
///
/// Stopping returns the result of the whole recording. sinew_character_destroy also stops a recording. If memory ran
/// out, that's SINEW_ERROR_OUT_OF_MEMORY. The recording is still valid, but it ends with that update.
SINEW_API sinew_result sinew_character_record(sinew_character *character, const sinew_state_names *names,
                                              void (*write)(const void *bytes, size_t size, void *user), void *user,
                                              sinew_error *error);

// ---- Replaying -----------------------------------------------------------------------------------------------

/// Options for creating a replay. Start from sinew_character_replay_default.
typedef struct sinew_character_replay_def {
    const void *bytes; ///< required: the recording; must outlive the replay
    size_t size;       ///< size of the recording in bytes
    /// Required: a rig made from the same files as the recorded character's, loaded with the same options. It must outlive
    /// the replay.
    const sinew_rig *rig;
    /// Optional: what the recorded program played itself, including clips. It must outlive the replay.
    const sinew_state_names *names;
    /// Optional: the recorded mixer's easing callback (see sinew_mixer_def). NULL (the default) is linear.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to `easing`
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_character_replay_default
} sinew_character_replay_def;

/// Returns the default options. You must set `bytes`, `size` and `rig`. Any thread.
SINEW_API sinew_character_replay_def sinew_character_replay_default(void);

/// A replay of a recording. Read-only. Only one thread at a time may use a replay with its character.
typedef struct sinew_character_replay {
    sinew_character *character; ///< owned by the replay; you can draw it and query it, but you must not change it
    int64_t update_count;       ///< number of updates in the recording
    int64_t updates_made;       ///< number of updates made so far
    double seconds;             ///< how far the character has advanced so far
    /// The first update after which the character's state or pose is different from the recording, or -1. A mismatch
    /// means that the library version, a setting of the rig or the easings are different, or that Sinew has a bug.
    int64_t first_mismatch;
    bool complete; ///< false if the recording wasn't stopped, so it ends with its last complete part
} sinew_character_replay;

/// Checks a recording, and creates a character with the recorded settings and state. Free the replay with
/// sinew_character_replay_destroy. On failure `*replay` is NULL. `error` may be NULL. Thread-safe.
///
/// This is safe to call with untrusted bytes. Memory usage is limited to one character and 8 times the size of the
/// recording. An update costs the same as the original one.
///
/// Fails with:
///   - SINEW_ERROR_FORMAT if the bytes aren't a recording or are damaged. The byte position is in `error`.
///   - SINEW_ERROR_UNSUPPORTED if the recording's version isn't supported.
///   - SINEW_ERROR_ARGUMENT if the skeleton, the graph, the rig's steps or a clip is different, or if `names` doesn't
///     have something that was played. `error` says which. A different setting of a step is a mismatch instead.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_character_replay_create(const sinew_character_replay_def *def,
                                                     sinew_character_replay **replay, sinew_error *error);

/// Destroys a replay and its character. `replay` may be NULL. Call it on the replay's thread.
SINEW_API void sinew_character_replay_destroy(sinew_character_replay *replay);

/// Makes the next update. No-op after the last one. Call it on the replay's thread. `error` may be NULL.
///
/// If this fails, the replay ends before the update. Fails with:
///   - SINEW_ERROR_ARGUMENT if the program played something that `names` doesn't have. `error` contains its name.
///   - SINEW_ERROR_FORMAT if a change doesn't fit the character. That only happens in a damaged recording, or after a
///     mismatch.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_character_replay_step(sinew_character_replay *replay, sinew_error *error);

/// Describes the last update in one line of text: its length in seconds, what the program changed before it, and what
/// happened, such as "0.0166666675 s; move 0 1.5; enters 'Jump'; 24 grounds". Before the first update you get "". The
/// text is truncated to `capacity` bytes, including the null terminator. `capacity` must be at least 1 (asserted). Call
/// it on the replay's thread.
SINEW_API void sinew_character_replay_describe(const sinew_character_replay *replay, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
#endif
