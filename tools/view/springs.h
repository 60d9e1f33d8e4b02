// SPDX-License-Identifier: MIT
// The springs of the file: its spring bones.
#ifndef VIEWER_SPRINGS_H
#define VIEWER_SPRINGS_H

#include "view/player.h"

enum { VIEW_MAX_WIND = 12 }; // m/s

typedef struct view_springs {
    sinew_springs *springs; // NULL: the file has none
    const sinew_asset *asset;
    sinew_spring_state *state;
    sinew_affine *last; // [node_count], the model matrices in the previous frame
    float weight;       // 0: keyed, 1: sprung; it follows the setting
    float dt;           // seconds of this frame, of the springs' time
    bool moves;         // the next frame differs from this one
} view_springs;

// Creates the springs of an asset's spring bones, if it has some, which must outlive them; false if memory runs out. Freed
// with view_springs_free in both cases.
bool view_springs_create(view_springs *springs, const sinew_asset *asset, const view_settings *settings);
void view_springs_free(view_springs *springs);

// Starts a frame of `dt` seconds of real time: fades the springs in or out, and sets the time that they advance by. They have
// the time of the clips, so slow motion shows the motion of full speed and a pause stops them. They start at rest after a jump
// in time; the player's notes of it are cleared.
void view_springs_begin(view_springs *springs, view_player *player, float dt);

// Simulates the springs over a pose, whose model matrices are `model`.
void view_springs_solve(view_springs *springs, const view_settings *settings, sinew_pose *pose,
                        sinew_affine *model);

// The weight at this moment of a fade between keyed and sprung: a smoothstep, so the fade starts and ends without a jump of speed.
float view_springs_eased_weight(const view_springs *springs);

// The velocity of the air by the settings, +Y up: it blows from the front.
sinew_vec3 view_wind(const view_settings *settings);

// Changes the wind's speed by `steps` of 1 m/s.
void view_player_change_wind(view_player *player, int steps);

#endif
