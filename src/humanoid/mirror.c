// SPDX-License-Identifier: MIT
// Mirror maps: the plane of symmetry, the map's nodes, and mirrored poses.
#include "base/def_cookie.h"
#include "base/fail.h"
#include "humanoid/mirror_data.h"
#include "humanoid/humanoid_name.h"

#include <math.h>
#include <string.h>

typedef struct mirror_object {
    sinew_mirror map;
    sinew_mirror_data data;
    sinew_allocator allocator;
    size_t size;
} mirror_object;

typedef struct mirror_builder {
    const sinew_mirror_def *def;
    const sinew_skeleton *skeleton;
    sinew_error *error;
    sinewi_arena scratch;
    sinew_pose *pose;      // the reference
    rt_similarity *model;  // [node_count], from the reference
    int32_t *counterparts; // [node_count]
    int32_t *weights;      // [weight_count + curve_count]
    rt_vec normal;         // unit length
    bool has_role_pairs;
    float asymmetry;
    int32_t asymmetric_node;
} mirror_builder;

// ---- The plane -----------------------------------------------------------------------------------------------

static bool is_paired(const mirror_builder *b, int32_t node) {
    return node != SINEW_NO_NODE && b->counterparts[node] != SINEW_NO_NODE && b->counterparts[node] != node;
}

// Whether a node is the left one of a pair that shows the symmetry. Pairs are found by roles, or by names if no pair
// has a role, because meshes and sockets may have any origin.
static bool is_left(const mirror_builder *b, int32_t node) {
    if (!is_paired(b, node)) return false;
    if (!b->has_role_pairs) return sinewi_mirror_is_left(b->skeleton->names[node]);
    const int32_t role = sinew_humanoid_role_of(b->def->humanoid, node);
    return role != SINEW_NO_ROLE && role < sinewi_humanoid_role_mirror(role); // left roles precede right ones
}

static bool has_role_pairs(const mirror_builder *b) {
    for (int32_t role = 0; b->def->humanoid && role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (is_paired(b, b->def->humanoid->nodes[role])) return true;
    }
    return false;
}

// Sum of the directions from right to left.
static rt_vec sum_directions(const mirror_builder *b) {
    rt_vec sum = {0, 0, 0};
    for (int32_t i = 0; i < b->skeleton->node_count; i++) {
        if (!is_left(b, i)) continue;
        sum = rt_add(sum, rt_subtract(b->model[i].position, b->model[b->counterparts[i]].position));
    }
    return sum;
}

// Snaps a direction to a model-space axis within 5 degrees, or else normalizes it.
static rt_vec near_axis(rt_vec direction) {
    const double cosine = 0.99619;
    const rt_vec unit = rt_scale(direction, 1.0 / rt_length(direction));
    if (fabs(unit.x) > cosine) return rt_make_vec(copysign(1.0, unit.x), 0, 0);
    if (fabs(unit.y) > cosine) return rt_make_vec(0, copysign(1.0, unit.y), 0);
    if (fabs(unit.z) > cosine) return rt_make_vec(0, 0, copysign(1.0, unit.z));
    return unit;
}

static sinew_result find_normal(mirror_builder *b) {
    const sinew_vec3 given = b->def->normal;
    rt_vec normal = rt_make_vec((double)given.x, (double)given.y, (double)given.z);
    double square = rt_dot(normal, normal);
    if (square > 0.0) {
        b->normal = rt_scale(normal, 1.0 / sqrt(square));
        return SINEW_OK;
    }
    normal = sum_directions(b);
    square = rt_dot(normal, normal);
    if (square > 0.0 && isfinite(square)) {
        b->normal = near_axis(normal);
        return SINEW_OK;
    }
    return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                       "no node has a counterpart at a different position; pass a humanoid or a normal");
}

// ---- Symmetry ------------------------------------------------------------------------------------------------

// Distance of the plane of symmetry from the origin, along its normal. It's the mean over all pairs.
static double plane_distance(const mirror_builder *b) {
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < b->skeleton->node_count; i++) {
        if (!is_left(b, i)) continue;
        sum += rt_dot(rt_add(b->model[i].position, b->model[b->counterparts[i]].position), b->normal);
        count++;
    }
    return count > 0 ? 0.5 * sum / (double)count : 0.0;
}

