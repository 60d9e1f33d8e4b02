// SPDX-License-Identifier: MIT
// Delaunay triangles between a blend space's samples, and their corners' weights.
//
// The weights at a point (x, y) are its barycentric coordinates in the triangle that contains it. Outside all
// triangles, the nearest point on the outline counts instead. The outline has the edges around all triangles. The side
// tests for lines and circles are exact. So the triangulation is correct even for very flat triangles, and each point
// is inside a triangle, on its border, or outside all of them. A rank is a sample's index after sorting.
#include "core/blend_space_data.h"

#include <math.h>

typedef struct point {
    double x, y; // from floats, so a product of two is exact
} point;

static point point_of(const sinew_blend_sample *sample) {
    return (point){(double)sample->x, (double)sample->y};
}

// ---- Sums without rounding -----------------------------------------------------------------------------------

// An exact sum. Its parts have no overlapping bits and start with the smallest (see the expansions in J. R. Shewchuk,
// "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997).
typedef struct exact_sum {
    double parts[96]; // in_circle adds this many
    int count;
} exact_sum;

// Adds a term exactly. The rounding error of each addition becomes a part of the sum.
static void add_exactly(exact_sum *sum, double term) {
    int count = 0;
    for (int i = 0; i < sum->count; i++) {
        double part = sum->parts[i], total = term + part, added = total - term;
        double error = (term - (total - added)) + (part - added);
        if (error != 0.0) sum->parts[count++] = error;
        term = total;
    }
    if (term != 0.0) sum->parts[count++] = term;
    sum->count = count;
}

// Returns the upper half of a double's bits, because products of halves are exact.
static double upper_half(double a) {
    double shifted = 134217729.0 * a; // 2^27 + 1
    return shifted - (shifted - a);
}

// Adds a × b exactly, as the product and its rounding error (Dekker's product).
static void add_product(exact_sum *sum, double a, double b) {
    double product = a * b, a_high = upper_half(a), b_high = upper_half(b);
    double a_low = a - a_high, b_low = b - b_high;
    double error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    add_exactly(sum, error);
    add_exactly(sum, product);
}

// Rounds the sum to a double. The sign is exact.
static double round_sum(const exact_sum *sum) {
    double value = 0.0;
    for (int i = 0; i < sum->count; i++) value += sum->parts[i];
    return value;
}

// ---- Sides ---------------------------------------------------------------------------------------------------

// Writes the products that sum to signed_area2. Each is exact.
static void signed_area2_terms(point a, point b, point c, double terms[6]) {
    terms[0] = a.x * b.y;
    terms[1] = -a.y * b.x;
    terms[2] = b.x * c.y;
    terms[3] = -b.y * c.x;
    terms[4] = c.x * a.y;
    terms[5] = -c.y * a.x;
}

// Returns twice a triangle's signed area. It is positive if counter-clockwise, and 0 if the corners are on a line. The
// sign is exact, and the relative error is below 1e-9.
static double signed_area2(point a, point b, point c) {
    double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), difference = left - right;
    if (fabs(difference) > 1e-6 * (fabs(left) + fabs(right))) return difference; // rounding is 4e-16 of these
    double terms[6];
    signed_area2_terms(a, b, c, terms);
    exact_sum sum = {.count = 0};
    for (int i = 0; i < 6; i++) add_exactly(&sum, terms[i]);
    return round_sum(&sum);
}

// Adds sign × |lifted|² × signed_area2(a, b, c). This is one term of the determinant of four points lifted to a
// paraboloid.
static void add_lifted_terms(exact_sum *sum, double sign, point lifted, point a, point b, point c) {
    double terms[6];
    signed_area2_terms(a, b, c, terms);
    for (int i = 0; i < 6; i++) {
        add_product(sum, sign * lifted.x * lifted.x, terms[i]);
        add_product(sum, sign * lifted.y * lifted.y, terms[i]);
    }
}

