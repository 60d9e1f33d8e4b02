// SPDX-License-Identifier: MIT
// Offsets that decay to 0 like a critically damped spring, with a continuous velocity.
//
// With w = 1 / T, an offset x with velocity v becomes (x + (v + w x) t) e^(-w t) after t seconds. This is exact, so the
// frame rate doesn't matter. An offset that starts at rest is down to half after 1.7 T and to a tenth after 3.9 T.
#ifndef SINEWI_FOOT_DECAY_H
#define SINEWI_FOOT_DECAY_H

#include "base/decay.h"

// One step of the decay.
typedef struct foot_decay {
    float rate; // 1 / T, or 0 to end at once
    float dt;   // seconds
    float left; // e^(-dt / T)
} foot_decay;

// T is `seconds`. At 0 or less, offsets end at once.
static inline foot_decay foot_decay_of(float dt, float seconds) {
    if (!(seconds > 0.0f)) return (foot_decay){0.0f, dt, 0.0f};
    return (foot_decay){1.0f / seconds, dt, (float)sinewi_decay((double)dt / (double)seconds)};
}

static inline void foot_decay_step(const foot_decay *d, float *offset, float *velocity) {
    float push = *velocity + d->rate * *offset;
    *offset = (*offset + push * d->dt) * d->left;
    *velocity = (*velocity - d->rate * push * d->dt) * d->left;
}

// A lift that starts at rest and peaks at H after 2 T: H (t / 2T)² e^(2 - t / T). Returns its initial acceleration.
static inline float foot_lift_push(float height, float seconds) {
    const float half_e_squared = 3.6945280f;
    return half_e_squared * height / (seconds * seconds);
}

// One step of a lift x with velocity v and acceleration a. After t seconds it is (x + (v + w x) t +
// a t² / 2) e^(-w t).
static inline void foot_lift_step(const foot_decay *d, float *lift, float *velocity, float *acceleration) {
    float half = 0.5f * *acceleration * d->dt, push = *velocity + d->rate * *lift + half;
    *lift = (*lift + push * d->dt) * d->left;
    *velocity = (*velocity - d->rate * push * d->dt + 2.0f * half) * d->left;
    *acceleration *= d->left;
}

#endif
