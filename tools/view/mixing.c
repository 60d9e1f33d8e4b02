// SPDX-License-Identifier: MIT
// The rows of the mixing panel.
#include "view/mixing.h"

#include "view/graph_rows.h"

#include <stdio.h>

// ---- Text ----------------------------------------------------------------------------------------------------

static const char *name_or(const char *name, const char *other) {
    return name[0] ? name : other;
}

static void describe_layer(const view_player *player, view_mixing_line *line) {
    const int32_t clip = player->layer.clip;
    const char *name = clip < 0 ? "Shift + clip" : name_or(player->asset->clips[clip].name, "(no name)");
    line->on = clip >= 0 && player->layer.shown;
    snprintf(line->value, sizeof line->value, "%.80s", name);
}

static void describe_mask(const view_player *player, view_mixing_line *line) {
    const int32_t node = player->layer.node;
    line->on = player->layer.shown;
    if (node == SINEW_NO_NODE) {
        snprintf(line->value, sizeof line->value, "whole body");
    } else {
        snprintf(line->value, sizeof line->value, "%.80s …",
                 name_or(player->asset->skeleton->names[node], "(no name)"));
    }
}

static void describe_root(const view_player *player, view_mixing_line *line) {
    line->on = player->root != SINEW_NO_NODE;
    if (!line->on) {
        snprintf(line->value, sizeof line->value, "off");
    } else {
        snprintf(line->value, sizeof line->value, "%.1f m by %.60s", (double)player->walks[0].length,
                 name_or(player->asset->skeleton->names[player->root], "(no name)"));
    }
}

static void describe_space(const view_player *player, view_mixing_line *line) {
    line->on = player->in_space;
    if (!player->space) {
        snprintf(line->value, sizeof line->value, "none");
    } else if (!player->in_space) {
        snprintf(line->value, sizeof line->value, "off");
    } else {
        const sinew_blend_parameter at = sinew_action_parameter(player->mixers[0], player->mains[0]);
        const bool is_line = player->space->kind == SINEW_BLEND_SPACE_LINE;
        if (is_line) snprintf(line->value, sizeof line->value, "at %.2f", at.x);
        if (!is_line) snprintf(line->value, sizeof line->value, "at %.2f, %.2f", at.x, at.y);
    }
}

void view_mixing_describe(const view_state *state, view_mixing_row row, view_mixing_line *line) {
    static const char *const labels[][2] = {
        [VIEW_MIXING_KIND] = {"Transition", "K"},  [VIEW_MIXING_COMPARE] = {"Compare", "C"},
        [VIEW_MIXING_SYNC] = {"Sync", "Y"},        [VIEW_MIXING_LAYER] = {"Layer", "E"},
        [VIEW_MIXING_MASK] = {"Mask", "J"},        [VIEW_MIXING_MODE] = {"Mode", "A"},
        [VIEW_MIXING_WEIGHT] = {"Weight", ",  ."}, [VIEW_MIXING_ROOT] = {"Root motion", "O"},
        [VIEW_MIXING_SPACE] = {"Blend space", "P"}};
    const view_player *player = &state->scene->player;
    const view_settings *settings = &player->settings;
    const bool comparing = view_player_is_comparing(player);
    *line = (view_mixing_line){.label = labels[row][0], .key = labels[row][1], .on = true};
    switch (row) {
    case VIEW_MIXING_KIND:
        snprintf(line->value, sizeof line->value, "%s", view_kind_name(settings->kinds[0]));
        break;
    case VIEW_MIXING_COMPARE:
        line->on = comparing;
        snprintf(line->value, sizeof line->value, "%s", comparing ? view_kind_name(settings->kinds[1]) : "off");
        break;
    case VIEW_MIXING_SYNC:
        line->on = settings->sync_steps;
        snprintf(line->value, sizeof line->value, "%s", settings->sync_steps ? "on" : "off");
        break;
    case VIEW_MIXING_LAYER:
        describe_layer(player, line);
        break;
    case VIEW_MIXING_MASK:
        describe_mask(player, line);
        break;
    case VIEW_MIXING_MODE:
        line->on = player->layer.shown;
        snprintf(line->value, sizeof line->value, "%s", player->layer.is_additive ? "additive" : "override");
        break;
    case VIEW_MIXING_WEIGHT:
        line->on = player->layer.shown;
        break;
    case VIEW_MIXING_ROOT:
        describe_root(player, line);
        break;
    case VIEW_MIXING_SPACE:
        describe_space(player, line);
        break;
    case VIEW_MIXING_ROWS:
        break;
    }
}

