// SPDX-License-Identifier: MIT
// scout.c - a scout in a helmet, 1.96 m: the conventions of Unreal's mannequins. An A-pose, +X along the bones and mirrored
// axes on the right, twist joints, two joints in the neck, metacarpals, nodes for inverse kinematics, in centimetres with
// Z up below an armature that is rotated and scaled by 0.01.
#include "hero.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t jacket_color = 0x36486B, panel_color = 0xE0A63A, shell_color = 0xEDE7DA,
                      visor_color = 0x14232E;
static const uint32_t visor_light = 0x4FB7CF, suit_color = 0x2B2F3A, trouser_color = 0x9C8B6C,
                      strap_color = 0x5B4634;
static const uint32_t boot_color = 0x33302F, glove_color = 0x3A3533, roll_color = 0xB5533C;

// ---- the rig ----

#define SHOULDER                                                                                                   \
    { 0.192, 1.508, -0.028 }
#define ELBOW                                                                                                      \
    { 0.398, 1.288, -0.034 }
#define WRIST                                                                                                      \
    { 0.584, 1.096, -0.004 }
#define KNUCKLE                                                                                                    \
    { 0.649, 1.030, 0.006 }
#define HIP                                                                                                        \
    { 0.100, 0.985, 0 }
#define KNEE                                                                                                       \
    { 0.112, 0.530, 0.014 }
#define ANKLE                                                                                                      \
    { 0.120, 0.098, -0.026 }

static const joint_row rows[] = {
    {"Hips", NULL, false, {0, 1.015, 0}, {0, 1.065, 0}, {0, 0, 1}},
    {"Spine", "Hips", false, {0, 1.065, 0.004}, {0, 1.125, 0.006}, {0, 0, 1}},
    {"Spine2", "Spine", false, {0, 1.125, 0.006}, {0, 1.200, 0.004}, {0, 0, 1}},
    {"Chest", "Spine2", false, {0, 1.200, 0.004}, {0, 1.290, -0.004}, {0, 0, 1}},
    {"Chest2", "Chest", false, {0, 1.290, -0.004}, {0, 1.400, -0.016}, {0, 0, 1}},
    {"UpperChest", "Chest2", false, {0, 1.400, -0.016}, {0, 1.560, -0.028}, {0, 0, 1}},
    {"Neck", "UpperChest", false, {0, 1.560, -0.028}, {0, 1.615, -0.018}, {0, 0, 1}},
    {"Neck2", "Neck", false, {0, 1.615, -0.018}, {0, 1.670, -0.008}, {0, 0, 1}},
    {"Head", "Neck2", false, {0, 1.670, -0.008}, {0, 1.950, 0}, {0, 0, 1}},
    {"Shoulder", "UpperChest", true, {0.020, 1.515, -0.008}, SHOULDER, {0, 0, 1}},
    {"UpperArm", "Shoulder", true, SHOULDER, ELBOW, {0, 0, 1}},
    {"UpperArmTwist", "UpperArm", true, SHOULDER, ELBOW, {0, 0, 1}},
    {"LowerArm", "UpperArm", true, ELBOW, WRIST, {0, 0, 1}},
    {"LowerArmTwist", "LowerArm", true, {0.491, 1.192, -0.019}, WRIST, {0, 0, 1}},
    {"Hand", "LowerArm", true, WRIST, KNUCKLE, {0, 0, 1}},
    {"Index0", "Hand", true, {0.606, 1.082, 0.028}, {0.655, 1.034, 0.045}, {0, 0, 1}},
    {"Middle0", "Hand", true, {0.610, 1.078, 0.010}, {0.659, 1.030, 0.020}, {0, 0, 1}},
    {"Ring0", "Hand", true, {0.609, 1.076, -0.008}, {0.653, 1.032, -0.004}, {0, 0, 1}},
    {"Pinky0", "Hand", true, {0.605, 1.076, -0.024}, {0.643, 1.036, -0.028}, {0, 0, 1}},
    {"UpperLeg", "Hips", true, HIP, KNEE, {0, 0, 1}},
    {"UpperLegTwist", "UpperLeg", true, HIP, KNEE, {0, 0, 1}},
    {"LowerLeg", "UpperLeg", true, KNEE, ANKLE, {0, 0, 1}},
    {"LowerLegTwist", "LowerLeg", true, {0.116, 0.314, -0.006}, ANKLE, {0, 0, 1}},
    {"Foot", "LowerLeg", true, ANKLE, {0.130, 0.024, 0.108}, {0, 1, 0}},
    {"Toes", "Foot", true, {0.130, 0.024, 0.108}, {0.138, 0.020, 0.192}, {0, 1, 0}},
};

