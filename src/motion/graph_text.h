// SPDX-License-Identifier: MIT
// Checked reading of a graph's text: values by type and range, objects by their keys. Each error has a
// line and a column.
//
// Functions return false once the error is set. An ABSENT value isn't an error: read functions leave `*out` unchanged,
// so it keeps its default.
#ifndef SINEWI_GRAPH_TEXT_H
#define SINEWI_GRAPH_TEXT_H

#include <sinew/motion/graph.h>

#include "base/fail.h"
#include "json/json.h"

// This key is allowed in every object, and ignored.
#define SINEWI_GRAPH_COMMENT "//"

typedef struct sinewi_graph_text {
    sinewi_json json;
    sinewi_arena scratch; // for everything that is read; freed once the graph exists
    const size_t *lines;  // [line_count], where each line starts in the text
    size_t line_count;
    sinew_error error; // "line:column: what", or "out of memory"
} sinewi_graph_text;

// Parses a text, which must outlive `t`. Call sinewi_graph_text_free afterwards, even after a failure.
bool sinewi_graph_text_parse(sinewi_graph_text *t, const char *text, size_t size, const sinew_allocator *allocator);
void sinewi_graph_text_free(sinewi_graph_text *t);

// Typed scratch memory. If memory runs out, returns NULL and sets the error.
#define sinewi_graph_scratch(t, type, count) ((type *)sinewi_graph_take(t, count, sizeof(type), alignof(type)))
void *sinewi_graph_take(sinewi_graph_text *t, size_t count, size_t size, size_t alignment);

// ---- Positions and errors ------------------------------------------------------------------------------------

// Returns a value's offset in the text. For a string, that's the offset of its quote.
size_t sinewi_graph_offset(const sinewi_graph_text *t, sinewi_json_value value);

// Returns a value's line, from 1.
int32_t sinewi_graph_line(const sinewi_graph_text *t, sinewi_json_value value);
int32_t sinewi_graph_column(const sinewi_graph_text *t, sinewi_json_value value);

// Fail at an offset in the text, or at a value, which must not be ABSENT.
bool sinewi_graph_fail_at(sinewi_graph_text *t, size_t offset, sinew_result result, const char *format, ...)
    SINEWI_PRINTF(4, 5);
bool sinewi_graph_fail(sinewi_graph_text *t, sinewi_json_value value, const char *format, ...) SINEWI_PRINTF(3, 4);
bool sinewi_graph_fail_limit(sinewi_graph_text *t, sinewi_json_value value, const char *format, ...)
    SINEWI_PRINTF(3, 4);
bool sinewi_graph_fail_memory(sinewi_graph_text *t);

// Fails with what was expected in place of a value.
bool sinewi_graph_fail_type(sinewi_graph_text *t, sinewi_json_value value, const char *expected);

// Fails because two keys of an object are equal.
bool sinewi_graph_fail_duplicate(sinewi_graph_text *t, sinewi_json_value key, sinewi_json_value first);

// ---- Values --------------------------------------------------------------------------------------------------

bool sinewi_graph_is(const sinewi_graph_text *t, sinewi_json_value value, sinewi_json_kind kind);

// Copies a string to scratch memory. If memory runs out, returns NULL and sets the error.
const char *sinewi_graph_copy_string(sinewi_graph_text *t, sinewi_json_value string);

// Reads a string that isn't "".
bool sinewi_graph_read_string(sinewi_graph_text *t, sinewi_json_value value, const char **out);

bool sinewi_graph_read_bool(sinewi_graph_text *t, sinewi_json_value value, bool *out);
bool sinewi_graph_read_float(sinewi_graph_text *t, sinewi_json_value value, float *out);
bool sinewi_graph_read_seconds(sinewi_graph_text *t, sinewi_json_value value, float *out); // 0 or more
bool sinewi_graph_read_unit(sinewi_graph_text *t, sinewi_json_value value, float *out);    // 0 to 1
bool sinewi_graph_read_weight(sinewi_graph_text *t, sinewi_json_value value, float *out);
bool sinewi_graph_read_integer(sinewi_graph_text *t, sinewi_json_value value, int32_t min, int32_t *out);

// Reads one of `words` as its index. `words` ends with NULL.
bool sinewi_graph_read_word(sinewi_graph_text *t, sinewi_json_value value, const char *const *words, int *out);

// Reads an array of strings that aren't "".
bool sinewi_graph_read_strings(sinewi_graph_text *t, sinewi_json_value value, int32_t *count,
                               const char *const **strings);

// Fails unless a value is an array with elements. Sets `*count`.
bool sinewi_graph_check_array(sinewi_graph_text *t, sinewi_json_value value, const char *expected, int32_t *count);

// ---- Objects -------------------------------------------------------------------------------------------------

#define SINEWI_GRAPH_MAX_KEYS 20

// The keys that an object may have.
typedef struct sinewi_graph_keys {
    const char *owner;                            // the object, such as "a state", for messages
    const char *names[SINEWI_GRAPH_MAX_KEYS + 1]; // ends with NULL
} sinewi_graph_keys;

// An object's members.
typedef struct sinewi_graph_members {
    const sinewi_graph_keys *keys;
    sinewi_json_value object;
    sinewi_json_value values[SINEWI_GRAPH_MAX_KEYS]; // by key index; ABSENT if the object doesn't have the key
} sinewi_graph_members;

// Finds the members of a value, which must be an object with only these keys, each at most once.
bool sinewi_graph_read_members(sinewi_graph_text *t, sinewi_json_value value, const sinewi_graph_keys *keys,
                               sinewi_graph_members *members);

// Fails if a member is missing.
bool sinewi_graph_require(sinewi_graph_text *t, const sinewi_graph_members *members, int key);

// Fails if a member exists but isn't allowed, because only `owner` may have it, such as "a trigger".
bool sinewi_graph_allow(sinewi_graph_text *t, const sinewi_graph_members *members, int key, bool allowed,
                        const char *owner);

// ---- graph_names.c: parameters and states by name ------------------------------------------------------------

typedef struct sinewi_graph_name {
    const char *name;
    sinewi_json_value key;
    int32_t position; // in the object
} sinewi_graph_name;

// The names that are an object's keys.
typedef struct sinewi_graph_names {
    const char *noun; // what has the names, such as "parameter", for messages
    int32_t count;
    const sinewi_graph_name *in_order; // [count]
    const sinewi_graph_name *sorted;   // [count], by name
} sinewi_graph_names;

// Reads an object's names, which must be unique. ABSENT has no names.
bool sinewi_graph_read_names(sinewi_graph_text *t, sinewi_json_value object, const char *noun,
                             sinewi_graph_names *names);

// Finds the position of the name that a string in the text gives. The error suggests the nearest name.
bool sinewi_graph_find_name(sinewi_graph_text *t, const sinewi_graph_names *names, sinewi_json_value string,
                            int32_t *position);

#endif
