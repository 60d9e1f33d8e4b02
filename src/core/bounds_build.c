// SPDX-License-Identifier: MIT
// Creates bounds from meshes. bounds.c uses these boxes to compute the bounds of any pose without the vertices.
//
// A mesh has a slot for each joint of its skin. Without a skin it has one slot, for the node that carries it. A slot
// has the box of the vertices that its joint moves, in the joint's bind space: each vertex times the inverse bind
// matrix. A skinned vertex is a mean over its joints, so it is inside the union of the moved boxes. For each morph
// target that moves its vertices, a slot also has a box of displacements, called an addition. A slot without additions
// extends the box of its joint's node. A slot with additions becomes a part, which is a separate box. Each node that
// carries the mesh gets its own part, because it has its own morph weights.
//
// `b` is the builder. `s` is a slot or a span. A span is a box with its `size`, which bounds the rounding error. Used
// vertices are vertices that triangles use. Lengths are in meters.
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"
#include "kernels/layout.h"
#include "core/bounds_object.h"

#include <math.h>
#include <string.h>

// The sum of a vertex's weights may differ from 1 by this much.
#define MAX_DEVIATION 1e-3

// The largest relative error when rounding to float.
#define ROUNDING (1.0f / 16777216.0f)

#define NONE (-1)

typedef struct span {
    float min[3], max[3];
    float size; // see sinewi_bound_block
} span;

// Vertex vectors are positions or the displacements of a morph target. Translation doesn't affect displacements.
typedef enum vector_kind { VECTOR_POSITION, VECTOR_DISPLACEMENT } vector_kind;

typedef struct slot {
    span box;
    span difference; // displacements of the current target
    int32_t last;    // addition of the last target, or NONE
    bool used;       // has vertices
} slot;

// A slot's displacements for one morph target.
typedef struct addition {
    span box;
    int32_t target;
    int32_t next; // in the same slot, or NONE
} addition;

// A box with morph targets.
typedef struct part {
    span box;
    int32_t node, first_weight;
    int32_t additions; // first addition, or NONE
} part;

typedef struct builder {
    const sinew_bounds_def *def;
    sinew_error *error;
    sinewi_arena scratch;
    span *unmorphed;           // [node_count]: each node's box without morph targets
    slot *slots;               // [most slots of a mesh]: all empty between meshes
    int32_t *used, used_count; // slots of the current mesh that have vertices
    part *parts;
    int32_t part_count, part_room, target_count; // total over all parts
    addition *additions;
    int32_t addition_count, addition_room;
    int32_t max_target_count;
    double deviation; // the most that the sum of a vertex's weights differs from 1
} builder;

// ---- Mesh properties -----------------------------------------------------------------------------------------

static bool is_skinned(const sinew_bounds_mesh *mesh) {
    return mesh->skin && mesh->influences > 0;
}

static bool has_targets(const sinew_bounds_mesh *mesh) {
    for (int32_t t = 0; t < mesh->target_count; t++) {
        if (mesh->target_positions[t]) return true;
    }
    return false;
}

// Returns the number of used vertices. A vertex counts once for each triangle corner that uses it.
static int32_t used_vertex_count(const sinew_bounds_mesh *mesh) {
    return mesh->indices ? mesh->index_count : mesh->vertex_count;
}

// Returns the vertex of a triangle corner.
static ptrdiff_t used_vertex(const sinew_bounds_mesh *mesh, int32_t index) {
    return mesh->indices ? (ptrdiff_t)mesh->indices[index] : index;
}

// Returns the matrix from mesh space to the slot's space, which is the joint's inverse bind matrix.
static sinew_affine get_slot_matrix(const sinew_bounds_mesh *mesh, int32_t index) {
    return is_skinned(mesh) ? mesh->skin->inverse_binds[index] : sinew_affine_identity();
}

// ---- Checks --------------------------------------------------------------------------------------------------

