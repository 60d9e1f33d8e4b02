// SPDX-License-Identifier: MIT
// Changes JSON text so most of it stays JSON. Random byte changes hardly ever do.
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

// Changes one value of a text of `size` bytes, which may grow to `most`. Returns its new size.
size_t mutate_json(char *text, size_t size, size_t most, uint64_t *random);

#endif
