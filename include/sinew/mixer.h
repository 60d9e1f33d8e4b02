// SPDX-License-Identifier: MIT
/// The mixer plays, fades and blends animation clips on one character.
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
///     // Every frame:
///     sinew_mixer_update(mixer, dt);
///     draw(sinew_mixer_model_matrices(mixer)); // or sinew_skin_palette (skin.h)
///     sinew_events events = sinew_mixer_events(mixer);
///     for (int32_t i = 0; i < events.count; i++) react(&events.items[i]);
///
///     sinew_mixer_destroy(mixer);
///
/// An *action* is a single playback of a clip (clip.h) or blend space (blend_space.h). It has its own time and
/// weight, and it plays in one *layer*. Layer 0 is the *base*. A *step* advances the mixer by `dt` seconds. The
/// *current pose* is the result of blending all actions. A *held pose* is a copy of an earlier one.
///
/// You can change actions whenever you like between steps. Immediate changes, such as setting a weight or a time,
/// take effect at the next evaluation. See the end of this header for how actions are blended, and docs/mixing.md
/// for plots.
///
/// If you need to edit or set the pose, for example for inverse kinematics, see mixer_pose.h. To save and restore a
/// mixer, see motion/mixer_snapshot.h.
///
/// Create one mixer per character. Only one thread at a time may use a mixer. Different mixers can run on different
/// threads, even if they share a skeleton and clips. You can create and destroy mixers on any thread. Functions
/// that don't take a mixer are thread-safe.
///
/// sinew_mixer_create allocates all memory up front. Functions that change, advance or evaluate a mixer use up
/// to 150 KB of stack.
///
/// Times and durations are in seconds. A speed of 1 is real time. Weights range from 0 to SINEW_MAX_WEIGHT.
///
/// Invalid arguments are asserted. In NDEBUG builds they are handled safely:
///   - The function does nothing and returns {0}, 0, false or NULL if a pointer is NULL, an object belongs to a
///     different skeleton, an enum, layer or sync group is out of range, a def wasn't made by its default function,
///     or an additive clip would play in an override layer (or vice versa).
///   - Numbers that aren't finite are replaced. A time becomes the clip's start, a speed or parameter becomes 0,
///     and a NaN weight or duration becomes 0. An infinite weight or duration becomes the largest valid value.
///   - Weights above SINEW_MAX_WEIGHT are clamped.
///   - Passing NULL as the mixer is undefined behavior.
/// Negative weights and durations are treated as 0 in all builds.
#ifndef SINEW_MIXER_H
#define SINEW_MIXER_H

#include "blend_space.h"
#include "mask.h"
#include "root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A character's playback state, pose and model matrices.
typedef struct sinew_mixer sinew_mixer;

/// A handle to an action. It becomes stale when the action is stopped or evicted, or has faded out. A finished
/// action keeps its handle.
///
/// Stale handles are safe to use. Queries return 0, false or NULL, and changes are no-ops. {0} is never a valid
/// action and behaves like a stale handle. So does a handle from a different mixer, unless one of the two mixers
/// has restored a snapshot of the other.
typedef struct sinew_action {
    uint64_t id; ///< opaque; you can compare it with other ids and with 0
} sinew_action;

/// The maximum weight of an action or layer. This limit keeps the sum of all weights finite.
#define SINEW_MAX_WEIGHT 1.0e9f

/// The maximum number of action slots in a mixer.
#define SINEW_MAX_ACTIONS 64

/// Pass this as a layer number to mean every layer.
#define SINEW_ALL_LAYERS (-1)

// ---- Events --------------------------------------------------------------------------------------------------

/// The type of an event.
typedef enum sinew_event_type {
    SINEW_EVENT_LOOPED,   ///< the action reached an end of its clip and keeps playing
    SINEW_EVENT_FINISHED, ///< the action finished its last loop and now holds that pose
    SINEW_EVENT_MARKER    ///< the action reached a marker in its clip
} sinew_event_type;

