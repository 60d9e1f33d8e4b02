// SPDX-License-Identifier: MIT
// Simulates a crowd's springs.
#include "view/crowd_springs.h"

#include "render/camera.h"

#include <stdlib.h>

static sinew_spring_state *state_of(const view_crowd_springs *own, int32_t character) {
    return (sinew_spring_state *)(void *)(own->states + own->stride * (size_t)character);
}

static void reset(view_crowd_springs *own, const draw_crowd *crowd, const view_springs *springs) {
    for (int32_t i = 0; i < crowd->def.count; i++) sinew_springs_reset(springs->springs, state_of(own, i));
    own->is_at_rest = true;
}

bool view_crowd_springs_create(view_crowd_springs *own, const draw_crowd *crowd, const view_springs *springs) {
    *own = (view_crowd_springs){.states = NULL};
    if (!crowd->items || !springs->springs) return true;
    const size_t align = sizeof(float); // a state's alignment
    own->stride = (sinew_springs_state_size(springs->springs) + align - 1) / align * align;
    own->states = malloc(own->stride * (size_t)crowd->def.count);
    own->model = calloc((size_t)springs->asset->skeleton->node_count + 1, sizeof *own->model);
    if (!own->states || !own->model) return false;
    reset(own, crowd, springs);
    return true;
}

void view_crowd_springs_free(view_crowd_springs *own) {
    free(own->states);
    free(own->model);
    *own = (view_crowd_springs){.states = NULL};
}

// Solves one character's springs. The mixer evaluates the pose again in its next update. Until the upload, its matrices
// are read instead of the palette.
static void solve_one(view_crowd_springs *own, const draw_crowd *crowd, int32_t index, const sinew_springs *springs,
                      const sinew_springs_input *input, float dt) {
    const sinew_batch_item *item = &crowd->items[index];
    sinew_pose *pose = sinew_mixer_edit_pose(item->mixer);
    sinew_pose_to_model(pose, own->model);
    sinew_springs_solve(springs, input, dt, state_of(own, index), pose, own->model);
    if (item->palette) sinew_skin_palette(crowd->skin, own->model, item->palette);
    if (!item->palette_only) sinew_mixer_to_model(item->mixer);
}

void view_crowd_springs_solve(view_crowd_springs *own, draw_crowd *crowd, const view_springs *springs,
                              const view_settings *settings, float dt) {
    if (!own->states) return;
    const float weight = view_springs_eased_weight(springs);
    if (!(weight > 0.0f)) {
        if (!own->is_at_rest) reset(own, crowd, springs);
        return;
    }
    own->is_at_rest = false;
    const sinew_affine from_upright = sinew_affine_inverse(draw_upright(springs->asset));
    sinew_springs_input input = sinew_springs_input_default();
    input.weight = weight;
    input.wind = sinew_affine_direction(from_upright, view_wind(settings));
    for (int32_t i = 0; i < crowd->def.count; i++) {
        input.world = sinew_affine_multiply(from_upright, crowd->characters[i].transform);
        solve_one(own, crowd, i, springs->springs, &input, dt);
    }
}
