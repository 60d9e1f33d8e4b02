// SPDX-License-Identifier: MIT
// sinew_mixer_update equals its three steps, and sinew_batch_update equals many of them, bit for bit.
#include "support/random_rig.h"

// ---- A stage: skeletons, clips, and mixers that do the same at the same time ----------------------------------

#define SKELETONS 2
#define CLIPS     4

typedef struct stage {
    sinew_skeleton *skeletons[SKELETONS];
    sinew_clip *clips[SKELETONS][CLIPS];
    sinew_skin *skins[SKELETONS];
} stage;

static sinew_clip *draw_any_clip(uint64_t *state, const sinew_skeleton *skeleton) {
    random_clip_options wish = {draw_count(state, 0, 3), draw_count(state, 1, 3) * 40, false, SINEW_KEYS_FLOAT};
    if (random_next(state) % 6 == 0) wish.rows = SINEW_KEYS_U16;
    return draw_clip(state, skeleton, wish);
}

static sinew_skin *make_skin(const sinew_skeleton *skeleton) {
    sinew_skin_def def = sinew_skin_default();
    int32_t *joints = calloc((size_t)skeleton->node_count, sizeof *joints);
    assert_non_null(joints);
    for (int32_t i = 0; i < skeleton->node_count; i++) joints[i] = skeleton->node_count - 1 - i;
    def.skeleton = skeleton;
    def.joint_count = skeleton->node_count;
    def.joints = joints;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&def, &skin, NULL), SINEW_OK);
    free(joints);
    return skin;
}

static void open_stage(stage *s, uint64_t *state, int32_t nodes) {
    for (int i = 0; i < SKELETONS; i++) {
        s->skeletons[i] = draw_skeleton(state, nodes + 7 * i, false);
        for (int c = 0; c < CLIPS; c++) s->clips[i][c] = draw_any_clip(state, s->skeletons[i]);
        s->skins[i] = make_skin(s->skeletons[i]);
    }
}

static void close_stage(stage *s) {
    for (int i = 0; i < SKELETONS; i++) {
        sinew_skin_destroy(s->skins[i]);
        for (int c = 0; c < CLIPS; c++) sinew_clip_destroy(s->clips[i][c]);
        sinew_skeleton_destroy(s->skeletons[i]);
    }
}

static sinew_mixer *make_mixer(uint64_t *state, const sinew_skeleton *skeleton) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.max_actions = draw_count(state, 1, 6);
    def.hints_per_action = draw_count(state, 0, 3);
    def.underweight = random_next(state) % 2 ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
    if (random_next(state) % 3 == 0) def.root = draw_count(state, 0, skeleton->node_count - 1);
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    return mixer;
}

static void play_something(uint64_t *state, sinew_mixer *mixer, sinew_clip *const *clips) {
    sinew_play_def def = sinew_play_default();
    const sinew_clip *clip = clips[draw_count(state, 0, CLIPS - 1)];
    def.speed = random_float(state, -2, 2);
    def.weight = random_float(state, 0, 1);
    def.fade = random_float(state, -0.1f, 0.3f);
    if (!(def.fade > 0.0f)) def.fade = 0;
    def.loop = (sinew_loop)draw_count(state, 0, 2);
    def.allow_duplicate = random_next(state) % 3 == 0;
    if (random_next(state) % 2) {
        sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
    } else {
        sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), def.fade, &def);
    }
}

// What a game does now and then. The same state does the same.
static void do_something(uint64_t *state, sinew_mixer *mixer, sinew_clip *const *clips) {
    sinew_action first = {0};
    sinew_mixer_actions(mixer, &first, 1);
    switch (random_next(state) % 12) {
    case 0:
    case 1:
    case 2:
        play_something(state, mixer, clips);
        break;
    case 3:
        sinew_action_stop(mixer, first);
        break;
    case 4:
        sinew_action_set_paused(mixer, first, true);
        break;
    case 5:
        sinew_action_set_paused(mixer, first, false);
        break;
    case 6:
        sinew_action_set_weight(mixer, first, random_float(state, -0.2f, 1));
        break;
    case 7:
        if (random_next(state) % 4 == 0) sinew_mixer_stop_all(mixer);
        break;
    case 8:
        sinew_action_set_time(mixer, first, random_float(state, 0, 2));
        break;
    default:
        break;
    }
}