static sinew_result check_nodes(const builder *b, int32_t index) {
    const sinew_bounds_mesh *mesh = &b->def->meshes[index];
    const sinew_skeleton *skeleton = b->def->skeleton;
    for (int32_t i = 0; i < mesh->node_count; i++) {
        int32_t node = mesh->nodes[i];
        if (node < 0 || node >= skeleton->node_count)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "meshes[%d].nodes[%d]: node %d, but the skeleton has %d nodes", index, i, node,
                               skeleton->node_count);
        int32_t weights = skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
        if (mesh->target_count > weights)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "meshes[%d]: %d morph targets, but nodes[%d], node %d, has %d morph weights", index,
                               mesh->target_count, i, node, weights);
    }
    return SINEW_OK;
}

static sinew_result check_indices(const builder *b, int32_t index) {
    const sinew_bounds_mesh *mesh = &b->def->meshes[index];
    for (int32_t i = 0; mesh->indices && i < mesh->index_count; i++) {
        if (mesh->indices[i] >= (uint32_t)mesh->vertex_count)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "meshes[%d].indices[%d]: vertex %u is out of range; there are %d vertices", index, i,
                               (unsigned)mesh->indices[i], mesh->vertex_count);
    }
    return SINEW_OK;
}

// Checks the vectors of the used vertices. `what` names them in the error.
static sinew_result check_vertices(const builder *b, int32_t index, const char *what, const float *vectors) {
    const sinew_bounds_mesh *mesh = &b->def->meshes[index];
    for (int32_t i = 0; i < used_vertex_count(mesh); i++) {
        const float *at = vectors + 3 * used_vertex(mesh, i);
        if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]))
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "meshes[%d].%s: vertex %d is not finite", index,
                               what, (int)used_vertex(mesh, i));
    }
    return SINEW_OK;
}

// Checks a vertex's weights. Records how far their sum is from 1.
static sinew_result check_weights(builder *b, int32_t index, int32_t vertex) {
    const sinew_bounds_mesh *mesh = &b->def->meshes[index];
    ptrdiff_t first = (ptrdiff_t)vertex * mesh->influences;
    double sum = 0.0;
    for (int32_t i = 0; i < mesh->influences; i++) {
        float weight = mesh->weights[first + i];
        if (mesh->joints[first + i] >= mesh->skin->joint_count)
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "meshes[%d].joints: vertex %d uses joint %d, but the skin has %d joints", index,
                               vertex, mesh->joints[first + i], mesh->skin->joint_count);
        if (!(weight >= 0.0f))
            return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                               "meshes[%d].weights: vertex %d has a weight of %g; it must be 0 or more", index,
                               vertex, (double)weight);
        sum += (double)weight;
    }
    double deviation = fabs(sum - 1.0);
    if (!(deviation <= MAX_DEVIATION))
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                           "meshes[%d].weights: the weights of vertex %d sum to %g, not 1", index, vertex, sum);
    if (deviation > b->deviation) b->deviation = deviation;
    return SINEW_OK;
}

// Checks the joints and weights of a skinned mesh's used vertices.
static sinew_result check_skin(builder *b, int32_t index) {
    const sinew_bounds_mesh *mesh = &b->def->meshes[index];
    if (!is_skinned(mesh)) return SINEW_OK;
    if (mesh->skin->skeleton != b->def->skeleton)
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "meshes[%d].skin: belongs to a different skeleton",
                           index);
    if (mesh->vertex_count > 0 && (!mesh->joints || !mesh->weights))
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "meshes[%d]: has influences, but no joints or weights",
                           index);
    sinew_result result = SINEW_OK;
    for (int32_t i = 0; i < used_vertex_count(mesh) && result == SINEW_OK; i++)
        result = check_weights(b, index, (int32_t)used_vertex(mesh, i));
    return result;
}

