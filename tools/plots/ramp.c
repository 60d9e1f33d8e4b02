// SPDX-License-Identifier: MIT
// ramp.c - tiles on a slope, and the ground's side below them.
#include "plots/ramp.h"

#include <math.h>

static const double steepness = 0.4; // meters up per meter ahead

double slope_height(double ahead) {
    return steepness * ahead;
}

static void set_corner(ramp *r, int vertex, sinew_vec3 at, sinew_vec3 normal, float light) {
    const float position[3] = {at.x, at.y, at.z}, facing[3] = {normal.x, normal.y, normal.z};
    for (int i = 0; i < 3; i++) {
        r->positions[vertex][i] = position[i];
        r->normals[vertex][i] = facing[i];
        r->colors[vertex][i] = light;
    }
    r->colors[vertex][3] = 1.0f;
}

static void set_quad(ramp *r, int quad, const sinew_vec3 corners[4], sinew_vec3 normal, float light) {
    static const uint32_t turns[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; i++) set_corner(r, 4 * quad + i, corners[i], normal, light);
    for (int i = 0; i < 6; i++) r->indices[quad][i] = (uint32_t)(4 * quad) + turns[i];
}

static sinew_vec3 on_slope(float x, float z) {
    return (sinew_vec3){x, (float)slope_height((double)x), z};
}

static void set_tile(ramp *r, int tile) {
    const float width = (RAMP_RIGHT - RAMP_LEFT) / (float)RAMP_TILES;
    const float left = RAMP_LEFT + width * (float)tile, right = left + width;
    const float length = (float)sqrt(1.0 + steepness * steepness);
    const sinew_vec3 up = {(float)-steepness / length, 1.0f / length, 0.0f};
    const sinew_vec3 corners[4] = {on_slope(left, RAMP_NEAR), on_slope(right, RAMP_NEAR), on_slope(right, RAMP_FAR),
                                   on_slope(left, RAMP_FAR)};
    set_quad(r, tile, corners, up, tile % 2 ? 0.62f : 0.5f);
}

static void set_side(ramp *r) {
    const sinew_vec3 corners[4] = {{RAMP_LEFT, RAMP_BOTTOM, RAMP_NEAR},
                                   {RAMP_RIGHT, RAMP_BOTTOM, RAMP_NEAR},
                                   on_slope(RAMP_RIGHT, RAMP_NEAR),
                                   on_slope(RAMP_LEFT, RAMP_NEAR)};
    set_quad(r, RAMP_TILES, corners, (sinew_vec3){0.0f, 0.0f, 1.0f}, 0.3f);
}

void ramp_make(ramp *r) {
    static const int32_t no_parent = SINEW_NO_NODE;
    for (int i = 0; i < RAMP_TILES; i++) set_tile(r, i);
    set_side(r);
    r->glass = (sinew_material){.name = "glass",
                                .base_color = {0.93f, 0.86f, 0.74f, 0.6f},
                                .base_color_texture = -1,
                                .alpha_mode = SINEW_ALPHA_BLEND};
    r->primitive = (sinew_primitive){.vertex_count = 4 * RAMP_QUADS,
                                     .positions = r->positions[0],
                                     .normals = r->normals[0],
                                     .colors = r->colors[0],
                                     .index_count = 6 * RAMP_QUADS,
                                     .indices = r->indices[0]};
    r->mesh = (sinew_mesh){.name = "ramp", .primitive_count = 1, .primitives = &r->primitive};
    r->mesh_node = (sinew_mesh_node){.skin = -1, .in_scene = true, .visible = true};
    r->skeleton = (sinew_skeleton){.node_count = 1, .parents = &no_parent};
    r->asset = (sinew_asset){.skeleton = &r->skeleton,
                             .mesh_count = 1,
                             .meshes = &r->mesh,
                             .mesh_node_count = 1,
                             .mesh_nodes = &r->mesh_node,
                             .material_count = 1,
                             .materials = &r->glass};
}
