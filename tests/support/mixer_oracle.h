// SPDX-License-Identifier: MIT
// An independent model of a mixer, in double precision: from the calls alone it computes the pose that an even
// transition shows, and how far each virtual point may move in a frame.
//
// Its rules are those of docs/mixing.md ("The continuity contract"). It reads two facts from the mixer: the time of
// each action, after checking it against the action's speed, and which action was evicted.
#ifndef MIXER_ORACLE_H
#define MIXER_ORACLE_H

#include "support/pose_bounds.h"

#include <stdint.h>

enum { ORACLE_MAX_ENTRIES = 48, ORACLE_MAX_LAYERS = 4, ORACLE_MAX_CHOICES = 6 };

// A value that goes from one number to another along an easing curve.
typedef struct oracle_fade {
    double from, to, elapsed, duration; // duration 0: constant at `to`
    double slope;                       // a second, before it began
    int curve;
} oracle_fade;

// A pose and its morph weights.
typedef struct oracle_pose {
    local_transform *nodes; // [nodes]
    double *weights;        // [weights]
} oracle_pose;

// An action, or a held pose.
typedef struct oracle_entry {
    bool is_used;
    sinew_action handle;    // 0: a held pose
    const sinew_clip *clip; // NULL: a held pose
    int layer, curve, sync;
    uint32_t age;
    double full_weight; // with which it was played
    double target;      // the weight that was asked for
    oracle_fade weight; // from the weight that was asked for before to `target`
    oracle_fade share;  // proportion of its layer
    bool stops;         // after its fade
    bool is_evicted;    // a held pose that was an evicted action
    bool is_requested;  // scratch: its own fade was requested by the current call
    bool is_shown;      // by a step
    double speed;
    sinew_loop loop;
    float time, time_before;   // of the clip: now, and before the last frame
    oracle_pose was, next, is; // before a frame, LOOK_SECONDS later if nothing changed, and after it
    uint8_t *has_no_side;      // [nodes]: on which side its rotation is added is not known yet: see oracle_side.c
    local_motion
        *velocities[2]; // [nodes], of a held pose that is extrapolated: just before and just after its start
    int velocity;       // the one that the mixer took; -1: not known yet
    double
        moved; // of an action: the clip's seconds in the last frame; of a held pose: since its extrapolation started
    double arrival;        // the clip's seconds in the last frame; 0 if it finished before the end of that
    double moved_at_start; // the same at the rate of the frame's start
    double moved_at_end;   // of an action that has finished or turned in the last frame: as if it had before
    double rate;           // clip's seconds in a frame at the rate of now: see oracle_probe_rates
    double end_rate;       // the same as it was just after the last frame
    double arrival_rate;   // and just before its end: that of a clip that finishes there is not 0 yet
    double duration;       // of the extrapolation; 0: none
    double root[2], root_before[2]; // its root's velocity in the last two frames, metres a second
    double root_at_end[2];          // the same of its root's velocity
    double warp;                    // the largest factor of its speed, by a warp or a sync group
} oracle_entry;

typedef struct oracle_layer {
    oracle_fade strength;
    const sinew_mask *mask;
    bool additive;
    bool changes;           // weights were changed since the last frame
    double change_duration; // the longest of these changes
    int change_curve;
    bool *is_opposite;    // [nodes], of the layer's rotations and those below
    uint8_t *has_no_side; // [nodes]
} oracle_layer;

// The bounds of a node's points in a frame: what the clips move, the even share of transitions, and both together with
// the tolerance.
typedef struct point_bounds {
    double clips[NODE_POINTS], even[NODE_POINTS], sum[NODE_POINTS];
} point_bounds;

// The root's velocity in metres a second along x and z, and its bounds.
typedef struct oracle_root {
    int32_t node;                    // SINEW_NO_NODE: no root motion
    double shown[2];                 // of the mixer in the last frame
    double low[2], high[2];          // of all that contributed since the last transition started
    double change, largest;          // in the last frame, and the bound
    double slope;                    // of the transitions in the last frame
    double stop_duration, stop_left; // seconds in which it comes to rest when nothing plays
    bool is_outside;                 // slower or faster than all that contributed
} oracle_root;

// The offset of a node at the start of an inertialization: its difference, and its velocities just before and just after
// its start.
typedef struct offset_start {
    local_motion difference, velocities[2];
} offset_start;

// The same for each choice of the sides that the target pose has and that are not known, as bits.
typedef struct offset_options {
    const uint8_t *sides[ORACLE_MAX_CHOICES]; // identify the choices
    int count, taken;
    offset_start starts[1 << ORACLE_MAX_CHOICES];
} offset_options;

