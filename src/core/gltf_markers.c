// SPDX-License-Identifier: MIT
// Clip markers are named times in seconds. glTF doesn't have them. They come from an animation's extras, and from a
// sidecar file in JSON if you can't edit the file itself.
//
// For each animation, the sidecar file has an array of markers, or an object with markers and curves. It refers to
// animations by name or index (see find_animation). The file is opened before making the skeleton, because the skeleton
// has the curves (gltf_curves.c). While reading it, g->json is its text and g->in_sidecar its name. Entries are the
// keys in the sorted lists for looking up names.
#include "base/file.h"
#include "core/gltf_import.h"

#include <float.h>
#include <string.h>

static bool is_in_clip(double seconds, float duration) {
    return seconds >= 0.0 && seconds <= (double)FLT_MAX && (float)seconds <= duration;
}

// ---- Finding by name -----------------------------------------------------------------------------------------------

// A binary search key: a marker's name and time, or an animation's name with time 0.
typedef struct entry {
    const char *name;
    float time;
    int32_t index;
} entry;

// Orders entries by name, then by time.
static bool precedes(const entry *a, const entry *b) {
    int order = strcmp(a->name, b->name);
    return order < 0 || (order == 0 && a->time < b->time);
}

// Merges the sorted runs [first, middle) and [middle, end). Stable.
static void merge_runs(const entry *from, entry *to, int64_t first, int64_t middle, int64_t end) {
    int64_t left = first, right = middle;
    for (int64_t i = first; i < end; i++) {
        bool take_right = left == middle || (right < end && precedes(&from[right], &from[left]));
        to[i] = from[take_right ? right++ : left++];
    }
}

// A merge sort takes n log n steps for any input, even a hostile one. Returns NULL if memory runs out.
static const entry *sort_entries(sinewi_import *g, entry *entries, int32_t count) {
    entry *from = entries, *to = sinewi_gltf_array(g, &g->scratch, entry, (size_t)count);
    if (!to) return NULL;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t i = 0; i < count; i += 2 * run) {
            int64_t middle = i + run < count ? i + run : count, end = i + 2 * run < count ? i + 2 * run : count;
            merge_runs(from, to, i, middle, end);
        }
        entry *merged = to;
        to = from;
        from = merged;
    }
    return from;
}

// Returns the index of the first equal entry, or -1.
static int32_t find_entry(const entry *sorted, int32_t count, const char *name, float time) {
    const entry wanted = {name, time, 0};
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (precedes(&sorted[middle], &wanted)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && !precedes(&wanted, &sorted[low]) ? sorted[low].index : -1;
}

// ---- The sidecar file: bytes ---------------------------------------------------------------------------------------

// Copies a resource from the caller's reader to scratch memory.
static bool read_borrowed(sinewi_import *g, const char *name, sinewi_gltf_bytes *bytes) {
    sinewi_gltf_bytes borrowed;
    if (!sinewi_gltf_load_through_reader(g, SINEWI_JSON_ABSENT, name, &borrowed)) return false;
    uint8_t *copy = sinewi_gltf_array(g, &g->scratch, uint8_t, borrowed.size);
    if (copy && borrowed.size > 0) memcpy(copy, borrowed.data, borrowed.size);
    *bytes = (sinewi_gltf_bytes){.data = copy, .size = borrowed.size};
    sinewi_gltf_release_bytes(g, &borrowed);
    return copy != NULL;
}

// Reads the sidecar file from the options. It must exist.
static bool read_given_sidecar(sinewi_import *g, sinewi_gltf_bytes *bytes) {
    g->in_sidecar = g->options.markers;
    if (g->options.reader.read) return read_borrowed(g, g->in_sidecar, bytes);
    if (g->path) return sinewi_gltf_read_file(g, g->in_sidecar, &g->scratch, bytes);
    return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_IO,
                            "this is an external resource, but no reader is set in the options");
}

// Reads the default sidecar file if it exists, for example Fox.markers.json for Fox.glb.
static bool read_default_sidecar(sinewi_import *g, sinewi_gltf_bytes *bytes) {
    static const char ending[] = ".markers.json";
    const size_t folder = strlen(g->folder);
    const char *dot = strrchr(g->path + folder, '.');
    const size_t length = dot ? (size_t)(dot - g->path) : strlen(g->path);
    char *path = sinewi_gltf_array(g, &g->scratch, char, length + sizeof ending);
    if (!path) return false;
    memcpy(path, g->path, length);
    memcpy(path + length, ending, sizeof ending);
    if (!sinewi_file_exists(path)) return true;
    g->in_sidecar = path + folder;
    return sinewi_gltf_read_file(g, path, &g->scratch, bytes);
}

