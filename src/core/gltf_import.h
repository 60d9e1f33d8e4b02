// SPDX-License-Identifier: MIT
// The state of one import, and the functions that the files of this folder share.
//
// Functions that can fail fill import->error and return false, so that readers chain: return a(...) && b(...).
// Every number from the file passes one of the checked readers below.
#ifndef SINEWI_IMPORT_H
#define SINEWI_IMPORT_H

#include <sinew/gltf.h>

#include "core/asset_data.h"
#include "base/fail.h"
#include "json/json.h"

// The elements of a JSON array, by index.
typedef struct sinewi_gltf_list {
    int32_t count;
    const sinewi_json_value *values;
} sinewi_gltf_list;

// A top-level array of the file whose elements go into an array of the asset: all of them, or a subset.
typedef struct sinewi_gltf_values {
    int32_t count;
    const sinewi_json_value *values;
    int32_t loaded_count;    // elements that go into the asset
    int32_t *loaded_indices; // [count]: index in the asset, -1: not loaded; NULL: all are loaded, in the same order
} sinewi_gltf_values;

// How much of a node is loaded. In ascending order.
typedef enum sinewi_gltf_part {
    SINEWI_GLTF_PART_NONE,
    SINEWI_GLTF_PART_TRANSFORM, // its transform only
    SINEWI_GLTF_PART_ALL        // its mesh, skin, camera and light as well
} sinewi_gltf_part;

// The bytes of a resource: part of the file, a data URI, or an external resource.
typedef struct sinewi_gltf_bytes {
    const uint8_t *data;
    size_t size;
    sinew_bytes borrowed; // owned by the caller's reader; its data may be NULL
    bool is_borrowed;     // to be released
} sinewi_gltf_bytes;

typedef struct sinewi_gltf_buffer {
    size_t length;
    bool fallback; // a fallback buffer of meshopt compression, which may have no bytes
    bool loaded;
    sinewi_json_value uri; // ABSENT: none
    sinewi_gltf_bytes bytes;
} sinewi_gltf_buffer;

// The EXT_meshopt_compression object of a buffer view.
typedef struct sinewi_gltf_meshopt {
    sinewi_json_value value; // ABSENT: the view is not compressed
    int32_t buffer;
    size_t offset, length, stride; // bytes
    int32_t count;                 // elements
    sinew_meshopt_mode mode;
    sinew_meshopt_filter filter;
} sinewi_gltf_meshopt;

typedef struct sinewi_gltf_view {
    int32_t buffer;
    size_t offset, length;
    size_t stride; // 0: elements are tightly packed
    sinewi_gltf_meshopt meshopt;
    const uint8_t *data;  // NULL until loaded
    const uint8_t *image; // the asset's copy of the bytes; NULL until an image uses the view
} sinewi_gltf_view;

// glTF's numbers of component types.
typedef enum sinewi_gltf_component {
    SINEWI_GLTF_I8 = 5120,
    SINEWI_GLTF_U8 = 5121,
    SINEWI_GLTF_I16 = 5122,
    SINEWI_GLTF_U16 = 5123,
    SINEWI_GLTF_U32 = 5125,
    SINEWI_GLTF_F32 = 5126
} sinewi_gltf_component;

typedef enum sinewi_gltf_type {
    SINEWI_GLTF_SCALAR,
    SINEWI_GLTF_VEC2,
    SINEWI_GLTF_VEC3,
    SINEWI_GLTF_VEC4,
    SINEWI_GLTF_MAT2,
    SINEWI_GLTF_MAT3,
    SINEWI_GLTF_MAT4
} sinewi_gltf_type;

// The use of an accessor's floats: it decides their memory, how non-finite numbers are handled, and how they are
// converted when +Z is to be up.
typedef enum sinewi_gltf_use {
    SINEWI_GLTF_FOR_IMPORT,   // times, weights and matrices, copied later: scratch memory; must be finite
    SINEWI_GLTF_FOR_WEIGHTS,  // vertex weights: scratch memory; not checked, because gltf_influences.c repairs them
    SINEWI_GLTF_FOR_KEYS,     // keys of translations and rotations: as FOR_IMPORT, converted as vectors
    SINEWI_GLTF_FOR_SCALES,   // keys of scales: as FOR_IMPORT, converted as scales
    SINEWI_GLTF_FOR_VERTICES, // the asset's memory; must be finite; converted as vectors
    SINEWI_GLTF_FOR_SURFACE,  // the asset's memory; non-finite numbers become 0, with a log line; not converted
    SINEWI_GLTF_FOR_VECTORS,  // as FOR_SURFACE, converted as vectors
    SINEWI_GLTF_FOR_NORMALS,  // as FOR_VECTORS, and normalized
    SINEWI_GLTF_USE_COUNT
} sinewi_gltf_use;

