// Steps: which markers begin them, and the way between a clip's time and the beat that clips share.
#include "blend_space/steps.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ---- Which markers -------------------------------------------------------------------------------------------

static bool is_listed(const char *name, const char *const *names, int32_t name_count) {
    for (int32_t i = 0; i < name_count; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

// The name that a clip's first sync marker has; 0 where it has no sync marker.
static int32_t first_name(const sinew_clip *clip, const char *const *names, int32_t name_count) {
    for (int32_t m = 0; m < clip->marker_count; m++) {
        for (int32_t i = 0; i < name_count; i++) {
            if (strcmp(names[i], clip->markers[m].name) == 0) return i;
        }
    }
    return 0;
}

sinew_steps sinew_clip_steps(const sinew_clip *clip, const char *const *names, int32_t name_count) {
    const sinew_steps one = {0, 1, 0};
    if (name_count > SINEW_STEP_MARKERS || !(clip->duration > 0.0f)) return one;
    int32_t first = first_name(clip, names, name_count), count = 0;
    uint64_t marks = 0;
    float earliest = 0.0f, latest = -1.0f;
    for (int32_t m = 0; m < clip->marker_count; m++) {
        const sinew_marker *marker = &clip->markers[m];
        if (!is_listed(marker->name, names, name_count)) continue;
        bool in_order = strcmp(names[(first + count) % name_count], marker->name) == 0;
        if (!in_order || m >= SINEW_STEP_MARKERS || marker->time == latest) return one;
        if (count == 0) earliest = marker->time;
        latest = marker->time;
        marks |= (uint64_t)1 << m;
        count++;
    }
    bool ends_meet = earliest == 0.0f && latest == clip->duration;
    if (count == 0 || count % name_count != 0 || ends_meet) return one;
    return (sinew_steps){marks, (uint8_t)count, (uint8_t)first};
}

void sinew_steps_divide(const sinew_clip *clip, sinew_steps *steps, double beats_a_second, int32_t name_count) {
    if (steps->marks != 0 || name_count < 1 || !(beats_a_second > 0.0)) return;
    double rounds = floor((double)clip->duration * beats_a_second / name_count + 0.5);
    double most = floor(255.0 / name_count);
    if (!(rounds > 1.0)) rounds = 1.0;
    steps->count = (uint8_t)((rounds < most ? rounds : most) * name_count);
}

// ---- One clip ------------------------------------------------------------------------------------------------

// Where a step begins, the first being number 0. Without marks they are all of one length.
static double mark_time(const sinew_clip *clip, const sinew_steps *steps, int32_t number) {
    if (steps->marks == 0) return (double)clip->duration * number / steps->count;
    int32_t marker = 0;
    for (uint64_t marks = steps->marks; marks != 0; marks >>= 1, marker++) {
        if ((marks & 1) != 0 && number-- == 0) return (double)clip->markers[marker].time;
    }
    return 0.0;
}

typedef struct step {
    double start;
    double to_end; // from there to the end of the loop
    double length; // longer than that where it goes on over the end
} step;

static step step_of(const sinew_clip *clip, const sinew_steps *steps, int32_t number) {
    step s = {.start = mark_time(clip, steps, number)};
    s.to_end = (double)clip->duration - s.start;
    bool over_the_end = number + 1 == steps->count;
    s.length = over_the_end ? s.to_end + mark_time(clip, steps, 0) : mark_time(clip, steps, number + 1) - s.start;
    return s;
}

// The number of the step that a beat is in; `whole` is the beat without its fraction.
static int32_t step_number(const sinew_steps *steps, double whole) {
    double count = (double)steps->count, number = whole - (double)steps->first;
    number -= count * floor(number / count);
    return number > 0.0 && number < count ? (int32_t)number : 0; // past 2^53 a double knows no odd numbers
}

double sinew_steps_beat(const sinew_clip *clip, const sinew_steps *steps, double time) {
    assert(time >= 0.0 && time <= (double)clip->duration);
    if (!(clip->duration > 0.0f)) return 0.0;
    int32_t number = steps->count - 1;
    while (number >= 0 && mark_time(clip, steps, number) > time) number--;
    bool before_the_first = number < 0;
    step s = step_of(clip, steps, before_the_first ? steps->count - 1 : number);
    double elapsed = before_the_first ? time + s.to_end : time - s.start;
    return (double)(steps->first + number) + elapsed / s.length;
}

double sinew_steps_time(const sinew_clip *clip, const sinew_steps *steps, double beat) {
    assert(isfinite(beat));
    if (!(clip->duration > 0.0f)) return 0.0;
    double whole = floor(beat);
    step s = step_of(clip, steps, step_number(steps, whole));
    double elapsed = (beat - whole) * s.length;
    double time = elapsed < s.to_end ? s.start + elapsed : elapsed - s.to_end;
    return time < (double)clip->duration ? time : 0.0; // the sum may be rounded up to it
}

double sinew_steps_rate(const sinew_clip *clip, const sinew_steps *steps, double beat) {
    assert(isfinite(beat));
    if (!(clip->duration > 0.0f)) return 0.0;
    return 1.0 / step_of(clip, steps, step_number(steps, floor(beat))).length;
}

// The clip's seconds between two times, where so many beats, less than a round, are between them. Rounding must not make
// a round of nothing, nor nothing of a round.
static double seconds_between(double from, double to, double part_of_round, double duration) {
    const double hair = 1e-9 * duration;
    double seconds = to - from;
    if (part_of_round < 0.5) return seconds < -hair ? seconds + duration : fmax(seconds, 0.0);
    return seconds < hair ? seconds + duration : seconds;
}

double sinew_steps_seconds(const sinew_clip *clip, const sinew_steps *steps, double beat, double beats) {
    double duration = (double)clip->duration, count = (double)steps->count;
    double rounds = trunc(beats / count), rest = beats - rounds * count;
    double from = sinew_steps_time(clip, steps, beat), to = sinew_steps_time(clip, steps, beat + rest);
    double part = rest < 0.0 ? -seconds_between(to, from, -rest / count, duration)
                             : seconds_between(from, to, rest / count, duration);
    return rounds * duration + part;
}

// ---- Clips that share a beat ---------------------------------------------------------------------------------

#define LONGEST_ROUND 4096

// In the step that begins at a whole beat.
static double pace_in(const sinew_synced *synced, int32_t count, double whole) {
    double sum = 0.0, weights = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const sinew_synced *s = &synced[i];
        if (!(s->clip->duration > 0.0f)) continue;
        sum += (double)s->weight * (double)s->speed * sinew_steps_rate(s->clip, &s->steps, whole + s->ahead);
        weights += (double)s->weight;
    }
    return weights > 0.0 ? sum / weights : 0.0;
}

double sinew_steps_pace(const sinew_synced *synced, int32_t count, double beat) {
    return pace_in(synced, count, floor(beat));
}

// The least common multiple of the steps of their loops.
static int32_t round_of(const sinew_synced *synced, int32_t count) {
    int32_t round = 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t steps = synced[i].steps.count, multiple = round;
        while (multiple % steps != 0) multiple += round;
        if (multiple > LONGEST_ROUND) return LONGEST_ROUND;
        round = multiple;
    }
    return round;
}

