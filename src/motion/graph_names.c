// SPDX-License-Identifier: MIT
// Names of parameters and states, which are the keys of an object. They are sorted to find names quickly and to make
// duplicates adjacent.
#include "motion/graph_text.h"

#include "base/merge_sort.h"
#include "base/nearest_name.h"

#include <string.h>

static int compare_names(const void *a, const void *b, const void *context) {
    (void)context;
    return strcmp(((const sinewi_graph_name *)a)->name, ((const sinewi_graph_name *)b)->name);
}

static int32_t count_keys(const sinewi_json *json, sinewi_json_value object) {
    int32_t count = 0;
    for (sinewi_json_value key = sinewi_json_first_key(json, object); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(json, key))
        count++;
    return count;
}

// Copies all names except comments to `all`, in the order of the text.
static bool collect_names(sinewi_graph_text *t, sinewi_json_value object, sinewi_graph_name *all, int32_t *count) {
    sinewi_json_value comment = SINEWI_JSON_ABSENT;
    for (sinewi_json_value key = sinewi_json_first_key(&t->json, object); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&t->json, key)) {
        if (sinewi_json_equals(&t->json, key, SINEWI_GRAPH_COMMENT)) {
            if (comment != SINEWI_JSON_ABSENT) return sinewi_graph_fail_duplicate(t, key, comment);
            comment = key;
            continue;
        }
        const char *name = sinewi_graph_copy_string(t, key);
        if (!name) return false;
        all[*count] = (sinewi_graph_name){name, key, *count};
        ++*count;
    }
    return true;
}

bool sinewi_graph_read_names(sinewi_graph_text *t, sinewi_json_value object, const char *noun,
                             sinewi_graph_names *names) {
    *names = (sinewi_graph_names){.noun = noun};
    if (object == SINEWI_JSON_ABSENT) return true;
    if (sinewi_json_kind_of(&t->json, object) != SINEWI_JSON_OBJECT)
        return sinewi_graph_fail_type(t, object, "an object");
    const size_t max = (size_t)count_keys(&t->json, object);
    sinewi_graph_name *all = sinewi_graph_scratch(t, sinewi_graph_name, max);
    sinewi_graph_name *copy = sinewi_graph_scratch(t, sinewi_graph_name, max);
    sinewi_graph_name *other = sinewi_graph_scratch(t, sinewi_graph_name, max);
    if (!all || !copy || !other || !collect_names(t, object, all, &names->count)) return false;
    memcpy(copy, all, (size_t)names->count * sizeof *all);
    names->in_order = all;
    names->sorted = (const sinewi_graph_name *)sinewi_merge_sort(copy, other, (size_t)names->count, sizeof *copy,
                                                                 compare_names, NULL);
    for (int32_t i = 1; i < names->count; i++) {
        const sinewi_graph_name *first = &names->sorted[i - 1], *second = &names->sorted[i];
        if (strcmp(first->name, second->name) == 0) return sinewi_graph_fail_duplicate(t, second->key, first->key);
    }
    return true;
}

static bool fail_unknown_name(sinewi_graph_text *t, const sinewi_graph_names *names, sinewi_json_value string,
                              const char *name) {
    char quote[64];
    sinewi_json_quote(&t->json, string, quote, sizeof quote);
    sinewi_nearest nearest = sinewi_nearest_begin(name, strlen(name));
    for (int32_t i = 0; i < names->count; i++) sinewi_nearest_try(&nearest, names->in_order[i].name);
    if (nearest.name[0] == '\0') return sinewi_graph_fail(t, string, "no %s is named \"%s\"", names->noun, quote);
    return sinewi_graph_fail(t, string, "no %s is named \"%s\"; did you mean \"%s\"?", names->noun, quote,
                             nearest.name);
}

bool sinewi_graph_find_name(sinewi_graph_text *t, const sinewi_graph_names *names, sinewi_json_value string,
                            int32_t *position) {
    const char *name = NULL;
    if (!sinewi_graph_read_string(t, string, &name)) return false;
    int32_t low = 0, high = names->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(names->sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == names->count || strcmp(names->sorted[low].name, name) != 0)
        return fail_unknown_name(t, names, string, name);
    *position = names->sorted[low].position;
    return true;
}
