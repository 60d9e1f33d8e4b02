// SPDX-License-Identifier: MIT
// sinew_mixer_inertialize: any sudden change of the pose after it continues from the position and the velocity.
#include "support/continuing.h"

typedef enum jump {
    A_SEEK,
    A_SPEED,
    A_WEIGHT,
    A_STOP,
    A_START,
    A_CUT,
    A_LAYER_WEIGHT,
    A_MASK,
    A_MODE_OF_NOTHING, // no change
    JUMPS
} jump;

typedef struct scene {
    sinew_mask *mask;
    sinew_action a, b, upper;
} scene;

// a and b in the base, d over half of it in layer 1.
static scene begin_scene(mixer_stage *s) {
    scene all;
    start_over(s);
    assert_int_equal(sinew_mask_create(s->skeleton, 0, NULL, &all.mask), SINEW_OK);
    sinew_mask_set_subtree(all.mask, 9, 1, STAGE_NODES);
    all.a = play(s, STAGE_A, 1);
    all.b = play(s, STAGE_C, 0.5f);
    all.upper = transition_on(s, 1, STAGE_D, SINEW_TRANSITION_FADE, 0, SINEW_TIME_AUTO);
    sinew_layer_set_weight(s->mixer, 1, 0.5f);
    sinew_mixer_update(s->mixer, 0.25f);
    return all;
}

static void make_jump(mixer_stage *s, const scene *all, jump what) {
    switch (what) {
    case A_SEEK:
        sinew_action_set_time(s->mixer, all->a, 1.25f);
        break;
    case A_SPEED:
        sinew_action_set_speed(s->mixer, all->a, -0.5f);
        break;
    case A_WEIGHT:
        sinew_action_set_weight(s->mixer, all->b, 2);
        break;
    case A_STOP:
        sinew_action_stop(s->mixer, all->a);
        break;
    case A_START:
        play(s, STAGE_B, 1);
        break;
    case A_CUT:
        transition(s, STAGE_B, SINEW_TRANSITION_FADE, 0);
        break;
    case A_LAYER_WEIGHT:
        sinew_layer_set_weight(s->mixer, 1, 1);
        break;
    case A_MASK:
        sinew_layer_set_mask(s->mixer, 1, all->mask);
        break;
    default:
        sinew_layer_set_mode(s->mixer, 2, SINEW_LAYER_ADDITIVE);
        break;
    }
}

static void end_scene(mixer_stage *s, const scene *all) {
    sinew_layer_set_mask(s->mixer, 1, NULL);
    start_over(s);
    sinew_mask_destroy(all->mask);
}

static void test_a_change_that_is_inertialized_continues(void **state) {
    mixer_stage *s = *state;
    for (int what = 0; what < JUMPS; what++) {
        scene all = begin_scene(s);
        watched w = watch(s);
        sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 2);
        make_jump(s, &all, (jump)what);
        check_continues(s, &w);
        end_scene(s, &all);
    }
}

// Several calls and changes of a frame are one; a transition joins them.
static void test_several_changes_are_inertialized_together(void **state) {
    mixer_stage *s = *state;
    for (int with = 0; with < 3; with++) {
        scene all = begin_scene(s);
        watched w = watch(s);
        sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 1);
        make_jump(s, &all, A_SEEK);
        sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 2);
        make_jump(s, &all, A_LAYER_WEIGHT);
        if (with == 1) transition(s, STAGE_B, SINEW_TRANSITION_INERTIALIZE, 2);
        if (with == 2) make_jump(s, &all, A_MASK);
        check_continues(s, &w);
        end_scene(s, &all);
    }
}

