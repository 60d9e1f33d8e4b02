// The bounds of what is drawn. Every pair of a mesh and a skin is looked at once, however many nodes carry it.
#include "gltf/import.h"

// ---- The order -----------------------------------------------------------------------------------------------

typedef int32_t (*sort_key)(const sinew_mesh_instance *instance);

static int32_t by_skin(const sinew_mesh_instance *instance) {
    return instance->skin + 1;
}

static int32_t by_mesh(const sinew_mesh_instance *instance) {
    return instance->mesh;
}

// Sorts instances by a key from 0 to keys - 1, by counting; those of one key stay in their order.
static bool sort(sinew_import *g, sort_key key_of, size_t keys, const int32_t *in, int32_t *out, int32_t count) {
    const sinew_mesh_instance *instances = g->asset->instances;
    int32_t *starts = sinew_gltf_zeros(g, &g->scratch, int32_t, keys + 1);
    if (!starts) return false;
    for (int32_t i = 0; i < count; i++) starts[key_of(&instances[in[i]]) + 1]++;
    for (size_t k = 0; k < keys; k++) starts[k + 1] += starts[k];
    for (int32_t i = 0; i < count; i++) out[starts[key_of(&instances[in[i]])]++] = in[i];
    return true;
}

// The instances that are drawn, and their nodes, those of one mesh and skin side by side.
typedef struct drawn {
    int32_t *order, *nodes;
    int32_t count;
} drawn;

static bool find_drawn(sinew_import *g, drawn *d) {
    const sinew_asset *asset = g->asset;
    size_t room = (size_t)asset->instance_count;
    int32_t *half_sorted = sinew_gltf_array(g, &g->scratch, int32_t, room);
    d->order = sinew_gltf_array(g, &g->scratch, int32_t, room);
    d->nodes = sinew_gltf_array(g, &g->scratch, int32_t, room);
    if (!half_sorted || !d->order || !d->nodes) return false;
    for (int32_t i = 0; i < asset->instance_count; i++)
        if (sinew_is_drawn(&asset->instances[i])) d->order[d->count++] = i;
    if (!sort(g, by_skin, (size_t)asset->skin_count + 1, d->order, half_sorted, d->count)) return false;
    if (!sort(g, by_mesh, (size_t)asset->mesh_count, half_sorted, d->order, d->count)) return false;
    for (int32_t i = 0; i < d->count; i++) d->nodes[i] = asset->instances[d->order[i]].node;
    return true;
}

// Where the run of one mesh and skin that starts with `first` ends.
static int32_t end_of_run(const sinew_asset *asset, const drawn *d, int32_t first) {
    const sinew_mesh_instance *one = &asset->instances[d->order[first]];
    int32_t end = first + 1;
    for (; end < d->count; end++) {
        const sinew_mesh_instance *other = &asset->instances[d->order[end]];
        if (other->mesh != one->mesh || other->skin != one->skin) break;
    }
    return end;
}

// ---- Meshes --------------------------------------------------------------------------------------------------

// A place is three numbers, which are looked at several times, by itself and for each joint; so is its difference to
// each morph target.
#define NUMBERS 6

static bool spend_on(sinew_import *g, const sinew_bounds_mesh *mesh) {
    uint64_t vectors = 1;
    int32_t count = mesh->indices ? mesh->index_count : mesh->vertex_count;
    for (int32_t t = 0; t < mesh->target_count; t++) vectors += mesh->target_positions[t] != NULL;
    int32_t source = g->asset->skeleton->source_of_node[mesh->nodes[0]];
    return sinew_gltf_spend(g, g->node_values.values[source], "nodes share their meshes",
                            NUMBERS * vectors * (uint64_t)count * (uint64_t)(mesh->influences + 1));
}

// Primitives may share one large array of vertices, of which each uses a part. Where it is not for certain a part,
// looking at all of them is less to do than looking at each index.
static void choose_vertices(const sinew_primitive *p, sinew_bounds_mesh *to) {
    if (p->index_count >= p->vertex_count) return;
    to->index_count = p->index_count;
    to->indices = p->indices;
}

static bool put_run(sinew_import *g, const drawn *d, int32_t first, int32_t end, sinew_bounds_def *def,
                    sinew_bounds_mesh *meshes) {
    const sinew_mesh_instance *instance = &g->asset->instances[d->order[first]];
    const sinew_mesh *mesh = &g->asset->meshes[instance->mesh];
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
            .skin = instance->skin >= 0 ? &g->asset->skins[instance->skin] : NULL,
            .positions = p->positions,
            .joints = p->joints,
            .weights = p->weights,
            .target_positions = p->target_positions,
        };
        choose_vertices(p, to);
        if (!spend_on(g, to)) return false;
        def->mesh_count++;
    }
    return true;
}

static size_t count_meshes(const sinew_asset *asset, const drawn *d) {
    size_t count = 0;
    for (int32_t i = 0; i < d->count; i = end_of_run(asset, d, i))
        count += (size_t)asset->meshes[asset->instances[d->order[i]].mesh].primitive_count;
    return count;
}

bool sinew_gltf_make_bounds(sinew_import *g) {
    drawn d = {0};
    g->at = SINEW_JSON_ABSENT;
    if (!find_drawn(g, &d)) return false;
    sinew_bounds_mesh *meshes = sinew_gltf_zeros(g, &g->scratch, sinew_bounds_mesh, count_meshes(g->asset, &d));
    if (!meshes) return false;
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = g->asset->skeleton;
    def.meshes = meshes;
    def.allocator = sinew_asset_allocator(g->data);
    for (int32_t i = 0, end; i < d.count; i = end) {
        end = end_of_run(g->asset, &d, i);
        if (!put_run(g, &d, i, end, &def, meshes)) return false;
    }
    sinew_bounds *bounds;
    sinew_error inner;
    if (sinew_bounds_create(&def, &bounds, &inner) != SINEW_OK) return sinew_gltf_fail_with(g, &inner, "bounds");
    g->asset->bounds = bounds;
    return true;
}
