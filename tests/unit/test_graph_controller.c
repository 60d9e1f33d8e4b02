// SPDX-License-Identifier: MIT
// One third-person controller, written twice: as a graph and with mixer calls. Both make the same calls, so their
// mixers have the same hash and pose in every frame.
#include "support/check.h"

#define DT (1.0f / 60.0f)

// What a player does in a frame.
typedef struct player_input {
    float speed;
    bool grounded, jump, attack, wave;
} player_input;

// ---- By a graph ----------------------------------------------------------------------------------------------

static const char controller_text[] =
    "{\"sinewGraph\":1,\"syncMarkers\":[\"Foot_L\",\"Foot_R\"],\"parameters\":{\"speed\":{\"type\":\"float\","
    "\"range\":[0,4]},\"grounded\":{\"type\":\"bool\",\"default\":true},\"jump\":{\"type\":\"trigger\"},"
    "\"attack\":{\"type\":\"trigger\"},\"wave\":{\"type\":\"trigger\"}},\"layers\":[{\"name\":\"Base\",\"states\":{"
    "\"Move\":{\"blend\":{\"x\":\"speed\",\"samples\":[{\"clip\":\"Idle\"},{\"clip\":\"Walk\",\"x\":1.15},"
    "{\"clip\":\"Run\",\"x\":3.1}]}},\"Jump\":{\"clip\":\"Jump\",\"loop\":\"once\"}},\"transitions\":["
    "{\"from\":\"Move\",\"to\":\"Jump\",\"when\":\"jump && grounded\",\"kind\":\"inertialize\",\"duration\":0.15},"
    "{\"from\":\"Jump\",\"to\":\"Move\",\"when\":\"finished && grounded\",\"duration\":0.25}]},"
    "{\"name\":\"Upper\",\"mask\":{\"node\":\"Spine\",\"feather\":2},\"states\":{\"Off\":{},\"Attack\":{"
    "\"clip\":\"Attack\",\"loop\":\"once\"},\"Wave\":{\"clip\":\"Wave\",\"loop\":\"once\"}},\"transitions\":["
    "{\"from\":[\"Off\",\"Wave\"],\"to\":\"Attack\",\"when\":\"attack\",\"duration\":0.1},"
    "{\"from\":\"Off\",\"to\":\"Wave\",\"when\":\"wave\",\"duration\":0.3},"
    "{\"from\":[\"Attack\",\"Wave\"],\"to\":\"Off\",\"when\":\"finished\",\"duration\":0.3}]}]}";

typedef struct graph_controller {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator;
    int32_t speed, grounded, jump, attack, wave;
} graph_controller;

static graph_controller make_graph_controller(const sinew_asset *asset) {
    graph_controller c;
    assert_int_equal(sinew_graph_load_memory(controller_text, sizeof controller_text - 1, NULL, &c.graph, NULL),
                     SINEW_OK);
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = c.graph;
    binding_def.skeleton = asset->skeleton;
    binding_def.clips = asset->clips;
    binding_def.clip_count = asset->clip_count;
    assert_int_equal(sinew_graph_bind(&binding_def, &c.binding, NULL), SINEW_OK);
    sinew_animator_def def = sinew_animator_default();
    def.binding = c.binding;
    assert_int_equal(sinew_animator_create(&def, &c.animator, NULL), SINEW_OK);
    c.speed = sinew_graph_find_parameter(c.graph, "speed");
    c.grounded = sinew_graph_find_parameter(c.graph, "grounded");
    c.jump = sinew_graph_find_parameter(c.graph, "jump");
    c.attack = sinew_graph_find_parameter(c.graph, "attack");
    c.wave = sinew_graph_find_parameter(c.graph, "wave");
    return c;
}

static void update_graph_controller(graph_controller *c, player_input input) {
    sinew_animator_set_float(c->animator, c->speed, input.speed);
    sinew_animator_set_bool(c->animator, c->grounded, input.grounded);
    if (input.jump) sinew_animator_fire(c->animator, c->jump);
    if (input.attack) sinew_animator_fire(c->animator, c->attack);
    if (input.wave) sinew_animator_fire(c->animator, c->wave);
    sinew_animator_update(c->animator, DT);
}