typedef struct sinewi_gltf_accessor {
    sinewi_json_value value;
    int32_t view; // -1: zeros
    size_t offset;
    int32_t count;
    sinewi_gltf_component component;
    sinewi_gltf_type type;
    bool normalized;
    int32_t sparse_count; // 0: not sparse
    int32_t sparse_index_view, sparse_value_view;
    size_t sparse_index_offset, sparse_value_offset;
    sinewi_gltf_component sparse_index_component;

    const uint8_t *decoded; // tightly packed elements decoded from Draco; NULL: the elements are in the view
    int32_t decoded_view;   // the view of the compressed data
    uint32_t decoded_id;    // the attribute's unique id

    // Caches: an accessor is decoded once for each use.
    const float *floats[SINEWI_GLTF_USE_COUNT];
    const uint32_t *integers;
    const uint32_t *triangles[3]; // the asset's indices, made from a list, a strip and a fan
    uint32_t largest_integer;
    const float *key_times; // strictly increasing; NULL until an animation needs them
} sinewi_gltf_accessor;

// KHR_texture_transform of a material's base colour, which the import applies to the texture coordinates.
typedef struct sinewi_gltf_uv_transform {
    bool present;
    float offset[2], rotation, scale[2];
} sinewi_gltf_uv_transform;

// What gltf_instances.c needs of a mesh that the asset does not hold.
typedef struct sinewi_gltf_mesh_notes {
    const float *weights;  // [target_count] of the asset's mesh, or NULL
    int32_t largest_joint; // over all vertices with a weight above 0; -1: the mesh is not skinned
    int32_t largest_joint_primitive;
} sinewi_gltf_mesh_notes;

// The joints and weights that were read last. The primitives of a mesh often share them.
typedef struct sinewi_gltf_influences {
    int32_t accessors[4]; // JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1; -1: none
    int32_t count;        // joints per vertex
    const uint16_t *joints;
    const float *weights;
    int32_t largest_joint;
} sinewi_gltf_influences;

// A hash set of the paths that were read, so that a resource counts once however often it is named.
typedef struct sinewi_gltf_path_set {
    uint64_t *hashes; // [capacity], open addressing; 0: free
    size_t count, capacity;
} sinewi_gltf_path_set;

// The work and memory that the bytes read so far allow: see expansion_limit.
typedef struct sinewi_gltf_budget {
    size_t bytes_read;
    uint64_t numbers_read; // keys and vertex data, counted each time a channel or node uses them
    sinewi_gltf_path_set paths;
} sinewi_gltf_budget;

// A marker of the sidecar file.
typedef struct sinewi_gltf_marker {
    sinew_marker marker;
    int32_t next; // the next of the same animation; -1: none
} sinewi_gltf_marker;

// An object of curves in the sidecar file.
typedef struct sinewi_gltf_curve_object {
    sinewi_json_value value;
    int32_t count; // of its curves
    int32_t next;  // the next of the same animation; -1: none
} sinewi_gltf_curve_object;

// The sidecar file: lists of markers and of objects with curves per animation. All NULL without a sidecar file.
typedef struct sinewi_gltf_sidecar {
    const char *name;
    sinewi_json json;
    int32_t *first_marker, *last_marker; // [animations]; -1: none
    int32_t *first_curves, *last_curves; // [animations]; -1: none
    sinewi_gltf_marker *markers;
    sinewi_gltf_curve_object *curves;
    int32_t marker_count, curves_count;
} sinewi_gltf_sidecar;

// The curves of all animations, for the skeleton.
typedef struct sinewi_gltf_curves {
    const char **names;
    float *rest;
    int32_t count;
} sinewi_gltf_curves;

