// SPDX-License-Identifier: MIT
/// Animation graphs: states, transitions and parameters as data, from a file that designers edit or from structs.
///
/// A *graph* is the data: it names clips and nodes, but has none. A *binding* is a graph with the clips and the
/// skeleton of one character: names become pointers, once for all characters that share them. An *animator*
/// (animator.h) is one character's playback of a binding.
///
///     sinew_graph_load_file("hero.graph.json", NULL, &graph, &error);
///     sinew_graph_binding_def binding_def = sinew_graph_binding_default();
///     binding_def.graph = graph;
///     binding_def.skeleton = asset->skeleton;
///     binding_def.clips = asset->clips;
///     binding_def.clip_count = asset->clip_count;
///     sinew_graph_bind(&binding_def, &binding, &error);
///
/// A graph has *layers*, those of the mixer. Each layer has a *machine*: states of which one is current. A *state*
/// plays a clip or a blend space, contains another machine, or is empty. A state that contains a machine is current
/// together with one state of that machine: the *active states* of a layer are such a path, and the innermost is its
/// *leaf*. A *transition* leads from one state of a machine, or from any, to another state of the same machine, if its
/// *condition* is true. docs/graph.md describes the file, the conditions and what happens in a frame, in order.
///
/// Graphs and bindings are const after creation: any number of threads may use them at once. All memory is allocated
/// when an object is created. Calls that create a graph or a binding use up to 16 KB of stack. Durations are in seconds
/// of real time.
#ifndef SINEW_GRAPH_H
#define SINEW_GRAPH_H

#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An index of no parameter, state, transition or layer.
#define SINEW_GRAPH_NONE (-1)

/// `from` of a transition that starts from any state of its machine.
#define SINEW_ANY_STATE (-1)

/// The largest numbers of a graph.
#define SINEW_MAX_GRAPH_LAYERS      8     ///< layers
#define SINEW_MAX_GRAPH_PARAMETERS  64    ///< parameters
#define SINEW_MAX_GRAPH_STATES      4096  ///< states, of all machines
#define SINEW_MAX_GRAPH_TRANSITIONS 16384 ///< transitions; an array of names in `from` counts as many
#define SINEW_MAX_GRAPH_TAGS        64    ///< different tags
#define SINEW_MAX_GRAPH_CURVES      64    ///< different curves that conditions and weights of layers name
#define SINEW_MAX_GRAPH_DEPTH       8     ///< machines inside one another
#define SINEW_MAX_CONDITION_NODES   64    ///< of one condition

/// The largest number of transitions that a layer takes in one step. A layer that could take another one reports
/// SINEW_GRAPH_EVENT_CYCLE.
#define SINEW_MAX_GRAPH_HOPS 8

// ---- The data ------------------------------------------------------------------------------------------------

/// The type of a parameter's value.
typedef enum sinew_parameter_type {
    SINEW_PARAMETER_FLOAT,   ///< a finite float
    SINEW_PARAMETER_INT,     ///< an int32_t
    SINEW_PARAMETER_BOOL,    ///< true or false
    SINEW_PARAMETER_TRIGGER, ///< true from when it is fired until a transition consumes it or `hold` has passed
    SINEW_PARAMETER_VECTOR2  ///< two finite floats, x and y
} sinew_parameter_type;

/// A parameter: an input of the graph that the program sets. Start from sinew_graph_parameter_default.
typedef struct sinew_graph_parameter {
    /// An identifier, unique: letters, digits and _, not starting with a digit. No word of conditions.
    const char *name;
    sinew_parameter_type type; ///< type of the value; default FLOAT
    /// The value at the start: `initial[0]`, an integer for INT, 0 or 1 for BOOL; both for VECTOR2. Ignored for
    /// TRIGGER. Default 0.
    double initial[2];
    /// The values that the program may set, each coordinate of a VECTOR2: values outside are clamped. min <= max.
    /// Default -INFINITY and INFINITY: no limit. Ignored for BOOL and TRIGGER. `sinew graph check` and `test` use them.
    double min;
    double max; ///< see `min`
    /// Seconds, 0 or more, FLOAT and VECTOR2 only: the graph's value follows the program's as
    /// sinew_blend_parameter_follow describes. Default 0: at once.
    float damping;
    /// Seconds, 0 or more, TRIGGER only: how long a trigger waits for a transition. Default 0: for the next step only.
    float hold;
    int32_t line;    ///< in the file; 0 without one
    uint32_t cookie; ///< private: set by sinew_graph_parameter_default
} sinew_graph_parameter;

