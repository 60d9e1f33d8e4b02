// SPDX-License-Identifier: MIT
/// Crowds: batches (batch.h) with too many characters to pose all of them every frame.
///
/// sinew_batch_update_within poses as many characters as fit into a *budget*, significant ones more often. A
/// *node LOD* drops nodes of distant characters.
#ifndef SINEW_CROWD_H
#define SINEW_CROWD_H

#include "../batch.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Levels of detail ----------------------------------------------------------------------------------------

/// Creates a level of detail without the nodes of factor 0 in `mask`, such as fingers and twist joints. Free it
/// with sinew_node_lod_destroy.
///
/// A dropped node keeps its rest transform relative to its parent. Roots and the ancestors of kept nodes are
/// never dropped. The palette keeps its length, so a character may change its level of detail in any frame. You
/// save the matrix products of dropped nodes. You also save sampling and blending, for each 16 consecutive nodes
/// that are all dropped.
///
/// `mask` must be of the skin's skeleton (asserted) and need not outlive this call. The skin must outlive the
/// level of detail. Any thread may read it. `allocator` may be NULL. Fails only with SINEW_ERROR_OUT_OF_MEMORY;
/// then `*lod` is NULL. Any thread.
SINEW_API sinew_result sinew_node_lod_create(const sinew_skin *skin, const sinew_mask *mask,
                                             const sinew_allocator *allocator, sinew_node_lod **lod);

/// Frees a level of detail. NULL is allowed. Items must not use it any more.
SINEW_API void sinew_node_lod_destroy(sinew_node_lod *lod);

// ---- Budgets -------------------------------------------------------------------------------------------------

/// What a frame of sinew_batch_update_within may cost. Start from sinew_batch_budget_default. Only one thread at
/// a time may use a budget: if several threads update ranges of a batch, give each its own.
typedef struct sinew_batch_budget {
    float seconds; ///< the maximum time of a frame by `clock`; default 0; ignored without a clock
    /// Returns your clock's time, in seconds from any fixed moment. Called about once per 16 characters.
    /// NULL (default): only `max_poses` limits a frame, and the same calls pose the same characters.
    double (*clock)(void *user);
    void *user;        ///< passed to `clock`
    int32_t max_poses; ///< the maximum number of characters posed in a frame; default INT32_MAX
    int32_t poses;     ///< output: number of characters posed in the last frame
    float used;        ///< output: seconds that the last frame took by `clock`; 0 without a clock
    float pose_cost;   ///< output: seconds per pose, a running mean of used / poses; 0 at first
    uint32_t cookie;   ///< private: set by sinew_batch_budget_default
} sinew_batch_budget;

/// Returns the defaults above. Any thread.
SINEW_API sinew_batch_budget sinew_batch_budget_default(void);

/// Updates a batch like sinew_batch_update, but poses only the characters that fit into the budget. They are the
/// ones with the largest significance × frames since their last pose. The others *wait*: they keep their palette,
/// matrices and morph weights, and `changed` is false.
///
/// A character is always posed in its first frame, and in every frame with infinite significance, even beyond the
/// budget. Events may also exceed it.
///
/// Before you change, query or save a mixer of such a batch, call sinew_batch_catch_up. Without it, a change
/// counts from the mixer's last advance, and an event that it causes may come as late as the character's next
/// pose. A later sinew_batch_update poses all characters again, with the time that they have waited.
///
/// A waiting mixer isn't advanced while it is certain to have no event, and later catches up in one step. So each
/// event is reported once, in its own frame, with its moment in that frame. In a frame without an advance,
/// sinew_mixer_events has no events. Mixers are advanced every frame while they have root motion, a queued
/// action, a fade that matches playback rates, or a sync group or blend space that changes. So each root delta
/// covers one frame. Times and weights equal the results of frame-by-frame updates within rounding.
SINEW_API void sinew_batch_update_within(sinew_batch_budget *budget, sinew_batch_item *items, int32_t first,
                                         int32_t count, float dt);

/// Advances an item's mixer by the time that it has waited, which has no events. The item isn't posed any
/// earlier. A no-op if it hasn't waited.
SINEW_API void sinew_batch_catch_up(sinew_batch_item *item);

#ifdef __cplusplus
}
#endif
#endif
