// SPDX-License-Identifier: MIT
// The data of a mixer, and the arithmetic of its handles and fades.
//
// The mixer's files have three layers, and calls go downward only:
//
//   control     mixer_control.h: playing, fading, queueing and advancing write the state
//   evaluation  mixer_evaluation.h: computes contributions, the pose and root motion from the state
//   data        this header
//
// Above them mixer_interface.c, mixer_pose.c and motion/mixer_snapshot.c have the public functions: they check arguments, report
// each change to the recorder, and call control. Control calls evaluation where a change starts from the current pose; evaluation never calls
// control.
#ifndef SINEWI_MIXER_DATA_H
#define SINEWI_MIXER_DATA_H

#include <sinew/mixer.h>

#include "core/pose_block.h"
#include "kernels/transition.h"
#include "core/root_motion.h"
#include "core/clip_sample.h"
#include "core/blend_space_phase.h"

#include <assert.h>
#include <math.h>

// ---- The playback state --------------------------------------------------------------------------------------

// Structs that are copied into the state have no padding but fields named `unused`, which are 0: a snapshot has a checksum over
// all of its bytes.

// A value that may be fading: a weight, or a factor of the speed.
typedef struct sinewi_fade {
    double elapsed;
    float value;    // now
    float from, to; // at the start and at the end of the fade
    float duration; // seconds; 0: the value is constant
    float slope;    // per second, before this fade started; used until the first step of the fade
    uint8_t easing; // sinew_easing
    uint8_t unused[3];
} sinewi_fade;

// The time difference, in seconds, by which velocities are measured: from the old mix before a transition, and from
// the new mix after it. It is short, because a joint that turns by its clip and by an offset has another velocity a
// hundredth of a second later; in floats that are unit, velocities have errors of some 1e-4 a second.
#define SINEWI_VELOCITY_SECONDS (1.0 / 1024.0)

// The shortest transition, in seconds, in which velocities matter. A shorter one is a cut.
#define SINEWI_MIN_TRANSITION_SECONDS 1e-6f

typedef enum action_flag {
    ACTION_PAUSED = 1,
    ACTION_FINISHED = 2,
    ACTION_STOP_AFTER_FADE = 4,
    ACTION_SEEKED = 8,      // its time was set, and no step has started there yet
    ACTION_NEW = 16,        // no step since it was started
    ACTION_SIDELESS = 32,   // the sides of its rotations have not been chosen: see mixer_side.c
    ACTION_ODD_LOOPS = 64,  // it has looped an odd number of times since they were
    ACTION_FADE_ASKED = 128 // a fade of its weight was asked for since proportions were computed
} action_flag;

// One slot. An action is active while it has a clip. The fields that each frame reads come first.
typedef struct action_state {
    const sinew_clip *clip; // of a blend space: of the sample with the largest weight
    // Seconds. ONCE and REPEAT: the clip's time. PING_PONG: [0, 2 × duration), the second half being played backward.
    // Of a blend space: the phase, in sync intervals.
    double phase;
    sinewi_fade weight;     // that the program has asked for
    sinewi_fade proportion; // that is shown: see mixer_proportion.c
    float speed;
    uint32_t serial; // grows with each action of the mixer: the order in which they were started
    uint8_t loop;    // sinew_loop
    uint8_t flags;   // action_flag
    uint8_t layer;
    uint8_t space;  // 1 + index in the mixer's spaces; 0: it plays a clip
    uint8_t sync;   // its sync group; 0: none
    uint8_t easing; // sinew_easing of its fades
    uint8_t unused[2];
    int32_t loop_count;
    int32_t loops_done;
    float last_rate;                 // at the end of the last step: see sinewi_action_rate
    float target_weight;             // the weight it was played with, at which a fade-in ends
    sinewi_fade warp;                // a factor of its speed
    sinewi_sync_intervals intervals; // of the clip
} action_state;

// The parameter of an action that plays a blend space.
typedef struct space_state {
    const sinew_blend_space *space; // NULL: unused
    sinew_blend_parameter parameter;
    float x, y; // the parameter's target
    // The samples that contribute, each in one of SINEW_MAX_BLEND_WEIGHTS entries, and their ACTION_SIDELESS and
    // ACTION_ODD_LOOPS, a bit for each entry.
    uint8_t samples[SINEW_MAX_BLEND_WEIGHTS]; // 1 + number of the sample; 0: none
    uint32_t sideless, odd_loops;
} space_state;

