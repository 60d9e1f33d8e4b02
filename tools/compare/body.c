// SPDX-License-Identifier: MIT
// Lists the points to measure, and the bones that carry them.
#include "compare/internal.h"

#include <math.h>
#include <string.h>

// B's vertices correspond to A's if all of them are this close in the rest pose, as a fraction of the size.
#define SAME_VERTEX 0.002

// ---- Parts ---------------------------------------------------------------------------------------------------------

// The lists while they grow.
typedef struct builder {
    compare_body *body;
    compare_bone *bones;
    compare_part *parts;
    int32_t bone_capacity, part_capacity;
    ref_pose rest[2];
    int32_t *mesh_child; // [nodes of B]; negative if there is none
    bool *may_differ;    // [nodes of A]; animated in a file, different in the rest pose, or below such a node
    bool failed;
} builder;

static void *grow(builder *b, void *list, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity) return list;
    const int32_t larger = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = larger > *capacity ? sinewi_arena_take(b->body->arena, (size_t)larger, size, 16) : NULL;
    if (!grown) {
        b->failed = true;
        return list;
    }
    if (count > 0) memcpy(grown, list, (size_t)count * size);
    *capacity = larger;
    return grown;
}

static void add_bone(builder *b, compare_bone bone) {
    compare_body *body = b->body;
    b->bones = (compare_bone *)grow(b, b->bones, body->bone_count, &b->bone_capacity, sizeof bone);
    if (!b->failed) b->bones[body->bone_count++] = bone;
    body->bones = b->bones;
}

static compare_part *add_part(builder *b, compare_part part) {
    compare_body *body = b->body;
    b->parts = (compare_part *)grow(b, b->parts, body->part_count, &b->part_capacity, sizeof part);
    body->parts = b->parts;
    if (b->failed) return NULL;
    b->parts[body->part_count] = part;
    return &b->parts[body->part_count++];
}

// Returns B's skin if its joints are A's in the same order, or NULL.
static const ref_skin *same_skin(const compare_body *body, const ref_skin *skin, int32_t node) {
    const int32_t index = node >= 0 ? body->models[1]->nodes[node].skin : -1;
    if (index < 0) return NULL;
    const ref_skin *other = &body->models[1]->skins[index];
    if (other->joint_count != skin->joint_count) return NULL;
    for (int32_t i = 0; i < skin->joint_count; i++) {
        if (body->node_of[skin->joints[i]] != other->joints[i]) return NULL;
    }
    return other;
}

// Returns an upper bound for the spectral norm of a matrix's 3x3.
static double norm_of(const double *matrix) {
    double sum = 0.0;
    if (!matrix) return 1.0;
    for (int i = 0; i < 11; i++) sum += i % 4 != 3 ? matrix[i] * matrix[i] : 0.0;
    return sqrt(sum);
}

// Units that differ from 1 by at most this are rounding.
#define SAME_UNIT 0.01

// Returns the unit of B's vertices, relative to A's. It differs if they're integers, and the bind matrices in B's skin
// have it as a scale.
static double unit_of(const ref_skin *skin, const ref_skin *other) {
    double sums[2] = {0.0, 0.0};
    for (ptrdiff_t i = 0; i < skin->joint_count; i++) {
        sums[0] += norm_of(skin->inverse_binds + 16 * i);
        sums[1] += norm_of(other->inverse_binds + 16 * i);
    }
    const double unit = sums[1] / sums[0];
    return isnormal(unit) && fabs(unit - 1.0) > SAME_UNIT ? unit : 1.0;
}

// Returns the bind matrix for vertices multiplied by the unit.
static const double *rescale(builder *b, const double *bind, double unit) {
    double *out = unit != 1.0 ? sinewi_arena_array(b->body->arena, double, 16) : NULL;
    if (unit == 1.0) return bind;
    if (!out) b->failed = true;
    for (int i = 0; out && i < 16; i++) out[i] = i < 12 ? bind[i] / unit : bind[i];
    return out;
}

// Adds a bone for each joint. If B has no skin, its joints get A's bind matrices.
static void add_joints(builder *b, const ref_skin *skin, const ref_skin *other, double unit) {
    for (ptrdiff_t i = 0; i < skin->joint_count && !b->failed; i++) {
        const double *bind = skin->inverse_binds + 16 * i;
        add_bone(b, (compare_bone){{skin->joints[i], b->body->node_of[skin->joints[i]]},
                                   {bind, other ? rescale(b, other->inverse_binds + 16 * i, unit) : bind}});
    }
}

