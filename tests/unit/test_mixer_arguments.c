// SPDX-License-Identifier: MIT
// Wrong arguments for the mixer. Each case runs in a child process: a build with asserts must stop, and a build
// without must continue with a finite pose.
#include <sinew/sinew.h>
#include <sinew/motion/mixer_snapshot.h>

#include "support/in_child.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- The stage -----------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_skeleton *skeleton, *other_skeleton;
    sinew_clip *slide, *foreign, *additive;
    sinew_blend_space *space, *foreign_space;
    sinew_mask *foreign_mask;
    sinew_mixer *mixer;   // plays `slide` in the base
    sinew_action playing; // that
} stage;

static sinew_blend_space *line_of(const sinew_clip *clip) {
    sinew_blend_sample samples[2] = {{clip, 0, 0, 1}, {clip, 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = clip->skeleton;
    def.samples = samples;
    def.sample_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static sinew_mixer_def mixer_def(const stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    def.layer_count = 3;
    def.max_blend_spaces = 2;
    return def;
}

static stage make_stage(void) {
    stage s;
    s.skeleton = make_chain(3), s.other_skeleton = make_chain(3);
    s.slide = make_slide(s.skeleton, "slide", 1, 1, 2);
    s.foreign = make_slide(s.other_skeleton, "foreign", 1, 1, 2);
    assert_int_equal(sinew_clip_make_additive(s.slide, NULL, NULL, &s.additive, NULL), SINEW_OK);
    s.space = line_of(s.slide), s.foreign_space = line_of(s.foreign);
    assert_int_equal(sinew_mask_create(s.other_skeleton, 1, NULL, &s.foreign_mask), SINEW_OK);
    sinew_mixer_def def = mixer_def(&s);
    assert_int_equal(sinew_mixer_create(&def, &s.mixer, NULL), SINEW_OK);
    sinew_layer_set_mode(s.mixer, 2, SINEW_LAYER_ADDITIVE);
    s.playing = sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), NULL);
    return s;
}

static void free_stage(stage *s) {
    sinew_mixer_destroy(s->mixer);
    sinew_mask_destroy(s->foreign_mask);
    sinew_blend_space_destroy(s->space);
    sinew_blend_space_destroy(s->foreign_space);
    sinew_clip_destroy(s->additive);
    sinew_clip_destroy(s->foreign);
    sinew_clip_destroy(s->slide);
    sinew_skeleton_destroy(s->other_skeleton);
    sinew_skeleton_destroy(s->skeleton);
}

// ---- Cases ---------------------------------------------------------------------------------------------------

// A call with a wrong argument. Returns the action of a call that plays something.
typedef sinew_action (*wrong_call)(stage *s);

#define NOTHING ((sinew_action){0})

static sinew_action play_with(stage *s, sinew_play_def def) {
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->slide), &def);
}

#define PLAYS_WITH(name, field, value)                                                                             \
    static sinew_action name(stage *s) {                                                                           \
        sinew_play_def def = sinew_play_default();                                                                 \
        def.field = value;                                                                                         \
        return play_with(s, def);                                                                                  \
    }

PLAYS_WITH(loop_99, loop, (sinew_loop)99)
PLAYS_WITH(sync_256, sync, 256)
PLAYS_WITH(sync_negative, sync, -1)
PLAYS_WITH(easing_300, easing, (sinew_easing)300)
PLAYS_WITH(layer_3, layer, 3)
PLAYS_WITH(layer_negative, layer, -1)
PLAYS_WITH(nan_speed, speed, NAN)
PLAYS_WITH(infinite_speed, speed, INFINITY)
PLAYS_WITH(nan_time, time, NAN)
PLAYS_WITH(nan_weight, weight, NAN)
PLAYS_WITH(huge_weight, weight, FLT_MAX)
PLAYS_WITH(nan_fade, fade, NAN)
PLAYS_WITH(infinite_fade, fade, INFINITY)

static sinew_action no_clip(stage *s) {
    return sinew_mixer_play(s->mixer, sinew_clip_source(NULL), NULL); // a misspelt name
}

static sinew_action foreign_clip(stage *s) {
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->foreign), NULL);
}

static sinew_action additive_in_base(stage *s) {
    return sinew_mixer_play(s->mixer, sinew_clip_source(s->additive), NULL);
}

