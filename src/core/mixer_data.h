// SPDX-License-Identifier: MIT
// A mixer's data, and the arithmetic of its handles and fades.
//
// The mixer's files have three layers, and calls only go down:
//
//   control     mixer_control.h: playing, fading, queueing and advancing write the state
//   evaluation  mixer_evaluation.h: computes contributions, the pose and root motion from the state
//   data        this header
//
// Above them, mixer_interface.c, mixer_pose.c and motion/mixer_snapshot.c have the public functions. They check
// arguments, report each change to the recorder, and call control. If a change starts from the current pose, control
// calls evaluation. Evaluation never calls control.
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

// Structs that are copied to the state have no padding, only fields named `unused` that are 0. Snapshots have a
// checksum over all their bytes.

// A value that may be fading: a weight, or a speed factor.
typedef struct sinewi_fade {
    double elapsed;
    float value;    // current value
    float from, to; // at the start and end of the fade
    float duration; // in seconds. 0 if the value is constant.
    float slope;    // per second, before this fade. Used until the fade's first step.
    uint8_t easing; // sinew_easing
    uint8_t unused[3];
} sinewi_fade;

// Time difference in seconds for measuring velocities. They are measured in the old mix before a transition, and in the
// new mix after it. It must be short. If a clip and an offset both turn a joint, its velocity is already different a
// hundredth of a second later. For floats near 1, velocities have errors of about 1e-4 per second.
#define SINEWI_VELOCITY_SECONDS (1.0 / 1024.0)

// The shortest transition in seconds. Anything shorter is a cut.
#define SINEWI_MIN_TRANSITION_SECONDS 1e-6f

typedef enum action_flag {
    ACTION_PAUSED = 1,
    ACTION_FINISHED = 2,
    ACTION_STOP_AFTER_FADE = 4,
    ACTION_SEEKED = 8,      // its time was set, and no step has started there yet
    ACTION_NEW = 16,        // no step since it started
    ACTION_SIDELESS = 32,   // the sides of its rotations haven't been chosen. See mixer_side.c.
    ACTION_ODD_LOOPS = 64,  // it has looped an odd number of times since then
    ACTION_FADE_ASKED = 128 // a fade of its weight was requested since computing proportions
} action_flag;

// A slot. Its action is active while it has a clip. The fields that every frame reads come first.
typedef struct action_state {
    const sinew_clip *clip; // for a blend space, the clip of the sample with the largest weight
    // In seconds. ONCE and REPEAT have the clip's time. PING_PONG is in [0, 2 × duration), and its second half plays
    // backward. A blend space has the phase in sync intervals.
    double phase;
    sinewi_fade weight;     // what the program asked for
    sinewi_fade proportion; // what is shown. See mixer_proportion.c.
    float speed;
    uint32_t serial; // increases with each action of the mixer. Orders them by start.
    uint8_t loop;    // sinew_loop
    uint8_t flags;   // action_flag
    uint8_t layer;
    uint8_t space;  // 1 + index in the mixer's spaces. 0 for a clip.
    uint8_t sync;   // sync group. 0 for none.
    uint8_t easing; // sinew_easing of its fades
    uint8_t unused[2];
    int32_t loop_count;
    int32_t loops_done;
    float last_rate;                 // at the end of the last step. See sinewi_action_rate.
    float target_weight;             // weight that it was played with, where a fade-in ends
    sinewi_fade warp;                // a speed factor
    sinewi_sync_intervals intervals; // of the clip
} action_state;

// The parameter of an action that plays a blend space.
typedef struct space_state {
    const sinew_blend_space *space; // NULL if unused
    sinew_blend_parameter parameter;
    float x, y; // the parameter's target
    // The contributing samples, each in one of SINEW_MAX_BLEND_WEIGHTS entries. Their ACTION_SIDELESS and
    // ACTION_ODD_LOOPS have one bit per entry.
    uint8_t samples[SINEW_MAX_BLEND_WEIGHTS]; // 1 + sample number. 0 if unused.
    uint32_t sideless, odd_loops;
} space_state;

