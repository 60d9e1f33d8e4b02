// SPDX-License-Identifier: MIT
/// Batches: updates many characters in one call: mixers (mixer.h) and, optionally, palettes (skin.h). This is faster
/// than one call per character, because one character's arithmetic overlaps with the memory accesses of another, and
/// palettes are computed while the matrices are in the cache. Ranges of a batch may run on different threads; Sinew
/// starts none of its own.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "mixer.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One character of a batch.
typedef struct sinew_batch_item {
    sinew_mixer *mixer;     ///< each mixer in one item only
    const sinew_skin *skin; ///< of the mixer's skeleton; NULL: no palette is computed
    sinew_affine *palette;  ///< [skin->joint_count], owned by the caller; may be NULL if `skin` is
    bool palette_only;      ///< compute only the palette and the morph weights, not the model matrices: see below
    bool changed;           ///< output: the result of sinew_mixer_update. If false, the palette is not written
} sinew_batch_item;

/// Does sinew_mixer_update by `dt` seconds and sinew_skin_palette for items [first, first + count). Neighbouring
/// items with the same skeleton are fastest. The bits do not depend on how a batch is split. An item and its mixer
/// may be used by one thread at a time; event callbacks of mixers run on the thread that calls this. No-op for a
/// count of 0 or less.
///
/// The first update of a mixer returns true, so its palette is written. After giving an item another palette or skin,
/// write the palette once with sinew_skin_palette: an update that changes nothing does not.
///
/// An item with `palette_only` writes less memory, which matters for crowds. Its mixer's model matrices are undefined
/// after this call, until sinew_mixer_to_model computes them from the current pose.
SINEW_API void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt);

#ifdef __cplusplus
}
#endif
#endif
