// SPDX-License-Identifier: MIT
// Several files in the window: dropped, clicked, attached, swapped and removed, without the window.
#include "support/view_state.h"

#include <string.h>

static const view_actor *newest(const view_state *s) {
    return &s->scene->actors[s->scene->shown_count - 1];
}

static sinew_vec3 position_of(const view_state *s, const view_actor *actor, const char *name) {
    const int32_t node = sinew_skeleton_find(actor->asset->skeleton, name);
    assert_true(node != SINEW_NO_NODE);
    return view_scene_node_position(s->scene, actor, node);
}

static void check_at(sinew_vec3 a, sinew_vec3 b, double tolerance) {
    check_near(a.x, b.x, tolerance);
    check_near(a.y, b.y, tolerance);
    check_near(a.z, b.z, tolerance);
}

static void click_at(view_state *s, sinew_vec3 p, int modifiers) {
    move_to(s, p);
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, true, modifiers);
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, false, modifiers);
}

// In the middle of an instance's box: the sword's is in its blade.
static void click_middle(view_state *s, const view_actor *actor) {
    const sinew_box b = sinew_scene_bounds(s->scene->scene, actor->node);
    click_at(s, (sinew_vec3){0.5f * (b.min.x + b.max.x), 0.5f * (b.min.y + b.max.y), 0.5f * (b.min.z + b.max.z)},
             0);
}

static const char *name_of(const view_state *s, sinew_scene_node node) {
    static char text[96];
    view_attachments_name(s, node, text, sizeof text);
    return text;
}

static view_state hero_with(const char *dropped) {
    view_state s = make_state("hero.glb");
    view_state_drop(&s, dropped);
    view_orbit_finish(&s.orbit);
    assert_int_equal(s.scene->actor_count, 2);
    return s;
}

#define SWORD    SINEW_MODELS "/sword.glb"
#define WINDMILL SINEW_MODELS "/windmill.glb"
#define HERO     SINEW_MODELS "/hero.glb"

// ---- Coming and going ----------------------------------------------------------------------------------------

// Catches a second file that replaces or overlaps the first one, is not visible, or does not play.
static void a_dropped_file_is_next_to_the_others(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    const int32_t alone = s.scene->vertices.count;
    const float most = s.scene->most.x, distance = s.orbit.goal.distance;
    view_state_drop(&s, WINDMILL);
    assert_null(s.pending);
    assert_string_equal(view_file_name(s.scene->actors[0].path), "hero.glb");
    const view_actor *mill = newest(&s);
    assert_string_equal(view_file_name(mill->path), "windmill.glb");
    assert_true(s.scene->vertices.count > alone && s.scene->most.x > most);
    assert_true(s.orbit.goal.distance > distance);
    assert_true(sinew_scene_node_equals(s.selected, mill->node));
    const sinew_box hero = sinew_scene_bounds(s.scene->scene, s.scene->actors[0].node);
    const sinew_box own = sinew_scene_bounds(s.scene->scene, mill->node);
    assert_true(own.min.x > hero.max.x - 0.2f && own.min.y >= s.scene->ground - 1e-3f);
    const sinew_mixer *mixer = sinew_scene_mixer(s.scene->scene, mill->node);
    sinew_action action;
    assert_int_equal(sinew_mixer_actions(mixer, &action, 1), 1);
    let_pass(&s, 0.5f);
    check_near(sinew_action_time(mixer, action), 0.5, 1e-3);
    view_key(&s, GLFW_KEY_SPACE, 0); // and it waits with the other one
    let_pass(&s, 0.5f);
    check_near(sinew_action_time(mixer, action), 0.5, 1e-3);
    view_key(&s, GLFW_KEY_DELETE, 0);
    assert_int_equal(s.scene->shown_count, 1);
    assert_int_equal(s.scene->vertices.count, alone);
    view_state_free(&s);
}

