// SPDX-License-Identifier: MIT
// Runs rigs from hostile graphs. Replaces names that the hero doesn't have, so most rigs can be created.
#include "fuzz/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UPDATES = 16 };

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

// ---- The hero ------------------------------------------------------------------------------------------------

static struct {
    sinew_asset *asset;
    sinew_humanoid humanoid;
    sinew_root_motion_def root_motion;
} hero;

static void load_hero(void) {
    if (hero.asset) return;
    require(sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &hero.asset, NULL) == SINEW_OK, "no hero");
    require(sinew_humanoid_find(hero.asset, NULL, &hero.humanoid, NULL, NULL) == SINEW_OK, "no humanoid");
    hero.root_motion = sinew_root_motion_default();
    hero.root_motion.skeleton = hero.asset->skeleton;
    hero.root_motion.node = sinew_skeleton_find(hero.asset->skeleton, "Hero");
}

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261u;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash;
}

// A name of the hero's for any name. Most are above or below each other.
static const char *fit(const char *name) {
    static const char *const names[] = {"Hips",  "Spine", "Chest",      "UpperChest", "Neck",   "Head",
                                        "Hair1", "Hair3", "UpperArm_L", "LowerArm_L", "Hand_L", "Index1_L"};
    if (!name || strncmp(name, "role:", 5) == 0) return name;
    if (sinew_skeleton_find(hero.asset->skeleton, name) != SINEW_NO_NODE) return name;
    return names[hash_of(name) % (sizeof names / sizeof *names)];
}

// Every clip that a graph names exists.
static const sinew_clip *find_clip(const char *name, void *user) {
    (void)user;
    const sinew_asset *asset = hero.asset;
    for (int32_t i = 0; i < asset->clip_count; i++) {
        if (strcmp(asset->clips[i].name, name) == 0) return &asset->clips[i];
    }
    return &asset->clips[hash_of(name) % (uint32_t)asset->clip_count];
}

// ---- Names ---------------------------------------------------------------------------------------------------

// The steps and feet of a graph with the hero's names.
typedef struct fitted {
    bool without_layers;
    bool without[SINEW_MAX_RIG_STEPS];
    sinew_rig_step *steps; // [step_count]
    int32_t step_count;
    sinew_rig_foot feet[SINEW_MAX_FEET];
    void *blocks[8 * SINEW_MAX_RIG_STEPS];
    int block_count;
} fitted;

static void *keep(fitted *f, size_t size) {
    void *block = calloc(1, size > 0 ? size : 1);
    require(block != NULL, "no memory");
    f->blocks[f->block_count++] = block;
    return block;
}

static void fit_grid(fitted *f, sinew_rig_grid *grid) {
    sinew_mask_part *parts = keep(f, (size_t)grid->part_count * sizeof *parts);
    for (int32_t i = 0; i < grid->part_count; i++) {
        parts[i] = grid->parts[i];
        parts[i].curve = false; // the hero has none
        parts[i].name = fit(parts[i].name);
    }
    grid->parts = parts;
}

static void fit_body(fitted *f, sinew_rig_body *body) {
    sinew_rig_effector *effectors = keep(f, (size_t)body->effector_count * sizeof *effectors);
    for (int32_t i = 0; i < body->effector_count; i++) {
        effectors[i] = body->effectors[i];
        effectors[i].node = fit(effectors[i].node);
        effectors[i].goal.node = fit(effectors[i].goal.node);
    }
    body->effectors = effectors;
}

static void fit_springs(fitted *f, sinew_rig_springs *springs) {
    sinew_rig_spring *chains = keep(f, (size_t)springs->chain_count * sizeof *chains);
    for (int32_t i = 0; i < springs->chain_count; i++) {
        chains[i] = springs->chains[i];
        chains[i].root = fit(chains[i].root);
        chains[i].tip = fit(chains[i].tip);
        chains[i].center = fit(chains[i].center);
    }
    springs->chains = chains;
    sinew_rig_collider *colliders = keep(f, (size_t)springs->collider_count * sizeof *colliders);
    for (int32_t i = 0; i < springs->collider_count; i++) {
        colliders[i] = springs->colliders[i];
        colliders[i].node = fit(colliders[i].node);
    }
    springs->colliders = colliders;
}