static sinew_result check_mesh(builder *b, int32_t index) {
    const sinew_bounds_mesh *mesh = &b->def->meshes[index];
    bool lacks = (mesh->vertex_count > 0 && !mesh->positions) || (mesh->node_count > 0 && !mesh->nodes) ||
                 (mesh->target_count > 0 && !mesh->target_positions);
    if (lacks || mesh->vertex_count < 0 || mesh->node_count < 0 || mesh->target_count < 0 || mesh->influences < 0 ||
        mesh->index_count < 0)
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT,
                           "meshes[%d]: a count is negative, or an array is NULL but its count is not 0", index);
    sinew_result result = check_nodes(b, index);
    if (result == SINEW_OK) result = check_indices(b, index);
    if (result == SINEW_OK) result = check_vertices(b, index, "positions", mesh->positions);
    for (int32_t t = 0; t < mesh->target_count && result == SINEW_OK; t++) {
        if (mesh->target_positions[t])
            result = check_vertices(b, index, "target_positions", mesh->target_positions[t]);
    }
    return result == SINEW_OK ? check_skin(b, index) : result;
}

// ---- Boxes ---------------------------------------------------------------------------------------------------

static span empty_span(void) {
    return (span){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0f};
}

static bool is_span_empty(const span *s) {
    return s->min[0] > s->max[0];
}

// Ignores a NaN that comes from an overflow. See set_span_size.
static void extend_by_point(span *s, const float point[3]) {
    for (int i = 0; i < 3; i++) {
        s->min[i] = point[i] < s->min[i] ? point[i] : s->min[i];
        s->max[i] = point[i] > s->max[i] ? point[i] : s->max[i];
    }
}

static void extend_by_span(span *s, const span *with) {
    extend_by_point(s, with->min);
    extend_by_point(s, with->max);
    if (with->size > s->size) s->size = with->size;
}

// Adds a slot to the list of used ones, at most once.
static void mark_used(builder *b, int32_t index) {
    if (b->slots[index].used) return;
    b->slots[index].used = true;
    b->used[b->used_count++] = index;
}

// Extends a slot's box of positions or displacements by a transformed vector.
static void extend_slot(slot *to, const sinew_affine *m, const float v[3], vector_kind kind) {
    float out[3];
    for (int i = 0; i < 3; i++) {
        const float *row = m->m[i];
        out[i] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + (kind == VECTOR_POSITION ? row[3] : 0.0f);
    }
    extend_by_point(kind == VECTOR_POSITION ? &to->box : &to->difference, out);
}

// Extends the only slot of an unskinned mesh by the vectors of its used vertices.
static void add_rigid_vectors(builder *b, const sinew_bounds_mesh *mesh, const float *vectors, vector_kind kind) {
    slot *only = &b->slots[0];
    bool are_positions = kind == VECTOR_POSITION;
    if (are_positions && used_vertex_count(mesh) > 0) mark_used(b, 0);
    for (int32_t i = 0; i < used_vertex_count(mesh); i++) {
        extend_by_point(are_positions ? &only->box : &only->difference, vectors + 3 * used_vertex(mesh, i));
    }
}

// Extends a skinned mesh's slots by the vectors of its used vertices. Each vector goes to every joint with a weight on
// its vertex, in the joint's bind space. `joint` is an index into the skin.
static void add_skinned_vectors(builder *b, const sinew_bounds_mesh *mesh, const float *vectors, vector_kind kind) {
    for (int32_t i = 0; i < used_vertex_count(mesh); i++) {
        ptrdiff_t v = used_vertex(mesh, i), first = v * mesh->influences;
        for (ptrdiff_t k = first; k < first + mesh->influences; k++) {
            int32_t joint = mesh->joints[k];
            if (!(mesh->weights[k] > 0.0f)) continue; // also skips NaN
            if (kind == VECTOR_POSITION) mark_used(b, joint);
            extend_slot(&b->slots[joint], &mesh->skin->inverse_binds[joint], vectors + 3 * v, kind);
        }
    }
}

