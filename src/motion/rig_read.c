// SPDX-License-Identifier: MIT
// Reads a graph's rig: its feet and steps. See docs/rig.md.
#include "motion/graph_read.h"
#include "motion/rig_setting.h"

#include <float.h>
#include <string.h>

// ---- Values --------------------------------------------------------------------------------------------------

static bool read_rotation(sinewi_graph_reader *r, sinewi_json_value value, sinew_quat *out) {
    float q[4] = {out->x, out->y, out->z, out->w};
    if (!sinewi_rig_read_floats(r, value, "an array of four numbers", 4, q)) return false;
    *out = (sinew_quat){q[0], q[1], q[2], q[3]};
    return true;
}

enum { GOAL_PARAMETER, GOAL_NODE, GOAL_OFFSET, GOAL_ROTATION };
static const sinewi_graph_keys goal_keys = {"a goal", {"parameter", "node", "offset", "rotation"}};

// A goal has either a parameter or a node.
static bool check_goal_members(sinewi_graph_text *t, const sinewi_graph_members *m) {
    const bool has_parameter = m->values[GOAL_PARAMETER] != SINEWI_JSON_ABSENT;
    const bool has_node = m->values[GOAL_NODE] != SINEWI_JSON_ABSENT;
    if (has_parameter != has_node) return true;
    return sinewi_graph_fail(t, m->object,
                             has_node ? "a goal has either \"parameter\" or \"node\"; this one has both"
                                      : "a goal needs \"parameter\" or \"node\"");
}

// Reads the name of a parameter, or an object. The parameter must have one of `types`.
static bool read_goal(sinewi_graph_reader *r, sinewi_json_value value, int types, sinew_rig_goal *goal) {
    const char *expected = sinewi_rig_types_text(types);
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    if (value == SINEWI_JSON_ABSENT) return true;
    if (sinewi_graph_is(t, value, SINEWI_JSON_STRING))
        return sinewi_graph_read_reference(r, value, types, expected, &goal->parameter);
    if (!sinewi_graph_is(t, value, SINEWI_JSON_OBJECT))
        return sinewi_graph_fail_type(t, value, "a parameter's name, or an object with \"parameter\" or \"node\"");
    return sinewi_graph_read_members(t, value, &goal_keys, &m) && check_goal_members(t, &m) &&
           sinewi_graph_read_reference(r, m.values[GOAL_PARAMETER], types, expected, &goal->parameter) &&
           sinewi_graph_read_string(t, m.values[GOAL_NODE], &goal->node) &&
           sinewi_rig_read_vector(r, m.values[GOAL_OFFSET], &goal->offset) &&
           read_rotation(r, m.values[GOAL_ROTATION], &goal->rotation);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

static bool add_node(sinewi_graph_reader *r, sinewi_json_value value, sinew_rig_step *step) {
    if (value == SINEWI_JSON_ABSENT) return true;
    if (step->node_count == 0) r->step_nodes = sinewi_graph_scratch(&r->text, const char *, SINEW_MAX_RIG_NODES);
    if (!r->step_nodes) return false;
    step->nodes = r->step_nodes;
    if (step->node_count == SINEW_MAX_RIG_NODES)
        return sinewi_graph_fail_limit(&r->text, value, "a step can have at most %d nodes", SINEW_MAX_RIG_NODES);
    return sinewi_graph_read_string(&r->text, value, &r->step_nodes[step->node_count++]);
}

static bool add_nodes(sinewi_graph_reader *r, sinewi_json_value array, sinew_rig_step *step) {
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true;
    if (step->node_count > 0)
        return sinewi_graph_fail(&r->text, array, "the step has \"nodes\" and \"end\"; it must have one of them");
    if (!sinewi_graph_check_array(&r->text, array, "an array of nodes", &count)) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (!add_node(r, element, step)) return false;
    }
    return true;
}

// ---- Lists ---------------------------------------------------------------------------------------------------

static bool read_axis(sinewi_graph_reader *r, sinewi_json_value array, const float **values, int32_t *count) {
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_check_array(&r->text, array, "an array of numbers", count)) return false;
    if (*count > SINEW_MAX_AIM_POSES)
        return sinewi_graph_fail_limit(&r->text, array, "%d numbers; there can be at most %d", (int)*count,
                                       SINEW_MAX_AIM_POSES);
    float *numbers = sinewi_graph_scratch(&r->text, float, (size_t)*count);
    if (!numbers) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < *count; i++, element = sinewi_graph_next(r, element)) {
        if (!sinewi_graph_read_float(&r->text, element, &numbers[i])) return false;
    }
    *values = numbers;
    return true;
}

