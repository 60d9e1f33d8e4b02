// The hot loops, in one table of functions for each instruction set. They are written once, in blend.h, mix.h,
// mix_general.h, model.h, offsets.h, skin.h, bounds.h and cull.h, over the vectors of base/simd.h; plain.c, sse2.c, avx2.c,
// ... compile them. All tables give the same bits.
#ifndef SINEW_KERNELS_H
#define SINEW_KERNELS_H

#include <sinew/cull.h>
#include <sinew/skin.h>

#include "core/simd.h"
#include "kernels/bound_block.h"
#include "kernels/transition.h"

typedef struct sinew_kernels {
    // Samples and blends blocks of nodes [first, end), at least one: to ten planes, or composed to local matrices.
    // What comes out starts with the first block.
    void (*mix_to_pose)(const sinew_mix *mix, size_t first, size_t end, float *const out[SINEW_PLANES]);
    void (*mix_to_local)(const sinew_mix *mix, size_t first, size_t end, sinew_affine *out);

    // The same for blocks of morph weights.
    void (*mix_weights)(const sinew_mix *mix, size_t first, size_t end, float *out);

    // Composes local matrices.
    void (*pose_to_local)(const float *const in[SINEW_PLANES], size_t blocks, sinew_affine *out);

    // Turns local matrices into model matrices in place, in the order of the links, parents first. Several characters
    // of one skeleton go side by side, so that one's products fill the time in which another's wait for a parent.
    void (*local_to_model)(const sinew_link *links, int32_t link_count, sinew_affine *const *models,
                           int32_t model_count);

    // palette[i] = model[joints[i]] × inverse_binds[i]
    void (*palette)(const int32_t *joints, int32_t count, const sinew_affine *model,
                    const sinew_affine *inverse_binds, sinew_affine *palette);

    // As sinew_skin_vertices. No stride of the job may be 0, and normals and tangents that are not asked for are NULL.
    void (*skin_vertices)(const sinew_skin_job *job, const sinew_affine *palette, size_t first, size_t count);

    // Adds what is left of offsets after t seconds, t >= 0, to blocks of nodes [first, end), at least one. `planes`
    // start with the first block. What has no offset any more keeps its bits; rotations that have one come out unit.
    void (*add_offsets)(const sinew_offset_block *offsets, float t, size_t first, size_t end,
                        float *const planes[SINEW_PLANES]);

    // The same for blocks of morph weights.
    void (*add_weight_offsets)(const sinew_weight_offset_block *offsets, float t, size_t first, size_t end,
                               float *weights);

    // Where blocks [first, end) of a held pose are once its velocities have worked for tau seconds (see
    // sinew_held_tau). What comes out starts with the first block; rotations keep their length.
    void (*extrapolate)(const sinew_held_block *held, float tau, size_t first, size_t end,
                        float *const out[SINEW_PLANES]);

    // The same for blocks of morph weights.
    void (*extrapolate_weights)(const sinew_held_weight_block *held, float tau, size_t first, size_t end,
                                float *out);

    // What holds the boxes of blocks, moved by the matrices of their nodes, and what `extent` held before.
    void (*bound_boxes)(const sinew_bound_block *blocks, size_t count, const sinew_affine *model,
                        sinew_extent *extent);

    // The square of the distance from `center` that none of their corners is beyond, and at least `square`.
    float (*bound_square)(const sinew_bound_block *blocks, size_t count, const sinew_affine *model,
                          const float center[3], float square);

    // As sinew_cull_boxes. `first` is a multiple of 32.
    void (*cull_boxes)(const sinew_frustum *frustum, const sinew_boxes *boxes, size_t first, size_t count,
                       uint32_t *visible);
} sinew_kernels;

// The kernels of a level; NULL where it was not compiled in or does not run on this machine.
const sinew_kernels *sinew_kernels_of(sinew_simd_level level);

// Those of sinew_simd_level_used.
const sinew_kernels *sinew_kernels_used(void);

// To be asked for mix_to_pose, mix_to_local, pose_to_local, local_to_model and palette, of which most frames are made. It
// is the same table; but a small build has two, one for speed with only these, and one for size with all others.
#ifdef SINEW_SMALL
const sinew_kernels *sinew_kernels_fast(void);
#else
#define sinew_kernels_fast sinew_kernels_used
#endif

// One node of one share, whose keys need not have been found. Plain C: a vector would have but one lane to fill.
void sinew_sample_node(const sinew_mix_input *input, int32_t node, float out[SINEW_PLANES]);

extern const sinew_kernels sinew_kernels_plain;
#ifdef SINEW_HAS_SSE2
extern const sinew_kernels sinew_kernels_sse2;
#endif
#ifdef SINEW_HAS_AVX
extern const sinew_kernels sinew_kernels_avx2, sinew_kernels_avx512;
#endif
#ifdef SINEW_HAS_NEON
extern const sinew_kernels sinew_kernels_neon;
#endif
#ifdef SINEW_HAS_SIMD128
extern const sinew_kernels sinew_kernels_wasm;
#endif

#endif
