// SPDX-License-Identifier: MIT
// The JSON reader: parses a text into a flat array of nodes, each followed by its content. The whole grammar (RFC
// 8259) is checked first, so that the nodes of a text are always valid.
#ifndef SINEWI_JSON_H
#define SINEWI_JSON_H

#include "base/float_rules.h"
#include "base/memory.h"

// The largest depth of nested containers.
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

// An array is followed by its elements; an object by its members, each a key (a string) and then the value. Nodes are
// small, because a file of many clips has millions.
typedef struct sinewi_json_node {
    uint8_t kind;  // sinewi_json_kind
    bool plain;    // of a string: its bytes are its characters, all ASCII
    bool key;      // of an object's member
    bool last;     // no element or key follows in the same container
    int32_t start; // offset in the text; of a string, without its quote
    union {
        int32_t end;  // of a string, number or word: its end in the text; of a string, without its quote
        int32_t next; // of an array or object: the first node after its content
    };
} sinewi_json_node;

// A value is its index in `nodes`; the root is 0.
typedef int32_t sinewi_json_value;
#define SINEWI_JSON_ABSENT (-1)

typedef struct sinewi_json {
    const char *text;
    int32_t node_count;
    const sinewi_json_node *nodes;
    const int32_t *positions; // [node_count]: index of an element in its array; NULL until sinewi_json_index
    const int32_t *parents;   // [node_count]: of an element its array, of a member's value its key, of a key its
                              // object, -1 for the root; NULL until sinewi_json_index
} sinewi_json;

// A fault of a text and its offset in bytes.
typedef struct sinewi_json_problem {
    const char *what;
    size_t offset;
} sinewi_json_problem;

// Returns an upper bound of the number of nodes, keys included, that sinewi_json_scan makes of a text.
size_t sinewi_json_max_nodes(const char *text, size_t size);

// Checks the grammar of a whole text, shorter than INT_MAX, and makes its nodes. The root may be any kind of value.
bool sinewi_json_scan(const char *text, size_t size, sinewi_json_node *nodes, int32_t *node_count,
                      sinewi_json_problem *problem);

// Parses a text whose root is an array or an object. Takes the nodes from the arena; `text` must outlive them. Fails
// with SINEW_ERROR_FORMAT and fills `problem`, or with SINEW_ERROR_OUT_OF_MEMORY.
sinew_result sinewi_json_parse(sinewi_json *json, const char *text, size_t size, sinewi_arena *arena,
                               sinewi_json_problem *problem);

// Returns the member of that name, the first if there are several. ABSENT if there is none, it is null, or `object` is
// not an object.
sinewi_json_value sinewi_json_get(const sinewi_json *json, sinewi_json_value object, const char *key);

// Returns the kind of a value; NULL if it is absent.
static inline sinewi_json_kind sinewi_json_kind_of(const sinewi_json *json, sinewi_json_value value) {
    return value == SINEWI_JSON_ABSENT ? SINEWI_JSON_NULL : (sinewi_json_kind)json->nodes[value].kind;
}

// Returns the end of a node's text in the text; of an array or object, of its opening bracket.
static inline int32_t sinewi_json_text_end(const sinewi_json_node *node) {
    return node->kind >= SINEWI_JSON_ARRAY ? node->start + 1 : node->end;
}

// Returns the first node after a value and its content; after a key, its value and the value's content.
static inline sinewi_json_value sinewi_json_next(const sinewi_json *json, sinewi_json_value value) {
    if (json->nodes[value].key) value++;
    return json->nodes[value].kind >= SINEWI_JSON_ARRAY ? json->nodes[value].next : value + 1;
}

// Returns the key of a member's value; ABSENT for any other value.
static inline sinewi_json_value sinewi_json_key_of(const sinewi_json *json, sinewi_json_value value) {
    return value > 0 && json->nodes[value - 1].key ? value - 1 : SINEWI_JSON_ABSENT;
}

// Walk the elements of an array: for (e = first; e != ABSENT; e = following). ABSENT if the value is not an array.
sinewi_json_value sinewi_json_first(const sinewi_json *json, sinewi_json_value array);
sinewi_json_value sinewi_json_following(const sinewi_json *json, sinewi_json_value element);

// Returns the first key of an object, ABSENT if there is none. The next is sinewi_json_following; the value of a key is
// key + 1.
sinewi_json_value sinewi_json_first_key(const sinewi_json *json, sinewi_json_value object);

int32_t sinewi_json_count(const sinewi_json *json, sinewi_json_value array);

// Returns the value of a number; an infinity if it is too large for a double.
double sinewi_json_number(const sinewi_json *json, sinewi_json_value value);

// Whether a string with decoded escapes equals a text.
bool sinewi_json_equals(const sinewi_json *json, sinewi_json_value string, const char *text);

// Copies a string with decoded escapes to the arena, as valid, zero-terminated UTF-8. U+0000, an unpaired surrogate
// and invalid bytes become U+FFFD. Returns NULL if memory runs out.
char *sinewi_json_string(const sinewi_json *json, sinewi_json_value string, sinewi_arena *arena, size_t *length);

// Returns a string's bytes in the text if it has no escapes; else NULL.
const char *sinewi_json_raw_string(const sinewi_json *json, sinewi_json_value string, size_t *length);

// Finds positions and parents, with which sinewi_json_location is fast. Returns false if memory runs out.
bool sinewi_json_index(sinewi_json *json, sinewi_arena *arena);

// Writes the location of a value, such as animations[2].samplers[0].input. Slow without sinewi_json_index: it
// then counts the elements before the value. For error messages, which escape it (sinew_escape).
void sinewi_json_location(const sinewi_json *json, sinewi_json_value value, char *location, size_t size);

// Writes the start of a value's text as valid UTF-8. For error messages, which escape it (sinew_escape).
void sinewi_json_quote(const sinewi_json *json, sinewi_json_value value, char *quote, size_t size);

#endif
