// SPDX-License-Identifier: MIT
// Checks the rig steps of a graph's definition, and copies them.
#include "motion/graph_step.h"
#include "motion/rig_setting.h"
#include "base/def_cookie.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- Checking ------------------------------------------------------------------------------------------------

// The step that is checked.
typedef struct step_check {
    const sinew_graph_def *def;
    const sinew_rig_step *step;
    int32_t index;
    sinewi_graph_problem *problem;
} step_check;

#define STEP_FAULT(c, ...) sinewi_graph_fault((c)->problem, SINEWI_GRAPH_PART_STEP, (c)->index, __VA_ARGS__)

static bool has_text(const char *text) {
    return text && text[0] != '\0';
}

static bool is_unit(float value) {
    return value >= 0.0f && value <= 1.0f;
}

static bool is_finite_vector(sinew_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// Whether a parameter has one of these types, as a sum of 1 << sinew_parameter_type.
static bool has_type(const sinew_graph_def *def, int32_t parameter, int types) {
    if (parameter < 0 || parameter >= def->parameter_count) return false;
    return (types >> (int)def->parameters[parameter].type & 1) != 0;
}

// ---- Settings ------------------------------------------------------------------------------------------------

// `what` names the goal in messages, such as "the pole".
static bool check_goal(const step_check *c, const sinew_rig_goal *goal, const char *what, int types,
                       bool required) {
    if (goal->parameter != SINEW_GRAPH_NONE && goal->node)
        return STEP_FAULT(c, "%s has both a parameter and a node; it must have one of them", what);
    if (goal->parameter == SINEW_GRAPH_NONE && !goal->node)
        return !required || STEP_FAULT(c, "%s is missing; it must have a parameter or a node", what);
    if (goal->node && types == SINEWI_TRANSFORMS)
        return STEP_FAULT(c, "%s can't be a node; it must be a transform parameter", what);
    if (goal->node && !has_text(goal->node)) return STEP_FAULT(c, "%s's node has no name", what);
    if (!goal->node && !has_type(c->def, goal->parameter, types))
        return STEP_FAULT(c, "%s must be %s", what, sinewi_rig_types_text(types));
    if (!is_finite_vector(goal->offset)) return STEP_FAULT(c, "%s's offset must be finite", what);
    const sinew_quat q = goal->rotation;
    const double rotation[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    const double length = sinewi_graph_rotation_length(rotation);
    return sinewi_graph_is_rotation(length) ||
           STEP_FAULT(c, "%s's rotation has length %g; it must be 1", what, length);
}

static bool check_number(const step_check *c, const sinewi_rig_setting *setting, float value) {
    if (value >= setting->min && value <= setting->max) return true;
    return STEP_FAULT(c, "%s is %g; it must be %s", setting->name, (double)value,
                      sinewi_rig_range_text(setting->min, setting->max).text);
}

static bool check_text(const step_check *c, const sinewi_rig_setting *setting, const char *text) {
    if (!text) return !setting->required || STEP_FAULT(c, "the %s is missing", setting->name);
    return has_text(text) || STEP_FAULT(c, "the %s has no name", setting->name);
}

// What the setting's type says. What the kind says of it comes later.
static bool check_setting(const step_check *c, const sinewi_rig_setting *setting) {
    const void *at = (const char *)c->step + setting->offset;
    char what[16];
    switch (setting->type) {
    case SINEWI_SETTING_NUMBER:
        return check_number(c, setting, *(const float *)at);
    case SINEWI_SETTING_VECTOR:
        return is_finite_vector(*(const sinew_vec3 *)at) || STEP_FAULT(c, "%s must be finite", setting->name);
    case SINEWI_SETTING_STRING:
        return check_text(c, setting, *(const char *const *)at);
    case SINEWI_SETTING_INPUT:
        return has_type(c->def, c->step->input, setting->types) ||
               STEP_FAULT(c, "the %s must be %s", setting->name, sinewi_rig_types_text(setting->types));
    case SINEWI_SETTING_GOAL:
        (void)snprintf(what, sizeof what, "the %s", setting->name);
        return check_goal(c, (const sinew_rig_goal *)at, what, setting->types, setting->required);
    default:
        return true;
    }
}

static bool check_settings(const step_check *c) {
    const sinewi_rig_setting *settings = sinewi_rig_kind_of(c->step->kind)->settings;
    for (int i = 0; settings[i].name; i++) {
        if (!check_setting(c, &settings[i])) return false;
    }
    return true;
}

// ---- The kinds -----------------------------------------------------------------------------------------------

static bool check_window(const step_check *c) {
    const sinew_rig_root_warp *warp = &c->step->root_warp;
    const float start = warp->settings.start, end = warp->settings.end;
    return warp->window || start < end ||
           STEP_FAULT(c, "start is %g s and end is %g s; the end must be later, or the window must name markers",
                      (double)start, (double)end);
}

static bool check_axis(const step_check *c, const float *values, int32_t count, const char *what) {
    if (count < 1 || count > SINEW_MAX_AIM_POSES || (count > 1 && !values))
        return STEP_FAULT(c, "%d %s%s; there must be 1 to %d", (int)count, what,
                          values || count < 1 ? "" : ", but the array is NULL", SINEW_MAX_AIM_POSES);
    for (int32_t i = 0; values && i < count; i++) {
        if (!isfinite(values[i])) return STEP_FAULT(c, "the %s must be finite", what);
        if (i > 0 && !(values[i] > values[i - 1]))
            return STEP_FAULT(c, "the %s must increase, but %g comes after %g", what, (double)values[i],
                              (double)values[i - 1]);
    }
    return true;
}

static bool check_grid(const step_check *c) {
    const sinew_rig_grid *grid = &c->step->aim_offset;
    if (!check_axis(c, grid->yaws, grid->yaw_count, "yaws") ||
        !check_axis(c, grid->pitches, grid->pitch_count, "pitches"))
        return false;
    const int32_t count = grid->yaw_count * grid->pitch_count;
    for (int32_t i = 0; i < count; i++) {
        if (!grid->clips || !has_text(grid->clips[i]))
            return STEP_FAULT(c, "clip %d is missing; there must be %d, one for each pitch and yaw", (int)i,
                              (int)count);
    }
    return sinewi_graph_check_parts(grid->parts, grid->part_count, SINEWI_GRAPH_PART_STEP, c->index, c->problem);
}

static bool check_limb_end(const step_check *c) {
    const int mode = (int)c->step->limb.end_mode;
    return (mode >= SINEW_IK_LIMB_END_FOLLOW && mode <= SINEW_IK_LIMB_END_ROTATE) ||
           STEP_FAULT(c, "unknown end_mode %d", mode);
}

static bool check_method(const step_check *c) {
    const int method = (int)c->step->chain.method;
    return (method >= SINEW_IK_CHAIN_METHOD_LEAST_SQUARES && method <= SINEW_IK_CHAIN_METHOD_CCD) ||
           STEP_FAULT(c, "unknown method %d", method);
}

static bool check_effectors(const step_check *c) {
    const sinew_rig_body *body = &c->step->body;
    if (body->effector_count < 1 || body->effector_count > SINEW_MAX_EFFECTORS || !body->effectors)
        return STEP_FAULT(c, "%d effectors%s; there must be 1 to %d", (int)body->effector_count,
                          body->effectors || body->effector_count < 1 ? "" : ", but the array is NULL",
                          SINEW_MAX_EFFECTORS);
    for (int32_t i = 0; i < body->effector_count; i++) {
        const sinew_rig_effector *effector = &body->effectors[i];
        char what[32];
        (void)snprintf(what, sizeof what, "the goal of effector %d", (int)i);
        if (!has_text(effector->node)) return STEP_FAULT(c, "effector %d has no node", (int)i);
        if (!is_unit(effector->pull))
            return STEP_FAULT(c, "the pull of effector %d is %g; it must be 0 to 1", (int)i,
                              (double)effector->pull);
        if (!check_goal(c, &effector->goal, what, SINEWI_PLACES, !effector->pin)) return false;
    }
    return true;
}

// Limbs have one node or three.
static bool check_nodes(const step_check *c) {
    const sinew_rig_step *step = c->step;
    const sinewi_rig_kind *kind = sinewi_rig_kind_of(step->kind);
    const int count = (int)step->node_count;
    if (count < kind->least_nodes || count > kind->most_nodes || (step->kind == SINEW_RIG_LIMB && count == 2))
        return STEP_FAULT(c, "%d nodes; \"%s\" takes %s", count, kind->word, kind->node_rule);
    if (count > 0 && !step->nodes) return STEP_FAULT(c, "%d nodes, but the array is NULL", count);
    for (int32_t i = 0; i < step->node_count; i++) {
        if (!has_text(step->nodes[i])) return STEP_FAULT(c, "node %d has no name", (int)i);
    }
    return true;
}

// The default function that must have made a kind's settings but hasn't, or NULL.
static const char *missing_default(const sinew_rig_step *step) {
    switch (step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return SINEWI_HAS_COOKIE(&step->root_warp.settings) ? NULL : "sinew_root_warp_default()";
    case SINEW_RIG_ORIENTATION_WARP:
        return SINEWI_HAS_COOKIE(&step->orientation_warp) ? NULL : "sinew_orientation_warp_default()";
    case SINEW_RIG_STRIDE_WARP:
        return SINEWI_HAS_COOKIE(&step->stride_warp) ? NULL : "sinew_stride_warp_default()";
    case SINEW_RIG_FOOT_LOCK:
        return SINEWI_HAS_COOKIE(&step->foot_lock) ? NULL : "sinew_foot_lock_default()";
    case SINEW_RIG_FOOT_PLACEMENT:
        return SINEWI_HAS_COOKIE(&step->foot_placement) ? NULL : "sinew_foot_placement_default()";
    case SINEW_RIG_BODY:
        return SINEWI_HAS_COOKIE(&step->body.settings) ? NULL : "sinew_ik_body_default()";
    default: // the rig makes the other kinds' structs
        return NULL;
    }
}

static bool check_kind(const step_check *c) {
    const char *start = missing_default(c->step);
    if (start) return STEP_FAULT(c, "the settings must start from %s", start);
    if (!check_nodes(c) || !check_settings(c)) return false;
    switch (c->step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return check_window(c);
    case SINEW_RIG_AIM_OFFSET:
        return check_grid(c);
    case SINEW_RIG_LIMB:
        return check_limb_end(c);
    case SINEW_RIG_CHAIN:
        return check_method(c);
    case SINEW_RIG_BODY:
        return check_effectors(c);
    case SINEW_RIG_SPRINGS:
        return sinewi_graph_check_springs(&c->step->springs, c->index, c->problem);
    default: // the settings are all there is
        return true;
    }
}

// ---- Steps ---------------------------------------------------------------------------------------------------

// Root warps run before the pose is computed, and springs after everything else.
static bool check_order(const step_check *c) {
    if (c->index == 0) return true;
    const sinew_rig_step *before = &c->def->steps[c->index - 1];
    const sinew_rig_kind kind = c->step->kind;
    if (before->kind == SINEW_RIG_SPRINGS && kind != SINEW_RIG_SPRINGS)
        return STEP_FAULT(c, "\"%s\" comes after \"%s\"; springs must come last", c->step->name, before->name);
    if (before->kind != SINEW_RIG_ROOT_WARP && kind == SINEW_RIG_ROOT_WARP)
        return STEP_FAULT(c, "\"%s\" comes after \"%s\"; root warps must come first", c->step->name, before->name);
    return true;
}

static bool check_name(const step_check *c) {
    const char *name = c->step->name;
    if (!has_text(name)) return STEP_FAULT(c, "the name is missing");
    for (int32_t i = 0; i < c->index; i++) {
        if (strcmp(c->def->steps[i].name, name) == 0)
            return STEP_FAULT(c, "two steps are named \"%s\"; give one of them another name", name);
    }
    return true;
}

static bool check_weight(const step_check *c) {
    const sinew_rig_step *step = c->step;
    if (!is_unit(step->weight)) return STEP_FAULT(c, "the weight is %g; it must be 0 to 1", (double)step->weight);
    if (step->weight_parameter != SINEW_GRAPH_NONE &&
        !has_type(c->def, step->weight_parameter, 1 << SINEW_PARAMETER_FLOAT))
        return STEP_FAULT(c, "the weight's parameter must be a float");
    if (step->weight_curve && !has_text(step->weight_curve)) return STEP_FAULT(c, "the weight's curve has no name");
    if (!(step->damping >= 0.0f) || !isfinite(step->damping))
        return STEP_FAULT(c, "damping is %g s; it must be 0 or more", (double)step->damping);
    if (!(step->significance >= 0.0f) || !isfinite(step->significance))
        return STEP_FAULT(c, "significance is %g; it must be 0 or more", (double)step->significance);
    return true;
}

static bool check_step(const step_check *c) {
    const int kind = (int)c->step->kind;
    if (c->step->cookie != SINEWI_DEF_COOKIE) return STEP_FAULT(c, "start from sinew_rig_step_of_kind()");
    if (!check_name(c)) return false;
    if (kind < 0 || kind >= SINEWI_RIG_KIND_COUNT) return STEP_FAULT(c, "unknown kind %d", kind);
    return check_weight(c) && check_order(c) && check_kind(c);
}

static bool check_foot(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_rig_foot *foot = &def->feet[i];
    const sinewi_graph_part part = SINEWI_GRAPH_PART_FOOT;
    if (!has_text(foot->thigh) || !has_text(foot->shin) || !has_text(foot->foot))
        return sinewi_graph_fault(problem, part, i, "a foot must have a thigh, a shin and a foot");
    if (foot->toes && !has_text(foot->toes)) return sinewi_graph_fault(problem, part, i, "the toes have no name");
    if ((foot->down && !has_text(foot->down)) || (foot->up && !has_text(foot->up)))
        return sinewi_graph_fault(problem, part, i, "a marker has no name");
    if (!foot->down != !foot->up)
        return sinewi_graph_fault(problem, part, i,
                                  "a foot must have markers for both \"down\" and \"up\", or neither");
    if (!foot->down != !def->feet[0].down)
        return sinewi_graph_fault(problem, part, i, "either all feet must have markers, or none of them");
    return true;
}

bool sinewi_graph_check_steps(const sinew_graph_def *def, sinewi_graph_problem *problem) {
    for (int32_t i = 0; i < def->foot_count; i++) {
        if (!check_foot(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->step_count; i++) {
        const step_check check = {def, &def->steps[i], i, problem};
        if (!check_step(&check)) return false;
    }
    return true;
}

static bool asks_for_a_state(sinew_condition_op op) {
    switch (op) {
    case SINEW_CONDITION_TIME:
    case SINEW_CONDITION_FRACTION:
    case SINEW_CONDITION_ELAPSED:
    case SINEW_CONDITION_LOOPS:
    case SINEW_CONDITION_FINISHED:
    case SINEW_CONDITION_PAST:
    case SINEW_CONDITION_MARKER:
        return true;
    default:
        return false;
    }
}

static bool asks_for_a_trigger(const sinew_graph_def *def, const sinew_condition_node *node) {
    return node->op == SINEW_CONDITION_PARAMETER && def->parameters[node->index].type == SINEW_PARAMETER_TRIGGER;
}

bool sinewi_graph_check_step_condition(const sinew_graph_def *def, const sinew_condition *condition, int32_t step,
                                       sinewi_graph_problem *problem) {
    for (int32_t i = 0; i < condition->node_count; i++) {
        const sinew_condition_node *node = &condition->nodes[i];
        const bool is_trigger = asks_for_a_trigger(def, node);
        if (!is_trigger && !asks_for_a_state(node->op)) continue;
        sinewi_graph_fault(
            problem, SINEWI_GRAPH_PART_STEP_CONDITION, step, "%s",
            is_trigger ? "a step can't ask for a trigger, because transitions consume it; use a bool"
                       : "a step has no clip of its own; it can ask for parameters, curves, tags and states");
        problem->column = node->column;
        return false;
    }
    return true;
}

// ---- Copying -------------------------------------------------------------------------------------------------

static const char *copy_text(sinewi_layout *layout, const char *text) {
    return text ? sinewi_layout_string(layout, text) : NULL;
}

static const char *const *copy_texts(sinewi_layout *layout, const char *const *texts, int32_t count) {
    const char **copy = sinewi_layout_array(layout, const char *, (size_t)count, alignof(const char *));
    for (int32_t i = 0; i < count; i++) {
        const char *text = sinewi_layout_string(layout, texts[i]);
        if (copy) copy[i] = text;
    }
    return copy;
}

static const float *copy_numbers(sinewi_layout *layout, const float *numbers, int32_t count) {
    if (!numbers) return NULL;
    float *copy = sinewi_layout_array(layout, float, (size_t)count, alignof(float));
    if (copy) memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

static sinew_rig_goal copy_goal(sinewi_layout *layout, const sinew_rig_goal *goal) {
    sinew_rig_goal copy = *goal;
    copy.node = copy_text(layout, goal->node);
    copy.rotation = sinew_quat_normalize(goal->rotation);
    return copy;
}

static sinew_rig_grid copy_grid(sinewi_layout *layout, const sinew_rig_grid *grid) {
    sinew_rig_grid copy = *grid;
    copy.yaws = copy_numbers(layout, grid->yaws, grid->yaw_count);
    copy.pitches = copy_numbers(layout, grid->pitches, grid->pitch_count);
    copy.clips = copy_texts(layout, grid->clips, grid->yaw_count * grid->pitch_count);
    copy.reference = copy_text(layout, grid->reference);
    copy.parts = sinewi_graph_copy_parts(layout, grid->parts, grid->part_count);
    return copy;
}

static sinew_rig_body copy_body(sinewi_layout *layout, const sinew_rig_body *body) {
    const size_t count = (size_t)body->effector_count;
    sinew_rig_effector *effectors =
        sinewi_layout_array(layout, sinew_rig_effector, count, alignof(sinew_rig_effector));
    for (size_t i = 0; i < count; i++) {
        const char *node = copy_text(layout, body->effectors[i].node);
        const sinew_rig_goal goal = copy_goal(layout, &body->effectors[i].goal);
        if (!effectors) continue;
        effectors[i] = body->effectors[i];
        effectors[i].node = node;
        effectors[i].goal = goal;
    }
    sinew_rig_body copy = *body;
    copy.effectors = effectors;
    copy.settings.effectors = NULL;
    copy.settings.effector_count = 0;
    copy.settings.limits = NULL;
    copy.settings.limit_count = 0;
    return copy;
}

// Copies what a step's kind has in arrays and names, and clears what the rig fills in.
static void copy_settings(sinewi_layout *layout, const sinew_rig_step *step, sinew_rig_step *copy) {
    switch (step->kind) {
    case SINEW_RIG_ROOT_WARP:
        copy->root_warp.clip = copy_text(layout, step->root_warp.clip);
        copy->root_warp.window = copy_text(layout, step->root_warp.window);
        copy->root_warp.settings.clip = NULL;
        copy->root_warp.settings.root_motion = NULL;
        break;
    case SINEW_RIG_AIM_OFFSET:
        copy->aim_offset = copy_grid(layout, &step->aim_offset);
        break;
    case SINEW_RIG_STRIDE_WARP:
        copy->stride_warp.feet = NULL;
        break;
    case SINEW_RIG_FOOT_LOCK:
        copy->foot_lock.feet = NULL;
        break;
    case SINEW_RIG_FOOT_PLACEMENT:
        copy->foot_placement.feet = NULL;
        copy->foot_placement.ground = NULL;
        copy->foot_placement.user = NULL;
        break;
    case SINEW_RIG_CHAIN:
        copy->chain.limits = NULL;
        copy->chain.limit_count = 0;
        break;
    case SINEW_RIG_BODY:
        copy->body = copy_body(layout, &step->body);
        break;
    case SINEW_RIG_SPRINGS:
        copy->springs = sinewi_graph_copy_springs(layout, &step->springs);
        break;
    default: // the settings have no names
        break;
    }
}

static sinew_rig_step copy_step(sinewi_layout *layout, const sinew_rig_step *step) {
    sinew_rig_step copy = *step;
    copy.name = copy_text(layout, step->name);
    copy.when = copy_text(layout, step->when);
    copy.weight_curve = copy_text(layout, step->weight_curve);
    copy.goal = copy_goal(layout, &step->goal);
    copy.pole = copy_goal(layout, &step->pole);
    copy.nodes = copy_texts(layout, step->nodes, step->node_count);
    copy_settings(layout, step, &copy);
    return copy;
}

const sinew_rig_step *sinewi_graph_copy_steps(sinewi_layout *layout, const sinew_graph_def *def) {
    const size_t count = (size_t)def->step_count;
    sinew_rig_step *copy = sinewi_layout_array(layout, sinew_rig_step, count, alignof(sinew_rig_step));
    for (size_t i = 0; i < count; i++) {
        const sinew_rig_step step = copy_step(layout, &def->steps[i]);
        if (copy) copy[i] = step;
    }
    return copy;
}

const sinew_rig_foot *sinewi_graph_copy_feet(sinewi_layout *layout, const sinew_graph_def *def) {
    const size_t count = (size_t)def->foot_count;
    sinew_rig_foot *copy = sinewi_layout_array(layout, sinew_rig_foot, count, alignof(sinew_rig_foot));
    for (size_t i = 0; i < count; i++) {
        const sinew_rig_foot *foot = &def->feet[i];
        const sinew_rig_foot texts = {copy_text(layout, foot->thigh), copy_text(layout, foot->shin),
                                      copy_text(layout, foot->foot),  copy_text(layout, foot->toes),
                                      copy_text(layout, foot->down),  copy_text(layout, foot->up)};
        if (copy) copy[i] = texts;
    }
    return copy;
}
