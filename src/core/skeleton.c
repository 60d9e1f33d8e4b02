// SPDX-License-Identifier: MIT
// Skeletons: checks a definition, sorts its nodes depth-first, and fills the skeleton's single memory block.
//
// A source index is a node's index in the definition. All other indices are the skeleton's, where parents come before
// their children and each subtree is one range. Excluded nodes have no index in the skeleton. A shear is the part of a
// node's rest matrix that translation, rotation and scale can't express. A link is a node and its parent, for the
// kernel that computes model matrices. The rest pose is also stored as a clip with only constant channels (see
// kernels/layout.h), so kernels can read it like a clip.
#include "core/pose_block.h"
#include "core/skeleton_object.h"
#include "base/authored.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/finite.h"
#include "base/memory.h"
#include "base/merge_sort.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// A skeleton's arrays, still writable.
typedef struct skeleton_arrays {
    int32_t *parents, *subtree_ends, *source_of_node, *node_of_source, *weight_offsets;
    const char **names;
    const char *first_name; // all names in a row, in source order
    const char **curve_names;
    const char *first_curve_name; // the same, in the definition's order
    int32_t *curves_by_name;
    sinew_transform *rest;
    float *rest_weights; // followed by the curves' rest values
    int32_t *shear_nodes;
    sinew_affine *shears;
    sinewi_block *rest_blocks;
    float *rest_weight_blocks;
    int32_t *group_strips; // of the rest pose as a clip, all 0
    sinewi_group *groups;  // all constant
    uint8_t *fast_paths;   // all SINEWI_FAST_PATH_FLOAT
    sinewi_link *links;
    sinewi_skeleton_object *object;
} skeleton_arrays;

sinew_skeleton_def sinew_skeleton_default(void) {
    return (sinew_skeleton_def){.cookie = SINEWI_DEF_COOKIE};
}

// ---- Checking ------------------------------------------------------------------------------------------------

// How much a skeleton with a valid definition needs.
typedef struct counts {
    int32_t nodes; // without excluded nodes
    int32_t shears;
    int64_t weights;
} counts;

// Checks the node with source index i. sort_nodes finds cycles.
static sinew_result check_node(const sinew_skeleton_def *def, int32_t i, sinew_error *error) {
    const sinew_node_def *node = &def->nodes[i];
    if (node->parent < SINEW_NO_NODE || node->parent >= def->node_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "nodes[%d]: its parent is %d, but there are only %d nodes",
                           i, node->parent, def->node_count);
    }
    if (node->parent != SINEW_NO_NODE && def->nodes[node->parent].excluded) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "nodes[%d]: its parent, %d, is excluded", i, node->parent);
    }
    if (!sinewi_transform_is_finite(&node->rest)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "nodes[%d]: its transform is not finite", i);
    }
    if (node->shear && !sinewi_affine_is_finite(node->shear)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "nodes[%d]: its shear is not finite", i);
    }
    if (node->weight_count < 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "nodes[%d]: weight_count is %d", i, node->weight_count);
    }
    return SINEW_OK;
}

static sinew_result check_curves(const sinew_skeleton_def *def, sinew_error *error) {
    if (def->curve_count < 0 || (def->curve_count > 0 && !def->curve_names)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "skeleton: curve_count is %d%s", def->curve_count,
                           def->curve_count > 0 ? ", but curve_names is NULL" : "");
    }
    for (int32_t i = 0; i < def->curve_count; i++) {
        if (!def->curve_names[i] || def->curve_names[i][0] == '\0') {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "curve_names[%d]: no name", i);
        }
        if (def->rest_curves && !isfinite(def->rest_curves[i])) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "rest_curves[%d] is not finite", i);
        }
    }
    return SINEW_OK;
}

// Checks the definition and counts what its skeleton needs.
static sinew_result check_nodes(const sinew_skeleton_def *def, counts *found, sinew_error *error) {
    if (def->node_count < 0 || (def->node_count > 0 && !def->nodes)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "skeleton: node_count is %d%s", def->node_count,
                           def->node_count > 0 ? ", but nodes is NULL" : "");
    }
    if (def->node_count > SINEW_MAX_NODES) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, "skeleton: %d nodes, but at most %d are allowed",
                           def->node_count, SINEW_MAX_NODES);
    }
    for (int32_t i = 0; i < def->node_count; i++) {
        if (def->nodes[i].excluded) continue;
        sinew_result result = check_node(def, i, error);
        if (result != SINEW_OK) return result;
        found->nodes++;
        found->weights += def->nodes[i].weight_count;
        found->shears += def->nodes[i].shear != NULL;
    }
    if (found->weights + def->curve_count > INT32_MAX - SINEWI_ALIGNMENT) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, "skeleton: more than %d morph weights and curves in total",
                           INT32_MAX - SINEWI_ALIGNMENT);
    }
    return SINEW_OK;
}

