// Kernels over ranges: whole blocks go straight to their place, parts of blocks by way of the stack.
#include "anim/block.h"
#include "anim/skeleton_object.h"

#include <string.h>

// ---- Blocks of nodes -----------------------------------------------------------------------------------------

// The part of a block that belongs to a range: lanes [first, end).
typedef struct part {
    int32_t first, end;
} part;

static part part_of(sinew_range range, int32_t block) {
    int32_t start = block * SINEW_LANES;
    int32_t first = range.first - start, end = range.end - start;
    return (part){first > 0 ? first : 0, end < SINEW_LANES ? end : SINEW_LANES};
}

static bool is_whole(part p) {
    return p.first == 0 && p.end == SINEW_LANES;
}

void sinew_mix_to_pose(const sinew_mix *mix, sinew_range nodes, sinew_pose *pose) {
    const sinew_kernels *kernels = sinew_kernels_used();
    sinew_planes planes = sinew_pose_planes(pose);
    for (int32_t b = nodes.first / SINEW_LANES; b * SINEW_LANES < nodes.end; b++) {
        part p = part_of(nodes, b);
        float *to[SINEW_PLANES], *out[SINEW_PLANES];
        sinew_block aside;
        for (int i = 0; i < SINEW_PLANES; i++) {
            to[i] = planes.plane[i] + (ptrdiff_t)b * SINEW_LANES;
            out[i] = is_whole(p) ? to[i] : aside.lane[i];
        }
        kernels->mix_to_pose(mix, (size_t)b, out);
        if (is_whole(p)) continue;
        size_t size = (size_t)(p.end - p.first) * sizeof(float);
        for (int i = 0; i < SINEW_PLANES; i++) memcpy(to[i] + p.first, aside.lane[i] + p.first, size);
    }
}

void sinew_mix_to_weights(const sinew_mix *mix, const sinew_skeleton *skeleton, sinew_range nodes, float *weights) {
    const sinew_kernels *kernels = sinew_kernels_used();
    sinew_range range = {skeleton->weight_offsets[nodes.first], skeleton->weight_offsets[nodes.end]};
    for (int32_t b = range.first / SINEW_LANES; b * SINEW_LANES < range.end; b++) {
        part p = part_of(range, b);
        float aside[SINEW_LANES];
        kernels->mix_weights(mix, (size_t)b, aside);
        memcpy(weights + (ptrdiff_t)b * SINEW_LANES + p.first, aside + p.first,
               (size_t)(p.end - p.first) * sizeof(float));
    }
}

static void copy_part(sinew_affine *to, const sinew_affine *aside, part p) {
    memcpy(to + p.first, aside + p.first, (size_t)(p.end - p.first) * sizeof *to);
}

void sinew_mix_to_local(const sinew_mix *mix, sinew_range nodes, sinew_affine *local) {
    const sinew_kernels *kernels = sinew_kernels_used();
    for (int32_t b = nodes.first / SINEW_LANES; b * SINEW_LANES < nodes.end; b++) {
        part p = part_of(nodes, b);
        sinew_affine *to = local + (ptrdiff_t)b * SINEW_LANES, aside[SINEW_LANES];
        kernels->mix_to_local(mix, (size_t)b, is_whole(p) ? to : aside);
        if (!is_whole(p)) copy_part(to, aside, p);
    }
}

void sinew_pose_to_local(const sinew_pose *pose, sinew_range nodes, sinew_affine *local) {
    const sinew_kernels *kernels = sinew_kernels_used();
    sinew_planes planes = sinew_pose_planes(pose);
    for (int32_t b = nodes.first / SINEW_LANES; b * SINEW_LANES < nodes.end; b++) {
        part p = part_of(nodes, b);
        const float *in[SINEW_PLANES];
        for (int i = 0; i < SINEW_PLANES; i++) in[i] = planes.plane[i] + (ptrdiff_t)b * SINEW_LANES;
        sinew_affine *to = local + (ptrdiff_t)b * SINEW_LANES, aside[SINEW_LANES];
        kernels->pose_to_local(in, is_whole(p) ? to : aside);
        if (!is_whole(p)) copy_part(to, aside, p);
    }
}

// ---- Parents -------------------------------------------------------------------------------------------------

// A subtree is a range in depth-first order: its links are made as they are needed.
static void subtree_to_model(const sinew_kernels *kernels, const sinew_skeleton *skeleton, sinew_range nodes,
                             sinew_affine *const *models, int32_t model_count) {
    sinew_link links[64];
    int32_t count = 0;
    for (int32_t node = nodes.first; node < nodes.end; node++) {
        if (skeleton->parents[node] != SINEW_NO_NODE) links[count++] = (sinew_link){node, skeleton->parents[node]};
        if (count == 64 || node == nodes.end - 1) {
            kernels->local_to_model(links, count, models, model_count);
            count = 0;
        }
    }
}

void sinew_local_to_model(const sinew_skeleton *skeleton, sinew_range nodes, sinew_affine *const *models,
                          int32_t model_count) {
    const sinew_kernels *kernels = sinew_kernels_used();
    if (nodes.first > 0 || nodes.end < skeleton->node_count) {
        subtree_to_model(kernels, skeleton, nodes, models, model_count);
        return;
    }
    const sinew_skeleton_object *object = (const sinew_skeleton_object *)skeleton;
    kernels->local_to_model(object->links, object->link_count, models, model_count);
}
