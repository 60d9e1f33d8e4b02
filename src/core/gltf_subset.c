// SPDX-License-Identifier: MIT
// Selects which part of a file to load: all of it, or what a skin or subtree needs (the options only_skin and
// only_subtree).
//
// This only uses the JSON and runs before reading any bytes. An element is selected if the asset will have it. A node
// is selected whole, or only by its transform if it is a joint or an ancestor (see sinewi_gltf_part). Readers query the
// selection with sinewi_gltf_loaded_index and sinewi_gltf_part_of.
#include "core/gltf_import.h"

// ---- Selecting -----------------------------------------------------------------------------------------------------

// Marks an element as selected with an index of 0. number_selected replaces it later. Returns false for -1, or if the
// element is already selected.
static bool mark_selected(sinewi_gltf_values *values, int32_t index) {
    if (index < 0 || values->loaded_indices[index] == 0) return false;
    values->loaded_indices[index] = 0;
    return true;
}

// Selects a texture and its image. -1 for no texture.
static bool select_texture(sinewi_import *g, int32_t texture) {
    int32_t image;
    if (!mark_selected(&g->texture_values, texture)) return true;
    sinewi_json_value value = g->texture_values.values[texture];
    if (!sinewi_gltf_image_of_texture(g, value, NULL, &image)) return false;
    mark_selected(&g->image_values, image);
    return true;
}

static bool select_material(sinewi_import *g, int32_t material) {
    int32_t texture;
    if (!mark_selected(&g->material_values, material)) return true;
    return sinewi_gltf_base_color_texture(g, g->material_values.values[material], &texture) &&
           select_texture(g, texture);
}

static bool select_mesh(sinewi_import *g, int32_t mesh) {
    sinewi_gltf_list list;
    if (!mark_selected(&g->mesh_values, mesh)) return true;
    if (!sinewi_gltf_get_list(g, g->mesh_values.values[mesh], "primitives", SINEWI_JSON_OBJECT, &list))
        return false;
    for (int32_t i = 0; i < list.count; i++) {
        int32_t material, count = g->material_values.count;
        if (!sinewi_gltf_get_index(g, list.values[i], "material", count, "materials", &material)) return false;
        if (!select_material(g, material)) return false;
    }
    return true;
}

// Selects the transforms of a node and its ancestors. A selected node's ancestors are already selected, so this stops
// at the first one.
static void select_transform(sinewi_import *g, int32_t node) {
    for (; node != SINEW_NO_NODE && g->parts[node] == SINEWI_GLTF_PART_NONE; node = g->parents[node])
        g->parts[node] = SINEWI_GLTF_PART_TRANSFORM;
}

// Selects a skin and its joints' transforms.
static bool select_skin(sinewi_import *g, int32_t skin) {
    sinewi_gltf_list joints;
    if (!mark_selected(&g->skin_values, skin)) return true;
    if (!sinewi_gltf_get_list(g, g->skin_values.values[skin], "joints", SINEWI_JSON_NUMBER, &joints)) return false;
    for (int32_t i = 0; i < joints.count; i++) {
        int32_t node;
        if (!sinewi_gltf_check_index(g, joints.values[i], g->node_values.count, "nodes", &node)) return false;
        select_transform(g, node);
    }
    return true;
}

// Selects a whole node with its mesh, skin, camera and light, and its ancestors' transforms.
static bool select_node(sinewi_import *g, int32_t node) {
    int32_t mesh, skin, camera, light;
    sinewi_json_value value = g->node_values.values[node];
    select_transform(g, node);
    g->parts[node] = SINEWI_GLTF_PART_ALL;
    bool read = sinewi_gltf_get_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh) &&
                sinewi_gltf_get_index(g, value, "skin", g->skin_values.count, "skins", &skin) &&
                sinewi_gltf_get_index(g, value, "camera", g->camera_values.count, "cameras", &camera) &&
                sinewi_gltf_light_of_node(g, node, &light);
    if (!read) return false;
    mark_selected(&g->camera_values, camera);
    mark_selected(&g->light_values, light);
    return select_mesh(g, mesh) && (mesh < 0 || select_skin(g, skin));
}

// ---- The options ---------------------------------------------------------------------------------------------------

// Selects a node and all its descendants whole.
static bool select_subtree(sinewi_import *g, int32_t root) {
    // Each node has one parent, so it enters the stack once.
    int32_t *stack = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)g->node_values.count), count = 0;
    if (!stack) return false;
    stack[count++] = root;
    while (count > 0) {
        int32_t node = stack[--count];
        sinewi_json_value children = sinewi_json_get(&g->json, g->node_values.values[node], "children");
        if (!select_node(g, node)) return false;
        for (sinewi_json_value e = sinewi_json_first(&g->json, children); e != SINEWI_JSON_ABSENT;
             e = sinewi_json_following(&g->json, e))
            stack[count++] = (int32_t)sinewi_json_number(&g->json, e); // sinewi_gltf_read_parents has checked this
    }
    return true;
}

