// SPDX-License-Identifier: MIT
/// Batches: updates many characters in one call: mixers (mixer.h) and, optionally, palettes (skin.h). This is faster
/// than one call per character, because one character's arithmetic overlaps with the memory accesses of another, and
/// palettes are computed while the matrices are in the cache. Ranges of a batch may run on different threads; Sinew
/// starts none of its own.
///
/// For crowds that are too large to be posed in every frame see motion/crowd.h.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "mixer.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A level of detail of a skin: some nodes follow their parents (motion/crowd.h).
typedef struct sinew_node_lod sinew_node_lod;

/// One character of a batch. Start from a zeroed item. An item may be copied, moved within the array and removed
/// between updates: all that the batch remembers of a character is in it.
typedef struct sinew_batch_item {
    // Input: the program's. The batch only reads it.

    sinew_mixer *mixer;     ///< each mixer in one item only
    const sinew_skin *skin; ///< of the mixer's skeleton; NULL: no palette is computed
    sinew_affine *palette;  ///< [skin->joint_count], owned by the caller; may be NULL if `skin` is
    /// A level of detail of `skin` (asserted), in which case the item counts as `palette_only`; NULL: all nodes.
    const sinew_node_lod *lod;
    /// Only for sinew_batch_update_within (motion/crowd.h): how often the character is posed, relative to the others.
    /// Its height in the picture, or 1 / distance, makes the error of a palette the same number of pixels at every
    /// distance. INFINITY: in every frame; 0, less or NaN: never again, such as for a character that is not visible.
    float significance;
    bool palette_only; ///< compute only the palette and the morph weights, not the model matrices: see below
    /// Write the palette past the caches: for memory that is mapped from a GPU, or that this core does not read soon.
    /// Of thousands of characters this takes less time; of a few, whose palettes are read again, more. Only if
    /// `palette` is aligned to 16 bytes; ignored on processors other than x86-64. Other threads see the palette after
    /// the update returns.
    bool stream_palette;

    // Output: written by each update.

    bool changed; ///< the result of sinew_mixer_update, or the palette is another: the palette was written
    /// The mixer was advanced in this frame. False only for a character that waits: see motion/crowd.h.
    bool advanced;

    // Private: what the batch remembers between updates.

    uint64_t memory[5]; ///< opaque; zeros at first
} sinew_batch_item;

/// Does sinew_mixer_update by `dt` seconds and sinew_skin_palette for items [first, first + count). Neighbouring
/// items with the same skeleton are fastest. The bits do not depend on how a batch is split. An item and its mixer
/// may be used by one thread at a time; event callbacks of mixers run on the thread that calls this. No-op for a
/// count of 0 or less. Uses up to 170 KB of stack.
///
/// The palette of an item is written in its first update, when its mixer's pose changes, and after the item was given
/// another palette, skin or level of detail, such as the next of a ring of GPU buffers.
///
/// An item with `palette_only` writes less memory, which matters for crowds. Its mixer's model matrices are undefined
/// after this call, until sinew_mixer_to_model computes them from the current pose.
SINEW_API void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt);

#ifdef __cplusplus
}
#endif
#endif
