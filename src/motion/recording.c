// SPDX-License-Identifier: MIT
// Recording: writes each call to a mixer as bytes, which lets recording_replay.c make the calls again.
//
// A recording is a head with the mixer's definition, then calls. A call is a byte for its kind, followed by its fields.
// Each field has a one-letter code (motion/recording_format.h). Clips, masks and blend spaces are written as
// definitions before the first call that uses them, and calls refer to them by number, from 1. A clip is written as its
// name, its duration and a fingerprint only. A replay finds it in the same file. `to` is the recording.
#include <sinew/motion/mixer_snapshot.h>
#include <sinew/motion/recording.h>

#include "core/blend_space_data.h"
#include "motion/mixer_snapshot_format.h"
#include "motion/recording_format.h"
#include "base/callback.h"
#include "base/fail.h"
#include "base/fnv.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

// A clip, mask or blend space that has been written. Its number is 1 + its index.
typedef struct recorded_object {
    const void *object;
    uint64_t quick_hash; // a hash that tells it from a later object at the same address
    uint64_t fingerprint;
} recorded_object;

#define MAX_OBJECTS 65535

typedef struct recording {
    mixer_recorder hook;
    sinew_allocator allocator;
    void (*write)(const void *bytes, size_t size, void *user);
    void *user;
    sinew_result result; // if not SINEW_OK, nothing more is written
    recorded_object *objects;
    int32_t object_count, object_capacity;
    int32_t save_count;
    bool is_writing; // `write` is being called
    size_t used;     // of the buffer
    uint8_t buffer[512];
} recording;

// ---- Bytes ---------------------------------------------------------------------------------------------------

static void flush_buffer(recording *to) {
    to->is_writing = true;
    if (to->used > 0) to->write(to->buffer, to->used, to->user);
    to->is_writing = false;
    to->used = 0;
}

// Writes the lowest bytes of a number, little-endian.
static void record_number(recording *to, uint64_t number, int bytes) {
    if (to->used + (size_t)bytes > sizeof to->buffer) flush_buffer(to);
    for (int i = 0; i < bytes; i++) to->buffer[to->used++] = (uint8_t)(number >> 8 * i);
}

static void record_float(recording *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    record_number(to, bits, 4);
}

static void record_bytes(recording *to, const void *bytes, size_t size) {
    const uint8_t *start = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i++) record_number(to, start[i], 1);
}

static void record_string(recording *to, const char *string) {
    size_t length = strlen(string);
    record_number(to, length, 4);
    record_bytes(to, string, length);
}

static void record_strings(recording *to, const char *const *strings, int32_t count) {
    record_number(to, (uint32_t)count, 1);
    for (int32_t i = 0; i < count; i++) record_string(to, strings[i]);
}

// ---- Clips, masks and blend spaces ---------------------------------------------------------------------------

// The number of an object that has been written, or 0.
static int32_t find_object(const recording *to, const void *object, uint64_t quick_hash) {
    for (int32_t i = 0; i < to->object_count; i++) {
        if (to->objects[i].object == object && to->objects[i].quick_hash == quick_hash) return i + 1;
    }
    return 0;
}

// Makes space for another object. Returns false if memory runs out.
static bool grow_objects(recording *to) {
    if (to->object_count < to->object_capacity) return true;
    int32_t capacity = 2 * to->object_capacity + 8;
    size_t size = (size_t)capacity * sizeof *to->objects, old = (size_t)to->object_capacity * sizeof *to->objects;
    recorded_object *objects = (recorded_object *)sinewi_allocate(&to->allocator, size, sizeof(uint64_t));
    if (!objects) return false;
    if (old > 0) memcpy(objects, to->objects, old);
    sinewi_release(&to->allocator, to->objects, old, sizeof(uint64_t));
    to->objects = objects;
    to->object_capacity = capacity;
    return true;
}

