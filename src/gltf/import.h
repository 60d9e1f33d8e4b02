// One import: its state, and what the files of this room do for one another.
//
// Functions that can fail return false after filling import->error, so that a reader of several things is a chain:
// return a(...) && b(...). Every number that comes out of the file passes through one of the checked readers below.
#ifndef SINEW_IMPORT_H
#define SINEW_IMPORT_H

#include <sinew/gltf.h>

#include "asset/asset.h"
#include "core/fail.h"
#include "json/json.h"

// The elements of one of the file's arrays, by index.
typedef struct sinew_gltf_list {
    int32_t count;
    const sinew_json_value *values;
} sinew_gltf_list;

// One of the file's arrays whose elements go into an array of the asset's: all of them, or those that are asked for.
typedef struct sinew_gltf_values {
    int32_t count;
    const sinew_json_value *values;
    int32_t loaded;  // how many go into the asset
    int32_t *places; // [count], where they stand there, -1 for what is not loaded; NULL: all are, in the same order
} sinew_gltf_values;

// How much of a node is loaded.
typedef enum sinew_gltf_part {
    SINEW_GLTF_NOTHING,
    SINEW_GLTF_PLACE, // its transform
    SINEW_GLTF_WHOLE  // what it carries, too
} sinew_gltf_part;

// Bytes from somewhere: inside the file, a data URI, or an external resource.
typedef struct sinew_gltf_bytes {
    const uint8_t *data;
    size_t size;
    sinew_bytes lent; // what the caller's reader wants back; data is NULL when there is nothing to give back
} sinew_gltf_bytes;

typedef struct sinew_gltf_buffer {
    size_t length;
    bool fallback; // stands in for compressed data and has no bytes of its own
    bool loaded;
    sinew_json_value uri; // ABSENT where it has none
    sinew_gltf_bytes bytes;
} sinew_gltf_buffer;

// What EXT_meshopt_compression says of a buffer view.
typedef struct sinew_gltf_meshopt {
    sinew_json_value value; // ABSENT: the view is not compressed
    int32_t buffer;
    size_t offset, length, stride, count;
    sinew_meshopt_mode mode;
    sinew_meshopt_filter filter;
} sinew_gltf_meshopt;

typedef struct sinew_gltf_view {
    int32_t buffer;
    size_t offset, length;
    size_t stride; // 0: elements are packed
    sinew_gltf_meshopt meshopt;
    const uint8_t *data;  // NULL until it is loaded
    const uint8_t *image; // the asset's copy of it; NULL while no image has asked
} sinew_gltf_view;

// glTF's numbers for component types.
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

// What floats are read for: where they live, how strict their reading is, and how they turn where +Z is to be up.
typedef enum sinew_gltf_use {
    SINEW_GLTF_FOR_IMPORT,   // times, weights and matrices, which are copied on: scratch memory; must be finite
    SINEW_GLTF_FOR_WEIGHTS,  // vertex weights: scratch memory; not checked, since the influences repair them
    SINEW_GLTF_FOR_KEYS,     // as for import, for translations and rotations, which are turned
    SINEW_GLTF_FOR_SCALES,   // the same for scales, which turn in a way of their own
    SINEW_GLTF_FOR_VERTICES, // the asset's memory; must be finite; turned
    SINEW_GLTF_FOR_SURFACE,  // the same, but what is not finite becomes 0, with a log line; not turned
    SINEW_GLTF_FOR_VECTORS,  // the same, and turned
    SINEW_GLTF_FOR_NORMALS,  // the same, and made unit
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

    const uint8_t *decoded; // tightly packed elements that Draco held; NULL: they are in the view
    int32_t decoded_view;   // of the compressed data
    uint32_t decoded_id;

    // What was read, so that it is read once however many ask.
    const float *floats[SINEW_GLTF_USE_COUNT];
    const uint32_t *integers;
    const uint32_t *triangles[3]; // of the asset: indices of a list, a strip and a fan
    uint32_t largest_integer;
    bool increasing; // was checked to be strictly increasing times
} sinew_gltf_accessor;

// KHR_texture_transform of a material's base colour, which is applied to the texture coordinates on import.
typedef struct sinew_gltf_uv_transform {
    bool present;
    float offset[2], rotation, scale[2];
} sinew_gltf_uv_transform;

