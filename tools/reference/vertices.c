// SPDX-License-Identifier: MIT
// Evaluates vertices: morph targets and skinning.
#include "reference/evaluate.h"

#include <math.h>
#include <string.h>

// ---- Morph targets (section 3.7.2.2) -------------------------------------------------------------------------------

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// A sum of vectors, and the sum of its terms' lengths.
typedef struct vector_sum {
    double v[3];
    double terms;
} vector_sum;

static vector_sum begin_sum(const double *base) {
    vector_sum sum = {{base[0], base[1], base[2]}, length_of(base)};
    return sum;
}

// Adds weight × displacement.
static void add_target(const double *displacements, double weight, ptrdiff_t vertex, vector_sum *sum) {
    if (!displacements) return;
    for (int i = 0; i < 3; i++) sum->v[i] += weight * displacements[3 * vertex + i];
    sum->terms += fabs(weight) * length_of(displacements + 3 * vertex);
}

static void morph(const ref_primitive *primitive, const double *weights, ptrdiff_t vertex, vector_sum *position,
                  vector_sum *normal, vector_sum *tangent) {
    for (int32_t t = 0; t < primitive->target_count; t++) {
        const ref_attributes *target = &primitive->targets[t];
        add_target(target->positions, weights[t], vertex, position);
        add_target(target->normals, weights[t], vertex, normal);
        add_target(target->tangents, weights[t], vertex, tangent);
    }
}

// ---- Skinning (section 3.7.3) --------------------------------------------------------------------------------------

// Returns the length of the longest column in a matrix's 3x3.
static double longest_column(const double m[16]) {
    return fmax(length_of(m), fmax(length_of(m + 4), length_of(m + 8)));
}

// Computes the sum of weight × matrix over a vertex's joints. Returns the sum of weight × longest column, an upper
// bound for the blended columns.
static double blend(const ref_primitive *primitive, const double *palette, ptrdiff_t vertex, double out[16]) {
    const int32_t *joints = primitive->joints + vertex * primitive->influences;
    const double *weights = primitive->weights + vertex * primitive->influences;
    double terms = 0.0;
    memset(out, 0, 16 * sizeof *out);
    for (int32_t i = 0; i < primitive->influences; i++) {
        const double *matrix = palette + 16 * (ptrdiff_t)joints[i];
        if (!(weights[i] > 0.0)) continue;
        for (int k = 0; k < 16; k++) out[k] += weights[i] * matrix[k];
        terms += weights[i] * longest_column(matrix);
    }
    return terms;
}

static void transform_direction(const double m[16], const double v[3], double out[3]) {
    for (int row = 0; row < 3; row++) out[row] = m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2];
}

// Transforms a normal with the inverse transpose of the 3x3: the cofactors divided by the determinant. Normals are
// normalized, so only the determinant's sign matters and singular matrices work. Returns the determinant.
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

// Normalizes a vector and returns its previous length.
static double make_unit(double v[3]) {
    double length = length_of(v);
    for (int i = 0; length > 0.0 && i < 3; i++) v[i] /= length;
    return length;
}

static double remainder_of(double length, double terms) {
    return terms > 0.0 ? fmin(1.0, length / terms) : 1.0;
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

// `terms` bounds the matrix's columns: see blend.
static void move_vertex(const ref_primitive *primitive, const double *weights, const double m[16], double terms,
                        ptrdiff_t vertex, const ref_vertices *out) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const ref_attributes *base = &primitive->base;
    vector_sum position = begin_sum(base->positions + 3 * vertex);
    vector_sum normal = begin_sum(out->normals ? base->normals + 3 * vertex : none);
    vector_sum tangent = begin_sum(out->tangents ? base->tangents + 4 * vertex : none);
    double moved[3];
    morph(primitive, weights, vertex, &position, &normal, &tangent);

    transform_direction(m, position.v, moved);
    for (int i = 0; i < 3; i++) out->positions[3 * vertex + i] = moved[i] + m[12 + i];
    double determinant = transform_normal(m, normal.v, moved), length = make_unit(moved);
    if (out->normals) memcpy(out->normals + 3 * vertex, moved, sizeof moved);
    // Cofactors are products of two columns.
    if (out->normal_remainders) out->normal_remainders[vertex] = remainder_of(length, terms * terms * normal.terms);
    if (out->volumes) out->volumes[vertex] = fabs(determinant);
    if (out->scales) out->scales[vertex] = largest_element(m);
    if (!out->tangents) return;
    transform_direction(m, tangent.v, moved);
    length = make_unit(moved);
    memcpy(out->tangents + 4 * vertex, moved, sizeof moved);
    if (out->tangent_remainders) out->tangent_remainders[vertex] = remainder_of(length, terms * tangent.terms);
    double handedness = base->tangents[4 * vertex + 3];
    out->tangents[4 * vertex + 3] = determinant < 0.0 ? -handedness : handedness;
}

void ref_move_vertices(const ref_model *model, const ref_pose *pose, int32_t node, const ref_primitive *primitive,
                       const double *palette, const ref_vertices *out) {
    const ref_node *carrier = &model->nodes[node];
    const double *weights = pose->weights + carrier->first_weight;
    bool skinned = carrier->skin >= 0 && primitive->influences > 0;
    double matrix[16];
    // A node's transform doesn't affect its skinned mesh (section 3.7.3.3).
    memcpy(matrix, pose->worlds + 16 * (ptrdiff_t)node, sizeof matrix);
    double terms = longest_column(matrix);
    for (int32_t i = 0; i < primitive->vertex_count; i++) {
        if (skinned) terms = blend(primitive, palette, i, matrix);
        move_vertex(primitive, weights, matrix, terms, i, out);
    }
}
