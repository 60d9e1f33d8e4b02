// SPDX-License-Identifier: MIT
// Rigs for small graphs: from structs, for a dog without roles, and for the hero.
#ifndef RIG_STAGE_H
#define RIG_STAGE_H

#include "support/check.h"

#include <sinew/motion/character.h>

#include <stdio.h>

// ---- Graphs from structs -------------------------------------------------------------------------------------

enum { FLAG, NUMBER, PAIR, PLACE, POSE, PARAMETERS };

static inline void fill_parameters(sinew_graph_parameter parameters[PARAMETERS]) {
    static const char *const names[PARAMETERS] = {"flag", "number", "pair", "place", "pose"};
    static const sinew_parameter_type types[PARAMETERS] = {SINEW_PARAMETER_BOOL, SINEW_PARAMETER_FLOAT,
                                                           SINEW_PARAMETER_VECTOR2, SINEW_PARAMETER_VECTOR3,
                                                           SINEW_PARAMETER_TRANSFORM};
    for (int i = 0; i < PARAMETERS; i++) {
        parameters[i] = sinew_graph_parameter_default();
        parameters[i].name = names[i];
        parameters[i].type = types[i];
    }
}

static inline sinew_rig_step step_of(sinew_rig_kind kind, const char *name) {
    sinew_rig_step step = sinew_rig_step_of_kind(kind);
    step.name = name;
    return step;
}

// A graph that only has steps.
static inline sinew_result make_graph(const sinew_rig_step *steps, int32_t count, const sinew_rig_foot *feet,
                                      int32_t foot_count, sinew_graph **graph, sinew_error *error) {
    sinew_graph_parameter parameters[PARAMETERS];
    fill_parameters(parameters);
    sinew_graph_def def = sinew_graph_default();
    def.parameters = parameters;
    def.parameter_count = PARAMETERS;
    def.steps = steps;
    def.step_count = count;
    def.feet = feet;
    def.foot_count = foot_count;
    return sinew_graph_create(&def, graph, error);
}

static inline void expect_message(const sinew_error *error, const char *message) {
    if (strcmp(error->message, message) != 0) fail_msg("\"%s\" instead of \"%s\"", error->message, message);
}

static inline sinew_rig_step sound_root_warp(void) {
    sinew_rig_step step = step_of(SINEW_RIG_ROOT_WARP, "warp");
    step.root_warp.clip = "walk";
    step.root_warp.settings.end = 1;
    step.goal.parameter = POSE;
    return step;
}

static inline sinew_rig_step sound_aim_offset(void) {
    static const char *const clips[2] = {"walk", "wave"};
    static const float yaws[2] = {0, 1};
    sinew_rig_step step = step_of(SINEW_RIG_AIM_OFFSET, "offset");
    step.input = PAIR;
    step.aim_offset.yaw_count = 2;
    step.aim_offset.yaws = yaws;
    step.aim_offset.clips = clips;
    return step;
}

// ---- A stage -------------------------------------------------------------------------------------------------

// A dog. It has no roles.
enum { BODY, SPINE, NECK, HEAD, EAR, TAIL1, TAIL2, TAIL3, FRONT, HIND = FRONT + 6, DOG_NODES = FRONT + 12 };

static inline void add_leg(sinew_node_def *nodes, int32_t first, const char *const names[3], int32_t parent,
                           float x, float z) {
    const sinew_vec3 positions[3] = {{x, -0.05f, z}, {0, -0.25f, 0.03f}, {0, -0.25f, -0.03f}};
    for (int i = 0; i < 3; i++) {
        nodes[first + i] = (sinew_node_def){
            .name = names[i], .parent = i == 0 ? parent : first + i - 1, .rest = sinew_transform_identity()};
        nodes[first + i].rest.translation = positions[i];
    }
}