// What the importer must remember of a mesh until the nodes that carry it are known.
typedef struct sinew_gltf_mesh_notes {
    const float *weights;  // [target_count] of the asset's mesh, or NULL
    int32_t largest_joint; // over all vertices, where the weight is not 0; -1 when the mesh is not skinned
    int32_t largest_joint_primitive;
} sinew_gltf_mesh_notes;

// The joints and weights that were read last: primitives of a mesh often share them.
typedef struct sinew_gltf_influences {
    int32_t accessors[4]; // JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1; -1: none
    int32_t count;        // joints a vertex
    const uint16_t *joints;
    const float *weights;
    int32_t largest_joint;
} sinew_gltf_influences;

// What of the outside has been read, so that a resource counts once however often it is named.
typedef struct sinew_gltf_seen {
    uint64_t *hashes; // of paths, an open table; 0: free
    size_t count, capacity;
} sinew_gltf_seen;

// How much may come of what was read: see expansion_limit.
typedef struct sinew_gltf_expansion {
    size_t bytes_read;
    uint64_t numbers_read; // of keys, each time that a channel asks for them, and of vertices in the same way
    sinew_gltf_seen seen;
} sinew_gltf_expansion;

// A marker of the file beside.
typedef struct sinew_gltf_marker {
    sinew_marker marker;
    int32_t next; // of the same animation, -1: none
} sinew_gltf_marker;

// Those of the file beside, a list for each animation; all NULL where there is no such file.
typedef struct sinew_gltf_markers {
    int32_t *first, *last; // [animations], -1: none
    sinew_gltf_marker *all;
    int32_t count;
} sinew_gltf_markers;

typedef struct sinew_import {
    sinew_gltf_options options;
    sinew_error *error;           // never NULL; its place is put in front when the import ends
    sinew_json_value error_place; // ABSENT: none
    sinew_json_value at;          // what is being read, for when its memory runs out
    sinew_gltf_expansion expansion;
    sinew_asset_data *data;
    sinew_asset *asset;  // data->asset
    sinew_arena *arena;  // data->arena
    sinew_arena scratch; // freed when the import ends
    const char *path;    // of the file; NULL when it came from memory
    const char *folder;  // where it lies, with its last separator; NULL like the path

    const char *text; // the JSON part
    size_t text_size;
    const uint8_t *bin; // the binary part; NULL when there is none
    size_t bin_size;
    sinew_json json;
    const char *beside; // the file that `json` and the error are of for now; NULL: the one that is loaded

    sinew_gltf_list buffer_values, view_values, node_values;
    sinew_gltf_values image_values, texture_values, material_values, mesh_values, skin_values, camera_values,
        light_values;
    int32_t *parents;       // [node_values.count], in the file's numbers
    sinew_gltf_part *parts; // [node_values.count]; NULL: all nodes are loaded as a whole
    sinew_gltf_buffer *buffers;
    sinew_gltf_view *views;
    int32_t accessor_count;
    sinew_gltf_accessor *accessors;
    sinew_gltf_uv_transform *uv_transforms; // [asset->material_count]
    sinew_gltf_mesh_notes *mesh_notes;      // [asset->mesh_count]
    sinew_gltf_influences last_influences;
    sinew_gltf_markers markers;
} sinew_import;

// ---- read.c: failing, logging, and checked reading of JSON -----------------------------------------------------

// Fills the error with a message; the place of `value` (ABSENT: none) is put in front of it when the import ends.
void sinew_gltf_set_error(sinew_import *g, sinew_json_value value, sinew_result result, const char *format, ...)
    SINEW_PRINTF(4, 5);

// The same, and is false: a check is one line. A macro, so that compilers see that nothing goes on behind it.
#define sinew_gltf_fail(...) (sinew_gltf_set_error(__VA_ARGS__), false)

// Puts the place in front of the message. Finding it takes a walk, so that it is done once, for the error that counts.
void sinew_gltf_place_error(sinew_import *g);

// Says that memory ran out, or that the limit is reached; returns false.
bool sinew_gltf_fail_memory(sinew_import *g);

// Passes on what another room's function failed with, as `prefix: message`; returns false.
bool sinew_gltf_fail_with(sinew_import *g, const sinew_error *inner, const char *format, ...) SINEW_PRINTF(3, 4);

void sinew_gltf_log(const sinew_import *g, const char *format, ...) SINEW_PRINTF(2, 3);

