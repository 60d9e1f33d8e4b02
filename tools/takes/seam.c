// SPDX-License-Identifier: MIT
// Measures the difference between two poses in a take, ignoring where the character is on the ground and which way it
// faces.
#include "takes/takes.h"

#include "takes/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOP_DEGREES 15.0f // captured walks are within this
#define LOOP_PART    0.15f // fraction of the character's size

sinew_vec3 takes_turned(sinew_vec3 v, double yaw) {
    const float c = (float)cos(yaw), s = (float)sin(yaw);
    return (sinew_vec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

// Returns the twist about +Y between two matrices, from their columns projected on the plane of x and z.
double takes_yaw_between(const sinew_affine *from, const sinew_affine *to) {
    double cosine = 0.0, sine = 0.0;
    for (int k = 0; k < 3; k++) {
        cosine += (double)from->m[2][k] * (double)to->m[2][k] + (double)from->m[0][k] * (double)to->m[0][k];
        sine += (double)from->m[2][k] * (double)to->m[0][k] - (double)from->m[0][k] * (double)to->m[2][k];
    }
    return atan2(sine, cosine);
}

static double degrees_between(sinew_quat a, sinew_quat b) {
    const double dot = (double)sinew_quat_multiply(sinew_quat_conjugate(a), b).w;
    const sinew_quat q = sinew_quat_multiply(sinew_quat_conjugate(a), b);
    const double sine = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z);
    return 57.29577951308232 * 2.0 * atan2(sine, fabs(dot));
}

static sinew_vec3 position_of(const sinew_affine *m) {
    return (sinew_vec3){m->m[0][3], m->m[1][3], m->m[2][3]};
}

static sinew_vec3 level_of(const sinew_affine *m) {
    return (sinew_vec3){m->m[0][3], 0, m->m[2][3]};
}

// Returns the hips' rotation without the turn.
static double tilt_between(const sinew_affine *from, const sinew_affine *to, double yaw) {
    const sinew_quat a = sinew_affine_decompose(*from).rotation, b = sinew_affine_decompose(*to).rotation;
    const sinew_quat back = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)-yaw);
    return degrees_between(a, sinew_quat_multiply(back, b));
}

takes_seam takes_seam_between(const takes_body *body, const takes_pose *from, const takes_pose *to) {
    const int32_t hips = body->hips, end = body->skeleton->subtree_ends[hips];
    const sinew_affine *a = &from->model[hips], *b = &to->model[hips];
    const double yaw = takes_yaw_between(a, b);
    takes_seam seam = {.turned_node = hips, .moved_node = hips, .turn = (float)yaw};
    seam.travel = sinew_vec3_subtract(level_of(b), level_of(a));
    seam.degrees = (float)tilt_between(a, b, yaw);
    for (int32_t n = hips; n < end; n++) {
        const sinew_vec3 there = takes_turned(sinew_vec3_subtract(position_of(&to->model[n]), level_of(b)), -yaw);
        const sinew_vec3 here = sinew_vec3_subtract(position_of(&from->model[n]), level_of(a));
        const float moved = sinew_vec3_length(sinew_vec3_subtract(there, here));
        const float turned =
            n == hips ? 0.0f : (float)degrees_between(from->local[n].rotation, to->local[n].rotation);
        if (moved > seam.metres) seam.metres = moved, seam.moved_node = n;
        if (turned > seam.degrees) seam.degrees = turned, seam.turned_node = n;
    }
    return seam;
}

// Returns the largest distance between a node and the hips.
static float size_of(const takes_body *body, const sinew_affine *model) {
    float size = 0.0f;
    for (int32_t n = body->hips; n < body->skeleton->subtree_ends[body->hips]; n++) {
        const sinew_vec3 arm = sinew_vec3_subtract(position_of(&model[n]), position_of(&model[body->hips]));
        size = fmaxf(size, sinew_vec3_length(arm));
    }
    return size;
}

sinew_result takes_is_loop(take *t, const takes_body *body, bool *is_loop, takes_seam *seam, sinew_error *error) {
    const size_t nodes = (size_t)t->skeleton->node_count;
    sinew_affine *first = calloc(nodes + 1, sizeof *first);
    if (!first) return takes_fail_memory(error);
    take_pose(t, 0);
    memcpy(first, t->model, nodes * sizeof *first);
    take_pose(t, t->count - 1);
    const takes_pose from = {take_transform(t, 0, 0), first}, to = {take_transform(t, t->count - 1, 0), t->model};
    const takes_seam found = takes_seam_between(body, &from, &to);
    *is_loop = found.degrees <= LOOP_DEGREES && found.metres <= LOOP_PART * size_of(body, first);
    if (seam) *seam = found;
    free(first);
    return SINEW_OK;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static bool sample(const sinew_clip *clip, float time, sinew_pose *pose, sinew_transform **local,
                   sinew_affine **model) {
    const size_t nodes = (size_t)clip->skeleton->node_count + 1;
    *local = calloc(nodes, sizeof **local);
    *model = calloc(nodes, sizeof **model);
    if (!*local || !*model) return false;
    sinew_clip_sample(clip, time, pose);
    sinew_pose_to_model(pose, *model);
    for (int32_t n = 0; n < clip->skeleton->node_count; n++) (*local)[n] = sinew_pose_get(pose, n);
    return true;
}

sinew_result takes_seam_of_clip(const sinew_clip *clip, const takes_body *body, float from, float to,
                                takes_seam *seam, sinew_error *error) {
    sinew_pose *pose;
    sinew_transform *locals[2] = {NULL, NULL};
    sinew_affine *models[2] = {NULL, NULL};
    if (sinew_pose_create(clip->skeleton, NULL, &pose) != SINEW_OK) return takes_fail_memory(error);
    const bool good =
        sample(clip, from, pose, &locals[0], &models[0]) && sample(clip, to, pose, &locals[1], &models[1]);
    if (good) {
        const takes_pose a = {locals[0], models[0]}, b = {locals[1], models[1]};
        *seam = takes_seam_between(body, &a, &b);
    }
    for (int k = 0; k < 2; k++) {
        free(locals[k]);
        free(models[k]);
    }
    sinew_pose_destroy(pose);
    return good ? SINEW_OK : takes_fail_memory(error);
}
