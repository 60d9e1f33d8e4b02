// SPDX-License-Identifier: MIT
// Checks the rig steps of a graph's definition, and copies them.
#include "motion/graph_step.h"
#include "base/def_cookie.h"

#include <math.h>
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

static bool is_unit_rotation(sinew_quat q) {
    const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return length > 0.998f && length < 1.002f;
}

// Whether a parameter has one of these types, as a sum of 1 << sinew_parameter_type.
static bool has_type(const sinew_graph_def *def, int32_t parameter, int types) {
    if (parameter < 0 || parameter >= def->parameter_count) return false;
    return (types >> (int)def->parameters[parameter].type & 1) != 0;
}

static bool check_goal(const step_check *c, const sinew_rig_goal *goal, const char *what, bool required) {
    const int places = 1 << SINEW_PARAMETER_VECTOR3 | 1 << SINEW_PARAMETER_TRANSFORM;
    if (goal->parameter != SINEW_GRAPH_NONE && goal->node)
        return STEP_FAULT(c, "the %s has both a parameter and a node; it must have one of them", what);
    if (goal->parameter == SINEW_GRAPH_NONE && !goal->node)
        return !required || STEP_FAULT(c, "the %s is missing; it must be a parameter or a node", what);
    if (goal->node && !has_text(goal->node)) return STEP_FAULT(c, "the %s's node has no name", what);
    if (!goal->node && !has_type(c->def, goal->parameter, places))
        return STEP_FAULT(c, "the %s must be a vector3 or a transform", what);
    if (!is_finite_vector(goal->offset)) return STEP_FAULT(c, "the %s's offset must be finite", what);
    return is_unit_rotation(goal->rotation) || STEP_FAULT(c, "the %s's rotation must have length 1", what);
}

static bool check_input(const step_check *c, sinew_parameter_type type, const char *word) {
    return has_type(c->def, c->step->input, 1 << type) || STEP_FAULT(c, "the input must be a %s", word);
}

static bool check_root_warp(const step_check *c) {
    const sinew_rig_root_warp *warp = &c->step->root_warp;
    if (!has_text(warp->clip)) return STEP_FAULT(c, "the clip is missing");
    const float start = warp->settings.start, end = warp->settings.end;
    if (!warp->window && !(start >= 0.0f && start < end && isfinite(end)))
        return STEP_FAULT(c, "start is %g s and end is %g s; the end must be later, or `window` must name markers",
                          (double)start, (double)end);
    if (warp->window && warp->window[0] == '\0') return STEP_FAULT(c, "the window has no name");
    if (!has_type(c->def, c->step->goal.parameter, 1 << SINEW_PARAMETER_TRANSFORM))
        return STEP_FAULT(c, "the goal must be a transform");
    return check_goal(c, &c->step->goal, "goal", true);
}

static bool check_axis(const step_check *c, const float *values, int32_t count, const char *what) {
    if (count < 1 || count > SINEW_MAX_AIM_POSES || (count > 1 && !values))
        return STEP_FAULT(c, "%d %s; there must be 1 to %d", (int)count, what, SINEW_MAX_AIM_POSES);
    for (int32_t i = 0; values && i < count; i++) {
        if (!isfinite(values[i]) || (i > 0 && !(values[i] > values[i - 1])))
            return STEP_FAULT(c, "the %s must be numbers in increasing order", what);
    }
    return true;
}

static bool check_grid(const step_check *c) {
    const sinew_rig_grid *grid = &c->step->aim_offset;
    if (!check_input(c, SINEW_PARAMETER_VECTOR2, "vector2") ||
        !check_axis(c, grid->yaws, grid->yaw_count, "yaws") ||
        !check_axis(c, grid->pitches, grid->pitch_count, "pitches"))
        return false;
    const int32_t count = grid->yaw_count * grid->pitch_count;
    for (int32_t i = 0; i < count; i++) {
        if (!grid->clips || !has_text(grid->clips[i]))
            return STEP_FAULT(c, "clip %d is missing; there must be %d, one for each yaw and pitch", (int)i,
                              (int)count);
    }
    if (grid->reference && !has_text(grid->reference)) return STEP_FAULT(c, "the reference has no name");
    return sinewi_graph_check_parts(grid->parts, grid->part_count, SINEWI_GRAPH_PART_STEP, c->index, c->problem);
}

