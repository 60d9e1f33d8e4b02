// SPDX-License-Identifier: MIT
/// Snapshots: save, restore and hash a mixer's playback state, for rollback and rewinding.
///
/// The rules in mixer.h about threads, stack and wrong arguments apply.
#ifndef SINEW_MIXER_SNAPSHOT_H
#define SINEW_MIXER_SNAPSHOT_H

#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the most bytes that sinew_mixer_save can write. This never changes for a mixer.
SINEW_API size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer);

/// Saves the playback state to `memory` and returns the number of bytes written. `memory` must be 8-byte aligned
/// and have sinew_mixer_snapshot_size bytes. Most snapshots are much smaller: 8 actions, 2 layers and 80 nodes
/// need less than 4 KB. While a pose is held, or an inertialization or dead blending runs, a snapshot takes the
/// full size.
///
/// The snapshot includes rotation signs: 2 × (max_actions + 32 × max_blend_spaces + layer_count + 1) bytes per 16
/// nodes. With `inertialization` in sinew_mixer_def, it also includes the pose, 40 bytes per node, if the program
/// has edited or finished it since its evaluation. Matrices, events and the root delta aren't saved.
SINEW_API size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory);

/// Restores a snapshot that was saved in this process, by this mixer or one made from the same definition. The
/// same calls then give the same bits again. Clips, masks and blend spaces that played at the time must still
/// exist. Action handles from that time are valid again. `size` is the size of `memory`, at least
/// sinew_mixer_save's result.
///
/// Returns false and changes nothing if `memory` is NULL or too small, or the snapshot is damaged or from another
/// definition. A checksum covers all bytes, but doesn't protect against forgery. Never restore a snapshot that
/// came over a network.
SINEW_API bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size);

/// Returns a hash of the playback state, to detect that two mixers differ. The same calls give the same hash on
/// every machine. Clips are hashed by name and duration, masks by their current factors. The program's pose edits
/// aren't included.
SINEW_API uint64_t sinew_mixer_hash(const sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
