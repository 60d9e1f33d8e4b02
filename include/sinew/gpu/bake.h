// SPDX-License-Identifier: MIT
/// Animation textures: every frame of every clip of a skin, as palettes (skin.h) in one texture.
///
/// Drawing a character from the texture costs the CPU two texels a frame and no pose: they select two clips,
/// their times and weights. In return it needs memory, has a fixed frame rate, and is less exact.
/// sinew_bake_create measures the error.
///
/// Call sinew_bake_create at load time and copy `texels` to the GPU; in OpenGL, sinew_gl_animations_create in
/// gl.h does this. Keep a sinew_bake_state for each character. Each frame, advance it and write it with
/// sinew_bake_write into the character's record (gpu_record.h), which has the layout SINEW_GPU_RECORD_BAKED. The
/// shaders in shader.h read both.
///
/// sinew_bake_from_mixer and sinew_bake_to_mixer switch a character between the texture and its own mixer, for
/// example near the camera, without a visible jump.
///
/// The texture has no morph weights, events or root motion. Morph weights in records are your own.
///
/// A texture is read-only, so all functions are safe to call from any thread. Only one thread at a time may use a
/// state or a mixer. Functions for each frame don't allocate and can't fail; their arguments are asserted.
/// Lengths are metres, times seconds.
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "../mixer.h"
#include "gpu_record.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Textures ------------------------------------------------------------------------------------------------

/// The texel format.
typedef enum sinew_bake_format {
    SINEW_BAKE_FLOAT, ///< RGBA32F, 16 bytes per texel
    SINEW_BAKE_HALF   ///< RGBA16F, 8 bytes per texel; errors of millimetres on a character; numbers up to 65504
} sinew_bake_format;

/// The definition of an animation texture. Lists are copied. Asset and clips must outlive the texture. Start from
/// sinew_bake_default.
typedef struct sinew_bake_def {
    const sinew_asset *asset; ///< has the skin and the meshes; must be set
    int32_t skin;             ///< index into the asset's skins; -1: none; default 0
    const int32_t *nodes;     ///< [node_count], nodes to bake in addition to the skin's joints
    int32_t node_count;       ///< default 0
    /// [clip_count], clips of the asset's skeleton, not additive. NULL (default): all clips of the asset.
    const sinew_clip *const *clips;
    int32_t clip_count;        ///< 1 or more if `clips` is set; otherwise ignored
    float frame_rate;          ///< frames per second, above 0; default 30
    sinew_bake_format format;  ///< default SINEW_BAKE_FLOAT
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bake_default
} sinew_bake_def;

/// A clip in a texture.
typedef struct sinew_bake_clip {
    const sinew_clip *clip; ///< the baked clip
    int32_t first_frame;    ///< index into the texture's frames
    int32_t frame_count;    ///< 2 or more, or 1 for a clip of duration 0; the last frame is the clip's end
    float frame_rate;       ///< frames per second: the definition's, rounded to divide the clip evenly
    float error; ///< metres: the error of the asset's meshes while this clip plays alone; see sinew_bake_create
} sinew_bake_clip;

/// An animation texture in host memory. Create it only with sinew_bake_create. It owns the arrays.
typedef struct sinew_bake {
    const sinew_asset *asset;     ///< the def's asset
    int32_t skin;                 ///< index into the asset's skins, or -1
    int32_t joint_count;          ///< matrices per frame: the skin's joints, then the nodes
    int32_t node_count;           ///< length of nodes
    const int32_t *nodes;         ///< [node_count], nodes with baked model matrices
    int32_t clip_count;           ///< length of clips
    const sinew_bake_clip *clips; ///< [clip_count], in the order of the definition
    int32_t frame_count;          ///< frames of all clips
    sinew_bake_format format;     ///< texel format
    int32_t width, height;        ///< in texels; width is SINEW_TEXTURE_WIDTH (shader.h)
    /// [height × width] × 4 floats or halves, row by row. A matrix is 3 texels, the rows of a sinew_affine. A
    /// frame is joint_count matrices, and frames are contiguous.
    const void *texels;
    size_t size; ///< bytes in `texels`
    float error; ///< metres: the largest error of a clip
} sinew_bake;

/// Returns the defaults above. `asset` must be set.
SINEW_API sinew_bake_def sinew_bake_default(void);

/// Creates an animation texture and measures its error. Free it with sinew_bake_destroy. Do this at load time: it
/// takes about as long as six mixer updates per frame.
///
/// Use `nodes` for meshes without a skin and other attachments. Draw such a mesh as if its vertices had one joint
/// of weight 1. That joint's number is the skin's joint count plus the node's index in `nodes`.
///
/// The error is how far a vertex can be from where sinew_clip_sample, the palette and sinew_skin_vertices put it,
/// with morph weights of 0 to 1. It is a bound at frames, keys and the quarters between them, and an estimate
/// elsewhere. A STEP key between frames has an error as large as its jump. How it is measured is at the end of
/// this header.
///
/// On failure `*bake` is NULL. `error` may be NULL. Uses about 7 KB of stack. Fails with:
///   - SINEW_ERROR_ARGUMENT for no asset, a skin or node that doesn't exist, or neither joints nor nodes.
///   - SINEW_ERROR_ARGUMENT for no clips, a clip that is additive or of another skeleton, or a frame rate that
///     isn't a positive number.
///   - SINEW_ERROR_ARGUMENT for vertices with joints that the skin doesn't have.
///   - SINEW_ERROR_LIMIT for more than 2^24 texels, or numbers that don't fit the format.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_bake_create(const sinew_bake_def *def, sinew_bake **bake, sinew_error *error);

