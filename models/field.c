// SPDX-License-Identifier: MIT
// field.c - signed distance fields of rounded cones, ellipsoids and boxes with smooth blends.
#include "field.h"

#include <stdio.h>
#include <stdlib.h>

// ---- making primitives ----

static prim *add(field *f, enum prim_kind kind, rigid frame, vec3 size) {
    if (f->count == FIELD_PRIMS) {
        fprintf(stderr, "make-models: too many primitives in a field\n");
        exit(1);
    }
    prim *p = &f->prims[f->count++];
    *p = (prim){.kind = kind, .op = f->brush.op, .inverse = rigid_inverse(frame), .size = size};
    p->blend = f->brush.blend;
    p->flat = kind == PRIM_BOX ? 0.0 : 1.0;
    p->bone_count = f->brush.bone_count;
    p->width = f->brush.width;
    for (int i = 0; i < p->bone_count; i++) {
        p->bones[i] = f->brush.bones[i];
    }
    return p;
}

prim *field_flat_cone(field *f, vec3 a, vec3 b, double radius_a, double radius_b, double flat, vec3 front) {
    rigid frame = {q_frame(v3_sub(b, a), front), a};
    prim *p = add(f, PRIM_CONE, frame, v3(radius_a, radius_b, v3_distance(a, b)));
    p->flat = flat;
    return p;
}

prim *field_cone(field *f, vec3 a, vec3 b, double radius_a, double radius_b) {
    vec3 d = v3_unit(v3_sub(b, a));
    vec3 any = fabs(d.z) < 0.9 ? v3(0, 0, 1) : v3(0, 1, 0);
    return field_flat_cone(f, a, b, radius_a, radius_b, 1.0, any);
}

prim *field_ellipsoid(field *f, rigid frame, vec3 radii) {
    return add(f, PRIM_ELLIPSOID, frame, radii);
}

prim *field_ball(field *f, vec3 center, double radius) {
    return field_ellipsoid(f, rigid_shift(center.x, center.y, center.z), v3(radius, radius, radius));
}

prim *field_box(field *f, rigid frame, vec3 half, double round) {
    prim *p = add(f, PRIM_BOX, frame, half);
    p->flat = round;
    return p;
}

void field_grow(field *f, double thickness) {
    prim *p = add(f, PRIM_BOX, rigid_identity(), v3(thickness, 0, 0));
    p->op = OP_GROW;
}

void field_keep(field *f, vec3 a, vec3 b, double round) {
    vec3 direction = v3_unit(v3_sub(b, a));
    vec3 front = fabs(direction.z) < 0.9 ? v3(0, 0, 1) : v3(0, 1, 0);
    rigid frame = {q_frame(direction, front), v3_lerp(a, b, 0.5)};
    prim *p = add(f, PRIM_BOX, frame, v3(3.0, 0.5 * v3_distance(a, b), 3.0));
    p->op = OP_CLIP;
    p->blend = round;
}

void field_enlarge(field *f, vec3 center, double scale) {
    for (int i = 0; i < f->count; i++) {
        prim *p = &f->prims[i];
        rigid frame = rigid_inverse(p->inverse);
        frame.t = v3_lerp(center, frame.t, scale);
        p->inverse = rigid_inverse(frame);
        p->size = v3_mul(p->size, scale);
        p->blend *= scale;
        p->flat *= p->kind == PRIM_BOX ? scale : 1.0;
    }
}

// ---- distances ----

/// Two balls and the tangent cone between them; q is (distance from the axis, height).
static double cone_distance(double across, double along, double ra, double rb, double length) {
    double slope = (ra - rb) / length;
    if (slope >= 1.0 || slope <= -1.0) { // one ball contains the other
        return fmin(hypot(across, along) - ra, hypot(across, along - length) - rb);
    }
    double flank = sqrt(1.0 - slope * slope);
    double k = along * flank - across * slope;
    if (k < 0.0) {
        return hypot(across, along) - ra;
    }
    if (k > flank * length) {
        return hypot(across, along - length) - rb;
    }
    return across * flank + along * slope - ra;
}

/// An approximate distance: exact at zero and smooth, which is enough for Newton steps.
static double ellipsoid_distance(vec3 p, vec3 r) {
    double k0 = v3_length(v3(p.x / r.x, p.y / r.y, p.z / r.z));
    double k1 = v3_length(v3(p.x / (r.x * r.x), p.y / (r.y * r.y), p.z / (r.z * r.z)));
    if (k1 < 1e-9) {
        return -fmin(r.x, fmin(r.y, r.z));
    }
    return k0 * (k0 - 1.0) / k1;
}

static double box_distance(vec3 p, vec3 half, double round) {
    vec3 q = v3(fabs(p.x) - half.x + round, fabs(p.y) - half.y + round, fabs(p.z) - half.z + round);
    vec3 outside = v3(fmax(q.x, 0), fmax(q.y, 0), fmax(q.z, 0));
    return v3_length(outside) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0) - round;
}

