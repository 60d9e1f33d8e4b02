// SPDX-License-Identifier: MIT
// simplify.c - simplifies a surface by quadric edge collapse (Garland and Heckbert): each point has the planes of the
// triangles that it replaces, and the edge with the smallest error to its planes is collapsed first. Points with
// different weights cost more, so that the edge loops of joints remain.
#include "field.h"

#include <stdlib.h>
#include <string.h>

/// The sum of squared distances to planes: the upper triangle of a symmetric 4x4 matrix.
typedef struct quadric {
    double xx, xy, xz, xw, yy, yz, yw, zz, zw, ww;
} quadric;

typedef struct faces {
    uint32_t *items;
    uint32_t count, space;
} faces;

typedef struct candidate {
    double cost;
    uint32_t a, b, stamp_a, stamp_b;
} candidate;

typedef struct thinning {
    surface *s;
    quadric *quadrics;
    faces *around;    ///< triangles at each point; a dead point has none
    uint32_t *stamps; ///< raised when a point changes, so that old candidates can be told
    bool *dead;       ///< triangles
    candidate *heap;
    size_t heap_count, heap_space;
} thinning;

// ---- quadrics ----

static void quadric_add(quadric *q, const quadric *o) {
    q->xx += o->xx, q->xy += o->xy, q->xz += o->xz, q->xw += o->xw, q->yy += o->yy;
    q->yz += o->yz, q->yw += o->yw, q->zz += o->zz, q->zw += o->zw, q->ww += o->ww;
}

static quadric quadric_plane(vec3 n, double d, double weight) {
    return (quadric){weight * n.x * n.x, weight * n.x * n.y, weight * n.x * n.z, weight * n.x * d,
                     weight * n.y * n.y, weight * n.y * n.z, weight * n.y * d,   weight * n.z * n.z,
                     weight * n.z * d,   weight * d * d};
}

static double quadric_at(const quadric *q, vec3 p) {
    return p.x * (q->xx * p.x + 2.0 * (q->xy * p.y + q->xz * p.z + q->xw)) +
           p.y * (q->yy * p.y + 2.0 * (q->yz * p.z + q->yw)) + p.z * (q->zz * p.z + 2.0 * q->zw) + q->ww;
}

/// The point of least cost, regularised towards `middle`.
static vec3 quadric_best(const quadric *q, vec3 middle) {
    double pull = 1e-3 * (q->xx + q->yy + q->zz) + 1e-15;
    double a = q->xx + pull, b = q->yy + pull, c = q->zz + pull;
    vec3 r = v3(pull * middle.x - q->xw, pull * middle.y - q->yw, pull * middle.z - q->zw);
    vec3 x = v3(a, q->xy, q->xz), y = v3(q->xy, b, q->yz), z = v3(q->xz, q->yz, c);
    double det = v3_dot(x, v3_cross(y, z));
    return v3_mul(v3(v3_dot(r, v3_cross(y, z)), v3_dot(x, v3_cross(r, z)), v3_dot(x, v3_cross(y, r))), 1.0 / det);
}

// ---- candidates ----

