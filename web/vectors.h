// The module's kernels are those of the library, compiled twice: kernels_fast.c and kernels_small.c. These are the
// vectors that they are written over.
#ifndef SINEW_WEB_VECTORS_H
#define SINEW_WEB_VECTORS_H

#include "kernels/kernels.h"

#ifdef SINEW_HAS_SIMD128
#include "base/simd_wasm.h"
#else
#include "base/simd_plain.h"
#endif

#endif
