// windmill.c - a tower mill: node animation without a skin. Windmill > Tower > Door and Shutters,
// Windmill > Cap > Axle > Sail_1..4. "Turn" is a plain loop; "Gust" has every kind of key that
// glTF knows: the axle and the cap turn on cubic splines, the door swings linearly and the
// shutters open in steps.
#include "models.h"

#include <stdio.h>

enum { SAILS = 4 };

/// What each piece of the mill is made of; one mesh node has up to one primitive of each.
enum stuff { STONE, PLASTER, WOOD, CLOTH, STUFFS };

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

static void add_tower(mill *m) {
    piece p = {0};
    add_stones(&p.parts[STONE]);
    const ring wall[] = {
        {tower_radius(0.70), 0.70}, {tower_radius(2.2), 2.2}, {tower_radius(3.8), 3.8}, {0.80, 3.85}, {0.80, 3.95}};
    solid_lathe(&p.parts[PLASTER], rigid_identity(), wall, 5, 32, rgb_from_srgb(0xEFE7D6));
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

/// The door's origin is its hinge, so that it swings when it is turned about Y.
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
    const ring roof[] = {{0.92, 0.0},  {0.90, 0.10}, {0.80, 0.38}, {0.62, 0.64},
                         {0.38, 0.84}, {0.12, 0.95}, {0.0, 0.97}};
    solid_lathe(&p.parts[WOOD], rigid_identity(), roof, 7, 24, rgb_from_srgb(0x8E3B2E));
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
        char name[16];
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

/// Eight keys a turn, so that no two neighbours are more than 45 degrees apart. A quaternion comes
/// back with its sign turned after one turn; so the loop is two turns of the sails, one of the
/// quaternion, and the last key equals the first to the bit.
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

/// The sails' angle in the gust: it comes, tears at them, and lets them run out.
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

/// Shutters that bang: they are open or shut and nothing in between.
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
