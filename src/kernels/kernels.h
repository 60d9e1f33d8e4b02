// SPDX-License-Identifier: MIT
// The hot loops, in tables of functions. Each instruction set has one table per purpose, so programs only link the
// purposes that they use. The loops are written once, in rotations.h, modes.h, blend.h, mix.h, mix_general.h, model.h,
// products.h, offsets.h, skin.h, bounds.h and cull.h, using the vectors of base/simd.h. plain.c, vectors128.c, avx2.c
// and avx512.c compile them. All instruction sets give the same bits.
#ifndef SINEWI_KERNELS_H
#define SINEWI_KERNELS_H

#include <sinew/skin.h>

#include "base/simd.h"
#include "kernels/bound_block.h"
#include "kernels/transition.h"

// Samples and blends a mix's base layer and ignores the other layers. This is enough to sample a clip.
typedef struct sinewi_blend_kernels {
    // Blends node blocks [first, end), at least one, to ten planes. The output starts with the first block.
    void (*blend_to_pose)(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]);

    // The same for morph weight blocks.
    void (*blend_weights)(const sinewi_mix *mix, size_t first, size_t end, float *out);
} sinewi_blend_kernels;

// Blends all layers of a mix.
typedef struct sinewi_mix_kernels {
    // Writes ten planes, or composes local matrices.
    void (*mix_to_pose)(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]);
    void (*mix_to_local)(const sinewi_mix *mix, size_t first, size_t end, sinew_affine *out);

    void (*mix_weights)(const sinewi_mix *mix, size_t first, size_t end, float *out);
} sinewi_mix_kernels;

// Turns a pose into model matrices.
typedef struct sinewi_model_kernels {
    // Composes local matrices.
    void (*pose_to_local)(const float *const in[SINEWI_PLANES], size_t blocks, sinew_affine *out);

    // Converts local matrices to model matrices in place. The links are ordered parents first. Interleaves several
    // characters with the same skeleton, because the products of one hide the latency of another's.
    void (*local_to_model)(const sinewi_link *links, int32_t link_count, sinew_affine *const *models,
                           int32_t model_count);
} sinewi_model_kernels;

typedef struct sinewi_palette_kernels {
    // palette[i] = model[joints[i]] × inverse_binds[i]
    void (*palette)(const int32_t *joints, int32_t count, const sinew_affine *model,
                    const sinew_affine *inverse_binds, sinew_affine *palette);

    // The same with non-temporal stores, if the machine has them. `palette` must be 16-byte aligned.
    void (*stream_palette)(const int32_t *joints, int32_t count, const sinew_affine *model,
                           const sinew_affine *inverse_binds, sinew_affine *palette);

    // Makes streamed palettes visible to other threads before any later stores.
    void (*end_palettes)(void);
} sinewi_palette_kernels;

// Transition offsets and held poses.
typedef struct sinewi_transition_kernels {
    // Adds the offsets at t >= 0 seconds to node blocks [first, end), at least one. `planes` start with the first
    // block. Values keep their bits once their offset has ended. Rotations with an offset are normalized.
    void (*add_offsets)(const sinewi_offset_block *offsets, float t, size_t first, size_t end,
                        float *const planes[SINEWI_PLANES]);

    // The same for morph weight blocks.
    void (*add_weight_offsets)(const sinewi_weight_offset_block *offsets, float t, size_t first, size_t end,
                               float *weights);

    // Extrapolates blocks [first, end) of a held pose by its velocities over tau seconds (see sinewi_held_tau). The
    // output starts with the first block. Rotations keep their length.
    void (*extrapolate)(const sinewi_held_block *held, float tau, size_t first, size_t end,
                        float *const out[SINEWI_PLANES]);

    // The same for morph weight blocks.
    void (*extrapolate_weights)(const sinewi_held_weight_block *held, float tau, size_t first, size_t end,
                                float *out);

    // Start a transition for one block. `duration` must be above 0 seconds. At the start, target plus offset has the
    // source's pose and velocity. The source may already include the offsets of another transition.
    //
    // A jump between the two poses would look like a huge velocity, so the offset's velocity is limited. It never adds
    // more than a quarter turn or half of a node's scale. Translations don't have a limit. A morph weight's offset only
    // shrinks, so the weight stays between its source and its target.
    void (*start_offsets)(const sinewi_block_change *change, float dt, float duration,
                          sinewi_offset_block *offsets);
    void (*start_weight_offsets)(const sinewi_weight_change *change, float dt, float duration,
                                 sinewi_weight_offset_block *offsets);

    // Add the offsets of one block `dt` seconds after `t`, assuming that they keep their velocity at `t`. `dt` may be
    // negative. This gives the offsets' motion at that moment.
    void (*add_offsets_on_line)(const sinewi_offset_block *offsets, float t, float dt, sinewi_block *pose);
    void (*add_weight_offsets_on_line)(const sinewi_weight_offset_block *offsets, float t, float dt,
                                       float *weights);

    // Give a block of a held pose its velocities. `other` is the pose `dt` seconds away, and `dt` may be negative. The
    // velocities decay over a duration whose final sinewi_held_tau is `reach`, above 0.
    //
    // The motion they cause is limited. A rotation turns by at most a quarter turn, so it never wraps. A scale changes
    // by at most half, so it can't pass 0 and mirror the node. A morph weight in [0, 1] stays in this range.
    void (*start_held)(const sinewi_block *other, float dt, float reach, sinewi_held_block *held);
    void (*start_held_weights)(const float *other, float dt, float reach, sinewi_held_weight_block *held);

    // Replaces a pose some time ahead of `now` with an estimate of the pose the same time before `now`.
    void (*mirror)(const sinewi_block *now, sinewi_block *ahead);
} sinewi_transition_kernels;

