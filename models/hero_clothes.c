// SPDX-License-Identifier: MIT
// hero_clothes.c - hands, shirt, tunic, scarf, trousers and boots, and the layers over them. Belts, bracers and borders are
// layers: a slice of the thickened garment below.
#include "hero.h"

#include <stdio.h>

static const uint32_t tunic_color = 0x24777D, trim_color = 0xDDB056, shirt_color = 0xE9DEC6;
static const uint32_t leather_color = 0x6A4028, dark_leather = 0x40271B;
static const uint32_t trouser_color = 0x4A4558, scarf_color = 0xD2452B;

// ---- tunic ----

static void add_torso(part *p, const rig *r) {
    brush(p, r, 0.05, "Hips Spine Chest UpperChest", CENTER);
    add_column(p, 0.930, 0.000, 0.136, 0.985, 0.002, 0.124, 0.78);
    add_column(p, 1.030, 0.006, 0.112, 1.090, 0.006, 0.112, 0.78);
    add_column(p, 1.150, 0.004, 0.122, 1.285, -0.006, 0.146, 0.73);
    for (int i = 0; i < 2; i++) {
        brush(p, r, 0.05, "UpperChest Chest", CENTER);
        rigid breast = {q_y(18.0 * DEG * (double)sides[i]), sided(sides[i], 0.062, 1.285, 0.040)};
        field_ellipsoid(&p->field, breast, v3(0.072, 0.070, 0.058));
        rigid blade = {q_identity(), sided(sides[i], 0.075, 1.310, -0.060)};
        field_ellipsoid(&p->field, blade, v3(0.070, 0.085, 0.050));
        brush(p, r, 0.05, "UpperChest", CENTER);
        brush_also(p, r, "Shoulder", sides[i]);
        field_cone(&p->field, sided(sides[i], 0.030, 1.408, -0.026), sided(sides[i], 0.110, 1.378, -0.022), 0.054,
                   0.060);
        brush(p, r, 0.04, "Shoulder UpperArmTwist", sides[i]);
        field_cone(&p->field, sided(sides[i], 0.110, 1.374, -0.022), rig_along(r, "UpperArm", sides[i], 0.06),
                   0.062, 0.059);
    }
}

static void add_skirt(part *p, const rig *r) {
    for (int i = 0; i < 2; i++) {
        brush(p, r, 0.05, "Hips", CENTER);
        brush_also(p, r, "SkirtF SkirtS SkirtB", sides[i]);
        field_flat_cone(&p->field, sided(sides[i], 0.018, 0.960, 0.002), sided(sides[i], 0.066, 0.770, 0.000),
                        0.117, 0.152, 0.92, v3(0, 0, 1));
    }
}

/// Hollows the skirt from below, so that a raised knee shows its lining.
static void hollow_skirt(part *p) {
    p->field.brush.op = OP_CARVE;
    p->field.brush.blend = 0.012;
    for (int i = 0; i < 2; i++) {
        field_flat_cone(&p->field, sided(sides[i], 0.040, 0.880, 0.0), sided(sides[i], 0.070, 0.740, 0.0), 0.080,
                        0.138, 0.92, v3(0, 0, 1));
    }
}

/// Returns the index of the tunic, for its layers.
static int add_tunic(parts *all, const rig *r) {
    int index = all->count;
    part *p = parts_add(all, tunic_color, 0.0100, 1120, 0.042);
    add_torso(p, r);
    add_skirt(p, r);
    hollow_skirt(p);
    field_keep(&p->field, v3(0, 0.785, 0), v3(0, 1.455, 0), 0.012);
    return index;
}

