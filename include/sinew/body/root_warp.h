// SPDX-License-Identifier: MIT
/// Root warps: a vault, a climb or a lunge that ends at a goal of the world, from any distance. Pose warps, which turn
/// legs and scale strides, are in pose_warp.h.
///
/// A clip moves a character by the same distance each time. A *warp* changes its root motion (root_motion.h) within a
/// *window* of the clip, so that at the end of the window the character is at a goal: a position and a facing. The pose
/// does not change.
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
/// docs/howto/warping.md shows whole programs.
///
/// How it is computed. The character moves along the clip's own path, and two corrections are added to it. The facing
/// turns evenly over the time of the window; the path turns with it, so the character runs in the direction that it
/// faces. The remaining distance to the goal is added in proportion to the distance that the clip itself covers: where
/// the clip does not move, it is not. Both corrections start and end without a jump of the velocity, over a fifth
/// of the window at each end.
///
/// A warp is a pure function of the time in the clip: the same times give the same transform, for any steps, speeds,
/// pauses and seeks between them. It is plain numbers without pointers: a copy is a snapshot. Nothing here
/// allocates; the bits are the same on every machine. All functions may be called from any thread. Pointers must not be
/// NULL (asserted).
///
/// Units are those of root_motion.h. For a character that is drawn with a scale, divide positions by it, and multiply
/// the delta's translation by it as usual.
#ifndef SINEW_ROOT_WARP_H
#define SINEW_ROOT_WARP_H

#include "../clip.h"
#include "../root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A clip, a window and limits. It is shared by all characters. Start from sinew_root_warp_default.
///
/// At any moment the warped root moves at most at max_speed × the speed of the clip's root + added_speed, and turns at
/// most max_turn_rate faster than it. A correction can be at most 0.8 of what these limits would allow over the window,
/// since it starts and ends slowly.
typedef struct sinew_root_warp_def {
    const sinew_clip *clip; ///< default NULL, must be set; not additive
    /// That of the mixer; default NULL, must be set. Only extracted motion is warped: for a climb, set `y` of it.
    const sinew_root_motion_def *root_motion;
    float start; ///< of the window, seconds; default 0
    float end; ///< of the window, seconds; default 0, must be set: later than start and at most the clip's duration
    /// At least 1; default 2: the root's speed is between 0 and twice that of the clip, and the distance between 0.2
    /// and 1.8 of the clip's.
    float max_speed;
    /// Metres a second, at least 0; default 0. For clips that hardly move, such as an attack on the spot.
    float added_speed;
    float max_turn_rate; ///< radians a second, at least 0; default 2 pi
    uint32_t cookie;     ///< private: set by sinew_root_warp_default
} sinew_root_warp_def;

/// Returns the defaults above.
SINEW_API sinew_root_warp_def sinew_root_warp_default(void);

/// Finds a window by its markers: from the first marker `name` to the first marker of that name with ".end" appended,
/// such as "Vault" and "Vault.end", that is later. Writes seconds and returns true, or returns false without such
/// markers, and writes nothing.
SINEW_API bool sinew_root_warp_window(const sinew_clip *clip, const char *name, float *start, float *end);

/// A character's position and facing, as in root_motion.h, in the world.
typedef struct sinew_root_warp_transform {
    sinew_vec3 position; ///< metres
    sinew_quat facing;   ///< unit, which is not checked
} sinew_root_warp_transform;

/// The number of points on the path of a warp.
#define SINEW_ROOT_WARP_POINTS 33

/// A warp of one character. Plain numbers. A zeroed warp returns no motion. So does one that another definition has
/// made and that starts after the window of this one.
typedef struct sinew_root_warp {
    float time;                      ///< in the clip, at which the correction starts, seconds; within the window
    sinew_root_warp_transform start; ///< of the character at `time`
    /// The distance by which the limits make the character miss the goal, metres; 0 if it reaches it.
    float missed_distance;
    /// The angle by which they make it miss the goal's facing, radians about the up axis, right-handed; 0 if it
    /// reaches it.
    float missed_turn;
    float correction[3];                    ///< private
    float slope[3];                         ///< private
    float turn;                             ///< private
    float turn_rate;                        ///< private
    float path[SINEW_ROOT_WARP_POINTS][3];  ///< private
    float progress[SINEW_ROOT_WARP_POINTS]; ///< private
} sinew_root_warp;

/// Makes a warp for a character that is at `start` at a time in the clip, seconds, earlier than the window's end.
/// Before the window the character moves as in the clip. Of the goal's facing relative to that of `start` only the
/// rotation about the up axis counts.
///
/// SINEW_ERROR_ARGUMENT for a definition that breaks the rules of sinew_root_warp_def or whose root motion no mixer
/// would take, a time that is not before the window's end, and numbers that are not finite: `*warp` is {0} then.
/// `error` may be NULL. Takes some microseconds.
SINEW_API sinew_result sinew_root_warp_begin(const sinew_root_warp_def *def, float time,
                                             sinew_root_warp_transform start, sinew_root_warp_transform goal,
                                             sinew_root_warp *warp, sinew_error *error);

/// Changes the goal of a warp at a time in the window, for a goal that moves: also in each frame. `now` is the
/// character's transform at that time, such as after a collision; NULL: the one that the warp gives. The velocity does
/// not jump, and the limits hold as before. After a turn of the goal by half a turn, the character goes on turning to
/// the side to which it turns. No-op from the window's end on, for numbers that are not finite, and for a warp of {0}.
SINEW_API void sinew_root_warp_set_goal(const sinew_root_warp_def *def, sinew_root_warp *warp, float time,
                                        const sinew_root_warp_transform *now, sinew_root_warp_transform goal);

/// Returns the transform of the character at a time in the clip, seconds. Before and after the window it moves as in
/// the clip. Times beyond the clip's duration continue in its next loops.
SINEW_API sinew_root_warp_transform sinew_root_warp_at(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                                       float time);

/// Returns the root motion from one time in the clip to another, seconds, to be used instead of sinew_mixer_root_delta.
/// Backward if `to` is earlier. For an action that repeats, add the duration of its loops: times beyond the clip's
/// duration continue in its next loops. To fade a warp out, or to interrupt it, see sinew_root_delta_blend.
SINEW_API sinew_root_delta sinew_root_warp_delta(const sinew_root_warp_def *def, const sinew_root_warp *warp,
                                                 float from, float to);

// ---- Root deltas ------------------------------------------------------------------------------------------------

/// Combines the motions of two consecutive steps, first `a`, then `b`. The yaws are added, so the sum may exceed pi.
/// Any thread.
SINEW_API sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b);

/// Blends the motions of the same step: a at t = 0, b at t = 1; t is clamped, and NaN counts as 0. To fade from a warp
/// or a motion of the program's own to that of the mixer without a jump of the velocity. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_blend(sinew_root_delta a, sinew_root_delta b, float t);

#ifdef __cplusplus
}
#endif
#endif