typedef struct sinewi_bound_kernels {
    // Extends `extent` to include boxes that move with their nodes.
    void (*bound_boxes)(const sinewi_bound_block *blocks, size_t count, const sinew_affine *model,
                        sinewi_extent *extent);

    // Returns an upper bound for the squared distance of their corners from `center`. At least `square`.
    float (*bound_square)(const sinewi_bound_block *blocks, size_t count, const sinew_affine *model,
                          const float center[3], float square);

    // Sets the bits of the boxes that no frustum plane excludes. `boxes` has their centers and extents along x, y and
    // z. `first` must be a multiple of 32.
    void (*cull_boxes)(const float planes[6][4], const float *const boxes[6], size_t first, size_t count,
                       uint32_t *visible);
} sinewi_bound_kernels;

// Return a level's kernels, or NULL if the level isn't compiled in or this machine can't run it.
const sinewi_blend_kernels *sinewi_blend_kernels_of(sinewi_simd_level level);
const sinewi_mix_kernels *sinewi_mix_kernels_of(sinewi_simd_level level);
const sinewi_model_kernels *sinewi_model_kernels_of(sinewi_simd_level level);
const sinewi_palette_kernels *sinewi_palette_kernels_of(sinewi_simd_level level);
const sinewi_transition_kernels *sinewi_transition_kernels_of(sinewi_simd_level level);
const sinewi_bound_kernels *sinewi_bound_kernels_of(sinewi_simd_level level);

// Return the kernels of sinewi_simd_level_chosen.
const sinewi_blend_kernels *sinewi_blend_kernels_used(void);
const sinewi_mix_kernels *sinewi_mix_kernels_used(void);
const sinewi_model_kernels *sinewi_model_kernels_used(void);
const sinewi_palette_kernels *sinewi_palette_kernels_used(void);
const sinewi_transition_kernels *sinewi_transition_kernels_used(void);
const sinewi_bound_kernels *sinewi_bound_kernels_used(void);

// Samples one node of one input. The keys don't have to be found. This is plain C, because a vector would only use one
// lane.
void sinewi_sample_node(const sinewi_mix_input *input, int32_t node, float out[SINEWI_PLANES]);

extern const sinewi_blend_kernels sinewi_blend_kernels_plain;
extern const sinewi_mix_kernels sinewi_mix_kernels_plain;
extern const sinewi_model_kernels sinewi_model_kernels_plain;
extern const sinewi_palette_kernels sinewi_palette_kernels_plain;
extern const sinewi_transition_kernels sinewi_transition_kernels_plain;
extern const sinewi_bound_kernels sinewi_bound_kernels_plain;
#ifdef SINEWI_HAS_128
extern const sinewi_blend_kernels sinewi_blend_kernels_128;
extern const sinewi_mix_kernels sinewi_mix_kernels_128;
extern const sinewi_model_kernels sinewi_model_kernels_128;
extern const sinewi_palette_kernels sinewi_palette_kernels_128;
extern const sinewi_transition_kernels sinewi_transition_kernels_128;
extern const sinewi_bound_kernels sinewi_bound_kernels_128;
#endif
#ifdef SINEWI_HAS_AVX2
extern const sinewi_blend_kernels sinewi_blend_kernels_avx2;
extern const sinewi_mix_kernels sinewi_mix_kernels_avx2;
extern const sinewi_model_kernels sinewi_model_kernels_avx2;
extern const sinewi_palette_kernels sinewi_palette_kernels_avx2;
extern const sinewi_transition_kernels sinewi_transition_kernels_avx2;
extern const sinewi_bound_kernels sinewi_bound_kernels_avx2;
void sinewi_local_to_model_avx2(const sinewi_link *links, int32_t link_count, sinew_affine *const *models,
                                int32_t model_count);
#endif
#ifdef SINEWI_HAS_AVX512
extern const sinewi_blend_kernels sinewi_blend_kernels_avx512;
extern const sinewi_mix_kernels sinewi_mix_kernels_avx512;
extern const sinewi_model_kernels sinewi_model_kernels_avx512;
extern const sinewi_transition_kernels sinewi_transition_kernels_avx512;
extern const sinewi_bound_kernels sinewi_bound_kernels_avx512;
#endif

#ifndef SINEW_NO_SKINNING
typedef struct sinewi_skin_kernels {
    // Like sinew_skin_vertices. No stride may be 0, and the inputs of omitted normals and tangents must be NULL.
    void (*skin_vertices)(const sinew_skin_job *job, const sinew_affine *palette, size_t first, size_t count);
} sinewi_skin_kernels;

const sinewi_skin_kernels *sinewi_skin_kernels_of(sinewi_simd_level level);
const sinewi_skin_kernels *sinewi_skin_kernels_used(void);

extern const sinewi_skin_kernels sinewi_skin_kernels_plain;
#ifdef SINEWI_HAS_128
extern const sinewi_skin_kernels sinewi_skin_kernels_128;
#endif
#ifdef SINEWI_HAS_AVX2
extern const sinewi_skin_kernels sinewi_skin_kernels_avx2;
void sinewi_skin_strided_avx2(const sinew_skin_job *job, const sinew_affine *matrices, size_t first, size_t count);
#endif
#ifdef SINEWI_HAS_AVX512
extern const sinewi_skin_kernels sinewi_skin_kernels_avx512;
#endif
#endif

#endif
