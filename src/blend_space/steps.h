// The steps of a clip, by which clips of different lengths keep pace: a walk and a run that blend put each foot
// down together.
//
// Some of a clip's markers, its sync markers, are known by name, such as Foot_L and Foot_R. A step is the stretch
// from one of them to the next, the last one over the end of the loop to the first. What clips share is a *beat*,
// the number of a step and how much of it is done: at beat 3.25 each of them is a quarter into the step after its
// own third. A beat that is a whole number n is the moment of the marker with the name n mod the number of names,
// in every clip.
//
// Times are seconds of the clip, in double, since they are added up frame by frame; nothing here allocates or
// fails.
#ifndef SINEW_STEPS_H
#define SINEW_STEPS_H

#include <sinew/clip.h>

#include "core/float_rules.h"

// The markers of a clip that can begin steps: the first ones.
#define SINEW_STEP_MARKERS 64

typedef struct sinew_steps {
    uint64_t marks; // bit i: the clip's marker i begins a step; 0: steps of one length, from time 0 on
    uint8_t count;  // steps in a loop, at least 1
    uint8_t first;  // which of the names the first step begins with
} sinew_steps;

// The steps that begin with markers of these names. Along the clip the names must follow each other as they are
// listed, round and round in whole rounds, from any of them on, at moments that differ (both ends of a loop are
// one). A clip in which they do not, or that has none of them, is one step; so is a clip of no duration, and one
// with such markers behind the 64th, because a phase that misses steps would be wrong.
sinew_steps sinew_clip_steps(const sinew_clip *clip, const char *const *names, int32_t name_count);

// Divides a clip that has no marks into steps, whole rounds of the names, so that it keeps about its own pace among clips
// that make so many beats a second. A clip with marks, and one among clips of no pace, stays as it is.
void sinew_steps_divide(const sinew_clip *clip, sinew_steps *steps, double beats_a_second, int32_t name_count);

// The beat of a time in [0, duration] (asserted), in [first - 1, first + count]. A time before the first mark is in
// the last step of the loop before.
double sinew_steps_beat(const sinew_clip *clip, const sinew_steps *steps, double time);

// The time in [0, duration) at which a clip has a beat, which may be any finite number; 0 in a clip of no duration.
double sinew_steps_time(const sinew_clip *clip, const sinew_steps *steps, double beat);

// Steps a second, at speed 1, in the step that a beat is in (a whole number is in the step that it begins); 0 in a
// clip of no duration.
double sinew_steps_rate(const sinew_clip *clip, const sinew_steps *steps, double beat);

// The seconds through which a clip goes from a beat on in so many beats, loops and all; negative where they are.
double sinew_steps_seconds(const sinew_clip *clip, const sinew_steps *steps, double beat, double beats);

// One of the clips that share a beat.
typedef struct sinew_synced {
    const sinew_clip *clip;
    sinew_steps steps;
    float weight; // 0 or more
    float speed;  // a factor; negative is backward
    double ahead; // whole beats by which it is ahead of the beat below: its loop may be of more steps than others'
} sinew_synced;

// Beats a second in the step that a beat is in: the mean below; 0 where the weights sum to 0.
double sinew_steps_pace(const sinew_synced *synced, int32_t count, double beat);

// How far clips go on, and how fast they are then.
typedef struct sinew_stride {
    double beats; // negative: back
    double pace;  // beats a second
} sinew_stride;

// How many beats the clips go on from `beat` in `dt` seconds (0 or more, finite: asserted), back where it is
// negative. Their pace is the mean of speed × rate by their weights. It changes at whole beats only, and is
// followed exactly from one to the next, so that it does not matter into how many frames a time is divided; and a
// lone clip goes at its own pace. Clips of no duration have none, and go with the others. Where the weights sum to
// 0 nothing moves, nor past a beat behind which the clips would turn back, as those that play in opposite
// directions may.
//
// However long the time, the work is at most that of two rounds; a round ends where all loops end at once. One that
// would be longer than 4096 beats is taken to be that long: past those, the pace of their mean is what counts.
sinew_stride sinew_steps_advance(const sinew_synced *synced, int32_t count, double beat, double dt);

#endif
