// SPDX-License-Identifier: MIT
// Edits JSON text. Values without an edit are copied, including the white space around them.
#include "lint/edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Texts ---------------------------------------------------------------------------------------------------------

void lint_append(lint_text *text, const void *data, size_t size) {
    if (size == 0 || text->failed) return;
    if (text->size + size > text->capacity) {
        size_t capacity = 2 * (text->size + size);
        char *grown = (char *)realloc(text->data, capacity);
        if (!grown) {
            text->failed = true;
            return;
        }
        text->data = grown;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
}

void lint_append_format(lint_text *text, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) lint_append(text, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

// Returns the length of the character at `text`, from its first byte.
static size_t character_length(const char *text) {
    const unsigned char first = (unsigned char)*text;
    const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    return strnlen(text, length);
}

// Appends one character and returns its length. Turns a terminal's escapes into JSON escapes: \u202e stays, \x1b
// becomes \u001b.
static size_t append_character(lint_text *text, const char *string) {
    char character[5] = "", escaped[17];
    const size_t length = character_length(string);
    memcpy(character, string, length);
    sinew_escape(character, escaped, sizeof escaped);
    if (strcmp(character, escaped) == 0) {
        if (*string == '"' || *string == '\\') lint_append(text, "\\", 1);
        lint_append(text, character, length);
    } else if (escaped[1] == 'u') {
        lint_append(text, escaped, strlen(escaped));
    } else {
        const unsigned byte = (unsigned char)*string;
        lint_append_format(text, "\\u%04x", byte < 0x80 ? byte : 0xFFFDu);
        return 1;
    }
    return length;
}

void lint_append_json_string(lint_text *text, const char *string) {
    lint_append(text, "\"", 1);
    while (*string) string += append_character(text, string);
    lint_append(text, "\"", 1);
}

void lint_text_free(lint_text *text) {
    free(text->data);
    *text = (lint_text){0};
}

// ---- Edits ---------------------------------------------------------------------------------------------------------

lint_edits lint_edits_begin(const sinewi_json *json, sinewi_arena *arena) {
    lint_edits edits = {.json = json, .arena = arena};
    edits.nodes = sinewi_arena_zeros(arena, lint_edit, (size_t)json->node_count);
    edits.failed = !edits.nodes;
    return edits;
}

static const char *keep(lint_edits *edits, const char *text, size_t length) {
    const char *copy = sinewi_arena_string(edits->arena, text, length);
    if (!copy) edits->failed = true;
    return copy;
}

void lint_replace(lint_edits *edits, sinewi_json_value value, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lint_replace_text(edits, value, text, strlen(text));
}

void lint_replace_text(lint_edits *edits, sinewi_json_value value, const char *text, size_t length) {
    if (!edits->failed) edits->nodes[value].text = keep(edits, text, length);
}

void lint_remove_element(lint_edits *edits, sinewi_json_value element) {
    if (!edits->failed) edits->nodes[element].removed = true;
}

void lint_remove_member(lint_edits *edits, sinewi_json_value object, const char *key) {
    sinewi_json_value value = sinewi_json_get(edits->json, object, key);
    if (value != SINEWI_JSON_ABSENT) lint_remove_element(edits, sinewi_json_key_of(edits->json, value));
}

void lint_append_content(lint_edits *edits, sinewi_json_value container, const char *text) {
    if (edits->failed) return;
    lint_edit *edit = &edits->nodes[container];
    lint_text whole = {0};
    if (edit->appended) {
        lint_append(&whole, edit->appended, strlen(edit->appended));
        lint_append(&whole, ",", 1);
    }
    lint_append(&whole, text, strlen(text));
    edits->failed |= whole.failed;
    if (!whole.failed) edit->appended = keep(edits, whole.data, whole.size);
    lint_text_free(&whole);
}

void lint_set_number(lint_edits *edits, sinewi_json_value object, const char *key, size_t number, size_t absent) {
    sinewi_json_value value = sinewi_json_get(edits->json, object, key);
    if (value == SINEWI_JSON_ABSENT) {
        char member[64];
        snprintf(member, sizeof member, "\"%s\":%zu", key, number);
        if (number != absent) lint_append_content(edits, object, member);
    } else if (sinewi_json_number(edits->json, value) != (double)number) {
        lint_replace(edits, value, "%zu", number);
    }
}

// ---- Writing -------------------------------------------------------------------------------------------------------

// The byte range of a value. A string's range includes its quotes.
static size_t start_of(const sinewi_json_node *node) {
    return (size_t)node->start - (node->kind == SINEWI_JSON_STRING ? 1 : 0);
}

static bool is_container(const sinewi_json_node *node) {
    return node->kind == SINEWI_JSON_ARRAY || node->kind == SINEWI_JSON_OBJECT;
}

// The text after the last node in a container has the closing brackets of all containers that end there.
static size_t end_of(const sinewi_json *json, sinewi_json_value value) {
    const sinewi_json_node *nodes = json->nodes;
    sinewi_json_value v = is_container(&nodes[value]) ? nodes[value].next - 1 : value;
    size_t end = (size_t)sinewi_json_text_end(&nodes[v]) + (nodes[v].kind == SINEWI_JSON_STRING ? 1 : 0);
    for (;; v = json->parents[v]) {
        if (is_container(&nodes[v])) end += strcspn(json->text + end, "]}") + 1;
        if (v == value) return end;
    }
}

// Writes the white space before an element or member. Drops the comma if it's the first one written.
static void write_gap(const char *text, size_t from, size_t to, bool first, lint_text *out) {
    for (size_t i = from; i < to; i++) {
        if (!(first && text[i] == ',')) lint_append(out, text + i, 1);
    }
}

static void write_container(const lint_edits *edits, sinewi_json_value value, lint_text *out) {
    const sinewi_json_node *nodes = edits->json->nodes, *node = &nodes[value];
    const char *text = edits->json->text, *appended = edits->nodes[value].appended;
    bool object = node->kind == SINEWI_JSON_OBJECT, first = true;
    size_t offset = (size_t)node->start + 1;
    lint_append(out, text + node->start, 1);
    for (sinewi_json_value child = value + 1; child < node->next; child = sinewi_json_next(edits->json, child)) {
        sinewi_json_value held = object ? child + 1 : child;
        if (!edits->nodes[child].removed) {
            write_gap(text, offset, start_of(&nodes[child]), first, out);
            if (object)
                lint_append(out, text + start_of(&nodes[child]), start_of(&nodes[held]) - start_of(&nodes[child]));
            lint_write_value(edits, held, out);
            first = false;
        }
        offset = end_of(edits->json, held);
    }
    if (appended) {
        if (!first) lint_append(out, ",", 1);
        lint_append(out, appended, strlen(appended));
    }
    lint_append(out, text + offset, end_of(edits->json, value) - offset);
}

void lint_write_value(const lint_edits *edits, sinewi_json_value value, lint_text *out) {
    if (edits->failed) {
        out->failed = true;
        return;
    }
    const sinewi_json_node *node = &edits->json->nodes[value];
    const lint_edit *edit = &edits->nodes[value];
    if (edit->text) {
        lint_append(out, edit->text, strlen(edit->text));
    } else if (is_container(node)) {
        write_container(edits, value, out);
    } else {
        lint_append(out, edits->json->text + start_of(node), end_of(edits->json, value) - start_of(node));
    }
}