static bool equal_numbers(const double *a, const double *b, size_t count) {
    return a == b || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

// Returns whether B's vertices may correspond to A's. B has fewer if equal vertices were merged.
static bool same_counts(const ref_primitive *a, const ref_primitive *b) {
    return b->vertex_count > 0 && b->vertex_count <= a->vertex_count && a->influences == b->influences &&
           a->target_count == b->target_count;
}

// Returns whether two primitives' vertices have the same joints. Positions, displacements and weights may differ.
static bool same_joints(const ref_primitive *a, const ref_primitive *b) {
    const size_t influences = (size_t)a->vertex_count * (size_t)a->influences;
    for (size_t i = 0; i < influences; i++) {
        if (a->joints[i] != b->joints[i] && (a->weights[i] > 0.0 || b->weights[i] > 0.0)) return false;
    }
    return true;
}

// Returns whether both files' vertices are at the same positions in the rest pose, except for quantization.
static bool same_positions(const compare_body *body, const ref_pose poses[2], int32_t index) {
    for (int32_t v = 0; v < body->parts[index].primitives[0]->vertex_count; v++) {
        double positions[2][3];
        compare_positions(body, poses, (compare_point){index, v}, positions);
        if (!(compare_distance(positions[0], positions[1]) <= SAME_VERTEX * body->size)) return false;
    }
    return true;
}

static bool all_joints_matched(const compare_body *body, const ref_primitive *primitive, const ref_skin *skin) {
    const size_t count = (size_t)primitive->vertex_count * (size_t)primitive->influences;
    for (size_t i = 0; i < count; i++) {
        if (primitive->weights[i] > 0.0 && body->node_of[skin->joints[primitive->joints[i]]] < 0) return false;
    }
    return true;
}

// Returns B's corresponding primitive, or A's own.
static const ref_primitive *other_primitive(const compare_body *body, int32_t node, const ref_mesh *mesh,
                                            int32_t index) {
    const int32_t other = node >= 0 ? body->models[1]->nodes[node].mesh : -1;
    if (other < 0 || body->models[1]->meshes[other].primitive_count != mesh->primitive_count)
        return &mesh->primitives[index];
    return &body->models[1]->meshes[other].primitives[index];
}

static bool have_targets(const compare_body *body, const int32_t nodes[2], int32_t count) {
    return count > 0 && nodes[1] >= 0 && body->models[0]->nodes[nodes[0]].weight_count == count &&
           body->models[1]->nodes[nodes[1]].weight_count == count;
}

// A mesh's first bones: with each file's own bind matrices, and with A's on both sides.
typedef struct mesh_bones {
    int32_t own, carried;
    bool has_own;
    double unit; // of the own vertices
} mesh_bones;

// Inverts a matrix without its fourth row. Returns false if it's singular.
static bool invert(const double m[16], double out[16]) {
    double determinant = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double *a = m + 4 * (ptrdiff_t)((i + 1) % 3), *b = m + 4 * (ptrdiff_t)((i + 2) % 3);
            out[4 * k + i] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]; // cofactors
        }
    }
    for (int k = 0; k < 3; k++) determinant += m[k] * out[(ptrdiff_t)4 * k];
    for (int k = 0; k < 12; k++) out[k] /= determinant;
    for (int row = 0; row < 3; row++) {
        out[12 + row] = -(out[row] * m[12] + out[4 + row] * m[13] + out[8 + row] * m[14]);
    }
    out[3] = out[7] = out[11] = 0.0;
    out[15] = 1.0;
    return isfinite(1.0 / determinant);
}

