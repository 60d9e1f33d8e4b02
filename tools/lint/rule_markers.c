// SPDX-License-Identifier: MIT
// Markers, in an animation's extras and in the sidecar file.
#include "lint/subject.h"

#include "files/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Markers with the same name that are closer than this, in seconds, are probably meant to be one.
#define CLOSE 0.001

typedef struct marker {
    const char *name;
    double time;
    const char *location;
    bool in_sidecar;
} marker;

typedef struct markers {
    int32_t count, capacity;
    marker *all;
} markers;

// ---- The sidecar file ----------------------------------------------------------------------------------------------

// Returns the sidecar file's path, NAME.markers.json for NAME.glb, or NULL if memory runs out.
static char *sidecar_path(lint_subject *s, const char *path) {
    static const char ending[] = ".markers.json";
    const size_t folder = strlen(s->document->folder);
    const char *dot = strrchr(path + folder, '.');
    const size_t length = dot ? (size_t)(dot - path) : strlen(path);
    char *sidecar = lint_array(s, char, length + sizeof ending);
    if (!sidecar) return NULL;
    memcpy(sidecar, path, length);
    memcpy(sidecar + length, ending, sizeof ending);
    return sidecar;
}

// Returns NULL if the sidecar file is missing or empty.
static const char *read_text(lint_subject *s, const char *path, size_t *size) {
    if (files_size(path, size) || *size == 0) return NULL;
    char *text = lint_array(s, char, *size);
    return text && !files_read(path, text, *size) ? text : NULL;
}

// Parses the sidecar file, if there is one. It's valid, because the library accepted the file. Returns false otherwise.
static bool read_sidecar(lint_subject *s, const char *path, sinewi_json *json) {
    sinewi_json_problem problem;
    size_t size = 0;
    const char *sidecar = sidecar_path(s, path);
    const char *text = sidecar ? read_text(s, sidecar, &size) : NULL;
    if (!text) return false;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // a byte order mark
        text += 3;
        size -= 3;
    }
    return size > 0 && sinewi_json_parse(json, text, size, s->arena, &problem) == SINEW_OK;
}

// An animation's name, for a binary search.
typedef struct clip_name {
    const char *name;
    int32_t index;
} clip_name;

