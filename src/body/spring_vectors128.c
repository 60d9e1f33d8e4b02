// SPDX-License-Identifier: MIT
// The spring kernels for 128-bit vectors: SSE2, NEON or WebAssembly simd128.
#include "body/spring_kernels.h"

#ifdef SINEWI_HAS_128
#include "base/simd_base.h"
#include "body/spring_rows.h"

const sinewi_spring_kernels sinewi_spring_kernels_128 = {solve_row, aim_row, swing_rows, gather_rows,
                                                         changed_lanes};
#endif
