// SPDX-License-Identifier: MIT
// Runs kernels (src/kernels) over a range of nodes or morph weights, and converts local matrices to model matrices.
//
// Kernels process whole blocks of SINEW_LANES elements. A range that starts or ends inside a block is split into
// pieces. Whole pieces are written directly. Partial ones go through a copy on the stack, so nothing outside of the
// range gets written. A lane is an element's index in its block.
#include "core/pose_block.h"
#include "core/skeleton_object.h"

#include <string.h>

// ---- Blocks --------------------------------------------------------------------------------------------------

// A piece of a range: consecutive whole blocks, or part of one block.
typedef struct piece {
    size_t first, end;      // in blocks
    size_t offset;          // of the first block, in elements
    int32_t lane, lane_end; // for a partial block
    bool is_whole;
} piece;

// Returns the piece of the range that starts in a block: all whole blocks from there on, or part of one block.
static piece piece_at(sinewi_range range, size_t block) {
    int32_t start = (int32_t)block * SINEW_LANES, lane = range.first - start, lane_end = range.end - start;
    piece p = {.first = block, .end = block + 1, .offset = block * SINEW_LANES};
    p.lane = lane > 0 ? lane : 0;
    p.lane_end = lane_end < SINEW_LANES ? lane_end : SINEW_LANES;
    p.is_whole = p.lane == 0 && p.lane_end == SINEW_LANES;
    if (p.is_whole) p.end = (size_t)range.end / SINEW_LANES;
    return p;
}

static piece first_piece(sinewi_range range) {
    return piece_at(range, (size_t)range.first / SINEW_LANES);
}

// Returns false for the piece after the last one.
static bool has_piece(sinewi_range range, piece p) {
    return range.first < range.end && p.offset < (size_t)range.end;
}

// Copies the lanes inside the range. `to` is the block's first element.
static void copy_floats(float *to, const float *partial, piece p) {
    memcpy(to + p.lane, partial + p.lane, (size_t)(p.lane_end - p.lane) * sizeof *to);
}

// Copies the lanes inside the range. `to` is the block's first element.
static void copy_matrices(sinew_affine *to, const sinew_affine *partial, piece p) {
    memcpy(to + p.lane, partial + p.lane, (size_t)(p.lane_end - p.lane) * sizeof *to);
}

// ---- Local poses ---------------------------------------------------------------------------------------------

// From sinewi_blend_kernels or sinewi_mix_kernels.
typedef void pose_kernel(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]);
typedef void values_kernel(const sinewi_mix *mix, size_t first, size_t end, float *out);

static void evaluate_nodes(pose_kernel *kernel, const sinewi_mix *mix, sinewi_range nodes, sinew_pose *pose) {
    sinewi_planes planes = sinewi_pose_planes(pose);
    for (piece p = first_piece(nodes); has_piece(nodes, p); p = piece_at(nodes, p.end)) {
        float *to[SINEWI_PLANES], *out[SINEWI_PLANES];
        sinewi_block partial;
        for (int i = 0; i < SINEWI_PLANES; i++) {
            to[i] = planes.plane[i] + p.offset;
            out[i] = p.is_whole ? to[i] : partial.lane[i];
        }
        kernel(mix, p.first, p.end, out);
        if (p.is_whole) continue;
        for (int i = 0; i < SINEWI_PLANES; i++) copy_floats(to[i], partial.lane[i], p);
    }
}

static void evaluate_values(values_kernel *kernel, const sinewi_mix *mix, sinewi_range range, float *values) {
    for (piece p = first_piece(range); has_piece(range, p); p = piece_at(range, p.end)) {
        float partial[SINEW_LANES];
        kernel(mix, p.first, p.end, p.is_whole ? values + p.offset : partial);
        if (!p.is_whole) copy_floats(values + p.offset, partial, p);
    }
}

// A node's morph weights are consecutive, so a range of nodes is also a range of weights. If it has all nodes, the
// weights end where the curves start.
static void evaluate_weights(values_kernel *kernel, const sinewi_mix *mix, const sinew_skeleton *skeleton,
                             sinewi_range nodes, float *weights) {
    sinewi_range range = {skeleton->weight_offsets[nodes.first], skeleton->weight_offsets[nodes.end]};
    sinewi_range curves = {skeleton->weight_count, sinewi_value_count(skeleton)};
    if (range.end == curves.first) {
        range.end = curves.end;
    } else if (curves.first < curves.end) {
        evaluate_values(kernel, mix, curves, weights);
    }
    if (range.first < range.end) evaluate_values(kernel, mix, range, weights);
}

// Evaluate the base layer of a mix. See kernels/layout.h.
void sinewi_blend_to_pose(const sinewi_mix *mix, sinewi_range nodes, sinew_pose *pose) {
    evaluate_nodes(sinewi_blend_kernels_used()->blend_to_pose, mix, nodes, pose);
}

