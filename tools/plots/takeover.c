// SPDX-License-Identifier: MIT
// takeover.c - one-shots that interrupt one another, and transitions from the program's pose.
#include "plots/plots.h"

#include <math.h>

// ---- One-shots -----------------------------------------------------------------------------------------------

static const sinew_clip *hero_clip(const stage *s, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(s->hero, name);
    if (!clip) die("the hero lacks a clip");
    return clip;
}

static void strike(sinew_mixer *mixer, const sinew_clip *clip) {
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_transition there = sinew_transition_default(), back = sinew_transition_default();
    there.duration = 0.15f;
    back.duration = 0.25f;
    sinew_action_queue_previous(mixer, sinew_mixer_transition_to(mixer, sinew_clip_source(clip), &there, &once),
                                &back);
}

void plot_interrupted(FILE *to, const stage *s) {
    enum { CLIPS = 3, STRIKES = 3, FRAMES = 4 * RATE };
    static const char *const names[CLIPS] = {"Walk", "Attack", "Jump"}, *const classes[CLIPS] = {"l0", "l1", "l2"};
    static const struct { int frame, clip; } strikes[STRIKES] = {{RATE / 2, 1}, {RATE, 2}, {RATE + RATE / 2, 1}};
    const sinew_clip *clips[CLIPS];
    series weights[CLIPS] = {{.count = 0}};
    for (int i = 0; i < CLIPS; i++) clips[i] = hero_clip(s, names[i]);
    sinew_mixer_def def = hero_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(clips[0]), NULL);
    for (int frame = 0; frame <= FRAMES; frame++) {
        for (int i = 0; i < STRIKES; i++)
            if (strikes[i].frame == frame) strike(mixer, clips[strikes[i].clip]);
        for (int i = 0; i < CLIPS; i++) {
            double weight = (double)sinew_action_weight(
                mixer, sinew_mixer_find(mixer, sinew_clip_source(clips[i]), SINEW_ALL_LAYERS));
            series_add(&weights[i], (double)frame / RATE, weight);
        }
        step(mixer);
    }
    sinew_mixer_destroy(mixer);
    figure f;
    figure_begin(&f, to, "One-shots that interrupt one another return to the walk",
                 (figure_layout){1, 1, 150.0, false});
    chart c = chart_begin(&f, (chart_axis){"seconds", 0.0, (double)FRAMES / RATE, 0.5},
                          (chart_axis){"weight", -0.1, 1.4, 0.5});
    for (int i = 0; i < CLIPS; i++) chart_line(&c, classes[i], &weights[i], names[i]);
    for (int i = 0; i < STRIKES; i++) chart_moment(&c, (double)strikes[i].frame / RATE, names[strikes[i].clip]);
    figure_end(&f);
}

// ---- A ragdoll -----------------------------------------------------------------------------------------------

enum { FALLS = RATE / 2, STANDS = RATE };

// Lets the hips fall freely and turn onto their back. All other nodes keep their local pose.
static void fall(sinew_pose *pose, int32_t hips, sinew_transform start, int frame) {
    double t = (double)frame / RATE;
    sinew_transform now = start;
    now.translation.y -= (float)(2.5 * t * t);
    now.translation.z -= (float)(0.6 * t);
    sinew_quat turn = sinew_quat_from_axis_angle((sinew_vec3){-1.0f, 0.0f, 0.0f}, (float)(2.4 * t));
    now.rotation = sinew_quat_multiply(turn, start.rotation);
    sinew_pose_set(pose, hips, now);
}

// Plots the head's height while the program sets the pose, then during a transition to a clip.
static series head_height(const stage *s, const sinew_transition *transition) {
    series line = {.count = 0};
    int32_t hips = hero_node(s->hero->skeleton, "Hips"), head = hero_node(s->hero->skeleton, "Head");
    sinew_mixer_def def = hero_def(s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_mixer_play(mixer, sinew_clip_source(s->idle), NULL);
    step(mixer);
    sinew_pose *pose;
    if (sinew_pose_create(s->hero->skeleton, NULL, &pose) != SINEW_OK) die("out of memory");
    sinew_pose_copy(pose, sinew_mixer_pose(mixer));
    sinew_transform start = sinew_pose_get(pose, hips);
    for (int frame = 0; frame < FALLS + STANDS; frame++) {
        if (frame == FALLS) sinew_mixer_transition_to(mixer, sinew_clip_source(s->walk), transition, NULL);
        sinew_mixer_advance(mixer, 1.0f / (float)RATE);
        sinew_mixer_evaluate(mixer);
        fall(pose, hips, start, frame);
        if (frame < FALLS) sinew_mixer_set_pose(mixer, pose);
        sinew_mixer_to_model(mixer);
        series_add(&line, (double)frame / RATE, (double)sinew_mixer_model_matrices(mixer)[head].m[1][3]);
    }
    sinew_pose_destroy(pose);
    sinew_mixer_destroy(mixer);
    return line;
}

void plot_ragdoll(FILE *to, const stage *s) {
    static const char *const names[3] = {"fade", "inertialized", "dead-blended"}, *const classes[3] = {"l0", "l1",
                                                                                                       "l2"};
    figure f;
    figure_begin(&f, to, "A ragdoll for half a second, and then the walk", (figure_layout){1, 1, 170.0, false});
    chart c = chart_begin(&f, (chart_axis){"seconds", 0.0, (double)(FALLS + STANDS) / RATE, 0.25},
                          (chart_axis){"height of the head, m", 0.0, 2.0, 0.4});
    chart_moment(&c, (double)FALLS / RATE, "the walk takes over, 0.5 s");
    for (int kind = 0; kind < 3; kind++) {
        sinew_transition transition = sinew_transition_default();
        transition.kind = (sinew_transition_kind)kind;
        transition.duration = 0.5f;
        const series line = head_height(s, &transition);
        chart_line(&c, classes[kind], &line, names[kind]);
    }
    figure_end(&f);
}
