// SPDX-License-Identifier: MIT
// Chooses the steps that positions, displacements and weights are rounded to.
//
// The meshes get half of the error. Steps are powers of two and are refined together, so positions where two meshes
// meet stay equal. tools/compare bounds the displacement over all clips and all times: first with only the weights
// rounded, then with all values. Steps are made finer until the bound is within that half.
#include "meshes/internal.h"

#include "compare/compare.h"
#include "lint/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The meshes' share of the error, and the weights' share of that. Compared vertices correspond up to 0.2% of the size
// (tools/compare), and meshes get at most half of that.
#define MESH_SHARE   0.5
#define WEIGHT_SHARE 0.5
#define BYTE_SHARE   0.75 // for weights stored as bytes, because these are smaller
#define MAX_SHARE    0.001

// The meshes' share without animations. A bound exceeds what was found by up to 1%.
#define STILL_SHARE 0.98

// The fraction of the meshes' share that rounding inverse bind matrices starts with.
#define BIND_SHARE 0.1

// Weights have this many bits, and positions are refined at most this often.
enum { MIN_WEIGHT_BITS = 8, MAX_WEIGHT_BITS = 16, MAX_ROUNDS = 6, FREE_ROUNDS = 3 };

// Larger than any exponent that values can be rounded with.
#define MAX_EXPONENT 1000.0

// Steps of texture coordinates (1/4096), and of displacements of directions.
enum { TEXCOORD_EXPONENT = -12, DIRECTION_EXPONENT = -9 };

// ---- The model with rounded vertices -------------------------------------------------------------------------------

static const double *new_values(const mesh_accessor *accessor, const double *values) {
    return accessor && accessor->values ? accessor->values : values;
}

static bool round_targets(const mesh_coder *c, sinewi_json_value value, ref_primitive *primitive) {
    const ref_list list = ref_elements(c->def->document, value, "targets");
    ref_attributes *targets = sinewi_arena_array(c->arena, ref_attributes, (size_t)primitive->target_count);
    if (!targets) return false;
    for (int32_t t = 0; t < primitive->target_count; t++) {
        targets[t] = primitive->targets[t];
        if (t < list.count)
            targets[t].positions = new_values(mesh_member(c, list.values[t], "POSITION"), targets[t].positions);
    }
    primitive->targets = targets;
    return true;
}

// Returns the rounded weights as they're read. A vertex without any has the primitive's.
static const double *read_weights(const mesh_coder *c, const double *values, const ref_primitive *primitive) {
    const size_t count = (size_t)primitive->vertex_count;
    double *weights = sinewi_arena_array(c->arena, double, 4 * count);
    for (size_t v = 0; weights && v < count; v++) {
        const double *rounded = values + 4 * v;
        const bool has_any = rounded[0] + rounded[1] + rounded[2] + rounded[3] > 0.0;
        memcpy(weights + 4 * v, has_any ? rounded : primitive->weights + 4 * v, 4 * sizeof *weights);
    }
    return weights;
}

// Replaces a primitive's rounded values.
static bool round_primitive(const mesh_coder *c, sinewi_json_value value, ref_primitive *primitive) {
    const sinewi_json_value attributes = sinewi_json_get(&c->def->document->json, value, "attributes");
    if (primitive->vertex_count == 0) return true;
    primitive->base.positions = new_values(mesh_member(c, attributes, "POSITION"), primitive->base.positions);
    const mesh_accessor *weights = mesh_member(c, attributes, "WEIGHTS_0");
    if (primitive->influences == 4 && weights && weights->values)
        primitive->weights = read_weights(c, weights->values, primitive);
    if (primitive->influences == 4 && !primitive->weights) return false;
    return round_targets(c, value, primitive);
}

