// SPDX-License-Identifier: MIT
// A baked asset's meshes, materials, images, cameras and lights, and the nodes that carry them.
#include "io/baked_asset_coder.h"

#include <math.h>

// ---- Meshes --------------------------------------------------------------------------------------------------

static void code_optional_floats(sinewi_coder *c, const float **values, size_t count) {
    SINEWI_CODE_OPTIONAL(c, *values, const float, count);
    sinewi_code_check_floats(c, *values, count);
}

// Codes each morph target's displacements, three floats per vertex. NULL for targets without displacements.
static void code_targets(sinewi_coder *c, const sinew_primitive *p, const float *const **targets) {
    const float **to = (const float **)sinewi_code_memory(c, (size_t)p->target_count, sizeof *to);
    for (int32_t t = 0; t < p->target_count && !c->failed; t++) {
        const float *values = sinewi_coder_writes(c) ? (*targets)[t] : NULL;
        code_optional_floats(c, &values, 3 * (size_t)p->vertex_count);
        if (to) to[t] = values;
    }
    if (to) *targets = to;
}

static void check_indices(sinewi_coder *c, const sinew_primitive *p) {
    uint32_t largest = 0;
    for (int32_t i = 0; i < p->index_count; i++) largest = p->indices[i] > largest ? p->indices[i] : largest;
    bool valid = p->index_count == 0 || largest < (uint32_t)p->vertex_count;
    sinewi_code_check(c, valid && p->index_count % 3 == 0, "a triangle's vertex isn't in its primitive");
}

// Checks that each vertex's weights aren't negative and sum to 1.
static void check_weights(sinewi_coder *c, const sinew_primitive *p) {
    if (!sinewi_coder_loads(c) || !c->verify || p->influences == 0) return;
    const float *weights = p->weights;
    bool valid = true;
    for (int32_t v = 0; v < p->vertex_count; v++, weights += p->influences) {
        float sum = 0.0f;
        for (int32_t i = 0; i < p->influences; i++) {
            valid = valid && weights[i] >= 0.0f;
            sum += weights[i];
        }
        valid = valid && fabsf(sum - 1.0f) < 1e-5f;
    }
    sinewi_code_check(c, valid, "a vertex's weights do not sum to 1");
}

static void code_vertices(sinewi_coder *c, sinew_primitive *p) {
    size_t count = (size_t)p->vertex_count;
    SINEWI_CODE_ARRAY(c, p->positions, const float, 3 * count);
    sinewi_code_check_floats(c, p->positions, 3 * count);
    code_optional_floats(c, &p->normals, 3 * count);
    code_optional_floats(c, &p->tangents, 4 * count);
    code_optional_floats(c, &p->uvs, 2 * count);
    code_optional_floats(c, &p->colors, 4 * count);
    size_t influences = count * (size_t)p->influences;
    SINEWI_CODE_ARRAY(c, p->joints, const uint16_t, influences);
    SINEWI_CODE_ARRAY(c, p->weights, const float, influences);
    check_weights(c, p);
    code_targets(c, p, &p->target_positions);
    code_targets(c, p, &p->target_normals);
    code_targets(c, p, &p->target_tangents);
}

static void code_primitive(sinewi_coder *c, void *element) {
    sinew_primitive *p = (sinew_primitive *)element;
    sinewi_code_count(c, &p->vertex_count);
    p->influences = 4 * sinewi_code_choice(c, p->influences / 4, 3);
    sinewi_code_count(c, &p->index_count);
    sinewi_code_index_or_none(c, &p->material, c->asset->material_count);
    sinewi_code_count(c, &p->target_count);
    code_vertices(c, p);
    SINEWI_CODE_ARRAY(c, p->indices, const uint32_t, p->index_count);
    if (sinewi_coder_loads(c)) check_indices(c, p);
}

static void code_mesh(sinewi_coder *c, void *element) {
    sinew_mesh *mesh = (sinew_mesh *)element;
    sinewi_code_string(c, &mesh->name);
    sinewi_code_count(c, &mesh->target_count);
    sinewi_code_count(c, &mesh->primitive_count);
    SINEWI_CODE_STRUCTS(c, mesh->primitives, sinew_primitive, mesh->primitive_count, code_primitive);
    if (!sinewi_coder_loads(c)) return;
    for (int32_t i = 0; i < mesh->primitive_count; i++)
        sinewi_code_check(c, mesh->primitives[i].target_count == mesh->target_count,
                          "its primitives have different targets");
}

