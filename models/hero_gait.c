// SPDX-License-Identifier: MIT
// hero_gait.c - "Walk", "Run", "WalkBack", "StrafeLeft" and "StrafeRight", with a stationary root. The ground moves under
// the hero, against the direction of travel: a foot on the ground moves at exactly the speed of the ground.
#include "curve.h"
#include "hero.h"

#define TAU (2.0 * PI)

/// Phases are from 0 at a strike of the left foot to 1 at its next. The right foot is half a cycle later.
typedef struct gait {
    double stride;  ///< metres of ground in one cycle
    double stance;  ///< share of the cycle that a foot stands
    double contact; ///< how far before the hips the ankle is when the foot strikes
    vec3 travel;    ///< unit direction in which the hero moves
    vec3 apart;     ///< of the left foot from the middle; the right foot is opposite
    double heading; ///< of both feet, radians to the left
    double toe_out;
    curve pitch, lift, toes; ///< over the foot's own cycle; degrees, metres, degrees
} gait;

// ---- feet ----

/// The position along the travel from the end of the stance to the next strike, leaving and landing at the ground's
/// speed.
static double swing_at(const gait *g, double t) {
    double from = g->contact - g->stride * g->stance, to = g->contact;
    double slope = -g->stride * (1.0 - g->stance);
    double t2 = t * t, t3 = t2 * t;
    return (2.0 * t3 - 3.0 * t2 + 1.0) * from + (t3 - 2.0 * t2 + t) * slope + (3.0 * t2 - 2.0 * t3) * to +
           (t3 - t2) * slope;
}

static footing foot_at(const gait *g, enum side side, double phase) {
    phase -= floor(phase);
    bool stands = phase <= g->stance;
    double along = stands ? g->contact - g->stride * phase : swing_at(g, (phase - g->stance) / (1.0 - g->stance));
    double s = (double)side;
    vec3 at = v3_mad(v3_mul(g->apart, s), g->travel, along);
    return (footing){
        .at = v3_add(at, v3(0, curve_round(&g->lift, phase), 0)),
        .yaw = g->heading + g->toe_out * s,
        .pitch = curve_round(&g->pitch, phase) * DEG,
        .toes = curve_round(&g->toes, phase) * DEG,
    };
}

static void place_feet(const gait *g, double phase, pose *p) {
    pose_leg(p, LEFT, foot_at(g, LEFT, phase), 0.0);
    pose_leg(p, RIGHT, foot_at(g, RIGHT, phase + 0.5), 0.0);
}

/// The right arm at a walk, with the sword low; `swing` runs from -1, backward, to 1.
static void carry_sword(pose *p, double swing) {
    pose_arm(p, RIGHT,
             (reach){.at = v3(-0.285, 0.905 + 0.012 * swing, 0.105 + 0.075 * swing),
                     .blade = v3(0.03, 0.12 + 0.06 * swing, 0.98),
                     .knuckle = v3(0.02, -1.0, 0.30),
                     .elbow = v3(-0.45, -0.1, -1.0)});
    pose_fist(p, RIGHT);
}

// ---- walk ----

static const gait walk = {
    .stride = WALK_SPEED * WALK_FRAMES / FRAME_RATE,
    .stance = 0.60,
    .contact = 0.312,
    .travel = {0, 0, 1},
    .apart = {0.085, 0, 0},
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
    carry_sword(p, cos(TAU * (phase - 0.05)));
}

// ---- run ----

