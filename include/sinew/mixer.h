// SPDX-License-Identifier: MIT
/// The mixer: plays, fades and blends the clips of one character.
///
///     sinew_mixer_def def = sinew_mixer_default();
///     def.skeleton = asset->skeleton;
///     sinew_mixer *mixer;
///     if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return puts(error.message);
///     sinew_mixer_play(mixer, sinew_clip_source(idle), NULL);
///
///     // When something changes:
///     sinew_action action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(walk), 0.2f, NULL);
///     sinew_action_set_speed(mixer, action, 1.5f);
///
///     // In each frame:
///     sinew_mixer_update(mixer, dt);
///     draw(sinew_mixer_model_matrices(mixer)); // or sinew_skin_palette (skin.h)
///     sinew_events events = sinew_mixer_events(mixer);
///     for (int32_t i = 0; i < events.count; i++) react(&events.items[i]);
///
///     sinew_mixer_destroy(mixer);
///
/// An *action* is one playback of a clip (clip.h) or a blend space (blend_space.h), with a weight and a time of its
/// own, in one *layer*. Layer 0 is the *base*. The *current pose* is the result of all actions; a *held pose* is a copy
/// of an earlier one that stays still. A *step* is one update, by `dt` seconds. You can change actions between steps at
/// any time. Immediate changes, such as a weight or a time, apply at the next evaluation. How actions are blended is at
/// the end of this header, and with plots in docs/mixing.md.
///
/// mixer_pose.h has the frame in parts, to edit or set the pose in between. motion/mixer_snapshot.h saves and restores
/// mixers.
///
/// One mixer per character. Only one thread at a time may use a mixer, with any function that takes it. Mixers that
/// share a skeleton and clips may run on different threads. sinew_mixer_create allocates all memory. Calls that change,
/// advance or evaluate a mixer use up to 150 KB of stack. Times and durations are seconds, speeds are factors of real
/// time, weights are 0 to SINEW_MAX_WEIGHT.
///
/// Wrong arguments are asserted. With NDEBUG they stay safe:
///   - NULL, an object of another skeleton, an additive clip in an override layer or the reverse, a def that its
///     default function did not make, and an enum, layer or sync group out of range: the call is a no-op that returns
///     {0}, 0, false or NULL.
///   - A number that is not finite is replaced: a time by the start of the clip, a speed or a parameter by 0, a NaN as a
///     weight or duration by 0, an infinite weight or duration by the largest.
///   - A weight above SINEW_MAX_WEIGHT is clamped to it.
///   - A mixer of NULL is undefined.
/// Weights and durations below 0 count as 0 in every build, and are not asserted.
#ifndef SINEW_MIXER_H
#define SINEW_MIXER_H

#include "blend_space.h"
#include "mask.h"
#include "root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The playback state of one character, its pose and its model matrices.
typedef struct sinew_mixer sinew_mixer;

/// A handle to an action: one playback of a clip or a blend space. It becomes stale when the action ends, by being
/// stopped, evicted or fading out; an action that has only finished keeps its handle. Stale handles are safe: queries
/// return 0, false or NULL, and changes are no-ops. {0} is no action, and is treated like a stale handle. A handle of
/// another mixer is stale, unless one of the two mixers has restored a snapshot of the other.
typedef struct sinew_action {
    uint64_t id; ///< opaque; compare it with other ids and with 0
} sinew_action;

/// The largest weight of an action or layer. The sum of all weights stays finite up to this value.
#define SINEW_MAX_WEIGHT 1.0e9f

/// The most slots for actions of a mixer.
#define SINEW_MAX_ACTIONS 64

/// Every layer, in place of the number of one.
#define SINEW_ALL_LAYERS (-1)

// ---- Events --------------------------------------------------------------------------------------------------

