// SPDX-License-Identifier: MIT
// Accessors (glTF 2.0, section 5.1) are typed arrays in the file's bytes. Checks their JSON and decodes their elements
// once per use, with any component type, stride and sparse substitution.
//
// An element is a scalar, vector or matrix of components. A sparse accessor replaces some of its elements, using
// indices and values. `a` is an accessor, `e` the layout of its elements, and `width` the number of components per
// element. `use` says what the floats are for (see sinewi_gltf_use). It determines their memory and whether they are
// converted to +Z up.
#include "base/finite.h"
#include "core/gltf_import.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

static const char *const type_names[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", NULL};

const char *sinewi_gltf_type_name(sinewi_gltf_type type) {
    return type_names[type];
}

int32_t sinewi_gltf_component_count(sinewi_gltf_type type) {
    static const int32_t counts[] = {1, 2, 3, 4, 4, 9, 16};
    return counts[type];
}

static bool read_component(sinewi_import *g, sinewi_json_value object, sinewi_gltf_component *component) {
    int64_t value = 0;
    if (!sinewi_gltf_get_integer(g, object, "componentType", 0, INT32_MAX, &value)) return false;
    switch (value) {
    case SINEWI_GLTF_I8:
    case SINEWI_GLTF_U8:
    case SINEWI_GLTF_I16:
    case SINEWI_GLTF_U16:
    case SINEWI_GLTF_U32:
    case SINEWI_GLTF_F32:
        *component = (sinewi_gltf_component)value;
        return true;
    default:
        return sinewi_gltf_fail(g, object, SINEW_ERROR_FORMAT, "componentType %lld is not a glTF 2.0 type",
                                (long long)value);
    }
}

static bool read_count(sinewi_import *g, sinewi_json_value object, int32_t max, int32_t *out) {
    int64_t count = 0;
    if (!sinewi_gltf_get_required_integer(g, object, "count", 0, max, &count)) return false;
    *out = (int32_t)count;
    return true;
}

// Reads an accessor's sparse object: views and offsets of its indices and values.
static bool read_sparse(sinewi_import *g, sinewi_gltf_accessor *a) {
    sinewi_json_value sparse_elements, indices, values;
    if (!sinewi_gltf_get_object(g, a->value, "sparse", &sparse_elements)) return false;
    if (sparse_elements == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_gltf_get_object(g, sparse_elements, "indices", &indices)) return false;
    if (!sinewi_gltf_get_object(g, sparse_elements, "values", &values)) return false;
    int32_t views = g->view_values.count;
    bool read =
        read_count(g, sparse_elements, a->count, &a->sparse_count) &&
        sinewi_gltf_get_required_index(g, indices, "bufferView", views, "bufferViews", &a->sparse_index_view) &&
        sinewi_gltf_get_size(g, indices, "byteOffset", &a->sparse_index_offset) &&
        read_component(g, indices, &a->sparse_index_component) &&
        sinewi_gltf_get_required_index(g, values, "bufferView", views, "bufferViews", &a->sparse_value_view) &&
        sinewi_gltf_get_size(g, values, "byteOffset", &a->sparse_value_offset);
    if (!read) return false;
    sinewi_gltf_component component = a->sparse_index_component;
    if (component != SINEWI_GLTF_U8 && component != SINEWI_GLTF_U16 && component != SINEWI_GLTF_U32)
        return sinewi_gltf_fail(g, indices, SINEW_ERROR_FORMAT, "componentType %d must be an unsigned integer",
                                (int)component);
    return true;
}

static bool read_accessor(sinewi_import *g, sinewi_json_value value, sinewi_gltf_accessor *a) {
    a->value = value;
    int type = -1;
    bool read = sinewi_gltf_get_index(g, value, "bufferView", g->view_values.count, "bufferViews", &a->view) &&
                sinewi_gltf_get_size(g, value, "byteOffset", &a->offset) &&
                read_component(g, value, &a->component) && read_count(g, value, INT32_MAX, &a->count) &&
                sinewi_gltf_get_word(g, value, "type", type_names, &type) &&
                sinewi_gltf_get_bool(g, value, "normalized", &a->normalized);
    if (!read) return false;
    if (type < 0)
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "type is missing or is not a glTF 2.0 type");
    a->type = (sinewi_gltf_type)type;
    return read_sparse(g, a);
}