// Reads the sidecar file and sets g->in_sidecar. Without a sidecar file, both stay NULL.
static bool read_sidecar(sinewi_import *g, sinewi_gltf_bytes *bytes) {
    *bytes = (sinewi_gltf_bytes){.data = NULL};
    if (g->options.markers) return read_given_sidecar(g, bytes);
    return !g->path || g->options.reader.read || read_default_sidecar(g, bytes);
}

// ---- The sidecar file: animations ----------------------------------------------------------------------------------

// The glTF file's animations.
typedef struct animation_names {
    const sinewi_json *json;
    const sinewi_gltf_list *list;
    const entry *names; // [list->count]: sorted
} animation_names;

// Sorts the animations' names for find_entry. Returns NULL if memory runs out.
static const entry *sort_names(sinewi_import *g, const sinewi_gltf_list *list) {
    entry *names = sinewi_gltf_array(g, &g->scratch, entry, (size_t)list->count);
    if (!names) return NULL;
    for (int32_t i = 0; i < list->count; i++) {
        sinewi_json_value name = sinewi_json_get(&g->json, list->values[i], "name");
        bool named = sinewi_json_kind_of(&g->json, name) == SINEWI_JSON_STRING; // make_clip reports other kinds
        names[i] = (entry){named ? sinewi_json_string(&g->json, name, &g->scratch, NULL) : "", 0.0f, i};
        if (names[i].name) continue;
        sinewi_gltf_fail_memory(g);
        return NULL;
    }
    return sort_entries(g, names, list->count);
}

// Finds the first animation with a name, or one by index as "#2". If it doesn't exist, sets the error and returns -1.
static int32_t find_animation(sinewi_import *g, const animation_names *a, sinewi_json_value key) {
    char shown[80], names[SINEWI_GLTF_NAMES_SIZE];
    const char *name = sinewi_json_string(&g->json, key, &g->scratch, NULL);
    if (!name) {
        sinewi_gltf_fail_memory(g);
        return -1;
    }
    int32_t animation = find_entry(a->names, a->list->count, name, 0.0f);
    if (animation < 0) animation = sinewi_gltf_index_from_name(name, a->list->count);
    if (animation >= 0) return animation;
    sinewi_json_quote(&g->json, key, shown, sizeof shown);
    sinewi_gltf_list_names(a->json, a->list->count, a->list->values, names, sizeof names);
    sinewi_gltf_set_error(g, key + 1, SINEW_ERROR_FORMAT, "there is no animation '%s'%s", shown, names);
    return -1;
}

// ---- The sidecar file: markers and curves --------------------------------------------------------------------------

static bool require_member(sinewi_import *g, sinewi_json_value marker, const char *key) {
    if (sinewi_json_get(&g->json, marker, key) != SINEWI_JSON_ABSENT) return true;
    return sinewi_gltf_fail(g, marker, SINEW_ERROR_FORMAT,
                            "%s is missing; write a marker as {\"name\": \"Foot_L\", \"time\": 0.12}", key);
}

// Appends a marker to its animation's list.
static bool read_sidecar_marker(sinewi_import *g, sinewi_json_value value, int32_t animation) {
    sinewi_gltf_sidecar *s = &g->sidecar;
    sinew_marker marker;
    bool read = require_member(g, value, "name") && require_member(g, value, "time") &&
                sinewi_gltf_get_string(g, value, "name", &g->scratch, &marker.name) &&
                sinewi_gltf_get_float(g, value, "time", &marker.time);
    if (!read) return false;
    const int32_t last = s->last_marker[animation];
    int32_t *end = last < 0 ? &s->first_marker[animation] : &s->markers[last].next;
    s->markers[s->marker_count] = (sinewi_gltf_marker){marker, -1};
    *end = s->last_marker[animation] = s->marker_count++;
    return true;
}

static bool read_sidecar_markers(sinewi_import *g, sinewi_json_value array, int32_t animation) {
    if (sinewi_json_kind_of(&g->json, array) != SINEWI_JSON_ARRAY)
        return sinewi_gltf_fail(g, array, SINEW_ERROR_FORMAT, "this is not an array of markers");
    for (sinewi_json_value e = sinewi_json_first(&g->json, array); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(&g->json, e))
        if (!read_sidecar_marker(g, e, animation)) return false;
    return true;
}

bool sinewi_gltf_is_curve(const sinewi_import *g, sinewi_json_value key) {
    const sinewi_json_value value = key + 1;
    return sinewi_json_get(&g->json, value, "times") != SINEWI_JSON_ABSENT &&
           sinewi_json_get(&g->json, value, "values") != SINEWI_JSON_ABSENT;
}

