// SPDX-License-Identifier: MIT
// Animators' written states: reading continues with the same bits, other versions of a graph take what they know, and
// damaged bytes do no harm.
#include "support/state_world.h"
#include "support/trials.h"

static const char graph_text[] =
    "{'sinewGraph':1,'syncMarkers':['Foot_L','Foot_R'],'parameters':{"
    "'speed':{'type':'float','range':[0,4],'damping':0.15},'lean':{'type':'vector2','range':[-1,1],'damping':0.3},"
    "'count':{'type':'int','range':[-2,2]},'grounded':{'type':'bool','default':true},"
    "'jump':{'type':'trigger','hold':0.2},'attack':{'type':'trigger'},"
    "'part':{'type':'float','default':1,'range':[0,1],'damping':0.1}},"
    "'layers':[{'name':'Base','states':{"
    "'Move':{'blend':{'x':'speed','damping':0.1,'samples':[{'clip':'Idle'},{'clip':'Walk','x':1},{'clip':'Run','x':"
    "3}]},"
    "'sync':'feet'},'Walk':{'clip':'Walk','sync':'feet','speedParameter':'part','speed':-1.25},"
    "'Lean':{'blend':{'x':'lean','samples':[{'clip':'Idle','x':-1,'y':-1},{'clip':'Walk','x':1,'y':-1},"
    "{'clip':'Run','y':1}]}},"
    "'Air':{'tags':['airborne'],'states':{'Up':{'clip':'Jump','loop':'once'},"
    "'Turn':{'clip':'Run','loop':'pingPong','loopCount':3,'speed':2}},'transitions':["
    "{'from':'Up','to':'Turn','when':'past(0.3) && count > 0','kind':'deadBlend','offset':0.25}]}},"
    "'transitions':[{'from':'*','to':'Air','when':'jump && grounded','kind':'inertialize','duration':0.3},"
    "{'from':'Air','to':'Move','when':'finished || elapsed > 1.5 && lean.x < lean.y','duration':0.4,"
    "'easing':'smoothstep'},{'from':'Move','to':'Walk','when':'count == -1','matchRate':true},"
    "{'from':'Move','to':'Lean','when':'count == 2','duration':0.5},"
    "{'from':'Lean','to':'Move','when':'count < 0'},{'from':'Lean','to':'Move','when':'curve(`Grip`) > 0.9'},"
    "{'from':'Walk','to':'Move','when':'marker(`Foot_L`) && count != -1','kind':'deadBlend'}]},"
    "{'name':'Upper','mask':{'node':'Arm_L'},'weightParameter':'part','states':{'Off':{},"
    "'Attack':{'clip':'Attack','loop':'once'},'Wave':{'clip':'Wave'}},'transitions':["
    "{'from':['Off','Wave'],'to':'Attack','when':'attack && !in_tag(`airborne`)','interrupt':'never'},"
    "{'from':'Off','to':'Wave','when':'speed < 0.5 && in_state(`Base/Move`)'},"
    "{'from':'Attack','to':'Off','when':'fraction > 0.8'},"
    "{'from':'Wave','to':'Off','when':'loops >= 2 || speed > 2','kind':'inertialize'}]},"
    "{'name':'Add','mode':'additive','reference':'Idle','weight':0.5,'weightCurve':'Reach','states':{"
    "'Run':{'clip':'Run','speed':0.3},'Walk':{'blend':{'x':'speed','samples':[{'clip':'Walk'},"
    "{'clip':'Wave','x':2}]}}},'transitions':[{'from':'Run','to':'Walk','when':'count > 1'},"
    "{'from':'Walk','to':'Run','when':'count < 1'}]}]}";

static world w;

static world_def graph_world(void) {
    world_def def = world_plain;
    def.graph = graph_text;
    return def;
}

static int set_up(void **state) {
    (void)state;
    const world_def def = graph_world();
    open_world(&w, &def);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    close_world(&w);
    return 0;
}

// One layer more than the graph needs, for the program's own actions.
static sinew_animator *make_animator(const world *of, const sinew_allocator *allocator) {
    sinew_mixer_def mixer = sinew_mixer_default();
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = of->skeleton;
    root.node = 0;
    mixer.layer_count = of->graph->layer_count + 1;
    mixer.max_actions = 10;
    mixer.root_motion = &root;
    if (allocator) mixer.allocator = *allocator;
    sinew_animator_def def = sinew_animator_default();
    def.binding = of->binding;
    def.mixer = &mixer;
    sinew_animator *animator;
    assert_int_equal(sinew_animator_create(&def, &animator, NULL), SINEW_OK);
    return animator;
}