static bool before(const candidate *x, const candidate *y) {
    if (x->cost < y->cost || x->cost > y->cost) {
        return x->cost < y->cost;
    }
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void heap_push(thinning *t, candidate c) {
    if (t->heap_count == t->heap_space) {
        t->heap_space = t->heap_space * 2 + 1024;
        t->heap = must_realloc(t->heap, t->heap_space, sizeof *t->heap);
    }
    size_t i = t->heap_count++;
    while (i > 0 && before(&c, &t->heap[(i - 1) / 2])) {
        t->heap[i] = t->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    t->heap[i] = c;
}

static candidate heap_pop(thinning *t) {
    candidate top = t->heap[0], last = t->heap[--t->heap_count];
    size_t i = 0;
    for (size_t child = 1; child < t->heap_count; child = 2 * i + 1) {
        if (child + 1 < t->heap_count && before(&t->heap[child + 1], &t->heap[child])) {
            child++;
        }
        if (!before(&t->heap[child], &last)) {
            break;
        }
        t->heap[i] = t->heap[child];
        i = child;
    }
    t->heap[i] = last;
    return top;
}

static double weight_difference(const surface *s, uint32_t a, uint32_t b) {
    double sum = 0.0;
    for (size_t k = 0; s->weights && k < (size_t)s->bones; k++) {
        double d = s->weights[a * (size_t)s->bones + k] - s->weights[b * (size_t)s->bones + k];
        sum += d * d;
    }
    return sum;
}

static vec3 merged_point(const thinning *t, uint32_t a, uint32_t b, double *cost) {
    quadric q = t->quadrics[a];
    quadric_add(&q, &t->quadrics[b]);
    vec3 pa = t->s->points[a], pb = t->s->points[b];
    vec3 best = quadric_best(&q, v3_lerp(pa, pb, 0.5));
    double length = v3_distance(pa, pb);
    if (v3_distance(best, v3_lerp(pa, pb, 0.5)) > length) {
        best = v3_lerp(pa, pb, 0.5);
    }
    double area = length * length;
    *cost =
        fmax(quadric_at(&q, best), 0.0) + 2e-4 * area * area + 2e-3 * weight_difference(t->s, a, b) * area * area;
    return best;
}

static void consider(thinning *t, uint32_t a, uint32_t b) {
    candidate c = {0.0, a < b ? a : b, a < b ? b : a, 0, 0};
    merged_point(t, c.a, c.b, &c.cost);
    c.stamp_a = t->stamps[c.a];
    c.stamp_b = t->stamps[c.b];
    heap_push(t, c);
}

// ---- topology ----

static void faces_add(faces *f, uint32_t item) {
    if (f->count == f->space) {
        f->space = f->space * 2 + 8;
        f->items = must_realloc(f->items, f->space, sizeof *f->items);
    }
    f->items[f->count++] = item;
}

static void faces_remove(faces *f, uint32_t item) {
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->items[i] == item) {
            memmove(f->items + i, f->items + i + 1, (--f->count - i) * sizeof *f->items);
            return;
        }
    }
}

static bool triangle_has(const uint32_t *triangle, uint32_t p) {
    return triangle[0] == p || triangle[1] == p || triangle[2] == p;
}

static bool linked(const thinning *t, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < t->around[a].count; i++) {
        if (triangle_has(t->s->triangles + 3 * (size_t)t->around[a].items[i], b)) {
            return true;
        }
    }
    return false;
}

/// Whether an edge may be collapsed: its ends must have exactly two common neighbours, otherwise the closed surface
/// would fold onto itself.
static bool may_collapse(const thinning *t, uint32_t a, uint32_t b) {
    uint32_t shared = 0, common = 0;
    for (uint32_t i = 0; i < t->around[a].count; i++) {
        const uint32_t *triangle = t->s->triangles + 3 * (size_t)t->around[a].items[i];
        if (triangle_has(triangle, b)) {
            shared++;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            common += triangle[k] != a && linked(t, triangle[k], b);
        }
    }
    // Each of the two common neighbours occurs once more, in a triangle that is not shared.
    return shared == 2 && common == 2;
}

static vec3 corner_of(const thinning *t, const uint32_t *triangle, int k, uint32_t moved, vec3 to) {
    return triangle[k] == moved ? to : t->s->points[triangle[k]];
}

/// Whether moving point `a` to `to` flips a triangle, except those with `b`, which are removed.
static bool turns_over(const thinning *t, uint32_t a, uint32_t b, vec3 to) {
    for (uint32_t i = 0; i < t->around[a].count; i++) {
        const uint32_t *triangle = t->s->triangles + 3 * (size_t)t->around[a].items[i];
        if (triangle_has(triangle, b)) {
            continue;
        }
        vec3 p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = t->s->points[triangle[k]];
            q[k] = corner_of(t, triangle, k, a, to);
        }
        vec3 was = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
        vec3 is = v3_cross(v3_sub(q[1], q[0]), v3_sub(q[2], q[0]));
        if (v3_dot(was, is) < 0.3 * v3_length(was) * v3_length(is)) {
            return true;
        }
    }
    return false;
}

static void mix_weights(surface *s, uint32_t a, uint32_t b, double t) {
    for (size_t k = 0; s->weights && k < (size_t)s->bones; k++) {
        double *wa = &s->weights[a * (size_t)s->bones + k];
        *wa = mix(*wa, s->weights[b * (size_t)s->bones + k], t);
    }
}

