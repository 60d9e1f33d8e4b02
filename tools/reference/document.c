// SPDX-License-Identifier: MIT
// Opens a document: its container, JSON and top-level arrays. Lists the files that a glTF file names.
#include "reference/internal.h"

#include <string.h>
#include <strings.h>

// ---- The container (section 4) -------------------------------------------------------------------------------------

static uint32_t u32_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Reads the chunk at `*offset` and advances `*offset` past it, if it has this type and is inside the file.
static bool take_chunk(ref_bytes file, size_t *offset, uint32_t type, ref_bytes *chunk) {
    if (file.size - *offset < 8 || u32_at(file.data + *offset + 4) != type) return false;
    size_t size = u32_at(file.data + *offset);
    if (size > file.size - *offset - 8) return false;
    *chunk = (ref_bytes){file.data + *offset + 8, size};
    *offset += 8 + size;
    return true;
}

static bool open_container(ref_document *document, ref_bytes file) {
    ref_bytes text = file;
    document->binary = file.size >= 12 && memcmp(file.data, "glTF", 4) == 0;
    if (document->binary) {
        size_t offset = 12;
        if (!take_chunk(file, &offset, UINT32_C(0x4E4F534A), &text)) // "JSON"
            return ref_fail(document, SINEWI_JSON_ABSENT, "the .glb file has no JSON chunk");
        take_chunk(file, &offset, UINT32_C(0x004E4942), &document->bin);       // "BIN"; may be missing
        while (text.size > 0 && text.data[text.size - 1] == '\0') text.size--; // some exporters pad with zero bytes
    } else if (file.size >= 3 && memcmp(file.data, "\xEF\xBB\xBF", 3) == 0) {  // a byte order mark
        text = (ref_bytes){file.data + 3, file.size - 3};
    }
    document->text = (const char *)text.data;
    document->text_size = text.size;
    return true;
}

static bool parse(ref_document *document) {
    sinewi_json_problem problem;
    sinew_result result =
        sinewi_json_parse(&document->json, document->text, document->text_size, &document->arena, &problem);
    if (result == SINEW_OK)
        return sinewi_json_index(&document->json, &document->arena) ||
               ref_fail_memory(document, SINEWI_JSON_ABSENT);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    return ref_fail(document, SINEWI_JSON_ABSENT, "JSON, byte %zu: %s", problem.offset, problem.what);
}

static bool list_sections(ref_document *document) {
    struct {
        const char *name;
        ref_list *list;
    } sections[] = {
        {"buffers", &document->buffers},     {"bufferViews", &document->views},
        {"accessors", &document->accessors}, {"images", &document->images},
        {"textures", &document->textures},   {"materials", &document->materials},
        {"meshes", &document->meshes},       {"nodes", &document->nodes},
        {"skins", &document->skins},         {"animations", &document->animations},
        {"scenes", &document->scenes},       {"cameras", &document->cameras},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        *sections[i].list = ref_elements(document, 0, sections[i].name);
        if (!sections[i].list->values) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    }
    document->read = sinewi_arena_zeros(&document->arena, ref_accessor, (size_t)document->accessors.count);
    document->unreadable = sinewi_arena_zeros(&document->arena, bool, (size_t)document->accessors.count);
    return (document->read && document->unreadable) || ref_fail_memory(document, SINEWI_JSON_ABSENT);
}

// ---- Files -------------------------------------------------------------------------------------------------------

static const char *folder_of(ref_document *document, const char *path) {
    const char *slash = strrchr(path, '/');
    return sinewi_arena_string(&document->arena, path, slash ? (size_t)(slash + 1 - path) : 0);
}

static bool open_file(ref_document *document, const char *path, ref_bytes file) {
    document->folder = folder_of(document, path);
    if (!document->folder) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    return open_container(document, file) && parse(document);
}

static bool open_json(ref_document *document, const char *path) {
    memset(document, 0, sizeof *document);
    ref_budget_begin(document);
    ref_bytes file;
    if (!ref_read_file(document, path, &file))
        return ref_fail(document, SINEWI_JSON_ABSENT, "%s: the file cannot be read", path);
    return open_file(document, path, file);
}

bool ref_open(ref_document *document, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    return open_json(document, path) && list_sections(document) &&
           ref_load_buffers(document, decode, decode_user) && ref_within_budget(document);
}

bool ref_open_bytes(ref_document *document, const char *path, const void *data, size_t size,
                    sinew_meshopt_decode decode, void *decode_user) {
    memset(document, 0, sizeof *document);
    ref_budget_begin(document);
    if (!ref_count_read(document, path, size)) return ref_fail_memory(document, SINEWI_JSON_ABSENT);
    return open_file(document, path, (ref_bytes){data, size}) && list_sections(document) &&
           ref_load_buffers(document, decode, decode_user) && ref_within_budget(document);
}

void ref_close(ref_document *document) {
    sinewi_arena_free(&document->arena);
}

// ---- The files that a glTF file names ------------------------------------------------------------------------------

// Returns `folder` followed by `name`, or NULL if memory runs out.
static char *join(ref_document *document, const char *folder, size_t folder_length, const char *name) {
    const size_t name_size = strlen(name) + 1;
    char *path = sinewi_arena_array(&document->arena, char, folder_length + name_size);
    if (!path) return NULL;
    memcpy(path, folder, folder_length);
    memcpy(path + folder_length, name, name_size);
    return path;
}

// Returns a path's sidecar file: Fox.markers.json for Fox.glb.
static char *sidecar_of(ref_document *document, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return join(document, path, dot ? (size_t)(dot - path) : strlen(path), ".markers.json");
}

static bool is_uri(const sinewi_json *json, sinewi_json_value value) {
    const sinewi_json_value key = sinewi_json_key_of(json, value);
    return json->nodes[value].kind == SINEWI_JSON_STRING && key != SINEWI_JSON_ABSENT &&
           sinewi_json_equals(json, key, "uri");
}

static bool is_data(const sinewi_json *json, sinewi_json_value uri) {
    const sinewi_json_node *node = &json->nodes[uri];
    return node->end - node->start >= 5 && strncasecmp(json->text + node->start, "data:", 5) == 0;
}

static bool visit_uri(ref_document *document, sinewi_json_value value, ref_visit_file visit, void *user) {
    char *uri = sinewi_json_string(&document->json, value, &document->arena, NULL);
    if (!uri) return false;
    ref_decode_percent(uri);
    const char *path = join(document, document->folder, strlen(document->folder), uri);
    return path && visit(path, user);
}

bool ref_visit_files(const char *path, ref_visit_file visit, void *user) {
    ref_document document;
    const bool parsed = open_json(&document, path);
    const char *sidecar = sidecar_of(&document, path);
    bool good = sidecar && visit(path, user) && visit(sidecar, user);
    for (int32_t i = 0; good && parsed && i < document.json.node_count; i++) {
        if (is_uri(&document.json, i) && !is_data(&document.json, i)) good = visit_uri(&document, i, visit, user);
    }
    ref_close(&document);
    return good;
}