// A source that a layer or an action played, with its playback parameters.
typedef struct previous_source {
    sinew_source source; // empty: nothing
    sinew_play_def def;  // without a fade
    sinew_action action; // that played it; may have ended
} previous_source;

typedef enum queued_kind {
    QUEUED_NOTHING,
    QUEUED_SOURCE,   // a clip or a blend space
    QUEUED_PREVIOUS, // the previous source of the layer, which may still be playing
    QUEUED_FADE_OUT  // a fade-out of the action itself
} queued_kind;

// The transition that is queued behind an action.
typedef struct queued_state {
    queued_kind kind;
    sinew_transition transition; // QUEUED_FADE_OUT uses only its duration
    previous_source target;      // not of QUEUED_FADE_OUT; its action is set for QUEUED_PREVIOUS only
} queued_state;

typedef struct layer_state {
    const sinew_mask *mask; // NULL: all nodes
    sinewi_fade weight;     // 1 in the base
    bool proportions_fade;  // false: the proportions are the weights
    bool weights_changed;   // fades were asked for since proportions were computed: see mixer_proportion.c
    uint8_t change_easing;  // of the longest of those fades
    float change_duration;
    bool is_sideless; // the sides against the layers below have not been chosen
    uint8_t mode;     // sinew_layer_mode
    int32_t action_count;
} layer_state;

// The time of something that decays: the velocities of an extrapolated pose, or the offsets of an inertialization.
typedef struct decay_state {
    double elapsed;
    float duration; // 0: inactive
    uint32_t unused;
} decay_state;

// What an inertialization that starts with the next step or evaluation smooths.
typedef enum smooth_scope {
    SMOOTH_FADES,      // fades from a set pose; the longest of them is its duration
    SMOOTH_TRANSITION, // transitions; a cut ends it
    SMOOTH_ANYTHING    // any change, cuts included
} smooth_scope;

// A pose that the program has set, or that was captured for an inertialization.
typedef struct set_pose_state {
    double seconds;  // that the advances since took
    int32_t steps;   // advances since
    float change;    // seconds of the inertialization that starts from it; 0: none
    bool is_current; // nothing has been evaluated since
    uint8_t scope;   // smooth_scope
    bool is_kept;    // it is in the memory of the offsets
    bool has_root;   // and so was the root's velocity
    bool is_base;    // an inertialization has replaced the base that was shown, and its held pose is older
    int8_t layer;    // nodes outside the mask of this layer have no part in the transition; 0: all have
    uint8_t unused[2];
} set_pose_state;

// The offsets that are added to the finished pose, after the program's edits.
typedef struct finish_state {
    float requested;   // seconds of an inertialization that starts with the next finished pose; 0: none
    bool is_finished;  // the pose is, since its evaluation
    bool saves_pose;   // the snapshot has the pose that the program has edited or finished
    bool saves_edits;  // and it was edited
    decay_state decay; // of the offsets
} finish_state;

// A velocity of the root, relative to the character.
typedef struct root_velocity {
    float move[3]; // metres a second, along the axes of sinewi_motion
    float yaw;     // radians a second
} root_velocity;

// Root motion that no clip has.
typedef struct root_state {
    root_velocity held;     // of the base's held pose: that of the actions whose pose it has
    root_velocity captured; // before a change that is inertialized, until the next step
    root_velocity decaying; // before the last such change; its weight decays
    decay_state decay;      // of that weight; an elapsed time below 0: it starts later
} root_state;

struct mixer_call; // mixer_call.h

// The hook of a recorder, called by the interface functions. The object behind it belongs to the recorder:
// src/motion.
typedef struct mixer_recorder {
    void (*note)(const sinew_mixer *mixer, struct mixer_call *call); // before the call is made
    bool (*stop)(sinew_mixer *mixer); // before the mixer is destroyed; false while it calls the program
} mixer_recorder;

// Identifies the snapshot of a recording that a block of memory holds.
typedef struct mixer_stamp {
    const mixer_recorder *recorder; // NULL: it was not recorded
    int32_t number;
    uint32_t unused;
} mixer_stamp;

// "SnwS"; the last byte is the version of the layout that follows.
#define SINEWI_SNAPSHOT_MAGIC 0x04776e53u

