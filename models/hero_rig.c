// SPDX-License-Identifier: MIT
// hero_rig.c - the joints of the hero: their positions in the rest pose, an A-pose facing +Z.
#include "hero.h"

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

/// The frame of the grip in a fist: +Y is towards the thumb, +Z is the direction of the knuckles. The blade leans
/// forward slightly, as across a real palm.
static rigid grip_frame(const rig *r) {
    palm p = rig_palm(r, RIGHT);
    vec3 center = v3_add(p.wrist, palm_direction(&p, v3(0.079, 0.002, -0.030)));
    vec3 blade = v3_unit(palm_direction(&p, v3(0.16, 1.0, 0.0)));
    return (rigid){q_frame(blade, p.along), center};
}

// ---- the whole ----

/// The skin segments of the skirt: the weights change from the hips to the joints of the hem halfway between them.
static void hang_skirt(rig *r, enum side side) {
    static const char *const panels[] = {"SkirtF", "SkirtS", "SkirtB"};
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        bone *b = &r->joints[rig_find(r, panels[i], side)].skin;
        b->a = v3_lerp(b->a, b->b, 0.80);
    }
}

rig rig_make(void) {
    rig r = {.hand_size = 1.0};
    rig_add_rows(&r, rows, sizeof rows / sizeof *rows);
    for (int s = LEFT; s >= RIGHT; s -= 2) {
        enum side side = (enum side)s;
        rig_share_skin(&r, "UpperArmTwist", "UpperArm", side);
        rig_share_skin(&r, "LowerArm", "LowerArmTwist", side);
        hang_skirt(&r, side);
        rig_add_fingers(&r, side);
    }
    r.grip = grip_frame(&r);
    return r;
}