typedef enum sinewi_gltf_pointer_kind {
    SINEWI_GLTF_POINTER_IGNORED, // not loaded, or not a number
    SINEWI_GLTF_POINTER_NODE,    // a transform or the weights of a node
    SINEWI_GLTF_POINTER_MESH,    // the weights of a mesh
    SINEWI_GLTF_POINTER_PROPERTY // anything else
} sinewi_gltf_pointer_kind;

// What a pointer of KHR_animation_pointer leads to.
typedef struct sinewi_gltf_pointer {
    sinewi_gltf_pointer_kind kind;
    int32_t source;                   // the file's index of the node or mesh
    int32_t path;                     // a sinew_channel_target
    int32_t element;                  // the index of a single weight; -1: all
    sinew_animated_property property; // without its curve; `index` of a node is the file's
    const float *rest;                // [component_count] of the property
    bool is_unknown;                  // ignored, because the file has no number there
    bool may_be_list;                 // its keys may be SCALARs, one for each component
} sinewi_gltf_pointer;

typedef struct sinewi_import {
    sinew_gltf_options options;
    sinew_error *error;               // never NULL; its location is put in front when the import ends
    sinewi_json_value error_location; // ABSENT: none
    int32_t located_faults;           // of those that were left out
    sinewi_json_value current;        // the value being read: the location of an error when memory runs out
    sinewi_gltf_budget budget;
    sinewi_asset_data *data;
    sinew_asset *asset;   // data->asset
    sinewi_arena *arena;  // data->arena
    sinewi_arena scratch; // freed when the import ends
    const char *path;     // of the file; NULL if it is loaded from memory
    const char *folder;   // of the file, with its last separator; NULL if it is loaded from memory

    const char *text; // the JSON part
    size_t text_size;
    const uint8_t *bin; // the binary chunk; NULL: none
    size_t bin_size;
    sinewi_json json;
    const char *in_sidecar; // the name of the sidecar file while `json` and errors belong to it; else NULL

    sinewi_gltf_list buffer_values, view_values, node_values;
    sinewi_gltf_values image_values, texture_values, material_values, mesh_values, skin_values, camera_values,
        light_values;
    int32_t *parents;        // [node_values.count], the file's indices
    sinewi_gltf_part *parts; // [node_values.count]; NULL: the whole file is loaded
    sinewi_gltf_buffer *buffers;
    sinewi_gltf_view *views;
    int32_t accessor_count;
    sinewi_gltf_accessor *accessors;
    sinewi_gltf_uv_transform *uv_transforms; // [asset->material_count]
    sinewi_gltf_mesh_notes *mesh_notes;      // [asset->mesh_count]
    sinewi_gltf_influences last_influences;
    sinewi_gltf_sidecar sidecar;
    sinewi_gltf_curves curves;
} sinewi_import;

// Reads the data of a higher tier into g->asset, after the nodes, the meshes and their nodes.
struct sinew_gltf_extension {
    bool (*read)(sinewi_import *g);
};

// ---- The loaded subset ---------------------------------------------------------------------------------------------

// Returns the index in the asset's array of an element of the file's array; -1 if it is not loaded or `index` is -1.
static inline int32_t sinewi_gltf_loaded_index(const sinewi_gltf_values *values, int32_t index) {
    return index < 0 || !values->loaded_indices ? index : values->loaded_indices[index];
}

// Returns how much of a node (the file's index) is loaded.
static inline sinewi_gltf_part sinewi_gltf_part_of(const sinewi_import *g, int32_t node) {
    return g->parts ? g->parts[node] : SINEWI_GLTF_PART_ALL;
}

// ---- gltf_error.c: errors, log lines, memory ----------------------------------------------------------------------------

// Fills the error with a message. The location of `value` (ABSENT: none) is put in front when the import ends.
void sinewi_gltf_set_error(sinewi_import *g, sinewi_json_value value, sinew_result result, const char *format, ...)
    SINEWI_PRINTF(4, 5);

// Sets the error and is false, so that a check is one line. A macro: static analysers see that it is always false.
#define sinewi_gltf_fail(...) (sinewi_gltf_set_error(__VA_ARGS__), false)

// Puts the location in front of the message. Called once, when the import fails: finding a location walks the JSON.
void sinewi_gltf_locate_error(sinewi_import *g);

