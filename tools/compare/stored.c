// SPDX-License-Identifier: MIT
// Makes poses for viewers that don't normalize rotations.
//
// glTF stores unit quaternions, but 16-bit ones are off by up to 3e-5, and some files by far more. A viewer that uses
// them unchanged also scales what they turn. If the lengths of A's keys are within 16-bit precision, they're compared
// as such a viewer shows them. Otherwise they're compared as glTF defines them, because nobody authors that scale.
#include "compare/internal.h"

#include <math.h>
#include <string.h>

// Lengths within the first of 1 are float precision. Above the second one, a file doesn't mean what it stores.
#define UNIT     1e-6
#define AUTHORED 1e-4

bool compare_stored_begin(compare_stored *s, const compare_body *body) {
    const int32_t count = body->models[1]->node_count;
    int32_t *back = sinewi_arena_array(body->arena, int32_t, (size_t)count);
    *s = (compare_stored){.back = back};
    for (int side = 0; side < 2; side++) {
        s->as_stored[side] = sinewi_arena_zeros(body->arena, bool, (size_t)body->models[side]->node_count);
        s->stretches[side] = sinewi_arena_zeros(body->arena, double, (size_t)body->models[side]->node_count);
        if (!s->as_stored[side] || !s->stretches[side]) return false;
    }
    if (!back) return false;
    for (int32_t i = 0; i < count; i++) back[i] = -1;
    for (int32_t i = 0; i < body->models[0]->node_count; i++) {
        if (body->node_of[i] >= 0) back[body->node_of[i]] = i;
    }
    return true;
}

static double stretch_of(const double q[4]) {
    return fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0);
}

static double largest_stretch(const ref_channel *channel) {
    const ptrdiff_t parts = channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
    double largest = 0.0;
    for (ptrdiff_t k = 0; k < channel->key_count; k++)
        largest = fmax(largest, stretch_of(channel->values + 4 * (parts * k + (parts == 3))));
    return largest;
}

static bool same_rotation(const compare_body *body, const int32_t nodes[2], const ref_channel *const channels[2]) {
    const ref_channel *a = channels[0], *b = channels[1];
    if (!a || !b)
        return a == b && memcmp(body->models[0]->nodes[nodes[0]].rotation,
                                body->models[1]->nodes[nodes[1]].rotation, 4 * sizeof(double)) == 0;
    const size_t parts = a->interpolation == REF_CUBICSPLINE ? 3 : 1, count = (size_t)a->key_count;
    return a->interpolation == b->interpolation && a->key_count == b->key_count &&
           (a->times == b->times || memcmp(a->times, b->times, count * sizeof *a->times) == 0) &&
           (a->values == b->values || memcmp(a->values, b->values, 4 * parts * count * sizeof *a->values) == 0);
}

void compare_stored_read(compare_stored *s, const compare_body *body, const ref_channel *const *channels[2]) {
    for (int side = 0; side < 2; side++) {
        s->differs[side] = false;
        for (int32_t i = 0; i < body->models[side]->node_count; i++) {
            const ref_channel *channel = channels[side][4 * (ptrdiff_t)i + REF_ROTATION];
            const double stretch =
                channel ? largest_stretch(channel) : stretch_of(body->models[side]->nodes[i].rotation);
            const int32_t other = side == 1 ? s->back[i] : -1, nodes[2] = {other, i};
            bool as_stored = stretch > UNIT && (side == 1 || stretch <= AUTHORED), is_same = false;
            if (as_stored && other >= 0) {
                const ref_channel *const both[2] = {channels[0][4 * (ptrdiff_t)other + REF_ROTATION], channel};
                is_same = same_rotation(body, nodes, both);
                as_stored = !is_same || s->as_stored[0][other];
            }
            if (is_same) s->stretches[0][other] = 0.0; // the same on both sides
            s->as_stored[side][i] = as_stored;
            s->stretches[side][i] = as_stored && !is_same ? stretch : 0.0;
            s->differs[side] |= as_stored;
        }
    }
}

// All viewers normalize splines, except before the first key and after the last.
static void sample_stored(const ref_channel *channel, double time, double out[4]) {
    if (channel->interpolation == REF_CUBICSPLINE && time > channel->times[0] &&
        time < channel->times[channel->key_count - 1])
        return;
    ref_sample_as_stored(channel, time, out);
}

void compare_stored_pose(const compare_stored *s, const compare_body *body, int side,
                         const ref_channel *const *channels, double time, const ref_pose *pose, ref_pose *out) {
    const ref_model *model = body->models[side];
    memcpy(out->locals, pose->locals, 10 * (size_t)model->node_count * sizeof *out->locals);
    out->weights = pose->weights;
    for (int32_t i = 0; i < model->node_count; i++) {
        if (!s->as_stored[side][i]) continue;
        const ref_channel *channel = channels[4 * (ptrdiff_t)i + REF_ROTATION];
        double *rotation = out->locals + 10 * (ptrdiff_t)i + 3;
        if (channel) {
            sample_stored(channel, time, rotation);
        } else {
            memcpy(rotation, model->nodes[i].rotation, 4 * sizeof *rotation);
        }
    }
    ref_make_worlds(model, out);
}
