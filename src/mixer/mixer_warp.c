// Warping: bringing the speeds of clips together over a fade.
#include "mixer/mixer_state.h"

#include <math.h>

#define MOST_WARP 1e6

// Rounds through the clip in a second; 0 for one that stands.
static double rounds_a_second(const action_state *state) {
    if (!(state->clip->duration > 0.0f)) return 0.0;
    return fabs((double)state->speed) * (double)state->warp.value / (double)state->clip->duration;
}

// The factor of its speed at which an action goes round so often; one that nearly stands is not brought to any speed.
static float warp_for(const action_state *state, double rounds) {
    double factor = (double)state->warp.value * rounds / rounds_a_second(state);
    return factor < MOST_WARP ? (float)factor : (float)MOST_WARP;
}

static bool goes(const action_state *state) {
    return rounds_a_second(state) > 0.0 && (state->flags & (ACTION_PAUSED | ACTION_FINISHED)) == 0;
}

static bool makes_way(const action_state *state, const action_state *comes) {
    return state->clip && state != comes && state->layer == comes->layer && goes(state) &&
           sinew_action_fades_out(state);
}

void sinew_action_warp(sinew_mixer *mixer, action_state *comes, float duration) {
    if (!goes(comes)) return;
    const action_state *heaviest = NULL;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *state = &mixer->actions[i];
        if (!makes_way(state, comes)) continue;
        if (!heaviest || state->weight.value > heaviest->weight.value) heaviest = state;
    }
    if (!heaviest) return;
    double now = rounds_a_second(heaviest), then = rounds_a_second(comes) / (double)comes->warp.value;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        action_state *state = &mixer->actions[i];
        if (!makes_way(state, comes)) continue;
        sinew_fade_begin(mixer, &state->warp, warp_for(state, then), duration, SINEW_CURVE_LINEAR);
    }
    if (!(comes->weight.value > 0.0f)) comes->warp = sinew_fade_at(warp_for(comes, now));
}