bool sinewi_gltf_read_accessors(sinewi_import *g) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, 0, "accessors", SINEWI_JSON_OBJECT, &list)) return false;
    sinewi_gltf_accessor *accessors = sinewi_gltf_zeros(g, &g->scratch, sinewi_gltf_accessor, (size_t)list.count);
    if (!accessors) return false;
    g->accessors = accessors;
    g->accessor_count = list.count;
    for (int32_t i = 0; i < list.count; i++)
        if (!read_accessor(g, list.values[i], &accessors[i])) return false;
    return true;
}

bool sinewi_gltf_expect_type(sinewi_import *g, sinewi_json_value location, int32_t accessor,
                             sinewi_gltf_type type) {
    sinewi_gltf_type found = g->accessors[accessor].type;
    if (found == type) return true;
    return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "accessors[%d] is %s instead of %s", (int)accessor,
                            sinewi_gltf_type_name(found), sinewi_gltf_type_name(type));
}

bool sinewi_gltf_expect_count(sinewi_import *g, sinewi_json_value location, int32_t accessor, int32_t count) {
    int32_t found = g->accessors[accessor].count;
    if (found == count) return true;
    return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "accessors[%d] has %d elements instead of %d",
                            (int)accessor, (int)found, (int)count);
}

// ---- Elements in their bytes ---------------------------------------------------------------------------------------

// How an accessor's elements are laid out in their bytes. They are `stride` bytes apart.
typedef struct element_layout {
    const uint8_t *data;
    size_t stride;
    int32_t count;
    sinewi_gltf_component component;
    bool normalized;
    int32_t columns, rows;
    size_t column_stride; // matrix columns start at multiples of 4 bytes (section 3.6.2.4)
} element_layout;

size_t sinewi_gltf_component_size(sinewi_gltf_component component) {
    switch (component) {
    case SINEWI_GLTF_I8:
    case SINEWI_GLTF_U8:
        return 1;
    case SINEWI_GLTF_I16:
    case SINEWI_GLTF_U16:
        return 2;
    case SINEWI_GLTF_U32:
    case SINEWI_GLTF_F32:
        break;
    }
    return 4;
}

// Returns the layout of tightly packed elements.
static element_layout make_layout(const sinewi_gltf_accessor *a) {
    element_layout e = {.count = a->count, .component = a->component, .normalized = a->normalized, .columns = 1};
    e.rows = sinewi_gltf_component_count(a->type);
    size_t size = sinewi_gltf_component_size(a->component);
    if (a->type >= SINEWI_GLTF_MAT2) e.columns = e.rows = (int32_t)(a->type - SINEWI_GLTF_MAT2) + 2;
    e.column_stride = size * (size_t)e.rows;
    if (e.columns > 1) e.column_stride = (e.column_stride + 3) & ~(size_t)3;
    e.stride = e.column_stride * (size_t)e.columns;
    return e;
}

// Finds the first of `count` elements of `size` bytes, `stride` apart, at `offset` in a view, and loads the view. Fails
// if an element is outside the view.
static bool locate_elements(sinewi_import *g, const sinewi_gltf_accessor *a, int32_t view_index, size_t offset,
                            int32_t count, size_t size, size_t stride, const uint8_t **data) {
    const sinewi_gltf_view *view = &g->views[view_index];
    // At most 2^31 times 2^31, plus 2^48, so this can't overflow 64 bits.
    uint64_t end = offset + (count > 0 ? (uint64_t)(count - 1) * stride + size : 0);
    if (end > view->length)
        return sinewi_gltf_fail(g, a->value, SINEW_ERROR_FORMAT,
                                "ends at byte %llu of bufferViews[%d], which has %zu bytes",
                                (unsigned long long)end, (int)view_index, view->length);
    if (!sinewi_gltf_load_view(g, view_index)) return false;
    *data = view->data + offset;
    return true;
}

// Finds the elements before sparse substitution. Without a view, `e->data` stays NULL and the elements are zeros.
static bool locate_base_elements(sinewi_import *g, const sinewi_gltf_accessor *a, element_layout *e) {
    if (a->decoded) {
        e->data = a->decoded;
        return true;
    }
    if (a->view < 0) return true;
    size_t size = e->stride, stride = g->views[a->view].stride;
    if (stride != 0 && stride < size)
        return sinewi_gltf_fail(g, a->value, SINEW_ERROR_FORMAT,
                                "the elements have %zu bytes, but are %zu apart (bufferViews[%d].byteStride)", size,
                                stride, (int)a->view);
    if (stride != 0) e->stride = stride;
    return locate_elements(g, a, a->view, a->offset, e->count, size, e->stride, &e->data);
}