// Returns the matrix from A's node to B's node in the rest pose, for A's vertices on B's node. It's needed if
// quantization has moved the vertices' scale to B's node. NULL if the scale is the same.
static const double *rebase(builder *b, const int32_t nodes[2]) {
    const double *from = b->rest[0].worlds + 16 * (ptrdiff_t)nodes[0],
                 *to = b->rest[1].worlds + 16 * (ptrdiff_t)nodes[1];
    double apart = 0.0, inverse[16];
    for (int i = 0; i < 11; i++) apart = fmax(apart, fabs(from[i] - to[i]));
    if (apart <= 1e-3 * norm_of(from) || !invert(to, inverse)) return NULL;
    double *bind = sinewi_arena_array(b->body->arena, double, 16);
    if (!bind) b->failed = true;
    for (int column = 0; column < 4 && bind; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int i = 0; i < 4; i++) sum += inverse[4 * i + row] * from[4 * column + i];
            bind[4 * column + row] = sum;
        }
    }
    return bind;
}

static mesh_bones add_mesh_bones(builder *b, const ref_skin *skin, const int32_t nodes[2]) {
    mesh_bones bones = {.own = b->body->bone_count, .unit = 1.0};
    if (!skin) {
        add_bone(b, (compare_bone){{nodes[0], nodes[1]}, {NULL, NULL}});
        const double *bind = rebase(b, nodes);
        if (bind) add_bone(b, (compare_bone){{nodes[0], nodes[1]}, {NULL, bind}});
        return (mesh_bones){bones.own, bind ? bones.own + 1 : bones.own, true, 1.0};
    }
    const ref_skin *other = same_skin(b->body, skin, nodes[1]);
    bones.has_own = other != NULL;
    if (other) bones.unit = unit_of(skin, other);
    if (other) add_joints(b, skin, other, bones.unit);
    bones.carried = b->body->bone_count;
    add_joints(b, skin, NULL, 1.0);
    return bones;
}

static const double *multiply(builder *b, const double *values, size_t count, double unit) {
    double *out = values ? sinewi_arena_array(b->body->arena, double, count) : NULL;
    if (values && !out) b->failed = true;
    for (size_t i = 0; out && i < count; i++) out[i] = unit * values[i];
    return out;
}

// Returns the primitive with its positions and targets in another unit.
static const ref_primitive *in_unit(builder *b, const ref_primitive *primitive, double unit) {
    const size_t count = 3 * (size_t)primitive->vertex_count;
    if (unit == 1.0) return primitive;
    ref_primitive *out = sinewi_arena_array(b->body->arena, ref_primitive, 1);
    ref_attributes *targets = sinewi_arena_zeros(b->body->arena, ref_attributes, (size_t)primitive->target_count);
    if (!out || !targets) {
        b->failed = true;
        return primitive;
    }
    *out = *primitive;
    out->base.positions = multiply(b, primitive->base.positions, count, unit);
    for (int32_t t = 0; t < primitive->target_count; t++)
        targets[t].positions = multiply(b, primitive->targets[t].positions, count, unit);
    out->targets = targets;
    return out;
}

// Adds a primitive with B's vertices if they may correspond. Otherwise uses A's on both sides.
static void add_primitive(builder *b, compare_part part, const mesh_bones *bones, const ref_primitive *other) {
    part.primitives[1] = part.primitives[0];
    part.first_bone = part.carried_bone = bones->carried;
    if (bones->has_own && same_counts(part.primitives[0], other)) {
        part.primitives[1] = in_unit(b, other, bones->unit);
        part.first_bone = bones->own;
    }
    add_part(b, part);
}

// Returns whether B's vertices correspond to A's, in their order or sorted.
static bool match_vertices(builder *b, int32_t index) {
    compare_part *part = &b->parts[index];
    const ref_primitive *sorted;
    if (part->primitives[1] == part->primitives[0]) return b->body->models[0]->meshes == b->body->models[1]->meshes;
    if (part->primitives[0]->vertex_count == part->primitives[1]->vertex_count &&
        same_joints(part->primitives[0], part->primitives[1]) && same_positions(b->body, b->rest, index))
        return true;
    if (!compare_sort_vertices(b->body, part, b->rest, SAME_VERTEX * b->body->size, &sorted)) b->failed = true;
    if (b->failed || !sorted) return false;
    part->primitives[1] = sorted;
    b->body->sorted_vertices += sorted->vertex_count;
    return true;
}