// ---- By the mixer --------------------------------------------------------------------------------------------

typedef enum base_state { BASE_MOVE, BASE_JUMP } base_state;
typedef enum upper_state { UPPER_OFF, UPPER_ATTACK, UPPER_WAVE } upper_state;

typedef struct mixer_controller {
    const sinew_asset *asset;
    sinew_blend_space *move;
    sinew_mask *mask;
    sinew_mixer *mixer;
    base_state base;
    upper_state upper;
    sinew_action base_action, upper_action;
} mixer_controller;

static const sinew_clip *clip_named(const mixer_controller *c, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(c->asset, name);
    assert_non_null(clip);
    return clip;
}

// The rest of the last step, after an action has finished in it.
static float rest_after(const mixer_controller *c, sinew_action action) {
    const sinew_events events = sinew_mixer_events(c->mixer);
    for (int32_t i = 0; i < events.count; i++)
        if (events.items[i].type == SINEW_EVENT_FINISHED && events.items[i].action.id == action.id)
            return DT - events.items[i].moment;
    return 0.0f;
}

static sinew_action start(mixer_controller *c, sinew_source source, int32_t layer, sinew_transition_kind kind,
                          float duration, float rest) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = kind;
    transition.duration = duration;
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.restart = true;
    if (source.clip) {
        def.loop = SINEW_LOOP_ONCE;
        def.loop_count = 1;
        if (rest > 0.0f) def.time = rest;
    }
    return sinew_mixer_transition_to(c->mixer, source, &transition, &def);
}

static mixer_controller make_mixer_controller(const sinew_asset *asset) {
    static const char *const feet[2] = {"Foot_L", "Foot_R"};
    static const sinew_mask_part spine = {.name = "Spine", .factor = 1.0f, .feather = 2};
    mixer_controller c = {.asset = asset};
    const sinew_blend_sample samples[3] = {{clip_named(&c, "Idle"), 0.0f, 0.0f, 1.0f},
                                           {clip_named(&c, "Walk"), 1.15f, 0.0f, 1.0f},
                                           {clip_named(&c, "Run"), 3.1f, 0.0f, 1.0f}};
    sinew_blend_space_def space = sinew_blend_space_default();
    space.skeleton = asset->skeleton;
    space.sample_count = 3;
    space.samples = samples;
    space.sync_names = feet;
    space.sync_name_count = 2;
    assert_int_equal(sinew_blend_space_create(&space, &c.move, NULL), SINEW_OK);
    assert_int_equal(sinew_mask_from_names(asset->skeleton, 0.0f, &spine, 1, NULL, &c.mask, NULL), SINEW_OK);
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.sync_names = feet;
    def.sync_name_count = 2;
    assert_int_equal(sinew_mixer_create(&def, &c.mixer, NULL), SINEW_OK);
    sinew_layer_set_mask(c.mixer, 1, c.mask);
    c.base_action = start(&c, sinew_blend_space_source(c.move, 0.0f, 0.0f), 0, SINEW_TRANSITION_FADE, 0.0f, 0.0f);
    return c;
}

// The next jump may follow immediately after one ends.
static void update_base(mixer_controller *c, player_input input) {
    bool lands = c->base == BASE_JUMP && sinew_action_is_finished(c->mixer, c->base_action) && input.grounded;
    const float rest = lands ? rest_after(c, c->base_action) : 0.0f;
    if ((c->base == BASE_MOVE || lands) && input.jump && input.grounded) {
        c->base = BASE_JUMP;
        c->base_action =
            start(c, sinew_clip_source(clip_named(c, "Jump")), 0, SINEW_TRANSITION_INERTIALIZE, 0.15f, rest);
    } else if (lands) {
        c->base = BASE_MOVE;
        c->base_action =
            start(c, sinew_blend_space_source(c->move, input.speed, 0.0f), 0, SINEW_TRANSITION_FADE, 0.25f, rest);
    }
}