/// The type of an event.
typedef enum sinew_event_type {
    SINEW_EVENT_LOOPED,   ///< the action reached an end and continues
    SINEW_EVENT_FINISHED, ///< the action reached its last end and holds that pose
    SINEW_EVENT_MARKER    ///< the action reached a marker of its clip
} sinew_event_type;

/// An event of an action, collected by sinew_mixer_advance. Every end and every marker that an action crosses is
/// one event, in either direction and for any number of loops in one step. A marker is crossed when it is reached:
/// if a step ends exactly on it, the event belongs to that step and not to the next one. A step that begins at the
/// time at which an action was started, or to which it was set, includes the markers of that time. At an end of
/// SINEW_LOOP_REPEAT, markers at that end precede LOOPED, and markers at the other end, where the next loop starts,
/// follow it. SINEW_LOOP_PING_PONG reports a marker at its turning point once.
typedef struct sinew_event {
    sinew_event_type type;                ///< what happened
    sinew_action action;                  ///< the action; stale if it faded out in the same step
    const sinew_clip *clip;               ///< the clip that the action plays
    const sinew_marker *marker;           ///< the clip's marker, for SINEW_EVENT_MARKER; else NULL
    float moment;                         ///< seconds after the start of the step
    float weight;                         ///< the action's weight at that moment
    int32_t layer;                        ///< the action's layer
    const sinew_blend_space *blend_space; ///< the blend space that the action plays; NULL for a clip
} sinew_event;

/// The events of a step.
typedef struct sinew_events {
    const sinew_event
        *items;            ///< [count], sorted by `moment`, then by the order in which their actions were started
    int32_t count;         ///< events in `items`
    int32_t dropped_count; ///< further events that were dropped because max_events was reached
} sinew_events;

// ---- Creating ------------------------------------------------------------------------------------------------

/// How actions are blended if their weights sum to less than 1.
typedef enum sinew_underweight {
    SINEW_UNDERWEIGHT_NORMALIZE, ///< weights are divided by their sum: only proportions matter
    SINEW_UNDERWEIGHT_REST       ///< the rest pose contributes the remainder (as in three.js)
} sinew_underweight;

/// What a mixer is made from. Start from sinew_mixer_default.
typedef struct sinew_mixer_def {
    const sinew_skeleton *skeleton; ///< must be given, and outlive the mixer
    /// Only this node's subtree is animated, and the other nodes keep the rest pose; default SINEW_NO_NODE, all
    /// nodes.
    int32_t root;
    int32_t max_actions; ///< slots for actions, of all layers together; 1 to SINEW_MAX_ACTIONS; default 16
    int32_t layer_count; ///< the base included; 1 to 8; default 2
    /// Key hints per action, 0 to 255; default 8. A hint remembers where the keys of one timeline of a clip (clip.h)
    /// were found last. Timelines without one are searched in each step: slower, with the same result.
    int32_t hints_per_action;
    int32_t max_events;       ///< events of one step; 0 to 65535; default 32
    int32_t max_blend_spaces; ///< blend spaces that play at once; 0 to 4; default 2: one can fade to another
    /// [sync_name_count], must outlive the mixer: the names of the sync markers in their order in a cycle, such as
    /// "Foot_L" and "Foot_R". A *stride* is the part of a cycle from one sync marker to the next, and actions of a sync
    /// group (`sync` of sinew_play_def) are at the same part of the same stride. Without names the whole loop is one
    /// stride. A clip that lacks the markers takes part with its loop as a whole number of equal strides: as many as
    /// keep its playback rate about the same.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 to 64; default 0
    /// Allocates what SINEW_TRANSITION_INERTIALIZE and SINEW_TRANSITION_DEAD_BLEND need, 244 bytes per node and 40
    /// per morph weight; default true.
    bool inertialization;
    /// Seconds in which a jump that comes with no duration of its own decays: an action is evicted by one that starts
    /// without a fade, or ends while others still fade. 0: it jumps. Default 0.2; needs `inertialization`.
    float smoothing;
    /// The root motion (root_motion.h) that is extracted from the base's pose; copied; default NULL: none.
    const sinew_root_motion_def *root_motion;
    sinew_underweight underweight; ///< default SINEW_UNDERWEIGHT_NORMALIZE
    /// Called at the end of sinew_mixer_advance and sinew_mixer_update, once per event, in the order of
    /// sinew_mixer_events. It may call the functions of actions, but not advance, update, restore or destroy the mixer
    /// or its animator, nor another one of the same batch (asserted; with NDEBUG such a call on the mixer itself does
    /// nothing). Note what to do, and do it after the update. Default NULL.
    void (*on_event)(const sinew_event *event, void *user);
    /// The caller's easings, from [0, 1] to [0, 1]: 0 at u = 0, 1 at u = 1, finite, and the same value for the same u.
    /// `number` is the easing less SINEW_EASING_USER. It must not change the mixer (asserted). Default NULL: linear.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to on_event and easing; otherwise ignored
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mixer_default
} sinew_mixer_def;

