// SPDX-License-Identifier: MIT
// Converts decimal numbers to doubles with correct rounding. Doesn't depend on the C locale.
#ifndef SINEWI_DECIMAL_H
#define SINEWI_DECIMAL_H

#include "base/float_rules.h"

#include <stddef.h>

// Returns the double nearest to a number in JSON's grammar. Ties round to even, like strtod in the "C" locale. Returns
// an infinity if the number is too large.
double sinewi_decimal_read(const char *text, size_t length);

#endif
