// SPDX-License-Identifier: MIT
// What `sinew view --crowd` shows, without a window: who stands around the character, and when they move.
#include "support/view_state.h"

enum { COUNT = 24 };

static view_state make_crowd(bool baked) {
    char path[512];
    view_state state;
    sinew_error error;
    snprintf(path, sizeof path, "%s/hero.glb", SINEW_MODELS);
    assert_true(view_state_create(&state, load_file));
    view_state_resize(&state, 1280, 800, 1.0f);
    player_of(&state)->settings.crowd = COUNT;
    player_of(&state)->settings.baked = baked;
    if (!view_state_load(&state, path, true, &error)) fail_msg("%s", error.message);
    view_state_accept(&state);
    return state;
}

// Where the right hand of somebody in the crowd is.
static sinew_vec3 hand_of(const view_state *state, int index) {
    const draw_crowd *crowd = &state->scene->crowd;
    const sinew_affine *model = sinew_mixer_model_matrices(crowd->items[index].mixer);
    const int32_t hand = sinew_skeleton_find(crowd->def.asset->skeleton, "Hand_R");
    return (sinew_vec3){model[hand].m[0][3], model[hand].m[1][3], model[hand].m[2][3]};
}

static float moved(sinew_vec3 a, sinew_vec3 b) {
    return fabsf(a.x - b.x) + fabsf(a.y - b.y) + fabsf(a.z - b.z);
}

// ---- The tests -----------------------------------------------------------------------------------------------

// Catches a camera that only sees the one in the middle, and one that sees a crowd that isn't there.
static void the_camera_sees_all_of_it(void **unused) {
    (void)unused;
    view_state state = make_crowd(false), alone = make_state("hero.glb");
    const sinew_box all = view_scene_box(state.scene), one = view_scene_box(alone.scene);
    for (int i = 0; i < COUNT; i++) {
        const sinew_affine place = state.scene->crowd.characters[i].transform;
        assert_true(place.m[0][3] > all.min.x && place.m[0][3] < all.max.x);
        assert_true(place.m[2][3] > all.min.z && place.m[2][3] < all.max.z);
    }
    assert_true(all.min.x <= one.min.x && all.max.x >= one.max.x && all.max.y >= one.max.y);
    assert_true(state.orbit.goal.distance > 2.0f * alone.orbit.goal.distance);
    // The character's own bounds are those without a crowd.
    assert_true(state.scene->most.x - state.scene->least.x == alone.scene->most.x - alone.scene->least.x);
    view_state_free(&state);
    view_state_free(&alone);
}

// Catches a crowd that stands still, moves while the character is paused, or has another speed.
static void it_moves_while_the_character_does(void **unused) {
    (void)unused;
    view_state state = make_crowd(false);
    const sinew_vec3 first = hand_of(&state, 3);
    assert_true(view_state_moves(&state));
    view_state_advance(&state, 0.05f);
    const sinew_vec3 second = hand_of(&state, 3);
    assert_true(moved(first, second) > 1e-4f);
    player_of(&state)->paused = true;
    view_state_advance(&state, 0.05f);
    assert_true(moved(second, hand_of(&state, 3)) == 0.0f);
    view_orbit_finish(&state.orbit);
    assert_false(view_state_moves(&state));
    player_of(&state)->paused = false;
    player_of(&state)->settings.speed = 2.0f;
    view_state_advance(&state, 0.05f);
    const draw_character *who = &state.scene->crowd.characters[3];
    const sinew_mixer *mixer = state.scene->crowd.items[3].mixer;
    const sinew_action action =
        sinew_mixer_find(mixer, sinew_clip_source(state.scene->crowd.clips[who->clip]), SINEW_ALL_LAYERS);
    const double duration = state.scene->crowd.clips[who->clip]->duration;
    check_near(sinew_action_time(mixer, action), fmod(who->time + 0.15 * who->speed, duration), 1e-4);
    view_state_free(&state);
}

// A character of a crowd by the public interface.
typedef struct lone {
    sinew_mixer *mixer;
    sinew_springs *springs;
    sinew_spring_state *state;
    sinew_affine *model;
} lone;

static lone make_lone(const draw_crowd *crowd, const draw_character *who) {
    const sinew_asset *asset = crowd->def.asset;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_play_def play = sinew_play_default();
    play.time = who->time, play.speed = who->speed;
    lone l;
    assert_int_equal(sinew_mixer_create(&def, &l.mixer, NULL), SINEW_OK);
    sinew_mixer_play(l.mixer, sinew_clip_source(crowd->clips[who->clip]), &play);
    assert_int_equal(sinew_springs_create_from_vrm(asset->vrm, NULL, &l.springs), SINEW_OK);
    l.state = malloc(sinew_springs_state_size(l.springs));
    l.model = malloc((size_t)asset->skeleton->node_count * sizeof *l.model);
    assert_true(l.state && l.model);
    sinew_springs_reset(l.springs, l.state);
    return l;
}

static void lone_update(lone *l, const draw_character *who, sinew_vec3 wind, float dt, float weight) {
    sinew_springs_input input = sinew_springs_input_default();
    input.weight = weight;
    input.wind = wind;
    input.world = who->transform;
    sinew_mixer_update(l->mixer, dt);
    sinew_pose_to_model(sinew_mixer_pose(l->mixer), l->model);
    if (weight > 0.0f)
        sinew_springs_solve(l->springs, &input, dt, l->state, sinew_mixer_edit_pose(l->mixer), l->model);
}

static void lone_free(lone *l) {
    sinew_mixer_destroy(l->mixer);
    sinew_springs_destroy(l->springs);
    free(l->state);
    free(l->model);
}

