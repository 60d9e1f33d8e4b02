// Members of JSON objects that have one name.
#include "lint/subject.h"

#include <stdlib.h>
#include <string.h>

typedef struct member {
    const char *name;
    size_t length;
    sinew_json_value key;
} member;

static int compare_members(const void *a, const void *b) {
    const member *x = (const member *)a, *y = (const member *)b;
    if (x->length != y->length) return x->length < y->length ? -1 : 1;
    int order = memcmp(x->name, y->name, x->length);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

// Names are compared as what their escapes stand for.
static member read_member(lint_subject *s, sinew_json_value key) {
    member m = {.key = key};
    m.name = sinew_json_raw_string(&s->document->json, key, &m.length);
    if (!m.name) m.name = sinew_json_string(&s->document->json, key, s->arena, &m.length);
    if (!m.name) s->out_of_memory = true;
    return m;
}

// Returns how many members have the name of an earlier one; `*first` is the first of those in the object.
static int32_t count_repeated(lint_subject *s, sinew_json_value object, member *members, sinew_json_value *first) {
    const sinew_json *json = &s->document->json;
    int32_t count = 0, repeated = 0;
    for (sinew_json_value key = object + 1; key < json->nodes[object].next; key = json->nodes[key].next) {
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

// One finding for all: places of members are slow to write, and a file may have as many of them as it likes.
void lint_check_json(lint_subject *s) {
    const sinew_json *json = &s->document->json;
    member *members = lint_array(s, member, json->node_count / 2 + 1);
    sinew_json_value first = SINEW_JSON_ABSENT;
    int32_t repeated = 0;
    for (sinew_json_value v = 0; members && v < json->node_count; v++) {
        if (json->nodes[v].kind != SINEW_JSON_OBJECT) continue;
        sinew_json_value key;
        int32_t count = count_repeated(s, v, members, &key);
        if (s->out_of_memory) return;
        if (count > 0 && repeated == 0) first = key;
        repeated += count;
    }
    if (first == SINEW_JSON_ABSENT) return;
    char place[192];
    sinew_json_location(json, first + 1, place, sizeof place);
    lint_add(s, LINT_JSON_KEY_REPEATED, 0, lint_place(s, "%s", place),
             "the object has an earlier member of that name; %d such member%s in the file", (int)repeated,
             repeated == 1 ? "" : "s");
}
