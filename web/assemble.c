// SPDX-License-Identifier: MIT
// Makes assets from a glTF file that another library has parsed, without the importer.
//
// `c` is the file's content, `data` the asset being made. JavaScript gives nodes by their index in the file. C replaces
// these indices in place by the skeleton's.
#include "internal.h"

#include "core/asset_data.h"
#include "core/math_split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sets web_error's message, starting with the location in the file. Always returns false.
static bool fail_at(const char *array, int32_t index, const sinew_error *error) {
    char message[sizeof error->message];
    snprintf(message, sizeof message, "%s[%d]: %s", array, (int)index, error->message);
    web_fail(message);
    return false;
}

static bool fail_memory(void) {
    web_fail("out of memory");
    return false;
}

// ---- The skeleton --------------------------------------------------------------------------------------------

static bool read_matrix(const web_node *from, int32_t index, sinew_node_def *to, sinew_affine *shear) {
    sinewi_split_matrix split = sinewi_matrix_split(sinew_affine_from_mat4(*from->matrix));
    if (!split.is_finite)
        return fail_at("nodes", index, &(sinew_error){.message = "the numbers of the matrix are too large"});
    to->rest = split.transform;
    if (!split.is_sheared) return true;
    *shear = split.shear;
    to->shear = shear;
    return true;
}

static bool describe_nodes(const web_content *c, sinew_node_def *nodes, sinew_affine *shears) {
    for (int32_t i = 0; i < c->node_count; i++) {
        const web_node *from = &c->nodes[i];
        nodes[i] = (sinew_node_def){.name = from->name,
                                    .parent = from->parent,
                                    .rest = from->rest,
                                    .weight_count = from->weight_count,
                                    .rest_weights = from->rest_weights};
        if (from->matrix && !read_matrix(from, i, &nodes[i], &shears[i])) return false;
    }
    return true;
}

static bool create_skeleton(sinewi_asset_data *data, const web_content *c, const sinew_node_def *nodes) {
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = c->node_count;
    def.nodes = nodes;
    def.allocator = sinewi_asset_allocator(data);
    sinew_skeleton *skeleton;
    sinew_error error;
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) {
        web_fail(error.message);
        return false;
    }
    data->asset.skeleton = skeleton;
    return true;
}

static bool make_skeleton(sinewi_asset_data *data, const web_content *c) {
    sinew_node_def *nodes = calloc((size_t)c->node_count + 1, sizeof *nodes);
    sinew_affine *shears = calloc((size_t)c->node_count + 1, sizeof *shears);
    bool made =
        nodes && shears ? describe_nodes(c, nodes, shears) && create_skeleton(data, c, nodes) : fail_memory();
    free(nodes);
    free(shears);
    return made;
}

static void to_skeleton(const sinewi_asset_data *data, int32_t *nodes, int32_t count) {
    for (int32_t i = 0; i < count; i++) nodes[i] = data->asset.skeleton->node_of_source[nodes[i]];
}

// ---- Skins ---------------------------------------------------------------------------------------------------

static bool make_skin(sinewi_asset_data *data, const web_skin *from, int32_t index, sinew_skin *to) {
    sinew_skin_def def = sinew_skin_default();
    sinew_affine *inverse_binds =
        from->inverse_binds ? calloc((size_t)from->joint_count + 1, sizeof *inverse_binds) : NULL;
    if (from->inverse_binds && !inverse_binds) return fail_memory();
    for (int32_t i = 0; inverse_binds && i < from->joint_count; i++)
        inverse_binds[i] = sinew_affine_from_mat4(from->inverse_binds[i]);
    to_skeleton(data, from->joints, from->joint_count);
    def.name = from->name;
    def.skeleton = data->asset.skeleton;
    def.joint_count = from->joint_count;
    def.joints = from->joints;
    def.inverse_binds = inverse_binds;
    def.allocator = sinewi_asset_allocator(data);
    sinew_skin *skin;
    sinew_error error;
    sinew_result result = sinew_skin_create(&def, &skin, &error);
    free(inverse_binds);
    if (result != SINEW_OK) return fail_at("skins", index, &error);
    *to = *skin; // the asset owns its arrays
    return true;
}

