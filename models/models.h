// SPDX-License-Identifier: MIT
// models.h - the common parts of the models: meshes, simple solids and the glTF writer.
#ifndef MODELS_MODELS_H
#define MODELS_MODELS_H

#include "bytes.h"
#include "vec.h"

#include <stdint.h>

// ---- meshes ------------------------------------------------------------------------------------

enum { INFLUENCES = 4 };

/// A linear colour, 0 to 1, as in COLOR_0 and baseColorFactor.
typedef struct rgb {
    double r, g, b;
} rgb;

/// Converts a colour 0xRRGGBB in sRGB.
rgb rgb_from_srgb(uint32_t hex);

typedef struct vertex {
    vec3 position;
    vec3 normal;
    rgb color;
    uint8_t joint[INFLUENCES];
    uint8_t weight[INFLUENCES]; ///< the sum is 255; unused if the mesh is not skinned
} vertex;

typedef struct mesh {
    vertex *vertices;
    uint32_t *indices;
    size_t vertex_count, vertex_space;
    size_t index_count, index_space;
} mesh;

uint32_t mesh_vertex(mesh *m, vertex v);
void mesh_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c);
void mesh_free(mesh *m);

// ---- solids ------------------------------------------------------------------------------------

/// A box about the frame's origin, flat-shaded.
void solid_box(mesh *m, rigid frame, vec3 half, rgb color);

/// A box whose top (+Y) has other half extents in x and z than its bottom.
void solid_wedge(mesh *m, rigid frame, double height, vec3 bottom, vec3 top, rgb color);

/// One ring of a solid of revolution: `radius` at height `y`.
typedef struct ring {
    double radius, y;
} ring;

/// A solid of revolution about the frame's +Y, rings from low to high, closed at both ends.
/// Smooth around the axis, creased from ring to ring.
void solid_lathe(mesh *m, rigid frame, const ring *rings, int count, int segments, rgb color);

/// One open band of such a solid, facing outward if `high` is above `low`.
void solid_band(mesh *m, rigid frame, ring low, ring high, int segments, rgb color);

// ---- the glTF writer ---------------------------------------------------------------------------

typedef struct glb glb;

enum glb_path { GLB_TRANSLATION, GLB_ROTATION };
enum glb_interpolation { GLB_LINEAR, GLB_STEP, GLB_CUBIC };

glb *glb_begin(void);

/// `parent` is -1 for the scene's root.
int glb_node(glb *g, const char *name, int parent, rigid local);
void glb_node_mesh(glb *g, int node, int mesh);
void glb_node_skin(glb *g, int node, int skin);

/// Scales a node and all below it.
void glb_node_scale(glb *g, int node, double scale);

/// Adds an extension to a node; `json` is its object.
void glb_node_extension(glb *g, int node, const char *name, const char *json);

/// Adds an extension to the document.
void glb_extension(glb *g, const char *name, const char *json);

int glb_material(glb *g, const char *name, rgb color, double metallic, double roughness);

/// One primitive per mesh and material given. `colored` writes COLOR_0, `skinned` JOINTS_0 and
/// WEIGHTS_0.
typedef struct glb_primitive {
    const mesh *mesh;
    int material;
    bool colored, skinned;
} glb_primitive;

/// A morph target: the offset of each vertex. Vertices that do not move are not written.
typedef struct glb_morph {
    const char *name;
    const vec3 *offsets;
} glb_morph;

int glb_mesh(glb *g, const char *name, const glb_primitive *primitives, int count);

/// Adds a mesh of one primitive with morph targets.
int glb_morphed_mesh(glb *g, const char *name, const glb_primitive *primitive, const glb_morph *morphs, int count);

/// `joints` are node indices, `rest` their transforms in model space in the rest pose, `scale` that of all of them there.
int glb_skin(glb *g, const char *name, const int *joints, const rigid *rest, double scale, int count, int skeleton);

/// Starts an animation, to which timelines and channels are added until glb_animation_end, and nothing else. `extras`
/// is JSON or NULL.
void glb_animation_begin(glb *g, const char *name, const char *extras);
int glb_times(glb *g, const double *times, int count);

/// Adds a channel: `count` rows of 3 (translation) or 4 (rotation) numbers; three rows per key
/// (in-tangent, value, out-tangent) if the interpolation is GLB_CUBIC.
void glb_channel(glb *g, int node, enum glb_path path, enum glb_interpolation interpolation, int times,
                 const double *values, int count);
void glb_animation_end(glb *g);

/// Writes the file and frees the document. Returns false, after a message, if the file cannot be written.
bool glb_end(glb *g, const char *path);

// ---- the models --------------------------------------------------------------------------------

bool make_golem(const char *path);
bool make_hero(const char *path);
bool make_scout(const char *path);
bool make_sprite(const char *path);
bool make_windmill(const char *path);
bool make_sword(const char *path);

#endif
