// Triangle lists from whatever topology a primitive has (glTF 2.0, section 3.7.2.1).
#include "gltf/import.h"

typedef enum topology { TOPOLOGY_TRIANGLES = 4, TOPOLOGY_STRIP = 5, TOPOLOGY_FAN = 6 } topology;

// The corners that triangles are made of, in the order in which the file draws them.
typedef struct corners {
    const uint32_t *indices; // NULL: 0, 1, 2, ...
    int32_t count;
    sinew_gltf_accessor *source; // NULL where there are no indices
} corners;

static uint32_t corner(const corners *c, int32_t i) {
    return c->indices ? c->indices[i] : (uint32_t)i;
}

static bool read_corners(sinew_import *g, sinew_json_value primitive, int32_t vertex_count, corners *c) {
    int32_t accessor;
    if (!sinew_gltf_index(g, primitive, "indices", g->accessor_count, "accessors", &accessor)) return false;
    c->count = vertex_count;
    if (accessor < 0) return true;
    sinew_json_value place = sinew_json_get(&g->json, primitive, "indices");
    if (!sinew_gltf_expect_type(g, place, accessor, SINEW_GLTF_SCALAR)) return false;
    if (!sinew_gltf_read_integers(g, accessor, &c->indices)) return false;
    sinew_gltf_accessor *a = &g->accessors[accessor];
    c->count = a->count;
    c->source = a;
    if (a->count == 0 || a->largest_integer < (uint32_t)vertex_count) return true;
    return sinew_gltf_fail(g, place, SINEW_ERROR_FORMAT, "index %u is out of range: there are %d vertices",
                           (unsigned)a->largest_integer, (int)vertex_count);
}

static int32_t triangle_count(topology kind, int32_t corner_count) {
    if (kind == TOPOLOGY_TRIANGLES) return corner_count / 3;
    return corner_count < 3 ? 0 : corner_count - 2;
}

static void write_triangle(topology kind, const corners *c, int32_t i, uint32_t *out) {
    switch (kind) {
    case TOPOLOGY_TRIANGLES:
        for (int32_t k = 0; k < 3; k++) out[k] = corner(c, 3 * i + k);
        return;
    case TOPOLOGY_STRIP: // every other triangle is turned, so that all have one orientation
        out[0] = corner(c, i);
        out[1] = corner(c, i + 1 + i % 2);
        out[2] = corner(c, i + 2 - i % 2);
        return;
    case TOPOLOGY_FAN:
        out[0] = corner(c, i + 1);
        out[1] = corner(c, i + 2);
        out[2] = corner(c, 0);
        return;
    }
}

bool sinew_gltf_read_triangles(sinew_import *g, sinew_json_value primitive, const char *place, sinew_primitive *p) {
    int64_t mode = TOPOLOGY_TRIANGLES;
    corners c = {NULL, 0, NULL};
    if (!sinew_gltf_integer(g, primitive, "mode", 0, 6, &mode)) return false;
    if (!p->positions || !read_corners(g, primitive, p->vertex_count, &c)) return !p->positions;
    if (mode < TOPOLOGY_TRIANGLES) {
        sinew_gltf_log(g, "%s: points and lines are not drawn", place);
        return true;
    }
    topology kind = (topology)mode;
    int32_t triangles = triangle_count(kind, c.count);
    if (triangles > INT32_MAX / 3)
        return sinew_gltf_fail(g, primitive, SINEW_ERROR_LIMIT, "%d triangles are too many", (int)triangles);
    if (kind == TOPOLOGY_TRIANGLES && c.count % 3 != 0)
        sinew_gltf_log(g, "%s: the last %d of %d corners make no triangle", place, (int)(c.count % 3),
                       (int)c.count);

    p->index_count = 3 * triangles;
    p->indices = c.source ? c.source->triangles[kind - TOPOLOGY_TRIANGLES] : NULL;
    if (p->indices) return true; // meshes that differ in their material share them
    uint32_t *indices = (uint32_t *)sinew_gltf_take(g, g->arena, (size_t)triangles, 3 * sizeof *indices);
    if (!indices) return false;
    for (int32_t i = 0; i < triangles; i++) write_triangle(kind, &c, i, indices + 3 * (size_t)i);
    p->indices = indices;
    if (c.source) c.source->triangles[kind - TOPOLOGY_TRIANGLES] = indices;
    return true;
}