// The start of the playback state: one block without pointers into itself, apart from the outputs, so that a
// snapshot is one copy.
typedef struct mixer_state {
    uint64_t checksum;   // of a snapshot: of the bytes after it
    uint32_t magic;      // of a snapshot: SINEWI_SNAPSHOT_MAGIC
    uint32_t tag;        // of the handles, 24 bits, not 0; a restored mixer takes the snapshot's
    uint64_t definition; // of a snapshot: a hash of the definition and the layout
    size_t saved_size;   // of a snapshot: the bytes of the block that it has
    mixer_stamp stamp;   // of a snapshot
    uint32_t next_serial;
    int32_t event_count;
    int32_t dropped_event_count;
    int32_t slot_end;      // slots from here on are free
    int32_t synced_count;  // actions that are in a sync group or play a blend space
    int32_t queued_count;  // actions with something queued; an upper bound, as some of them may have ended
    bool has_advanced;     // there is a current pose
    bool has_sideless;     // sides must be chosen at the end of the current call
    bool rest_is_sideless; // the sides of the rest pose are among them
    // The held pose is the last pose of the base's actions that ended. The base shows it if no action has a weight;
    // otherwise it contributes by its own proportion while it fades out.
    sinewi_fade held_proportion;
    decay_state extrapolation; // of the held pose
    decay_state offsets;       // of an inertialization
    set_pose_state set_pose;   // only with def.inertialization
    finish_state finish;       // only with def.inertialization
    root_state root;           // only with def.root_motion
    // Followed by: layer_state layers[layer_count], action_state actions[max_actions],
    // uint32_t hints[max_actions × hints_per_action], queued_state queued[max_actions],
    // previous_source previous[layer_count], space_state spaces[max_blend_spaces], uint16_t sides[side_rows][node
    // blocks] and, where they are held, poses.
} mixer_state;

// ---- Contributions -------------------------------------------------------------------------------------------

// The contribution of one clip, held pose or rest pose to a pose. Every part of the mixer uses this one struct.
// Kernels take it as sinewi_mix_input, which has the clip's rows and keys resolved and the weight divided by the
// layer's sum, so that the inner loops neither search nor divide; root motion takes it as sinewi_root_contribution,
// since src/clip does not depend on the mixer.
typedef struct contribution {
    float time;
    float weight;    // not yet divided by the sum
    uint32_t serial; // of the action; 0 for a held or rest pose
    uint8_t slot;    // of the action; or one of the two below
    uint8_t layer;
    uint8_t sample; // of a blend space
    uint8_t side;   // of a blend space: the entry of the sample; and SIDE_ODD_LOOPS
} contribution;

#define SIDE_ODD_LOOPS 0x80

#define SINEWI_REST_SLOT         254 // the rest pose
#define SINEWI_HELD_SLOT         255 // the base's held pose
#define SINEWI_MAX_LAYERS        8
#define SINEWI_MAX_SPACES        4
#define SINEWI_MAX_CONTRIBUTIONS (SINEW_MAX_ACTIONS + SINEWI_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS + 2)

// The contributions of one moment, layer by layer, in the order in which they are added.
typedef struct contributions {
    contribution *items; // room for those of all actions and layers, and the rest pose
    int32_t count;
    int32_t ends[SINEWI_MAX_LAYERS];    // the end of each layer's contributions
    float sums[SINEWI_MAX_LAYERS];      // of the weights of each layer's contributions
    float strengths[SINEWI_MAX_LAYERS]; // the layers' own weights
} contributions;

// ---- The mixer -----------------------------------------------------------------------------------------------

// The start of an extrapolation: the base's held pose with its velocities. The held pose itself has the current
// position.
typedef struct extrapolated_pose {
    sinewi_held_block *blocks;         // in the state's block
    sinewi_held_weight_block *weights; // in the state's block
} extrapolated_pose;

// The offsets of an inertialization. During the start of a transition, and while the program sets poses, the same
// memory has the captured pose, and the one SINEWI_VELOCITY_SECONDS earlier.
typedef union offset_block {
    sinewi_offset_block offsets;
    struct {
        sinewi_block current, before;
        uint16_t running[SINEWI_GROUPS]; // the lanes that had an offset, of each group
    } captured;
} offset_block;

typedef union weight_offset_block {
    sinewi_weight_offset_block offsets;
    struct {
        float current[SINEW_LANES], before[SINEW_LANES];
        uint16_t running; // the lanes that had an offset
    } captured;
} weight_offset_block;

