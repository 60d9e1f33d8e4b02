// SPDX-License-Identifier: MIT
// Edits JSON text, and leaves every other byte of it unchanged.
#ifndef LINT_EDIT_H
#define LINT_EDIT_H

#include "json/json.h"

// A growing text on the heap.
typedef struct lint_text {
    char *data;
    size_t size, capacity;
    bool failed; // memory ran out, so the text is incomplete and stays that way
} lint_text;

void lint_append(lint_text *text, const void *data, size_t size);
void lint_append_format(lint_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Appends a quoted and escaped string. It's valid JSON and safe to print whatever its bytes. What sinew_escape escapes
// becomes a JSON escape, and bytes that aren't UTF-8 become U+FFFD.
void lint_append_json_string(lint_text *text, const char *string);

void lint_text_free(lint_text *text);

typedef struct lint_edit {
    const char *text;     // replaces the value
    const char *appended; // elements or members after the last one of an array or object
    bool removed;         // applies to an element, or to a member's key
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
// Like lint_replace, for text of any length.
void lint_replace_text(lint_edits *edits, sinewi_json_value value, const char *text, size_t length);
void lint_remove_element(lint_edits *edits, sinewi_json_value element);
void lint_remove_member(lint_edits *edits, sinewi_json_value object, const char *key);

// Appends elements or members to an array or object.
void lint_append_content(lint_edits *edits, sinewi_json_value container, const char *text);

// Sets a member to an integer. Doesn't add a missing member if the number equals `absent`. A member that already has
// this number keeps its text.
void lint_set_number(lint_edits *edits, sinewi_json_value object, const char *key, size_t number, size_t absent);

// Appends a value and its edits to a text.
void lint_write_value(const lint_edits *edits, sinewi_json_value value, lint_text *out);

#endif
