// SPDX-License-Identifier: MIT
// Reads JSON with checks: the text, and object members by kind and range.
//
// The get functions read a member of an object by its key. If it is absent, `*out` stays unchanged, except that an
// index becomes -1, a string "" and a list empty. It is an error if the member has the wrong kind or is out of range.
#include "core/gltf_import.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- The text ---------------------------------------------------------------------------------------------------

bool sinewi_gltf_parse(sinewi_import *g, const char *text, size_t size) {
    sinewi_json_problem problem;
    sinew_result result = sinewi_json_parse(&g->json, text, size, &g->scratch, &problem);
    if (result == SINEW_OK) return true;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_gltf_fail_memory(g);
    size_t line = 1, start = 0;
    for (size_t i = 0; i < problem.offset; i++) {
        if (text[i] != '\n') continue;
        line++;
        start = i + 1;
    }
    return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, result, "JSON, line %zu, byte %zu: %s", line,
                            problem.offset - start + 1, problem.what);
}

// ---- Numbers -----------------------------------------------------------------------------------------------------

// Fails with the value's text and what was expected. Returns false.
static bool fail_kind(sinewi_import *g, sinewi_json_value value, const char *expected) {
    char quote[40];
    sinewi_json_quote(&g->json, value, quote, sizeof quote);
    switch (sinewi_json_kind_of(&g->json, value)) {
    case SINEWI_JSON_ARRAY:
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "an array is not %s", expected);
    case SINEWI_JSON_OBJECT:
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "an object is not %s", expected);
    case SINEWI_JSON_STRING:
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "\"%s\" is not %s", quote, expected);
    default:
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "%s is not %s", quote, expected);
    }
}

bool sinewi_gltf_get_required(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_value *out) {
    *out = sinewi_json_get(&g->json, object, key);
    return *out != SINEWI_JSON_ABSENT || sinewi_gltf_fail(g, object, SINEW_ERROR_FORMAT, "%s is missing", key);
}

static bool read_number_value(sinewi_import *g, sinewi_json_value value, double *out) {
    if (sinewi_json_kind_of(&g->json, value) != SINEWI_JSON_NUMBER) return fail_kind(g, value, "a number");
    *out = sinewi_json_number(&g->json, value);
    return true;
}

bool sinewi_gltf_check_float(sinewi_import *g, sinewi_json_value value, float *out) {
    double number = 0.0;
    if (!read_number_value(g, value, &number)) return false;
    if (!(fabs(number) <= (double)FLT_MAX)) return fail_kind(g, value, "within the range of a float");
    *out = (float)number;
    return true;
}

// Reads a whole number in [min, max], which must be within ±2^53, where doubles are exact. 1.0 and 1e2 also count as
// whole.
static bool read_integer_value(sinewi_import *g, sinewi_json_value value, int64_t min, int64_t max, int64_t *out) {
    double number = 0.0;
    bool is_number = sinewi_json_kind_of(&g->json, value) == SINEWI_JSON_NUMBER;
    if (is_number) number = sinewi_json_number(&g->json, value);
    if (!is_number || !(number >= (double)min && number <= (double)max) || number != floor(number)) {
        char expected[80];
        snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)min, (long long)max);
        return fail_kind(g, value, expected);
    }
    *out = (int64_t)number;
    return true;
}

bool sinewi_gltf_get_number(sinewi_import *g, sinewi_json_value object, const char *key, double *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    return value == SINEWI_JSON_ABSENT || read_number_value(g, value, out);
}

bool sinewi_gltf_get_float(sinewi_import *g, sinewi_json_value object, const char *key, float *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    return value == SINEWI_JSON_ABSENT || sinewi_gltf_check_float(g, value, out);
}

bool sinewi_gltf_get_floats(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                            float *out) {
    sinewi_json_value array = sinewi_json_get(&g->json, object, key);
    if (array == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_kind_of(&g->json, array) != SINEWI_JSON_ARRAY)
        return fail_kind(g, array, "an array of numbers");
    int32_t found = sinewi_json_count(&g->json, array);
    if (found != count)
        return sinewi_gltf_fail(g, array, SINEW_ERROR_FORMAT, "has %d numbers instead of %d", (int)found,
                                (int)count);
    for (sinewi_json_value e = sinewi_json_first(&g->json, array); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(&g->json, e))
        if (!sinewi_gltf_check_float(g, e, out++)) return false;
    return true;
}

bool sinewi_gltf_get_bool(sinewi_import *g, sinewi_json_value object, const char *key, bool *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    if (value == SINEWI_JSON_ABSENT) return true;
    sinewi_json_kind kind = sinewi_json_kind_of(&g->json, value);
    if (kind != SINEWI_JSON_TRUE && kind != SINEWI_JSON_FALSE) return fail_kind(g, value, "true or false");
    *out = kind == SINEWI_JSON_TRUE;
    return true;
}

