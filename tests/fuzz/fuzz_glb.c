// SPDX-License-Identifier: MIT
// Fuzzes the container: loads any bytes as a file in memory, without external files.
#include "fuzz/fuzz.h"

#include "support/asset_use.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sinew_gltf_options options = fuzz_options();
    sinew_result result;
    const char *fault = asset_try(data, size, &options, NULL, &result);
    if (!fault) return 0;
    fprintf(stderr, "%s\n", fault);
    abort();
}
