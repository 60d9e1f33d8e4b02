// SPDX-License-Identifier: MIT
// Animators' recordings: a replay without the graph computes the same poses, and notes say what the animator did.
#include "support/graph_stage.h"
#include "support/recorded.h"

#include <stdio.h>

static const char text[] =
    "{'sinewGraph':1,'parameters':{'speed':{'type':'float','range':[0,4]},'gear':{'type':'int'},"
    "'armed':{'type':'bool'},'move':{'type':'vector2'},'jump':{'type':'trigger','hold':0.5},"
    "'look':{'type':'vector3','range':[-2,2]},'hand':{'type':'transform'}},'layers':["
    "{'name':'Base','states':{'Move':{'blend':{'x':'speed','samples':[{'clip':'idle','x':0},{'clip':'run','x':4}]}}"
    ","
    "'Jump':{'clip':'jump','loop':'once'}},'transitions':["
    "{'from':'Move','to':'Jump','when':'jump','duration':0.25},"
    "{'from':'Jump','to':'Move','when':'finished','kind':'inertialize','duration':0.5}]},"
    "{'name':'Upper','mode':'additive','reference':'run','weight':0.5,'mask':{'node':'n1'},'states':{'None':{},'"
    "Hit':{'clip':'wave'},'Hurt':{'clip':'wave'}},"
    "'transitions':[{'from':'None','to':'Hit','when':'armed'},{'from':'Hit','to':'Hurt','when':'!armed && elapsed "
    "> 0.5'},"
    "{'from':'Hurt','to':'Hit','when':'armed'}]}]}";

// The texts of tests have ' for the quotes of JSON.
static const char *json(const char *from, char *to) {
    size_t i = 0;
    for (; from[i]; i++) to[i] = from[i] == '\'' ? '"' : from[i];
    to[i] = '\0';
    return to;
}

typedef struct fixture {
    graph_stage stage;
    recorded r;
    sinew_animator *animator;
} fixture;

static sinew_animator *make_recorded_animator(fixture *f, const sinew_mixer_def *mixer) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = f->stage.binding;
    def.mixer = mixer;
    def.max_events = 0; // notes do not depend on it
    def.write_recording = record_bytes;
    def.recording_user = &f->r;
    sinew_animator *animator;
    assert_int_equal(sinew_animator_create(&def, &animator, NULL), SINEW_OK);
    return animator;
}

static void open_fixture(fixture *f) {
    char graph[sizeof text];
    f->stage = make_graph_stage(json(text, graph));
    f->r = (recorded){0};
    f->animator = make_recorded_animator(f, NULL);
}

static void close_fixture(fixture *f) {
    sinew_animator_destroy(f->animator);
    free_graph_stage(&f->stage);
    free(f->r.bytes);
}

// With the clips of the stage alone: the replay makes the additive one.
static sinew_replay *replay_of(const fixture *f) {
    static const sinew_clip *clips[GRAPH_STAGE_CLIPS];
    for (int i = 0; i < GRAPH_STAGE_CLIPS; i++) clips[i] = f->stage.clips[i];
    sinew_replay_def def = sinew_replay_default();
    def.bytes = f->r.bytes;
    def.size = f->r.size;
    def.skeleton = f->stage.skeleton;
    def.clips = clips;
    def.clip_count = GRAPH_STAGE_CLIPS;
    return open_replay(&def);
}

static void drive(const fixture *f, int frame) {
    const graph_stage *stage = &f->stage;
    sinew_animator_set_float(f->animator, parameter_of(stage, "speed"), (float)(frame % 40) * 0.1f);
    sinew_animator_set_bool(f->animator, parameter_of(stage, "armed"), frame / 50 % 2 == 1);
    if (frame % 70 == 30) sinew_animator_fire(f->animator, parameter_of(stage, "jump"));
    sinew_animator_update(f->animator, 1.0f / 30.0f);
}

