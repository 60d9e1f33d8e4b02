// SPDX-License-Identifier: MIT
// foot_lock.c - how fast planted feet move while the hero goes from a walk to a run, with and without foot locking.
#include "plots/plots.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES = 216, STARTS = 60 };

static const float duration = 0.4f;
static const double low = 0.02; // meters; a foot below this is on the ground

typedef struct planted {
    const stage *stage;
    sinew_mixer *mixer;
    sinew_foot feet[2];
    sinew_foot_contacts *contacts;
    sinew_foot_lock lock;
    sinew_foot_lock_state state;
    sinew_affine *model;
    sinew_vec3 soles[2][SINEW_MAX_FOOT_POINTS]; // in the world, in the last frame
    bool was_planted[2];
    double way;              // how far the character went, in meters
    double ground_speeds[2]; // walk and run
    series speeds[2];        // planted feet on the ground, in m/s
    series in_air[2];        // planted feet in the air
    double sum;              // total of the speeds on the ground
    int count;
} planted;

// ---- The hero ------------------------------------------------------------------------------------------------

static sinew_foot make_foot(const stage *s, bool right) {
    static const char *const names[2][4] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                            {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    int32_t nodes[4];
    for (int i = 0; i < 4; i++) nodes[i] = hero_node(s->hero->skeleton, names[right][i]);
    const sinew_vec3 up = {0.0f, 1.0f, 0.0f};
    const sinew_skeleton *skeleton = s->hero->skeleton;
    sinew_foot foot = sinew_foot_from_rest(skeleton, nodes[0], nodes[1], nodes[2], nodes[3], up);
    const float side = right ? -0.11f : 0.11f; // a shoe's center line, with its heel and tip
    sinew_foot_add_point(&foot, skeleton, nodes[2], (sinew_vec3){side, 0.0f, -0.079f});
    sinew_foot_add_point(&foot, skeleton, nodes[3], (sinew_vec3){side, 0.0f, 0.205f});
    return foot;
}

static sinew_foot_contacts *make_contacts(const stage *s, const sinew_foot *feet) {
    const sinew_clip *const clips[2] = {s->walk, s->run};
    sinew_foot_contacts_def def = sinew_foot_contacts_default();
    def.skeleton = s->hero->skeleton;
    def.clips = clips;
    def.clip_count = 2;
    def.foot_count = 2;
    def.feet = feet;
    sinew_foot_contacts *contacts;
    sinew_error error;
    if (sinew_foot_contacts_create(&def, &contacts, &error) != SINEW_OK) die(error.message);
    return contacts;
}

static double measure_speed(const stage *s, const sinew_clip *clip) {
    sinew_feet feet;
    sinew_clip_speed speed;
    sinew_error error;
    if (sinew_feet_find(s->hero->skeleton, SINEW_UP_Y, &feet, &error) != SINEW_OK) die(error.message);
    sinew_clip_measure_speed(clip, &feet, &speed);
    return (double)speed.speed;
}

static void begin(planted *p, const stage *s, float weight) {
    static const char *const feet[2] = {"Foot_L", "Foot_R"};
    *p = (planted){.stage = s, .lock = sinew_foot_lock_default()};
    for (int i = 0; i < 2; i++) p->feet[i] = make_foot(s, i == 1);
    p->contacts = make_contacts(s, p->feet);
    p->ground_speeds[0] = measure_speed(s, s->walk);
    p->ground_speeds[1] = measure_speed(s, s->run);
    p->lock.feet = p->feet;
    p->lock.foot_count = 2;
    p->lock.weight = weight;
    p->model = calloc((size_t)s->hero->skeleton->node_count, sizeof *p->model);
    if (!p->model) die("out of memory");
    sinew_mixer_def def = hero_def(s);
    def.sync_names = feet;
    def.sync_name_count = 2;
    p->mixer = make_mixer(&def);
}

static void end(planted *p) {
    sinew_mixer_destroy(p->mixer);
    sinew_foot_contacts_destroy(p->contacts);
    free(p->model);
}

// ---- Walking -------------------------------------------------------------------------------------------------

// Returns the character's speed. The clips walk on the spot, so it moves at their measured velocities, by weight.
static double speed_now(const planted *p) {
    sinew_action actions[4];
    int32_t count = sinew_mixer_actions(p->mixer, actions, 4);
    double speed = 0.0, sum = 0.0;
    for (int32_t i = 0; i < count && i < 4; i++) {
        const sinew_clip *clip = sinew_action_get(p->mixer, actions[i]).clip;
        double weight = (double)sinew_action_weight(p->mixer, actions[i]);
        speed += weight * p->ground_speeds[clip == p->stage->run];
        sum += weight;
    }
    return speed / sum;
}

static int lowest_sole(const planted *p, int foot) {
    int lowest = 0;
    for (int i = 1; i < p->feet[foot].point_count; i++) {
        if (p->soles[foot][i].y < p->soles[foot][lowest].y) lowest = i;
    }
    return lowest;
}

static void move_soles(planted *p, int foot) {
    const sinew_foot *made = &p->feet[foot];
    for (int i = 0; i < made->point_count; i++) {
        p->soles[foot][i] = sinew_affine_point(p->model[made->points[i].node], made->points[i].point);
        p->soles[foot][i].z += (float)p->way;
    }
}

// Measures the speed over the ground of the sole point that was lowest in the last frame.
static void measure(planted *p, int foot, bool is_planted, double time) {
    int lowest = lowest_sole(p, foot);
    sinew_vec3 was = p->soles[foot][lowest];
    move_soles(p, foot);
    sinew_vec3 now = p->soles[foot][lowest];
    double speed = hypot((double)(now.x - was.x), (double)(now.z - was.z)) * RATE;
    bool counts = is_planted && p->was_planted[foot], is_low = fmin((double)was.y, (double)now.y) < low;
    p->was_planted[foot] = is_planted;
    series_add(&p->speeds[foot], time, counts && is_low ? speed : (double)NAN);
    series_add(&p->in_air[foot], time, counts && !is_low ? speed : (double)NAN);
    if (counts && is_low && time > 0.0) p->sum += speed, p->count++;
}

static void walk_on(planted *p, double time) {
    sinew_mixer_advance(p->mixer, 1.0f / (float)RATE);
    sinew_mixer_evaluate(p->mixer);
    p->way += speed_now(p) / RATE;
    sinew_pose *pose = sinew_mixer_edit_pose(p->mixer);
    sinew_pose_to_model(pose, p->model);
    sinew_affine world = sinew_affine_identity();
    world.m[2][3] = (float)p->way;
    float contacts[2];
    sinew_foot_contacts_evaluate(p->contacts, p->mixer, contacts);
    sinew_foot_lock_solve(&p->lock, &world, contacts, 1.0f / (float)RATE, &p->state, pose, p->model);
    for (int foot = 0; foot < 2; foot++) measure(p, foot, contacts[foot] >= 0.5f, time);
}

typedef struct change {
    const char *what;
    sinew_transition_kind kind;
    int32_t sync;
} change;

static void walk_to_run(planted *p, const stage *s, const change *how, float weight) {
    begin(p, s, weight);
    sinew_play_def play = sinew_play_default();
    play.sync = how->sync;
    sinew_mixer_play(p->mixer, sinew_clip_source(s->walk), &play);
    for (int i = 0; i <= FRAMES; i++) {
        sinew_transition transition = sinew_transition_default();
        transition.kind = how->kind;
        transition.duration = duration;
        if (i == STARTS) sinew_mixer_transition_to(p->mixer, sinew_clip_source(s->run), &transition, &play);
        walk_on(p, (double)(i - STARTS) / RATE);
    }
    end(p);
}

// ---- The plot ------------------------------------------------------------------------------------------------

static void draw_panel(figure *f, const stage *s, const change *how) {
    static planted without, with;
    walk_to_run(&without, s, how, 0.0f);
    walk_to_run(&with, s, how, 1.0f);
    char names[2][64];
    chart c = chart_begin(f, (chart_axis){"seconds after the start of the transition", -0.5, 1.3, 0.2},
                          (chart_axis){how->what, 0.0, 4.0, 1.0});
    const planted *both[2] = {&without, &with};
    for (int i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "%s (mean %.2f)", i ? "locked" : "clips alone",
                 both[i]->sum / both[i]->count);
        for (int foot = 0; foot < 2; foot++) {
            chart_line(&c, i ? "l2" : "l5", &both[i]->speeds[foot], foot ? NULL : names[i]);
        }
    }
    for (int foot = 0; foot < 2; foot++) {
        chart_line(&c, "l4 moment", &with.in_air[foot], foot ? NULL : "lifted");
    }
    chart_moment(&c, 0.0, "starts");
    chart_moment(&c, (double)duration, "ends");
}

void plot_foot_lock(FILE *to, const stage *s) {
    static const change changes[] = {
        {"in sync: fade", SINEW_TRANSITION_FADE, 1},
        {"in sync: inertialized", SINEW_TRANSITION_INERTIALIZE, 1},
        {"out of phase: fade", SINEW_TRANSITION_FADE, 0},
        {"out of phase: inertialized", SINEW_TRANSITION_INERTIALIZE, 0},
    };
    const int count = sizeof changes / sizeof *changes;
    figure f;
    figure_begin(&f, to, "From walk to run over 0.4 s: the speed of planted feet, m/s",
                 (figure_layout){count, 1, 110.0, true});
    for (int i = 0; i < count; i++) draw_panel(&f, s, &changes[i]);
    figure_end(&f);
}