/// Something that happened to an action during a step. You get one event each time an action crosses a marker or an
/// end of its clip, in either direction and in every loop.
///
/// Markers fire when they are reached. If a step ends exactly on a marker, that step reports it and the next one
/// doesn't. The first step after you start an action or set its time also reports markers at that exact time.
///
/// When a SINEW_LOOP_REPEAT action loops, you first get the markers at the end it reached, then LOOPED, then the
/// markers at the end where the next loop starts. SINEW_LOOP_PING_PONG reports a marker at its turning point once.
typedef struct sinew_event {
    sinew_event_type type;                ///< what happened
    sinew_action action;                  ///< the action; already stale if it faded out during this step
    const sinew_clip *clip;               ///< the clip that the action plays
    const sinew_marker *marker;           ///< the marker for SINEW_EVENT_MARKER, otherwise NULL
    float moment;                         ///< when it happened, in seconds since the start of the step
    float weight;                         ///< the action's weight at that moment; see sinew_action_weight
    int32_t layer;                        ///< the action's layer
    const sinew_blend_space *blend_space; ///< the blend space that the action plays, or NULL if it plays a clip
} sinew_event;

/// The events from one step.
typedef struct sinew_events {
    const sinew_event *items; ///< [count], sorted by `moment`; on a tie, the action that started first comes first
    int32_t count;            ///< number of events in `items`
    int32_t dropped_count;    ///< number of events that were dropped because there were more than max_events
} sinew_events;

// ---- Creating ------------------------------------------------------------------------------------------------

/// How to handle base weights that sum to less than 1.
typedef enum sinew_underweight {
    SINEW_UNDERWEIGHT_NORMALIZE, ///< divide all weights by their sum, so only their ratios matter
    SINEW_UNDERWEIGHT_REST       ///< the rest pose makes up the difference, like in three.js
} sinew_underweight;

/// Options for creating a mixer. Start from sinew_mixer_default.
typedef struct sinew_mixer_def {
    const sinew_skeleton *skeleton; ///< required; must outlive the mixer
    /// Animate only this node and its descendants. All other nodes stay in the rest pose. The default,
    /// SINEW_NO_NODE, animates all nodes.
    int32_t root;
    int32_t max_actions; ///< number of action slots, shared by all layers; 1 to SINEW_MAX_ACTIONS, default 16
    int32_t layer_count; ///< number of layers including the base; 1 to 8, default 2
    /// Number of key hints per action, from 0 to 255. Default 8. A hint remembers where in a timeline (clip.h) the
    /// last keys were found. A timeline without a hint is searched on every step, which is slower but gives the
    /// same result.
    int32_t hints_per_action;
    int32_t max_events;       ///< maximum number of events reported per step; 0 to 65535, default 32
    int32_t max_blend_spaces; ///< how many blend spaces can play at once; 0 to 4, default 2 to allow a fade
    /// [sync_name_count]: the names of your sync markers in the order they occur in a cycle, such as "Foot_L" and
    /// "Foot_R". They must outlive the mixer. See `sync` in sinew_play_def.
    ///
    /// A *stride* is the part of a cycle from one sync marker to the next. Actions in a sync group are always at
    /// the same point in the same stride. If there are no names, the whole loop is one stride. A clip without these
    /// markers is split into equal strides. The mixer picks the number of strides that changes the clip's playback
    /// rate the least.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 to 64, default 0
    /// Allocate the memory that SINEW_TRANSITION_INERTIALIZE and SINEW_TRANSITION_DEAD_BLEND need. This is 244
    /// bytes per node and 40 per morph weight. Default true.
    bool inertialization;
    /// How long to smooth jumps that don't have their own duration, in seconds. These happen when an action is
    /// evicted without a fade, or ends while others are still fading. Use 0 if you don't want smoothing. Default
    /// 0.2. Requires `inertialization`.
    float smoothing;
    /// Optional root motion to extract from the base (root_motion.h). The definition is copied. Default NULL.
    const sinew_root_motion_def *root_motion;
    sinew_underweight underweight; ///< default SINEW_UNDERWEIGHT_NORMALIZE
    /// Optional event callback. sinew_mixer_advance and sinew_mixer_update call it once per event before they
    /// return, in the same order as sinew_mixer_events. The callback can play and change actions. It must not
    /// advance, update, restore or destroy this mixer, its animator, or any other mixer in the same batch. This is
    /// asserted. In NDEBUG builds, such calls on this mixer do nothing. Make a note and do these things after the
    /// update. Default NULL.
    void (*on_event)(const sinew_event *event, void *user);
    /// Optional callback for your own easings. `number` is the easing minus SINEW_EASING_USER. It maps `u` from
    /// [0, 1] to [0, 1], and must return 0 for u = 0 and 1 for u = 1. Results must be finite, and the same u must
    /// always give the same result. The callback must not change the mixer (asserted). NULL (the default) is
    /// linear.
    float (*easing)(int32_t number, float u, void *user);
    void *user;                ///< passed to `on_event` and `easing`
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mixer_default
} sinew_mixer_def;

