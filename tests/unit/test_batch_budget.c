// SPDX-License-Identifier: MIT
// Batches with a budget, against the same characters without one: poses of posed characters, everyone's events and
// root path, and who is posed when. Levels of detail, against poses whose dropped nodes are at rest.
#include "support/random_rig.h"

#include "core/batch_pass.h"

#define FRAME (1.0f / 64) // its sums are exact

enum { CLIPS = 5, CROWD = 24, NODES = 40 };

// ---- A stage: clips with markers, and two crowds that do the same ---------------------------------------------

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[CLIPS];
    sinew_blend_space *space; // of the last three clips
    sinew_skin *skin;
} stage;

static const char *const steps[] = {"b", "c"}; // sync markers

static sinew_clip *make_marked_clip(const sinew_skeleton *skeleton, int number) {
    const sinew_marker markers[] = {{.name = "a", .time = 0.0f},
                                    {.name = "b", .time = 0.11f + 0.05f * (float)number},
                                    {.name = "c", .time = 0.5f + 0.125f * (float)number}};
    float times[3] = {0, 0.25f, 0.5f + 0.125f * (float)number}, values[9] = {0, 0, 0, (float)(number + 1), 1, 0};
    sinew_quat turns[3] = {about_x(0), about_x(0.9 + number), about_x(0.2)};
    sinew_channel_def channels[] = {
        {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, values},
        {2 + number, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, &turns[0].x},
        {30, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, &turns[0].x}};
    static const char *const names[CLIPS] = {"one", "two", "three", "four", "five"};
    sinew_clip_def def = sinew_clip_default();
    def.name = names[number];
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = 3;
    def.markers = markers;
    def.marker_count = 3;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static sinew_skin *make_skin(const sinew_skeleton *skeleton) {
    int32_t joints[200];
    for (int32_t i = 0; i < skeleton->node_count; i++) joints[i] = skeleton->node_count - 1 - i;
    sinew_skin_def def = sinew_skin_default();
    def.skeleton = skeleton;
    def.joint_count = skeleton->node_count;
    def.joints = joints;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&def, &skin, NULL), SINEW_OK);
    return skin;
}

