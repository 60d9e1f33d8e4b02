// SPDX-License-Identifier: MIT
// What the window shows of the mixer, without the window: transitions, side by side, a layer, a blend space, root
// motion, and the panel for them.
#include "support/view_state.h"

#include "support/gltf_builder.h"
#include "view/mixing.h"

// ---- A walker ------------------------------------------------------------------------------------------------

// Two clips that stand, at x = 0 and x = 1, and one that goes 2 m along z in its second. What goes is Root, on which
// Hips, Spine and Head hang.
static uint8_t *write_walker(size_t *size) {
    static const float times[] = {0.0f, 1.0f};
    static const float ways[3][6] = {{0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 2}};
    static const char *const names[] = {"Stand", "Aside", "Go"};
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'scene':0,'scenes':[{'nodes':[0]}],'nodes':[{'name':'Root','children':[1]},"
                     "{'name':'Hips','translation':[0,1,0],'children':[2]},"
                     "{'name':'Spine','translation':[0,0.3,0],'children':[3]},"
                     "{'name':'Head','translation':[0,0.4,0]}]");
    char clips[1024] = "";
    const int input = gltf_floats(&b, "SCALAR", 2, times);
    for (int i = 0; i < 3; i++) {
        const size_t used = strlen(clips);
        const int output = gltf_floats(&b, "VEC3", 2, ways[i]);
        snprintf(clips + used, sizeof clips - used,
                 "%s{'name':'%s','samplers':[{'input':%d,'output':%d}],"
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}",
                 i > 0 ? "," : "", names[i], input, output);
    }
    gltf_section(&b, "'animations':[%s]", clips);
    uint8_t *glb = gltf_write_glb(&b, size);
    gltf_end(&b);
    return glb;
}

static bool load_walker_up(sinew_up up, sinew_asset **asset, sinew_error *error) {
    size_t size;
    uint8_t *glb = write_walker(&size);
    sinew_gltf_options options = sinew_gltf_default();
    options.up = up;
    *asset = NULL;
    const bool good = sinew_gltf_load_memory(glb, size, &options, asset, error) == SINEW_OK;
    free(glb);
    return good;
}

static bool load_walker(const char *path, sinew_asset **asset, sinew_error *error) {
    (void)path;
    return load_walker_up(SINEW_UP_Y, asset, error);
}

static bool load_turned_walker(const char *path, sinew_asset **asset, sinew_error *error) {
    (void)path;
    return load_walker_up(SINEW_UP_Z, asset, error);
}

static sinew_vec3 position_of(const view_state *state, int actor, int32_t node) {
    return view_scene_node_position(state->scene, &state->scene->actors[actor], node);
}

static int32_t node_of(const view_state *state, const char *name) {
    return sinew_skeleton_find(state->scene->actors[0].asset->skeleton, name);
}

// ---- Transitions ---------------------------------------------------------------------------------------------

// Catches a key that leaves out a kind, and a curve in the panel that is not the way the character goes: from standing
// at 0 to standing at 1, x is the progress of the transition, for each kind.
static void curves_are_what_is_played(void **unused) {
    (void)unused;
    for (int kind = 0; kind < VIEW_KINDS; kind++) {
        view_state s = make_state_of(load_walker, "walker");
        view_player *player = player_of(&s);
        for (int i = 0; i < kind; i++) view_key(&s, GLFW_KEY_K, 0);
        assert_int_equal(player->settings.kinds[0], kind);
        player->settings.fade = 1.0f;
        view_key(&s, GLFW_KEY_2, 0);
        for (int i = 1; i <= 64; i++) {
            view_state_advance(&s, 1.0f / 64.0f);
            check_near(view_player_progress(player), i / 64.0, 1e-6);
            check_near(position_of(&s, 0, 0).x, view_kind_progress((view_kind)kind, (float)i / 64.0f), 1e-5);
        }
        view_state_free(&s);
    }
}

