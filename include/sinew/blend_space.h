// SPDX-License-Identifier: MIT
/// Blend spaces: clips (clip.h) at points of a line or a plane, such as speeds or velocities. A *parameter*, a point
/// of the same line or plane, determines the weight of each clip. A *sample* is a clip with its point. Coordinates
/// are in units of the caller's choice, such as metres per second.
///
/// A mixer plays a blend space as one action, with sinew_blend_space_source (mixer.h); a program needs
/// sinew_blend_space_weights and sinew_blend_parameter only if it blends poses itself.
///
/// A blend space is const after creation: any number of threads may use it at once, and any number of characters
/// share it. Each character has its own parameter, a sinew_blend_parameter. Functions that create and destroy blend
/// spaces may be called from any thread. Weights have the same bits on every machine.
#ifndef SINEW_BLEND_SPACE_H
#define SINEW_BLEND_SPACE_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of samples of SINEW_BLEND_SPACE_LINE and SINEW_BLEND_SPACE_TRIANGLES.
#define SINEW_MAX_BLEND_SAMPLES 64

/// The largest number of samples with a weight at once, and of samples of SINEW_BLEND_SPACE_DIRECTIONAL.
#define SINEW_MAX_BLEND_WEIGHTS 32

/// How weights are computed from the positions of the samples. With every kind, weights are never negative, sum to
/// 1 and change continuously with the parameter; at a sample's point its weight is 1.
typedef enum sinew_blend_space_kind {
    /// One dimension, x: linear interpolation of the two samples on either side of the parameter; beyond the
    /// outermost sample, that sample alone. The y of samples and parameters is ignored.
    SINEW_BLEND_SPACE_LINE,
    /// Two dimensions: barycentric weights of the triangle that contains the parameter. The triangles are a
    /// Delaunay triangulation; if there are several (points of a grid), the diagonals start at the corner nearest
    /// to (0, 0), so that left mirrors right. Outside all triangles the parameter is moved to the nearest point of
    /// their outline.
    SINEW_BLEND_SPACE_TRIANGLES,
    /// Two dimensions, for velocities: direction and length are interpolated separately, so that halfway between
    /// walking forward and walking right is walking diagonally, at the same speed. One sample must be at (0, 0),
    /// standing; it has a weight only inside the others. Their weights are gradient bands over angle and length,
    /// after R. S. Johansen, "Automated Semi-Procedural Animation for Character Locomotion", 2009: around each
    /// sample the weight falls to 0 at its neighbours. In a grid of directions and speeds three or four samples
    /// have a weight at once; the only bound is their number. A length beyond the longest sample is clamped to it.
    SINEW_BLEND_SPACE_DIRECTIONAL
} sinew_blend_space_kind;

/// A clip and its position in the blend space.
typedef struct sinew_blend_sample {
    /// Of the space's skeleton; must outlive the space. For a mixer to play the space, either all clips are additive
    /// or none.
    const sinew_clip *clip;
    float x, y;  ///< position, in the caller's units; y only for kinds with two dimensions
    float speed; ///< a factor of the clip's playback rate, not 0; negative is backward; usually 1
} sinew_blend_sample;

/// What a blend space is made from. Everything is copied except skeleton and clips. Start from
/// sinew_blend_space_default.
typedef struct sinew_blend_space_def {
    const sinew_skeleton *skeleton;    ///< must be set, and outlive the space
    sinew_blend_space_kind kind;       ///< default SINEW_BLEND_SPACE_LINE
    int32_t sample_count;              ///< 1 to SINEW_MAX_BLEND_SAMPLES, or SINEW_MAX_BLEND_WEIGHTS if directional
    const sinew_blend_sample *samples; ///< [sample_count], in any order, no two at the same point
    /// [sync_name_count], none of them NULL: the names of the sync markers in their order in a cycle, such as "Foot_L"
    /// and "Foot_R". A *stride* is the part of a cycle from one sync marker to the next, and clips with the markers are
    /// at the same part of the same stride. The loop of a clip without them counts as a whole number of equal strides:
    /// as many as keep its playback rate about the same. If no clip has the markers, each loop is one stride. Default
    /// NULL.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 (default) to 64
    float damping;           ///< seconds, 0 or more; default 0.1; see sinew_blend_parameter_follow
    /// The positions are ground velocities, and sinew_blend_space_stride computes the playback rate at which the feet
    /// move at the speed of the parameter, within the two limits below. Default false.
    bool match_speed;
    float min_rate;            ///< above 0, at most 1; default 0.8
    float max_rate;            ///< 1 or more; default 1.25
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_blend_space_default
} sinew_blend_space_def;

/// A triangle of three samples.
typedef struct sinew_blend_triangle {
    int32_t corners[3]; ///< indices of samples, counter-clockwise
} sinew_blend_triangle;

