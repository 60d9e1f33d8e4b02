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
/// An *action* is one playback of a clip (clip.h) or a blend space (blend_space.h). It has a weight and a time, and
/// it plays in one *layer*. Layer 0 is the *base*. A *step* is one update by `dt` seconds. The *current pose* is
/// the result of all actions. A *held pose* is a copy of an earlier one.
///
/// You can change actions at any time between two steps. Immediate changes, such as a weight or a time, apply at
/// the next evaluation. The end of this header says how actions are blended; docs/mixing.md shows it with plots.
///
/// mixer_pose.h splits a frame into parts, to edit or set the pose. motion/mixer_snapshot.h saves and restores
/// mixers.
///
/// Every character has its own mixer. Use a mixer from one thread at a time. Mixers that share a skeleton and clips
/// may run on different threads. sinew_mixer_create allocates all memory. Calls that change, advance or evaluate a
/// mixer use up to 150 KB of stack.
///
/// Times and durations are seconds, speeds are factors of real time, weights are 0 to SINEW_MAX_WEIGHT.
///
/// Wrong arguments are asserted. With NDEBUG they are safe:
///   - The call is a no-op and returns {0}, 0, false or NULL if a pointer is NULL, if an object belongs to another
///     skeleton, if an enum, layer or sync group is out of range, if a def wasn't made by its default function, or if an
///     additive clip would play in an override layer (or the reverse).
///   - Numbers that aren't finite are replaced: a time by the clip's start, a speed or parameter by 0, a NaN weight or
///     duration by 0, an infinite one by the largest.
///   - A weight above SINEW_MAX_WEIGHT is clamped.
///   - A NULL mixer is undefined.
/// Weights and durations below 0 count as 0 in every build.
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

/// A handle to an action. It becomes stale when the action is stopped, evicted or faded out. A finished action
/// keeps its handle.
///
/// Stale handles are safe: queries return 0, false or NULL, and changes are no-ops. {0} is never an action and
/// behaves like a stale handle. So does a handle from another mixer, unless one of the two has restored a snapshot
/// of the other.
typedef struct sinew_action {
    uint64_t id; ///< opaque; compare it with other ids and with 0
} sinew_action;

/// The largest weight of an action or layer. The sum of all weights stays finite up to this value.
#define SINEW_MAX_WEIGHT 1.0e9f

/// The largest number of action slots a mixer can have.
#define SINEW_MAX_ACTIONS 64

/// Every layer, where a layer number is expected.
#define SINEW_ALL_LAYERS (-1)

// ---- Events --------------------------------------------------------------------------------------------------

/// The type of an event.
typedef enum sinew_event_type {
    SINEW_EVENT_LOOPED,   ///< the action reached an end and continues
    SINEW_EVENT_FINISHED, ///< the action reached its last end and holds that pose
    SINEW_EVENT_MARKER    ///< the action reached a marker of its clip
} sinew_event_type;

/// Something an action did during a step. Every end and every marker that the action crosses is one event, in both
/// directions and for every loop.
///
/// A marker is crossed when it is reached: a step that ends exactly on a marker reports it, the next step doesn't.
/// The first step after an action was started, or its time was set, also reports the markers at that time.
///
/// At an end of SINEW_LOOP_REPEAT the order is: markers at this end, LOOPED, markers at the other end, where the
/// next loop starts. SINEW_LOOP_PING_PONG reports a marker at its turning point once.
typedef struct sinew_event {
    sinew_event_type type;                ///< what happened
    sinew_action action;                  ///< stale if the action faded out in the same step
    const sinew_clip *clip;               ///< the clip it plays
    const sinew_marker *marker;           ///< for SINEW_EVENT_MARKER; else NULL
    float moment;                         ///< seconds after the start of the step
    float weight;                         ///< the action's weight at that moment, as sinew_action_weight
    int32_t layer;                        ///< the action's layer
    const sinew_blend_space *blend_space; ///< NULL if the action plays a clip
} sinew_event;

/// The events of a step.
typedef struct sinew_events {
    const sinew_event *items; ///< [count], by `moment`, then by the order in which the actions started
    int32_t count;            ///< number of `items`
    int32_t dropped_count;    ///< events dropped because there were more than max_events
} sinew_events;

