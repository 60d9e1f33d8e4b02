// The bound of the continuity contract, node by node and along the hierarchy.
#include "support/pose_bounds.h"

#include <math.h>

#define MARGIN 1e-3 // of a cosine that rounding may bring to the other side of 0

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

// Of the nearer of the two ways round.
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

transform_bound bound_between(const local *a, const local *b) {
    double half = chord(a->q, b->q) / 2.0;
    return (transform_bound){distance3(a->t, b->t), half < 1.0 ? 2.0 * asin(half) : BOUND_ANY_ARC,
                             largest_difference(a->s, b->s)};
}

// ---- Blends --------------------------------------------------------------------------------------------------

#define MOST_PARTS 80

static double share_of(const part *p, bool later) {
    return later ? p->share_to : p->share_from;
}

static const double *rotation_of(const part *p, bool later) {
    return later ? p->to.q : p->from.q;
}

static void put_in_order(const part *parts, int count, bool later, int order[]) {
    for (int i = 0; i < count; i++) {
        int place = i;
        for (; place > 0 && share_of(&parts[i], later) > share_of(&parts[order[place - 1]], later); place--) {
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
}

// The sum of rotations, each on the side of the sum so far, and not made unit.
static void add_rotations(const part *parts, int count, bool later, double sum[4], double sides[]) {
    int order[MOST_PARTS];
    put_in_order(parts, count, later, order);
    for (int c = 0; c < 4; c++) sum[c] = 0.0;
    for (int i = 0; i < count; i++) {
        const part *p = &parts[order[i]];
        const double *q = rotation_of(p, later);
        double side = dot4(sum, q) < 0.0 ? -1.0 : 1.0, share = share_of(p, later);
        for (int c = 0; c < 4; c++) sum[c] += side * share * q[c];
        sides[order[i]] = side;
    }
}

static void add_vectors(const part *parts, int count, bool later, local *out) {
    for (int c = 0; c < 3; c++) out->t[c] = out->s[c] = 0.0;
    for (int i = 0; i < count; i++) {
        const local *one = later ? &parts[i].to : &parts[i].from;
        double share = share_of(&parts[i], later);
        for (int c = 0; c < 3; c++) out->t[c] += share * one->t[c], out->s[c] += share * one->s[c];
    }
}

static double make_unit(const double sum[4], double out[4]) {
    double length = sqrt(dot4(sum, sum));
    for (int c = 0; c < 4; c++) out[c] = length > 0.0 ? sum[c] / length : c == 3;
    return length;
}

static double larger_share(const part *p) {
    return fmax(p->share_from, p->share_to);
}

static bool may_be_opposite(const part *a, const part *b, double side) {
    double margin = MARGIN + a->loose.r + b->loose.r, unknown = margin + a->moved.r + b->moved.r;
    double length = sqrt(dot4(a->from.q, a->from.q) * dot4(b->from.q, b->from.q));
    if (side * dot4(a->from.q, b->from.q) <= margin * length) return true;
    if (!a->is_known || !b->is_known) return side * dot4(a->from.q, b->from.q) <= unknown * length;
    // Each on the side that it came from.
    double along = (dot4(a->from.q, a->to.q) < 0.0) != (dot4(b->from.q, b->to.q) < 0.0) ? -side : side;
    return along * dot4(a->to.q, b->to.q) <= margin * length;
}

// A rotation that lies more than half a turn from a heavier one may be added on either side of the sum; it and all that
// are as light as it count with twice their shares.
static double either_way(const part *parts, int count, const double sides[]) {
    double heaviest = 0.0, extra = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            const part *a = &parts[i], *b = &parts[j];
            double lighter = fmax(fmin(a->share_from, b->share_from), fmin(a->share_to, b->share_to));
            if (lighter > heaviest && may_be_opposite(a, b, sides[i] * sides[j])) heaviest = lighter;
        }
    }
    if (heaviest == 0.0) return 0.0;
    for (int i = 0; i < count; i++) {
        double lightest = fmin(parts[i].share_from, parts[i].share_to);
        if (lightest <= heaviest) extra += 2.0 * larger_share(&parts[i]);
    }
    return extra;
}

// Each part moves by its share of its own way, and a change of shares moves along the distance of the part from the
// blend: both change at once, so the first goes by the later shares and the second by the earlier poses.
static transform_bound step_of(const part *parts, int count, const local *blend, const double sum[4],
                               const double sides[]) {
    transform_bound step = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const part *p = &parts[i];
        double turned[4], shift = fabs(p->share_to - p->share_from);
        for (int c = 0; c < 4; c++) turned[c] = sides[i] * p->from.q[c] - sum[c];
        transform_bound away = {distance3(p->from.t, blend->t), sqrt(dot4(turned, turned)),
                                largest_difference(p->from.s, blend->s)};
        step = bound_add(step, bound_scale(p->moved, p->share_to));
        step = bound_add(step, bound_scale(bound_add(away, p->loose), shift));
    }
    return step;
}