/// A blend space, read-only. Only those made by sinew_blend_space_create are valid. The arrays belong to it.
typedef struct sinew_blend_space {
    const sinew_skeleton *skeleton;            ///< the skeleton of all clips
    sinew_blend_space_kind kind;               ///< as given
    int32_t sample_count;                      ///< number of samples
    const sinew_blend_sample *samples;         ///< [sample_count], as given
    int32_t triangle_count;                    ///< 0 except for SINEW_BLEND_SPACE_TRIANGLES
    const sinew_blend_triangle *triangles;     ///< [triangle_count]
    float damping;                             ///< as given
    bool match_speed;                          ///< as given
    float min_rate, max_rate;                  ///< as given
    size_t memory;                             ///< total bytes of the blend space
    const struct sinew_blend_space_data *data; ///< private
} sinew_blend_space;

/// Returns the defaults above; `skeleton` and `samples` are NULL and must be set. Any thread.
SINEW_API sinew_blend_space_def sinew_blend_space_default(void);

/// Creates a blend space; free it with sinew_blend_space_destroy. Any thread. SINEW_ERROR_ARGUMENT, with the sample
/// in `error`, for a sample without a clip, with a clip of another skeleton, with a number that is not finite, with a
/// speed of 0, or at the point of another sample; for SINEW_BLEND_SPACE_TRIANGLES if all samples are on one line; for
/// SINEW_BLEND_SPACE_DIRECTIONAL without a sample at (0, 0), without any other sample, or with two samples whose
/// angle and length are equal in double; for names, a damping or rates outside the ranges above. SINEW_ERROR_LIMIT
/// for too many samples; SINEW_ERROR_OUT_OF_MEMORY. On failure `*space` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_blend_space_create(const sinew_blend_space_def *def, sinew_blend_space **space,
                                                sinew_error *error);

/// Frees a blend space; skeleton and clips are not freed. NULL is allowed. No mixer may still use it. Any thread.
SINEW_API void sinew_blend_space_destroy(sinew_blend_space *space);

/// The weight of one sample.
typedef struct sinew_blend_weight {
    int32_t sample; ///< index in the space's samples
    float weight;   ///< above 0, at most 1
} sinew_blend_weight;

/// Computes the weights at (x, y): writes the samples with a weight, sorted by index, and returns their number: at
/// least 1; at most 2 on a line, 3 in triangles, and SINEW_MAX_BLEND_WEIGHTS if directional. The weights sum to 1
/// within float rounding; weights below 2^-24 are omitted. Both numbers must be finite (asserted; y is ignored on a
/// line). Allocates nothing. Any thread.
SINEW_API int32_t sinew_blend_space_weights(const sinew_blend_space *space, float x, float y,
                                            sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

/// A character's parameter: its position and velocity. Zero-initialized it is at (0, 0) without velocity. It may be
/// set to any values in the range of a float, at any time. Only one thread at a time may use it.
typedef struct sinew_blend_parameter {
    double x, y;   ///< position
    double vx, vy; ///< velocity, units per second
} sinew_blend_parameter;

/// Moves a parameter towards the target (x, y), which must be finite (asserted), by `dt` seconds (0 or more,
/// finite: asserted). Returns whether it moved; once it has arrived it returns false, and weights computed from it
/// stay valid. The parameter follows as a critically damped spring. `damping` is its half-life: starting at rest,
/// it covers 0.5 of the distance to a fixed target in that time, 0.85 in twice that and 0.99 in four times that.
/// The result does not depend on the division of time into frames. The parameter never overshoots: a velocity that
/// would is reduced at once. It has arrived when the distance left is at most 2^-20 of the samples' extent and of
/// the target's coordinates. A damping of 0 moves it at once. For SINEW_BLEND_SPACE_LINE y does not change.
SINEW_API bool sinew_blend_parameter_follow(sinew_blend_parameter *parameter, const sinew_blend_space *space,
                                            float x, float y, float dt);

// ---- Ground speeds -------------------------------------------------------------------------------------------

/// How the feet of a blend keep up with the speed of the parameter: length of (x, y) = speed × rate × length.
typedef struct sinew_blend_stride {
    float speed; ///< the ground speed of the blend at playback rate 1
    /// Factor of the playback rate, min_rate to max_rate; 1 without match_speed, or if the blend stands.
    float rate;
    float length; ///< remaining factor of the strides' length, for the legs' IK; 1 if the blend stands
} sinew_blend_stride;

/// Computes the stride at (x, y). The samples' positions must be ground velocities. Strides and step rates are blended
/// separately, so between two samples the speed is not their blended position: halfway between a walk of 1.15 m/s
/// and a run of 3.1 m/s it is 2.0 m/s. Beyond the fastest sample the speed is that of the sample. The speed assumes
/// that the stride of a blend is the weighted mean of the strides. Both numbers must be finite (asserted). Allocates
/// nothing. Any thread.
SINEW_API sinew_blend_stride sinew_blend_space_stride(const sinew_blend_space *space, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