/// Returns the default options. You must set `skeleton`.
SINEW_API sinew_mixer_def sinew_mixer_default(void);

/// Creates a mixer. It starts in the rest pose with nothing playing. Free it with sinew_mixer_destroy.
///
/// On failure `*mixer` is NULL. `error` may be NULL. If a field is invalid, `error` contains its name, its value
/// and the valid range. Fails with SINEW_ERROR_OUT_OF_MEMORY, or with SINEW_ERROR_ARGUMENT if:
///   - the def wasn't made by sinew_mixer_default, doesn't have a skeleton, or has a value outside the ranges above
///   - the root motion's node doesn't exist, is outside `root`, or is below a node with non-uniform scale
SINEW_API sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer, sinew_error *error);

/// Destroys a mixer and frees its memory, including its pose and matrices. Clips and the skeleton aren't freed.
/// `mixer` may be NULL.
SINEW_API void sinew_mixer_destroy(sinew_mixer *mixer);

// ---- Playing -------------------------------------------------------------------------------------------------

/// What an action plays: either a clip or a blend space. {0} is the empty source. Create a source with
/// sinew_clip_source or sinew_blend_space_source.
typedef struct sinew_source {
    const sinew_clip *clip;               ///< NULL if this is a blend space
    const sinew_blend_space *blend_space; ///< NULL if this is a clip
    float x, y;                           ///< the blend space's parameter
} sinew_source;

/// Makes a source from a clip. Passing NULL gives you the empty source.
SINEW_API sinew_source sinew_clip_source(const sinew_clip *clip);

/// Makes a source from a blend space with its parameter at (x, y). Passing NULL gives you the empty source.
SINEW_API sinew_source sinew_blend_space_source(const sinew_blend_space *space, float x, float y);

/// What an action does when it reaches the end of its clip.
typedef enum sinew_loop {
    SINEW_LOOP_ONCE,     ///< plays to the end (or to the start if backward), then finishes and holds that pose
    SINEW_LOOP_REPEAT,   ///< starts over from the other end
    SINEW_LOOP_PING_PONG ///< reverses direction; each pass through the clip is one loop
} sinew_loop;

/// The shape of a fade. `u` goes from 0 to 1 during the fade.
typedef enum sinew_easing {
    SINEW_EASING_LINEAR,     ///< u
    SINEW_EASING_SMOOTHSTEP, ///< u² (3 - 2u)
    /// Your first custom easing. Calls `easing` in sinew_mixer_def with number 0. SINEW_EASING_USER + n calls it
    /// with number n. The sum can be at most 254.
    SINEW_EASING_USER,
    SINEW_EASING_AUTO = 255 ///< SMOOTHSTEP for dead blending, otherwise LINEAR
} sinew_easing;

/// Pass this as a loop count to loop forever.
#define SINEW_FOREVER (-1)

/// Starts at the beginning of the clip, or at its end if the speed is negative.
#define SINEW_TIME_AUTO (-1.0f)

