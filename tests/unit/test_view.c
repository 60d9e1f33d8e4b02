// SPDX-License-Identifier: MIT
// What `sinew view` does without a window: camera, panels, playing, keys, picking, files.
#include "support/view_state.h"

#include "view/panel.h"

#include <limits.h>

// ---- The camera ----------------------------------------------------------------------------------------------

static void project(const view_orbit *orbit, sinew_vec3 p, float *x, float *y) {
    const sinew_mat4 m = view_orbit_camera(orbit).view_projection;
    const float w = m.m[3] * p.x + m.m[7] * p.y + m.m[11] * p.z + m.m[15];
    assert_true(w > 0.0f);
    *x = (m.m[0] * p.x + m.m[4] * p.y + m.m[8] * p.z + m.m[12]) / w;
    *y = (m.m[1] * p.x + m.m[5] * p.y + m.m[9] * p.z + m.m[13]) / w;
}

// Catches a box that reaches under the panels or out of the picture, and one that is framed too small.
static void a_framed_box_is_seen_whole(void **state) {
    (void)state;
    static const int sizes[][4] = {
        {1280, 800, 240, 120}, {640, 480, 240, 120}, {400, 900, 0, 0}, {1600, 300, 0, 100}};
    static const sinew_vec3 boxes[][2] = {{{-0.5f, 0, -0.2f}, {0.5f, 1.8f, 0.3f}},
                                          {{-30, -1, -30}, {40, 2, 35}},
                                          {{0.001f, 0, 0}, {0.002f, 0.01f, 0.001f}}};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++) {
            view_orbit orbit = view_orbit_start();
            view_orbit_set_picture(&orbit, sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3]);
            view_orbit_turn(&orbit, 0.1f * (float)k, 0.05f);
            view_orbit_frame(&orbit, boxes[k][0], boxes[k][1]);
            view_orbit_finish(&orbit);
            float left = 1.0f, right = -1.0f, low = 1.0f, high = -1.0f;
            for (int corner = 0; corner < 8; corner++) {
                float x, y;
                const sinew_vec3 *b = boxes[k];
                project(&orbit, (sinew_vec3){b[corner & 1].x, b[corner >> 1 & 1].y, b[corner >> 2].z}, &x, &y);
                left = fminf(left, x);
                right = fmaxf(right, x);
                low = fminf(low, y);
                high = fmaxf(high, y);
            }
            const float covered_x = 2.0f * (float)sizes[i][2] / (float)sizes[i][0];
            const float covered_y = 2.0f * (float)sizes[i][3] / (float)sizes[i][1];
            assert_true(left > -1.0f + covered_x && right < 1.0f && low > -1.0f + covered_y && high < 1.0f);
            assert_true(right - left > 0.6f * (2.0f - covered_x) || high - low > 0.6f * (2.0f - covered_y));
        }
    }
}

// Catches easing by a part of the way a frame, which is faster at more frames a second, and easing that never ends.
static void easing_does_not_depend_on_the_frame_rate(void **state) {
    (void)state;
    view_orbit often = view_orbit_start(), seldom;
    view_orbit_turn(&often, 0.3f, 0.1f);
    view_orbit_zoom(&often, 3.0f);
    view_orbit_pan(&often, 0.2f, 0.1f);
    seldom = often;
    for (int i = 0; i < 20; i++) view_orbit_ease(&often, 0.005f);
    view_orbit_ease(&seldom, 0.1f);
    check_near(often.now.yaw, seldom.now.yaw, 1e-4);
    check_near(often.now.distance, seldom.now.distance, 1e-4);
    check_near(often.now.center.x, seldom.now.center.x, 1e-4);
    assert_false(view_orbit_is_still(&often));
    int frames = 0;
    while (view_orbit_ease(&often, 1.0f / 60.0f)) assert_true(++frames < 120);
    assert_true(view_orbit_is_still(&often));
    check_near(often.now.pitch, often.goal.pitch, 0.0);
}

// Catches a camera that turns over at the pole or flies through what it looks at.
static void turning_and_zooming_have_ends(void **state) {
    (void)state;
    view_orbit orbit = view_orbit_start();
    view_orbit_turn(&orbit, 0.0f, 100.0f);
    assert_true(orbit.goal.pitch < 1.5707f);
    view_orbit_turn(&orbit, 0.0f, -100.0f);
    assert_true(orbit.goal.pitch > -1.5707f);
    view_orbit_zoom(&orbit, 1000.0f);
    assert_true(orbit.goal.distance > 0.0f);
    view_orbit_zoom(&orbit, -1000.0f);
    assert_true(orbit.goal.distance < 100.0f * orbit.radius);
}

// Catches panning that slides under the pointer: the centre follows it over the same part of the picture.
static void panning_follows_the_pointer(void **state) {
    (void)state;
    view_orbit orbit = view_orbit_start();
    view_orbit_set_picture(&orbit, 1200, 800, 0, 0);
    const sinew_vec3 at = orbit.now.center;
    view_orbit_pan(&orbit, 0.25f, 0.125f); // of the height: to the right and down
    view_orbit_finish(&orbit);
    float x, y;
    project(&orbit, at, &x, &y);
    check_near(x, 2.0 * 0.25 / 1.5, 1e-3);
    check_near(y, -2.0 * 0.125, 1e-3);
}

