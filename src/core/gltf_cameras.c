// SPDX-License-Identifier: MIT
// Cameras (glTF 2.0, section 5.12) and lights (KHR_lights_punctual). Angles are in radians, distances in meters.
#include "core/gltf_import.h"

#include <math.h>

static const float PI = 3.14159265f;

// ---- Numbers -------------------------------------------------------------------------------------------------------

// Reads a required number. It must be greater than `bound`.
static bool read_above(sinewi_import *g, sinewi_json_value object, const char *key, float bound, float *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    if (value == SINEWI_JSON_ABSENT) return sinewi_gltf_fail(g, object, SINEW_ERROR_FORMAT, "%s is missing", key);
    if (!sinewi_gltf_get_float(g, object, key, out)) return false;
    return *out > bound || sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "%.9g must be more than %.9g",
                                            (double)*out, (double)bound);
}

// Reads an optional number. It must be greater than `bound`.
static bool read_optional_above(sinewi_import *g, sinewi_json_value object, const char *key, float bound,
                                float *out) {
    return sinewi_json_get(&g->json, object, key) == SINEWI_JSON_ABSENT || read_above(g, object, key, bound, out);
}

// ---- Cameras -------------------------------------------------------------------------------------------------------

static bool read_perspective(sinewi_import *g, sinewi_json_value value, sinew_camera *c) {
    c->zfar = INFINITY;
    bool read = read_above(g, value, "yfov", 0.0f, &c->yfov) && read_above(g, value, "znear", 0.0f, &c->znear) &&
                read_optional_above(g, value, "aspectRatio", 0.0f, &c->aspect) &&
                read_optional_above(g, value, "zfar", c->znear, &c->zfar);
    if (!read || c->yfov < PI) return read;
    return sinewi_gltf_fail(g, sinewi_json_get(&g->json, value, "yfov"), SINEW_ERROR_FORMAT,
                            "%.9g must be less than pi", (double)c->yfov);
}

// Reads xmag or ymag. Section 5.14 discourages negative values, but they work and mirror the image.
static bool read_half_extent(sinewi_import *g, sinewi_json_value value, const char *key, float *out) {
    if (!sinewi_gltf_get_float(g, value, key, out)) return false;
    return *out != 0.0f || sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "%s is missing or 0", key);
}

static bool read_orthographic(sinewi_import *g, sinewi_json_value value, sinew_camera *c) {
    c->orthographic = true;
    return read_half_extent(g, value, "xmag", &c->xmag) && read_half_extent(g, value, "ymag", &c->ymag) &&
           sinewi_gltf_get_float(g, value, "znear", &c->znear) && read_above(g, value, "zfar", c->znear, &c->zfar);
}

static bool read_camera(sinewi_import *g, sinewi_json_value value, sinew_camera *c) {
    static const char *const types[] = {"perspective", "orthographic", NULL};
    int type = -1;
    sinewi_json_value lens;
    if (!sinewi_gltf_get_string(g, value, "name", g->arena, &c->name)) return false;
    if (!sinewi_gltf_get_word(g, value, "type", types, &type)) return false;
    if (type < 0) return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "type is not perspective or orthographic");
    if (!sinewi_gltf_get_object(g, value, types[type], &lens)) return false;
    if (lens == SINEWI_JSON_ABSENT)
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "%s is missing", types[type]);
    return type == 0 ? read_perspective(g, lens, c) : read_orthographic(g, lens, c);
}

// Replaces an invalid camera, because nodes refer to cameras by index.
static sinew_camera make_camera(void) {
    return (sinew_camera){.name = "", .yfov = PI / 4.0f, .znear = 0.1f, .zfar = INFINITY};
}

bool sinewi_gltf_read_cameras(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->camera_values;
    sinew_camera *cameras = sinewi_gltf_zeros(g, g->arena, sinew_camera, (size_t)values->loaded_count);
    if (!cameras) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index < 0 || read_camera(g, values->values[i], &cameras[index])) continue;
        if (!sinewi_gltf_leave_out(g, "cameras[%d]", (int)i)) return false;
        cameras[index] = make_camera();
    }
    g->asset->cameras = cameras;
    g->asset->camera_count = values->loaded_count;
    return true;
}

// ---- Lights --------------------------------------------------------------------------------------------------------

static bool read_spot_cone(sinewi_import *g, sinewi_json_value value, sinew_light *light) {
    sinewi_json_value spot;
    light->outer_cone = PI / 4.0f;
    return sinewi_gltf_get_object(g, value, "spot", &spot) &&
           sinewi_gltf_get_float(g, spot, "innerConeAngle", &light->inner_cone) &&
           sinewi_gltf_get_float(g, spot, "outerConeAngle", &light->outer_cone);
}

// Replaces an invalid light, because nodes refer to lights by index.
static sinew_light make_light(void) {
    return (sinew_light){
        .name = "", .kind = SINEW_LIGHT_POINT, .color = {1.0f, 1.0f, 1.0f}, .intensity = 1.0f, .range = INFINITY};
}

static bool read_light(sinewi_import *g, sinewi_json_value value, sinew_light *light) {
    static const char *const types[] = {"directional", "point", "spot", NULL};
    int type = -1;
    *light = make_light();
    bool read = sinewi_gltf_get_string(g, value, "name", g->arena, &light->name) &&
                sinewi_gltf_get_word(g, value, "type", types, &type) &&
                sinewi_gltf_get_floats(g, value, "color", 3, light->color) &&
                sinewi_gltf_get_float(g, value, "intensity", &light->intensity);
    if (!read) return false;
    if (type < 0) return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "type is not directional, point or spot");
    light->kind = (sinew_light_kind)type;
    if (light->kind == SINEW_LIGHT_DIRECTIONAL) return true;
    if (!read_optional_above(g, value, "range", 0.0f, &light->range)) return false;
    return light->kind != SINEW_LIGHT_SPOT || read_spot_cone(g, value, light);
}

bool sinewi_gltf_read_lights(sinewi_import *g) {
    const sinewi_gltf_values *values = &g->light_values;
    sinew_light *lights = sinewi_gltf_zeros(g, g->arena, sinew_light, (size_t)values->loaded_count);
    if (!lights) return false;
    for (int32_t i = 0; i < values->count; i++) {
        int32_t index = sinewi_gltf_loaded_index(values, i);
        if (index < 0 || read_light(g, values->values[i], &lights[index])) continue;
        if (!sinewi_gltf_leave_out(g, "extensions.KHR_lights_punctual.lights[%d]", (int)i)) return false;
        lights[index] = make_light();
    }
    g->asset->lights = lights;
    g->asset->light_count = values->loaded_count;
    return true;
}

bool sinewi_gltf_light_of_node(sinewi_import *g, int32_t node, int32_t *light) {
    sinewi_json_value extension = sinewi_gltf_get_extension(g, g->node_values.values[node], "KHR_lights_punctual");
    return sinewi_gltf_get_index(g, extension, "light", g->light_values.count, "lights", light);
}
