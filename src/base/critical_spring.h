// SPDX-License-Identifier: MIT
// A critically damped spring. It is exact for any time step and has the same bits on every machine.
#ifndef SINEWI_CRITICAL_SPRING_H
#define SINEWI_CRITICAL_SPRING_H

#include "base/decay.h"

#include <stdbool.h>

// Starting from rest, a critically damped spring covers half the distance when (1 + a) e^-a = 1/2, where a = pull × t.
// This is that a.
#define SINEWI_CRITICAL_SPRING_HALF_WAY 1.6783469900166607

// One step of a damped value. `dt` is in seconds, `pull` in 1/s.
typedef struct sinewi_critical_spring {
    double pull, dt, decay; // e^(-pull dt)
    double near;            // a distance from the target below this counts as arrived
} sinewi_critical_spring;

// Moves `at` and its velocity toward the target. With d the distance from the target, v the velocity and s = v + pull
// d, the distance after t is (d + s t) e^(-pull t). This overshoots if s and d have opposite signs, so s is clamped to
// 0.
static inline void sinewi_critical_spring_follow(const sinewi_critical_spring *spring, double target, double *at,
                                                 double *velocity) {
    double d = *at - target, s = *velocity + spring->pull * d;
    if ((d >= 0.0 && s < 0.0) || (d <= 0.0 && s > 0.0)) s = 0.0;
    d += s * spring->dt;
    *velocity = (s - spring->pull * d) * spring->decay;
    d *= spring->decay;
    bool arrived = fabs(d) <= spring->near && fabs(*velocity) <= spring->pull * spring->near;
    if (arrived) *velocity = d = 0.0;
    *at = target + d;
}

#endif
