// SPDX-License-Identifier: MIT
// Writes and reads baked assets from a single description of each struct.
//
// A file is a header, records, and arrays:
//
//   header   sinewi_baked_header, 64 bytes
//   records  the fields of all structs, in the order of the functions that code them: 4-byte words; strings with their
//            length and a zero; small arrays. Each starts at a multiple of 4 bytes
//   arrays   keys, vertices, images, and so on. Each starts at a multiple of 64 bytes
//
// A function that codes a struct names each field once, in the order of the records. The coder's mode decides whether
// the field is measured, written or read. So reading always matches writing. Reading takes two passes: the first adds
// up the memory of all structs, the second fills it. Both check fields. The second also checks contents, such as the
// order of key times.
//
// Once an error is set, functions do nothing, and everything they read is 0.
#ifndef SINEWI_BAKED_ASSET_CODER_H
#define SINEWI_BAKED_ASSET_CODER_H

#include <sinew/humanoid/vrm.h>
#include <sinew/io/baked_asset.h>

#include "base/fail.h"
#include "base/memory.h"
#include "kernels/layout.h"

// "SnwAst", a byte that no text has, and a newline.
#define SINEWI_BAKED_MAGIC   "SnwAst\x1a\n"
#define SINEWI_BAKED_VERSION 6
#define SINEWI_BAKED_ORDER   UINT32_C(0x01020304) // in the byte order of the machine that bakes

// The start of a file.
typedef struct sinewi_baked_header {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t size;         // of the whole file
    uint64_t records_size; // bytes
    uint64_t checksum;     // of everything behind the header
    uint64_t reserved[3];  // 0
} sinewi_baked_header;

typedef enum sinewi_coder_mode {
    SINEWI_CODER_MEASURE, // computes the file's size
    SINEWI_CODER_WRITE,
    SINEWI_CODER_SURVEY, // reads, and adds up the memory of the structs
    SINEWI_CODER_LOAD    // reads into that memory
} sinewi_coder_mode;

// An array that was written. Structs that share an array in memory also share it in the file.
typedef struct sinewi_coded_array {
    const void *array;
    size_t size;        // bytes
    uint32_t reference; // see sinewi_code_array; 0 for a free entry
} sinewi_coded_array;

// A hash table of the arrays that were written.
typedef struct sinewi_coded_arrays {
    sinewi_coded_array *entries; // [capacity]
    size_t count, capacity;      // capacity is 0 or a power of two
} sinewi_coded_arrays;

typedef struct sinewi_coder {
    sinewi_coder_mode mode;
    bool failed;
    sinew_error *error;
    sinew_allocator allocator;
    char *file;                // NULL while measuring; not written to while reading
    size_t record, record_end; // the next record and, while reading, the end of all records; bytes from the start
    size_t arrays, array_end;  // the first array and the end of all arrays; bytes from the start
    sinewi_coded_arrays coded; // while writing
    sinewi_layout structs;     // while reading
    size_t structs_size;       // while loading, the memory in `structs`
    size_t bytes;              // while reading, of all arrays and structs so far
    bool verify;               // while loading, whether to check that numbers are finite
    const char *part;          // which of the asset's arrays is being coded, for errors
    int32_t index;             // index in that array

    // Contents are checked against these.
    const sinew_asset *asset; // the skeleton, and the parts before the current one
    const sinew_clip *clip;   // the current clip, and its data
    const sinew_clip_data *clip_data;
    const int32_t *largest_joints; // [mesh_count], -1 if not skinned
    const sinew_vrm *vrm;
} sinewi_coder;

static inline bool sinewi_coder_writes(const sinewi_coder *c) {
    return c->mode <= SINEWI_CODER_WRITE;
}

static inline bool sinewi_coder_loads(const sinewi_coder *c) {
    return c->mode == SINEWI_CODER_LOAD && !c->failed;
}

// Checksum of `size` bytes, a multiple of 64. The same on every machine with the same byte order.
uint64_t sinewi_baked_checksum(const void *data, size_t size);

// Sets the error, unless one is already set: SINEW_ERROR_FORMAT, "clips[3]: REASON; ...".
void sinewi_code_damaged(sinewi_coder *c, const char *reason);

// Does the same if `valid` is false, but only while loading.
static inline void sinewi_code_check(sinewi_coder *c, bool valid, const char *reason) {
    if (!valid && sinewi_coder_loads(c)) sinewi_code_damaged(c, reason);
}

void sinewi_code_fail_memory(sinewi_coder *c);

// ---- Fields --------------------------------------------------------------------------------------------------