/// The defaults above; `skeleton` is NULL and must be set. Any thread.
SINEW_API sinew_mixer_def sinew_mixer_default(void);

/// Creates a mixer in the rest pose, which plays nothing; free it with sinew_mixer_destroy. Any thread.
/// SINEW_ERROR_ARGUMENT for a def that is out of the ranges above, has no skeleton or was not made by
/// sinew_mixer_default, and for root motion that cannot be extracted: of no node, of a node outside `root`, or below
/// a node with non-uniform scale. SINEW_ERROR_OUT_OF_MEMORY. On failure `*mixer` is NULL, and `error`, which may be
/// NULL, names the field, its value and its range.
SINEW_API sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer, sinew_error *error);

/// Frees the mixer with its pose and matrices; clips and skeleton are not freed. NULL is allowed. Any thread.
SINEW_API void sinew_mixer_destroy(sinew_mixer *mixer);

// ---- Playing -------------------------------------------------------------------------------------------------

/// What an action plays: a clip or a blend space. Exactly one of the two is set; {0} is the empty source. Made by
/// sinew_clip_source and sinew_blend_space_source.
typedef struct sinew_source {
    const sinew_clip *clip;               ///< NULL for a blend space
    const sinew_blend_space *blend_space; ///< NULL for a clip
    float x, y;                           ///< the parameter of the blend space
} sinew_source;

/// A clip as a source. NULL makes the empty source. Any thread.
SINEW_API sinew_source sinew_clip_source(const sinew_clip *clip);

/// A blend space as a source, with its parameter at (x, y). NULL makes the empty source. Any thread.
SINEW_API sinew_source sinew_blend_space_source(const sinew_blend_space *space, float x, float y);

/// What an action does at the end of its clip.
typedef enum sinew_loop {
    SINEW_LOOP_ONCE,   ///< plays to the end (backward: to the start), then holds that pose; the action is finished
    SINEW_LOOP_REPEAT, ///< starts again from the other end
    SINEW_LOOP_PING_PONG ///< reverses direction; each traversal counts as one loop
} sinew_loop;

/// The easing of a fade, from 0 to 1 over its duration.
typedef enum sinew_easing {
    SINEW_EASING_LINEAR,     ///< u
    SINEW_EASING_SMOOTHSTEP, ///< u² (3 - 2u)
    /// The caller's easings: `easing` of sinew_mixer_def is called with the number 0. SINEW_EASING_USER + n, up to 254,
    /// calls it with the number n.
    SINEW_EASING_USER,
    SINEW_EASING_AUTO = 255 ///< SMOOTHSTEP for dead blending, otherwise LINEAR
} sinew_easing;

/// A loop_count without limit.
#define SINEW_FOREVER (-1)

/// A start time: the clip's start, or its end if the speed is negative.
#define SINEW_TIME_AUTO (-1.0f)

