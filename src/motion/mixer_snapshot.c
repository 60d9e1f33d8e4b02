// SPDX-License-Identifier: MIT
// Snapshots: the playback state as one block of memory, and as a hash.
#include <sinew/motion/mixer_snapshot.h>

#include "motion/mixer_snapshot_format.h"
#include "core/mixer_checks.h"
#include "base/checksum.h"
#include "base/fnv.h"

#include <assert.h>
#include <string.h>

// ---- Saving --------------------------------------------------------------------------------------------------

bool sinewi_mixer_is_held(const sinew_mixer *mixer) {
    return mixer->state->held_proportion.value > 0.0f || !sinewi_mixer_base_is_visible(mixer, NULL);
}

bool sinewi_mixer_is_untouched(const sinew_mixer *mixer) {
    if (mixer->state->next_serial > 0 || mixer->state->has_advanced) return false;
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        const layer_state *layer = &mixer->layers[i];
        bool is_full = layer->weight.value == 1.0f && !sinewi_fade_is_active(&layer->weight);
        if (!is_full || layer->mask || layer->mode != SINEW_LAYER_OVERRIDE) return false;
    }
    return true;
}

// Whether the held pose, an extrapolation or offsets may be part of the next poses.
static bool holds_poses(const sinew_mixer *mixer) {
    const mixer_state *state = mixer->state;
    bool has_set_pose = state->set_pose.is_kept || state->set_pose.is_current;
    if (state->extrapolation.duration > 0.0f || state->offsets.duration > 0.0f || has_set_pose) return true;
    return sinewi_mixer_has_finish_offsets(mixer) || sinewi_mixer_is_held(mixer);
}

// An inertialization may start from the pose as the program edited or finished it. Nothing else in the
// state has that pose.
static void save_finished_pose(const sinew_mixer *mixer) {
    finish_state *finish = &mixer->state->finish;
    finish->saves_edits = mixer->pose_is_edited;
    finish->saves_pose = mixer->def.inertialization && (finish->is_finished || mixer->pose_is_edited);
    if (!finish->saves_pose) return;
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    for (size_t b = 0; b < sinewi_block_count(skeleton->node_count); b++)
        sinewi_mixer_read_block(mixer, b, &mixer->finished.blocks[b]);
    const size_t weights = sinewi_padded(sinewi_value_count(skeleton)) * sizeof(float);
    if (weights > 0) memcpy(mixer->finished.weights, mixer->pose.weights, weights);
}

static void load_finished_pose(sinew_mixer *mixer) {
    const finish_state *finish = &mixer->state->finish;
    mixer->pose_is_edited = finish->saves_pose && finish->saves_edits;
    if (!finish->saves_pose) return;
    const sinew_skeleton *skeleton = mixer->def.skeleton;
    for (size_t b = 0; b < sinewi_block_count(skeleton->node_count); b++)
        sinewi_mixer_write_block(mixer, b, &mixer->finished.blocks[b]);
    const size_t weights = sinewi_padded(sinewi_value_count(skeleton)) * sizeof(float);
    if (weights > 0) memcpy(mixer->pose.weights, mixer->finished.weights, weights);
}

static size_t snapshot_size(const sinew_mixer *mixer) {
    if (holds_poses(mixer)) return mixer->state_size;
    return mixer->state->finish.saves_pose ? mixer->finished_size : mixer->head_size;
}

size_t sinewi_mixer_prepare_snapshot(const sinew_mixer *mixer) {
    mixer_state *state = mixer->state;
    save_finished_pose(mixer);
    state->saved_size = snapshot_size(mixer);
    state->stamp = (mixer_stamp){.recorder = NULL};
    return state->saved_size;
}

// The checksum is the first field and covers the bytes after it. Snapshot sizes are multiples of SINEWI_ALIGNMENT.
static uint64_t snapshot_checksum(const void *memory, size_t size) {
    return sinewi_checksum((const char *)memory + sizeof(uint64_t), size - sizeof(uint64_t));
}

