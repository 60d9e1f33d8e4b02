// Morph targets and skinning.
#include "reference/evaluate.h"

#include <math.h>
#include <string.h>

// ---- Morph targets (section 3.7.2.2) -------------------------------------------------------------------------------

// base + sum of weight × displacement
static void add_target(const double *displacements, double weight, ptrdiff_t vertex, double out[3]) {
    for (int i = 0; displacements && i < 3; i++) out[i] += weight * displacements[3 * vertex + i];
}

static void morph(const ref_primitive *primitive, const double *weights, ptrdiff_t vertex, double position[3],
                  double normal[3], double tangent[3]) {
    for (int32_t t = 0; t < primitive->target_count; t++) {
        const ref_attributes *target = &primitive->targets[t];
        add_target(target->positions, weights[t], vertex, position);
        add_target(target->normals, weights[t], vertex, normal);
        add_target(target->tangents, weights[t], vertex, tangent);
    }
}

// ---- Skinning (section 3.7.3) --------------------------------------------------------------------------------------

// The sum of weight × matrix over the joints of a vertex.
static void blend(const ref_primitive *primitive, const double *palette, ptrdiff_t vertex, double out[16]) {
    const int32_t *joints = primitive->joints + vertex * primitive->influences;
    const double *weights = primitive->weights + vertex * primitive->influences;
    memset(out, 0, 16 * sizeof *out);
    for (int32_t i = 0; i < primitive->influences; i++) {
        const double *matrix = palette + 16 * (ptrdiff_t)joints[i];
        for (int k = 0; weights[i] > 0.0 && k < 16; k++) out[k] += weights[i] * matrix[k];
    }
}

static void transform_direction(const double m[16], const double v[3], double out[3]) {
    for (int row = 0; row < 3; row++) out[row] = m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2];
}

// Normals stand on planes, which the inverse transpose of the upper 3x3 keeps: its cofactors over its determinant. Of
// the determinant, which is what comes out, only the sign is left once they are unit; singular matrices have
// cofactors, too.
static double transform_normal(const double m[16], const double n[3], double out[3]) {
    double cofactors[3][3], determinant = 0.0; // [column][row]
    for (int column = 0; column < 3; column++) {
        const double *a = m + 4 * (ptrdiff_t)((column + 1) % 3), *b = m + 4 * (ptrdiff_t)((column + 2) % 3);
        for (int row = 0; row < 3; row++) {
            int j = (row + 1) % 3, k = (row + 2) % 3;
            cofactors[column][row] = a[j] * b[k] - a[k] * b[j];
        }
    }
    for (int row = 0; row < 3; row++) determinant += m[row] * cofactors[0][row];
    double side = determinant < 0.0 ? -1.0 : 1.0;
    for (int row = 0; row < 3; row++) {
        out[row] = side * (cofactors[0][row] * n[0] + cofactors[1][row] * n[1] + cofactors[2][row] * n[2]);
    }
    return determinant;
}

static double largest_element(const double m[16]) {
    double largest = 0.0;
    for (int i = 0; i < 11; i++) {
        if (i % 4 != 3) largest = fmax(largest, fabs(m[i]));
    }
    return largest;
}

static void make_unit(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; length > 0.0 && i < 3; i++) v[i] /= length;
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

static void move_vertex(const ref_primitive *primitive, const double *weights, const double m[16], ptrdiff_t vertex,
                        const ref_vertices *out) {
    const ref_attributes *base = &primitive->base;
    double position[3], normal[3] = {0}, tangent[3] = {0}, moved[3];
    memcpy(position, base->positions + 3 * vertex, sizeof position);
    if (out->normals) memcpy(normal, base->normals + 3 * vertex, sizeof normal);
    if (out->tangents) memcpy(tangent, base->tangents + 4 * vertex, sizeof tangent);
    morph(primitive, weights, vertex, position, normal, tangent);

    transform_direction(m, position, moved);
    for (int i = 0; i < 3; i++) out->positions[3 * vertex + i] = moved[i] + m[12 + i];
    double determinant = transform_normal(m, normal, moved);
    make_unit(moved);
    if (out->normals) memcpy(out->normals + 3 * vertex, moved, sizeof moved);
    if (out->volumes) out->volumes[vertex] = fabs(determinant);
    if (out->scales) out->scales[vertex] = largest_element(m);
    if (!out->tangents) return;
    transform_direction(m, tangent, moved);
    make_unit(moved);
    memcpy(out->tangents + 4 * vertex, moved, sizeof moved);
    double handedness = base->tangents[4 * vertex + 3];
    out->tangents[4 * vertex + 3] = determinant < 0.0 ? -handedness : handedness;
}

void ref_move_vertices(const ref_model *model, const ref_pose *pose, int32_t node, const ref_primitive *primitive,
                       const double *palette, const ref_vertices *out) {
    const ref_node *carrier = &model->nodes[node];
    const double *weights = pose->weights + carrier->first_weight;
    bool skinned = carrier->skin >= 0 && primitive->influences > 0;
    double matrix[16];
    // The transform of a node takes no part in its skinned mesh (section 3.7.3.3).
    memcpy(matrix, pose->worlds + 16 * (ptrdiff_t)node, sizeof matrix);
    for (int32_t i = 0; i < primitive->vertex_count; i++) {
        if (skinned) blend(primitive, palette, i, matrix);
        move_vertex(primitive, weights, matrix, i, out);
    }
}