void sinewi_code_u32(sinewi_coder *c, uint32_t *value);
void sinewi_code_i32(sinewi_coder *c, int32_t *value);
void sinewi_code_count(sinewi_coder *c, int32_t *count);                        // 0 or more
void sinewi_code_index(sinewi_coder *c, int32_t *index, int32_t count);         // from 0 to count - 1
void sinewi_code_index_or_none(sinewi_coder *c, int32_t *index, int32_t count); // or -1
void sinewi_code_size(sinewi_coder *c, size_t *size);
void sinewi_code_bool(sinewi_coder *c, bool *value);
void sinewi_code_float(sinewi_coder *c, float *value);              // finite
void sinewi_code_unbounded(sinewi_coder *c, float *value);          // any but NaN
void sinewi_code_floats(sinewi_coder *c, float *values, int count); // finite
void sinewi_code_vec3(sinewi_coder *c, sinew_vec3 *vector);
void sinewi_code_string(sinewi_coder *c, const char **string);

// Codes a number from 0 to count - 1, and returns it.
int32_t sinewi_code_choice(sinewi_coder *c, int32_t value, int32_t count);

// Codes an enum with `count` values.
#define SINEWI_CODE_ENUM(c, field, type, count) ((field) = (type)sinewi_code_choice(c, (int32_t)(field), count))

// ---- Arrays --------------------------------------------------------------------------------------------------

// Codes an array among the records, aligned to 4 bytes. Returns its address in memory. While reading,
// that's in the file.
void *sinewi_code_small_array(sinewi_coder *c, const void *array, size_t count, size_t size);

// Codes an array behind the records, aligned to 64 bytes. The record is its reference: 0 for NULL, UINT32_MAX for 0
// elements, else 1 plus its offset from the first array in units of 64 bytes. NULL is an error unless count is 0.
void *sinewi_code_array(sinewi_coder *c, const void *array, size_t count, size_t size);

// The same for an array that the asset may not have. NULL then.
void *sinewi_code_optional_array(sinewi_coder *c, const void *array, size_t count, size_t size);

// The same for elements of a type without padding. Such types are identical for all compilers.
#define SINEWI_CODE_SMALL(c, field, type, count)                                                                   \
    ((field) = (type *)sinewi_code_small_array(c, field, (size_t)(count), sizeof(type)))
#define SINEWI_CODE_ARRAY(c, field, type, count)                                                                   \
    ((field) = (type *)sinewi_code_array(c, field, (size_t)(count), sizeof(type)))

#define SINEWI_CODE_OPTIONAL(c, field, type, count)                                                                \
    ((field) = (type *)sinewi_code_optional_array(c, field, (size_t)(count), sizeof(type)))

// Checks that floats are finite, if the options ask for it. No-op for NULL.
void sinewi_code_check_floats(sinewi_coder *c, const float *values, size_t count);

typedef void (*sinewi_code_function)(sinewi_coder *c, void *element);

// Codes `count` structs of `size` bytes, one record after another. While reading, they are new. The
// survey returns NULL.
void *sinewi_code_structs(sinewi_coder *c, const void *array, int32_t count, size_t size,
                          sinewi_code_function code);

#define SINEWI_CODE_STRUCTS(c, field, type, count, code)                                                           \
    ((field) = (const type *)sinewi_code_structs(c, field, count, sizeof(type), code))

// The same for one of the asset's arrays, which errors name.
#define SINEWI_CODE_PART(c, a, field, type, count, code)                                                           \
    ((c)->part = #field, SINEWI_CODE_STRUCTS(c, (a)->field, type, (a)->count, code))

// Asset memory for `count` elements. NULL unless the coder loads.
void *sinewi_code_memory(sinewi_coder *c, size_t count, size_t size);

// ---- Parts ---------------------------------------------------------------------------------------------------

// The nodes. Reading creates the skeleton in the memory of `data`, before the two passes.
void sinewi_code_write_skeleton(sinewi_coder *c, const sinew_skeleton *skeleton);
void sinewi_code_read_skeleton(sinewi_coder *c, sinew_asset *asset, const sinew_allocator *allocator);

void sinewi_code_skin(sinewi_coder *c, void *element);
void sinewi_code_clip(sinewi_coder *c, void *element);
void sinewi_code_bounds(sinewi_coder *c, sinew_asset *asset);
void sinewi_code_scene(sinewi_coder *c,
                       sinew_asset *asset); // meshes, materials, cameras, lights and their instances
void sinewi_code_humanoid(sinewi_coder *c, sinew_asset *asset);
void sinewi_code_vrm(sinewi_coder *c, sinew_asset *asset);

// Checks what the kernels assume about the current clip, after it was read.
void sinewi_code_check_clip(sinewi_coder *c);

// The property of a group's strips.
static inline sinew_channel_target sinewi_coder_group_target(const sinew_clip_data *data, size_t group) {
    return group < (size_t)data->node_groups ? (sinew_channel_target)(group % SINEWI_GROUPS) : SINEW_TARGET_WEIGHTS;
}

// The planes of one key in a strip.
static inline size_t sinewi_coder_planes(const sinewi_strip *strip, sinew_channel_target target) {
    size_t parts = strip->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    return (size_t)sinewi_target_width(target) * parts;
}

#endif
