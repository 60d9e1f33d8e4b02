// SPDX-License-Identifier: MIT
// hero_acts.c - the stationary clips "Idle", "Attack", "Wave" and "Hit".
#include "hero_stance.h"

#define TAU (2.0 * PI)

// ---- idle ----

static const curve idle_blink = {{{0.215, 0.0},
                                  {0.232, 1.0},
                                  {0.242, 1.0},
                                  {0.275, 0.0},
                                  {0.705, 0.0},
                                  {0.722, 1.0},
                                  {0.732, 1.0},
                                  {0.765, 0.0}}};
static const curve idle_glance = {{{0.0, 0.0},
                                   {0.21, 0.0},
                                   {0.24, 7.0},
                                   {0.46, 6.0},
                                   {0.50, 0.0},
                                   {0.70, 0.0},
                                   {0.73, -8.0},
                                   {0.90, -7.0},
                                   {0.94, 0.0}}};

void pose_idle(double phase, pose *p) {
    double breath = sin(2.0 * TAU * phase), late = sin(2.0 * TAU * phase - 0.7);
    double shift = sin(TAU * phase), look = sin(TAU * phase - 1.1);
    stance s = stance_ready();
    s.hips = v3_add(s.hips, v3(0.014 * shift, -0.003 * breath - 0.003 * shift * shift, 0.004 * look));
    s.pelvis.yaw += 1.2 * shift;
    s.pelvis.roll += 1.4 * shift;
    s.back.roll -= 1.8 * shift;
    s.back.pitch -= 1.6 * breath;
    s.head.yaw += 5.0 * look;
    s.head.pitch += 1.0 * late;
    s.head.roll += 1.2 * shift;
    s.left_swing += 1.5 * late;
    s.left_lift += 0.8 * breath;
    s.left_bend += 2.0 * late;
    s.left_curl += 0.04 * look;
    s.eyes_yaw = curve_round(&idle_glance, phase);
    s.eyes_closed = curve_round(&idle_blink, phase);
    s.sword.at = v3_add(s.sword.at, v3(0.002 * shift, 0.006 * late, 0.004 * shift));
    s.sword.blade = v3_add(s.sword.blade, v3(0.02 * shift, 0.025 * late, 0));
    take_stance(&s, p);
    for (int side = LEFT; side >= RIGHT; side -= 2) {
        pose_turn(p, "Shoulder", (enum side)side, q_z(side * 1.2 * DEG * breath));
    }
}

// ---- attack ----

static const hand_key strikes[] = {
    {0.00, {{-0.275, 0.965, 0.180}, {0.16, 0.42, 0.90}, {0.05, -0.90, 0.42}, {-0.55, -0.2, -1.0}}},
    {0.16, {{-0.330, 1.300, 0.130}, {0.05, 0.98, -0.10}, {0.10, 0.15, 0.98}, {-0.9, -0.5, -0.2}}},
    {0.34, {{-0.250, 1.640, -0.060}, {0.25, 0.10, -0.96}, {0.05, 0.98, 0.15}, {-0.8, 0.1, 0.6}}},
    {0.44, {{-0.200, 1.600, 0.220}, {0.10, 0.85, 0.40}, {0.15, -0.40, 0.90}, {-0.9, -0.1, 0.2}}},
    {0.49, {{-0.120, 1.430, 0.430}, {0.12, 0.62, 0.78}, {0.20, -0.62, 0.75}, {-0.9, -0.2, -0.1}}},
    {0.54, {{-0.020, 1.200, 0.510}, {0.16, 0.12, 0.98}, {0.20, -0.88, 0.42}, {-0.9, -0.2, -0.2}}},
    {0.63, {{0.120, 0.960, 0.300}, {0.75, -0.45, 0.45}, {-0.10, -0.80, -0.55}, {-0.8, -0.5, 0.1}}},
    {0.72, {{0.115, 0.950, 0.285}, {0.80, -0.42, 0.40}, {-0.10, -0.80, -0.52}, {-0.8, -0.5, 0.1}}},
    {0.86, {{-0.110, 1.010, 0.330}, {0.30, 0.25, 0.90}, {0.02, -0.95, 0.20}, {-0.8, -0.4, -0.5}}},
    {1.00, {{-0.275, 0.965, 0.180}, {0.16, 0.42, 0.90}, {0.05, -0.90, 0.42}, {-0.55, -0.2, -1.0}}},
};

