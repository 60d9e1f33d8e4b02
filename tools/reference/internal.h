// SPDX-License-Identifier: MIT
// Functions that the files of the reference evaluator share.
#ifndef REFERENCE_INTERNAL_H
#define REFERENCE_INTERNAL_H

#include "reference/model.h"

// The largest size of decompressed data, in bytes.
#define REF_MAX_SIZE (INT64_C(1) << 30)

// Fills document->error with the location of `value` (ABSENT: none) and a message; returns false.
bool ref_fail(ref_document *document, sinewi_json_value value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool ref_fail_memory(ref_document *document, sinewi_json_value value);

// Counts the bytes of a file as read, unless its path was counted before. Returns false if memory runs out.
bool ref_count_read(ref_document *document, const char *path, size_t size);

// Initialises the document's arena and budget.
void ref_budget_begin(ref_document *document);

// Reads a whole number from 0 to 2^53; `absent` if the member is missing, -1 for any other value.
int64_t ref_whole(const ref_document *document, sinewi_json_value object, const char *key, int64_t absent);

// Reads a string as its index in `words`, which ends with NULL; `absent` if the member is missing, -1 if it is not in
// the list.
int ref_word(const ref_document *document, sinewi_json_value object, const char *key, const char *const *words,
             int absent);

sinewi_json_value ref_extension(const ref_document *document, sinewi_json_value object, const char *name);

// Reads a whole regular file into the arena. Returns false, without an error, if it cannot be read.
bool ref_read_file(ref_document *document, const char *path, ref_bytes *bytes);

// Decodes the percent escapes of a URI and overwrites it.
void ref_decode_percent(char *text);

// Loads the bytes of all buffers and views.
bool ref_load_buffers(ref_document *document, sinew_meshopt_decode decode, void *decode_user);

// Fills translation, rotation, scale and shear of a node from its matrix.
void ref_split_matrix(ref_node *node);

// Reads a component as a number.
double ref_number_at(const uint8_t *bytes, int component_type, bool normalized);

// Decodes a primitive that KHR_draco_mesh_compression compresses into document->read. `*empty` is set if its vertices
// cannot be decoded.
bool ref_decode_draco(ref_document *document, sinewi_json_value primitive, bool *empty);

// Reads the model's meshes, before its nodes.
bool ref_read_meshes(ref_document *document, ref_model *model);

// Reads the model's animations, after its nodes.
bool ref_read_animations(ref_document *document, ref_model *model);

// What a channel animates.
typedef struct ref_target {
    int32_t node;    // -1: the nodes of `mesh` that have no weights of their own
    int32_t mesh;    // -1: none
    int path;        // ref_path; -1: nothing
    int32_t element; // of the weights; -1: all
} ref_target;

// Reads the pointer of a channel's target (KHR_animation_pointer). Pointers to anything but a pose lead nowhere.
ref_target ref_read_pointer(ref_document *document, sinewi_json_value target);

#endif
