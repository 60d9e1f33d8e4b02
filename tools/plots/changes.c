// SPDX-License-Identifier: MIT
// changes.c - pose changes that aren't transitions, smoothed with an inertialization.
#include "plots/plots.h"

// The number of frames, and the frame with the change.
enum { FRAMES = RATE, CHANGE = 2 * RATE / 5 };

static const float duration = 0.3f;

// Seeks from 0.4 s to 0.85 s in the swing.
static series seek(const stage *s, bool smooth) {
    series angle = {.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action swing = sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL);
    for (int i = 0; i <= FRAMES; i++) {
        if (i == CHANGE && smooth) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, duration);
        if (i == CHANGE) sinew_action_set_time(mixer, swing, 0.85f);
        sinew_mixer_update(mixer, i > 0 ? 1.0f / (float)RATE : 0.0f);
        series_add(&angle, (double)i / RATE, hinge_angle(mixer));
    }
    sinew_mixer_destroy(mixer);
    return angle;
}

// Plays the swing. After the change, the program rotates it by 40 degrees more.
static series edit(const stage *s, bool smooth) {
    series angle = {.count = 0};
    sinew_mixer_def def = hinge_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    const sinew_quat more = sinew_quat_from_axis_angle((sinew_vec3){0.0f, 0.0f, 1.0f}, 0.69813170f);
    sinew_mixer_play(mixer, sinew_clip_source(s->swing), NULL);
    for (int i = 0; i <= FRAMES; i++) {
        if (i == CHANGE && smooth) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, duration);
        sinew_mixer_advance(mixer, i > 0 ? 1.0f / (float)RATE : 0.0f);
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_transform hinge = sinew_pose_get(pose, 0);
        if (i >= CHANGE) hinge.rotation = sinew_quat_multiply(more, hinge.rotation);
        sinew_pose_set(pose, 0, hinge);
        sinew_mixer_finish_pose(mixer);
        series_add(&angle, (double)i / RATE, hinge_angle(mixer));
    }
    sinew_mixer_destroy(mixer);
    return angle;
}

void plot_changes(FILE *to, const stage *s) {
    const chart_axis seconds = {"seconds", 0.0, 1.0, 0.2};
    const double start = (double)CHANGE / RATE;
    figure f;
    figure_begin(&f, to, "A seek and an edit, inertialized over 0.3 s", (figure_layout){2, 1, 150.0, true});
    const series cut = seek(s, false), smooth = seek(s, true);
    chart c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", -40.0, 40.0, 20.0});
    chart_line(&c, "l5 dash", &cut, "a cut");
    chart_line(&c, "l3", &smooth, "inertialized");
    chart_moment(&c, start, "a seek");
    chart_moment(&c, start + (double)duration, "");
    const series switched = edit(s, false), finished = edit(s, true);
    c = chart_begin(&f, seconds, (chart_axis){"joint, degrees", -20.0, 80.0, 20.0});
    chart_line(&c, "l5 dash", &switched, "a cut");
    chart_line(&c, "l3", &finished, "inertialized");
    chart_moment(&c, start, "an edit");
    chart_moment(&c, start + (double)duration, "");
    figure_end(&f);
}