// ---- Panels --------------------------------------------------------------------------------------------------

static view_layout layout_of(int width, int height, float scale, int clips, int scroll) {
    const view_layout_def def = {.width = width,
                                 .height = height,
                                 .scale = scale,
                                 .has_file = true,
                                 .clip_count = clips,
                                 .has_markers = clips % 2 == 0,
                                 .widest_name = view_pixels(scale, 150.0f),
                                 .scroll = scroll};
    return view_layout_make(&def);
}

static bool inside(view_rect inner, view_rect outer) {
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
           inner.y + inner.height <= outer.y + outer.height;
}

// Catches panels that lie over each other or out of the window, at any size from the smallest.
static void panels_do_not_overlap(void **state) {
    (void)state;
    static const int sizes[][2] = {{640, 480}, {1280, 800}, {800, 600}, {3840, 2160}, {700, 2000}};
    for (size_t i = 0; i < 5; i++) {
        for (int clips = 0; clips < 200; clips += 19) {
            const float scale = sizes[i][0] > 3000 ? 2.0f : 1.0f;
            const view_layout l = layout_of(sizes[i][0], sizes[i][1], scale, clips, 0);
            assert_true(inside(l.list, (view_rect){0, 0, l.width, l.height}));
            assert_true(inside(l.timeline, (view_rect){0, 0, l.width, l.height}));
            assert_true(l.list.y + l.list.height <= l.timeline.y);
            assert_true(inside(l.rows, l.list) && inside(l.bar, l.timeline));
            assert_true(inside(l.markers, l.timeline) && (l.markers.height > 0) == (clips % 2 == 0));
            assert_true(l.bar.y + l.bar.height <= l.markers.y);
            assert_true(l.list.width < l.width / 2);
        }
    }
}

// Catches a click that chooses a neighbour of the row under it, or a row behind the list's end.
static void each_row_is_its_clip(void **state) {
    (void)state;
    const view_layout l = layout_of(640, 480, 1.0f, 76, 10);
    assert_int_equal(l.first, 10);
    for (int i = 0; i < l.visible; i++) {
        int clip = -1;
        const float top = (float)(l.rows.y + i * l.row), x = (float)l.rows.x + 5.0f;
        assert_int_equal(view_layout_at(&l, x, top, &clip), VIEW_CLIP);
        assert_int_equal(clip, 10 + i);
        assert_int_equal(view_layout_at(&l, x, top + (float)l.row - 0.5f, &clip), VIEW_CLIP);
        assert_int_equal(clip, 10 + i);
    }
    int clip;
    assert_int_equal(view_layout_at(&l, (float)l.list.x + 5.0f, (float)l.list.y + 5.0f, &clip), VIEW_PANEL);
    assert_int_equal(view_layout_at(&l, (float)l.bar.x + 5.0f, (float)l.bar.y + 5.0f, &clip), VIEW_BAR);
    assert_int_equal(view_layout_at(&l, (float)l.markers.x, (float)l.markers.y + 2.0f, &clip), VIEW_PANEL);
    assert_int_equal(view_layout_at(&l, 500.0f, 200.0f, &clip), VIEW_PICTURE);
    check_near(view_layout_fraction(&l, (float)l.bar.x + 0.25f * (float)l.bar.width), 0.25, 1e-5);
    check_near(view_layout_fraction(&l, -50.0f), 0.0, 0.0);
    check_near(view_layout_fraction(&l, 5000.0f), 1.0, 0.0);
}

// Catches a list that scrolls past its ends, or leaves the clip that was chosen by its number out of sight.
static void the_list_scrolls_within_its_ends(void **state) {
    (void)state;
    assert_int_equal(layout_of(640, 480, 1.0f, 76, -5).first, 0);
    view_layout l = layout_of(640, 480, 1.0f, 76, 1000);
    assert_int_equal(l.first, 76 - l.visible);
    assert_int_equal(view_layout_reveal(&l, 3), 3);
    assert_int_equal(view_layout_reveal(&l, 75), l.first);
    l = layout_of(640, 480, 1.0f, 76, 0);
    assert_int_equal(view_layout_reveal(&l, l.visible), 1);
    assert_int_equal(layout_of(640, 480, 1.0f, 4, 2).first, 0);
}

static int ten_a_character(const void *user, const char *text) {
    (void)user;
    return 10 * (int)strlen(text);
}

// Catches messages that lose words, run out of their panel, or break in the middle of a character.
static void messages_are_wrapped(void **state) {
    (void)state;
    int starts[8], lengths[8];
    const char *text = "one two three fourteen-letters x";
    assert_int_equal(view_wrap(text, 100, ten_a_character, NULL, 8, starts, lengths), 4);
    static const char *const lines[] = {"one two", "three", "fourteen-l", "etters x"};
    assert_int_equal(view_wrap(text, 100, ten_a_character, NULL, 2, starts, lengths), 2);
    int count = view_wrap(text, 100, ten_a_character, NULL, 8, starts, lengths);
    for (int i = 0; i < count; i++) {
        assert_int_equal(lengths[i], (int)strlen(lines[i]));
        assert_memory_equal(text + starts[i], lines[i], (size_t)lengths[i]);
    }
    count = view_wrap("\xc3\xa9\xc3\xa9\xc3\xa9", 30, ten_a_character, NULL, 8, starts, lengths);
    for (int i = 0; i < count; i++) assert_int_equal(lengths[i] % 2, 0);
    assert_int_equal(view_wrap("", 100, ten_a_character, NULL, 8, starts, lengths), 0);
}