static sinew_action whole_in_additive_layer(stage *s) {
    sinew_play_def def = sinew_play_default();
    def.layer = 2;
    return play_with(s, def);
}

static sinew_action transition_to_no_clip(stage *s) {
    sinew_transition transition = sinew_transition_default();
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(NULL), &transition, NULL);
}

static sinew_action transition_kind_7(stage *s) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = (sinew_transition_kind)7;
    transition.duration = 1;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->slide), &transition, NULL);
}

static sinew_action transition_easing_300(stage *s) {
    sinew_transition transition = sinew_transition_default();
    transition.easing = (sinew_easing)300;
    transition.duration = 1;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->slide), &transition, NULL);
}

static sinew_action crossfade_to_no_clip(stage *s) {
    return sinew_mixer_crossfade_to(s->mixer, sinew_clip_source(NULL), 0.2f, NULL);
}

static sinew_action no_space(stage *s) {
    return sinew_mixer_play(s->mixer, sinew_blend_space_source(NULL, 0, 0), NULL);
}

static sinew_action foreign_space(stage *s) {
    return sinew_mixer_play(s->mixer, sinew_blend_space_source(s->foreign_space, 0, 0), NULL);
}

static sinew_action follow_foreign_clip(stage *s) {
    sinew_action_queue(s->mixer, s->playing, sinew_clip_source(s->foreign), NULL, NULL);
    return NOTHING;
}

static sinew_action follow_additive(stage *s) {
    sinew_action_queue(s->mixer, s->playing, sinew_clip_source(s->additive), NULL, NULL);
    return NOTHING;
}

static sinew_action set_loop_99(stage *s) {
    sinew_action_set_loop(s->mixer, s->playing, (sinew_loop)99, 1);
    return NOTHING;
}

static sinew_action find_in_layer_3(stage *s) {
    return sinew_mixer_find(s->mixer, sinew_clip_source(s->slide), 3);
}

static sinew_action weight_of_layer_3(stage *s) {
    if (sinew_layer_weight(s->mixer, 3) != 0.0f) abort();
    return NOTHING;
}

static sinew_action weight_of_base(stage *s) {
    sinew_layer_set_weight(s->mixer, 0, 0.5f);
    return NOTHING;
}

static sinew_action curve_of_layer_300(stage *s) {
    sinew_layer_fade_to(s->mixer, 1, 0.5f, 1, (sinew_easing)300);
    return NOTHING;
}

static sinew_action foreign_mask(stage *s) {
    sinew_layer_set_mask(s->mixer, 1, s->foreign_mask);
    return NOTHING;
}

static sinew_action mode_2(stage *s) {
    sinew_layer_set_mode(s->mixer, 1, (sinew_layer_mode)2);
    return NOTHING;
}

static sinew_action actions_without_room(stage *s) {
    if (sinew_mixer_actions(s->mixer, NULL, 4) != 1) abort();
    return NOTHING;
}

static sinew_action space_at_nan(stage *s) {
    return sinew_mixer_play(s->mixer, sinew_blend_space_source(s->space, NAN, 0), NULL);
}

static sinew_action parameter_nan(stage *s) {
    sinew_action action = sinew_mixer_play(s->mixer, sinew_blend_space_source(s->space, 0.5f, 0), NULL);
    sinew_action_set_parameter(s->mixer, action, NAN, INFINITY);
    return action;
}

static sinew_action duration_nan(stage *s) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = SINEW_TRANSITION_INERTIALIZE;
    transition.duration = NAN;
    return sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->slide), &transition, NULL);
}

static sinew_action set_speed_nan(stage *s) {
    sinew_action_set_speed(s->mixer, s->playing, NAN);
    return s->playing;
}

static sinew_action set_time_nan(stage *s) {
    sinew_action_set_time(s->mixer, s->playing, NAN);
    return s->playing;
}

static sinew_action set_weight_infinite(stage *s) {
    sinew_action_set_weight(s->mixer, s->playing, INFINITY);
    return s->playing;
}

static sinew_action weights_that_overflow(stage *s) {
    sinew_play_def def = sinew_play_default();
    def.weight = 3e38f;
    def.allow_duplicate = true;
    play_with(s, def);
    return play_with(s, def);
}

