// SPDX-License-Identifier: MIT
/// Root warps: a vault, a climb or a lunge that ends at a goal in the world, from any distance. For warps that
/// turn the legs or scale strides, see pose_warp.h.
///
/// A *warp* changes a clip's root motion (root_motion.h) within a *window* of the clip. At the end of the window
/// the character is at the goal: a position and a facing. The pose doesn't change.
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
/// docs/howto/warping.md has whole programs.
///
/// A warp is a pure function of the time in the clip. The same times give the same transform, whatever the frame
/// rate, speed, pauses and seeks. It is plain data: a copy is a snapshot. Nothing here allocates, and the bits
/// are the same on every machine. All functions may be called from any thread. Pointers must not be NULL
/// (asserted).
///
/// Units are the ones of root_motion.h. If you draw a character with a scale, divide positions by it, and
/// multiply the delta's translation by it as usual.
///
/// How it works: the facing turns evenly over the window, and the clip's path turns with it, so the character
/// runs where it faces. The missing distance is added in proportion to the distance that the clip covers, so
/// nothing slides while the clip stands. Both corrections ease in and out over a fifth of the window, so the
/// velocity doesn't jump.
#ifndef SINEW_ROOT_WARP_H
#define SINEW_ROOT_WARP_H

#include "../clip.h"
#include "../root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A clip, its window, and limits for the corrections. All characters can share it. Start from
/// sinew_root_warp_default.
///
/// At any moment the root's speed is at most max_speed × the clip's root speed + added_speed. It turns at most
/// max_turn_rate faster than the clip. Corrections ease in and out, so a correction can be at most 0.8 of what
/// these limits would allow over the window.
typedef struct sinew_root_warp_def {
    const sinew_clip *clip; ///< default NULL, must be set; not additive
    /// The mixer's root motion; default NULL, must be set. Only extracted motion is warped: for a climb, set its
    /// `y`.
    const sinew_root_motion_def *root_motion;
    float start; ///< the window's start, seconds; default 0
    float end;   ///< the window's end, seconds: after `start`, at most the clip's duration; default 0, must be set
    float max_speed; ///< at least 1; default 2: allows 0 to 2 times the clip's speed, 0.2 to 1.8 times its distance
    float added_speed; ///< metres per second, at least 0; default 0. For clips that hardly move: a standing attack
    float max_turn_rate; ///< radians per second, at least 0; default 2 pi
    uint32_t cookie;     ///< private: set by sinew_root_warp_default
} sinew_root_warp_def;

/// Returns the defaults above.
SINEW_API sinew_root_warp_def sinew_root_warp_default(void);

/// Finds a window by its markers. It starts at the first marker `name`. It ends at the first later marker with
/// ".end" appended to that name: "Vault" and "Vault.end". Returns true and writes seconds. Without such markers
/// it returns false and writes nothing.
SINEW_API bool sinew_root_warp_window(const sinew_clip *clip, const char *name, float *start, float *end);

/// A character's position and facing in the world, as in root_motion.h.
typedef struct sinew_root_warp_transform {
    sinew_vec3 position; ///< metres
    sinew_quat facing;   ///< a unit quaternion; not checked
} sinew_root_warp_transform;

/// The number of points on a warp's path.
#define SINEW_ROOT_WARP_POINTS 33

/// A character's warp. Plain data. A zeroed warp returns no motion. So does a warp made with another definition,
/// if it starts after this definition's window.
typedef struct sinew_root_warp {
    float time;                      ///< where the correction starts in the clip, seconds; within the window
    sinew_root_warp_transform start; ///< the character's transform at `time`
    float missed_distance;           ///< how far the limits make it miss the goal, metres; 0 if it arrives
    /// The angle by which they make it miss the facing, radians about the up axis, right-handed; 0 if it arrives.
    float missed_turn;
    float correction[3];                    ///< private
    float slope[3];                         ///< private
    float turn;                             ///< private
    float turn_rate;                        ///< private
    float path[SINEW_ROOT_WARP_POINTS][3];  ///< private
    float progress[SINEW_ROOT_WARP_POINTS]; ///< private
} sinew_root_warp;

/// Makes a warp for a character that is at `start` at `time`, seconds in the clip, which must be before the
/// window's end. Before the window the character moves as in the clip. Only the part of the goal's facing about
/// the up axis counts, relative to the facing of `start`. Takes some microseconds.
///
/// SINEW_ERROR_ARGUMENT if the definition breaks its rules, a mixer would reject its root motion, `time` isn't
/// before the window's end, or a number isn't finite. Then `*warp` is {0}. `error` may be NULL.
SINEW_API sinew_result sinew_root_warp_begin(const sinew_root_warp_def *def, float time,
                                             sinew_root_warp_transform start, sinew_root_warp_transform goal,
                                             sinew_root_warp *warp, sinew_error *error);

/// Changes a warp's goal. For a moving goal, call it each frame. `time` is in the clip, before the window's end.
/// `now` is the character's transform at that time, for example after a collision; NULL: the warp's own.
///
/// The velocity doesn't jump, and the limits still hold. If the goal turns by half a turn, the character goes on
/// turning the way it already turns. A no-op from the window's end on, for non-finite numbers, and for a zeroed
/// warp.
SINEW_API void sinew_root_warp_set_goal(const sinew_root_warp_def *def, sinew_root_warp *warp, float time,
                                        const sinew_root_warp_transform *now, sinew_root_warp_transform goal);

/// Returns the character's transform at a time in the clip, seconds. Outside the window it moves as in the clip.
/// Times beyond the clip's duration are in its next loops.
SINEW_API sinew_root_warp_transform sinew_root_warp_at(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                                       float time);

/// Returns the root motion between two times in the clip, seconds. Use it instead of sinew_mixer_root_delta. It
/// is backward if `to` is before `from`. For a repeating action, add the duration of the loops already played. To
/// fade a warp out or interrupt it, use sinew_root_delta_blend.
SINEW_API sinew_root_delta sinew_root_warp_delta(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                                 float from, float to);

// ---- Root deltas ------------------------------------------------------------------------------------------------

/// Combines the motion of two consecutive steps, first `a`, then `b`. Adds the yaws, so the sum may exceed pi.
/// Any thread.
SINEW_API sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b);

/// Blends two motions for the same step: `a` at t = 0, `b` at t = 1. `t` is clamped; NaN counts as 0. Use it to
/// fade from a warp, or your own motion, to the mixer's without a jump in velocity. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_blend(sinew_root_delta a, sinew_root_delta b, float t);

#ifdef __cplusplus
}
#endif
#endif
