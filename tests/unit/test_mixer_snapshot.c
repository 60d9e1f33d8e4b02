// SPDX-License-Identifier: MIT
// Snapshots: restoring continues as if nothing had happened, whatever plays. Also their size, and that the hash
// distinguishes histories.
#include "support/recorded.h"
#include "support/trials.h"

static session s;

static int set_up(void **state) {
    (void)state;
    session_open(&s);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    session_close(&s);
    return 0;
}

// Calls of every kind, and one number for all that comes out of them.
static uint64_t run(sinew_mixer *mixer, session_caller *caller, int calls) {
    uint64_t bits = BITS_NONE;
    for (int i = 0; i < calls; i++) {
        session_call(&s, mixer, caller);
        sinew_mixer_update(mixer, 1.0f / 64.0f);
        bits = bits * UINT64_C(31) + bits_of(mixer, s.skeleton);
    }
    return bits;
}

// ---- Going on ------------------------------------------------------------------------------------------------

static void test_a_restored_mixer_goes_on_with_the_same_bits(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        sinew_mixer_def def = session_def(&s);
        sinew_mixer *mixer = make_mixer(&def), *other = make_mixer(&def);
        char *memory = malloc(sinew_mixer_snapshot_size(mixer));
        session_caller caller = {.seed = seed}, unlike = {.seed = seed + 100};
        run(mixer, &caller, 100 + (int)seed);
        run(other, &unlike, 50); // it has played something else before
        size_t size = sinew_mixer_save(mixer, memory);
        assert_true(size <= sinew_mixer_snapshot_size(mixer));
        uint64_t hash = sinew_mixer_hash(mixer);
        session_caller first = caller, again = caller, elsewhere = caller;
        uint64_t bits = run(mixer, &first, 600);
        assert_true(sinew_mixer_restore(mixer, memory, size));
        assert_true(sinew_mixer_hash(mixer) == hash);
        assert_true(run(mixer, &again, 600) == bits);
        memset(memory + size, 0xcd, sinew_mixer_snapshot_size(mixer) - size); // what was not said to be saved
        assert_true(sinew_mixer_restore(other, memory, size));
        assert_true(sinew_mixer_hash(other) == hash);
        assert_true(run(other, &elsewhere, 600) == bits);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(other);
        free(memory);
    }
}

// Sixty times a second back by eight frames, which are then played again.
static void test_rollback(void **state) {
    (void)state;
    enum { FRAMES = 600, BACK = 8 };
    static uint64_t bits[FRAMES];
    static session_caller callers[FRAMES + 1];
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *straight = make_mixer(&def), *mixer = make_mixer(&def);
    session_caller caller = {.seed = 31};
    char *ring[BACK + 1];
    size_t size = sinew_mixer_snapshot_size(mixer);
    for (int i = 0; i <= BACK; i++) ring[i] = malloc(size);
    sinew_mixer *start = make_mixer(&def); // handles of its snapshot are valid in both
    sinew_mixer_save(start, ring[0]);
    assert_true(sinew_mixer_restore(straight, ring[0], size) && sinew_mixer_restore(mixer, ring[0], size));
    sinew_mixer_destroy(start);
    for (int i = 0; i < FRAMES; i++) {
        callers[i] = caller;
        bits[i] = run(straight, &caller, 1);
    }
    for (int i = 0; i < FRAMES; i++) {
        int from = i < BACK ? i : i - BACK;
        if (from < i) assert_true(sinew_mixer_restore(mixer, ring[from % (BACK + 1)], size));
        for (int frame = from; frame <= i; frame++) {
            session_caller who = callers[frame];
            sinew_mixer_save(mixer, ring[frame % (BACK + 1)]);
            assert_true(run(mixer, &who, 1) == bits[frame]);
        }
    }
    for (int i = 0; i <= BACK; i++) free(ring[i]);
    sinew_mixer_destroy(straight);
    sinew_mixer_destroy(mixer);
}

// ---- In the middle of something ------------------------------------------------------------------------------

typedef enum moment {
    IN_A_FADE,
    IN_INERTIALIZATION,
    IN_TWO_INERTIALIZATIONS,
    IN_A_DEAD_BLEND,
    IN_A_HELD_POSE,
    OVER_A_HELD_POSE, // what hides it was never seen
    IN_A_CHAIN,
    IN_A_BLEND_SPACE,
    MOMENTS
} moment;

