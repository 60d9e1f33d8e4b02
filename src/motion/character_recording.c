// SPDX-License-Identifier: MIT
// Recording a character: writes how its state has changed since the last update, and what the program answered in the
// update. See motion/character_recording_format.h.
#include "core/mixer_data.h"
#include "core/pose_block.h"
#include "motion/character_recording_format.h"
#include "motion/mixer_snapshot_format.h"
#include "base/callback.h"
#include "base/fail.h"
#include "base/memory.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

typedef struct recording {
    character_recorder hook;
    sinew_allocator allocator;
    sinew_state_names names;
    bool has_names;
    void (*write)(const void *bytes, size_t size, void *user);
    void *user;
    sinew_result result; // if not SINEW_OK, nothing more is written
    byte_buffer last;    // the state when the program could change it again
    byte_buffer now;
    byte_buffer changes; // of the update: by events, and in between
    byte_buffer calls;
    int flags;            // what `changes` has
    sinew_vec3 normal;    // the last answer's
    sinew_pose *pose;     // before a step's callback; NULL without such steps
    sinew_affine *model;  // the same; [node_count]
    uint8_t *node_change; // [node_count]
    size_t model_size;    // of `model` with `node_change`
} recording;

static recording *recorder_of(const sinew_character *character) {
    return (recording *)character->recorder;
}

// ---- Parts ---------------------------------------------------------------------------------------------------

static bool is_good(recording *to) {
    const bool has_failed =
        to->last.has_failed || to->now.has_failed || to->changes.has_failed || to->calls.has_failed;
    if (has_failed) to->result = SINEW_ERROR_OUT_OF_MEMORY;
    return to->result == SINEW_OK;
}

// Passes a part to the program. Its content follows the space for the header in `buffer`.
static void write_part(recording *to, sinew_character *character, int kind, byte_buffer *buffer) {
    const size_t size = buffer->size - SINEWI_PART_HEADER;
    const uint8_t *content = buffer->bytes + SINEWI_PART_HEADER;
    const uint32_t checksum = sinewi_part_checksum(kind, content, size);
    byte_buffer header = *buffer; // in the same memory
    header.size = 0;
    sinewi_buffer_put(&header, (uint64_t)kind, 1);
    sinewi_buffer_put(&header, size, 4);
    sinewi_buffer_put(&header, checksum, 4);
    character->in_step = true;
    to->write(buffer->bytes, buffer->size, to->user);
    character->in_step = false;
}

static void begin_part(byte_buffer *buffer) {
    buffer->size = 0;
    sinewi_buffer_put(buffer, 0, 8);
    sinewi_buffer_put(buffer, 0, SINEWI_PART_HEADER - 8);
}

static bool write_state(recording *to, byte_buffer *buffer, const sinew_character *character) {
    return sinewi_buffer_write_state(buffer, character, to->has_names ? &to->names : NULL);
}

static bool is_same(const byte_buffer *a, const byte_buffer *b) {
    const size_t start = SINEWI_STATE_HEADER;
    return a->size == b->size && memcmp(a->bytes + start, b->bytes + start, a->size - start) == 0;
}

// Adds how the state has changed since `last`, and remembers the new one. Returns whether it has.
static bool put_change(recording *to, const sinew_character *character, byte_buffer *buffer) {
    if (!write_state(to, &to->now, character) || is_same(&to->last, &to->now)) return false;
    sinewi_buffer_put_change(buffer, &to->last, &to->now);
    const byte_buffer last = to->last;
    to->last = to->now;
    to->now = last;
    return true;
}

// ---- The frame -----------------------------------------------------------------------------------------------

static void record_begin(recording *to, sinew_character *character) {
    byte_buffer *buffer = &to->changes;
    begin_part(buffer);
    sinewi_buffer_put_float(buffer, character->dt);
    const size_t at = buffer->size;
    sinewi_buffer_put(buffer, 0, 1);
    const bool has_changed = put_change(to, character, buffer);
    if (!is_good(to)) return;
    buffer->bytes[at] = has_changed;
    write_part(to, character, RECORDED_BEGIN, buffer);
    begin_part(buffer);
    sinewi_buffer_put(buffer, 0, 1);
    to->flags = 0;
    to->calls.size = 0;
    to->normal = (sinew_vec3){0.0f, 1.0f, 0.0f};
}

static void record_end(recording *to, sinew_character *character) {
    byte_buffer *buffer = &to->changes;
    if (!is_good(to)) return;
    buffer->bytes[SINEWI_PART_HEADER] = (uint8_t)to->flags;
    sinewi_buffer_put_bytes(buffer, to->calls.bytes, to->calls.size);
    sinewi_buffer_put(buffer, sinewi_hash_update(character), 8);
    if (!write_state(to, &to->last, character) || !is_good(to)) return;
    write_part(to, character, RECORDED_END, buffer);
}

static bool has_events(const sinew_character *character) {
    return character->mixer->def.on_event && character->mixer->state->event_count > 0;
}