/// The defaults above: a FLOAT without limits. Set its name. Any thread.
SINEW_API sinew_graph_parameter sinew_graph_parameter_default(void);

/// What a state plays.
typedef enum sinew_graph_state_kind {
    SINEW_GRAPH_STATE_EMPTY, ///< nothing: a layer above the base uncovers those below; the base holds its last pose
    SINEW_GRAPH_STATE_CLIP,  ///< `clip`
    SINEW_GRAPH_STATE_BLEND_SPACE, ///< `blend`
    SINEW_GRAPH_STATE_MACHINE      ///< another machine, whose entry state is entered with this state
} sinew_graph_state_kind;

/// A clip of a blend space in a graph: see sinew_blend_sample.
typedef struct sinew_graph_sample {
    const char *clip; ///< name of the clip
    float x, y;       ///< position
    float speed;      ///< a factor of the clip's playback rate, not 0; usually 1
} sinew_graph_sample;

/// A blend space of a state: see sinew_blend_space_def. Sync markers are those of the graph.
typedef struct sinew_graph_blend {
    sinew_blend_space_kind kind;       ///< line, triangles or directional
    int32_t sample_count;              ///< number of samples
    const sinew_graph_sample *samples; ///< [sample_count]
    int32_t x_parameter;               ///< a FLOAT or INT; or a VECTOR2, which gives both coordinates
    int32_t y_parameter;               ///< a FLOAT or INT; SINEW_GRAPH_NONE on a line or with a VECTOR2
    float damping;                     ///< seconds, 0 or more
    bool match_speed;                  ///< see sinew_blend_space_def; "matchSpeed" in a file
    float min_rate;                    ///< with match_speed: above 0, at most 1; in a file default 0.8
    float max_rate;                    ///< with match_speed: 1 or more; in a file default 1.25
} sinew_graph_blend;

/// A state of a machine. Start from sinew_graph_state_default.
typedef struct sinew_graph_state {
    const char *name;               ///< unique in its machine; not "", without '/', not "*"
    int32_t machine;                ///< the machine that it is a state of; default 0, the first
    sinew_graph_state_kind kind;    ///< what it plays; default EMPTY
    const char *clip;               ///< CLIP: name of the clip; else NULL
    const sinew_graph_blend *blend; ///< BLEND_SPACE; else NULL
    int32_t submachine;             ///< MACHINE: the machine that it contains; else SINEW_GRAPH_NONE, the default
    float speed;                    ///< CLIP and BLEND_SPACE: playback speed, finite; default 1
    int32_t speed_parameter;        ///< a FLOAT that is multiplied with `speed`; default SINEW_GRAPH_NONE: none
    sinew_loop loop;                ///< CLIP; default SINEW_LOOP_REPEAT
    /// CLIP: 1 or more, or SINEW_FOREVER, the default. Ignored for SINEW_LOOP_ONCE.
    int32_t loop_count;
    const char *sync;        ///< CLIP and BLEND_SPACE: name of a sync group (sinew_play_def); default NULL: none
    int32_t tag_count;       ///< number of tags; default 0
    const char *const *tags; ///< [tag_count]
    int32_t line;            ///< in the file; 0 without one
    uint32_t cookie;         ///< private: set by sinew_graph_state_default
} sinew_graph_state;

/// The defaults above: an empty state of machine 0. Set its name. Any thread.
SINEW_API sinew_graph_state sinew_graph_state_default(void);

/// A machine: states of which one is current. Its states are those that name it.
typedef struct sinew_graph_machine {
    int32_t entry; ///< the state, of this machine, that is entered first
} sinew_graph_machine;

