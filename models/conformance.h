// conformance.h - a document of the conformance set: the content of a file, and its meaning in double precision.
//
// A case describes a document once. conformance_file.c writes it as glTF. conformance_truth.c computes the expected
// results of an importer. Neither uses the importer or the runtime. Numbers are rounded to the file's precision when
// they are added, so that the expected results are exact for the content of the file.
#ifndef MODELS_CONFORMANCE_H
#define MODELS_CONFORMANCE_H

#include "bytes.h"
#include "vec.h"

#include <stdint.h>

enum { NONE = -1 };
enum { I8 = 5120, U8 = 5121, I16 = 5122, U16 = 5123, U32 = 5125, F32 = 5126 };
enum { MAX_NODES = 320, MAX_ACCESSORS = 64, MAX_SMALL = 8, MAX_CHANNELS = 16, MAX_POSES = 24 };

enum path { TRANSLATION, ROTATION, SCALE, WEIGHTS };
enum interpolation { LINEAR, STEP, CUBICSPLINE, UNSAID };

/// The decoded values of an accessor: `count` elements of `width` numbers.
typedef struct elements {
    int count, width;
    double *values;
} elements;

/// 3 rows of 4; vectors are columns.
typedef struct matrix {
    double m[3][4];
} matrix;

typedef struct node {
    const char *name; ///< JSON text, or NULL
    int parent;       ///< an index before or after that of the node, or NONE
    vec3 t, s;
    quat r;
    bool has_t, has_r, has_s;
    const matrix *whole;   ///< instead of t, r and s
    int mesh, skin;        ///< or NONE
    const double *weights; ///< of the mesh's targets, or NULL
    bool looks;            ///< whether it has a camera or a light, whose direction is written
    const char *more;      ///< other members, as JSON with ' for ", or NULL
} node;

/// Attributes are accessors, or NONE.
typedef struct primitive {
    int position, normal, tangent, uv, color, joints[2], weights[2];
    int indices, mode, material;
    int target_count;
    int target_positions[MAX_SMALL], target_normals[MAX_SMALL], target_tangents[MAX_SMALL];
} primitive;

typedef struct mesh {
    primitive primitives[MAX_SMALL];
    int primitive_count;
    const double *weights; ///< or NULL: zeros
} mesh;

typedef struct skin {
    int *joints;
    int joint_count;
    int inverse_binds; ///< accessor or NONE
    int skeleton;      ///< node or NONE
} skin;

typedef struct channel {
    int node; ///< NONE: to be ignored
    enum path path;
    enum interpolation interpolation;
    int times, values; ///< accessors
} channel;

typedef struct clip {
    const char *name; ///< JSON text, or NULL
    channel channels[MAX_CHANNELS];
    int channel_count;
} clip;

/// A time at which the expected pose is written.
typedef struct moment {
    int clip; ///< NONE: the rest pose
    double time;
    bool z_up; ///< converted by (x, y, z) -> (x, -z, y)
} moment;

typedef struct document {
    buffer bin, views, accessors, sections, expected;
    elements elements[MAX_ACCESSORS];
    node nodes[MAX_NODES];
    mesh meshes[MAX_SMALL];
    skin skins[MAX_SMALL];
    clip clips[MAX_SMALL];
    moment moments[MAX_POSES];
    int node_count, mesh_count, skin_count, clip_count, moment_count;
    bool own_scenes;                ///< whether sections define the scenes; otherwise one scene has all roots
    const char *bin_file, *bin_uri; ///< the sidecar file of a .gltf; NULL: the bytes are in the .gltf, as base64
    const char *second_buffer;      ///< a data URI of 12 bytes; NULL: none
    size_t fallback_length;         ///< of a second, fallback buffer for compressed data; 0: none
    size_t bin_padding;             ///< bytes of the binary chunk that belong to no buffer
    const char *last_chunk;         ///< the type of an unknown last chunk; NULL: none
    const int *told_nodes;          ///< the nodes whose world matrices are written; NULL: all
    int told_node_count;
} document;

/// The set, in groups. `breaks`: the file violates the specification in a manner that importers are expected to
/// correct.
typedef struct conformance_case {
    const char *file, *catches, *mistake;
    void (*fill)(document *d);
    bool breaks;
} conformance_case;

typedef struct conformance_group {
    const char *title;
    const conformance_case *cases;
    int count;
} conformance_group;

