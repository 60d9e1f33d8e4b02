// SPDX-License-Identifier: MIT
// Sync phases: a shared time axis for clips of different lengths. When a walk and a run blend, both put each foot down
// at the same moment.
//
// Markers with certain names, such as Foot_L and Foot_R, are a clip's sync markers. They divide the clip into sync
// intervals, each from one sync marker to the next. The last interval wraps around the loop to the first marker. A sync
// phase is the number of an interval plus the completed fraction of it. At phase 3.25, every clip is a quarter past the
// start of interval 3. At a whole phase n, every clip is at a marker with name number n modulo the number of names. A
// cycle is one pass through all of a clip's intervals.
//
// Times are clip seconds. They are doubles because they accumulate over frames. Nothing here allocates or fails.
#ifndef SINEWI_SYNC_PHASE_H
#define SINEWI_SYNC_PHASE_H

#include <sinew/clip.h>

#include "base/float_rules.h"

// Only a clip's first 64 markers can be sync markers.
#define SINEWI_MAX_SYNC_MARKERS 64

typedef struct sinewi_sync_intervals {
    uint64_t marker_bits; // bit i: an interval starts at the clip's marker i. 0: equal intervals from time 0.
    uint8_t count;        // intervals per cycle, at least 1
    uint8_t first_name;   // name index of the marker that starts the first interval
    uint8_t unused[6];    // 0
} sinewi_sync_intervals;

// Finds the intervals between markers with these names. The clip's sync markers must be at different times and repeat
// the names in the listed order, a whole number of times. They may start with any of the names. The start and the end
// of a loop count as the same time.
//
// Otherwise the whole clip is a single interval. This also applies if the clip has duration 0, has no sync markers, or
// has one after the 64th marker, because dropping it would give a wrong phase.
sinewi_sync_intervals sinewi_sync_find_intervals(const sinew_clip *clip, const char *const *names,
                                                 int32_t name_count);

// Divides a clip without sync markers into equal intervals, a multiple of name_count. Picks their number so the clip
// roughly keeps its own speed in a group that passes `intervals_a_second`. Does nothing if the clip has sync markers,
// or if intervals_a_second isn't above 0.
void sinewi_sync_divide(const sinew_clip *clip, sinewi_sync_intervals *intervals, double intervals_a_second,
                        int32_t name_count);

// Returns the phase at a time, in [first_name - 1, first_name + count]. Asserts that the time is in [0, duration]. A
// time before the first sync marker is in the previous cycle's last interval.
double sinewi_sync_phase_at_time(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double time);

// Returns the time at a phase, in [0, duration). The phase may be any finite number. 0 for a clip of duration 0.
double sinewi_sync_time_at_phase(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase);

// Returns the intervals per second at speed 1 in the interval that contains the phase. A whole phase starts its
// interval. 0 for a clip of duration 0.
double sinewi_sync_clip_rate(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase);

// Returns the clip's seconds from `phase` to phase + phase_delta, including loops. Negative if phase_delta is.
double sinewi_sync_seconds(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase,
                           double phase_delta);

// A clip that shares its phase with others.
typedef struct sinewi_sync_member {
    const sinew_clip *clip;
    sinewi_sync_intervals intervals;
    float weight; // at least 0
    float speed;  // a factor. Negative plays backward.
    double
        ahead; // clip's phase minus group's phase, a whole number. Cycles may have different numbers of intervals.
} sinewi_sync_member;

// Returns the group's intervals per second in the interval that contains the phase. It is the mean of speed × rate over
// the members, weighted by their weights. 0 if the weights sum to 0.
double sinewi_sync_rate(const sinewi_sync_member *members, int32_t count, double phase);

typedef struct sinewi_sync_motion {
    double phase_delta; // negative is backward
    double rate;        // intervals per second at the end
} sinewi_sync_motion;

// Advances a group from `phase` by `dt` seconds. Asserts that `dt` is finite and not negative. phase_delta is negative
// if the group plays backward. The rate is sinewi_sync_rate. It only changes at whole phases and is integrated exactly
// between them. So the result doesn't depend on how you divide time into frames, and a single clip keeps its own speed.
// Clips of duration 0 have no rate and follow the others. The phase stops if the weights sum to 0. It also stops at a
// whole phase where the group would turn back, which can happen if clips play in opposite directions.
//
// The work is bounded by two common cycles, however long `dt` is. A common cycle ends where all members' cycles end
// together. It is limited to 4096 intervals. Longer ones use the mean rate over these.
sinewi_sync_motion sinewi_sync_advance(const sinewi_sync_member *members, int32_t count, double phase, double dt);

#endif
