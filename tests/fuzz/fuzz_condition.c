// SPDX-License-Identifier: MIT
// Fuzzes a condition's text, up to the input's first zero byte.
#include "fuzz/fuzz.h"

#include "support/condition_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    const char *fault = condition_try(text);
    if (fault) {
        fprintf(stderr, "%s\n", fault);
        abort();
    }
    free(text);
    return 0;
}
