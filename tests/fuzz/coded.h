// SPDX-License-Identifier: MIT
// A sample with buffer views compressed by meshoptimizer's encoder.
#ifndef FUZZ_CODED_H
#define FUZZ_CODED_H

#include "support/gltf_builder.h"

gltf_builder sample_coded(void);

#endif