static void go(sinew_mixer *mixer, int frames) {
    for (int i = 0; i < frames; i++) sinew_mixer_update(mixer, 1.0f / 64.0f);
}

static void change(sinew_mixer *mixer, int clip, sinew_transition_kind kind) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = 0.5f;
    how.easing = SINEW_EASING_SMOOTHSTEP;
    sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[clip]), &how, NULL);
    go(mixer, 10);
}

// Brings a mixer into a moment; returns what was started last.
static sinew_action enter(sinew_mixer *mixer, moment where) {
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
    go(mixer, 20);
    switch (where) {
    case IN_A_FADE:
        change(mixer, 1, SINEW_TRANSITION_FADE);
        break;
    case IN_INERTIALIZATION:
        change(mixer, 1, SINEW_TRANSITION_INERTIALIZE);
        break;
    case IN_TWO_INERTIALIZATIONS:
        change(mixer, 1, SINEW_TRANSITION_INERTIALIZE);
        change(mixer, 2, SINEW_TRANSITION_INERTIALIZE);
        break;
    case IN_A_DEAD_BLEND:
        change(mixer, 1, SINEW_TRANSITION_DEAD_BLEND);
        break;
    case IN_A_HELD_POSE:
        sinew_mixer_stop_all(mixer);
        go(mixer, 3);
        break;
    case OVER_A_HELD_POSE:
        sinew_mixer_stop_all(mixer);
        go(mixer, 3);
        action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), NULL);
        break;
    case IN_A_CHAIN:
        action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(s.clips[3]), 0.1f, &once);
        sinew_action_queue_previous(mixer, action, NULL);
        go(mixer, 10);
        break;
    default:
        action = sinew_mixer_play(mixer, sinew_blend_space_source(s.spaces[1], 0.3f, 0.2f), NULL);
        go(mixer, 10);
        sinew_action_set_parameter(mixer, action, -0.5f, 0.1f);
        break;
    }
    return action;
}

// Ends what hides a held pose, and continues.
static uint64_t leave(sinew_mixer *mixer, moment where, sinew_action action) {
    if (where == OVER_A_HELD_POSE) sinew_action_stop(mixer, action);
    uint64_t bits = BITS_NONE;
    for (int i = 0; i < 80; i++) {
        go(mixer, 1);
        bits = bits * UINT64_C(31) + bits_of(mixer, s.skeleton);
    }
    return bits;
}

static void test_snapshots_in_the_middle_of_something(void **state) {
    (void)state;
    for (int where = 0; where < MOMENTS; where++) {
        sinew_mixer_def def = session_def(&s);
        sinew_mixer *mixer = make_mixer(&def), *other = make_mixer(&def);
        char *memory = malloc(sinew_mixer_snapshot_size(mixer));
        sinew_action action = enter(mixer, (moment)where);
        sinew_mixer_play(other, sinew_clip_source(s.clips[2]), NULL); // another pose is held there
        go(other, 13);
        sinew_mixer_stop_all(other);
        sinew_mixer_save(mixer, memory);
        uint64_t bits = leave(mixer, (moment)where, action);
        assert_true(sinew_mixer_restore(other, memory, sinew_mixer_snapshot_size(mixer)));
        if (leave(other, (moment)where, action) != bits) fail_msg("moment %d", where);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(other);
        free(memory);
    }
}

// ---- Damage --------------------------------------------------------------------------------------------------

static void check_refused(sinew_mixer *mixer, const char *memory, size_t size, size_t at) {
    if (sinew_mixer_restore(mixer, memory, size)) fail_msg("byte %zu of %zu is damaged, but restored", at, size);
}

// Damages each byte, and pairs of bytes with the same sum or exclusive or.
static void damage(sinew_mixer *mixer, char *memory, size_t size) {
    uint64_t random = 17;
    assert_true(size > 0);
    for (size_t i = 0; i < size; i += TRIALS(1, 5)) {
        const char was = memory[i];
        memory[i] ^= (char)(1 << random_next(&random) % 8);
        check_refused(mixer, memory, size, i);
        memory[i] = was;
    }
    for (size_t i = 0; i < TRIALS(4000, 200); i++) {
        size_t a = random_next(&random) % size, b = a ^ (i % 4 < 2 ? 8 : 32);
        if (b >= size) continue;
        const char flip =
            i % 2 == 0 ? (char)0x80 : (char)(memory[a] ^ memory[b]); // the top bits, or the bytes exchanged
        memory[a] ^= flip, memory[b] ^= flip;
        if (flip != 0) check_refused(mixer, memory, size, a);
        memory[a] ^= flip, memory[b] ^= flip;
    }
}

