// SPDX-License-Identifier: MIT
// Fuzzes a BVH file.
#include "fuzz/fuzz.h"

#include "support/asset_use.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sinew_bvh_options options = sinew_bvh_default();
    options.memory_limit = (size_t)64 << 20;
    sinew_result result;
    const char *fault = asset_try_bvh(data, size, &options, NULL, &result);
    if (fault) {
        fprintf(stderr, "%s\n", fault);
        abort();
    }
    return 0;
}
