// SPDX-License-Identifier: MIT
// SIMD vectors: the instruction sets that kernels are compiled for, and which of them this machine runs.
//
// A kernel is written once, with the type `vec` of SIMD_WIDTH floats and the operations below, and compiled once
// for each instruction set: src/kernels/avx2.c includes simd_avx2.h and then the kernels. Every operation is one
// IEEE operation per lane, rounded to nearest, so all widths give the same bits; there is no fused multiply-add, no
// estimate, and no sum across lanes. An instruction set defines:
//
//     vec, vec_mask                        SIMD_WIDTH floats; as many booleans
//     vec_splat, vec_load, vec_store       one float in all lanes; floats that need no alignment
//     vec_load_u8, vec_load_u16            integers of 8 and 16 bits, as floats
//     vec_add vec_sub vec_mul vec_div vec_sqrt
//     vec_less, vec_select, vec_any        a < b; a in lanes where the mask is set, else b; whether any lane is set
//     vec_store_i16                        the nearest integers, of floats from -32768 to 32767
//     vec_ints                             SIMD_WIDTH integers of 32 bits, whose sums wrap
//     vec_ints_splat, vec_from_ints        one integer in all lanes; the integers as floats
//     vec_ints_load, vec_ints_store, vec_ints_load_u8
//     vec_ints_add, vec_ints_multiply      a + b; a times one integer
//     vec_ints_decrement                   a - 1 in lanes where a mask is set, else a
//     vec_dot_i16, vec_dot_i8              a + the dot product of two integers per lane, from memory, with one pair
//     vec_mask_from_bits, vec_bits         bit l for lane l; and back
//     vec_lanes, vec_lanes_from_bits       the lanes whose bits are set, for vec_expand
//     vec_expand(lanes, packed, other)     the first of the packed floats in the first of the lanes, and so on; the other
//                                          float in the other lanes
//     vec_load_quads, vec_store_quads      four consecutive floats per lane, with a stride in floats between lanes
//     vec_load_records                     four or more consecutive floats per lane, from base + at[lane]
//     vec_store_pairs                      two floats per lane, with a stride in floats between lanes
//     vec_load_triples, vec_store_triples  three floats per lane, lane after lane
//
// and, for a 3x4 matrix in registers, `affine`:
//
//     affine_load, affine_store
//     affine_stream, end_stream            affine_store past the caches, to a multiple of 16 bytes, where the machine has
//                                          such stores; makes them visible to other threads before later stores
//     affine_multiply                      a × b, as sinew_affine_multiply
//     affine_from_planes, affine_to_planes twelve vectors, one for each element, to SIMD_WIDTH matrices, and back
//
// and, for a 3x4 matrix in memory, in whole vectors, `padded_affine`:
//
//     padded_load                          from a sinew_affine
//     padded_factors                       each of four floats, as a padded_factor
//     padded_scale, padded_add             b × w; a + b, element by element
//     padded_to_planes                     SIMD_PADDED matrices to twelve vectors, SIMD_WIDTH floats apart
#ifndef SINEWI_SIMD_H
#define SINEWI_SIMD_H

#include <sinew/math.h>

#include "base/float_rules.h"

#include <string.h>

// The instruction sets that the compiler can generate for this processor. Without GCC's target pragmas, only the
// baseline of the processor family. SINEW_NO_AVX512, SINEW_NO_AVX2 and SINEW_NO_SIMD leave some out; AVX-512 needs
// AVX2.
#if defined(SINEW_NO_SIMD) // only plain C
#elif defined(__x86_64__) || defined(_M_X64)
#define SINEWI_HAS_SSE2
#if defined(__GNUC__) && !defined(SINEW_NO_AVX2)
#define SINEWI_HAS_AVX2
#endif
#if defined(SINEWI_HAS_AVX2) && !defined(SINEW_NO_AVX512)
#define SINEWI_HAS_AVX512
#endif
#elif defined(__aarch64__) || defined(_M_ARM64)
#define SINEWI_HAS_NEON
#elif defined(__wasm_simd128__)
#define SINEWI_HAS_SIMD128
#endif
#if defined(SINEWI_HAS_SSE2) || defined(SINEWI_HAS_NEON) || defined(SINEWI_HAS_SIMD128)
#define SINEWI_HAS_128
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define SINEWI_INLINE     static __forceinline
#define SINEWI_MAY_INLINE static __inline
#define SINEWI_NOINLINE   static __declspec(noinline)
#else
#define SINEWI_NOINLINE   static __attribute__((noinline))
// What the compiler may inline or not. No kernel uses every operation, hence `unused`.
#define SINEWI_MAY_INLINE static inline __attribute__((unused))
// Without optimisation, forced inlining would use hundreds of kilobytes of stack; with optimisation for size, the
// compiler chooses.
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define SINEWI_INLINE static inline __attribute__((always_inline, unused))
#else
#define SINEWI_INLINE SINEWI_MAY_INLINE
#endif
#endif

// Hides from the compiler how a pointer was computed. For rows with a stride, gcc would otherwise keep a pointer to each
// row in memory and increment all of them.
#if defined(__GNUC__)
#define SINEWI_OPAQUE(pointer) __asm__("" : "+r"(pointer))
#else
#define SINEWI_OPAQUE(pointer) ((void)(pointer))
#endif

// Where a record's quad q starts. The last one overlaps the one before, so that nothing beyond the record is read.
static inline int sinewi_quad_start(int q, int floats) {
    return 4 * q + 4 <= floats ? 4 * q : floats - 4;
}

// From plain C to the widest vectors. SSE2, NEON and simd128 are one level: the same width on different machines.
typedef enum sinewi_simd_level {
    SINEWI_SIMD_SCALAR,
    SINEWI_SIMD_128,
    SINEWI_SIMD_AVX2,
    SINEWI_SIMD_AVX512,
    SINEWI_SIMD_LEVELS
} sinewi_simd_level;

// The name of a level on this kind of machine, or NULL if it is not compiled in.
const char *sinewi_simd_level_name(sinewi_simd_level level);

// Whether kernels of this level run on this machine.
bool sinewi_simd_level_runs(sinewi_simd_level level);

// The level whose kernels are used: the one that the environment variable SINEW_SIMD names, if this machine runs
// it, or the widest that it runs.
sinewi_simd_level sinewi_simd_level_used(void);

// The same, found out by the first call.
sinewi_simd_level sinewi_simd_level_chosen(void);

// A table of kernels, or NULL where its level is not compiled in.
#ifdef SINEWI_HAS_128
#define SINEWI_IF_128(table) table
#else
#define SINEWI_IF_128(table) NULL
#endif
#ifdef SINEWI_HAS_AVX2
#define SINEWI_IF_AVX2(table) table
#else
#define SINEWI_IF_AVX2(table) NULL
#endif
#ifdef SINEWI_HAS_AVX512
#define SINEWI_IF_AVX512(table) table
#else
#define SINEWI_IF_AVX512(table) NULL
#endif

// A pair of integers, as one: for the vectors of x86-64.
SINEWI_INLINE int vec_load_pair(const int16_t pair[2]) {
    int both;
    memcpy(&both, pair, sizeof both);
    return both;
}

#endif
