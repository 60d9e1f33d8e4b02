// SPDX-License-Identifier: MIT
// Floating-point settings that poses depend on. Each float operation must round to float exactly once. A compiler that
// keeps intermediate results in a wider type or reorders operations would silently change the bits, so reject it.
//
// FLT_EVAL_METHOD is 0 if float operations round to float. 16 and 32 also guarantee this: they only differ for _Float16
// and _Float32. 1 and 2 evaluate in double and long double, and -1 is unknown.
#ifndef SINEWI_FLOAT_RULES_H
#define SINEWI_FLOAT_RULES_H

#include <float.h>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST)
#error "-ffast-math and -Ofast change the bits of poses: compile with -fno-fast-math (MSVC: /fp:precise)"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "-ffinite-math-only removes checks for infinity and NaN: compile with -fno-finite-math-only"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && FLT_EVAL_METHOD != 32
#if defined(__i386__) || defined(__x86_64__) || defined(_M_IX86)
#error "x87 arithmetic changes the bits of poses: compile with -msse2 -mfpmath=sse (MSVC: /arch:SSE2)"
#else
#error "FLT_EVAL_METHOD is not 0, which changes the bits of poses: compile with -fexcess-precision=fast"
#endif
#endif

#endif
