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

static void put_mixer(byte_buffer *to, const sinew_character *character) {
    const sinew_mixer_def *def = &character->mixer->def;
    uint8_t settings[SINEWI_RECORDED_MIXER], root[SINEWI_RECORDED_ROOT_MOTION];
    sinewi_record_mixer(def, character->has_root_motion, settings);
    sinewi_buffer_put_bytes(to, settings, sizeof settings);
    sinewi_buffer_put_float(to, def->smoothing);
    sinewi_buffer_put(to, (uint32_t)def->sync_name_count, 1);
    for (int32_t i = 0; i < def->sync_name_count; i++)
        sinewi_buffer_put_bytes(to, def->sync_names[i], strlen(def->sync_names[i]) + 1);
    if (!character->has_root_motion) return;
    sinewi_record_root_motion(&character->root_motion, root);
    sinewi_buffer_put_bytes(to, root, sizeof root);
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

sinew_result sinewi_read_character_head(sinewi_byte_reader *in, const sinew_rig *rig, sinewi_arena *arena,
                                        sinew_mixer_def *mixer, sinew_root_motion_def *root, sinew_error *error) {
    sinew_result result = check_hashes(in, rig, error);
    if (result != SINEW_OK) return result;
    *mixer = sinew_mixer_default();
    const bool has_root_motion = sinewi_read_recorded_mixer(in, mixer);
    mixer->smoothing = sinewi_read_float(in);
    if (!isfinite(mixer->smoothing) || mixer->smoothing < 0.0f || mixer->smoothing > SINEWI_MAX_RECORDED)
        in->is_cut = true;
    result = read_names(in, arena, mixer, error);
    if (result != SINEW_OK) return result;
    if (has_root_motion) {
        sinewi_read_recorded_root_motion(in, rig->binding->skeleton, root);
        mixer->root_motion = root;
    }
    if (!in->is_cut) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "recording: byte %zu: damaged mixer settings", in->at);
}
