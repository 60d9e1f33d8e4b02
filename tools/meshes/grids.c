// SPDX-License-Identifier: MIT
// Finds the positions that may be 16-bit integers. Their skins' inverse bind matrices are multiplied by the unit, so no
// node changes.
//
// A mesh's positions, its morph targets and the matrices of the skins that nodes use it with all have the same unit. So
// does everything that shares one of these accessors.
#include "meshes/internal.h"

#include <math.h>

typedef struct grid_finder {
    const mesh_coder *c;
    int32_t *parents; // [accessors]; those with the same root have the same unit
    bool *floats;     // [accessors]; they and all with the same root stay floats
    int32_t *firsts;  // [meshes]; an accessor with positions, or -1
    bool *has_node;   // [meshes]
    bool *has_mesh;   // [skins]; a node uses it
} grid_finder;

// ---- Accessors of one unit -----------------------------------------------------------------------------------------

static void join(const grid_finder *f, const mesh_accessor *accessor, int32_t *first) {
    if (!accessor) return;
    const int32_t index = (int32_t)(accessor - f->c->accessors);
    if (*first < 0) *first = index;
    f->parents[mesh_root(f->parents, index)] = mesh_root(f->parents, *first);
}

static void join_mesh(const grid_finder *f, int32_t mesh) {
    ref_document *document = f->c->def->document;
    const ref_list primitives = ref_elements(document, document->meshes.values[mesh], "primitives");
    f->firsts[mesh] = -1;
    for (int32_t p = 0; p < primitives.count; p++) {
        const sinewi_json_value attributes = sinewi_json_get(&document->json, primitives.values[p], "attributes");
        const ref_list targets = ref_elements(document, primitives.values[p], "targets");
        join(f, mesh_member(f->c, attributes, "POSITION"), &f->firsts[mesh]);
        for (int32_t t = 0; t < targets.count; t++)
            join(f, mesh_member(f->c, targets.values[t], "POSITION"), &f->firsts[mesh]);
    }
}

// Returns whether a node's skin moves all of its mesh's vertices with matrices.
static bool is_skinned(const grid_finder *f, const ref_node *node) {
    const ref_mesh *mesh = &f->c->def->model->meshes[node->mesh];
    if (node->skin < 0 || !mesh_binds_of(f->c, node->skin)) return false;
    for (int32_t p = 0; p < mesh->primitive_count; p++) {
        if (mesh->primitives[p].influences == 0) return false;
    }
    return true;
}

static void join_node(const grid_finder *f, const ref_node *node) {
    const int32_t first = f->firsts[node->mesh];
    f->has_node[node->mesh] = true;
    if (node->skin >= 0) f->has_mesh[node->skin] = true;
    if (first < 0) return;
    f->floats[first] |= !is_skinned(f, node);
    if (node->skin >= 0) join(f, mesh_binds_of(f->c, node->skin), &f->firsts[node->mesh]);
}

static void join_all(const grid_finder *f) {
    const ref_model *model = f->c->def->model;
    for (int32_t i = 0; i < f->c->accessor_count; i++) f->parents[i] = i;
    for (int32_t m = 0; m < model->mesh_count; m++) join_mesh(f, m);
    for (int32_t n = 0; n < model->node_count; n++) {
        if (model->nodes[n].mesh >= 0) join_node(f, &model->nodes[n]);
    }
    for (int32_t m = 0; m < model->mesh_count; m++) {
        if (!f->has_node[m] && f->firsts[m] >= 0) f->floats[f->firsts[m]] = true;
    }
    for (int32_t s = 0; s < model->skin_count; s++) {
        const mesh_accessor *binds = mesh_binds_of(f->c, s);
        if (!f->has_mesh[s] && binds) f->floats[binds - f->c->accessors] = true;
    }
}

// ---- Their scale and size ------------------------------------------------------------------------------------------

static double reach_of(const mesh_accessor *accessor) {
    double reach = 0.0;
    for (size_t i = 0; i < 3 * (size_t)accessor->count; i++) reach = fmax(reach, fabs(mesh_float(accessor, i)));
    return reach;
}

static bool has_positions(const mesh_accessor *accessor) {
    return accessor->use == MESH_POSITION || accessor->use == MESH_DISPLACEMENT;
}

// Records an accessor at its root.
static void note(const grid_finder *f, int32_t index) {
    const mesh_accessor *accessor = &f->c->accessors[index];
    const int32_t root = mesh_root(f->parents, index);
    mesh_accessor *noted = &f->c->accessors[root];
    const bool has = has_positions(accessor);
    f->floats[root] |= f->floats[index] || (has ? !mesh_may_move(accessor) : !mesh_are_binds(accessor));
    if (f->floats[root] || !has) return;
    noted->grid_scale = fmax(noted->grid_scale, accessor->scale);
    noted->grid_reach = fmax(noted->grid_reach, reach_of(accessor));
}

// Makes nearly equal scales equal, so positions where two meshes meet stay equal.
static double round_up(double scale) {
    return exp2(ceil(16.0 * log2(scale) - 0.01) / 16.0);
}

static void set_grids(const grid_finder *f) {
    mesh_accessor *accessors = f->c->accessors;
    const int32_t count = f->c->accessor_count;
    for (int32_t i = 0; i < count; i++) note(f, i);
    for (int32_t i = 0; i < count; i++) {
        const int32_t root = mesh_root(f->parents, i);
        if (i == root && f->floats[root]) accessors[i].grid_scale = 0.0;
        if (i == root && accessors[i].grid_scale > 0.0) accessors[i].grid_scale = round_up(accessors[i].grid_scale);
    }
    for (int32_t i = 0; i < count; i++) {
        const mesh_accessor *root = &accessors[mesh_root(f->parents, i)];
        accessors[i].grid_scale = root->grid_scale;
        accessors[i].grid_reach = root->grid_reach;
    }
}

bool mesh_find_grids(const mesh_coder *c) {
    sinewi_arena *arena = c->arena;
    const ref_model *model = c->def->model;
    grid_finder f = {.c = c,
                     .parents = sinewi_arena_array(arena, int32_t, (size_t)c->accessor_count),
                     .floats = sinewi_arena_zeros(arena, bool, (size_t)c->accessor_count),
                     .firsts = sinewi_arena_array(arena, int32_t, (size_t)model->mesh_count),
                     .has_node = sinewi_arena_zeros(arena, bool, (size_t)model->mesh_count),
                     .has_mesh = sinewi_arena_zeros(arena, bool, (size_t)model->skin_count)};
    if (!f.parents || !f.floats || !f.firsts || !f.has_node || !f.has_mesh) return false;
    join_all(&f);
    set_grids(&f);
    return true;
}
