// SPDX-License-Identifier: MIT
// Skins: joints with inverse bind matrices, the palette, and morph targets. skin_vertices.c skins vertices on the CPU.
//
// A palette has a matrix for each joint of the skin: the joint's model matrix times its inverse bind matrix. It maps a
// vertex from mesh space, as in the file, to model space. A skinned vertex is the weighted sum of the palette's
// matrices times the vertex. Strides are in bytes.
#include <sinew/skin.h>

#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/finite.h"
#include "base/memory.h"
#include "kernels/kernels.h"

#include <assert.h>
#include <string.h>

typedef struct skin_object {
    sinew_skin skin;
    sinew_allocator allocator;
    size_t size;
} skin_object;

sinew_skin_def sinew_skin_default(void) {
    return (sinew_skin_def){.cookie = SINEWI_DEF_COOKIE};
}

static sinew_result check_def(const sinew_skin_def *def, sinew_error *error) {
    if (!def->skeleton || def->joint_count < 0 || (def->joint_count > 0 && !def->joints)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "skin: skeleton is NULL, or joints is NULL but joint_count is not 0");
    }
    for (int32_t i = 0; i < def->joint_count; i++) {
        if (def->joints[i] < 0 || def->joints[i] >= def->skeleton->node_count) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "joints[%d]: node %d, but the skeleton has %d nodes", i,
                               def->joints[i], def->skeleton->node_count);
        }
        if (def->inverse_binds && !sinewi_affine_is_finite(&def->inverse_binds[i])) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "inverse_binds[%d]: not finite", i);
        }
    }
    return SINEW_OK;
}

typedef struct skin_arrays {
    skin_object *object;
    sinew_affine *inverse_binds;
    int32_t *joints;
    const char *name;
} skin_arrays;

// Places all arrays in the skin's memory block. In the measuring pass, they are NULL.
static skin_arrays lay_out(sinewi_layout *layout, const sinew_skin_def *def) {
    skin_arrays a;
    size_t count = (size_t)def->joint_count;
    a.object = sinewi_layout_array(layout, skin_object, 1, SINEWI_ALIGNMENT);
    a.inverse_binds = sinewi_layout_array(layout, sinew_affine, count, SINEWI_ALIGNMENT);
    a.joints = sinewi_layout_array(layout, int32_t, count, sizeof(int32_t));
    a.name = sinewi_layout_string(layout, def->name);
    return a;
}

sinew_result sinew_skin_create(const sinew_skin_def *def, sinew_skin **skin, sinew_error *error) {
    *skin = NULL;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_skin_def: start from sinew_skin_default()", error);
    if (result == SINEW_OK) result = check_def(def, error);
    if (result != SINEW_OK) return result;
    sinewi_layout measure = {0};
    lay_out(&measure, def);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    skin_arrays a = lay_out(&layout, def);

    for (int32_t i = 0; i < def->joint_count; i++) {
        a.joints[i] = def->joints[i];
        a.inverse_binds[i] = def->inverse_binds ? def->inverse_binds[i] : sinew_affine_identity();
    }
    *a.object = (skin_object){
        .skin = {a.name, def->skeleton, def->joint_count, a.joints, a.inverse_binds},
        .allocator = def->allocator,
        .size = measure.size,
    };
    *skin = &a.object->skin;
    return SINEW_OK;
}

void sinew_skin_destroy(sinew_skin *skin) {
    if (!skin) return;
    skin_object *object = (skin_object *)skin;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}

void sinew_skin_palette(const sinew_skin *skin, const sinew_affine *model, sinew_affine *palette) {
    assert(skin && model && palette);
    sinewi_palette_kernels_used()->palette(skin->joints, skin->joint_count, model, skin->inverse_binds, palette);
}

// ---- Morph targets -------------------------------------------------------------------------------------------

// out = base + the sum of weights[t] × deltas[t]. Handles positions or normals of all vertices in a row.
void sinew_morph(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                 int32_t float_count, float *out) {
    assert(float_count >= 0 && ((base && out) || float_count == 0));
    const size_t count = (size_t)float_count;
    if (out != base) memcpy(out, base, count * sizeof(float));
    for (int32_t t = 0; t < target_count; t++) {
        if (weights[t] == 0.0f || !deltas[t]) continue;
        for (size_t i = 0; i < count; i++) out[i] += weights[t] * deltas[t][i];
    }
}

// out = base + the sum of weights[t] × deltas[t], for tangents. The base has four floats per vertex. The fourth is the
// handedness and is copied. Deltas have three floats.
void sinew_morph_tangents(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                          int32_t vertex_count, float *out) {
    assert(vertex_count >= 0 && ((base && out) || vertex_count == 0));
    const size_t count = (size_t)vertex_count;
    if (out != base) memcpy(out, base, count * 4 * sizeof(float));
    for (int32_t t = 0; t < target_count; t++) {
        if (weights[t] == 0.0f || !deltas[t]) continue;
        for (size_t v = 0; v < count; v++)
            for (size_t k = 0; k < 3; k++) out[4 * v + k] += weights[t] * deltas[t][3 * v + k];
    }
}
