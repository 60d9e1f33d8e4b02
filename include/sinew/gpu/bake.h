// SPDX-License-Identifier: MIT
/// Animation textures store every frame of every clip as skinning palettes (skin.h) in one texture.
///
/// Characters that use an animation texture cost almost no CPU time. Instead of computing a pose, you write two
/// texels per frame, which select two clips, their times and their weights. The downside is that the texture takes
/// up memory, has a fixed frame rate, and is less exact. sinew_bake_create measures the error.
///
/// Call sinew_bake_create at load time and copy `texels` to the GPU. In OpenGL, sinew_gl_animations_create (gl.h)
/// does this for you. Keep a sinew_bake_state for each character. Each frame, advance the state and use
/// sinew_bake_write to write it into the character's record (gpu_record.h). The record needs the layout
/// SINEW_GPU_RECORD_BAKED. The shaders in shader.h read both the texture and the records.
///
/// Use sinew_bake_from_mixer and sinew_bake_to_mixer to switch a character between the texture and its own mixer
/// without a visible jump, for example when it gets close to the camera.
///
/// The texture doesn't include morph weights, events or root motion. You can still write your own morph weights
/// into the records.
///
/// Textures are read-only, so you can call all functions from any thread. Only one thread at a time may use a
/// state or a mixer. Per-frame functions don't allocate and can't fail. Their arguments are asserted. Lengths are
/// in meters, and times are in seconds.
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
    /// RGBA16F, 8 bytes per texel; errors are in the millimeter range on a character; values up to 65504.
    SINEW_BAKE_HALF
} sinew_bake_format;

/// Defines an animation texture. Lists are copied. The asset and the clips must outlive the texture. Start from
/// sinew_bake_default.
typedef struct sinew_bake_def {
    const sinew_asset *asset; ///< the asset with the skin and the meshes; required
    int32_t skin;             ///< index into the asset's skins, or -1 for none; default 0
    const int32_t *nodes;     ///< [node_count], nodes to bake in addition to the skin's joints
    int32_t node_count;       ///< default 0
    /// [clip_count], clips that use the asset's skeleton. Can't be additive. Defaults to NULL, which means all
    /// clips in the asset.
    const sinew_clip *const *clips;
    int32_t clip_count;        ///< 1 or more if `clips` is set; otherwise ignored
    float frame_rate;          ///< frames per second, above 0; default 30
    sinew_bake_format format;  ///< default SINEW_BAKE_FLOAT
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bake_default
} sinew_bake_def;

/// A clip in a texture.
typedef struct sinew_bake_clip {
    const sinew_clip *clip; ///< the baked clip
    int32_t first_frame;    ///< index into the texture's frames
    int32_t frame_count;    ///< 2 or more, or 1 if the clip's duration is 0; the last frame is the end of the clip
    float frame_rate;       ///< frames per second; the definition's frame rate, rounded to divide the clip evenly
    float error; ///< error of the asset's meshes while only this clip plays, in meters; see sinew_bake_create
} sinew_bake_clip;

/// An animation texture in host memory. Always create it with sinew_bake_create. It owns its arrays.
typedef struct sinew_bake {
    const sinew_asset *asset;     ///< the asset from the definition
    int32_t skin;                 ///< index into the asset's skins, or -1
    int32_t joint_count;          ///< matrices per frame: the skin's joints, then the nodes
    int32_t node_count;           ///< length of `nodes`
    const int32_t *nodes;         ///< [node_count], nodes with baked model matrices
    int32_t clip_count;           ///< length of `clips`
    const sinew_bake_clip *clips; ///< [clip_count], in the same order as in the definition
    int32_t frame_count;          ///< total number of frames
    sinew_bake_format format;     ///< texel format
    int32_t width, height;        ///< in texels; width is SINEW_TEXTURE_WIDTH (shader.h)
    /// [height × width] × 4 floats or halves, row by row. A matrix takes 3 texels, one for each row of a
    /// sinew_affine. A frame has joint_count matrices, and frames are contiguous.
    const void *texels;
    size_t size; ///< size of `texels` in bytes
    float error; ///< the largest error of any clip, in meters
} sinew_bake;

/// Returns the defaults above. You have to set `asset`.
SINEW_API sinew_bake_def sinew_bake_default(void);

/// Creates an animation texture and measures its error. Free it with sinew_bake_destroy. Do this at load time,
/// because each frame in the texture takes about as long as six mixer updates.
///
/// Use `nodes` for meshes without a skin and for other attachments. To draw them, treat their vertices as if they
/// had a single joint with a weight of 1. The index of this joint is the skin's joint count plus the node's index
/// in `nodes`.
///
/// The error is how far a vertex can be from its exact position, for morph weights from 0 to 1. The exact position
/// is the result of sinew_clip_sample, sinew_skin_palette and sinew_skin_vertices. The error is an upper bound at
/// frames, keys and the quarter points between them. Elsewhere, it's an estimate. A STEP key between two frames
/// causes an error as large as its jump. See the end of this header for how the error is measured.
///
/// `error` may be NULL. Uses about 7 KB of stack. On failure, `*bake` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: there's no asset, the skin or a node doesn't exist, or there are neither joints nor
///     nodes.
///   - SINEW_ERROR_ARGUMENT: there are no clips, a clip is additive or has a different skeleton, or the frame rate
///     isn't a positive number.
///   - SINEW_ERROR_ARGUMENT: vertices use joints that the skin doesn't have.
///   - SINEW_ERROR_LIMIT: there are more than 2^24 texels, or numbers don't fit the format.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_bake_create(const sinew_bake_def *def, sinew_bake **bake, sinew_error *error);