// Catches kinds that are only names: what still plays in the middle of each, and how fast.
static void kinds_are_what_they_say(void **unused) {
    (void)unused;
    static const int plays[VIEW_KINDS] = {2, 2, 2, 1, 1};
    static const double expected[VIEW_KINDS] = {0.25, 0.15625, 0.25, 1.0, 1.0}; // u² (3 - 2u) at a quarter
    for (int kind = 0; kind < VIEW_KINDS; kind++) {
        view_state s = make_state("hero.glb");
        view_player *player = player_of(&s);
        view_weight weights[VIEW_MAX_WEIGHTS];
        player->settings.kinds[0] = (view_kind)kind;
        player->settings.fade = 0.4f;
        view_key(&s, GLFW_KEY_2, 0);
        let_pass(&s, 1.0f);
        const sinew_action walk = view_player_main(player);
        const float before = sinew_action_time(player->mixers[0], walk);
        view_key(&s, GLFW_KEY_3, 0);
        view_state_advance(&s, 0.1f);
        assert_int_equal(view_player_weights(player, weights), plays[kind]);
        const double weight = sinew_action_weight(player->mixers[0], view_player_main(player));
        if (kind != VIEW_DEAD_BLEND) check_near(weight, expected[kind], 1e-5);
        // Warped, the walk speeds up toward the run.
        const float step =
            sinew_action_time(player->mixers[0], walk) + (before > 0.9f ? 16.0f / 15.0f : 0.0f) - before;
        if (kind == VIEW_FADE_WARPED) assert_true(step > 0.102f && step < 0.15f);
        if (kind < VIEW_FADE_WARPED) check_near(step, 0.1, 1e-5);
        view_state_free(&s);
    }
}

// Catches a window that goes to rest in the middle of a transition between poses that stand.
static void transitions_are_waited_for(void **unused) {
    (void)unused;
    view_state s = make_state_of(load_walker, "walker");
    view_player *player = player_of(&s);
    player->settings.kinds[0] = VIEW_INERTIALIZE;
    player->settings.loop = SINEW_LOOP_ONCE;
    player->settings.fade = 2.0f;
    view_key(&s, GLFW_KEY_2, 0);
    let_pass(&s, 1.5f);
    assert_true(sinew_action_is_finished(player->mixers[0], view_player_main(player)));
    assert_true(view_player_moves(player));
    let_pass(&s, 0.6f);
    assert_false(view_player_moves(player));
    check_near(position_of(&s, 0, 0).x, 1.0, 1e-6);
    view_state_free(&s);
}

// Catches clips that keep step unasked, or do not when they are asked: Walk and Run both have Foot_L at 0 and Foot_R at
// half, so in step they are at the same part of their clips.
static void clips_keep_step_on_request(void **unused) {
    (void)unused;
    for (int sync_steps = 0; sync_steps < 2; sync_steps++) {
        view_state s = make_state("hero.glb");
        view_player *player = player_of(&s);
        const sinew_clip *clips = player->asset->clips;
        if (sync_steps) view_key(&s, GLFW_KEY_Y, 0);
        view_key(&s, GLFW_KEY_2, 0);
        let_pass(&s, 0.7f);
        const sinew_action walk = view_player_main(player);
        player->settings.fade = 1.0f;
        view_key(&s, GLFW_KEY_3, 0);
        view_state_advance(&s, 0.1f);
        const double walked = sinew_action_time(player->mixers[0], walk) / clips[1].duration;
        const double ran = view_player_time(player) / clips[2].duration;
        if (sync_steps) check_near(ran, walked, 1e-4);
        if (!sync_steps) check_near(view_player_time(player), 0.1, 1e-5);
        view_state_free(&s);
    }
}

// ---- Side by side --------------------------------------------------------------------------------------------

// How far the second's vertices are from where the first's are, at most, apart from the way between them.
static float difference(const view_state *state) {
    const view_vertices *v = &state->scene->vertices;
    const size_t half = 3 * (size_t)v->count / 2;
    float most = 0.0f;
    for (size_t i = 0; i < half; i++) {
        const float aside = i % 3 == 0 ? state->scene->twin_offset : 0.0f;
        most = fmaxf(most, fabsf(v->positions[half + i] - aside - v->positions[i]));
    }
    return most;
}

