// SPDX-License-Identifier: MIT
// sync.c - walk and run during a fade: their playback rates, and the phase difference of the feet.
#include "plots/plots.h"

#include <math.h>

enum { FRAMES = 240, STARTS = 62 };

static const float fade = 0.8f;

// ---- Cycles --------------------------------------------------------------------------------------------------

// Returns an action's phase, from 0 to 1. In both clips, the left foot strikes at 0 and the right one at 1/2.
static double phase_of(const sinew_mixer *mixer, sinew_action action) {
    const sinew_clip *clip = sinew_action_get(mixer, action).clip;
    return clip ? (double)sinew_action_time(mixer, action) / (double)clip->duration : (double)NAN;
}

// Wraps a phase to -1/2 to 1/2.
static double around(double phase) {
    return phase - floor(phase + 0.5);
}

typedef struct measurement {
    series phase[2], cycles[2]; // walk and run; in cycles per second
    series gap;                 // the run's phase minus the walk's, in percent of a cycle
    series foot;                // the left foot's height in centimeters
    double most;                // the largest absolute gap
} measurement;

static void add_rate(series *s, double time, double before, double phase) {
    if (!isnan(before) && !isnan(phase)) series_add(s, time - 0.5 / RATE, around(phase - before) * RATE);
}

// Adds a phase. A new cycle interrupts the line.
static void add_phase(series *s, double time, double before, double phase) {
    if (phase < before) series_add(s, time, (double)NAN);
    series_add(s, time, phase);
}

static void add_gap(measurement *p, double time, double gap) {
    if (isnan(gap)) return;
    series_add(&p->gap, time, 100.0 * gap);
    p->most = fmax(p->most, 100.0 * fabs(gap));
}

static measurement walk_to_run(const stage *s, bool match_rate, int32_t sync) {
    measurement out = {.most = 0.0};
    const int32_t foot = hero_node(s->hero->skeleton, "Foot_L");
    static const char *const feet[2] = {"Foot_L", "Foot_R"};
    sinew_mixer_def def = hero_def(s);
    def.sync_names = feet;
    def.sync_name_count = 2;
    sinew_mixer *mixer = make_mixer(&def);
    sinew_play_def in_step = sinew_play_default();
    in_step.sync = sync;
    sinew_action actions[2] = {sinew_mixer_play(mixer, sinew_clip_source(s->walk), &in_step), {0}};
    double before[2] = {(double)NAN, (double)NAN};
    for (int i = 0; i <= FRAMES; i++) {
        sinew_transition transition = sinew_transition_default();
        transition.duration = fade;
        transition.match_rate = match_rate;
        if (i == STARTS)
            actions[1] = sinew_mixer_transition_to(mixer, sinew_clip_source(s->run), &transition, &in_step);
        double time = (double)i / RATE, phase[2];
        for (int k = 0; k < 2; k++) {
            phase[k] = phase_of(mixer, actions[k]);
            add_rate(&out.cycles[k], time, before[k], phase[k]);
            add_phase(&out.phase[k], time, before[k], phase[k]);
            before[k] = phase[k];
        }
        add_gap(&out, time, around(phase[1] - phase[0]));
        sinew_mixer_update(mixer, 0.0f);
        series_add(&out.foot, time, 100.0 * (double)sinew_mixer_model_matrices(mixer)[foot].m[1][3]);
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

// ---- The plots -----------------------------------------------------------------------------------------------

static const chart_axis seconds = {"seconds", 0.0, 2.0, 0.25};
static const double starts = (double)STARTS / RATE;

void plot_warp(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "From walk to run over 0.8 s, warped", (figure_layout){2, 1, 150.0, true});
    const measurement own = walk_to_run(s, false, 0), warped = walk_to_run(s, true, 0);
    chart c = chart_begin(&f, seconds, (chart_axis){"cycles per second", 0.8, 1.6, 0.2});
    chart_line(&c, "l0 wide", &warped.cycles[0], "walk");
    chart_line(&c, "l1", &warped.cycles[1], "run");
    chart_line(&c, "l0 dash", &own.cycles[0], "walk's own");
    chart_line(&c, "l1 dash", &own.cycles[1], "run's own");
    chart_moment(&c, starts, "starts");
    chart_moment(&c, starts + (double)fade, "ends");
    c = chart_begin(&f, seconds, (chart_axis){"phase", 0.0, 1.0, 0.25});
    chart_line(&c, "l0", &warped.phase[0], NULL);
    chart_line(&c, "l1", &warped.phase[1], NULL);
    chart_moment(&c, starts, "");
    chart_moment(&c, starts + (double)fade, "");
    figure_end(&f);
}

void plot_sync(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "From walk to run over 0.8 s, started in mid-step", (figure_layout){2, 1, 170.0, true});
    const measurement free = walk_to_run(s, false, 0), warped = walk_to_run(s, true, 0),
                      synced = walk_to_run(s, false, 1);
    char in_step[64];
    snprintf(in_step, sizeof in_step, "one group (at most %.5f %%)", synced.most);
    chart c = chart_begin(&f, seconds, (chart_axis){"feet apart, % of a cycle", -60.0, 60.0, 20.0});
    chart_line(&c, "l5", &free.gap, "neither");
    chart_line(&c, "l4", &warped.gap, "warped");
    chart_line(&c, "l2", &synced.gap, in_step);
    chart_moment(&c, starts, "starts");
    chart_moment(&c, starts + (double)fade, "ends");
    c = chart_begin(&f, seconds, (chart_axis){"left ankle, height in cm", 0.0, 60.0, 10.0});
    chart_line(&c, "l5", &free.foot, "neither");
    chart_line(&c, "l2", &synced.foot, "one group");
    chart_moment(&c, starts, "");
    chart_moment(&c, starts + (double)fade, "");
    figure_end(&f);
}
