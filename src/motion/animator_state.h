// SPDX-License-Identifier: MIT
// The state of an animator. The arrays that a snapshot has are one block: the layers, the markers of a restored step, the
// values of the parameters, the curves, and the active states of each layer with the time that they have been active.
#ifndef SINEWI_ANIMATOR_STATE_H
#define SINEWI_ANIMATOR_STATE_H

#include <sinew/motion/animator.h>

#include "motion/graph_data.h"
#include "base/float_rules.h"

// A word of a parameter's value: see sinewi_graph_value.
typedef union animator_value {
    float number;
    int32_t integer;
} animator_value;

// What one layer plays.
typedef struct animator_layer {
    sinew_action action; // of the leaf; {0} if it is empty
    float progress;      // seconds since the transition was taken
    float duration;      // seconds of the transition
    int16_t transition;  // that runs; NONE: none, or a forced one
    uint16_t to;         // the state that it leads to
    uint8_t runs;        // a transition runs
    uint8_t interrupt;   // sinew_graph_interrupt of the running transition
    uint8_t depth;       // number of active states
    uint8_t looped;      // restored: the clip of the leaf completed a loop in the last step
    float late;          // restored: seconds since the clip of the leaf has finished in the last step
} animator_layer;

// The start of a snapshot. The block follows, then the mixer's snapshot.
typedef struct animator_head {
    uint64_t checksum; // of the bytes after it, up to the mixer's snapshot
    uint64_t magic;
    uint64_t fingerprint; // of the graph
    uint64_t triggers;
    uint64_t block_size;
    uint64_t has_curves; // the block has the curves of the last step, whose pose was evaluated
} animator_head;

struct sinew_animator {
    const sinew_graph_binding *binding;
    sinew_mixer *mixer;
    sinew_allocator allocator;
    sinew_graph_event *events; // [max_events]
    animator_layer *layers;    // [layer_count]: the start of the block
    uint64_t triggers;         // those that are set
    uint32_t size;             // of the animator's memory
    float unhashed;            // seconds since the last note with a hash
    float step;                // seconds of the last step
    int32_t dropped_event_count;
    uint8_t max_events, event_count;
    uint8_t forced;       // layers whose state was forced since the last advance: the mixer's events are older
    bool is_restored : 1; // the block has the markers and loops of the mixer's last step, which has no events
    bool has_curves : 1;  // restored: the block has the curves of the mixer's last step
};

static inline const sinew_graph *animator_graph(const sinew_animator *animator) {
    return animator->binding->graph;
}

// [layer_count] in a graph that names markers, otherwise empty: restored, those that were reached in the last step, as bits
// of the graph's names.
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

// [curve_count]: the graph's curves as sinewi_animator_read_curves found them last; rest values at first.
static inline float *animator_curves(const sinew_animator *animator) {
    return (float *)(animator_values(animator) + animator_graph(animator)->data->value_count);
}

// [depth]: seconds that each active state of a layer has been active.
static inline float *animator_elapsed(const sinew_animator *animator, int32_t layer) {
    const sinew_graph *graph = animator_graph(animator);
    return animator_curves(animator) + graph->curve_count + (ptrdiff_t)layer * graph->data->depth;
}

// [depth]: the active states of a layer, outermost first.
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

// Sets the values at the start.
void sinewi_animator_init_values(sinew_animator *animator);

// Takes over the value and the velocity of another animator's parameter of the same type, if the parameter is damped.
void sinewi_animator_adopt_damped(sinew_animator *animator, int32_t parameter, const sinew_animator *other,
                                  int32_t from);

// Moves damped values towards their targets and writes all values as numbers of conditions.
void sinewi_animator_follow(sinew_animator *animator, float dt, double (*values)[2]);

// A coordinate of a FLOAT, INT or VECTOR2 as the graph uses it.
float sinewi_animator_coordinate(const sinew_animator *animator, int32_t parameter, int32_t coordinate);

// ---- animator_play.c: the mixer ------------------------------------------------------------------------------

// What a leaf plays, as conditions see it.
typedef struct animator_clip_state {
    float time, fraction;
    int32_t loops;
    bool finished;
} animator_clip_state;

// What the leaf of a layer plays now. Fills what `reads`, a sum of SINEW_CONDITION_READS_*, names.
animator_clip_state sinewi_animator_clip_now(const sinew_animator *animator, int32_t layer, uint8_t reads);

// What a leaf plays that has been entered, and is not played yet, with the clip at `offset` of its duration.
animator_clip_state sinewi_animator_clip_at_start(const sinew_animator *animator, int32_t state, float offset);

// Whether the leaf of a layer is not empty.
static inline bool sinewi_animator_plays(const sinew_animator *animator, int32_t layer) {
    return animator_graph(animator)->states[animator_leaf(animator, layer)].kind != SINEW_GRAPH_STATE_EMPTY;
}

// Plays the leaf of a layer in the mixer, a clip from `offset` of its duration on, and from where it is after `late` seconds.
void sinewi_animator_play(sinew_animator *animator, int32_t layer, const sinew_transition *transition, float offset,
                          float late);

// Passes speeds, parameters of blend spaces and layer weights to the mixer.
void sinewi_animator_push(sinew_animator *animator);

// Reads the curves of the graph from the pose of the mixer's last step, which it evaluates if nothing has.
void sinewi_animator_read_curves(sinew_animator *animator);

// Writes them to `curves` without evaluating. False, and nothing is written, if the pose is not evaluated.
bool sinewi_animator_copy_curves(const sinew_animator *animator, float *curves);

// What the mixer's last step reported of a layer's leaf.
typedef struct animator_notes {
    uint64_t markers; // that were reached, as bits of the graph's names
    bool looped;
    float late; // seconds since the clip has finished; 0: not in the last step
} animator_notes;

animator_notes sinewi_animator_note_events(const sinew_animator *animator, int32_t layer);

// ---- animator_note.c: recordings -----------------------------------------------------------------------------

#ifndef SINEW_NO_RECORDING

bool sinewi_animator_is_recorded(const sinew_animator *animator);

// Write notes to the recording: only for an animator that is recorded.
void sinewi_animator_record_parameter(sinew_animator *animator, int32_t parameter);
void sinewi_animator_record_parameters(sinew_animator *animator);
void sinewi_animator_record_event(sinew_animator *animator, const sinew_graph_event *event);
void sinewi_animator_record_restored(sinew_animator *animator);

void sinewi_animator_record_hash(sinew_animator *animator, uint64_t hash);

// Whether a second has passed since the last hash: counts this step of `dt`.
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

// ---- animator_path.c: active states and events ---------------------------------------------------------------

void sinewi_animator_report(sinew_animator *animator, sinew_graph_event event);

// Makes `state` the active one at a level of a layer, the innermost, and reports it.
void sinewi_animator_enter_only(sinew_animator *animator, int32_t layer, int32_t level, int32_t state);

// The same, and enters the entry states of the machines that it contains.
void sinewi_animator_enter(sinew_animator *animator, int32_t layer, int32_t level, int32_t state);

// Reports that the states from the leaf up to a level are left.
void sinewi_animator_leave(sinew_animator *animator, int32_t layer, int32_t level);

// Makes a transition the running one. `transition` may be NONE.
void sinewi_animator_start_transition(sinew_animator *animator, int32_t layer, int32_t transition, int32_t to,
                                      float duration, sinew_graph_interrupt interrupt);

// Ends the running transition, if there is one.
void sinewi_animator_end_transition(sinew_animator *animator, int32_t layer);

#endif
