// Which files a glTF file consists of, from its JSON alone.
#include "reference/files.h"

#include "reference/internal.h"

#include <string.h>
#include <strings.h>

// `folder` with `name` behind it, or NULL when memory runs out.
static char *join(ref_document *document, const char *folder, size_t folder_length, const char *name) {
    const size_t name_size = strlen(name) + 1;
    char *path = sinew_arena_array(&document->arena, char, folder_length + name_size);
    if (!path) return NULL;
    memcpy(path, folder, folder_length);
    memcpy(path + folder_length, name, name_size);
    return path;
}

// Fox.markers.json for Fox.glb.
static char *sidecar_of(ref_document *document, const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return join(document, path, dot ? (size_t)(dot - path) : strlen(path), ".markers.json");
}

static bool is_uri(const sinew_json *json, sinew_json_value value) {
    const sinew_json_value key = json->nodes[value].parent;
    return json->nodes[value].kind == SINEW_JSON_STRING && key > 0 && json->nodes[key].kind == SINEW_JSON_STRING &&
           sinew_json_equals(json, key, "uri");
}

static bool is_data(const sinew_json *json, sinew_json_value uri) {
    const sinew_json_node *node = &json->nodes[uri];
    return node->end - node->start >= 5 && strncasecmp(json->text + node->start, "data:", 5) == 0;
}

static bool visit_uri(ref_document *document, sinew_json_value value, ref_visit_file visit, void *user) {
    char *uri = sinew_json_string(&document->json, value, &document->arena, NULL);
    if (!uri) return false;
    ref_decode_percent(uri);
    const char *path = join(document, document->folder, strlen(document->folder), uri);
    return path && visit(path, user);
}

bool ref_visit_files(const char *path, ref_visit_file visit, void *user) {
    ref_document document;
    const bool parsed = ref_open_json(&document, path);
    const char *sidecar = sidecar_of(&document, path);
    bool good = sidecar && visit(path, user) && visit(sidecar, user);
    for (int32_t i = 0; good && parsed && i < document.json.node_count; i++) {
        if (is_uri(&document.json, i) && !is_data(&document.json, i)) good = visit_uri(&document, i, visit, user);
    }
    ref_close(&document);
    return good;
}