// ---- Random play ---------------------------------------------------------------------------------------------

static void set(sinew_animator *animator, uint64_t *draws) {
    static const char *const triggers[2] = {"jump", "attack"};
    const sinew_graph *graph = w.graph;
    if (session_below(draws, 8) == 0)
        sinew_animator_set_float(animator, sinew_graph_find_parameter(graph, "speed"), session_draw(draws, 0, 4));
    if (session_below(draws, 8) == 0) {
        const float x = session_draw(draws, -1, 1), y = session_draw(draws, -1, 1);
        sinew_animator_set_vector2(animator, sinew_graph_find_parameter(graph, "lean"), x, y);
    }
    if (session_below(draws, 12) == 0)
        sinew_animator_set_int(animator, sinew_graph_find_parameter(graph, "count"), session_below(draws, 5) - 2);
    if (session_below(draws, 20) == 0)
        sinew_animator_set_float(animator, sinew_graph_find_parameter(graph, "part"), session_draw(draws, 0, 1));
    sinew_animator_set_bool(animator, sinew_graph_find_parameter(graph, "grounded"), session_below(draws, 10) > 0);
    for (int i = 0; i < 2; i++) {
        if (session_below(draws, 20) == 0)
            sinew_animator_fire(animator, sinew_graph_find_parameter(graph, triggers[i]));
    }
}

// What the program does besides: plays in its own layer, forces states and edits poses.
static void interfere(sinew_animator *animator, uint64_t *draws) {
    sinew_mixer *mixer = sinew_animator_mixer(animator);
    const int what = session_below(draws, 60);
    if (what == 0) {
        sinew_play_def def = sinew_play_default();
        def.layer = w.graph->layer_count;
        def.loop = SINEW_LOOP_ONCE;
        sinew_mixer_crossfade_to(mixer, sinew_clip_source(world_clip(&w, "Wave")), 0.2f, &def);
    }
    if (what == 1) sinew_animator_force_state(animator, session_below(draws, w.graph->state_count), NULL);
    if (what != 2) return;
    sinew_mixer_evaluate(mixer); // the pose isn't part of a state
    state_touch_pose(mixer, draws);
}

static uint64_t frame(sinew_animator *animator, uint64_t *draws) {
    set(animator, draws);
    interfere(animator, draws);
    const float dt = session_below(draws, 20) == 0 ? 0.2f : 0.015625f;
    if (session_below(draws, 4) == 0) {
        sinew_animator_advance(animator, dt);
        sinew_mixer_advance(sinew_animator_mixer(animator), dt);
    } else {
        sinew_animator_update(animator, dt);
    }
    return sinew_animator_hash(animator);
}

static uint64_t run(sinew_animator *animator, uint64_t *draws, int frames) {
    uint64_t bits = BITS_NONE;
    for (int i = 0; i < frames; i++) bits = bits * UINT64_C(31) + frame(animator, draws);
    return add_bits_of_pose(bits, sinew_mixer_pose(sinew_animator_mixer(animator)));
}

static state_bytes write_animator(const sinew_animator *animator) {
    state_bytes to = {NULL, sinew_animator_write(animator, NULL, NULL, 0)};
    to.bytes = malloc(to.size);
    assert_non_null(to.bytes);
    assert_int_equal(sinew_animator_write(animator, NULL, to.bytes, to.size), to.size);
    return to;
}

static void read_animator(sinew_animator *animator, state_bytes from) {
    sinew_error error;
    if (sinew_animator_read(animator, NULL, from.bytes, from.size, NULL, &error) != SINEW_OK)
        fail_msg("%s", error.message);
}

static void test_what_is_read_goes_on_with_the_same_bits(void **state) {
    (void)state;
    sinew_animator *animator = make_animator(&w, NULL);
    uint64_t draws = 5, unlike = 6;
    size_t most = 0;
    for (int moment = 0; moment < (int)TRIALS(320, 40); moment++) {
        run(animator, &draws, 3 + moment % 5);
        if (moment % 4 == 0) interfere(animator, &draws);
        sinew_animator *fresh = make_animator(&w, NULL), *used = make_animator(&w, NULL);
        run(used, &unlike, 20);
        const state_bytes bytes = write_animator(animator);
        read_animator(fresh, bytes);
        read_animator(used, bytes);
        const uint64_t hash = sinew_animator_hash(animator);
        if (sinew_animator_hash(fresh) != hash || sinew_animator_hash(used) != hash) fail_msg("moment %d", moment);
        const state_bytes again = write_animator(fresh);
        assert_int_equal(again.size, bytes.size);
        assert_memory_equal(again.bytes, bytes.bytes, bytes.size);
        uint64_t a = draws, b = draws, c = draws;
        const uint64_t bits = run(animator, &a, 200);
        if (run(fresh, &b, 200) != bits || run(used, &c, 200) != bits) fail_msg("moment %d: other bits", moment);
        draws = a;
        if (bytes.size > most) most = bytes.size;
        free(bytes.bytes);
        free(again.bytes);
        sinew_animator_destroy(fresh);
        sinew_animator_destroy(used);
    }
    print_message("at most %zu bytes\n", most);
    sinew_animator_destroy(animator);
}

