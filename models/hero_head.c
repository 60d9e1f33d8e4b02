// SPDX-License-Identifier: MIT
// hero_head.c - head, face and hair. The features of the face are projected onto the skin, so that the head can be
// reshaped without moving them.
#include "hero.h"

static const uint32_t skin_color = 0xE8B08A, lip_color = 0xB5604F, lid_color = 0xDCA07C, blush_color = 0xD97B62,
                      hair_color = 0x6B3420, hair_light = 0x9A5530;
static const uint32_t eye_white = 0xF7F3EC, iris_color = 0x3E7C74, dark_color = 0x2A1A16;

// The head is enlarged about the top of the neck.
static const vec3 head_center = {0, 1.500, -0.006};
static const double head_scale = 1.13;

// ---- skin ----

static field *add_skin(parts *all, const rig *r) {
    part *p = parts_add(all, skin_color, 0.0052, 1150, 0.035);
    field *f = &p->field;
    brush(p, r, 0.03, "Head", CENTER);
    field_ellipsoid(f, rigid_shift(0, 1.642, -0.010), v3(0.086, 0.102, 0.104));
    field_ellipsoid(f, rigid_shift(0, 1.572, 0.028), v3(0.067, 0.076, 0.062));
    field_ball(f, v3(0, 1.518, 0.066), 0.024);
    field_ellipsoid(f, rigid_shift(0, 1.546, 0.066), v3(0.032, 0.022, 0.021));
    for (int s = -1; s <= 1; s += 2) {
        field_ball(f, v3(0.040 * s, 1.563, 0.054), 0.030);
    }
    brush(p, r, 0.012, "Head", CENTER);
    field_cone(f, v3(0, 1.606, 0.086), v3(0, 1.574, 0.106), 0.007, 0.012);
    for (int s = -1; s <= 1; s += 2) {
        field_ball(f, v3(0.010 * s, 1.571, 0.097), 0.009);
        rigid ear = {q_mul(q_y(-20.0 * DEG * s), q_x(-12.0 * DEG)), {0.089 * s, 1.595, -0.006}};
        field_ellipsoid(f, ear, v3(0.010, 0.030, 0.020));
    }
    brush(p, r, 0.020, "Neck Head", CENTER);
    field_cone(f, v3(0, 1.500, -0.010), v3(0, 1.560, -0.010), 0.049, 0.050);
    brush(p, r, 0.020, "UpperChest Neck", CENTER);
    field_cone(f, v3(0, 1.390, -0.028), v3(0, 1.500, -0.010), 0.056, 0.049);
    p->field.brush.op = OP_CARVE;
    p->field.brush.blend = 0.016;
    for (int s = -1; s <= 1; s += 2) {
        field_ellipsoid(f, rigid_shift(0.036 * s, 1.606, 0.106), v3(0.027, 0.020, 0.020));
    }
    p->field.brush.op = OP_JOIN;
    tint(p, v3(0, 1.572, 0.118), 0.030, blush_color, 0.40);
    for (int s = -1; s <= 1; s += 2) {
        tint(p, v3(0.050 * s, 1.566, 0.080), 0.036, blush_color, 0.45);
        tint(p, v3(0.100 * s, 1.590, -0.006), 0.040, blush_color, 0.45);
    }
    return f;
}

// ---- eyes, brows and mouth ----

static const stroke brow = {{{0.0160, 1.6440}, {0.0420, 1.6600}, {0.0680, 1.6385}}, {0.0042, 0.0058, 0.0022}};
static const stroke lips = {{{0.0000, 1.5430}, {0.0160, 1.5415}, {0.0290, 1.5500}}, {0.0046, 0.0040, 0.0018}};

/// The frame of an eye before the head is enlarged: +Z is its direction of gaze.
static rigid eye_frame(const rig *r, enum side side) {
    vec3 center = rig_head(r, "Eye", side);
    vec3 ahead = v3_unit(v3_sub(rig_tail(r, "Eye", side), center));
    vec3 left = v3_unit(v3_cross(v3(0, 1, 0), ahead));
    return (rigid){q_columns(left, v3(0, 1, 0), ahead), v3_lerp(head_center, center, 1.0 / head_scale)};
}

static const vec3 eye_radii = {0.0255, 0.0200, 0.0200};

/// A round patch on an eyeball, around the axis from the eye along `direction`.
static void add_patch(parts *all, int ball, rigid eye, vec3 direction, uint32_t color, double thickness,
                      double radius) {
    part *p = parts_layer(all, ball, color, thickness, radius / 5.0, 50);
    vec3 ahead = q_turn(eye.r, v3_unit(direction));
    p->field.brush.op = OP_CLIP;
    p->field.brush.blend = 0.0004;
    field_flat_cone(&p->field, eye.t, v3_mad(eye.t, ahead, 0.05), radius, radius, 1.14, v3(0, 1, 0));
    field_keep(&p->field, v3_mad(eye.t, ahead, 0.008), v3_mad(eye.t, ahead, 0.05), 0.0004);
}

