// SPDX-License-Identifier: MIT
// The state of one import, and the functions that the files of this folder share.
//
// Functions that can fail fill import->error and return false, so that readers chain: return a(...) && b(...).
// Every number from the file passes one of the checked readers below.
#ifndef SINEW_IMPORT_H
#define SINEW_IMPORT_H

#include <sinew/gltf.h>

#include "asset/asset.h"
#include "core/fail.h"
#include "json/json.h"

// The elements of a JSON array, by index.
typedef struct sinew_gltf_list {
    int32_t count;
    const sinew_json_value *values;
} sinew_gltf_list;

// A top-level array of the file whose elements go into an array of the asset: all of them, or a subset.
typedef struct sinew_gltf_values {
    int32_t count;
    const sinew_json_value *values;
    int32_t loaded_count;    // elements that go into the asset
    int32_t *loaded_indices; // [count]: index in the asset, -1: not loaded; NULL: all are loaded, in the same order
} sinew_gltf_values;

// How much of a node is loaded. In ascending order.
typedef enum sinew_gltf_part {
    SINEW_GLTF_PART_NONE,
    SINEW_GLTF_PART_TRANSFORM, // its transform only
    SINEW_GLTF_PART_ALL        // its mesh, skin, camera and light as well
} sinew_gltf_part;

// The bytes of a resource: part of the file, a data URI, or an external resource.
typedef struct sinew_gltf_bytes {
    const uint8_t *data;
    size_t size;
    sinew_bytes borrowed; // owned by the caller's reader; its data may be NULL
    bool is_borrowed;     // to be released
} sinew_gltf_bytes;

typedef struct sinew_gltf_buffer {
    size_t length;
    bool fallback; // a fallback buffer of meshopt compression, which may have no bytes
    bool loaded;
    sinew_json_value uri; // ABSENT: none
    sinew_gltf_bytes bytes;
} sinew_gltf_buffer;

// The EXT_meshopt_compression object of a buffer view.
typedef struct sinew_gltf_meshopt {
    sinew_json_value value; // ABSENT: the view is not compressed
    int32_t buffer;
    size_t offset, length, stride; // bytes
    int32_t count;                 // elements
    sinew_meshopt_mode mode;
    sinew_meshopt_filter filter;
} sinew_gltf_meshopt;

typedef struct sinew_gltf_view {
    int32_t buffer;
    size_t offset, length;
    size_t stride; // 0: elements are tightly packed
    sinew_gltf_meshopt meshopt;
    const uint8_t *data;  // NULL until loaded
    const uint8_t *image; // the asset's copy of the bytes; NULL until an image uses the view
} sinew_gltf_view;

// glTF's numbers of component types.
typedef enum sinew_gltf_component {
    SINEW_GLTF_I8 = 5120,
    SINEW_GLTF_U8 = 5121,
    SINEW_GLTF_I16 = 5122,
    SINEW_GLTF_U16 = 5123,
    SINEW_GLTF_U32 = 5125,
    SINEW_GLTF_F32 = 5126
} sinew_gltf_component;

typedef enum sinew_gltf_type {
    SINEW_GLTF_SCALAR,
    SINEW_GLTF_VEC2,
    SINEW_GLTF_VEC3,
    SINEW_GLTF_VEC4,
    SINEW_GLTF_MAT2,
    SINEW_GLTF_MAT3,
    SINEW_GLTF_MAT4
} sinew_gltf_type;

// The use of an accessor's floats: it decides their memory, how non-finite numbers are handled, and how they are
// converted when +Z is to be up.
typedef enum sinew_gltf_use {
    SINEW_GLTF_FOR_IMPORT,   // times, weights and matrices, copied later: scratch memory; must be finite
    SINEW_GLTF_FOR_WEIGHTS,  // vertex weights: scratch memory; not checked, because influences.c repairs them
    SINEW_GLTF_FOR_KEYS,     // keys of translations and rotations: as FOR_IMPORT, converted as vectors
    SINEW_GLTF_FOR_SCALES,   // keys of scales: as FOR_IMPORT, converted as scales
    SINEW_GLTF_FOR_VERTICES, // the asset's memory; must be finite; converted as vectors
    SINEW_GLTF_FOR_SURFACE,  // the asset's memory; non-finite numbers become 0, with a log line; not converted
    SINEW_GLTF_FOR_VECTORS,  // as FOR_SURFACE, converted as vectors
    SINEW_GLTF_FOR_NORMALS,  // as FOR_VECTORS, and normalized
    SINEW_GLTF_USE_COUNT
} sinew_gltf_use;

