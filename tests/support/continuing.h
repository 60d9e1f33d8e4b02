// SPDX-License-Identifier: MIT
// Checks that the current pose keeps its velocity at the start of a transition.
#ifndef CONTINUING_H
#define CONTINUING_H

#include "support/mixer_stage.h"

#define CLOSE 4e-6 // a few roundings of numbers up to 10

static inline sinew_action play(mixer_stage *s, int clip, float weight) {
    sinew_play_def def = sinew_play_default();
    def.weight = weight;
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[clip]), &def);
}

static inline sinew_action transition_on(mixer_stage *s, int32_t layer, int clip, sinew_transition_kind kind,
                                         float duration, float time) {
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.time = time;
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = duration;
    how.easing = SINEW_EASING_SMOOTHSTEP;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->clips[clip]), &how, &def);
}

static inline sinew_action transition(mixer_stage *s, int clip, sinew_transition_kind kind, float duration) {
    return transition_on(s, 0, clip, kind, duration, SINEW_TIME_AUTO);
}

#define INSTANT (1.0f / 512)

typedef struct sight {
    exact_node nodes[STAGE_NODES];
} sight;

static inline sight look(mixer_stage *s) {
    sight all;
    for (int32_t n = 0; n < STAGE_NODES; n++) all.nodes[n] = node_shown(s->mixer, n);
    return all;
}

// The difference of two motions' velocities, each over an instant: in m/s, rad/s, and 1/s. Leaves out morph weights:
// an inertialization keeps their range, not their velocity.
static inline double speeds_apart(const exact_node *a0, const exact_node *a1, const exact_node *b0,
                                  const exact_node *b1) {
    exact_vec3 a = exact_logarithm(exact_multiply(a1->turn, exact_conjugate(a0->turn)));
    exact_vec3 b = exact_logarithm(exact_multiply(b1->turn, exact_conjugate(b0->turn)));
    double apart = exact_length(exact_add(a, b, -1));
    a = exact_add(a1->at, a0->at, -1);
    b = exact_add(b1->at, b0->at, -1);
    apart = fmax(apart, exact_length(exact_add(a, b, -1)));
    apart = fmax(apart, fabs((a1->size - a0->size) - (b1->size - b0->size)));
    return apart / (double)INSTANT;
}

// A 2 s transition over offsets of at most 6 m and 10 m/s first slows them down by 3/8 (20 × 6 / 4 + 8 × 10 / 2) = 26
// m/s². That's 0.05 m/s in an instant; velocities measured over a hundredth of a second lag three times as much. A
// motion of several metres a second that stops is far beyond that.
#define APART 0.25

typedef struct watched {
    sight before, at;
} watched;

static inline watched watch(mixer_stage *s) {
    watched w;
    sinew_mixer_update(s->mixer, INSTANT);
    w.before = look(s);
    sinew_mixer_update(s->mixer, INSTANT);
    w.at = look(s);
    return w;
}

static inline void check_position(mixer_stage *s, const watched *w) {
    sinew_mixer_update(s->mixer, 0);
    for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, w->at.nodes[n], CLOSE);
}

static inline void check_continues(mixer_stage *s, const watched *w) {
    check_position(s, w);
    sight at = look(s);
    sinew_mixer_update(s->mixer, INSTANT);
    sight after = look(s);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        const exact_node *nodes[4] = {&w->before.nodes[n], &w->at.nodes[n], &at.nodes[n], &after.nodes[n]};
        check_near(speeds_apart(nodes[0], nodes[1], nodes[2], nodes[3]), 0, APART);
    }
}

static const sinew_transition_kind keeping[2] = {SINEW_TRANSITION_INERTIALIZE, SINEW_TRANSITION_DEAD_BLEND};

static inline void start_over(mixer_stage *s) {
    sinew_mixer_def def = stage_def(s);
    def.layer_count = 3;
    stage_remake(s, &def);
}

static inline sinew_blend_space *space_of_two(const mixer_stage *s) {
    const sinew_blend_sample samples[2] = {{s->clips[STAGE_A], 0, 0, 1}, {s->clips[STAGE_B], 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

#endif