// Replaces B's vertices if they don't correspond. Needs the size.
static void settle_parts(builder *b) {
    compare_body *body = b->body;
    for (int32_t p = 0; p < body->part_count && !b->failed; p++) {
        compare_part *part = &b->parts[p];
        body->vertex_count += part->primitives[0]->vertex_count;
        if (match_vertices(b, p)) continue;
        part->primitives[1] = part->primitives[0];
        part->first_bone = part->carried_bone;
        body->carried_vertices += part->primitives[0]->vertex_count;
    }
}

// Finds, for each of B's nodes, its only child with a mesh and no name. Quantization may have moved the node's mesh
// there.
static bool find_mesh_children(builder *b) {
    const ref_model *model = b->body->models[1];
    b->mesh_child = sinewi_arena_array(b->body->arena, int32_t, (size_t)model->node_count);
    if (!b->mesh_child) return false;
    for (int32_t i = 0; i < model->node_count; i++) b->mesh_child[i] = -1;
    for (int32_t i = 0; i < model->node_count; i++) {
        const ref_node *node = &model->nodes[i];
        if (node->parent < 0 || node->mesh < 0 || node->name[0] != '\0') continue;
        b->mesh_child[node->parent] = b->mesh_child[node->parent] == -1 ? i : -2;
    }
    return true;
}

// Returns B's node with the mesh of one of A's nodes.
static int32_t mesh_node(const builder *b, int32_t index) {
    const int32_t node = b->body->node_of[index];
    if (node < 0 || b->body->models[1]->nodes[node].mesh >= 0) return node;
    return b->mesh_child[node] >= 0 ? b->mesh_child[node] : node;
}

static void add_mesh(builder *b, int32_t index) {
    compare_body *body = b->body;
    const ref_model *model = body->models[0];
    const ref_node *node = &model->nodes[index];
    const ref_mesh *mesh = &model->meshes[node->mesh];
    const int32_t nodes[2] = {index, mesh_node(b, index)}, carrier[2] = {index, body->node_of[index]};
    const ref_skin *skin = node->skin >= 0 && mesh->largest_joint >= 0 ? &model->skins[node->skin] : NULL;
    mesh_bones skinned = {0}, rigid = {0};
    if (skin) skinned = add_mesh_bones(b, skin, nodes);
    if (nodes[1] >= 0) rigid = add_mesh_bones(b, NULL, carrier);
    for (int32_t p = 0; p < mesh->primitive_count && !b->failed; p++) {
        const ref_primitive *primitive = &mesh->primitives[p];
        const bool has_skin = skin && primitive->influences > 0;
        const bool morphs = have_targets(body, nodes, primitive->target_count);
        const bool carried = has_skin ? all_joints_matched(body, primitive, skin) : nodes[1] >= 0;
        if (!carried || (primitive->target_count > 0 && !morphs)) {
            body->unmatched_vertices += primitive->vertex_count;
            continue;
        }
        const compare_part part = {.nodes = {nodes[0], nodes[1]},
                                   .mesh = node->mesh,
                                   .primitive = p,
                                   .primitives = {primitive, primitive},
                                   .skinned = has_skin,
                                   .morphs = morphs};
        add_primitive(b, part, has_skin ? &skinned : &rigid, other_primitive(body, nodes[1], mesh, p));
    }
}

static void mark_animated(const ref_model *model, bool *marks) {
    for (int32_t i = 0; i < model->animation_count; i++) {
        const ref_animation *clip = &model->animations[i];
        for (int32_t c = 0; c < clip->channel_count; c++) marks[clip->channels[c].node] = true;
    }
}

static bool has_other_rest(const ref_node *a, const ref_node *b) {
    return memcmp(a->translation, b->translation, sizeof a->translation) != 0 ||
           memcmp(a->rotation, b->rotation, sizeof a->rotation) != 0 ||
           memcmp(a->scale, b->scale, sizeof a->scale) != 0 || a->has_matrix != b->has_matrix ||
           (a->has_matrix && memcmp(a->matrix, b->matrix, sizeof a->matrix) != 0);
}

