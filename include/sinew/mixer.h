/// The mixer: which clips a character plays, when, and how much of each.
///
/// One mixer per character. It belongs to one thread at a time, with every function here that takes it; mixers that
/// share a skeleton and clips may run on different threads. All its memory is taken when it is made. Times are
/// seconds, speeds are factors of real time, weights are 0 to SINEW_MAX_WEIGHT.
///
/// Wrong arguments, one rule: they are asserted, and builds with NDEBUG stay safe. There a pointer that is NULL or belongs to
/// another skeleton, and an enum, layer or group out of range, make the call a no-op that returns {0}, 0, false or NULL. A
/// number that is not finite becomes a safe one: a time the start, a speed or weight 0, a duration 0 seconds; a weight above
/// SINEW_MAX_WEIGHT becomes that. Weights and durations below 0 count as 0 in every build, and are not asserted. A mixer
/// that is NULL is asserted, and undefined with NDEBUG.
///
/// Blending, one rule: every action contributes to every node, with the rest pose where its clip has no channel;
/// contributions are weighted and divided by the sum of the weights. So a lone action of weight 0.1 is simply that
/// clip, and a fade between a clip that moves a finger and one that does not is smooth. When nothing plays, the
/// last pose is held. Rotations blend as a normalised sum on one hemisphere, heaviest action first.
///
/// Layers lie over each other: the base, layer 0, is blended by that rule; each layer above it takes the place of what is
/// below, or adds to it, as far as its weight, its mask and its actions go. A layer whose actions' weights sum to less than
/// 1 leaves what is missing to the layers below.
///
/// What fades does not jump. A fade starts from the weight that there is, and where the base's weights sum to less than 1
/// when an action starts to fade in, the pose as it is takes the missing part and fades out meanwhile. Where a slot is
/// needed, the pose of the action that is missed least does the same.
#ifndef SINEW_MIXER_H
#define SINEW_MIXER_H

#include "blend_space.h"
#include "mask.h"
#include "root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What one character plays, its pose and its model matrices.
typedef struct sinew_mixer sinew_mixer;

/// A handle to one playing of a clip. It goes stale when the action ends (is stopped, or has faded out); asking a
/// stale handle is safe and answers 0, false or NULL, and changing it does nothing. {0} is no action. A handle of another
/// mixer is stale, too, unless one of the two has restored a snapshot of the other.
typedef struct sinew_action {
    uint64_t id; ///< opaque: to be compared with other ids and with 0
} sinew_action;

/// What an action does at the end of its clip.
typedef enum sinew_loop {
    SINEW_LOOP_ONCE,     ///< to the end (the start when played backward), then holds that pose, finished
    SINEW_LOOP_REPEAT,   ///< round and round
    SINEW_LOOP_PING_PONG ///< there and back; each traversal counts as a loop
} sinew_loop;

/// How a fade goes from 0 to 1 over its time.
typedef enum sinew_curve {
    SINEW_CURVE_LINEAR,     ///< u
    SINEW_CURVE_SMOOTHSTEP, ///< u² (3 - 2u)
    SINEW_CURVE_USER        ///< this and all up to 255: sinew_mixer_def's `curve`, asked for number 0, 1, ...
} sinew_curve;

/// The largest weight of an action or layer. The sum of all weights is finite up to here.
#define SINEW_MAX_WEIGHT 1.0e9f

/// A loop_count without an end.
#define SINEW_FOREVER (-1)

/// Start where the speed says: at the clip's start, or at its end when the speed is negative.
#define SINEW_TIME_AUTO (-1.0f)

