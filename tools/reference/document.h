// SPDX-License-Identifier: MIT
// A glTF document of the reference evaluator: its JSON, its bytes, and the elements of any accessor as doubles.
//
// The evaluator is written from the specification alone, simply and in double precision, so that the library can be
// compared with it. It is for tools. Every read is checked against the bounds of the file, but other faults are
// detected by the library, which should have accepted the file.
//
// It shares one part of the importer: the JSON reader (src/json, and the arena in src/core). Sharing is sound because
// the reader has an independent check: the test structure_json_reader compares its structure, every string and every number,
// bit for bit, with Python's json module, over every JSON text of the models and over generated hard cases. A fault
// of the reader that both sides would share fails that test. What the JSON means is read twice: no other code is
// shared.
#ifndef REFERENCE_DOCUMENT_H
#define REFERENCE_DOCUMENT_H

#include "json/json.h"

#include <sinew/gltf.h>

// The elements of one of the file's top-level arrays.
typedef struct ref_list {
    int32_t count;
    const sinewi_json_value *values;
} ref_list;

// The bytes of a buffer, or of a decompressed buffer view. NULL with a size of 0: none.
typedef struct ref_bytes {
    const uint8_t *data;
    size_t size;
} ref_bytes;

// A component type, by glTF's number (section 3.6.2.2).
enum { REF_I8 = 5120, REF_U8, REF_I16, REF_U16, REF_U32 = 5125, REF_F32 };

// Returns the size of a component type in bytes; 0 if it is unknown.
int64_t ref_component_size(int64_t component_type);

// One accessor with its elements, sparse ones substituted.
typedef struct ref_accessor {
    int32_t count;      // elements
    int32_t components; // numbers per element: 1 to 16; matrices are column-major
    int32_t component_type;
    bool normalized;
    const double *values; // [count × components]; normalized integers are converted (section 3.11)
} ref_accessor;

// The memory limit of a document: a multiple of the bytes read, like the library's expansion_limit. The multiple is
// twice the library's default, because numbers are doubles here and floats there.
typedef struct ref_budget {
    size_t bytes_read; // of the file and the files that it names, each counted once
    size_t limit, held;
    bool exceeded;                 // an allocation exceeded the limit, and its data are missing
    bool out_of_memory;            // an allocation failed: from then on every failure is reported as this
    sinewi_json_value exceeded_at; // the first such value with a location; or SINEWI_JSON_ABSENT
    uint64_t *paths;               // [seen_capacity]: hashes of the counted paths; 0: free
    size_t path_count, path_capacity;
} ref_budget;

// An open document. It must not be moved: the arena's allocator points to `budget`.
typedef struct ref_document {
    sinewi_arena arena; // holds everything below
    ref_budget budget;
    const char *folder; // of the file, with its last separator
    bool binary;        // .glb
    const char *text;   // the JSON part, [text_size]
    size_t text_size;
    ref_bytes bin; // the binary chunk
    sinewi_json json;
    ref_list buffers, views, accessors, images, textures, materials, meshes, nodes, skins, animations, scenes,
        cameras;
    ref_bytes *buffer_bytes; // [buffers.count]
    ref_bytes *view_bytes;   // [views.count], decompressed if EXT_meshopt_compression compresses them
    int64_t *view_strides;   // [views.count]: byteStride; 0: absent, -1: not a whole number
    ref_accessor *read;      // [accessors.count]: a cache; values are NULL until an accessor is read
    bool *unreadable;        // [accessors.count]: reading failed before
    // Set by the caller between ref_open and ref_read_model. NULL: compressed primitives are empty.
    sinew_draco_decode draco_decode;
    void *draco_user;
    char error[512]; // set by functions below that return false
} ref_document;

// Reads a file and everything that it refers to except images. The decoder may be NULL. Buffers that cannot be read,
// and views outside their buffers, have no bytes: an error only for accessors that read them. Returns false and fills
// document->error on failure; call ref_close in either case. Exceeding the memory limit fails here or later: see
// ref_within_budget.
bool ref_open(ref_document *document, const char *path, sinew_meshopt_decode decode, void *decode_user);

// The same for the bytes of a .glb, which must outlive the document. `path` is where it would be: its other buffers are
// read from that folder.
bool ref_open_bytes(ref_document *document, const char *path, const void *data, size_t size,
                    sinew_meshopt_decode decode, void *decode_user);
void ref_close(ref_document *document);

// Returns false, with the error filled, if the memory limit was exceeded. Lists and strings that exceed it are empty,
// so callers check at the end.
bool ref_within_budget(ref_document *document);

// Counts another arena's memory in the document's budget until ref_budget_end. Its memory may outlive the document.
void ref_budget_share(ref_document *document, sinewi_arena *arena);
void ref_budget_end(sinewi_arena *arena);

// Reads accessor `index` into the document's arena. Each accessor is read once.
bool ref_read_accessor(ref_document *document, int32_t index, ref_accessor *out);
// Reads key times. Of keys at one time the last counts from there on, so the others come just before it: one float earlier.
// `repeated` is the first of them, or -1.
bool ref_read_times(ref_document *document, int32_t index, ref_accessor *out, int32_t *repeated);

// Read members of a JSON object, with a default if they are absent.
int32_t ref_index(const ref_document *document, sinewi_json_value object, const char *key); // absent: -1
double ref_number(const ref_document *document, sinewi_json_value object, const char *key, double absent);
bool ref_flag(const ref_document *document, sinewi_json_value object, const char *key); // absent: false
// Fills out[count] from an array member. Returns false and leaves `out` unchanged if it is absent or has another
// length.
bool ref_numbers(const ref_document *document, sinewi_json_value object, const char *key, int32_t count,
                 double *out);
// Fills out[count] from an array.
bool ref_array_numbers(const ref_document *document, sinewi_json_value array, int32_t count, double *out);
// Copies a string member with decoded escapes to the arena; "" if it is absent.
const char *ref_string(ref_document *document, sinewi_json_value object, const char *key);
ref_list ref_elements(ref_document *document, sinewi_json_value object, const char *key);

// ---- The files that a glTF file names ------------------------------------------------------------------------------

// Receives a path, which is valid during the call. Returning false ends the walk.
typedef bool (*ref_visit_file)(const char *path, void *user);

// Calls `visit` for each file that loading `path` may read: the file, its sidecar file of markers, and the file of
// every "uri", also in extensions. The files need not exist. Of a file that cannot be parsed only the first two are
// visited. Returns false if `visit` ended the walk or memory runs out.
bool ref_visit_files(const char *path, ref_visit_file visit, void *user);

#endif
