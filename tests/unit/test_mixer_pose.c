// SPDX-License-Identifier: MIT
// The mixer's pose: reading it, changing it for a frame, and setting it like a ragdoll does.
#include "support/mixer_stage.h"
#include "support/recorded.h"

#define DT (1.0f / 64.0f)

// ---- A program that decides the pose -------------------------------------------------------------------------

// A ragdoll at a time: far from every clip, and moving. What the tests expect is this formula.
static exact_node fallen(double time, int32_t node) {
    double half = (2.0 + node / 32.0 + 1.5 * time) / 2.0;
    bool smiles = node == STAGE_FACE || node == STAGE_TAIL;
    return (exact_node){
        .at = {-3.0 + 2.0 * time, 0.25 + node / 16.0 - time, 0.5 * time},
        .turn = {0.0, sin(half), 0.0, cos(half)},
        .size = 1.0 + 0.25 * time,
        .smile = smiles ? 0.25 + 0.5 * time : 0.0,
    };
}

static void write_fallen(sinew_pose *pose, double time) {
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node node = fallen(time, n);
        sinew_pose_set(
            pose, n,
            (sinew_transform){{(float)node.at.x, (float)node.at.y, (float)node.at.z},
                              {(float)node.turn.x, (float)node.turn.y, (float)node.turn.z, (float)node.turn.w},
                              {(float)node.size, (float)node.size, (float)node.size}});
    }
    const int32_t *offsets = pose->skeleton->weight_offsets;
    const int32_t faces[2] = {STAGE_FACE, STAGE_TAIL};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < STAGE_MORPHS; k++)
            pose->weights[offsets[faces[i]] + k] = (float)(fallen(time, faces[i]).smile + k / 8.0);
    }
}

// One frame with a pose from the program.
static void fall(mixer_stage *s, sinew_pose *pose, double time) {
    sinew_mixer_advance(s->mixer, DT);
    sinew_mixer_evaluate(s->mixer);
    write_fallen(pose, time);
    sinew_mixer_set_pose(s->mixer, pose);
    sinew_mixer_to_model(s->mixer);
}

static sinew_pose *new_pose(const mixer_stage *s) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &pose), SINEW_OK);
    return pose;
}

static void check_is_fallen(mixer_stage *s, double time, double tolerance) {
    for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, fallen(time, n), tolerance);
}

// ---- Held ----------------------------------------------------------------------------------------------------

static void test_what_is_set_while_nothing_plays_is_held(void **state) {
    mixer_stage *s = *state;
    for (int room = 0; room < 2; room++) {
        sinew_mixer_def def = stage_def(s);
        def.inertialization = room == 1;
        stage_remake(s, &def);
        sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_mixer_stop_all(s->mixer);
        sinew_pose *pose = new_pose(s);
        fall(s, pose, 0.5);
        for (int frame = 0; frame < 5; frame++) {
            sinew_mixer_update(s->mixer, DT);
            check_is_fallen(s, 0.5, 1e-6);
        }
        // What is held fades out under a clip that fades in: half of each in the middle.
        sinew_play_def play = sinew_play_default();
        play.fade = 0.5f;
        sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), &play);
        for (int frame = 0; frame < 16; frame++) sinew_mixer_update(s->mixer, DT);
        exact_node middle = mean_of_two(fallen(0.5, 4), 0.5, node_of_clip(STAGE_A, 0.25, 4), 0.5);
        check_shown(s->mixer, 4, middle, 1e-5);
        sinew_pose_destroy(pose);
    }
}

static void test_the_pose_of_the_program_is_held_when_the_last_action_ends(void **state) {
    mixer_stage *s = *state;
    for (int way = 0; way < 2; way++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        sinew_action action = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
        sinew_pose *pose = new_pose(s);
        fall(s, pose, 0);
        fall(s, pose, 0.25);
        if (way == 0) sinew_mixer_stop_all(s->mixer);
        if (way == 1) sinew_action_stop(s->mixer, action);
        sinew_mixer_update(s->mixer, DT);
        check_is_fallen(s, 0.25, 1e-6);
        sinew_pose_destroy(pose);
    }
}

// While something plays and no transition begins, what plays comes back.
static void test_what_plays_comes_back(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
    sinew_pose *pose = new_pose(s);
    for (int frame = 0; frame < 3; frame++) {
        fall(s, pose, frame);
        check_is_fallen(s, frame, 1e-6);
    }
    assert_true(sinew_mixer_update(s->mixer, DT));
    check_shown(s->mixer, 4, node_of_clip(STAGE_A, 4.0 * DT, 4), 1e-5);
    sinew_pose_destroy(pose);
}

