// SPDX-License-Identifier: MIT
/// Frustum culling: which of many boxes (bounds.h) a camera may see. All functions may be called from any thread, as
/// long as none reads or writes memory that another writes. None allocates or fails, and all give the same bits on
/// every machine. Pointers are asserted.
#ifndef SINEW_CULL_H
#define SINEW_CULL_H

#include "../bounds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The view volume of a camera: all positions (x, y, z) with planes[i][0] x + planes[i][1] y + planes[i][2] z +
/// planes[i][3] >= 0 for each of six planes: left, right, bottom, top, and the two of depth. Plane normals point
/// inward and may have any length. A plane of zeros excludes nothing. Made by sinew_frustum_from_matrix, or by the
/// caller from planes of its own.
typedef struct sinew_frustum {
    float planes[6][4]; ///< [plane][x, y, z, offset]
} sinew_frustum;

/// Returns the planes of a view-projection matrix, projection × view, in the space that the view matrix starts from:
/// world space, for boxes in world space. For boxes in model space pass projection × view × world matrix of the
/// character. `depth` must be that of the projection (asserted to be one of the two). Perspective and orthographic,
/// finite, infinite and reversed-depth projections are supported. A plane whose normal is 0, such as an infinitely
/// distant far plane, becomes a plane of zeros.
SINEW_API sinew_frustum sinew_frustum_from_matrix(sinew_mat4 view_projection, sinew_depth_range depth);

/// Many boxes as separate arrays: along each axis, box i reaches from center - extent to center + extent. The
/// caller owns the arrays, one float per box each, of any alignment. sinew_boxes_set writes them.
typedef struct sinew_boxes {
    float *center_x, *center_y, *center_z; ///< metres
    float *extent_x, *extent_y, *extent_z; ///< half of the size, metres; a negative one makes the box empty
} sinew_boxes;

/// Writes box `index`, 0 or more (asserted). An empty box (sinew_box_is_empty) stays empty.
SINEW_API void sinew_boxes_set(const sinew_boxes *boxes, int32_t index, sinew_box box);

/// The number of uint32_t words that hold one visibility bit per box for `count` boxes.
#define SINEW_VISIBLE_WORDS(count) ((int32_t)(((uint32_t)(count) + 31) / 32))

/// Tests boxes [first, first + count) against a frustum and returns the number of visible ones. Writes one bit per
/// box: bit i % 32 of visible[i / 32] for box i; bits after the last box are 0. `visible` has at least
/// SINEW_VISIBLE_WORDS(first + count) words. `first` is a multiple of 32 (asserted) and only the words of the range
/// are written, so that a job system can split the work. Returns 0, and writes nothing, for a count of 0 or less.
///
/// The test is conservative: a box of which any position is inside the frustum is always visible, rounding
/// included. A box that is entirely outside one of the planes is culled, unless it is closer to the plane than
/// about a millionth of its coordinates. A box outside of an edge or a corner of the frustum, but outside no single
/// plane, stays visible. Empty boxes are culled. Boxes with a NaN and infinite boxes are visible.
SINEW_API int32_t sinew_cull_boxes(const sinew_frustum *frustum, const sinew_boxes *boxes, int32_t first,
                                   int32_t count, uint32_t *visible);

/// Returns whether bit `index`, 0 or more (asserted), of a result of sinew_cull_boxes is set.
SINEW_API bool sinew_is_visible(const uint32_t *visible, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
