// SPDX-License-Identifier: MIT
// The state of an animator. The arrays that a snapshot contains are one block: the layers, the markers of a restored
// step, the parameter values, the curves, and each layer's active states and how long they have been active.
#ifndef SINEWI_ANIMATOR_STATE_H
#define SINEWI_ANIMATOR_STATE_H

#include <sinew/motion/animator.h>

#include "motion/graph_data.h"
#include "base/float_rules.h"

// One word of a parameter's value. See sinewi_graph_value.
typedef union animator_value {
    float number;
    int32_t integer;
} animator_value;

// What one layer plays.
typedef struct animator_layer {
    sinew_action action; // the leaf's; {0} if it is empty
    float progress;      // seconds since the transition started
    float duration;      // of the transition, in seconds
    int16_t transition;  // running transition; NONE for none or a forced one
    uint16_t to;         // the state it leads to
    uint8_t runs;        // whether a transition runs
    uint8_t interrupt;   // the running transition's sinew_graph_interrupt
    uint8_t depth;       // number of active states
    uint8_t looped;      // restored: the leaf's clip completed a loop in the last step
    float late;          // restored: seconds since the leaf's clip finished, in the last step
} animator_layer;

// The start of a snapshot. The block follows, then the mixer's snapshot.
typedef struct animator_head {
    uint64_t checksum; // of the bytes that follow, up to the mixer's snapshot
    uint64_t magic;
    uint64_t fingerprint; // of the graph
    uint64_t triggers;
    uint64_t block_size;
    uint64_t has_curves; // the block has the last step's curves, and their pose was evaluated
} animator_head;

struct sinew_animator {
    const sinew_graph_binding *binding;
    sinew_mixer *mixer;
    sinew_allocator allocator;
    sinew_graph_event *events; // [max_events]
    animator_layer *layers;    // [layer_count], the start of the block
    uint64_t triggers;         // the triggers that are set
    uint32_t size;             // of the animator's memory, in bytes
    float unhashed;            // seconds since the last note with a hash
    float step;                // length of the last step in seconds
    int32_t dropped_event_count;
    uint8_t max_events, event_count;
    uint8_t forced;       // layers forced since the last advance: the mixer's events are outdated
    bool is_restored : 1; // the block has the markers and loops of the mixer's last step, not the mixer
    bool has_curves : 1;  // restored: the block has the curves of the mixer's last step
};

static inline const sinew_graph *animator_graph(const sinew_animator *animator) {
    return animator->binding->graph;
}

// [layer_count] if the graph names markers, otherwise empty. After a restore, the markers reached in the last step, as
// bits of the graph's names.
static inline uint64_t *animator_markers(const sinew_animator *animator) {
    return (uint64_t *)(animator->layers + animator_graph(animator)->layer_count);
}

static inline int32_t animator_marker_count(const sinew_animator *animator) {
    return animator_graph(animator)->name_count > 0 ? animator_graph(animator)->layer_count : 0;
}

// [value_count]
static inline animator_value *animator_values(const sinew_animator *animator) {
    return (animator_value *)(animator_markers(animator) + animator_marker_count(animator));
}

// [curve_count], the graph's curves from the last sinewi_animator_read_curves. Rest values at first.
static inline float *animator_curves(const sinew_animator *animator) {
    return (float *)(animator_values(animator) + animator_graph(animator)->data->value_count);
}

// [depth], how many seconds each of a layer's active states has been active.
static inline float *animator_elapsed(const sinew_animator *animator, int32_t layer) {
    const sinew_graph *graph = animator_graph(animator);
    return animator_curves(animator) + graph->curve_count + (ptrdiff_t)layer * graph->data->depth;
}

// [depth], a layer's active states, outermost first.
static inline uint16_t *animator_path(const sinew_animator *animator, int32_t layer) {
    const sinew_graph *graph = animator_graph(animator);
    return (uint16_t *)animator_elapsed(animator, graph->layer_count) + (ptrdiff_t)layer * graph->data->depth;
}

// The bytes from `layers` to the last path.
static inline size_t animator_block_size(const sinew_animator *animator) {
    return (size_t)((const char *)animator_path(animator, animator_graph(animator)->layer_count) -
                    (const char *)animator->layers);
}

static inline int32_t animator_leaf(const sinew_animator *animator, int32_t layer) {
    return animator_path(animator, layer)[animator->layers[layer].depth - 1];
}

// ---- animator_value.c: parameters ----------------------------------------------------------------------------

// Sets the initial values.
void sinewi_animator_init_values(sinew_animator *animator);

// Takes over the value of another animator's parameter of the same type, which has floats. If the parameter is damped,
// also takes over the value that the graph sees and its velocity.
void sinewi_animator_adopt_floats(sinew_animator *animator, int32_t parameter, const sinew_animator *other,
                                  int32_t from);

// Moves damped values towards their targets, and writes the numbers that conditions read. They can't read a VECTOR3
// or TRANSFORM, which `values` leaves unchanged.
void sinewi_animator_follow(sinew_animator *animator, float dt, double (*values)[2]);

// Writes all values as the numbers that conditions read.
void sinewi_animator_read_values(const sinew_animator *animator, double (*values)[2]);