static bool read_grid_axis(sinewi_graph_reader *r, sinewi_json_value value, const sinewi_rig_setting *setting,
                           sinew_rig_grid *grid) {
    const bool is_yaw = setting->offset == offsetof(sinew_rig_step, aim_offset.yaws);
    return read_axis(r, value, is_yaw ? &grid->yaws : &grid->pitches,
                     is_yaw ? &grid->yaw_count : &grid->pitch_count);
}

// The grid's counts are known by now, because its axes come first.
static bool read_grid_clips(sinewi_graph_reader *r, sinewi_json_value value, sinew_rig_grid *grid) {
    int32_t count = 0;
    if (!sinewi_graph_read_strings(&r->text, value, &count, &grid->clips)) return false;
    const int64_t expected = (int64_t)grid->yaw_count * grid->pitch_count;
    return value == SINEWI_JSON_ABSENT || count == expected ||
           sinewi_graph_fail(&r->text, value, "%d clips; there must be %d, one for each pitch and yaw", (int)count,
                             (int)expected);
}

enum { EFFECTOR_NODE, EFFECTOR_GOAL, EFFECTOR_ROTATE, EFFECTOR_PULL, EFFECTOR_PIN };
static const sinewi_graph_keys effector_keys = {"an effector", {"node", "goal", "rotate", "pull", "pin"}};

static bool read_effector(sinewi_graph_reader *r, sinewi_json_value value, sinew_rig_effector *effector) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *effector = (sinew_rig_effector){.goal = sinew_rig_goal_empty(), .pull = 1.0f};
    return sinewi_graph_read_members(t, value, &effector_keys, &m) && sinewi_graph_require(t, &m, EFFECTOR_NODE) &&
           sinewi_graph_read_string(t, m.values[EFFECTOR_NODE], &effector->node) &&
           read_goal(r, m.values[EFFECTOR_GOAL], SINEWI_PLACES, &effector->goal) &&
           sinewi_graph_read_bool(t, m.values[EFFECTOR_ROTATE], &effector->rotate) &&
           sinewi_graph_read_unit(t, m.values[EFFECTOR_PULL], &effector->pull) &&
           sinewi_graph_read_bool(t, m.values[EFFECTOR_PIN], &effector->pin);
}

static bool read_effectors(sinewi_graph_reader *r, sinewi_json_value array, sinew_rig_body *body) {
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_check_array(&r->text, array, "an array of effectors", &count)) return false;
    sinew_rig_effector *effectors = sinewi_graph_scratch(&r->text, sinew_rig_effector, (size_t)count);
    if (!effectors) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (!read_effector(r, element, &effectors[i])) return false;
    }
    body->effectors = effectors;
    body->effector_count = count;
    return true;
}

// ---- Steps ---------------------------------------------------------------------------------------------------

static bool read_method(sinewi_graph_text *t, sinewi_json_value value, sinew_rig_step *step) {
    static const char *const words[] = {"leastSquares", "fabrik", "ccd", NULL};
    int word = (int)step->chain.method;
    if (!sinewi_graph_read_word(t, value, words, &word)) return false;
    step->chain.method = (sinew_ik_chain_method)word;
    return true;
}

static bool read_end_mode(sinewi_graph_text *t, sinewi_json_value value, sinew_rig_step *step) {
    static const char *const words[] = {"follow", "keep", "goal", NULL};
    int word = (int)step->limb.end_mode;
    if (!sinewi_graph_read_word(t, value, words, &word)) return false;
    step->limb.end_mode = (sinew_ik_limb_end)word;
    return true;
}

