// The file under the rules, as all of them want it: nodes with their places at rest, samplers with their keys, and
// who refers to what. Filled only from files that the library has taken, so indices are in range and counts agree.
#ifndef LINT_SUBJECT_H
#define LINT_SUBJECT_H

#include "lint/lint.h"

#include <sinew/clip.h>

typedef struct lint_node {
    sinew_json_value value;
    const char *name;
    int32_t parent; // -1: none
    int32_t root;   // the topmost node above it, or itself
    ref_list children;
    bool has_matrix;   // and no translation, rotation and scale
    double rest[3][4]; // by path
    double world[16];  // at rest, column after column
    int32_t mesh, skin;
    bool joint;    // of some skin
    bool chain;    // a joint, or above one
    bool animated; // by some channel
    bool in_scene; // of some scene
} lint_node;

// An animation's sampler and its keys.
typedef struct lint_sampler {
    sinew_json_value value;
    int32_t animation, index;
    int32_t channels; // that use it
    int32_t node;     // that the first of them moves, or -1
    sinew_channel_target path;
    sinew_interpolation how;
    int32_t input, output; // accessors
    int32_t key_count;
    int32_t width; // numbers in a value
    int32_t parts; // values in a key: 3 for splines
    int32_t component_type;
    const double *times;  // [key_count]
    const double *values; // [key_count × parts × width]
} lint_sampler;

typedef struct lint_channel {
    sinew_json_value value;
    int32_t index;
    int32_t sampler; // in the subject's samplers
    int32_t node;    // -1: nothing that a skeleton has, or what an earlier channel moves
    sinew_channel_target path;
    bool repeated; // a later channel moves the same, and would be heard if this one went
} lint_channel;

typedef struct lint_animation {
    sinew_json_value value;
    const char *name;
    int32_t sampler_count, channel_count;
    lint_sampler *samplers;
    lint_channel *channels;
    double start, end; // the first and the last key of all channels that move something
} lint_animation;

typedef enum lint_kind {
    LINT_BUFFER,
    LINT_VIEW,
    LINT_ACCESSOR,
    LINT_IMAGE,
    LINT_TEXTURE,
    LINT_MATERIAL,
    LINT_MESH,
    LINT_SKIN,
    LINT_CAMERA,
    LINT_NODE,
    LINT_ANIMATION,
    LINT_KIND_COUNT
} lint_kind;

// One number in the file that is the index of something.
typedef struct lint_reference {
    lint_kind kind;
    int32_t target;
    sinew_json_value value; // the number
    lint_kind from;         // what it stands in: accessors[3], meshes[0]
    int32_t from_index;
} lint_reference;

typedef struct lint_subject {
    ref_document *document;
    lint_report *report; // NULL while mending
    sinew_arena *arena;
    bool out_of_memory;
    int32_t node_count;
    lint_node *nodes;
    const sinew_json_value *mesh_weights; // [meshes.count]: the "weights" of each mesh
    int32_t animation_count;
    lint_animation *animations;
    int32_t reference_count, reference_capacity;
    lint_reference *references;
    const char
        *opaque; // an extension that may refer to accessors and views in ways unknown here; NULL: there is none
    double size; // of the model and of the ways it goes, metres; at least a little
} lint_subject;

// Memory from the subject's arena; NULL, with out_of_memory set, when there is none.
void *lint_take(lint_subject *s, size_t count, size_t size);
#define lint_array(s, type, count) ((type *)lint_take(s, (size_t)(count), sizeof(type)))

// Fills everything of a file that the library has taken; false when memory runs out.
bool lint_read_subject(lint_subject *s, ref_document *document, sinew_arena *arena, lint_report *report);

// SINEW_OK, or why the library does not take a file.
sinew_result lint_try_to_load(const char *path, sinew_meshopt_decode decode, void *decode_user, sinew_error *error);

// Its parts, in the order in which they need one another: nodes.c, animations.c, references.c.
void lint_read_nodes(lint_subject *s);
void lint_read_animations(lint_subject *s);
void lint_read_references(lint_subject *s);

// How much a node's parent enlarges what its translation says.
double lint_scale_above(const lint_subject *s, int32_t node);

// The list of the document that a kind is of, and its name in the file.
ref_list lint_list(const ref_document *document, lint_kind kind);
const char *lint_kind_name(lint_kind kind);

// A member that is an index into a list; -1 where it is absent or out of range.
int32_t lint_index(const ref_document *document, sinew_json_value object, const char *key, int32_t count);

sinew_json_value lint_extension(const ref_document *document, sinew_json_value object, const char *name);

// An extension of this name in one of its two forms, EXT_ and KHR_; or ABSENT.
sinew_json_value lint_meshopt(const ref_document *document, sinew_json_value view);

// The node that an element of a list of nodes is; -1 where there is none.
int32_t lint_element(const lint_subject *s, ref_list list, int32_t index);

// The value of a rotation or another path at a key: behind the in-tangent in splines.
const double *lint_key(const lint_sampler *sampler, int32_t key);

// ---- Findings ------------------------------------------------------------------------------------------------------

// `place` is a format of its own, since most places end in the number of a key or a vertex.
void lint_add(lint_subject *s, lint_rule_id rule, size_t bytes, const char *place, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// A place, from the arena.
const char *lint_place(lint_subject *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A node as people know it: 'Hips', or nodes[7] where it has no name. A clip likewise.
const char *lint_node_label(lint_subject *s, int32_t node);
const char *lint_clip_label(lint_subject *s, int32_t animation);

// ---- Rules ---------------------------------------------------------------------------------------------------------

// The first two look at any document, the others at what the library has taken.
void lint_check_finite(lint_subject *s);
void lint_check_short_binds(lint_subject *s);
void lint_check_json(lint_subject *s);
void lint_check_nodes(lint_subject *s);
void lint_check_channels(lint_subject *s);
void lint_check_joints(lint_subject *s);
void lint_check_rotations(lint_subject *s);
void lint_check_tracks(lint_subject *s);
void lint_check_loops(lint_subject *s);
void lint_check_markers(lint_subject *s, const char *path); // of the file: its markers may stand beside it
void lint_check_weights(lint_subject *s);
void lint_check_skins(lint_subject *s);
void lint_check_names(lint_subject *s);
void lint_check_unused(lint_subject *s);

#endif
