// SPDX-License-Identifier: MIT
// Finds which of B's vertices correspond to A's, for meshes whose vertices are in another order.
//
// Vertices correspond if they're near each other in the rest pose and have the same joints. Each of A's vertices takes
// the nearest of B's that is left. The distance includes differences in weights and morph targets. They tell vertices
// apart that are at the same position but move differently. If B has fewer vertices, equal ones were merged. Then
// several of A's may take the same one.
#include "compare/internal.h"

#include <math.h>

// Each of A's vertices is compared with at most this many of B's. This keeps the time linear.
enum { MAX_COMPARED = 256 };

// B's vertices in a grid of cells, each with a list.
typedef struct sorter {
    const compare_part *part; // with A's primitive
    const ref_primitive *other;
    const double *positions[2]; // [3 × vertices]; A's and B's in the rest pose
    double radius, size;
    bool merged;    // several of A's vertices may take the same one of B's
    int32_t *first; // [buckets]; start of each list, or -1 if empty
    int32_t *next;  // [vertices]
    uint32_t bucket_count;
    double *weights; // [influences]; from the last distance
} sorter;

// ---- Distance ------------------------------------------------------------------------------------------------------

// Writes the weights of B's vertex in the order of A's joints. Returns the sum of the differences. Infinite if B has a
// joint that A lacks.
static double arrange_weights(const sorter *s, int32_t vertex, int32_t other, double *out) {
    const ref_primitive *a = s->part->primitives[0], *b = s->other;
    const ptrdiff_t in_a = (ptrdiff_t)vertex * a->influences, in_b = (ptrdiff_t)other * a->influences;
    double left = 0.0, apart = 0.0;
    for (int32_t k = 0; k < a->influences; k++) left += b->weights[in_b + k];
    for (int32_t i = 0; i < a->influences; i++) {
        bool repeated = false;
        for (int32_t k = 0; k < i; k++) repeated |= a->joints[in_a + k] == a->joints[in_a + i];
        out[i] = 0.0;
        for (int32_t k = 0; k < a->influences && !repeated; k++) {
            if (b->joints[in_b + k] == a->joints[in_a + i]) out[i] += b->weights[in_b + k];
        }
        left -= out[i];
        apart += fabs(out[i] - a->weights[in_a + i]);
    }
    return fabs(left) <= 1e-9 ? apart : (double)INFINITY;
}

static double distance_of_targets(const sorter *s, int32_t vertex, int32_t other) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const ref_primitive *a = s->part->primitives[0], *b = s->other;
    double sum = 0.0;
    for (int32_t t = 0; t < a->target_count; t++) {
        const double *in_a = a->targets[t].positions, *in_b = b->targets[t].positions;
        sum +=
            compare_distance(in_a ? in_a + 3 * (ptrdiff_t)vertex : none, in_b ? in_b + 3 * (ptrdiff_t)other : none);
    }
    return sum;
}

// Returns infinity if the vertices can't correspond.
static double distance(const sorter *s, int32_t vertex, int32_t other) {
    const double apart =
        compare_distance(s->positions[0] + 3 * (ptrdiff_t)vertex, s->positions[1] + 3 * (ptrdiff_t)other);
    if (!(apart <= s->radius)) return (double)INFINITY;
    const double of_weights = s->part->skinned ? arrange_weights(s, vertex, other, s->weights) : 0.0;
    return apart + s->size * of_weights + distance_of_targets(s, vertex, other);
}

// ---- The grid ------------------------------------------------------------------------------------------------------

// Returns the list of the cell that is `offset` away from a position's.
static int32_t *bucket_of(const sorter *s, const double position[3], const int offset[3]) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < 3; i++) {
        const double cell = floor(position[i] / s->radius) + offset[i];
        const int64_t number = fabs(cell) < 1e15 ? (int64_t)cell : 0;
        hash = (hash ^ (uint64_t)number) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return &s->first[hash & (s->bucket_count - 1)];
}

