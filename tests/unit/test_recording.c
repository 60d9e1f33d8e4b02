// SPDX-License-Identifier: MIT
// Recordings: their content, that they replay to the same bits, and what's refused.
#include "support/recorded.h"
#include "motion/recording_format.h"

static session s;
static const sinew_clip *clips[SESSION_CLIPS + 1];

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

// ---- The same bits -------------------------------------------------------------------------------------------

// Replays a recording, and compares what comes out with the mixer that was recorded.
static void check_replay(recorded r, sinew_mixer *mixer) {
    sinew_replay_def def = replay_def(&s, clips, r);
    sinew_replay *replay = open_replay(&def);
    replay_all(replay);
    assert_int_equal(replay->first_mismatch, -1);
    assert_true(replay->complete);
    assert_true(bits_of(replay->mixer, s.skeleton) == bits_of(mixer, s.skeleton));
    sinew_replay_destroy(replay);
}

static void test_ten_thousand_calls_replay_to_the_same_bits(void **state) {
    (void)state;
    enum { CALLS = 10000 };
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    session_caller caller = {.seed = 1};
    for (int i = 0; i < CALLS; i++) session_call(&s, mixer, &caller);
    assert_int_equal(sinew_mixer_record(mixer, NULL, NULL, NULL), SINEW_OK);
    print_message("%d calls: %zu bytes, %.1f a call\n", CALLS, r.size, (double)r.size / CALLS);
    check_replay(r, mixer);
    sinew_mixer_destroy(mixer);
    free(r.bytes);
}

static void test_every_way_to_make_a_mixer_is_recorded(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        recorded r = {0};
        sinew_mixer_def def = session_def(&s);
        def.root = i & 1 ? 2 : SINEW_NO_NODE;
        def.inertialization = (i & 2) != 0;
        def.underweight = i & 4 ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
        def.hints_per_action = i;
        def.sync_name_count = i % 3;
        sinew_root_motion_def root = s.root;
        if (i & 1) root.node = 2;
        root.up = i & 1 ? SINEW_UP_Z : SINEW_UP_Y;
        root.x = i & 2, root.y = i & 4, root.yaw = !(i & 4), root.close_loops = i & 1;
        def.root_motion = i == 5 ? NULL : &root;
        sinew_mixer *mixer = make_recorded(&def, &r);
        session_caller caller = {.seed = (uint64_t)i};
        for (int call = 0; call < 600; call++) session_call(&s, mixer, &caller);
        sinew_mixer_record(mixer, NULL, NULL, NULL);
        check_replay(r, mixer);
        sinew_mixer_destroy(mixer);
        free(r.bytes);
    }
}

// Goes back eight frames now and then and does something else from there.
static void test_snapshots_are_replayed(void **state) {
    (void)state;
    enum { RING = 16, BACK = 8 };
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    size_t size = sinew_mixer_snapshot_size(mixer);
    char *ring[RING];
    for (int i = 0; i < RING; i++) ring[i] = malloc(size);
    session_caller caller = {.seed = 3};
    for (int i = 0; i < 2000; i++) {
        sinew_mixer_save(mixer, ring[i % RING]);
        session_call(&s, mixer, &caller);
        if (i % 5 == 4 && i > RING)
            assert_true(sinew_mixer_restore(mixer, ring[(i - BACK) % RING], sinew_mixer_snapshot_size(mixer)));
    }
    sinew_mixer_update(mixer, 0.01f);
    assert_int_equal(sinew_mixer_record(mixer, NULL, NULL, NULL), SINEW_OK);
    check_replay(r, mixer);
    sinew_mixer_destroy(mixer);
    for (int i = 0; i < RING; i++) free(ring[i]);
    free(r.bytes);
}

typedef struct callback {
    sinew_mixer *mixer;
    int calls;
} callback;

