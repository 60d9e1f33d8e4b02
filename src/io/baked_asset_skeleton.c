// SPDX-License-Identifier: MIT
// A baked asset's skeleton, skins and roles.
//
// The skeleton is stored as its definition, in the order of source indices, and created again on load. It's small, and
// sinew_skeleton_create checks it.
#include "io/baked_asset_coder.h"
#include "base/finite.h"
#include "core/skeleton_object.h"

#include <string.h>

// ---- Nodes ---------------------------------------------------------------------------------------------------

static void code_transform(sinewi_coder *c, sinew_transform *t) {
    sinewi_code_vec3(c, &t->translation);
    sinewi_code_float(c, &t->rotation.x);
    sinewi_code_float(c, &t->rotation.y);
    sinewi_code_float(c, &t->rotation.z);
    sinewi_code_float(c, &t->rotation.w);
    sinewi_code_vec3(c, &t->scale);
}

static void code_node(sinewi_coder *c, sinew_node_def *node) {
    sinewi_code_bool(c, &node->excluded);
    if (node->excluded) return;
    sinewi_code_string(c, &node->name);
    sinewi_code_i32(c, &node->parent);
    code_transform(c, &node->rest);
    sinewi_code_count(c, &node->weight_count);
    SINEWI_CODE_SMALL(c, node->rest_weights, const float, node->weight_count);
    bool has_shear = node->shear != NULL;
    sinewi_code_bool(c, &has_shear);
    if (has_shear) SINEWI_CODE_SMALL(c, node->shear, const sinew_affine, 1);
}

typedef struct curve_record {
    const char *name;
    float rest;
} curve_record;

static void code_curve(sinewi_coder *c, curve_record *curve) {
    sinewi_code_string(c, &curve->name);
    sinewi_code_float(c, &curve->rest);
}

// The definition that a skeleton's node was created from.
static sinew_node_def define_node(const sinew_skeleton *skeleton, int32_t source) {
    int32_t node = skeleton->node_of_source[source];
    if (node == SINEW_NO_NODE) return (sinew_node_def){.excluded = true};
    int32_t parent = skeleton->parents[node], first_weight = skeleton->weight_offsets[node];
    return (sinew_node_def){
        .name = skeleton->names[node],
        .parent = parent == SINEW_NO_NODE ? SINEW_NO_NODE : skeleton->source_of_node[parent],
        .rest = skeleton->rest[node],
        .weight_count = skeleton->weight_offsets[node + 1] - first_weight,
        .rest_weights = skeleton->rest_weights + first_weight,
        .shear = sinewi_skeleton_shear(skeleton, node),
    };
}

void sinewi_code_write_skeleton(sinewi_coder *c, const sinew_skeleton *skeleton) {
    int32_t count = skeleton->source_count;
    sinewi_code_count(c, &count);
    for (int32_t i = 0; i < count; i++) {
        sinew_node_def node = define_node(skeleton, i);
        code_node(c, &node);
    }
    int32_t curve_count = skeleton->curve_count;
    sinewi_code_count(c, &curve_count);
    for (int32_t i = 0; i < curve_count; i++) {
        curve_record curve = {skeleton->curve_names[i], skeleton->rest_curves[i]};
        code_curve(c, &curve);
    }
}

static void create_skeleton(sinewi_coder *c, sinew_skeleton_def *def, const sinew_allocator *allocator,
                            sinew_asset *asset) {
    def->allocator = *allocator;
    sinew_skeleton *skeleton;
    c->failed = sinew_skeleton_create(def, &skeleton, c->error) != SINEW_OK;
    if (!c->failed) asset->skeleton = skeleton;
}

// Reads the curves and creates the skeleton with them. A curve's record has at least 8 bytes.
static void read_curves(sinewi_coder *c, sinew_skeleton_def *def, const sinew_allocator *allocator,
                        sinew_asset *asset) {
    c->part = "curves";
    c->index = -1;
    sinewi_code_count(c, &def->curve_count);
    if ((size_t)def->curve_count > (c->record_end - c->record) / 8)
        sinewi_code_damaged(c, "its records end too early");
    if (c->failed) return;
    const size_t count = (size_t)def->curve_count, size = (count + 1) * (sizeof(const char *) + sizeof(float));
    const char **names = (const char **)sinewi_allocate(&c->allocator, size, SINEWI_ALIGNMENT);
    if (!names) {
        sinewi_code_fail_memory(c);
        return;
    }
    float *rest = (float *)(void *)(names + count);
    for (c->index = 0; c->index < def->curve_count && !c->failed; c->index++) {
        curve_record curve = {"", 0.0f};
        code_curve(c, &curve);
        names[c->index] = curve.name;
        rest[c->index] = curve.rest;
    }
    def->curve_names = names;
    def->rest_curves = rest;
    if (!c->failed) create_skeleton(c, def, allocator, asset);
    sinewi_release(&c->allocator, (void *)names, size, SINEWI_ALIGNMENT);
}

