// SPDX-License-Identifier: MIT
/// Animation textures: every frame of every clip of a skin, as palettes (skin.h), in one texture. A character that is
/// drawn from it costs the CPU two texels a frame and no pose: two clips, their times and their weights. The price is
/// memory, a fixed frame rate, and an error that is measured when the texture is made.
///
/// Steps: sinew_bake_create at load time; copy `texels` to the GPU (sinew_gl_animations_create in gl.h does it for
/// OpenGL); for each character a sinew_bake_state, advanced in each frame and written into its record (gpu_record.h)
/// of the layout SINEW_GPU_RECORD_BAKED with sinew_bake_write. The shaders of shader.h read both.
///
/// sinew_bake_from_mixer and sinew_bake_to_mixer move a character between an animation texture and a mixer of its own
/// (near the camera, for example) without a visible jump.
///
/// Morph weights are not baked: those of a record are the program's own. Events are not fired, and root motion is not
/// extracted.
///
/// A texture is read-only once it is made: all functions may be called from any thread, but only one thread at a time
/// may use a state or a mixer. Functions that run in each frame allocate nothing and cannot fail; their arguments are
/// asserted. Lengths are metres, times seconds.
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "../mixer.h"
#include "gpu_record.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Textures ------------------------------------------------------------------------------------------------

/// The format of texels.
typedef enum sinew_bake_format {
    SINEW_BAKE_FLOAT, ///< RGBA32F, 16 bytes a texel
    SINEW_BAKE_HALF ///< RGBA16F, 8 bytes a texel: 11 bits a number, errors of millimetres on a character; up to 65504
} sinew_bake_format;

/// The definition of an animation texture. Lists are copied; the asset and the clips must outlive the texture.
typedef struct sinew_bake_def {
    const sinew_asset *asset; ///< has the skin and the meshes; default NULL, must be set
    int32_t skin;             ///< index into the asset's skins; -1: none; default 0
    const int32_t *nodes;     ///< [node_count], nodes of the skeleton to bake in addition to the skin's joints
    int32_t node_count;       ///< default 0
    /// [clip_count], of the asset's skeleton and not additive. NULL (default): all clips of the asset.
    const sinew_clip *const *clips;
    int32_t clip_count;        ///< 1 or more if clips are given; otherwise ignored
    float frame_rate;          ///< frames a second, more than 0; default 30
    sinew_bake_format format;  ///< default SINEW_BAKE_FLOAT
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bake_default
} sinew_bake_def;

/// A clip in a texture.
typedef struct sinew_bake_clip {
    const sinew_clip *clip; ///< the baked clip
    int32_t first_frame;    ///< index into all frames of the texture
    int32_t frame_count;    ///< 2 or more; 1 for a clip of duration 0. The last frame is the clip's end
    float frame_rate; ///< frames a second: that of the definition, rounded so that frames divide the clip evenly
    float error; ///< metres, as sinew_bake_create measures it, of the asset's meshes while this clip plays alone
} sinew_bake_clip;

/// An animation texture, in the host's memory. Only those made by sinew_bake_create are valid. The arrays belong to
/// it.
typedef struct sinew_bake {
    const sinew_asset *asset;     ///< of the definition
    int32_t skin;                 ///< index into the asset's skins, or -1
    int32_t joint_count;          ///< matrices a frame: those of the skin's joints, then those of the nodes
    int32_t node_count;           ///< length of nodes; 0 or more
    const int32_t *nodes;         ///< [node_count], nodes of the skeleton whose model matrices are baked
    int32_t clip_count;           ///< length of clips
    const sinew_bake_clip *clips; ///< [clip_count], in the order of the definition
    int32_t frame_count;          ///< of all clips
    sinew_bake_format format;     ///< of texels
    int32_t width, height;        ///< in texels; the width is SINEW_TEXTURE_WIDTH (shader.h)
    /// [height × width] × 4 floats or halves, in the rows of the texture. Each matrix is 3 texels, the rows of a
    /// sinew_affine; each frame is joint_count matrices; frames follow one another.
    const void *texels;
    size_t size; ///< bytes of texels
    float error; ///< metres: the largest of the clips' errors
} sinew_bake;

/// Returns the default definition: the first skin, all clips of the asset, 30 frames a second, floats, the C
/// library's heap.
SINEW_API sinew_bake_def sinew_bake_default(void);