void sinewi_mixer_write_snapshot(const sinew_mixer *mixer, void *memory) {
    const size_t size = mixer->state->saved_size;
    memcpy(memory, mixer->state, size);
    const uint64_t checksum = snapshot_checksum(memory, size);
    memcpy(memory, &checksum, sizeof checksum);
}

// Whether memory starts like a snapshot of this mixer, and has its size.
static bool is_snapshot(const sinew_mixer *mixer, const mixer_state *head, size_t size) {
    if (head->magic != SINEWI_SNAPSHOT_MAGIC || head->definition != mixer->state->definition) return false;
    const size_t saved = head->saved_size;
    bool is_size = saved == mixer->head_size || saved == mixer->finished_size || saved == mixer->state_size;
    return is_size && saved <= size;
}

bool sinewi_mixer_check_snapshot(const sinew_mixer *mixer, const void *memory, size_t size, mixer_stamp *stamp) {
    mixer_state head;
    if (!memory || size < sizeof head) return false;
    memcpy(&head, memory, sizeof head);
    *stamp = head.stamp;
    return is_snapshot(mixer, &head, size) && head.checksum == snapshot_checksum(memory, head.saved_size);
}

void sinewi_mixer_finish_load(sinew_mixer *mixer) {
    mixer->state->event_count = mixer->state->dropped_event_count = 0;
    // Makes the next comparison find a change, and never compare with a contribution that is gone.
    mixer->current.count = 0;
    memset(mixer->current.ends, 0, sizeof mixer->current.ends);
    mixer->is_dirty = true;
    mixer->pose_is_stale = mixer->is_evaluated = false;
    load_finished_pose(mixer);
    mixer->output = OUTPUT_NONE;
    if (mixer->root) sinewi_mixer_root_reset(mixer);
}

void sinewi_mixer_load_snapshot(sinew_mixer *mixer, const void *memory) {
    mixer_state head;
    memcpy(&head, memory, sizeof head);
    memcpy(mixer->state, memory, head.saved_size);
    sinewi_mixer_forget(mixer);
    sinewi_mixer_finish_load(mixer);
}

// ---- Hashing -------------------------------------------------------------------------------------------------

static void mix_fade(uint64_t *hash, const sinewi_fade *fade) {
    sinewi_fnv_float(hash, fade->value);
    sinewi_fnv_float(hash, fade->duration);
    if (!sinewi_fade_is_active(fade)) return;
    sinewi_fnv_double(hash, fade->elapsed);
    sinewi_fnv_float(hash, fade->from);
    sinewi_fnv_float(hash, fade->to);
    sinewi_fnv_number(hash, fade->easing);
}

static void mix_clip(uint64_t *hash, const sinew_clip *clip) {
    sinewi_fnv_string(hash, clip->name);
    sinewi_fnv_float(hash, clip->duration);
}

static void mix_space(uint64_t *hash, const sinew_blend_space *space) {
    sinewi_fnv_number(hash, (uint64_t)space->kind);
    sinewi_fnv_float(hash, space->damping);
    sinewi_fnv_number(hash, space->match_speed);
    sinewi_fnv_float(hash, space->min_rate);
    sinewi_fnv_float(hash, space->max_rate);
    for (int32_t i = 0; i < space->sample_count; i++) {
        const sinew_blend_sample *sample = &space->samples[i];
        mix_clip(hash, sample->clip);
        sinewi_fnv_float(hash, sample->x);
        sinewi_fnv_float(hash, sample->y);
        sinewi_fnv_float(hash, sample->speed);
    }
}

static void mix_mask(uint64_t *hash, const sinew_mask *mask) {
    sinewi_fnv_number(hash, mask != NULL);
    if (!mask) return;
    const sinew_skeleton *skeleton = mask->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++) sinewi_fnv_float(hash, mask->nodes[i]);
    for (int32_t i = skeleton->weight_count; i < sinewi_value_count(skeleton); i++) {
        sinewi_fnv_float(hash, mask->weights[i]);
    }
}

