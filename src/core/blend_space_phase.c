// SPDX-License-Identifier: MIT
// Sync phases: finds a clip's sync intervals, converts between time and phase, and advances a group of clips.
//
// A phase counts sync intervals, so clips of different lengths stay in step (see core/blend_space_phase.h). Times are
// clip seconds. A rate is in intervals per second. A group has the clips that share a phase, its members. A cycle is
// one pass through all of a clip's intervals.
#include "core/blend_space_phase.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Finding intervals ---------------------------------------------------------------------------------------

// Returns whether a marker's name is one of the sync names.
static bool is_listed(const char *name, const char *const *names, int32_t name_count) {
    for (int32_t i = 0; i < name_count; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

// Returns the index of the first sync marker's name, or 0 if the clip doesn't have sync markers.
static int32_t index_of_first_name(const sinew_clip *clip, const char *const *names, int32_t name_count) {
    for (int32_t m = 0; m < clip->marker_count; m++) {
        for (int32_t i = 0; i < name_count; i++) {
            if (strcmp(names[i], clip->markers[m].name) == 0) return i;
        }
    }
    return 0;
}

// Marks the clip's sync markers. They must repeat the names in order, a whole number of times. Otherwise the clip is a
// single interval.
sinewi_sync_intervals sinewi_sync_find_intervals(const sinew_clip *clip, const char *const *names,
                                                 int32_t name_count) {
    const sinewi_sync_intervals one = {.count = 1};
    if (name_count > SINEWI_MAX_SYNC_MARKERS || !(clip->duration > 0.0f)) return one;
    int32_t first_name = index_of_first_name(clip, names, name_count), count = 0;
    uint64_t marker_bits = 0;
    float earliest = 0.0f, latest = -1.0f;
    for (int32_t m = 0; m < clip->marker_count; m++) {
        const sinew_marker *marker = &clip->markers[m];
        if (!is_listed(marker->name, names, name_count)) continue;
        bool in_order = strcmp(names[(first_name + count) % name_count], marker->name) == 0;
        if (!in_order || m >= SINEWI_MAX_SYNC_MARKERS || marker->time == latest) return one;
        if (count == 0) earliest = marker->time;
        latest = marker->time;
        marker_bits |= (uint64_t)1 << m;
        count++;
    }
    bool ends_meet = earliest == 0.0f && latest == clip->duration;
    if (count == 0 || count % name_count != 0 || ends_meet) return one;
    return (sinewi_sync_intervals){
        .marker_bits = marker_bits, .count = (uint8_t)count, .first_name = (uint8_t)first_name};
}

// Divides a clip without sync markers into equal intervals. Picks a number that roughly keeps the clip's own speed in
// the group.
void sinewi_sync_divide(const sinew_clip *clip, sinewi_sync_intervals *intervals, double intervals_a_second,
                        int32_t name_count) {
    if (intervals->marker_bits != 0 || name_count < 1 || !(intervals_a_second > 0.0)) return;
    double repeats = floor((double)clip->duration * intervals_a_second / name_count + 0.5);
    double most = floor(255.0 / name_count);
    if (!(repeats > 1.0)) repeats = 1.0;
    intervals->count = (uint8_t)((repeats < most ? repeats : most) * name_count);
}

// ---- Time and phase of one clip ------------------------------------------------------------------------------

// Returns the start time of interval `number`, counting from 0.
static double interval_start(const sinew_clip *clip, const sinewi_sync_intervals *intervals, int32_t number) {
    if (intervals->marker_bits == 0) return (double)clip->duration * number / intervals->count;
    int32_t marker = 0;
    for (uint64_t bits = intervals->marker_bits; bits != 0; bits >>= 1, marker++) {
        if ((bits & 1) != 0 && number-- == 0) return (double)clip->markers[marker].time;
    }
    return 0.0;
}

// All times are clip seconds.
typedef struct sync_interval {
    double start;
    double to_end; // from the start to the clip's end
    double length; // exceeds to_end if the interval wraps around the end
} sync_interval;

// Returns interval `number` of a clip, 0 to count - 1.
static sync_interval interval_at(const sinew_clip *clip, const sinewi_sync_intervals *intervals, int32_t number) {
    sync_interval s = {.start = interval_start(clip, intervals, number)};
    s.to_end = (double)clip->duration - s.start;
    bool wraps = number + 1 == intervals->count;
    s.length = wraps ? s.to_end + interval_start(clip, intervals, 0)
                     : interval_start(clip, intervals, number + 1) - s.start;
    return s;
}

// Returns the number of the interval that contains a phase, 0 to count - 1. `whole` is the phase without its fraction.
// A cycle starts at phase first_name, so at a whole phase all clips are at markers with the same name.
static int32_t interval_number(const sinewi_sync_intervals *intervals, double whole) {
    double count = (double)intervals->count, number = whole - (double)intervals->first_name;
    number -= count * floor(number / count);
    return number > 0.0 && number < count ? (int32_t)number : 0; // beyond 2^53, doubles skip odd numbers
}

// Returns the phase at a clip time in seconds. A time before the first sync marker is in the previous cycle's last
// interval.
double sinewi_sync_phase_at_time(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double time) {
    assert(time >= 0.0 && time <= (double)clip->duration);
    if (!(clip->duration > 0.0f)) return 0.0;
    int32_t number = intervals->count - 1;
    while (number >= 0 && interval_start(clip, intervals, number) > time) number--;
    bool before_the_first = number < 0;
    sync_interval s = interval_at(clip, intervals, before_the_first ? intervals->count - 1 : number);
    double elapsed = before_the_first ? time + s.to_end : time - s.start;
    return (double)(intervals->first_name + number) + elapsed / s.length;
}

// Returns the clip time at a phase, in seconds, in [0, duration).
double sinewi_sync_time_at_phase(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase) {
    assert(isfinite(phase));
    if (!(clip->duration > 0.0f)) return 0.0;
    double whole = floor(phase);
    sync_interval s = interval_at(clip, intervals, interval_number(intervals, whole));
    double elapsed = (phase - whole) * s.length;
    double time = elapsed < s.to_end ? s.start + elapsed : elapsed - s.to_end;
    return time < (double)clip->duration ? time : 0.0; // rounding can give the duration itself
}

// Returns the clip's intervals per second at speed 1.
double sinewi_sync_clip_rate(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase) {
    assert(isfinite(phase));
    if (!(clip->duration > 0.0f)) return 0.0;
    return 1.0 / interval_at(clip, intervals, interval_number(intervals, floor(phase))).length;
}

// Returns the seconds between two times that are `part_of_cycle` of a cycle apart, less than one cycle. The difference
// alone is ambiguous: rounding could turn 0 into a whole cycle, or the reverse. The part decides.
static double find_seconds_between(double from, double to, double part_of_cycle, double duration) {
    const double tolerance = 1e-9 * duration;
    double seconds = to - from;
    if (part_of_cycle < 0.5) return seconds < -tolerance ? seconds + duration : fmax(seconds, 0.0);
    return seconds < tolerance ? seconds + duration : seconds;
}

// Returns the clip's seconds from a phase to phase + phase_delta. Adds whole cycles, and the rest from the two times.
double sinewi_sync_seconds(const sinew_clip *clip, const sinewi_sync_intervals *intervals, double phase,
                           double phase_delta) {
    double duration = (double)clip->duration, count = (double)intervals->count;
    double cycles = trunc(phase_delta / count), rest = phase_delta - cycles * count;
    double from = sinewi_sync_time_at_phase(clip, intervals, phase);
    double to = sinewi_sync_time_at_phase(clip, intervals, phase + rest);
    double part = rest < 0.0 ? -find_seconds_between(to, from, -rest / count, duration)
                             : find_seconds_between(from, to, rest / count, duration);
    return cycles * duration + part;
}

// ---- Groups of clips -----------------------------------------------------------------------------------------

#define MAX_COMMON_CYCLE 4096 // intervals

// Returns the group's rate in the interval that starts at the phase `whole`. It is the mean of speed × rate, weighted
// by the members' weights. Negative if the group plays backward.
static double group_rate_at(const sinewi_sync_member *members, int32_t count, double whole) {
    double sum = 0.0, weights = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const sinewi_sync_member *m = &members[i];
        if (!(m->clip->duration > 0.0f)) continue;
        sum +=
            (double)m->weight * (double)m->speed * sinewi_sync_clip_rate(m->clip, &m->intervals, whole + m->ahead);
        weights += (double)m->weight;
    }
    return weights > 0.0 ? sum / weights : 0.0;
}

double sinewi_sync_rate(const sinewi_sync_member *members, int32_t count, double phase) {
    return group_rate_at(members, count, floor(phase));
}

// Returns the least common multiple of the members' interval counts, limited to MAX_COMMON_CYCLE.
static int32_t common_cycle(const sinewi_sync_member *members, int32_t count) {
    int32_t cycle = 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t intervals = members[i].intervals.count, multiple = cycle;
        while (multiple % intervals != 0) multiple += cycle;
        if (multiple > MAX_COMMON_CYCLE) return MAX_COMMON_CYCLE;
        cycle = multiple;
    }
    return cycle;
}