// Sets the error for memory that ran out or a limit that was reached; returns false.
bool sinewi_gltf_fail_memory(sinewi_import *g);

// Passes on the error of another folder's function as `prefix: message`; returns false.
bool sinewi_gltf_fail_with(sinewi_import *g, const sinew_error *inner, const char *format, ...) SINEWI_PRINTF(3, 4);

void sinewi_gltf_log(const sinewi_import *g, const char *format, ...) SINEWI_PRINTF(2, 3);

typedef struct sinewi_gltf_fault {
    char text[800];
} sinewi_gltf_fault;

// Writes the message of the error that was set, with its location in front, for a log line.
const char *sinewi_gltf_describe_fault(sinewi_import *g, sinewi_gltf_fault *fault);

// Leaves a part out that has set the error, with a log line "location: ignored, because ...". Returns true, and the
// import goes on. False if memory ran out or a limit was reached: then it must not.
bool sinewi_gltf_leave_out(sinewi_import *g, const char *location, ...) SINEWI_PRINTF(2, 3);

// Takes `count` × `size` bytes from an arena: uninitialised; arrays of 64 bytes and more are 64-byte aligned. Returns
// NULL and fills the error on failure.
void *sinewi_gltf_take(sinewi_import *g, sinewi_arena *arena, size_t count, size_t size);
void *sinewi_gltf_take_zeroed(sinewi_import *g, sinewi_arena *arena, size_t count, size_t size);

// Typed versions of sinewi_gltf_take and sinewi_gltf_take_zeroed.
#define sinewi_gltf_array(g, arena, type, count) ((type *)sinewi_gltf_take(g, arena, count, sizeof(type)))
#define sinewi_gltf_zeros(g, arena, type, count) ((type *)sinewi_gltf_take_zeroed(g, arena, count, sizeof(type)))

// ---- gltf_budget.c: limits in proportion to the size of the file --------------------------------------------------------

// Counts bytes that are read and raises the memory limit accordingly. A path counts once, however often it is read.
bool sinewi_gltf_count_read(sinewi_import *g, const char *path, size_t size);

// Counts numbers that are decoded or examined. Fails at `location` once they exceed the limit; `sharing` says what is
// shared by what.
bool sinewi_gltf_spend(sinewi_import *g, sinewi_json_value location, const char *sharing, uint64_t numbers);

// ---- gltf_read.c: checked reading of JSON -------------------------------------------------------------------------------

// Parses a text into g->json.
bool sinewi_gltf_parse(sinewi_import *g, const char *text, size_t size);

// Finds a member that must be present.
bool sinewi_gltf_get_required(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_value *out);

// Read a member. An absent member leaves `*out` unchanged. A member of the wrong kind, or out of range, is an error.
bool sinewi_gltf_get_number(sinewi_import *g, sinewi_json_value object, const char *key, double *out);
bool sinewi_gltf_get_float(sinewi_import *g, sinewi_json_value object, const char *key, float *out);
bool sinewi_gltf_check_float(sinewi_import *g, sinewi_json_value value, float *out); // an element of an array
bool sinewi_gltf_get_floats(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count, float *out);
bool sinewi_gltf_get_bool(sinewi_import *g, sinewi_json_value object, const char *key, bool *out);
bool sinewi_gltf_get_integer(sinewi_import *g, sinewi_json_value object, const char *key, int64_t min, int64_t max,
                             int64_t *out);
bool sinewi_gltf_get_required_integer(sinewi_import *g, sinewi_json_value object, const char *key, int64_t min,
                                      int64_t max, int64_t *out);
bool sinewi_gltf_get_size(sinewi_import *g, sinewi_json_value object, const char *key, size_t *out);
bool sinewi_gltf_get_required_size(sinewi_import *g, sinewi_json_value object, const char *key, size_t *out);

// Read an index into an array of `count` elements named `array`; -1 if the member is absent.
bool sinewi_gltf_get_index(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                           const char *array, int32_t *out);
bool sinewi_gltf_get_required_index(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                                    const char *array, int32_t *out);

// Reads an element of an array of indices.
bool sinewi_gltf_check_index(sinewi_import *g, sinewi_json_value value, int32_t count, const char *array,
                             int32_t *out);

