// The kernels that most frames are made of, for speed.
#define SINEW_ONLY_FLOATS
#include "vectors.h"

#include "kernels/model.h"
#include "kernels/mix.h"

static const sinew_kernels fast = {
    .mix_to_pose = mix_to_pose,
    .mix_to_local = mix_to_local,
    .mix_weights = mix_weights,
    .pose_to_local = pose_to_local,
    .local_to_model = local_to_model,
    .palette = palette,
};

const sinew_kernels *sinew_kernels_fast(void) {
    return &fast;
}