/// How to play an action. Start from sinew_play_default.
typedef struct sinew_play_def {
    float time;   ///< start time in the clip, clamped to it; default SINEW_TIME_AUTO
    float speed;  ///< default 1; at 0 time does not pass; negative plays backward
    float weight; ///< target weight, at least 0; default 1
    /// Seconds in which the weight moves from its current value, 0 for a new action, to `weight`; default 0. Ignored
    /// by transitions, which have a duration of their own.
    float fade;
    sinew_easing easing; ///< easing of every fade of this action; default SINEW_EASING_LINEAR
    int32_t layer;       ///< default 0, the base
    /// Sync group, 1 to 255; default 0, none. Repeating actions of one group stay in phase, in any layers: a walk and a
    /// run put the same foot down at the same time. Give the mixer the markers of the feet (`sync_names` of
    /// sinew_mixer_def). The actions share one playback rate, the mean of their own rates by weight, during a fade by
    /// proportion. An action that joins the group (it is played, resumed or set to repeat) starts at the group's phase;
    /// its `time` is ignored. That holds for a transition that ends the group's other actions at once, too: with
    /// INERTIALIZE and DEAD_BLEND the action starts at the group's rate and reaches its own over the transition.
    /// Seeking one action seeks the group. Paused actions, SINEW_LOOP_ONCE and SINEW_LOOP_PING_PONG are not
    /// synchronized.
    int32_t sync;
    sinew_loop loop; ///< default SINEW_LOOP_REPEAT
    /// Loops before the action finishes; default SINEW_FOREVER; another number below 1 counts as 1. Ignored for
    /// SINEW_LOOP_ONCE.
    int32_t loop_count;
    bool allow_duplicate; ///< true: always a new action, beside one that plays the clip; default false
    /// What happens to a clip that already plays in the layer, or still fades out. false, the default: its action
    /// continues from its current time and weight, with the new speed, loop and target weight; if it has finished, or
    /// plays ONCE and fades out, it starts again. true: it always starts again, such as an attack that is pressed
    /// twice. A start `time` does the same.
    ///
    /// With a fade, a new action starts and the old one fades out. Without a fade, and for the other kinds of
    /// transition, the same action starts again. An action of a sync group restarts itself, and the group seeks with
    /// it; with a fade the difference is inertialized over its duration, as for an action that joins a group at another
    /// phase.
    bool restart;
    uint32_t cookie; ///< private: set by sinew_play_default
} sinew_play_def;

/// The defaults above. Any thread.
SINEW_API sinew_play_def sinew_play_default(void);

/// Starts `source` in the layer def->layer, beside what already plays there, and returns a handle to its action. To
/// replace what plays, use sinew_mixer_crossfade_to. `def` may be NULL for the defaults.
///
/// The source must not be empty, must be of the mixer's skeleton (asserted), and must outlive the action. Its clips
/// must be additive in an additive layer, and only there (asserted). Returns {0} for a wrong argument with NDEBUG, such
/// as the empty source of a clip that was not found.
///
/// If every slot is in use, the lowest-weight action of an override layer is evicted, fading actions first; the
/// difference is inertialized. The same happens if max_blend_spaces blend spaces play. Returns {0} if no slot can be
/// evicted, and for a blend space in a mixer of max_blend_spaces 0.
///
/// A clip that already plays in the layer keeps its action: see `restart`. So does a blend space, and its parameter
/// moves to (x, y). A blend space always repeats, from its start, or backward from its end: `loop`, `loop_count`,
/// `time` and `restart` of the def are ignored. Its clip, time and events are those of the sample with the largest
/// weight at the start of a step.
SINEW_API sinew_action sinew_mixer_play(sinew_mixer *mixer, sinew_source source, const sinew_play_def *def);