// ---- Sorting -------------------------------------------------------------------------------------------------

// Child lists over source indices. The roots are children of the extra element [node_count].
typedef struct child_lists {
    int32_t *first_child; // [node_count + 1]
    int32_t *next_sibling;
} child_lists;

// Lists each node's children in source order.
static void link_children(child_lists *lists, const sinew_skeleton_def *def) {
    int32_t count = def->node_count;
    for (int32_t i = 0; i <= count; i++) lists->first_child[i] = SINEW_NO_NODE;
    for (int32_t i = count - 1; i >= 0; i--) { // backward, so lists end up in source order
        if (def->nodes[i].excluded) continue;
        int32_t parent = def->nodes[i].parent == SINEW_NO_NODE ? count : def->nodes[i].parent;
        lists->next_sibling[i] = lists->first_child[parent];
        lists->first_child[parent] = i;
    }
}

// Numbers the nodes depth-first and returns how many it reached. Nodes on a cycle have no root, so it doesn't reach
// them.
static int32_t number_nodes(skeleton_arrays *to, const sinew_skeleton_def *def, const child_lists *lists) {
    int32_t count = 0;
    int32_t source = lists->first_child[def->node_count];
    while (source != SINEW_NO_NODE) {
        int32_t parent = def->nodes[source].parent;
        to->parents[count] = parent == SINEW_NO_NODE ? SINEW_NO_NODE : to->node_of_source[parent];
        to->source_of_node[count] = source;
        to->node_of_source[source] = count++;
        if (lists->first_child[source] != SINEW_NO_NODE) {
            source = lists->first_child[source];
            continue;
        }
        for (;;) { // up to the nearest ancestor with an unvisited sibling
            to->subtree_ends[to->node_of_source[source]] = count;
            if (lists->next_sibling[source] != SINEW_NO_NODE) break;
            if (def->nodes[source].parent == SINEW_NO_NODE) return count;
            source = def->nodes[source].parent;
        }
        source = lists->next_sibling[source];
    }
    return count;
}

// Fails if a node's ancestors form a cycle.
static sinew_result sort_nodes(skeleton_arrays *to, const sinew_skeleton_def *def, int32_t count,
                               sinew_error *error) {
    size_t size = (2 * (size_t)def->node_count + 1) * sizeof(int32_t);
    int32_t *scratch = (int32_t *)sinewi_allocate(&def->allocator, size, sizeof(int32_t));
    if (!scratch) return sinewi_fail_memory(error);
    child_lists lists = {scratch, scratch + def->node_count + 1};
    for (int32_t i = 0; i < def->node_count; i++) to->node_of_source[i] = SINEW_NO_NODE;
    link_children(&lists, def);
    int32_t reached = number_nodes(to, def, &lists);
    sinewi_release(&def->allocator, scratch, size, sizeof(int32_t));
    if (reached == count) return SINEW_OK;

    int32_t unreached = 0;
    while (def->nodes[unreached].excluded || to->node_of_source[unreached] != SINEW_NO_NODE) unreached++;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "nodes[%d]: its ancestors form a cycle", unreached);
}

static int compare_curves(const void *a, const void *b, const void *context) {
    const char *const *names = (const char *const *)context;
    return strcmp(names[*(const int32_t *)a], names[*(const int32_t *)b]);
}