/// Options for playing an action. Start from sinew_play_default.
typedef struct sinew_play_def {
    float time;   ///< where to start in the clip, in seconds, clamped to the clip; default SINEW_TIME_AUTO
    float speed;  ///< 0 stands still and negative plays backward; default 1
    float weight; ///< target weight, 0 or more; default 1
    /// Time in seconds to reach `weight`. The fade starts from the current weight, which is 0 for a new action.
    /// Transitions ignore this because they have their own duration. Default 0.
    float fade;
    sinew_easing easing; ///< used by all of this action's fades; default SINEW_EASING_LINEAR
    int32_t layer;       ///< default 0, the base
    /// Sync group from 1 to 255. The default, 0, means no group. Repeating actions in the same group stay in phase,
    /// even across layers. This lets a walk and a run put the same foot down at the same time. Use `sync_names` in
    /// sinew_mixer_def to tell the mixer which markers are foot contacts.
    ///
    /// All actions in a group share one playback rate. It's the average of their own rates, weighted by action
    /// weight, or by proportion during a fade. An action joins the group when you play it, resume it or set it to
    /// repeat. It then starts at the group's phase and ignores its own `time`. This also works if its transition
    /// immediately ends the group's other actions. In an INERTIALIZE or DEAD_BLEND transition, it then starts at
    /// the group's rate and reaches its own rate by the end. Seeking one action seeks the whole group. Paused
    /// actions, SINEW_LOOP_ONCE and SINEW_LOOP_PING_PONG aren't synchronized.
    int32_t sync;
    sinew_loop loop; ///< default SINEW_LOOP_REPEAT
    /// Number of loops before the action finishes. Defaults to SINEW_FOREVER. Any other number below 1 is treated
    /// as 1. Ignored for SINEW_LOOP_ONCE.
    int32_t loop_count;
    bool allow_duplicate; ///< always start a new action, even if the clip is already playing; default false
    /// Start the clip from the beginning even if it's already playing in the layer. This is useful for an attack
    /// button that can be pressed twice. Setting `time` does the same. Default false: an action that is playing or
    /// still fading out continues from its current time and weight, with the new speed, loop mode and target
    /// weight. An action that has finished always starts over, and so does a SINEW_LOOP_ONCE action that is fading
    /// out.
    ///
    /// If there is a fade, a restart begins a new action and fades out the old one. Without a fade, or with any
    /// other kind of transition, the same action starts over. In a sync group, the same action always starts over
    /// and the whole group seeks with it. In that case, a fade inertializes the difference over its duration.
    bool restart;
    uint32_t cookie; ///< private: set by sinew_play_default
} sinew_play_def;

/// Returns the default options for playing an action.
SINEW_API sinew_play_def sinew_play_default(void);

/// Plays `source` alongside whatever is already playing in def->layer, and returns its action. If you want to
/// replace what's playing, use sinew_mixer_crossfade_to. `def` may be NULL for the defaults.
///
/// The source must not be empty and must use the mixer's skeleton (asserted). It must outlive the action. Additive
/// layers only accept additive clips (asserted). In NDEBUG builds, an invalid argument returns {0}. For example,
/// this happens if a clip wasn't found and the source is empty.
///
/// If all slots are in use, the action with the lowest weight in an override layer is evicted. Actions that are
/// fading out go first. The difference is inertialized. The same happens if max_blend_spaces blend spaces are
/// already playing. Returns {0} if nothing can be evicted, or if `source` is a blend space and max_blend_spaces is
/// 0.
///
/// A clip that is already playing in the layer keeps its action (see `restart`). A blend space also keeps its
/// action, and its parameter moves to (x, y). Blend spaces always repeat, from the start or backward from the end.
/// They ignore `loop`, `loop_count`, `time` and `restart`. A blend space gets its clip, time and events from the
/// sample with the largest weight at the start of the step.
SINEW_API sinew_action sinew_mixer_play(sinew_mixer *mixer, sinew_source source, const sinew_play_def *def);

