// SPDX-License-Identifier: MIT
// Kinds of transitions, sync, and the comparison of two characters.
#include "view/player.h"

#include <math.h>

sinew_transition view_kind_transition(view_kind kind, float duration) {
    sinew_transition transition = sinew_transition_default();
    transition.duration = duration;
    transition.warp = kind == VIEW_FADE_WARPED;
    if (kind == VIEW_FADE_SMOOTHSTEP || kind == VIEW_DEAD_BLEND) transition.curve = SINEW_CURVE_SMOOTHSTEP;
    if (kind == VIEW_INERTIALIZE) transition.kind = SINEW_TRANSITION_INERTIALIZE;
    if (kind == VIEW_DEAD_BLEND) transition.kind = SINEW_TRANSITION_DEAD_BLEND;
    return transition;
}

const char *view_kind_name(view_kind kind) {
    static const char *const names[VIEW_KINDS] = {[VIEW_FADE_LINEAR] = "fade",
                                                  [VIEW_FADE_SMOOTHSTEP] = "fade, smooth",
                                                  [VIEW_FADE_WARPED] = "fade, warped",
                                                  [VIEW_INERTIALIZE] = "inertialize",
                                                  [VIEW_DEAD_BLEND] = "dead blend"};
    return names[kind];
}

// For inertialization, the quintic of an offset without an initial velocity.
float view_kind_progress(view_kind kind, float u) {
    const float left = 1.0f - u;
    if (kind == VIEW_INERTIALIZE) return 1.0f - left * left * left * (1.0f + u * (3.0f + 2.25f * u));
    if (kind == VIEW_FADE_SMOOTHSTEP || kind == VIEW_DEAD_BLEND) return u * u * (3.0f - 2.0f * u);
    return u;
}

float view_player_progress(const view_player *player) {
    if (!(player->transition_age < player->transition_duration)) return 1.0f;
    return player->transition_age / player->transition_duration;
}

void view_player_cycle_kind(view_player *player, int side, int steps) {
    view_kind *kind = &player->settings.kinds[side];
    *kind = (view_kind)(((int)*kind + steps + VIEW_KINDS) % VIEW_KINDS);
}

// ---- Sync ----------------------------------------------------------------------------------------------------

// Playing the current clip again continues its action, now with or without a sync group.
void view_player_toggle_sync(view_player *player) {
    player->settings.sync_steps = !player->settings.sync_steps;
    if (player->in_space || player->plays_all || player->chosen < 0) return;
    const sinew_clip *clip = &player->asset->clips[player->chosen];
    sinew_play_def def = view_player_def(player, clip);
    def.fade = player->settings.fade; // a fade in progress continues from its current weight
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        if (sinew_action_is_finished(player->mixers[side], player->mains[side])) continue;
        player->mains[side] = sinew_mixer_play(player->mixers[side], sinew_clip_source(clip), &def);
    }
}

// ---- Comparison ----------------------------------------------------------------------------------------------

bool view_player_is_comparing(const view_player *player) {
    return player->mixers[1] != NULL;
}

bool view_player_set_comparing(view_player *player, bool comparing) {
    sinew_error error;
    if (comparing == view_player_is_comparing(player) || !player->mixers[0]) return true;
    player->walks[1] = player->walks[0];
    if (comparing) return view_player_begin_side(player, 1, &error);
    player->mixers[1] = NULL;
    return true;
}
