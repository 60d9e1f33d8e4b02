// SPDX-License-Identifier: MIT
/// Batches: update many characters in one call.
///
///     sinew_batch_item items[COUNT] = {0};
///     for (int32_t i = 0; i < COUNT; i++) {
///         items[i].mixer = mixers[i];
///         items[i].skin = &asset->skins[0];
///         items[i].palette = palettes[i];
///     }
///     sinew_batch_update(items, 0, COUNT, dt); // each frame
///
/// A batch updates mixers (mixer.h) and optionally their palettes (skin.h). It's faster than a call per character,
/// because memory accesses overlap and matrices stay in the cache. You may run ranges of a batch on different
/// threads. Sinew starts no threads itself.
///
/// For crowds too large to pose every frame, see motion/crowd.h.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "mixer.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A skin's level of detail, where some nodes follow their parents (motion/crowd.h).
typedef struct sinew_node_lod sinew_node_lod;

/// One character of a batch. Start from a zeroed item. You may copy, move and remove items between updates:
/// everything the batch remembers about a character is in its item.
typedef struct sinew_batch_item {
    // Input: set these. The batch only reads them.

    sinew_mixer *mixer;        ///< may be in one item only
    const sinew_skin *skin;    ///< a skin of the mixer's skeleton; NULL: no palette
    sinew_affine *palette;     ///< [skin->joint_count], yours; may be NULL if `skin` is NULL
    const sinew_node_lod *lod; ///< a level of detail of `skin` (asserted), implies palette_only; NULL: all nodes
    /// How often to pose the character relative to others, for sinew_batch_update_within (motion/crowd.h) only. Use
    /// its height on screen, or 1 / distance, to get the same error in pixels at every distance. INFINITY: every
    /// frame. 0, negative or NaN: only the first frame, for hidden characters.
    float significance;
    bool palette_only; ///< compute only the palette and morph weights, not the model matrices (see below)
    /// Write the palette past the caches, for memory mapped from a GPU or not read soon on this core. Faster for
    /// thousands of characters, slower for a few. Needs a 16-byte aligned `palette` on x86-64; ignored otherwise.
    /// Other threads see the palette once the update returns.
    bool stream_palette;

    // Output: written by each update.

    bool changed;  ///< the pose changed, or you set another palette, skin or lod: the palette was written
    bool advanced; ///< the mixer advanced; false only for characters that wait (motion/crowd.h)

    // Private: what the batch remembers between updates.

    uint64_t memory[5]; ///< start from zeros
} sinew_batch_item;

/// Updates items [first, first + count) by `dt` seconds: sinew_mixer_update and sinew_skin_palette for each. Keep
/// items with the same skeleton next to each other for speed. Splitting a batch doesn't change the bits. Only one
/// thread at a time may use an item and its mixer. Mixers' event callbacks run on the calling thread. No-op for a
/// count of 0 or less. Uses up to 170 KB of stack.
///
/// A palette is written in the item's first update, when the pose changes, and after you set another skin or lod.
/// It's also written when you set another palette, such as the next buffer in a ring.
///
/// With `palette_only`, an item writes less memory, which matters for crowds. Its mixer's model matrices are then
/// undefined until you call sinew_mixer_to_model.
SINEW_API void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt);

#ifdef __cplusplus
}
#endif
#endif
