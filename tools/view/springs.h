// SPDX-License-Identifier: MIT
// The springs of the first file: its spring bones, on the character and on the one that is compared with it.
#ifndef VIEWER_SPRINGS_H
#define VIEWER_SPRINGS_H

#include "view/player.h"

enum { VIEW_MAX_WIND = 12 }; // m/s

typedef struct view_springs {
    sinew_springs *springs; // NULL: the file has none
    const sinew_asset *asset;
    sinew_spring_state *states[VIEW_SIDES];
    sinew_affine *last; // [node_count], the first character's model matrices in the previous frame
    float weight;       // 0: keyed, 1: sprung; it follows the setting
    float time_step;    // seconds of this frame, of the springs' time
    bool moves;         // the next frame differs from this one
} view_springs;

// Creates the springs of an asset's spring bones, if it has some, which must outlive them; false if memory runs out. Freed
// with view_springs_free in both cases.
bool view_springs_create(view_springs *springs, const sinew_asset *asset, const view_settings *settings);
void view_springs_free(view_springs *springs);

// Starts a frame of `dt` seconds of real time: fades the springs in or out, and sets the time that they advance by. That is
// the time of the clips, so that slow motion shows the motion of full speed. While the clips pause it is 0, unless
// `is_live`: the character is dragged. Springs start at rest after a jump in time or position; the player's notes of it are cleared.
void view_springs_begin(view_springs *springs, view_player *player, float dt, bool is_live);

// Gives the compared character the state of the first one.
void view_springs_copy(view_springs *springs);

// Simulates one character's springs over its pose, whose model matrices are `model`. A compared character swings where the
// first one is, so that only their poses differ.
void view_springs_solve(view_springs *springs, const view_player *player, int side, sinew_pose *pose,
                        sinew_affine *model);

// The weight at this moment of a fade between keyed and sprung: a smoothstep, so that the fade starts and ends without a jump of
// speed.
float view_springs_eased_weight(const view_springs *springs);

// The velocity of the air by the settings, +Y up.
sinew_vec3 view_wind(const view_settings *settings);

// Changes the wind's speed by `steps` of 1 m/s.
void view_player_change_wind(view_player *player, int steps);

#endif
