/// Recordings: the calls that were made on a mixer, as a small file that makes them again, bit for bit, wherever it is
/// replayed. A bug report that has one needs no other words.
///
/// A recording holds every call that changes a mixer, in order, with what it was given and a hash of the mixer before
/// each step; what the mixer was made from; and each mask and blend space. It does not hold clips: of those it has what
/// it takes to know them again, so that a replay says which one is missing or is not what it was. Not in it are the
/// caller's own curves, and what the caller does to the pose.
///
/// A library that is built with SINEW_NO_RECORDING declares nothing here.
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "mixer.h"

#ifndef SINEW_NO_RECORDING
#ifdef __cplusplus
extern "C" {
#endif

// ---- Recording -----------------------------------------------------------------------------------------------

/// Starts to record a mixer to which nothing has been done yet. `write` is given each call before it is made, so that the
/// last one in the file of a program that crashed is the one that it crashed in; all that `write` is given, one piece
/// behind the other, is the recording. It must not call the mixer. A frame takes some 20 bytes, and computes
/// sinew_mixer_hash. What an event's callback calls is in it, too: the mixer of a replay has no callback.
///
/// NULL stops, as sinew_mixer_destroy does, and returns how it went: other than SINEW_OK the recording ends before what
/// did not fit in: SINEW_ERROR_OUT_OF_MEMORY, where something was played for the first time; SINEW_ERROR_ARGUMENT for a
/// snapshot that was restored and was not saved of this mixer since the recording started; SINEW_ERROR_LIMIT past 65535
/// different clips, masks and blend spaces.
///
/// Otherwise SINEW_ERROR_ARGUMENT for a mixer that has played or changed before, or is being recorded;
/// SINEW_ERROR_OUT_OF_MEMORY. The mixer's allocator serves it, never in a frame that plays what was played before.
/// `error`, which may be NULL, says why, when it starts and when it stops. The thread of the mixer.
SINEW_API sinew_result sinew_mixer_record(sinew_mixer *mixer,
                                          void (*write)(const void *bytes, size_t size, void *user), void *user,
                                          sinew_error *error);

// ---- Replaying -----------------------------------------------------------------------------------------------

/// What is replayed, and with what. Start from sinew_replay_default.
typedef struct sinew_replay_def {
    const void *bytes;              ///< a recording; it must outlive the replay
    size_t size;                    ///< of it, in bytes
    const sinew_skeleton *skeleton; ///< the one that the mixer was made for; must outlive the replay
    /// Clips of that skeleton, among which those that were played are looked for by name, duration, keys and markers. Where
    /// several are the same in all of them, their order counts. They must outlive the replay.
    const sinew_clip *const *clips;
    int32_t clip_count; ///< [clips]
    /// The curves that the mixer had; NULL (default): linear. See sinew_mixer_def.
    float (*curve)(int32_t number, float u, void *user);
    void *user;                ///< given to it
    sinew_allocator allocator; ///< zero: the C library's heap
} sinew_replay_def;

/// The defaults above; bytes, skeleton and clips are left NULL. Any thread.
SINEW_API sinew_replay_def sinew_replay_default(void);

/// A recording that is being made again. To be read, and the mixer to be asked; it belongs to one thread at a time.
typedef struct sinew_replay {
    sinew_mixer *mixer; ///< which the calls are made on; it goes with the replay
    int64_t call_count; ///< how many calls there are
    int64_t calls_made; ///< how many of them have been made
    double seconds;     ///< by which they have moved the mixer on
    /// The first call before which the mixer was not what it was when it was recorded, -1 while there is none: another version
    /// of the library, other curves, or a mistake of ours.
    int64_t first_mismatch;
    bool complete; ///< false: the recording was not stopped, but cut off, and ends with the last call that is whole
} sinew_replay;

/// Looks a recording through and makes its mixer, to be freed with sinew_replay_destroy. Any bytes may be given: what comes
/// of them is a mixer, at most 256 snapshots of it, and 128 times their size; and the work for a call is what the mixer does
/// for it.
/// SINEW_ERROR_FORMAT, with the byte in `error`, for what is no recording or damaged; SINEW_ERROR_UNSUPPORTED for another
/// version; SINEW_ERROR_ARGUMENT for another skeleton, or a clip that is missing or not what it was, which `error` names;
/// SINEW_ERROR_OUT_OF_MEMORY. Then `*replay` is NULL. `error` may be NULL. Any thread.
SINEW_API sinew_result sinew_replay_create(const sinew_replay_def *def, sinew_replay **replay, sinew_error *error);

/// Frees a replay with its mixer. NULL is allowed. The thread of the replay.
SINEW_API void sinew_replay_destroy(sinew_replay *replay);

/// Makes the next call; nothing where all have been made. SINEW_ERROR_OUT_OF_MEMORY where it saves a snapshot, and
/// SINEW_ERROR_LIMIT where that is one of more than 256 that are restored later: then it was not made. The thread of the
/// replay.
SINEW_API sinew_result sinew_replay_step(sinew_replay *replay);

/// Writes the next call as one line of text, such as "fade_to 0x101 0.5 0.25", cut to fit in `capacity` bytes, at least 1
/// (asserted), with the zero at its end; "" where all have been made. Numbers read back as the same floats. The thread of
/// the replay.
SINEW_API void sinew_replay_describe(const sinew_replay *replay, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
#endif
