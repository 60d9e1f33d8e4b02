// Meshes and their primitives (glTF 2.0, sections 5.23 and 5.24).
#include "gltf/import.h"

#include <stdio.h>

// Every primitive of a mesh has the same number of morph targets (section 3.7.2.2); the first one tells it.
static bool read_target_count(sinew_import *g, sinew_json_value primitive, bool first, int32_t *count) {
    sinew_gltf_list targets;
    if (!sinew_gltf_get_list(g, primitive, "targets", SINEW_JSON_OBJECT, &targets)) return false;
    if (first) *count = targets.count;
    if (targets.count == *count) return true;
    return sinew_gltf_fail(g, primitive, SINEW_ERROR_FORMAT,
                           "has %d morph targets; the mesh's first primitive has %d", (int)targets.count,
                           (int)*count);
}

static bool read_primitive(sinew_import *g, sinew_json_value value, const char *place, sinew_primitive *out,
                           int32_t *largest_joint) {
    sinew_json_value attributes;
    int32_t material;
    g->at = value;
    if (!sinew_gltf_object(g, value, "attributes", &attributes)) return false;
    if (!sinew_gltf_index(g, value, "material", g->material_values.count, "materials", &material)) return false;
    out->material = sinew_gltf_place(&g->material_values, material);
    bool empty = false;
    if (!sinew_gltf_decode_draco(g, value, place, out, &empty)) return false;
    if (empty) return sinew_gltf_read_targets(g, value, out);
    return sinew_gltf_read_vertices(g, value, place, out) && sinew_gltf_read_targets(g, value, out) &&
           sinew_gltf_read_influences(g, attributes, place, out, largest_joint) &&
           sinew_gltf_read_triangles(g, value, place, out);
}

static bool read_mesh(sinew_import *g, int32_t index, sinew_mesh *mesh, sinew_gltf_mesh_notes *notes) {
    sinew_json_value value = g->mesh_values.values[index];
    sinew_gltf_list list;
    notes->largest_joint = -1;
    g->at = value;
    if (!sinew_gltf_string(g, value, "name", g->arena, &mesh->name)) return false;
    if (!sinew_gltf_get_list(g, value, "primitives", SINEW_JSON_OBJECT, &list)) return false;
    sinew_primitive *primitives = sinew_gltf_zeros(g, g->arena, sinew_primitive, (size_t)list.count);
    if (!primitives) return false;

    for (int32_t i = 0; i < list.count; i++) {
        char place[64];
        int32_t largest_joint = -1;
        snprintf(place, sizeof place, "meshes[%d].primitives[%d]", (int)index, (int)i);
        if (!read_target_count(g, list.values[i], i == 0, &mesh->target_count)) return false;
        if (!read_primitive(g, list.values[i], place, &primitives[i], &largest_joint)) return false;
        if (largest_joint <= notes->largest_joint) continue;
        notes->largest_joint = largest_joint;
        notes->largest_joint_primitive = i;
    }
    mesh->primitives = primitives;
    mesh->primitive_count = list.count;
    return sinew_gltf_read_weights(g, value, "meshes", index, mesh->target_count, &notes->weights);
}

bool sinew_gltf_read_meshes(sinew_import *g) {
    const sinew_gltf_values *values = &g->mesh_values;
    size_t count = (size_t)values->loaded;
    sinew_mesh *meshes = sinew_gltf_zeros(g, g->arena, sinew_mesh, count);
    g->mesh_notes = sinew_gltf_zeros(g, &g->scratch, sinew_gltf_mesh_notes, count);
    if (!meshes || !g->mesh_notes) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t place = sinew_gltf_place(values, i);
        if (place >= 0 && !read_mesh(g, i, &meshes[place], &g->mesh_notes[place])) return false;
    }
    g->asset->meshes = meshes;
    g->asset->mesh_count = values->loaded;
    return true;
}
