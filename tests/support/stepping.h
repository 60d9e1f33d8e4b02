// SPDX-License-Identifier: MIT
// Walking clips for tests of sync groups. Computes a clip's phase from its markers and its time.
#ifndef STEPPING_H
#define STEPPING_H

#include "support/check.h"

static const char *const feet[2] = {"L", "R"};

enum { MOST_STEPS = 8 };

// A clip that moves node `node` with x = t, so a pose tells its time. It has steps of these lengths, the first one at
// `start`. The feet come down in the order of, for example, "LRLR".
typedef struct stepping {
    const char *letters;
    double start;
    double lengths[MOST_STEPS];
} stepping;

static inline sinew_clip *make_stepping(const sinew_skeleton *skeleton, int32_t node, const stepping *s) {
    static char names[MOST_STEPS][2];
    sinew_marker markers[MOST_STEPS];
    int32_t count = (int32_t)strlen(s->letters);
    double at = s->start;
    for (int32_t i = 0; i < count; i++) {
        names[i][0] = s->letters[i];
        markers[i] = (sinew_marker){names[i], (float)at};
        at += s->lengths[i];
    }
    float duration = count > 0 ? (float)(at - s->start) : (float)s->lengths[0];
    float times[2] = {0, duration}, values[6] = {0, 0, 0, duration, 0, 0};
    sinew_channel_def channel = {node, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    sinew_clip_def def = sinew_clip_default();
    def.name = s->letters;
    def.skeleton = skeleton;
    def.channels = &channel;
    def.channel_count = 1;
    def.markers = markers;
    def.marker_count = count;
    sinew_clip *clip;
    sinew_error error = {0};
    if (sinew_clip_create(&def, &clip, &error) != SINEW_OK) fail_msg("%s", error.message);
    return clip;
}

// ---- Where a clip is in its steps ------------------------------------------------------------------------------

// The foot markers of a clip. Foot 0 is the left one.
static inline int32_t feet_of(const sinew_clip *clip, const char *const *names, double *times, int *foot) {
    int32_t count = 0;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        for (int n = 0; n < 2; n++) {
            if (strcmp(clip->markers[i].name, names[n]) != 0) continue;
            times[count] = clip->markers[i].time;
            foot[count++] = n;
        }
    }
    return count;
}

// The phase in [0, 2): the left foot comes down at 0, the right one at 1.
static inline double stride_at(const sinew_clip *clip, const char *const *names, double time) {
    double times[16] = {0}, duration = clip->duration;
    int foot[16] = {0};
    int32_t count = feet_of(clip, names, times, foot), last = count - 1;
    assert_true(count > 0);
    for (int32_t i = 0; i < count; i++) {
        if (times[i] <= time) last = i;
    }
    double start = times[last], end = times[last + 1 < count ? last + 1 : 0];
    if (time < times[0]) start -= duration;
    if (end <= start) end += duration;
    return foot[last] + (time - start) / (end - start);
}

// The distance between two phases, in steps.
static inline double apart(double a, double b) {
    return fabs(remainder(a - b, 2.0));
}

// The beat, from 0, of a clip that started at its first foot and has advanced this many of its own seconds.
static inline double steps_gone(const stepping *s, double seconds) {
    double duration = 0, gone;
    int32_t count = (int32_t)strlen(s->letters), i = 0;
    for (int32_t k = 0; k < count; k++) duration += s->lengths[k];
    gone = count * floor(seconds / duration);
    seconds -= duration * floor(seconds / duration);
    for (; i < count - 1 && seconds >= s->lengths[i]; i++) seconds -= s->lengths[i];
    return gone + i + seconds / s->lengths[i];
}

// ---- A mixer -------------------------------------------------------------------------------------------------

static inline sinew_mixer *make_stepping_mixer(const sinew_skeleton *skeleton, const char *const *names) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.sync_names = names;
    def.sync_name_count = 2;
    def.max_blend_spaces = 2;
    def.max_events = 256;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static inline sinew_play_def in_group(int32_t group) {
    sinew_play_def def = sinew_play_default();
    def.sync = group;
    return def;
}

#endif
