// SPDX-License-Identifier: MIT
// fades.c - weights over time, and a joint's pose.
#include "plots/plots.h"

static const chart_axis weights = {"weight", 0.0, 1.25, 0.25};

static double now(int frame) {
    return (double)frame / RATE;
}

// Adds an action's weight, from its start to its end.
static void add_weight(series *s, int frame, const sinew_mixer *mixer, sinew_action action) {
    bool has_ended = !sinew_action_is_active(mixer, action);
    if (has_ended && (s->count == 0 || s->points[s->count - 1].y <= 0.0)) return;
    series_add(s, now(frame), (double)sinew_action_weight(mixer, action));
}

// ---- Curves --------------------------------------------------------------------------------------------------

static float ease_out(int32_t number, float u, void *user) {
    (void)number, (void)user;
    float left = 1.0f - u;
    return 1.0f - left * left * left;
}

static series fade_by(const stage *s, sinew_easing easing) {
    series line = {.count = 0};
    sinew_mixer_def def = hinge_def(s);
    def.easing = ease_out;
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(s->low), NULL);
    sinew_action comes = {0};
    for (int i = 0; i <= RATE; i++) {
        sinew_transition transition = sinew_transition_default();
        transition.duration = 0.6f;
        transition.easing = easing;
        if (i == RATE / 5) comes = sinew_mixer_transition_to(mixer, sinew_clip_source(s->high), &transition, NULL);
        series_add(&line, now(i), (double)sinew_action_weight(mixer, comes));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return line;
}

void plot_fade_curves(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "A clip fades in over 0.6 s, from 0.2 s on", (figure_layout){1, 1, 200.0, false});
    chart c = chart_begin(&f, (chart_axis){"seconds", 0.0, 1.0, 0.2}, weights);
    const series linear = fade_by(s, SINEW_EASING_LINEAR), smooth = fade_by(s, SINEW_EASING_SMOOTHSTEP);
    const series user = fade_by(s, SINEW_EASING_USER);
    chart_line(&c, "l0", &linear, "linear");
    chart_line(&c, "l1", &smooth, "smoothstep");
    chart_line(&c, "l2", &user, "the caller's: 1 - (1 - u)³");
    figure_end(&f);
}

// ---- Interrupted ---------------------------------------------------------------------------------------------

typedef struct interrupted {
    series weights[3], angle;
} interrupted;

// Fades from low to middle, and halfway to high. "Restarted" is a fade that always goes from 1 to 0.
static interrupted interrupt(const stage *s, bool anew) {
    interrupted out = {.angle.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action actions[3] = {sinew_mixer_play(mixer, sinew_clip_source(s->low), NULL), {0}, {0}};
    for (int i = 0; i <= 120; i++) {
        if (i == 24) actions[1] = sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->middle), 0.5f, NULL);
        if (i == 54 && anew) {
            sinew_action_stop(mixer, actions[0]);
            sinew_action_set_weight(mixer, actions[1], 1.0f);
        }
        if (i == 54) actions[2] = sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->high), 0.4f, NULL);
        for (int k = 0; k < 3; k++) add_weight(&out.weights[k], i, mixer, actions[k]);
        sinew_mixer_update(mixer, 0.0f);
        series_add(&out.angle, now(i), hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

void plot_fade_interrupted(FILE *to, const stage *s) {
    const chart_axis seconds = {"seconds", 0.0, 1.0, 0.2};
    figure f;
    figure_begin(&f, to, "A fade over 0.5 s, interrupted halfway", (figure_layout){2, 1, 150.0, true});
    const interrupted ours = interrupt(s, false), anew = interrupt(s, true);
    chart c = chart_begin(&f, seconds, weights);
    chart_line(&c, "l0 wide", &ours.weights[0], "low");
    chart_line(&c, "l1", &ours.weights[1], "middle");
    chart_line(&c, "l2", &ours.weights[2], "high");
    chart_moment(&c, 0.2, "to middle");
    chart_moment(&c, 0.45, "to high");
    c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", 0.0, 100.0, 20.0});
    chart_line(&c, "l5 dash", &anew.angle, "restarted from 1 and 0");
    chart_line(&c, "l3", &ours.angle, "from the current weights");
    figure_end(&f);
}

// ---- The last one fades out ----------------------------------------------------------------------------------

typedef struct held {
    series goes, comes, angle;
} held;

static held fade_out_and_in(const stage *s, float fade_in) {
    held out = {.angle.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action goes = sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL), comes = {0};
    for (int i = 0; i <= 216; i++) {
        if (i == 48) sinew_action_fade_out(mixer, goes, 0.3f);
        if (i == 120) comes = sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->flutter), fade_in, NULL);
        add_weight(&out.goes, i, mixer, goes);
        add_weight(&out.comes, i, mixer, comes);
        sinew_mixer_update(mixer, 0.0f);
        series_add(&out.angle, now(i), hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return out;
}

void plot_fade_held(FILE *to, const stage *s) {
    const chart_axis seconds = {"seconds", 0.0, 1.8, 0.2};
    figure f;
    figure_begin(&f, to, "The last clip fades out, and later another one in", (figure_layout){2, 1, 150.0, true});
    const held ours = fade_out_and_in(s, 0.4f), at_once = fade_out_and_in(s, 0.0f);
    chart c = chart_begin(&f, seconds, weights);
    chart_line(&c, "l0", &ours.goes, "swing");
    chart_line(&c, "l1", &ours.comes, "flutter");
    chart_moment(&c, 0.4, "fades out");
    chart_moment(&c, 0.7, "no action");
    chart_moment(&c, 1.0, "fades in");
    c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", -40.0, 80.0, 20.0});
    chart_line(&c, "l5 dash", &at_once.angle, "flutter alone, at once");
    chart_line(&c, "l3", &ours.angle, "pose");
    figure_end(&f);
}

// ---- Full mixer ----------------------------------------------------------------------------------------------

// Plays three clips, one after the other. `throw_away` stops the first one, like mixers that reuse a slot at once.
static series with_slots(const stage *s, int32_t slots, bool throw_away) {
    series angle = {.count = 0};
    sinew_mixer_def def = hinge_def(s);
    def.max_actions = slots;
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action first = sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL);
    for (int i = 0; i <= 144; i++) {
        if (i == 24) sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->flutter), 0.6f, NULL);
        if (i == 48 && throw_away) sinew_action_stop(mixer, first);
        if (i == 48) sinew_mixer_crossfade_to(mixer, sinew_clip_source(s->low), 0.5f, NULL);
        sinew_mixer_update(mixer, 0.0f);
        series_add(&angle, now(i), hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    return angle;
}

