// What of a file is loaded: all of it, or what a skin or a subtree needs. It is found on the JSON alone, before any
// bytes are read; whoever reads the file then asks here.
#include "gltf/import.h"

#include <stdio.h>

int32_t sinew_gltf_place(const sinew_gltf_values *values, int32_t index) {
    return index < 0 || !values->places ? index : values->places[index];
}

sinew_gltf_part sinew_gltf_part_of(const sinew_import *g, int32_t node) {
    return g->parts ? g->parts[node] : SINEW_GLTF_WHOLE;
}

// ---- Wanting -------------------------------------------------------------------------------------------------------

// While things are being found, what is wanted is marked by a place of 0. False when it is nothing, or was before.
static bool want(sinew_gltf_values *values, int32_t index) {
    if (index < 0 || values->places[index] == 0) return false;
    values->places[index] = 0;
    return true;
}

static bool want_texture(sinew_import *g, int32_t texture) {
    int32_t image;
    if (!want(&g->texture_values, texture)) return true;
    sinew_json_value value = g->texture_values.values[texture];
    if (!sinew_gltf_image_of_texture(g, value, NULL, &image)) return false;
    want(&g->image_values, image);
    return true;
}

static bool want_material(sinew_import *g, int32_t material) {
    int32_t texture;
    if (!want(&g->material_values, material)) return true;
    return sinew_gltf_base_color_texture(g, g->material_values.values[material], &texture) &&
           want_texture(g, texture);
}

static bool want_mesh(sinew_import *g, int32_t mesh) {
    sinew_gltf_list list;
    if (!want(&g->mesh_values, mesh)) return true;
    if (!sinew_gltf_get_list(g, g->mesh_values.values[mesh], "primitives", SINEW_JSON_OBJECT, &list)) return false;
    for (int32_t i = 0; i < list.count; i++) {
        int32_t material, count = g->material_values.count;
        if (!sinew_gltf_index(g, list.values[i], "material", count, "materials", &material)) return false;
        if (!want_material(g, material)) return false;
    }
    return true;
}

// A node that is loaded has all its ancestors, so the way up ends at the first that is known.
static void want_place(sinew_import *g, int32_t node) {
    for (; node != SINEW_NO_NODE && g->parts[node] == SINEW_GLTF_NOTHING; node = g->parents[node])
        g->parts[node] = SINEW_GLTF_PLACE;
}

static bool want_skin(sinew_import *g, int32_t skin) {
    sinew_gltf_list joints;
    if (!want(&g->skin_values, skin)) return true;
    if (!sinew_gltf_get_list(g, g->skin_values.values[skin], "joints", SINEW_JSON_NUMBER, &joints)) return false;
    for (int32_t i = 0; i < joints.count; i++) {
        int32_t node;
        if (!sinew_gltf_index_value(g, joints.values[i], g->node_values.count, "nodes", &node)) return false;
        want_place(g, node);
    }
    return true;
}

static bool want_whole(sinew_import *g, int32_t node) {
    int32_t mesh, skin, camera, light;
    sinew_json_value value = g->node_values.values[node];
    want_place(g, node);
    g->parts[node] = SINEW_GLTF_WHOLE;
    bool read = sinew_gltf_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh) &&
                sinew_gltf_index(g, value, "skin", g->skin_values.count, "skins", &skin) &&
                sinew_gltf_index(g, value, "camera", g->camera_values.count, "cameras", &camera) &&
                sinew_gltf_light_of_node(g, node, &light);
    if (!read) return false;
    want(&g->camera_values, camera);
    want(&g->light_values, light);
    return want_mesh(g, mesh) && (mesh < 0 || want_skin(g, skin));
}

// ---- What the options ask for --------------------------------------------------------------------------------------

static bool want_subtree(sinew_import *g, int32_t root) {
    // Each node has one parent, so that no more can wait than there are.
    int32_t *waiting = sinew_gltf_array(g, &g->scratch, int32_t, (size_t)g->node_values.count), count = 0;
    if (!waiting) return false;
    waiting[count++] = root;
    while (count > 0) {
        int32_t node = waiting[--count];
        sinew_json_value children = sinew_json_get(&g->json, g->node_values.values[node], "children");
        if (!want_whole(g, node)) return false;
        for (sinew_json_value e = sinew_json_first(&g->json, children); e != SINEW_JSON_ABSENT;
             e = sinew_json_following(&g->json, e))
            waiting[count++] = (int32_t)sinew_json_number(&g->json, e); // sinew_gltf_read_parents has checked them
    }
    return true;
}

static bool want_wearers(sinew_import *g, int32_t skin) {
    for (int32_t i = 0; i < g->node_values.count; i++) {
        int32_t mesh, worn;
        sinew_json_value value = g->node_values.values[i];
        if (!sinew_gltf_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh)) return false;
        if (!sinew_gltf_index(g, value, "skin", g->skin_values.count, "skins", &worn)) return false;
        if (mesh >= 0 && worn == skin && !want_whole(g, i)) return false;
    }
    return true;
}

int32_t sinew_gltf_number_of(const char *name, int32_t count) {
    if (name[0] != '#' || name[1] == '\0') return -1;
    int64_t number = 0; // grows until it is too large
    for (const char *digit = name + 1; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9') return -1;
        if (number < count) number = 10 * number + (*digit - '0');
    }
    return number < count ? (int32_t)number : -1;
}

