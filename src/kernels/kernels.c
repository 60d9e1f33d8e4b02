// SPDX-License-Identifier: MIT
// The kernel tables by level. Each purpose has its own array and functions in separate sections. A linker that drops
// unused sections only keeps the kernels that the program uses.
#include "kernels/kernels.h"

static const sinewi_blend_kernels *const blend_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_blend_kernels_plain, SINEWI_IF_128(&sinewi_blend_kernels_128),
    SINEWI_IF_AVX2(&sinewi_blend_kernels_avx2), SINEWI_IF_AVX512(&sinewi_blend_kernels_avx512)};

const sinewi_blend_kernels *sinewi_blend_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? blend_tables[level] : NULL;
}

const sinewi_blend_kernels *sinewi_blend_kernels_used(void) {
    return blend_tables[sinewi_simd_level_chosen()];
}

static const sinewi_mix_kernels *const mix_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_mix_kernels_plain, SINEWI_IF_128(&sinewi_mix_kernels_128), SINEWI_IF_AVX2(&sinewi_mix_kernels_avx2),
    SINEWI_IF_AVX512(&sinewi_mix_kernels_avx512)};

const sinewi_mix_kernels *sinewi_mix_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? mix_tables[level] : NULL;
}

const sinewi_mix_kernels *sinewi_mix_kernels_used(void) {
    return mix_tables[sinewi_simd_level_chosen()];
}

static const sinewi_model_kernels *const model_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_model_kernels_plain, SINEWI_IF_128(&sinewi_model_kernels_128),
    SINEWI_IF_AVX2(&sinewi_model_kernels_avx2), SINEWI_IF_AVX512(&sinewi_model_kernels_avx512)};

const sinewi_model_kernels *sinewi_model_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? model_tables[level] : NULL;
}

const sinewi_model_kernels *sinewi_model_kernels_used(void) {
    return model_tables[sinewi_simd_level_chosen()];
}

// AVX-512 uses AVX2's products. See avx512.c.
static const sinewi_palette_kernels *const palette_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_palette_kernels_plain, SINEWI_IF_128(&sinewi_palette_kernels_128),
    SINEWI_IF_AVX2(&sinewi_palette_kernels_avx2), SINEWI_IF_AVX512(&sinewi_palette_kernels_avx2)};

const sinewi_palette_kernels *sinewi_palette_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? palette_tables[level] : NULL;
}

const sinewi_palette_kernels *sinewi_palette_kernels_used(void) {
    return palette_tables[sinewi_simd_level_chosen()];
}

static const sinewi_transition_kernels *const transition_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_transition_kernels_plain, SINEWI_IF_128(&sinewi_transition_kernels_128),
    SINEWI_IF_AVX2(&sinewi_transition_kernels_avx2), SINEWI_IF_AVX512(&sinewi_transition_kernels_avx512)};

const sinewi_transition_kernels *sinewi_transition_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? transition_tables[level] : NULL;
}

const sinewi_transition_kernels *sinewi_transition_kernels_used(void) {
    return transition_tables[sinewi_simd_level_chosen()];
}

static const sinewi_bound_kernels *const bound_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_bound_kernels_plain, SINEWI_IF_128(&sinewi_bound_kernels_128),
    SINEWI_IF_AVX2(&sinewi_bound_kernels_avx2), SINEWI_IF_AVX512(&sinewi_bound_kernels_avx512)};

const sinewi_bound_kernels *sinewi_bound_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? bound_tables[level] : NULL;
}

const sinewi_bound_kernels *sinewi_bound_kernels_used(void) {
    return bound_tables[sinewi_simd_level_chosen()];
}

#ifndef SINEW_NO_SKINNING
static const sinewi_skin_kernels *const skin_tables[SINEWI_SIMD_LEVELS] = {
    &sinewi_skin_kernels_plain, SINEWI_IF_128(&sinewi_skin_kernels_128), SINEWI_IF_AVX2(&sinewi_skin_kernels_avx2),
    SINEWI_IF_AVX512(&sinewi_skin_kernels_avx512)};

const sinewi_skin_kernels *sinewi_skin_kernels_of(sinewi_simd_level level) {
    return sinewi_simd_level_runs(level) ? skin_tables[level] : NULL;
}

const sinewi_skin_kernels *sinewi_skin_kernels_used(void) {
    return skin_tables[sinewi_simd_level_chosen()];
}
#endif