// Reads the definitions and creates the skeleton from them.
static void read_skeleton(sinewi_coder *c, sinew_node_def *nodes, int32_t count, const sinew_allocator *allocator,
                          sinew_asset *asset) {
    for (c->index = 0; c->index < count && !c->failed; c->index++) {
        sinew_node_def *node = &nodes[c->index];
        *node = (sinew_node_def){0};
        code_node(c, node);
        for (int32_t w = 0; w < node->weight_count && !c->failed; w++)
            if (!isfinite(node->rest_weights[w])) sinewi_code_damaged(c, "a morph weight is not finite");
    }
    if (c->failed) return;
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    read_curves(c, &def, allocator, asset);
}

// A node's record has at least 4 bytes, so the definitions are in proportion to the file.
void sinewi_code_read_skeleton(sinewi_coder *c, sinew_asset *asset, const sinew_allocator *allocator) {
    c->part = "nodes";
    int32_t count;
    sinewi_code_count(c, &count);
    if ((size_t)count > (c->record_end - c->record) / 4) sinewi_code_damaged(c, "its records end too early");
    if (c->failed) return;
    size_t size = ((size_t)count + 1) * sizeof(sinew_node_def);
    sinew_node_def *nodes = (sinew_node_def *)sinewi_allocate(&c->allocator, size, SINEWI_ALIGNMENT);
    if (nodes) {
        read_skeleton(c, nodes, count, allocator, asset);
    } else {
        sinewi_code_fail_memory(c);
    }
    sinewi_release(&c->allocator, nodes, size, SINEWI_ALIGNMENT);
    c->index = -1;
}

// ---- Skins ---------------------------------------------------------------------------------------------------

static void check_skin(sinewi_coder *c, const sinew_skin *skin) {
    for (int32_t i = 0; i < skin->joint_count; i++) {
        bool valid = skin->joints[i] >= 0 && skin->joints[i] < skin->skeleton->node_count;
        sinewi_code_check(c, valid, "a joint isn't a node of the skeleton");
        sinewi_code_check(c, sinewi_affine_is_finite(&skin->inverse_binds[i]), "a matrix is not finite");
    }
}

void sinewi_code_skin(sinewi_coder *c, void *element) {
    sinew_skin *skin = (sinew_skin *)element;
    skin->skeleton = c->asset->skeleton;
    sinewi_code_string(c, &skin->name);
    sinewi_code_count(c, &skin->joint_count);
    SINEWI_CODE_SMALL(c, skin->joints, const int32_t, skin->joint_count);
    SINEWI_CODE_ARRAY(c, skin->inverse_binds, const sinew_affine, skin->joint_count);
    if (sinewi_coder_loads(c)) check_skin(c, skin);
}

// ---- Roles ---------------------------------------------------------------------------------------------------

void sinewi_code_humanoid(sinewi_coder *c, sinew_asset *asset) {
    c->part = "humanoid";
    bool exists = asset->humanoid != NULL;
    sinewi_code_bool(c, &exists);
    if (!exists) return;
    sinew_humanoid humanoid = sinew_humanoid_empty();
    if (asset->humanoid) humanoid = *asset->humanoid;
    SINEWI_CODE_ENUM(c, humanoid.source, sinew_humanoid_source, SINEW_HUMANOID_SOURCE_GUESS + 1);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        int32_t node = humanoid.nodes[role];
        sinewi_code_index_or_none(c, &node, asset->skeleton->node_count);
        humanoid.nodes[role] = SINEW_NO_NODE;
        bool is_free = node == SINEW_NO_NODE || sinew_humanoid_role_of(&humanoid, node) == SINEW_NO_ROLE;
        sinewi_code_check(c, is_free, "a node has two roles");
        humanoid.nodes[role] = node;
    }
    sinew_humanoid *to = (sinew_humanoid *)sinewi_code_memory(c, 1, sizeof *to);
    if (!to) return;
    *to = humanoid;
    asset->humanoid = to;
}
