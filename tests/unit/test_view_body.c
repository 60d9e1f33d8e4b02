// SPDX-License-Identifier: MIT
// The body panel of the window, without the window: the file's springs, wind, effectors that are dragged, and curves.
#include "support/view_state.h"

#include "support/gltf_builder.h"
#include "support/avatar.h"
#include "view/body.h"

#include <string.h>

static const char *const hair = "Hair3"; // the tail of a chain

static sinew_vec3 position_of(const view_state *s, const char *name) {
    const int32_t node = sinew_skeleton_find(s->scene->actors[0].asset->skeleton, name);
    assert_true(node != SINEW_NO_NODE);
    return view_scene_node_position(s->scene, &s->scene->actors[0], node);
}

static float distance(sinew_vec3 a, sinew_vec3 b) {
    return sinew_vec3_length(sinew_vec3_subtract(a, b));
}

static view_state play(int key) {
    view_state s = make_state("hero.glb");
    player_of(&s)->settings.fade = 0.0f;
    view_key(&s, key, 0);
    return s;
}

static const sinew_affine *matrices(const view_state *s) {
    return sinew_scene_model_matrices(s->scene->scene, s->scene->actors[0].node);
}

static bool is_same_pose(const view_state *a, const view_state *b) {
    const size_t count = (size_t)a->scene->actors[0].asset->skeleton->node_count;
    return memcmp(matrices(a), matrices(b), count * sizeof(sinew_affine)) == 0;
}

// ---- Springs -------------------------------------------------------------------------------------------------

// The file's springs over its Run, by the public interface.
static void play_alone(const sinew_asset *asset, sinew_vec3 wind, int frames, sinew_affine *model) {
    sinew_springs *springs;
    sinew_mixer *mixer;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_springs_create_from_vrm(asset->vrm, NULL, &springs), SINEW_OK);
    sinew_spring_state *state = malloc(sinew_springs_state_size(springs));
    sinew_springs_reset(springs, state);
    sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Run")), NULL);
    for (int i = 0; i < frames; i++) {
        sinew_springs_input input = sinew_springs_input_default();
        input.time_step = 1.0f / 60.0f;
        input.wind = wind;
        sinew_mixer_advance(mixer, input.time_step);
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, model);
        sinew_springs_solve(springs, &input, state, pose, model);
    }
    free(state);
    sinew_springs_destroy(springs);
    sinew_mixer_destroy(mixer);
}

// Catches springs of another file, step, wind or order than those of the library.
static void springs_are_those_of_the_file(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_3);
    const sinew_asset *asset = s.scene->actors[0].asset;
    assert_int_equal(asset->vrm->spring_count, 2);
    for (int i = 0; i < 3; i++) view_key(&s, GLFW_KEY_EQUAL, 0);
    let_pass(&s, 2.0f);
    sinew_affine *expected = malloc((size_t)asset->skeleton->node_count * sizeof *expected);
    play_alone(asset, (sinew_vec3){0.0f, 0.0f, -3.0f}, 120, expected);
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) {
        for (int k = 0; k < 3; k++) check_near(matrices(&s)[i].m[k][3], expected[i].m[k][3], 2e-3);
    }
    free(expected);
    view_state_free(&s);
}

// Catches a toggle that pops, that does not end at the clip's own pose, or that needs the clip to play.
static void springs_fade_out_and_in(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_3), keyed = play(GLFW_KEY_3);
    turn_springs_off(&keyed);
    let_pass(&s, 2.0f);
    let_pass(&keyed, 2.0f);
    assert_true(distance(position_of(&s, hair), position_of(&keyed, hair)) > 0.02f);
    float most = 0.0f;
    sinew_vec3 before = position_of(&s, hair);
    view_key(&s, GLFW_KEY_U, 0);
    for (int i = 0; i < 60; i++) {
        if (i == 30) view_key(&s, GLFW_KEY_U, 0);
        let_pass(&s, 1.0f / 60.0f);
        let_pass(&keyed, 1.0f / 60.0f);
        most = fmaxf(most, distance(before, position_of(&s, hair)));
        before = position_of(&s, hair);
        if (i == 29) assert_true(is_same_pose(&s, &keyed));
    }
    assert_true(distance(position_of(&s, hair), position_of(&keyed, hair)) > 0.005f);
    assert_true(most < 0.08f); // m in a frame; the head alone moves by 0.03
    view_key(&s, GLFW_KEY_SPACE, 0);
    view_key(&s, GLFW_KEY_U, 0);
    assert_true(view_state_moves(&s));
    view_state_advance(&s, 0.01f);
    assert_true(view_state_moves(&s));
    let_pass(&s, 1.0f);
    assert_false(view_scene_moves(s.scene));
    view_state_free(&s);
    view_state_free(&keyed);
}