typedef struct sinew_gltf_accessor {
    sinew_json_value value;
    int32_t view; // -1: zeros
    size_t offset;
    int32_t count;
    sinew_gltf_component component;
    sinew_gltf_type type;
    bool normalized;
    int32_t sparse_count; // 0: not sparse
    int32_t sparse_index_view, sparse_value_view;
    size_t sparse_index_offset, sparse_value_offset;
    sinew_gltf_component sparse_index_component;

    const uint8_t *decoded; // tightly packed elements decoded from Draco; NULL: the elements are in the view
    int32_t decoded_view;   // the view of the compressed data
    uint32_t decoded_id;    // the attribute's unique id

    // Caches: an accessor is decoded once for each use.
    const float *floats[SINEW_GLTF_USE_COUNT];
    const uint32_t *integers;
    const uint32_t *triangles[3]; // the asset's indices, made from a list, a strip and a fan
    uint32_t largest_integer;
    const float *key_times; // strictly increasing; NULL until an animation needs them
} sinew_gltf_accessor;

// KHR_texture_transform of a material's base colour, which the import applies to the texture coordinates.
typedef struct sinew_gltf_uv_transform {
    bool present;
    float offset[2], rotation, scale[2];
} sinew_gltf_uv_transform;

// What instances.c needs of a mesh that the asset does not hold.
typedef struct sinew_gltf_mesh_notes {
    const float *weights;  // [target_count] of the asset's mesh, or NULL
    int32_t largest_joint; // over all vertices with a weight above 0; -1: the mesh is not skinned
    int32_t largest_joint_primitive;
} sinew_gltf_mesh_notes;

// The joints and weights that were read last. The primitives of a mesh often share them.
typedef struct sinew_gltf_influences {
    int32_t accessors[4]; // JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1; -1: none
    int32_t count;        // joints per vertex
    const uint16_t *joints;
    const float *weights;
    int32_t largest_joint;
} sinew_gltf_influences;

// A hash set of the paths that were read, so that a resource counts once however often it is named.
typedef struct sinew_gltf_path_set {
    uint64_t *hashes; // [capacity], open addressing; 0: free
    size_t count, capacity;
} sinew_gltf_path_set;

// The work and memory that the bytes read so far allow: see expansion_limit.
typedef struct sinew_gltf_budget {
    size_t bytes_read;
    uint64_t numbers_read; // keys and vertex data, counted each time a channel or node uses them
    sinew_gltf_path_set paths;
} sinew_gltf_budget;

// A marker of the sidecar file.
typedef struct sinew_gltf_marker {
    sinew_marker marker;
    int32_t next; // the next of the same animation; -1: none
} sinew_gltf_marker;

// An object of curves in the sidecar file.
typedef struct sinew_gltf_curve_object {
    sinew_json_value value;
    int32_t count; // of its curves
    int32_t next;  // the next of the same animation; -1: none
} sinew_gltf_curve_object;

// The sidecar file: lists of markers and of objects with curves per animation. All NULL without a sidecar file.
typedef struct sinew_gltf_sidecar {
    const char *name;
    sinew_json json;
    int32_t *first_marker, *last_marker; // [animations]; -1: none
    int32_t *first_curves, *last_curves; // [animations]; -1: none
    sinew_gltf_marker *markers;
    sinew_gltf_curve_object *curves;
    int32_t marker_count, curves_count;
} sinew_gltf_sidecar;

// The curves of all animations, for the skeleton.
typedef struct sinew_gltf_curves {
    const char **names;
    float *rest;
    int32_t count;
} sinew_gltf_curves;

