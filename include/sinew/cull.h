/// Frustum culling: which of many boxes a camera may see. Everything may be called from any thread, as long as no two
/// write to the same memory; nothing takes memory, and nothing can fail. The same bits on every machine.
#ifndef SINEW_CULL_H
#define SINEW_CULL_H

#include "bounds.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What clip space holds from front to back, for w > 0. With reversed depth it is the same.
typedef enum sinew_depth_range {
    SINEW_DEPTH_MINUS_ONE_TO_ONE, ///< z from -w to w: OpenGL
    SINEW_DEPTH_ZERO_TO_ONE       ///< z from 0 to w: Direct3D, Vulkan, Metal, WebGPU
} sinew_depth_range;

/// What a camera sees: all places (x, y, z) with planes[i][0] x + planes[i][1] y + planes[i][2] z + planes[i][3] >= 0
/// for each of six planes: left, right, bottom, top, and the two of depth. They are of any length. A plane of zeros
/// keeps nothing out.
typedef struct sinew_frustum {
    float planes[6][4]; ///< [plane][x, y, z, rest]
} sinew_frustum;

/// The planes of a view-projection matrix: projection × view, for boxes in the space that the view starts from (put
/// the model's matrix behind them for boxes in its space). Perspective and orthographic, finite and infinite, depth as
/// it is and reversed. A plane whose first three numbers are 0, as an infinitely far one, becomes one of zeros.
SINEW_API sinew_frustum sinew_frustum_from_matrix(const sinew_mat4 *view_projection, sinew_depth_range depth);

/// Many boxes, planar: box i is all that is no further than `extent` from `center`, along each axis. The arrays are the
/// caller's, floats of any alignment and as many as there are boxes. sinew_boxes_set writes them.
typedef struct sinew_boxes {
    float *center_x, *center_y, *center_z; ///< metres
    float *extent_x, *extent_y, *extent_z; ///< metres; less than 0: the box is empty
} sinew_boxes;

/// Writes box `index`.
SINEW_API void sinew_boxes_set(const sinew_boxes *boxes, int32_t index, sinew_box box);

/// How many words of bits `count` boxes take.
#define SINEW_VISIBLE_WORDS(count) (((size_t)(count) + 31) / 32)

/// Says of boxes [first, first + count) which may be seen: bit i % 32 of visible[i / 32] for box i, the bits behind the
/// last one 0. `visible` has SINEW_VISIBLE_WORDS(first + count) words or more. So that a job system can split the work,
/// `first` may be any multiple of 32 (asserted); only the words of the range are written. Returns how many may be seen.
///
/// A box with any place inside the frustum is never left out, rounding included. A box that is wholly behind one of
/// the planes is, unless it is nearer to it than about a millionth of its coordinates; one that lies behind none, but
/// beside an edge or a corner of the frustum, is kept although it is not seen. Empty boxes are left out. Boxes with a
/// NaN, and those that are all of space, are kept.
SINEW_API int32_t sinew_cull_boxes(const sinew_frustum *frustum, const sinew_boxes *boxes, int32_t first,
                                   int32_t count, uint32_t *visible);

/// Whether bit `index` is set.
SINEW_API bool sinew_is_visible(const uint32_t *visible, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
