// SPDX-License-Identifier: MIT
// Converts from +Y up to +Z up: (x, y, z) becomes (x, -z, y). The rotation C only swaps and negates, so it is exact.
// Its rows are (1 0 0), (0 0 -1), (0 1 0). If you mistook them for columns, you'd get the inverse rotation.
#include "core/gltf_import.h"

// Negates exactly. 0 stays 0 instead of becoming -0, which would show in printed numbers.
static float negate(float x) {
    return 0.0f - x;
}

void sinewi_gltf_vectors_to_z_up(float *vectors, size_t count, size_t width) {
    for (float *v = vectors, *end = vectors + count * width; v < end; v += width) {
        float y = v[1];
        v[1] = negate(v[2]);
        v[2] = y;
    }
}

void sinewi_gltf_scales_to_z_up(float *scales, size_t count) {
    for (float *s = scales, *end = scales + 3 * count; s < end; s += 3) {
        float y = s[1];
        s[1] = s[2];
        s[2] = y;
    }
}

// Converts each factor of T R S separately: C T R S C⁻¹ = (C T C⁻¹) (C R C⁻¹) (C S C⁻¹).
sinew_transform sinewi_gltf_transform_to_z_up(sinew_transform t) {
    return (sinew_transform){
        .translation = {t.translation.x, negate(t.translation.z), t.translation.y},
        .rotation = {t.rotation.x, negate(t.rotation.z), t.rotation.y, t.rotation.w},
        .scale = {t.scale.x, t.scale.z, t.scale.y},
    };
}

// C on the left permutes the rows to (0, -2, 1). C⁻¹ on the right does the same to the columns.
sinew_affine sinewi_gltf_matrix_to_z_up(sinew_affine matrix) {
    const float(*m)[4] = (const float(*)[4])matrix.m;
    return (sinew_affine){{
        {m[0][0], negate(m[0][2]), m[0][1], m[0][3]},
        {negate(m[2][0]), m[2][2], negate(m[2][1]), negate(m[2][3])},
        {m[1][0], negate(m[1][2]), m[1][1], m[1][3]},
    }};
}