static void mix_transition(uint64_t *hash, const sinew_transition *transition) {
    sinewi_fnv_number(hash, (uint64_t)transition->kind);
    sinewi_fnv_float(hash, transition->duration);
    sinewi_fnv_number(hash, (uint64_t)transition->easing);
    sinewi_fnv_number(hash, transition->match_rate);
}

static void mix_play_def(uint64_t *hash, const sinew_play_def *def) {
    const float floats[4] = {def->time, def->speed, def->weight, def->fade};
    for (int i = 0; i < 4; i++) sinewi_fnv_float(hash, floats[i]);
    const int32_t numbers[5] = {(int32_t)def->easing, def->layer, def->sync, (int32_t)def->loop, def->loop_count};
    for (int i = 0; i < 5; i++) sinewi_fnv_number(hash, (uint32_t)numbers[i]);
    sinewi_fnv_number(hash, def->allow_duplicate);
    sinewi_fnv_number(hash, def->restart);
}

// A source and how it is played.
static void mix_previous(uint64_t *hash, const sinew_mixer *mixer, const previous_source *previous) {
    const sinew_source *source = &previous->source;
    sinewi_fnv_number(hash, source->clip ? 1 : source->blend_space ? 2 : 0);
    if (source->clip) mix_clip(hash, source->clip);
    if (source->blend_space) {
        mix_space(hash, source->blend_space);
        sinewi_fnv_float(hash, source->x);
        sinewi_fnv_float(hash, source->y);
    }
    if (!source->clip && !source->blend_space) return;
    mix_play_def(hash, &previous->def);
    sinewi_fnv_number(hash, sinewi_handle_bits(mixer, previous->action));
}

static void mix_action(uint64_t *hash, const sinew_mixer *mixer, int32_t slot) {
    const action_state *action = &mixer->actions[slot];
    mix_clip(hash, action->clip);
    sinewi_fnv_double(hash, action->phase);
    mix_fade(hash, &action->weight);
    mix_fade(hash, &action->proportion);
    mix_fade(hash, &action->warp);
    sinewi_fnv_float(hash, action->target_weight);
    sinewi_fnv_float(hash, action->speed); // last_rate is left out, because the next step sets it
    sinewi_fnv_number(hash, (uint32_t)action->loop_count);
    sinewi_fnv_number(hash, (uint32_t)action->loops_done);
    sinewi_fnv_number(hash, action->serial);
    sinewi_fnv_number(hash, action->intervals.marker_bits);
    sinewi_fnv_number(hash, action->intervals.count);
    const uint8_t bytes[6] = {action->loop,   action->flags, action->layer,
                              action->easing, action->sync,  action->space};
    sinewi_fnv_bytes(hash, bytes, sizeof bytes);
    const queued_state *queued = &mixer->queued[slot];
    sinewi_fnv_number(hash, queued->kind);
    if (queued->kind != QUEUED_NOTHING) mix_transition(hash, &queued->transition);
    if (queued->kind == QUEUED_SOURCE || queued->kind == QUEUED_PREVIOUS)
        mix_previous(hash, mixer, &queued->target);
    const space_state *space = sinewi_action_space(mixer, action);
    if (!space) return;
    mix_space(hash, space->space);
    sinewi_fnv_double(hash, space->parameter.x);
    sinewi_fnv_double(hash, space->parameter.y);
    sinewi_fnv_double(hash, space->parameter.vx);
    sinewi_fnv_double(hash, space->parameter.vy);
    sinewi_fnv_float(hash, space->x);
    sinewi_fnv_float(hash, space->y);
}

static void mix_floats(uint64_t *hash, const void *floats, size_t size) {
    for (size_t i = 0; i < size / sizeof(float); i++) sinewi_fnv_float(hash, ((const float *)floats)[i]);
}

static void mix_side_row(uint64_t *hash, const sinew_mixer *mixer, size_t row) {
    const uint16_t *sides = sinewi_side_row(mixer, row);
    for (size_t b = 0; b < sinewi_mixer_block_end(mixer); b++) sinewi_fnv_number(hash, sides[b]);
}

