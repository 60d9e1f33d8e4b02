// SPDX-License-Identifier: MIT
// sprite.c - a forest sprite with the ears and the tail of a fox, 1 m: a VRM avatar. A T-pose, joints without rotations,
// a large head, short legs.
#include "sprite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t dress_color = 0x4E9B54, dress_light = 0xA9D46A, sleeve_color = 0xFFF3DC,
                      leaf_color = 0x2F7443;
static const uint32_t boot_color = 0x7A4A2B, boot_light = 0xB27B4A, tights_color = 0x5A4636, hand_color = 0xFFD6B2;
static const uint32_t fur_color = 0xD9722B, fur_tip = 0xFFF0D8;

// ---- the rig ----

static const joint_row rows[] = {
    {"Hips", NULL, false, {0, 0.335, 0}, {0, 0.378, 0}, {0, 0, 1}},
    {"Spine", "Hips", false, {0, 0.378, 0.002}, {0, 0.425, 0}, {0, 0, 1}},
    {"Chest", "Spine", false, {0, 0.425, 0}, {0, 0.475, -0.004}, {0, 0, 1}},
    {"UpperChest", "Chest", false, {0, 0.475, -0.004}, {0, 0.545, -0.010}, {0, 0, 1}},
    {"Neck", "UpperChest", false, {0, 0.545, -0.010}, {0, 0.590, -0.006}, {0, 0, 1}},
    {"Head", "Neck", false, {0, 0.590, -0.006}, {0, 0.900, 0}, {0, 0, 1}},
    {"Eye", "Head", true, {0.060, 0.712, 0.070}, {0.073, 0.712, 0.135}, {0, 1, 0}},
    {"HairSide1", "Head", true, {0.160, 0.730, 0.040}, {0.170, 0.665, 0.045}, {0, 0, 1}},
    {"HairSide2", "HairSide1", true, {0.170, 0.665, 0.045}, {0.158, 0.585, 0.055}, {0, 0, 1}},
    {"HairSide3", "HairSide2", true, {0.158, 0.585, 0.055}, {0.158, 0.570, 0.055}, {0, 0, 1}},
    {"Ear1", "Head", true, {0.098, 0.865, -0.020}, {0.132, 0.940, -0.024}, {0, 0, 1}},
    {"Ear2", "Ear1", true, {0.132, 0.940, -0.024}, {0.160, 1.015, -0.030}, {0, 0, 1}},
    {"Ear3", "Ear2", true, {0.160, 1.015, -0.030}, {0.164, 1.026, -0.030}, {0, 0, 1}},
    {"Shoulder", "UpperChest", true, {0.020, 0.522, -0.008}, {0.080, 0.522, -0.010}, {0, 0, 1}},
    {"UpperArm", "Shoulder", true, {0.080, 0.522, -0.010}, {0.185, 0.522, -0.010}, {0, 0, 1}},
    {"LowerArm", "UpperArm", true, {0.185, 0.522, -0.010}, {0.282, 0.522, -0.010}, {0, 0, 1}},
    {"LowerArmTwist", "LowerArm", true, {0.234, 0.522, -0.010}, {0.282, 0.522, -0.010}, {0, 0, 1}},
    {"Hand", "LowerArm", true, {0.282, 0.522, -0.010}, {0.328, 0.522, -0.010}, {0, 0, 1}},
    {"UpperLeg", "Hips", true, {0.054, 0.316, 0}, {0.057, 0.190, 0.006}, {0, 0, 1}},
    {"LowerLeg", "UpperLeg", true, {0.057, 0.190, 0.006}, {0.060, 0.062, -0.010}, {0, 0, 1}},
    {"Foot", "LowerLeg", true, {0.060, 0.062, -0.010}, {0.064, 0.018, 0.048}, {0, 1, 0}},
    {"Toes", "Foot", true, {0.064, 0.018, 0.048}, {0.067, 0.016, 0.092}, {0, 1, 0}},
    {"Tail1", "Hips", false, {0, 0.335, -0.062}, {0, 0.335, -0.135}, {0, 1, 0}},
    {"Tail2", "Tail1", false, {0, 0.335, -0.135}, {0, 0.385, -0.205}, {0, 1, 0}},
    {"Tail3", "Tail2", false, {0, 0.385, -0.205}, {0, 0.485, -0.240}, {0, 1, 0}},
    {"Tail4", "Tail3", false, {0, 0.485, -0.240}, {0, 0.600, -0.215}, {0, 1, 0}},
    {"Tail5", "Tail4", false, {0, 0.600, -0.215}, {0, 0.612, -0.210}, {0, 1, 0}},
};

