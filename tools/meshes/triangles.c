// SPDX-License-Identifier: MIT
// Sorts triangles for the index codec. It stores a triangle in a byte if that has one of the latest edges, and its
// third vertex is the next new one or one of the latest. GPUs reuse transformed vertices for the same reason.
//
// The next triangle is the one at the latest edges with the best score, which is the sum of its vertices' scores and
// its edge's score. Later edges score more, so triangles form strips. Vertex scores come from T. Forsyth, "Linear-Speed
// Vertex Cache Optimisation", with exponents of 0.5, because square roots are the same on every machine. If there's no
// such triangle, the next one is at the position of one of the latest vertices. This keeps equal positions of flat
// faces close together. The constants gave the fewest bytes for 78 game meshes.
#include "meshes/internal.h"

#include <math.h>
#include <string.h>

// The codec's lists (github.com/zeux/meshoptimizer, indexcodec.cpp): 15 edges, and the vertices with their own code.
enum { EDGES = 15, VERTICES = 13 };

// How many triangles at a position are compared, and how many vertices' positions. This keeps the time linear.
enum { MAX_COMPARED = 64, RECENT = 32 };

#define SCORE_VALENCE 2.5
#define SCORE_EDGE    3.0 // for the latest edge
#define SCORE_AGE     0.4 // per vertex later, at its position

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct sorter {
    const uint32_t *corners;  // [3 × triangles]
    const uint32_t *position; // [vertices]; first vertex at the same position
    size_t triangle_count;
    uint32_t *first;  // [vertices + 1]; start of each position's list of triangles
    uint32_t *around; // [3 × triangles]
    uint32_t *left;   // [vertices]; unwritten triangles at a position
    uint32_t *listed; // [vertices]; list_count when it was last listed; 0 if never
    uint32_t list_count;
    uint32_t recent[RECENT]; // the latest vertices, in a ring
    size_t recent_count;     // all that were ever added
    bool *written;           // [triangles]
    edge edges[EDGES];
    size_t edge_count; // all that were ever listed
    size_t cursor;     // all triangles before it are written
} sorter;

static void list_triangles(sorter *s, size_t vertex_count) {
    const size_t count = 3 * s->triangle_count;
    for (size_t i = 0; i < count; i++) s->left[s->position[s->corners[i]]]++;
    for (size_t v = 0; v < vertex_count; v++) s->first[v + 1] = s->first[v] + s->left[v];
    memset(s->left, 0, vertex_count * sizeof *s->left);
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = s->position[s->corners[i]];
        s->around[s->first[v] + s->left[v]++] = (uint32_t)(i / 3);
    }
}

// ---- Scores --------------------------------------------------------------------------------------------------------

static bool is_listed(const sorter *s, uint32_t vertex) {
    return s->listed[vertex] > 0 && s->list_count - s->listed[vertex] < VERTICES;
}

static double vertex_score(const sorter *s, uint32_t vertex) {
    const double valence = SCORE_VALENCE / sqrt((double)s->left[s->position[vertex]]);
    if (!is_listed(s, vertex)) return valence;
    const double age = (double)(s->list_count - s->listed[vertex]);
    return valence + (age < 3.0 ? 1.0 : sqrt(1.0 - (age - 3.0) / (VERTICES - 3)));
}

// The fewer triangles are left at its positions, the sooner a triangle is written.
static double position_score(const sorter *s, const uint32_t *corners) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) sum += 1.0 / (double)s->left[s->position[corners[i]]];
    return sum;
}

static double triangle_score(const sorter *s, const uint32_t *corners) {
    return vertex_score(s, corners[0]) + vertex_score(s, corners[1]) + vertex_score(s, corners[2]);
}

// ---- The next triangle ---------------------------------------------------------------------------------------------

typedef struct candidate {
    size_t triangle;
    int start;     // first corner to write
    bool has_edge; // one of the latest edges starts there
    double score;
} candidate;

static int edge_start(const uint32_t *corners, edge e) {
    for (int i = 0; i < 3; i++) {
        if (corners[i] == e.from && corners[(i + 1) % 3] == e.to) return i;
    }
    return -1;
}