static void record_moment(sinew_character *character, character_moment moment) {
    recording *to = recorder_of(character);
    if (!is_good(to)) return;
    switch (moment) {
    case CHARACTER_BEGINS:
        record_begin(to, character);
        break;
    case CHARACTER_ADVANCED: // a replay has no callbacks, so it can't tell what they changed
        if (has_events(character) && put_change(to, character, &to->changes)) to->flags |= RECORDED_BY_EVENTS;
        break;
    case CHARACTER_OPEN:
        write_state(to, &to->last, character);
        break;
    case CHARACTER_CLOSES:
        if (put_change(to, character, &to->changes)) to->flags |= RECORDED_IN_BETWEEN;
        break;
    case CHARACTER_ENDED:
        record_end(to, character);
        break;
    }
}

// ---- The ground ----------------------------------------------------------------------------------------------

static void record_ground(sinew_character *character, sinew_vec3 place, const sinew_ground *found) {
    recording *to = recorder_of(character);
    int head = RECORDED_GROUND | (found ? RECORDED_IS_FOUND : 0);
    if (!found) {
        sinewi_buffer_put(&to->calls, (uint64_t)head, 1);
        return;
    }
    const float expected[6] = {place.x, place.y, place.z, to->normal.x, to->normal.y, to->normal.z};
    const float values[6] = {found->position.x, found->position.y, found->position.z,
                             found->normal.x,   found->normal.y,   found->normal.z};
    for (int i = 0; i < 6; i++) head |= (memcmp(&expected[i], &values[i], sizeof(float)) != 0) << i;
    sinewi_buffer_put(&to->calls, (uint64_t)head, 1);
    for (int i = 0; i < 6; i++)
        if (head >> i & 1) sinewi_buffer_put_float(&to->calls, values[i]);
    to->normal = found->normal;
}

// ---- Callbacks of steps --------------------------------------------------------------------------------------

static void before_step(sinew_character *character, const sinew_pose *pose, const sinew_affine *model) {
    recording *to = recorder_of(character);
    if (!to->pose) return;
    sinew_pose_copy(to->pose, pose);
    memcpy(to->model, model, (size_t)pose->skeleton->node_count * sizeof *model);
}

static int32_t mark_nodes(recording *to, const sinew_pose *pose) {
    int32_t count = 0;
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        const sinew_transform before = sinew_pose_get(to->pose, i), now = sinew_pose_get(pose, i);
        to->node_change[i] = memcmp(&before, &now, sizeof now) != 0;
        count += to->node_change[i];
    }
    return count;
}

static void record_nodes(recording *to, const sinew_pose *pose) {
    sinewi_buffer_put_count(&to->calls, (uint64_t)mark_nodes(to, pose));
    for (int32_t i = 0, next = 0; i < pose->skeleton->node_count; i++) {
        if (!to->node_change[i]) continue;
        float before[NODE_FLOATS], now[NODE_FLOATS];
        const sinew_transform a = sinew_pose_get(to->pose, i), b = sinew_pose_get(pose, i);
        memcpy(before, &a, sizeof before);
        memcpy(now, &b, sizeof now);
        uint64_t mask = 0;
        for (int k = 0; k < NODE_FLOATS; k++)
            mask |= (uint64_t)(memcmp(&before[k], &now[k], sizeof(float)) != 0) << k;
        sinewi_buffer_put_count(&to->calls, (uint64_t)(i - next));
        sinewi_buffer_put(&to->calls, mask, 2);
        for (int k = 0; k < NODE_FLOATS; k++)
            if (mask >> k & 1) sinewi_buffer_put_float(&to->calls, now[k]);
        next = i + 1;
    }
}

// Writes the elements of `now` that differ from `before`, which are arrays of `floats` floats.
static void record_elements(byte_buffer *calls, const float *before, const float *now, int32_t count,
                            ptrdiff_t floats) {
    const size_t size = (size_t)floats * sizeof(float);
    int32_t changed = 0, next = 0;
    for (int32_t i = 0; i < count; i++) changed += memcmp(before + i * floats, now + i * floats, size) != 0;
    sinewi_buffer_put_count(calls, (uint64_t)changed);
    for (int32_t i = 0; i < count && changed > 0; i++) {
        if (memcmp(before + i * floats, now + i * floats, size) == 0) continue;
        sinewi_buffer_put_count(calls, (uint64_t)(i - next));
        for (ptrdiff_t k = 0; k < floats; k++) sinewi_buffer_put_float(calls, now[i * floats + k]);
        next = i + 1;
    }
}

static void after_step(sinew_character *character, int32_t step, const sinew_pose *pose,
                       const sinew_affine *model) {
    recording *to = recorder_of(character);
    if (!to->pose) return;
    sinewi_buffer_put(&to->calls, (uint64_t)step, 1);
    record_nodes(to, pose);
    record_elements(&to->calls, to->pose->weights, pose->weights, sinewi_value_count(pose->skeleton), 1);
    sinewi_update_matrices(pose, to->node_change, to->model);
    record_elements(&to->calls, &to->model[0].m[0][0], &model[0].m[0][0], pose->skeleton->node_count,
                    MATRIX_FLOATS);
}

