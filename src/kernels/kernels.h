// SPDX-License-Identifier: MIT
// The hot loops, in tables of functions: for each instruction set one table per purpose, so that a program is linked
// only with those that it uses. They are written once, in rotations.h, modes.h, blend.h, mix.h, mix_general.h, model.h,
// products.h, offsets.h, skin.h, bounds.h and cull.h, with the vectors of base/simd.h; plain.c, vectors128.c, avx2.c and
// avx512.c compile them. All instruction sets give the same bits.
#ifndef SINEWI_KERNELS_H
#define SINEWI_KERNELS_H

#include <sinew/skin.h>

#include "base/simd.h"
#include "kernels/bound_block.h"
#include "kernels/transition.h"

// Sampling and blending the base layer of a mix, whose other layers are ignored. Sampling a clip needs no more.
typedef struct sinewi_blend_kernels {
    // Blends blocks of nodes [first, end), at least one, to ten planes. The output starts with the first block.
    void (*blend_to_pose)(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]);

    // The same for blocks of morph weights.
    void (*blend_weights)(const sinewi_mix *mix, size_t first, size_t end, float *out);
} sinewi_blend_kernels;

// The same for all layers of a mix.
typedef struct sinewi_mix_kernels {
    // To ten planes, or composed to local matrices.
    void (*mix_to_pose)(const sinewi_mix *mix, size_t first, size_t end, float *const out[SINEWI_PLANES]);
    void (*mix_to_local)(const sinewi_mix *mix, size_t first, size_t end, sinew_affine *out);

    void (*mix_weights)(const sinewi_mix *mix, size_t first, size_t end, float *out);
} sinewi_mix_kernels;

// From a pose to model matrices.
typedef struct sinewi_model_kernels {
    // Composes local matrices.
    void (*pose_to_local)(const float *const in[SINEWI_PLANES], size_t blocks, sinew_affine *out);

    // Converts local matrices to model matrices, in the same array, in the order of the links, parents first.
    // Several characters of one skeleton are interleaved, so that the products of one hide the latency of
    // another's.
    void (*local_to_model)(const sinewi_link *links, int32_t link_count, sinew_affine *const *models,
                           int32_t model_count);
} sinewi_model_kernels;

typedef struct sinewi_palette_kernels {
    // palette[i] = model[joints[i]] × inverse_binds[i]
    void (*palette)(const int32_t *joints, int32_t count, const sinew_affine *model,
                    const sinew_affine *inverse_binds, sinew_affine *palette);

    // The same past the caches, where the machine has such stores. `palette` is a multiple of 16.
    void (*stream_palette)(const int32_t *joints, int32_t count, const sinew_affine *model,
                           const sinew_affine *inverse_binds, sinew_affine *palette);

    // Makes streamed palettes visible to other threads before later stores.
    void (*end_palettes)(void);
} sinewi_palette_kernels;