/// Which transitions a layer may take while a transition runs.
typedef enum sinew_graph_interrupt {
    SINEW_GRAPH_INTERRUPT_ALWAYS,    ///< all
    SINEW_GRAPH_INTERRUPT_ANY_STATE, ///< those from any state
    SINEW_GRAPH_INTERRUPT_NEVER      ///< none
} sinew_graph_interrupt;

/// A transition. Of those that start from one state, the first whose condition is true is taken. Start from
/// sinew_graph_transition_default.
typedef struct sinew_graph_transition {
    int32_t machine;  ///< the machine of both states; default 0, the first
    int32_t from;     ///< a state of the machine, or SINEW_ANY_STATE, the default
    int32_t to;       ///< a state of the machine; must be set
    const char *when; ///< the condition (docs/graph.md); default NULL: always true
    /// From any state: true if it is also taken when `to` is current, and enters it again. Ignored for others. Default
    /// false.
    bool to_self;
    sinew_graph_interrupt interrupt; ///< what may interrupt it until its duration has passed; default ALWAYS
    sinew_transition transition;     ///< kind, duration, easing; default sinew_transition_default
    float offset;                    ///< where the clip of `to` starts, 0 to 1 of its duration; default 0
    int32_t line;                    ///< in the file; 0 without one
    uint32_t cookie;                 ///< private: set by sinew_graph_transition_default
} sinew_graph_transition;

/// The defaults above; `to` is SINEW_GRAPH_NONE and must be set. Any thread.
SINEW_API sinew_graph_transition sinew_graph_transition_default(void);

/// A layer of the mixer. Layer 0 is the base. Start from sinew_graph_layer_default.
typedef struct sinew_graph_layer {
    const char *name; ///< unique; not "", without '/'
    int32_t machine;  ///< the layer's machine; each machine is of one layer or one state; default 0, the first
    /// ADDITIVE: its clips are made additive. Default SINEW_LAYER_OVERRIDE, always for the base.
    sinew_layer_mode mode;
    int32_t part_count;           ///< default 0: the layer affects all nodes; always 0 for the base
    const sinew_mask_part *parts; ///< [part_count]: the nodes that it affects; all others have a factor of 0
    float weight;                 ///< 0 to SINEW_MAX_WEIGHT; default 1, always for the base
    int32_t weight_parameter;     ///< a FLOAT that is multiplied with `weight`; default SINEW_GRAPH_NONE: none
    /// A curve whose value is multiplied with `weight`; values below 0 count as 0. Default NULL: none, always for the
    /// base. The layer should not affect that curve: a mask leaves curves to the layers below.
    const char *weight_curve;
    const char *reference; ///< ADDITIVE: the clip whose first frame is the reference; default NULL: the rest pose
    int32_t line;          ///< in the file; 0 without one
    uint32_t cookie;       ///< private: set by sinew_graph_layer_default
} sinew_graph_layer;

/// The defaults above: a layer that affects all nodes, with machine 0. Set its name. Any thread.
SINEW_API sinew_graph_layer sinew_graph_layer_default(void);

/// What a graph is made from. Everything is copied. Start from sinew_graph_default. Parameters, layers, states and
/// transitions start from their own default functions. The arrays of another graph will also do.
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
    int32_t sync_name_count;                   ///< number of names of sync markers
    const char *const *sync_names; ///< [sync_name_count]: sync_names of sinew_mixer_def and of all blend spaces
    sinew_allocator allocator;     ///< zero: the C library's heap
    uint32_t cookie;               ///< private: set by sinew_graph_default
} sinew_graph_def;

// ---- Conditions ----------------------------------------------------------------------------------------------

