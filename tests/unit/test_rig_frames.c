// SPDX-License-Identifier: MIT
// What all steps have in common: the up axis, weights, starting over, and rigs without layers.
// tests/unit/test_character.c checks each step.
#include "support/rig_stage.h"

// ---- The up axis ---------------------------------------------------------------------------------------------

// A point of +Y up, with +Z up.
static sinew_vec3 turned(sinew_vec3 v) {
    return (sinew_vec3){v.x, -v.z, v.y};
}

static sinew_quat turned_rotation(sinew_quat q) {
    return (sinew_quat){q.x, -q.z, q.y, q.w};
}

typedef struct rig_world {
    bool is_z;
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_rig *rig;
    sinew_root_motion_def root_motion;
    sinew_character *character;
} rig_world;

// A slope that rises to the character's left.
static bool find_slope(sinew_vec3 place, sinew_ground *ground, void *user) {
    const rig_world *w = (const rig_world *)user;
    *(w->is_z ? &place.z : &place.y) = 0.1f * place.x;
    const sinew_vec3 normal = {-0.0995037f, 0.995037f, 0};
    *ground = (sinew_ground){place, w->is_z ? turned(normal) : normal};
    return true;
}

static void make_world(rig_world *w, const char *text, bool is_z) {
    *w = (rig_world){.is_z = is_z, .graph = read_graph(text)};
    sinew_graph_binding_def def = hero_binding_def(w->graph);
    if (is_z) def.asset = stage.hero_z;
    if (is_z) def.humanoid = &stage.roles_z;
    w->binding = bind_graph(&def);
    w->rig = make_rig(w->binding);
    w->root_motion = sinew_root_motion_default();
    w->root_motion.skeleton = def.asset->skeleton;
    w->root_motion.node = sinew_skeleton_find(def.asset->skeleton, "Hero");
    w->root_motion.up = def.asset->up;
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.root_motion = &w->root_motion;
    sinew_character_def character = sinew_character_default();
    character.rig = w->rig;
    character.mixer = &mixer;
    character.ground = find_slope;
    character.user = w;
    sinew_error error = {0};
    if (sinew_character_create(&character, &w->character, &error) != SINEW_OK) fail_msg("%s", error.message);
}

static void free_world(rig_world *w) {
    sinew_character_destroy(w->character);
    sinew_rig_destroy(w->rig);
    sinew_graph_binding_destroy(w->binding);
    sinew_graph_destroy(w->graph);
}

static void drive(rig_world *w, int frame) {
    sinew_animator *animator = sinew_character_animator(w->character);
    const double t = frame / 60.0;
    const sinew_vec3 look = {(float)sin(t), (float)(1.5 + 2 * sin(2 * t)), 2}, rail = {0.3f, 1.2f, 0.4f},
                     ledge = {0.4f, 0, 1};
    const sinew_quat turn = about_x(0.5), facing = about_y(0.3);
    const bool z = w->is_z;
    sinew_animator_set_vector2(animator, 0, (float)fabs(sin(t)), 0);
    sinew_animator_set_float(animator, 1, (float)sin(t));
    sinew_animator_set_float(animator, 2, (float)(1 + 0.3 * sin(t)));
    sinew_animator_set_vector3(animator, 3, z ? turned(look) : look);
    sinew_animator_set_transform(animator, 4, z ? turned(rail) : rail, z ? turned_rotation(turn) : turn);
    sinew_animator_set_transform(animator, 5, z ? turned(ledge) : ledge, z ? turned_rotation(facing) : facing);
    sinew_character_update(w->character, 1.0f / 60);
}

// A +Z up character does the same as a +Y up one. Mistakes: an up vector, a direction of travel, a limit's axis or
// gravity that stays +Y's.
static void test_z_up(void **state) {
    (void)state;
    rig_world y, z;
    make_world(&y, EVERY_KIND_TEXT("[0,0,0.3]", "[0,-0.1,0]"), false);
    make_world(&z, EVERY_KIND_TEXT("[0,-0.3,0]", "[0,0,-0.1]"), true);
    double most = 0;
    for (int frame = 0; frame < 120; frame++) {
        drive(&y, frame);
        drive(&z, frame);
        for (int32_t i = 0; i < stage.hero->skeleton->node_count; i++) {
            const sinew_affine a = sinew_character_node(y.character, i), b = sinew_character_node(z.character, i);
            const sinew_vec3 expected = turned((sinew_vec3){a.m[0][3], a.m[1][3], a.m[2][3]});
            const double x = (double)b.m[0][3] - (double)expected.x, y_off = (double)b.m[1][3] - (double)expected.y;
            const double d = hypot(hypot(x, y_off), (double)b.m[2][3] - (double)expected.z);
            if (d > most) most = d;
            if (d > 2e-4) fail_msg("frame %d: %s is off by %g m", frame, stage.hero->skeleton->names[i], d);
        }
    }
    free_world(&y);
    free_world(&z);
    print_message("+Y and +Z differ by at most %.2g m\n", most);
}