static void fit_step(fitted *f, sinew_rig_step *step) {
    const char **nodes = keep(f, (size_t)step->node_count * sizeof *nodes);
    for (int32_t i = 0; i < step->node_count; i++) nodes[i] = fit(step->nodes[i]);
    step->nodes = nodes;
    step->goal.node = fit(step->goal.node);
    step->pole.node = fit(step->pole.node);
    step->weight_curve = NULL;
    if (step->kind == SINEW_RIG_AIM_OFFSET) fit_grid(f, &step->aim_offset);
    if (step->kind == SINEW_RIG_BODY) fit_body(f, &step->body);
    if (step->kind == SINEW_RIG_SPRINGS) fit_springs(f, &step->springs);
    if (step->kind == SINEW_RIG_ROOT_WARP) step->root_warp.window = NULL; // the hero's clips have no markers
    if (step->kind == SINEW_RIG_ROOT_WARP && !(step->root_warp.settings.start < step->root_warp.settings.end))
        step->root_warp.settings = (sinew_root_warp_def){.end = 0.5f,
                                                         .max_speed = step->root_warp.settings.max_speed,
                                                         .added_speed = step->root_warp.settings.added_speed,
                                                         .max_turn_rate = step->root_warp.settings.max_turn_rate,
                                                         .cookie = step->root_warp.settings.cookie};
}

static void fit_feet(fitted *f, const sinew_graph *graph) {
    for (int32_t i = 0; i < graph->foot_count; i++) {
        const sinew_rig_foot *foot = &graph->feet[i];
        const bool left = i % 2 == 0;
        f->feet[i] = (sinew_rig_foot){left ? "role:leftUpperLeg" : "UpperLeg_R",
                                      left ? "role:leftLowerLeg" : "LowerLeg_R",
                                      left ? "Foot_L" : "role:rightFoot",
                                      foot->toes ? left ? "Toes_L" : "Toes_R" : NULL,
                                      foot->down,
                                      foot->up};
    }
}

// Takes the layers away, and what conditions ask of them.
static void drop_layers(sinew_graph_def *def, sinew_rig_step *steps) {
    def->layer_count = def->machine_count = def->state_count = def->transition_count = 0;
    for (int32_t i = 0; i < def->step_count; i++) steps[i].when = NULL;
}

// The same graph for the hero, made from its own arrays.
static sinew_graph *make_fitted(fitted *f, const sinew_graph *graph) {
    f->steps = keep(f, (size_t)graph->step_count * sizeof *f->steps);
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (f->without[i]) continue;
        f->steps[f->step_count] = graph->steps[i];
        fit_step(f, &f->steps[f->step_count++]);
    }
    fit_feet(f, graph);
    sinew_graph_def def = sinew_graph_default();
    def.parameters = graph->parameters;
    def.parameter_count = graph->parameter_count;
    def.layers = graph->layers;
    def.layer_count = graph->layer_count;
    def.machines = graph->machines;
    def.machine_count = graph->machine_count;
    def.states = graph->states;
    def.state_count = graph->state_count;
    def.transitions = graph->transitions;
    def.transition_count = graph->transition_count;
    def.sync_names = graph->sync_names;
    def.sync_name_count = graph->sync_name_count;
    def.steps = f->steps;
    def.step_count = f->step_count;
    def.feet = f->feet;
    def.foot_count = graph->foot_count;
    if (f->without_layers) drop_layers(&def, f->steps);
    sinew_graph *made;
    sinew_error error;
    if (sinew_graph_create(&def, &made, &error) != SINEW_OK) require(false, error.message);
    return made;
}

// ---- The character -------------------------------------------------------------------------------------------

void fuzz_set_parameter(sinew_animator *animator, const sinew_graph_parameter *parameter, int32_t i, int value) {
    switch (parameter->type) {
    case SINEW_PARAMETER_FLOAT:
        sinew_animator_set_float(animator, i, (float)value * 0.125f);
        break;
    case SINEW_PARAMETER_INT:
        sinew_animator_set_int(animator, i, value);
        break;
    case SINEW_PARAMETER_BOOL:
        sinew_animator_set_bool(animator, i, value > 0);
        break;
    case SINEW_PARAMETER_TRIGGER:
        if (value > 0) sinew_animator_fire(animator, i);
        break;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_set_vector2(animator, i, (float)value * 0.125f, (float)-value);
        break;
    case SINEW_PARAMETER_VECTOR3:
        sinew_animator_set_vector3(animator, i, (sinew_vec3){(float)value * 0.125f, (float)-value, 1.0f});
        break;
    case SINEW_PARAMETER_TRANSFORM:
        sinew_animator_set_transform(animator, i, (sinew_vec3){(float)value, 0.0f, -1.0f},
                                     (sinew_quat){(float)value, 1.0f, 0.0f, (float)-value});
        break;
    }
}

static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    require(isfinite(place.x) && isfinite(place.y) && isfinite(place.z),
            "the ground below a place that isn't finite");
    place.y = 0.15f * floorf(place.z);
    *ground = (sinew_ground){place, {0.0f, 1.0f, 0.0f}};
    return place.x < 3.0f;
}

