// SPDX-License-Identifier: MIT
// hands.c - hands: each finger bone is a rounded cone of its own, so that the weights of the fingers are
// separate.
#include "body.h"

#include <stdio.h>

/// At the three joints of each finger and at its tip.
static const double radii[FINGERS][4] = {
    {0.0175, 0.0140, 0.0125, 0.0098}, {0.0122, 0.0110, 0.0102, 0.0086}, {0.0124, 0.0112, 0.0104, 0.0088},
    {0.0120, 0.0108, 0.0100, 0.0084}, {0.0108, 0.0098, 0.0090, 0.0078},
};

/// The hand that is being made. Lengths are those of the hero's hand times the rig's hand_size.
typedef struct hand {
    part *part;
    const rig *rig;
    enum side side;
    palm palm;
    double thickness; ///< of all radii
} hand;

static vec3 in_palm(const hand *h, double along, double thumb, double back) {
    return v3_add(h->palm.wrist, v3_mul(palm_direction(&h->palm, v3(along, thumb, back)), h->rig->hand_size));
}

static void hand_brush(const hand *h, double blend, const char *name) {
    brush(h->part, h->rig, blend * h->thickness, name, h->side);
}

static void add_palm(const hand *h) {
    field *f = &h->part->field;
    const double t = h->thickness;
    f->brush.width = 0.020 * h->rig->hand_size; // the wrist bends over more than a finger does
    hand_brush(h, 0.012, "LowerArmTwist");
    field_cone(f, in_palm(h, -0.045, 0, 0), in_palm(h, -0.006, 0, 0), 0.029 * t, 0.0265 * t);
    hand_brush(h, 0.016, "Hand");
    field_flat_cone(f, in_palm(h, 0.0, 0, 0), in_palm(h, 0.035, 0.002, -0.002), 0.027 * t, 0.030 * t, 0.80,
                    h->palm.back);
    f->brush.width = 0.0;
    static const double knuckles[4][3] = {
        {0.088, 0.033, -0.003}, {0.092, 0.011, 0.000}, {0.088, -0.012, -0.003}, {0.078, -0.032, -0.008}};
    for (int i = 0; i < 4; i++) {
        const double *k = knuckles[i];
        field_flat_cone(f, in_palm(h, 0.022, k[1] * 0.55, -0.004), in_palm(h, k[0], k[1], k[2]), 0.0205 * t,
                        0.0130 * t, 0.95, h->palm.back);
    }
}

/// The heads of the metacarpal bones, which are visible on a closed hand.
static void add_knuckles(const hand *h) {
    for (int i = 1; i < FINGERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s1", finger_names[i]);
        hand_brush(h, 0.005, "Hand");
        vec3 lift = v3_mul(palm_direction(&h->palm, v3(-0.004, 0.0, 0.0042)), h->rig->hand_size);
        field_ball(&h->part->field, v3_add(rig_head(h->rig, name, h->side), lift),
                   (radii[i][0] - 0.0012) * h->thickness);
    }
}

static void add_finger(const hand *h, int finger) {
    const double *r = radii[finger];
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%d", finger_names[finger], i + 1);
        hand_brush(h, i > 0 ? 0.002 : finger == 0 ? 0.016 : 0.006, name);
        field_cone(&h->part->field, rig_head(h->rig, name, h->side), rig_tail(h->rig, name, h->side),
                   r[i] * h->thickness, r[i + 1] * h->thickness);
    }
}

part *parts_add_hand(parts *all, const rig *r, enum side side, uint32_t srgb, double thickness, size_t points) {
    part *p = parts_add(all, srgb, 0.0032 * r->hand_size, points, 0.0065 * r->hand_size);
    const hand h = {p, r, side, rig_palm(r, side), thickness};
    add_palm(&h);
    for (int i = 0; i < FINGERS; i++) {
        add_finger(&h, i);
    }
    add_knuckles(&h);
    return p;
}
