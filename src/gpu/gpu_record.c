// SPDX-License-Identifier: MIT
// GPU records: their sizes, how they are written, and whether a layout fits a skin.
//
// A record is what the skinning shader reads for one character: optionally its world matrix, then its joints' palette
// in one of several layouts (sinew_gpu_record_layout), then its morph weights. It is counted in texels of four floats.
// The layout SINEW_GPU_RECORD_TRS has a translation, a rotation and a single scale per joint, so it can't hold matrices
// with shear or with non-uniform scale. The check looks for those in the rest pose, the clips and the skin's inverse
// bind matrices. It covers the local transforms of joints and their ancestors.
#include <sinew/gpu/gpu_record.h>

#include "base/fail.h"
#include "base/float_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXEL_FLOATS = 4, WORLD_TEXELS = 3, BAKED_TEXELS = 2, MAX_RECORD_TEXELS = 1 << 24 };

// ---- Sizes -----------------------------------------------------------------------------------------------------

// Texels of all joints. A baked record instead has the texels of an animation's frames (gpu/bake_play.c).
static int64_t count_joint_texels(const sinew_gpu_record_format *format) {
    const int64_t joints = format->joint_count;
    switch (format->layout) {
    case SINEW_GPU_RECORD_ROWS:
        return 3 * joints;
    case SINEW_GPU_RECORD_MAT4:
        return 4 * joints;
    case SINEW_GPU_RECORD_TRS:
        return 2 * joints;
    case SINEW_GPU_RECORD_BAKED:
        break;
    }
    return BAKED_TEXELS;
}

static int64_t count_texels_before_weights(const sinew_gpu_record_format *format) {
    return (format->per_instance_transform ? WORLD_TEXELS : 0) + count_joint_texels(format);
}

int32_t sinew_gpu_record_texel_count(const sinew_gpu_record_format *format) {
    const bool has_joints = format->layout != SINEW_GPU_RECORD_BAKED;
    if (format->weight_count < 0 || (has_joints && format->joint_count < 0)) return -1;
    const int64_t weight_texels = ((int64_t)format->weight_count + TEXEL_FLOATS - 1) / TEXEL_FLOATS;
    const int64_t texels = count_texels_before_weights(format) + weight_texels;
    return texels <= MAX_RECORD_TEXELS ? (int32_t)texels : -1;
}

int32_t sinew_gpu_record_first_weight(const sinew_gpu_record_format *format) {
    if (sinew_gpu_record_texel_count(format) < 0) return -1;
    return (int32_t)(TEXEL_FLOATS * count_texels_before_weights(format));
}

// ---- Writing ---------------------------------------------------------------------------------------------------

static float determinant(const sinew_affine *matrix) {
    const float(*m)[4] = matrix->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Writes a matrix as translation, scale and rotation. A mirroring matrix becomes a rotation with negative scale.
static void write_trs(sinew_affine matrix, float *out) {
    const float mirror_sign = determinant(&matrix) < 0.0f ? -1.0f : 1.0f;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) matrix.m[row][column] *= mirror_sign;
    }
    const sinew_transform t = sinew_affine_decompose(matrix);
    const float scale = mirror_sign * (t.scale.x + t.scale.y + t.scale.z) / 3.0f;
    const float texels[8] = {t.translation.x, t.translation.y, t.translation.z, scale,
                             t.rotation.x,    t.rotation.y,    t.rotation.z,    t.rotation.w};
    memcpy(out, texels, sizeof texels);
}

static void write_joints(const sinew_gpu_record_format *format, const sinew_affine *joints, float *out) {
    const int32_t count = format->joint_count;
    switch (format->layout) {
    case SINEW_GPU_RECORD_ROWS:
        if (count > 0) memcpy(out, joints, (size_t)count * sizeof *joints);
        break;
    case SINEW_GPU_RECORD_MAT4:
        for (int32_t i = 0; i < count; i++) {
            const sinew_mat4 matrix = sinew_mat4_from_affine(joints[i]);
            memcpy(out + 16 * (size_t)i, matrix.m, sizeof matrix.m);
        }
        break;
    case SINEW_GPU_RECORD_TRS:
        for (int32_t i = 0; i < count; i++) write_trs(joints[i], out + 8 * (size_t)i);
        break;
    case SINEW_GPU_RECORD_BAKED:
        break;
    }
}