void sinewi_blend_to_weights(const sinewi_mix *mix, const sinew_skeleton *skeleton, sinewi_range nodes,
                             float *weights) {
    evaluate_weights(sinewi_blend_kernels_used()->blend_weights, mix, skeleton, nodes, weights);
}

// Evaluate all layers.
void sinewi_mix_to_pose(const sinewi_mix *mix, sinewi_range nodes, sinew_pose *pose) {
    evaluate_nodes(sinewi_mix_kernels_used()->mix_to_pose, mix, nodes, pose);
}

void sinewi_mix_to_weights(const sinewi_mix *mix, const sinew_skeleton *skeleton, sinewi_range nodes,
                           float *weights) {
    evaluate_weights(sinewi_mix_kernels_used()->mix_weights, mix, skeleton, nodes, weights);
}

// ---- Local matrices ------------------------------------------------------------------------------------------

// Evaluates a mix to local matrices for a range of nodes.
void sinewi_mix_to_local(const sinewi_mix *mix, sinewi_range nodes, sinew_affine *local) {
    const sinewi_mix_kernels *kernels = sinewi_mix_kernels_used();
    size_t first = (size_t)nodes.first / SINEW_LANES, end = (size_t)nodes.end / SINEW_LANES;
    if (nodes.first % SINEW_LANES == 0 && nodes.end % SINEW_LANES == 0 && first < end) { // a whole skeleton
        kernels->mix_to_local(mix, first, end, local + nodes.first);
        return;
    }
    for (piece p = first_piece(nodes); has_piece(nodes, p); p = piece_at(nodes, p.end)) {
        sinew_affine partial[SINEW_LANES];
        kernels->mix_to_local(mix, p.first, p.end, p.is_whole ? local + p.offset : partial);
        if (!p.is_whole) copy_matrices(local + p.offset, partial, p);
    }
}

// Converts the transforms of a range of nodes to local matrices, without shear.
void sinewi_pose_to_local(const sinew_pose *pose, sinewi_range nodes, sinew_affine *local) {
    const sinewi_model_kernels *kernels = sinewi_model_kernels_used();
    sinewi_planes planes = sinewi_pose_planes(pose);
    for (piece p = first_piece(nodes); has_piece(nodes, p); p = piece_at(nodes, p.end)) {
        const float *in[SINEWI_PLANES];
        for (int i = 0; i < SINEWI_PLANES; i++) in[i] = planes.plane[i] + p.offset;
        sinew_affine partial[SINEW_LANES];
        kernels->pose_to_local(in, p.end - p.first, p.is_whole ? local + p.offset : partial);
        if (!p.is_whole) copy_matrices(local + p.offset, partial, p);
    }
}

// ---- Model matrices ------------------------------------------------------------------------------------------

// Multiplies a subtree's nodes by their parents, in depth-first order. A skeleton sorts its links by level, so this
// makes the subtree's links, 64 at a time.
static void subtree_to_model(const sinewi_model_kernels *kernels, const sinew_skeleton *skeleton,
                             sinewi_range nodes, sinew_affine *const *models, int32_t model_count) {
    sinewi_link links[64];
    int32_t count = 0;
    for (int32_t node = nodes.first; node < nodes.end; node++) {
        if (skeleton->parents[node] != SINEW_NO_NODE) links[count++] = (sinewi_link){node, skeleton->parents[node]};
        if (count == 64 || node == nodes.end - 1) {
            kernels->local_to_model(links, count, models, model_count);
            count = 0;
        }
    }
}

// Multiplies the local matrices of nodes with shear: T R S × shear. Only nodes that come from a sheared matrix in the
// file have one.
void sinewi_apply_shears(const sinew_skeleton *skeleton, sinewi_range nodes, sinew_affine *const *models,
                         int32_t model_count) {
    for (int32_t i = 0; i < skeleton->shear_count; i++) {
        int32_t node = skeleton->shear_nodes[i];
        if (node < nodes.first || node >= nodes.end) continue;
        for (int32_t m = 0; m < model_count; m++) {
            models[m][node] = sinew_affine_multiply(models[m][node], skeleton->shears[i]);
        }
    }
}

// Overwrites each local matrix with the parent's model matrix times itself.
void sinewi_local_to_model(const sinew_skeleton *skeleton, sinewi_range nodes, sinew_affine *const *models,
                           int32_t model_count) {
    const sinewi_model_kernels *kernels = sinewi_model_kernels_used();
    sinewi_apply_shears(skeleton, nodes, models, model_count);
    if (nodes.first > 0 || nodes.end < skeleton->node_count) {
        subtree_to_model(kernels, skeleton, nodes, models, model_count);
        return;
    }
    const sinewi_skeleton_object *object = (const sinewi_skeleton_object *)skeleton;
    kernels->local_to_model(object->links, object->link_count, models, model_count);
}
