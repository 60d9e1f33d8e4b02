// SPDX-License-Identifier: MIT
// Edits of a JSON text that leave every other byte of it unchanged.
#ifndef LINT_EDIT_H
#define LINT_EDIT_H

#include "json/json.h"

// A growing text on the heap.
typedef struct lint_text {
    char *data;
    size_t size, capacity;
    bool failed; // memory ran out: the text is incomplete, and stays as it is
} lint_text;

void lint_append(lint_text *text, const void *data, size_t size);
void lint_append_format(lint_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Appends a string with quotes and escapes, which is valid JSON and safe to print for any bytes: what sinew_escape escapes
// becomes an escape of JSON, and a byte that is not UTF-8 becomes U+FFFD.
void lint_append_json_string(lint_text *text, const char *string);

void lint_text_free(lint_text *text);

typedef struct lint_edit {
    const char *text;     // replaces the value
    const char *appended; // elements or members after the last one of an array or object
    bool removed;         // of an element, or of the key of a member
} lint_edit;

typedef struct lint_edits {
    const sinewi_json *json;
    sinewi_arena *arena;
    lint_edit *nodes; // [json->node_count]
    bool failed;      // memory ran out
} lint_edits;

lint_edits lint_edits_begin(const sinewi_json *json, sinewi_arena *arena);

void lint_replace(lint_edits *edits, sinewi_json_value value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same with a text of any length.
void lint_replace_text(lint_edits *edits, sinewi_json_value value, const char *text, size_t length);
void lint_remove_element(lint_edits *edits, sinewi_json_value element);
void lint_remove_member(lint_edits *edits, sinewi_json_value object, const char *key);

// Appends elements or members to an array or object.
void lint_append_content(lint_edits *edits, sinewi_json_value container, const char *text);

// Sets a member to a whole number. An absent member is not added if the number equals `absent`; a member that has the
// number already keeps its text.
void lint_set_number(lint_edits *edits, sinewi_json_value object, const char *key, size_t number, size_t absent);

// Appends a value with its edits to a text.
void lint_write_value(const lint_edits *edits, sinewi_json_value value, lint_text *out);

#endif