// Writes one character's world matrix (optional), joints and morph weights. Weights are padded to whole texels.
void sinew_gpu_record_write(const sinew_gpu_record_format *format, sinew_affine world, const sinew_affine *joints,
                            const float *weights, float *out) {
    const size_t weight_count = (size_t)format->weight_count;
    if (format->per_instance_transform) memcpy(out, &world, sizeof world);
    write_joints(format, joints, out + (format->per_instance_transform ? TEXEL_FLOATS * WORLD_TEXELS : 0));
    if (weight_count == 0) return;
    float *record_weights = out + sinew_gpu_record_first_weight(format);
    memcpy(record_weights, weights, weight_count * sizeof *weights);
    for (size_t i = weight_count; i % TEXEL_FLOATS != 0; i++) record_weights[i] = 0.0f;
}

// ---- Checking a layout: uniform scales -------------------------------------------------------------------------

// Scales that differ by less than this, relatively, only differ by rounding.
static const float scale_tolerance = 1e-5f;

static bool has_uniform_scale(sinew_vec3 scale) {
    const float largest = fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z)));
    return fabsf(scale.x - scale.y) <= scale_tolerance * largest &&
           fabsf(scale.x - scale.z) <= scale_tolerance * largest;
}

// Fails with the scale of a node or joint (`what`), and where it has that scale.
static sinew_result fail_scale(sinew_error *error, const char *what, int32_t index, const char *name,
                               const char *where, sinew_vec3 scale) {
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                       "%s %d '%s' has a scale of (%g, %g, %g) %s: SINEW_GPU_RECORD_TRS can only hold scales that "
                       "are equal in x, y and z",
                       what, index, name, (double)scale.x, (double)scale.y, (double)scale.z, where);
}

// ---- Checking a layout: nodes ----------------------------------------------------------------------------------

// Whether a node is one of the skin's joints or an ancestor of one.
static bool is_joint_or_ancestor(const sinew_skin *skin, int32_t node) {
    const int32_t *parents = skin->skeleton->parents;
    for (int32_t i = 0; i < skin->joint_count; i++) {
        int32_t ancestor = skin->joints[i];
        while (ancestor > node) ancestor = parents[ancestor]; // parents precede their children
        if (ancestor == node) return true;
    }
    return false;
}

// Whether a shear is the identity, except for rounding.
static bool is_identity(const sinew_affine *matrix) {
    const sinew_affine identity = sinew_affine_identity();
    for (int i = 0; i < 12; i++) {
        if (fabsf(matrix->m[i / 4][i % 4] - identity.m[i / 4][i % 4]) > scale_tolerance) return false;
    }
    return true;
}

static sinew_result check_shears(const sinew_skin *skin, sinew_error *error) {
    const sinew_skeleton *skeleton = skin->skeleton;
    for (int32_t i = 0; i < skeleton->shear_count; i++) {
        const int32_t node = skeleton->shear_nodes[i];
        if (is_identity(&skeleton->shears[i]) || !is_joint_or_ancestor(skin, node)) continue;
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                           "node %d '%s' has a matrix with shear: SINEW_GPU_RECORD_TRS cannot hold shear; choose a "
                           "different layout",
                           (int)node, skeleton->names[node]);
    }
    return SINEW_OK;
}

static sinew_result check_rest_pose(const sinew_skin *skin, sinew_error *error) {
    const sinew_skeleton *skeleton = skin->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const sinew_vec3 scale = skeleton->rest[i].scale;
        if (has_uniform_scale(scale) || !is_joint_or_ancestor(skin, i)) continue;
        return fail_scale(error, "node", i, skeleton->names[i], "in the rest pose", scale);
    }
    return SINEW_OK;
}

// ---- Checking a layout: clips ----------------------------------------------------------------------------------

// Checks that a node's scale is uniform at a time. SINEW_GPU_RECORD_TRS stores only one factor.
static sinew_result check_scale_at(const sinew_clip *clip, int32_t node, float time, sinew_error *error) {
    const sinew_vec3 scale = sinew_clip_sample_node(clip, time, node).scale;
    if (has_uniform_scale(scale)) return SINEW_OK;
    char where[160];
    snprintf(where, sizeof where, "at %g s of clip '%.100s'", (double)time, clip->name);
    return fail_scale(error, "node", node, clip->skeleton->names[node], where, scale);
}

