// SPDX-License-Identifier: MIT
// windmill.c - a tower mill: node animation without a skin. Windmill > Tower > Door and Shutters,
// Windmill > Cap > Axle > Sail_1..4. "Turn" is a simple loop; "Gust" has every interpolation of
// glTF: CUBICSPLINE for the axle and the cap, LINEAR for the door, STEP for the shutters.
#include "models.h"

#include <stdio.h>

enum { SAILS = 4 };

/// The materials of the mill. A mesh has up to one primitive of each.
enum stuff { STONE, PLASTER, WOOD, CLOTH, GRASS, STUFFS };

typedef struct mill {
    glb *g;
    int materials[STUFFS];
    int root, tower, cap, axle, door, shutters[2];
} mill;

typedef struct piece {
    mesh parts[STUFFS];
} piece;

static int add_piece(mill *m, const char *name, int parent, rigid local, piece *p) {
    glb_primitive primitives[STUFFS];
    int count = 0;
    for (int i = 0; i < STUFFS; i++) {
        if (p->parts[i].index_count > 0) {
            primitives[count++] = (glb_primitive){&p->parts[i], m->materials[i], true, false};
        }
    }
    int node = glb_node(m->g, name, parent, local);
    glb_node_mesh(m->g, node, glb_mesh(m->g, name, primitives, count));
    for (int i = 0; i < STUFFS; i++) {
        mesh_free(&p->parts[i]);
    }
    return node;
}

// ---- the tower ----

static double tower_radius(double y) {
    return mix(1.15, 0.74, y / 3.9);
}

static void add_stones(mesh *m) {
    static const uint32_t tones[] = {0x8C8A84, 0x7B7973, 0x9A968D, 0x84807A};
    for (int row = 0; row < 3; row++) {
        const int count = 14;
        for (int i = 0; i < count; i++) {
            double angle = 2.0 * PI * (i + 0.5 * (row % 2)) / count;
            double y = 0.12 + 0.23 * row;
            double radius = 1.20 - 0.03 * row;
            if (fabs(sin(angle)) * radius < 0.28 && cos(angle) > 0.0) {
                continue; // the doorway
            }
            rigid frame = {q_y(angle), {sin(angle) * radius, y, cos(angle) * radius}};
            rgb color = rgb_from_srgb(tones[(i * 7 + row * 3) % 4]);
            solid_box(m, frame, v3(0.245 - 0.006 * row, 0.105, 0.07), color);
        }
    }
    const ring base[] = {{1.22, 0.0}, {1.17, 0.70}, {1.10, 0.72}};
    solid_lathe(m, rigid_identity(), base, 3, 28, rgb_from_srgb(0x6B6862));
}

static void add_window(piece *p, double angle, double y) {
    double radius = tower_radius(y);
    rigid frame = {q_y(angle), {sin(angle) * radius, y, cos(angle) * radius}};
    solid_box(&p->parts[WOOD], frame, v3(0.17, 0.23, 0.04), rgb_from_srgb(0x6E4A2E));
    solid_box(&p->parts[WOOD], frame, v3(0.13, 0.19, 0.045), rgb_from_srgb(0x2E3F52));
    solid_box(&p->parts[WOOD], frame, v3(0.012, 0.19, 0.052), rgb_from_srgb(0x6E4A2E));
    solid_box(&p->parts[WOOD], frame, v3(0.13, 0.012, 0.052), rgb_from_srgb(0x6E4A2E));
}

/// Weathering of a wall: damp below, soot and shade under the eaves, a little of both between.
static void weather(mesh *wall, double low, double high) {
    for (size_t i = 0; i < wall->vertex_count; i++) {
        vertex *v = &wall->vertices[i];
        double y = v->position.y, streak = sin(7.0 * atan2(v->position.x, v->position.z)) * sin(3.0 * y);
        double damp = smooth(1.0 - (y - low) / 0.9), shade = smooth((y - high + 0.55) / 0.55);
        double light = 1.0 - 0.34 * damp - 0.42 * shade - 0.035 * streak;
        v->color = (rgb){v->color.r * light, v->color.g * light * (1.0 - 0.03 * damp),
                         v->color.b * light * (1.0 - 0.16 * damp - 0.06 * shade)};
    }
}

