// SPDX-License-Identifier: MIT
// Fuzzes written states: a mixer and an animator read them and continue with calls of every kind. Repairs the header
// first.
#include "fuzz/fuzz.h"
#include "fuzz/state_stage.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 50 };

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_name(const char *kind, const char *name, void *user) {
    (void)user;
    require(kind[0] != '\0' && strlen(name) < 1u << 30, "a name that was reported");
}

static void check_error(sinew_result result, const sinew_error *error) {
    require(error->result == result, "the error has another result");
    require(strncmp(error->message, "state: ", 7) == 0 && !strchr(error->message, '\n'), error->message);
}

static void try_mixer(const state_stage *stage, const uint8_t *bytes, size_t size) {
    const sinew_state_report report = {check_name, NULL};
    sinew_mixer *mixer = state_stage_mixer(stage);
    sinew_layer_set_mode(mixer, 2, SINEW_LAYER_ADDITIVE); // which states can't change from now on
    const uint64_t hash = sinew_mixer_hash(mixer);
    sinew_error error = {SINEW_OK, ""};
    const sinew_result result = sinew_mixer_read(mixer, &stage->names, bytes, size, &report, &error);
    if (result == SINEW_OK) {
        state_stage_play(stage, mixer, 1, FRAMES);
        (void)sinew_mixer_write(mixer, &stage->names, NULL, 0);
    } else {
        check_error(result, &error);
        require(sinew_mixer_hash(mixer) == hash, "an error changed the mixer");
    }
    sinew_mixer_destroy(mixer);
}

static void try_animator(const state_stage *stage, const uint8_t *bytes, size_t size) {
    const sinew_state_report report = {check_name, NULL};
    sinew_animator *animator = state_stage_animator(stage);
    const uint64_t hash = sinew_animator_hash(animator);
    sinew_error error = {SINEW_OK, ""};
    const sinew_result result = sinew_animator_read(animator, NULL, bytes, size, &report, &error);
    if (result == SINEW_OK) {
        state_stage_direct(stage, animator, 1, FRAMES);
        (void)sinew_animator_write(animator, NULL, NULL, 0);
    } else {
        check_error(result, &error);
        require(sinew_animator_hash(animator) == hash, "an error changed the animator");
    }
    sinew_animator_destroy(animator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const state_stage *stage = state_stage_open();
    uint8_t *bytes = malloc(size > 0 ? size : 1); // exactly as long: reading on is found
    if (!bytes) return 0;
    if (size > 0) memcpy(bytes, data, size);
    state_stage_repair(bytes, size);
    try_mixer(stage, bytes, size);
    try_animator(stage, bytes, size);
    free(bytes);
    return 0;
}
