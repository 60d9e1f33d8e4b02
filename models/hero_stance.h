// SPDX-License-Identifier: MIT
// hero_stance.h - the stance in which all clips except the gaits start and end.
#ifndef MODELS_HERO_STANCE_H
#define MODELS_HERO_STANCE_H

#include "curve.h"
#include "hero.h"

/// The parameters of the stationary clips, relative to the neutral stance.
typedef struct stance {
    vec3 hips; ///< shift
    sway pelvis, back, head;
    double left_swing, left_lift, left_turn, left_bend, left_roll, left_curl;
    double eyes_yaw, eyes_closed;
    reach sword;
    footing left, right;
    double knees_out; ///< radians
} stance;

stance stance_ready(void);
void take_stance(const stance *s, pose *p);

/// The target of the sword hand at one time of a clip.
typedef struct hand_key {
    double at;
    reach hand;
} hand_key;

/// Interpolates the hand between keys, each number on a curve of its own.
reach hand_at(const hand_key *keys, int count, double phase);

#endif