/// Cross-fades def->layer to `source` over `duration` seconds and returns its action. You'll normally use this
/// function to change animations. `source` fades to its weight and all other actions in the layer fade to 0. Each
/// fade starts from the action's current weight and uses def->easing. Actions stop when they reach 0. A duration
/// of 0 is a cut. `def` may be NULL for the defaults. def->fade is ignored. See sinew_mixer_play for the rules
/// about `source` and for when this returns {0}.
///
/// Call this when something changes, not every frame, because each call restarts the fade from the current weights.
/// Set def->restart for a one-shot that may be requested again while it plays, such as an attack. If you want to
/// fade some actions and leave others alone, use sinew_action_fade_out and sinew_action_fade_in.
SINEW_API sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, sinew_source source, float duration,
                                                const sinew_play_def *def);

/// How a transition gets from the old clips to the new one.
typedef enum sinew_transition_kind {
    /// Cross-fade. The old clips keep playing and are blended with the new one.
    SINEW_TRANSITION_FADE,
    /// Only the new clip plays. The difference in pose and velocity is added to it and decays over the duration,
    /// along a quintic (after Bollo, "Inertialization", GDC 2018). A small difference that is closing fast can
    /// overshoot by up to 0.1493 times its velocity times the duration. Morph weights stay between the old pose's
    /// value and the new clip's value.
    SINEW_TRANSITION_INERTIALIZE,
    /// The new clip fades in over the old pose, which keeps moving at its own, decaying velocity (Holden, "Dead
    /// Blending", 2023). This only works in the base. Other layers use SINEW_TRANSITION_FADE instead.
    SINEW_TRANSITION_DEAD_BLEND
} sinew_transition_kind;

/// How a clip replaces the other clips in its layer. Start from sinew_transition_default. Functions accept NULL for
/// the defaults.
///
/// INERTIALIZE and DEAD_BLEND stop evaluating the old clips. They start from the current pose and velocity,
/// including root motion and any transitions in progress. They become fades if `inertialization` is off in
/// sinew_mixer_def.
typedef struct sinew_transition {
    sinew_transition_kind kind; ///< default SINEW_TRANSITION_FADE
    float duration;             ///< in seconds; 0 is a cut; default 0.2
    sinew_easing easing;        ///< default SINEW_EASING_AUTO
    /// Only for fades. All clips in the layer share one playback rate, in cycles per second. During the fade it
    /// moves from the old clip's rate to the new clip's rate. Default false.
    bool match_rate;
    uint32_t cookie; ///< private: set by sinew_transition_default
} sinew_transition;

/// Returns the default transition, which is a fade over 0.2 seconds.
SINEW_API sinew_transition sinew_transition_default(void);

/// Like sinew_mixer_crossfade_to, but you can choose the kind of transition: inertialization, dead blending, or a
/// fade that matches playback rates. This uses transition->duration and transition->easing instead of def->fade and
/// def->easing, but later fades of the action use def->easing again. `transition` and `def` may be NULL for the
/// defaults.
SINEW_API sinew_action sinew_mixer_transition_to(sinew_mixer *mixer, sinew_source source,
                                                 const sinew_transition *transition, const sinew_play_def *def);

/// Stops all actions in all layers immediately. The base holds its pose.
SINEW_API void sinew_mixer_stop_all(sinew_mixer *mixer);

/// Returns the newest action that's playing `source` in a layer, or {0} if there isn't one. `layer` must be from 0
/// to layer_count - 1, or SINEW_ALL_LAYERS (asserted). The source's parameter is ignored.
SINEW_API sinew_action sinew_mixer_find(const sinew_mixer *mixer, sinew_source source, int32_t layer);

/// Gets the handles of up to `capacity` actions, oldest first. Returns the total number of actions. `actions` may
/// be NULL if `capacity` is 0.
SINEW_API int32_t sinew_mixer_actions(const sinew_mixer *mixer, sinew_action *actions, int32_t capacity);

// ---- Each frame ----------------------------------------------------------------------------------------------

/// Advances time by `dt` seconds, collects events, and computes the pose and the model matrices. `dt` must be
/// finite and at least 0 (asserted).
///
/// Returns false if nothing has moved since the last call, because nothing is playing or everything is paused or
/// finished. In that case the model matrices and morph weights haven't changed. The first call always returns true.
///
/// This gives the same result as sinew_mixer_advance, sinew_mixer_evaluate and sinew_mixer_to_model (mixer_pose.h),
/// but it's faster because it doesn't need to store the pose in between.
SINEW_API bool sinew_mixer_update(sinew_mixer *mixer, float dt);

