// SPDX-License-Identifier: MIT
// Reads files, and the bytes of buffers and buffer views: from the file, external, base64 or compressed (glTF 2.0,
// sections 3.6.1, 5.10 and 5.11; EXT_meshopt_compression).
#include "reference/internal.h"

#include "files/files.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

// ---- Files ---------------------------------------------------------------------------------------------------------

// Reads a file whose size is known. Returns false if it can't be read.
static bool read_file(ref_document *document, const char *path, ref_bytes *bytes) {
    size_t size;
    if (files_size(path, &size) || !ref_count_read(document, path, size)) return false;
    uint8_t *data = sinewi_arena_array(&document->arena, uint8_t, size);
    *bytes = (ref_bytes){data, size};
    return data && !files_read(path, data, size);
}

bool ref_read_file(ref_document *document, const char *path, ref_bytes *bytes) {
    errno = 0;
    if (read_file(document, path, bytes)) return true;
    document->budget.out_of_memory |= errno == ENOMEM;
    return false;
}

// ---- URIs (section 2.8) --------------------------------------------------------------------------------------------

static int digit_of(const char *digits, char c) {
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

static int hex_digit(char c) {
    return digit_of("0123456789abcdef", c >= 'A' && c <= 'F' ? (char)(c | 0x20) : c);
}

void ref_decode_percent(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? hex_digit(from[1]) : -1, low = high < 0 ? -1 : hex_digit(from[2]);
        *to++ = low < 0 ? *from : (char)(16 * high + low);
        if (low >= 0) from += 2;
    }
    *to = '\0';
}

// Returns whether a path stays inside the glTF file's folder.
static bool is_below(const char *path) {
    if (path[0] == '\0' || path[0] == '/' || strchr(path, '\\')) return false;
    if (strcspn(path, ":") < strcspn(path, "/")) return false; // a scheme or a drive
    for (const char *step = path; step; step = strchr(step, '/')) {
        if (*step == '/') step++;
        size_t length = strcspn(step, "/");
        if (length == 2 && memcmp(step, "..", 2) == 0) return false;
    }
    return true;
}

static bool read_external(ref_document *document, char *uri, ref_bytes *bytes) {
    ref_decode_percent(uri);
    if (!is_below(uri)) return false;
    size_t folder = strlen(document->folder), name = strlen(uri) + 1;
    char *path = sinewi_arena_array(&document->arena, char, folder + name);
    if (!path) return false;
    memcpy(path, document->folder, folder);
    memcpy(path + folder, uri, name);
    return ref_read_file(document, path, bytes);
}

// Decodes base64 (RFC 4648, section 4), with or without padding.
static bool decode_base64(ref_document *document, const char *text, ref_bytes *bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = strcspn(text, "=");
    uint8_t *out = sinewi_arena_array(&document->arena, uint8_t, length), *to = out;
    if (!out) return false;
    uint32_t bits = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = digit_of(digits, text[i]);
        if (digit < 0) return false;
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 0) *to++ = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    *bytes = (ref_bytes){out, (size_t)(to - out)};
    return true;
}

static bool read_uri(ref_document *document, sinewi_json_value value, ref_bytes *bytes) {
    if (sinewi_json_kind_of(&document->json, value) != SINEWI_JSON_STRING) return false;
    char *uri = sinewi_json_string(&document->json, value, &document->arena, NULL);
    if (!uri) return false;
    if (strncasecmp(uri, "data:", 5) != 0) return read_external(document, uri, bytes);
    const char *data = strstr(uri, ";base64,");
    return data && decode_base64(document, data + strlen(";base64,"), bytes);
}

// ---- Buffers -----------------------------------------------------------------------------------------------------

static ref_bytes load_buffer(ref_document *document, int32_t index) {
    const ref_bytes none = {NULL, 0};
    sinewi_json_value buffer = document->buffers.values[index];
    sinewi_json_value uri = sinewi_json_get(&document->json, buffer, "uri");
    ref_bytes bytes = none;
    if (uri == SINEWI_JSON_ABSENT && index == 0) bytes = document->bin; // section 4.4.3.3
    if (uri != SINEWI_JSON_ABSENT && !read_uri(document, uri, &bytes)) return none;
    int64_t length = ref_whole(document, buffer, "byteLength", -1);
    if (length < 0 || (uint64_t)length > bytes.size) return none;
    bytes.size = (size_t)length; // the chunk may be padded
    return bytes;
}

