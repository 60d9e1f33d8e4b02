// SPDX-License-Identifier: MIT
// The state of an import, and the functions that the files in this folder share.
//
// Functions take the import as `g`. If they fail, they fill g->error and return false, so you can chain them with &&.
// Every number from the file goes through one of the checked readers below.
#ifndef SINEWI_IMPORT_H
#define SINEWI_IMPORT_H

#include <sinew/gltf.h>

#include "core/asset_data.h"
#include "base/fail.h"
#include "json/json.h"

// The elements of a JSON array, for access by index.
typedef struct sinewi_gltf_list {
    int32_t count;
    const sinewi_json_value *values;
} sinewi_gltf_list;

// A top-level array of the file. All of its elements, or a subset, go into an array of the asset.
typedef struct sinewi_gltf_values {
    int32_t count;
    const sinewi_json_value *values;
    int32_t loaded_count;    // elements that go into the asset
    int32_t *loaded_indices; // [count]: index in the asset, or -1 if not loaded. NULL if all are loaded in order.
} sinewi_gltf_values;

// How much of a node is loaded, in ascending order.
typedef enum sinewi_gltf_part {
    SINEWI_GLTF_PART_NONE,
    SINEWI_GLTF_PART_TRANSFORM, // only its transform
    SINEWI_GLTF_PART_ALL        // also its mesh, skin, camera and light
} sinewi_gltf_part;

// A resource's bytes: part of the file, a data URI, or an external resource.
typedef struct sinewi_gltf_bytes {
    const uint8_t *data;
    size_t size;
    sinew_bytes borrowed; // the caller's reader owns these. The data may be NULL.
    bool is_borrowed;     // must be released
} sinewi_gltf_bytes;

typedef struct sinewi_gltf_buffer {
    size_t length;
    bool fallback; // a meshopt fallback buffer, which may not have any bytes
    bool loaded;
    sinewi_json_value uri; // may be ABSENT
    sinewi_gltf_bytes bytes;
} sinewi_gltf_buffer;

// A buffer view's EXT_meshopt_compression object.
typedef struct sinewi_gltf_meshopt {
    sinewi_json_value value; // ABSENT if the view isn't compressed
    int32_t buffer;
    size_t offset, length, stride; // in bytes
    int32_t count;                 // number of elements
    sinew_meshopt_mode mode;
    sinew_meshopt_filter filter;
} sinewi_gltf_meshopt;

typedef struct sinewi_gltf_view {
    int32_t buffer;
    size_t offset, length;
    size_t stride; // 0 if tightly packed
    sinewi_gltf_meshopt meshopt;
    const uint8_t *data;  // NULL until loaded
    const uint8_t *image; // the asset's copy of the bytes. NULL until an image uses the view.
} sinewi_gltf_view;

// glTF's values for component types.
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

// What an accessor's floats are for. This determines their memory, what happens to non-finite numbers, and how the
// floats are converted to +Z up.
typedef enum sinewi_gltf_use {
    SINEWI_GLTF_FOR_IMPORT,   // times, weights and matrices that are copied later. Scratch memory. Must be finite.
    SINEWI_GLTF_FOR_WEIGHTS,  // vertex weights. Scratch memory. Not checked, because gltf_influences.c repairs
                              // them.
    SINEWI_GLTF_FOR_KEYS,     // translation and rotation keys. Like FOR_IMPORT, converted as vectors.
    SINEWI_GLTF_FOR_SCALES,   // scale keys. Like FOR_IMPORT, converted as scales.
    SINEWI_GLTF_FOR_VERTICES, // asset memory. Must be finite. Converted as vectors.
    SINEWI_GLTF_FOR_SURFACE,  // asset memory. Non-finite numbers become 0 and are logged. Not converted.
    SINEWI_GLTF_FOR_VECTORS,  // like FOR_SURFACE, converted as vectors
    SINEWI_GLTF_FOR_NORMALS,  // like FOR_VECTORS, normalized
    SINEWI_GLTF_USE_COUNT
} sinewi_gltf_use;

