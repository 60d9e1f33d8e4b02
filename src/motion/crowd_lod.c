// SPDX-License-Identifier: MIT
// A skin's levels of detail: the nodes that are kept, and the closest kept node for each joint.
#include <sinew/motion/crowd.h>

#include "core/batch_lod.h"
#include "base/fail.h"
#include "core/skeleton_object.h"

#include <assert.h>
#include <string.h>

// ---- What is kept --------------------------------------------------------------------------------------------

// Scratch memory during creation.
typedef struct plan {
    const sinew_skeleton *skeleton;
    bool *is_kept;         // [node_count]
    int32_t *nearest;      // [node_count], itself if kept, or else the closest kept ancestor
    sinew_affine *offsets; // [node_count], from a node to its nearest kept one, in the rest pose
    int32_t link_count, part_count;
} plan;

static bool block_is_kept(const plan *p, int32_t block) {
    for (int32_t i = block * SINEW_LANES; i < (block + 1) * SINEW_LANES && i < p->skeleton->node_count; i++) {
        if (p->is_kept[i]) return true;
    }
    return false;
}

// Keeps the nodes of the mask, their ancestors, and roots.
static void choose_nodes(plan *p, const sinew_mask *mask) {
    const int32_t *parents = p->skeleton->parents;
    for (int32_t i = p->skeleton->node_count - 1; i >= 0; i--) {
        p->is_kept[i] |= mask->nodes[i] > 0.0f || parents[i] == SINEW_NO_NODE;
        if (p->is_kept[i] && parents[i] != SINEW_NO_NODE) p->is_kept[parents[i]] = true;
    }
}

static void find_nearest(plan *p) {
    for (int32_t i = 0; i < p->skeleton->node_count; i++) {
        p->nearest[i] = i;
        p->offsets[i] = sinew_affine_identity();
        if (p->is_kept[i]) continue;
        int32_t parent = p->skeleton->parents[i];
        p->nearest[i] = p->nearest[parent];
        p->offsets[i] = sinew_affine_multiply(p->offsets[parent], sinewi_skeleton_rest_local(p->skeleton, i));
    }
}

static void count_arrays(plan *p) {
    const sinewi_skeleton_object *object = (const sinewi_skeleton_object *)p->skeleton;
    for (int32_t i = 0; i < object->link_count; i++) p->link_count += p->is_kept[object->links[i].node];
    int32_t blocks = (int32_t)sinewi_block_count(p->skeleton->node_count);
    for (int32_t b = 0; b < blocks; b++) {
        p->part_count += block_is_kept(p, b) && (b == 0 || !block_is_kept(p, b - 1));
    }
}

// ---- The object ----------------------------------------------------------------------------------------------

typedef struct lod_arrays {
    sinew_node_lod *lod;
    sinew_affine *binds;
    int32_t *joints;
    sinewi_link *links;
    sinewi_range *parts;
} lod_arrays;

static lod_arrays lay_out(sinewi_layout *layout, const plan *p, const sinew_skin *skin) {
    size_t joints = (size_t)skin->joint_count;
    return (lod_arrays){
        .lod = sinewi_layout_array(layout, sinew_node_lod, 1, SINEWI_ALIGNMENT),
        .binds = sinewi_layout_array(layout, sinew_affine, joints, SINEWI_ALIGNMENT),
        .joints = sinewi_layout_array(layout, int32_t, joints, sizeof(int32_t)),
        .links = sinewi_layout_array(layout, sinewi_link, (size_t)p->link_count, sizeof(int32_t)),
        .parts = sinewi_layout_array(layout, sinewi_range, (size_t)p->part_count, sizeof(int32_t)),
    };
}

static void fill_joints(const lod_arrays *a, const plan *p, const sinew_skin *skin) {
    for (int32_t i = 0; i < skin->joint_count; i++) {
        int32_t node = skin->joints[i];
        a->joints[i] = p->nearest[node];
        a->binds[i] = p->is_kept[node] ? skin->inverse_binds[i]
                                       : sinew_affine_multiply(p->offsets[node], skin->inverse_binds[i]);
    }
}

static void fill_links(const lod_arrays *a, const plan *p) {
    const sinewi_skeleton_object *object = (const sinewi_skeleton_object *)p->skeleton;
    sinewi_link *link = a->links;
    for (int32_t i = 0; i < object->link_count; i++) {
        if (p->is_kept[object->links[i].node]) *link++ = object->links[i];
    }
}

// Parts are in blocks and include the padding.
static void fill_parts(const lod_arrays *a, const plan *p) {
    sinewi_range *part = a->parts;
    int32_t blocks = (int32_t)sinewi_block_count(p->skeleton->node_count);
    for (int32_t b = 0; b < blocks; b++) {
        if (!block_is_kept(p, b)) continue;
        if (b == 0 || !block_is_kept(p, b - 1)) *part++ = (sinewi_range){b * SINEW_LANES, b * SINEW_LANES};
        part[-1].end = (b + 1) * SINEW_LANES;
    }
}

static sinew_result create(const plan *p, const sinew_skin *skin, const sinew_allocator *allocator,
                           sinew_node_lod **lod) {
    sinewi_layout measure = {0};
    lay_out(&measure, p, skin);
    sinewi_layout layout = {(char *)sinewi_allocate(allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    lod_arrays a = lay_out(&layout, p, skin);
    fill_joints(&a, p, skin);
    fill_links(&a, p);
    fill_parts(&a, p);
    *a.lod = (sinew_node_lod){skin,    a.joints,      a.binds,    a.links,     p->link_count,
                              a.parts, p->part_count, *allocator, measure.size};
    *lod = a.lod;
    return SINEW_OK;
}

sinew_result sinew_node_lod_create(const sinew_skin *skin, const sinew_mask *mask, const sinew_allocator *allocator,
                                   sinew_node_lod **lod) {
    assert(skin && mask && mask->skeleton == skin->skeleton && lod);
    *lod = NULL;
    sinewi_arena arena;
    sinewi_arena_init(&arena, allocator);
    size_t nodes = (size_t)skin->skeleton->node_count;
    plan p = {.skeleton = skin->skeleton,
              .is_kept = sinewi_arena_zeros(&arena, bool, nodes),
              .nearest = sinewi_arena_array(&arena, int32_t, nodes),
              .offsets = sinewi_arena_array(&arena, sinew_affine, nodes)};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    if (p.is_kept && p.nearest && p.offsets) {
        choose_nodes(&p, mask);
        find_nearest(&p);
        count_arrays(&p);
        result = create(&p, skin, &arena.allocator, lod);
    }
    sinewi_arena_free(&arena);
    return result;
}

void sinew_node_lod_destroy(sinew_node_lod *lod) {
    if (!lod) return;
    sinew_allocator allocator = lod->allocator;
    sinewi_release(&allocator, lod, lod->size, SINEWI_ALIGNMENT);
}
