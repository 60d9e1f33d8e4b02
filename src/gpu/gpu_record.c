// Records: what a character is on the GPU, texel by texel.
#include <sinew/gpu_record.h>

#include "core/float_rules.h"

#include <string.h>

enum { TEXEL_FLOATS = 4, WORLD_TEXELS = 3, BAKED_TEXELS = 2, MOST_TEXELS = 1 << 24 };

// ---- Sizes -----------------------------------------------------------------------------------------------------

static int64_t joint_texels(const sinew_gpu_record_format *format) {
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

static int64_t texels_before_weights(const sinew_gpu_record_format *format) {
    return (format->per_instance_transform ? WORLD_TEXELS : 0) + joint_texels(format);
}

int32_t sinew_gpu_record_texel_count(const sinew_gpu_record_format *format) {
    const bool has_joints = format->layout != SINEW_GPU_RECORD_BAKED;
    if (format->weight_count < 0 || (has_joints && format->joint_count < 0)) return -1;
    const int64_t weight_texels = ((int64_t)format->weight_count + TEXEL_FLOATS - 1) / TEXEL_FLOATS;
    const int64_t texels = texels_before_weights(format) + weight_texels;
    return texels <= MOST_TEXELS ? (int32_t)texels : -1;
}

int32_t sinew_gpu_record_first_weight(const sinew_gpu_record_format *format) {
    if (sinew_gpu_record_texel_count(format) < 0) return -1;
    return (int32_t)(TEXEL_FLOATS * texels_before_weights(format));
}

// ---- Joints ----------------------------------------------------------------------------------------------------

static float determinant(const sinew_affine *matrix) {
    const float(*m)[4] = matrix->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// What mirrors in all three directions is a rotation times a negative scale.
static void write_trs(sinew_affine matrix, float *out) {
    const float hand = determinant(&matrix) < 0.0f ? -1.0f : 1.0f;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) matrix.m[row][column] *= hand;
    }
    const sinew_transform t = sinew_affine_decompose(matrix);
    const float scale = hand * (t.scale.x + t.scale.y + t.scale.z) / 3.0f;
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

void sinew_gpu_record_write(const sinew_gpu_record_format *format, const sinew_affine *place,
                            const sinew_affine *joints, const float *weights, float *out) {
    const size_t weight_count = (size_t)format->weight_count;
    if (format->per_instance_transform) memcpy(out, place, sizeof *place);
    write_joints(format, joints, out + (format->per_instance_transform ? TEXEL_FLOATS * WORLD_TEXELS : 0));
    if (weight_count == 0) return;
    float *end = out + sinew_gpu_record_first_weight(format);
    memcpy(end, weights, weight_count * sizeof *weights);
    for (size_t i = weight_count; i % TEXEL_FLOATS != 0; i++) end[i] = 0.0f;
}