static void test_a_pose_that_is_not_finite_is_ignored(void **state) {
    mixer_stage *s = *state;
    sinew_pose *pose = new_pose(s);
    fall(s, pose, 0.5);
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        write_fallen(pose, 1.0);
        (i == 1 ? pose->weights : pose->rz)[i == 1 ? 0 : STAGE_NODES - 1] = bad[i];
        sinew_mixer_set_pose(s->mixer, pose);
        sinew_mixer_update(s->mixer, DT);
        check_is_fallen(s, 0.5, 1e-6);
    }
    sinew_pose_destroy(pose);
}

// ---- Transitions start from it -------------------------------------------------------------------------------

typedef enum change_kind {
    BY_FADE,
    BY_INERTIALIZATION,
    BY_DEAD_BLENDING,
    BY_PLAYING,
    BY_CROSSFADE,
    BY_WEIGHT,
    BY_LAYER,
    BY_SPACE,
    CHANGES
} change_kind;

typedef struct scene_of_change {
    sinew_action base, other;
    sinew_blend_space *space;
} scene_of_change;

#define DURATION        0.5f
#define DURATION_FRAMES 32 // of DT

static void change(mixer_stage *s, const scene_of_change *with, change_kind kind) {
    sinew_mixer *mixer = s->mixer;
    sinew_transition how = sinew_transition_default();
    how.duration = DURATION;
    sinew_play_def play = sinew_play_default();
    play.fade = DURATION;
    switch (kind) {
    case BY_PLAYING:
        sinew_mixer_play(mixer, sinew_clip_source(s->clips[STAGE_B]), &play);
        break;
    case BY_CROSSFADE:
        sinew_action_fade_out(mixer, with->base, DURATION);
        sinew_action_fade_in(mixer, with->other, DURATION);
        break;
    case BY_WEIGHT:
        sinew_action_fade_to(mixer, with->other, 0.5f, DURATION);
        break;
    case BY_LAYER:
        sinew_layer_fade_to(mixer, 1, 0.25f, DURATION, SINEW_EASING_LINEAR);
        break;
    case BY_SPACE:
        sinew_mixer_transition_to(mixer, sinew_blend_space_source(with->space, 0.5f, 0), &how, NULL);
        break;
    default:
        how.kind = (sinew_transition_kind)kind;
        sinew_mixer_transition_to(mixer, sinew_clip_source(s->clips[STAGE_B]), &how, NULL);
    }
}

// What plays while the program decides: two clips in the base, one over half of the nodes in layer 1.
static scene_of_change begin_change(mixer_stage *s, const sinew_mask *mask) {
    sinew_play_def light = sinew_play_default(), upper = light;
    light.weight = 0.25f;
    upper.layer = 1;
    upper.sync = light.sync = 3;
    scene_of_change with = {.base = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL)};
    with.other = sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_C]), &light);
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_D]), &upper);
    sinew_layer_set_mask(s->mixer, 1, mask);
    const sinew_blend_sample samples[2] = {{s->clips[STAGE_A], 0, 0, 1}, {s->clips[STAGE_B], 1, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = 2;
    assert_int_equal(sinew_blend_space_create(&def, &with.space, NULL), SINEW_OK);
    return with;
}

// By each kind of change: at its moment the pose is the program's, a moment later it has gone on at the program's
// velocity, and with no velocity where one pose alone was set; and in the end there is nothing left of it.
static void check_change(mixer_stage *s, change_kind kind, const sinew_root_motion_def *root, int poses) {
    sinew_mixer_def def = stage_def(s);
    def.root_motion = root;
    stage_remake(s, &def);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s->skeleton, 0.0f, NULL, &mask), SINEW_OK);
    for (int32_t n = STAGE_NODES / 2; n < STAGE_NODES; n++) sinew_mask_set(mask, n, 1.0f);
    scene_of_change with = begin_change(s, mask);
    sinew_pose *pose = new_pose(s);
    for (int i = 0; i < 3; i++) sinew_mixer_update(s->mixer, DT);
    double last = 0;
    for (int i = 0; i < poses; i++) fall(s, pose, last = i * (double)DT);
    change(s, &with, kind);
    sinew_mixer_update(s->mixer, 0);
    check_is_fallen(s, last, 5e-6);
    // The offsets continue at the program's velocity. Clips and fades below change it slightly: a moment's pose
    // differs by the time squared, and by the error of a velocity measured over 1/1024 s.
    double moment = 1.0 / 1024.0, velocity = poses > 1 ? 1.0 : 0.0;
    sinew_mixer_update(s->mixer, (float)moment);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        exact_node at = fallen(last + velocity * moment, n), is = node_shown(s->mixer, n);
        is.smile = at.smile; // an inertialization keeps the range of a morph weight, and not its velocity
        double step = gap_between(&at, &is);
        if (step > 5e-4) fail_msg("change %d, %d poses: node %d is off by %g", (int)kind, poses, (int)n, step);
    }
    for (int i = 0; i < DURATION_FRAMES; i++) sinew_mixer_update(s->mixer, DT);
    exact_node left = node_shown(s->mixer, 1), was = fallen(last, 1);
    assert_true(gap_between(&left, &was) > 0.5);
    sinew_pose_destroy(pose);
    stage_remake(s, &def);
    sinew_blend_space_destroy(with.space);
    sinew_mask_destroy(mask);
}

