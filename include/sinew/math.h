/// Vectors, quaternions, transforms and 3x4 matrices.
///
/// Right-handed; metres and radians. Vectors are columns: a matrix stands to the left of what it transforms.
/// Quaternions are (x, y, z, w) and rotate when they are unit. All functions are pure and may be called from any
/// thread; none fails; the results for non-finite input are non-finite.
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place, a direction or three factors.
typedef struct sinew_vec3 {
    float x, y, z; ///< a component
} sinew_vec3;

/// A rotation: about the unit axis a by the angle t it is (a sin(t/2), cos(t/2)).
typedef struct sinew_quat {
    float x, y, z, w; ///< a component; w is the cosine of half the angle
} sinew_quat;

/// Scale, then rotate, then translate (glTF 2.0, section 3.5.3 "Transformations").
typedef struct sinew_transform {
    sinew_vec3 translation; ///< metres
    sinew_quat rotation;    ///< unit
    sinew_vec3 scale;       ///< a factor for each axis
} sinew_transform;

/// The upper three rows of a 4x4 matrix, row after row; the fourth row is (0, 0, 0, 1) and never stored.
typedef struct sinew_affine {
    float m[3][4]; ///< [row][column]; column 3 is the translation, metres
} sinew_affine;

/// Sixteen floats, column after column, as glTF stores matrices and GPUs take them.
typedef struct sinew_mat4 {
    float m[16]; ///< [4 × column + row]; 12, 13 and 14 are the translation
} sinew_mat4;

/// Which axis points up. A character that faces +Z where +Y is up faces -Y where +Z is up.
typedef enum sinew_up {
    SINEW_UP_Y, ///< +Y, as in every glTF file
    SINEW_UP_Z  ///< +Z: (x, y, z) of the file became (x, -z, y)
} sinew_up;

/// No translation, no rotation, scale 1.
SINEW_API sinew_transform sinew_transform_identity(void);

/// The matrix that changes nothing.
SINEW_API sinew_affine sinew_affine_identity(void);

/// The matrix of a transform; `transform.rotation` must be unit.
SINEW_API sinew_affine sinew_affine_from_transform(sinew_transform transform);

/// Splits a matrix without shear into translation, rotation and scale, such that composing them again gives the
/// matrix (within rounding). A mirrored matrix gets one negative scale (x). An axis scaled to zero keeps scale 0,
/// and the rotation is completed from the other axes. Shear cannot be represented and is lost.
SINEW_API sinew_transform sinew_affine_decompose(sinew_affine matrix);

/// a × b: first b, then a.
SINEW_API sinew_affine sinew_affine_multiply(sinew_affine a, sinew_affine b);

/// The inverse, computed in double precision. A singular matrix gives non-finite elements.
SINEW_API sinew_affine sinew_affine_inverse(sinew_affine matrix);

/// matrix × (point, 1): where the matrix brings a place.
SINEW_API sinew_vec3 sinew_affine_point(sinew_affine matrix, sinew_vec3 point);

/// As sinew_affine_point, without the translation. The result is as long as scale makes it.
SINEW_API sinew_vec3 sinew_affine_direction(sinew_affine matrix, sinew_vec3 direction);

/// The matrix with its fourth row, column after column.
SINEW_API sinew_mat4 sinew_mat4_from_affine(sinew_affine matrix);

/// a × b: first b, then a. A projection × a view is what sinew_frustum_from_matrix takes.
SINEW_API sinew_mat4 sinew_mat4_multiply(sinew_mat4 a, sinew_mat4 b);

/// The upper three rows. The fourth row of `matrix` is not looked at.
SINEW_API sinew_affine sinew_affine_from_mat4(sinew_mat4 matrix);

/// a × b: first the rotation b, then a.
SINEW_API sinew_quat sinew_quat_multiply(sinew_quat a, sinew_quat b);

/// The unit quaternion of the same direction. One of length 0 gives (0, 0, 0, 1).
SINEW_API sinew_quat sinew_quat_normalize(sinew_quat q);

/// Spherical interpolation along the shorter arc between unit quaternions, t in [0, 1] (glTF 2.0, appendix C.4).
/// Within 1e-6 rad of the exact result; uses no trigonometry of the C library, so its bits are the same on every
/// machine.
SINEW_API sinew_quat sinew_quat_slerp(sinew_quat a, sinew_quat b, float t);

/// Rotates a vector by a unit quaternion.
SINEW_API sinew_vec3 sinew_quat_rotate(sinew_quat q, sinew_vec3 v);

#ifdef __cplusplus
}
#endif
#endif