static bool check_effectors(const step_check *c) {
    const sinew_rig_body *body = &c->step->body;
    if (body->effector_count < 1 || body->effector_count > SINEW_MAX_EFFECTORS || !body->effectors)
        return STEP_FAULT(c, "%d effectors; there must be 1 to %d", (int)body->effector_count, SINEW_MAX_EFFECTORS);
    for (int32_t i = 0; i < body->effector_count; i++) {
        const sinew_rig_effector *effector = &body->effectors[i];
        if (!has_text(effector->node)) return STEP_FAULT(c, "effector %d has no node", (int)i);
        if (!is_unit(effector->pull)) return STEP_FAULT(c, "the pull of effector %d must be 0 to 1", (int)i);
        if (!check_goal(c, &effector->goal, "effector's goal", !effector->pin)) return false;
    }
    return true;
}

static bool check_springs(const step_check *c) {
    const sinew_rig_springs *springs = &c->step->springs;
    if (springs->chain_count < 0 || (springs->chain_count > 0 && !springs->chains))
        return STEP_FAULT(c, "%d chains%s", (int)springs->chain_count,
                          springs->chains ? "" : ", but the array is NULL");
    for (int32_t i = 0; i < springs->chain_count; i++) {
        const sinew_rig_spring *chain = &springs->chains[i];
        if (!has_text(chain->root) || (chain->tip && !has_text(chain->tip)))
            return STEP_FAULT(c, "chain %d has no %s", (int)i, has_text(chain->root) ? "tip" : "root");
    }
    return true;
}

// How many nodes a step may have: an exact number, or up to a number.
static bool check_node_count(const step_check *c) {
    static const struct {
        int least, most;
    } counts[] = {[SINEW_RIG_ORIENTATION_WARP] = {0, SINEW_MAX_RIG_NODES},
                  [SINEW_RIG_STRIDE_WARP] = {0, 1},
                  [SINEW_RIG_FOOT_PLACEMENT] = {0, 1},
                  [SINEW_RIG_LIMB] = {1, 3},
                  [SINEW_RIG_CHAIN] = {2, 2},
                  [SINEW_RIG_BODY] = {0, 1},
                  [SINEW_RIG_AIM] = {1, 2},
                  [SINEW_RIG_CALLBACK] = {0, 0}};
    const sinew_rig_step *step = c->step;
    const int least = counts[step->kind].least, most = counts[step->kind].most;
    const bool is_limb_pair = step->kind == SINEW_RIG_LIMB && step->node_count == 2;
    if (step->node_count < least || step->node_count > most || is_limb_pair)
        return STEP_FAULT(c, "%d nodes; there must be %s", (int)step->node_count,
                          step->kind == SINEW_RIG_LIMB ? "1, the end, or 3: upper, lower and end"
                          : most == 0                  ? "none"
                          : least == most              ? "2, a root and a tip"
                                                       : "fewer or more, see sinew_rig_kind");
    for (int32_t i = 0; i < step->node_count; i++) {
        if (!step->nodes || !has_text(step->nodes[i])) return STEP_FAULT(c, "node %d has no name", (int)i);
    }
    return true;
}

static bool check_kind(const step_check *c) {
    const sinew_rig_step *step = c->step;
    if (!check_node_count(c)) return false;
    switch (step->kind) {
    case SINEW_RIG_ROOT_WARP:
        return check_root_warp(c);
    case SINEW_RIG_AIM_OFFSET:
        return check_grid(c);
    case SINEW_RIG_ORIENTATION_WARP:
    case SINEW_RIG_STRIDE_WARP:
        return check_input(c, SINEW_PARAMETER_FLOAT, "float");
    case SINEW_RIG_LIMB:
    case SINEW_RIG_CHAIN:
        return check_goal(c, &step->goal, "goal", true) && check_goal(c, &step->pole, "pole", false);
    case SINEW_RIG_AIM:
        return check_goal(c, &step->goal, "goal", true);
    case SINEW_RIG_BODY:
        return check_effectors(c);
    case SINEW_RIG_SPRINGS:
        return check_springs(c);
    case SINEW_RIG_FOOT_LOCK:
    case SINEW_RIG_FOOT_PLACEMENT:
    case SINEW_RIG_CALLBACK:
        break;
    }
    return true;
}

// Root warps run before the pose is computed, and springs after everything else.
static bool check_order(const step_check *c) {
    if (c->index == 0) return true;
    const sinew_rig_kind before = c->def->steps[c->index - 1].kind, kind = c->step->kind;
    if (before == SINEW_RIG_SPRINGS && kind != SINEW_RIG_SPRINGS)
        return STEP_FAULT(c, "\"%s\" comes after springs; springs must be last", c->step->name);
    if (before != SINEW_RIG_ROOT_WARP && kind == SINEW_RIG_ROOT_WARP)
        return STEP_FAULT(c, "\"%s\" comes after other steps; root warps must be first", c->step->name);
    return true;
}

