// SPDX-License-Identifier: MIT
// The subject that rules check: nodes with their rest poses, samplers with their keys, and all references in a file.
// Only files that the library accepts are read, so indices are in range and counts match.
#ifndef LINT_SUBJECT_H
#define LINT_SUBJECT_H

#include "lint/lint.h"

#include <sinew/clip.h>

typedef struct lint_node {
    sinewi_json_value value;
    const char *name;
    int32_t parent; // -1 if there is none
    int32_t root;   // the topmost node above, or the node itself
    ref_list children;
    bool has_matrix;   // the file has a matrix instead of translation, rotation and scale
    double rest[3][4]; // [path]
    double world[16];  // in the rest pose, column-major
    int32_t mesh, skin;
    bool joint;    // a skin uses it
    bool chain;    // it's a joint or an ancestor of one
    bool animated; // a channel animates it
    bool in_scene; // a scene contains it
} lint_node;

// An animation's sampler and its keys.
typedef struct lint_sampler {
    sinewi_json_value value;
    int32_t animation, index;
    int32_t channels; // number of channels using it
    int32_t node;     // the first channel's target, or -1
    sinew_channel_target path;
    sinew_interpolation interpolation;
    int32_t input, output; // accessors
    int32_t key_count;
    int32_t width; // numbers per value
    int32_t parts; // values per key: 3 for splines, otherwise 1
    int32_t component_type;
    int32_t repeated;     // first key with the same time as the next one, or -1
    const double *times;  // [key_count]
    const double *values; // [key_count × parts × width]
} lint_sampler;

typedef struct lint_channel {
    sinewi_json_value value;
    int32_t index;
    int32_t sampler; // in the subject's samplers
    int32_t node;    // -1 if the target isn't valid or an earlier channel has it
    sinew_channel_target path;
    bool repeated; // a later channel has the same target, and would play if this one were removed
} lint_channel;

typedef struct lint_animation {
    sinewi_json_value value;
    const char *name;
    int32_t sampler_count, channel_count;
    lint_sampler *samplers;
    lint_channel *channels;
    double start, end; // first and last key of all channels with a valid target
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

// A number in the file that is an object's index.
typedef struct lint_reference {
    lint_kind kind;
    int32_t target;
    sinewi_json_value value; // the number
    lint_kind from;          // the object with the number: accessors[3], meshes[0]
    int32_t from_index;
} lint_reference;

// A curve that no clip moves, and the first clip that has it.
typedef struct lint_still_curve {
    const char *name;
    float value;
    int32_t clip;
} lint_still_curve;

// What the library notices while loading a file.
typedef struct lint_notes {
    sinewi_arena *arena;
    bool out_of_memory;
    int32_t line_count, line_capacity;
    const char **lines; // from the log
    int32_t still_count;
    lint_still_curve *still;
} lint_notes;

typedef struct lint_subject {
    ref_document *document;
    const lint_notes *notes; // NULL while fixing a file
    lint_report *report;     // NULL while fixing a file
    sinewi_arena *arena;
    bool out_of_memory;
    int32_t node_count;
    lint_node *nodes;
    const sinewi_json_value *mesh_weights; // [meshes.count]; each mesh's "weights"
    int32_t animation_count;
    lint_animation *animations;
    int32_t reference_count, reference_capacity;
    lint_reference *references;
    const char *opaque; // an unknown extension that may refer to any accessor or view, or NULL
    double size;        // largest coordinate of the model and its translation tracks, in meters; at least 0.001
} lint_subject;

// Allocates zeroed memory from the subject's arena. If memory runs out, sets out_of_memory and returns NULL.
void *lint_take(lint_subject *s, size_t count, size_t size);
#define lint_array(s, type, count) ((type *)lint_take(s, (size_t)(count), sizeof(type)))

// Reads the subject of a file that the library accepts. Returns false if memory runs out.
bool lint_read_subject(lint_subject *s, ref_document *document, sinewi_arena *arena, lint_report *report);

// Returns the extension that reads a file's VRM data, or NULL in modules without it.
const sinew_gltf_extension *lint_avatar_extension(void);

// Loads a file with the library. Returns SINEW_OK, or fills `error`. `notes` may be NULL. If it isn't, set only its
// arena.
sinew_result lint_try_to_load(const char *path, sinew_meshopt_decode decode, void *decode_user, lint_notes *notes,
                              sinew_error *error);

// Read the subject's parts in order of dependency, in nodes.c, subject.c and references.c.
void lint_read_nodes(lint_subject *s);
void lint_read_animations(lint_subject *s);
void lint_read_references(lint_subject *s);

// Returns the largest scale that a node's parent applies to the node's translation.
double lint_scale_above(const lint_subject *s, int32_t node);

// Return the document's list for a kind, and the kind's name in the file.
ref_list lint_list(const ref_document *document, lint_kind kind);
const char *lint_kind_name(lint_kind kind);

// Reads an index into a list of `count` elements. Returns -1 if it's absent or out of range.
int32_t lint_index(const ref_document *document, sinewi_json_value object, const char *key, int32_t count);

sinewi_json_value lint_extension(const ref_document *document, sinewi_json_value object, const char *name);

// Returns a view's EXT_meshopt_compression or KHR_meshopt_compression, or ABSENT.
sinewi_json_value lint_meshopt(const ref_document *document, sinewi_json_value view);

// Returns the node that an element in a list of nodes refers to, or -1.
int32_t lint_element(const lint_subject *s, ref_list list, int32_t index);

// Returns a key's value. For a spline, that's the one after the in-tangent.
const double *lint_key(const lint_sampler *sampler, int32_t key);

// ---- Findings ------------------------------------------------------------------------------------------------------

// Adds a finding. Make `location` with lint_location. Most locations end in the number of a key or vertex.
void lint_add(lint_subject *s, lint_rule_id rule, size_t bytes, const char *location, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Formats a location into the arena.
const char *lint_location(lint_subject *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Sorts the findings by rule and keeps their order within a rule. Returns false if memory runs out.
bool lint_sort_by_rule(lint_subject *s);

// Return the label of a node ('Hips', or nodes[7] if it has no name) and of a clip.
const char *lint_node_label(lint_subject *s, int32_t node);
const char *lint_clip_label(lint_subject *s, int32_t animation);

// ---- Rules ---------------------------------------------------------------------------------------------------------

// The rules. The first two accept any document. The others need a subject.
void lint_check_finite(lint_subject *s);
void lint_check_short_binds(lint_subject *s);

void lint_check_nodes(lint_subject *s);
void lint_check_animations(lint_subject *s);
void lint_check_loops(lint_subject *s);
void lint_check_joints(lint_subject *s);

void lint_check_tracks(lint_subject *s);

void lint_check_markers(lint_subject *s, const char *path); // path of the file, to find its sidecar file
void lint_check_curves(lint_subject *s);
void lint_check_weights(lint_subject *s);
void lint_check_skins(lint_subject *s);
void lint_check_names(lint_subject *s);
void lint_check_unused(lint_subject *s);

#endif