// Replaces the rounded inverse bind matrices.
static const ref_model *round_skins(const mesh_coder *c, const ref_model *model) {
    ref_model *copy = sinewi_arena_array(c->arena, ref_model, 1);
    ref_skin *skins = sinewi_arena_array(c->arena, ref_skin, (size_t)model->skin_count);
    if (!copy || !skins) return NULL;
    for (int32_t i = 0; i < model->skin_count; i++) {
        const mesh_accessor *binds = mesh_binds_of(c, i);
        skins[i] = model->skins[i];
        if (binds) skins[i].inverse_binds = new_values(binds, skins[i].inverse_binds);
    }
    *copy = *model;
    copy->skins = skins;
    return copy;
}

static const ref_model *round_model(const mesh_coder *c) {
    ref_document *document = c->def->document;
    ref_primitive **primitives;
    const ref_model *model = ref_copy_model(c->arena, c->def->model, &primitives);
    for (int32_t m = 0; model && m < model->mesh_count; m++) {
        const ref_list list = ref_elements(document, document->meshes.values[m], "primitives");
        if (list.count != model->meshes[m].primitive_count) return NULL;
        for (int32_t p = 0; p < list.count; p++) {
            if (!round_primitive(c, list.values[p], &primitives[m][p])) return NULL;
        }
    }
    return model ? round_skins(c, model) : NULL;
}

// ---- Measuring -----------------------------------------------------------------------------------------------------

// Bounds the displacement over the rest pose and all clips. Displacements below `limit` needn't be found exactly.
static bool measure(const mesh_coder *c, const ref_model *model, double limit, double *bound) {
    sinewi_arena scratch;
    compare_body body;
    compare_measure m;
    compare_worst worst;
    const ref_model *own = c->def->model;
    sinewi_arena_init(&scratch, NULL);
    bool good = compare_match(&body, &scratch, own, model) && compare_measure_begin(&m, &body, limit);
    if (good) m.max_numbers = c->def->max_numbers;
    *bound = good && body.carried_vertices > 0 ? (double)INFINITY : 0.0;
    for (int32_t i = -1; good && i < own->animation_count && isfinite(*bound); i++) {
        const ref_animation *clip = i < 0 ? NULL : &own->animations[i];
        good = compare_clip(&m, clip, clip, i, &worst);
        *bound = fmax(*bound, worst.bound);
    }
    sinewi_arena_free(&scratch);
    return good;
}

// Returns by how many powers of two a bound exceeds a limit.
static int excess(double bound, double limit) {
    if (bound <= limit) return 0;
    return isfinite(bound) ? (int)ceil(log2(bound / limit)) : 1;
}

// ---- Which accessors are rounded -----------------------------------------------------------------------------------

static double scale_of(const double *matrix) {
    double sum = 0.0;
    for (int i = 0; i < 11; i++) sum += i % 4 != 3 ? matrix[i] * matrix[i] : 0.0;
    return sqrt(sum / 3.0);
}

// Returns the largest scale of a primitive on a node in the rest pose.
static double primitive_scale(const ref_model *model, int32_t node, const ref_primitive *primitive,
                              const ref_pose *rest, const double *palette) {
    const int32_t skin = model->nodes[node].skin;
    if (skin < 0 || primitive->influences == 0) return scale_of(rest->worlds + 16 * (ptrdiff_t)node);
    double largest = 0.0;
    for (int32_t i = 0; i < model->skins[skin].joint_count; i++)
        largest = fmax(largest, scale_of(palette + 16 * (ptrdiff_t)i));
    return largest;
}

static void enlarge(mesh_accessor *accessor, double scale) {
    if (accessor) accessor->scale = fmax(accessor->scale, scale);
}

static void note_scale(const mesh_coder *c, sinewi_json_value value, double scale) {
    const sinewi_json *json = &c->def->document->json;
    const sinewi_json_value attributes = sinewi_json_get(json, value, "attributes"),
                            targets = sinewi_json_get(json, value, "targets");
    enlarge(mesh_member(c, attributes, "POSITION"), scale);
    enlarge(mesh_member(c, attributes, "WEIGHTS_0"), scale);
    for (sinewi_json_value t = sinewi_json_first(json, targets); t != SINEWI_JSON_ABSENT;
         t = sinewi_json_following(json, t))
        enlarge(mesh_member(c, t, "POSITION"), scale);
}