// Gives an object the next number. If it can't be added, returns false and sets the result.
static bool add_object(recording *to, const void *object, uint64_t quick_hash, uint64_t fingerprint) {
    if (to->object_count == MAX_OBJECTS) to->result = SINEW_ERROR_LIMIT;
    if (to->result == SINEW_OK && !grow_objects(to)) to->result = SINEW_ERROR_OUT_OF_MEMORY;
    if (to->result != SINEW_OK) return false;
    to->objects[to->object_count++] = (recorded_object){object, quick_hash, fingerprint};
    return true;
}

// How many clips so far have the same fingerprint. Tells equal clips apart.
static uint32_t count_equal_clips(const recording *to, uint64_t fingerprint) {
    uint32_t count = 0;
    for (int32_t i = 0; i < to->object_count; i++) count += to->objects[i].fingerprint == fingerprint;
    return count;
}

// A hash of the fields that are fast to read, without the keys.
static uint64_t hash_clip_quickly(const sinew_clip *clip) {
    uint64_t quick_hash = SINEWI_FNV_START;
    sinewi_fnv_string(&quick_hash, clip->name);
    sinewi_fnv_float(&quick_hash, clip->duration);
    sinewi_fnv_number(&quick_hash, clip->memory);
    return quick_hash;
}

// The number of a clip. Writes a new clip first. 0 for NULL, or if the clip can't be added.
static int32_t find_or_record_clip(recording *to, const sinew_clip *clip) {
    if (!clip) return 0;
    uint64_t quick_hash = hash_clip_quickly(clip);
    int32_t number = find_object(to, clip, quick_hash);
    if (number > 0) return number;
    uint64_t fingerprint = sinewi_clip_fingerprint(clip);
    uint32_t before = count_equal_clips(to, fingerprint);
    if (!add_object(to, clip, quick_hash, fingerprint)) return 0;
    record_number(to, CALL_CLIP, 1);
    record_string(to, clip->name);
    record_float(to, clip->duration);
    record_number(to, fingerprint, 8);
    record_number(to, before, 2);
    return to->object_count;
}

// The number of a mask, or 0 for NULL. A mask is written with all its factors, and a changed mask gets a new number.
static int32_t find_or_record_mask(recording *to, const sinew_mask *mask) {
    if (!mask) return 0;
    uint64_t quick_hash = SINEWI_FNV_START;
    const int32_t nodes = mask->skeleton->node_count, curves = mask->skeleton->curve_count;
    const float *curve_factors = mask->weights + mask->skeleton->weight_count;
    for (int32_t i = 0; i < nodes; i++) sinewi_fnv_float(&quick_hash, mask->nodes[i]);
    for (int32_t i = 0; i < curves; i++) sinewi_fnv_float(&quick_hash, curve_factors[i]);
    int32_t number = find_object(to, mask, quick_hash);
    if (number > 0) return number;
    if (!add_object(to, mask, quick_hash, 0)) return 0;
    record_number(to, CALL_MASK, 1);
    for (int32_t i = 0; i < nodes; i++) record_float(to, mask->nodes[i]);
    for (int32_t i = 0; i < curves; i++) record_float(to, curve_factors[i]);
    return to->object_count;
}

// A hash of everything that is written about a blend space. Its clips count with their quick hashes.
static uint64_t hash_space_quickly(const sinew_blend_space *space) {
    uint64_t quick_hash = SINEWI_FNV_START;
    sinewi_fnv_number(&quick_hash, (uint64_t)space->kind);
    sinewi_fnv_float(&quick_hash, space->damping);
    sinewi_fnv_number(&quick_hash, space->match_speed);
    sinewi_fnv_float(&quick_hash, space->min_rate);
    sinewi_fnv_float(&quick_hash, space->max_rate);
    for (int32_t i = 0; i < space->sample_count; i++) {
        const sinew_blend_sample *sample = &space->samples[i];
        sinewi_fnv_number(&quick_hash, hash_clip_quickly(sample->clip));
        sinewi_fnv_float(&quick_hash, sample->x);
        sinewi_fnv_float(&quick_hash, sample->y);
        sinewi_fnv_float(&quick_hash, sample->speed);
    }
    for (int32_t i = 0; i < space->data->sync_name_count; i++)
        sinewi_fnv_string(&quick_hash, space->data->sync_names[i]);
    return quick_hash;
}

