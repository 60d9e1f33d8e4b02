// What a mixer remembers, shared by the files that play, move time and evaluate.
#ifndef SINEW_MIXER_STATE_H
#define SINEW_MIXER_STATE_H

#include <sinew/mixer.h>

#include "pose/block.h"
#include "kernels/transition.h"
#include "clip/root_motion.h"
#include "clip/sample.h"
#include "blend_space/sync_phase.h"

#include <math.h>

// ---- The state -----------------------------------------------------------------------------------------------

// A number that may be on its way to another: a weight, or a factor of speed.
typedef struct sinew_fade {
    double elapsed;
    float value;    // now
    float from, to; // of the way
    float duration; // seconds; 0: there is none
    float slope;    // a second, as it was seen before this one began; while no step has gone into it
    uint8_t curve;  // sinew_curve
} sinew_fade;

// Velocities are taken from the way of the old mix so many seconds before a transition, and of the new one behind it.
#define SINEW_SEEN_SECONDS (1.0 / 120.0)

typedef enum action_flag {
    ACTION_PAUSED = 1,
    ACTION_FINISHED = 2,
    ACTION_STOP_AFTER_FADE = 4,
    ACTION_FRESH = 8,   // no step has passed the moment of the clip at which it is
    ACTION_UNSEEN = 16, // there was no step since it was started
} action_flag;

// One slot. An action is active while it has a clip. What each frame looks at comes first.
typedef struct action_state {
    const sinew_clip *clip; // of a blend space the heaviest
    // Where the action is, in seconds. ONCE and REPEAT: the clip's time. PING_PONG: [0, 2 × duration), the second
    // half being the way back. In a blend space: the beat.
    double phase;
    sinew_fade weight;
    float speed;
    uint32_t serial; // grows with each action of the mixer: the order in which they were started
    uint8_t loop;    // sinew_loop
    uint8_t flags;   // action_flag
    uint8_t layer;
    uint8_t space; // 1 + index in the mixer's spaces; 0: it plays a clip
    uint8_t sync;  // its group; 0: none
    uint8_t curve; // sinew_curve of its fades
    int32_t loop_count;
    int32_t loops_done;
    float seen_rate;                // how fast the last step left it going: see sinew_action_rate
    float full_weight;              // what it was played with: where a fade in goes
    sinew_fade warp;                // a factor of its speed
    sinew_sync_intervals intervals; // of the clip
} action_state;

// What an action that plays a blend space has besides.
typedef struct space_state {
    const sinew_blend_space *space; // NULL: nobody's
    sinew_blend_parameter at;
    float x, y; // where the parameter goes
} space_state;

typedef enum follow_kind {
    FOLLOW_NOTHING,
    FOLLOW_PLAY,    // a clip or a blend space
    FOLLOW_RETURN,  // what the layer played before, which may still be playing
    FOLLOW_FADE_OUT // the action's own end
} follow_kind;

// What a layer played, and how.
typedef struct left_state {
    sinew_source what;   // neither: nothing
    sinew_play_def def;  // without a fade
    sinew_action action; // that played it; may have ended
} left_state;

// What comes when an action ends.
typedef struct follow_state {
    follow_kind kind;
    sinew_transition how; // of FOLLOW_FADE_OUT the duration
    left_state to;        // not of FOLLOW_FADE_OUT; its action is of FOLLOW_RETURN alone
} follow_state;

// The held pose of a layer is what its actions showed when they went. In layer 0, the base, it stands for them where none
// has a weight; elsewhere, and while it fades out, it counts by its own.
typedef struct layer_state {
    const sinew_mask *mask; // NULL: everywhere
    sinew_fade weight;      // 1 in the base
    sinew_fade held;        // the weight of the held pose
    bool held_is_sum;       // the lengths of its rotations are part of their weight
    uint8_t mode;           // sinew_layer_mode
    int32_t action_count;
} layer_state;

