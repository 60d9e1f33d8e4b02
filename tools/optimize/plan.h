// SPDX-License-Identifier: MIT
// The tracks of a clip, what they may become, and what was chosen.
#ifndef OPTIMIZE_PLAN_H
#define OPTIMIZE_PLAN_H

#include "optimize/optimize.h"

// Keys that several tracks may keep.
typedef struct plan_timeline {
    int32_t *keys; // [key_count]
    int32_t key_count;
    bool closed; // no track keeps them
    double loss; // what it costs to close it, without its own bytes
} plan_timeline;

// How the values of a track are stored.
typedef enum plan_coding {
    PLAN_QUATERNIONS, // 4 x 16 bits, by the quaternion filter; precision: 4 to 16 bits
    PLAN_FLOATS,      // multiples of 2^precision, by the exponential filter
    PLAN_EXACT        // floats as they are
} plan_coding;

// A selection of the keys of a track.
typedef struct plan_level {
    const int32_t *keys; // [key_count]: the authored keys that are kept
    int32_t key_count;
    bool constant;    // one value at the kept keys: the first, or the first and the last
    bool linear;      // lines between the values of a spline
    int32_t timeline; // of the plan; -1: the track's own times
    double error;     // the largest difference at any authored key: radians for rotations, else in the track's unit
} plan_level;

enum { PLAN_BUCKETS = 256 };

enum { PLAN_MAX_LEVELS = 12 }; // all keys, 8 timelines, lines through a spline's keys, 2 constants

typedef struct plan_choice {
    int32_t level; // -1: dropped
    plan_coding coding;
    int precision;
    const struct plan_track *shared; // of an earlier clip, whose values it has; NULL: its own
} plan_choice;

// What a choice costs, and how far it is from the track.
typedef struct plan_candidate {
    plan_choice choice;
    double bytes; // estimated: of values and of JSON
    double error; // the largest difference, in the unit of plan_level.error
} plan_candidate;

typedef struct plan_track {
    int32_t channel; // of the animation in the model
    const ref_channel *source;
    plan_level levels[PLAN_MAX_LEVELS];
    int32_t level_count;
    int32_t group;                    // of tracks with the same times; -1: all keys are kept
    double dropped_error;             // difference from the rest pose, in the unit of `error`
    double largest;                   // magnitude of any component
    const plan_candidate *candidates; // none is both larger and worse than another
    int32_t candidate_count;
    double constant[4]; // the value of the constant level; of a translation, rotation or scale
    double weight;      // bytes for each square of a difference; set from the multipliers of the groups
    plan_candidate chosen;
    struct plan_track *earlier;   // in the same bucket of the plan
    bool decoded;                 // `result` is that of the choice
    ref_channel result;           // as it will be read
    const uint8_t *coded, *plain; // [elements × stride]: the values before and after the filter
    int32_t stride;
} plan_track;

// A group that a node moves.
typedef struct plan_effect {
    int32_t group;
    double reach; // the largest distance of its points from the node, in the rest pose
} plan_effect;

typedef struct plan {
    sinewi_arena *arena;
    sinewi_arena *values; // of encoded and decoded values: while a clip is chosen, one that is freed after it
    const optimize_def *def;
    const compare_body *body;
    double limit; // the largest displacement, in the unit of the file
    double taken; // of it by the meshes
    compare_measure measure;
    const int32_t *first_effect; // [nodes + 1]
    const plan_effect *effects;
    const double *scale_above; // [nodes]: that a translation is multiplied by, in the rest pose
    const double *own_scale;   // [nodes]: the smallest magnitude of the node's own scale
    double *multipliers;       // [groups]
    double first_multiplier;   // of the clip
    plan_track **tracks;       // [animations][channels]
    plan_timeline *timelines;  // of the clip that is chosen, group by group
    int32_t timeline_count, group_count;
    int32_t *first_timeline;           // [groups + 1]
    const bool *untouched;             // [animations]
    plan_track *buckets[PLAN_BUCKETS]; // of earlier clips, with values of their own
    bool avoids_fours;                 // rotations are quaternions where they may be
    double fours_gain;                 // bytes that rotations of four floats save, without those of their stream
    bool *limited;                     // [animations]: the limit of numbers ended the search
    bool no_effects;                   // they were too many
    bool out_of_memory;
} plan;

// Lists the effects of all nodes.
bool plan_list_effects(plan *p);

// How far a difference of 1 in a track displaces the points of an effect.
double plan_reach(const plan *p, const plan_track *track, const plan_effect *effect);

// Reads the tracks of an animation: their levels and errors.
bool plan_read_tracks(plan *p, int32_t animation);

// Reads the tracks of an animation, and keeps all of their keys as they are.
bool plan_read_exact(plan *p, int32_t animation);

// Keeps all keys of a track as they are.
void plan_choose_exact(plan_track *track);

// Lists the timelines of the tracks of an animation.
bool plan_list_timelines(plan *p, plan_track *tracks, int32_t count);

// The largest difference of a track from the line between two of its keys; any number above a limit if it is larger.
double plan_line_error(const ref_channel *channel, int32_t from, int32_t to, double limit);

// The largest difference of a track from the lines between some of its keys.
double plan_reduction_error(const ref_channel *channel, const int32_t *keys, int32_t key_count);

// Encodes and decodes the chosen values of a track. Returns false if memory runs out.
bool plan_encode(plan *p, plan_track *track);

// Notes the chosen values of an animation for later ones.
void plan_keep_values(plan *p, int32_t animation);

// Returns the noted track whose values are nearest to those of a track, with their error; NULL: none is near.
const plan_track *plan_find_similar(plan *p, const plan_track *track, const plan_level *level, double *error);

// The difference that displaces the points of a track by half of what is allowed; infinite if it has none.
double plan_tolerance(const plan *p, const plan_track *track);

// Lists the candidates of all tracks of an animation.
bool plan_list_candidates(plan *p, int32_t animation);

// The difference of two values: the angle of rotations in radians, else the length; of weights the largest.
double plan_difference(const ref_channel *channel, const double *a, const double *b);

// The largest difference of the length of a rotation from 1 that is written.
#define PLAN_UNIT 1e-6

// How far the length of a quaternion is from 1.
double plan_stretch(const double q[4]);

// The value of a key, without its tangents.
const double *plan_value(const ref_channel *channel, int32_t key);

// The shared timeline of a candidate; -1: none.
int32_t plan_timeline_of(const plan_track *track, const plan_candidate *candidate);

// Whether a candidate stores as floats what may be quaternions.
bool plan_is_fours(const plan_track *track, const plan_candidate *candidate);

// Whether a choice keeps the first and the last key of a track.
bool plan_keeps_span(const plan_track *track, plan_choice choice);

// Estimates the bytes of elements in a compressed stream.
double plan_codec_bytes(const uint8_t *bytes, int32_t count, int32_t stride);

// Chooses for every track of an animation, which has so many key times, until the displacement is within the error or the
// limit of numbers is reached.
bool plan_choose(plan *p, int32_t animation, int32_t times);

// Writes the file to `result`.
bool plan_write(plan *p, optimize_result *result);

#endif