static const gait run = {
    .stride = RUN_SPEED * RUN_FRAMES / FRAME_RATE,
    .stance = 0.315,
    .contact = 0.240,
    .travel = {0, 0, 1},
    .apart = {0.062, 0, 0},
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

// ---- walk back ----

// The toes strike first, behind the hips; the heel leaves last, before them.
static const gait back = {
    .stride = WALK_SPEED * STEP_FRAMES / FRAME_RATE,
    .stance = 0.60,
    .contact = 0.385,
    .travel = {0, 0, -1},
    .apart = {0.095, 0, 0},
    .toe_out = 6.0 * DEG,
    .pitch = {{{0.00, -34}, {0.13, -6}, {0.22, 0}, {0.46, 0}, {0.58, 13}, {0.68, 6}, {0.80, -22}, {0.94, -38}}},
    .lift = {{{0.0, 0}, {0.575, 0}, {0.72, 0.052}, {0.88, 0.050}, {0.965, 0.014}, {0.995, 0}}},
    .toes = {{{0.0, 0}, {0.55, 0}, {0.66, 6}, {0.84, -10}, {0.96, 0}}},
};

void pose_walk_back(double phase, pose *p) {
    double side = sin(TAU * (phase - 0.02)), step = cos(TAU * (phase - 0.02));
    double bob = cos(2.0 * TAU * (phase - 0.06));
    p->hips = v3_add(p->hips, v3(0.020 * side, -0.040 - 0.012 * bob, 0.0));
    pose_sway(p, "Hips", (sway){7.0 * step, 3.0 * side, 4.0});
    pose_bend_back(p, (sway){-11.0 * step, -4.0 * side, 3.0 + 0.8 * bob});
    pose_bend_neck(p, (sway){4.0 * step, 1.0 * side, -6.0 - 0.8 * bob});
    place_feet(&back, phase, p);

    pose_turn(p, "Shoulder", LEFT, q_y(-3.0 * DEG * step));
    pose_hang(p, LEFT, 2.0 + 13.0 * step, 15.0, 4.0 + 2.0 * step, 30.0 + 6.0 * step, 22.0);
    pose_fingers(p, LEFT, 0.36 + 0.04 * step, -1.5);
    carry_sword(p, 0.6 * cos(TAU * (phase - 0.55)));
}

// ---- strafes ----

// To the left. The pelvis is turned towards the travel, and each foot has a track of its own: the right one passes in
// front. To the right is the mirror image, half a cycle later.
static const gait strafe = {
    .stride = WALK_SPEED * STEP_FRAMES / FRAME_RATE,
    .stance = 0.60,
    .contact = 0.300,
    .travel = {1, 0, 0},
    .apart = {0.075, 0, -0.080},
    .heading = 42.0 * DEG,
    .toe_out = 6.0 * DEG,
    .pitch = {{{0.00, 9}, {0.07, 0}, {0.34, 0}, {0.46, -12}, {0.60, -40}, {0.72, -28}, {0.86, 2}, {0.95, 10}}},
    .lift = {{{0.0, 0}, {0.575, 0}, {0.74, 0.060}, {0.90, 0.034}, {0.965, 0.010}, {0.995, 0}}},
    .toes = {{{0.0, 2}, {0.1, 0}, {0.55, 0}, {0.64, -12}, {0.80, 0}, {0.95, 4}}},
};

/// The footing of `side` in a strafe to `toward`, at `phase` of a strafe to the left.
static footing strafe_foot(enum side toward, enum side side, double phase) {
    bool leads = side == toward;
    footing foot = foot_at(&strafe, leads ? LEFT : RIGHT, leads ? phase : phase + 0.5);
    foot.toes *= leads ? 0.7 : 1.0; // the foot in front swings further
    if (toward == RIGHT) {
        foot.at = v3_mirror(foot.at);
        foot.yaw = -foot.yaw;
    }
    return foot;
}

static void pose_strafe(enum side toward, double phase, pose *p) {
    double s = (double)toward, lead = toward == LEFT ? phase : phase + 0.5; // 0 where the foot in front strikes
    double step = cos(TAU * (lead - 0.02)), bob = cos(2.0 * TAU * (lead - 0.04));
    p->hips = v3_add(p->hips, v3(0.012 * s * bob, -0.040 - 0.015 * bob, 0.012 * sin(TAU * lead)));
    pose_sway(p, "Hips", (sway){s * (34.0 - 8.0 * step), s * -2.5, 4.0});
    pose_bend_back(p, (sway){s * (-24.0 + 7.0 * step), s * 1.0, 2.0 + bob});
    pose_bend_neck(p, (sway){s * (-8.0 + 1.5 * step), s * 1.0, -5.0 - bob});
    pose_leg(p, LEFT, strafe_foot(toward, LEFT, lead), 0.0);
    pose_leg(p, RIGHT, strafe_foot(toward, RIGHT, lead), 0.0);

    pose_hang(p, LEFT, 6.0 - s * 6.0 * step, 17.0 + 3.0 * step, 6.0, 34.0 + 5.0 * step, 22.0);
    pose_fingers(p, LEFT, 0.34 + 0.05 * step, -1.5);
    carry_sword(p, 0.4 * step);
}

void pose_strafe_left(double phase, pose *p) {
    pose_strafe(LEFT, phase, p);
}

void pose_strafe_right(double phase, pose *p) {
    pose_strafe(RIGHT, phase, p);
}
