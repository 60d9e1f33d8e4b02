// SPDX-License-Identifier: MIT
/// Frustum culling. Finds the boxes (bounds.h) that a camera can see. You can test many boxes at once.
///
/// All functions are thread-safe, as long as no thread writes memory that another thread is using. They don't allocate,
/// can't fail, and give bit-identical results on every machine. Pointers must not be NULL (asserted).
#ifndef SINEW_CULL_H
#define SINEW_CULL_H

#include "../bounds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The volume that a camera can see. A point (x, y, z) is inside if planes[i][0] x + planes[i][1] y + planes[i][2] z +
/// planes[i][3] >= 0 for all six planes. The order is left, right, bottom, top, and then the two depth planes. Normals
/// point inward and can have any length. An all-zero plane doesn't exclude anything. You can use
/// sinew_frustum_from_matrix or fill in your own planes.
typedef struct sinew_frustum {
    float planes[6][4]; ///< [plane][x, y, z, offset]
} sinew_frustum;

/// Makes a frustum from a projection × view matrix. The frustum is in whatever space the view matrix transforms from,
/// which is usually world space. To test boxes in model space, pass projection × view × the character's world matrix.
/// `depth` must be the projection's depth range. It must be a valid enum value (asserted). This works with perspective,
/// orthographic, infinite and reversed-depth projections. A plane without a normal, such as an infinite far plane, is
/// set to all zeros.
SINEW_API sinew_frustum sinew_frustum_from_matrix(sinew_mat4 view_projection, sinew_depth_range depth);

/// An array of boxes, stored as one array per coordinate. Along each axis, box i goes from center - extent to
/// center + extent. You own the arrays. Each needs one float per box and can have any alignment. Use
/// sinew_boxes_set to fill them in.
typedef struct sinew_boxes {
    float *center_x, *center_y, *center_z; ///< in meters
    float *extent_x, *extent_y, *extent_z; ///< half the size in meters; the box is empty if negative
} sinew_boxes;

/// Sets box `index`, which must be 0 or more (asserted). Empty boxes (sinew_box_is_empty) stay empty.
SINEW_API void sinew_boxes_set(const sinew_boxes *boxes, int32_t index, sinew_box box);

/// The number of uint32_t words you need to store one bit for each of `count` boxes.
#define SINEW_VISIBLE_WORDS(count) ((int32_t)(((uint32_t)(count) + 31) / 32))

/// Tests boxes [first, first + count) against a frustum and returns how many are visible. If box i is visible, this
/// sets bit i % 32 of visible[i / 32]. Bits after the last box are 0. `visible` must have at least
/// SINEW_VISIBLE_WORDS(first + count) words. You can split the work across threads, because only the words in this
/// range are written. `first` must be a multiple of 32 (asserted). If `count` is 0 or less, this writes nothing and
/// returns 0.
///
/// The test is conservative. A box that overlaps the frustum is always visible, despite rounding errors. A box
/// that's completely outside one plane is culled, unless it's within about a millionth of its coordinates. A box
/// beyond an edge or corner of the frustum stays visible if it isn't completely outside any single plane. Empty
/// boxes are culled. Infinite boxes and boxes that contain a NaN are visible.
SINEW_API int32_t sinew_cull_boxes(const sinew_frustum *frustum, const sinew_boxes *boxes, int32_t first,
                                   int32_t count, uint32_t *visible);

/// Is box `index` visible? `visible` is the result of sinew_cull_boxes. `index` must be 0 or more (asserted).
SINEW_API bool sinew_is_visible(const uint32_t *visible, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
