// Changing a JSON text here and there, and leaving every other byte of it as it is.
#ifndef LINT_EDIT_H
#define LINT_EDIT_H

#include "json/json.h"

// Text that grows, from the heap.
typedef struct lint_text {
    char *data;
    size_t size, capacity;
    bool failed; // memory ran out, and something is missing
} lint_text;

void lint_append(lint_text *text, const void *data, size_t size);
void lint_append_format(lint_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lint_text_free(lint_text *text);

typedef struct lint_edit {
    const char *text;   // instead of the value
    const char *behind; // elements or members behind the last one of an array or object
    bool removed;       // an element, or the key of a member
} lint_edit;

typedef struct lint_edits {
    const sinew_json *json;
    sinew_arena *arena;
    lint_edit *of; // [json->node_count]
    bool failed;   // memory ran out
} lint_edits;

lint_edits lint_edits_begin(const sinew_json *json, sinew_arena *arena);

void lint_replace(lint_edits *edits, sinew_json_value value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lint_remove_element(lint_edits *edits, sinew_json_value element);
void lint_remove_member(lint_edits *edits, sinew_json_value object, const char *key);

// Puts `text`, elements or members of its own, behind what an array or object holds.
void lint_put_behind(lint_edits *edits, sinew_json_value container, const char *text);

// Makes a member a whole number. One that is absent and to be `absent` stays absent, and one that is right its text.
void lint_set_number(lint_edits *edits, sinew_json_value object, const char *key, size_t number, size_t absent);

// Appends a value with its edits.
void lint_write_value(const lint_edits *edits, sinew_json_value value, lint_text *out);

#endif