typedef enum sinew_gltf_pointer_kind {
    SINEW_GLTF_POINTER_IGNORED, // not loaded, or not a number
    SINEW_GLTF_POINTER_NODE,    // a transform or the weights of a node
    SINEW_GLTF_POINTER_MESH,    // the weights of a mesh
    SINEW_GLTF_POINTER_PROPERTY // anything else
} sinew_gltf_pointer_kind;

// What a pointer of KHR_animation_pointer leads to.
typedef struct sinew_gltf_pointer {
    sinew_gltf_pointer_kind kind;
    int32_t source;                   // the file's index of the node or mesh
    int32_t path;                     // a sinew_channel_target
    int32_t element;                  // the index of a single weight; -1: all
    sinew_animated_property property; // without its curve; `index` of a node is the file's
    const float *rest;                // [component_count] of the property
    bool is_unknown;                  // ignored, because the file has no number there
    bool may_be_list;                 // its keys may be SCALARs, one for each component
} sinew_gltf_pointer;

typedef struct sinew_import {
    sinew_gltf_options options;
    sinew_error *error;              // never NULL; its location is put in front when the import ends
    sinew_json_value error_location; // ABSENT: none
    int32_t located_faults;          // of those that were left out
    sinew_json_value current;        // the value being read: the location of an error when memory runs out
    sinew_gltf_budget budget;
    sinew_asset_data *data;
    sinew_asset *asset;  // data->asset
    sinew_arena *arena;  // data->arena
    sinew_arena scratch; // freed when the import ends
    const char *path;    // of the file; NULL if it is loaded from memory
    const char *folder;  // of the file, with its last separator; NULL if it is loaded from memory

    const char *text; // the JSON part
    size_t text_size;
    const uint8_t *bin; // the binary chunk; NULL: none
    size_t bin_size;
    sinew_json json;
    const char *in_sidecar; // the name of the sidecar file while `json` and errors belong to it; else NULL

    sinew_gltf_list buffer_values, view_values, node_values;
    sinew_gltf_values image_values, texture_values, material_values, mesh_values, skin_values, camera_values,
        light_values;
    int32_t *parents;       // [node_values.count], the file's indices
    sinew_gltf_part *parts; // [node_values.count]; NULL: the whole file is loaded
    sinew_gltf_buffer *buffers;
    sinew_gltf_view *views;
    int32_t accessor_count;
    sinew_gltf_accessor *accessors;
    sinew_gltf_uv_transform *uv_transforms; // [asset->material_count]
    sinew_gltf_mesh_notes *mesh_notes;      // [asset->mesh_count]
    sinew_gltf_influences last_influences;
    sinew_gltf_sidecar sidecar;
    sinew_gltf_curves curves;
} sinew_import;

// ---- The loaded subset ---------------------------------------------------------------------------------------------

// Returns the index in the asset's array of an element of the file's array; -1 if it is not loaded or `index` is -1.
static inline int32_t sinew_gltf_loaded_index(const sinew_gltf_values *values, int32_t index) {
    return index < 0 || !values->loaded_indices ? index : values->loaded_indices[index];
}

// Returns how much of a node (the file's index) is loaded.
static inline sinew_gltf_part sinew_gltf_part_of(const sinew_import *g, int32_t node) {
    return g->parts ? g->parts[node] : SINEW_GLTF_PART_ALL;
}

// ---- error.c: errors, log lines, memory ----------------------------------------------------------------------------

// Fills the error with a message. The location of `value` (ABSENT: none) is put in front when the import ends.
void sinew_gltf_set_error(sinew_import *g, sinew_json_value value, sinew_result result, const char *format, ...)
    SINEW_PRINTF(4, 5);

// Sets the error and is false, so that a check is one line. A macro: static analysers see that it is always false.
#define sinew_gltf_fail(...) (sinew_gltf_set_error(__VA_ARGS__), false)

// Puts the location in front of the message. Called once, when the import fails: finding a location walks the JSON.
void sinew_gltf_locate_error(sinew_import *g);

// Sets the error for memory that ran out or a limit that was reached; returns false.
bool sinew_gltf_fail_memory(sinew_import *g);

