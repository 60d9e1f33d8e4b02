// SPDX-License-Identifier: MIT
// Written states in another build: nodes, clips, masks, layers, slots and sync groups that are missing, new,
// reordered or have another length. What's found by name is restored, and the rest is reported.
#include "support/state_world.h"
#include "support/trials.h"

#include <math.h>
#include <stdio.h>

enum { SLOTS = 8 };

static sinew_mixer *make_mixer_of(const world *w, sinew_mixer_def *changed) {
    sinew_mixer_def def = changed ? *changed : sinew_mixer_default();
    def.skeleton = w->skeleton;
    if (!changed) def.max_actions = SLOTS;
    if (!changed) def.layer_count = 3;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static sinew_state_names names_of(const world *w) {
    sinew_state_names names = sinew_state_names_default();
    names.clips = (const sinew_clip *const *)w->clips;
    names.clip_count = w->clip_count;
    return names;
}

static sinew_source source_of(const world *w, const char *clip) {
    return sinew_clip_source(world_clip(w, clip));
}

static void go(sinew_mixer *mixer, int frames) {
    for (int i = 0; i < frames; i++) sinew_mixer_update(mixer, 1.0f / 64.0f);
}

// Reads a state, and checks what was reported.
static void read_and_check(sinew_mixer *mixer, const sinew_state_names *names, state_bytes bytes,
                           const char *expected) {
    world_report unknown;
    start_report(&unknown);
    sinew_error error;
    if (sinew_mixer_read(mixer, names, bytes.bytes, bytes.size, &unknown.report, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    assert_string_equal(unknown.text, expected);
    go(mixer, 3);
    assert_int_equal(sinew_mixer_read(mixer, names, bytes.bytes, bytes.size, NULL, NULL), SINEW_OK); // without one
}

// ---- Skeletons -----------------------------------------------------------------------------------------------

// The same character with its nodes in another order, some of them new and some missing.
static world_def reordered_world(void) {
    world_def def = world_plain;
    static const char *const nodes[] = {"Root",   "Antenna", "Hat",    "Foot_R", "Foot_L", "Leg_R", "Leg_L",
                                        "Hand_R", "Hand_L",  "Arm_R",  "Arm_L",  "Mouth",  "Head",  "Chest",
                                        "Hips",   "Spine",   "Wing_L", "Wing_R", "Mane",   "Belt",  "Ring"};
    memset(def.nodes, 0, sizeof def.nodes);
    memcpy(def.nodes, nodes, sizeof nodes);
    def.curves[0] = "Reach";
    def.curves[1] = NULL;
    return def;
}

static bool same_transform(sinew_transform a, sinew_transform b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

// Nodes, morph weights and curves that both have must have the same bits.
static void check_same_nodes(const world *a, const world *b, sinew_mixer *in_a, sinew_mixer *in_b,
                             const char *when) {
    const sinew_pose *pose_a = sinew_mixer_pose(in_a), *pose_b = sinew_mixer_pose(in_b);
    int count = 0;
    for (int32_t i = 0; i < a->skeleton->node_count; i++) {
        const int32_t k = sinew_skeleton_find(b->skeleton, a->skeleton->names[i]);
        if (k == SINEW_NO_NODE) continue;
        count++;
        if (!same_transform(sinew_pose_get(pose_a, i), sinew_pose_get(pose_b, k)))
            fail_msg("%s: %s", when, a->skeleton->names[i]);
        for (int32_t m = a->skeleton->weight_offsets[i]; m < a->skeleton->weight_offsets[i + 1]; m++) {
            const int32_t n = b->skeleton->weight_offsets[k] + m - a->skeleton->weight_offsets[i];
            if (pose_a->weights[m] != pose_b->weights[n]) fail_msg("%s: morph weights", when);
        }
    }
    const int32_t reach = sinew_skeleton_find_curve(a->skeleton, "Reach"),
                  there = sinew_skeleton_find_curve(b->skeleton, "Reach");
    if (pose_a->curves[reach] != pose_b->curves[there]) fail_msg("%s: curves", when);
    assert_int_equal(count, 15);
}

typedef enum moment {
    FADE,
    INERTIALIZATION,
    TWO_INERTIALIZATIONS,
    DEAD_BLEND,
    HELD,
    SET,
    REQUESTED,
    MOMENTS
} moment;

static void change_to(sinew_mixer *mixer, const world *w, const char *clip, sinew_transition_kind kind) {
    sinew_transition how = sinew_transition_default();
    how.kind = kind;
    how.duration = 0.6f;
    sinew_mixer_transition_to(mixer, source_of(w, clip), &how, NULL);
    go(mixer, 9);
}

static void enter(sinew_mixer *mixer, const world *w, moment where) {
    sinew_play_def above = sinew_play_default();
    above.layer = 1;
    above.weight = 0.5f;
    sinew_mixer_play(mixer, source_of(w, "Idle"), NULL);
    go(mixer, 20);
    sinew_mixer_play(mixer, source_of(w, "Wave"), &above);
    change_to(mixer, w, "Walk",
              where == DEAD_BLEND                                         ? SINEW_TRANSITION_DEAD_BLEND
              : where == INERTIALIZATION || where == TWO_INERTIALIZATIONS ? SINEW_TRANSITION_INERTIALIZE
                                                                          : SINEW_TRANSITION_FADE);
    if (where == TWO_INERTIALIZATIONS) change_to(mixer, w, "Run", SINEW_TRANSITION_INERTIALIZE);
    if (where == HELD) sinew_mixer_stop_all(mixer);
    if (where == SET) sinew_mixer_set_pose(mixer, sinew_mixer_edit_pose(mixer));
    if (where == REQUESTED) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.4f);
    if (where == SET) change_to(mixer, w, "Run", SINEW_TRANSITION_FADE);
}

static void test_another_skeleton_keeps_the_nodes_that_it_knows(void **state) {
    (void)state;
    world a, b;
    const world_def other = reordered_world();
    open_world(&a, &world_plain);
    open_world(&b, &other);
    const sinew_state_names in_a = names_of(&a), in_b = names_of(&b);
    for (int where = 0; where < MOMENTS; where++) {
        sinew_mixer *mixer = make_mixer_of(&a, NULL), *there = make_mixer_of(&b, NULL);
        enter(mixer, &a, (moment)where);
        const state_bytes bytes = state_write(mixer, &in_a);
        world_report unknown;
        start_report(&unknown);
        assert_int_equal(sinew_mixer_read(there, &in_b, bytes.bytes, bytes.size, &unknown.report, NULL), SINEW_OK);
        const bool has_nodes = unknown.text[0] != '\0';
        if (has_nodes) assert_string_equal(unknown.text, "node Tail, node Cape, curve Grip");
        for (int i = 0; i < 60; i++) {
            char when[32];
            snprintf(when, sizeof when, "moment %d, frame %d", where, i);
            go(mixer, 1);
            go(there, 1);
            check_same_nodes(&a, &b, mixer, there, when);
        }
        free(bytes.bytes);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(there);
    }
    close_world(&a);
    close_world(&b);
}

// New nodes take what the mixer shows, without offsets.
static void test_new_nodes_take_the_current_pose(void **state) {
    (void)state;
    world a, b;
    const world_def other = reordered_world();
    open_world(&a, &world_plain);
    open_world(&b, &other);
    const sinew_state_names in_a = names_of(&a), in_b = names_of(&b);
    sinew_mixer *mixer = make_mixer_of(&a, NULL), *there = make_mixer_of(&b, NULL);
    enter(mixer, &a, HELD);
    sinew_mixer_play(there, source_of(&b, "Jump"), NULL);
    go(there, 7);
    const int32_t wing = sinew_skeleton_find(b.skeleton, "Wing_L"), head = sinew_skeleton_find(b.skeleton, "Head");
    const sinew_transform before = sinew_pose_get(sinew_mixer_pose(there), wing);
    const state_bytes bytes = state_write(mixer, &in_a);
    assert_int_equal(sinew_mixer_read(there, &in_b, bytes.bytes, bytes.size, NULL, NULL), SINEW_OK);
    go(mixer, 1);
    go(there, 1);
    assert_true(same_transform(sinew_pose_get(sinew_mixer_pose(there), wing), before));
    assert_true(same_transform(sinew_pose_get(sinew_mixer_pose(there), head),
                               sinew_pose_get(sinew_mixer_pose(mixer), sinew_skeleton_find(a.skeleton, "Head"))));
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(there);
    close_world(&a);
    close_world(&b);
}

// The largest difference of a quaternion's parts, for either sign.
static float difference(sinew_quat a, sinew_quat b) {
    const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1.0f : 1.0f;
    const float parts[4] = {a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w};
    float most = 0;
    for (int i = 0; i < 4; i++) most = fmaxf(most, fabsf(parts[i]));
    return most;
}

// Clips that play together turn new nodes the short way around, like in a mixer that started with them.
static void test_new_nodes_choose_their_sides(void **state) {
    (void)state;
    static const char *const pairs[4][2] = {
        {"Idle", "Walk"}, {"Run", "Jump"}, {"Attack", "Wave"}, {"Walk", "Wave"}};
    world a, b;
    const world_def other = reordered_world();
    open_world(&a, &world_plain);
    open_world(&b, &other);
    const sinew_state_names in_a = names_of(&a), in_b = names_of(&b);
    for (int i = 0; i < 4; i++) {
        sinew_mixer *mixer = make_mixer_of(&a, NULL), *there = make_mixer_of(&b, NULL),
                    *native = make_mixer_of(&b, NULL);
        for (int k = 0; k < 2; k++) {
            sinew_play_def def = sinew_play_default();
            def.weight = k == 0 ? 0.6f : 0.4f;
            sinew_mixer_play(mixer, source_of(&a, pairs[i][k]), &def);
            sinew_mixer_play(native, source_of(&b, pairs[i][k]), &def);
        }
        go(mixer, 1);
        go(native, 1);
        const state_bytes bytes = state_write(mixer, &in_a);
        assert_int_equal(sinew_mixer_read(there, &in_b, bytes.bytes, bytes.size, NULL, NULL), SINEW_OK);
        go(native, 3);
        go(there, 3);
        for (int32_t n = 0; n < b.skeleton->node_count; n++) {
            const sinew_quat read = sinew_pose_get(sinew_mixer_pose(there), n).rotation,
                             expected = sinew_pose_get(sinew_mixer_pose(native), n).rotation;
            if (difference(read, expected) > 1e-6f) fail_msg("pair %d: %s", i, b.skeleton->names[n]);
        }
        free(bytes.bytes);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(there);
        sinew_mixer_destroy(native);
    }
    close_world(&a);
    close_world(&b);
}

// The table of node names comes from the mixer's allocator, and only for another skeleton.
static int allocations, fails_at = -1;

static void *allocate(size_t size, size_t alignment, void *user) {
    (void)alignment, (void)user;
    return allocations++ == fails_at ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
}

static void release(void *memory, size_t size, size_t alignment, void *user) {
    (void)size, (void)alignment, (void)user;
    free(memory);
}

static void test_memory_runs_out(void **state) {
    (void)state;
    world a, b;
    const world_def other = reordered_world();
    open_world(&a, &world_plain);
    open_world(&b, &other);
    const sinew_state_names in_a = names_of(&a), in_b = names_of(&b);
    sinew_mixer_def def = sinew_mixer_default();
    def.allocator = (sinew_allocator){allocate, release, NULL};
    sinew_mixer *mixer = make_mixer_of(&a, NULL), *there = make_mixer_of(&b, &def);
    enter(mixer, &a, HELD);
    const state_bytes bytes = state_write(mixer, &in_a);
    const uint64_t hash = sinew_mixer_hash(there);
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    int failures = 0;
    for (; result != SINEW_OK; failures++) {
        world_report unknown;
        start_report(&unknown);
        sinew_error error = {SINEW_OK, ""};
        allocations = 0;
        fails_at = failures;
        result = sinew_mixer_read(there, &in_b, bytes.bytes, bytes.size, &unknown.report, &error);
        fails_at = -1;
        if (result == SINEW_OK) break;
        assert_int_equal(result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
        assert_true(sinew_mixer_hash(there) == hash);
        assert_string_equal(unknown.text, "");
    }
    assert_true(failures > 0);
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(there);
    close_world(&a);
    close_world(&b);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static void test_an_unknown_clip_is_dropped_as_if_evicted(void **state) {
    (void)state;
    world w;
    open_world(&w, &world_plain);
    sinew_state_names names = names_of(&w);
    sinew_mixer *mixer = make_mixer_of(&w, NULL), *there = make_mixer_of(&w, NULL);
    const sinew_action idle = sinew_mixer_play(mixer, source_of(&w, "Idle"), NULL);
    go(mixer, 10);
    const sinew_action walk = sinew_mixer_crossfade_to(mixer, source_of(&w, "Walk"), 0.5f, NULL);
    sinew_action_queue(mixer, idle, source_of(&w, "Jump"), NULL, NULL);
    go(mixer, 10);
    const state_bytes bytes = state_write(mixer, &names);
    names.clip_count = 1; // Idle
    read_and_check(there, &names, bytes, "clip Jump, clip Walk");
    assert_true(sinew_action_is_active(there, idle));
    assert_false(sinew_action_is_active(there, walk));
    go(there, 1);
    sinew_pose *alone; // what is left is the whole pose
    assert_int_equal(sinew_pose_create(w.skeleton, NULL, &alone), SINEW_OK);
    sinew_clip_sample(world_clip(&w, "Idle"), sinew_action_time(there, idle), alone);
    assert_true(same_transform(sinew_pose_get(alone, 4), sinew_pose_get(sinew_mixer_pose(there), 4)));
    sinew_pose_destroy(alone);
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(there);
    close_world(&w);
}

static float distance_to_clip(sinew_mixer *mixer, const world *w, const char *clip, sinew_action action) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(w->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(world_clip(w, clip), sinew_action_time(mixer, action), pose);
    const sinew_quat a = sinew_pose_get(pose, 4).rotation, b = sinew_pose_get(sinew_mixer_pose(mixer), 4).rotation;
    sinew_pose_destroy(pose);
    return 1.0f - fabsf(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

// While a layer fades, what is left takes over the part of what is dropped, until the end of the fade.
static void test_the_others_take_over(void **state) {
    (void)state;
    world w;
    open_world(&w, &world_plain);
    sinew_state_names names = names_of(&w);
    sinew_mixer *mixer = make_mixer_of(&w, NULL), *there = make_mixer_of(&w, NULL);
    sinew_mixer_play(mixer, source_of(&w, "Idle"), NULL);
    sinew_play_def above = sinew_play_default();
    above.layer = 1;
    sinew_action wave = sinew_mixer_play(mixer, source_of(&w, "Wave"), &above);
    sinew_action jump = sinew_mixer_play(mixer, source_of(&w, "Jump"), &above);
    go(mixer, 5);
    sinew_action_fade_to(mixer, jump, 0.5f, 1.0f); // to a third of the layer, and Wave to two thirds
    go(mixer, 10);
    const state_bytes bytes = state_write(mixer, &names);
    static const sinew_clip *known[2];
    known[0] = world_clip(&w, "Idle");
    known[1] = world_clip(&w, "Wave");
    names.clips = known;
    names.clip_count = 2;
    state_read(there, &names, bytes);
    go(there, 50); // of the fade's 54 frames
    assert_true(distance_to_clip(mixer, &w, "Wave", wave) > 1e-3f);
    assert_true(distance_to_clip(there, &w, "Wave", wave) < 2e-3f);
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(there);
    close_world(&w);
}

static void test_without_any_clip_the_base_holds_its_pose(void **state) {
    (void)state;
    world w;
    open_world(&w, &world_plain);
    const sinew_state_names names = names_of(&w), none = sinew_state_names_default();
    sinew_mixer *mixer = make_mixer_of(&w, NULL), *there = make_mixer_of(&w, NULL);
    sinew_mixer_play(mixer, source_of(&w, "Walk"), NULL);
    sinew_mixer_play(there, source_of(&w, "Run"), NULL);
    go(mixer, 10);
    go(there, 25);
    const sinew_transform before = sinew_pose_get(sinew_mixer_pose(there), 4);
    const state_bytes bytes = state_write(mixer, &names);
    read_and_check(there, &none, bytes, "clip Walk");
    go(there, 20);
    assert_true(same_transform(sinew_pose_get(sinew_mixer_pose(there), 4), before));
    sinew_action actions[1];
    assert_int_equal(sinew_mixer_actions(there, actions, 1), 0);
    free(bytes.bytes);
    sinew_mixer_destroy(mixer);
    sinew_mixer_destroy(there);
    close_world(&w);
}

static void test_a_longer_clip_stays_at_the_same_fraction(void **state) {
    (void)state;
    world a, b;
    world_def longer = world_plain;
    longer.stretch = 1.5f;
    open_world(&a, &world_plain);
    open_world(&b, &longer);
    const sinew_state_names in_a = names_of(&a), in_b = names_of(&b);
    for (int loop = SINEW_LOOP_ONCE; loop <= SINEW_LOOP_PING_PONG; loop++) {
        sinew_mixer *mixer = make_mixer_of(&a, NULL), *there = make_mixer_of(&b, NULL);
        sinew_play_def def = sinew_play_default();
        def.loop = (sinew_loop)loop;
        def.layer = 1;
        const sinew_action action = sinew_mixer_play(mixer, source_of(&a, "Walk"), &def);
        for (int i = 0; i < 3; i++) {
            go(mixer, 40);
            const state_bytes bytes = state_write(mixer, &in_a);
            assert_int_equal(sinew_mixer_read(there, &in_b, bytes.bytes, bytes.size, NULL, NULL), SINEW_OK);
            const float expected = sinew_action_time(mixer, action) / world_clip(&a, "Walk")->duration;
            const float fraction = sinew_action_time(there, action) / world_clip(&b, "Walk")->duration;
            assert_float_equal(fraction, expected, 1e-6f);
            go(there, 60);
            free(bytes.bytes);
        }
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(there);
    }
    close_world(&a);
    close_world(&b);
}

static void test_clips_with_the_same_name(void **state) {
    (void)state;
    world a, b;
    world_def longer = world_plain;
    longer.stretch = 1.5f;
    open_world(&a, &world_plain);
    open_world(&b, &longer);
    sinew_clip *additive, *slow;
    const sinew_clip *walk = world_clip(&a, "Walk");
    assert_int_equal(sinew_clip_make_additive(walk, NULL, NULL, &additive, NULL), SINEW_OK);
    assert_int_equal(sinew_clip_subclip(walk, 0, 0.5f * walk->duration, "Walk", NULL, &slow, NULL), SINEW_OK);
    const sinew_clip *all[3] = {additive, slow, walk};
    const char *const unique[3] = {"a", "b", "c"};
    sinew_state_names names = sinew_state_names_default();
    names.clips = all;
    names.clip_count = 3;
    for (int i = 0; i < 6; i++) {
        names.clip_names = i < 3 ? NULL : unique;
        sinew_mixer *mixer = make_mixer_of(&a, NULL), *there = make_mixer_of(&a, NULL);
        sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE);
        sinew_play_def def = sinew_play_default();
        def.layer = all[i % 3]->additive ? 2 : 0;
        const sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(all[i % 3]), &def);
        go(mixer, 5);
        const state_bytes bytes = state_write(mixer, &names);
        read_and_check(there, &names, bytes, "");
        assert_ptr_equal(sinew_action_get(there, action).clip, all[i % 3]);
        free(bytes.bytes);
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(there);
    }
    sinew_clip_destroy(additive);
    sinew_clip_destroy(slow);
    close_world(&a);
    close_world(&b);
}

// ---- Blend spaces, masks and layers --------------------------------------------------------------------------

static sinew_blend_space *make_space(const world *w, const char *const *clips, int32_t count) {
    sinew_blend_sample samples[4] = {{0}};
    for (int32_t i = 0; i < count; i++)
        samples[i] = (sinew_blend_sample){.clip = world_clip(w, clips[i]), .x = (float)i, .speed = 1};
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = w->skeleton;
    def.kind = SINEW_BLEND_SPACE_LINE;
    def.samples = samples;
    def.sample_count = count;
    def.damping = 0.2f;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

// A mixer that plays a blend space in the base and a clip in a masked layer, and what it may refer to.
typedef struct stage {
    world w;
    sinew_blend_space *space;
    sinew_mask *mask;
    sinew_state_names names;
    sinew_mixer *mixer;
    sinew_action moves, waves;
    state_bytes bytes;
} stage;

static const char *const move_clips[3] = {"Idle", "Walk", "Run"};
static const char *const move_name[1] = {"Move"}, *const mask_name[1] = {"Arms"};

static void open_stage(stage *g) {
    open_world(&g->w, &world_plain);
    g->space = make_space(&g->w, move_clips, 3);
    assert_int_equal(sinew_mask_create(g->w.skeleton, 0, NULL, &g->mask), SINEW_OK);
    sinew_mask_set_subtree(g->mask, 6, 1, 0);
    g->names = names_of(&g->w);
    g->names.blend_spaces = (const sinew_blend_space *const *)&g->space;
    g->names.blend_space_names = move_name;
    g->names.blend_space_count = 1;
    g->names.masks = (const sinew_mask *const *)&g->mask;
    g->names.mask_names = mask_name;
    g->names.mask_count = 1;
    g->mixer = make_mixer_of(&g->w, NULL);
    sinew_play_def def = sinew_play_default();
    def.sync = 3;
    g->moves = sinew_mixer_play(g->mixer, sinew_blend_space_source(g->space, 0.5f, 0), &def);
    def.layer = 2;
    sinew_layer_set_mask(g->mixer, 2, g->mask);
    sinew_layer_set_weight(g->mixer, 2, 0.75f);
    g->waves = sinew_mixer_play(g->mixer, source_of(&g->w, "Wave"), &def);
    go(g->mixer, 10);
    sinew_action_set_parameter(g->mixer, g->moves, 1.5f, 0);
    go(g->mixer, 3);
    g->bytes = state_write(g->mixer, &g->names);
}

static void close_stage(stage *g) {
    free(g->bytes.bytes);
    sinew_mixer_destroy(g->mixer);
    sinew_mask_destroy(g->mask);
    sinew_blend_space_destroy(g->space);
    close_world(&g->w);
}

static void test_unknown_blend_spaces_and_masks(void **state) {
    (void)state;
    stage g;
    open_stage(&g);
    sinew_mixer *there = make_mixer_of(&g.w, NULL);
    sinew_state_names names = g.names;
    names.blend_space_count = names.mask_count = 0;
    read_and_check(there, &names, g.bytes, "mask Arms, blend space Move");
    assert_false(sinew_action_is_active(there, g.moves));
    assert_true(sinew_action_is_active(there, g.waves));
    names = g.names;
    static const char *const other[1] = {"Legs"};
    names.mask_names = other;
    sinew_layer_set_mask(there, 2, g.mask); // which stays
    read_and_check(there, &names, g.bytes, "mask Arms");
    go(there, 5);
    sinew_mixer *same = make_mixer_of(&g.w, NULL);
    state_read(same, &g.names, g.bytes);
    state_read(there, &names, g.bytes);
    assert_true(sinew_mixer_hash(there) == sinew_mixer_hash(same));
    sinew_mixer_destroy(same);
    sinew_mixer_destroy(there);
    close_stage(&g);
}

// A blend space with a clip more, in another order, and without one that contributes.
static void test_another_blend_space(void **state) {
    (void)state;
    static const char *const clips[4] = {"Attack", "Run", "Idle", "Jump"};
    stage g;
    open_stage(&g);
    sinew_mixer *there = make_mixer_of(&g.w, NULL);
    sinew_blend_space *other = make_space(&g.w, clips, 4);
    sinew_state_names names = g.names;
    names.blend_spaces = (const sinew_blend_space *const *)&other;
    read_and_check(there, &names, g.bytes, "sample Walk");
    const sinew_action_state now = sinew_action_get(there, g.moves);
    assert_ptr_equal(now.source.blend_space, other);
    assert_float_equal(now.source.x, 1.5, 0);
    go(there, 100);
    sinew_mixer_destroy(there);
    sinew_blend_space_destroy(other);
    close_stage(&g);
}

static void test_layers_have_names_or_places(void **state) {
    (void)state;
    static const char *const before[3] = {"Base", "Lower", "Upper"}, *const after[4] = {"Base", "Upper", NULL,
                                                                                        "Face"};
    stage g;
    open_stage(&g);
    g.names.layer_names = before;
    g.names.layer_count = 3;
    const state_bytes named = state_write(g.mixer, &g.names);
    sinew_mixer_def def = sinew_mixer_default();
    def.layer_count = 4;
    sinew_mixer *there = make_mixer_of(&g.w, &def);
    sinew_state_names names = g.names;
    names.layer_names = after;
    names.layer_count = 4;
    sinew_layer_set_weight(there, 3, 0.25f);
    read_and_check(there, &names, named, "layer Lower");
    assert_int_equal(sinew_action_get(there, g.waves).layer, 1);
    assert_float_equal(sinew_layer_weight(there, 1), 0.75, 0);
    assert_float_equal(sinew_layer_weight(there, 2), 1, 0);
    assert_float_equal(sinew_layer_weight(there, 3), 0.25, 0); // it isn't in the state
    static const char *const lower[4] = {"Base", "Lower", NULL, NULL};
    names.layer_names = lower;
    read_and_check(there, &names, named, "layer Upper, action Wave");
    assert_false(sinew_action_is_active(there, g.waves));
    names.layer_count = 0; // by their places
    read_and_check(there, &names, g.bytes, "");
    assert_int_equal(sinew_action_get(there, g.waves).layer, 2);
    free(named.bytes);
    sinew_mixer_destroy(there);
    close_stage(&g);
}

// A mixer that is in use has the modes that its program expects.
static void test_only_new_mixers_take_modes(void **state) {
    (void)state;
    stage g;
    open_stage(&g);
    sinew_mixer *there = make_mixer_of(&g.w, NULL), *fresh = make_mixer_of(&g.w, NULL);
    sinew_layer_set_mode(there, 2, SINEW_LAYER_ADDITIVE);
    read_and_check(there, &g.names, g.bytes, "layer 2, action Wave");
    assert_true(sinew_action_is_active(there, g.moves));
    state_read(fresh, &g.names, g.bytes);
    const state_bytes additive = state_write(there, &g.names);
    read_and_check(fresh, &g.names, additive, "layer 2");
    sinew_mixer *newer = make_mixer_of(&g.w, NULL);
    read_and_check(newer, &g.names, additive, "");
    assert_true(sinew_mixer_hash(newer) != sinew_mixer_hash(fresh));
    free(additive.bytes);
    sinew_mixer_destroy(newer);
    sinew_mixer_destroy(fresh);
    sinew_mixer_destroy(there);
    close_stage(&g);
}

static void test_sync_groups_have_names_or_numbers(void **state) {
    (void)state;
    static const char *const before[3] = {"a", "b", "feet"}, *const after[2] = {"feet", "b"};
    stage g;
    open_stage(&g);
    g.names.sync_group_names = before;
    g.names.sync_group_count = 3;
    const state_bytes named = state_write(g.mixer, &g.names);
    sinew_mixer *there = make_mixer_of(&g.w, NULL), *same = make_mixer_of(&g.w, NULL);
    sinew_state_names names = g.names;
    names.sync_group_names = after;
    names.sync_group_count = 2;
    read_and_check(there, &names, named, "");
    state_read(there, &names, named);
    state_read(same, &g.names, named);
    assert_true(sinew_mixer_hash(there) != sinew_mixer_hash(same)); // group 1, not 3
    for (int i = 0; i < 60; i++) {
        go(there, 1);
        go(same, 1);
        assert_float_equal(sinew_action_time(there, g.waves), sinew_action_time(same, g.waves), 0);
    }
    names.sync_group_count = 0;
    read_and_check(there, &names, named, "sync group feet");
    free(named.bytes);
    sinew_mixer_destroy(there);
    sinew_mixer_destroy(same);
    close_stage(&g);
}

static void test_fewer_slots_layers_and_blend_spaces(void **state) {
    (void)state;
    stage g;
    open_stage(&g);
    sinew_mixer_def def = sinew_mixer_default();
    def.max_actions = 1;
    sinew_mixer *there = make_mixer_of(&g.w, &def); // two layers
    read_and_check(there, &g.names, g.bytes, "layer 2, action Wave");
    sinew_mixer_destroy(there);
    def.max_actions = 8;
    def.max_blend_spaces = 0;
    def.layer_count = 3;
    def.inertialization = false;
    there = make_mixer_of(&g.w, &def);
    read_and_check(there, &g.names, g.bytes, "action Idle");
    assert_true(sinew_action_is_active(there, g.waves));
    sinew_mixer_destroy(there);
    close_stage(&g);
}

// ---- Handles, recordings and callbacks -----------------------------------------------------------------------

static void ignore_bytes(const void *bytes, size_t size, void *user) {
    (void)bytes, (void)size, (void)user;
}

static void test_a_recording_ends(void **state) {
    (void)state;
    stage g;
    open_stage(&g);
    sinew_mixer *there = make_mixer_of(&g.w, NULL);
    assert_int_equal(sinew_mixer_record(there, ignore_bytes, NULL, NULL), SINEW_OK);
    state_read(there, &g.names, g.bytes);
    go(there, 5);
    sinew_error error;
    assert_int_equal(sinew_mixer_record(there, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the recording ends before it"));
    sinew_mixer_destroy(there);
    close_stage(&g);
}

// A section that this version doesn't know is skipped.
static void test_unknown_sections_are_skipped(void **state) {
    (void)state;
    stage g;
    open_stage(&g);
    static const uint8_t section[] = {'N', 'E', 'W', '!', 3, 0, 0, 0, 1, 2, 3};
    state_bytes longer = {malloc(g.bytes.size + sizeof section), g.bytes.size + sizeof section};
    memcpy(longer.bytes, g.bytes.bytes, 24);
    memcpy(longer.bytes + 24, section, sizeof section);
    memcpy(longer.bytes + 24 + sizeof section, g.bytes.bytes + 24, g.bytes.size - 24);
    // Strings and rows refer to places in the file only while it is read.
    state_repair(longer);
    sinew_mixer *there = make_mixer_of(&g.w, NULL);
    state_read(there, &g.names, longer);
    assert_true(sinew_mixer_hash(there) == sinew_mixer_hash(g.mixer));
    free(longer.bytes);
    sinew_mixer_destroy(there);
    close_stage(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_skeleton_keeps_the_nodes_that_it_knows),
        cmocka_unit_test(test_new_nodes_take_the_current_pose),
        cmocka_unit_test(test_new_nodes_choose_their_sides),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_an_unknown_clip_is_dropped_as_if_evicted),
        cmocka_unit_test(test_the_others_take_over),
        cmocka_unit_test(test_without_any_clip_the_base_holds_its_pose),
        cmocka_unit_test(test_a_longer_clip_stays_at_the_same_fraction),
        cmocka_unit_test(test_clips_with_the_same_name),
        cmocka_unit_test(test_unknown_blend_spaces_and_masks),
        cmocka_unit_test(test_another_blend_space),
        cmocka_unit_test(test_layers_have_names_or_places),
        cmocka_unit_test(test_only_new_mixers_take_modes),
        cmocka_unit_test(test_sync_groups_have_names_or_numbers),
        cmocka_unit_test(test_fewer_slots_layers_and_blend_spaces),
        cmocka_unit_test(test_a_recording_ends),
        cmocka_unit_test(test_unknown_sections_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
