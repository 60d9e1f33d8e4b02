// SPDX-License-Identifier: MIT
// The bytes of a character's recording: a buffer that grows, and the changes from one written state to the next.
#include "motion/animator_snapshot_format.h"
#include "motion/character_recording_format.h"
#include "base/fnv.h"
#include "base/memory.h"

#include <string.h>

// ---- The buffer ----------------------------------------------------------------------------------------------

bool sinewi_buffer_reserve(byte_buffer *buffer, size_t capacity) {
    if (buffer->has_failed || capacity <= buffer->capacity) return !buffer->has_failed;
    if (capacity < 2 * buffer->capacity) capacity = 2 * buffer->capacity;
    uint8_t *bytes = (uint8_t *)sinewi_allocate(&buffer->allocator, capacity, 1);
    buffer->has_failed = !bytes;
    if (!bytes) return false;
    if (buffer->size > 0) memcpy(bytes, buffer->bytes, buffer->size);
    sinewi_release(&buffer->allocator, buffer->bytes, buffer->capacity, 1);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void sinewi_buffer_free(byte_buffer *buffer) {
    sinewi_release(&buffer->allocator, buffer->bytes, buffer->capacity, 1);
    buffer->bytes = NULL;
    buffer->size = buffer->capacity = 0;
}

void sinewi_buffer_put_bytes(byte_buffer *buffer, const void *bytes, size_t size) {
    if (size == 0 || !sinewi_buffer_reserve(buffer, buffer->size + size)) return;
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

void sinewi_buffer_put(byte_buffer *buffer, uint64_t number, int bytes) {
    uint8_t little[8];
    for (int i = 0; i < bytes; i++) little[i] = (uint8_t)(number >> 8 * i);
    sinewi_buffer_put_bytes(buffer, little, (size_t)bytes);
}

void sinewi_buffer_put_count(byte_buffer *buffer, uint64_t count) {
    for (; count >= 0x80; count >>= 7) sinewi_buffer_put(buffer, (count & 0x7f) | 0x80, 1);
    sinewi_buffer_put(buffer, count, 1);
}

void sinewi_buffer_put_float(byte_buffer *buffer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    sinewi_buffer_put(buffer, bits, 4);
}

size_t sinewi_read_count(sinewi_byte_reader *in) {
    uint64_t count = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        const uint64_t byte = sinewi_read_number(in, 1);
        count |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0 && count <= UINT32_MAX) return (size_t)count;
    }
    in->is_cut = true;
    return 0;
}

uint32_t sinewi_part_checksum(int kind, const uint8_t *content, size_t size) {
    uint64_t hash = SINEWI_FNV_START;
    sinewi_fnv_number(&hash, (uint64_t)kind << 32 | size);
    sinewi_fnv_bytes(&hash, content, size);
    return (uint32_t)(hash ^ hash >> 32);
}

// ---- States --------------------------------------------------------------------------------------------------

bool sinewi_buffer_write_state(byte_buffer *buffer, const sinew_character *character,
                               const sinew_state_names *names) {
    buffer->size = 0;
    size_t size = sinewi_character_write_open(character, names, buffer->bytes, buffer->capacity);
    if (size > buffer->capacity) {
        if (!sinewi_buffer_reserve(buffer, size)) return false;
        size = sinewi_character_write_open(character, names, buffer->bytes, buffer->capacity);
    }
    buffer->size = size;
    return true;
}

// Where a run of different bytes starts, and where it ends. Short equal parts don't end it.
typedef struct run {
    size_t start, end;
} run;

static run find_run(const uint8_t *a, const uint8_t *b, size_t at, size_t end) {
    enum { SHORT = 3 };
    while (at < end && a[at] == b[at]) at++;
    run found = {at, at};
    for (size_t equal = 0; at < end && equal < SHORT; at++) {
        equal = a[at] == b[at] ? equal + 1 : 0;
        if (equal == 0) found.end = at + 1;
    }
    return found;
}

static void put_run(byte_buffer *buffer, size_t at, run found, const uint8_t *bytes) {
    sinewi_buffer_put_count(buffer, found.start - at);
    sinewi_buffer_put_count(buffer, found.end - found.start);
    sinewi_buffer_put_bytes(buffer, bytes + found.start, found.end - found.start);
}