/// The names of the file, without the side.
static const char *const node_names[][2] = {
    {"Hips", "pelvis"},
    {"Spine", "spine_01"},
    {"Spine2", "spine_02"},
    {"Chest", "spine_03"},
    {"Chest2", "spine_04"},
    {"UpperChest", "spine_05"},
    {"Neck", "neck_01"},
    {"Neck2", "neck_02"},
    {"Head", "head"},
    {"Shoulder", "clavicle"},
    {"UpperArm", "upperarm"},
    {"UpperArmTwist", "upperarm_twist_01"},
    {"LowerArm", "lowerarm"},
    {"LowerArmTwist", "lowerarm_twist_01"},
    {"Hand", "hand"},
    {"UpperLeg", "thigh"},
    {"UpperLegTwist", "thigh_twist_01"},
    {"LowerLeg", "calf"},
    {"LowerLegTwist", "calf_twist_01"},
    {"Foot", "foot"},
    {"Toes", "ball"},
};

static const char *const lower_fingers[FINGERS] = {"thumb", "index", "middle", "ring", "pinky"};

static void node_name(char *to, size_t size, const joint *j) {
    const char *side = j->side == LEFT ? "_l" : j->side == RIGHT ? "_r" : "";
    for (size_t i = 0; i < sizeof node_names / sizeof *node_names; i++) {
        if (strcmp(j->name, node_names[i][0]) == 0) {
            snprintf(to, size, "%s%s", node_names[i][1], side);
            return;
        }
    }
    for (int i = 0; i < FINGERS; i++) {
        size_t length = strlen(finger_names[i]);
        if (strncmp(j->name, finger_names[i], length) == 0) {
            int number = j->name[length] - '0';
            if (number == 0) {
                snprintf(to, size, "%s_metacarpal%s", lower_fingers[i], side);
            } else {
                snprintf(to, size, "%s_%02d%s", lower_fingers[i], number, side);
            }
        }
    }
}

/// Whether a joint's +X points from its tail to its head on the left side, as in Unreal's legs.
static bool is_reversed(const joint *j) {
    return strstr(j->name, "Leg") || strcmp(j->name, "Foot") == 0 || strcmp(j->name, "Toes") == 0;
}

/// Gives all joints Unreal's axes. Those of the right side are the left ones mirrored, and all three reversed, which
/// together is half a rotation about the model's X axis.
static void set_axes(rig *r) {
    for (int i = 0; i < r->count; i++) {
        joint *j = &r->joints[i];
        if (j->side == RIGHT) {
            j->rest.r = q_mul(q_x(PI), r->joints[rig_find(r, j->name, LEFT)].rest.r);
        } else {
            j->rest.r = q_mul(j->rest.r, q_z(is_reversed(j) ? -90.0 * DEG : 90.0 * DEG));
        }
    }
}

static rig make_rig(void) {
    rig r = {.hand_size = 1.06};
    rig_add_rows(&r, rows, sizeof rows / sizeof *rows);
    for (int i = 0; i < 2; i++) {
        rig_share_skin(&r, "UpperArmTwist", "UpperArm", sides[i]);
        rig_share_skin(&r, "LowerArm", "LowerArmTwist", sides[i]);
        rig_share_skin(&r, "UpperLegTwist", "UpperLeg", sides[i]);
        rig_share_skin(&r, "LowerLeg", "LowerLegTwist", sides[i]);
    }
    rig_add_fingers(&r, LEFT); // first, so that each right joint finds its left one
    rig_add_fingers(&r, RIGHT);
    set_axes(&r);
    return r;
}

// ---- the helmet ----

