// SPDX-License-Identifier: MIT
// Sorts triangles for the index codec, which stores a triangle in a byte if it has one of the latest edges, and its third vertex
// is the next new one or one of the latest. GPUs reuse transformed vertices for the same reason.
//
// The next triangle is, of those at the latest edges, the one with the largest sum of the scores of its vertices. The score
// is that of T. Forsyth, "Linear-Speed Vertex Cache Optimisation", with exponents of 0.5 and a scale of 4 for the valence,
// which gave the fewest bytes: square roots are the same on every machine.
#include "meshes/internal.h"

#include <math.h>
#include <string.h>

// The lists of the codec (github.com/zeux/meshoptimizer, indexcodec.cpp): 15 edges, and the vertices with a code of their own.
enum { EDGES = 15, VERTICES = 13 };

// So many triangles at an edge are compared, so that the time is linear.
enum { MAX_COMPARED = 64 };

#define SCORE_LATEST  0.75 // of the vertices of the latest triangle
#define SCORE_VALENCE 4.0

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct sorter {
    const uint32_t *corners; // [3 × triangles]
    size_t triangle_count;
    uint32_t *first;  // [vertices + 1]: the list of triangles of each vertex
    uint32_t *around; // [3 × triangles]
    uint32_t *left;   // [vertices]: triangles that are not written
    uint32_t *listed; // [vertices]: the value of list_count when it was listed last; 0: never
    uint32_t list_count;
    bool *written; // [triangles]
    edge edges[EDGES];
    size_t edge_count; // all that were listed
    size_t cursor;     // all triangles before it are written
} sorter;

static void list_triangles(sorter *s, size_t vertex_count) {
    const size_t count = 3 * s->triangle_count;
    for (size_t i = 0; i < count; i++) s->left[s->corners[i]]++;
    for (size_t v = 0; v < vertex_count; v++) s->first[v + 1] = s->first[v] + s->left[v];
    memset(s->left, 0, vertex_count * sizeof *s->left);
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = s->corners[i];
        s->around[s->first[v] + s->left[v]++] = (uint32_t)(i / 3);
    }
}

// ---- Scores --------------------------------------------------------------------------------------------------------

static bool is_listed(const sorter *s, uint32_t vertex) {
    return s->listed[vertex] > 0 && s->list_count - s->listed[vertex] < VERTICES;
}

static double vertex_score(const sorter *s, uint32_t vertex) {
    const double valence = SCORE_VALENCE / sqrt((double)s->left[vertex]);
    if (!is_listed(s, vertex)) return valence;
    const double age = (double)(s->list_count - s->listed[vertex]);
    return valence + (age < 3.0 ? SCORE_LATEST : sqrt(1.0 - (age - 3.0) / (VERTICES - 3)));
}

static double triangle_score(const sorter *s, const uint32_t *corners) {
    return vertex_score(s, corners[0]) + vertex_score(s, corners[1]) + vertex_score(s, corners[2]);
}

// ---- The next triangle ---------------------------------------------------------------------------------------------

typedef struct candidate {
    size_t triangle;
    int start; // the corner at which the latest edge starts; -1: it has none
    double score;
} candidate;

static int edge_start(const uint32_t *corners, edge e) {
    for (int i = 0; i < 3; i++) {
        if (corners[i] == e.from && corners[(i + 1) % 3] == e.to) return i;
    }
    return -1;
}

static void search_edge(const sorter *s, edge e, candidate *best) {
    const uint32_t first = s->first[e.from], count = s->first[e.from + 1] - first;
    for (uint32_t i = 0; i < count && i < MAX_COMPARED; i++) {
        const size_t triangle = s->around[first + i];
        const int start = s->written[triangle] ? -1 : edge_start(s->corners + 3 * triangle, e);
        if (start < 0) continue;
        const double score = triangle_score(s, s->corners + 3 * triangle);
        if (score > best->score) *best = (candidate){triangle, start, score};
    }
}

static candidate next_triangle(sorter *s) {
    candidate best = {.start = -1, .score = 0.0};
    for (size_t i = 1; i <= EDGES && i <= s->edge_count; i++)
        search_edge(s, s->edges[(s->edge_count - i) % EDGES], &best);
    if (best.start >= 0) return best;
    while (s->written[s->cursor]) s->cursor++;
    best.triangle = s->cursor;
    return best;
}

// ---- The lists -----------------------------------------------------------------------------------------------------

static void list_vertex(sorter *s, uint32_t vertex) {
    if (!is_listed(s, vertex)) s->listed[vertex] = ++s->list_count;
}

// Lists an edge in the direction that it has in a neighbour.
static void list_edge(sorter *s, uint32_t from, uint32_t to) {
    s->edges[s->edge_count++ % EDGES] = (edge){to, from};
}

static void write_triangle(sorter *s, candidate next, uint32_t *out) {
    const uint32_t *corners = s->corners + 3 * next.triangle;
    const int start = next.start < 0 ? 0 : next.start;
    const uint32_t a = corners[start], b = corners[(start + 1) % 3], c = corners[(start + 2) % 3];
    memcpy(out, corners, 3 * sizeof *out);
    s->written[next.triangle] = true;
    for (int i = 0; i < 3; i++) s->left[corners[i]]--;
    if (next.start < 0) {
        list_vertex(s, a);
        list_vertex(s, b);
        list_edge(s, a, b);
    }
    list_vertex(s, c);
    list_edge(s, b, c);
    list_edge(s, c, a);
}

uint32_t *mesh_sort_triangles(const uint32_t *indices, size_t count, size_t vertex_count, sinew_arena *arena) {
    sorter s = {.corners = indices, .triangle_count = count / 3};
    s.first = sinew_arena_zeros(arena, uint32_t, vertex_count + 1);
    s.around = sinew_arena_array(arena, uint32_t, count);
    s.left = sinew_arena_zeros(arena, uint32_t, vertex_count);
    s.listed = sinew_arena_zeros(arena, uint32_t, vertex_count);
    s.written = sinew_arena_zeros(arena, bool, s.triangle_count);
    uint32_t *out = sinew_arena_array(arena, uint32_t, count);
    if (!s.first || !s.around || !s.left || !s.listed || !s.written || !out) return NULL;
    list_triangles(&s, vertex_count);
    for (size_t i = 0; i < s.triangle_count; i++) write_triangle(&s, next_triangle(&s), out + 3 * i);
    return out;
}
