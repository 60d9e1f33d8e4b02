// Buffers and buffer views (glTF 2.0, section 5.10 and 5.11), loaded when something first reads them.
#include "gltf/import.h"

static bool has_fallback_mark(sinew_import *g, sinew_json_value buffer) {
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    for (int i = 0; i < 2; i++) {
        sinew_json_value extension = sinew_gltf_extension(g, buffer, names[i]);
        sinew_json_value mark = sinew_json_get(&g->json, extension, "fallback");
        if (sinew_json_kind_of(&g->json, mark) == SINEW_JSON_TRUE) return true;
    }
    return false;
}

static bool read_buffer(sinew_import *g, sinew_json_value value, sinew_gltf_buffer *buffer) {
    buffer->fallback = has_fallback_mark(g, value);
    buffer->uri = sinew_json_get(&g->json, value, "uri");
    return sinew_gltf_required_size(g, value, "byteLength", &buffer->length);
}

static bool read_view(sinew_import *g, sinew_json_value value, sinew_gltf_view *view) {
    int32_t buffers = g->buffer_values.count;
    int64_t stride = 0;
    bool read = sinew_gltf_required_index(g, value, "buffer", buffers, "buffers", &view->buffer) &&
                sinew_gltf_size(g, value, "byteOffset", &view->offset) &&
                sinew_gltf_required_size(g, value, "byteLength", &view->length) &&
                sinew_gltf_integer(g, value, "byteStride", 0, INT32_MAX, &stride) &&
                sinew_gltf_read_meshopt(g, value, &view->meshopt);
    if (!read) return false;
    view->stride = (size_t)stride;
    return true; // whether the buffer has these bytes is seen when they are read
}

bool sinew_gltf_read_buffers(sinew_import *g) {
    if (!sinew_gltf_get_list(g, 0, "buffers", SINEW_JSON_OBJECT, &g->buffer_values)) return false;
    if (!sinew_gltf_get_list(g, 0, "bufferViews", SINEW_JSON_OBJECT, &g->view_values)) return false;
    size_t buffer_count = (size_t)g->buffer_values.count, view_count = (size_t)g->view_values.count;
    sinew_gltf_buffer *buffers = sinew_gltf_zeros(g, &g->scratch, sinew_gltf_buffer, buffer_count);
    sinew_gltf_view *views = sinew_gltf_zeros(g, &g->scratch, sinew_gltf_view, view_count);
    if (!buffers || !views) return false;

    g->buffers = buffers;
    g->views = views;
    for (size_t i = 0; i < buffer_count; i++)
        if (!read_buffer(g, g->buffer_values.values[i], &buffers[i])) return false;
    for (size_t i = 0; i < view_count; i++)
        if (!read_view(g, g->view_values.values[i], &views[i])) return false;
    return true;
}

void sinew_gltf_release_buffers(sinew_import *g) {
    if (!g->buffers) return;
    for (int32_t i = 0; i < g->buffer_values.count; i++) sinew_gltf_give_back(g, &g->buffers[i].bytes);
}

static bool load_bytes(sinew_import *g, sinew_json_value place, int32_t index) {
    sinew_gltf_buffer *buffer = &g->buffers[index];
    sinew_json_value value = g->buffer_values.values[index];
    char mime[8] = "";
    if (buffer->uri != SINEW_JSON_ABSENT)
        return sinew_gltf_load_uri(g, buffer->uri, &g->scratch, mime, sizeof mime, &buffer->bytes);
    if (buffer->fallback)
        return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT,
                               "buffers[%d] only stands in for meshopt-compressed data", (int)index);
    if (index != 0 || !g->bin)
        return sinew_gltf_fail(g, value, SINEW_ERROR_FORMAT,
                               "there is neither a uri nor a binary chunk that would hold its bytes");
    buffer->bytes.data = g->bin;
    buffer->bytes.size = g->bin_size;
    return true;
}

static bool load_buffer(sinew_import *g, sinew_json_value place, int32_t index) {
    sinew_gltf_buffer *buffer = &g->buffers[index];
    if (buffer->loaded) return true;
    sinew_json_value outer = g->at;
    g->at = g->buffer_values.values[index];
    if (!load_bytes(g, place, index)) return false;
    if (buffer->bytes.size < buffer->length)
        return sinew_gltf_fail(g, g->buffer_values.values[index], SINEW_ERROR_FORMAT,
                               "should have %zu bytes and has %zu", buffer->length, buffer->bytes.size);
    buffer->loaded = true;
    g->at = outer;
    return true;
}

bool sinew_gltf_buffer_range(sinew_import *g, sinew_json_value place, int32_t buffer, size_t offset, size_t length,
                             const uint8_t **data) {
    size_t buffer_length = g->buffers[buffer].length;
    if (offset > buffer_length || length > buffer_length - offset)
        return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "ends at byte %zu, but buffers[%d] has %zu",
                               offset + length, (int)buffer, buffer_length);
    if (!load_buffer(g, place, buffer)) return false;
    static const uint8_t nothing[1] = {0}; // a range of no bytes may come from a buffer that has none
    const uint8_t *bytes = g->buffers[buffer].bytes.data;
    *data = bytes ? bytes + offset : nothing;
    return true;
}

bool sinew_gltf_load_view(sinew_import *g, int32_t index) {
    sinew_gltf_view *view = &g->views[index];
    if (view->data) return true;
    if (view->meshopt.value != SINEW_JSON_ABSENT) {
        if (g->options.meshopt_decode) return sinew_gltf_decode_meshopt(g, view);
        if (g->buffers[view->buffer].fallback && g->buffers[view->buffer].uri == SINEW_JSON_ABSENT)
            return sinew_gltf_fail(g, view->meshopt.value, SINEW_ERROR_UNSUPPORTED,
                                   "this is meshopt-compressed, and the options have no meshopt_decode");
    }
    sinew_json_value place = g->view_values.values[index];
    return sinew_gltf_buffer_range(g, place, view->buffer, view->offset, view->length, &view->data);
}