// ---- Weights -------------------------------------------------------------------------------------------------

static int calls;
static float last_weight;

static void count_call(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                       sinew_affine *model, void *user) {
    (void)character, (void)step, (void)dt, (void)pose, (void)model, (void)user;
    calls++;
    last_weight = weight;
}

static sinew_character *make_character(const sinew_rig *rig) {
    sinew_root_motion_def motion = sinew_root_motion_default();
    sinew_mixer_def mixer = sinew_mixer_default();
    sinew_character_def def = sinew_character_default();
    motion.skeleton = rig->binding->skeleton;
    motion.node = 0;
    mixer.root_motion = &motion;
    def.rig = rig;
    if (rig->binding->graph->steps[0].kind == SINEW_RIG_ROOT_WARP) def.mixer = &mixer;
    def.step = count_call;
    def.ground = find_floor;
    sinew_character *character;
    sinew_error error = {0};
    if (sinew_character_create(&def, &character, &error) != SINEW_OK) fail_msg("%s", error.message);
    return character;
}

// A character of the dog with what it needs.
typedef struct dog {
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_rig *rig;
    sinew_character *character;
    sinew_animator *animator;
} dog;

static dog make_dog_character(const char *text) {
    dog d = {.graph = read_graph(text)};
    const sinew_graph_binding_def def = dog_binding_def(d.graph);
    d.binding = bind_graph(&def);
    d.rig = make_rig(d.binding);
    d.character = make_character(d.rig);
    d.animator = sinew_character_animator(d.character);
    return d;
}

static void free_dog(dog *d) {
    sinew_character_destroy(d->character);
    sinew_rig_destroy(d->rig);
    sinew_graph_binding_destroy(d->binding);
    sinew_graph_destroy(d->graph);
}

#define LAYER_TEXT                                                                                                 \
    "'layers':[{'name':'Base','states':{'Sit':{'tags':['calm']},'Walk':{'clip':'walk','loop':'once'}},'"           \
    "transitions':["                                                                                               \
    "{'from':'Sit','to':'Walk','when':'flag','duration':0}]}],"

static void test_what_weights_ask_for(void **state) {
    (void)state;
    dog d = make_dog_character(
        PARAMETERS_TEXT LAYER_TEXT
        "'rig':{'steps':["
        "{'name':'0','damping':0,'when':'flag','callback':{}},{'name':'1','damping':0,'when':'in_tag(`calm`)','"
        "callback':{}},"
        "{'name':'2','damping':0,'when':'in_state(`Base/Walk`)','callback':{}},"
        "{'name':'3','damping':0,'when':'curve(`Grip`) > 0.5','callback':{}},"
        "{'name':'4','damping':0,'weight':0.5,'weightParameter':'number','callback':{}},"
        "{'name':'5','damping':0,'weightCurve':'Grip','callback':{}},"
        "{'name':'6','damping':0,'weight':0.5,'when':'number > 1 || pair.y < 0','callback':{}}]}}");
    sinew_animator_set_float(d.animator, NUMBER, 0.25f);
    sinew_character_update(d.character, 0.25f);
    static const float at_rest[7] = {0, 1, 0, 0, 0.125f, 0, 0};
    for (int32_t i = 0; i < 7; i++) check_near(sinew_character_step_weight(d.character, i), at_rest[i], 0);
    sinew_animator_set_bool(d.animator, FLAG, true);
    sinew_animator_set_float(d.animator, NUMBER, 3);
    sinew_character_update(d.character, 0.75f);
    static const float walking[7] = {1, 0, 1, 1, 1, 0.75f, 0.5f};
    for (int32_t i = 0; i < 7; i++) check_near(sinew_character_step_weight(d.character, i), walking[i], 1e-6);
    sinew_animator_set_float(d.animator, NUMBER, -3);
    sinew_animator_set_vector2(d.animator, PAIR, 0, -1);
    sinew_character_update(d.character, 0);
    check_near(sinew_character_step_weight(d.character, 4), 0, 0);
    check_near(sinew_character_step_weight(d.character, 6), 0.5, 0);
    free_dog(&d);
}