// An action's sides. For a blend space, each sample's sides are in its entry.
static void mix_sides(uint64_t *hash, const sinew_mixer *mixer, int32_t slot) {
    const space_state *space = sinewi_action_space(mixer, &mixer->actions[slot]);
    if (!space) {
        if ((mixer->actions[slot].flags & ACTION_SIDELESS) == 0) mix_side_row(hash, mixer, (size_t)slot);
        return;
    }
    int32_t number = mixer->actions[slot].space - 1;
    sinewi_fnv_number(hash, space->sideless);
    sinewi_fnv_number(hash, space->odd_loops);
    for (int32_t i = 0; i < SINEW_MAX_BLEND_WEIGHTS; i++) {
        sinewi_fnv_number(hash, space->samples[i]);
        bool has_side = space->samples[i] != 0 && (space->sideless >> i & 1) == 0;
        if (has_side) mix_side_row(hash, mixer, sinewi_side_row_of_space(&mixer->def, number, i));
    }
}

// The rest of a captured block has what older offsets have left, which later steps don't read.
static void mix_captured_block(uint64_t *hash, const offset_block *block) {
    offset_block only;
    memset(&only, 0, sizeof only);
    only.captured.current = block->captured.current;
    only.captured.before = block->captured.before;
    memcpy(only.captured.running, block->captured.running, sizeof only.captured.running);
    mix_floats(hash, &only, sizeof only);
}

static void mix_captured_weights(uint64_t *hash, const weight_offset_block *block) {
    weight_offset_block only;
    memset(&only, 0, sizeof only);
    memcpy(only.captured.current, block->captured.current, sizeof only.captured.current);
    memcpy(only.captured.before, block->captured.before, sizeof only.captured.before);
    only.captured.running = block->captured.running;
    mix_floats(hash, &only, sizeof only);
}

// The poses that count. An extrapolated pose counts by its start, because its position depends on
// when it was evaluated.
static void mix_poses(uint64_t *hash, const sinew_mixer *mixer) {
    size_t blocks = sinewi_block_count(mixer->def.skeleton->node_count);
    size_t weights = sinewi_block_count(sinewi_value_count(mixer->def.skeleton));
    bool moves = mixer->state->extrapolation.duration > 0.0f;
    if (sinewi_mixer_is_held(mixer) && !moves) {
        mix_floats(hash, mixer->held.blocks, blocks * sizeof(sinewi_block));
        mix_floats(hash, mixer->held.weights, weights * SINEW_LANES * sizeof(float));
    }
    if (moves) {
        mix_floats(hash, mixer->extrapolated.blocks, blocks * sizeof *mixer->extrapolated.blocks);
        mix_floats(hash, mixer->extrapolated.weights, weights * sizeof *mixer->extrapolated.weights);
    }
    const set_pose_state *set = &mixer->state->set_pose;
    if (mixer->state->offsets.duration > 0.0f) {
        mix_floats(hash, mixer->offsets.blocks, blocks * sizeof *mixer->offsets.blocks);
        mix_floats(hash, mixer->offsets.weights, weights * sizeof *mixer->offsets.weights);
    } else if (set->is_kept || set->is_current) {
        for (size_t b = 0; b < blocks; b++) mix_captured_block(hash, &mixer->offsets.blocks[b]);
        for (size_t b = 0; b < weights; b++) mix_captured_weights(hash, &mixer->offsets.weights[b]);
    }
}

static void mix_root(uint64_t *hash, const sinew_mixer *mixer) {
    const root_state *root = &mixer->state->root;
    if (sinewi_fade_is_active(&mixer->state->held_proportion)) mix_floats(hash, &root->held, sizeof root->held);
    sinewi_fnv_float(hash, root->decay.duration);
    if (!(root->decay.duration > 0.0f)) return;
    mix_floats(hash, &root->decaying, sizeof root->decaying);
    sinewi_fnv_double(hash, root->decay.elapsed);
}

