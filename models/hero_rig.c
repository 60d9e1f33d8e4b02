// SPDX-License-Identifier: MIT
// hero_rig.c - the joints of the hero: their positions in the rest pose, an A-pose facing +Z.
#include "hero.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const finger_names[FINGERS] = {"Thumb", "Index", "Middle", "Ring", "Pinky"};

/// A row of the table: names without side. If `paired`, both sides are made, and the row is the left one.
typedef struct joint_row {
    const char *name, *parent;
    bool paired;
    vec3 head, tail;
    vec3 front; ///< direction of the joint's +Z
} joint_row;

// Metres. Head to heel about 1.75; the head and hands are a little larger than life.
#define SHOULDER                                                                                                   \
    { 0.163, 1.372, -0.022 }
#define ELBOW                                                                                                      \
    { 0.362, 1.198, -0.026 }
#define WRIST                                                                                                      \
    { 0.545, 1.043, 0.000 }
#define KNUCKLE                                                                                                    \
    { 0.612, 0.986, 0.010 }

static const joint_row rows[] = {
    {"Hips", NULL, false, {0, 0.930, 0}, {0, 1.030, 0}, {0, 0, 1}},
    {"Spine", "Hips", false, {0, 1.030, 0.004}, {0, 1.135, 0}, {0, 0, 1}},
    {"Chest", "Spine", false, {0, 1.135, 0}, {0, 1.250, -0.010}, {0, 0, 1}},
    {"UpperChest", "Chest", false, {0, 1.250, -0.010}, {0, 1.415, -0.022}, {0, 0, 1}},
    {"Neck", "UpperChest", false, {0, 1.415, -0.022}, {0, 1.505, -0.006}, {0, 0, 1}},
    {"Head", "Neck", false, {0, 1.505, -0.006}, {0, 1.775, 0}, {0, 0, 1}},
    {"Eye", "Head", true, {0.0383, 1.6175, 0.0772}, {0.0433, 1.6175, 0.1029}, {0, 1, 0}},
    {"Lid", "Head", true, {0.0383, 1.6175, 0.0772}, {0.0433, 1.6175, 0.1029}, {0, 1, 0}},
    {"Hair1", "Head", false, {0, 1.716, -0.123}, {0, 1.660, -0.183}, {0, 0, 1}},
    {"Hair2", "Hair1", false, {0, 1.660, -0.183}, {0, 1.560, -0.210}, {0, 0, 1}},
    {"Hair3", "Hair2", false, {0, 1.560, -0.210}, {0, 1.435, -0.205}, {0, 0, 1}},
    {"Scarf1", "UpperChest", false, {-0.055, 1.425, -0.110}, {-0.070, 1.320, -0.160}, {0, 0, 1}},
    {"Scarf2", "Scarf1", false, {-0.070, 1.320, -0.160}, {-0.082, 1.200, -0.178}, {0, 0, 1}},
    {"Scarf3", "Scarf2", false, {-0.082, 1.200, -0.178}, {-0.090, 1.070, -0.185}, {0, 0, 1}},
    {"Shoulder", "UpperChest", true, {0.025, 1.388, 0.002}, SHOULDER, {0, 0, 1}},
    {"UpperArm", "Shoulder", true, SHOULDER, ELBOW, {0, 0, 1}},
    {"UpperArmTwist", "UpperArm", true, SHOULDER, ELBOW, {0, 0, 1}},
    {"LowerArm", "UpperArm", true, ELBOW, WRIST, {0, 0, 1}},
    {"LowerArmTwist", "LowerArm", true, {0.4535, 1.1205, -0.013}, WRIST, {0, 0, 1}},
    {"Hand", "LowerArm", true, WRIST, KNUCKLE, {0, 0, 1}},
    {"UpperLeg", "Hips", true, {0.092, 0.900, 0}, {0.100, 0.490, 0.014}, {0, 0, 1}},
    {"LowerLeg", "UpperLeg", true, {0.100, 0.490, 0.014}, {0.106, 0.085, -0.022}, {0, 0, 1}},
    // The skirt has its own joints at the waist: a front, a side and a back for each thigh.
    {"SkirtF", "Hips", true, {0.062, 0.972, 0.096}, {0.074, 0.785, 0.142}, {0, 0, 1}},
    {"SkirtS", "Hips", true, {0.132, 0.972, 0.000}, {0.208, 0.785, 0.000}, {0, 0, 1}},
    {"SkirtB", "Hips", true, {0.062, 0.972, -0.092}, {0.074, 0.785, -0.140}, {0, 0, 1}},
    {"Foot", "LowerLeg", true, {0.106, 0.085, -0.022}, {0.116, 0.024, 0.105}, {0, 1, 0}},
    {"Toes", "Foot", true, {0.116, 0.024, 0.105}, {0.123, 0.020, 0.185}, {0, 1, 0}},
};

