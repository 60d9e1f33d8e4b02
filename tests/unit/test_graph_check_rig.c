// SPDX-License-Identifier: MIT
// The checker on rigs: it finds each planted fault at its line, and nothing else. Sound rigs have no findings.
#include "support/check.h"

#include "graph/check.h"

#include <stdio.h>

static bool reported_rules[GRAPH_RULE_COUNT];
static sinew_asset *hero;

// Texts have ' for " of JSON, and ` for a quote in a condition.
static sinew_graph *graph_of(const char *text) {
    char json[8192];
    const size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i] == '`' ? '\'' : text[i];
    sinew_graph *graph;
    sinew_error error;
    if (sinew_graph_load_memory(json, length, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    return graph;
}

static void print_findings(const graph_report *report) {
    for (int32_t i = 0; i < report->count; i++) {
        const graph_finding *finding = &report->findings[i];
        print_error("%s: line %d: %s: %s %s\n", graph_rules[finding->rule].id, (int)finding->line,
                    finding->location, finding->message, finding->advice);
    }
}

typedef struct expected {
    graph_rule_id rule;
    const char *location, *message, *advice;
} expected;

static bool is_expected(const graph_finding *finding, const expected *e) {
    const bool is_sentence = finding->message[strlen(finding->message) - 1] == '.' && strlen(finding->advice) > 0;
    const bool is_here = strcmp(finding->location, e->location) == 0 && finding->line > 0;
    return finding->rule == e->rule && is_here && is_sentence && strstr(finding->message, e->message) &&
           (!e->advice || strstr(finding->advice, e->advice));
}

static sinew_graph_binding_def clips_of(const sinew_asset *asset) {
    static sinew_humanoid humanoid;
    sinew_graph_binding_def clips = sinew_graph_binding_default();
    assert_int_equal(sinew_humanoid_find(asset, NULL, &humanoid, NULL, NULL), SINEW_OK);
    clips.humanoid = &humanoid;
    clips.asset = asset;
    clips.skeleton = asset->skeleton;
    clips.clips = asset->clips;
    clips.clip_count = asset->clip_count;
    return clips;
}

static void expect_with(const sinew_graph *graph, const sinew_graph_binding_def *clips, const char *text,
                        const expected *all, int32_t count) {
    graph_report report;
    assert_true(graph_check(&report, graph, clips));
    bool good = report.count == count && report.approximate_layers == 0;
    for (int32_t i = 0; good && i < count; i++) {
        good = is_expected(&report.findings[i], &all[i]);
        reported_rules[all[i].rule] = true;
    }
    if (!good) {
        print_findings(&report);
        for (int32_t i = 0; i < count; i++)
            print_error("expected %s: %s: ...%s...\n", graph_rules[all[i].rule].id, all[i].location,
                        all[i].message);
        fail_msg("%s", text);
    }
    graph_report_end(&report);
}

// Checks a graph with an asset, or without one.
static void expect_all(const char *text, const sinew_asset *asset, const expected *all, int32_t count) {
    sinew_graph *graph = graph_of(text);
    const sinew_graph_binding_def clips = asset ? clips_of(asset) : sinew_graph_binding_default();
    expect_with(graph, asset ? &clips : NULL, text, all, count);
    sinew_graph_destroy(graph);
}

#define COUNT(all) ((int32_t)(sizeof(all) / sizeof *(all)))

// Checks a graph with the hero; EXPECT_ALSO_WITHOUT also without it, with the same findings.
#define EXPECT(text, ...)                                                                                          \
    do {                                                                                                           \
        const expected all[] = {__VA_ARGS__};                                                                      \
        expect_all(text, hero, all, COUNT(all));                                                                   \
    } while (0)
#define EXPECT_ALSO_WITHOUT(text, ...)                                                                             \
    do {                                                                                                           \
        EXPECT(text, __VA_ARGS__);                                                                                 \
        const expected all[] = {__VA_ARGS__};                                                                      \
        expect_all(text, NULL, all, COUNT(all));                                                                   \
    } while (0)

static void expect_nothing(const char *text) {
    expect_all(text, hero, NULL, 0);
    expect_all(text, NULL, NULL, 0);
}

// Graphs of one layer, Base, that walks, jumps and lands, with the steps given.
#define RIG(parameters, steps)                                                                                     \
    "{'sinewGraph':1,'parameters':{'jump':{'type':'trigger'},'in':{'type':'bool'}" parameters "},\n'layers':["     \
    "{'name':'Base','states':{'Idle':{'clip':'Idle'},'Jump':{'clip':'Jump','loop':'once','tags':['airborne']}},"   \
    "'transitions':[{'from':'Idle','to':'Jump','when':'jump && "                                                   \
    "in'},{'from':'Jump','to':'Idle','when':'finished'}]}]"                                                        \
    ",\n'rig':{'steps':[\n" steps "]}}"

#define HAND  ",'hand':{'type':'vector3','space':'model','default':[0.3,1.2,0.4]}"
#define RAIL  ",'rail':{'type':'vector3','space':'model','default':[0.2,1,0.4]}"
#define LOOK  ",'lookAt':{'type':'vector3','default':[0,1.5,2]}"
#define LEDGE ",'ledge':{'type':'transform'}"

#define AIM    "{'name':'look','aim':{'node':'role:head','goal':'lookAt','limit':1.2}}"
#define LIMB   "{'name':'hand','limb':{'end':'role:leftHand','goal':'hand'}}"
#define LOCK   "{'name':'planted','footLock':{}}"
#define PLACE  "{'name':'ground','footPlacement':{}}"
#define STRIDE "{'name':'stride','strideWarp':{'scale':'scale'}}"
#define SCALE  ",'scale':{'type':'float','default':1,'range':[0.6,1.4]}"
#define TURN   "{'name':'turn','orientationWarp':{'angle':'angle'}}"
#define ANGLE  ",'angle':{'type':'float','range':[-1.5,1.5]}"

// ---- Sound rigs ----------------------------------------------------------------------------------------------

static void expect_sound_file(const char *name) {
    char path[1024];
    sinew_graph *graph;
    sinew_error error;
    snprintf(path, sizeof path, "%s/%s", SINEW_GRAPHS, name);
    if (sinew_graph_load_file(path, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    const sinew_graph_binding_def clips = clips_of(hero);
    expect_with(graph, &clips, name, NULL, 0);
    expect_with(graph, NULL, name, NULL, 0);
    sinew_graph_destroy(graph);
}

static void test_a_rig_with_every_kind_of_step_is_sound(void **state) {
    (void)state;
    expect_sound_file("character.graph.json");
}

static void test_a_rig_for_walking_is_sound(void **state) {
    (void)state;
    expect_sound_file("hero_rig.graph.json");
}

static void test_rigs_of_other_models_are_sound(void **state) {
    (void)state;
    // A golem that only looks and reaches: a graph without layers.
    sinew_asset *golem = load_gltf(SINEW_MODELS "/golem.glb", NULL);
    expect_all(
        "{'sinewGraph':1,'parameters':{'in':{'type':'bool'},'at':{'type':'vector3'}},'rig':{'steps':["
        "{'name':'look','when':'in','aim':{'node':'role:head','goal':'at','limit':1}},"
        "{'name':'hand','when':'in','limb':{'end':'role:rightHand','goal':{'parameter':'at','offset':[0,0.1,0]}}},"
        "{'name':'other','limb':{'end':'role:leftHand','goal':{'node':'role:rightHand','offset':[0,0,0.1]}}}]}}",
        golem, NULL, 0);
    sinew_asset_destroy(golem);
    // An avatar with its own springs.
    sinew_asset *sprite = load_gltf(SINEW_MODELS "/sprite.vrm", NULL);
    expect_all("{'sinewGraph':1,'parameters':{'at':{'type':'vector3','default':[0,1,1]}},'rig':{'steps':["
               "{'name':'ground','footPlacement':{}},"
               "{'name':'chest','weight':0.3,'aim':{'node':'role:chest','goal':'at','limit':0.5}},"
               "{'name':'look','aim':{'node':'role:head','goal':'at','limit':1}},{'name':'hair','springs':{}}]}}",
               sprite, NULL, 0);
    sinew_asset_destroy(sprite);
}

static void test_common_rigs_are_sound(void **state) {
    (void)state;
    expect_nothing(RIG(LOOK HAND SCALE ANGLE, TURN "," STRIDE "," LOCK "," PLACE "," LIMB "," AIM));
    // A hand on a rail, and on something else in some of the cases.
    expect_nothing(
        RIG(HAND RAIL, LIMB ",{'name':'rail','when':'in','limb':{'end':'role:leftHand','goal':'rail'}}"));
    expect_nothing(RIG(HAND RAIL, "{'name':'rail','when':'!in','limb':{'end':'Hand_L','goal':'rail'}},"
                                  "{'name':'box','when':'in','limb':{'end':'Hand_L','goal':'hand'}}"));
    // Locked at most when the other step is off, so the order doesn't matter.
    expect_nothing(RIG(LOOK, "{'when':'in_tag(`airborne`)','aim':{'node':'role:head','goal':'lookAt','limit':1}},"
                             "{'when':'!in_tag(`airborne`)','footLock':{}}"));
}

// ---- Names ---------------------------------------------------------------------------------------------------

static void test_nodes_and_roles(void **state) {
    (void)state;
    EXPECT(RIG(LOOK, "{'name':'look','aim':{'node':'Haed','goal':'lookAt','limit':1}}"),
           {GRAPH_NODE_MISSING, "rig/look", "The step uses the node 'Haed'", "Did you mean 'Head'?"});
    EXPECT(RIG(LOOK, "{'name':'look','aim':{'node':'role:haed','goal':'lookAt','limit':1}}"),
           {GRAPH_NODE_MISSING, "rig/look", "the role 'haed', but it doesn't exist", "Did you mean 'head'?"});
    EXPECT(RIG(LOOK, "{'name':'look','aim':{'node':'role:jaw','goal':'lookAt','limit':1}}"),
           {GRAPH_NODE_MISSING, "rig/look", "the role 'jaw', but no node in the file has it", "sinew humanoid"});
    EXPECT(RIG("", "{'name':'hand','limb':{'end':'role:leftHand','goal':{'node':'Gripp_R'}}}"),
           {GRAPH_NODE_MISSING, "rig/hand", "The goal uses the node 'Gripp_R'", "Did you mean 'Grip_R'?"});
    EXPECT(RIG("", "{'name':'hair','springs':{'chains':[{'root':'Hair1','tip':'Hair9'}]}}"),
           {GRAPH_NODE_MISSING, "rig/hair", "A chain uses the node 'Hair9'", "Did you mean"});
    EXPECT("{'sinewGraph':1,'layers':[{'name':'Base','states':{'Idle':{'clip':'Idle'}}}],'rig':{'feet':[{'thigh':"
           "'UpperLeg_L','shin':'LowerLeg_L','foot':'Foot_K'}],'steps':[\n" LOCK "," PLACE "]}}",
           {GRAPH_NODE_MISSING, "rig/planted", "A foot uses the node 'Foot_K'", "Did you mean 'Foot_L'?"});
}

// Roles that the caller doesn't know can't be checked, but their names can.
static void test_unknown_roles(void **state) {
    (void)state;
    const char *texts[2] = {RIG(LOOK, AIM),
                            RIG(LOOK, "{'name':'look','aim':{'node':'role:haed','goal':'lookAt','limit':1}}")};
    const expected all[] = {
        {GRAPH_NODE_MISSING, "rig/look", "the role 'haed', but it doesn't exist", "Did you mean 'head'?"}};
    for (int i = 0; i < 2; i++) {
        sinew_graph *graph = graph_of(texts[i]);
        sinew_graph_binding_def clips = clips_of(hero);
        clips.humanoid = NULL;
        expect_with(graph, &clips, texts[i], all, i);
        sinew_graph_destroy(graph);
    }
}

// A chest and upper chest that the file lacks are its spine. The neck isn't.
static void test_missing_chest(void **state) {
    (void)state;
    const char *text = RIG(LOOK, "{'name':'lean','weight':0.3,'aim':{'node':'role:upperChest','goal':'lookAt',"
                                 "'limit':1}},{'name':'nod','aim':{'node':'role:neck','goal':'lookAt','limit':1}}");
    const expected all[] = {
        {GRAPH_NODE_MISSING, "rig/nod", "the role 'neck', but no node in the file has it", NULL}};
    sinew_graph *graph = graph_of(text);
    sinew_graph_binding_def clips = clips_of(hero);
    sinew_humanoid humanoid = *clips.humanoid;
    for (int32_t role = SINEW_HUMANOID_CHEST; role <= SINEW_HUMANOID_NECK; role++)
        humanoid.nodes[role] = SINEW_NO_NODE;
    clips.humanoid = &humanoid;
    expect_with(graph, &clips, text, all, 1);
    sinew_graph_destroy(graph);
}

static void test_masks_with_roles(void **state) {
    (void)state;
#define MASKED(node)                                                                                               \
    "{'sinewGraph':1,'layers':[{'name':'Base','states':{'Idle':{'clip':'Idle'}}},\n{'name':'Wave','mask':{'node':" \
    "'" node "'},'states':{'Wave':{'clip':'Wave'}}}]}"
    expect_nothing(MASKED("role:rightUpperArm"));
    EXPECT(MASKED("role:rightUperArm"),
           {GRAPH_NODE_MISSING, "Wave", "The mask uses the role 'rightUperArm'", "Did you mean 'rightUpperArm'?"});
}

static void test_clips_and_curves(void **state) {
    (void)state;
    EXPECT(RIG(LEDGE, "{'name':'climb','rootWarp':{'clip':'Jumpp','start':0.1,'end':0.5,'goal':'ledge'}}"),
           {GRAPH_CLIP_MISSING, "rig/climb", "'Jumpp'", "Did you mean 'Jump'?"},
           {GRAPH_WARP_UNPLAYED, "rig/climb", "No state of the base plays 'Jumpp'", NULL});
    EXPECT(
        RIG(LOOK, "{'name':'look','when':'curve(`Grip`) > 0.5','aim':{'node':'Head','goal':'lookAt','limit':1}}"),
        {GRAPH_CURVE_MISSING, "rig/look", "Column 1: the file doesn't have a curve named 'Grip'", NULL});
    EXPECT(RIG("", "{'name':'recoil','weightCurve':'Grip','callback':{}}"),
           {GRAPH_CURVE_MISSING, "rig/recoil", "'Grip', which weightCurve uses", NULL});
}

// ---- Refused steps -------------------------------------------------------------------------------------------

static void test_refused_steps(void **state) {
    (void)state;
    EXPECT(RIG(HAND, "{'name':'hand','limb':{'end':'Armature','goal':'hand'}}"),
           {GRAPH_STEP_REFUSED, "rig/hand", "can't be created: the end has fewer than two nodes above it.",
            "Name an end with two nodes above it"});
    EXPECT(RIG(LEDGE, "{'name':'climb','rootWarp':{'clip':'Jump','window':'Climb','goal':'ledge'}}"),
           {GRAPH_STEP_REFUSED, "rig/climb", "the clip \"Jump\" has no markers \"Climb\"", "Add the markers"});
    EXPECT(RIG(LEDGE, "{'name':'climb','rootWarp':{'clip':'Jump','start':1,'end':99,'goal':'ledge'}}"),
           {GRAPH_STEP_REFUSED, "rig/climb", "the window ends at 99 s", "End the window before"});
    EXPECT(
        RIG(HAND, "{'name':'neck','chain':{'root':'Head','tip':'Neck','goal':'hand'}},\n"
                  "{'name':'tail','springs':{'chains':[{'root':'Hair3','tip':'Hair1'}]}}"),
        {GRAPH_STEP_REFUSED, "rig/neck", "the tip \"Neck\" isn't below the root \"Head\"", "Name a tip below"},
        {GRAPH_STEP_REFUSED, "rig/tail", "the tip \"Hair1\" isn't below the root \"Hair3\"", "Name a tip below"});
}

// Each of several steps is refused for the same feet, once.
static void test_refused_feet(void **state) {
    (void)state;
    EXPECT("{'sinewGraph':1,'layers':[{'name':'Base','states':{'Idle':{'clip':'Idle'}}}],'rig':{'feet':[{'thigh':"
           "'UpperLeg_L','shin':'LowerLeg_R','foot':'Foot_L'}],'steps':[\n" LOCK "," PLACE "]}}",
           {GRAPH_STEP_REFUSED, "rig/planted", "aren't one below the other", "Fix the feet"});
}

// ---- Weights -------------------------------------------------------------------------------------------------

static void test_steps_that_are_always_off(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(
        RIG(LOOK, "{'name':'look','weight':0,'aim':{'node':'role:head','goal':'lookAt','limit':1}}"),
        {GRAPH_STEP_NEVER, "rig/look", "The weight is 0.", "remove the step"});
    EXPECT_ALSO_WITHOUT(
        RIG(",'w':{'type':'float','range':[-1,0]}", "{'name':'recoil','weightParameter':'w','callback':{}}"),
        {GRAPH_STEP_NEVER, "rig/recoil", "The range of 'w', which multiplies the weight, ends at 0.", "above 0"});
    EXPECT_ALSO_WITHOUT(RIG("", "{'name':'recoil','when':'in && !in','callback':{}}"),
                        {GRAPH_STEP_NEVER, "rig/recoil", "false for all values", "Check it"});
    EXPECT_ALSO_WITHOUT(
        RIG(",'v':{'type':'float','range':[0,3]}", "{'name':'recoil','when':'v > 3','callback':{}}"),
        {GRAPH_STEP_NEVER, "rig/recoil", "false for all values", NULL});
    EXPECT_ALSO_WITHOUT(
        RIG("", "{'name':'recoil','when':'in_state(`Base/Idle`) && in_tag(`airborne`)','callback':{}}"),
        {GRAPH_STEP_NEVER, "rig/recoil", "false for all values", NULL});
    EXPECT_ALSO_WITHOUT(RIG("", "{'name':'recoil','when':'in || !in','callback':{}}"),
                        {GRAPH_CONDITION_ALWAYS_TRUE, "rig/recoil", "true for all values", "Remove \"when\""});
}

// A skeleton with a curve, and a clip that doesn't have it.
static void test_a_curve_that_no_clip_has(void **state) {
    (void)state;
    const sinew_node_def node = {.name = "Root", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
    const char *const curves[] = {"Grip"};
    const float rest[2] = {0, 1};
    for (int i = 0; i < 2; i++) {
        sinew_skeleton_def def = sinew_skeleton_default();
        def.node_count = 1;
        def.nodes = &node;
        def.curve_count = 1;
        def.curve_names = curves;
        def.rest_curves = &rest[i];
        sinew_skeleton *skeleton;
        assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
        sinew_clip *clip = make_slide(skeleton, "Idle", 0, 1, 1);
        const char text[] =
            "{'sinewGraph':1,'layers':[{'name':'Base','states':{'Idle':{'clip':'Idle'}}}],\n'rig':{'steps':["
            "{'name':'recoil','weightCurve':'Grip','callback':{}}]}}";
        const expected all[] = {
            {GRAPH_STEP_NEVER, "rig/recoil", "No clip in the graph has the curve 'Grip'", "Add the curve"}};
        sinew_graph *graph = graph_of(text);
        sinew_graph_binding_def clips = sinew_graph_binding_default();
        clips.skeleton = skeleton;
        clips.clips = clip;
        clips.clip_count = 1;
        expect_with(graph, &clips, text, all, i == 0 ? 1 : 0);
        sinew_graph_destroy(graph);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

// ---- Two steps -----------------------------------------------------------------------------------------------

static void test_steps_that_fight(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(RIG(HAND RAIL, LIMB ",\n{'name':'rail','limb':{'end':'role:leftHand','goal':'rail'}}"),
                        {GRAPH_STEPS_FIGHT, "rig/rail", "The step 'hand', line 4, does the same to this node.",
                         "exclude each other"});
    // The conditions can be true together, and neither is a special case of the other.
    EXPECT_ALSO_WITHOUT(
        RIG(HAND RAIL ",'v':{'type':'float'}", "{'name':'a','when':'in','limb':{'end':'Hand_L','goal':'rail'}},\n"
                                               "{'name':'b','when':'v > 1','limb':{'end':'Hand_L','goal':'hand'}}"),
        {GRAPH_STEPS_FIGHT, "rig/b", "Both can be on at once, and then this one replaces it.", NULL});
    // By a role and by a name: only the character tells.
    EXPECT(RIG(HAND RAIL, LIMB ",\n{'name':'rail','limb':{'end':'Hand_L','goal':'rail'}}"),
           {GRAPH_STEPS_FIGHT, "rig/rail", "'hand', line 4,", NULL});
    EXPECT_ALSO_WITHOUT(RIG(SCALE, STRIDE ",\n{'name':'more','strideWarp':{'scale':'scale'}}"),
                        {GRAPH_STEPS_FIGHT, "rig/more", "it applies twice", NULL});
    EXPECT_ALSO_WITHOUT(RIG(LEDGE, "{'name':'a','rootWarp':{'clip':'Jump','start':0.1,'end':0.5,'goal':'ledge'}},\n"
                                   "{'name':'b','rootWarp':{'clip':'Jump','start':0.4,'end':0.6,'goal':'ledge'}}"),
                        {GRAPH_STEPS_FIGHT, "rig/b", "'a', line 4,", NULL});
    expect_nothing(RIG(LEDGE, "{'name':'a','rootWarp':{'clip':'Jump','start':0.1,'end':0.5,'goal':'ledge'}},\n"
                              "{'name':'b','rootWarp':{'clip':'Jump','start':0.5,'end':0.6,'goal':'ledge'}}"));
}

static void test_the_order_of_steps(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(RIG("", PLACE ",\n" LOCK),
                        {GRAPH_STEP_ORDER, "rig/ground", "The step 'planted', line 5, runs later and moves",
                         "Move this step after it."});
    EXPECT_ALSO_WITHOUT(RIG(SCALE, LOCK ",\n" STRIDE),
                        {GRAPH_STEP_ORDER, "rig/planted", "The step 'stride', line 5,", NULL});
    // Only the last of several is named.
    EXPECT_ALSO_WITHOUT(RIG(LOOK ANGLE, AIM ",\n" TURN ",\n" LOCK ",\n" PLACE),
                        {GRAPH_STEP_ORDER, "rig/look", "The step 'ground', line 7,", NULL});
    EXPECT(RIG(HAND LOOK, LIMB ",\n{'name':'lean','aim':{'node':'role:chest','goal':'lookAt','limit':0.5}}"),
           {GRAPH_STEP_ORDER, "rig/hand",
            "'lean', line 5, runs later and moves 'Hand_L', which this one has placed.", NULL});
    EXPECT(RIG(HAND, "{'name':'left','limb':{'end':'role:leftHand','goal':{'node':'Grip_R'}}},\n"
                     "{'name':'right','limb':{'end':'role:rightHand','goal':'hand'}}"),
           {GRAPH_STEP_ORDER, "rig/left",
            "'right', line 5, runs later and moves 'Grip_R', which this one reaches for.", NULL});
#define CROUCH(more)                                                                                               \
    LOCK ",\n{'name':'crouch','body':{'effectors':[{'node':'role:rightHand','goal':'hand'}" more "]}}"
    EXPECT(RIG(HAND, CROUCH("")), {GRAPH_STEP_ORDER, "rig/planted",
                                   "'crouch', line 5, runs later and moves 'Foot_L'", "Pin the feet in it"});
    expect_nothing(RIG(HAND, CROUCH(",{'node':'Foot_L','pin':true},{'node':'Foot_R','pin':true}")));
}

static void test_springs_on_nodes_that_other_steps_move(void **state) {
    (void)state;
    EXPECT(
        RIG(LOOK, AIM ",\n{'name':'hair','springs':{'chains':[{'root':'Head','tip':'Hair3'}]}}"),
        {GRAPH_SPRINGS_OVERLAP, "rig/hair", "The step 'look', line 4, also moves 'Head'", "Start the chain below"});
    EXPECT(RIG("", "{'name':'hair','springs':{'chains':[{'root':'Hair1'}]}},\n"
                   "{'name':'tip','springs':{'chains':[{'root':'Hair2'}]}}"),
           {GRAPH_SPRINGS_OVERLAP, "rig/tip", "The step 'hair', line 4, also moves 'Hair2'", NULL});
    expect_nothing(RIG(LOOK, AIM ",\n{'name':'hair','springs':{'chains':[{'root':'Hair1'}]}}"));
}

// ---- Goals, limits and ranges --------------------------------------------------------------------------------

static void test_goals_at_the_origin(void **state) {
    (void)state;
#define AIM_AT(more) "{'name':'look'" more ",'aim':{'node':'role:head','goal':'at','limit':1}}"
#define AT(more)     ",'at':{'type':'vector3'" more "}"
    EXPECT_ALSO_WITHOUT(RIG(AT(",'space':'model'"), AIM_AT("")),
                        {GRAPH_GOAL_AT_ORIGIN, "rig/look", "'at' is between the character's feet", "a default"});
    EXPECT_ALSO_WITHOUT(RIG(AT(""), AIM_AT("")),
                        {GRAPH_GOAL_AT_ORIGIN, "rig/look", "'at' is at the world's origin", NULL});
    EXPECT_ALSO_WITHOUT(RIG(AT(""), AIM_AT(",'when':'!in && in_state(`Base/Idle`)'")),
                        {GRAPH_GOAL_AT_ORIGIN, "rig/look", "'at' is at the world's origin", NULL});
    EXPECT_ALSO_WITHOUT(RIG(AT(""), "{'name':'crouch','body':{'effectors':[{'node':'Hand_L','goal':'at'}]}}"),
                        {GRAPH_GOAL_AT_ORIGIN, "rig/crouch", "'at' is at the world's origin", NULL});
    expect_nothing(RIG(AT(""), AIM_AT(",'when':'in'")));
    expect_nothing(RIG(AT(""), AIM_AT(",'when':'in_tag(`airborne`)'")));
    expect_nothing(RIG(AT(",'default':[0,1,0]"), AIM_AT("")));
    expect_nothing(RIG(AT("") ",'w':{'type':'float'}", AIM_AT(",'weightParameter':'w'")));
    expect_nothing(RIG(LEDGE, "{'name':'climb','rootWarp':{'clip':'Jump','start':0.1,'end':0.5,'goal':'ledge'}}"));
    EXPECT_ALSO_WITHOUT(
        RIG(LEDGE, "{'name':'climb','rootWarp':{'clip':'Idle','start':0.1,'end':0.5,'goal':'ledge'}}"),
        {GRAPH_GOAL_AT_ORIGIN, "rig/climb", "'ledge' is at the world's origin", NULL});
}

static void test_an_aim_without_a_limit(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(
        RIG(LOOK, "{'name':'look','aim':{'node':'role:head','goal':'lookAt'}}"),
        {GRAPH_AIM_UNLIMITED, "rig/look", "turns 'role:head' by up to 150 degrees", "Set \"limit\""});
}

static void test_ranges_of_inputs(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(RIG(",'angle':{'type':'float'}", TURN),
                        {GRAPH_INPUT_RANGE, "rig/turn", "'angle' has no range", "\"range\": [-1.57, 1.57]"});
    EXPECT_ALSO_WITHOUT(RIG(",'angle':{'type':'float','range':[-180,180]}", TURN),
                        {GRAPH_INPUT_RANGE, "rig/turn", "The range of 'angle' is -180 to 180", NULL});
    EXPECT_ALSO_WITHOUT(RIG(",'scale':{'type':'float','default':1}", STRIDE),
                        {GRAPH_INPUT_RANGE, "rig/stride", "'scale' has no range", "[0.5, 1.5]"});
    EXPECT_ALSO_WITHOUT(RIG(",'scale':{'type':'float','default':1,'range':[0,6]}", STRIDE),
                        {GRAPH_INPUT_RANGE, "rig/stride", "The range of 'scale' is 0 to 6, but", NULL});
    EXPECT_ALSO_WITHOUT(RIG(",'scale':{'type':'float','range':[0,1.4]}", STRIDE),
                        {GRAPH_INPUT_RANGE, "rig/stride", "'scale' starts at 0", "\"default\": 1"});
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static void test_root_warps_of_clips_that_do_not_play(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(
        RIG(LEDGE, "{'name':'climb','rootWarp':{'clip':'Walk','start':0.1,'end':0.5,'goal':'ledge'}}"),
        {GRAPH_WARP_UNPLAYED, "rig/climb", "No state of the base plays 'Walk'.", "Play the clip"});
    EXPECT_ALSO_WITHOUT(
        "{'sinewGraph':1,'parameters':{'v':{'type':'float'},'ledge':{'type':'transform'}},'layers':[{'name':'Base',"
        "'states'"
        ":{'Move':{'blend':{'x':'v','samples':[{'clip':'Idle'},{'clip':'Walk','x':1}]}}}}],\n'rig':{'steps':["
        "{'name':'climb','rootWarp':{'clip':'Walk','start':0.1,'end':0.5,'goal':'ledge'}}]}}",
        {GRAPH_WARP_UNPLAYED, "rig/climb", "The base only plays 'Walk' in a blend space", NULL});
}

// The hero floats a meter above the ground.
static sinew_clip *make_float(const sinew_skeleton *skeleton) {
    const int32_t armature = sinew_skeleton_find(skeleton, "Armature");
    float times[2] = {0, 1}, values[6] = {0, 1, 0, 0, 1, 0};
    const sinew_channel_def channel = {armature, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times,
                                       values};
    sinew_clip_def def = sinew_clip_default();
    def.name = "Float";
    def.skeleton = skeleton;
    def.channels = &channel;
    def.channel_count = 1;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static void test_clips_without_contacts(void **state) {
    (void)state;
    static const char *const texts[2] = {
        "{'sinewGraph':1,'layers':[{'name':'Base','states':{'Float':{'clip':'Float'}}}],\n'rig':{'steps':[" LOCK
        "]}}",
        "{'sinewGraph':1,'layers':[{'name':'Base','states':{'Float':{'clip':'Float'}}}],\n'rig':{'steps':[" LOCK
        "],'feet':[{'thigh':'UpperLeg_L','shin':'LowerLeg_L','foot':'Foot_L','down':'Dwon','up':'Up'}]}}"};
    const expected all[2] = {
        {GRAPH_CONTACTS_MISSING, "rig/planted", "ever has a foot on the ground", "give the feet markers"},
        {GRAPH_CONTACTS_MISSING, "rig/planted", "ever has a foot on the ground", "Check the names"}};
    sinew_clip *clip = make_float(hero->skeleton);
    sinew_graph_binding_def clips = clips_of(hero);
    clips.clips = clip;
    clips.clip_count = 1;
    for (int i = 0; i < 2; i++) {
        sinew_graph *graph = graph_of(texts[i]);
        expect_with(graph, &clips, texts[i], &all[i], 1);
        sinew_graph_destroy(graph);
    }
    sinew_clip_destroy(clip);
}

// ---- The rest ------------------------------------------------------------------------------------------------

static void test_parameters_of_steps_are_used(void **state) {
    (void)state;
    EXPECT_ALSO_WITHOUT(RIG(LOOK HAND, AIM),
                        {GRAPH_PARAMETER_UNUSED, "hand", "or step uses the parameter.", "Remove it."});
    expect_nothing(RIG(LOOK HAND, AIM ",{'callback':{}}")); // the program's code may use it
}

static void test_every_rule_is_reported(void **state) {
    (void)state;
    for (int i = GRAPH_STEP_REFUSED; i < GRAPH_RULE_COUNT; i++) {
        if (!reported_rules[i]) fail_msg("no rig has the fault %s", graph_rules[i].id);
    }
}

static int set_up(void **state) {
    (void)state;
    hero = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_asset_destroy(hero);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rig_with_every_kind_of_step_is_sound),
        cmocka_unit_test(test_a_rig_for_walking_is_sound),
        cmocka_unit_test(test_rigs_of_other_models_are_sound),
        cmocka_unit_test(test_common_rigs_are_sound),
        cmocka_unit_test(test_nodes_and_roles),
        cmocka_unit_test(test_unknown_roles),
        cmocka_unit_test(test_missing_chest),
        cmocka_unit_test(test_masks_with_roles),
        cmocka_unit_test(test_clips_and_curves),
        cmocka_unit_test(test_refused_steps),
        cmocka_unit_test(test_refused_feet),
        cmocka_unit_test(test_steps_that_are_always_off),
        cmocka_unit_test(test_a_curve_that_no_clip_has),
        cmocka_unit_test(test_steps_that_fight),
        cmocka_unit_test(test_the_order_of_steps),
        cmocka_unit_test(test_springs_on_nodes_that_other_steps_move),
        cmocka_unit_test(test_goals_at_the_origin),
        cmocka_unit_test(test_an_aim_without_a_limit),
        cmocka_unit_test(test_ranges_of_inputs),
        cmocka_unit_test(test_root_warps_of_clips_that_do_not_play),
        cmocka_unit_test(test_clips_without_contacts),
        cmocka_unit_test(test_parameters_of_steps_are_used),
        cmocka_unit_test(test_every_rule_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
