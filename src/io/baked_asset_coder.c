// SPDX-License-Identifier: MIT
// Fields and arrays in the records of a baked asset (baked_asset_coder.h).
#include "io/baked_asset_coder.h"
#include "base/finite.h"
#include "base/fnv.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// Arrays start at multiples of this.
#define UNIT ((size_t)64)

// Reference of an array that has no elements but isn't NULL.
#define EMPTY UINT32_MAX

static size_t round_up(size_t size, size_t multiple) {
    return (size + multiple - 1) / multiple * multiple;
}

// ---- The checksum --------------------------------------------------------------------------------------------

// Each of 16 lanes adds its words, and also adds up those sums, so the order of words matters. The lanes are
// independent, so compilers use vectors and it runs at memory speed. Any change of a single word changes the sums.
uint64_t sinewi_baked_checksum(const void *data, size_t size) {
    enum { LANES = 16 };
    uint32_t words[LANES], sums[LANES] = {0}, sums_of_sums[LANES] = {0};
    const char *at = (const char *)data;
    for (size_t i = 0; i < size; i += sizeof words) {
        memcpy(words, at + i, sizeof words);
        for (int l = 0; l < LANES; l++) sums[l] += words[l];
        for (int l = 0; l < LANES; l++) sums_of_sums[l] += sums[l];
    }
    uint64_t hash = SINEWI_FNV_START;
    for (int l = 0; l < LANES; l++) {
        sinewi_fnv_number(&hash, sums[l]);
        sinewi_fnv_number(&hash, sums_of_sums[l]);
    }
    return hash;
}

// ---- Errors --------------------------------------------------------------------------------------------------

void sinewi_code_damaged(sinewi_coder *c, const char *reason) {
    if (c->failed) return;
    c->failed = true;
    char index[16] = "";
    if (c->index >= 0) snprintf(index, sizeof index, "[%d]", (int)c->index);
    sinewi_fail(c->error, SINEW_ERROR_FORMAT, "damaged: %s%s: %s; bake it again", c->part, index, reason);
}

void sinewi_code_fail_memory(sinewi_coder *c) {
    if (c->failed) return;
    c->failed = true;
    sinewi_fail_memory(c->error);
}

// ---- Records -------------------------------------------------------------------------------------------------

// Reserves the next `size` bytes of the records. Returns their address, or NULL while measuring and at the
// end of the records.
static char *take_record(sinewi_coder *c, size_t size) {
    if (c->failed) return NULL;
    size_t start = c->record, padded = round_up(size, 4);
    if (!sinewi_coder_writes(c) && (padded < size || padded > c->record_end - start)) {
        sinewi_code_damaged(c, "its records end too early");
        return NULL;
    }
    c->record += padded;
    return c->file ? c->file + start : NULL;
}

// Codes a 4-byte word.
static void code_word(sinewi_coder *c, void *word) {
    char *record = take_record(c, 4);
    if (sinewi_coder_writes(c)) {
        if (record) memcpy(record, word, 4);
    } else if (record) {
        memcpy(word, record, 4);
    } else {
        memset(word, 0, 4);
    }
}

void sinewi_code_u32(sinewi_coder *c, uint32_t *value) {
    code_word(c, value);
}

void sinewi_code_i32(sinewi_coder *c, int32_t *value) {
    code_word(c, value);
}

// Codes a number that must be in a range. A number outside becomes 0.
static void code_in_range(sinewi_coder *c, int32_t *value, int32_t min, int32_t max, const char *reason) {
    code_word(c, value);
    if (sinewi_coder_writes(c) || (*value >= min && *value <= max)) return;
    *value = 0;
    sinewi_code_damaged(c, reason);
}

void sinewi_code_count(sinewi_coder *c, int32_t *count) {
    code_in_range(c, count, 0, INT32_MAX, "a count is negative");
}

void sinewi_code_index(sinewi_coder *c, int32_t *index, int32_t count) {
    code_in_range(c, index, 0, count - 1, "an index is out of range");
}

void sinewi_code_index_or_none(sinewi_coder *c, int32_t *index, int32_t count) {
    code_in_range(c, index, -1, count - 1, "an index is out of range");
}

int32_t sinewi_code_choice(sinewi_coder *c, int32_t value, int32_t count) {
    code_in_range(c, &value, 0, count - 1, "a choice is unknown");
    return value;
}