// ---- joints ----

static int find(const rig *r, const char *name, enum side side) {
    char full[32];
    snprintf(full, sizeof full, "%s%s", name, side == LEFT ? "_L" : side == RIGHT ? "_R" : "");
    for (int i = 0; i < r->count; i++) {
        if (strcmp(r->joints[i].name, full) == 0) {
            return i;
        }
    }
    return -1;
}

int rig_find(const rig *r, const char *name, enum side side) {
    int found = find(r, name, side);
    if (found < 0) {
        fprintf(stderr, "make-models: the hero has no joint %s on side %d\n", name, (int)side);
        exit(1);
    }
    return found;
}

vec3 rig_head(const rig *r, const char *name, enum side side) {
    return r->joints[rig_find(r, name, side)].rest.t;
}

vec3 rig_tail(const rig *r, const char *name, enum side side) {
    return r->joints[rig_find(r, name, side)].tail;
}

static void add_joint(rig *r, const joint_row *row, enum side side) {
    if (r->count == RIG_JOINTS) {
        fprintf(stderr, "make-models: too many joints\n");
        exit(1);
    }
    vec3 head = side == RIGHT ? v3_mirror(row->head) : row->head;
    vec3 tail = side == RIGHT ? v3_mirror(row->tail) : row->tail;
    int parent = -1;
    if (row->parent) { // of the same side, or of none
        parent = find(r, row->parent, side);
        parent = parent < 0 ? rig_find(r, row->parent, CENTER) : parent;
    }
    joint *j = &r->joints[r->count++];
    snprintf(j->name, sizeof j->name, "%s%s", row->name, side == LEFT ? "_L" : side == RIGHT ? "_R" : "");
    j->parent = parent;
    j->rest = (rigid){q_frame(v3_sub(tail, head), row->front), head};
    j->tail = tail;
    j->skin = (bone){head, tail};
}

// ---- hands ----

palm rig_palm(const rig *r, enum side side) {
    palm p = {.wrist = rig_head(r, "Hand", side)};
    p.along = v3_unit(v3_sub(rig_tail(r, "Hand", side), p.wrist));
    p.thumb = v3_across(v3(0, 0, 1), p.along);
    p.back = v3_mul(v3_cross(p.thumb, p.along), (double)side);
    return p;
}

vec3 palm_direction(const palm *p, vec3 v) {
    return v3_add(v3_mul(p->along, v.x), v3_add(v3_mul(p->thumb, v.y), v3_mul(p->back, v.z)));
}

/// A finger in the directions of the hand: the position of its first joint, its direction, and the lengths of its
/// three bones.
typedef struct finger {
    vec3 root, direction; ///< along, thumb, back
    double lengths[3];
} finger;

