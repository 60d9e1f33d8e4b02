// SPDX-License-Identifier: MIT
/// Animation graphs: states, transitions and parameters as data, from a file that designers edit or from structs.
///
///     sinew_graph_load_file("hero.graph.json", NULL, &graph, &error);
///     sinew_graph_binding_def binding_def = sinew_graph_binding_default();
///     binding_def.graph = graph;
///     binding_def.skeleton = asset->skeleton;
///     binding_def.clips = asset->clips;
///     binding_def.clip_count = asset->clip_count;
///     sinew_graph_bind(&binding_def, &binding, &error);
///
/// A *graph* is pure data and refers to clips and nodes by name. A *binding* looks up these names in one skeleton
/// and its clips. All characters with that skeleton share it. An *animator* (animator.h) plays a binding for one
/// character.
///
/// Each mixer *layer* has a *machine*, a set of states. One of them is current. A *state* plays a clip or a blend
/// space, contains another machine, or is empty. If the current state contains a machine, that machine has a
/// current state of its own, and so on down to the *leaf*. All states on this path are *active*. A *transition*
/// leads from one state of a machine, or from any, to another state of the same machine. It is taken when its
/// *condition* is true. docs/graph.md describes the file, the conditions and the order of events in a frame.
///
/// Graphs and bindings are const after creation. All functions are safe to call from any thread. `error` may be
/// NULL. All memory is allocated on creation. Creating a graph or a binding uses up to 16 KB of stack. Durations
/// are in seconds of real time.
#ifndef SINEW_GRAPH_H
#define SINEW_GRAPH_H

#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// In place of the index of a parameter, tag, state, transition or layer: none.
#define SINEW_GRAPH_NONE (-1)

/// `from` of a transition that can start from any state of its machine.
#define SINEW_ANY_STATE (-1)

/// The limits of a graph.
#define SINEW_MAX_GRAPH_LAYERS      8     ///< layers
#define SINEW_MAX_GRAPH_PARAMETERS  64    ///< parameters
#define SINEW_MAX_GRAPH_STATES      4096  ///< states, in all machines
#define SINEW_MAX_GRAPH_TRANSITIONS 16384 ///< transitions; in a file, each name in a `from` array counts as one
#define SINEW_MAX_GRAPH_TAGS        64    ///< different tags
#define SINEW_MAX_GRAPH_CURVES      64    ///< different curves in conditions and layer weights
#define SINEW_MAX_GRAPH_DEPTH       8     ///< levels of nested machines
#define SINEW_MAX_CONDITION_NODES   64    ///< operations in one condition

/// The most transitions that a layer takes in one step. If it could take another, it reports
/// SINEW_GRAPH_EVENT_CYCLE.
#define SINEW_MAX_GRAPH_HOPS 8

// ---- The data ------------------------------------------------------------------------------------------------

/// The type of a parameter's value.
typedef enum sinew_parameter_type {
    SINEW_PARAMETER_FLOAT,   ///< a finite float
    SINEW_PARAMETER_INT,     ///< an int32_t
    SINEW_PARAMETER_BOOL,    ///< true or false
    SINEW_PARAMETER_TRIGGER, ///< true after it is fired, until a transition consumes it or `hold` has passed
    SINEW_PARAMETER_VECTOR2  ///< two finite floats, x and y
} sinew_parameter_type;

/// A parameter: an input that the program sets. Start from sinew_graph_parameter_default.
typedef struct sinew_graph_parameter {
    /// A unique identifier: letters, digits and _, not starting with a digit. Must not be a word of the condition
    /// language.
    const char *name;
    sinew_parameter_type type; ///< type of the value; default FLOAT
    /// The initial value: `initial[0]`, which must be an integer for INT and 0 or 1 for BOOL; both for VECTOR2.
    /// Ignored for TRIGGER. Default 0.
    double initial[2];
    /// The range of the value; for VECTOR2, of each coordinate. Values outside are clamped. min <= max. Default
    /// -INFINITY and INFINITY: no limit. Ignored for BOOL and TRIGGER. `sinew graph check` and `test` also use
    /// it.
    double min;
    double max; ///< see `min`
    /// FLOAT and VECTOR2: the graph's value follows the program's over this time, in seconds, 0 or more. See
    /// sinew_blend_parameter_follow. Default 0: it changes at once.
    float damping;
    /// TRIGGER: seconds that it waits for a transition, 0 or more. Default 0: the next step only.
    float hold;
    int32_t line;    ///< line in the file; 0 without a file
    uint32_t cookie; ///< private: set by sinew_graph_parameter_default
} sinew_graph_parameter;

