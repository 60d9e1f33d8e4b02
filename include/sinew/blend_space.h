// SPDX-License-Identifier: MIT
/// Blend spaces blend clips (clip.h) by one or two parameters, such as speed or velocity.
///
///     const sinew_blend_sample samples[] = {{idle, 0, 0, 1}, {walk, 1.5f, 0, 1}, {run, 4, 0, 1}};
///     sinew_blend_space_def def = sinew_blend_space_default();
///     def.skeleton = skeleton;
///     def.samples = samples;
///     def.sample_count = 3;
///     sinew_result result = sinew_blend_space_create(&def, &space, &error);
///
/// A *sample* is a clip placed at a point on a line or plane. The *parameter* is another point in the same space.
/// It determines each sample's weight. You can use any units you like, such as meters per second.
///
/// You'll normally play a blend space in a mixer, where it's a single action. See sinew_blend_space_source
/// (mixer.h). You only need sinew_blend_space_weights and sinew_blend_parameter if you blend poses yourself.
///
/// A blend space never changes after you create it, so any number of threads and characters can share it. Each
/// character has its own sinew_blend_parameter. You can create and destroy blend spaces on any thread. Weights have
/// the same bits on every machine.
#ifndef SINEW_BLEND_SPACE_H
#define SINEW_BLEND_SPACE_H

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The maximum number of samples for SINEW_BLEND_SPACE_LINE and SINEW_BLEND_SPACE_TRIANGLES.
#define SINEW_MAX_BLEND_SAMPLES 64

/// The maximum number of samples that can contribute at the same time. This is also the maximum number of samples
/// for SINEW_BLEND_SPACE_DIRECTIONAL.
#define SINEW_MAX_BLEND_WEIGHTS 32

/// How the weights are computed. Weights are never negative, always sum to 1, and change continuously. Exactly at a
/// sample, that sample's weight is 1.
typedef enum sinew_blend_space_kind {
    /// One dimension. Interpolates between the samples on either side of x. Past either end, only the last sample
    /// plays. y is ignored.
    SINEW_BLEND_SPACE_LINE,
    /// Two dimensions. Uses barycentric weights in the triangle around the parameter. The triangles come from a
    /// Delaunay triangulation. If samples form a grid, each diagonal starts at the corner nearest (0, 0), so left
    /// and right are mirror images. A parameter outside the triangles is clamped to the nearest point on their
    /// outline.
    SINEW_BLEND_SPACE_TRIANGLES,
    /// Two dimensions, for velocities. Direction and length are interpolated separately. For example, halfway
    /// between walking forward and walking right is walking diagonally at the same speed. You need a sample at
    /// (0, 0). It only contributes inside the ring that the other samples form. Lengths beyond the longest sample
    /// are clamped to it.
    ///
    /// Weights are gradient bands over angle and length. See R. S. Johansen, "Automated Semi-Procedural Animation
    /// for Character Locomotion", 2009. A sample's weight falls to 0 as you reach its neighbors. If you lay out
    /// samples in a grid of directions and speeds, three or four of them contribute at a time. Other layouts can
    /// have more.
    SINEW_BLEND_SPACE_DIRECTIONAL
} sinew_blend_space_kind;

/// A clip placed at a point in the blend space.
typedef struct sinew_blend_sample {
    /// The clip. It must use the space's skeleton and outlive the space. Don't mix additive and regular clips if
    /// you play the space in a mixer.
    const sinew_clip *clip;
    float x, y;  ///< position in your own units; SINEW_BLEND_SPACE_LINE ignores y
    float speed; ///< playback rate, usually 1; must not be 0; negative plays backward
} sinew_blend_sample;

/// Options for creating a blend space. Everything is copied except the skeleton and clips. Start from
/// sinew_blend_space_default.
typedef struct sinew_blend_space_def {
    const sinew_skeleton *skeleton;    ///< required; must outlive the space
    sinew_blend_space_kind kind;       ///< default SINEW_BLEND_SPACE_LINE
    int32_t sample_count;              ///< 1 to SINEW_MAX_BLEND_SAMPLES, or SINEW_MAX_BLEND_WEIGHTS if directional
    const sinew_blend_sample *samples; ///< [sample_count], in any order; two samples can't be at the same point
    /// [sync_name_count], the names of your sync markers in the order they occur in a cycle, such as "Foot_L" and
    /// "Foot_R". No name can be NULL. Default NULL. A *stride* is the part of a cycle from one sync marker to the
    /// next. Clips with these markers stay at the same point in the same stride. A clip without them is split into
    /// however many equal strides keep its playback rate about the same. If no clip has the markers, each loop is
    /// one stride.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 to 64, default 0
    float damping;           ///< in seconds, 0 or more, default 0.1; see sinew_blend_parameter_follow
    /// Adjust the playback rate so the feet match the parameter's speed, within the limits below. To use this,
    /// sample positions must be ground velocities. See sinew_blend_space_stride. Default false.
    bool match_speed;
    float min_rate;            ///< above 0, at most 1, default 0.8
    float max_rate;            ///< 1 or more, default 1.25
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_blend_space_default
} sinew_blend_space_def;

/// A triangle between three samples.
typedef struct sinew_blend_triangle {
    int32_t corners[3]; ///< sample indices, counterclockwise
} sinew_blend_triangle;

