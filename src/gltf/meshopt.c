// Buffer views compressed by EXT_meshopt_compression: what the extension says is checked here, so that a decoder
// meets only what its format allows; the decoding itself is the caller's.
#include "gltf/import.h"

static bool check_mode(sinew_import *g, const sinew_gltf_meshopt *m) {
    bool fits = m->mode == SINEW_MESHOPT_ATTRIBUTES ? m->stride % 4 == 0 && m->stride >= 4 && m->stride <= 256
                                                    : m->stride == 2 || m->stride == 4;
    if (!fits)
        return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "byteStride %zu does not fit its mode", m->stride);
    if (m->mode == SINEW_MESHOPT_TRIANGLES && m->count % 3 != 0)
        return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "count %zu is not a multiple of 3", m->count);
    return true;
}

static bool check_filter(sinew_import *g, const sinew_gltf_meshopt *m) {
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
    return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "its filter does not fit byteStride %zu or its mode",
                           m->stride);
}

static bool fail_unknown(sinew_import *g, const sinew_gltf_meshopt *m, const char *key) {
    char quote[40];
    sinew_json_value value = sinew_json_get(&g->json, m->value, key);
    if (value == SINEW_JSON_ABSENT) return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "%s is missing", key);
    sinew_json_quote(&g->json, value, quote, sizeof quote);
    return sinew_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED, "the %s \"%s\" is not known", key, quote);
}

static bool read_words(sinew_import *g, sinew_gltf_meshopt *m) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES", NULL};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", NULL};
    int mode = -1, filter = 0;
    if (!sinew_gltf_word(g, m->value, "mode", modes, &mode)) return false;
    if (!sinew_gltf_word(g, m->value, "filter", filters, &filter)) return false;
    if (mode < 0) return fail_unknown(g, m, "mode");
    if (filter < 0) return fail_unknown(g, m, "filter");
    m->mode = (sinew_meshopt_mode)mode;
    m->filter = (sinew_meshopt_filter)filter;
    return true;
}

bool sinew_gltf_read_meshopt(sinew_import *g, sinew_json_value view_value, sinew_gltf_meshopt *m) {
    m->value = sinew_gltf_extension(g, view_value, "EXT_meshopt_compression");
    if (m->value == SINEW_JSON_ABSENT) m->value = sinew_gltf_extension(g, view_value, "KHR_meshopt_compression");
    if (m->value == SINEW_JSON_ABSENT || !g->options.meshopt_decode) return true;
    return sinew_gltf_required_index(g, m->value, "buffer", g->buffer_values.count, "buffers", &m->buffer) &&
           sinew_gltf_size(g, m->value, "byteOffset", &m->offset) &&
           sinew_gltf_required_size(g, m->value, "byteLength", &m->length) &&
           sinew_gltf_required_size(g, m->value, "byteStride", &m->stride) &&
           sinew_gltf_required_size(g, m->value, "count", &m->count) && read_words(g, m) && check_mode(g, m) &&
           check_filter(g, m);
}

// Every stream begins with a byte that has its codec and, in the lower half, the codec's version. A decoder only says
// that it failed; that byte says whether it could have been expected not to.
static bool fail_undecoded(sinew_import *g, const sinew_gltf_meshopt *m, const uint8_t *data) {
    static const struct {
        const char *name;
        unsigned head, newest; // version that EXT_meshopt_compression has
    } codecs[] = {{"attribute", 0xA, 0}, {"triangle", 0xE, 1}, {"index", 0xD, 1}}; // by mode
    const char *name = codecs[m->mode].name;
    if (m->length == 0) return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT, "there are no bytes to decode");
    unsigned head = data[0] >> 4, version = data[0] & 15u;
    if (head != codecs[m->mode].head)
        return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT,
                               "the data begin with the byte 0x%02x, which is no head of meshopt's %s codec",
                               data[0], name);
    if (version > codecs[m->mode].newest)
        return sinew_gltf_fail(
            g, m->value, SINEW_ERROR_UNSUPPORTED,
            "the data need version %u of meshopt's %s codec, and the decoder that was given does "
            "not have it",
            version, name);
    if (m->filter == SINEW_MESHOPT_FILTER_COLOR)
        return sinew_gltf_fail(
            g, m->value, SINEW_ERROR_UNSUPPORTED,
            "the data need meshopt's COLOR filter, and the decoder that was given does not have it");
    return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT,
                           "the data cannot be decoded by version %u of meshopt's %s codec: they are damaged",
                           version, name);
}

bool sinew_gltf_decode_meshopt(sinew_import *g, sinew_gltf_view *view) {
    const sinew_gltf_meshopt *m = &view->meshopt;
    const uint8_t *data;
    sinew_json_value outer = g->at;
    g->at = m->value;
    if (!sinew_gltf_buffer_range(g, m->value, m->buffer, m->offset, m->length, &data)) return false;
    if (m->count > view->length / m->stride)
        return sinew_gltf_fail(g, m->value, SINEW_ERROR_FORMAT,
                               "%zu elements of %zu bytes do not fit into the view's %zu bytes", m->count,
                               m->stride, view->length);
    uint8_t *out = sinew_gltf_zeros(g, &g->scratch, uint8_t, view->length);
    if (!out) return false;
    if (m->count > 0 && !g->options.meshopt_decode(out, m->count, m->stride, data, m->length, m->mode, m->filter,
                                                   g->options.meshopt_user))
        return fail_undecoded(g, m, data);
    view->data = out;
    g->at = outer;
    return true;
}