static void on_event(const sinew_event *event, void *user) {
    callback *c = user;
    c->calls++;
    if (event->type == SINEW_EVENT_MARKER)
        sinew_mixer_crossfade_to(c->mixer, sinew_clip_source(s.clips[c->calls % SESSION_CLIPS]), 0.1f, NULL);
    if (event->type == SINEW_EVENT_LOOPED) sinew_action_set_speed(c->mixer, event->action, 0.5f);
}

static void test_what_callbacks_call_comes_once(void **state) {
    (void)state;
    recorded r = {0};
    callback c = {NULL, 0};
    sinew_mixer_def def = session_def(&s);
    def.on_event = on_event;
    def.user = &c;
    sinew_mixer *mixer = c.mixer = make_recorded(&def, &r);
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), NULL);
    for (int i = 0; i < 400; i++) sinew_mixer_update(mixer, 0.03f);
    assert_true(c.calls > 12); // it went round at least
    sinew_mixer_record(mixer, NULL, NULL, NULL);
    check_replay(r, mixer);
    sinew_mixer_destroy(mixer);
    free(r.bytes);
}

static void test_a_batch_is_recorded(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_batch_item item = {.mixer = make_recorded(&def, &r)};
    sinew_mixer_play(item.mixer, sinew_clip_source(s.clips[1]), NULL);
    for (int i = 0; i < 20; i++) sinew_batch_update(&item, 0, 1, 0.1f);
    sinew_mixer_record(item.mixer, NULL, NULL, NULL);
    check_replay(r, item.mixer);
    sinew_mixer_destroy(item.mixer);
    free(r.bytes);
}

// ---- What differs --------------------------------------------------------------------------------------------

static float early(int32_t number, float u, void *user) {
    (void)user;
    return number == 0 ? 1.0f - (1.0f - u) * (1.0f - u) : u;
}

static void test_curves_are_the_callers(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    def.easing = early;
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_transition how = sinew_transition_default();
    how.easing = SINEW_EASING_USER;
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
    sinew_mixer_update(mixer, 0.05f);
    sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[1]), &how, NULL);
    for (int i = 0; i < 5; i++) sinew_mixer_update(mixer, 0.05f);
    sinew_mixer_destroy(mixer); // which ends the recording, too
    sinew_replay_def with = replay_def(&s, clips, r);
    with.easing = early;
    sinew_replay *replay = open_replay(&with);
    replay_all(replay);
    assert_int_equal(replay->first_mismatch, -1);
    assert_true(replay->complete);
    check_near(replay->seconds, 0.3, 1e-6);
    sinew_replay_destroy(replay);
    with.easing = NULL;
    replay = open_replay(&with);
    replay_all(replay);
    // play, advance, show, transition_to, advance, show, and then the next one finds it
    assert_int_equal(replay->first_mismatch, 6);
    sinew_replay_destroy(replay);
    free(r.bytes);
}

// ---- Bytes ---------------------------------------------------------------------------------------------------