// A source that a layer or action played, with its playback parameters.
typedef struct previous_source {
    sinew_source source; // empty for none
    sinew_play_def def;  // without a fade
    sinew_action action; // that played it. May have ended.
} previous_source;

typedef enum queued_kind {
    QUEUED_NOTHING,
    QUEUED_SOURCE,   // a clip or blend space
    QUEUED_PREVIOUS, // the layer's previous source, which may still be playing
    QUEUED_FADE_OUT  // a fade-out of the action itself
} queued_kind;

// The transition queued after an action.
typedef struct queued_state {
    queued_kind kind;
    sinew_transition transition; // QUEUED_FADE_OUT only uses its duration
    previous_source target;      // unused for QUEUED_FADE_OUT. Only QUEUED_PREVIOUS sets its action.
} queued_state;

typedef struct layer_state {
    const sinew_mask *mask; // NULL for all nodes
    sinewi_fade weight;     // 1 in the base
    bool proportions_fade;  // false if the proportions equal the weights
    bool weights_changed;   // fades were requested since computing proportions. See mixer_proportion.c.
    uint8_t change_easing;  // of the longest of these fades
    float change_duration;
    bool is_sideless; // the sides against the layers below haven't been chosen
    uint8_t mode;     // sinew_layer_mode
    int32_t action_count;
} layer_state;

// Time of something that decays: an extrapolated pose's velocities, or an inertialization's offsets.
typedef struct decay_state {
    double elapsed;
    float duration; // 0 if inactive
    uint32_t unused;
} decay_state;

// What an inertialization smooths that starts with the next step or evaluation.
typedef enum smooth_scope {
    SMOOTH_FADES,      // fades from a set pose, with the duration of the longest
    SMOOTH_TRANSITION, // transitions, until a cut
    SMOOTH_ANYTHING    // any change, including cuts
} smooth_scope;

// A pose that the program has set, or that was captured for an inertialization.
typedef struct set_pose_state {
    double seconds;  // total time of the advances since then
    int32_t steps;   // number of advances since then
    float change;    // duration of the inertialization that starts here in seconds. 0 for none.
    bool is_current; // nothing has been evaluated since
    uint8_t scope;   // smooth_scope
    bool is_kept;    // stored in the memory of the offsets
    bool has_root;   // the root's velocity is stored too
    bool is_base;    // an inertialization has replaced the base that was shown, and its held pose is older
    int8_t layer;    // nodes outside this layer's mask aren't part of the transition. 0 for all nodes.
    uint8_t unused[2];
} set_pose_state;

// Offsets for the finished pose, after the program's edits.
typedef struct finish_state {
    float requested;   // duration of the inertialization that starts with the next finished pose in seconds. 0 for
                       // none.
    bool is_finished;  // the pose is finished since its evaluation
    bool saves_pose;   // the snapshot has the pose that the program edited or finished
    bool saves_edits;  // it was edited
    decay_state decay; // of the offsets
} finish_state;

// The root's velocity, relative to the character.
typedef struct root_velocity {
    float move[3]; // meters per second, along the axes of sinewi_motion
    float yaw;     // radians per second
} root_velocity;

// Root motion that doesn't come from a clip.
typedef struct root_state {
    root_velocity held;     // the base's held pose, from the actions whose pose it has
    root_velocity captured; // before a change that is inertialized, until the next step
    root_velocity decaying; // before the last change like this. Its weight decays.
    decay_state decay;      // of this weight. Starts later if the elapsed time is negative.
} root_state;

struct mixer_call; // mixer_call.h