static double prim_distance(const prim *p, vec3 at) {
    vec3 q = rigid_point(p->inverse, at);
    switch (p->kind) {
    case PRIM_CONE: {
        double across = hypot(q.x, q.z / p->flat);
        double steepness = hypot(q.x, q.z / (p->flat * p->flat)) / fmax(across, 1e-6);
        double d = cone_distance(across, q.y, p->size.x, p->size.y, p->size.z);
        return d / fmax(steepness, 1.0);
    }
    case PRIM_ELLIPSOID:
        return ellipsoid_distance(q, p->size);
    default:
        return box_distance(q, p->size, p->flat);
    }
}

/// The smooth minimum of two values, rounded where they are within `width` of each other.
static double smooth_min(double a, double b, double width) {
    double h = width - fabs(a - b);
    if (h <= 0.0) {
        return fmin(a, b);
    }
    return fmin(a, b) - h * h / (4.0 * width);
}

static double smooth_max(double a, double b, double width) {
    return -smooth_min(-a, -b, width);
}

double field_at(const field *f, vec3 at) {
    double d = 1e3;
    for (int i = 0; i < f->count; i++) {
        const prim *p = &f->prims[i];
        if (p->op == OP_GROW) {
            d -= p->size.x;
            continue;
        }
        double e = prim_distance(p, at);
        if (p->op == OP_JOIN) {
            d = smooth_min(d, e, p->blend);
        } else {
            d = smooth_max(d, p->op == OP_CARVE ? -e : e, p->blend);
        }
    }
    return d;
}

vec3 field_gradient(const field *f, vec3 p) {
    const double h = 4e-4;
    return v3_mul(v3(field_at(f, v3(p.x + h, p.y, p.z)) - field_at(f, v3(p.x - h, p.y, p.z)),
                     field_at(f, v3(p.x, p.y + h, p.z)) - field_at(f, v3(p.x, p.y - h, p.z)),
                     field_at(f, v3(p.x, p.y, p.z + h)) - field_at(f, v3(p.x, p.y, p.z - h))),
                  0.5 / h);
}

vec3 field_project(const field *f, vec3 p) {
    for (int i = 0; i < 4; i++) {
        double distance = field_at(f, p);
        vec3 g = field_gradient(f, p);
        double slope = v3_dot(g, g);
        if (fabs(distance) < 1e-6 || slope < 1e-4) {
            break;
        }
        p = v3_mad(p, g, -clamp(distance / slope, -0.01, 0.01));
    }
    return p;
}

const prim *field_owner(const field *f, vec3 at) {
    const prim *owner = NULL;
    double nearest = 0.0;
    for (int i = 0; i < f->count; i++) {
        const prim *p = &f->prims[i];
        double d = p->op == OP_JOIN ? prim_distance(p, at) : 1e3;
        if (p->op == OP_JOIN && (!owner || d < nearest)) {
            owner = p;
            nearest = d;
        }
    }
    return owner;
}

// ---- bounds ----

static void include(vec3 *low, vec3 *high, vec3 center, double r) {
    *low = v3(fmin(low->x, center.x - r), fmin(low->y, center.y - r), fmin(low->z, center.z - r));
    *high = v3(fmax(high->x, center.x + r), fmax(high->y, center.y + r), fmax(high->z, center.z + r));
}

void field_bounds(const field *f, vec3 *low, vec3 *high) {
    *low = v3(1e3, 1e3, 1e3);
    *high = v3(-1e3, -1e3, -1e3);
    double grown = 0.0;
    for (int i = 0; i < f->count; i++) {
        const prim *p = &f->prims[i];
        grown += p->op == OP_GROW ? p->size.x : 0.0;
        if (p->op != OP_JOIN) {
            continue;
        }
        rigid frame = rigid_inverse(p->inverse);
        if (p->kind == PRIM_CONE) {
            double wide = fmax(p->flat, 1.0);
            include(low, high, frame.t, p->size.x * wide);
            include(low, high, rigid_point(frame, v3(0, p->size.z, 0)), p->size.y * wide);
            continue;
        }
        // The bounds of a rotated box or ellipsoid: the sum of its half axes by component.
        vec3 x = v3_mul(q_turn(frame.r, v3(1, 0, 0)), p->size.x);
        vec3 y = v3_mul(q_turn(frame.r, v3(0, 1, 0)), p->size.y);
        vec3 z = v3_mul(q_turn(frame.r, v3(0, 0, 1)), p->size.z);
        vec3 half = v3(fabs(x.x) + fabs(y.x) + fabs(z.x), fabs(x.y) + fabs(y.y) + fabs(z.y),
                       fabs(x.z) + fabs(y.z) + fabs(z.z));
        include(low, high, v3_add(frame.t, half), 0.0);
        include(low, high, v3_sub(frame.t, half), 0.0);
    }
    include(low, high, *low, grown);
    include(low, high, *high, grown);
}