static bool check_step(const step_check *c) {
    const sinew_graph_def *def = c->def;
    const sinew_rig_step *step = c->step;
    if (step->cookie != SINEWI_DEF_COOKIE) return STEP_FAULT(c, "start from sinew_rig_step_default()");
    if (!has_text(step->name)) return STEP_FAULT(c, "the name is missing");
    for (int32_t i = 0; i < c->index; i++) {
        if (strcmp(def->steps[i].name, step->name) == 0)
            return STEP_FAULT(c, "two steps are named \"%s\"", step->name);
    }
    if ((int)step->kind < SINEW_RIG_ROOT_WARP || (int)step->kind > SINEW_RIG_CALLBACK)
        return STEP_FAULT(c, "unknown kind %d", (int)step->kind);
    if (!is_unit(step->weight)) return STEP_FAULT(c, "the weight is %g; it must be 0 to 1", (double)step->weight);
    if (step->weight_parameter != SINEW_GRAPH_NONE &&
        !has_type(def, step->weight_parameter, 1 << SINEW_PARAMETER_FLOAT))
        return STEP_FAULT(c, "the weight's parameter must be a float");
    if (step->weight_curve && !has_text(step->weight_curve)) return STEP_FAULT(c, "the weight's curve has no name");
    if (!(step->damping >= 0.0f) || !isfinite(step->damping))
        return STEP_FAULT(c, "damping is %g s; it must be 0 or more", (double)step->damping);
    return check_order(c) && check_kind(c);
}

static bool check_foot(const sinew_graph_def *def, int32_t i, sinewi_graph_problem *problem) {
    const sinew_rig_foot *foot = &def->feet[i];
    const sinewi_graph_part part = SINEWI_GRAPH_PART_FOOT;
    if (!has_text(foot->thigh) || !has_text(foot->shin) || !has_text(foot->foot))
        return sinewi_graph_fault(problem, part, i, "a foot must have a thigh, a shin and a foot");
    if (foot->toes && !has_text(foot->toes)) return sinewi_graph_fault(problem, part, i, "the toes have no name");
    if ((foot->down != NULL) != (foot->up != NULL) || (foot->down != NULL) != (def->feet[0].down != NULL))
        return sinewi_graph_fault(problem, part, i, "all feet must have markers for down and up, or none of them");
    return true;
}

bool sinewi_graph_check_steps(const sinew_graph_def *def, sinewi_graph_problem *problem) {
    for (int32_t i = 0; i < def->foot_count; i++) {
        if (!check_foot(def, i, problem)) return false;
    }
    for (int32_t i = 0; i < def->step_count; i++) {
        if (!check_step(&(step_check){def, &def->steps[i], i, problem})) return false;
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

const sinew_mask_part *sinewi_graph_copy_parts(sinewi_layout *layout, const sinew_mask_part *parts, int32_t count) {
    sinew_mask_part *copy = sinewi_layout_array(layout, sinew_mask_part, (size_t)count, alignof(sinew_mask_part));
    for (int32_t i = 0; i < count; i++) {
        const char *name = copy_text(layout, parts[i].name);
        if (!copy) continue;
        copy[i] = parts[i];
        copy[i].name = name;
    }
    return copy;
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
    return copy;
}

static sinew_rig_springs copy_springs(sinewi_layout *layout, const sinew_rig_springs *springs) {
    const size_t count = (size_t)springs->chain_count;
    sinew_rig_spring *chains = sinewi_layout_array(layout, sinew_rig_spring, count, alignof(sinew_rig_spring));
    for (size_t i = 0; i < count; i++) {
        const char *root = copy_text(layout, springs->chains[i].root);
        const char *tip = copy_text(layout, springs->chains[i].tip);
        if (!chains) continue;
        chains[i] = springs->chains[i];
        chains[i].root = root;
        chains[i].tip = tip;
    }
    return (sinew_rig_springs){springs->chain_count, chains};
}

// Copies what a step's kind has in arrays and names.
static void copy_settings(sinewi_layout *layout, const sinew_rig_step *step, sinew_rig_step *copy) {
    switch (step->kind) {
    case SINEW_RIG_ROOT_WARP:
        copy->root_warp.clip = copy_text(layout, step->root_warp.clip);
        copy->root_warp.window = copy_text(layout, step->root_warp.window);
        break;
    case SINEW_RIG_AIM_OFFSET:
        copy->aim_offset = copy_grid(layout, &step->aim_offset);
        break;
    case SINEW_RIG_BODY:
        copy->body = copy_body(layout, &step->body);
        break;
    case SINEW_RIG_SPRINGS:
        copy->springs = copy_springs(layout, &step->springs);
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
