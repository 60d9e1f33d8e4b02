// SPDX-License-Identifier: MIT
// The bound of the continuity contract, node by node and along the hierarchy.
#include "support/pose_bounds.h"

#include <math.h>

#define MARGIN 1e-3 // of a cosine: rounding may change its sign

transform_bound bound_add(transform_bound a, transform_bound b) {
    return (transform_bound){a.t + b.t, a.r + b.r, a.s + b.s};
}

transform_bound bound_scale(transform_bound a, double factor) {
    return (transform_bound){a.t * factor, a.r * factor, a.s * factor};
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static double distance3(const double a[3], const double b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// The distance of two quaternions as rotations: to b or -b, whichever is nearer.
static double chord(const double a[4], const double b[4]) {
    double side = dot4(a, b) < 0.0 ? -1.0 : 1.0, square = 0.0;
    for (int i = 0; i < 4; i++) square += (a[i] - side * b[i]) * (a[i] - side * b[i]);
    return sqrt(square);
}

static double largest_difference(const double a[3], const double b[3]) {
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

static double arc_of(double sine) {
    return sine < 1.0 ? asin(sine) : BOUND_ANY_ARC;
}

transform_bound bound_between(const local_transform *a, const local_transform *b) {
    double half = chord(a->q, b->q) / 2.0;
    return (transform_bound){distance3(a->t, b->t), half < 1.0 ? 2.0 * asin(half) : BOUND_ANY_ARC,
                             largest_difference(a->s, b->s)};
}

// ---- Blends --------------------------------------------------------------------------------------------------

#define MAX_CONTRIBUTIONS 80

static double weight_of(const contribution *p, bool later) {
    return later ? p->weight_to : p->weight_from;
}

static const double *rotation_of(const contribution *p, bool later) {
    return later ? p->to.q : p->from.q;
}

static void sort_by_weight(const contribution *parts, int count, bool later, int order[]) {
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && weight_of(&parts[i], later) > weight_of(&parts[order[place - 1]], later); place--) {
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
}

// Sums rotations, each with the sign of the sum so far. The sum is not normalised.
static void add_rotations(const contribution *parts, int count, bool later, double sum[4], double sides[]) {
    int order[MAX_CONTRIBUTIONS];
    sort_by_weight(parts, count, later, order);
    for (int c = 0; c < 4; c++) sum[c] = 0.0;
    for (int i = 0; i < count; i++) {
        const contribution *p = &parts[order[i]];
        const double *q = rotation_of(p, later);
        double side = dot4(sum, q) < 0.0 ? -1.0 : 1.0, share = weight_of(p, later);
        for (int c = 0; c < 4; c++) sum[c] += side * share * q[c];
        sides[order[i]] = side;
    }
}

static void add_vectors(const contribution *parts, int count, bool later, local_transform *out) {
    for (int c = 0; c < 3; c++) out->t[c] = out->s[c] = 0.0;
    for (int i = 0; i < count; i++) {
        const local_transform *one = later ? &parts[i].to : &parts[i].from;
        double share = weight_of(&parts[i], later);
        for (int c = 0; c < 3; c++) out->t[c] += share * one->t[c], out->s[c] += share * one->s[c];
    }
}

static double make_unit(const double sum[4], double out[4]) {
    double length = sqrt(dot4(sum, sum));
    for (int c = 0; c < 4; c++) out[c] = length > 0.0 ? sum[c] / length : c == 3;
    return length;
}

static double larger_weight(const contribution *p) {
    return fmax(p->weight_from, p->weight_to);
}

static bool may_be_opposite(const contribution *a, const contribution *b, double side) {
    double margin = MARGIN + a->uncertainty.r + b->uncertainty.r, unknown = margin + a->moved.r + b->moved.r;
    double length = sqrt(dot4(a->from.q, a->from.q) * dot4(b->from.q, b->from.q));
    if (side * dot4(a->from.q, b->from.q) <= margin * length) return true;
    if (!a->is_known || !b->is_known) return side * dot4(a->from.q, b->from.q) <= unknown * length;
    // Each keeps its sign from `from` to `to`.
    double along = (dot4(a->from.q, a->to.q) < 0.0) != (dot4(b->from.q, b->to.q) < 0.0) ? -side : side;
    return along * dot4(a->to.q, b->to.q) <= margin * length;
}

// The weight of rotations that may be added with either sign: those more than half a turn from a heavier one. They,
// and all that are as light, count twice.
static double ambiguous_weight(const contribution *parts, int count, const double sides[]) {
    double heaviest = 0.0, extra = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            const contribution *a = &parts[i], *b = &parts[j];
            double lighter = fmax(fmin(a->weight_from, b->weight_from), fmin(a->weight_to, b->weight_to));
            if (lighter > heaviest && may_be_opposite(a, b, sides[i] * sides[j])) heaviest = lighter;
        }
    }
    if (heaviest == 0.0) return 0.0;
    for (int i = 0; i < count; i++) {
        double lightest = fmin(parts[i].weight_from, parts[i].weight_to);
        if (lightest <= heaviest) extra += 2.0 * larger_weight(&parts[i]);
    }
    return extra;
}

// Bounds the motion of a blend: each contribution's own motion times its later weight, plus its distance from the
// blend before times the change of its weight.
static transform_bound motion_of(const contribution *parts, int count, const local_transform *blend,
                                 const double sum[4], const double sides[]) {
    transform_bound step = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const contribution *p = &parts[i];
        double turned[4], shift = fabs(p->weight_to - p->weight_from);
        for (int c = 0; c < 4; c++) turned[c] = sides[i] * p->from.q[c] - sum[c];
        transform_bound away = {distance3(p->from.t, blend->t), sqrt(dot4(turned, turned)),
                                largest_difference(p->from.s, blend->s)};
        step = bound_add(step, bound_scale(p->moved, p->weight_to));
        step = bound_add(step, bound_scale(bound_add(away, p->uncertainty), shift));
    }
    return step;
}

