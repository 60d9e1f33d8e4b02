// SPDX-License-Identifier: MIT
// Boxes, and the bounds of meshes in a pose.
//
// Bounds are boxes in the local space of nodes, stored in blocks of SINEW_LANES with one lane per box. `center` and
// `half` are its extents. `size` is the largest sum of absolute terms of a coordinate and bounds the rounding error.
// The boxes without morph targets come first, then the boxes that morph targets enlarge. A pose moves each box with its
// node's model matrix. The result is their union in model space, in meters. The extent is this union before adding the
// rounding margin.
#include <sinew/bounds.h>

#include "kernels/kernels.h"
#include "core/bounds_object.h"

#include <assert.h>
#include <float.h>
#include <math.h>

// ---- Boxes ---------------------------------------------------------------------------------------------------

// Returns the minimum, or NaN if either is NaN.
static float min_or_nan(float a, float b) {
    return a < b || isnan(a) ? a : b;
}

// Returns the maximum, or NaN if either is NaN.
static float max_or_nan(float a, float b) {
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
        {min_or_nan(a.min.x, b.min.x), min_or_nan(a.min.y, b.min.y), min_or_nan(a.min.z, b.min.z)},
        {max_or_nan(a.max.x, b.max.x), max_or_nan(a.max.y, b.max.y), max_or_nan(a.max.z, b.max.z)},
    };
}

// Computes one component of the result from one row of the matrix. Rounding is monotonic, so a sum in the same order as
// sinew_affine_point stays between the two.
static void transform_row(const float row[4], const sinew_box *box, float *min, float *max) {
    float x0 = row[0] * box->min.x, x1 = row[0] * box->max.x;
    float y0 = row[1] * box->min.y, y1 = row[1] * box->max.y;
    float z0 = row[2] * box->min.z, z1 = row[2] * box->max.z;
    *min = min_or_nan(x0, x1) + min_or_nan(y0, y1) + min_or_nan(z0, z1) + row[3];
    *max = max_or_nan(x0, x1) + max_or_nan(y0, y1) + max_or_nan(z0, z1) + row[3];
}

// Returns the box around the transformed box. Infinite if a number isn't finite.
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

// Enlarges a lane's box by its morph targets at their weights. Adding boxes adds their centers and half extents. A
// negative weight mirrors a box without changing its size.
static void enlarge_by_targets(const sinewi_bounds_object *object, int32_t box, const float *weights,
                               sinewi_bound_block *block, int lane) {
    for (int32_t t = object->first_targets[box]; t < object->first_targets[box + 1]; t++) {
        const sinewi_bound_target *target = &object->targets[t];
        float weight = weights[target->weight], size = fabsf(weight);
        if (weight == 0.0f) continue;
        for (int i = 0; i < 3; i++) {
            block->center[i][lane] += weight * target->center[i];
            block->half[i][lane] += size * target->half[i];
        }
        block->size[lane] += size * target->size;
    }
}

// Enlarges a block of boxes by their morph targets.
static void morph_block(const sinewi_bounds_object *object, size_t index, const float *weights,
                        sinewi_bound_block *block) {
    *block = object->blocks[object->unmorphed_blocks + index];
    if (!weights) return;
    for (int lane = 0; lane < SINEW_LANES; lane++) {
        int32_t box = (int32_t)(index * SINEW_LANES) + lane, last = object->morph_count - 1;
        enlarge_by_targets(object, box < last ? box : last, weights, block, lane);
    }
}

// ---- All boxes -----------------------------------------------------------------------------------------------

static sinewi_extent empty_extent(void) {
    return (sinewi_extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f, true};
}

// Returns the union of all boxes after moving them with their nodes. `weights` has the skeleton's morph weights. NULL
// means 0.
static sinewi_extent compute_extent(const sinewi_bounds_object *object, const sinew_affine *model,
                                    const float *weights) {
    const sinewi_bound_kernels *kernels = sinewi_bound_kernels_used();
    sinewi_extent extent = empty_extent();
    kernels->bound_boxes(object->blocks, object->unmorphed_blocks, model, &extent);
    for (size_t i = 0; i < object->morph_blocks; i++) {
        sinewi_bound_block block;
        morph_block(object, i, weights, &block);
        kernels->bound_boxes(&block, 1, model, &extent);
    }
    return extent;
}

// Returns an upper bound for the rounding error and for underflow. `reach` is the largest absolute term of any
// coordinate.
static float rounding_margin(const sinewi_bounds_object *object, const sinewi_extent *extent) {
    return object->slack * extent->reach + FLT_MIN;
}

static sinew_box box_with_margin(const sinewi_extent *extent, float margin) {
    const float *min = extent->min, *max = extent->max;
    if (!extent->finite) return infinite_box();
    return (sinew_box){
        {min[0] - margin, min[1] - margin, min[2] - margin},
        {max[0] + margin, max[1] + margin, max[2] + margin},
    };
}

