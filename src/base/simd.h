// SPDX-License-Identifier: MIT
// SIMD vectors: the instruction sets that kernels are compiled for, and the ones that this machine can run.
//
// A kernel is written once with the type `vec`, a vector of SIMD_WIDTH floats, and the operations below. It is compiled
// for each instruction set: src/kernels/avx2.c includes simd_avx2.h and then the kernels. Every operation is a single
// IEEE operation per lane, rounded to nearest, so all widths give the same bits. Nothing uses fused multiply-add,
// estimates or sums across lanes. An instruction set defines:
//
//     vec, vec_mask                        SIMD_WIDTH floats; as many booleans
//     vec_splat, vec_load, vec_store       one float in all lanes; floats of any alignment
//     vec_load_u8, vec_load_u16            8-bit and 16-bit integers, converted to floats
//     vec_add vec_sub vec_mul vec_div vec_sqrt
//     vec_less, vec_select, vec_any        a < b; mask ? a : b in each lane; whether any lane is set
//     vec_store_i16                        rounds floats from -32768 to 32767 to integers
//     vec_ints                             SIMD_WIDTH 32-bit integers that wrap on overflow
//     vec_ints_splat, vec_from_ints        one integer in all lanes; integers to floats
//     vec_ints_load, vec_ints_store, vec_ints_load_u8
//     vec_ints_add, vec_ints_multiply      a + b; a times one integer
//     vec_ints_decrement                   mask ? a - 1 : a
//     vec_dot_i16, vec_dot_i8              a + the dot product of each lane's pair of integers in memory with one pair
//     vec_mask_from_bits, vec_bits         bit l to lane l, and back
//     vec_lanes, vec_lanes_from_bits       the lanes whose bits are set, for vec_expand
//     vec_expand(lanes, packed, other)     the first packed floats in the set lanes, in order; `other` in the rest
//     vec_load_quads, vec_store_quads      four consecutive floats per lane; the stride between lanes is in floats
//     vec_load_records                     four or more consecutive floats per lane, from base + at[lane]
//     vec_store_pairs                      two floats per lane; the stride between lanes is in floats
//     vec_load_triples, vec_store_triples  three floats per lane, lane after lane
//
// For a 3x4 matrix in registers, `affine`, it defines:
//
//     affine_load, affine_store
//     affine_stream, end_stream            non-temporal affine_store to a 16-byte aligned address, if the machine has
//                                          one; a fence that makes these stores visible to other threads
//     affine_multiply                      a × b, like sinew_affine_multiply
//     affine_from_planes, affine_to_planes twelve vectors, one per element, to SIMD_WIDTH matrices, and back
//
// For a 3x4 matrix in memory, padded to whole vectors, `padded_affine`, it defines:
//
//     padded_load                          from a sinew_affine
//     padded_factors                       four floats as padded_factors
//     padded_scale, padded_add             b × w; a + b, element by element
//     padded_to_planes                     SIMD_PADDED matrices to twelve vectors that are SIMD_WIDTH floats apart
#ifndef SINEWI_SIMD_H
#define SINEWI_SIMD_H

#include <sinew/math.h>

#include "base/float_rules.h"

#include <string.h>

// The instruction sets that the compiler can generate for this processor. Compilers without GCC's target pragmas only
// get the processor family's baseline. Define SINEW_NO_AVX512, SINEW_NO_AVX2 or SINEW_NO_SIMD to leave some out.
// AVX-512 needs AVX2.
#if defined(SINEW_NO_SIMD) // plain C only
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
// Lets the compiler decide. Kernels don't use every operation, hence `unused`.
#define SINEWI_MAY_INLINE static inline __attribute__((unused))
// Forced inlining without optimization would need hundreds of kilobytes of stack. When optimizing for size, the
// compiler should choose.
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define SINEWI_INLINE static inline __attribute__((always_inline, unused))
#else
#define SINEWI_INLINE SINEWI_MAY_INLINE
#endif
#endif

// Hides from the compiler how a pointer was computed. For strided rows, gcc would otherwise keep one pointer per row in
// memory and increment them all.
#if defined(__GNUC__)
#define SINEWI_OPAQUE(pointer) __asm__("" : "+r"(pointer))
#else
#define SINEWI_OPAQUE(pointer) ((void)(pointer))
#endif

// Where quad q of a record starts. The last quad overlaps the previous one to stay inside the record.
static inline int sinewi_quad_start(int q, int floats) {
    return 4 * q + 4 <= floats ? 4 * q : floats - 4;
}

// From plain C to the widest vectors. SSE2, NEON and simd128 share a level because they have the same width.
typedef enum sinewi_simd_level {
    SINEWI_SIMD_SCALAR,
    SINEWI_SIMD_128,
    SINEWI_SIMD_AVX2,
    SINEWI_SIMD_AVX512,
    SINEWI_SIMD_LEVELS
} sinewi_simd_level;

// Returns the level's name on this kind of machine, or NULL if this build doesn't contain it.
const char *sinewi_simd_level_name(sinewi_simd_level level);

// Returns whether this machine can run the kernels of a level.
bool sinewi_simd_level_runs(sinewi_simd_level level);

// Returns the level to use. This is the widest one that this machine runs, unless the environment variable SINEW_SIMD
// names another one that it runs.
sinewi_simd_level sinewi_simd_level_used(void);

// Like sinewi_simd_level_used, but the first call caches the result.
sinewi_simd_level sinewi_simd_level_chosen(void);

// A table of kernels, or NULL if its level isn't compiled in.
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

// Packs a pair of integers in one, for x86-64 vectors.
SINEWI_INLINE int vec_load_pair(const int16_t pair[2]) {
    int both;
    memcpy(&both, pair, sizeof both);
    return both;
}

#endif