static void let_go(mixer_controller *c) {
    sinew_action actions[16];
    int32_t count = sinew_mixer_actions(c->mixer, actions, 16);
    for (int32_t i = 0; i < count; i++) {
        if (sinew_action_get(c->mixer, actions[i]).layer == 1) sinew_action_fade_out(c->mixer, actions[i], 0.3f);
    }
}

static void update_upper(mixer_controller *c, player_input input) {
    bool is_over = c->upper != UPPER_OFF && sinew_action_is_finished(c->mixer, c->upper_action);
    const float rest =
        is_over && (c->upper == UPPER_ATTACK || !input.attack) ? rest_after(c, c->upper_action) : 0.0f;
    if ((c->upper != UPPER_ATTACK || is_over) && input.attack) {
        c->upper = UPPER_ATTACK;
        c->upper_action =
            start(c, sinew_clip_source(clip_named(c, "Attack")), 1, SINEW_TRANSITION_FADE, 0.1f, rest);
    } else if ((c->upper == UPPER_OFF || is_over) && input.wave) {
        c->upper = UPPER_WAVE;
        c->upper_action = start(c, sinew_clip_source(clip_named(c, "Wave")), 1, SINEW_TRANSITION_FADE, 0.3f, rest);
    } else if (is_over) {
        c->upper = UPPER_OFF;
        let_go(c);
    }
}

static void update_mixer_controller(mixer_controller *c, player_input input) {
    update_base(c, input);
    update_upper(c, input);
    if (c->base == BASE_MOVE) sinew_action_set_parameter(c->mixer, c->base_action, input.speed, 0.0f);
    sinew_mixer_update(c->mixer, DT);
}

// ---- Both ----------------------------------------------------------------------------------------------------

static player_input random_input(uint64_t *random, player_input last) {
    player_input input = {.speed = last.speed, .grounded = random_next(random) % 20 != 0};
    if (random_next(random) % 30 == 0) input.speed = random_float(random, 0.0f, 4.0f);
    input.jump = random_next(random) % 60 == 0;
    input.attack = random_next(random) % 80 == 0;
    input.wave = random_next(random) % 80 == 0;
    return input;
}

static void test_both_do_the_same(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    graph_controller by_graph = make_graph_controller(asset);
    mixer_controller by_mixer = make_mixer_controller(asset);
    uint64_t random = 11;
    player_input input = {.grounded = true};
    int jumps = 0, blows = 0;
    for (int frame = 0; frame < 10000; frame++) {
        input = random_input(&random, input);
        base_state base = by_mixer.base;
        upper_state upper = by_mixer.upper;
        update_graph_controller(&by_graph, input);
        update_mixer_controller(&by_mixer, input);
        jumps += by_mixer.base == BASE_JUMP && base != BASE_JUMP;
        blows += by_mixer.upper == UPPER_ATTACK && upper != UPPER_ATTACK;
        if (sinew_mixer_hash(sinew_animator_mixer(by_graph.animator)) != sinew_mixer_hash(by_mixer.mixer))
            fail_msg("they differ in frame %d", frame);
        assert_memory_equal(sinew_mixer_model_matrices(sinew_animator_mixer(by_graph.animator)),
                            sinew_mixer_model_matrices(by_mixer.mixer),
                            (size_t)asset->skeleton->node_count * sizeof(sinew_affine));
    }
    assert_true(jumps > 50 && blows > 50);
    sinew_mixer_destroy(by_mixer.mixer);
    sinew_blend_space_destroy(by_mixer.move);
    sinew_mask_destroy(by_mixer.mask);
    sinew_animator_destroy(by_graph.animator);
    sinew_graph_binding_destroy(by_graph.binding);
    sinew_graph_destroy(by_graph.graph);
    sinew_asset_destroy(asset);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_do_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
