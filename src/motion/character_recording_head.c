// SPDX-License-Identifier: MIT
// The head of a character's recording: what it was made with. A replay compares it with what it's given.
#include "core/mixer_data.h"
#include "core/pose_block.h"
#include "motion/character_recording_format.h"
#include "motion/graph_data.h"
#include "motion/recording_format.h"
#include "base/fail.h"
#include "base/fnv.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- Hashes --------------------------------------------------------------------------------------------------

static uint64_t hash_graph(const sinew_rig *rig) {
    uint64_t hash = rig->binding->graph->data->fingerprint;
    sinewi_fnv_number(&hash, (uint64_t)rig->binding->up);
    sinewi_fnv_number(&hash, (uint32_t)rig->foot_count);
    return hash;
}

// A hash of the clips that a state plays.
static uint64_t hash_source(const sinew_source *source) {
    uint64_t hash = SINEWI_FNV_START;
    if (source->clip) sinewi_fnv_number(&hash, sinewi_clip_fingerprint(source->clip));
    const sinew_blend_space *space = source->blend_space;
    for (int32_t i = 0; space && i < space->sample_count; i++) {
        sinewi_fnv_number(&hash, sinewi_clip_fingerprint(space->samples[i].clip));
        sinewi_fnv_float(&hash, space->samples[i].x);
        sinewi_fnv_float(&hash, space->samples[i].y);
    }
    return hash;
}

// ---- Writing -------------------------------------------------------------------------------------------------

static void put_root_motion(byte_buffer *to, const sinew_root_motion_def *root) {
    const int flags = (root->x ? RECORDED_X : 0) | (root->y ? RECORDED_Y : 0) | (root->z ? RECORDED_Z : 0) |
                      (root->yaw ? RECORDED_YAW : 0) | (root->close_loops ? RECORDED_CLOSE : 0) |
                      (root->up == SINEW_UP_Z ? RECORDED_UP_Z : 0);
    sinewi_buffer_put(to, (uint32_t)root->node, 4);
    sinewi_buffer_put(to, (uint32_t)flags, 1);
}

static void put_mixer(byte_buffer *to, const sinew_character *character) {
    const sinew_mixer_def *def = &character->mixer->def;
    const int flags = (def->inertialization ? RECORDED_INERTIALIZATION : 0) |
                      (def->underweight == SINEW_UNDERWEIGHT_REST ? RECORDED_UNDERWEIGHT_REST : 0) |
                      (character->has_root_motion ? RECORDED_ROOT_MOTION : 0);
    sinewi_buffer_put(to, (uint32_t)def->root, 4);
    sinewi_buffer_put(to, (uint32_t)def->max_actions, 1);
    sinewi_buffer_put(to, (uint32_t)def->layer_count, 1);
    sinewi_buffer_put(to, (uint32_t)def->hints_per_action, 1);
    sinewi_buffer_put(to, (uint32_t)def->max_blend_spaces, 1);
    sinewi_buffer_put(to, (uint32_t)def->max_events, 2);
    sinewi_buffer_put(to, (uint32_t)flags, 1);
    sinewi_buffer_put_float(to, def->smoothing);
    sinewi_buffer_put(to, (uint32_t)def->sync_name_count, 1);
    for (int32_t i = 0; i < def->sync_name_count; i++)
        sinewi_buffer_put_bytes(to, def->sync_names[i], strlen(def->sync_names[i]) + 1);
    if (character->has_root_motion) put_root_motion(to, &character->root_motion);
}

void sinewi_put_character_head(byte_buffer *to, const sinew_character *character) {
    const sinew_graph_binding *binding = character->def.rig->binding;
    sinewi_buffer_put(to, sinewi_skeleton_fingerprint(binding->skeleton), 8);
    sinewi_buffer_put(to, hash_graph(character->def.rig), 8);
    for (int32_t i = 0; i < binding->graph->step_count; i++)
        sinewi_buffer_put(to, sinewi_character_step_shape(&character_steps(character)[i]), 8);
    for (int32_t i = 0; i < binding->graph->state_count; i++)
        sinewi_buffer_put(to, hash_source(&binding->sources[i]), 8);
    put_mixer(to, character);
}

// ---- Reading -------------------------------------------------------------------------------------------------

