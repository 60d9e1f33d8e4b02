// SPDX-License-Identifier: MIT
/// Crowds: batches (batch.h) that are too large to be posed in every frame. sinew_batch_update_within poses as many
/// characters as fit in a *budget*, the significant ones more often. A *node LOD* leaves out nodes of distant
/// characters.
#ifndef SINEW_CROWD_H
#define SINEW_CROWD_H

#include "../batch.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Levels of detail ----------------------------------------------------------------------------------------

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

// ---- Budgets -------------------------------------------------------------------------------------------------

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
/// every event is reported once, in the frame to which it belongs, with its moment in that frame, and
/// sinew_mixer_events has none of a frame in which the mixer was not advanced. Root deltas are those of each frame,
/// because a mixer with root motion is advanced in every frame. So is one with something queued or a warp, and one with
/// a sync group or blend space whose weights, speeds or parameter change. Times and weights are those of single frames
/// within rounding.
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
