#version 450
#extension GL_GOOGLE_include_directive : require
// A compute shader for Vulkan that skins once, for as many passes as will draw: what src/gpu/shaders/skin_vulkan.vert reads, and
// what src/gpu/shaders/skin_compute.glsl says of vertices.
#define SINEW_NO_ATTRIBUTES

#include "skin_vulkan.glsl"
#include "skin_compute.glsl"
