// SPDX-License-Identifier: MIT
/// Animation graphs describe states, transitions and parameters as data. Designers can edit them in a file, or you
/// can fill in structs.
///
///     sinew_graph_load_file("hero.graph.json", NULL, &graph, &error);
///     sinew_graph_binding_def binding_def = sinew_graph_binding_default();
///     binding_def.graph = graph;
///     binding_def.asset = asset;
///     sinew_graph_bind(&binding_def, &binding, &error);
///
/// A *graph* is pure data. It refers to clips and nodes by name. A *binding* looks up these names in a skeleton
/// and its clips. All characters that use the skeleton can share one binding. An *animator* (animator.h) plays a
/// binding on one character.
///
/// Each mixer *layer* has a *machine*, which is a set of states. One of these is the current state. A *state* can
/// play a clip or a blend space, contain another machine, or be empty. If the current state contains a machine,
/// that machine also has a current state, and so on down to the *leaf*. All states on this path are *active*. A
/// *transition* goes from one state to another in the same machine. It can also start from any state in that
/// machine. It's taken when its *condition* is true. See docs/graph.md for the file format, the conditions and the
/// order of events in a frame.
///
/// You can't change graphs or bindings after you create them. All functions are thread-safe. `error` may be NULL.
/// All memory is allocated on creation. Creating a graph or a binding uses up to 16 KB of stack. Durations are in
/// seconds of real time.
#ifndef SINEW_GRAPH_H
#define SINEW_GRAPH_H

#include "../asset.h"
#include "../humanoid/humanoid.h"
#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The null index for parameters, tags, states, transitions and layers.
#define SINEW_GRAPH_NONE (-1)

/// Use this as a transition's `from` if it can start in any state of its machine.
#define SINEW_ANY_STATE (-1)

/// Graph limits.
#define SINEW_MAX_GRAPH_LAYERS      8     ///< maximum number of layers
#define SINEW_MAX_GRAPH_PARAMETERS  64    ///< maximum number of parameters
#define SINEW_MAX_GRAPH_STATES      4096  ///< maximum number of states across all machines
#define SINEW_MAX_GRAPH_TRANSITIONS 16384 ///< maximum number of transitions; each name in `from` adds one
#define SINEW_MAX_GRAPH_TAGS        64    ///< maximum number of distinct tags
#define SINEW_MAX_GRAPH_CURVES      64    ///< maximum number of distinct curves in conditions and layer weights
#define SINEW_MAX_GRAPH_DEPTH       8     ///< maximum depth of nested machines
#define SINEW_MAX_CONDITION_NODES   64    ///< maximum number of operations in a condition

/// The maximum number of transitions that a layer can take in one step. If it could take more, it reports
/// SINEW_GRAPH_EVENT_CYCLE.
#define SINEW_MAX_GRAPH_HOPS 8

// ---- The data ------------------------------------------------------------------------------------------------

/// The type of a parameter's value.
typedef enum sinew_parameter_type {
    SINEW_PARAMETER_FLOAT,    ///< a finite float
    SINEW_PARAMETER_INT,      ///< an int32_t
    SINEW_PARAMETER_BOOL,     ///< true or false
    SINEW_PARAMETER_TRIGGER,  ///< true once you fire it, until a transition consumes it or `hold` runs out
    SINEW_PARAMETER_VECTOR2,  ///< two finite floats, x and y
    SINEW_PARAMETER_VECTOR3,  ///< a position: three finite floats in meters. Conditions can't read it
    SINEW_PARAMETER_TRANSFORM ///< a position and a rotation, without scale. Conditions can't read it
} sinew_parameter_type;

/// The space of a VECTOR3 or TRANSFORM.
typedef enum sinew_parameter_space {
    SINEW_PARAMETER_SPACE_WORLD, ///< world space
    SINEW_PARAMETER_SPACE_MODEL  ///< the character's model space
} sinew_parameter_space;

