// Rotations as authors write them.
#ifndef SINEW_AUTHORED_H
#define SINEW_AUTHORED_H

#include <sinew/math.h>

// A unit quaternion for one that was given. One that is unit to within float rounding is kept, bit for bit: dividing
// by a length that is itself rounded would not make it better.
sinew_quat sinew_quat_as_authored(sinew_quat q);

#endif
