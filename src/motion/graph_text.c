// SPDX-License-Identifier: MIT
// Checked reading of a graph's text.
//
// Reading takes linear time, except for sorting names. So even hostile texts are quick.
#include "motion/graph_text.h"

#include "base/nearest_name.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- The text ------------------------------------------------------------------------------------------------

static bool find_lines(sinewi_graph_text *t, const char *text, size_t size) {
    size_t count = 1;
    for (size_t i = 0; i < size; i++) count += text[i] == '\n';
    size_t *lines = sinewi_graph_scratch(t, size_t, count);
    if (!lines) return false;
    t->lines = lines;
    t->line_count = count;
    *lines++ = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') *lines++ = i + 1;
    return true;
}

bool sinewi_graph_text_parse(sinewi_graph_text *t, const char *text, size_t size,
                             const sinew_allocator *allocator) {
    memset(t, 0, sizeof *t);
    sinewi_arena_init(&t->scratch, allocator);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, size -= 3; // byte order mark
    if (!find_lines(t, text, size)) return false;
    sinewi_json_problem problem;
    sinew_result result = sinewi_json_parse(&t->json, text, size, &t->scratch, &problem);
    if (result == SINEW_OK) return true;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_graph_fail_memory(t);
    return sinewi_graph_fail_at(t, problem.offset, result, "%s", problem.what);
}

void sinewi_graph_text_free(sinewi_graph_text *t) {
    sinewi_arena_free(&t->scratch);
}

void *sinewi_graph_take(sinewi_graph_text *t, size_t count, size_t size, size_t alignment) {
    void *memory = sinewi_arena_take(&t->scratch, count, size, alignment);
    if (!memory) sinewi_graph_fail_memory(t);
    return memory;
}

// ---- Positions and errors ------------------------------------------------------------------------------------

size_t sinewi_graph_offset(const sinewi_graph_text *t, sinewi_json_value value) {
    const sinewi_json_node *node = &t->json.nodes[value];
    return (size_t)node->start - (node->kind == SINEWI_JSON_STRING);
}

