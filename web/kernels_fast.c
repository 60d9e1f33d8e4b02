// SPDX-License-Identifier: MIT
// The kernels that most frames use, compiled for speed.
#include "vectors.h"

#include "kernels/model.h"
#include "kernels/products.h"
#include "kernels/blend.h"

static void blend_general(const sinew_mix_input *inputs, int32_t count, size_t first, size_t end,
                          sinew_fast_path fast, float *const out[SINEW_PLANES], size_t to) {
    web_blend_general(inputs, count, first, end, fast, out, to);
}

#include "kernels/mix.h"

static const sinew_kernels fast = {
    .mix_to_pose = mix_to_pose,
    .mix_to_local = mix_to_local,
    .mix_weights = web_mix_weights,
    .pose_to_local = pose_to_local,
    .local_to_model = local_to_model,
    .palette = palette,
};

const sinew_kernels *sinew_kernels_used(void) {
    return &fast;
}