change blend(const part *parts, int count) {
    change out = {.moved = {0, 0, 0}};
    double sum[4], later_sum[4], sides[MOST_PARTS], later_sides[MOST_PARTS];
    add_vectors(parts, count, false, &out.from);
    add_vectors(parts, count, true, &out.to);
    add_rotations(parts, count, false, sum, sides);
    add_rotations(parts, count, true, later_sum, later_sides);
    double length = make_unit(sum, out.from.q);
    make_unit(later_sum, out.to.q);
    for (int i = 0; i < count; i++)
        out.loose = bound_add(out.loose, bound_scale(parts[i].loose, larger_share(&parts[i])));
    double extra = either_way(parts, count, sides), surely = length - out.loose.r - extra;
    out.moved = step_of(parts, count, &out.from, sum, sides);
    out.moved.r = surely > 0.0 ? arc_of((out.moved.r + extra) / surely) : BOUND_ANY_ARC;
    out.loose.r = surely > 0.0 ? arc_of((out.loose.r + extra) / surely) : BOUND_ANY_ARC;
    out.is_wild = extra > 0.0;
    out.is_known = true;
    for (int i = 0; i < count; i++) out.is_known &= parts[i].is_known;
    return out;
}

change put_over(const change *below, const change *over, double factor_from, double factor_to) {
    if (factor_from == 0.0 && factor_to == 0.0) return *below;
    const part parts[2] = {
        {below->from, below->to, 1.0 - factor_from, 1.0 - factor_to, below->moved, below->loose, below->is_known},
        {over->from, over->to, factor_from, factor_to, over->moved, over->loose, over->is_known},
    };
    change out = blend(parts, 2);
    out.is_wild |= below->is_wild || over->is_wild;
    return out;
}

static void multiply(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static local added(const local *below, const local *difference, const double turn[4], double factor) {
    local out;
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

change put_on(const change *below, const part *difference, double factor_from, double factor_to) {
    if (factor_from == 0.0 && factor_to == 0.0) return *below;
    static const local none = {.q = {0, 0, 0, 1}, .s = {1, 1, 1}};
    part parts[2] = {{none, none, 1.0 - factor_from, 1.0 - factor_to, {0, 0, 0}, {0, 0, 0}, true}, *difference};
    parts[1].share_from = factor_from;
    parts[1].share_to = factor_to;
    change turn = blend(parts, 2), out = *below;
    out.from = added(&below->from, &difference->from, turn.from.q, factor_from);
    out.to = added(&below->to, &difference->to, turn.to.q, factor_to);
    double most = fmax(longest(below->from.s, 0.0), longest(below->to.s, 0.0));
    double factor =
        1.0 + fmax(factor_from, factor_to) * fmax(longest(difference->from.s, 1.0), longest(difference->to.s, 1.0));
    out.moved = bound_add(below->moved, turn.moved);
    out.loose = bound_add(below->loose, turn.loose);
    out.moved.s = below->moved.s * factor + most * turn.moved.s;
    out.loose.s = below->loose.s * factor + most * turn.loose.s;
    out.is_wild |= turn.is_wild;
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

// What a node's own change does: to its place, and to that of what hangs on it, for each metre that it is away.
typedef struct leverage {
    double place, turn;
    double most, least; // what is below it is scaled by
} leverage;

static leverage leverage_of(const change *node, const transform_bound *moved, const transform_bound *loose,
                            const leverage *parent) {
    double most = parent ? parent->most : 1.0, least = parent ? parent->least : 1.0;
    double own = fmax(smallest(node->from.s) - loose->s, 1e-6), arc = fmin(moved->r, asin(1.0));
    return (leverage){
        .place = most * moved->t,
        .turn = most / least * (2.0 * sin(arc) + moved->s / own),
        .most = most * (longest(node->to.s, 0.0) + loose->s),
        .least = fmax(least * own, 1e-30), // finite
    };
}

void bound_places(const sinew_skeleton *skeleton, const sinew_affine *model, const change *nodes,
                  const transform_bound *moved, const transform_bound *loose, double *bounds) {
    enum { MOST_NODES = 512 };
    leverage of[MOST_NODES];
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        int32_t parent = skeleton->parents[i];
        of[i] = leverage_of(&nodes[i], &moved[i], &loose[i], parent == SINEW_NO_NODE ? NULL : &of[parent]);
        bounds[i] = of[i].place;
        for (int32_t j = parent; j != SINEW_NO_NODE; j = skeleton->parents[j]) {
            bounds[i] += of[j].place + of[j].turn * between(&model[i], &model[j]);
        }
    }
}
