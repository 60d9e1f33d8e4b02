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
