// hero_acts.c - "Idle", "Attack" and "Wave": clips in which the feet stay where they are.
#include "curve.h"
#include "hero.h"

#define TAU (2.0 * PI)

// ---- the stance that they share ----

/// Everything that the acts move, around the stance at rest.
typedef struct stance {
    vec3 hips; ///< shift
    sway pelvis, back, head;
    double left_swing, left_lift, left_turn, left_bend, left_roll, left_curl;
    double eyes_yaw, eyes_closed;
    reach sword;
    double step, lift; ///< of the left foot, forward and up
    double heel;       ///< of the right foot, raised
} stance;

static stance stance_ready(void) {
    return (stance){
        .hips = v3(-0.012, -0.020, 0.0),
        .pelvis = {.yaw = -10.0, .roll = -1.5, .pitch = 1.0},
        .back = {.yaw = 3.0, .roll = 2.0, .pitch = 1.5},
        .head = {.yaw = 6.0, .pitch = -1.0},
        .left_swing = 4.0,
        .left_lift = 13.0,
        .left_turn = 10.0,
        .left_bend = 24.0,
        .left_roll = 24.0,
        .left_curl = 0.36,
        .sword = {v3(-0.275, 0.965, 0.180), v3(0.16, 0.42, 0.90), v3(0.05, -0.90, 0.42),
                  v3(-0.55, -0.2, -1.0)},
    };
}

static void take_stance(const stance *s, pose *p) {
    p->hips = v3_add(p->hips, s->hips);
    pose_sway(p, "Hips", s->pelvis);
    pose_bend_back(p, s->back);
    pose_bend_neck(p, s->head);
    pose_eyes(p, s->eyes_yaw, 0.0, s->eyes_closed);
    footing left = {.at = v3(0.125, s->lift, 0.085 + s->step),
                    .yaw = 9.0 * DEG,
                    .pitch = 180.0 * DEG * s->lift};
    footing right = {.at = v3(-0.125, 0, -0.095), .yaw = -24.0 * DEG, .pitch = -s->heel * DEG};
    pose_leg(p, LEFT, left, 0.06);
    pose_leg(p, RIGHT, right, 0.06);
    pose_hang(p, LEFT, s->left_swing, s->left_lift, s->left_turn, s->left_bend, s->left_roll);
    pose_fingers(p, LEFT, s->left_curl, -1.5);
    pose_arm(p, RIGHT, s->sword);
    pose_fist(p, RIGHT);
}

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
    s.hips =
        v3_add(s.hips, v3(0.014 * shift, -0.003 * breath - 0.003 * shift * shift, 0.004 * look));
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

/// The sword hand at one moment of the strike.
typedef struct strike {
    double at;
    reach hand;
} strike;

static const strike strikes[] = {
    {0.00, {{-0.275, 0.965, 0.180}, {0.16, 0.42, 0.90}, {0.05, -0.90, 0.42}, {-0.55, -0.2, -1.0}}},
    {0.16, {{-0.330, 1.300, 0.130}, {0.05, 0.98, -0.10}, {0.10, 0.15, 0.98}, {-0.9, -0.5, -0.2}}},
    {0.34, {{-0.250, 1.640, -0.060}, {0.25, 0.10, -0.96}, {0.05, 0.98, 0.15}, {-0.8, 0.1, 0.6}}},
    {0.44, {{-0.200, 1.600, 0.220}, {0.10, 0.85, 0.40}, {0.15, -0.40, 0.90}, {-0.9, -0.1, 0.2}}},
    {0.53, {{-0.040, 1.200, 0.440}, {0.22, 0.05, 0.97}, {0.20, -0.95, 0.10}, {-0.9, -0.4, -0.2}}},
    {0.63, {{0.120, 0.960, 0.300}, {0.75, -0.45, 0.45}, {-0.10, -0.80, -0.55}, {-0.8, -0.5, 0.1}}},
    {0.72, {{0.115, 0.950, 0.285}, {0.80, -0.42, 0.40}, {-0.10, -0.80, -0.52}, {-0.8, -0.5, 0.1}}},
    {0.86, {{-0.110, 1.010, 0.330}, {0.30, 0.25, 0.90}, {0.02, -0.95, 0.20}, {-0.8, -0.4, -0.5}}},
    {1.00, {{-0.275, 0.965, 0.180}, {0.16, 0.42, 0.90}, {0.05, -0.90, 0.42}, {-0.55, -0.2, -1.0}}},
};

