// SPDX-License-Identifier: MIT
// Characters of zero-terminated UTF-8.
#ifndef SINEWI_UTF8_H
#define SINEWI_UTF8_H

#include <stddef.h>
#include <stdint.h>

// Returns the length in bytes of the character at `text`, and its code point; 0 if no valid character starts there. The
// terminating zero is a character of length 1.
size_t sinewi_utf8_decode(const unsigned char *text, uint32_t *code);

#endif