uint64_t sinew_mixer_hash(const sinew_mixer *mixer) {
    assert(mixer);
    const mixer_state *state = mixer->state;
    uint64_t hash = 0xcbf29ce484222325u;
    sinewi_fnv_number(&hash, state->next_serial);
    sinewi_fnv_number(&hash, state->has_advanced);
    for (int32_t i = 0; i < state->slot_end; i++) {
        sinewi_fnv_number(&hash, (uint32_t)i);
        if (!mixer->actions[i].clip) continue;
        mix_action(&hash, mixer, i);
        mix_sides(&hash, mixer, i);
    }
    mix_fade(&hash, &state->held_proportion);
    for (int32_t i = 0; i < mixer->def.layer_count; i++) {
        const layer_state *layer = &mixer->layers[i];
        mix_fade(&hash, &layer->weight);
        sinewi_fnv_number(&hash, layer->proportions_fade);
        sinewi_fnv_number(&hash, layer->weights_changed);
        if (layer->weights_changed) sinewi_fnv_float(&hash, layer->change_duration);
        if (layer->weights_changed) sinewi_fnv_number(&hash, layer->change_easing);
        sinewi_fnv_number(&hash, layer->mode);
        sinewi_fnv_number(&hash, layer->is_sideless);
        bool has_side = i > 0 && !layer->is_sideless;
        if (has_side) mix_side_row(&hash, mixer, sinewi_side_row_of_layer(&mixer->def, i));
        mix_mask(&hash, layer->mask);
        mix_previous(&hash, mixer, &mixer->previous[i]);
    }
    const decay_state *decays[3] = {&state->extrapolation, &state->offsets, &state->finish.decay};
    sinewi_fnv_float(&hash, state->finish.requested);
    for (int i = 0; i < 3; i++) {
        sinewi_fnv_float(&hash, decays[i]->duration);
        if (decays[i]->duration > 0.0f) sinewi_fnv_double(&hash, decays[i]->elapsed);
    }
    mix_root(&hash, mixer);
    sinewi_fnv_number(&hash, state->rest_is_sideless);
    bool has_rest = mixer->def.underweight == SINEW_UNDERWEIGHT_REST && !state->rest_is_sideless;
    if (has_rest) mix_side_row(&hash, mixer, sinewi_side_row_of_rest(&mixer->def));
    sinewi_fnv_number(&hash, state->set_pose.is_current);
    sinewi_fnv_number(&hash, state->set_pose.is_kept);
    if (state->set_pose.is_kept) sinewi_fnv_number(&hash, (uint32_t)state->set_pose.steps);
    if (state->set_pose.is_kept) sinewi_fnv_double(&hash, state->set_pose.seconds);
    sinewi_fnv_float(&hash, state->set_pose.change);
    sinewi_fnv_number(&hash, (uint64_t)(uint8_t)state->set_pose.layer);
    mix_poses(&hash, mixer);
    return hash;
}

// ---- The public functions -----------------------------------------------------------------------------------

size_t sinew_mixer_snapshot_size(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->state_size;
}

size_t sinew_mixer_save(const sinew_mixer *mixer, void *memory) {
    assert(mixer && memory);
    if (!memory) return 0;
    size_t size = sinewi_mixer_prepare_snapshot(mixer);
    SINEWI_NOTE_CALL(mixer, .kind = CALL_SAVE); // the recorder sets the stamp
    sinewi_mixer_write_snapshot(mixer, memory);
    return size;
}

bool sinew_mixer_restore(sinew_mixer *mixer, const void *memory, size_t size) {
    assert(mixer);
    mixer_stamp stamp;
    if (!SINEWI_MIXER_IS_IDLE(mixer, "sinew_mixer_restore or sinew_animator_restore")) return false;
    if (!sinewi_mixer_check_snapshot(mixer, memory, size, &stamp)) return false;
    SINEWI_NOTE_CALL(mixer, .kind = CALL_RESTORE, .stamp = stamp);
    sinewi_mixer_load_snapshot(mixer, memory);
    return true;
}