static void add_eye(parts *all, const rig *r, enum side side) {
    int ball = all->count;
    part *white = parts_add(all, eye_white, 0.0032, 80, 0.0);
    rigid eye = eye_frame(r, side);
    brush(white, r, 0.002, "Eye", side);
    field_ellipsoid(&white->field, eye, eye_radii);
    double in = -0.05 * (double)side; // both converge on a near point
    add_patch(all, ball, eye, v3(in, 0.0, 1.0), dark_color, 0.0005, 0.0142);
    add_patch(all, ball, eye, v3(in, 0.0, 1.0), iris_color, 0.0009, 0.0128);
    add_patch(all, ball, eye, v3(in, 0.0, 1.0), dark_color, 0.0013, 0.0068);
    add_patch(all, ball, eye, v3(in + 0.22, 0.27, 1.0), 0xFFFFFF, 0.0017, 0.0030);
}

static const double lid_edge = 44.0 * DEG; // of an open lid, above the direction of gaze

/// An upper lid is half an eyeball, a little larger, that turns over the eye; open, most of it is
/// inside the head.
static void add_lid(parts *all, const rig *r, enum side side) {
    part *p = parts_add(all, lid_color, 0.0030, 70, 0.0);
    p->shade = 0.15; // most of it is inside the dark head, and comes out
    brush(p, r, 0.002, "Lid", side);
    rigid eye = eye_frame(r, side);
    field_ellipsoid(&p->field, eye, v3(0.0280, 0.0229, 0.0229));
    vec3 inward = q_turn(eye.r, v3(0, cos(lid_edge), -sin(lid_edge)));
    field_keep(&p->field, eye.t, v3_add(eye.t, inward), 0.002);
}

/// The lashes, along the edge of the lid, with a wing at the outer end.
static void add_lashes(parts *all, const rig *r, enum side side) {
    enum { STEPS = 8 };
    part *p = parts_add(all, dark_color, 0.0021, 70, 0.0);
    brush(p, r, 0.002, "Lid", side);
    rigid eye = eye_frame(r, side);
    vec3 last = {0, 0, 0};
    double thick = 0.0;
    for (int i = 0; i <= STEPS; i++) {
        double t = (double)i / STEPS, around = mix(-62.0, 74.0, t) * DEG;
        double up = lid_edge + 0.06 * t, front = 0.0231 * cos(around);
        vec3 at = rigid_point(eye, v3(0.0283 * sin(around) * (double)side, front * sin(up), front * cos(up)));
        double radius = 0.0018 + 0.0021 * sin(PI * pow(t, 1.3));
        if (i > 0) {
            field_cone(&p->field, last, at, thick, radius);
        }
        last = at;
        thick = radius;
    }
}

/// Brows and lips.
static void add_lines(parts *all, const rig *r, const field *skin) {
    part *brows = parts_add(all, 0x4A2416, 0.0025, 120, 0.0);
    part *mouth = parts_add(all, lip_color, 0.0022, 110, 0.0);
    brush(brows, r, 0.002, "Head", CENTER);
    brush(mouth, r, 0.002, "Head", CENTER);
    for (int s = -1; s <= 1; s += 2) {
        face_stroke(brows, skin, &brow, s, 0.0010);
        face_stroke(mouth, skin, &lips, s, -0.0008);
    }
}

/// The head is modelled in life size and then enlarged, which is better visible from afar.
static void enlarge(parts *all, int first) {
    for (int i = first; i < all->count; i++) {
        part *p = &all->items[i];
        field_enlarge(&p->field, head_center, head_scale);
        for (int k = 0; k < p->tint_count; k++) {
            p->tints[k].at = v3_lerp(head_center, p->tints[k].at, head_scale);
        }
    }
}

void hero_add_head(parts *all, const rig *r) {
    int first = all->count;
    field *skin = add_skin(all, r);
    for (int side = LEFT; side >= RIGHT; side -= 2) {
        add_eye(all, r, (enum side)side);
        add_lid(all, r, (enum side)side);
        add_lashes(all, r, (enum side)side);
    }
    add_lines(all, r, skin);
    enlarge(all, first);
}

// ---- hair ----