static bool read_setting(sinewi_graph_reader *r, sinewi_json_value value, const sinewi_rig_setting *setting,
                         sinew_rig_step *step) {
    sinewi_graph_text *t = &r->text;
    void *at = (char *)step + setting->offset;
    switch (setting->type) {
    case SINEWI_SETTING_NUMBER:
        return sinewi_rig_read_number(t, value, setting->min, setting->max, (float *)at);
    case SINEWI_SETTING_VECTOR:
        return sinewi_rig_read_vector(r, value, (sinew_vec3 *)at);
    case SINEWI_SETTING_STRING:
        return sinewi_graph_read_string(t, value, (const char **)at);
    case SINEWI_SETTING_INPUT:
        return sinewi_graph_read_reference(r, value, setting->types, sinewi_rig_types_text(setting->types),
                                           &step->input);
    case SINEWI_SETTING_GOAL:
        return read_goal(r, value, setting->types, (sinew_rig_goal *)at);
    case SINEWI_SETTING_NODE:
        return add_node(r, value, step);
    case SINEWI_SETTING_NODES:
        return add_nodes(r, value, step);
    case SINEWI_SETTING_METHOD:
        return read_method(t, value, step);
    case SINEWI_SETTING_RESTARTS:
        return sinewi_graph_read_integer(t, value, 0, &step->chain.restarts);
    case SINEWI_SETTING_END:
        return read_end_mode(t, value, step);
    case SINEWI_SETTING_GRID:
        return read_grid_axis(r, value, setting, &step->aim_offset);
    case SINEWI_SETTING_CLIPS:
        return read_grid_clips(r, value, &step->aim_offset);
    case SINEWI_SETTING_MASK:
        return sinewi_graph_read_mask(r, value, &step->aim_offset.part_count, &step->aim_offset.parts);
    case SINEWI_SETTING_EFFECTORS:
        return read_effectors(r, value, &step->body);
    case SINEWI_SETTING_CHAINS:
        return sinewi_rig_read_chains(r, value, &step->springs);
    case SINEWI_SETTING_COLLIDERS:
        return sinewi_rig_read_colliders(r, value, &step->springs);
    }
    return true;
}

static bool read_settings(sinewi_graph_reader *r, sinewi_json_value object, sinew_rig_step *step) {
    const sinewi_rig_kind *kind = sinewi_rig_kind_of(step->kind);
    const sinewi_rig_setting *settings = kind->settings;
    sinewi_graph_keys keys = {.owner = kind->owner};
    sinewi_graph_members m;
    for (int i = 0; settings[i].name; i++) keys.names[i] = settings[i].name;
    if (!sinewi_graph_read_members(&r->text, object, &keys, &m)) return false;
    for (int i = 0; settings[i].name; i++) {
        if (settings[i].required && !sinewi_graph_require(&r->text, &m, i)) return false;
        if (!read_setting(r, m.values[i], &settings[i], step)) return false;
    }
    return true;
}

enum {
    STEP_NAME,
    STEP_WHEN,
    STEP_WEIGHT,
    STEP_WEIGHT_PARAMETER,
    STEP_WEIGHT_CURVE,
    STEP_DAMPING,
    STEP_SIGNIFICANCE,
    STEP_KINDS
};

// The keys that all steps have, then one for each kind.
static sinewi_graph_keys make_step_keys(void) {
    sinewi_graph_keys keys = {
        "a step", {"name", "when", "weight", "weightParameter", "weightCurve", "damping", "significance"}};
    for (int i = 0; i < SINEWI_RIG_KIND_COUNT; i++)
        keys.names[STEP_KINDS + i] = sinewi_rig_kind_of((sinew_rig_kind)i)->word;
    return keys;
}

// The index of the only member that is a kind.
static bool find_kind(sinewi_graph_text *t, const sinewi_graph_members *m, int *kind) {
    *kind = -1;
    for (int i = 0; i < SINEWI_RIG_KIND_COUNT; i++) {
        const sinewi_json_value value = m->values[STEP_KINDS + i];
        if (value == SINEWI_JSON_ABSENT) continue;
        if (*kind >= 0)
            return sinewi_graph_fail(t, sinewi_json_key_of(&t->json, value),
                                     "the step is a \"%s\" and a \"%s\"; make two steps of it",
                                     m->keys->names[STEP_KINDS + *kind], m->keys->names[STEP_KINDS + i]);
        *kind = i;
    }
    return *kind >= 0 ||
           sinewi_graph_fail(t, m->object, "the step does nothing; add what it does, such as \"footLock\": {}");
}