// In the end there is nothing left of it, to the bit.
static void test_an_inertialized_change_ends_on_the_bits_of_the_change(void **state) {
    mixer_stage *s = *state;
    for (int what = 0; what < JUMPS; what++) {
        sinew_pose *plain;
        assert_int_equal(sinew_pose_create(s->skeleton, NULL, &plain), SINEW_OK);
        for (int inertializes = 0; inertializes < 2; inertializes++) {
            scene all = begin_scene(s);
            if (inertializes) sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0.25f);
            make_jump(s, &all, (jump)what);
            for (int i = 0; i < 10; i++) sinew_mixer_update(s->mixer, 0.03125f);
            if (inertializes) check_pose_bits(sinew_mixer_pose(s->mixer), plain);
            if (!inertializes) sinew_pose_copy(plain, sinew_mixer_pose(s->mixer));
            end_scene(s, &all);
        }
        sinew_pose_destroy(plain);
    }
}

// A duration of 0, and a mixer that has shown nothing yet: no change.
static void test_no_time_and_nothing_shown_are_no_ops(void **state) {
    mixer_stage *s = *state;
    for (int fresh = 0; fresh < 2; fresh++) {
        start_over(s);
        if (fresh) sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 1);
        sinew_action a = play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        if (!fresh) sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0);
        if (!fresh) sinew_action_set_time(s->mixer, a, 1);
        sinew_mixer_update(s->mixer, 0);
        for (int32_t n = 0; n < STAGE_NODES; n++)
            check_shown(s->mixer, n, node_of_clip(STAGE_A, fresh ? 0.25 : 1, n), CLOSE);
    }
}

// A layer's inertialization applies to nodes under its mask. The others change immediately.
static void test_a_layers_inertialization_is_of_its_nodes(void **state) {
    mixer_stage *s = *state;
    scene all = begin_scene(s);
    sinew_layer_set_mask(s->mixer, 1, all.mask);
    sinew_mixer_update(s->mixer, 0.125f);
    watched w = watch(s);
    sinew_mixer_inertialize(s->mixer, 1, 2);
    sinew_layer_set_weight(s->mixer, 1, 1);
    make_jump(s, &all, A_CUT);
    sinew_mixer_update(s->mixer, 0);
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        check_shown(s->mixer, n, n < 9 ? node_of_clip(STAGE_B, 0, n) : w.at.nodes[n], CLOSE);
    }
    end_scene(s, &all);
}

// ---- Finished poses ------------------------------------------------------------------------------------------

#define EDITED 2 // a node

// The part of an offset without a velocity that is left after a part of its duration.
static double left_of_offset(double part) {
    if (part >= 1) return 0;
    return pow(1 - part, 3) * (1 + 3 * part + 2.25 * part * part);
}

// Moves a node by 1 m along x for a frame, and finishes the pose once or twice.
static void edit_frame(mixer_stage *s, int finishes) {
    sinew_mixer_advance(s->mixer, 1.0f / 64);
    sinew_mixer_evaluate(s->mixer);
    sinew_pose *pose = sinew_mixer_edit_pose(s->mixer);
    pose->tx[EDITED] += 1;
    for (int i = 0; i < finishes; i++) sinew_mixer_finish_pose(s->mixer);
}

// An edit that begins, like a solver that is switched on, is reached evenly if the program finishes its poses.
static void test_an_edit_that_begins_is_inertialized_by_finishing(void **state) {
    mixer_stage *s = *state;
    for (int finishes = 0; finishes <= 2; finishes++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0.5f);
        for (int i = 0; i <= 40; i++) {
            edit_frame(s, finishes);
            double left = finishes > 0 ? left_of_offset(i / 32.0) : 0;
            exact_node expected = node_of_clip(STAGE_A, 0.25 + (i + 1) / 64.0, EDITED);
            check_near(sinew_mixer_pose(s->mixer)->tx[EDITED], expected.at.x + 1 - left, 2e-5);
        }
    }
}