/// A parameter, which is a graph input that your program sets. Start from sinew_graph_parameter_default.
typedef struct sinew_graph_parameter {
    /// Must be unique. Can contain letters, digits and _, but can't start with a digit. Can't be a keyword in the
    /// condition language.
    const char *name;
    sinew_parameter_type type; ///< type of the value; default FLOAT
    /// The initial value. FLOAT, INT and BOOL use `initial[0]`, VECTOR2 and VECTOR3 one element per coordinate.
    /// TRANSFORM uses three for the position, then four for the rotation's x, y, z and w. The rotation's length must
    /// be 1 within 0.001, and it's normalized. Must be an integer for INT, and 0 or 1 for BOOL. Ignored for TRIGGER.
    /// The default is 0, and the identity for a rotation: `initial[6]` is 1.
    double initial[7];
    /// The range of the value, or of each coordinate for VECTOR2 and VECTOR3. Values outside the range are clamped.
    /// Requires min <= max. The default is -INFINITY to INFINITY, so there's no limit. Ignored for BOOL, TRIGGER and
    /// TRANSFORM. The commands `sinew graph check` and `sinew graph test` also use this range.
    double min;
    double max; ///< see `min`
    /// Only for FLOAT, VECTOR2, VECTOR3 and TRANSFORM. Smooths the value that the graph sees, with this half-life in
    /// seconds. Must be 0 or more. See sinew_blend_parameter_follow. Defaults to 0, which means values change
    /// immediately.
    float damping;
    /// Only for VECTOR3 and TRANSFORM. The space in which your program sets the value. States and transitions
    /// ignore it. Default WORLD.
    sinew_parameter_space space;
    /// Only for TRIGGER. How long the trigger waits for a transition, in seconds. Must be 0 or more. Defaults to
    /// 0, which means it only lasts for the next step.
    float hold;
    int32_t line;    ///< line in the file, or 0 if there is no file
    uint32_t cookie; ///< private: set by sinew_graph_parameter_default
} sinew_graph_parameter;

/// Returns a default parameter, which is a FLOAT without limits. You must set the name.
SINEW_API sinew_graph_parameter sinew_graph_parameter_default(void);

/// What a state plays.
typedef enum sinew_graph_state_kind {
    /// Nothing. If the layer is above the base, the layers below show through. The base holds its last pose.
    SINEW_GRAPH_STATE_EMPTY,
    SINEW_GRAPH_STATE_CLIP,        ///< the clip `clip`
    SINEW_GRAPH_STATE_BLEND_SPACE, ///< the blend space `blend`
    SINEW_GRAPH_STATE_MACHINE      ///< another machine; entering this state also enters the machine's entry state
} sinew_graph_state_kind;

/// A clip in a blend space. See sinew_blend_sample.
typedef struct sinew_graph_sample {
    const char *clip; ///< the clip's name
    float x, y;       ///< position
    float speed;      ///< playback rate multiplier, usually 1; must not be 0
} sinew_graph_sample;

/// The blend space that a state plays. See sinew_blend_space_def. It uses the graph's sync markers.
typedef struct sinew_graph_blend {
    sinew_blend_space_kind kind;       ///< line, triangles or directional
    int32_t sample_count;              ///< number of samples
    const sinew_graph_sample *samples; ///< [sample_count]
    int32_t x_parameter;               ///< a FLOAT or INT, or a VECTOR2 for both coordinates
    int32_t y_parameter;               ///< a FLOAT or INT, or SINEW_GRAPH_NONE for a line or VECTOR2
    float damping;                     ///< in seconds, 0 or more
    bool match_speed;                  ///< see sinew_blend_space_def; called "matchSpeed" in a file
    float min_rate;                    ///< for match_speed; above 0, at most 1; defaults to 0.8 in a file
    float max_rate;                    ///< for match_speed; 1 or more; defaults to 1.25 in a file
} sinew_graph_blend;

