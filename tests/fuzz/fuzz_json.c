// SPDX-License-Identifier: MIT
// Fuzzes JSON text and its buffers, which a callback reads.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_load(data, size, fuzz_options());
    return 0;
}
