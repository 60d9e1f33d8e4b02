// SPDX-License-Identifier: MIT
// Soles of a target whose shoes are known: where its reference stands, and the points that stay above the ground.
//
// Joints don't tell how long and thick a shoe is. If the sole's points are known, the reference is raised until the
// lowest point is on the ground. A foot is raised while one of its points would be below the ground.
#include "base/fail.h"
#include "humanoid/retarget_data.h"

#include <math.h>

// ---- Checking ------------------------------------------------------------------------------------------------

static sinew_result check_foot(const sinew_skeleton *skeleton, const sinew_foot *foot, sinew_error *error) {
    if (foot->node < 0 || foot->node >= skeleton->node_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "target_soles: node %d, but the skeleton has %d nodes",
                           (int)foot->node, (int)skeleton->node_count);
    }
    if (foot->point_count < 0 || foot->point_count > SINEW_MAX_FOOT_POINTS) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "target_soles: node %d (%s) has %d points; there must be at most %d", (int)foot->node,
                           skeleton->names[foot->node], (int)foot->point_count, SINEW_MAX_FOOT_POINTS);
    }
    for (int32_t i = 0; i < foot->point_count; i++) {
        const sinew_foot_point *p = &foot->points[i];
        const bool is_of_foot = p->node == foot->node || rt_is_below(skeleton, p->node, foot->node);
        if (is_of_foot && isfinite(p->point.x) && isfinite(p->point.y) && isfinite(p->point.z)) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "target_soles: point %d of node %d (%s) is not finite, or moves with a node that is not "
                           "below it",
                           (int)i, (int)foot->node, skeleton->names[foot->node]);
    }
    return SINEW_OK;
}

sinew_result sinewi_retarget_check_soles(const sinew_retarget_def *def, sinew_error *error) {
    const sinew_feet *soles = def->target_soles;
    if (!soles) return SINEW_OK;
    if (soles->skeleton != def->target) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "target_soles belongs to a different skeleton");
    }
    if (soles->foot_count < 0 || soles->foot_count > SINEW_MAX_FEET) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "target_soles: %d feet; there must be at most %d",
                           (int)soles->foot_count, SINEW_MAX_FEET);
    }
    sinew_result result = SINEW_OK;
    for (int32_t i = 0; i < soles->foot_count && result == SINEW_OK; i++)
        result = check_foot(def->target, &soles->feet[i], error);
    return result;
}

// ---- The ground ----------------------------------------------------------------------------------------------

static const int32_t foot_roles[] = {SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_LEFT_TOES, SINEW_HUMANOID_RIGHT_FOOT,
                                     SINEW_HUMANOID_RIGHT_TOES};

// Height of the ground below feet whose lowest point is at `lowest`. It's 0, unless they are far from there.
static double ground_below(double lowest, double leg) {
    return fabs(lowest) < 0.2 * leg ? 0.0 : lowest;
}

double sinewi_retarget_ground_height(const sinew_humanoid *humanoid, const rt_similarity *reference, rt_vec up) {
    double lowest = (double)INFINITY;
    for (int i = 0; i < 4; i++) {
        const int32_t node = humanoid->nodes[foot_roles[i]];
        if (node == SINEW_NO_NODE) continue;
        const double height = rt_dot(reference[node].position, up);
        if (height < lowest) lowest = height;
    }
    return ground_below(lowest, 0.5 * sinewi_retarget_leg_length(humanoid, reference));
}

const sinew_foot *sinewi_retarget_sole(const rt_builder *b, int32_t node) {
    const sinew_feet *soles = b->def->target_soles;
    for (int32_t i = 0; soles && i < soles->foot_count; i++)
        if (soles->feet[i].node == node && soles->feet[i].point_count > 0) return &soles->feet[i];
    return NULL;
}

rt_vec sinewi_retarget_sole_point(const rt_builder *b, const sinew_foot_point *point) {
    return rt_point(&b->target_reference[point->node],
                    rt_make_vec((double)point->point.x, (double)point->point.y, (double)point->point.z));
}

// Height of both soles' lowest point in the reference. Infinite without points.
static double lowest_sole(const rt_builder *b) {
    const rt_vec up = rt_up(b->def->target_up);
    double lowest = (double)INFINITY;
    for (int i = 0; b->def->target_humanoid && i < 4; i++) {
        const sinew_foot *foot = sinewi_retarget_sole(b, b->def->target_humanoid->nodes[foot_roles[i]]);
        for (int32_t k = 0; foot && k < foot->point_count; k++) {
            const double height = rt_dot(sinewi_retarget_sole_point(b, &foot->points[k]), up);
            if (height < lowest) lowest = height;
        }
    }
    return lowest;
}

double sinewi_retarget_sole_raise(const rt_builder *b) {
    const double lowest = lowest_sole(b);
    if (!isfinite(lowest)) return 0.0;
    const double leg = 0.5 * sinewi_retarget_leg_length(b->def->target_humanoid, b->target_reference);
    return ground_below(lowest, leg) - lowest;
}

double sinewi_retarget_sole_height(const rt_builder *b) {
    const double lowest = lowest_sole(b);
    if (isfinite(lowest)) return lowest;
    return sinewi_retarget_ground_height(b->def->target_humanoid, b->target_reference, rt_up(b->def->target_up));
}

// ---- Points --------------------------------------------------------------------------------------------------

rt_vec sinewi_retarget_sole_ball(const rt_builder *b, int32_t target, const sinew_foot *sole, rt_vec forward) {
    const rt_vec ankle = b->target_reference[target].position, up = rt_up(b->def->target_up);
    const rt_vec ahead = rt_reject(forward, up);
    const double length = rt_length(ahead);
    if (!(length > 0.0)) return ankle;
    double farthest = 0.0;
    for (int32_t i = 0; i < sole->point_count; i++) {
        const rt_vec offset = rt_subtract(sinewi_retarget_sole_point(b, &sole->points[i]), ankle);
        const double distance = rt_dot(offset, ahead) / length;
        if (distance > farthest) farthest = distance;
    }
    const double ball = 0.75; // for a human foot, as a part of its length, ahead of the ankle
    const rt_vec offset = rt_rotate(b->links[target].aligned, rt_scale(ahead, ball * farthest / length));
    return rt_add(sinewi_retarget_aligned_position(b, target), offset);
}

void sinewi_retarget_set_sole(const sinew_foot *sole, rt_limb *limb) {
    limb->sole_count = 0;
    for (int32_t i = 0; sole && i < sole->point_count; i++) limb->sole[limb->sole_count++] = sole->points[i];
}
