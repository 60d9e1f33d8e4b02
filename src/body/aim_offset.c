// SPDX-License-Identifier: MIT
// Aim offsets: adds the model-space rotations of aiming poses (sinew/body/aim_offset.h).
//
// The offset rotates node i by E(i) in model space. B(i) is the node's model rotation before that. The parent p ends up
// at E(p) B(p), so the local rotation of i must be premultiplied by B(p)^-1 E(p)^-1 E(i) B(p). That's the rotation
// E(p)^-1 E(i), with its axis moved from model space to the parent's old local space.
//
// If E(i) equals E(p), the local rotation doesn't change, like the hand of an arm that turns as a whole. Such nodes are
// left out. The others are the *turned* nodes. E of any node is E of the nearest turned node at or above it.
#include "body/aim_offset_data.h"

#include "body/ik_math.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

// A node whose local rotation changes.
typedef struct turned_node {
    int32_t node;
    int32_t above; // the nearest turned ancestor as an index into the turned nodes; -1 for none
    float factor;  // from the mask
} turned_node;

struct sinew_aim_offset {
    const sinew_skeleton *skeleton;
    float yaws[SINEW_MAX_AIM_POSES], pitches[SINEW_MAX_AIM_POSES];
    int32_t yaw_count, pitch_count;
    int32_t node_count;
    const turned_node *nodes; // [node_count], parents first
    const sinew_quat *turns;  // [node_count × pitch_count × yaw_count]: D of each node in each pose, w >= 0
    sinew_allocator allocator;
    size_t size;
};

sinew_aim_offset_def sinew_aim_offset_default(void) {
    return (sinew_aim_offset_def){.yaw_count = 1, .pitch_count = 1, .cookie = SINEWI_DEF_COOKIE};
}

// ---- Making --------------------------------------------------------------------------------------------------

typedef struct aim_maker {
    const sinew_aim_offset_def *def;
    int32_t pose_count, node_count;
    sinewi_arena scratch;
    sinew_pose *pose;
    sinew_quat *reference, *posed; // [node_count], rotations in model space
    sinew_quat *turns;             // [node_count × pose_count]
    int32_t *turned;               // [node_count], the turned node's own index, or its nearest turned ancestor's
    int32_t turned_count;
} aim_maker;

static bool is_increasing(const float *values, int32_t count) {
    if (count < 1 || count > SINEW_MAX_AIM_POSES || (!values && count != 1)) return false;
    for (int32_t i = 0; i < count && values; i++) {
        if (!isfinite(values[i]) || (i > 0 && !(values[i] > values[i - 1]))) return false;
    }
    return true;
}

static sinew_result check_def(const sinew_aim_offset_def *def, sinew_error *error) {
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "aim offset: no skeleton");
    if (!is_increasing(def->yaws, def->yaw_count) || !is_increasing(def->pitches, def->pitch_count)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "aim offset: yaws and pitches must be 1 to %d finite, increasing numbers",
                           SINEW_MAX_AIM_POSES);
    }
    for (int32_t i = 0; i < def->yaw_count * def->pitch_count; i++) {
        const sinew_clip *clip = def->clips ? def->clips[i] : NULL;
        const char *fault = !clip                             ? "is missing"
                            : clip->skeleton != def->skeleton ? "belongs to a different skeleton"
                            : clip->additive                  ? "is additive; use the clip that it was made from"
                                                              : NULL;
        if (fault) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "aim offset: clip %d %s", (int)i, fault);
    }
    bool has_foreign = (def->reference && def->reference->skeleton != def->skeleton) ||
                       (def->mask && def->mask->skeleton != def->skeleton);
    if (!has_foreign) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "aim offset: the %s belongs to a different skeleton",
                       def->mask && def->mask->skeleton != def->skeleton ? "mask" : "reference");
}

static void find_model_rotations(const sinew_pose *pose, sinew_quat *rotations) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        int32_t parent = pose->skeleton->parents[i];
        sinew_quat local = ik_get_rotation(pose, i);
        rotations[i] = ik_quat_normalize(parent == SINEW_NO_NODE ? local : ik_multiply(rotations[parent], local));
    }
}

static float factor_of(const aim_maker *m, int32_t node) {
    return m->def->mask ? m->def->mask->nodes[node] : 1.0f;
}

// Finds each node's rotation from the reference to one pose, in model space.
static void find_turns(aim_maker *m, int32_t index) {
    sinew_clip_sample(m->def->clips[index], 0.0f, m->pose);
    find_model_rotations(m->pose, m->posed);
    for (int32_t i = 0; i < m->node_count; i++) {
        sinew_quat turn = ik_quat_normalize(ik_multiply(m->posed[i], ik_inverse(m->reference[i])));
        if (turn.w < 0.0f) turn = (sinew_quat){-turn.x, -turn.y, -turn.z, -turn.w};
        m->turns[(ptrdiff_t)i * m->pose_count + index] = turn;
    }
}