// ---- Creating ------------------------------------------------------------------------------------------------

/// What happens when the weights of the base sum to less than 1.
typedef enum sinew_underweight {
    SINEW_UNDERWEIGHT_NORMALIZE, ///< divides weights by their sum; only their ratios matter
    SINEW_UNDERWEIGHT_REST       ///< fills up with the rest pose, like three.js
} sinew_underweight;

/// Options of a mixer. Start from sinew_mixer_default.
typedef struct sinew_mixer_def {
    const sinew_skeleton *skeleton; ///< required; must outlive the mixer
    /// Animates only this node's subtree; other nodes keep the rest pose. Default SINEW_NO_NODE: all nodes.
    int32_t root;
    int32_t max_actions; ///< action slots, shared by all layers; 1 to SINEW_MAX_ACTIONS; default 16
    int32_t layer_count; ///< number of layers, with the base; 1 to 8; default 2
    /// Key hints per action, 0 to 255; default 8. A hint remembers where a timeline's keys (clip.h) were found
    /// last. Timelines without a hint are searched in every step: slower, same result.
    int32_t hints_per_action;
    int32_t max_events;       ///< the most events a step can report; 0 to 65535; default 32
    int32_t max_blend_spaces; ///< how many can play at once; 0 to 4; default 2, so one can fade to another
    /// [sync_name_count]: the names of the sync markers, in the order of a cycle, such as "Foot_L" and "Foot_R".
    /// Must outlive the mixer. See `sync` of sinew_play_def.
    ///
    /// A *stride* is the part of a cycle from one sync marker to the next. Actions of a sync group are always at
    /// the same part of the same stride. Without names, the whole loop is one stride. A clip without the markers
    /// counts as a whole number of equal strides: the number that changes its playback rate least.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 to 64; default 0
    /// Allocates memory for SINEW_TRANSITION_INERTIALIZE and SINEW_TRANSITION_DEAD_BLEND: 244 bytes per node, 40
    /// per morph weight. Default true.
    bool inertialization;
    /// Smooths jumps that have no duration of their own, over this many seconds. They happen when an action is
    /// evicted without a fade, or ends while others still fade. 0 lets them jump. Default 0.2; needs
    /// `inertialization`.
    float smoothing;
    /// Root motion to extract from the base (root_motion.h). Copied. Default NULL: none.
    const sinew_root_motion_def *root_motion;
    sinew_underweight underweight; ///< default SINEW_UNDERWEIGHT_NORMALIZE
    /// Called for each event at the end of sinew_mixer_advance and sinew_mixer_update, in the order of
    /// sinew_mixer_events. It may call the functions of actions. It must not advance, update, restore or destroy
    /// the mixer or its animator, nor another mixer of the same batch (asserted; with NDEBUG such a call on this
    /// mixer does nothing). Note what to do, and do it after the update. Default NULL.
    void (*on_event)(const sinew_event *event, void *user);
    /// Your easings, from [0, 1] to [0, 1]. Must return 0 for u = 0, 1 for u = 1, finite values, and always the
    /// same value for the same u. `number` is the easing minus SINEW_EASING_USER. Must not change the mixer
    /// (asserted). Default NULL: linear.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to on_event and easing
    sinew_allocator allocator; ///< default: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mixer_default
} sinew_mixer_def;

/// Returns the defaults above. Set `skeleton` before you use them. Any thread.
SINEW_API sinew_mixer_def sinew_mixer_default(void);

/// Creates a mixer that shows the rest pose and plays nothing. Free it with sinew_mixer_destroy. Any thread.
///
/// Fails with SINEW_ERROR_OUT_OF_MEMORY or SINEW_ERROR_ARGUMENT. `*mixer` is NULL then. `error`, which may be NULL,
/// names the field, its value and its range:
///   - the def wasn't made by sinew_mixer_default, has no skeleton, or is out of the ranges above
///   - its root motion names no node, a node outside `root`, or a node below one with non-uniform scale
SINEW_API sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer, sinew_error *error);

/// Frees the mixer, its pose and its matrices, but not its clips and skeleton. NULL is allowed. Any thread.
SINEW_API void sinew_mixer_destroy(sinew_mixer *mixer);

