// Dead blending: a pose and its velocities, made from two poses.
#include "anim/held.h"
#include "anim/velocity.h"

#include <assert.h>
#include <string.h>

void sinew_held_lay_out(sinew_layout *layout, const sinew_skeleton *skeleton, sinew_held *held) {
    size_t blocks = sinew_block_count(skeleton->node_count), weights = sinew_block_count(skeleton->weight_count);
    held->nodes = sinew_layout_array(layout, sinew_held_block, blocks, SINEW_ALIGNMENT);
    held->weights = sinew_layout_array(layout, sinew_held_weight_block, weights, SINEW_ALIGNMENT);
}

// The pose alone: the velocities are 0.
static void hold(const sinew_held *held, const sinew_pose *pose) {
    size_t blocks = sinew_block_count(pose->skeleton->node_count);
    size_t weights = sinew_block_count(pose->skeleton->weight_count);
    sinew_planes planes = sinew_pose_planes(pose);
    memset(held->nodes, 0, blocks * sizeof *held->nodes);
    memset(held->weights, 0, weights * sizeof *held->weights);
    for (size_t b = 0; b < blocks; b++) {
        for (int p = 0; p < SINEW_PLANES; p++) {
            float *lanes = held->nodes[b].pose.lane[p];
            memcpy(lanes, planes.plane[p] + b * SINEW_LANES, sizeof held->nodes[b].pose.lane[p]);
        }
    }
    for (size_t b = 0; b < weights; b++) {
        memcpy(held->weights[b].weight, pose->weights + b * SINEW_LANES, sizeof held->weights[b].weight);
    }
}

static void set_velocity(float velocity[3][SINEW_LANES], size_t lane, sinew_vec3 v) {
    velocity[0][lane] = v.x;
    velocity[1][lane] = v.y;
    velocity[2][lane] = v.z;
}

// `rate` is one over the time from `before` to `now`; `reach` what a velocity of 1 comes to in the end.
static void set_node(sinew_held_block *block, size_t lane, sinew_transform now, sinew_transform before, float rate,
                     float reach) {
    sinew_vec3 moving = sinew_scaled(sinew_difference(now.translation, before.translation), rate);
    sinew_vec3 turn = sinew_rotation_logarithm(sinew_turn_between(now.rotation, before.rotation));
    sinew_vec3 turning = sinew_no_longer(sinew_scaled(turn, rate), SINEW_QUARTER_TURN / reach);
    sinew_vec3 growing = sinew_scaled(sinew_difference(now.scale, before.scale), rate);
    set_velocity(block->translation_velocity, lane, moving);
    set_velocity(block->rotation_velocity, lane, turning);
    set_velocity(block->scale_velocity, lane, sinew_within_scale(growing, now.scale, 0.5f / reach));
}

// Within [0, 1], or no further outside than it is.
static float weight_velocity(float now, float before, float rate, float reach) {
    float down = now > 0.0f ? now / reach : 0.0f, up = now < 1.0f ? (1.0f - now) / reach : 0.0f;
    return sinew_within((now - before) * rate, down, up);
}

void sinew_held_begin(const sinew_held *held, const sinew_pose *now, const sinew_pose *before, float dt_before,
                      float duration) {
    assert((!before || dt_before > 0.0f) && duration > 0.0f);
    hold(held, now);
    if (!before) return;
    float rate = 1.0f / dt_before, reach = sinew_held_tau(duration, duration);
    for (int32_t i = 0; i < now->skeleton->node_count; i++) {
        set_node(&held->nodes[i / SINEW_LANES], (size_t)i % SINEW_LANES, sinew_pose_get(now, i),
                 sinew_pose_get(before, i), rate, reach);
    }
    for (int32_t i = 0; i < now->skeleton->weight_count; i++) {
        held->weights[i / SINEW_LANES].velocity[i % SINEW_LANES] =
            weight_velocity(now->weights[i], before->weights[i], rate, reach);
    }
}
