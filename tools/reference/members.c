// SPDX-License-Identifier: MIT
// Reads members of JSON objects, and reports errors with a value's location.
#include "reference/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool ref_fail(ref_document *document, sinewi_json_value value, const char *format, ...) {
    char message[256], location[192] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (document->budget.out_of_memory) {
        snprintf(document->error, sizeof document->error, "out of memory");
        return false;
    }
    if (value != SINEWI_JSON_ABSENT) sinewi_json_location(&document->json, value, location, sizeof location);
    snprintf(document->error, sizeof document->error, "%s%s%s", location, location[0] ? ": " : "", message);
    return false;
}

// ---- Members -----------------------------------------------------------------------------------------------------

int64_t ref_whole(const ref_document *document, sinewi_json_value object, const char *key, int64_t absent) {
    sinewi_json_value value = sinewi_json_get(&document->json, object, key);
    if (value == SINEWI_JSON_ABSENT) return absent;
    double number = ref_number(document, object, key, -1.0);
    return number >= 0.0 && number <= 0x1p53 && number == floor(number) ? (int64_t)number : -1;
}

int32_t ref_index(const ref_document *document, sinewi_json_value object, const char *key) {
    int64_t index = ref_whole(document, object, key, -1);
    return index <= INT32_MAX ? (int32_t)index : -1;
}

double ref_number(const ref_document *document, sinewi_json_value object, const char *key, double absent) {
    sinewi_json_value value = sinewi_json_get(&document->json, object, key);
    if (sinewi_json_kind_of(&document->json, value) != SINEWI_JSON_NUMBER) return absent;
    return sinewi_json_number(&document->json, value);
}

bool ref_flag(const ref_document *document, sinewi_json_value object, const char *key) {
    sinewi_json_value value = sinewi_json_get(&document->json, object, key);
    return sinewi_json_kind_of(&document->json, value) == SINEWI_JSON_TRUE;
}

bool ref_array_numbers(const ref_document *document, sinewi_json_value array, int32_t count, double *out) {
    const sinewi_json *json = &document->json;
    sinewi_json_value first = sinewi_json_first(json, array);
    int32_t found = 0;
    if (sinewi_json_kind_of(json, array) != SINEWI_JSON_ARRAY) return false;
    for (sinewi_json_value e = first; e != SINEWI_JSON_ABSENT; e = sinewi_json_following(json, e), found++) {
        // If an array is too long, stop early, because many objects may refer to it.
        if (found == count || sinewi_json_kind_of(json, e) != SINEWI_JSON_NUMBER) return false;
    }
    if (found != count) return false;
    for (sinewi_json_value e = first; e != SINEWI_JSON_ABSENT; e = sinewi_json_following(json, e)) {
        *out++ = sinewi_json_number(json, e);
    }
    return true;
}

bool ref_numbers(const ref_document *document, sinewi_json_value object, const char *key, int32_t count,
                 double *out) {
    return ref_array_numbers(document, sinewi_json_get(&document->json, object, key), count, out);
}

const char *ref_string(ref_document *document, sinewi_json_value object, const char *key) {
    sinewi_json_value value = sinewi_json_get(&document->json, object, key);
    if (sinewi_json_kind_of(&document->json, value) != SINEWI_JSON_STRING) return "";
    const char *string = sinewi_json_string(&document->json, value, &document->arena, NULL);
    return string ? string : "";
}

int ref_word(const ref_document *document, sinewi_json_value object, const char *key, const char *const *words,
             int absent) {
    sinewi_json_value value = sinewi_json_get(&document->json, object, key);
    if (value == SINEWI_JSON_ABSENT) return absent;
    if (sinewi_json_kind_of(&document->json, value) != SINEWI_JSON_STRING) return -1;
    for (int i = 0; words[i]; i++) {
        if (sinewi_json_equals(&document->json, value, words[i])) return i;
    }
    return -1;
}

ref_list ref_elements(ref_document *document, sinewi_json_value object, const char *key) {
    const sinewi_json *json = &document->json;
    sinewi_json_value array = sinewi_json_get(json, object, key);
    ref_list list = {sinewi_json_count(json, array), NULL};
    sinewi_json_value *values = sinewi_arena_array(&document->arena, sinewi_json_value, (size_t)list.count);
    if (!values) return (ref_list){0, NULL};
    sinewi_json_value element = sinewi_json_first(json, array);
    for (int32_t i = 0; i < list.count; i++, element = sinewi_json_following(json, element)) values[i] = element;
    list.values = values;
    return list;
}

sinewi_json_value ref_extension(const ref_document *document, sinewi_json_value object, const char *name) {
    return sinewi_json_get(&document->json, sinewi_json_get(&document->json, object, "extensions"), name);
}
