// SPDX-License-Identifier: MIT
// The tracks of a clip, what they may become, and what was chosen.
#ifndef OPTIMIZE_PLAN_H
#define OPTIMIZE_PLAN_H

#include "optimize/optimize.h"

// How the values of a track are stored.
typedef enum plan_coding {
    PLAN_QUATERNIONS, // 4 x 16 bits, by the quaternion filter; precision: 4 to 16 bits
    PLAN_FLOATS,      // multiples of 2^precision, by the exponential filter
    PLAN_EXACT        // floats as they are
} plan_coding;

// A selection of the keys of a track.
typedef struct plan_level {
    int32_t step;      // every step-th key and the last one; 0: the first and the last key with one value
    int32_t key_count; // kept
    double error;  // the largest difference at any authored key: radians for rotations, else in the track's unit
    double change; // the root mean square of the differences of neighbouring kept components
} plan_level;

enum { PLAN_MAX_LEVELS = 10 };

typedef struct plan_choice {
    int32_t level; // -1: dropped
    plan_coding coding;
    int precision;
} plan_choice;

typedef struct plan_track {
    int32_t channel; // of the animation in the model
    const ref_channel *source;
    plan_level levels[PLAN_MAX_LEVELS];
    int32_t level_count;
    double dropped_error; // difference from the rest pose, in the unit of `error`
    double largest;       // magnitude of any component
    double constant[4];   // the value of the constant level; of a translation, rotation or scale
    double weight;        // bytes for each square of a difference; set from the multipliers of the groups
    plan_choice choice;
    bool decoded;       // `result` is that of the choice
    ref_channel result; // as it will be read
    uint8_t *bytes;     // [elements x stride]: the values as the filter decodes them
    int32_t stride;
} plan_track;

// A group that a node moves.
typedef struct plan_effect {
    int32_t group;
    double reach; // the largest distance of its points from the node, in the rest pose
} plan_effect;

typedef struct plan {
    sinew_arena *arena;
    sinew_arena *values; // of encoded and decoded values: while a clip is chosen, one that is freed after it
    const optimize_def *def;
    const compare_body *body;
    double limit; // the largest displacement, in the unit of the file
    compare_measure measure;
    const int32_t *first_effect; // [nodes + 1]
    const plan_effect *effects;
    const double *scale_above; // [nodes]: that a translation is multiplied by, in the rest pose
    const double *own_scale;   // [nodes]: the smallest magnitude of the node's own scale
    double *multipliers;       // [groups]
    plan_track **tracks;       // [animations][channels]
    const bool *untouched;     // [animations]
    bool out_of_memory, too_long;
} plan;

// Lists the effects of all nodes.
bool plan_list_effects(plan *p);

// Reads the tracks of an animation: their levels and errors.
bool plan_read_tracks(plan *p, int32_t animation);

// Encodes and decodes the chosen values of a track. Returns false if memory runs out.
bool plan_encode(plan *p, plan_track *track);

// Chooses for every track of an animation, until the displacement is within the error.
bool plan_choose(plan *p, int32_t animation);

// The step of a quaternion component.
double plan_quaternion_step(int bits);

// Writes the file to `result`.
bool plan_write(plan *p, optimize_result *result);

#endif