bool sinewi_gltf_get_integer(sinewi_import *g, sinewi_json_value object, const char *key, int64_t min, int64_t max,
                             int64_t *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    return value == SINEWI_JSON_ABSENT || read_integer_value(g, value, min, max, out);
}

bool sinewi_gltf_get_required_integer(sinewi_import *g, sinewi_json_value object, const char *key, int64_t min,
                                      int64_t max, int64_t *out) {
    sinewi_json_value value;
    return sinewi_gltf_get_required(g, object, key, &value) && read_integer_value(g, value, min, max, out);
}

// Valid files stay below 2^31. Limiting sizes and offsets to 2^48 keeps their sums from overflowing.
#define MAX_SIZE (INT64_C(1) << 48)

static bool read_size_value(sinewi_import *g, sinewi_json_value value, size_t *out) {
    int64_t max = (uint64_t)MAX_SIZE < SIZE_MAX / 4 ? MAX_SIZE : (int64_t)(SIZE_MAX / 4), size = 0;
    if (!read_integer_value(g, value, 0, max, &size)) return false;
    *out = (size_t)size;
    return true;
}

bool sinewi_gltf_get_size(sinewi_import *g, sinewi_json_value object, const char *key, size_t *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    return value == SINEWI_JSON_ABSENT || read_size_value(g, value, out);
}

bool sinewi_gltf_get_required_size(sinewi_import *g, sinewi_json_value object, const char *key, size_t *out) {
    sinewi_json_value value;
    return sinewi_gltf_get_required(g, object, key, &value) && read_size_value(g, value, out);
}

// ---- Indices -----------------------------------------------------------------------------------------------------

// Reads an index. It must be below `count`.
bool sinewi_gltf_check_index(sinewi_import *g, sinewi_json_value value, int32_t count, const char *array,
                             int32_t *out) {
    int64_t index = 0;
    if (!read_integer_value(g, value, 0, INT32_MAX, &index)) return false;
    if (index >= count)
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "%d is out of range: the file has %d %s", (int)index,
                                (int)count, array);
    *out = (int32_t)index;
    return true;
}

bool sinewi_gltf_get_index(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                           const char *array, int32_t *out) {
    *out = -1;
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    return value == SINEWI_JSON_ABSENT || sinewi_gltf_check_index(g, value, count, array, out);
}

bool sinewi_gltf_get_required_index(sinewi_import *g, sinewi_json_value object, const char *key, int32_t count,
                                    const char *array, int32_t *out) {
    sinewi_json_value value;
    return sinewi_gltf_get_required(g, object, key, &value) && sinewi_gltf_check_index(g, value, count, array, out);
}

// ---- Strings, arrays, objects --------------------------------------------------------------------------------------

bool sinewi_gltf_get_string(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_arena *arena,
                            const char **out) {
    *out = "";
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    if (value == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_kind_of(&g->json, value) != SINEWI_JSON_STRING) return fail_kind(g, value, "a string");
    *out = sinewi_json_string(&g->json, value, arena, NULL);
    return *out || sinewi_gltf_fail_memory(g);
}

bool sinewi_gltf_get_word(sinewi_import *g, sinewi_json_value object, const char *key, const char *const *words,
                          int *out) {
    sinewi_json_value value = sinewi_json_get(&g->json, object, key);
    if (value == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_kind_of(&g->json, value) != SINEWI_JSON_STRING) return fail_kind(g, value, "a string");
    *out = -1;
    for (int i = 0; words[i]; i++)
        if (sinewi_json_equals(&g->json, value, words[i])) *out = i;
    return true;
}

