// SPDX-License-Identifier: MIT
// The spring kernels for AVX-512.
#include "body/spring_kernels.h"

#ifdef SINEWI_HAS_AVX512
#include "base/simd_avx512.h"
#include "body/spring_rows.h"

const sinewi_spring_kernels sinewi_spring_kernels_avx512 = {solve_row, aim_row, swing_rows, gather_rows,
                                                            changed_lanes};

SIMD_END
#endif