/// Returns the defaults: a FLOAT without limits. Set its name.
SINEW_API sinew_graph_parameter sinew_graph_parameter_default(void);

/// What a state plays.
typedef enum sinew_graph_state_kind {
    /// Nothing. A layer above the base shows the layers below; the base holds its last pose.
    SINEW_GRAPH_STATE_EMPTY,
    SINEW_GRAPH_STATE_CLIP,        ///< `clip`
    SINEW_GRAPH_STATE_BLEND_SPACE, ///< `blend`
    SINEW_GRAPH_STATE_MACHINE      ///< another machine; entering this state also enters the machine's entry state
} sinew_graph_state_kind;

/// A clip in a blend space; see sinew_blend_sample.
typedef struct sinew_graph_sample {
    const char *clip; ///< name of the clip
    float x, y;       ///< position
    float speed;      ///< playback rate factor, not 0; usually 1
} sinew_graph_sample;

/// A state's blend space; see sinew_blend_space_def. It uses the graph's sync markers.
typedef struct sinew_graph_blend {
    sinew_blend_space_kind kind;       ///< line, triangles or directional
    int32_t sample_count;              ///< number of samples
    const sinew_graph_sample *samples; ///< [sample_count]
    int32_t x_parameter;               ///< a FLOAT or INT, or a VECTOR2 for both coordinates
    int32_t y_parameter;               ///< a FLOAT or INT; SINEW_GRAPH_NONE on a line or with a VECTOR2
    float damping;                     ///< seconds, 0 or more
    bool match_speed;                  ///< see sinew_blend_space_def; "matchSpeed" in a file
    float min_rate;                    ///< with match_speed: above 0, at most 1; default in a file 0.8
    float max_rate;                    ///< with match_speed: 1 or more; default in a file 1.25
} sinew_graph_blend;

/// A state of a machine. Start from sinew_graph_state_default.
typedef struct sinew_graph_state {
    const char *name;               ///< unique in its machine; not "" or "*", without '/'
    int32_t machine;                ///< the machine that it belongs to; default 0
    sinew_graph_state_kind kind;    ///< what it plays; default EMPTY
    const char *clip;               ///< CLIP: the clip's name; else NULL
    const sinew_graph_blend *blend; ///< BLEND_SPACE: the blend space; else NULL
    int32_t submachine;             ///< MACHINE: the machine inside; else SINEW_GRAPH_NONE, the default
    float speed;                    ///< CLIP and BLEND_SPACE: playback speed, finite; default 1
    int32_t speed_parameter;        ///< a FLOAT to multiply `speed` by; default SINEW_GRAPH_NONE
    sinew_loop loop;                ///< CLIP; default SINEW_LOOP_REPEAT
    /// CLIP: number of loops, 1 or more, or SINEW_FOREVER (default). Ignored for SINEW_LOOP_ONCE.
    int32_t loop_count;
    const char *sync;        ///< CLIP and BLEND_SPACE: a sync group's name (sinew_play_def); default NULL
    int32_t tag_count;       ///< number of tags; default 0
    const char *const *tags; ///< [tag_count]
    int32_t line;            ///< line in the file; 0 without a file
    uint32_t cookie;         ///< private: set by sinew_graph_state_default
} sinew_graph_state;

/// Returns the defaults: an empty state of machine 0. Set its name.
SINEW_API sinew_graph_state sinew_graph_state_default(void);

/// A machine: a set of states, one of them current. States refer to their machine, not the reverse.
typedef struct sinew_graph_machine {
    int32_t entry; ///< the state to enter first, one of its own
} sinew_graph_machine;

/// Which transitions may interrupt a running one.
typedef enum sinew_graph_interrupt {
    SINEW_GRAPH_INTERRUPT_ALWAYS,    ///< all
    SINEW_GRAPH_INTERRUPT_ANY_STATE, ///< transitions from any state
    SINEW_GRAPH_INTERRUPT_NEVER      ///< none
} sinew_graph_interrupt;