// (1 + y) e^-y of a change is left after a time, and half of it after the damping.
static void test_damping(void **state) {
    (void)state;
    dog d = make_dog_character(PARAMETERS_TEXT "'rig':{'steps':[{'when':'flag','damping':0.25,'callback':{}}]}}");
    const double half = 1.678346990016661, dt = 1.0 / 64;
    calls = 0;
    for (int i = 0; i < 10; i++) sinew_character_update(d.character, (float)dt);
    assert_int_equal(calls, 0); // it's off
    sinew_animator_set_bool(d.animator, FLAG, true);
    for (int i = 1; i <= 32; i++) {
        sinew_character_update(d.character, (float)dt);
        const double y = half * i * dt / 0.25;
        check_near(sinew_character_step_weight(d.character, 0), 1 - (1 + y) * exp(-y), 2e-6);
        check_near(last_weight, sinew_character_step_weight(d.character, 0), 0);
        if (i == 16) check_near(last_weight, 0.5, 1e-6);
    }
    assert_int_equal(calls, 32);
    for (int i = 0; i < 400; i++) sinew_character_update(d.character, (float)dt);
    check_near(last_weight, 1, 0); // it gets there
    sinew_animator_set_bool(d.animator, FLAG, false);
    for (int i = 0; i < 400; i++) sinew_character_update(d.character, (float)dt);
    check_near(sinew_character_step_weight(d.character, 0), 0, 0);
    const int before = calls;
    sinew_character_update(d.character, (float)dt);
    assert_int_equal(calls, before);
    free_dog(&d);
}

// In the first update there's nothing to follow from.
static void test_the_first_update_is_not_damped(void **state) {
    (void)state;
    dog d = make_dog_character(PARAMETERS_TEXT "'rig':{'steps':[{'damping':10,'callback':{}}]}}");
    sinew_character_update(d.character, 0.01f);
    check_near(sinew_character_step_weight(d.character, 0), 1, 0);
    free_dog(&d);
}

// ---- A pose of the program's ---------------------------------------------------------------------------------

static const char limp[] = PARAMETERS_TEXT
    "'layers':[{'name':'Base','states':{'Walk':{'clip':'walk'},'Limp':{}},'transitions':["
    "{'from':'*','to':'Limp','when':'flag','duration':0},"
    "{'from':'Limp','to':'Walk','when':'!flag','kind':'deadBlend','duration':0.5}]}],'rig':{'steps':["
    "{'when':'!flag','damping':0.25,'aim':{'node':'Neck','goal':'place'}},"
    "{'name':'stays','damping':0.25,'callback':{}},"
    "{'name':'slow','damping':0.25,'when':'number < 1','callback':{}}]}}";

static sinew_mixer *mixer_of(const dog *d) {
    return sinew_character_mixer(d->character);
}

static dog make_looking_dog(sinew_pose **pose) {
    dog d = make_dog_character(limp);
    sinew_animator_set_vector3(d.animator, PLACE, (sinew_vec3){2, 1, 3});
    for (int i = 0; i < 60; i++) sinew_character_update(d.character, 1.0f / 64);
    assert_int_equal(sinew_pose_create(stage.dog, NULL, pose), SINEW_OK);
    sinew_pose_copy(*pose, sinew_mixer_pose(mixer_of(&d)));
    return d;
}

static void check_shows(const dog *d, const sinew_pose *pose) {
    sinew_affine model[DOG_NODES];
    sinew_pose_to_model(pose, model);
    for (int32_t i = 0; i < DOG_NODES; i++) {
        for (int k = 0; k < 12; k++)
            check_near(sinew_character_model(d->character)[i].m[k / 4][k % 4], model[i].m[k / 4][k % 4], 1e-5);
    }
}

