// Whether a skin's poses fit into a palette layout: scales that are not the same in x, y and z do not fit into eight
// floats a joint.
#include <sinew/gpu_record.h>

#include "core/fail.h"
#include "core/float_rules.h"

#include <math.h>
#include <stdio.h>

// How far from even a scale may be, of itself: what rounding leaves in a file.
static const float tolerance = 1e-5f;

static bool is_even(sinew_vec3 scale) {
    const float most = fmaxf(fabsf(scale.x), fmaxf(fabsf(scale.y), fabsf(scale.z)));
    return fabsf(scale.x - scale.y) <= tolerance * most && fabsf(scale.x - scale.z) <= tolerance * most;
}

static sinew_result fail_scale(sinew_error *error, const char *what, int32_t index, const char *name,
                               const char *where, sinew_vec3 scale) {
    return sinew_fail(
        error, SINEW_ERROR_UNSUPPORTED,
        "%s %d '%s' has a scale of (%g, %g, %g) %s: SINEW_GPU_RECORD_TRS holds only scales that are the same "
        "in x, y and z",
        what, index, name, (double)scale.x, (double)scale.y, (double)scale.z, where);
}

// ---- Nodes -----------------------------------------------------------------------------------------------------

// Whether a node moves a joint of the skin: it is one, or stands above one.
static bool takes_part(const sinew_skin *skin, int32_t node) {
    const int32_t *parents = skin->skeleton->parents;
    for (int32_t i = 0; i < skin->joint_count; i++) {
        int32_t at = skin->joints[i];
        while (at > node) at = parents[at]; // parents stand before their children
        if (at == node) return true;
    }
    return false;
}

// A shear that rounding leaves is none.
static bool is_identity(const sinew_affine *matrix) {
    const sinew_affine identity = sinew_affine_identity();
    for (int i = 0; i < 12; i++) {
        if (fabsf(matrix->m[i / 4][i % 4] - identity.m[i / 4][i % 4]) > tolerance) return false;
    }
    return true;
}

static sinew_result check_shears(const sinew_skin *skin, sinew_error *error) {
    const sinew_skeleton *skeleton = skin->skeleton;
    for (int32_t i = 0; i < skeleton->shear_count; i++) {
        const int32_t node = skeleton->shear_nodes[i];
        if (is_identity(&skeleton->shears[i]) || !takes_part(skin, node)) continue;
        return sinew_fail(
            error, SINEW_ERROR_UNSUPPORTED,
            "node %d '%s' has a matrix with shear: SINEW_GPU_RECORD_TRS holds no shear; choose another layout",
            (int)node, skeleton->names[node]);
    }
    return SINEW_OK;
}

static sinew_result check_rest(const sinew_skin *skin, sinew_error *error) {
    const sinew_skeleton *skeleton = skin->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const sinew_vec3 scale = skeleton->rest[i].scale;
        if (is_even(scale) || !takes_part(skin, i)) continue;
        return fail_scale(error, "node", i, skeleton->names[i], "in the rest pose", scale);
    }
    return SINEW_OK;
}

// ---- Clips -----------------------------------------------------------------------------------------------------

static sinew_result check_moment(const sinew_clip *clip, int32_t node, float time, sinew_error *error) {
    const sinew_vec3 scale = sinew_clip_sample_node(clip, time, node).scale;
    if (is_even(scale)) return SINEW_OK;
    char where[160];
    snprintf(where, sizeof where, "at %g s of clip '%.100s'", (double)time, clip->name);
    return fail_scale(error, "node", node, clip->skeleton->names[node], where, scale);
}

// Between two keys that are even, only a spline can be uneven; its tangents let it be even at one of these, but not at
// both.
static sinew_result check_between(const sinew_clip *clip, int32_t node, float from, float to, sinew_error *error) {
    const sinew_result result = check_moment(clip, node, from + 0.25f * (to - from), error);
    return result != SINEW_OK ? result : check_moment(clip, node, from + 0.75f * (to - from), error);
}

static sinew_result check_channel(const sinew_clip *clip, const sinew_channel *channel, sinew_error *error) {
    if (channel->timeline < 0) return check_moment(clip, channel->node, 0.0f, error);
    const sinew_timeline *timeline = &clip->timelines[channel->timeline];
    for (int32_t key = 0; key < timeline->key_count; key++) {
        const float time = timeline->times[key];
        sinew_result result = check_moment(clip, channel->node, time, error);
        if (result != SINEW_OK || key + 1 == timeline->key_count) return result;
        if (channel->interpolation != SINEW_INTERPOLATION_CUBICSPLINE) continue;
        result = check_between(clip, channel->node, time, timeline->times[key + 1], error);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

static sinew_result check_clip(const sinew_skin *skin, const sinew_clip *clip, sinew_error *error) {
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        if (channel->target != SINEW_TARGET_SCALE || !takes_part(skin, channel->node)) continue;
        const sinew_result result = check_channel(clip, channel, error);
        if (result != SINEW_OK) return result;
    }
    return SINEW_OK;
}

// ---- Inverse binds ---------------------------------------------------------------------------------------------

static float row_dot(const sinew_affine *m, int a, int b) {
    return m->m[a][0] * m->m[b][0] + m->m[a][1] * m->m[b][1] + m->m[a][2] * m->m[b][2];
}

// A rotation times a scale has rows of one length that stand upright on each other.
static bool is_even_matrix(const sinew_affine *m) {
    const float xx = row_dot(m, 0, 0), yy = row_dot(m, 1, 1), zz = row_dot(m, 2, 2);
    const float most = 2.0f * tolerance * fmaxf(xx, fmaxf(yy, zz)); // squares: twice as far
    return fabsf(xx - yy) <= most && fabsf(xx - zz) <= most && fabsf(row_dot(m, 0, 1)) <= most &&
           fabsf(row_dot(m, 0, 2)) <= most && fabsf(row_dot(m, 1, 2)) <= most;
}

static sinew_result check_inverse_binds(const sinew_skin *skin, sinew_error *error) {
    for (int32_t i = 0; i < skin->joint_count; i++) {
        if (is_even_matrix(&skin->inverse_binds[i])) continue;
        const char *name = skin->skeleton->names[skin->joints[i]];
        const sinew_vec3 scale = sinew_affine_decompose(skin->inverse_binds[i]).scale;
        return fail_scale(error, "joint", i, name, "or a shear in its inverse bind matrix", scale);
    }
    return SINEW_OK;
}

// ----------------------------------------------------------------------------------------------------------------

sinew_result sinew_gpu_record_check_layout(const sinew_asset *asset, int32_t skin, sinew_gpu_record_layout layout,
                                           sinew_error *error) {
    if (skin < 0 || skin >= asset->skin_count) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "skin %d, but the asset has %d", skin, asset->skin_count);
    }
    if (layout != SINEW_GPU_RECORD_TRS) return SINEW_OK;
    const sinew_skin *s = &asset->skins[skin];
    sinew_result result = check_rest(s, error);
    if (result == SINEW_OK) result = check_shears(s, error);
    if (result == SINEW_OK) result = check_inverse_binds(s, error);
    for (int32_t i = 0; result == SINEW_OK && i < asset->clip_count; i++) {
        result = check_clip(s, &asset->clips[i], error);
    }
    return result;
}
