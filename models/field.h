// SPDX-License-Identifier: MIT
// field.h - implicit shapes: a signed distance field of primitives, its closed zero surface, and the skinning weights
// of the surface.
//
// The steps: field (primitives) -> surface_grow (surface nets) -> surface_weigh (diffusion)
// -> surface_thin (edge collapse) -> vertices of a mesh.
#ifndef MODELS_FIELD_H
#define MODELS_FIELD_H

#include "models.h"

// ---- fields ------------------------------------------------------------------------------------

enum { FIELD_PRIMS = 128, PRIM_BONES = 6 };

enum prim_kind { PRIM_CONE, PRIM_ELLIPSOID, PRIM_BOX };

/// The operation of a primitive on the previous shape: union, subtraction, intersection, or (without a form of its
/// own) thickening by size.x.
enum prim_op { OP_JOIN, OP_CARVE, OP_CLIP, OP_GROW };

typedef struct prim {
    enum prim_kind kind;
    enum prim_op op;
    rigid inverse;         ///< from model space to the primitive's own
    vec3 size;             ///< cone: radius at 0, radius at the end, length; else half extents
    double flat;           ///< cone: the ratio of z to x; box: rounding of the edges
    double blend;          ///< width of the smooth blend with the previous shape
    int bones[PRIM_BONES]; ///< joints that may move the surface of this primitive
    int bone_count;
    double width; ///< width of the weights' borders, if wider than the part's
} prim;

/// Primitives are applied in order. A new primitive takes the current brush.
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

/// Adds a rounded cone from `a` to `b`, and returns it for further changes.
prim *field_cone(field *f, vec3 a, vec3 b, double radius_a, double radius_b);

/// A cone flattened along the direction nearest to `front`: z is `flat` times x.
prim *field_flat_cone(field *f, vec3 a, vec3 b, double radius_a, double radius_b, double flat, vec3 front);
prim *field_ellipsoid(field *f, rigid frame, vec3 radii);
prim *field_ball(field *f, vec3 center, double radius);
prim *field_box(field *f, rigid frame, vec3 half, double round);

/// Thickens the previous shape.
void field_grow(field *f, double thickness);

/// Clips the shape to the slab between the planes through `a` and `b` perpendicular to the line between them.
void field_keep(field *f, vec3 a, vec3 b, double round);

/// Scales the whole shape about a point.
void field_enlarge(field *f, vec3 center, double scale);

/// The approximate signed distance, negative inside.
double field_at(const field *f, vec3 p);
vec3 field_gradient(const field *f, vec3 p);

/// The point of the surface near `p`, by Newton steps along the gradient.
vec3 field_project(const field *f, vec3 p);

/// The OP_JOIN primitive of the surface near `p`; NULL in an empty field.
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

/// A bone for the weights: a segment of a joint.
typedef struct bone {
    vec3 a, b;
} bone;

/// Computes weights by diffusion: each point starts with the nearest bone that its primitive allows, and the borders
/// spread over about `width` along the surface.
void surface_weigh(surface *s, const field *f, const bone *bones, int count, double width);

/// Copies the weights of the nearest points of another surface: for layers of clothing.
void surface_follow(surface *s, const surface *other);

/// Collapses edges until `target` points remain, the flattest first.
void surface_thin(surface *s, size_t target);

#endif