static bool read_step(sinewi_graph_reader *r, sinewi_json_value value, sinew_rig_step *step) {
    sinewi_graph_text *t = &r->text;
    const sinewi_graph_keys keys = make_step_keys();
    sinewi_graph_members m;
    int kind;
    if (!sinewi_graph_read_members(t, value, &keys, &m) || !find_kind(t, &m, &kind)) return false;
    *step = sinew_rig_step_of_kind((sinew_rig_kind)kind);
    step->name = keys.names[STEP_KINDS + kind];
    step->line = sinewi_graph_line(t, value);
    step->column = sinewi_graph_column(t, value);
    return sinewi_graph_read_string(t, m.values[STEP_NAME], &step->name) &&
           sinewi_graph_read_string(t, m.values[STEP_WHEN], &step->when) &&
           sinewi_graph_read_unit(t, m.values[STEP_WEIGHT], &step->weight) &&
           sinewi_graph_read_reference(r, m.values[STEP_WEIGHT_PARAMETER], SINEWI_FLOATS, "a float",
                                       &step->weight_parameter) &&
           sinewi_graph_read_string(t, m.values[STEP_WEIGHT_CURVE], &step->weight_curve) &&
           sinewi_graph_read_seconds(t, m.values[STEP_DAMPING], &step->damping) &&
           sinewi_rig_read_number(t, m.values[STEP_SIGNIFICANCE], 0.0f, FLT_MAX, &step->significance) &&
           read_settings(r, m.values[STEP_KINDS + kind], step);
}

static bool read_steps(sinewi_graph_reader *r, sinewi_json_value array) {
    int32_t count;
    if (!sinewi_graph_check_array(&r->text, array, "an array of steps", &count)) return false;
    if (count > SINEW_MAX_RIG_STEPS)
        return sinewi_graph_fail_limit(&r->text, array, "a rig can have at most %d steps", SINEW_MAX_RIG_STEPS);
    sinew_rig_step *steps = sinewi_graph_scratch(&r->text, sinew_rig_step, (size_t)count);
    r->step_values = sinewi_graph_scratch(&r->text, sinewi_json_value, (size_t)count);
    if (!steps || !r->step_values) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        r->step_values[i] = element;
        if (!read_step(r, element, &steps[i])) return false;
    }
    r->def.steps = steps;
    r->def.step_count = count;
    return true;
}

// ---- Feet ----------------------------------------------------------------------------------------------------

enum { FOOT_THIGH, FOOT_SHIN, FOOT_FOOT, FOOT_TOES, FOOT_DOWN, FOOT_UP };
static const sinewi_graph_keys foot_keys = {"a foot", {"thigh", "shin", "foot", "toes", "down", "up"}};

static bool read_foot(sinewi_graph_reader *r, sinewi_json_value value, sinew_rig_foot *foot) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    *foot = (sinew_rig_foot){.thigh = NULL};
    const char **const texts[] = {&foot->thigh, &foot->shin, &foot->foot, &foot->toes, &foot->down, &foot->up};
    if (!sinewi_graph_read_members(t, value, &foot_keys, &m)) return false;
    for (int i = FOOT_THIGH; i <= FOOT_UP; i++) {
        if (i <= FOOT_FOOT && !sinewi_graph_require(t, &m, i)) return false;
        if (!sinewi_graph_read_string(t, m.values[i], texts[i])) return false;
    }
    return true;
}

static bool read_feet(sinewi_graph_reader *r, sinewi_json_value array) {
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_check_array(&r->text, array, "an array of feet", &count)) return false;
    if (count > SINEW_MAX_FEET)
        return sinewi_graph_fail_limit(&r->text, array, "a rig can have at most %d feet", SINEW_MAX_FEET);
    sinew_rig_foot *feet = sinewi_graph_scratch(&r->text, sinew_rig_foot, (size_t)count);
    r->foot_values = sinewi_graph_scratch(&r->text, sinewi_json_value, (size_t)count);
    if (!feet || !r->foot_values) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        r->foot_values[i] = element;
        if (!read_foot(r, element, &feet[i])) return false;
    }
    r->def.feet = feet;
    r->def.foot_count = count;
    return true;
}

enum { RIG_FEET, RIG_STEPS };
static const sinewi_graph_keys rig_keys = {"a rig", {"feet", "steps"}};

bool sinewi_graph_read_rig(sinewi_graph_reader *r, sinewi_json_value object) {
    sinewi_graph_members m;
    if (object == SINEWI_JSON_ABSENT) return true;
    return sinewi_graph_read_members(&r->text, object, &rig_keys, &m) &&
           sinewi_graph_require(&r->text, &m, RIG_STEPS) && read_feet(r, m.values[RIG_FEET]) &&
           read_steps(r, m.values[RIG_STEPS]);
}