static bool find_what_may_differ(builder *b) {
    const compare_body *body = b->body;
    const ref_model *model = body->models[0], *other_model = body->models[1];
    bool *differs = sinewi_arena_zeros(body->arena, bool, (size_t)model->node_count),
         *animated = sinewi_arena_zeros(body->arena, bool, (size_t)other_model->node_count);
    if (!differs || !animated) return false;
    mark_animated(model, differs);
    mark_animated(other_model, animated);
    for (int32_t i = 0; i < model->node_count; i++) {
        const int32_t node = model->order[i], parent = model->nodes[node].parent, other = body->node_of[node];
        if (other < 0) continue;
        const int32_t other_parent = other_model->nodes[other].parent;
        const bool same_parent = parent < 0 ? other_parent < 0 : body->node_of[parent] == other_parent;
        differs[node] |= animated[other] || !same_parent || (parent >= 0 && differs[parent]) ||
                         has_other_rest(&model->nodes[node], &other_model->nodes[other]);
    }
    b->may_differ = differs;
    return true;
}

// Adds a node's origin, and a point on each axis a tenth of the size away in the rest pose. Skips nodes without a name
// that can't differ.
static void add_virtual_points(builder *b, int32_t index) {
    compare_body *body = b->body;
    const ref_node *node = &body->models[0]->nodes[index];
    if (node->mesh >= 0 || body->node_of[index] < 0) return;
    if (node->name[0] == '\0' && !b->may_differ[index]) return;
    compare_part part = {
        .nodes = {index, body->node_of[index]}, .mesh = -1, .primitive = -1, .first_bone = body->bone_count};
    static const double origin[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const double *axis = body->unfolded.worlds + 16 * (ptrdiff_t)index + 4 * (ptrdiff_t)i;
        const double scale = compare_distance(axis, origin);
        part.axes[i] = scale > 0.0 ? 0.1 * body->size / scale : 0.0;
    }
    add_bone(b, (compare_bone){{part.nodes[0], part.nodes[1]}, {NULL, NULL}});
    add_part(b, part);
}

// ---- Bounds of parts -----------------------------------------------------------------------------------------------

static int32_t bind_count(const compare_body *body, const compare_part *part) {
    return part->skinned ? body->models[0]->skins[body->models[0]->nodes[part->nodes[0]].skin].joint_count : 1;
}

static double largest_bind(const compare_body *body, const compare_part *part) {
    double largest = 1.0;
    for (int32_t i = 0; i < bind_count(body, part); i++) {
        const compare_bone *bone = &body->bones[part->first_bone + i];
        largest = fmax(largest, fmax(norm_of(bone->binds[0]), norm_of(bone->binds[1])));
    }
    return largest;
}

// Returns the largest difference between A's and B's bind matrices.
static double largest_bind_difference(const compare_body *body, const compare_part *part) {
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    double largest = 0.0;
    for (int32_t i = 0; i < bind_count(body, part); i++) {
        const compare_bone *bone = &body->bones[part->first_bone + i];
        const double *a = bone->binds[0] ? bone->binds[0] : identity,
                     *b = bone->binds[1] ? bone->binds[1] : identity;
        double difference[16];
        for (int k = 0; k < 16; k++) difference[k] = a[k] - b[k];
        largest = fmax(largest, norm_of(difference));
    }
    return largest;
}

static void bound_targets(builder *b, compare_part *part) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const ref_primitive *own = part->primitives[0], *other = part->primitives[1];
    double *reach = sinewi_arena_zeros(b->body->arena, double, (size_t)own->target_count),
           *shift = sinewi_arena_zeros(b->body->arena, double, (size_t)own->target_count);
    if (!reach || !shift) {
        b->failed = true;
        return;
    }
    const double bind = largest_bind(b->body, part), difference = largest_bind_difference(b->body, part);
    for (int32_t t = 0; t < own->target_count; t++) {
        const double *all[2] = {own->targets[t].positions, other->targets[t].positions};
        for (ptrdiff_t v = 0; (all[0] || all[1]) && v < own->vertex_count; v++) {
            const double *first = all[0] ? all[0] + 3 * v : none, *second = all[1] ? all[1] + 3 * v : none;
            const double length = fmax(compare_distance(first, none), compare_distance(second, none));
            reach[t] = fmax(reach[t], bind * length);
            shift[t] = fmax(shift[t], bind * compare_distance(first, second) + difference * length);
        }
    }
    part->target_reach = reach;
    part->target_shift = shift;
}

