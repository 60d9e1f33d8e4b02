// SPDX-License-Identifier: MIT
// Assets, additive clips, masks and blend spaces for JavaScript.
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sinew_error last_error;
static float numbers[16];

float *web_numbers(void) {
    return numbers;
}

const char *web_error(void) {
    return last_error.message;
}

void web_fail(const char *message) {
    snprintf(last_error.message, sizeof last_error.message, "%s", message);
}

const char **web_split(const char *names, int32_t count) {
    const char **split = calloc((size_t)count + 1, sizeof *split);
    if (!split) return NULL;
    for (int32_t i = 0; i < count; i++) {
        split[i] = names;
        names += strlen(names) + 1;
    }
    return split;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

sinew_clip *web_clip_make_additive(const sinew_clip *clip, const sinew_clip *reference, float time) {
    sinew_pose *pose;
    if (sinew_pose_create(clip->skeleton, NULL, &pose) != SINEW_OK) {
        web_fail("out of memory");
        return NULL;
    }
    if (reference) sinew_clip_sample(reference, time, pose);
    sinew_clip *additive;
    sinew_clip_make_additive(clip, pose, NULL, &additive, &last_error);
    sinew_pose_destroy(pose);
    return additive;
}

static sinew_clip *bind_named(const sinew_clip *clip, const sinew_asset *asset, const web_bind *bind,
                              const char **names, sinew_bind_name *map) {
    for (int32_t i = 0; i < bind->name_count; i++) map[i] = (sinew_bind_name){names[2 * i], names[2 * i + 1]};
    sinew_bind_def def = sinew_bind_default();
    def.name_count = bind->name_count;
    def.names = map;
    def.ignore_prefixes = bind->ignore_prefixes != 0;
    def.rotations_only = bind->rotations_only != 0;
    def.min_match = bind->min_match;
    def.bound_nodes = bind->bound_nodes;
    sinew_clip *bound;
    sinew_clip_bind(clip, asset->skeleton, &def, &bound, NULL, &last_error);
    return bound;
}

sinew_clip *web_clip_bind(const sinew_clip *clip, const sinew_asset *asset, const web_bind *bind) {
    const char **names = web_split(bind->names, 2 * bind->name_count);
    sinew_bind_name *map = calloc((size_t)bind->name_count + 1, sizeof *map);
    sinew_clip *bound = NULL;
    if (names && map) {
        bound = bind_named(clip, asset, bind, names, map);
    } else {
        web_fail("out of memory");
    }
    free(map);
    free(names);
    return bound;
}

sinew_clip *web_clip_subclip(const sinew_clip *clip, float start, float end, const char *name) {
    sinew_clip *subclip;
    sinew_clip_subclip(clip, start, end, name, NULL, &subclip, &last_error);
    return subclip;
}

int32_t web_clip_combine(const sinew_clip *const *clips, int32_t count, sinew_clip **combined, bool *left_out) {
    int32_t made;
    const sinew_result result = sinew_clip_combine(clips, count, NULL, combined, &made, left_out, &last_error);
    return result == SINEW_OK ? made : -1;
}

// ---- Masks ---------------------------------------------------------------------------------------------------

sinew_mask *web_mask_create(const sinew_asset *asset, float factor) {
    sinew_mask *mask;
    if (sinew_mask_create(asset->skeleton, factor, NULL, &mask) != SINEW_OK) web_fail("out of memory");
    return mask;
}

const float *web_mask_factors(const sinew_mask *mask) {
    return mask->nodes;
}

// ---- Blend spaces --------------------------------------------------------------------------------------------

sinew_blend_space *web_space_create(const sinew_asset *asset, sinew_blend_space_kind kind,
                                    const sinew_blend_sample *samples, int32_t sample_count, const char *names,
                                    int32_t name_count, float damping, bool match_speed, float min_rate,
                                    float max_rate) {
    const char **split = web_split(names, name_count);
    if (!split) {
        web_fail("out of memory");
        return NULL;
    }
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = asset->skeleton;
    def.kind = kind;
    def.samples = samples;
    def.sample_count = sample_count;
    def.sync_names = split;
    def.sync_name_count = name_count;
    def.damping = damping;
    def.match_speed = match_speed;
    def.min_rate = min_rate;
    def.max_rate = max_rate;
    sinew_blend_space *space;
    sinew_blend_space_create(&def, &space, &last_error);
    free(split);
    return space;
}

const sinew_blend_triangle *web_space_triangles(const sinew_blend_space *space) {
    return space->triangles;
}

int32_t web_space_triangle_count(const sinew_blend_space *space) {
    return space->triangle_count;
}

static sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
static int32_t weight_count;

const sinew_blend_weight *web_space_weights(const sinew_blend_space *space, float x, float y) {
    weight_count = sinew_blend_space_weights(space, x, y, weights);
    return weights;
}

int32_t web_space_weight_count(void) {
    return weight_count;
}
