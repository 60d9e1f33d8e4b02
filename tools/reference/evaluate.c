// SPDX-License-Identifier: MIT
// Evaluates poses: samplers, local matrices and the hierarchy.
#include "reference/evaluate.h"

#include <math.h>
#include <string.h>

bool ref_make_pose(sinewi_arena *arena, const ref_model *model, ref_pose *pose) {
    size_t nodes = (size_t)model->node_count;
    pose->locals = sinewi_arena_zeros(arena, double, 10 * nodes);
    pose->worlds = sinewi_arena_zeros(arena, double, 16 * nodes);
    pose->weights = sinewi_arena_zeros(arena, double, (size_t)model->weight_count);
    return pose->locals && pose->worlds && pose->weights;
}

// ---- Rotations ---------------------------------------------------------------------------------------------------

// Normalizes a quaternion. A zero quaternion becomes the identity.
static void normalize(double q[4]) {
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] = length > 0.0 ? q[i] / length : (i == 3 ? 1.0 : 0.0);
}

// Returns the angle between two quaternions. Negates one if that's nearer, and uses the lengths of their sum and
// difference, because the cosine is inaccurate for small angles.
static double angle_between(const double from[4], const double to[4], double side) {
    double sum = 0.0, difference = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += (from[i] + side * to[i]) * (from[i] + side * to[i]);
        difference += (from[i] - side * to[i]) * (from[i] - side * to[i]);
    }
    return 2.0 * atan2(sqrt(difference), sqrt(sum));
}

// Viewers that don't normalize keys compute the angle from the cosine, unless it's small.
#define SMALL_ANGLE 0.9995

// Appendix C.4, along the shorter arc: sin((1 - u) a) / sin a, and s sin(u a) / sin a.
static void slerp(const double from[4], const double to[4], double u, bool normalized, double out[4]) {
    double d = 0.0;
    for (int i = 0; i < 4; i++) d += from[i] * to[i];
    const double s = d < 0.0 ? -1.0 : 1.0;
    const double a = normalized || fabs(d) > SMALL_ANGLE ? angle_between(from, to, s) : acos(fabs(d));
    const double v = a > 1e-12 ? sin((1.0 - u) * a) / sin(a) : 1.0 - u, w = a > 1e-12 ? sin(u * a) / sin(a) : u;
    for (int i = 0; i < 4; i++) out[i] = v * from[i] + w * s * to[i];
}

// ---- Samplers (section 3.11, appendix C) ---------------------------------------------------------------------------

// Returns where the interval with a time starts: the last key at or before it, but never the very last key.
static int32_t key_before(const ref_channel *channel, double time) {
    int32_t low = 0, high = channel->key_count - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (channel->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Returns a key's value. With CUBICSPLINE, it's between the in-tangent and the out-tangent.
static const double *value_of(const ref_channel *channel, int32_t key) {
    ptrdiff_t width = channel->width;
    if (channel->interpolation == REF_CUBICSPLINE) return channel->values + (3 * (ptrdiff_t)key + 1) * width;
    return channel->values + key * width;
}

// Appendix C.5, with the tangents scaled by the interval.
static void cubic(const ref_channel *channel, int32_t key, double u, double *out) {
    double interval = channel->times[key + 1] - channel->times[key], u2 = u * u, u3 = u2 * u;
    const double *from = value_of(channel, key), *to = value_of(channel, key + 1);
    const double *out_tangent = from + channel->width, *in_tangent = to - channel->width;
    for (int32_t i = 0; i < channel->width; i++) {
        out[i] = (2.0 * u3 - 3.0 * u2 + 1.0) * from[i] + interval * (u3 - 2.0 * u2 + u) * out_tangent[i] +
                 (-2.0 * u3 + 3.0 * u2) * to[i] + interval * (u3 - u2) * in_tangent[i];
    }
}

static void linear(const ref_channel *channel, int32_t key, double u, bool normalizes, double *out) {
    const double *from = value_of(channel, key), *to = value_of(channel, key + 1);
    if (channel->path != REF_ROTATION) { // appendix C.3
        for (int32_t i = 0; i < channel->width; i++) out[i] = (1.0 - u) * from[i] + u * to[i];
        return;
    }
    double a[4], b[4]; // keys are normalized before interpolating
    memcpy(a, from, sizeof a);
    memcpy(b, to, sizeof b);
    if (normalizes) {
        normalize(a);
        normalize(b);
    }
    slerp(a, b, u, normalizes, out);
}

// Samples a channel. Values hold before the first key and after the last (section 3.11). A single key is constant.
static void sample(const ref_channel *channel, double time, bool normalizes, double *out) {
    int32_t last = channel->key_count - 1, key = key_before(channel, time);
    if (last == 0 || time <= channel->times[0] || time >= channel->times[last]) {
        key = last > 0 && time >= channel->times[last] ? last : 0;
        memcpy(out, value_of(channel, key), (size_t)channel->width * sizeof *out);
    } else if (channel->interpolation == REF_STEP) { // appendix C.2
        memcpy(out, value_of(channel, key), (size_t)channel->width * sizeof *out);
    } else {
        double u = (time - channel->times[key]) / (channel->times[key + 1] - channel->times[key]);
        if (channel->interpolation == REF_CUBICSPLINE) {
            cubic(channel, key, u, out);
        } else {
            linear(channel, key, u, normalizes, out);
        }
    }
}

void ref_sample(const ref_channel *channel, double time, double *out) {
    sample(channel, time, true, out);
}

void ref_sample_as_stored(const ref_channel *channel, double time, double *out) {
    sample(channel, time, false, out);
}

// ---- Matrices ----------------------------------------------------------------------------------------------------

// a × b
static void multiply(const double a[16], const double b[16], double out[16]) {
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int i = 0; i < 4; i++) sum += a[4 * i + row] * b[4 * column + i];
            out[4 * column + row] = sum;
        }
    }
}

