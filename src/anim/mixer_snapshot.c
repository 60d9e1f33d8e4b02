// Snapshots: the playback state as one piece of memory, and as one number.
#include "anim/mixer_state.h"

#include <string.h>

// ---- Saving --------------------------------------------------------------------------------------------------

// Whether a layer's held pose has a part in what comes. In the base it has one where no action has a weight.
static bool is_held(const sinew_mixer *mixer, int32_t layer) {
    if (mixer->layers[layer].held.value > 0.0f) return true;
    if (layer > 0) return false;
    for (int32_t i = 0; i < mixer->state->slot_end; i++) {
        const action_state *action = &mixer->actions[i];
        if (action->clip && action->layer == 0 && action->weight.value > 0.0f) return false;
    }
    return true;
}

// Whether a held pose, or what dies away over a pose, has a part in what comes.
static bool holds_poses(const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    if (state->moving.duration > 0.0f || state->offsets.duration > 0.0f) return true;
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        if (is_held(mixer, i)) return true;
    }
    return false;
}

size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer) {
    return mixer->state_size;
}

size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory) {
    size_t size = holds_poses(mixer) ? mixer->state_size : mixer->head_size;
    mixer->state->saved_size = size;
    memcpy(memory, mixer->state, size);
    return size;
}

void sinew_mixer_restore(sinew_mixer *mixer, const void *memory) {
    size_t size;
    memcpy(&size, memory, sizeof size);
    memcpy(mixer->state, memory, size);
    mixer->state->event_count = mixer->state->events_lost = 0;
    mixer->shown.count = 0; // whatever is shown has changed
    mixer->is_touched = true;
    mixer->pose_is_behind = false;
    mixer->model_is_current = false;
    if (mixer->root) mixer->root->delta = sinew_root_delta_identity();
}

// ---- Hashing -------------------------------------------------------------------------------------------------

// FNV-1a, 64 bits.
static void mix_bytes(uint64_t *hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) *hash = (*hash ^ at[i]) * 0x100000001b3u;
}

static void mix_number(uint64_t *hash, uint64_t number) {
    for (int i = 0; i < 8; i++) *hash = (*hash ^ (number >> 8 * i & 0xff)) * 0x100000001b3u;
}

static void mix_float(uint64_t *hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    mix_number(hash, bits);
}

static void mix_double(uint64_t *hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    mix_number(hash, bits);
}

static void mix_fade(uint64_t *hash, const sinew_fade *fade) {
    mix_float(hash, fade->value);
    mix_float(hash, fade->duration);
    if (!sinew_fade_runs(fade)) return;
    mix_double(hash, fade->elapsed);
    mix_float(hash, fade->from);
    mix_float(hash, fade->to);
    mix_number(hash, fade->curve);
}

static void mix_clip(uint64_t *hash, const sinew_clip *clip) {
    mix_bytes(hash, clip->name, strlen(clip->name) + 1);
    mix_float(hash, clip->duration);
}

static void mix_source(uint64_t *hash, const mixer_source *what) {
    mix_number(hash, what->clip ? 1 : what->space ? 2 : 0);
    if (what->clip) mix_clip(hash, what->clip);
    if (!what->space) return;
    mix_float(hash, what->x);
    mix_float(hash, what->y);
}

static void mix_action(uint64_t *hash, const sinew_mixer *mixer, int32_t slot) {
    const action_state *action = &mixer->actions[slot];
    mix_clip(hash, action->clip);
    mix_double(hash, action->phase);
    mix_fade(hash, &action->weight);
    mix_fade(hash, &action->warp);
    mix_float(hash, action->full_weight);
    mix_float(hash, action->speed);
    mix_number(hash, (uint32_t)action->loop_count);
    mix_number(hash, (uint32_t)action->loops_done);
    mix_number(hash, action->serial);
    const uint8_t bytes[6] = {action->loop,  action->flags, action->layer,
                              action->curve, action->sync,  action->space};
    mix_bytes(hash, bytes, sizeof bytes);
    mix_source(hash, &mixer->follows[slot].what);
    const space_state *space = sinew_action_space(mixer, action);
    if (!space) return;
    mix_double(hash, space->at.x);
    mix_double(hash, space->at.y);
    mix_double(hash, space->at.vx);
    mix_double(hash, space->at.vy);
    mix_float(hash, space->x);
    mix_float(hash, space->y);
}

static void mix_floats(uint64_t *hash, const void *floats, size_t size) {
    for (size_t i = 0; i < size / sizeof(float); i++) mix_float(hash, ((const float *)floats)[i]);
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
    if (mixer->state->offsets.duration > 0.0f) {
        mix_floats(hash, mixer->offsets.blocks, blocks * sizeof *mixer->offsets.blocks);
        mix_floats(hash, mixer->offsets.weights, weights * sizeof *mixer->offsets.weights);
    }
}

uint64_t sinew_mixer_hash(const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    uint64_t hash = 0xcbf29ce484222325u;
    mix_number(&hash, state->next_serial);
    mix_number(&hash, state->has_advanced);
    for (int32_t i = 0; i < state->slot_end; i++) {
        mix_number(&hash, (uint32_t)i);
        if (mixer->actions[i].clip) mix_action(&hash, mixer, i);
    }
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        const layer_state *layer = &mixer->layers[i];
        mix_fade(&hash, &layer->weight);
        mix_fade(&hash, &layer->held);
        mix_number(&hash, layer->mode);
        mix_number(&hash, layer->mask != NULL);
        mix_source(&hash, &layer->before);
    }
    const decay_state *decays[2] = {&state->moving, &state->offsets};
    for (int i = 0; i < 2; i++) {
        mix_float(&hash, decays[i]->duration);
        if (decays[i]->duration > 0.0f) mix_double(&hash, decays[i]->elapsed);
    }
    mix_poses(&hash, mixer);
    return hash;
}