blend_change blend(const contribution *parts, int count) {
    blend_change out = {.moved = {0, 0, 0}};
    double sum[4], later_sum[4], sides[MAX_CONTRIBUTIONS], later_sides[MAX_CONTRIBUTIONS];
    add_vectors(parts, count, false, &out.from);
    add_vectors(parts, count, true, &out.to);
    add_rotations(parts, count, false, sum, sides);
    add_rotations(parts, count, true, later_sum, later_sides);
    double length = make_unit(sum, out.from.q);
    make_unit(later_sum, out.to.q);
    for (int i = 0; i < count; i++)
        out.uncertainty = bound_add(out.uncertainty, bound_scale(parts[i].uncertainty, larger_weight(&parts[i])));
    double extra = ambiguous_weight(parts, count, sides), surely = length - out.uncertainty.r - extra;
    out.moved = motion_of(parts, count, &out.from, sum, sides);
    out.moved.r = surely > 0.0 ? arc_of((out.moved.r + extra) / surely) : BOUND_ANY_ARC;
    out.uncertainty.r = surely > 0.0 ? arc_of((out.uncertainty.r + extra) / surely) : BOUND_ANY_ARC;
    out.is_ambiguous = extra > 0.0;
    out.is_known = true;
    for (int i = 0; i < count; i++) out.is_known &= parts[i].is_known;
    return out;
}

blend_change apply_override(const blend_change *below, const blend_change *over, double factor_from,
                            double factor_to) {
    if (factor_from == 0.0 && factor_to == 0.0) return *below;
    const contribution parts[2] = {
        {below->from, below->to, 1.0 - factor_from, 1.0 - factor_to, below->moved, below->uncertainty,
         below->is_known},
        {over->from, over->to, factor_from, factor_to, over->moved, over->uncertainty, over->is_known},
    };
    blend_change out = blend(parts, 2);
    out.is_ambiguous |= below->is_ambiguous || over->is_ambiguous;
    return out;
}