static void add_vectors(builder *b, const sinew_bounds_mesh *mesh, const float *vectors, vector_kind kind) {
    if (is_skinned(mesh)) {
        add_skinned_vectors(b, mesh, vectors, kind);
    } else {
        add_rigid_vectors(b, mesh, vectors, kind);
    }
}

// Finds the largest absolute value of each component.
static void find_largest_components(const sinew_bounds_mesh *mesh, const float *vectors, float out[3]) {
    out[0] = out[1] = out[2] = 0.0f;
    for (int32_t i = 0; i < used_vertex_count(mesh); i++) {
        const float *v = vectors + 3 * used_vertex(mesh, i);
        for (int k = 0; k < 3; k++) out[k] = fabsf(v[k]) > out[k] ? fabsf(v[k]) : out[k];
    }
}

// Sets a box's `size` from the matrix that transformed its points. It is the largest sum of absolute terms of a
// coordinate. If this overflows, the box becomes infinite, because it may have ignored a NaN.
static void set_span_size(span *s, const sinew_affine *m, const float largest[3], vector_kind kind) {
    s->size = 0.0f;
    for (int i = 0; i < 3; i++) {
        const float *row = m->m[i];
        float sum = fabsf(row[0]) * largest[0] + fabsf(row[1]) * largest[1] + fabsf(row[2]) * largest[2];
        if (kind == VECTOR_POSITION) sum += fabsf(row[3]);
        s->size = sum > s->size ? sum : s->size;
    }
    if (isfinite(s->size)) return;
    for (int i = 0; i < 3; i++) s->min[i] = -INFINITY, s->max[i] = INFINITY;
}

// ---- Morph targets -------------------------------------------------------------------------------------------

// Makes room for one more element in a scratch array. Returns NULL if memory runs out.
static void *grow_array(builder *b, void *array, int32_t count, int32_t *room, size_t size) {
    if (count < *room) return array;
    if (*room > INT32_MAX / 2 - 16) return NULL;
    int32_t larger = 2 * *room + 16;
    void *copy = sinewi_arena_take(&b->scratch, (size_t)larger, size, SINEWI_ALIGNMENT);
    if (!copy) return NULL;
    if (count > 0) memcpy(copy, array, (size_t)count * size);
    *room = larger;
    return copy;
}

// Returns false if a morph target doesn't move the slot's vertices.
static bool is_displacing(const span *difference) {
    for (int i = 0; i < 3; i++) {
        if (difference->min[i] != 0.0f || difference->max[i] != 0.0f) return true;
    }
    return false;
}

// Adds the current target's displacements to a slot's list.
static bool add_target(builder *b, slot *to, int32_t target) {
    addition *all = (addition *)grow_array(b, b->additions, b->addition_count, &b->addition_room, sizeof *all);
    if (!all) return false;
    b->additions = all;
    all[b->addition_count] = (addition){.box = to->difference, .target = target, .next = to->last};
    to->last = b->addition_count++;
    return true;
}

// Adds one target's displacements to a mesh's used slots. Returns false if memory runs out.
static bool add_displacements_of_target(builder *b, const sinew_bounds_mesh *mesh, int32_t target) {
    const float *differences = mesh->target_positions[target];
    float largest[3];
    find_largest_components(mesh, differences, largest);
    add_vectors(b, mesh, differences, VECTOR_DISPLACEMENT);
    for (int32_t i = 0; i < b->used_count; i++) {
        slot *s = &b->slots[b->used[i]];
        sinew_affine m = get_slot_matrix(mesh, b->used[i]);
        set_span_size(&s->difference, &m, largest, VECTOR_DISPLACEMENT);
        if (is_displacing(&s->difference) && !add_target(b, s, target)) return false;
        s->difference = empty_span();
    }
    return true;
}

// Goes through the targets in reverse, because each addition becomes the first in its list.
static bool add_displacements_of_targets(builder *b, const sinew_bounds_mesh *mesh) {
    for (int32_t t = mesh->target_count - 1; t >= 0; t--) {
        if (mesh->target_positions[t] && !add_displacements_of_target(b, mesh, t)) return false;
    }
    return true;
}