/// How an action is to be played.
typedef struct sinew_play_def {
    float time;        ///< where in the clip to start, or SINEW_TIME_AUTO, which is the default
    float speed;       ///< default 1; negative plays backward
    float weight;      ///< default 1; at least 0
    float fade;        ///< seconds to reach that weight, from the one that it has; default 0
    sinew_curve curve; ///< of all its fades; default SINEW_CURVE_LINEAR
    int32_t layer;     ///< default 0, the base
    /// Actions of one group, 1 to 255, keep step while they repeat: they share the pace that they have together, by their
    /// weights, in whatever layers they are; and what comes into a group, by being played, resumed or set to repeat, comes
    /// in where the group is, whatever its `time`. Seeking one of them takes the others along. What is paused, or plays
    /// ONCE or PING_PONG, is on its own meanwhile. 0, the default: none.
    int32_t sync;
    sinew_loop loop;    ///< default SINEW_LOOP_REPEAT
    int32_t loop_count; ///< loops before it finishes, at least 1; default SINEW_FOREVER; not looked at for ONCE
    /// false, the default: one action per clip and layer. A clip that already plays goes on from its time and weight, with
    /// the new speed, loop and target weight, even while it fades out. It starts again where `restart` is set or `time` is
    /// given, where it has finished, and where it plays ONCE and fades out. Over a fade it starts again as a new action,
    /// and the old one fades out; without a fade, and by the other kinds of transition, the same action starts again. In
    /// a sync group it starts again in place and takes the group along.
    /// true: a new action of the same clip next to the first.
    bool allow_duplicate;
    bool restart;    ///< default false; true: a clip that already plays starts again
    uint32_t cookie; ///< private: set by sinew_play_default
} sinew_play_def;

/// The defaults above. Any thread.
SINEW_API sinew_play_def sinew_play_default(void);

/// What an action plays: a clip or a blend space. Exactly one of the two is set; {0} is nothing. Made by sinew_clip_source and
/// sinew_blend_space_source.
typedef struct sinew_source {
    const sinew_clip *clip;               ///< NULL for a blend space
    const sinew_blend_space *blend_space; ///< NULL for a clip
    float x, y;                           ///< the parameter of the blend space
} sinew_source;

/// A clip as a source. NULL makes the empty source. Any thread.
SINEW_API sinew_source sinew_clip_source(const sinew_clip *clip);

/// A blend space as a source, with its parameter at (x, y). NULL makes the empty source. Any thread.
SINEW_API sinew_source sinew_blend_space_source(const sinew_blend_space *space, float x, float y);

/// What an event says.
typedef enum sinew_event_type {
    SINEW_EVENT_LOOPED,   ///< reached an end and goes on
    SINEW_EVENT_FINISHED, ///< reached its last end; it goes on holding that pose
    SINEW_EVENT_MARKER    ///< reached a marker of its clip
} sinew_event_type;

/// Something that happened to an action during sinew_mixer_advance. Each end and each marker that an action passes, in
/// either direction and in however many loops a step goes through, is one event. A moment of the clip is passed when
/// it is reached: a step that ends on it has it, the next one has not; and a step that starts where the action was
/// played from, or set to, has that moment, too. At an end of REPEAT the markers of that end come before LOOPED, and
/// those of the other end, where the next loop starts, behind it; PING_PONG turns on a marker once.
typedef struct sinew_event {
    sinew_event_type type;          ///< what happened
    sinew_action action;            ///< to which action; stale already where it faded out in the same step
    const sinew_clip *clip;         ///< the clip that it plays
    const sinew_marker *marker;     ///< one of the clip's; NULL but for SINEW_EVENT_MARKER
    float moment;                   ///< seconds after the start of the step
    float weight;                   ///< of the action, at that moment
    int32_t layer;                  ///< in which the action plays
    const sinew_blend_space *space; ///< what the action plays, where that is a blend space; else NULL
} sinew_event;

/// What happens while the weights of all actions sum to less than 1.
typedef enum sinew_underweight {
    SINEW_UNDERWEIGHT_NORMALIZE, ///< weights are divided by their sum: only proportions matter
    SINEW_UNDERWEIGHT_REST       ///< the rest pose fills up to 1 (as in three.js)
} sinew_underweight;