// ---- Playing -------------------------------------------------------------------------------------------------

// Catches fades with another length than displayed, and a pause that choosing doesn't end.
static void a_number_fades_over(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_player *player = player_of(&s);
    view_weight weights[VIEW_MAX_WEIGHTS];
    assert_int_equal(player->chosen, 0);
    player->paused = true;
    view_key(&s, GLFW_KEY_3, 0);
    assert_int_equal(player->chosen, 2);
    assert_false(player->paused);
    for (int i = 0; i < 15; i++) view_state_advance(&s, 0.01f);
    assert_int_equal(view_player_weights(player, weights), 2);
    check_near(weights[0].weight, 0.5, 0.01);
    check_near(weights[1].weight, 0.5, 0.01);
    for (int i = 0; i < 20; i++) view_state_advance(&s, 0.01f);
    assert_int_equal(view_player_weights(player, weights), 1);
    assert_int_equal(weights[0].clip, 2);
    view_state_free(&s);
    s = make_state("windmill.glb");
    view_key(&s, GLFW_KEY_2, 0);
    view_key(&s, GLFW_KEY_3, 0); // there are fewer
    assert_int_equal(player_of(&s)->chosen, 1);
    view_state_free(&s);
}

// Catches a pause that lets time or fades run, and a window that draws on while it is paused.
static void space_stops_everything(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_key(&s, GLFW_KEY_2, 0);
    view_state_advance(&s, 0.1f);
    view_key(&s, GLFW_KEY_SPACE, 0);
    const float time = view_player_time(player_of(&s));
    const float weight = sinew_action_weight(player_of(&s)->mixer, player_of(&s)->main);
    for (int i = 0; i < 100; i++) view_state_advance(&s, 0.05f);
    check_near(view_player_time(player_of(&s)), time, 0.0);
    check_near(sinew_action_weight(player_of(&s)->mixer, player_of(&s)->main), weight, 0.0);
    assert_false(view_state_moves(&s));
    view_key(&s, GLFW_KEY_SPACE, 0);
    assert_true(view_state_moves(&s));
    view_state_advance(&s, 0.05f);
    check_near(view_player_time(player_of(&s)), time + 0.05, 1e-5);
    view_state_free(&s);
}

// Catches steps of a wrong length and wrong ends.
static void arrows_step(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_player *player = player_of(&s);
    const float duration = view_player_clip(player)->duration;
    view_key(&s, GLFW_KEY_RIGHT, 0);
    assert_true(player->paused);
    check_near(view_player_time(player), 1.0 / 30.0, 1e-6);
    view_key(&s, GLFW_KEY_RIGHT, GLFW_MOD_SHIFT);
    check_near(view_player_time(player), 1.0 / 30.0 + 0.25, 1e-6);
    view_key(&s, GLFW_KEY_HOME, 0);
    check_near(view_player_time(player), 0.0, 0.0);
    view_key(&s, GLFW_KEY_LEFT, 0); // round
    check_near(view_player_time(player), (double)duration - 1.0 / 30.0, 1e-5);
    view_key(&s, GLFW_KEY_L, 0); // ping-pong
    view_key(&s, GLFW_KEY_RIGHT, GLFW_MOD_SHIFT);
    check_near(view_player_time(player), duration, 0.0);
    view_player_seek(player, 0.5f);
    check_near(view_player_time(player), 0.5 * (double)duration, 1e-6);
    view_player_seek(player, 7.0f);
    check_near(view_player_time(player), duration, 0.0);
    view_state_free(&s);
}

// Catches speeds that reach only one of two clips that fade, or are forgotten by the next one.
static void speeds_are_for_all(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_player *player = player_of(&s);
    view_key(&s, GLFW_KEY_2, 0);
    view_key(&s, GLFW_KEY_UP, 0);
    view_key(&s, GLFW_KEY_R, 0);
    sinew_action actions[4];
    assert_int_equal(sinew_mixer_actions(player->mixer, actions, 4), 2);
    for (int i = 0; i < 2; i++) check_near(sinew_action_get(player->mixer, actions[i]).speed, -1.5, 0.0);
    view_key(&s, GLFW_KEY_3, 0);
    check_near(sinew_action_get(player->mixer, player->main).speed, -1.5, 0.0);
    for (int i = 0; i < 20; i++) view_key(&s, GLFW_KEY_DOWN, 0);
    check_near(player->settings.speed, 0.1, 1e-6);
    for (int i = 0; i < 20; i++) view_key(&s, GLFW_KEY_UP, 0);
    check_near(player->settings.speed, 4.0, 1e-6);
    view_state_free(&s);
}