// Reads a string member, escapes decoded, into an arena; "" if it is absent.
bool sinewi_gltf_get_string(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_arena *arena,
                            const char **out);

// Reads a string member as its index in `words` (ended by NULL), -1 if it is not among them. An absent member leaves
// `*out` unchanged.
bool sinewi_gltf_get_word(sinewi_import *g, sinewi_json_value object, const char *key, const char *const *words,
                          int *out);

// Reads the `interpolation` of a sampler or a curve: LINEAR if it is absent, or, with a log line, unknown. `location` is
// for that line.
sinew_interpolation sinewi_gltf_get_interpolation(sinewi_import *g, sinewi_json_value object, const char *location);

// Reads the elements of an array member, which must all be of one kind; an empty list if it is absent.
bool sinewi_gltf_get_list(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_kind kind,
                          sinewi_gltf_list *list);

// Reads a member that must be an object if it is present.
bool sinewi_gltf_get_object(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_value *out);

// Fails at `location` unless `count` key times, at least one, are increasing.
bool sinewi_gltf_check_times(sinewi_import *g, sinewi_json_value location, const float *times, int32_t count);

// Makes times increasing that may also be equal: of keys at one time the last counts from there on, so the others come just
// before it. The times are copied into scratch memory if they change. Fails at `location` if a time is before an earlier one.
bool sinewi_gltf_separate_times(sinewi_import *g, sinewi_json_value location, const float **times, int32_t count);

sinewi_json_value sinewi_gltf_get_extension(const sinewi_import *g, sinewi_json_value object, const char *name);

// "#3" is index 3 of an array of `count`; -1 if the text is not a '#' and an index below `count`.
int32_t sinewi_gltf_index_from_name(const char *name, int32_t count);

// Writes the first names of an array's objects for a message, as "; existing: 'a', 'b'"; an object without a name is
// shown by its index. SINEWI_GLTF_NAMES_SIZE bytes hold six names of 40 bytes and their separators.
#define SINEWI_GLTF_NAMES_SIZE 320
void sinewi_gltf_list_names(const sinewi_json *json, int32_t count, const sinewi_json_value *values, char *out,
                            size_t size);

// ---- gltf_container.c: container, version, required extensions ----------------------------------------------------------

// Finds the JSON and the binary part of a file. Its first bytes decide whether it is .glb or .gltf.
bool sinewi_gltf_open_container(sinewi_import *g, const uint8_t *data, size_t size);

// The size of the UTF-8 byte order mark that a text starts with; 0: none.
size_t sinewi_gltf_bom_size(const uint8_t *data, size_t size);

bool sinewi_gltf_check_version(sinewi_import *g);
bool sinewi_gltf_check_extensions(sinewi_import *g); // those that the file requires

// ---- gltf_subset.c: which elements are loaded ---------------------------------------------------------------------------

// Reads the top-level arrays and the hierarchy, and selects what the options ask for.
bool sinewi_gltf_read_subset(sinewi_import *g);

// ---- gltf_resource.c, gltf_file.c: URIs, external resources, files -----------------------------------------------------------

// Decodes the percent escapes of a relative reference and overwrites it. Returns NULL, or why the reference is
// refused: absolute paths, "..", backslashes and schemes are.
const char *sinewi_gltf_decode_uri(char *uri);

// Whether a path names a device on Windows in any of its steps (CON, NUL.bin, COM1), or contains a ':' (a drive or a
// stream).
bool sinewi_gltf_is_special_on_windows(const char *path);

// Decodes base64, with or without padding, into out[length / 4 * 3 + 3].
bool sinewi_gltf_decode_base64(const char *text, size_t length, uint8_t *out, size_t *size);

// Reads a whole regular file into the arena and appends a zero byte. The error does not repeat the path.
bool sinewi_gltf_read_file(sinewi_import *g, const char *path, sinewi_arena *arena, sinewi_gltf_bytes *bytes);

// Loads the resource that a `uri` member names: a data URI or an external resource. `mime` receives the media type of
// a data URI.
bool sinewi_gltf_load_uri(sinewi_import *g, sinewi_json_value uri, sinewi_arena *arena, char *mime,
                          size_t mime_size, sinewi_gltf_bytes *bytes);