// A recorder's hook, which the interface functions call. The object behind it belongs to the recorder (src/motion).
typedef struct mixer_recorder {
    void (*note)(const sinew_mixer *mixer, struct mixer_call *call); // before making the call
    bool (*stop)(sinew_mixer *mixer); // before destroying the mixer. Returns false while it calls the program.
} mixer_recorder;

// Identifies which snapshot of a recording is in a memory block.
typedef struct mixer_stamp {
    const mixer_recorder *recorder; // NULL if not recorded
    int32_t number;
    uint32_t unused;
} mixer_stamp;

// "SnwS". The last byte is the version of the layout after it.
#define SINEWI_SNAPSHOT_MAGIC 0x04776e53u

// Start of the playback state. It is one block without internal pointers, separate from the outputs, so a snapshot is a
// single copy.
typedef struct mixer_state {
    uint64_t checksum;   // snapshots: of the bytes after it
    uint32_t magic;      // snapshots: SINEWI_SNAPSHOT_MAGIC
    uint32_t tag;        // of the handles, 24 bits, nonzero. A restored mixer takes the snapshot's tag.
    uint64_t definition; // snapshots: hash of the definition and the layout
    size_t saved_size;   // snapshots: how many bytes of the block they contain
    mixer_stamp stamp;   // snapshots only
    uint32_t next_serial;
    int32_t event_count;
    int32_t dropped_event_count;
    int32_t slot_end;      // slots from here on are free
    int32_t synced_count;  // actions in a sync group or with a blend space
    int32_t queued_count;  // upper bound for actions with something queued, because some may have ended
    bool has_advanced;     // there is a current pose
    bool has_sideless;     // choose sides at the end of the current call
    bool rest_is_sideless; // this includes the rest pose's sides
    // The last pose of the base's actions that ended. The base shows it if no action has a weight. Otherwise it
    // contributes with its own proportion while it fades out.
    sinewi_fade held_proportion;
    decay_state extrapolation; // of the held pose
    decay_state offsets;       // of an inertialization
    set_pose_state set_pose;   // only with def.inertialization
    finish_state finish;       // only with def.inertialization
    root_state root;           // only with def.root_motion
    // Followed by: layer_state layers[layer_count], action_state actions[max_actions], uint32_t hints[max_actions ×
    // hints_per_action], queued_state queued[max_actions], previous_source previous[layer_count], space_state
    // spaces[max_blend_spaces], uint16_t sides[side_rows][node blocks] and the poses, if there are any.
} mixer_state;

// ---- Contributions -------------------------------------------------------------------------------------------

// What one clip, held pose or rest pose contributes to a pose. Every part of the mixer uses this struct. Kernels take
// it as sinewi_mix_input, with the clip's rows and keys resolved and the weight divided by the layer's sum. This avoids
// searching and dividing in the inner loops. Root motion takes it as sinewi_root_contribution, because it doesn't
// depend on the mixer.
typedef struct contribution {
    float time;
    float weight;    // not divided by the sum yet
    uint32_t serial; // of the action. 0 for a held or rest pose.
    uint8_t slot;    // of the action, or one of the two below
    uint8_t layer;
    uint8_t sample; // for a blend space
    uint8_t side;   // for a blend space, the sample's entry and SIDE_ODD_LOOPS
} contribution;

#define SIDE_ODD_LOOPS 0x80

#define SINEWI_REST_SLOT         254 // the rest pose
#define SINEWI_HELD_SLOT         255 // the base's held pose
#define SINEWI_MAX_LAYERS        8
#define SINEWI_MAX_SPACES        4
#define SINEWI_MAX_CONTRIBUTIONS (SINEW_MAX_ACTIONS + SINEWI_MAX_SPACES * SINEW_MAX_BLEND_WEIGHTS + 2)

// The contributions at one moment, layer by layer, in the order they are added.
typedef struct contributions {
    contribution *items; // has room for all actions, all layers and the rest pose
    int32_t count;
    int32_t ends[SINEWI_MAX_LAYERS];    // end of each layer's contributions
    float sums[SINEWI_MAX_LAYERS];      // sum of the weights in each layer
    float strengths[SINEWI_MAX_LAYERS]; // the layers' own weights
} contributions;