// ---- Components ----------------------------------------------------------------------------------------------------

static uint32_t load_u16(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t load_u32(const uint8_t *p) {
    return load_u16(p) | load_u16(p + 2) << 16;
}

static float load_f32(const uint8_t *p) {
    uint32_t bits = load_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Section 3.11: a normalized integer c becomes c / 255, max(c / 127, -1), c / 65535 or max(c / 32767, -1).
static float load_component(const uint8_t *p, sinewi_gltf_component component, bool normalized) {
    float value;
    switch (component) {
    case SINEWI_GLTF_I8:
        value = (float)(int8_t)p[0];
        if (!normalized) return value;
        return value < -127.0f ? -1.0f : value / 127.0f;
    case SINEWI_GLTF_U8:
        return normalized ? (float)p[0] / 255.0f : (float)p[0];
    case SINEWI_GLTF_I16:
        value = (float)(int16_t)load_u16(p);
        if (!normalized) return value;
        return value < -32767.0f ? -1.0f : value / 32767.0f;
    case SINEWI_GLTF_U16:
        return normalized ? (float)load_u16(p) / 65535.0f : (float)load_u16(p);
    case SINEWI_GLTF_U32:
        return (float)load_u32(p);
    case SINEWI_GLTF_F32:
        break;
    }
    return load_f32(p);
}

// Reads an element as floats. Matrices are read column by column.
static void load_element(const element_layout *e, const uint8_t *p, float *out) {
    size_t size = sinewi_gltf_component_size(e->component);
    for (int32_t column = 0; column < e->columns; column++)
        for (int32_t row = 0; row < e->rows; row++)
            *out++ = load_component(p + (size_t)column * e->column_stride + (size_t)row * size, e->component,
                                    e->normalized);
}

static uint32_t load_integer(const uint8_t *p, sinewi_gltf_component component) {
    if (component == SINEWI_GLTF_U8) return p[0];
    return component == SINEWI_GLTF_U16 ? load_u16(p) : load_u32(p);
}

// ---- Sparse substitution -------------------------------------------------------------------------------------------

typedef struct sparse_elements {
    const uint8_t *indices;
    const uint8_t *values;
    size_t element_size;
} sparse_elements;

static bool locate_sparse(sinewi_import *g, const sinewi_gltf_accessor *a, sparse_elements *s) {
    size_t index_size = sinewi_gltf_component_size(a->sparse_index_component);
    s->element_size = make_layout(a).stride;
    return locate_elements(g, a, a->sparse_index_view, a->sparse_index_offset, a->sparse_count, index_size,
                           index_size, &s->indices) &&
           locate_elements(g, a, a->sparse_value_view, a->sparse_value_offset, a->sparse_count, s->element_size,
                           s->element_size, &s->values);
}

// Returns the element that substitution i replaces. If it doesn't exist, sets the error and returns -1.
static int32_t read_sparse_target(sinewi_import *g, const sinewi_gltf_accessor *a, const sparse_elements *s,
                                  int32_t i) {
    size_t size = sinewi_gltf_component_size(a->sparse_index_component);
    uint32_t target = load_integer(s->indices + (size_t)i * size, a->sparse_index_component);
    if (target < (uint32_t)a->count) return (int32_t)target;
    sinewi_gltf_set_error(g, a->value, SINEW_ERROR_FORMAT,
                          "sparse index %d is %u, but the accessor has %d elements", (int)i, (unsigned)target,
                          (int)a->count);
    return -1;
}

// ---- Floats --------------------------------------------------------------------------------------------------------

static bool is_little_endian(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

// Returns whether the elements are tightly packed floats.
static bool are_packed_floats(const sinewi_gltf_accessor *a, const element_layout *e) {
    return a->component == SINEWI_GLTF_F32 && e->stride == sizeof(float) * (size_t)(e->columns * e->rows);
}

// Decodes all elements of an accessor and applies its sparse substitution.
static bool decode_floats(sinewi_import *g, const sinewi_gltf_accessor *a, float *out) {
    element_layout e = make_layout(a);
    if (!locate_base_elements(g, a, &e)) return false;
    size_t width = (size_t)e.columns * (size_t)e.rows;
    if (!e.data) {
        memset(out, 0, (size_t)a->count * width * sizeof *out);
    } else if (are_packed_floats(a, &e)) {
        for (size_t i = 0; i < (size_t)a->count * width; i++) out[i] = load_f32(e.data + i * sizeof *out);
    } else {
        for (int32_t i = 0; i < a->count; i++)
            load_element(&e, e.data + (size_t)i * e.stride, out + (size_t)i * width);
    }
    if (a->sparse_count == 0) return true;

    sparse_elements s;
    if (!locate_sparse(g, a, &s)) return false;
    for (int32_t i = 0; i < a->sparse_count; i++) {
        int32_t target = read_sparse_target(g, a, &s, i);
        if (target < 0) return false;
        load_element(&e, s.values + (size_t)i * s.element_size, out + (size_t)target * width);
    }
    return true;
}

// Returns whether the floats are copied later and can go to scratch memory.
static bool is_temporary(sinewi_gltf_use use) {
    return use == SINEWI_GLTF_FOR_IMPORT || use == SINEWI_GLTF_FOR_WEIGHTS || use == SINEWI_GLTF_FOR_KEYS ||
           use == SINEWI_GLTF_FOR_SCALES;
}

// Returns whether the floats only affect how a surface looks.
static bool is_of_surface(sinewi_gltf_use use) {
    return use == SINEWI_GLTF_FOR_SURFACE || use == SINEWI_GLTF_FOR_VECTORS || use == SINEWI_GLTF_FOR_NORMALS;
}

// Fails if a number isn't finite. Surface data has been cleaned up already, and gltf_influences.c repairs weights.
static bool check_finite(sinewi_import *g, const sinewi_gltf_accessor *a, sinewi_gltf_use use,
                         const float *floats) {
    size_t width = (size_t)sinewi_gltf_component_count(a->type);
    if (a->component != SINEWI_GLTF_F32 || is_of_surface(use) || use == SINEWI_GLTF_FOR_WEIGHTS) return true;
    size_t count = (size_t)a->count * width, bad = 0;
    if (isfinite(sinewi_largest_magnitude(floats, count))) return true;
    while (isfinite(floats[bad])) bad++;
    return sinewi_gltf_fail(g, a->value, SINEW_ERROR_FORMAT, "element %zu is not finite", bad / width);
}

// Sets numbers that aren't finite to 0, and logs it.
static void clear_non_finite(const sinewi_import *g, const sinewi_gltf_accessor *a, float *floats, size_t width) {
    size_t count = (size_t)a->count * width, cleared = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(floats[i])) continue;
        floats[i] = 0.0f;
        cleared++;
    }
    if (cleared > 0)
        sinewi_gltf_log(g, "accessors[%d]: %zu non-finite numbers are set to 0", (int)(a - g->accessors), cleared);
}

// Normalizes normals, so every asset has unit normals. Normals that are already unit within the file's precision keep
// their bits.
static void normalize_normals(float *normals, int32_t count) {
    for (float *n = normals, *end = normals + 3 * (size_t)count; n < end; n += 3) {
        float squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if (fabsf(squared - 1.0f) < 1e-5f || !(squared > 1e-30f)) continue;
        float scale = 1.0f / sqrtf(squared);
        for (int i = 0; i < 3; i++) n[i] *= scale;
    }
}

// Converts the floats according to their use. Leaves numbers alone that aren't vectors or scales.
static void convert_to_z_up(sinewi_gltf_use use, float *floats, size_t count, size_t width) {
    switch (use) {
    case SINEWI_GLTF_FOR_KEYS:
    case SINEWI_GLTF_FOR_VERTICES:
    case SINEWI_GLTF_FOR_VECTORS:
    case SINEWI_GLTF_FOR_NORMALS:
        sinewi_gltf_vectors_to_z_up(floats, count, width);
        return;
    case SINEWI_GLTF_FOR_SCALES:
        sinewi_gltf_scales_to_z_up(floats, count);
        return;
    case SINEWI_GLTF_FOR_IMPORT:
    case SINEWI_GLTF_FOR_WEIGHTS:
    case SINEWI_GLTF_FOR_SURFACE:
    case SINEWI_GLTF_USE_COUNT:
        return;
    }
}

// Returns a pointer to an accessor's floats in the file's bytes if the import only reads them and doesn't convert them.
// This covers most of an animation file. Sets `*out` to NULL if they must be decoded.
static bool find_floats(sinewi_import *g, const sinewi_gltf_accessor *a, sinewi_gltf_use use, const float **out) {
    *out = NULL;
    element_layout e = make_layout(a);
    bool is_converted = g->options.up == SINEW_UP_Z && use != SINEWI_GLTF_FOR_IMPORT;
    if (!is_temporary(use) || is_converted || a->sparse_count > 0 || !is_little_endian()) return true;
    if (!locate_base_elements(g, a, &e)) return false;
    if (!are_packed_floats(a, &e) || (uintptr_t)e.data % alignof(float) != 0) return true;
    *out = (const float *)(const void *)e.data;
    return true;
}

// Decodes an accessor for a use. Converts the floats to +Z up if the options ask for it.
static float *copy_floats(sinewi_import *g, const sinewi_gltf_accessor *a, sinewi_gltf_use use) {
    size_t width = (size_t)sinewi_gltf_component_count(a->type);
    sinewi_arena *arena = is_temporary(use) ? &g->scratch : g->arena;
    float *floats = (float *)sinewi_gltf_take(g, arena, (size_t)a->count, width * sizeof *floats);
    if (!floats || !decode_floats(g, a, floats)) return NULL;
    if (a->component == SINEWI_GLTF_F32 && is_of_surface(use)) clear_non_finite(g, a, floats, width);
    if (use == SINEWI_GLTF_FOR_NORMALS && width == 3) normalize_normals(floats, a->count);
    if (g->options.up == SINEW_UP_Z && width >= 3) convert_to_z_up(use, floats, (size_t)a->count, width);
    return floats;
}

// Finds or decodes an accessor's floats, once.
bool sinewi_gltf_read_floats(sinewi_import *g, int32_t accessor, sinewi_gltf_use use, const float **out) {
    sinewi_gltf_accessor *a = &g->accessors[accessor];
    *out = a->floats[use];
    if (*out) return true;
    sinewi_json_value outer = g->current;
    g->current = a->value;
    if (!find_floats(g, a, use, out)) return false;
    if (!*out) *out = copy_floats(g, a, use);
    if (!*out || !check_finite(g, a, use, *out)) return false;
    a->floats[use] = *out;
    g->current = outer;
    return true;
}

// ---- Integers ------------------------------------------------------------------------------------------------------

// Decodes all elements of an unsigned integer accessor and applies its sparse substitution.
static bool decode_integers(sinewi_import *g, const sinewi_gltf_accessor *a, uint32_t *out) {
    element_layout e = make_layout(a);
    if (!locate_base_elements(g, a, &e)) return false;
    size_t width = (size_t)e.rows, size = sinewi_gltf_component_size(a->component);
    if (!e.data) memset(out, 0, (size_t)a->count * width * sizeof *out);
    for (size_t i = 0; e.data && i < (size_t)a->count; i++)
        for (size_t k = 0; k < width; k++)
            out[i * width + k] = load_integer(e.data + i * e.stride + k * size, a->component);
    if (a->sparse_count == 0) return true;

    sparse_elements s;
    if (!locate_sparse(g, a, &s)) return false;
    for (int32_t i = 0; i < a->sparse_count; i++) {
        int32_t target = read_sparse_target(g, a, &s, i);
        if (target < 0) return false;
        for (size_t k = 0; k < width; k++)
            out[(size_t)target * width + k] =
                load_integer(s.values + (size_t)i * s.element_size + k * size, a->component);
    }
    return true;
}

// Decodes an unsigned integer accessor once, and records the largest value.
bool sinewi_gltf_read_integers(sinewi_import *g, int32_t accessor, const uint32_t **out) {
    sinewi_gltf_accessor *a = &g->accessors[accessor];
    *out = a->integers;
    if (*out) return true;
    bool is_unsigned =
        a->component == SINEWI_GLTF_U8 || a->component == SINEWI_GLTF_U16 || a->component == SINEWI_GLTF_U32;
    if (!is_unsigned || a->type >= SINEWI_GLTF_MAT2)
        return sinewi_gltf_fail(g, a->value, SINEW_ERROR_FORMAT, "the elements must be unsigned integers");
    sinewi_json_value outer = g->current;
    g->current = a->value;
    size_t width = (size_t)sinewi_gltf_component_count(a->type), total = (size_t)a->count * width;
    uint32_t *integers = (uint32_t *)sinewi_gltf_take(g, &g->scratch, (size_t)a->count, width * sizeof *integers);
    if (!integers || !decode_integers(g, a, integers)) return false;
    for (size_t i = 0; i < total; i++)
        if (integers[i] > a->largest_integer) a->largest_integer = integers[i];
    a->integers = integers;
    *out = integers;
    g->current = outer;
    return true;
}
