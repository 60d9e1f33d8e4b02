// SPDX-License-Identifier: MIT
// Reads a written state: decodes it, checks it, and makes it a mixer's state.
#include "motion/mixer_snapshot_format.h"
#include "core/blend_space_data.h"
#include "core/mixer_checks.h"
#include "base/fail.h"

#include <assert.h>
#include <string.h>

// ---- What has no lanes ---------------------------------------------------------------------------------------

// A mixer without inertialization or root motion leaves out what needs them.
static void apply_head(sinew_mixer *mixer, const mixer_image *image) {
    mixer_state *state = mixer->state;
    const mixer_state *from = &image->state;
    const bool smooths = mixer->def.inertialization;
    const decay_state none = {.duration = 0.0f};
    state->tag = from->tag;
    state->next_serial = from->next_serial;
    state->has_advanced = from->has_advanced;
    state->has_sideless = from->has_sideless;
    state->rest_is_sideless = from->rest_is_sideless;
    state->held_proportion = from->held_proportion;
    state->extrapolation = smooths ? from->extrapolation : none;
    state->offsets = smooths ? from->offsets : none;
    state->set_pose = smooths ? from->set_pose : (set_pose_state){.change = 0.0f};
    state->finish = smooths ? from->finish : (finish_state){.is_finished = from->finish.is_finished};
    state->root = mixer->root ? from->root : (root_state){.decay = none};
}

static void apply_arrays(sinew_mixer *mixer, const mixer_image *image) {
    const sinew_mixer_def *def = &mixer->def;
    const size_t layers = (size_t)def->layer_count, actions = (size_t)def->max_actions;
    const size_t spaces = (size_t)def->max_blend_spaces, hints = actions * (size_t)def->hints_per_action;
    memcpy(mixer->layers, image->layers, layers * sizeof *mixer->layers);
    memcpy(mixer->previous, image->previous, layers * sizeof *mixer->previous);
    memcpy(mixer->actions, image->actions, actions * sizeof *mixer->actions);
    memcpy(mixer->queued, image->queued, actions * sizeof *mixer->queued);
    if (spaces > 0) memcpy(mixer->spaces, image->spaces, spaces * sizeof *mixer->spaces);
    if (hints > 0) memset(mixer->hints, 0, hints * sizeof *mixer->hints);
}

// Takes a blend space's clip from its parameter, and enters samples that the state doesn't have.
static void settle_space(sinew_mixer *mixer, action_state *action) {
    space_state *space = sinewi_action_space(mixer, action);
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    const int32_t count = sinewi_space_weights(mixer, action, space, weights);
    int32_t heaviest = 0;
    for (int32_t i = 1; i < count; i++)
        if (weights[i].weight > weights[heaviest].weight) heaviest = i;
    sinewi_space_enter_samples(mixer, space, weights, count);
    action->clip = space->space->samples[weights[heaviest].sample].clip;
    action->intervals = space->space->data->intervals[weights[heaviest].sample];
}

static void count_actions(sinew_mixer *mixer) {
    mixer_state *state = mixer->state;
    state->slot_end = state->synced_count = state->queued_count = 0;
    for (int32_t i = 0; i < mixer->def.max_actions; i++) {
        action_state *action = &mixer->actions[i];
        if (action->space) settle_space(mixer, action);
        if (!action->clip) continue;
        state->slot_end = i + 1;
        state->synced_count += action->sync || action->space;
        state->queued_count += mixer->queued[i].kind != QUEUED_NOTHING;
        mixer->layers[action->layer].action_count++;
    }
}

// The remaining actions of a layer that has lost one take over its part, like after an eviction.
static void replace_lost(sinew_mixer *mixer, uint8_t lost) {
    for (int32_t l = 0; l < mixer->def.layer_count; l++) {
        layer_state *layer = &mixer->layers[l];
        if ((lost >> l & 1) == 0 || !layer->proportions_fade || layer->mode == SINEW_LAYER_ADDITIVE) continue;
        layer->weights_changed = true;
        for (int32_t i = 0; i < mixer->state->slot_end; i++) {
            const action_state *action = &mixer->actions[i];
            if (!action->clip || action->layer != l) continue;
            layer->change_duration = fmaxf(layer->change_duration, sinewi_fade_seconds_left(&action->weight));
        }
    }
}

void sinewi_state_apply(state_file *file, sinew_mixer *mixer, const mixer_image *image,
                        const struct state_lanes *lanes) {
    sinewi_mixer_refresh_pose(mixer);
    apply_head(mixer, image);
    apply_arrays(mixer, image);
    sinewi_mixer_forget(mixer);
    count_actions(mixer);
    replace_lost(mixer, image->lost);
    sinewi_state_apply_lanes(file, mixer, image, lanes);
    sinewi_mixer_finish_load(mixer);
}

// ---- The public function -------------------------------------------------------------------------------------

sinew_result sinewi_state_check(state_file *file, const sinew_mixer *mixer, mixer_image *image,
                                struct state_lanes *lanes, sinew_error *error) {
    sinewi_state_read_names(file);
    sinewi_state_read_mixer(file, mixer, image);
    return sinewi_state_read_lanes(file, mixer, image, lanes, error);
}

// Decodes again, now that there are no problems.
void sinewi_state_report(state_file *file, const sinew_mixer *mixer, const sinew_state_report *report,
                         mixer_image *image) {
    file->report = report;
    if (!report) return;
    sinewi_state_read_names(file);
    sinewi_state_read_mixer(file, mixer, image);
}

sinew_result sinew_mixer_read(sinew_mixer *mixer, const sinew_state_names *names, const void *bytes, size_t size,
                              const sinew_state_report *report, sinew_error *error) {
    assert(mixer);
    if (!SINEWI_MIXER_IS_IDLE(mixer, "sinew_mixer_read"))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "state: read during an update; defer it until after that");
    const state_lookup lookup = sinewi_state_lookup(mixer, names);
    state_file file;
    mixer_image image;
    state_lanes lanes;
    sinew_result result = sinewi_state_open(&file, &lookup, bytes, size, error);
    if (result != SINEW_OK) return result;
    result = sinewi_state_check(&file, mixer, &image, &lanes, error);
    if (result == SINEW_OK) {
        sinewi_state_report(&file, mixer, report, &image);
        SINEWI_NOTE_CALL(mixer, .kind = CALL_RESTORE); // without a stamp: the recording ends
        sinewi_state_apply(&file, mixer, &image, &lanes);
    }
    sinewi_state_free_lanes(&lanes);
    return result;
}
