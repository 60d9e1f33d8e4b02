// SPDX-License-Identifier: MIT
// What a variant of the compute shader is run with, and what must come out.
#ifndef CASES_H
#define CASES_H

#include <sinew/gpu/shader.h>

// Writes what the bindings hold, and the vertices as the library skins them on the CPU, as JSON.
void write_case(const char *folder, const char *name, const sinew_shader_def *def);

#endif