// How long something that dies away has been doing so.
typedef struct decay_state {
    double elapsed;
    float duration; // 0: it has died away
} decay_state;

// A pose that the program has set.
typedef struct set_pose_state {
    bool is_current; // nothing has been evaluated since
    bool is_kept;    // it lies in the memory of the offsets
    int32_t steps;   // advances since
    double seconds;  // that they took
    float change;    // the duration of the longest change that starts from it; 0: none does
} set_pose_state;

// Which snapshot of which recording a piece of memory is.
typedef struct mixer_stamp {
    const struct mixer_recorder *recorder; // NULL: it was not recorded
    int32_t number;
} mixer_stamp;

// "SnwS", and in the last byte the layout of what follows.
#define SINEW_SNAPSHOT_MAGIC 0x01776e53u

// The playback state starts with this: one block, without pointers into itself, apart from the outputs.
typedef struct mixer_state {
    uint32_t magic;      // of a snapshot: SINEW_SNAPSHOT_MAGIC
    uint32_t tag;        // of the handles, 24 bits, not 0; a restored mixer takes the snapshot's
    uint64_t definition; // of a snapshot: what the mixer was made from
    size_t saved_size;   // of a snapshot: how much of the block it has
    mixer_stamp stamp;   // of a snapshot
    uint32_t next_serial;
    int32_t event_count;
    int32_t dropped_event_count;
    int32_t slot_end;    // no slot from here on has an action
    int32_t synced;      // actions that are in a group or play a blend space
    int32_t followed;    // actions that something follows; more where some of them have ended since
    bool has_advanced;   // there is a pose that may have been seen
    decay_state moving;  // the velocities of the base's held pose
    decay_state offsets; // those of an inertialization
    set_pose_state set;  // only with def.inertialization
    // layer_state layers[layer_count], action_state actions[max_actions],
    // uint32_t hints[max_actions × hints_per_action], follow_state follows[max_actions], left_state left[layer_count],
    // space_state spaces[max_blend_spaces] and, where they are held, poses follow: see sinew_mixer.
} mixer_state;

// ---- Shares --------------------------------------------------------------------------------------------------

// What an action, or what stands where none does, has of a pose.
typedef struct mixer_share {
    float time;
    float weight;    // as it is: not yet divided by their sum
    uint32_t serial; // of the action; 0 for those that are none
    uint8_t slot;    // of the action; or one of those below
    uint8_t layer;
    uint8_t sample; // of a blend space
} mixer_share;

#define SINEW_REST_SLOT   254 // the rest pose
#define SINEW_HELD_SLOT   255 // the layer's held pose
#define SINEW_MAX_ACTIONS 64
#define SINEW_MAX_LAYERS  8
#define SINEW_MAX_SPACES  4
#define SINEW_MAX_SHARES  (SINEW_MAX_ACTIONS + SINEW_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS + SINEW_MAX_LAYERS + 1)

// The shares of a moment, layer by layer, in the order in which they are added up.
typedef struct mixer_shares {
    mixer_share *shares; // [as many as actions, layers and the rest pose are]
    int32_t count;
    int32_t ends[SINEW_MAX_LAYERS];    // where each layer's shares end
    float sums[SINEW_MAX_LAYERS];      // of the weights of each layer's shares
    float strengths[SINEW_MAX_LAYERS]; // the layers' own weights
} mixer_shares;

// The shares as the kernels take them.
typedef struct sinew_ready_mix {
    sinew_mix mix;
    sinew_mix_input shares[SINEW_MAX_SHARES];
    sinew_mix_layer layers[SINEW_MAX_LAYERS];
    sinew_key keys[SINEW_MIX_KEYS];
} sinew_ready_mix;

// ---- The mixer -----------------------------------------------------------------------------------------------

// The base's held pose goes on moving from here; blocks of its held_pose are where it is now.
typedef struct moving_pose {
    sinew_held_block *blocks;         // in the state's block
    sinew_held_weight_block *weights; // in the state's block
} moving_pose;