// The first pose is the one that is shown, with all steps. With a call that smooths the change, there's none to smooth.
// Mistake: steps that fade out apply twice.
static void test_a_set_pose_is_shown_as_it_is(void **state) {
    (void)state;
    for (int smooths = 0; smooths < 2; smooths++) {
        sinew_pose *pose;
        dog d = make_looking_dog(&pose);
        sinew_animator_set_bool(d.animator, FLAG, true);
        for (int i = 0; i < 20; i++) {
            pose->ty[BODY] -= 0.001f * (float)i;
            sinew_mixer_set_pose(mixer_of(&d), pose);
            if (smooths && i == 0) sinew_mixer_inertialize(mixer_of(&d), SINEW_ALL_LAYERS, 0.3f);
            sinew_character_update(d.character, 1.0f / 64);
            check_shows(&d, pose);
            check_near(sinew_character_step_weight(d.character, 0), 0, 0);
            check_near(sinew_character_step_weight(d.character, 1), 1, 0);
        }
        sinew_animator_set_bool(d.animator, FLAG, false);
        for (int i = 1; i <= 16; i++) { // and back with damping
            sinew_character_update(d.character, 1.0f / 64);
            const double y = 1.678346990016661 * i / 64 / 0.25;
            check_near(sinew_character_step_weight(d.character, 0), 1 - (1 + y) * exp(-y), 2e-6);
        }
        sinew_pose_destroy(pose);
        free_dog(&d);
    }
}

// Steps fade out by their damping if clips play over the pose, or if the last one was set before the last update.
static void test_other_poses_keep_the_damping(void **state) {
    (void)state;
    const double y = 1.678346990016661 / 64 / 0.25;
    for (int holds = 0; holds < 2; holds++) {
        sinew_pose *pose;
        dog d = make_looking_dog(&pose);
        sinew_animator_set_bool(d.animator, FLAG, holds != 0);
        sinew_mixer_set_pose(mixer_of(&d), pose);
        if (holds) sinew_character_update(d.character, 1.0f / 64);
        sinew_animator_set_float(d.animator, NUMBER, 2);
        sinew_character_update(d.character, 1.0f / 64);
        check_near(sinew_character_step_weight(d.character, 2), (1 + y) * exp(-y), 2e-6);
        sinew_pose_destroy(pose);
        free_dog(&d);
    }
}

// A state that's saved or written after a pose was set leads to the same update.
static void test_a_set_pose_is_part_of_the_state(void **state) {
    (void)state;
    sinew_pose *pose;
    dog d = make_looking_dog(&pose), other = make_dog_character(limp);
    sinew_animator_set_bool(d.animator, FLAG, true);
    sinew_mixer_set_pose(mixer_of(&d), pose);
    void *saved = malloc(sinew_character_snapshot_size(d.character));
    const size_t size = sinew_character_save(d.character, saved),
                 written_size = sinew_character_write(d.character, NULL, NULL, 0);
    void *written = malloc(written_size);
    (void)sinew_character_write(d.character, NULL, written, written_size);
    sinew_character_update(d.character, 1.0f / 64);
    const uint64_t hash = sinew_character_hash(d.character);
    assert_true(sinew_character_restore(d.character, saved, size));
    sinew_character_update(d.character, 1.0f / 64);
    assert_true(sinew_character_hash(d.character) == hash);
    assert_int_equal(sinew_character_read(other.character, NULL, written, written_size, NULL, NULL), SINEW_OK);
    sinew_character_update(other.character, 1.0f / 64);
    assert_true(sinew_character_hash(other.character) == hash);
    check_near(sinew_character_step_weight(other.character, 0), 0, 0);
    free(saved);
    free(written);
    sinew_pose_destroy(pose);
    free_dog(&d);
    free_dog(&other);
}

// ---- Root warps ----------------------------------------------------------------------------------------------

static const char hopping[] = PARAMETERS_TEXT
    "'layers':[{'name':'Base','states':{'Walk':{'clip':'walk'}}}],'rig':{'steps':[{'when':'flag','damping':%s,"
    "'significance':2,'rootWarp':{'clip':'walk','end':1,'goal':'pose','addedSpeed':10}}]}}";

typedef struct hopper {
    dog d;
    sinew_root_motion_def root_motion;
} hopper;