// T × R × S (section 3.5.3).
static void compose(const double local[10], double out[16]) {
    const double *t = local, *s = local + 7;
    double x = local[3], y = local[4], z = local[5], w = local[6];
    const double r[9] = {
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),       2.0 * (x * z - w * y),
        2.0 * (x * y - w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
        2.0 * (x * z + w * y),       2.0 * (y * z - w * x),       1.0 - 2.0 * (x * x + y * y),
    };
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) out[4 * column + row] = r[3 * column + row] * s[column];
        out[4 * column + 3] = 0.0;
        out[12 + column] = t[column];
    }
    out[15] = 1.0;
}

static void local_matrix(const ref_node *node, const double local[10], double out[16]) {
    compose(local, out);
    if (!node->has_matrix) return;
    double composed[16];
    memcpy(composed, out, sizeof composed);
    multiply(composed, node->shear, out);
}

// Computes world = the parent's world × local (section 3.5.2).
void ref_make_worlds(const ref_model *model, ref_pose *pose) {
    for (int32_t i = 0; i < model->node_count; i++) {
        ptrdiff_t node = model->order[i], parent = model->nodes[node].parent;
        double local[16];
        local_matrix(&model->nodes[node], pose->locals + 10 * node, local);
        if (parent < 0) {
            memcpy(pose->worlds + 16 * node, local, sizeof local);
        } else {
            multiply(pose->worlds + 16 * parent, local, pose->worlds + 16 * node);
        }
    }
}

void ref_palette(const ref_skin *skin, const ref_pose *pose, double *palette) {
    for (ptrdiff_t i = 0; i < skin->joint_count; i++) {
        multiply(pose->worlds + 16 * (ptrdiff_t)skin->joints[i], skin->inverse_binds + 16 * i, palette + 16 * i);
    }
}

// ---- The pose ----------------------------------------------------------------------------------------------------

static void rest(const ref_model *model, ref_pose *pose) {
    for (ptrdiff_t i = 0; i < model->node_count; i++) {
        const ref_node *node = &model->nodes[i];
        double *local = pose->locals + 10 * i;
        memcpy(local, node->translation, sizeof node->translation);
        memcpy(local + 3, node->rotation, sizeof node->rotation);
        memcpy(local + 7, node->scale, sizeof node->scale);
        normalize(local + 3);
    }
    memcpy(pose->weights, model->rest_weights, (size_t)model->weight_count * sizeof *pose->weights);
}

void ref_evaluate(const ref_model *model, const ref_animation *animation, double time, ref_pose *pose) {
    static const ptrdiff_t offsets[] = {0, 3, 7}; // [path] in a local pose
    rest(model, pose);
    for (int32_t i = 0; animation && i < animation->channel_count; i++) {
        const ref_channel *channel = &animation->channels[i];
        double *out = channel->path == REF_WEIGHTS
                          ? pose->weights + model->nodes[channel->node].first_weight
                          : pose->locals + 10 * (ptrdiff_t)channel->node + offsets[channel->path];
        ref_sample(channel, time, out);
        if (channel->path == REF_ROTATION) normalize(out);
    }
    ref_make_worlds(model, pose);
}