// Nothing of the bytes is used: they have addresses, numbers of slots and times.
static void test_a_damaged_snapshot_is_refused(void **state) {
    (void)state;
    for (int where = 0; where < MOMENTS; where++) {
        sinew_mixer_def def = session_def(&s);
        sinew_mixer *mixer = make_mixer(&def), *other = make_mixer(&def);
        char *memory = malloc(sinew_mixer_snapshot_size(mixer));
        sinew_action action = enter(mixer, (moment)where);
        size_t size = sinew_mixer_save(mixer, memory);
        uint64_t hash = sinew_mixer_hash(other);
        damage(other, memory, size);
        assert_true(sinew_mixer_hash(other) == hash);
        damage(mixer, memory, size);
        uint64_t bits = leave(mixer, (moment)where, action);
        assert_true(sinew_mixer_restore(other, memory, size));
        if (leave(other, (moment)where, action) != bits) fail_msg("moment %d", where);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(other);
        free(memory);
    }
}

// ---- Sizes ---------------------------------------------------------------------------------------------------

// 8 actions and 2 layers on 60 joints.
static void test_sizes(void **state) {
    (void)state;
    uint64_t random = 5;
    sinew_skeleton *skeleton = make_chain(60);
    sinew_clip *clips[8];
    const random_clip_options wish = {.timelines = 2, .percent = 80};
    for (int i = 0; i < 8; i++) clips[i] = draw_clip(&random, skeleton, wish);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.max_actions = 8;
    sinew_mixer *mixer = make_mixer(&def);
    size_t most = sinew_mixer_snapshot_size(mixer);
    char *memory = malloc(most);
    sinew_play_def play = sinew_play_default();
    for (int i = 0; i < 8; i++) {
        play.layer = i % 2;
        play.fade = 0.1f * (float)i;
        sinew_mixer_play(mixer, sinew_clip_source(clips[i]), &play);
    }
    go(mixer, 20);
    size_t playing = sinew_mixer_save(mixer, memory);
    assert_true(playing <= 4096);
    sinew_transition how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_INERTIALIZE;
    how.duration = 0.1f;
    sinew_mixer_transition_to(mixer, sinew_clip_source(clips[0]), &how, NULL);
    assert_int_equal(sinew_mixer_save(mixer, memory), most);
    go(mixer, 60);
    assert_int_equal(sinew_mixer_save(mixer, memory), playing); // and it is over
    // Each of 64 lanes: a finished and a held pose of 40 bytes, one that moves of 76, and the offsets, 84 bytes each, of an inertialization and of one that finishes edited poses.
    print_message("%zu bytes while clips play, %zu with held poses and a running inertialization\n", playing, most);
    assert_int_equal(most - playing, 64 * (2 * 40 + 76 + 2 * 84));
    sinew_mixer_edit_pose(mixer);
    assert_int_equal(sinew_mixer_save(mixer, memory),
                     playing + (size_t)64 * 40); // with the pose that the program has edited
    sinew_mixer_destroy(mixer);
    free(memory);
    for (int i = 0; i < 8; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

// ---- The hash ------------------------------------------------------------------------------------------------

static void test_the_hash_does_not_see_who_looks(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *a = make_mixer(&def), *b = make_mixer(&def);
    session_caller for_a = {.seed = 41}, for_b = {.seed = 41};
    char *memory = malloc(sinew_mixer_snapshot_size(a));
    for (int i = 0; i < 2000; i++) {
        session_call(&s, a, &for_a);
        session_call(&s, b, &for_b);
        sinew_mixer_advance(a, 0.01f);
        sinew_mixer_advance(b, 0.01f);
        if (i % 3 == 0) sinew_mixer_evaluate(b);
        if (i % 3 == 1) sinew_mixer_pose(b);
        if (i % 5 == 0) sinew_mixer_to_model(b);
        if (i % 7 == 0) sinew_mixer_save(b, memory);
        if (i % 14 == 0) assert_true(sinew_mixer_restore(b, memory, sinew_mixer_snapshot_size(b)));
        assert_true(sinew_mixer_hash(a) == sinew_mixer_hash(b));
    }
    sinew_mixer_destroy(a);
    sinew_mixer_destroy(b);
    free(memory);
}

static void set_pose_of(sinew_mixer *mixer, const sinew_clip *clip) {
    sinew_mixer_evaluate(mixer);
    sinew_clip_sample(clip, 0.25f, sinew_mixer_edit_pose(mixer));
    sinew_mixer_set_pose(mixer, sinew_mixer_edit_pose(mixer));
}

// Setting a pose captures it into memory where older offsets may have left something.
static void test_the_hash_does_not_see_what_was_before_a_restore(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def), *other = make_mixer(&def);
    char *memory = malloc(sinew_mixer_snapshot_size(mixer));
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
    go(mixer, 5);
    change(mixer, 1, SINEW_TRANSITION_INERTIALIZE);
    go(mixer, 60);
    sinew_mixer_save(mixer, memory);
    assert_true(sinew_mixer_restore(other, memory, sinew_mixer_snapshot_size(mixer)));
    set_pose_of(mixer, s.clips[2]);
    set_pose_of(other, s.clips[2]);
    assert_true(sinew_mixer_hash(mixer) == sinew_mixer_hash(other));
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(other);
    free(memory);
}

// One call of a kind, on a mixer that plays an action in the base, one in the layer above and a blend space.
enum { CALL_COUNT = 34 };

typedef struct played {
    sinew_mixer *mixer;
    sinew_action base, layered, space;
} played;

static played play_three(void) {
    sinew_mixer_def def = session_def(&s);
    def.easing = NULL;
    played p = {.mixer = make_mixer(&def)};
    sinew_play_def play = sinew_play_default();
    p.space = sinew_mixer_play(p.mixer, sinew_blend_space_source(s.spaces[0], 0.25f, 0), NULL);
    go(p.mixer, 3);
    p.base = sinew_mixer_crossfade_to(p.mixer, sinew_clip_source(s.clips[0]), 0.5f, NULL);
    play.layer = 1;
    play.loop_count = 3;
    p.layered = sinew_mixer_play(p.mixer, sinew_clip_source(s.clips[1]), &play);
    go(p.mixer, 10);
    return p;
}

static void call_one(const played *p, int which) {
    sinew_mixer *m = p->mixer;
    sinew_play_def play = sinew_play_default();
    sinew_transition how = sinew_transition_default();
    how.duration = which == 26 || which == 28 ? 0.25f : 0.5f;
    play.speed = which == 29 ? 2.0f : 1.0f;
    sinew_play_def unweighted = sinew_play_default();
    unweighted.layer = 1;
    unweighted.weight = 0;
    switch (which) {
    case 0:
        break; // none at all
    case 1:
        sinew_mixer_play(m, sinew_clip_source(s.clips[2]), NULL);
        break;
    case 2:
        sinew_mixer_play(m, sinew_clip_source(s.clips[3]), NULL);
        break;
    case 3:
        sinew_mixer_transition_to(m, sinew_clip_source(s.clips[2]), &how, NULL);
        break;
    case 4:
        how.kind = SINEW_TRANSITION_INERTIALIZE;
        sinew_mixer_transition_to(m, sinew_clip_source(s.clips[2]), &how, NULL);
        break;
    case 5:
        how.kind = SINEW_TRANSITION_DEAD_BLEND;
        sinew_mixer_transition_to(m, sinew_clip_source(s.clips[2]), &how, NULL);
        break;
    case 6:
        how.match_rate = true;
        sinew_mixer_transition_to(m, sinew_clip_source(s.clips[2]), &how, NULL);
        break;
    case 7:
        sinew_mixer_play(m, sinew_blend_space_source(s.spaces[1], 0.5f, 0), &unweighted);
        break;
    case 8:
        sinew_mixer_play(m, sinew_blend_space_source(s.spaces[2], 0.5f, 0), &unweighted);
        break;
    case 9:
        sinew_mixer_stop_all(m);
        break;
    case 10:
        sinew_action_stop(m, p->layered);
        break;
    case 11:
        sinew_action_set_paused(m, p->base, true);
        break;
    case 12:
        sinew_action_reset(m, p->base);
        break;
    case 13:
        sinew_action_fade_to(m, p->base, 0.5f, 0.5f);
        break;
    case 14:
        sinew_action_fade_to(m, p->base, 0.5f, 0.25f);
        break;
    case 15:
        sinew_action_fade_in(m, p->space, 0.5f);
        break;
    case 16:
        sinew_action_fade_out(m, p->base, 0.5f);
        break;
    case 17:
        sinew_action_set_time(m, p->base, 0.5f);
        break;
    case 18:
        sinew_action_set_speed(m, p->base, 0.5f);
        break;
    case 19:
        sinew_action_set_weight(m, p->base, 0.25f);
        break;
    case 20:
        sinew_action_set_loop(m, p->base, SINEW_LOOP_PING_PONG, 2);
        break;
    case 21:
        sinew_action_set_parameter(m, p->space, 0.75f, 0);
        break;
    case 22:
        sinew_layer_set_weight(m, 1, 0.5f);
        break;
    case 23:
        sinew_layer_fade_to(m, 1, 0.5f, 1, SINEW_EASING_SMOOTHSTEP);
        break;
    case 24:
        sinew_layer_set_mask(m, 1, s.masks[0]);
        break;
    case 25:
        sinew_layer_set_mask(m, 1, s.masks[1]);
        break;
    case 26:
    case 27:
        sinew_action_queue(m, p->layered, sinew_clip_source(s.clips[0]), &how, NULL);
        break;
    case 28:
    case 29:
        sinew_action_queue(m, p->layered, sinew_clip_source(s.clips[2]), &how, &play);
        break;
    case 30:
        sinew_action_queue_previous(m, p->base, NULL);
        break;
    case 31:
        sinew_layer_set_mode(m, 2, SINEW_LAYER_ADDITIVE);
        break;
    case 32:
        sinew_mixer_advance(m, 0.125f);
        break;
    default:
        play.sync = 1;
        sinew_mixer_play(m, sinew_clip_source(s.clips[2]), &play);
        break;
    }
}

static void test_the_hash_tells_each_call_from_every_other(void **state) {
    (void)state;
    uint64_t hashes[CALL_COUNT];
    for (int i = 0; i < CALL_COUNT; i++) {
        played p = play_three();
        call_one(&p, i);
        hashes[i] = sinew_mixer_hash(p.mixer);
        for (int j = 0; j < i; j++) {
            if (hashes[j] == hashes[i]) fail_msg("calls %d and %d have the same hash", j, i);
        }
        sinew_mixer_destroy(p.mixer);
        p = play_three();
        call_one(&p, i);
        assert_true(sinew_mixer_hash(p.mixer) == hashes[i]);
        sinew_mixer_destroy(p.mixer);
    }
}

// ---- Without room --------------------------------------------------------------------------------------------

static void test_a_transition_without_a_blend_space_changes_nothing(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    def.max_blend_spaces = 0;
    for (int kind = SINEW_TRANSITION_FADE; kind <= SINEW_TRANSITION_DEAD_BLEND; kind++) {
        sinew_mixer *mixer = make_mixer(&def);
        sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
        go(mixer, 5);
        change(mixer, 1, SINEW_TRANSITION_INERTIALIZE); // its offsets must stay
        uint64_t hash = sinew_mixer_hash(mixer);
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)kind;
        how.duration = 0.5f;
        assert_int_equal(
            sinew_mixer_transition_to(mixer, sinew_blend_space_source(s.spaces[1], 0, 0), &how, NULL).id, 0);
        assert_true(sinew_mixer_hash(mixer) == hash);
        sinew_mixer_destroy(mixer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_restored_mixer_goes_on_with_the_same_bits),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_snapshots_in_the_middle_of_something),
        cmocka_unit_test(test_a_damaged_snapshot_is_refused),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_the_hash_does_not_see_who_looks),
        cmocka_unit_test(test_the_hash_does_not_see_what_was_before_a_restore),
        cmocka_unit_test(test_the_hash_tells_each_call_from_every_other),
        cmocka_unit_test(test_a_transition_without_a_blend_space_changes_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