// Passes on the error of another folder's function as `prefix: message`; returns false.
bool sinew_gltf_fail_with(sinew_import *g, const sinew_error *inner, const char *format, ...) SINEW_PRINTF(3, 4);

void sinew_gltf_log(const sinew_import *g, const char *format, ...) SINEW_PRINTF(2, 3);

typedef struct sinew_gltf_fault {
    char text[800];
} sinew_gltf_fault;

// Writes the message of the error that was set, with its location in front, for a log line.
const char *sinew_gltf_describe_fault(sinew_import *g, sinew_gltf_fault *fault);

// Leaves a part out that has set the error, with a log line "location: ignored, because ...". Returns true, and the
// import goes on. False if memory ran out or a limit was reached: then it must not.
bool sinew_gltf_leave_out(sinew_import *g, const char *location, ...) SINEW_PRINTF(2, 3);

// Takes `count` × `size` bytes from an arena: uninitialised; arrays of 64 bytes and more are 64-byte aligned. Returns
// NULL and fills the error on failure.
void *sinew_gltf_take(sinew_import *g, sinew_arena *arena, size_t count, size_t size);
void *sinew_gltf_take_zeroed(sinew_import *g, sinew_arena *arena, size_t count, size_t size);

// Typed versions of sinew_gltf_take and sinew_gltf_take_zeroed.
#define sinew_gltf_array(g, arena, type, count) ((type *)sinew_gltf_take(g, arena, count, sizeof(type)))
#define sinew_gltf_zeros(g, arena, type, count) ((type *)sinew_gltf_take_zeroed(g, arena, count, sizeof(type)))

// ---- budget.c: limits in proportion to the size of the file --------------------------------------------------------

// Counts bytes that are read and raises the memory limit accordingly. A path counts once, however often it is read.
bool sinew_gltf_count_read(sinew_import *g, const char *path, size_t size);

// Counts numbers that are decoded or examined. Fails at `location` once they exceed the limit; `sharing` says what is
// shared by what.
bool sinew_gltf_spend(sinew_import *g, sinew_json_value location, const char *sharing, uint64_t numbers);

// ---- read.c: checked reading of JSON -------------------------------------------------------------------------------

// Parses a text into g->json.
bool sinew_gltf_parse(sinew_import *g, const char *text, size_t size);

// Finds a member that must be present.
bool sinew_gltf_get_required(sinew_import *g, sinew_json_value object, const char *key, sinew_json_value *out);

// Read a member. An absent member leaves `*out` unchanged. A member of the wrong kind, or out of range, is an error.
bool sinew_gltf_get_number(sinew_import *g, sinew_json_value object, const char *key, double *out);
bool sinew_gltf_get_float(sinew_import *g, sinew_json_value object, const char *key, float *out);
bool sinew_gltf_check_float(sinew_import *g, sinew_json_value value, float *out); // an element of an array
bool sinew_gltf_get_floats(sinew_import *g, sinew_json_value object, const char *key, int32_t count, float *out);
bool sinew_gltf_get_bool(sinew_import *g, sinew_json_value object, const char *key, bool *out);
bool sinew_gltf_get_integer(sinew_import *g, sinew_json_value object, const char *key, int64_t min, int64_t max,
                            int64_t *out);
bool sinew_gltf_get_required_integer(sinew_import *g, sinew_json_value object, const char *key, int64_t min,
                                     int64_t max, int64_t *out);
bool sinew_gltf_get_size(sinew_import *g, sinew_json_value object, const char *key, size_t *out);
bool sinew_gltf_get_required_size(sinew_import *g, sinew_json_value object, const char *key, size_t *out);

// Read an index into an array of `count` elements named `array`; -1 if the member is absent.
bool sinew_gltf_get_index(sinew_import *g, sinew_json_value object, const char *key, int32_t count,
                          const char *array, int32_t *out);
bool sinew_gltf_get_required_index(sinew_import *g, sinew_json_value object, const char *key, int32_t count,
                                   const char *array, int32_t *out);

// Reads an element of an array of indices.
bool sinew_gltf_check_index(sinew_import *g, sinew_json_value value, int32_t count, const char *array,
                            int32_t *out);