/// A blend space. Read-only. It owns its arrays. Create it with sinew_blend_space_create.
typedef struct sinew_blend_space {
    const sinew_skeleton *skeleton;            ///< the skeleton that all clips use
    sinew_blend_space_kind kind;               ///< from the def
    int32_t sample_count;                      ///< number of samples
    const sinew_blend_sample *samples;         ///< [sample_count], in the def's order
    int32_t triangle_count;                    ///< 0 unless `kind` is SINEW_BLEND_SPACE_TRIANGLES
    const sinew_blend_triangle *triangles;     ///< [triangle_count]
    float damping;                             ///< from the def
    bool match_speed;                          ///< from the def
    float min_rate, max_rate;                  ///< from the def
    size_t memory;                             ///< total size in bytes
    const struct sinew_blend_space_data *data; ///< private
} sinew_blend_space;

/// Returns the default options. You must set `skeleton` and `samples`. Any thread.
SINEW_API sinew_blend_space_def sinew_blend_space_default(void);

/// Creates a blend space. Free it with sinew_blend_space_destroy. On failure, `*space` is NULL and `error` tells
/// you why. `error` may be NULL. Thread-safe. Fails with:
///   - SINEW_ERROR_ARGUMENT if a sample has no clip, a clip with a different skeleton, a number that isn't finite,
///     a speed of 0, or the same position as another sample. Also if the names, damping or rates are invalid.
///   - SINEW_ERROR_ARGUMENT if the kind is SINEW_BLEND_SPACE_TRIANGLES and all samples lie on one line.
///   - SINEW_ERROR_ARGUMENT if the kind is SINEW_BLEND_SPACE_DIRECTIONAL and there is no sample at (0, 0), there
///     are no other samples, or two samples have equal angles and equal lengths within
///     double precision.
///   - SINEW_ERROR_LIMIT if there are too many samples.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_blend_space_create(const sinew_blend_space_def *def, sinew_blend_space **space,
                                                sinew_error *error);

/// Destroys a blend space. Its skeleton and clips aren't freed. `space` may be NULL. Make sure no mixer is still
/// using it. Any thread.
SINEW_API void sinew_blend_space_destroy(sinew_blend_space *space);

/// The weight of a sample.
typedef struct sinew_blend_weight {
    int32_t sample; ///< index of the sample
    float weight;   ///< above 0, at most 1
} sinew_blend_weight;

/// Computes the weights at (x, y). Only writes samples whose weight isn't 0, sorted by index, and returns how many
/// there are. There's always at least 1. The maximum is 2 on a line, 3 in triangles, and SINEW_MAX_BLEND_WEIGHTS if
/// directional. The weights sum to 1, up to rounding. Weights below 2^-24 are dropped. x and y must be finite
/// (asserted; y is ignored on a line). Doesn't allocate. Thread-safe.
SINEW_API int32_t sinew_blend_space_weights(const sinew_blend_space *space, float x, float y,
                                            sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

/// A character's current parameter and how fast it's changing. Zero it to start at rest at (0, 0). You can change
/// it at any time, to any values that fit in a float. Only one thread at a time may use it.
typedef struct sinew_blend_parameter {
    double x, y;   ///< position
    double vx, vy; ///< velocity in units per second
} sinew_blend_parameter;

/// Moves a parameter toward the target (x, y) for `dt` seconds. Returns true if it moved. Once it has arrived this
/// returns false, and you can keep using the weights you computed before. x and y must be finite, and `dt` must be
/// finite and at least 0 (asserted).
///
/// The parameter moves like a critically damped spring. It never overshoots, and the result doesn't depend on the
/// frame rate. The blend space's `damping` is the half-life in seconds. Starting from rest, the parameter gets 50%
/// of the way to a fixed target in that time, 85% in twice that time, and 99% in four times. If `damping` is 0, it
/// jumps. The parameter has arrived when the remaining distance is at most 2^-20 of the samples' extent and of the
/// target's coordinates. For SINEW_BLEND_SPACE_LINE, y doesn't change.
SINEW_API bool sinew_blend_parameter_follow(sinew_blend_parameter *parameter, const sinew_blend_space *space,
                                            float x, float y, float dt);

// ---- Ground speeds -------------------------------------------------------------------------------------------

/// How to keep the feet from sliding in a blend. The length of (x, y) equals speed × rate × length.
typedef struct sinew_blend_stride {
    float speed; ///< ground speed of the blend at a playback rate of 1
    /// Factor for the playback rate, from min_rate to max_rate. It's 1 if match_speed is off or the blend stands
    /// still.
    float rate;
    float length; ///< how much leg IK still has to scale the stride length; 1 if the blend stands still
} sinew_blend_stride;

/// Computes the stride at (x, y). Sample positions must be ground velocities. x and y must be finite (asserted).
/// Doesn't allocate. Thread-safe.
///
/// Stride lengths and rates are blended separately, so speed isn't linear. For example, halfway between a walk at
/// 1.15 m/s and a run at 3.1 m/s, the speed is 2.0 m/s. A blend's stride length is the weighted average of its
/// samples' stride lengths. Beyond the fastest sample, you get that sample's speed.
SINEW_API sinew_blend_stride sinew_blend_space_stride(const sinew_blend_space *space, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
