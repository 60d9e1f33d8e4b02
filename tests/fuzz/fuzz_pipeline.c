// SPDX-License-Identifier: MIT
// Fuzzes everything that the command does with a file: decodes meshopt with meshoptimizer and plays all clips, then
// again with 16-bit keys and with compressed clips.
#include "fuzz/fuzz.h"

#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sinew_gltf_options options = fuzz_options();
    options.meshopt_decode = cli_decode_meshopt;
    fuzz_load(data, size, options);
    options.key_format = SINEW_KEYS_U16;
    fuzz_load(data, size, options);
    options.key_format = SINEW_KEYS_FLOAT;
    options.compress_error = 1e-3f;
    fuzz_load(data, size, options);
    return 0;
}