// ---- Playing -------------------------------------------------------------------------------------------------

/// What an action plays: a clip or a blend space, never both. {0} is the empty source. Use sinew_clip_source or
/// sinew_blend_space_source to make one.
typedef struct sinew_source {
    const sinew_clip *clip;               ///< NULL for a blend space
    const sinew_blend_space *blend_space; ///< NULL for a clip
    float x, y;                           ///< the blend space's parameter
} sinew_source;

/// Makes a source of a clip; of NULL, the empty source. Any thread.
SINEW_API sinew_source sinew_clip_source(const sinew_clip *clip);

/// Makes a source of a blend space with its parameter at (x, y); of NULL, the empty source. Any thread.
SINEW_API sinew_source sinew_blend_space_source(const sinew_blend_space *space, float x, float y);

/// What an action does at the end of its clip.
typedef enum sinew_loop {
    SINEW_LOOP_ONCE,     ///< plays to the end (backward: to the start), holds that pose, and is finished
    SINEW_LOOP_REPEAT,   ///< starts again from the other end
    SINEW_LOOP_PING_PONG ///< reverses direction; each traversal counts as one loop
} sinew_loop;

/// How a fade gets from 0 to 1.
typedef enum sinew_easing {
    SINEW_EASING_LINEAR,     ///< u
    SINEW_EASING_SMOOTHSTEP, ///< u² (3 - 2u)
    /// Your easing 0: calls `easing` of sinew_mixer_def with number 0. SINEW_EASING_USER + n calls it with number
    /// n, up to 254.
    SINEW_EASING_USER,
    SINEW_EASING_AUTO = 255 ///< SMOOTHSTEP for dead blending, otherwise LINEAR
} sinew_easing;

/// Loops without end.
#define SINEW_FOREVER (-1)

/// Starts at the clip's start, or at its end if the speed is negative.
#define SINEW_TIME_AUTO (-1.0f)

/// How to play an action. Start from sinew_play_default.
typedef struct sinew_play_def {
    float time;   ///< start time in the clip, clamped; default SINEW_TIME_AUTO
    float speed;  ///< default 1; 0 stands still; negative plays backward
    float weight; ///< the weight to reach, at least 0; default 1
    /// Seconds to reach `weight` from the current weight, which is 0 for a new action. Default 0. Transitions
    /// ignore it: they have their own duration.
    float fade;
    sinew_easing easing; ///< used by all fades of this action; default SINEW_EASING_LINEAR
    int32_t layer;       ///< default 0, the base
    /// Sync group, 1 to 255; default 0: none. Repeating actions of a group stay in phase, in any layer: a walk and
    /// a run put the same foot down at the same time. Give the mixer the foot markers (`sync_names` of
    /// sinew_mixer_def).
    ///
    /// The group has one playback rate, the mean of its actions' own rates by weight; during a fade, by proportion.
    /// An action that joins (by being played, resumed or set to repeat) starts at the group's phase and ignores its
    /// `time`, even if its transition ends the group's other actions at once. With INERTIALIZE and DEAD_BLEND it
    /// then starts at the group's rate and reaches its own over the transition. Seeking one action seeks the group.
    /// Paused actions, SINEW_LOOP_ONCE and SINEW_LOOP_PING_PONG are not synchronized.
    int32_t sync;
    sinew_loop loop; ///< default SINEW_LOOP_REPEAT
    /// Loops before the action is finished; default SINEW_FOREVER; another number below 1 counts as 1.
    /// SINEW_LOOP_ONCE ignores it.
    int32_t loop_count;
    bool allow_duplicate; ///< always starts a new action, next to one that plays the clip; default false
    /// Starts a clip from the beginning even if it already plays in the layer, such as an attack that is pressed
    /// twice. Setting `time` does the same. Default false: an action that already plays, or still fades out,
    /// continues from its time and weight with the new speed, loop and target weight. One that has finished, or
    /// plays ONCE and fades out, starts again.
    ///
    /// How it restarts: with a fade, a new action starts and the old one fades out. Without a fade, and in other
    /// kinds of transition, the same action starts again. In a sync group the action itself restarts and the group
    /// seeks with it; with a fade, the difference is inertialized over its duration.
    bool restart;
    uint32_t cookie; ///< private: set by sinew_play_default
} sinew_play_def;

