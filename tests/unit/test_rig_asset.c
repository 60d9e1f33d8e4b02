// SPDX-License-Identifier: MIT
// Rigs from a graph and an asset: roles, an avatar's springs, and errors' positions in the file.
#include "support/rig_stage.h"

#include <sinew/humanoid/vrm.h>

#include "motion/rig_data.h"

static sinew_result create_rig(const sinew_graph *graph, const sinew_asset *asset, sinew_rig **rig,
                               sinew_error *error) {
    sinew_rig_def def = sinew_rig_default();
    def.graph = graph;
    def.asset = asset;
    return sinew_rig_create(&def, rig, error);
}

// Finds roles, and owns the binding.
static void test_graph_and_asset(void **state) {
    (void)state;
    sinew_graph *graph = read_step("{'aim':{'node':'role:head','goal':'place'}}");
    sinew_rig *rig;
    assert_int_equal(create_rig(graph, stage.hero, &rig, NULL), SINEW_OK);
    assert_ptr_equal(rig->binding->asset, stage.hero);
    assert_ptr_equal(rig->binding->graph, graph);
    assert_memory_equal(rig->binding->humanoid, &stage.roles, sizeof stage.roles);
    sinew_rig_destroy(rig);

    sinew_humanoid humanoid = stage.roles; // the program's roles replace those that are found
    humanoid.nodes[SINEW_HUMANOID_HEAD] = SINEW_NO_NODE;
    sinew_rig_def def = sinew_rig_default();
    def.graph = graph;
    def.asset = stage.hero;
    def.humanoid = &humanoid;
    sinew_error error = {0};
    assert_int_equal(sinew_rig_create(&def, &rig, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "line 1: step aim: no node has the role \"head\"");
    sinew_graph_destroy(graph);

    sinew_asset *eye = load_gltf(SINEW_MODELS "/eye.gltf", NULL); // not a humanoid
    graph = read_step("{'callback':{}}");
    assert_int_equal(create_rig(graph, eye, &rig, NULL), SINEW_OK);
    const sinew_humanoid empty = sinew_humanoid_empty();
    assert_memory_equal(rig->binding->humanoid, &empty, sizeof empty);
    sinew_rig_destroy(rig);
    sinew_graph_destroy(graph);
    sinew_asset_destroy(eye);
}

// ---- Optional roles of the spine -----------------------------------------------------------------------------

// The hero's roles without those from `first` to the upper chest.
static sinew_humanoid roles_below(int32_t first) {
    sinew_humanoid humanoid = stage.roles;
    for (int32_t role = first; role <= SINEW_HUMANOID_UPPER_CHEST; role++) humanoid.nodes[role] = SINEW_NO_NODE;
    return humanoid;
}

// A rig of one step for a hero that lacks the upper chest, and the chest too if that's the first that is missing.
static sinew_rig *make_rig_below(sinew_graph *graph, int32_t first) {
    const sinew_humanoid humanoid = roles_below(first);
    sinew_rig_def def = sinew_rig_default();
    def.graph = graph;
    def.asset = stage.hero;
    def.humanoid = &humanoid;
    sinew_rig *rig;
    sinew_error error = {0};
    if (sinew_rig_create(&def, &rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    return rig;
}

// How far a node's local matrix is from its rest.
static float turned(const sinew_character *character, int32_t node) {
    const int32_t parent = stage.hero->skeleton->parents[node];
    const sinew_affine local = sinew_affine_multiply(sinew_affine_inverse(sinew_character_node(character, parent)),
                                                     sinew_character_node(character, node));
    const sinew_affine rest = sinew_affine_from_transform(stage.hero->skeleton->rest[node]);
    float difference = 0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            difference = fmaxf(difference, fabsf(local.m[row][column] - rest.m[row][column]));
    }
    return difference;
}

static void test_aims_without_an_upper_chest(void **state) {
    (void)state;
    static const char *const names[3] = {"Spine", "Chest", "UpperChest"};
    for (int32_t first = SINEW_HUMANOID_CHEST; first <= SINEW_HUMANOID_UPPER_CHEST + 1; first++) {
        sinew_graph *graph = read_step("{'damping':0,'aim':{'node':'role:upperChest','goal':'place','limit':1}}");
        sinew_rig *rig = make_rig_below(graph, first);
        sinew_character_def def = sinew_character_default();
        def.rig = rig;
        sinew_character *character;
        assert_int_equal(sinew_character_create(&def, &character, NULL), SINEW_OK);
        sinew_animator_set_vector3(sinew_character_animator(character), PLACE, (sinew_vec3){2, 1, 2});
        for (int frame = 0; frame < 60; frame++) sinew_character_update(character, 1.0f / 60);
        for (int32_t i = 0; i < 3; i++) {
            const float difference = turned(character, sinew_skeleton_find(stage.hero->skeleton, names[i]));
            assert_true(SINEW_HUMANOID_SPINE + i == first - 1 ? difference > 0.1f : difference < 1e-4f);
        }
        sinew_character_destroy(character);
        sinew_rig_destroy(rig);
        sinew_graph_destroy(graph);
    }
}

// Later parts of a mask replace earlier ones on the node that both mean.
static void test_masks_without_an_upper_chest(void **state) {
    (void)state;
#define MASK_OF(parts)                                                                                             \
    "{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'Idle'}}},{'name':'Upper','mask':[" parts      \
    "],'states':{'B':{'clip':'Wave'}}}]}"
    static const struct {
        int32_t first;
        const char *role, *name;
    } cases[] = {{SINEW_HUMANOID_UPPER_CHEST, MASK_OF("{'node':'role:upperChest'}"), MASK_OF("{'node':'Chest'}")},
                 {SINEW_HUMANOID_CHEST, MASK_OF("{'node':'role:upperChest'}"), MASK_OF("{'node':'Spine'}")},
                 {SINEW_HUMANOID_CHEST, MASK_OF("{'node':'role:chest'}"), MASK_OF("{'node':'Spine'}")},
                 {SINEW_HUMANOID_UPPER_CHEST,
                  MASK_OF("{'node':'role:chest','factor':0.5},{'node':'role:upperChest'}"),
                  MASK_OF("{'node':'Chest'}")}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinew_graph *graphs[2] = {read_graph(cases[i].role), read_graph(cases[i].name)};
        sinew_rig *rigs[2];
        for (int k = 0; k < 2; k++) rigs[k] = make_rig_below(graphs[k], cases[i].first);
        assert_memory_equal(rigs[0]->binding->masks[1]->nodes, rigs[1]->binding->masks[1]->nodes,
                            (size_t)stage.hero->skeleton->node_count * sizeof(float));
        for (int k = 0; k < 2; k++) {
            sinew_rig_destroy(rigs[k]);
            sinew_graph_destroy(graphs[k]);
        }
    }
}

// A role that would repeat a node of its list is left out. What the file itself repeats stays an error.
static void test_lists_without_an_upper_chest(void **state) {
    (void)state;
    sinew_graph *graph = read_step(
        "{'orientationWarp':{'angle':'number','nodes':['role:hips','role:spine','role:chest','role:upperChest']}},"
        "{'body':{'effectors':[{'node':'role:spine','pin':true},{'node':'role:chest','goal':'place'},"
        "{'node':'role:upperChest','goal':'pose'},{'node':'role:leftHand','goal':'pose'}]}}");
    for (int32_t first = SINEW_HUMANOID_CHEST; first <= SINEW_HUMANOID_UPPER_CHEST + 1; first++) {
        sinew_rig *rig = make_rig_below(graph, first);
        const sinew_orientation_warp *warp = &rig->data->steps[0].orientation_warp;
        const sinewi_rig_step *body = &rig->data->steps[1];
        const int32_t count = first - SINEW_HUMANOID_SPINE;
        assert_int_equal(warp->spine_count, count);
        assert_int_equal(body->body.effector_count, count + 1);
        for (int32_t i = 0; i < count; i++) {
            const int32_t node = stage.roles.nodes[SINEW_HUMANOID_SPINE + i];
            assert_int_equal(warp->spine[i], node);
            assert_int_equal(body->effectors->effectors[i].node, node);
        }
        assert_true(body->effectors->effectors[0].pin);
        assert_int_equal(body->effectors->effectors[count].node, stage.roles.nodes[SINEW_HUMANOID_LEFT_HAND]);
        assert_int_equal(body->effectors->places[count].goal->parameter, POSE);
        sinew_rig_destroy(rig);
    }
    sinew_graph_destroy(graph);
    graph = read_step("{'orientationWarp':{'angle':'number','nodes':['role:hips','role:chest','Chest']}}");
    sinew_rig *rig;
    sinew_error error = {0};
    assert_int_equal(create_rig(graph, stage.hero, &rig, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "line 1: step orientationWarp: \"Chest\" isn't below \"Chest\", the node before it");
    sinew_graph_destroy(graph);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static const sinew_clip *find_walk(const char *name, void *user) {
    assert_string_equal(name, "Elsewhere");
    return sinew_asset_find_clip(user, "Walk");
}

// Clips of other files.
static void test_found_clips(void **state) {
    (void)state;
    sinew_graph *graph = read_graph("{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'Idle'},"
                                    "'B':{'clip':'Elsewhere'}}}]}");
    sinew_rig_def def = sinew_rig_default();
    def.graph = graph;
    def.asset = stage.hero;
    def.find_clip = find_walk;
    def.user = stage.hero;
    sinew_rig *rig;
    assert_int_equal(sinew_rig_create(&def, &rig, NULL), SINEW_OK);
    assert_ptr_equal(rig->binding->sources[1].clip, sinew_asset_find_clip(stage.hero, "Walk"));
    sinew_rig_destroy(rig);
    sinew_graph_destroy(graph);
}

// Whether a part of the avatar's pose leaves the clip's when the character moves.
static bool swings(const sinew_rig *rig, const sinew_asset *asset) {
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    sinew_character *character;
    assert_int_equal(sinew_character_create(&def, &character, NULL), SINEW_OK);
    const int32_t node = asset->vrm->springs[0].joints[0].node;
    sinew_affine before = {0}, after;
    sinew_transform world = sinew_character_world(character);
    for (int frame = 0; frame < 10; frame++) {
        sinew_character_update(character, 1.0f / 60);
        if (frame == 0) before = sinew_character_model(character)[node];
        world.translation.x += 0.1f;
        sinew_character_set_world(character, world);
    }
    after = sinew_character_model(character)[node];
    sinew_character_destroy(character);
    return memcmp(&before, &after, sizeof before) != 0;
}

static void test_springs_of_an_avatar(void **state) {
    (void)state;
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    sinew_asset *avatar = load_gltf(SINEW_MODELS "/sprite.vrm", &options);
    assert_true(avatar->vrm->spring_count > 0);
    static const char *const texts[2] = {"{'springs':{}}",
                                         "{'aim':{'node':'role:head','goal':'place'},'weight':0}"};
    for (int i = 0; i < 2; i++) {
        sinew_graph *graph = read_step(texts[i]);
        counting c = {.fail_once = true};
        sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
        while (fail_next(&c, result)) {
            sinew_rig_def def = sinew_rig_default();
            def.graph = graph;
            def.asset = avatar;
            def.allocator = counting_allocator(&c);
            sinew_rig *rig;
            sinew_error error = {0};
            result = sinew_rig_create(&def, &rig, &error);
            if (result != SINEW_OK) expect_message(&error, "out of memory");
            if (result == SINEW_OK) assert_int_equal(rig->memory, c.bytes);
            if (result == SINEW_OK && c.allocations < c.fail_at) assert_true(swings(rig, avatar) == (i == 0));
            sinew_rig_destroy(rig);
        }
        sinew_graph_destroy(graph);
    }
    sinew_asset_destroy(avatar);
}

// A graph from a file knows where its steps, states and curves are.
static void test_places_in_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"sinewGraph\":1,\"rig\":{\"steps\":[\n  {\"callback\":{}},\n  "
         "{\"springs\":{\"chains\":[{\"root\":\"Tial\"}]}}]}}",
         ":3:3: step springs: the skeleton has no node \"Tial\""},
        {"{\"sinewGraph\":1,\"rig\":{\"steps\":[{\"when\":\"curve('Grp') > 0\",\"callback\":{}}]}}",
         ":1:33: step callback: when: column 1: the skeleton has no curve \"Grp\""},
        {"{\"sinewGraph\":1,\"layers\":[{\"name\":\"Base\",\"states\":{\n\"A\":{\"clip\":\"Moonwalk\"}}}]}",
         ":2: Base/A: no clip is named \"Moonwalk\""},
        {"{\"sinewGraph\":1,\"rig\":{\"feet\":[{\"thigh\":\"A\",\"shin\":\"B\",\"foot\":\"C\"}],\"steps\":[{"
         "\"footPlacement\":{}}]}}",
         ": feet: the skeleton has no node \"A\""}};
    const char *path = "rig-places.graph.json";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(cases[i].text, file);
        assert_int_equal(fclose(file), 0);
        sinew_graph *graph;
        sinew_rig *rig;
        sinew_error error = {0};
        assert_int_equal(sinew_graph_load_file(path, NULL, &graph, &error), SINEW_OK);
        assert_string_equal(graph->path, path);
        assert_int_equal(create_rig(graph, stage.hero, &rig, &error), SINEW_ERROR_ARGUMENT);
        assert_memory_equal(error.message, path, strlen(path));
        if (strstr(error.message, cases[i].message) != error.message + strlen(path)) fail_msg("%s", error.message);
        sinew_graph_destroy(graph);
        remove(path);
    }
}

