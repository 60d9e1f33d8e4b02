// SPDX-License-Identifier: MIT
// Computes the ground speed and playback rate of a blend.
#include "core/blend_space_data.h"

#include <math.h>

// A blend's stride, in position units times seconds, and its steps per second. Both are means over the samples,
// weighted by their weights. A step is one interval of the common phase.
typedef struct blend_step {
    double x, y;
    double rate;
} blend_step;

static blend_step step_of(const sinew_blend_space *space, const sinew_blend_weight *weights, int32_t count) {
    bool has_y = space->kind != SINEW_BLEND_SPACE_LINE;
    blend_step step = {0.0, 0.0, 0.0};
    double rated = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const sinew_blend_sample *sample = &space->samples[weights[i].sample];
        double weight = (double)weights[i].weight, duration = (double)sample->clip->duration;
        if (!(duration > 0.0)) continue; // follows the others' rate and doesn't move
        double steps = (double)space->data->intervals[weights[i].sample].count;
        double rate = (double)sample->speed * steps / duration;
        rated += weight;
        step.rate += weight * rate;
        if (rate == 0.0) continue;
        step.x += weight * (double)sample->x / rate;
        if (has_y) step.y += weight * (double)sample->y / rate;
    }
    if (rated > 0.0) step.rate /= rated;
    return step;
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// Below this fraction of the space's extent, the rate approaches 1. This keeps it continuous where the blend stands
// still.
#define SLOW 0x1p-10

sinew_blend_stride sinewi_blend_stride(const sinew_blend_space *space, float x, float y,
                                       const sinew_blend_weight *weights, int32_t count) {
    bool has_y = space->kind != SINEW_BLEND_SPACE_LINE;
    blend_step step = step_of(space, weights, count);
    double requested = sqrt((double)x * (double)x + (has_y ? (double)y * (double)y : 0.0));
    double speed = sqrt(step.x * step.x + step.y * step.y) * fabs(step.rate);
    sinew_blend_stride stride = {(float)speed, 1.0f, 1.0f};
    if (!(speed > 0.0)) return stride;
    if (space->match_speed) {
        double rate = clamp(requested / speed, (double)space->min_rate, (double)space->max_rate);
        double moving = clamp(speed / (SLOW * space->data->extent), 0.0, 1.0);
        stride.rate = (float)(1.0 + moving * (rate - 1.0));
    }
    stride.length = (float)(requested / (speed * (double)stride.rate));
    return stride;
}

sinew_blend_stride sinew_blend_space_stride(const sinew_blend_space *space, float x, float y) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    const int32_t count = sinew_blend_space_weights(space, x, y, weights);
    return sinewi_blend_stride(space, x, y, weights, count);
}