static float draw_step(uint64_t *state) {
    return random_next(state) % 4 == 0 ? 0.0f : random_float(state, 0, 0.2f);
}

// ---- Comparing -----------------------------------------------------------------------------------------------

static bool same_bytes(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

static void check_same_weights(const sinew_mixer *a, const sinew_mixer *b, const sinew_skeleton *skeleton) {
    size_t size = (size_t)skeleton->weight_count * sizeof(float);
    assert_true(same_bytes(sinew_mixer_morph_weights(a), sinew_mixer_morph_weights(b), size));
}

static void check_same_matrices(const sinew_mixer *a, const sinew_mixer *b, const sinew_skeleton *skeleton) {
    size_t size = (size_t)skeleton->node_count * sizeof(sinew_affine);
    assert_true(same_bytes(sinew_mixer_model_matrices(a), sinew_mixer_model_matrices(b), size));
    check_same_weights(a, b, skeleton);
}

static void check_same_pose(const sinew_pose *a, const sinew_pose *b) {
    const float *planes_a[10] = {a->tx, a->ty, a->tz, a->rx, a->ry, a->rz, a->rw, a->sx, a->sy, a->sz};
    const float *planes_b[10] = {b->tx, b->ty, b->tz, b->rx, b->ry, b->rz, b->rw, b->sx, b->sy, b->sz};
    size_t size = (size_t)a->skeleton->node_count * sizeof(float);
    for (int p = 0; p < 10; p++) assert_true(same_bytes(planes_a[p], planes_b[p], size));
    assert_true(same_bytes(a->weights, b->weights, (size_t)a->skeleton->weight_count * sizeof(float)));
}

static void step_by_step(sinew_mixer *mixer, float dt) {
    sinew_mixer_advance(mixer, dt);
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
}

// ---- One mixer -----------------------------------------------------------------------------------------------

// Two mixers that do the same, one in one go and one in three steps. `looks`: the caller looks at the pose.
static void check_update(stage *s, uint64_t *state, bool looks) {
    const sinew_skeleton *skeleton = s->skeletons[0];
    uint64_t fused_state = *state, stepped_state = *state;
    sinew_mixer *fused = make_mixer(&fused_state, skeleton), *stepped = make_mixer(&stepped_state, skeleton);
    for (int frame = 0; frame < 25; frame++) {
        do_something(&fused_state, fused, s->clips[0]);
        do_something(&stepped_state, stepped, s->clips[0]);
        sinew_mixer_update(fused, draw_step(&fused_state));
        step_by_step(stepped, draw_step(&stepped_state));
        check_same_matrices(fused, stepped, skeleton);
        if (looks && frame % 5 == 0) check_same_pose(sinew_mixer_pose(fused), sinew_mixer_pose(stepped));
    }
    check_same_pose(sinew_mixer_pose(fused), sinew_mixer_pose(stepped));
    sinew_mixer_destroy(fused);
    sinew_mixer_destroy(stepped);
    *state = fused_state;
}

static void an_update_is_its_three_steps(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (int32_t nodes = 1; nodes <= 67; nodes += 3) {
        stage s;
        open_stage(&s, &state, nodes);
        for (int i = 0; i < 6; i++) check_update(&s, &state, i % 2);
        close_stage(&s);
    }
}

// More clips with more timelines than there is room for keys.
static void an_update_with_many_keys_is_its_three_steps(void **unused) {
    (void)unused;
    uint64_t state = 2;
    stage s;
    open_stage(&s, &state, 400);
    for (int i = 0; i < 4; i++) check_update(&s, &state, i % 2);
    close_stage(&s);
}

// The pose of an update is worked out late. What happens in between must not change it.
static void the_pose_of_an_update_is_there_when_it_is_asked_for(void **unused) {
    (void)unused;
    uint64_t state = 3;
    for (int way = 0; way < 5; way++) {
        stage s;
        open_stage(&s, &state, 20);
        sinew_mixer_def def = sinew_mixer_default();
        def.skeleton = s.skeletons[0];
        sinew_mixer *mixer, *wanted;
        assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
        assert_int_equal(sinew_mixer_create(&def, &wanted, NULL), SINEW_OK);
        sinew_play_def play = sinew_play_default();
        play.weight = 0.4f;
        sinew_clip *ended = s.clips[0][0];
        sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(ended), &play);
        sinew_mixer_play(wanted, sinew_clip_source(ended), &play);
        if (way % 2) {
            sinew_mixer_play(mixer, sinew_clip_source(s.clips[0][1]), NULL);
            sinew_mixer_play(wanted, sinew_clip_source(s.clips[0][1]), NULL);
        }
        sinew_mixer_update(mixer, 0.3f);
        sinew_mixer_advance(wanted, 0.3f);
        sinew_mixer_evaluate(wanted);
        if (way < 2) sinew_action_stop(mixer, action);
        if (way == 2) sinew_mixer_stop_all(mixer);
        if (way == 3) sinew_action_fade_out(mixer, action, 0);
        if (way == 4) sinew_action_fade_out(mixer, action, 0.1f);
        if (way == 4) sinew_mixer_advance(mixer, 0.2f); // there it ends
        assert_false(sinew_action_is_active(mixer, action));
        sinew_clip_destroy(ended);
        s.clips[0][0] = draw_any_clip(&state, s.skeletons[0]); // where that one was, perhaps
        check_same_pose(sinew_mixer_pose(mixer), sinew_mixer_pose(wanted));
        sinew_mixer_destroy(mixer);
        sinew_mixer_destroy(wanted);
        close_stage(&s);
    }
}