// ---- Meshes --------------------------------------------------------------------------------------------------

// Adds a part: a slot's box and its additions, on `node`. `carrier` is the node that carries the mesh and has its morph
// weights.
static bool add_part(builder *b, const slot *s, int32_t node, int32_t carrier) {
    part *all = (part *)grow_array(b, b->parts, b->part_count, &b->part_room, sizeof *all);
    if (!all) return false;
    b->parts = all;
    for (int32_t a = s->last; a != NONE; a = b->additions[a].next) {
        if (b->target_count == INT32_MAX) return false;
        b->target_count++;
    }
    all[b->part_count++] = (part){
        .box = s->box,
        .node = node,
        .first_weight = b->def->skeleton->weight_offsets[carrier],
        .additions = s->last,
    };
    return true;
}

// Adds a slot's box to its nodes. A skinned box is on the joint, whichever nodes carry the mesh.
static bool attach_slot(builder *b, const sinew_bounds_mesh *mesh, int32_t index) {
    const slot *s = &b->slots[index];
    if (is_skinned(mesh) && s->last == NONE) {
        extend_by_span(&b->unmorphed[mesh->skin->joints[index]], &s->box);
        return true;
    }
    for (int32_t i = 0; i < mesh->node_count; i++) {
        int32_t carrier = mesh->nodes[i], node = is_skinned(mesh) ? mesh->skin->joints[index] : carrier;
        if (s->last == NONE) {
            extend_by_span(&b->unmorphed[node], &s->box);
        } else if (!add_part(b, s, node, carrier)) {
            return false;
        }
    }
    return true;
}

static bool attach_slots(builder *b, const sinew_bounds_mesh *mesh) {
    for (int32_t i = 0; i < b->used_count; i++) {
        if (!attach_slot(b, mesh, b->used[i])) return false;
    }
    return true;
}

static void empty_slot(slot *s) {
    s->box = s->difference = empty_span();
    s->last = NONE;
    s->used = false;
}

static void empty_slots(builder *b) {
    for (int32_t i = 0; i < b->used_count; i++) empty_slot(&b->slots[b->used[i]]);
    b->used_count = 0;
}

// Fills the mesh's slots and attaches them to nodes. Returns false if memory runs out.
static bool add_mesh(builder *b, const sinew_bounds_mesh *mesh) {
    if (mesh->node_count == 0) return true;
    float largest[3];
    find_largest_components(mesh, mesh->positions, largest);
    add_vectors(b, mesh, mesh->positions, VECTOR_POSITION);
    for (int32_t i = 0; i < b->used_count; i++) {
        sinew_affine m = get_slot_matrix(mesh, b->used[i]);
        set_span_size(&b->slots[b->used[i]].box, &m, largest, VECTOR_POSITION);
    }
    bool has_memory = (!has_targets(mesh) || add_displacements_of_targets(b, mesh)) && attach_slots(b, mesh);
    empty_slots(b);
    if (mesh->target_count > b->max_target_count) b->max_target_count = mesh->target_count;
    return has_memory;
}

static int32_t max_slot_count(const sinew_bounds_def *def) {
    int32_t most = 1;
    for (int32_t i = 0; i < def->mesh_count; i++) {
        const sinew_skin *skin = def->meshes[i].skin;
        if (skin && skin->joint_count > most) most = skin->joint_count;
    }
    return most;
}

static bool allocate_scratch(builder *b) {
    size_t nodes = (size_t)b->def->skeleton->node_count, slots = (size_t)max_slot_count(b->def);
    b->unmorphed = sinewi_arena_array(&b->scratch, span, nodes);
    b->slots = sinewi_arena_array(&b->scratch, slot, slots);
    b->used = sinewi_arena_array(&b->scratch, int32_t, slots);
    if (!b->unmorphed || !b->slots || !b->used) return false;
    for (size_t i = 0; i < nodes; i++) b->unmorphed[i] = empty_span();
    for (size_t i = 0; i < slots; i++) empty_slot(&b->slots[i]);
    return true;
}