/// A gallery around the tower, below the reach of the sails.
static void add_gallery(mesh *m) {
    enum { POSTS = 16 };
    const rgb floor_color = rgb_from_srgb(0x7A5233), post_color = rgb_from_srgb(0x5C3B24);
    const double y = 1.43, radius = 1.40;
    const ring floor[] = {{1.00, y}, {radius + 0.04, y}, {radius + 0.04, y + 0.05}, {1.00, y + 0.05}};
    solid_lathe(m, rigid_identity(), floor, 4, 32, floor_color);
    const ring rail[] = {{radius - 0.045, y + 0.30},
                         {radius + 0.005, y + 0.30},
                         {radius + 0.005, y + 0.34},
                         {radius - 0.045, y + 0.34},
                         {radius - 0.045, y + 0.30}};
    for (int i = 0; i + 1 < 5; i++) { // open rings, so that the rail does not cover the gallery
        solid_band(m, rigid_identity(), rail[i], rail[i + 1], 32, post_color);
    }
    for (int i = 0; i < POSTS; i++) {
        double angle = 2.0 * PI * (i + 0.5) / POSTS;
        rigid post = {q_y(angle), {sin(angle) * (radius - 0.02), y + 0.17, cos(angle) * (radius - 0.02)}};
        solid_box(m, post, v3(0.020, 0.15, 0.020), post_color);
        rigid brace = {q_mul(q_y(angle), q_x(-42.0 * DEG)), {sin(angle) * 1.22, y - 0.20, cos(angle) * 1.22}};
        solid_box(m, brace, v3(0.024, 0.024, 0.25), post_color);
    }
}

/// A patch of meadow with a path to the door.
static void add_meadow(piece *p) {
    static const uint32_t greens[] = {0x6C9A3F, 0x7DAA49, 0x5E8A38}, petals[] = {0xF2D64B, 0xF4F1E8, 0xD9574A};
    const ring hill[] = {{2.35, 0.0}, {2.25, 0.035}, {1.70, 0.070}, {1.15, 0.085}};
    solid_lathe(&p->parts[GRASS], rigid_identity(), hill, 4, 36, rgb_from_srgb(0x6F9D42));
    for (int i = 0; i < 36; i++) { // distributed by the golden angle, but not on the path
        double angle = i * 2.39996323, radius = 1.38 + 0.86 * sqrt((i + 0.5) / 36.0);
        double x = sin(angle) * radius, z = cos(angle) * radius;
        if (fabs(x) < 0.45 && z > 0.0) {
            continue;
        }
        double ground = radius > 1.70 ? mix(0.070, 0.035, (radius - 1.70) / 0.55) : 0.072;
        for (int k = 0; k < 2; k++) {
            rigid blade = {q_mul(q_y(angle + 2.1 * k), q_x(16.0 * DEG)), {x, ground - 0.01, z}};
            solid_wedge(&p->parts[GRASS], blade, 0.10 + 0.02 * ((i + k) % 4), v3(0.016, 0, 0.008),
                        v3(0.002, 0, 0.002), rgb_from_srgb(greens[(i + k) % 3]));
        }
        if (i % 4 == 1) {
            rigid flower = {q_y(angle), {x + 0.03, ground + 0.11, z + 0.02}};
            solid_box(&p->parts[GRASS], flower, v3(0.022, 0.012, 0.022), rgb_from_srgb(petals[i / 4 % 3]));
        }
    }
    static const double slabs[][4] = {{0.02, 1.72, 0.30, 8}, {-0.06, 1.95, 0.27, -11}, {0.07, 2.16, 0.24, 5}};
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs; i++) {
        rigid slab = {q_y(slabs[i][3] * DEG), {slabs[i][0], 0.065 - 0.014 * (double)i, slabs[i][1]}};
        solid_box(&p->parts[STONE], slab, v3(slabs[i][2], 0.025, 0.085),
                  rgb_from_srgb(i % 2 ? 0x9A968D : 0x8C8A84));
    }
}