// The clip stays in place, so only the warp moves the dog, to 1 m ahead.
static void make_hopper(hopper *h, const char *damping) {
    char text[2048];
    snprintf(text, sizeof text, hopping, damping);
    h->d = make_dog_character(text);
    sinew_character_destroy(h->d.character);
    h->root_motion = sinew_root_motion_default();
    h->root_motion.skeleton = stage.dog;
    h->root_motion.node = BODY;
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.root_motion = &h->root_motion;
    sinew_character_def def = sinew_character_default();
    def.rig = h->d.rig;
    def.mixer = &mixer;
    assert_int_equal(sinew_character_create(&def, &h->d.character, NULL), SINEW_OK);
    h->d.animator = sinew_character_animator(h->d.character);
    sinew_animator_set_transform(h->d.animator, POSE, (sinew_vec3){0, 0, 1}, (sinew_quat){0, 0, 0, 1});
    sinew_character_update(h->d.character, 0);
    sinew_animator_set_bool(h->d.animator, FLAG, true);
}

// How far an update moves it.
static double hop(hopper *h, float dt) {
    const double before = sinew_character_world(h->d.character).translation.z;
    sinew_character_update(h->d.character, dt);
    return sinew_character_world(h->d.character).translation.z - before;
}

// A root warp's weight is damped and depends on the significance like all others. Mistake: the weight of the graph alone.
static void test_the_weight_of_a_root_warp(void **state) {
    (void)state;
    hopper instant, damped;
    make_hopper(&instant, "0");
    make_hopper(&damped, "0.25");
    const double whole = hop(&instant, 0.125f), part = hop(&damped, 0.125f), y = 1.678346990016661 / 2;
    assert_true(whole > 0.01);
    check_near(sinew_character_step_weight(instant.d.character, 0), 1, 0);
    check_near(sinew_character_step_weight(damped.d.character, 0), 1 - (1 + y) * exp(-y), 2e-6);
    check_near(part / whole, sinew_character_step_weight(damped.d.character, 0), 1e-4);
    sinew_character_set_significance(instant.d.character, 1);
    check_near(hop(&instant, 0.125f), 0, 0);
    check_near(sinew_character_step_weight(instant.d.character, 0), 0, 0);
    free_dog(&instant.d);
    free_dog(&damped.d);
}

// ---- Starting over -------------------------------------------------------------------------------------------

static const char stateful[] = PARAMETERS_TEXT
    "'rig':{" DOG_FEET
    "'steps':[{'damping':0,'when':'flag','orientationWarp':{'angle':'number','nodes':['Body','Spine']}},"
    "{'damping':0,'when':'flag','strideWarp':{'scale':'number'}},{'damping':0,'when':'flag','footLock':{}},"
    "{'damping':0,'when':'flag','footPlacement':{}},{'damping':0,'when':'flag','aim':{'node':'Neck','goal':'place'}"
    "},"
    "{'damping':0,'when':'flag','springs':{'chains':[{'root':'Tail1'},{'root':'Ear','tail':[0,0.1,0]}]}}]}}";

static void move_about(dog *d, int frame) {
    sinew_transform world = sinew_character_world(d->character);
    world.translation.z += 0.02f;
    world.translation.x = 0.1f * (float)sin(frame * 0.2);
    sinew_character_set_world(d->character, world);
    sinew_animator_set_float(d->animator, NUMBER, 1.2f);
    sinew_animator_set_vector3(d->animator, PLACE, (sinew_vec3){1, 0.5f, 5});
    sinew_character_update(d->character, 1.0f / 60);
}

static void check_alike(const dog *a, const dog *b) {
    assert_memory_equal(sinew_character_model(a->character), sinew_character_model(b->character),
                        DOG_NODES * sizeof(sinew_affine));
}

// Steps that were off know nothing about before: the character continues like one that was just created there.
static void test_a_step_starts_over(void **state) {
    (void)state;
    dog old = make_dog_character(stateful);
    sinew_animator_set_bool(old.animator, FLAG, true);
    for (int i = 0; i < 30; i++) move_about(&old, i);
    sinew_animator_set_bool(old.animator, FLAG, false);
    move_about(&old, 30);
    dog fresh = make_dog_character(stateful);
    sinew_character_teleport(fresh.character, sinew_character_world(old.character));
    move_about(&fresh, 31); // off, so both know their velocity
    move_about(&old, 31);
    check_alike(&old, &fresh);
    sinew_animator_set_bool(old.animator, FLAG, true);
    sinew_animator_set_bool(fresh.animator, FLAG, true);
    for (int i = 32; i < 60; i++) {
        move_about(&old, i);
        move_about(&fresh, i);
        check_alike(&old, &fresh);
    }
    free_dog(&old);
    free_dog(&fresh);
}

