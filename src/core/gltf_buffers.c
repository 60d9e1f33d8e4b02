// SPDX-License-Identifier: MIT
// Buffers and buffer views (glTF 2.0, sections 5.10 and 5.11). They are loaded on first use. Also decompresses views
// that use EXT_meshopt_compression.
//
// A view is a range of a buffer's bytes. For a compressed view, the extension specifies the buffer and range of the
// compressed bytes, and the codec's mode and filter. The view's own buffer may be a fallback without bytes. `m` holds
// these parameters. They are checked here, so the caller's decoder only sees what the format allows.
#include "core/gltf_import.h"

// ---- Compression parameters ----------------------------------------------------------------------------

// Checks that the mode allows the stride and count.
static bool check_mode(sinewi_import *g, const sinewi_gltf_meshopt *m) {
    const bool fits = m->mode == SINEW_MESHOPT_ATTRIBUTES ? m->stride % 4 == 0 && m->stride >= 4 && m->stride <= 256
                                                          : m->stride == 2 || m->stride == 4;
    if (!fits)
        return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "byteStride %zu is not allowed for its mode",
                                m->stride);
    if (m->mode == SINEW_MESHOPT_TRIANGLES && m->count % 3 != 0)
        return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "count %d is not a multiple of 3", (int)m->count);
    return true;
}

// Checks that the filter allows the stride and mode.
static bool check_filter(sinewi_import *g, const sinewi_gltf_meshopt *m) {
    bool fits = true;
    switch (m->filter) {
    case SINEW_MESHOPT_FILTER_NONE:
        return true;
    case SINEW_MESHOPT_FILTER_OCTAHEDRAL:
    case SINEW_MESHOPT_FILTER_COLOR:
        fits = m->stride == 4 || m->stride == 8;
        break;
    case SINEW_MESHOPT_FILTER_QUATERNION:
        fits = m->stride == 8;
        break;
    case SINEW_MESHOPT_FILTER_EXPONENTIAL:
        fits = m->stride % 4 == 0;
        break;
    }
    if (fits && m->mode == SINEW_MESHOPT_ATTRIBUTES) return true;
    return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT,
                            "its filter is not allowed for byteStride %zu or its mode", m->stride);
}

static bool fail_unknown(sinewi_import *g, const sinewi_gltf_meshopt *m, const char *key) {
    char quote[40];
    sinewi_json_value value = sinewi_json_get(&g->json, m->value, key);
    if (value == SINEWI_JSON_ABSENT) return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "%s is missing", key);
    sinewi_json_quote(&g->json, value, quote, sizeof quote);
    return sinewi_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED, "unknown %s \"%s\"", key, quote);
}

static bool read_mode_and_filter(sinewi_import *g, sinewi_gltf_meshopt *m) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES", NULL};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", NULL};
    int mode = -1, filter = 0;
    if (!sinewi_gltf_get_word(g, m->value, "mode", modes, &mode)) return false;
    if (!sinewi_gltf_get_word(g, m->value, "filter", filters, &filter)) return false;
    if (mode < 0) return fail_unknown(g, m, "mode");
    if (filter < 0) return fail_unknown(g, m, "filter");
    m->mode = (sinew_meshopt_mode)mode;
    m->filter = (sinew_meshopt_filter)filter;
    return true;
}

// Finds a view's compression extension. Only reads its parameters if the options have a decoder.
static bool read_meshopt_parameters(sinewi_import *g, sinewi_json_value view_value, sinewi_gltf_meshopt *m) {
    m->value = sinewi_gltf_get_extension(g, view_value, "EXT_meshopt_compression");
    if (m->value == SINEWI_JSON_ABSENT)
        m->value = sinewi_gltf_get_extension(g, view_value, "KHR_meshopt_compression");
    if (m->value == SINEWI_JSON_ABSENT || !g->options.meshopt_decode) return true;
    int64_t count = 0;
    bool read =
        sinewi_gltf_get_required_index(g, m->value, "buffer", g->buffer_values.count, "buffers", &m->buffer) &&
        sinewi_gltf_get_size(g, m->value, "byteOffset", &m->offset) &&
        sinewi_gltf_get_required_size(g, m->value, "byteLength", &m->length) &&
        sinewi_gltf_get_required_size(g, m->value, "byteStride", &m->stride) &&
        sinewi_gltf_get_required_integer(g, m->value, "count", 0, INT32_MAX, &count);
    m->count = (int32_t)count;
    return read && read_mode_and_filter(g, m) && check_mode(g, m) && check_filter(g, m);
}

