// SPDX-License-Identifier: MIT
// hero_hands.c - hands: each finger bone is a rounded cone of its own, so that the weights of the fingers are
// separate.
#include "hero.h"

#include <stdio.h>

/// At the three joints of each finger and at its tip.
static const double radii[FINGERS][4] = {
    {0.0175, 0.0140, 0.0125, 0.0098}, {0.0122, 0.0110, 0.0102, 0.0086}, {0.0124, 0.0112, 0.0104, 0.0088},
    {0.0120, 0.0108, 0.0100, 0.0084}, {0.0108, 0.0098, 0.0090, 0.0078},
};

static vec3 in_palm(const palm *h, double along, double thumb, double back) {
    return v3_add(h->wrist, palm_direction(h, v3(along, thumb, back)));
}

static void add_palm(part *p, const rig *r, enum side side) {
    palm h = rig_palm(r, side);
    field *f = &p->field;
    f->brush.width = 0.020; // the wrist bends over more than a finger does
    brush(p, r, 0.012, "LowerArmTwist", side);
    field_cone(f, in_palm(&h, -0.045, 0, 0), in_palm(&h, -0.006, 0, 0), 0.029, 0.0265);
    brush(p, r, 0.016, "Hand", side);
    field_flat_cone(f, in_palm(&h, 0.0, 0, 0), in_palm(&h, 0.035, 0.002, -0.002), 0.027, 0.030, 0.80, h.back);
    f->brush.width = 0.0;
    static const double knuckles[4][3] = {
        {0.088, 0.033, -0.003}, {0.092, 0.011, 0.000}, {0.088, -0.012, -0.003}, {0.078, -0.032, -0.008}};
    for (int i = 0; i < 4; i++) {
        const double *k = knuckles[i];
        field_flat_cone(f, in_palm(&h, 0.022, k[1] * 0.55, -0.004), in_palm(&h, k[0], k[1], k[2]), 0.0205, 0.0130,
                        0.95, h.back);
    }
}

/// The heads of the metacarpal bones, which are visible on a closed hand.
static void add_knuckles(part *p, const rig *r, enum side side) {
    palm h = rig_palm(r, side);
    for (int i = 1; i < FINGERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s1", finger_names[i]);
        brush(p, r, 0.005, "Hand", side);
        vec3 at = v3_add(rig_head(r, name, side), palm_direction(&h, v3(-0.004, 0.0, 0.0042)));
        field_ball(&p->field, at, radii[i][0] - 0.0012);
    }
}

static void add_finger(part *p, const rig *r, enum side side, int finger) {
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%d", finger_names[finger], i + 1);
        brush(p, r, i > 0 ? 0.002 : finger == 0 ? 0.016 : 0.006, name, side);
        field_cone(&p->field, rig_head(r, name, side), rig_tail(r, name, side), radii[finger][i],
                   radii[finger][i + 1]);
    }
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
    for (int s = LEFT; s >= RIGHT; s -= 2) {
        part *p = parts_add(all, 0xE8B08A, 0.0032, 690, 0.0065);
        add_palm(p, r, (enum side)s);
        for (int i = 0; i < FINGERS; i++) {
            add_finger(p, r, (enum side)s, i);
            tint_finger(p, r, (enum side)s, i);
        }
        add_knuckles(p, r, (enum side)s);
    }
}
