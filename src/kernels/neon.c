// SPDX-License-Identifier: MIT
// The kernels for NEON.
#include "kernels/kernels.h"

#ifdef SINEW_HAS_NEON
#include "core/simd_neon.h"
#include "kernels/model.h"
#include "kernels/blend.h"
#include "kernels/mix_general.h"
#include "kernels/mix.h"
#include "kernels/offsets.h"
#include "kernels/skin.h"
#include "kernels/bounds.h"
#include "kernels/cull.h"

const sinew_kernels sinew_kernels_neon = {
    mix_to_pose, mix_to_local,       mix_weights, pose_to_local,       local_to_model, palette,      skin_vertices,
    add_offsets, add_weight_offsets, extrapolate, extrapolate_weights, bound_boxes,    bound_square, cull_boxes,
};
#endif