// The index of the line that contains an offset.
static size_t find_line(const sinewi_graph_text *t, size_t offset) {
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

int32_t sinewi_graph_line(const sinewi_graph_text *t, sinewi_json_value value) {
    return (int32_t)find_line(t, sinewi_graph_offset(t, value)) + 1;
}

int32_t sinewi_graph_column(const sinewi_graph_text *t, sinewi_json_value value) {
    const size_t offset = sinewi_graph_offset(t, value);
    return (int32_t)(offset - t->lines[find_line(t, offset)]) + 1;
}

static bool fail_with(sinewi_graph_text *t, size_t offset, sinew_result result, const char *format,
                      va_list arguments) {
    char what[sizeof t->error.message];
    (void)vsnprintf(what, sizeof what, format, arguments);
    size_t line = find_line(t, offset);
    sinewi_fail(&t->error, result, "%zu:%zu: %s", line + 1, offset - t->lines[line] + 1, what);
    return false;
}

bool sinewi_graph_fail_at(sinewi_graph_text *t, size_t offset, sinew_result result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(t, offset, result, format, arguments);
    va_end(arguments);
    return false;
}

bool sinewi_graph_fail(sinewi_graph_text *t, sinewi_json_value value, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(t, sinewi_graph_offset(t, value), SINEW_ERROR_FORMAT, format, arguments);
    va_end(arguments);
    return false;
}

bool sinewi_graph_fail_limit(sinewi_graph_text *t, sinewi_json_value value, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_with(t, sinewi_graph_offset(t, value), SINEW_ERROR_LIMIT, format, arguments);
    va_end(arguments);
    return false;
}

bool sinewi_graph_fail_memory(sinewi_graph_text *t) {
    sinewi_fail_memory(&t->error);
    return false;
}

bool sinewi_graph_fail_type(sinewi_graph_text *t, sinewi_json_value value, const char *expected) {
    char quote[64];
    sinewi_json_quote(&t->json, value, quote, sizeof quote);
    switch (sinewi_json_kind_of(&t->json, value)) {
    case SINEWI_JSON_ARRAY:
        return sinewi_graph_fail(t, value, "expected %s, not an%s array", expected,
                                 sinewi_json_count(&t->json, value) == 0 ? " empty" : "");
    case SINEWI_JSON_OBJECT:
        return sinewi_graph_fail(t, value, "expected %s, not an object", expected);
    case SINEWI_JSON_STRING:
        return sinewi_graph_fail(t, value, "expected %s, not \"%s\"", expected, quote);
    default:
        return sinewi_graph_fail(t, value, "expected %s, not %s", expected, quote);
    }
}

// ---- Values --------------------------------------------------------------------------------------------------

bool sinewi_graph_is(const sinewi_graph_text *t, sinewi_json_value value, sinewi_json_kind kind) {
    return sinewi_json_kind_of(&t->json, value) == kind;
}

const char *sinewi_graph_copy_string(sinewi_graph_text *t, sinewi_json_value string) {
    const char *copy = sinewi_json_string(&t->json, string, &t->scratch, NULL);
    if (!copy) sinewi_graph_fail_memory(t);
    return copy;
}

bool sinewi_graph_read_string(sinewi_graph_text *t, sinewi_json_value value, const char **out) {
    if (value == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_is(t, value, SINEWI_JSON_STRING) || sinewi_json_equals(&t->json, value, ""))
        return sinewi_graph_fail_type(t, value, "a string that is not empty");
    *out = sinewi_graph_copy_string(t, value);
    return *out != NULL;
}

bool sinewi_graph_read_bool(sinewi_graph_text *t, sinewi_json_value value, bool *out) {
    if (value == SINEWI_JSON_ABSENT) return true;
    bool is_true = sinewi_graph_is(t, value, SINEWI_JSON_TRUE);
    if (!is_true && !sinewi_graph_is(t, value, SINEWI_JSON_FALSE))
        return sinewi_graph_fail_type(t, value, "true or false");
    *out = is_true;
    return true;
}

// Reads a number within a range that `expected` describes.
static bool read_number(sinewi_graph_text *t, sinewi_json_value value, double min, double max, const char *expected,
                        double *out) {
    bool is_number = sinewi_graph_is(t, value, SINEWI_JSON_NUMBER);
    double number = is_number ? sinewi_json_number(&t->json, value) : 0.0;
    if (!is_number || !(number >= min && number <= max)) return sinewi_graph_fail_type(t, value, expected);
    *out = number;
    return true;
}

static bool read_float(sinewi_graph_text *t, sinewi_json_value value, double min, double max, const char *expected,
                       float *out) {
    double number = 0.0;
    if (value == SINEWI_JSON_ABSENT) return true;
    if (!read_number(t, value, min, max, expected, &number)) return false;
    *out = (float)number;
    return true;
}

bool sinewi_graph_read_float(sinewi_graph_text *t, sinewi_json_value value, float *out) {
    return read_float(t, value, -(double)FLT_MAX, (double)FLT_MAX, "a number", out);
}

bool sinewi_graph_read_seconds(sinewi_graph_text *t, sinewi_json_value value, float *out) {
    return read_float(t, value, 0.0, (double)FLT_MAX, "seconds, 0 or more", out);
}

bool sinewi_graph_read_unit(sinewi_graph_text *t, sinewi_json_value value, float *out) {
    return read_float(t, value, 0.0, 1.0, "a number from 0 to 1", out);
}

bool sinewi_graph_read_weight(sinewi_graph_text *t, sinewi_json_value value, float *out) {
    return read_float(t, value, 0.0, (double)SINEW_MAX_WEIGHT, "a weight, 0 or more", out);
}

// 1.0 and 1e2 also count as integers.
bool sinewi_graph_read_integer(sinewi_graph_text *t, sinewi_json_value value, int32_t min, int32_t *out) {
    char expected[64];
    double number = 0.0;
    if (value == SINEWI_JSON_ABSENT) return true;
    (void)snprintf(expected, sizeof expected, "an integer from %d to %d", (int)min, (int)INT32_MAX);
    if (!read_number(t, value, (double)min, (double)INT32_MAX, expected, &number)) return false;
    if (number != floor(number)) return sinewi_graph_fail_type(t, value, expected);
    *out = (int32_t)number;
    return true;
}

// Writes a list of words as `"a", "b" or "c"`.
static void list_words(const char *const *words, char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; words[i] && used < size; i++) {
        const char *separator = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", separator, words[i]);
    }
}

// Returns the index of a string in a list of words, or -1.
static int find_word(const sinewi_graph_text *t, sinewi_json_value string, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (sinewi_json_equals(&t->json, string, words[i])) return i;
    return -1;
}

bool sinewi_graph_read_word(sinewi_graph_text *t, sinewi_json_value value, const char *const *words, int *out) {
    if (value == SINEWI_JSON_ABSENT) return true;
    int found = sinewi_graph_is(t, value, SINEWI_JSON_STRING) ? find_word(t, value, words) : -1;
    if (found < 0) {
        char expected[128];
        list_words(words, expected, sizeof expected);
        return sinewi_graph_fail_type(t, value, expected);
    }
    *out = found;
    return true;
}

