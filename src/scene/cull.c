// SPDX-License-Identifier: MIT
// Frustum culling: planes from matrices, and the call to the kernel.
//
// A frustum is six planes (x, y, z, d). A point is inside if x px + y py + z pz + d is 0 or more for all of them. Boxes
// are arrays of centers and extents (half sizes). A visible box has its bit set, in words of 32.
#include <sinew/scene/cull.h>

#include "kernels/kernels.h"

#include <assert.h>
#include <math.h>

// plane = a × row i + b × row j of a matrix. In double precision, so terms that cancel leave no rounding error. A
// plane without a direction, such as the far plane of an infinite projection, lets everything pass.
static void set_plane(float plane[4], const sinew_mat4 *m, double a, int i, double b, int j) {
    for (int c = 0; c < 4; c++) plane[c] = (float)(a * (double)m->m[4 * c + i] + b * (double)m->m[4 * c + j]);
    if (plane[0] == 0.0f && plane[1] == 0.0f && plane[2] == 0.0f) plane[3] = 0.0f;
}

// Positions in the frustum have -w <= x <= w in clip space. So (row 4 + row 1) times the position is 0 or more, and the
// other planes follow the same way (Gribb and Hartmann, "Fast Extraction of Viewing Frustum Planes from the
// World-View-Projection Matrix", 2001).
sinew_frustum sinew_frustum_from_matrix(sinew_mat4 view_projection, sinew_depth_range depth) {
    assert(depth == SINEW_DEPTH_ZERO_TO_ONE || depth == SINEW_DEPTH_MINUS_ONE_TO_ONE);
    const sinew_mat4 *m = &view_projection;
    sinew_frustum out;
    for (int i = 0; i < 3; i++) {
        bool from_zero = i == 2 && depth == SINEW_DEPTH_ZERO_TO_ONE;
        float(*pair)[4] = &out.planes[2 * (ptrdiff_t)i];
        set_plane(pair[0], m, from_zero ? 0.0 : 1.0, 3, 1.0, i);
        set_plane(pair[1], m, 1.0, 3, -1.0, i);
    }
    return out;
}

// One axis of a box. An empty box gets an extent of -infinity, so it's never visible. Measured from the rounded center,
// the extent reaches the further end.
static void set_center_and_extent(float *center, float *extent, float min, float max) {
    float c = 0.5f * min + 0.5f * max; // halves first, because a sum could overflow
    float e = max - c > c - min ? max - c : c - min;
    *center = c;
    *extent = min > max ? -INFINITY : e;
}

// Stores a box as center and extent.
void sinew_boxes_set(const sinew_boxes *boxes, int32_t index, sinew_box box) {
    assert(boxes && index >= 0);
    set_center_and_extent(&boxes->center_x[index], &boxes->extent_x[index], box.min.x, box.max.x);
    set_center_and_extent(&boxes->center_y[index], &boxes->extent_y[index], box.min.y, box.max.y);
    set_center_and_extent(&boxes->center_z[index], &boxes->extent_z[index], box.min.z, box.max.z);
}

static int32_t count_bits(uint32_t word) {
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    return (int32_t)(((word + (word >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

// Sets the bits of the visible boxes in [first, first + count), and returns how many are visible. `first` must
// be a multiple of 32.
int32_t sinew_cull_boxes(const sinew_frustum *frustum, const sinew_boxes *boxes, int32_t first, int32_t count,
                         uint32_t *visible) {
    assert(count <= 0 || (frustum && boxes && visible));
    assert(first >= 0 && first % 32 == 0);
    if (count <= 0) return 0;
    const float *const in[6] = {boxes->center_x, boxes->center_y, boxes->center_z,
                                boxes->extent_x, boxes->extent_y, boxes->extent_z};
    sinewi_bound_kernels_used()->cull_boxes(frustum->planes, in, (size_t)first, (size_t)count, visible);
    int32_t visible_count = 0, end = SINEW_VISIBLE_WORDS(first + count);
    for (int32_t word = first / 32; word < end; word++) visible_count += count_bits(visible[word]);
    return visible_count;
}

bool sinew_is_visible(const uint32_t *visible, int32_t index) {
    assert(visible && index >= 0);
    return (visible[index / 32] >> (index % 32) & 1u) != 0;
}
