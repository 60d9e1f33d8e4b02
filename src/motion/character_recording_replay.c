// SPDX-License-Identifier: MIT
// Replays a character's recording: reads the recorded changes into a character, updates it with the recorded answers, and
// compares its hash.
#include "motion/character_recording_read.h"
#include "base/def_cookie.h"
#include "base/fail.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

sinew_character_replay_def sinew_character_replay_default(void) {
    return (sinew_character_replay_def){.cookie = SINEWI_DEF_COOKIE};
}

// ---- The program's answers -----------------------------------------------------------------------------------

// After a mismatch the character may ask for something else.
static bool has_call(const character_replay *object, bool is_ground) {
    const sinewi_byte_reader *in = &object->in;
    return !in->is_cut && in->at < in->size && ((in->bytes[in->at] & RECORDED_GROUND) != 0) == is_ground;
}

static bool replay_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    character_replay *object = (character_replay *)user;
    bool is_found = false;
    if (!has_call(object, true)) return false;
    object->ground_count++;
    return sinewi_read_answer(&object->in, place, &object->normal, ground, &is_found) && is_found;
}

static void replay_edits(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                         sinew_affine *model, void *user) {
    character_replay *object = (character_replay *)user;
    (void)character, (void)weight, (void)dt;
    sinew_ground ground;
    while (has_call(object, true)) replay_ground((sinew_vec3){0.0f, 0.0f, 0.0f}, &ground, user);
    if (!has_call(object, false) || object->in.bytes[object->in.at] != step) return;
    object->in.at++;
    sinewi_read_edits(&object->in, pose->skeleton, pose, object->node_change, model);
}

// ---- States --------------------------------------------------------------------------------------------------

static void note_unknown(const char *kind, const char *name, void *user) {
    character_replay *object = (character_replay *)user;
    if (!object->unknown) snprintf(object->unknown_name, sizeof object->unknown_name, "%s '%s'", kind, name);
    object->unknown = true;
}

static sinew_result read_state(character_replay *object, size_t at, const uint8_t *bytes, size_t size,
                               sinew_error *error) {
    const sinew_state_report report = {note_unknown, object};
    sinew_error reason;
    const sinew_result result =
        sinewi_character_read(object->replay.character, object->def.names, bytes, size, &report, &reason);
    const long long update = (long long)object->replay.updates_made;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(error);
    if (result != SINEW_OK)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "recording: byte %zu: update %lld: %.300s", at, update,
                           reason.message);
    if (!object->unknown) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "recording: update %lld: the program plays the %.120s, which isn't in `names`", update,
                       object->unknown_name);
}

// Applies a change to the state in `last`, and leaves the new state there.
static sinew_result read_change(character_replay *object, sinewi_byte_reader *in, bool has_advanced,
                                sinew_error *error) {
    const size_t at = in->at;
    if (!sinewi_apply_change(in, &object->last, &object->now)) {
        if (object->now.has_failed) return sinewi_fail_memory(error);
        return sinewi_fail(error, SINEW_ERROR_FORMAT,
                           "recording: byte %zu: update %lld: a change that doesn't fit the character", at,
                           (long long)object->replay.updates_made);
    }
    const byte_buffer last = object->last;
    object->last = object->now;
    object->now = last;
    sinewi_describe_before(object);
    const sinew_result result = read_state(object, at, object->last.bytes, object->last.size, error);
    if (result == SINEW_OK) sinewi_describe_change(object, has_advanced);
    return result;
}

static sinew_result write_last(character_replay *object, sinew_error *error) {
    const bool is_good = sinewi_buffer_write_state(&object->last, object->replay.character, object->def.names);
    return is_good ? SINEW_OK : sinewi_fail_memory(error);
}

// ---- Updates -------------------------------------------------------------------------------------------------

static void compare_hash(character_replay *object, uint64_t hash) {
    sinew_character_replay *replay = &object->replay;
    const bool is_equal = object->in.at == object->in.size && sinewi_hash_update(replay->character) == hash;
    if (!is_equal && replay->first_mismatch < 0) replay->first_mismatch = replay->updates_made;
}

// What happened after the clips were advanced.
static sinew_result advance(character_replay *object, sinewi_byte_reader *end, int flags, float dt,
                            sinew_error *error) {
    sinew_result result = SINEW_OK;
    sinew_character_begin(object->replay.character, dt);
    sinewi_describe_events(object);                                                 // reading a state drops them
    if (flags & RECORDED_BY_EVENTS) result = read_change(object, end, true, error); // from the state before that
    if (result != SINEW_OK || (flags & RECORDED_IN_BETWEEN) == 0) return result;
    result = write_last(object, error);
    return result == SINEW_OK ? read_change(object, end, false, error) : result;
}

static sinew_result update(character_replay *object, recorded_part *begin, recorded_part *end, sinew_error *error) {
    const float dt = sinewi_read_float(&begin->in);
    const bool has_change = sinewi_read_number(&begin->in, 1) != 0, has_end = end->kind == RECORDED_END;
    const int flags = has_end ? (int)sinewi_read_number(&end->in, 1) : 0;
    sinew_result result = SINEW_OK;
    sinewi_describe_start(object, dt);
    if (has_change || (flags & RECORDED_BY_EVENTS)) result = write_last(object, error);
    if (result == SINEW_OK && has_change) result = read_change(object, &begin->in, false, error);
    if (result != SINEW_OK) return result;
    result = advance(object, &end->in, flags, dt, error);
    object->in = end->in;
    object->in.size = has_end && result == SINEW_OK ? end->in.size - 8 : end->in.at; // otherwise there are no calls
    object->normal = (sinew_vec3){0.0f, 1.0f, 0.0f};
    sinew_character_end(object->replay.character);
    if (result != SINEW_OK) return result;
    sinewi_describe_end(object);
    sinewi_byte_reader hash = {end->in.bytes, end->in.size, object->in.size, false};
    if (has_end) compare_hash(object, sinewi_read_number(&hash, 8));
    object->replay.seconds += (double)dt;
    object->replay.updates_made++;
    return SINEW_OK;
}

