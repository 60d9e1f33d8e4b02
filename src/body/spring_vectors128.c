// SPDX-License-Identifier: MIT
// The kernels of springs for vectors of 128 bits: SSE2, NEON or WebAssembly's simd128.
#include "body/spring_kernels.h"

#ifdef SINEWI_HAS_128
#include "base/simd_base.h"
#include "body/spring_rows.h"

const sinewi_spring_kernels sinewi_spring_kernels_128 = {solve_row, aim_row, swing_rows, gather_rows,
                                                         changed_lanes};
#endif