// Loads a resource through the caller's reader. Release it with sinewi_gltf_release_bytes.
bool sinewi_gltf_load_through_reader(sinewi_import *g, sinewi_json_value location, const char *uri,
                                     sinewi_gltf_bytes *bytes);
void sinewi_gltf_release_bytes(sinewi_import *g, sinewi_gltf_bytes *bytes);

// ---- gltf_buffers.c: buffers and views ----------------------------------------------------------------------------------

bool sinewi_gltf_read_buffers(sinewi_import *g);
void sinewi_gltf_release_buffers(sinewi_import *g);

// Loads view->data: reads the buffer, and decompresses it if the view is compressed.
bool sinewi_gltf_load_view(sinewi_import *g, int32_t view);

// ---- gltf_accessors.c: typed arrays -------------------------------------------------------------------------------------

bool sinewi_gltf_read_accessors(sinewi_import *g);

const char *sinewi_gltf_type_name(sinewi_gltf_type type);
int32_t sinewi_gltf_component_count(sinewi_gltf_type type);
size_t sinewi_gltf_component_size(sinewi_gltf_component component); // in bytes

// Fail at `location` if an accessor has another type or another number of elements.
bool sinewi_gltf_expect_type(sinewi_import *g, sinewi_json_value location, int32_t accessor, sinewi_gltf_type type);
bool sinewi_gltf_expect_count(sinewi_import *g, sinewi_json_value location, int32_t accessor, int32_t count);

// Reads all elements as tightly packed floats: matrices column-major, normalized integers converted.
bool sinewi_gltf_read_floats(sinewi_import *g, int32_t accessor, sinewi_gltf_use use, const float **floats);

// Reads elements of unsigned integers into scratch memory and sets accessor->largest_integer.
bool sinewi_gltf_read_integers(sinewi_import *g, int32_t accessor, const uint32_t **integers);

// ---- gltf_up_axis.c: conversion from +Y up to +Z up ---------------------------------------------------------------------

// (x, y, z, ...) becomes (x, -z, y, ...): positions, directions, and the axes of quaternions. Exact. `width` floats
// per element.
void sinewi_gltf_vectors_to_z_up(float *vectors, size_t count, size_t width);

// (x, y, z) becomes (x, z, y): each scale moves to the converted axis.
void sinewi_gltf_scales_to_z_up(float *scales, size_t count);

sinew_transform sinewi_gltf_transform_to_z_up(sinew_transform transform);

// C × matrix × C⁻¹, where C is the conversion. Exact, because C only swaps and negates.
sinew_affine sinewi_gltf_matrix_to_z_up(sinew_affine matrix);

// ---- gltf_materials.c, gltf_meshes.c, gltf_draco.c, gltf_vertices.c, gltf_influences.c ------------------------------------------------------

bool sinewi_gltf_read_images(sinewi_import *g);
bool sinewi_gltf_read_textures(sinewi_import *g);

// Extensions that give a texture an image in a format outside core glTF, in order of preference.
#define SINEWI_GLTF_IMAGE_EXTENSIONS 4
extern const char *const sinewi_gltf_image_extensions[SINEWI_GLTF_IMAGE_EXTENSIONS];

// Finds the image of a texture: its `source`, else that of an extension, whose name goes to `*extension` (NULL: its
// `source`). -1: none. `extension` may be NULL.
bool sinewi_gltf_image_of_texture(sinewi_import *g, sinewi_json_value texture, const char **extension,
                                  int32_t *image);

bool sinewi_gltf_read_materials(sinewi_import *g);

// Finds the texture of a material's base colour; -1: none.
bool sinewi_gltf_base_color_texture(sinewi_import *g, sinewi_json_value material, int32_t *texture);

// The attribute name of the set of texture coordinates that the primitive's material uses.
typedef struct sinewi_gltf_attribute_name {
    char text[24];
} sinewi_gltf_attribute_name;
sinewi_gltf_attribute_name sinewi_gltf_uv_name(const sinewi_import *g, const sinew_primitive *p);

// Decodes a primitive that KHR_draco_mesh_compression compresses, so that its accessors read as any. `*empty` is set
// if its vertices cannot be decoded; a log line says why. `location` is for log lines.
bool sinewi_gltf_decode_draco(sinewi_import *g, sinewi_json_value value, const char *location,
                              const sinew_primitive *p, bool *empty);

