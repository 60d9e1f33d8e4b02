// SPDX-License-Identifier: MIT
// Correctly rounded conversion of decimal numbers to doubles, independent of the C locale.
#ifndef SINEW_DECIMAL_H
#define SINEW_DECIMAL_H

#include "core/float_rules.h"

#include <stddef.h>

// Returns the double nearest to a number in JSON's grammar (ties to even), like strtod in the "C" locale. A number
// that is too large gives an infinity.
double sinew_decimal_read(const char *text, size_t length);

#endif