typedef struct sinewi_gltf_accessor {
    sinewi_json_value value;
    int32_t view; // -1 for zeros
    size_t offset;
    int32_t count;
    sinewi_gltf_component component;
    sinewi_gltf_type type;
    bool normalized;
    int32_t sparse_count; // 0 if not sparse
    int32_t sparse_index_view, sparse_value_view;
    size_t sparse_index_offset, sparse_value_offset;
    sinewi_gltf_component sparse_index_component;

    const uint8_t *decoded; // tightly packed elements from Draco. NULL if the view has the elements.
    int32_t decoded_view;   // view of the compressed data
    uint32_t decoded_id;    // unique id of the attribute

    // Caches, so an accessor is only decoded once per use.
    const float *floats[SINEWI_GLTF_USE_COUNT];
    const uint32_t *integers;
    const uint32_t *triangles[3]; // the asset's indices, made from a list, a strip and a fan
    uint32_t largest_integer;
    const float *key_times; // strictly increasing. NULL until an animation needs them.
} sinewi_gltf_accessor;

// KHR_texture_transform of a material's base color. The import applies it to the texture coordinates.
typedef struct sinewi_gltf_uv_transform {
    bool present;
    float offset[2], rotation, scale[2];
} sinewi_gltf_uv_transform;

// What gltf_instances.c needs to know about a mesh beyond the asset.
typedef struct sinewi_gltf_mesh_notes {
    const float *weights;  // [target_count of the asset's mesh]: may be NULL
    int32_t largest_joint; // over all vertices with a weight above 0. -1 if the mesh isn't skinned.
    int32_t largest_joint_primitive;
} sinewi_gltf_mesh_notes;

// The joints and weights that were read last. A mesh's primitives often share them.
typedef struct sinewi_gltf_influences {
    int32_t accessors[4]; // JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1. -1 if absent.
    int32_t count;        // joints per vertex
    const uint16_t *joints;
    const float *weights;
    int32_t largest_joint;
} sinewi_gltf_influences;

// A hash set of the paths read so far, so a resource counts once even if it is used often.
typedef struct sinewi_gltf_path_set {
    uint64_t *hashes; // [capacity]: open addressing. 0 marks a free entry.
    size_t count, capacity;
} sinewi_gltf_path_set;

// The work and memory that the bytes read so far allow. See expansion_limit.
typedef struct sinewi_gltf_budget {
    size_t bytes_read;
    uint64_t numbers_read; // keys and vertex data, counted each time a channel or node uses them
    sinewi_gltf_path_set paths;
} sinewi_gltf_budget;

// A marker in the sidecar file.
typedef struct sinewi_gltf_marker {
    sinew_marker marker;
    int32_t next; // next marker of the same animation, or -1
} sinewi_gltf_marker;

// An object with curves in the sidecar file.
typedef struct sinewi_gltf_curve_object {
    sinewi_json_value value;
    int32_t count; // number of its curves
    int32_t next;  // next object of the same animation, or -1
} sinewi_gltf_curve_object;

// The sidecar file: lists of markers and of objects with curves per animation. All NULL without a sidecar file.
typedef struct sinewi_gltf_sidecar {
    const char *name;
    sinewi_json json;
    int32_t *first_marker, *last_marker; // [animations]: -1 if empty
    int32_t *first_curves, *last_curves; // [animations]: -1 if empty
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
    SINEWI_GLTF_POINTER_NODE,    // a node's transform or weights
    SINEWI_GLTF_POINTER_MESH,    // a mesh's weights
    SINEWI_GLTF_POINTER_PROPERTY // anything else
} sinewi_gltf_pointer_kind;

// What a KHR_animation_pointer points to.
typedef struct sinewi_gltf_pointer {
    sinewi_gltf_pointer_kind kind;
    int32_t source;                   // index of the node or mesh in the file
    int32_t path;                     // a sinew_channel_target
    int32_t element;                  // index of a single weight, -1 for all
    sinew_animated_property property; // its curve isn't set yet, and a node's `index` is the file's
    const float *rest;                // [component_count of the property]
    bool is_unknown;                  // ignored, because the file doesn't have a number there
    bool may_be_list;                 // its keys may be SCALARs, one per component
} sinewi_gltf_pointer;

