// SPDX-License-Identifier: MIT
// Fuzzes a baked asset's records and arrays. Repairs the header and the checksum first: otherwise it would only find
// a wrong checksum.
#include "fuzz/fuzz.h"

#include "io/baked_asset_coder.h"
#include "support/asset_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void repair_header(uint8_t *file, size_t size) {
    sinewi_baked_header header;
    memcpy(&header, file, sizeof header);
    memcpy(header.magic, SINEWI_BAKED_MAGIC, sizeof header.magic);
    header.byte_order = SINEWI_BAKED_ORDER;
    header.version = SINEWI_BAKED_VERSION;
    header.size = size;
    header.checksum = sinewi_baked_checksum(file + sizeof header, size - sizeof header);
    memset(header.reserved, 0, sizeof header.reserved);
    memcpy(file, &header, sizeof header);
}

static void try_file(const uint8_t *data, size_t size, bool trusted) {
    sinew_result result;
    const char *fault = asset_try_baked(data, size, trusted, NULL, &result);
    if (!fault) return;
    fprintf(stderr, "%s\n", fault);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t whole = (size + 63) / 64 * 64;
    if (whole == 0) whole = 64;
    uint8_t *file = calloc(1, whole);
    if (!file) return 0;
    if (size > 0) memcpy(file, data, size);
    repair_header(file, whole);
    try_file(file, whole, true);
    try_file(file, whole, false);
    free(file);
    return 0;
}
