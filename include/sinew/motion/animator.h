// SPDX-License-Identifier: MIT
/// An animator plays a graph (graph.h) on one character. It holds the parameters, the current states and a mixer.
///
///     sinew_animator_def def = sinew_animator_default();
///     def.binding = binding;
///     sinew_animator_create(&def, &animator, &error);           // one per character
///     int32_t speed = sinew_graph_find_parameter(graph, "speed");
///
///     sinew_animator_set_float(animator, speed, 1.4f);          // every frame
///     sinew_animator_update(animator, dt);
///
/// Only one thread at a time may use an animator and its mixer. Different animators can run on different threads.
/// You can create and destroy animators on any thread. All memory is allocated when you create the animator.
/// Functions that create, advance or change an animator use up to 150 KB of stack. Durations are in seconds of real
/// time.
///
/// Invalid arguments are asserted unless a comment says otherwise. In NDEBUG builds, the call is a no-op and
/// returns 0, false, NULL or SINEW_GRAPH_NONE.
#ifndef SINEW_ANIMATOR_H
#define SINEW_ANIMATOR_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A graph playing on one character.
typedef struct sinew_animator sinew_animator;

/// Options for creating an animator. Start from sinew_animator_default.
typedef struct sinew_animator_def {
    const sinew_graph_binding *binding; ///< required; must outlive the animator
    /// Optional mixer definition. Use it for root motion, callbacks and so on. Its skeleton is ignored. If it has
    /// no sync names, it gets the graph's sync names. Its layer and blend space counts are raised if the graph
    /// needs more. If you ask for more layers than the graph needs, the rest are yours to use. Default NULL, which
    /// means sinew_mixer_default.
    const sinew_mixer_def *mixer;
    int32_t max_events; ///< maximum number of graph events per step; 0 to 255, default 8
    /// Optional. Records the mixer right from the start, before the entry states play. This works like
    /// sinew_mixer_record (recording.h), which can't record a mixer that has already played. Use sinew_mixer_record
    /// to stop. Parameters, states and transitions become notes in the recording (docs/graph.md). Default NULL.
    void (*write_recording)(const void *bytes, size_t size, void *user);
    void *recording_user;      ///< passed to `write_recording`
    sinew_allocator allocator; ///< memory for the animator; defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_animator_default
} sinew_animator_def;

/// Returns the default options. You must set `binding`.
SINEW_API sinew_animator_def sinew_animator_default(void);

/// Creates an animator and its mixer, and plays the entry states. Free it with sinew_animator_destroy. On failure
/// `*animator` is NULL. `error` may be NULL. Fails like sinew_mixer_create, or with:
///   - SINEW_ERROR_ARGUMENT if the def is out of range.
///   - SINEW_ERROR_UNSUPPORTED if you set `write_recording` in a build without recordings.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_animator_create(const sinew_animator_def *def, sinew_animator **animator,
                                             sinew_error *error);

/// Destroys an animator and its mixer. `animator` may be NULL.
SINEW_API void sinew_animator_destroy(sinew_animator *animator);

/// Returns the animator's mixer, which has the pose, matrices, events and root motion. The animator owns it. You
/// can play your own actions in layers that the graph doesn't use. You can even play them in the graph's layers,
/// but the layer's next transition will replace them.
SINEW_API sinew_mixer *sinew_animator_mixer(const sinew_animator *animator);

/// Sets a FLOAT parameter. The next sinew_animator_advance uses the value. It must be finite. In NDEBUG builds,
/// non-finite values are treated as 0.
///
/// In all of these functions, `parameter` is an index into the graph's parameters. Its type must match the
/// function's name. Values are clamped to the parameter's range.
SINEW_API void sinew_animator_set_float(sinew_animator *animator, int32_t parameter, float value);
/// Sets an INT parameter.
SINEW_API void sinew_animator_set_int(sinew_animator *animator, int32_t parameter, int32_t value);
/// Sets a BOOL parameter.
SINEW_API void sinew_animator_set_bool(sinew_animator *animator, int32_t parameter, bool value);
/// Sets a VECTOR2 parameter. Both numbers must be finite.
SINEW_API void sinew_animator_set_vector2(sinew_animator *animator, int32_t parameter, float x, float y);
/// Sets a VECTOR3 parameter. All coordinates must be finite.
SINEW_API void sinew_animator_set_vector3(sinew_animator *animator, int32_t parameter, sinew_vec3 value);
/// Sets a TRANSFORM parameter. All numbers must be finite, and the rotation's length must not be 0. It's normalized.
/// In NDEBUG builds, a rotation of length 0 is treated as the identity. A damped rotation takes the shorter way.
SINEW_API void sinew_animator_set_transform(sinew_animator *animator, int32_t parameter, sinew_vec3 position,
                                            sinew_quat rotation);

