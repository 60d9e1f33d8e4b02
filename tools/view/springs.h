// SPDX-License-Identifier: MIT
// The file's springs: its spring bones.
#ifndef VIEWER_SPRINGS_H
#define VIEWER_SPRINGS_H

#include "view/player.h"

enum { VIEW_MAX_WIND = 12 }; // m/s

typedef struct view_springs {
    sinew_springs *springs; // NULL if the file has none
    const sinew_asset *asset;
    sinew_spring_state *state;
    sinew_affine *last; // [node_count]; model matrices in the previous frame
    float weight;       // 0 is keyed, 1 is sprung; follows the setting
    float dt;           // seconds that the springs advance in this frame
    bool moves;         // the next frame will differ from this one
} view_springs;

// Creates springs for an asset's spring bones, if it has any. The asset must outlive them. Returns false if memory runs
// out. Call view_springs_free either way.
bool view_springs_create(view_springs *springs, const sinew_asset *asset, const view_settings *settings);
void view_springs_free(view_springs *springs);

// Starts a frame of `dt` seconds of real time. Fades the springs in or out, and sets how far they advance. They use the
// clips' time: slow motion looks like full speed, and a pause stops them. After a jump in time, they start at rest.
// Clears the player's record of jumps.
void view_springs_begin(view_springs *springs, view_player *player, float dt);

// Simulates the springs over a pose. `model` has its model matrices.
void view_springs_solve(view_springs *springs, const view_settings *settings, sinew_pose *pose,
                        sinew_affine *model);

// Returns the weight during a fade between keyed and sprung. It's a smoothstep, so the speed doesn't jump at either
// end.
float view_springs_eased_weight(const view_springs *springs);

// Returns the air's velocity from the settings, +Y up. The wind blows from the front.
sinew_vec3 view_wind(const view_settings *settings);

// Changes the wind speed by `steps` of 1 m/s.
void view_player_change_wind(view_player *player, int steps);

#endif
