// SPDX-License-Identifier: MIT
// Vectors and nodes of VRM data. Vectors are converted to the asset's axes.
//
// `g` is the import in progress (core/gltf_import.h). Functions return false once the error is set.
#include "humanoid/vrm_read.h"

static void convert_vector(const sinewi_import *g, const float from[3], sinew_vec3 *out) {
    float v[3] = {from[0], from[1], from[2]};
    if (g->options.up == SINEW_UP_Z) sinewi_gltf_vectors_to_z_up(v, 1, 3);
    *out = (sinew_vec3){v[0], v[1], v[2]};
}

bool sinewi_gltf_get_vector(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vec3 *out) {
    float v[3] = {out->x, out->y, out->z};
    if (!sinewi_gltf_get_floats(g, object, key, 3, v)) return false;
    convert_vector(g, v, out);
    return true;
}

bool sinewi_gltf_get_vector_0(sinewi_import *g, sinewi_json_value object, const char *key, sinew_vec3 *out) {
    sinewi_json_value value;
    float v[3] = {out->x, out->y, 0.0f - out->z};
    bool read = sinewi_gltf_get_object(g, object, key, &value) && sinewi_gltf_get_float(g, value, "x", &v[0]) &&
                sinewi_gltf_get_float(g, value, "y", &v[1]) && sinewi_gltf_get_float(g, value, "z", &v[2]);
    if (!read) return false;
    v[2] = 0.0f - v[2]; // not -v[2], because 0 must stay 0
    convert_vector(g, v, out);
    return true;
}

bool sinewi_gltf_get_node(sinewi_import *g, sinewi_json_value object, const char *key, int32_t *node) {
    int32_t source;
    if (!sinewi_gltf_get_required_index(g, object, key, g->node_values.count, "nodes", &source)) return false;
    *node = g->asset->skeleton->node_of_source[source];
    return true;
}

bool sinewi_gltf_get_node_0(sinewi_import *g, sinewi_json_value object, const char *key, int32_t *node) {
    int64_t source = -1;
    if (!sinewi_gltf_get_integer(g, object, key, -1, g->node_values.count - 1, &source)) return false;
    *node = source < 0 ? SINEW_NO_NODE : g->asset->skeleton->node_of_source[source];
    return true;
}
