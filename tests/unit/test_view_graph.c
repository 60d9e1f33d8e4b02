// SPDX-License-Identifier: MIT
// What `sinew view --graph` does, without a window: the character, the panel, its keys, and saving the file.
#include "support/view_state.h"

#include "view/graph_rows.h"

static const char *const hero_graph = SINEW_MODELS "/hero.graph.json";
static const char *const saved = "./view_graph_saved.json"; // written into the current folder

static view_state make_with(const char *graph) {
    view_state state;
    sinew_error error;
    assert_true(view_state_create(&state, load_file));
    view_state_resize(&state, 1280, 800, 1.0f);
    player_of(&state)->settings.graph = graph;
    if (!view_state_load(&state, SINEW_MODELS "/hero.glb", true, &error)) fail_msg("%s", error.message);
    view_state_accept(&state);
    view_state_show_graph(&state, true);
    return state;
}

static view_graph *graph_of(view_state *state) {
    return &player_of(state)->graph;
}

static int32_t parameter_of(view_state *state, const char *name) {
    const int32_t parameter = sinew_graph_find_parameter(graph_of(state)->version.graph, name);
    assert_true(parameter >= 0);
    return parameter;
}

static bool is_in(view_state *state, const char *path) {
    const int32_t found = sinew_graph_find_state(graph_of(state)->version.graph, path);
    return found >= 0 && sinew_animator_is_active(graph_of(state)->animator, found);
}

// The number of the first row with that label.
static int row_named(const view_state *state, const char *label) {
    for (int i = 0;; i++) {
        const view_graph_row *row = view_graph_row_of(state, i);
        view_graph_line line;
        if (!row) fail_msg("no row '%s'", label);
        view_graph_describe(state, row, &line);
        if (strcmp(line.label, label) == 0) return i;
    }
}

static view_rect rect_of(const view_state *state, const char *label) {
    return view_layout_graph_row(&state->layout, row_named(state, label) - state->layout.graph_first);
}

