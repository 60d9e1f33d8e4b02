// SPDX-License-Identifier: MIT
// The file's container (glTF 2.0, section 4). It is a .glb with chunks or a .gltf text, and the first bytes tell which.
// Also checks the version and the required extensions.
//
// A .glb file has a 12-byte header and then chunks: the JSON text, and optionally the binary chunk with the first
// buffer's bytes. Numbers are little-endian.
#include "core/gltf_import.h"

#include <string.h>

#define GLB_HEADER_SIZE   12
#define CHUNK_HEADER_SIZE 8
#define CHUNK_JSON        UINT32_C(0x4E4F534A)
#define CHUNK_BIN         UINT32_C(0x004E4942)

static uint32_t read_u32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Fails with a message about the whole file.
static bool fail_file(sinewi_import *g, const char *message) {
    return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_FORMAT, "%s", message);
}

static void set_text(sinewi_import *g, const uint8_t *data, size_t size) {
    while (size > 0 && data[size - 1] == '\0') size--; // some exporters pad the JSON chunk with zero bytes
    g->text = (const char *)data;
    g->text_size = size;
}

// Reads the chunk at `*offset` and advances past it.
static bool read_chunk(sinewi_import *g, const uint8_t *data, size_t size, size_t *offset, uint32_t *type,
                       const uint8_t **bytes, size_t *length) {
    if (size - *offset < CHUNK_HEADER_SIZE)
        return fail_file(g, "the .glb file is truncated: it ends inside a chunk's header");
    *length = read_u32(data + *offset);
    *type = read_u32(data + *offset + 4);
    *offset += CHUNK_HEADER_SIZE;
    if (*length > size - *offset)
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_FORMAT,
                                "a chunk of the .glb file has %zu bytes, but the file has only %zu left", *length,
                                size - *offset);
    *bytes = data + *offset;
    *offset += *length;
    return true;
}

// Finds the JSON chunk and the optional binary chunk.
static bool open_chunks(sinewi_import *g, const uint8_t *data, size_t size) {
    size_t offset = GLB_HEADER_SIZE, length;
    uint32_t type;
    const uint8_t *bytes;
    if (!read_chunk(g, data, size, &offset, &type, &bytes, &length)) return false;
    if (type != CHUNK_JSON) return fail_file(g, "the first chunk of the .glb file is not JSON");
    set_text(g, bytes, length);
    if (size - offset < CHUNK_HEADER_SIZE) return true; // no binary chunk. Ignore a partial chunk header.
    if (!read_chunk(g, data, size, &offset, &type, &bytes, &length)) return false;
    if (type == CHUNK_BIN) {
        g->bin = bytes;
        g->bin_size = length;
    }
    return true; // section 4.4.3 says to ignore chunks of other types
}

// Checks a .glb file's header and finds its chunks.
static bool open_glb(sinewi_import *g, const uint8_t *data, size_t size) {
    if (size < GLB_HEADER_SIZE) return fail_file(g, "the .glb file is truncated: it ends inside its header");
    uint32_t version = read_u32(data + 4);
    size_t length = read_u32(data + 8);
    if (version == 1)
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_UNSUPPORTED,
                                "glTF 1.0 is not supported, only glTF 2.0");
    if (version != 2)
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_UNSUPPORTED,
                                ".glb version %u is not supported, only version 2", (unsigned)version);
    if (length > size)
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_FORMAT,
                                "the .glb file is truncated: it has %zu bytes of %zu", size, length);
    if (length < GLB_HEADER_SIZE)
        return fail_file(g, "the length in the .glb file's header is shorter than the header itself");
    if (length < size) sinewi_gltf_log(g, "%zu bytes after the end of the .glb data are ignored", size - length);
    return open_chunks(g, data, length);
}

