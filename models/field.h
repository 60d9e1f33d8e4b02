// field.h - shapes that are grown: a signed distance field made of a few primitives, the closed
// surface where it is zero, and the skinning weights on that surface.
//
// The way through: field (primitives) -> surface_grow (surface nets) -> surface_weigh (diffusion)
// -> surface_thin (edge collapse) -> vertices of a mesh.
#ifndef MODELS_FIELD_H
#define MODELS_FIELD_H

#include "models.h"

// ---- fields ------------------------------------------------------------------------------------

enum { FIELD_PRIMS = 128, PRIM_BONES = 6 };

enum prim_kind { PRIM_CONE, PRIM_ELLIPSOID, PRIM_BOX };

/// What a primitive does to the shape so far: add to it, cut from it, keep only what is inside, or
/// (without a form of its own) thicken it by size.x.
enum prim_op { OP_JOIN, OP_CARVE, OP_CLIP, OP_GROW };

typedef struct prim {
    enum prim_kind kind;
    enum prim_op op;
    rigid inverse;         ///< from model space to the primitive's own
    vec3 size;             ///< cone: radius at 0, radius at the end, length; else half extents
    double flat;           ///< cone: z is this share of x; box: rounding of the edges
    double blend;          ///< width of the smooth seam with what came before
    int bones[PRIM_BONES]; ///< joints that may move the surface this primitive makes
    int bone_count;
    double width; ///< of its weights' borders, if wider than the part's
} prim;

/// Primitives are applied in order. Each takes the brush that is set when it is added.
typedef struct field {
    prim prims[FIELD_PRIMS];
    int count;
    struct {
        enum prim_op op;
        double blend;
        int bones[PRIM_BONES];
        int bone_count;
        double width;
    } brush;
} field;

/// A rounded cone from `a` to `b`; returned so that the caller may go on to change it.
prim *field_cone(field *f, vec3 a, vec3 b, double radius_a, double radius_b);

/// A cone flattened along the direction nearest to `front`: z is `flat` times x.
prim *field_flat_cone(field *f, vec3 a, vec3 b, double radius_a, double radius_b, double flat, vec3 front);
prim *field_ellipsoid(field *f, rigid frame, vec3 radii);
prim *field_ball(field *f, vec3 center, double radius);
prim *field_box(field *f, rigid frame, vec3 half, double round);

/// Thickens all that has been made so far.
void field_grow(field *f, double thickness);

/// Keeps what lies between the planes through `a` and `b` across the line that joins them.
void field_keep(field *f, vec3 a, vec3 b, double round);

/// Makes the whole shape larger about a point.
void field_enlarge(field *f, vec3 center, double scale);

/// Signed distance (nearly), negative inside.
double field_at(const field *f, vec3 p);
vec3 field_gradient(const field *f, vec3 p);

/// The point of the surface near `p`, by Newton steps along the gradient.
vec3 field_project(const field *f, vec3 p);

/// The joining primitive that makes the surface near `p`; NULL in an empty field.
const prim *field_owner(const field *f, vec3 p);
void field_bounds(const field *f, vec3 *low, vec3 *high);

// ---- surfaces ----------------------------------------------------------------------------------

/// A closed triangle surface; `weights` has `bones` numbers per point, or is NULL.
typedef struct surface {
    vec3 *points;
    uint32_t *triangles;
    double *weights;
    size_t point_count, triangle_count;
    int bones;
} surface;

/// The zero surface of `f` by surface nets, with cells of edge `cell`.
surface surface_grow(const field *f, double cell);
surface surface_copy(const surface *s);
void surface_free(surface *s);

/// A bone as the weights see it: a segment of a joint's own.
typedef struct bone {
    vec3 a, b;
} bone;

/// Weights by diffusion: each point starts on the nearest bone that its primitive allows, and the
/// borders are spread over about `width` along the surface.
void surface_weigh(surface *s, const field *f, const bone *bones, int count, double width);

/// Weights of the nearest points of another surface: for what is worn on it.
void surface_follow(surface *s, const surface *other);

/// Collapses edges until `target` points are left, the flattest first.
void surface_thin(surface *s, size_t target);

#endif
