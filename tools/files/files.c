// SPDX-License-Identifier: MIT
// Reads the tools' input files and keeps a list of them.
#include "files/files.h"

#include "base/file.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ---- Identity ------------------------------------------------------------------------------------------------

bool files_are_same(files_identity a, files_identity b) {
    return a.device == b.device && a.number == b.number;
}

// ---- The list ------------------------------------------------------------------------------------------------

static files_input *inputs; // [input_count]
static int input_count;
static int *slots; // [slot_count]; 1 + an input's index, hashed by path; 0 if empty, like at least half of them
static int slot_count;

// Guards the list, for a few hundred nanoseconds at a time.
static atomic_flag is_taken = ATOMIC_FLAG_INIT;

static void take_list(void) {
    while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire)) continue;
}

static void release_list(void) {
    atomic_flag_clear_explicit(&is_taken, memory_order_release);
}

int files_input_count(void) {
    take_list();
    const int count = input_count;
    release_list();
    return count;
}

files_input files_input_at(int index) {
    take_list();
    const files_input input = inputs[index];
    release_list();
    return input;
}

void files_forget(void) {
    for (int i = 0; i < input_count; i++) free(inputs[i].path);
    free(inputs);
    free(slots);
    inputs = NULL;
    slots = NULL;
    input_count = slot_count = 0;
}

// A file may be recorded under several names, because the files that it names are found relative to its folder.
static bool is_it(const files_input *input, const char *path, files_identity identity) {
    return files_are_same(input->identity, identity) && strcmp(input->path, path) == 0;
}

// Returns a file's slot. It's empty if the file wasn't recorded.
static int *find_slot(const char *path, files_identity identity) {
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (const char *c = path; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    int i = (int)((hash ^ hash >> 32) & (uint64_t)(slot_count - 1));
    while (slots[i] > 0 && !is_it(&inputs[slots[i] - 1], path, identity)) i = (i + 1) & (slot_count - 1);
    return &slots[i];
}

// Doubles the room and moves all inputs to new slots.
static bool grow(void) {
    if (2 * input_count < slot_count) return true;
    const int count = slot_count > 0 ? 2 * slot_count : 32;
    files_input *larger = realloc(inputs, (size_t)count / 2 * sizeof *larger);
    if (!larger) return false;
    inputs = larger;
    int *larger_slots = calloc((size_t)count, sizeof *larger_slots);
    if (!larger_slots) return false;
    free(slots);
    slots = larger_slots;
    slot_count = count;
    for (int i = 0; i < input_count; i++) *find_slot(inputs[i].path, inputs[i].identity) = i + 1;
    return true;
}

static bool add(const char *path, files_identity identity) {
    if (!grow()) return false;
    int *slot = find_slot(path, identity);
    if (*slot > 0) return true;
    const size_t size = strlen(path) + 1;
    char *copy = malloc(size);
    if (!copy) return false;
    memcpy(copy, path, size);
    inputs[input_count] = (files_input){copy, identity};
    *slot = ++input_count;
    return true;
}

static bool note(const char *path) {
    files_identity identity;
    if (!files_identify(path, &identity)) return true;
    take_list();
    const bool is_added = add(path, identity);
    release_list();
    return is_added;
}

bool files_note(const char *path) {
    size_t size;
    return sinewi_file_size(path, &size) || note(path);
}

// ---- Reading -------------------------------------------------------------------------------------------------

const char *files_size(const char *path, size_t *size) {
    const char *reason = sinewi_file_size(path, size);
    if (reason) return reason;
    return note(path) ? NULL : "out of memory";
}

const char *files_read(const char *path, void *data, size_t size) {
    return sinewi_file_read(path, data, size);
}

const char *files_read_all(const char *path, size_t most, char **data, size_t *size) {
    *data = NULL;
    const char *reason = files_size(path, size);
    if (reason) return reason;
    if (*size > most) return "the file is too large";
    char *bytes = malloc(*size + 1);
    if (!bytes) return "out of memory";
    reason = files_read(path, bytes, *size);
    if (reason) {
        free(bytes);
        return reason;
    }
    *data = bytes;
    return NULL;
}