/// Frees an animation texture, or nothing if NULL.
SINEW_API void sinew_bake_destroy(sinew_bake *bake);

// ---- Characters ----------------------------------------------------------------------------------------------

/// A clip that a character plays from the texture.
typedef struct sinew_bake_track {
    int32_t clip;    ///< index into the texture's clips
    sinew_loop loop; ///< at the ends, time is clamped, wrapped or reflected, any number of times
    float time;      ///< seconds; SINEW_LOOP_PING_PONG: up to two durations, the second one backward
    float speed;     ///< 1: the clip's speed; negative: backward; 0: paused
} sinew_bake_track;

/// What a character plays: a clip, and a second one to blend with it. Start from sinew_bake_play. It is plain
/// data, 40 bytes. Advance it with sinew_bake_advance or yourself. Clips must be indices into the texture's clips
/// (asserted). Times that aren't finite count as 0, and `blend` is clamped to 0 to 1.
typedef struct sinew_bake_state {
    sinew_bake_track tracks[2]; ///< the second is ignored if its clip is -1
    float blend;                ///< the second track's weight, 0 to 1
    /// Change of `blend` per second. When it rises to 1, the second track becomes the first; when it falls to 0,
    /// the second is removed.
    float blend_rate;
} sinew_bake_state;

/// Returns a state that plays a clip from its start, at speed 1, repeating. `clip` is an index into the texture's
/// clips.
SINEW_API sinew_bake_state sinew_bake_play(int32_t clip);

/// Starts a cross-fade to a clip, from the clip's start, over `duration` seconds. 0 or less is a cut. `clip` must
/// be 0 or more and `duration` finite (asserted). During another cross-fade, the new one starts from the track
/// with the larger weight and drops the other.
SINEW_API void sinew_bake_fade_to(sinew_bake_state *state, int32_t clip, float duration);

/// Advances a state by `dt` seconds. `dt` must be finite and 0 or more (asserted).
SINEW_API void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt);

/// Writes a state as the two texels for joints in a SINEW_GPU_RECORD_BAKED record. The first has, as numbers, the
/// first texels of the four frames to blend: two of the first clip, two of the second. The second has their
/// weights, which sum to 1. `out` has 8 floats. It can be mapped GPU memory: each float is written once, in
/// order, and never read back.
SINEW_API void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out);

/// Computes the same palette as the shader, [joint_count], into your memory. Use it for attachments, picking,
/// bounds and tests; the GPU is faster.
SINEW_API void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette);

/// Returns an upper bound for the distance, in metres, between any mesh point in a state's pose and in another
/// pose. `model` has that pose's model matrices, [node_count], like sinew_mixer_model_matrices. This is the
/// visible jump if you switch between them. Measured like the errors; INFINITY if a number isn't finite.
SINEW_API float sinew_bake_distance(const sinew_bake *bake, const sinew_bake_state *state,
                                    const sinew_affine *model);

// ---- Mixers --------------------------------------------------------------------------------------------------

/// Makes a state from a mixer. Takes the two baked clips with the largest weights in the base layer, with times,
/// speeds and weights. The rest of their cross-fade becomes linear. A blend space's clips count as clips. Paused
/// and finished clips get a speed of 0. Loop counts are lost.
///
/// Returns the fraction of the pose that the state leaves out, 0 to 1. At 0, one or two actions with baked clips
/// are the whole pose; vertices then agree within the errors. For two clips see docs/howto/animation-textures.md.
/// Upper layers count by weight, whatever their mask. An inertialization counts by its remaining time. Root
/// motion makes the result 1, because the texture has none. Returns -1 and leaves `state` unchanged if no clip
/// playing in the base layer is in the texture. Uses about 17 KB of stack.
SINEW_API float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state);

/// Makes a mixer play a state. All its actions stop, without held poses, and one or two start at the state's
/// times and cross-fade. The pose changes at the next sinew_mixer_update, even with a dt of 0. The mixer must
/// have the same skeleton (asserted). Returns false and leaves the mixer unchanged if the state has two clips and
/// max_actions is 1. Uses up to 150 KB of stack.
SINEW_API bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer);

// ---- How errors are measured ---------------------------------------------------------------------------------

// Vertices aren't tested one by one. Each joint has a box around the vertices that it moves. A skinned vertex's error
// is at most the largest error at the corners of its joints' boxes. That is a bound at the times that are tested: each
// frame, each key and the moment before it, and the quarters of these intervals. The largest error is
// multiplied by 17/16 for the times in between. Between two frames, the difference between a clip and a line is nearly a
// parabola. Its maximum is at most a sixteenth above the value at the nearest quarter. Rounding is included.

#ifdef __cplusplus
}
#endif
#endif
