// SPDX-License-Identifier: MIT
// Boxes, and the bounds of meshes in a pose.
#include <sinew/bounds.h>

#include "kernels/kernels.h"
#include "spatial/bounds_object.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// ---- Boxes ---------------------------------------------------------------------------------------------------

// Minimum and maximum; NaN if either is NaN.
static float least(float a, float b) {
    return a < b || isnan(a) ? a : b;
}

static float largest(float a, float b) {
    return b < a || isnan(a) ? a : b;
}

static sinew_box infinite_box(void) {
    return (sinew_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

sinew_box sinew_box_empty(void) {
    return (sinew_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

bool sinew_box_is_empty(sinew_box box) {
    return box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z;
}

sinew_box sinew_box_union(sinew_box a, sinew_box b) {
    if (sinew_box_is_empty(a)) return b;
    if (sinew_box_is_empty(b)) return a;
    return (sinew_box){
        {least(a.min.x, b.min.x), least(a.min.y, b.min.y), least(a.min.z, b.min.z)},
        {largest(a.max.x, b.max.x), largest(a.max.y, b.max.y), largest(a.max.z, b.max.z)},
    };
}

// One component of the result. Rounding is monotonic, so a sum in the order of sinew_affine_point stays between the
// two.
static void transform_row(const float row[4], const sinew_box *box, float *min, float *max) {
    float x0 = row[0] * box->min.x, x1 = row[0] * box->max.x;
    float y0 = row[1] * box->min.y, y1 = row[1] * box->max.y;
    float z0 = row[2] * box->min.z, z1 = row[2] * box->max.z;
    *min = least(x0, x1) + least(y0, y1) + least(z0, z1) + row[3];
    *max = largest(x0, x1) + largest(y0, y1) + largest(z0, z1) + row[3];
}

sinew_box sinew_box_transform(sinew_box box, sinew_affine matrix) {
    if (sinew_box_is_empty(box)) return sinew_box_empty();
    float min[3], max[3];
    bool finite = true;
    for (int i = 0; i < 3; i++) {
        transform_row(matrix.m[i], &box, &min[i], &max[i]);
        finite = finite && isfinite(min[i]) && isfinite(max[i]);
    }
    if (!finite) return infinite_box();
    return (sinew_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

// ---- Morph targets -------------------------------------------------------------------------------------------

// Enlarges a lane's box by its morph targets at their weights.
static void add_targets(const sinew_bounds_object *object, int32_t box, const float *weights,
                        sinew_bound_block *block, int lane) {
    for (int32_t t = object->first_targets[box]; t < object->first_targets[box + 1]; t++) {
        const sinew_bound_target *target = &object->targets[t];
        float weight = weights[target->weight], size = fabsf(weight);
        if (weight == 0.0f) continue;
        for (int i = 0; i < 3; i++) {
            block->center[i][lane] += weight * target->center[i];
            block->half[i][lane] += size * target->half[i];
        }
        block->size[lane] += size * target->size;
    }
}

// A block of boxes, enlarged by their morph targets at their weights.
static void morph_block(const sinew_bounds_object *object, size_t index, const float *weights,
                        sinew_bound_block *block) {
    *block = object->blocks[object->still_blocks + index];
    if (!weights) return;
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        int32_t box = (int32_t)(index * SINEW_LANES) + lane, last = object->morph_count - 1;
        add_targets(object, box < last ? box : last, weights, block, lane);
    }
}

// ---- All boxes -----------------------------------------------------------------------------------------------

static sinew_extent empty_extent(void) {
    return (sinew_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f, true};
}

static sinew_extent extent_of(const sinew_bounds_object *object, const sinew_affine *model, const float *weights) {
    const sinew_kernels *kernels = sinew_kernels_used();
    sinew_extent extent = empty_extent();
    kernels->bound_boxes(object->blocks, object->still_blocks, model, &extent);
    for (size_t i = 0; i < object->morph_blocks; i++) {
        sinew_bound_block block;
        morph_block(object, i, weights, &block);
        kernels->bound_boxes(&block, 1, model, &extent);
    }
    return extent;
}

// An upper bound of the rounding error, and of underflow.
static float margin_of(const sinew_bounds_object *object, const sinew_extent *extent) {
    return object->slack * extent->reach + FLT_MIN;
}

static sinew_box box_of(const sinew_extent *extent, float margin) {
    const float *min = extent->min, *max = extent->max;
    if (!extent->finite) return infinite_box();
    return (sinew_box){
        {min[0] - margin, min[1] - margin, min[2] - margin},
        {max[0] + margin, max[1] + margin, max[2] + margin},
    };
}

// ---- The sphere ----------------------------------------------------------------------------------------------

static float corner_square(const sinew_bounds_object *object, const sinew_affine *model, const float *weights,
                           const float center[3]) {
    const sinew_kernels *kernels = sinew_kernels_used();
    float square = kernels->bound_square(object->blocks, object->still_blocks, model, center, 0.0f);
    for (size_t i = 0; i < object->morph_blocks; i++) {
        sinew_bound_block block;
        morph_block(object, i, weights, &block);
        square = kernels->bound_square(&block, 1, model, center, square);
    }
    return square;
}

// Whether the squares of lengths neither overflow nor lose digits.
static bool has_squares(const sinew_extent *extent) {
    return extent->reach > 1e-15f && extent->reach < 1e17f;
}

// The smaller of two radii: to the corners of the box, and to the furthest corner of the moved boxes.
static float least_radius(const sinew_bounds_object *object, const sinew_affine *model, const float *weights,
                          const float center[3], const float half[3]) {
    float box_square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    float square = corner_square(object, model, weights, center);
    return sqrtf(square < box_square ? square : box_square);
}

// The margin is that of one axis, and the centre and the squares are rounded, too. + 0.0f makes a centre of -0
// positive: its sign would depend on the order of the boxes.
static sinew_sphere sphere_of(const sinew_bounds_object *object, const sinew_affine *model, const float *weights,
                              const sinew_extent *extent, float margin) {
    if (!extent->finite) return (sinew_sphere){{0.0f, 0.0f, 0.0f}, INFINITY};
    const float rounding = 1.000001f;
    float center[3], half[3];
    for (int i = 0; i < 3; i++) {
        center[i] = 0.5f * (extent->min[i] + extent->max[i]) + 0.0f;
        half[i] = 0.5f * (extent->max[i] - extent->min[i]);
    }
    float radius = has_squares(extent) ? least_radius(object, model, weights, center, half)
                                       : sinew_vec3_length((sinew_vec3){half[0], half[1], half[2]});
    return (sinew_sphere){{center[0], center[1], center[2]}, radius * rounding + 2.0f * margin};
}

void sinew_bounds_pose(const sinew_bounds *bounds, const sinew_affine *model, const float *weights, sinew_box *box,
                       sinew_sphere *sphere) {
    assert(bounds && (model || bounds->box_count == 0));
    const sinew_bounds_object *object = (const sinew_bounds_object *)bounds;
    if (bounds->box_count == 0) {
        if (box) *box = sinew_box_empty();
        if (sphere) *sphere = (sinew_sphere){{0.0f, 0.0f, 0.0f}, -INFINITY};
        return;
    }
    sinew_extent extent = extent_of(object, model, weights);
    float margin = margin_of(object, &extent);
    if (box) *box = box_of(&extent, margin);
    if (sphere) *sphere = sphere_of(object, model, weights, &extent, margin);
}

// ---- Each box ------------------------------------------------------------------------------------------------

// Copies one lane to all lanes.
static void repeat_lane(const sinew_bound_block *from, int lane, sinew_bound_block *to) {
    for (int l = 0; l < SINEW_LANES; l++) {
        for (int i = 0; i < 3; i++) {
            to->center[i][l] = from->center[i][lane];
            to->half[i][l] = from->half[i][lane];
        }
        to->size[l] = from->size[lane];
        to->nodes[l] = from->nodes[lane];
    }
}

static void pose_block(const sinew_bounds_object *object, const sinew_bound_block *block, int32_t count,
                       const sinew_affine *model, sinew_box *out) {
    for (int32_t i = 0; i < count && i < SINEW_LANES; i++) {
        sinew_bound_block one;
        sinew_extent extent = empty_extent();
        repeat_lane(block, i, &one);
        sinew_kernels_used()->bound_boxes(&one, 1, model, &extent);
        out[i] = box_of(&extent, margin_of(object, &extent));
    }
}

void sinew_bounds_pose_boxes(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                             sinew_box *out) {
    assert(bounds && ((model && out) || bounds->box_count == 0));
    const sinew_bounds_object *object = (const sinew_bounds_object *)bounds;
    for (int32_t i = 0; i < object->still_count; i += SINEW_LANES) {
        pose_block(object, &object->blocks[i / SINEW_LANES], object->still_count - i, model, out + i);
    }
    for (int32_t i = 0; i < object->morph_count; i += SINEW_LANES) {
        sinew_bound_block block;
        morph_block(object, (size_t)(i / SINEW_LANES), weights, &block);
        pose_block(object, &block, object->morph_count - i, model, out + object->still_count + i);
    }
}