/// A state in a machine. Start from sinew_graph_state_default.
typedef struct sinew_graph_state {
    const char *name;               ///< must be unique in its machine; can't be "" or "*" or contain '/'
    int32_t machine;                ///< the machine it belongs to; default 0
    sinew_graph_state_kind kind;    ///< what it plays; default EMPTY
    const char *clip;               ///< the clip's name for CLIP, otherwise NULL
    const sinew_graph_blend *blend; ///< the blend space for BLEND_SPACE, otherwise NULL
    int32_t submachine;             ///< the nested machine for MACHINE, otherwise SINEW_GRAPH_NONE (the default)
    float speed;                    ///< playback speed for CLIP and BLEND_SPACE, must be finite; default 1
    int32_t speed_parameter;        ///< a FLOAT that `speed` is multiplied by; default SINEW_GRAPH_NONE
    sinew_loop loop;                ///< loop mode for CLIP; default SINEW_LOOP_REPEAT
    /// Number of loops for CLIP. 1 or more, or SINEW_FOREVER (the default). Ignored for SINEW_LOOP_ONCE.
    int32_t loop_count;
    const char *sync;        ///< sync group name for CLIP and BLEND_SPACE (see sinew_play_def); default NULL
    int32_t tag_count;       ///< number of tags; default 0
    const char *const *tags; ///< [tag_count]
    int32_t line;            ///< line in the file, or 0 if there is no file
    uint32_t cookie;         ///< private: set by sinew_graph_state_default
} sinew_graph_state;

/// Returns a default state. It's empty and in machine 0. You must set the name.
SINEW_API sinew_graph_state sinew_graph_state_default(void);

/// A machine is a set of states. One of them is current. Each state stores the machine that it belongs to.
typedef struct sinew_graph_machine {
    int32_t entry; ///< the state to enter first; must be in this machine
} sinew_graph_machine;

/// Specifies which transitions can interrupt a running one.
typedef enum sinew_graph_interrupt {
    SINEW_GRAPH_INTERRUPT_ALWAYS,    ///< all transitions
    SINEW_GRAPH_INTERRUPT_ANY_STATE, ///< only transitions from SINEW_ANY_STATE
    SINEW_GRAPH_INTERRUPT_NEVER      ///< no transitions
} sinew_graph_interrupt;

/// A transition between two states. If several of a state's transitions have a true condition, the first one wins.
/// Start from sinew_graph_transition_default.
typedef struct sinew_graph_transition {
    int32_t machine;  ///< the machine that both states belong to; default 0
    int32_t from;     ///< a state in the machine, or SINEW_ANY_STATE (the default)
    int32_t to;       ///< a state in the machine; required
    const char *when; ///< condition (docs/graph.md); NULL (the default) is always true
    /// Only for SINEW_ANY_STATE. Lets the transition re-enter `to` if that's already the current state. Default
    /// false.
    bool to_self;
    sinew_graph_interrupt interrupt; ///< what can interrupt it while it's running; default ALWAYS
    sinew_transition transition;     ///< kind, duration and easing; default sinew_transition_default
    float offset;                    ///< where to start `to`'s clip, as a fraction from 0 to 1; default 0
    int32_t line;                    ///< line in the file, or 0 if there is no file
    uint32_t cookie;                 ///< private: set by sinew_graph_transition_default
} sinew_graph_transition;

/// Returns a default transition. You must set `to`.
SINEW_API sinew_graph_transition sinew_graph_transition_default(void);

/// A mixer layer. Layer 0 is the base. Start from sinew_graph_layer_default.
typedef struct sinew_graph_layer {
    const char *name; ///< must be unique; can't be "" or contain '/'
    int32_t machine;  ///< its machine; no other layer or state can use it; default 0
    /// SINEW_LAYER_ADDITIVE converts the layer's clips to additive clips. Defaults to SINEW_LAYER_OVERRIDE, which
    /// the base must use.
    sinew_layer_mode mode;
    int32_t part_count; ///< default 0, which means all nodes; must be 0 for the base
    /// [part_count], nodes that the layer affects. All other nodes get a factor of 0. A name can be a humanoid role,
    /// such as "role:spine".
    const sinew_mask_part *parts;
    float weight;             ///< 0 to SINEW_MAX_WEIGHT, default 1; must be 1 for the base
    int32_t weight_parameter; ///< a FLOAT that `weight` is multiplied by; default SINEW_GRAPH_NONE
    /// Optional name of a curve that `weight` is multiplied by. Negative values are treated as 0. Use a mask to
    /// keep the layer from affecting this curve. Must be NULL for the base. Default NULL.
    const char *weight_curve;
    /// Only for SINEW_LAYER_ADDITIVE. Name of a clip whose first frame is the reference pose. Defaults to NULL,
    /// which means the rest pose.
    const char *reference;
    int32_t line;    ///< line in the file, or 0 if there is no file
    uint32_t cookie; ///< private: set by sinew_graph_layer_default
} sinew_graph_layer;

