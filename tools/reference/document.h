// SPDX-License-Identifier: MIT
// A glTF document for the reference evaluator: its JSON, its bytes, and any accessor's elements as doubles.
//
// The evaluator is written from the specification alone, simply and in double precision, to compare the library with
// it. It's only for tools. Every read is checked against the file's bounds. The library finds all other faults, and
// should have accepted the file first.
//
// The evaluator shares one part with the importer: the JSON reader (src/json, and the arena in src/core). This is safe,
// because the reader has an independent check. The test structure_json_reader compares its structure, every string and
// every number, bit for bit, with Python's json module, over all JSON texts of the models and over generated hard
// cases. A fault that both sides would share fails that test. What the JSON means is read twice, without any shared
// code.
#ifndef REFERENCE_DOCUMENT_H
#define REFERENCE_DOCUMENT_H

#include "json/json.h"

#include <sinew/gltf.h>

// The elements of one of the file's top-level arrays.
typedef struct ref_list {
    int32_t count;
    const sinewi_json_value *values;
} ref_list;

// The bytes of a buffer or a decompressed buffer view. NULL with a size of 0 if there are none.
typedef struct ref_bytes {
    const uint8_t *data;
    size_t size;
} ref_bytes;

// Component types, with glTF's numbers (section 3.6.2.2).
enum { REF_I8 = 5120, REF_U8, REF_I16, REF_U16, REF_U32 = 5125, REF_F32 };

// Returns a component type's size in bytes, or 0 if it's unknown.
int64_t ref_component_size(int64_t component_type);

// An accessor with its elements, including sparse ones.
typedef struct ref_accessor {
    int32_t count;      // elements
    int32_t components; // numbers per element: 1 to 16; matrices are column-major
    int32_t component_type;
    bool normalized;
    const double *values; // [count × components]; normalized integers are converted (section 3.11)
} ref_accessor;

// A document's memory limit: a multiple of the bytes read, like the library's expansion_limit. The multiple is twice
// the library's default, because numbers are doubles here and floats there.
typedef struct ref_budget {
    size_t bytes_read; // the file's and those of the files it names, each counted once
    size_t limit, held;
    bool exceeded;                 // an allocation exceeded the limit, so its data are missing
    bool out_of_memory;            // an allocation failed; from then on, every failure is reported as this
    sinewi_json_value exceeded_at; // first value with a location that exceeded it, or SINEWI_JSON_ABSENT
    uint64_t *paths;               // [seen_capacity]; hashes of the counted paths; 0 is free
    size_t path_count, path_capacity;
} ref_budget;

// An open document. Don't move it, because the arena's allocator points to `budget`.
typedef struct ref_document {
    sinewi_arena arena; // holds everything below
    ref_budget budget;
    const char *folder; // the file's, including its last separator
    bool binary;        // it's a .glb
    const char *text;   // [text_size]; the JSON
    size_t text_size;
    ref_bytes bin; // binary chunk
    sinewi_json json;
    ref_list buffers, views, accessors, images, textures, materials, meshes, nodes, skins, animations, scenes,
        cameras;
    ref_bytes *buffer_bytes; // [buffers.count]
    ref_bytes *view_bytes;   // [views.count]; decompressed if EXT_meshopt_compression is used
    int64_t *view_strides;   // [views.count]; byteStride; 0 if absent, -1 if it isn't an integer
    ref_accessor *read;      // [accessors.count]; a cache; values are NULL until an accessor is read
    bool *unreadable;        // [accessors.count]; reading failed before
    // Set this between ref_open and ref_read_model. If it's NULL, compressed primitives are empty.
    sinew_draco_decode draco_decode;
    void *draco_user;
    char error[512]; // set by the functions below that return false
} ref_document;

// Reads a file and everything that it refers to, except images. The decoder may be NULL. Unreadable buffers and views
// outside their buffers have no bytes. That's only an error for accessors that read them. On failure, fills
// document->error and returns false. Call ref_close either way. Exceeding the memory limit fails here or later: see
// ref_within_budget.
bool ref_open(ref_document *document, const char *path, sinew_meshopt_decode decode, void *decode_user);

// Like ref_open, for a .glb's bytes, which must outlive the document. `path` is where the file would be. Other buffers
// are read from that folder.
bool ref_open_bytes(ref_document *document, const char *path, const void *data, size_t size,
                    sinew_meshopt_decode decode, void *decode_user);
void ref_close(ref_document *document);

// Returns false with the error filled if the memory limit was exceeded. Lists and strings that exceed it are empty, so
// check at the end.
bool ref_within_budget(ref_document *document);

// Counts another arena's memory in the document's budget until ref_budget_end. That memory may outlive the document.
void ref_budget_share(ref_document *document, sinewi_arena *arena);
void ref_budget_end(sinewi_arena *arena);

// Reads accessor `index` into the document's arena. Each accessor is read once.
bool ref_read_accessor(ref_document *document, int32_t index, ref_accessor *out);
// Reads key times. If several keys have the same time, the last one counts from there on. The others are moved one
// float earlier. `repeated` receives the first of them, or -1.
bool ref_read_times(ref_document *document, int32_t index, ref_accessor *out, int32_t *repeated);

// Read members of a JSON object. Missing ones have a default.
int32_t ref_index(const ref_document *document, sinewi_json_value object, const char *key); // -1 if absent
double ref_number(const ref_document *document, sinewi_json_value object, const char *key, double absent);
bool ref_flag(const ref_document *document, sinewi_json_value object, const char *key); // false if absent
// Fills out[count] from an array member. If it's absent or has a different length, returns false and leaves `out`
// unchanged.
bool ref_numbers(const ref_document *document, sinewi_json_value object, const char *key, int32_t count,
                 double *out);
// Fills out[count] from an array.
bool ref_array_numbers(const ref_document *document, sinewi_json_value array, int32_t count, double *out);
// Copies a string member to the arena, with its escapes decoded. "" if it's absent.
const char *ref_string(ref_document *document, sinewi_json_value object, const char *key);
ref_list ref_elements(ref_document *document, sinewi_json_value object, const char *key);

// ---- The files that a glTF file names ------------------------------------------------------------------------------

// Receives a path, which is only valid during the call. Return false to stop.
typedef bool (*ref_visit_file)(const char *path, void *user);

// Calls `visit` for each file that loading `path` may read: the file, its sidecar file with markers, and the file of
// every "uri", including in extensions. They may not exist. If the file can't be parsed, only the first two are
// visited. Returns false if `visit` stopped or memory runs out.
bool ref_visit_files(const char *path, ref_visit_file visit, void *user);

#endif