/// A transition. If several from one state have a true condition, the first is taken. Start from
/// sinew_graph_transition_default.
typedef struct sinew_graph_transition {
    int32_t machine;  ///< the machine of both states; default 0
    int32_t from;     ///< a state of the machine, or SINEW_ANY_STATE (default)
    int32_t to;       ///< a state of the machine; must be set
    const char *when; ///< condition (docs/graph.md); default NULL: always true
    /// SINEW_ANY_STATE: also taken when `to` is already current, which enters it again. Otherwise ignored.
    /// Default false.
    bool to_self;
    sinew_graph_interrupt interrupt; ///< what may interrupt it while it runs; default ALWAYS
    sinew_transition transition;     ///< kind, duration, easing; default sinew_transition_default
    float offset;    ///< where the clip of `to` starts, as a fraction of its duration; 0 to 1, default 0
    int32_t line;    ///< line in the file; 0 without a file
    uint32_t cookie; ///< private: set by sinew_graph_transition_default
} sinew_graph_transition;

/// Returns the defaults. `to` is SINEW_GRAPH_NONE and must be set.
SINEW_API sinew_graph_transition sinew_graph_transition_default(void);

/// A mixer layer. Layer 0 is the base. Start from sinew_graph_layer_default.
typedef struct sinew_graph_layer {
    const char *name; ///< unique; not "", without '/'
    int32_t machine;  ///< a machine that no other layer or state has; default 0
    /// ADDITIVE makes its clips additive. Default SINEW_LAYER_OVERRIDE; the base must be OVERRIDE.
    sinew_layer_mode mode;
    int32_t part_count;           ///< default 0: the layer affects all nodes; must be 0 for the base
    const sinew_mask_part *parts; ///< [part_count]: the nodes that it affects; other nodes have a factor of 0
    float weight;                 ///< 0 to SINEW_MAX_WEIGHT; default 1; must be 1 for the base
    int32_t weight_parameter;     ///< a FLOAT to multiply `weight` by; default SINEW_GRAPH_NONE
    /// A curve to multiply `weight` by; values below 0 count as 0. Default NULL; must be NULL for the base. Use a
    /// mask to keep the layer from affecting this curve.
    const char *weight_curve;
    const char *reference; ///< ADDITIVE: a clip; its first frame is the reference pose; default NULL: the rest pose
    int32_t line;          ///< line in the file; 0 without a file
    uint32_t cookie;       ///< private: set by sinew_graph_layer_default
} sinew_graph_layer;

/// Returns the defaults: a layer with machine 0 that affects all nodes. Set its name.
SINEW_API sinew_graph_layer sinew_graph_layer_default(void);

/// The definition of a graph. Everything is copied. Start from sinew_graph_default, and from the default
/// functions of parameters, layers, states and transitions. You can also use another graph's arrays.
typedef struct sinew_graph_def {
    int32_t parameter_count;                   ///< number of parameters
    const sinew_graph_parameter *parameters;   ///< [parameter_count]
    int32_t layer_count;                       ///< number of layers
    const sinew_graph_layer *layers;           ///< [layer_count], at least 1
    int32_t machine_count;                     ///< number of machines
    const sinew_graph_machine *machines;       ///< [machine_count]
    int32_t state_count;                       ///< number of states
    const sinew_graph_state *states;           ///< [state_count]
    int32_t transition_count;                  ///< number of transitions
    const sinew_graph_transition *transitions; ///< [transition_count], in order of priority
    int32_t sync_name_count;                   ///< number of sync marker names
    /// [sync_name_count]: `sync_names` of sinew_mixer_def and of all blend spaces.
    const char *const *sync_names;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_graph_default
} sinew_graph_def;

// ---- Conditions ----------------------------------------------------------------------------------------------