/// Returns a default layer. It uses machine 0 and affects all nodes. You must set the name.
SINEW_API sinew_graph_layer sinew_graph_layer_default(void);

/// Options for creating a graph. Everything is copied. Start from sinew_graph_default, and use the default
/// functions for parameters, layers, states and transitions. You can also pass arrays from an existing graph.
typedef struct sinew_graph_def {
    int32_t parameter_count;                   ///< number of parameters
    const sinew_graph_parameter *parameters;   ///< [parameter_count]
    int32_t layer_count;                       ///< number of layers
    const sinew_graph_layer *layers;           ///< [layer_count], at least 1, or none if there are rig steps
    int32_t machine_count;                     ///< number of machines
    const sinew_graph_machine *machines;       ///< [machine_count]
    int32_t state_count;                       ///< number of states
    const sinew_graph_state *states;           ///< [state_count]
    int32_t transition_count;                  ///< number of transitions
    const sinew_graph_transition *transitions; ///< [transition_count], sorted by priority
    int32_t sync_name_count;                   ///< number of sync marker names
    /// [sync_name_count]. The mixer and all blend spaces use these as their `sync_names`. See sinew_mixer_def.
    const char *const *sync_names;
    int32_t step_count;                 ///< number of rig steps
    const struct sinew_rig_step *steps; ///< [step_count], what happens after the mixer (rig.h)
    int32_t foot_count;                 ///< number of feet, 0 to SINEW_MAX_FEET
    const struct sinew_rig_foot *feet;  ///< [foot_count], for the steps that move feet (rig.h)
    const char *path;                   ///< the file that it comes from, for error messages; default NULL
    sinew_allocator allocator;          ///< defaults to the C library's heap
    uint32_t cookie;                    ///< private: set by sinew_graph_default
} sinew_graph_def;

// ---- Conditions ----------------------------------------------------------------------------------------------