// Sorts the curves by name for sinew_skeleton_find_curve. Fails if two have the same name.
static sinew_result sort_curves(skeleton_arrays *to, const sinew_skeleton_def *def, sinew_error *error) {
    const size_t count = (size_t)def->curve_count, size = 2 * count * sizeof(int32_t);
    if (count == 0) return SINEW_OK;
    int32_t *scratch = (int32_t *)sinewi_allocate(&def->allocator, size, sizeof(int32_t));
    if (!scratch) return sinewi_fail_memory(error);
    for (size_t i = 0; i < count; i++) scratch[i] = (int32_t)i;
    const int32_t *sorted = (const int32_t *)sinewi_merge_sort(scratch, scratch + count, count, sizeof *scratch,
                                                               compare_curves, (const void *)def->curve_names);
    memcpy(to->curves_by_name, sorted, count * sizeof *sorted);
    sinewi_release(&def->allocator, scratch, size, sizeof(int32_t));
    for (size_t i = 1; i < count; i++) {
        const char *name = def->curve_names[to->curves_by_name[i]];
        if (strcmp(def->curve_names[to->curves_by_name[i - 1]], name) != 0) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "skeleton: two curves are named '%s'", name);
    }
    return SINEW_OK;
}

// ---- Making --------------------------------------------------------------------------------------------------

// Places all arrays in the skeleton's memory block. In the measuring pass, they are NULL.
static skeleton_arrays lay_out(sinewi_layout *layout, const sinew_skeleton_def *def, const counts *found) {
    size_t count = (size_t)found->nodes, curves = (size_t)def->curve_count;
    size_t values = (size_t)found->weights + curves;
    skeleton_arrays a = {0};
    a.object = sinewi_layout_array(layout, sinewi_skeleton_object, 1, SINEWI_ALIGNMENT);
    a.rest = sinewi_layout_array(layout, sinew_transform, count, SINEWI_ALIGNMENT);
    a.names = sinewi_layout_array(layout, const char *, count, sizeof(void *));
    a.parents = sinewi_layout_array(layout, int32_t, count, sizeof(int32_t));
    a.subtree_ends = sinewi_layout_array(layout, int32_t, count, sizeof(int32_t));
    a.source_of_node = sinewi_layout_array(layout, int32_t, count, sizeof(int32_t));
    a.node_of_source = sinewi_layout_array(layout, int32_t, (size_t)def->node_count, sizeof(int32_t));
    a.weight_offsets = sinewi_layout_array(layout, int32_t, count + 1, sizeof(int32_t));
    a.rest_weights = sinewi_layout_array(layout, float, values, sizeof(float));
    a.curve_names = sinewi_layout_array(layout, const char *, curves, sizeof(void *));
    a.curves_by_name = sinewi_layout_array(layout, int32_t, curves, sizeof(int32_t));
    a.shear_nodes = sinewi_layout_array(layout, int32_t, (size_t)found->shears, sizeof(int32_t));
    a.shears = sinewi_layout_array(layout, sinew_affine, (size_t)found->shears, SINEWI_ALIGNMENT);
    size_t blocks = sinewi_block_count(found->nodes), weight_blocks = sinewi_block_count((int32_t)values);
    a.rest_blocks = sinewi_layout_array(layout, sinewi_block, blocks, SINEWI_ALIGNMENT);
    a.rest_weight_blocks =
        (float *)sinewi_layout_take(layout, weight_blocks, SINEW_LANES * sizeof(float), SINEWI_ALIGNMENT);
    a.group_strips =
        sinewi_layout_array(layout, int32_t, SINEWI_GROUPS * blocks + weight_blocks + 1, sizeof(int32_t));
    a.groups = sinewi_layout_array(layout, sinewi_group, SINEWI_GROUPS * blocks + weight_blocks, sizeof(void *));
    a.fast_paths = sinewi_layout_array(layout, uint8_t, blocks, sizeof(uint8_t));
    a.links = sinewi_layout_array(layout, sinewi_link, count, sizeof(int32_t));
    for (int32_t i = 0; i < def->node_count; i++) {
        if (def->nodes[i].excluded) continue;
        const char *name = sinewi_layout_string(layout, def->nodes[i].name);
        if (!a.first_name) a.first_name = name;
    }
    for (int32_t i = 0; i < def->curve_count; i++) {
        const char *name = sinewi_layout_string(layout, def->curve_names[i]);
        if (!a.first_curve_name) a.first_curve_name = name;
    }
    return a;
}

// The names were copied one after another, in source order.
static void fill_names(skeleton_arrays *a, const sinew_skeleton_def *def) {
    const char *name = a->first_name;
    for (int32_t i = 0; name && i < def->node_count; i++) {
        if (def->nodes[i].excluded) continue;
        a->names[a->node_of_source[i]] = name;
        name += strlen(name) + 1;
    }
    name = a->first_curve_name;
    for (int32_t i = 0; name && i < def->curve_count; i++) {
        a->curve_names[i] = name;
        name += strlen(name) + 1;
    }
}