// Selects the nodes that carry a mesh with this skin.
static bool select_nodes_with_skin(sinewi_import *g, int32_t skin) {
    for (int32_t i = 0; i < g->node_values.count; i++) {
        int32_t mesh, node_skin;
        sinewi_json_value value = g->node_values.values[i];
        if (!sinewi_gltf_get_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh)) return false;
        if (!sinewi_gltf_get_index(g, value, "skin", g->skin_values.count, "skins", &node_skin)) return false;
        if (mesh >= 0 && node_skin == skin && !select_node(g, i)) return false;
    }
    return true;
}

// Finds the first element with a name, or one by an index such as "#3". Returns -1 if it doesn't exist.
static int32_t find_by_name(const sinewi_import *g, int32_t count, const sinewi_json_value *values,
                            const char *name) {
    for (int32_t i = 0; i < count; i++) {
        sinewi_json_value found = sinewi_json_get(&g->json, values[i], "name");
        if (sinewi_json_kind_of(&g->json, found) == SINEWI_JSON_STRING && sinewi_json_equals(&g->json, found, name))
            return i;
    }
    return sinewi_gltf_index_from_name(name, count);
}

static bool fail_unknown(sinewi_import *g, const char *option, const char *kind, const char *name, int32_t count,
                         const sinewi_json_value *values) {
    char shown[80], names[SINEWI_GLTF_NAMES_SIZE];
    sinewi_shorten(name, shown, sizeof shown);
    sinewi_gltf_list_names(&g->json, count, values, names, sizeof names);
    return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_ARGUMENT, "%s: there is no %s '%s'%s", option, kind,
                            shown, names);
}

static bool select_named_subtree(sinewi_import *g, const char *name) {
    const sinewi_gltf_list *nodes = &g->node_values;
    int32_t root = find_by_name(g, nodes->count, nodes->values, name);
    if (root < 0) return fail_unknown(g, "only_subtree", "node", name, nodes->count, nodes->values);
    return select_subtree(g, root);
}

static bool select_named_skin(sinewi_import *g, const char *name) {
    const sinewi_gltf_values *skins = &g->skin_values;
    int32_t skin = find_by_name(g, skins->count, skins->values, name);
    if (skin < 0) return fail_unknown(g, "only_skin", "skin", name, skins->count, skins->values);
    return select_skin(g, skin) && select_nodes_with_skin(g, skin);
}

// ---- The subset ----------------------------------------------------------------------------------------------------

static bool read_values(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_gltf_values *values) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, object, key, SINEWI_JSON_OBJECT, &list)) return false;
    *values = (sinewi_gltf_values){.count = list.count, .values = list.values, .loaded_count = list.count};
    return true;
}

static bool read_lists(sinewi_import *g) {
    sinewi_json_value lights = sinewi_gltf_get_extension(g, 0, "KHR_lights_punctual");
    return sinewi_gltf_get_list(g, 0, "nodes", SINEWI_JSON_OBJECT, &g->node_values) &&
           read_values(g, 0, "images", &g->image_values) && read_values(g, 0, "textures", &g->texture_values) &&
           read_values(g, 0, "materials", &g->material_values) && read_values(g, 0, "meshes", &g->mesh_values) &&
           read_values(g, 0, "skins", &g->skin_values) && read_values(g, 0, "cameras", &g->camera_values) &&
           read_values(g, lights, "lights", &g->light_values);
}

enum { KINDS = 7 };

static void list_values_of_kinds(sinewi_import *g, sinewi_gltf_values *kinds[KINDS]) {
    sinewi_gltf_values *all[KINDS] = {&g->image_values, &g->texture_values, &g->material_values, &g->mesh_values,
                                      &g->skin_values,  &g->camera_values,  &g->light_values};
    for (int i = 0; i < KINDS; i++) kinds[i] = all[i];
}

// Marks everything as not selected.
static bool clear_selection(sinewi_import *g) {
    sinewi_gltf_values *kinds[KINDS];
    list_values_of_kinds(g, kinds);
    for (int i = 0; i < KINDS; i++) {
        kinds[i]->loaded_indices = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)kinds[i]->count);
        if (!kinds[i]->loaded_indices) return false;
        for (int32_t k = 0; k < kinds[i]->count; k++) kinds[i]->loaded_indices[k] = -1;
    }
    g->parts = sinewi_gltf_zeros(g, &g->scratch, sinewi_gltf_part, (size_t)g->node_values.count);
    return g->parts != NULL;
}

// Replaces the marks with indices into the asset's arrays.
static void number_selected(sinewi_import *g) {
    sinewi_gltf_values *kinds[KINDS];
    list_values_of_kinds(g, kinds);
    for (int i = 0; i < KINDS; i++) {
        kinds[i]->loaded_count = 0;
        for (int32_t k = 0; k < kinds[i]->count; k++)
            if (kinds[i]->loaded_indices[k] == 0) kinds[i]->loaded_indices[k] = kinds[i]->loaded_count++;
    }
}

bool sinewi_gltf_read_subset(sinewi_import *g) {
    const char *subtree = g->options.only_subtree, *skin = g->options.only_skin;
    if (!read_lists(g) || !sinewi_gltf_read_parents(g)) return false;
    if (!subtree && !skin) return true;
    if (!clear_selection(g)) return false;
    if (subtree && !select_named_subtree(g, subtree)) return false;
    if (skin && !select_named_skin(g, skin)) return false;
    number_selected(g);
    return true;
}