// The pose as the program has edited or finished it, in snapshots: an inertialization starts from it.
typedef struct saved_pose {
    sinewi_block *blocks; // in the state's block
    float *weights;       // in the state's block
} saved_pose;

typedef struct mixer_offsets {
    offset_block *blocks;         // in the state's block
    weight_offset_block *weights; // in the state's block
} mixer_offsets;

// The held pose, as kernels take clips.
typedef struct held_pose {
    sinewi_block *blocks; // in the state's block
    float *weights;       // in the state's block
    sinew_clip_data data;
} held_pose;

// How far an action moves in a step, if it is in a sync group or plays a blend space.
typedef struct action_step {
    double from, to; // phases
    double rate;     // at its end: of the clip's seconds per second, or of a blend space's phase per second
    bool by_phase;   // false: it moves by its own speed
} action_step;

// The steps of all actions.
typedef struct sync_step {
    action_step actions[SINEW_MAX_ACTIONS];
} sync_step;

// The path of an action through its clip in one step, forward or backward, from `from` to `to`, in seconds that go
// on past the clip's ends: the ends are the multiples of its duration, and a cycle is from one end to the next.
typedef struct clip_path {
    double from, to;
    double first, last; // the numbers of the cycles in which it starts and stops
    double rate;        // of the clip's seconds per second
    bool backward;      // the numbers above are negated
    bool finishes;      // at `to`
} clip_path;

// The motion of an action of the base in the current step.
typedef struct root_step {
    const sinew_clip *clip; // NULL: not an action of the base
    space_state space;      // at the start of the step
    sinewi_fade weight;     // at the start of the step
    sinewi_root_path path;  // through the clip
    double rate;            // of the clip's seconds per second
    double seconds;         // that the path takes; 0: the action does not move
    action_step phases;     // of a blend space
    uint32_t serial;
} root_step;

// The motion of the base's held pose in the current step.
typedef struct root_hold {
    sinewi_fade weight; // at the start of the step
    root_velocity velocity;
    double seconds; // for which it contributes
} root_hold;

// Root motion.
typedef struct mixer_root {
    sinewi_root root;
    root_hold held;
    sinewi_motion motion;    // since the start of the last advance
    sinew_root_delta delta;  // that motion
    root_step *steps;        // [max_actions], of the current step
    float *weights;          // [max_actions], scratch
    sinewi_root_clip *clips; // scratch, as many as there may be contributions
    sinewi_root_contribution *contributions;
} mixer_root;

// The outputs that have been computed from the current contributions. Model matrices include a palette.
typedef enum mixer_output { OUTPUT_NONE, OUTPUT_PALETTE, OUTPUT_MODEL } mixer_output;

// The change that is being made: see mixer_seam.c.
typedef struct mixer_seam {
    char *before;   // [head_size]: a copy of the state, without its poses; NULL without def.inertialization
    float duration; // seconds in which what differs decays
    root_velocity root;
    bool is_open, is_captured;
    bool holds;     // the pose that was shown is held now
    bool was_dirty; // is_dirty, before
} mixer_seam;

struct sinew_mixer {
    sinew_mixer_def def;
    size_t size;
    sinewi_range nodes; // the animated nodes
    sinewi_range lanes; // the same; to the padding if the last node is animated
    mixer_state *state;
    layer_state *layers;       // in the state's block
    action_state *actions;     // in the state's block
    uint32_t *hints;           // in the state's block
    queued_state *queued;      // in the state's block: [max_actions]
    previous_source *previous; // in the state's block: [layer_count]
    space_state *spaces;       // in the state's block
    uint16_t *sides;           // in the state's block: rows of a value for each block of nodes
    size_t head_size;          // of the state's block without any pose
    size_t finished_size;      // with the finished pose
    size_t state_size;         // and with the held poses
    double step_start;         // seconds from the start of an advance to that of the current step
    held_pose held;
    extrapolated_pose extrapolated; // NULLs without def.inertialization
    mixer_offsets offsets;          // NULLs without def.inertialization
    mixer_offsets finish_offsets;   // NULLs without def.inertialization
    saved_pose finished;            // NULLs without def.inertialization
    mixer_seam seam;
    mixer_root *root;         // NULL without def.root_motion
    mixer_recorder *recorder; // NULL: not recorded
    uint8_t *not_plain;       // [node blocks], zeros: the fast_paths of held poses
    sinew_event *events;      // [max_events], by moment
    contributions current;    // of the pose that was evaluated last
    bool is_dirty;            // masks, modes or held poses have changed since
    bool pose_is_stale;       // the model matrices are those of the contributions, the pose is older
    bool pose_is_edited;      // the program has changed the pose since it was evaluated
    bool is_evaluated;        // the pose is that of the last step
    bool in_event;            // on_event is being called
    bool in_batch;            // a batch is being updated with it; only with assertions
    bool *in_easing;          // def.easing is being called; NULL without one
    mixer_output output;
    sinew_pose pose;
    sinew_affine *model;
};