// Catches a loop mode that is shown and not played, and an arrow that points the wrong way.
static void loops_are_as_chosen(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_player *player = player_of(&s);
    const float duration = view_player_clip(player)->duration;
    view_key(&s, GLFW_KEY_L, 0);
    assert_int_equal(sinew_action_get(player->mixer, player->main).loop, SINEW_LOOP_PING_PONG);
    view_player_seek(player, 1.0f - 0.05f / duration);
    view_state_advance(&s, 0.02f);
    assert_false(player->returning);
    for (int i = 0; i < 4; i++) view_state_advance(&s, 0.02f);
    assert_true(player->returning);
    view_key(&s, GLFW_KEY_L, 0);
    view_player_seek(player, 1.0f - 0.05f / duration);
    for (int i = 0; i < 10; i++) view_state_advance(&s, 0.02f);
    check_near(view_player_time(player), duration, 0.0);
    while (!view_orbit_is_still(&s.orbit)) view_state_advance(&s, 0.1f);
    let_pass(&s, 10.0f);
    assert_false(view_state_moves(&s)); // it holds its last pose, and its springs are at rest
    view_key(&s, GLFW_KEY_HOME, 0);
    assert_true(view_state_moves(&s));
    view_state_free(&s);
}

static void check_event(const view_player *player, int index, sinew_event_type type, const char *marker) {
    assert_true(index < player->event_count);
    assert_int_equal(player->events[index].type, type);
    if (marker) assert_string_equal(player->events[index].marker->name, marker);
    assert_true((marker != NULL) == (player->events[index].marker != NULL));
}

// Catches events that come in the wrong order, are left out, grow old while nobody plays, or never go.
static void events_are_noted(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_player *player = player_of(&s);
    assert_int_equal(player->event_count, 0);
    view_key(&s, GLFW_KEY_2, 0); // Walk: Foot_L at 0, Foot_R at half of its 16/15 s
    for (int i = 0; i < 11; i++) view_state_advance(&s, 0.05f);
    assert_int_equal(player->event_count, 2);
    check_event(player, 0, SINEW_EVENT_MARKER, "Foot_R");
    check_event(player, 1, SINEW_EVENT_MARKER, "Foot_L");
    assert_string_equal(player->events[0].clip->name, "Walk");
    check_near(player->events[0].age, 0.55 - 8.0 / 15.0, 1e-5);
    check_near(player->events[1].age, 0.55, 1e-5);
    player->paused = true;
    for (int i = 0; i < 100; i++) view_state_advance(&s, 0.05f);
    check_near(player->events[0].age, 0.55 - 8.0 / 15.0, 1e-5);
    check_near(view_event_strength(&player->events[0]), 1.0, 0.0);
    player->paused = false;
    for (int i = 0; i < 11; i++) view_state_advance(&s, 0.05f); // to 1.1 s, past the end
    assert_int_equal(player->event_count, VIEW_EVENTS);
    check_event(player, 0, SINEW_EVENT_MARKER, "Foot_L");
    check_event(player, 1, SINEW_EVENT_LOOPED, NULL);
    check_event(player, 2, SINEW_EVENT_MARKER, "Foot_R");
    check_event(player, 3, SINEW_EVENT_MARKER, "Foot_L");
    view_key(&s, GLFW_KEY_1, 0); // Idle has no markers, and takes 4 s to come round
    view_key(&s, GLFW_KEY_L, 0);
    for (int i = 0; i < 79; i++) view_state_advance(&s, 0.05f);
    for (int i = 0; i < VIEW_EVENTS; i++) assert_true(view_event_strength(&player->events[i]) < 0.1f);
    view_state_free(&s);
}

// Catches a strip for names where no clip has a marker.
static void only_files_with_markers_have_room_for_them(void **unused) {
    (void)unused;
    static const char *const models[] = {"hero.glb", "windmill.glb"};
    for (int i = 0; i < 2; i++) {
        view_state s = make_state(models[i]);
        assert_int_equal(s.layout.markers.height > 0, i == 0);
        view_state_free(&s);
    }
}

// Catches a crash when there's nothing to play, or nothing at all.
static void keys_are_harmless_without_clips(void **unused) {
    (void)unused;
    static const char *const models[] = {"sword.glb", NULL};
    for (int i = 0; i < 2; i++) {
        view_state s = make_state(models[i]);
        for (int key = GLFW_KEY_SPACE; key <= GLFW_KEY_LAST; key++) {
            view_key(&s, key, key % 2 ? GLFW_MOD_SHIFT : 0);
            view_state_advance(&s, 0.02f);
        }
        for (int button = 0; button < 3; button++) {
            view_button(&s, button, true, 0);
            view_move(&s, 500.0f, 750.0f);
            view_wheel(&s, 1.0f);
            view_button(&s, button, false, 0);
        }
        assert_true(s.quit);
        view_state_free(&s);
    }
}

// ---- Keys and the mouse --------------------------------------------------------------------------------------

// Catches a key that toggles something else, or two things.
static void toggles_toggle(void **unused) {
    (void)unused;
    view_state s = make_state(NULL);
    static const int keys[] = {GLFW_KEY_S, GLFW_KEY_G, GLFW_KEY_W, GLFW_KEY_B,
                               GLFW_KEY_N, GLFW_KEY_H, GLFW_KEY_T, GLFW_KEY_Z};
    bool *const toggles[] = {&s.toggles.skeleton, &s.toggles.ground, &s.toggles.wireframe, &s.toggles.bounds,
                             &s.toggles.normals,  &s.toggles.help,   &s.toggles.status,    &s.toggles.colliders};
    for (size_t i = 0; i < 8; i++) {
        const view_toggles before = s.toggles;
        const bool was = *toggles[i];
        s.changed = false;
        view_key(&s, keys[i], 0);
        assert_true(s.changed);
        assert_int_equal(*toggles[i], !was);
        view_key(&s, keys[i], 0);
        assert_memory_equal(&before, &s.toggles, sizeof before);
    }
    view_key(&s, GLFW_KEY_ESCAPE, 0);
    assert_true(s.quit);
    view_state_free(&s);
}