/// Fires a TRIGGER parameter. It is true in the next step, and in any step that begins less than `hold` seconds
/// after that. A transition whose condition uses the trigger consumes it.
SINEW_API void sinew_animator_fire(sinew_animator *animator, int32_t parameter);

/// Cancels a TRIGGER parameter that no transition has consumed yet.
SINEW_API void sinew_animator_cancel(sinew_animator *animator, int32_t parameter);

/// Returns a FLOAT parameter as the graph sees it, which is the damped value from the last sinew_animator_advance.
SINEW_API float sinew_animator_float(const sinew_animator *animator, int32_t parameter);
/// Returns an INT parameter.
SINEW_API int32_t sinew_animator_int(const sinew_animator *animator, int32_t parameter);
/// Returns a BOOL parameter.
SINEW_API bool sinew_animator_bool(const sinew_animator *animator, int32_t parameter);
/// Returns true if a TRIGGER parameter is currently set.
SINEW_API bool sinew_animator_trigger(const sinew_animator *animator, int32_t parameter);
/// Gets the damped value of a VECTOR2 parameter. `x` and `y` must not be NULL.
SINEW_API void sinew_animator_vector2(const sinew_animator *animator, int32_t parameter, float *x, float *y);
/// Returns the damped value of a VECTOR3 parameter.
SINEW_API sinew_vec3 sinew_animator_vector3(const sinew_animator *animator, int32_t parameter);
/// Returns the damped value of a TRANSFORM parameter. Its rotation is a unit quaternion, and its scale is 1. In NDEBUG
/// builds, an invalid call returns the identity.
SINEW_API sinew_transform sinew_animator_transform(const sinew_animator *animator, int32_t parameter);

/// Calls sinew_animator_advance and sinew_mixer_update. Returns the result of sinew_mixer_update.
SINEW_API bool sinew_animator_update(sinew_animator *animator, float dt);

/// Takes any transitions that are due and passes speeds, parameters and layer weights to the mixer. This doesn't
/// advance the mixer. Call it once before each mixer step (sinew_mixer_update, sinew_mixer_advance or
/// sinew_batch_update) and use the same `dt`. `dt` must be finite and at least 0. Conditions see the mixer as its
/// last step left it. If the graph reads curves and that step hasn't been evaluated yet, this calls
/// sinew_mixer_evaluate first.
SINEW_API void sinew_animator_advance(sinew_animator *animator, float dt);

/// Returns a layer's leaf state. During a transition, this is the new state. `layer` ranges from 0 to the graph's
/// layer_count - 1. Use sinew_graph_machine_state to get the outer states.
SINEW_API int32_t sinew_animator_state(const sinew_animator *animator, int32_t layer);

/// Is a state active? True if it's the leaf of its layer or contains the leaf.
SINEW_API bool sinew_animator_is_active(const sinew_animator *animator, int32_t state);

/// Returns true if a state with this tag is active in any layer. `tag` is an index into the graph's tags.
SINEW_API bool sinew_animator_has_tag(const sinew_animator *animator, int32_t tag);

/// Returns the time in seconds since an active state was entered, or 0 if the state isn't active.
SINEW_API float sinew_animator_elapsed(const sinew_animator *animator, int32_t state);

/// Returns the transition that's running in a layer. Returns SINEW_GRAPH_NONE if there isn't one, or if it was
/// started by sinew_animator_force_state.
SINEW_API int32_t sinew_animator_transition(const sinew_animator *animator, int32_t layer);

