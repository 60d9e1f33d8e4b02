// The kinds of transitions, and two characters side by side.
#include "view/player.h"

#include <math.h>

sinew_transition view_kind_transition(view_kind kind, float duration) {
    sinew_transition how = sinew_transition_default();
    how.duration = duration;
    how.warp = kind == VIEW_FADE_WARPED;
    if (kind == VIEW_FADE_SMOOTHSTEP || kind == VIEW_DEAD_BLEND) how.curve = SINEW_CURVE_SMOOTHSTEP;
    if (kind == VIEW_INERTIALIZE) how.kind = SINEW_TRANSITION_INERTIALIZE;
    if (kind == VIEW_DEAD_BLEND) how.kind = SINEW_TRANSITION_DEAD_BLEND;
    return how;
}

const char *view_kind_name(view_kind kind) {
    static const char *const names[VIEW_KINDS] = {[VIEW_FADE_LINEAR] = "fade",
                                                  [VIEW_FADE_SMOOTHSTEP] = "fade, smooth",
                                                  [VIEW_FADE_WARPED] = "fade, warped",
                                                  [VIEW_INERTIALIZE] = "inertialize",
                                                  [VIEW_DEAD_BLEND] = "dead blend"};
    return names[kind];
}

// What is gone of an offset that stands still at first is what its quintic says; one with a velocity takes another way.
float view_kind_progress(view_kind kind, float u) {
    const float left = 1.0f - u;
    if (kind == VIEW_INERTIALIZE) return 1.0f - left * left * left * left * (1.0f + 4.0f * u);
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

// ---- Keeping step --------------------------------------------------------------------------------------------

// Playing what plays goes on with it, now with the others or without them.
void view_player_switch_steps(view_player *player) {
    player->settings.in_step = !player->settings.in_step;
    if (player->in_space || player->chosen < 0) return;
    const sinew_clip *clip = &player->asset->clips[player->chosen];
    sinew_play_def def = view_player_def(player, clip);
    def.fade = player->settings.fade; // of one that is under way, from where it stands
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        if (sinew_action_is_finished(player->mixers[side], player->mains[side])) continue;
        player->mains[side] = sinew_mixer_play(player->mixers[side], sinew_clip_source(clip), &def);
    }
}

// ---- Side by side --------------------------------------------------------------------------------------------

bool view_player_is_beside(const view_player *player) {
    return player->mixers[1] != NULL;
}

bool view_player_set_beside(view_player *player, bool beside) {
    sinew_error error;
    if (beside == view_player_is_beside(player) || !player->mixers[0]) return true;
    player->walks[1] = player->walks[0];
    if (beside) return view_player_begin_side(player, 1, &error);
    player->mixers[1] = NULL;
    return true;
}
