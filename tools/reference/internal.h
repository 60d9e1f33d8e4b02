// SPDX-License-Identifier: MIT
// Functions that the reference evaluator's files share.
#ifndef REFERENCE_INTERNAL_H
#define REFERENCE_INTERNAL_H

#include "reference/model.h"

// The maximum size of decompressed data, in bytes.
#define REF_MAX_SIZE (INT64_C(1) << 30)

// Fills document->error with a message and the location of `value` (ABSENT for none). Returns false.
bool ref_fail(ref_document *document, sinewi_json_value value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool ref_fail_memory(ref_document *document, sinewi_json_value value);

// Counts a file's bytes as read, unless its path was already counted. Returns false if memory runs out.
bool ref_count_read(ref_document *document, const char *path, size_t size);

// Initializes the document's arena and budget.
void ref_budget_begin(ref_document *document);

// Reads an integer from 0 to 2^53. Returns `absent` if the member is missing, and -1 for any other value.
int64_t ref_whole(const ref_document *document, sinewi_json_value object, const char *key, int64_t absent);

// Reads a string as its index in `words`, which ends with NULL. Returns `absent` if the member is missing, and -1 if it
// isn't in the list.
int ref_word(const ref_document *document, sinewi_json_value object, const char *key, const char *const *words,
             int absent);

sinewi_json_value ref_extension(const ref_document *document, sinewi_json_value object, const char *name);

// Reads a whole regular file into the arena. If it can't be read, returns false without an error.
bool ref_read_file(ref_document *document, const char *path, ref_bytes *bytes);

// Decodes a URI's percent escapes in place.
void ref_decode_percent(char *text);

// Loads the bytes of all buffers and views.
bool ref_load_buffers(ref_document *document, sinew_meshopt_decode decode, void *decode_user);

// Computes a node's translation, rotation, scale and shear from its matrix.
void ref_split_matrix(ref_node *node);

double ref_number_at(const uint8_t *bytes, int component_type, bool normalized);

// Decodes a primitive compressed with KHR_draco_mesh_compression into document->read. Sets `*empty` if its vertices
// can't be decoded.
bool ref_decode_draco(ref_document *document, sinewi_json_value primitive, bool *empty);

// Reads the model's meshes. Call this before reading its nodes.
bool ref_read_meshes(ref_document *document, ref_model *model);

// Reads the model's animations. Call this after reading its nodes.
bool ref_read_animations(ref_document *document, ref_model *model);

// What a channel animates.
typedef struct ref_target {
    int32_t node;    // -1 for the nodes of `mesh` that have no weights of their own
    int32_t mesh;    // -1 if there is none
    int path;        // ref_path, or -1 for nothing
    int32_t element; // index of a weight, or -1 for all
} ref_target;

// Reads the pointer in a channel's target (KHR_animation_pointer). Pointers to anything but a pose lead nowhere.
ref_target ref_read_pointer(ref_document *document, sinewi_json_value target);

#endif