static inline bool sinewi_mixer_is_in_easing(const sinew_mixer *mixer) {
    return mixer->in_easing && *mixer->in_easing;
}

// ---- Sides ---------------------------------------------------------------------------------------------------

// The rows of `sides`: of each action that plays a clip, each entry of a blend space, the rest pose, and each layer.
static inline size_t sinewi_side_row_of_space(const sinew_mixer_def *def, int32_t space, int32_t entry) {
    return (size_t)def->max_actions + (size_t)space * SINEW_MAX_BLEND_WEIGHTS + (size_t)entry;
}

static inline size_t sinewi_side_row_of_layer(const sinew_mixer_def *def, int32_t layer) {
    return sinewi_side_row_of_space(def, def->max_blend_spaces, 0) + 1 + (size_t)layer;
}

// Layer 0 needs no row: nothing is below it.
static inline size_t sinewi_side_row_of_rest(const sinew_mixer_def *def) {
    return sinewi_side_row_of_layer(def, -1);
}

static inline size_t sinewi_side_row_count(const sinew_mixer_def *def) {
    return sinewi_side_row_of_layer(def, def->layer_count);
}

static inline uint16_t *sinewi_side_row(const sinew_mixer *mixer, size_t row) {
    return mixer->sides + row * sinewi_block_count(mixer->def.skeleton->node_count);
}

// Whether sinew_mixer_finish_pose changes the pose.
static inline bool sinewi_mixer_has_finish_offsets(const sinew_mixer *mixer) {
    return mixer->state->finish.requested > 0.0f || mixer->state->finish.decay.duration > 0.0f;
}

// ---- Handles -------------------------------------------------------------------------------------------------

// id = tag × 2^40 + serial × 2^8 + slot + 1: never 0; stale once the slot is used again, and for a mixer of another
// tag. Serials repeat after 2^32 plays of one mixer.
#define SINEWI_HANDLE_BITS 40

static inline sinew_action sinewi_mixer_handle(const sinew_mixer *mixer, const action_state *state) {
    uint64_t slot = (uint64_t)(state - mixer->actions);
    uint64_t tag = (uint64_t)mixer->state->tag << SINEWI_HANDLE_BITS;
    return (sinew_action){tag | (uint64_t)state->serial << 8 | (slot + 1)};
}

// The state of an active action, or NULL if the handle is stale.
static inline action_state *sinewi_mixer_action_state(const sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    uint32_t slot = (uint32_t)(action.id & 0xff) - 1;
    if (slot >= (uint32_t)mixer->def.max_actions) return NULL;
    action_state *state = &mixer->actions[slot];
    if (!state->clip || sinewi_mixer_handle(mixer, state).id != action.id) return NULL;
    return state;
}

// A handle without its tag, for recordings: a replay's mixer has another tag. 0 for a handle of another mixer.
static inline uint64_t sinewi_handle_bits(const sinew_mixer *mixer, sinew_action action) {
    if (action.id >> SINEWI_HANDLE_BITS != mixer->state->tag) return 0;
    return action.id & (((uint64_t)1 << SINEWI_HANDLE_BITS) - 1);
}

static inline sinew_action sinewi_handle_from_bits(const sinew_mixer *mixer, uint64_t bits) {
    if (bits == 0 || bits >> SINEWI_HANDLE_BITS != 0) return (sinew_action){0};
    return (sinew_action){(uint64_t)mixer->state->tag << SINEWI_HANDLE_BITS | bits};
}

// ---- Actions -------------------------------------------------------------------------------------------------

// Whether an action's time does not move: it is paused or finished.
static inline bool sinewi_action_is_frozen(const action_state *state) {
    return (state->flags & (ACTION_PAUSED | ACTION_FINISHED)) != 0;
}

