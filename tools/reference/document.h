// A glTF file as it stands: its JSON, its bytes, and the elements of any accessor as doubles.
//
// What reads a file here is written from the specification alone, slowly and in double precision, so that the
// library can be held against it: it shares nothing with src/ but the JSON reader (and the arena under it). It is for
// tools; every read is checked against the file's bounds, but a file that the library has taken is what it expects.
#ifndef REFERENCE_DOCUMENT_H
#define REFERENCE_DOCUMENT_H

#include "json/json.h"

#include <sinew/gltf.h>

// The elements of one of the file's top-level arrays.
typedef struct ref_list {
    int32_t count;
    const sinew_json_value *values;
} ref_list;

// The bytes of a buffer, or of a buffer view after decompression. NULL with a size of 0 where there are none.
typedef struct ref_bytes {
    const uint8_t *data;
    size_t size;
} ref_bytes;

// One accessor: what the file says of it, and its elements (sparse ones put in) as numbers.
typedef struct ref_accessor {
    int32_t count;          // elements
    int32_t components;     // numbers in each: 1 to 16; a matrix column after column
    int32_t component_type; // glTF's number: 5126 for floats
    bool normalized;
    const double *values; // [count × components]; normalised integers as what they stand for (section 3.11)
} ref_accessor;

// How much memory a document may hold: a multiple of the bytes that were read, as the library limits a load. Numbers are
// doubles here and floats there, so that the multiple is twice the library's default.
typedef struct ref_budget {
    size_t bytes_read; // of the file and of the files that it names, each counted once
    size_t limit, held;
    bool exceeded;                // something did not fit, and is missing
    sinew_json_value exceeded_at; // the first of what did not fit that has a place; or SINEW_JSON_ABSENT
    uint64_t *seen;               // [seen_capacity]: hashes of the paths that were counted; 0: none
    size_t seen_count, seen_capacity;
} ref_budget;

// Must not be moved while it is open: the arena's allocator counts in `budget`.
typedef struct ref_document {
    sinew_arena arena; // everything below
    ref_budget budget;
    const char *folder; // where the file lies, with its last separator
    bool binary;        // .glb
    const char *text;   // the JSON part, [text_size]
    size_t text_size;
    ref_bytes bin; // the binary chunk
    sinew_json json;
    ref_list buffers, views, accessors, images, textures, materials, meshes, nodes, skins, animations, scenes,
        cameras;
    ref_bytes *buffer_bytes; // [buffers.count]
    ref_bytes *view_bytes;   // [views.count], decompressed where EXT_meshopt_compression says so
    int64_t *view_strides;   // [views.count]: byteStride; 0 where it is absent, -1 where it is no whole number
    ref_accessor *read;      // [accessors.count]: those that were read; values are NULL for the others
    bool *unreadable;        // [accessors.count]: reading failed before
    // For meshes, to be set between ref_open and ref_read_model; NULL: compressed primitives are empty.
    sinew_draco_decode draco_decode;
    void *draco_user;
    char error[512]; // what was wrong, when a function below returned false
} ref_document;

// Reads a file and all that it refers to except images. The decoder may be NULL. Buffers that cannot be read and
// views that they do not hold are left without bytes: that is an error only for what reads them. False:
// document->error says why; ref_close in either case. A file that needs more memory than the budget allows is an error
// here or later: see ref_within_budget.
bool ref_open(ref_document *document, const char *path, sinew_meshopt_decode decode, void *decode_user);
void ref_close(ref_document *document);

// False, with the error filled, once something did not fit into the budget. Lists and strings that do not fit are empty,
// so callers ask at the end.
bool ref_within_budget(ref_document *document);

// Lets another arena take memory within the document's budget, until ref_end_budget. What it holds then may outlive the
// document.
void ref_share_budget(ref_document *document, sinew_arena *arena);
void ref_end_budget(sinew_arena *arena);

// Reads accessor `index`; from the document's arena, each accessor once.
bool ref_read_accessor(ref_document *document, int32_t index, ref_accessor *out);

// Members of a JSON object, with what the specification gives where they are absent.
int32_t ref_index(const ref_document *document, sinew_json_value object, const char *key); // absent: -1
double ref_number(const ref_document *document, sinew_json_value object, const char *key, double absent);
bool ref_flag(const ref_document *document, sinew_json_value object, const char *key); // absent: false
// Fills out[count] from an array member; false, leaving `out` as it is, where it is absent or of another length.
bool ref_numbers(const ref_document *document, sinew_json_value object, const char *key, int32_t count,
                 double *out);
// The same for an array itself.
bool ref_array_numbers(const ref_document *document, sinew_json_value array, int32_t count, double *out);
// A string member, decoded, from the arena; absent: "".
const char *ref_string(ref_document *document, sinew_json_value object, const char *key);
ref_list ref_elements(ref_document *document, sinew_json_value object, const char *key);

#endif
