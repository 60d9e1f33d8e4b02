// SPDX-License-Identifier: MIT
// Curves and KHR_animation_pointer channels. What the library ignores is in its log, so lint and the library can't
// disagree. What it refuses is the finding "refused".
#include "lint/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER "KHR_animation_pointer"

// ---- The library's log ---------------------------------------------------------------------------------------------

// Returns the reason in a line "location: ignored, because reason", or NULL for any other line.
static const char *reason_of(const char *line, int *location_length) {
    static const char ignored[] = ": ignored, because ";
    const char *found = strstr(line, ignored);
    if (!found) return NULL;
    *location_length = (int)(found - line);
    return found + sizeof ignored - 1;
}

static sinewi_json_value target_of(const lint_subject *s, int32_t animation, int32_t channel) {
    const lint_animation *a = &s->animations[animation];
    if (channel < 0 || channel >= a->channel_count) return SINEWI_JSON_ABSENT;
    return sinewi_json_get(&s->document->json, a->channels[channel].value, "target");
}

static bool has_pointer_path(const lint_subject *s, sinewi_json_value target) {
    const sinewi_json *json = &s->document->json;
    const sinewi_json_value path = sinewi_json_get(json, target, "path");
    return sinewi_json_kind_of(json, path) == SINEWI_JSON_STRING && sinewi_json_equals(json, path, "pointer");
}

// Reads an index after a word and skips both. Returns false for any other text.
static bool read_index(const char **text, const char *word, int32_t *index) {
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    const char *digits = *text + length;
    char *end;
    *index = (int32_t)strtol(digits, &end, 10);
    *text = end;
    return end != digits;
}

// Returns whether a line is about a part that animation doesn't need.
static bool is_part(const char *line, const char *reason) {
    static const char *const starts[] = {"cameras[", "materials[", "extensions"};
    if (strcmp(reason, "it has no keys") == 0) return true;
    for (int i = 0; i < 3; i++)
        if (strncmp(line, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

static void check_line(lint_subject *s, const char *line) {
    const char *rest = line;
    int32_t animation, channel;
    int length;
    const char *reason = reason_of(line, &length);
    if (!reason) return;
    const char *location = lint_location(s, "%.*s", length, line);
    if (strncmp(line, "the sidecar file: ", 18) == 0 || strcmp(reason, "the sidecar file has the curve") == 0) {
        lint_add(s, LINT_CURVE_TWICE, 0, location, "ignored, because %s", reason);
    } else if (strstr(location, ".extras.curves")) {
        if (strcmp(reason, "an earlier curve has the same name") == 0) return; // reported by json-key-repeated
        lint_add(s, LINT_CURVE_IGNORED, 0, location, "ignored, because %s", reason);
    } else if (read_index(&rest, "animations[", &animation) && read_index(&rest, "].channels[", &channel) &&
               animation >= 0 && animation < s->animation_count &&
               has_pointer_path(s, target_of(s, animation, channel))) {
        lint_add(s, LINT_POINTER_IGNORED, 0, location, "ignored, because %s", reason);
    } else if (is_part(line, reason) || strstr(location, ".interpolation")) {
        lint_add(s, LINT_PART_IGNORED, 0, location, "ignored, because %s", reason);
    }
}

// ---- Pointers ------------------------------------------------------------------------------------------------------

static bool lists_extension(const lint_subject *s) {
    const sinewi_json *json = &s->document->json;
    const sinewi_json_value used = sinewi_json_get(json, 0, "extensionsUsed");
    for (sinewi_json_value e = sinewi_json_first(json, used); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e))
        if (sinewi_json_kind_of(json, e) == SINEWI_JSON_STRING && sinewi_json_equals(json, e, POINTER)) return true;
    return false;
}

// Adds a finding if the extension doesn't allow something that the library accepts.
static void check_target(lint_subject *s, int32_t animation, int32_t channel, bool is_listed) {
    const sinewi_json *json = &s->document->json;
    const sinewi_json_value target = target_of(s, animation, channel);
    const bool has_pointer = lint_extension(s->document, target, POINTER) != SINEWI_JSON_ABSENT;
    if (!has_pointer) return;
    const char *location = lint_location(s, "animations[%d].channels[%d].target", (int)animation, (int)channel);
    if (!is_listed) lint_add(s, LINT_POINTER_INVALID, 0, location, "extensionsUsed does not list " POINTER);
    if (sinewi_json_get(json, target, "node") != SINEWI_JSON_ABSENT)
        lint_add(s, LINT_POINTER_INVALID, 0, location, "a target with a pointer must not have a node");
    if (!has_pointer_path(s, target))
        lint_add(s, LINT_POINTER_INVALID, 0, location, "the path of a target with a pointer must be \"pointer\"");
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

void lint_check_curves(lint_subject *s) {
    const bool is_listed = lists_extension(s);
    for (int32_t i = 0; i < s->notes->line_count; i++) check_line(s, s->notes->lines[i]);
    for (int32_t i = 0; i < s->notes->still_count; i++) {
        const lint_still_curve *still = &s->notes->still[i];
        lint_add(s, LINT_CURVE_STILL, 0, lint_location(s, "animations[%d]", (int)still->clip),
                 "'%.200s' is %g in all clips, which is its rest value", still->name, (double)still->value);
    }
    for (int32_t i = 0; i < s->animation_count; i++)
        for (int32_t k = 0; k < s->animations[i].channel_count; k++) check_target(s, i, k, is_listed);
}