// The same where nothing asks for the pose: what is held is what was last, and not what a clip that is gone says.
static void what_is_held_is_what_was_last(void **unused) {
    (void)unused;
    uint64_t state = 4;
    stage s;
    open_stage(&s, &state, 20);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeletons[0];
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[0][0]), NULL);
    assert_true(sinew_mixer_update(mixer, 0.3f));
    sinew_affine before[20];
    memcpy(before, sinew_mixer_model_matrices(mixer), sizeof before);
    sinew_action_stop(mixer, action);
    sinew_clip_destroy(s.clips[0][0]);
    s.clips[0][0] = draw_any_clip(&state, s.skeletons[0]);
    sinew_mixer_update(mixer, 0.1f);
    assert_memory_equal(sinew_mixer_model_matrices(mixer), before, sizeof before);
    assert_false(sinew_mixer_update(mixer, 0.1f));
    assert_memory_equal(sinew_mixer_model_matrices(mixer), before, sizeof before);
    step_by_step(mixer, 0.1f);
    assert_memory_equal(sinew_mixer_model_matrices(mixer), before, sizeof before);
    sinew_mixer_destroy(mixer);
    close_stage(&s);
}

static void an_update_says_whether_something_moved(void **unused) {
    (void)unused;
    sinew_skeleton *skeleton = make_chain(3);
    sinew_clip *clip = make_slide(skeleton, "slide", 1, 2.0f, 8.0f);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    assert_true(sinew_mixer_update(mixer, 0)); // the first time: what's made from it is only made once
    assert_false(sinew_mixer_update(mixer, 0));
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(clip), &once);
    assert_true(sinew_mixer_update(mixer, 0)); // it has begun
    assert_false(sinew_mixer_update(mixer, 0));
    assert_true(sinew_mixer_update(mixer, 0.5f));
    sinew_action_set_paused(mixer, action, true);
    sinew_affine before[3];
    memcpy(before, sinew_mixer_model_matrices(mixer), sizeof before);
    for (int i = 0; i < 3; i++) assert_false(sinew_mixer_update(mixer, 0.5f));
    assert_memory_equal(sinew_mixer_model_matrices(mixer), before, sizeof before);
    check_near(before[2].m[0][3], 2, 1e-6);
    sinew_action_set_time(mixer, action, 1);
    assert_true(sinew_mixer_update(mixer, 0)); // paused, but moved
    sinew_action_set_paused(mixer, action, false);
    assert_true(sinew_mixer_update(mixer, 5));
    assert_true(sinew_action_is_finished(mixer, action));
    assert_false(sinew_mixer_update(mixer, 5));
    check_near(sinew_mixer_model_matrices(mixer)[2].m[0][3], 8, 1e-6);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// The program may have changed the pose, and the matrices made from that are not what the mixer plays.
