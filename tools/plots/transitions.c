// SPDX-License-Identifier: MIT
// transitions.c - one joint with fades, inertialization and dead blending.
#include "plots/plots.h"

// The number of frames, and the frames when the clip changes.
enum { FRAMES = 180, FIRST = 60, SECOND = 78 };

typedef struct joint {
    series angle, velocity;
} joint;

// Adds a frame. A velocity between two frames is plotted at the time in between.
static void add_frame(joint *j, int frame, double angle) {
    double time = (double)frame / RATE;
    if (frame > 0) {
        double before = j->angle.points[frame - 1].y;
        series_add(&j->velocity, time - 0.5 / RATE, (angle - before) * RATE);
    }
    series_add(&j->angle, time, angle);
}

// Changes from the swing, at its fastest, to the flutter. `twice` interrupts that with a transition to low.
static joint change(const stage *s, sinew_transition_kind kind, sinew_easing easing, bool twice) {
    joint out = {.angle.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL);
    sinew_transition transition = sinew_transition_default();
    transition.kind = kind;
    transition.duration = 0.4f;
    transition.easing = easing;
    for (int i = 0; i <= FRAMES; i++) {
        if (i == FIRST) sinew_mixer_transition_to(mixer, sinew_clip_source(s->flutter), &transition, NULL);
        if (i == SECOND && twice) sinew_mixer_transition_to(mixer, sinew_clip_source(s->low), &transition, NULL);
        sinew_mixer_update(mixer, 0.0f);
        add_frame(&out, i, hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

static void draw_three(figure *f, const stage *s, bool twice, double most, const char *second) {
    const joint fade = change(s, SINEW_TRANSITION_FADE, SINEW_EASING_LINEAR, twice);
    const joint inert = change(s, SINEW_TRANSITION_INERTIALIZE, SINEW_EASING_LINEAR, twice);
    const joint dead = change(s, SINEW_TRANSITION_DEAD_BLEND, SINEW_EASING_SMOOTHSTEP, twice);
    const chart_axis seconds = {"seconds", 0.0, 1.5, 0.25};
    const double moments[2] = {(double)FIRST / RATE, twice ? (double)SECOND / RATE : 0.9};
    chart c = chart_begin(f, seconds, (chart_axis){"joint, degrees", -20.0, most, 20.0});
    for (int i = 0; i < 2; i++) chart_moment(&c, moments[i], "");
    chart_line(&c, "l0", &fade.angle, "linear fade");
    chart_line(&c, "l1", &inert.angle, "inertialized");
    chart_line(&c, "l2", &dead.angle, "dead-blended by smoothstep");
    c = chart_begin(f, seconds, (chart_axis){"degrees per second", -300.0, 550.0, 100.0});
    chart_line(&c, "l0", &fade.velocity, NULL);
    chart_line(&c, "l1", &inert.velocity, NULL);
    chart_line(&c, "l2", &dead.velocity, NULL);
    chart_moment(&c, moments[0], "to flutter");
    chart_moment(&c, moments[1], second);
}

void plot_transitions(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "From one swing to another over 0.4 s, by three kinds of transition",
                 (figure_layout){2, 1, 190.0, true});
    draw_three(&f, s, false, 80.0, "ends");
    figure_end(&f);
}

void plot_transition_interrupted(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "A transition interrupted after 0.15 s of 0.4 s", (figure_layout){2, 1, 180.0, true});
    draw_three(&f, s, true, 60.0, "to low");
    figure_end(&f);
}
