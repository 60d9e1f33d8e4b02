// SPDX-License-Identifier: MIT
/// Batches: updates many characters in one call: mixers (mixer.h) and, optionally, palettes (skin.h). This is faster
/// than one call per character, because one character's arithmetic overlaps with the memory accesses of another, and
/// palettes are computed while the matrices are in the cache. Ranges of a batch may run on different threads; Sinew
/// starts none of its own.
///
/// A crowd that is too large to be posed in every frame has a *budget*: sinew_batch_update_within poses as many
/// characters as fit in it, the significant ones more often. A *node LOD* leaves out nodes of distant characters.
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "mixer.h"
#include "skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A level of detail of a skin: some nodes follow their parents.
typedef struct sinew_node_lod sinew_node_lod;

/// Creates a level of detail that drops the nodes whose factor in `mask` is 0, such as fingers and twist joints; free
/// it with sinew_node_lod_destroy. A dropped node keeps its rest transform relative to its parent. Roots, and
/// ancestors of nodes that are not dropped, are never dropped. The palette keeps its length, so that a character may
/// change its level of detail in any frame. What is saved are the matrix products of dropped nodes, and sampling and
/// blending of each 16 consecutive nodes of the skeleton that are all dropped.
///
/// `mask` is of the skin's skeleton (asserted) and is only read here. The skin must outlive the level of detail, which
/// may be read by any thread. `allocator` may be NULL. The only failure is SINEW_ERROR_OUT_OF_MEMORY; `*lod` is NULL
/// then. Any thread.
SINEW_API sinew_result sinew_node_lod_create(const sinew_skin *skin, const sinew_mask *mask,
                                             const sinew_allocator *allocator, sinew_node_lod **lod);

/// Frees a level of detail. NULL is allowed. No item may still use it.
SINEW_API void sinew_node_lod_destroy(sinew_node_lod *lod);

/// One character of a batch. Start from a zeroed item. An item may be copied, moved within the array and removed
/// between updates: all that the batch remembers of a character is in it.
typedef struct sinew_batch_item {
    // Input: the program's. The batch only reads it.

    sinew_mixer *mixer;     ///< each mixer in one item only
    const sinew_skin *skin; ///< of the mixer's skeleton; NULL: no palette is computed
    sinew_affine *palette;  ///< [skin->joint_count], owned by the caller; may be NULL if `skin` is
    /// A level of detail of `skin` (asserted), in which case the item counts as `palette_only`; NULL: all nodes.
    const sinew_node_lod *lod;
    /// Only for sinew_batch_update_within: how often the character is posed, relative to the others. Its height in the
    /// picture, or 1 / distance, makes the error of a palette the same number of pixels at every distance. INFINITY:
    /// in every frame; 0, less or NaN: never again, such as for a character that is not visible.
    float significance;
    bool palette_only; ///< compute only the palette and the morph weights, not the model matrices: see below
    /// Write the palette past the caches: for memory that is mapped from a GPU, or that this core does not read soon. Of
    /// thousands of characters this takes less time; of a few, whose palettes are read again, more. Only if `palette` is
    /// aligned to 16 bytes; ignored on processors other than x86-64. Other threads see the palette after the update returns.
    bool stream_palette;

    // Output: written by each update.

    bool changed; ///< the result of sinew_mixer_update. If false, the palette is not written
    /// The mixer was advanced in this frame. False only for a character that waits: see sinew_batch_update_within.
    bool advanced;

    // Private: what the batch remembers between updates.

    uint64_t memory[3]; ///< opaque; zeros at first
} sinew_batch_item;

/// Does sinew_mixer_update by `dt` seconds and sinew_skin_palette for items [first, first + count). Neighbouring
/// items with the same skeleton are fastest. The bits do not depend on how a batch is split. An item and its mixer
/// may be used by one thread at a time; event callbacks of mixers run on the thread that calls this. No-op for a
/// count of 0 or less. Uses up to 170 KB of stack.
///
/// The first update of a mixer returns true, so its palette is written. After giving an item another palette or skin,
/// write the palette once with sinew_skin_palette: an update that changes nothing does not.
///
/// An item with `palette_only` writes less memory, which matters for crowds. Its mixer's model matrices are undefined
/// after this call, until sinew_mixer_to_model computes them from the current pose.
SINEW_API void sinew_batch_update(sinew_batch_item *items, int32_t first, int32_t count, float dt);

/// What a frame of sinew_batch_update_within may cost. Start from sinew_batch_budget_default. One thread uses a budget
/// at a time: ranges of a batch on several threads have one each.
typedef struct sinew_batch_budget {
    float seconds; ///< the longest time that a frame may take by `clock`; ignored without a clock
    /// Returns the time of the caller's clock, in seconds since any moment; called in every frame once for each 16
    /// characters posed. Default NULL: only `max_poses` limits a frame, and the same calls pose the same characters.
    double (*clock)(void *user);
    void *user;        ///< passed to `clock`; otherwise ignored
    int32_t max_poses; ///< the largest number of characters that are posed in a frame; default INT32_MAX
    int32_t poses;     ///< output: the characters that were posed in the last frame
    float used;        ///< output: the seconds of `clock` that the last frame took; 0 without a clock
    float pose_cost;   ///< output: the mean of used / poses, in seconds, of the last frames; 0 at first
    uint32_t cookie;   ///< private: set by sinew_batch_budget_default
} sinew_batch_budget;

/// The defaults above, with 0 seconds. Any thread.
SINEW_API sinew_batch_budget sinew_batch_budget_default(void);

/// Does sinew_batch_update for those items that fit in the budget: the ones with the largest significance × frames
/// since they were posed. The other characters *wait*: their palettes, matrices and morph weights stay those of their
/// last pose, and `changed` is false. A character is posed in its first frame, and in every frame with an infinite
/// significance, even if that exceeds the budget. Events may exceed it, too.
///
/// A waiting mixer is not advanced while it certainly has no event; later it is advanced by the sum of those frames. So
/// every event is reported once, in the frame to which it belongs, with its moment in that frame, and sinew_mixer_events
/// has none of a frame in which the mixer was not advanced. Root deltas are those of each frame, because a mixer with
/// root motion is advanced in every frame. So is one with something queued or a warp, and one with a sync group or
/// blend space whose weights, speeds or parameter change. Times and weights are those of single frames within rounding.
///
/// Before you change, query or save a mixer of such a batch, call sinew_batch_catch_up. Without it a change counts from
/// the last advance, and an event that it causes may be reported as late as the character's next pose. A later
/// sinew_batch_update poses all characters again, with the time that they have waited.
SINEW_API void sinew_batch_update_within(sinew_batch_budget *budget, sinew_batch_item *items, int32_t first,
                                         int32_t count, float dt);

/// Advances the item's mixer by the time that it has waited, without an event. It is posed no earlier for it. No-op
/// for an item that has not waited.
SINEW_API void sinew_batch_catch_up(sinew_batch_item *item);

#ifdef __cplusplus
}
#endif
#endif
