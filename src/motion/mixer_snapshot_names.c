// SPDX-License-Identifier: MIT
// Finds the clips, blend spaces and masks of a written state in the program's lists.
#include "motion/mixer_snapshot_format.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <string.h>

sinew_state_names sinew_state_names_default(void) {
    return (sinew_state_names){.cookie = SINEWI_DEF_COOKIE};
}

// One of the lists.
typedef struct named_list {
    const void *const *objects;
    const char *const *names; // NULL for the clips' own
    int32_t count;
} named_list;

static named_list list_of(const sinew_state_names *names, state_kind kind) {
    if (!names) return (named_list){NULL, NULL, 0};
    switch (kind) {
    case WRITTEN_CLIP:
        return (named_list){(const void *const *)names->clips, names->clip_names, names->clip_count};
    case WRITTEN_BLEND_SPACE:
        return (named_list){(const void *const *)names->blend_spaces, names->blend_space_names,
                            names->blend_space_names ? names->blend_space_count : 0};
    default:
        return (named_list){(const void *const *)names->masks, names->mask_names,
                            names->mask_names ? names->mask_count : 0};
    }
}

// Returns NULL for an element without an object or a name.
static const char *name_of(const named_list *list, int32_t i) {
    if (!list->objects[i]) return NULL;
    return list->names ? list->names[i] : ((const sinew_clip *)list->objects[i])->name;
}

// ---- Writing -------------------------------------------------------------------------------------------------

static void set_name(state_path *path, const char *name) {
    path->parts[0] = name;
    path->count = name ? 1 : 0;
}

void sinewi_state_name_listed(const state_lookup *lookup, state_kind kind, const void *object, state_path *path) {
    const named_list list = list_of(lookup->program, kind);
    for (int32_t i = 0; i < list.count; i++) {
        if (list.objects[i] != object) continue;
        set_name(path, name_of(&list, i));
        return;
    }
    assert(kind == WRITTEN_CLIP && "a blend space or mask that is in use isn't in the sinew_state_names");
    if (kind == WRITTEN_CLIP) set_name(path, ((const sinew_clip *)object)->name);
}

// ---- Reading -------------------------------------------------------------------------------------------------

static const sinew_skeleton *skeleton_of(state_kind kind, const void *object) {
    switch (kind) {
    case WRITTEN_CLIP:
        return ((const sinew_clip *)object)->skeleton;
    case WRITTEN_BLEND_SPACE:
        return ((const sinew_blend_space *)object)->skeleton;
    default:
        return ((const sinew_mask *)object)->skeleton;
    }
}

bool sinewi_state_is_better(const sinew_clip *clip, const sinew_clip *before, const state_wanted *wanted) {
    if (!before) return true;
    const bool was_additive = before->additive == wanted->additive,
               is_additive = clip->additive == wanted->additive;
    if (was_additive != is_additive) return is_additive;
    return before->duration != wanted->duration && clip->duration == wanted->duration;
}

const void *sinewi_state_find_listed(const state_lookup *lookup, state_kind kind, const state_wanted *wanted) {
    const named_list list = list_of(lookup->program, kind);
    const void *found = NULL;
    if (wanted->path.by_graph || wanted->path.count != 1) return NULL;
    for (int32_t i = 0; i < list.count; i++) {
        const char *name = name_of(&list, i);
        if (!name || strcmp(name, wanted->path.parts[0]) != 0) continue;
        if (skeleton_of(kind, list.objects[i]) != lookup->skeleton) continue;
        if (kind != WRITTEN_CLIP) return list.objects[i];
        const sinew_clip *clip = (const sinew_clip *)list.objects[i];
        if (sinewi_state_is_better(clip, (const sinew_clip *)found, wanted)) found = clip;
    }
    return found;
}

// ---- Layers and sync groups ----------------------------------------------------------------------------------

const char *sinewi_state_listed_layer(const state_lookup *lookup, int32_t layer) {
    const sinew_state_names *names = lookup->program;
    return names && layer < names->layer_count ? names->layer_names[layer] : NULL;
}

const char *sinewi_state_listed_group(const state_lookup *lookup, int32_t group) {
    const sinew_state_names *names = lookup->program;
    return names && group >= 1 && group <= names->sync_group_count ? names->sync_group_names[group - 1] : NULL;
}

uint8_t sinewi_state_find_listed_group(const state_lookup *lookup, const char *name) {
    const sinew_state_names *names = lookup->program;
    for (int32_t g = 1; names && g <= names->sync_group_count && g <= UINT8_MAX; g++) {
        const char *own = names->sync_group_names[g - 1];
        if (own && strcmp(own, name) == 0) return (uint8_t)g;
    }
    return 0;
}

state_lookup sinewi_state_lookup(const sinew_mixer *mixer, const sinew_state_names *names) {
    const bool is_valid =
        !names || SINEWI_IS_DEF(names, "sinew_state_names: start from sinew_state_names_default()");
    return (state_lookup){.program = is_valid ? names : NULL,
                          .skeleton = mixer->def.skeleton,
                          .name = sinewi_state_name_listed,
                          .find = sinewi_state_find_listed,
                          .layer = sinewi_state_listed_layer,
                          .sync_group = sinewi_state_listed_group,
                          .find_group = sinewi_state_find_listed_group};
}
