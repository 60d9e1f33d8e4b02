// SPDX-License-Identifier: MIT
// Writing and reading of baked assets by one description of each struct.
//
// A file is a header, records, and arrays:
//
//     header      sinew_baked_header, 64 bytes
//     records     the fields of all structs in the order of the functions that code them: words of 4 bytes; strings with
//                 their length and a zero; small arrays. Each starts at a multiple of 4 bytes
//     arrays      keys, vertices, images, ...: each starts at a multiple of 64 bytes
//
// A function that codes a struct names each field once, in the order of the records. The mode of the coder decides what
// happens: the field is measured, written, or read. So what is read is what is written. Reading takes two passes: the
// first computes the memory of all structs, the second fills it. Fields are checked in both; contents, such as the
// order of key times, are checked in the second.
//
// Once an error is set, functions do nothing, and what they read is 0.
#ifndef SINEW_BAKED_ASSET_CODER_H
#define SINEW_BAKED_ASSET_CODER_H

#include <sinew/baked_asset.h>

#include "core/fail.h"
#include "core/memory.h"
#include "kernels/layout.h"

// "Snw", "asset", and a byte that no text has.
#define SINEW_BAKED_MAGIC   "SnwAst\x1a\n"
#define SINEW_BAKED_VERSION 6
#define SINEW_BAKED_ORDER   UINT32_C(0x01020304) // as the machine that bakes stores it

// The start of a file.
typedef struct sinew_baked_header {
    char magic[8];
    uint32_t byte_order, version;
    uint64_t size;         // of the whole file
    uint64_t records_size; // bytes
    uint64_t checksum;     // of everything behind the header
    uint64_t reserved[3];  // 0
} sinew_baked_header;

typedef enum sinew_coder_mode {
    SINEW_CODER_MEASURE, // computes the size of the file
    SINEW_CODER_WRITE,
    SINEW_CODER_SURVEY, // reads, and computes the memory of the structs
    SINEW_CODER_LOAD    // reads into that memory
} sinew_coder_mode;

// An array that was written, so that arrays that structs share are shared in the file.
typedef struct sinew_coded_array {
    const void *array;
    size_t size;        // bytes
    uint32_t reference; // see sinew_code_array; 0: a free entry
} sinew_coded_array;

// The arrays that were written: a hash table.
typedef struct sinew_coded_arrays {
    sinew_coded_array *entries; // [capacity]
    size_t count, capacity;     // capacity: 0 or a power of two
} sinew_coded_arrays;

typedef struct sinew_coder {
    sinew_coder_mode mode;
    bool failed;
    sinew_error *error;
    sinew_allocator allocator;
    char *file;                // NULL while measuring. Not written to while reading
    size_t record, record_end; // the next record, and the end of all of them while reading; bytes from the start
    size_t arrays, array_end;  // the first array; the end of all of them; bytes from the start
    sinew_coded_arrays coded;  // while writing
    sinew_layout structs;      // while reading
    size_t structs_size;       // while loading: the memory in `structs`
    size_t bytes;              // while reading: of all arrays and structs so far
    bool verify;               // while loading: numbers must be finite
    const char *part;          // the array of the asset that is coded, for errors
    int32_t index;             // in it

    // What contents are checked against.
    const sinew_asset *asset; // the skeleton, and the parts before the current one
    const sinew_clip *clip;   // the current clip, and its data
    const sinew_clip_data *clip_data;
    const int32_t *largest_joints; // [mesh_count], -1: not skinned
    const sinew_vrm *vrm;
} sinew_coder;

static inline bool sinew_coder_writes(const sinew_coder *c) {
    return c->mode <= SINEW_CODER_WRITE;
}

static inline bool sinew_coder_loads(const sinew_coder *c) {
    return c->mode == SINEW_CODER_LOAD && !c->failed;
}

// The checksum of `size` bytes, a multiple of 64: the same on every machine of the same byte order.
uint64_t sinew_baked_checksum(const void *data, size_t size);

// Sets the error, unless one is set: SINEW_ERROR_FORMAT, "clips[3]: REASON; ...".
void sinew_code_damaged(sinew_coder *c, const char *reason);

// The same if `valid` is false, while loading.
static inline void sinew_code_check(sinew_coder *c, bool valid, const char *reason) {
    if (!valid && sinew_coder_loads(c)) sinew_code_damaged(c, reason);
}

void sinew_code_fail_memory(sinew_coder *c);

// ---- Fields --------------------------------------------------------------------------------------------------