// ---- Arrays --------------------------------------------------------------------------------------------------

bool sinewi_graph_check_array(sinewi_graph_text *t, sinewi_json_value value, const char *expected, int32_t *count) {
    *count = sinewi_json_count(&t->json, value);
    return *count > 0 || sinewi_graph_fail_type(t, value, expected);
}

bool sinewi_graph_read_strings(sinewi_graph_text *t, sinewi_json_value value, int32_t *count,
                               const char *const **out) {
    *count = 0;
    if (value == SINEWI_JSON_ABSENT) return true;
    if (!sinewi_graph_is(t, value, SINEWI_JSON_ARRAY))
        return sinewi_graph_fail_type(t, value, "an array of strings");
    const char **strings = sinewi_graph_scratch(t, const char *, (size_t)sinewi_json_count(&t->json, value));
    if (!strings) return false;
    *out = strings;
    for (sinewi_json_value e = sinewi_json_first(&t->json, value); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(&t->json, e))
        if (!sinewi_graph_read_string(t, e, &strings[(*count)++])) return false;
    return true;
}

// ---- Objects -------------------------------------------------------------------------------------------------

bool sinewi_graph_fail_duplicate(sinewi_graph_text *t, sinewi_json_value key, sinewi_json_value first) {
    char quote[64];
    sinewi_json_quote(&t->json, key, quote, sizeof quote);
    return sinewi_graph_fail(t, key, "duplicate key \"%s\": the first is on line %d", quote,
                             (int)sinewi_graph_line(t, first));
}

static bool fail_unknown_key(sinewi_graph_text *t, sinewi_json_value key, const sinewi_graph_keys *keys) {
    char quote[64], list[SINEWI_GRAPH_MAX_KEYS * 20];
    sinewi_json_quote(&t->json, key, quote, sizeof quote);
    sinewi_nearest nearest = sinewi_nearest_begin(quote, strlen(quote));
    for (int i = 0; keys->names[i]; i++) sinewi_nearest_try(&nearest, keys->names[i]);
    if (nearest.name[0] != '\0')
        return sinewi_graph_fail(t, key, "unknown key \"%s\" in %s; did you mean \"%s\"?", quote, keys->owner,
                                 nearest.name);
    if (!keys->names[0])
        return sinewi_graph_fail(t, key, "unknown key \"%s\" in %s, which has no keys", quote, keys->owner);
    list_words(keys->names, list, sizeof list);
    return sinewi_graph_fail(t, key, "unknown key \"%s\" in %s; expected %s", quote, keys->owner, list);
}

bool sinewi_graph_read_members(sinewi_graph_text *t, sinewi_json_value value, const sinewi_graph_keys *keys,
                               sinewi_graph_members *members) {
    if (!sinewi_graph_is(t, value, SINEWI_JSON_OBJECT)) return sinewi_graph_fail_type(t, value, keys->owner);
    members->object = value;
    members->keys = keys;
    sinewi_json_value comment = SINEWI_JSON_ABSENT;
    for (int i = 0; i < SINEWI_GRAPH_MAX_KEYS; i++) members->values[i] = SINEWI_JSON_ABSENT;
    for (sinewi_json_value key = sinewi_json_first_key(&t->json, value); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&t->json, key)) {
        bool is_comment = sinewi_json_equals(&t->json, key, SINEWI_GRAPH_COMMENT);
        int index = is_comment ? 0 : find_word(t, key, keys->names);
        if (index < 0) return fail_unknown_key(t, key, keys);
        sinewi_json_value *member = is_comment ? &comment : &members->values[index];
        if (*member != SINEWI_JSON_ABSENT) return sinewi_graph_fail_duplicate(t, key, *member - 1);
        *member = key + 1;
    }
    return true;
}

bool sinewi_graph_require(sinewi_graph_text *t, const sinewi_graph_members *members, int key) {
    return members->values[key] != SINEWI_JSON_ABSENT ||
           sinewi_graph_fail(t, members->object, "%s needs \"%s\"", members->keys->owner,
                             members->keys->names[key]);
}

bool sinewi_graph_allow(sinewi_graph_text *t, const sinewi_graph_members *members, int key, bool allowed,
                        const char *where) {
    sinewi_json_value value = members->values[key];
    return allowed || value == SINEWI_JSON_ABSENT ||
           sinewi_graph_fail(t, sinewi_json_key_of(&t->json, value), "\"%s\" is only for %s",
                             members->keys->names[key], where);
}
