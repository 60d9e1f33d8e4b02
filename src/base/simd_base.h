// SPDX-License-Identifier: MIT
// The vectors that every processor of a family has: 128 bits wide, or plain C. For code that is compiled only once.
#ifndef SINEWI_SIMD_BASE_H
#define SINEWI_SIMD_BASE_H

#include "base/simd.h"

#if defined(SINEWI_HAS_SSE2)
#include "base/simd_sse2.h"
#elif defined(SINEWI_HAS_NEON)
#include "base/simd_neon.h"
#elif defined(SINEWI_HAS_SIMD128)
#include "base/simd_wasm.h"
#else
#include "base/simd_plain.h"
#endif

#endif