/// Returns the defaults above. Any thread.
SINEW_API sinew_play_def sinew_play_default(void);

/// Starts `source` next to what already plays in the layer def->layer, and returns its action. To replace what
/// plays, use sinew_mixer_crossfade_to. `def` may be NULL for the defaults.
///
/// The source must not be empty, must be of the mixer's skeleton (asserted), and must outlive the action. Additive
/// layers take additive clips and nothing else (asserted). With NDEBUG a wrong argument returns {0}, such as the
/// empty source of a clip that wasn't found.
///
/// If all slots are in use, the action with the lowest weight of an override layer is evicted, fading actions
/// first, and the difference is inertialized. The same happens if max_blend_spaces blend spaces play. Returns {0}
/// if nothing can be evicted, and for a blend space if max_blend_spaces is 0.
///
/// A clip that already plays in the layer keeps its action: see `restart`. So does a blend space; its parameter
/// moves to (x, y). A blend space always repeats from its start, or backward from its end; it ignores `loop`,
/// `loop_count`, `time` and `restart`. Its clip, time and events come from the sample that has the largest weight
/// at the start of a step.
SINEW_API sinew_action sinew_mixer_play(sinew_mixer *mixer, sinew_source source, const sinew_play_def *def);

/// Use this first: fades the layer def->layer to `source` in `duration` seconds, and returns its action. `source`
/// fades to its weight and all other actions of the layer fade to 0, each from its current weight, along
/// def->easing. An action that reaches 0 stops. A duration of 0 is a cut. `def` may be NULL for the defaults;
/// def->fade is ignored. Sources, and when {0} is returned, are as for sinew_mixer_play.
///
/// Call it when something changes, not in every frame: each call starts the fade again from the current weights.
/// Set def->restart for a one-shot that may be requested while it plays, such as an attack. To fade some actions
/// and leave others alone, use sinew_action_fade_out and sinew_action_fade_in.
SINEW_API sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, sinew_source source, float duration,
                                                const sinew_play_def *def);

/// How a transition gets from the old clips to the new one.
typedef enum sinew_transition_kind {
    /// Cross-fade: old and new clips play and are blended.
    SINEW_TRANSITION_FADE,
    /// Only the new clip plays. The difference in pose and velocity is added at the start and decays over the
    /// duration, along a quintic (after Bollo, "Inertialization", GDC 2018). A small difference that closes fast
    /// overshoots, by at most 0.1493 times its velocity times the duration. Morph weights stay between the old
    /// pose's and the new clip's.
    SINEW_TRANSITION_INERTIALIZE,
    /// The new clip fades in over the old pose, which keeps moving with its own, decaying velocity (Holden, "Dead
    /// Blending", 2023). Only in the base; in other layers it is SINEW_TRANSITION_FADE.
    SINEW_TRANSITION_DEAD_BLEND
} sinew_transition_kind;

/// How a clip replaces the others of its layer. Start from sinew_transition_default. Functions take NULL for the
/// defaults.
///
/// INERTIALIZE and DEAD_BLEND stop evaluating the old clips. They start from the current pose and its velocity,
/// including running transitions and root motion. Without `inertialization` in sinew_mixer_def they are fades.
typedef struct sinew_transition {
    sinew_transition_kind kind; ///< default SINEW_TRANSITION_FADE
    float duration;             ///< seconds; default 0.2; 0 is a cut
    sinew_easing easing;        ///< default SINEW_EASING_AUTO
    /// For a fade: all clips of the layer share one playback rate, in cycles per second. It moves from the old
    /// clip's to the new clip's during the fade. Default false.
    bool match_rate;
    uint32_t cookie; ///< private: set by sinew_transition_default
} sinew_transition;

/// Returns the defaults above. Any thread.
SINEW_API sinew_transition sinew_transition_default(void);

/// Like sinew_mixer_crossfade_to, with any kind of transition: inertialization, dead blending, or a fade that
/// matches playback rates. transition->duration and transition->easing replace def->fade and def->easing for this
/// change. `transition` and `def` may be NULL for the defaults.
SINEW_API sinew_action sinew_mixer_transition_to(sinew_mixer *mixer, sinew_source source,
                                                 const sinew_transition *transition, const sinew_play_def *def);