// Reads a string member, escapes decoded, into an arena; "" if it is absent.
bool sinew_gltf_get_string(sinew_import *g, sinew_json_value object, const char *key, sinew_arena *arena,
                           const char **out);

// Reads a string member as its index in `words` (ended by NULL), -1 if it is not among them. An absent member leaves
// `*out` unchanged.
bool sinew_gltf_get_word(sinew_import *g, sinew_json_value object, const char *key, const char *const *words,
                         int *out);

// Reads the `interpolation` of a sampler or a curve: LINEAR if it is absent, or, with a log line, unknown. `location` is
// for that line.
sinew_interpolation sinew_gltf_get_interpolation(sinew_import *g, sinew_json_value object, const char *location);

// Reads the elements of an array member, which must all be of one kind; an empty list if it is absent.
bool sinew_gltf_get_list(sinew_import *g, sinew_json_value object, const char *key, sinew_json_kind kind,
                         sinew_gltf_list *list);

// Reads a member that must be an object if it is present.
bool sinew_gltf_get_object(sinew_import *g, sinew_json_value object, const char *key, sinew_json_value *out);

// Fails at `location` unless `count` key times, at least one, are increasing.
bool sinew_gltf_check_times(sinew_import *g, sinew_json_value location, const float *times, int32_t count);

// Makes times increasing that may also be equal: of keys at one time the last counts from there on, so the others come just
// before it. The times are copied into scratch memory if they change. Fails at `location` if a time is before an earlier one.
bool sinew_gltf_separate_times(sinew_import *g, sinew_json_value location, const float **times, int32_t count);

sinew_json_value sinew_gltf_get_extension(const sinew_import *g, sinew_json_value object, const char *name);

// "#3" is index 3 of an array of `count`; -1 if the text is not a '#' and an index below `count`.
int32_t sinew_gltf_index_from_name(const char *name, int32_t count);

// Writes the first names of an array's objects for a message, as "; existing: 'a', 'b'"; an object without a name is
// shown by its index. SINEW_GLTF_NAMES_SIZE bytes hold six names of 40 bytes and their separators.
#define SINEW_GLTF_NAMES_SIZE 320
void sinew_gltf_list_names(const sinew_json *json, int32_t count, const sinew_json_value *values, char *out,
                           size_t size);

// ---- container.c: container, version, required extensions ----------------------------------------------------------

// Finds the JSON and the binary part of a file. Its first bytes decide whether it is .glb or .gltf.
bool sinew_gltf_open_container(sinew_import *g, const uint8_t *data, size_t size);

// The size of the UTF-8 byte order mark that a text starts with; 0: none.
size_t sinew_gltf_bom_size(const uint8_t *data, size_t size);

bool sinew_gltf_check_version(sinew_import *g);
bool sinew_gltf_check_extensions(sinew_import *g); // those that the file requires

// ---- subset.c: which elements are loaded ---------------------------------------------------------------------------

// Reads the top-level arrays and the hierarchy, and selects what the options ask for.
bool sinew_gltf_read_subset(sinew_import *g);

// ---- resource.c, file.c: URIs, external resources, files -----------------------------------------------------------

// Decodes the percent escapes of a relative reference and overwrites it. Returns NULL, or why the reference is
// refused: absolute paths, "..", backslashes and schemes are.
const char *sinew_gltf_decode_uri(char *uri);

// Whether a path names a device on Windows in any of its steps (CON, NUL.bin, COM1), or contains a ':' (a drive or a
// stream).
bool sinew_gltf_is_special_on_windows(const char *path);

// Decodes base64, with or without padding, into out[length / 4 * 3 + 3].
bool sinew_gltf_decode_base64(const char *text, size_t length, uint8_t *out, size_t *size);

// Reads a whole regular file into the arena and appends a zero byte. The error does not repeat the path.
bool sinew_gltf_read_file(sinew_import *g, const char *path, sinew_arena *arena, sinew_gltf_bytes *bytes);

// Loads the resource that a `uri` member names: a data URI or an external resource. `mime` receives the media type of
// a data URI.
bool sinew_gltf_load_uri(sinew_import *g, sinew_json_value uri, sinew_arena *arena, char *mime, size_t mime_size,
                         sinew_gltf_bytes *bytes);