// ---- What springs of a file have -----------------------------------------------------------------------------

static void refuse(const char *step, const char *message) {
    sinew_graph *graph = read_step(step);
    const sinew_graph_binding_def def = dog_binding_def(graph);
    sinew_graph_binding *binding = bind_graph(&def);
    sinew_rig_def rig_def = sinew_rig_default();
    rig_def.binding = binding;
    sinew_rig *rig;
    sinew_error error = {0};
    assert_int_equal(sinew_rig_create(&rig_def, &rig, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, message);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

// Runs a graph for a second on a character that a rig is made for, and returns a node's last model matrix.
static sinew_affine run_second(const char *step, const sinew_clip *clip, float speed, const char *node) {
    sinew_graph *graph = read_step(step);
    sinew_graph_binding_def binding_def = clip ? hero_binding_def(graph) : dog_binding_def(graph);
    sinew_graph_binding *binding = bind_graph(&binding_def);
    sinew_rig *rig = make_rig(binding);
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    sinew_character *character;
    assert_int_equal(sinew_character_create(&def, &character, NULL), SINEW_OK);
    if (clip) sinew_mixer_play(sinew_character_mixer(character), sinew_clip_source(clip), NULL);
    sinew_transform world = sinew_character_world(character);
    for (int frame = 0; frame < 60; frame++) {
        world.translation.x += speed / 60;
        sinew_character_set_world(character, world);
        sinew_character_update(character, 1.0f / 60);
    }
    const sinew_affine at = sinew_character_model(character)[sinew_skeleton_find(binding->skeleton, node)];
    sinew_character_destroy(character);
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    return at;
}

// A limp tail falls onto a plane.
static void test_colliders(void **state) {
    (void)state;
#define TAIL(more)                                                                                                 \
    "{'springs':{'chains':[{'root':'Tail1','stiffness':0" more "}],'colliders':["                                  \
    "{'node':'Head','radius':0.01},{'shape':'plane','offset':[0,0.5,0]}]}}"
    assert_true(run_second(TAIL(""), NULL, 0, "Tail3").m[1][3] < 0.47f);
    assert_true(run_second(TAIL(",'colliders':[0]"), NULL, 0, "Tail3").m[1][3] < 0.47f);
    assert_true(run_second(TAIL(",'colliders':[1]"), NULL, 0, "Tail3").m[1][3] > 0.4999f);
    assert_true(run_second(TAIL(",'colliders':[0,1],'radius':0.05"), NULL, 0, "Tail3").m[1][3] > 0.5499f);
    refuse("{'springs':{'chains':[{'root':'Tail1'}],'colliders':[{'node':'Nose'}]}}",
           "line 1: step springs: the skeleton has no node \"Nose\"");
}

// Without gravity, a tail only swings because the dog runs. Relative to the body, it doesn't.
static void test_centers(void **state) {
    (void)state;
#define FLOATING(more) "{'springs':{'chains':[{'root':'Tail1','gravity':[0,0,0]" more "}]}}"
    assert_true(fabsf(run_second(FLOATING(""), NULL, 5, "Tail3").m[0][3]) > 0.02f);
    assert_true(fabsf(run_second(FLOATING(",'center':'Body'"), NULL, 5, "Tail3").m[0][3]) < 1e-6f);
    refuse("{'springs':{'chains':[{'root':'Tail1','center':'Nose'}]}}",
           "line 1: step springs: the skeleton has no node \"Nose\"");
    refuse("{'springs':{'chains':[{'root':'Tail1','center':'Tail2'}]}}",
           "line 1: step springs: springs: chain 0: a chain must not move its center");
}

// Run swings the scarf. A limit of 0 shows the pose that a chain returns to.
static void test_from_rest(void **state) {
    (void)state;
    static const char *const steps[2] = {
        "{'springs':{'chains':[{'root':'Scarf1','tail':[0,-0.1,0],'limit':0}]}}",
        "{'springs':{'chains':[{'root':'Scarf1','tail':[0,-0.1,0],'limit':0,'fromRest':true}]}}"};
    const sinew_clip *run = sinew_asset_find_clip(stage.hero, "Run");
    const int32_t scarf = sinew_skeleton_find(stage.hero->skeleton, "Scarf3");
    for (int i = 0; i < 2; i++) {
        const sinew_affine above = run_second(steps[i], run, 0, "Scarf2"),
                           at = run_second(steps[i], run, 0, "Scarf3");
        const sinew_affine local = sinew_affine_multiply(sinew_affine_inverse(above), at),
                           rest = sinew_affine_from_transform(stage.hero->skeleton->rest[scarf]);
        float difference = 0;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                difference = fmaxf(difference, fabsf(local.m[row][column] - rest.m[row][column]));
        }
        if (i == 0) assert_true(difference > 0.01f);
        if (i == 1) assert_true(difference < 1e-3f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_and_asset),
        cmocka_unit_test(test_aims_without_an_upper_chest),
        cmocka_unit_test(test_masks_without_an_upper_chest),
        cmocka_unit_test(test_lists_without_an_upper_chest),
        cmocka_unit_test(test_found_clips),
        cmocka_unit_test(test_springs_of_an_avatar),
        cmocka_unit_test(test_places_in_files),
        cmocka_unit_test(test_colliders),
        cmocka_unit_test(test_centers),
        cmocka_unit_test(test_from_rest),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