sinew_interpolation sinewi_gltf_get_interpolation(sinewi_import *g, sinewi_json_value object,
                                                  const char *location) {
    static const char *const words[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const sinewi_json_value value = sinewi_json_get(&g->json, object, "interpolation");
    if (value == SINEWI_JSON_ABSENT) return SINEW_INTERPOLATION_LINEAR;
    const bool is_string = sinewi_json_kind_of(&g->json, value) == SINEWI_JSON_STRING;
    for (int i = SINEW_INTERPOLATION_STEP; is_string && i <= SINEW_INTERPOLATION_CUBICSPLINE; i++)
        if (sinewi_json_equals(&g->json, value, words[i])) return (sinew_interpolation)i;
    sinewi_gltf_log(g, "%s.interpolation: ignored, because it is not STEP, LINEAR or CUBICSPLINE; LINEAR is used",
                    location);
    return SINEW_INTERPOLATION_LINEAR;
}

static const char *describe_kind(sinewi_json_kind kind) {
    switch (kind) {
    case SINEWI_JSON_OBJECT:
        return "an object";
    case SINEWI_JSON_STRING:
        return "a string";
    default:
        return "a number";
    }
}

// Reads an array whose elements all have the same kind to a list, for access by index.
bool sinewi_gltf_get_list(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_kind kind,
                          sinewi_gltf_list *list) {
    *list = (sinewi_gltf_list){0, NULL};
    sinewi_json_value array = sinewi_json_get(&g->json, object, key);
    if (array == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_kind_of(&g->json, array) != SINEWI_JSON_ARRAY) return fail_kind(g, array, "an array");
    int32_t count = sinewi_json_count(&g->json, array);
    sinewi_json_value *values = sinewi_gltf_array(g, &g->scratch, sinewi_json_value, (size_t)count);
    if (!values) return false;
    int32_t i = 0;
    for (sinewi_json_value e = sinewi_json_first(&g->json, array); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(&g->json, e)) {
        if (sinewi_json_kind_of(&g->json, e) != kind) return fail_kind(g, e, describe_kind(kind));
        values[i++] = e;
    }
    *list = (sinewi_gltf_list){count, values};
    return true;
}

bool sinewi_gltf_get_object(sinewi_import *g, sinewi_json_value object, const char *key, sinewi_json_value *out) {
    *out = sinewi_json_get(&g->json, object, key);
    if (*out == SINEWI_JSON_ABSENT || sinewi_json_kind_of(&g->json, *out) == SINEWI_JSON_OBJECT) return true;
    return fail_kind(g, *out, "an object");
}

sinewi_json_value sinewi_gltf_get_extension(const sinewi_import *g, sinewi_json_value object, const char *name) {
    return sinewi_json_get(&g->json, sinewi_json_get(&g->json, object, "extensions"), name);
}

// ---- Times ---------------------------------------------------------------------------------------------------------

// Returns the first key that isn't after its predecessor, or `count`.
static int32_t find_disorder(const float *times, int32_t count) {
    int32_t i = 1;
    while (i < count && times[i] > times[i - 1]) i++;
    return i < count ? i : count;
}

// Fails because a key isn't after its predecessor.
static bool fail_order(sinewi_import *g, sinewi_json_value location, const float *times, int32_t key) {
    return sinewi_gltf_fail(g, location, SINEW_ERROR_FORMAT, "key %d is at %.9g s, not after key %d at %.9g s",
                            (int)key, (double)times[key], (int)(key - 1), (double)times[key - 1]);
}

bool sinewi_gltf_check_times(sinewi_import *g, sinewi_json_value location, const float *times, int32_t count) {
    assert(count > 0);
    const int32_t key = find_disorder(times, count);
    return key == count || fail_order(g, location, times, key);
}

// Returns the next smaller float. Skips subnormal floats, because some CPUs are set up to treat them as 0.
static float just_before(float time) {
    if (time == 0.0f) return -FLT_MIN;
    return time > 0.0f && time <= FLT_MIN ? 0.0f : nextafterf(time, -INFINITY);
}

bool sinewi_gltf_separate_times(sinewi_import *g, sinewi_json_value location, const float **times, int32_t count) {
    const float *stored = *times;
    if (find_disorder(stored, count) == count) return true;
    float *made = sinewi_gltf_array(g, &g->scratch, float, (size_t)count);
    if (!made) return false;
    made[count - 1] = stored[count - 1];
    for (int32_t i = count - 1; i > 0; i--) {
        if (!(stored[i - 1] <= stored[i])) return fail_order(g, location, stored, i);
        made[i - 1] = stored[i - 1] < made[i] ? stored[i - 1] : just_before(made[i]);
    }
    *times = made;
    return true;
}

// ---- Names ------------------------------------------------------------------------------------------------------

// Parses an index written as "#3". Returns -1 for any other text, or if it isn't below `count`.
int32_t sinewi_gltf_index_from_name(const char *name, int32_t count) {
    if (name[0] != '#' || name[1] == '\0') return -1;
    int64_t number = 0; // stops growing at `count`, so it can't overflow
    for (const char *digit = name + 1; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9') return -1;
        if (number < count) number = 10 * number + (*digit - '0');
    }
    return number < count ? (int32_t)number : -1;
}

void sinewi_gltf_list_names(const sinewi_json *json, int32_t count, const sinewi_json_value *values, char *out,
                            size_t size) {
    enum { MAX_NAMES = 6 };
    size_t used = (size_t)snprintf(out, size, count > 0 ? "; the glTF file has" : "; the glTF file has none");
    for (int32_t i = 0; i < count && i < MAX_NAMES; i++) {
        char name[40];
        sinewi_json_value value = sinewi_json_get(json, values[i], "name");
        const char *separator = i > 0 ? "," : "";
        if (sinewi_json_kind_of(json, value) == SINEWI_JSON_STRING) {
            sinewi_json_quote(json, value, name, sizeof name);
            used += (size_t)snprintf(out + used, size - used, "%s '%s'", separator, name);
        } else {
            used += (size_t)snprintf(out + used, size - used, "%s #%d", separator, (int)i);
        }
    }
    if (count > MAX_NAMES) snprintf(out + used, size - used, " and %d more", (int)(count - MAX_NAMES));
}
