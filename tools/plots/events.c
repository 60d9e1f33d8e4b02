// SPDX-License-Identifier: MIT
// events.c - a clip's time and its events, frame by frame and in one step.
#include "plots/plots.h"

#include <math.h>

static const double lasts = 2.5;

typedef struct playback {
    const char *label;
    float speed;
    sinew_loop loop;
    int32_t loop_count;
} playback;

static sinew_action start(sinew_mixer *mixer, const stage *s, const playback *w) {
    sinew_play_def def = sinew_play_default();
    def.speed = w->speed;
    def.loop = w->loop;
    def.loop_count = w->loop_count;
    return sinew_mixer_play(mixer, sinew_clip_source(s->walk), &def);
}

// Interrupts the line where the clip loops.
static series positions(const stage *s, const playback *w) {
    series line = {.count = 0};
    sinew_mixer_def def = hero_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action action = start(mixer, s, w);
    double before = (double)sinew_action_time(mixer, action);
    for (int i = 0; i <= (int)(lasts * RATE); i++) {
        double time = (double)sinew_action_time(mixer, action);
        if (fabs(time - before) > 0.5 * (double)s->walk->duration) series_add(&line, (double)i / RATE, (double)NAN);
        series_add(&line, (double)i / RATE, time);
        before = time;
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return line;
}

// Returns where to draw an event. The end of a loop is at the end of the clip that the action reached.
static double height_of(const sinew_event *event, const playback *w, int32_t loops_before) {
    if (event->type == SINEW_EVENT_MARKER) return (double)event->marker->time;
    bool forward = w->speed > 0.0f;
    if (w->loop == SINEW_LOOP_PING_PONG && loops_before % 2 == 1) forward = !forward;
    return forward ? (double)event->clip->duration : 0.0;
}

static const char *classes_of(const sinew_event *event) {
    if (event->type == SINEW_EVENT_MARKER) return "f0";
    return event->type == SINEW_EVENT_LOOPED ? "f1" : "f2";
}

// Draws large dots for ends, small ones for markers, which may overlap them, and rings for events in one step.
static void draw_events(const chart *c, const stage *s, const playback *w, int steps, bool ends) {
    sinew_mixer_def def = hero_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    start(mixer, s, w);
    int32_t loops = 0;
    for (int i = 0; i < steps; i++) {
        sinew_mixer_advance(mixer, (float)(lasts / steps));
        const sinew_events events = sinew_mixer_events(mixer);
        for (int32_t k = 0; k < events.count; k++) {
            bool is_end = events.items[k].type != SINEW_EVENT_MARKER;
            double time = lasts * (double)i / (double)steps + (double)events.items[k].moment;
            double height = height_of(&events.items[k], w, loops), radius = is_end ? 6.0 : 3.0;
            if (is_end) loops++;
            if (is_end != ends) continue;
            if (steps > 1) chart_dot(c, classes_of(&events.items[k]), time, height, radius);
            if (steps == 1) chart_dot(c, "ring l3", time, height, radius + 3.0);
        }
    }
    sinew_mixer_destroy(mixer);
}

void plot_events(FILE *to, const stage *s) {
    static const playback playbacks[] = {
        {"forward: time in the clip, s", 1.0f, SINEW_LOOP_REPEAT, SINEW_FOREVER},
        {"backward", -1.0f, SINEW_LOOP_REPEAT, SINEW_FOREVER},
        {"ping-pong, twice", 1.0f, SINEW_LOOP_PING_PONG, 2},
    };
    figure f;
    figure_begin(&f, to, "Walk, by frames of 1/60 s and in one step of 2.5 s", (figure_layout){3, 1, 96.0, true});
    for (int i = 0; i < 3; i++) {
        const chart_axis position = {playbacks[i].label, -0.2, 1.3, 0.5};
        chart c = chart_begin(&f, (chart_axis){"seconds", -0.1, lasts + 0.1, 0.5}, position);
        const series line = positions(s, &playbacks[i]);
        chart_line(&c, "l5", &line, NULL);
        for (int steps = 150; steps > 0; steps -= 149) {
            draw_events(&c, s, &playbacks[i], steps, true);
            draw_events(&c, s, &playbacks[i], steps, false);
        }
        if (i > 0) continue;
        chart_key_dot(&c, "f0", "marker");
        chart_key_dot(&c, "f1", "looped");
        chart_key_dot(&c, "f2", "finished");
        chart_key_dot(&c, "ring l3", "in one step");
    }
    figure_end(&f);
}