// A path or name for a message, of which the middle is left out where it is longer than `room` - 1 bytes.
void sinew_gltf_shorten(const char *text, char *out, size_t room);

// Memory from an arena: uninitialised, arrays of 64 bytes and more 64-byte aligned; on failure the error is filled and NULL returned.
void *sinew_gltf_take(sinew_import *g, sinew_arena *arena, size_t count, size_t size);
void *sinew_gltf_zeroed(sinew_import *g, sinew_arena *arena, size_t count, size_t size);

// The same for elements of a type: what comes back points to that type and to no other.
#define sinew_gltf_array(g, arena, type, count) ((type *)sinew_gltf_take(g, arena, count, sizeof(type)))
#define sinew_gltf_zeros(g, arena, type, count) ((type *)sinew_gltf_zeroed(g, arena, count, sizeof(type)))

// Parses a text into g->json.
bool sinew_gltf_parse(sinew_import *g, const char *text, size_t size);

// A member that is absent leaves `*out` as it is. A member of the wrong kind, or out of range, is an error.
bool sinew_gltf_number(sinew_import *g, sinew_json_value object, const char *key, double *out);
bool sinew_gltf_float(sinew_import *g, sinew_json_value object, const char *key, float *out);
bool sinew_gltf_floats(sinew_import *g, sinew_json_value object, const char *key, int32_t count, float *out);
bool sinew_gltf_bool(sinew_import *g, sinew_json_value object, const char *key, bool *out);
bool sinew_gltf_integer(sinew_import *g, sinew_json_value object, const char *key, int64_t least, int64_t most,
                        int64_t *out);
bool sinew_gltf_size(sinew_import *g, sinew_json_value object, const char *key, size_t *out);
bool sinew_gltf_required_size(sinew_import *g, sinew_json_value object, const char *key, size_t *out);

// An index into an array of `count` elements named `array`; absent gives -1.
bool sinew_gltf_index(sinew_import *g, sinew_json_value object, const char *key, int32_t count, const char *array,
                      int32_t *out);
bool sinew_gltf_required_index(sinew_import *g, sinew_json_value object, const char *key, int32_t count,
                               const char *array, int32_t *out);

// The same for an element of an array of indices.
bool sinew_gltf_index_value(sinew_import *g, sinew_json_value value, int32_t count, const char *array,
                            int32_t *out);

// A string member, decoded, from an arena; absent gives "".
bool sinew_gltf_string(sinew_import *g, sinew_json_value object, const char *key, sinew_arena *arena,
                       const char **out);

// Which of `words` (NULL behind the last) a string member is, -1 when it is none of them; absent leaves `*out`.
bool sinew_gltf_word(sinew_import *g, sinew_json_value object, const char *key, const char *const *words, int *out);

// The elements of an array member, which must be of one kind (objects, say); absent gives an empty list.
bool sinew_gltf_get_list(sinew_import *g, sinew_json_value object, const char *key, sinew_json_kind kind,
                         sinew_gltf_list *list);

// A member that must be an object where it is present.
bool sinew_gltf_object(sinew_import *g, sinew_json_value object, const char *key, sinew_json_value *out);

sinew_json_value sinew_gltf_extension(const sinew_import *g, sinew_json_value object, const char *name);

// ---- expansion.c: no more than a multiple of the file ----------------------------------------------------------

// Takes bytes that are read into account; the import may hold more from now on. A path counts once, however often it
// is read.
bool sinew_gltf_count_read(sinew_import *g, const char *path, size_t size);

// Takes numbers that are looked at into account; fails at `place` when they are too many, and says who shares what.
bool sinew_gltf_spend(sinew_import *g, sinew_json_value place, const char *sharing, uint64_t numbers);

// The error of a limit that was passed.
bool sinew_gltf_fail_limit(sinew_import *g);

// ---- container.c, extensions.c: what kind of file it is ----------------------------------------------------------

// Finds the JSON and binary parts of a file, told apart by its first bytes.
bool sinew_gltf_open_container(sinew_import *g, const uint8_t *data, size_t size);

// The bytes of the byte order mark that a text begins with; 0 where there is none.
size_t sinew_gltf_mark_size(const uint8_t *data, size_t size);

// Checks the version and the required extensions.
bool sinew_gltf_check_version(sinew_import *g);
bool sinew_gltf_check_extensions(sinew_import *g);

// ---- choice.c: what of it is loaded --------------------------------------------------------------------------------

