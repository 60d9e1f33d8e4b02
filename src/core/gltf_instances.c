// SPDX-License-Identifier: MIT
// Nodes with a mesh, camera or light, and whether they are in the default scene and visible.
//
// `source` is a node's index in the file, `node` in the skeleton. The default scene is the file's `scene` or else its
// first scene. Without scenes, it has all nodes.
#include "core/gltf_import.h"

// A node's flags. The array is in skeleton order.
typedef struct node_flags {
    bool in_scene, visible;
} node_flags;

// ---- The scene -----------------------------------------------------------------------------------------------------

// Marks the root nodes listed in a scene.
static bool mark_scene_roots(sinewi_import *g, sinewi_json_value scene, node_flags *nodes) {
    sinewi_gltf_list roots;
    if (!sinewi_gltf_get_list(g, scene, "nodes", SINEWI_JSON_NUMBER, &roots)) return false;
    for (int32_t i = 0; i < roots.count; i++) {
        int32_t source;
        if (!sinewi_gltf_check_index(g, roots.values[i], g->node_values.count, "nodes", &source)) return false;
        int32_t node = g->asset->skeleton->node_of_source[source];
        if (node != SINEW_NO_NODE) nodes[node].in_scene = true;
    }
    return true;
}

// Marks every node in the default scene.
static bool mark_scene(sinewi_import *g, node_flags *nodes) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    sinewi_gltf_list scenes;
    int32_t scene;
    if (!sinewi_gltf_get_list(g, 0, "scenes", SINEWI_JSON_OBJECT, &scenes)) return false;
    if (!sinewi_gltf_get_index(g, 0, "scene", scenes.count, "scenes", &scene)) return false;
    if (scenes.count > 0 && !mark_scene_roots(g, scenes.values[scene < 0 ? 0 : scene], nodes)) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) { // parents come first
        int32_t parent = skeleton->parents[i];
        if (scenes.count == 0 || (parent != SINEW_NO_NODE && nodes[parent].in_scene)) nodes[i].in_scene = true;
    }
    return true;
}

// Marks visible nodes. A hidden node hides its subtree (KHR_node_visibility).
static bool mark_visible(sinewi_import *g, node_flags *nodes) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) { // parents come first
        sinewi_json_value value = g->node_values.values[skeleton->source_of_node[i]];
        sinewi_json_value extension = sinewi_gltf_get_extension(g, value, "KHR_node_visibility");
        int32_t parent = skeleton->parents[i];
        nodes[i].visible = true;
        if (!sinewi_gltf_get_bool(g, extension, "visible", &nodes[i].visible)) return false;
        if (parent != SINEW_NO_NODE && !nodes[parent].visible) nodes[i].visible = false;
    }
    return true;
}

// ---- Meshes --------------------------------------------------------------------------------------------------------

// Fails if a vertex uses a joint that the skin doesn't have. `mesh` and `skin` are file indices.
static bool check_largest_joint(sinewi_import *g, int32_t source, int32_t mesh, int32_t skin,
                                const sinew_mesh_node *mesh_node) {
    if (mesh_node->skin < 0) return true;
    const sinewi_gltf_mesh_notes *notes = &g->mesh_notes[mesh_node->mesh];
    int32_t joints = g->asset->skins[mesh_node->skin].joint_count;
    if (notes->largest_joint < 0)
        sinewi_gltf_log(g, "nodes[%d]: the node has a skin, but meshes[%d] has no joints and weights", (int)source,
                        (int)mesh);
    if (notes->largest_joint < joints) return true;
    return sinewi_gltf_fail(
        g, SINEWI_JSON_ABSENT, SINEW_ERROR_FORMAT,
        "meshes[%d].primitives[%d]: a vertex uses joint %d, but skins[%d] (of nodes[%d]) has %d", (int)mesh,
        (int)notes->largest_joint_primitive, (int)notes->largest_joint, (int)skin, (int)source, (int)joints);
}

