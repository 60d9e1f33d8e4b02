// SPDX-License-Identifier: MIT
// golem.c - a stone golem, 2.3 m: a character to retarget motion onto. It shares no convention with the hero: a T-pose,
// joints with +X along their bones, Mixamo's names, an armature rotated by -90 degrees, short legs, long arms and two fingers.
#include "models.h"

#include <stdio.h>
#include <string.h>

enum { JOINTS_MAX = 48 };
enum side { CENTER = 0, LEFT = 1, RIGHT = -1 };

typedef struct joint {
    char name[40];
    int parent; // -1 for Hips
    rigid rest; // in model space
} joint;

typedef struct golem {
    joint joints[JOINTS_MAX];
    int count;
    mesh stone;
} golem;

// ---- the rig -----------------------------------------------------------------------------------

/// A joint of the middle or of the left side; the right side is mirrored.
typedef struct joint_row {
    const char *name, *parent; ///< without prefix and side
    bool pair;
    vec3 head, tail;
    vec3 front;
} joint_row;

static const joint_row rig_rows[] = {
    {"Hips", NULL, false, {0, 0.950, 0}, {0, 1.100, 0}, {0, 0, 1}},
    {"Spine", "Hips", false, {0, 1.100, 0}, {0, 1.300, -0.02}, {0, 0, 1}},
    {"Spine1", "Spine", false, {0, 1.300, -0.02}, {0, 1.520, -0.01}, {0, 0, 1}},
    {"Spine2", "Spine1", false, {0, 1.520, -0.01}, {0, 1.820, 0.03}, {0, 0, 1}},
    {"Neck", "Spine2", false, {0, 1.820, 0.03}, {0, 1.900, 0.07}, {0, 0, 1}},
    {"Head", "Neck", false, {0, 1.900, 0.07}, {0, 2.250, 0.09}, {0, 0, 1}},
    {"Shoulder", "Spine2", true, {0.130, 1.700, 0}, {0.430, 1.720, -0.01}, {0, 0, 1}},
    {"Arm", "Shoulder", true, {0.430, 1.720, -0.01}, {0.860, 1.720, -0.02}, {0, 0, 1}},
    {"ForeArm", "Arm", true, {0.860, 1.720, -0.02}, {1.320, 1.720, 0}, {0, 0, 1}},
    {"Hand", "ForeArm", true, {1.320, 1.720, 0}, {1.500, 1.720, 0}, {0, 0, 1}},
    {"HandThumb1", "Hand", true, {1.370, 1.690, 0.090}, {1.460, 1.670, 0.160}, {0, 1, 0}},
    {"HandThumb2", "HandThumb1", true, {1.460, 1.670, 0.160}, {1.540, 1.660, 0.190}, {0, 1, 0}},
    {"HandIndex1", "Hand", true, {1.500, 1.725, 0.065}, {1.610, 1.725, 0.070}, {0, 1, 0}},
    {"HandIndex2", "HandIndex1", true, {1.610, 1.725, 0.070}, {1.710, 1.720, 0.072}, {0, 1, 0}},
    {"HandPinky1", "Hand", true, {1.490, 1.720, -0.065}, {1.600, 1.720, -0.070}, {0, 1, 0}},
    {"HandPinky2", "HandPinky1", true, {1.600, 1.720, -0.070}, {1.690, 1.715, -0.072}, {0, 1, 0}},
    {"UpLeg", "Hips", true, {0.230, 0.900, 0}, {0.240, 0.520, 0.030}, {0, 0, 1}},
    {"Leg", "UpLeg", true, {0.240, 0.520, 0.030}, {0.250, 0.140, -0.030}, {0, 0, 1}},
    {"Foot", "Leg", true, {0.250, 0.140, -0.030}, {0.260, 0.050, 0.170}, {0, 1, 0}},
    {"ToeBase", "Foot", true, {0.260, 0.050, 0.170}, {0.265, 0.050, 0.290}, {0, 1, 0}},
};

static void full_name(char *to, size_t room, const char *name, enum side side) {
    snprintf(to, room, "mixamorig:%s%s", side == LEFT ? "Left" : side == RIGHT ? "Right" : "", name);
}

static int find_joint(const golem *g, const char *name, enum side side) {
    char full[40];
    full_name(full, sizeof full, name, side);
    for (int i = 0; i < g->count; i++) {
        if (strcmp(g->joints[i].name, full) == 0) {
            return i;
        }
    }
    return -1;
}

static vec3 on_side(vec3 v, enum side side) {
    return side == RIGHT ? v3_mirror(v) : v;
}

static void add_joint(golem *g, const joint_row *row, enum side side) {
    vec3 head = on_side(row->head, side), along = v3_sub(on_side(row->tail, side), head);
    joint *j = &g->joints[g->count];
    full_name(j->name, sizeof j->name, row->name, side);
    j->parent = row->parent ? find_joint(g, row->parent, side) : -1;
    if (row->parent && j->parent < 0) {
        j->parent = find_joint(g, row->parent, CENTER);
    }
    j->rest = (rigid){q_mul(q_frame(along, row->front), q_z(90.0 * DEG)), head}; // +X along the bone
    g->count++;
}

