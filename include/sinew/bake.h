/// Animation textures: every frame of every clip of a skin, as palettes, in one texture. A crowd that is drawn from it
/// costs the CPU two texels a character and no pose: which clip, when, and how much of which other. The price is
/// memory, a fixed frame rate, and an error that is measured when the texture is made.
///
/// A character moves between this tier and a mixer of its own (near the camera, say) without a visible jump:
/// sinew_bake_from_mixer and sinew_bake_to_mixer.
///
/// Morph weights are not baked: those of a record are the program's own. Nor are events told, or root motion taken out.
///
/// A texture is read-only once it is made: all functions may be called from any thread, as long as a state or a mixer is
/// used by one at a time. Those that run in a frame take no memory and cannot fail. Lengths are metres, times seconds.
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "mixer.h"
#include "gpu_record.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Textures ------------------------------------------------------------------------------------------------

/// What the texels are.
typedef enum sinew_bake_format {
    SINEW_BAKE_FLOAT, ///< RGBA32F, 16 bytes a texel
    SINEW_BAKE_HALF   ///< RGBA16F, 8 bytes: 11 bits a number, millimetres on a character; up to 65504
} sinew_bake_format;

/// What an animation texture is made from. Lists are copied; the asset and the clips must outlive it.
typedef struct sinew_bake_def {
    const sinew_asset *asset; ///< whose skin and meshes it is for
    int32_t skin;             ///< index into the asset's skins; -1: none; default 0
    const int32_t *nodes;     ///< [node_count], nodes of the skeleton that are baked besides the skin's joints
    int32_t node_count;       ///< default 0
    const sinew_clip *const *clips; ///< [clip_count], of the asset's skeleton; NULL (default): all of the asset
    int32_t clip_count;             ///< 1 or more where clips are given
    float frame_rate;               ///< frames a second, more than 0; default 30
    sinew_bake_format format;       ///< default SINEW_BAKE_FLOAT
    sinew_allocator allocator;      ///< zero: the C library's heap
    uint32_t cookie;                ///< private: set by sinew_bake_default
} sinew_bake_def;

/// A clip in the texture.
typedef struct sinew_bake_clip {
    const sinew_clip *clip; ///< the one that was baked
    int32_t first_frame;    ///< index into all frames of the texture
    int32_t frame_count;    ///< 2 or more; 1 for a clip of no duration. The last is the clip's end
    float frame_rate; ///< frames a second: the nearest to what was asked at which frames divide the clip evenly
    float error;      ///< metres: the most that a point of the asset's meshes is off while this clip plays alone
} sinew_bake_clip;

/// An animation texture, in the host's memory. Those that were put together by hand are none.
typedef struct sinew_bake {
    const sinew_asset *asset;     ///< the one that it was made from
    int32_t skin;                 ///< index into the asset's skins, or -1
    int32_t joint_count;          ///< matrices a frame: the skin's joints, and behind them the nodes
    int32_t node_count;           ///< of nodes; 0 or more
    const int32_t *nodes;         ///< [node_count], whose model matrices those are
    int32_t clip_count;           ///< how many clips
    const sinew_bake_clip *clips; ///< [clip_count], in the order in which they were given
    int32_t frame_count;          ///< of all clips
    sinew_bake_format format;     ///< what the texels are
    int32_t width, height;        ///< texels: SINEW_TEXTURE_WIDTH, and as many rows as it takes
    const void *texels;           ///< [height × width] × 4 floats or halves: 3 rows a joint, joint_count a frame
    size_t size;                  ///< bytes of texels
    float error;                  ///< metres, the largest of the clips'
} sinew_bake;

/// All clips of the first skin, 30 frames a second, floats, the C library's heap. The asset must be given.
SINEW_API sinew_bake_def sinew_bake_default(void);

/// Makes an animation texture, to be freed with sinew_bake_destroy. It samples every frame, and looks between them to
/// measure the errors: load time's work, about as much as six mixer updates a frame.
///
/// Nodes are for meshes without a skin, and for what else hangs on them. Such a mesh is drawn as if its vertices had one
/// joint, of weight 1: the number of the skin's joints, and the place of its node in the list.
///
/// An error says how far a vertex that the texture moves may be from where sinew_clip_sample, the palette and
/// sinew_skin_vertices have it, at any time, with morph weights of 0 to 1, rounding included. No vertex is looked at by
/// itself: around those that a joint moves there is a box, and a skinned vertex is off by no more than the corners of
/// the boxes of its joints. The difference is taken at each frame, at each key and right before it, and at the quarters
/// in between, and made a sixteenth larger, by which the crest of a parabola may pass the nearest quarter. A STEP key
/// between frames is as far off as it jumps.
///
/// SINEW_ERROR_ARGUMENT, saying which, for a skin or a node that there is not, for neither joints nor nodes, for no clips,
/// for one that is of another skeleton or additive, for a rate that is no positive number, and for vertices whose joints
/// the skin has not; SINEW_ERROR_LIMIT for more than 2^24 texels, beyond which no index is exact in a float, and for numbers that the
/// format does not hold; SINEW_ERROR_OUT_OF_MEMORY. Then `*bake` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_bake_create(const sinew_bake_def *def, sinew_bake **bake, sinew_error *error);

