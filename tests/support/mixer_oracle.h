// What was asked of a mixer: a model of weights and of what takes part in the pose, told by the documentation and by the
// calls alone. It says where the mix is, and how far it may move in a frame.
//
// Of the mixer it takes where in its clip an action is, once that has been held against the speed that was asked for, and
// which action made room for another.
#ifndef MIXER_ORACLE_H
#define MIXER_ORACLE_H

#include "support/pose_bounds.h"

#include <stdint.h>

#define ORACLE_MAX_ACTIONS 16
#define ORACLE_LAYERS      2

// A clip, and how fast it moves each node: the largest change in a second of the clip.
typedef struct oracle_clip {
    const sinew_clip *clip;
    transform_bound *fastest; // [nodes]
} oracle_clip;

typedef struct oracle_fade {
    double from, to, elapsed, duration; // duration 0: it stands at `to`
    double slope;                       // of the one before it
    int curve;
} oracle_fade;

typedef struct oracle_action {
    sinew_action handle; // 0: there is none
    const oracle_clip *clip;
    int layer, curve;
    uint32_t age;
    oracle_fade weight;
    double full_weight;
    double speed, warp; // its speed and the most that this is multiplied with
    double speed_shown; // the one of the last frame
    bool stops;         // when its fade has ended
    bool is_shown;      // there was a frame since it was played
    float time;
    local *was, *is; // its pose before and after a frame
} oracle_action;

typedef struct oracle_layer {
    oracle_fade strength;
    const sinew_mask *mask;
    bool additive;
    oracle_fade held_weight;
    local *held;
    transform_bound *loose, *speed; // what is not known of the held pose, and how fast it goes on
    double moved, duration;         // since when, and for how long
} oracle_layer;

typedef struct mixer_oracle {
    sinew_mixer *mixer;
    const sinew_skeleton *skeleton;
    uint32_t ages;
    oracle_action actions[ORACLE_MAX_ACTIONS];
    oracle_layer layers[ORACLE_LAYERS];
    transform_bound *offset, *offset_speed; // an inertialization, at its start
    double offset_elapsed, offset_duration;
    sinew_pose *pose;
    change *nodes;                  // the last frame's
    transform_bound *moved, *loose; // of the shown pose, with its offsets
    local *before;                  // [nodes], for a while
    bool *is_regrouped;             // [nodes], since the last step: held with rotations that may go either way
    const char *wrong;              // what the mixer did that was not asked for; NULL as a rule
} mixer_oracle;

transform_bound *oracle_fastest(const sinew_clip *clip);

// Takes its memory once, for any mixers of a skeleton.
void oracle_create(mixer_oracle *a, const sinew_skeleton *skeleton);
void oracle_destroy(mixer_oracle *a);

// A new mixer, which plays this clip at full weight and has made its first step.
void oracle_begin(mixer_oracle *a, sinew_mixer *mixer, const oracle_clip *clip, sinew_action action);

// The calls, made on the mixer too. Those that play want a duration that is more than 0.
void oracle_transition(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *how,
                       const sinew_play_def *def);
void oracle_play(mixer_oracle *a, const oracle_clip *clip, const sinew_play_def *def);
void oracle_fade_to(mixer_oracle *a, oracle_action *action, double weight, float duration);
void oracle_fade_out(mixer_oracle *a, oracle_action *action, float duration);
void oracle_set_speed(mixer_oracle *a, oracle_action *action, float speed);
void oracle_layer_fade(mixer_oracle *a, int layer, float weight, float duration, sinew_curve curve);

// An action of the model that is there, any by any number; NULL where there is none.
oracle_action *oracle_any(mixer_oracle *a, uint32_t number);

// The step of the mixer, and of the model: what it may move is in `nodes`, `moved` and `loose` then.
void oracle_step(mixer_oracle *a, float dt);

// Whether an inertialization is under way, or a held pose goes on moving.
bool oracle_is_inertial(const mixer_oracle *a);

#endif
