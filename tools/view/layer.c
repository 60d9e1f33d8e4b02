// SPDX-License-Identifier: MIT
// The layer: a clip over the base, with its mask.
#include "view/player.h"

#include <stdlib.h>
#include <string.h>

// The mixer's layers: the override one, and the additive one.
static const int32_t layer_numbers[] = {1, 2};
enum { FEATHER = 2 };

// Whether a name contains `small`, in upper or lower case.
static bool has_part(const char *name, const char *small) {
    const size_t length = strlen(small);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && (name[i] | 0x20) == small[i]) i++;
        if (i == length) return true;
    }
    return false;
}

// The lowest spine joint, by its name; the default mask is the upper body.
static int32_t find_spine(const sinew_skeleton *skeleton) {
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (has_part(skeleton->names[i], "spine")) return i;
    }
    return SINEW_NO_NODE;
}

static void set_mask(view_layer *layer, const sinew_skeleton *skeleton, int32_t node) {
    layer->node = node;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        sinew_mask_set(layer->mask, i, node == SINEW_NO_NODE ? 1.0f : 0.0f);
    }
    if (node != SINEW_NO_NODE) sinew_mask_set_subtree(layer->mask, node, 1.0f, FEATHER);
}

bool view_layer_create(view_layer *layer, const sinew_asset *asset) {
    *layer = (view_layer){.clip = -1, .node = SINEW_NO_NODE, .weight = 1.0f};
    layer->differences = calloc((size_t)asset->clip_count + 1, sizeof(sinew_clip *));
    if (!layer->differences) return false;
    if (sinew_mask_create(asset->skeleton, 1.0f, NULL, &layer->mask) != SINEW_OK) return false;
    set_mask(layer, asset->skeleton, find_spine(asset->skeleton));
    return true;
}

void view_layer_free(view_layer *layer, int32_t clip_count) {
    for (int32_t i = 0; layer->differences && i < clip_count; i++) sinew_clip_destroy(layer->differences[i]);
    free(layer->differences);
    sinew_mask_destroy(layer->mask);
}

bool view_player_is_layer_action(const view_player *player, int side, sinew_action action) {
    const int32_t layer = sinew_action_layer(player->mixers[side], action);
    if (view_player_has_graph(player)) return layer > 0;
    if (layer == VIEW_ALL_LAYER) return true;
    for (int i = 0; i < VIEW_LAYER_ACTIONS; i++) {
        if (player->layer.actions[side][i].id == action.id) return true;
    }
    return false;
}

// ---- Playing -------------------------------------------------------------------------------------------------

// A clip as an additive clip over its first pose; NULL if memory runs out.
static const sinew_clip *difference_of(view_player *player, int32_t clip) {
    const sinew_clip *whole = &player->asset->clips[clip];
    sinew_clip **difference = &player->layer.differences[clip];
    sinew_pose *first;
    if (*difference || sinew_pose_create(player->asset->skeleton, NULL, &first) != SINEW_OK) return *difference;
    sinew_clip_sample(whole, 0.0f, first);
    sinew_clip_make_additive(whole, first, NULL, difference, NULL);
    sinew_pose_destroy(first);
    return *difference;
}

static const sinew_clip *layer_clip(view_player *player) {
    const view_layer *layer = &player->layer;
    if (layer->clip < 0) return NULL;
    return layer->is_additive ? difference_of(player, layer->clip) : &player->asset->clips[layer->clip];
}

static void fade_all_out(view_player *player, int side) {
    for (int i = 0; i < VIEW_LAYER_ACTIONS; i++) {
        sinew_action_fade_out(player->mixers[side], player->layer.actions[side][i], player->settings.fade);
    }
}

static void fade_in(view_player *player, int side, const sinew_clip *clip, float fade) {
    view_layer *layer = &player->layer;
    sinew_play_def def = sinew_play_default();
    def.layer = layer_numbers[layer->is_additive];
    def.speed = player->settings.backward ? -player->settings.speed : player->settings.speed;
    def.fade = fade;
    def.curve = SINEW_CURVE_SMOOTHSTEP;
    layer->actions[side][layer->next] = sinew_mixer_play(player->mixers[side], sinew_clip_source(clip), &def);
}

// Fades the layer's clip in, if it is shown, and the other clips of the layer out.
static bool fade_to_layer_clip(view_player *player) {
    const float fade = player->settings.fade;
    const sinew_clip *clip = layer_clip(player);
    if (!clip) return false;
    player->layer.next = (player->layer.next + 1) % VIEW_LAYER_ACTIONS;
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        fade_all_out(player, side);
        if (player->layer.shown) fade_in(player, side, clip, fade);
    }
    if (fade > player->fading) player->fading = fade;
    player->paused = false;
    return true;
}

void view_player_begin_layer(view_player *player, int side) {
    view_layer *layer = &player->layer;
    memset(layer->actions[side], 0, sizeof layer->actions[side]);
    sinew_layer_set_mode(player->mixers[side], layer_numbers[1], SINEW_LAYER_ADDITIVE);
    for (int i = 0; i < 2; i++) {
        sinew_layer_set_mask(player->mixers[side], layer_numbers[i], layer->mask);
        sinew_layer_set_weight(player->mixers[side], layer_numbers[i], layer->weight);
    }
    const sinew_clip *clip = layer->shown ? layer_clip(player) : NULL;
    if (clip) fade_in(player, side, clip, 0.0f);
}

// ---- Changing ------------------------------------------------------------------------------------------------

bool view_player_toggle_layer_clip(view_player *player, int32_t clip) {
    view_layer *layer = &player->layer;
    const view_layer before = *layer;
    if (!player->mixers[0] || clip < 0 || clip >= player->asset->clip_count) return true;
    layer->clip = clip;
    layer->shown = !(before.shown && before.clip == clip);
    if (fade_to_layer_clip(player)) return true;
    layer->clip = before.clip;
    layer->shown = before.shown;
    return false;
}

bool view_player_switch_layer(view_player *player) {
    return player->layer.clip < 0 || view_player_toggle_layer_clip(player, player->layer.clip);
}

bool view_player_switch_mode(view_player *player) {
    view_layer *layer = &player->layer;
    layer->is_additive = !layer->is_additive;
    if (layer->clip < 0 || !layer->shown || fade_to_layer_clip(player)) return true;
    layer->is_additive = !layer->is_additive;
    return false;
}

void view_player_cycle_mask(view_player *player, const bool *offered, int steps) {
    if (!player->mixers[0]) return;
    const sinew_skeleton *skeleton = player->asset->skeleton;
    const int32_t count = skeleton->node_count;
    int32_t node = player->layer.node;
    do {
        node = (node + 1 + steps + count + 1) % (count + 1) - 1; // -1 is every node
    } while (node >= 0 && !(offered[node] && skeleton->subtree_ends[node] > node + 1));
    set_mask(&player->layer, skeleton, node);
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        for (int i = 0; i < 2; i++) {
            sinew_layer_set_mask(player->mixers[side], layer_numbers[i], player->layer.mask);
        }
    }
}

void view_player_set_layer_weight(view_player *player, float weight) {
    player->layer.weight = weight < 0.0f ? 0.0f : weight > 1.0f ? 1.0f : weight;
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        for (int i = 0; i < 2; i++) {
            sinew_layer_set_weight(player->mixers[side], layer_numbers[i], player->layer.weight);
        }
    }
}