// Catches springs that go on in a pause, or at full speed in slow motion.
static void springs_have_the_time_of_the_clips(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_3), slow = play(GLFW_KEY_3);
    for (int i = 0; i < 4; i++) view_key(&slow, GLFW_KEY_DOWN, 0);
    assert_true(player_of(&slow)->settings.speed == 0.1f);
    let_pass(&s, 0.5f);
    let_pass(&slow, 5.0f);
    assert_true(distance(position_of(&s, hair), position_of(&slow, hair)) < 0.01f);
    view_key(&s, GLFW_KEY_SPACE, 0);
    const sinew_vec3 held = position_of(&s, hair);
    let_pass(&s, 1.0f);
    assert_true(distance(position_of(&s, hair), held) < 1e-6f);
    assert_false(view_scene_moves(s.scene));
    view_key(&s, GLFW_KEY_RIGHT, 0); // a step of a thirtieth
    view_state_advance(&s, 0.01f);
    assert_true(distance(position_of(&s, hair), held) > 0.001f);
    view_state_free(&s);
    view_state_free(&slow);
}

static const sinew_affine *twin_matrices(view_state *s) {
    return sinew_scene_model_matrices(s->scene->scene, player_of(s)->nodes[1]);
}

static float hair_between(const view_state *s, const sinew_affine *a, const sinew_affine *b) {
    const int32_t node = sinew_skeleton_find(s->scene->actors[0].asset->skeleton, hair);
    float square = 0.0f;
    for (int k = 0; k < 3; k++) square += powf(a[node].m[k][3] - b[node].m[k][3], 2.0f);
    return sqrtf(square);
}

// Catches compared characters of which only one swings, that share a state, or that start at rest in the middle of a motion; and
// that still differ when both do the same again.
static void compared_characters_have_their_own_springs(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_3), keyed = play(GLFW_KEY_3);
    turn_springs_off(&keyed);
    let_pass(&s, 1.0f);
    let_pass(&keyed, 1.0f);
    view_key(&s, GLFW_KEY_C, 0);
    assert_true(view_player_is_comparing(player_of(&s)));
    player_of(&s)->settings.fade = 0.5f;
    float apart = 0.0f;
    for (int frame = 0; frame < 240; frame++) {
        if (frame == 30) view_key(&s, GLFW_KEY_1, 0); // a fade for one, an inertialization for the other
        view_state_advance(&s, 1.0f / 60.0f);
        view_state_advance(&keyed, 1.0f / 60.0f);
        if (frame < 30) assert_true(hair_between(&s, matrices(&s), twin_matrices(&s)) < 1e-3f);
        if (frame == 29) assert_true(hair_between(&s, twin_matrices(&s), matrices(&keyed)) > 0.005f);
        apart = fmaxf(apart, hair_between(&s, matrices(&s), twin_matrices(&s)));
    }
    assert_true(apart > 0.01f);
    assert_true(hair_between(&s, matrices(&s), twin_matrices(&s)) < 0.002f);
    view_state_free(&s);
    view_state_free(&keyed);
}

// Catches motion that is left over after a seek, backward steps, and a start at once.
static void a_jump_in_time_starts_at_rest(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_3), fresh = play(GLFW_KEY_3);
    view_key(&s, GLFW_KEY_SPACE, 0);
    view_key(&fresh, GLFW_KEY_SPACE, 0);
    let_pass(&s, 0.1f);
    view_key(&s, GLFW_KEY_SPACE, 0);
    let_pass(&s, 1.0f);
    view_key(&s, GLFW_KEY_SPACE, 0);
    view_player_seek(player_of(&s), 0.3f);
    view_player_seek(player_of(&fresh), 0.3f);
    view_state_advance(&s, 0.01f);
    view_state_advance(&fresh, 0.01f);
    assert_true(is_same_pose(&s, &fresh));
    view_key(&s, GLFW_KEY_RIGHT, 0);
    view_state_advance(&s, 0.01f);
    view_key(&s, GLFW_KEY_LEFT, 0);
    view_state_advance(&s, 0.01f);
    assert_true(distance(position_of(&s, hair), position_of(&fresh, hair)) < 1e-4f);
    view_state_free(&s);
    view_state_free(&fresh);
}

