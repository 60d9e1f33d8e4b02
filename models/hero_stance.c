// SPDX-License-Identifier: MIT
// hero_stance.c - the ready stance, with weight on both feet and the sword low, and the pose of a stance.
#include "hero_stance.h"

stance stance_ready(void) {
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
        .sword = {v3(-0.275, 0.965, 0.180), v3(0.16, 0.42, 0.90), v3(0.05, -0.90, 0.42), v3(-0.55, -0.2, -1.0)},
        .knees_out = 0.06,
        .left = {.at = v3(0.125, 0, 0.085), .yaw = 9.0 * DEG},
        .right = {.at = v3(-0.125, 0, -0.095), .yaw = -24.0 * DEG},
    };
}

void take_stance(const stance *s, pose *p) {
    p->hips = v3_add(p->hips, s->hips);
    pose_sway(p, "Hips", s->pelvis);
    pose_bend_back(p, s->back);
    pose_bend_neck(p, s->head);
    pose_eyes(p, s->eyes_yaw, 0.0, s->eyes_closed);
    pose_leg(p, LEFT, s->left, s->knees_out);
    pose_leg(p, RIGHT, s->right, s->knees_out);
    pose_hang(p, LEFT, s->left_swing, s->left_lift, s->left_turn, s->left_bend, s->left_roll);
    pose_fingers(p, LEFT, s->left_curl, -1.5);
    pose_arm(p, RIGHT, s->sword);
    pose_fist(p, RIGHT);
}

/// The curve of one number of the keys: `member` selects the vector and `axis` its component.
static double hand_number(const hand_key *keys, int count, int member, int axis, double phase) {
    curve c = {0};
    for (int i = 0; i < count; i++) {
        const reach *h = &keys[i].hand;
        const vec3 vectors[4] = {h->at, h->blade, h->knuckle, h->elbow};
        vec3 v = vectors[member];
        c.keys[i] = (key){keys[i].at, axis == 0 ? v.x : axis == 1 ? v.y : v.z};
    }
    return curve_at(&c, phase);
}

reach hand_at(const hand_key *keys, int count, double phase) {
    vec3 v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = v3(hand_number(keys, count, i, 0, phase), hand_number(keys, count, i, 1, phase),
                  hand_number(keys, count, i, 2, phase));
    }
    return (reach){v[0], v[1], v[2], v[3]};
}
