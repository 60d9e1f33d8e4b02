// SPDX-License-Identifier: MIT
/// Root warps: make a vault, a climb or a lunge end at a goal in the world, from any distance. See pose_warp.h
/// for warps that turn the legs or scale the strides.
///
/// A *warp* changes a clip's root motion (root_motion.h) during part of the clip, called the *window*. At the end
/// of the window, the character is at the goal, which is a position and a facing. The pose doesn't change.
///
///     float start, end;                                           // at load time
///     sinew_root_warp_window(vault, "Vault", &start, &end);       // the markers "Vault" and "Vault.end"
///
///     sinew_root_warp_begin(&def, time, here, goal, &warp, NULL); // once, when the action starts or at its window
///
///     float before = sinew_action_time(mixer, action); // each frame, instead of sinew_mixer_root_delta
///     sinew_mixer_update(mixer, dt);
///     sinew_root_delta delta = sinew_root_warp_delta(&def, &warp, before, sinew_action_time(mixer, action));
///
/// See docs/howto/warping.md for complete programs.
///
/// A warp is a pure function of the time in the clip. The same time always gives the same transform, regardless of
/// frame rate, playback speed, pauses or seeks. Warps are plain data, so you can copy them to take a snapshot.
/// Nothing here allocates, and results are bit-identical on every machine. All functions can be called from any
/// thread. Pointers must not be NULL (asserted).
///
/// Units are the same as in root_motion.h. If you draw a character with a scale, divide positions by the scale,
/// and multiply the delta's translation by the scale as usual.
///
/// How it works: the facing turns evenly over the window, and the clip's path turns with it, so the character
/// runs in the direction it faces. The missing distance is added in proportion to the distance the clip covers,
/// so the character doesn't slide while the clip stands still. Both corrections ease in and out over a fifth of
/// the window, so the velocity doesn't jump.
#ifndef SINEW_ROOT_WARP_H
#define SINEW_ROOT_WARP_H

#include "../clip.h"
#include "../root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A clip, its window, and limits on the corrections. Any number of characters can share one. Start from
/// sinew_root_warp_default.
///
/// At any moment, the root's speed is at most max_speed × the clip's root speed + added_speed. The root can turn
/// faster than it does in the clip, but by at most max_turn_rate. Because corrections ease in and out, the total
/// correction is at most 0.8 times what these limits would allow over the window.
typedef struct sinew_root_warp_def {
    const sinew_clip *clip; ///< required; can't be additive
    /// Required. The mixer's root motion. Only extracted motion can be warped, so set `y` for a climb.
    const sinew_root_motion_def *root_motion;
    float start; ///< start of the window, in seconds; default 0
    /// End of the window, in seconds. Must be after `start` and at most the clip's duration. Default 0, must be
    /// set.
    float end;
    /// Maximum root speed as a multiple of the clip's speed, at least 1. The default of 2 allows 0 to 2 times the
    /// clip's speed, and 0.2 to 1.8 times its distance.
    float max_speed;
    /// Extra speed in meters per second, at least 0. Default 0. Use it for clips that barely move, such as a
    /// standing attack.
    float added_speed;
    float max_turn_rate; ///< in radians per second, at least 0; default 2 pi
    uint32_t cookie;     ///< private: set by sinew_root_warp_default
} sinew_root_warp_def;

/// Returns the defaults above.
SINEW_API sinew_root_warp_def sinew_root_warp_default(void);

/// Finds a window using the clip's markers. The window starts at the first marker called `name`. It ends at the
/// next marker with the same name plus ".end". For example, a clip might have markers named "Vault" and
/// "Vault.end". Writes the window in seconds and returns true. If the clip doesn't have these markers, returns
/// false and doesn't write anything.
SINEW_API bool sinew_root_warp_window(const sinew_clip *clip, const char *name, float *start, float *end);

/// A character's position and facing in the world, as in root_motion.h.
typedef struct sinew_root_warp_transform {
    sinew_vec3 position; ///< meters
    sinew_quat facing;   ///< unit quaternion; not checked
} sinew_root_warp_transform;

/// The number of points on a warp's path.
#define SINEW_ROOT_WARP_POINTS 33

/// One character's warp. Plain data. A zeroed warp returns no motion. Neither does a warp that you use with a
/// different definition, if it starts after that definition's window.
typedef struct sinew_root_warp {
    float time;                      ///< where the correction starts in the clip, in seconds; within the window
    sinew_root_warp_transform start; ///< the character's transform at `time`
    float missed_distance; ///< how far it misses the goal because of the limits, in meters; 0 if it gets there
    /// How far it misses the goal's facing because of the limits. In radians about the up axis, right-handed. 0 if
    /// it gets there.
    float missed_turn;
    float correction[3];                    ///< private
    float slope[3];                         ///< private
    float turn;                             ///< private
    float turn_rate;                        ///< private
    float path[SINEW_ROOT_WARP_POINTS][3];  ///< private
    float progress[SINEW_ROOT_WARP_POINTS]; ///< private
} sinew_root_warp;

/// Starts a warp. The character is at `start` when the clip is at `time`, in seconds. `time` must be before the
/// end of the window. Until the window begins, the character moves the way it does in the clip. The goal's facing
/// only matters about the up axis, relative to the facing in `start`. This takes a few microseconds.
///
/// Fails with SINEW_ERROR_ARGUMENT if the definition is invalid, if a mixer would reject its root motion, if
/// `time` isn't before the end of the window, or if a number isn't finite. In this case `*warp` is {0}. `error`
/// may be NULL.
SINEW_API sinew_result sinew_root_warp_begin(const sinew_root_warp_def *def, float time,
                                             sinew_root_warp_transform start, sinew_root_warp_transform goal,
                                             sinew_root_warp *warp, sinew_error *error);

/// Changes a warp's goal. If the goal moves, call this each frame. `time` is the time in the clip and must be
/// before the end of the window. `now` is optional. Use it to pass the character's actual transform at that time,
/// for example after a collision. If it is NULL, the transform comes from the warp.
///
/// The velocity doesn't jump, and the limits still apply. If the goal turns around by 180 degrees, the character
/// keeps turning in its current direction. This is a no-op after the window ends, if a number isn't finite, or if
/// the warp is zeroed.
SINEW_API void sinew_root_warp_set_goal(const sinew_root_warp_def *def, sinew_root_warp *warp, float time,
                                        const sinew_root_warp_transform *now, sinew_root_warp_transform goal);

/// Returns the character's transform at a time in the clip, in seconds. Outside the window, the character moves
/// the way it does in the clip. Times beyond the clip's duration continue into its next loops.
SINEW_API sinew_root_warp_transform sinew_root_warp_at(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                                       float time);

/// Returns the root motion between two times in the clip, in seconds. Use this instead of sinew_mixer_root_delta.
/// If `to` is before `from`, the motion is backward. If the action repeats, add the duration of the loops it has
/// already played. Use sinew_root_delta_blend to fade out a warp or to interrupt it.
SINEW_API sinew_root_delta sinew_root_warp_delta(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                                 float from, float to);

// ---- Root deltas ------------------------------------------------------------------------------------------------

/// Combines the root motion of two consecutive steps, `a` followed by `b`. The yaws are added, so the result can
/// exceed pi. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b);

/// Blends two root motions for the same step, from `a` at t = 0 to `b` at t = 1. `t` is clamped to [0, 1], and
/// NaN is treated as 0. You can use this to fade from a warp or your own motion back to the mixer's root motion
/// without a jump in velocity. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_blend(sinew_root_delta a, sinew_root_delta b, float t);

#ifdef __cplusplus
}
#endif
#endif
