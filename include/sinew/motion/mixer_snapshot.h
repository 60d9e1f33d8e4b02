// SPDX-License-Identifier: MIT
/// Snapshots let you save, restore and hash a mixer's playback state, for example for rollback or rewinding.
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
/// snapshot. Never restore a snapshot that you received over a network.
SINEW_API bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size);

/// Returns a hash of the playback state. Use it to detect when two mixers diverge. The same calls give the same
/// hash on every machine. Clips are hashed by name and duration, and masks by their current factors. Your pose
/// edits aren't included.
SINEW_API uint64_t sinew_mixer_hash(const sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