static float largest_difference(const draw_crowd *crowd, int index, const sinew_affine *model) {
    const sinew_affine *found = sinew_mixer_model_matrices(crowd->items[index].mixer);
    float most = 0.0f;
    for (int32_t i = 0; i < crowd->def.asset->skeleton->node_count; i++) {
        for (int k = 0; k < 12; k++) most = fmaxf(most, fabsf(found[i].m[k / 4][k % 4] - model[i].m[k / 4][k % 4]));
    }
    return most;
}

// Catches a crowd that is keyed, swings in its own space or at another speed, or shares one state; and springs that
// stay on after being switched off.
static void each_of_it_swings(void **unused) {
    (void)unused;
    view_state state = make_crowd(false);
    const draw_crowd *crowd = &state.scene->crowd;
    view_settings *settings = &player_of(&state)->settings;
    settings->wind = 4.0f, settings->speed = 0.5f;
    enum { FIRST = 3, SECOND = 17 };
    const draw_character *who[2] = {&crowd->characters[FIRST], &crowd->characters[SECOND]};
    lone l[2] = {make_lone(crowd, who[0]), make_lone(crowd, who[1])};
    for (int frame = 0; frame < 90; frame++) {
        view_state_advance(&state, 1.0f / 60.0f);
        for (int i = 0; i < 2; i++) {
            lone_update(&l[i], who[i], view_wind(settings), 0.5f / 60.0f, 1.0f);
            assert_true(largest_difference(crowd, i ? SECOND : FIRST, l[i].model) < 1e-5f);
        }
    }
    settings->keyed = true;
    for (int frame = 0; frame < 30; frame++) {
        view_state_advance(&state, 1.0f / 60.0f);
        lone_update(&l[0], who[0], view_wind(settings), 0.5f / 60.0f, 0.0f);
    }
    assert_true(largest_difference(crowd, FIRST, l[0].model) < 1e-5f);
    lone_free(&l[0]);
    lone_free(&l[1]);
    view_state_free(&state);
}

static void a_baked_crowd_moves_as_well(void **unused) {
    (void)unused;
    view_state state = make_crowd(true);
    const draw_crowd *crowd = &state.scene->crowd;
    const draw_character *who = &crowd->characters[5];
    assert_null(crowd->items);
    view_state_advance(&state, 0.1f);
    const double duration = crowd->clips[who->clip]->duration;
    const double time = fmod(crowd->states[5].tracks[0].time, duration);
    check_near(time, fmod(who->time + 0.1 * who->speed, duration), 1e-4);
    view_state_free(&state);
}

// Catches a file that cannot be looked at because it has no crowd; asked for on the command line it is an error.
static void a_file_without_clips_stands_alone(void **unused) {
    (void)unused;
    sinew_error error;
    view_state state = make_crowd(false);
    assert_false(view_state_load(&state, SINEW_MODELS "/sword.glb", true, &error));
    assert_non_null(strstr(error.message, "sword.glb: it has no clips, but a crowd needs one"));
    drop_model(&state, SINEW_MODELS "/sword.glb");
    assert_string_equal(view_file_name(state.scene->path), "sword.glb");
    assert_int_equal(state.scene->crowd.def.count, 0);
    assert_non_null(strstr(state.message, "no clips"));
    view_state_free(&state);
}

// Another file comes with its own crowd.
static void a_crowd_goes_with_its_file(void **unused) {
    (void)unused;
    view_state state = make_crowd(false);
    drop_model(&state, SINEW_MODELS "/windmill.glb");
    assert_int_equal(state.scene->crowd.def.count, COUNT);
    assert_int_equal(state.scene->crowd.clip_count, 2);
    view_state_free(&state);
}

#ifdef SINEW_WRAPPED_HEAP
static void fail_springs(const sinew_asset *asset, const draw_crowd *crowd) {
    const view_settings settings = {.keyed = false};
    view_springs springs;
    assert_true(view_springs_create(&springs, asset, &settings));
    int failures = 0;
    bool good = false;
    while (!good) {
        view_crowd_springs own;
        heap_calls = 0;
        heap_fails_at = failures + 1;
        good = view_crowd_springs_create(&own, crowd, &springs);
        heap_fails_at = 0;
        if (!good) failures++;
        view_crowd_springs_free(&own);
    }
    assert_true(failures == (crowd->items ? 2 : 0));
    view_springs_free(&springs);
}
#endif

// Catches lost memory, and using memory that couldn't be allocated.
static void running_out_of_memory_is_said(void **unused) {
    (void)unused;
#ifdef SINEW_WRAPPED_HEAP
    sinew_error error;
    sinew_asset *asset;
    assert_true(load_file(SINEW_MODELS "/hero.glb", &asset, &error));
    for (int baked = 0; baked < 2; baked++) {
        int failures = 0;
        bool good = false;
        while (!good) {
            draw_crowd crowd;
            const draw_crowd_def def = {asset, "hero.glb", 2, baked != 0};
            heap_calls = 0;
            heap_fails_at = failures + 1;
            good = draw_crowd_create(&crowd, &def, &error);
            heap_fails_at = 0;
            if (!good) assert_int_equal(error.result, SINEW_ERROR_OUT_OF_MEMORY);
            if (!good) failures++;
            if (good) fail_springs(asset, &crowd);
            draw_crowd_free(&crowd);
        }
        assert_true(failures > 6);
    }
    sinew_asset_destroy(asset);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_camera_sees_all_of_it),
        cmocka_unit_test(it_moves_while_the_character_does),
        cmocka_unit_test(each_of_it_swings),
        cmocka_unit_test(a_baked_crowd_moves_as_well),
        cmocka_unit_test(a_file_without_clips_stands_alone),
        cmocka_unit_test(a_crowd_goes_with_its_file),
        cmocka_unit_test(running_out_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