static void add_rig(golem *g) {
    for (size_t i = 0; i < sizeof rig_rows / sizeof *rig_rows; i++) {
        if (rig_rows[i].pair) {
            add_joint(g, &rig_rows[i], LEFT);
            add_joint(g, &rig_rows[i], RIGHT);
        } else {
            add_joint(g, &rig_rows[i], CENTER);
        }
    }
}

// ---- the stones --------------------------------------------------------------------------------

enum tone { GRANITE, SLATE, BASALT, MOSS, EMBER };

static const uint32_t tones[] = {0xA8A297, 0x8E8A82, 0x6C6965, 0x7A9A42, 0xFFB347};

/// A stone from one point to another, moved by one joint: half its width and depth at both ends.
typedef struct stone {
    const char *joint;
    bool pair;
    vec3 from, to;
    double bottom[2], top[2];
    enum tone tone;
} stone;

static const stone stones[] = {
    // the torso
    {"Hips", false, {0, 0.800, 0}, {0, 1.060, 0}, {0.230, 0.150}, {0.270, 0.180}, SLATE},
    {"Spine", false, {0, 1.080, 0}, {0, 1.290, -0.01}, {0.200, 0.150}, {0.250, 0.170}, BASALT},
    {"Spine1", false, {0, 1.300, -0.01}, {0, 1.530, 0.01}, {0.290, 0.190}, {0.380, 0.250}, GRANITE},
    {"Spine2", false, {0, 1.520, 0}, {0, 1.830, 0.02}, {0.400, 0.260}, {0.300, 0.180}, GRANITE},
    {"Spine2", false, {0, 1.810, -0.06}, {0, 1.865, -0.06}, {0.250, 0.120}, {0.170, 0.070}, MOSS},
    {"Neck", false, {0, 1.790, 0.04}, {0, 1.910, 0.07}, {0.110, 0.110}, {0.110, 0.110}, BASALT},
    // the head
    {"Head", false, {0, 1.880, 0.10}, {0, 2.140, 0.10}, {0.130, 0.130}, {0.165, 0.150}, GRANITE},
    {"Head", false, {0, 2.130, 0.09}, {0, 2.250, 0.07}, {0.160, 0.145}, {0.090, 0.080}, SLATE},
    {"Head", false, {0, 2.050, 0.235}, {0, 2.110, 0.235}, {0.150, 0.035}, {0.160, 0.025}, BASALT},
    {"Head", false, {0, 1.860, 0.170}, {0, 1.950, 0.190}, {0.090, 0.060}, {0.110, 0.070}, SLATE},
    {"Head", true, {0.065, 2.010, 0.215}, {0.065, 2.045, 0.215}, {0.030, 0.030}, {0.030, 0.030}, EMBER},
    {"Head", false, {0.02, 2.235, 0.05}, {0.03, 2.290, 0.04}, {0.070, 0.060}, {0.020, 0.020}, MOSS},
    // the arms
    {"Shoulder", true, {0.300, 1.690, -0.01}, {0.470, 1.760, -0.01}, {0.130, 0.140}, {0.150, 0.150}, SLATE},
    {"Arm", true, {0.420, 1.720, -0.01}, {0.830, 1.720, -0.02}, {0.130, 0.130}, {0.095, 0.095}, GRANITE},
    {"Arm", true, {0.470, 1.835, -0.03}, {0.620, 1.845, -0.03}, {0.020, 0.070}, {0.012, 0.040}, MOSS},
    {"ForeArm", true, {0.830, 1.720, -0.02}, {0.960, 1.720, -0.015}, {0.090, 0.090}, {0.110, 0.110}, BASALT},
    {"ForeArm", true, {0.940, 1.720, -0.015}, {1.310, 1.720, 0}, {0.140, 0.130}, {0.120, 0.110}, GRANITE},
    {"Hand", true, {1.290, 1.720, 0}, {1.500, 1.720, 0}, {0.070, 0.110}, {0.065, 0.120}, SLATE},
    {"HandThumb1", true, {1.370, 1.690, 0.090}, {1.465, 1.670, 0.165}, {0.040, 0.045}, {0.036, 0.040}, GRANITE},
    {"HandThumb2", true, {1.460, 1.670, 0.160}, {1.545, 1.660, 0.195}, {0.036, 0.040}, {0.024, 0.028}, SLATE},
    {"HandIndex1", true, {1.495, 1.725, 0.062}, {1.615, 1.725, 0.068}, {0.045, 0.050}, {0.040, 0.045}, GRANITE},
    {"HandIndex2", true, {1.605, 1.725, 0.068}, {1.715, 1.720, 0.072}, {0.040, 0.045}, {0.026, 0.030}, SLATE},
    {"HandPinky1", true, {1.485, 1.720, -0.062}, {1.605, 1.720, -0.068}, {0.045, 0.050}, {0.040, 0.045}, GRANITE},
    {"HandPinky2", true, {1.595, 1.720, -0.068}, {1.695, 1.715, -0.072}, {0.040, 0.045}, {0.026, 0.030}, SLATE},
    // the legs
    {"UpLeg", true, {0.230, 0.910, 0}, {0.240, 0.540, 0.030}, {0.130, 0.140}, {0.105, 0.110}, GRANITE},
    {"Leg", true, {0.240, 0.560, 0.030}, {0.240, 0.470, 0.030}, {0.095, 0.110}, {0.100, 0.115}, BASALT},
    {"Leg", true, {0.241, 0.490, 0.025}, {0.250, 0.110, -0.020}, {0.110, 0.120}, {0.135, 0.140}, GRANITE},
    {"Foot", true, {0.255, 0, 0.030}, {0.255, 0.120, 0.010}, {0.130, 0.170}, {0.110, 0.120}, SLATE},
    {"ToeBase", true, {0.262, 0, 0.245}, {0.262, 0.085, 0.225}, {0.125, 0.070}, {0.105, 0.050}, BASALT},
};

