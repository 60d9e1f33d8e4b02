// Looking into a file: what every rule needs is read once, then rule after rule adds its findings.
#include "lint/subject.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory and places ---------------------------------------------------------------------------------------------

void *lint_take(lint_subject *s, size_t count, size_t size) {
    void *memory = sinew_arena_zeroed(s->arena, count, size, alignof(max_align_t));
    if (!memory) s->out_of_memory = true;
    return memory;
}

static const char *format_text(lint_subject *s, const char *format, va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    char *copy = sinew_arena_string(s->arena, text, strlen(text));
    if (!copy) s->out_of_memory = true;
    return copy ? copy : "";
}

const char *lint_place(lint_subject *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *place = format_text(s, format, arguments);
    va_end(arguments);
    return place;
}

// Many findings may name one node. Its name is cut so that they stay short.
const char *lint_node_label(lint_subject *s, int32_t node) {
    const char *name = s->nodes[node].name;
    return name[0] ? lint_place(s, "'%.200s'", name) : lint_place(s, "nodes[%d]", (int)node);
}

const char *lint_clip_label(lint_subject *s, int32_t animation) {
    const char *name = s->animations[animation].name;
    return name[0] ? lint_place(s, "'%.200s'", name) : "the clip";
}

// ---- Findings ------------------------------------------------------------------------------------------------------

static bool grow(lint_subject *s) {
    lint_report *report = s->report;
    if (report->count < report->capacity) return true;
    int32_t capacity = report->capacity > 0 ? 2 * report->capacity : 64;
    lint_finding *findings = lint_array(s, lint_finding, capacity);
    if (!findings) return false;
    if (report->count > 0) memcpy(findings, report->findings, (size_t)report->count * sizeof *findings);
    report->findings = findings;
    report->capacity = capacity;
    return true;
}

void lint_add(lint_subject *s, lint_rule_id rule, size_t bytes, const char *place, const char *format, ...) {
    if (!grow(s)) return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = format_text(s, format, arguments);
    va_end(arguments);
    lint_report *report = s->report;
    report->findings[report->count++] = (lint_finding){rule, place, message, bytes};
    report->of_rule[rule]++;
    report->of_severity[lint_rules[rule].severity]++;
}

// Rule by rule; within one, as they were found.
static bool sort_by_rule(lint_subject *s) {
    lint_report *report = s->report;
    lint_finding *sorted = lint_array(s, lint_finding, report->count);
    if (!sorted) return false;
    int32_t count = 0;
    for (int rule = 0; rule < LINT_RULE_COUNT; rule++) {
        if (report->of_rule[rule] == 0) continue;
        for (int32_t i = 0; i < report->count; i++) {
            if ((int)report->findings[i].rule == rule) sorted[count++] = report->findings[i];
        }
    }
    report->findings = sorted;
    return true;
}

// ---- The subject ---------------------------------------------------------------------------------------------------

bool lint_read_subject(lint_subject *s, ref_document *document, sinew_arena *arena, lint_report *report) {
    memset(s, 0, sizeof *s);
    s->document = document;
    s->arena = arena;
    s->report = report;
    lint_read_nodes(s);
    if (!s->out_of_memory) lint_read_animations(s);
    if (!s->out_of_memory) lint_read_references(s);
    return !s->out_of_memory;
}

// ---- Files ---------------------------------------------------------------------------------------------------------

// The library's message is "path: place: what is wrong", or without a place.
static void add_refusal(lint_subject *s, const char *path, const sinew_error *error) {
    const char *message = error->message, *what;
    size_t length = strlen(path);
    if (strncmp(message, path, length) == 0 && message[length] == ':') message += length + 2;
    what = strstr(message, ": ");
    if (!what) {
        lint_add(s, LINT_REFUSED, 0, "the file", "%s", message);
        return;
    }
    const char *place = lint_place(s, "%.*s", (int)(what - message), message);
    lint_add(s, LINT_REFUSED, 0, place, "%s", what + 2);
}

static void check_refused(lint_subject *s, ref_document *document, lint_report *report, const char *path,
                          const sinew_error *error) {
    *s = (lint_subject){.document = document, .report = report, .arena = &report->arena};
    lint_read_references(s);
    lint_check_finite(s);
    lint_check_short_binds(s);
    if (report->of_severity[LINT_ERROR] == 0) add_refusal(s, path, error);
}

static void check_all(lint_subject *s, ref_document *document, lint_report *report, const char *path) {
    if (!lint_read_subject(s, document, &report->arena, report)) return;
    lint_check_finite(s);
    lint_check_json(s);
    lint_check_nodes(s);
    lint_check_channels(s);
    lint_check_rotations(s);
    lint_check_tracks(s);
    lint_check_loops(s);
    lint_check_markers(s, path);
    lint_check_weights(s);
    lint_check_skins(s);
    lint_check_joints(s);
    lint_check_names(s);
    lint_check_unused(s);
}

sinew_result lint_try_to_load(const char *path, sinew_meshopt_decode decode, void *decode_user,
                              sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.meshopt_decode = decode;
    options.meshopt_user = decode_user;
    sinew_asset *asset;
    sinew_result result = sinew_gltf_load_file(path, &options, &asset, error);
    sinew_asset_destroy(asset);
    return result;
}

static bool check_file(lint_report *report, ref_document *document, const char *path, sinew_meshopt_decode decode,
                       void *decode_user) {
    sinew_error error = {SINEW_OK, ""};
    sinew_result result = lint_try_to_load(path, decode, decode_user, &error);
    bool opened = ref_open(document, path, decode, decode_user);
    if (!opened || (result != SINEW_OK && result != SINEW_ERROR_FORMAT && result != SINEW_ERROR_ARGUMENT)) {
        if (result != SINEW_OK) {
            snprintf(report->error, sizeof report->error, "%s", error.message);
        } else {
            snprintf(report->error, sizeof report->error, "%.80s: %.400s", path, document->error);
        }
        return false;
    }
    ref_share_budget(document, &report->arena);
    lint_subject s;
    if (result == SINEW_OK) {
        check_all(&s, document, report, path);
    } else {
        check_refused(&s, document, report, path, &error);
    }
    bool complete = !s.out_of_memory && sort_by_rule(&s);
    if (!ref_within_budget(document)) {
        snprintf(report->error, sizeof report->error, "%.80s: %.400s", path, document->error);
        return false;
    }
    if (!complete) snprintf(report->error, sizeof report->error, "%.400s: out of memory", path);
    return complete;
}

bool lint_file(lint_report *report, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    memset(report, 0, sizeof *report);
    sinew_arena_init(&report->arena, NULL);
    ref_document document;
    bool good = check_file(report, &document, path, decode, decode_user);
    ref_end_budget(&report->arena);
    ref_close(&document);
    return good;
}

void lint_end(lint_report *report) {
    sinew_arena_free(&report->arena);
}