static void test_a_teleport_starts_over(void **state) {
    (void)state;
    dog old = make_dog_character(stateful), fresh = make_dog_character(stateful);
    sinew_animator_set_bool(old.animator, FLAG, true);
    sinew_animator_set_bool(fresh.animator, FLAG, true);
    for (int i = 0; i < 30; i++) move_about(&old, i);
    const sinew_transform there = {{5, 0, -3}, about_y(1), {1, 1, 1}};
    sinew_character_teleport(old.character, there);
    sinew_character_teleport(fresh.character, there);
    for (int i = 0; i < 30; i++) {
        move_about(&old, i);
        move_about(&fresh, i);
        check_alike(&old, &fresh);
    }
    free_dog(&old);
    free_dog(&fresh);
}

// ---- Strides -------------------------------------------------------------------------------------------------

// Without a direction, steps get longer along +Z.
static void test_strides_are_forward(void **state) {
    (void)state;
    dog d = make_dog_character(PARAMETERS_TEXT
                               "'rig':{" DOG_FEET
                               "'steps':[{'damping':0,'strideWarp':{'scale':'number','pelvisTime':0}}]}}");
    const int32_t paw = sinew_skeleton_find(stage.dog, "FL3");
    sinew_animator_set_float(d.animator, NUMBER, 1);
    sinew_character_update(d.character, 0.1f);
    const sinew_affine before = sinew_character_node(d.character, paw);
    sinew_animator_set_float(d.animator, NUMBER, 1.25f);
    sinew_character_update(d.character, 0.1f);
    const sinew_affine after = sinew_character_node(d.character, paw);
    check_near(after.m[0][3], before.m[0][3], 1e-5);
    check_near(after.m[1][3], before.m[1][3], 1e-5);
    check_near(after.m[2][3], 1.25 * before.m[2][3], 1e-5);
    free_dog(&d);
}

// ---- Rigs alone ----------------------------------------------------------------------------------------------

// The program plays a clip in the mixer of a graph that has no layers.
static void test_a_rig_without_layers(void **state) {
    (void)state;
    sinew_graph *graph = read_step("{'damping':0,'aim':{'node':'Neck','goal':'place','settleTime':0}}");
    sinew_graph_binding_def def = dog_binding_def(graph);
    sinew_clip *clips[1] = {stage.clips[WALK]};
    def.clips = clips[0];
    def.clip_count = 1;
    sinew_graph_binding *binding = bind_graph(&def);
    sinew_rig *rig = make_rig(binding);
    sinew_character *character = make_character(rig);
    sinew_mixer *mixer = sinew_character_mixer(character);
    sinew_play_def play = sinew_play_default();
    sinew_mixer_play(mixer, sinew_clip_source(stage.clips[WALK]), &play);
    sinew_animator_set_vector3(sinew_character_animator(character), PLACE, (sinew_vec3){0, 0.8f, 5});
    sinew_character_update(character, 0.5f);
    check_near(sinew_character_node(character, BODY).m[1][3], 0.7, 1e-5); // the clip
    const sinew_affine neck = sinew_character_node(character, NECK);
    const double up = 0.8 - (double)neck.m[1][3], ahead = 5 - (double)neck.m[2][3];
    check_near(neck.m[1][2] / neck.m[2][2], up / ahead, 1e-4); // the step
    sinew_character_destroy(character);
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_z_up),
        cmocka_unit_test(test_what_weights_ask_for),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_the_first_update_is_not_damped),
        cmocka_unit_test(test_a_set_pose_is_shown_as_it_is),
        cmocka_unit_test(test_other_poses_keep_the_damping),
        cmocka_unit_test(test_a_set_pose_is_part_of_the_state),
        cmocka_unit_test(test_the_weight_of_a_root_warp),
        cmocka_unit_test(test_a_step_starts_over),
        cmocka_unit_test(test_a_teleport_starts_over),
        cmocka_unit_test(test_strides_are_forward),
        cmocka_unit_test(test_a_rig_without_layers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
