// SPDX-License-Identifier: MIT
// hero_moves.c - the clips "Jump" and "Turn", in which feet leave the ground.
#include "hero_stance.h"

// ---- jump ----

#define GRAVITY 9.81

static const double jump_off = (double)JUMP_OFF / JUMP_FRAMES, jump_land = (double)JUMP_LAND / JUMP_FRAMES;
static const double jump_rise = 0.050, jump_sink = -0.030; // of the hips, at take-off and landing

// The crouch before take-off. Its end follows from the speed at take-off.
static const curve jump_crouch = {{{0.0, 0.0}, {0.05, 0.006}, {0.20, -0.205}, {0.222, -0.205}}};
static const curve jump_absorb = {
    {{0.711, -0.030}, {0.735, -0.085}, {0.80, -0.185}, {0.84, -0.175}, {0.96, 0.004}, {1.0, 0.0}}};
static const curve jump_lean = {
    {{0, 0}, {0.21, 27}, {0.342, 3}, {0.45, -3}, {0.60, 9}, {0.70, 7}, {0.80, 24}, {0.97, -1}, {1, 0}}};
static const curve jump_pitch = {{{0, 0},
                                  {0.20, -4},
                                  {0.25, -14},
                                  {0.342, -60},
                                  {0.44, -46},
                                  {0.58, -16},
                                  {0.66, -13},
                                  {0.711, -16},
                                  {0.765, 0}}};
static const curve jump_toes = {{{0.30, 0}, {0.40, -22}, {0.60, 4}, {0.711, 0}}};
static const curve jump_swing = {{{0, 0},
                                  {0.06, 8},
                                  {0.21, -52},
                                  {0.345, 92},
                                  {0.45, 62},
                                  {0.62, 26},
                                  {0.72, 6},
                                  {0.80, -20},
                                  {0.93, 4},
                                  {1, 0}}};
static const curve jump_spread = {{{0, 0}, {0.21, 8}, {0.34, 30}, {0.50, 46}, {0.66, 44}, {0.80, 18}, {1, 0}}};
static const curve jump_bend = {{{0, 0}, {0.21, 4}, {0.34, 26}, {0.50, 34}, {0.70, 22}, {0.80, 40}, {1, 0}}};
static const curve jump_blink = {{{0.69, 0}, {0.73, 0.9}, {0.76, 0.9}, {0.82, 0}}};
static const curve jump_wide = {{{0.15, 0}, {0.342, 0.25}, {0.50, -0.2}, {0.70, 0}, {0.80, 0.5}, {1, 0}}};

static const hand_key jump_hand[] = {
    {0.00, {{-0.275, 0.965, 0.180}, {0.16, 0.42, 0.90}, {0.05, -0.90, 0.42}, {-0.55, -0.2, -1.0}}},
    {0.07, {{-0.275, 0.980, 0.200}, {0.10, 0.46, 0.88}, {0.05, -0.88, 0.45}, {-0.55, -0.2, -1.0}}},
    {0.21, {{-0.350, 1.010, -0.090}, {-0.16, 0.32, 0.93}, {-0.10, -0.93, 0.32}, {-0.55, 0.1, -1.0}}},
    {0.35, {{-0.375, 1.280, 0.280}, {-0.18, 0.92, 0.40}, {-0.05, -0.40, 0.92}, {-0.9, -0.5, -0.5}}},
    {0.50, {{-0.470, 1.300, 0.130}, {-0.40, 0.86, 0.30}, {-0.55, -0.35, 0.76}, {-0.8, -0.7, -0.5}}},
    {0.66, {{-0.460, 1.220, 0.160}, {-0.34, 0.78, 0.50}, {-0.40, -0.55, 0.72}, {-0.8, -0.5, -0.7}}},
    {0.80, {{-0.360, 1.010, 0.200}, {-0.06, 0.62, 0.78}, {-0.10, -0.78, 0.60}, {-0.7, -0.3, -0.9}}},
    {0.90, {{-0.300, 0.965, 0.190}, {0.10, 0.44, 0.88}, {0.02, -0.90, 0.44}, {-0.6, -0.2, -1.0}}},
    {1.00, {{-0.275, 0.965, 0.180}, {0.16, 0.42, 0.90}, {0.05, -0.90, 0.42}, {-0.55, -0.2, -1.0}}},
};

