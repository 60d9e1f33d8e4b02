// SPDX-License-Identifier: MIT
// Runs a graph's rig on the hero.
#ifndef FUZZ_RIG_H
#define FUZZ_RIG_H

#include <sinew/all.h>

// Gives the nodes and clips that the rig names to the hero, creates a rig and a character, and updates it for each byte.
// The bytes also set the parameters. Prints a message and aborts if a documented guarantee is broken.
void fuzz_rig(const sinew_graph *graph, const uint8_t *bytes, size_t count);

// Sets a parameter to a number of -128 to 127, or to what its type makes of it.
void fuzz_set_parameter(sinew_animator *animator, const sinew_graph_parameter *parameter, int32_t index, int value);

#endif