static void add_belt(parts *all, int tunic) {
    parts_band(all, tunic, dark_leather, 0.0100, 0.0075, 190, 1.000, 1.046);
    parts_band(all, tunic, trim_color, 0.0045, 0.0075, 230, 0.781, 0.806);
    part *buckle = parts_layer(all, tunic, trim_color, 0.0158, 0.0050, 80);
    field_keep(&buckle->field, v3(0, 0.994, 0), v3(0, 1.052, 0), 0.006);
    field_keep(&buckle->field, v3(-0.030, 0, 0), v3(0.030, 0, 0), 0.006);
    field_keep(&buckle->field, v3(0, 0, 0.04), v3(0, 0, 0.30), 0.004);
    part *pouch = parts_layer(all, tunic, leather_color, 0.030, 0.0075, 110);
    field_keep(&pouch->field, v3(0, 0.920, 0), v3(0, 1.006, 0), 0.016);
    vec3 direction = v3_unit(v3(0.5, 0, -0.86)); // the left flank, a little to the back
    field_keep(&pouch->field, v3_mul(direction, -0.035), v3_mul(direction, 0.045), 0.014);
    field_keep(&pouch->field, v3(0.05, 0, 0), v3(0.40, 0, 0), 0.010);
}

/// A strap from the right shoulder to the left hip, and the border down the tunic's front.
static void add_straps(parts *all, int tunic) {
    part *border = parts_layer(all, tunic, trim_color, 0.0040, 0.0075, 170);
    field_keep(&border->field, v3(-0.015, 0, 0), v3(0.015, 0, 0), 0.003);
    field_keep(&border->field, v3(0, 0, 0.02), v3(0, 0, 0.40), 0.003);
    field_keep(&border->field, v3(0, 0.795, 0), v3(0, 1.44, 0), 0.003);
    part *strap = parts_layer(all, tunic, leather_color, 0.0072, 0.0080, 230);
    vec3 through = v3(-0.016, 1.215, 0), across = v3_unit(v3(0.80, 0.60, 0));
    field_keep(&strap->field, v3_mad(through, across, -0.019), v3_mad(through, across, 0.019), 0.004);
    field_keep(&strap->field, v3(0, 1.010, 0), v3(0, 1.60, 0), 0.004);
}

// ---- sleeves ----

static int add_sleeve(parts *all, const rig *r, enum side side) {
    int index = all->count;
    part *p = parts_add(all, shirt_color, 0.0085, 330, 0.032);
    vec3 shoulder = rig_head(r, "UpperArm", side), elbow = rig_head(r, "LowerArm", side);
    brush(p, r, 0.03, "Shoulder", side);
    field_cone(&p->field, sided(side, 0.130, 1.368, -0.022), shoulder, 0.040, 0.043);
    brush(p, r, 0.03, "UpperArmTwist UpperArm", side);
    field_cone(&p->field, shoulder, rig_along(r, "UpperArm", side, 0.45), 0.043, 0.050);
    field_cone(&p->field, rig_along(r, "UpperArm", side, 0.45), elbow, 0.050, 0.0415);
    brush(p, r, 0.015, "LowerArm LowerArmTwist", side);
    field_cone(&p->field, elbow, rig_along(r, "LowerArm", side, 0.35), 0.0415, 0.049);
    field_cone(&p->field, rig_along(r, "LowerArm", side, 0.35), rig_along(r, "LowerArm", side, 0.97), 0.047, 0.034);
    field_keep(&p->field, rig_along(r, "LowerArm", side, -3.0), rig_along(r, "LowerArm", side, 0.925), 0.004);
    return index;
}

static void add_bracer(parts *all, const rig *r, enum side side, int sleeve) {
    part *bracer = parts_layer(all, sleeve, leather_color, 0.0050, 0.0065, 140);
    field_keep(&bracer->field, rig_along(r, "LowerArm", side, 0.46), rig_along(r, "LowerArm", side, 0.93), 0.004);
    for (int i = 0; i < 2; i++) {
        double at = i == 0 ? 0.46 : 0.88;
        part *rim = parts_layer(all, sleeve, trim_color, 0.0085, 0.0055, 90);
        field_keep(&rim->field, rig_along(r, "LowerArm", side, at), rig_along(r, "LowerArm", side, at + 0.06),
                   0.004);
    }
}