void plot_slots_full(FILE *to, const stage *s) {
    figure f;
    figure_begin(&f, to, "A third clip, in a mixer of two slots", (figure_layout){1, 1, 200.0, false});
    chart c =
        chart_begin(&f, (chart_axis){"seconds", 0.0, 1.2, 0.2}, (chart_axis){"joint, degrees", -20.0, 80.0, 20.0});
    const series ours = with_slots(s, 2, false), room = with_slots(s, 3, false), thrown = with_slots(s, 2, true);
    chart_moment(&c, 0.2, "to flutter");
    chart_moment(&c, 0.4, "to low");
    chart_line(&c, "l5 dash", &thrown, "stopped");
    chart_line(&c, "l0 wide", &room, "three slots");
    chart_line(&c, "l3", &ours, "inertialized");
    figure_end(&f);
}

// ---- One after the other -------------------------------------------------------------------------------------

void plot_chain(FILE *to, const stage *s) {
    series angle = {.count = 0}, swing = {.count = 0}, again = {.count = 0}, flutter = {.count = 0};
    sinew_mixer_def mixer_def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&mixer_def);
    sinew_transition there = sinew_transition_default(), back = sinew_transition_default();
    there.duration = 0.1f;
    back.duration = 0.25f;
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL);
    for (int i = 0; i <= 168; i++) {
        if (i == 36) {
            sinew_action action = sinew_mixer_transition_to(mixer, sinew_clip_source(s->flutter), &there, &once);
            sinew_action_queue_previous(mixer, action, &back);
        }
        add_weight(i < 60 ? &swing : &again, i, mixer,
                   sinew_mixer_find(mixer, sinew_clip_source(s->swing), SINEW_ALL_LAYERS));
        add_weight(&flutter, i, mixer, sinew_mixer_find(mixer, sinew_clip_source(s->flutter), SINEW_ALL_LAYERS));
        sinew_mixer_update(mixer, 0.0f);
        series_add(&angle, now(i), hinge_angle(mixer));
        step(mixer);
    }
    sinew_mixer_destroy(mixer);

    const chart_axis seconds = {"seconds", 0.0, 1.4, 0.2};
    figure f;
    figure_begin(&f, to, "Flutter once, 0.6 s long, and back to what was before",
                 (figure_layout){2, 1, 150.0, true});
    chart c = chart_begin(&f, seconds, weights);
    chart_line(&c, "l0", &swing, "swing");
    chart_line(&c, "l0", &again, NULL);
    chart_line(&c, "l1", &flutter, "flutter");
    chart_moment(&c, 0.3, "flutter");
    chart_moment(&c, 0.9, "its end");
    c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", -40.0, 80.0, 20.0});
    chart_line(&c, "l3", &angle, "pose");
    figure_end(&f);
}
