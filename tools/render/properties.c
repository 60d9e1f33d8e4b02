// SPDX-License-Identifier: MIT
// Applies animated properties to materials, nodes and cameras.
#include "render/properties.h"

#include <string.h>

static bool is_named(const sinew_animated_property *property, const char *name) {
    return strcmp(property->name, name) == 0;
}

void draw_animate_materials(const sinew_asset *asset, const float *curves, sinew_material *materials) {
    if (asset->material_count > 0)
        memcpy(materials, asset->materials, (size_t)asset->material_count * sizeof *materials);
    for (int32_t i = 0; i < asset->animated_property_count; i++) {
        const sinew_animated_property *property = &asset->animated_properties[i];
        const float *values = curves + property->first_curve;
        if (property->target != SINEW_PROPERTY_MATERIAL) continue;
        sinew_material *material = &materials[property->index];
        if (is_named(property, "pbrMetallicRoughness/baseColorFactor"))
            memcpy(material->base_color, values, sizeof material->base_color);
        if (is_named(property, "alphaCutoff")) material->alpha_cutoff = values[0];
    }
}

// ---- Cameras -------------------------------------------------------------------------------------------------

sinew_camera draw_animate_camera(const sinew_asset *asset, int32_t camera, const float *curves) {
    sinew_camera animated = asset->cameras[camera];
    const struct {
        const char *name;
        float *value;
    } fields[] = {
        {"perspective/yfov", &animated.yfov},    {"perspective/aspectRatio", &animated.aspect},
        {"perspective/znear", &animated.znear},  {"perspective/zfar", &animated.zfar},
        {"orthographic/xmag", &animated.xmag},   {"orthographic/ymag", &animated.ymag},
        {"orthographic/znear", &animated.znear}, {"orthographic/zfar", &animated.zfar},
    };
    for (int32_t i = 0; i < asset->animated_property_count; i++) {
        const sinew_animated_property *property = &asset->animated_properties[i];
        if (property->target != SINEW_PROPERTY_CAMERA || property->index != camera) continue;
        const float value = curves[property->first_curve];
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
            if (is_named(property, fields[k].name) && value > 0.0f)
                *fields[k].value = value; // a spline may overshoot
    }
    return animated;
}

// ---- Visibility ----------------------------------------------------------------------------------------------

void draw_find_visibility(const sinew_asset *asset, int32_t *visibility) {
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) visibility[i] = SINEW_NO_CURVE;
    for (int32_t i = 0; i < asset->animated_property_count; i++) {
        const sinew_animated_property *property = &asset->animated_properties[i];
        const bool is_visibility =
            property->target == SINEW_PROPERTY_NODE && is_named(property, "extensions/KHR_node_visibility/visible");
        if (is_visibility) visibility[property->index] = property->first_curve;
    }
}

// Returns whether a curve's value means true. During a fade, values are between 0 and 1.
static bool is_true(float value) {
    return value >= 0.5f;
}

bool draw_may_be_visible(const sinew_asset *asset, const int32_t *visibility, const sinew_mesh_node *mesh_node) {
    if (mesh_node->visible) return true;
    for (int32_t node = mesh_node->node; node != SINEW_NO_NODE; node = asset->skeleton->parents[node]) {
        const int32_t curve = visibility[node];
        if (curve != SINEW_NO_CURVE && !is_true(asset->skeleton->rest_curves[curve])) return true;
    }
    return false;
}

bool draw_is_visible(const sinew_asset *asset, const int32_t *visibility, const sinew_mesh_node *mesh_node,
                     const float *curves) {
    for (int32_t node = mesh_node->node; node != SINEW_NO_NODE; node = asset->skeleton->parents[node]) {
        const int32_t curve = visibility[node];
        if (curve != SINEW_NO_CURVE && !is_true(curves[curve])) return false;
    }
    return draw_may_be_visible(asset, visibility, mesh_node);
}