/// Use this first: fades the layer def->layer to `source` in `duration` seconds, and returns a handle to its action.
/// `source` fades to its weight and every other action of the layer to 0, each from its current weight and along
/// def->easing. Actions that reach 0 are stopped. A duration of 0 is a cut. def->fade is ignored. `def` may be NULL for
/// the defaults. Sources and {0} are as for sinew_mixer_play.
///
/// Call it when something changes, not in every frame: each call starts the fade again, from the weights of the moment.
/// A one-shot that may be asked for while it plays, such as an attack, needs def->restart. To fade some actions and
/// leave the others, call sinew_action_fade_out and sinew_action_fade_in.
SINEW_API sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, sinew_source source, float duration,
                                                const sinew_play_def *def);

/// How a transition gets from the old clips to the new one.
typedef enum sinew_transition_kind {
    /// Cross-fade: old and new clips play and are blended by proportion.
    SINEW_TRANSITION_FADE,
    /// Only the new clip plays. The difference in pose and velocity at the start is added to it and decays to 0
    /// over the duration, along a quintic (after Bollo, "Inertialization", GDC 2018). A small difference that closes
    /// fast overshoots, by at most 0.1493 times its velocity times the duration; morph weights stay between those of
    /// the old pose and the new clip.
    SINEW_TRANSITION_INERTIALIZE,
    /// The new clip fades in over the old pose, which is extrapolated with its own, decaying velocity (Holden,
    /// "Dead Blending", 2023). In the base only; in other layers it is SINEW_TRANSITION_FADE.
    SINEW_TRANSITION_DEAD_BLEND
} sinew_transition_kind;

/// How a clip replaces the others of its layer. Start from sinew_transition_default; where a function takes a
/// pointer, NULL means those defaults. INERTIALIZE and DEAD_BLEND do not evaluate the old clips after the start.
/// They start from the current pose and its velocity, running transitions and root motion included. They need
/// `inertialization` in sinew_mixer_def, and are fades without it.
typedef struct sinew_transition {
    sinew_transition_kind kind; ///< default SINEW_TRANSITION_FADE
    float duration;             ///< seconds; default 0.2; 0 is a cut
    sinew_easing easing;        ///< easing of the weights; default SINEW_EASING_AUTO
    /// For a fade: all clips of the layer share one playback rate, in cycles per second, which moves from the old
    /// clip's to the new clip's during the fade. Default false.
    bool match_rate;
    uint32_t cookie; ///< private: set by sinew_transition_default
} sinew_transition;

/// The defaults above. Any thread.
SINEW_API sinew_transition sinew_transition_default(void);

/// Like sinew_mixer_crossfade_to, with any kind of transition: inertialization, dead blending, or a fade that matches
/// the playback rates. transition->duration and transition->easing replace def->fade and def->easing for this change
/// only. `transition` and `def` may be NULL for the defaults.
SINEW_API sinew_action sinew_mixer_transition_to(sinew_mixer *mixer, sinew_source source,
                                                 const sinew_transition *transition, const sinew_play_def *def);

/// Stops every action of every layer at once. The base's pose is held.
SINEW_API void sinew_mixer_stop_all(sinew_mixer *mixer);

/// The newest action that plays `source` in a layer, 0 <= layer < layer_count or SINEW_ALL_LAYERS (asserted), or {0}.
/// The source's parameter is ignored.
SINEW_API sinew_action sinew_mixer_find(const sinew_mixer *mixer, sinew_source source, int32_t layer);

/// Writes the handles of up to `capacity` actions, oldest first, and returns the number of all actions. `actions`
/// may be NULL if `capacity` is 0.
SINEW_API int32_t sinew_mixer_actions(const sinew_mixer *mixer, sinew_action *actions, int32_t capacity);

// ---- Each frame ----------------------------------------------------------------------------------------------

/// Advances by `dt` seconds of real time (0 or more, finite: asserted), collects events, and computes the pose and the
/// model matrices. It does sinew_mixer_advance, sinew_mixer_evaluate and sinew_mixer_to_model (mixer_pose.h) in one
/// call, faster than the three: no intermediate pose is stored. Returns false if nothing moved since the last call
/// (everything is paused, has finished, or nothing plays): model matrices and morph weights are unchanged, and results
/// computed from them stay valid. The first call returns true.
SINEW_API bool sinew_mixer_update(sinew_mixer *mixer, float dt);