// The format, by hand: what is written here must never be read as anything else.
static void test_a_recording_is_these_bytes(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(2);
    sinew_clip *slide = make_slide(skeleton, "ab", 1, 1, 2);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(skeleton, 1, NULL, &mask), SINEW_OK);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    recorded r = {0};
    sinew_mixer *mixer = make_recorded(&def, &r);
    const uint8_t head[] = {'S', 'n', 'w', 'R', 7, 0, 2, 0, 0, 0}; // and the skeleton's fingerprint
    assert_memory_equal(r.bytes, head, sizeof head);
    const uint8_t numbers[] = {0xff, 0xff, 0xff, 0xff, 16, 2, 8, 2, 32, 0, 1, 0xcd, 0xcc, 0x4c, 0x3e, 0};
    assert_memory_equal(r.bytes + 18, numbers, sizeof numbers);
    assert_int_equal(r.size, 18 + sizeof numbers);

    size_t at = r.size;
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(slide), NULL);
    const uint8_t clip[] = {1, 2, 0, 0, 0, 'a', 'b', 0, 0, 0x80, 0x3f}; // and its fingerprint
    assert_memory_equal(r.bytes + at, clip, sizeof clip);
    at += sizeof clip + 8;
    const uint8_t play[] = {0, 0, 4, 1, 0, 0}; // the first of its kind; the call
    assert_memory_equal(r.bytes + at, play, sizeof play);
    at += sizeof play;

    sinew_action_fade_to(mixer, action, 0.5f, 2);
    sinew_layer_set_mask(mixer, 1, mask);
    const uint8_t calls[] = {12, 1,    1, 0, 0, 0,    0,    0, 0, 0,    0,    0,  0x3f, 0, 0,
                             0,  0x40, 2, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 22, 1,    2, 0};
    assert_memory_equal(r.bytes + at, calls, sizeof calls);
    at += sizeof calls;
    assert_int_equal(r.size, at);
    sinew_mixer_update(mixer, 1);
    const uint8_t step[] = {26, 0, 0, 0x80, 0x3f}; // and a hash; and then that it is shown
    assert_memory_equal(r.bytes + at, step, sizeof step);
    assert_int_equal(r.size, at + sizeof step + 8 + 1);
    assert_int_equal(r.bytes[r.size - 1], 29);
    sinew_mixer_destroy(mixer);
    assert_int_equal(r.bytes[at + sizeof step + 9], 0); // the end, and a hash
    assert_int_equal(r.size, at + sizeof step + 9 + 9);
    sinew_mask_destroy(mask);
    sinew_clip_destroy(slide);
    sinew_skeleton_destroy(skeleton);
    free(r.bytes);
}

static void test_a_call_is_written_before_it_is_made(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    int pieces = r.pieces;
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
    assert_int_equal(r.pieces, pieces + 1);
    sinew_mixer_destroy(mixer);
    free(r.bytes);
}

// The calls that came with version 2.
static void test_the_newer_calls_are_these_bytes(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_play_def play = sinew_play_default();
    play.restart = true;
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), &play);
    const uint8_t restarts[] = {0, 1}; // separate, restart
    assert_memory_equal(r.bytes + r.size - 2, restarts, sizeof restarts);
    size_t at = r.size;
    sinew_action_queue_fade_out(mixer, action, 0.5f);
    const uint8_t fade_out[] = {31, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3f};
    assert_int_equal(r.size, at + sizeof fade_out);
    assert_memory_equal(r.bytes + at, fade_out, sizeof fade_out);
    sinew_action_queue(mixer, action, sinew_blend_space_source(s.spaces[0], 0.5f, 2), NULL, NULL);
    const uint8_t space[] = {30, 1, 1,    0, 0, 0, 0,    0, 0, r.bytes[r.size - 12], 0, 0,
                             0,  0, 0x3f, 0, 0, 0, 0x40, 0, 0};
    assert_memory_equal(r.bytes + r.size - sizeof space, space, sizeof space);
    at = r.size;
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &pose), SINEW_OK);
    pose->tx[0] = 2.0f;
    sinew_mixer_set_pose(mixer, pose);
    assert_int_equal(r.size, at + 1 + 4 * (10 * (size_t)s.skeleton->node_count + (size_t)s.skeleton->weight_count));
    const uint8_t first[] = {32, 0, 0, 0, 0x40}; // and the rest of the first node's transform
    assert_memory_equal(r.bytes + at, first, sizeof first);
    sinew_mixer_destroy(mixer);
    sinew_replay_def of = replay_def(&s, clips, r);
    sinew_replay *replay = open_replay(&of);
    assert_int_equal(replay->call_count, 4);
    replay_all(replay);
    assert_true(replay->first_mismatch == -1);
    sinew_replay_destroy(replay);
    sinew_pose_destroy(pose);
    free(r.bytes);
}

static void check_line(const sinew_replay *replay, const char *expected) {
    char line[200];
    sinew_replay_describe(replay, line, sizeof line);
    if (strcmp(line, expected) != 0) fail_msg("'%s', not '%s'", line, expected);
}