static void add_helmet(parts *all, const rig *r) {
    int shell = all->count;
    part *p = parts_add(all, shell_color, 0.0090, 300, 0.02);
    brush(p, r, 0.04, "Head", CENTER);
    field_ellipsoid(&p->field, rigid_shift(0, 1.802, -0.010), v3(0.134, 0.148, 0.152));
    field_ellipsoid(&p->field, rigid_shift(0, 1.712, 0.034), v3(0.096, 0.080, 0.104));
    field_ball(&p->field, v3(0, 1.686, 0.086), 0.046);

    part *frame = parts_band(all, shell, panel_color, 0.0060, 0.0080, 110, 1.730, 1.866);
    field_keep(&frame->field, v3(0, 0, 0.010), v3(0, 0, 0.30), 0.010);
    part *visor = parts_band(all, shell, visor_color, 0.0105, 0.0080, 140, 1.748, 1.848);
    field_keep(&visor->field, v3(0, 0, 0.026), v3(0, 0, 0.30), 0.012);
    visor->shade = 0.1;
    tint(visor, v3(0.056, 1.842, 0.135), 0.085, visor_light, 0.9);
    tint(visor, v3(-0.085, 1.765, 0.105), 0.055, visor_light, 0.35);
    part *crest = parts_band(all, shell, panel_color, 0.0080, 0.0080, 80, 1.876, 2.10);
    field_keep(&crest->field, v3(-0.016, 0, 0), v3(0.016, 0, 0), 0.004);

    for (int i = 0; i < 2; i++) {
        part *ear = parts_add(all, suit_color, 0.0070, 70, 0.0);
        brush(ear, r, 0.004, "Head", CENTER);
        field_cone(&ear->field, sided(sides[i], 0.122, 1.795, -0.020), sided(sides[i], 0.140, 1.795, -0.020), 0.038,
                   0.028);
    }
    part *antenna = parts_add(all, suit_color, 0.0045, 44, 0.0);
    brush(antenna, r, 0.004, "Head", CENTER);
    field_cone(&antenna->field, v3(-0.146, 1.795, -0.030), v3(-0.158, 1.955, -0.060), 0.008, 0.0045);
    field_ball(&antenna->field, v3(-0.158, 1.955, -0.060), 0.011);
    tint(antenna, v3(-0.158, 1.955, -0.060), 0.030, roll_color, 1.0);

    part *neck = parts_add(all, suit_color, 0.0090, 110, 0.03);
    brush(neck, r, 0.02, "UpperChest Neck Neck2 Head", CENTER);
    field_cone(&neck->field, v3(0, 1.520, -0.030), v3(0, 1.700, -0.006), 0.076, 0.068);
    part *collar = parts_add(all, jacket_color, 0.0090, 110, 0.0);
    brush(collar, r, 0.02, "UpperChest", CENTER);
    field_flat_cone(&collar->field, v3(0, 1.530, -0.030), v3(0, 1.600, -0.022), 0.112, 0.094, 0.92, v3(0, 0, 1));
    field_keep(&collar->field, v3(0, 1.40, 0), v3(0, 1.612, 0), 0.010);
}

// ---- the jacket ----

static int add_jacket(parts *all, const rig *r) {
    int index = all->count;
    part *p = parts_add(all, jacket_color, 0.0110, 430, 0.045);
    brush(p, r, 0.05, "Hips Spine Spine2 Chest Chest2 UpperChest", CENTER);
    add_column(p, 1.000, 0.000, 0.146, 1.060, 0.004, 0.138, 0.80);
    add_column(p, 1.100, 0.006, 0.124, 1.160, 0.006, 0.126, 0.80);
    add_column(p, 1.230, 0.004, 0.140, 1.390, -0.010, 0.170, 0.73);
    for (int i = 0; i < 2; i++) {
        brush(p, r, 0.05, "UpperChest Chest2", CENTER);
        field_ellipsoid(&p->field,
                        (rigid){q_y(16.0 * DEG * (double)sides[i]), sided(sides[i], 0.072, 1.405, 0.045)},
                        v3(0.086, 0.074, 0.060));
        field_ellipsoid(&p->field, rigid_shift(0.085 * (double)sides[i], 1.425, -0.075), v3(0.080, 0.095, 0.055));
        brush(p, r, 0.05, "UpperChest", CENTER);
        brush_also(p, r, "Shoulder", sides[i]);
        field_cone(&p->field, sided(sides[i], 0.035, 1.538, -0.026), sided(sides[i], 0.140, 1.512, -0.026), 0.060,
                   0.066);
        brush(p, r, 0.04, "Shoulder UpperArmTwist", sides[i]);
        field_cone(&p->field, sided(sides[i], 0.135, 1.505, -0.026), rig_along(r, "UpperArm", sides[i], 0.06),
                   0.068, 0.064);
    }
    field_keep(&p->field, v3(0, 1.020, 0), v3(0, 1.60, 0), 0.012);
    return index;
}