static void add_tower(mill *m) {
    piece p = {0};
    add_stones(&p.parts[STONE]);
    enum { RINGS = 12 };
    ring wall[RINGS + 2];
    for (int k = 0; k < RINGS; k++) { // enough for the weathering
        double y = mix(0.70, 3.80, (double)k / (RINGS - 1));
        wall[k] = (ring){tower_radius(y), y};
    }
    wall[RINGS] = (ring){0.80, 3.85};
    wall[RINGS + 1] = (ring){0.80, 3.95};
    solid_lathe(&p.parts[PLASTER], rigid_identity(), wall, RINGS + 2, 32, rgb_from_srgb(0xEFE7D6));
    weather(&p.parts[PLASTER], 0.70, 3.80);
    weather(&p.parts[STONE], -0.35, 9.0);
    add_gallery(&p.parts[WOOD]);
    add_meadow(&p);
    add_window(&p, 0.0, 2.45);
    add_window(&p, 115.0 * DEG, 1.9);
    add_window(&p, -115.0 * DEG, 1.9);
    add_window(&p, 180.0 * DEG, 2.9);
    rigid frame = rigid_shift(0, 0.62, 1.16);
    solid_box(&p.parts[WOOD], frame, v3(0.36, 0.62, 0.09), rgb_from_srgb(0x4F3522));
    solid_box(&p.parts[WOOD], rigid_shift(0, 0.62, 1.245), v3(0.28, 0.54, 0.008), rgb_from_srgb(0x17110D));
    solid_box(&p.parts[STONE], rigid_shift(0, 0.05, 1.42), v3(0.45, 0.05, 0.22), rgb_from_srgb(0x9A968D));
    m->tower = add_piece(m, "Tower", m->root, rigid_identity(), &p);
}

/// The origin of the door is its hinge: it swings by a rotation about Y.
static void add_door(mill *m) {
    piece p = {0};
    static const uint32_t planks[] = {0x8A5A33, 0x7C5030, 0x8F6038, 0x7F532F};
    for (int i = 0; i < 4; i++) {
        rigid plank = rigid_shift(0.07 + 0.14 * i, 0.55, 0);
        solid_box(&p.parts[WOOD], plank, v3(0.068, 0.53, 0.025), rgb_from_srgb(planks[i]));
    }
    for (int i = 0; i < 2; i++) {
        solid_box(&p.parts[WOOD], rigid_shift(0.27, 0.25 + 0.6 * i, 0.02), v3(0.25, 0.035, 0.02),
                  rgb_from_srgb(0x3C3A3A));
    }
    m->door = add_piece(m, "Door", m->tower, rigid_shift(-0.28, 0.10, 1.27), &p);
}

static void add_shutters(mill *m) {
    static const char *const names[] = {"Shutter_L", "Shutter_R"};
    double z = tower_radius(2.45) + 0.055;
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -1.0 : 1.0;
        piece p = {0};
        solid_box(&p.parts[WOOD], rigid_shift(-0.068 * side, 0, 0), v3(0.065, 0.20, 0.014),
                  rgb_from_srgb(0x2F7F86));
        m->shutters[i] = add_piece(m, names[i], m->tower, rigid_shift(0.15 * side, 2.45, z), &p);
    }
}

// ---- the cap and the sails ----

static void add_cap(mill *m) {
    piece p = {0};
    // Rows of shingles, each a little over the one below.
    enum { ROWS = 8 };
    static const uint32_t shingles[] = {0x8E3B2E, 0x9C4433, 0x853527};
    for (int i = 0; i < ROWS; i++) {
        double a = 0.5 * PI * i / ROWS, b = 0.5 * PI * (i + 1) / ROWS;
        ring low = {0.92 * pow(cos(a), 0.85) + 0.022, 0.97 * sin(a)},
             high = {0.92 * pow(cos(b), 0.85), 0.97 * sin(b)};
        ring under = {fmax(low.radius - 0.06, 0.0), low.y};
        solid_band(&p.parts[WOOD], rigid_identity(), under, low, 28, rgb_from_srgb(0x5A241C));
        solid_band(&p.parts[WOOD], rigid_identity(), low, high, 28, rgb_from_srgb(shingles[i % 3]));
    }
    const ring eaves[] = {{0.86, -0.02}, {0.90, 0.02}, {0.80, 0.03}};
    solid_lathe(&p.parts[WOOD], rigid_identity(), eaves, 3, 28, rgb_from_srgb(0x4F3522));
    const ring knob[] = {{0.03, 0.90}, {0.03, 1.10}, {0.08, 1.16}, {0.08, 1.20}, {0.0, 1.28}};
    solid_lathe(&p.parts[WOOD], rigid_identity(), knob, 5, 10, rgb_from_srgb(0xD9A441));
    solid_box(&p.parts[WOOD], rigid_shift(0, 0.34, 0.78), v3(0.22, 0.22, 0.22), rgb_from_srgb(0x5C3B24));
    solid_box(&p.parts[WOOD], (rigid){q_x(-35.0 * DEG), {0, 0.1, -1.1}}, v3(0.05, 0.05, 0.55),
              rgb_from_srgb(0x5C3B24));
    m->cap = add_piece(m, "Cap", m->root, rigid_shift(0, 3.95, 0), &p);
}