/// The height of the hips above the stance: acceleration to the speed of take-off, free flight, landing.
static double jump_height(double phase) {
    const double second = (double)FRAME_RATE / JUMP_FRAMES, push = 0.222; // the lowest point of the crouch
    double time = (jump_land - jump_off) / second;
    double speed = (jump_sink - jump_rise) / time + 0.5 * GRAVITY * time;
    if (phase > jump_land) {
        return curve_at(&jump_absorb, phase);
    }
    if (phase >= jump_off) {
        double t = (phase - jump_off) / second;
        return jump_rise + speed * t - 0.5 * GRAVITY * t * t;
    }
    if (phase <= push) {
        return curve_at(&jump_crouch, phase);
    }
    double low = jump_crouch.keys[3].value, t = (phase - push) / (jump_off - push);
    double power = speed * (jump_off - push) / second / (jump_rise - low);
    return low + (jump_rise - low) * pow(t, power);
}

/// A foot rises with the hips, plus `tuck` metres.
static void jump_foot(footing *foot, double phase, double tuck) {
    foot->pitch = curve_at(&jump_pitch, phase) * DEG;
    if (phase > jump_off && phase < jump_land) {
        double t = (phase - jump_off) / (jump_land - jump_off);
        foot->at.y = jump_height(phase) - mix(jump_rise, jump_sink, t) + tuck * pow(sin(PI * t), 1.5);
        foot->toes = curve_at(&jump_toes, phase) * DEG;
    }
}

void pose_jump(double phase, pose *p) {
    stance s = stance_ready();
    double lean = curve_at(&jump_lean, phase), spread = curve_at(&jump_spread, phase);
    s.hips.y += jump_height(phase);
    s.hips.z -= 0.0018 * lean;
    s.pelvis.pitch += 0.45 * lean;
    s.back.pitch += 0.75 * lean;
    s.back.yaw += 0.05 * spread;
    s.head.pitch -= 0.85 * lean;
    s.left_swing += curve_at(&jump_swing, phase);
    s.left_lift += spread;
    s.left_bend += curve_at(&jump_bend, phase);
    s.left_curl += 0.004 * spread;
    s.eyes_closed = curve_at(&jump_blink, phase);
    s.sword = hand_at(jump_hand, sizeof jump_hand / sizeof *jump_hand, phase);
    jump_foot(&s.left, phase, 0.27);
    jump_foot(&s.right, phase, 0.16);
    s.knees_out += curve_at(&jump_wide, phase);
    take_stance(&s, p);
}

// ---- turn ----

// Degrees to the left. The head goes first, then the chest; the feet follow in three steps, left, right and left
// again.
static const curve turn_facing = {{{0, 0}, {0.10, 1}, {0.35, 27}, {0.62, 66}, {0.86, 90}, {1, 90}}};
static const curve turn_left = {{{0.10, 0}, {0.32, 52}, {0.66, 52}, {0.87, 90}}};
static const curve turn_right = {{{0.38, 0}, {0.62, 90}}};
static const curve turn_left_lift = {{{0.09, 0}, {0.20, 0.060}, {0.325, 0}, {0.65, 0}, {0.76, 0.050}, {0.875, 0}}};
static const curve turn_right_lift = {{{0.365, 0}, {0.49, 0.070}, {0.625, 0}}};
static const curve turn_left_pitch = {{{0.03, 0},
                                       {0.12, -18},
                                       {0.22, -10},
                                       {0.30, 6},
                                       {0.36, 0},
                                       {0.60, 0},
                                       {0.68, -16},
                                       {0.78, -8},
                                       {0.86, 5},
                                       {0.92, 0}}};
