// SPDX-License-Identifier: MIT
// weights.c - skinning weights by diffusion over the surface. Each point starts with one bone. The borders between
// bones spread along the surface and not through space: an arm does not affect the flank, nor one finger the next.
#include "field.h"

#include <stdlib.h>
#include <string.h>

static double segment_distance(bone s, vec3 p) {
    vec3 d = v3_sub(s.b, s.a);
    double t = v3_dot(v3_sub(p, s.a), d) / fmax(v3_dot(d, d), 1e-12);
    return v3_distance(p, v3_mad(s.a, d, clamp(t, 0.0, 1.0)));
}

static int nearest_bone(const prim *p, const bone *bones, vec3 point) {
    int best = 0;
    double nearest = 1e9;
    for (int i = 0; i < p->bone_count; i++) {
        double d = segment_distance(bones[p->bones[i]], point);
        if (d < nearest) {
            nearest = d;
            best = p->bones[i];
        }
    }
    return best;
}

/// The directed edges of the triangles, as neighbours[starts[i]] .. neighbours[starts[i + 1] - 1].
typedef struct graph {
    uint32_t *starts, *neighbours;
} graph;

static graph graph_of(const surface *s) {
    graph g = {must_alloc(s->point_count + 2, sizeof(uint32_t)),
               must_alloc(s->triangle_count * 3, sizeof(uint32_t))};
    for (size_t i = 0; i < s->triangle_count * 3; i++) {
        g.starts[s->triangles[i] + 2]++;
    }
    for (size_t i = 2; i < s->point_count + 2; i++) {
        g.starts[i] += g.starts[i - 1];
    }
    for (size_t i = 0; i < s->triangle_count * 3; i++) {
        uint32_t to = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
        g.neighbours[g.starts[s->triangles[i] + 1]++] = to;
    }
    return g;
}

/// One step of diffusion: half of each point's weights become the mean of its neighbours'. Points that are not `soft`
/// do not change; NULL: all are soft.
static void diffuse(const surface *s, const graph *g, const bool *soft, const double *from, double *to) {
    size_t n = (size_t)s->bones;
    for (size_t i = 0; i < s->point_count; i++) {
        uint32_t first = g->starts[i], last = g->starts[i + 1];
        bool moves = last > first && (!soft || soft[i]);
        double share = moves ? 0.5 / (last - first) : 0.0;
        for (size_t k = 0; k < n; k++) {
            to[i * n + k] = (moves ? 0.5 : 1.0) * from[i * n + k];
        }
        for (uint32_t e = first; e < last && moves; e++) {
            const double *row = from + g->neighbours[e] * n;
            for (size_t k = 0; k < n; k++) {
                to[i * n + k] += share * row[k];
            }
        }
    }
}

/// The count of steps for a width: a step spreads by half the square of an edge along each direction, and half of the
/// weights are kept.
static void spread(surface *s, const graph *g, const bool *soft, double edge, double width) {
    int rounds = (int)(4.0 * width * width / (edge * edge) + 0.5);
    double *other = must_alloc(s->point_count * (size_t)s->bones, sizeof *other);
    for (int i = 0; i < rounds; i++) {
        diffuse(s, g, soft, s->weights, other);
        double *swap = s->weights;
        s->weights = other;
        other = swap;
    }
    free(other);
}

static double mean_edge(const surface *s) {
    double sum = 0.0;
    for (size_t i = 0; i < s->triangle_count * 3; i++) {
        uint32_t to = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
        sum += v3_distance(s->points[s->triangles[i]], s->points[to]);
    }
    return sum / fmax((double)(s->triangle_count * 3), 1.0);
}

void surface_weigh(surface *s, const field *f, const bone *bones, int count, double width) {
    size_t n = (size_t)count;
    s->bones = count;
    s->weights = must_alloc(s->point_count * n, sizeof *s->weights);
    bool *soft = must_alloc(s->point_count, sizeof *soft);
    double widest = 0.0;
    for (size_t i = 0; i < s->point_count; i++) {
        const prim *owner = field_owner(f, s->points[i]);
        s->weights[i * n + (size_t)nearest_bone(owner, bones, s->points[i])] = 1.0;
        soft[i] = owner->width > width;
        widest = fmax(widest, owner->width);
    }
    graph g = graph_of(s);
    double edge = mean_edge(s);
    spread(s, &g, NULL, edge, width);
    if (widest > width) {
        spread(s, &g, soft, edge, widest);
    }
    free(soft);
    free(g.starts);
    free(g.neighbours);
}

void surface_follow(surface *s, const surface *other) {
    size_t n = (size_t)other->bones;
    s->bones = other->bones;
    s->weights = must_alloc(s->point_count * n, sizeof *s->weights);
    for (size_t i = 0; i < s->point_count; i++) {
        size_t best = 0;
        double nearest = 1e9;
        for (size_t k = 0; k < other->point_count; k++) {
            vec3 d = v3_sub(s->points[i], other->points[k]);
            double square = v3_dot(d, d);
            if (square < nearest) {
                nearest = square;
                best = k;
            }
        }
        memcpy(s->weights + i * n, other->weights + best * n, n * sizeof *s->weights);
    }
}