// Catches drags that do the wrong thing, begin in a panel, or are ended by another button.
static void drags_move_the_camera(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    const view_orbit_position before = s.orbit.goal;
    view_move(&s, 700.0f, 300.0f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_move(&s, 780.0f, 340.0f);
    assert_true(s.orbit.goal.yaw < before.yaw && s.orbit.goal.pitch > before.pitch);
    assert_true(s.framed);
    view_button(&s, GLFW_MOUSE_BUTTON_RIGHT, true, 0);
    view_button(&s, GLFW_MOUSE_BUTTON_RIGHT, false, 0);
    assert_int_equal(s.drag, VIEW_DRAG_TURN);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    const view_orbit_position turned = s.orbit.goal;
    view_move(&s, 700.0f, 300.0f);
    check_near(s.orbit.goal.yaw, turned.yaw, 0.0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, GLFW_MOD_SHIFT);
    view_move(&s, 780.0f, 300.0f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    check_near(s.orbit.goal.yaw, turned.yaw, 0.0);
    assert_true(fabsf(s.orbit.goal.center.x - turned.center.x) > 0.01f);
    assert_false(s.framed);
    view_wheel(&s, 2.0f);
    assert_true(s.orbit.goal.distance < turned.distance);
    view_key(&s, GLFW_KEY_F, 0);
    check_near(s.orbit.goal.center.x, 0.5 * ((double)s.scene->least.x + (double)s.scene->most.x), 1e-6);
    point_at(&s, s.layout.list, 0.5f);
    const view_orbit_position framed = s.orbit.goal;
    view_button(&s, GLFW_MOUSE_BUTTON_RIGHT, true, 0);
    view_move(&s, 700.0f, 300.0f);
    assert_memory_equal(&framed, &s.orbit.goal, sizeof framed);
    view_state_free(&s);
}

// Catches a timeline that a click misses, and a list that doesn't scroll or also scrolls the camera.
static void panels_answer_the_mouse(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_state_resize(&s, 640, 300, 1.0f); // so there isn't room for all clips
    view_player *player = player_of(&s);
    point_at(&s, s.layout.bar, 0.25f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    check_near(view_player_time(player) / view_player_clip(player)->duration, 0.25, 0.01);
    point_at(&s, s.layout.bar, 0.75f);
    check_near(view_player_time(player) / view_player_clip(player)->duration, 0.75, 0.01);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    point_at(&s, s.layout.bar, 0.1f);
    check_near(view_player_time(player) / view_player_clip(player)->duration, 0.75, 0.01);

    assert_true(s.layout.visible < s.layout.clip_count);
    view_move(&s, (float)s.layout.rows.x + 20.0f, (float)s.layout.rows.y + 2.0f);
    const view_orbit_position before = s.orbit.goal;
    for (int i = 0; i < 10; i++) view_wheel(&s, -0.1f); // as touch pads send it: three rows
    assert_in_range(s.layout.first, 2, 3);
    const int first = s.layout.first;
    assert_memory_equal(&before, &s.orbit.goal, sizeof before);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    assert_int_equal(player->chosen, first);
    view_key(&s, GLFW_KEY_1, 0); // out of sight: it is brought into it
    assert_int_equal(s.layout.first, 0);
    view_state_free(&s);
}

// ---- Picking -------------------------------------------------------------------------------------------------

static void click_at(view_state *s, sinew_vec3 at) {
    view_orbit_finish(&s->orbit);
    move_to(s, at);
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_button(s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
}

static const char *joint_name(const view_state *s) {
    return s->joint == SINEW_NO_NODE ? "" : s->scene->asset->skeleton->names[s->joint];
}

static sinew_vec3 position_of(const view_state *s, const char *name) {
    return view_scene_node_position(s->scene, sinew_skeleton_find(s->scene->asset->skeleton, name));
}

// Catches a click that picks another joint, a drag that is taken for a click, and a click on the ground that keeps it.
static void a_click_names_the_joint(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_key(&s, GLFW_KEY_SPACE, 0);
    sinew_vec3 head = position_of(&s, "Head");
    head.y += 0.08f;
    click_at(&s, head);
    assert_string_equal(joint_name(&s), "Head");
    click_at(&s, position_of(&s, "LowerLeg_L"));
    assert_non_null(strstr(joint_name(&s), "Leg_L"));
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_move(&s, s.x + 200.0f, s.y);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    assert_non_null(strstr(joint_name(&s), "Leg_L")); // that was a drag
    click_at(&s, (sinew_vec3){0.0f, -3.0f, 0.0f});
    assert_string_equal(joint_name(&s), "");
    view_state_free(&s);
    s = make_state(NULL);
    click_at(&s, (sinew_vec3){0.0f, 1.0f, 0.0f});
    assert_string_equal(joint_name(&s), "");
    view_state_free(&s);
}

// ---- Files ---------------------------------------------------------------------------------------------------

// Catches a broken file that ends the window or what it shows, and a message that says nothing or never goes.
static void a_broken_file_leaves_a_message(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    const view_scene *before = s.scene;
    char path[] = "test_view_broken.glb";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("glTF is not what this is", file);
    fclose(file);
    static const char *const paths[] = {"test_view_broken.glb", "test_view_no_such_file.glb"};
    for (int i = 0; i < 2; i++) {
        view_state_drop(&s, paths[i]);
        assert_ptr_equal(s.scene, before);
        assert_null(s.pending);
        assert_non_null(strstr(s.message, paths[i]));
        check_near(view_state_message_strength(&s), 1.0, 0.0);
        assert_true(view_state_moves(&s));
        for (int k = 0; k < 100; k++) view_state_advance(&s, 0.1f);
        check_near(view_state_message_strength(&s), 0.0, 0.0);
    }
    remove(path);
    view_state_free(&s);
}

// Catches a dropped file that forgets the settings, or keeps the list and the camera of the one before.
static void a_dropped_file_replaces_the_other(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_key(&s, GLFW_KEY_UP, 0);
    s.joint = 3;
    const float hero_distance = s.orbit.goal.distance;
    view_state_drop(&s, SINEW_MODELS "/windmill.glb");
    assert_non_null(s.pending);
    assert_true(view_state_moves(&s));
    view_state_accept(&s);
    assert_string_equal(view_file_name(s.scene->path), "windmill.glb");
    check_near(player_of(&s)->settings.speed, 1.5, 1e-6);
    assert_int_equal(s.layout.clip_count, s.scene->asset->clip_count);
    assert_true(fabsf(s.orbit.now.distance - hero_distance) > 0.01f);
    assert_int_equal(s.joint, SINEW_NO_NODE);
    view_state_drop(&s, SINEW_MODELS "/sword.glb");
    view_state_refuse(&s, "no room on the GPU");
    assert_null(s.pending);
    assert_string_equal(s.message, "no room on the GPU");
    assert_string_equal(view_file_name(s.scene->path), "windmill.glb");
    view_state_free(&s);
}

// ---- A file that is saved ------------------------------------------------------------------------------------

static const char *const saved = "test_view_saved.glb";

// Puts the first `most` bytes of a model there, as an exporter does.
static void save(const char *model, long most) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, model);
    FILE *from = fopen(path, "rb"), *to = fopen(saved, "wb");
    assert_true(from && to);
    for (int c = getc(from); c != EOF && most > 0; c = getc(from), most--) putc(c, to);
    fclose(from);
    fclose(to);
}

static void watch(view_state *s, int times) {
    for (int i = 0; i < times; i++) view_state_watch(s);
}

// Catches a file that is not read again, is read before it is complete, or takes away what plays or where the camera is.
static void a_saved_file_is_loaded_again(void **unused) {
    (void)unused;
    save("scout.glb", LONG_MAX);
    view_state s = make_state_of(load_file, saved);
    view_wheel(&s, 3.0f);
    view_orbit_finish(&s.orbit);
    view_state_advance(&s, 0.1f);
    view_key(&s, GLFW_KEY_SPACE, 0);
    watch(&s, 5);
    assert_null(s.pending); // it has not changed
    const view_orbit_position before = s.orbit.now;
    const float time = view_player_time(player_of(&s));
    save("hero.glb", LONG_MAX);
    watch(&s, 1); // it may not be complete
    assert_null(s.pending);
    watch(&s, 1);
    assert_non_null(s.pending);
    view_state_accept(&s);
    assert_int_equal(s.layout.clip_count, 11);
    assert_string_equal(view_player_clip(player_of(&s))->name, "Idle");
    check_near(view_player_time(player_of(&s)), time, 1e-6);
    assert_true(player_of(&s)->paused);
    assert_memory_equal(&before, &s.orbit.now, sizeof before);
    watch(&s, 5);
    assert_null(s.pending);
    view_state_free(&s);
    remove(saved);
}

// Catches a fault that ends what plays, is shown again and again, or keeps the next version away.
static void a_fault_in_a_saved_file_is_shown_once(void **unused) {
    (void)unused;
    save("hero.glb", LONG_MAX);
    view_state s = make_state_of(load_file, saved);
    save("hero.glb", 1000);
    watch(&s, 2);
    assert_null(s.pending);
    assert_non_null(strstr(s.message, saved));
    for (int i = 0; i < 100; i++) view_state_advance(&s, 0.1f);
    watch(&s, 2);
    check_near(view_state_message_strength(&s), 0.0, 0.0);
    save("windmill.glb", LONG_MAX);
    watch(&s, 2);
    assert_non_null(s.pending);
    view_state_accept(&s);
    assert_int_equal(player_of(&s)->chosen, 0); // it has no Idle
    assert_int_equal(remove(saved), 0);
    watch(&s, 2);
    assert_null(s.pending);
    view_state_free(&s);
}

// ---- Motion --------------------------------------------------------------------------------------------------

static bool is_hero(const char *path) {
    return strcmp(view_file_name(path), "hero.glb") == 0;
}

// Whoever has the motion of the hero is the hero, and its first clip is Wave.
static bool load_moved(const char *path, const char *motion, sinew_asset **asset, int32_t *first,
                       sinew_error *error) {
    (void)path;
    *first = 4;
    return is_hero(motion) && load_file(motion, asset, error);
}

static bool refuse_motion(const char *path, const char *motion, sinew_asset **asset, int32_t *first,
                          sinew_error *error) {
    (void)path, (void)first;
    *asset = NULL;
    error->result = SINEW_ERROR_FORMAT;
    snprintf(error->message, sizeof error->message, "%s: no humanoid", motion);
    return false;
}

// Catches motion that replaces the character or is not played, a refusal that loses the current scene, and
// another file that keeps the motion.
static void dropped_motion_is_played(void **unused) {
    (void)unused;
    view_state s = make_state("golem.glb");
    s.motion = (view_motion){.is_motion = is_hero, .load = load_moved};
    drop_model(&s, SINEW_MODELS "/hero.glb");
    assert_string_equal(view_file_name(s.scene->path), "golem.glb");
    assert_int_equal(player_of(&s)->chosen, 4);
    s.motion.load = refuse_motion;
    view_state_drop(&s, SINEW_MODELS "/hero.glb");
    assert_null(s.pending);
    assert_string_equal(s.message, "hero.glb: no humanoid");
    assert_string_equal(s.motion.path, SINEW_MODELS "/hero.glb");
    drop_model(&s, SINEW_MODELS "/windmill.glb");
    assert_string_equal(view_file_name(s.scene->path), "windmill.glb");
    assert_string_equal(s.motion.path, "");
    view_state_free(&s);
}

static bool load_turned(const char *path, sinew_asset **asset, sinew_error *error) {
    sinew_gltf_options options = *with_avatars();
    options.up = SINEW_UP_Z;
    *asset = NULL;
    return sinew_gltf_load_file(path, &options, asset, error) == SINEW_OK;
}

// Catches a file with +Z up that is on its back in the window.
static void a_turned_file_stands_upright(void **unused) {
    (void)unused;
    view_state states[2];
    for (int i = 0; i < 2; i++) {
        sinew_error error;
        view_state *s = &states[i];
        assert_true(view_state_create(s, i == 0 ? load_file : load_turned));
        if (!view_state_load(s, SINEW_MODELS "/hero.glb", true, &error)) fail_msg("%s", error.message);
        view_state_accept(s);
        for (int k = 0; k < 5; k++) view_state_advance(s, 0.05f);
    }
    const view_scene *y = states[0].scene, *z = states[1].scene;
    assert_int_equal(z->asset->up, SINEW_UP_Z);
    assert_int_equal(z->vertices.count, y->vertices.count);
    for (size_t i = 0; i < 3 * (size_t)y->vertices.count; i++) {
        check_near(z->vertices.positions[i], y->vertices.positions[i], 1e-5);
        check_near(z->vertices.normals[i], y->vertices.normals[i], 1e-3);
    }
    check_near(z->ground, y->ground, 1e-5);
    check_near(z->least.y, y->least.y, 1e-5);
    for (int i = 0; i < 2; i++) view_state_free(&states[i]);
}

// The hero, with its mesh hidden by the file.
static bool load_hidden(const char *path, sinew_asset **asset, sinew_error *error) {
    if (!load_file(path, asset, error)) return false;
    ((sinew_mesh_node *)(uintptr_t)(*asset)->mesh_nodes)->visible = false;
    return true;
}

// Catches what is hidden and has vertices in the window all the same, in its box and as normals.
static void what_is_hidden_has_no_vertices(void **unused) {
    (void)unused;
    view_state s;
    sinew_error error;
    assert_true(view_state_create(&s, load_hidden));
    if (!view_state_load(&s, SINEW_MODELS "/hero.glb", true, &error)) fail_msg("%s", error.message);
    view_state_accept(&s);
    assert_int_equal(s.scene->asset->mesh_node_count, 1);
    assert_int_equal(s.scene->vertices.count, 0);
    assert_int_equal(s.scene->vertices.capacity, 1);
    assert_true(s.scene->most.y - s.scene->least.y > 1.2f); // of its bones
    view_state_free(&s);
}

// Catches vertices that aren't where the renderer puts them: the box is the pose's, on the ground.
static void the_box_is_that_of_the_pose(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    const float height = s.scene->most.y - s.scene->least.y;
    assert_true(height > 1.2f && height < 2.5f);
    check_near(s.scene->ground, 0.0, 0.0);
    check_near(s.scene->least.y, 0.0, 0.1);
    const view_vertices *v = &s.scene->vertices;
    assert_true(v->count > 1000 && v->count <= v->capacity);
    for (size_t i = 0; i < (size_t)v->count; i++) {
        const float *n = v->normals + 3 * i;
        check_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-3);
    }
    view_state_free(&s);
}

// ---- Frames --------------------------------------------------------------------------------------------------

// Catches a leap after the window was hidden, and times that are NaN or negative.
static void time_does_not_leap(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_state_advance(&s, 1000.0f);
    check_near(view_player_time(player_of(&s)), 0.1, 1e-5);
    view_state_advance(&s, -5.0f);
    view_state_advance(&s, NAN);
    check_near(view_player_time(player_of(&s)), 0.1, 1e-5);
    view_state_free(&s);
}

static void frames_allocate_nothing(void **unused) {
    (void)unused;
#ifndef SINEW_WRAPPED_HEAP
    skip();
#endif
    view_state s = make_state("hero.glb");
    assert_true(heap_calls > 0);
    heap_calls = 0;
    for (int i = 0; i < 200; i++) {
        if (i % 20 == 0) view_key(&s, GLFW_KEY_1 + i / 20 % 5, 0);
        view_move(&s, 600.0f + (float)i, 300.0f);
        view_state_advance(&s, 1.0f / 60.0f);
    }
    assert_int_equal(heap_calls, 0);
    view_state_free(&s);
}

// ---- A graph instead of clips --------------------------------------------------------------------------------

// An act that lifts the first node, and counts.
typedef struct act_counts {
    int begun, ended;
    float seconds, height;
} act_counts;

static void *begin_act(void *user, const sinew_asset *asset, sinew_error *error) {
    (void)error;
    assert_non_null(asset);
    ((act_counts *)user)->begun++;
    return user;
}

static void end_act(void *playing) {
    ((act_counts *)playing)->ended++;
}

static void advance_act(void *playing, float dt) {
    ((act_counts *)playing)->seconds += dt;
}

static void pose_act(const void *playing, sinew_pose *pose, sinew_affine *model) {
    pose->ty[0] = ((const act_counts *)playing)->height;
    sinew_pose_to_model(pose, model);
}

static bool act_swings(const void *playing) {
    return playing != NULL;
}

static int describe_act(const void *playing, view_act_line *lines) {
    (void)playing;
    lines[0] = (view_act_line){"look", 0.5f};
    return 1;
}

// Catches an act that isn't advanced with the speed, poses nothing, plays during a pause or over a chosen clip, or is
// also given to another file.
static void an_act_plays_until_a_clip_is_chosen(void **unused) {
    (void)unused;
    act_counts counts = {.height = 3};
    const view_act act = {&counts, begin_act, end_act, advance_act, pose_act, act_swings, describe_act};
    view_state s = make_state("windmill.glb");
    sinew_error error;
    player_of(&s)->settings.act = &act;
    assert_true(view_state_load(&s, SINEW_MODELS "/hero.glb", true, &error));
    view_state_accept(&s);
    assert_int_equal(counts.begun, 1);
    assert_true(view_scene_acts(s.scene));
    assert_true(view_state_moves(&s));
    player_of(&s)->settings.speed = 2;
    view_state_advance(&s, 0.05f);
    check_near(counts.seconds, 0.1, 1e-6);
    check_near(view_scene_node_position(s.scene, 0).y, 3, 1e-6);
    player_of(&s)->paused = true;
    view_state_advance(&s, 0.05f);
    check_near(counts.seconds, 0.1, 1e-6);
    view_key(&s, GLFW_KEY_3, 0);
    assert_false(view_scene_acts(s.scene));
    view_state_advance(&s, 0.05f);
    check_near(counts.seconds, 0.1, 1e-6);
    check_near(view_scene_node_position(s.scene, 0).y, 0, 1e-6);
    view_state_drop(&s, SINEW_MODELS "/golem.glb");
    view_state_accept(&s);
    assert_int_equal(counts.begun, 1);
    assert_int_equal(counts.ended, 1);
    assert_false(view_scene_acts(s.scene));
    view_state_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_framed_box_is_seen_whole),
        cmocka_unit_test(easing_does_not_depend_on_the_frame_rate),
        cmocka_unit_test(turning_and_zooming_have_ends),
        cmocka_unit_test(panning_follows_the_pointer),
        cmocka_unit_test(panels_do_not_overlap),
        cmocka_unit_test(each_row_is_its_clip),
        cmocka_unit_test(the_list_scrolls_within_its_ends),
        cmocka_unit_test(messages_are_wrapped),
        cmocka_unit_test(a_number_fades_over),
        cmocka_unit_test(space_stops_everything),
        cmocka_unit_test(arrows_step),
        cmocka_unit_test(speeds_are_for_all),
        cmocka_unit_test(loops_are_as_chosen),
        cmocka_unit_test(an_act_plays_until_a_clip_is_chosen),
        cmocka_unit_test(events_are_noted),
        cmocka_unit_test(only_files_with_markers_have_room_for_them),
        cmocka_unit_test(keys_are_harmless_without_clips),
        cmocka_unit_test(toggles_toggle),
        cmocka_unit_test(drags_move_the_camera),
        cmocka_unit_test(panels_answer_the_mouse),
        cmocka_unit_test(a_broken_file_leaves_a_message),
        cmocka_unit_test(a_click_names_the_joint),
        cmocka_unit_test(a_dropped_file_replaces_the_other),
        cmocka_unit_test(a_saved_file_is_loaded_again),
        cmocka_unit_test(a_fault_in_a_saved_file_is_shown_once),
        cmocka_unit_test(a_turned_file_stands_upright),
        cmocka_unit_test(what_is_hidden_has_no_vertices),
        cmocka_unit_test(dropped_motion_is_played),
        cmocka_unit_test(the_box_is_that_of_the_pose),
        cmocka_unit_test(time_does_not_leap),
        cmocka_unit_test(frames_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