/// Stops all actions of all layers at once. The base holds its pose.
SINEW_API void sinew_mixer_stop_all(sinew_mixer *mixer);

/// Returns the newest action that plays `source` in a layer, or {0}. `layer` must be 0 to layer_count - 1, or
/// SINEW_ALL_LAYERS (asserted). The source's parameter doesn't matter.
SINEW_API sinew_action sinew_mixer_find(const sinew_mixer *mixer, sinew_source source, int32_t layer);

/// Writes the handles of up to `capacity` actions, oldest first. Returns the number of all actions. `actions` may
/// be NULL if `capacity` is 0.
SINEW_API int32_t sinew_mixer_actions(const sinew_mixer *mixer, sinew_action *actions, int32_t capacity);

// ---- Each frame ----------------------------------------------------------------------------------------------

/// Advances time by `dt` seconds, collects events, and computes the pose and the model matrices. `dt` must be
/// finite and at least 0 (asserted).
///
/// Returns false if nothing moved since the last call: everything is paused or finished, or nothing plays. Model
/// matrices and morph weights are unchanged then. The first call returns true.
///
/// It does what sinew_mixer_advance, sinew_mixer_evaluate and sinew_mixer_to_model (mixer_pose.h) do, but faster,
/// because it stores no pose in between.
SINEW_API bool sinew_mixer_update(sinew_mixer *mixer, float dt);

/// The model matrices, [node_count]. The mixer owns them. The pointer stays valid; each sinew_mixer_update and
/// sinew_mixer_to_model rewrites the matrices. Before the first one they are the rest pose's.
///
/// An object attached to a node, such as a sword in a hand, has the model matrix
///
///     sinew_affine_multiply(sinew_mixer_model_matrices(mixer)[hand], offset)
///
/// Find `hand` with sinew_skeleton_find. `offset` is in the node's own space: along the axes that the rig gives the
/// hand, and scaled by the node. See docs/howto/attach.md.
SINEW_API const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer);

/// The local pose of the last evaluation, read-only. After sinew_mixer_update this call computes it. The mixer owns
/// it. The pointer stays valid; the next evaluation rewrites the pose.
SINEW_API const sinew_pose *sinew_mixer_pose(sinew_mixer *mixer);

/// The morph weights of the last evaluation, [skeleton->weight_count]. Node i has [weight_offsets[i],
/// weight_offsets[i + 1]). The mixer owns them. The pointer stays valid.
SINEW_API const float *sinew_mixer_morph_weights(const sinew_mixer *mixer);

/// The curves of the last evaluation, [skeleton->curve_count], blended like morph weights. The mixer owns them. The
/// pointer stays valid. A mixer with a `root` animates all curves. While they are inertialized, curves stay between
/// their old and new values.
SINEW_API const float *sinew_mixer_curves(const sinew_mixer *mixer);

/// The root motion of the last step: how far the base's actions moved the root, blended by their proportions, exact
/// over any number of loops. root_motion.h says how to apply it. The identity if the mixer has no root motion or
/// nothing plays; layers above the base don't change it.
///
/// Transitions keep the velocity. A held pose that fades out, and a dead-blended one, move the root on as fast as
/// their actions did. An inertialization changes the velocity from the old to the new in 0.55 of its duration.
SINEW_API sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer);

/// The events of the last step. The mixer owns `items`; they are valid until the next sinew_mixer_advance or
/// sinew_mixer_update.
SINEW_API sinew_events sinew_mixer_events(const sinew_mixer *mixer);

// ---- One action ----------------------------------------------------------------------------------------------

/// Ends the action at once: a hard cut if others play in the layer. If it was the base's last action, the base
/// holds its pose. For a smooth end use sinew_action_fade_out.
SINEW_API void sinew_action_stop(sinew_mixer *mixer, sinew_action action);

/// Fades the action to `weight` in `duration` seconds of real time, from its current weight along its easing. A
/// duration of 0 sets the weight at once. A later fade replaces an earlier one, from the weight at that moment. The
/// result doesn't depend on the frame rate.
SINEW_API void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration);

