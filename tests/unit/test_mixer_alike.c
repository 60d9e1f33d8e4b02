// SPDX-License-Identifier: MIT
// Pairs of mixers that must show the same: random calls on both, made in two equivalent ways.
//
//     test_mixer_alike [SEQUENCES [FIRST]]
//
// With one sequence, prints the fewest calls after which the two differ.
#include "support/mixer_stage.h"
#include "support/random_rig.h"

#include <stdio.h>

enum { FRAMES = 45, MAX_ACTIONS = 4, MAX_CALLS = 48, LAYERS = 3 };

#define DT (1.0f / 64.0f) // a power of two, so two halves are the whole

static int sequences = 100, first_sequence = 1;

// ---- Ways ----------------------------------------------------------------------------------------------------

typedef enum source_kind {
    CLIPS,
    SPACES_OF_ONE, // a blend space for each clip
    ONE_SPACE      // of all clips
} source_kind;

// How one mixer of a pair does what is asked of both.
typedef struct way {
    source_kind plays;
    float weight;        // factor of all weights
    int steps;           // updates in a frame
    bool moves_on;       // to another mixer after each frame, by a snapshot
    int layers, actions; // of the mixer
} way;

// What the calls of a pair may be, and how near the poses must be.
typedef struct pair {
    const char *name;
    way ways[2];
    int layers;           // that are used
    bool has_ends;        // clips may not repeat
    bool fills_with_rest; // SINEW_UNDERWEIGHT_REST
    bool has_root;        // root motion
    bool
        ends_with_base; // when nothing plays in the base: it holds the pose of the last step, however long that was
    double tolerance;
} pair;

typedef struct player {
    way how;
    sinew_mixer *mixer, *other;     // other: of the same definition
    sinew_action played[MAX_CALLS]; // by each call
    sinew_root_delta moved;         // in the last frame
    int events[3];                  // of each type, in the last frame
} player;

// ---- Calls ---------------------------------------------------------------------------------------------------

typedef enum call_kind {
    TRANSITION,
    PLAY,
    FADE_TO,
    FADE_IN,
    FADE_OUT,
    SET_SPEED,
    SET_TIME,
    SET_WEIGHT,
    PAUSE,
    RESUME,
    STOP,
    LAYER_FADE,
    LAYER_WEIGHT,
    LAYER_MASK,
    INERTIALIZE,
    PARAMETER,
    QUEUE, // for clips that do not repeat
    CALLS
} call_kind;

static const char *const call_names[CALLS] = {
    "transition", "play", "fade to",    "fade in",      "fade out",   "speed",       "time",      "weight", "pause",
    "resume",     "stop", "layer fade", "layer weight", "layer mask", "inertialize", "parameter", "queue"};

typedef struct call {
    call_kind kind;
    int frame, clip, layer;
    int target; // the call that played the action
    bool is_left_out;
    float duration, weight, time, speed;
    bool is_masked;
    sinew_transition transition;
    sinew_play_def def;
} call;

typedef struct run {
    mixer_stage *stage;
    const pair *of;
    sinew_clip *differences[STAGE_CLIPS];
    sinew_blend_space *spaces[2][STAGE_CLIPS], *all[2]; // of the clips, and of the differences
    sinew_mask *mask;
    player players[2];
    call calls[MAX_CALLS];
    int call_count, frame;
    uint64_t random;
} run;

// ---- Drawing -------------------------------------------------------------------------------------------------

static bool draw_chance(run *r, double chance) {
    return (double)random_float(&r->random, 0, 1) < chance;
}

static float draw_duration(run *r) {
    return draw_chance(r, 0.1) ? 0.0f : random_float(&r->random, 0.03f, 0.6f);
}

static bool starts_action(const call *c) {
    return c->kind == TRANSITION || c->kind == PLAY;
}

// The call that started one of the last actions, or -1.
static int draw_target(run *r) {
    int targets[4], count = 0;
    for (int i = r->call_count - 1; i >= 0 && count < 4; i--) {
        if (starts_action(&r->calls[i])) targets[count++] = i;
    }
    return count > 0 ? targets[draw_count(&r->random, 0, count - 1)] : -1;
}

