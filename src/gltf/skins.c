// Skins (glTF 2.0, section 5.28).
#include "gltf/import.h"

static bool read_joints(sinew_import *g, sinew_json_value skin, int32_t *count, const int32_t **out) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, skin, "joints", SINEW_JSON_NUMBER, &list)) return false;
    if (list.count == 0) return sinew_gltf_fail(g, skin, SINEW_ERROR_FORMAT, "has no joints");
    int32_t *joints = sinew_gltf_array(g, &g->scratch, int32_t, (size_t)list.count);
    if (!joints) return false;
    for (int32_t i = 0; i < list.count; i++) {
        int32_t node;
        if (!sinew_gltf_index_value(g, list.values[i], g->node_values.count, "nodes", &node)) return false;
        joints[i] = g->asset->skeleton->node_of_source[node];
    }
    *count = list.count;
    *out = joints;
    return true;
}

// `*out` stays NULL, which means identities, when the file has no inverse bind matrices.
static bool read_inverse_binds(sinew_import *g, sinew_json_value skin, int32_t joint_count,
                               const sinew_affine **out) {
    int32_t accessor;
    const float *floats;
    *out = NULL;
    if (!sinew_gltf_index(g, skin, "inverseBindMatrices", g->accessor_count, "accessors", &accessor)) return false;
    if (accessor < 0) return true;
    sinew_json_value place = sinew_json_get(&g->json, skin, "inverseBindMatrices");
    if (!sinew_gltf_expect_type(g, place, accessor, SINEW_GLTF_MAT4)) return false;
    int32_t found = g->accessors[accessor].count;
    if (found < joint_count)
        return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "accessors[%d] has %d matrices for %d joints",
                               (int)accessor, (int)found, (int)joint_count);
    if (!sinew_gltf_read_floats(g, accessor, SINEW_GLTF_FOR_IMPORT, &floats)) return false;
    sinew_affine *matrices = sinew_gltf_array(g, &g->scratch, sinew_affine, (size_t)joint_count);
    if (!matrices) return false;
    for (size_t i = 0; i < (size_t)joint_count; i++) {
        sinew_mat4 columns;
        for (size_t k = 0; k < 16; k++) columns.m[k] = floats[16 * i + k];
        matrices[i] = sinew_affine_from_mat4(columns);
        if (g->options.up == SINEW_UP_Z) matrices[i] = sinew_gltf_turned_matrix(matrices[i]);
    }
    *out = matrices;
    return true;
}

static bool read_skin(sinew_import *g, int32_t index, sinew_skin *out) {
    sinew_json_value value = g->skin_values.values[index];
    sinew_skin_def def = sinew_skin_default();
    g->at = value;
    def.skeleton = g->asset->skeleton;
    def.allocator = sinew_asset_allocator(g->data);
    bool read = sinew_gltf_string(g, value, "name", &g->scratch, &def.name) &&
                read_joints(g, value, &def.joint_count, &def.joints) &&
                read_inverse_binds(g, value, def.joint_count, &def.inverse_binds);
    if (!read) return false;
    sinew_skin *skin;
    sinew_error inner;
    if (sinew_skin_create(&def, &skin, &inner) != SINEW_OK)
        return sinew_gltf_fail_with(g, &inner, "skins[%d]", (int)index);
    *out = *skin; // what it points to is the asset's
    return true;
}

bool sinew_gltf_read_skins(sinew_import *g) {
    const sinew_gltf_values *values = &g->skin_values;
    sinew_skin *skins = sinew_gltf_zeros(g, g->arena, sinew_skin, (size_t)values->loaded);
    if (!skins) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t place = sinew_gltf_place(values, i);
        if (place >= 0 && !read_skin(g, i, &skins[place])) return false;
    }
    g->asset->skins = skins;
    g->asset->skin_count = values->loaded;
    return true;
}
