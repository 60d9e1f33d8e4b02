// SPDX-License-Identifier: MIT
// JSON nodes: created from jsmn's tokens, looked up and walked.
//
// A node is a value or an object's key. It is followed in the array by its content: an array by its elements, an object
// by key, value, key, value. `next` is the first node after that content. A sinew_json_value is a node's index.
// json_grammar.c has checked the text before.
#include "json/json.h"

#include "json/decimal.h"

#include <limits.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS // without them closing a container searches backwards: quadratic
#include <jsmn.h>

// jsmn has one type for null, false, true and numbers: the first character tells them apart.
static sinew_json_kind kind_of_token(const char *text, const jsmntok_t *token) {
    switch (token->type) {
    case JSMN_OBJECT:
        return SINEW_JSON_OBJECT;
    case JSMN_ARRAY:
        return SINEW_JSON_ARRAY;
    case JSMN_STRING:
        return SINEW_JSON_STRING;
    default:
        break;
    }
    switch (text[token->start]) {
    case 'n':
        return SINEW_JSON_NULL;
    case 't':
        return SINEW_JSON_TRUE;
    case 'f':
        return SINEW_JSON_FALSE;
    default:
        return SINEW_JSON_NUMBER;
    }
}

// Computes each node's `next` from the tokens' parents.
static void make_nodes(sinew_json_node *nodes, const jsmntok_t *tokens, int32_t count, const char *text) {
    for (int32_t i = 0; i < count; i++)
        nodes[i] = (sinew_json_node){.kind = kind_of_token(text, &tokens[i]),
                                     .start = tokens[i].start,
                                     .end = tokens[i].end,
                                     .parent = tokens[i].parent,
                                     .next = i + 1};
    // Backwards, because the end of a node's content is the largest `next` of its children.
    for (int32_t i = count - 1; i > 0; i--) {
        sinew_json_node *parent = &nodes[nodes[i].parent];
        if (parent->next < nodes[i].next) parent->next = nodes[i].next;
    }
}

// Checks the grammar, splits the text into tokens by jsmn, and makes a node of each.
sinew_result sinew_json_parse(sinew_json *json, const char *text, size_t size, sinew_arena *arena,
                              sinew_json_problem *problem) {
    *problem = (sinew_json_problem){"the text is too long", 0};
    if (size >= INT_MAX) return SINEW_ERROR_FORMAT; // jsmn counts bytes in int
    size_t count;
    if (!sinew_json_check(text, size, &count, problem)) return SINEW_ERROR_FORMAT;
    size_t start = strspn(text, " \t\r\n"); // stops inside the text, which contains a value
    *problem = (sinew_json_problem){"an object is expected", start};
    if (text[start] != '{' && text[start] != '[') return SINEW_ERROR_FORMAT;

    sinew_json_node *nodes = sinew_arena_array(arena, sinew_json_node, count);
    jsmntok_t *tokens = sinew_arena_array(arena, jsmntok_t, count);
    if (!nodes || !tokens) return SINEW_ERROR_OUT_OF_MEMORY;

    jsmn_parser parser;
    jsmn_init(&parser);
    int found = jsmn_parse(&parser, text, size, tokens, (unsigned)count);
    *problem = (sinew_json_problem){"the text cannot be split into tokens", parser.pos};
    if (found < 0 || (size_t)found != count) return SINEW_ERROR_FORMAT;

    make_nodes(nodes, tokens, found, text);
    *json = (sinew_json){text, found, nodes, NULL};
    return SINEW_OK;
}

// ---- Lookup --------------------------------------------------------------------------------------------------

sinew_json_kind sinew_json_kind_of(const sinew_json *json, sinew_json_value value) {
    return value == SINEW_JSON_ABSENT ? SINEW_JSON_NULL : json->nodes[value].kind;
}

// Compares with the object's keys one by one: objects of glTF are small.
sinew_json_value sinew_json_get(const sinew_json *json, sinew_json_value object, const char *key) {
    if (sinew_json_kind_of(json, object) != SINEW_JSON_OBJECT) return SINEW_JSON_ABSENT;
    int32_t end = json->nodes[object].next;
    for (sinew_json_value k = object + 1; k < end; k = json->nodes[k].next) {
        if (!sinew_json_equals(json, k, key)) continue;
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
    int32_t next = json->nodes[element].next;
    return next < json->nodes[json->nodes[element].parent].next ? next : SINEW_JSON_ABSENT;
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
    return sinew_decimal_read(json->text + node->start, (size_t)(node->end - node->start));
}