// ---- The object ----------------------------------------------------------------------------------------------

typedef struct arrays {
    sinewi_bounds_object *object;
    sinewi_bound_block *blocks;
    sinewi_bound_target *targets;
    int32_t *first_targets, *nodes;
    sinew_box *boxes;
} arrays;

static arrays lay_out(sinewi_layout *layout, const builder *b, int32_t unmorphed_count) {
    arrays a;
    size_t unmorphed = sinewi_block_count(unmorphed_count), morph = sinewi_block_count(b->part_count);
    size_t boxes = (size_t)unmorphed_count + (size_t)b->part_count;
    a.object = sinewi_layout_array(layout, sinewi_bounds_object, 1, SINEWI_ALIGNMENT);
    a.blocks = sinewi_layout_array(layout, sinewi_bound_block, unmorphed + morph, SINEWI_ALIGNMENT);
    a.targets =
        sinewi_layout_array(layout, sinewi_bound_target, (size_t)b->target_count, alignof(sinewi_bound_target));
    a.boxes = sinewi_layout_array(layout, sinew_box, boxes, alignof(sinew_box));
    a.nodes = sinewi_layout_array(layout, int32_t, boxes, alignof(int32_t));
    a.first_targets = sinewi_layout_array(layout, int32_t, (size_t)b->part_count + 1, alignof(int32_t));
    return a;
}

// Halves the values first, because their sum could overflow.
static float center_between(float min, float max) {
    return 0.5f * min + 0.5f * max;
}

// Returns the distance to the farther end, so a box with this half extent contains both ends.
static float half_extent(float center, float min, float max) {
    return max - center > center - min ? max - center : center - min;
}

// Writes a box to one lane of a block.
static void write_lane(sinewi_bound_block *block, int lane, const span *box, int32_t node) {
    for (int i = 0; i < 3; i++) {
        float center = center_between(box->min[i], box->max[i]);
        block->center[i][lane] = center;
        block->half[i][lane] = half_extent(center, box->min[i], box->max[i]);
    }
    block->size[lane] = box->size;
    block->nodes[lane] = node;
}

// Writes box `index`, counted from the first of `blocks`, to its lane and to all later lanes of its block. Later boxes
// overwrite those.
static void write_box(sinewi_bound_block *blocks, int32_t index, const span *box, int32_t node) {
    for (int lane = index % SINEW_LANES; lane < SINEW_LANES; lane++) {
        write_lane(&blocks[index / SINEW_LANES], lane, box, node);
    }
}

