// SPDX-License-Identifier: MIT
// Links what sinew-gl provides, without an OpenGL context.
#include <sinew/gpu/gl.h>

int main(void) {
    sinew_gl_destroy(NULL);
    return sinew_gl_default().ubo_joints == 128 ? 0 : 1;
}
