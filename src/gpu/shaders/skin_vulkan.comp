// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// A Vulkan compute shader that skins a mesh's vertices once. It has the records of src/gpu/shaders/skin_vulkan.vert and
// the bindings of src/gpu/shaders/skin_compute.glsl.
#define SINEW_NO_ATTRIBUTES

#include "skin_vulkan.glsl"
#include "skin_compute.glsl"