static sinew_result check_hashes(sinewi_byte_reader *in, const sinew_rig *rig, sinew_error *error) {
    const sinew_graph_binding *binding = rig->binding;
    if (sinewi_read_number(in, 8) != sinewi_skeleton_fingerprint(binding->skeleton))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: made with a different skeleton; use the model that it was made with, loaded "
                           "with the same options");
    if (sinewi_read_number(in, 8) != hash_graph(rig))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: made with a different graph or rig; use the file that it was made with");
    for (int32_t i = 0; i < binding->graph->step_count; i++) {
        if (sinewi_read_number(in, 8) == sinewi_character_step_shape(&rig->data->steps[i])) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: made with a different step '%.100s', such as with other springs; use the "
                           "files that it was made with, and the same sinew_rig_def",
                           binding->graph->steps[i].name);
    }
    for (int32_t i = 0; i < binding->graph->state_count; i++) {
        if (sinewi_read_number(in, 8) == hash_source(&binding->sources[i])) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: made with another clip for the state '%.100s'; use the model that it was "
                           "made with, loaded with the same options",
                           binding->graph->states[i].name);
    }
    return SINEW_OK;
}

static sinew_result read_names(sinewi_byte_reader *in, sinewi_arena *arena, sinew_mixer_def *def,
                               sinew_error *error) {
    const int32_t count = (int32_t)sinewi_read_number(in, 1);
    const char **names = sinewi_arena_array(arena, const char *, (size_t)count);
    if (!names) return sinewi_fail_memory(error);
    for (int32_t i = 0; i < count; i++) {
        const uint8_t *start = in->bytes + in->at, *end = (const uint8_t *)memchr(start, 0, in->size - in->at);
        in->is_cut |= !end;
        if (in->is_cut) return SINEW_OK;
        names[i] = sinewi_arena_string(arena, (const char *)start, (size_t)(end - start));
        if (!names[i]) return sinewi_fail_memory(error);
        in->at += (size_t)(end - start) + 1;
    }
    def->sync_names = names;
    def->sync_name_count = count;
    return SINEW_OK;
}

static void read_root_motion(sinewi_byte_reader *in, const sinew_rig *rig, sinew_root_motion_def *root) {
    *root = sinew_root_motion_default();
    root->skeleton = rig->binding->skeleton;
    root->node = sinewi_read_i32(in);
    const int flags = (int)sinewi_read_number(in, 1);
    root->x = (flags & RECORDED_X) != 0;
    root->y = (flags & RECORDED_Y) != 0;
    root->z = (flags & RECORDED_Z) != 0;
    root->yaw = (flags & RECORDED_YAW) != 0;
    root->close_loops = (flags & RECORDED_CLOSE) != 0;
    root->up = (flags & RECORDED_UP_Z) != 0 ? SINEW_UP_Z : SINEW_UP_Y;
}

sinew_result sinewi_read_character_head(sinewi_byte_reader *in, const sinew_rig *rig, sinewi_arena *arena,
                                        sinew_mixer_def *mixer, sinew_root_motion_def *root, sinew_error *error) {
    sinew_result result = check_hashes(in, rig, error);
    if (result != SINEW_OK) return result;
    *mixer = sinew_mixer_default();
    mixer->root = sinewi_read_i32(in);
    mixer->max_actions = (int32_t)sinewi_read_number(in, 1);
    mixer->layer_count = (int32_t)sinewi_read_number(in, 1);
    mixer->hints_per_action = (int32_t)sinewi_read_number(in, 1);
    mixer->max_blend_spaces = (int32_t)sinewi_read_number(in, 1);
    mixer->max_events = (int32_t)sinewi_read_number(in, 2);
    const int flags = (int)sinewi_read_number(in, 1);
    mixer->inertialization = (flags & RECORDED_INERTIALIZATION) != 0;
    mixer->underweight = flags & RECORDED_UNDERWEIGHT_REST ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
    mixer->smoothing = sinewi_read_float(in);
    if (!isfinite(mixer->smoothing) || mixer->smoothing < 0.0f || mixer->smoothing > SINEWI_MAX_RECORDED)
        in->is_cut = true;
    result = read_names(in, arena, mixer, error);
    if (result != SINEW_OK) return result;
    if (flags & RECORDED_ROOT_MOTION) {
        read_root_motion(in, rig, root);
        mixer->root_motion = root;
    }
    if (!in->is_cut) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "recording: byte %zu: damaged mixer settings", in->at);
}