static sinew_blend_space *make_space(const stage *s) {
    const sinew_blend_sample samples[] = {
        {s->clips[2], 0, 0, 1}, {s->clips[3], 1, 0, 1.5f}, {s->clips[4], 2, 0, 1}};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = 3;
    def.sync_names = steps;
    def.sync_name_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static void open_stage(stage *s) {
    s->skeleton = make_chain(NODES);
    for (int i = 0; i < CLIPS; i++) s->clips[i] = make_marked_clip(s->skeleton, i);
    s->space = make_space(s);
    s->skin = make_skin(s->skeleton);
}

static void close_stage(stage *s) {
    sinew_blend_space_destroy(s->space);
    sinew_skin_destroy(s->skin);
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
}

typedef struct crowd {
    sinew_batch_item items[CROWD];
    sinew_affine palettes[CROWD][NODES];
    uint64_t states[CROWD];
} crowd;

typedef enum moving { ROOTS, NO_ROOTS } moving;

static void make_crowd(crowd *c, const stage *s, moving moves) {
    sinew_mixer_def def = sinew_mixer_default();
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = s->skeleton;
    root.node = 1;
    def.skeleton = s->skeleton;
    for (int i = 0; i < CROWD; i++) {
        def.sync_names = i % 2 ? steps : NULL;
        def.sync_name_count = i % 2 ? 2 : 0;
        def.root_motion = moves == ROOTS && i % 3 == 1 ? &root : NULL;
        c->items[i] = (sinew_batch_item){.skin = s->skin, .palette = c->palettes[i]};
        c->items[i].significance = (float)(1 + i % 7);
        c->states[i] = (uint64_t)i + 1;
        assert_int_equal(sinew_mixer_create(&def, &c->items[i].mixer, NULL), SINEW_OK);
    }
}

static void free_crowd(crowd *c) {
    for (int i = 0; i < CROWD; i++) sinew_mixer_destroy(c->items[i].mixer);
}

static void play_something(uint64_t *state, sinew_mixer *mixer, const stage *s) {
    static const float speeds[] = {1.0f, 0.5f, -1.0f, 1.25f, 0.0f, -2.0f, 1.0f};
    sinew_play_def def = sinew_play_default();
    def.speed = speeds[random_next(state) % 7];
    def.loop = (sinew_loop)draw_count(state, 0, 2);
    def.sync = random_next(state) % 3 == 0 ? 1 : 0;
    def.loop_count = random_next(state) % 3 == 0 ? 2 : SINEW_FOREVER;
    sinew_source source = sinew_clip_source(s->clips[draw_count(state, 0, CLIPS - 1)]);
    if (random_next(state) % 4 == 0) source = sinew_blend_space_source(s->space, random_float(state, 0, 2), 0);
    sinew_transition transition = sinew_transition_default();
    transition.kind = (sinew_transition_kind)draw_count(state, 0, 2);
    transition.match_rate = random_next(state) % 4 == 0;
    sinew_action action = sinew_mixer_transition_to(mixer, source, &transition, &def);
    if (random_next(state) % 4 == 0) sinew_action_queue_previous(mixer, action, NULL);
}

// What a game does now and then. The same state does the same.
static void do_something(uint64_t *state, sinew_batch_item *item, const stage *s) {
    uint32_t choice = random_next(state) % 40;
    if (choice > 5) return;
    sinew_batch_catch_up(item);
    sinew_action first = {0};
    sinew_mixer_actions(item->mixer, &first, 1);
    if (choice == 0) play_something(state, item->mixer, s);
    if (choice == 1) sinew_action_set_time(item->mixer, first, random_float(state, 0, 0.5f));
    if (choice == 2) sinew_action_set_speed(item->mixer, first, random_float(state, -1, 2));
    if (choice == 3) sinew_action_set_paused(item->mixer, first, true);
    if (choice == 4) sinew_action_set_paused(item->mixer, first, false);
    if (choice == 5) sinew_action_set_parameter(item->mixer, first, random_float(state, -1, 3), 0);
}

// (With &c->states[i] as the argument, gcc 12 leaves out the calls of this function by -O1.)
static void start_all(crowd *c, const stage *s) {
    for (int i = 0; i < CROWD; i++) {
        uint64_t state = c->states[i];
        play_something(&state, c->items[i].mixer, s);
        c->states[i] = state;
    }
}

// Cross-fades at a speed of 1, with exact times: long steps have the same bits as short ones.
static void start_exact(crowd *c, const stage *s) {
    for (int i = 0; i < CROWD; i++) {
        for (int k = 0; k < 2; k++) {
            sinew_source source = sinew_clip_source(s->clips[(i + k) % CLIPS]);
            sinew_mixer_crossfade_to(c->items[i].mixer, source, 2.0f * (float)k, NULL);
        }
    }
}

static void update_all(crowd *c, float dt) {
    sinew_batch_update(c->items, 0, CROWD, dt);
}

// A crowd within a budget, and the same one without.
static void open_crowds(stage *s, crowd *within, crowd *full, moving moves,
                        void (*start)(crowd *c, const stage *s)) {
    open_stage(s);
    make_crowd(within, s, moves);
    make_crowd(full, s, moves);
    start(within, s);
    start(full, s);
}

static void close_crowds(stage *s, crowd *within, crowd *full) {
    free_crowd(within);
    free_crowd(full);
    close_stage(s);
}

// ---- Without a limit -----------------------------------------------------------------------------------------

static void test_without_a_limit_it_is_a_batch(void **unused) {
    (void)unused;
    stage s;
    static crowd within, full;
    open_crowds(&s, &within, &full, ROOTS, start_all);
    sinew_batch_budget budget = sinew_batch_budget_default();
    for (int frame = 0; frame < 200; frame++) {
        for (int i = 0; i < CROWD; i++) {
            do_something(&within.states[i], &within.items[i], &s);
            do_something(&full.states[i], &full.items[i], &s);
        }
        float dt = frame % 10 == 3 ? 0.0f : 0.013f;
        sinew_batch_update_within(&budget, within.items, 0, 10, dt); // two ranges, as on two threads
        assert_int_equal(budget.poses, 10);
        sinew_batch_update_within(&budget, within.items, 10, CROWD - 10, dt);
        update_all(&full, dt);
        assert_memory_equal(within.palettes, full.palettes, sizeof full.palettes);
        for (int i = 0; i < CROWD; i++) {
            assert_true(within.items[i].advanced && full.items[i].advanced);
            assert_int_equal(within.items[i].changed, full.items[i].changed);
            assert_int_equal(sinew_mixer_hash(within.items[i].mixer), sinew_mixer_hash(full.items[i].mixer));
        }
    }
    close_crowds(&s, &within, &full);
}

// ---- Events, root motion, poses ------------------------------------------------------------------------------

// The same events in the same frame, at the same time.
static void check_events(const sinew_batch_item *within, const sinew_batch_item *full) {
    const sinew_events events = sinew_mixer_events(within->mixer);
    const sinew_events others = sinew_mixer_events(full->mixer);
    assert_int_equal(events.count, others.count);
    for (int32_t i = 0; i < events.count; i++) {
        assert_int_equal(events.items[i].type, others.items[i].type);
        assert_ptr_equal(events.items[i].clip, others.items[i].clip);
        assert_ptr_equal(events.items[i].marker, others.items[i].marker);
        check_near(events.items[i].moment, others.items[i].moment, 1e-5);
        check_near(events.items[i].weight, others.items[i].weight, 1e-4);
    }
}

static void check_palettes(const sinew_affine *a, const sinew_affine *b) {
    for (int32_t k = 0; k < NODES; k++) {
        for (int j = 0; j < 12; j++) check_near(a[k].m[j / 4][j % 4], b[k].m[j / 4][j % 4], 2e-4);
    }
}

// The clips of one character, played for long with a budget that poses one in six, and without.
static void check_beside_full_rate(const stage *s, int seed, int *waited, int *events) {
    static crowd within, full;
    static sinew_affine last[CROWD][NODES];
    make_crowd(&within, s, ROOTS);
    make_crowd(&full, s, ROOTS);
    for (int i = 0; i < CROWD; i++) within.states[i] = full.states[i] += (uint64_t)(100 * seed);
    start_all(&within, s);
    start_all(&full, s);
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = CROWD / 6;
    for (int frame = 0; frame < 400; frame++) {
        for (int i = 0; i < CROWD; i++) {
            do_something(&within.states[i], &within.items[i], s);
            do_something(&full.states[i], &full.items[i], s);
        }
        memcpy(last, within.palettes, sizeof last);
        sinew_batch_update_within(&budget, within.items, 0, CROWD, FRAME);
        update_all(&full, FRAME);
        for (int i = 0; i < CROWD; i++) {
            const sinew_batch_item *item = &within.items[i], *other = &full.items[i];
            const int32_t count = sinew_mixer_events(item->mixer).count;
            *waited += !item->advanced;
            *events += count;
            check_events(item, other);
            sinew_root_delta delta = sinew_mixer_root_delta(item->mixer),
                             wanted = sinew_mixer_root_delta(other->mixer);
            assert_memory_equal(&delta, &wanted, sizeof delta);
            if (item->changed) {
                check_palettes(item->palette, other->palette);
            } else if (sinewi_batch_get_wait(item).frames > 1) {
                assert_memory_equal(item->palette, last[i], sizeof last[i]);
            }
        }
    }
    free_crowd(&within);
    free_crowd(&full);
}

static void test_events_and_roots_are_those_of_every_frame(void **unused) {
    (void)unused;
    stage s;
    open_stage(&s);
    int waited = 0, events = 0;
    for (int seed = 0; seed < 6; seed++) check_beside_full_rate(&s, seed, &waited, &events);
    assert_true(waited > 6 * 400 * CROWD / 4); // they do wait,
    assert_true(events > 6 * CROWD * 5);       // and something happens
    close_stage(&s);
}

// A mixer that is caught up is the one that never waited, bit for bit, where times are exact.
static void test_a_mixer_is_caught_up_without_an_event(void **unused) {
    (void)unused;
    stage s;
    static crowd within, full;
    open_crowds(&s, &within, &full, NO_ROOTS, start_exact);
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 2;
    for (int frame = 0; frame < 60; frame++) {
        sinew_batch_update_within(&budget, within.items, 0, CROWD, FRAME);
        update_all(&full, FRAME);
        for (int i = frame % 4; i < CROWD; i += 4) {
            bool waits = !within.items[i].advanced;
            sinew_batch_catch_up(&within.items[i]);
            const int32_t count = sinew_mixer_events(within.items[i].mixer).count;
            if (waits) assert_int_equal(count, 0);
            assert_int_equal(sinew_mixer_hash(within.items[i].mixer), sinew_mixer_hash(full.items[i].mixer));
        }
    }
    close_crowds(&s, &within, &full);
}

// Who may wait: actions that move by themselves, blend spaces and sync groups. Not actions with changing rates, nor
// root motion.
static void test_who_may_wait(void **unused) {
    (void)unused;
    stage s;
    static crowd c;
    open_stage(&s);
    make_crowd(&c, &s, ROOTS); // of each third item after the first
    sinew_play_def synced = sinew_play_default();
    synced.sync = 1;
    for (int i = 0; i < CROWD; i++) {
        sinew_mixer *mixer = c.items[i].mixer;
        if (i % 3 == 0) sinew_mixer_play(mixer, sinew_blend_space_source(s.space, 0.7f, 0), NULL);
        for (int k = 0; k < 2 && i % 3 == 2; k++) sinew_mixer_play(mixer, sinew_clip_source(s.clips[k]), &synced);
        if (i % 3 == 1) sinew_mixer_play(mixer, sinew_clip_source(s.clips[0]), NULL);
        c.items[i].significance = 0.0f;
    }
    sinew_batch_budget budget = sinew_batch_budget_default();
    int counts[CROWD] = {0};
    for (int frame = 0; frame < 200; frame++) {
        sinew_batch_update_within(&budget, c.items, 0, CROWD, FRAME);
        for (int i = 0; i < CROWD; i++) counts[i] += c.items[i].advanced;
        for (int i = 3; i < CROWD && frame == 99; i += 6) { // from here on the parameter moves
            sinew_action action = {0};
            sinew_batch_catch_up(&c.items[i]);
            sinew_mixer_actions(c.items[i].mixer, &action, 1);
            sinew_action_set_parameter(c.items[i].mixer, action, 1.9f, 0);
        }
    }
    for (int i = 0; i < CROWD; i++) {
        if (i % 3 == 1) {
            assert_int_equal(counts[i], 200);
        } else {
            assert_true(counts[i] > 5 && counts[i] < 100);
        }
        if (i % 6 == 3) assert_true(counts[i] > counts[0] + 10);
    }
    free_crowd(&c);
    close_stage(&s);
}

// ---- Recordings ----------------------------------------------------------------------------------------------

typedef struct written {
    uint8_t bytes[1 << 20];
    size_t size;
} written;

static void write_bytes(const void *bytes, size_t size, void *user) {
    written *w = user;
    assert_true(w->size + size <= sizeof w->bytes);
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

// A recording has the steps that the mixer took: its replay ends with the same bits.
static void test_a_recording_of_a_mixer_that_waits(void **unused) {
    (void)unused;
#ifndef SINEW_NO_RECORDING
    stage s;
    static crowd c;
    static written recording;
    open_stage(&s);
    make_crowd(&c, &s, NO_ROOTS);
    assert_int_equal(sinew_mixer_record(c.items[0].mixer, write_bytes, &recording, NULL), SINEW_OK);
    start_all(&c, &s);
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 4;
    for (int frame = 0; frame < 200; frame++) {
        for (int i = 0; i < CROWD; i++) do_something(&c.states[i], &c.items[i], &s);
        sinew_batch_update_within(&budget, c.items, 0, CROWD, 0.0131f);
    }
    sinew_batch_catch_up(&c.items[0]);
    sinew_mixer_record(c.items[0].mixer, NULL, NULL, NULL);
    sinew_replay_def def = sinew_replay_default();
    const sinew_clip *clips[CLIPS];
    for (int i = 0; i < CLIPS; i++) clips[i] = s.clips[i];
    def.bytes = recording.bytes;
    def.size = recording.size;
    def.skeleton = s.skeleton;
    def.clips = clips;
    def.clip_count = CLIPS;
    sinew_replay *replay;
    assert_int_equal(sinew_replay_create(&def, &replay, NULL), SINEW_OK);
    while (replay->calls_made < replay->call_count) assert_int_equal(sinew_replay_step(replay), SINEW_OK);
    assert_int_equal(sinew_mixer_hash(replay->mixer), sinew_mixer_hash(c.items[0].mixer));
    sinew_replay_destroy(replay);
    free_crowd(&c);
    close_stage(&s);
#endif
}

// ---- Who is posed --------------------------------------------------------------------------------------------

// Counts how often each character is posed.
static void count_poses(crowd *c, sinew_batch_budget *budget, int frames, int counts[CROWD]) {
    memset(counts, 0, CROWD * sizeof *counts);
    for (int frame = 0; frame < frames; frame++) {
        sinew_batch_update_within(budget, c->items, 0, CROWD, FRAME);
        for (int i = 0; i < CROWD; i++) counts[i] += sinewi_batch_get_wait(&c->items[i]).frames == 1;
    }
}

static void test_poses_follow_significance(void **unused) {
    (void)unused;
    stage s;
    static crowd c;
    open_stage(&s);
    make_crowd(&c, &s, NO_ROOTS);
    start_all(&c, &s);
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 4;
    int counts[CROWD];
    double sum = 0;
    for (int i = 0; i < CROWD; i++) sum += c.items[i].significance = i < 8 ? 1.0f : i < 16 ? 2.0f : 4.0f;
    sinew_batch_update_within(&budget, c.items, 0, CROWD, FRAME);
    assert_int_equal(budget.poses, CROWD); // each has a palette
    count_poses(&c, &budget, 2000, counts);
    assert_int_equal(budget.poses, 4);
    for (int i = 0; i < CROWD; i++) {
        double share = 2000.0 * 4.0 * (double)c.items[i].significance / sum;
        check_near(counts[i], share, 0.2 * share); // frames are whole numbers
    }
    free_crowd(&c);
    close_stage(&s);
}

static void test_numbers_that_are_not_significances(void **unused) {
    (void)unused;
    stage s;
    static crowd c;
    open_stage(&s);
    make_crowd(&c, &s, NO_ROOTS);
    start_all(&c, &s);
    const float odd[] = {0.0f, -1.0f, NAN, -INFINITY, -0.0f, INFINITY, 3e38f, 1e-45f};
    for (int i = 0; i < CROWD; i++) c.items[i].significance = odd[i % 8];
    sinew_batch_budget budget = sinew_batch_budget_default();
    int counts[CROWD];
    count_poses(&c, &budget, 50, counts);
    for (int i = 0; i < CROWD; i++) assert_int_equal(counts[i], i % 8 < 5 ? 1 : 50);
    budget.max_poses = 0;
    count_poses(&c, &budget, 50, counts);
    for (int i = 0; i < CROWD; i++) assert_int_equal(counts[i], i % 8 == 5 ? 50 : 0);
    for (int i = 0; i < CROWD; i++) c.items[i].significance = 1.0f; // all come into sight
    budget.max_poses = CROWD;
    count_poses(&c, &budget, 1, counts);
    for (int i = 0; i < CROWD; i++) assert_int_equal(counts[i], 1);
    budget.max_poses = -5;
    count_poses(&c, &budget, 1, counts);
    assert_int_equal(budget.poses, 0);
    free_crowd(&c);
    close_stage(&s);
}

// An item takes with it what the batch knows of it.
static void test_items_move_and_leave(void **unused) {
    (void)unused;
    stage s;
    static crowd within, full;
    open_crowds(&s, &within, &full, NO_ROOTS, start_exact);
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 5;
    int32_t count = CROWD;
    sinew_batch_item gone[CROWD];
    for (int frame = 0; frame < 100; frame++) {
        sinew_batch_update_within(&budget, within.items, 0, count, FRAME);
        update_all(&full, FRAME);
        if (frame % 10 != 9) continue;
        gone[CROWD - count] = within.items[frame % count];
        sinew_batch_catch_up(&gone[CROWD - count]);
        int32_t number =
            (int32_t)((sinew_affine(*)[NODES])(void *)within.items[frame % count].palette - within.palettes);
        assert_int_equal(sinew_mixer_hash(gone[CROWD - count].mixer), sinew_mixer_hash(full.items[number].mixer));
        within.items[frame % count] = within.items[count - 1];
        count--;
    }
    for (int32_t i = count; i < CROWD; i++) sinew_mixer_destroy(gone[CROWD - 1 - i].mixer);
    for (int32_t i = 0; i < count; i++) sinew_mixer_destroy(within.items[i].mixer);
    free_crowd(&full);
    close_stage(&s);
}

// While the game is paused, what it changes is still shown.
static void test_changes_show_during_a_pause(void **unused) {
    (void)unused;
    stage s;
    static crowd within, full;
    open_crowds(&s, &within, &full, NO_ROOTS, start_all);
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.max_poses = 4;
    for (int frame = 0; frame < 20; frame++) {
        sinew_batch_update_within(&budget, within.items, 0, CROWD, FRAME);
        update_all(&full, FRAME);
    }
    for (int i = 0; i < CROWD; i++) {
        sinew_batch_catch_up(&within.items[i]);
        for (int k = 0; k < 2; k++) {
            sinew_batch_item *item = k ? &within.items[i] : &full.items[i];
            sinew_action first = {0};
            sinew_mixer_actions(item->mixer, &first, 1);
            sinew_action_set_time(item->mixer, first, 0.2f);
        }
    }
    for (int frame = 0; frame < 60; frame++) sinew_batch_update_within(&budget, within.items, 0, CROWD, 0.0f);
    update_all(&full, 0.0f);
    for (int i = 0; i < CROWD; i++) check_palettes(within.palettes[i], full.palettes[i]);
    close_crowds(&s, &within, &full);
}

// A ring of buffers, one per frame. Each also has the palettes of characters that stand still.
static void test_another_palette_is_written(void **unused) {
    (void)unused;
    stage s;
    static crowd within, full;
    static sinew_affine ring[3][CROWD][NODES];
    open_crowds(&s, &within, &full, NO_ROOTS, start_all);
    sinew_batch_update(full.items, 0, CROWD, FRAME);
    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < CROWD; i++) within.items[i].palette = ring[frame][i];
        sinew_batch_update(within.items, 0, CROWD, frame == 0 ? FRAME : 0.0f);
        for (int i = 0; i < CROWD; i++) {
            assert_true(within.items[i].changed);
            check_palettes(ring[frame][i], full.palettes[i]);
        }
    }
    sinew_batch_update(within.items, 0, CROWD, 0.0f);
    for (int i = 0; i < CROWD; i++) assert_false(within.items[i].changed);
    close_crowds(&s, &within, &full);
}

