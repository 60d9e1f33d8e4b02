// Snapshots: the playback state as one piece of memory, and as one number.
#include "record/mixer_call.h"
#include "mixer/mixer_state.h"
#include "core/fnv.h"

#include <assert.h>
#include <string.h>

// ---- Saving --------------------------------------------------------------------------------------------------

// Whether a layer's held pose has a part in what comes. In the base it stands where nothing has been seen since.
static bool is_held(const sinew_mixer *mixer, int32_t layer) {
    return mixer->layers[layer].held.value > 0.0f || (layer == 0 && !sinew_mixer_base_shows(mixer, NULL));
}

// Whether a held pose, or what dies away over a pose, has a part in what comes.
static bool holds_poses(const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    if (state->moving.duration > 0.0f || state->offsets.duration > 0.0f || state->set.is_kept) return true;
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        if (is_held(mixer, i)) return true;
    }
    return false;
}

size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->state_size;
}

size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory) {
    assert(mixer && memory);
    if (!memory) return 0;
    size_t size = holds_poses(mixer) ? mixer->state_size : mixer->head_size;
    mixer->state->saved_size = size;
    mixer->state->stamp = (mixer_stamp){NULL, 0};
    if (mixer->recorder) sinew_note_save(mixer);
    memcpy(memory, mixer->state, size);
    return size;
}

// Whether memory begins as a snapshot for this mixer does, and holds all of it.
static bool is_snapshot(const sinew_mixer *mixer, const mixer_state *head, size_t size) {
    if (head->magic != SINEW_SNAPSHOT_MAGIC || head->definition != mixer->state->definition) return false;
    bool is_size = head->saved_size == mixer->head_size || head->saved_size == mixer->state_size;
    return is_size && head->saved_size <= size;
}

bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size) {
    assert(mixer);
    mixer_state head;
    if (!memory || size < sizeof head) return false;
    memcpy(&head, memory, sizeof head);
    if (!is_snapshot(mixer, &head, size)) return false;
    if (mixer->recorder) sinew_note_restore(mixer, &head.stamp);
    memcpy(mixer->state, memory, head.saved_size);
    mixer->state->event_count = mixer->state->dropped_event_count = 0;
    mixer->shown.count = 0; // whatever is shown has changed
    mixer->is_touched = true;
    mixer->pose_is_behind = mixer->pose_is_edited = false;
    mixer->shown_as = SHOWN_NOT_AT_ALL;
    if (mixer->root) mixer->root->delta = sinew_root_delta_identity();
    return true;
}

// ---- Hashing -------------------------------------------------------------------------------------------------

static void mix_fade(uint64_t *hash, const sinew_fade *fade) {
    sinew_fnv_float(hash, fade->value);
    sinew_fnv_float(hash, fade->duration);
    if (!sinew_fade_runs(fade)) return;
    sinew_fnv_double(hash, fade->elapsed);
    sinew_fnv_float(hash, fade->from);
    sinew_fnv_float(hash, fade->to);
    sinew_fnv_number(hash, fade->curve);
}

static void mix_clip(uint64_t *hash, const sinew_clip *clip) {
    sinew_fnv_string(hash, clip->name);
    sinew_fnv_float(hash, clip->duration);
}

static void mix_space(uint64_t *hash, const sinew_blend_space *space) {
    sinew_fnv_number(hash, (uint64_t)space->kind);
    sinew_fnv_float(hash, space->damping);
    for (int32_t i = 0; i < space->sample_count; i++) {
        const sinew_blend_sample *sample = &space->samples[i];
        mix_clip(hash, sample->clip);
        sinew_fnv_float(hash, sample->x);
        sinew_fnv_float(hash, sample->y);
        sinew_fnv_float(hash, sample->speed);
    }
}

static void mix_mask(uint64_t *hash, const sinew_mask *mask) {
    sinew_fnv_number(hash, mask != NULL);
    if (!mask) return;
    for (int32_t i = 0; i < mask->skeleton->node_count; i++) sinew_fnv_float(hash, mask->nodes[i]);
}

static void mix_transition(uint64_t *hash, const sinew_transition *how) {
    sinew_fnv_number(hash, (uint64_t)how->kind);
    sinew_fnv_float(hash, how->duration);
    sinew_fnv_number(hash, (uint64_t)how->curve);
    sinew_fnv_number(hash, how->warp);
}

static void mix_play_def(uint64_t *hash, const sinew_play_def *def) {
    const float floats[4] = {def->time, def->speed, def->weight, def->fade};
    for (int i = 0; i < 4; i++) sinew_fnv_float(hash, floats[i]);
    const int32_t numbers[5] = {(int32_t)def->curve, def->layer, def->sync, (int32_t)def->loop, def->loop_count};
    for (int i = 0; i < 5; i++) sinew_fnv_number(hash, (uint32_t)numbers[i]);
    sinew_fnv_number(hash, def->allow_duplicate);
    sinew_fnv_number(hash, def->restart);
}