static void multiply(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static local_transform added(const local_transform *below, const local_transform *difference, const double turn[4],
                             double factor) {
    local_transform out;
    multiply(below->q, turn, out.q);
    for (int c = 0; c < 3; c++) {
        out.t[c] = below->t[c] + factor * difference->t[c];
        out.s[c] = below->s[c] * (1.0 + factor * (difference->s[c] - 1.0));
    }
    return out;
}

static double longest(const double v[3], double than) {
    return fmax(fabs(v[0] - than), fmax(fabs(v[1] - than), fabs(v[2] - than)));
}

blend_change apply_additive(const blend_change *below, const contribution *difference, double factor_from,
                            double factor_to) {
    if (factor_from == 0.0 && factor_to == 0.0) return *below;
    static const local_transform none = {.q = {0, 0, 0, 1}, .s = {1, 1, 1}};
    contribution parts[2] = {{none, none, 1.0 - factor_from, 1.0 - factor_to, {0, 0, 0}, {0, 0, 0}, true},
                             *difference};
    parts[1].weight_from = factor_from;
    parts[1].weight_to = factor_to;
    blend_change turn = blend(parts, 2), out = *below;
    out.from = added(&below->from, &difference->from, turn.from.q, factor_from);
    out.to = added(&below->to, &difference->to, turn.to.q, factor_to);
    double most = fmax(longest(below->from.s, 0.0), longest(below->to.s, 0.0));
    double factor =
        1.0 + fmax(factor_from, factor_to) * fmax(longest(difference->from.s, 1.0), longest(difference->to.s, 1.0));
    out.moved = bound_add(below->moved, turn.moved);
    out.uncertainty = bound_add(below->uncertainty, turn.uncertainty);
    out.moved.s = below->moved.s * factor + most * turn.moved.s;
    out.uncertainty.s = below->uncertainty.s * factor + most * turn.uncertainty.s;
    out.is_ambiguous |= turn.is_ambiguous;
    out.is_known &= turn.is_known;
    return out;
}

// ---- Hierarchies ---------------------------------------------------------------------------------------------

static double smallest(const double v[3]) {
    return fmin(fabs(v[0]), fmin(fabs(v[1]), fabs(v[2])));
}

static double between(const sinew_affine *a, const sinew_affine *b) {
    double x = (double)a->m[0][3] - (double)b->m[0][3], y = (double)a->m[1][3] - (double)b->m[1][3];
    double z = (double)a->m[2][3] - (double)b->m[2][3];
    return sqrt(x * x + y * y + z * z);
}

// The motion that a node's own change causes: of its position, and of a descendant per metre of distance.
typedef struct leverage {
    double position, rotation;
    double most, least; // scale of its descendants
} leverage;

static leverage leverage_of(const blend_change *node, const transform_bound *moved,
                            const transform_bound *uncertainty, const leverage *parent) {
    double most = parent ? parent->most : 1.0, least = parent ? parent->least : 1.0;
    double own = fmax(smallest(node->from.s) - uncertainty->s, 1e-6), arc = fmin(moved->r, asin(1.0));
    return (leverage){
        .position = most * moved->t,
        .rotation = most / least * (2.0 * sin(arc) + moved->s / own),
        .most = most * (longest(node->to.s, 0.0) + uncertainty->s),
        .least = fmax(least * own, 1e-30), // finite
    };
}

void bound_positions(const sinew_skeleton *skeleton, const sinew_affine *model, const blend_change *nodes,
                     const transform_bound *moved, const transform_bound *uncertainty, double *bounds) {
    enum { MAX_NODES = 512 };
    leverage of[MAX_NODES];
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        int32_t parent = skeleton->parents[i];
        of[i] = leverage_of(&nodes[i], &moved[i], &uncertainty[i], parent == SINEW_NO_NODE ? NULL : &of[parent]);
        bounds[i] = of[i].position;
        for (int32_t j = parent; j != SINEW_NO_NODE; j = skeleton->parents[j]) {
            bounds[i] += of[j].position + of[j].rotation * between(&model[i], &model[j]);
        }
    }
}
