// SPDX-License-Identifier: MIT
// Curves are named floats in clips. glTF doesn't have them. They come from an animation's extras, from the sidecar file
// (gltf_markers.c), and from KHR_animation_pointer channels that animate neither transforms nor morph weights. The
// skeleton has the curves of all animations, so they are listed before making it. First come the extras, then the
// sidecar file, then a curve for each component of each animated property, in file order.
#include "base/merge_sort.h"
#include "core/gltf_import.h"

#include <stdio.h>
#include <string.h>

// ---- Lists without duplicates -----------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b, const void *context) {
    const char *const *names = (const char *const *)context;
    const int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;
    const int order = strcmp(names[first], names[second]);
    return order != 0 ? order : (first > second) - (first < second);
}

// Marks the first of each set of equal names.
static bool mark_first(sinewi_import *g, const char *const *names, int32_t count, bool *is_first) {
    int32_t *order = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)count);
    int32_t *other = sinewi_gltf_array(g, &g->scratch, int32_t, (size_t)count);
    if (!order || !other) return false;
    for (int32_t i = 0; i < count; i++) order[i] = i;
    const int32_t *sorted = (const int32_t *)sinewi_merge_sort(order, other, (size_t)count, sizeof *order,
                                                               compare_names, (const void *)names);
    for (int32_t i = 0; i < count; i++) {
        is_first[sorted[i]] = i == 0 || strcmp(names[sorted[i - 1]], names[sorted[i]]) != 0;
    }
    return true;
}

// ---- Curves of extras and of the sidecar file -------------------------------------------------------------------

static sinewi_json_value curves_of(const sinewi_import *g, sinewi_json_value animation) {
    return sinewi_json_get(&g->json, sinewi_json_get(&g->json, animation, "extras"), "curves");
}

static const char *read_name(sinewi_import *g, sinewi_json_value key) {
    const char *name = sinewi_json_string(&g->json, key, &g->scratch, NULL);
    if (!name) sinewi_gltf_fail_memory(g);
    return name;
}

// A name that starts with a slash belongs to an animated property.
static bool check_name(sinewi_import *g, sinewi_json_value key, const char *name) {
    if (name[0] == '\0') return sinewi_gltf_fail(g, key + 1, SINEW_ERROR_FORMAT, "a curve needs a name");
    if (name[0] == '/')
        return sinewi_gltf_fail(g, key + 1, SINEW_ERROR_FORMAT,
                                "a curve's name must not start with '/', which is for animated properties");
    return true;
}

// A list of curve names. `names` is NULL while counting.
typedef struct name_list {
    const char **names;
    int32_t count;
} name_list;

static void log_ignored(const sinewi_import *g, int32_t animation, sinewi_json_value key, const char *reason) {
    char name[80];
    sinewi_json_quote(&g->json, key, name, sizeof name);
    sinewi_gltf_log(g, "%sanimations[%d].%scurves.%s: ignored, because %s",
                    g->in_sidecar ? "the sidecar file: " : "", (int)animation, g->in_sidecar ? "" : "extras.", name,
                    reason);
}

// Logs that a curve is ignored because of the current error.
static void log_fault(sinewi_import *g, int32_t animation, sinewi_json_value key) {
    sinewi_gltf_fault fault;
    log_ignored(g, animation, key, sinewi_gltf_describe_fault(g, &fault));
}

// Adds the curves in an animation's object. Other values in extras aren't errors, because extras may hold anything. In
// the sidecar file, every member must be a curve.
static bool list_object(sinewi_import *g, sinewi_json_value object, int32_t animation, name_list *list) {
    for (sinewi_json_value key = sinewi_json_first_key(&g->json, object); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&g->json, key)) {
        if (!sinewi_gltf_is_curve(g, key)) {
            if (!list->names) log_ignored(g, animation, key, "it has no times and values");
            continue;
        }
        if (list->names) {
            const char *name = list->names[list->count] = read_name(g, key);
            if (!name) return false;
            if (!check_name(g, key, name)) {
                if (g->in_sidecar) return false;
                log_fault(g, animation, key);
                continue;
            }
        }
        list->count++;
    }
    return true;
}

// Switches to reading the sidecar file. Returns the glTF file's JSON for leave_sidecar. On failure the sidecar stays
// current, so the error is located there.
static sinewi_json enter_sidecar(sinewi_import *g) {
    const sinewi_json file = g->json;
    g->json = g->sidecar.json;
    g->in_sidecar = g->sidecar.name;
    return file;
}

