// SPDX-License-Identifier: MIT
// The root warp of the window, without the window: its window, its goal that is dragged on the ground, and scrubbing.
#include "support/view_state.h"

#include "view/body.h"

static const float take_off = 13.0f / 30.0f, land = 0.9f, duration = 38.0f / 30.0f; // of the hero's Jump, seconds

static view_state jump(void) {
    view_state s = make_state("hero.glb");
    player_of(&s)->settings.fade = 0.0f;
    view_key(&s, GLFW_KEY_6, 0);
    assert_string_equal(view_player_clip(player_of(&s))->name, "Jump");
    view_key(&s, GLFW_KEY_TAB, 0);
    assert_true(s.toggles.body && player_of(&s)->warp.acts);
    view_orbit_finish(&s.orbit);
    view_state_advance(&s, 0.0f);
    return s;
}

static void show_at(view_state *s, float time) {
    player_of(s)->paused = true;
    view_player_seek(player_of(s), time / duration);
    view_state_advance(s, 0.01f);
}

// Where the window draws the character.
static sinew_vec3 position_of(const view_state *s) {
    const sinew_affine world = sinew_scene_world(s->scene->scene, s->scene->actors[0].node);
    return (sinew_vec3){world.m[0][3], world.m[1][3], world.m[2][3]};
}

static float distance(sinew_vec3 a, sinew_vec3 b) {
    return sinew_vec3_length(sinew_vec3_subtract(a, b));
}

// Drags the goal to a position on the ground.
static void drag_goal(view_state *s, sinew_vec3 to) {
    move_to(s, view_body_goal(s));
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    assert_int_equal(s->drag, VIEW_DRAG_GOAL);
    move_to(s, to);
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    assert_int_equal(s->drag, VIEW_DRAG_NONE);
}

// The hero's Jump from the origin to a goal, by the public interface.
static sinew_vec3 warped_alone(const view_state *s, sinew_vec3 goal, float time) {
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = s->scene->actors[0].asset->skeleton;
    motion.node = sinew_skeleton_find(motion.skeleton, "Hips");
    sinew_warp_def def = sinew_warp_default();
    def.clip = sinew_asset_find_clip(s->scene->actors[0].asset, "Jump");
    def.root_motion = &motion;
    def.start = def.clip->markers[0].time, def.end = def.clip->markers[1].time;
    def.added_speed = 6.0f;
    sinew_warp warp;
    const sinew_warp_transform here = {{0, 0, 0}, {0, 0, 0, 1}};
    sinew_warp_transform at = {goal, {0, 0, 0, 1}};
    assert_int_equal(sinew_warp_begin(&def, 0, here, at, &warp, NULL), SINEW_OK);
    return sinew_warp_at(&def, &warp, time).position;
}

// Catches a window of other markers, a goal that the drag misses, a warp that only playing advances, and a scrub that leaves the
// character where it was.
static void scrubbing_shows_the_warp(void **unused) {
    (void)unused;
    view_state s = jump();
    const sinew_vec3 goal = {0.6f, 0.0f, 1.2f};
    drag_goal(&s, (sinew_vec3){goal.x, s.scene->ground, goal.z});
    check_near(player_of(&s)->warp.def.start, take_off, 1e-3);
    check_near(player_of(&s)->warp.def.end, land, 1e-3);
    assert_true(player_of(&s)->warp.warp.missed_distance == 0.0f);
    view_orbit_finish(&s.orbit);
    const sinew_vec3 eye = view_orbit_camera(&s.orbit).eye;
    show_at(&s, land);
    assert_true(distance(view_orbit_camera(&s.orbit).eye, eye) == 0.0f); // the camera stays
    assert_true(distance(position_of(&s), goal) < 0.01f);
    for (int i = 12; i >= 0; i--) { // backward
        const float time = duration * (float)i / 13.0f;
        show_at(&s, time);
        assert_true(distance(position_of(&s), warped_alone(&s, player_of(&s)->warp.goal, time)) < 2e-3f);
    }
    view_state_free(&s);
}

// Catches positions of a played warp that differ from those of a scrubbed one, also in later cycles.
static void playing_is_scrubbing(void **unused) {
    (void)unused;
    view_state s = jump(), scrubbed = jump();
    for (int frame = 0; frame < 200; frame++) {
        view_state_advance(&s, 1.0f / 60.0f);
        show_at(&scrubbed, view_player_time(player_of(&s)));
        assert_true(distance(position_of(&s), position_of(&scrubbed)) < 1e-4f);
    }
    view_state_free(&s);
    view_state_free(&scrubbed);
}

