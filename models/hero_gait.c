// SPDX-License-Identifier: MIT
// hero_gait.c - "Walk" and "Run", with a stationary root. The ground moves backward under the hero: a foot on the
// ground moves at exactly the speed of the ground, first about its heel, then flat, then over the ball.
#include "curve.h"
#include "hero.h"

#define TAU (2.0 * PI)

/// Phases are from 0 at a strike of the left foot to 1 at its next. The right foot is half a cycle later.
typedef struct gait {
    double stride;  ///< metres of ground in one cycle
    double stance;  ///< share of the cycle that a foot stands
    double contact; ///< how far before the hips the ankle is when the foot strikes
    double apart;   ///< of a foot from the middle
    double toe_out;
    curve pitch, lift, toes; ///< over the foot's own cycle; degrees, metres, degrees
} gait;

// ---- feet ----

/// From the end of the stance to the next strike, leaving and landing at the ground's speed.
static double swing_z(const gait *g, double t) {
    double from = g->contact - g->stride * g->stance, to = g->contact;
    double slope = -g->stride * (1.0 - g->stance);
    double t2 = t * t, t3 = t2 * t;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * from + (t3 - 2.0 * t2 + t) * slope + (3.0 * t2 - 2.0 * t3) * to +
           (t3 - t2) * slope;
}

static footing foot_at(const gait *g, enum side side, double phase) {
    phase -= floor(phase);
    bool stands = phase <= g->stance;
    double z = stands ? g->contact - g->stride * phase : swing_z(g, (phase - g->stance) / (1.0 - g->stance));
    double s = (double)side;
    return (footing){
        .at = v3(g->apart * s, curve_round(&g->lift, phase), z),
        .yaw = g->toe_out * s,
        .pitch = curve_round(&g->pitch, phase) * DEG,
        .toes = curve_round(&g->toes, phase) * DEG,
    };
}

static void place_feet(const gait *g, double phase, pose *p) {
    pose_leg(p, LEFT, foot_at(g, LEFT, phase), 0.0);
    pose_leg(p, RIGHT, foot_at(g, RIGHT, phase + 0.5), 0.0);
}

// ---- walk ----

static const gait walk = {
    .stride = WALK_SPEED * WALK_FRAMES / FRAME_RATE,
    .stance = 0.60,
    .contact = 0.312,
    .apart = 0.085,
    .toe_out = 4.0 * DEG,
    .pitch = {{{0.00, 19}, {0.08, 0}, {0.32, 0}, {0.45, -14}, {0.60, -54}, {0.72, -40}, {0.86, 6}, {0.95, 20}}},
    .lift = {{{0.0, 0}, {0.575, 0}, {0.74, 0.045}, {0.90, 0.026}, {0.965, 0.010}, {0.995, 0}}},
    .toes = {{{0.0, 4}, {0.1, 0}, {0.55, 0}, {0.64, -14}, {0.80, 0}, {0.95, 8}}},
};

void pose_walk(double phase, pose *p) {
    double side = sin(TAU * (phase - 0.02)), step = cos(TAU * (phase - 0.02));
    double bob = cos(2.0 * TAU * (phase - 0.03));
    p->hips = v3_add(p->hips, v3(0.018 * side, -0.030 - 0.017 * bob, 0.0));
    pose_sway(p, "Hips", (sway){-8.0 * step, 3.5 * side, 2.0});
    pose_bend_back(p, (sway){15.0 * step, -5.0 * side, 2.0 + 1.2 * bob});
    pose_bend_neck(p, (sway){-7.0 * step, 1.5 * side, -3.0 - 1.2 * bob});
    place_feet(&walk, phase, p);

    double swing = -step;
    pose_turn(p, "Shoulder", LEFT, q_y(-4.0 * DEG * swing));
    pose_hang(p, LEFT, 2.0 + 24.0 * swing, 12.0, 1.0 + 2.0 * swing, 20.0 + 10.0 * swing, 22.0);
    pose_fingers(p, LEFT, 0.38 + 0.05 * swing, -1.5);
    double sword = cos(TAU * (phase - 0.05));
    pose_arm(p, RIGHT,
             (reach){.at = v3(-0.285, 0.905 + 0.012 * sword, 0.105 + 0.075 * sword),
                     .blade = v3(0.03, 0.12 + 0.06 * sword, 0.98),
                     .knuckle = v3(0.02, -1.0, 0.30),
                     .elbow = v3(-0.45, -0.1, -1.0)});
    pose_fist(p, RIGHT);
}

// ---- run ----

static const gait run = {
    .stride = RUN_SPEED * RUN_FRAMES / FRAME_RATE,
    .stance = 0.315,
    .contact = 0.240,
    .apart = 0.062,
    .toe_out = 3.0 * DEG,
    .pitch = {{{0.00, 7},
               {0.05, 0},
               {0.15, 0},
               {0.22, -16},
               {0.33, -58},
               {0.47, -88},
               {0.62, -62},
               {0.82, -4},
               {0.93, 10}}},
    .lift = {{{0.0, 0}, {0.33, 0}, {0.46, 0.22}, {0.58, 0.30}, {0.74, 0.24}, {0.90, 0.075}, {0.995, 0}}},
    .toes = {{{0.0, 3}, {0.1, 0}, {0.30, 0}, {0.42, -18}, {0.70, -4}, {0.92, 6}}},
};

void pose_run(double phase, pose *p) {
    double side = sin(TAU * phase), step = cos(TAU * (phase - 0.03));
    double bob = cos(2.0 * TAU * (phase - 0.15)); // lowest in the middle of a stance
    p->hips = v3_add(p->hips, v3(0.010 * side, -0.035 - 0.036 * bob, 0.0));
    pose_sway(p, "Hips", (sway){-13.0 * step, 4.0 * side, 9.0});
    pose_bend_back(p, (sway){26.0 * step, -6.0 * side, 9.0 + 2.5 * bob});
    pose_bend_neck(p, (sway){-13.0 * step, 2.0 * side, -13.0 - 2.5 * bob});
    place_feet(&run, phase, p);

    double swing = -step;
    pose_turn(p, "Shoulder", LEFT, q_y(-8.0 * DEG * swing));
    pose_hang(p, LEFT, -6.0 + 42.0 * swing, 18.0 - 3.0 * swing, 1.0 + 9.0 * swing, 86.0 + 12.0 * swing, 8.0);
    pose_fingers(p, LEFT, 0.62, 0.0);
    double sword = cos(TAU * (phase - 0.06));
    pose_arm(p, RIGHT,
             (reach){.at = v3(-0.285 + 0.02 * sword, 1.03 + 0.04 * sword, 0.12 + 0.13 * sword),
                     .blade = v3(0.06, 0.80 + 0.08 * sword, 0.45),
                     .knuckle = v3(0.10, -0.45, 0.88),
                     .elbow = v3(-0.55, -0.35, -1.0)});
    pose_fist(p, RIGHT);
}
