// SPDX-License-Identifier: MIT
// Names of JSON members, of clips, and of nodes that clips and skins use.
#include "lint/subject.h"

#include <stdlib.h>
#include <string.h>

// ---- JSON members ---------------------------------------------------------------------------------------------------

typedef struct member {
    const char *name;
    size_t length;
    sinewi_json_value key;
} member;

static int compare_members(const void *a, const void *b) {
    const member *x = (const member *)a, *y = (const member *)b;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    int order = memcmp(x->name, y->name, x->length);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

// Reads a member's name with its escapes decoded.
static member read_member(lint_subject *s, sinewi_json_value key) {
    member m = {.key = key};
    m.name = sinewi_json_raw_string(&s->document->json, key, &m.length);
    if (!m.name) m.name = sinewi_json_string(&s->document->json, key, s->arena, &m.length);
    if (!m.name) s->out_of_memory = true;
    return m;
}

// Counts the members with the same name as an earlier one. `*first` is the first one's key.
static int32_t count_repeated(lint_subject *s, sinewi_json_value object, member *members,
                              sinewi_json_value *first) {
    const sinewi_json *json = &s->document->json;
    int32_t count = 0, repeated = 0;
    for (sinewi_json_value key = object + 1; key < json->nodes[object].next; key = sinewi_json_next(json, key)) {
        members[count++] = read_member(s, key);
        if (s->out_of_memory) return 0;
    }
    qsort(members, (size_t)count, sizeof *members, compare_members);
    for (int32_t i = 1; i < count; i++) {
        const member *a = &members[i - 1], *b = &members[i];
        if (a->length != b->length || memcmp(a->name, b->name, a->length) != 0) continue;
        if (repeated == 0 || b->key < *first) *first = b->key;
        repeated++;
    }
    return repeated;
}

// Reports all of them as one finding, because finding a location is slow and a file may have any number of such
// members.
static void check_members(lint_subject *s) {
    const sinewi_json *json = &s->document->json;
    member *members = lint_array(s, member, json->node_count / 2 + 1);
    sinewi_json_value first = SINEWI_JSON_ABSENT;
    int32_t repeated = 0;
    for (sinewi_json_value v = 0; members && v < json->node_count; v++) {
        if (json->nodes[v].kind != SINEWI_JSON_OBJECT) continue;
        sinewi_json_value key;
        int32_t count = count_repeated(s, v, members, &key);
        if (s->out_of_memory) return;
        if (count > 0 && repeated == 0) first = key;
        repeated += count;
    }
    if (first == SINEWI_JSON_ABSENT) return;
    char location[192];
    sinewi_json_location(json, first + 1, location, sizeof location);
    lint_add(s, LINT_JSON_KEY_REPEATED, 0, lint_location(s, "%s", location),
             "the object has an earlier member with this name; the file has %d such member%s", (int)repeated,
             repeated == 1 ? "" : "s");
}

// ---- Clips and nodes ------------------------------------------------------------------------------------------------

typedef struct named {
    const char *name;
    int32_t index;
    bool matters; // programs may search for it or bind to it
} named;

static int compare_named(const void *a, const void *b) {
    const named *x = (const named *)a, *y = (const named *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_index(const void *a, const void *b) {
    return (int)((const named *)a)->index - (int)((const named *)b)->index;
}

// Reports the first and second object with the same name. `list` is the name of the file's array.
static void check_duplicates(lint_subject *s, const char *list, named *names, int32_t count) {
    qsort(names, (size_t)count, sizeof *names, compare_named);
    named *twice = lint_array(s, named, count);
    int32_t *first = lint_array(s, int32_t, count), *times = lint_array(s, int32_t, count), found = 0;
    if (s->out_of_memory) return;
    for (int32_t i = 0, end; i < count; i = end) {
        bool matters = false;
        for (end = i; end < count && strcmp(names[end].name, names[i].name) == 0; end++)
            matters |= names[end].matters;
        if (end - i < 2 || !matters || names[i].name[0] == '\0') continue;
        first[names[i + 1].index] = names[i].index;
        times[names[i + 1].index] = end - i;
        twice[found++] = names[i + 1];
    }
    qsort(twice, (size_t)found, sizeof *twice, compare_index); // in the file's order
    for (int32_t i = 0; i < found; i++) {
        int32_t index = twice[i].index;
        lint_add(s, LINT_NAME_DUPLICATE, 0, lint_location(s, "%s[%d].name", list, (int)index),
                 "'%s' is also the name of %s[%d]; %d objects share it", twice[i].name, list, (int)first[index],
                 (int)times[index]);
    }
}

static void check_clips(lint_subject *s) {
    named *names = lint_array(s, named, s->animation_count);
    for (int32_t i = 0; names && i < s->animation_count; i++) {
        names[i] = (named){s->animations[i].name, i, true};
        if (names[i].name[0] == '\0') {
            lint_add(s, LINT_NAME_MISSING, 0, lint_location(s, "animations[%d]", (int)i), "no name");
        }
    }
    if (names) check_duplicates(s, "animations", names, s->animation_count);
}

static void check_nodes(lint_subject *s) {
    named *names = lint_array(s, named, s->node_count);
    for (int32_t i = 0; names && i < s->node_count; i++) {
        const lint_node *node = &s->nodes[i];
        names[i] = (named){node->name, i, node->joint || node->animated};
        if (names[i].name[0] == '\0' && names[i].matters) {
            lint_add(s, LINT_NAME_MISSING, 0, lint_location(s, "nodes[%d]", (int)i), "%s without a name",
                     node->joint ? "a joint" : "an animated node");
        }
    }
    if (names) check_duplicates(s, "nodes", names, s->node_count);
}

void lint_check_names(lint_subject *s) {
    check_members(s);
    check_clips(s);
    check_nodes(s);
}