/// An operation in a condition. All values are doubles. True is 1 and false is 0.
typedef enum sinew_condition_op {
    SINEW_CONDITION_NUMBER,       ///< the constant `number`
    SINEW_CONDITION_PARAMETER,    ///< the value of parameter `index`, or x if it's a VECTOR2
    SINEW_CONDITION_PARAMETER_Y,  ///< y of the VECTOR2 parameter `index`
    SINEW_CONDITION_TIME,         ///< time in the state's clip, in seconds
    SINEW_CONDITION_FRACTION,     ///< how much of the state's clip has played in its direction, from 0 to 1
    SINEW_CONDITION_ELAPSED,      ///< time since the state was entered, in seconds
    SINEW_CONDITION_LOOPS,        ///< number of loops that the state's clip has completed
    SINEW_CONDITION_CURVE,        ///< value of the curve `curves[index]` in the last step's pose
    SINEW_CONDITION_FINISHED,     ///< the state's clip has finished its last loop
    SINEW_CONDITION_PAST,         ///< the fraction is `number` or more, or the clip reached an end in the last step
    SINEW_CONDITION_MARKER,       ///< the state's clip reached the marker `names[index]` in the last step
    SINEW_CONDITION_IN_TAG,       ///< a state with tag `index` was active in any layer when the step began
    SINEW_CONDITION_IN_STATE,     ///< state `index` was active when the step began
    SINEW_CONDITION_NOT,          ///< not left
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

/// One operation in a condition. Its operands are stored before it.
typedef struct sinew_condition_node {
    sinew_condition_op op; ///< the operation
    int32_t index;         ///< index of a parameter, curve, name, tag or state, otherwise SINEW_GRAPH_NONE
    int32_t left, right;   ///< node indices of the operands, otherwise SINEW_GRAPH_NONE
    double number;         ///< the constant, otherwise 0
    int32_t column;        ///< position in the text in bytes, starting at 1
} sinew_condition_node;

/// A compiled condition. The last node is the result. If there are no nodes, the condition is always true.
typedef struct sinew_condition {
    int32_t node_count;                ///< number of operations
    const sinew_condition_node *nodes; ///< [node_count]
} sinew_condition;

/// A graph. Read-only. Create it with sinew_graph_create or sinew_graph_load_*. The graph owns its arrays.
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
    const sinew_condition *conditions;         ///< [transition_count], the compiled `when` conditions
    int32_t name_count;                        ///< number of names
    const char *const *names;                  ///< [name_count], markers used in conditions
    int32_t curve_count;                       ///< number of curves
    const char *const *curves;     ///< [curve_count], curves used in conditions and weights, without duplicates
    int32_t tag_count;             ///< number of tags
    const char *const *tags;       ///< [tag_count], all tags without duplicates
    int32_t sync_name_count;       ///< number of sync marker names
    const char *const *sync_names; ///< [sync_name_count]
    int32_t step_count;            ///< number of rig steps
    const struct sinew_rig_step *steps;     ///< [step_count]
    const sinew_condition *step_conditions; ///< [step_count], the compiled `when` conditions
    int32_t foot_count;                     ///< number of feet
    const struct sinew_rig_foot *feet;      ///< [foot_count]
    const char *path;                       ///< the file that it was loaded from, or NULL
    size_t memory;                          ///< total size in bytes
    const struct sinew_graph_data *data;    ///< private
} sinew_graph;

/// Returns an empty definition.
SINEW_API sinew_graph_def sinew_graph_default(void);

/// Creates a graph. Free it with sinew_graph_destroy. On failure `*graph` is NULL, and `error` tells you which
/// element is wrong, for example `transitions[3].when: column 9: no parameter is named "sped"; did you mean
/// "speed"?`. Fails with SINEW_ERROR_ARGUMENT if the data breaks one of the rules above or a condition doesn't
/// compile, or with SINEW_ERROR_LIMIT or SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_graph_create(const sinew_graph_def *def, sinew_graph **graph, sinew_error *error);

/// Destroys a graph. `graph` may be NULL. Destroy all of its bindings first.
SINEW_API void sinew_graph_destroy(sinew_graph *graph);

/// Loads a graph from JSON text (docs/graph.md). Free it with sinew_graph_destroy. `allocator` may be NULL. Fails
/// with SINEW_ERROR_FORMAT if the text isn't JSON or doesn't describe a graph. In that case `error` contains the
/// line and column. It can also fail like sinew_graph_create. It's safe to load untrusted text. Time and memory
/// are linear in `size`.
SINEW_API sinew_result sinew_graph_load_memory(const char *text, size_t size, const sinew_allocator *allocator,
                                               sinew_graph **graph, sinew_error *error);

/// Loads a graph from a file, like sinew_graph_load_memory. It must be a regular file of at most 64 MiB. Fails with
/// SINEW_ERROR_IO if the file can't be read. Error messages start with the path.
SINEW_API sinew_result sinew_graph_load_file(const char *path, const sinew_allocator *allocator,
                                             sinew_graph **graph, sinew_error *error);

/// Finds a parameter by name. Returns SINEW_GRAPH_NONE if there isn't one. This has to search, so store the result
/// instead of calling it every frame.
SINEW_API int32_t sinew_graph_find_parameter(const sinew_graph *graph, const char *name);

/// Finds a tag by name. Returns SINEW_GRAPH_NONE if there isn't one.
SINEW_API int32_t sinew_graph_find_tag(const sinew_graph *graph, const char *name);

/// Finds a state by its path. Returns SINEW_GRAPH_NONE if there isn't one. A path consists of the layer name, the
/// names of any outer states, and the state's own name. Examples are "Base/Move" and "Upper/Combo/Second".
SINEW_API int32_t sinew_graph_find_state(const sinew_graph *graph, const char *path);

