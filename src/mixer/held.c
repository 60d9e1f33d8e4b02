// Dead blending: a pose and its velocities, made from a pose and one before it.
#include "mixer/held.h"
#include "mixer/velocity.h"

#include <assert.h>

static void set_velocity(float velocity[3][SINEW_LANES], size_t lane, sinew_vec3 v) {
    velocity[0][lane] = v.x;
    velocity[1][lane] = v.y;
    velocity[2][lane] = v.z;
}

static sinew_vec3 speed(const sinew_block *now, const sinew_block *before, int plane, int32_t lane, float rate) {
    return sinew_scaled(sinew_difference(sinew_vector_in(now, plane, lane), sinew_vector_in(before, plane, lane)),
                        rate);
}

void sinew_held_block_begin(sinew_held_block *held, const sinew_block *before, float dt, float reach) {
    assert(dt > 0.0f && reach > 0.0f);
    float rate = 1.0f / dt;
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat turn = sinew_turn_between(sinew_rotation_in(&held->pose, lane), sinew_rotation_in(before, lane));
        sinew_vec3 turning = sinew_scaled(sinew_rotation_logarithm(turn), rate);
        sinew_vec3 growing = speed(&held->pose, before, SINEW_SX, lane, rate);
        sinew_vec3 scale = sinew_vector_in(&held->pose, SINEW_SX, lane);
        set_velocity(held->translation_velocity, (size_t)lane, speed(&held->pose, before, SINEW_TX, lane, rate));
        set_velocity(held->rotation_velocity, (size_t)lane, sinew_no_longer(turning, SINEW_QUARTER_TURN / reach));
        set_velocity(held->scale_velocity, (size_t)lane, sinew_within_scale(growing, scale, 0.5f / reach));
    }
}

// Within [0, 1], or no further outside than it is.
static float weight_velocity(float now, float before, float rate, float reach) {
    float down = now > 0.0f ? now / reach : 0.0f, up = now < 1.0f ? (1.0f - now) / reach : 0.0f;
    return sinew_within((now - before) * rate, down, up);
}

void sinew_held_weight_block_begin(sinew_held_weight_block *held, const float *before, float dt, float reach) {
    assert(dt > 0.0f && reach > 0.0f);
    for (int32_t i = 0; i < SINEW_LANES; i++) {
        held->velocity[i] = weight_velocity(held->weight[i], before[i], 1.0f / dt, reach);
    }
}