// The number of a blend space, or 0 for NULL. Its clips are written first.
static int32_t find_or_record_space(recording *to, const sinew_blend_space *space) {
    if (!space) return 0;
    uint64_t quick_hash = hash_space_quickly(space);
    int32_t number = find_object(to, space, quick_hash);
    if (number > 0) return number;
    for (int32_t i = 0; i < space->sample_count; i++) {
        if (find_or_record_clip(to, space->samples[i].clip) == 0) return 0;
    }
    if (!add_object(to, space, quick_hash, 0)) return 0;
    record_number(to, CALL_SPACE, 1);
    record_number(to, (uint64_t)space->kind, 1);
    record_float(to, space->damping);
    record_number(to, space->match_speed, 1);
    record_float(to, space->min_rate);
    record_float(to, space->max_rate);
    record_strings(to, space->data->sync_names, space->data->sync_name_count);
    record_number(to, (uint32_t)space->sample_count, 1);
    for (int32_t i = 0; i < space->sample_count; i++) {
        const sinew_blend_sample *sample = &space->samples[i];
        record_number(to, (uint32_t)find_or_record_clip(to, sample->clip), 2);
        record_float(to, sample->x);
        record_float(to, sample->y);
        record_float(to, sample->speed);
    }
    return to->object_count;
}

// ---- Calls ---------------------------------------------------------------------------------------------------

static void record_transition(recording *to, const sinew_transition *transition) {
    record_number(to, transition != NULL, 1);
    if (!transition) return;
    record_number(to, (uint64_t)transition->kind, 1);
    record_float(to, transition->duration);
    record_number(to, (uint64_t)transition->easing, 1);
    record_number(to, transition->match_rate, 1);
}

// A byte tells whether there is one.
static void record_play_def(recording *to, const sinew_play_def *def) {
    record_number(to, def != NULL, 1);
    if (!def) return;
    record_float(to, def->time);
    record_float(to, def->speed);
    record_float(to, def->weight);
    record_float(to, def->fade);
    record_number(to, (uint64_t)def->easing, 1);
    record_number(to, (uint32_t)def->layer, 1);
    record_number(to, (uint32_t)def->sync, 1);
    record_number(to, (uint64_t)def->loop, 1);
    record_number(to, (uint32_t)def->loop_count, 4);
    record_number(to, def->allow_duplicate, 1);
    record_number(to, def->restart, 1);
}

static void record_pose(recording *to, const sinew_pose *pose) {
    assert(pose);
    if (!pose) return;
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        float values[SINEWI_PLANES];
        sinewi_transform_to_planes(sinew_pose_get(pose, i), values);
        for (int k = 0; k < SINEWI_PLANES; k++) record_float(to, values[k]);
    }
    for (int32_t i = 0; i < sinewi_value_count(pose->skeleton); i++) record_float(to, pose->weights[i]);
}

static void record_velocity(recording *to, const root_velocity *root) {
    for (int i = 0; i < 3; i++) record_float(to, root->move[i]);
    record_float(to, root->yaw);
}

static void record_note(recording *to, const mixer_call *call) {
    record_number(to, call->length, 1);
    record_bytes(to, call->text, call->length);
}

// The numbers of a call's objects. Find them before writing the call, because new objects must be written first.
typedef struct call_objects {
    int32_t clip, mask, space;
} call_objects;

// Writes the field for a letter, from the table SINEWI_CALL_FIELDS, whose statements use this
// function's parameter names.
static void write_field(recording *to, const mixer_call *call, const call_objects *objects, char field) {
    switch (field) {
#define SINEWI_WRITE_FIELD(letter, write, read, describe)                                                          \
    case letter:                                                                                                   \
        write; /* NOLINT(bugprone-macro-parentheses): statements */                                                \
        break;
        SINEWI_CALL_FIELDS(SINEWI_WRITE_FIELD) // NOLINT(bugprone-branch-clone): some are alike
#undef SINEWI_WRITE_FIELD
    default:
        break;
    }
}

