// SPDX-License-Identifier: MIT
// Merges equal vertices, and chooses the order of vertices and triangles that takes the fewest bytes.
//
// Accessors that primitives use together are a set. Its vertices have one order. A set keeps its vertices if it has
// points or lines without indices, if one of its accessors stays as it is, if its extras may refer to vertices, or if
// `sinew compare` wouldn't find its vertices again.
#include "meshes/internal.h"

#include "compare/compare.h"
#include "lint/ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Vertex accessors and lists of indices that primitives use together.
typedef struct vertex_set {
    int32_t first; // an accessor
    int32_t vertex_count;
    bool fixed;         // keeps its order
    bool found;         // the comparison found it in every primitive so far
    bool merged;        // some vertices are equal or no triangle uses them
    bool keeps_all;     // vertices without a triangle stay
    int best;           // best order, or -1 for the authored one
    uint32_t *equal;    // [vertex_count]; first equal vertex
    uint32_t *position; // [vertex_count]; first vertex at the same position
} vertex_set;

typedef struct orderer {
    mesh_coder *c;
    int32_t count;         // number of accessors, including added indices
    int32_t next_added;    // used while joining
    int32_t *parents;      // [count]; used while joining accessors
    int32_t *set_of;       // [count]; for accessors that meshes use
    int32_t *next;         // [count]; next one in the same set, or -1
    bool *fixed;           // [count]
    bool *fixed_triangles; // [count]; indices that must be drawn in order
    vertex_set *sets;      // [set_count]
    int32_t set_count;
    mesh_accessor *const *const *positions; // [meshes][primitives]
} orderer;

// ---- Sets ----------------------------------------------------------------------------------------------------------

// Joins an accessor with a primitive's first one.
static void join(const orderer *o, const mesh_accessor *accessor, int32_t *first) {
    if (!accessor) return;
    const int32_t index = (int32_t)(accessor - o->c->accessors);
    if (*first < 0) *first = index;
    o->parents[mesh_root(o->parents, index)] = mesh_root(o->parents, *first);
}

static void join_members(const orderer *o, sinewi_json_value object, int32_t *first) {
    const sinewi_json *json = &o->c->def->document->json;
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return;
    for (sinewi_json_value k = object + 1; k < json->nodes[object].next; k = sinewi_json_next(json, k))
        if (!o->c->dropped[k]) join(o, mesh_accessor_at(o->c, k + 1), first);
}

// Returns whether triangles must be drawn in order: they're blended, or may be in a variant.
static bool is_blended(const orderer *o, sinewi_json_value primitive) {
    ref_document *document = o->c->def->document;
    const int32_t material = lint_index(document, primitive, "material", document->materials.count);
    if (lint_extension(document, primitive, "KHR_materials_variants") != SINEWI_JSON_ABSENT) return true;
    return material >= 0 &&
           strcmp(ref_string(document, document->materials.values[material], "alphaMode"), "BLEND") == 0;
}

// Returns a primitive's added indices, or NULL. They're listed in the order of the primitives.
static mesh_accessor *added_indices(const orderer *o, int32_t mesh, int32_t primitive) {
    mesh_accessor *next = &o->c->accessors[o->next_added];
    const bool has = o->next_added < o->count && next->mesh == mesh && next->primitive == primitive;
    return has ? next : NULL;
}

// Joins a primitive's accessors, and records what keeps their order.
static void join_primitive(orderer *o, int32_t m, int32_t p, sinewi_json_value primitive) {
    ref_document *document = o->c->def->document;
    const sinewi_json *json = &document->json;
    const sinewi_json_value mesh = document->meshes.values[m];
    const mesh_accessor *indices = mesh_member(o->c, primitive, "indices"), *added = added_indices(o, m, p);
    const ref_list targets = ref_elements(document, primitive, "targets");
    int32_t first = -1;
    join_members(o, sinewi_json_get(json, primitive, "attributes"), &first);
    for (int32_t i = 0; i < targets.count; i++) join_members(o, targets.values[i], &first);
    if (added) {
        indices = added;
        o->next_added++;
    }
    if (first >= 0 && (!indices || !mesh_has_only_names(json, mesh) ||
                       sinewi_json_get(json, primitive, "extras") != SINEWI_JSON_ABSENT))
        o->fixed[first] = true;
    join(o, indices, &first);
    if (indices && is_blended(o, primitive)) o->fixed_triangles[indices - o->c->accessors] = true;
}