static sinew_play_def draw_def(run *r, int layer, float speed) {
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.speed = speed;
    def.fade = draw_duration(r);
    def.easing = (sinew_easing)draw_count(&r->random, SINEW_EASING_LINEAR, SINEW_EASING_SMOOTHSTEP);
    def.allow_duplicate = draw_chance(r, 0.2);
    def.restart = draw_chance(r, 0.2) && r->of->ways[1].plays == CLIPS; // it has no effect on a blend space
    def.sync = draw_chance(r, 0.25) && speed > 0.0f ? 1 : 0;
    if (r->of->has_ends && draw_chance(r, 0.5)) def.loop = (sinew_loop)draw_count(&r->random, 0, 2);
    if (r->of->has_ends && draw_chance(r, 0.5)) def.loop_count = draw_count(&r->random, 1, 3);
    return def;
}

static call draw_call(run *r) {
    call c = {.kind = draw_chance(r, 0.5) ? TRANSITION : (call_kind)draw_count(&r->random, 0, CALLS - 1)};
    c.frame = r->frame;
    c.clip = draw_count(&r->random, 0, STAGE_CLIPS - 1);
    c.layer = draw_chance(r, 0.6) ? 0 : draw_count(&r->random, 0, r->of->layers - 1);
    c.target = draw_target(r);
    c.duration = draw_duration(r);
    c.weight = draw_chance(r, 0.5) ? 1.0f : random_float(&r->random, 0.05f, 2.0f);
    c.time = random_float(&r->random, 0, 2);
    c.speed = draw_chance(r, 0.5) ? 1.0f : random_float(&r->random, -0.5f, 2.0f);
    c.is_masked = draw_chance(r, 0.5);
    c.transition = sinew_transition_default();
    c.transition.kind = (sinew_transition_kind)draw_count(&r->random, 0, 2);
    c.transition.duration = draw_duration(r);
    c.transition.match_rate = draw_chance(r, 0.3);
    c.def = draw_def(r, c.layer, c.speed);
    return c;
}

// Whether it can be made in this pair.
static bool is_possible(const run *r, const call *c) {
    if (c->kind == LAYER_FADE || c->kind == LAYER_WEIGHT || c->kind == LAYER_MASK) return c->layer > 0;
    if (c->kind == QUEUE && !r->of->has_ends) return false;
    return starts_action(c) || c->kind == INERTIALIZE || c->target >= 0;
}

static void draw_calls(run *r) {
    r->call_count = 0;
    for (r->frame = 0; r->frame < FRAMES; r->frame++) {
        while (r->call_count < MAX_CALLS && draw_chance(r, 0.2)) {
            const call c = draw_call(r);
            if (is_possible(r, &c)) r->calls[r->call_count++] = c;
        }
    }
}

// ---- Calls ---------------------------------------------------------------------------------------------------

static sinew_source source_of(const run *r, const player *p, int layer, int clip) {
    const bool additive = layer == LAYERS - 1;
    if (p->how.plays == SPACES_OF_ONE) return sinew_blend_space_source(r->spaces[additive][clip], 0, 0);
    if (p->how.plays == ONE_SPACE) return sinew_blend_space_source(r->all[additive], (float)clip, 0);
    return sinew_clip_source(additive ? r->differences[clip] : r->stage->clips[clip]);
}

static void queue(const run *r, player *p, const call *c) {
    const int layer = sinew_action_get(p->mixer, p->played[c->target]).layer;
    if (layer < 0) return;
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.weight = c->weight * p->how.weight;
    sinew_action_queue(p->mixer, p->played[c->target], source_of(r, p, layer, c->clip), &c->transition, &def);
}

static void make_call(const run *r, player *p, const call *c) {
    sinew_mixer *m = p->mixer;
    const sinew_source source = source_of(r, p, c->layer, c->clip);
    const sinew_action target = c->target < 0 ? (sinew_action){0} : p->played[c->target];
    const float weight = c->weight * p->how.weight;
    sinew_play_def def = c->def;
    def.weight = weight;
    switch (c->kind) {
    case TRANSITION:
        p->played[c - r->calls] = sinew_mixer_transition_to(m, source, &c->transition, &def);
        break;
    case PLAY:
        p->played[c - r->calls] = sinew_mixer_play(m, source, &def);
        break;
    case FADE_TO:
        sinew_action_fade_to(m, target, weight, c->duration);
        break;
    case FADE_IN:
        sinew_action_fade_in(m, target, c->duration);
        break;
    case FADE_OUT:
        sinew_action_fade_out(m, target, c->duration);
        break;
    case SET_SPEED:
        sinew_action_set_speed(m, target, c->speed);
        break;
    case SET_TIME:
        sinew_action_set_time(m, target, c->time);
        break;
    case SET_WEIGHT:
        sinew_action_set_weight(m, target, weight);
        break;
    case PAUSE:
        sinew_action_set_paused(m, target, true);
        break;
    case RESUME:
        sinew_action_set_paused(m, target, false);
        break;
    case STOP:
        sinew_action_stop(m, target);
        break;
    case LAYER_FADE:
        sinew_layer_fade_to(m, c->layer, fminf(c->weight, 1.0f), c->duration, c->def.easing);
        break;
    case LAYER_WEIGHT:
        sinew_layer_set_weight(m, c->layer, fminf(c->weight, 1.0f));
        break;
    case LAYER_MASK:
        sinew_layer_set_mask(m, c->layer, c->is_masked ? r->mask : NULL);
        break;
    case INERTIALIZE:
        sinew_mixer_inertialize(m, SINEW_ALL_LAYERS, c->duration);
        break;
    case PARAMETER:
        sinew_action_set_parameter(m, target, (float)c->clip + c->weight, 0);
        break;
    default:
        queue(r, p, c);
    }
}