void sinewi_code_bool(sinewi_coder *c, bool *value) {
    *value = sinewi_code_choice(c, *value, 2) != 0;
}

// Sizes have 64 bits in the file.
void sinewi_code_size(sinewi_coder *c, size_t *size) {
    uint64_t number = sinewi_coder_writes(c) ? *size : 0;
    uint32_t low = (uint32_t)number, high = (uint32_t)(number >> 32);
    code_word(c, &low);
    code_word(c, &high);
    number = (uint64_t)high << 32 | low;
    if (number > SIZE_MAX) sinewi_code_damaged(c, "a size is too large");
    *size = c->failed ? 0 : (size_t)number;
}

void sinewi_code_unbounded(sinewi_coder *c, float *value) {
    code_word(c, value);
    if (isnan(*value) && !sinewi_coder_writes(c)) sinewi_code_damaged(c, "a number is not finite");
}

void sinewi_code_float(sinewi_coder *c, float *value) {
    code_word(c, value);
    if (!isfinite(*value) && !sinewi_coder_writes(c)) sinewi_code_damaged(c, "a number is not finite");
}

void sinewi_code_floats(sinewi_coder *c, float *values, int count) {
    for (int i = 0; i < count; i++) sinewi_code_float(c, &values[i]);
}

void sinewi_code_vec3(sinewi_coder *c, sinew_vec3 *vector) {
    sinewi_code_float(c, &vector->x);
    sinewi_code_float(c, &vector->y);
    sinewi_code_float(c, &vector->z);
}

void *sinewi_code_small_array(sinewi_coder *c, const void *array, size_t count, size_t size) {
    if (c->failed) return NULL;
    if (!sinewi_coder_writes(c) && count > (c->record_end - c->record) / size) {
        sinewi_code_damaged(c, "its records end too early");
        return NULL;
    }
    char *record = take_record(c, count * size);
    c->bytes += count * size;
    if (!sinewi_coder_writes(c)) return record;
    if (record && count > 0) memcpy(record, array, count * size);
    return (void *)(uintptr_t)array; // never written to
}

void sinewi_code_string(sinewi_coder *c, const char **string) {
    uint32_t length = sinewi_coder_writes(c) ? (uint32_t)strlen(*string) : 0;
    code_word(c, &length);
    SINEWI_CODE_SMALL(c, *string, const char, (size_t)length + 1);
    if (sinewi_coder_writes(c)) return;
    if (!c->failed && (*string)[length] != '\0') sinewi_code_damaged(c, "a string does not end");
    if (c->failed) *string = "";
}

// ---- Arrays --------------------------------------------------------------------------------------------------

// An array's entry in the hash table, or the free entry where it belongs.
static sinewi_coded_array *find_coded(const sinewi_coded_arrays *coded, const void *array, size_t size) {
    uint64_t hash = SINEWI_FNV_START;
    sinewi_fnv_number(&hash, (uintptr_t)array);
    sinewi_fnv_number(&hash, size);
    size_t i = (size_t)hash & (coded->capacity - 1);
    while (coded->entries[i].reference && (coded->entries[i].array != array || coded->entries[i].size != size))
        i = (i + 1) & (coded->capacity - 1);
    return &coded->entries[i];
}

// Doubles a hash table that is more than half full.
static bool grow_coded(sinewi_coder *c) {
    sinewi_coded_arrays *coded = &c->coded;
    if (2 * coded->count < coded->capacity) return true;
    sinewi_coded_arrays larger = {NULL, coded->count, coded->capacity > 0 ? 2 * coded->capacity : 256};
    size_t size = larger.capacity * sizeof *larger.entries;
    larger.entries = (sinewi_coded_array *)sinewi_allocate(&c->allocator, size, SINEWI_ALIGNMENT);
    if (!larger.entries) return false;
    memset(larger.entries, 0, size);
    for (size_t i = 0; i < coded->capacity; i++) {
        const sinewi_coded_array *entry = &coded->entries[i];
        if (entry->reference) *find_coded(&larger, entry->array, entry->size) = *entry;
    }
    sinewi_release(&c->allocator, coded->entries, coded->capacity * sizeof *coded->entries, SINEWI_ALIGNMENT);
    *coded = larger;
    return true;
}

