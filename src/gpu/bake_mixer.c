// Characters that move between an animation texture and a mixer of their own.
#include "blend_space/blend_space_data.h"
#include "mixer/mixer_evaluation.h"
#include "gpu/bake_object.h"

#include <assert.h>
#include <float.h>

// ---- From a mixer --------------------------------------------------------------------------------------------

// A baked clip that has a share of what a mixer shows.
typedef struct part {
    int32_t clip; // of the texture; -1: there is none
    const contribution *share;
    const action_state *action;
} part;

static const sinew_clip *clip_of(const sinew_mixer *mixer, const contribution *share) {
    if (share->slot >= SINEW_REST_SLOT) return NULL;
    const action_state *action = &mixer->actions[share->slot];
    return action->space ? sinew_action_space(mixer, action)->space->samples[share->sample].clip : action->clip;
}

static int32_t find_clip(const sinew_bake *bake, const sinew_clip *clip) {
    for (int32_t i = 0; clip && i < bake->clip_count; i++) {
        if (bake->clips[i].clip == clip) return i;
    }
    return -1;
}

// Shares of the base are sorted, heaviest first.
static void find_heaviest(const sinew_bake *bake, const sinew_mixer *mixer, const contributions *all,
                          part parts[2]) {
    int32_t found = 0;
    for (int32_t i = 0; i < all->ends[0] && found < 2; i++) {
        const contribution *share = &all->items[i];
        int32_t clip = find_clip(bake, clip_of(mixer, share));
        if (clip >= 0) parts[found++] = (part){clip, share, &mixer->actions[share->slot]};
    }
}

// Of a clip's seconds a second.
static float speed_of(const sinew_mixer *mixer, const part *of) {
    double rate = sinew_action_rate(mixer, of->action);
    if (!of->action->space) return (float)rate;
    const sinew_blend_space *space = sinew_action_space(mixer, of->action)->space;
    const sinew_sync_intervals *steps = &space->data->intervals[of->share->sample];
    double beats = sinew_sync_clip_rate(space->samples[of->share->sample].clip, steps, of->action->phase);
    return beats > 0.0 ? (float)(rate / beats) : 0.0f;
}

static sinew_bake_track track_of(const sinew_mixer *mixer, const part *of) {
    if (of->clip < 0) return (sinew_bake_track){.clip = -1};
    return (sinew_bake_track){
        .clip = of->clip,
        .loop = (sinew_loop)of->action->loop,
        .time = of->share->time,
        .speed = speed_of(mixer, of),
    };
}

// The weight at the end of its fade, of one whose share is a part of its action's weight.
static float weight_to_be(const part *of) {
    const sinew_fade *fade = &of->action->weight;
    return sinew_fade_is_active(fade) ? of->share->weight * (fade->to / fade->value) : of->share->weight;
}

static double fade_left(const part *of) {
    const sinew_fade *fade = &of->action->weight;
    return sinew_fade_is_active(fade) ? (double)fade->duration - fade->elapsed : 0.0;
}

// Of two, the one that comes is the second; where neither does, the lighter one.
static void put_in_order(part parts[2]) {
    float a = parts[0].share->weight, b = parts[1].share->weight;
    if (!(weight_to_be(&parts[0]) * b > weight_to_be(&parts[1]) * a)) return;
    part first = parts[0];
    parts[0] = parts[1];
    parts[1] = first;
}

static void blend_parts(part parts[2], sinew_bake_state *state) {
    put_in_order(parts);
    float from = parts[0].share->weight, to = parts[1].share->weight;
    state->blend = to / (from + to);
    bool goes = weight_to_be(&parts[0]) == 0.0f && weight_to_be(&parts[1]) > 0.0f;
    double left = fmax(fade_left(&parts[0]), fade_left(&parts[1]));
    if (goes && left > 0.0) state->blend_rate = (float)((double)(1.0f - state->blend) / left);
}

static float at_most_one(float number) {
    return number < 1.0f ? number : 1.0f;
}