// ---- The clock -----------------------------------------------------------------------------------------------

// A clock that runs by the characters that are posed.
typedef struct fake_clock {
    sinew_batch_budget *budget;
    double pose_seconds, other_seconds;
    int readings;
} fake_clock;

static double read_fake(void *user) {
    fake_clock *clock = user;
    clock->readings++;
    return 100.0 + (double)clock->budget->poses * clock->pose_seconds +
           (clock->budget->poses > 0 ? clock->other_seconds : 0.0);
}

enum { MANY = 1000 };

static void test_a_frame_takes_no_longer_than_its_budget(void **unused) {
    (void)unused;
    stage s;
    open_stage(&s);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.inertialization = false;
    static sinew_batch_item items[MANY];
    for (int i = 0; i < MANY; i++) {
        items[i] = (sinew_batch_item){.significance = 1.0f / (float)(1 + i)};
        assert_int_equal(sinew_mixer_create(&def, &items[i].mixer, NULL), SINEW_OK);
        sinew_mixer_play(items[i].mixer, sinew_clip_source(s.clips[i % CLIPS]), NULL);
    }
    sinew_batch_budget budget = sinew_batch_budget_default();
    fake_clock clock = {&budget, 1e-6, 20e-6, 0};
    budget.seconds = 0.3e-3f;
    budget.clock = read_fake;
    budget.user = &clock;
    for (int frame = 0; frame < 300; frame++) {
        if (frame == 100) clock.pose_seconds = 3e-6; // the core suddenly gets slower
        if (frame == 200) clock.pose_seconds = 0.5e-6;
        sinew_batch_update_within(&budget, items, 0, MANY, FRAME);
        if (frame == 0) { // each is posed for the first time
            assert_int_equal(budget.poses, MANY);
            continue;
        }
        assert_true(budget.used <= budget.seconds);
        if (frame % 100 > 50) assert_true(budget.used > 0.7f * budget.seconds); // and it is used
    }
    check_near(budget.pose_cost, 0.5e-6 + 20e-6 / budget.poses, 0.05e-6);
    budget.seconds = 0.0f; // and NaN: nothing more than must be
    for (int frame = 0; frame < 2; frame++) {
        sinew_batch_update_within(&budget, items, 0, MANY, FRAME);
        assert_int_equal(budget.poses, 0);
        budget.seconds = NAN;
    }
    for (int i = 0; i < MANY; i++) sinew_mixer_destroy(items[i].mixer);
    close_stage(&s);
}

