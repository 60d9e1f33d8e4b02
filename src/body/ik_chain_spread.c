// SPDX-License-Identifier: MIT
// Aims that are spread over a chain (sinew/body/ik_chain.h, sinew_ik_spread).
//
// The nodes' shares of the rotation sum to 1. If the nodes before took d, a node with share s rotates by s / (1 - d) of
// what is left. A weight w multiplies all shares.
//
// An aim works in a plane where an angle becomes the tangent of its half (body/ik_aim.c). If a limit has the tangent t
// and a node rotates by the fraction f of it, the tangent (t - f t) / (1 + f t²) is left for the nodes that follow.
#include "body/ik_chain_spread.h"
#include "body/ik_math.h"
#include "base/angle.h"
#include "base/def_cookie.h"

#include <assert.h>

static int32_t count_spread_nodes(const sinew_skeleton *skeleton, int32_t root, int32_t tip) {
    int32_t count = 1;
    for (int32_t node = tip; node != root; node = skeleton->parents[node]) count++;
    return count;
}

// The part of the limits that is left for the nodes that follow, in radians.
typedef struct spread_limits {
    float yaw, pitch_up, pitch_down;
} spread_limits;

// What is left of a limit after a node rotates by a fraction of it. No limit stays no limit.
static float limit_after(float limit, float fraction) {
    const float none = 3.14f, widest = 2.61799388f; // 150 degrees: aims treat wider limits like this
    if (!(limit < none)) return limit;
    double tangent = (double)ik_half_tangent(limit < widest ? limit : widest), part = (double)fraction * tangent;
    return (float)(2.0 * sinewi_angle(1.0 + part * tangent, tangent - part));
}

static void aim_node(const sinew_ik_spread *def, int32_t node, float fraction, spread_limits *limits,
                     sinew_pose *pose, sinew_affine *model) {
    sinew_ik_aim aim = sinew_ik_aim_from_rest(pose->skeleton, node, def->tip, def->forward);
    aim.origin = def->origin;
    aim.target = def->target;
    aim.limit = limits->yaw;
    aim.pitch_up = limits->pitch_up;
    aim.pitch_down = limits->pitch_down;
    aim.softness = def->softness;
    aim.weight = fraction;
    sinew_ik_aim_solve(&aim, pose, model);
    sinew_pose_to_model_below(pose, node, model);
    limits->yaw = limit_after(limits->yaw, fraction);
    limits->pitch_up = limit_after(limits->pitch_up, fraction);
    limits->pitch_down = limit_after(limits->pitch_down, fraction);
}

void sinewi_ik_spread_solve(const sinew_ik_spread *def, sinew_pose *pose, sinew_affine *model) {
    assert(def && pose && model);
    bool is_def = SINEWI_IS_DEF(def, "sinew_ik_spread: start from sinew_ik_spread_from_rest()");
    bool is_chain = is_def && ik_is_at_or_below(pose->skeleton, def->tip, def->root);
    assert(is_chain);
    float weight = ik_clamp01(def->weight);
    if (!(weight > 0.0f) || !is_chain || !(def->growth > 0.0f && def->growth <= FLT_MAX)) return;
    int32_t nodes[SINEW_MAX_CHAIN_NODES], count = count_spread_nodes(pose->skeleton, def->root, def->tip);
    assert(count <= SINEW_MAX_CHAIN_NODES);
    if (count > SINEW_MAX_CHAIN_NODES) return;

    float sum = 0.0f, share = 1.0f, done = 0.0f;
    for (int32_t i = count - 1, node = def->tip; i >= 0; i--, node = pose->skeleton->parents[node]) nodes[i] = node;
    for (int32_t i = 0; i < count; i++) {
        sum += share;
        share *= def->growth;
    }
    if (!ik_is_normalizable(sum)) return;
    share = weight / sum;
    spread_limits limits = {def->limit, def->pitch_up, def->pitch_down};
    for (int32_t i = 0; i < count; i++) {
        bool is_last = i == count - 1 && weight == 1.0f; // exactly 1, without the rounding of the sum
        aim_node(def, nodes[i], is_last ? 1.0f : share / (1.0f - done), &limits, pose, model);
        done += share;
        share *= def->growth;
    }
}

sinew_ik_spread sinew_ik_spread_from_rest(const sinew_skeleton *skeleton, int32_t root, int32_t tip,
                                          sinew_vec3 forward) {
    const float none = 3.15f;
    assert(skeleton);
    bool is_chain =
        ik_is_at_or_below(skeleton, tip, root) && count_spread_nodes(skeleton, root, tip) <= SINEW_MAX_CHAIN_NODES;
    if (!is_chain) return (sinew_ik_spread){.root = SINEW_NO_NODE, .tip = SINEW_NO_NODE};
    return (sinew_ik_spread){
        .root = root,
        .tip = tip,
        .forward = forward,
        .growth = 1.0f,
        .limit = none,
        .pitch_up = none,
        .pitch_down = none,
        .weight = 1.0f,
        .cookie = SINEWI_DEF_COOKIE,
    };
}