// ---- Actions -------------------------------------------------------------------------------------------------

static void switch_comparing(view_state *state, bool kind) {
    view_player *player = &state->scene->player;
    const bool comparing = view_player_is_comparing(player);
    if (kind) view_player_cycle_kind(player, 1, 1);
    if (kind && comparing) return;
    if (!view_scene_set_comparing(state->scene, !comparing)) view_state_show_message(state, "out of memory");
    if (state->framed) view_state_frame(state);
}

static void switch_root(view_state *state, bool reset) {
    view_player *player = &state->scene->player;
    sinew_error error;
    if (reset) {
        view_player_reset_position(player);
        return;
    }
    const int32_t named =
        player->settings.root ? sinew_skeleton_find(player->asset->skeleton, player->settings.root) : SINEW_NO_NODE;
    const int32_t node = named != SINEW_NO_NODE ? named : view_scene_root(state->scene);
    const bool off = player->root != SINEW_NO_NODE;
    if (!view_scene_set_root(state->scene, off ? SINEW_NO_NODE : node, &error))
        view_state_show_message(state, "%s", error.message);
}

static void switch_space(view_state *state) {
    view_player *player = &state->scene->player;
    if (!player->space)
        view_state_show_message(
            state, "No blend space: no two clips are named Idle, Walk, Jog, Run or Sprint; use --space.");
    view_player_switch_space(player);
}

static void switch_layer(view_state *state) {
    view_player *player = &state->scene->player;
    if (player->layer.clip < 0)
        view_state_show_message(state, "No clip is on the layer: press Shift and its number, or Shift-click it.");
    if (!view_player_switch_layer(player)) view_state_show_message(state, "out of memory");
}

void view_mixing_toggle_layer_clip(view_state *state, int32_t clip) {
    if (!state->scene->player.mixers[0] || view_graph_refuses(state, "has layers of its own")) return;
    if (!view_player_toggle_layer_clip(&state->scene->player, clip))
        view_state_show_message(state, "out of memory");
    view_state_show_mixing(state, true);
}

void view_mixing_act(view_state *state, view_mixing_row row, bool shift) {
    view_player *player = &state->scene->player;
    if (!player->mixers[0]) return;
    state->changed = true;
    if (row != VIEW_MIXING_ROOT && view_graph_refuses(state, "mixes the clips")) return;
    if (!view_player_has_graph(player)) view_state_show_mixing(state, true);
    switch (row) {
    case VIEW_MIXING_KIND:
        view_player_cycle_kind(player, 0, shift ? -1 : 1);
        break;
    case VIEW_MIXING_COMPARE:
        switch_comparing(state, shift);
        break;
    case VIEW_MIXING_SYNC:
        view_player_toggle_sync(player);
        break;
    case VIEW_MIXING_LAYER:
        switch_layer(state);
        break;
    case VIEW_MIXING_MASK:
        view_player_cycle_mask(player, state->scene->is_joint, shift ? -1 : 1);
        break;
    case VIEW_MIXING_MODE:
        if (!view_player_switch_mode(player)) view_state_show_message(state, "out of memory");
        break;
    case VIEW_MIXING_WEIGHT:
        view_player_set_layer_weight(player, player->layer.weight + (shift ? -0.1f : 0.1f));
        break;
    case VIEW_MIXING_ROOT:
        switch_root(state, shift);
        break;
    case VIEW_MIXING_SPACE:
        switch_space(state);
        break;
    case VIEW_MIXING_ROWS:
        break;
    }
}