// A note of the largest length but one ends with a character of two bytes, one more does not fit.
static void test_notes_are_recorded_and_truncated(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    assert_false(sinewi_mixer_is_recorded(mixer));
    sinew_mixer_note(mixer, "nobody reads this");
    assert_int_equal(sinew_mixer_record(mixer, record_bytes, &r, NULL), SINEW_OK);
    assert_true(sinewi_mixer_is_recorded(mixer));
    size_t at = r.size;
    sinew_mixer_note(mixer, "\x1b[1m");
    const uint8_t bytes[] = {36, 4, 0x1b, '[', '1', 'm'};
    assert_int_equal(r.size, at + sizeof bytes);
    assert_memory_equal(r.bytes + at, bytes, sizeof bytes);
    sinew_mixer_note(mixer, "");
    char text[300];
    memset(text, 'x', sizeof text);
    memcpy(text + 254, "\xc3\xa9", 3);
    at = r.size;
    sinew_mixer_note(mixer, text);
    assert_int_equal(r.size, at + 2 + 254);
    memcpy(text + 253, "\xc3\xa9", 3);
    at = r.size;
    sinew_mixer_note(mixer, text);
    assert_int_equal(r.size, at + 2 + 255);
    sinew_mixer_destroy(mixer);
    sinew_replay_def of = replay_def(&s, clips, r);
    sinew_replay *replay = open_replay(&of);
    assert_int_equal(replay->call_count, 4);
    check_line(replay, "note \\x1b[1m");
    sinew_replay_step(replay);
    check_line(replay, "note ");
    replay_all(replay);
    assert_int_equal(replay->first_mismatch, -1);
    sinew_replay_destroy(replay);
    free(r.bytes);
}

static void test_calls_as_text(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_play_def play = sinew_play_default();
    play.speed = -0.25f;
    play.loop = SINEW_LOOP_PING_PONG;
    play.layer = 1;
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), &play);
    sinew_transition how = sinew_transition_default();
    how.kind = SINEW_TRANSITION_DEAD_BLEND;
    how.duration = 0.5f;
    how.easing = (sinew_easing)5;
    sinew_mixer_transition_to(mixer, sinew_clip_source(s.clips[2]), &how, NULL);
    sinew_action_fade_to(mixer, action, 0.1f, 2);
    sinew_layer_set_mask(mixer, 1, NULL);
    sinew_action_queue(mixer, action, sinew_clip_source(NULL), NULL, NULL);
    sinew_mixer_destroy(mixer);
    sinew_replay_def of = replay_def(&s, clips, r);
    sinew_replay *replay = open_replay(&of);
    const char *expected[] = {"play 'Walk' speed -0.25 layer 1 ping-pong",
                              "transition_to 'Run' by dead-blend 0.5 s easing 3", "fade_to 0x101 0.100000001 2",
                              "layer_set_mask layer 1 no mask", "then_play 0x101 nothing"};
    for (int i = 0; i < 5; i++) {
        check_line(replay, expected[i]);
        sinew_replay_step(replay);
    }
    check_line(replay, "");
    sinew_replay_destroy(replay);
    replay = open_replay(&of);
    char little[5];
    sinew_replay_describe(replay, little, sizeof little);
    assert_string_equal(little, "play");
    sinew_replay_destroy(replay);
    free(r.bytes);
}

// ---- Starting ------------------------------------------------------------------------------------------------

static void check_cannot_start(sinew_mixer *mixer) {
    recorded r = {0};
    assert_int_equal(sinew_mixer_record(mixer, record_bytes, &r, NULL), SINEW_ERROR_ARGUMENT);
    assert_int_equal(r.size, 0);
    sinew_mixer_destroy(mixer);
}

