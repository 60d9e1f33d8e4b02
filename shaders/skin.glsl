// Skinning in a vertex shader, stated once for OpenGL (#version 330 core) and OpenGL ES (#version 300 es).
// It stands after the version line and these defines, and before the shader's own main():
//
//   SINEW_SKIN_BLOCK       the palette is a uniform block; SINEW_UBO_JOINTS is how many joints it holds
//   SINEW_SKIN_TEXTURE     the palette is a texture; SINEW_TEXTURE_JOINTS is how many joints stand in a row of it
//   SINEW_INFLUENCES       joints a vertex, 4 or 8
//   SINEW_JOINTS_LOCATION, SINEW_WEIGHTS_LOCATION and, for 8 influences, SINEW_JOINTS2_LOCATION and
//   SINEW_WEIGHTS2_LOCATION    where the attributes are
//
// With neither of the first two, nothing is skinned and the matrix is the identity. It gives:
//
//   sinew_matrix sinew_skin_matrix()                   the vertex's own blended matrix
//   vec3 sinew_skin_point(sinew_matrix m, vec3 point)
//   vec3 sinew_skin_normal(sinew_matrix m, vec3 normal)    not of unit length
//   vec3 sinew_skin_tangent(sinew_matrix m, vec3 tangent)  the same

// The upper three rows of a 4x4 matrix, as sinew_affine holds them.
struct sinew_matrix {
    vec4 x;
    vec4 y;
    vec4 z;
};

#if defined(SINEW_SKIN_BLOCK) || defined(SINEW_SKIN_TEXTURE)

// One row of one joint's matrix. Both palettes hold the three rows of a matrix one after another.
#if defined(SINEW_SKIN_BLOCK)
layout(std140) uniform sinew_palette_block {
    vec4 sinew_palette[3 * SINEW_UBO_JOINTS];
};

vec4 sinew_palette_row(int joint, int row) {
    return sinew_palette[3 * joint + row];
}
#else
uniform highp sampler2D sinew_palette;

vec4 sinew_palette_row(int joint, int row) {
    ivec2 texel = ivec2(3 * (joint % SINEW_TEXTURE_JOINTS) + row, joint / SINEW_TEXTURE_JOINTS);
    return texelFetch(sinew_palette, texel, 0);
}
#endif

layout(location = SINEW_JOINTS_LOCATION) in uvec4 sinew_joints;
layout(location = SINEW_WEIGHTS_LOCATION) in vec4 sinew_weights;
#if SINEW_INFLUENCES == 8
layout(location = SINEW_JOINTS2_LOCATION) in uvec4 sinew_joints2;
layout(location = SINEW_WEIGHTS2_LOCATION) in vec4 sinew_weights2;
#endif

void sinew_add_joint(inout sinew_matrix sum, uint joint, float weight) {
    sum.x += weight * sinew_palette_row(int(joint), 0);
    sum.y += weight * sinew_palette_row(int(joint), 1);
    sum.z += weight * sinew_palette_row(int(joint), 2);
}

sinew_matrix sinew_skin_matrix() {
    sinew_matrix sum = sinew_matrix(vec4(0.0), vec4(0.0), vec4(0.0));
    for (int i = 0; i < 4; i++) sinew_add_joint(sum, sinew_joints[i], sinew_weights[i]);
#if SINEW_INFLUENCES == 8
    for (int i = 0; i < 4; i++) sinew_add_joint(sum, sinew_joints2[i], sinew_weights2[i]);
#endif
    return sum;
}

#else

sinew_matrix sinew_skin_matrix() {
    return sinew_matrix(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
}

#endif

vec3 sinew_skin_point(sinew_matrix m, vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(m.x, p), dot(m.y, p), dot(m.z, p));
}

// Normals are turned by the cofactor matrix of the blended matrix, which is its inverse transpose times its
// determinant: right under non-uniform scale, and it needs no division. The determinant's sign keeps the normals of
// mirrored vertices outside.
vec3 sinew_skin_normal(sinew_matrix m, vec3 normal) {
    vec3 x = cross(m.y.xyz, m.z.xyz);
    vec3 y = cross(m.z.xyz, m.x.xyz);
    vec3 z = cross(m.x.xyz, m.y.xyz);
    vec3 turned = vec3(dot(x, normal), dot(y, normal), dot(z, normal));
    return dot(m.x.xyz, x) < 0.0 ? -turned : turned;
}

vec3 sinew_skin_tangent(sinew_matrix m, vec3 tangent) {
    return vec3(dot(m.x.xyz, tangent), dot(m.y.xyz, tangent), dot(m.z.xyz, tangent));
}