static int compare_names(const void *a, const void *b) {
    const clip_name *x = (const clip_name *)a, *y = (const clip_name *)b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static const clip_name *sort_names(lint_subject *s) {
    clip_name *names = lint_array(s, clip_name, s->animation_count);
    for (int32_t i = 0; names && i < s->animation_count; i++) names[i] = (clip_name){s->animations[i].name, i};
    if (names) qsort(names, (size_t)s->animation_count, sizeof *names, compare_names);
    return names;
}

// Returns the first animation with that name, or the one with that number, like "#2".
static int32_t animation_of(const lint_subject *s, const clip_name *names, const char *name) {
    int32_t low = 0, high = s->animation_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(names[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < s->animation_count && strcmp(names[low].name, name) == 0) return names[low].index;
    return name[0] == '#' ? (int32_t)strtol(name + 1, NULL, 10) : -1;
}

// ---- Gathering -----------------------------------------------------------------------------------------------------

// Makes room for `more` markers. The capacity doubles, because a file may name one clip many times.
static bool reserve(lint_subject *s, markers *m, int32_t more) {
    if (more <= m->capacity - m->count) return true;
    const int32_t capacity = m->count + (more > m->count ? more : m->count);
    marker *all = lint_array(s, marker, capacity);
    if (!all) return false;
    if (m->count > 0) memcpy(all, m->all, (size_t)m->count * sizeof *all);
    m->all = all;
    m->capacity = capacity;
    return true;
}

static void add(lint_subject *s, const sinewi_json *json, sinewi_json_value array, const char *location,
                bool in_sidecar, markers *to) {
    int32_t index = 0;
    if (!reserve(s, to, sinewi_json_count(json, array))) return;
    for (sinewi_json_value e = sinewi_json_first(json, array); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e), index++) {
        sinewi_json_value time = sinewi_json_get(json, e, "time"), name = sinewi_json_get(json, e, "name");
        if (sinewi_json_kind_of(json, time) != SINEWI_JSON_NUMBER) continue; // extras may contain anything
        const bool named = sinewi_json_kind_of(json, name) == SINEWI_JSON_STRING;
        const char *text = named ? sinewi_json_string(json, name, s->arena, NULL) : "";
        if (!text) s->out_of_memory = true;
        to->all[to->count++] = (marker){text ? text : "", sinewi_json_number(json, time),
                                        lint_location(s, "%s[%d]", location, (int)index), in_sidecar};
    }
}

static void add_extras(lint_subject *s, int32_t index, markers *to) {
    const sinewi_json *json = &s->document->json;
    sinewi_json_value extras = sinewi_json_get(json, s->animations[index].value, "extras");
    const char *location = lint_location(s, "animations[%d].extras.markers", (int)index);
    add(s, json, sinewi_json_get(json, extras, "markers"), location, false, to);
}

static void add_sidecar(lint_subject *s, const sinewi_json *json, markers *by_clip) {
    const clip_name *names = sort_names(s);
    if (!names) return;
    for (sinewi_json_value key = sinewi_json_first_key(json, 0); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(json, key)) {
        const char *name = sinewi_json_string(json, key, s->arena, NULL);
        if (!name) s->out_of_memory = true;
        const int32_t index = name ? animation_of(s, names, name) : -1;
        if (index < 0 || index >= s->animation_count) continue;
        const bool is_object = sinewi_json_kind_of(json, key + 1) == SINEWI_JSON_OBJECT;
        const sinewi_json_value array = is_object ? sinewi_json_get(json, key + 1, "markers") : key + 1;
        const char *location = lint_location(s, "sidecar file: %s%s", name, is_object ? ".markers" : "");
        add(s, json, array, location, true, &by_clip[index]);
    }
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

// Checks times as floats, like the library.
static void check_outside(lint_subject *s, int32_t index, const markers *m) {
    const double end = s->animations[index].end;
    for (int32_t i = 0; i < m->count; i++) {
        const marker *one = &m->all[i];
        if (one->time >= 0.0 && one->time < (double)INFINITY && (double)(float)fmin(one->time, 1e30) <= end)
            continue;
        lint_add(s, LINT_MARKER_OUTSIDE, 0, one->location, "'%s' is at %.6g s, but %s runs from 0 to %.6g s",
                 one->name, one->time, lint_clip_label(s, index), end);
    }
}

static int by_name(const void *a, const void *b) {
    const marker *x = (const marker *)a, *y = (const marker *)b;
    const int order = strcmp(x->name, y->name);
    if (order != 0) return order;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (int)x->in_sidecar - (int)y->in_sidecar;
}

// Finds markers with the same name that are close. If the file and the sidecar file both have a marker at the same
// float, it's one marker.
static void check_duplicates(lint_subject *s, markers *m) {
    if (m->count == 0) return;
    qsort(m->all, (size_t)m->count, sizeof *m->all, by_name);
    for (int32_t i = 1; i < m->count; i++) {
        const marker *first = &m->all[i - 1], *second = &m->all[i];
        if (strcmp(first->name, second->name) != 0 || second->time - first->time > CLOSE) continue;
        if ((float)first->time == (float)second->time && first->in_sidecar != second->in_sidecar) continue;
        lint_add(s, LINT_MARKER_TWICE, 0, second->location, "'%s' is at %.6g s, and also at %.6g s in %s",
                 second->name, second->time, first->time, first->location);
    }
}

void lint_check_markers(lint_subject *s, const char *path) {
    sinewi_json sidecar;
    markers *by_clip = lint_array(s, markers, s->animation_count);
    if (!by_clip) return;
    for (int32_t i = 0; i < s->animation_count; i++) add_extras(s, i, &by_clip[i]);
    if (read_sidecar(s, path, &sidecar)) add_sidecar(s, &sidecar, by_clip);
    for (int32_t i = 0; i < s->animation_count && !s->out_of_memory; i++) {
        check_outside(s, i, &by_clip[i]);
        check_duplicates(s, &by_clip[i]);
    }
}