// Catches a path before the warp that is not the clip's root motion, as the window plays it with the warp off.
static void the_other_path_is_that_of_the_clip(void **unused) {
    (void)unused;
    view_state s = jump();
    const view_warp warp = player_of(&s)->warp;
    view_key(&s, GLFW_KEY_TAB, 0);
    assert_false(player_of(&s)->warp.acts);
    view_player_restart(player_of(&s));
    view_player_reset_position(player_of(&s));
    for (int frame = 0; frame < 70; frame++) {
        view_state_advance(&s, 1.0f / 60.0f);
        const sinew_vec3 at = view_warp_unwarped_at(&warp, view_player_time(player_of(&s))).position;
        assert_true(distance(at, position_of(&s)) < 1e-3f);
    }
    view_state_free(&s);
}

// Catches a warp of a blend space, one that stays on when it is switched off, and rings of a goal that cannot be seen.
static void a_warp_needs_a_clip(void **unused) {
    (void)unused;
    view_state s = jump();
    view_key(&s, GLFW_KEY_P, 0);
    view_state_advance(&s, 0.1f);
    assert_false(player_of(&s)->warp.acts);
    view_key(&s, GLFW_KEY_P, 0);
    view_state_advance(&s, 0.1f);
    assert_true(player_of(&s)->warp.acts);
    view_key(&s, GLFW_KEY_2, 0); // Walk, whose window is between its steps
    view_state_advance(&s, 0.1f);
    assert_string_equal(player_of(&s)->warp.def.clip->name, "Walk");
    view_key(&s, GLFW_KEY_Q, 0); // P has shown the mixing panel
    view_orbit_finish(&s.orbit);
    move_to(&s, view_body_goal(&s));
    assert_true(view_body_goal_is_at(&s, s.x, s.y));
    view_key(&s, GLFW_KEY_Q, 0);
    assert_false(view_body_goal_is_at(&s, s.x, s.y));
    view_key(&s, GLFW_KEY_TAB, 0);
    assert_false(player_of(&s)->warp.is_on);
    assert_true(distance(position_of(&s), (sinew_vec3){0, 0, 0}) < 1e-6f);
    view_state_free(&s);

    s = make_state("sword.glb"); // without clips
    view_key(&s, GLFW_KEY_TAB, 0);
    assert_false(player_of(&s)->warp.acts);
    view_state_free(&s);
    s = make_state(NULL);
    view_key(&s, GLFW_KEY_TAB, 0);
    view_state_free(&s);
}

// Catches springs that are thrown by the jump back to the start of the cycle, and those that do not know of the warp.
static void springs_go_along(void **unused) {
    (void)unused;
    view_state s = jump(), still = jump();
    drag_goal(&s, (sinew_vec3){0, s.scene->ground, 2.0f});
    drag_goal(&still, (sinew_vec3){0, still.scene->ground, 0});
    const sinew_skeleton *skeleton = s.scene->actors[0].asset->skeleton;
    const int32_t hair = sinew_skeleton_find(skeleton, "Hair3"), head = sinew_skeleton_find(skeleton, "Head");
    float differs = 0.0f, longest = 0.0f;
    for (int frame = 0; frame < 180; frame++) {
        view_state_advance(&s, 1.0f / 60.0f);
        view_state_advance(&still, 1.0f / 60.0f);
        sinew_vec3 from[2];
        view_state *states[2] = {&s, &still};
        for (int i = 0; i < 2; i++) {
            const view_scene *scene = states[i]->scene;
            from[i] = sinew_vec3_subtract(view_scene_node_position(scene, &scene->actors[0], hair),
                                          view_scene_node_position(scene, &scene->actors[0], head));
        }
        differs = fmaxf(differs, distance(from[0], from[1]));
        longest = fmaxf(longest, sinew_vec3_length(from[0]));
    }
    assert_true(differs > 0.03f && longest < 0.6f);
    view_state_free(&s);
    view_state_free(&still);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scrubbing_shows_the_warp),
        cmocka_unit_test(playing_is_scrubbing),
        cmocka_unit_test(the_other_path_is_that_of_the_clip),
        cmocka_unit_test(a_warp_needs_a_clip),
        cmocka_unit_test(springs_go_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
