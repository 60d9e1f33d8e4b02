// SPDX-License-Identifier: MIT
// The gaze: lookAt in VRMC_vrm 1.0, and firstPerson in VRM 0.x. Read the roles of head and eyes first.
//
// `g` is the import in progress (core/gltf_import.h), and `v` is the VRM data in progress (humanoid/vrm_read.h).
// Functions return false once the error is set.
#include "humanoid/vrm_read.h"

static const float RADIANS = 3.14159265f / 180.0f;

// ---- Ranges --------------------------------------------------------------------------------------------------------

// Reads a range. Both numbers are in degrees, except that the output for expressions is a weight.
static bool read_range(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value object, const char *key,
                       sinew_vrm_range *out) {
    const float smallest = 0.01f; // degrees; VRM allows 0, but the output would be undefined
    bool is_0 = sinewi_gltf_is_vrm_0(v), bones = v->out->look_at.type == SINEW_VRM_LOOK_AT_BONE;
    float input = 90.0f, output = bones ? 10.0f : 1.0f;
    sinewi_json_value value;
    bool read = sinewi_gltf_get_object(g, object, key, &value) &&
                sinewi_gltf_get_float(g, value, is_0 ? "xRange" : "inputMaxValue", &input) &&
                sinewi_gltf_get_float(g, value, is_0 ? "yRange" : "outputScale", &output);
    if (!read) return false;
    out->input_max = (input > smallest ? input : smallest) * RADIANS;
    out->output = bones ? output * RADIANS : output;
    return true;
}

static bool read_ranges(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value object) {
    static const char *const keys_1[] = {"rangeMapHorizontalInner", "rangeMapHorizontalOuter",
                                         "rangeMapVerticalDown", "rangeMapVerticalUp"};
    static const char *const keys_0[] = {"lookAtHorizontalInner", "lookAtHorizontalOuter", "lookAtVerticalDown",
                                         "lookAtVerticalUp"};
    const char *const *keys = sinewi_gltf_is_vrm_0(v) ? keys_0 : keys_1;
    sinew_vrm_look_at *look = &v->out->look_at;
    return read_range(g, v, object, keys[0], &look->horizontal_inner) &&
           read_range(g, v, object, keys[1], &look->horizontal_outer) &&
           read_range(g, v, object, keys[2], &look->vertical_down) &&
           read_range(g, v, object, keys[3], &look->vertical_up);
}

// ---- Directions ----------------------------------------------------------------------------------------------------

// The rest-pose rotation from a node's space to model space. The identity for SINEW_NO_NODE.
static sinew_quat rest_rotation(const sinew_skeleton *skeleton, int32_t node) {
    sinew_quat rotation = {0.0f, 0.0f, 0.0f, 1.0f};
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node])
        rotation = sinew_quat_multiply(skeleton->rest[node].rotation, rotation);
    return sinew_quat_normalize(rotation);
}

// The character's directions in model space.
typedef struct directions {
    sinew_vec3 forward, up;
} directions;

static directions find_directions(const sinewi_import *g, const sinewi_gltf_vrm *v) {
    float forward[3] = {0.0f, 0.0f, sinewi_gltf_is_vrm_0(v) ? -1.0f : 1.0f}, up[3] = {0.0f, 1.0f, 0.0f};
    if (g->options.up == SINEW_UP_Z) {
        sinewi_gltf_vectors_to_z_up(forward, 1, 3);
        sinewi_gltf_vectors_to_z_up(up, 1, 3);
    }
    return (directions){{forward[0], forward[1], forward[2]}, {up[0], up[1], up[2]}};
}

static void find_eye(const sinew_skeleton *skeleton, directions d, int32_t node, sinew_vrm_eye *eye) {
    eye->node = node;
    if (node == SINEW_NO_NODE) return;
    sinew_quat to_parent = sinew_quat_conjugate(rest_rotation(skeleton, skeleton->parents[node]));
    eye->up = sinew_quat_rotate(to_parent, d.up);
    eye->left = sinew_quat_rotate(to_parent, sinew_vec3_cross(d.up, d.forward));
}

static void find_head_and_eyes(const sinewi_import *g, const sinewi_gltf_vrm *v) {
    const sinew_skeleton *skeleton = g->asset->skeleton;
    const int32_t *nodes = g->asset->humanoid->nodes;
    sinew_vrm_look_at *look = &v->out->look_at;
    directions d = find_directions(g, v);
    look->head = nodes[SINEW_HUMANOID_HEAD];
    sinew_quat to_head = sinew_quat_conjugate(rest_rotation(skeleton, look->head));
    look->forward = sinew_quat_rotate(to_head, d.forward);
    look->up = sinew_quat_rotate(to_head, d.up);
    find_eye(skeleton, d, nodes[SINEW_HUMANOID_LEFT_EYE], &look->left_eye);
    find_eye(skeleton, d, nodes[SINEW_HUMANOID_RIGHT_EYE], &look->right_eye);
}

// ---- Reading -------------------------------------------------------------------------------------------------------

static bool read_type(sinewi_import *g, const sinewi_gltf_vrm *v, sinewi_json_value object) {
    static const char *const words_1[] = {"bone", "expression", NULL}, *const words_0[] = {"Bone", "BlendShape",
                                                                                           NULL};
    bool is_0 = sinewi_gltf_is_vrm_0(v);
    int word = 0;
    if (!sinewi_gltf_get_word(g, object, is_0 ? "lookAtTypeName" : "type", is_0 ? words_0 : words_1, &word))
        return false;
    v->out->look_at.type = word == 1 ? SINEW_VRM_LOOK_AT_EXPRESSION : SINEW_VRM_LOOK_AT_BONE;
    return true;
}

bool sinewi_gltf_read_vrm_look_at(sinewi_import *g, sinewi_gltf_vrm *v) {
    bool is_0 = sinewi_gltf_is_vrm_0(v);
    sinewi_json_value object;
    if (!sinewi_gltf_get_object(g, v->avatar, is_0 ? "firstPerson" : "lookAt", &object)) return false;
    if (object == SINEWI_JSON_ABSENT) return true;
    if (!g->asset->humanoid || g->asset->humanoid->nodes[SINEW_HUMANOID_HEAD] == SINEW_NO_NODE) {
        sinewi_gltf_log(g, "VRM: the look-at data is ignored, because there is no head");
        return true;
    }
    sinew_vrm_look_at *look = &v->out->look_at;
    look->offset = (sinew_vec3){0.0f, 0.06f, 0.0f}; // default, because VRM leaves it to the implementation
    if (!read_type(g, v, object) || !read_ranges(g, v, object)) return false;
    find_head_and_eyes(g, v);
    return is_0 ? sinewi_gltf_get_vector_0(g, object, "firstPersonBoneOffset", &look->offset)
                : sinewi_gltf_get_vector(g, object, "offsetFromHeadBone", &look->offset);
}