// Advances a group by dt seconds in one direction, 1 or -1. The interval starts at `whole`, and `remaining` intervals
// of it are left. The rate only changes at whole phases, so each interval is advanced at its own rate. Division skips
// whole common cycles.
static sinewi_sync_motion advance(const sinewi_sync_member *members, int32_t count, double direction, double whole,
                                  double remaining, double dt) {
    double advanced = 0.0, seconds_of_cycle = 0.0;
    int32_t cycle = -1; // computed on demand, because few frames are longer than an interval
    for (int32_t passed_intervals = 0;; passed_intervals++) {
        double rate = direction * group_rate_at(members, count, whole);
        if (!(rate > 0.0)) return (sinewi_sync_motion){direction * advanced, 0.0};
        double needed = remaining / rate;
        if (dt < needed) return (sinewi_sync_motion){direction * (advanced + dt * rate), direction * rate};
        dt -= needed;
        advanced += remaining;
        whole += direction;
        remaining = 1.0;

        if (cycle < 0) cycle = common_cycle(members, count);
        if (passed_intervals > 0) seconds_of_cycle += needed; // the first interval wasn't complete
        if (passed_intervals != cycle) continue;
        double cycles = floor(dt / seconds_of_cycle);
        advanced += cycles * (double)cycle;
        dt -= cycles * seconds_of_cycle;
    }
}

// A whole phase is on the border between two intervals. Tries the next one forward, then the previous one backward.
sinewi_sync_motion sinewi_sync_advance(const sinewi_sync_member *members, int32_t count, double phase, double dt) {
    assert(isfinite(phase) && dt >= 0.0 && isfinite(dt));
    double start = floor(phase), before = ceil(phase) - 1.0; // equal unless the phase is whole
    if (group_rate_at(members, count, start) > 0.0) {
        return advance(members, count, 1.0, start, start + 1.0 - phase, dt);
    }
    return advance(members, count, -1.0, before, phase - before, dt);
}
