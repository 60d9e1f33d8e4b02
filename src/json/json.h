// SPDX-License-Identifier: MIT
// The JSON reader: parses a text into a flat array of nodes, each followed by its content. The whole grammar (RFC
// 8259) is checked first, so that the nodes of a text are always valid.
#ifndef SINEW_JSON_H
#define SINEW_JSON_H

#include "core/float_rules.h"
#include "core/memory.h"

// The largest depth of nested containers.
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

// An array is followed by its elements; an object by its members, each a key (a string) and then the value. Nodes are
// small, because a file of many clips has millions.
typedef struct sinew_json_node {
    uint8_t kind;  // sinew_json_kind
    bool plain;    // of a string: its bytes are its characters, all ASCII
    bool key;      // of an object's member
    bool last;     // no element or key follows in the same container
    int32_t start; // offset in the text; of a string, without its quote
    union {
        int32_t end;  // of a string, number or word: its end in the text; of a string, without its quote
        int32_t next; // of an array or object: the first node after its content
    };
} sinew_json_node;

// A value is its index in `nodes`; the root is 0.
typedef int32_t sinew_json_value;
#define SINEW_JSON_ABSENT (-1)

typedef struct sinew_json {
    const char *text;
    int32_t node_count;
    const sinew_json_node *nodes;
    const int32_t *positions; // [node_count]: index of an element in its array; NULL until sinew_json_index
    const int32_t *parents;   // [node_count]: of an element its array, of a member's value its key, of a key its
                              // object, -1 for the root; NULL until sinew_json_index
} sinew_json;

// A fault of a text and its offset in bytes.
typedef struct sinew_json_problem {
    const char *what;
    size_t offset;
} sinew_json_problem;

// Returns an upper bound of the number of nodes, keys included, that sinew_json_scan makes of a text.
size_t sinew_json_max_nodes(const char *text, size_t size);

// Checks the grammar of a whole text, shorter than INT_MAX, and makes its nodes. The root may be any kind of value.
bool sinew_json_scan(const char *text, size_t size, sinew_json_node *nodes, int32_t *node_count,
                     sinew_json_problem *problem);

// Parses a text whose root is an array or an object. Takes the nodes from the arena; `text` must outlive them. Fails
// with SINEW_ERROR_FORMAT and fills `problem`, or with SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinew_json_parse(sinew_json *json, const char *text, size_t size, sinew_arena *arena,
                              sinew_json_problem *problem);

// Returns the member of that name, the first if there are several. ABSENT if there is none, it is null, or `object` is
// not an object.
sinew_json_value sinew_json_get(const sinew_json *json, sinew_json_value object, const char *key);

// Returns the kind of a value; NULL if it is absent.
static inline sinew_json_kind sinew_json_kind_of(const sinew_json *json, sinew_json_value value) {
    return value == SINEW_JSON_ABSENT ? SINEW_JSON_NULL : (sinew_json_kind)json->nodes[value].kind;
}

// Returns the end of a node's text in the text; of an array or object, of its opening bracket.
static inline int32_t sinew_json_text_end(const sinew_json_node *node) {
    return node->kind >= SINEW_JSON_ARRAY ? node->start + 1 : node->end;
}

// Returns the first node after a value and its content; after a key, its value and the value's content.
static inline sinew_json_value sinew_json_next(const sinew_json *json, sinew_json_value value) {
    if (json->nodes[value].key) value++;
    return json->nodes[value].kind >= SINEW_JSON_ARRAY ? json->nodes[value].next : value + 1;
}

// Returns the key of a member's value; ABSENT for any other value.
static inline sinew_json_value sinew_json_key_of(const sinew_json *json, sinew_json_value value) {
    return value > 0 && json->nodes[value - 1].key ? value - 1 : SINEW_JSON_ABSENT;
}

// Walk the elements of an array: for (e = first; e != ABSENT; e = following). ABSENT if the value is not an array.
sinew_json_value sinew_json_first(const sinew_json *json, sinew_json_value array);
sinew_json_value sinew_json_following(const sinew_json *json, sinew_json_value element);

// Returns the first key of an object, ABSENT if there is none. The next is sinew_json_following; the value of a key is
// key + 1.
sinew_json_value sinew_json_first_key(const sinew_json *json, sinew_json_value object);

int32_t sinew_json_count(const sinew_json *json, sinew_json_value array);

// Returns the value of a number; an infinity if it is too large for a double.
double sinew_json_number(const sinew_json *json, sinew_json_value value);

// Whether a string with decoded escapes equals a text.
bool sinew_json_equals(const sinew_json *json, sinew_json_value string, const char *text);

// Copies a string with decoded escapes to the arena, as valid, zero-terminated UTF-8. U+0000, an unpaired surrogate
// and invalid bytes become U+FFFD. Returns NULL if memory runs out.
char *sinew_json_string(const sinew_json *json, sinew_json_value string, sinew_arena *arena, size_t *length);

// Returns a string's bytes in the text if it has no escapes; else NULL.
const char *sinew_json_raw_string(const sinew_json *json, sinew_json_value string, size_t *length);

// Finds positions and parents, with which sinew_json_location is fast. Returns false if memory runs out.
bool sinew_json_index(sinew_json *json, sinew_arena *arena);

// Writes the location of a value, such as animations[2].samplers[0].input. Slow without sinew_json_index: it
// then counts the elements before the value. For error messages, which escape it (sinew_escape).
void sinew_json_location(const sinew_json *json, sinew_json_value value, char *location, size_t size);

// Writes the start of a value's text as valid UTF-8. For error messages, which escape it (sinew_escape).
void sinew_json_quote(const sinew_json *json, sinew_json_value value, char *quote, size_t size);

#endif
