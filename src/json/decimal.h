// Reading decimal numbers exactly, whatever the C locale says.
#ifndef SINEW_DECIMAL_H
#define SINEW_DECIMAL_H

#include "core/float_rules.h"

#include <stddef.h>

// The double nearest to a number in JSON's grammar (ties to even): what strtod gives in the "C" locale. Numbers
// that are too large give an infinity.
double sinew_decimal_read(const char *text, size_t length);

#endif
