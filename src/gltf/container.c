// The container: a .glb with its chunks, or a .gltf text, told apart by the first bytes (glTF 2.0, section 4).
#include "gltf/import.h"

#include <string.h>

#define GLB_HEADER_SIZE 12
#define CHUNK_HEAD_SIZE 8
#define CHUNK_JSON      UINT32_C(0x4E4F534A)
#define CHUNK_BIN       UINT32_C(0x004E4942)

static uint32_t read_u32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool bad_file(sinew_import *g, const char *message) {
    return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_FORMAT, "%s", message);
}

static void set_text(sinew_import *g, const uint8_t *data, size_t size) {
    while (size > 0 && data[size - 1] == '\0') size--; // some exporters pad the JSON chunk with zeros
    g->text = (const char *)data;
    g->text_size = size;
}

// One chunk at `*at`, which moves behind it.
static bool next_chunk(sinew_import *g, const uint8_t *data, size_t size, size_t *at, uint32_t *type,
                       const uint8_t **bytes, size_t *length) {
    if (size - *at < CHUNK_HEAD_SIZE)
        return bad_file(g, "the .glb file ends inside a chunk's head: it is truncated");
    *length = read_u32(data + *at);
    *type = read_u32(data + *at + 4);
    *at += CHUNK_HEAD_SIZE;
    if (*length > size - *at)
        return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_FORMAT,
                               "a chunk of the .glb file has %zu bytes, but only %zu are left", *length,
                               size - *at);
    *bytes = data + *at;
    *at += *length;
    return true;
}

static bool open_chunks(sinew_import *g, const uint8_t *data, size_t size) {
    size_t at = GLB_HEADER_SIZE, length;
    uint32_t type;
    const uint8_t *bytes;
    if (!next_chunk(g, data, size, &at, &type, &bytes, &length)) return false;
    if (type != CHUNK_JSON) return bad_file(g, "the first chunk of the .glb file is not JSON");
    set_text(g, bytes, length);
    if (size - at < CHUNK_HEAD_SIZE) return true; // no binary chunk; stray bytes behind the last one do no harm
    if (!next_chunk(g, data, size, &at, &type, &bytes, &length)) return false;
    if (type == CHUNK_BIN) {
        g->bin = bytes;
        g->bin_size = length;
    }
    return true; // chunks of other kinds are to be ignored
}

static bool open_glb(sinew_import *g, const uint8_t *data, size_t size) {
    if (size < GLB_HEADER_SIZE) return bad_file(g, "the .glb file ends inside its head: it is truncated");
    uint32_t version = read_u32(data + 4);
    size_t length = read_u32(data + 8);
    if (version == 1)
        return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_UNSUPPORTED,
                               "this is a glTF 1.0 file; only glTF 2.0 is read");
    if (version != 2)
        return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_UNSUPPORTED,
                               "the .glb file is of version %u; only version 2 is read", (unsigned)version);
    if (length > size)
        return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_FORMAT,
                               "the .glb file is truncated: it should have %zu bytes and has %zu", length, size);
    if (length < GLB_HEADER_SIZE) return bad_file(g, "the .glb file says that it is shorter than its own head");
    if (length < size) sinew_gltf_log(g, "%zu bytes behind the end of the .glb file are ignored", size - length);
    return open_chunks(g, data, length);
}

size_t sinew_gltf_mark_size(const uint8_t *data, size_t size) {
    return size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static bool open_text(sinew_import *g, const uint8_t *data, size_t size) {
    size_t mark = sinew_gltf_mark_size(data, size);
    data += mark;
    size -= mark;
    size_t first = 0;
    while (first < size && (data[first] == ' ' || (data[first] >= '\t' && data[first] <= '\r'))) first++;
    if (first == size) return bad_file(g, "the file holds nothing but space");
    if (data[first] != '{')
        return bad_file(g, "the file is neither .glb (it does not begin with \"glTF\") nor .gltf (nor with '{')");
    set_text(g, data, size);
    return true;
}

bool sinew_gltf_open_container(sinew_import *g, const uint8_t *data, size_t size) {
    if (size == 0) return bad_file(g, "the file is empty");
    if (size >= 4 && memcmp(data, "glTF", 4) == 0) return open_glb(g, data, size);
    return open_text(g, data, size);
}