// Inertialization: while a transition is made, what was shown lies where the offsets come.
typedef union offset_block {
    sinew_offset_block offsets;
    struct {
        sinew_block source, source_before;
    } shown;
} offset_block;

typedef union weight_offset_block {
    sinew_weight_offset_block offsets;
    struct {
        float source[SINEW_LANES], source_before[SINEW_LANES];
    } shown;
} weight_offset_block;

typedef struct mixer_offsets {
    offset_block *blocks;         // in the state's block
    weight_offset_block *weights; // in the state's block
} mixer_offsets;

// A layer's held pose: what the kernels take for a clip. Its rotations may be shorter than 1: see sinew_mix_input.
typedef struct held_pose {
    sinew_block *blocks; // in the state's block
    float *weights;      // in the state's block
    sinew_clip_data data;
} held_pose;

// How an action goes in a step: from one beat to another, where it keeps step with others or plays a blend space.
typedef struct action_step {
    double from, to;
    double rate; // at its end, of the clip's seconds a second, or a blend space's beats
    bool by_beats;
} action_step;

// What an action of the base does in the step that is being made.
typedef struct root_passage {
    const sinew_clip *clip; // NULL: it is none of the base's
    space_state space;      // as it was when the step began
    sinew_fade weight;      // the same
    sinew_root_way way;     // of the clip
    double rate;            // of the clip's seconds a second
    double seconds;         // that the way takes; 0: it stands
    action_step beats;      // of a blend space
    uint32_t serial;
} root_passage;

// Root motion: where it is asked for.
typedef struct mixer_root {
    sinew_root root;
    sinew_root_delta delta; // of the last step
    root_passage *passages; // [max_actions], of the step that is being made
    float *weights;         // [max_actions], at a moment of it
    sinew_root_clip *clips; // [as many as there may be shares], of what is being mixed
    sinew_root_share *shares;
} mixer_root;

// How far the shares have been taken. Who has the model matrices can have a palette of them.
typedef enum mixer_output { SHOWN_NOT_AT_ALL, SHOWN_BY_PALETTE, SHOWN_BY_MODEL } mixer_output;

struct sinew_mixer {
    sinew_mixer_def def;
    size_t size;
    sinew_range nodes; // those that are animated
    sinew_range lanes; // the same; where that is the last one, with the padding behind it
    mixer_state *state;
    layer_state *layers;             // in the state's block
    action_state *actions;           // in the state's block
    uint32_t *hints;                 // in the state's block
    follow_state *follows;           // in the state's block: [max_actions]
    left_state *left;                // in the state's block: [layer_count]
    space_state *spaces;             // in the state's block
    size_t head_size;                // of the state's block, up to where poses are held
    size_t state_size;               // with them
    double step_start;               // seconds from the start of an advance to that of the step that is being made
    held_pose *held;                 // [layer_count]
    moving_pose moving;              // NULLs without def.inertialization
    mixer_offsets offsets;           // NULLs without def.inertialization
    mixer_root *root;                // NULL without def.root_motion
    struct mixer_recorder *recorder; // NULL: nobody records it
    uint8_t *not_plain;              // [node blocks], zeros: the fast_paths of held poses
    sinew_event *events;             // [max_events], by moment
    mixer_shares shown;              // of the pose that was evaluated last
    bool is_touched;                 // masks, modes or held poses are not what they were then
    bool pose_is_behind;             // the shares have been evaluated into model matrices, but not into the pose
    bool pose_is_edited;             // the program has changed the pose since it was evaluated
    mixer_output shown_as;           // what there is of the shares, or of the pose that is held
    sinew_pose pose;
    sinew_affine *model;
};

// id = tag × 2^40 + serial × 2^8 + slot + 1: never 0, stale once the slot has been taken again, and stale for a mixer of
// another tag. A serial comes back after 2^32 plays of one mixer.
#define SINEW_HANDLE_BITS 40

