// SPDX-License-Identifier: MIT
// The hot loops of springs, built like kernels/kernels.h. They are written once, in spring_rows.h and spring_rope.h,
// and compiled by spring_plain.c, spring_vectors128.c, spring_avx2.c and spring_avx512.c. All give the same bits.
#ifndef SINEWI_SPRING_KERNELS_H
#define SINEWI_SPRING_KERNELS_H

#include "base/simd.h"
#include "body/spring_lanes.h"

typedef struct sinewi_spring_kernels {
    // Solves a step of a row of joints. For ropes, call the two below first.
    void (*solve_row)(sinewi_spring_job *job);

    // Prepares the work of a row of ropes. The job's frames must be in the pose.
    void (*aim_row)(sinewi_spring_job *job);

    // Swings all rows of ropes.
    void (*swing_rows)(sinewi_spring_job *job);

    // Gathers four rows from a pose's planes. `nodes` belongs to the first row. The other rows' nodes follow in each
    // lane, at most in the padding.
    void (*gather_rows)(const float *const planes[SINEWI_SPRING_POSE_PLANES], const int32_t *nodes,
                        size_t lane_count, sinewi_spring_pose_row rows[4]);

    // The solved lanes of a row whose pose isn't finite or differs from the last frame.
    uint32_t (*changed_lanes)(const sinewi_spring_job *job);
} sinewi_spring_kernels;

// The kernels of a level. NULL if they aren't compiled in or don't run on this machine.
const sinewi_spring_kernels *sinewi_spring_kernels_of(sinewi_simd_level level);

// The kernels of sinewi_simd_level_chosen, or of a lower level whose vectors have at most `lane_count` lanes.
// `lane_count` must be 4 or more.
const sinewi_spring_kernels *sinewi_spring_kernels_for(size_t lane_count);

extern const sinewi_spring_kernels sinewi_spring_kernels_plain;
#ifdef SINEWI_HAS_128
extern const sinewi_spring_kernels sinewi_spring_kernels_128;
#endif
#ifdef SINEWI_HAS_AVX2
extern const sinewi_spring_kernels sinewi_spring_kernels_avx2;
#endif
#ifdef SINEWI_HAS_AVX512
extern const sinewi_spring_kernels sinewi_spring_kernels_avx512;
#endif

#endif