/// The model matrices, [node_count], owned by the mixer: those of the rest pose at first. Each sinew_mixer_to_model
/// and sinew_mixer_update rewrites them; the pointer stays valid.
///
/// An object that is attached to a node, such as a sword in a hand, has the model matrix
///
///     sinew_affine_multiply(sinew_mixer_model_matrices(mixer)[hand], offset)
///
/// where `hand` is from sinew_skeleton_find, and `offset` is in the node's own space: along the axes that the rig gives
/// the hand, and scaled by the node. docs/howto/attach.md has both.
SINEW_API const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer);

/// The local pose of the last sinew_mixer_evaluate or sinew_mixer_update, read-only. After sinew_mixer_update this
/// call computes it. It is owned by the mixer; the pointer stays valid, and the next evaluation rewrites the pose.
SINEW_API const sinew_pose *sinew_mixer_pose(sinew_mixer *mixer);

/// The current morph weights, [skeleton->weight_count], owned by the mixer. Node i has [weight_offsets[i],
/// weight_offsets[i + 1]). They are those of the last sinew_mixer_evaluate or sinew_mixer_update; the pointer stays
/// valid.
SINEW_API const float *sinew_mixer_morph_weights(const sinew_mixer *mixer);

/// The current curves, [skeleton->curve_count], blended like morph weights: as sinew_mixer_morph_weights. A mixer of a
/// part of a skeleton animates all curves. Inertialized curves stay between their values before and after.
SINEW_API const float *sinew_mixer_curves(const sinew_mixer *mixer);

/// The root motion of the last sinew_mixer_advance: the motion of the base's actions, blended by the proportions they
/// had during the step, exact over any number of loops. Transitions keep its velocity: a held pose that fades out, and
/// that of dead blending, moves the root on at the velocity that its actions had, and in an inertialization the
/// velocity goes from the one before to that of what plays, in 0.55 of the duration. While nothing plays there is no
/// motion, and layers above the base do not change it. No motion if root_motion of the mixer's definition was NULL. See
/// root_motion.h for how to apply it.
SINEW_API sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer);

/// The events of the last sinew_mixer_advance. `items` are owned by the mixer, valid until the next sinew_mixer_advance
/// or sinew_mixer_update.
SINEW_API sinew_events sinew_mixer_events(const sinew_mixer *mixer);

// ---- One action ----------------------------------------------------------------------------------------------

/// Ends the action at once: a hard cut, if others play in the layer. If it was the last of the base, the pose is
/// held. sinew_action_fade_out ends it smoothly.
SINEW_API void sinew_action_stop(sinew_mixer *mixer, sinew_action action);

/// Fades the action from its current weight to `weight` over `duration` seconds of real time, along the action's
/// easing. The result is the same at every frame rate. A duration of 0 sets the weight at once. A later fade
/// replaces an earlier one, from the current weight.
SINEW_API void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration);

/// Fades to the weight of the sinew_play_def that the action was last played with, as sinew_action_fade_to. A
/// fade-out is replaced: the action does not stop.
SINEW_API void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration);

/// Fades to 0, then stops the action.
SINEW_API void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

/// Stops the action's time, or continues it. The weight and its fades continue in either case; playing the source again
/// continues the time as well. An action of a sync group continues at the group's phase; the difference is inertialized
/// over 0.2 s, or a cut without `inertialization` in sinew_mixer_def.
SINEW_API void sinew_action_set_paused(sinew_mixer *mixer, sinew_action action, bool paused);

/// Seeks to the start (the end, if the speed is negative), with no loops done and not finished. Weight, fades and
/// pause are not changed.
SINEW_API void sinew_action_reset(sinew_mixer *mixer, sinew_action action);