// ---- Buffers and views ------------------------------------------------------------------

// Returns whether a buffer is just a fallback for readers without meshopt.
static bool has_fallback_mark(sinewi_import *g, sinewi_json_value buffer) {
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (int i = 0; i < 2; i++) {
        sinewi_json_value extension = sinewi_gltf_get_extension(g, buffer, names[i]);
        sinewi_json_value mark = sinewi_json_get(&g->json, extension, "fallback");
        if (sinewi_json_kind_of(&g->json, mark) == SINEWI_JSON_TRUE) return true;
    }
    return false;
}

static bool read_buffer(sinewi_import *g, sinewi_json_value value, sinewi_gltf_buffer *buffer) {
    buffer->fallback = has_fallback_mark(g, value);
    buffer->uri = sinewi_json_get(&g->json, value, "uri");
    return sinewi_gltf_get_required_size(g, value, "byteLength", &buffer->length);
}

static bool read_view(sinewi_import *g, sinewi_json_value value, sinewi_gltf_view *view) {
    int32_t buffers = g->buffer_values.count;
    int64_t stride = 0;
    bool read = sinewi_gltf_get_required_index(g, value, "buffer", buffers, "buffers", &view->buffer) &&
                sinewi_gltf_get_size(g, value, "byteOffset", &view->offset) &&
                sinewi_gltf_get_required_size(g, value, "byteLength", &view->length) &&
                sinewi_gltf_get_integer(g, value, "byteStride", 0, INT32_MAX, &stride) &&
                read_meshopt_parameters(g, value, &view->meshopt);
    if (!read) return false;
    view->stride = (size_t)stride;
    return true; // load_range checks that the buffer has these bytes
}

bool sinewi_gltf_read_buffers(sinewi_import *g) {
    if (!sinewi_gltf_get_list(g, 0, "buffers", SINEWI_JSON_OBJECT, &g->buffer_values)) return false;
    if (!sinewi_gltf_get_list(g, 0, "bufferViews", SINEWI_JSON_OBJECT, &g->view_values)) return false;
    size_t buffer_count = (size_t)g->buffer_values.count, view_count = (size_t)g->view_values.count;
    sinewi_gltf_buffer *buffers = sinewi_gltf_zeros(g, &g->scratch, sinewi_gltf_buffer, buffer_count);
    sinewi_gltf_view *views = sinewi_gltf_zeros(g, &g->scratch, sinewi_gltf_view, view_count);
    if (!buffers || !views) return false;

    g->buffers = buffers;
    g->views = views;
    for (size_t i = 0; i < buffer_count; i++)
        if (!read_buffer(g, g->buffer_values.values[i], &buffers[i])) return false;
    for (size_t i = 0; i < view_count; i++)
        if (!read_view(g, g->view_values.values[i], &views[i])) return false;
    return true;
}

// ---- Bytes ---------------------------------------------------------------------------------------------------------

void sinewi_gltf_release_buffers(sinewi_import *g) {
    if (!g->buffers) return;
    for (int32_t i = 0; i < g->buffer_values.count; i++) sinewi_gltf_release_bytes(g, &g->buffers[i].bytes);
}

// Finds a buffer's bytes. They are a resource, or a .glb file's binary chunk if it is the first buffer and has no uri.
static bool load_bytes(sinewi_import *g, sinewi_json_value location, int32_t index) {
    sinewi_gltf_buffer *buffer = &g->buffers[index];
    sinewi_json_value value = g->buffer_values.values[index];
    char mime[8] = "";
    if (buffer->uri != SINEWI_JSON_ABSENT)
        return sinewi_gltf_load_uri(g, buffer->uri, &g->scratch, mime, sizeof mime, &buffer->bytes);
    if (buffer->fallback)
        return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT,
                                "buffers[%d] is the fallback of meshopt-compressed data and has no bytes",
                                (int)index);
    if (index != 0 || !g->bin)
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "it has neither a uri nor a binary chunk");
    buffer->bytes.data = g->bin;
    buffer->bytes.size = g->bin_size;
    return true;
}

// Loads a buffer once and checks its length. A buffer that is too short stays loaded. Whatever needs it may be left
// out, but something else may need it again.
static bool load_buffer(sinewi_import *g, sinewi_json_value location, int32_t index) {
    sinewi_gltf_buffer *buffer = &g->buffers[index];
    sinewi_json_value outer = g->current;
    g->current = g->buffer_values.values[index];
    if (!buffer->loaded && !load_bytes(g, location, index)) return false;
    buffer->loaded = true;
    if (buffer->bytes.size < buffer->length)
        return sinewi_gltf_fail(g, g->buffer_values.values[index], SINEW_ERROR_FORMAT,
                                "should have %zu bytes and has %zu", buffer->length, buffer->bytes.size);
    g->current = outer;
    return true;
}