/// The axle points forward and a little up, as a real windshaft does; its +Z is the axis.
static void add_axle(mill *m) {
    piece p = {0};
    rigid along_z = {q_x(90.0 * DEG), {0, 0, 0}};
    const ring shaft[] = {{0.09, -0.35}, {0.09, 0.30}, {0.17, 0.30}, {0.17, 0.50}, {0.06, 0.60}};
    solid_lathe(&p.parts[WOOD], along_z, shaft, 5, 12, rgb_from_srgb(0x4F3522));
    rigid local = {q_x(-8.0 * DEG), {0, 0.36, 1.02}};
    m->axle = add_piece(m, "Axle", m->cap, local, &p);
}

/// One sail along +Y: a stock, a lattice to one side of it, and a cloth behind the lattice.
static void build_sail(piece *p) {
    const rgb stock = rgb_from_srgb(0x5C3B24), lath = rgb_from_srgb(0x8A6240);
    const rigid pitch = {q_y(14.0 * DEG), {0, 0, 0.40}};
    rigid at = rigid_mul(pitch, rigid_shift(0, 0.05, 0));
    solid_wedge(&p->parts[WOOD], at, 2.35, v3(0.055, 0, 0.055), v3(0.03, 0, 0.03), stock);
    for (int i = 0; i < 9; i++) {
        rigid bar = rigid_mul(pitch, rigid_shift(0.22, 0.52 + 0.22 * i, 0.0));
        solid_box(&p->parts[WOOD], bar, v3(0.25, 0.014, 0.014), lath);
    }
    for (int i = 0; i < 3; i++) {
        rigid rail = rigid_mul(pitch, rigid_shift(0.16 + 0.15 * i, 1.40, 0.012));
        solid_box(&p->parts[WOOD], rail, v3(0.012, 0.90, 0.012), lath);
    }
    rigid cloth = rigid_mul(pitch, rigid_shift(0.235, 1.40, -0.022));
    solid_box(&p->parts[CLOTH], cloth, v3(0.215, 0.87, 0.006), rgb_from_srgb(0xF3E9D2));
}

static void add_sails(mill *m) {
    for (int i = 0; i < SAILS; i++) {
        char name[24];
        snprintf(name, sizeof name, "Sail_%d", i + 1);
        piece p = {0};
        build_sail(&p);
        rigid local = {q_z(-90.0 * DEG * i), {0, 0, 0}};
        add_piece(m, name, m->axle, local, &p);
    }
}

// ---- the clips ----

static void put_quat(double *row, quat q) {
    row[0] = q.x;
    row[1] = q.y;
    row[2] = q.z;
    row[3] = q.w;
}

static quat axle_at(double angle) {
    return q_mul(q_x(-8.0 * DEG), q_z(angle));
}

/// Eight keys a turn, so that neighbours are at most 45 degrees apart. After one turn a quaternion has the opposite
/// sign. So the loop is two turns of the sails, which is one of the quaternion, and the last key equals the first bit
/// by bit.
static void add_turn(const mill *m) {
    enum { KEYS = 17 };
    const double period = 4.0;
    double times[KEYS], axle[KEYS * 4], cap[KEYS * 4];
    for (int i = 0; i < KEYS; i++) {
        double phase = (double)(i % (KEYS - 1)) / (KEYS - 1);
        times[i] = 2.0 * period * i / (KEYS - 1);
        put_quat(axle + i * 4, axle_at(-4.0 * PI * phase));
        put_quat(cap + i * 4, q_y(6.0 * DEG * sin(2.0 * PI * phase)));
    }
    glb_animation_begin(m->g, "Turn", NULL);
    int timeline = glb_times(m->g, times, KEYS);
    glb_channel(m->g, m->axle, GLB_ROTATION, GLB_LINEAR, timeline, axle, KEYS);
    glb_channel(m->g, m->cap, GLB_ROTATION, GLB_LINEAR, timeline, cap, KEYS);
    glb_animation_end(m->g);
}