/// An operation of a condition. Numbers are doubles; true is 1 and false is 0.
typedef enum sinew_condition_op {
    SINEW_CONDITION_NUMBER,       ///< `number`
    SINEW_CONDITION_PARAMETER,    ///< the parameter `index`; of a VECTOR2, x
    SINEW_CONDITION_PARAMETER_Y,  ///< y of the VECTOR2 `index`
    SINEW_CONDITION_TIME,         ///< seconds in the state's clip
    SINEW_CONDITION_FRACTION,     ///< 0 to 1: the part of the state's clip that has been played, in its direction
    SINEW_CONDITION_ELAPSED,      ///< seconds since the state was entered
    SINEW_CONDITION_LOOPS,        ///< loops that the state's clip has completed
    SINEW_CONDITION_CURVE,        ///< the curve `curves[index]` in the pose of the last step
    SINEW_CONDITION_FINISHED,     ///< the state's clip has reached its last end
    SINEW_CONDITION_PAST,         ///< the fraction is at least `number`, or the last step reached an end
    SINEW_CONDITION_MARKER,       ///< the state's clip reached the marker `names[index]` in the last step
    SINEW_CONDITION_IN_TAG,       ///< a state with the tag `index` was active when the step began, in any layer
    SINEW_CONDITION_IN_STATE,     ///< the state `index` was active when the step began
    SINEW_CONDITION_NOT,          ///< left is false
    SINEW_CONDITION_NEGATE,       ///< -left
    SINEW_CONDITION_AND,          ///< left and right
    SINEW_CONDITION_OR,           ///< left or right
    SINEW_CONDITION_EQUAL,        ///< left == right
    SINEW_CONDITION_NOT_EQUAL,    ///< left != right
    SINEW_CONDITION_LESS,         ///< left < right
    SINEW_CONDITION_LESS_EQUAL,   ///< left <= right
    SINEW_CONDITION_GREATER,      ///< left > right
    SINEW_CONDITION_GREATER_EQUAL ///< left >= right
} sinew_condition_op;

/// One operation of a condition. Operands precede it.
typedef struct sinew_condition_node {
    sinew_condition_op op; ///< the operation
    int32_t index;         ///< of a parameter, curve, name, tag or state; else SINEW_GRAPH_NONE
    int32_t left, right;   ///< operands, indices of nodes; else SINEW_GRAPH_NONE
    double number;         ///< the constant; else 0
    int32_t column;        ///< where the operation is in the text, in bytes from 1
} sinew_condition_node;

/// A compiled condition: its value is that of the last node. Without nodes it is always true.
typedef struct sinew_condition {
    int32_t node_count;                ///< number of operations
    const sinew_condition_node *nodes; ///< [node_count]
} sinew_condition;

/// A graph, read-only. Only graphs returned by sinew_graph_create and sinew_graph_load_* are valid. The arrays belong
/// to it.
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
    const sinew_condition *conditions;         ///< [transition_count]: `when` of each, compiled
    int32_t name_count;                        ///< number of names
    const char *const *names;                  ///< [name_count]: the markers that conditions name
    int32_t curve_count;                       ///< number of curves
    const char *const *curves;           ///< [curve_count]: the curves that conditions and weights name, each once
    int32_t tag_count;                   ///< number of tags
    const char *const *tags;             ///< [tag_count]: the tags of all states, each once
    int32_t sync_name_count;             ///< number of names of sync markers
    const char *const *sync_names;       ///< [sync_name_count]
    size_t memory;                       ///< total bytes of the graph
    const struct sinew_graph_data *data; ///< private
} sinew_graph;

/// Returns the defaults: nothing, the C library's heap. Any thread.
SINEW_API sinew_graph_def sinew_graph_default(void);