static inline sinew_skeleton *make_dog(void) {
    static const struct {
        const char *name;
        int32_t parent;
        sinew_vec3 position;
    } rows[FRONT] = {{"Body", -1, {0, 0.6f, 0}},       {"Spine", BODY, {0, 0, 0.3f}},
                     {"Neck", SPINE, {0, 0.1f, 0.2f}}, {"Head", NECK, {0, 0.2f, 0.1f}},
                     {"Ear", HEAD, {0, 0.1f, 0}},      {"Tail1", BODY, {0, 0.05f, -0.3f}},
                     {"Tail2", TAIL1, {0, 0, -0.1f}},  {"Tail3", TAIL2, {0, 0.02f, -0.1f}}};
    static const char *const legs[4][3] = {
        {"FL1", "FL2", "FL3"}, {"FR1", "FR2", "FR3"}, {"HL1", "HL2", "HL3"}, {"HR1", "HR2", "HR3"}};
    sinew_node_def nodes[DOG_NODES];
    for (int32_t i = 0; i < FRONT; i++) {
        nodes[i] =
            (sinew_node_def){.name = rows[i].name, .parent = rows[i].parent, .rest = sinew_transform_identity()};
        nodes[i].rest.translation = rows[i].position;
    }
    for (int32_t i = 0; i < 4; i++)
        add_leg(nodes, FRONT + 3 * i, legs[i], i < 2 ? SPINE : BODY, i % 2 ? -0.1f : 0.1f, i < 2 ? 0 : -0.2f);
    static const char *const curve = "Grip";
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = DOG_NODES;
    def.nodes = nodes;
    def.curve_count = 1;
    def.curve_names = &curve;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

// A one-second clip that moves a node up and down. Has a curve that rises to 1, and markers for a window and a foot.
static inline sinew_clip *make_dog_clip(const sinew_skeleton *skeleton, const char *name, const char *node,
                                        float height) {
    const float times[3] = {0, 0.5f, 1}, grip[3] = {0, 0.5f, 1};
    const int32_t index = sinew_skeleton_find(skeleton, node);
    const sinew_vec3 rest = skeleton->rest[index].translation;
    const float keys[9] = {rest.x, rest.y, rest.z, rest.x, rest.y + height, rest.z, rest.x, rest.y, rest.z};
    const sinew_channel_def channels[2] = {
        {index, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, keys},
        {0, SINEW_TARGET_CURVE, SINEW_INTERPOLATION_LINEAR, 3, times, grip}};
    const sinew_marker markers[4] = {{"Hop", 0.25f}, {"Down", 0.375f}, {"Hop.end", 0.75f}, {"Up", 0.875f}};
    sinew_clip_def def = sinew_clip_default();
    def.name = name;
    def.skeleton = skeleton;
    def.channels = channels;
    def.channel_count = 2;
    def.markers = markers;
    def.marker_count = 4;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

enum { WALK, WAVE, ADDED, FOREIGN, CLIPS };

static struct {
    sinew_skeleton *dog, *chain;
    sinew_clip *clips[CLIPS]; // FOREIGN uses the chain's skeleton
    sinew_asset *hero, *hero_z;
    sinew_humanoid roles, roles_z;
} stage;

static inline int set_up(void **state) {
    (void)state;
    stage.dog = make_dog();
    stage.chain = make_chain(70);
    stage.clips[WALK] = make_dog_clip(stage.dog, "walk", "Body", 0.1f);
    stage.clips[WAVE] = make_dog_clip(stage.dog, "wave", "FL3", 0.2f);
    stage.clips[FOREIGN] = make_slide(stage.chain, "foreign", 0, 1, 1);
    assert_int_equal(sinew_clip_make_additive(stage.clips[WALK], NULL, NULL, &stage.clips[ADDED], NULL), SINEW_OK);
    stage.hero = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    sinew_gltf_options options = sinew_gltf_default();
    options.up = SINEW_UP_Z;
    stage.hero_z = load_gltf(SINEW_MODELS "/hero.glb", &options);
    assert_int_equal(sinew_humanoid_find(stage.hero, NULL, &stage.roles, NULL, NULL), SINEW_OK);
    assert_int_equal(sinew_humanoid_find(stage.hero_z, NULL, &stage.roles_z, NULL, NULL), SINEW_OK);
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    for (int i = 0; i < CLIPS; i++) sinew_clip_destroy(stage.clips[i]);
    sinew_skeleton_destroy(stage.dog);
    sinew_skeleton_destroy(stage.chain);
    sinew_asset_destroy(stage.hero);
    sinew_asset_destroy(stage.hero_z);
    return 0;
}

static const sinew_clip *find_clip(const char *name, void *user) {
    (void)user;
    static const char *const names[CLIPS] = {"walk", "wave", "added", "foreign"};
    for (int i = 0; i < CLIPS; i++) {
        if (strcmp(names[i], name) == 0) return stage.clips[i];
    }
    return NULL;
}

static inline sinew_graph_binding_def dog_binding_def(const sinew_graph *graph) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = stage.dog;
    def.find_clip = find_clip;
    return def;
}

static inline sinew_graph_binding_def hero_binding_def(const sinew_graph *graph) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.asset = stage.hero;
    def.humanoid = &stage.roles;
    return def;
}