static inline sinew_action sinew_mixer_handle(const sinew_mixer *mixer, const action_state *state) {
    uint64_t slot = (uint64_t)(state - mixer->actions);
    uint64_t tag = (uint64_t)mixer->state->tag << SINEW_HANDLE_BITS;
    return (sinew_action){tag | (uint64_t)state->serial << 8 | (slot + 1)};
}

// A handle without its tag, for recordings: a replay's mixer has another one. 0 for a handle of another mixer.
static inline uint64_t sinew_handle_bits(const sinew_mixer *mixer, sinew_action action) {
    if (action.id >> SINEW_HANDLE_BITS != mixer->state->tag) return 0;
    return action.id & (((uint64_t)1 << SINEW_HANDLE_BITS) - 1);
}

static inline sinew_action sinew_handle_from_bits(const sinew_mixer *mixer, uint64_t bits) {
    if (bits == 0 || bits >> SINEW_HANDLE_BITS != 0) return (sinew_action){0};
    return (sinew_action){(uint64_t)mixer->state->tag << SINEW_HANDLE_BITS | bits};
}

static inline bool sinew_action_stands(const action_state *state) {
    return (state->flags & (ACTION_PAUSED | ACTION_FINISHED)) != 0;
}

// Whether a ping-pong is on its way back.
static inline bool sinew_action_goes_back(const action_state *state) {
    return state->loop == SINEW_LOOP_PING_PONG && state->phase > (double)state->clip->duration;
}

// Whether an action is on its way to its end.
static inline bool sinew_action_fades_out(const action_state *state) {
    return (state->flags & ACTION_STOP_AFTER_FADE) != 0;
}

// The slot of a handle, or NULL when the handle is stale.
action_state *sinew_mixer_slot(const sinew_mixer *mixer, sinew_action action);

// ---- Fades ---------------------------------------------------------------------------------------------------

// A fade that stands at a value.
static inline sinew_fade sinew_fade_at(float value) {
    return (sinew_fade){.value = value, .from = value, .to = value};
}

// Starts on the way to a value; one of no duration is there at once.
void sinew_fade_begin(const sinew_mixer *mixer, sinew_fade *fade, float to, float duration, uint8_t curve);

static inline bool sinew_fade_runs(const sinew_fade *fade) {
    return fade->duration > 0.0f;
}

// How far a fade has come, of 1, where so much of its time is over.
double sinew_fade_bend(const sinew_mixer *mixer, uint8_t curve, double u);

// The value so many seconds on, or back where they are negative: computed from the time since the fade began and not
// added up, so that it is the same whatever the frame rate.
static inline float sinew_fade_after(const sinew_mixer *mixer, const sinew_fade *fade, double seconds) {
    if (!sinew_fade_runs(fade)) return fade->value;
    double u = (fade->elapsed + seconds) / (double)fade->duration;
    if (!(u < 1.0)) return fade->to;
    if (!(u > 0.0)) return fade->from;
    if (fade->curve != SINEW_CURVE_LINEAR) u = sinew_fade_bend(mixer, fade->curve, u);
    double value = (double)fade->from + (double)(fade->to - fade->from) * u;
    return value > 0.0 ? (float)value : 0.0f;
}

// The same as far as steps have shown: a fade that none has gone into goes as the one before it went.
float sinew_fade_seen_after(const sinew_mixer *mixer, const sinew_fade *fade, double seconds);

// Lets a fade that no step has gone into count as one that goes on.
void sinew_fade_see(const sinew_mixer *mixer, sinew_fade *fade);

// Goes on; true when that ends it.
static inline bool sinew_fade_advance(const sinew_mixer *mixer, sinew_fade *fade, double seconds) {
    if (!sinew_fade_runs(fade)) return false;
    fade->value = sinew_fade_after(mixer, fade, seconds);
    fade->elapsed += seconds;
    if (fade->elapsed < (double)fade->duration) return false;
    fade->duration = 0.0f;
    return true;
}