// Catches a second character that does not come or go, stands in the first one, plays something else, goes the same way as
// the first, or drops what it carries.
static void a_second_one_goes_another_way(void **unused) {
    (void)unused;
    view_state s = make_state(NULL);
    sinew_error error;
    assert_true(view_state_add_attachment(&s, SINEW_MODELS "/sword.glb", "Grip_R"));
    assert_true(view_state_load(&s, SINEW_MODELS "/hero.glb", true, &error));
    view_state_accept(&s);
    view_player *player = player_of(&s);
    view_key(&s, GLFW_KEY_2, 0);
    let_pass(&s, 0.5f);
    const int32_t alone = s.scene->vertices.count;
    const float wide = s.scene->most.x - s.scene->least.x;
    view_key(&s, GLFW_KEY_C, 0);
    assert_int_equal(s.scene->shown_count, 4);
    assert_int_equal(s.scene->vertices.count, 2 * alone);
    assert_true(s.scene->twin_offset >= wide);
    let_pass(&s, 0.5f);
    assert_true(difference(&s) < 1e-4f);
    view_key(&s, GLFW_KEY_3, 0);
    let_pass(&s, 0.1f);
    assert_true(difference(&s) > 0.02f);
    view_weight weights[VIEW_MAX_WEIGHTS];
    assert_int_equal(view_player_weights(player, weights), 2); // the first one fades
    let_pass(&s, 8.0f);                                        // the springs swing on
    assert_true(difference(&s) < 1e-4f);
    for (int i = 0; i < VIEW_KINDS - VIEW_INERTIALIZE; i++) view_key(&s, GLFW_KEY_C, GLFW_MOD_SHIFT);
    assert_int_equal(player->settings.kinds[1], VIEW_FADE_LINEAR);
    assert_true(view_player_is_comparing(player));
    view_key(&s, GLFW_KEY_2, 0);
    let_pass(&s, 0.1f);
    assert_true(difference(&s) < 1e-4f);
    view_key(&s, GLFW_KEY_UP, 0); // speed, time and loops are those of both
    view_key(&s, GLFW_KEY_HOME, 0);
    view_key(&s, GLFW_KEY_RIGHT, GLFW_MOD_SHIFT);
    view_state_advance(&s, 0.0f);
    assert_true(difference(&s) < 1e-4f);
    view_key(&s, GLFW_KEY_C, 0);
    assert_int_equal(s.scene->shown_count, 2);
    assert_int_equal(s.scene->vertices.count, alone);
    assert_false(view_player_is_comparing(player));
    view_key(&s, GLFW_KEY_C, 0);
    assert_int_equal(s.scene->vertices.count, 2 * alone);
    view_state_free(&s);
}

// ---- The layer -----------------------------------------------------------------------------------------------

static sinew_transform shown(view_state *state, int32_t node) {
    return sinew_pose_get(sinew_mixer_pose(player_of(state)->mixers[0]), node);
}

static sinew_action layer_action(view_state *state) {
    const view_layer *layer = &player_of(state)->layer;
    return layer->actions[0][layer->next];
}

// The hero walks, and waves over it.
static view_state make_waving(bool adds) {
    view_state s = make_state("hero.glb");
    view_key(&s, GLFW_KEY_2, 0);
    if (adds) view_key(&s, GLFW_KEY_A, 0);
    view_key(&s, GLFW_KEY_5, GLFW_MOD_SHIFT);
    let_pass(&s, 0.8f);
    return s;
}

// Catches a layer that covers legs or not the hand, plays another clip or nothing, and one that does not go again.
static void a_clip_is_laid_over_the_upper_body(void **unused) {
    (void)unused;
    view_state s = make_waving(false);
    view_player *player = player_of(&s);
    const sinew_clip *walk = &player->asset->clips[1], *wave = &player->asset->clips[4];
    const int32_t leg = node_of(&s, "LowerLeg_L"), hand = node_of(&s, "LowerArm_R");
    assert_string_equal(player->asset->skeleton->names[player->layer.node], "Spine");
    assert_int_equal(player->chosen, 1);
    sinew_transform below = sinew_clip_sample_node(walk, view_player_time(player), leg);
    sinew_transform over =
        sinew_clip_sample_node(wave, sinew_action_time(player->mixers[0], layer_action(&s)), hand);
    assert_true(angle_between(shown(&s, leg).rotation, below.rotation) < 1e-5);
    assert_true(angle_between(shown(&s, hand).rotation, over.rotation) < 1e-5);
    view_weight weights[VIEW_MAX_WEIGHTS];
    assert_int_equal(view_player_weights(player, weights), 1); // of the base
    view_key(&s, GLFW_KEY_E, 0);
    let_pass(&s, 0.15f);
    assert_true(sinew_action_weight(player->mixers[0], layer_action(&s)) == 0.0f);
    let_pass(&s, 0.3f);
    below = sinew_clip_sample_node(walk, view_player_time(player), hand);
    assert_true(angle_between(shown(&s, hand).rotation, below.rotation) < 1e-5);
    view_key(&s, GLFW_KEY_E, 0);
    let_pass(&s, 0.15f);
    check_near(sinew_action_weight(player->mixers[0], layer_action(&s)), 0.5, 0.02); // it fades
    view_state_free(&s);
}

