// SPDX-License-Identifier: MIT
// Looks up and walks JSON nodes.
//
// A node is a value or an object's key. In the array, its content follows it: elements for an array, and key, value,
// key, value for an object. A sinewi_json_value is a node's index. json_grammar.c makes the nodes.
#include "json/json.h"

#include "json/decimal.h"

#include <limits.h>
#include <string.h>

sinew_result sinewi_json_parse(sinewi_json *json, const char *text, size_t size, sinewi_arena *arena,
                               sinewi_json_problem *problem) {
    *problem = (sinewi_json_problem){"the text is too long", 0};
    if (size >= INT_MAX) return SINEW_ERROR_FORMAT; // node offsets have 32 bits
    sinewi_json_node *nodes = sinewi_arena_array(arena, sinewi_json_node, sinewi_json_max_nodes(text, size));
    if (!nodes) return SINEW_ERROR_OUT_OF_MEMORY;
    int32_t count;
    if (!sinewi_json_scan(text, size, nodes, &count, problem)) return SINEW_ERROR_FORMAT;
    // The text contains a value, so this stops inside it.
    *problem = (sinewi_json_problem){"an object is expected", strspn(text, " \t\r\n")};
    if (nodes[0].kind != SINEWI_JSON_OBJECT && nodes[0].kind != SINEWI_JSON_ARRAY) return SINEW_ERROR_FORMAT;
    *json = (sinewi_json){text, count, nodes, NULL, NULL};
    return SINEW_OK;
}

// ---- Lookup --------------------------------------------------------------------------------------------------

// Returns whether a string equals `text`. Most strings have no escapes, so comparing bytes is enough.
static bool is_equal(const sinewi_json *json, sinewi_json_value string, const char *text, size_t length) {
    const sinewi_json_node *node = &json->nodes[string];
    if (!node->plain) return sinewi_json_equals(json, string, text);
    return (size_t)(node->end - node->start) == length && memcmp(json->text + node->start, text, length) == 0;
}

// A linear search is fine because objects in glTF are small.
sinewi_json_value sinewi_json_get(const sinewi_json *json, sinewi_json_value object, const char *key) {
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return SINEWI_JSON_ABSENT;
    int32_t end = json->nodes[object].next;
    size_t length = strlen(key);
    for (sinewi_json_value k = object + 1; k < end; k = sinewi_json_next(json, k + 1)) { // skip the value
        if (!is_equal(json, k, key, length)) continue;
        return json->nodes[k + 1].kind == SINEWI_JSON_NULL ? SINEWI_JSON_ABSENT : k + 1;
    }
    return SINEWI_JSON_ABSENT;
}

sinewi_json_value sinewi_json_first(const sinewi_json *json, sinewi_json_value array) {
    if (sinewi_json_kind_of(json, array) != SINEWI_JSON_ARRAY) return SINEWI_JSON_ABSENT;
    return json->nodes[array].next > array + 1 ? array + 1 : SINEWI_JSON_ABSENT;
}

sinewi_json_value sinewi_json_first_key(const sinewi_json *json, sinewi_json_value object) {
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return SINEWI_JSON_ABSENT;
    return json->nodes[object].next > object + 1 ? object + 1 : SINEWI_JSON_ABSENT;
}

sinewi_json_value sinewi_json_following(const sinewi_json *json, sinewi_json_value element) {
    return json->nodes[element].last ? SINEWI_JSON_ABSENT : sinewi_json_next(json, element);
}

int32_t sinewi_json_count(const sinewi_json *json, sinewi_json_value array) {
    int32_t count = 0;
    for (sinewi_json_value e = sinewi_json_first(json, array); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e))
        count++;
    return count;
}

double sinewi_json_number(const sinewi_json *json, sinewi_json_value value) {
    const sinewi_json_node *node = &json->nodes[value];
    return sinewi_decimal_read(json->text + node->start, (size_t)(sinewi_json_text_end(node) - node->start));
}