// Returns the bytes of a view, or of an extension with the same members.
static ref_bytes range_of(const ref_document *document, sinewi_json_value view) {
    const ref_bytes none = {NULL, 0};
    int32_t buffer = ref_index(document, view, "buffer");
    int64_t offset = ref_whole(document, view, "byteOffset", 0),
            length = ref_whole(document, view, "byteLength", -1);
    if (buffer < 0 || buffer >= document->buffers.count || offset < 0 || length < 0) return none;
    ref_bytes bytes = document->buffer_bytes[buffer];
    if (!bytes.data || (uint64_t)offset > bytes.size || (uint64_t)length > bytes.size - (uint64_t)offset)
        return none;
    return (ref_bytes){bytes.data + offset, (size_t)length};
}

// ---- Compressed views --------------------------------------------------------------------------------------------

typedef struct compression {
    int64_t count, stride;
    int mode, filter;
} compression;

// Returns whether the extension allows these parameters. Decoders never get any others.
static bool is_allowed(const compression *c) {
    if (c->count < 0 || c->stride <= 0) return false;
    switch (c->mode) {
    case SINEW_MESHOPT_ATTRIBUTES:
        if (c->stride % 4 != 0 || c->stride > 256) return false;
        break;
    case SINEW_MESHOPT_TRIANGLES:
        return (c->stride == 2 || c->stride == 4) && c->count % 3 == 0 && c->filter == SINEW_MESHOPT_FILTER_NONE;
    case SINEW_MESHOPT_INDICES:
        return (c->stride == 2 || c->stride == 4) && c->filter == SINEW_MESHOPT_FILTER_NONE;
    default:
        return false;
    }
    if (c->filter == SINEW_MESHOPT_FILTER_OCTAHEDRAL || c->filter == SINEW_MESHOPT_FILTER_COLOR)
        return c->stride == 4 || c->stride == 8;
    return c->filter == SINEW_MESHOPT_FILTER_QUATERNION ? c->stride == 8 : c->filter >= 0;
}

static ref_bytes decompress(ref_document *document, sinewi_json_value view, sinewi_json_value extension,
                            sinew_meshopt_decode decode, void *user) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES", NULL};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", NULL};
    const ref_bytes none = {NULL, 0};
    compression c = {
        .count = ref_whole(document, extension, "count", -1),
        .stride = ref_whole(document, extension, "byteStride", -1),
        .mode = ref_word(document, extension, "mode", modes, -1),
        .filter = ref_word(document, extension, "filter", filters, SINEW_MESHOPT_FILTER_NONE),
    };
    int64_t length = ref_whole(document, view, "byteLength", -1);
    ref_bytes coded = range_of(document, extension);
    if (!coded.data || !is_allowed(&c) || length < 0 || length > REF_MAX_SIZE || c.count > length / c.stride)
        return none;
    uint8_t *out = sinewi_arena_zeros(&document->arena, uint8_t, (size_t)length);
    if (!out) return none;
    if (c.count > 0 && !decode(out, (int32_t)c.count, (size_t)c.stride, coded.data, coded.size,
                               (sinew_meshopt_mode)c.mode, (sinew_meshopt_filter)c.filter, user))
        return none;
    return (ref_bytes){out, (size_t)length};
}

static ref_bytes load_view(ref_document *document, int32_t index, sinew_meshopt_decode decode, void *user) {
    sinewi_json_value view = document->views.values[index];
    sinewi_json_value extension = ref_extension(document, view, "EXT_meshopt_compression");
    if (extension == SINEWI_JSON_ABSENT) extension = ref_extension(document, view, "KHR_meshopt_compression");
    if (extension != SINEWI_JSON_ABSENT && decode) return decompress(document, view, extension, decode, user);
    return range_of(document, view); // without a decoder, use the fallback's bytes
}

bool ref_load_buffers(ref_document *document, sinew_meshopt_decode decode, void *decode_user) {
    size_t buffers = (size_t)document->buffers.count, views = (size_t)document->views.count;
    document->buffer_bytes = sinewi_arena_zeros(&document->arena, ref_bytes, buffers);
    document->view_bytes = sinewi_arena_zeros(&document->arena, ref_bytes, views);
    document->view_strides = sinewi_arena_zeros(&document->arena, int64_t, views);
    if (!document->buffer_bytes || !document->view_bytes || !document->view_strides)
        return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    for (int32_t i = 0; i < document->buffers.count; i++) document->buffer_bytes[i] = load_buffer(document, i);
    for (int32_t i = 0; i < document->views.count; i++) {
        document->view_bytes[i] = load_view(document, i, decode, decode_user);
        document->view_strides[i] = ref_whole(document, document->views.values[i], "byteStride", 0);
    }
    return true;
}