/// The angle of the sails in the gust: they accelerate, and then slow down.
static double gust_angle(double t) {
    double rush = smooth(t / 4.0);
    return -2.0 * PI * (t / 4.0 + 3.0 * rush);
}

/// One key of a cubic spline by central difference: in-tangent, value and out-tangent, per second.
static void put_cubic(double *rows, quat before, quat at, quat after, double step) {
    put_quat(rows + 4, at);
    quat slope = {(after.x - before.x) / step, (after.y - before.y) / step, (after.z - before.z) / step,
                  (after.w - before.w) / step};
    put_quat(rows, slope);
    put_quat(rows + 8, slope);
}

static void add_gust_splines(const mill *m) {
    enum { KEYS = 33 };
    const double h = 1e-4;
    double times[KEYS], axle[KEYS * 12], cap[KEYS * 12];
    for (int i = 0; i < KEYS; i++) {
        double t = 4.0 * i / (KEYS - 1);
        times[i] = t;
        put_cubic(axle + i * 12, axle_at(gust_angle(t - h)), axle_at(gust_angle(t)), axle_at(gust_angle(t + h)),
                  2.0 * h);
        double turn = PI * t / 2.0, swing = 12.0 * DEG;
        put_cubic(cap + i * 12, q_y(swing * sin(turn - h)), q_y(swing * sin(turn)), q_y(swing * sin(turn + h)),
                  2.0 * h / (PI / 2.0));
    }
    int timeline = glb_times(m->g, times, KEYS);
    glb_channel(m->g, m->axle, GLB_ROTATION, GLB_CUBIC, timeline, axle, KEYS * 3);
    glb_channel(m->g, m->cap, GLB_ROTATION, GLB_CUBIC, timeline, cap, KEYS * 3);
}

static void add_gust_door(const mill *m) {
    enum { KEYS = 7 };
    static const double times[KEYS] = {0.0, 0.8, 1.1, 1.5, 2.2, 3.2, 4.0};
    static const double degrees[KEYS] = {0, 0, -75, -60, -82, -8, 0};
    double rows[KEYS * 4];
    for (int i = 0; i < KEYS; i++) {
        put_quat(rows + i * 4, q_y(degrees[i] * DEG));
    }
    int timeline = glb_times(m->g, times, KEYS);
    glb_channel(m->g, m->door, GLB_ROTATION, GLB_LINEAR, timeline, rows, KEYS);
}

/// The shutters: open or shut, without intermediate positions.
static void add_gust_shutters(const mill *m) {
    enum { KEYS = 6 };
    static const double times[KEYS] = {0.0, 1.0, 1.4, 1.8, 3.0, 4.0};
    static const double degrees[KEYS] = {0, 150, 60, 150, 0, 0};
    double left[KEYS * 4], right[KEYS * 4];
    for (int i = 0; i < KEYS; i++) {
        put_quat(left + i * 4, q_y(-degrees[i] * DEG));
        put_quat(right + i * 4, q_y(degrees[i] * DEG));
    }
    int timeline = glb_times(m->g, times, KEYS);
    glb_channel(m->g, m->shutters[0], GLB_ROTATION, GLB_STEP, timeline, left, KEYS);
    glb_channel(m->g, m->shutters[1], GLB_ROTATION, GLB_STEP, timeline, right, KEYS);
}

static void add_gust(const mill *m) {
    glb_animation_begin(m->g, "Gust", NULL);
    add_gust_splines(m);
    add_gust_door(m);
    add_gust_shutters(m);
    glb_animation_end(m->g);
}

bool make_windmill(const char *path) {
    const rgb white = {1, 1, 1};
    mill m = {.g = glb_begin()};
    m.materials[STONE] = glb_material(m.g, "Stone", white, 0.0, 0.95);
    m.materials[PLASTER] = glb_material(m.g, "Plaster", white, 0.0, 0.9);
    m.materials[WOOD] = glb_material(m.g, "Wood", white, 0.0, 0.8);
    m.materials[CLOTH] = glb_material(m.g, "Cloth", white, 0.0, 0.9);
    m.materials[GRASS] = glb_material(m.g, "Grass", white, 0.0, 1.0);
    m.root = glb_node(m.g, "Windmill", -1, rigid_identity());
    add_tower(&m);
    add_door(&m);
    add_shutters(&m);
    add_cap(&m);
    add_axle(&m);
    add_sails(&m);
    add_turn(&m);
    add_gust(&m);
    return glb_end(m.g, path);
}
