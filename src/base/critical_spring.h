// SPDX-License-Identifier: MIT
// A critically damped spring, exact for any time step and with the same bits on every machine.
#ifndef SINEWI_CRITICAL_SPRING_H
#define SINEWI_CRITICAL_SPRING_H

#include "base/decay.h"

#include <stdbool.h>

// A body on a critically damped spring that starts at rest has covered half of the distance at the time t for which
// (1 + a) e^-a is 1/2, with a = pull × t. This is that a.
#define SINEWI_CRITICAL_SPRING_HALF_WAY 1.6783469900166607

// A step of a damped value: seconds, and 1/s for `pull`.
typedef struct sinewi_critical_spring {
    double pull, dt, decay; // e^(-pull dt)
    double near;            // the distance from the target that counts as reached
} sinewi_critical_spring;

// Advances a damped value, `at`, and its velocity towards the target, exactly for any dt. With d the distance from the
// target, v the velocity and s = v + pull d, the distance after t is (d + s t) e^(-pull t). It would overshoot if s and
// d had opposite signs; then s is set to 0.
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