static void test_no_items_take_no_time(void **unused) {
    (void)unused;
    sinew_batch_budget budget = sinew_batch_budget_default();
    budget.poses = 7;
    sinew_batch_update_within(&budget, NULL, 0, 0, FRAME);
    assert_int_equal(budget.poses, 0);
    sinew_batch_update_within(&budget, NULL, 0, -1, FRAME);
    sinew_node_lod_destroy(NULL);
}

// ---- Levels of detail ----------------------------------------------------------------------------------------

// A mask of random nodes and subtrees.
static sinew_mask *draw_mask(uint64_t *state, const sinew_skeleton *skeleton) {
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(skeleton, random_next(state) % 2 ? 1.0f : 0.0f, NULL, &mask), SINEW_OK);
    for (int i = 0; i < 4; i++) {
        int32_t node = draw_count(state, 0, skeleton->node_count - 1);
        sinew_mask_set_subtree(mask, node, random_next(state) % 2 ? 1.0f : 0.0f, 0);
    }
    for (int i = 0; i < 4; i++) sinew_mask_set(mask, draw_count(state, 0, skeleton->node_count - 1), 0.5f);
    return mask;
}

// Whether a node or one below it has a factor above 0, or it is a root.
static bool is_kept(const sinew_mask *mask, int32_t node) {
    const int32_t *parents = mask->skeleton->parents;
    if (parents[node] == SINEW_NO_NODE) return true;
    for (int32_t i = 0; i < mask->skeleton->node_count; i++) {
        int32_t above = i;
        while (above != SINEW_NO_NODE && above != node) above = parents[above];
        if (above == node && mask->nodes[i] > 0.0f) return true;
    }
    return false;
}

