// SPDX-License-Identifier: MIT
// Converts between an animation texture's state and a mixer's.
//
// A texture's state is two tracks and a blend weight. Each track is one of the texture's clips at a time. A mixer
// blends any number of actions on layers, so only the two baked clips with the largest weights become tracks. The
// rest is dropped. A contribution (`item`) is one clip of an action with its weight in the pose. Speeds are clip
// seconds per second.
#include "core/blend_space_data.h"
#include "core/mixer_evaluation.h"
#include "gpu/bake_object.h"

#include <assert.h>
#include <float.h>

// ---- From a mixer --------------------------------------------------------------------------------------------

// A baked clip that contributes to a mixer's pose.
typedef struct baked_clip {
    int32_t clip; // index in the texture, or -1
    const contribution *item;
    const action_state *action;
} baked_clip;

// A contribution's clip. NULL for a held pose and for the rest pose.
static const sinew_clip *get_clip(const sinew_mixer *mixer, const contribution *item) {
    if (item->slot >= SINEWI_REST_SLOT) return NULL;
    const action_state *action = &mixer->actions[item->slot];
    return action->space ? sinewi_action_space(mixer, action)->space->samples[item->sample].clip : action->clip;
}

// A clip's index in the texture, or -1 if it isn't baked.
static int32_t find_clip(const sinew_bake *bake, const sinew_clip *clip) {
    for (int32_t i = 0; clip && i < bake->clip_count; i++) {
        if (bake->clips[i].clip == clip) return i;
    }
    return -1;
}

// Finds the two baked clips with the largest weights. The base layer's contributions are sorted by
// weight, largest first.
static void find_two_largest(const sinew_bake *bake, const sinew_mixer *mixer, const contributions *gathered,
                             baked_clip clips[2]) {
    int32_t found = 0;
    for (int32_t i = 0; i < gathered->ends[0] && found < 2; i++) {
        const contribution *item = &gathered->items[i];
        int32_t clip = find_clip(bake, get_clip(mixer, item));
        if (clip >= 0) clips[found++] = (baked_clip){clip, item, &mixer->actions[item->slot]};
    }
}

// Speed of a clip in its own seconds per second. A blend space's speed is in sync phases, so it's divided by the clip's
// phases per second.
static float compute_speed(const sinew_mixer *mixer, const baked_clip *baked) {
    double rate = sinewi_action_rate(mixer, baked->action);
    if (!baked->action->space) return (float)rate;
    const sinew_blend_space *space = sinewi_action_space(mixer, baked->action)->space;
    const sinewi_sync_intervals *intervals = &space->data->intervals[baked->item->sample];
    double phases =
        sinewi_sync_clip_rate(space->samples[baked->item->sample].clip, intervals, baked->action->phase);
    return phases > 0.0 ? (float)(rate / phases) : 0.0f;
}

// The track of a baked clip, at the contribution's time.
static sinew_bake_track make_track(const sinew_mixer *mixer, const baked_clip *baked) {
    if (baked->clip < 0) return (sinew_bake_track){.clip = -1};
    return (sinew_bake_track){
        .clip = baked->clip,
        .loop = (sinew_loop)baked->action->loop,
        .time = baked->item->time,
        .speed = compute_speed(mixer, baked),
    };
}

// A clip's weight at the end of its action's fade.
static float weight_after_fade(const baked_clip *baked) {
    const sinewi_fade *fade = &baked->action->weight;
    return sinewi_fade_is_active(fade) ? baked->item->weight * (fade->to / fade->value) : baked->item->weight;
}

// Seconds until a clip's fade ends.
static double get_remaining_fade(const baked_clip *baked) {
    const sinewi_fade *fade = &baked->action->weight;
    return sinewi_fade_is_active(fade) ? (double)fade->duration - fade->elapsed : 0.0;
}

// Puts the clip that fades in second. If neither does, puts the one with the smaller weight second.
static void put_incoming_clip_second(baked_clip clips[2]) {
    float a = clips[0].item->weight, b = clips[1].item->weight;
    if (!(weight_after_fade(&clips[0]) * b > weight_after_fade(&clips[1]) * a)) return;
    baked_clip first = clips[0];
    clips[0] = clips[1];
    clips[1] = first;
}

// Sets the blend of two clips and, for a cross-fade, its rate.
static void set_blend(baked_clip clips[2], sinew_bake_state *state) {
    put_incoming_clip_second(clips);
    float from = clips[0].item->weight, to = clips[1].item->weight;
    state->blend = to / (from + to);
    bool is_cross_fade = weight_after_fade(&clips[0]) == 0.0f && weight_after_fade(&clips[1]) > 0.0f;
    double seconds_left = fmax(get_remaining_fade(&clips[0]), get_remaining_fade(&clips[1]));
    if (is_cross_fade && seconds_left > 0.0)
        state->blend_rate = (float)((double)(1.0f - state->blend) / seconds_left);
}

