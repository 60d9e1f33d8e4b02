// SPDX-License-Identifier: MIT
// A growing text of JSON, for descriptions that JavaScript reads once.
#ifndef SINEW_WEB_TEXT_H
#define SINEW_WEB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// A text. {0} is an empty one. After a failed allocation it takes no more.
typedef struct web_text {
    char *bytes;
    size_t length, capacity;
    bool failed;
} web_text;

// Appends less than 256 bytes, as printf does: it is not for strings of a file.
__attribute__((format(printf, 2, 3))) void web_text_add(web_text *to, const char *format, ...);

// Appends a string of any length in quotes, with escapes.
void web_text_add_string(web_text *to, const char *string);

// Returns the text, to be freed; NULL if an allocation has failed.
char *web_text_end(web_text *to);

// What precedes the element of an array.
const char *web_comma(int index);

const char *web_truth(bool value);

#endif