static sinew_action fade_to_nan(stage *s) {
    sinew_action_fade_to(s->mixer, s->playing, NAN, NAN);
    return s->playing;
}

static sinew_action fade_out_infinite(stage *s) {
    sinew_action_fade_out(s->mixer, s->playing, INFINITY);
    return s->playing;
}

static sinew_action layer_weight_nan(stage *s) {
    sinew_layer_set_weight(s->mixer, 1, NAN);
    return s->playing;
}

static sinew_action advance_nan(stage *s) {
    sinew_mixer_advance(s->mixer, NAN);
    return s->playing;
}

static sinew_action advance_back(stage *s) {
    sinew_mixer_advance(s->mixer, -1);
    return s->playing;
}

static sinew_action advance_infinite(stage *s) {
    sinew_mixer_advance(s->mixer, INFINITY);
    return s->playing;
}

typedef struct wrong_case {
    const char *name;
    wrong_call call;
} wrong_case;

#define CASE(name)                                                                                                 \
    { #name, name }

// Pointers, enums, layers and groups: the call changes nothing and returns {0}.
static const wrong_case refused[] = {
    CASE(no_clip),
    CASE(foreign_clip),
    CASE(additive_in_base),
    CASE(whole_in_additive_layer),
    CASE(loop_99),
    CASE(sync_256),
    CASE(sync_negative),
    CASE(easing_300),
    CASE(layer_3),
    CASE(layer_negative),
    CASE(transition_to_no_clip),
    CASE(transition_kind_7),
    CASE(transition_easing_300),
    CASE(crossfade_to_no_clip),
    CASE(no_space),
    CASE(foreign_space),
    CASE(follow_foreign_clip),
    CASE(follow_additive),
    CASE(set_loop_99),
    CASE(find_in_layer_3),
    CASE(weight_of_layer_3),
    CASE(weight_of_base),
    CASE(curve_of_layer_300),
    CASE(foreign_mask),
    CASE(mode_2),
    CASE(actions_without_room),
};

// Numbers: the call uses a safe one instead.
static const wrong_case made_safe[] = {
    CASE(nan_speed),           CASE(infinite_speed),        CASE(nan_time),
    CASE(nan_weight),          CASE(huge_weight),           CASE(nan_fade),
    CASE(infinite_fade),       CASE(space_at_nan),          CASE(parameter_nan),
    CASE(duration_nan),        CASE(set_speed_nan),         CASE(set_time_nan),
    CASE(set_weight_infinite), CASE(weights_that_overflow), CASE(fade_to_nan),
    CASE(fade_out_infinite),   CASE(layer_weight_nan),      CASE(advance_nan),
    CASE(advance_back),        CASE(advance_infinite),
};

#define COUNT(cases) ((int)(sizeof(cases) / sizeof *(cases)))

// ---- In a child process --------------------------------------------------------------------------------------

enum { GOOD = 0, RETURNED_AN_ACTION = 10, CHANGED = 11, RETURNED_NONE = 12, NOT_GOOD = 13 };

// The clips neither turn nor scale, so each matrix keeps rows of length 1. A sum of weights that overflows makes
// zeros.
static bool is_pose_good(sinew_mixer *mixer, const sinew_skeleton *skeleton) {
    const sinew_affine *model = sinew_mixer_model_matrices(mixer);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        for (int row = 0; row < 3; row++) {
            const float *m = model[i].m[row];
            float length = sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
            if (!isfinite(m[3]) || !(fabsf(length - 1) < 1e-3f)) return false;
        }
    }
    return true;
}

// What may be asked about actions and layers is finite.
static bool are_numbers_good(const stage *s) {
    sinew_action actions[16];
    int32_t count = sinew_mixer_actions(s->mixer, actions, 16);
    for (int32_t i = 0; i < count; i++) {
        sinew_blend_parameter at = sinew_action_get(s->mixer, actions[i]).parameter;
        float weight = sinew_action_weight(s->mixer, actions[i]);
        if (!(weight >= 0 && weight <= SINEW_MAX_WEIGHT) || !isfinite(at.x) || !isfinite(at.y)) return false;
        if (!isfinite(sinew_action_get(s->mixer, actions[i]).speed)) return false;
        if (!isfinite(sinew_action_time(s->mixer, actions[i]))) return false;
    }
    return isfinite(sinew_layer_weight(s->mixer, 1));
}

