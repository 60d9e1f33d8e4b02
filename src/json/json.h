// SPDX-License-Identifier: MIT
// The JSON reader. It parses a text into a flat array of nodes. Each node is followed by its content. The reader checks
// the whole grammar (RFC 8259) first, so the nodes are always valid.
#ifndef SINEWI_JSON_H
#define SINEWI_JSON_H

#include "base/float_rules.h"
#include "base/memory.h"

// How deep containers may nest.
#define SINEWI_JSON_MAX_DEPTH 256

typedef enum sinewi_json_kind {
    SINEWI_JSON_NULL,
    SINEWI_JSON_FALSE,
    SINEWI_JSON_TRUE,
    SINEWI_JSON_NUMBER,
    SINEWI_JSON_STRING,
    SINEWI_JSON_ARRAY,
    SINEWI_JSON_OBJECT
} sinewi_json_kind;

// An array is followed by its elements. An object is followed by its members, which are a key (a string) and then the
// value. Keep nodes small, because a file with many clips has millions of them.
typedef struct sinewi_json_node {
    uint8_t kind;  // sinewi_json_kind
    bool plain;    // strings only: the bytes are the characters, all ASCII
    bool key;      // an object member's key
    bool last;     // the last element or key in its container
    int32_t start; // offset in the text. A string starts after its quote.
    union {
        int32_t end;  // strings, numbers and words: offset of the end. A string ends before its quote.
        int32_t next; // arrays and objects: the first node after the content
    };
} sinewi_json_node;

// A value is an index into `nodes`. The root is 0.
typedef int32_t sinewi_json_value;
#define SINEWI_JSON_ABSENT (-1)

typedef struct sinewi_json {
    const char *text;
    int32_t node_count;
    const sinewi_json_node *nodes;
    const int32_t *positions; // [node_count]: an element's index in its array. NULL until sinewi_json_index.
    const int32_t *parents;   // [node_count]: an element's array, a value's key, a key's object. -1 for the root.
                              // Also NULL until then.
} sinewi_json;

// A syntax error and its byte offset in the text.
typedef struct sinewi_json_problem {
    const char *what;
    size_t offset;
} sinewi_json_problem;

// Returns an upper bound for the number of nodes, including keys, that sinewi_json_scan makes from a text.
size_t sinewi_json_max_nodes(const char *text, size_t size);

// Checks the grammar of the whole text and makes its nodes. The text must be shorter than INT_MAX. The root may be any
// kind of value.
bool sinewi_json_scan(const char *text, size_t size, sinewi_json_node *nodes, int32_t *node_count,
                      sinewi_json_problem *problem);

// Parses a text. Its root must be an array or object. The nodes come from the arena, and `text` must outlive them. On a
// syntax error returns SINEW_ERROR_FORMAT and fills `problem`. Otherwise it can only fail with
// SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinewi_json_parse(sinewi_json *json, const char *text, size_t size, sinewi_arena *arena,
                               sinewi_json_problem *problem);

// Returns the value of the first member with this key. Returns ABSENT if it doesn't exist, if it is null, or if
// `object` isn't an object.
sinewi_json_value sinewi_json_get(const sinewi_json *json, sinewi_json_value object, const char *key);

// Returns a value's kind. An absent value is a null.
static inline sinewi_json_kind sinewi_json_kind_of(const sinewi_json *json, sinewi_json_value value) {
    return value == SINEWI_JSON_ABSENT ? SINEWI_JSON_NULL : (sinewi_json_kind)json->nodes[value].kind;
}

// Returns the offset where a node's own text ends. For a container this is the end of its opening bracket.
static inline int32_t sinewi_json_text_end(const sinewi_json_node *node) {
    return node->kind >= SINEWI_JSON_ARRAY ? node->start + 1 : node->end;
}

// Returns the first node after a value and its content. A key's content is its value.
static inline sinewi_json_value sinewi_json_next(const sinewi_json *json, sinewi_json_value value) {
    if (json->nodes[value].key) value++;
    return json->nodes[value].kind >= SINEWI_JSON_ARRAY ? json->nodes[value].next : value + 1;
}

// Returns the key of an object member's value, ABSENT for other values.
static inline sinewi_json_value sinewi_json_key_of(const sinewi_json *json, sinewi_json_value value) {
    return value > 0 && json->nodes[value - 1].key ? value - 1 : SINEWI_JSON_ABSENT;
}

// Iterate over an array: for (e = first; e != ABSENT; e = following). ABSENT if the value isn't an array.
sinewi_json_value sinewi_json_first(const sinewi_json *json, sinewi_json_value array);
sinewi_json_value sinewi_json_following(const sinewi_json *json, sinewi_json_value element);

// Returns an object's first key, or ABSENT if it is empty. Get the next one with sinewi_json_following. A key's value
// is key + 1.
sinewi_json_value sinewi_json_first_key(const sinewi_json *json, sinewi_json_value object);

int32_t sinewi_json_count(const sinewi_json *json, sinewi_json_value array);

// Returns a number's value. Infinite if it doesn't fit a double.
double sinewi_json_number(const sinewi_json *json, sinewi_json_value value);

// Decodes the string's escapes and returns whether it equals `text`.
bool sinewi_json_equals(const sinewi_json *json, sinewi_json_value string, const char *text);

// Decodes a string's escapes and copies it to the arena as valid, zero-terminated UTF-8. U+0000, unpaired surrogates
// and invalid bytes become U+FFFD. Returns NULL if memory runs out.
char *sinewi_json_string(const sinewi_json *json, sinewi_json_value string, sinewi_arena *arena, size_t *length);

// Returns a string's bytes inside the text, or NULL if it has escapes.
const char *sinewi_json_raw_string(const sinewi_json *json, sinewi_json_value string, size_t *length);

// Computes positions and parents, which makes sinewi_json_location fast. Returns false if memory runs out.
bool sinewi_json_index(sinewi_json *json, sinewi_arena *arena);

// Writes a value's location, such as animations[2].samplers[0].input. Without sinewi_json_index this is slow, because
// it counts the elements before the value. Meant for error messages, which escape it with sinew_escape.
void sinewi_json_location(const sinewi_json *json, sinewi_json_value value, char *location, size_t size);

// Writes the start of a value's text as valid UTF-8. Meant for error messages, which escape it with sinew_escape.
void sinewi_json_quote(const sinewi_json *json, sinewi_json_value value, char *quote, size_t size);

#endif
