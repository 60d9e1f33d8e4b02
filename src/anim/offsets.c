// Inertialization: offsets made from four poses.
#include "anim/offsets.h"
#include "anim/velocity.h"

#include <assert.h>
#include <string.h>

// What a velocity of 1 adds to an offset of a second in the end: see kernels/transition.h.
#define MOST_ON_THE_WAY (256.0f / 3125.0f)

void sinew_offsets_lay_out(sinew_layout *layout, const sinew_skeleton *skeleton, sinew_offsets *offsets) {
    size_t blocks = sinew_block_count(skeleton->node_count), weights = sinew_block_count(skeleton->weight_count);
    offsets->nodes = sinew_layout_array(layout, sinew_offset_block, blocks, SINEW_ALIGNMENT);
    offsets->weights = sinew_layout_array(layout, sinew_weight_offset_block, weights, SINEW_ALIGNMENT);
}

// How two poses differ in a node.
typedef struct difference {
    sinew_vec3 translation, scale;
    sinew_quat turn; // w >= 0
} difference;

static difference between(const sinew_pose *a, const sinew_pose *b, int32_t node) {
    sinew_transform s = sinew_pose_get(a, node), t = sinew_pose_get(b, node);
    return (difference){sinew_difference(s.translation, t.translation), sinew_difference(s.scale, t.scale),
                        sinew_turn_between(s.rotation, t.rotation)};
}

// The rotation vector of the turn before the one that is now. From just under half a turn to just over it the shorter
// way changes sides, and the vector its direction: a longer vector of the same rotation is the one that led here.
static sinew_vec3 vector_before(sinew_quat now, sinew_quat before) {
    sinew_vec3 r = sinew_rotation_logarithm(before);
    if (now.x * before.x + now.y * before.y + now.z * before.z + now.w * before.w >= 0.0f) return r;
    float length = sqrtf(sinew_dot(r, r));
    return length > 0.0f ? sinew_scaled(r, 1.0f - 4.0f * SINEW_QUARTER_TURN / length) : r;
}

// See kernels/transition.h.
static float own_duration(sinew_vec3 start, sinew_vec3 velocity, float duration) {
    float square = sinew_dot(start, start), closing = -sinew_dot(start, velocity);
    if (square == 0.0f && sinew_dot(velocity, velocity) == 0.0f) return 0.0f;
    return closing * duration > 5.0f * square ? 5.0f * square / closing : duration;
}

static void set_decay(sinew_decay *decay, size_t lane, sinew_vec3 start, sinew_vec3 velocity, float duration) {
    float d = own_duration(start, velocity, duration);
    decay->start[0][lane] = start.x;
    decay->start[1][lane] = start.y;
    decay->start[2][lane] = start.z;
    decay->slope[0][lane] = velocity.x * d + 4.0f * start.x;
    decay->slope[1][lane] = velocity.y * d + 4.0f * start.y;
    decay->slope[2][lane] = velocity.z * d + 4.0f * start.z;
    decay->duration[lane] = d;
}

// `rate` is one over the time from `before` to `now`.
static void begin_node(sinew_offset_block *block, size_t lane, difference now, difference before, float rate,
                       sinew_vec3 scale, float duration) {
    float reach = MOST_ON_THE_WAY * duration;
    sinew_vec3 turn = sinew_rotation_logarithm(now.turn);
    sinew_vec3 moving = sinew_scaled(sinew_difference(now.translation, before.translation), rate);
    sinew_vec3 turning = sinew_scaled(sinew_difference(turn, vector_before(now.turn, before.turn)), rate);
    sinew_vec3 growing = sinew_scaled(sinew_difference(now.scale, before.scale), rate);
    set_decay(&block->decays[SINEW_PATH_TRANSLATION], lane, now.translation, moving, duration);
    set_decay(&block->decays[SINEW_PATH_ROTATION], lane, turn, sinew_no_longer(turning, SINEW_QUARTER_TURN / reach),
              duration);
    set_decay(&block->decays[SINEW_PATH_SCALE], lane, now.scale, sinew_within_scale(growing, scale, 0.5f / reach),
              duration);
}

static void begin_weight(sinew_weight_offset_block *block, size_t lane, float now, float before, float rate,
                         float duration) {
    float most = 0.5f / (MOST_ON_THE_WAY * duration), velocity = sinew_within((now - before) * rate, most, most);
    float d = own_duration((sinew_vec3){now, 0, 0}, (sinew_vec3){velocity, 0, 0}, duration);
    block->start[lane] = now;
    block->slope[lane] = velocity * d + 4.0f * now;
    block->duration[lane] = d;
}

void sinew_offsets_begin(const sinew_offsets *offsets, const sinew_pose *source, const sinew_pose *source_before,
                         const sinew_pose *target, const sinew_pose *target_before, float dt_before,
                         float duration) {
    assert(!source_before == !target_before && (!source_before || dt_before > 0.0f) && duration > 0.0f);
    const sinew_skeleton *skeleton = source->skeleton;
    float rate = source_before ? 1.0f / dt_before : 0.0f;
    if (!source_before) source_before = source, target_before = target;

    memset(offsets->nodes, 0, sinew_block_count(skeleton->node_count) * sizeof *offsets->nodes);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        difference now = between(source, target, i), before = between(source_before, target_before, i);
        begin_node(&offsets->nodes[i / SINEW_LANES], (size_t)i % SINEW_LANES, now, before, rate,
                   sinew_pose_get(source, i).scale, duration);
    }

    memset(offsets->weights, 0, sinew_block_count(skeleton->weight_count) * sizeof *offsets->weights);
    for (int32_t i = 0; i < skeleton->weight_count; i++) {
        float now = source->weights[i] - target->weights[i];
        float before = source_before->weights[i] - target_before->weights[i];
        begin_weight(&offsets->weights[i / SINEW_LANES], (size_t)i % SINEW_LANES, now, before, rate, duration);
    }
}