static bool fill_grid(sorter *s, sinewi_arena *arena) {
    static const int none[3] = {0, 0, 0};
    const int32_t count = s->other->vertex_count;
    s->bucket_count = 64;
    while (s->bucket_count < (uint32_t)count) s->bucket_count *= 2;
    s->first = sinewi_arena_array(arena, int32_t, s->bucket_count);
    s->next = sinewi_arena_array(arena, int32_t, (size_t)count);
    if (!s->first || !s->next) return false;
    for (uint32_t i = 0; i < s->bucket_count; i++) s->first[i] = -1;
    for (int32_t v = count; v-- > 0;) {
        int32_t *bucket = bucket_of(s, s->positions[1] + 3 * (ptrdiff_t)v, none);
        s->next[v] = *bucket;
        *bucket = v;
    }
    return true;
}

// The nearest vertex so far, and the link to it.
typedef struct candidate {
    double distance;
    int32_t *link;
    int compared;
} candidate;

static void search_cell(const sorter *s, int32_t vertex, int32_t *link, candidate *nearest) {
    for (; *link >= 0 && nearest->compared < MAX_COMPARED; link = &s->next[*link], nearest->compared++) {
        const double found = distance(s, vertex, *link);
        if (!(found < nearest->distance)) continue;
        nearest->distance = found;
        nearest->link = link;
    }
}

// Takes B's nearest vertex, or -1 if none corresponds. Removes it from its list unless vertices were merged.
static int32_t take_nearest(const sorter *s, int32_t vertex) {
    candidate nearest = {.distance = (double)INFINITY};
    for (int i = 0; i < 27; i++) {
        // The position's own cell comes first.
        const int cell = (i + 13) % 27, offset[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
        search_cell(s, vertex, bucket_of(s, s->positions[0] + 3 * (ptrdiff_t)vertex, offset), &nearest);
    }
    if (!nearest.link) return -1;
    const int32_t found = *nearest.link;
    if (!s->merged) *nearest.link = s->next[found];
    return found;
}

// ---- The primitive -------------------------------------------------------------------------------------------------

static double *rest_positions(const compare_body *body, const compare_part *part, int side, const ref_pose *rest) {
    const int32_t count = part->primitives[side]->vertex_count;
    double *out = sinewi_arena_array(body->arena, double, 3 * (size_t)count);
    for (int32_t v = 0; out && v < count; v++) compare_position(body, part, side, rest, v, out + 3 * (ptrdiff_t)v);
    return out;
}

// Returns B's primitive in A's vertex order, with these weights for A's joints, or NULL if memory runs out.
static const ref_primitive *sort_primitive(const sorter *s, sinewi_arena *arena, const uint32_t *order,
                                           const double *weights) {
    ref_primitive *out = sinewi_arena_array(arena, ref_primitive, 1);
    if (!out) return NULL;
    *out = *s->other;
    out->vertex_count = s->part->primitives[0]->vertex_count;
    out->joints = s->part->primitives[0]->joints;
    out->weights = weights;
    return ref_reorder_positions(arena, out, order) ? out : NULL;
}

bool compare_sort_vertices(compare_body *body, const compare_part *part, const ref_pose rest[2], double radius,
                           const ref_primitive **sorted) {
    const ref_primitive *other = part->primitives[1];
    const size_t count = (size_t)part->primitives[0]->vertex_count,
                 influences = part->skinned ? (size_t)other->influences : 0;
    sorter s = {.part = part, .other = other, .radius = radius, .size = body->size};
    s.merged = (size_t)other->vertex_count < count;
    compare_part of_b = *part;
    of_b.primitives[0] = other; // B has its own joints
    s.positions[0] = rest_positions(body, part, 0, &rest[0]);
    s.positions[1] = rest_positions(body, &of_b, 1, &rest[1]);
    s.weights = sinewi_arena_array(body->arena, double, influences);
    uint32_t *order = sinewi_arena_array(body->arena, uint32_t, count);
    double *weights = sinewi_arena_array(body->arena, double, count *influences);
    *sorted = NULL;
    if (!s.positions[0] || !s.positions[1] || !s.weights || !order || !weights || !fill_grid(&s, body->arena))
        return false;
    for (size_t v = 0; v < count; v++) {
        const int32_t nearest = take_nearest(&s, (int32_t)v);
        if (nearest < 0) return true;
        order[v] = (uint32_t)nearest;
        if (part->skinned) arrange_weights(&s, (int32_t)v, nearest, weights + v * influences);
    }
    *sorted = sort_primitive(&s, body->arena, order, weights);
    return *sorted != NULL;
}