// The palette of a pose whose dropped nodes are in the rest pose.
static void reduced_palette(const sinew_pose *pose, const sinew_mask *mask, const sinew_skin *skin,
                            sinew_affine *palette) {
    const sinew_skeleton *skeleton = mask->skeleton;
    sinew_pose *copy;
    sinew_affine *model = calloc((size_t)skeleton->node_count, sizeof *model);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &copy), SINEW_OK);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (is_kept(mask, i)) sinew_pose_set(copy, i, sinew_pose_get(pose, i));
    }
    sinew_pose_to_model(copy, model);
    sinew_skin_palette(skin, model, palette);
    sinew_pose_destroy(copy);
    free(model);
}

static void check_palette_near(const sinew_affine *a, const sinew_affine *b, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        for (int j = 0; j < 12; j++) {
            double expected = (double)b[k].m[j / 4][j % 4];
            check_near(a[k].m[j / 4][j % 4], expected, 2e-4 * fmax(1.0, fabs(expected)));
        }
    }
}

enum { LOD_CROWD = 7, MOST_NODES = 200 };

static void check_lods(uint64_t *state, int32_t nodes) {
    sinew_skeleton *skeleton = draw_skeleton(state, nodes, false);
    sinew_clip *clips[2];
    for (int i = 0; i < 2; i++) {
        clips[i] = draw_clip(state, skeleton, (random_clip_options){2, 80, false, SINEW_KEYS_FLOAT});
    }
    sinew_skin *skin = make_skin(skeleton);
    sinew_mask *masks[2];
    sinew_node_lod *lods[2];
    for (int i = 0; i < 2; i++) {
        masks[i] = draw_mask(state, skeleton);
        assert_int_equal(sinew_node_lod_create(skin, masks[i], NULL, &lods[i]), SINEW_OK);
    }
    static sinew_affine palettes[LOD_CROWD][MOST_NODES], expected[MOST_NODES];
    sinew_batch_item items[LOD_CROWD];
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    for (int i = 0; i < LOD_CROWD; i++) {
        def.root = i == 3 ? draw_count(state, 0, nodes - 1) : SINEW_NO_NODE;
        items[i] = (sinew_batch_item){.skin = skin, .palette = palettes[i], .stream_palette = i % 2 == 0};
        assert_int_equal(sinew_mixer_create(&def, &items[i].mixer, NULL), SINEW_OK);
        sinew_mixer_play(items[i].mixer, sinew_clip_source(clips[i % 2]), NULL);
    }
    for (int frame = 0; frame < 12; frame++) {
        for (int i = 0; i < LOD_CROWD; i++) {
            uint32_t choice = random_next(state) % 4;
            items[i].lod = choice < 2 ? lods[choice] : NULL;
            sinew_transition transition = sinew_transition_default();
            transition.kind = (sinew_transition_kind)(i % 3);
            if (frame == 3)
                sinew_mixer_transition_to(items[i].mixer, sinew_clip_source(clips[1 - i % 2]), &transition, NULL);
        }
        sinew_batch_update(items, 0, LOD_CROWD,
                           frame < 8 ? 0.05f : 0.0f); // they change their level while paused, too
        for (int i = 0; i < LOD_CROWD; i++) {
            if (items[i].lod) {
                reduced_palette(sinew_mixer_pose(items[i].mixer), masks[items[i].lod == lods[1]], skin, expected);
            } else {
                sinew_skin_palette(skin, sinew_mixer_model_matrices(items[i].mixer), expected);
            }
            check_palette_near(palettes[i], expected, nodes);
        }
    }
    for (int i = 0; i < LOD_CROWD; i++) sinew_mixer_destroy(items[i].mixer);
    for (int i = 0; i < 2; i++) {
        sinew_node_lod_destroy(lods[i]);
        sinew_mask_destroy(masks[i]);
        sinew_clip_destroy(clips[i]);
    }
    sinew_skin_destroy(skin);
    sinew_skeleton_destroy(skeleton);
}