/// Returns the model matrices, [node_count]. The mixer owns them. The pointer stays valid, but sinew_mixer_update
/// and sinew_mixer_to_model overwrite the matrices. Before the first update you get the rest pose.
///
/// To attach an object to a node, such as a sword to a hand, compute its model matrix like this:
///
///     sinew_affine_multiply(sinew_mixer_model_matrices(mixer)[hand], offset)
///
/// Use sinew_skeleton_find to get `hand`. `offset` is in the node's own space, so it uses the skeleton's axes for
/// the hand and is scaled by the node. See docs/howto/attach.md.
SINEW_API const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer);

/// Returns the local pose from the last evaluation, read-only. After sinew_mixer_update, this call has to compute
/// it. The mixer owns the pose. The pointer stays valid, but the next evaluation overwrites the pose.
SINEW_API const sinew_pose *sinew_mixer_pose(sinew_mixer *mixer);

/// Returns the morph weights from the last evaluation, [skeleton->weight_count]. Node i's weights are in the range
/// [weight_offsets[i], weight_offsets[i + 1]). The mixer owns the array. The pointer stays valid.
SINEW_API const float *sinew_mixer_morph_weights(const sinew_mixer *mixer);

/// Returns the curves from the last evaluation, [skeleton->curve_count]. They are blended like morph weights. The
/// mixer owns the array. The pointer stays valid. All curves are animated, even if the mixer has a `root`. During
/// an inertialization, curves stay between their old and new values.
SINEW_API const float *sinew_mixer_curves(const sinew_mixer *mixer);

/// Returns the root motion from the last step. This is how far the base's actions moved the root, blended by their
/// proportions. It's exact over any number of loops. See root_motion.h for how to apply it. Other layers don't
/// affect it. Returns the identity if the mixer doesn't have root motion or nothing is playing.
///
/// Transitions preserve velocity. A held pose that is fading out keeps moving the root as fast as its actions did.
/// So does a dead-blended pose. An inertialization takes 0.55 of its duration to get from the old velocity to the
/// new one.
SINEW_API sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer);

/// Returns the events from the last step. The mixer owns `items`. They are valid until the next sinew_mixer_advance
/// or sinew_mixer_update.
SINEW_API sinew_events sinew_mixer_events(const sinew_mixer *mixer);

// ---- One action ----------------------------------------------------------------------------------------------

/// Stops an action immediately. This is a hard cut if other actions are playing in the layer. If this was the
/// base's last action, the base holds its pose. Use sinew_action_fade_out if you want a smooth end.
SINEW_API void sinew_action_stop(sinew_mixer *mixer, sinew_action action);

/// Fades an action from its current weight to `weight` over `duration` seconds of real time, using its easing. A
/// duration of 0 sets the weight immediately. If you start another fade during this one, it takes over from the
/// current weight. The result doesn't depend on the frame rate.
SINEW_API void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration);

/// Fades an action to the weight in the sinew_play_def you last played it with. This also cancels a fade-out, so
/// the action doesn't stop.
SINEW_API void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration);

/// Fades an action to 0 and then stops it.
SINEW_API void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

/// Pauses or resumes an action's time. Its weight and fades continue either way. Playing the source again also
/// resumes it. If the action is in a sync group, it resumes at the group's phase. The difference is inertialized
/// over 0.2 s, or cut if `inertialization` is off in sinew_mixer_def.
SINEW_API void sinew_action_set_paused(sinew_mixer *mixer, sinew_action action, bool paused);

/// Seeks to the start, or to the end if the speed is negative. This resets the loop counter to 0, and a finished
/// action plays again. Its weight, fades and pause state don't change.
SINEW_API void sinew_action_reset(sinew_mixer *mixer, sinew_action action);

/// Is the action active? True until the action is stopped or has faded out. Paused and finished actions are still
/// active.
SINEW_API bool sinew_action_is_active(const sinew_mixer *mixer, sinew_action action);