void sinew_code_u32(sinew_coder *c, uint32_t *value);
void sinew_code_i32(sinew_coder *c, int32_t *value);
void sinew_code_count(sinew_coder *c, int32_t *count);                        // 0 or more
void sinew_code_index(sinew_coder *c, int32_t *index, int32_t count);         // from 0 to count - 1
void sinew_code_index_or_none(sinew_coder *c, int32_t *index, int32_t count); // or -1
void sinew_code_size(sinew_coder *c, size_t *size);
void sinew_code_bool(sinew_coder *c, bool *value);
void sinew_code_float(sinew_coder *c, float *value);              // finite
void sinew_code_unbounded(sinew_coder *c, float *value);          // any but NaN
void sinew_code_floats(sinew_coder *c, float *values, int count); // finite
void sinew_code_vec3(sinew_coder *c, sinew_vec3 *vector);
void sinew_code_string(sinew_coder *c, const char **string);

// Codes a number from 0 to count - 1, and returns it.
int32_t sinew_code_choice(sinew_coder *c, int32_t value, int32_t count);

// Codes an enum of `count` values.
#define SINEW_CODE_ENUM(c, field, type, count) ((field) = (type)sinew_code_choice(c, (int32_t)(field), count))

// ---- Arrays --------------------------------------------------------------------------------------------------

// An array among the records, aligned to 4 bytes. Returns its address in memory; while reading it is in the file.
void *sinew_code_small_array(sinew_coder *c, const void *array, size_t count, size_t size);

// An array behind the records, aligned to 64 bytes. The record is its reference: 0 for NULL, UINT32_MAX for
// 0 elements, else 1 plus its offset from the first array in units of 64 bytes. NULL is an error unless count is 0.
void *sinew_code_array(sinew_coder *c, const void *array, size_t count, size_t size);

// The same; NULL for an array that the asset does not have.
void *sinew_code_optional_array(sinew_coder *c, const void *array, size_t count, size_t size);

// The same for elements of a type without padding, which is the same for all compilers.
#define SINEW_CODE_SMALL(c, field, type, count)                                                                    \
    ((field) = (type *)sinew_code_small_array(c, field, (size_t)(count), sizeof(type)))
#define SINEW_CODE_ARRAY(c, field, type, count)                                                                    \
    ((field) = (type *)sinew_code_array(c, field, (size_t)(count), sizeof(type)))

#define SINEW_CODE_OPTIONAL(c, field, type, count)                                                                 \
    ((field) = (type *)sinew_code_optional_array(c, field, (size_t)(count), sizeof(type)))

// Checks, if requested, that floats are finite; of NULL, nothing.
void sinew_code_check_floats(sinew_coder *c, const float *values, size_t count);

// Codes one struct.
typedef void (*sinew_code_function)(sinew_coder *c, void *element);

// Codes `count` structs of `size` bytes, one record after another. While reading they are new; returns NULL in the survey.
void *sinew_code_structs(sinew_coder *c, const void *array, int32_t count, size_t size, sinew_code_function code);

#define SINEW_CODE_STRUCTS(c, field, type, count, code)                                                            \
    ((field) = (const type *)sinew_code_structs(c, field, count, sizeof(type), code))

// The same for an array of the asset, which errors name.
#define SINEW_CODE_PART(c, a, field, type, count, code)                                                            \
    ((c)->part = #field, SINEW_CODE_STRUCTS(c, (a)->field, type, (a)->count, code))

// Memory of the asset for `count` elements; NULL unless the coder loads.
void *sinew_code_memory(sinew_coder *c, size_t count, size_t size);

// ---- Parts ---------------------------------------------------------------------------------------------------

// The nodes. Reading creates the skeleton, in the memory of `data`; it is not part of the two passes.
void sinew_code_write_skeleton(sinew_coder *c, const sinew_skeleton *skeleton);
void sinew_code_read_skeleton(sinew_coder *c, sinew_asset *asset, const sinew_allocator *allocator);

void sinew_code_skin(sinew_coder *c, void *element);
void sinew_code_clip(sinew_coder *c, void *element);
void sinew_code_bounds(sinew_coder *c, sinew_asset *asset);
void sinew_code_scene(sinew_coder *c, sinew_asset *asset); // meshes, materials, cameras, lights and their instances
void sinew_code_humanoid(sinew_coder *c, sinew_asset *asset);
void sinew_code_vrm(sinew_coder *c, sinew_asset *asset);

// Checks the current clip, which was read: what the kernels rely on.
void sinew_code_check_clip(sinew_coder *c);

// The property whose strips a group has.
static inline sinew_channel_target sinew_coder_group_target(const sinew_clip_data *data, size_t group) {
    return group < (size_t)data->node_groups ? (sinew_channel_target)(group % SINEW_GROUPS) : SINEW_TARGET_WEIGHTS;
}

// The planes of one key of a strip.
static inline size_t sinew_coder_planes(const sinew_strip *strip, sinew_channel_target target) {
    size_t parts = strip->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    return (size_t)sinew_target_width(target) * parts;
}

#endif