/// An operation in a condition. Numbers are doubles; true is 1 and false is 0.
typedef enum sinew_condition_op {
    SINEW_CONDITION_NUMBER,      ///< `number`
    SINEW_CONDITION_PARAMETER,   ///< the parameter `index`; x of a VECTOR2
    SINEW_CONDITION_PARAMETER_Y, ///< y of the VECTOR2 `index`
    SINEW_CONDITION_TIME,        ///< seconds in the state's clip
    SINEW_CONDITION_FRACTION,    ///< how much of the state's clip has played, in its direction; 0 to 1
    SINEW_CONDITION_ELAPSED,     ///< seconds since the state was entered
    SINEW_CONDITION_LOOPS,       ///< completed loops of the state's clip
    SINEW_CONDITION_CURVE,       ///< the curve `curves[index]` in the last step's pose
    SINEW_CONDITION_FINISHED,    ///< the state's clip has played to the end, all loops included
    SINEW_CONDITION_PAST,        ///< the fraction is at least `number`, or the clip reached an end in the last step
    SINEW_CONDITION_MARKER,      ///< the state's clip reached the marker `names[index]` in the last step
    SINEW_CONDITION_IN_TAG,      ///< a state with the tag `index` was active in any layer when the step began
    SINEW_CONDITION_IN_STATE,    ///< the state `index` was active when the step began
    SINEW_CONDITION_NOT,         ///< left is false
    SINEW_CONDITION_NEGATE,      ///< -left
    SINEW_CONDITION_AND,         ///< left and right
    SINEW_CONDITION_OR,          ///< left or right
    SINEW_CONDITION_EQUAL,       ///< left == right
    SINEW_CONDITION_NOT_EQUAL,   ///< left != right
    SINEW_CONDITION_LESS,        ///< left < right
    SINEW_CONDITION_LESS_EQUAL,  ///< left <= right
    SINEW_CONDITION_GREATER,     ///< left > right
    SINEW_CONDITION_GREATER_EQUAL ///< left >= right
} sinew_condition_op;

/// One operation in a condition. Its operands come before it.
typedef struct sinew_condition_node {
    sinew_condition_op op; ///< the operation
    int32_t index;         ///< parameter, curve, name, tag or state; else SINEW_GRAPH_NONE
    int32_t left, right;   ///< operands, as node indices; else SINEW_GRAPH_NONE
    double number;         ///< the constant; else 0
    int32_t column;        ///< position in the text, in bytes from 1
} sinew_condition_node;

/// A compiled condition. The last node has its value. Without nodes it is always true.
typedef struct sinew_condition {
    int32_t node_count;                ///< number of operations
    const sinew_condition_node *nodes; ///< [node_count]
} sinew_condition;

/// A graph, read-only. Create it only with sinew_graph_create or sinew_graph_load_*. The graph owns the arrays.
typedef struct sinew_graph {
    int32_t parameter_count;                   ///< number of parameters
    const sinew_graph_parameter *parameters;   ///< [parameter_count]
    int32_t layer_count;                       ///< number of layers
    const sinew_graph_layer *layers;           ///< [layer_count]
    int32_t machine_count;                     ///< number of machines
    const sinew_graph_machine *machines;       ///< [machine_count]
    int32_t state_count;                       ///< number of states
    const sinew_graph_state *states;           ///< [state_count]
    int32_t transition_count;                  ///< number of transitions
    const sinew_graph_transition *transitions; ///< [transition_count]
    const sinew_condition *conditions;         ///< [transition_count]: the compiled `when` of each
    int32_t name_count;                        ///< number of names
    const char *const *names;                  ///< [name_count]: the markers in conditions
    int32_t curve_count;                       ///< number of curves
    const char *const *curves;     ///< [curve_count]: the curves in conditions and weights, without duplicates
    int32_t tag_count;             ///< number of tags
    const char *const *tags;       ///< [tag_count]: all tags, without duplicates
    int32_t sync_name_count;       ///< number of sync marker names
    const char *const *sync_names; ///< [sync_name_count]
    size_t memory;                 ///< total bytes
    const struct sinew_graph_data *data; ///< private
} sinew_graph;

/// Returns the defaults: empty, with the C library's heap.
SINEW_API sinew_graph_def sinew_graph_default(void);

/// Creates a graph. Free it with sinew_graph_destroy. Fails with SINEW_ERROR_ARGUMENT if the data breaks a rule
/// above or a condition doesn't compile, with SINEW_ERROR_LIMIT, or with SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*graph` is NULL and `error` names the element, such as `transitions[3].when: column 9: no parameter is named
/// "sped"; did you mean "speed"?`.
SINEW_API sinew_result sinew_graph_create(const sinew_graph_def *def, sinew_graph **graph, sinew_error *error);

/// Frees a graph, or nothing if NULL. Free its bindings first.
SINEW_API void sinew_graph_destroy(sinew_graph *graph);