static void note_node(const mesh_coder *c, int32_t node, const ref_pose *rest, const double *palette) {
    const sinewi_json *json = &c->def->document->json;
    const int32_t index = c->def->model->nodes[node].mesh;
    const ref_mesh *mesh = &c->def->model->meshes[index];
    sinewi_json_value value =
        sinewi_json_first(json, sinewi_json_get(json, c->def->document->meshes.values[index], "primitives"));
    for (int32_t p = 0; p < mesh->primitive_count; p++, value = sinewi_json_following(json, value))
        note_scale(c, value, primitive_scale(c->def->model, node, &mesh->primitives[p], rest, palette));
}

static double length_of(const double vector[3]) {
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

// Records the scale of a skin's joints, and how far away the positions on a node with it are.
static void note_binds(const mesh_coder *c, int32_t node, const ref_pose *rest) {
    const ref_node *of = &c->def->model->nodes[node];
    const ref_mesh *mesh = &c->def->model->meshes[of->mesh];
    mesh_accessor *binds = mesh_binds_of(c, of->skin);
    if (!binds) return;
    const ref_skin *skin = &c->def->model->skins[of->skin];
    for (int32_t i = 0; i < skin->joint_count; i++)
        enlarge(binds, scale_of(rest->worlds + 16 * (ptrdiff_t)skin->joints[i]));
    for (int32_t p = 0; p < mesh->primitive_count; p++) {
        const ref_primitive *primitive = &mesh->primitives[p];
        for (ptrdiff_t v = 0; v < primitive->vertex_count; v++)
            binds->reach = fmax(binds->reach, length_of(primitive->base.positions + 3 * v));
    }
}

static bool find_scales(const mesh_coder *c) {
    const ref_model *model = c->def->model;
    ref_pose rest;
    int32_t joints = 0;
    for (int32_t i = 0; i < model->skin_count; i++)
        joints = joints > model->skins[i].joint_count ? joints : model->skins[i].joint_count;
    double *palette = sinewi_arena_array(c->arena, double, 16 * (size_t)joints);
    if (!palette || !ref_make_pose(c->arena, model, &rest)) return false;
    ref_evaluate(model, NULL, 0.0, &rest);
    for (int32_t n = 0; n < model->node_count; n++) {
        const ref_node *node = &model->nodes[n];
        if (node->mesh < 0) continue;
        if (node->skin >= 0) ref_palette(&model->skins[node->skin], &rest, palette);
        if (node->skin >= 0) note_binds(c, n, &rest);
        note_node(c, n, &rest, palette);
    }
    return true;
}

static bool uses_extension(const mesh_coder *c, const char *name) {
    const sinewi_json *json = &c->def->document->json;
    const sinewi_json_value list = sinewi_json_get(json, 0, "extensionsUsed");
    for (sinewi_json_value e = sinewi_json_first(json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e)) {
        if (sinewi_json_kind_of(json, e) == SINEWI_JSON_STRING && sinewi_json_equals(json, e, name)) return true;
    }
    return false;
}

// Returns why the displacement of this file's vertices isn't known, or NULL if it is.
static const char *unmeasured(const mesh_coder *c, const compare_body *body) {
    if (uses_extension(c, "KHR_animation_pointer")) return "KHR_animation_pointer may move its vertices";
    if (uses_extension(c, "EXT_mesh_gpu_instancing")) return "EXT_mesh_gpu_instancing may scale its meshes";
    return body->unmatched_vertices > 0 ? "some of its vertices cannot be measured" : NULL;
}

// ---- Rounding ------------------------------------------------------------------------------------------------------

// Quantizes whatever doesn't displace vertices.
static bool round_rest(const mesh_coder *c) {
    for (int32_t i = 0; i < c->def->document->accessors.count; i++) {
        mesh_accessor *accessor = &c->accessors[i];
        const bool texcoord = mesh_is_rounded(accessor, MESH_TEXCOORD),
                   direction = mesh_is_rounded(accessor, MESH_DIRECTION);
        const int exponent = texcoord ? TEXCOORD_EXPONENT : DIRECTION_EXPONENT;
        if ((!texcoord && !direction) || !mesh_may_round(accessor, exponent)) continue;
        if (!mesh_round(accessor, exponent, c->arena)) return false;
    }
    return true;
}

static bool is_weights(const mesh_accessor *accessor) {
    return mesh_is_rounded(accessor, MESH_WEIGHTS) && accessor->components == 4 && accessor->scale > 0.0;
}

static bool round_all_weights(const mesh_coder *c, int bits) {
    for (int32_t i = 0; i < c->def->document->accessors.count; i++) {
        mesh_accessor *accessor = &c->accessors[i];
        if (!is_weights(accessor)) continue;
        if (bits > 0) {
            if (!mesh_round_weights(accessor, bits, c->arena)) return false;
        } else {
            accessor->values = NULL;
        }
    }
    return true;
}

// Returns the largest exponent for steps up to this one. Scales may be infinite.
static int exponent_for(double step) {
    return (int)fmax(-MAX_EXPONENT, fmin(MAX_EXPONENT, floor(log2(step))));
}

// Returns the largest step that displaces no single position by more than a limit in the rest pose. The displacement is
// half a step on each axis.
static double step_of(double limit, double scale) {
    return limit / (0.5 * sqrt(3.0)) / scale;
}

// Returns the unit of integers, or 0 if they must be floats or would exceed 16 bits.
static double unit_of(const mesh_accessor *accessor, double limit) {
    const double unit = accessor->grid_scale > 0.0 ? step_of(limit, accessor->grid_scale) : 0.0;
    return isnormal(unit) && accessor->grid_reach / unit <= INT16_MAX - 1.0 ? unit : 0.0;
}

// The approximate size of a compressed matrix.
#define MATRIX_BYTES 32.0

// Returns whether a view for all matrices is smaller than the matrices.
static bool may_round_binds(const mesh_coder *c) {
    double count = 0.0;
    for (int32_t i = 0; i < c->def->document->accessors.count; i++)
        count += mesh_are_binds(&c->accessors[i]) ? (double)c->accessors[i].count : 0.0;
    return count * (16.0 * sizeof(float) - MATRIX_BYTES) > OPTIMIZE_VIEW_JSON;
}

// Rounds inverse bind matrices. A component that's off by half a step displaces a position by half a step times its
// distance.
static bool round_binds(const mesh_coder *c, double limit) {
    if (!may_round_binds(c)) return true;
    for (int32_t i = 0; i < c->def->document->accessors.count; i++) {
        mesh_accessor *binds = &c->accessors[i];
        if (!mesh_are_binds(binds)) continue;
        const double step = BIND_SHARE * limit / binds->scale;
        binds->unit = unit_of(binds, limit);
        const double scale = binds->unit > 0.0 ? binds->unit : 1.0;
        binds->offset_exponent = exponent_for(step / (0.5 * sqrt(3.0)));
        binds->exponent = exponent_for(step * scale / (1.5 * binds->reach));
        if (!mesh_round_matrices(binds, c->arena)) return false;
    }
    return true;
}

static void note_step(const mesh_coder *c, double step) {
    if (c->out->step == 0.0 || step < c->out->step) c->out->step = step;
}

static bool round_position(const mesh_coder *c, mesh_accessor *accessor, double limit) {
    const int exponent = exponent_for(step_of(limit, accessor->scale));
    accessor->values = NULL;
    accessor->unit = unit_of(accessor, limit);
    if (accessor->unit > 0.0) {
        note_step(c, accessor->unit);
        return mesh_round_to_integers(accessor, c->arena);
    }
    if (!mesh_may_round(accessor, exponent)) return true;
    note_step(c, ldexp(1.0, exponent));
    return mesh_round(accessor, exponent, c->arena);
}

static bool round_positions(const mesh_coder *c, double limit) {
    c->out->step = 0.0;
    for (int32_t i = 0; i < c->def->document->accessors.count; i++) {
        mesh_accessor *accessor = &c->accessors[i];
        if (mesh_may_move(accessor) && !round_position(c, accessor, limit)) return false;
    }
    return true;
}

// ---- Choosing ------------------------------------------------------------------------------------------------------

static bool has_weights(const mesh_coder *c) {
    for (int32_t i = 0; i < c->def->document->accessors.count; i++) {
        if (is_weights(&c->accessors[i])) return true;
    }
    return false;
}

static bool choose_weights(const mesh_coder *c, double limit) {
    double bound = 0.0;
    if (!has_weights(c)) return true;
    int bits = MIN_WEIGHT_BITS;
    while (bits <= MAX_WEIGHT_BITS) {
        if (!round_all_weights(c, bits)) return false;
        const ref_model *model = round_model(c);
        if (!model || !measure(c, model, WEIGHT_SHARE * limit, &bound)) return false;
        if (bound <= (bits == MIN_WEIGHT_BITS ? BYTE_SHARE : WEIGHT_SHARE) * limit) break;
        bits += excess(bound, WEIGHT_SHARE * limit);
    }
    c->out->weight_bits = bits <= MAX_WEIGHT_BITS ? bits : 0;
    return bits <= MAX_WEIGHT_BITS || round_all_weights(c, 0);
}

// Quantizes positions and matrices. If matrices can't be multiplied by a unit, all positions are floats.
static bool round_all(const mesh_coder *c, double limit) {
    if (!round_positions(c, limit) || !round_binds(c, limit)) return false;
    bool fits = true;
    for (int32_t i = 0; i < c->accessor_count; i++)
        fits &= c->accessors[i].use != MESH_BINDS || c->accessors[i].unit == 0.0 || c->accessors[i].values;
    for (int32_t i = 0; !fits && i < c->accessor_count; i++) c->accessors[i].grid_scale = 0.0;
    return fits || (round_positions(c, limit) && round_binds(c, limit));
}

// The largest factor in later rounds, or without a bound. It's small enough to refine powers of two.
#define HALF 0.5

// Returns the factor for steps after a round. It gets smaller each time, because a bound isn't proportional to them.
static double refinement(double bound, double limit, int round) {
    const double part = isfinite(bound) ? (0.97 - 0.1 * round) * limit / bound : HALF;
    return round < FREE_ROUNDS ? part : fmin(part, HALF);
}

static bool choose_positions(const mesh_coder *c, double limit) {
    double bound = 0.0, part = 1.0;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (round > 0) part *= refinement(bound, limit, round);
        if (!round_all(c, part * limit)) return false;
        const ref_model *model = round_model(c);
        if (!model || !measure(c, model, limit, &bound)) return false;
        c->out->model = model;
        c->out->error = bound;
        if (bound <= limit) return true;
    }
    for (int32_t i = 0; i < c->def->document->accessors.count; i++) {
        mesh_accessor *accessor = &c->accessors[i];
        if (!mesh_may_move(accessor) && !is_weights(accessor) && !mesh_are_binds(accessor)) continue;
        accessor->values = NULL;
        accessor->unit = 0.0;
    }
    c->out->exact = "it isn't known how far its vertices move";
    c->out->model = c->def->model;
    c->out->step = c->out->error = 0.0;
    c->out->weight_bits = 0;
    return true;
}

bool mesh_choose(mesh_coder *c) {
    compare_body body;
    if (!find_scales(c) || !compare_match(&body, c->arena, c->def->model, c->def->model)) return false;
    const double share = c->def->model->animation_count > 0 ? MESH_SHARE : STILL_SHARE;
    const double limit = fmin(share * c->def->error, MAX_SHARE) * body.size;
    c->out->model = c->def->model;
    c->out->exact = unmeasured(c, &body);
    if (!round_rest(c) || (may_round_binds(c) && !mesh_find_grids(c))) return false;
    return c->out->exact || (choose_weights(c, limit) && choose_positions(c, limit));
}