/// True until the action is stopped or has faded out, also while it is paused or finished.
SINEW_API bool sinew_action_is_active(const sinew_mixer *mixer, sinew_action action);

/// True if the action has reached its last end and holds that pose.
SINEW_API bool sinew_action_is_finished(const sinew_mixer *mixer, sinew_action action);

/// The action's time in its clip, in seconds, in [0, duration].
SINEW_API float sinew_action_time(const sinew_mixer *mixer, sinew_action action);

/// Seeks; the time is clamped to the clip. A finished action plays again from there, with no loops done.
SINEW_API void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time);

/// Sets the speed, which must be finite (asserted). A finished action whose direction changes plays again, with no
/// loops done. For the handle of an action that has ended see sinew_action_queue_previous.
SINEW_API void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed);

/// The current weight, also during a fade: the one that was requested. The action's part of the pose during a fade is
/// its proportion.
SINEW_API float sinew_action_weight(const sinew_mixer *mixer, sinew_action action);

/// Sets the weight at once and ends the action's fade: it counts by its size compared to the others' current weights,
/// and their fades go on from there. 0 does not stop the action; a weight below 0 counts as 0.
SINEW_API void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight);

/// Sets the loop mode; the time in the clip is kept, and no loops are done. A `loop_count` that is neither at least
/// 1 nor SINEW_FOREVER counts as 1. No-op for a blend space.
SINEW_API void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count);

/// Sets the target of the parameter of an action that plays a blend space; the parameter follows it as
/// sinew_blend_parameter_follow describes. Both numbers must be finite (asserted). For the handle of an action that
/// has ended see sinew_action_queue_previous.
SINEW_API void sinew_action_set_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);

/// Everything about an action at once.
typedef struct sinew_action_state {
    const sinew_clip *clip; ///< the clip that it plays; of a blend space, the sample with the largest weight
    sinew_source source;    ///< what it plays; a blend space with the target of its parameter
    int32_t layer;          ///< the layer that it plays in
    float time;             ///< as sinew_action_time
    float speed;            ///< a factor of real time; negative is backward
    float weight;           ///< as sinew_action_weight
    sinew_loop loop;        ///< its loop mode
    int32_t loops_done;     ///< loops completed since it was started or reset, or its loop mode was set
    bool paused;            ///< by sinew_action_set_paused
    bool finished;          ///< as sinew_action_is_finished
    sinew_blend_parameter parameter; ///< the current parameter and its velocity per second; zeros for a clip
} sinew_action_state;

/// The state of an action. For a stale handle everything is 0, NULL or false, and the layer -1.
SINEW_API sinew_action_state sinew_action_get(const sinew_mixer *mixer, sinew_action action);

// ---- Chains --------------------------------------------------------------------------------------------------

/// Queues `source` to follow an action, by sinew_mixer_transition_to at the exact moment, also within a step: a fade
/// starts so that it ends at the action's last end, or at once if less time is left; the other kinds of transition
/// start at that end. `transition` and `def` may be NULL for the defaults, in the action's layer. Replaces a queued
/// source; an empty source ({0}) clears the queue, and the action holds its last pose. An action that is stopped or
/// fades out is not followed, and neither is one without a last end: that repeats without limit, or plays a blend
/// space.
SINEW_API void sinew_action_queue(sinew_mixer *mixer, sinew_action action, sinew_source source,
                                  const sinew_transition *transition, const sinew_play_def *def);

/// Queues, as sinew_action_queue does, what the action's layer played before its last transition, a clip or a blend
/// space: attack, then back to walking. Returns false, and queues nothing, if there is nothing to return to or the
/// handle is stale. `transition` may be NULL for the defaults.
///
/// What is returned to starts again, with the speed, weight, loop, sync group and parameter that its action had when it
/// ended; if that still plays, it continues. Where the layer's last action has a queued source itself, that source is
/// returned to: of one-shots that interrupt one another, all lead back to what played before the first. The new
/// action's handle is from sinew_mixer_find. sinew_action_set_parameter and sinew_action_set_speed with the old
/// action's handle change what is returned to. A clip that held its last pose returns to that pose.
SINEW_API bool sinew_action_queue_previous(sinew_mixer *mixer, sinew_action action,
                                           const sinew_transition *transition);