// Reads the top-level arrays and the hierarchy, and finds what the options ask for.
bool sinew_gltf_choose(sinew_import *g);

// Where an element of the file's stands in the asset's array; -1 for one that is not loaded, and for -1.
int32_t sinew_gltf_place(const sinew_gltf_values *values, int32_t index);

// "#3" is the fourth of `count`; -1 for what is no such number, or too large a one.
int32_t sinew_gltf_number_of(const char *name, int32_t count);

// The first names that there are, on one line behind a ';'; what has none is shown by its number. There is room for
// six names of 40 bytes, and what stands between them.
#define SINEW_GLTF_NAMES_SIZE 320
void sinew_gltf_list_names(const sinew_json *json, int32_t count, const sinew_json_value *values, char *out,
                           size_t size);

// How much of a node, in the file's numbers, is loaded.
sinew_gltf_part sinew_gltf_part_of(const sinew_import *g, int32_t node);

// ---- uri.c, file.c, resource.c: bytes from elsewhere -------------------------------------------------------------

// Decodes the percent signs of a relative reference in place. Returns what is wrong with it, or NULL: absolute
// paths, "..", backslashes and schemes are refused.
const char *sinew_gltf_decode_uri(char *uri);

// Whether a step of a path leads Windows to a device (CON, NUL.bin, COM1), or a ':' to a drive or a stream.
bool sinew_gltf_is_special_on_windows(const char *path);

// Decodes base64 with or without its padding into out, which has room for length / 4 * 3 + 3 bytes.
bool sinew_gltf_decode_base64(const char *text, size_t length, uint8_t *out, size_t *size);

// Whether there is anything of that path, readable or not.
bool sinew_gltf_is_there(const char *path);

// Reads a whole regular file into the arena, with a zero behind it. The error does not repeat the path.
bool sinew_gltf_read_file(sinew_import *g, const char *path, sinew_arena *arena, sinew_gltf_bytes *bytes);

// Loads what a `uri` member says: a data URI or an external resource. `mime` receives a data URI's media type.
bool sinew_gltf_load_uri(sinew_import *g, sinew_json_value uri, sinew_arena *arena, char *mime, size_t mime_size,
                         sinew_gltf_bytes *bytes);

// Loads what the caller's reader has under that name.
bool sinew_gltf_load_through_reader(sinew_import *g, sinew_json_value place, const char *uri,
                                    sinew_gltf_bytes *bytes);
void sinew_gltf_give_back(sinew_import *g, sinew_gltf_bytes *bytes);

// ---- buffers.c, meshopt.c: buffers and views --------------------------------------------------------------------

bool sinew_gltf_read_buffers(sinew_import *g);
void sinew_gltf_release_buffers(sinew_import *g);

// The bytes of a range of a buffer, which is loaded if need be. `place` is where errors are said to be.
bool sinew_gltf_buffer_range(sinew_import *g, sinew_json_value place, int32_t buffer, size_t offset, size_t length,
                             const uint8_t **data);

// Makes view->data ready: the buffer loaded, the compression undone.
bool sinew_gltf_load_view(sinew_import *g, int32_t view);

bool sinew_gltf_read_meshopt(sinew_import *g, sinew_json_value view_value, sinew_gltf_meshopt *meshopt);
bool sinew_gltf_decode_meshopt(sinew_import *g, sinew_gltf_view *view);

// ---- accessor.c, accessor_data.c: typed arrays -------------------------------------------------------------------

bool sinew_gltf_read_accessors(sinew_import *g);

const char *sinew_gltf_type_name(sinew_gltf_type type);
int32_t sinew_gltf_component_count(sinew_gltf_type type);
size_t sinew_gltf_component_size(sinew_gltf_component component); // in bytes

// Fails, at `place`, when an accessor is not of the type.
bool sinew_gltf_expect_type(sinew_import *g, sinew_json_value place, int32_t accessor, sinew_gltf_type type);
bool sinew_gltf_expect_count(sinew_import *g, sinew_json_value place, int32_t accessor, int32_t count);

// All components of all elements, tightly packed (matrices column after column), normalised integers as numbers.
bool sinew_gltf_read_floats(sinew_import *g, int32_t accessor, sinew_gltf_use use, const float **floats);

// Elements of unsigned integers, from scratch memory; accessor->largest_integer is set.
bool sinew_gltf_read_integers(sinew_import *g, int32_t accessor, const uint32_t **integers);

