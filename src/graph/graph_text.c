// SPDX-License-Identifier: MIT
// Checked reading of a graph's text.
//
// Everything that is read takes linear time, except that names are sorted: hostile texts are quick, too.
#include "graph/graph_text.h"

#include "core/nearest_name.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- The text ------------------------------------------------------------------------------------------------

static bool find_lines(sinew_graph_text *t, const char *text, size_t size) {
    size_t count = 1;
    for (size_t i = 0; i < size; i++) count += text[i] == '\n';
    size_t *lines = sinew_graph_scratch(t, size_t, count);
    if (!lines) return false;
    t->lines = lines;
    t->line_count = count;
    *lines++ = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') *lines++ = i + 1;
    return true;
}

bool sinew_graph_text_parse(sinew_graph_text *t, const char *text, size_t size, const sinew_allocator *allocator) {
    memset(t, 0, sizeof *t);
    sinew_arena_init(&t->scratch, allocator);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, size -= 3; // the byte order mark
    if (!find_lines(t, text, size)) return false;
    sinew_json_problem problem;
    sinew_result result = sinew_json_parse(&t->json, text, size, &t->scratch, &problem);
    if (result == SINEW_OK) return true;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinew_graph_fail_memory(t);
    return sinew_graph_fail_at(t, problem.offset, result, "%s", problem.what);
}

void sinew_graph_text_free(sinew_graph_text *t) {
    sinew_arena_free(&t->scratch);
}

void *sinew_graph_take(sinew_graph_text *t, size_t count, size_t size, size_t alignment) {
    void *memory = sinew_arena_take(&t->scratch, count, size, alignment);
    if (!memory) sinew_graph_fail_memory(t);
    return memory;
}

// ---- Positions and errors ------------------------------------------------------------------------------------

size_t sinew_graph_offset(const sinew_graph_text *t, sinew_json_value value) {
    const sinew_json_node *node = &t->json.nodes[value];
    return (size_t)node->start - (node->kind == SINEW_JSON_STRING);
}