static void tell(const run *r, const call *c) {
    static const char *const kinds[] = {"fade", "inertialize", "dead blend"};
    const int number = (int)(c - r->calls);
    print_message("  frame %d: %d = %s", c->frame, number, call_names[c->kind]);
    if (starts_action(c) || c->kind == QUEUE)
        print_message(" clip %d, layer %d, %s%s %g s, fade %g s, weight %g, speed %g, loop %d, count %d%s%s%s",
                      c->clip, c->layer, c->transition.match_rate ? "warped " : "", kinds[c->transition.kind],
                      (double)c->transition.duration, (double)c->def.fade, (double)c->weight, (double)c->speed,
                      (int)c->def.loop, (int)c->def.loop_count, c->def.sync ? ", sync" : "",
                      c->def.allow_duplicate ? ", duplicate" : "", c->def.restart ? ", restart" : "");
    if (!starts_action(c))
        print_message(" (target %d, layer %d, %g s, weight %g, speed %g, time %g)", c->target, c->layer,
                      (double)c->duration, (double)c->weight, (double)c->speed, (double)c->time);
    print_message("\n");
}

// ---- Comparing -----------------------------------------------------------------------------------------------

// A difference of two mixers.
typedef struct difference {
    const char *of; // NULL: none
    int where;      // a node or a call
    double by;
} difference;

static difference find_difference_of_actions(const run *r, int number) {
    const player *a = &r->players[0], *b = &r->players[1];
    const sinew_action x = a->played[number], y = b->played[number];
    const bool is_active = sinew_action_is_active(a->mixer, x);
    if (is_active != sinew_action_is_active(b->mixer, y)) return (difference){"whether it plays", number, 1};
    if (!is_active) return (difference){0};
    const double duration = (double)sinew_action_get(a->mixer, x).clip->duration;
    const double time = fabs((double)sinew_action_time(a->mixer, x) - (double)sinew_action_time(b->mixer, y));
    if (!(fmin(time, fabs(duration - time)) <= r->of->tolerance)) return (difference){"time", number, time};
    const double weights[2] = {(double)(sinew_action_weight(a->mixer, x) / a->how.weight),
                               (double)(sinew_action_weight(b->mixer, y) / b->how.weight)};
    if (fabs(weights[0] - weights[1]) <= r->of->tolerance) return (difference){0};
    return (difference){"weight", number, weights[1] - weights[0]};
}

static difference find_difference_of_roots(const run *r) {
    const sinew_root_delta *a = &r->players[0].moved, *b = &r->players[1].moved;
    const sinew_vec3 by = sinew_vec3_subtract(a->translation, b->translation);
    const double most = fmax(fabs((double)a->yaw - (double)b->yaw), (double)sinew_vec3_length(by));
    if (!(most <= r->of->tolerance)) return (difference){"root of", 0, most};
    return (difference){0};
}

static difference find_difference_of_events(const run *r) {
    for (int i = 0; i < 3; i++) {
        const int by = r->players[1].events[i] - r->players[0].events[i];
        if (by != 0) return (difference){"events of type", i, by};
    }
    return (difference){0};
}

static difference find_difference(const run *r) {
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        const exact_node a = node_shown(r->players[0].mixer, n), b = node_shown(r->players[1].mixer, n);
        const double gap = gap_between(&a, &b);
        if (!(gap <= r->of->tolerance)) return (difference){"pose of node", n, gap};
    }
    for (int i = 0; i < r->call_count; i++) {
        if (!starts_action(&r->calls[i])) continue;
        const difference d = find_difference_of_actions(r, i);
        if (d.of) return d;
    }
    const difference d = find_difference_of_roots(r);
    return d.of ? d : find_difference_of_events(r);
}