/// Has the action finished its last loop? If so, it's holding that pose.
SINEW_API bool sinew_action_is_finished(const sinew_mixer *mixer, sinew_action action);

/// Returns the action's time in its clip, in seconds. Ranges from 0 to the clip's duration.
SINEW_API float sinew_action_time(const sinew_mixer *mixer, sinew_action action);

/// Seeks to a time in seconds, clamped to the clip. A finished action plays again from there, with its loop counter
/// reset to 0.
SINEW_API void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time);

/// Sets the speed. Must be finite (asserted). If a finished action changes direction, it plays again and its loop
/// counter is reset to 0. See sinew_action_queue_previous for what this does to a stale handle.
SINEW_API void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed);

/// Returns the action's current weight, even in the middle of a fade. Note that this is the weight you asked for.
/// The action's actual share of the pose is its proportion.
SINEW_API float sinew_action_weight(const sinew_mixer *mixer, sinew_action action);

/// Sets the weight immediately and ends the action's fade. The weight is relative to the current weights of the
/// other actions. If those are fading, their fades continue from there. A weight of 0 doesn't stop the action.
SINEW_API void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight);

/// Sets the loop mode. The action keeps its time, but its loop counter is reset to 0. A `loop_count` below 1 is
/// treated as 1, unless it's SINEW_FOREVER. No-op for a blend space.
SINEW_API void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count);

/// Sets the target parameter for a blend space. See sinew_blend_parameter_follow for how it gets there. Both
/// numbers must be finite (asserted). See sinew_action_queue_previous for what this does to a stale handle.
SINEW_API void sinew_action_set_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);

/// Everything there is to know about an action.
typedef struct sinew_action_state {
    const sinew_clip *clip;          ///< its clip; in a blend space, the clip with the largest weight
    sinew_source source;             ///< what it plays; for a blend space, x and y are the target parameter
    int32_t layer;                   ///< its layer
    float time;                      ///< see sinew_action_time
    float speed;                     ///< playback speed; 1 is real time, negative plays backward
    float weight;                    ///< see sinew_action_weight
    sinew_loop loop;                 ///< its loop mode
    int32_t loops_done;              ///< loops since it started, was reset, or got a new loop mode
    bool paused;                     ///< see sinew_action_set_paused
    bool finished;                   ///< see sinew_action_is_finished
    sinew_blend_parameter parameter; ///< current parameter and its velocity; 0 for a clip
} sinew_action_state;

/// Returns the state of an action. For a stale handle everything is 0, NULL or false, and the layer is -1.
SINEW_API sinew_action_state sinew_action_get(const sinew_mixer *mixer, sinew_action action);

// ---- Chains --------------------------------------------------------------------------------------------------

/// Queues `source` to follow an action. When it's time, the mixer plays it like sinew_mixer_transition_to would, at
/// the exact moment, even in the middle of a step. A fade is timed to end when the action finishes its last loop.
/// If there isn't enough time left, the fade starts immediately and ends later. Other kinds of transition start
/// when the action finishes. `transition` and `def` may be NULL for the defaults. If `def` is NULL, `source` plays
/// in the action's layer.
///
/// This replaces a source you queued earlier. Pass the empty source ({0}) to clear the queue, so the action holds
/// its last pose. The queued source doesn't play if you stop the action or fade it out. It also doesn't play if the
/// action never ends, because it's a blend space or repeats forever.
SINEW_API void sinew_action_queue(sinew_mixer *mixer, sinew_action action, sinew_source source,
                                  const sinew_transition *transition, const sinew_play_def *def);

/// Queues whatever the layer was playing before its last transition. For example, a character can attack and then
/// go back to walking. `transition` may be NULL for the defaults. Returns false and queues nothing if there's
/// nothing to return to or the handle is stale.
///
/// If the old clip or blend space is still playing, it continues. Otherwise it starts again with the speed, weight,
/// loop mode, sync group and parameter it had when it ended. A clip that was holding its last pose returns to that
/// pose. You can use the old handle with sinew_action_set_parameter and sinew_action_set_speed to change how it
/// returns. Use sinew_mixer_find to get its new action.
///
/// If the layer's last action has its own queued source, the mixer returns to that source instead. This means that
/// one-shots that interrupt each other all lead back to whatever was playing before the first one.
SINEW_API bool sinew_action_queue_previous(sinew_mixer *mixer, sinew_action action,
                                           const sinew_transition *transition);

