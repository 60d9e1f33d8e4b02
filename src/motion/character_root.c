// SPDX-License-Identifier: MIT
// How the root moves a character: the mixer's motion, and root warps while their clips play.
#include <sinew/mixer_pose.h>

#include "motion/character_state.h"
#include "base/float_rules.h"

#include <math.h>

// ---- Goals ---------------------------------------------------------------------------------------------------

// Where the character is, in the warp's units: divided by the scale.
static sinew_root_warp_transform unscaled(sinew_transform world, float scale) {
    return (sinew_root_warp_transform){sinew_vec3_scale(world.translation, 1.0f / scale), world.rotation};
}

static sinew_root_warp_transform goal_of(const sinew_character *character, const sinewi_rig_step *step) {
    const sinew_rig_goal *goal = step->goal.goal;
    const sinew_transform world = character->place.world;
    sinew_transform at = sinew_animator_transform(character->animator, goal->parameter);
    if (character->def.rig->binding->graph->parameters[goal->parameter].space == SINEW_PARAMETER_SPACE_MODEL) {
        const sinew_vec3 scaled = sinew_vec3_scale(at.translation, world.scale.x);
        at.translation = sinew_vec3_add(world.translation, sinew_quat_rotate(world.rotation, scaled));
        at.rotation = sinew_quat_multiply(world.rotation, at.rotation);
    }
    at.translation = sinew_vec3_add(at.translation, sinew_quat_rotate(at.rotation, goal->offset));
    at.rotation = sinew_quat_multiply(at.rotation, goal->rotation);
    return unscaled(at, world.scale.x);
}

static bool is_same(const sinew_root_warp_transform *a, const sinew_root_warp_transform *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y && a->position.z == b->position.z &&
           a->facing.x == b->facing.x && a->facing.y == b->facing.y && a->facing.z == b->facing.z &&
           a->facing.w == b->facing.w;
}

// Whether the character isn't where its warp expects it, because it was pushed or another clip had a share.
static bool has_strayed(const sinew_root_warp_transform *here, const sinew_root_warp_transform *expected) {
    const sinew_vec3 d = sinew_vec3_subtract(here->position, expected->position);
    const sinew_quat a = here->facing, b = expected->facing;
    const float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return !(sinew_vec3_dot(d, d) < 1e-8f && fabsf(dot) > 1.0f - 1e-7f);
}

// ---- Warps ---------------------------------------------------------------------------------------------------

// A clip that plays in the base, before the mixer's step.
typedef struct played_clip {
    sinew_action action;
    float time;  // before the step
    float share; // of the base, from 0 to 1
} played_clip;

// The action of the base that plays a clip with the largest weight.
static played_clip find_played(const sinew_mixer *mixer, const sinew_clip *clip) {
    sinew_action actions[SINEW_MAX_ACTIONS];
    const int32_t count = sinew_mixer_actions(mixer, actions, SINEW_MAX_ACTIONS);
    played_clip played = {{0}, 0.0f, 0.0f};
    float total = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        const sinew_action_state state = sinew_action_get(mixer, actions[i]);
        if (state.layer != 0) continue;
        total += state.weight;
        if (state.source.clip == clip && (played.action.id == 0 || state.weight > played.share))
            played = (played_clip){actions[i], state.time, state.weight};
    }
    played.share = total > 0.0f ? played.share / total : 1.0f;
    return played;
}

// Begins a warp, or leads a running one to its goal. Returns false if it doesn't apply.
static bool lead_warp(const sinew_root_warp_def *def, sinewi_rig_warp_state *state, float time,
                      sinew_root_warp_transform here, sinew_root_warp_transform goal) {
    if (!state->runs || state->time != time) {
        state->goal = goal;
        return sinew_root_warp_begin(def, time, here, goal, &state->warp, NULL) == SINEW_OK;
    }
    const sinew_root_warp_transform expected = sinew_root_warp_at(def, &state->warp, time);
    if (is_same(&goal, &state->goal) && !has_strayed(&here, &expected)) return true;
    state->goal = goal;
    sinew_root_warp_set_goal(def, &state->warp, time, &here, goal);
    return true;
}

// Replaces a share of the motion by a warp's, if its clip plays.
static sinew_root_delta warp_delta(sinew_character *character, const sinewi_rig_step *step, float weight,
                                   const played_clip *played, sinew_root_delta delta) {
    sinewi_rig_warp_state *state = (sinewi_rig_warp_state *)character_step_state(character, step);
    sinew_root_warp_def def = step->root_warp;
    def.root_motion = &character->root_motion;
    const sinew_root_warp_transform here = unscaled(character->place.world, character->place.world.scale.x);
    const bool applies = weight > 0.0f && played->action.id != 0 && played->time < def.end;
    state->runs = applies && lead_warp(&def, state, played->time, here, goal_of(character, step));
    if (!state->runs) return delta;
    float now = sinew_action_time(character->mixer, played->action);
    state->time = now;
    if (now < played->time) now += def.clip->duration; // it has looped
    const sinew_root_delta warped = sinew_root_warp_delta(&def, &state->warp, played->time, now);
    return sinew_root_delta_blend(delta, warped, weight * played->share);
}

void sinewi_character_advance(sinew_character *character, float dt) {
    const sinewi_rig_step *steps = character_steps(character);
    played_clip played[SINEW_MAX_RIG_STEPS];
    const sinewi_rig_weight *weights = character_weights(character);
    const int32_t count = character->def.rig->data->root_warp_count;
    sinew_animator_advance(character->animator, dt);
    if (count > 0) sinewi_character_follow_weights(character, 0, count, false);
    for (int32_t i = 0; character->has_root_motion && i < count; i++)
        played[i] = find_played(character->mixer, steps[i].root_warp.clip);
    sinew_mixer_advance(character->mixer, dt);
    if (!character->has_root_motion) return;
    sinew_root_delta delta = sinew_mixer_root_delta(character->mixer);
    for (int32_t i = 0; i < count; i++)
        delta = warp_delta(character, &steps[i], weights[i].value, &played[i], delta);
    sinew_transform *world = &character->place.world;
    const sinew_vec3 moved = sinew_vec3_scale(delta.translation, world->scale.x);
    world->translation = sinew_vec3_add(world->translation, sinew_quat_rotate(world->rotation, moved));
    world->rotation = sinew_quat_normalize(sinew_quat_multiply(world->rotation, delta.rotation));
}
