// SPDX-License-Identifier: MIT
// Sorts triangles for the index codec, which stores a triangle in a byte if it has one of the 16 latest edges, and its third
// vertex is the next new one or one of the latest 16. GPUs reuse transformed vertices for the same reason.
//
// The next triangle is, of those at the latest edges, the one whose third vertex costs least, and of these the one with the
// fewest triangles left at that vertex, so that no triangle is left alone.
#include "meshes/internal.h"

#include <string.h>

// The lists of the codec: it stores the number of a vertex in 4 bits, of which 0, 14 and 15 have other meanings.
enum { EDGES = 16, VERTICES = 13 };

// So many triangles at a vertex are compared, so that the time is linear.
enum { MAX_COMPARED = 64 };

// Costs of third vertices, in units of triangles that are left there.
enum { COST_NEW = 256, COST_OLD = 1024, NO_COST = 1 << 30 };

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct sorter {
    const uint32_t *corners; // [3 × triangles]
    size_t triangle_count;
    uint32_t *first;  // [vertices + 1]: the list of triangles of each vertex
    uint32_t *around; // [3 × triangles]
    uint32_t *left;   // [vertices]: triangles that are not written
    uint32_t *pushed; // [vertices]: the number of `pushes` when it was listed; 0: never
    uint32_t pushes;
    bool *written; // [triangles]
    edge edges[EDGES];
    size_t edge_count; // all that were listed
    size_t cursor;     // no triangle before it is left
} sorter;

// ---- Triangles of vertices -----------------------------------------------------------------------------------------

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

static bool is_recent(const sorter *s, uint32_t vertex) {
    return s->pushed[vertex] > 0 && s->pushes - s->pushed[vertex] < VERTICES;
}

static uint32_t cost_of(const sorter *s, uint32_t vertex) {
    const uint32_t left = s->left[vertex] < COST_NEW ? s->left[vertex] : COST_NEW - 1;
    if (is_recent(s, vertex)) return left;
    return left + (s->pushed[vertex] == 0 ? COST_NEW : COST_OLD);
}

// ---- The next triangle ---------------------------------------------------------------------------------------------

// The corner of a triangle at which an edge starts; -1: it has not this edge.
static int edge_start(const uint32_t *corners, edge e) {
    for (int i = 0; i < 3; i++) {
        if (corners[i] == e.from && corners[(i + 1) % 3] == e.to) return i;
    }
    return -1;
}

// Compares the triangles at an edge with the best so far.
static void search_edge(const sorter *s, edge e, uint32_t *least, size_t *best) {
    const uint32_t first = s->first[e.from], count = s->first[e.from + 1] - first;
    for (uint32_t i = 0; i < count && i < MAX_COMPARED; i++) {
        const size_t triangle = s->around[first + i];
        if (s->written[triangle]) continue;
        const int start = edge_start(s->corners + 3 * triangle, e);
        if (start < 0) continue;
        const uint32_t cost = cost_of(s, s->corners[3 * triangle + (size_t)(start + 2) % 3]);
        if (cost >= *least) continue;
        *least = cost;
        *best = triangle;
    }
}

static size_t next_triangle(sorter *s) {
    uint32_t least = NO_COST;
    size_t best = 0;
    for (size_t i = 1; i <= EDGES && i <= s->edge_count; i++)
        search_edge(s, s->edges[(s->edge_count - i) % EDGES], &least, &best);
    if (least < NO_COST) return best;
    while (s->written[s->cursor]) s->cursor++;
    return s->cursor;
}

static void write_triangle(sorter *s, size_t triangle, uint32_t *out) {
    const uint32_t *corners = s->corners + 3 * triangle;
    memcpy(out, corners, 3 * sizeof *out);
    s->written[triangle] = true;
    for (int i = 0; i < 3; i++) {
        if (!is_recent(s, corners[i])) s->pushed[corners[i]] = ++s->pushes;
        s->left[corners[i]]--;
        // A neighbour has the edge in the other direction.
        s->edges[s->edge_count++ % EDGES] = (edge){corners[(i + 1) % 3], corners[i]};
    }
}

uint32_t *mesh_sort_triangles(const uint32_t *indices, size_t count, size_t vertex_count, sinew_arena *arena) {
    sorter s = {.corners = indices, .triangle_count = count / 3};
    s.first = sinew_arena_zeros(arena, uint32_t, vertex_count + 1);
    s.around = sinew_arena_array(arena, uint32_t, count);
    s.left = sinew_arena_zeros(arena, uint32_t, vertex_count);
    s.pushed = sinew_arena_zeros(arena, uint32_t, vertex_count);
    s.written = sinew_arena_zeros(arena, bool, s.triangle_count);
    uint32_t *out = sinew_arena_array(arena, uint32_t, count);
    if (!s.first || !s.around || !s.left || !s.pushed || !s.written || !out) return NULL;
    list_triangles(&s, vertex_count);
    for (size_t i = 0; i < s.triangle_count; i++) write_triangle(&s, next_triangle(&s), out + 3 * i);
    return out;
}
