// SPDX-License-Identifier: MIT
// Creating rigs: names that a skeleton lacks, nodes in the wrong place, feet, roles, and out of memory.
#include "support/rig_stage.h"

static void expect_no_rig(const sinew_graph_binding *binding, const char *message) {
    sinew_rig_def def = sinew_rig_default();
    def.binding = binding;
    sinew_rig *rig = (sinew_rig *)(uintptr_t)message;
    sinew_error error = {0};
    assert_int_equal(sinew_rig_create(&def, &rig, &error), SINEW_ERROR_ARGUMENT);
    assert_null(rig);
    expect_message(&error, message);
}

// Refuses a graph's rig for a skeleton.
static void refuse_rig(sinew_graph *graph, sinew_graph_binding_def def, const char *message) {
    sinew_graph_binding *binding = bind_graph(&def);
    expect_no_rig(binding, message);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

static void refuse_for_dog(const char *step, const char *message) {
    sinew_graph *graph = read_step(step);
    refuse_rig(graph, dog_binding_def(graph), message);
}

static void refuse_for_hero(const char *step, const char *message) {
    sinew_graph *graph = read_step(step);
    refuse_rig(graph, hero_binding_def(graph), message);
}

// ---- What a skeleton lacks -----------------------------------------------------------------------------------

static void test_missing_nodes(void **state) {
    (void)state;
    refuse_for_dog("{'limb':{'end':'FL4','goal':'place'}}",
                   "line 1: step limb: the skeleton has no node \"FL4\"; did you mean 'FL1'?");
    refuse_for_dog("{'name':'paw','limb':{'nodes':['FL1','Elephant','FL3'],'goal':'place'}}",
                   "line 1: step paw: the skeleton has no node \"Elephant\"");
    refuse_for_dog("{'limb':{'end':'FL3','goal':{'node':'Nose'}}}",
                   "line 1: step limb: the skeleton has no node \"Nose\"");
    refuse_for_dog("{'limb':{'end':'FL3','goal':'place','pole':{'node':'Heads'}}}",
                   "line 1: step limb: the skeleton has no node \"Heads\"; did you mean 'Head'?");
    refuse_for_dog("{'chain':{'root':'Tail','tip':'Tail3','goal':'place'}}",
                   "line 1: step chain: the skeleton has no node \"Tail\"; did you mean 'Tail1'?");
    refuse_for_dog("{'chain':{'root':'Tail1','tip':'Tip','goal':'place'}}",
                   "line 1: step chain: the skeleton has no node \"Tip\"");
    refuse_for_dog("{'body':{'root':'Hips','effectors':[{'node':'Head','pin':true}]}}",
                   "line 1: step body: the skeleton has no node \"Hips\"");
    refuse_for_dog("{'body':{'root':'Body','effectors':[{'node':'Hand','pin':true}]}}",
                   "line 1: step body: the skeleton has no node \"Hand\"");
    refuse_for_dog("{'body':{'root':'Body','effectors':[{'node':'Head','goal':{'node':'Bone'}}]}}",
                   "line 1: step body: the skeleton has no node \"Bone\"");
    refuse_for_dog("{'aim':{'node':'head','goal':'place'}}",
                   "line 1: step aim: the skeleton has no node \"head\"; did you mean 'Head'?");
    refuse_for_dog("{'aim':{'node':'Head','tip':'Nose','goal':'place'}}",
                   "line 1: step aim: the skeleton has no node \"Nose\"");
    refuse_for_dog("{'orientationWarp':{'angle':'number','nodes':['Body','Chest']}}",
                   "line 1: step orientationWarp: the skeleton has no node \"Chest\"");
    refuse_for_dog("{'springs':{'chains':[{'root':'Ears'}]}}",
                   "line 1: step springs: the skeleton has no node \"Ears\"; did you mean 'Ear'?");
    refuse_for_dog("{'springs':{'chains':[{'root':'Ear','tip':'Tip'}]}}",
                   "line 1: step springs: the skeleton has no node \"Tip\"");
    refuse_for_dog("{'aimOffset':{'direction':'pair','clips':['walk'],'mask':{'node':'Chest'}}}",
                   "line 1: step aimOffset: parts[0]: the skeleton has no node 'Chest'");
}

static void test_missing_roles(void **state) {
    (void)state;
    refuse_for_dog("{'aim':{'node':'role:head','goal':'place'}}",
                   "line 1: step aim: no node has the role \"head\"; set `humanoid` in the definition");
    refuse_for_dog("{'orientationWarp':{'angle':'number'}}",
                   "line 1: step orientationWarp: no hips are known; list them as the first of the step's nodes");
    refuse_for_dog("{'body':{'effectors':[{'node':'Head','goal':'place'}]}}",
                   "line 1: step body: no hips are known; name the body's root in the step");
    refuse_for_dog("{'footLock':{}}",
                   "feet: the graph lists no feet, and the binding has no humanoid whose legs could be used");
    refuse_for_hero("{'aim':{'node':'role:jaw','goal':'place'}}", "line 1: step aim: no node has the role \"jaw\"");
    refuse_for_hero("{'aim':{'node':'role:haed','goal':'place'}}",
                    "line 1: step aim: there is no role \"haed\"; did you mean \"head\"?");
    refuse_for_hero("{'aim':{'node':'role:','goal':'place'}}", "line 1: step aim: there is no role \"\"");
    refuse_for_hero("{'aimOffset':{'direction':'pair','clips':['Idle'],'mask':{'node':'role:jaw'}}}",
                    "line 1: step aimOffset: parts[0]: no node has the role \"jaw\"");
}

// The binding looks up curves.
static void test_missing_curves(void **state) {
    (void)state;
    static const char *const steps[2] = {"{'weightCurve':'Grips','callback':{}}",
                                         "{'when':'flag || curve(`Reach`) > 1','callback':{}}"};
    static const char *const messages[2] = {
        "line 1: step callback: weightCurve: the skeleton has no curve \"Grips\"; did you mean \"Grip\"?",
        "line 1: step callback: when: column 9: the skeleton has no curve \"Reach\""};
    for (int i = 0; i < 2; i++) {
        sinew_graph *graph = read_step(steps[i]);
        const sinew_graph_binding_def def = dog_binding_def(graph);
        sinew_graph_binding *binding;
        sinew_error error = {0};
        assert_int_equal(sinew_graph_bind(&def, &binding, &error), SINEW_ERROR_ARGUMENT);
        expect_message(&error, messages[i]);
        sinew_graph_destroy(graph);
    }
}

static void test_missing_clips(void **state) {
    (void)state;
#define WARP(settings) "{'rootWarp':{'goal':'pose'," settings "}}"
    refuse_for_dog(WARP("'clip':'run','end':1"), "line 1: step rootWarp: no clip is named \"run\"");
    refuse_for_hero(WARP("'clip':'Jmp','end':1"),
                    "line 1: step rootWarp: no clip is named \"Jmp\"; did you mean \"Jump\"?");
    refuse_for_dog(WARP("'clip':'added','end':1"), "line 1: step rootWarp: the clip \"added\" is additive");
    refuse_for_dog(WARP("'clip':'foreign','end':1"),
                   "line 1: step rootWarp: the clip \"foreign\" belongs to a different skeleton");
    refuse_for_dog(WARP("'clip':'walk','end':1.5"),
                   "line 1: step rootWarp: the window ends at 1.5 s, but the clip \"walk\" lasts 1 s");
    refuse_for_dog(WARP("'clip':'walk','window':'Vault'"),
                   "line 1: step rootWarp: the clip \"walk\" has no markers \"Vault\" and \"Vault.end\" after it");
    refuse_for_dog("{'aimOffset':{'direction':'pair','clips':['run']}}",
                   "line 1: step aimOffset: no clip is named \"run\"");
    refuse_for_dog("{'aimOffset':{'direction':'pair','clips':['added']}}",
                   "line 1: step aimOffset: the clip \"added\" is additive");
    refuse_for_dog("{'aimOffset':{'direction':'pair','clips':['walk'],'reference':'run'}}",
                   "line 1: step aimOffset: no clip is named \"run\"");
}

static void test_nodes_that_are_not_below_each_other(void **state) {
    (void)state;
    refuse_for_dog("{'limb':{'nodes':['FL3','FL2','FL1'],'goal':'place'}}",
                   "line 1: step limb: \"FL3\", \"FL2\" and \"FL1\" aren't one below the other");
    refuse_for_dog("{'limb':{'nodes':['FL1','FL2','FR3'],'goal':'place'}}",
                   "line 1: step limb: \"FL1\", \"FL2\" and \"FR3\" aren't one below the other");
    refuse_for_dog("{'limb':{'end':'Spine','goal':'place'}}",
                   "line 1: step limb: the end has fewer than two nodes above it");
    refuse_for_dog("{'chain':{'root':'Tail2','tip':'Tail1','goal':'place'}}",
                   "line 1: step chain: the tip \"Tail1\" isn't below the root \"Tail2\", or the chain has more "
                   "than 64 nodes");
    refuse_for_dog(
        "{'body':{'root':'Spine','effectors':[{'node':'FL3','goal':'place'},{'node':'HL3','pin':true}]}}",
        "line 1: step body: the effector \"HL3\" isn't below the root");
    refuse_for_dog("{'aim':{'node':'Head','tip':'Neck','goal':'place'}}",
                   "line 1: step aim: the tip \"Neck\" isn't below the node \"Head\"");
    refuse_for_dog("{'orientationWarp':{'angle':'number','nodes':['Body','Neck','Spine']}}",
                   "line 1: step orientationWarp: \"Spine\" isn't below \"Neck\", the node before it");
    refuse_for_dog("{'springs':{'chains':[{'root':'Tail2','tip':'Ear'}]}}",
                   "line 1: step springs: the tip \"Ear\" isn't below the root \"Tail2\"");
    refuse_for_dog("{'springs':{'chains':[{'root':'Tail1'},{'root':'Tail2'}]}}",
                   "line 1: step springs: springs: chain 1: node 13 (\"Tail3\") is in two chains");
}

// Solvers have room for 64 nodes.
static void test_long_chains(void **state) {
    (void)state;
    static const struct {
        const char *step, *message;
    } cases[] = {
        {"{'chain':{'root':'n0','tip':'n63','goal':'place'}}", NULL},
        {"{'chain':{'root':'n0','tip':'n64','goal':'place'}}",
         "line 1: step chain: the tip \"n64\" isn't below the root \"n0\", or the chain has more than 64 nodes"},
        {"{'body':{'root':'n0','effectors':[{'node':'n63','goal':'place'},{'node':'n9','pin':true}]}}", NULL},
        {"{'body':{'root':'n0','effectors':[{'node':'n64','goal':'place'}]}}",
         "line 1: step body: 65 nodes from the root to the effectors; there can be 64"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sinew_graph *graph = read_step(cases[i].step);
        sinew_graph_binding_def def = sinew_graph_binding_default();
        def.graph = graph;
        def.skeleton = stage.chain;
        sinew_graph_binding *binding = bind_graph(&def);
        if (cases[i].message) {
            expect_no_rig(binding, cases[i].message);
        } else {
            sinew_rig_destroy(make_rig(binding));
        }
        sinew_graph_binding_destroy(binding);
        sinew_graph_destroy(graph);
    }
}

static void test_springs_of_structs(void **state) {
    (void)state;
    sinew_rig_spring chain = {.root = "Tail1", .joint = sinew_spring_joint_default()};
    sinew_rig_step step = step_of(SINEW_RIG_SPRINGS, "tail");
    step.springs.chains = &chain;
    step.springs.chain_count = 1;
    chain.joint.stiffness = NAN;
    sinew_graph *graph;
    assert_int_equal(make_graph(&step, 1, NULL, 0, &graph, NULL), SINEW_OK);
    refuse_rig(graph, dog_binding_def(graph), "step tail: springs: chain 0: joint 0: stiffness must be 0 or more");
    chain.joint = (sinew_spring_joint){.stiffness = 1};
    assert_int_equal(make_graph(&step, 1, NULL, 0, &graph, NULL), SINEW_OK);
    refuse_rig(graph, dog_binding_def(graph),
               "step tail: springs: chain 0: joint 0: start from sinew_spring_joint_default()");
}

static void test_definitions(void **state) {
    (void)state;
    sinew_rig_def def = sinew_rig_default();
    sinew_rig *rig = (sinew_rig *)(uintptr_t)&def;
    sinew_error error = {0};
    assert_int_equal(sinew_rig_create(&def, &rig, &error), SINEW_ERROR_ARGUMENT);
    assert_null(rig);
    expect_message(&error, "rig: no graph");
    sinew_rig_destroy(NULL);
    sinew_graph *graph = read_step("{'callback':{}}");
    def.graph = graph;
    assert_int_equal(sinew_rig_create(&def, &rig, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "rig: no asset");
    sinew_graph_binding_def binding_def = dog_binding_def(graph);
    sinew_graph_binding *bound = bind_graph(&binding_def);
    def.binding = bound;
    assert_int_equal(sinew_rig_create(&def, &rig, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "rig: set either `graph` and `asset`, or `binding`");
    sinew_graph_binding_destroy(bound);
    sinew_humanoid humanoid = sinew_humanoid_empty();
    humanoid.nodes[SINEW_HUMANOID_HEAD] = DOG_NODES;
    binding_def.humanoid = &humanoid;
    sinew_graph_binding *binding = (sinew_graph_binding *)(uintptr_t)&def;
    assert_int_equal(sinew_graph_bind(&binding_def, &binding, &error), SINEW_ERROR_ARGUMENT);
    assert_null(binding);
    expect_message(&error, "graph binding: the role \"head\" has the node 20, which doesn't exist");
    sinew_graph_destroy(graph);
}

// ---- Feet ----------------------------------------------------------------------------------------------------

static void test_feet_by_names(void **state) {
    (void)state;
    sinew_graph *graph = read_graph(
        PARAMETERS_TEXT "'rig':{" DOG_FEET
                        "'steps':[{'strideWarp':{'scale':'number'}},{'footLock':{}},{'footPlacement':{}},"
                        "{'orientationWarp':{'angle':'number'}}]}}");
    sinew_graph_binding_def def = dog_binding_def(graph);
    sinew_graph_binding *binding = bind_graph(&def);
    sinew_rig *rig = make_rig(binding);
    assert_int_equal(rig->foot_count, 4);
    for (int i = 0; i < 4; i++) {
        char name[4];
        snprintf(name, sizeof name, "%s3", (const char *const[]){"FL", "FR", "HL", "HR"}[i]);
        assert_string_equal(stage.dog->names[rig->feet[i].node], name);
        assert_int_equal(rig->feet[i].leg.end, rig->feet[i].node);
        assert_int_equal(rig->feet[i].point_count, 1);
    }
    assert_non_null(rig->contacts);
    assert_int_equal(rig->contacts->clip_count, 0); // the binding lists no clips, and the graph plays none
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    def.clips = stage.clips[WALK];
    def.clip_count = 1;
    binding = bind_graph(&def);
    rig = make_rig(binding);
    assert_non_null(sinew_foot_contacts_find(rig->contacts, stage.clips[WALK])); // which the program may play
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

// Soles come from the mesh if there is one.
static void test_soles(void **state) {
    (void)state;
    sinew_graph *graph = read_step("{'footPlacement':{}}");
    for (int has_asset = 0; has_asset < 2; has_asset++) {
        sinew_graph_binding_def def = hero_binding_def(graph);
        def.skeleton = stage.hero->skeleton;
        if (!has_asset) def.asset = NULL;
        sinew_graph_binding *binding = bind_graph(&def);
        sinew_rig *rig = make_rig(binding);
        assert_int_equal(rig->foot_count, 2);
        assert_null(rig->contacts);
        for (int i = 0; i < 2; i++)
            assert_true(has_asset ? rig->feet[i].point_count > 2 : rig->feet[i].point_count == 2);
        sinew_rig_destroy(rig);
        sinew_graph_binding_destroy(binding);
    }
    sinew_graph_destroy(graph);
}

static void refuse_feet(const char *rig, const char *message) {
    char text[2048];
    snprintf(text, sizeof text, PARAMETERS_TEXT "'rig':{%s}}", rig);
    sinew_graph *graph = read_graph(text);
    refuse_rig(graph, dog_binding_def(graph), message);
}

static void test_wrong_legs(void **state) {
    (void)state;
#define LOCK "'steps':[{'footLock':{}}]"
    refuse_feet("'feet':[{'thigh':'FL1','shin':'FL2','foot':'Paw'}]," LOCK,
                "feet: the skeleton has no node \"Paw\"");
    refuse_feet("'feet':[{'thigh':'role:leftUpperLeg','shin':'FL2','foot':'FL3'}]," LOCK,
                "feet: no node has the role \"leftUpperLeg\"; set `humanoid` in the definition");
    refuse_feet("'feet':[{'thigh':'FL2','shin':'FL1','foot':'FL3'}]," LOCK,
                "feet: \"FL2\", \"FL1\" and \"FL3\" aren't one below the other");
    refuse_feet(
        "'feet':[{'thigh':'FL1','shin':'FL2','foot':'FL3'},{'thigh':'FL1','shin':'FL2','foot':'FL3'}]," LOCK,
        "feet: \"FL3\" is listed twice");
    refuse_feet(DOG_FEET "'steps':[{'footPlacement':{'pelvis':'Spine'}}]",
                "line 1: step footPlacement: the pelvis \"Spine\" isn't above the leg \"HL1\"");
    refuse_feet(DOG_FEET "'steps':[{'strideWarp':{'scale':'number','pelvis':'FL1'}}]",
                "line 1: step strideWarp: the pelvis \"FL1\" isn't above the leg \"FL1\"");
    refuse_feet(DOG_FEET "'steps':[{'strideWarp':{'scale':'number','direction':[0,2,0]}}]",
                "line 1: step strideWarp: the direction of travel must not be vertical");
}

// Markers are used in the clips that have them.
static void test_contacts_from_markers(void **state) {
    (void)state;
    sinew_graph *graph =
        read_graph("{'sinewGraph':1,'layers':[{'name':'L','states':{'A':{'clip':'walk'}}}],'rig':{'feet':["
                   "{'thigh':'FL1','shin':'FL2','foot':'FL3','down':'Down','up':'Up'}]," LOCK "}}");
    sinew_graph_binding_def def = dog_binding_def(graph);
    sinew_graph_binding *binding = bind_graph(&def);
    sinew_rig *rig = make_rig(binding);
    assert_int_equal(rig->contacts->clip_count, 1);
    const sinew_clip_contacts *walk = sinew_foot_contacts_find(rig->contacts, stage.clips[WALK]);
    assert_int_equal(walk->source, SINEW_FOOT_CONTACT_SOURCE_MARKERS);
    check_near(walk->contacts[0].start, 0.375, 0);
    check_near(walk->contacts[0].end, 0.875, 0);
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

// ---- Roles ---------------------------------------------------------------------------------------------------

#define MASK_TEXT(node)                                                                                            \
    "{'sinewGraph':1,'layers':[{'name':'Base','states':{'A':{'clip':'Idle'}}},{'name':'Upper','mask':[{'node':"    \
    "'" node "','factor':0.75,'feather':2}],'states':{'B':{'clip':'Wave'}}}]}"

// A mask by a role equals the one by the name of its node. The asset alone is enough for everything else.
static void test_roles_in_masks(void **state) {
    (void)state;
    sinew_graph *graphs[2] = {read_graph(MASK_TEXT("role:rightUpperArm")), read_graph(MASK_TEXT("UpperArm_R"))};
    sinew_pose *poses[2];
    for (int i = 0; i < 2; i++) {
        sinew_graph_binding_def def = hero_binding_def(graphs[i]);
        if (i == 1) def.humanoid = NULL;
        sinew_graph_binding *binding = bind_graph(&def);
        assert_true(binding->skeleton == stage.hero->skeleton && binding->asset == stage.hero);
        assert_non_null(binding->masks[1]);
        sinew_animator_def animator_def = sinew_animator_default();
        animator_def.binding = binding;
        sinew_animator *animator;
        assert_int_equal(sinew_animator_create(&animator_def, &animator, NULL), SINEW_OK);
        sinew_animator_update(animator, 0.4f);
        assert_int_equal(sinew_pose_create(stage.hero->skeleton, NULL, &poses[i]), SINEW_OK);
        sinew_pose_copy(poses[i], sinew_mixer_pose(sinew_animator_mixer(animator)));
        sinew_animator_destroy(animator);
        sinew_graph_binding_destroy(binding);
        sinew_graph_destroy(graphs[i]);
    }
    const size_t size = (size_t)stage.hero->skeleton->node_count * sizeof(float);
    assert_memory_equal(poses[0]->rx, poses[1]->rx, size);
    assert_memory_equal(poses[0]->rw, poses[1]->rw, size);
    sinew_pose_destroy(poses[0]);
    sinew_pose_destroy(poses[1]);
}

static void test_missing_roles_in_masks(void **state) {
    (void)state;
    sinew_graph *graph = read_graph(MASK_TEXT("role:rightUpperArm"));
    sinew_graph_binding_def def = hero_binding_def(graph);
    def.humanoid = NULL;
    sinew_graph_binding *binding;
    sinew_error error = {0};
    assert_int_equal(sinew_graph_bind(&def, &binding, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "line 1: layer Upper: parts[0]: no node has the role \"rightUpperArm\"; set "
                           "`humanoid` in the definition");
    sinew_graph_destroy(graph);
}

// Roles find nodes without names, or with duplicate names. A limb's nodes are those with its roles, without the twist
// between them.
static void test_roles_of_nodes_without_names(void **state) {
    (void)state;
    enum { UPPER = 1, TWIST, LOWER, HAND, COUNT };
    sinew_node_def nodes[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        nodes[i] = (sinew_node_def){
            .name = i < LOWER ? "Bone" : NULL, .parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation = (sinew_vec3){0, 0.25f, i == LOWER ? 0.1f : 0};
    }
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = COUNT;
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&skeleton_def, &skeleton, NULL), SINEW_OK);
    sinew_humanoid humanoid = sinew_humanoid_empty();
    humanoid.nodes[SINEW_HUMANOID_LEFT_UPPER_ARM] = UPPER;
    humanoid.nodes[SINEW_HUMANOID_LEFT_LOWER_ARM] = LOWER;
    humanoid.nodes[SINEW_HUMANOID_LEFT_HAND] = HAND;
    sinew_graph *graph = read_step("{'damping':0,'limb':{'end':'role:leftHand','goal':'place'}}");
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = skeleton;
    def.humanoid = &humanoid;
    sinew_graph_binding *binding = bind_graph(&def);
    sinew_rig *rig = make_rig(binding);
    sinew_character_def character_def = sinew_character_default();
    character_def.rig = rig;
    sinew_character *character;
    assert_int_equal(sinew_character_create(&character_def, &character, NULL), SINEW_OK);
    sinew_animator_set_vector3(sinew_character_animator(character), PLACE, (sinew_vec3){0.25f, 0.75f, 0.25f});
    sinew_character_update(character, 1.0f / 60);
    const sinew_affine hand = sinew_character_node(character, HAND), twist = sinew_character_node(character, TWIST);
    check_near(hand.m[0][3], 0.25, 1e-5);
    check_near(hand.m[1][3], 0.75, 1e-5);
    check_near(hand.m[2][3], 0.25, 1e-5);
    assert_true(twist.m[0][3] > 0.01f); // the upper arm has turned
    sinew_character_destroy(character);
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    sinew_skeleton_destroy(skeleton);
}

// ---- What a character needs ----------------------------------------------------------------------------------

static void test_root_warps_need_root_motion(void **state) {
    (void)state;
    sinew_graph *graph = read_graph("{'sinewGraph':1,'parameters':{'ledge':{'type':'transform'}},'rig':{'steps':["
                                    "{'rootWarp':{'clip':'Jump','start':0.25,'end':0.5,'goal':'ledge'}}]}}");
    const sinew_graph_binding_def def = hero_binding_def(graph);
    sinew_graph_binding *binding = bind_graph(&def);
    sinew_rig *rig = make_rig(binding);
    sinew_character_def character_def = sinew_character_default();
    character_def.rig = rig;
    sinew_character *character;
    sinew_error error;
    assert_int_equal(sinew_character_create(&character_def, &character, &error), SINEW_ERROR_ARGUMENT);
    expect_message(&error, "character: the rig has root warps, so the mixer's `root_motion` must be set");
    assert_null(character);
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

// ---- Memory --------------------------------------------------------------------------------------------------

// All of it is counted, and each failure is reported and leaves nothing behind.
static void fail_every_allocation(const char *text) {
    sinew_graph *graph = read_graph(text);
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    sinew_root_motion_def motion = sinew_root_motion_default();
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.root_motion = &motion;
    while (fail_next(&c, result)) {
        sinew_graph_binding_def def = hero_binding_def(graph);
        motion.skeleton = def.asset->skeleton;
        motion.node = 0;
        sinew_rig_def rig_def = sinew_rig_default();
        sinew_character_def character_def = sinew_character_default();
        def.allocator = rig_def.allocator = character_def.allocator = counting_allocator(&c);
        character_def.ground = find_floor;
        character_def.mixer = &mixer; // root warps need its root motion
        sinew_graph_binding *binding = NULL;
        sinew_rig *rig = NULL;
        sinew_character *character = NULL;
        sinew_error error = {0};
        result = sinew_graph_bind(&def, &binding, &error);
        rig_def.binding = binding;
        const size_t before = c.bytes;
        if (result == SINEW_OK) result = sinew_rig_create(&rig_def, &rig, &error);
        if (result == SINEW_OK) assert_int_equal(rig->memory, c.bytes - before);
        character_def.rig = rig;
        if (result == SINEW_OK) result = sinew_character_create(&character_def, &character, &error);
        if (result != SINEW_OK) expect_message(&error, "out of memory");
        if (result == SINEW_OK) assert_true(c.allocations < c.fail_at); // none has failed
        sinew_character_destroy(character);
        sinew_rig_destroy(rig);
        sinew_graph_binding_destroy(binding);
    }
    assert_true(c.fail_at > 8);
    sinew_graph_destroy(graph);
}

static void test_every_allocation_fails(void **state) {
    (void)state;
    fail_every_allocation(EVERY_KIND_TEXT("[0,0,0.3]", "[0,-0.1,0]"));
    fail_every_allocation("{'sinewGraph':1,'rig':{'steps':[{'springs':{'chains':[{'root':'Hair1'}]}}]}}");
}

// Two chains of hundreds of nodes, which don't share a block of memory.
static void test_every_allocation_of_long_springs_fails(void **state) {
    (void)state;
    static sinew_rig_spring chains[400];
    sinew_rig_step step = step_of(SINEW_RIG_SPRINGS, "springs");
    for (int i = 0; i < 400; i++)
        chains[i] = (sinew_rig_spring){.root = "n0", .joint = sinew_spring_joint_default()};
    step.springs.chains = chains;
    step.springs.chain_count = 400;
    sinew_graph *graph;
    assert_int_equal(make_graph(&step, 1, NULL, 0, &graph, NULL), SINEW_OK);
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = stage.chain;
    sinew_graph_binding *binding = bind_graph(&def);
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (result == SINEW_ERROR_OUT_OF_MEMORY) { // until the springs refuse the chains
        assert_int_equal(c.live, 0);
        c = (counting){.fail_at = c.fail_at + 1, .fail_once = true};
        sinew_rig_def rig_def = sinew_rig_default();
        rig_def.binding = binding;
        rig_def.allocator = counting_allocator(&c);
        sinew_rig *rig;
        sinew_error error = {0};
        result = sinew_rig_create(&rig_def, &rig, &error);
        assert_null(rig);
        expect_message(&error, result == SINEW_ERROR_OUT_OF_MEMORY
                                   ? "out of memory"
                                   : "step springs: springs: chain 1: node 69 (\"n69\") is in two chains");
    }
    assert_int_equal(c.live, 0);
    assert_true(c.fail_at > 10);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

// The same for steps from structs with feet by names.
static void test_every_allocation_of_a_graph_fails(void **state) {
    (void)state;
    const sinew_rig_step steps[2] = {sound_root_warp(), sound_aim_offset()};
    const sinew_rig_foot foot = {"FL1", "FL2", "FL3", NULL, "Down", "Up"};
    sinew_graph_parameter parameters[PARAMETERS];
    fill_parameters(parameters);
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_graph_def def = sinew_graph_default();
        def.parameters = parameters;
        def.parameter_count = PARAMETERS;
        def.steps = steps;
        def.step_count = 2;
        def.feet = &foot;
        def.foot_count = 1;
        def.allocator = counting_allocator(&c);
        sinew_graph *graph;
        result = sinew_graph_create(&def, &graph, NULL);
        if (result == SINEW_OK) assert_int_equal(graph->memory, c.bytes);
        sinew_graph_destroy(graph);
    }
    assert_true(c.fail_at > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_nodes),
        cmocka_unit_test(test_missing_roles),
        cmocka_unit_test(test_missing_curves),
        cmocka_unit_test(test_missing_clips),
        cmocka_unit_test(test_nodes_that_are_not_below_each_other),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_springs_of_structs),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_feet_by_names),
        cmocka_unit_test(test_soles),
        cmocka_unit_test(test_wrong_legs),
        cmocka_unit_test(test_contacts_from_markers),
        cmocka_unit_test(test_roles_in_masks),
        cmocka_unit_test(test_missing_roles_in_masks),
        cmocka_unit_test(test_roles_of_nodes_without_names),
        cmocka_unit_test(test_root_warps_need_root_motion),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_every_allocation_of_long_springs_fails),
        cmocka_unit_test(test_every_allocation_of_a_graph_fails),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