// Catches differences that are added to the wrong side, against another pose than the first, or not by the weight.
static void a_clip_is_added(void **unused) {
    (void)unused;
    view_state s = make_waving(true);
    view_player *player = player_of(&s);
    const sinew_clip *walk = &player->asset->clips[1], *wave = &player->asset->clips[4];
    const int32_t hand = node_of(&s, "LowerArm_R");
    const float time = sinew_action_time(player->mixers[0], layer_action(&s));
    sinew_quat first = sinew_clip_sample_node(wave, 0.0f, hand).rotation;
    first = (sinew_quat){-first.x, -first.y, -first.z, first.w};
    const sinew_quat now = sinew_clip_sample_node(wave, time, hand).rotation;
    const sinew_quat base = sinew_clip_sample_node(walk, view_player_time(player), hand).rotation;
    const sinew_quat sum = sinew_quat_multiply(base, sinew_quat_multiply(first, now));
    assert_true(angle_between(shown(&s, hand).rotation, base) > 0.1);
    assert_true(angle_between(shown(&s, hand).rotation, sum) < 1e-4);
    assert_int_equal(view_player_number(player, sinew_action_clip(player->mixers[0], layer_action(&s))), 4);
    for (int i = 0; i < 10; i++) view_key(&s, GLFW_KEY_COMMA, 0);
    check_near(player->layer.weight, 0.0, 1e-6);
    view_state_advance(&s, 0.0f);
    assert_true(angle_between(shown(&s, hand).rotation, base) < 1e-5);
    view_key(&s, GLFW_KEY_PERIOD, 0);
    check_near(player->layer.weight, 0.1, 1e-6);
    view_key(&s, GLFW_KEY_A, 0); // from adding to overriding is a fade
    const sinew_action over = layer_action(&s);
    let_pass(&s, 0.15f);
    check_near(sinew_action_weight(player->mixers[0], over), 0.5, 0.02);
    assert_ptr_equal(sinew_action_clip(player->mixers[0], over), wave);
    view_state_free(&s);
}

// Catches masks that are shown and not used, that leave out joints or offer their tips, and a round that does not close.
static void masks_go_through_the_joints(void **unused) {
    (void)unused;
    view_state s = make_waving(false);
    view_player *player = player_of(&s);
    const sinew_skeleton *skeleton = player->asset->skeleton;
    const int32_t spine = player->layer.node, leg = node_of(&s, "LowerLeg_L");
    view_key(&s, GLFW_KEY_J, 0);
    assert_string_equal(skeleton->names[player->layer.node], "Chest");
    view_key(&s, GLFW_KEY_J, GLFW_MOD_SHIFT);
    view_key(&s, GLFW_KEY_J, GLFW_MOD_SHIFT);
    assert_string_equal(skeleton->names[player->layer.node], "Hips");
    view_state_advance(&s, 0.0f);
    const float time = sinew_action_time(player->mixers[0], layer_action(&s));
    const sinew_quat over = sinew_clip_sample_node(&player->asset->clips[4], time, leg).rotation;
    assert_true(angle_between(shown(&s, leg).rotation, over) < 1e-5);
    int count = 0;
    bool was_whole = false;
    do {
        const int32_t node = player->layer.node;
        was_whole = was_whole || node == SINEW_NO_NODE;
        assert_true(node == SINEW_NO_NODE || skeleton->subtree_ends[node] > node + 1);
        check_near(player->layer.mask->nodes[node < 0 ? 0 : node], node < 0 ? 1.0 : 1.0 / 3.0, 1e-6);
        view_key(&s, GLFW_KEY_J, 0);
        count++;
    } while (player->layer.node != node_of(&s, "Hips"));
    assert_true(was_whole && count > 30 && count < skeleton->node_count);
    assert_true(spine != SINEW_NO_NODE);
    view_state_free(&s);
}

// ---- The blend space -----------------------------------------------------------------------------------------

static double share_of(const view_player *player, int32_t clip) {
    view_weight weights[VIEW_MAX_WEIGHTS];
    const int count = view_player_weights(player, weights);
    for (int i = 0; i < count; i++) {
        if (weights[i].clip == clip) return (double)weights[i].weight;
    }
    return 0.0;
}

