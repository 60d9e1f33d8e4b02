/// Animation textures: every frame of every clip of a skin, as palettes, in one texture. A crowd that is drawn from it
/// costs the CPU five texels a character and no pose: which clip, when, and how much of which other. The price is
/// memory, a fixed frame rate, and an error that is measured when the texture is made.
///
/// A character moves between this tier and a mixer of its own (near the camera, say) without a visible jump:
/// sinew_bake_from_mixer and sinew_bake_to_mixer.
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "mixer.h"
#include "palette.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the texels are.
typedef enum sinew_bake_format {
    SINEW_BAKE_FLOAT, ///< RGBA32F, 16 bytes a texel
    SINEW_BAKE_HALF   ///< RGBA16F, 8 bytes: 11 bits, so that what is a metre from the origin is 0.5 mm off at most
} sinew_bake_format;

/// What an animation texture is made from. Nothing is copied; the asset must outlive it.
typedef struct sinew_bake_def {
    const sinew_asset *asset;
    int32_t skin;                   ///< index into the asset's skins
    const sinew_clip *const *clips; ///< [clip_count], of the asset's skeleton; NULL: all of the asset
    int32_t clip_count;             ///< 1 or more where clips are given
    float frame_rate;               ///< frames a second, more than 0; default 30
    sinew_bake_format format;       ///< default SINEW_BAKE_FLOAT
    sinew_allocator allocator;      ///< zero: the C library's heap
} sinew_bake_def;

/// A clip in the texture.
typedef struct sinew_bake_clip {
    const sinew_clip *clip; ///< the one that was baked
    int32_t first_frame;    ///< index into all frames of the texture
    int32_t frame_count;    ///< 2 or more; 1 for a clip of no duration. The last is the clip's end
    float frame_rate; ///< frames a second: the nearest to what was asked at which frames divide the clip evenly
    float error;      ///< metres: the most that a point of the asset's meshes is off, measured between frames
} sinew_bake_clip;

/// An animation texture, in the host's memory. Read-only, and safe to read from any thread.
typedef struct sinew_bake {
    const sinew_asset *asset;
    int32_t skin;
    int32_t joint_count;
    int32_t clip_count;
    const sinew_bake_clip *clips; ///< [clip_count]
    int32_t frame_count;          ///< of all clips
    sinew_bake_format format;
    int32_t width, height; ///< texels: SINEW_TEXTURE_WIDTH, and as many rows as there must be
    const void *texels;    ///< [height × width] × 4 floats or halves: 3 rows a joint, joint_count a frame
    size_t size;           ///< bytes of texels
    float error;           ///< metres, the largest of the clips'
} sinew_bake;

/// All clips of the first skin, 30 frames a second, floats, the C library's heap.
SINEW_API sinew_bake_def sinew_bake_default_def(void);

/// Makes an animation texture, to be freed with sinew_bake_destroy. It samples every frame, and looks at the middles
/// between them to measure the error: load time's work. SINEW_ERROR_ARGUMENT for a skin or clip that is not of the
/// asset, or a rate that is no positive number; SINEW_ERROR_LIMIT for more than 2^24 texels, with the numbers;
/// SINEW_ERROR_OUT_OF_MEMORY. `error` may be NULL.
SINEW_API sinew_result sinew_bake_create(const sinew_bake_def *def, sinew_bake **bake, sinew_error *error);

/// Frees it. NULL is allowed.
SINEW_API void sinew_bake_destroy(sinew_bake *bake);

/// What a character of this tier does: one clip, and of another as much as `blend` says. The program keeps it, and
/// moves it on with sinew_bake_advance or by hand: it is plain data.
typedef struct sinew_bake_state {
    int32_t clip, other;      ///< indices into the texture's clips; other may be -1: none
    float time, other_time;   ///< seconds, anything: wrapped or clamped by loop
    float speed, other_speed; ///< times as fast as recorded; may be negative
    bool once, other_once;    ///< clamped at its ends instead of wrapped
    float blend;              ///< how much of the other, 0 to 1
    float blend_rate; ///< what blend gains a second; where it reaches 1, the other becomes the clip; at 0, goes
} sinew_bake_state;

/// That clip from its start, at its recorded speed, over and over, alone.
SINEW_API sinew_bake_state sinew_bake_play(int32_t clip);

/// Moves a character on by `dt` seconds, 0 or more.
SINEW_API void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt);

/// Writes the two texels that stand in a record of SINEW_LAYOUT_BAKED in place of joints: the first texels of the frames
/// to blend (two of the clip, two of the other), and their shares, which sum to 1. `out` has 8 floats.
SINEW_API void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out);

/// The palette that the shader makes of those two texels: [joint_count], the caller's. For attachments, picking,
/// bounds and tests; slower than reading it on the GPU.
SINEW_API void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette);

/// The state that shows what a mixer shows: its two heaviest actions of the lowest layer, with the times, speeds and
/// shares that they have. Returns how much of the pose that leaves out, 0 to 1: 0 where no more than two actions of
/// baked clips and no other layer have a say, when the vertices agree within the texture's error (for two actions, see
/// docs/gpu.md); -1 where not one action's clip is in the texture, and then leaves `state` as it is.
SINEW_API float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state);

/// Makes a mixer of that skeleton play what the state says: all its actions stop, and one or two begin, in the midst of
/// their clips and of their cross-fade. False where the mixer has no room for two actions.
SINEW_API bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