// The same for an edit that ends, with the model matrices; and what is not finished in the next frame is dropped.
static void test_an_edit_that_ends_is_inertialized_by_finishing(void **state) {
    mixer_stage *s = *state;
    for (int late = 0; late < 2; late++) {
        start_over(s);
        play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        edit_frame(s, 1);
        sinew_mixer_inertialize(s->mixer, SINEW_ALL_LAYERS, 0.5f);
        for (int i = 0; i <= 40; i++) {
            sinew_mixer_advance(s->mixer, 1.0f / 64);
            if (late && i == 0) continue;
            sinew_mixer_evaluate(s->mixer);
            sinew_mixer_finish_pose(s->mixer);
            double left = late ? 0 : left_of_offset(i / 32.0);
            exact_node expected = node_of_clip(STAGE_A, 0.25 + (i + 2) / 64.0, EDITED);
            const sinew_pose *pose = sinew_mixer_pose(s->mixer);
            check_near(pose->tx[EDITED], expected.at.x + left, 2e-5);
            sinew_affine model[STAGE_NODES];
            sinew_pose_to_model(pose, model);
            assert_memory_equal(model, sinew_mixer_model_matrices(s->mixer), sizeof model);
        }
    }
}

// ---- No change -----------------------------------------------------------------------------------------------

// A hinge that clips hold at some degrees, and fades that end at 0.8 of a frame: linear ones, which have no corner before.
enum { HOLD_20, HOLD_60, HOLD_90, HOLDS, FRAMES = 12 };
static const double held_degrees[HOLDS] = {20, 60, 90};

#define FRAME (1.0f / 60)
#define FADE  (5.8f * FRAME)

typedef enum going { FADE_OUT, CROSSFADE, TO_WEIGHT, LAYER_FADE, HELD_FADE, GOINGS } going;

typedef struct hinge {
    sinew_skeleton *skeleton;
    sinew_clip *clips[HOLDS];
} hinge;

static sinew_clip *make_hold(const sinew_skeleton *skeleton, double degrees) {
    const float time = 0;
    const sinew_quat turn = about_x(degrees * 3.14159265358979 / 180);
    const float values[4] = {turn.x, turn.y, turn.z, turn.w};
    const sinew_channel_def channel = {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 1, &time, values};
    return make_clip(skeleton, "hold", &channel, 1);
}

static sinew_action hold(sinew_mixer *mixer, const hinge *h, int clip, float fade, int layer) {
    sinew_play_def def = sinew_play_default();
    def.fade = fade;
    def.layer = layer;
    return sinew_mixer_play(mixer, sinew_clip_source(h->clips[clip]), &def);
}

// Starts something that lasts until the middle of the seventh frame from now.
static void begin_going(sinew_mixer *mixer, const hinge *h, going what) {
    sinew_action first = hold(mixer, h, HOLD_20, 0, 0), second = hold(mixer, h, HOLD_60, 0, 0);
    if (what == LAYER_FADE) hold(mixer, h, HOLD_90, 0, 1);
    sinew_mixer_update(mixer, FRAME);
    if (what == FADE_OUT) sinew_action_fade_out(mixer, first, FADE), sinew_action_fade_out(mixer, second, FADE);
    if (what == CROSSFADE) sinew_mixer_crossfade_to(mixer, sinew_clip_source(h->clips[HOLD_90]), FADE, NULL);
    if (what == TO_WEIGHT) sinew_action_fade_to(mixer, first, 0.2f, FADE);
    if (what == LAYER_FADE) sinew_layer_fade_to(mixer, 1, 0, FADE, SINEW_EASING_LINEAR);
    if (what == HELD_FADE) sinew_mixer_stop_all(mixer), hold(mixer, h, HOLD_90, FADE, 0);
    sinew_mixer_update(mixer, FRAME);
}