static void test_only_an_untouched_mixer_is_recorded(void **state) {
    (void)state;
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_mixer(&def);
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
    sinew_action_stop(mixer, action);
    check_cannot_start(mixer);
    mixer = make_mixer(&def);
    sinew_mixer_advance(mixer, 0);
    check_cannot_start(mixer);
    mixer = make_mixer(&def);
    sinew_layer_set_mask(mixer, 1, s.masks[0]);
    check_cannot_start(mixer);
    mixer = make_mixer(&def);
    sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE);
    check_cannot_start(mixer);
    mixer = make_mixer(&def);
    sinew_layer_fade_to(mixer, 1, 0, 1, SINEW_EASING_LINEAR);
    check_cannot_start(mixer);
    recorded r = {0};
    mixer = make_recorded(&def, &r);
    check_cannot_start(mixer); // it is recorded already
    free(r.bytes);
}

// ---- Assets --------------------------------------------------------------------------------------------------

static void record_walks(recorded *r) {
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, r);
    for (int i = 0; i < SESSION_CLIPS; i++) {
        sinew_mixer_play(mixer, sinew_clip_source(s.clips[i]), NULL);
        sinew_mixer_update(mixer, 0.1f);
    }
    sinew_mixer_destroy(mixer);
}

static void check_refused(const sinew_replay_def *def, sinew_result result, const char *message) {
    sinew_replay *replay = (sinew_replay *)&s; // not a replay
    sinew_error error = {0};
    assert_int_equal(sinew_replay_create(def, &replay, &error), result);
    assert_null(replay);
    assert_int_equal(error.result, result);
    if (strcmp(error.message, message) != 0) fail_msg("'%s', not '%s'", error.message, message);
    assert_int_equal(sinew_replay_create(def, &replay, NULL), result);
}

static void test_what_is_missing_is_named(void **state) {
    (void)state;
    recorded r = {0};
    record_walks(&r);
    sinew_replay_def def = replay_def(&s, clips, r);
    clips[SESSION_CLIPS] = s.clips[3]; // for Idle
    clips[2] = s.clips[0];
    def.clip_count = SESSION_CLIPS; // without the last one
    check_refused(&def, SINEW_ERROR_ARGUMENT, "recording: it plays the clip 'Jump' (0.5 s), which is missing here");
    uint64_t seed = 99;
    sinew_clip *other = session_clip(&seed, s.skeleton, "Jump", 0.5f); // other keys
    def.clip_count = SESSION_CLIPS + 1;
    clips[SESSION_CLIPS] = other;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "recording: it plays the clip 'Jump' (0.5 s), but the clip with that name here has a different "
                  "duration, keys or markers; use the model that it was made with, loaded with the same options");
    sinew_skeleton *chain = make_chain(SESSION_NODES), *shorter = make_chain(3);
    def.clip_count = 0;
    def.skeleton = chain;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "recording: made with a skeleton that has the same number of nodes, but different names, parents "
                  "or rest pose; use the model that it was made with, loaded with the same options");
    def.skeleton = shorter;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "recording: made with a skeleton of 21 nodes, not 3; use the model that it was made with");
    def.clip_count = 1;
    check_refused(&def, SINEW_ERROR_ARGUMENT,
                  "replay: clips[0], 'Idle', belongs to a different skeleton; bind it with sinew_clip_bind");
    sinew_clip_destroy(other);
    sinew_skeleton_destroy(chain);
    sinew_skeleton_destroy(shorter);
    free(r.bytes);
}