// ---- The mixer -----------------------------------------------------------------------------------------------

// The start of an extrapolation: the base's held pose and its velocities. The held pose itself has the current
// position.
typedef struct extrapolated_pose {
    sinewi_held_block *blocks;         // in the state's block
    sinewi_held_weight_block *weights; // in the state's block
} extrapolated_pose;

// The offsets of an inertialization. While a transition starts, or while the program sets poses, this memory holds the
// captured pose and the pose SINEWI_VELOCITY_SECONDS earlier.
typedef union offset_block {
    sinewi_offset_block offsets;
    struct {
        sinewi_block current, before;
        uint16_t running[SINEWI_GROUPS]; // lanes of each group that had an offset
    } captured;
} offset_block;

typedef union weight_offset_block {
    sinewi_weight_offset_block offsets;
    struct {
        float current[SINEW_LANES], before[SINEW_LANES];
        uint16_t running; // lanes that had an offset
    } captured;
} weight_offset_block;

// For snapshots, the pose as the program edited or finished it. An inertialization starts from it.
typedef struct saved_pose {
    sinewi_block *blocks; // in the state's block
    float *weights;       // in the state's block
} saved_pose;

typedef struct mixer_offsets {
    offset_block *blocks;         // in the state's block
    weight_offset_block *weights; // in the state's block
} mixer_offsets;

// The held pose in the format that kernels expect from clips.
typedef struct held_pose {
    sinewi_block *blocks; // in the state's block
    float *weights;       // in the state's block
    sinew_clip_data data;
} held_pose;

// A blend space's weights at the parameter where an action last needed them. They are kept because a step and an
// evaluation need them several times. A serial never gets another space, and loading a state forgets all of them.
typedef struct kept_weights {
    const sinew_blend_space *space;
    uint32_t serial; // of the action. 0 if unused.
    float point[2];  // x and y
    int32_t count;
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
} kept_weights;

// How far an action moves in a step if it is in a sync group or plays a blend space.
typedef struct action_step {
    double from, to; // phases
    double rate;     // at the end, in clip seconds per second, or for a blend space in phase per second
    bool by_phase;   // false if it moves at its own speed
} action_step;

// The steps of all actions.
typedef struct sync_step {
    action_step actions[SINEW_MAX_ACTIONS];
} sync_step;

// An action's path through its clip in one step, forward or backward. `from` and `to` are in seconds and may be past
// the clip's ends. The ends are multiples of its duration, and a cycle goes from one end to the next.
typedef struct clip_path {
    double from, to;
    double first, last; // cycle numbers where it starts and stops
    double rate;        // in clip seconds per second
    bool backward;      // the numbers above are negated
    bool finishes;      // finishes at `to`
} clip_path;

// How a base action moves in the current step.
typedef struct root_step {
    const action_state *action; // NULL if it isn't an action of the base
    space_state space;          // at the start of the step
    sinewi_fade weight;         // at the start of the step
    sinewi_root_path path;      // through the clip
    double rate;                // in clip seconds per second
    double seconds;             // how long the path takes. 0 if the action doesn't move.
    action_step phases;         // for a blend space
} root_step;

// How the base's held pose moves in the current step.
typedef struct root_hold {
    sinewi_fade weight; // at the start of the step
    root_velocity velocity;
    double seconds; // how long it contributes
} root_hold;

// How many of a blend space's samples the next struct is kept for. More of them share its places.
#define SINEWI_ROOT_SAMPLES 16

// A clip that moves the root. Finding its ends takes as long as a step, so they are kept while the action plays. A
// serial never gets another clip, and loading a state forgets all of them.
typedef struct kept_root_clip {
    uint32_t serial; // of the action. 0 if unused.
    sinewi_root_clip clip;
} kept_root_clip;

