// SPDX-License-Identifier: MIT
// Bounds of a pose: the box around the boxes that move with nodes, and how far their corners are from a point. Include
// after the vectors of an instruction set. See kernels.h.
#ifndef SINEWI_KERNELS_BOUNDS_H
#define SINEWI_KERNELS_BOUNDS_H

#include "kernels/bound_block.h"

// These use a comparison and ignore a NaN in the second argument.
SIMD_INLINE vec vec_least(vec a, vec b) {
    return vec_select(vec_less(b, a), b, a);
}

SIMD_INLINE vec vec_largest(vec a, vec b) {
    return vec_select(vec_less(a, b), b, a);
}

SIMD_INLINE vec vec_absolute(vec a) {
    vec zero = vec_splat(0.0f);
    return vec_select(vec_less(a, zero), vec_sub(zero, a), a);
}

SIMD_INLINE float least_lane(vec a, float least) {
    float lanes[SIMD_WIDTH];
    vec_store(lanes, a);
    for (int l = 0; l < SIMD_WIDTH; l++) least = lanes[l] < least ? lanes[l] : least;
    return least;
}

SIMD_INLINE float largest_lane(vec a, float largest) {
    float lanes[SIMD_WIDTH];
    vec_store(lanes, a);
    for (int l = 0; l < SIMD_WIDTH; l++) largest = largest < lanes[l] ? lanes[l] : largest;
    return largest;
}

// Loads the model matrices of SIMD_WIDTH boxes' nodes.
SIMD_INLINE void load_matrices(const sinewi_bound_block *block, size_t lane, const sinew_affine *model, vec m[12]) {
    affine each[SIMD_WIDTH];
    for (size_t l = 0; l < SIMD_WIDTH; l++) each[l] = affine_load(&model[block->nodes[lane + l]]);
    affine_to_planes(each, m);
}

// Returns one component of the moved centers.
SIMD_INLINE vec moved_center(const sinewi_bound_block *block, size_t lane, const vec row[4]) {
    vec xy = vec_add(vec_mul(row[0], vec_load(block->center[0] + lane)),
                     vec_mul(row[1], vec_load(block->center[1] + lane)));
    return vec_add(vec_add(xy, vec_mul(row[2], vec_load(block->center[2] + lane))), row[3]);
}

typedef struct extents {
    vec min[3], max[3], reach, too_far;
} extents;

// Extends one component to include SIMD_WIDTH boxes.
SIMD_INLINE void extend(extents *all, int i, const sinewi_bound_block *block, size_t lane, const vec row[4]) {
    vec center = moved_center(block, lane, row), a[3];
    for (int k = 0; k < 3; k++) a[k] = vec_absolute(row[k]);
    vec half =
        vec_add(vec_mul(a[0], vec_load(block->half[0] + lane)), vec_mul(a[1], vec_load(block->half[1] + lane)));
    half = vec_add(half, vec_mul(a[2], vec_load(block->half[2] + lane)));
    vec sum = vec_add(vec_add(a[0], a[1]), a[2]);
    vec reach = vec_add(vec_mul(sum, vec_load(block->size + lane)), vec_absolute(row[3]));
    all->min[i] = vec_least(all->min[i], vec_sub(center, half));
    all->max[i] = vec_largest(all->max[i], vec_add(center, half));
    all->reach = vec_largest(all->reach, reach);
    all->too_far = vec_select(vec_less(reach, vec_splat(SINEWI_MAX_REACH)), all->too_far, vec_splat(1.0f));
}

static void bound_boxes(const sinewi_bound_block *blocks, size_t count, const sinew_affine *model,
                        sinewi_extent *extent) {
    extents all = {.reach = vec_splat(extent->reach), .too_far = vec_splat(0.0f)};
    for (int i = 0; i < 3; i++) all.min[i] = vec_splat(extent->min[i]), all.max[i] = vec_splat(extent->max[i]);
    for (size_t b = 0; b < count; b++) {
        for (size_t lane = 0; lane < SINEW_LANES; lane += SIMD_WIDTH) {
            vec m[12];
            load_matrices(&blocks[b], lane, model, m);
            for (int i = 0; i < 3; i++) extend(&all, i, &blocks[b], lane, m + 4 * (ptrdiff_t)i);
        }
    }
    for (int i = 0; i < 3; i++) {
        extent->min[i] = least_lane(all.min[i], extent->min[i]);
        extent->max[i] = largest_lane(all.max[i], extent->max[i]);
    }
    extent->reach = largest_lane(all.reach, extent->reach);
    if (vec_any(vec_less(vec_splat(0.0f), all.too_far))) extent->finite = false;
}

// Let d go from the point to the box's center, and let a, b and c be the box's half axes. A corner is at d ± a ± b ± c.
// Its squared distance is at most dd + aa + bb + cc + 2 (|da| + |db| + |dc| + |ab| + |bc| + |ca|). For perpendicular
// axes this is exactly the farthest corner.
SIMD_INLINE vec corner_square(const vec d[3], vec axes[3][3]) {
    const vec zero = vec_splat(0.0f);
    vec squares = zero, products = zero;
    for (int i = 0; i < 3; i++) squares = vec_add(squares, vec_mul(d[i], d[i]));
    for (int k = 0; k < 3; k++) {
        const vec *a = axes[k], *b = axes[(k + 1) % 3];
        vec along = zero, between = zero;
        for (int i = 0; i < 3; i++) {
            squares = vec_add(squares, vec_mul(a[i], a[i]));
            along = vec_add(along, vec_mul(d[i], a[i]));
            between = vec_add(between, vec_mul(a[i], b[i]));
        }
        products = vec_add(products, vec_add(vec_absolute(along), vec_absolute(between)));
    }
    return vec_add(squares, vec_add(products, products));
}

static float bound_square(const sinewi_bound_block *blocks, size_t count, const sinew_affine *model,
                          const float center[3], float square) {
    vec largest = vec_splat(square);
    for (size_t b = 0; b < count; b++) {
        for (size_t lane = 0; lane < SINEW_LANES; lane += SIMD_WIDTH) {
            vec m[12], d[3], axes[3][3];
            load_matrices(&blocks[b], lane, model, m);
            for (int i = 0; i < 3; i++) {
                const vec *row = m + 4 * (ptrdiff_t)i;
                d[i] = vec_sub(moved_center(&blocks[b], lane, row), vec_splat(center[i]));
                for (int k = 0; k < 3; k++) axes[k][i] = vec_mul(row[k], vec_load(blocks[b].half[k] + lane));
            }
            largest = vec_largest(largest, corner_square(d, axes));
        }
    }
    return largest_lane(largest, square);
}

#endif
