// SPDX-License-Identifier: MIT
// The tables of kernels, by level. Each purpose has its own array and functions, in sections of their own: a linker
// that removes unused sections keeps only the kernels of purposes that the program uses.
#include "kernels/kernels.h"

// Levels that are not compiled in have no tables.
#ifdef SINEW_HAS_128
#define IF_128(table) table
#else
#define IF_128(table) NULL
#endif
#ifdef SINEW_HAS_AVX2
#define IF_AVX2(table) table
#else
#define IF_AVX2(table) NULL
#endif
#ifdef SINEW_HAS_AVX512
#define IF_AVX512(table) table
#else
#define IF_AVX512(table) NULL
#endif

// SINEW_SIMD_LEVELS until the first call. Threads that call at the same time choose the same level.
static int chosen = SINEW_SIMD_LEVELS;

static int level_used(void) {
#if defined(__GNUC__)
    int level = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (level == SINEW_SIMD_LEVELS)
        __atomic_store_n(&chosen, level = (int)sinew_simd_level_used(), __ATOMIC_RELAXED);
#else
    volatile int *address = &chosen;
    int level = *address;
    if (level == SINEW_SIMD_LEVELS) *address = level = (int)sinew_simd_level_used();
#endif
    return level;
}

static const sinew_blend_kernels *const blend_tables[SINEW_SIMD_LEVELS] = {
    &sinew_blend_kernels_plain, IF_128(&sinew_blend_kernels_128), IF_AVX2(&sinew_blend_kernels_avx2),
    IF_AVX512(&sinew_blend_kernels_avx512)};

const sinew_blend_kernels *sinew_blend_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? blend_tables[level] : NULL;
}

const sinew_blend_kernels *sinew_blend_kernels_used(void) {
    return blend_tables[level_used()];
}

static const sinew_mix_kernels *const mix_tables[SINEW_SIMD_LEVELS] = {
    &sinew_mix_kernels_plain, IF_128(&sinew_mix_kernels_128), IF_AVX2(&sinew_mix_kernels_avx2),
    IF_AVX512(&sinew_mix_kernels_avx512)};

const sinew_mix_kernels *sinew_mix_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? mix_tables[level] : NULL;
}

const sinew_mix_kernels *sinew_mix_kernels_used(void) {
    return mix_tables[level_used()];
}

static const sinew_model_kernels *const model_tables[SINEW_SIMD_LEVELS] = {
    &sinew_model_kernels_plain, IF_128(&sinew_model_kernels_128), IF_AVX2(&sinew_model_kernels_avx2),
    IF_AVX512(&sinew_model_kernels_avx512)};

const sinew_model_kernels *sinew_model_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? model_tables[level] : NULL;
}

const sinew_model_kernels *sinew_model_kernels_used(void) {
    return model_tables[level_used()];
}

// The products of AVX-512 are those of AVX2: see avx512.c.
static const sinew_palette_kernels *const palette_tables[SINEW_SIMD_LEVELS] = {
    &sinew_palette_kernels_plain, IF_128(&sinew_palette_kernels_128), IF_AVX2(&sinew_palette_kernels_avx2),
    IF_AVX512(&sinew_palette_kernels_avx2)};

const sinew_palette_kernels *sinew_palette_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? palette_tables[level] : NULL;
}

const sinew_palette_kernels *sinew_palette_kernels_used(void) {
    return palette_tables[level_used()];
}

static const sinew_transition_kernels *const transition_tables[SINEW_SIMD_LEVELS] = {
    &sinew_transition_kernels_plain, IF_128(&sinew_transition_kernels_128), IF_AVX2(&sinew_transition_kernels_avx2),
    IF_AVX512(&sinew_transition_kernels_avx512)};

const sinew_transition_kernels *sinew_transition_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? transition_tables[level] : NULL;
}

const sinew_transition_kernels *sinew_transition_kernels_used(void) {
    return transition_tables[level_used()];
}

static const sinew_bound_kernels *const bound_tables[SINEW_SIMD_LEVELS] = {
    &sinew_bound_kernels_plain, IF_128(&sinew_bound_kernels_128), IF_AVX2(&sinew_bound_kernels_avx2),
    IF_AVX512(&sinew_bound_kernels_avx512)};

const sinew_bound_kernels *sinew_bound_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? bound_tables[level] : NULL;
}

const sinew_bound_kernels *sinew_bound_kernels_used(void) {
    return bound_tables[level_used()];
}

static const sinew_spring_kernels *const spring_tables[SINEW_SIMD_LEVELS] = {
    &sinew_spring_kernels_plain, IF_128(&sinew_spring_kernels_128), IF_AVX2(&sinew_spring_kernels_avx2),
    IF_AVX512(&sinew_spring_kernels_avx512)};

const sinew_spring_kernels *sinew_spring_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? spring_tables[level] : NULL;
}

const sinew_spring_kernels *sinew_spring_kernels_for(size_t lane_count) {
    const int used = level_used();
    const int widest = lane_count < 8 ? SINEW_SIMD_128 : lane_count < 16 ? SINEW_SIMD_AVX2 : SINEW_SIMD_AVX512;
    return spring_tables[used < widest ? used : widest];
}

#ifndef SINEW_NO_SKINNING
static const sinew_skin_kernels *const skin_tables[SINEW_SIMD_LEVELS] = {
    &sinew_skin_kernels_plain, IF_128(&sinew_skin_kernels_128), IF_AVX2(&sinew_skin_kernels_avx2),
    IF_AVX512(&sinew_skin_kernels_avx512)};

const sinew_skin_kernels *sinew_skin_kernels_of(sinew_simd_level level) {
    return sinew_simd_level_runs(level) ? skin_tables[level] : NULL;
}

const sinew_skin_kernels *sinew_skin_kernels_used(void) {
    return skin_tables[level_used()];
}
#endif
