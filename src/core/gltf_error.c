// SPDX-License-Identifier: MIT
// Errors, log lines and arena memory for the other files of the import.
//
// An error may have a location, which is the JSON value that is wrong. When the import ends, its path is put in front
// of the message. A sidecar file is a JSON file with markers and curves for a glTF file.
#include "core/gltf_import.h"

#include <stdio.h>

// ---- Failing and logging -----------------------------------------------------------------------------------------

// Only stores the location, because finding its path walks the JSON.
void sinewi_gltf_set_error(sinewi_import *g, sinewi_json_value value, sinew_result result, const char *format,
                           ...) {
    va_list arguments;
    va_start(arguments, format);
    sinewi_fail_with_arguments(g->error, result, "", format, arguments);
    va_end(arguments);
    g->error_location = value;
}

// Returns a value's line, starting from 1. Useful for sidecar files, which people write by hand. A glTF file may be a
// single line.
static int32_t line_of(const sinewi_json *json, sinewi_json_value value) {
    int32_t line = 1;
    for (int32_t i = 0; i < json->nodes[value].start; i++) line += json->text[i] == '\n';
    return line;
}

void sinewi_gltf_locate_error(sinewi_import *g) {
    char file[160] = "", line[32] = "", location[256] = "";
    sinew_error inner = *g->error;
    const bool is_located = g->error_location != SINEWI_JSON_ABSENT && g->json.nodes;
    if (g->in_sidecar) sinewi_shorten(g->in_sidecar, file, sizeof file);
    if (g->in_sidecar && is_located)
        snprintf(line, sizeof line, "line %d: ", (int)line_of(&g->json, g->error_location));
    if (is_located) sinewi_json_location(&g->json, g->error_location, location, sizeof location);
    sinewi_fail(g->error, inner.result, "%s%s%s%s%s%s", file, file[0] ? ": " : "", line, location,
                location[0] ? ": " : "", inner.message);
}

// Reports which limit was reached: memory_limit, or expansion_limit times the bytes read.
static bool fail_memory_limit(sinewi_import *g) {
    if (g->data->budget.limit == g->options.memory_limit)
        return sinewi_gltf_fail(g, g->current, SINEW_ERROR_LIMIT,
                                "the file needs more than the memory limit of %zu bytes", g->options.memory_limit);
    return sinewi_gltf_fail(
        g, g->current, SINEW_ERROR_LIMIT,
        "%zu bytes of input need more than %zu bytes of memory; raise expansion_limit above %zu to allow that",
        g->budget.bytes_read, g->data->budget.limit, g->options.expansion_limit);
}

bool sinewi_gltf_fail_memory(sinewi_import *g) {
    if (g->data->budget.limited) return fail_memory_limit(g);
    sinewi_fail_memory(g->error);
    g->error_location = SINEWI_JSON_ABSENT;
    return false;
}

// Passes on another folder's error. It has no JSON value, so the location goes in front.
bool sinewi_gltf_fail_with(sinewi_import *g, const sinew_error *inner, const char *format, ...) {
    if (inner->result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_gltf_fail_memory(g);
    char location[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(location, sizeof location, format, arguments);
    va_end(arguments);
    // If the other function got a bad argument, it came from a bad file.
    sinew_result result = inner->result == SINEW_ERROR_ARGUMENT ? SINEW_ERROR_FORMAT : inner->result;
    return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, result, "%s: %s", location, inner->message);
}

void sinewi_gltf_log(const sinewi_import *g, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sinewi_log_arguments(&g->options.log, format, arguments);
    va_end(arguments);
}

// Finding a location walks the JSON, so only this many faults get one.
#define MAX_LOCATED 32

// Returns the current error's message with its location in front.
const char *sinewi_gltf_describe_fault(sinewi_import *g, sinewi_gltf_fault *fault) {
    char location[160] = "";
    const bool is_located = g->error_location != SINEWI_JSON_ABSENT && g->located_faults < MAX_LOCATED;
    if (is_located) {
        g->located_faults++;
        sinewi_json_location(&g->json, g->error_location, location, sizeof location);
    }
    snprintf(fault->text, sizeof fault->text, "%s%s%s", location, location[0] ? ": " : "", g->error->message);
    g->error_location = SINEWI_JSON_ABSENT;
    return fault->text;
}

// Only counts as a fault of the file if the file breaks the specification or needs something that is missing.
bool sinewi_gltf_leave_out(sinewi_import *g, const char *location, ...) {
    const sinew_result result = g->error->result;
    if (result != SINEW_ERROR_FORMAT && result != SINEW_ERROR_UNSUPPORTED) return false;
    char place[128];
    sinewi_gltf_fault fault;
    va_list arguments;
    va_start(arguments, location);
    vsnprintf(place, sizeof place, location, arguments);
    va_end(arguments);
    sinewi_gltf_log(g, "%s: ignored, because %s", place, sinewi_gltf_describe_fault(g, &fault));
    return true;
}

// ---- Memory --------------------------------------------------------------------------------------------------------

// Only arrays of at least a cache line are aligned to one.
static size_t choose_alignment(size_t count, size_t size) {
    return count >= SINEWI_ALIGNMENT / size ? SINEWI_ALIGNMENT : alignof(max_align_t);
}

void *sinewi_gltf_take(sinewi_import *g, sinewi_arena *arena, size_t count, size_t size) {
    void *memory = sinewi_arena_take(arena, count, size, choose_alignment(count, size));
    if (!memory) sinewi_gltf_fail_memory(g);
    return memory;
}

void *sinewi_gltf_take_zeroed(sinewi_import *g, sinewi_arena *arena, size_t count, size_t size) {
    void *memory = sinewi_arena_zeroed(arena, count, size, choose_alignment(count, size));
    if (!memory) sinewi_gltf_fail_memory(g);
    return memory;
}