// Catches wind from a wrong side, without an end, or that the slider does not set.
static void wind_blows(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_1);
    view_key(&s, GLFW_KEY_MINUS, 0);
    assert_true(player_of(&s)->settings.wind == 0.0f);
    let_pass(&s, 4.0f);
    const sinew_vec3 calm = position_of(&s, hair);
    for (int i = 0; i < 20; i++) view_key(&s, GLFW_KEY_EQUAL, 0);
    assert_true(player_of(&s)->settings.wind == (float)VIEW_MAX_WIND);
    let_pass(&s, 4.0f); // a cycle of Idle
    assert_true(position_of(&s, hair).z < calm.z - 0.02f);
    point_at(&s, view_layout_body_slider(&s.layout, VIEW_BODY_WIND_FROM), 0.75f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    check_near(player_of(&s)->settings.wind_from, 90.0, 2.0);
    let_pass(&s, 4.0f);
    assert_true(position_of(&s, hair).x < calm.x - 0.05f); // from the left, +X, to the right
    view_state_free(&s);
}

// Catches springs that are left behind by root motion that starts or that is taken back.
static void springs_go_along_with_root_motion(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_3);
    view_key(&s, GLFW_KEY_O, 0);
    for (int i = 0; i < 3; i++) {
        let_pass(&s, 1.0f);
        const sinew_vec3 head = position_of(&s, "Head");
        assert_true(distance(position_of(&s, hair), head) < 0.5f);
        view_key(&s, GLFW_KEY_BACKSPACE, 0);
        view_state_advance(&s, 0.001f);
        assert_true(distance(position_of(&s, hair), position_of(&s, "Head")) < 0.5f);
    }
    view_state_free(&s);
}

// Catches memory that is not freed, or used without being there, when a file with springs is loaded.
static void running_out_of_memory_is_an_error(void **unused) {
    (void)unused;
#ifdef SINEW_WRAPPED_HEAP
    view_state s = make_state(NULL);
    bool good = false;
    for (int fail = 1; !good; fail += fail < 40 ? 1 : 7) {
        sinew_error error;
        heap_calls = 0;
        heap_fails_at = fail;
        good = view_state_load(&s, SINEW_MODELS "/hero.glb", true, &error);
        heap_fails_at = 0;
        if (!good) assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
    }
    view_state_accept(&s);
    assert_non_null(s.scene->springs.springs);
    view_state_free(&s);
#endif
}

// ---- Effectors -----------------------------------------------------------------------------------------------

static void press_on(view_state *s, sinew_vec3 at) {
    move_to(s, at);
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
}

// Catches a hand that does not follow the pointer, feet that slide, and a release that pops or leaves something.
static void a_hand_is_dragged(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_1), alone = play(GLFW_KEY_1);
    view_key(&s, GLFW_KEY_Q, 0);
    view_orbit_finish(&s.orbit);
    turn_springs_off(&s);
    turn_springs_off(&alone);
    view_key(&s, GLFW_KEY_SPACE, 0);
    view_key(&alone, GLFW_KEY_SPACE, 0);
    const sinew_vec3 hand = position_of(&s, "Hand_L"), foot = position_of(&s, "Foot_R"),
                     hips = position_of(&s, "Hips");
    press_on(&s, hand);
    assert_int_equal(s.drag, VIEW_DRAG_EFFECTOR);
    view_state_advance(&s, 1.0f / 60.0f);
    assert_true(distance(position_of(&s, "Hand_L"), hand) < 1e-3f);
    move_to(&s, sinew_vec3_add(hand, (sinew_vec3){0.0f, -0.6f, 0.0f}));
    view_state_advance(&s, 1.0f / 60.0f);
    const sinew_vec3 low = position_of(&s, "Hand_L");
    assert_true(low.y < hand.y - 0.45f);
    assert_true(position_of(&s, "Hips").y < hips.y - 0.01f); // the body follows
    assert_true(distance(position_of(&s, "Foot_R"), foot) < 2e-3f);
    float x, y;
    const draw_camera camera = view_orbit_camera(&s.orbit);
    assert_true(draw_camera_project(&camera, low, &x, &y));
    check_near(x * (float)s.width, s.x, 3.0); // pixels
    check_near(y * (float)s.height, s.y, 3.0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    sinew_vec3 before = low;
    for (int i = 0; i < 30; i++) {
        let_pass(&s, 1.0f / 60.0f);
        assert_true(distance(position_of(&s, "Hand_L"), before) < 0.08f);
        before = position_of(&s, "Hand_L");
    }
    view_state_advance(&alone, 1.0f / 60.0f);
    assert_true(is_same_pose(&s, &alone));
    view_orbit_finish(&s.orbit);
    assert_false(view_scene_moves(s.scene));
    view_state_free(&s);
    view_state_free(&alone);
}

