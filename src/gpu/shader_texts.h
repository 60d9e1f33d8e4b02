// SPDX-License-Identifier: MIT
// The shader texts. cmake/embed.cmake turns them into C files in the build folder.
#ifndef SINEWI_SHADER_TEXTS_H
#define SINEWI_SHADER_TEXTS_H

extern const char sinewi_skin_glsl[];         // src/gpu/shaders/skin.glsl
extern const char sinewi_skin_compute_glsl[]; // src/gpu/shaders/skin_compute.glsl
extern const char sinewi_skin_wgsl[];         // src/gpu/shaders/skin.wgsl
extern const char sinewi_skin_compute_wgsl[]; // src/gpu/shaders/skin_compute.wgsl

#endif
