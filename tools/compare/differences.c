// SPDX-License-Identifier: MIT
// Finds what the second file lacks or changed, except for the motion.
#include "compare/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Seconds. Times are floats in most files.
#define SAME_TIME 1e-5

typedef struct lister {
    ref_document *const *documents; // [2]
    const ref_model *const *models; // [2]
    const compare_body *body;
    const int32_t *clip_of;
    compare_report report;
    void *user;
    int32_t count;
} lister;

__attribute__((format(printf, 2, 3))) static void add(lister *l, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    l->count++;
    l->report(text, l->user);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static bool same_strings(lister *l, sinewi_json_value a, sinewi_json_value b) {
    size_t lengths[2];
    const char *x = sinewi_json_string(&l->documents[0]->json, a, &l->documents[0]->arena, &lengths[0]);
    const char *y = sinewi_json_string(&l->documents[1]->json, b, &l->documents[1]->arena, &lengths[1]);
    return x && y && lengths[0] == lengths[1] && memcmp(x, y, lengths[0]) == 0;
}

static bool same_values(lister *l, sinewi_json_value a, sinewi_json_value b);

static bool same_arrays(lister *l, sinewi_json_value a,
                        sinewi_json_value b) { // NOLINT(misc-no-recursion): parsed depth
    const sinewi_json *x = &l->documents[0]->json, *y = &l->documents[1]->json;
    sinewi_json_value v = sinewi_json_first(x, a), w = sinewi_json_first(y, b);
    while (v != SINEWI_JSON_ABSENT && w != SINEWI_JSON_ABSENT) {
        if (!same_values(l, v, w)) return false;
        v = sinewi_json_following(x, v);
        w = sinewi_json_following(y, w);
    }
    return v == w; // both are missing
}

static int32_t member_count(const sinewi_json *json, sinewi_json_value object) {
    int32_t count = 0;
    for (sinewi_json_value k = object + 1; k < json->nodes[object].next; k = sinewi_json_next(json, k)) count++;
    return count;
}

// Members may be in any order.
static bool same_objects(lister *l, sinewi_json_value a,
                         sinewi_json_value b) { // NOLINT(misc-no-recursion): parsed depth
    const sinewi_json *x = &l->documents[0]->json, *y = &l->documents[1]->json;
    if (member_count(x, a) != member_count(y, b)) return false;
    for (sinewi_json_value k = a + 1; k < x->nodes[a].next; k = sinewi_json_next(x, k)) {
        const char *key = sinewi_json_string(x, k, &l->documents[0]->arena, NULL);
        const sinewi_json_value other = key ? sinewi_json_get(y, b, key) : SINEWI_JSON_ABSENT;
        if (other == SINEWI_JSON_ABSENT || !same_values(l, k + 1, other)) return false;
    }
    return true;
}

static bool same_values(lister *l, sinewi_json_value a,
                        sinewi_json_value b) { // NOLINT(misc-no-recursion): parsed depth
    const sinewi_json *x = &l->documents[0]->json, *y = &l->documents[1]->json;
    if (a == SINEWI_JSON_ABSENT || b == SINEWI_JSON_ABSENT) return a == b;
    if (x->nodes[a].kind != y->nodes[b].kind) return false;
    switch ((sinewi_json_kind)x->nodes[a].kind) {
    case SINEWI_JSON_NUMBER:
        return sinewi_json_number(x, a) == sinewi_json_number(y, b);
    case SINEWI_JSON_STRING:
        return same_strings(l, a, b);
    case SINEWI_JSON_ARRAY:
        return same_arrays(l, a, b);
    case SINEWI_JSON_OBJECT:
        return same_objects(l, a, b);
    default:
        return true;
    }
}

static bool same_member(lister *l, sinewi_json_value a, sinewi_json_value b, const char *key) {
    return same_values(l, sinewi_json_get(&l->documents[0]->json, a, key),
                       sinewi_json_get(&l->documents[1]->json, b, key));
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

// Reports markers separately from the other extras.
static void compare_clip_extras(lister *l, int32_t a, int32_t b) {
    const sinewi_json_value x = l->documents[0]->animations.values[a], y = l->documents[1]->animations.values[b];
    const char *name = l->models[0]->animations[a].name;
    if (same_member(l, x, y, "extras")) return;
    const sinewi_json_value from = sinewi_json_get(&l->documents[0]->json, x, "extras"),
                            to = sinewi_json_get(&l->documents[1]->json, y, "extras");
    if (!same_member(l, from, to, "markers")) {
        add(l, "clip '%.100s': the markers differ: %d became %d", name,
            (int)sinewi_json_count(&l->documents[0]->json,
                                   sinewi_json_get(&l->documents[0]->json, from, "markers")),
            (int)sinewi_json_count(&l->documents[1]->json, sinewi_json_get(&l->documents[1]->json, to, "markers")));
    } else {
        add(l, "clip '%.100s': the extras differ", name);
    }
}

static void compare_clips(lister *l, bool *taken) {
    for (int32_t i = 0; i < l->models[0]->animation_count; i++) {
        const ref_animation *a = &l->models[0]->animations[i];
        const int32_t other = l->clip_of[i];
        if (other < 0) {
            add(l, "clip '%.100s' is missing", a->name);
            continue;
        }
        taken[other] = true;
        const ref_animation *b = &l->models[1]->animations[other];
        double x[2], y[2];
        compare_span(a, x);
        compare_span(b, y);
        if (strcmp(a->name, b->name) != 0) add(l, "clip '%.100s' is now named '%.100s'", a->name, b->name);
        if (fabs(x[0] - y[0]) > SAME_TIME)
            add(l, "clip '%.100s' starts at %.6g s, not %.6g s", a->name, y[0], x[0]);
        if (fabs(x[1] - y[1]) > SAME_TIME) add(l, "clip '%.100s' ends at %.6g s, not %.6g s", a->name, y[1], x[1]);
        compare_clip_extras(l, i, other);
    }
    for (int32_t i = 0; i < l->models[1]->animation_count; i++) {
        if (!taken[i]) add(l, "clip '%.100s' is new", l->models[1]->animations[i].name);
    }
}

// ---- Nodes ---------------------------------------------------------------------------------------------------------

static void compare_nodes(lister *l) {
    int32_t unnamed = 0;
    for (int32_t i = 0; i < l->models[0]->node_count; i++) {
        const ref_node *a = &l->models[0]->nodes[i];
        const int32_t other = l->body->node_of[i];
        const sinewi_json_value value = l->documents[0]->nodes.values[i];
        const bool has_extras = sinewi_json_get(&l->documents[0]->json, value, "extras") != SINEWI_JSON_ABSENT;
        if (other < 0) {
            if (a->name[0] != '\0' || has_extras) add(l, "node '%.100s' is missing", a->name);
            unnamed += a->name[0] == '\0' && !has_extras;
            continue;
        }
        const ref_node *b = &l->models[1]->nodes[other];
        if (strcmp(a->name, b->name) != 0) add(l, "node '%.100s' is now named '%.100s'", a->name, b->name);
        if (!same_member(l, value, l->documents[1]->nodes.values[other], "extras"))
            add(l, "node '%.100s': the extras differ", a->name);
        const bool root = a->parent < 0 || b->parent < 0;
        if (root ? a->parent != b->parent : l->body->node_of[a->parent] != b->parent)
            add(l, "node '%.100s' has a different parent", a->name);
    }
    if (unnamed > 0) add(l, "%d nodes without a name are missing", (int)unnamed);
}

// ---- The file ------------------------------------------------------------------------------------------------------

static void compare_file_extras(lister *l) {
    if (!same_member(l, 0, 0, "extras")) add(l, "the extras of the file differ");
    const sinewi_json_value a = sinewi_json_get(&l->documents[0]->json, 0, "asset"),
                            b = sinewi_json_get(&l->documents[1]->json, 0, "asset");
    if (!same_member(l, a, b, "extras")) add(l, "the extras of the asset differ");
    for (int32_t i = 0; i < l->documents[0]->scenes.count; i++) {
        const sinewi_json_value other =
            i < l->documents[1]->scenes.count ? l->documents[1]->scenes.values[i] : SINEWI_JSON_ABSENT;
        if (!same_member(l, l->documents[0]->scenes.values[i], other, "extras"))
            add(l, "scenes[%d]: the extras differ", (int)i);
    }
}

int32_t compare_differences(ref_document *const documents[2], const compare_body *body, const int32_t *clip_of,
                            compare_report report, void *user) {
    lister l = {.documents = documents,
                .models = body->models,
                .body = body,
                .clip_of = clip_of,
                .report = report,
                .user = user};
    bool *taken = sinewi_arena_zeros(body->arena, bool, (size_t)body->models[1]->animation_count);
    if (!taken) return -1;
    compare_clips(&l, taken);
    compare_nodes(&l);
    compare_file_extras(&l);
    return ref_within_budget(documents[0]) && ref_within_budget(documents[1]) ? l.count : -1;
}