// ---- Other graphs --------------------------------------------------------------------------------------------

// Before: two layers. After: other orders, states and parameters that are new or gone, and another layer in between.
static const char before_text[] =
    "{'sinewGraph':1,'parameters':{'speed':{'type':'float','range':[0,4],'damping':0.15},"
    "'old':{'type':'bool'},'count':{'type':'int','range':[-5,5]},'kind':{'type':'float'},"
    "'go':{'type':'trigger','hold':1}},"
    "'layers':[{'name':'Base','states':{'Idle':{'clip':'Idle'},'Move':{'blend':{'x':'speed','samples':["
    "{'clip':'Walk'},{'clip':'Run','x':3}]}},'Gone':{'clip':'Jump'},"
    "'Air':{'states':{'Up':{'clip':'Jump'},'Fall':{'clip':'Run'}},'transitions':[{'from':'Up','to':'Fall',"
    "'when':'go','duration':0.5}]}},"
    "'transitions':[{'from':'Idle','to':'Move','when':'count == 1','duration':0.5},"
    "{'from':'Idle','to':'Move','when':'count == 2','duration':0.75},"
    "{'from':'*','to':'Gone','when':'count == 3','duration':0.5},"
    "{'from':'Idle','to':'Air','when':'count == 4','duration':0.5}]},"
    "{'name':'Upper','states':{'Off':{},'Wave':{'clip':'Wave'}},"
    "'transitions':[{'from':'Off','to':'Wave','when':'count != 0'}]}]}";

static const char after_text[] =
    "{'sinewGraph':1,'parameters':{'fresh':{'type':'float','default':0.5},'kind':{'type':'int'},"
    "'go':{'type':'trigger','hold':1},'count':{'type':'int','range':[-3,3]},"
    "'speed':{'type':'float','range':[0,2],'damping':0.15}},"
    "'layers':[{'name':'Base','states':{'Start':{'clip':'Attack'},"
    "'Air':{'states':{'Glide':{'clip':'Wave'},'Fall':{'clip':'Run'},'Up':{'clip':'Jump'}}},"
    "'Move':{'blend':{'x':'speed','samples':[{'clip':'Walk'},{'clip':'Run','x':3}]}},"
    "'Idle':{'states':{'Calm':{'clip':'Idle'}}}},"
    "'transitions':[{'from':'Idle','to':'Start','when':'count == 5'},"
    "{'from':'Idle','to':'Move','when':'false','duration':0.5},"
    "{'from':'Idle','to':'Move','when':'false','duration':0.75}]},"
    "{'name':'Face','states':{'Smile':{'clip':'Attack'}}},"
    "{'name':'Upper','states':{'Wave':{'clip':'Wave'},'Off':{}},'transitions':[{'from':'Off','to':'Wave','when':'"
    "false'}]}]}";

typedef struct versions {
    world before, after;
    sinew_animator *old, *new;
} versions;

static void open_versions(versions *v) {
    world_def def = world_plain;
    def.graph = before_text;
    open_world(&v->before, &def);
    def.graph = after_text;
    open_world(&v->after, &def);
    v->old = make_animator(&v->before, NULL);
    v->new = make_animator(&v->after, NULL);
}

static void close_versions(versions *v) {
    sinew_animator_destroy(v->old);
    sinew_animator_destroy(v->new);
    close_world(&v->before);
    close_world(&v->after);
}

static int32_t parameter_of(const world *of, const char *name) {
    return sinew_graph_find_parameter(of->graph, name);
}

static void check_state(const versions *v, int32_t layer, const char *path) {
    char text[64];
    sinew_graph_state_path(v->after.graph, sinew_animator_state(v->new, layer), text, sizeof text);
    assert_string_equal(text, path);
}

