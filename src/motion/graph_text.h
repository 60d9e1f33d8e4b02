// SPDX-License-Identifier: MIT
// Checked reading of a graph's text: values by type and range, objects by their keys. Each error has a line and a
// column.
//
// Functions return false once the error is set. A read function leaves `*out` unchanged if its value is ABSENT, which
// is no error: what is read then has its default.
#ifndef SINEWI_GRAPH_TEXT_H
#define SINEWI_GRAPH_TEXT_H

#include <sinew/motion/graph.h>

#include "base/fail.h"
#include "json/json.h"

// The key that is allowed in every object, and ignored.
#define SINEWI_GRAPH_COMMENT "//"

typedef struct sinewi_graph_text {
    sinewi_json json;
    sinewi_arena scratch; // of everything that is read; freed once the graph has been made
    const size_t *lines;  // [line_count]: where each line starts in the text
    size_t line_count;
    sinew_error error; // "line:column: what", or "out of memory"
} sinewi_graph_text;

// Parses a text, which must outlive `t`. Free it with sinewi_graph_text_free, also after a failure.
bool sinewi_graph_text_parse(sinewi_graph_text *t, const char *text, size_t size, const sinew_allocator *allocator);
void sinewi_graph_text_free(sinewi_graph_text *t);

// Typed scratch memory; NULL, with the error set, if memory runs out.
#define sinewi_graph_scratch(t, type, count) ((type *)sinewi_graph_take(t, count, sizeof(type), alignof(type)))
void *sinewi_graph_take(sinewi_graph_text *t, size_t count, size_t size, size_t alignment);

// ---- Positions and errors ------------------------------------------------------------------------------------

// Returns the offset of a value in the text; of a string, that of its quote.
size_t sinewi_graph_offset(const sinewi_graph_text *t, sinewi_json_value value);

// Returns the line of a value, from 1.
int32_t sinewi_graph_line(const sinewi_graph_text *t, sinewi_json_value value);

// Fail at an offset of the text, or at a value, which is not ABSENT.
bool sinewi_graph_fail_at(sinewi_graph_text *t, size_t offset, sinew_result result, const char *format, ...)
    SINEWI_PRINTF(4, 5);
bool sinewi_graph_fail(sinewi_graph_text *t, sinewi_json_value value, const char *format, ...) SINEWI_PRINTF(3, 4);
bool sinewi_graph_fail_limit(sinewi_graph_text *t, sinewi_json_value value, const char *format, ...)
    SINEWI_PRINTF(3, 4);
bool sinewi_graph_fail_memory(sinewi_graph_text *t);

// Fails with what was expected instead of a value.
bool sinewi_graph_fail_type(sinewi_graph_text *t, sinewi_json_value value, const char *expected);

// Fails because two keys of an object are equal.
bool sinewi_graph_fail_duplicate(sinewi_graph_text *t, sinewi_json_value key, sinewi_json_value first);

// ---- Values --------------------------------------------------------------------------------------------------

bool sinewi_graph_is(const sinewi_graph_text *t, sinewi_json_value value, sinewi_json_kind kind);

// Copies a string to scratch memory. NULL, with the error set, if memory runs out.
const char *sinewi_graph_copy_string(sinewi_graph_text *t, sinewi_json_value string);

// Reads a string that is not "".
bool sinewi_graph_read_string(sinewi_graph_text *t, sinewi_json_value value, const char **out);

bool sinewi_graph_read_bool(sinewi_graph_text *t, sinewi_json_value value, bool *out);
bool sinewi_graph_read_float(sinewi_graph_text *t, sinewi_json_value value, float *out);
bool sinewi_graph_read_seconds(sinewi_graph_text *t, sinewi_json_value value, float *out); // 0 or more
bool sinewi_graph_read_unit(sinewi_graph_text *t, sinewi_json_value value, float *out);    // 0 to 1
bool sinewi_graph_read_weight(sinewi_graph_text *t, sinewi_json_value value, float *out);
bool sinewi_graph_read_integer(sinewi_graph_text *t, sinewi_json_value value, int32_t min, int32_t *out);

// Reads one of `words`, which end with NULL, as its index.
bool sinewi_graph_read_word(sinewi_graph_text *t, sinewi_json_value value, const char *const *words, int *out);

// Reads an array of strings, none of them "".
bool sinewi_graph_read_strings(sinewi_graph_text *t, sinewi_json_value value, int32_t *count,
                               const char *const **strings);

// Fails unless a value is an array with elements, whose number it gives.
bool sinewi_graph_check_array(sinewi_graph_text *t, sinewi_json_value value, const char *expected, int32_t *count);

// ---- Objects -------------------------------------------------------------------------------------------------

#define SINEWI_GRAPH_MAX_KEYS 16

// The keys that an object may have.
typedef struct sinewi_graph_keys {
    const char *owner;                            // the object, such as "a state", for messages
    const char *names[SINEWI_GRAPH_MAX_KEYS + 1]; // end with NULL
} sinewi_graph_keys;

// The members of an object.
typedef struct sinewi_graph_members {
    const sinewi_graph_keys *keys;
    sinewi_json_value object;
    sinewi_json_value
        values[SINEWI_GRAPH_MAX_KEYS]; // by the index of the key; ABSENT if the object does not have it
} sinewi_graph_members;

// Finds the members of a value, which must be an object without other keys and without equal ones.
bool sinewi_graph_read_members(sinewi_graph_text *t, sinewi_json_value value, const sinewi_graph_keys *keys,
                               sinewi_graph_members *members);

// Fails if a member is missing.
bool sinewi_graph_require(sinewi_graph_text *t, const sinewi_graph_members *members, int key);

// Fails if a member exists but is not allowed: it is only for `owner`, such as "a trigger".
bool sinewi_graph_allow(sinewi_graph_text *t, const sinewi_graph_members *members, int key, bool allowed,
                        const char *owner);

// ---- graph_names.c: parameters and states by name ------------------------------------------------------------

typedef struct sinewi_graph_name {
    const char *name;
    sinewi_json_value key;
    int32_t position; // in the object
} sinewi_graph_name;

// The names that are the keys of an object.
typedef struct sinewi_graph_names {
    const char *noun; // what has the names, such as "parameter", for messages
    int32_t count;
    const sinewi_graph_name *in_order; // [count]
    const sinewi_graph_name *sorted;   // [count], by name
} sinewi_graph_names;

// Reads the names of an object, no two of which are equal; none if it is ABSENT.
bool sinewi_graph_read_names(sinewi_graph_text *t, sinewi_json_value object, const char *noun,
                             sinewi_graph_names *names);

// Finds the position of the name that is a string of the text. The error names the nearest one.
bool sinewi_graph_find_name(sinewi_graph_text *t, const sinewi_graph_names *names, sinewi_json_value string,
                            int32_t *position);

#endif