// Catches a wrong file that is removed: of three, the clicked one is removed with its attachments.
static void the_selected_one_goes(void **unused) {
    (void)unused;
    view_state s = hero_with(HERO);
    const sinew_scene_node second = newest(&s)->node;
    view_state_drop(&s, WINDMILL);
    view_state_drop(&s, SWORD);
    const sinew_scene_node mill = s.scene->actors[2].node;
    s.joint = sinew_scene_find_joint(s.scene->scene, second, "Grip_R");
    view_key(&s, GLFW_KEY_V, 0);
    view_attachments_select(&s, second);
    view_key(&s, GLFW_KEY_DELETE, 0);
    assert_int_equal(s.scene->shown_count, 2);
    assert_true(sinew_scene_node_equals(s.scene->actors[1].node, mill));
    assert_string_equal(view_file_name(s.scene->actors[1].path), "windmill.glb");
    assert_string_equal(name_of(&s, s.joint), "");
    let_pass(&s, 0.1f);
    view_state_drop(&s, SWORD);
    assert_int_equal(s.scene->shown_count, 3);
    take_all_away(&s);
    assert_int_equal(s.scene->shown_count, 0);
    view_key(&s, GLFW_KEY_V, 0);
    view_key(&s, GLFW_KEY_DELETE, 0);
    click_at(&s, (sinew_vec3){0.0f, 1.0f, 0.0f}, 0);
    let_pass(&s, 0.1f);
    view_state_free(&s);
}

// Catches a window that takes more files than it has places, or ends then.
static void there_is_an_end_of_files(void **unused) {
    (void)unused;
    view_state s = make_state("windmill.glb");
    for (int i = 1; i < VIEW_MAX_ACTORS; i++) view_state_drop(&s, SWORD);
    assert_int_equal(s.scene->shown_count, VIEW_MAX_ACTORS);
    assert_false(s.message_left > 0.0f);
    view_state_drop(&s, SWORD);
    assert_int_equal(s.scene->shown_count, VIEW_MAX_ACTORS);
    assert_non_null(strstr(s.message, "17 files"));
    view_state_free(&s);
}

// ---- Clicking ------------------------------------------------------------------------------------------------

// Catches a click that picks another joint, a drag that is taken for a click, and a click on the ground that selects.
static void a_click_names_the_joint(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_key(&s, GLFW_KEY_SPACE, 0);
    sinew_vec3 head = position_of(&s, &s.scene->actors[0], "Head");
    head.y += 0.08f;
    click_at(&s, head, 0);
    assert_string_equal(name_of(&s, s.joint), "Head of hero.glb");
    assert_string_equal(name_of(&s, s.selected), "hero.glb");
    const sinew_scene_node before = s.joint;
    click_at(&s, position_of(&s, &s.scene->actors[0], "LowerLeg_L"), 0);
    assert_non_null(strstr(name_of(&s, s.joint), "Leg_L of"));
    assert_false(sinew_scene_node_equals(s.joint, before));
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_move(&s, s.x + 200.0f, s.y);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    assert_string_equal(name_of(&s, s.selected), "hero.glb"); // that was a drag
    click_at(&s, (sinew_vec3){0.0f, -3.0f, 0.0f}, 0);
    assert_string_equal(name_of(&s, s.joint), "");
    assert_string_equal(name_of(&s, s.selected), "");
    view_state_free(&s);
}

// Catches a click on the character that clears the file to attach, and Shift that does not keep the selection.
static void a_file_to_attach_stays_selected(void **unused) {
    (void)unused;
    view_state s = hero_with(SWORD);
    view_state_drop(&s, HERO);
    view_orbit_finish(&s.orbit);
    view_key(&s, GLFW_KEY_SPACE, 0);
    click_middle(&s, &s.scene->actors[1]);
    assert_string_equal(name_of(&s, s.selected), "sword.glb");
    sinew_vec3 head = position_of(&s, &s.scene->actors[0], "Head");
    head.y += 0.08f;
    click_at(&s, head, 0);
    assert_string_equal(name_of(&s, s.selected), "sword.glb");
    assert_string_equal(name_of(&s, s.joint), "Head of hero.glb");
    head = position_of(&s, newest(&s), "Head");
    head.y += 0.08f;
    click_at(&s, head, GLFW_MOD_SHIFT);
    assert_string_equal(name_of(&s, s.selected), "sword.glb");
    assert_int_equal(s.joint.index, newest(&s)->node.index);
    click_at(&s, head, 0);
    assert_string_equal(name_of(&s, s.selected), "hero.glb");
    assert_string_equal(name_of(&s, s.before), "sword.glb");
    view_state_free(&s);
}

// ---- Hanging -------------------------------------------------------------------------------------------------