enum { STRIKES = sizeof strikes / sizeof *strikes };

/// One number of each strike, keyed over time: `member` picks the vector and `axis` its component.
static double strike_number(int member, int axis, double phase) {
    curve c = {0};
    for (int i = 0; i < STRIKES; i++) {
        const reach *h = &strikes[i].hand;
        const vec3 vectors[4] = {h->at, h->blade, h->knuckle, h->elbow};
        vec3 v = vectors[member];
        c.keys[i] = (key){strikes[i].at, axis == 0 ? v.x : axis == 1 ? v.y : v.z};
    }
    return curve_at(&c, phase);
}

static vec3 strike_vector(int member, double phase) {
    return v3(strike_number(member, 0, phase), strike_number(member, 1, phase),
              strike_number(member, 2, phase));
}

static const curve attack_yaw = {
    {{0, 0}, {0.18, -14}, {0.36, -30}, {0.54, 28}, {0.66, 36}, {0.76, 34}, {1, 0}}};
static const curve attack_pitch = {
    {{0, 0}, {0.34, -9}, {0.54, 16}, {0.66, 22}, {0.76, 20}, {1, 0}}};
static const curve attack_hips_yaw = {{{0, 0}, {0.32, -16}, {0.54, 16}, {0.68, 20}, {1, 0}}};
static const curve attack_drop = {
    {{0, 0}, {0.20, -0.025}, {0.34, 0.0}, {0.56, -0.105}, {0.72, -0.100}, {1, 0}}};
static const curve attack_ahead = {{{0, 0}, {0.28, -0.06}, {0.54, 0.19}, {0.70, 0.20}, {1, 0}}};
static const curve attack_heel = {{{0, 0}, {0.36, 0}, {0.54, 44}, {0.72, 46}, {0.96, 0}, {1, 0}}};
static const curve attack_step = {{{0.30, 0}, {0.50, 0.26}, {0.76, 0.26}, {0.96, 0}}};
static const curve attack_lift = {
    {{0.28, 0}, {0.40, 0.09}, {0.51, 0}, {0.75, 0}, {0.86, 0.035}, {0.97, 0}}};
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
    s.step = curve_at(&attack_step, phase);
    s.lift = curve_at(&attack_lift, phase);
    s.heel = curve_at(&attack_heel, phase);
    s.sword = (reach){strike_vector(0, phase), strike_vector(1, phase), strike_vector(2, phase),
                      strike_vector(3, phase)};
    take_stance(&s, p);
}

// ---- wave ----

static const curve wave_raise = {{{0, 0}, {0.22, 1}, {0.78, 1}, {1, 0}}};
static const curve wave_smile = {{{0.02, 0},
                                  {0.06, 1},
                                  {0.075, 1},
                                  {0.13, 0.1},
                                  {0.70, 0.1},
                                  {0.76, 1.0},
                                  {0.775, 1},
                                  {0.83, 0}}};
static const curve wave_side = {
    {{0.18, 0}, {0.28, 1}, {0.38, -1}, {0.48, 1}, {0.58, -1}, {0.68, 1}, {0.80, 0}}};

void pose_wave(double phase, pose *p) {
    stance s = stance_ready();
    double raise = curve_at(&wave_raise, phase);
    double side = curve_at(&wave_side, phase);
    s.back.yaw += 4.0 * raise;
    s.back.roll += 3.0 * raise + 1.0 * side;
    s.head.roll += 5.0 * raise;
    s.head.yaw += 3.0 * raise;
    s.hips.x -= 0.012 * raise;
    s.eyes_closed = curve_at(&wave_smile, phase);
    s.left_swing += 8.0 * raise;
    s.left_lift += 66.0 * raise;
    s.left_turn += -95.0 * raise;
    s.left_bend += (74.0 + 16.0 * side) * raise;
    s.left_roll -= 62.0 * raise;
    s.left_curl -= 0.40 * raise;
    take_stance(&s, p);
    pose_fingers(p, LEFT, s.left_curl, 4.0 * raise);
    pose_turn(p, "Shoulder", LEFT, q_z(12.0 * DEG * raise));
}
