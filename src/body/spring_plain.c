// SPDX-License-Identifier: MIT
// The spring kernels in plain C.
#include "body/spring_kernels.h"

#include "base/simd_plain.h"
#include "body/spring_rows.h"

const sinewi_spring_kernels sinewi_spring_kernels_plain = {solve_row, aim_row, swing_rows, gather_rows,
                                                           changed_lanes};
