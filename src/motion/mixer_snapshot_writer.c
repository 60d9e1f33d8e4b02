// SPDX-License-Identifier: MIT
// Writes the bytes of a state: numbers, sections, and the tables of strings and objects. Without memory, it only counts.
#include "motion/mixer_snapshot_format.h"
#include "base/fnv.h"

#include <assert.h>
#include <string.h>

const char sinewi_state_tags[SECTION_COUNT][5] = {
#define SINEWI_STATE_TAG(name, tag) tag,
    SINEWI_STATE_SECTIONS(SINEWI_STATE_TAG)
#undef SINEWI_STATE_TAG
};

// ---- Numbers -------------------------------------------------------------------------------------------------

static void store(uint8_t *at, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(number >> 8 * i);
}

static bool has_room(const state_writer *to, size_t size) {
    return to->bytes && to->at + size <= to->capacity;
}

void sinewi_state_put(state_writer *to, uint64_t number, int bytes) {
    if (has_room(to, (size_t)bytes)) store(to->bytes + to->at, number, bytes);
    to->at += (size_t)bytes;
}

void sinewi_state_put_count(state_writer *to, uint64_t count) {
    for (; count >= 0x80; count >>= 7) sinewi_state_put(to, (count & 0x7f) | 0x80, 1);
    sinewi_state_put(to, count, 1);
}

void sinewi_state_put_float(state_writer *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    sinewi_state_put(to, bits, 4);
}

void sinewi_state_put_double(state_writer *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sinewi_state_put(to, bits, 8);
}

void sinewi_state_put_bytes(state_writer *to, const void *bytes, size_t size) {
    if (has_room(to, size)) memcpy(to->bytes + to->at, bytes, size);
    to->at += size;
}

// ---- Tables --------------------------------------------------------------------------------------------------

// The number of a string, from 1. Adds it to the table if it's new.
static int32_t number_of_string(state_writer *to, const char *string) {
    for (int32_t i = 0; i < to->string_count; i++) {
        if (to->strings[i] == string || strcmp(to->strings[i], string) == 0) return i + 1;
    }
    assert(to->string_count < SINEWI_STATE_STRINGS);
    to->strings[to->string_count] = string;
    return ++to->string_count;
}

void sinewi_state_put_string(state_writer *to, const char *string) {
    sinewi_state_put_count(to, string ? (uint64_t)number_of_string(to, string) : 0);
}

static int32_t number_of_object(state_writer *to, state_kind kind, const void *object) {
    for (int32_t i = 0; i < to->object_count; i++) {
        if (to->objects[i].object == object) return i + 1;
    }
    assert(to->object_count < SINEWI_STATE_OBJECTS);
    to->objects[to->object_count] = (state_object){object, kind};
    return ++to->object_count;
}

void sinewi_state_put_object(state_writer *to, state_kind kind, const void *object) {
    sinewi_state_put_count(to, object ? (uint64_t)number_of_object(to, kind, object) : 0);
}

static void write_object(state_writer *to, const state_object *object) {
    state_path path = {.count = 0};
    to->lookup->name(to->lookup, object->kind, object->object, &path);
    sinewi_state_put(to, (uint64_t)object->kind, 1);
    sinewi_state_put(to, path.by_graph, 1);
    sinewi_state_put_count(to, (uint64_t)path.count);
    for (int32_t i = 0; i < path.count; i++) sinewi_state_put_string(to, path.parts[i]);
    if (object->kind != WRITTEN_CLIP) return;
    const sinew_clip *clip = (const sinew_clip *)object->object;
    sinewi_state_put_float(to, clip->duration);
    sinewi_state_put(to, clip->additive, 1);
}

static void write_tables(state_writer *to) {
    sinewi_state_begin_section(to, SECTION_OBJECTS);
    sinewi_state_put_count(to, (uint64_t)to->object_count);
    for (int32_t i = 0; i < to->object_count; i++) write_object(to, &to->objects[i]);
    sinewi_state_end_section(to);
    sinewi_state_begin_section(to, SECTION_STRINGS);
    sinewi_state_put_count(to, (uint64_t)to->string_count);
    for (int32_t i = 0; i < to->string_count; i++)
        sinewi_state_put_bytes(to, to->strings[i], strlen(to->strings[i]) + 1);
    sinewi_state_end_section(to);
}

// ---- Sections ------------------------------------------------------------------------------------------------

void sinewi_state_begin_section(state_writer *to, state_section section) {
    sinewi_state_put_bytes(to, sinewi_state_tags[section], 4);
    sinewi_state_put(to, 0, 4);
    to->section = to->at;
}

void sinewi_state_end_section(state_writer *to) {
    const size_t end = to->at;
    to->at = to->section - 4;
    sinewi_state_put(to, end - to->section, 4);
    to->at = end;
}

void sinewi_state_begin(state_writer *to, const state_lookup *lookup, uint8_t *bytes, size_t capacity) {
    to->bytes = bytes;
    to->capacity = capacity;
    to->at = SINEWI_STATE_HEADER;
    to->section = 0;
    to->lookup = lookup;
    to->string_count = to->object_count = 0;
}

size_t sinewi_state_end(state_writer *to) {
    write_tables(to);
    return to->at;
}

void sinewi_state_seal(uint8_t *bytes, size_t size) {
    uint64_t checksum = SINEWI_FNV_START;
    sinewi_fnv_bytes(&checksum, bytes + SINEWI_STATE_HEADER, size - SINEWI_STATE_HEADER);
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)SINEWI_STATE_MAGIC[i];
    store(bytes + 4, SINEWI_STATE_VERSION, 4);
    store(bytes + 8, size, 8);
    store(bytes + 16, checksum, 8);
}
