// SPDX-License-Identifier: MIT
// Correctly rounded conversion of decimal numbers to doubles, independent of the C locale.
#ifndef SINEWI_DECIMAL_H
#define SINEWI_DECIMAL_H

#include "base/float_rules.h"

#include <stddef.h>

// Returns the double nearest to a number in JSON's grammar (ties to even), like strtod in the "C" locale. A number
// that is too large gives an infinity.
double sinewi_decimal_read(const char *text, size_t length);

#endif