/// Frees it. NULL is allowed.
SINEW_API void sinew_bake_destroy(sinew_bake *bake);

// ---- Characters ----------------------------------------------------------------------------------------------

/// One clip that a character of this tier plays.
typedef struct sinew_bake_track {
    int32_t clip;    ///< index into the texture's clips
    sinew_loop loop; ///< what becomes of the time at the ends: clamped, wrapped or reflected, for ever
    float time;      ///< seconds; with SINEW_LOOP_PING_PONG the second half of two durations is the way back
    float speed;     ///< times as fast as recorded; may be negative; 0 stands still
} sinew_bake_track;

/// What a character of this tier does: one clip, and of another as much as `blend` says. The program keeps it, and moves
/// it on with sinew_bake_advance or by hand: it is plain data, 40 bytes. Clips that the texture has not are asserted;
/// times that are not finite count as 0, and a blend outside 0 to 1 as the nearer of the two.
typedef struct sinew_bake_state {
    sinew_bake_track tracks[2]; ///< the second is none where its clip is -1
    float blend;                ///< how much of the second, 0 to 1
    float blend_rate;           ///< what it gains a second: at 1 the second becomes the first; back at 0, it goes
} sinew_bake_state;

/// That clip from its start, at its recorded speed, over and over, alone.
SINEW_API sinew_bake_state sinew_bake_play(int32_t clip);

/// Begins a cross-fade to a clip from its start, over `duration` seconds; 0 is a cut. In the midst of another one, the
/// clip that shows more of itself is faded from, and the other goes at once.
SINEW_API void sinew_bake_fade_to(sinew_bake_state *state, int32_t clip, float duration);

/// Moves a character on by `dt` seconds, 0 or more and finite (asserted).
SINEW_API void sinew_bake_advance(const sinew_bake *bake, sinew_bake_state *state, float dt);

/// Writes the two texels that stand in a record of SINEW_GPU_RECORD_BAKED in place of joints: the first texels of the frames
/// to blend (two of the first clip, two of the second), as numbers, and their shares, which sum to 1. `out` has 8
/// floats; it may be mapped GPU memory: each is written once, in order, and none is read back.
SINEW_API void sinew_bake_write(const sinew_bake *bake, const sinew_bake_state *state, float *out);

/// The palette that the shader makes of those two texels: [joint_count], the caller's. For attachments, picking,
/// bounds and tests; slower than reading it on the GPU.
SINEW_API void sinew_bake_palette(const sinew_bake *bake, const sinew_bake_state *state, sinew_affine *palette);

/// How far a point of the asset's meshes is, at most, between what a state shows and what model matrices show, as
/// sinew_mixer_model_matrices has them: by how much a hand-over to or from that character can be seen. Found as the errors
/// are; INFINITY where something is not finite.
SINEW_API float sinew_bake_distance(const sinew_bake *bake, const sinew_bake_state *state,
                                    const sinew_affine *model);

// ---- Hand-over -----------------------------------------------------------------------------------------------

/// The state that shows what a mixer shows: of all baked clips in its base the two that weigh most, with the times,
/// speeds and shares that they have, and the rest of their cross-fade in one straight line. Clips of a blend space count
/// as such; what is paused or has finished has a speed of 0; loops are no longer counted.
///
/// Returns how much of the pose that leaves out, 0 to 1: 0 where one or two actions of baked clips have all the say, when
/// vertices agree within the errors (of two clips, docs/howto/animation-textures.md says more); a layer above counts by
/// its weight, whatever its mask, and an inertialization by the time that it has left. Root motion, which the texture
/// does not know, makes it 1. -1 where not one clip that plays in the base is in the texture; `state` is left as it is.
SINEW_API float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state);

/// Makes a mixer of that skeleton (asserted) play what the state says: all its actions stop, without their poses being
/// held, and one or two begin, in the midst of their clips and of their cross-fade. It shows with the next
/// sinew_mixer_update, also of 0 seconds. False where the mixer has no room for two actions; it is left alone then.
SINEW_API bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
