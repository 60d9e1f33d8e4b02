// SPDX-License-Identifier: MIT
// The file's springs in the window's state, without a window: their fade, their time, and the wind.
#include "support/view_state.h"

#include <string.h>

static const char *const hair = "Hair3"; // the tail of a chain

static sinew_vec3 position_of(const view_state *s, const char *name) {
    const int32_t node = sinew_skeleton_find(s->scene->asset->skeleton, name);
    assert_true(node != SINEW_NO_NODE);
    return view_scene_node_position(s->scene, node);
}

static float distance(sinew_vec3 a, sinew_vec3 b) {
    return sinew_vec3_length(sinew_vec3_subtract(a, b));
}

// Plays a clip from the start.
static view_state play(int32_t clip) {
    view_state s = make_state("hero.glb");
    view_player_start(player_of(&s), clip);
    view_scene_advance(s.scene, 0.0f);
    return s;
}

static const sinew_affine *matrices(const view_state *s) {
    return sinew_scene_model_matrices(s->scene->scene, s->scene->node);
}

static bool is_same_pose(const view_state *a, const view_state *b) {
    const size_t count = (size_t)a->scene->asset->skeleton->node_count;
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
        const float dt = 1.0f / 60.0f;
        input.wind = wind;
        sinew_mixer_advance(mixer, dt);
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, model);
        sinew_springs_solve(springs, &input, dt, state, pose, model);
    }
    free(state);
    sinew_springs_destroy(springs);
    sinew_mixer_destroy(mixer);
}

// Catches springs with another file, step, wind or order than the library's.
static void springs_are_those_of_the_file(void **unused) {
    (void)unused;
    view_state s = play(2);
    const sinew_asset *asset = s.scene->asset;
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
    view_state s = play(2), keyed = play(2);
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

// Catches springs that continue during a pause, or at full speed in slow motion.
static void springs_have_the_time_of_the_clips(void **unused) {
    (void)unused;
    view_state s = play(2), slow = play(2);
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

// Catches motion left over after a seek, backward steps, and a sudden start.
static void a_jump_in_time_starts_at_rest(void **unused) {
    (void)unused;
    view_state s = play(2), fresh = play(2);
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

// Catches wind from a wrong side, or without an end.
static void wind_blows(void **unused) {
    (void)unused;
    view_state s = play(0);
    view_key(&s, GLFW_KEY_MINUS, 0);
    assert_true(player_of(&s)->settings.wind == 0.0f);
    let_pass(&s, 4.0f);
    const sinew_vec3 calm = position_of(&s, hair);
    for (int i = 0; i < 20; i++) view_key(&s, GLFW_KEY_EQUAL, 0);
    assert_true(player_of(&s)->settings.wind == (float)VIEW_MAX_WIND);
    let_pass(&s, 4.0f); // a cycle of Idle
    assert_true(position_of(&s, hair).z < calm.z - 0.02f);
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

// Catches keys that need springs or a file.
static void files_without_springs(void **unused) {
    (void)unused;
    static const int keys[] = {GLFW_KEY_U, GLFW_KEY_Z, GLFW_KEY_MINUS, GLFW_KEY_EQUAL};
    for (int i = 0; i < 2; i++) {
        view_state s = make_state(i == 0 ? "windmill.glb" : NULL);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            view_key(&s, keys[k], 0);
            view_state_advance(&s, 0.05f);
        }
        assert_true((strstr(s.message, "no spring bones") != NULL) == (i == 0));
        view_state_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_are_those_of_the_file),
        cmocka_unit_test(springs_fade_out_and_in),
        cmocka_unit_test(springs_have_the_time_of_the_clips),
        cmocka_unit_test(a_jump_in_time_starts_at_rest),
        cmocka_unit_test(wind_blows),
        cmocka_unit_test(running_out_of_memory_is_an_error),
        cmocka_unit_test(files_without_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