/// Merges point b into point a, which moves to `to`.
static void collapse(thinning *t, uint32_t a, uint32_t b, vec3 to) {
    surface *s = t->s;
    vec3 along = v3_sub(s->points[b], s->points[a]);
    double share = v3_dot(v3_sub(to, s->points[a]), along) / fmax(v3_dot(along, along), 1e-18);
    mix_weights(s, a, b, clamp(share, 0.0, 1.0));
    s->points[a] = to;
    quadric_add(&t->quadrics[a], &t->quadrics[b]);
    while (t->around[b].count > 0) {
        uint32_t f = t->around[b].items[t->around[b].count - 1];
        uint32_t *triangle = s->triangles + 3 * (size_t)f;
        bool vanishes = triangle_has(triangle, a);
        for (int k = 0; k < 3 && vanishes; k++) {
            faces_remove(&t->around[triangle[k]], f);
        }
        if (vanishes) {
            t->dead[f] = true;
            continue;
        }
        t->around[b].count--;
        for (int k = 0; k < 3; k++) {
            triangle[k] = triangle[k] == b ? a : triangle[k];
        }
        faces_add(&t->around[a], f);
    }
    t->stamps[a]++;
    t->stamps[b]++;
    for (uint32_t i = 0; i < t->around[a].count; i++) {
        const uint32_t *triangle = s->triangles + 3 * (size_t)t->around[a].items[i];
        for (int k = 0; k < 3; k++) {
            if (triangle[k] == a) { // each neighbour once: the one after a
                consider(t, a, triangle[(k + 1) % 3]);
            }
        }
    }
}

// ---- the whole ----

static void begin(thinning *t) {
    surface *s = t->s;
    t->quadrics = must_alloc(s->point_count, sizeof *t->quadrics);
    t->around = must_alloc(s->point_count, sizeof *t->around);
    t->stamps = must_alloc(s->point_count, sizeof *t->stamps);
    t->dead = must_alloc(s->triangle_count, sizeof *t->dead);
    for (uint32_t f = 0; f < s->triangle_count; f++) {
        const uint32_t *c = s->triangles + 3 * (size_t)f;
        vec3 p = s->points[c[0]];
        vec3 n = v3_cross(v3_sub(s->points[c[1]], p), v3_sub(s->points[c[2]], p));
        double area = v3_length(n);
        vec3 unit = v3_unit(n);
        quadric q = quadric_plane(unit, -v3_dot(unit, p), area);
        for (int k = 0; k < 3; k++) {
            quadric_add(&t->quadrics[c[k]], &q);
            faces_add(&t->around[c[k]], f);
        }
    }
    for (size_t i = 0; i < s->triangle_count * 3; i++) {
        uint32_t a = s->triangles[i], b = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
        if (a < b) {
            consider(t, a, b);
        }
    }
}

/// Removes deleted points and triangles from the arrays.
static void compact(thinning *t) {
    surface *s = t->s;
    uint32_t *indices = must_alloc(s->point_count, sizeof *indices);
    size_t n = (size_t)s->bones, points = 0, triangles = 0;
    for (size_t i = 0; i < s->point_count; i++) {
        if (t->around[i].count == 0) {
            continue;
        }
        indices[i] = (uint32_t)points;
        s->points[points] = s->points[i];
        if (s->weights) {
            memmove(s->weights + points * n, s->weights + i * n, n * sizeof *s->weights);
        }
        points++;
    }
    for (size_t f = 0; f < s->triangle_count; f++) {
        if (t->dead[f]) {
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            s->triangles[triangles * 3 + k] = indices[s->triangles[f * 3 + k]];
        }
        triangles++;
    }
    s->point_count = points;
    s->triangle_count = triangles;
    free(indices);
}

static void end(thinning *t, size_t points) {
    for (size_t i = 0; i < points; i++) {
        free(t->around[i].items);
    }
    free(t->around);
    free(t->quadrics);
    free(t->stamps);
    free(t->dead);
    free(t->heap);
}

void surface_thin(surface *s, size_t target) {
    thinning t = {.s = s};
    size_t all = s->point_count, left = all;
    begin(&t);
    while (left > target && t.heap_count > 0) {
        candidate c = heap_pop(&t);
        bool stale = t.stamps[c.a] != c.stamp_a || t.stamps[c.b] != c.stamp_b;
        if (stale || !may_collapse(&t, c.a, c.b)) {
            continue;
        }
        double cost;
        vec3 to = merged_point(&t, c.a, c.b, &cost);
        if (turns_over(&t, c.a, c.b, to) || turns_over(&t, c.b, c.a, to)) {
            continue;
        }
        collapse(&t, c.a, c.b, to);
        left--;
    }
    compact(&t);
    end(&t, all);
}