// Records where an animation's curves are. Each must have times and values, because a sidecar file can't contain
// anything else.
static bool note_sidecar_curves(sinewi_import *g, sinewi_json_value object, int32_t animation) {
    sinewi_gltf_sidecar *s = &g->sidecar;
    sinewi_gltf_curve_object curves = {object, 0, -1};
    if (sinewi_json_kind_of(&g->json, object) != SINEWI_JSON_OBJECT)
        return sinewi_gltf_fail(g, object, SINEW_ERROR_FORMAT, "this is not an object of curves");
    for (sinewi_json_value key = sinewi_json_first_key(&g->json, object); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&g->json, key), curves.count++) {
        if (sinewi_gltf_is_curve(g, key)) continue;
        return sinewi_gltf_fail(
            g, key + 1, SINEW_ERROR_FORMAT,
            "times or values are missing; write a curve as {\"times\": [0, 1], \"values\": [0, 1]}");
    }
    const int32_t last = s->last_curves[animation];
    int32_t *end = last < 0 ? &s->first_curves[animation] : &s->curves[last].next;
    s->curves[s->curves_count] = curves;
    *end = s->last_curves[animation] = s->curves_count++;
    return true;
}

// Reads an animation's markers and records its curves.
static bool read_sidecar_animation(sinewi_import *g, sinewi_json_value value, int32_t animation) {
    if (sinewi_json_kind_of(&g->json, value) == SINEWI_JSON_ARRAY) return read_sidecar_markers(g, value, animation);
    if (sinewi_json_kind_of(&g->json, value) != SINEWI_JSON_OBJECT)
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT,
                                "this is neither an array of markers nor an object with markers and curves");
    for (sinewi_json_value key = sinewi_json_first_key(&g->json, value); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&g->json, key)) {
        bool is_read;
        if (sinewi_json_equals(&g->json, key, "markers")) {
            is_read = read_sidecar_markers(g, key + 1, animation);
        } else if (sinewi_json_equals(&g->json, key, "curves")) {
            is_read = note_sidecar_curves(g, key + 1, animation);
        } else {
            is_read = sinewi_gltf_fail(g, key + 1, SINEW_ERROR_FORMAT,
                                       "an animation can only have \"markers\" and \"curves\"");
        }
        if (!is_read) return false;
    }
    return true;
}

static bool read_sidecar_animations(sinewi_import *g, const animation_names *a) {
    if (sinewi_json_kind_of(&g->json, 0) != SINEWI_JSON_OBJECT) {
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_FORMAT,
                                "the file is not an object; write {\"Walk\": [...], \"Run\": [...]}");
    }
    for (sinewi_json_value key = sinewi_json_first_key(&g->json, 0); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&g->json, key)) {
        const int32_t animation = find_animation(g, a, key);
        if (animation < 0 || !read_sidecar_animation(g, key + 1, animation)) return false;
    }
    return true;
}

// Allocates an array of indices, all -1.
static int32_t *take_links(sinewi_import *g, int32_t count) {
    int32_t *links = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)count);
    for (int32_t i = 0; links && i < count; i++) links[i] = -1;
    return links;
}

// Allocates the lists. A marker has at least five JSON nodes. An object with curves has at least two, its key and
// itself.
static bool allocate_lists(sinewi_import *g, int32_t animation_count) {
    sinewi_gltf_sidecar *s = &g->sidecar;
    const size_t nodes = (size_t)g->json.node_count;
    return (s->first_marker = take_links(g, animation_count)) &&
           (s->last_marker = take_links(g, animation_count)) &&
           (s->first_curves = take_links(g, animation_count)) &&
           (s->last_curves = take_links(g, animation_count)) &&
           (s->markers = sinewi_gltf_array(g, &g->scratch, sinewi_gltf_marker, nodes / 5)) &&
           (s->curves = sinewi_gltf_array(g, &g->scratch, sinewi_gltf_curve_object, nodes / 2));
}