static bool stays_good(stage *s) {
    for (int i = 0; i < 100; i++) {
        sinew_mixer_update(s->mixer, 1.0f / 60.0f);
        if (!is_pose_good(s->mixer, s->skeleton) || !are_numbers_good(s)) return false;
    }
    return true;
}

static int try_refused(stage *s, wrong_call call) {
    sinew_mixer_update(s->mixer, 0.25f);
    uint64_t before = sinew_mixer_hash(s->mixer);
    if (call(s).id != 0) return RETURNED_AN_ACTION;
    if (sinew_mixer_hash(s->mixer) != before) return CHANGED;
    return stays_good(s) ? GOOD : NOT_GOOD;
}

static int try_made_safe(stage *s, wrong_call call) {
    sinew_mixer_update(s->mixer, 0.25f);
    if (call(s).id == 0) return RETURNED_NONE;
    return stays_good(s) ? GOOD : NOT_GOOD;
}

typedef struct attempt {
    stage stage;
    int (*try)(stage *s, wrong_call call);
    wrong_call call;
} attempt;

static int make_attempt(void *data) {
    attempt *a = data;
    return a->try(&a->stage, a->call);
}

static int run_case(int (*try)(stage *s, wrong_call call), wrong_call call) {
    attempt a = {make_stage(), try, call};
    int end = run_in_child(make_attempt, &a);
    free_stage(&a.stage);
    return end;
}

static void run_cases(const wrong_case *cases, int count, int (*try)(stage *s, wrong_call call)) {
#ifdef NDEBUG
    const int expected = GOOD;
#else
    const int expected = -SIGABRT;
#endif
    int faults = 0;
    for (int i = 0; i < count; i++) {
        int end = run_case(try, cases[i].call);
        if (end == expected) continue;
        print_error("%s: ended with %d, not %d\n", cases[i].name, end, expected);
        faults++;
    }
    assert_int_equal(faults, 0);
}

static void test_wrong_pointers_and_enums_are_refused(void **state) {
    (void)state;
    run_cases(refused, COUNT(refused), try_refused);
}

static void test_wrong_numbers_are_made_safe(void **state) {
    (void)state;
    run_cases(made_safe, COUNT(made_safe), try_made_safe);
}

// What stays right: the comments of the header allow it.
static void test_what_is_allowed_is_not_asserted(void **state) {
    (void)state;
    stage s = make_stage();
    sinew_play_def def = sinew_play_default();
    def.weight = -1, def.fade = -1, def.time = -7, def.loop_count = -3;
    sinew_action action = play_with(&s, def);
    check_near(sinew_action_weight(s.mixer, action), 0, 0);
    sinew_action_fade_to(s.mixer, action, SINEW_MAX_WEIGHT, 0);
    sinew_action_set_time(s.mixer, action, -1);
    sinew_action_queue(s.mixer, action, sinew_clip_source(NULL), NULL, NULL);
    assert_int_equal(sinew_mixer_find(s.mixer, sinew_clip_source(NULL), SINEW_ALL_LAYERS).id, 0);
    assert_int_equal(sinew_mixer_actions(s.mixer, NULL, 0), 1);
    sinew_layer_set_mask(s.mixer, 1, NULL);
    sinew_mixer_update(s.mixer, 0);
    assert_true(stays_good(&s));
    free_stage(&s);
}

// ---- Curves of the program -----------------------------------------------------------------------------------

static float bad_curve(int32_t number, float u, void *user) {
    (void)user;
    return number == 0 ? NAN : number == 1 ? u / 0.0f : FLT_MAX;
}

static int try_curve(stage *s, wrong_call call) {
    (void)call;
    for (int32_t number = 0; number < 3; number++) {
        sinew_mixer_def mixer = mixer_def(s);
        mixer.easing = bad_curve;
        sinew_mixer_destroy(s->mixer);
        if (sinew_mixer_create(&mixer, &s->mixer, NULL) != SINEW_OK) return 1;
        sinew_mixer_play(s->mixer, sinew_clip_source(s->slide), NULL);
        sinew_mixer_update(s->mixer, 0.1f);
        sinew_transition transition = sinew_transition_default();
        transition.duration = 1;
        transition.easing = (sinew_easing)(SINEW_EASING_USER + number);
        sinew_play_def def = sinew_play_default();
        def.allow_duplicate = true;
        sinew_mixer_transition_to(s->mixer, sinew_clip_source(s->slide), &transition, &def);
        if (!stays_good(s)) return NOT_GOOD;
    }
    return GOOD;
}