// Finds a range in a buffer and loads the buffer. Reports errors at `location`.
static bool load_range(sinewi_import *g, sinewi_json_value location, int32_t buffer, size_t offset, size_t length,
                       const uint8_t **data) {
    size_t buffer_length = g->buffers[buffer].length;
    if (offset > buffer_length || length > buffer_length - offset)
        return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "ends at byte %zu, but buffers[%d] has %zu",
                                offset + length, (int)buffer, buffer_length);
    if (!load_buffer(g, location, buffer)) return false;
    static const uint8_t nothing[1] = {0}; // an empty range of a buffer without bytes
    const uint8_t *bytes = g->buffers[buffer].bytes.data;
    *data = bytes ? bytes + offset : nothing;
    return true;
}

// Reports why decoding failed, because the decoder doesn't say. A stream's first byte has the codec, and the codec's
// version in its lower half.
static bool fail_decoding(sinewi_import *g, const sinewi_gltf_meshopt *m, const uint8_t *data) {
    static const struct {
        const char *name;
        unsigned head, newest; // newest version in EXT_meshopt_compression
    } codecs[] = {{"attribute", 0xA, 0}, {"triangle", 0xE, 1}, {"index", 0xD, 1}}; // by mode
    const char *name = codecs[m->mode].name;
    if (m->length == 0) return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "the view has no compressed data");
    unsigned head = data[0] >> 4, version = data[0] & 15u;
    if (head != codecs[m->mode].head)
        return sinewi_gltf_fail(
            g, m->value, SINEW_ERROR_FORMAT,
            "the data starts with byte 0x%02x, which is not a valid header for meshopt's %s codec", data[0], name);
    if (version > codecs[m->mode].newest)
        return sinewi_gltf_fail(
            g, m->value, SINEW_ERROR_UNSUPPORTED,
            "the data needs version %u of meshopt's %s codec, which the options' meshopt_decode does not support",
            version, name);
    if (m->filter == SINEW_MESHOPT_FILTER_COLOR)
        return sinewi_gltf_fail(
            g, m->value, SINEW_ERROR_UNSUPPORTED,
            "the data needs meshopt's COLOR filter, which the options' meshopt_decode does not support");
    return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT,
                            "the data is damaged: version %u of meshopt's %s codec cannot decode it", version,
                            name);
}

// Decompresses a view to scratch memory.
static bool decode_meshopt(sinewi_import *g, sinewi_gltf_view *view) {
    const sinewi_gltf_meshopt *m = &view->meshopt;
    const uint8_t *data;
    sinewi_json_value outer = g->current;
    g->current = m->value;
    if (!load_range(g, m->value, m->buffer, m->offset, m->length, &data)) return false;
    if ((size_t)m->count > view->length / m->stride)
        return sinewi_gltf_fail(g, m->value, SINEW_ERROR_FORMAT,
                                "%d elements of %zu bytes do not fit into the view's %zu bytes", (int)m->count,
                                m->stride, view->length);
    uint8_t *out = sinewi_gltf_zeros(g, &g->scratch, uint8_t, view->length);
    if (!out) return false;
    if (m->count > 0 && !g->options.meshopt_decode(out, m->count, m->stride, data, m->length, m->mode, m->filter,
                                                   g->options.meshopt_user))
        return fail_decoding(g, m, data);
    view->data = out;
    g->current = outer;
    return true;
}

// Finds a view's bytes or decompresses them.
bool sinewi_gltf_load_view(sinewi_import *g, int32_t index) {
    sinewi_gltf_view *view = &g->views[index];
    if (view->data) return true;
    if (view->meshopt.value != SINEWI_JSON_ABSENT) {
        if (g->options.meshopt_decode) return decode_meshopt(g, view);
        if (g->buffers[view->buffer].fallback && g->buffers[view->buffer].uri == SINEWI_JSON_ABSENT)
            return sinewi_gltf_fail(g, view->meshopt.value, SINEW_ERROR_UNSUPPORTED,
                                    "the view is meshopt-compressed, but no meshopt_decode is set in the options");
    }
    sinewi_json_value location = g->view_values.values[index];
    return load_range(g, location, view->buffer, view->offset, view->length, &view->data);
}