// The largest joint that any of a mesh's vertices uses. -1 if the mesh isn't skinned.
static int32_t find_largest_joint(const sinew_mesh *mesh) {
    int32_t largest = -1;
    for (int32_t i = 0; i < mesh->primitive_count; i++) {
        const sinew_primitive *p = &mesh->primitives[i];
        size_t count = (size_t)p->vertex_count * (size_t)p->influences;
        for (size_t k = 0; k < count; k++) largest = p->joints[k] > largest ? p->joints[k] : largest;
    }
    return largest;
}

// Finds each mesh's largest joint, once for all nodes that carry the mesh.
static void find_largest_joints(sinewi_coder *c, const sinew_asset *asset) {
    int32_t *largest = (int32_t *)sinewi_code_memory(c, (size_t)asset->mesh_count, sizeof *largest);
    if (!largest) return;
    for (int32_t i = 0; i < asset->mesh_count; i++) largest[i] = find_largest_joint(&asset->meshes[i]);
    c->largest_joints = largest;
}

static void check_mesh_node(sinewi_coder *c, const sinew_mesh_node *mesh_node) {
    const sinew_asset *asset = c->asset;
    const int32_t *offsets = asset->skeleton->weight_offsets + mesh_node->node;
    int32_t joints = mesh_node->skin < 0 ? INT32_MAX : asset->skins[mesh_node->skin].joint_count;
    sinewi_code_check(c, c->largest_joints[mesh_node->mesh] < joints,
                      "a vertex uses a joint that the skin does not have");
    sinewi_code_check(c, offsets[1] - offsets[0] >= asset->meshes[mesh_node->mesh].target_count,
                      "its node has fewer morph weights than its mesh has targets");
}

static void code_mesh_node(sinewi_coder *c, void *element) {
    sinew_mesh_node *mesh_node = (sinew_mesh_node *)element;
    sinewi_code_index(c, &mesh_node->node, c->asset->skeleton->node_count);
    sinewi_code_index(c, &mesh_node->mesh, c->asset->mesh_count);
    sinewi_code_index_or_none(c, &mesh_node->skin, c->asset->skin_count);
    sinewi_code_bool(c, &mesh_node->in_scene);
    sinewi_code_bool(c, &mesh_node->visible);
    if (sinewi_coder_loads(c)) check_mesh_node(c, mesh_node);
}

// ---- Surfaces ------------------------------------------------------------------------------------------------

static void code_image(sinewi_coder *c, void *element) {
    sinew_image *image = (sinew_image *)element;
    sinewi_code_string(c, &image->name);
    sinewi_code_string(c, &image->mime_type);
    sinewi_code_size(c, &image->size);
    SINEWI_CODE_ARRAY(c, image->bytes, const uint8_t, image->size);
}

static void code_texture(sinewi_coder *c, void *element) {
    sinew_texture *texture = (sinew_texture *)element;
    sinewi_code_index_or_none(c, &texture->image, c->asset->image_count);
    SINEWI_CODE_ENUM(c, texture->wrap_u, sinew_wrap, SINEW_WRAP_MIRROR + 1);
    SINEWI_CODE_ENUM(c, texture->wrap_v, sinew_wrap, SINEW_WRAP_MIRROR + 1);
    sinewi_code_bool(c, &texture->nearest);
}

static void code_material(sinewi_coder *c, void *element) {
    sinew_material *material = (sinew_material *)element;
    sinewi_code_string(c, &material->name);
    sinewi_code_floats(c, material->base_color, 4);
    sinewi_code_index_or_none(c, &material->base_color_texture, c->asset->texture_count);
    sinewi_code_i32(c, &material->base_color_uv);
    SINEWI_CODE_ENUM(c, material->alpha_mode, sinew_alpha_mode, SINEW_ALPHA_BLEND + 1);
    sinewi_code_float(c, &material->alpha_cutoff);
    sinewi_code_bool(c, &material->double_sided);
    sinewi_code_bool(c, &material->unlit);
}

// ---- Cameras and lights --------------------------------------------------------------------------------------

static void code_camera(sinewi_coder *c, void *element) {
    sinew_camera *camera = (sinew_camera *)element;
    sinewi_code_string(c, &camera->name);
    sinewi_code_bool(c, &camera->orthographic);
    sinewi_code_float(c, &camera->yfov);
    sinewi_code_float(c, &camera->aspect);
    sinewi_code_float(c, &camera->xmag);
    sinewi_code_float(c, &camera->ymag);
    sinewi_code_float(c, &camera->znear);
    sinewi_code_unbounded(c, &camera->zfar);
}

static void code_camera_node(sinewi_coder *c, void *element) {
    sinew_camera_node *mesh_node = (sinew_camera_node *)element;
    sinewi_code_index(c, &mesh_node->node, c->asset->skeleton->node_count);
    sinewi_code_index(c, &mesh_node->camera, c->asset->camera_count);
    sinewi_code_bool(c, &mesh_node->in_scene);
}

