// SPDX-License-Identifier: MIT
// Springs: their state, their fade, and the time that they advance by.
#include "view/springs.h"

#include "render/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float FADE = 0.25f; // seconds from keyed to sprung

static void reset(view_springs *s) {
    for (int side = 0; side < VIEW_SIDES && s->springs; side++) sinew_springs_reset(s->springs, s->states[side]);
}

bool view_springs_create(view_springs *s, const sinew_asset *asset, const view_settings *settings) {
    *s = (view_springs){.asset = asset, .weight = settings->keyed ? 0.0f : 1.0f};
    if (!asset->vrm || asset->vrm->spring_count == 0) return true;
    if (sinew_springs_create_from_vrm(asset->vrm, NULL, &s->springs) != SINEW_OK) return false;
    s->last = calloc((size_t)asset->skeleton->node_count + 1, sizeof *s->last);
    for (int side = 0; side < VIEW_SIDES; side++) s->states[side] = malloc(sinew_springs_state_size(s->springs));
    if (!s->last || !s->states[0] || !s->states[1]) return false;
    reset(s);
    return true;
}

void view_springs_free(view_springs *s) {
    sinew_springs_destroy(s->springs);
    for (int side = 0; side < VIEW_SIDES; side++) free(s->states[side]);
    free(s->last);
    *s = (view_springs){0};
}

void view_springs_copy(view_springs *s) {
    if (s->springs) memcpy(s->states[1], s->states[0], sinew_springs_state_size(s->springs));
}

// ---- A frame -------------------------------------------------------------------------------------------------

void view_springs_begin(view_springs *s, view_player *player, float dt, bool is_live) {
    const float goal = player->settings.keyed ? 0.0f : 1.0f, step = dt / FADE;
    s->time_step = player->stepped + (player->paused && !is_live ? 0.0f : dt * player->settings.speed);
    s->weight = goal > s->weight ? fminf(s->weight + step, goal) : fmaxf(s->weight - step, goal);
    if (player->jumped) reset(s);
    player->jumped = false;
    player->stepped = 0.0f;
    s->moves = s->springs && s->weight != goal;
}

// Notes whether time changes the pose of the first character. A chain at rest keeps its bits.
static void watch(view_springs *s, const sinew_affine *model) {
    const size_t size = (size_t)s->asset->skeleton->node_count * sizeof *model;
    s->moves = s->moves || (s->time_step > 0.0f && s->weight > 0.0f && memcmp(s->last, model, size) != 0);
    memcpy(s->last, model, size);
}

// The root transform of a character at the end of the frame: the scene moves it after the pose.
static sinew_affine world_of(const view_player *player, int side) {
    sinew_transform at = {player->walks[side].at, player->walks[side].facing, {1.0f, 1.0f, 1.0f}};
    if (player->warp.acts) {
        const sinew_warp_transform warped = view_warp_at(&player->warp, view_player_time(player));
        return sinew_affine_from_transform((sinew_transform){warped.position, warped.facing, {1.0f, 1.0f, 1.0f}});
    }
    const sinew_root_delta delta = sinew_mixer_root_delta(player->mixers[side]);
    at.translation = sinew_vec3_add(at.translation, sinew_quat_rotate(at.rotation, delta.translation));
    at.rotation = sinew_quat_normalize(sinew_quat_multiply(at.rotation, delta.rotation));
    return sinew_affine_from_transform(at);
}

float view_springs_eased_weight(const view_springs *s) {
    return s->weight * s->weight * (3.0f - 2.0f * s->weight);
}

// The world has the axes of the asset, as gravity has.
void view_springs_solve(view_springs *s, const view_player *player, int side, sinew_pose *pose,
                        sinew_affine *model) {
    if (!s->springs) return;
    const sinew_affine from_upright = sinew_affine_inverse(draw_upright(s->asset));
    sinew_springs_input input = sinew_springs_input_default();
    input.time_step = s->time_step;
    input.world = world_of(player, side);
    input.wind = sinew_affine_direction(from_upright, view_wind(&player->settings));
    input.weight = view_springs_eased_weight(s);
    sinew_springs_solve(s->springs, &input, s->states[side], pose, model);
    if (side == 0) watch(s, model);
}

// ---- Wind ----------------------------------------------------------------------------------------------------

sinew_vec3 view_wind(const view_settings *settings) {
    const float angle = settings->wind_from * 0.0174532925f;
    return (sinew_vec3){-settings->wind * sinf(angle), 0.0f, -settings->wind * cosf(angle)};
}

void view_player_change_wind(view_player *player, int steps) {
    const float wind = roundf(player->settings.wind) + (float)steps;
    player->settings.wind = fminf(fmaxf(wind, 0.0f), (float)VIEW_MAX_WIND);
}
