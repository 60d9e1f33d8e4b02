// SPDX-License-Identifier: MIT
// face.c - features on a face, projected onto its skin, so that the head can be reshaped without moving them.
#include "body.h"

vec3 face_point(const field *skin, double x, double y, double lift) {
    double outside = 0.20, inside = 0.0;
    for (int i = 0; i < 40; i++) {
        double z = 0.5 * (outside + inside);
        if (field_at(skin, v3(x, y, z)) < 0.0) {
            inside = z;
        } else {
            outside = z;
        }
    }
    return v3(x, y, outside + lift);
}

static double bezier(double a, double b, double c, double t) {
    return mix(mix(a, b, t), mix(b, c, t), t);
}

void face_stroke(part *p, const field *skin, const stroke *s, double side, double lift) {
    enum { STEPS = 6 };
    for (int i = 0; i < STEPS; i++) {
        vec3 ends[2];
        double radii[2];
        for (int e = 0; e < 2; e++) {
            double t = (double)(i + e) / STEPS;
            double x = bezier(s->xy[0][0], s->xy[1][0], s->xy[2][0], t);
            double y = bezier(s->xy[0][1], s->xy[1][1], s->xy[2][1], t);
            radii[e] = bezier(s->thick[0], s->thick[1], s->thick[2], t);
            ends[e] = face_point(skin, x * side, y, lift);
        }
        field_cone(&p->field, ends[0], ends[1], radii[0], radii[1]);
    }
}
