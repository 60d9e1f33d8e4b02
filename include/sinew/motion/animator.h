// SPDX-License-Identifier: MIT
/// Animators: one character's playback of a graph (graph.h): its parameters, its current states, and the mixer that it
/// drives.
///
///     sinew_animator_def def = sinew_animator_default();
///     def.binding = binding;
///     sinew_animator_create(&def, &animator, &error);           // one per character
///     int32_t speed = sinew_graph_find_parameter(graph, "speed");
///
///     sinew_animator_set_float(animator, speed, 1.4f);          // each frame
///     sinew_animator_update(animator, dt);
///
/// Only one thread at a time may use an animator and its mixer; different animators may run on different threads. All
/// memory is allocated when an animator is created. Calls that create, advance or change an animator use up to 150 KB
/// of stack. Wrong arguments of the calls of a frame are asserted; with NDEBUG the call is a no-op that returns 0,
/// false, NULL or SINEW_GRAPH_NONE. Durations are in seconds of real time.
#ifndef SINEW_ANIMATOR_H
#define SINEW_ANIMATOR_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One character's playback of a graph.
typedef struct sinew_animator sinew_animator;

/// What an animator is made from. Start from sinew_animator_default.
typedef struct sinew_animator_def {
    const sinew_graph_binding *binding; ///< must be set, and outlive the animator
    /// The definition of the mixer, such as its root motion and callbacks; NULL: sinew_mixer_default. Its skeleton is
    /// ignored, its sync names are those of the graph if it has none, and layers and blend spaces are at least those
    /// that the graph needs. Further layers are the program's own.
    const sinew_mixer_def *mixer;
    int32_t max_events; ///< graph events of one step; 0 to 255; default 8
    /// Starts recording the mixer before the entry states play, as sinew_mixer_record (recording.h) does, which refuses
    /// a mixer that has played; NULL (default): no recording. sinew_mixer_record stops it. Parameters, states and
    /// transitions are notes in the recording: docs/graph.md lists them.
    void (*write_recording)(const void *bytes, size_t size, void *user);
    void *recording_user;      ///< passed to `write_recording`; otherwise ignored
    sinew_allocator allocator; ///< of the animator; zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_animator_default
} sinew_animator_def;

/// Returns the defaults above; `binding` is NULL and must be set. Any thread.
SINEW_API sinew_animator_def sinew_animator_default(void);

/// Creates an animator and its mixer, with the entry states playing; free it with sinew_animator_destroy. Any thread.
/// SINEW_ERROR_ARGUMENT for a def out of the ranges above, and as sinew_mixer_create; SINEW_ERROR_OUT_OF_MEMORY;
/// SINEW_ERROR_UNSUPPORTED for `write_recording` in a build without recordings. On failure `*animator` is NULL. `error`
/// may be NULL.
SINEW_API sinew_result sinew_animator_create(const sinew_animator_def *def, sinew_animator **animator,
                                             sinew_error *error);

/// Frees an animator and its mixer. NULL is allowed. Any thread.
SINEW_API void sinew_animator_destroy(sinew_animator *animator);

/// The mixer, owned by the animator: for its pose, matrices, events and root motion, and for layers that the graph does
/// not have. The animator plays in its own layers by the mixer's functions, and so may the program: the next
/// transition of the layer replaces what plays there.
SINEW_API sinew_mixer *sinew_animator_mixer(const sinew_animator *animator);

/// Sets a FLOAT; it must be finite (asserted; with NDEBUG it counts as 0). Here and below, `parameter` is an index in
/// the graph's parameters, of the type in the function's name (asserted), and a value is clamped to the range of the
/// parameter. The next sinew_animator_advance uses it.
SINEW_API void sinew_animator_set_float(sinew_animator *animator, int32_t parameter, float value);
/// Sets an INT.
SINEW_API void sinew_animator_set_int(sinew_animator *animator, int32_t parameter, int32_t value);
/// Sets a BOOL.
SINEW_API void sinew_animator_set_bool(sinew_animator *animator, int32_t parameter, bool value);
/// Sets a VECTOR2; both numbers must be finite, as for a FLOAT.
SINEW_API void sinew_animator_set_vector2(sinew_animator *animator, int32_t parameter, float x, float y);

/// Fires a TRIGGER. It is true in the next step, and in those that begin less than `hold` seconds after that one, until
/// a transition whose condition names it is taken.
SINEW_API void sinew_animator_fire(sinew_animator *animator, int32_t parameter);

/// Ends a TRIGGER that no transition has consumed.
SINEW_API void sinew_animator_cancel(sinew_animator *animator, int32_t parameter);

/// The value of a FLOAT that the graph uses: after damping, as of the last sinew_animator_advance.
SINEW_API float sinew_animator_float(const sinew_animator *animator, int32_t parameter);
/// The value of an INT.
SINEW_API int32_t sinew_animator_int(const sinew_animator *animator, int32_t parameter);
/// The value of a BOOL.
SINEW_API bool sinew_animator_bool(const sinew_animator *animator, int32_t parameter);
/// Whether a trigger is true.
SINEW_API bool sinew_animator_trigger(const sinew_animator *animator, int32_t parameter);
/// Writes the value of a VECTOR2, after damping. `x` and `y` must not be NULL.
SINEW_API void sinew_animator_vector2(const sinew_animator *animator, int32_t parameter, float *x, float *y);