static void code_light(sinewi_coder *c, void *element) {
    sinew_light *light = (sinew_light *)element;
    sinewi_code_string(c, &light->name);
    SINEWI_CODE_ENUM(c, light->kind, sinew_light_kind, SINEW_LIGHT_SPOT + 1);
    sinewi_code_floats(c, light->color, 3);
    sinewi_code_float(c, &light->intensity);
    sinewi_code_unbounded(c, &light->range);
    sinewi_code_float(c, &light->inner_cone);
    sinewi_code_float(c, &light->outer_cone);
}

static void code_light_node(sinewi_coder *c, void *element) {
    sinew_light_node *mesh_node = (sinew_light_node *)element;
    sinewi_code_index(c, &mesh_node->node, c->asset->skeleton->node_count);
    sinewi_code_index(c, &mesh_node->light, c->asset->light_count);
    sinewi_code_bool(c, &mesh_node->in_scene);
    sinewi_code_bool(c, &mesh_node->visible);
}

// ---- Animated properties -------------------------------------------------------------------------------------

// How many elements a target has. 0 for properties elsewhere.
static int32_t count_targets(const sinew_asset *asset, sinew_property_target target) {
    switch (target) {
    case SINEW_PROPERTY_MATERIAL:
        return asset->material_count;
    case SINEW_PROPERTY_NODE:
        return asset->skeleton->node_count;
    case SINEW_PROPERTY_CAMERA:
        return asset->camera_count;
    case SINEW_PROPERTY_LIGHT:
        return asset->light_count;
    case SINEW_PROPERTY_OTHER:
        return 0;
    }
    return 0;
}

static void code_property(sinewi_coder *c, void *element) {
    sinew_animated_property *property = (sinew_animated_property *)element;
    sinewi_code_string(c, &property->pointer);
    sinewi_code_string(c, &property->name);
    SINEWI_CODE_ENUM(c, property->target, sinew_property_target, SINEW_PROPERTY_OTHER + 1);
    sinewi_code_index_or_none(c, &property->index, count_targets(c->asset, property->target));
    const bool has_index = property->index >= 0;
    sinewi_code_check(c, has_index == (property->target != SINEW_PROPERTY_OTHER), "a property has no element");
    sinewi_code_index(c, &property->first_curve, c->asset->skeleton->curve_count);
    sinewi_code_count(c, &property->component_count);
    const int32_t left = c->asset->skeleton->curve_count - property->first_curve;
    sinewi_code_check(c, property->component_count >= 1 && property->component_count <= left,
                      "a property has curves that do not exist");
    sinewi_code_bool(c, &property->is_bool);
}

// ---- All of them ---------------------------------------------------------------------------------------------

// The counts come first, so indices can be checked in any order.
static void code_counts(sinewi_coder *c, sinew_asset *asset) {
    sinewi_code_count(c, &asset->image_count);
    sinewi_code_count(c, &asset->texture_count);
    sinewi_code_count(c, &asset->material_count);
    sinewi_code_count(c, &asset->mesh_count);
    sinewi_code_count(c, &asset->mesh_node_count);
    sinewi_code_count(c, &asset->camera_count);
    sinewi_code_count(c, &asset->camera_node_count);
    sinewi_code_count(c, &asset->light_count);
    sinewi_code_count(c, &asset->light_node_count);
    sinewi_code_count(c, &asset->animated_property_count);
}

void sinewi_code_scene(sinewi_coder *c, sinew_asset *asset) {
    c->part = "counts";
    code_counts(c, asset);
    SINEWI_CODE_PART(c, asset, images, sinew_image, image_count, code_image);
    SINEWI_CODE_PART(c, asset, textures, sinew_texture, texture_count, code_texture);
    SINEWI_CODE_PART(c, asset, materials, sinew_material, material_count, code_material);
    SINEWI_CODE_PART(c, asset, meshes, sinew_mesh, mesh_count, code_mesh);
    find_largest_joints(c, asset);
    SINEWI_CODE_PART(c, asset, mesh_nodes, sinew_mesh_node, mesh_node_count, code_mesh_node);
    SINEWI_CODE_PART(c, asset, cameras, sinew_camera, camera_count, code_camera);
    SINEWI_CODE_PART(c, asset, camera_nodes, sinew_camera_node, camera_node_count, code_camera_node);
    SINEWI_CODE_PART(c, asset, lights, sinew_light, light_count, code_light);
    SINEWI_CODE_PART(c, asset, light_nodes, sinew_light_node, light_node_count, code_light_node);
    SINEWI_CODE_PART(c, asset, animated_properties, sinew_animated_property, animated_property_count,
                     code_property);
}