// Catches a sword that does not follow the hand, also where root motion takes it, that jumps when it is let go, or that
// follows on.
static void an_attached_file_follows(void **unused) {
    (void)unused;
    view_state s = hero_with(SWORD);
    const view_actor *hero = &s.scene->actors[0], *sword = newest(&s);
    s.joint = sinew_scene_find_joint(s.scene->scene, hero->node, "Grip_R");
    view_key(&s, GLFW_KEY_V, 0);
    assert_true(s.toggles.attachments);
    view_key(&s, GLFW_KEY_2, 0);
    view_key(&s, GLFW_KEY_O, 0);
    for (int i = 0; i < 10; i++) {
        check_at(view_scene_node_position(s.scene, sword, 0), position_of(&s, hero, "Grip_R"), 1e-5);
        let_pass(&s, 0.1f);
    }
    view_attachments_line line;
    view_attachments_describe(&s, VIEW_ATTACHMENTS_DETACH, &line);
    assert_string_equal(line.value, "Grip_R of hero.glb");
    const sinew_vec3 at = view_scene_node_position(s.scene, sword, 0);
    view_key(&s, GLFW_KEY_D, 0);
    check_at(view_scene_node_position(s.scene, sword, 0), at, 1e-5);
    let_pass(&s, 0.5f);
    check_at(view_scene_node_position(s.scene, sword, 0), at, 1e-5);
    view_attachments_describe(&s, VIEW_ATTACHMENTS_DETACH, &line);
    assert_false(line.on);
    view_state_free(&s);
}

// Catches a playing character, or the carrier of the joint, that is attached: both show a message.
static void an_invalid_attachment_shows_a_message(void **unused) {
    (void)unused;
    view_state s = hero_with(SWORD);
    view_attachments_select(&s, s.scene->actors[0].node);
    s.joint = sinew_scene_joint(newest(&s)->node, 0);
    view_key(&s, GLFW_KEY_V, 0);
    assert_non_null(strstr(s.message, "click the file"));
    view_attachments_select(&s, newest(&s)->node);
    s.message_left = 0.0f;
    view_key(&s, GLFW_KEY_V, 0); // on itself
    assert_non_null(strstr(s.message, "click a joint"));
    view_key(&s, GLFW_KEY_X, 0); // with what plays
    assert_non_null(strstr(s.message, "click two files"));
    check_near(sinew_scene_world(s.scene->scene, s.scene->actors[0].node).m[0][3], 0.0, 0.0);
    view_state_free(&s);
}

// Catches two files that do not swap.
static void two_files_swap(void **unused) {
    (void)unused;
    view_state s = hero_with(SWORD);
    view_state_drop(&s, WINDMILL);
    const view_actor *hero = &s.scene->actors[0], *sword = &s.scene->actors[1], *mill = &s.scene->actors[2];
    view_attachments_select(&s, sword->node);
    s.joint = sinew_scene_find_joint(s.scene->scene, hero->node, "Grip_R");
    view_key(&s, GLFW_KEY_V, 0);
    const sinew_affine stood = sinew_scene_world(s.scene->scene, mill->node);
    view_attachments_select(&s, mill->node);
    view_key(&s, GLFW_KEY_X, 0);
    const sinew_affine held = sinew_scene_world(s.scene->scene, mill->node);
    check_at((sinew_vec3){held.m[0][3], held.m[1][3], held.m[2][3]}, position_of(&s, hero, "Grip_R"), 1e-5);
    const sinew_affine stands = sinew_scene_world(s.scene->scene, sword->node);
    for (int row = 0; row < 3; row++) check_near(stands.m[row][3], stood.m[row][3], 0.0);
    view_state_free(&s);
}

// Catches a second character beside the first that goes with what somebody has hung on it, or does not carry what the
// first one does.
static void a_twin_carries_too(void **unused) {
    (void)unused;
    view_state s = hero_with(SWORD);
    s.joint = sinew_scene_find_joint(s.scene->scene, s.scene->actors[0].node, "Grip_R");
    view_key(&s, GLFW_KEY_V, 0);
    view_key(&s, GLFW_KEY_C, 0);
    assert_int_equal(s.scene->shown_count, 4);
    assert_int_equal(s.scene->actor_count, 2);
    view_state_drop(&s, WINDMILL);
    s.joint = sinew_scene_find_joint(s.scene->scene, s.scene->player.nodes[1], "Head");
    view_key(&s, GLFW_KEY_V, 0);
    const sinew_vec3 at = view_scene_node_position(s.scene, newest(&s), 0);
    view_key(&s, GLFW_KEY_C, 0);
    assert_int_equal(s.scene->shown_count, 3);
    check_at(view_scene_node_position(s.scene, newest(&s), 0), at, 1e-5);
    view_state_free(&s);
}

// ---- The panel -----------------------------------------------------------------------------------------------