/// Makes an animation texture, to be freed with sinew_bake_destroy. It samples every frame, and times between the
/// frames to measure the errors. This is work for load time: it takes about as long as six mixer updates a frame.
///
/// `nodes` are for meshes without a skin, and for other attachments. Such a mesh is drawn as if its vertices had one
/// joint of weight 1, numbered after the skin's joints: the number of the skin's joints plus the index of its node in
/// `nodes`.
///
/// The error is the distance of a vertex that the texture moves from where sinew_clip_sample, the palette and
/// sinew_skin_vertices put it, with morph weights of 0 to 1, rounding included. Vertices are not tested one by one:
/// each joint has a box around the vertices that it moves, and the error of a skinned vertex is at most that of the
/// corners of the boxes of its joints. At the times of the measurement that is a bound: at each frame, at each key and
/// right before it, and at the quarters of these intervals. Between them it is an estimate: the largest is multiplied
/// by 17/16, since the maximum of a parabola is at most a sixteenth above its value at the nearest quarter, and the
/// difference of a clip and a line between two frames is nearly one. A STEP key between frames has an error as large as
/// its jump.
///
/// SINEW_ERROR_ARGUMENT for no asset, a skin or a node that does not exist, for neither joints nor nodes, for no
/// clips, for a clip that is additive or of another skeleton, for a frame rate that is not a positive number, and for
/// vertices with joints that the skin does not have; SINEW_ERROR_LIMIT for more than 2^24 texels (larger indices are
/// not exact in a float) and for numbers that the format does not hold; SINEW_ERROR_OUT_OF_MEMORY. On failure `*bake`
/// is NULL, and `error`, which may be NULL, says why. Uses about 7 KB of stack.
SINEW_API sinew_result sinew_bake_create(const sinew_bake_def *def, sinew_bake **bake, sinew_error *error);

/// Frees an animation texture. NULL is allowed.
SINEW_API void sinew_bake_destroy(sinew_bake *bake);

// ---- Characters ----------------------------------------------------------------------------------------------

/// A clip that a character plays from an animation texture.
typedef struct sinew_bake_track {
    int32_t clip;    ///< index into the texture's clips
    sinew_loop loop; ///< at its ends the time is clamped, wrapped or reflected, any number of times
    float time;      ///< seconds; with SINEW_LOOP_PING_PONG up to two durations, the second of which plays backward
    float speed;     ///< 1: that of the clip; may be negative; 0: paused
} sinew_bake_track;

/// The state of a character that is drawn from an animation texture: a clip, and a second one that is blended with
/// it. Start from sinew_bake_play. The program keeps it and advances it with sinew_bake_advance or by itself: it is
/// plain data, 40 bytes. Clips are indices into the texture's clips (asserted). Times that are not finite count as 0,
/// and `blend` is clamped to 0 to 1.
typedef struct sinew_bake_state {
    sinew_bake_track tracks[2]; ///< the second is ignored if its clip is -1
    float blend;                ///< weight of the second track, 0 to 1
    float blend_rate; ///< change of blend a second: at 1 the second track becomes the first; at 0 it is removed
} sinew_bake_state;

/// Returns a state that plays one clip, an index into the texture's clips, from its start, at speed 1, repeating.
SINEW_API sinew_bake_state sinew_bake_play(int32_t clip);

/// Starts a cross-fade to a clip, an index of 0 or more (asserted), from its start, over `duration` seconds, which
/// must be finite (asserted); 0 or less is a cut. During another cross-fade it starts from the track of the larger
/// weight, and the other track is dropped at once.
SINEW_API void sinew_bake_fade_to(sinew_bake_state *state, int32_t clip, float duration);

/// Advances a state by `dt` seconds, 0 or more and finite (asserted).
SINEW_API void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt);

/// Writes the two texels that a record of SINEW_GPU_RECORD_BAKED has for its joints: the first texels of the four
/// frames to blend (two of the first clip, two of the second), as numbers, and their weights, which sum to 1. `out`
/// has 8 floats; it may be mapped GPU memory: each float is written once, in order, and none is read back.
SINEW_API void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out);

/// Computes the palette that the shader computes from the two texels: [joint_count], the caller's. It is for
/// attachments, picking, bounds and tests; the GPU is faster.
SINEW_API void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette);

/// Returns an upper bound of the distance, in metres, of any point of the asset's meshes between the pose of a state
/// and that of model matrices ([node_count], as sinew_mixer_model_matrices): the visible jump if the character
/// changes from one to the other. It is measured as the errors are; INFINITY if a number is not finite.
SINEW_API float sinew_bake_distance(const sinew_bake *bake, const sinew_bake_state *state,
                                    const sinew_affine *model);

// ---- Mixers --------------------------------------------------------------------------------------------------

/// Makes a state from a mixer: the two baked clips of the largest weights in its base layer, with their times, speeds
/// and weights. The rest of their cross-fade becomes linear. Clips of a blend space count as clips; paused and
/// finished ones get a speed of 0; loops are not counted any more.
///
/// Returns the fraction of the pose that the state leaves out, 0 to 1. It is 0 if one or two actions of baked clips
/// make up the whole pose; then vertices agree within the errors (for two clips, see
/// docs/howto/animation-textures.md). Each upper layer counts by its weight, for any mask, and an inertialization by
/// its remaining time. Root motion, which the texture does not have, makes it 1. Returns -1, and leaves `state`
/// unchanged, if no clip that plays in the base layer is in the texture. Uses about 17 KB of stack.
SINEW_API float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state);

/// Makes a mixer of the same skeleton (asserted) play a state: all its actions stop, without held poses, and one or two
/// start, at the times of the state and during its cross-fade. The pose changes with the next sinew_mixer_update, also
/// of 0 seconds. Returns false, and leaves the mixer unchanged, if the state has two clips and max_actions is 1. Uses
/// up to 150 KB of stack.
SINEW_API bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