/// Returns the progress of a layer's transition, from 0 to 1. If no transition is running, this is 1.
SINEW_API float sinew_animator_progress(const sinew_animator *animator, int32_t layer);

/// Returns the action that a layer's leaf state is playing, or {0} if the state is empty.
SINEW_API sinew_action sinew_animator_action(const sinew_animator *animator, int32_t layer);

/// Enters a state immediately, even if there's no transition to it. Its outer states also become active.
/// `transition` may be NULL for the defaults. Note that the graph may transition out of the state again on the
/// next step.
SINEW_API void sinew_animator_force_state(sinew_animator *animator, int32_t state,
                                          const sinew_transition *transition);

/// Takes over playback from an animator that uses a different version of the graph. This lets tools reload graphs
/// while they play. It copies parameters and active states with matching names, damped values, clip times, blend
/// space parameters and the current pose. The difference in pose and root motion is then inertialized over
/// `duration` seconds. If a layer has no matching leaf or outer state, it stays in its entry state. `animator` must
/// be new, and both animators must use the same skeleton.
SINEW_API void sinew_animator_adopt(sinew_animator *animator, const sinew_animator *other, float duration);

/// The type of a graph event.
typedef enum sinew_graph_event_type {
    SINEW_GRAPH_EVENT_STATE_ENTERED,      ///< `state` became active
    SINEW_GRAPH_EVENT_STATE_LEFT,         ///< `state` is no longer active
    SINEW_GRAPH_EVENT_TRANSITION_STARTED, ///< `transition` was taken
    SINEW_GRAPH_EVENT_TRANSITION_ENDED,   ///< `transition` ran to the end or was interrupted
    /// The layer took SINEW_MAX_GRAPH_HOPS transitions in one step and could still take another. It's now in
    /// `state`.
    SINEW_GRAPH_EVENT_CYCLE
} sinew_graph_event_type;

/// An event from the last sinew_animator_advance or sinew_animator_force_state.
typedef struct sinew_graph_event {
    sinew_graph_event_type type; ///< what happened
    int32_t layer;               ///< layer in the graph
    int32_t state;               ///< the state; for TRANSITION_* events, the state it leads to
    int32_t transition;          ///< SINEW_GRAPH_NONE for STATE_* and CYCLE events and for forced transitions
} sinew_graph_event;

/// The graph events from one step.
typedef struct sinew_graph_events {
    const sinew_graph_event *items; ///< [count], in order
    int32_t count;                  ///< number of events in `items`
    int32_t dropped_count;          ///< number of events that were dropped because there were more than max_events
} sinew_graph_events;

/// Returns the events since the beginning of the last sinew_animator_advance. The animator owns `items`. They are
/// valid until you call a function that changes the animator.
SINEW_API sinew_graph_events sinew_animator_events(const sinew_animator *animator);

/// Returns the maximum number of bytes that sinew_animator_save can write. This never changes during an animator's
/// lifetime.
SINEW_API size_t sinew_animator_snapshot_size(const sinew_animator *animator);

/// Saves parameters, states and the mixer's playback state (see sinew_mixer_save) to `memory` and returns the
/// number of bytes written. `memory` must be 8-byte aligned and have room for sinew_animator_snapshot_size bytes.
/// Graph events aren't saved. After you restore, conditions still see markers and loops from the mixer's last step.
SINEW_API size_t sinew_animator_save(const sinew_animator *animator, void *memory);

/// Restores a snapshot. It must have been saved in the same process, either by this animator or by one made from
/// the same definition. If you then repeat the same calls, the results are bit-identical. Returns false and
/// changes nothing if the snapshot is damaged, or for any of the reasons listed in sinew_mixer_restore.
SINEW_API bool sinew_animator_restore(sinew_animator *animator, const void *memory, size_t size);

/// Returns a hash of the parameters, states and the mixer's playback state. The same calls give the same hash on
/// every machine.
SINEW_API uint64_t sinew_animator_hash(const sinew_animator *animator);

#ifdef __cplusplus
}
#endif
#endif
