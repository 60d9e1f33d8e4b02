// SPDX-License-Identifier: MIT
// Shortens the JSON of nodes, primitives and materials. Numbers get only the digits that a float needs, and members
// with default values are removed.
#include "optimize/shorten.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A float in decimal.
enum { FLOAT_DIGITS = 9, NUMBER_TEXT = 32 };

// Removes what JSON doesn't need in an exponent: 1e-05 becomes 1e-5.
static void shorten_exponent(char *text) {
    char *from = strchr(text, 'e');
    if (!from) return;
    char *to = ++from;
    if (*from == '-') to++;
    if (*from == '-' || *from == '+') from++;
    while (*from == '0' && from[1] != '\0') from++;
    memmove(to, from, strlen(from) + 1);
}

// Writes the fewest digits that read back as the same float.
static void write_float(float number, char text[NUMBER_TEXT]) {
    for (int digits = 1; digits <= FLOAT_DIGITS; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, (double)number);
        if ((float)strtod(text, NULL) == number) break;
    }
    shorten_exponent(text);
}

void shorten_append(lint_text *out, double number) {
    char text[NUMBER_TEXT];
    write_float((float)number, text);
    lint_append(out, text, strlen(text));
}

// Shortens a number. Integers keep their text, because they may be indices.
static void shorten_number(lint_edits *edits, sinewi_json_value value) {
    const sinewi_json *json = edits->json;
    const sinewi_json_node *node = &json->nodes[value];
    const size_t length = (size_t)(node->end - node->start);
    const double number = sinewi_json_number(json, value);
    char text[NUMBER_TEXT];
    if (strcspn(json->text + node->start, ".eE") >= length || !isfinite((float)number)) return;
    write_float((float)number, text);
    if (strlen(text) < length) lint_replace_text(edits, value, text, strlen(text));
}

// If `v` is "extras", returns the first node after it, because extras stay unchanged. Otherwise returns -1.
static sinewi_json_value after_extras(const sinewi_json *json, sinewi_json_value v) {
    if (!json->nodes[v].key || !sinewi_json_equals(json, v, "extras")) return -1;
    return sinewi_json_next(json, v);
}

static void shorten_numbers(lint_edits *edits, sinewi_json_value value) {
    const sinewi_json *json = edits->json;
    if (value == SINEWI_JSON_ABSENT) return;
    const bool contains = json->nodes[value].kind >= SINEWI_JSON_ARRAY;
    const sinewi_json_value end = contains ? json->nodes[value].next : value + 1;
    for (sinewi_json_value v = value; v < end;) {
        const sinewi_json_value after = after_extras(json, v);
        if (after < 0 && json->nodes[v].kind == SINEWI_JSON_NUMBER) shorten_number(edits, v);
        v = after < 0 ? v + 1 : after;
    }
}

// Removes an array of numbers if it equals the default.
static bool remove_default(lint_edits *edits, sinewi_json_value object, const char *key, const double *expected,
                           int count) {
    const sinewi_json *json = edits->json;
    const sinewi_json_value array = sinewi_json_get(json, object, key);
    if (sinewi_json_count(json, array) != count) return false;
    sinewi_json_value e = sinewi_json_first(json, array);
    for (int i = 0; i < count; i++, e = sinewi_json_following(json, e)) {
        if (sinewi_json_kind_of(json, e) != SINEWI_JSON_NUMBER || sinewi_json_number(json, e) != expected[i])
            return false;
    }
    lint_remove_member(edits, object, key);
    return true;
}

static void shorten_node(lint_edits *edits, sinewi_json_value node) {
    static const double zeros[3] = {0, 0, 0}, identity[4] = {0, 0, 0, 1}, ones[3] = {1, 1, 1};
    static const char *const keys[] = {"translation", "rotation", "scale", "matrix", "weights"};
    bool gone[5] = {remove_default(edits, node, keys[0], zeros, 3),
                    remove_default(edits, node, keys[1], identity, 4),
                    remove_default(edits, node, keys[2], ones, 3)};
    for (int i = 0; i < 5; i++) {
        if (!gone[i]) shorten_numbers(edits, sinewi_json_get(edits->json, node, keys[i]));
    }
}

static void shorten_mesh(lint_edits *edits, ref_document *document, sinewi_json_value mesh) {
    const ref_list primitives = ref_elements(document, mesh, "primitives");
    for (int32_t p = 0; p < primitives.count; p++) {
        const sinewi_json_value mode = sinewi_json_get(edits->json, primitives.values[p], "mode");
        if (sinewi_json_kind_of(edits->json, mode) == SINEWI_JSON_NUMBER &&
            sinewi_json_number(edits->json, mode) == 4.0)
            lint_remove_member(edits, primitives.values[p], "mode");
    }
}

static void shorten_material(lint_edits *edits, ref_document *document, sinewi_json_value material) {
    shorten_numbers(edits, material);
    if (strcmp(ref_string(document, material, "alphaMode"), "OPAQUE") == 0)
        lint_remove_member(edits, material, "alphaMode");
}

void shorten_document(lint_edits *edits, ref_document *document) {
    for (int32_t i = 0; i < document->nodes.count; i++) shorten_node(edits, document->nodes.values[i]);
    for (int32_t i = 0; i < document->meshes.count; i++) shorten_mesh(edits, document, document->meshes.values[i]);
    for (int32_t i = 0; i < document->materials.count; i++)
        shorten_material(edits, document, document->materials.values[i]);
}

void shorten_spaces(lint_text *json) {
    size_t size = 0;
    bool in_string = false;
    for (size_t i = 0; i < json->size; i++) {
        const char character = json->data[i];
        if (!in_string && strchr(" \t\r\n", character) && character != '\0') continue;
        json->data[size++] = character;
        if (in_string && character == '\\' && i + 1 < json->size) json->data[size++] = json->data[++i];
        if (character == '"') in_string = !in_string;
    }
    json->size = size;
}