static const curve turn_right_pitch = {{{0.24, 0}, {0.39, -34}, {0.50, -14}, {0.60, 7}, {0.67, 0}}};
static const curve turn_weight = {
    {{0, 0}, {0.12, -0.75}, {0.26, -0.80}, {0.42, 0.80}, {0.56, 0.80}, {0.70, -0.70}, {0.82, -0.60}, {1, 0}}};
static const curve turn_bob = {{{0, 0},
                                {0.10, -0.022},
                                {0.21, -0.006},
                                {0.34, -0.030},
                                {0.49, -0.004},
                                {0.63, -0.026},
                                {0.76, -0.006},
                                {0.88, -0.014},
                                {1, 0}}};
static const curve turn_head = {{{0, 0}, {0.05, -2}, {0.20, 34}, {0.40, 34}, {0.70, 12}, {0.90, -2}, {1, 0}}};
static const curve turn_back = {{{0, 0}, {0.06, -2}, {0.24, 13}, {0.45, 11}, {0.75, 3}, {0.90, -3}, {1, 0}}};
static const curve turn_eyes = {{{0, 0}, {0.06, 16}, {0.22, 12}, {0.55, 5}, {0.80, 0}}};
static const curve turn_blink = {{{0.02, 0}, {0.07, 1}, {0.10, 1}, {0.17, 0}}};
static const curve turn_drag = {{{0, 0}, {0.12, 2}, {0.40, 10}, {0.66, 9}, {0.90, -4}, {1, 0}}};

/// The position of a foot after its stance has turned by `degrees`, in the space of a hero with the heading `facing`.
static void turn_foot(footing *foot, double degrees, double lift, double pitch, double facing) {
    double angle = degrees * DEG - facing;
    foot->at = v3_add(q_turn(q_y(angle), foot->at), v3(0, lift, 0));
    foot->yaw += angle;
    foot->pitch = pitch * DEG;
}

void pose_about(double phase, pose *p) {
    stance s = stance_ready();
    double weight = curve_at(&turn_weight, phase), drag = curve_at(&turn_drag, phase);
    p->facing = curve_at(&turn_facing, phase) * DEG;
    turn_foot(&s.left, curve_at(&turn_left, phase), curve_at(&turn_left_lift, phase),
              curve_at(&turn_left_pitch, phase), p->facing);
    turn_foot(&s.right, curve_at(&turn_right, phase), curve_at(&turn_right_lift, phase),
              curve_at(&turn_right_pitch, phase), p->facing);
    vec3 apart = v3_sub(s.left.at, s.right.at), middle = v3_lerp(s.left.at, s.right.at, 0.5);
    vec3 ready = v3_lerp(stance_ready().left.at, stance_ready().right.at, 0.5);
    s.hips.x += middle.x - ready.x + 0.17 * weight * apart.x;
    s.hips.z += middle.z - ready.z + 0.17 * weight * apart.z;
    s.hips.y += curve_at(&turn_bob, phase);
    s.pelvis.roll -= 2.5 * weight;
    s.back.yaw += curve_at(&turn_back, phase);
    s.back.roll += 3.0 * weight;
    s.head.yaw += curve_at(&turn_head, phase);
    s.eyes_yaw = curve_at(&turn_eyes, phase);
    s.eyes_closed = curve_at(&turn_blink, phase);
    s.left_lift += 0.9 * fabs(drag);
    s.left_swing += 1.4 * drag;
    s.left_bend += 0.8 * fabs(drag);
    s.sword.at = v3_add(s.sword.at, v3(-0.006 * drag, 0.003 * fabs(drag), -0.004 * drag));
    s.sword.blade = v3_add(s.sword.blade, v3(-0.030 * drag, 0.012 * fabs(drag), 0));
    take_stance(&s, p);
}