/// A plate on the left shoulder, in two scales.
static void add_pauldron(parts *all, const rig *r) {
    vec3 shoulder = rig_head(r, "UpperArm", LEFT);
    vec3 arm = v3_unit(v3_sub(rig_head(r, "LowerArm", LEFT), shoulder));
    vec3 up = v3_across(v3(0.4, 1, 0), arm);
    quat turn = q_frame(up, v3(0, 0, 1));
    for (int i = 0; i < 2; i++) {
        part *p = parts_add(all, i == 0 ? leather_color : trim_color, 0.0075, i == 0 ? 170 : 140, 0.0);
        brush(p, r, 0.01, "UpperArmTwist", LEFT);
        vec3 center = v3_mad(v3_mad(shoulder, arm, 0.012), up, 0.002);
        field_ellipsoid(&p->field, (rigid){turn, center},
                        i == 0 ? v3(0.074, 0.074, 0.076) : v3(0.0795, 0.0795, 0.0815));
        vec3 low = v3_mad(center, up, i == 0 ? 0.012 : 0.008);
        field_keep(&p->field, low, v3_mad(low, up, i == 0 ? 0.2 : 0.015), 0.003);
    }
}

// ---- scarf ----

/// Two loose rolls of cloth around the neck.
static void add_scarf(parts *all, const rig *r) {
    part *p = parts_add(all, scarf_color, 0.0070, 360, 0.03);
    brush(p, r, 0.014, "UpperChest", CENTER);
    enum { ROUND = 12 };
    for (int k = 0; k < 2; k++) {
        double y = k == 0 ? 1.428 : 1.462, wide = k == 0 ? 0.084 : 0.074;
        double thick = k == 0 ? 0.027 : 0.024, tilt = k == 0 ? 0.030 : 0.020;
        for (int i = 0; i < ROUND; i++) {
            vec3 ends[2];
            for (int e = 0; e < 2; e++) {
                double a = 2.0 * PI * (i + e) / ROUND;
                double dip = tilt * cos(a) + 0.005 * sin(3.0 * a + 2.0 * k);
                ends[e] = v3(wide * sin(a), y - dip, -0.026 + wide * 0.95 * cos(a));
            }
            field_cone(&p->field, ends[0], ends[1], thick, thick);
        }
    }
}

/// Cuts a strip along a line: `wide_from` from its middle at `from`, `wide_to` at `to`, on the side of `out`.
static void cut_edge(part *p, vec3 from, vec3 to, vec3 out, double wide_from, double wide_to) {
    vec3 a = v3_mad(from, out, wide_from), b = v3_mad(to, out, wide_to);
    vec3 normal = v3_across(out, v3_unit(v3_sub(b, a)));
    field_keep(&p->field, v3_mad(a, normal, -1.0), a, 0.006);
}

/// The loose end, a strip of cloth that widens towards its hem.
static void add_scarf_tail(parts *all, const rig *r) {
    static const char *const names[3] = {"Scarf1", "Scarf2", "Scarf3"};
    part *p = parts_add(all, scarf_color, 0.0056, 340, 0.050);
    for (int i = 0; i < 3; i++) {
        vec3 a = rig_head(r, names[i], CENTER), b = rig_tail(r, names[i], CENTER);
        rigid frame = {q_frame(v3_sub(b, a), v3(0, 0, 1)), v3_lerp(a, b, 0.5)};
        double half = 0.5 * v3_distance(a, b) + (i < 2 ? 0.012 : 0.0);
        brush(p, r, 0.020, names[i], CENTER);
        field_box(&p->field, frame, v3(0.080, half, 0.0065), 0.006);
    }
    vec3 top = rig_head(r, names[0], CENTER), hem = rig_tail(r, names[2], CENTER);
    vec3 out = v3_across(v3(1, 0, 0), v3_unit(v3_sub(hem, top)));
    cut_edge(p, top, hem, out, 0.026, 0.056);
    cut_edge(p, top, hem, v3_mul(out, -1.0), 0.026, 0.056);
}

// ---- trousers and boots ----

static void add_trousers(parts *all, const rig *r) {
    part *p = parts_add(all, trouser_color, 0.0105, 560, 0.042);
    brush(p, r, 0.03, "Hips", CENTER);
    add_column(p, 0.890, -0.004, 0.108, 0.950, 0.0, 0.106, 0.76);
    for (int i = 0; i < 2; i++) {
        vec3 hip = rig_head(r, "UpperLeg", sides[i]), knee = rig_head(r, "LowerLeg", sides[i]);
        brush(p, r, 0.03, "UpperLeg", sides[i]);
        field_cone(&p->field, v3_add(hip, v3(0, -0.03, -0.002)), knee, 0.081, 0.058);
        brush(p, r, 0.03, "LowerLeg", sides[i]);
        field_cone(&p->field, knee, rig_along(r, "LowerLeg", sides[i], 0.6), 0.059, 0.050);
    }
}

