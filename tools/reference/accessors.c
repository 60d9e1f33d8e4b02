// SPDX-License-Identifier: MIT
// Reads accessors' elements as doubles (glTF 2.0, section 3.6.2).
#include "reference/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

// How an element's bytes are laid out.
typedef struct element {
    int component;
    bool normalized;
    int32_t columns, rows;
    int64_t column_size; // between columns; a multiple of 4 in matrices (section 3.6.2.4)
    int64_t size;
} element;

int64_t ref_component_size(int64_t component) {
    switch (component) {
    case REF_I8:
    case REF_U8:
        return 1;
    case REF_I16:
    case REF_U16:
        return 2;
    case REF_U32:
    case REF_F32:
        return 4;
    default:
        return 0;
    }
}

static bool read_element(ref_document *document, sinewi_json_value accessor, element *e) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", NULL};
    static const int32_t columns[] = {1, 1, 1, 1, 2, 3, 4}, rows[] = {1, 2, 3, 4, 2, 3, 4};
    int type = ref_word(document, accessor, "type", types, -1);
    int64_t component = ref_whole(document, accessor, "componentType", -1), size = ref_component_size(component);
    if (type < 0) return ref_fail(document, accessor, "type is missing or unknown");
    if (size == 0) return ref_fail(document, accessor, "componentType is missing or unknown");
    *e = (element){(int)component, ref_flag(document, accessor, "normalized"), columns[type], rows[type], 0, 0};
    e->column_size = size * e->rows;
    if (e->columns > 1) e->column_size = (e->column_size + 3) / 4 * 4;
    e->size = e->column_size * e->columns;
    return true;
}

// ---- Numbers -----------------------------------------------------------------------------------------------------

static uint32_t u32_of(const uint8_t *p, int64_t size) {
    uint32_t value = 0;
    for (int64_t i = size - 1; i >= 0; i--) value = value << 8 | p[i]; // little-endian (section 3.6.1.1)
    return value;
}