// Writes a call with all its fields, unless the recording has ended with an error.
static void write_call(recording *to, const sinew_mixer *mixer, mixer_call *call) {
    if (to->result != SINEW_OK) return;
    call->action.id = sinewi_handle_bits(mixer, call->action);
    const char *fields = sinewi_call_shapes[call->kind].fields;
    if (strchr(fields, 'h')) call->hash = sinew_mixer_hash(mixer); // only where it's written, because it takes time
    call_objects objects = {find_or_record_clip(to, call->clip), find_or_record_mask(to, call->mask),
                            find_or_record_space(to, call->space)};
    if (to->result == SINEW_OK) {
        record_number(to, (uint64_t)call->kind, 1);
        for (const char *field = fields; *field; field++) write_field(to, call, &objects, *field);
    }
    flush_buffer(to);
}

// The hook of a recorded mixer. Snapshots aren't written. They get a stamp when they are saved, which identifies them
// when they are restored. Restoring a snapshot without this recording's stamp ends the recording.
static void record_call(const sinew_mixer *mixer, mixer_call *call) {
    recording *to = (recording *)mixer->recorder;
    if (!SINEWI_IS_IDLE(to->is_writing, "a mixer was called in `write` of its recording: call it after the write"))
        return;
    if (call->kind == CALL_SAVE)
        mixer->state->stamp = (mixer_stamp){.recorder = mixer->recorder, .number = to->save_count++};
    if (call->kind == CALL_RESTORE && call->stamp.recorder != mixer->recorder) {
        if (to->result == SINEW_OK) to->result = SINEW_ERROR_ARGUMENT;
        return;
    }
    call->number = call->kind == CALL_RESTORE ? call->stamp.number : call->number;
    write_call(to, mixer, call);
}

// ---- Notes ---------------------------------------------------------------------------------------------------

bool sinewi_mixer_is_recorded(const sinew_mixer *mixer) {
    assert(mixer);
    return mixer->recorder != NULL;
}

// Length of a text up to the first character that a note can't contain.
static size_t note_length(const char *text) {
    size_t length = 0;
    while (length <= SINEW_MAX_NOTE && text[length]) length++;
    if (length <= SINEW_MAX_NOTE) return length;
    for (length = SINEW_MAX_NOTE; length > 0 && ((uint8_t)text[length] & 0xc0) == 0x80; length--) continue;
    return length;
}

void sinew_mixer_note(sinew_mixer *mixer, const char *text) {
    assert(mixer && text);
    if (!mixer->recorder || !text) return;
    mixer_call call = {.kind = CALL_NOTE, .text = text, .length = note_length(text)};
    record_call(mixer, &call);
}

// ---- Starting and stopping -----------------------------------------------------------------------------------

// The definition that the root motion was made from.
static sinew_root_motion_def root_motion_of(const sinewi_root *root) {
    bool extracted[3] = {false, false, false}; // x, y, z
    for (int i = 0; i < 3; i++) extracted[root->axes[i]] = root->taken[i];
    return (sinew_root_motion_def){
        .node = root->node,
        .x = extracted[0],
        .y = extracted[1],
        .z = extracted[2],
        .yaw = root->yaw,
        .close_loops = root->close_loops,
        .up = root->axes[2] == 2 ? SINEW_UP_Z : SINEW_UP_Y,
    };
}

static void record_root_motion(recording *to, const sinewi_root *root) {
    const sinew_root_motion_def def = root_motion_of(root);
    uint8_t bytes[SINEWI_RECORDED_ROOT_MOTION];
    sinewi_record_root_motion(&def, bytes);
    record_bytes(to, bytes, sizeof bytes);
}