static void test_every_change_starts_from_the_programs_pose(void **state) {
    mixer_stage *s = *state;
    for (int kind = 0; kind < CHANGES; kind++) {
        check_change(s, (change_kind)kind, NULL, 3);
        check_change(s, (change_kind)kind, NULL, 1);
    }
}

static void test_it_does_so_with_root_motion(void **state) {
    mixer_stage *s = *state;
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = s->skeleton;
    root.node = 0;
    root.x = true;
    for (int kind = 0; kind < CHANGES; kind++) check_change(s, (change_kind)kind, &root, 3);
}

// Also from a pose without anything playing below it.
static void test_it_does_so_where_nothing_plays(void **state) {
    mixer_stage *s = *state;
    for (int kind = BY_FADE; kind <= BY_PLAYING; kind++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        sinew_pose *pose = new_pose(s);
        sinew_mixer_update(s->mixer, DT);
        for (int i = 0; i < 3; i++) fall(s, pose, i * (double)DT);
        change(s, NULL, (change_kind)kind);
        sinew_mixer_update(s->mixer, 0);
        check_is_fallen(s, 2.0 * (double)DT, 5e-6);
        double moment = 1.0 / 1024.0;
        sinew_mixer_update(s->mixer, (float)moment);
        exact_node at = fallen(2.0 * (double)DT + moment, 5), is = node_shown(s->mixer, 5);
        assert_true(gap_between(&at, &is) < 4e-4);
        for (int i = 0; i < DURATION_FRAMES; i++) sinew_mixer_update(s->mixer, DT);
        float time = sinew_action_time(
            s->mixer, sinew_mixer_find(s->mixer, sinew_clip_source(s->clips[STAGE_B]), SINEW_ALL_LAYERS));
        check_shown(s->mixer, 5, node_of_clip(STAGE_B, (double)time, 5), 1e-5);
        sinew_pose_destroy(pose);
    }
}

static void test_what_a_mixer_does_not_animate_stays(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_def def = stage_def(s);
    def.root = 5;
    stage_remake(s, &def);
    sinew_pose *pose = new_pose(s);
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
    fall(s, pose, 0);
    fall(s, pose, 0.25);
    for (int32_t n = 0; n < 5; n++) check_shown(s->mixer, n, node_at_rest(n), 0);
    check_shown(s->mixer, 5, fallen(0.25, 5), 1e-6);
    change(s, NULL, BY_INERTIALIZATION);
    sinew_mixer_update(s->mixer, 0);
    for (int32_t n = 0; n < 5; n++) check_shown(s->mixer, n, node_at_rest(n), 0);
    check_shown(s->mixer, 5, fallen(0.25, 5), 5e-6);
    sinew_pose_destroy(pose);
}

// ---- Changed for a frame -------------------------------------------------------------------------------------

// A solver that works in every frame, below which a transition starts: its part neither doubles nor jumps.
static void test_a_change_of_each_frame_is_no_part_of_transitions(void **state) {
    mixer_stage *s = *state;
    for (int kind = BY_FADE; kind <= BY_PLAYING; kind++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        sinew_mixer *plain;
        assert_int_equal(sinew_mixer_create(&def, &plain, NULL), SINEW_OK);
        mixer_stage without = *s;
        without.mixer = plain;
        for (int i = 0; i < 2; i++)
            sinew_mixer_play(i ? s->mixer : plain, sinew_clip_source(s->clips[STAGE_A]), NULL);
        for (int frame = 0; frame < 40; frame++) {
            if (frame == 8) change(s, NULL, (change_kind)kind), change(&without, NULL, (change_kind)kind);
            for (int i = 0; i < 2; i++) {
                sinew_mixer_advance(i ? s->mixer : plain, DT);
                sinew_mixer_evaluate(i ? s->mixer : plain);
            }
            check_pose_bits(sinew_mixer_pose(s->mixer), sinew_mixer_pose(plain));
            sinew_mixer_edit_pose(s->mixer)->ty[2] += 0.3f;
            sinew_mixer_to_model(s->mixer);
        }
        sinew_mixer_destroy(plain);
    }
}

