// SPDX-License-Identifier: MIT
// The shader texts that cmake/embed.cmake makes C files of, in the build folder.
#ifndef SINEW_SHADER_TEXTS_H
#define SINEW_SHADER_TEXTS_H

extern const char sinew_skin_glsl[];         // src/gpu/shaders/skin.glsl
extern const char sinew_skin_compute_glsl[]; // src/gpu/shaders/skin_compute.glsl
extern const char sinew_skin_wgsl[];         // src/gpu/shaders/skin.wgsl
extern const char sinew_skin_compute_wgsl[]; // src/gpu/shaders/skin_compute.wgsl

#endif