/// Gets a state's path. It's truncated to `size` bytes, including the null terminator. `size` must be at least 1.
/// Like snprintf, this returns the length of the whole path.
SINEW_API size_t sinew_graph_state_path(const sinew_graph *graph, int32_t state, char *path, size_t size);

/// Returns a state's layer.
SINEW_API int32_t sinew_graph_state_layer(const sinew_graph *graph, int32_t state);

/// Returns the state that contains a machine. If the machine belongs directly to a layer, this is SINEW_GRAPH_NONE.
SINEW_API int32_t sinew_graph_machine_state(const sinew_graph *graph, int32_t machine);

// ---- Binding -------------------------------------------------------------------------------------------------

/// Options for creating a binding. Start from sinew_graph_binding_default.
typedef struct sinew_graph_binding_def {
    const sinew_graph *graph; ///< required; must outlive the binding
    /// The asset to bind to, which has everything that the next fields ask for. It must outlive the binding. Without
    /// an asset, set `skeleton` and `clips`.
    const sinew_asset *asset;
    const sinew_skeleton *skeleton; ///< default NULL, which means the asset's; must outlive the binding
    /// [clip_count]. Clips that use this skeleton. They must outlive the binding. If several clips have the same name,
    /// the first one is used. Default NULL, which means the asset's.
    const sinew_clip *clips;
    int32_t clip_count; ///< number of clips
    /// The skeleton's roles, for names that start with "role:" and for the feet of rigs (rig.h). Use
    /// sinew_humanoid_find (humanoid/reference.h) to find them. It is copied. NULL (default) means the asset's, if it's
    /// an avatar, or none.
    const sinew_humanoid *humanoid;
    sinew_up up; ///< the up axis if there's no asset; default SINEW_UP_Y
    /// Optional callback that finds a clip that isn't in `clips`. Return NULL if you don't have it. The clip must
    /// use the same skeleton and must outlive the binding. Default NULL.
    const sinew_clip *(*find_clip)(const char *name, void *user);
    void *user;                ///< passed to `find_clip`, also when you create a rig for the binding
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_graph_binding_default
} sinew_graph_binding_def;

/// A graph bound to a skeleton and its clips. Read-only. Create it with sinew_graph_bind.
typedef struct sinew_graph_binding {
    const sinew_graph *graph;       ///< the graph from the def
    const sinew_skeleton *skeleton; ///< the skeleton from the def or its asset
    const sinew_asset *asset;       ///< the asset from the def
    const sinew_humanoid *humanoid; ///< the skeleton's roles, all SINEW_NO_NODE if there are none
    sinew_up up;                    ///< the up axis
    const sinew_source *sources;    ///< [graph->state_count], what each state plays; empty for EMPTY and MACHINE
    const sinew_mask *const *masks; ///< [graph->layer_count], NULL if a layer affects all nodes
    const int32_t *curves;          ///< [graph->curve_count], each curve's index in the skeleton
    size_t memory; ///< total size in bytes, including blend spaces and additive clips but not masks
    const struct sinew_graph_binding_data *data; ///< private
} sinew_graph_binding;

/// Returns an empty definition. You must set `graph`, and `asset` or `skeleton`.
SINEW_API sinew_graph_binding_def sinew_graph_binding_default(void);

/// Creates a binding, including its blend spaces, masks and additive clips. Free it with
/// sinew_graph_binding_destroy. On failure `*binding` is NULL. Fails with SINEW_ERROR_ARGUMENT if a clip, node, role or
/// curve can't be found, if a blend space can't be created, or if a node of `humanoid` doesn't exist. `error`
/// contains the file, the line and the name of the state, layer, step or condition. It can also fail with
/// SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_graph_bind(const sinew_graph_binding_def *def, sinew_graph_binding **binding,
                                        sinew_error *error);

/// Destroys a binding. `binding` may be NULL. Destroy its animators first.
SINEW_API void sinew_graph_binding_destroy(sinew_graph_binding *binding);

#ifdef __cplusplus
}
#endif
#endif
