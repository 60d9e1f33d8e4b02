// SPDX-License-Identifier: MIT
// Springs: their state, their fade, and how far they advance.
#include "view/springs.h"

#include "render/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float FADE = 0.25f; // seconds to fade between keyed and sprung

bool view_springs_create(view_springs *s, const sinew_asset *asset, const view_settings *settings) {
    *s = (view_springs){.asset = asset, .weight = settings->keyed ? 0.0f : 1.0f};
    if (!asset->vrm || asset->vrm->spring_count == 0) return true;
    if (sinew_springs_create_from_vrm(asset->vrm, NULL, &s->springs) != SINEW_OK) return false;
    s->last = calloc((size_t)asset->skeleton->node_count + 1, sizeof *s->last);
    s->state = malloc(sinew_springs_state_size(s->springs));
    if (!s->last || !s->state) return false;
    sinew_springs_reset(s->springs, s->state);
    return true;
}

void view_springs_free(view_springs *s) {
    sinew_springs_destroy(s->springs);
    free(s->state);
    free(s->last);
    *s = (view_springs){0};
}

// ---- A frame -------------------------------------------------------------------------------------------------

void view_springs_begin(view_springs *s, view_player *player, float dt) {
    const float goal = player->settings.keyed ? 0.0f : 1.0f, step = dt / FADE;
    s->dt = player->stepped + (player->paused ? 0.0f : dt * player->settings.speed);
    s->weight = goal > s->weight ? fminf(s->weight + step, goal) : fmaxf(s->weight - step, goal);
    if (player->jumped && s->springs) sinew_springs_reset(s->springs, s->state);
    player->jumped = false;
    player->stepped = 0.0f;
    s->moves = s->springs && s->weight != goal;
}

// Finds whether the pose changes over time. The matrices of a chain at rest keep the same bits.
static void watch(view_springs *s, const sinew_affine *model) {
    const size_t size = (size_t)s->asset->skeleton->node_count * sizeof *model;
    s->moves = s->moves || (s->dt > 0.0f && s->weight > 0.0f && memcmp(s->last, model, size) != 0);
    memcpy(s->last, model, size);
}

float view_springs_eased_weight(const view_springs *s) {
    return s->weight * s->weight * (3.0f - 2.0f * s->weight);
}

// Simulates the springs. The world has the asset's axes, like gravity.
void view_springs_solve(view_springs *s, const view_settings *settings, sinew_pose *pose, sinew_affine *model) {
    if (!s->springs) return;
    const sinew_affine from_upright = sinew_affine_inverse(draw_upright(s->asset));
    sinew_springs_input input = sinew_springs_input_default();
    input.wind = sinew_affine_direction(from_upright, view_wind(settings));
    input.weight = view_springs_eased_weight(s);
    sinew_springs_solve(s->springs, &input, s->dt, s->state, pose, model);
    watch(s, model);
}

// ---- Wind ----------------------------------------------------------------------------------------------------

sinew_vec3 view_wind(const view_settings *settings) {
    return (sinew_vec3){0.0f, 0.0f, -settings->wind};
}

void view_player_change_wind(view_player *player, int steps) {
    player->settings.wind = fminf(fmaxf(player->settings.wind + (float)steps, 0.0f), (float)VIEW_MAX_WIND);
}