// Writes the head: the magic bytes, the version, the skeleton's fingerprint, and the mixer's definition.
static void record_head(recording *to, const sinew_mixer *mixer) {
    const sinew_mixer_def *def = &mixer->def;
    record_bytes(to, SINEWI_RECORDING_MAGIC, strlen(SINEWI_RECORDING_MAGIC));
    record_number(to, SINEWI_RECORDING_VERSION, 2);
    record_number(to, (uint32_t)def->skeleton->node_count, 4);
    record_number(to, sinewi_skeleton_fingerprint(def->skeleton), 8);
    uint8_t settings[SINEWI_RECORDED_MIXER];
    sinewi_record_mixer(def, mixer->root != NULL, settings);
    record_bytes(to, settings, sizeof settings);
    record_float(to, def->smoothing);
    record_strings(to, def->sync_names, def->sync_name_count);
    if (mixer->root) record_root_motion(to, &mixer->root->root);
    flush_buffer(to);
}

static sinew_result report_result(sinew_result result, sinew_error *error) {
    switch (result) {
    case SINEW_OK:
        return SINEW_OK;
    case SINEW_ERROR_ARGUMENT:
        return sinewi_fail(error, result,
                           "recording: a restored snapshot was not saved from this mixer during the recording, so "
                           "the recording ends before it");
    case SINEW_ERROR_LIMIT:
        return sinewi_fail(
            error, result,
            "recording: more than %d clips, masks and blend spaces, so the recording ends before the next",
            MAX_OBJECTS);
    default:
        return sinewi_fail_memory(error);
    }
}

// Writes the end, frees the recorder and returns the recording's result.
static sinew_result stop_recording(sinew_mixer *mixer, sinew_error *error) {
    recording *recorder = (recording *)mixer->recorder;
    if (!recorder) return SINEW_OK;
    sinew_result idle = SINEWI_CHECK_IDLE(recorder->is_writing, "recording: stopped in its own `write`", error);
    if (idle != SINEW_OK) return idle;
    mixer_call end = {.kind = CALL_END};
    write_call(recorder, mixer, &end);
    sinew_result result = recorder->result;
    sinew_allocator allocator = recorder->allocator;
    size_t size = (size_t)recorder->object_capacity * sizeof *recorder->objects;
    sinewi_release(&allocator, recorder->objects, size, sizeof(uint64_t));
    sinewi_release(&allocator, recorder, sizeof *recorder, sizeof(uint64_t));
    mixer->recorder = NULL;
    return report_result(result, error);
}

// For a mixer that is destroyed while it's recorded. Returns false while `write` is being called.
static bool stop_without_report(sinew_mixer *mixer) {
    stop_recording(mixer, NULL);
    return mixer->recorder == NULL;
}

// Starts recording an untouched mixer. Without `write`, stops the recording.
sinew_result sinew_mixer_record(sinew_mixer *mixer, void (*write)(const void *bytes, size_t size, void *user),
                                void *user, sinew_error *error) {
    if (!mixer) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "recording: mixer is NULL");
    if (!write) return stop_recording(mixer, error);
    if (mixer->recorder) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: the mixer is already being recorded; stop that first");
    }
    if (!sinewi_mixer_is_untouched(mixer)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: the mixer has played, advanced or changed a layer; start before that; for "
                           "an animator's mixer, set write_recording in sinew_animator_def");
    }
    const sinew_allocator *allocator = &mixer->def.allocator;
    recording *recorder = (recording *)sinewi_allocate(allocator, sizeof *recorder, sizeof(uint64_t));
    if (!recorder) return sinewi_fail_memory(error);
    memset(recorder, 0, sizeof *recorder);
    recorder->allocator = *allocator;
    recorder->write = write;
    recorder->user = user;
    recorder->hook = (mixer_recorder){record_call, stop_without_report};
    mixer->recorder = &recorder->hook;
    record_head(recorder, mixer);
    return SINEW_OK;
}