static void join_primitives(orderer *o) {
    ref_document *document = o->c->def->document;
    for (int32_t i = 0; i < o->count; i++) o->parents[i] = i;
    o->next_added = document->accessors.count;
    for (int32_t m = 0; m < document->meshes.count; m++) {
        const ref_list primitives = ref_elements(document, document->meshes.values[m], "primitives");
        for (int32_t p = 0; p < primitives.count; p++) join_primitive(o, m, p, primitives.values[p]);
    }
}

// Adds an accessor to its set. `last` is the set's last one, or -1 if this is the first.
static void add_to_set(orderer *o, int32_t index, int32_t last) {
    const mesh_accessor *accessor = &o->c->accessors[index];
    if (last < 0) {
        o->set_of[index] = o->set_count;
        o->sets[o->set_count++] = (vertex_set){.first = index};
    } else {
        o->set_of[index] = o->set_of[last];
        o->next[last] = index;
    }
    vertex_set *set = &o->sets[o->set_of[index]];
    set->fixed |= o->fixed[index] || accessor->kept;
    if (mesh_is_index(accessor)) return;
    set->fixed |= set->vertex_count > 0 && set->vertex_count != accessor->count;
    set->vertex_count = accessor->count;
}

static bool list_sets(orderer *o) {
    int32_t *last = sinewi_arena_array(o->c->arena, int32_t, (size_t)o->count);
    if (!last) return false;
    for (int32_t i = 0; i < o->count; i++) last[i] = o->next[i] = -1;
    for (int32_t i = 0; i < o->count; i++) {
        if (o->c->accessors[i].use == MESH_UNUSED || o->c->accessors[i].use == MESH_BINDS) continue;
        int32_t *last_of_set = &last[mesh_root(o->parents, i)];
        add_to_set(o, i, *last_of_set);
        *last_of_set = i;
    }
    return true;
}

// ---- Merging -------------------------------------------------------------------------------------------------------

// Reads a set's indices. Fixes the set if a list isn't valid.
static bool read_indices(const orderer *o, vertex_set *set) {
    for (int32_t i = set->first; i >= 0 && !set->fixed; i = o->next[i]) {
        mesh_accessor *accessor = &o->c->accessors[i];
        if (!mesh_is_index(accessor)) continue;
        accessor->authored = mesh_read_indices(accessor, o->c->arena);
        if (!accessor->authored) return false;
        set->fixed |=
            mesh_largest_index(accessor->authored, (size_t)accessor->count) >= (uint32_t)set->vertex_count;
    }
    return true;
}

// Makes indices refer to the first of equal vertices. Records whether some vertices aren't needed.
static bool merge(const orderer *o, vertex_set *set) {
    const size_t count = (size_t)set->vertex_count;
    bool *used = sinewi_arena_zeros(o->c->arena, bool, count);
    set->equal = sinewi_arena_array(o->c->arena, uint32_t, count);
    if (!used || !set->equal || !mesh_merge(o->c, set->first, o->next, false, set->equal)) return false;
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        mesh_accessor *accessor = &o->c->accessors[i];
        if (!mesh_is_index(accessor)) continue;
        uint32_t *indices = sinewi_arena_array(o->c->arena, uint32_t, (size_t)accessor->count);
        if (!indices) return false;
        for (int32_t k = 0; k < accessor->count; k++) {
            // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): all lists of a set that is not fixed are read
            indices[k] = set->equal[accessor->authored[k]];
            used[indices[k]] = true;
        }
        accessor->authored = indices;
    }
    for (size_t v = 0; v < count; v++) set->merged |= !used[v];
    return true;
}

static bool find_positions(const orderer *o, vertex_set *set) {
    set->position = sinewi_arena_array(o->c->arena, uint32_t, (size_t)set->vertex_count);
    return set->position && mesh_merge(o->c, set->first, o->next, true, set->position);
}

// ---- Orders --------------------------------------------------------------------------------------------------------

