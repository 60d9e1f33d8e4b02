// SPDX-License-Identifier: MIT
/// Animators: play a graph (graph.h) for one character. An animator has the parameters, the current states and a
/// mixer.
///
///     sinew_animator_def def = sinew_animator_default();
///     def.binding = binding;
///     sinew_animator_create(&def, &animator, &error);           // one per character
///     int32_t speed = sinew_graph_find_parameter(graph, "speed");
///
///     sinew_animator_set_float(animator, speed, 1.4f);          // each frame
///     sinew_animator_update(animator, dt);
///
/// Only one thread at a time may use an animator and its mixer. Different animators can run on different threads,
/// and any thread can create and destroy animators. All memory is allocated on creation. Calls that create,
/// advance or change an animator use up to 150 KB of stack. Durations are in seconds of real time.
///
/// Wrong arguments are asserted, unless a comment says otherwise. With NDEBUG the call is then a no-op that
/// returns 0, false, NULL or SINEW_GRAPH_NONE.
#ifndef SINEW_ANIMATOR_H
#define SINEW_ANIMATOR_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One character's playback of a graph.
typedef struct sinew_animator sinew_animator;

/// The definition of an animator. Start from sinew_animator_default.
typedef struct sinew_animator_def {
    const sinew_graph_binding *binding; ///< must be set; must outlive the animator
    /// The mixer's definition, for root motion, callbacks and so on; NULL (default): sinew_mixer_default. Its
    /// skeleton is ignored. Without sync names, it gets the graph's. Layer and blend space counts are raised to
    /// the graph's needs; any further layers are yours.
    const sinew_mixer_def *mixer;
    int32_t max_events; ///< graph events in one step; 0 to 255, default 8
    /// Records the mixer from the moment the entry states start, like sinew_mixer_record (recording.h), which
    /// can't record a mixer that has played. Stop it with sinew_mixer_record. Parameters, states and transitions
    /// become notes in the recording (docs/graph.md). NULL (default): no recording.
    void (*write_recording)(const void *bytes, size_t size, void *user);
    void *recording_user;      ///< passed to `write_recording`
    sinew_allocator allocator; ///< for the animator; zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_animator_default
} sinew_animator_def;

/// Returns the defaults above. `binding` is NULL and must be set.
SINEW_API sinew_animator_def sinew_animator_default(void);

/// Creates an animator and its mixer, and plays the entry states. Free it with sinew_animator_destroy. Fails with
/// SINEW_ERROR_ARGUMENT if the def is out of range, with SINEW_ERROR_OUT_OF_MEMORY, with SINEW_ERROR_UNSUPPORTED
/// for `write_recording` in a build without recordings, or like sinew_mixer_create. On failure `*animator` is
/// NULL. `error` may be NULL.
SINEW_API sinew_result sinew_animator_create(const sinew_animator_def *def, sinew_animator **animator,
                                             sinew_error *error);

/// Frees an animator and its mixer, or nothing if NULL.
SINEW_API void sinew_animator_destroy(sinew_animator *animator);

/// Returns the mixer, for its pose, matrices, events and root motion. The animator owns it. You can play in
/// layers that the graph doesn't use. You can also play in the graph's layers, until the layer's next transition
/// replaces your action.
SINEW_API sinew_mixer *sinew_animator_mixer(const sinew_animator *animator);

/// Sets a FLOAT. The value must be finite; with NDEBUG other values count as 0. The next sinew_animator_advance
/// uses it.
///
/// In all functions here, `parameter` is an index in the graph's parameters and must have the type in the
/// function's name. Values are clamped to the parameter's range.
SINEW_API void sinew_animator_set_float(sinew_animator *animator, int32_t parameter, float value);
/// Sets an INT.
SINEW_API void sinew_animator_set_int(sinew_animator *animator, int32_t parameter, int32_t value);
/// Sets a BOOL.
SINEW_API void sinew_animator_set_bool(sinew_animator *animator, int32_t parameter, bool value);
/// Sets a VECTOR2. Both numbers must be finite, like a FLOAT.
SINEW_API void sinew_animator_set_vector2(sinew_animator *animator, int32_t parameter, float x, float y);

/// Fires a TRIGGER. It is true in the next step, and in steps that begin less than `hold` seconds after that one.
/// A transition that has the trigger in its condition consumes it.
SINEW_API void sinew_animator_fire(sinew_animator *animator, int32_t parameter);

/// Resets a TRIGGER that no transition has consumed.
SINEW_API void sinew_animator_cancel(sinew_animator *animator, int32_t parameter);

/// Returns a FLOAT's value in the graph: after damping, from the last sinew_animator_advance.
SINEW_API float sinew_animator_float(const sinew_animator *animator, int32_t parameter);
/// Returns an INT.
SINEW_API int32_t sinew_animator_int(const sinew_animator *animator, int32_t parameter);
/// Returns a BOOL.
SINEW_API bool sinew_animator_bool(const sinew_animator *animator, int32_t parameter);
/// Returns true if a TRIGGER is set.
SINEW_API bool sinew_animator_trigger(const sinew_animator *animator, int32_t parameter);
/// Writes a VECTOR2's value, after damping. `x` and `y` must not be NULL.
SINEW_API void sinew_animator_vector2(const sinew_animator *animator, int32_t parameter, float *x, float *y);