extern const conformance_group key_cases, node_cases, skin_cases, number_cases, compressed_cases, morph_cases,
    scene_cases, container_cases;

// ---- description (conformance_file.c) ---------------------------------------------------------------------------

/// `parent` is NONE for a root.
int add_node(document *d, const char *name, int parent);
void move(document *d, int node, double x, double y, double z);
void turn(document *d, int node, quat rotation);
void stretch(document *d, int node, double x, double y, double z);

/// Adds an accessor of `count` elements of `width` numbers, in a view of its own; integers are the stored values.
/// `keys` are packed. `vertices` start at multiples of four bytes, as attributes must. `positions` and `times` have
/// bounds.
int add_keys(document *d, int component, bool normalized, int width, int count, const double *stored);
int add_vertices(document *d, int component, bool normalized, int width, int count, const double *stored);
int add_positions(document *d, int component, bool normalized, int count, const double *stored);
int add_times(document *d, int count, const double *seconds);
int add_floats(document *d, int width, int count, const double *stored);
int add_indices(document *d, int component, int count, const double *stored);

/// Adds an accessor over existing bytes. `view` and `more` (other members) may be NONE and NULL.
int add_accessor(document *d, int view, size_t offset, int component, bool normalized, int width, int count,
                 const double *stored, const char *more);

/// Adds a view of the bytes from `start` on; `more` may be NULL.
int add_view(document *d, size_t start, const char *more);

/// Appends one number as a component.
void put_component(buffer *b, int component, double stored);

/// Adds the inverse bind matrices of joints: from model space to joint space in the rest pose.
int add_inverse_binds(document *d, int count, const int *joints);
int add_matrices(document *d, int count, const matrix *matrices);

int add_mesh(document *d, int positions);
primitive *add_primitive(document *d, int mesh, int positions);
int add_skin(document *d, int count, const int *joints, int inverse_binds);
int add_clip(document *d, const char *name);
void add_channel(document *d, int clip, int node, enum path path, enum interpolation interpolation, int times,
                 int values);

/// Adds a member of the root, as JSON with ' for ".
void add_section(document *d, const char *format, ...);

/// Adds a member of the expected results, in the same notation.
void expect(document *d, const char *format, ...);

/// Adds the expected poses at times of a clip.
void expect_poses(document *d, int clip, int count, const double *times);
void expect_rest(document *d);

/// Adds an expected pose in the Z-up coordinate system.
void expect_z_up(document *d, int clip, double time);

/// Appends JSON text, with ' replaced by ".
void say_json(buffer *b, const char *format, ...);

void put_base64(buffer *b, const buffer *bytes);

/// Writes the file. For a .gltf with a sidecar file the caller also writes d->bin.
void write_gltf(document *d, buffer *file);
void write_glb(document *d, buffer *file);

// ---- expected results (conformance_truth.c) -------------------------------------------------------------------

/// The world transform of a node at a time of a clip (NONE: the rest pose).
matrix world_of(const document *d, int clip, double time, int node);
matrix inverse_of(matrix a);
matrix from_parts(vec3 t, quat r, vec3 s);

/// Writes the expected results of the file as JSON.
void write_expected(const document *d, const char *file, buffer *out);

/// Appends a list of numbers with at most nine digits.
void say_numbers(buffer *b, int count, const double *numbers);

// ---- refused files (conformance_refused.c) ---------------------------------------------------------------------

/// A file that must be refused: a valid one with one fault. `location` is the location of the fault as a JSON path, or ""
/// for none. `says` is a part of Sinew's error message.
typedef struct refused_case {
    const char *file, *why, *location, *says;
    const char *old, *now; ///< text to replace; NULL: none
    int at, size;          ///< bytes of the buffer to replace by `value`: a float (4) or an integer; size 0: none
    double value;
    void (*spoil)(buffer *file); ///< changes the whole file, or NULL
} refused_case;

typedef struct refused_group {
    const char *title;
    void (*write_sound)(buffer *text, buffer *bin); ///< writes the valid file and its buffer
    const char *sound_file;
    const refused_case *cases;
    int count;
} refused_group;

extern const refused_group refused_motions, refused_meshes;

/// Writes the file of a case; without a case, the valid file.
void write_refused(const refused_group *g, const refused_case *r, buffer *file);

#endif