static double float_at(const uint8_t *p) {
    uint32_t bits = u32_of(p, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// Section 3.11: normalized integers represent c / 255, max(c / 127, -1), c / 65535, max(c / 32767, -1).
double ref_number_at(const uint8_t *p, int component, bool normalized) {
    switch (component) {
    case REF_I8:
        return normalized ? fmax((double)(int8_t)p[0] / 127.0, -1.0) : (double)(int8_t)p[0];
    case REF_U8:
        return normalized ? (double)p[0] / 255.0 : (double)p[0];
    case REF_I16: {
        double value = (double)(int16_t)u32_of(p, 2);
        return normalized ? fmax(value / 32767.0, -1.0) : value;
    }
    case REF_U16:
        return normalized ? (double)u32_of(p, 2) / 65535.0 : (double)u32_of(p, 2);
    case REF_U32:
        return (double)u32_of(p, 4);
    default:
        return float_at(p);
    }
}

static void copy_element(const element *e, const uint8_t *from, double *out) {
    for (int32_t column = 0; column < e->columns; column++) {
        for (int32_t row = 0; row < e->rows; row++) {
            const uint8_t *p = from + column * e->column_size + row * ref_component_size(e->component);
            *out++ = ref_number_at(p, e->component, e->normalized);
        }
    }
}

// ---- Elements ----------------------------------------------------------------------------------------------------

// Finds the first of `count` elements in a view, `stride` bytes apart. Unless all of them are inside the view, fills
// the error and returns NULL.
static const uint8_t *locate(ref_document *document, sinewi_json_value location, int32_t view, int64_t offset,
                             int64_t count, int64_t size, int64_t stride) {
    if (view < 0 || view >= document->views.count) {
        ref_fail(document, location, "bufferView is missing or out of range");
        return NULL;
    }
    ref_bytes bytes = document->view_bytes[view];
    if (!bytes.data) {
        ref_fail(document, location, "the bytes of bufferViews[%d] cannot be read", (int)view);
        return NULL;
    }
    // There are fewer than 2^31 elements, less than 2^31 bytes apart, and the offset is below 2^54, so this can't
    // overflow.
    uint64_t end = count > 0 ? (uint64_t)offset + (uint64_t)(count - 1) * (uint64_t)stride + (uint64_t)size : 0;
    if (offset >= 0 && end <= bytes.size) return bytes.data + (count > 0 ? offset : 0);
    ref_fail(document, location, "some elements are outside bufferViews[%d]", (int)view);
    return NULL;
}

// An accessor's elements without sparse substitution. NULL means zeros (section 5.1.1).
typedef struct source {
    const uint8_t *data;
    int64_t stride;
} source;

static bool find_base(ref_document *document, sinewi_json_value accessor, const element *e, int64_t count,
                      source *base) {
    *base = (source){NULL, 0};
    if (sinewi_json_get(&document->json, accessor, "bufferView") == SINEWI_JSON_ABSENT) return true;
    int32_t view = ref_index(document, accessor, "bufferView");
    int64_t offset = ref_whole(document, accessor, "byteOffset", 0), stride = 0;
    if (view >= 0 && view < document->views.count) stride = document->view_strides[view];
    if (stride == 0) stride = e->size;
    if (stride < e->size || stride > INT32_MAX)
        return ref_fail(document, accessor, "its bufferView's byteStride is smaller than an element, or too large");
    *base = (source){locate(document, accessor, view, offset, count, e->size, stride), stride};
    return base->data != NULL;
}

static void copy_base(const element *e, const source *base, int64_t count, double *out) {
    int64_t width = (int64_t)e->columns * e->rows;
    if (!base->data) memset(out, 0, (size_t)(count * width) * sizeof *out);
    for (int64_t i = 0; base->data && i < count; i++)
        copy_element(e, base->data + i * base->stride, out + i * width);
}

// Substitutes a sparse accessor's elements (section 3.6.2.3).
static bool substitute_sparse(ref_document *document, sinewi_json_value accessor, const element *e, int64_t count,
                              double *out) {
    sinewi_json_value sparse = sinewi_json_get(&document->json, accessor, "sparse");
    if (sparse == SINEWI_JSON_ABSENT) return true;
    sinewi_json_value indices = sinewi_json_get(&document->json, sparse, "indices");
    sinewi_json_value values = sinewi_json_get(&document->json, sparse, "values");
    int64_t replaced = ref_whole(document, sparse, "count", -1);
    int64_t component = ref_whole(document, indices, "componentType", -1), size = ref_component_size(component);
    if (replaced < 0 || replaced > count) return ref_fail(document, sparse, "count is missing or too large");
    if (replaced == 0) return true;
    if (component != REF_U8 && component != REF_U16 && component != REF_U32)
        return ref_fail(document, sparse, "the indices must be unsigned integers");
    const uint8_t *index = locate(document, sparse, ref_index(document, indices, "bufferView"),
                                  ref_whole(document, indices, "byteOffset", 0), replaced, size, size);
    if (!index) return false;
    const uint8_t *value = locate(document, sparse, ref_index(document, values, "bufferView"),
                                  ref_whole(document, values, "byteOffset", 0), replaced, e->size, e->size);
    if (!value) return false;
    for (int64_t i = 0; i < replaced; i++) {
        int64_t target = u32_of(index + i * size, size);
        if (target >= count) return ref_fail(document, sparse, "index %lld is out of range", (long long)i);
        copy_element(e, value + i * e->size, out + target * e->columns * e->rows);
    }
    return true;
}

static bool read_accessor(ref_document *document, sinewi_json_value accessor, ref_accessor *out) {
    element e = {0};
    if (!read_element(document, accessor, &e)) return false;
    int64_t count = ref_whole(document, accessor, "count", -1), width = (int64_t)e.columns * e.rows;
    if (count < 0 || count > INT32_MAX) return ref_fail(document, accessor, "count is missing or out of range");
    source base;
    if (!find_base(document, accessor, &e, count, &base)) return false;
    uint64_t numbers = (uint64_t)count * (uint64_t)width; // less than 2^35
    double *values = sinewi_arena_array(&document->arena, double, numbers < SIZE_MAX ? (size_t)numbers : SIZE_MAX);
    if (!values) return ref_fail_memory(document, accessor);
    copy_base(&e, &base, count, values);
    if (!substitute_sparse(document, accessor, &e, count, values)) return false;
    *out = (ref_accessor){(int32_t)count, (int32_t)width, e.component, e.normalized, values};
    return true;
}

bool ref_read_accessor(ref_document *document, int32_t index, ref_accessor *out) {
    if (index < 0 || index >= document->accessors.count)
        return ref_fail(document, SINEWI_JSON_ABSENT, "accessors[%d] does not exist", (int)index);
    ref_accessor *read = &document->read[index];
    if (document->unreadable[index])
        return ref_fail(document, SINEWI_JSON_ABSENT, "accessors[%d] cannot be read", (int)index);
    if (!read->values && !read_accessor(document, document->accessors.values[index], read)) {
        document->unreadable[index] = true;
        return false;
    }
    *out = *read;
    return true;
}

// ---- Key times -----------------------------------------------------------------------------------------------------

// Returns the next smaller float, skipping subnormal ones.
static double just_before(double time) {
    if (time > 0.0 && time <= (double)FLT_MIN) return 0.0;
    return time == 0.0 ? -(double)FLT_MIN : (double)nextafterf((float)time, -INFINITY);
}

bool ref_read_times(ref_document *document, int32_t index, ref_accessor *out, int32_t *repeated) {
    *repeated = -1;
    if (!ref_read_accessor(document, index, out)) return false;
    const double *stored = out->values;
    if (out->components != 1) return true;
    for (int32_t i = 1; i < out->count && *repeated < 0; i++)
        if (stored[i] == stored[i - 1]) *repeated = i - 1;
    if (*repeated < 0) return true;
    double *made = sinewi_arena_array(&document->arena, double, (size_t)out->count);
    if (!made) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    memcpy(made, stored, (size_t)out->count * sizeof *made);
    for (int32_t i = out->count - 1; i > 0; i--)
        if (stored[i - 1] <= stored[i] && !(made[i - 1] < made[i])) made[i - 1] = just_before(made[i]);
    out->values = made;
    return true;
}
