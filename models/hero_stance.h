// hero_stance.h - the stance that all clips but the gaits begin and end in.
#ifndef MODELS_HERO_STANCE_H
#define MODELS_HERO_STANCE_H

#include "curve.h"
#include "hero.h"

/// Everything that the acts move, around the stance at rest.
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

/// Where the sword hand is at one moment of a clip.
typedef struct hand_key {
    double at;
    reach hand;
} hand_key;

/// The hand between its keys, each number on a curve of its own.
reach hand_at(const hand_key *keys, int count, double phase);

#endif
