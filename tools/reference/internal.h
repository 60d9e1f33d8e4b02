// What the files that read a document share among themselves.
#ifndef REFERENCE_INTERNAL_H
#define REFERENCE_INTERNAL_H

#include "reference/model.h"

// What a compressed view may claim at most.
#define REF_LARGEST (INT64_C(1) << 30)

// Writes document->error, behind the place of `value` unless that is absent. Returns false.
bool ref_fail(ref_document *document, sinew_json_value value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool ref_fail_memory(ref_document *document, sinew_json_value value);

// Counts a file towards what was read, unless its path was counted before. False when memory runs out.
bool ref_count_read(ref_document *document, const char *path, size_t size);

// Lets the arena take memory within the document's budget only.
void ref_begin_budget(ref_document *document);

// A whole number from 0 to 2^53; `absent` where the member is missing, -1 where it is anything else.
int64_t ref_whole(const ref_document *document, sinew_json_value object, const char *key, int64_t absent);

// The number that a word stands for, by its place in a list that ends with NULL; `absent` where the member is missing,
// -1 where it is not in the list.
int ref_word(const ref_document *document, sinew_json_value object, const char *key, const char *const *words,
             int absent);

sinew_json_value ref_extension(const ref_document *document, sinew_json_value object, const char *name);

// A regular file, whole; from the arena. False, without an error, when it cannot be read.
bool ref_read_file(ref_document *document, const char *path, ref_bytes *bytes);

// The first part of ref_open: the container and the JSON, without lists and buffers. ref_close in either case.
bool ref_open_json(ref_document *document, const char *path);

// Decodes the percent signs of a URI in place.
void ref_decode_percent(char *text);

// The bytes of all buffers and views.
bool ref_load_buffers(ref_document *document, sinew_meshopt_decode decode, void *decode_user);

// Fills translation, rotation, scale and shear of a node from its matrix.
void ref_split_matrix(ref_node *node);

// Bytes of a component type; 0 for what is none.
int64_t ref_component_size(int64_t component_type);

// The number that a component in a buffer stands for.
double ref_number_at(const uint8_t *bytes, int component_type, bool normalized);

// Reads what KHR_draco_mesh_compression holds of a primitive, if it does, into document->read. `*empty` says that the
// primitive's vertices cannot be had.
bool ref_decode_draco(ref_document *document, sinew_json_value primitive, bool *empty);

// The model's meshes, which its nodes need.
bool ref_read_meshes(ref_document *document, ref_model *model);

#endif