// ---- Poses ---------------------------------------------------------------------------------------------------

static void test_a_replay_computes_the_same_poses(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    for (int frame = 0; frame < 300; frame++) drive(&f, frame);
    sinew_mixer *mixer = sinew_animator_mixer(f.animator);
    assert_int_equal(sinew_mixer_record(mixer, NULL, NULL, NULL), SINEW_OK);
    sinew_replay *replay = replay_of(&f);
    replay_all(replay);
    assert_int_equal(replay->first_mismatch, -1);
    assert_true(replay->complete);
    assert_true(bits_of(replay->mixer, f.stage.skeleton) == bits_of(mixer, f.stage.skeleton));
    sinew_replay_destroy(replay);
    close_fixture(&f);
}

// Handles of the two mixers differ, hashes do not.
static void test_a_recorded_animator_does_the_same(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    sinew_animator *recorded_one = f.animator;
    for (int frame = 0; frame < 200; frame++) {
        drive(&f, frame);
        f.animator = f.stage.animator;
        drive(&f, frame);
        f.animator = recorded_one;
        assert_true(sinew_animator_hash(recorded_one) == sinew_animator_hash(f.stage.animator));
    }
    close_fixture(&f);
}

// ---- Notes ---------------------------------------------------------------------------------------------------

// Compares the notes from `at` on, a line each, with those that are expected.
static void check_notes(const fixture *f, const char *const *expected, int count) {
    sinew_replay *replay = replay_of(f);
    int found = 0;
    while (replay->calls_made < replay->call_count) {
        char line[300];
        sinew_replay_describe(replay, line, sizeof line);
        sinew_replay_step(replay);
        if (strncmp(line, "note ", 5) != 0) continue;
        if (found >= count) fail_msg("also '%s'", line);
        if (strcmp(line + 5, expected[found]) != 0) fail_msg("'%s', not '%s'", line + 5, expected[found]);
        found++;
    }
    assert_int_equal(found, count);
    sinew_replay_destroy(replay);
}

#define CHECK_NOTES(f, ...)                                                                                        \
    do {                                                                                                           \
        static const char *const expected[] = {__VA_ARGS__};                                                       \
        check_notes(f, expected, (int)(sizeof expected / sizeof *expected));                                       \
    } while (0)

#define AT_START                                                                                                   \
    "set speed 0", "set gear 0", "set armed false", "set move 0 0", "set look 0 0 0", "set hand 0 0 0 0 0 0 1",    \
        "enter Base/Move", "enter Upper/None"

static void test_parameters_are_noted_when_they_change(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    const graph_stage *stage = &f.stage;
    for (int i = 0; i < 2; i++) {
        sinew_animator_set_float(f.animator, parameter_of(stage, "speed"), 9.0f); // is clamped
        sinew_animator_set_int(f.animator, parameter_of(stage, "gear"), -2);
        sinew_animator_set_vector2(f.animator, parameter_of(stage, "move"), 0.0f, 0.5f);
        sinew_animator_set_bool(f.animator, parameter_of(stage, "armed"), false);
        sinew_animator_set_vector3(f.animator, parameter_of(stage, "look"), (sinew_vec3){-3.0f, 0.1f, 1.0f});
        sinew_animator_set_transform(f.animator, parameter_of(stage, "hand"), (sinew_vec3){-1.0f, 2.0f, 0.25f},
                                     (sinew_quat){1.0f, -1.0f, 1.0f, 1.0f});
    }
    sinew_animator_fire(f.animator, parameter_of(stage, "jump"));
    sinew_animator_cancel(f.animator, parameter_of(stage, "jump"));
    sinew_animator_cancel(f.animator, parameter_of(stage, "jump"));
    CHECK_NOTES(&f, AT_START, "set speed 4", "set gear -2", "set move 0 0.5", "set look -2 0.100000001 1",
                "set hand -1 2 0.25 0.5 -0.5 0.5 0.5", "fire jump", "cancel jump");
    close_fixture(&f);
}

