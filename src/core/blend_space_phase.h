// SPDX-License-Identifier: MIT
// Sync phases: a common time axis for clips of different lengths, so that a walk and a run that blend put each foot
// down at the same moment.
//
// Some of a clip's markers, its sync markers, are known by name, such as Foot_L and Foot_R. They divide the clip
// into sync intervals, each from one sync marker to the next; the last interval wraps over the end of the loop to
// the first marker. A sync phase is the number of an interval plus the completed fraction of it: at phase 3.25
// every clip is a quarter into its interval after the third. At a whole phase n every clip is at a marker whose
// name is number n modulo the number of names. A cycle is one pass through all intervals of a clip.
//
// Times are seconds of the clip, in double precision because they accumulate frame by frame. Nothing here allocates
// or fails.
#ifndef SINEWI_SYNC_PHASE_H
#define SINEWI_SYNC_PHASE_H

#include <sinew/clip.h>

#include "base/float_rules.h"

// Only the first 64 markers of a clip can be sync markers.
#define SINEWI_MAX_SYNC_MARKERS 64

typedef struct sinewi_sync_intervals {
    uint64_t
        marker_bits;    // bit i: an interval starts at the clip's marker i; 0: equal intervals, starting at time 0
    uint8_t count;      // intervals in a cycle, at least 1
    uint8_t first_name; // index of the name of the first interval's marker
    uint8_t unused[6];  // 0
} sinewi_sync_intervals;

// Finds the intervals that start at markers of these names. The clip's sync markers must repeat the names in the
// listed order, starting with any of them, a whole number of times, and at different times; the start and the end
// of a loop are the same time. Otherwise the whole clip is one interval. So is a clip of duration 0, a clip without
// sync markers, and a clip with a sync marker after the 64th marker, because a phase without that marker would be
// wrong.
sinewi_sync_intervals sinewi_sync_find_intervals(const sinew_clip *clip, const char *const *names,
                                                 int32_t name_count);

// Divides a clip without sync markers into equal intervals, a multiple of name_count of them, so that it keeps
// about its own speed in a group that passes `intervals_a_second`. Does nothing for a clip with sync markers, or if
// intervals_a_second is not above 0.
void sinewi_sync_divide(const sinew_clip *clip, sinewi_sync_intervals *intervals, double intervals_a_second,
                        int32_t name_count);

// The phase at a time in [0, duration] (asserted), in [first_name - 1, first_name + count]. A time before the first
// sync marker is in the last interval of the previous cycle.
double sinewi_sync_phase_at_time(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double time);

// The time in [0, duration) at a phase, which may be any finite number; 0 for a clip of duration 0.
double sinewi_sync_time_at_phase(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase);

// Intervals a second at speed 1, in the interval that contains the phase; a whole phase is in the interval that it
// starts. 0 for a clip of duration 0.
double sinewi_sync_clip_rate(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase);

// The clip's seconds from `phase` to phase + phase_delta, loops included; negative for a negative phase_delta.
double sinewi_sync_seconds(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase,
                           double phase_delta);

// A clip that shares its phase with others.
typedef struct sinewi_sync_member {
    const sinew_clip *clip;
    sinewi_sync_intervals intervals;
    float weight; // 0 or more
    float speed;  // a factor; negative plays backward
    double
        ahead; // the clip's phase minus the group's, a whole number: cycles may differ in their number of intervals
} sinewi_sync_member;

// The group's intervals a second in the interval that contains the phase: the mean of speed × rate of the members,
// by their weights; 0 if the weights sum to 0.
double sinewi_sync_rate(const sinewi_sync_member *members, int32_t count, double phase);

typedef struct sinewi_sync_motion {
    double phase_delta; // negative: backward
    double rate;        // intervals a second at the end
} sinewi_sync_motion;

// Advances a group from `phase` by `dt` seconds (0 or more, finite: asserted); phase_delta is negative if the group
// plays backward. The rate is that of sinewi_sync_rate. It changes at whole phases only and is integrated exactly
// from one to the next, so the result does not depend on how a time is divided into frames, and a single clip keeps
// its own speed. Clips of duration 0 have no rate and follow the others. The phase stops if the weights sum to 0,
// and at a whole phase where the group would turn back, as clips that play in opposite directions may.
//
// The work is at most that of two common cycles, however long `dt` is. A common cycle ends where the cycles of all
// members end together. It is cut to 4096 intervals; for a longer one the mean rate over those is used.
sinewi_sync_motion sinewi_sync_advance(const sinewi_sync_member *members, int32_t count, double phase, double dt);

#endif