static void test_a_curve_that_is_not_finite_is_caught(void **state) {
    (void)state;
    const wrong_case of_easing = {"easing", NULL};
    run_cases(&of_easing, 1, try_curve);
}

// ---- Creating ------------------------------------------------------------------------------------------------

typedef struct refused_def {
    void (*spoil)(sinew_mixer_def *def);
    const char *message;
} refused_def;

static void no_skeleton(sinew_mixer_def *def) {
    def->skeleton = NULL;
}
static void root_3(sinew_mixer_def *def) {
    def->root = 3;
}
static void no_actions(sinew_mixer_def *def) {
    def->max_actions = 0;
}
static void nine_layers(sinew_mixer_def *def) {
    def->layer_count = 9;
}
static void hints_256(sinew_mixer_def *def) {
    def->hints_per_action = 256;
}
static void events_65536(sinew_mixer_def *def) {
    def->max_events = 65536;
}

static void smoothing_below_0(sinew_mixer_def *def) {
    def->smoothing = -1.0f;
}

static void smoothing_that_is_no_number(sinew_mixer_def *def) {
    def->smoothing = NAN;
}
static void five_spaces(sinew_mixer_def *def) {
    def->max_blend_spaces = 5;
}
static void underweight_2(sinew_mixer_def *def) {
    def->underweight = (sinew_underweight)2;
}

static void names_65(sinew_mixer_def *def) {
    static const char *names[65];
    for (int i = 0; i < 65; i++) names[i] = "Foot";
    def->sync_names = names;
    def->sync_name_count = 65;
}

static void no_names(sinew_mixer_def *def) {
    def->sync_name_count = 2;
}

static void second_name(sinew_mixer_def *def) {
    static const char *const names[2] = {"Foot_L", NULL};
    def->sync_names = names;
    def->sync_name_count = 2;
}

static void test_a_definition_that_is_refused_says_why(void **state) {
    (void)state;
    const refused_def defs[] = {
        {no_skeleton, "mixer: def->skeleton is NULL"},
        {root_3, "mixer: root is node 3, but the skeleton has 3 nodes; set it to one of them or to SINEW_NO_NODE"},
        {no_actions, "mixer: max_actions is 0; it must be 1 to 64"},
        {nine_layers, "mixer: layer_count is 9; it must be 1 to 8"},
        {hints_256, "mixer: hints_per_action is 256; it must be 0 to 255"},
        {events_65536, "mixer: max_events is 65536; it must be 0 to 65535"},
        {smoothing_below_0, "mixer: smoothing is -1 s; it must be 0 or more"},
        {smoothing_that_is_no_number, "mixer: smoothing is nan s; it must be 0 or more"},
        {five_spaces, "mixer: max_blend_spaces is 5; it must be 0 to 4"},
        {underweight_2, "mixer: underweight is 2; it must be 0 to 1"},
        {names_65, "mixer: sync_name_count is 65; it must be 0 to 64"},
        {no_names, "mixer: sync_name_count is 2, but sync_names is NULL"},
        {second_name, "mixer: sync_names[1] is NULL"},
    };
    stage s = make_stage();
    for (int i = 0; i < COUNT(defs); i++) {
        sinew_mixer_def def = mixer_def(&s);
        defs[i].spoil(&def);
        sinew_mixer *mixer = s.mixer;
        sinew_error error;
        assert_int_equal(sinew_mixer_create(&def, &mixer, &error), SINEW_ERROR_ARGUMENT);
        assert_null(mixer);
        assert_string_equal(error.message, defs[i].message);
    }
    free_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_pointers_and_enums_are_refused),
        cmocka_unit_test(test_wrong_numbers_are_made_safe),
        cmocka_unit_test(test_what_is_allowed_is_not_asserted),
        cmocka_unit_test(test_a_curve_that_is_not_finite_is_caught),
        cmocka_unit_test(test_a_definition_that_is_refused_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