static void leave_sidecar(sinewi_import *g, const sinewi_json *file) {
    g->json = *file;
    g->in_sidecar = NULL;
}

// Counts the curves in all animations' extras and in the sidecar file. Also lists their names if the list has room for
// them.
static bool list_names(sinewi_import *g, const sinewi_gltf_list *animations, name_list *list) {
    list->count = 0;
    for (int32_t i = 0; i < animations->count; i++) {
        const sinewi_json_value curves = curves_of(g, animations->values[i]);
        const bool is_object =
            curves == SINEWI_JSON_ABSENT || sinewi_json_kind_of(&g->json, curves) == SINEWI_JSON_OBJECT;
        if (!is_object && !list->names)
            sinewi_gltf_log(g, "animations[%d].extras.curves: ignored, because it is not an object", (int)i);
        if (!list_object(g, curves, i, list)) return false;
    }
    if (!g->sidecar.name) return true;
    const sinewi_json file = enter_sidecar(g);
    for (int32_t i = 0; i < g->sidecar.curves_count; i++)
        if (!list_object(g, g->sidecar.curves[i].value, -1, list)) return false;
    leave_sidecar(g, &file);
    return true;
}

// ---- Curves of properties ---------------------------------------------------------------------------------------

// Ignores a pointer that leads nowhere. Reading the channel will report it.
static bool resolve_or_leave_out(sinewi_import *g, sinewi_json_value target, sinewi_gltf_pointer *out) {
    if (sinewi_gltf_resolve_pointer(g, target, out)) return true;
    out->kind = SINEWI_GLTF_POINTER_IGNORED;
    return g->error->result == SINEW_ERROR_FORMAT || g->error->result == SINEW_ERROR_UNSUPPORTED;
}

// Counts the properties that the channels of all animations point to. Also lists them if there is a list.
static bool list_properties(sinewi_import *g, const sinewi_gltf_list *animations, sinewi_gltf_pointer *properties,
                            int32_t *count) {
    *count = 0;
    for (int32_t i = 0; i < animations->count; i++) {
        const sinewi_json_value channels = sinewi_json_get(&g->json, animations->values[i], "channels");
        for (sinewi_json_value e = sinewi_json_first(&g->json, channels); e != SINEWI_JSON_ABSENT;
             e = sinewi_json_following(&g->json, e)) {
            const sinewi_json_value target = sinewi_json_get(&g->json, e, "target");
            if (!sinewi_gltf_has_pointer(g, target)) continue;
            if (properties) {
                g->current = e;
                if (!resolve_or_leave_out(g, target, &properties[*count])) return false;
                if (properties[*count].kind != SINEWI_GLTF_POINTER_PROPERTY) continue;
            }
            ++*count;
        }
    }
    return true;
}

const char *sinewi_gltf_curve_name(sinewi_import *g, const sinew_animated_property *property, int32_t component) {
    if (property->component_count == 1) return property->pointer;
    const size_t size = strlen(property->pointer) + 12;
    char *name = sinewi_gltf_array(g, &g->scratch, char, size);
    if (name) snprintf(name, size, "%s.%d", property->pointer, (int)component);
    return name;
}

// Drops duplicate properties. `components` receives the total number of their components.
static bool drop_duplicates(sinewi_import *g, sinewi_gltf_pointer *properties, int32_t *count,
                            int64_t *components) {
    const char **names = sinewi_gltf_array(g, &g->scratch, const char *, (size_t)*count);
    bool *is_first = sinewi_gltf_array(g, &g->scratch, bool, (size_t)*count);
    if (!names || !is_first) return false;
    for (int32_t i = 0; i < *count; i++) names[i] = properties[i].property.pointer;
    if (!mark_first(g, names, *count, is_first)) return false;
    int32_t kept = 0;
    *components = 0;
    for (int32_t i = 0; i < *count; i++) {
        if (!is_first[i]) continue;
        *components += properties[i].property.component_count;
        properties[kept++] = properties[i];
    }
    *count = kept;
    return true;
}

// ---- All --------------------------------------------------------------------------------------------------------