// ---- Starting and stopping -----------------------------------------------------------------------------------

enum { BUFFERS = 4 };

static void free_recording(recording *to) {
    byte_buffer *const buffers[BUFFERS] = {&to->last, &to->now, &to->changes, &to->calls};
    for (int i = 0; i < BUFFERS; i++) sinewi_buffer_free(buffers[i]);
    sinew_pose_destroy(to->pose);
    sinewi_release(&to->allocator, to->model, to->model_size, alignof(sinew_affine));
    const sinew_allocator allocator = to->allocator;
    sinewi_release(&allocator, to, sizeof *to, alignof(recording));
}

// A callback's step needs a copy of the pose.
static bool make_copies(recording *to, const sinew_character *character) {
    const sinew_skeleton *skeleton = character->def.rig->binding->skeleton;
    if (!character->def.step) return true;
    if (sinew_pose_create(skeleton, &to->allocator, &to->pose) != SINEW_OK) return false;
    to->model_size = (size_t)skeleton->node_count * (sizeof *to->model + 1);
    to->model = (sinew_affine *)sinewi_allocate(&to->allocator, to->model_size, alignof(sinew_affine));
    to->node_change = to->model ? (uint8_t *)(to->model + skeleton->node_count) : NULL;
    return to->model != NULL;
}

// A quarter more than the state's size is enough for most updates.
static bool make_buffers(recording *to, const sinew_character *character) {
    const size_t size = sinewi_character_write_open(character, to->has_names ? &to->names : NULL, NULL, 0);
    const size_t capacity = size + size / 4 + 1024;
    byte_buffer *const buffers[BUFFERS] = {&to->last, &to->now, &to->changes, &to->calls};
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i]->allocator = to->allocator;
        if (!sinewi_buffer_reserve(buffers[i], capacity)) return false;
    }
    return write_state(to, &to->last, character);
}

static bool write_start(recording *to, sinew_character *character) {
    byte_buffer *buffer = &to->changes;
    begin_part(buffer);
    sinewi_state_seal(to->last.bytes, to->last.size);
    sinewi_put_character_head(buffer, character);
    sinewi_buffer_put_bytes(buffer, to->last.bytes, to->last.size);
    if (!is_good(to)) return false;
    uint8_t start[SINEWI_CHARACTER_RECORDING_START];
    memcpy(start, SINEWI_CHARACTER_RECORDING_MAGIC, 4);
    start[4] = SINEWI_CHARACTER_RECORDING_VERSION;
    start[5] = 0;
    to->write(start, sizeof start, to->user);
    write_part(to, character, RECORDED_HEAD, buffer);
    return true;
}

static sinew_result stop_recording(sinew_character *character, sinew_error *error) {
    recording *to = recorder_of(character);
    if (!to) return SINEW_OK;
    const bool is_complete = is_good(to) && !character->has_begun;
    begin_part(&to->changes);
    if (is_complete) write_part(to, character, RECORDED_STOP, &to->changes);
    const sinew_result result = to->result;
    free_recording(to);
    character->recorder = NULL;
    return result == SINEW_OK ? SINEW_OK : sinewi_fail_memory(error);
}

static void stop_without_report(sinew_character *character) {
    stop_recording(character, NULL);
}

static sinew_result check_start(const sinew_character *character, sinew_error *error) {
    if (!character) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "recording: character is NULL");
    const sinew_result idle =
        SINEWI_CHECK_IDLE(character->in_step, "recording: started or stopped in a callback", error);
    if (idle != SINEW_OK) return idle;
    if (!character->has_begun) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "recording: started or stopped between sinew_character_begin and sinew_character_end");
}

sinew_result sinew_character_record(sinew_character *character, const sinew_state_names *names,
                                    void (*write)(const void *bytes, size_t size, void *user), void *user,
                                    sinew_error *error) {
    const sinew_result result = check_start(character, error);
    if (result != SINEW_OK) return result;
    if (!write) return stop_recording(character, error);
    if (character->recorder)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "recording: the character is already being recorded; stop that first");
    const sinew_allocator *allocator = &character->def.allocator;
    recording *to = (recording *)sinewi_allocate(allocator, sizeof *to, alignof(recording));
    if (!to) return sinewi_fail_memory(error);
    memset(to, 0, sizeof *to);
    to->allocator = *allocator;
    to->has_names = names != NULL;
    if (names) to->names = *names;
    to->write = write;
    to->user = user;
    to->hook = (character_recorder){record_moment, record_ground, before_step, after_step, stop_without_report};
    if (!make_copies(to, character) || !make_buffers(to, character) || !write_start(to, character)) {
        free_recording(to);
        return sinewi_fail_memory(error);
    }
    character->recorder = &to->hook;
    return SINEW_OK;
}
