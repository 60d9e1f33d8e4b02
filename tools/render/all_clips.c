// SPDX-License-Identifier: MIT
#include "render/all_clips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Finds which clips are left out, and which clip gave the first one its duration.
static void describe(draw_all_clips *all, const sinew_asset *asset, const bool *left_out) {
    for (int32_t i = asset->clip_count - 1; i >= 0; i--) {
        const sinew_clip *clip = &asset->clips[i];
        all->left_out_count += left_out[i];
        if (left_out[i]) {
            all->left_out = clip;
        } else if (clip->duration == all->clips[0]->duration) {
            all->longest = i;
        }
    }
}

bool draw_all_clips_make(draw_all_clips *all, const sinew_asset *asset, sinew_error *error) {
    const size_t room = (size_t)asset->clip_count + 1;
    const sinew_clip **clips = malloc(room * sizeof(const sinew_clip *));
    bool *left_out = calloc(room, sizeof *left_out);
    *all = (draw_all_clips){.clips = calloc(room, sizeof(sinew_clip *)), .longest = -1};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    error->result = result;
    snprintf(error->message, sizeof error->message, "out of memory");
    if (clips && left_out && all->clips) {
        for (int32_t i = 0; i < asset->clip_count; i++) clips[i] = &asset->clips[i];
        result = sinew_clip_combine(clips, asset->clip_count, NULL, all->clips, &all->count, left_out, error);
    }
    if (result == SINEW_OK && all->count > 0) describe(all, asset, left_out);
    free(clips);
    free(left_out);
    return result == SINEW_OK;
}

void draw_all_clips_free(draw_all_clips *all) {
    for (int32_t i = 0; i < all->count; i++) sinew_clip_destroy(all->clips[i]);
    free(all->clips);
    *all = (draw_all_clips){.longest = -1};
}

float draw_all_clips_time(const sinew_clip *clip, float time) {
    if (!(clip->duration > 0.0f)) return 0.0f;
    const float wrapped = fmodf(time, clip->duration);
    return wrapped < 0.0f ? fminf(wrapped + clip->duration, clip->duration) : wrapped;
}

void draw_all_clips_play(const draw_all_clips *all, sinew_mixer *mixer, const sinew_play_def *def, float time,
                         sinew_action *actions) {
    if (all->count > 1) sinew_layer_set_mode(mixer, def->layer, SINEW_LAYER_ADDITIVE);
    for (int32_t i = 1; i < all->count; i++) {
        sinew_play_def own = *def;
        own.time = draw_all_clips_time(all->clips[i], time);
        actions[i] = sinew_mixer_play(mixer, sinew_clip_source(all->clips[i]), &own);
    }
}