static int32_t find(const sinew_import *g, int32_t count, const sinew_json_value *values, const char *name) {
    for (int32_t i = 0; i < count; i++) {
        sinew_json_value found = sinew_json_get(&g->json, values[i], "name");
        if (sinew_json_kind_of(&g->json, found) == SINEW_JSON_STRING && sinew_json_equals(&g->json, found, name))
            return i;
    }
    return sinew_gltf_number_of(name, count);
}

void sinew_gltf_list_names(const sinew_json *json, int32_t count, const sinew_json_value *values, char *out,
                           size_t size) {
    enum { MOST = 6 };
    size_t used = (size_t)snprintf(out, size, count > 0 ? "; there are" : "; there is none at all");
    for (int32_t i = 0; i < count && i < MOST; i++) {
        char name[40];
        sinew_json_value value = sinew_json_get(json, values[i], "name");
        const char *separator = i > 0 ? "," : "";
        if (sinew_json_kind_of(json, value) == SINEW_JSON_STRING) {
            sinew_json_quote(json, value, name, sizeof name);
            used += (size_t)snprintf(out + used, size - used, "%s '%s'", separator, name);
        } else {
            used += (size_t)snprintf(out + used, size - used, "%s #%d", separator, (int)i);
        }
    }
    if (count > MOST) snprintf(out + used, size - used, " and %d more", (int)(count - MOST));
}

static bool fail_unknown(sinew_import *g, const char *option, const char *what, const char *name, int32_t count,
                         const sinew_json_value *values) {
    char shown[80], names[SINEW_GLTF_NAMES_SIZE];
    sinew_gltf_shorten(name, shown, sizeof shown);
    sinew_gltf_list_names(&g->json, count, values, names, sizeof names);
    return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_ARGUMENT, "%s: there is no %s '%s'%s", option, what,
                           shown, names);
}

static bool find_subtree(sinew_import *g, const char *name) {
    const sinew_gltf_list *nodes = &g->node_values;
    int32_t root = find(g, nodes->count, nodes->values, name);
    if (root < 0) return fail_unknown(g, "only_subtree", "node", name, nodes->count, nodes->values);
    return want_subtree(g, root);
}

static bool find_skin(sinew_import *g, const char *name) {
    const sinew_gltf_values *skins = &g->skin_values;
    int32_t skin = find(g, skins->count, skins->values, name);
    if (skin < 0) return fail_unknown(g, "only_skin", "skin", name, skins->count, skins->values);
    return want_skin(g, skin) && want_wearers(g, skin);
}

// ---- All of it -----------------------------------------------------------------------------------------------------

static bool read_values(sinew_import *g, sinew_json_value object, const char *key, sinew_gltf_values *values) {
    sinew_gltf_list list;
    if (!sinew_gltf_get_list(g, object, key, SINEW_JSON_OBJECT, &list)) return false;
    *values = (sinew_gltf_values){.count = list.count, .values = list.values, .loaded = list.count};
    return true;
}

static bool read_lists(sinew_import *g) {
    sinew_json_value lights = sinew_gltf_extension(g, 0, "KHR_lights_punctual");
    return sinew_gltf_get_list(g, 0, "nodes", SINEW_JSON_OBJECT, &g->node_values) &&
           read_values(g, 0, "images", &g->image_values) && read_values(g, 0, "textures", &g->texture_values) &&
           read_values(g, 0, "materials", &g->material_values) && read_values(g, 0, "meshes", &g->mesh_values) &&
           read_values(g, 0, "skins", &g->skin_values) && read_values(g, 0, "cameras", &g->camera_values) &&
           read_values(g, lights, "lights", &g->light_values);
}

enum { KINDS = 7 };

static void list_kinds(sinew_import *g, sinew_gltf_values *kinds[KINDS]) {
    sinew_gltf_values *all[KINDS] = {&g->image_values, &g->texture_values, &g->material_values, &g->mesh_values,
                                     &g->skin_values,  &g->camera_values,  &g->light_values};
    for (int i = 0; i < KINDS; i++) kinds[i] = all[i];
}

static bool begin_with_nothing(sinew_import *g) {
    sinew_gltf_values *kinds[KINDS];
    list_kinds(g, kinds);
    for (int i = 0; i < KINDS; i++) {
        kinds[i]->places = sinew_gltf_array(g, &g->scratch, int32_t, (size_t)kinds[i]->count);
        if (!kinds[i]->places) return false;
        for (int32_t k = 0; k < kinds[i]->count; k++) kinds[i]->places[k] = -1;
    }
    g->parts = sinew_gltf_zeros(g, &g->scratch, sinew_gltf_part, (size_t)g->node_values.count);
    return g->parts != NULL;
}

// The marks become places.
static void number_what_is_wanted(sinew_import *g) {
    sinew_gltf_values *kinds[KINDS];
    list_kinds(g, kinds);
    for (int i = 0; i < KINDS; i++) {
        kinds[i]->loaded = 0;
        for (int32_t k = 0; k < kinds[i]->count; k++)
            if (kinds[i]->places[k] == 0) kinds[i]->places[k] = kinds[i]->loaded++;
    }
}

bool sinew_gltf_choose(sinew_import *g) {
    const char *subtree = g->options.only_subtree, *skin = g->options.only_skin;
    if (!read_lists(g) || !sinew_gltf_read_parents(g)) return false;
    if (!subtree && !skin) return true;
    if (!begin_with_nothing(g)) return false;
    if (subtree && !find_subtree(g, subtree)) return false;
    if (skin && !find_skin(g, skin)) return false;
    number_what_is_wanted(g);
    return true;
}
