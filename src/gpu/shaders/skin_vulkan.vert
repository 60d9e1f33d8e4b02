// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// A Vulkan vertex shader that skins. Records are rows with world matrices in a storage buffer, one record per instance.
// Define SINEW_INFLUENCES (4 or 8) and optionally SINEW_MORPH on the compiler's command line:
//   glslangValidator -V -DSINEW_INFLUENCES=4 src/gpu/shaders/skin_vulkan.vert -o skin4.vert.spv
// The build compiles it if glslangValidator is installed. See docs/gpu.md.

#include "skin_vulkan.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;

layout(set = 0, binding = 0, std140) uniform frame_block {
    mat4 view_projection;
};

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 world_uv;

void main() {
    sinew_matrix skin = sinew_skin_matrix();
    world_position = sinew_skin_point(skin, sinew_morph_point(position));
    world_normal = sinew_skin_normal(skin, sinew_morph_normal(normal));
    world_uv = uv;
    gl_Position = view_projection * vec4(world_position, 1.0);
}
