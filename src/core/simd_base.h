// SPDX-License-Identifier: MIT
// The vectors that every processor of a family has: of 128 bits, or plain C. For code that is compiled once.
#ifndef SINEW_SIMD_BASE_H
#define SINEW_SIMD_BASE_H

#include "core/simd.h"

#if defined(SINEW_HAS_SSE2)
#include "core/simd_sse2.h"
#elif defined(SINEW_HAS_NEON)
#include "core/simd_neon.h"
#elif defined(SINEW_HAS_SIMD128)
#include "core/simd_wasm.h"
#else
#include "core/simd_plain.h"
#endif

#endif