// Whether two nodes have the same offset in each pose. Either may be SINEW_NO_NODE.
static bool have_equal_turns(const aim_maker *m, int32_t a, int32_t b) {
    const float noise = 1e-6f; // of a component
    for (int32_t k = 0; k < m->pose_count; k++) {
        sinew_quat p = m->turns[(ptrdiff_t)a * m->pose_count + k];
        sinew_quat q = b == SINEW_NO_NODE ? ik_identity : m->turns[(ptrdiff_t)b * m->pose_count + k];
        if (!(fabsf(p.x - q.x) <= noise && fabsf(p.y - q.y) <= noise && fabsf(p.z - q.z) <= noise)) return false;
    }
    return b == SINEW_NO_NODE || factor_of(m, a) == factor_of(m, b);
}

// Finds the turned nodes. `source` receives the nearest turned node at or above each node.
static void find_turned_nodes(aim_maker *m, int32_t *source) {
    for (int32_t i = 0; i < m->node_count; i++) {
        int32_t parent = m->def->skeleton->parents[i], above = parent == SINEW_NO_NODE ? parent : source[parent];
        bool follows = !(factor_of(m, i) > 0.0f) || have_equal_turns(m, i, above);
        source[i] = follows ? above : i;
        m->turned[i] = follows ? (above == SINEW_NO_NODE ? -1 : m->turned[above]) : m->turned_count++;
    }
}

static sinew_result prepare(aim_maker *m, int32_t **source) {
    size_t nodes = (size_t)m->node_count;
    m->reference = sinewi_arena_array(&m->scratch, sinew_quat, nodes);
    m->posed = sinewi_arena_array(&m->scratch, sinew_quat, nodes);
    m->turns = sinewi_arena_array(&m->scratch, sinew_quat, nodes * (size_t)m->pose_count);
    m->turned = sinewi_arena_array(&m->scratch, int32_t, nodes);
    *source = sinewi_arena_array(&m->scratch, int32_t, nodes);
    bool has_memory = m->reference && m->posed && m->turns && m->turned && *source;
    if (!has_memory) return SINEW_ERROR_OUT_OF_MEMORY;
    return sinew_pose_create(m->def->skeleton, &m->def->allocator, &m->pose);
}

// Reserves memory for the object and its arrays.
static sinew_aim_offset *lay_out(sinewi_layout *layout, const aim_maker *m, turned_node **nodes,
                                 sinew_quat **turns) {
    sinew_aim_offset *aim = sinewi_layout_array(layout, sinew_aim_offset, 1, SINEWI_ALIGNMENT);
    *nodes = sinewi_layout_array(layout, turned_node, (size_t)m->turned_count, SINEWI_ALIGNMENT);
    *turns =
        sinewi_layout_array(layout, sinew_quat, (size_t)m->turned_count * (size_t)m->pose_count, SINEWI_ALIGNMENT);
    return aim;
}

static void fill_nodes(const aim_maker *m, const int32_t *source, turned_node *nodes, sinew_quat *turns) {
    size_t row = (size_t)m->pose_count;
    for (int32_t i = 0; i < m->node_count; i++) {
        if (source[i] != i) continue;
        int32_t parent = m->def->skeleton->parents[i];
        turned_node *node = &nodes[m->turned[i]];
        *node = (turned_node){i, parent == SINEW_NO_NODE ? -1 : m->turned[parent], factor_of(m, i)};
        memcpy(&turns[(size_t)m->turned[i] * row], &m->turns[(size_t)i * row], row * sizeof *turns);
    }
}

static sinew_result make(aim_maker *m, sinew_aim_offset **out) {
    const sinew_aim_offset_def *def = m->def;
    int32_t *source;
    sinew_result result = prepare(m, &source);
    if (result != SINEW_OK) return result;
    if (def->reference) sinew_pose_copy(m->pose, def->reference);
    find_model_rotations(m->pose, m->reference); // a new pose holds the rest pose
    for (int32_t i = 0; i < m->pose_count; i++) find_turns(m, i);
    find_turned_nodes(m, source);

    turned_node *nodes;
    sinew_quat *turns;
    sinewi_layout measure = {0};
    lay_out(&measure, m, &nodes, &turns);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return SINEW_ERROR_OUT_OF_MEMORY;
    sinew_aim_offset *aim = lay_out(&layout, m, &nodes, &turns);
    fill_nodes(m, source, nodes, turns);
    *aim = (sinew_aim_offset){
        .skeleton = def->skeleton,
        .yaw_count = def->yaw_count,
        .pitch_count = def->pitch_count,
        .node_count = m->turned_count,
        .nodes = nodes,
        .turns = turns,
        .allocator = def->allocator,
        .size = measure.size,
    };
    for (int32_t i = 0; i < def->yaw_count && def->yaws; i++) aim->yaws[i] = def->yaws[i];
    for (int32_t i = 0; i < def->pitch_count && def->pitches; i++) aim->pitches[i] = def->pitches[i];
    *out = aim;
    return SINEW_OK;
}