static void run_step(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                     sinew_affine *model, void *user) {
    (void)character, (void)dt, (void)pose, (void)model, (void)user;
    require(step >= 0 && weight > 0.0f && weight <= 1.0f, "a callback's step or weight");
}

static void check_finite(const sinew_character *character) {
    const sinew_affine *model = sinew_character_model(character);
    for (int32_t i = 0; i < hero.asset->skeleton->node_count; i++) {
        for (int k = 0; k < 12; k++) require(isfinite(model[i].m[k / 4][k % 4]), "a matrix that isn't finite");
    }
}

static void update(sinew_character *character, const sinew_graph *graph, const uint8_t *bytes, size_t count) {
    sinew_animator *animator = sinew_character_animator(character);
    for (size_t i = 0; i < count && i < MAX_UPDATES; i++) {
        for (int32_t k = 0; k < graph->parameter_count; k++)
            fuzz_set_parameter(animator, &graph->parameters[k], k, (int8_t)(bytes[i] * (k + 1)));
        sinew_character_begin(character, (float)(bytes[i] & 15) * 0.0078125f);
        sinew_transform world = sinew_character_world(character);
        world.translation.z += (float)(bytes[i] & 7) * 0.01f;
        sinew_character_set_world(character, world);
        sinew_character_end(character);
        check_finite(character);
        for (int32_t k = 0; k < graph->step_count; k++) {
            const float weight = sinew_character_step_weight(character, k);
            require(weight >= 0.0f && weight <= 1.0f, "a step's weight");
        }
    }
}

static void run(const sinew_rig *rig, const sinew_graph *graph, const uint8_t *bytes, size_t count) {
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.root_motion = &hero.root_motion;
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    def.mixer = &mixer;
    def.ground = find_ground;
    def.step = run_step;
    sinew_character *character;
    if (sinew_character_create(&def, &character, NULL) != SINEW_OK) return;
    sinew_play_def play = sinew_play_default();
    if (graph->layer_count == 0)
        sinew_mixer_play(sinew_character_mixer(character), sinew_clip_source(&hero.asset->clips[1]), &play);
    update(character, graph, bytes, count);
    sinew_character_destroy(character);
}

// What the hero can't have.
typedef enum trial { DONE, LAYERS, STEP } trial;

static trial bind_and_run(const sinew_graph *graph, const uint8_t *bytes, size_t count, sinew_error *error) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = hero.asset->skeleton;
    def.humanoid = &hero.humanoid;
    def.find_clip = find_clip;
    sinew_graph_binding *binding;
    if (sinew_graph_bind(&def, &binding, error) != SINEW_OK) return LAYERS;
    sinew_rig_def rig_def = sinew_rig_default();
    rig_def.binding = binding;
    sinew_rig *rig;
    const sinew_result result = sinew_rig_create(&rig_def, &rig, error);
    if (result == SINEW_OK) run(rig, graph, bytes, count);
    sinew_rig_destroy(rig);
    sinew_graph_binding_destroy(binding);
    return result == SINEW_OK ? DONE : STEP;
}

// The step that a message is about. -1 if it's about none.
static int32_t step_at_fault(const sinew_graph *graph, const char *message) {
    const char *at = strstr(message, "step ");
    char name[sizeof(sinew_error)];
    for (int32_t i = 0; at && i < graph->step_count; i++) {
        sinew_escape(graph->steps[i].name, name, sizeof name);
        if (strncmp(at + 5, name, strlen(name)) == 0 && at[5 + strlen(name)] == ':') return i;
    }
    return -1;
}

static trial try_rig(const sinew_graph *graph, const fitted *how, const uint8_t *bytes, size_t count,
                     sinew_error *error) {
    fitted f = *how;
    sinew_graph *made = make_fitted(&f, graph);
    const trial result = bind_and_run(made, bytes, count, error);
    sinew_graph_destroy(made);
    for (int i = 0; i < f.block_count; i++) free(f.blocks[i]);
    return result;
}

// Leaves out what the hero can't have, until the rest runs.
void fuzz_rig(const sinew_graph *graph, const uint8_t *bytes, size_t count) {
    load_hero();
    fitted how = {.without_layers = graph->layer_count == 0};
    for (int32_t left = graph->step_count; left > 0;) {
        sinew_error error = {SINEW_OK, ""};
        const trial result = try_rig(graph, &how, bytes, count, &error);
        if (result == DONE) return;
        require(error.message[0] != '\0' && !strchr(error.message, '\n'), "the message isn't one line");
        require(result == STEP || !how.without_layers, error.message);
        if (result == LAYERS) how.without_layers = true;
        const int32_t step = result == STEP ? step_at_fault(graph, error.message) : -1;
        if (result == STEP && (step < 0 || how.without[step])) return;
        if (result == STEP) how.without[step] = true;
        left -= result == STEP;
    }
}