static const lock locks[] = {
    {{0.020, 1.735, 0.040}, {0.062, 1.715, 0.082}, {0.082, 1.655, 0.068}, 0.024},
    {{0.015, 1.740, 0.050}, {-0.030, 1.722, 0.096}, {-0.066, 1.672, 0.086}, 0.026},
    {{0.000, 1.742, 0.040}, {-0.066, 1.712, 0.070}, {-0.088, 1.645, 0.052}, 0.024},
    {{0.018, 1.742, 0.055}, {0.022, 1.722, 0.100}, {0.044, 1.676, 0.100}, 0.018},
    {{0.078, 1.690, 0.040}, {0.092, 1.620, 0.036}, {0.086, 1.555, 0.034}, 0.017},
    {{-0.078, 1.690, 0.040}, {-0.092, 1.620, 0.036}, {-0.086, 1.555, 0.034}, 0.017},
    {{0.060, 1.640, -0.070}, {0.066, 1.570, -0.078}, {0.050, 1.515, -0.072}, 0.030},
    {{-0.060, 1.640, -0.070}, {-0.066, 1.570, -0.078}, {-0.050, 1.515, -0.072}, 0.030},
    {{0.000, 1.620, -0.090}, {0.000, 1.560, -0.092}, {0.000, 1.500, -0.080}, 0.034},
};

/// Combed strands over the skull, from the hairline back to the knot.
static void add_strands(field *f) {
    enum { STRANDS = 7, STEPS = 5 };
    const vec3 center = v3(0, 1.652, -0.018), radii = v3(0.086, 0.096, 0.098);
    const vec3 knot = v3_unit(v3(0, 0.42, -1.0));
    for (int i = 0; i < STRANDS; i++) {
        double a = mix(-1.25, 1.25, (double)i / (STRANDS - 1));
        vec3 root = v3_unit(v3(sin(a), 0.62 * cos(a) + 0.10, 0.45 * cos(a)));
        vec3 last = {0, 0, 0};
        for (int k = 0; k <= STEPS; k++) {
            vec3 direction = v3_unit(v3_lerp(root, knot, (double)k / STEPS));
            vec3 at = v3_add(center, v3(direction.x * radii.x, direction.y * radii.y, direction.z * radii.z));
            if (k > 0) {
                field_cone(f, last, at, 0.0185, 0.0175);
            }
            last = at;
        }
    }
}

static void add_cap(parts *all, const rig *r) {
    part *p = parts_add(all, hair_color, 0.0050, 980, 0.0);
    brush(p, r, 0.014, "Head", CENTER);
    field_ellipsoid(&p->field, rigid_shift(0, 1.652, -0.018), v3(0.095, 0.104, 0.106));
    p->field.brush.op = OP_CARVE;
    field_ellipsoid(&p->field, rigid_shift(0, 1.590, 0.105), v3(0.080, 0.088, 0.090));
    p->field.brush.op = OP_JOIN;
    brush(p, r, 0.010, "Head", CENTER);
    p->field.brush.blend = 0.005;
    add_strands(&p->field);
    p->field.brush.blend = 0.010;
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        add_lock(p, &locks[i], 0.92, 0.30);
    }
    tint(p, v3(0.0, 1.745, 0.075), 0.085, hair_light, 0.55);
    tint(p, v3(0.0, 1.760, -0.060), 0.070, hair_light, 0.35);
}

/// The ponytail: three strands side by side, so that light finds grooves in it.
static void add_tail(parts *all, const rig *r) {
    part *p = parts_add(all, hair_color, 0.0050, 380, 0.034);
    vec3 knot = rig_head(r, "Hair1", CENTER), a = rig_head(r, "Hair2", CENTER);
    vec3 b = rig_head(r, "Hair3", CENTER), c = rig_tail(r, "Hair3", CENTER);
    brush(p, r, 0.02, "Head Hair1", CENTER);
    field_cone(&p->field, v3(0, 1.709, -0.090), knot, 0.024, 0.027);
    static const vec3 strands[3] = {{-0.018, 0, 0.004}, {0.018, 0, 0.004}, {0, 0, -0.012}};
    for (int i = 0; i < 3; i++) {
        vec3 at_a = v3_add(a, strands[i]), at_b = v3_add(b, v3_mul(strands[i], 1.1));
        vec3 tip = v3_add(c, v3_mad(v3(0, 0.02 * i, 0), strands[i], 0.8));
        brush(p, r, 0.009, "Hair1", CENTER);
        field_cone(&p->field, v3_mad(knot, strands[i], 0.4), at_a, 0.020, 0.029);
        brush(p, r, 0.009, "Hair2", CENTER);
        field_cone(&p->field, at_a, at_b, 0.029, 0.025);
        brush(p, r, 0.009, "Hair3", CENTER);
        field_cone(&p->field, at_b, tip, 0.025, 0.006);
    }
    tint(p, c, 0.14, hair_light, 0.7);
    part *band = parts_add(all, 0xD8492B, 0.0045, 80, 0.0);
    brush(band, r, 0.01, "Head Hair1", CENTER);
    field_cone(&band->field, v3_lerp(knot, a, -0.10), v3_lerp(knot, a, 0.12), 0.034, 0.035);
}

void hero_add_hair(parts *all, const rig *r) {
    int first = all->count;
    add_cap(all, r);
    enlarge(all, first);
    add_tail(all, r);
}