static rig make_rig(void) {
    rig r = {.hand_size = 0.50};
    rig_add_rows(&r, rows, sizeof rows / sizeof *rows);
    for (int i = 0; i < 2; i++) {
        rig_share_skin(&r, "LowerArm", "LowerArmTwist", sides[i]);
        rig_add_fingers(&r, sides[i]);
    }
    for (int i = 0; i < r.count; i++) {
        r.joints[i].rest.r = q_identity();
    }
    return r;
}

void sprite_node_name(char *to, size_t size, const joint *j) {
    static const char *const other[][2] = {{"Pinky1", "Little1"},
                                           {"Pinky2", "Little2"},
                                           {"Pinky3", "Little3"},
                                           {"Toes", "ToeBase"},
                                           {"LowerArmTwist", "LowerArmTwist"}};
    static const char *const added[] = {"Hair", "Ear", "Tail"};
    const char *name = j->name, *group = "Bip";
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        name = strcmp(j->name, other[i][0]) == 0 ? other[i][1] : name;
    }
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        group = strncmp(name, added[i], strlen(added[i])) == 0 ? "Sec" : group;
    }
    if (strcmp(name, "Eye") == 0) {
        group = "Adj", name = "FaceEye";
    } else if (strcmp(name, "LowerArmTwist") == 0) {
        group = "Sec";
    }
    snprintf(to, size, "J_%s_%s_%s", group, j->side == LEFT ? "L" : j->side == RIGHT ? "R" : "C", name);
}

// ---- clothes ----

static void add_dress(parts *all, const rig *r) {
    int index = all->count;
    part *p = parts_add(all, dress_color, 0.0080, 380, 0.028);
    brush(p, r, 0.03, "Hips Spine Chest UpperChest", CENTER);
    add_column(p, 0.515, -0.008, 0.058, 0.450, 0.000, 0.078, 0.84);
    add_column(p, 0.450, 0.000, 0.078, 0.380, 0.004, 0.090, 0.88);
    for (int i = 0; i < 2; i++) {
        brush(p, r, 0.03, "UpperChest", CENTER);
        brush_also(p, r, "Shoulder", sides[i]);
        field_cone(&p->field, sided(sides[i], 0.015, 0.518, -0.008), sided(sides[i], 0.066, 0.520, -0.010), 0.042,
                   0.040);
        brush(p, r, 0.04, "Hips", CENTER);
        brush_also(p, r, "UpperLeg", sides[i]);
        field_cone(&p->field, sided(sides[i], 0.016, 0.360, 0.003), sided(sides[i], 0.050, 0.235, 0.002), 0.090,
                   0.094);
    }
    p->field.brush.op = OP_CARVE;
    p->field.brush.blend = 0.008;
    for (int i = 0; i < 2; i++) {
        field_cone(&p->field, sided(sides[i], 0.046, 0.290, 0.003), sided(sides[i], 0.052, 0.200, 0.002), 0.055,
                   0.086);
    }
    field_keep(&p->field, v3(0, 0.248, 0), v3(0, 0.56, 0), 0.008);
    tint(p, v3(0, 0.200, 0.06), 0.14, dress_light, 0.55);
    parts_band(all, index, dress_light, 0.0040, 0.0075, 150, 0.245, 0.266);
    parts_band(all, index, boot_color, 0.0055, 0.0075, 90, 0.392, 0.418);
    part *buckle = parts_band(all, index, 0xF2C14E, 0.0100, 0.0075, 40, 0.388, 0.422);
    field_keep(&buckle->field, v3(-0.018, 0, 0), v3(0.018, 0, 0), 0.004);
    field_keep(&buckle->field, v3(0, 0, 0.04), v3(0, 0, 0.3), 0.004);
}