// ---- turn.c: +Z up -------------------------------------------------------------------------------------------------

// (x, y, z, ...) becomes (x, -z, y, ...): places, directions, and the axes of quaternions. Exact. `width` floats each.
void sinew_gltf_turn_vectors(float *vectors, size_t count, size_t width);

// (x, y, z) becomes (x, z, y): what scales along an axis scales along where that axis has gone.
void sinew_gltf_turn_scales(float *scales, size_t count);

sinew_transform sinew_gltf_turned_transform(sinew_transform transform);

// The turn × matrix × the turn back: exact, since both only swap and negate.
sinew_affine sinew_gltf_turned_matrix(sinew_affine matrix);

// ---- materials.c, meshes.c, draco.c, vertices.c, influences.c, triangles.c ---------------------------------------

bool sinew_gltf_read_images(sinew_import *g);
bool sinew_gltf_read_textures(sinew_import *g);

// The extensions that give a texture an image of a format that the core of glTF does not have, in order of preference.
#define SINEW_GLTF_IMAGE_EXTENSIONS 4
extern const char *const sinew_gltf_image_extensions[SINEW_GLTF_IMAGE_EXTENSIONS];

// The image of a texture, or -1: its own `source`, or where it has none that of an extension, whose name goes to
// `*extension` (NULL: its own). `extension` may be NULL.
bool sinew_gltf_image_of_texture(sinew_import *g, sinew_json_value texture, const char **extension, int32_t *image);

bool sinew_gltf_read_materials(sinew_import *g);

// The texture of a material's base colour, or -1.
bool sinew_gltf_base_color_texture(sinew_import *g, sinew_json_value material, int32_t *texture);

// The set of texture coordinates that the primitive's material uses, as the name of an attribute.
typedef struct sinew_gltf_attribute_name {
    char text[24];
} sinew_gltf_attribute_name;
sinew_gltf_attribute_name sinew_gltf_uv_name(const sinew_import *g, const sinew_primitive *p);

// draco.c: decodes what KHR_draco_mesh_compression holds of a primitive, if it does, so that its accessors can be read
// as any. `*empty` says that its vertices cannot be had; the log says why.
bool sinew_gltf_decode_draco(sinew_import *g, sinew_json_value value, const char *place, const sinew_primitive *p,
                             bool *empty);

bool sinew_gltf_read_meshes(sinew_import *g);
bool sinew_gltf_read_vertices(sinew_import *g, sinew_json_value value, const char *place, sinew_primitive *out);
bool sinew_gltf_read_targets(sinew_import *g, sinew_json_value value, sinew_primitive *out);
bool sinew_gltf_read_influences(sinew_import *g, sinew_json_value attributes, const char *place,
                                sinew_primitive *out, int32_t *largest_joint);
bool sinew_gltf_read_triangles(sinew_import *g, sinew_json_value value, const char *place, sinew_primitive *out);

// ---- nodes.c, skins.c, cameras.c, instances.c, extents.c, markers.c, animations.c --------------------------------------------------------

// Turns `children` into g->parents, and refuses what is no forest.
bool sinew_gltf_read_parents(sinew_import *g);

// The `weights` of a mesh or node (`array`[`index`], for the log): `count` of them, or NULL where it has none.
bool sinew_gltf_read_weights(sinew_import *g, sinew_json_value object, const char *array, int32_t index,
                             int32_t count, const float **out);

bool sinew_gltf_read_nodes(sinew_import *g);
bool sinew_gltf_read_skins(sinew_import *g);
bool sinew_gltf_read_cameras(sinew_import *g);
bool sinew_gltf_read_lights(sinew_import *g);

// The light on a node, in the file's numbers, or -1.
bool sinew_gltf_light_of_node(sinew_import *g, int32_t node, int32_t *light);

bool sinew_gltf_read_instances(sinew_import *g);
bool sinew_gltf_make_bounds(sinew_import *g);

// Reads the markers of the file beside, where there is one, for these animations.
bool sinew_gltf_open_markers(sinew_import *g, const sinew_gltf_list *animations);

// Gives a clip the markers of its animation: those of the extras, then those of the file beside.
bool sinew_gltf_read_markers(sinew_import *g, int32_t animation, sinew_json_value value, float duration,
                             sinew_clip_def *def);
bool sinew_gltf_read_animations(sinew_import *g);

#endif
