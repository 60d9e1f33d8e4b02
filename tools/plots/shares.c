// SPDX-License-Identifier: MIT
// shares.c - a fade's proportions, and the side on which a rotation is added.
#include "plots/plots.h"

// Frames until a fade starts, in the fade, and in a plot.
enum { START = RATE / 5, FADE = 3 * RATE / 5, FRAMES = RATE };

static double seconds_at(int frame) {
    return (double)frame / RATE;
}

// Returns which fraction of the fade has passed.
static double part_at(int frame) {
    double part = (double)(frame - START) / FADE;
    return part > 1.0 ? 1.0 : part;
}

// ---- A fade to a clip of a small weight ----------------------------------------------------------------------

static const float small_weight = 0.1f;

typedef struct share_fade {
    series weights[2], angle;
} share_fade;

// Fades from low with weight 1 to high with weight 0.1.
static share_fade fade_to_small_weight(const stage *s) {
    share_fade out = {.angle.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action low = sinew_mixer_play(mixer, sinew_clip_source(s->low), NULL), high = {0};
    sinew_play_def play = sinew_play_default();
    play.weight = small_weight;
    for (int i = 0; i <= FRAMES; i++) {
        if (i == START) high = sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->high), 0.6f, &play);
        series_add(&out.weights[0], seconds_at(i), (double)sinew_action_weight(mixer, low));
        series_add(&out.weights[1], seconds_at(i), (double)sinew_action_weight(mixer, high));
        sinew_mixer_update(mixer, 0.0f);
        series_add(&out.angle, seconds_at(i), hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

// Plots the same weights, set by the program in each frame.
static series set_small_weight(const stage *s) {
    series angle = {.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action low = sinew_mixer_play(mixer, sinew_clip_source(s->low), NULL);
    sinew_action high = sinew_mixer_play(mixer, sinew_clip_source(s->high), NULL);
    for (int i = START; i <= START + FADE; i++) {
        sinew_action_set_weight(mixer, low, 1.0f - (float)part_at(i));
        sinew_action_set_weight(mixer, high, small_weight * (float)part_at(i));
        sinew_mixer_update(mixer, 0.0f);
        series_add(&angle, seconds_at(i), hinge_angle(mixer));
    }
    sinew_mixer_destroy(mixer);
    return angle;
}

void plot_fade_share(FILE *to, const stage *s) {
    const chart_axis seconds = {"seconds", 0.0, 1.0, 0.2};
    figure f;
    figure_begin(&f, to, "A fade over 0.6 s, from weight 1 to weight 0.1", (figure_layout){2, 1, 150.0, true});
    const share_fade ours = fade_to_small_weight(s);
    const series naive = set_small_weight(s);
    chart c = chart_begin(&f, seconds, (chart_axis){"weight", 0.0, 1.25, 0.25});
    chart_line(&c, "l0", &ours.weights[0], "low");
    chart_line(&c, "l1", &ours.weights[1], "high");
    c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", 0.0, 100.0, 20.0});
    chart_line(&c, "l5 dash", &naive, "by the weights");
    chart_line(&c, "l3", &ours.angle, "by even proportions");
    figure_end(&f);
}

// ---- A fade past half a turn ---------------------------------------------------------------------------------

// Where the second clip starts. 0.35 s later, it's half a turn from the first one.
static const float around_start = 0.85f;

// Adds an angle without jumping by a whole turn.
static void add_angle(series *s, int frame, double angle) {
    if (s->count > 0) {
        double before = s->points[s->count - 1].y;
        while (angle < before - 180.0) angle += 360.0;
        while (angle > before + 180.0) angle -= 360.0;
    }
    series_add(s, seconds_at(frame), angle);
}

static series fade_around(const stage *s) {
    series angle = {.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(s->low), NULL);
    sinew_play_def play = sinew_play_default();
    play.time = around_start;
    for (int i = 0; i <= FRAMES; i++) {
        if (i == START) sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->around), 0.6f, &play);
        sinew_mixer_update(mixer, 0.0f);
        add_angle(&angle, i, hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return angle;
}

// Returns the angle with the same weights and times in a new mixer, which chooses this frame's sides.
static double angle_anew(const stage *s, int frame) {
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_play_def low = sinew_play_default(), around = low;
    around.weight = (float)part_at(frame);
    low.weight = 1.0f - around.weight;
    around.time = around_start + (float)(frame - START) / RATE;
    if (around.time >= s->around->duration) around.time -= s->around->duration;
    sinew_mixer_play(mixer, sinew_clip_source(s->low), &low);
    sinew_mixer_play(mixer, sinew_clip_source(s->around), &around);
    sinew_mixer_update(mixer, 0.0f);
    double angle = hinge_angle(mixer);
    sinew_mixer_destroy(mixer);
    return angle;
}

void plot_fade_side(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "A fade over 0.6 s between clips that pass half a turn",
                 (figure_layout){1, 1, 200.0, false});
    const series ours = fade_around(s);
    series anew = {.count = 0};
    for (int i = START; i <= START + FADE; i++) add_angle(&anew, i, angle_anew(s, i));
    chart c =
        chart_begin(&f, (chart_axis){"seconds", 0.0, 1.0, 0.2}, (chart_axis){"joint, degrees", 0.0, 300.0, 60.0});
    chart_moment(&c, seconds_at(START), "from 0 degrees");
    chart_moment(&c, seconds_at(START) + 0.35, "180 apart");
    chart_line(&c, "l5 dash", &anew, "sides chosen in each frame");
    chart_line(&c, "l3", &ours, "sides chosen at the start");
    figure_end(&f);
}