/// Fades to the weight of the sinew_play_def that the action was last played with. Replaces a fade-out: the action
/// doesn't stop.
SINEW_API void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration);

/// Fades to 0, then stops the action.
SINEW_API void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

/// Pauses the action's time, or lets it continue. Its weight and fades continue either way. Playing the source
/// again also unpauses it. In a sync group the action continues at the group's phase; the difference is
/// inertialized over 0.2 s, or cut without `inertialization` in sinew_mixer_def.
SINEW_API void sinew_action_set_paused(sinew_mixer *mixer, sinew_action action, bool paused);

/// Seeks to the start, or to the end if the speed is negative. Loops start at 0, and a finished action plays again.
/// Weight, fades and pause don't change.
SINEW_API void sinew_action_reset(sinew_mixer *mixer, sinew_action action);

/// True until the action is stopped or has faded out. Paused and finished actions are active.
SINEW_API bool sinew_action_is_active(const sinew_mixer *mixer, sinew_action action);

/// True if the action has reached its last end and holds that pose.
SINEW_API bool sinew_action_is_finished(const sinew_mixer *mixer, sinew_action action);

/// The action's time in its clip: seconds, 0 to the clip's duration.
SINEW_API float sinew_action_time(const sinew_mixer *mixer, sinew_action action);

/// Seeks to a time, clamped to the clip. A finished action plays again from there, and its loops start at 0.
SINEW_API void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time);

/// Sets the speed, which must be finite (asserted). A finished action that changes direction plays again, and its
/// loops start at 0. For a handle that has become stale see sinew_action_queue_previous.
SINEW_API void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed);

/// The current weight, also during a fade. It is the requested weight: the action's share of the pose is its
/// proportion.
SINEW_API float sinew_action_weight(const sinew_mixer *mixer, sinew_action action);

/// Sets the weight at once and ends the action's fade. The weight counts relative to the others' current weights,
/// and their fades continue from there. 0 doesn't stop the action. A weight below 0 counts as 0.
SINEW_API void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight);

/// Sets the loop mode. The time stays, and loops start at 0. A `loop_count` below 1 counts as 1, except
/// SINEW_FOREVER. No-op for a blend space.
SINEW_API void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count);

/// Sets the parameter that a playing blend space moves to, as sinew_blend_parameter_follow describes. Both numbers
/// must be finite (asserted). For a handle that has become stale see sinew_action_queue_previous.
SINEW_API void sinew_action_set_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);

/// Everything about an action at once.
typedef struct sinew_action_state {
    const sinew_clip *clip;          ///< its clip; for a blend space, the sample with the largest weight
    sinew_source source;             ///< what it plays; for a blend space, with the target parameter
    int32_t layer;                   ///< its layer
    float time;                      ///< as sinew_action_time
    float speed;                     ///< a factor of real time; negative is backward
    float weight;                    ///< as sinew_action_weight
    sinew_loop loop;                 ///< its loop mode
    int32_t loops_done;              ///< loops since it was started or reset, or its loop mode was set
    bool paused;                     ///< by sinew_action_set_paused
    bool finished;                   ///< as sinew_action_is_finished
    sinew_blend_parameter parameter; ///< the current parameter, and its velocity per second; 0 for a clip
} sinew_action_state;

/// The state of an action. For a stale handle everything is 0, NULL or false, and the layer is -1.
SINEW_API sinew_action_state sinew_action_get(const sinew_mixer *mixer, sinew_action action);

// ---- Chains --------------------------------------------------------------------------------------------------

/// Queues `source` to follow the action, as sinew_mixer_transition_to would play it at the exact moment, even
/// within a step. A fade ends when the action reaches its last end; it starts late if less time is left. Other
/// kinds of transition start at that end. `transition` and `def` may be NULL for the defaults, in the action's
/// layer.
///
/// Replaces a queued source. The empty source ({0}) clears the queue, and the action holds its last pose. An action
/// that is stopped or fades out is not followed. Neither is one that never ends: one that repeats forever, or a
/// blend space.
SINEW_API void sinew_action_queue(sinew_mixer *mixer, sinew_action action, sinew_source source,
                                  const sinew_transition *transition, const sinew_play_def *def);

