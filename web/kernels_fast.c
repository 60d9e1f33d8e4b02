// SPDX-License-Identifier: MIT
// The kernels that most frames use, compiled for speed.
#include "vectors.h"

#include "kernels/model.h"
#include "kernels/products.h"
#include "kernels/rotations.h"
#include "kernels/modes.h"
#include "kernels/blend.h"

static void blend_general(const sinewi_mix_input *inputs, int32_t count, size_t first, size_t end,
                          sinewi_fast_path fast, float *const out[SINEWI_PLANES], size_t to) {
    web_blend_general(inputs, count, first, end, fast, out, to);
}

#include "kernels/mix.h"

const sinewi_blend_kernels *sinewi_blend_kernels_used(void) {
    static const sinewi_blend_kernels kernels = {.blend_to_pose = blend_to_pose,
                                                 .blend_weights = web_blend_weights};
    return &kernels;
}

const sinewi_mix_kernels *sinewi_mix_kernels_used(void) {
    static const sinewi_mix_kernels kernels = {
        .mix_to_pose = mix_to_pose, .mix_to_local = mix_to_local, .mix_weights = web_mix_weights};
    return &kernels;
}

const sinewi_model_kernels *sinewi_model_kernels_used(void) {
    static const sinewi_model_kernels kernels = {.pose_to_local = pose_to_local, .local_to_model = local_to_model};
    return &kernels;
}

const sinewi_palette_kernels *sinewi_palette_kernels_used(void) {
    static const sinewi_palette_kernels kernels = {palette, stream_palette, end_palettes};
    return &kernels;
}
