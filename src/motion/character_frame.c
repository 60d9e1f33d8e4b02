// SPDX-License-Identifier: MIT
// A character's frame, in two halves.
#include <sinew/mixer_pose.h>

#include "core/mixer_data.h"
#include "motion/character_state.h"
#include "base/float_rules.h"

#include <assert.h>
#include <math.h>

// ---- The steps -----------------------------------------------------------------------------------------------

// A step that is off starts over when it's on again.
static void run_or_reset(character_frame *frame, const sinewi_rig_step *step, float weight) {
    if (weight > 0.0f) {
        sinewi_character_run_step(frame, step, weight);
    } else if (step->step->kind != SINEW_RIG_ROOT_WARP) {
        sinewi_rig_reset_state(step, character_step_state(frame->character, step));
    }
}

static sinew_vec3 velocity_in_model(const sinew_character *character) {
    if (!character->place.is_known || !(character->dt > 0.0f)) return (sinew_vec3){0.0f, 0.0f, 0.0f};
    const sinew_transform at = sinewi_character_on_platform(character, character->place.world);
    const sinew_vec3 moved = sinew_vec3_subtract(at.translation, character->place.before);
    const sinew_vec3 velocity = sinew_vec3_scale(moved, 1.0f / (character->dt * at.scale.x));
    return sinew_quat_rotate(sinew_quat_conjugate(at.rotation), velocity);
}

static void run_steps(sinew_character *character) {
    const sinewi_rig_step *steps = character_steps(character);
    const sinewi_rig_weight *weights = character_weights(character);
    const int32_t count = character_step_count(character);
    character_frame frame = {.character = character, .dt = character->dt};
    frame.world = sinew_affine_from_transform(character->place.world);
    frame.to_model = sinew_affine_inverse(frame.world);
    frame.last_to_model = sinew_affine_inverse(sinew_affine_from_transform(character->place.shown));
    frame.velocity = velocity_in_model(character);
    frame.pose = sinew_mixer_edit_pose(character->mixer);
    frame.model = sinew_mixer_edit_model(character->mixer);
    int32_t i = 0;
    for (; i < count && steps[i].step->kind != SINEW_RIG_SPRINGS; i++)
        run_or_reset(&frame, &steps[i], weights[i].value);
    sinew_mixer_finish_pose(character->mixer);
    for (; i < count; i++) run_or_reset(&frame, &steps[i], weights[i].value);
}

// The pose is still the last update's, with all of its steps.
static void keep_last_pose(sinew_character *character) {
    if (!character->last_pose) return;
    sinew_pose_copy(character->last_pose, sinew_mixer_pose(character->mixer));
    character->last_world = character->place.shown;
}

// ---- The halves ----------------------------------------------------------------------------------------------

static void tell_recorder(sinew_character *character, character_moment moment) {
    if (character->recorder) character->recorder->tell(character, moment);
}

static void begin(sinew_character *character, float dt) {
    assert(character && dt >= 0.0f && isfinite(dt));
    assert(!character->has_begun && "sinew_character_begin twice: call sinew_character_end first");
    if (!(dt >= 0.0f) || !isfinite(dt) || character->has_begun || character->in_step) return;
    character->dt = dt;
    tell_recorder(character, CHARACTER_BEGINS);
    character->has_begun = true;
    character->has_set_pose = sinewi_mixer_has_set_pose(character->mixer);
    sinewi_character_advance(character, dt);
    tell_recorder(character, CHARACTER_ADVANCED);
}

static void end(sinew_character *character) {
    const bool on_set_pose =
        character->has_set_pose && !sinewi_mixer_base_is_visible(character->mixer, NULL); // or clips play over it
    keep_last_pose(character);
    sinew_mixer_evaluate(character->mixer);
    sinewi_character_follow_weights(character, character->def.rig->data->root_warp_count,
                                    character_step_count(character), on_set_pose);
    character->place.has_weights = true;
    run_steps(character);
    character->place.before = sinewi_character_on_platform(character, character->place.world).translation;
    character->place.is_known = true;
    character->place.shown = character->place.world;
    character->has_begun = false;
    character->ground_count = 0;
    tell_recorder(character, CHARACTER_ENDED);
}

void sinew_character_begin(sinew_character *character, float dt) {
    begin(character, dt);
    if (character->has_begun) tell_recorder(character, CHARACTER_OPEN);
}

void sinew_character_end(sinew_character *character) {
    assert(character);
    assert(character->has_begun && "sinew_character_end without sinew_character_begin");
    if (!character->has_begun) return;
    tell_recorder(character, CHARACTER_CLOSES);
    end(character);
}

void sinew_character_update(sinew_character *character, float dt) {
    begin(character, dt);
    if (character->has_begun) end(character);
}