static double largest_weight_difference(const compare_part *part) {
    double largest = 0.0;
    const ref_primitive *a = part->primitives[0], *b = part->primitives[1];
    if (!part->skinned || equal_numbers(a->weights, b->weights, (size_t)a->vertex_count * (size_t)a->influences))
        return 0.0;
    for (ptrdiff_t v = 0; v < a->vertex_count; v++) {
        double sum = 0.0;
        for (ptrdiff_t i = v * a->influences; i < (v + 1) * a->influences; i++)
            sum += fabs(a->weights[i] - b->weights[i]);
        largest = fmax(largest, sum);
    }
    return largest;
}

static void bound_parts(builder *b) {
    for (int32_t p = 0; p < b->body->part_count && !b->failed; p++) {
        compare_part *part = &b->parts[p];
        if (part->mesh < 0) continue;
        if (part->morphs) bound_targets(b, part);
        part->weight_difference = largest_weight_difference(part);
    }
}

// ---- Groups --------------------------------------------------------------------------------------------------------

static int32_t part_points(const compare_part *part) {
    return part->mesh < 0 ? 4 : part->primitives[0]->vertex_count;
}

// Returns the node of the bone with the largest weight.
static int32_t main_node(const compare_body *body, compare_point point) {
    const compare_part *part = &body->parts[point.part];
    compare_influence most = compare_influence_of(part, point.vertex, 0);
    for (int32_t i = 1; i < compare_influence_count(part); i++) {
        const compare_influence in = compare_influence_of(part, point.vertex, i);
        if (in.weights[0] > most.weights[0]) most = in;
    }
    return body->bones[most.bone].nodes[0];
}

static bool list_points(builder *b) {
    compare_body *body = b->body;
    const size_t nodes = (size_t)body->models[0]->node_count;
    int32_t *counts = sinewi_arena_zeros(body->arena, int32_t, nodes),
            *group_of = sinewi_arena_array(body->arena, int32_t, nodes);
    if (!counts || !group_of) return false;
    for (int32_t p = 0; p < body->part_count; p++) {
        for (int32_t v = 0; v < part_points(&body->parts[p]); v++) counts[main_node(body, (compare_point){p, v})]++;
    }
    for (size_t i = 0; i < nodes; i++) group_of[i] = counts[i] > 0 ? body->group_count++ : -1;
    body->groups = sinewi_arena_zeros(body->arena, compare_group, (size_t)body->group_count);
    compare_point **lists = sinewi_arena_zeros(body->arena, compare_point *, (size_t)body->group_count);
    if (!body->groups || !lists) return false;
    for (size_t i = 0; i < nodes; i++) {
        if (group_of[i] < 0) continue;
        lists[group_of[i]] = sinewi_arena_array(body->arena, compare_point, (size_t)counts[i]);
        if (!lists[group_of[i]]) return false;
        body->groups[group_of[i]] = (compare_group){.node = (int32_t)i, .points = lists[group_of[i]]};
    }
    for (int32_t p = 0; p < body->part_count; p++) {
        for (int32_t v = 0; v < part_points(&body->parts[p]); v++) {
            const int32_t group = group_of[main_node(body, (compare_point){p, v})];
            lists[group][body->groups[group].point_count++] = (compare_point){p, v};
        }
    }
    return true;
}

static void extend_reach(const compare_body *body, compare_reach *reach, compare_point point) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    const compare_part *part = &body->parts[point.part];
    const compare_bone *bone = &body->bones[reach->bone];
    double positions[2][3];
    for (int side = 0; side < 2; side++) {
        double bare[3];
        compare_morphed(body, part, side, NULL, point.vertex, bare);
        compare_transform(bone->binds[side], bare, positions[side]);
    }
    for (int i = 0; i < 3; i++) {
        reach->least[i] = fmin(reach->least[i], positions[0][i]);
        reach->most[i] = fmax(reach->most[i], positions[0][i]);
    }
    reach->radius = fmax(reach->radius, compare_distance(positions[0], origin));
    reach->shift = fmax(reach->shift, compare_distance(positions[0], positions[1]));
}