// The offsets and held poses of transitions.
typedef struct sinewi_transition_kernels {
    // Adds decaying offsets at t seconds, t >= 0, to blocks of nodes [first, end), at least one. `planes` start
    // with the first block. Values whose offset has ended keep their bits; rotations with an offset become unit.
    void (*add_offsets)(const sinewi_offset_block *offsets, float t, size_t first, size_t end,
                        float *const planes[SINEWI_PLANES]);

    // The same for blocks of morph weights.
    void (*add_weight_offsets)(const sinewi_weight_offset_block *offsets, float t, size_t first, size_t end,
                               float *weights);

    // Extrapolates blocks [first, end) of a held pose by its velocities over tau seconds (see sinewi_held_tau). The
    // output starts with the first block; rotations keep their length.
    void (*extrapolate)(const sinewi_held_block *held, float tau, size_t first, size_t end,
                        float *const out[SINEWI_PLANES]);

    // The same for blocks of morph weights.
    void (*extrapolate_weights)(const sinewi_held_weight_block *held, float tau, size_t first, size_t end,
                                float *out);

    // Start a transition of `duration` seconds, above 0, for one block: added to the target, the offsets start with the
    // source's pose and velocity. The source may include the offsets of another transition.
    //
    // The velocity of an offset is limited, because a jump between the two poses is no velocity: what it adds stays
    // within a quarter turn and half of a node's scale. Translations have no such limit. The offset of a morph weight
    // only shrinks, so that the weight stays between its source and its target.
    void (*start_offsets)(const sinewi_block_change *change, float dt, float duration,
                          sinewi_offset_block *offsets);
    void (*start_weight_offsets)(const sinewi_weight_change *change, float dt, float duration,
                                 sinewi_weight_offset_block *offsets);

    // Add the offsets of one block as they would be `dt` seconds, which may be negative, after `t` if they went on with
    // their velocity at `t`: the motion that the offsets have at that moment.
    void (*add_offsets_on_line)(const sinewi_offset_block *offsets, float t, float dt, sinewi_block *pose);
    void (*add_weight_offsets_on_line)(const sinewi_weight_offset_block *offsets, float t, float dt,
                                       float *weights);

    // Give a block of a held pose its velocities: towards `other`, the pose `dt` seconds from it, which may be negative.
    // They decay over the duration whose sinewi_held_tau in the end is `reach`, above 0.
    //
    // Velocities are limited by the motion they cause: a rotation by a quarter turn, so that it never wraps; a scale by
    // half of itself, so that it cannot pass 0, which would mirror the node; a morph weight in [0, 1] stays there.
    void (*start_held)(const sinewi_block *other, float dt, float reach, sinewi_held_block *held);
    void (*start_held_weights)(const float *other, float dt, float reach, sinewi_held_weight_block *held);

    // Replaces the pose that is some time ahead of `now` by the estimate of the one that long ago.
    void (*mirror)(const sinewi_block *now, sinewi_block *ahead);
} sinewi_transition_kernels;

typedef struct sinewi_bound_kernels {
    // Extends `extent` by the boxes of blocks, moved by the matrices of their nodes.
    void (*bound_boxes)(const sinewi_bound_block *blocks, size_t count, const sinew_affine *model,
                        sinewi_extent *extent);

    // An upper bound of the squared distance of their corners from `center`, at least `square`.
    float (*bound_square)(const sinewi_bound_block *blocks, size_t count, const sinew_affine *model,
                          const float center[3], float square);

    // Sets the bits of the boxes that no plane of a frustum excludes. `boxes` are their centres and extents along x, y
    // and z. `first` is a multiple of 32.
    void (*cull_boxes)(const float planes[6][4], const float *const boxes[6], size_t first, size_t count,
                       uint32_t *visible);
} sinewi_bound_kernels;

// The kernels of a level; NULL if it is not compiled in or does not run on this machine.
const sinewi_blend_kernels *sinewi_blend_kernels_of(sinewi_simd_level level);
const sinewi_mix_kernels *sinewi_mix_kernels_of(sinewi_simd_level level);
const sinewi_model_kernels *sinewi_model_kernels_of(sinewi_simd_level level);
const sinewi_palette_kernels *sinewi_palette_kernels_of(sinewi_simd_level level);
const sinewi_transition_kernels *sinewi_transition_kernels_of(sinewi_simd_level level);
const sinewi_bound_kernels *sinewi_bound_kernels_of(sinewi_simd_level level);

// The kernels of sinewi_simd_level_chosen.
const sinewi_blend_kernels *sinewi_blend_kernels_used(void);
const sinewi_mix_kernels *sinewi_mix_kernels_used(void);
const sinewi_model_kernels *sinewi_model_kernels_used(void);
const sinewi_palette_kernels *sinewi_palette_kernels_used(void);
const sinewi_transition_kernels *sinewi_transition_kernels_used(void);
const sinewi_bound_kernels *sinewi_bound_kernels_used(void);

// Samples one node of one input, whose keys need not have been found. In plain C: a vector would use a single lane.
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
    // Like sinew_skin_vertices. No stride of the job may be 0, and the inputs of omitted normals and tangents are
    // NULL.
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