/// Does sinew_animator_advance, then sinew_mixer_update, whose result it returns.
SINEW_API bool sinew_animator_update(sinew_animator *animator, float dt);

/// Takes the transitions whose conditions are true and passes speeds, parameters and layer weights to the mixer,
/// without advancing it. Call it once before each step of the mixer, with the same `dt` (0 or more, finite: asserted):
/// before sinew_mixer_update, sinew_mixer_advance or sinew_batch_update. Conditions see the mixer as its last step left
/// it. If the graph names curves and the pose of that step has not been evaluated, it does sinew_mixer_evaluate first.
SINEW_API void sinew_animator_advance(sinew_animator *animator, float dt);

/// The leaf of a layer of the graph, 0 <= layer < layer_count (asserted). During a transition it is the state that the
/// transition leads to. sinew_graph_machine_state finds the states that contain it.
SINEW_API int32_t sinew_animator_state(const sinew_animator *animator, int32_t layer);

/// Whether a state is active: the leaf of its layer, or a state that contains it.
SINEW_API bool sinew_animator_is_active(const sinew_animator *animator, int32_t state);

/// Whether a state with that tag, an index in the graph's tags, is active in any layer.
SINEW_API bool sinew_animator_has_tag(const sinew_animator *animator, int32_t tag);

/// Seconds since an active state was entered; 0 for any other state.
SINEW_API float sinew_animator_elapsed(const sinew_animator *animator, int32_t state);

/// The transition that runs in a layer, or SINEW_GRAPH_NONE, also for one that sinew_animator_force_state started.
SINEW_API int32_t sinew_animator_transition(const sinew_animator *animator, int32_t layer);

/// The progress of a layer's transition: the part of its duration that has passed, 0 to 1; 1 if none runs.
SINEW_API float sinew_animator_progress(const sinew_animator *animator, int32_t layer);

/// The action that the leaf of a layer plays; {0} for an empty state.
SINEW_API sinew_action sinew_animator_action(const sinew_animator *animator, int32_t layer);

/// Enters a state at once, also if no transition leads to it, with `transition`, or NULL for the defaults; the states
/// that contain it become active as well. Conditions may leave it in the next step.
SINEW_API void sinew_animator_force_state(sinew_animator *animator, int32_t state,
                                          const sinew_transition *transition);

/// Takes over from an animator of another version of the graph: the parameters and active states of the same names,
/// with damped values where they are, the times of clips, the parameters of blend spaces, and the current pose. The
/// pose is inertialized to the new one over `duration` seconds from its velocity; so is the root's velocity. If neither
/// a leaf nor a state around it is found, the layer stays in its entry state. Both must be of the same skeleton
/// (asserted), and `animator` must be new. For tools that reload a graph.
SINEW_API void sinew_animator_adopt(sinew_animator *animator, const sinew_animator *other, float duration);

/// The type of a graph event.
typedef enum sinew_graph_event_type {
    SINEW_GRAPH_EVENT_STATE_ENTERED,      ///< `state` became active
    SINEW_GRAPH_EVENT_STATE_LEFT,         ///< `state` is no longer active
    SINEW_GRAPH_EVENT_TRANSITION_STARTED, ///< `transition` was taken
    SINEW_GRAPH_EVENT_TRANSITION_ENDED, ///< the duration of `transition` has passed, or another one interrupted it
    SINEW_GRAPH_EVENT_CYCLE ///< after SINEW_MAX_GRAPH_HOPS transitions, the layer, now in `state`, could take another
} sinew_graph_event_type;

/// An event of the last sinew_animator_advance or sinew_animator_force_state.
typedef struct sinew_graph_event {
    sinew_graph_event_type type; ///< what happened
    int32_t layer;               ///< of the graph
    int32_t state;               ///< for TRANSITION_*: the state that the transition leads to
    int32_t transition;          ///< SINEW_GRAPH_NONE for STATE_* and CYCLE, and for a forced transition
} sinew_graph_event;

/// The graph events of a step.
typedef struct sinew_graph_events {
    const sinew_graph_event *items; ///< [count], in order
    int32_t count;                  ///< events in `items`
    int32_t dropped_count;          ///< further events that were dropped because max_events was reached
} sinew_graph_events;

/// The events since the last sinew_animator_advance began. `items` are owned by the animator, valid until the next call
/// that changes it.
SINEW_API sinew_graph_events sinew_animator_events(const sinew_animator *animator);

/// The largest number of bytes that sinew_animator_save writes. It is the same for the animator's lifetime.
SINEW_API size_t sinew_animator_snapshot_size(const sinew_animator *animator);

/// Copies parameters, states and the playback state of the mixer (sinew_mixer_save) to `memory`, 8-byte aligned and of
/// sinew_animator_snapshot_size bytes, and returns the number of bytes written. Events are not included, except that a
/// restored animator sees the markers and loops of the mixer's last step.
SINEW_API size_t sinew_animator_save(const sinew_animator *animator, void *memory);

/// Restores a snapshot that sinew_animator_save wrote in this process, of this animator or of one made from the same
/// definition. The same calls then give the same bits again. Returns false and changes nothing under the conditions of
/// sinew_mixer_restore: damaged bytes are refused.
SINEW_API bool sinew_animator_restore(sinew_animator *animator, const void *memory, size_t size);

/// A hash of parameters, states and the mixer's playback state. The same calls give the same hash on every machine.
SINEW_API uint64_t sinew_animator_hash(const sinew_animator *animator);

#ifdef __cplusplus
}
#endif
#endif