// ---- The sphere ----------------------------------------------------------------------------------------------

// Returns the squared distance from a center to the farthest corner of the moved boxes.
static float furthest_corner_square(const sinewi_bounds_object *object, const sinew_affine *model,
                                    const float *weights, const float center[3]) {
    const sinewi_bound_kernels *kernels = sinewi_bound_kernels_used();
    float square = kernels->bound_square(object->blocks, object->unmorphed_blocks, model, center, 0.0f);
    for (size_t i = 0; i < object->morph_blocks; i++) {
        sinewi_bound_block block;
        morph_block(object, i, weights, &block);
        square = kernels->bound_square(&block, 1, model, center, square);
    }
    return square;
}

// Returns the smaller radius: to the corners of the box, or to the farthest corner of the moved boxes.
static float smallest_radius(const sinewi_bounds_object *object, const sinew_affine *model, const float *weights,
                             const float center[3], const float half[3]) {
    float box_square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    float square = furthest_corner_square(object, model, weights, center);
    return sqrtf(square < box_square ? square : box_square);
}

// Makes a sphere about the extent's center. The margin only covers one axis, and the center and the squares are
// rounded. Adding 0.0f turns a -0 center positive, because its sign would depend on the order of the boxes.
static sinew_sphere make_sphere(const sinewi_bounds_object *object, const sinew_affine *model, const float *weights,
                                const sinewi_extent *extent, float margin) {
    if (!extent->finite) return (sinew_sphere){{0.0f, 0.0f, 0.0f}, INFINITY};
    const float rounding = 1.000001f;
    float center[3], half[3];
    for (int i = 0; i < 3; i++) {
        center[i] = 0.5f * (extent->min[i] + extent->max[i]) + 0.0f;
        half[i] = 0.5f * (extent->max[i] - extent->min[i]);
    }
    bool can_square = extent->reach > 1e-15f && extent->reach < 1e17f; // the squares neither overflow nor lose
                                                                       // digits
    float radius = can_square ? smallest_radius(object, model, weights, center, half)
                              : sinew_vec3_length((sinew_vec3){half[0], half[1], half[2]});
    return (sinew_sphere){{center[0], center[1], center[2]}, radius * rounding + 2.0f * margin};
}

void sinew_bounds_pose(const sinew_bounds *bounds, const sinew_affine *model, const float *weights, sinew_box *box,
                       sinew_sphere *sphere) {
    assert(bounds && (model || bounds->box_count == 0));
    const sinewi_bounds_object *object = (const sinewi_bounds_object *)bounds;
    if (bounds->box_count == 0) {
        if (box) *box = sinew_box_empty();
        if (sphere) *sphere = (sinew_sphere){{0.0f, 0.0f, 0.0f}, -INFINITY};
        return;
    }
    sinewi_extent extent = compute_extent(object, model, weights);
    float margin = rounding_margin(object, &extent);
    if (box) *box = box_with_margin(&extent, margin);
    if (sphere) *sphere = make_sphere(object, model, weights, &extent, margin);
}

// ---- Each box ------------------------------------------------------------------------------------------------

// Copies one lane to all lanes.
static void repeat_lane(const sinewi_bound_block *from, int lane, sinewi_bound_block *to) {
    for (int l = 0; l < SINEW_LANES; l++) {
        for (int i = 0; i < 3; i++) {
            to->center[i][l] = from->center[i][lane];
            to->half[i][l] = from->half[i][lane];
        }
        to->size[l] = from->size[lane];
        to->nodes[l] = from->nodes[lane];
    }
}

// Writes each box of a block separately, moved by its node. `count` boxes are left, which may be more than the block
// has.
static void pose_block(const sinewi_bounds_object *object, const sinewi_bound_block *block, int32_t count,
                       const sinew_affine *model, sinew_box *out) {
    for (int32_t i = 0; i < count && i < SINEW_LANES; i++) {
        sinewi_bound_block one;
        sinewi_extent extent = empty_extent();
        repeat_lane(block, i, &one);
        sinewi_bound_kernels_used()->bound_boxes(&one, 1, model, &extent);
        out[i] = box_with_margin(&extent, rounding_margin(object, &extent));
    }
}

// Each box gets its own margin.
void sinewi_bounds_pose_boxes(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                              sinew_box *out) {
    assert(bounds && ((model && out) || bounds->box_count == 0));
    const sinewi_bounds_object *object = (const sinewi_bounds_object *)bounds;
    for (int32_t i = 0; i < object->unmorphed_count; i += SINEW_LANES) {
        pose_block(object, &object->blocks[i / SINEW_LANES], object->unmorphed_count - i, model, out + i);
    }
    for (int32_t i = 0; i < object->morph_count; i += SINEW_LANES) {
        sinewi_bound_block block;
        morph_block(object, (size_t)(i / SINEW_LANES), weights, &block);
        pose_block(object, &block, object->morph_count - i, model, out + object->unmorphed_count + i);
    }
}
