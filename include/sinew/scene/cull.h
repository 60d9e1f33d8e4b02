// SPDX-License-Identifier: MIT
/// Frustum culling: which of many boxes (bounds.h) can a camera see?
///
/// All functions are safe to call from any thread, unless one writes memory that another uses. They don't
/// allocate, can't fail, and give the same bits on every machine. Pointers must not be NULL (asserted).
#ifndef SINEW_CULL_H
#define SINEW_CULL_H

#include "../bounds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A camera's view volume: the positions (x, y, z) with planes[i][0] x + planes[i][1] y + planes[i][2] z +
/// planes[i][3] >= 0 for all six planes. The order is left, right, bottom, top, and the two depth planes. Normals
/// point inward and can have any length. A plane of zeros excludes nothing. Use sinew_frustum_from_matrix, or
/// fill in your own planes.
typedef struct sinew_frustum {
    float planes[6][4]; ///< [plane][x, y, z, offset]
} sinew_frustum;

/// Returns the frustum of a matrix projection × view, in the space that the view matrix maps from. That is world
/// space, for world-space boxes. For boxes in model space, pass projection × view × the character's world matrix.
/// `depth` must be the projection's depth range (asserted to be valid). Perspective, orthographic, infinite and
/// reversed-depth projections all work. A plane without a normal, such as an infinite far plane, becomes zeros.
SINEW_API sinew_frustum sinew_frustum_from_matrix(sinew_mat4 view_projection, sinew_depth_range depth);

/// Many boxes as separate arrays. Box i reaches from center - extent to center + extent along each axis. You own
/// the arrays, each with one float per box and any alignment. Write them with sinew_boxes_set.
typedef struct sinew_boxes {
    float *center_x, *center_y, *center_z; ///< metres
    float *extent_x, *extent_y, *extent_z; ///< half the size, metres; negative makes the box empty
} sinew_boxes;

/// Writes box `index`, which must be 0 or more (asserted). An empty box (sinew_box_is_empty) stays empty.
SINEW_API void sinew_boxes_set(const sinew_boxes *boxes, int32_t index, sinew_box box);

/// The number of uint32_t words for `count` boxes, at one bit a box.
#define SINEW_VISIBLE_WORDS(count) ((int32_t)(((uint32_t)(count) + 31) / 32))

/// Tests boxes [first, first + count) against a frustum and returns the number of visible ones. Box i sets bit i
/// % 32 of visible[i / 32]; bits after the last box are 0. `visible` must have at least SINEW_VISIBLE_WORDS(first
/// + count) words. Only the range's words are written, so a job system can split the work. `first` must be a
/// multiple of 32 (asserted). If `count` is 0 or less, it writes nothing and returns 0.
///
/// The test is conservative. A box that overlaps the frustum is always visible, despite rounding. A box entirely
/// outside one plane is culled, unless it is within about a millionth of its coordinates. A box beyond an edge or
/// corner, but not outside any single plane, stays visible. Empty boxes are culled. Infinite boxes and boxes with
/// a NaN are visible.
SINEW_API int32_t sinew_cull_boxes(const sinew_frustum *frustum, const sinew_boxes *boxes, int32_t first,
                                   int32_t count, uint32_t *visible);

/// Returns bit `index` of a sinew_cull_boxes result. `index` must be 0 or more (asserted).
SINEW_API bool sinew_is_visible(const uint32_t *visible, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
