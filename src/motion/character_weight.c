// SPDX-License-Identifier: MIT
// How much a character's steps apply: conditions, parameters and curves, smoothed.
#include "motion/animator_state.h"
#include "motion/character_state.h"
#include "base/critical_spring.h"
#include "base/float_rules.h"

static void follow_weight(sinewi_rig_weight *weight, float target, float damping, float dt) {
    if (!(damping > 0.0f)) {
        *weight = (sinewi_rig_weight){target, 0.0f};
        return;
    }
    if (weight->value == target && weight->velocity == 0.0f) return;
    sinewi_critical_spring spring = {
        .pull = SINEWI_CRITICAL_SPRING_HALF_WAY / (double)damping, .dt = (double)dt, .near = 0x1p-10};
    spring.decay = sinewi_decay(spring.pull * spring.dt);
    double value = (double)weight->value, velocity = (double)weight->velocity;
    sinewi_critical_spring_follow(&spring, (double)target, &value, &velocity);
    value = value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0; // a state from elsewhere may have any velocity
    *weight = (sinewi_rig_weight){(float)value, (float)velocity};
}

static bool is_significant(const sinew_character *character, int32_t step) {
    return character->place.significance >= character_steps(character)[step].step->significance;
}

static bool any_is_significant(const sinew_character *character, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++)
        if (is_significant(character, i)) return true;
    return false;
}

// In the first update there's nothing to follow from. A pose that the program has set is shown as it is, so steps that go
// off don't fade out on it.
void sinewi_character_follow_weights(sinew_character *character, int32_t first, int32_t end, bool on_set_pose) {
    float targets[SINEW_MAX_RIG_STEPS];
    if (any_is_significant(character, first, end))
        sinewi_animator_weigh_steps(character->animator, first, end, targets);
    sinewi_rig_weight *weights = character_weights(character);
    for (int32_t i = first; i < end; i++) {
        const sinew_rig_step *step = character_steps(character)[i].step;
        const float damping = character->place.has_weights ? step->damping : 0.0f;
        if (!is_significant(character, i)) targets[i] = 0.0f;
        if (on_set_pose && targets[i] < weights[i].value) weights[i] = (sinewi_rig_weight){targets[i], 0.0f};
        follow_weight(&weights[i], targets[i], damping, character->dt);
    }
}