static inline size_t sinewi_kept_clip_count(const sinew_mixer_def *def) {
    return (size_t)def->max_actions + (size_t)def->max_blend_spaces * SINEWI_ROOT_SAMPLES;
}

// Root motion.
typedef struct mixer_root {
    sinewi_root root;
    root_hold held;
    sinewi_motion motion;                    // since the start of the last advance
    sinew_root_delta delta;                  // the same motion
    int32_t step_count;                      // slots from here on are free
    root_step *steps;                        // [max_actions]: of the current step
    float *weights;                          // [max_actions], scratch
    kept_root_clip *clips;                   // [sinewi_kept_clip_count]
    sinewi_root_contribution *contributions; // scratch
} mixer_root;

// Which outputs match the current contributions. Model matrices include a palette. Kept ones also match the edited pose,
// because whoever edits it keeps them up to date.
typedef enum mixer_output { OUTPUT_NONE, OUTPUT_PALETTE, OUTPUT_MODEL, OUTPUT_KEPT } mixer_output;

// The change in progress. See mixer_seam.c.
typedef struct mixer_seam {
    char *before;   // [head_size]: copy of the state without its poses. NULL without def.inertialization.
    float duration; // how long differences take to decay, in seconds
    root_velocity root;
    bool is_open, is_captured;
    bool holds;     // the pose that was shown is now held
    bool was_dirty; // is_dirty before the change
} mixer_seam;

struct sinew_mixer {
    sinew_mixer_def def;
    size_t size;
    sinewi_range nodes; // animated nodes
    sinewi_range lanes; // the same, plus the padding if the last node is animated
    mixer_state *state;
    layer_state *layers;       // in the state's block
    action_state *actions;     // in the state's block
    uint32_t *hints;           // in the state's block
    queued_state *queued;      // in the state's block: [max_actions]
    previous_source *previous; // in the state's block: [layer_count]
    space_state *spaces;       // in the state's block
    uint16_t *sides;           // in the state's block: rows with one value per node block
    kept_weights *weights;     // [max_blend_spaces]
    size_t head_size;          // of the state's block without poses
    size_t finished_size;      // with the finished pose
    size_t state_size;         // also with the held poses
    double step_start;         // seconds from the start of an advance to the current step
    held_pose held;
    extrapolated_pose extrapolated; // NULLs without def.inertialization
    mixer_offsets offsets;          // NULLs without def.inertialization
    mixer_offsets finish_offsets;   // NULLs without def.inertialization
    saved_pose finished;            // NULLs without def.inertialization
    mixer_seam seam;
    mixer_root *root;         // NULL without def.root_motion
    mixer_recorder *recorder; // NULL if not recorded
    uint8_t *not_plain;       // [node blocks]: zeros, the fast_paths of held poses
    sinew_event *events;      // [max_events]: sorted by moment
    contributions current;    // of the last pose evaluated
    bool is_dirty;            // masks, modes or held poses have changed since then
    bool pose_is_stale;       // the model matrices match the contributions, but the pose is older
    bool pose_is_edited;      // the program has changed the pose since evaluating it
    bool is_evaluated;        // the pose is from the last step
    bool in_event;            // on_event is running
    bool in_batch;            // a batch is updating it. Only with assertions.
    bool *in_easing;          // def.easing is running. NULL without one.
    mixer_output output;
    sinew_pose pose;
    sinew_affine *model;
};

// Forgets the kept weights and clips. Call this after loading a state, because its serials may have other sources.
void sinewi_mixer_forget(sinew_mixer *mixer);

static inline bool sinewi_mixer_is_in_easing(const sinew_mixer *mixer) {
    return mixer->in_easing && *mixer->in_easing;
}

// ---- Sides ---------------------------------------------------------------------------------------------------