// Numbers vertices in an order.
typedef struct numbering {
    uint32_t *order;  // [used]
    uint32_t *places; // [vertices]; UINT32_MAX if not numbered yet
    uint32_t used;
} numbering;

static void number_vertex(numbering *n, uint32_t vertex) {
    if (n->places[vertex] != UINT32_MAX) return;
    n->places[vertex] = n->used;
    n->order[n->used++] = vertex;
}

// Numbers the vertices of triangles by their first use.
static void number_used(const orderer *o, const vertex_set *set, numbering *n) {
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        const mesh_accessor *accessor = &o->c->accessors[i];
        if (!mesh_is_index(accessor)) continue;
        assert(accessor->indices);
        for (int32_t k = 0; k < accessor->count; k++) number_vertex(n, accessor->indices[k]);
    }
}

// Puts the numbered vertices in authored order.
static void sort_numbers(numbering *n, uint32_t count) {
    n->used = 0;
    for (uint32_t v = 0; v < count; v++) {
        if (n->places[v] == UINT32_MAX) continue;
        n->places[v] = n->used;
        n->order[n->used++] = v;
    }
}

static bool store_indices(const orderer *o, mesh_accessor *accessor, const numbering *n) {
    uint32_t *indices = sinewi_arena_array(o->c->arena, uint32_t, (size_t)accessor->count);
    if (!indices) return false;
    for (int32_t k = 0; k < accessor->count; k++) indices[k] = n->places[accessor->indices[k]];
    accessor->indices = indices;
    return true;
}

// Numbers vertices by their first use or in authored order. Vertices without a triangle come last or are removed.
// Replaces the indices.
static bool renumber(const orderer *o, const vertex_set *set, bool by_use) {
    const uint32_t count = (uint32_t)set->vertex_count;
    numbering n = {sinewi_arena_array(o->c->arena, uint32_t, count),
                   sinewi_arena_array(o->c->arena, uint32_t, count), 0};
    if (!n.order || !n.places) return false;
    memset(n.places, 0xff, count * sizeof *n.places);
    number_used(o, set, &n);
    for (uint32_t v = 0; v < count && set->keeps_all; v++) number_vertex(&n, set->equal[v]);
    if (!by_use) sort_numbers(&n, count);
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        mesh_accessor *accessor = &o->c->accessors[i];
        if (mesh_is_index(accessor) && !store_indices(o, accessor, &n)) return false;
    }
    for (uint32_t v = 0; v < count; v++) n.places[v] = n.places[set->equal[v]];
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        mesh_accessor *accessor = &o->c->accessors[i];
        if (mesh_is_index(accessor)) continue;
        accessor->order = n.order;
        accessor->places = n.places;
        accessor->stored = (int32_t)n.used;
    }
    return true;
}

static void keep_order(const orderer *o, const vertex_set *set) {
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        mesh_accessor *accessor = &o->c->accessors[i];
        accessor->order = accessor->places = accessor->indices = NULL;
        accessor->stored = accessor->count;
    }
}

// The orders: triangles sorted, vertices numbered by first use, both, or only merged.
enum { SORTS = 1, BY_USE = 2, ORDERS = 4 };

static bool set_order(const orderer *o, const vertex_set *set, int order) {
    keep_order(o, set);
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        mesh_accessor *accessor = &o->c->accessors[i];
        if (!mesh_is_index(accessor)) continue;
        accessor->indices = accessor->authored;
        if (order & SORTS && mesh_has_triangles(accessor) && !o->fixed_triangles[i])
            accessor->indices = mesh_sort_triangles(accessor->authored, (size_t)accessor->count, set->position,
                                                    (size_t)set->vertex_count, o->c->arena);
        if (!accessor->indices) return false;
    }
    return (order == SORTS && !set->merged) || renumber(o, set, order & BY_USE);
}

// The size of an accessor in the JSON.
enum { ACCESSOR_JSON = 100 };

static optimize_bytes encode(const mesh_accessor *accessor) {
    if (mesh_is_index(accessor))
        return mesh_encode_indices(accessor->indices ? accessor->indices : accessor->authored,
                                   (size_t)accessor->count, mesh_has_triangles(accessor));
    const size_t count = (size_t)accessor->stored, stride = accessor->format.stride;
    uint8_t *elements = calloc(count, stride);
    if (!elements) return (optimize_bytes){NULL, 0};
    mesh_write_elements(accessor, elements);
    const optimize_bytes bytes = optimize_encode_vertices(elements, count, stride);
    free(elements);
    return bytes;
}