// The mean of the value over so many seconds, as far as its middle tells it, which is exact for a linear fade; of no
// seconds the value.
double sinew_fade_mean(const sinew_mixer *mixer, const sinew_fade *fade, double seconds);

// What a linear fade adds up to in so many seconds.
double sinew_fade_integral(const sinew_fade *fade, double seconds);

// ---- Time ----------------------------------------------------------------------------------------------------

// The way of an action through its clip in one step, as far as it goes, whether forward or backward: from `from` to
// `to`, where the ends that it can reach are the multiples of the clip's duration.
typedef struct clip_way {
    double from, to;
    double first, last; // the numbers of the stretches between two ends in which it starts and stops
    double rate;        // of the clip's seconds a second
    bool backward;      // the numbers above are of the time the other way round
    bool finishes;      // at `to`
} clip_way;

// The ends that an action still reaches, the last of which finishes it: at least the next one, also where it has gone
// round more often than it is asked to by now.
static inline double sinew_action_ends_left(const action_state *state) {
    if (state->loop == SINEW_LOOP_ONCE) return 1.0;
    if (state->loop_count == SINEW_FOREVER) return HUGE_VAL;
    double left = (double)state->loop_count - (double)state->loops_done;
    return left > 1.0 ? left : 1.0;
}

// Adds the events of an action on such a way to the mixer's.
void sinew_action_add_events(sinew_mixer *mixer, const action_state *state, const clip_way *way);

// Where an action with this speed starts: SINEW_TIME_AUTO resolved, clamped to the clip.
double sinew_action_start(const sinew_clip *clip, float time, float speed);

// The clip's time for an action's phase; the first is for one that plays a clip.
static inline double sinew_action_place(const action_state *state) {
    return sinew_action_goes_back(state) ? 2.0 * (double)state->clip->duration - state->phase : state->phase;
}
static inline float sinew_action_clip_time(const action_state *state) {
    if (state->space) return (float)sinew_sync_time_at_phase(state->clip, &state->intervals, state->phase);
    return (float)sinew_action_place(state);
}

// The same so many of the clip's seconds on, or back where they are negative, without going there.
float sinew_action_clip_time_after(const action_state *state, double way);

// Whether the base shows an action, but for this one, which may be NULL.
bool sinew_mixer_base_shows(const sinew_mixer *mixer, const action_state *but);

// Brings the speeds of an action and of those of its layer that fade out together, and then gives each its own back.
void sinew_action_warp(sinew_mixer *mixer, action_state *comes, float duration);

// That of all actions; there is none where no action is in a group or plays a blend space.
typedef struct synced_step {
    action_step actions[SINEW_MAX_ACTIONS];
} synced_step;

void sinew_mixer_sync(const sinew_mixer *mixer, double dt, synced_step *step);

// How much of a step an action lives to see.
double sinew_action_life_left(const action_state *state, double dt);

// Puts an action that comes into its group, or back into it, where that is, if it plays.
void sinew_action_join(const sinew_mixer *mixer, action_state *state);

// Puts the group of an action where the action is.
void sinew_action_lead(const sinew_mixer *mixer, const action_state *leader);

// How fast an action goes now: of its clip's seconds a second, or beats of a blend space; negative is backward.
double sinew_action_rate(const sinew_mixer *mixer, const action_state *state);

static inline space_state *sinew_action_space(const sinew_mixer *mixer, const action_state *state) {
    return state->space ? &mixer->spaces[state->space - 1] : NULL;
}

// The time of a sample of a blend space so many beats on, or back where they are negative.
float sinew_space_time(const sinew_mixer *mixer, const action_state *state, int32_t sample, double beats);

// The weights of an action's blend space now; how many.
int32_t sinew_space_weights(const space_state *space, sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS]);