// Adds the curves of properties, and lists the properties in the asset.
static bool add_properties(sinewi_import *g, const sinewi_gltf_pointer *properties, int32_t count) {
    sinew_animated_property *list = sinewi_gltf_array(g, g->arena, sinew_animated_property, (size_t)count);
    if (!list) return false;
    for (int32_t i = 0; i < count; i++) {
        const size_t prefix = (size_t)(properties[i].property.name - properties[i].property.pointer);
        list[i] = properties[i].property;
        list[i].first_curve = g->curves.count;
        list[i].pointer = sinewi_arena_string(g->arena, list[i].pointer, strlen(list[i].pointer));
        if (!list[i].pointer) return sinewi_gltf_fail_memory(g);
        list[i].name = list[i].pointer + prefix;
        for (int32_t k = 0; k < list[i].component_count; k++) {
            const char *name = sinewi_gltf_curve_name(g, &properties[i].property, k);
            if (!name) return false;
            g->curves.names[g->curves.count] = name;
            g->curves.rest[g->curves.count++] = properties[i].rest[k];
        }
    }
    g->asset->animated_properties = list;
    g->asset->animated_property_count = count;
    return true;
}

// Lists the curves from the options.
static bool list_requested(sinewi_import *g, const char **names) {
    for (int32_t i = 0; i < g->options.curve_count; i++) {
        names[i] = g->options.curve_names[i];
        if (names[i] && names[i][0] != '\0' && names[i][0] != '/') continue;
        return sinewi_gltf_fail(g, SINEWI_JSON_ABSENT, SINEW_ERROR_ARGUMENT,
                                "sinew_gltf_options: curve_names[%d] isn't a curve name", (int)i);
    }
    return true;
}

bool sinewi_gltf_list_curves(sinewi_import *g) {
    sinewi_gltf_list animations;
    name_list list = {NULL, 0};
    int32_t property_count;
    int64_t components;
    if (!sinewi_gltf_get_list(g, 0, "animations", SINEWI_JSON_OBJECT, &animations) ||
        !sinewi_gltf_open_sidecar(g, &animations) || !list_names(g, &animations, &list) ||
        !list_properties(g, &animations, NULL, &property_count))
        return false;
    const int32_t requested = g->options.curve_count > 0 ? g->options.curve_count : 0;
    int32_t name_count = list.count + requested;
    if (name_count + property_count == 0) return true;
    const char **names = list.names = sinewi_gltf_array(g, &g->scratch, const char *, (size_t)name_count);
    bool *is_first = sinewi_gltf_array(g, &g->scratch, bool, (size_t)name_count);
    sinewi_gltf_pointer *properties =
        sinewi_gltf_array(g, &g->scratch, sinewi_gltf_pointer, (size_t)property_count);
    if (!names || !is_first || !properties || !list_names(g, &animations, &list)) return false;
    name_count = list.count + requested;
    if (!list_requested(g, names + list.count) || !mark_first(g, names, name_count, is_first) ||
        !list_properties(g, &animations, properties, &property_count) ||
        !drop_duplicates(g, properties, &property_count, &components))
        return false;
    const size_t capacity = (size_t)(name_count + components);
    g->curves.names = sinewi_gltf_array(g, &g->scratch, const char *, capacity);
    g->curves.rest = sinewi_gltf_zeros(g, &g->scratch, float, capacity);
    if (!g->curves.names || !g->curves.rest) return false;
    for (int32_t i = 0; i < name_count; i++) {
        if (is_first[i]) g->curves.names[g->curves.count++] = names[i];
    }
    return add_properties(g, properties, property_count);
}

void sinewi_gltf_find_property_nodes(sinewi_import *g) {
    // The import owns the list until the asset is finished.
    sinew_animated_property *list = (sinew_animated_property *)(uintptr_t)g->asset->animated_properties;
    for (int32_t i = 0; i < g->asset->animated_property_count; i++) {
        if (list[i].target == SINEW_PROPERTY_NODE)
            list[i].index = g->asset->skeleton->node_of_source[list[i].index];
    }
}

// ---- Channels ---------------------------------------------------------------------------------------------------

// Reads an array of numbers.
static bool read_numbers(sinewi_import *g, sinewi_json_value curve, const char *key, int32_t *count,
                         const float **out) {
    sinewi_gltf_list list;
    if (!sinewi_gltf_get_list(g, curve, key, SINEWI_JSON_NUMBER, &list)) return false;
    float *numbers = sinewi_gltf_array(g, &g->scratch, float, (size_t)list.count);
    if (!numbers) return false;
    for (int32_t i = 0; i < list.count; i++)
        if (!sinewi_gltf_check_float(g, list.values[i], &numbers[i])) return false;
    *count = list.count;
    *out = numbers;
    return true;
}