/// The front plate, belt, collar and straps.
static void add_trim(parts *all, int jacket) {
    part *plate = parts_band(all, jacket, panel_color, 0.0110, 0.0095, 130, 1.290, 1.475);
    field_keep(&plate->field, v3(0, 0, 0.040), v3(0, 0, 0.40), 0.006);
    field_keep(&plate->field, v3(-0.118, 0, 0), v3(0.118, 0, 0), 0.010);
    part *seam = parts_band(all, jacket, jacket_color, 0.0150, 0.0075, 70, 1.285, 1.480);
    field_keep(&seam->field, v3(0, 0, 0.040), v3(0, 0, 0.40), 0.004);
    field_keep(&seam->field, v3(-0.010, 0, 0), v3(0.010, 0, 0), 0.004);
    parts_band(all, jacket, strap_color, 0.0110, 0.0100, 110, 1.046, 1.094);
    part *buckle = parts_band(all, jacket, shell_color, 0.0180, 0.0070, 50, 1.046, 1.100);
    field_keep(&buckle->field, v3(-0.030, 0, 0), v3(0.030, 0, 0), 0.006);
    field_keep(&buckle->field, v3(0, 0, 0.04), v3(0, 0, 0.40), 0.004);
    for (int i = 0; i < 2; i++) {
        part *pouch = parts_band(all, jacket, strap_color, 0.0320, 0.0090, 60, 1.015, 1.080);
        vec3 out = v3_unit(sided(sides[i], 0.94, 0, 0.34));
        field_keep(&pouch->field, v3_mul(out, 0.04), v3_mul(out, 0.4), 0.010);
        field_keep(&pouch->field, v3(0, 0, 0.012), v3(0, 0, 0.090), 0.012);
        part *strap = parts_band(all, jacket, strap_color, 0.0140, 0.0090, 70, 1.250, 1.640);
        double x = 0.122 * (double)sides[i];
        field_keep(&strap->field, v3(x - 0.018, 0, 0), v3(x + 0.018, 0, 0), 0.004);
    }
}

static void add_pack(parts *all, const rig *r) {
    part *pack = parts_add(all, strap_color, 0.0120, 120, 0.02);
    brush(pack, r, 0.02, "UpperChest Chest2", CENTER);
    field_box(&pack->field, rigid_shift(0, 1.365, -0.190), v3(0.115, 0.130, 0.060), 0.034);
    part *flap = parts_layer(all, all->count - 1, jacket_color, 0.0070, 0.0110, 90);
    field_keep(&flap->field, v3(0, 1.420, 0), v3(0, 1.56, 0), 0.008);
    part *roll = parts_add(all, roll_color, 0.0110, 100, 0.0);
    brush(roll, r, 0.02, "UpperChest", CENTER);
    field_cone(&roll->field, v3(-0.150, 1.535, -0.185), v3(0.150, 1.535, -0.185), 0.048, 0.048);
    field_keep(&roll->field, v3(-0.165, 0, 0), v3(0.165, 0, 0), 0.008);
    for (int i = 0; i < 2; i++) {
        part *strap = parts_layer(all, all->count - 1 - i, suit_color, 0.0055, 0.0090, 40);
        double x = 0.085 * (double)sides[i];
        field_keep(&strap->field, v3(x - 0.014, 0, 0), v3(x + 0.014, 0, 0), 0.003);
    }
}

// ---- limbs ----