sinew_result sinew_character_replay_step(sinew_character_replay *replay, sinew_error *error) {
    assert(replay);
    character_replay *object = (character_replay *)replay;
    if (replay->updates_made >= replay->update_count) return SINEW_OK;
    recorded_part begin, end;
    sinewi_next_part(object, &begin, NULL); // all have been checked
    sinewi_next_part(object, &end, NULL);
    const sinew_result result = update(object, &begin, &end, error);
    if (result != SINEW_OK) replay->update_count = replay->updates_made;
    return result;
}

// ---- Creating ------------------------------------------------------------------------------------------------

static sinew_result check_start(character_replay *object, sinew_error *error) {
    sinewi_byte_reader in = {(const uint8_t *)object->def.bytes, object->def.size, 0, false};
    const size_t length = strlen(SINEWI_CHARACTER_RECORDING_MAGIC);
    if (in.size < length || memcmp(in.bytes, SINEWI_CHARACTER_RECORDING_MAGIC, length) != 0)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "not a character's recording: it must begin with '%s'",
                           SINEWI_CHARACTER_RECORDING_MAGIC);
    in.at = length;
    const int version = (int)sinewi_read_number(&in, 2);
    object->at = in.at;
    if (in.is_cut || version == SINEWI_CHARACTER_RECORDING_VERSION) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED,
                       "recording: version %d, but this library replays version %d; use the library that wrote it",
                       version, SINEWI_CHARACTER_RECORDING_VERSION);
}

static sinew_result make_character(character_replay *object, const sinew_mixer_def *mixer, size_t at,
                                   sinew_error *error) {
    sinew_character_def def = sinew_character_default();
    def.rig = object->def.rig;
    def.mixer = mixer;
    def.max_events = 64;
    def.ground = replay_ground;
    def.step = replay_edits;
    def.user = object;
    def.allocator = object->def.allocator;
    sinew_error reason;
    const sinew_result result = sinew_character_create(&def, &object->replay.character, &reason);
    if (result == SINEW_OK) return SINEW_OK;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(error);
    return sinewi_fail(error, SINEW_ERROR_FORMAT, "recording: damaged before byte %zu: %.400s", at, reason.message);
}

// Reads the head and the state at the start.
static sinew_result read_head(character_replay *object, sinew_error *error) {
    recorded_part head;
    sinew_result result = check_start(object, error);
    if (result == SINEW_OK) result = sinewi_next_part(object, &head, error);
    if (result != SINEW_OK) return result;
    if (head.kind != RECORDED_HEAD)
        return sinewi_fail(error, SINEW_ERROR_FORMAT, "recording: byte %zu: it is cut off before the first update",
                           object->at);
    sinew_mixer_def mixer;
    sinew_root_motion_def root;
    sinewi_byte_reader *in = &head.in;
    result = sinewi_read_character_head(in, object->def.rig, &object->arena, &mixer, &root, error);
    if (result != SINEW_OK) return result;
    mixer.easing = object->def.easing;
    mixer.user = object->def.user;
    mixer.allocator = object->def.allocator;
    result = make_character(object, &mixer, in->at, error);
    return result == SINEW_OK ? read_state(object, in->at, in->bytes + in->at, in->size - in->at, error) : result;
}

static sinew_result make_arrays(character_replay *object, sinew_error *error) {
    const sinew_graph_binding *binding = object->def.rig->binding;
    const size_t words = (size_t)binding->graph->data->value_count, nodes = (size_t)binding->skeleton->node_count;
    object->node_change = sinewi_arena_array(&object->arena, uint8_t, nodes);
    object->before.values = sinewi_arena_array(&object->arena, animator_value, words);
    object->last.allocator = object->now.allocator = object->def.allocator;
    return object->node_change && object->before.values ? SINEW_OK : sinewi_fail_memory(error);
}

sinew_result sinew_character_replay_create(const sinew_character_replay_def *def, sinew_character_replay **replay,
                                           sinew_error *error) {
    *replay = NULL;
    sinew_result result =
        SINEWI_CHECK_DEF(def, "sinew_character_replay_def: start from sinew_character_replay_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->bytes || !def->rig)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "replay: no %s", def->bytes ? "rig" : "bytes");
    character_replay *object =
        (character_replay *)sinewi_allocate(&def->allocator, sizeof *object, alignof(character_replay));
    if (!object) return sinewi_fail_memory(error);
    memset(object, 0, sizeof *object);
    object->def = *def;
    object->replay.first_mismatch = -1;
    sinewi_arena_init(&object->arena, &def->allocator);
    result = make_arrays(object, error);
    if (result == SINEW_OK) result = read_head(object, error);
    if (result == SINEW_OK) result = sinewi_check_parts(object, error);
    if (result == SINEW_OK) {
        *replay = &object->replay;
    } else {
        sinew_character_replay_destroy(&object->replay);
    }
    return result;
}

void sinew_character_replay_destroy(sinew_character_replay *replay) {
    if (!replay) return;
    character_replay *object = (character_replay *)replay;
    sinew_character_destroy(replay->character);
    sinewi_buffer_free(&object->last);
    sinewi_buffer_free(&object->now);
    const sinew_allocator allocator = object->def.allocator;
    sinewi_arena_free(&object->arena);
    sinewi_release(&allocator, object, sizeof *object, alignof(character_replay));
}