// Loads a resource through the caller's reader. Release it with sinew_gltf_release_bytes.
bool sinew_gltf_load_through_reader(sinew_import *g, sinew_json_value location, const char *uri,
                                    sinew_gltf_bytes *bytes);
void sinew_gltf_release_bytes(sinew_import *g, sinew_gltf_bytes *bytes);

// ---- buffers.c: buffers and views ----------------------------------------------------------------------------------

bool sinew_gltf_read_buffers(sinew_import *g);
void sinew_gltf_release_buffers(sinew_import *g);

// Loads view->data: reads the buffer, and decompresses it if the view is compressed.
bool sinew_gltf_load_view(sinew_import *g, int32_t view);

// ---- accessors.c: typed arrays -------------------------------------------------------------------------------------

bool sinew_gltf_read_accessors(sinew_import *g);

const char *sinew_gltf_type_name(sinew_gltf_type type);
int32_t sinew_gltf_component_count(sinew_gltf_type type);
size_t sinew_gltf_component_size(sinew_gltf_component component); // in bytes

// Fail at `location` if an accessor has another type or another number of elements.
bool sinew_gltf_expect_type(sinew_import *g, sinew_json_value location, int32_t accessor, sinew_gltf_type type);
bool sinew_gltf_expect_count(sinew_import *g, sinew_json_value location, int32_t accessor, int32_t count);

// Reads all elements as tightly packed floats: matrices column-major, normalized integers converted.
bool sinew_gltf_read_floats(sinew_import *g, int32_t accessor, sinew_gltf_use use, const float **floats);

// Reads elements of unsigned integers into scratch memory and sets accessor->largest_integer.
bool sinew_gltf_read_integers(sinew_import *g, int32_t accessor, const uint32_t **integers);

// ---- up_axis.c: conversion from +Y up to +Z up ---------------------------------------------------------------------

// (x, y, z, ...) becomes (x, -z, y, ...): positions, directions, and the axes of quaternions. Exact. `width` floats
// per element.
void sinew_gltf_vectors_to_z_up(float *vectors, size_t count, size_t width);

// (x, y, z) becomes (x, z, y): each scale moves to the converted axis.
void sinew_gltf_scales_to_z_up(float *scales, size_t count);

sinew_transform sinew_gltf_transform_to_z_up(sinew_transform transform);

// C × matrix × C⁻¹, where C is the conversion. Exact, because C only swaps and negates.
sinew_affine sinew_gltf_matrix_to_z_up(sinew_affine matrix);

// ---- materials.c, meshes.c, draco.c, vertices.c, influences.c ------------------------------------------------------

bool sinew_gltf_read_images(sinew_import *g);
bool sinew_gltf_read_textures(sinew_import *g);

// Extensions that give a texture an image in a format outside core glTF, in order of preference.
#define SINEW_GLTF_IMAGE_EXTENSIONS 4
extern const char *const sinew_gltf_image_extensions[SINEW_GLTF_IMAGE_EXTENSIONS];

// Finds the image of a texture: its `source`, else that of an extension, whose name goes to `*extension` (NULL: its
// `source`). -1: none. `extension` may be NULL.
bool sinew_gltf_image_of_texture(sinew_import *g, sinew_json_value texture, const char **extension, int32_t *image);

bool sinew_gltf_read_materials(sinew_import *g);

// Finds the texture of a material's base colour; -1: none.
bool sinew_gltf_base_color_texture(sinew_import *g, sinew_json_value material, int32_t *texture);

// The attribute name of the set of texture coordinates that the primitive's material uses.
typedef struct sinew_gltf_attribute_name {
    char text[24];
} sinew_gltf_attribute_name;
sinew_gltf_attribute_name sinew_gltf_uv_name(const sinew_import *g, const sinew_primitive *p);

// Decodes a primitive that KHR_draco_mesh_compression compresses, so that its accessors read as any. `*empty` is set
// if its vertices cannot be decoded; a log line says why. `location` is for log lines.
bool sinew_gltf_decode_draco(sinew_import *g, sinew_json_value value, const char *location,
                             const sinew_primitive *p, bool *empty);

