// What was asked of a mixer: a model of weights and of what takes part in the pose, told by the documentation and by the
// calls alone. It says where the mix is, and how far it may move in a frame.
//
// Of the mixer it takes where in its clip an action is, once that has been held against the speed that was asked for, and
// which action made room for another.
#ifndef ASKED_H
#define ASKED_H

#include "support/pose_bounds.h"

#include <stdint.h>

#define ASKED_MOST_ACTIONS 16
#define ASKED_LAYERS       2

// A clip, and how fast it moves each node: the largest change in a second of the clip.
typedef struct asked_clip {
    const sinew_clip *clip;
    span *fastest; // [nodes]
} asked_clip;

typedef struct asked_fade {
    double from, to, elapsed, duration; // duration 0: it stands at `to`
    double slope;                       // of the one before it
    int curve;
} asked_fade;

typedef struct asked_action {
    sinew_action handle; // 0: there is none
    const asked_clip *clip;
    int layer, curve;
    uint32_t age;
    asked_fade weight;
    double full_weight;
    double speed, warp; // its speed and the most that this is multiplied with
    double speed_shown; // the one of the last frame
    bool stops;         // when its fade has ended
    bool is_shown;      // there was a frame since it was played
    float time;
    local *was, *is; // its pose before and after a frame
} asked_action;

typedef struct asked_layer {
    asked_fade strength;
    const sinew_mask *mask;
    bool additive;
    asked_fade held_weight;
    local *held;
    span *loose, *speed;    // what is not known of the held pose, and how fast it goes on
    double moved, duration; // since when, and for how long
} asked_layer;

typedef struct asked {
    sinew_mixer *mixer;
    const sinew_skeleton *skeleton;
    uint32_t ages;
    asked_action actions[ASKED_MOST_ACTIONS];
    asked_layer layers[ASKED_LAYERS];
    span *offset, *offset_speed; // an inertialization, at its start
    double offset_elapsed, offset_duration;
    sinew_pose *pose;
    change *nodes;       // the last frame's
    span *moved, *loose; // of the shown pose, with its offsets
    local *before;       // [nodes], for a while
    bool *is_regrouped;  // [nodes], since the last step: held with rotations that may go either way
    const char *wrong;   // what the mixer did that was not asked for; NULL as a rule
} asked;

span *asked_fastest(const sinew_clip *clip);

// Takes its memory once, for any mixers of a skeleton.
void asked_create(asked *a, const sinew_skeleton *skeleton);
void asked_destroy(asked *a);

// A new mixer, which plays this clip at full weight and has made its first step.
void asked_begin(asked *a, sinew_mixer *mixer, const asked_clip *clip, sinew_action action);

// The calls, made on the mixer too. Those that play want a duration that is more than 0.
void asked_transition(asked *a, const asked_clip *clip, const sinew_transition *how, const sinew_play_def *def);
void asked_play(asked *a, const asked_clip *clip, const sinew_play_def *def);
void asked_fade_to(asked *a, asked_action *action, double weight, float duration);
void asked_fade_out(asked *a, asked_action *action, float duration);
void asked_set_speed(asked *a, asked_action *action, float speed);
void asked_layer_fade(asked *a, int layer, float weight, float duration, sinew_curve curve);

// An action of the model that is there, any by any number; NULL where there is none.
asked_action *asked_any(asked *a, uint32_t number);

// The step of the mixer, and of the model: what it may move is in `nodes`, `moved` and `loose` then.
void asked_step(asked *a, float dt);

// Whether an inertialization is under way, or a held pose goes on moving.
bool asked_is_inertial(const asked *a);

#endif
