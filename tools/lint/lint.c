// SPDX-License-Identifier: MIT
// Checks a file: reads the subject once, then lets each rule add its findings.
#include "lint/subject.h"

#include <stdio.h>
#include <string.h>

// ---- Files ---------------------------------------------------------------------------------------------------------

// Adds the library's error as a finding. Its message is "path: location: fault", or has no location.
static void add_refusal(lint_subject *s, const char *path, const sinew_error *error) {
    const char *message = error->message, *what;
    size_t length = strlen(path);
    if (strncmp(message, path, length) == 0 && message[length] == ':') message += length + 2;
    what = strstr(message, ": ");
    if (!what) {
        lint_add(s, LINT_REFUSED, 0, "the file", "%s", message);
        return;
    }
    const char *location = lint_location(s, "%.*s", (int)(what - message), message);
    lint_add(s, LINT_REFUSED, 0, location, "%s", what + 2);
}

static void check_refused(lint_subject *s, ref_document *document, lint_report *report, const char *path,
                          const sinew_error *error) {
    *s = (lint_subject){.document = document, .report = report, .arena = &report->arena};
    lint_read_references(s);
    lint_check_finite(s);
    lint_check_short_binds(s);
    if (report->of_severity[LINT_ERROR] == 0) add_refusal(s, path, error);
}

static void check_all(lint_subject *s, ref_document *document, lint_report *report, const lint_notes *notes,
                      const char *path) {
    if (!lint_read_subject(s, document, &report->arena, report)) return;
    s->notes = notes;
    s->out_of_memory = notes->out_of_memory;
    lint_check_finite(s);
    lint_check_nodes(s);
    lint_check_animations(s);
    lint_check_tracks(s);
    lint_check_markers(s, path);
    lint_check_curves(s);
    lint_check_weights(s);
    lint_check_skins(s);
    lint_check_joints(s);
    lint_check_names(s);
    lint_check_unused(s);
}

static bool check_file(lint_report *report, ref_document *document, const char *path, sinew_meshopt_decode decode,
                       void *decode_user) {
    sinew_error error = {SINEW_OK, ""};
    lint_notes notes = {.arena = &report->arena};
    sinew_result result = lint_try_to_load(path, decode, decode_user, &notes, &error);
    bool opened = ref_open(document, path, decode, decode_user);
    if (!opened || (result != SINEW_OK && result != SINEW_ERROR_FORMAT && result != SINEW_ERROR_ARGUMENT)) {
        if (result != SINEW_OK) {
            snprintf(report->error, sizeof report->error, "%s", error.message);
        } else {
            snprintf(report->error, sizeof report->error, "%.80s: %.400s", path, document->error);
        }
        return false;
    }
    ref_budget_share(document, &report->arena);
    lint_subject s;
    if (result == SINEW_OK) {
        check_all(&s, document, report, &notes, path);
    } else {
        check_refused(&s, document, report, path, &error);
    }
    bool complete = !s.out_of_memory && lint_sort_by_rule(&s);
    if (!ref_within_budget(document)) {
        snprintf(report->error, sizeof report->error, "%.80s: %.400s", path, document->error);
        return false;
    }
    if (!complete) snprintf(report->error, sizeof report->error, "%.400s: out of memory", path);
    return complete;
}

bool lint_file(lint_report *report, const char *path, sinew_meshopt_decode decode, void *decode_user) {
    memset(report, 0, sizeof *report);
    sinewi_arena_init(&report->arena, NULL);
    ref_document document;
    bool good = check_file(report, &document, path, decode, decode_user);
    ref_budget_end(&report->arena);
    ref_close(&document);
    return good;
}

void lint_end(lint_report *report) {
    sinewi_arena_free(&report->arena);
}
