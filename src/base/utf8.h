// SPDX-License-Identifier: MIT
// Decodes zero-terminated UTF-8.
#ifndef SINEWI_UTF8_H
#define SINEWI_UTF8_H

#include <stddef.h>
#include <stdint.h>

// Decodes the character at `text` and returns its length in bytes, or 0 if it isn't valid. The terminating zero counts
// as a character of length 1.
size_t sinewi_utf8_decode(const unsigned char *text, uint32_t *code);

#endif
