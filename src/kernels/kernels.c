// SPDX-License-Identifier: MIT
// The tables of kernels, by level. Each purpose has its own array and functions, in sections of their own: a linker
// that removes unused sections keeps only the kernels of purposes that the program uses.
#include "kernels/kernels.h"

// Levels that are not compiled in have no tables.
#ifdef SINEWI_HAS_128
#define IF_128(table) table
#else
#define IF_128(table) NULL
#endif
#ifdef SINEWI_HAS_AVX2
#define IF_AVX2(table) table
#else
#define IF_AVX2(table) NULL
#endif
#ifdef SINEWI_HAS_AVX512
#define IF_AVX512(table) table
#else
#define IF_AVX512(table) NULL
#endif

// SINEWI_SIMD_LEVELS until the first call. Threads that call at the same time choose the same level.
static int chosen = SINEWI_SIMD_LEVELS;

static int level_used(void) {
#if defined(__GNUC__)
    int level = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (level == SINEWI_SIMD_LEVELS)
        __atomic_store_n(&chosen, level = (int)sinewi_simd_level_used(), __ATOMIC_RELAXED);
#else
    volatile int *address = &chosen;
    int level = *address;
    if (level == SINEWI_SIMD_LEVELS) *address = level = (int)sinewi_simd_level_used();
#endif
    return level;
}

static const sinewi_blend_kernels *const blend_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_blend_kernels_plain, IF_128(&sinewi_blend_kernels_128), IF_AVX2(&sinewi_blend_kernels_avx2),
    IF_AVX512(&sinewi_blend_kernels_avx512)};

const sinewi_blend_kernels *sinewi_blend_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? blend_tables[level] : NULL;
}

const sinewi_blend_kernels *sinewi_blend_kernels_used(void) {
    return blend_tables[level_used()];
}

static const sinewi_mix_kernels *const mix_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_mix_kernels_plain, IF_128(&sinewi_mix_kernels_128), IF_AVX2(&sinewi_mix_kernels_avx2),
    IF_AVX512(&sinewi_mix_kernels_avx512)};

const sinewi_mix_kernels *sinewi_mix_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? mix_tables[level] : NULL;
}

const sinewi_mix_kernels *sinewi_mix_kernels_used(void) {
    return mix_tables[level_used()];
}

static const sinewi_model_kernels *const model_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_model_kernels_plain, IF_128(&sinewi_model_kernels_128), IF_AVX2(&sinewi_model_kernels_avx2),
    IF_AVX512(&sinewi_model_kernels_avx512)};

const sinewi_model_kernels *sinewi_model_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? model_tables[level] : NULL;
}

const sinewi_model_kernels *sinewi_model_kernels_used(void) {
    return model_tables[level_used()];
}

// The products of AVX-512 are those of AVX2: see avx512.c.
static const sinewi_palette_kernels *const palette_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_palette_kernels_plain, IF_128(&sinewi_palette_kernels_128), IF_AVX2(&sinewi_palette_kernels_avx2),
    IF_AVX512(&sinewi_palette_kernels_avx2)};

const sinewi_palette_kernels *sinewi_palette_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? palette_tables[level] : NULL;
}

const sinewi_palette_kernels *sinewi_palette_kernels_used(void) {
    return palette_tables[level_used()];
}

static const sinewi_transition_kernels *const transition_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_transition_kernels_plain, IF_128(&sinewi_transition_kernels_128),
    IF_AVX2(&sinewi_transition_kernels_avx2), IF_AVX512(&sinewi_transition_kernels_avx512)};

const sinewi_transition_kernels *sinewi_transition_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? transition_tables[level] : NULL;
}

const sinewi_transition_kernels *sinewi_transition_kernels_used(void) {
    return transition_tables[level_used()];
}

static const sinewi_bound_kernels *const bound_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_bound_kernels_plain, IF_128(&sinewi_bound_kernels_128), IF_AVX2(&sinewi_bound_kernels_avx2),
    IF_AVX512(&sinewi_bound_kernels_avx512)};

const sinewi_bound_kernels *sinewi_bound_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? bound_tables[level] : NULL;
}

const sinewi_bound_kernels *sinewi_bound_kernels_used(void) {
    return bound_tables[level_used()];
}

static const sinewi_spring_kernels *const spring_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_spring_kernels_plain, IF_128(&sinewi_spring_kernels_128), IF_AVX2(&sinewi_spring_kernels_avx2),
    IF_AVX512(&sinewi_spring_kernels_avx512)};

const sinewi_spring_kernels *sinewi_spring_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? spring_tables[level] : NULL;
}

const sinewi_spring_kernels *sinewi_spring_kernels_for(size_t lane_count) {
    const int used = level_used();
    const int widest = lane_count < 8 ? SINEWI_SIMD_128 : lane_count < 16 ? SINEWI_SIMD_AVX2 : SINEWI_SIMD_AVX512;
    return spring_tables[used < widest ? used : widest];
}

#ifndef SINEW_NO_SKINNING
static const sinewi_skin_kernels *const skin_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_skin_kernels_plain, IF_128(&sinewi_skin_kernels_128), IF_AVX2(&sinewi_skin_kernels_avx2),
    IF_AVX512(&sinewi_skin_kernels_avx512)};

const sinewi_skin_kernels *sinewi_skin_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? skin_tables[level] : NULL;
}

const sinewi_skin_kernels *sinewi_skin_kernels_used(void) {
    return skin_tables[level_used()];
}
#endif