static void test_equal_clips_are_told_apart_by_their_order(void **state) {
    (void)state;
    uint64_t seed = 5, same = 5;
    sinew_clip *a = session_clip(&seed, s.skeleton, "Take", 1), *b = session_clip(&same, s.skeleton, "Take", 1);
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_mixer_play(mixer, sinew_clip_source(a), NULL);
    sinew_mixer_play(mixer, sinew_clip_source(b), NULL); // another action, since it is another clip
    sinew_mixer_play(mixer, sinew_clip_source(a), NULL);
    sinew_mixer_update(mixer, 0.1f);
    sinew_mixer_record(mixer, NULL, NULL, NULL);
    const sinew_clip *both[2] = {a, b};
    sinew_replay_def of = replay_def(&s, clips, r);
    of.clips = both;
    of.clip_count = 2;
    sinew_replay *replay = open_replay(&of);
    replay_all(replay);
    assert_int_equal(replay->first_mismatch, -1);
    assert_int_equal(sinew_mixer_actions(replay->mixer, NULL, 0), 2);
    sinew_replay_destroy(replay);
    of.clip_count = 1;
    check_refused(&of, SINEW_ERROR_ARGUMENT,
                  "recording: it plays the clip 'Take' (1 s), but the clip with that name here has a different "
                  "duration, keys or markers; use the model that it was made with, loaded with the same options");
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
    free(r.bytes);
}

static void test_a_mask_that_was_changed_is_another(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s.skeleton, 0.25f, NULL, &mask), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), &play);
    play.layer = 1;
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), &play);
    for (int i = 0; i < 4; i++) {
        sinew_mask_set_subtree(mask, 2, 0.25f * (float)(i % 2), 1);
        sinew_layer_set_mask(mixer, 1, mask);
        sinew_mixer_update(mixer, 0.1f);
    }
    sinew_mixer_record(mixer, NULL, NULL, NULL);
    check_replay(r, mixer);
    sinew_mixer_destroy(mixer);
    sinew_mask_destroy(mask);
    free(r.bytes);
}

// ---- Memory --------------------------------------------------------------------------------------------------

static void test_frames_take_no_memory_while_they_are_recorded(void **state) {
    (void)state;
    counting counted = {0};
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    def.allocator = counting_allocator(&counted);
    sinew_mixer *mixer = make_recorded(&def, &r);
    session_caller caller = {.seed = 11};
    for (int i = 0; i < 2000; i++) session_call(&s, mixer, &caller); // everything was played once
    int allocations = counted.allocations;
    for (int i = 0; i < 2000; i++) session_call(&s, mixer, &caller);
    assert_int_equal(counted.allocations, allocations);
    sinew_mixer_destroy(mixer);
    assert_int_equal(counted.live, 0);
    free(r.bytes);
}

// Recorded with the n-th allocation failing, from 1: what was written until then replays. Returns whether it was enough.
static bool record_failing_at(int n) {
    counting counted = {.fail_at = n};
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    def.allocator = counting_allocator(&counted);
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, NULL) != SINEW_OK) return false;
    sinew_result started = sinew_mixer_record(mixer, record_bytes, &r, NULL);
    bool fits = started == SINEW_OK;
    if (!fits) assert_int_equal(started, SINEW_ERROR_OUT_OF_MEMORY);
    session_caller caller = {.seed = 11};
    for (int i = 0; i < 400; i++) session_call(&s, mixer, &caller);
    if (fits) {
        sinew_result result = sinew_mixer_record(mixer, NULL, NULL, NULL);
        fits = result == SINEW_OK;
        if (!fits) assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        sinew_replay_def of = replay_def(&s, clips, r);
        sinew_replay *replay = open_replay(&of);
        replay_all(replay);
        assert_int_equal(replay->first_mismatch, -1);
        assert_int_equal(replay->complete, fits);
        assert_true(replay->call_count > 0);
        sinew_replay_destroy(replay);
    }
    sinew_mixer_destroy(mixer);
    assert_int_equal(counted.live, 0);
    free(r.bytes);
    return fits;
}

static void test_a_recorder_without_memory_says_so(void **state) {
    (void)state;
    int n = 1;
    while (!record_failing_at(n)) n++;
    assert_true(n > 3); // the mixer, the recorder, and the table at least once
}