/// Shades faces that look down, and stones from one to the next, so that blocks stand apart.
static void shade(mesh *m, size_t first, double light) {
    for (size_t i = first; i < m->vertex_count; i++) {
        vertex *v = &m->vertices[i];
        double l = light * (0.88 + 0.12 * v->normal.y);
        v->color = (rgb){v->color.r * l, v->color.g * l, v->color.b * l};
    }
}

static void add_stone(golem *g, const stone *s, int index, enum side side) {
    vec3 from = on_side(s->from, side), along = v3_sub(on_side(s->to, side), from);
    int mover = find_joint(g, s->joint, side);
    mover = mover < 0 ? find_joint(g, s->joint, CENTER) : mover;
    quat frame = q_frame(along, v3(0, 0, 1));
    size_t first = g->stone.vertex_count;
    solid_wedge(&g->stone, (rigid){frame, from}, v3_length(along), v3(s->bottom[0], 0, s->bottom[1]),
                v3(s->top[0], 0, s->top[1]), rgb_from_srgb(tones[s->tone]));
    for (size_t i = first; i < g->stone.vertex_count; i++) {
        g->stone.vertices[i].joint[0] = (uint8_t)mover;
        g->stone.vertices[i].weight[0] = 255;
    }
    if (s->tone != EMBER) {
        shade(&g->stone, first, 0.92 + 0.08 * sin(2.4 * index));
    }
}

static void add_stones(golem *g) {
    for (size_t i = 0; i < sizeof stones / sizeof *stones; i++) {
        if (stones[i].pair) {
            add_stone(g, &stones[i], (int)i, LEFT);
            add_stone(g, &stones[i], (int)i, RIGHT);
        } else {
            add_stone(g, &stones[i], (int)i, CENTER);
        }
    }
}

// ---- the file ----------------------------------------------------------------------------------

/// The transform of a frame in the space of another.
static rigid relative(rigid parent, rigid child) {
    quat back = q_inverse(parent.r);
    return (rigid){q_mul(back, child.r), q_turn(back, v3_sub(child.t, parent.t))};
}

static void add_nodes(const golem *g, glb *file, int *nodes) {
    const rigid armature = {q_x(-90.0 * DEG), {0, 0, 0}};
    int root = glb_node(file, "Armature", -1, armature);
    for (int i = 0; i < g->count; i++) {
        const joint *j = &g->joints[i];
        rigid parent = j->parent < 0 ? armature : g->joints[j->parent].rest;
        nodes[i] = glb_node(file, j->name, j->parent < 0 ? root : nodes[j->parent], relative(parent, j->rest));
    }
}

bool make_golem(const char *path) {
    golem g = {.count = 0};
    add_rig(&g);
    add_stones(&g);
    glb *file = glb_begin();
    int nodes[JOINTS_MAX];
    rigid rest[JOINTS_MAX];
    add_nodes(&g, file, nodes);
    for (int i = 0; i < g.count; i++) {
        rest[i] = g.joints[i].rest;
    }
    const glb_primitive primitive = {&g.stone, glb_material(file, "Stone", (rgb){1, 1, 1}, 0.0, 0.95), true, true};
    int body = glb_node(file, "Golem", -1, rigid_identity());
    glb_node_mesh(file, body, glb_mesh(file, "Golem", &primitive, 1));
    glb_node_skin(file, body, glb_skin(file, "Golem", nodes, rest, 1.0, g.count, nodes[0]));
    mesh_free(&g.stone);
    return glb_end(file, path);
}