typedef struct sinewi_import {
    sinew_gltf_options options;
    sinew_error *error;               // never NULL. Its location is put in front when the import ends.
    sinewi_json_value error_location; // may be ABSENT
    int32_t located_faults;           // faults that were left out with a location
    sinewi_json_value current;        // the value being read, which locates out-of-memory errors
    sinewi_gltf_budget budget;
    sinewi_asset_data *data;
    sinew_asset *asset;   // data->asset
    sinewi_arena *arena;  // data->arena
    sinewi_arena scratch; // freed when the import ends
    const char *path;     // of the file. NULL when loading from memory.
    const char *folder;   // of the file, including the last separator. NULL when loading from memory.

    const char *text; // JSON text
    size_t text_size;
    const uint8_t *bin; // binary chunk or NULL
    size_t bin_size;
    sinewi_json json;
    const char *in_sidecar; // name of the sidecar file while `json` and errors belong to it, otherwise NULL

    sinewi_gltf_list buffer_values, view_values, node_values;
    sinewi_gltf_values image_values, texture_values, material_values, mesh_values, skin_values, camera_values,
        light_values;
    int32_t *parents;        // [node_values.count]: file indices
    sinewi_gltf_part *parts; // [node_values.count]: NULL if the whole file is loaded
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

// Reads a higher tier's data into g->asset, after the nodes, the meshes and the mesh nodes.
struct sinew_gltf_extension {
    bool (*read)(sinewi_import *g);
};

// ---- The loaded subset ---------------------------------------------------------------------------------------------

// Returns an element's index in the asset, given its index in the file. -1 if it isn't loaded, or if `index` is -1.
static inline int32_t sinewi_gltf_loaded_index(const sinewi_gltf_values *values, int32_t index) {
    return index < 0 || !values->loaded_indices ? index : values->loaded_indices[index];
}

// Returns how much of a node is loaded. `node` is the file's index.
static inline sinewi_gltf_part sinewi_gltf_part_of(const sinewi_import *g, int32_t node) {
    return g->parts ? g->parts[node] : SINEWI_GLTF_PART_ALL;
}

// ---- gltf_error.c: errors, log lines, memory --------------------------------------------------------------------

// Sets the error's message. The location of `value` is put in front when the import ends. `value` may be ABSENT.
void sinewi_gltf_set_error(sinewi_import *g, sinewi_json_value value, sinew_result result, const char *format, ...)
    SINEWI_PRINTF(4, 5);

// Sets the error and evaluates to false, so a check fits on one line. This is a macro to let static analyzers see that
// it is always false.
#define sinewi_gltf_fail(...) (sinewi_gltf_set_error(__VA_ARGS__), false)

// Puts the location in front of the message. Called once, when the import fails, because finding a location walks the
// JSON.
void sinewi_gltf_locate_error(sinewi_import *g);

// Sets the error for running out of memory or reaching a limit. Returns false.
bool sinewi_gltf_fail_memory(sinewi_import *g);

// Passes on an error from another folder's function as `prefix: message`. Returns false.
bool sinewi_gltf_fail_with(sinewi_import *g, const sinew_error *inner, const char *format, ...) SINEWI_PRINTF(3, 4);

void sinewi_gltf_log(const sinewi_import *g, const char *format, ...) SINEWI_PRINTF(2, 3);

typedef struct sinewi_gltf_fault {
    char text[800];
} sinewi_gltf_fault;

// Writes the current error's message for a log line, with its location in front.
const char *sinewi_gltf_describe_fault(sinewi_import *g, sinewi_gltf_fault *fault);

// Call this after a part has set the error, to leave the part out. Logs "location: ignored, because ..." and returns
// true, and the import goes on. Returns false if memory ran out or a limit was reached, because then it can't go on.
bool sinewi_gltf_leave_out(sinewi_import *g, const char *location, ...) SINEWI_PRINTF(2, 3);

// Takes `count` × `size` uninitialized bytes from an arena. Arrays of 64 bytes or more are 64-byte aligned. On failure,
// returns NULL and sets the error.
void *sinewi_gltf_take(sinewi_import *g, sinewi_arena *arena, size_t count, size_t size);
void *sinewi_gltf_take_zeroed(sinewi_import *g, sinewi_arena *arena, size_t count, size_t size);

// Like sinewi_gltf_take and sinewi_gltf_take_zeroed, for elements of a type.
#define sinewi_gltf_array(g, arena, type, count) ((type *)sinewi_gltf_take(g, arena, count, sizeof(type)))
#define sinewi_gltf_zeros(g, arena, type, count) ((type *)sinewi_gltf_take_zeroed(g, arena, count, sizeof(type)))

// ---- gltf_budget.c: limits in proportion to the size of the file ------------------------------------------------

// Counts bytes read and raises the memory limit accordingly. A path only counts once.
bool sinewi_gltf_count_read(sinewi_import *g, const char *path, size_t size);

// Counts numbers that are decoded or examined. Fails at `location` once they exceed the limit. `sharing` says what
// shares what, for the message.
bool sinewi_gltf_spend(sinewi_import *g, sinewi_json_value location, const char *sharing, uint64_t numbers);

// ---- gltf_read.c: checked reading of JSON -----------------------------------------------------------------------

// Parses a text into g->json.
bool sinewi_gltf_parse(sinewi_import *g, const char *text, size_t size);

// Finds a member that must exist.
bool sinewi_gltf_get_required(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_value *out);

// Read an optional member. If it is absent, `*out` stays unchanged. If it has the wrong kind or is out of range, this
// fails.
bool sinewi_gltf_get_number(sinewi_import *g, sinewi_json_value object, const char *key, double *out);
bool sinewi_gltf_get_float(sinewi_import *g, sinewi_json_value object, const char *key, float *out);
bool sinewi_gltf_check_float(sinewi_import *g, sinewi_json_value value, float *out); // for array elements
bool sinewi_gltf_get_floats(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count, float *out);
bool sinewi_gltf_get_bool(sinewi_import *g, sinewi_json_value object, const char *key, bool *out);
bool sinewi_gltf_get_integer(sinewi_import *g, sinewi_json_value object, const char *key, int64_t min, int64_t max,
                             int64_t *out);
bool sinewi_gltf_get_required_integer(sinewi_import *g, sinewi_json_value object, const char *key, int64_t min,
                                      int64_t max, int64_t *out);
bool sinewi_gltf_get_size(sinewi_import *g, sinewi_json_value object, const char *key, size_t *out);
bool sinewi_gltf_get_required_size(sinewi_import *g, sinewi_json_value object, const char *key, size_t *out);

// Read an index into an array of `count` elements named `array`. -1 if the member is absent.
bool sinewi_gltf_get_index(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                           const char *array, int32_t *out);
bool sinewi_gltf_get_required_index(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                                    const char *array, int32_t *out);

// Reads an element in an array of indices.
bool sinewi_gltf_check_index(sinewi_import *g, sinewi_json_value value, int32_t count, const char *array,
                             int32_t *out);

// Reads a string member into an arena and decodes its escapes. "" if absent.
bool sinewi_gltf_get_string(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_arena *arena,
                            const char **out);

// Reads a string member as an index into `words`, which ends with NULL. -1 if it isn't one of these words. If the
// member is absent, `*out` stays unchanged.
bool sinewi_gltf_get_word(sinewi_import *g, sinewi_json_value object, const char *key, const char *const *words,
                          int *out);

// Reads the `interpolation` of a sampler or curve. LINEAR if it is absent or unknown. Logs an unknown one with
// `location`.
sinew_interpolation sinewi_gltf_get_interpolation(sinewi_import *g, sinewi_json_value object, const char *location);

// Reads the elements of an array member. All must have the same kind. If the member is absent, the list is empty.
bool sinewi_gltf_get_list(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_kind kind,
                          sinewi_gltf_list *list);

// Reads a member that must be an object if it exists.
bool sinewi_gltf_get_object(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_value *out);

// Fails at `location` unless there is at least one key time and they are increasing.
bool sinewi_gltf_check_times(sinewi_import *g, sinewi_json_value location, const float *times, int32_t count);

// Makes times strictly increasing. If several keys have the same time, the last one counts from there on, and the
// others move just before it. If times change, they are copied to scratch memory. Fails at `location` if a time is
// before an earlier one.
bool sinewi_gltf_separate_times(sinewi_import *g, sinewi_json_value location, const float **times, int32_t count);

sinewi_json_value sinewi_gltf_get_extension(const sinewi_import *g, sinewi_json_value object, const char *name);

// Parses "#3" as index 3 of an array with `count` elements. -1 if the text isn't a '#' followed by an index below
// `count`.
int32_t sinewi_gltf_index_from_name(const char *name, int32_t count);

// Writes the first names in an array for a message, as "; existing: 'a', 'b'". Objects without a name show their index.
// SINEWI_GLTF_NAMES_SIZE bytes hold six names of 40 bytes and their separators.
#define SINEWI_GLTF_NAMES_SIZE 320
void sinewi_gltf_list_names(const sinewi_json *json, int32_t count, const sinewi_json_value *values, char *out,
                            size_t size);

// ---- gltf_container.c: container, version, required extensions --------------------------------------------------

// Finds a file's JSON and binary part. Its first bytes tell whether it is .glb or .gltf.
bool sinewi_gltf_open_container(sinewi_import *g, const uint8_t *data, size_t size);

// Returns the size of a UTF-8 byte order mark at the start of a text, or 0.
size_t sinewi_gltf_bom_size(const uint8_t *data, size_t size);

bool sinewi_gltf_check_version(sinewi_import *g);
bool sinewi_gltf_check_extensions(sinewi_import *g); // required extensions only

// ---- gltf_subset.c: which elements are loaded -------------------------------------------------------------------

// Reads the top-level arrays and the hierarchy, and selects what the options ask for.
bool sinewi_gltf_read_subset(sinewi_import *g);

// ---- gltf_resource.c, gltf_file.c: URIs, external resources, files ----------------------------------------------

// Decodes a relative reference's percent escapes in place. Returns NULL, or the reason for rejecting it. Absolute
// paths, "..", backslashes and schemes aren't allowed.
const char *sinewi_gltf_decode_uri(char *uri);

// Returns whether any step of a path is a Windows device (CON, NUL.bin, COM1) or contains a ':' (a drive or stream).
bool sinewi_gltf_is_special_on_windows(const char *path);

// Decodes base64, with or without padding, to out[length / 4 * 3 + 3].
bool sinewi_gltf_decode_base64(const char *text, size_t length, uint8_t *out, size_t *size);

// Reads a whole regular file into the arena and appends a zero byte. The error doesn't include the path.
bool sinewi_gltf_read_file(sinewi_import *g, const char *path, sinewi_arena *arena, sinewi_gltf_bytes *bytes);

// Loads the resource of a `uri` member, which is a data URI or an external resource. `mime` receives a data URI's media
// type.
bool sinewi_gltf_load_uri(sinewi_import *g, sinewi_json_value uri, sinewi_arena *arena, char *mime,
                          size_t mime_size, sinewi_gltf_bytes *bytes);

// Loads a resource through the caller's reader. Release it with sinewi_gltf_release_bytes.
bool sinewi_gltf_load_through_reader(sinewi_import *g, sinewi_json_value location, const char *uri,
                                     sinewi_gltf_bytes *bytes);
void sinewi_gltf_release_bytes(sinewi_import *g, sinewi_gltf_bytes *bytes);

// ---- gltf_buffers.c: buffers and views --------------------------------------------------------------------------

bool sinewi_gltf_read_buffers(sinewi_import *g);
void sinewi_gltf_release_buffers(sinewi_import *g);

// Loads view->data. Reads the buffer and decompresses the view if necessary.
bool sinewi_gltf_load_view(sinewi_import *g, int32_t view);

// ---- gltf_accessors.c: typed arrays -----------------------------------------------------------------------------

bool sinewi_gltf_read_accessors(sinewi_import *g);

const char *sinewi_gltf_type_name(sinewi_gltf_type type);
int32_t sinewi_gltf_component_count(sinewi_gltf_type type);
size_t sinewi_gltf_component_size(sinewi_gltf_component component); // in bytes

// Fail at `location` if an accessor has another type or number of elements.
bool sinewi_gltf_expect_type(sinewi_import *g, sinewi_json_value location, int32_t accessor, sinewi_gltf_type type);
bool sinewi_gltf_expect_count(sinewi_import *g, sinewi_json_value location, int32_t accessor, int32_t count);

// Reads all elements as tightly packed floats. Matrices are column-major, and normalized integers are converted.
bool sinewi_gltf_read_floats(sinewi_import *g, int32_t accessor, sinewi_gltf_use use, const float **floats);

// Reads unsigned integer elements to scratch memory and sets accessor->largest_integer.
bool sinewi_gltf_read_integers(sinewi_import *g, int32_t accessor, const uint32_t **integers);

// ---- gltf_up_axis.c: conversion from +Y up to +Z up -------------------------------------------------------------

// Turns (x, y, z, ...) into (x, -z, y, ...). Works for positions, directions and quaternion axes. Exact. Each element
// has `width` floats.
void sinewi_gltf_vectors_to_z_up(float *vectors, size_t count, size_t width);

// Turns (x, y, z) into (x, z, y). Each scale moves to its converted axis.
void sinewi_gltf_scales_to_z_up(float *scales, size_t count);

sinew_transform sinewi_gltf_transform_to_z_up(sinew_transform transform);

// Returns C × matrix × C⁻¹, where C is the conversion. Exact, because C only swaps and negates.
sinew_affine sinewi_gltf_matrix_to_z_up(sinew_affine matrix);

// ---- gltf_materials.c, gltf_meshes.c, gltf_draco.c, gltf_vertices.c, gltf_influences.c --------------------------

bool sinewi_gltf_read_images(sinewi_import *g);
bool sinewi_gltf_read_textures(sinewi_import *g);

// Extensions that give a texture an image in a format outside of core glTF, in order of preference.
#define SINEWI_GLTF_IMAGE_EXTENSIONS 4
extern const char *const sinewi_gltf_image_extensions[SINEWI_GLTF_IMAGE_EXTENSIONS];

// Finds a texture's image from its `source` or else an extension. `*extension` receives the extension's name, or NULL
// if `source` is used. `extension` may be NULL. -1 without an image.
bool sinewi_gltf_image_of_texture(sinewi_import *g, sinewi_json_value texture, const char **extension,
                                  int32_t *image);

bool sinewi_gltf_read_materials(sinewi_import *g);

// Finds the texture for a material's base color, or -1.
bool sinewi_gltf_base_color_texture(sinewi_import *g, sinewi_json_value material, int32_t *texture);

// The attribute name for the texture coordinates that a primitive's material uses.
typedef struct sinewi_gltf_attribute_name {
    char text[24];
} sinewi_gltf_attribute_name;
sinewi_gltf_attribute_name sinewi_gltf_uv_name(const sinewi_import *g, const sinew_primitive *p);

// Decodes a primitive that uses KHR_draco_mesh_compression, so its accessors read like any other. If the vertices can't
// be decoded, sets `*empty` and logs the reason. `location` is for log lines.
bool sinewi_gltf_decode_draco(sinewi_import *g, sinewi_json_value value, const char *location,
                              const sinew_primitive *p, bool *empty);

bool sinewi_gltf_read_meshes(sinewi_import *g);
bool sinewi_gltf_read_vertices(sinewi_import *g, sinewi_json_value value, const char *location,
                               sinew_primitive *out);
bool sinewi_gltf_read_targets(sinewi_import *g, sinewi_json_value value, sinew_primitive *out);
bool sinewi_gltf_read_influences(sinewi_import *g, sinewi_json_value attributes, const char *location,
                                 sinew_primitive *out, int32_t *largest_joint);

// ---- gltf_nodes.c, gltf_cameras.c, gltf_instances.c, gltf_mesh_bounds.c, gltf_markers.c, gltf_animations.c ------

// Reads `children` into g->parents. Fails if the hierarchy isn't a forest.
bool sinewi_gltf_read_parents(sinewi_import *g);

// Reads the `weights` of a mesh or node. NULL if it has none, otherwise `count` of them. `array`[`index`] is for the
// log.
bool sinewi_gltf_read_weights(sinewi_import *g, sinewi_json_value object, const char *array, int32_t index,
                              int32_t count, const float **out);

bool sinewi_gltf_read_nodes(sinewi_import *g);
bool sinewi_gltf_read_skins(sinewi_import *g);
bool sinewi_gltf_read_cameras(sinewi_import *g);
bool sinewi_gltf_read_lights(sinewi_import *g);

// Finds the light on a node, or -1. Both are file indices.
bool sinewi_gltf_light_of_node(sinewi_import *g, int32_t node, int32_t *light);

bool sinewi_gltf_read_mesh_nodes(sinewi_import *g);
bool sinewi_gltf_make_mesh_bounds(sinewi_import *g);

// Reads the sidecar file for these animations if there is one. Reads its markers and records where it has curves.
bool sinewi_gltf_open_sidecar(sinewi_import *g, const sinewi_gltf_list *animations);

// Returns whether a member in an object of curves is a curve. It must have times and values.
bool sinewi_gltf_is_curve(const sinewi_import *g, sinewi_json_value key);

// Gives a clip its animation's markers, first from the extras and then from the sidecar file.
bool sinewi_gltf_read_markers(sinewi_import *g, int32_t animation, sinewi_json_value value, float duration,
                              sinew_clip_def *def);
bool sinewi_gltf_read_animations(sinewi_import *g);

// ---- gltf_early_keys.c: keys before 0 s -------------------------------------------------------------------------

// Makes an animation's channels start at 0 s. Earlier keys don't affect the rest.
bool sinewi_gltf_drop_early_keys(sinewi_import *g, int32_t animation, sinew_channel_def *channels, int32_t count);

// ---- gltf_pointers.c, gltf_curves.c -----------------------------------------------------------------------------

// Returns whether a channel's target has a pointer. Its path must be "pointer", and it must have the extension.
bool sinewi_gltf_has_pointer(const sinewi_import *g, sinewi_json_value target);

// Resolves this pointer. Strings are in scratch memory.
bool sinewi_gltf_resolve_pointer(sinewi_import *g, sinewi_json_value target, sinewi_gltf_pointer *out);

// Lists all animations' curves in g->curves and the animated properties in the asset. Node indices are the file's until
// sinewi_gltf_find_property_nodes replaces them with the skeleton's.
bool sinewi_gltf_list_curves(sinewi_import *g);
void sinewi_gltf_find_property_nodes(sinewi_import *g);

// Returns the curve name for a component, in scratch memory. NULL if memory runs out.
const char *sinewi_gltf_curve_name(sinewi_import *g, const sinew_animated_property *property, int32_t component);

// Counts an animation's curves in the sidecar file and in its extras.
int32_t sinewi_gltf_count_curves(const sinewi_import *g, int32_t animation, sinewi_json_value value);

// Appends a channel for each curve. For each name, the first one in the sidecar file wins, then the first one in the
// extras. `last_with` [the skeleton's curve_count] is 1 + the last animation with a channel for that curve. Negative if
// it comes from the sidecar file.
bool sinewi_gltf_read_curves(sinewi_import *g, int32_t animation, sinewi_json_value value, int32_t *last_with,
                             sinew_channel_def *channels, int32_t *count);

#endif
