// SPDX-License-Identifier: MIT
/// Snapshots let you save, restore and hash a mixer's playback state.
///
/// There are two kinds. sinew_mixer_save copies memory. It's fast, and only the same process can restore it. Use it
/// for rollback and rewinding. sinew_mixer_write writes names and numbers. Other builds and machines can read them.
/// Use it for saved games, for players who join late, and for corrections from a server.
///
/// See mixer.h for the rules about threads, stack usage and invalid arguments.
#ifndef SINEW_MIXER_SNAPSHOT_H
#define SINEW_MIXER_SNAPSHOT_H

#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the maximum number of bytes that sinew_mixer_save can write. This never changes during a mixer's
/// lifetime.
SINEW_API size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer);

/// Saves the playback state to `memory` and returns the number of bytes written. `memory` must be 8-byte aligned
/// and have room for sinew_mixer_snapshot_size bytes. Most snapshots are much smaller. For example, 8 actions, 2
/// layers and 80 nodes need less than 4 KB. Snapshots only reach the full size while a pose is held, or while an
/// inertialization or dead blend is running.
///
/// Rotation signs are also saved and take 2 × (max_actions + 32 × max_blend_spaces + layer_count + 1) bytes per 16
/// nodes. If `inertialization` is on in sinew_mixer_def and you have edited or finished the pose since it was
/// evaluated, the pose is also saved, at 40 bytes per node. Matrices, events and the root delta aren't saved.
SINEW_API size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory);

/// Restores a snapshot. It must have been saved in the same process, either by this mixer or by one made from the
/// same definition. If you then repeat the same calls, the results are bit-identical. Clips, masks and blend
/// spaces that were in use when you saved must still exist. Action handles from that time become valid again.
/// `size` is the size of `memory` and must be at least what sinew_mixer_save returned.
///
/// Returns false and changes nothing if `memory` is NULL or too small, or if the snapshot is damaged or comes from
/// a different definition. A checksum over all bytes catches damage, but it doesn't stop anyone from forging a
/// snapshot. Never restore a snapshot that you received over a network. Use sinew_mixer_read for those.
SINEW_API bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size);

/// Returns a hash of the playback state. Use it to detect when two mixers diverge. The same calls give the same
/// hash on every machine. Clips are hashed by name and duration, and masks by their current factors. Your pose
/// edits aren't included.
SINEW_API uint64_t sinew_mixer_hash(const sinew_mixer *mixer);

// ---- States for other builds and machines --------------------------------------------------------------------

/// What a written state may refer to. Start from sinew_state_names_default. Pass the same list to sinew_mixer_write
/// and sinew_mixer_read, in any order. Everything must use the mixer's skeleton. All arrays may be NULL if their
/// count is 0. They are only used during the call.
typedef struct sinew_state_names {
    int32_t clip_count;             ///< number of clips
    const sinew_clip *const *clips; ///< [clip_count]
    /// [clip_count], unique names. Defaults to NULL, which means the clips' own names. If several clips have the same
    /// name, the reader prefers one that is equally long and also additive or not.
    const char *const *clip_names;
    int32_t blend_space_count;                    ///< number of blend spaces
    const sinew_blend_space *const *blend_spaces; ///< [blend_space_count]
    const char *const *blend_space_names;         ///< [blend_space_count], unique names
    int32_t mask_count;                           ///< number of masks
    const sinew_mask *const *masks;               ///< [mask_count]
    const char *const *mask_names;                ///< [mask_count], unique names
    int32_t layer_count;                          ///< number of names in `layer_names`
    /// [layer_count], the mixer's layers from the base up. A NULL element is a layer without a name. Layers without a
    /// name are identified by their order. The base is always the base.
    const char *const *layer_names;
    int32_t sync_group_count; ///< number of names in `sync_group_names`
    /// [sync_group_count], the names of sync groups 1, 2 and so on. A NULL element is a group without a name. It
    /// keeps its number.
    const char *const *sync_group_names;
    uint32_t cookie; ///< private: set by sinew_state_names_default
} sinew_state_names;

/// Returns empty lists.
SINEW_API sinew_state_names sinew_state_names_default(void);

/// Receives the names in a state that the reader doesn't know.
typedef struct sinew_state_report {
    /// `kind` is "clip", "blend space", "sample", "mask", "layer", "sync group", "node", "morph weights" or "curve".
    /// It is "action" for a clip or blend space that the mixer has no slot for. Animators add "parameter", "state",
    /// "transition" and "marker". `name` comes from the bytes, so escape it before you print it (sinew_escape). Both
    /// are only valid during the callback. It must not call functions on the mixer.
    void (*unknown)(const char *kind, const char *name, void *user);
    void *user; ///< passed to `unknown`
} sinew_state_report;

/// Writes the playback state as bytes that any build of Sinew with this format can read, on any machine. Returns the
/// number of bytes needed, like snprintf. It only writes if that is at most `size`. `names` may be NULL if you only
/// play clips. Clips that it doesn't list are written with their own names. Blend spaces and masks must be listed
/// (asserted). In NDEBUG builds, others are written without a name, so the reader doesn't find them.
///
/// The bytes contain what sinew_mixer_save saves. Uses about 30 KB of stack. Doesn't allocate.
SINEW_API size_t sinew_mixer_write(const sinew_mixer *mixer, const sinew_state_names *names, void *bytes,
                                   size_t size);

/// Reads a state that sinew_mixer_write wrote. If the mixer was made from an equal definition and the names lead to
/// equal clips, masks and blend spaces, the hash is the same as the writer's. If you then repeat the same calls, the
/// results are bit-identical. Action handles from the writer become valid.
///
/// Everything is found by name, so the definition, the skeleton and the assets may also be different. Whatever isn't
/// found is reported and left out:
///   - An action whose clip, blend space or layer isn't found is dropped as if it had been evicted. So is an action
///     whose slot or blend space number is too large for the mixer. If nothing is left in the base, it holds the
///     mixer's current pose.
///   - A queued or previous source that isn't found is cleared.
///   - A layer whose mask isn't found keeps the mixer's current mask. A layer that the state doesn't have keeps its
///     mask, mode and weight, and plays nothing.
///   - A layer with another mode counts as not found, so your calls still fit. Only a mixer that hasn't played, advanced
///     or changed a layer yet takes modes from the state.
///   - Nodes, morph weights and curves that the state doesn't have take the mixer's current pose, without offsets.
/// If a clip's duration has changed, its action stays at the same fraction of it. Blend spaces keep their phase.
///
/// It's safe to read bytes from an untrusted source. Time is linear in `size` and the number of nodes. Floats are
/// finite and in the ranges of the mixer's functions. Rotations are normalized if they aren't unit quaternions.
/// Custom easings may be called with any number from 0 to 252. The checksum only catches accidents. A sender can
/// still make the character play whatever it wants.
///
/// On failure the mixer is unchanged, and `error` contains the position. `report` and `error` may be NULL. Allocates
/// scratch memory from the mixer's allocator, but only if the skeleton is a different one. If the mixer is being
/// recorded, the recording ends here, like when you restore a snapshot from elsewhere. Fails with:
///   - SINEW_ERROR_FORMAT if the bytes aren't a state or are damaged.
///   - SINEW_ERROR_UNSUPPORTED if they have another version of the format.
///   - SINEW_ERROR_ARGUMENT if `bytes` is NULL, or if you call this in on_event (asserted).
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_mixer_read(sinew_mixer *mixer, const sinew_state_names *names, const void *bytes,
                                        size_t size, const sinew_state_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
