// SPDX-License-Identifier: MIT
// Makes the bounds of the drawn mesh nodes. core/bounds_build.c turns them into bounds for any pose. Each pair of mesh
// and skin is examined once, even if many nodes use it.
//
// `d` has the drawn mesh nodes, sorted by mesh and skin. Nodes with the same pair form a run.
#include "core/gltf_import.h"

// ---- The order -----------------------------------------------------------------------------------------------

typedef enum sort_key { KEY_SKIN, KEY_MESH } sort_key;

// Returns the mesh's index or the skin's index plus 1, because a mesh node without a skin has -1.
static int32_t key_of(const sinew_mesh_node *mesh_node, sort_key key) {
    return key == KEY_SKIN ? mesh_node->skin + 1 : mesh_node->mesh;
}

// Counting sort of `count` mesh nodes by a key from 0 to keys - 1. Stable.
static bool sort_mesh_nodes(sinewi_import *g, sort_key key, size_t keys, const int32_t *in, int32_t *out,
                            int32_t count) {
    const sinew_mesh_node *mesh_nodes = g->asset->mesh_nodes;
    int32_t *starts = sinewi_gltf_zeros(g, &g->scratch, int32_t, keys + 1);
    if (!starts) return false;
    for (int32_t i = 0; i < count; i++) starts[key_of(&mesh_nodes[in[i]], key) + 1]++;
    for (size_t k = 0; k < keys; k++) starts[k + 1] += starts[k];
    for (int32_t i = 0; i < count; i++) out[starts[key_of(&mesh_nodes[in[i]], key)]++] = in[i];
    return true;
}

// The drawn mesh nodes and their nodes, sorted by mesh and skin.
typedef struct drawn_nodes {
    int32_t *order, *nodes;
    int32_t count;
} drawn_nodes;

// Lists the drawn mesh nodes, sorted by mesh and then by skin.
static bool find_drawn(sinewi_import *g, drawn_nodes *d) {
    const sinew_asset *asset = g->asset;
    size_t capacity = (size_t)asset->mesh_node_count;
    int32_t *sorted_by_skin = sinewi_gltf_array(g, &g->scratch, int32_t, capacity);
    d->order = sinewi_gltf_array(g, &g->scratch, int32_t, capacity);
    d->nodes = sinewi_gltf_array(g, &g->scratch, int32_t, capacity);
    if (!sorted_by_skin || !d->order || !d->nodes) return false;
    for (int32_t i = 0; i < asset->mesh_node_count; i++)
        if (sinewi_is_drawn(&asset->mesh_nodes[i])) d->order[d->count++] = i;
    size_t skins = (size_t)asset->skin_count + 1, meshes = (size_t)asset->mesh_count;
    if (!sort_mesh_nodes(g, KEY_SKIN, skins, d->order, sorted_by_skin, d->count)) return false;
    if (!sort_mesh_nodes(g, KEY_MESH, meshes, sorted_by_skin, d->order, d->count)) return false;
    for (int32_t i = 0; i < d->count; i++) d->nodes[i] = asset->mesh_nodes[d->order[i]].node;
    return true;
}

// Returns the end of the run that starts at `first`.
static int32_t find_end_of_run(const sinew_asset *asset, const drawn_nodes *d, int32_t first) {
    const sinew_mesh_node *one = &asset->mesh_nodes[d->order[first]];
    int32_t end = first + 1;
    for (; end < d->count; end++) {
        const sinew_mesh_node *other = &asset->mesh_nodes[d->order[end]];
        if (other->mesh != one->mesh || other->skin != one->skin) break;
    }
    return end;
}

// ---- Meshes --------------------------------------------------------------------------------------------------

// How many numbers a position counts for. It has three numbers, and each is examined several times. It counts once for
// the mesh and once for each joint of a vertex. Each morph target counts the same.
#define NUMBERS_PER_POSITION 6

// Counts the numbers that are examined for a primitive's bounds.
static bool count_mesh_work(sinewi_import *g, const sinew_bounds_mesh *mesh) {
    uint64_t vectors = 1;
    int32_t count = mesh->indices ? mesh->index_count : mesh->vertex_count;
    for (int32_t t = 0; t < mesh->target_count; t++) vectors += mesh->target_positions[t] != NULL;
    int32_t source = g->asset->skeleton->source_of_node[mesh->nodes[0]];
    return sinewi_gltf_spend(g, g->node_values.values[source], "nodes share their meshes",
                             NUMBERS_PER_POSITION * vectors * (uint64_t)count * (uint64_t)(mesh->influences + 1));
}

// Only passes on a primitive's indices if there are fewer of them than vertices. Primitives that share one large vertex
// array each use a part of it. Otherwise examining all vertices is less work than following indices.
static void choose_vertices(const sinew_primitive *p, sinew_bounds_mesh *to) {
    if (p->index_count >= p->vertex_count) return;
    to->index_count = p->index_count;
    to->indices = p->indices;
}

// Adds the primitives of a run's mesh to the bounds definition, with all nodes of the run.
static bool add_meshes_of_run(sinewi_import *g, const drawn_nodes *d, int32_t first, int32_t end,
                              sinew_bounds_def *def, sinew_bounds_mesh *meshes) {
    const sinew_mesh_node *mesh_node = &g->asset->mesh_nodes[d->order[first]];
    const sinew_mesh *mesh = &g->asset->meshes[mesh_node->mesh];
    for (int32_t k = 0; k < mesh->primitive_count; k++) {
        const sinew_primitive *p = &mesh->primitives[k];
        if (p->index_count == 0) continue;
        sinew_bounds_mesh *to = &meshes[def->mesh_count];
        *to = (sinew_bounds_mesh){
            .node_count = end - first,
            .vertex_count = p->vertex_count,
            .influences = p->influences,
            .target_count = p->target_count,
            .nodes = d->nodes + first,
            .skin = mesh_node->skin >= 0 ? &g->asset->skins[mesh_node->skin] : NULL,
            .positions = p->positions,
            .joints = p->joints,
            .weights = p->weights,
            .target_positions = p->target_positions,
        };
        choose_vertices(p, to);
        if (!count_mesh_work(g, to)) return false;
        def->mesh_count++;
    }
    return true;
}

static size_t count_meshes(const sinew_asset *asset, const drawn_nodes *d) {
    size_t count = 0;
    for (int32_t i = 0; i < d->count; i = find_end_of_run(asset, d, i))
        count += (size_t)asset->meshes[asset->mesh_nodes[d->order[i]].mesh].primitive_count;
    return count;
}

// Describes every drawn mesh once, with all nodes that it is on, and creates the asset's bounds.
bool sinewi_gltf_make_mesh_bounds(sinewi_import *g) {
    drawn_nodes d = {0};
    g->current = SINEWI_JSON_ABSENT;
    if (!find_drawn(g, &d)) return false;
    sinew_bounds_mesh *meshes = sinewi_gltf_zeros(g, &g->scratch, sinew_bounds_mesh, count_meshes(g->asset, &d));
    if (!meshes) return false;
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = g->asset->skeleton;
    def.meshes = meshes;
    def.allocator = sinewi_asset_allocator(g->data);
    for (int32_t i = 0, end; i < d.count; i = end) {
        end = find_end_of_run(g->asset, &d, i);
        if (!add_meshes_of_run(g, &d, i, end, &def, meshes)) return false;
    }
    sinew_bounds *bounds;
    sinew_error inner;
    if (sinew_bounds_create(&def, &bounds, &inner) != SINEW_OK) return sinewi_gltf_fail_with(g, &inner, "bounds");
    g->asset->bounds = bounds;
    return true;
}