enum { STRIKES = sizeof strikes / sizeof *strikes };

static const curve attack_yaw = {{{0, 0}, {0.18, -14}, {0.36, -30}, {0.54, 28}, {0.66, 36}, {0.76, 34}, {1, 0}}};
static const curve attack_pitch = {{{0, 0}, {0.34, -9}, {0.54, 16}, {0.66, 22}, {0.76, 20}, {1, 0}}};
static const curve attack_hips_yaw = {{{0, 0}, {0.32, -16}, {0.54, 16}, {0.68, 20}, {1, 0}}};
static const curve attack_drop = {{{0, 0}, {0.20, -0.025}, {0.34, 0.0}, {0.56, -0.105}, {0.72, -0.100}, {1, 0}}};
static const curve attack_ahead = {{{0, 0}, {0.28, -0.06}, {0.54, 0.19}, {0.70, 0.20}, {1, 0}}};
static const curve attack_heel = {{{0, 0}, {0.36, 0}, {0.54, 44}, {0.72, 46}, {0.96, 0}, {1, 0}}};
static const curve attack_step = {{{0.30, 0}, {0.50, 0.26}, {0.76, 0.26}, {0.96, 0}}};
static const curve attack_lift = {{{0.28, 0}, {0.40, 0.09}, {0.51, 0}, {0.75, 0}, {0.86, 0.035}, {0.97, 0}}};
static const curve attack_squint = {{{0.1, 0}, {0.3, 0.25}, {0.7, 0.25}, {0.9, 0}}};
static const curve attack_left = {{{0, 0}, {0.32, 46}, {0.56, -38}, {0.72, -36}, {1, 0}}};

void pose_attack(double phase, pose *p) {
    stance s = stance_ready();
    double yaw = curve_at(&attack_yaw, phase);
    double pitch = curve_at(&attack_pitch, phase);
    double hips_yaw = curve_at(&attack_hips_yaw, phase);
    double left = curve_at(&attack_left, phase);
    s.hips.y += curve_at(&attack_drop, phase);
    s.hips.z += curve_at(&attack_ahead, phase);
    s.pelvis.yaw += hips_yaw;
    s.pelvis.pitch += 0.25 * pitch;
    s.back.yaw += yaw;
    s.back.pitch += pitch;
    s.head.yaw -= 0.85 * (yaw + hips_yaw);
    s.head.pitch -= 0.6 * pitch;
    s.left_swing += left;
    s.left_lift += 0.35 * fabs(left);
    s.left_bend += 0.7 * fabs(left);
    s.left_curl += 0.008 * fabs(left);
    s.eyes_closed = curve_at(&attack_squint, phase);
    s.left.at = v3_add(s.left.at, v3(0, curve_at(&attack_lift, phase), curve_at(&attack_step, phase)));
    s.left.pitch = PI * s.left.at.y;
    s.right.pitch = -curve_at(&attack_heel, phase) * DEG;
    s.sword = hand_at(strikes, STRIKES, phase);
    take_stance(&s, p);
}

// ---- wave ----

// The hand moves slightly down before it rises, overshoots, and then waves twice, out and in.
static const curve wave_raise = {
    {{0, 0}, {0.07, -0.07}, {0.25, 1.04}, {0.31, 1}, {0.74, 1}, {0.78, 1.02}, {0.96, -0.03}, {1, 0}}};
static const curve wave_shift = {{{0, 0}, {0.20, 1}, {0.72, 1}, {0.97, 0}}};
static const curve wave_beat = {{{0.22, 0}, {0.32, 1}, {0.435, -1}, {0.55, 1}, {0.665, -1}, {0.76, 0}}};
static const curve wave_smile = {
    {{0.02, 0}, {0.06, 1}, {0.075, 1}, {0.13, 0.1}, {0.70, 0.1}, {0.76, 1.0}, {0.775, 1}, {0.83, 0}}};

