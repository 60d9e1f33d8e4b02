// SPDX-License-Identifier: MIT
// Computes points' positions in a pose.
#include "compare/internal.h"

#include <math.h>
#include <string.h>

double compare_distance(const double a[3], const double b[3]) {
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

void compare_transform(const double *matrix, const double point[3], double out[3]) {
    if (!matrix) {
        memcpy(out, point, 3 * sizeof *out);
        return;
    }
    for (int row = 0; row < 3; row++) {
        out[row] =
            matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] + matrix[12 + row];
    }
}

void compare_morphed(const compare_body *body, const compare_part *part, int side, const ref_pose *pose,
                     int32_t vertex, double out[3]) {
    if (part->mesh < 0) {
        for (int i = 0; i < 3; i++) out[i] = vertex == i + 1 ? part->axes[i] : 0.0;
        return;
    }
    const ref_primitive *primitive = part->primitives[side];
    memcpy(out, primitive->base.positions + 3 * (ptrdiff_t)vertex, 3 * sizeof *out);
    if (!part->morphs || !pose) return;
    const double *weights = pose->weights + body->models[side]->nodes[part->nodes[side]].first_weight;
    for (int32_t t = 0; t < primitive->target_count; t++) {
        const double *displacements = primitive->targets[t].positions;
        if (!displacements || weights[t] == 0.0) continue;
        for (int i = 0; i < 3; i++) out[i] += weights[t] * displacements[3 * (ptrdiff_t)vertex + i];
    }
}

int32_t compare_influence_count(const compare_part *part) {
    return part->skinned ? part->primitives[0]->influences : 1;
}

compare_influence compare_influence_of(const compare_part *part, int32_t vertex, int32_t index) {
    if (!part->skinned) return (compare_influence){part->first_bone, {1.0, 1.0}};
    const ptrdiff_t i = (ptrdiff_t)vertex * part->primitives[0]->influences + index;
    return (compare_influence){part->first_bone + part->primitives[0]->joints[i],
                               {part->primitives[0]->weights[i], part->primitives[1]->weights[i]}};
}

void compare_position(const compare_body *body, const compare_part *part, int side, const ref_pose *pose,
                      int32_t vertex, double out[3]) {
    double position[3], bound[3], moved[3];
    compare_morphed(body, part, side, pose, vertex, position);
    memset(out, 0, 3 * sizeof *out);
    for (int32_t i = 0; i < compare_influence_count(part); i++) {
        const compare_influence in = compare_influence_of(part, vertex, i);
        if (!(in.weights[side] > 0.0)) continue;
        const compare_bone *bone = &body->bones[in.bone];
        compare_transform(bone->binds[side], position, bound);
        compare_transform(pose->worlds + 16 * (ptrdiff_t)bone->nodes[side], bound, moved);
        for (int k = 0; k < 3; k++) out[k] += in.weights[side] * moved[k];
    }
}

void compare_positions(const compare_body *body, const ref_pose poses[2], compare_point point, double out[2][3]) {
    for (int side = 0; side < 2; side++)
        compare_position(body, &body->parts[point.part], side, &poses[side], point.vertex, out[side]);
}