size_t sinewi_gltf_bom_size(const uint8_t *data, size_t size) {
    return size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

// Binary FBX files start with this name, and text ones with a comment.
static bool is_fbx(const uint8_t *data, size_t size) {
    static const char binary[] = "Kaydara FBX", text[] = "; FBX";
    return (size >= sizeof binary && memcmp(data, binary, sizeof binary - 1) == 0) ||
           (size >= sizeof text && memcmp(data, text, sizeof text - 1) == 0);
}

// Finds a .gltf file's JSON text. Skips a byte order mark.
static bool open_text(sinewi_import *g, const uint8_t *data, size_t size) {
    size_t mark = sinewi_gltf_bom_size(data, size);
    data += mark;
    size -= mark;
    size_t first = 0;
    while (first < size && (data[first] == ' ' || (data[first] >= '\t' && data[first] <= '\r'))) first++;
    if (first == size) return fail_file(g, "the file contains only white space");
    if (data[first] != '{')
        return fail_file(g, "the file is neither .glb (it does not start with \"glTF\") nor .gltf (nor with '{')");
    set_text(g, data, size);
    return true;
}

bool sinewi_gltf_open_container(sinewi_import *g, const uint8_t *data, size_t size) {
    if (size == 0) return fail_file(g, "the file is empty");
    if (size >= 4 && memcmp(data, "glTF", 4) == 0) return open_glb(g, data, size);
    if (is_fbx(data, size)) return fail_file(g, "the file is FBX: convert it to glTF, with Blender or FBX2glTF");
    return open_text(g, data, size);
}

// ---- Version and extensions ----------------------------------------------------------------------------------------

static bool fail_unsupported(sinewi_import *g, sinewi_json_value value, const char *message) {
    return sinewi_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED, "%s", message);
}

bool sinewi_gltf_check_version(sinewi_import *g) {
    sinewi_json_value head;
    const char *version, *min_version;
    if (!sinewi_gltf_get_object(g, 0, "asset", &head)) return false;
    if (!sinewi_gltf_get_string(g, head, "version", &g->scratch, &version)) return false;
    if (!sinewi_gltf_get_string(g, head, "minVersion", &g->scratch, &min_version)) return false;
    if (version[0] == '\0')
        return sinewi_gltf_fail(g, head, SINEW_ERROR_FORMAT, "asset.version is missing: the file is not glTF 2.0");
    sinewi_json_value location = sinewi_json_get(&g->json, head, "version");
    if (strncmp(version, "1.", 2) == 0 || strncmp(version, "0.", 2) == 0)
        return fail_unsupported(g, location, "glTF 1.0 is not supported, only glTF 2.0");
    if (strcmp(version, "2") != 0 && strncmp(version, "2.", 2) != 0)
        return fail_unsupported(g, location, "only glTF 2.0 is supported");
    if (min_version[0] != '\0' && strcmp(min_version, "2.0") != 0)
        return fail_unsupported(g, sinewi_json_get(&g->json, head, "minVersion"),
                                "the file needs a version later than glTF 2.0");
    return true;
}

// Returns whether a file that requires this extension can be loaded. The import reads it, or ignoring it doesn't affect
// motion.
static bool is_known(const char *name) {
    static const char *const known[] = {
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "KHR_xmp_json_ld",
        "KHR_materials_unlit",
        "KHR_node_visibility",
        "KHR_animation_pointer",
        "KHR_draco_mesh_compression", // nodes and clips still load without a decoder
        "VRM",                        // version 0.x
        "VRMC_vrm",
        "VRMC_springBone",
        "VRMC_springBone_extended_collider",
        "VRMC_node_constraint",
        "VRMC_vrm_animation",
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0) return true;
    // Images stay encoded in the asset. The caller decodes them.
    for (size_t i = 0; i < SINEWI_GLTF_IMAGE_EXTENSIONS; i++)
        if (strcmp(name, sinewi_gltf_image_extensions[i]) == 0) return true;
    // Other material extensions only affect how a surface looks. The base color still loads.
    return strncmp(name, "KHR_materials_", strlen("KHR_materials_")) == 0 ||
           strncmp(name, "VRMC_materials_", strlen("VRMC_materials_")) == 0;
}

static bool is_meshopt(const char *name) {
    return strcmp(name, "EXT_meshopt_compression") == 0 || strcmp(name, "KHR_meshopt_compression") == 0;
}

// Fails if the import can't do without this required extension.
static bool check_extension(sinewi_import *g, sinewi_json_value value) {
    char name[128];
    sinewi_json_quote(&g->json, value, name, sizeof name);
    if (is_meshopt(name) && g->options.meshopt_decode) return true;
    if (is_meshopt(name))
        return sinewi_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED,
                                "the file requires %s, but no meshopt_decode is set in the options", name);
    if (!is_known(name))
        return sinewi_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED,
                                "the file requires the extension %s, which is not supported", name);
    return true;
}

bool sinewi_gltf_check_extensions(sinewi_import *g) {
    sinewi_gltf_list required;
    if (!sinewi_gltf_get_list(g, 0, "extensionsRequired", SINEWI_JSON_STRING, &required)) return false;
    for (int32_t i = 0; i < required.count; i++)
        if (!check_extension(g, required.values[i])) return false;
    return true;
}