// Like sinew_animator_step_weights, but only for steps [first, end).
void sinewi_animator_weigh_steps(const sinew_animator *animator, int32_t first, int32_t end, float *weights);

// A coordinate of a FLOAT, INT or VECTOR2, as the graph uses it.
float sinewi_animator_coordinate(const sinew_animator *animator, int32_t parameter, int32_t coordinate);

// ---- animator_play.c: the mixer ------------------------------------------------------------------------------

// What a leaf plays, as conditions see it.
typedef struct animator_clip_state {
    float time, fraction;
    int32_t loops;
    bool finished;
} animator_clip_state;

// What a layer's leaf plays now. `reads` is a sum of SINEWI_CONDITION_READS_* and selects the fields to fill.
animator_clip_state sinewi_animator_clip_now(const sinew_animator *animator, int32_t layer, uint8_t reads);

// What a leaf will play that has been entered but doesn't play yet. The clip starts at `offset` of its duration.
animator_clip_state sinewi_animator_clip_at_start(const sinew_animator *animator, int32_t state, float offset);

// Whether a layer's leaf isn't empty.
static inline bool sinewi_animator_plays(const sinew_animator *animator, int32_t layer) {
    return animator_graph(animator)->states[animator_leaf(animator, layer)].kind != SINEW_GRAPH_STATE_EMPTY;
}

// Plays a layer's leaf in the mixer. A clip starts at `offset` of its duration, advanced by `late` seconds.
void sinewi_animator_play(sinew_animator *animator, int32_t layer, const sinew_transition *transition, float offset,
                          float late);

// Passes speeds, blend space parameters and layer weights to the mixer.
void sinewi_animator_push(sinew_animator *animator);

// Reads the graph's curves from the pose of the mixer's last step. Evaluates the pose if that hasn't happened yet.
void sinewi_animator_read_curves(sinew_animator *animator);

// Writes the curves to `curves` without evaluating. If the pose isn't evaluated, returns false and writes nothing.
bool sinewi_animator_copy_curves(const sinew_animator *animator, float *curves);

// What the mixer's last step reported about a layer's leaf.
typedef struct animator_notes {
    uint64_t markers; // markers reached, as bits of the graph's names
    bool looped;
    float late; // seconds since the clip finished; 0 if not in the last step
} animator_notes;

animator_notes sinewi_animator_note_events(const sinew_animator *animator, int32_t layer);

// ---- animator_note.c: recordings -----------------------------------------------------------------------------

#ifndef SINEW_NO_RECORDING

bool sinewi_animator_is_recorded(const sinew_animator *animator);

// These write notes to the recording. Only call them for an animator that is being recorded.
void sinewi_animator_record_parameter(sinew_animator *animator, int32_t parameter);
void sinewi_animator_record_parameters(sinew_animator *animator);
void sinewi_animator_record_event(sinew_animator *animator, const sinew_graph_event *event);
void sinewi_animator_record_restored(sinew_animator *animator);

void sinewi_animator_record_hash(sinew_animator *animator, uint64_t hash);

// Whether a second has passed since the last hash, counting this step of `dt`.
bool sinewi_animator_hash_is_due(sinew_animator *animator, float dt);

#else

static inline bool sinewi_animator_is_recorded(const sinew_animator *animator) {
    (void)animator;
    return false;
}

static inline void sinewi_animator_record_parameter(sinew_animator *animator, int32_t parameter) {
    (void)animator, (void)parameter;
}

static inline void sinewi_animator_record_parameters(sinew_animator *animator) {
    (void)animator;
}

static inline void sinewi_animator_record_event(sinew_animator *animator, const sinew_graph_event *event) {
    (void)animator, (void)event;
}

static inline void sinewi_animator_record_restored(sinew_animator *animator) {
    (void)animator;
}

static inline void sinewi_animator_record_hash(sinew_animator *animator, uint64_t hash) {
    (void)animator, (void)hash;
}

static inline bool sinewi_animator_hash_is_due(sinew_animator *animator, float dt) {
    (void)animator, (void)dt;
    return false;
}

#endif

// ---- animator_machine.c --------------------------------------------------------------------------------------

// Sets the bits of the active states, and returns the tags of these states. Only the words of `active` for the graph's
// states are written.
uint64_t sinewi_animator_active(const sinew_animator *animator, uint64_t *active);

// ---- animator_path.c: active states and events ---------------------------------------------------------------

void sinewi_animator_report(sinew_animator *animator, sinew_graph_event event);

// Makes `state` the active one at a level of a layer, as the innermost, and reports it.
void sinewi_animator_enter_only(sinew_animator *animator, int32_t layer, int32_t level, int32_t state);

// The same, and also enters the entry states of the machines inside.
void sinewi_animator_enter(sinew_animator *animator, int32_t layer, int32_t level, int32_t state);

// Reports that the states from the leaf up to a level are left.
void sinewi_animator_leave(sinew_animator *animator, int32_t layer, int32_t level);

// Makes a transition the running one. `transition` may be NONE.
void sinewi_animator_start_transition(sinew_animator *animator, int32_t layer, int32_t transition, int32_t to,
                                      float duration, sinew_graph_interrupt interrupt);

// Ends the running transition, if there is one.
void sinewi_animator_end_transition(sinew_animator *animator, int32_t layer);

#endif
