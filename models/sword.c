// SPDX-License-Identifier: MIT
// sword.c - a one-handed sword: origin at the centre of the grip, blade along +Y, flat side towards X, so that an edge
// leads in a strike along the knuckles.
#include "models.h"

typedef struct blade_section {
    double y, half_width, half_thickness;
} blade_section;

enum { EDGES = 4 };

/// The diamond cross-section of a blade: ridge, edge, ridge, edge.
static void section_corners(blade_section s, vec3 corners[EDGES]) {
    corners[0] = v3(s.half_thickness, s.y, 0);
    corners[1] = v3(0, s.y, -s.half_width);
    corners[2] = v3(-s.half_thickness, s.y, 0);
    corners[3] = v3(0, s.y, s.half_width);
}

static void blade_face(mesh *m, vec3 a, vec3 b, vec3 c, vec3 d, rgb color) {
    vec3 normal = v3_unit(v3_cross(v3_sub(c, a), v3_sub(d, b)));
    const vec3 corners[4] = {a, b, c, d};
    uint32_t index[4];
    for (int i = 0; i < 4; i++) {
        index[i] = mesh_vertex(m, (vertex){.position = corners[i], .normal = normal, .color = color});
    }
    mesh_triangle(m, index[0], index[1], index[2]);
    if (v3_distance(c, d) > 1e-9) {
        mesh_triangle(m, index[0], index[2], index[3]);
    }
}

static void add_blade(mesh *m) {
    static const blade_section sections[] = {
        {0.070, 0.026, 0.0070}, {0.120, 0.024, 0.0065}, {0.400, 0.0225, 0.0058},
        {0.620, 0.0190, 0.005}, {0.700, 0.0145, 0.004}, {0.765, 0.0, 0.0},
    };
    const rgb bright = rgb_from_srgb(0xE6EDF2), shade = rgb_from_srgb(0xB7C3CE);
    enum { COUNT = sizeof sections / sizeof *sections };
    for (int s = 0; s + 1 < COUNT; s++) {
        vec3 low[EDGES], high[EDGES];
        section_corners(sections[s], low);
        section_corners(sections[s + 1], high);
        for (int e = 0; e < EDGES; e++) {
            int n = (e + 1) % EDGES;
            blade_face(m, low[n], low[e], high[e], high[n], e % 2 == 0 ? bright : shade);
        }
    }
}

static void add_guard(mesh *m) {
    const rgb brass = rgb_from_srgb(0xD9A441), dark = rgb_from_srgb(0xB07F2C);
    solid_box(m, rigid_shift(0, 0.066, 0), v3(0.013, 0.012, 0.030), brass);
    for (int side = -1; side <= 1; side += 2) {
        rigid arm = {q_x((90.0 - 12.0) * DEG * side), {0, 0.064, 0.028 * side}};
        solid_wedge(m, arm, 0.062, v3(0.010, 0, 0.009), v3(0.0075, 0, 0.0065), brass);
        rigid knob = {q_identity(), {0, 0.079, 0.092 * side}};
        const ring ball[] = {{0, -0.011}, {0.009, -0.007}, {0.0115, 0}, {0.009, 0.007}, {0, 0.011}};
        solid_lathe(m, knob, ball, 5, 10, dark);
    }
}

static void add_grip(mesh *m) {
    const rgb leather = rgb_from_srgb(0x5A3423), cord = rgb_from_srgb(0x3A2117);
    enum { WRAPS = 7 };
    for (int i = 0; i < WRAPS; i++) {
        double y0 = mix(-0.064, 0.056, (double)i / WRAPS), y1 = mix(-0.064, 0.056, (i + 1.0) / WRAPS);
        double radius = 0.0145 + 0.0015 * sin(PI * (i + 0.5) / WRAPS);
        const ring wrap[] = {
            {radius - 0.002, y0}, {radius, mix(y0, y1, 0.3)}, {radius, mix(y0, y1, 0.7)}, {radius - 0.002, y1}};
        solid_lathe(m, rigid_identity(), wrap, 4, 12, i % 2 == 0 ? leather : cord);
    }
}

static void add_pommel(mesh *m) {
    const ring turned[] = {{0.009, -0.118}, {0.020, -0.110}, {0.025, -0.096},
                           {0.021, -0.079}, {0.012, -0.070}, {0.012, -0.062}};
    solid_lathe(m, rigid_identity(), turned, 6, 14, rgb_from_srgb(0xD9A441));
    const ring gem[] = {{0.012, -0.003}, {0.011, 0.004}, {0.006, 0.007}};
    for (int side = -1; side <= 1; side += 2) {
        rigid frame = {q_z(-90.0 * DEG * side), {0.0225 * side, -0.096, 0}};
        solid_lathe(m, frame, gem, 3, 10, rgb_from_srgb(0xB5342B));
    }
}

bool make_sword(const char *path) {
    mesh metal = {0}, handle = {0};
    add_blade(&metal);
    add_guard(&metal);
    add_pommel(&metal);
    add_grip(&handle);

    glb *g = glb_begin();
    const rgb white = {1, 1, 1};
    const glb_primitive primitives[] = {
        {&metal, glb_material(g, "Metal", white, 0.6, 0.35), true, false},
        {&handle, glb_material(g, "Leather", white, 0.0, 0.85), true, false},
    };
    int node = glb_node(g, "Sword", -1, rigid_identity());
    glb_node_mesh(g, node, glb_mesh(g, "Sword", primitives, 2));
    mesh_free(&metal);
    mesh_free(&handle);
    return glb_end(g, path);
}
