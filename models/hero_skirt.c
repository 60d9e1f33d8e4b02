// SPDX-License-Identifier: MIT
// hero_skirt.c - the skirt: panels from the waist down that the thighs push. A raised thigh lifts its front panel;
// when it goes down, the cloth falls after it.
#include "hero.h"

enum { PANELS = 3, SETTLE = 6 };

static const double fall_time = 0.06; // seconds

/// The hinge of a panel, and the thickness of its thigh.
typedef struct panel {
    const char *name;
    vec3 out;      ///< direction of the swing, for the left side
    double radius; ///< of the thigh, with the cloth
} panel;

static const panel panels[PANELS] = {
    {"SkirtF", {0, 0, 1}, 0.103}, {"SkirtS", {1, 0, 0}, 0.098}, {"SkirtB", {0, 0, -1}, 0.094}};

/// The swing of each panel outward, radians.
typedef struct swings {
    double of[2][PANELS]; ///< left, right
} swings;

static enum side side_of(int i) {
    return i == 0 ? LEFT : RIGHT;
}

/// The smooth maximum of two values within `width`.
static double soft_max(double a, double b, double width) {
    double h = fmax(width - fabs(a - b), 0.0);
    return fmax(a, b) + h * h / (4.0 * width);
}

/// The swing at which a panel touches its thigh. In the plane of the swing the thigh leaves the hip at `lean`
/// from straight down; the panel of length `reach`, hinged `hinge` away from the hip, clears it by the radius when
/// hinge . normal + reach sin(panel - lean) = radius.
static double swing_needed(const pose *p, enum side side, const panel *a) {
    const rig *r = p->rig;
    int thigh = rig_find(r, "UpperLeg", side), cloth = rig_find(r, a->name, side);
    vec3 out = side == RIGHT ? v3_mirror(a->out) : a->out, down = v3(0, -1, 0);
    vec3 hip = r->joints[thigh].rest.t, knee = rig_head(r, "LowerLeg", side);
    vec3 leg = v3_unit(q_turn(p->turns[thigh], v3_sub(knee, hip)));
    vec3 hinge = v3_sub(r->joints[cloth].rest.t, hip), hem = v3_sub(r->joints[cloth].tail, r->joints[cloth].rest.t);
    // A thigh that moves forward moves the flank with it, without spreading it.
    double along = a->out.x > 0.0 ? hypot(leg.y, leg.z) : v3_dot(leg, down);
    double lean = clamp(atan2(v3_dot(leg, out), along), -100.0 * DEG, 125.0 * DEG);
    double away = v3_dot(hinge, out) * cos(lean) + v3_dot(hinge, v3(0, 1, 0)) * sin(lean);
    double at_rest = atan2(v3_dot(hem, out), v3_dot(hem, down));
    double sine = clamp((a->radius - away) / v3_length(hem), -1.0, 1.0);
    return lean + asin(sine) - at_rest;
}

static swings swings_needed(const pose *p) {
    swings s;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < PANELS; k++) {
            s.of[i][k] = soft_max(swing_needed(p, side_of(i), &panels[k]), 0.0, 14.0 * DEG);
        }
        s.of[i][1] += 0.20 * s.of[i][0]; // a bent hip is wider
    }
    for (int k = 0; k < PANELS; k += 2) { // front and back are one piece of cloth with those of the other side
        double left = s.of[0][k], right = s.of[1][k];
        s.of[0][k] = soft_max(left, 0.40 * right, 0.1);
        s.of[1][k] = soft_max(right, 0.40 * left, 0.1);
    }
    return s;
}

/// The cloth is pushed immediately, and falls back with a delay.
static swings fall(const swings *last, const swings *needed, double kept) {
    swings s;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < PANELS; k++) {
            s.of[i][k] = fmax(needed->of[i][k], mix(needed->of[i][k], last->of[i][k], kept));
        }
    }
    return s;
}

static swings settle(const swings *falling, const swings *needed, double t) {
    swings s;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < PANELS; k++) {
            s.of[i][k] = mix(falling->of[i][k], needed->of[i][k], t);
        }
    }
    return s;
}

/// A side panel follows its front and back panels.
static void turn_panels(pose *p, const swings *s) {
    for (int i = 0; i < 2; i++) {
        enum side side = side_of(i);
        double front = s->of[i][0], flank = s->of[i][1], back = s->of[i][2];
        pose_turn(p, "SkirtF", side, q_x(-front));
        pose_turn(p, "SkirtB", side, q_x(back));
        pose_turn(p, "SkirtS", side, q_mul(q_x(0.68 * (back - front)), q_z(flank * (double)side)));
    }
}

void hero_skirt(pose *frames, int count, bool loops, double dt) {
    double kept = exp(-dt / fall_time);
    swings s = swings_needed(&frames[0]);
    int last = count - 1;
    for (int i = 0; loops && i < last; i++) { // one cycle ahead, so that a loop starts as it ends
        swings needed = swings_needed(&frames[i]);
        s = fall(&s, &needed, kept);
    }
    for (int i = 0; i < count; i++) {
        swings needed = swings_needed(&frames[i]);
        s = fall(&s, &needed, kept);
        if (!loops && i > last - SETTLE) { // a one-shot ends at rest
            s = settle(&s, &needed, (double)(i - last + SETTLE) / SETTLE);
        }
        turn_panels(&frames[i], &s);
    }
    if (loops) {
        frames[last] = frames[0];
    }
}
