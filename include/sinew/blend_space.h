/// A blend space: clips at points of a line or a plane, such as speeds or velocities. A parameter, a point of the
/// same line or plane, says how much of each clip there is.
///
/// A blend space is data: const after creation, it may be used from any number of threads at once, and any number
/// of characters share it. What moves belongs to the character, a sinew_blend_parameter. Functions that make and
/// destroy blend spaces may be called from any thread. Weights have the same bits on every machine.
#ifndef SINEW_BLEND_SPACE_H
#define SINEW_BLEND_SPACE_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most samples of a blend space of SINEW_BLEND_SPACE_LINE or SINEW_BLEND_SPACE_TRIANGLES.
#define SINEW_MAX_BLEND_SAMPLES 64

/// The most samples that have a weight at once, and the most of SINEW_BLEND_SPACE_DIRECTIONAL.
#define SINEW_MAX_BLEND_WEIGHTS 32

/// How the weights come from where the samples are. In all of them the weights are never negative and sum to 1,
/// change continuously with the parameter, and a sample has all the weight at its own point.
typedef enum sinew_blend_space_kind {
    /// One dimension, x: the two samples on either side of the parameter share it; beyond the last one it has all.
    /// The y of samples and parameters is not looked at.
    SINEW_BLEND_SPACE_LINE,
    /// Two dimensions: the three corners of the triangle that the parameter is in share it, so that their weighted
    /// mean is the parameter. The triangles are those of Delaunay; where several sets of them are (points of a
    /// grid), those with the diagonal from the corner that is nearest to (0, 0), so that left mirrors right. Beyond
    /// all triangles the parameter counts as the point of their outline that is nearest to it.
    SINEW_BLEND_SPACE_TRIANGLES,
    /// Two dimensions, for velocities: direction and length interpolate apart, so that between walking forward and
    /// walking to the right there is walking to the forward right, and no slower one. One sample stands still at
    /// (0, 0), and counts only within the others. Those share by gradient bands over angle and length, after R. S.
    /// Johansen, "Automated Semi-Procedural Animation for Character Locomotion", 2009: all round each sample the
    /// weight falls to 0 at the ones next to it. In a grid of directions and speeds four samples have a weight at
    /// once, or three; there is no bound but their number. A length beyond the longest counts as that.
    SINEW_BLEND_SPACE_DIRECTIONAL
} sinew_blend_space_kind;

/// A clip and where it is.
typedef struct sinew_blend_sample {
    const sinew_clip *clip; ///< of the space's skeleton; must outlive the space
    float x, y;             ///< its point, in units of the caller's; y only where the kind has two dimensions
    float speed;            ///< a factor of the clip's own pace, negative is backward; usually 1
} sinew_blend_sample;

/// What a blend space is made from. All of it is copied, but for skeleton and clips.
typedef struct sinew_blend_space_def {
    const sinew_skeleton *skeleton;    ///< must outlive the space
    sinew_blend_space_kind kind;       ///< default SINEW_BLEND_SPACE_LINE
    int32_t sample_count;              ///< at least 1
    const sinew_blend_sample *samples; ///< [sample_count], in any order, no two at one point
    /// [sync_name_count], none of them NULL: the names of the markers that begin the clips' steps, in the order in
    /// which they follow each other, such as "Foot_L" and "Foot_R". Clips in which they do are kept in step by
    /// them, and others go at about their own pace: their loops count as so many steps of one length. Where no clip has
    /// such markers, each loop is a step.
    const char *const *sync_names;
    int32_t sync_name_count;   ///< 0 (default) to 64
    float damping;             ///< seconds, 0 or more; default 0.1; see sinew_blend_parameter_follow
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_blend_space_default
} sinew_blend_space_def;

/// Three samples that share.
typedef struct sinew_blend_triangle {
    int32_t corners[3]; ///< indices of samples, counter-clockwise
} sinew_blend_triangle;

/// A blend space, to be read. They come from sinew_blend_space_create; one that was put together by hand is none.
typedef struct sinew_blend_space {
    const sinew_skeleton *skeleton;            ///< the one that it was made for
    sinew_blend_space_kind kind;               ///< as it was given
    int32_t sample_count;                      ///< how many samples
    const sinew_blend_sample *samples;         ///< [sample_count], as they were given
    int32_t triangle_count;                    ///< 0 but for SINEW_BLEND_SPACE_TRIANGLES
    const sinew_blend_triangle *triangles;     ///< [triangle_count]
    float damping;                             ///< as it was given
    size_t memory;                             ///< bytes that the space takes in all
    const struct sinew_blend_space_data *data; ///< private
} sinew_blend_space;

/// The defaults above; the skeleton is left NULL and must be given. Any thread.
SINEW_API sinew_blend_space_def sinew_blend_space_default(void);

/// Makes a blend space, to be freed with sinew_blend_space_destroy. Any thread. SINEW_ERROR_ARGUMENT, with the
/// sample in `error`, for a sample without a clip, with one of another skeleton, with a number that is not finite
/// or at the point of another; for triangles of which none has an area, since all samples lie on a line; for a
/// directional space without a sample at (0, 0), with none elsewhere, or with two that neither angle nor length
/// tells apart in double; for names or a damping outside the ranges above. SINEW_ERROR_LIMIT for too many samples;
/// SINEW_ERROR_OUT_OF_MEMORY. Then `*space` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_blend_space_create(const sinew_blend_space_def *def, sinew_blend_space **space,
                                                sinew_error *error);

/// Frees what sinew_blend_space_create made; skeleton and clips stay. NULL is allowed. No mixer may still use it.
SINEW_API void sinew_blend_space_destroy(sinew_blend_space *space);

/// One sample's share.
typedef struct sinew_blend_weight {
    int32_t sample; ///< index in the space's samples
    float weight;   ///< above 0, at most 1
} sinew_blend_weight;

/// Writes the samples that have a weight at (x, y), by their index, and returns how many: at least 1; at most 2 on
/// a line, 3 in triangles, and SINEW_MAX_BLEND_WEIGHTS. The weights sum to 1 within float rounding; a share that
/// would be lost in it, of less than 2^-24, is none. Both numbers must be finite (asserted). Any thread; takes no
/// memory.
SINEW_API int32_t sinew_blend_space_weights(const sinew_blend_space *space, float x, float y,
                                            sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

/// A character's parameter on its way: where it is and how fast it goes. Zero-initialised it is at rest at (0, 0);
/// it may be set to anything that a float can hold, at any time. Belongs to one thread at a time.
typedef struct sinew_blend_parameter {
    double x, y;   ///< where it is
    double vx, vy; ///< units a second
} sinew_blend_parameter;

/// Moves a parameter `dt` seconds (0 or more, finite: asserted) on towards (x, y), which must be finite (asserted),
/// and returns whether it moved: false once it is there, and what was made of it can be kept. A parameter follows
/// as a critically damped spring: `damping` is its half-life, the seconds after which one that was at rest has done
/// half of the way to a target that stands still; after twice that 0.85, after four times 0.99. It does not matter
/// into how many frames a time is divided. It never goes past the target: one that comes in too fast for that is
/// slowed down at once. When no more than 2^-20 of the samples' extent and of the target's coordinates is left, it
/// is there. A damping of 0 is at once. Along a line y stays as it is.
SINEW_API bool sinew_blend_parameter_follow(sinew_blend_parameter *parameter, const sinew_blend_space *space,
                                            float x, float y, float dt);

#ifdef __cplusplus
}
#endif
#endif