// Returns an array's reference. A new array gets the next position.
static uint32_t refer(sinewi_coder *c, const void *array, size_t size) {
    if (!grow_coded(c)) {
        sinewi_code_fail_memory(c);
        return 0;
    }
    sinewi_coded_array *entry = find_coded(&c->coded, array, size);
    if (entry->reference) return entry->reference;
    size_t unit = (c->array_end - c->arrays) / UNIT + 1;
    if (unit >= EMPTY || size > SIZE_MAX / 2 - c->array_end) {
        c->failed = true;
        sinewi_fail(c->error, SINEW_ERROR_LIMIT, "more than 256 GiB to bake");
        return 0;
    }
    *entry = (sinewi_coded_array){array, size, (uint32_t)unit};
    c->coded.count++;
    c->array_end += round_up(size, UNIT);
    return entry->reference;
}

static char *array_at(const sinewi_coder *c, uint32_t reference) {
    return c->file + c->arrays + (size_t)(reference - 1) * UNIT;
}

static void write_array(sinewi_coder *c, const void *array, size_t size) {
    uint32_t reference = !array ? 0 : size == 0 ? EMPTY : refer(c, array, size);
    code_word(c, &reference);
    if (c->mode == SINEWI_CODER_WRITE && array && size > 0) memcpy(array_at(c, reference), array, size);
}

void *sinewi_code_optional_array(sinewi_coder *c, const void *array, size_t count, size_t size) {
    if (c->failed) return NULL;
    if (sinewi_coder_writes(c)) {
        write_array(c, array, count * size);
        return (void *)(uintptr_t)array; // never written to
    }
    uint32_t reference;
    code_word(c, &reference);
    if (reference == 0) return NULL;
    if (reference == EMPTY && count == 0) return c->file;
    size_t room = c->array_end - c->arrays, units = room / UNIT;
    if (reference - 1 >= units || count > (room - (size_t)(reference - 1) * UNIT) / size) {
        sinewi_code_damaged(c, "an array is outside the file");
        return NULL;
    }
    c->bytes += count * size;
    return array_at(c, reference);
}

void *sinewi_code_array(sinewi_coder *c, const void *array, size_t count, size_t size) {
    void *coded = sinewi_code_optional_array(c, array, count, size);
    if (!coded && count > 0) sinewi_code_damaged(c, "an array is missing");
    return coded;
}

void sinewi_code_check_floats(sinewi_coder *c, const float *values, size_t count) {
    if (!sinewi_coder_loads(c) || !c->verify || !values) return;
    if (!isfinite(sinewi_largest_magnitude(values, count))) sinewi_code_damaged(c, "a number is not finite");
}

// ---- Structs -------------------------------------------------------------------------------------------------

void *sinewi_code_memory(sinewi_coder *c, size_t count, size_t size) {
    if (c->failed || sinewi_coder_writes(c)) return NULL;
    c->bytes += count * size;
    void *memory = sinewi_layout_take(&c->structs, count, size, sizeof(void *));
    if (c->mode != SINEWI_CODER_LOAD) return NULL;
    if (c->structs.size <= c->structs_size) return memory;
    sinewi_code_damaged(c, "the file changed while it was being read");
    return NULL;
}

// Codes a copy of each struct, because written ones are const, and the survey has none.
void *sinewi_code_structs(sinewi_coder *c, const void *array, int32_t count, size_t size,
                          sinewi_code_function code) {
    enum { MAX_SIZE = 512 };
    alignas(SINEWI_ALIGNMENT) char element[MAX_SIZE];
    assert(size <= MAX_SIZE);
    const char *from = sinewi_coder_writes(c) ? (const char *)array : NULL;
    char *to = (char *)sinewi_code_memory(c, (size_t)count, size);
    bool is_part = c->part != NULL && c->index < 0;
    for (int32_t i = 0; i < count && !c->failed; i++) {
        memset(element, 0, size);
        if (from) memcpy(element, from + (size_t)i * size, size);
        if (is_part) c->index = i;
        code(c, element);
        if (to) memcpy(to + (size_t)i * size, element, size);
    }
    if (is_part) c->index = -1;
    return sinewi_coder_writes(c) ? (void *)(uintptr_t)array : to;
}
