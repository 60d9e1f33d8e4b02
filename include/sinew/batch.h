/// Many characters in one call: faster than one after the other, since one character's arithmetic fills the time in
/// which another's waits, and its matrices are turned into a palette while they are still at hand. Ranges of a batch
/// may run on different threads; Sinew starts none of its own.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "mixer.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One character of a batch.
typedef struct sinew_batch_item {
    sinew_mixer *mixer;     ///< each in one item only
    const sinew_skin *skin; ///< of the mixer's skeleton, for a palette; or NULL
    sinew_affine *palette;  ///< [skin->joint_count], the caller's; may be NULL where skin is
    bool palette_only;      ///< wanted are the palette and the morph weights, not the model matrices: see below
    bool changed; ///< written: what sinew_mixer_update returns. Where false, the palette is left as it was
} sinew_batch_item;

/// sinew_mixer_update and sinew_skin_palette for items [first, first + count). Neighbours that share a skeleton go
/// fastest. The result does not depend on how a batch is split. An item belongs to one thread at a time; event
/// callbacks of mixers run on the thread that calls this.
///
/// Where an item wants the palette only, less memory is written, which crowds feel: the mixer's model matrices are of no
/// use behind this, until sinew_mixer_to_model computes them from what was shown.
SINEW_API void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt);

#ifdef __cplusplus
}
#endif
#endif