static void test_a_replay_without_memory_says_so(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *mixer = make_recorded(&def, &r);
    char *memory = malloc(sinew_mixer_snapshot_size(mixer));
    session_caller caller = {.seed = 11};
    for (int i = 0; i < 400; i++) session_call(&s, mixer, &caller);
    sinew_mixer_save(mixer, memory);
    sinew_mixer_stop_all(mixer);
    assert_true(sinew_mixer_restore(mixer, memory, sinew_mixer_snapshot_size(mixer)));
    sinew_mixer_destroy(mixer);
    free(memory);
    bool saved = false, made = false;
    for (int n = 1; !(saved && made); n++) {
        counting counted = {.fail_at = n};
        sinew_replay_def of = replay_def(&s, clips, r);
        of.allocator = counting_allocator(&counted);
        sinew_replay *replay;
        sinew_error error = {0};
        sinew_result result = sinew_replay_create(&of, &replay, &error);
        made = result == SINEW_OK;
        if (!made) {
            assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
            assert_string_equal(error.message, "out of memory");
            assert_null(replay);
        }
        while (made && replay->calls_made < replay->call_count && result == SINEW_OK)
            result = sinew_replay_step(replay);
        saved = made && result == SINEW_OK;
        if (made && !saved) { // it can be asked again once there is some
            assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
            counted.fail_at = 0;
            replay_all(replay);
            assert_int_equal(replay->first_mismatch, -1);
        }
        sinew_replay_destroy(replay);
        assert_int_equal(counted.live, 0);
    }
    free(r.bytes);
}

static void test_a_snapshot_from_elsewhere_ends_a_recording(void **state) {
    (void)state;
    recorded r = {0};
    sinew_mixer_def def = session_def(&s);
    sinew_mixer *other = make_mixer(&def), *mixer = make_recorded(&def, &r);
    char *memory = malloc(sinew_mixer_snapshot_size(other));
    sinew_mixer_play(other, sinew_clip_source(s.clips[0]), NULL);
    sinew_mixer_save(other, memory);
    sinew_mixer_play(mixer, sinew_clip_source(s.clips[1]), NULL);
    assert_true(sinew_mixer_restore(mixer, memory, sinew_mixer_snapshot_size(mixer)));
    sinew_mixer_update(mixer, 0.1f);
    assert_int_equal(sinew_mixer_record(mixer, NULL, NULL, NULL), SINEW_ERROR_ARGUMENT);
    sinew_replay_def of = replay_def(&s, clips, r);
    sinew_replay *replay = open_replay(&of);
    assert_int_equal(replay->call_count, 1);
    assert_false(replay->complete);
    sinew_replay_destroy(replay);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(other);
    free(memory);
    free(r.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_thousand_calls_replay_to_the_same_bits),
        cmocka_unit_test(test_every_way_to_make_a_mixer_is_recorded),
        cmocka_unit_test(test_snapshots_are_replayed),
        cmocka_unit_test(test_what_callbacks_call_comes_once),
        cmocka_unit_test(test_a_batch_is_recorded),
        cmocka_unit_test(test_curves_are_the_callers),
        cmocka_unit_test(test_a_recording_is_these_bytes),
        cmocka_unit_test(test_the_newer_calls_are_these_bytes),
        cmocka_unit_test(test_a_call_is_written_before_it_is_made),
        cmocka_unit_test(test_notes_are_recorded_and_truncated),
        cmocka_unit_test(test_calls_as_text),
        cmocka_unit_test(test_only_an_untouched_mixer_is_recorded),
        cmocka_unit_test(test_what_is_missing_is_named),
        cmocka_unit_test(test_equal_clips_are_told_apart_by_their_order),
        cmocka_unit_test(test_a_mask_that_was_changed_is_another),
        cmocka_unit_test(test_frames_take_no_memory_while_they_are_recorded),
        cmocka_unit_test(test_a_recorder_without_memory_says_so),
        cmocka_unit_test(test_a_replay_without_memory_says_so),
        cmocka_unit_test(test_a_snapshot_from_elsewhere_ends_a_recording),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
