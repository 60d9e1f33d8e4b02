// SPDX-License-Identifier: MIT
// Spring kernels for the character module. kernels_solvers.c has the solver module's.
#include "vectors.h"

#include "body/spring_kernels.h"
#include "body/spring_rows.h"

const sinewi_spring_kernels *sinewi_spring_kernels_for(size_t lane_count) {
    static const sinewi_spring_kernels kernels = {solve_row, aim_row, swing_rows, gather_rows, changed_lanes};
    (void)lane_count;
    return &kernels;
}
