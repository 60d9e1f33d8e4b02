// SPDX-License-Identifier: MIT
/// Blend spaces: blend clips (clip.h) by one or two parameters, such as speed or velocity.
///
///     const sinew_blend_sample samples[] = {{idle, 0, 0, 1}, {walk, 1.5f, 0, 1}, {run, 4, 0, 1}};
///     sinew_blend_space_def def = sinew_blend_space_default();
///     def.skeleton = skeleton;
///     def.samples = samples;
///     def.sample_count = 3;
///     sinew_result result = sinew_blend_space_create(&def, &space, &error);
///
/// A *sample* is a clip at a point on a line or plane. A *parameter* is a point in the same space, and determines
/// each sample's weight. Choose your own units, such as metres per second.
///
/// A mixer plays a blend space as one action: see sinew_blend_space_source (mixer.h). You need
/// sinew_blend_space_weights and sinew_blend_parameter only if you blend poses yourself.
///
/// Blend spaces are const after creation. Any number of threads and characters may share one. Each character has
/// its own sinew_blend_parameter. Any thread may create and destroy blend spaces. Weights have the same bits on
/// every machine.
#ifndef SINEW_BLEND_SPACE_H
#define SINEW_BLEND_SPACE_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most samples of SINEW_BLEND_SPACE_LINE and SINEW_BLEND_SPACE_TRIANGLES.
#define SINEW_MAX_BLEND_SAMPLES 64

/// The most samples with a weight at once, and the most samples of SINEW_BLEND_SPACE_DIRECTIONAL.
#define SINEW_MAX_BLEND_WEIGHTS 32

/// How weights are computed. They're never negative, sum to 1 and change continuously. At a sample's point, its
/// weight is 1.
typedef enum sinew_blend_space_kind {
    /// One dimension, x: interpolates between the two neighbouring samples. Beyond the ends, the last sample plays
    /// alone. y is ignored.
    SINEW_BLEND_SPACE_LINE,
    /// Two dimensions: barycentric weights in the triangle around the parameter, from a Delaunay triangulation. On
    /// grids, diagonals start at the corner nearest to (0, 0), so left mirrors right. Outside, the parameter moves
    /// to the nearest point of the outline.
    SINEW_BLEND_SPACE_TRIANGLES,
    /// Two dimensions, for velocities. Direction and length are interpolated separately: halfway between walking
    /// forward and walking right is walking diagonally, at the same speed. One sample must stand at (0, 0); it has
    /// a weight only inside the others. A length beyond the longest sample is clamped to it.
    ///
    /// Weights are gradient bands over angle and length: R. S. Johansen, "Automated Semi-Procedural Animation for
    /// Character Locomotion", 2009. Around a sample, its weight falls to 0 at its neighbours. A grid of directions
    /// and speeds has three or four weights at once; other layouts can have more.
    SINEW_BLEND_SPACE_DIRECTIONAL
} sinew_blend_space_kind;

/// A clip at a point of the blend space.
typedef struct sinew_blend_sample {
    /// A clip of the space's skeleton; must outlive the space. To play the space in a mixer, make all clips
    /// additive or none.
    const sinew_clip *clip;
    float x, y;  ///< position, in your units; SINEW_BLEND_SPACE_LINE ignores y
    float speed; ///< playback rate, usually 1; not 0; negative plays backward
} sinew_blend_sample;

/// Defines a blend space. Everything is copied except the skeleton and clips. Start from sinew_blend_space_default.
typedef struct sinew_blend_space_def {
    const sinew_skeleton *skeleton;    ///< must be set, and outlive the space
    sinew_blend_space_kind kind;       ///< default SINEW_BLEND_SPACE_LINE
    int32_t sample_count;              ///< 1 to SINEW_MAX_BLEND_SAMPLES, or SINEW_MAX_BLEND_WEIGHTS if directional
    const sinew_blend_sample *samples; ///< [sample_count], in any order, no two at the same point
    /// [sync_name_count], not NULL: names of the sync markers, in their order in a cycle, such as "Foot_L" and
    /// "Foot_R". Default NULL. A *stride* goes from one sync marker to the next. Clips with the markers stay at the
    /// same part of the same stride. A clip without them has a whole number of equal strides per loop, chosen to
    /// keep its playback rate about the same. If no clip has the markers, each loop is one stride.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 (default) to 64
    float damping;           ///< seconds, 0 or more; default 0.1; see sinew_blend_parameter_follow
    /// Adjusts the playback rate so the feet match the parameter's speed, within the limits below. Positions must
    /// be ground velocities. See sinew_blend_space_stride. Default false.
    bool match_speed;
    float min_rate;            ///< above 0, at most 1; default 0.8
    float max_rate;            ///< 1 or more; default 1.25
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_blend_space_default
} sinew_blend_space_def;

/// A triangle between three samples.
typedef struct sinew_blend_triangle {
    int32_t corners[3]; ///< sample indices, counter-clockwise
} sinew_blend_triangle;