// Fills a mesh node's mesh and skin. The mesh is -1 if the node doesn't have one.
static bool read_mesh_and_skin(sinewi_import *g, int32_t source, sinew_mesh_node *out) {
    sinewi_json_value value = g->node_values.values[source];
    int32_t mesh, skin;
    if (!sinewi_gltf_get_index(g, value, "mesh", g->mesh_values.count, "meshes", &mesh)) return false;
    if (!sinewi_gltf_get_index(g, value, "skin", g->skin_values.count, "skins", &skin)) return false;
    out->mesh = sinewi_gltf_loaded_index(&g->mesh_values, mesh);
    out->skin = sinewi_gltf_loaded_index(&g->skin_values, skin);
    return mesh < 0 || check_largest_joint(g, source, mesh, skin, out);
}

// ---- Instances -----------------------------------------------------------------------------------------------------

typedef struct node_arrays {
    sinew_mesh_node *meshes;
    sinew_camera_node *cameras;
    sinew_light_node *lights;
} node_arrays;

// Allocates an upper bound of mesh, camera and light nodes.
static bool allocate_nodes(sinewi_import *g, node_arrays *to) {
    size_t meshes = 0, cameras = 0, lights = 0;
    for (int32_t i = 0; i < g->node_values.count; i++) {
        sinewi_json_value value = g->node_values.values[i];
        if (sinewi_gltf_part_of(g, i) != SINEWI_GLTF_PART_ALL) continue;
        meshes += sinewi_json_get(&g->json, value, "mesh") != SINEWI_JSON_ABSENT;
        cameras += sinewi_json_get(&g->json, value, "camera") != SINEWI_JSON_ABSENT;
        lights += sinewi_gltf_get_extension(g, value, "KHR_lights_punctual") != SINEWI_JSON_ABSENT;
    }
    to->meshes = sinewi_gltf_zeros(g, g->arena, sinew_mesh_node, meshes);
    to->cameras = sinewi_gltf_zeros(g, g->arena, sinew_camera_node, cameras);
    to->lights = sinewi_gltf_zeros(g, g->arena, sinew_light_node, lights);
    return to->meshes && to->cameras && to->lights;
}

// Adds the node's mesh, camera and light to their arrays.
static bool add_node(sinewi_import *g, int32_t source, const node_flags *nodes, node_arrays *to) {
    sinew_asset *asset = g->asset;
    int32_t node = asset->skeleton->node_of_source[source], camera, light;
    sinew_mesh_node mesh = {.node = node, .in_scene = nodes[node].in_scene, .visible = nodes[node].visible};
    bool read = read_mesh_and_skin(g, source, &mesh) &&
                sinewi_gltf_get_index(g, g->node_values.values[source], "camera", g->camera_values.count, "cameras",
                                      &camera) &&
                sinewi_gltf_light_of_node(g, source, &light);
    if (!read) return false;
    camera = sinewi_gltf_loaded_index(&g->camera_values, camera);
    light = sinewi_gltf_loaded_index(&g->light_values, light);
    if (mesh.mesh >= 0) to->meshes[asset->mesh_node_count++] = mesh;
    if (camera >= 0) to->cameras[asset->camera_node_count++] = (sinew_camera_node){node, camera, mesh.in_scene};
    if (light >= 0)
        to->lights[asset->light_node_count++] = (sinew_light_node){node, light, mesh.in_scene, mesh.visible};
    return true;
}

bool sinewi_gltf_read_mesh_nodes(sinewi_import *g) {
    node_arrays to;
    node_flags *nodes = sinewi_gltf_zeros(g, &g->scratch, node_flags, (size_t)g->asset->skeleton->node_count);
    if (!nodes || !mark_scene(g, nodes) || !mark_visible(g, nodes) || !allocate_nodes(g, &to)) return false;
    for (int32_t i = 0; i < g->node_values.count; i++)
        if (sinewi_gltf_part_of(g, i) == SINEWI_GLTF_PART_ALL && !add_node(g, i, nodes, &to)) return false;
    g->asset->mesh_nodes = to.meshes;
    g->asset->camera_nodes = to.cameras;
    g->asset->light_nodes = to.lights;
    return true;
}
