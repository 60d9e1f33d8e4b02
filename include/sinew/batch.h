// SPDX-License-Identifier: MIT
/// Batches update many characters in one call.
///
///     sinew_batch_item items[COUNT] = {0};
///     for (int32_t i = 0; i < COUNT; i++) {
///         items[i].mixer = mixers[i];
///         items[i].skin = &asset->skins[0];
///         items[i].palette = palettes[i];
///     }
///     sinew_batch_update(items, 0, COUNT, dt); // every frame
///
/// A batch updates mixers (mixer.h) and optionally their palettes (skin.h). This is faster than updating characters
/// one by one, because memory accesses overlap and matrices stay in the cache. Sinew doesn't start any threads, but
/// you can split a batch into ranges and run them on different threads.
///
/// If there are too many characters to pose all of them every frame, see motion/crowd.h.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "mixer.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A level of detail for a skin. Some of its nodes just follow their parents (motion/crowd.h).
typedef struct sinew_node_lod sinew_node_lod;

/// One character in a batch. Initialize it to zero. You can copy, move and remove items between updates, because
/// everything the batch remembers about a character is stored in its item.
typedef struct sinew_batch_item {
    // Input: set these. The batch only reads them.

    sinew_mixer *mixer;        ///< must not be in any other item
    const sinew_skin *skin;    ///< must use the mixer's skeleton; may be NULL if you don't need a palette
    sinew_affine *palette;     ///< [skin->joint_count], owned by you; may be NULL if `skin` is NULL
    const sinew_node_lod *lod; ///< level of detail for `skin` (asserted), implies palette_only; NULL for all nodes
    /// How often to pose this character compared to others. Only used by sinew_batch_update_within
    /// (motion/crowd.h). Use the character's height on screen or 1 / distance to get the same error in pixels at
    /// every distance. INFINITY poses it every frame. 0, a negative value or NaN poses it only in the first frame,
    /// which suits hidden characters.
    float significance;
    bool palette_only; ///< compute only the palette and morph weights, not the model matrices (see below)
    /// Bypass the caches when writing the palette. Use this if it's mapped GPU memory or this core won't read it
    /// soon. It's faster for thousands of characters and slower for a few. Ignored unless `palette` is
    /// 16-byte aligned, and on anything but x86-64. Other threads can read the palette once the update returns.
    bool stream_palette;

    // Output: written by each update.

    bool changed;  ///< the palette was written, because the pose changed or you set a new palette, skin or lod
    bool advanced; ///< the mixer advanced; only false for characters that are waiting (motion/crowd.h)

    // Private: what the batch remembers between updates.

    uint64_t memory[5]; ///< must be initialized to zero
} sinew_batch_item;

/// Updates items [first, first + count) by `dt` seconds. This calls sinew_mixer_update and sinew_skin_palette for
/// each item. Keep items with the same skeleton next to each other for best performance. Splitting a batch doesn't
/// change the results. Only one thread at a time may use an item and its mixer. Event callbacks run on the calling
/// thread. If the count is 0 or less, nothing happens. Uses up to 170 KB of stack.
///
/// An item's palette is written on its first update, when the pose changes, and when you set a new skin or lod.
/// It's also written when you point `palette` at a different buffer, such as the next one in a ring.
///
/// Crowds benefit from `palette_only` because it writes less memory. However, the mixer's model matrices are then
/// undefined until you call sinew_mixer_to_model.
SINEW_API void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt);

#ifdef __cplusplus
}
#endif
#endif
