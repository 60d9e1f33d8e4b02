// The kernels that most frames use, compiled for speed.
#include "vectors.h"

#include "kernels/model.h"
#include "kernels/blend.h"

static void blend_rest(const sinew_share *shares, int32_t count, size_t first, size_t end, sinew_plainness plain,
                       float *const out[SINEW_PLANES], size_t to) {
    web_blend_rest(shares, count, first, end, plain, out, to);
}

#include "kernels/mix.h"

static const sinew_kernels fast = {
    .mix_to_pose = mix_to_pose,
    .mix_to_local = mix_to_local,
    .pose_to_local = pose_to_local,
    .local_to_model = local_to_model,
    .palette = palette,
};

const sinew_kernels *sinew_kernels_fast(void) {
    return &fast;
}