/// A blend space, read-only. It owns its arrays. Get one from sinew_blend_space_create.
typedef struct sinew_blend_space {
    const sinew_skeleton *skeleton;            ///< all clips' skeleton
    sinew_blend_space_kind kind;               ///< as given
    int32_t sample_count;                      ///< number of samples
    const sinew_blend_sample *samples;         ///< [sample_count], as given
    int32_t triangle_count;                    ///< 0 except for SINEW_BLEND_SPACE_TRIANGLES
    const sinew_blend_triangle *triangles;     ///< [triangle_count]
    float damping;                             ///< as given
    bool match_speed;                          ///< as given
    float min_rate, max_rate;                  ///< as given
    size_t memory;                             ///< total bytes
    const struct sinew_blend_space_data *data; ///< private
} sinew_blend_space;

/// Returns the default definition. Set `skeleton` and `samples`. Any thread.
SINEW_API sinew_blend_space_def sinew_blend_space_default(void);

/// Creates a blend space. Free it with sinew_blend_space_destroy. `error` may be NULL. Any thread. On failure
/// `*space` is NULL:
///   - SINEW_ERROR_ARGUMENT: a sample without a clip, with another skeleton's clip, a number that isn't finite, a speed
///     of 0, or another sample's point; `error` tells which. Also for names, damping or rates out of range.
///   - SINEW_ERROR_ARGUMENT for SINEW_BLEND_SPACE_TRIANGLES: all samples are on one line.
///   - SINEW_ERROR_ARGUMENT for SINEW_BLEND_SPACE_DIRECTIONAL: no sample at (0, 0), no other sample, or two samples too
///     near to differ in angle or length.
///   - SINEW_ERROR_LIMIT: too many samples.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_blend_space_create(const sinew_blend_space_def *def, sinew_blend_space **space,
                                                sinew_error *error);

/// Frees a blend space, but not its skeleton and clips. NULL is allowed. No mixer may still use it. Any thread.
SINEW_API void sinew_blend_space_destroy(sinew_blend_space *space);

/// A sample's weight.
typedef struct sinew_blend_weight {
    int32_t sample; ///< index into the space's samples
    float weight;   ///< above 0, at most 1
} sinew_blend_weight;

/// Computes the weights at (x, y). Writes the samples that have a weight, sorted by index, and returns their
/// number: at least 1; at most 2 on a line, 3 in triangles, SINEW_MAX_BLEND_WEIGHTS if directional. Weights sum to
/// 1 within float rounding; those below 2^-24 are dropped. x and y must be finite (asserted; y is ignored on a
/// line). Allocates nothing. Any thread.
SINEW_API int32_t sinew_blend_space_weights(const sinew_blend_space *space, float x, float y,
                                            sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

/// A character's parameter, with its velocity. Zeroed, it rests at (0, 0). You may set it at any time, to any
/// values in a float's range. Only one thread at a time may use it.
typedef struct sinew_blend_parameter {
    double x, y;   ///< position
    double vx, vy; ///< velocity, units per second
} sinew_blend_parameter;

/// Moves a parameter towards the target (x, y) for `dt` seconds. Returns whether it moved. Once it arrives it
/// returns false, and weights computed from it stay valid. x and y must be finite, and dt finite and at least 0
/// (asserted).
///
/// The parameter follows as a critically damped spring, independent of the frame rate, and never overshoots.
/// `damping` of the blend space is the half-life: from rest, it covers 0.5 of the way to a fixed target in that
/// time, 0.85 in twice, and 0.99 in four times. With a damping of 0 it jumps. It has arrived when the distance left
/// is at most 2^-20 of the samples' extent and of the target's coordinates. For SINEW_BLEND_SPACE_LINE, y doesn't
/// change.
SINEW_API bool sinew_blend_parameter_follow(sinew_blend_parameter *parameter, const sinew_blend_space *space,
                                            float x, float y, float dt);

// ---- Ground speeds -------------------------------------------------------------------------------------------

/// How a blend keeps its feet from sliding: length of (x, y) = speed × rate × length.
typedef struct sinew_blend_stride {
    float speed; ///< the blend's ground speed at playback rate 1
    /// Factor for the playback rate, min_rate to max_rate; 1 without match_speed or if the blend stands.
    float rate;
    float length; ///< factor left for the stride length, applied by leg IK; 1 if the blend stands
} sinew_blend_stride;

/// Computes the stride at (x, y). Sample positions must be ground velocities. x and y must be finite (asserted).
/// Allocates nothing. Any thread.
///
/// Stride lengths and rates are blended separately, so a blend's speed isn't linear: halfway between a walk at 1.15
/// m/s and a run at 3.1 m/s it's 2.0 m/s. A blend's stride length is taken as the samples' weighted mean. Beyond
/// the fastest sample, the speed is that sample's.
SINEW_API sinew_blend_stride sinew_blend_space_stride(const sinew_blend_space *space, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
