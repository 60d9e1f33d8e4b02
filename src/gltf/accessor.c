// Accessors (glTF 2.0, section 5.1): what they say of themselves, checked.
#include "gltf/import.h"

static const char *const type_names[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", NULL};

const char *sinew_gltf_type_name(sinew_gltf_type type) {
    return type_names[type];
}

int32_t sinew_gltf_component_count(sinew_gltf_type type) {
    static const int32_t counts[] = {1, 2, 3, 4, 4, 9, 16};
    return counts[type];
}

static bool read_component(sinew_import *g, sinew_json_value object, sinew_gltf_component *component) {
    int64_t value = 0;
    if (!sinew_gltf_integer(g, object, "componentType", 0, INT32_MAX, &value)) return false;
    switch (value) {
    case SINEW_GLTF_I8:
    case SINEW_GLTF_U8:
    case SINEW_GLTF_I16:
    case SINEW_GLTF_U16:
    case SINEW_GLTF_U32:
    case SINEW_GLTF_F32:
        *component = (sinew_gltf_component)value;
        return true;
    default:
        return sinew_gltf_fail(g, object, SINEW_ERROR_FORMAT, "componentType %lld is not one of glTF 2.0's",
                               (long long)value);
    }
}

static bool read_count(sinew_import *g, sinew_json_value object, int32_t most, int32_t *out) {
    if (sinew_json_get(&g->json, object, "count") == SINEW_JSON_ABSENT)
        return sinew_gltf_fail(g, object, SINEW_ERROR_FORMAT, "count is missing");
    int64_t count = 0;
    if (!sinew_gltf_integer(g, object, "count", 0, most, &count)) return false;
    *out = (int32_t)count;
    return true;
}

static bool read_sparse(sinew_import *g, sinew_gltf_accessor *a) {
    sinew_json_value sparse, indices, values;
    if (!sinew_gltf_object(g, a->value, "sparse", &sparse)) return false;
    if (sparse == SINEW_JSON_ABSENT) return true;
    if (!sinew_gltf_object(g, sparse, "indices", &indices)) return false;
    if (!sinew_gltf_object(g, sparse, "values", &values)) return false;
    int32_t views = g->view_values.count;
    bool read = read_count(g, sparse, a->count, &a->sparse_count) &&
                sinew_gltf_required_index(g, indices, "bufferView", views, "bufferViews", &a->sparse_index_view) &&
                sinew_gltf_size(g, indices, "byteOffset", &a->sparse_index_offset) &&
                read_component(g, indices, &a->sparse_index_component) &&
                sinew_gltf_required_index(g, values, "bufferView", views, "bufferViews", &a->sparse_value_view) &&
                sinew_gltf_size(g, values, "byteOffset", &a->sparse_value_offset);
    if (!read) return false;
    sinew_gltf_component component = a->sparse_index_component;
    if (component != SINEW_GLTF_U8 && component != SINEW_GLTF_U16 && component != SINEW_GLTF_U32)
        return sinew_gltf_fail(g, indices, SINEW_ERROR_FORMAT, "componentType %d is no unsigned integer",
                               (int)component);
    return true;
}

static bool read_accessor(sinew_import *g, sinew_json_value value, sinew_gltf_accessor *a) {
    a->value = value;
    int type = -1;
    bool read = sinew_gltf_index(g, value, "bufferView", g->view_values.count, "bufferViews", &a->view) &&
                sinew_gltf_size(g, value, "byteOffset", &a->offset) && read_component(g, value, &a->component) &&
                read_count(g, value, INT32_MAX, &a->count) &&
                sinew_gltf_word(g, value, "type", type_names, &type) &&
                sinew_gltf_bool(g, value, "normalized", &a->normalized);
    if (!read) return false;
    if (type < 0) return sinew_gltf_fail(g, value, SINEW_ERROR_FORMAT, "type is missing or not one of glTF 2.0's");
    a->type = (sinew_gltf_type)type;
    return read_sparse(g, a);
}

bool sinew_gltf_read_accessors(sinew_import *g) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, 0, "accessors", SINEW_JSON_OBJECT, &list)) return false;
    sinew_gltf_accessor *accessors = sinew_gltf_zeros(g, &g->scratch, sinew_gltf_accessor, (size_t)list.count);
    if (!accessors) return false;
    g->accessors = accessors;
    g->accessor_count = list.count;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_accessor(g, list.values[i], &accessors[i])) return false;
    return true;
}

bool sinew_gltf_expect_type(sinew_import *g, sinew_json_value place, int32_t accessor, sinew_gltf_type type) {
    sinew_gltf_type found = g->accessors[accessor].type;
    if (found == type) return true;
    return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "accessors[%d] is %s instead of %s", (int)accessor,
                           sinew_gltf_type_name(found), sinew_gltf_type_name(type));
}

bool sinew_gltf_expect_count(sinew_import *g, sinew_json_value place, int32_t accessor, int32_t count) {
    int32_t found = g->accessors[accessor].count;
    if (found == count) return true;
    return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "accessors[%d] has %d elements instead of %d",
                           (int)accessor, (int)found, (int)count);
}
