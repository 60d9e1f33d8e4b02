// How far apart local transforms are, at most, and where that can bring a node: what the bound of the continuity
// contract is made of. docs/mixing.md derives it.
#ifndef POSE_BOUNDS_H
#define POSE_BOUNDS_H

#include <sinew/sinew.h>

// A local transform in double. A sum of rotations need not be unit.
typedef struct local {
    double t[3], q[4], s[3];
} local;

// Between two local transforms: metres; the arc between unit quaternions, which is half the angle of the turn; and the
// largest difference of a scale's components.
typedef struct transform_bound {
    double t, r, s;
} transform_bound;

#define BOUND_ANY_ARC 4.0 // an arc that nothing is known of

transform_bound bound_add(transform_bound a, transform_bound b);
transform_bound bound_scale(transform_bound a, double factor);
transform_bound bound_between(const local *a, const local *b);

// ---- Blends --------------------------------------------------------------------------------------------------

// What takes part in a blend, from one moment to another.
typedef struct part {
    local from, to;
    double share_from, share_to;
    transform_bound moved; // how far apart `from` and `to` are at most
    transform_bound loose; // how far both may be from what is really there
    bool is_known;         // `to` is what it is; else only that it is within `moved`
} part;

// A blend from one moment to another: its rotations are unit.
typedef struct change {
    local from, to;
    transform_bound moved, loose;
    bool is_known;
    bool is_wild; // rotations more than half a turn apart, which may go either way round
} change;

// Parts of a layer that overrides, in the order of the mixer's rule: the heaviest first, then as they stand.
change blend(const part *parts, int count);

// What overrides takes the place of what is below; a difference is added to it.
change put_over(const change *below, const change *over, double factor_from, double factor_to);
change put_on(const change *below, const part *difference, double factor_from, double factor_to);

// ---- Hierarchies ---------------------------------------------------------------------------------------------

// How far each node's place moves at most where the local transforms move by `moved`, from where they have brought the
// nodes: `model`, and `from` of `nodes`, the latter give or take `loose`. `to` says what scales are then, give or take
// as much.
void bound_places(const sinew_skeleton *skeleton, const sinew_affine *model, const change *nodes,
                  const transform_bound *moved, const transform_bound *loose, double *bounds);

#endif