bool sinew_gltf_read_meshes(sinew_import *g);
bool sinew_gltf_read_vertices(sinew_import *g, sinew_json_value value, const char *location, sinew_primitive *out);
bool sinew_gltf_read_targets(sinew_import *g, sinew_json_value value, sinew_primitive *out);
bool sinew_gltf_read_influences(sinew_import *g, sinew_json_value attributes, const char *location,
                                sinew_primitive *out, int32_t *largest_joint);

// ---- nodes.c, humanoid.c, cameras.c, instances.c, vrm.c, mesh_bounds.c, markers.c, animations.c ---------------------------------------

// Reads `children` into g->parents. Fails if the hierarchy is not a forest.
bool sinew_gltf_read_parents(sinew_import *g);

// Reads the `weights` of a mesh or node: `count` of them, or NULL if it has none. `array`[`index`] is for the log.
bool sinew_gltf_read_weights(sinew_import *g, sinew_json_value object, const char *array, int32_t index,
                             int32_t count, const float **out);

bool sinew_gltf_read_nodes(sinew_import *g);
bool sinew_gltf_read_skins(sinew_import *g);
bool sinew_gltf_read_humanoid(sinew_import *g);
bool sinew_gltf_read_cameras(sinew_import *g);
bool sinew_gltf_read_lights(sinew_import *g);

// Finds the light on a node (the file's indices); -1: none.
bool sinew_gltf_light_of_node(sinew_import *g, int32_t node, int32_t *light);

bool sinew_gltf_read_instances(sinew_import *g);
bool sinew_gltf_read_vrm(sinew_import *g); // needs the humanoid and the instances
bool sinew_gltf_make_mesh_bounds(sinew_import *g);

// Reads the sidecar file, if there is one, for these animations: its markers, and where it has curves.
bool sinew_gltf_open_sidecar(sinew_import *g, const sinew_gltf_list *animations);

// Whether a member of an object of curves is one: it has times and values.
bool sinew_gltf_is_curve(const sinew_import *g, sinew_json_value key);

// Gives a clip the markers of its animation: those of the extras, then those of the sidecar file.
bool sinew_gltf_read_markers(sinew_import *g, int32_t animation, sinew_json_value value, float duration,
                             sinew_clip_def *def);
bool sinew_gltf_read_animations(sinew_import *g);

// ---- early_keys.c: keys before 0 s ---------------------------------------------------------------------------------

// Lets the channels of an animation start at 0 s: what is before has no effect on the rest.
bool sinew_gltf_drop_early_keys(sinew_import *g, int32_t animation, sinew_channel_def *channels, int32_t count);

// ---- pointers.c, curves.c ------------------------------------------------------------------------------------------

// Whether a channel's target has a pointer: its path is "pointer", and it has the extension.
bool sinew_gltf_has_pointer(const sinew_import *g, sinew_json_value target);

// Resolves the pointer of such a target. Strings are in scratch memory.
bool sinew_gltf_resolve_pointer(sinew_import *g, sinew_json_value target, sinew_gltf_pointer *out);

// Lists the curves of all animations in g->curves, and the properties among them in the asset; the indices of nodes are
// the file's until sinew_gltf_find_property_nodes replaces them by those of the skeleton.
bool sinew_gltf_list_curves(sinew_import *g);
void sinew_gltf_find_property_nodes(sinew_import *g);

// Returns the name of the curve of a component, in scratch memory; NULL if memory runs out.
const char *sinew_gltf_curve_name(sinew_import *g, const sinew_animated_property *property, int32_t component);

// Counts the curves of an animation in the sidecar file and in its extras.
int32_t sinew_gltf_count_curves(const sinew_import *g, int32_t animation, sinew_json_value value);

// Appends a channel for each of them: of one name, the first of the sidecar file, else of the extras. `last_with` is
// [curve_count of the skeleton]: 1 + the last animation with a channel of that curve, negative if it is the sidecar's.
bool sinew_gltf_read_curves(sinew_import *g, int32_t animation, sinew_json_value value, int32_t *last_with,
                            sinew_channel_def *channels, int32_t *count);

#endif