static void click(view_state *state, view_rect rect, float fraction) {
    point_at(state, rect, fraction);
    view_button(state, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_button(state, GLFW_MOUSE_BUTTON_LEFT, false, 0);
}

// ---- Driving -------------------------------------------------------------------------------------------------

// The same inputs at the same frames to an animator alone.
static sinew_animator *play_alone(const sinew_asset *asset, sinew_graph **graph, sinew_graph_binding **binding) {
    sinew_animator *animator;
    assert_int_equal(sinew_graph_load_file(hero_graph, NULL, graph, NULL), SINEW_OK);
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = *graph;
    def.skeleton = asset->skeleton;
    def.clips = asset->clips;
    def.clip_count = asset->clip_count;
    assert_int_equal(sinew_graph_bind(&def, binding, NULL), SINEW_OK);
    sinew_animator_def animator_def = sinew_animator_default();
    animator_def.binding = *binding;
    assert_int_equal(sinew_animator_create(&animator_def, &animator, NULL), SINEW_OK);
    sinew_animator_update(animator, 0.0f);
    sinew_animator_set_vector2(animator, sinew_graph_find_parameter(*graph, "move"), 0.0f, 1.24f);
    for (int i = 0; i < 30; i++) sinew_animator_update(animator, 1.0f / 60.0f);
    sinew_animator_fire(animator, sinew_graph_find_parameter(*graph, "jump"));
    for (int i = 0; i < 20; i++) sinew_animator_update(animator, 1.0f / 60.0f);
    return animator;
}

// Catches a graph that is advanced twice or not at all, keys that set something else, and a pose that is not shown.
static void the_graph_drives_the_character(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    view_player *player = player_of(&state);
    turn_springs_off(&state);
    for (int i = 0; i < 4; i++) view_key(&state, GLFW_KEY_UP, 0); // each a twentieth of 6.2
    let_pass(&state, 0.5f);
    view_key(&state, GLFW_KEY_2, 0); // jump is the second of armed, jump, turn, ...
    let_pass(&state, 20.0f / 60.0f);
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *alone = play_alone(player->asset, &graph, &binding);
    const sinew_affine *shown = sinew_scene_model_matrices(player->scene, player->nodes[0]);
    const sinew_affine *expected = sinew_mixer_model_matrices(sinew_animator_mixer(alone));
    assert_true(is_in(&state, "Base/Jump"));
    for (int32_t i = 0; i < player->asset->skeleton->node_count; i++) {
        for (int k = 0; k < 3; k++) check_near(shown[i].m[k][3], expected[i].m[k][3], 1e-5);
    }
    assert_string_equal(view_player_clip(player)->name, "Jump");
    view_weight weights[VIEW_MAX_WEIGHTS];
    assert_true(view_player_weights(player, weights) >= 1);
    assert_true(view_state_moves(&state));
    sinew_animator_destroy(alone);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    view_state_free(&state);
}

// Catches weights of a blend space that are those of one clip, and layers above the base among them.
static void weights_are_those_of_the_samples(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    view_graph_set(graph_of(&state), parameter_of(&state, "move"), 1, 0.6f);
    view_key(&state, GLFW_KEY_5, 0); // wave, on the upper body
    let_pass(&state, 1.0f);
    assert_true(is_in(&state, "Upper/Wave"));
    view_weight weights[VIEW_MAX_WEIGHTS];
    const int count = view_player_weights(player_of(&state), weights);
    assert_int_equal(count, 2);
    for (int i = 0; i < count; i++) {
        const char *name = player_of(&state)->asset->clips[weights[i].clip].name;
        assert_true(strcmp(name, "Idle") == 0 || strcmp(name, "Walk") == 0);
        assert_true(weights[i].weight > 0.2f);
    }
    view_state_free(&state);
}

// Catches a pause that the graph ignores, a step that is none, and a speed that is applied twice or to clips.
static void time_can_be_stopped_and_stretched(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    view_graph *graph = graph_of(&state);
    const int32_t move = sinew_animator_state(graph->animator, 0);
    let_pass(&state, 0.5f);
    check_near(sinew_animator_elapsed(graph->animator, move), 0.5, 1e-4);
    view_key(&state, GLFW_KEY_SPACE, 0);
    let_pass(&state, 0.5f);
    check_near(sinew_animator_elapsed(graph->animator, move), 0.5, 1e-4);
    view_key(&state, GLFW_KEY_RIGHT, GLFW_MOD_CONTROL);
    check_near(sinew_animator_elapsed(graph->animator, move), 0.5 + 1.0 / 30.0, 1e-4);
    assert_true(player_of(&state)->paused);
    view_key(&state, GLFW_KEY_LEFT, GLFW_MOD_CONTROL);
    assert_non_null(strstr(state.message, "backward"));
    view_key(&state, GLFW_KEY_HOME, 0);
    view_key(&state, GLFW_KEY_SPACE, 0);
    for (int i = 0; i < 2; i++) view_key(&state, GLFW_KEY_UP, GLFW_MOD_CONTROL); // 1.5, 2
    view_state_drop(&state, SINEW_MODELS "/windmill.glb");
    const sinew_scene_node mill = state.scene->actors[1].node;
    let_pass(&state, 0.25f);
    check_near(sinew_animator_elapsed(graph->animator, move), 0.5, 1e-4);
    sinew_action action;
    const sinew_mixer *mixer = sinew_scene_mixer(state.scene->scene, mill);
    assert_int_equal(sinew_mixer_actions(mixer, &action, 1), 1);
    check_near(sinew_action_time(mixer, action), 0.5, 1e-4);
    view_state_free(&state);
}

// ---- The panel -----------------------------------------------------------------------------------------------

// Catches rows that are missing, in another order or of other keys than the file says.
static void the_panel_lists_the_graph(void **unused) {
    (void)unused;
    static const struct {
        const char *label, *key;
        int depth;
    } expected[] = {{"move.x", "← →", 0}, {"move.y", "↑ ↓", 0}, {"armed", "1", 0}, {"jump", "2", 0},
                    {"turn", "3", 0},     {"attack", "4", 0},   {"wave", "5", 0},  {"hit", "6", 0},
                    {"hurt", "", 0},      {"Base", "", 0},      {"Move", "", 0},   {"Turn", "", 0},
                    {"Jump", "", 0},      {"Upper", "", 0},     {"None", "", 0},   {"Wave", "", 0},
                    {"Combo", "", 0},     {"First", "", 1},     {"Second", "", 1}, {"Third", "", 1},
                    {"Reaction", "", 0},  {"None", "", 0},      {"Hit", "", 0}};
    const int count = (int)(sizeof expected / sizeof expected[0]);
    view_state state = make_with(hero_graph);
    for (int i = 0; i < count; i++) {
        view_graph_line line;
        assert_non_null(view_graph_row_of(&state, i));
        view_graph_describe(&state, view_graph_row_of(&state, i), &line);
        assert_string_equal(line.label, expected[i].label);
        assert_string_equal(line.key, expected[i].key);
        assert_int_equal(view_graph_row_of(&state, i)->depth, expected[i].depth);
        // The arrows and the digits are in the help; no key of the help that is always there is taken.
        for (const view_key_help *help = view_keys; help->keys; help++)
            if (help->use == VIEW_KEY_ALWAYS && line.key[0]) assert_null(strstr(help->keys, line.key));
    }
    assert_null(view_graph_row_of(&state, count));
    assert_null(view_graph_row_of(&state, -1));
    view_state_free(&state);
}

// Catches a slider that is not where it is drawn, shows the set value as the damped one, or leaves its range.
static void sliders_switches_and_buttons_set_parameters(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    const view_graph *graph = graph_of(&state);
    const int32_t move = parameter_of(&state, "move"), armed = parameter_of(&state, "armed");
    view_rect slider = state.layout.graph_slider;
    view_graph_line line;
    slider.y = rect_of(&state, "move.y").y;
    point_at(&state, slider, 0.75f);
    view_button(&state, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    check_near(graph->targets[move][1], 1.55, 0.04);
    check_near(graph->targets[move][0], 0.0, 0.0);
    view_state_advance(&state, 1.0f / 60.0f);
    view_graph_describe(&state, view_graph_row_of(&state, row_named(&state, "move.y")), &line);
    assert_true(line.damped > 0.5f && line.damped < line.target - 0.05f);
    check_near(line.zero, 0.5, 1e-6);
    view_move(&state, 2000.0f, 0.0f); // the drag stays on its row
    check_near(graph->targets[move][1], 3.1, 1e-6);
    view_button(&state, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    click(&state, rect_of(&state, "armed"), 0.5f);
    let_pass(&state, 0.1f);
    assert_true(sinew_animator_bool(graph->animator, armed));
    click(&state, rect_of(&state, "hit"), 0.5f);
    assert_true(sinew_animator_trigger(graph->animator, parameter_of(&state, "hit")));
    let_pass(&state, 0.05f);
    assert_true(is_in(&state, "Reaction/Hit"));
    view_key(&state, GLFW_KEY_0, 0);
    check_near(graph->targets[move][1], 0.0, 0.0);
    check_near(graph->targets[parameter_of(&state, "hurt")][0], 0.6, 1e-6);
    assert_true(graph->targets[armed][0] == 0.0f);
    assert_true(is_in(&state, "Reaction/Hit")); // the states stay
    view_state_free(&state);
}

// Catches a click that does not enter the state, and a layer that shows neither its path nor its transition.
static void a_click_enters_a_state(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    view_graph_line line;
    click(&state, rect_of(&state, "Second"), 0.5f);
    assert_true(is_in(&state, "Upper/Combo/Second") && is_in(&state, "Upper/Combo"));
    view_graph_describe(&state, view_graph_row_of(&state, row_named(&state, "Upper")), &line);
    assert_string_equal(line.value, "→ Combo/Second");
    assert_true(line.on && line.progress < 0.01f);
    assert_string_equal(graph_of(&state)->events[0].text, "entered Upper/Combo/Second");
    let_pass(&state, 0.1f);
    view_graph_describe(&state, view_graph_row_of(&state, row_named(&state, "Upper")), &line);
    check_near(line.progress, 0.5, 0.02); // of 0.2 s
    let_pass(&state, 0.2f);
    view_graph_describe(&state, view_graph_row_of(&state, row_named(&state, "Upper")), &line);
    assert_string_equal(line.value, "Combo/Second");
    view_key(&state, GLFW_KEY_2, 0);
    view_state_advance(&state, 1.0f / 60.0f);
    view_graph_describe(&state, view_graph_row_of(&state, row_named(&state, "Base")), &line);
    assert_string_equal(line.value, "Move → Jump");
    click(&state, rect_of(&state, "Base"), 0.5f); // a layer is no state
    assert_true(is_in(&state, "Base/Jump"));
    view_state_free(&state);
}

static bool overlap(view_rect a, view_rect b) {
    return a.width > 0 && b.width > 0 && a.height > 0 && b.height > 0 && a.x < b.x + b.width &&
           b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// Catches panels on top of one another, and rows that cannot be reached.
static void panels_do_not_overlap(void **unused) {
    (void)unused;
    static const int sizes[][2] = {{320, 240}, {480, 360}, {640, 480}, {800, 600}, {1280, 800}, {3840, 2160}};
    view_state state = make_with(hero_graph);
    for (int i = 0; i < 12; i++) {
        view_state_resize(&state, sizes[i / 2][0], sizes[i / 2][1], i / 2 == 5 ? 2.0f : 1.0f);
        view_state_show_graph(&state, i % 2 == 0);
        const view_layout *l = &state.layout;
        assert_int_equal(l->graph.width > 0, i % 2 == 0);
        assert_false(overlap(l->graph, l->timeline));
        assert_false(overlap(l->graph, l->list));
        assert_false(overlap(l->graph_rows, l->graph_foot));
        if (i % 2 == 1) continue;
        assert_true(l->graph.x >= 0 && l->graph_rows.y + l->graph_rows.height <= l->graph.y + l->graph.height);
        view_move(&state, (float)l->graph.x + 20.0f, (float)l->graph_rows.y + 4.0f);
        for (int k = 0; k < 20; k++) view_wheel(&state, -1.0f);
        assert_int_equal(state.layout.graph_first + state.layout.graph_visible, 23);
        for (int k = 0; k < 20; k++) view_wheel(&state, 1.0f);
        assert_int_equal(state.layout.graph_first, 0);
    }
    view_key(&state, GLFW_KEY_M, 0);
    assert_true(state.toggles.graph);
    view_key(&state, GLFW_KEY_I, 0);
    assert_true(state.toggles.attachments && !state.toggles.graph);
    view_state_free(&state);
}

// ---- With the other functions --------------------------------------------------------------------------------

// Catches a key or a click of clips that changes what the graph plays, or does nothing without a word.
static void what_the_graph_decides_is_refused(void **unused) {
    (void)unused;
    static const int keys[] = {
        GLFW_KEY_R, GLFW_KEY_L, GLFW_KEY_LEFT_BRACKET, GLFW_KEY_K, GLFW_KEY_C, GLFW_KEY_Y, GLFW_KEY_E, GLFW_KEY_J,
        GLFW_KEY_A, GLFW_KEY_P, GLFW_KEY_COMMA};
    view_state state = make_with(hero_graph);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        state.message[0] = '\0';
        view_key(&state, keys[i], 0);
        assert_non_null(strstr(state.message, "The graph"));
    }
    state.message[0] = '\0';
    click(&state, (view_rect){state.layout.rows.x, state.layout.rows.y + 2 * state.layout.row, 50, 10}, 0.5f);
    assert_non_null(strstr(state.message, "chooses the clips"));
    assert_true(player_of(&state)->chosen == -1 && !state.toggles.mixing);
    assert_true(state.scene->shown_count == 1 && is_in(&state, "Base/Move"));
    let_pass(&state, 0.5f);
    view_player_seek(player_of(&state), 0.5f); // the bar is that of the base's state
    check_near(view_player_time(player_of(&state)), 0.5 * view_player_clip(player_of(&state))->duration, 1e-5);
    view_state_free(&state);
}

// Catches root motion that a graph does not have, or that ends its state.
static void root_motion_moves_the_character(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    view_player *player = player_of(&state);
    click(&state, rect_of(&state, "Turn"), 0.5f);
    view_key(&state, GLFW_KEY_UP, 0);
    view_graph_set(graph_of(&state), parameter_of(&state, "move"), 1, 0.0f);
    let_pass(&state, 0.2f);
    view_key(&state, GLFW_KEY_O, 0);
    assert_true(player->root != SINEW_NO_NODE && is_in(&state, "Base/Turn"));
    assert_ptr_equal(player->mixers[0], sinew_scene_mixer(player->scene, player->nodes[0]));
    assert_ptr_equal(player->mixers[0], sinew_animator_mixer(graph_of(&state)->animator));
    let_pass(&state, 0.5f);
    assert_true(player->walks[0].length > 0.01f);
    view_key(&state, GLFW_KEY_O, 0);
    assert_true(player->root == SINEW_NO_NODE);
    view_state_free(&state);
}

// Catches attachments that stay behind, a crowd that stands, and a file that is added and breaks the graph.
static void attachments_crowds_and_more_files_go_on(void **unused) {
    (void)unused;
    view_state state;
    sinew_error error;
    assert_true(view_state_create(&state, load_file));
    view_state_resize(&state, 1280, 800, 1.0f);
    player_of(&state)->settings.graph = hero_graph;
    player_of(&state)->settings.crowd = 5;
    assert_true(view_state_add_attachment(&state, SINEW_MODELS "/sword.glb", "Grip_R"));
    if (!view_state_load(&state, SINEW_MODELS "/hero.glb", true, &error)) fail_msg("%s", error.message);
    view_state_accept(&state);
    view_key(&state, GLFW_KEY_4, 0);
    let_pass(&state, 0.4f);
    assert_true(is_in(&state, "Upper/Combo/First"));
    const sinew_scene *scene = state.scene->scene;
    const int32_t grip = sinew_skeleton_find(player_of(&state)->asset->skeleton, "Grip_R");
    const sinew_affine hand = sinew_scene_world(scene, sinew_scene_joint(player_of(&state)->nodes[0], grip));
    const sinew_affine sword = sinew_scene_world(scene, state.scene->actors[1].node);
    assert_memory_equal(&hand, &sword, sizeof hand);
    assert_int_equal(state.scene->crowd.def.count, 5);
    view_state_drop(&state, SINEW_MODELS "/hero.glb");
    assert_int_equal(state.scene->actor_count, 3);
    let_pass(&state, 0.1f);
    assert_true(is_in(&state, "Upper/Combo/First"));
    view_state_free(&state);
}

// Catches a graph that stays with a file that is gone, or does not come back; what does not fit plays its clips.
static void the_graph_goes_with_its_file(void **unused) {
    (void)unused;
    view_state state = make_with(hero_graph);
    take_all_away(&state);
    assert_false(view_player_has_graph(player_of(&state)));
    view_state_watch_graph(&state);
    assert_int_equal(state.layout.graph.width, 0);
    view_state_drop(&state, SINEW_MODELS "/windmill.glb");
    view_state_accept(&state);
    assert_non_null(strstr(state.message, "hero.graph.json"));
    assert_false(view_player_has_graph(player_of(&state)));
    assert_int_equal(player_of(&state)->chosen, 0);
    assert_int_equal(state.layout.graph.width, 0);
    take_all_away(&state);
    view_state_drop(&state, SINEW_MODELS "/hero.glb");
    view_state_accept(&state);
    assert_true(view_player_has_graph(player_of(&state)));
    view_key(&state, GLFW_KEY_M, 0); // removing a file showed the panel of attachments
    assert_true(state.layout.graph.width > 0);
    view_state_free(&state);
    view_state strict;
    sinew_error error;
    assert_true(view_state_create(&strict, load_file));
    player_of(&strict)->settings.graph = hero_graph;
    assert_false(view_state_load(&strict, SINEW_MODELS "/windmill.glb", true, &error));
    assert_non_null(strstr(error.message, "hero.graph.json: "));
    view_state_free(&strict);
}

// ---- Saving --------------------------------------------------------------------------------------------------

static void save(const char *speed, const char *next, const char *attack) {
    FILE *file = fopen(saved, "wb");
    assert_non_null(file);
    fprintf(file,
            "{ \"sinewGraph\": 1,\n"
            "  \"parameters\": { %s \"speed\": { \"type\": \"float\", \"range\": [0, %s] } },\n"
            "  \"layers\": [ { \"name\": \"Base\", \"states\": {\n"
            "    \"Idle\": { \"clip\": \"Idle\" }, \"Walk\": { \"clip\": \"Walk\" } },\n"
            "    \"transitions\": [ { \"from\": \"Idle\", \"to\": \"%s\", \"when\": \"speed > 1\" } ] } ] }\n",
            attack, speed, next);
    fclose(file);
}

// Catches a saved file that is not loaded, begins from the start, loses what was set, or is loaded without a change.
static void a_saved_file_is_loaded(void **unused) {
    (void)unused;
    save("4", "Walk", "");
    view_state state = make_with(saved);
    view_graph *graph = graph_of(&state);
    view_graph_set(graph, 0, 0, 3.0f);
    let_pass(&state, 0.5f);
    assert_true(is_in(&state, "Base/Walk"));
    const float time = view_player_time(player_of(&state));
    const sinew_animator *before = graph->animator;
    view_state_watch_graph(&state);
    assert_ptr_equal(graph->animator, before);
    state.drag = VIEW_DRAG_GRAPH;
    save("2", "Walk", "\"attack\": { \"type\": \"trigger\" },");
    view_state_watch_graph(&state);
    assert_non_null(strstr(state.message, "view_graph_saved.json loaded"));
    assert_true(is_in(&state, "Base/Walk"));
    check_near(view_player_time(player_of(&state)), time, 1e-5);
    check_near(graph->targets[parameter_of(&state, "speed")][0], 2.0, 0.0); // clamped to the new range
    assert_int_equal(state.layout.graph_count, 5);
    assert_true(state.drag == VIEW_DRAG_NONE);
    let_pass(&state, 0.2f);
    check_near(sinew_animator_float(graph->animator, parameter_of(&state, "speed")), 2.0, 1e-6);
    assert_int_equal(remove(saved), 0); // some editors remove it for a moment
    state.message[0] = '\0';
    view_state_watch_graph(&state);
    assert_true(view_player_has_graph(player_of(&state)) && state.message[0] == '\0');
    view_state_free(&state);
}

// Catches a fault that ends the graph, is said again and again, or has no place; and one that stays when it is fixed.
static void a_fault_leaves_the_old_graph(void **unused) {
    (void)unused;
    save("4", "Walk", "");
    view_state state = make_with(saved);
    view_graph *graph = graph_of(&state);
    const sinew_animator *before = graph->animator;
    save("4", "Wolk", "");
    view_state_watch_graph(&state);
    assert_memory_equal(state.message, "view_graph_saved.json:5:", 24); // without its folder
    assert_non_null(strstr(state.message, "did you mean \"Walk\"?"));
    assert_string_equal(graph->fault, state.message);
    assert_ptr_equal(graph->animator, before);
    state.message[0] = '\0';
    view_state_watch_graph(&state);
    assert_string_equal(state.message, "");
    let_pass(&state, 0.5f);
    save("5", "Walk", "");
    view_state_watch_graph(&state);
    assert_string_equal(graph->fault, "");
    view_state_free(&state);
    save("4", "Wolk", ""); // a file that is dropped plays its clips until the graph is fixed
    state = make_state(NULL);
    player_of(&state)->settings.graph = saved;
    view_state_drop(&state, SINEW_MODELS "/hero.glb");
    view_state_accept(&state);
    assert_non_null(strstr(state.message, "Wolk"));
    view_key(&state, GLFW_KEY_C, 0);
    assert_true(view_player_is_comparing(player_of(&state)));
    save("4", "Walk", "");
    view_state_watch_graph(&state);
    assert_true(view_player_has_graph(player_of(&state)) && !view_player_is_comparing(player_of(&state)));
    let_pass(&state, 0.1f);
    view_state_free(&state);
    remove(saved);
}

// Catches memory that is lost, or used although there is none, when it runs out.
static void running_out_of_memory_keeps_the_graph(void **unused) {
    (void)unused;
#ifdef SINEW_WRAPPED_HEAP
    view_state state = make_with(hero_graph);
    int failures = 0;
    for (bool good = false; !good;) {
        sinew_error error;
        const sinew_animator *before = graph_of(&state)->animator;
        heap_calls = 0;
        heap_fails_at = failures + 1;
        good = view_player_start_graph(player_of(&state), &error);
        heap_fails_at = 0;
        if (good) break;
        failures++;
        assert_ptr_equal(graph_of(&state)->animator, before);
        let_pass(&state, 0.05f);
    }
    assert_true(failures > 10);
    view_state_free(&state);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_graph_drives_the_character),
        cmocka_unit_test(weights_are_those_of_the_samples),
        cmocka_unit_test(time_can_be_stopped_and_stretched),
        cmocka_unit_test(the_panel_lists_the_graph),
        cmocka_unit_test(sliders_switches_and_buttons_set_parameters),
        cmocka_unit_test(a_click_enters_a_state),
        cmocka_unit_test(panels_do_not_overlap),
        cmocka_unit_test(what_the_graph_decides_is_refused),
        cmocka_unit_test(root_motion_moves_the_character),
        cmocka_unit_test(attachments_crowds_and_more_files_go_on),
        cmocka_unit_test(the_graph_goes_with_its_file),
        cmocka_unit_test(a_saved_file_is_loaded),
        cmocka_unit_test(a_fault_leaves_the_old_graph),
        cmocka_unit_test(running_out_of_memory_keeps_the_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
