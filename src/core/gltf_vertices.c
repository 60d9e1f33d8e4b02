// SPDX-License-Identifier: MIT
// A primitive's vertex attributes and morph targets (glTF 2.0, sections 3.7.2.1 and 3.7.2.2).
//
// An attribute is an array with one element per vertex, such as POSITION. A morph target has displacements for
// positions, normals and tangents. `p` is the primitive. The arrays belong to the asset.
#include "core/gltf_import.h"

#include <math.h>
#include <stdio.h>

// Finds an attribute's accessor, or -1 if it is absent. It must have one element per vertex.
static bool find_attribute(sinewi_import *g, sinewi_json_value attributes, const char *name, int32_t vertex_count,
                           int32_t *accessor) {
    if (!sinewi_gltf_get_index(g, attributes, name, g->accessor_count, "accessors", accessor)) return false;
    if (*accessor < 0) return true;
    sinewi_json_value location = sinewi_json_get(&g->json, attributes, name);
    return sinewi_gltf_expect_count(g, location, *accessor, vertex_count);
}

// Reads an attribute as floats. If it is absent, `*out` stays unchanged.
static bool read_attribute(sinewi_import *g, sinewi_json_value attributes, const char *name, int32_t vertex_count,
                           sinewi_gltf_type type, sinewi_gltf_use use, const float **out) {
    int32_t accessor;
    if (!find_attribute(g, attributes, name, vertex_count, &accessor)) return false;
    if (accessor < 0) return true;
    sinewi_json_value location = sinewi_json_get(&g->json, attributes, name);
    return sinewi_gltf_expect_type(g, location, accessor, type) && sinewi_gltf_read_floats(g, accessor, use, out);
}

// The positions determine the number of vertices.
static bool read_vertex_count(sinewi_import *g, sinewi_json_value attributes, int32_t *count) {
    int32_t accessor;
    if (!sinewi_gltf_get_index(g, attributes, "POSITION", g->accessor_count, "accessors", &accessor)) return false;
    if (accessor >= 0) *count = g->accessors[accessor].count;
    return true;
}

// ---- Texture coordinates -------------------------------------------------------------------------------------------

// Applies KHR_texture_transform: offset + rotation × scale × uv. The rotation's direction follows the extension's
// example and test model. The GLSL in its text rotates the other way.
static bool transform_uvs(sinewi_import *g, const sinewi_gltf_uv_transform *t, sinew_primitive *p) {
    float *out = (float *)sinewi_gltf_take(g, g->arena, (size_t)p->vertex_count, 2 * sizeof *out);
    if (!out) return false;
    float c = cosf(t->rotation), s = sinf(t->rotation);
    for (size_t i = 0; i < (size_t)p->vertex_count; i++) {
        float u = p->uvs[2 * i] * t->scale[0], v = p->uvs[2 * i + 1] * t->scale[1];
        out[2 * i] = c * u + s * v + t->offset[0];
        out[2 * i + 1] = c * v - s * u + t->offset[1];
    }
    p->uvs = out;
    return true;
}

// Returns the name of the texture coordinates for the material's base color, such as TEXCOORD_0.
sinewi_gltf_attribute_name sinewi_gltf_uv_name(const sinewi_import *g, const sinew_primitive *p) {
    sinewi_gltf_attribute_name name;
    int32_t set = p->material >= 0 ? g->asset->materials[p->material].base_color_uv : 0;
    snprintf(name.text, sizeof name.text, "TEXCOORD_%d", (int)set);
    return name;
}

static bool read_uvs(sinewi_import *g, sinewi_json_value attributes, sinew_primitive *p) {
    sinewi_gltf_attribute_name name = sinewi_gltf_uv_name(g, p);
    if (!read_attribute(g, attributes, name.text, p->vertex_count, SINEWI_GLTF_VEC2, SINEWI_GLTF_FOR_SURFACE,
                        &p->uvs))
        return false;
    const sinewi_gltf_uv_transform *t = p->material >= 0 ? &g->uv_transforms[p->material] : NULL;
    return !p->uvs || !t || !t->present || transform_uvs(g, t, p);
}

// ---- Colors --------------------------------------------------------------------------------------------------------

// Returns the scale of integer colors without the normalized flag. Section 3.7.2.1 requires the flag, but some
// exporters omit it.
static float color_scale(const sinewi_gltf_accessor *a) {
    if (a->normalized) return 1.0f;
    if (a->component == SINEWI_GLTF_U8) return 1.0f / 255.0f;
    return a->component == SINEWI_GLTF_U16 ? 1.0f / 65535.0f : 1.0f;
}