static inline sinew_graph_binding *bind_graph(const sinew_graph_binding_def *def) {
    sinew_graph_binding *binding;
    sinew_error error = {0};
    if (sinew_graph_bind(def, &binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    return binding;
}

static inline sinew_rig *make_rig(const sinew_graph_binding *binding) {
    sinew_rig_def def = sinew_rig_default();
    def.binding = binding;
    sinew_rig *rig;
    sinew_error error = {0};
    if (sinew_rig_create(&def, &rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    return rig;
}

// Reads a graph's text. ' stands for JSON's ", and ` for a quote in a condition.
static inline sinew_graph *read_graph(const char *text) {
    char json[4096];
    const size_t length = strlen(text);
    assert_true(length < sizeof json);
    for (size_t i = 0; i <= length; i++) json[i] = text[i] == '\'' ? '"' : text[i] == '`' ? '\'' : text[i];
    sinew_graph *graph;
    sinew_error error = {0};
    if (sinew_graph_load_memory(json, length, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    return graph;
}

#define PARAMETERS_TEXT                                                                                            \
    "{'sinewGraph':1,'parameters':{'flag':{'type':'bool'},'number':{'type':'float'},'pair':{'type':'vector2'},"    \
    "'place':{'type':'vector3'},'pose':{'type':'transform'}},"

// A graph with a one-step rig.
static inline sinew_graph *read_step(const char *step) {
    char text[2048];
    snprintf(text, sizeof text, PARAMETERS_TEXT "'rig':{'steps':[%s]}}", step);
    return read_graph(text);
}

#define DOG_FEET                                                                                                   \
    "'feet':[{'thigh':'FL1','shin':'FL2','foot':'FL3'},{'thigh':'FR1','shin':'FR2','foot':'FR3'},"                 \
    "{'thigh':'HL1','shin':'HL2','foot':'HL3'},{'thigh':'HR1','shin':'HR2','foot':'HR3'}],"

// A graph for hero.glb. Its rig has a step of every kind but callbacks. An offset and a tail are in nodes' local
// space, which +Z up turns.
#define EVERY_KIND_TEXT(offset, tail)                                                                              \
    "{'sinewGraph':1,'parameters':{'pair':{'type':'vector2'},'turn':{'type':'float'},'stride':{'type':'float','"   \
    "default':1},"                                                                                                 \
    "'look':{'type':'vector3'},'rail':{'type':'transform','space':'model'},'ledge':{'type':'transform'}},"         \
    "'layers':[{'name':'Base','states':{'Jump':{'clip':'Jump'}}}],'rig':{'steps':["                                \
    "{'rootWarp':{'clip':'Jump','start':0.1,'end':0.9,'goal':'ledge'}},"                                           \
    "{'aimOffset':{'direction':'pair','yaws':[0,1],'clips':['Idle','Wave'],'reference':'Idle','mask':{'node':'"    \
    "role:spine'}}},"                                                                                              \
    "{'orientationWarp':{'angle':'turn'}},{'strideWarp':{'scale':'stride'}},{'footLock':{}},{'footPlacement':{}}," \
    "{'limb':{'end':'role:leftHand','goal':'rail','pole':'look','endRotation':'goal'}},"                           \
    "{'chain':{'root':'role:rightUpperArm','tip':'role:rightHand','goal':{'node':'Head','offset':" offset "}}},"   \
    "{'body':{'effectors':[{'node':'role:leftFoot','pin':true},{'node':'role:rightHand','goal':'rail'}]}},"        \
    "{'aim':{'node':'role:head','goal':'look','limit':1,'pitchUp':0.2,'pitchDown':0.1}},"                          \
    "{'springs':{'chains':[{'root':'Hair1'},{'root':'Scarf1','tail':" tail ",'stiffness':2}]}}]}}"

static inline bool find_floor(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    place.y = 0;
    *ground = (sinew_ground){place, {0, 1, 0}};
    return true;
}

#endif
