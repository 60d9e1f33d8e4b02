// SPDX-License-Identifier: MIT
// solid.c - boxes, wedges and solids of revolution, for the models without distance fields.
#include "models.h"

/// Four corners, counter-clockwise seen from outside, flat-shaded.
static void quad(mesh *m, rigid frame, const vec3 corners[4], rgb color) {
    vec3 p[4];
    for (int i = 0; i < 4; i++) {
        p[i] = rigid_point(frame, corners[i]);
    }
    vec3 normal = v3_unit(v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[1])));
    uint32_t first = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t index = mesh_vertex(m, (vertex){.position = p[i], .normal = normal, .color = color});
        first = i == 0 ? index : first;
    }
    mesh_triangle(m, first, first + 1, first + 2);
    mesh_triangle(m, first, first + 2, first + 3);
}

/// The six faces of a box with arbitrary corners. Bits of the corner index: 1 is +x, 2 is +y, 4 is +z.
static void hexahedron(mesh *m, rigid frame, const vec3 corners[8], rgb color) {
    static const int faces[6][4] = {
        {1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1},
    };
    for (int f = 0; f < 6; f++) {
        const vec3 face[4] = {corners[faces[f][0]], corners[faces[f][1]], corners[faces[f][2]],
                              corners[faces[f][3]]};
        quad(m, frame, face, color);
    }
}

void solid_box(mesh *m, rigid frame, vec3 half, rgb color) {
    vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    hexahedron(m, frame, corners, color);
}

void solid_wedge(mesh *m, rigid frame, double height, vec3 bottom, vec3 top, rgb color) {
    vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        vec3 half = i & 2 ? top : bottom;
        corners[i] = v3(i & 1 ? half.x : -half.x, i & 2 ? height : 0.0, i & 4 ? half.z : -half.z);
    }
    hexahedron(m, frame, corners, color);
}

static uint32_t lathe_ring(mesh *m, rigid frame, ring r, vec3 slope, int segments, rgb color) {
    uint32_t first = (uint32_t)m->vertex_count;
    for (int i = 0; i <= segments; i++) {
        double angle = 2.0 * PI * (double)(i % segments) / (double)segments;
        vec3 out = v3(sin(angle), 0, cos(angle));
        vec3 normal = v3(out.x * slope.x, slope.y, out.z * slope.x);
        vec3 position = v3_mad(v3(0, r.y, 0), out, r.radius);
        mesh_vertex(m, (vertex){.position = rigid_point(frame, position),
                                .normal = q_turn(frame.r, v3_unit(normal)),
                                .color = color});
    }
    return first;
}

void solid_band(mesh *m, rigid frame, ring low, ring high, int segments, rgb color) {
    vec3 slope = v3_unit(v3(high.y - low.y, low.radius - high.radius, 0));
    uint32_t a = lathe_ring(m, frame, low, slope, segments, color);
    uint32_t b = lathe_ring(m, frame, high, slope, segments, color);
    for (uint32_t i = 0; i < (uint32_t)segments; i++) {
        if (low.radius > 0.0) {
            mesh_triangle(m, a + i, a + i + 1, b + i + 1);
        }
        if (high.radius > 0.0) {
            mesh_triangle(m, a + i, b + i + 1, b + i);
        }
    }
}

void solid_lathe(mesh *m, rigid frame, const ring *rings, int count, int segments, rgb color) {
    if (rings[0].radius > 0.0) {
        solid_band(m, frame, (ring){0, rings[0].y}, rings[0], segments, color);
    }
    for (int i = 0; i + 1 < count; i++) {
        solid_band(m, frame, rings[i], rings[i + 1], segments, color);
    }
    if (rings[count - 1].radius > 0.0) {
        solid_band(m, frame, rings[count - 1], (ring){0, rings[count - 1].y}, segments, color);
    }
}
