// SPDX-License-Identifier: MIT
// Builds glTF files in memory from numbers and fragments of JSON.
#ifndef GLTF_BUILDER_H
#define GLTF_BUILDER_H

#include "support/check.h"

enum { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };

typedef struct gltf_text {
    char *data; // zero after the last byte
    size_t size, capacity;
} gltf_text;

typedef struct gltf_builder {
    gltf_text bin;   // buffer 0
    gltf_text views; // elements of "bufferViews", of "accessors", and other members of the root
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

// Adds a member to the root, such as gltf_section(&b, "\"nodes\":[{\"mesh\":%d}]", mesh). ' may stand for ".
void gltf_section(gltf_builder *b, const char *format, ...) FORMAT_AT(2);

// Adds a buffer view of new bytes in buffer 0. A stride of 0 is left out. Returns its index.
int gltf_view(gltf_builder *b, const void *data, size_t size, int stride);

// Adds an accessor with its own new view. Returns its index.
int gltf_accessor(gltf_builder *b, const void *data, size_t size, int component, const char *type, int count);
int gltf_normalized(gltf_builder *b, const void *data, size_t size, int component, const char *type, int count);
int gltf_floats(gltf_builder *b, const char *type, int count, const float *floats);

// An accessor from its own JSON members: gltf_raw_accessor(&b, "'count':3,'type':'VEC3',...").
int gltf_raw_accessor(gltf_builder *b, const char *format, ...) FORMAT_AT(2);

// A view from its own JSON members.
int gltf_raw_view(gltf_builder *b, const char *format, ...) FORMAT_AT(2);

// Adds a mesh with one primitive: three vertices in a triangle, with more attributes ("" or ",'JOINTS_0':3").
void gltf_triangle_mesh(gltf_builder *b, const char *attributes, const char *members);

// The whole file. The caller frees it. A .gltf has its buffer as base64, a .glb as a chunk.
char *gltf_write_text(const gltf_builder *b, size_t *size);
char *gltf_write_text_of(const gltf_builder *b, const char *uri, size_t *size); // its buffer is at `uri`
uint8_t *gltf_write_glb(const gltf_builder *b, size_t *size);

// Writes the .glb to a file, and ends the builder.
void gltf_save_glb(gltf_builder *b, const char *path);

// Wraps a JSON text and binary bytes (NULL: no chunk) as a .glb.
uint8_t *glb_wrap(const char *json, const void *bin, size_t bin_size, size_t *size);

// Replaces ' by ", which keeps JSON in C readable. Returns a copy; the caller frees it.
char *json_quotes(const char *text);

// Encodes base64. The caller frees it.
char *base64(const void *data, size_t size);

// The importer's log lines.
typedef struct gltf_lines {
    char text[4096];
    int count;
} gltf_lines;

sinew_log gltf_log_to(gltf_lines *lines);

// Loads the built file as .glb and ends the builder. `lines` may be NULL. Fails the test if it doesn't load.
sinew_asset *gltf_load(gltf_builder *b, gltf_lines *lines);

// The same, turned to the given up axis.
sinew_asset *gltf_load_turned(gltf_builder *b, sinew_up up);

// The same if loading must fail. Checks that the asset is NULL, the result, and that the message contains `text`.
void gltf_refuse(gltf_builder *b, sinew_result result, const char *text);

// Loads it as .glb with the default options, ends it, and checks that a log line says what was left out.
void gltf_leave_out(gltf_builder *b, const char *line);

// Loads a text (' for ") from memory with the default options, and checks that it's refused this way.
void gltf_refuse_text(const char *json, sinew_result result, const char *text);

// A clip's curve at a time. Fails if it doesn't have the curve.
float gltf_curve_at(const sinew_asset *asset, int32_t clip, const char *name, float time);

// Fails at the first number that differs by more than `tolerance` or isn't a number.
void check_floats(const float *found, const float *expected, size_t count, float tolerance);

// Fails unless `whole` contains `part`.
void check_contains(const char *whole, const char *part);

#endif
