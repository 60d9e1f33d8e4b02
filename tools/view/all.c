// SPDX-License-Identifier: MIT
// All clips at once: the first of the combined clips is the main action, and the others play in a layer of their own.
#include "view/player.h"

bool view_player_play_all(view_player *player, sinew_error *error) {
    if (player->all.count == 0 && !draw_all_clips_make(&player->all, player->asset, error)) return false;
    if (player->all.count == 0 || view_player_has_graph(player)) return true;
    view_player_start(player, player->all.longest);
    player->plays_all = true;
    for (int side = 0; side < VIEW_SIDES && player->mixers[side]; side++) {
        sinew_mixer_stop_all(player->mixers[side]);
        view_player_begin_all(player, side, 0.0f);
    }
    return true;
}

void view_player_begin_all(view_player *player, int side, float time) {
    const sinew_clip *first = player->all.clips[0];
    sinew_play_def def = view_player_def(player, first);
    def.sync = 0;
    def.time = time;
    player->mains[side] = sinew_mixer_play(player->mixers[side], sinew_clip_source(first), &def);
    def.layer = VIEW_ALL_LAYER;
    draw_all_clips_play(&player->all, player->mixers[side], &def, time, player->all_actions[side]);
}

void view_player_end_all(view_player *player, float fade) {
    for (int side = 0; side < VIEW_SIDES && player->plays_all && player->mixers[side]; side++)
        for (int32_t i = 1; i < player->all.count; i++)
            sinew_action_fade_out(player->mixers[side], player->all_actions[side][i], fade);
    player->plays_all = false;
}

void view_player_shift_all(view_player *player, float seconds) {
    for (int side = 0; side < VIEW_SIDES && player->plays_all && player->mixers[side]; side++) {
        for (int32_t i = 1; i < player->all.count; i++) {
            const sinew_action action = player->all_actions[side][i];
            const float time = sinew_action_time(player->mixers[side], action) + seconds;
            sinew_action_set_time(player->mixers[side], action, draw_all_clips_time(player->all.clips[i], time));
        }
    }
}

void view_player_reset_all(view_player *player) {
    for (int side = 0; side < VIEW_SIDES && player->plays_all && player->mixers[side]; side++)
        for (int32_t i = 1; i < player->all.count; i++)
            sinew_action_reset(player->mixers[side], player->all_actions[side][i]);
}

void view_player_loop_all(view_player *player) {
    const sinew_loop loop = player->settings.loop;
    for (int side = 0; side < VIEW_SIDES && player->plays_all && player->mixers[side]; side++)
        for (int32_t i = 1; i < player->all.count; i++)
            sinew_action_set_loop(player->mixers[side], player->all_actions[side][i], loop, SINEW_FOREVER);
}