/// Queues a fade-out over `duration` seconds, timed to end when the action finishes its last loop. Use this for a
/// one-shot in an upper layer, so the layers below show again when it ends. The base holds its last pose instead.
/// This replaces a queued source. If the duration is 0 or less, the action is cut when it finishes.
SINEW_API void sinew_action_queue_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

// ---- Layers --------------------------------------------------------------------------------------------------

/// How a layer is combined with the layers below it.
typedef enum sinew_layer_mode {
    SINEW_LAYER_OVERRIDE, ///< replaces them; for clips that aren't additive
    SINEW_LAYER_ADDITIVE  ///< adds to them, oldest action first; for additive clips (sinew_clip_make_additive)
} sinew_layer_mode;

/// Returns a layer's current weight. Layers start with a weight of 1, and the base always has a weight of 1. Here
/// and below, `layer` must be from 0 to layer_count - 1 (asserted).
SINEW_API float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer);

/// Immediately sets the weight of a layer above the base. An override layer treats a weight above 1 as 1.
SINEW_API void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight);

/// Fades a layer above the base from its current weight to `weight` over `duration` seconds. Its actions keep
/// playing, even at weight 0.
SINEW_API void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration,
                                   sinew_easing easing);

/// Limits a layer above the base to the nodes in a mask (mask.h). NULL (the default) means all nodes. The mask must
/// use the mixer's skeleton (asserted), and you must keep it alive while the layer uses it. If you change the mask,
/// call this again.
SINEW_API void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask);

/// Sets how a layer above the base is combined with the layers below. Layers start as SINEW_LAYER_OVERRIDE. Call
/// this before you play anything in the layer, because it doesn't check whether existing actions fit the new mode.
SINEW_API void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode);

// ---- How actions are blended ---------------------------------------------------------------------------------

// Blending. Every action contributes to every node. Its share is its weight divided by the sum of all weights, so a
// single action with a weight of 0.1 plays its clip unchanged. If a clip doesn't have a channel for something, it
// contributes the rest pose there. This keeps fades smooth between a clip that moves a finger and a clip that
// doesn't. Rotations are blended as a normalized sum, largest weight first. Each rotation is added as q or -q. The
// sign is chosen when the rotation starts to contribute, to take the shorter arc in the middle of its fade, and
// doesn't change after that. This keeps the pose from flipping when two clips move more than half a turn apart. If
// nothing plays in the base, it holds the last pose. If you want to combine clips that each move their own nodes,
// see sinew_clip_combine (clip.h).
//
// Layers. Each layer overrides or adds to the layers below it. How much depends on its weight, its mask and its
// actions' weights. If the action weights in an override layer sum to less than 1, the layers below make up the
// rest.
//
// Fades never pop. A fade moves the proportions of a layer's actions evenly from their current values to their
// final values. For example, halfway through a fade to a clip with a weight of 0.1, both clips contribute half.
// Note that sinew_action_weight and events still report the weights you asked for. All fades that you request
// between two steps are treated as one change. If an action's proportion changes without a fade of its own, it
// takes as long as the longest fade that affects it. In the base, an action whose proportion grows never takes
// longer than the ones that shrink. If all actions in the base fade out, the last one to end takes over the others'
// proportions. If nothing is playing in the base when a fade-in starts, the held pose fades out. Additive layers
// don't use proportions. Their actions are simply added by weight.
//
// Seams. Some changes make the pose jump, such as an eviction, a clip that starts over, or an action that joins a
// sync group. These jumps are inertialized over the duration of the change. Direct controls (weights, times,
// speeds, parameters and masks) and cuts (a stop, or a duration of 0) take effect immediately.

#ifdef __cplusplus
}
#endif
#endif