static void put_runs(byte_buffer *buffer, const uint8_t *a, const uint8_t *b, size_t size) {
    size_t count = 0;
    for (run r = find_run(a, b, 0, size); r.start < size; r = find_run(a, b, r.end, size)) count++;
    sinewi_buffer_put_count(buffer, count);
    size_t at = 0;
    for (; count > 0; count--) {
        const run r = find_run(a, b, at, size);
        put_run(buffer, at, r, b);
        at = r.end;
    }
}

// States of different sizes only have their starts and ends in common.
static void put_middle(byte_buffer *buffer, const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size) {
    const size_t least = a_size < b_size ? a_size : b_size;
    size_t start = 0, end = 0;
    while (start < least && a[start] == b[start]) start++;
    while (end < least - start && a[a_size - 1 - end] == b[b_size - 1 - end]) end++;
    sinewi_buffer_put_count(buffer, 1);
    put_run(buffer, 0, (run){start, b_size - end}, b);
}

void sinewi_buffer_put_change(byte_buffer *buffer, const byte_buffer *from, const byte_buffer *to) {
    const uint8_t *a = from->bytes + SINEWI_STATE_HEADER, *b = to->bytes + SINEWI_STATE_HEADER;
    const size_t a_size = from->size - SINEWI_STATE_HEADER, b_size = to->size - SINEWI_STATE_HEADER;
    sinewi_buffer_put_count(buffer, b_size);
    if (a_size == b_size) {
        put_runs(buffer, a, b, a_size);
    } else {
        put_middle(buffer, a, a_size, b, b_size);
    }
}

// Reads a run. Returns false if it doesn't fit behind `at`.
static bool read_run(sinewi_byte_reader *in, size_t *skipped, size_t *length, size_t room) {
    *skipped = sinewi_read_count(in);
    *length = sinewi_read_count(in);
    if (in->is_cut || *skipped > room || *length > room - *skipped) return false;
    if (*length > in->size - in->at) return false;
    in->at += *length;
    return true;
}

bool sinewi_skip_change(sinewi_byte_reader *in) {
    size_t left = sinewi_read_count(in), count = sinewi_read_count(in);
    for (; count > 0 && !in->is_cut; count--) {
        size_t skipped, length;
        if (!read_run(in, &skipped, &length, left)) return false;
        left -= skipped + length;
    }
    return !in->is_cut;
}

bool sinewi_apply_change(sinewi_byte_reader *in, const byte_buffer *from, byte_buffer *to) {
    const size_t size = sinewi_read_count(in), old = from->size - SINEWI_STATE_HEADER;
    to->size = 0;
    if (size > old + (in->size - in->at)) return false;
    if (!sinewi_buffer_reserve(to, size + SINEWI_STATE_HEADER)) return false;
    const uint8_t *source = from->bytes + SINEWI_STATE_HEADER;
    uint8_t *out = to->bytes + SINEWI_STATE_HEADER;
    size_t at = 0;
    for (size_t count = sinewi_read_count(in); count > 0; count--) {
        size_t skipped, length;
        if (!read_run(in, &skipped, &length, size - at)) return false;
        if (skipped > 0 && (at > old || skipped > old - at)) return false;
        memcpy(out + at, source + at, skipped);
        memcpy(out + at + skipped, in->bytes + in->at - length, length);
        at += skipped + length;
    }
    if (size - at > old) return false;
    memcpy(out + at, source + old - (size - at), size - at);
    to->size = size + SINEWI_STATE_HEADER;
    sinewi_state_seal(to->bytes, to->size);
    return true;
}

// ---- Poses ---------------------------------------------------------------------------------------------------

uint64_t sinewi_hash_update(const sinew_character *character) {
    const sinew_pose *pose = &character->mixer->pose; // as it is, because reading it may evaluate it again
    const sinewi_planes planes = sinewi_pose_planes(pose);
    uint64_t hash = sinew_character_hash(character);
    for (int p = 0; p < SINEWI_PLANES; p++) {
        for (int32_t i = 0; i < pose->skeleton->node_count; i++) sinewi_fnv_float(&hash, planes.plane[p][i]);
    }
    for (int32_t i = 0; i < sinewi_value_count(pose->skeleton); i++) sinewi_fnv_float(&hash, pose->weights[i]);
    return hash;
}

void sinewi_update_matrices(const sinew_pose *pose, const uint8_t *changed, sinew_affine *model) {
    const sinew_skeleton *skeleton = pose->skeleton;
    for (int32_t i = 0; i < skeleton->node_count;) {
        if (changed[i]) sinew_pose_to_model_below(pose, i, model);
        i = changed[i] ? skeleton->subtree_ends[i] : i + 1;
    }
}
