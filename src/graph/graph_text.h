// SPDX-License-Identifier: MIT
// Checked reading of a graph's text: values by type and range, objects by their keys. Each error has a line and a
// column.
//
// Functions return false once the error is set. A read function leaves `*out` unchanged if its value is ABSENT, which
// is no error: what is read then has its default.
#ifndef SINEW_GRAPH_TEXT_H
#define SINEW_GRAPH_TEXT_H

#include <sinew/graph.h>

#include "core/fail.h"
#include "json/json.h"

// The key that is allowed in every object, and ignored.
#define SINEW_GRAPH_COMMENT "//"

typedef struct sinew_graph_text {
    sinew_json json;
    sinew_arena scratch; // of everything that is read; freed once the graph has been made
    const size_t *lines; // [line_count]: where each line starts in the text
    size_t line_count;
    sinew_error error; // "line:column: what", or "out of memory"
} sinew_graph_text;

// Parses a text, which must outlive `t`. Free it with sinew_graph_text_free, also after a failure.
bool sinew_graph_text_parse(sinew_graph_text *t, const char *text, size_t size, const sinew_allocator *allocator);
void sinew_graph_text_free(sinew_graph_text *t);

// Typed scratch memory; NULL, with the error set, if memory runs out.
#define sinew_graph_scratch(t, type, count) ((type *)sinew_graph_take(t, count, sizeof(type), alignof(type)))
void *sinew_graph_take(sinew_graph_text *t, size_t count, size_t size, size_t alignment);

// ---- Positions and errors ------------------------------------------------------------------------------------

// Returns the offset of a value in the text; of a string, that of its quote.
size_t sinew_graph_offset(const sinew_graph_text *t, sinew_json_value value);

// Returns the line of a value, from 1.
int32_t sinew_graph_line(const sinew_graph_text *t, sinew_json_value value);

// Fail at an offset of the text, or at a value, which is not ABSENT.
bool sinew_graph_fail_at(sinew_graph_text *t, size_t offset, sinew_result result, const char *format, ...)
    SINEW_PRINTF(4, 5);
bool sinew_graph_fail(sinew_graph_text *t, sinew_json_value value, const char *format, ...) SINEW_PRINTF(3, 4);
bool sinew_graph_fail_limit(sinew_graph_text *t, sinew_json_value value, const char *format, ...)
    SINEW_PRINTF(3, 4);
bool sinew_graph_fail_memory(sinew_graph_text *t);

// Fails with what was expected instead of a value.
bool sinew_graph_fail_type(sinew_graph_text *t, sinew_json_value value, const char *expected);

// Fails because two keys of an object are equal.
bool sinew_graph_fail_duplicate(sinew_graph_text *t, sinew_json_value key, sinew_json_value first);

// ---- Values --------------------------------------------------------------------------------------------------

bool sinew_graph_is(const sinew_graph_text *t, sinew_json_value value, sinew_json_kind kind);

// Copies a string to scratch memory. NULL, with the error set, if memory runs out.
const char *sinew_graph_copy_string(sinew_graph_text *t, sinew_json_value string);

// Reads a string that is not "".
bool sinew_graph_read_string(sinew_graph_text *t, sinew_json_value value, const char **out);

bool sinew_graph_read_bool(sinew_graph_text *t, sinew_json_value value, bool *out);
bool sinew_graph_read_float(sinew_graph_text *t, sinew_json_value value, float *out);
bool sinew_graph_read_seconds(sinew_graph_text *t, sinew_json_value value, float *out); // 0 or more
bool sinew_graph_read_unit(sinew_graph_text *t, sinew_json_value value, float *out);    // 0 to 1
bool sinew_graph_read_weight(sinew_graph_text *t, sinew_json_value value, float *out);
bool sinew_graph_read_integer(sinew_graph_text *t, sinew_json_value value, int32_t min, int32_t *out);

// Reads one of `words`, which end with NULL, as its index.
bool sinew_graph_read_word(sinew_graph_text *t, sinew_json_value value, const char *const *words, int *out);

// Reads an array of strings, none of them "".
bool sinew_graph_read_strings(sinew_graph_text *t, sinew_json_value value, int32_t *count,
                              const char *const **strings);

// Fails unless a value is an array with elements, whose number it gives.
bool sinew_graph_check_array(sinew_graph_text *t, sinew_json_value value, const char *expected, int32_t *count);

// ---- Objects -------------------------------------------------------------------------------------------------

#define SINEW_GRAPH_MAX_KEYS 16

// The keys that an object may have.
typedef struct sinew_graph_keys {
    const char *owner;                           // the object, such as "a state", for messages
    const char *names[SINEW_GRAPH_MAX_KEYS + 1]; // end with NULL
} sinew_graph_keys;

// The members of an object.
typedef struct sinew_graph_members {
    const sinew_graph_keys *keys;
    sinew_json_value object;
    sinew_json_value values[SINEW_GRAPH_MAX_KEYS]; // by the index of the key; ABSENT if the object does not have it
} sinew_graph_members;

// Finds the members of a value, which must be an object without other keys and without equal ones.
bool sinew_graph_read_members(sinew_graph_text *t, sinew_json_value value, const sinew_graph_keys *keys,
                              sinew_graph_members *members);

// Fails if a member is missing.
bool sinew_graph_require(sinew_graph_text *t, const sinew_graph_members *members, int key);

// Fails if a member exists but is not allowed: it is only for `owner`, such as "a trigger".
bool sinew_graph_allow(sinew_graph_text *t, const sinew_graph_members *members, int key, bool allowed,
                       const char *owner);

// ---- graph_names.c: parameters and states by name ------------------------------------------------------------

typedef struct sinew_graph_name {
    const char *name;
    sinew_json_value key;
    int32_t position; // in the object
} sinew_graph_name;

// The names that are the keys of an object.
typedef struct sinew_graph_names {
    const char *noun; // what has the names, such as "parameter", for messages
    int32_t count;
    const sinew_graph_name *in_order; // [count]
    const sinew_graph_name *sorted;   // [count], by name
} sinew_graph_names;

// Reads the names of an object, no two of which are equal; none if it is ABSENT.
bool sinew_graph_read_names(sinew_graph_text *t, sinew_json_value object, const char *noun,
                            sinew_graph_names *names);

// Finds the position of the name that is a string of the text. The error names the nearest one.
bool sinew_graph_find_name(sinew_graph_text *t, const sinew_graph_names *names, sinew_json_value string,
                           int32_t *position);

#endif