// The index of the line that contains an offset.
static size_t find_line(const sinew_graph_text *t, size_t offset) {
    size_t low = 0, high = t->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->lines[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int32_t sinew_graph_line(const sinew_graph_text *t, sinew_json_value value) {
    return (int32_t)find_line(t, sinew_graph_offset(t, value)) + 1;
}

static bool fail_with(sinew_graph_text *t, size_t offset, sinew_result result, const char *format,
                      va_list arguments) {
    char what[sizeof t->error.message];
    (void)vsnprintf(what, sizeof what, format, arguments);
    size_t line = find_line(t, offset);
    sinew_fail(&t->error, result, "%zu:%zu: %s", line + 1, offset - t->lines[line] + 1, what);
    return false;
}

bool sinew_graph_fail_at(sinew_graph_text *t, size_t offset, sinew_result result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(t, offset, result, format, arguments);
    va_end(arguments);
    return false;
}

bool sinew_graph_fail(sinew_graph_text *t, sinew_json_value value, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(t, sinew_graph_offset(t, value), SINEW_ERROR_FORMAT, format, arguments);
    va_end(arguments);
    return false;
}

bool sinew_graph_fail_limit(sinew_graph_text *t, sinew_json_value value, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(t, sinew_graph_offset(t, value), SINEW_ERROR_LIMIT, format, arguments);
    va_end(arguments);
    return false;
}

bool sinew_graph_fail_memory(sinew_graph_text *t) {
    sinew_fail_memory(&t->error);
    return false;
}

bool sinew_graph_fail_type(sinew_graph_text *t, sinew_json_value value, const char *expected) {
    char quote[64];
    sinew_json_quote(&t->json, value, quote, sizeof quote);
    switch (sinew_json_kind_of(&t->json, value)) {
    case SINEW_JSON_ARRAY:
        return sinew_graph_fail(t, value, "expected %s, not an array", expected);
    case SINEW_JSON_OBJECT:
        return sinew_graph_fail(t, value, "expected %s, not an object", expected);
    case SINEW_JSON_STRING:
        return sinew_graph_fail(t, value, "expected %s, not \"%s\"", expected, quote);
    default:
        return sinew_graph_fail(t, value, "expected %s, not %s", expected, quote);
    }
}

// ---- Values --------------------------------------------------------------------------------------------------

bool sinew_graph_is(const sinew_graph_text *t, sinew_json_value value, sinew_json_kind kind) {
    return sinew_json_kind_of(&t->json, value) == kind;
}

const char *sinew_graph_copy_string(sinew_graph_text *t, sinew_json_value string) {
    const char *copy = sinew_json_string(&t->json, string, &t->scratch, NULL);
    if (!copy) sinew_graph_fail_memory(t);
    return copy;
}

bool sinew_graph_read_string(sinew_graph_text *t, sinew_json_value value, const char **out) {
    if (value == SINEW_JSON_ABSENT) return true;
    if (!sinew_graph_is(t, value, SINEW_JSON_STRING) || sinew_json_equals(&t->json, value, ""))
        return sinew_graph_fail_type(t, value, "a string that is not empty");
    *out = sinew_graph_copy_string(t, value);
    return *out != NULL;
}

bool sinew_graph_read_bool(sinew_graph_text *t, sinew_json_value value, bool *out) {
    if (value == SINEW_JSON_ABSENT) return true;
    bool is_true = sinew_graph_is(t, value, SINEW_JSON_TRUE);
    if (!is_true && !sinew_graph_is(t, value, SINEW_JSON_FALSE))
        return sinew_graph_fail_type(t, value, "true or false");
    *out = is_true;
    return true;
}

// Reads a number within a range that `expected` describes.
static bool read_number(sinew_graph_text *t, sinew_json_value value, double min, double max, const char *expected,
                        double *out) {
    bool is_number = sinew_graph_is(t, value, SINEW_JSON_NUMBER);
    double number = is_number ? sinew_json_number(&t->json, value) : 0.0;
    if (!is_number || !(number >= min && number <= max)) return sinew_graph_fail_type(t, value, expected);
    *out = number;
    return true;
}

static bool read_float(sinew_graph_text *t, sinew_json_value value, double min, double max, const char *expected,
                       float *out) {
    double number = 0.0;
    if (value == SINEW_JSON_ABSENT) return true;
    if (!read_number(t, value, min, max, expected, &number)) return false;
    *out = (float)number;
    return true;
}

bool sinew_graph_read_float(sinew_graph_text *t, sinew_json_value value, float *out) {
    return read_float(t, value, -(double)FLT_MAX, (double)FLT_MAX, "a number", out);
}

bool sinew_graph_read_seconds(sinew_graph_text *t, sinew_json_value value, float *out) {
    return read_float(t, value, 0.0, (double)FLT_MAX, "seconds, 0 or more", out);
}

bool sinew_graph_read_unit(sinew_graph_text *t, sinew_json_value value, float *out) {
    return read_float(t, value, 0.0, 1.0, "a number from 0 to 1", out);
}

bool sinew_graph_read_weight(sinew_graph_text *t, sinew_json_value value, float *out) {
    return read_float(t, value, 0.0, (double)SINEW_MAX_WEIGHT, "a weight, 0 or more", out);
}

// 1.0 and 1e2 are integers, too.
bool sinew_graph_read_integer(sinew_graph_text *t, sinew_json_value value, int32_t min, int32_t *out) {
    char expected[64];
    double number = 0.0;
    if (value == SINEW_JSON_ABSENT) return true;
    (void)snprintf(expected, sizeof expected, "an integer from %d to %d", (int)min, (int)INT32_MAX);
    if (!read_number(t, value, (double)min, (double)INT32_MAX, expected, &number)) return false;
    if (number != floor(number)) return sinew_graph_fail_type(t, value, expected);
    *out = (int32_t)number;
    return true;
}

// Writes the words of a list as `"a", "b" or "c"`.
static void list_words(const char *const *words, char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; words[i] && used < size; i++) {
        const char *separator = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", separator, words[i]);
    }
}

// Returns the index of a string in a list of words; -1 if it is none of them.
static int find_word(const sinew_graph_text *t, sinew_json_value string, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (sinew_json_equals(&t->json, string, words[i])) return i;
    return -1;
}

bool sinew_graph_read_word(sinew_graph_text *t, sinew_json_value value, const char *const *words, int *out) {
    if (value == SINEW_JSON_ABSENT) return true;
    int found = sinew_graph_is(t, value, SINEW_JSON_STRING) ? find_word(t, value, words) : -1;
    if (found < 0) {
        char expected[128];
        list_words(words, expected, sizeof expected);
        return sinew_graph_fail_type(t, value, expected);
    }
    *out = found;
    return true;
}

// ---- Arrays --------------------------------------------------------------------------------------------------

bool sinew_graph_check_array(sinew_graph_text *t, sinew_json_value value, const char *expected, int32_t *count) {
    *count = sinew_json_count(&t->json, value);
    return *count > 0 || sinew_graph_fail_type(t, value, expected);
}

bool sinew_graph_read_strings(sinew_graph_text *t, sinew_json_value value, int32_t *count,
                              const char *const **out) {
    *count = 0;
    if (value == SINEW_JSON_ABSENT) return true;
    if (!sinew_graph_is(t, value, SINEW_JSON_ARRAY)) return sinew_graph_fail_type(t, value, "an array of strings");
    const char **strings = sinew_graph_scratch(t, const char *, (size_t)sinew_json_count(&t->json, value));
    if (!strings) return false;
    *out = strings;
    for (sinew_json_value e = sinew_json_first(&t->json, value); e != SINEW_JSON_ABSENT;
         e = sinew_json_following(&t->json, e))
        if (!sinew_graph_read_string(t, e, &strings[(*count)++])) return false;
    return true;
}

// ---- Objects -------------------------------------------------------------------------------------------------

bool sinew_graph_fail_duplicate(sinew_graph_text *t, sinew_json_value key, sinew_json_value first) {
    char quote[64];
    sinew_json_quote(&t->json, key, quote, sizeof quote);
    return sinew_graph_fail(t, key, "duplicate key \"%s\": the first is on line %d", quote,
                            (int)sinew_graph_line(t, first));
}

static bool fail_unknown_key(sinew_graph_text *t, sinew_json_value key, const sinew_graph_keys *keys) {
    char quote[64], list[SINEW_GRAPH_MAX_KEYS * 20];
    sinew_json_quote(&t->json, key, quote, sizeof quote);
    sinew_nearest nearest = sinew_nearest_begin(quote, strlen(quote));
    for (int i = 0; keys->names[i]; i++) sinew_nearest_try(&nearest, keys->names[i]);
    if (nearest.name[0] != '\0')
        return sinew_graph_fail(t, key, "unknown key \"%s\" of %s; did you mean \"%s\"?", quote, keys->owner,
                                nearest.name);
    list_words(keys->names, list, sizeof list);
    return sinew_graph_fail(t, key, "unknown key \"%s\" of %s; expected %s", quote, keys->owner, list);
}

bool sinew_graph_read_members(sinew_graph_text *t, sinew_json_value value, const sinew_graph_keys *keys,
                              sinew_graph_members *members) {
    if (!sinew_graph_is(t, value, SINEW_JSON_OBJECT)) return sinew_graph_fail_type(t, value, keys->owner);
    members->object = value;
    members->keys = keys;
    sinew_json_value comment = SINEW_JSON_ABSENT;
    for (int i = 0; i < SINEW_GRAPH_MAX_KEYS; i++) members->values[i] = SINEW_JSON_ABSENT;
    for (sinew_json_value key = sinew_json_first_key(&t->json, value); key != SINEW_JSON_ABSENT;
         key = sinew_json_following(&t->json, key)) {
        bool is_comment = sinew_json_equals(&t->json, key, SINEW_GRAPH_COMMENT);
        int index = is_comment ? 0 : find_word(t, key, keys->names);
        if (index < 0) return fail_unknown_key(t, key, keys);
        sinew_json_value *member = is_comment ? &comment : &members->values[index];
        if (*member != SINEW_JSON_ABSENT) return sinew_graph_fail_duplicate(t, key, *member - 1);
        *member = key + 1;
    }
    return true;
}

bool sinew_graph_require(sinew_graph_text *t, const sinew_graph_members *members, int key) {
    return members->values[key] != SINEW_JSON_ABSENT ||
           sinew_graph_fail(t, members->object, "%s needs \"%s\"", members->keys->owner, members->keys->names[key]);
}

bool sinew_graph_allow(sinew_graph_text *t, const sinew_graph_members *members, int key, bool allowed,
                       const char *where) {
    sinew_json_value value = members->values[key];
    return allowed || value == SINEW_JSON_ABSENT ||
           sinew_graph_fail(t, sinew_json_key_of(&t->json, value), "\"%s\" is only for %s",
                            members->keys->names[key], where);
}