// The rows of `sides`: for each action that plays a clip, each blend space entry, the rest pose, and each layer.
static inline size_t sinewi_side_row_of_space(const sinew_mixer_def *def, int32_t space, int32_t entry) {
    return (size_t)def->max_actions + (size_t)space * SINEW_MAX_BLEND_WEIGHTS + (size_t)entry;
}

static inline size_t sinewi_side_row_of_layer(const sinew_mixer_def *def, int32_t layer) {
    return sinewi_side_row_of_space(def, def->max_blend_spaces, 0) + 1 + (size_t)layer;
}

// Layer 0 doesn't need a row because nothing is below it.
static inline size_t sinewi_side_row_of_rest(const sinew_mixer_def *def) {
    return sinewi_side_row_of_layer(def, -1);
}

static inline size_t sinewi_side_row_count(const sinew_mixer_def *def) {
    return sinewi_side_row_of_layer(def, def->layer_count);
}

static inline uint16_t *sinewi_side_row(const sinew_mixer *mixer, size_t row) {
    return mixer->sides + row * sinewi_block_count(mixer->def.skeleton->node_count);
}

// Returns whether sinew_mixer_finish_pose changes the pose.
static inline bool sinewi_mixer_has_finish_offsets(const sinew_mixer *mixer) {
    return mixer->state->finish.requested > 0.0f || mixer->state->finish.decay.duration > 0.0f;
}

// ---- Handles -------------------------------------------------------------------------------------------------

// id = tag × 2^40 + serial × 2^8 + slot + 1. It is never 0. It becomes stale when the slot is reused, and for a mixer
// with another tag. Serials repeat after 2^32 plays.
#define SINEWI_HANDLE_BITS 40

static inline sinew_action sinewi_mixer_handle(const sinew_mixer *mixer, const action_state *state) {
    uint64_t slot = (uint64_t)(state - mixer->actions);
    uint64_t tag = (uint64_t)mixer->state->tag << SINEWI_HANDLE_BITS;
    return (sinew_action){tag | (uint64_t)state->serial << 8 | (slot + 1)};
}

// Returns an active action's state, or NULL if the handle is stale.
static inline action_state *sinewi_mixer_action_state(const sinew_mixer *mixer, sinew_action action) {
    assert(mixer);
    uint32_t slot = (uint32_t)(action.id & 0xff) - 1;
    if (slot >= (uint32_t)mixer->def.max_actions) return NULL;
    action_state *state = &mixer->actions[slot];
    if (!state->clip || sinewi_mixer_handle(mixer, state).id != action.id) return NULL;
    return state;
}

// Returns a handle without its tag, for recordings, because a replay's mixer has another tag. 0 for a handle of another
// mixer.
static inline uint64_t sinewi_handle_bits(const sinew_mixer *mixer, sinew_action action) {
    if (action.id >> SINEWI_HANDLE_BITS != mixer->state->tag) return 0;
    return action.id & (((uint64_t)1 << SINEWI_HANDLE_BITS) - 1);
}

static inline sinew_action sinewi_handle_from_bits(const sinew_mixer *mixer, uint64_t bits) {
    if (bits == 0 || bits >> SINEWI_HANDLE_BITS != 0) return (sinew_action){0};
    return (sinew_action){(uint64_t)mixer->state->tag << SINEWI_HANDLE_BITS | bits};
}

// ---- Actions -------------------------------------------------------------------------------------------------

// Returns whether an action's time stands still because it is paused or finished.
static inline bool sinewi_action_is_frozen(const action_state *state) {
    return (state->flags & (ACTION_PAUSED | ACTION_FINISHED)) != 0;
}

// Returns whether a ping-pong is in its second half, which plays backward.
static inline bool sinewi_action_is_returning(const action_state *state) {
    return state->loop == SINEW_LOOP_PING_PONG && state->phase > (double)state->clip->duration;
}

// Returns whether an action ends with its fade.
static inline bool sinewi_action_is_fading_out(const action_state *state) {
    return (state->flags & ACTION_STOP_AFTER_FADE) != 0;
}