bool sinewi_gltf_read_meshes(sinewi_import *g);
bool sinewi_gltf_read_vertices(sinewi_import *g, sinewi_json_value value, const char *location,
                               sinew_primitive *out);
bool sinewi_gltf_read_targets(sinewi_import *g, sinewi_json_value value, sinew_primitive *out);
bool sinewi_gltf_read_influences(sinewi_import *g, sinewi_json_value attributes, const char *location,
                                 sinew_primitive *out, int32_t *largest_joint);

// ---- gltf_nodes.c, gltf_cameras.c, gltf_instances.c, gltf_mesh_bounds.c, gltf_markers.c, gltf_animations.c -----------------

// Reads `children` into g->parents. Fails if the hierarchy is not a forest.
bool sinewi_gltf_read_parents(sinewi_import *g);

// Reads the `weights` of a mesh or node: `count` of them, or NULL if it has none. `array`[`index`] is for the log.
bool sinewi_gltf_read_weights(sinewi_import *g, sinewi_json_value object, const char *array, int32_t index,
                              int32_t count, const float **out);

bool sinewi_gltf_read_nodes(sinewi_import *g);
bool sinewi_gltf_read_skins(sinewi_import *g);
bool sinewi_gltf_read_cameras(sinewi_import *g);
bool sinewi_gltf_read_lights(sinewi_import *g);

// Finds the light on a node (the file's indices); -1: none.
bool sinewi_gltf_light_of_node(sinewi_import *g, int32_t node, int32_t *light);

bool sinewi_gltf_read_mesh_nodes(sinewi_import *g);
bool sinewi_gltf_make_mesh_bounds(sinewi_import *g);

// Reads the sidecar file, if there is one, for these animations: its markers, and where it has curves.
bool sinewi_gltf_open_sidecar(sinewi_import *g, const sinewi_gltf_list *animations);

// Whether a member of an object of curves is one: it has times and values.
bool sinewi_gltf_is_curve(const sinewi_import *g, sinewi_json_value key);

// Gives a clip the markers of its animation: those of the extras, then those of the sidecar file.
bool sinewi_gltf_read_markers(sinewi_import *g, int32_t animation, sinewi_json_value value, float duration,
                              sinew_clip_def *def);
bool sinewi_gltf_read_animations(sinewi_import *g);

// ---- gltf_early_keys.c: keys before 0 s ---------------------------------------------------------------------------------

// Lets the channels of an animation start at 0 s: what is before has no effect on the rest.
bool sinewi_gltf_drop_early_keys(sinewi_import *g, int32_t animation, sinew_channel_def *channels, int32_t count);

// ---- gltf_pointers.c, gltf_curves.c ------------------------------------------------------------------------------------------

// Whether a channel's target has a pointer: its path is "pointer", and it has the extension.
bool sinewi_gltf_has_pointer(const sinewi_import *g, sinewi_json_value target);

// Resolves the pointer of such a target. Strings are in scratch memory.
bool sinewi_gltf_resolve_pointer(sinewi_import *g, sinewi_json_value target, sinewi_gltf_pointer *out);

// Lists the curves of all animations in g->curves, and the properties among them in the asset; the indices of nodes are
// the file's until sinewi_gltf_find_property_nodes replaces them by those of the skeleton.
bool sinewi_gltf_list_curves(sinewi_import *g);
void sinewi_gltf_find_property_nodes(sinewi_import *g);

// Returns the name of the curve of a component, in scratch memory; NULL if memory runs out.
const char *sinewi_gltf_curve_name(sinewi_import *g, const sinew_animated_property *property, int32_t component);

// Counts the curves of an animation in the sidecar file and in its extras.
int32_t sinewi_gltf_count_curves(const sinewi_import *g, int32_t animation, sinewi_json_value value);

// Appends a channel for each of them: of one name, the first of the sidecar file, else of the extras. `last_with` is
// [curve_count of the skeleton]: 1 + the last animation with a channel of that curve, negative if it is the sidecar's.
bool sinewi_gltf_read_curves(sinewi_import *g, int32_t animation, sinewi_json_value value, int32_t *last_with,
                             sinew_channel_def *channels, int32_t *count);

#endif