static void add_sleeve(parts *all, const rig *r, enum side side) {
    int index = all->count;
    part *p = parts_add(all, jacket_color, 0.0090, 190, 0.035);
    vec3 shoulder = rig_head(r, "UpperArm", side), elbow = rig_head(r, "LowerArm", side);
    brush(p, r, 0.03, "Shoulder UpperArmTwist", side);
    field_cone(&p->field, sided(side, 0.155, 1.504, -0.026), shoulder, 0.046, 0.052);
    brush(p, r, 0.03, "UpperArmTwist UpperArm", side);
    field_cone(&p->field, shoulder, rig_along(r, "UpperArm", side, 0.45), 0.052, 0.056);
    field_cone(&p->field, rig_along(r, "UpperArm", side, 0.45), elbow, 0.056, 0.046);
    brush(p, r, 0.015, "LowerArm LowerArmTwist", side);
    field_cone(&p->field, elbow, rig_along(r, "LowerArm", side, 0.35), 0.046, 0.053);
    field_cone(&p->field, rig_along(r, "LowerArm", side, 0.35), rig_along(r, "LowerArm", side, 0.97), 0.051, 0.037);
    field_keep(&p->field, rig_along(r, "LowerArm", side, -3.0), rig_along(r, "LowerArm", side, 0.94), 0.004);
    part *band = parts_layer(all, index, panel_color, 0.0050, 0.0080, 70);
    field_keep(&band->field, rig_along(r, "UpperArm", side, 0.62), rig_along(r, "UpperArm", side, 0.76), 0.004);
    part *cuff = parts_layer(all, index, suit_color, 0.0055, 0.0075, 80);
    field_keep(&cuff->field, rig_along(r, "LowerArm", side, 0.72), rig_along(r, "LowerArm", side, 0.95), 0.004);
}

static void add_shoulder_pad(parts *all, const rig *r, enum side side) {
    part *p = parts_add(all, shell_color, 0.0085, 110, 0.0);
    vec3 shoulder = rig_head(r, "UpperArm", side);
    vec3 arm = v3_unit(v3_sub(rig_head(r, "LowerArm", side), shoulder));
    vec3 up = v3_across(v3(0.5 * (double)side, 1, 0), arm);
    brush(p, r, 0.01, "UpperArmTwist", side);
    vec3 center = v3_mad(shoulder, arm, 0.018);
    field_ellipsoid(&p->field, (rigid){q_frame(up, v3(0, 0, 1)), center}, v3(0.082, 0.084, 0.082));
    vec3 low = v3_mad(center, up, 0.014);
    field_keep(&p->field, low, v3_mad(low, up, 0.2), 0.006);
}

static void add_trousers(parts *all, const rig *r) {
    int index = all->count;
    part *p = parts_add(all, trouser_color, 0.0120, 330, 0.045);
    brush(p, r, 0.03, "Hips", CENTER);
    add_column(p, 0.960, -0.002, 0.140, 1.035, 0.002, 0.140, 0.80);
    for (int i = 0; i < 2; i++) {
        vec3 hip = rig_head(r, "UpperLeg", sides[i]), knee = rig_head(r, "LowerLeg", sides[i]);
        brush(p, r, 0.03, "Hips", CENTER);
        brush_also(p, r, "UpperLegTwist UpperLeg", sides[i]);
        field_cone(&p->field, v3_add(hip, v3(0, -0.02, -0.004)), knee, 0.096, 0.064);
        brush(p, r, 0.03, "LowerLeg LowerLegTwist", sides[i]);
        field_cone(&p->field, knee, rig_along(r, "LowerLeg", sides[i], 0.6), 0.064, 0.056);
    }
    for (int i = 0; i < 2; i++) {
        part *pad = parts_band(all, index, shell_color, 0.0120, 0.0085, 60, 0.488, 0.580);
        field_keep(&pad->field, v3(0, 0, 0.040), v3(0, 0, 0.40), 0.012);
        field_keep(&pad->field, sided(sides[i], 0.01, 0, 0), sided(sides[i], 0.5, 0, 0), 0.004);
    }
}

