// The exponential of rotation vectors with the series of base/rotation_vector.h, one at a time: what the kernels do in
// lanes.
#ifndef EXPONENTIAL_H
#define EXPONENTIAL_H

#include "base/rotation_vector.h"

// The unit quaternion of a rotation vector, radians.
static inline sinew_quat rotation_exponential(sinew_vec3 r) {
    float s = r.x * r.x + r.y * r.y + r.z * r.z;
    float sine = sinew_rotation_series(sinew_exponential_sine, SINEW_EXPONENTIAL_TERMS, s);
    float w = sinew_rotation_series(sinew_exponential_cosine, SINEW_EXPONENTIAL_TERMS, s);
    float x = sine * r.x, y = sine * r.y, z = sine * r.z;
    float factor = 1.0f / sqrtf(x * x + y * y + z * z + w * w);
    return (sinew_quat){x * factor, y * factor, z * factor, w * factor};
}

#endif
