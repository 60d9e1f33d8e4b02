// SPDX-License-Identifier: MIT
// The window's state while all clips of a file play together: where each object is, what stops it, and time.
#include "support/view_state.h"

#include "support/gltf_builder.h"

// Two objects: one slides 4 m along z in a second, the other rises 2 m in half a second. A third clip also moves the second, and
// a fourth one, as long as the first, turns the first.
static bool load_objects(const char *path, sinew_asset **asset, sinew_error *error) {
    (void)path;
    static const float second[2] = {0, 1}, half[2] = {0, 0.5f}, slide[6] = {0, 0, 0, 0, 0, 4},
                       rise[6] = {3, 0, 0, 3, 2, 0};
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'scene':0,'scenes':[{'nodes':[0,1]}],'nodes':[{'name':'Slider'},"
                     "{'name':'Riser','translation':[3,0,0]}]");
    const int times[2] = {gltf_floats(&b, "SCALAR", 2, half), gltf_floats(&b, "SCALAR", 2, second)};
    const int ways[2] = {gltf_floats(&b, "VEC3", 2, rise), gltf_floats(&b, "VEC3", 2, slide)};
    const char *clip = "{'name':'%s','samplers':[{'input':%d,'output':%d}],"
                       "'channels':[{'sampler':0,'target':{'node':%d,'path':'translation'}}]}";
    static const float turn[8] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f};
    const int turns = gltf_floats(&b, "VEC4", 2, turn);
    char clips[3][200];
    snprintf(clips[0], sizeof clips[0], clip, "Rise", times[0], ways[0], 1);
    snprintf(clips[1], sizeof clips[1], clip, "Slide", times[1], ways[1], 0);
    snprintf(clips[2], sizeof clips[2], clip, "Other", times[1], ways[0], 1);
    gltf_section(&b,
                 "'animations':[%s,%s,%s,{'name':'Turn','samplers':[{'input':%d,'output':%d}],"
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]",
                 clips[0], clips[1], clips[2], times[1], turns);
    size_t size;
    uint8_t *glb = gltf_write_glb(&b, &size);
    gltf_end(&b);
    *asset = NULL;
    const bool good = sinew_gltf_load_memory(glb, size, NULL, asset, error) == SINEW_OK;
    free(glb);
    return good;
}

static view_state play_all(void) {
    view_state s = make_state_of(load_objects, "objects");
    sinew_error error = {0};
    if (!view_player_play_all(player_of(&s), &error)) fail_msg("%s", error.message);
    return s;
}

static double slid(const view_state *s) {
    return (double)view_scene_node_position(s->scene, 0).z;
}

static double risen(const view_state *s) {
    return (double)view_scene_node_position(s->scene, 1).y;
}

static void wait(view_state *s, int frames) {
    for (int i = 0; i < frames; i++) view_state_advance(s, 1.0f / 64.0f);
}

static void each_clip_loops_at_its_own_duration(void **unused) {
    (void)unused;
    view_state s = play_all();
    const view_player *player = player_of(&s);
    assert_string_equal(view_player_clip(player)->name, "Slide");
    assert_string_equal(player->all.left_out->name, "Other");
    for (int frame = 1; frame < 200; frame++) {
        wait(&s, 1);
        if (frame % 32 == 0) continue;
        check_near(slid(&s), 4.0 * fmod(frame / 64.0, 1.0), 1e-5);
        check_near(risen(&s), 4.0 * fmod(frame / 64.0, 0.5), 1e-5);
    }
    view_weight weights[VIEW_MAX_WEIGHTS];
    assert_int_equal(view_player_weights(player, weights), 1);
    assert_int_equal(weights[0].clip, 1);
    view_state_free(&s);
}

static void choosing_a_clip_ends_the_others(void **unused) {
    (void)unused;
    view_state s = play_all();
    wait(&s, 40);
    view_player_choose(player_of(&s), 1);
    wait(&s, 8);
    assert_true(risen(&s) > 0.01); // it fades out, for 0.3 s
    wait(&s, 24);
    check_near(risen(&s), 0, 1e-6);
    assert_false(player_of(&s)->plays_all);
    view_player_start(player_of(&s), 0);
    wait(&s, 16);
    check_near(risen(&s), 1, 1e-5);
    check_near(slid(&s), 0, 1e-6);
    view_state_free(&s);
}

static void time_is_that_of_all(void **unused) {
    (void)unused;
    view_state s = play_all();
    view_player *player = player_of(&s);
    wait(&s, 16);
    view_player_scrub(player, 0.5f); // and pauses
    view_state_advance(&s, 0.0f);
    check_near(slid(&s), 3, 1e-5);
    check_near(risen(&s), 1, 1e-5);
    view_player_scrub(player, -0.125f);
    view_state_advance(&s, 0.0f);
    check_near(slid(&s), 2.5, 1e-5);
    check_near(risen(&s), 0.5, 1e-5);
    view_player_restart(player);
    view_state_advance(&s, 0.0f);
    check_near(slid(&s), 0, 1e-6);
    check_near(risen(&s), 0, 1e-6);
    player->paused = false;
    view_player_reverse(player);
    wait(&s, 8);
    check_near(slid(&s), 3.5, 1e-5);
    check_near(risen(&s), 1.5, 1e-5);
    view_player_reverse(player);
    view_player_cycle_loop(player); // to ping-pong, then once
    while (player->settings.loop != SINEW_LOOP_ONCE) view_player_cycle_loop(player);
    wait(&s, 128);
    check_near(slid(&s), 4, 1e-5);
    check_near(risen(&s), 2, 1e-5);
    view_state_free(&s);
}

// Catches a file that is loaded again and plays one clip only, or from the start.
static void they_go_on_after_a_reload(void **unused) {
    (void)unused;
    view_state s = play_all();
    wait(&s, 24);
    view_state next = make_state_of(load_objects, "objects");
    view_player_resume(player_of(&next), player_of(&s));
    wait(&next, 24);
    check_near(slid(&next), 3, 1e-5);
    check_near(risen(&next), 1, 1e-5);
    view_state_free(&s);
    view_state_free(&next);
}

static void without_memory_it_says_so(void **unused) {
    (void)unused;
#ifdef SINEW_WRAPPED_HEAP
    for (int fail_at = 1;; fail_at++) {
        view_state s = make_state_of(load_objects, "objects");
        sinew_error error = {0};
        heap_calls = 0;
        heap_fails_at = fail_at;
        const bool good = view_player_play_all(player_of(&s), &error);
        heap_fails_at = 0;
        if (!good) assert_string_equal(error.message, "out of memory");
        view_state_free(&s);
        if (good) break;
    }
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_clip_loops_at_its_own_duration),
        cmocka_unit_test(choosing_a_clip_ends_the_others),
        cmocka_unit_test(time_is_that_of_all),
        cmocka_unit_test(they_go_on_after_a_reload),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