static void an_update_does_away_with_edits(void **unused) {
    (void)unused;
    sinew_skeleton *skeleton = make_chain(3);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_mixer_update(mixer, 0.1f);
    for (int x = 5; x < 8; x++) {
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        float before = sinew_mixer_model_matrices(mixer)[2].m[0][3];
        pose->tx[1] = (float)x;
        sinew_mixer_to_model(mixer);
        check_near(sinew_mixer_model_matrices(mixer)[2].m[0][3], x, 0);
        assert_true(sinew_mixer_update(mixer, 0.1f));
        check_near(sinew_mixer_model_matrices(mixer)[2].m[0][3], before, 0);
    }
    sinew_mixer_destroy(mixer);
    sinew_skeleton_destroy(skeleton);
}

// ---- Batches -------------------------------------------------------------------------------------------------

#define CROWD 19 // so many that memory is prefetched: see MANY in batch.c

typedef struct crowd {
    sinew_batch_item items[CROWD];
    uint64_t states[CROWD];
    int which[CROWD];   // of the skeletons
    char *rooms[CROWD]; // of the palettes
} crowd;

static size_t palette_size(const stage *s, int which) {
    return (size_t)s->skins[which]->joint_count * sizeof(sinew_affine);
}

// Whose model matrices are wanted.
typedef enum keeping { ALL_MODELS, SOME_MODELS } keeping;

static void make_crowd(crowd *c, const stage *s, uint64_t seed, keeping keeps) {
    for (int i = 0; i < CROWD; i++) {
        c->states[i] = seed + (uint64_t)i;
        c->which[i] = i / 4 % 2; // neighbours that share a skeleton, and some that do not
        size_t size = palette_size(s, c->which[i]), offset = i % 3 == 1 ? sizeof(float) : 0; // not a multiple of 16
        c->items[i] = (sinew_batch_item){.mixer = make_mixer(&c->states[i], s->skeletons[c->which[i]])};
        c->rooms[i] = malloc(size + offset);
        assert_non_null(c->rooms[i]);
        c->items[i].palette = (sinew_affine *)(void *)(c->rooms[i] + offset);
        c->items[i].stream_palette = i % 4 != 3;
        memset(c->items[i].palette, 0x7e, size);
        if (i % 5 != 2) c->items[i].skin = s->skins[c->which[i]];
        c->items[i].palette_only = keeps == SOME_MODELS && i % 3 != 1;
    }
}

static void free_crowd(crowd *c) {
    for (int i = 0; i < CROWD; i++) {
        sinew_mixer_destroy(c->items[i].mixer);
        free(c->rooms[i]);
    }
}

// What an item of a batch stands for.
static void update_one(sinew_batch_item *item, float dt) {
    item->changed = sinew_mixer_update(item->mixer, dt);
    if (item->changed && item->skin) {
        sinew_skin_palette(item->skin, sinew_mixer_model_matrices(item->mixer), item->palette);
    }
}

// In one piece, item by item, in pieces of any size, or in pieces from the last to the first.
static void update_split(crowd *c, uint64_t *state, int way, float dt) {
    int32_t cuts[CROWD + 1] = {0}, count = 0;
    while (cuts[count] < CROWD) {
        int32_t size = way == 0 ? CROWD : way == 1 ? 1 : draw_count(state, 1, 6);
        cuts[count + 1] = cuts[count] + size < CROWD ? cuts[count] + size : CROWD;
        count++;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t piece = way == 3 ? count - 1 - i : i;
        sinew_batch_update(c->items, cuts[piece], cuts[piece + 1] - cuts[piece], dt);
        sinew_batch_update(c->items, cuts[piece], 0, dt); // nothing
    }
}