// Copies the rest transforms, morph weights and shears in skeleton order, then the curves. Normalizes rotations.
static void fill_nodes(skeleton_arrays *a, const sinew_skeleton_def *def, int32_t count) {
    int32_t weights = 0, shears = 0;
    for (int32_t i = 0; i < count; i++) {
        const sinew_node_def *node = &def->nodes[a->source_of_node[i]];
        a->rest[i] = node->rest;
        a->rest[i].rotation = sinewi_quat_as_authored(node->rest.rotation);
        a->weight_offsets[i] = weights;
        for (int32_t w = 0; w < node->weight_count; w++) {
            a->rest_weights[weights++] = node->rest_weights ? node->rest_weights[w] : 0.0f;
        }
        if (!node->shear) continue;
        a->shear_nodes[shears] = i;
        a->shears[shears++] = *node->shear;
    }
    a->weight_offsets[count] = weights;
    for (int32_t i = 0; i < def->curve_count; i++) {
        a->rest_weights[weights++] = def->rest_curves ? def->rest_curves[i] : 0.0f;
    }
}

// Writes the rest pose as a clip without strips. All groups are constant, and the base has the values. Lanes after the
// last node are identity transforms.
static void fill_rest_blocks(skeleton_arrays *a, int32_t node_count, size_t value_count) {
    for (size_t i = 0; i < sinewi_padded(node_count); i++) {
        float values[SINEWI_PLANES];
        sinewi_transform_to_planes(i < (size_t)node_count ? a->rest[i] : sinew_transform_identity(), values);
        sinewi_block *block = &a->rest_blocks[i / SINEW_LANES];
        for (int p = 0; p < SINEWI_PLANES; p++) block->lane[p][i % SINEW_LANES] = values[p];
    }
    size_t groups = SINEWI_GROUPS * sinewi_block_count(node_count) + sinewi_block_count((int32_t)value_count);
    memset(a->group_strips, 0, (groups + 1) * sizeof *a->group_strips);
    for (size_t g = 0; g < groups; g++) a->groups[g] = (sinewi_group){.rows = SINEWI_GROUP_CONSTANT};
    for (size_t b = 0; b < sinewi_block_count(node_count); b++) a->fast_paths[b] = SINEWI_FAST_PATH_FLOAT;
    memset(a->rest_weight_blocks, 0, sinewi_padded((int32_t)value_count) * sizeof(float));
    if (value_count > 0) memcpy(a->rest_weight_blocks, a->rest_weights, value_count * sizeof(float));
}

// Counting sort of the nodes with parents by depth. `link_count` receives their number and `depth` the number of
// levels. Returns false if memory runs out.
static bool fill_links(skeleton_arrays *a, const sinew_skeleton_def *def, int32_t count, int32_t *link_count,
                       int32_t *depth) {
    size_t nodes = (size_t)count, size = (2 * nodes + 2) * sizeof(int32_t);
    int32_t *depths = (int32_t *)sinewi_allocate(&def->allocator, size, sizeof(int32_t));
    if (!depths) return false;
    int32_t *starts = depths + nodes; // where each depth starts in the links
    memset(starts, 0, (nodes + 2) * sizeof *starts);
    for (size_t i = 0; i < nodes; i++) {
        depths[i] = a->parents[i] == SINEW_NO_NODE ? 0 : depths[a->parents[i]] + 1;
        if (depths[i] > 0) starts[depths[i] + 1]++;
        if (depths[i] > *depth) *depth = depths[i];
    }
    for (size_t d = 1; d < nodes + 2; d++) starts[d] += starts[d - 1];
    *link_count = starts[nodes + 1];
    for (int32_t i = 0; i < count; i++) {
        if (depths[i] > 0) a->links[starts[depths[i]]++] = (sinewi_link){i, a->parents[i]};
    }
    sinewi_release(&def->allocator, depths, size, sizeof(int32_t));
    return true;
}