/// The forearm leads each wave, the trunk counterbalances, and the weight shifts to the other leg.
void pose_wave(double phase, pose *p) {
    stance s = stance_ready();
    double raise = curve_at(&wave_raise, phase), beat = curve_at(&wave_beat, phase);
    double late = curve_at(&wave_beat, phase - 0.035), later = curve_at(&wave_beat, phase - 0.06);
    double shift = curve_at(&wave_shift, phase);
    s.hips = v3_add(s.hips, v3(-0.030 * shift - 0.007 * late, -0.006 * shift + 0.004 * beat * beat, 0.008 * shift));
    s.pelvis.roll += 4.0 * shift + 1.2 * late;
    s.pelvis.yaw += 4.0 * shift;
    s.back.yaw += 7.0 * shift + 2.0 * beat;
    s.back.roll += -2.0 * shift + 2.6 * late;
    s.back.pitch -= 3.0 * raise;
    s.head.roll += 7.0 * raise - 2.6 * later;
    s.head.yaw -= 4.0 * raise;
    s.head.pitch -= 3.0 * raise;
    s.eyes_closed = curve_at(&wave_smile, phase);
    s.left_swing += 8.0 * raise;
    s.left_lift += 72.0 * raise + 4.0 * late * raise;
    s.left_turn += -98.0 * raise;
    s.left_bend += (68.0 - 20.0 * beat) * raise;
    s.left_roll -= 62.0 * raise;
    s.left_curl -= (0.40 + 0.04 * later) * raise;
    s.sword.at = v3_add(s.sword.at, v3(-0.030 * shift, 0.020 * shift + 0.006 * late, -0.020 * shift));
    s.sword.blade = v3_add(s.sword.blade, v3(-0.10 * shift, -0.10 * shift + 0.04 * later, 0));
    take_stance(&s, p);
    pose_fingers(p, LEFT, s.left_curl, 4.0 * raise);
    pose_turn(p, "Hand", LEFT, q_z(-9.0 * DEG * later * raise));
    pose_turn(p, "Shoulder", LEFT, q_z(12.0 * DEG * raise));
    pose_turn(p, "Shoulder", RIGHT, q_z(3.0 * DEG * raise));
}

// ---- hit ----

// A blow from the front against the left shoulder. The chest goes first, the head and the arms follow; each swings past
// the stance once.
static const curve hit_chest = {{{0, 0}, {0.14, 1}, {0.22, 0.92}, {0.50, -0.20}, {0.74, 0.04}, {1, 0}}};
static const curve hit_head = {{{0, 0}, {0.05, 0.10}, {0.20, -1}, {0.46, 0.45}, {0.72, -0.06}, {1, 0}}};
static const curve hit_hips = {{{0, 0}, {0.18, 1}, {0.32, 0.85}, {0.70, -0.08}, {1, 0}}};
static const curve hit_arm = {{{0, 0}, {0.24, 1}, {0.36, 0.85}, {0.66, -0.14}, {0.86, 0.03}, {1, 0}}};
static const curve hit_squint = {{{0.02, 0}, {0.10, 1}, {0.34, 0.9}, {0.58, 0}}};

void pose_hit(double phase, pose *p) {
    stance s = stance_ready();
    double chest = curve_at(&hit_chest, phase), head = curve_at(&hit_head, phase);
    double hips = curve_at(&hit_hips, phase), arm = curve_at(&hit_arm, phase);
    s.hips = v3_add(s.hips, v3(-0.020 * hips, -0.045 * hips, -0.060 * hips));
    s.pelvis.yaw += 7.0 * hips;
    s.pelvis.pitch += 4.0 * hips;
    s.back.yaw += 20.0 * chest;
    s.back.pitch -= 13.0 * chest;
    s.back.roll -= 5.0 * chest;
    s.head.pitch += 17.0 * head;
    s.head.yaw -= 10.0 * chest;
    s.head.roll += 5.0 * head;
    s.left_swing -= 26.0 * arm;
    s.left_lift += 30.0 * arm;
    s.left_bend += 34.0 * arm;
    s.left_curl -= 0.20 * arm;
    s.eyes_closed = curve_at(&hit_squint, phase);
    s.sword.at = v3_add(s.sword.at, v3(-0.070 * arm, 0.090 * arm, -0.030 * arm));
    s.sword.blade = v3_add(s.sword.blade, v3(-0.20 * arm, 0.35 * arm, -0.10 * arm));
    s.knees_out += 0.10 * hips;
    take_stance(&s, p);
    pose_turn(p, "Shoulder", LEFT, q_z(7.0 * DEG * arm));
}
