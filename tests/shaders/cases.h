// SPDX-License-Identifier: MIT
// What a compute shader's variant runs with, and what it must compute.
#ifndef CASES_H
#define CASES_H

#include <sinew/gpu/shader.h>

// Writes what the bindings hold, and the vertices as the library skins them on the CPU, as JSON.
void write_case(const char *folder, const char *name, const sinew_shader_def *def);

#endif