// Lists the bones of a group's points. seen[bone_count] must be -1 and is afterwards. `list` needs room for all bones.
static bool list_reaches(const compare_body *body, compare_group *group, int32_t *seen, compare_reach *list) {
    const double infinity = (double)INFINITY;
    int32_t count = 0;
    for (int32_t i = 0; i < group->point_count; i++) {
        const compare_point point = group->points[i];
        const compare_part *part = &body->parts[point.part];
        for (int32_t k = 0; k < compare_influence_count(part); k++) {
            const compare_influence in = compare_influence_of(part, point.vertex, k);
            if (!(in.weights[0] > 0.0 || in.weights[1] > 0.0)) continue;
            if (seen[in.bone] < 0) {
                seen[in.bone] = count;
                list[count++] = (compare_reach){.bone = in.bone,
                                                .least = {infinity, infinity, infinity},
                                                .most = {-infinity, -infinity, -infinity}};
            }
            extend_reach(body, &list[seen[in.bone]], point);
        }
    }
    for (int32_t i = 0; i < count; i++) seen[list[i].bone] = -1;
    group->reach_count = count;
    compare_reach *reaches = sinewi_arena_array(body->arena, compare_reach, (size_t)count);
    if (reaches && count > 0) memcpy(reaches, list, (size_t)count * sizeof *list);
    group->reaches = reaches;
    return reaches != NULL;
}

// Lists the parts of a group's points, which are sorted by part.
static bool list_group_parts(const compare_body *body, compare_group *group) {
    int32_t count = 0;
    for (int32_t i = 0; i < group->point_count; i++) {
        count += i == 0 || group->points[i].part != group->points[i - 1].part;
    }
    int32_t *parts = sinewi_arena_array(body->arena, int32_t, (size_t)count);
    if (!parts) return false;
    for (int32_t i = 0; i < group->point_count; i++) {
        if (i == 0 || group->points[i].part != group->points[i - 1].part)
            parts[group->part_count++] = group->points[i].part;
    }
    group->parts = parts;
    return true;
}

static bool make_groups(builder *b) {
    compare_body *body = b->body;
    if (!list_points(b)) return false;
    const size_t bones = (size_t)body->bone_count;
    int32_t *seen = sinewi_arena_array(body->arena, int32_t, bones);
    compare_reach *list = sinewi_arena_array(body->arena, compare_reach, bones);
    if (!seen || !list) return false;
    for (size_t i = 0; i < bones; i++) seen[i] = -1;
    for (int32_t g = 0; g < body->group_count; g++) {
        if (!list_reaches(body, &body->groups[g], seen, list) || !list_group_parts(body, &body->groups[g]))
            return false;
    }
    return true;
}

// ---- The body ------------------------------------------------------------------------------------------------------

// Returns whether the parents of matched nodes are matched to each other.
static bool is_same_tree(const compare_body *body) {
    for (int32_t i = 0; i < body->models[0]->node_count; i++) {
        if (body->node_of[i] < 0) continue;
        const int32_t parent = body->models[0]->nodes[i].parent,
                      other = body->models[1]->nodes[body->node_of[i]].parent;
        if (parent < 0 ? other >= 0 : body->node_of[parent] != other || other < 0) return false;
    }
    return true;
}

static bool evaluate_rest(builder *b) {
    for (int side = 0; side < 2; side++) {
        if (!ref_make_pose(b->body->arena, b->body->models[side], &b->rest[side])) return false;
        ref_evaluate(b->body->models[side], NULL, 0.0, &b->rest[side]);
    }
    return true;
}

bool compare_match(compare_body *body, sinewi_arena *arena, const ref_model *a, const ref_model *b) {
    *body = (compare_body){.arena = arena, .models = {a, b}};
    builder made = {.body = body};
    int32_t *node_of = sinewi_arena_array(arena, int32_t, (size_t)a->node_count);
    if (!node_of || !compare_match_nodes(arena, a, b, node_of) || !evaluate_rest(&made)) return false;
    body->node_of = node_of;
    body->same_tree = is_same_tree(body);
    if (!find_mesh_children(&made) || !find_what_may_differ(&made)) return false;
    for (int32_t i = 0; i < a->node_count && !made.failed; i++) {
        if (a->nodes[i].mesh >= 0) add_mesh(&made, i);
    }
    if (made.failed) return false;
    if (!compare_unfold(body, &made.rest[0]) || !compare_measure_size(body)) return false;
    settle_parts(&made);
    for (int32_t i = 0; i < a->node_count && !made.failed; i++) add_virtual_points(&made, i);
    bound_parts(&made);
    return !made.failed && make_groups(&made);
}
