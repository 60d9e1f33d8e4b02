// SPDX-License-Identifier: MIT
// Meshes and their primitives (glTF 2.0, sections 5.23 and 5.24). Makes triangle lists from any topology (section
// 3.7.2.1).
//
// A primitive is a part of a mesh with one material. Its corners are the vertices in the order of its indices. The
// topology says which corners form triangles: every three, a strip, or a fan. `c` has the corners, and `p` is the
// primitive.
#include "core/gltf_import.h"

#include <stdio.h>

// ---- Triangles -----------------------------------------------------------------------------------------------------

typedef enum topology { TOPOLOGY_TRIANGLES = 4, TOPOLOGY_STRIP = 5, TOPOLOGY_FAN = 6 } topology;

// The corners of the triangles, in file order.
typedef struct corners {
    const uint32_t *indices; // NULL means 0, 1, 2, ...
    int32_t count;
    sinewi_gltf_accessor *source; // NULL without indices
} corners;

static uint32_t get_corner(const corners *c, int32_t i) {
    return c->indices ? c->indices[i] : (uint32_t)i;
}

// Reads a primitive's indices. Without indices, the corners are its vertices in order.
static bool read_corners(sinewi_import *g, sinewi_json_value primitive, int32_t vertex_count, corners *c) {
    int32_t accessor;
    if (!sinewi_gltf_get_index(g, primitive, "indices", g->accessor_count, "accessors", &accessor)) return false;
    c->count = vertex_count;
    if (accessor < 0) return true;
    sinewi_json_value location = sinewi_json_get(&g->json, primitive, "indices");
    if (!sinewi_gltf_expect_type(g, location, accessor, SINEWI_GLTF_SCALAR)) return false;
    if (!sinewi_gltf_read_integers(g, accessor, &c->indices)) return false;
    sinewi_gltf_accessor *a = &g->accessors[accessor];
    c->count = a->count;
    c->source = a;
    if (a->count == 0 || a->largest_integer < (uint32_t)vertex_count) return true;
    return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT,
                            "index %u is out of range: the primitive has %d vertices", (unsigned)a->largest_integer,
                            (int)vertex_count);
}

static int32_t count_triangles(topology kind, int32_t corner_count) {
    if (kind == TOPOLOGY_TRIANGLES) return corner_count / 3;
    return corner_count < 3 ? 0 : corner_count - 2;
}

// Writes the three vertices of triangle i.
static void write_triangle(topology kind, const corners *c, int32_t i, uint32_t *out) {
    switch (kind) {
    case TOPOLOGY_TRIANGLES:
        for (int32_t k = 0; k < 3; k++) out[k] = get_corner(c, 3 * i + k);
        return;
    case TOPOLOGY_STRIP: // every other triangle is reversed, so all have the same winding
        out[0] = get_corner(c, i);
        out[1] = get_corner(c, i + 1 + i % 2);
        out[2] = get_corner(c, i + 2 - i % 2);
        return;
    case TOPOLOGY_FAN:
        out[0] = get_corner(c, i + 1);
        out[1] = get_corner(c, i + 2);
        out[2] = get_corner(c, 0);
        return;
    }
}

// Makes a triangle list from the primitive's corners. Reuses an earlier list from the same indices.
static bool read_triangles(sinewi_import *g, sinewi_json_value primitive, const char *location,
                           sinew_primitive *p) {
    int64_t mode = TOPOLOGY_TRIANGLES;
    corners c = {NULL, 0, NULL};
    if (!sinewi_gltf_get_integer(g, primitive, "mode", 0, 6, &mode)) return false;
    if (!p->positions || !read_corners(g, primitive, p->vertex_count, &c)) return !p->positions;
    if (mode < TOPOLOGY_TRIANGLES) {
        sinewi_gltf_log(g, "%s: points and lines are ignored", location);
        return true;
    }
    topology kind = (topology)mode;
    int32_t triangles = count_triangles(kind, c.count);
    if (triangles > INT32_MAX / 3)
        return sinewi_gltf_fail(g, primitive, SINEW_ERROR_LIMIT, "%d triangles is too many", (int)triangles);
    if (kind == TOPOLOGY_TRIANGLES && c.count % 3 != 0)
        sinewi_gltf_log(g, "%s: the last %d of %d indices are ignored, because they do not make a triangle",
                        location, (int)(c.count % 3), (int)c.count);

    p->index_count = 3 * triangles;
    p->indices = c.source ? c.source->triangles[kind - TOPOLOGY_TRIANGLES] : NULL;
    if (p->indices) return true; // primitives that differ only in material often share them
    uint32_t *indices = (uint32_t *)sinewi_gltf_take(g, g->arena, (size_t)triangles, 3 * sizeof *indices);
    if (!indices) return false;
    for (int32_t i = 0; i < triangles; i++) write_triangle(kind, &c, i, indices + 3 * (size_t)i);
    p->indices = indices;
    if (c.source) c.source->triangles[kind - TOPOLOGY_TRIANGLES] = indices;
    return true;
}