static int add_boot(parts *all, const rig *r, enum side side) {
    int index = all->count;
    part *p = parts_add(all, leather_color, 0.0075, 370, 0.028);
    vec3 ankle = rig_head(r, "Foot", side), ball = rig_head(r, "Toes", side);
    vec3 tip = rig_tail(r, "Toes", side);
    vec3 bend = v3(ball.x, 0.030, ball.z - 0.018); // the part over the ball of the foot moves with the toes
    brush(p, r, 0.03, "LowerLeg", side);
    field_cone(&p->field, rig_along(r, "LowerLeg", side, 0.30), rig_along(r, "LowerLeg", side, 0.62), 0.062, 0.056);
    rigid calf = {q_identity(), v3_add(rig_along(r, "LowerLeg", side, 0.40), v3(0, 0, -0.016))};
    field_ellipsoid(&p->field, calf, v3(0.060, 0.110, 0.062));
    field_cone(&p->field, rig_along(r, "LowerLeg", side, 0.62), rig_along(r, "LowerLeg", side, 0.96), 0.056, 0.045);
    brush(p, r, 0.03, "Foot", side);
    field_cone(&p->field, v3_add(ankle, v3(0, -0.015, -0.012)), v3_add(ankle, v3(0, -0.042, -0.022)), 0.044, 0.041);
    field_flat_cone(&p->field, v3_add(ankle, v3(0, -0.028, 0.0)), bend, 0.043, 0.047, 0.9, v3(0, 1, 0));
    brush(p, r, 0.02, "Toes", side);
    field_flat_cone(&p->field, bend, v3(tip.x, 0.026, tip.z - 0.022), 0.048, 0.040, 0.84, v3(0, 1, 0));
    field_keep(&p->field, v3(0, 0, 0), v3(0, 0.372, 0), 0.012);
    return index;
}

/// The turned-down top of a boot, its sole, and a strap around the ankle.
static void add_boot_trim(parts *all, int boot) {
    parts_band(all, boot, dark_leather, 0.0090, 0.0075, 100, 0.318, 0.378);
    parts_band(all, boot, dark_leather, 0.0045, 0.0075, 90, 0.0, 0.016);
    parts_band(all, boot, dark_leather, 0.0050, 0.0075, 80, 0.104, 0.128);
}

/// Knuckles and finger tips are a little redder than the rest.
static void tint_finger(part *p, const rig *r, enum side side, int finger) {
    char name[16];
    snprintf(name, sizeof name, "%s1", finger_names[finger]);
    tint(p, rig_head(r, name, side), 0.019, 0xD97B62, 0.50);
    snprintf(name, sizeof name, "%s3", finger_names[finger]);
    tint(p, rig_tail(r, name, side), 0.026, 0xD97B62, 0.50);
}

void hero_add_hands(parts *all, const rig *r) {
    for (int i = 0; i < 2; i++) {
        part *p = parts_add_hand(all, r, sides[i], 0xE8B08A, 1.0, 690);
        for (int finger = 0; finger < FINGERS; finger++) {
            tint_finger(p, r, sides[i], finger);
        }
    }
}

void hero_add_clothes(parts *all, const rig *r) {
    int tunic = add_tunic(all, r);
    add_belt(all, tunic);
    add_straps(all, tunic);
    for (int i = 0; i < 2; i++) {
        int sleeve = add_sleeve(all, r, sides[i]);
        add_bracer(all, r, sides[i], sleeve);
    }
    add_pauldron(all, r);
    add_scarf(all, r);
    add_scarf_tail(all, r);
    add_trousers(all, r);
    for (int i = 0; i < 2; i++) {
        add_boot_trim(all, add_boot(all, r, sides[i]));
    }
}