static void test_reading_changes_nothing(void **state) {
    mixer_stage *s = *state;
    sinew_action_set_paused(s->mixer, sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL), true);
    assert_true(sinew_mixer_update(s->mixer, DT));
    sinew_mixer_pose(s->mixer);
    assert_false(sinew_mixer_update(s->mixer, DT));
    sinew_mixer_edit_pose(s->mixer);
    assert_true(sinew_mixer_update(s->mixer, DT)); // it may have been changed
    assert_false(sinew_mixer_update(s->mixer, DT));
}

// ---- Snapshots and recordings --------------------------------------------------------------------------------

static uint64_t play_on(mixer_stage *s, sinew_pose *pose, change_kind kind) {
    fall(s, pose, 0.5);
    change(s, NULL, kind);
    for (int i = 0; i < 10; i++) sinew_mixer_update(s->mixer, DT);
    return bits_of(s->mixer, s->skeleton);
}

static void test_snapshots_have_it(void **state) {
    mixer_stage *s = *state;
    sinew_pose *pose = new_pose(s);
    void *memory = malloc(sinew_mixer_snapshot_size(s->mixer));
    assert_non_null(memory);
    for (int kind = BY_FADE; kind <= BY_PLAYING; kind++) {
        sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
        fall(s, pose, 0.25);
        fall(s, pose, 0.375);
        sinew_mixer_save(s->mixer, memory);
        uint64_t before = sinew_mixer_hash(s->mixer);
        // Once more with another pose in between, which must leave no trace.
        uint64_t first = play_on(s, pose, (change_kind)kind);
        fall(s, pose, 9);
        assert_true(sinew_mixer_restore(s->mixer, memory, sinew_mixer_snapshot_size(s->mixer)));
        assert_true(sinew_mixer_hash(s->mixer) == before);
        change(s, NULL, (change_kind)kind); // from the pose that was set before the snapshot
        sinew_mixer_update(s->mixer, 0);
        check_is_fallen(s, 0.375, 5e-6);
        assert_true(sinew_mixer_restore(s->mixer, memory, sinew_mixer_snapshot_size(s->mixer)));
        assert_true(play_on(s, pose, (change_kind)kind) == first);
    }
    free(memory);
    sinew_pose_destroy(pose);
}

static void test_hashes_tell_it_apart(void **state) {
    mixer_stage *s = *state;
    sinew_pose *pose = new_pose(s);
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        sinew_mixer_def def = stage_def(s);
        stage_remake(s, &def);
        sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
        fall(s, pose, i);
        hashes[i] = sinew_mixer_hash(s->mixer);
    }
    assert_true(hashes[0] != hashes[1]);
    sinew_pose_destroy(pose);
}

static void test_recordings_have_it(void **state) {
    mixer_stage *s = *state;
    recorded r = {.bytes = NULL};
    assert_int_equal(sinew_mixer_record(s->mixer, record_bytes, &r, NULL), SINEW_OK);
    sinew_pose *pose = new_pose(s);
    sinew_mixer_play(s->mixer, sinew_clip_source(s->clips[STAGE_A]), NULL);
    fall(s, pose, 0.25);
    fall(s, pose, 0.375);
    uint64_t bits = play_on(s, pose, BY_DEAD_BLENDING);
    assert_int_equal(sinew_mixer_record(s->mixer, NULL, NULL, NULL), SINEW_OK);
    const sinew_clip *clips[STAGE_CLIPS];
    for (int i = 0; i < STAGE_CLIPS; i++) clips[i] = s->clips[i];
    sinew_replay_def def = sinew_replay_default();
    def.bytes = r.bytes;
    def.size = r.size;
    def.skeleton = s->skeleton;
    def.clips = clips;
    def.clip_count = STAGE_CLIPS;
    sinew_replay *replay = open_replay(&def);
    replay_all(replay);
    assert_true(replay->complete && replay->first_mismatch == -1);
    assert_true(bits_of(replay->mixer, s->skeleton) == bits);
    sinew_replay_destroy(replay);
    free(r.bytes);
    sinew_pose_destroy(pose);
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_what_is_set_while_nothing_plays_is_held),
        on_stage(test_the_pose_of_the_program_is_held_when_the_last_action_ends),
        on_stage(test_what_plays_comes_back),
        on_stage(test_a_pose_that_is_not_finite_is_ignored),
        on_stage(test_every_change_starts_from_the_programs_pose),
        on_stage(test_it_does_so_with_root_motion),
        on_stage(test_it_does_so_where_nothing_plays),
        on_stage(test_what_a_mixer_does_not_animate_stays),
        on_stage(test_a_change_of_each_frame_is_no_part_of_transitions),
        on_stage(test_reading_changes_nothing),
        on_stage(test_snapshots_have_it),
        on_stage(test_hashes_tell_it_apart),
        on_stage(test_recordings_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