// ---- Runs ----------------------------------------------------------------------------------------------------

static void create_player(run *r, player *p, const way *how) {
    sinew_mixer_def def = stage_def(r->stage);
    *p = (player){.how = *how};
    def.max_actions = how->actions;
    def.layer_count = how->layers;
    def.max_blend_spaces = how->plays == CLIPS ? 0 : 4;
    if (r->of->fills_with_rest) def.underweight = SINEW_UNDERWEIGHT_REST;
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = r->stage->skeleton;
    root.node = 0;
    if (r->of->has_root) def.root_motion = &root;
    sinew_mixer **mixers[2] = {&p->mixer, &p->other};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sinew_mixer_create(&def, mixers[i], NULL), SINEW_OK);
        if (r->of->layers == LAYERS) sinew_layer_set_mode(*mixers[i], LAYERS - 1, SINEW_LAYER_ADDITIVE);
    }
}

// Continues on the player's other mixer.
static void move_on(player *p) {
    void *memory = malloc(sinew_mixer_snapshot_size(p->mixer));
    const size_t size = sinew_mixer_save(p->mixer, memory);
    assert_true(sinew_mixer_restore(p->other, memory, size));
    sinew_mixer *left = p->mixer;
    p->mixer = p->other;
    p->other = left;
    free(memory);
}

static void play_frame(player *p) {
    p->moved = (sinew_root_delta){.rotation = {0, 0, 0, 1}};
    memset(p->events, 0, sizeof p->events);
    for (int k = 0; k < p->how.steps; k++) {
        if (p->how.moves_on) move_on(p);
        sinew_mixer_update(p->mixer, DT / (float)p->how.steps);
        p->moved = sinew_root_delta_compose(p->moved, sinew_mixer_root_delta(p->mixer));
        const sinew_events events = sinew_mixer_events(p->mixer);
        for (int i = 0; i < events.count; i++) p->events[events.items[i].type]++;
    }
}

static bool plays_in_base(const run *r) {
    const player *p = &r->players[0];
    for (int i = 0; i < r->call_count; i++) {
        const bool is_in_base = starts_action(&r->calls[i]) && r->calls[i].layer == 0;
        if (is_in_base && sinew_action_is_active(p->mixer, p->played[i])) return true;
    }
    return false;
}

// Plays the calls until the two differ. Returns what differs, in r->frame.
static difference play_calls(run *r) {
    difference found = {0};
    const call *next = r->calls, *end = r->calls + r->call_count;
    for (int i = 0; i < 2; i++) create_player(r, &r->players[i], &r->of->ways[i]);
    for (r->frame = 0; r->frame < FRAMES && !found.of; r->frame += !found.of) {
        for (; next < end && next->frame == r->frame; next++) {
            for (int i = 0; i < 2 && !next->is_left_out; i++) make_call(r, &r->players[i], next);
        }
        for (int i = 0; i < 2; i++) play_frame(&r->players[i]);
        if (r->of->ends_with_base && !plays_in_base(r)) break;
        found = find_difference(r);
    }
    for (int i = 0; i < 2; i++) {
        sinew_mixer_destroy(r->players[i].mixer);
        sinew_mixer_destroy(r->players[i].other);
    }
    return found;
}

// Drops every call without which the two still differ, and prints the others.
static void tell_shortest(run *r) {
    for (int i = r->call_count - 1; i >= 0; i--) {
        r->calls[i].is_left_out = true;
        if (!play_calls(r).of) r->calls[i].is_left_out = false;
    }
    const difference last = play_calls(r);
    for (int i = 0; i < r->call_count && r->calls[i].frame <= r->frame; i++) {
        if (!r->calls[i].is_left_out) tell(r, &r->calls[i]);
    }
    print_message("  frame %d: %s %d differs by %g\n", r->frame, last.of, last.where, last.by);
}

static bool play_sequence(run *r, uint64_t number) {
    r->random = number * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 4; i++) random_next(&r->random);
    draw_calls(r);
    const difference found = play_calls(r);
    if (!found.of) return true;
    print_error("%s, sequence %d, frame %d: %s %d differs by %g\n", r->of->name, (int)number, r->frame, found.of,
                found.where, found.by);
    if (sequences == 1) tell_shortest(r);
    return false;
}