static void search_edge(const sorter *s, edge e, double edge_score, candidate *best) {
    const uint32_t at = s->position[e.from], first = s->first[at], count = s->first[at + 1] - first;
    for (uint32_t i = 0; i < count && i < MAX_COMPARED; i++) {
        const size_t triangle = s->around[first + i];
        const int start = s->written[triangle] ? -1 : edge_start(s->corners + 3 * triangle, e);
        if (start < 0) continue;
        const double score = edge_score + triangle_score(s, s->corners + 3 * triangle);
        if (score > best->score) *best = (candidate){triangle, start, true, score};
    }
}

static int corner_at(const sorter *s, const uint32_t *corners, uint32_t position) {
    int i = 0;
    while (i < 2 && s->position[corners[i]] != position) i++;
    return i;
}

static void search_position(const sorter *s, uint32_t position, double penalty, candidate *best) {
    const uint32_t first = s->first[position], count = s->first[position + 1] - first;
    for (uint32_t i = 0; i < count && i < MAX_COMPARED; i++) {
        const size_t triangle = s->around[first + i];
        const uint32_t *corners = s->corners + 3 * triangle;
        if (s->written[triangle]) continue;
        const double score = position_score(s, corners) - penalty;
        if (score > best->score) *best = (candidate){triangle, corner_at(s, corners, position), false, score};
    }
}

// Returns a triangle at a recent vertex's position, or the first one left.
static candidate restart(sorter *s) {
    candidate best = {.score = -(double)INFINITY};
    for (size_t i = 0; i < RECENT && i < s->recent_count; i++)
        search_position(s, s->position[s->recent[(s->recent_count - 1 - i) % RECENT]], SCORE_AGE * (double)i,
                        &best);
    if (best.score > -(double)INFINITY) return best;
    while (s->written[s->cursor]) s->cursor++;
    best.triangle = s->cursor;
    return best;
}

static candidate next_triangle(sorter *s) {
    candidate best = {.score = 0.0};
    for (size_t i = 1; i <= EDGES && i <= s->edge_count; i++)
        search_edge(s, s->edges[(s->edge_count - i) % EDGES], SCORE_EDGE * (double)(EDGES - i) / EDGES, &best);
    return best.has_edge ? best : restart(s);
}

// ---- The lists -----------------------------------------------------------------------------------------------------

static void list_vertex(sorter *s, uint32_t vertex) {
    if (!is_listed(s, vertex)) s->listed[vertex] = ++s->list_count;
    s->recent[s->recent_count++ % RECENT] = vertex;
}

// Lists an edge in its neighbor's direction.
static void list_edge(sorter *s, uint32_t from, uint32_t to) {
    s->edges[s->edge_count++ % EDGES] = (edge){to, from};
}

static void write_triangle(sorter *s, candidate next, uint32_t *out) {
    const uint32_t *corners = s->corners + 3 * next.triangle;
    const uint32_t a = corners[next.start], b = corners[(next.start + 1) % 3], c = corners[(next.start + 2) % 3];
    memcpy(out, (const uint32_t[3]){a, b, c}, 3 * sizeof *out);
    s->written[next.triangle] = true;
    for (int i = 0; i < 3; i++) s->left[s->position[corners[i]]]--;
    if (!next.has_edge) {
        list_vertex(s, a);
        list_vertex(s, b);
        list_edge(s, a, b);
    }
    list_vertex(s, c);
    list_edge(s, b, c);
    list_edge(s, c, a);
}

uint32_t *mesh_sort_triangles(const uint32_t *indices, size_t count, const uint32_t *position, size_t vertex_count,
                              sinewi_arena *arena) {
    sorter s = {.corners = indices, .position = position, .triangle_count = count / 3};
    s.first = sinewi_arena_zeros(arena, uint32_t, vertex_count + 1);
    s.around = sinewi_arena_array(arena, uint32_t, count);
    s.left = sinewi_arena_zeros(arena, uint32_t, vertex_count);
    s.listed = sinewi_arena_zeros(arena, uint32_t, vertex_count);
    s.written = sinewi_arena_zeros(arena, bool, s.triangle_count);
    uint32_t *out = sinewi_arena_array(arena, uint32_t, count);
    if (!s.first || !s.around || !s.left || !s.listed || !s.written || !out) return NULL;
    list_triangles(&s, vertex_count);
    for (size_t i = 0; i < s.triangle_count; i++) write_triangle(&s, next_triangle(&s), out + 3 * i);
    return out;
}