/// How the way from one clip to another goes.
typedef enum sinew_transition_kind {
    /// Both play, and are blended.
    SINEW_TRANSITION_FADE,
    /// The new clip plays alone at once, and what the pose and its velocities differed by dies away over it, by a quintic
    /// that does not overshoot (Bollo, "Inertialization", GDC 2018).
    SINEW_TRANSITION_INERTIALIZE,
    /// The new clip fades in over the old pose, which goes on by itself at the velocities that it had, ever slower (Holden,
    /// "Dead Blending", 2023). In the base; elsewhere it is SINEW_TRANSITION_FADE.
    SINEW_TRANSITION_DEAD_BLEND
} sinew_transition_kind;

/// How one clip takes the place of others. The last two kinds evaluate old clips no longer, start from whatever is shown,
/// other transitions included, and need sinew_mixer_def's `inertialization`: without it they are fades.
typedef struct sinew_transition {
    sinew_transition_kind kind; ///< default SINEW_TRANSITION_FADE
    float duration;             ///< seconds; default 0.2; 0 is a cut
    sinew_curve curve;          ///< of weights; default SINEW_CURVE_LINEAR
    bool
        warp; ///< of a fade: bring the speeds of the clips together meanwhile, as many rounds a second; default false
    uint32_t cookie; ///< private: set by sinew_transition_default
} sinew_transition;

/// The defaults above. Any thread.
SINEW_API sinew_transition sinew_transition_default(void);

/// What a layer does to what is below it.
typedef enum sinew_layer_mode {
    SINEW_LAYER_OVERRIDE, ///< takes its place; for clips as they are
    SINEW_LAYER_ADDITIVE  ///< adds to it; for additive clips (sinew_clip_make_additive), oldest action first
} sinew_layer_mode;

/// What a mixer is made from.
typedef struct sinew_mixer_def {
    const sinew_skeleton *skeleton; ///< must outlive the mixer
    int32_t root;                   ///< only this node's subtree is animated; SINEW_NO_NODE (default): all of it
    int32_t max_actions;            ///< of all layers; 1 to 64; default 16
    int32_t layer_count;            ///< with the base; 1 to 8; default 2
    int32_t hints_per_action;       ///< key hints, one for each timeline that has one; 0 to 255; default 8
    int32_t max_events;             ///< of one step; 0 to 65535; default 32
    int32_t max_blend_spaces;       ///< that play at once; 0 to 4; default 2, so that one can fade to another
    /// [sync_name_count], must outlive the mixer: the names of the markers by which actions keep step, in their order,
    /// such as "Foot_L" and "Foot_R". Without them a loop is a step. Clips without them go at about their own pace
    /// among those that have them.
    const char *const *sync_names;
    int32_t sync_name_count; ///< 0 to 64; default 0
    bool inertialization;    ///< room for such transitions and dead blending, 240 bytes a node; default true
    const sinew_root_motion_def
        *root_motion;              ///< what is taken out of the base's pose; NULL (default): nothing. Copied
    sinew_underweight underweight; ///< default SINEW_UNDERWEIGHT_NORMALIZE
    /// Called at the end of sinew_mixer_advance, once for each event; may call the mixer's action functions.
    void (*on_event)(const sinew_event *event, void *user);
    /// The caller's own curves, [0, 1] to [0, 1]: 0 at u = 0, 1 at u = 1, finite, and the same for the same u. NULL: linear.
    float (*curve)(int32_t number, float u, void *user);
    void *user;                ///< given to on_event and curve; never looked at
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_mixer_default
} sinew_mixer_def;

/// The defaults above; the skeleton is left NULL and must be given. Any thread.
SINEW_API sinew_mixer_def sinew_mixer_default(void);

/// Makes a mixer that holds the rest pose, to be freed with sinew_mixer_destroy. Any thread.
/// SINEW_ERROR_ARGUMENT for a definition outside the ranges above or without a skeleton, or root motion that cannot be taken
/// out: of no node, of one that `root` leaves out, or below one that scales unevenly; SINEW_ERROR_OUT_OF_MEMORY.
/// Then `*mixer` is NULL, and `error`, which may be NULL, names the field, its value and its range.
SINEW_API sinew_result sinew_mixer_create(const sinew_mixer_def *def, sinew_mixer **mixer, sinew_error *error);