// Where the parameter will have come to in so many seconds.
space_state sinew_space_after(const space_state *space, double seconds);

// Lets the parameter go on, and the clip be that of the heaviest sample.
void sinew_space_advance(const sinew_mixer *mixer, action_state *state, double dt);

// Ends an action, once the pose that it has a share in is there: its clip may be gone later.
void sinew_action_end(sinew_mixer *mixer, action_state *state);

// Starts a fade of an action's weight.
void sinew_action_begin_fade(sinew_mixer *mixer, action_state *state, float weight, float duration, uint8_t curve,
                             bool stop_after);

// ---- Changes -------------------------------------------------------------------------------------------------

// As sinew_mixer_transition_to, of what has been checked.
sinew_action sinew_mixer_change_to(sinew_mixer *mixer, const sinew_source *what, const sinew_transition *how,
                                   const sinew_play_def *def);

// The seconds until something follows an action, and which; NULL: nothing does.
double sinew_mixer_next_follow(sinew_mixer *mixer, action_state **ends);

// Lets what follows an action come.
void sinew_mixer_follow(sinew_mixer *mixer, action_state *ends);

// Before a transition in a layer: what the layer returns to. `goes_on` is the action that the transition leads to; NULL:
// a new one.
void sinew_mixer_remember(sinew_mixer *mixer, int32_t layer, const action_state *goes_on);

// Before an action ends: keeps how it played for those that return to it.
void sinew_mixer_leave(sinew_mixer *mixer, const action_state *ends);

// The same numbers of an action that has ended, for when it comes back.
void sinew_mixer_set_left_parameter(sinew_mixer *mixer, sinew_action action, float x, float y);
void sinew_mixer_set_left_speed(sinew_mixer *mixer, sinew_action action, float speed);

// ---- Evaluating ----------------------------------------------------------------------------------------------

typedef struct mixer_share_room {
    mixer_shares all;
    mixer_share shares[SINEW_MAX_SHARES];
} mixer_share_room;

// What is looked at: all actions and fades, or those that a step has shown.
typedef enum mixer_sight { ALL_ACTIONS, SEEN_ACTIONS } mixer_sight;

// The shares so many seconds after now. True where they are not those that stood there.
bool sinew_mixer_share_out(const sinew_mixer *mixer, double seconds, mixer_sight sight, mixer_shares *out);

// The same for the kernels.
void sinew_mixer_make_ready(const sinew_mixer *mixer, const mixer_shares *shares, sinew_ready_mix *ready);

// What plays so many seconds after now.
typedef struct mixer_moment {
    mixer_share_room room;
    sinew_ready_mix ready;
} mixer_moment;

void sinew_mixer_look_up(const sinew_mixer *mixer, double seconds, mixer_sight sight, mixer_moment *then);

// A block of nodes of what the base, or one of its shares, comes to: the mix of shares [first, end) of a moment, with
// layers only where it is all of them. Held poses are moved to that moment.
typedef struct mixer_part {
    const mixer_moment *of;
    sinew_mix mix;
    int32_t first, end;
} mixer_part;

mixer_part sinew_mixer_part(const mixer_moment *of, int32_t first, int32_t end);
mixer_part sinew_mixer_whole(const mixer_moment *of);
void sinew_mixer_blend_block(const sinew_mixer *mixer, const mixer_part *part, size_t block, sinew_block *out);

// The shortest transition, in seconds, in which velocities matter: what is shorter is a cut.
#define SINEW_SHORTEST_CHANGE 1e-6f

// A change that takes so many seconds starts, from the pose that the program has set where it has. Before the next step,
// and before the next evaluation, the difference to what plays by then is inertialized over them.
void sinew_mixer_start_from_set(sinew_mixer *mixer, float duration);
void sinew_mixer_leave_set(sinew_mixer *mixer);

