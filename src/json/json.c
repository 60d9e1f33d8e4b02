// SPDX-License-Identifier: MIT
// JSON nodes: looked up and walked.
//
// A node is a value or an object's key. It is followed in the array by its content: an array by its elements, an object
// by key, value, key, value. A sinew_json_value is a node's index.
// json_grammar.c makes the nodes.
#include "json/json.h"

#include "json/decimal.h"

#include <limits.h>
#include <string.h>

sinew_result sinew_json_parse(sinew_json *json, const char *text, size_t size, sinew_arena *arena,
                              sinew_json_problem *problem) {
    *problem = (sinew_json_problem){"the text is too long", 0};
    if (size >= INT_MAX) return SINEW_ERROR_FORMAT; // nodes have offsets of 32 bits
    sinew_json_node *nodes = sinew_arena_array(arena, sinew_json_node, sinew_json_max_nodes(text, size));
    if (!nodes) return SINEW_ERROR_OUT_OF_MEMORY;
    int32_t count;
    if (!sinew_json_scan(text, size, nodes, &count, problem)) return SINEW_ERROR_FORMAT;
    // Stops inside the text, which contains a value.
    *problem = (sinew_json_problem){"an object is expected", strspn(text, " \t\r\n")};
    if (nodes[0].kind != SINEW_JSON_OBJECT && nodes[0].kind != SINEW_JSON_ARRAY) return SINEW_ERROR_FORMAT;
    *json = (sinew_json){text, count, nodes, NULL, NULL};
    return SINEW_OK;
}

// ---- Lookup --------------------------------------------------------------------------------------------------

// Whether a string equals `text`, whose length is known. Most strings can be compared as bytes.
static bool is_equal(const sinew_json *json, sinew_json_value string, const char *text, size_t length) {
    const sinew_json_node *node = &json->nodes[string];
    if (!node->plain) return sinew_json_equals(json, string, text);
    return (size_t)(node->end - node->start) == length && memcmp(json->text + node->start, text, length) == 0;
}

// Compares with the object's keys one by one: objects of glTF are small.
sinew_json_value sinew_json_get(const sinew_json *json, sinew_json_value object, const char *key) {
    if (sinew_json_kind_of(json, object) != SINEW_JSON_OBJECT) return SINEW_JSON_ABSENT;
    int32_t end = json->nodes[object].next;
    size_t length = strlen(key);
    for (sinew_json_value k = object + 1; k < end; k = sinew_json_next(json, k + 1)) { // after its value
        if (!is_equal(json, k, key, length)) continue;
        return json->nodes[k + 1].kind == SINEW_JSON_NULL ? SINEW_JSON_ABSENT : k + 1;
    }
    return SINEW_JSON_ABSENT;
}

sinew_json_value sinew_json_first(const sinew_json *json, sinew_json_value array) {
    if (sinew_json_kind_of(json, array) != SINEW_JSON_ARRAY) return SINEW_JSON_ABSENT;
    return json->nodes[array].next > array + 1 ? array + 1 : SINEW_JSON_ABSENT;
}

sinew_json_value sinew_json_first_key(const sinew_json *json, sinew_json_value object) {
    if (sinew_json_kind_of(json, object) != SINEW_JSON_OBJECT) return SINEW_JSON_ABSENT;
    return json->nodes[object].next > object + 1 ? object + 1 : SINEW_JSON_ABSENT;
}

sinew_json_value sinew_json_following(const sinew_json *json, sinew_json_value element) {
    return json->nodes[element].last ? SINEW_JSON_ABSENT : sinew_json_next(json, element);
}

int32_t sinew_json_count(const sinew_json *json, sinew_json_value array) {
    int32_t count = 0;
    for (sinew_json_value e = sinew_json_first(json, array); e != SINEW_JSON_ABSENT;
         e = sinew_json_following(json, e))
        count++;
    return count;
}

double sinew_json_number(const sinew_json *json, sinew_json_value value) {
    const sinew_json_node *node = &json->nodes[value];
    return sinew_decimal_read(json->text + node->start, (size_t)(sinew_json_text_end(node) - node->start));
}
