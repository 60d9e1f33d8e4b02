// SPDX-License-Identifier: MIT
// Fuzzes the JSON of VRM avatars and .vrma animations, and what's made from it: constraints, expressions, gaze,
// roles.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_load(data, size, fuzz_options());
    return 0;
}