static void set_public_box(const arrays *a, int32_t index, const span *box, int32_t node) {
    const float *min = box->min, *max = box->max;
    a->boxes[index] = (sinew_box){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
    a->nodes[index] = node;
}

// Writes the boxes without morph targets, one per node with vertices.
static void write_unmorphed(const builder *b, const arrays *a) {
    int32_t count = 0;
    for (int32_t node = 0; node < b->def->skeleton->node_count; node++) {
        if (is_span_empty(&b->unmorphed[node])) continue;
        write_box(a->blocks, count, &b->unmorphed[node], node);
        set_public_box(a, count++, &b->unmorphed[node], node);
    }
}

// Appends a part's morph targets to the first `count` and returns the new count.
static int32_t write_targets(const builder *b, const arrays *a, const part *from, int32_t count) {
    for (int32_t i = from->additions; i != NONE; i = b->additions[i].next) {
        const addition *add = &b->additions[i];
        sinewi_bound_target *to = &a->targets[count++];
        *to = (sinewi_bound_target){.weight = from->first_weight + add->target, .size = add->box.size};
        for (int k = 0; k < 3; k++) {
            to->center[k] = center_between(add->box.min[k], add->box.max[k]);
            to->half[k] = half_extent(to->center[k], add->box.min[k], add->box.max[k]);
        }
    }
    return count;
}

static void write_parts(const builder *b, const arrays *a, int32_t unmorphed_count) {
    int32_t count = 0;
    a->first_targets[0] = 0;
    for (int32_t i = 0; i < b->part_count; i++) {
        const part *from = &b->parts[i];
        write_box(a->blocks + sinewi_block_count(unmorphed_count), i, &from->box, from->node);
        set_public_box(a, unmorphed_count + i, &from->box, from->node);
        count = write_targets(b, a, from, count);
        a->first_targets[i + 1] = count;
    }
}

// Returns the relative rounding error from a vertex in the file to a skinned vertex, and to a box and back. This is
// less than 64 roundings of the largest sum, plus 4 for each morph target. If weights don't sum to 1, they scale a
// vertex by how far they are off.
static float find_slack(const builder *b) {
    return (64.0f + 4.0f * (float)b->max_target_count) * ROUNDING + (float)(1.01 * b->deviation);
}

static int32_t count_unmorphed(const builder *b) {
    int32_t count = 0;
    for (int32_t i = 0; i < b->def->skeleton->node_count; i++) count += !is_span_empty(&b->unmorphed[i]);
    return count;
}

static sinew_result write_object(const builder *b, sinew_bounds **bounds) {
    int32_t unmorphed_count = count_unmorphed(b);
    sinewi_layout measure = {0};
    lay_out(&measure, b, unmorphed_count);
    sinewi_layout layout = {(char *)sinewi_allocate(&b->def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(b->error);
    arrays a = lay_out(&layout, b, unmorphed_count);
    write_unmorphed(b, &a);
    write_parts(b, &a, unmorphed_count);
    *a.object = (sinewi_bounds_object){
        .bounds = {b->def->skeleton, unmorphed_count + b->part_count, a.nodes, a.boxes, measure.size},
        .blocks = a.blocks,
        .unmorphed_blocks = sinewi_block_count(unmorphed_count),
        .morph_blocks = sinewi_block_count(b->part_count),
        .unmorphed_count = unmorphed_count,
        .morph_count = b->part_count,
        .first_targets = a.first_targets,
        .targets = a.targets,
        .slack = find_slack(b),
        .allocator = b->def->allocator,
    };
    *bounds = &a.object->bounds;
    return SINEW_OK;
}

sinew_bounds_def sinew_bounds_default(void) {
    return (sinew_bounds_def){.cookie = SINEWI_DEF_COOKIE};
}

static sinew_result build_bounds(builder *b, sinew_bounds **bounds) {
    if (!allocate_scratch(b)) return sinewi_fail_memory(b->error);
    for (int32_t i = 0; i < b->def->mesh_count; i++) {
        sinew_result result = check_mesh(b, i);
        if (result != SINEW_OK) return result;
        if (!add_mesh(b, &b->def->meshes[i])) return sinewi_fail_memory(b->error);
    }
    return write_object(b, bounds);
}

sinew_result sinew_bounds_create(const sinew_bounds_def *def, sinew_bounds **bounds, sinew_error *error) {
    *bounds = NULL;
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_bounds_def: start from sinew_bounds_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->skeleton || def->mesh_count < 0 || (def->mesh_count > 0 && !def->meshes))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "bounds: skeleton is NULL, or meshes is NULL but mesh_count is not 0");
    builder b = {.def = def, .error = error};
    sinewi_arena_init(&b.scratch, &def->allocator);
    result = build_bounds(&b, bounds);
    sinewi_arena_free(&b.scratch);
    return result;
}

void sinew_bounds_destroy(sinew_bounds *bounds) {
    if (!bounds) return;
    sinewi_bounds_object *object = (sinewi_bounds_object *)bounds;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, bounds->memory, SINEWI_ALIGNMENT);
}
