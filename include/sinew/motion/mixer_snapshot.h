// SPDX-License-Identifier: MIT
/// Snapshots: saves a mixer's playback state and restores it, for rollback and rewinding; and hashes it.
///
/// The rules of mixer.h apply here: threads, stack, and wrong arguments.
#ifndef SINEW_MIXER_SNAPSHOT_H
#define SINEW_MIXER_SNAPSHOT_H

#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of bytes that sinew_mixer_save writes. It is the same for the mixer's lifetime.
SINEW_API size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer);

/// Copies the playback state to `memory`, 8-byte aligned and of sinew_mixer_snapshot_size bytes, and returns the number
/// of bytes written: for 8 actions, 2 layers and 80 nodes less than 4 KB, or all of sinew_mixer_snapshot_size while a
/// pose is held, or an inertialization or dead blending runs. The sides of rotations are part of it: for each 16 nodes
/// 2 × (max_actions + 32 × max_blend_spaces + layer_count + 1) bytes. With `inertialization` in sinew_mixer_def, the
/// pose is included, 40 bytes a node, if the program has edited or finished it since its evaluation. Other outputs
/// (matrices, events, root delta) are not included.
SINEW_API size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory);

/// Restores a snapshot that sinew_mixer_save wrote in this process, of this mixer or of one made from the same
/// definition. The same calls then give the same bits again. Clips, masks and blend spaces that played when it was
/// saved must still exist; handles of that time are valid again. `size` is that of `memory`, at least what
/// sinew_mixer_save returned. Returns false and changes nothing if `memory` is NULL or too small, or has a snapshot of
/// another definition. A checksum covers all bytes: a damaged snapshot is refused, also in its addresses. It is not a
/// protection against forgery: restore no bytes that came over a network.
SINEW_API bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size);

/// A hash of the playback state, to detect that two mixers differ. The same calls give the same hash on every
/// machine. Clips count by name and duration, masks by their current factors. The program's edits do not count.
SINEW_API uint64_t sinew_mixer_hash(const sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