/// Frees the mixer with its pose and matrices; clips and skeleton stay. NULL is allowed. Any thread.
SINEW_API void sinew_mixer_destroy(sinew_mixer *mixer);

// ---- Playing -------------------------------------------------------------------------------------------------

/// Starts `source` and returns a handle to the new action. The source must be of the mixer's skeleton (asserted) and
/// outlive the action. `def` may be NULL for the defaults. If every slot is in use, the lowest-weight action of an override
/// layer is evicted, fading actions first; its last pose is held and faded out. The same happens if max_blend_spaces blend
/// spaces play. Returns {0} only if no slot can be evicted, or for a blend space in a mixer of max_blend_spaces 0.
///
/// A blend space that already plays in that layer keeps its action, and its parameter moves to (x, y). It repeats for ever:
/// `loop`, `loop_count` and `time` of the def are ignored. Its clip, time and events are those of the sample with the
/// largest weight when a step starts.
SINEW_API sinew_action sinew_mixer_play(sinew_mixer *mixer, sinew_source source, const sinew_play_def *def);

/// Fades every other action of the layer to 0 and `source` to its weight, each from its current weight, over
/// transition->duration seconds. transition->curve replaces def->fade and def->curve for this change only. Actions that
/// reach 0 are stopped. `transition` and `def` may be NULL for the defaults. Returns {0} if no slot can be evicted.
SINEW_API sinew_action sinew_mixer_transition_to(sinew_mixer *mixer, sinew_source source,
                                                 const sinew_transition *transition, const sinew_play_def *def);

/// sinew_mixer_transition_to with a fade of `duration` seconds and def->curve.
SINEW_API sinew_action sinew_mixer_crossfade_to(sinew_mixer *mixer, sinew_source source, float duration,
                                                const sinew_play_def *def);

/// Fades `from` to 0, then stops it, and `to` to the weight that it was played with; other actions are left alone.
SINEW_API void sinew_mixer_crossfade(sinew_mixer *mixer, sinew_action from, sinew_action to, float duration);

/// Ends every action of every layer at once; the base's pose is held.
SINEW_API void sinew_mixer_stop_all(sinew_mixer *mixer);

/// The newest action that plays `source` in any layer, or {0}. The source's parameter is ignored.
SINEW_API sinew_action sinew_mixer_find(const sinew_mixer *mixer, sinew_source source);

/// The newest action that plays `source` in one layer, 0 <= layer < layer_count (asserted), or {0}.
SINEW_API sinew_action sinew_mixer_find_in(const sinew_mixer *mixer, int32_t layer, sinew_source source);

/// Writes the handles of up to `capacity` actions, oldest first, and returns how many there are in all. `actions`
/// may be NULL where `capacity` is 0.
SINEW_API int32_t sinew_mixer_actions(const sinew_mixer *mixer, sinew_action *actions, int32_t capacity);

// ---- One action ----------------------------------------------------------------------------------------------

/// Ends the action at once. Where others play this is a hard cut; fade out to avoid one.
SINEW_API void sinew_action_stop(sinew_mixer *mixer, sinew_action action);

/// Freezes the action's time; its weight and fades go on.
SINEW_API void sinew_action_pause(sinew_mixer *mixer, sinew_action action);

/// Lets the action's time go on.
SINEW_API void sinew_action_resume(sinew_mixer *mixer, sinew_action action);

/// Back to the start (the end, when the speed is negative), no loops done, not finished. Weight, fades and pause
/// stay as they are.
SINEW_API void sinew_action_reset(sinew_mixer *mixer, sinew_action action);

/// Fades from the weight that the action has to `weight` over `duration` seconds of real time, by the action's curve,
/// whatever the frame rate. 0 seconds is at once. A later fade replaces an earlier one from where it stands.
SINEW_API void sinew_action_fade_to(sinew_mixer *mixer, sinew_action action, float weight, float duration);

