// SPDX-License-Identifier: MIT
// An independent model of a mixer: from the documentation and the calls alone it computes the blended pose and how
// far each node may move in a frame.
//
// It reads two facts from the mixer: the time of each action, after checking it against the action's speed, and
// which action was evicted.
#ifndef MIXER_ORACLE_H
#define MIXER_ORACLE_H

#include "support/pose_bounds.h"

#include <stdint.h>

#define ORACLE_MAX_ACTIONS 16
#define ORACLE_LAYERS      2

// A clip and the largest motion of each node per second of the clip.
typedef struct oracle_clip {
    const sinew_clip *clip;
    transform_bound *max_speed; // [nodes]
} oracle_clip;

typedef struct oracle_fade {
    double from, to, elapsed, duration; // duration 0: constant at `to`
    double slope;                       // per second, of the fade before it
    int curve;
} oracle_fade;

typedef struct oracle_action {
    sinew_action handle; // 0: the slot is free
    const oracle_clip *clip;
    int layer, curve;
    uint32_t age;
    oracle_fade weight;
    double full_weight;
    double speed, warp; // playback rate, and the largest factor of a warp
    double speed_shown; // the speed in the last frame
    bool stops;         // after its fade
    bool is_shown;      // a frame was shown since it was played
    float time;
    local_transform *was, *is; // [nodes], its pose before and after a frame
} oracle_action;

typedef struct oracle_layer {
    oracle_fade strength;
    const sinew_mask *mask;
    bool additive;
    oracle_fade held_weight;
    local_transform *held;
    transform_bound *uncertainty, *speed; // of the held pose, and its velocity
    double moved, duration;               // seconds since the extrapolation started, and its length
} oracle_layer;

typedef struct mixer_oracle {
    sinew_mixer *mixer;
    const sinew_skeleton *skeleton;
    uint32_t ages;
    oracle_action actions[ORACLE_MAX_ACTIONS];
    oracle_layer layers[ORACLE_LAYERS];
    transform_bound *offset, *offset_speed; // of an inertialization, at its start
    double offset_elapsed, offset_duration;
    sinew_pose *pose;
    blend_change *nodes;                  // [nodes], in the last frame
    transform_bound *moved, *uncertainty; // [nodes], of the current pose with its offsets
    local_transform *before;              // [nodes], scratch
    bool *is_regrouped;                   // [nodes], held since the last step, with rotations of ambiguous sign
    const char *wrong;                    // the first mistake of the mixer, or NULL
} mixer_oracle;

transform_bound *oracle_max_speed(const sinew_clip *clip);

// Allocates once, for any number of mixers of a skeleton.
void oracle_create(mixer_oracle *a, const sinew_skeleton *skeleton);
void oracle_destroy(mixer_oracle *a);

// Starts over with a new mixer, which plays this clip at full weight and has been updated once.
void oracle_begin(mixer_oracle *a, sinew_mixer *mixer, const oracle_clip *clip, sinew_action action);

// Calls, which are also made on the mixer. Durations of those that play must be greater than 0.
void oracle_transition(mixer_oracle *a, const oracle_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def);
void oracle_play(mixer_oracle *a, const oracle_clip *clip, const sinew_play_def *def);
void oracle_fade_to(mixer_oracle *a, oracle_action *action, double weight, float duration);
void oracle_fade_out(mixer_oracle *a, oracle_action *action, float duration);
void oracle_set_speed(mixer_oracle *a, oracle_action *action, float speed);
void oracle_layer_fade(mixer_oracle *a, int layer, float weight, float duration, sinew_curve curve);

// Returns the active action `number` modulo their count, or NULL.
oracle_action *oracle_any(mixer_oracle *a, uint32_t number);

// Updates the mixer and the model. `nodes`, `moved` and `uncertainty` are the motion allowed in this frame.
void oracle_step(mixer_oracle *a, float dt);

// Returns whether an inertialization or an extrapolation is in progress.
bool oracle_is_inertial(const mixer_oracle *a);

#endif