static bool read_curve(sinewi_import *g, sinewi_json_value value, sinew_channel_def *channel) {
    static const char *const words[] = {"STEP", "LINEAR", "CUBICSPLINE", NULL};
    int word = SINEW_INTERPOLATION_LINEAR;
    int32_t count;
    if (!sinewi_gltf_get_word(g, value, "interpolation", words, &word)) return false;
    if (word < 0)
        return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "interpolation is not STEP, LINEAR or CUBICSPLINE");
    channel->interpolation = (sinew_interpolation)word;
    if (!read_numbers(g, value, "times", &channel->key_count, &channel->times)) return false;
    if (channel->key_count == 0) return sinewi_gltf_fail(g, value, SINEW_ERROR_FORMAT, "has no keys");
    if (!sinewi_gltf_check_times(g, sinewi_json_get(&g->json, value, "times"), channel->times,
                                 channel->key_count) ||
        !read_numbers(g, value, "values", &count, &channel->values))
        return false;
    const int32_t per_key = word == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    return (int64_t)count == (int64_t)per_key * channel->key_count ||
           sinewi_gltf_fail(g, sinewi_json_get(&g->json, value, "values"), SINEW_ERROR_FORMAT,
                            "%d values do not make %d keys of %d each", (int)count, (int)channel->key_count,
                            (int)per_key);
}

// Returns the first object with curves for an animation in the sidecar file, or -1.
static int32_t first_object(const sinewi_import *g, int32_t animation) {
    return g->sidecar.name ? g->sidecar.first_curves[animation] : -1;
}

int32_t sinewi_gltf_count_curves(const sinewi_import *g, int32_t animation, sinewi_json_value value) {
    const sinewi_json_value curves = curves_of(g, value);
    int32_t count = 0;
    for (int32_t i = first_object(g, animation); i >= 0; i = g->sidecar.curves[i].next)
        count += g->sidecar.curves[i].count;
    for (sinewi_json_value key = sinewi_json_first_key(&g->json, curves); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&g->json, key))
        count += sinewi_gltf_is_curve(g, key);
    return count;
}

// Claims a curve for an animation's object. If another object already has it, logs this and returns false. `last_with`
// is negative for the sidecar file's curves.
static bool take_curve(const sinewi_import *g, int32_t animation, sinewi_json_value key, int32_t *last_with) {
    const bool is_taken = *last_with == animation + 1 || *last_with == -(animation + 1);
    const bool replaces = is_taken && *last_with < 0 && !g->in_sidecar;
    if (is_taken)
        log_ignored(g, animation, key,
                    replaces ? "the sidecar file has the curve" : "an earlier curve has the same name");
    if (!is_taken) *last_with = g->in_sidecar ? -(animation + 1) : animation + 1;
    return !is_taken;
}

static bool read_object(sinewi_import *g, int32_t animation, sinewi_json_value object, int32_t *last_with,
                        sinew_channel_def *channels, int32_t *count) {
    for (sinewi_json_value key = sinewi_json_first_key(&g->json, object); key != SINEWI_JSON_ABSENT;
         key = sinewi_json_following(&g->json, key)) {
        if (!sinewi_gltf_is_curve(g, key)) continue;
        const char *name = read_name(g, key);
        if (!name) return false;
        const int32_t curve = sinew_skeleton_find_curve(g->asset->skeleton, name);
        if (curve == SINEW_NO_CURVE || !take_curve(g, animation, key, &last_with[curve])) continue;
        sinew_channel_def channel = {.node = curve, .target = SINEW_TARGET_CURVE};
        if (read_curve(g, key + 1, &channel)) {
            channels[(*count)++] = channel;
        } else if (g->in_sidecar || g->error->result != SINEW_ERROR_FORMAT) {
            return false;
        } else {
            log_fault(g, animation, key); // extras may hold anything
        }
    }
    return true;
}

bool sinewi_gltf_read_curves(sinewi_import *g, int32_t animation, sinewi_json_value value, int32_t *last_with,
                             sinew_channel_def *channels, int32_t *count) {
    int32_t i = first_object(g, animation);
    if (i >= 0) {
        const sinewi_json file = enter_sidecar(g);
        for (; i >= 0; i = g->sidecar.curves[i].next)
            if (!read_object(g, animation, g->sidecar.curves[i].value, last_with, channels, count)) return false;
        leave_sidecar(g, &file);
    }
    return read_object(g, animation, curves_of(g, value), last_with, channels, count);
}