/// Fades to the weight that the action was played with.
SINEW_API void sinew_action_fade_in(sinew_mixer *mixer, sinew_action action, float duration);

/// Fades to 0, then stops the action.
SINEW_API void sinew_action_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

/// True until the action is stopped or has faded out, even while it is paused or finished.
SINEW_API bool sinew_action_is_active(const sinew_mixer *mixer, sinew_action action);

/// True from sinew_action_pause to sinew_action_resume, or until it is played anew.
SINEW_API bool sinew_action_is_paused(const sinew_mixer *mixer, sinew_action action);

/// True when the action has reached its last end, and holds it.
SINEW_API bool sinew_action_is_finished(const sinew_mixer *mixer, sinew_action action);

/// The source that the action plays; a blend space with the target of its parameter. {0} for a stale handle.
SINEW_API sinew_source sinew_action_source(const sinew_mixer *mixer, sinew_action action);

/// The clip that the action plays; of a blend space, the sample with the largest weight.
SINEW_API const sinew_clip *sinew_action_clip(const sinew_mixer *mixer, sinew_action action);

/// Where in the clip the action is, in seconds, in [0, duration].
SINEW_API float sinew_action_time(const sinew_mixer *mixer, sinew_action action);

/// Seeks; the time is clamped to the clip. A finished action plays on from there, its loops counted anew.
SINEW_API void sinew_action_set_time(sinew_mixer *mixer, sinew_action action, float time);

/// The action's speed, a factor of real time; negative is backward.
SINEW_API float sinew_action_speed(const sinew_mixer *mixer, sinew_action action);

/// Sets the speed, which must be finite. A finished action whose direction changes plays on, its loops counted
/// anew. For an action that has ended see sinew_action_queue_previous.
SINEW_API void sinew_action_set_speed(sinew_mixer *mixer, sinew_action action, float speed);

/// The weight now, in the middle of a fade too.
SINEW_API float sinew_action_weight(const sinew_mixer *mixer, sinew_action action);

/// Sets the weight at once and ends any fade; 0 does not stop the action. What is not above 0 is taken as 0.
SINEW_API void sinew_action_set_weight(sinew_mixer *mixer, sinew_action action, float weight);

/// How the action loops; SINEW_LOOP_ONCE for a stale one.
SINEW_API sinew_loop sinew_action_loop(const sinew_mixer *mixer, sinew_action action);

/// The loops that it has done since it was started, reset, or given another way to loop.
SINEW_API int32_t sinew_action_loops_done(const sinew_mixer *mixer, sinew_action action);

/// Changes how the action loops, keeping its place in the clip; loops are counted anew. A `loop_count` that is
/// neither 1 or more nor SINEW_FOREVER is taken as 1.
SINEW_API void sinew_action_set_loop(sinew_mixer *mixer, sinew_action action, sinew_loop loop, int32_t loop_count);

// ---- Chains --------------------------------------------------------------------------------------------------

/// Queues `source` behind an action: sinew_mixer_transition_to is called in the step, and at the exact moment, at which a
/// fade would end at the action's last end, or at that end for the other kinds of transition. `transition` and `def` may be
/// NULL for the defaults, in the action's layer. Replaces what was queued before; an empty source ({0}) clears the queue,
/// and the action holds its last pose. A stopped or fading action is not followed.
SINEW_API void sinew_action_queue(sinew_mixer *mixer, sinew_action action, sinew_source source,
                                  const sinew_transition *transition, const sinew_play_def *def);

/// The same with what the action's layer played before the last transition in it, a clip or a blend space: attack, then
/// back to what was before. False where there was nothing.
///
/// An action that waits for a follower is never what was before: the return leads to where that action was to lead. So
/// one-shots that interrupt one another all lead back to what played before the first. Speed, weight, loop, sync group
/// and parameter come back as they were when the old action ended; one that still plays goes on.
/// sinew_action_set_parameter and sinew_action_set_speed on the handle of the old action change what comes back. A clip
/// that held its last pose comes back to that pose.
SINEW_API bool sinew_action_queue_previous(sinew_mixer *mixer, sinew_action action,
                                           const sinew_transition *transition);