/// A collar of leaves around the neck.
static void add_collar(parts *all, const rig *r) {
    enum { LEAVES = 9 };
    part *p = parts_add(all, leaf_color, 0.0060, 230, 0.02);
    brush(p, r, 0.004, "UpperChest", CENTER);
    for (int i = 0; i < LEAVES; i++) {
        double a = 2.0 * PI * i / LEAVES;
        vec3 out = v3(sin(a), 0, cos(a));
        vec3 from = v3_add(v3(0, 0.560, -0.010), v3_mul(out, 0.044));
        vec3 to = v3_add(v3(0, 0.502, -0.008), v3_mul(out, 0.094));
        field_flat_cone(&p->field, from, v3_lerp(from, to, 0.45), 0.015, 0.022, 0.40, v3_add(out, v3(0, 0.8, 0)));
        field_flat_cone(&p->field, v3_lerp(from, to, 0.45), to, 0.022, 0.003, 0.40, v3_add(out, v3(0, 0.8, 0)));
        tint(p, to, 0.035, dress_light, 0.8);
    }
}

static void add_sleeve(parts *all, const rig *r, enum side side) {
    int index = all->count;
    part *p = parts_add(all, sleeve_color, 0.0065, 150, 0.020);
    vec3 shoulder = rig_head(r, "UpperArm", side), elbow = rig_head(r, "LowerArm", side);
    brush(p, r, 0.02, "Shoulder UpperArm", side);
    field_cone(&p->field, v3_lerp(rig_head(r, "Shoulder", side), shoulder, 0.8), shoulder, 0.032, 0.035);
    brush(p, r, 0.02, "UpperArm", side);
    field_cone(&p->field, shoulder, elbow, 0.035, 0.030);
    brush(p, r, 0.02, "LowerArm LowerArmTwist", side);
    field_cone(&p->field, elbow, rig_along(r, "LowerArm", side, 0.70), 0.030, 0.037);
    field_cone(&p->field, rig_along(r, "LowerArm", side, 0.70), rig_along(r, "LowerArm", side, 1.0), 0.037, 0.021);
    field_keep(&p->field, rig_along(r, "LowerArm", side, -3.0), rig_along(r, "LowerArm", side, 0.97), 0.004);
    part *cuff = parts_layer(all, index, leaf_color, 0.0035, 0.0060, 60);
    field_keep(&cuff->field, rig_along(r, "LowerArm", side, 0.84), rig_along(r, "LowerArm", side, 0.97), 0.003);
}

static void add_leg(parts *all, const rig *r, enum side side) {
    part *p = parts_add(all, tights_color, 0.0085, 110, 0.022);
    vec3 hip = rig_head(r, "UpperLeg", side), knee = rig_head(r, "LowerLeg", side);
    brush(p, r, 0.02, "Hips", CENTER);
    brush_also(p, r, "UpperLeg", side);
    field_cone(&p->field, v3_add(hip, v3(0, 0.005, 0)), knee, 0.052, 0.039);
    brush(p, r, 0.02, "LowerLeg", side);
    field_cone(&p->field, knee, rig_along(r, "LowerLeg", side, 0.7), 0.039, 0.034);
}

static void add_boot(parts *all, const rig *r, enum side side) {
    int index = all->count;
    part *p = parts_add(all, boot_color, 0.0070, 150, 0.018);
    vec3 ankle = rig_head(r, "Foot", side), ball = rig_head(r, "Toes", side), tip = rig_tail(r, "Toes", side);
    vec3 bend = v3(ball.x, 0.026, ball.z - 0.010);
    brush(p, r, 0.02, "LowerLeg", side);
    field_cone(&p->field, rig_along(r, "LowerLeg", side, 0.35), rig_along(r, "LowerLeg", side, 0.95), 0.045, 0.038);
    brush(p, r, 0.02, "Foot", side);
    field_cone(&p->field, v3_add(ankle, v3(0, -0.010, -0.004)), v3_add(ankle, v3(0, -0.028, -0.010)), 0.036, 0.036);
    field_flat_cone(&p->field, v3_add(ankle, v3(0, -0.022, 0)), bend, 0.037, 0.042, 0.92, v3(0, 1, 0));
    brush(p, r, 0.016, "Toes", side);
    field_flat_cone(&p->field, bend, v3(tip.x, 0.024, tip.z - 0.022), 0.042, 0.036, 0.92, v3(0, 1, 0));
    field_keep(&p->field, v3(0, 0, 0), v3(0, 0.165, 0), 0.010);
    parts_band(all, index, boot_light, 0.0065, 0.0075, 60, 0.138, 0.168);
    parts_band(all, index, 0x4A2C1B, 0.0030, 0.0075, 60, 0.0, 0.011);
}