/// Creates a graph; free it with sinew_graph_destroy. Any thread. SINEW_ERROR_ARGUMENT for data that breaks the rules
/// above and for a condition that does not compile, SINEW_ERROR_LIMIT for more than a graph can have,
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*graph` is NULL, and `error`, which may be NULL, names the element, such as
/// `transitions[3].when: column 9: no parameter is named "sped"; did you mean "speed"?`.
SINEW_API sinew_result sinew_graph_create(const sinew_graph_def *def, sinew_graph **graph, sinew_error *error);

/// Frees a graph. NULL is allowed. No binding may still use it. Any thread.
SINEW_API void sinew_graph_destroy(sinew_graph *graph);

/// Reads a graph from the text of a file (docs/graph.md), which is JSON; free it with sinew_graph_destroy. `allocator`
/// and `error` may be NULL. SINEW_ERROR_FORMAT, with line and column in `error`, for a text that is not JSON or not a
/// graph; otherwise as sinew_graph_create. Any bytes are safe; time and memory are linear in `size`. Any thread.
SINEW_API sinew_result sinew_graph_load_memory(const char *text, size_t size, const sinew_allocator *allocator,
                                               sinew_graph **graph, sinew_error *error);

/// The same from a regular file of at most 64 MiB. SINEW_ERROR_IO if it cannot be read. Messages start with the path.
SINEW_API sinew_result sinew_graph_load_file(const char *path, const sinew_allocator *allocator,
                                             sinew_graph **graph, sinew_error *error);

/// Returns the parameter of that name, or SINEW_GRAPH_NONE. A search: do it once, not in each frame. Any thread.
SINEW_API int32_t sinew_graph_find_parameter(const sinew_graph *graph, const char *name);

/// Returns the tag of that name, or SINEW_GRAPH_NONE. Any thread.
SINEW_API int32_t sinew_graph_find_tag(const sinew_graph *graph, const char *name);

/// Returns the state of that path, or SINEW_GRAPH_NONE. A path has the names of the layer, of the states that contain
/// it, and its own: "Base/Move", "Upper/Combo/Second". Any thread.
SINEW_API int32_t sinew_graph_find_state(const sinew_graph *graph, const char *path);

/// Writes the path of a state, truncated to `size` bytes with the terminating zero; `size` is at least 1. Returns the
/// length of the whole path, as snprintf does. Any thread.
SINEW_API size_t sinew_graph_state_path(const sinew_graph *graph, int32_t state, char *path, size_t size);

/// Returns the layer that a state is in. Any thread.
SINEW_API int32_t sinew_graph_state_layer(const sinew_graph *graph, int32_t state);

/// Returns the state that contains a machine, or SINEW_GRAPH_NONE for the machine of a layer. Any thread.
SINEW_API int32_t sinew_graph_machine_state(const sinew_graph *graph, int32_t machine);

// ---- Binding -------------------------------------------------------------------------------------------------

/// What a binding is made from. Start from sinew_graph_binding_default.
typedef struct sinew_graph_binding_def {
    const sinew_graph *graph;       ///< must be set, and outlive the binding
    const sinew_skeleton *skeleton; ///< must be set, and outlive the binding
    /// [clip_count], clips of that skeleton that must outlive the binding: those of an asset (asset.h). Of several with
    /// one name the first is used. May be NULL if `clip_count` is 0.
    const sinew_clip *clips;
    int32_t clip_count; ///< number of clips
    /// Returns the clip of a name that none of `clips` has, of the same skeleton, or NULL. It must outlive the binding.
    /// Default NULL.
    const sinew_clip *(*find_clip)(const char *name, void *user);
    void *user;                ///< passed to `find_clip`; otherwise ignored
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_graph_binding_default
} sinew_graph_binding_def;

/// A graph with the clips of a skeleton, read-only. Only bindings returned by sinew_graph_bind are valid.
typedef struct sinew_graph_binding {
    const sinew_graph *graph;       ///< as given
    const sinew_skeleton *skeleton; ///< as given
    const sinew_source *sources;    ///< [graph->state_count]: what each state plays; empty for EMPTY and MACHINE
    const sinew_mask *const *masks; ///< [graph->layer_count]: NULL for a layer that affects all nodes
    const int32_t *curves;          ///< [graph->curve_count]: indices of the curves in the skeleton
    size_t memory; ///< total bytes, those of blend spaces and additive clips included, without masks
    const struct sinew_graph_binding_data *data; ///< private
} sinew_graph_binding;

/// Returns the defaults: all NULL. Any thread.
SINEW_API sinew_graph_binding_def sinew_graph_binding_default(void);

/// Creates a binding; free it with sinew_graph_binding_destroy. Makes the blend spaces, the masks and the additive
/// clips of the graph. Any thread. SINEW_ERROR_ARGUMENT, with the state, layer or condition in `error`, for a clip,
/// node or curve that is not found or a blend space that cannot be made; SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*binding` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_graph_bind(const sinew_graph_binding_def *def, sinew_graph_binding **binding,
                                        sinew_error *error);

/// Frees a binding. NULL is allowed. No animator may still use it. Any thread.
SINEW_API void sinew_graph_binding_destroy(sinew_graph_binding *binding);

#ifdef __cplusplus
}
#endif
#endif