/// Has the action fade out by itself: over `duration` seconds, so that its weight reaches 0 at its last end. A one-shot of a
/// layer above the base lets go of its layer this way; in the base the last pose is held. It replaces what was to follow
/// before. 0 seconds, or less: at the end, at once.
SINEW_API void sinew_action_queue_fade_out(sinew_mixer *mixer, sinew_action action, float duration);

// ---- Snapshots -----------------------------------------------------------------------------------------------

/// The most bytes that sinew_mixer_save writes.
SINEW_API size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer);

/// Copies what the mixer plays to `memory`, 8-byte aligned, and returns how many bytes that took: for 8 actions and 2 layers
/// less than 4 KB, or all of sinew_mixer_snapshot_size while a pose is held, or a transition by inertialization or dead
/// blending runs. Results (pose, matrices, events, root delta) are not in it.
SINEW_API size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory);

/// Restores a snapshot that sinew_mixer_save wrote in this process, of this mixer or of one made from the same definition.
/// What is done from there on gives the same bits as the first time. Clips, masks and blend spaces that played then must
/// still be there; handles of that time are valid again. `size` is that of `memory`, at least what sinew_mixer_save
/// returned. Returns false, and changes nothing, if `memory` is NULL, is too small, does not begin with a snapshot's header,
/// or is a snapshot of another definition. The bytes behind the header are trusted.
SINEW_API bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size);

/// A number that is the same for mixers of which the same calls were made, on every machine, to find out when two of them
/// no longer agree. Clips count by name and duration, masks by their factors as they are.
SINEW_API uint64_t sinew_mixer_hash(const sinew_mixer *mixer);

// ---- Blend spaces --------------------------------------------------------------------------------------------

/// Where the parameter of an action that plays a blend space is to go; it follows as sinew_blend_parameter_follow says.
/// Must be finite (asserted). For an action that has ended see sinew_action_queue_previous.
SINEW_API void sinew_action_set_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);

/// Where it is; (0, 0) at rest for an action that plays none.
SINEW_API sinew_blend_parameter sinew_action_parameter(const sinew_mixer *mixer, sinew_action action);

// ---- Layers --------------------------------------------------------------------------------------------------

/// The weight of a layer now; 0 <= layer < layer_count here and below (asserted). It is 1 at first, and for the base always.
SINEW_API float sinew_layer_weight(const sinew_mixer *mixer, int32_t layer);

/// Sets the weight of a layer above the base at once. What is not above 0 is taken as 0; a layer that overrides counts as 1
/// at most.
SINEW_API void sinew_layer_set_weight(sinew_mixer *mixer, int32_t layer, float weight);

/// Fades from the weight that the layer has to `weight` over `duration` seconds. Its actions go on at weight 0, too.
SINEW_API void sinew_layer_fade_to(sinew_mixer *mixer, int32_t layer, float weight, float duration,
                                   sinew_curve curve);

/// Says which nodes a layer above the base covers, and how much; NULL: all. The mask must be of the mixer's skeleton
/// (asserted) and outlive its use. To be called again after the mask has been changed.
SINEW_API void sinew_layer_set_mask(sinew_mixer *mixer, int32_t layer, const sinew_mask *mask);

/// Says what a layer above the base does to those below; SINEW_LAYER_OVERRIDE at first. To be said before anything plays in
/// the layer.
SINEW_API void sinew_layer_set_mode(sinew_mixer *mixer, int32_t layer, sinew_layer_mode mode);

// ---- Each frame ----------------------------------------------------------------------------------------------

