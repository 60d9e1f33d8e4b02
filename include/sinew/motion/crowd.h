// SPDX-License-Identifier: MIT
/// A crowd is a batch (batch.h) with too many characters to pose every frame.
///
/// sinew_batch_update_within poses as many characters as fit into a *budget*. More significant characters are
/// posed more often. You can also use a *node LOD* to drop nodes from distant characters.
#ifndef SINEW_CROWD_H
#define SINEW_CROWD_H

#include "../batch.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Levels of detail ----------------------------------------------------------------------------------------

/// Creates a level of detail that drops all nodes whose factor in `mask` is 0, such as fingers and twist joints.
/// Free it with sinew_node_lod_destroy.
///
/// A dropped node keeps its rest transform relative to its parent. Roots and ancestors of kept nodes are never
/// dropped. The palette keeps its length, so you can switch a character's level of detail on any frame. You always
/// save the matrix multiplications for dropped nodes. You also save sampling and blending wherever 16 consecutive
/// nodes are all dropped.
///
/// `mask` must use the skin's skeleton (asserted). You can destroy the mask after this call, but the skin must
/// outlive the level of detail. `allocator` may be NULL. Fails only with SINEW_ERROR_OUT_OF_MEMORY, and sets `*lod`
/// to NULL in that case. You can create and read levels of detail on any thread.
SINEW_API sinew_result sinew_node_lod_create(const sinew_skin *skin, const sinew_mask *mask,
                                             const sinew_allocator *allocator, sinew_node_lod **lod);

/// Destroys a level of detail. `lod` may be NULL. Make sure no items are still using it.
SINEW_API void sinew_node_lod_destroy(sinew_node_lod *lod);

// ---- Budgets -------------------------------------------------------------------------------------------------

/// Limits how much work sinew_batch_update_within does per frame. Start from sinew_batch_budget_default. Only one
/// thread at a time may use a budget. If several threads update ranges of a batch, give each its own budget.
typedef struct sinew_batch_budget {
    float seconds; ///< time limit per frame; ignored if there is no `clock`; default 0
    /// Optional callback that returns the current time in seconds, relative to any fixed point. It's called about
    /// once every 16 characters. If this is NULL (the default), `max_poses` is the only limit, and the same calls
    /// always pose the same characters.
    double (*clock)(void *user);
    void *user;        ///< passed to `clock`
    int32_t max_poses; ///< maximum number of characters to pose per frame; default INT32_MAX
    int32_t poses;     ///< output: number of characters posed in the last frame
    float used;        ///< output: duration of the last frame in seconds, or 0 if there is no `clock`
    float pose_cost;   ///< output: running average of used / poses, in seconds; starts at 0
    uint32_t cookie;   ///< private: set by sinew_batch_budget_default
} sinew_batch_budget;

/// Returns the default budget, which doesn't limit anything. Thread-safe.
SINEW_API sinew_batch_budget sinew_batch_budget_default(void);

/// Updates a batch like sinew_batch_update, but only poses as many characters as fit into the budget. These are the
/// characters with the largest product of significance and frames since their last pose. The others *wait*. They
/// keep their palette, matrices and morph weights, and `changed` is false.
///
/// A character is always posed on its first frame. If its significance is infinite, it's posed every frame. Both
/// can go over budget, and so can events.
///
/// Call sinew_batch_catch_up before you change, query or save a mixer in this kind of batch. Otherwise your change
/// takes effect as of the mixer's last advance, and any events it causes may be delayed until the character's next
/// pose. If you go back to sinew_batch_update, it poses all characters and includes the time they've waited.
///
/// As long as a waiting mixer can't have an event, it isn't advanced, and later catches up in one step. Events are
/// still reported exactly once, on the right frame and with the right `moment`. On frames where a mixer isn't
/// advanced, sinew_mixer_events returns no events. Mixers with root motion, a queued action or a fade that matches
/// playback rates are advanced every frame. So are mixers where a sync group or blend space is changing. This
/// means that each root delta covers exactly one frame. Up to rounding, times and weights are the same as if you
/// updated every frame.
SINEW_API void sinew_batch_update_within(sinew_batch_budget *budget, sinew_batch_item *items, int32_t first,
                                         int32_t count, float dt);

/// Advances an item's mixer by the time it has waited. There are no events in that time. This doesn't make the
/// item's next pose come sooner. No-op if the item hasn't waited.
SINEW_API void sinew_batch_catch_up(sinew_batch_item *item);

#ifdef __cplusplus
}
#endif
#endif