// Returns a set's size with each accessor compressed on its own, or 0 if memory runs out.
static size_t count_bytes(const orderer *o, const vertex_set *set) {
    size_t sum = 0;
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        const mesh_accessor *accessor = &o->c->accessors[i];
        if (accessor->added && !accessor->indices) continue;
        const optimize_bytes bytes = encode(accessor);
        free(bytes.data);
        if (bytes.size == 0) return 0;
        sum += bytes.size + (accessor->added ? ACCESSOR_JSON : 0);
    }
    return sum;
}

// Sets the chosen order.
static bool set_best(const orderer *o, const vertex_set *set) {
    if (set->best >= 0) return set_order(o, set, set->best);
    keep_order(o, set);
    return true;
}

// Chooses the smallest order.
static bool choose_order(const orderer *o, vertex_set *set) {
    set->best = -1;
    if (!read_indices(o, set)) return false;
    if (set->fixed || set->vertex_count == 0) return true;
    size_t least = count_bytes(o, set);
    if (least == 0 || !merge(o, set) || !find_positions(o, set)) return false;
    for (int i = set->merged ? 0 : SORTS; i < ORDERS; i++) {
        if (!set_order(o, set, i)) return false;
        const size_t bytes = count_bytes(o, set);
        if (bytes == 0) return false;
        if (bytes >= least) continue;
        least = bytes;
        set->best = i;
    }
    return set_best(o, set);
}

// ---- The comparison ------------------------------------------------------------------------------------------------

// Puts joints and weights in the stored order. There are as many as vertices.
static bool store_influences(sinewi_arena *arena, ref_primitive *primitive, const uint32_t *order) {
    const size_t count = (size_t)primitive->vertex_count, width = (size_t)primitive->influences;
    int32_t *joints = sinewi_arena_array(arena, int32_t, count * width);
    if (!joints) return false;
    for (size_t v = 0; v < count && width > 0; v++)
        memcpy(joints + width * v, primitive->joints + width * order[v], width * sizeof *joints);
    primitive->joints = joints;
    primitive->weights = ref_reorder(arena, primitive->weights, order, count, width);
    return primitive->weights;
}

// Lists the position accessors of all primitives, or NULL.
static bool list_positions(orderer *o) {
    ref_document *document = o->c->def->document;
    mesh_accessor ***lists = sinewi_arena_zeros(o->c->arena, mesh_accessor **, (size_t)document->meshes.count);
    o->positions = (mesh_accessor *const *const *)lists;
    for (int32_t m = 0; lists && m < document->meshes.count; m++) {
        const ref_list list = ref_elements(document, document->meshes.values[m], "primitives");
        const int32_t count = o->c->out->model->meshes[m].primitive_count;
        lists[m] = sinewi_arena_zeros(o->c->arena, mesh_accessor *, (size_t)count);
        if (!lists[m]) return false;
        for (int32_t p = 0; p < count && p < list.count; p++) {
            const sinewi_json_value attributes = sinewi_json_get(&document->json, list.values[p], "attributes");
            lists[m][p] = mesh_member(o->c, attributes, "POSITION");
        }
    }
    return lists;
}

// Puts a primitive's vertices in their stored order.
static bool store_primitive(sinewi_arena *arena, const mesh_accessor *positions, ref_primitive *primitive) {
    if (primitive->vertex_count == 0 || !positions || !positions->order) return true;
    primitive->vertex_count = positions->stored;
    return store_influences(arena, primitive, positions->order) &&
           ref_reorder_positions(arena, primitive, positions->order);
}

// Returns the model as it will be read.
static const ref_model *stored_model(const orderer *o) {
    ref_primitive **primitives;
    const ref_model *model = ref_copy_model(o->c->arena, o->c->out->model, &primitives);
    for (int32_t m = 0; model && m < model->mesh_count; m++) {
        for (int32_t p = 0; p < model->meshes[m].primitive_count; p++) {
            if (!store_primitive(o->c->arena, o->positions[m][p], &primitives[m][p])) return NULL;
        }
    }
    return model;
}

