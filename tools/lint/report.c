// SPDX-License-Identifier: MIT
// The report: findings, their locations and labels, and the memory for them.
#include "lint/subject.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- Memory and locations ---------------------------------------------------------------------------------------------

void *lint_take(lint_subject *s, size_t count, size_t size) {
    void *memory = sinewi_arena_zeroed(s->arena, count, size, alignof(max_align_t));
    if (!memory) s->out_of_memory = true;
    return memory;
}

static const char *format_text(lint_subject *s, const char *format, va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    char *copy = sinewi_arena_string(s->arena, text, strlen(text));
    if (!copy) s->out_of_memory = true;
    return copy ? copy : "";
}

const char *lint_location(lint_subject *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *location = format_text(s, format, arguments);
    va_end(arguments);
    return location;
}

// Cuts long names, because many findings may name the same node.
const char *lint_node_label(lint_subject *s, int32_t node) {
    const char *name = s->nodes[node].name;
    return name[0] ? lint_location(s, "'%.200s'", name) : lint_location(s, "nodes[%d]", (int)node);
}

const char *lint_clip_label(lint_subject *s, int32_t animation) {
    const char *name = s->animations[animation].name;
    return name[0] ? lint_location(s, "'%.200s'", name) : "the clip";
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

void lint_add(lint_subject *s, lint_rule_id rule, size_t bytes, const char *location, const char *format, ...) {
    if (!grow(s)) return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = format_text(s, format, arguments);
    va_end(arguments);
    lint_report *report = s->report;
    report->findings[report->count++] = (lint_finding){rule, location, message, bytes};
    report->of_rule[rule]++;
    report->of_severity[lint_rules[rule].severity]++;
}

// Sorts by rule and keeps the order within a rule.
bool lint_sort_by_rule(lint_subject *s) {
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