// Checks a spline at two times between keys with uniform scales. A non-uniform spline may be uniform at one of the
// two, but not at both.
static sinew_result check_scale_between(const sinew_clip *clip, int32_t node, float from, float to,
                                        sinew_error *error) {
    const sinew_result result = check_scale_at(clip, node, from + 0.25f * (to - from), error);
    return result != SINEW_OK ? result : check_scale_at(clip, node, from + 0.75f * (to - from), error);
}

// Checks a scale channel at its keys, and splines also between them. Between other keys, scale is a
// mean of uniform ones.
static sinew_result check_channel(const sinew_clip *clip, const sinew_channel *channel, sinew_error *error) {
    if (channel->timeline < 0) return check_scale_at(clip, channel->node, 0.0f, error);
    const sinew_timeline *timeline = &clip->timelines[channel->timeline];
    for (int32_t key = 0; key < timeline->key_count; key++) {
        const float time = sinew_timeline_time(timeline, key);
        sinew_result result = check_scale_at(clip, channel->node, time, error);
        if (result != SINEW_OK || key + 1 == timeline->key_count) return result;
        if (channel->interpolation != SINEW_INTERPOLATION_CUBICSPLINE) continue;
        result = check_scale_between(clip, channel->node, time, sinew_timeline_time(timeline, key + 1), error);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

// Checks the scale channels of the skin's joints and their ancestors.
static sinew_result check_clip(const sinew_skin *skin, const sinew_clip *clip, sinew_error *error) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target != SINEW_TARGET_SCALE || !is_joint_or_ancestor(skin, channel->node)) continue;
        const sinew_result result = check_channel(clip, channel, error);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

// ---- Checking a layout: inverse bind matrices ------------------------------------------------------------------

static float row_dot(const sinew_affine *m, int a, int b) {
    return m->m[a][0] * m->m[b][0] + m->m[a][1] * m->m[b][1] + m->m[a][2] * m->m[b][2];
}

// A rotation times a uniform scale has perpendicular rows of equal length.
static bool is_uniform_rotation_scale(const sinew_affine *m) {
    const float xx = row_dot(m, 0, 0), yy = row_dot(m, 1, 1), zz = row_dot(m, 2, 2);
    const float largest = 2.0f * scale_tolerance * fmaxf(xx, fmaxf(yy, zz)); // squares, so twice the tolerance
    return fabsf(xx - yy) <= largest && fabsf(xx - zz) <= largest && fabsf(row_dot(m, 0, 1)) <= largest &&
           fabsf(row_dot(m, 0, 2)) <= largest && fabsf(row_dot(m, 1, 2)) <= largest;
}

// Checks that each inverse bind matrix is a rotation times a uniform scale.
static sinew_result check_inverse_binds(const sinew_skin *skin, sinew_error *error) {
    for (int32_t i = 0; i < skin->joint_count; i++) {
        if (is_uniform_rotation_scale(&skin->inverse_binds[i])) continue;
        const char *name = skin->skeleton->names[skin->joints[i]];
        const sinew_vec3 scale = sinew_affine_decompose(skin->inverse_binds[i]).scale;
        return fail_scale(error, "joint", i, name, "or a shear in its inverse bind matrix", scale);
    }
    return SINEW_OK;
}

// ---- Checking a layout -----------------------------------------------------------------------------------------

// Whether a layout can hold every pose of a skin in the asset's clips. Only SINEW_GPU_RECORD_TRS may fail.
sinew_result sinew_gpu_record_check_layout(const sinew_asset *asset, int32_t skin, sinew_gpu_record_layout layout,
                                           sinew_error *error) {
    if (skin < 0 || skin >= asset->skin_count) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "skin %d, but the asset has %d", skin, asset->skin_count);
    }
    if (layout != SINEW_GPU_RECORD_TRS) return SINEW_OK;
    const sinew_skin *s = &asset->skins[skin];
    sinew_result result = check_rest_pose(s, error);
    if (result == SINEW_OK) result = check_shears(s, error);
    if (result == SINEW_OK) result = check_inverse_binds(s, error);
    for (int32_t i = 0; result == SINEW_OK && i < asset->clip_count; i++) {
        result = check_clip(s, &asset->clips[i], error);
    }
    return result;
}