// Catches rings that cannot be seen and take the drag from the camera, and a drag that outlives its file.
static void rings_belong_to_the_panel(void **unused) {
    (void)unused;
    view_state s = play(GLFW_KEY_1);
    press_on(&s, position_of(&s, "Head"));
    assert_int_equal(s.drag, VIEW_DRAG_TURN);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    view_key(&s, GLFW_KEY_Q, 0);
    view_orbit_finish(&s.orbit);
    for (int i = 0; i < VIEW_EFFECTORS; i++) {
        move_to(&s, view_body_position(&s, i));
        assert_true(view_body_effector_at(&s, s.x, s.y) >= 0);
    }
    press_on(&s, position_of(&s, "Head"));
    assert_int_equal(s.drag, VIEW_DRAG_EFFECTOR);
    take_all_away(&s);
    view_move(&s, 100.0f, 100.0f);
    view_state_advance(&s, 0.1f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    assert_int_equal(s.drag, VIEW_DRAG_NONE);
    view_state_free(&s);
}

// Catches keys that need springs, roles or a file.
static void files_without_a_body(void **unused) {
    (void)unused;
    static const int keys[] = {GLFW_KEY_Q, GLFW_KEY_U, GLFW_KEY_Z, GLFW_KEY_MINUS, GLFW_KEY_EQUAL, GLFW_KEY_Q};
    for (int i = 0; i < 2; i++) {
        view_state s = make_state(i == 0 ? "windmill.glb" : NULL);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            view_key(&s, keys[k], 0);
            view_state_advance(&s, 0.05f);
        }
        assert_int_equal(view_body_effector_at(&s, 640.0f, 400.0f), -1);
        if (i == 0) assert_non_null(strstr(s.message, "no spring bones"));
        view_state_free(&s);
    }
}

// ---- Curves --------------------------------------------------------------------------------------------------

static bool load_curves(const char *path, sinew_asset **asset, sinew_error *error) {
    (void)path;
    size_t size;
    gltf_builder b = gltf_begin();
    static const float times[] = {0.0f, 1.0f}, ways[] = {0, 0, 0, 0, 0, 1};
    const int input = gltf_floats(&b, "SCALAR", 2, times), output = gltf_floats(&b, "VEC3", 2, ways);
    gltf_section(&b, "'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'name':'Root'}]");
    gltf_section(
        &b,
        "'animations':[{'name':'Go','samplers':[{'input':%d,'output':%d}],"
        "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}],"
        "'extras':{'curves':{'Grip':{'times':[0,1],'values':[0,4]},'Plant':{'times':[0.5],'values':[1]}}}}]",
        input, output);
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    *asset = NULL;
    const bool good = sinew_gltf_load_memory(glb, size, with_avatars(), asset, error) == SINEW_OK;
    free(glb);
    return good;
}

// Catches a panel without room for the curves of its file, or that covers the timeline.
static void curves_have_plots(void **unused) {
    (void)unused;
    view_state s = make_state_of(load_curves, "curves");
    view_key(&s, GLFW_KEY_Q, 0);
    assert_int_equal(s.layout.body_curve_count, 2);
    assert_non_null(s.scene->plotted);
    const view_rect last = view_layout_body_curve(&s.layout, 1);
    assert_true(last.y + last.height <= s.layout.body.y + s.layout.body.height);
    view_state_resize(&s, 640, 360, 1.0f);
    assert_true(s.layout.body.y + s.layout.body.height <= s.layout.timeline.y);
    view_state_resize(&s, 640, 260, 1.0f);
    assert_int_equal(s.layout.body_curve_count, 0);
    view_state_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_are_those_of_the_file),
        cmocka_unit_test(springs_fade_out_and_in),
        cmocka_unit_test(springs_have_the_time_of_the_clips),
        cmocka_unit_test(compared_characters_have_their_own_springs),
        cmocka_unit_test(a_jump_in_time_starts_at_rest),
        cmocka_unit_test(wind_blows),
        cmocka_unit_test(springs_go_along_with_root_motion),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(a_hand_is_dragged),
        cmocka_unit_test(rings_belong_to_the_panel),
        cmocka_unit_test(files_without_a_body),
        cmocka_unit_test(curves_have_plots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
