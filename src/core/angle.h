// The angle of a direction from basic operations alone, so that it has the same bits everywhere.
//
// The lesser coordinate over the greater is t = tan a with a from 0 to 45 degrees. tan(a / 2) = t / (1 + sqrt(1 +
// t^2)), and the same once more, make of it u = tan(a / 4), at most 0.199; what the series of atan u leaves out
// behind its 21st power is below 4e-18. The result is within 5e-16 rad.
#ifndef SINEW_ANGLE_H
#define SINEW_ANGLE_H

#include "core/float_rules.h"

#include <math.h>
#include <stdbool.h>

static inline double sinew_half_tangent(double t) {
    return t / (1.0 + sqrt(1.0 + t * t));
}

// From the direction (1, 0) to (x, y), counter-clockwise, in [-pi, pi]; 0 for (0, 0). Both finite.
static inline double sinew_angle(double x, double y) {
    const double pi = 0x1.921fb54442d18p+1;
    double across = fabs(x), up = fabs(y);
    bool steep = up > across;
    double greater = steep ? up : across, lesser = steep ? across : up;
    if (!(greater > 0.0)) return 0.0;

    double u = sinew_half_tangent(sinew_half_tangent(lesser / greater)), square = u * u, series = 0.0;
    for (int power = 21; power > 0; power -= 2) series = 1.0 / (double)power - square * series;
    double angle = 4.0 * u * series;
    if (steep) angle = 0.5 * pi - angle;
    if (x < 0.0) angle = pi - angle;
    return y < 0.0 ? -angle : angle;
}

#endif
