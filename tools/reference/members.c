// SPDX-License-Identifier: MIT
// Members of JSON objects, and errors with the location of a value.
#include "reference/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool ref_fail(ref_document *document, sinew_json_value value, const char *format, ...) {
    char message[256], location[192] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (document->budget.out_of_memory) {
        snprintf(document->error, sizeof document->error, "out of memory");
        return false;
    }
    if (value != SINEW_JSON_ABSENT) sinew_json_location(&document->json, value, location, sizeof location);
    snprintf(document->error, sizeof document->error, "%s%s%s", location, location[0] ? ": " : "", message);
    return false;
}

// ---- Members -----------------------------------------------------------------------------------------------------

int64_t ref_whole(const ref_document *document, sinew_json_value object, const char *key, int64_t absent) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (value == SINEW_JSON_ABSENT) return absent;
    double number = ref_number(document, object, key, -1.0);
    return number >= 0.0 && number <= 0x1p53 && number == floor(number) ? (int64_t)number : -1;
}

int32_t ref_index(const ref_document *document, sinew_json_value object, const char *key) {
    int64_t index = ref_whole(document, object, key, -1);
    return index <= INT32_MAX ? (int32_t)index : -1;
}

double ref_number(const ref_document *document, sinew_json_value object, const char *key, double absent) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (sinew_json_kind_of(&document->json, value) != SINEW_JSON_NUMBER) return absent;
    return sinew_json_number(&document->json, value);
}

bool ref_flag(const ref_document *document, sinew_json_value object, const char *key) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    return sinew_json_kind_of(&document->json, value) == SINEW_JSON_TRUE;
}

bool ref_array_numbers(const ref_document *document, sinew_json_value array, int32_t count, double *out) {
    const sinew_json *json = &document->json;
    sinew_json_value first = sinew_json_first(json, array);
    int32_t found = 0;
    if (sinew_json_kind_of(json, array) != SINEW_JSON_ARRAY) return false;
    for (sinew_json_value e = first; e != SINEW_JSON_ABSENT; e = sinew_json_following(json, e), found++) {
        // An array that is too long is not walked to its end: many objects may refer to it.
        if (found == count || sinew_json_kind_of(json, e) != SINEW_JSON_NUMBER) return false;
    }
    if (found != count) return false;
    for (sinew_json_value e = first; e != SINEW_JSON_ABSENT; e = sinew_json_following(json, e)) {
        *out++ = sinew_json_number(json, e);
    }
    return true;
}

bool ref_numbers(const ref_document *document, sinew_json_value object, const char *key, int32_t count,
                 double *out) {
    return ref_array_numbers(document, sinew_json_get(&document->json, object, key), count, out);
}

const char *ref_string(ref_document *document, sinew_json_value object, const char *key) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (sinew_json_kind_of(&document->json, value) != SINEW_JSON_STRING) return "";
    const char *string = sinew_json_string(&document->json, value, &document->arena, NULL);
    return string ? string : "";
}

int ref_word(const ref_document *document, sinew_json_value object, const char *key, const char *const *words,
             int absent) {
    sinew_json_value value = sinew_json_get(&document->json, object, key);
    if (value == SINEW_JSON_ABSENT) return absent;
    if (sinew_json_kind_of(&document->json, value) != SINEW_JSON_STRING) return -1;
    for (int i = 0; words[i]; i++) {
        if (sinew_json_equals(&document->json, value, words[i])) return i;
    }
    return -1;
}

ref_list ref_elements(ref_document *document, sinew_json_value object, const char *key) {
    const sinew_json *json = &document->json;
    sinew_json_value array = sinew_json_get(json, object, key);
    ref_list list = {sinew_json_count(json, array), NULL};
    sinew_json_value *values = sinew_arena_array(&document->arena, sinew_json_value, (size_t)list.count);
    if (!values) return (ref_list){0, NULL};
    sinew_json_value element = sinew_json_first(json, array);
    for (int32_t i = 0; i < list.count; i++, element = sinew_json_following(json, element)) values[i] = element;
    list.values = values;
    return list;
}

sinew_json_value ref_extension(const ref_document *document, sinew_json_value object, const char *name) {
    return sinew_json_get(&document->json, sinew_json_get(&document->json, object, "extensions"), name);
}
