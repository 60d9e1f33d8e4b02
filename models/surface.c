// SPDX-License-Identifier: MIT
// surface.c - the zero surface of a field by surface nets: one point in each grid cell that the surface crosses, one
// quad across each grid edge that it crosses. Then the points are relaxed and projected onto the surface.
#include "field.h"

#include <stdlib.h>
#include <string.h>

enum { RELAX_ROUNDS = 3, NO_POINT = -1 };

typedef struct grid {
    vec3 low;
    double cell;
    int nx, ny, nz;  ///< corners
    double *values;  ///< at the corners
    int32_t *points; ///< of the cell whose lowest corner this is
} grid;

static size_t corner(const grid *g, int x, int y, int z) {
    return ((size_t)z * (size_t)g->ny + (size_t)y) * (size_t)g->nx + (size_t)x;
}

static vec3 corner_position(const grid *g, int x, int y, int z) {
    return v3_add(g->low, v3_mul(v3(x, y, z), g->cell));
}

static grid grid_sample(const field *f, double cell) {
    vec3 low, high;
    field_bounds(f, &low, &high);
    double margin = 2.5 * cell;
    grid g = {.low = v3_sub(low, v3(margin, margin, margin)), .cell = cell};
    g.nx = (int)((high.x - low.x + 2.0 * margin) / cell) + 2;
    g.ny = (int)((high.y - low.y + 2.0 * margin) / cell) + 2;
    g.nz = (int)((high.z - low.z + 2.0 * margin) / cell) + 2;
    size_t count = corner(&g, 0, 0, g.nz);
    g.values = must_alloc(count, sizeof *g.values);
    g.points = must_alloc(count, sizeof *g.points);
    for (int z = 0; z < g.nz; z++) {
        for (int y = 0; y < g.ny; y++) {
            for (int x = 0; x < g.nx; x++) {
                g.values[corner(&g, x, y, z)] = field_at(f, corner_position(&g, x, y, z));
                g.points[corner(&g, x, y, z)] = NO_POINT;
            }
        }
    }
    return g;
}

// ---- points ----

/// The mean of the intersections of the surface with the edges of a cell. Returns false if it has none.
static bool cell_point(const grid *g, int x, int y, int z, vec3 *point) {
    double value[8];
    int inside = 0;
    for (int i = 0; i < 8; i++) {
        value[i] = g->values[corner(g, x + (i & 1), y + (i >> 1 & 1), z + (i >> 2))];
        inside += value[i] < 0.0;
    }
    if (inside == 0 || inside == 8) {
        return false;
    }
    vec3 sum = {0, 0, 0};
    int cuts = 0;
    for (int i = 0; i < 8; i++) {
        for (int axis = 1; axis < 8; axis <<= 1) {
            int j = i | axis;
            if (j == i || (value[i] < 0.0) == (value[j] < 0.0)) {
                continue;
            }
            double t = value[i] / (value[i] - value[j]);
            vec3 a = v3(i & 1, i >> 1 & 1, i >> 2), b = v3(j & 1, j >> 1 & 1, j >> 2);
            sum = v3_add(sum, v3_lerp(a, b, t));
            cuts++;
        }
    }
    *point = v3_mad(corner_position(g, x, y, z), sum, g->cell / cuts);
    return true;
}

static void add_points(surface *s, grid *g) {
    size_t space = 0;
    for (int z = 0; z + 1 < g->nz; z++) {
        for (int y = 0; y + 1 < g->ny; y++) {
            for (int x = 0; x + 1 < g->nx; x++) {
                vec3 point;
                if (!cell_point(g, x, y, z, &point)) {
                    continue;
                }
                if (s->point_count == space) {
                    space = space * 2 + 1024;
                    s->points = must_realloc(s->points, space, sizeof *s->points);
                }
                g->points[corner(g, x, y, z)] = (int32_t)s->point_count;
                s->points[s->point_count++] = point;
            }
        }
    }
}

// ---- triangles ----