// Reads COLOR_0 as four floats per vertex. Colors with three components get an alpha of 1.
static bool read_colors(sinewi_import *g, sinewi_json_value attributes, sinew_primitive *p) {
    int32_t accessor;
    const float *in;
    if (!find_attribute(g, attributes, "COLOR_0", p->vertex_count, &accessor)) return false;
    if (accessor < 0) return true;
    const sinewi_gltf_accessor *a = &g->accessors[accessor];
    sinewi_gltf_type type = a->type == SINEWI_GLTF_VEC3 ? SINEWI_GLTF_VEC3 : SINEWI_GLTF_VEC4;
    sinewi_json_value location = sinewi_json_get(&g->json, attributes, "COLOR_0");
    if (!sinewi_gltf_expect_type(g, location, accessor, type)) return false;
    if (!sinewi_gltf_read_floats(g, accessor, SINEWI_GLTF_FOR_SURFACE, &in)) return false;
    float scale = color_scale(a);
    p->colors = in;
    if (type == SINEWI_GLTF_VEC4 && scale == 1.0f) return true;

    float *out = (float *)sinewi_gltf_take(g, g->arena, (size_t)p->vertex_count, 4 * sizeof *out);
    if (!out) return false;
    size_t width = type == SINEWI_GLTF_VEC3 ? 3 : 4;
    for (size_t i = 0; i < (size_t)p->vertex_count; i++) {
        out[4 * i + 3] = 1.0f;
        for (size_t k = 0; k < width; k++) out[4 * i + k] = in[i * width + k] * scale;
    }
    p->colors = out;
    return true;
}

// ---- Vertices and morph targets ------------------------------------------------------------------------------------

bool sinewi_gltf_read_vertices(sinewi_import *g, sinewi_json_value primitive, const char *location,
                               sinew_primitive *p) {
    sinewi_json_value attributes = sinewi_json_get(&g->json, primitive, "attributes");
    if (!read_vertex_count(g, attributes, &p->vertex_count)) return false;
    if (sinewi_json_get(&g->json, attributes, "POSITION") == SINEWI_JSON_ABSENT) {
        sinewi_gltf_log(g, "%s: left empty, because it has no positions", location);
        return true;
    }
    int32_t n = p->vertex_count;
    // Morph targets add to the file's own normals, whatever their length. Skinning normalizes the sum.
    bool morphed = sinewi_json_get(&g->json, primitive, "targets") != SINEWI_JSON_ABSENT;
    sinewi_gltf_use normals = morphed ? SINEWI_GLTF_FOR_VECTORS : SINEWI_GLTF_FOR_NORMALS;
    return read_attribute(g, attributes, "POSITION", n, SINEWI_GLTF_VEC3, SINEWI_GLTF_FOR_VERTICES,
                          &p->positions) &&
           read_attribute(g, attributes, "NORMAL", n, SINEWI_GLTF_VEC3, normals, &p->normals) &&
           read_attribute(g, attributes, "TANGENT", n, SINEWI_GLTF_VEC4, SINEWI_GLTF_FOR_VECTORS, &p->tangents) &&
           read_uvs(g, attributes, p) && read_colors(g, attributes, p);
}

bool sinewi_gltf_read_targets(sinewi_import *g, sinewi_json_value primitive, sinew_primitive *p) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, primitive, "targets", SINEWI_JSON_OBJECT, &list)) return false;
    size_t count = (size_t)list.count;
    const float **positions = sinewi_gltf_zeros(g, g->arena, const float *, count);
    const float **normals = sinewi_gltf_zeros(g, g->arena, const float *, count);
    const float **tangents = sinewi_gltf_zeros(g, g->arena, const float *, count);
    if (!positions || !normals || !tangents) return false;
    p->target_count = list.count;
    p->target_positions = positions;
    p->target_normals = normals;
    p->target_tangents = tangents;
    if (!p->positions) return true;
    int32_t n = p->vertex_count;
    const sinewi_gltf_type type = SINEWI_GLTF_VEC3; // also for tangents, because a target has no handedness
    for (size_t i = 0; i < count; i++) {
        sinewi_json_value target = list.values[i];
        bool read = read_attribute(g, target, "POSITION", n, type, SINEWI_GLTF_FOR_VERTICES, &positions[i]) &&
                    read_attribute(g, target, "NORMAL", n, type, SINEWI_GLTF_FOR_VECTORS, &normals[i]) &&
                    read_attribute(g, target, "TANGENT", n, type, SINEWI_GLTF_FOR_VECTORS, &tangents[i]);
        if (!read) return false;
    }
    return true;
}
