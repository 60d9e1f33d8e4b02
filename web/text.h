// SPDX-License-Identifier: MIT
// A growing JSON text, for descriptions that JavaScript reads once.
#ifndef SINEW_WEB_TEXT_H
#define SINEW_WEB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// A {0} text is empty. After a failed allocation, a text ignores what's appended.
typedef struct web_text {
    char *bytes;
    size_t length, capacity;
    bool failed;
} web_text;

// Appends formatted text of less than 256 bytes. Don't use it for strings from a file.
__attribute__((format(printf, 2, 3))) void web_text_add(web_text *to, const char *format, ...);

// Appends a string of any length, quoted and escaped.
void web_text_add_string(web_text *to, const char *string);

// Returns the text, or NULL if an allocation failed. The caller frees it.
char *web_text_end(web_text *to);

// The separator before an array's element: "" for the first one, else ",".
const char *web_comma(int index);

const char *web_truth(bool value);

#endif