static void add_quad(surface *s, size_t *space, const int32_t p[4], bool flip) {
    if (s->triangle_count + 2 > *space) {
        *space = *space * 2 + 2048;
        s->triangles = must_realloc(s->triangles, *space * 3, sizeof *s->triangles);
    }
    // Cut along the shorter diagonal.
    double even = v3_distance(s->points[p[0]], s->points[p[2]]);
    double odd = v3_distance(s->points[p[1]], s->points[p[3]]);
    int first = even <= odd ? 0 : 1;
    for (int half = 0; half < 2; half++) {
        int a = first, b = (first + 1 + half) % 4, c = (first + 2 + half) % 4;
        uint32_t *t = s->triangles + 3 * s->triangle_count++;
        t[0] = (uint32_t)p[a];
        t[1] = (uint32_t)p[flip ? c : b];
        t[2] = (uint32_t)p[flip ? b : c];
    }
}

/// Adds the quad of the four cells around the grid edge from corner (x, y, z) along `axis`, if the surface crosses it.
static void add_edge_quad(surface *s, size_t *space, const grid *g, const int at[3], int axis) {
    static const int next[3] = {1, 2, 0};
    int u = next[axis], v = next[u];
    int end[3] = {at[0], at[1], at[2]};
    end[axis]++;
    bool inside = g->values[corner(g, at[0], at[1], at[2])] < 0.0;
    if (inside == (g->values[corner(g, end[0], end[1], end[2])] < 0.0)) {
        return;
    }
    static const int around[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
    int32_t p[4];
    for (int i = 0; i < 4; i++) {
        int cell[3] = {at[0], at[1], at[2]};
        cell[u] += around[i][0];
        cell[v] += around[i][1];
        p[i] = g->points[corner(g, cell[0], cell[1], cell[2])];
    }
    add_quad(s, space, p, !inside);
}

static void add_triangles(surface *s, const grid *g) {
    size_t space = 0;
    for (int z = 1; z + 1 < g->nz; z++) {
        for (int y = 1; y + 1 < g->ny; y++) {
            for (int x = 1; x + 1 < g->nx; x++) {
                const int at[3] = {x, y, z};
                for (int axis = 0; axis < 3; axis++) {
                    add_edge_quad(s, &space, g, at, axis);
                }
            }
        }
    }
}

// ---- evening out ----

/// Moves each point to the mean of its neighbours, and projects it onto the surface.
static void relax(surface *s, const field *f) {
    vec3 *sums = must_alloc(s->point_count, sizeof *sums);
    double *counts = must_alloc(s->point_count, sizeof *counts);
    for (size_t t = 0; t < s->triangle_count * 3; t++) {
        uint32_t a = s->triangles[t], b = s->triangles[t % 3 == 2 ? t - 2 : t + 1];
        sums[a] = v3_add(sums[a], s->points[b]);
        sums[b] = v3_add(sums[b], s->points[a]);
        counts[a] += 1.0;
        counts[b] += 1.0;
    }
    for (size_t i = 0; i < s->point_count; i++) {
        vec3 middle = v3_mul(sums[i], 1.0 / fmax(counts[i], 1.0));
        s->points[i] = field_project(f, v3_lerp(s->points[i], middle, 0.5));
    }
    free(sums);
    free(counts);
}

surface surface_grow(const field *f, double cell) {
    surface s = {0};
    grid g = grid_sample(f, cell);
    add_points(&s, &g);
    add_triangles(&s, &g);
    free(g.values);
    free(g.points);
    for (int i = 0; i < RELAX_ROUNDS; i++) {
        relax(&s, f);
    }
    return s;
}

static void *copy_of(const void *data, size_t size) {
    return data ? memcpy(must_alloc(size, 1), data, size) : NULL;
}

surface surface_copy(const surface *s) {
    surface copy = *s;
    copy.points = copy_of(s->points, s->point_count * sizeof *s->points);
    copy.triangles = copy_of(s->triangles, s->triangle_count * 3 * sizeof *s->triangles);
    copy.weights = copy_of(s->weights, s->point_count * (size_t)s->bones * sizeof *s->weights);
    return copy;
}

void surface_free(surface *s) {
    free(s->points);
    free(s->triangles);
    free(s->weights);
    *s = (surface){0};
}