static void find_asymmetry(mirror_builder *b) {
    const double plane = plane_distance(b);
    b->asymmetric_node = SINEW_NO_NODE;
    for (int32_t i = 0; i < b->skeleton->node_count; i++) {
        if (!is_left(b, i)) continue;
        const rt_vec position = b->model[b->counterparts[i]].position;
        const double beyond = rt_dot(position, b->normal) - plane;
        const rt_vec image = rt_subtract(position, rt_scale(b->normal, 2.0 * beyond));
        const float distance = (float)rt_length(rt_subtract(b->model[i].position, image));
        if (!(distance > b->asymmetry)) continue;
        b->asymmetry = distance;
        b->asymmetric_node = i;
    }
}

// ---- Nodes ---------------------------------------------------------------------------------------------------

static void make_model(const mirror_builder *b) {
    static const rt_similarity model_space = {{0, 0, 0}, {0, 0, 0, 1}, 1};
    for (int32_t i = 0; i < b->skeleton->node_count; i++) {
        const int32_t parent = b->skeleton->parents[i];
        b->model[i] = rt_child(parent == SINEW_NO_NODE ? &model_space : &b->model[parent], b->pose, i);
        b->model[i].rotation = rt_normalize(b->model[i].rotation);
    }
}

// Chooses the order of axes that maximizes the sum of squares in the rotation's matrix. Row by row, that's the
// counterpart's axis that a node's axis is closest to.
static void find_axes(rt_quat q, uint8_t axes[3]) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const rt_vec columns[3] = {rt_rotate(q, rt_make_vec(1, 0, 0)), rt_rotate(q, rt_make_vec(0, 1, 0)),
                               rt_rotate(q, rt_make_vec(0, 0, 1))};
    double best = -1.0;
    for (int i = 0; i < 6; i++) {
        const double x = columns[orders[i][0]].x, y = columns[orders[i][1]].y, z = columns[orders[i][2]].z;
        const double sum = x * x + y * y + z * z;
        if (!(sum > best + 1e-6)) continue;
        best = sum;
        memcpy(axes, orders[i], 3);
    }
}

static float scale_ratio(float own, float other) {
    const float ratio = own / other;
    return other != 0.0f && isfinite(ratio) ? ratio : 1.0f;
}