/// Reads a graph from JSON text (docs/graph.md). Free it with sinew_graph_destroy. `allocator` may be NULL. Fails
/// with SINEW_ERROR_FORMAT if the text isn't JSON or isn't a graph; `error` has the line and column. Otherwise it
/// fails like sinew_graph_create. Any input is safe; time and memory are linear in `size`.
SINEW_API sinew_result sinew_graph_load_memory(const char *text, size_t size, const sinew_allocator *allocator,
                                               sinew_graph **graph, sinew_error *error);

/// Reads a graph from a regular file of at most 64 MiB, like sinew_graph_load_memory. Fails with SINEW_ERROR_IO
/// if it can't be read. Error messages start with the path.
SINEW_API sinew_result sinew_graph_load_file(const char *path, const sinew_allocator *allocator,
                                             sinew_graph **graph, sinew_error *error);

/// Returns the parameter with that name, or SINEW_GRAPH_NONE. It searches, so call it once, not every frame.
SINEW_API int32_t sinew_graph_find_parameter(const sinew_graph *graph, const char *name);

/// Returns the tag with that name, or SINEW_GRAPH_NONE.
SINEW_API int32_t sinew_graph_find_tag(const sinew_graph *graph, const char *name);

/// Returns the state with that path, or SINEW_GRAPH_NONE. A path has the name of the layer, the names of outer
/// states, and the state's own: "Base/Move", "Upper/Combo/Second".
SINEW_API int32_t sinew_graph_find_state(const sinew_graph *graph, const char *path);

/// Writes a state's path, truncated to `size` bytes with the terminating zero. `size` must be at least 1. Returns
/// the length of the whole path, like snprintf.
SINEW_API size_t sinew_graph_state_path(const sinew_graph *graph, int32_t state, char *path, size_t size);

/// Returns a state's layer.
SINEW_API int32_t sinew_graph_state_layer(const sinew_graph *graph, int32_t state);

/// Returns the state that contains a machine, or SINEW_GRAPH_NONE for a layer's own machine.
SINEW_API int32_t sinew_graph_machine_state(const sinew_graph *graph, int32_t machine);

// ---- Binding -------------------------------------------------------------------------------------------------

/// The definition of a binding. Start from sinew_graph_binding_default.
typedef struct sinew_graph_binding_def {
    const sinew_graph *graph;       ///< must be set; must outlive the binding
    const sinew_skeleton *skeleton; ///< must be set; must outlive the binding
    /// [clip_count]: clips of that skeleton, such as an asset's (asset.h). They must outlive the binding. If
    /// several have the same name, the first is used. May be NULL if `clip_count` is 0.
    const sinew_clip *clips;
    int32_t clip_count; ///< number of clips
    /// Finds a clip that isn't in `clips`, or returns NULL. The clip must be of the same skeleton and outlive the
    /// binding. Default NULL.
    const sinew_clip *(*find_clip)(const char *name, void *user);
    void *user;                ///< passed to `find_clip`
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_graph_binding_default
} sinew_graph_binding_def;

/// A graph bound to a skeleton's clips, read-only. Create it only with sinew_graph_bind.
typedef struct sinew_graph_binding {
    const sinew_graph *graph;       ///< the def's graph
    const sinew_skeleton *skeleton; ///< the def's skeleton
    const sinew_source *sources;    ///< [graph->state_count]: what each state plays; empty for EMPTY and MACHINE
    const sinew_mask *const *masks; ///< [graph->layer_count]: NULL if a layer affects all nodes
    const int32_t *curves;          ///< [graph->curve_count]: curve indices in the skeleton
    size_t memory;                  ///< total bytes, with blend spaces and additive clips, without masks
    const struct sinew_graph_binding_data *data; ///< private
} sinew_graph_binding;

/// Returns the defaults: all NULL.
SINEW_API sinew_graph_binding_def sinew_graph_binding_default(void);

/// Creates a binding with its blend spaces, masks and additive clips. Free it with sinew_graph_binding_destroy.
/// Fails with SINEW_ERROR_ARGUMENT if a clip, node or curve isn't found or a blend space can't be made; `error`
/// names the state, layer or condition. Fails with SINEW_ERROR_OUT_OF_MEMORY. On failure `*binding` is NULL.
SINEW_API sinew_result sinew_graph_bind(const sinew_graph_binding_def *def, sinew_graph_binding **binding,
                                        sinew_error *error);

/// Frees a binding, or nothing if NULL. Destroy its animators first.
SINEW_API void sinew_graph_binding_destroy(sinew_graph_binding *binding);

#ifdef __cplusplus
}
#endif
#endif