static bool equal_numbers(const double *a, const double *b, size_t count) {
    return a == b || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

// Returns whether the comparison found the vertices: after sorting, they're the rounded primitive's.
static bool is_found(const compare_part *part, const ref_primitive *rounded) {
    const ref_primitive *found = part->primitives[1];
    const size_t count = (size_t)rounded->vertex_count;
    if (found == part->primitives[0] || !equal_numbers(found->base.positions, rounded->base.positions, 3 * count))
        return false;
    if (part->skinned && !equal_numbers(found->weights, rounded->weights, count * (size_t)rounded->influences))
        return false;
    for (int32_t t = 0; t < rounded->target_count; t++) {
        if (!equal_numbers(found->targets[t].positions, rounded->targets[t].positions, 3 * count)) return false;
    }
    return true;
}

static bool has_order(const orderer *o, const vertex_set *set) {
    for (int32_t i = set->first; i >= 0; i = o->next[i]) {
        if (o->c->accessors[i].order) return true;
    }
    return false;
}

// Records which sets the comparison finds. Sets that no node uses aren't found.
static bool find_sets(const orderer *o) {
    const mesh_coder *c = o->c;
    compare_body body;
    bool *seen = sinewi_arena_zeros(c->arena, bool, (size_t)o->set_count);
    const ref_model *stored = stored_model(o);
    if (!seen || !stored || !compare_match(&body, c->arena, c->def->model, stored)) return false;
    for (int32_t p = 0; p < body.part_count; p++) {
        const compare_part *part = &body.parts[p];
        const mesh_accessor *positions = part->mesh >= 0 ? o->positions[part->mesh][part->primitive] : NULL;
        if (!positions) continue;
        const int32_t set = o->set_of[positions - c->accessors];
        const bool found = is_found(part, &c->out->model->meshes[part->mesh].primitives[part->primitive]);
        o->sets[set].found = found && (o->sets[set].found || !seen[set]);
        seen[set] = true;
    }
    return true;
}

// If the comparison doesn't find a set, makes it keep its vertices without triangles. If that isn't enough, it also
// keeps its order.
static bool keep_unfound(const orderer *o) {
    bool tries = false;
    if (!find_sets(o)) return false;
    for (int32_t i = 0; i < o->set_count; i++) {
        vertex_set *set = &o->sets[i];
        if (set->found || !has_order(o, set)) continue;
        set->keeps_all = tries = true;
        if (!set_best(o, set)) return false;
    }
    if (tries && !find_sets(o)) return false;
    for (int32_t i = 0; i < o->set_count; i++) {
        if (!o->sets[i].found) keep_order(o, &o->sets[i]);
    }
    return true;
}

static void count_changes(const orderer *o) {
    for (int32_t i = 0; i < o->set_count; i++) {
        const vertex_set *set = &o->sets[i];
        const mesh_accessor *first = &o->c->accessors[set->first];
        for (int32_t k = set->first; k >= 0 && mesh_is_index(first); k = o->next[k]) first = &o->c->accessors[k];
        if (!first->order) continue;
        o->c->out->reordered += first->stored;
        o->c->out->merged += first->count - first->stored;
    }
}

bool mesh_choose_order(mesh_coder *c) {
    orderer o = {.c = c, .count = c->accessor_count};
    const size_t count = (size_t)o.count;
    o.parents = sinewi_arena_array(c->arena, int32_t, count);
    o.set_of = sinewi_arena_array(c->arena, int32_t, count);
    o.next = sinewi_arena_array(c->arena, int32_t, count);
    o.fixed = sinewi_arena_zeros(c->arena, bool, count);
    o.fixed_triangles = sinewi_arena_zeros(c->arena, bool, count);
    o.sets = sinewi_arena_zeros(c->arena, vertex_set, count);
    if (!o.parents || !o.set_of || !o.next || !o.fixed || !o.fixed_triangles || !o.sets) return false;
    join_primitives(&o);
    if (!list_sets(&o)) return false;
    for (int32_t i = 0; i < o.set_count; i++) {
        if (!choose_order(&o, &o.sets[i])) return false;
    }
    if (!list_positions(&o) || !keep_unfound(&o)) return false;
    count_changes(&o);
    return true;
}