static void test_dropped_joints_follow_their_parents(void **unused) {
    (void)unused;
    uint64_t state = 11;
    for (int32_t nodes = 1; nodes < MOST_NODES; nodes += 13) check_lods(&state, nodes);
}

static void test_a_level_of_detail_without_memory(void **unused) {
    (void)unused;
    stage s;
    open_stage(&s);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(s.skeleton, 1, NULL, &mask), SINEW_OK);
    for (int at = 1;; at++) {
        counting counted = {.fail_at = at};
        sinew_allocator allocator = counting_allocator(&counted);
        sinew_node_lod *lod = (sinew_node_lod *)(void *)&s;
        sinew_result result = sinew_node_lod_create(s.skin, mask, &allocator, &lod);
        if (result == SINEW_OK) {
            sinew_node_lod_destroy(lod);
            assert_int_equal(counted.live, 0);
            assert_true(at > 1);
            break;
        }
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_null(lod);
        assert_int_equal(counted.live, 0);
    }
    sinew_mask_destroy(mask);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_limit_it_is_a_batch),
        cmocka_unit_test(test_events_and_roots_are_those_of_every_frame),
        cmocka_unit_test(test_a_mixer_is_caught_up_without_an_event),
        cmocka_unit_test(test_who_may_wait),
        cmocka_unit_test(test_a_recording_of_a_mixer_that_waits),
        cmocka_unit_test(test_poses_follow_significance),
        cmocka_unit_test(test_numbers_that_are_not_significances),
        cmocka_unit_test(test_items_move_and_leave),
        cmocka_unit_test(test_changes_show_during_a_pause),
        cmocka_unit_test(test_another_palette_is_written),
        cmocka_unit_test(test_a_frame_takes_no_longer_than_its_budget),
        cmocka_unit_test(test_no_items_take_no_time),
        cmocka_unit_test(test_dropped_joints_follow_their_parents),
        cmocka_unit_test(test_a_level_of_detail_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