/// Calls sinew_animator_advance, then returns sinew_mixer_update's result.
SINEW_API bool sinew_animator_update(sinew_animator *animator, float dt);

/// Takes the transitions that are due, and passes speeds, parameters and layer weights to the mixer. It doesn't
/// advance the mixer. Call it once before each mixer step (sinew_mixer_update, sinew_mixer_advance or
/// sinew_batch_update) with the same `dt`, which must be finite and 0 or more. Conditions see the mixer after its
/// last step. If the graph reads curves and that step's pose hasn't been evaluated, it calls sinew_mixer_evaluate
/// first.
SINEW_API void sinew_animator_advance(sinew_animator *animator, float dt);

/// Returns a layer's leaf. During a transition this is the new state. 0 <= layer < the graph's layer_count.
/// sinew_graph_machine_state finds the outer states.
SINEW_API int32_t sinew_animator_state(const sinew_animator *animator, int32_t layer);

/// Returns true if a state is active: its layer's leaf, or around the leaf.
SINEW_API bool sinew_animator_is_active(const sinew_animator *animator, int32_t state);

/// Returns true if a state with that tag is active in any layer. `tag` is an index in the graph's tags.
SINEW_API bool sinew_animator_has_tag(const sinew_animator *animator, int32_t tag);

/// Returns the seconds since an active state was entered; 0 for other states.
SINEW_API float sinew_animator_elapsed(const sinew_animator *animator, int32_t state);

/// Returns a layer's running transition. SINEW_GRAPH_NONE without one, and for sinew_animator_force_state's.
SINEW_API int32_t sinew_animator_transition(const sinew_animator *animator, int32_t layer);

/// Returns the progress of a layer's transition, 0 to 1; 1 if none is running.
SINEW_API float sinew_animator_progress(const sinew_animator *animator, int32_t layer);

/// Returns the action that a layer's leaf plays; {0} for an empty state.
SINEW_API sinew_action sinew_animator_action(const sinew_animator *animator, int32_t layer);

/// Enters a state immediately, even if no transition leads to it. The states around it also become active.
/// `transition` may be NULL for the defaults. Conditions can leave the state in the next step.
SINEW_API void sinew_animator_force_state(sinew_animator *animator, int32_t state,
                                          const sinew_transition *transition);

/// Takes over playback from an animator of another version of the graph, for tools that reload graphs. It copies
/// parameters and active states with the same names, damped values, clip times, blend space parameters and the
/// current pose. It then inertializes pose and root motion over `duration` seconds. A layer with no matching leaf
/// or outer state stays in its entry state. `animator` must be new. Both must have the same skeleton.
SINEW_API void sinew_animator_adopt(sinew_animator *animator, const sinew_animator *other, float duration);

/// The type of a graph event.
typedef enum sinew_graph_event_type {
    SINEW_GRAPH_EVENT_STATE_ENTERED,      ///< `state` became active
    SINEW_GRAPH_EVENT_STATE_LEFT,         ///< `state` is no longer active
    SINEW_GRAPH_EVENT_TRANSITION_STARTED, ///< `transition` was taken
    SINEW_GRAPH_EVENT_TRANSITION_ENDED,   ///< `transition` has run its duration, or was interrupted
    /// The layer took SINEW_MAX_GRAPH_HOPS transitions in one step, is in `state`, and could take another.
    SINEW_GRAPH_EVENT_CYCLE
} sinew_graph_event_type;

/// An event from the last sinew_animator_advance or sinew_animator_force_state.
typedef struct sinew_graph_event {
    sinew_graph_event_type type; ///< what happened
    int32_t layer;               ///< layer of the graph
    int32_t state;               ///< for TRANSITION_*: the state it leads to
    int32_t transition;          ///< SINEW_GRAPH_NONE for STATE_*, CYCLE and forced transitions
} sinew_graph_event;

/// The graph events of one step.
typedef struct sinew_graph_events {
    const sinew_graph_event *items; ///< [count], in order
    int32_t count;                  ///< events in `items`
    int32_t dropped_count;          ///< events dropped because of max_events
} sinew_graph_events;

/// Returns the events since the last sinew_animator_advance began. The animator owns `items`. They are valid
/// until the next call that changes it.
SINEW_API sinew_graph_events sinew_animator_events(const sinew_animator *animator);

/// Returns the most bytes that sinew_animator_save can write. This never changes for an animator.
SINEW_API size_t sinew_animator_snapshot_size(const sinew_animator *animator);

/// Saves parameters, states and the mixer's playback state (sinew_mixer_save) to `memory`, and returns the number
/// of bytes written. `memory` must be 8-byte aligned and have sinew_animator_snapshot_size bytes. Graph events
/// aren't saved, but conditions still see the markers and loops of the mixer's last step.
SINEW_API size_t sinew_animator_save(const sinew_animator *animator, void *memory);

/// Restores a snapshot that was saved in this process, by this animator or one made from the same definition. The
/// same calls then give the same bits again. Returns false and changes nothing in the same cases as
/// sinew_mixer_restore. Damaged snapshots are refused.
SINEW_API bool sinew_animator_restore(sinew_animator *animator, const void *memory, size_t size);

/// Returns a hash of parameters, states and the mixer's playback state. The same calls give the same hash on
/// every machine.
SINEW_API uint64_t sinew_animator_hash(const sinew_animator *animator);

#ifdef __cplusplus
}
#endif
#endif