static sinew_blend_space *make_space(const mixer_stage *s, sinew_clip *const *clips, int count) {
    sinew_blend_sample samples[STAGE_CLIPS];
    for (int i = 0; i < count; i++) samples[i] = (sinew_blend_sample){clips[i], (float)i, 0, 1};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = count;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static void check_pair(mixer_stage *s, const pair *of) {
    run r = {.stage = s, .of = of};
    for (int i = 0; i < STAGE_CLIPS; i++) {
        assert_int_equal(sinew_clip_make_additive(s->clips[i], NULL, NULL, &r.differences[i], NULL), SINEW_OK);
        r.spaces[0][i] = make_space(s, &s->clips[i], 1);
        r.spaces[1][i] = make_space(s, &r.differences[i], 1);
    }
    r.all[0] = make_space(s, s->clips, STAGE_CLIPS);
    r.all[1] = make_space(s, r.differences, STAGE_CLIPS);
    assert_int_equal(sinew_mask_create(s->skeleton, 0.0f, NULL, &r.mask), SINEW_OK);
    sinew_mask_set_subtree(r.mask, STAGE_FACE, 1.0f, 2);
    int bad = 0;
    for (int i = 0; i < sequences; i++) bad += !play_sequence(&r, (uint64_t)first_sequence + (uint64_t)i);
    for (int i = 0; i < STAGE_CLIPS; i++) {
        for (int k = 0; k < 2; k++) sinew_blend_space_destroy(r.spaces[k][i]);
        sinew_clip_destroy(r.differences[i]);
    }
    for (int k = 0; k < 2; k++) sinew_blend_space_destroy(r.all[k]);
    sinew_mask_destroy(r.mask);
    if (bad > 0) fail_msg("%s: %d of %d sequences differ", of->name, bad, sequences);
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static const way plain = {.weight = 1, .steps = 1, .layers = LAYERS, .actions = MAX_ACTIONS};

static void check_kinds(mixer_stage *s, pair of) {
    for (int i = 0; i < 4; i++) {
        of.fills_with_rest = i % 2 == 1;
        of.has_root = i / 2 == 1;
        check_pair(s, &of);
    }
}

// Catches anything that a blend space does differently from a clip.
static void a_space_of_one_clip_is_that_clip(void **state) {
    pair of = {"a space of one clip", {plain, plain}, .layers = LAYERS, .tolerance = 1e-4};
    of.ways[1].plays = SPACES_OF_ONE;
    check_kinds(*state, of);
}

// Catches weights that count by themselves where only their proportions should.
static void only_proportions_of_weights_matter(void **state) {
    pair of = {"twice the weights", {plain, plain}, .layers = 1, .has_ends = true, .tolerance = 1e-5};
    of.ways[1].weight = 2.0f;
    check_pair(*state, &of);
    of.has_root = true;
    check_pair(*state, &of);
}

// Catches layers and slots without use that change something.
static void unused_layers_change_nothing(void **state) {
    pair of = {"two more layers", {plain, plain}, .layers = LAYERS, .has_ends = true, .tolerance = 1e-12};
    of.ways[1].layers = LAYERS + 2;
    check_kinds(*state, of);
}

// Catches state that a snapshot lacks.
static void a_snapshot_continues(void **state) {
    pair of = {"snapshots", {plain, plain}, .layers = LAYERS, .has_ends = true, .tolerance = 1e-12};
    of.ways[1].moves_on = true;
    check_kinds(*state, of);
    of.ways[0].plays = of.ways[1].plays = ONE_SPACE;
    check_kinds(*state, of);
}

// Catches what depends on the frame rate.
static void half_steps_are_whole_ones(void **state) {
    pair of = {"half steps",     {plain, plain},         .layers = LAYERS,
               .has_ends = true, .ends_with_base = true, .tolerance = 1e-2};
    of.ways[1].steps = 2;
    check_kinds(*state, of);
    of.tolerance = 4e-2; // weights of samples, which bend at each sample, are those in the middle of a step
    of.ways[0].plays = of.ways[1].plays = ONE_SPACE;
    check_kinds(*state, of);
}

int main(int argc, char **argv) {
    if (argc > 1) sequences = (int)strtol(argv[1], NULL, 10);
    if (argc > 2) first_sequence = (int)strtol(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_space_of_one_clip_is_that_clip, stage_set_up, stage_tear_down),
        cmocka_unit_test_setup_teardown(only_proportions_of_weights_matter, stage_set_up, stage_tear_down),
        cmocka_unit_test_setup_teardown(unused_layers_change_nothing, stage_set_up, stage_tear_down),
        cmocka_unit_test_setup_teardown(a_snapshot_continues, stage_set_up, stage_tear_down),
        cmocka_unit_test_setup_teardown(half_steps_are_whole_ones, stage_set_up, stage_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