// Expected from docs/graph.md: the events in their order, and the transition's end after its duration.
static void test_states_and_transitions_are_noted(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    sinew_animator_fire(f.animator, parameter_of(&f.stage, "jump"));
    for (int i = 0; i < 3; i++) sinew_animator_update(f.animator, 0.125f);
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f;
    sinew_animator_force_state(f.animator, sinew_graph_find_state(f.stage.graph, "Upper/Hit"), &cut);
    sinew_animator_update(f.animator, 0.125f);
    CHECK_NOTES(&f, AT_START, "fire jump", "leave Base/Move", "start transition 0, 0.25 s, to Base/Jump",
                "enter Base/Jump", "end transition 0 to Base/Jump", "leave Upper/None",
                "start forced, 0 s, to Upper/Hit", "enter Upper/Hit", "end forced to Upper/Hit");
    close_fixture(&f);
}

static void test_a_restored_animator_notes_where_it_is(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    sinew_animator_set_float(f.animator, parameter_of(&f.stage, "speed"), 1.0f);
    sinew_animator_fire(f.animator, parameter_of(&f.stage, "jump"));
    size_t size = sinew_animator_snapshot_size(f.animator);
    void *memory = malloc(size);
    sinew_animator_save(f.animator, memory);
    sinew_animator_set_float(f.animator, parameter_of(&f.stage, "speed"), 2.0f);
    assert_true(sinew_animator_restore(f.animator, memory, size));
    CHECK_NOTES(&f, AT_START, "set speed 1", "fire jump", "set speed 2", "restore", "set speed 1", "set gear 0",
                "set armed false", "set move 0 0", "fire jump", "set look 0 0 0", "set hand 0 0 0 0 0 0 1",
                "enter Base/Move", "enter Upper/None");
    free(memory);
    close_fixture(&f);
}

static void test_the_hash_is_noted_each_second(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    for (int i = 0; i < 3; i++) sinew_animator_update(f.animator, 0.25f);
    char note[40];
    snprintf(note, sizeof note, "hash %08x%08x", (unsigned)(sinew_animator_hash(f.animator) >> 32),
             (unsigned)sinew_animator_hash(f.animator));
    sinew_animator_update(f.animator, 0.25f); // the hash before it
    const char *const expected[] = {AT_START, note};
    check_notes(&f, expected, (int)(sizeof expected / sizeof *expected));
    close_fixture(&f);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_notes_take_no_memory(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    counting counted = {0};
    sinew_mixer_def def = sinew_mixer_default();
    def.allocator = counting_allocator(&counted);
    sinew_animator_destroy(f.animator);
    f.r.size = 0;
    f.animator = make_recorded_animator(&f, &def);
    for (int frame = 0; frame < 100; frame++) drive(&f, frame);
    int allocations = counted.allocations;
    for (int frame = 100; frame < 300; frame++) drive(&f, frame);
    assert_int_equal(counted.allocations, allocations);
    close_fixture(&f);
}

static void test_an_animator_is_recorded_from_its_creation_only(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    sinew_error error;
    sinew_mixer *mixer = sinew_animator_mixer(f.stage.animator);
    assert_int_equal(sinew_mixer_record(mixer, record_bytes, &f.r, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "set write_recording in sinew_animator_def"));
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_replay_computes_the_same_poses),
        cmocka_unit_test(test_a_recorded_animator_does_the_same),
        cmocka_unit_test(test_parameters_are_noted_when_they_change),
        cmocka_unit_test(test_states_and_transitions_are_noted),
        cmocka_unit_test(test_a_restored_animator_notes_where_it_is),
        cmocka_unit_test(test_the_hash_is_noted_each_second),
        cmocka_unit_test(test_notes_take_no_memory),
        cmocka_unit_test(test_an_animator_is_recorded_from_its_creation_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