static void add_tail(parts *all, const rig *r) {
    static const double radii[] = {0.022, 0.050, 0.066, 0.056, 0.006};
    part *p = parts_add(all, fur_color, 0.0100, 210, 0.035);
    p->mesh = SPRITE_HAIR;
    for (int i = 0; i < 4; i++) {
        const char name[] = {'T', 'a', 'i', 'l', (char)('1' + i), '\0'};
        brush(p, r, 0.03, name, CENTER);
        field_cone(&p->field, rig_head(r, name, CENTER), rig_tail(r, name, CENTER), radii[i], radii[i + 1]);
    }
    vec3 tip = rig_tail(r, "Tail4", CENTER);
    tint(p, v3_lerp(rig_head(r, "Tail4", CENTER), tip, 0.75), 0.085, fur_tip, 1.0);
    tint(p, tip, 0.080, fur_tip, 1.0);
}

static void add_body(parts *all, const rig *r) {
    add_dress(all, r);
    add_collar(all, r);
    for (int i = 0; i < 2; i++) {
        add_sleeve(all, r, sides[i]);
        parts_add_hand(all, r, sides[i], hand_color, 0.66, 235);
        add_leg(all, r, sides[i]);
        add_boot(all, r, sides[i]);
    }
    add_tail(all, r);
}

// ---- the file ----

static void add_nodes(glb *g, const rig *r, int *nodes) {
    int root = glb_node(g, "Root", -1, rigid_identity());
    for (int i = 0; i < r->count; i++) {
        const joint *j = &r->joints[i];
        char name[32];
        sprite_node_name(name, sizeof name, j);
        nodes[i] = glb_node(g, name, j->parent < 0 ? root : nodes[j->parent], rig_local(r, i));
    }
}

static void add_meshes(glb *g, const rig *r, const int *joints, mesh *meshes, const parts *all, sprite_face *f,
                       int *nodes) {
    static const char *const names[SPRITE_MESHES] = {"Body", "Face", "Hair"};
    rigid rest[RIG_JOINTS];
    for (int i = 0; i < r->count; i++) {
        rest[i] = r->joints[i].rest;
    }
    vec3 *offsets[SPRITE_MORPHS];
    glb_morph morphs[SPRITE_MORPHS];
    sprite_finish_face(&meshes[SPRITE_FACE], r, all, f, offsets);
    for (int i = 0; i < SPRITE_MORPHS; i++) {
        morphs[i] = (glb_morph){sprite_morph_names[i], offsets[i]};
    }
    int skin = glb_skin(g, "Sprite", joints, rest, 1.0, r->count, joints[0]);
    for (int i = 0; i < SPRITE_MESHES; i++) {
        const rgb white = {1, 1, 1};
        glb_primitive primitive = {&meshes[i], glb_material(g, names[i], white, 0.0, 0.8), true, true};
        int index = i == SPRITE_FACE ? glb_morphed_mesh(g, names[i], &primitive, morphs, SPRITE_MORPHS)
                                     : glb_mesh(g, names[i], &primitive, 1);
        nodes[i] = glb_node(g, names[i], -1, rigid_identity());
        glb_node_mesh(g, nodes[i], index);
        glb_node_skin(g, nodes[i], skin);
    }
    for (int i = 0; i < SPRITE_MORPHS; i++) {
        free(offsets[i]);
    }
}

bool make_sprite(const char *path) {
    rig r = make_rig();
    parts all = {must_alloc(PARTS_MAX, sizeof(part)), 0};
    mesh meshes[SPRITE_MESHES] = {{0}};
    sprite_face face = sprite_add_face(&all, &r);
    sprite_add_hair(&all, &r);
    add_body(&all, &r);
    parts_grow(&all, &r, meshes);

    glb *g = glb_begin();
    int nodes[RIG_JOINTS], mesh_nodes[SPRITE_MESHES];
    add_nodes(g, &r, nodes);
    add_meshes(g, &r, nodes, meshes, &all, &face, mesh_nodes);
    sprite_add_vrm(g, &r, nodes, mesh_nodes);
    free(all.items);
    for (int i = 0; i < SPRITE_MESHES; i++) {
        mesh_free(&meshes[i]);
    }
    return glb_end(g, path);
}
