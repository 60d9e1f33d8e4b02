// Mesh instances: nodes that carry a mesh, and which of them the default scene shows.
#include "gltf/import.h"

// ---- The scene -----------------------------------------------------------------------------------------------------

static bool mark_scene_roots(sinew_import *g, sinew_json_value scene, bool *in_scene) {
    sinew_gltf_list roots;
    if (!sinew_gltf_get_list(g, scene, "nodes", SINEW_JSON_NUMBER, &roots)) return false;
    for (int32_t i = 0; i < roots.count; i++) {
        int32_t node;
        if (!sinew_gltf_index_value(g, roots.values[i], g->node_values.count, "nodes", &node)) return false;
        in_scene[g->asset->skeleton->node_of_source[node]] = true;
    }
    return true;
}

// Marks, by the skeleton's order, every node that can be reached from the default scene: `scene`, else the first
// one, else all nodes are shown.
static bool mark_scene(sinew_import *g, bool *in_scene) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    sinew_gltf_list scenes;
    int32_t shown;
    if (!sinew_gltf_get_list(g, 0, "scenes", SINEW_JSON_OBJECT, &scenes)) return false;
    if (!sinew_gltf_index(g, 0, "scene", scenes.count, "scenes", &shown)) return false;
    if (scenes.count > 0 && !mark_scene_roots(g, scenes.values[shown < 0 ? 0 : shown], in_scene)) return false;
    for (int32_t i = 0; i < skeleton->node_count; i++) { // parents come first
        int32_t parent = skeleton->parents[i];
        if (scenes.count == 0 || (parent != SINEW_NO_NODE && in_scene[parent])) in_scene[i] = true;
    }
    return true;
}

// ---- Instances -----------------------------------------------------------------------------------------------------

static bool check_joints(sinew_import *g, int32_t source, const sinew_mesh_instance *instance) {
    if (instance->skin < 0) return true;
    const sinew_gltf_mesh_notes *notes = &g->mesh_notes[instance->mesh];
    int32_t joints = g->asset->skins[instance->skin].joint_count;
    if (notes->largest_joint < 0)
        sinew_gltf_log(g, "nodes[%d]: meshes[%d] has a skin, but no joints and weights", (int)source,
                       (int)instance->mesh);
    if (notes->largest_joint < joints) return true;
    return sinew_gltf_fail(g, SINEW_JSON_ABSENT, SINEW_ERROR_FORMAT,
                           "meshes[%d].primitives[%d]: a vertex uses joint %d, but skins[%d] (of nodes[%d]) has %d",
                           (int)instance->mesh, (int)notes->largest_joint_primitive, (int)notes->largest_joint,
                           (int)instance->skin, (int)source, (int)joints);
}

// An instance without a mesh (-1) when the node carries none.
static bool read_instance(sinew_import *g, int32_t source, const bool *in_scene, sinew_mesh_instance *out) {
    sinew_json_value value = g->node_values.values[source];
    int32_t node = g->asset->skeleton->node_of_source[source];
    if (!sinew_gltf_index(g, value, "mesh", g->asset->mesh_count, "meshes", &out->mesh)) return false;
    if (!sinew_gltf_index(g, value, "skin", g->asset->skin_count, "skins", &out->skin)) return false;
    if (out->mesh < 0) return true;
    out->node = node;
    out->in_scene = in_scene[node];
    return check_joints(g, source, out);
}

bool sinew_gltf_read_instances(sinew_import *g) {
    int32_t nodes = g->node_values.count;
    bool *in_scene = sinew_gltf_zeros(g, &g->scratch, bool, (size_t)nodes);
    if (!in_scene || !mark_scene(g, in_scene)) return false;

    int32_t count = 0;
    for (int32_t i = 0; i < nodes; i++)
        count += sinew_json_get(&g->json, g->node_values.values[i], "mesh") != SINEW_JSON_ABSENT;
    sinew_mesh_instance *instances = sinew_gltf_zeros(g, g->arena, sinew_mesh_instance, (size_t)count);
    if (!instances) return false;
    int32_t used = 0;
    for (int32_t i = 0; i < nodes; i++) {
        sinew_mesh_instance instance = {.mesh = -1};
        if (!read_instance(g, i, in_scene, &instance)) return false;
        if (instance.mesh >= 0) instances[used++] = instance;
    }
    g->asset->instances = instances;
    g->asset->instance_count = used;
    return true;
}