// Reads the whole sidecar file into lists per animation, if there is one.
bool sinewi_gltf_open_sidecar(sinewi_import *g, const sinewi_gltf_list *list) {
    const sinewi_json file = g->json;
    const sinewi_json_value current = g->current;
    animation_names a = {.json = &file, .list = list};
    sinewi_gltf_bytes bytes;
    g->current = SINEWI_JSON_ABSENT; // the sidecar file's errors aren't located in the glTF file
    if (!read_sidecar(g, &bytes)) return false;
    if (!g->in_sidecar) {
        g->current = current;
        return true;
    }
    a.names = sort_names(g, list);
    if (!a.names) return false;
    const size_t mark = sinewi_gltf_bom_size(bytes.data, bytes.size);
    if (!sinewi_gltf_parse(g, (const char *)bytes.data + mark, bytes.size - mark)) return false;
    if (!allocate_lists(g, list->count) || !read_sidecar_animations(g, &a)) return false;
    g->sidecar.name = g->in_sidecar;
    g->sidecar.json = g->json;
    g->json = file; // on failure the sidecar stays current, so the error is located there
    g->in_sidecar = NULL;
    g->current = current;
    return true;
}

// ---- A clip's markers ----------------------------------------------------------------------------------------------

// Returns whether a value is a marker inside the clip. Other values aren't errors, because extras may hold anything.
static bool is_marker(const sinewi_import *g, sinewi_json_value value, float duration) {
    sinewi_json_value seconds = sinewi_json_get(&g->json, value, "time"),
                      name = sinewi_json_get(&g->json, value, "name");
    return sinewi_json_kind_of(&g->json, seconds) == SINEWI_JSON_NUMBER &&
           (name == SINEWI_JSON_ABSENT || sinewi_json_kind_of(&g->json, name) == SINEWI_JSON_STRING) &&
           is_in_clip(sinewi_json_number(&g->json, seconds), duration);
}

// Adds the markers in an animation's extras. Ignores elements that aren't markers, and logs them.
static bool add_extras(sinewi_import *g, int32_t animation, sinewi_json_value array, float duration,
                       sinew_marker *markers, int32_t *count) {
    for (sinewi_json_value m = sinewi_json_first(&g->json, array); m != SINEWI_JSON_ABSENT;
         m = sinewi_json_following(&g->json, m)) {
        if (!is_marker(g, m, duration)) {
            sinewi_gltf_log(
                g, "animations[%d].extras.markers: an element without a name or a time within the clip is ignored",
                (int)animation);
            continue;
        }
        sinew_marker *marker = &markers[(*count)++];
        marker->time = (float)sinewi_json_number(&g->json, sinewi_json_get(&g->json, m, "time"));
        if (!sinewi_gltf_get_string(g, m, "name", &g->scratch, &marker->name)) return false;
    }
    return true;
}

// Adds the sidecar file's markers, except markers with the same name and time as one in the extras.
static bool add_sidecar_markers(sinewi_import *g, int32_t animation, float duration, sinew_marker *markers,
                                int32_t *count) {
    const int32_t extras_count = *count;
    entry *entries = sinewi_gltf_array(g, &g->scratch, entry, (size_t)extras_count);
    if (!entries) return false;
    for (int32_t i = 0; i < extras_count; i++) entries[i] = (entry){markers[i].name, markers[i].time, i};
    const entry *sorted = sort_entries(g, entries, extras_count);
    if (!sorted) return false;
    for (int32_t i = g->sidecar.first_marker[animation]; i >= 0; i = g->sidecar.markers[i].next) {
        const sinew_marker *marker = &g->sidecar.markers[i].marker;
        if (!is_in_clip((double)marker->time, duration)) {
            sinewi_gltf_log(g,
                            "animations[%d]: a marker at %g s in the sidecar file is ignored, because the clip "
                            "runs from 0 to %g s",
                            (int)animation, (double)marker->time, (double)duration);
        } else if (find_entry(sorted, extras_count, marker->name, marker->time) < 0) {
            markers[(*count)++] = *marker;
        }
    }
    return true;
}

// Collects a clip's markers, first from the extras and then from the sidecar file.
bool sinewi_gltf_read_markers(sinewi_import *g, int32_t animation, sinewi_json_value value, float duration,
                              sinew_clip_def *def) {
    sinewi_json_value extras = sinewi_json_get(&g->json, value, "extras");
    sinewi_json_value array = sinewi_json_get(&g->json, extras, "markers");
    int32_t sidecar = g->sidecar.name ? g->sidecar.first_marker[animation] : -1,
            max_count = sinewi_json_count(&g->json, array);
    for (int32_t i = sidecar; i >= 0; i = g->sidecar.markers[i].next) max_count++;
    sinew_marker *markers = sinewi_gltf_array(g, &g->scratch, sinew_marker, (size_t)max_count);
    if (!markers) return false;
    def->markers = markers;
    return add_extras(g, animation, array, duration, markers, &def->marker_count) &&
           (sidecar < 0 || add_sidecar_markers(g, animation, duration, markers, &def->marker_count));
}
