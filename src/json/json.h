// JSON: a text becomes a flat array of nodes, each in front of what it contains. The whole grammar is checked
// first, so that whoever reads the nodes meets only what RFC 8259 allows.
#ifndef SINEW_JSON_H
#define SINEW_JSON_H

#include "core/float_rules.h"
#include "core/memory.h"

// Containers may stand this deep in one another.
#define SINEW_JSON_MAX_DEPTH 256

typedef enum sinew_json_kind {
    SINEW_JSON_NULL,
    SINEW_JSON_FALSE,
    SINEW_JSON_TRUE,
    SINEW_JSON_NUMBER,
    SINEW_JSON_STRING,
    SINEW_JSON_ARRAY,
    SINEW_JSON_OBJECT
} sinew_json_kind;

// An array is followed by its elements; an object by its members, each a key (a string) and then the value.
typedef struct sinew_json_node {
    sinew_json_kind kind;
    int32_t start, end; // bytes of the text; a string's are those between its quotes
    int32_t parent;     // the array, or the key for an object's value, or the object for a key; -1 for the root
    int32_t next;       // the node behind this one and all that it contains
} sinew_json_node;

// A value is its index in `nodes`; the root is 0.
typedef int32_t sinew_json_value;
#define SINEW_JSON_ABSENT (-1)

typedef struct sinew_json {
    const char *text;
    int32_t node_count;
    const sinew_json_node *nodes;
    const int32_t *positions; // of each array element in its array; NULL until sinew_json_index_arrays
} sinew_json;

// What is wrong with a text, and where.
typedef struct sinew_json_problem {
    const char *what;
    size_t offset;
} sinew_json_problem;

// Checks the grammar of a whole text and counts its nodes (keys included). Any kind of value may be the root.
bool sinew_json_check(const char *text, size_t size, size_t *node_count, sinew_json_problem *problem);

// Parses a text whose root is an array or an object; nodes are taken from the arena, and `text` must outlive them.
// SINEW_ERROR_FORMAT with `problem` filled, or SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinew_json_parse(sinew_json *json, const char *text, size_t size, sinew_arena *arena,
                              sinew_json_problem *problem);

// The member of that name (the first, where there are several), or ABSENT when there is none, when it is null, or
// when `object` is not an object.
sinew_json_value sinew_json_get(const sinew_json *json, sinew_json_value object, const char *key);

sinew_json_kind sinew_json_kind_of(const sinew_json *json, sinew_json_value value);

// The elements of an array: for (e = first; e != ABSENT; e = following). ABSENT for anything but an array.
sinew_json_value sinew_json_first(const sinew_json *json, sinew_json_value array);
sinew_json_value sinew_json_following(const sinew_json *json, sinew_json_value element);

// The members of an object, walked in the same way by their keys; the value of a key is key + 1.
sinew_json_value sinew_json_first_key(const sinew_json *json, sinew_json_value object);

int32_t sinew_json_count(const sinew_json *json, sinew_json_value array);

// The value of a number; an infinity when it is too large for a double.
double sinew_json_number(const sinew_json *json, sinew_json_value value);

// Whether a string, its escapes decoded, is this text.
bool sinew_json_equals(const sinew_json *json, sinew_json_value string, const char *text);

// A string with its escapes decoded, as valid UTF-8 with a zero behind it, from the arena. What cannot stand in a C
// string or in UTF-8 (U+0000, half a surrogate pair, stray bytes) becomes U+FFFD. NULL when there is no memory.
char *sinew_json_string(const sinew_json *json, sinew_json_value string, sinew_arena *arena, size_t *length);

// A string's characters without a copy, when it has no escapes to decode; else NULL.
const char *sinew_json_raw_string(const sinew_json *json, sinew_json_value string, size_t *length);

// Makes sinew_json_location fast, for callers that report many places. False when memory runs out.
bool sinew_json_index_arrays(sinew_json *json, sinew_arena *arena);

// Writes the place of a value as people say it: animations[2].samplers[0].input. Slow without
// sinew_json_index_arrays: it counts the elements before the value. For error messages, which escape it (sinew_escape).
void sinew_json_location(const sinew_json *json, sinew_json_value value, char *place, size_t size);

// Writes the beginning of a value's text as valid UTF-8, for error messages, which escape it (sinew_escape).
void sinew_json_quote(const sinew_json *json, sinew_json_value value, char *quote, size_t size);

#endif