static void add_boot(parts *all, const rig *r, enum side side) {
    int index = all->count;
    part *p = parts_add(all, boot_color, 0.0085, 220, 0.028);
    vec3 ankle = rig_head(r, "Foot", side), ball = rig_head(r, "Toes", side), tip = rig_tail(r, "Toes", side);
    vec3 bend = v3(ball.x, 0.032, ball.z - 0.016); // the part over the ball of the foot moves with the toes
    brush(p, r, 0.03, "LowerLeg LowerLegTwist", side);
    field_cone(&p->field, rig_along(r, "LowerLeg", side, 0.34), rig_along(r, "LowerLeg", side, 0.62), 0.072, 0.062);
    rigid calf = {q_identity(), v3_add(rig_along(r, "LowerLeg", side, 0.42), v3(0, 0, -0.016))};
    field_ellipsoid(&p->field, calf, v3(0.066, 0.110, 0.070));
    field_cone(&p->field, rig_along(r, "LowerLeg", side, 0.62), rig_along(r, "LowerLeg", side, 0.96), 0.062, 0.050);
    brush(p, r, 0.03, "Foot", side);
    field_cone(&p->field, v3_add(ankle, v3(0, -0.018, -0.012)), v3_add(ankle, v3(0, -0.048, -0.022)), 0.048, 0.046);
    field_flat_cone(&p->field, v3_add(ankle, v3(0, -0.034, 0)), bend, 0.048, 0.052, 0.9, v3(0, 1, 0));
    brush(p, r, 0.02, "Toes", side);
    field_flat_cone(&p->field, bend, v3(tip.x, 0.028, tip.z - 0.024), 0.053, 0.044, 0.84, v3(0, 1, 0));
    field_keep(&p->field, v3(0, 0, 0), v3(0, 0.400, 0), 0.012);
    parts_band(all, index, panel_color, 0.0095, 0.0085, 100, 0.360, 0.402);
    parts_band(all, index, strap_color, 0.0050, 0.0085, 70, 0.0, 0.020);
}

static void add_parts(parts *all, const rig *r) {
    add_helmet(all, r);
    add_trim(all, add_jacket(all, r));
    add_pack(all, r);
    add_trousers(all, r);
    for (int i = 0; i < 2; i++) {
        add_sleeve(all, r, sides[i]);
        add_shoulder_pad(all, r, sides[i]);
        parts_add_hand(all, r, sides[i], glove_color, 1.10, 260);
        add_boot(all, r, sides[i]);
    }
}

// ---- Idle ----

enum { IDLE_KEYS = 25 };

static const double idle_seconds = 4.0;

/// Breath, and the weight that moves from one leg to the other.
static pose idle_at(const rig *r, double phase) {
    double breath = sin(4.0 * PI * phase), shift = sin(2.0 * PI * phase);
    pose p = pose_rest(r);
    p.hips = v3_add(p.hips, v3(0.012 * shift, -0.022 + 0.003 * breath, 0));
    pose_sway(&p, "Hips", (sway){.roll = 1.2 * shift, .yaw = -4.0});
    pose_bend_back(&p, (sway){.pitch = 1.5 + 1.2 * breath, .roll = -1.6 * shift, .yaw = 2.0});
    pose_bend_neck(&p, (sway){.pitch = 1.0 - 0.8 * breath, .yaw = 3.0 + 7.0 * shift});
    pose_leg(&p, LEFT, (footing){.at = v3(0.135, 0, 0.035), .yaw = 10.0 * DEG}, 0.05);
    pose_leg(&p, RIGHT, (footing){.at = v3(-0.135, 0, -0.055), .yaw = -16.0 * DEG}, 0.05);
    for (int i = 0; i < 2; i++) {
        pose_hang(&p, sides[i], 3.0 + 1.5 * breath, 15.0 + 1.0 * breath, 8.0, 18.0 + 1.5 * breath, 14.0);
        pose_fingers(&p, sides[i], 0.26, -1.0);
    }
    return p;
}

