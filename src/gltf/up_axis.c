// Turning what a glTF file holds so that +Z is up: (x, y, z) becomes (x, -z, y). The turn C swaps and negates, so it
// loses nothing. As rows it is (1 0 0), (0 0 -1), (0 1 0); read as columns it would be the turn back.
#include "gltf/import.h"

// Exact as -x is, and leaves 0 as it is, which people would see printed as -0.
static float opposite(float x) {
    return 0.0f - x;
}

void sinew_gltf_turn_vectors(float *vectors, size_t count, size_t width) {
    for (float *v = vectors, *end = vectors + count * width; v < end; v += width) {
        float y = v[1];
        v[1] = opposite(v[2]);
        v[2] = y;
    }
}

void sinew_gltf_turn_scales(float *scales, size_t count) {
    for (float *s = scales, *end = scales + 3 * count; s < end; s += 3) {
        float y = s[1];
        s[1] = s[2];
        s[2] = y;
    }
}

// Of T R S, each factor is turned by itself: C T R S C⁻¹ = (C T C⁻¹) (C R C⁻¹) (C S C⁻¹).
sinew_transform sinew_gltf_turned_transform(sinew_transform t) {
    return (sinew_transform){
        .translation = {t.translation.x, opposite(t.translation.z), t.translation.y},
        .rotation = {t.rotation.x, opposite(t.rotation.z), t.rotation.y, t.rotation.w},
        .scale = {t.scale.x, t.scale.z, t.scale.y},
    };
}

// C on the left makes rows (0, -2, 1); C⁻¹ on the right makes columns (0, -2, 1) of those.
sinew_affine sinew_gltf_turned_matrix(sinew_affine matrix) {
    const float(*m)[4] = (const float(*)[4])matrix.m;
    return (sinew_affine){{
        {m[0][0], opposite(m[0][2]), m[0][1], m[0][3]},
        {opposite(m[2][0]), m[2][2], opposite(m[2][1]), opposite(m[2][3])},
        {m[1][0], opposite(m[1][2]), m[1][1], m[1][3]},
    }};
}