static float clamp_to_one(float number) {
    return number < 1.0f ? number : 1.0f;
}

// The weight that a layer leaves for the layers below it.
static float get_weight_left_by(const contributions *gathered, int32_t layer) {
    if (gathered->ends[layer] == gathered->ends[layer - 1]) return 1.0f;
    return 1.0f - clamp_to_one(gathered->strengths[layer]) * clamp_to_one(gathered->sums[layer]);
}

// How much of the pose a base layer weight makes up. A texture has no root motion, so it's 0 with root motion. It has
// no inertialization offsets either, so those reduce it while they decay.
static float pose_fraction(const sinew_mixer *mixer, const contributions *gathered, float weight) {
    if (mixer->root) return 0.0f;
    float fraction = clamp_to_one(weight / gathered->sums[0]);
    for (int32_t l = 1; l < mixer->def.layer_count; l++) fraction *= get_weight_left_by(gathered, l);
    const decay_state *offsets = &mixer->state->offsets;
    if (offsets->duration > 0.0f) fraction *= clamp_to_one((float)(offsets->elapsed / (double)offsets->duration));
    return fraction;
}

// Returns the fraction of the mixer's pose that the two tracks don't cover, or -1 if none of the texture's
// clips contributes.
float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state) {
    assert(bake && mixer && state);
    contribution_buffer now;
    now.all = (contributions){.items = now.items};
    sinewi_mixer_gather(mixer, 0.0, ALL_ACTIONS, &now.all);
    baked_clip clips[2] = {{.clip = -1}, {.clip = -1}};
    find_two_largest(bake, mixer, &now.all, clips);
    if (clips[0].clip < 0) return -1.0f;

    float weight = clips[0].item->weight;
    sinew_bake_state result = {.blend = 0.0f};
    if (clips[1].clip >= 0) {
        weight += clips[1].item->weight;
        set_blend(clips, &result);
    }
    for (int i = 0; i < 2; i++) result.tracks[i] = make_track(mixer, &clips[i]);
    *state = result;
    return 1.0f - pose_fraction(mixer, &now.all, weight);
}

// ---- To a mixer ----------------------------------------------------------------------------------------------

// Plays from the track's time. Plays backward where the track goes backward.
static sinew_play_def make_play_def(const sinew_bake *bake, const sinew_bake_track *track) {
    sinew_play_def def = sinew_play_default();
    sinewi_bake_time start = sinewi_bake_track_time(bake, track);
    def.time = start.time;
    def.speed = start.backward ? -track->speed : track->speed;
    def.loop = track->loop;
    def.allow_duplicate = true; // both tracks may play the same clip
    return def;
}

// Fades one action out and the other in over the remaining seconds.
static void continue_fade(sinew_mixer *mixer, sinew_action from, sinew_action to, float seconds) {
    if (!(seconds < FLT_MAX)) seconds = FLT_MAX; // the rate is near 0
    sinew_action_fade_out(mixer, from, seconds);
    sinew_action_fade_to(mixer, to, 1.0f, seconds);
}

// Plays the tracks' clips on a mixer at their times and weights, and continues their cross-fade. Returns false if the
// mixer has too few actions.
bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer) {
    assert(bake && state && mixer);
    const sinew_bake_track *tracks = state->tracks;
    bool blends = tracks[1].clip >= 0;
    if (blends && mixer->def.max_actions < 2) return false;
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f; // also ends other transitions
    sinew_play_def def = make_play_def(bake, &tracks[0]);
    sinew_mixer_stop_all(mixer);
    sinew_action first =
        sinew_mixer_transition_to(mixer, sinew_clip_source(bake->clips[tracks[0].clip].clip), &cut, &def);
    if (!blends) return true;

    def = make_play_def(bake, &tracks[1]);
    sinew_action second = sinew_mixer_play(mixer, sinew_clip_source(bake->clips[tracks[1].clip].clip), &def);
    float rest = 1.0f - sinewi_bake_blend(state), blend = 1.0f - rest, rate = state->blend_rate;
    sinew_action_set_weight(mixer, first, rest);
    sinew_action_set_weight(mixer, second, blend);
    if (rate > 0.0f) continue_fade(mixer, first, second, rest / rate);
    if (rate < 0.0f) continue_fade(mixer, second, first, blend / -rate);
    return true;
}