// Whether a ping-pong plays its second half, which is backward.
static inline bool sinewi_action_is_returning(const action_state *state) {
    return state->loop == SINEW_LOOP_PING_PONG && state->phase > (double)state->clip->duration;
}

// Whether an action ends with its fade.
static inline bool sinewi_action_is_fading_out(const action_state *state) {
    return (state->flags & ACTION_STOP_AFTER_FADE) != 0;
}

// The blend space of an action; NULL if it plays a clip.
static inline space_state *sinewi_action_space(const sinew_mixer *mixer, const action_state *state) {
    return state->space ? &mixer->spaces[state->space - 1] : NULL;
}

// The clip's time of an action that plays a clip.
static inline double sinewi_action_exact_time(const action_state *state) {
    return sinewi_action_is_returning(state) ? 2.0 * (double)state->clip->duration - state->phase : state->phase;
}

// The clip's time of any action.
static inline float sinewi_action_clip_time(const action_state *state) {
    if (state->space) return (float)sinewi_sync_time_at_phase(state->clip, &state->intervals, state->phase);
    return (float)sinewi_action_exact_time(state);
}

// The cycles until an action finishes: at least 1, even if it has done more than its loop_count.
static inline double sinewi_action_cycles_left(const action_state *state) {
    if (state->loop == SINEW_LOOP_ONCE) return 1.0;
    if (state->loop_count == SINEW_FOREVER) return HUGE_VAL;
    double left = (double)state->loop_count - (double)state->loops_done;
    return left > 1.0 ? left : 1.0;
}

// All curves: a mixer animates them, with the nodes of a part of the skeleton, too.
static inline sinewi_range sinewi_mixer_curve_range(const sinew_mixer *mixer) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    return (sinewi_range){skeleton->weight_count, sinewi_value_count(skeleton)};
}

// The morph weights of the animated nodes.
static inline sinewi_range sinewi_mixer_animated_weights(const sinew_mixer *mixer) {
    const int32_t *offsets = mixer->def.skeleton->weight_offsets;
    return (sinewi_range){offsets[mixer->nodes.first], offsets[mixer->nodes.end]};
}

// Whether the last step has shown an action of the base.
static inline bool sinewi_action_is_visible_in_base(const action_state *state) {
    return state->clip && state->layer == 0 && state->weight.value > 0.0f && (state->flags & ACTION_NEW) == 0;
}

// Whether the last step has shown any action of the base except this one, which may be NULL.
static inline bool sinewi_mixer_base_is_visible(const sinew_mixer *mixer, const action_state *except) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state != except && sinewi_action_is_visible_in_base(state)) return true;
    }
    return false;
}

// ---- Fades ---------------------------------------------------------------------------------------------------

// A constant value.
static inline sinewi_fade sinewi_fade_constant(float value) {
    return (sinewi_fade){.value = value, .from = value, .to = value};
}

static inline bool sinewi_fade_is_active(const sinewi_fade *fade) {
    return fade->duration > 0.0f;
}

static inline float sinewi_fade_seconds_left(const sinewi_fade *fade) {
    return sinewi_fade_is_active(fade) ? (float)((double)fade->duration - fade->elapsed) : 0.0f;
}

// Starts a fade; without a duration the value is set at once. mixer_phase.c.
void sinewi_fade_begin(const sinew_mixer *mixer, sinewi_fade *fade, float to, float duration, uint8_t easing);

// Gives a fade without a step its own slope at the start, instead of the slope before it.
void sinewi_fade_set_initial_slope(const sinew_mixer *mixer, sinewi_fade *fade);

// The easing at u in [0, 1], the elapsed part of a fade.
double sinewi_fade_ease(const sinew_mixer *mixer, uint8_t easing, double u);

// The value `seconds` later, or earlier if negative. It is computed from the time since the fade started and not
// accumulated, so that it does not depend on the frame rate.
static inline float sinewi_fade_value_after(const sinew_mixer *mixer, const sinewi_fade *fade, double seconds) {
    if (!sinewi_fade_is_active(fade)) return fade->value;
    double u = (fade->elapsed + seconds) / (double)fade->duration;
    if (!(u < 1.0)) return fade->to;
    if (!(u > 0.0)) return fade->from;
    if (fade->easing != SINEW_EASING_LINEAR) u = sinewi_fade_ease(mixer, fade->easing, u);
    double value = (double)fade->from + (double)(fade->to - fade->from) * u;
    return value > 0.0 ? (float)value : 0.0f;
}

#endif