enum { ORACLE_STEPS = 4 }; // of a frame: clips, proportions, and two of an inertialization

typedef struct mixer_oracle {
    sinew_mixer *mixer;
    sinew_mixer *probe; // of the same definition, to look ahead
    void *snapshot;
    const sinew_skeleton *skeleton;
    pose_points points;
    bool fills_with_rest; // SINEW_UNDERWEIGHT_REST
    int layer_count;
    uint32_t ages;
    oracle_entry entries[ORACLE_MAX_ENTRIES];
    oracle_layer layers[ORACLE_MAX_LAYERS];
    oracle_pose rest;
    oracle_pose shown;                 // the pose of the last frame, with offsets
    oracle_pose base, base_after;      // the base's pose of the last frame, without offsets; scratch
    oracle_pose near[2], base_near[2]; // LOOK_SECONDS before and after, if no call were made
    oracle_pose seen;                  // the mixer's, of the last frame, if calls were made since
    oracle_pose clips_moved, shares_moved, with_offsets[2], result; // the steps of a frame
    offset_options *offsets;                                        // [nodes], of an inertialization
    int offset_velocity; // the one that the mixer took; -1: not known yet
    double *weight_offset, *weight_offset_velocity;
    double offset_elapsed, offset_duration;    // duration 0: none
    bool offset_is_new;                        // requested since the last frame
    bool *rest_is_opposite;                    // [nodes]
    uint8_t *rest_has_no_side;                 // [nodes]
    bool *is_covered, *weight_is_covered;      // [nodes], [weights], by layers above the base, before the calls
    bool has_ends;                             // the rates of the last frame's end are known
    bool has_near, is_anchored;                // `near` and `seen` are valid; `shown` is `seen`
    node_points *before, *after[ORACLE_STEPS]; // [nodes], of the steps of a frame
    point_bounds *bounds;                      // [nodes], of the last frame
    double *weight_bounds;                     // [weights]
    double dt;
    sinew_pose *pose;
    oracle_root root;
    const char *wrong;       // the first mistake of the mixer's times, or NULL
    bool lost_phase;         // an action did not start at its sync group's phase, or is not in phase
    int evictions, requests; // since the last frame
} mixer_oracle;

// Allocates once, for any number of mixers of a skeleton.
void oracle_create(mixer_oracle *o, const sinew_skeleton *skeleton);
void oracle_destroy(mixer_oracle *o);

// Starts over with a new mixer that has played `clip` at full weight for two frames of `dt`.
void oracle_begin(mixer_oracle *o, sinew_mixer *mixer, const sinew_mixer_def *def, const sinew_clip *clip,
                  sinew_action action, double dt);

// Ends what oracle_begin started.
void oracle_end(mixer_oracle *o);

// Calls, which are also made on the mixer. Durations of those that play must be greater than 0.
void oracle_transition(mixer_oracle *o, const sinew_clip *clip, const sinew_transition *transition,
                       const sinew_play_def *def);
void oracle_play(mixer_oracle *o, const sinew_clip *clip, const sinew_play_def *def);
void oracle_fade_to(mixer_oracle *o, oracle_entry *entry, float weight, float duration);
void oracle_fade_out(mixer_oracle *o, oracle_entry *entry, float duration);
void oracle_set_speed(mixer_oracle *o, oracle_entry *entry, float speed);
void oracle_layer_fade(mixer_oracle *o, int layer, float weight, float duration, sinew_curve curve);

// Changes that would be cuts, inertialized over `duration`.
void oracle_seek(mixer_oracle *o, oracle_entry *entry, float time, float duration);
void oracle_set_mask(mixer_oracle *o, int layer, const sinew_mask *mask, float duration);

// Returns the active action `number` modulo their count, or NULL.
oracle_entry *oracle_any(mixer_oracle *o, uint32_t number);

// Updates the mixer and the model, and computes `bounds`.
void oracle_step(mixer_oracle *o, float dt);

// Returns the largest angle in radians between two contributions of a node with at least 0.1 % of an override layer.
double oracle_apart(const mixer_oracle *o, int32_t node);

// Returns whether weights of a layer with several contributions do not sum to 1, so that weights divided by their sum do
// not move evenly.
bool oracle_is_uneven(const mixer_oracle *o);

// Returns whether an inertialization or an extrapolation is in progress.
bool oracle_keeps_velocity(const mixer_oracle *o);

#endif
