// Names: of clips, and of the nodes that clips and skins are about.
#include "lint/subject.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
    const char *name;
    int32_t index;
    bool matters; // somebody may ask for it, or bind to it
} named;

static int compare_named(const void *a, const void *b) {
    const named *x = (const named *)a, *y = (const named *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_index(const void *a, const void *b) {
    return (int)((const named *)a)->index - (int)((const named *)b)->index;
}

// The first and the second of the same name are said; `list` is the file's array.
static void check_twice(lint_subject *s, const char *list, named *names, int32_t count) {
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
        int32_t at = twice[i].index;
        lint_add(s, LINT_NAME_DUPLICATE, 0, lint_place(s, "%s[%d].name", list, (int)at),
                 "'%s' is the name of %s[%d] too; %d have it", twice[i].name, list, (int)first[at], (int)times[at]);
    }
}

static void check_clips(lint_subject *s) {
    named *names = lint_array(s, named, s->animation_count);
    for (int32_t i = 0; names && i < s->animation_count; i++) {
        names[i] = (named){s->animations[i].name, i, true};
        if (names[i].name[0] == '\0') {
            lint_add(s, LINT_NAME_MISSING, 0, lint_place(s, "animations[%d]", (int)i), "no name");
        }
    }
    if (names) check_twice(s, "animations", names, s->animation_count);
}

static void check_nodes(lint_subject *s) {
    named *names = lint_array(s, named, s->node_count);
    for (int32_t i = 0; names && i < s->node_count; i++) {
        const lint_node *node = &s->nodes[i];
        names[i] = (named){node->name, i, node->joint || node->animated};
        if (names[i].name[0] == '\0' && names[i].matters) {
            lint_add(s, LINT_NAME_MISSING, 0, lint_place(s, "nodes[%d]", (int)i), "%s without a name",
                     node->joint ? "a joint" : "an animated node");
        }
    }
    if (names) check_twice(s, "nodes", names, s->node_count);
}

void lint_check_names(lint_subject *s) {
    check_clips(s);
    check_nodes(s);
}