/// `hips_space` transforms from model space to that of the pelvis' node, in centimetres.
static void write_idle(glb *g, const rig *r, const int *nodes, rigid hips_space) {
    pose poses[IDLE_KEYS];
    double times[IDLE_KEYS], hips[IDLE_KEYS][3], keys[IDLE_KEYS][4];
    for (int k = 0; k < IDLE_KEYS; k++) {
        times[k] = idle_seconds * k / (IDLE_KEYS - 1);
        poses[k] = idle_at(r, (double)(k % (IDLE_KEYS - 1)) / (IDLE_KEYS - 1));
        vec3 point = v3_mul(rigid_point(hips_space, poses[k].hips), 100.0);
        hips[k][0] = point.x, hips[k][1] = point.y, hips[k][2] = point.z;
    }
    glb_animation_begin(g, "Idle", "{\"loop\":true}");
    const int at[2] = {glb_times(g, times, IDLE_KEYS), glb_times(g, times, 1)};
    glb_channel(g, nodes[0], GLB_TRANSLATION, GLB_LINEAR, at[0], hips[0], IDLE_KEYS);
    pose rest = pose_rest(r);
    for (int i = 0; i < r->count; i++) {
        const quat space = i == 0 ? hips_space.r : q_identity();
        for (int k = 0; k < IDLE_KEYS; k++) {
            put_rotation(keys, k, q_mul(space, pose_local_rotation(&poses[k], i)));
        }
        write_rotation(g, IDLE_KEYS, keys, q_mul(space, pose_local_rotation(&rest, i)), nodes[i], at);
    }
    glb_animation_end(g);
}

// ---- the file ----

static rigid in_centimetres(rigid local) {
    local.t = v3_mul(local.t, 100.0);
    return local;
}

/// Adds a node for inverse kinematics with the rest transform of a joint. `parent_rest` is that of its parent.
static int add_target(glb *g, const char *name, int parent, rigid parent_rest, rigid rest) {
    return glb_node(g, name, parent, in_centimetres(rigid_mul(rigid_inverse(parent_rest), rest)));
}

static void add_targets(glb *g, const rig *r, int root, rigid root_rest) {
    const rigid right_hand = r->joints[rig_find(r, "Hand", RIGHT)].rest;
    int feet = add_target(g, "ik_foot_root", root, root_rest, root_rest);
    int hands = add_target(g, "ik_hand_root", root, root_rest, root_rest);
    int gun = add_target(g, "ik_hand_gun", hands, root_rest, right_hand);
    for (int i = 0; i < 2; i++) {
        const char *const names[2][2] = {{"ik_foot_l", "ik_hand_l"}, {"ik_foot_r", "ik_hand_r"}};
        add_target(g, names[i][0], feet, root_rest, r->joints[rig_find(r, "Foot", sides[i])].rest);
        add_target(g, names[i][1], gun, right_hand, r->joints[rig_find(r, "Hand", sides[i])].rest);
    }
}

bool make_scout(const char *path) {
    rig r = make_rig();
    parts all = {must_alloc(PARTS_MAX, sizeof(part)), 0};
    add_parts(&all, &r);
    mesh m = {0};
    parts_grow(&all, &r, &m);
    free(all.items);

    const rigid z_up = {q_x(-90.0 * DEG), {0, 0, 0}};
    glb *g = glb_begin();
    int armature = glb_node(g, "Armature", -1, z_up), root = glb_node(g, "root", armature, rigid_identity());
    glb_node_scale(g, armature, 0.01);
    int nodes[RIG_JOINTS];
    rigid rest[RIG_JOINTS];
    for (int i = 0; i < r.count; i++) {
        const joint *j = &r.joints[i];
        char name[32];
        node_name(name, sizeof name, j);
        rigid local = j->parent < 0 ? rigid_mul(rigid_inverse(z_up), j->rest) : rig_local(&r, i);
        nodes[i] = glb_node(g, name, j->parent < 0 ? root : nodes[j->parent], in_centimetres(local));
        rest[i] = j->rest;
    }
    add_targets(g, &r, root, z_up);
    const rgb white = {1, 1, 1};
    glb_primitive primitive = {&m, glb_material(g, "Scout", white, 0.0, 0.75), true, true};
    int body = glb_node(g, "SK_Scout", -1, rigid_identity());
    glb_node_mesh(g, body, glb_mesh(g, "SK_Scout", &primitive, 1));
    glb_node_skin(g, body, glb_skin(g, "Scout", nodes, rest, 0.01, r.count, root));
    write_idle(g, &r, nodes, rigid_inverse(z_up));
    mesh_free(&m);
    return glb_end(g, path);
}
