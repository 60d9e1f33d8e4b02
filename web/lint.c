// SPDX-License-Identifier: MIT
// The lint report for JavaScript. It's a separate module, loaded for a page's first report.
#include "files.h"

#include "lint/edit.h"
#include "lint/lint.h"

// ---- The report --------------------------------------------------------------------------------------------------

static void add_string(lint_text *to, const char *key, const char *string) {
    lint_append_format(to, ",\"%s\":", key);
    lint_append_json_string(to, string);
}

static void add_finding(lint_text *to, const lint_finding *finding) {
    const lint_rule *rule = &lint_rules[finding->rule];
    lint_append_format(to, "{\"bytes\":%zu,\"fixable\":%s", finding->bytes, rule->fixable ? "true" : "false");
    add_string(to, "rule", rule->id);
    add_string(to, "severity", lint_severity_name(rule->severity));
    add_string(to, "location", finding->location);
    add_string(to, "message", finding->message);
    add_string(to, "title", rule->title);
    add_string(to, "why", rule->why);
    add_string(to, "advice", rule->advice);
    lint_append(to, "}", 1);
}

static void add_report(lint_text *to, const lint_report *report) {
    const int32_t *of = report->of_severity;
    lint_append_format(to, "{\"errors\":%d,\"warnings\":%d,\"notes\":%d,\"findings\":[", of[LINT_ERROR],
                       of[LINT_WARNING], of[LINT_NOTE]);
    for (int32_t i = 0; i < report->count; i++) {
        if (i > 0) lint_append(to, ",", 1);
        add_finding(to, &report->findings[i]);
    }
    lint_append(to, "]}", 3); // with the terminating 0
}

char *web_lint(const web_file *given, int32_t count, sinew_meshopt_decode decode) {
    web_files_set(given, count);
    lint_text text = {0};
    lint_report report;
    if (lint_file(&report, given[0].name, decode, NULL)) {
        add_report(&text, &report);
    } else {
        lint_append(&text, "{\"file\":null", 12);
        add_string(&text, "error", report.error);
        lint_append(&text, "}", 2);
    }
    lint_end(&report);
    if (!text.failed) return text.data;
    lint_text_free(&text);
    return NULL;
}
