// SPDX-License-Identifier: MIT
/// Updates many characters (character.h) in one call, with their palettes, within a time budget if you like.
///
///     sinew_character_item items[COUNT] = {0};
///     for (int32_t i = 0; i < COUNT; i++) {
///         items[i].character = characters[i];
///         items[i].skin = &asset->skins[0];
///         items[i].palette = palettes[i];
///         items[i].significance = height_on_screen(i);               // every frame
///     }
///     sinew_characters_update_within(&budget, items, 0, COUNT, dt);  // every frame
///
/// There are three ways to spend less on characters that nobody looks at:
///   - A rig's step can ask for a significance (sinew_rig_step.significance). Characters below it skip the step.
///   - A budget lets characters *wait*. More significant characters are updated more often.
///   - A waiting character's palette can move on between its last two poses (`between`).
///
/// Use crowd.h for characters without a graph and a rig. Sinew doesn't start any threads, but you can split the items
/// into ranges and update them on different threads. Only one thread at a time may use an item, its character and its
/// budget.
#ifndef SINEW_CHARACTER_CROWD_H
#define SINEW_CHARACTER_CROWD_H

#include "../skin.h"
#include "character.h"
#include "crowd.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A character in a crowd. Initialize it to zero. You can copy, move and remove items between updates.
typedef struct sinew_character_item {
    // Input: set these. Updates only read them.

    sinew_character *character; ///< must not be in any other item
    const sinew_skin *skin;     ///< must use the character's skeleton; may be NULL if you don't need a palette
    sinew_affine *palette;      ///< [skin->joint_count], owned by you; may be NULL if `skin` is NULL
    /// How much the character matters, such as its height on screen or 1 / distance. Steps that ask for more are
    /// skipped. sinew_characters_update_within updates the character in proportion to it, in every frame if it is
    /// INFINITY, and only once if it's 0, negative or NaN.
    float significance;
    /// Optional memory, [2 × skin->joint_count], for palettes that move on while the character waits. What you see is
    /// then one wait behind. It must not move, and needs no initialization. Only used by
    /// sinew_characters_update_within.
    sinew_affine *between;

    // Output: written by each update.

    sinew_affine world; ///< where to draw the palette; with `between`, it moves on like the palette
    bool changed;       ///< the palette was written
    bool updated;       ///< the character was updated; only false if it waits

    // Private: what updates remember.

    double waited;          ///< seconds that the character is behind
    sinew_affine places[2]; ///< of the last two poses, for `between`
    int32_t frames;         ///< since its last update; 0 if it was never updated
    int32_t interval;       ///< frames between its last two updates
} sinew_character_item;

/// Updates items [first, first + count) by `dt` seconds, and by what they have waited. If the count is 0 or less,
/// nothing happens.
SINEW_API void sinew_characters_update(sinew_character_item *items, int32_t first, int32_t count, float dt);

/// The same within a budget (crowd.h): it updates the characters with the largest product of significance and frames
/// since their last update, as many as fit. The others wait: their graphs, clips and rigs stand still, and catch up in
/// one step of at most SINEW_MAX_WAIT seconds. You can move a character that waits. Don't save or hash it.
SINEW_API void sinew_characters_update_within(sinew_batch_budget *budget, sinew_character_item *items,
                                              int32_t first, int32_t count, float dt);

/// How long a step can be after a wait, in seconds. Time beyond that is lost.
#define SINEW_MAX_WAIT 0.5f

#ifdef __cplusplus
}
#endif
#endif
