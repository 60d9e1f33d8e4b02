// SPDX-License-Identifier: MIT
// Root motion: moves a character by its clips and records its path.
#include "view/player.h"

#include <stdio.h>

static const float POINT_STEP = 0.02f; // metres from point to point of the path

static void put_point(view_walk *walk) {
    walk->path[walk->next] = walk->at;
    walk->next = (walk->next + 1) % VIEW_WALK_POINTS;
    if (walk->count < VIEW_WALK_POINTS) walk->count++;
}

void view_walk_clear(view_walk *walk) {
    walk->at = (sinew_vec3){0.0f, 0.0f, 0.0f};
    walk->facing = (sinew_quat){0.0f, 0.0f, 0.0f, 1.0f};
    walk->length = 0.0f;
    walk->next = walk->count = 0;
    put_point(walk);
}

sinew_vec3 view_walk_point(const view_walk *walk, int age) {
    return walk->path[(walk->next + VIEW_WALK_POINTS - 1 - age) % VIEW_WALK_POINTS];
}

void view_walk_advance(view_walk *walk, sinew_root_delta delta) {
    walk->at = sinew_vec3_add(walk->at, sinew_quat_rotate(walk->facing, delta.translation));
    walk->facing = sinew_quat_normalize(sinew_quat_multiply(walk->facing, delta.rotation));
    walk->length += sinew_vec3_length(delta.translation);
    if (sinew_vec3_length(sinew_vec3_subtract(walk->at, view_walk_point(walk, 0))) > POINT_STEP) put_point(walk);
}

sinew_affine view_walk_matrix(const view_walk *walk) {
    return sinew_affine_from_transform((sinew_transform){walk->at, walk->facing, {1.0f, 1.0f, 1.0f}});
}

void view_player_reset_position(view_player *player) {
    for (int side = 0; side < VIEW_SIDES; side++) view_walk_clear(&player->walks[side]);
    player->jumped = true;
}

// ---- Warp ----------------------------------------------------------------------------------------------------

void view_player_switch_warp(view_player *player) {
    player->warp.is_on = !player->warp.is_on;
    player->warp.is_held = player->warp.acts = false;
    player->warp.def.clip = NULL;
    view_player_reset_position(player);
}

static bool begin_warp(view_player *player) {
    const sinew_clip *clip = view_player_clip(player);
    const bool is_clip = clip && !player->in_space && !view_player_has_graph(player);
    if (!player->warp.is_on || !is_clip || player->root == SINEW_NO_NODE) return false;
    if (player->warp.acts && player->warp.def.clip == clip && player->warp.motion.node == player->root) return true;
    sinew_mixer_def def = sinew_mixer_default();
    sinew_root_motion_def motion;
    sinew_error error;
    view_player_set_root_motion(player, &def, &motion);
    return view_warp_begin(&player->warp, clip, &motion, &error);
}

void view_player_warp(view_player *player) {
    player->warp.acts = begin_warp(player);
    if (!player->warp.acts) return;
    const sinew_warp_transform at = view_warp_at(&player->warp, view_player_time(player));
    for (int side = 0; side < VIEW_SIDES; side++) {
        player->walks[side].at = at.position;
        player->walks[side].facing = at.facing;
    }
}

// ---- The node ------------------------------------------------------------------------------------------------

bool view_player_set_root(view_player *player, int32_t node, sinew_error *error) {
    const int32_t before = player->root;
    if (!player->mixers[0]) return true;
    player->root = node;
    if (!view_player_begin_side(player, 0, error)) {
        player->root = before;
        return false;
    }
    // A compared character that cannot have root motion ends the comparison.
    if (player->mixers[1] && !view_player_begin_side(player, 1, error)) view_player_set_comparing(player, false);
    view_player_reset_position(player);
    return true;
}
