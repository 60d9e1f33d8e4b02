// SPDX-License-Identifier: MIT
// Kernels for the module of springs, chains and bodies, which doesn't sample clips.
#include "kernels/kernels.h"
#include "body/spring_kernels.h"

#include "base/simd_plain.h"
#include "kernels/model.h"
#include "kernels/products.h"
#include "body/spring_rows.h"

const sinewi_model_kernels *sinewi_model_kernels_used(void) {
    static const sinewi_model_kernels kernels = {.pose_to_local = pose_to_local, .local_to_model = local_to_model};
    return &kernels;
}

// Never called. products.h brings the function along.
const sinewi_palette_kernels *sinewi_palette_kernels_used(void) {
    static const sinewi_palette_kernels kernels = {palette, stream_palette, end_palettes};
    return &kernels;
}

const sinewi_spring_kernels *sinewi_spring_kernels_for(size_t lane_count) {
    static const sinewi_spring_kernels kernels = {solve_row, aim_row, swing_rows, gather_rows, changed_lanes};
    (void)lane_count;
    return &kernels;
}