/// sinew_mixer_advance by `dt` seconds, sinew_mixer_evaluate and sinew_mixer_to_model in one, and faster than the
/// three: nothing is stored between them. Returns false where nothing has moved since the last time (everything is
/// paused, has finished, or nothing plays): model matrices and morph weights are what they were, and what was made
/// from them can be kept. The first time it is true.
SINEW_API bool sinew_mixer_update(sinew_mixer *mixer, float dt);

/// Moves time and fades on by `dt` seconds of real time (0 or more, finite: asserted) and collects events.
SINEW_API void sinew_mixer_advance(sinew_mixer *mixer, float dt);

/// Samples and blends into the local pose. Where no action of the base has a weight its part is held.
SINEW_API void sinew_mixer_evaluate(sinew_mixer *mixer);

/// Computes the model matrices from the local pose.
SINEW_API void sinew_mixer_to_model(sinew_mixer *mixer);

/// The current local pose, owned by the mixer, to be read. After sinew_mixer_update it is computed here, on demand.
SINEW_API const sinew_pose *sinew_mixer_pose(sinew_mixer *mixer);

/// The same pose, to be changed for this frame, between sinew_mixer_evaluate and sinew_mixer_to_model: for changes that the
/// program makes again in every frame, such as inverse kinematics. Call it in each frame that changes the pose. The next
/// sinew_mixer_evaluate or sinew_mixer_update computes the pose anew, and transitions start from the pose without the
/// changes, on top of which the program makes them again.
SINEW_API sinew_pose *sinew_mixer_edit_pose(sinew_mixer *mixer);

/// Makes a pose of the mixer's skeleton (asserted) the current pose, for a program that takes the character over, such as a
/// ragdoll. Call it after sinew_mixer_evaluate and before sinew_mixer_to_model, in each frame in which the program decides
/// the pose. `pose` is copied, and may be the mixer's own; nodes that the mixer does not animate are ignored. Rotations
/// must be unit. A pose that is not finite is ignored.
///
/// While the base plays nothing, the pose is held. While it plays, the pose stays until the next sinew_mixer_evaluate or
/// sinew_mixer_update. Until then every transition starts from it: each kind, and each fade of an action or a layer. If the
/// last action ends, it is held. If poses are set in two consecutive steps, transitions start with the velocity between
/// them; after a single one with none. The difference to the playing clips is inertialized over the duration of the
/// change. This needs `inertialization` in sinew_mixer_def; without it only the held pose is kept. A running
/// inertialization ends. The pose is part of snapshots, and of recordings (40 bytes a node).
SINEW_API void sinew_mixer_set_pose(sinew_mixer *mixer, const sinew_pose *pose);

/// [skeleton->weight_count] morph weights, owned by the mixer; node i has those from weight_offsets[i] on. They stay
/// in the same place, and are those of the last sinew_mixer_evaluate or sinew_mixer_update.
SINEW_API const float *sinew_mixer_weights(const sinew_mixer *mixer);

/// [node_count] model matrices, owned by the mixer; each sinew_mixer_to_model rewrites them in the same place. An
/// attached object's world matrix is model[node] × offset.
SINEW_API const sinew_affine *sinew_mixer_model_matrices(const sinew_mixer *mixer);

/// What root motion took out of the pose in the last sinew_mixer_advance: what the actions of the base moved, by the
/// weights that they had meanwhile, exactly over any number of loops, and nothing by what is held. The node's transform is
/// left to the base: layers above it do not move it. No motion where def.root_motion was NULL.
SINEW_API sinew_root_delta sinew_mixer_root_delta(const sinew_mixer *mixer);

/// The events of the last sinew_mixer_advance, [*count], by their moments; of one moment those of the action that was
/// started first come first. They are the mixer's and stay until the next one.
SINEW_API const sinew_event *sinew_mixer_events(const sinew_mixer *mixer, int32_t *count);

/// How many more there were in the last sinew_mixer_advance than max_events have room for; they are lost.
SINEW_API int32_t sinew_mixer_dropped_event_count(const sinew_mixer *mixer);

#ifdef __cplusplus
}
#endif
#endif