// Holds the mixer's pose in the base: the program has set it.
void sinew_mixer_hold_set(sinew_mixer *mixer);

// Counts an advance since the pose was set.
void sinew_mixer_age_set(sinew_mixer *mixer, double dt);

// Brings the pose up to the shares, where it is behind.
void sinew_mixer_catch_up(sinew_mixer *mixer);

// Evaluating into local matrices, which sinew_local_to_model multiplies, in two steps: what has to be mixed (false
// where all that is wanted of it stands as it is), and mixing it.
bool sinew_mixer_prepare(sinew_mixer *mixer, mixer_output wanted, sinew_ready_mix *ready);
void sinew_mixer_mix_to_local(sinew_mixer *mixer, const sinew_ready_mix *ready, sinew_affine *local);

// The part of sinew_mixer_update that is not sinew_mixer_advance.
bool sinew_mixer_show(sinew_mixer *mixer);

// ---- Root motion ---------------------------------------------------------------------------------------------

void sinew_mixer_root_lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields);

// Around a step: where each action of the base goes, and what that comes to. `step` may be NULL.
void sinew_mixer_root_begin(sinew_mixer *mixer, const synced_step *step);
void sinew_mixer_root_pass(sinew_mixer *mixer, const action_state *state, const clip_way *way, double seconds);
void sinew_mixer_root_end(sinew_mixer *mixer, double dt);

// What is left of the node's transform where these shares are mixed.
sinew_transform sinew_mixer_root_left(const sinew_mixer *mixer, const mixer_shares *shares, int32_t first,
                                      int32_t end);

// ---- Held poses ----------------------------------------------------------------------------------------------

// Places a mixer's held poses, and fills them with the rest pose.
void sinew_mixer_held_lay_out(sinew_layout *layout, const sinew_mixer_def *def, sinew_mixer *fields);
void sinew_mixer_held_reset(sinew_mixer *mixer);

// Brings the base's held pose to where its velocities have brought it so many seconds after now. The second is for one
// that moves.
void sinew_mixer_move_moving(const sinew_mixer *mixer, double seconds);
static inline void sinew_mixer_move_held(const sinew_mixer *mixer, double seconds) {
    if (mixer->state->moving.duration > 0.0f) sinew_mixer_move_moving(mixer, seconds);
}

// The base's pose as it is, before the last of its actions goes.
void sinew_mixer_hold(sinew_mixer *mixer);

// The same where they all fade out within a step: what they fade to, where that is the rest pose.
void sinew_mixer_hold_faded(sinew_mixer *mixer);

// Before an action of the base starts to fade in: where weights sum to less than 1, the pose as it is takes the part
// that is missing, and fades out meanwhile.
void sinew_mixer_hold_missing(sinew_mixer *mixer, const action_state *comes, float duration, uint8_t curve);

// Before an action of an overriding layer ends because its slot is needed: its pose as it is goes with its weight into
// the layer's held pose, which fades out.
void sinew_mixer_fold(sinew_mixer *mixer, action_state *goes, float duration, uint8_t curve);

// Holds the base's pose with the way it moves: it goes on by itself for so many seconds.
void sinew_mixer_let_move(sinew_mixer *mixer, float duration);

// ---- Inertialization -----------------------------------------------------------------------------------------

// Keeps what is shown before a change, and after it makes what differs die away over so many seconds. Between the two
// nothing may be evaluated.
void sinew_mixer_keep_shown(sinew_mixer *mixer);
void sinew_mixer_inertialize(sinew_mixer *mixer, float duration);

// Offsets are over at once: a cut shows the clip alone.
void sinew_mixer_drop_offsets(sinew_mixer *mixer);

// Adds what is left of the offsets to the mixer's pose.
void sinew_mixer_add_offsets(sinew_mixer *mixer);

// Lets velocities of held poses, and offsets, go on dying away.
void sinew_mixer_die_away(sinew_mixer *mixer, double dt);

#endif