static float component(sinew_vec3 v, uint8_t axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static mirror_node make_node(const mirror_builder *b, const mirror_node *nodes, int32_t i) {
    const int32_t other = b->counterparts[i], parent = b->skeleton->parents[i];
    const rt_quat half_turn = rt_make_quat(b->normal.x, b->normal.y, b->normal.z, 0);
    const sinew_transform own = sinew_pose_get(b->pose, i), others = sinew_pose_get(b->pose, other);
    mirror_node node = {0};
    node.above = parent == SINEW_NO_NODE ? half_turn : nodes[parent].own;
    node.own = rt_normalize(
        rt_multiply(rt_conjugate(b->model[i].rotation), rt_multiply(half_turn, b->model[other].rotation)));
    const rt_quat reference = sinewi_mirror_rotation(&node, rt_pose_rotation(b->pose, other));
    if (rt_quat_dot(reference, rt_pose_rotation(b->pose, i)) < 0.0) {
        node.own = rt_make_quat(-node.own.x, -node.own.y, -node.own.z, -node.own.w);
    }
    node.offset = rt_subtract(rt_pose_translation(b->pose, i),
                              sinewi_mirror_translation(&node, rt_pose_translation(b->pose, other)));
    find_axes(node.own, node.axes);
    node.scale = (sinew_vec3){scale_ratio(own.scale.x, component(others.scale, node.axes[0])),
                              scale_ratio(own.scale.y, component(others.scale, node.axes[1])),
                              scale_ratio(own.scale.z, component(others.scale, node.axes[2]))};
    return node;
}

// ---- The object ----------------------------------------------------------------------------------------------

typedef struct mirror_arrays {
    mirror_object *object;
    mirror_node *nodes;
    int32_t *counterparts, *weights;
} mirror_arrays;

static mirror_arrays lay_out(sinewi_layout *layout, const sinew_skeleton *skeleton) {
    const size_t count = (size_t)skeleton->node_count;
    mirror_arrays arrays;
    arrays.object = sinewi_layout_array(layout, mirror_object, 1, SINEWI_ALIGNMENT);
    arrays.nodes = sinewi_layout_array(layout, mirror_node, count, 8);
    arrays.counterparts = sinewi_layout_array(layout, int32_t, count, 8);
    arrays.weights = sinewi_layout_array(layout, int32_t, (size_t)sinewi_value_count(skeleton), 8);
    return arrays;
}

static sinew_result make_object(const mirror_builder *b, sinew_mirror **mirror) {
    const sinew_skeleton *skeleton = b->skeleton;
    sinewi_layout measure = {0};
    (void)lay_out(&measure, skeleton);
    sinewi_layout layout = {(char *)sinewi_allocate(&b->def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(b->error);
    const mirror_arrays arrays = lay_out(&layout, skeleton);
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        arrays.counterparts[i] = b->counterparts[i];
        if (b->counterparts[i] != SINEW_NO_NODE) arrays.nodes[i] = make_node(b, arrays.nodes, i);
    }
    for (int32_t i = 0; i < sinewi_value_count(skeleton); i++) arrays.weights[i] = b->weights[i];
    mirror_object *object = arrays.object;
    memset(object, 0, sizeof *object);
    object->allocator = b->def->allocator;
    object->size = measure.size;
    object->data.nodes = arrays.nodes;
    object->data.weights = arrays.weights;
    object->map.skeleton = skeleton;
    object->map.counterparts = arrays.counterparts;
    object->map.normal = (sinew_vec3){(float)b->normal.x, (float)b->normal.y, (float)b->normal.z};
    object->map.asymmetry = b->asymmetry;
    object->map.asymmetric_node = b->asymmetric_node;
    object->map.data = &object->data;
    *mirror = &object->map;
    return SINEW_OK;
}

// ---- Creation ------------------------------------------------------------------------------------------------

static sinew_result check_def(const sinew_mirror_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_mirror_def: start from sinew_mirror_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->skeleton) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "no skeleton");
    if (def->reference && def->reference->skeleton != def->skeleton) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "reference belongs to a different skeleton");
    }
    if (isfinite(def->normal.x) && isfinite(def->normal.y) && isfinite(def->normal.z)) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "normal is not finite");
}

static sinew_result build(mirror_builder *b, sinew_mirror **mirror) {
    const sinew_mirror_def *def = b->def;
    const size_t count = (size_t)b->skeleton->node_count, weight_count = (size_t)sinewi_value_count(b->skeleton);
    sinew_result result = sinew_pose_create(b->skeleton, &def->allocator, &b->pose);
    b->model = sinewi_arena_array(&b->scratch, rt_similarity, count);
    b->counterparts = sinewi_arena_array(&b->scratch, int32_t, count);
    b->weights = sinewi_arena_array(&b->scratch, int32_t, weight_count);
    if (result != SINEW_OK || !b->model || !b->counterparts || !b->weights) return sinewi_fail_memory(b->error);
    if (def->reference) sinew_pose_copy(b->pose, def->reference);
    make_model(b);
    result = sinewi_mirror_find_counterparts(def, &b->scratch, b->counterparts, b->error);
    b->has_role_pairs = result == SINEW_OK && has_role_pairs(b);
    if (result == SINEW_OK) result = find_normal(b);
    if (result != SINEW_OK) return result;
    if (!sinewi_mirror_find_weights(def, b->counterparts, &b->scratch, b->weights)) {
        return sinewi_fail_memory(b->error);
    }
    find_asymmetry(b);
    return make_object(b, mirror);
}

sinew_mirror_def sinew_mirror_default(void) {
    sinew_mirror_def def = {0};
    def.cookie = SINEWI_DEF_COOKIE;
    return def;
}

sinew_result sinew_mirror_create(const sinew_mirror_def *def, sinew_mirror **mirror, sinew_error *error) {
    assert(mirror);
    *mirror = NULL;
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    mirror_builder b = {0};
    b.def = def;
    b.skeleton = def->skeleton;
    b.error = error;
    sinewi_arena_init(&b.scratch, &def->allocator);
    result = build(&b, mirror);
    sinew_pose_destroy(b.pose);
    sinewi_arena_free(&b.scratch);
    return result;
}

void sinew_mirror_destroy(sinew_mirror *mirror) {
    if (!mirror) return;
    mirror_object *object = (mirror_object *)mirror;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}