// Positive if d is inside the circle through the counter-clockwise points a, b and c. 0 if d is on it. The sign is
// exact.
static double side_of_circle(point a, point b, point c, point d) {
    point da = {a.x - d.x, a.y - d.y}, db = {b.x - d.x, b.y - d.y}, dc = {c.x - d.x, c.y - d.y};
    double a2 = da.x * da.x + da.y * da.y, b2 = db.x * db.x + db.y * db.y, c2 = dc.x * dc.x + dc.y * dc.y;
    double bc = db.x * dc.y, cb = db.y * dc.x, ca = dc.x * da.y, ac = dc.y * da.x, ab = da.x * db.y,
           ba = da.y * db.x;
    double sum = a2 * (bc - cb) + b2 * (ca - ac) + c2 * (ab - ba);
    double bound = a2 * (fabs(bc) + fabs(cb)) + b2 * (fabs(ca) + fabs(ac)) + c2 * (fabs(ab) + fabs(ba));
    if (fabs(sum) > 1.2e-15 * bound) return sum; // Shewchuk's bound is 10.0001 × 2^-53

    exact_sum exact = {.count = 0};
    add_lifted_terms(&exact, 1.0, a, b, c, d);
    add_lifted_terms(&exact, -1.0, b, a, c, d);
    add_lifted_terms(&exact, 1.0, c, a, b, d);
    add_lifted_terms(&exact, -1.0, d, a, b, c);
    return round_sum(&exact);
}

// ---- Triangles -----------------------------------------------------------------------------------------------

// Orders points by their distance from (0, 0), then by coordinates.
static bool precedes(point a, point b) {
    double a2 = a.x * a.x + a.y * a.y, b2 = b.x * b.x + b.y * b.y;
    if (a2 != b2) return a2 < b2;
    return a.x != b.x ? a.x < b.x : a.y < b.y;
}

// Insertion sort, because there are few samples.
static void sort_ranks(const sinew_blend_sample *samples, int32_t count, int32_t *ranks) {
    for (int32_t i = 0; i < count; i++) {
        int32_t slot = i;
        for (; slot > 0 && precedes(point_of(&samples[i]), point_of(&samples[ranks[slot - 1]])); slot--) {
            ranks[slot] = ranks[slot - 1];
        }
        ranks[slot] = i;
    }
}

// Returns whether the point of rank `d` is inside the circle through the corners of `t`. If four points are on one
// circle, symbolic perturbation decides. Points are lifted to a paraboloid and then lowered by an infinitesimal amount,
// far more for lower ranks than for higher ones. Then they are never coplanar, so the triangles are consistent.
static bool is_inside_circle(const sinew_blend_sample *samples, const int32_t *ranks, const int32_t t[3],
                             int32_t d) {
    point a = point_of(&samples[ranks[t[0]]]), b = point_of(&samples[ranks[t[1]]]);
    point c = point_of(&samples[ranks[t[2]]]), p = point_of(&samples[ranks[d]]);
    double side = side_of_circle(a, b, c, p);
    if (side != 0.0) return side > 0.0;
    const int32_t rank[4] = {t[0], t[1], t[2], d};
    const double when_lowered[4] = {-signed_area2(b, c, p), signed_area2(a, c, p), -signed_area2(a, b, p),
                                    signed_area2(a, b, c)};
    int first = 3;
    for (int i = 0; i < 3; i++) {
        if (when_lowered[i] != 0.0 && rank[i] < rank[first]) first = i;
    }
    return when_lowered[first] > 0.0;
}

// Returns whether the circle through the corners of `t` contains no other point.
static bool has_empty_circle(const sinew_blend_sample *samples, const int32_t *ranks, int32_t count,
                             const int32_t t[3]) {
    for (int32_t d = 0; d < count; d++) {
        if (d != t[0] && d != t[1] && d != t[2] && is_inside_circle(samples, ranks, t, d)) return false;
    }
    return true;
}

