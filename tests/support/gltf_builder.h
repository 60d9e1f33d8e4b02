// SPDX-License-Identifier: MIT
// Builds glTF files in memory from numbers and fragments of JSON.
#ifndef GLTF_BUILDER_H
#define GLTF_BUILDER_H

#include "support/check.h"

enum { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };

typedef struct gltf_text {
    char *data; // zero behind the last byte
    size_t size, capacity;
} gltf_text;

typedef struct gltf_builder {
    gltf_text bin;   // buffer 0
    gltf_text views; // the elements of "bufferViews", of "accessors", and the other members of the root
    gltf_text accessors;
    gltf_text sections;
    int view_count, accessor_count;
} gltf_builder;

gltf_builder gltf_begin(void);
void gltf_end(gltf_builder *b);

void gltf_append(gltf_text *text, const void *data, size_t size);

#if defined(__MINGW32__)
#define FORMAT_AT(n) __attribute__((format(__MINGW_PRINTF_FORMAT, n, (n) + 1)))
#elif defined(__GNUC__)
#define FORMAT_AT(n) __attribute__((format(printf, n, (n) + 1)))
#else
#define FORMAT_AT(n)
#endif

// A member of the root, such as gltf_section(&b, "\"nodes\":[{\"mesh\":%d}]", mesh). Quotes may be written as '.
void gltf_section(gltf_builder *b, const char *format, ...) FORMAT_AT(2);

// A buffer view of new bytes in buffer 0. A stride of 0 is left out. Returns its index.
int gltf_view(gltf_builder *b, const void *data, size_t size, int stride);

// An accessor over a new view of its own. Returns its index.
int gltf_accessor(gltf_builder *b, const void *data, size_t size, int component, const char *type, int count);
int gltf_normalized(gltf_builder *b, const void *data, size_t size, int component, const char *type, int count);
int gltf_floats(gltf_builder *b, const char *type, int count, const float *floats);

// An accessor from its own JSON members: gltf_raw_accessor(&b, "'count':3,'type':'VEC3',...").
int gltf_raw_accessor(gltf_builder *b, const char *format, ...) FORMAT_AT(2);

// A view from its own JSON members.
int gltf_raw_view(gltf_builder *b, const char *format, ...) FORMAT_AT(2);

// A mesh section of one primitive: three vertices in a triangle, with more attributes ("" or ",'JOINTS_0':3").
void gltf_triangle_mesh(gltf_builder *b, const char *attributes, const char *members);

// The whole file; to be freed. A .gltf has its buffer as base64, a .glb as a chunk.
char *gltf_write_text(const gltf_builder *b, size_t *size);
char *gltf_write_text_of(const gltf_builder *b, const char *uri, size_t *size); // its buffer stands at `uri`
uint8_t *gltf_write_glb(const gltf_builder *b, size_t *size);

// Writes the .glb to a file, and ends the builder.
void gltf_save_glb(gltf_builder *b, const char *path);

// Wraps a JSON text and binary bytes (NULL: no chunk) as a .glb.
uint8_t *glb_wrap(const char *json, const void *bin, size_t bin_size, size_t *size);

// Replaces ' by ", which makes JSON in C readable. Returns a copy, to be freed.
char *json_quotes(const char *text);

// Encodes base64; to be freed.
char *base64(const void *data, size_t size);

// What the importer said in the log, line after line.
typedef struct gltf_lines {
    char text[4096];
    int count;
} gltf_lines;

sinew_log gltf_log_to(gltf_lines *lines);

// Loads what has been built, as .glb, and ends the builder. `lines` may be NULL. Fails the test if it does not load.
sinew_asset *gltf_load(gltf_builder *b, gltf_lines *lines);

// The same, turned so that an axis is up.
sinew_asset *gltf_load_turned(gltf_builder *b, sinew_up up);

// The same where loading must fail; checks that the asset is NULL, the result, and that the message holds `text`.
void gltf_refuse(gltf_builder *b, sinew_result result, const char *text);

// Loads it as a .glb with the default options, ends it, and checks that a log line says what was left out.
void gltf_leave_out(gltf_builder *b, const char *line);

// Loads a text (with ' for ") from memory with the default options and checks that it is refused like that.
void gltf_refuse_text(const char *json, sinew_result result, const char *text);

// The value of a curve of a clip at a time. Fails without the curve.
float gltf_curve_at(const sinew_asset *asset, int32_t clip, const char *name, float time);

// Fails with the first number that is further from what is expected than `tolerance`, or is not a number.
void check_floats(const float *found, const float *expected, size_t count, float tolerance);

// Fails unless `whole` contains `part`.
void check_contains(const char *whole, const char *part);

#endif