// Returns an action's blend space, or NULL if it plays a clip.
static inline space_state *sinewi_action_space(const sinew_mixer *mixer, const action_state *state) {
    return state->space ? &mixer->spaces[state->space - 1] : NULL;
}

// Returns the clip time of an action that plays a clip.
static inline double sinewi_action_exact_time(const action_state *state) {
    return sinewi_action_is_returning(state) ? 2.0 * (double)state->clip->duration - state->phase : state->phase;
}

// Returns the clip time of any action.
static inline float sinewi_action_clip_time(const action_state *state) {
    if (state->space) return (float)sinewi_sync_time_at_phase(state->clip, &state->intervals, state->phase);
    return (float)sinewi_action_exact_time(state);
}

// Returns how many cycles are left until an action finishes. At least 1, even if it has already done more than its
// loop_count.
static inline double sinewi_action_cycles_left(const action_state *state) {
    if (state->loop == SINEW_LOOP_ONCE) return 1.0;
    if (state->loop_count == SINEW_FOREVER) return HUGE_VAL;
    double left = (double)state->loop_count - (double)state->loops_done;
    return left > 1.0 ? left : 1.0;
}

// A mixer always animates all curves, even if it only animates part of the skeleton.
static inline sinewi_range sinewi_mixer_curve_range(const sinew_mixer *mixer) {
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    return (sinewi_range){skeleton->weight_count, sinewi_value_count(skeleton)};
}

// Returns the morph weights of the animated nodes.
static inline sinewi_range sinewi_mixer_animated_weights(const sinew_mixer *mixer) {
    const int32_t *offsets = mixer->def.skeleton->weight_offsets;
    return (sinewi_range){offsets[mixer->nodes.first], offsets[mixer->nodes.end]};
}

// Returns whether the last step showed this action as part of the base.
static inline bool sinewi_action_is_visible_in_base(const action_state *state) {
    return state->clip && state->layer == 0 && state->weight.value > 0.0f && (state->flags & ACTION_NEW) == 0;
}

// Returns whether the last step showed any base action other than `except`, which may be NULL.
static inline bool sinewi_mixer_base_is_visible(const sinew_mixer *mixer, const action_state *except) {
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (state != except && sinewi_action_is_visible_in_base(state)) return true;
    }
    return false;
}

// Returns whether the program has set the pose since the last evaluation. Always false without def.inertialization.
static inline bool sinewi_mixer_has_set_pose(const sinew_mixer *mixer) {
    return mixer->state->set_pose.is_current && mixer->state->set_pose.is_kept;
}

// ---- Fades ---------------------------------------------------------------------------------------------------

static inline sinewi_fade sinewi_fade_constant(float value) {
    return (sinewi_fade){.value = value, .from = value, .to = value};
}

static inline bool sinewi_fade_is_active(const sinewi_fade *fade) {
    return fade->duration > 0.0f;
}

static inline float sinewi_fade_seconds_left(const sinewi_fade *fade) {
    return sinewi_fade_is_active(fade) ? (float)((double)fade->duration - fade->elapsed) : 0.0f;
}

// Starts a fade. Without a duration, sets the value immediately. See mixer_phase.c.
void sinewi_fade_begin(const sinew_mixer *mixer, sinewi_fade *fade, float to, float duration, uint8_t easing);

// Makes a fade that hasn't had a step start with its own slope instead of the previous one.
void sinewi_fade_set_initial_slope(const sinew_mixer *mixer, sinewi_fade *fade);

// Returns the easing at u in [0, 1], the elapsed fraction of a fade.
double sinewi_fade_ease(const sinew_mixer *mixer, uint8_t easing, double u);

// Returns the value `seconds` later, or earlier if negative. It is computed from the time since the fade started
// instead of accumulating, so it doesn't depend on the frame rate.
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