// ---- Primitives and meshes -----------------------------------------------------------------------------------------

// Checks that every primitive has as many morph targets as the mesh's first one (section 3.7.2.2).
static bool read_target_count(sinewi_import *g, sinewi_json_value primitive, bool first, int32_t *count) {
    sinewi_gltf_list targets;
    if (!sinewi_gltf_get_list(g, primitive, "targets", SINEWI_JSON_OBJECT, &targets)) return false;
    if (first) *count = targets.count;
    if (targets.count == *count) return true;
    return sinewi_gltf_fail(g, primitive, SINEW_ERROR_FORMAT,
                            "has %d morph targets, but the mesh's first primitive has %d", (int)targets.count,
                            (int)*count);
}

// Reads a whole primitive. If its vertices can't be decoded, it only gets the number of morph targets.
static bool read_primitive(sinewi_import *g, sinewi_json_value value, const char *location, sinew_primitive *out,
                           int32_t *largest_joint) {
    sinewi_json_value attributes;
    int32_t material;
    g->current = value;
    if (!sinewi_gltf_get_object(g, value, "attributes", &attributes)) return false;
    if (!sinewi_gltf_get_index(g, value, "material", g->material_values.count, "materials", &material))
        return false;
    out->material = sinewi_gltf_loaded_index(&g->material_values, material);
    bool empty = false;
    if (!sinewi_gltf_decode_draco(g, value, location, out, &empty)) return false;
    if (empty) return sinewi_gltf_read_targets(g, value, out);
    return sinewi_gltf_read_vertices(g, value, location, out) && sinewi_gltf_read_targets(g, value, out) &&
           sinewi_gltf_read_influences(g, attributes, location, out, largest_joint) &&
           read_triangles(g, value, location, out);
}

// Reads a mesh's primitives. Also finds the default weights and the largest joint that a vertex uses.
static bool read_mesh(sinewi_import *g, int32_t index, sinew_mesh *mesh, sinewi_gltf_mesh_notes *notes) {
    sinewi_json_value value = g->mesh_values.values[index];
    sinewi_gltf_list list;
    notes->largest_joint = -1;
    g->current = value;
    if (!sinewi_gltf_get_string(g, value, "name", g->arena, &mesh->name)) return false;
    if (!sinewi_gltf_get_list(g, value, "primitives", SINEWI_JSON_OBJECT, &list)) return false;
    sinew_primitive *primitives = sinewi_gltf_zeros(g, g->arena, sinew_primitive, (size_t)list.count);
    if (!primitives) return false;

    for (int32_t i = 0; i < list.count; i++) {
        char location[64];
        int32_t largest_joint = -1;
        snprintf(location, sizeof location, "meshes[%d].primitives[%d]", (int)index, (int)i);
        if (!read_target_count(g, list.values[i], i == 0, &mesh->target_count)) return false;
        if (!read_primitive(g, list.values[i], location, &primitives[i], &largest_joint)) return false;
        if (largest_joint <= notes->largest_joint) continue;
        notes->largest_joint = largest_joint;
        notes->largest_joint_primitive = i;
    }
    mesh->primitives = primitives;
    mesh->primitive_count = list.count;
    return sinewi_gltf_read_weights(g, value, "meshes", index, mesh->target_count, &notes->weights);
}

bool sinewi_gltf_read_meshes(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->mesh_values;
    size_t count = (size_t)values->loaded_count;
    sinew_mesh *meshes = sinewi_gltf_zeros(g, g->arena, sinew_mesh, count);
    g->mesh_notes = sinewi_gltf_zeros(g, &g->scratch, sinewi_gltf_mesh_notes, count);
    if (!meshes || !g->mesh_notes) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index >= 0 && !read_mesh(g, i, &meshes[index], &g->mesh_notes[index])) return false;
    }
    g->asset->meshes = meshes;
    g->asset->mesh_count = values->loaded_count;
    return true;
}