// Three points are a Delaunay triangle if their circle contains no other point. There are few points, so this tests
// every triple.
int32_t sinewi_blend_triangulate(const sinew_blend_sample *samples, int32_t sample_count,
                                 sinew_blend_triangle *triangles, int32_t *ranks) {
    sort_ranks(samples, sample_count, ranks);
    int32_t count = 0;
    for (int32_t a = 0; a < sample_count; a++) {
        for (int32_t b = a + 1; b < sample_count; b++) {
            for (int32_t c = b + 1; c < sample_count; c++) {
                double side = signed_area2(point_of(&samples[ranks[a]]), point_of(&samples[ranks[b]]),
                                           point_of(&samples[ranks[c]]));
                const int32_t t[3] = {a, side > 0.0 ? b : c, side > 0.0 ? c : b};
                if (side == 0.0 || !has_empty_circle(samples, ranks, sample_count, t)) continue;
                triangles[count++] = (sinew_blend_triangle){{ranks[t[0]], ranks[t[1]], ranks[t[2]]}};
            }
        }
    }
    return count;
}

static blend_edge triangle_edge(const sinew_blend_triangle *triangle, int i) {
    return (blend_edge){triangle->corners[i], triangle->corners[(i + 1) % 3]};
}

// Returns whether a triangle has an edge in this direction. Neighbors have their shared edge in opposite directions.
static bool has_edge(const sinew_blend_triangle *triangles, int32_t triangle_count, int32_t from, int32_t to) {
    for (int32_t t = 0; t < triangle_count; t++) {
        for (int i = 0; i < 3; i++) {
            blend_edge edge = triangle_edge(&triangles[t], i);
            if (edge.from == from && edge.to == to) return true;
        }
    }
    return false;
}

// Lists the edges that belong to only one triangle.
int32_t sinewi_blend_outline(const sinew_blend_triangle *triangles, int32_t triangle_count, blend_edge *outline) {
    int32_t count = 0;
    for (int32_t t = 0; t < triangle_count; t++) {
        for (int i = 0; i < 3; i++) {
            blend_edge edge = triangle_edge(&triangles[t], i);
            if (!has_edge(triangles, triangle_count, edge.to, edge.from)) outline[count++] = edge;
        }
    }
    return count;
}

// ---- Weights -------------------------------------------------------------------------------------------------

// If a triangle contains p, sets its corners' weights to the opposite areas. They are normalized later.
static bool set_triangle_weights(const sinew_blend_space *space, const int32_t corner[3], point p,
                                 double *weights) {
    point a = point_of(&space->samples[corner[0]]), b = point_of(&space->samples[corner[1]]);
    point c = point_of(&space->samples[corner[2]]);
    double of_a = signed_area2(p, b, c), of_b = signed_area2(a, p, c), of_c = signed_area2(a, b, p);
    if (of_a < 0.0 || of_b < 0.0 || of_c < 0.0) return false;
    weights[corner[0]] = of_a;
    weights[corner[1]] = of_b;
    weights[corner[2]] = of_c;
    return true;
}

// For a point outside all triangles, sets the weights of the nearest point on the outline. This is on the edge whose
// perpendicular strip contains p. Without such an edge, it is the corner q with the greatest 2 q · p - |q|². Unlike the
// distance, this still differs between corners if p is far away.
static void set_outline_weights(const sinew_blend_space *space, point p, double *weights) {
    double greatest = -HUGE_VAL;
    int32_t nearest = 0;
    for (int32_t e = 0; e < space->data->outline_count; e++) {
        blend_edge edge = space->data->outline[e];
        point a = point_of(&space->samples[edge.from]), b = point_of(&space->samples[edge.to]);
        point along = {b.x - a.x, b.y - a.y};
        double t = (p.x * along.x + p.y * along.y) - (a.x * along.x + a.y * along.y);
        t /= along.x * along.x + along.y * along.y;
        if (t >= 0.0 && t <= 1.0 && signed_area2(a, b, p) < 0.0) {
            weights[edge.from] = 1.0 - t;
            weights[edge.to] = t;
            return;
        }
        double nearness = 2.0 * (a.x * p.x + a.y * p.y) - (a.x * a.x + a.y * a.y);
        if (!(nearness > greatest)) continue;
        greatest = nearness;
        nearest = edge.from;
    }
    weights[nearest] = 1.0;
}

void sinewi_blend_triangle_weights(const sinew_blend_space *space, float x, float y, double *weights) {
    point p = {(double)x, (double)y};
    for (int32_t t = 0; t < space->triangle_count; t++) {
        if (set_triangle_weights(space, space->triangles[t].corners, p, weights)) return;
    }
    set_outline_weights(space, p, weights);
}
