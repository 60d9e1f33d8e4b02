// SPDX-License-Identifier: MIT
// Bounds of the difference of local transforms and of the resulting node positions: the bound of the continuity
// contract. docs/mixing.md derives it.
#ifndef POSE_BOUNDS_H
#define POSE_BOUNDS_H

#include <sinew/sinew.h>

// A local transform in double precision. A sum of rotations need not be unit.
typedef struct local_transform {
    double t[3], q[4], s[3];
} local_transform;

// The largest difference of two local transforms: metres; the arc between unit quaternions, half the rotation
// angle; and the largest difference of a scale's components.
typedef struct transform_bound {
    double t, r, s;
} transform_bound;

#define BOUND_ANY_ARC 4.0 // larger than any arc

transform_bound bound_add(transform_bound a, transform_bound b);
transform_bound bound_scale(transform_bound a, double factor);
transform_bound bound_between(const local_transform *a, const local_transform *b);

// ---- Blends --------------------------------------------------------------------------------------------------

// One pose of a blend at two times, with its weights.
typedef struct contribution {
    local_transform from, to;
    double weight_from, weight_to;
    transform_bound moved;       // between `from` and `to`, at most
    transform_bound uncertainty; // of both
    bool is_known;               // `to` is exact; otherwise only within `moved` of `from`
} contribution;

// A blended pose at two times. Its rotations are unit.
typedef struct blend_change {
    local_transform from, to;
    transform_bound moved, uncertainty;
    bool is_known;
    bool is_ambiguous; // has rotations more than half a turn apart, whose sum may take either sign
} blend_change;

// Blends an override layer in the mixer's order: by weight, heaviest first, then by index.
blend_change blend(const contribution *parts, int count);

// Apply an override layer, or one additive contribution, to the pose below.
blend_change apply_override(const blend_change *below, const blend_change *over, double factor_from,
                            double factor_to);
blend_change apply_additive(const blend_change *below, const contribution *difference, double factor_from,
                            double factor_to);

// ---- Hierarchies ---------------------------------------------------------------------------------------------

// Computes how far each node's position in model space moves at most, if local transforms move by `moved`. `model`
// and `from` of `nodes` are the start, the latter within `uncertainty`. `to` has the scales at the end, within as
// much.
void bound_positions(const sinew_skeleton *skeleton, const sinew_affine *model, const blend_change *nodes,
                     const transform_bound *moved, const transform_bound *uncertainty, double *bounds);

#endif
