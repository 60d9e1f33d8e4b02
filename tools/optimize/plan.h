// SPDX-License-Identifier: MIT
// A clip's tracks, what they may become, and what was chosen.
#ifndef OPTIMIZE_PLAN_H
#define OPTIMIZE_PLAN_H

#include "optimize/optimize.h"

// Keys that several tracks may keep.
typedef struct plan_timeline {
    int32_t *keys; // [key_count]
    int32_t key_count;
    bool closed; // no track may use it
    double loss; // what closing it costs, without its own bytes
} plan_timeline;

// How a track's values are stored.
typedef enum plan_coding {
    PLAN_QUATERNIONS, // 4 x 16 bits with the quaternion filter; precision is 4 to 16 bits
    PLAN_FLOATS,      // multiples of 2^precision with the exponential filter
    PLAN_EXACT        // unchanged floats
} plan_coding;

// A selection of a track's keys.
typedef struct plan_level {
    const int32_t *keys; // [key_count]; the authored keys to keep
    int32_t key_count;
    bool constant;    // the kept keys have one value: at the first, or at the first and last
    bool linear;      // lines between a spline's values
    int32_t timeline; // index into the plan's timelines; -1 for the track's own times
    double error;     // largest difference at any authored key: radians for rotations, otherwise the track's unit
} plan_level;

enum { PLAN_BUCKETS = 256 };

enum { PLAN_MAX_LEVELS = 12 }; // all keys, 8 timelines, lines through a spline's keys, 2 constants

typedef struct plan_choice {
    int32_t level; // -1 if dropped
    plan_coding coding;
    int precision;
    const struct plan_track *shared; // track in an earlier clip with the values to use; NULL for its own values
} plan_choice;

// What a choice costs, and how far it is from the track.
typedef struct plan_candidate {
    plan_choice choice;
    double bytes; // estimated, for values and JSON
    double error; // largest difference, in plan_level.error's unit
} plan_candidate;

typedef struct plan_track {
    int32_t channel; // in the model's animation
    const ref_channel *source;
    plan_level levels[PLAN_MAX_LEVELS];
    int32_t level_count;
    int32_t group;                    // tracks with the same times; -1 to keep all keys
    double dropped_error;             // difference from the rest pose, in the unit of `error`
    double largest;                   // largest magnitude of any component
    const plan_candidate *candidates; // none is both larger and worse than another
    int32_t candidate_count;
    double constant[4]; // the constant level's value, for translations, rotations and scales
    double weight;      // bytes per squared difference; set from the groups' multipliers
    plan_candidate chosen;
    struct plan_track *earlier;   // previous one in the same bucket of the plan
    bool decoded;                 // `result` belongs to the current choice
    ref_channel result;           // the track as it will be read
    const uint8_t *coded, *plain; // [elements × stride]; values before and after the filter
    int32_t stride;
} plan_track;

// A group that a node moves.
typedef struct plan_effect {
    int32_t group;
    double reach; // largest distance from the node to its points, in the rest pose
} plan_effect;

typedef struct plan {
    sinewi_arena *arena;
    sinewi_arena *values; // for encoded and decoded values; while a clip is chosen, freed after it
    const optimize_def *def;
    const compare_body *body;
    double limit; // largest displacement, in the file's unit
    double taken; // how much of it the meshes take
    compare_measure measure;
    const int32_t *first_effect; // [nodes + 1]
    const plan_effect *effects;
    const double *scale_above; // [nodes]; scale applied to a translation in the rest pose
    const double *own_scale;   // [nodes]; smallest magnitude of the node's own scale
    double *multipliers;       // [groups]
    double first_multiplier;   // the clip's
    plan_track **tracks;       // [animations][channels]
    plan_timeline *timelines;  // of the clip being chosen, group by group
    int32_t timeline_count, group_count;
    int32_t *first_timeline;           // [groups + 1]
    const bool *untouched;             // [animations]
    plan_track *buckets[PLAN_BUCKETS]; // tracks in earlier clips that have their own values
    bool avoids_fours;                 // use quaternions for rotations where possible
    double fours_gain;                 // bytes that four-float rotations save, without their stream's
    bool *limited;                     // [animations]; the limit on numbers ended the search
    bool no_effects;                   // there were too many
    bool out_of_memory;
} plan;

bool plan_list_effects(plan *p);

// Returns how far a difference of 1 in a track displaces an effect's points.
double plan_reach(const plan *p, const plan_track *track, const plan_effect *effect);

// Reads an animation's tracks with their levels and errors.
bool plan_read_tracks(plan *p, int32_t animation);

// Reads an animation's tracks and keeps all of their keys unchanged.
bool plan_read_exact(plan *p, int32_t animation);

// Keeps all of a track's keys unchanged.
void plan_choose_exact(plan_track *track);

bool plan_list_timelines(plan *p, plan_track *tracks, int32_t count);

// Returns the track's largest difference from the line between two of its keys. If it's above `limit`, returns any
// number above it.
double plan_line_error(const ref_channel *channel, int32_t from, int32_t to, double limit);

// Returns a track's largest difference from the lines between some of its keys.
double plan_reduction_error(const ref_channel *channel, const int32_t *keys, int32_t key_count);

// Encodes and decodes a track's chosen values. Returns false if memory runs out.
bool plan_encode(plan *p, plan_track *track);

// Remembers an animation's chosen values for later ones.
void plan_keep_values(plan *p, int32_t animation);

// Returns the remembered track whose values are nearest to a track's, with their error, or NULL if none is near.
const plan_track *plan_find_similar(plan *p, const plan_track *track, const plan_level *level, double *error);

// Returns the difference that displaces a track's points by half of what's allowed. Infinite if it has no points.
double plan_tolerance(const plan *p, const plan_track *track);

bool plan_list_candidates(plan *p, int32_t animation);

// Returns the difference between two values: an angle in radians for rotations, the largest one for weights, otherwise
// the length.
double plan_difference(const ref_channel *channel, const double *a, const double *b);

// How far the length of a written rotation may be from 1.
#define PLAN_UNIT 1e-6

// Returns how far a quaternion's length is from 1.
double plan_stretch(const double q[4]);

// Returns a key's value without its tangents.
const double *plan_value(const ref_channel *channel, int32_t key);

// Returns a candidate's shared timeline, or -1.
int32_t plan_timeline_of(const plan_track *track, const plan_candidate *candidate);

// Returns whether a candidate stores floats that could be quaternions.
bool plan_is_fours(const plan_track *track, const plan_candidate *candidate);

// Returns whether a choice keeps a track's first and last key.
bool plan_keeps_span(const plan_track *track, plan_choice choice);

// Estimates the size of elements in a compressed stream.
double plan_codec_bytes(const uint8_t *bytes, int32_t count, int32_t stride);

// Chooses for all of an animation's tracks until the displacement is within the error or the limit on numbers is
// reached. `times` is how many key times the animation has.
bool plan_choose(plan *p, int32_t animation, int32_t times);

// Writes the file to `result`.
bool plan_write(plan *p, optimize_result *result);

#endif