/// Queues what the layer played before its last transition: attack, then back to walking. Returns false and queues
/// nothing if there is nothing to return to or the handle is stale. `transition` may be NULL for the defaults.
///
/// The old clip or blend space starts again with the speed, weight, loop, sync group and parameter that it had when
/// it ended; if it still plays, it continues. A clip that held its last pose returns to that pose.
/// sinew_action_set_parameter and sinew_action_set_speed with the old handle change what it returns to.
/// sinew_mixer_find finds its new action.
///
/// If the layer's last action has a queued source itself, the return leads to that source. So one-shots that
/// interrupt one another all lead back to what played before the first.
SINEW_API bool sinew_action_queue_previous(sinew_mixer *mixer, sinew_action action,
                                           const sinew_transition *transition);

/// Queues a fade-out of `duration` seconds that ends at the action's last end. A one-shot in a layer above the base
/// uncovers the layers below; the base holds its last pose. Replaces a queued source. A duration of 0 or less cuts
/// at the end.
SINEW_API void sinew_action_queue_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

// ---- Layers --------------------------------------------------------------------------------------------------

/// How a layer is combined with the layers below it.
typedef enum sinew_layer_mode {
    SINEW_LAYER_OVERRIDE, ///< replaces them; for clips that are not additive
    SINEW_LAYER_ADDITIVE  ///< adds to them; for additive clips (sinew_clip_make_additive), oldest action first
} sinew_layer_mode;

/// The current weight of a layer, 1 at first; the base is always 1. Here and below, `layer` must be 0 to
/// layer_count - 1 (asserted).
SINEW_API float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer);

/// Sets the weight of a layer above the base at once. Below 0 counts as 0; above 1, an override layer counts as 1.
SINEW_API void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight);

/// Fades a layer above the base to `weight` in `duration` seconds, from its current weight. Its actions continue,
/// even at weight 0.
SINEW_API void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration,
                                   sinew_easing easing);

/// Limits a layer above the base to the nodes of a mask (mask.h); NULL, the default, is all nodes. The mask must be
/// of the mixer's skeleton (asserted) and outlive its use. Call this again after you change the mask.
SINEW_API void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask);

/// Sets how a layer above the base is combined with the layers below; SINEW_LAYER_OVERRIDE at first. Call it before
/// anything plays in the layer: actions that already play are not checked against the new mode.
SINEW_API void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode);

// ---- How actions are blended ---------------------------------------------------------------------------------

// Blending. Every action contributes to every node, by its weight divided by the sum of all weights. A single action of
// weight 0.1 plays its clip unchanged. Where a clip has no channel it contributes the rest pose, so a fade between a
// clip that moves a finger and one that doesn't is smooth. Rotations are blended as a normalized sum, largest weight
// first. Each rotation is added as q or -q; the sign is chosen when it starts to contribute, for the shorter arc in the
// middle of its fade, and kept. So the pose doesn't flip when two clips pass half a turn. If nothing plays in the base,
// it holds the last pose. To play clips together that each move nodes of their own, see sinew_clip_combine (clip.h).
//
// Layers. Each layer overrides the layers below or adds to them, by its weight, its mask and its actions' weights. If
// the weights of an override layer's actions sum to less than 1, the layers below contribute the rest.
//
// Fades never pop. A fade moves the proportions of a layer's actions evenly, from the current ones to the final ones.
// Halfway to a clip of weight 0.1, both clips contribute half. sinew_action_weight and events report the
// requested weights. All fades requested between two steps are one change. An action that doesn't fade itself takes the
// time of the longest fade that changes its proportion; in the base, one that gains takes no longer than those that
// lose. If all actions of the base fade out, the one that ends last gets the proportions of the others. If nothing
// plays in the base when a fade-in starts, the held pose fades out. Additive layers have no proportions: their actions
// add by their weights.
//
// Seams. A jump that comes from a change of what plays is inertialized over the change's duration: an eviction, a clip
// that starts again, an action that joins a sync group. Direct controls act at once (weights, times, speeds,
// parameters, masks), and so do cuts (a stop, a duration of 0).

#ifdef __cplusplus
}
#endif
#endif