static void go(sinew_animator *animator, int frames) {
    for (int i = 0; i < frames; i++) sinew_animator_update(animator, 1.0f / 64.0f);
}

// Plays the old graph with a count, reads its state in the new one, and checks what was reported.
static void take_over(versions *v, int count, const char *expected) {
    sinew_animator_set_int(v->old, parameter_of(&v->before, "count"), count);
    go(v->old, 10);
    const state_bytes bytes = write_animator(v->old);
    world_report unknown;
    start_report(&unknown);
    sinew_error error;
    if (sinew_animator_read(v->new, NULL, bytes.bytes, bytes.size, &unknown.report, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_string_equal(unknown.text, expected);
    free(bytes.bytes);
}

static void test_another_graph_takes_what_it_knows(void **state) {
    (void)state;
    versions v;
    open_versions(&v);
    sinew_animator_set_float(v.old, parameter_of(&v.before, "speed"), 4);
    sinew_animator_set_float(v.old, parameter_of(&v.before, "kind"), 3);
    sinew_animator_set_float(v.new, parameter_of(&v.after, "fresh"), 9);
    sinew_animator_fire(v.old, parameter_of(&v.before, "go"));
    take_over(&v, 1, "parameter old, parameter kind");
    check_state(&v, 0, "Base/Move");
    check_state(&v, 1, "Face/Smile"); // a new layer's entry
    check_state(&v, 2, "Upper/Wave");
    assert_int_equal(sinew_animator_transition(v.new, 0), 1);
    assert_float_equal(sinew_animator_progress(v.new, 0), sinew_animator_progress(v.old, 0), 0);
    assert_int_equal(sinew_animator_int(v.new, parameter_of(&v.after, "count")), 1);
    assert_int_equal(sinew_animator_int(v.new, parameter_of(&v.after, "kind")), 0);
    assert_float_equal(sinew_animator_float(v.new, parameter_of(&v.after, "fresh")), 0.5, 0);
    assert_true(sinew_animator_trigger(v.new, parameter_of(&v.after, "go")));
    assert_int_equal(sinew_animator_events(v.new).count, 0);
    assert_true(sinew_action_is_active(sinew_animator_mixer(v.new), sinew_animator_action(v.new, 1)));
    assert_true(sinew_animator_action(v.new, 0).id == sinew_animator_action(v.old, 0).id);
    go(v.new, 200);
    assert_true(sinew_animator_float(v.new, parameter_of(&v.after, "speed")) == 2); // its range is smaller
    close_versions(&v);
}

static void test_transitions_between_the_same_states(void **state) {
    (void)state;
    versions v;
    open_versions(&v);
    take_over(&v, 2, "parameter old, parameter kind");
    assert_int_equal(sinew_animator_transition(v.new, 0), 2); // the second of two
    close_versions(&v);
    open_versions(&v);
    take_over(&v, 4, "parameter old, parameter kind, transition Base/Air");
    check_state(&v, 0, "Base/Air/Up");
    assert_int_equal(sinew_animator_transition(v.new, 0), SINEW_GRAPH_NONE);
    assert_true(sinew_animator_progress(v.new, 0) < 0.5f); // but it runs
    close_versions(&v);
}

static void test_an_unknown_state_enters_the_entry_state(void **state) {
    (void)state;
    versions v;
    open_versions(&v);
    take_over(&v, 3, "parameter old, parameter kind, transition Base/Gone, state Base/Gone");
    check_state(&v, 0, "Base/Start");
    const sinew_action_state now = sinew_action_get(sinew_animator_mixer(v.new), sinew_animator_action(v.new, 0));
    assert_string_equal(now.clip->name, "Attack");
    assert_float_equal(sinew_animator_progress(v.new, 0), 1, 0);
    go(v.new, 50);
    close_versions(&v);
}

static void test_a_state_that_contains_a_machine_now(void **state) {
    (void)state;
    versions v;
    open_versions(&v);
    take_over(&v, 0, "parameter old, parameter kind");
    check_state(&v, 0, "Base/Idle/Calm");
    check_state(&v, 2, "Upper/Off");
    go(v.new, 50);
    close_versions(&v);
}

// A state of the same name plays another clip now. The old clip is gone.
static void test_a_state_with_another_clip_starts_it(void **state) {
    (void)state;
    versions v;
    world_def def = world_plain;
    def.graph = "{'sinewGraph':1,'layers':[{'name':'Base','states':{'Idle':{'clip':'Idle'}}}]}";
    open_world(&v.before, &def);
    def.graph = "{'sinewGraph':1,'layers':[{'name':'Base','states':{'Idle':{'clip':'Wave'}}}]}";
    open_world(&v.after, &def);
    v.old = make_animator(&v.before, NULL);
    v.new = make_animator(&v.after, NULL);
    go(v.old, 10);
    const state_bytes bytes = write_animator(v.old);
    world_report unknown;
    start_report(&unknown);
    assert_int_equal(sinew_animator_read(v.new, NULL, bytes.bytes, bytes.size, &unknown.report, NULL), SINEW_OK);
    assert_string_equal(unknown.text, "clip Idle");
    const sinew_action_state now = sinew_action_get(sinew_animator_mixer(v.new), sinew_animator_action(v.new, 0));
    assert_string_equal(now.clip->name, "Wave");
    free(bytes.bytes);
    close_versions(&v);
}

// ---- Damage --------------------------------------------------------------------------------------------------

static void count_unknown(const char *kind, const char *name, void *user) {
    assert_true(kind && name);
    ++*(int *)user;
}

static void test_damage_with_a_checksum_that_fits(void **state) {
    (void)state;
    uint64_t random = 11, draws = 12;
    int refused = 0, accepted = 0, unknown = 0;
    const sinew_state_report report = {count_unknown, &unknown};
    for (int moment = 0; moment < 6; moment++) {
        sinew_animator *animator = make_animator(&w, NULL), *other = make_animator(&w, NULL);
        run(animator, &draws, 60 + 7 * moment);
        const state_bytes bytes = write_animator(animator);
        for (size_t i = 24; i < bytes.size; i += 1 + random_next(&random) % TRIALS(4, 29)) {
            const uint8_t was = bytes.bytes[i];
            bytes.bytes[i] ^= (uint8_t)(1u << random_next(&random) % 8);
            state_repair(bytes);
            const uint64_t hash = sinew_animator_hash(other);
            sinew_error error;
            if (sinew_animator_read(other, NULL, bytes.bytes, bytes.size, &report, &error) == SINEW_OK) {
                run(other, &draws, 50);
                accepted++;
            } else {
                assert_true(sinew_animator_hash(other) == hash);
                refused++;
            }
            bytes.bytes[i] = was;
        }
        for (size_t size = 0; size < bytes.size; size += TRIALS(1, 11)) {
            state_bytes cut = {malloc(size + 1), size};
            memcpy(cut.bytes, bytes.bytes, size);
            state_repair(cut);
            if (sinew_animator_read(other, NULL, cut.bytes, size, NULL, NULL) == SINEW_OK)
                fail_msg("%zu of %zu bytes", size, bytes.size);
            free(cut.bytes);
        }
        free(bytes.bytes);
        sinew_animator_destroy(animator);
        sinew_animator_destroy(other);
    }
    print_message("%d refused, %d read, %d names unknown\n", refused, accepted, unknown);
    assert_true(refused > 50 && accepted > 50 && unknown > 50);
}

// A mixer's state doesn't have an animator's parameters, but an animator's has all that a mixer needs.
static void test_states_of_mixers(void **state) {
    (void)state;
    sinew_animator *animator = make_animator(&w, NULL);
    uint64_t draws = 1;
    run(animator, &draws, 30);
    sinew_state_names names = sinew_state_names_default();
    names.clips = (const sinew_clip *const *)w.clips;
    names.clip_count = w.clip_count;
    const state_bytes whole = write_animator(animator);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = w.skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_mixer_read(mixer, &names, whole.bytes, whole.size, NULL, NULL), SINEW_OK);
    const state_bytes part = state_write(mixer, &names);
    sinew_error error;
    assert_int_equal(sinew_animator_read(animator, NULL, part.bytes, part.size, NULL, &error), SINEW_ERROR_FORMAT);
    assert_string_equal(error.message, "state: before byte 0: the section PARM is missing");
    free(whole.bytes);
    free(part.bytes);
    sinew_mixer_destroy(mixer);
    sinew_animator_destroy(animator);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read_goes_on_with_the_same_bits),
        cmocka_unit_test(test_another_graph_takes_what_it_knows),
        cmocka_unit_test(test_transitions_between_the_same_states),
        cmocka_unit_test(test_an_unknown_state_enters_the_entry_state),
        cmocka_unit_test(test_a_state_that_contains_a_machine_now),
        cmocka_unit_test(test_a_state_with_another_clip_starts_it),
        cmocka_unit_test(test_damage_with_a_checksum_that_fits),
        cmocka_unit_test(test_states_of_mixers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