static sinew_skeleton public_skeleton(const skeleton_arrays *a, const sinew_skeleton_def *def,
                                      const counts *found) {
    return (sinew_skeleton){
        .node_count = found->nodes,
        .parents = a->parents,
        .subtree_ends = a->subtree_ends,
        .names = a->names,
        .rest = a->rest,
        .source_of_node = a->source_of_node,
        .source_count = def->node_count,
        .node_of_source = a->node_of_source,
        .weight_count = (int32_t)found->weights,
        .weight_offsets = a->weight_offsets,
        .rest_weights = a->rest_weights,
        .curve_count = def->curve_count,
        .curve_names = a->curve_names,
        .rest_curves = a->rest_weights ? a->rest_weights + found->weights : NULL,
        .shear_count = found->shears,
        .shear_nodes = a->shear_nodes,
        .shears = a->shears,
    };
}

sinew_result sinew_skeleton_create(const sinew_skeleton_def *def, sinew_skeleton **skeleton, sinew_error *error) {
    *skeleton = NULL;
    counts found = {0, 0, 0};
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_skeleton_def: start from sinew_skeleton_default()", error);
    if (result == SINEW_OK) result = check_curves(def, error);
    if (result == SINEW_OK) result = check_nodes(def, &found, error);
    if (result != SINEW_OK) return result;

    sinewi_layout measure = {0};
    lay_out(&measure, def, &found);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    skeleton_arrays a = lay_out(&layout, def, &found);

    result = sort_nodes(&a, def, found.nodes, error);
    if (result == SINEW_OK) result = sort_curves(&a, def, error);
    int32_t link_count = 0, depth = 0;
    if (result == SINEW_OK && !fill_links(&a, def, found.nodes, &link_count, &depth)) {
        result = sinewi_fail_memory(error);
    }
    if (result != SINEW_OK) {
        sinewi_release(&def->allocator, layout.base, measure.size, SINEWI_ALIGNMENT);
        return result;
    }
    fill_names(&a, def);
    fill_nodes(&a, def, found.nodes);
    fill_rest_blocks(&a, found.nodes, (size_t)found.weights + (size_t)def->curve_count);
    *a.object = (sinewi_skeleton_object){
        .skeleton = public_skeleton(&a, def, &found),
        .rest = {.group_strips = a.group_strips,
                 .groups = a.groups,
                 .fast_paths = a.fast_paths,
                 .base = a.rest_blocks,
                 .base_weights = a.rest_weight_blocks,
                 .node_groups = (int32_t)(SINEWI_GROUPS * sinewi_block_count(found.nodes))},
        .curves_by_name = a.curves_by_name,
        .links = a.links,
        .link_count = link_count,
        .depth = depth,
        .allocator = def->allocator,
        .size = measure.size,
    };
    *skeleton = &a.object->skeleton;
    return SINEW_OK;
}

void sinew_skeleton_destroy(sinew_skeleton *skeleton) {
    if (!skeleton) return;
    sinewi_skeleton_object *object = (sinewi_skeleton_object *)skeleton;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}

// Binary search, because shear_nodes is sorted.
const sinew_affine *sinewi_skeleton_shear(const sinew_skeleton *skeleton, int32_t node) {
    int32_t low = 0, high = skeleton->shear_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (skeleton->shear_nodes[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_sheared = low < skeleton->shear_count && skeleton->shear_nodes[low] == node;
    return is_sheared ? &skeleton->shears[low] : NULL;
}

sinew_affine sinewi_skeleton_local(const sinew_skeleton *skeleton, int32_t node, sinew_transform transform) {
    sinew_affine local = sinew_affine_from_transform(transform);
    const sinew_affine *shear = sinewi_skeleton_shear(skeleton, node);
    return shear ? sinew_affine_multiply(local, *shear) : local;
}

sinew_affine sinewi_skeleton_rest_local(const sinew_skeleton *skeleton, int32_t node) {
    return sinewi_skeleton_local(skeleton, node, skeleton->rest[node]);
}

int32_t sinew_skeleton_find_curve(const sinew_skeleton *skeleton, const char *name) {
    assert(skeleton && name);
    const int32_t *sorted = ((const sinewi_skeleton_object *)skeleton)->curves_by_name;
    int32_t low = 0, high = skeleton->curve_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const int order = strcmp(skeleton->curve_names[sorted[middle]], name);
        if (order == 0) return sorted[middle];
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return SINEW_NO_CURVE;
}

int32_t sinew_skeleton_find(const sinew_skeleton *skeleton, const char *name) {
    assert(skeleton && name);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (strcmp(skeleton->names[i], name) == 0) return i;
    }
    return SINEW_NO_NODE;
}
