// SPDX-License-Identifier: MIT
// Floating-point settings that poses need. Each float operation must round to float once. A compiler that keeps
// intermediate results in a wider type, or reorders operations, gives other bits without a message, so it is
// refused.
//
// FLT_EVAL_METHOD is 0 where float operations round to float. 16 and 32 mean the same for float: they concern
// _Float16 and _Float32. 1 and 2 are double and long double, -1 is unknown.
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
