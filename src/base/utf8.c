// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <stdbool.h>

size_t sinewi_utf8_decode(const unsigned char *text, uint32_t *code) {
    const unsigned char first = text[0];
    const size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0 || first > 0xF4) return 0;
    *code = length == 1 ? first : first & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) { // stops at the terminating zero, which isn't a continuation byte
        if ((text[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (text[i] & 0x3F);
    }
    const bool surrogate = *code >= 0xD800 && *code < 0xE000;
    return *code < smallest[length] || surrogate || *code > 0x10FFFF ? 0 : length;
}
