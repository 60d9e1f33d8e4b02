// The version of the file, and the extensions that it cannot do without.
#include "gltf/import.h"

#include <string.h>

static bool unsupported(sinew_import *g, sinew_json_value value, const char *message) {
    return sinew_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED, "%s", message);
}

bool sinew_gltf_check_version(sinew_import *g) {
    sinew_json_value head;
    const char *version, *least;
    if (!sinew_gltf_object(g, 0, "asset", &head)) return false;
    if (!sinew_gltf_string(g, head, "version", &g->scratch, &version)) return false;
    if (!sinew_gltf_string(g, head, "minVersion", &g->scratch, &least)) return false;
    if (version[0] == '\0')
        return sinew_gltf_fail(g, head, SINEW_ERROR_FORMAT,
                               "asset.version is missing: this is not a glTF 2.0 file");
    sinew_json_value place = sinew_json_get(&g->json, head, "version");
    if (strncmp(version, "1.", 2) == 0 || strncmp(version, "0.", 2) == 0)
        return unsupported(g, place, "this is a glTF 1.0 file; only glTF 2.0 is read");
    if (strcmp(version, "2") != 0 && strncmp(version, "2.", 2) != 0)
        return unsupported(g, place, "only glTF 2.0 is read");
    if (least[0] != '\0' && strcmp(least, "2.0") != 0)
        return unsupported(g, sinew_json_get(&g->json, head, "minVersion"),
                           "the file needs a later version than glTF 2.0");
    return true;
}

static bool is_known(const char *name) {
    static const char *const known[] = {
        "KHR_mesh_quantization",      "KHR_texture_transform", "KHR_lights_punctual", "KHR_xmp_json_ld",
        "KHR_materials_unlit",        "KHR_node_visibility",
        "KHR_draco_mesh_compression", // without a decoder, nodes and clips load
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0) return true;
    // Images are handed over encoded: whether they can be decoded is the caller's business.
    for (size_t i = 0; i < SINEW_GLTF_IMAGE_EXTENSIONS; i++)
        if (strcmp(name, sinew_gltf_image_extensions[i]) == 0) return true;
    // The other material extensions change how a surface looks, not what moves; the base colour stands in.
    return strncmp(name, "KHR_materials_", strlen("KHR_materials_")) == 0;
}

static bool is_meshopt(const char *name) {
    return strcmp(name, "EXT_meshopt_compression") == 0 || strcmp(name, "KHR_meshopt_compression") == 0;
}

static bool check_extension(sinew_import *g, sinew_json_value value) {
    char name[128];
    sinew_json_quote(&g->json, value, name, sizeof name);
    if (is_meshopt(name) && g->options.meshopt_decode) return true;
    if (is_meshopt(name))
        return sinew_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED,
                               "the file needs %s, and the options have no meshopt_decode", name);
    if (!is_known(name))
        return sinew_gltf_fail(g, value, SINEW_ERROR_UNSUPPORTED,
                               "the file needs the extension %s, which is not known", name);
    return true;
}

bool sinew_gltf_check_extensions(sinew_import *g) {
    sinew_gltf_list required;
    if (!sinew_gltf_get_list(g, 0, "extensionsRequired", SINEW_JSON_STRING, &required)) return false;
    for (int32_t i = 0; i < required.count; i++)
        if (!check_extension(g, required.values[i])) return false;
    return true;
}