/// Queues a fade-out of `duration` seconds, which ends at the action's last end: a one-shot of a layer above the
/// base uncovers the layers below; in the base, the last pose is held. Replaces a queued source. A duration of 0 or
/// less cuts at the end.
SINEW_API void sinew_action_queue_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

// ---- Layers --------------------------------------------------------------------------------------------------

/// How a layer is combined with the layers below it.
typedef enum sinew_layer_mode {
    SINEW_LAYER_OVERRIDE, ///< replaces them; for clips that are not additive
    SINEW_LAYER_ADDITIVE  ///< adds to them; for additive clips (sinew_clip_make_additive), oldest action first
} sinew_layer_mode;

/// The current weight of a layer; 0 <= layer < layer_count here and below (asserted). It is 1 at first; the base's
/// is always 1.
SINEW_API float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer);

/// Sets the weight of a layer above the base at once. A weight below 0 counts as 0; above 1, an override layer
/// counts as 1.
SINEW_API void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight);

/// Fades a layer above the base from its current weight to `weight` over `duration` seconds. Its actions continue,
/// also at weight 0.
SINEW_API void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration,
                                   sinew_easing easing);

/// Sets the nodes that a layer above the base affects, and how much (mask.h); NULL, as at first: all nodes fully. The
/// mask must be of the mixer's skeleton (asserted) and outlive its use. Call this again after changing the mask.
SINEW_API void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask);

/// Sets how a layer above the base is combined with the layers below; SINEW_LAYER_OVERRIDE at first. Call it before
/// anything plays in the layer: actions that already play are not checked against the new mode.
SINEW_API void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode);

// ---- How actions are blended ---------------------------------------------------------------------------------

// Blending. Every action contributes to every node; where its clip has no channel, it contributes the rest pose.
// Contributions are weighted and divided by the sum of the weights: a single action of weight 0.1 plays its clip
// unchanged, and a fade between a clip that moves a finger and one that does not is smooth. Rotations are blended
// as a normalized sum, largest weight first. The side on which a rotation is added, that of its quaternion or of the
// negative one, is chosen when it starts to contribute, for the shorter arc in the middle of its fade, and kept: the
// pose does not flip when two clips pass half a turn. If no action of the base plays, the last pose is held.
// To play clips at once that each move nodes of their own, see sinew_clip_combine (clip.h).
//
// Layers. Layer 0 is the base. Each layer above it overrides the layers below or adds to them, in proportion to
// its weight, its mask and the weights of its actions. If the weights of an override layer's actions sum to less
// than 1, the layers below contribute the remainder.
//
// Fades never pop. A fade moves the proportions of the layer's actions evenly, from the current ones to those of the
// weights after the fade: halfway to a clip of weight 0.1 both clips count by a half. Weights are those that were
// requested, and also those of events. All fades that are requested between two steps are one change. An action that
// does not fade itself takes the time of the longest fade that changes its proportion; in the base, one that gains
// takes no longer than those that lose. If all actions of the base fade out, the one whose fade ends last gets the
// proportions of the others. If nothing plays in the base when a fade-in starts, the held pose fades out. Additive
// layers have no proportions: their actions add by their weights.
//
// Seams. Any jump that a change of what plays would cause is inertialized over its duration: an eviction, a clip that
// starts again, an action that joins a sync group. What acts at once are direct controls (weights, times, speeds,
// parameters, masks) and cuts (a stop, a duration of 0).

#ifdef __cplusplus
}
#endif
#endif
