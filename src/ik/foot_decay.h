// SPDX-License-Identifier: MIT
// Offsets that decay to 0 as a critically damped spring, with a continuous velocity.
//
// With w = 1 / T an offset x of velocity v is, after t seconds, (x + (v + w x) t) e^(-w t). The result is the same for
// every division of the time into frames. Half of an offset at rest is left after 1.7 T, a tenth after 3.9 T.
#ifndef SINEW_FOOT_DECAY_H
#define SINEW_FOOT_DECAY_H

#include "core/decay.h"

// One step of the decay.
typedef struct foot_decay {
    float rate; // 1 / T; 0: at once
    float dt;   // seconds
    float left; // e^(-dt / T)
} foot_decay;

// T = `seconds`; 0 or less: offsets end at once.
static inline foot_decay foot_decay_of(float dt, float seconds) {
    if (!(seconds > 0.0f)) return (foot_decay){0.0f, dt, 0.0f};
    return (foot_decay){1.0f / seconds, dt, (float)sinew_decay((double)dt / (double)seconds)};
}

static inline void foot_decay_step(const foot_decay *d, float *offset, float *velocity) {
    float push = *velocity + d->rate * *offset;
    *offset = (*offset + push * d->dt) * d->left;
    *velocity = (*velocity - d->rate * push * d->dt) * d->left;
}

#endif