// What is to be played, and how.
static void mix_left(uint64_t *hash, const sinew_mixer *mixer, const left_state *left) {
    const sinew_source *what = &left->what;
    sinew_fnv_number(hash, what->clip ? 1 : what->blend_space ? 2 : 0);
    if (what->clip) mix_clip(hash, what->clip);
    if (what->blend_space) {
        mix_space(hash, what->blend_space);
        sinew_fnv_float(hash, what->x);
        sinew_fnv_float(hash, what->y);
    }
    if (!what->clip && !what->blend_space) return;
    mix_play_def(hash, &left->def);
    sinew_fnv_number(hash, sinew_handle_bits(mixer, left->action));
}

static void mix_action(uint64_t *hash, const sinew_mixer *mixer, int32_t slot) {
    const action_state *action = &mixer->actions[slot];
    mix_clip(hash, action->clip);
    sinew_fnv_double(hash, action->phase);
    mix_fade(hash, &action->weight);
    mix_fade(hash, &action->warp);
    sinew_fnv_float(hash, action->full_weight);
    sinew_fnv_float(hash, action->speed); // and not seen_rate: the next step says it anew
    sinew_fnv_number(hash, (uint32_t)action->loop_count);
    sinew_fnv_number(hash, (uint32_t)action->loops_done);
    sinew_fnv_number(hash, action->serial);
    sinew_fnv_number(hash, action->intervals.marker_bits);
    sinew_fnv_number(hash, action->intervals.count);
    const uint8_t bytes[6] = {action->loop,  action->flags, action->layer,
                              action->curve, action->sync,  action->space};
    sinew_fnv_bytes(hash, bytes, sizeof bytes);
    const follow_state *follow = &mixer->follows[slot];
    sinew_fnv_number(hash, follow->kind);
    if (follow->kind != FOLLOW_NOTHING) mix_transition(hash, &follow->how);
    if (follow->kind == FOLLOW_PLAY || follow->kind == FOLLOW_RETURN) mix_left(hash, mixer, &follow->to);
    const space_state *space = sinew_action_space(mixer, action);
    if (!space) return;
    mix_space(hash, space->space);
    sinew_fnv_double(hash, space->at.x);
    sinew_fnv_double(hash, space->at.y);
    sinew_fnv_double(hash, space->at.vx);
    sinew_fnv_double(hash, space->at.vy);
    sinew_fnv_float(hash, space->x);
    sinew_fnv_float(hash, space->y);
}

static void mix_floats(uint64_t *hash, const void *floats, size_t size) {
    for (size_t i = 0; i < size / sizeof(float); i++) sinew_fnv_float(hash, ((const float *)floats)[i]);
}

// Of poses what counts: where one moves, where it came from and not where it happens to have been evaluated last.
static void mix_poses(uint64_t *hash, const sinew_mixer *mixer) {
    size_t blocks = sinew_block_count(mixer->def.skeleton->node_count);
    size_t weights = sinew_block_count(mixer->def.skeleton->weight_count);
    bool moves = mixer->state->moving.duration > 0.0f;
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        if (!is_held(mixer, i) || (i == 0 && moves)) continue;
        mix_floats(hash, mixer->held[i].blocks, blocks * sizeof(sinew_block));
        mix_floats(hash, mixer->held[i].weights, weights * SINEW_LANES * sizeof(float));
    }
    if (moves) {
        mix_floats(hash, mixer->moving.blocks, blocks * sizeof *mixer->moving.blocks);
        mix_floats(hash, mixer->moving.weights, weights * sizeof *mixer->moving.weights);
    }
    if (mixer->state->offsets.duration > 0.0f || mixer->state->set.is_kept) {
        mix_floats(hash, mixer->offsets.blocks, blocks * sizeof *mixer->offsets.blocks);
        mix_floats(hash, mixer->offsets.weights, weights * sizeof *mixer->offsets.weights);
    }
}

uint64_t sinew_mixer_hash(const sinew_mixer *mixer) {
    assert(mixer);
    const mixer_state *state = mixer->state;
    uint64_t hash = 0xcbf29ce484222325u;
    sinew_fnv_number(&hash, state->next_serial);
    sinew_fnv_number(&hash, state->has_advanced);
    for (int32_t i = 0; i < state->slot_end; i++) {
        sinew_fnv_number(&hash, (uint32_t)i);
        if (mixer->actions[i].clip) mix_action(&hash, mixer, i);
    }
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        const layer_state *layer = &mixer->layers[i];
        mix_fade(&hash, &layer->weight);
        mix_fade(&hash, &layer->held);
        sinew_fnv_number(&hash, layer->mode);
        sinew_fnv_number(&hash, layer->held_is_sum);
        mix_mask(&hash, layer->mask);
        mix_left(&hash, mixer, &mixer->left[i]);
    }
    const decay_state *decays[2] = {&state->moving, &state->offsets};
    for (int i = 0; i < 2; i++) {
        sinew_fnv_float(&hash, decays[i]->duration);
        if (decays[i]->duration > 0.0f) sinew_fnv_double(&hash, decays[i]->elapsed);
    }
    sinew_fnv_number(&hash, state->set.is_current);
    sinew_fnv_number(&hash, state->set.is_kept);
    if (state->set.is_kept) sinew_fnv_number(&hash, (uint32_t)state->set.steps);
    if (state->set.is_kept) sinew_fnv_double(&hash, state->set.seconds);
    sinew_fnv_float(&hash, state->set.change);
    mix_poses(&hash, mixer);
    return hash;
}