// How much of what is below a layer it leaves.
static float left_by_layer(const contributions *all, int32_t layer) {
    if (all->ends[layer] == all->ends[layer - 1]) return 1.0f;
    return 1.0f - at_most_one(all->strengths[layer]) * at_most_one(all->sums[layer]);
}

// How much of the pose some of the base's weight has.
static float share_of_pose(const sinew_mixer *mixer, const contributions *all, float weight) {
    if (mixer->root) return 0.0f;
    float share = at_most_one(weight / all->sums[0]);
    for (int32_t l = 1; l < mixer->def.layer_count; l++) share *= left_by_layer(all, l);
    const decay_state *offsets = &mixer->state->offsets;
    if (offsets->duration > 0.0f) share *= at_most_one((float)(offsets->elapsed / (double)offsets->duration));
    return share;
}

float sinew_bake_from_mixer(const sinew_bake *bake, const sinew_mixer *mixer, sinew_bake_state *state) {
    assert(bake && mixer && state);
    contribution_buffer now;
    now.all = (contributions){.items = now.items};
    sinew_mixer_gather(mixer, 0.0, ALL_ACTIONS, &now.all);
    part parts[2] = {{.clip = -1}, {.clip = -1}};
    find_heaviest(bake, mixer, &now.all, parts);
    if (parts[0].clip < 0) return -1.0f;

    float weight = parts[0].share->weight;
    sinew_bake_state shown = {.blend = 0.0f};
    if (parts[1].clip >= 0) {
        weight += parts[1].share->weight;
        blend_parts(parts, &shown);
    }
    for (int i = 0; i < 2; i++) shown.tracks[i] = track_of(mixer, &parts[i]);
    *state = shown;
    return 1.0f - share_of_pose(mixer, &now.all, weight);
}

// ---- To a mixer ----------------------------------------------------------------------------------------------

static sinew_play_def play_def_of(const sinew_bake *bake, const sinew_bake_track *track) {
    sinew_play_def def = sinew_play_default();
    sinew_bake_place place = sinew_bake_place_of(bake, track);
    def.time = place.time;
    def.speed = place.backward ? -track->speed : track->speed;
    def.loop = track->loop;
    def.allow_duplicate = true; // both may be of one clip
    return def;
}

// The end of a fade, in the midst of which both are.
static void end_fade(sinew_mixer *mixer, sinew_action goes, sinew_action comes, float seconds) {
    if (!(seconds < FLT_MAX)) seconds = FLT_MAX; // a rate next to 0
    sinew_action_fade_out(mixer, goes, seconds);
    sinew_action_fade_to(mixer, comes, 1.0f, seconds);
}

bool sinew_bake_to_mixer(const sinew_bake *bake, const sinew_bake_state *state, sinew_mixer *mixer) {
    assert(bake && state && mixer);
    const sinew_bake_track *tracks = state->tracks;
    bool blends = tracks[1].clip >= 0;
    if (blends && mixer->def.max_actions < 2) return false;
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f; // which ends what is left of other transitions, too
    sinew_play_def def = play_def_of(bake, &tracks[0]);
    sinew_mixer_stop_all(mixer);
    sinew_action first =
        sinew_mixer_transition_to(mixer, sinew_clip_source(bake->clips[tracks[0].clip].clip), &cut, &def);
    if (!blends) return true;

    def = play_def_of(bake, &tracks[1]);
    sinew_action second = sinew_mixer_play(mixer, sinew_clip_source(bake->clips[tracks[1].clip].clip), &def);
    float rest = 1.0f - sinew_bake_blend_of(state), blend = 1.0f - rest, rate = state->blend_rate;
    sinew_action_set_weight(mixer, first, rest);
    sinew_action_set_weight(mixer, second, blend);
    if (rate > 0.0f) end_fade(mixer, first, second, rest / rate);
    if (rate < 0.0f) end_fade(mixer, second, first, blend / -rate);
    return true;
}