/// Frees an animation texture. NULL is allowed.
SINEW_API void sinew_bake_destroy(sinew_bake *bake);

// ---- Characters ----------------------------------------------------------------------------------------------

/// A clip that a character plays from the texture.
typedef struct sinew_bake_track {
    int32_t clip;    ///< index into the texture's clips
    sinew_loop loop; ///< at the ends, the time is clamped, wrapped or reflected, any number of times
    /// In seconds. For SINEW_LOOP_PING_PONG, this is up to twice the duration, and the second half plays backward.
    float time;
    float speed; ///< 1 is normal speed, negative plays backward, 0 is paused
} sinew_bake_track;

/// What a character plays: a clip, and optionally a second clip to blend with it. Start from sinew_bake_play. It's
/// 40 bytes of plain data. You can advance it with sinew_bake_advance or do it yourself. Clips must be indices
/// into the texture's clips (asserted). Non-finite times are treated as 0, and `blend` is clamped to [0, 1].
typedef struct sinew_bake_state {
    sinew_bake_track tracks[2]; ///< the second is ignored if its clip is -1
    float blend;                ///< weight of the second track, from 0 to 1
    /// How much `blend` changes per second. When `blend` reaches 1, the second track becomes the first. When it
    /// reaches 0, the second track is removed.
    float blend_rate;
} sinew_bake_state;

/// Returns a state that loops a clip from its start at normal speed. `clip` is an index into the texture's clips.
SINEW_API sinew_bake_state sinew_bake_play(int32_t clip);

/// Starts a cross-fade to a clip over `duration` seconds. The clip plays from its start. A duration of 0 or less
/// cuts immediately. `clip` must be 0 or more, and `duration` must be finite (both asserted). If a cross-fade is
/// already running, the new one starts from the track with the larger weight and drops the other track.
SINEW_API void sinew_bake_fade_to(sinew_bake_state *state, int32_t clip, float duration);

/// Advances a state by `dt` seconds. `dt` must be finite and 0 or more (asserted).
SINEW_API void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt);

/// Writes a state as the two joint texels in a SINEW_GPU_RECORD_BAKED record. The shader blends four frames, two
/// for each clip. The first texel has the index of each frame's first texel. The second has their weights, which
/// sum to 1. `out` has 8 floats. It can be mapped GPU memory, because each float is written once, in order, and
/// never read back.
SINEW_API void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out);

/// Computes the same palette as the shader on the CPU. `palette` is [joint_count]. Use this for attachments,
/// picking, bounds and tests. To draw, use the shader, which is faster.
SINEW_API void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette);

/// Returns an upper bound for how far any point on a mesh is from its position in a different pose, in meters.
/// This is the jump you'd see when you switch between the state and that pose. `model` [node_count of the
/// skeleton] contains that pose's model matrices, for example from sinew_mixer_model_matrices. The bound is
/// measured like the errors. Returns INFINITY if a number isn't finite.
SINEW_API float sinew_bake_distance(const sinew_bake *bake, const sinew_bake_state *state,
                                    const sinew_affine *model);

// ---- Mixers --------------------------------------------------------------------------------------------------

/// Makes a state from a mixer. It takes the two baked clips with the largest weights in the base layer, including
/// their times, speeds and weights. Clips in a blend space are included. If the clips are cross-fading, the rest
/// of the fade becomes linear. Paused and finished clips get a speed of 0. Loop counts are lost.
///
/// Returns the fraction of the pose that the state leaves out, from 0 to 1. If it's 0, one or two actions with
/// baked clips make up the whole pose, and vertices match to within the measured errors. For two clips, see
/// docs/howto/animation-textures.md. The weights of upper layers are included, regardless of their masks. So is an
/// inertialization, in proportion to its remaining time. If the mixer extracts root motion, the result is always
/// 1, because the texture doesn't have any. Returns -1 and doesn't change `state` if none of the base layer's
/// clips are in the texture. Uses about 17 KB of stack.
SINEW_API float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state);

/// Makes a mixer play a state. This stops all of its actions without leaving held poses. It then starts one or two
/// actions at the state's times and cross-fades them. The pose changes at the next sinew_mixer_update, even if
/// `dt` is 0. The mixer must have the same skeleton (asserted). Returns false and doesn't change the mixer if the
/// state has two clips and max_actions is 1. Uses up to 150 KB of stack.
SINEW_API bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer);

// ---- How errors are measured ---------------------------------------------------------------------------------

// Vertices aren't tested one by one. Instead, each joint has a box around the vertices that it moves. A skinned
// vertex's error can't be larger than the largest error at the corners of its joints' boxes. This is an upper
// bound at all tested times: each frame, each key, the moment just before each key, and the quarter points in
// between. For the times in between, the largest error is multiplied by 17/16. Between two frames, a clip's
// deviation from a straight line is nearly a parabola, so its peak is at most a sixteenth above the value at the
// nearest quarter point. Rounding is included.

#ifdef __cplusplus
}
#endif
#endif