static bool make_skins(sinewi_asset_data *data, const web_content *c) {
    sinew_skin *skins = sinewi_arena_zeros(&data->arena, sinew_skin, (size_t)c->skin_count);
    if (!skins) return fail_memory();
    for (int32_t i = 0; i < c->skin_count; i++)
        if (!make_skin(data, &c->skins[i], i, &skins[i])) return false;
    data->asset.skins = skins;
    data->asset.skin_count = c->skin_count;
    return true;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static bool make_clip(sinewi_asset_data *data, const web_clip *from, int32_t index, sinew_clip *to) {
    const float growth = 2.0f; // the importer's default
    sinew_clip_def def = sinew_clip_default();
    for (int32_t i = 0; i < from->channel_count; i++) to_skeleton(data, &from->channels[i].node, 1);
    def.name = from->name;
    def.skeleton = data->asset.skeleton;
    def.channel_count = from->channel_count;
    def.channels = from->channels;
    def.marker_count = from->marker_count;
    def.markers = from->markers;
    def.allocator = sinewi_asset_allocator(data);
    sinew_clip *clip;
    sinew_error error;
    if (sinew_clip_create_filled(&def, growth, &clip, &error) != SINEW_OK)
        return fail_at("animations", index, &error);
    *to = *clip; // the asset owns its arrays
    return true;
}

static bool make_clips(sinewi_asset_data *data, const web_content *c) {
    sinew_clip *clips = sinewi_arena_zeros(&data->arena, sinew_clip, (size_t)c->clip_count);
    if (!clips) return fail_memory();
    for (int32_t i = 0; i < c->clip_count; i++)
        if (!make_clip(data, &c->clips[i], i, &clips[i])) return false;
    data->asset.clips = clips;
    data->asset.clip_count = c->clip_count;
    return true;
}

// ---- Meshes --------------------------------------------------------------------------------------------------

// The asset's meshes have names but no primitives: the page already has those.
static bool make_meshes(sinewi_asset_data *data, const web_content *c) {
    sinew_mesh *meshes = sinewi_arena_zeros(&data->arena, sinew_mesh, (size_t)c->mesh_count);
    sinew_mesh_node *mesh_nodes = sinewi_arena_zeros(&data->arena, sinew_mesh_node, (size_t)c->mesh_node_count);
    if (!meshes || !mesh_nodes) return fail_memory();
    for (int32_t i = 0; i < c->mesh_count; i++) {
        meshes[i].name = sinewi_arena_string(&data->arena, c->mesh_names[i], strlen(c->mesh_names[i]));
        if (!meshes[i].name) return fail_memory();
    }
    for (int32_t i = 0; i < c->mesh_node_count; i++) {
        const web_mesh_node *from = &c->mesh_nodes[i];
        mesh_nodes[i] = (sinew_mesh_node){from->node, from->mesh, from->skin, from->drawn, from->drawn};
        to_skeleton(data, &mesh_nodes[i].node, 1);
    }
    data->asset.meshes = meshes;
    data->asset.mesh_count = c->mesh_count;
    data->asset.mesh_nodes = mesh_nodes;
    data->asset.mesh_node_count = c->mesh_node_count;
    return true;
}

static bool create_bounds(sinewi_asset_data *data, const sinew_bounds_mesh *meshes, int32_t count) {
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = data->asset.skeleton;
    def.mesh_count = count;
    def.meshes = meshes;
    def.allocator = sinewi_asset_allocator(data);
    sinew_bounds *bounds;
    sinew_error error;
    if (sinew_bounds_create(&def, &bounds, &error) != SINEW_OK) {
        web_fail(error.message);
        return false;
    }
    data->asset.bounds = bounds;
    return true;
}

static bool make_bounds(sinewi_asset_data *data, const web_content *c) {
    sinew_bounds_mesh *meshes = calloc((size_t)c->bounded_count + 1, sizeof *meshes);
    if (!meshes) return fail_memory();
    for (int32_t i = 0; i < c->bounded_count; i++) {
        const web_bounded *from = &c->bounded[i];
        to_skeleton(data, from->nodes, from->node_count);
        meshes[i] = (sinew_bounds_mesh){.node_count = from->node_count,
                                        .nodes = from->nodes,
                                        .skin = from->skin < 0 ? NULL : &data->asset.skins[from->skin],
                                        .vertex_count = from->vertex_count,
                                        .positions = from->positions,
                                        .index_count = from->index_count,
                                        .indices = from->indices,
                                        .influences = from->influences,
                                        .joints = from->joints,
                                        .weights = from->weights,
                                        .target_count = from->target_count,
                                        .target_positions = from->target_positions};
    }
    bool made = create_bounds(data, meshes, c->bounded_count);
    free(meshes);
    return made;
}

// ---- The asset -----------------------------------------------------------------------------------------------

sinew_asset *web_asset_assemble(const web_content *c) {
    sinewi_asset_data *data = sinewi_asset_data_create(NULL, SIZE_MAX);
    if (!data) {
        fail_memory();
        return NULL;
    }
    bool made = make_skeleton(data, c) && make_skins(data, c) && make_clips(data, c) && make_meshes(data, c) &&
                make_bounds(data, c);
    if (!made) {
        sinew_asset_destroy(&data->asset);
        return NULL;
    }
    data->asset.memory = data->budget.used + sizeof *data;
    return &data->asset;
}