static bool overlap(view_rect a, view_rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// Catches a panel over another one or out of the window, lines that are not where they are clicked, and both at once.
static void the_panel_has_its_place(void **unused) {
    (void)unused;
    static const int sizes[][2] = {{640, 480}, {960, 600}, {1280, 800}};
    view_state s = hero_with(SWORD);
    for (size_t i = 0; i < 3; i++) {
        view_state_resize(&s, sizes[i][0], sizes[i][1], 1.0f);
        view_key(&s, GLFW_KEY_M, 0);
        view_key(&s, GLFW_KEY_I, 0);
        assert_true(s.toggles.attachments && !s.toggles.mixing);
        const view_layout *l = &s.layout;
        assert_true(l->attachments.width > 0 && l->mixing.width == 0);
        assert_true(l->attachments.x + l->attachments.width < l->width &&
                    l->attachments.y + l->attachments.height < l->timeline.y);
        assert_false(overlap(l->attachments, l->list));
        for (int row = 0; row < VIEW_ATTACHMENTS_ROWS; row++) {
            int number = -1;
            const view_rect r = l->attachments_rows[row];
            assert_false(row > 0 && overlap(r, l->attachments_rows[row - 1]));
            assert_int_equal(view_layout_at(l, (float)r.x + 2.0f, (float)r.y + 2.0f, &number), VIEW_ATTACHMENTS);
            assert_int_equal(number, row);
        }
        view_key(&s, GLFW_KEY_I, 0);
        assert_int_equal(s.layout.attachments.width, 0);
    }
    view_key(&s, GLFW_KEY_I, 0);
    point_at(&s, s.layout.attachments_rows[VIEW_ATTACHMENTS_REMOVE], 0.2f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    assert_int_equal(s.scene->shown_count, 1);
    view_state_free(&s);
}

// Catches lines of the panel whose keys the help leaves out.
static void every_line_has_a_key(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    for (int row = VIEW_ATTACHMENTS_ATTACH; row < VIEW_ATTACHMENTS_ROWS; row++) {
        view_attachments_line line;
        view_attachments_describe(&s, (view_attachments_row)row, &line);
        const view_key_help *help = view_keys;
        while (help->keys && !strstr(help->keys, line.key)) help++;
        if (!help->keys) fail_msg("the help has no '%s' of '%s'", line.key, line.label);
    }
    view_state_free(&s);
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Catches frames and clicks that take memory, once the files are there.
static void frames_allocate_nothing(void **unused) {
    (void)unused;
#ifndef SINEW_WRAPPED_HEAP
    skip();
#endif
    view_state s = hero_with(WINDMILL);
    view_state_drop(&s, SWORD);
    heap_calls = 0;
    for (int i = 0; i < 60; i++) {
        if (i % 10 == 0) click_middle(&s, &s.scene->actors[i / 10 % 3]);
        if (i % 10 == 5) view_key(&s, i % 20 == 5 ? GLFW_KEY_V : GLFW_KEY_D, 0);
        view_state_advance(&s, 1.0f / 60.0f);
    }
    assert_int_equal(heap_calls, 0);
    view_state_free(&s);
}

// Catches a want of memory that leaves half of a file, or loses it.
static void out_of_memory_adds_nothing(void **unused) {
    (void)unused;
#ifndef SINEW_WRAPPED_HEAP
    skip();
#endif
    view_state s = make_state("hero.glb");
    int failed = 0;
    for (bool good = false; !good; failed += !good) {
        sinew_error error;
        heap_calls = 0;
        heap_fails_at = failed + 1;
        good = view_scene_add(s.scene, load_file, SWORD, &error);
        heap_fails_at = 0;
        assert_true(good || s.scene->shown_count == 1);
        assert_true(good || sinew_scene_instance_count(s.scene->scene) == 1);
        assert_true(failed < 1000);
        let_pass(&s, 0.02f);
    }
    assert_true(failed > 5);
    view_state_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_file_is_next_to_the_others),
        cmocka_unit_test(the_selected_one_goes),
        cmocka_unit_test(there_is_an_end_of_files),
        cmocka_unit_test(a_click_names_the_joint),
        cmocka_unit_test(a_file_to_attach_stays_selected),
        cmocka_unit_test(an_attached_file_follows),
        cmocka_unit_test(an_invalid_attachment_shows_a_message),
        cmocka_unit_test(two_files_swap),
        cmocka_unit_test(a_twin_carries_too),
        cmocka_unit_test(the_panel_has_its_place),
        cmocka_unit_test(every_line_has_a_key),
        cmocka_unit_test(frames_allocate_nothing),
        cmocka_unit_test(out_of_memory_adds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
