// SPDX-License-Identifier: MIT
// The variant of this folder's Vulkan shaders, and skin.glsl. The numbers are the defaults of sinew_shader_def.
#define SINEW_VULKAN_SET 3
#define SINEW_TEXTURE_WIDTH 1024
#define SINEW_GPU_RESOURCE_STORAGE
#define SINEW_GPU_RECORD_ROWS
#define SINEW_PER_INSTANCE_TRANSFORM
#define SINEW_JOINTS_LOCATION 3
#define SINEW_WEIGHTS_LOCATION 4
#define SINEW_JOINTS2_LOCATION 6
#define SINEW_WEIGHTS2_LOCATION 7

#include "skin.glsl"