// Catches a space of other clips than those by name, a parameter that does not move or that leaves the line, weights that
// are not shown, and no way back.
static void the_space_is_steered(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    view_player *player = player_of(&s);
    assert_int_equal(player->space->sample_count, 3);
    for (int i = 0; i < 3; i++) assert_ptr_equal(player->space->samples[i].clip, &player->asset->clips[i]);
    view_key(&s, GLFW_KEY_4, 0);
    let_pass(&s, 0.5f);
    view_key(&s, GLFW_KEY_P, 0);
    let_pass(&s, 1.0f);
    assert_string_equal(view_player_clip(player)->name, "Idle");
    for (int i = 0; i < 5; i++) view_key(&s, GLFW_KEY_RIGHT, GLFW_MOD_CONTROL); // a quarter of the way to 2
    check_near(player->x, 0.5, 1e-6);
    let_pass(&s, 3.0f);
    check_near(share_of(player, 0), 0.5, 1e-3);
    check_near(share_of(player, 1), 0.5, 1e-3);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    point_at(&s, view_layout_pad(&s.layout), 0.75f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    check_near(player->x, 1.5, 0.01);
    view_move(&s, 5000.0f, 0.0f);
    view_key(&s, GLFW_KEY_RIGHT, GLFW_MOD_CONTROL);
    check_near(player->x, 2.0, 1e-6);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    let_pass(&s, 3.0f);
    check_near(share_of(player, 2), 1.0, 1e-3);
    assert_string_equal(view_player_clip(player)->name, "Run");
    view_key(&s, GLFW_KEY_P, 0);
    assert_int_equal(player->chosen, 3);
    let_pass(&s, 0.5f);
    check_near(share_of(player, 3), 1.0, 1e-6);
    check_near(share_of(player, 2), 0.0, 0.0);
    view_state_free(&s);
}

// Catches samples at other points than those that were written, and texts that pass and mean nothing.
static void spaces_are_read(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    const sinew_asset *asset = player_of(&s)->asset;
    view_settings settings = view_default_settings();
    sinew_blend_space *space;
    sinew_error error;
    settings.space = "  Walk=0,1.5 #2=-2,0\tIdle=1,0 ";
    assert_true(view_space_read(asset, &settings, &space, &error));
    assert_int_equal(space->kind, SINEW_BLEND_SPACE_TRIANGLES);
    assert_ptr_equal(space->samples[1].clip, &asset->clips[2]);
    check_near(space->samples[1].x, -2.0, 0.0);
    check_near(space->samples[0].y, 1.5, 0.0);
    const view_extent e = view_space_extent(space);
    check_near(e.x, -2.0, 0.0);
    check_near(e.width, 3.0, 0.0);
    check_near(e.height, 1.5, 0.0);
    sinew_blend_space_destroy(space);
    static const char *const wrong[][2] = {{"", "CLIP=X"},
                                           {"Walk", "'Walk'"},
                                           {"=3", "'=3'"},
                                           {"Walk=", "'Walk='"},
                                           {"Walk=1,", "'Walk=1,'"},
                                           {"Walk=1,2,3", "'Walk=1,2,3'"},
                                           {"Walk=nan", "'Walk=nan'"},
                                           {"Walk=1 Idle=0,1", "'Idle=0,1'"},
                                           {"Swim=1", "'Swim'"},
                                           {"#11=1", "'#11'"},
                                           {"Walk=1 Run=1", "1"},
                                           {"Walk=1,0 Run=2,0", "line"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        settings.space = wrong[i][0];
        assert_false(view_space_read(asset, &settings, &space, &error));
        assert_null(space);
        if (!strstr(error.message, wrong[i][1])) fail_msg("'%s': %s", wrong[i][0], error.message);
    }
    view_state_free(&s);
}

// ---- Root motion ---------------------------------------------------------------------------------------------

// Catches a character that stays, or goes and leaps back where its clip begins anew, a camera that it leaves, a way that
// is not where it was, and a file with another axis up that goes into the ground.
static void root_motion_moves_the_character(void **unused) {
    (void)unused;
    for (int turned = 0; turned < 2; turned++) {
        view_state s = make_state_of(turned ? load_turned_walker : load_walker, "walker");
        view_player *player = player_of(&s);
        const view_walk *walk = &player->walks[0];
        view_key(&s, GLFW_KEY_O, 0);
        assert_int_equal(player->root, 0);
        player->settings.fade = 0.0f;
        view_key(&s, GLFW_KEY_3, 0);
        const sinew_vec3 center = s.orbit.goal.center;
        for (int i = 0; i < 64 * 5 / 2; i++) view_state_advance(&s, 1.0f / 64.0f);
        check_vec3(position_of(&s, 0, 0), 0.0, 0.0, 5.0, 1e-4);
        check_vec3(position_of(&s, 0, 1), 0.0, 1.0, 5.0, 1e-4);
        check_near(s.orbit.goal.center.z - center.z, 5.0, 1e-4);
        check_near(walk->length, 5.0, 1e-4);
        assert_true(walk->count > 50);
        check_near(view_scene_position(s.scene, 0, view_walk_point(walk, 0)).z, 5.0, 0.05);
        check_near(view_scene_position(s.scene, 0, view_walk_point(walk, walk->count - 1)).z, 0.0, 0.0);
        view_key(&s, GLFW_KEY_R, 0); // and back
        for (int i = 0; i < 64; i++) view_state_advance(&s, 1.0f / 64.0f);
        check_near(position_of(&s, 0, 0).z, 3.0, 1e-4);
        view_key(&s, GLFW_KEY_BACKSPACE, 0);
        assert_int_equal(walk->count, 1);
        assert_true(player->root == 0);
        view_key(&s, GLFW_KEY_O, 0);
        assert_int_equal(player->root, SINEW_NO_NODE);
        view_player_seek(player, 0.5f);
        view_state_advance(&s, 0.0f);
        check_near(position_of(&s, 0, 0).z, 1.0, 1e-5); // where the clip has it
        view_state_free(&s);
    }
}

// Catches a second character that stays behind, and a root that forgets what is played and laid over.
static void both_characters_go(void **unused) {
    (void)unused;
    view_state s = make_state_of(load_walker, "walker");
    view_player *player = player_of(&s);
    view_key(&s, GLFW_KEY_3, 0);
    let_pass(&s, 0.5f);
    const float time = view_player_time(player);
    view_key(&s, GLFW_KEY_2, GLFW_MOD_SHIFT);
    view_key(&s, GLFW_KEY_C, 0);
    view_key(&s, GLFW_KEY_O, 0);
    check_near(view_player_time(player), time, 1e-6);
    assert_true(sinew_action_is_active(player->mixers[1], player->layer.actions[1][player->layer.next]));
    let_pass(&s, 2.0f);
    check_near(position_of(&s, 0, 0).z, 4.0, 1e-3);
    check_near(position_of(&s, 1, 0).z, 4.0, 1e-3);
    check_near(position_of(&s, 1, 0).x - position_of(&s, 0, 0).x, s.scene->twin_offset, 1e-5);
    view_state_free(&s);
}

// Catches a ring that overflows, or forgets the newest.
static void long_ways_keep_their_end(void **unused) {
    (void)unused;
    static view_walk walk;
    view_walk_clear(&walk);
    sinew_root_delta step = sinew_root_delta_identity();
    step.translation.x = 0.05f;
    for (int i = 0; i < 3 * VIEW_WALK_POINTS; i++) view_walk_advance(&walk, step);
    assert_int_equal(walk.count, VIEW_WALK_POINTS);
    check_near(view_walk_point(&walk, 0).x, walk.at.x, 1e-6);
    const int oldest = VIEW_WALK_POINTS - 1;
    check_near(view_walk_point(&walk, 0).x - view_walk_point(&walk, oldest).x, 0.05 * oldest, 0.01);
}

// Catches a way that does not turn with the character: a square of 1 m, turning left at each corner.
static void the_way_turns_with_the_character(void **unused) {
    (void)unused;
    static const double corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    view_walk walk;
    view_walk_clear(&walk);
    const sinew_root_delta step = {.translation = {0, 0, 1}, .rotation = about_y(PI / 2), .yaw = (float)(PI / 2)};
    for (int i = 0; i < 4; i++) {
        view_walk_advance(&walk, step);
        check_vec3(walk.at, corners[i][0], 0.0, corners[i][1], 1e-6);
    }
    check_near(walk.length, 4.0, 1e-6);
    const sinew_affine place = view_walk_matrix(&walk);
    check_near(place.m[0][0], 1.0, 1e-6);
}

// Catches wishes that are dropped without a word where the file has not got what is asked for, or end the window.
static void what_is_not_there_is_said(void **unused) {
    (void)unused;
    sinew_error error;
    view_state s = make_state(NULL);
    view_settings *settings = &player_of(&s)->settings;
    settings->root = "Hips";
    assert_true(view_state_load(&s, SINEW_MODELS "/hero.glb", true, &error));
    view_state_accept(&s);
    assert_int_equal(player_of(&s)->root, node_of(&s, "Hips"));
    assert_false(view_state_load(&s, SINEW_MODELS "/windmill.glb", true, &error));
    check_contains(error.message, "windmill.glb");
    check_contains(error.message, "'Hips'");
    take_all_away(&s);
    view_state_drop(&s, SINEW_MODELS "/windmill.glb");
    assert_non_null(s.pending);
    check_contains(s.message, "'Hips'");
    view_state_accept(&s);
    assert_int_equal(player_of(&s)->root, SINEW_NO_NODE);
    view_state_free(&s);
}

// ---- The panel -----------------------------------------------------------------------------------------------

static bool overlap(view_rect a, view_rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

static bool inside(view_rect inner, view_rect outer) {
    return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
           inner.y + inner.height <= outer.y + outer.height;
}

// Catches a panel that lies over another one or out of the window, lines over each other, and clicks that miss.
static void the_panel_has_its_place(void **unused) {
    (void)unused;
    static const int sizes[][2] = {{640, 480}, {960, 600}, {1280, 800}, {3840, 2160}};
    for (int i = 0; i < 12; i++) {
        const view_layout_def def = {.width = sizes[i % 4][0],
                                     .height = sizes[i % 4][1],
                                     .scale = i % 4 == 3 ? 2.0f : 1.0f,
                                     .has_file = true,
                                     .clip_count = 30,
                                     .widest_name = 400,
                                     .mixing = true,
                                     .pad = (view_pad)(i / 4)};
        const view_layout l = view_layout_make(&def);
        assert_true(inside(l.mixing, (view_rect){0, 0, l.width, l.timeline.y}));
        assert_false(overlap(l.mixing, l.list));
        assert_int_equal(l.pad.height > 0, def.pad != VIEW_PAD_NONE);
        assert_true(inside(l.slider, l.mixing_rows[VIEW_MIXING_WEIGHT]));
        assert_true(def.pad == VIEW_PAD_NONE || inside(view_layout_pad(&l), l.pad));
        view_rect parts[VIEW_MIXING_ROWS + 2] = {l.curve, l.pad};
        for (int k = 0; k < VIEW_MIXING_ROWS; k++) parts[2 + k] = l.mixing_rows[k];
        for (int k = 0; k < VIEW_MIXING_ROWS + 2; k++) {
            assert_true(parts[k].height == 0 || inside(parts[k], l.mixing));
            for (int m = 0; m < k; m++) assert_false(overlap(parts[k], parts[m]));
        }
        for (int k = 0; k < VIEW_MIXING_ROWS; k++) {
            int row = -1;
            const view_rect r = l.mixing_rows[k];
            assert_int_equal(view_layout_at(&l, (float)r.x + 2.0f, (float)r.y + 2.0f, &row), VIEW_MIXING);
            assert_int_equal(row, k);
        }
    }
}

// Catches controls without a key in the help, keys that do not open the panel, and clicks that are no keys.
static void every_line_has_a_key(void **unused) {
    (void)unused;
    view_state s = make_state("hero.glb");
    for (int row = 0; row < VIEW_MIXING_ROWS; row++) {
        view_mixing_line line;
        view_mixing_describe(&s, (view_mixing_row)row, &line);
        const view_key_help *help = view_keys;
        while (help->keys && strcmp(help->keys, line.key) != 0) help++;
        if (!help->keys) fail_msg("the help has no '%s' of '%s'", line.key, line.label);
    }
    assert_false(s.toggles.mixing);
    const float shift = s.orbit.shift_x;
    view_key(&s, GLFW_KEY_K, 0);
    assert_true(s.toggles.mixing && s.orbit.shift_x < shift);
    point_at(&s, s.layout.mixing_rows[VIEW_MIXING_KIND], 0.2f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    assert_int_equal(player_of(&s)->settings.kinds[0], 2);
    point_at(&s, s.layout.slider, 0.25f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, 0);
    check_near(player_of(&s)->layer.weight, 0.25, 0.01);
    view_move(&s, 5000.0f, 5000.0f);
    check_near(player_of(&s)->layer.weight, 1.0, 0.0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    view_move(&s, (float)s.layout.rows.x + 20.0f, (float)s.layout.rows.y + 2.0f);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, true, GLFW_MOD_SHIFT); // lays the first one over
    assert_int_equal(player_of(&s)->layer.clip, 0);
    view_button(&s, GLFW_MOUSE_BUTTON_LEFT, false, 0);
    view_key(&s, GLFW_KEY_M, 0);
    assert_false(s.toggles.mixing);
    check_near(s.orbit.shift_x, shift, 1e-6);
    view_state_free(&s);
}

// ---- Memory --------------------------------------------------------------------------------------------------

// Catches frames that take memory, once what is asked for has been made.
static void frames_allocate_nothing(void **unused) {
    (void)unused;
#ifndef SINEW_WRAPPED_HEAP
    skip();
#endif
    view_state s = make_state("hero.glb");
    view_key(&s, GLFW_KEY_C, 0);
    view_key(&s, GLFW_KEY_O, 0);
    view_key(&s, GLFW_KEY_A, 0);
    view_key(&s, GLFW_KEY_5, GLFW_MOD_SHIFT);
    heap_calls = 0;
    for (int i = 0; i < 200; i++) {
        if (i % 20 == 0) view_key(&s, GLFW_KEY_1 + i / 20 % 5, 0);
        if (i % 20 == 5) view_key(&s, GLFW_KEY_K, 0);
        if (i % 20 == 9) view_key(&s, GLFW_KEY_P, 0);
        if (i % 20 == 12) view_key(&s, GLFW_KEY_E, 0);
        view_key(&s, GLFW_KEY_RIGHT, GLFW_MOD_CONTROL);
        view_key(&s, GLFW_KEY_J, 0);
        view_state_advance(&s, 1.0f / 60.0f);
    }
    assert_int_equal(heap_calls, 0);
    view_state_free(&s);
}

static bool lays(view_state *s) {
    return view_player_toggle_layer_clip(player_of(s), 4);
}

static bool compares(view_state *s) {
    return view_scene_set_comparing(s->scene, true);
}

static bool takes_root(view_state *s) {
    sinew_error error;
    return view_scene_set_root(s->scene, view_scene_root(s->scene), &error);
}

// Catches a want of memory that ends the window or leaves half of what was asked for.
static void a_want_of_memory_changes_nothing(void **unused) {
    (void)unused;
#ifndef SINEW_WRAPPED_HEAP
    skip();
#endif
    static bool (*const actions[])(view_state *) = {lays, compares, takes_root};
    for (size_t i = 0; i < 3; i++) {
        view_state s = make_state("hero.glb");
        player_of(&s)->layer.is_additive = true;
        int failed = 0;
        for (bool good = false; !good; failed += !good) {
            heap_calls = 0;
            heap_fails_at = failed + 1;
            good = actions[i](&s);
            heap_fails_at = 0;
            assert_true(good || player_of(&s)->layer.clip == -1);
            assert_true(good || s.scene->shown_count == 1);
            assert_true(good || !view_player_is_comparing(player_of(&s)));
            assert_true(good || player_of(&s)->root == SINEW_NO_NODE);
            assert_true(failed < 1000);
            let_pass(&s, 0.05f);
        }
        assert_true(failed > 0);
        view_state_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_what_is_played),
        cmocka_unit_test(kinds_are_what_they_say),
        cmocka_unit_test(transitions_are_waited_for),
        cmocka_unit_test(clips_keep_step_on_request),
        cmocka_unit_test(a_second_one_goes_another_way),
        cmocka_unit_test(a_clip_is_laid_over_the_upper_body),
        cmocka_unit_test(a_clip_is_added),
        cmocka_unit_test(masks_go_through_the_joints),
        cmocka_unit_test(the_space_is_steered),
        cmocka_unit_test(spaces_are_read),
        cmocka_unit_test(root_motion_moves_the_character),
        cmocka_unit_test(both_characters_go),
        cmocka_unit_test(long_ways_keep_their_end),
        cmocka_unit_test(the_way_turns_with_the_character),
        cmocka_unit_test(what_is_not_there_is_said),
        cmocka_unit_test(the_panel_has_its_place),
        cmocka_unit_test(every_line_has_a_key),
        cmocka_unit_test(frames_allocate_nothing),
        cmocka_unit_test(a_want_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