static void play_going(const hinge *h, going what, bool fills, int inertialized, double degrees[FRAMES]) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = h->skeleton;
    def.layer_count = 2;
    if (fills) def.underweight = SINEW_UNDERWEIGHT_REST;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    begin_going(mixer, h, what);
    for (int i = 0; i < FRAMES; i++) {
        if (i == inertialized) sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.2f);
        sinew_mixer_update(mixer, FRAME);
        const sinew_pose *pose = sinew_mixer_pose(mixer);
        degrees[i] = 2 * atan2((double)pose->rx[1], (double)pose->rw[1]) * 180 / 3.14159265358979;
    }
    sinew_mixer_destroy(mixer);
}

// An inertialization without a change leaves running transitions alone, even in the frame when they end.
static void test_an_inertialization_without_a_change_is_none(void **state) {
    (void)state;
    hinge h = {.skeleton = make_chain(2)};
    for (int i = 0; i < HOLDS; i++) h.clips[i] = make_hold(h.skeleton, held_degrees[i]);
    for (int what = 0; what < 2 * GOINGS; what++) {
        double alone[FRAMES], with[FRAMES];
        bool fills = what >= GOINGS;
        play_going(&h, (going)(what % GOINGS), fills, -1, alone);
        bool moves = fills || what != FADE_OUT; // or the pose is held
        assert_true(!moves || fabs(alone[0] - alone[FRAMES - 1]) > 5);
        for (int at = 0; at < 5; at++) {
            play_going(&h, (going)(what % GOINGS), fills, at, with);
            for (int i = 0; i < FRAMES; i++) check_near(with[i], alone[i], 0.3);
        }
    }
    for (int i = 0; i < HOLDS; i++) sinew_clip_destroy(h.clips[i]);
    sinew_skeleton_destroy(h.skeleton);
}

typedef enum undoing { STOPPED, STOPPED_WITH_ALL, WITHOUT_WEIGHT, CUT_OUT, UNDOINGS } undoing;

static void undo(mixer_stage *s, sinew_action action, undoing how) {
    if (how == STOPPED) sinew_action_stop(s->mixer, action);
    if (how == STOPPED_WITH_ALL) sinew_mixer_stop_all(s->mixer);
    if (how == WITHOUT_WEIGHT) sinew_action_set_weight(s->mixer, action, 0);
    if (how == CUT_OUT) sinew_action_fade_out(s->mixer, action, 0);
}

// Catches a pose that goes back to one that was held long before.
static void test_an_action_that_ends_before_it_was_shown_leaves_the_pose(void **state) {
    mixer_stage *s = *state;
    for (int how = 0; how < UNDOINGS; how++) {
        start_over(s);
        sinew_action first = play(s, STAGE_A, 1);
        sinew_mixer_update(s->mixer, 0.5f);
        sinew_action_stop(s->mixer, first);
        sinew_mixer_update(s->mixer, 0.5f);
        play(s, STAGE_B, 1);
        sinew_mixer_update(s->mixer, 0.25f);
        const sight shown = look(s);
        undo(s, transition(s, STAGE_C, SINEW_TRANSITION_INERTIALIZE, 0.25f), (undoing)how);
        for (int i = 0; i < 20; i++) sinew_mixer_update(s->mixer, 1.0f / 64);
        for (int32_t n = 0; n < STAGE_NODES; n++) check_shown(s->mixer, n, shown.nodes[n], CLOSE);
    }
}

int main(void) {
#define on_stage(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
    const struct CMUnitTest tests[] = {
        on_stage(test_a_change_that_is_inertialized_continues),
        on_stage(test_several_changes_are_inertialized_together),
        on_stage(test_an_inertialized_change_ends_on_the_bits_of_the_change),
        on_stage(test_no_time_and_nothing_shown_are_no_ops),
        on_stage(test_a_layers_inertialization_is_of_its_nodes),
        on_stage(test_an_edit_that_begins_is_inertialized_by_finishing),
        on_stage(test_an_edit_that_ends_is_inertialized_by_finishing),
        cmocka_unit_test(test_an_inertialization_without_a_change_is_none),
        on_stage(test_an_action_that_ends_before_it_was_shown_leaves_the_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