static void check_batch(const stage *s, uint64_t *state, int way, keeping keeps) {
    crowd batch, single;
    make_crowd(&batch, s, *state, keeps);
    make_crowd(&single, s, *state, ALL_MODELS);
    for (int frame = 0; frame < 25; frame++) {
        float dt = draw_step(state);
        for (int i = 0; i < CROWD; i++) {
            do_something(&batch.states[i], batch.items[i].mixer, s->clips[batch.which[i]]);
            do_something(&single.states[i], single.items[i].mixer, s->clips[single.which[i]]);
            update_one(&single.items[i], dt);
        }
        update_split(&batch, state, way, dt);
        for (int i = 0; i < CROWD; i++) {
            const sinew_batch_item *a = &batch.items[i], *b = &single.items[i];
            assert_int_equal(a->changed, b->changed);
            const sinew_skeleton *skeleton = s->skeletons[batch.which[i]];
            assert_memory_equal(a->palette, b->palette, palette_size(s, batch.which[i]));
            check_same_weights(a->mixer, b->mixer, skeleton);
            if (a->palette_only && (i + frame) % 4 != 0) continue;
            if (a->palette_only) sinew_mixer_to_model(a->mixer);
            check_same_matrices(a->mixer, b->mixer, skeleton);
        }
    }
    free_crowd(&batch);
    free_crowd(&single);
}

static void a_batch_is_its_items_however_it_is_split(void **unused) {
    (void)unused;
    uint64_t state = 5;
    const int32_t sizes[] = {1, 12, 40, 67, 130}; // narrow ones, and a wide one
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        stage s;
        open_stage(&s, &state, sizes[i]);
        for (int way = 0; way < 4; way++) check_batch(&s, &state, way, ALL_MODELS);
        for (int way = 0; way < 4; way += 2) check_batch(&s, &state, way, SOME_MODELS);
        close_stage(&s);
    }
}

// Who wanted the palette only, and now wants the model matrices, gets them even where nothing moves.
static void model_matrices_come_when_they_are_wanted_again(void **unused) {
    (void)unused;
    uint64_t state = 6;
    stage s;
    open_stage(&s, &state, 20);
    crowd c;
    make_crowd(&c, &s, state, SOME_MODELS);
    sinew_mixer *mixer = c.items[0].mixer;
    sinew_affine at_rest = sinew_mixer_model_matrices(mixer)[1];
    sinew_action action = sinew_mixer_play(mixer, sinew_clip_source(s.clips[0][0]), NULL);
    const bool only[] = {true, true, false, false, true}, changed[] = {true, false, true, false, false};
    for (int i = 0; i < 5; i++) {
        c.items[0].palette_only = only[i];
        sinew_batch_update(c.items, 0, 1, 0.1f);
        assert_int_equal(c.items[0].changed, changed[i]);
        sinew_action_set_paused(mixer, action, true);
    }
    sinew_affine got = sinew_mixer_model_matrices(mixer)[1];
    sinew_mixer_evaluate(mixer);
    sinew_mixer_to_model(mixer);
    assert_true(same_bytes(&got, &sinew_mixer_model_matrices(mixer)[1], sizeof got));
    assert_false(same_bytes(&got, &at_rest, sizeof got));
    free_crowd(&c);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_update_is_its_three_steps),
        cmocka_unit_test(an_update_with_many_keys_is_its_three_steps),
        cmocka_unit_test(the_pose_of_an_update_is_there_when_it_is_asked_for),
        cmocka_unit_test(what_is_held_is_what_was_last),
        cmocka_unit_test(an_update_says_whether_something_moved),
        cmocka_unit_test(an_update_does_away_with_edits),
        cmocka_unit_test(a_batch_is_its_items_however_it_is_split),
        cmocka_unit_test(model_matrices_come_when_they_are_wanted_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