// Goes on from a beat that is `left` from the end of the step that begins at `whole`. `direction` is 1 or -1.
static sinew_stride go_on(const sinew_synced *synced, int32_t count, double direction, double whole, double left,
                          double dt) {
    double gone = 0.0, time_of_round = 0.0;
    int32_t round = -1; // not known yet: few frames are longer than a step
    for (int32_t passed = 0;; passed++) {
        double pace = direction * pace_in(synced, count, whole);
        if (!(pace > 0.0)) return (sinew_stride){direction * gone, 0.0};
        double needed = left / pace;
        if (dt < needed) return (sinew_stride){direction * (gone + dt * pace), direction * pace};
        dt -= needed;
        gone += left;
        whole += direction;
        left = 1.0;

        if (round < 0) round = round_of(synced, count);
        if (passed > 0) time_of_round += needed; // the first step was not a whole one
        if (passed != round) continue;
        double rounds = floor(dt / time_of_round);
        gone += rounds * (double)round;
        dt -= rounds * time_of_round;
    }
}

sinew_stride sinew_steps_advance(const sinew_synced *synced, int32_t count, double beat, double dt) {
    assert(isfinite(beat) && dt >= 0.0 && isfinite(dt));
    double begun = floor(beat), before = ceil(beat) - 1.0; // the same, but at a whole beat
    if (pace_in(synced, count, begun) > 0.0) {
        return go_on(synced, count, 1.0, begun, begun + 1.0 - beat, dt);
    }
    return go_on(synced, count, -1.0, before, beat - before, dt);
}