static const finger fingers[FINGERS] = {
    {{0.018, 0.026, -0.010}, {0.66, 0.66, -0.34}, {0.042, 0.036, 0.029}},
    {{0.092, 0.034, 0.000}, {0.990, 0.10, -0.14}, {0.040, 0.027, 0.024}},
    {{0.096, 0.011, 0.003}, {0.988, 0.01, -0.15}, {0.045, 0.030, 0.025}},
    {{0.092, -0.012, 0.000}, {0.984, -0.07, -0.16}, {0.041, 0.028, 0.024}},
    {{0.083, -0.033, -0.006}, {0.972, -0.16, -0.17}, {0.032, 0.022, 0.021}},
};

/// The bones of a relaxed finger curl slightly, each by `bend` more than the previous one.
static void add_finger(rig *r, enum side side, int index) {
    const finger *f = &fingers[index];
    palm p = rig_palm(r, side);
    bool thumb = index == 0;
    vec3 at = v3_add(p.wrist, palm_direction(&p, f->root));
    vec3 direction = v3_unit(palm_direction(&p, f->direction));
    vec3 out = thumb ? v3_unit(palm_direction(&p, v3(-0.45, 0.75, 0.5))) : p.back;
    vec3 hinge = v3_unit(v3_cross(direction, v3_across(out, direction)));
    double bend = (thumb ? -9.0 : -11.0) * DEG;
    for (int i = 0; i < 3; i++) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "%s%d", finger_names[index], i + 1);
        snprintf(parent, sizeof parent, "%s%d", finger_names[index], i);
        vec3 tail = v3_mad(at, direction, f->lengths[i]);
        // Rows are given for the left; add_joint mirrors them back.
        bool flip = side == RIGHT;
        joint_row row = {name,
                         i == 0 ? "Hand" : parent,
                         true,
                         flip ? v3_mirror(at) : at,
                         flip ? v3_mirror(tail) : tail,
                         v3_across(out, direction)};
        add_joint(r, &row, side);
        at = tail;
        direction = q_turn(q_axis(hinge, bend), direction);
    }
}

/// The frame of the grip in a fist: +Y is towards the thumb, +Z is the direction of the knuckles. The blade leans
/// forward slightly, as across a real palm.
static rigid grip_frame(const rig *r) {
    palm p = rig_palm(r, RIGHT);
    vec3 center = v3_add(p.wrist, palm_direction(&p, v3(0.079, 0.002, -0.030)));
    vec3 blade = v3_unit(palm_direction(&p, v3(0.16, 1.0, 0.0)));
    return (rigid){q_frame(blade, p.along), center};
}

// ---- the whole ----

/// A twist joint and its main joint divide a bone: each gets half of the skin.
static void share_skin(rig *r, const char *upper, const char *lower, enum side side) {
    bone *a = &r->joints[rig_find(r, upper, side)].skin;
    bone *b = &r->joints[rig_find(r, lower, side)].skin;
    vec3 from = a->a, to = b->b, middle = v3_lerp(from, to, 0.5);
    *a = (bone){from, middle};
    *b = (bone){middle, to};
}

/// The skin segments of the skirt: the weights change from the hips to the joints of the hem halfway between them.
static void hang_skirt(rig *r, enum side side) {
    static const char *const panels[] = {"SkirtF", "SkirtS", "SkirtB"};
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        bone *b = &r->joints[rig_find(r, panels[i], side)].skin;
        b->a = v3_lerp(b->a, b->b, 0.80);
    }
}

rig rig_make(void) {
    rig r = {.count = 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].paired) {
            add_joint(&r, &rows[i], CENTER);
            continue;
        }
        add_joint(&r, &rows[i], LEFT);
        add_joint(&r, &rows[i], RIGHT);
    }
    for (int s = LEFT; s >= RIGHT; s -= 2) {
        enum side side = (enum side)s;
        share_skin(&r, "UpperArmTwist", "UpperArm", side);
        share_skin(&r, "LowerArm", "LowerArmTwist", side);
        hang_skirt(&r, side);
        for (int i = 0; i < FINGERS; i++) {
            add_finger(&r, side, i);
        }
    }
    r.grip = grip_frame(&r);
    return r;
}
