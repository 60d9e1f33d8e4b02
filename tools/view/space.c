// SPDX-License-Identifier: MIT
// The blend space of the window: its text and its parameter.
#include "view/player.h"

#include "numbers/numbers.h"
#include "render/crowd.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct samples {
    sinew_blend_sample list[SINEW_MAX_BLEND_SAMPLES];
    int32_t count;
    bool is_plane;
} samples;

// ---- Reading -------------------------------------------------------------------------------------------------

static const sinew_clip *find_clip(const sinew_asset *asset, const char *name) {
    const char *end = name + 1;
    int number;
    const bool is_number = name[0] == '#' && numbers_read_whole(&end, 0, INT_MAX, &number) && *end == '\0';
    if (!is_number) return sinew_asset_find_clip(asset, name);
    return number < asset->clip_count ? &asset->clips[number] : NULL;
}

static bool wrong(sinew_error *error, const char *word, const char *why) {
    error->result = SINEW_ERROR_ARGUMENT;
    snprintf(error->message, sizeof error->message, "blend space, '%.80s': %s", word, why);
    return false;
}

// "Walk=1.5", or "Walk=0,1" in a plane; the last = counts. The word is cut at it.
static bool read_sample(const sinew_asset *asset, char *word, samples *into, sinew_error *error) {
    char *equals = strrchr(word, '=');
    if (!equals || equals == word) return wrong(error, word, "a sample is CLIP=X or CLIP=X,Y");
    const char *rest = equals + 1;
    float numbers[2] = {0.0f, 0.0f};
    const int number_count = numbers_read_list(&rest, ',', numbers, 2);
    const bool has_y = number_count == 2;
    sinew_blend_sample sample = {.x = numbers[0], .y = numbers[1], .speed = 1.0f};
    if (number_count == 0 || *rest != '\0') return wrong(error, word, "X or X,Y must follow the =");
    if (into->count > 0 && has_y != into->is_plane)
        return wrong(error, word, "either all samples have X or all have X,Y");
    if (into->count == SINEW_MAX_BLEND_SAMPLES) return wrong(error, word, "at most 64 samples are allowed");
    *equals = '\0';
    sample.clip = find_clip(asset, word);
    if (!sample.clip) return wrong(error, word, "the file has no such clip");
    into->is_plane = has_y;
    into->list[into->count++] = sample;
    return true;
}

static bool read_samples(const sinew_asset *asset, const char *text, samples *into, sinew_error *error) {
    while (*text) {
        char word[256];
        const size_t gap = strspn(text, " \t\n"), length = strcspn(text + gap, " \t\n");
        text += gap;
        if (length == 0) break;
        if (length >= sizeof word) return wrong(error, text, "the name is too long");
        memcpy(word, text, length);
        word[length] = '\0';
        if (!read_sample(asset, word, into, error)) return false;
        text += length;
    }
    return into->count > 0 || wrong(error, "", "a sample is CLIP=X or CLIP=X,Y");
}

// ---- Finding -------------------------------------------------------------------------------------------------

// The locomotion clips of the asset, slowest first, at 0, 1, 2, ...
static void find_samples(const sinew_asset *asset, samples *into) {
    const sinew_clip *clips[DRAW_MAX_LOCOMOTION];
    into->count = draw_find_locomotion(asset, clips);
    for (int i = 0; i < into->count; i++) {
        into->list[i] = (sinew_blend_sample){.clip = clips[i], .x = (float)i, .speed = 1.0f};
    }
}

bool view_space_read(const sinew_asset *asset, const view_settings *settings, sinew_blend_space **space,
                     sinew_error *error) {
    samples found = {.count = 0};
    *space = NULL;
    if (settings->space && !read_samples(asset, settings->space, &found, error)) return false;
    if (!settings->space) find_samples(asset, &found);
    if (!settings->space && found.count < 2) return true;
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = asset->skeleton;
    def.kind = found.is_plane ? SINEW_BLEND_SPACE_TRIANGLES : SINEW_BLEND_SPACE_LINE;
    def.samples = found.list;
    def.sample_count = found.count;
    def.sync_names = settings->step_names;
    def.sync_name_count = settings->step_name_count;
    return sinew_blend_space_create(&def, space, error) == SINEW_OK;
}

// ---- Playing -------------------------------------------------------------------------------------------------

view_extent view_space_extent(const sinew_blend_space *space) {
    float left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < space->sample_count; i++) {
        left = fminf(left, space->samples[i].x);
        right = fmaxf(right, space->samples[i].x);
        low = fminf(low, space->samples[i].y);
        high = fmaxf(high, space->samples[i].y);
    }
    const float width = right > left ? right - left : 1.0f, height = high > low ? high - low : 1.0f;
    return (view_extent){left, low, width, height};
}

void view_player_switch_space(view_player *player) {
    if (!player->space || player->chosen < 0) return;
    if (player->in_space) {
        view_player_choose(player, player->chosen);
        return;
    }
    const sinew_play_def def = view_player_def(player, NULL);
    player->in_space = true;
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        const sinew_transition transition =
            view_kind_transition(player->settings.kinds[side], player->settings.fade);
        player->mains[side] = sinew_mixer_transition_to(
            player->mixers[side], sinew_blend_space_source(player->space, player->x, player->y), &transition, &def);
        sinew_action_set_parameter(player->mixers[side], player->mains[side], player->x, player->y);
    }
    player->space_action = player->mains[0];
    view_player_begin_transition(player, player->settings.fade);
}

// Sets the target of the parameter, clamped to the samples' extent.
static void set_parameter(view_player *player, float x, float y) {
    const view_extent e = view_space_extent(player->space);
    player->x = fminf(fmaxf(x, e.x), e.x + e.width);
    player->y = fminf(fmaxf(y, e.y), e.y + e.height);
    for (int side = 0; side < VIEW_SIDES && player->mixers[side] && player->in_space; side++) {
        sinew_action_set_parameter(player->mixers[side], player->mains[side], player->x, player->y);
    }
}

void view_player_steer(view_player *player, float x, float y) {
    if (!player->space) return;
    const view_extent e = view_space_extent(player->space);
    set_parameter(player, e.x + x * e.width, e.y + y * e.height);
}

void view_player_steer_by(view_player *player, float x, float y) {
    if (!player->space) return;
    const view_extent e = view_space_extent(player->space);
    set_parameter(player, player->x + x * e.width, player->y + y * e.height);
}