sinew_result sinew_aim_offset_create(const sinew_aim_offset_def *def, sinew_aim_offset **aim, sinew_error *error) {
    assert(aim);
    *aim = NULL;
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_aim_offset_def: start from sinew_aim_offset_default()", error);
    if (result == SINEW_OK) result = check_def(def, error);
    if (result != SINEW_OK) return result;
    aim_maker maker = {
        .def = def, .pose_count = def->yaw_count * def->pitch_count, .node_count = def->skeleton->node_count};
    sinewi_arena_init(&maker.scratch, &def->allocator);
    result = make(&maker, aim);
    sinew_pose_destroy(maker.pose);
    sinewi_arena_free(&maker.scratch);
    return result == SINEW_OK ? result : sinewi_fail_memory(error);
}

void sinew_aim_offset_destroy(sinew_aim_offset *aim) {
    if (!aim) return;
    sinew_allocator allocator = aim->allocator;
    sinewi_release(&allocator, aim, aim->size, SINEWI_ALIGNMENT);
}

size_t sinewi_aim_offset_memory(const sinew_aim_offset *aim) {
    return aim->size;
}

// ---- Applying ------------------------------------------------------------------------------------------------

// Two neighboring columns or rows of the grid, and the weight of the second.
typedef struct grid_span {
    int32_t first, second;
    float part;
} grid_span;

static grid_span find_span(const float *values, int32_t count, float at) {
    int32_t i = 0;
    while (i + 1 < count && at >= values[i + 1]) i++;
    if (i + 1 == count || !(at > values[i])) return (grid_span){i, i, 0.0f};
    return (grid_span){i, i + 1, (at - values[i]) / (values[i + 1] - values[i])};
}

// The grid's four poses around a direction, and their weights.
typedef struct grid_cell {
    int32_t poses[4];
    float weights[4];
    float weight;
} grid_cell;

static grid_cell find_cell(const sinew_aim_offset *aim, float yaw, float pitch, float weight) {
    grid_span x = find_span(aim->yaws, aim->yaw_count, yaw), y = find_span(aim->pitches, aim->pitch_count, pitch);
    return (grid_cell){
        {y.first * aim->yaw_count + x.first, y.first * aim->yaw_count + x.second,
         y.second * aim->yaw_count + x.first, y.second * aim->yaw_count + x.second},
        {(1.0f - y.part) * (1.0f - x.part), (1.0f - y.part) * x.part, y.part * (1.0f - x.part), y.part * x.part},
        weight,
    };
}

// E of a turned node, blended from the grid. The identity for index -1.
static sinew_quat rotation_in_model(const sinew_aim_offset *aim, const grid_cell *cell, int32_t index) {
    if (index < 0) return ik_identity;
    const sinew_quat *turns = aim->turns + (ptrdiff_t)index * aim->yaw_count * aim->pitch_count;
    sinew_quat sum = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        sinew_quat q = turns[cell->poses[i]];
        float w = cell->weights[i];
        sum = (sinew_quat){sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z, sum.w + w * q.w};
    }
    float square = ik_quat_square(sum), f = cell->weight * aim->nodes[index].factor;
    if (!ik_is_normalizable(square)) return ik_identity; // half turns that cancel out
    sum = ik_quat_scale_to_unit(sum, square);
    return ik_quat_normalize((sinew_quat){f * sum.x, f * sum.y, f * sum.z, (1.0f - f) + f * sum.w});
}

// Rotates a node by a model-space rotation relative to its parent.
static void rotate_node(sinew_pose *pose, int32_t node, sinew_quat turn, const sinew_affine *model) {
    ik_matrix into = ik_to_local(model, pose->skeleton->parents[node]);
    sinew_vec3 axis = ik_transform(into, (sinew_vec3){turn.x, turn.y, turn.z});
    float sine2 = turn.x * turn.x + turn.y * turn.y + turn.z * turn.z, axis2 = ik_dot(axis, axis);
    if (!(sine2 > 0.0f) || !ik_is_normalizable(axis2)) return;
    sinew_quat q = ik_multiply(ik_axis_quat(axis, sqrtf(sine2 / axis2), turn.w), ik_get_rotation(pose, node));
    float square = ik_quat_square(q);
    if (ik_is_normalizable(square)) ik_set_rotation(pose, node, ik_quat_scale_to_unit(q, square), 1.0f);
}

void sinew_aim_offset_apply(const sinew_aim_offset *aim, float yaw, float pitch, float weight, sinew_pose *pose,
                            sinew_affine *model) {
    assert(aim && pose && model && pose->skeleton == aim->skeleton);
    weight = ik_clamp01(weight);
    if (!(weight > 0.0f)) return;
    grid_cell cell = find_cell(aim, yaw, pitch, weight);
    sinew_quat last = ik_identity; // of the previous node, often the nearest one above
    for (int32_t i = 0; i < aim->node_count; i++) {
        const turned_node *node = &aim->nodes[i];
        sinew_quat above = node->above == i - 1 ? last : rotation_in_model(aim, &cell, node->above);
        sinew_quat turn = rotation_in_model(aim, &cell, i);
        rotate_node(pose, node->node, ik_multiply(ik_inverse(above), turn), model);
        last = turn;
    }
    for (int32_t i = 0; i < aim->node_count; i++) {
        if (aim->nodes[i].above < 0) sinew_pose_to_model_below(pose, aim->nodes[i].node, model);
    }
}
