// SPDX-License-Identifier: MIT
// Fuzzes characters' recordings: replays them to the end. Repairs checksums first.
#include "fuzz/fuzz.h"
#include "fuzz/recording_stage.h"

#include <sinew/motion/character_recording.h>

#include <stdio.h>
#include <stdlib.h>

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void replay(const recording_stage *stage, const uint8_t *bytes, size_t size) {
    char text[256];
    sinew_character_replay_def def = sinew_character_replay_default();
    def.bytes = bytes;
    def.size = size;
    def.rig = stage->rig;
    sinew_character_replay *played;
    sinew_error error = {SINEW_OK, ""};
    sinew_result result = sinew_character_replay_create(&def, &played, &error);
    require((result == SINEW_OK) == (played != NULL), "a replay that doesn't fit the result");
    while (result == SINEW_OK && played->updates_made < played->update_count) {
        result = sinew_character_replay_step(played, &error);
        sinew_character_replay_describe(played, text, sizeof text);
        require(text[0] != '\0', "an update without a description");
    }
    require(result == SINEW_OK || error.result == result, "the error has another result");
    require(result == SINEW_OK || (error.message[0] != '\0' && !strchr(error.message, '\n')), error.message);
    sinew_character_replay_destroy(played);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const recording_stage *stage = recording_stage_open();
    uint8_t *bytes = malloc(size > 0 ? size : 1); // exactly as long: reading on is found
    if (!bytes) return 0;
    if (size > 0) memcpy(bytes, data, size);
    recording_stage_repair(bytes, size);
    replay(stage, bytes, size);
    free(bytes);
    return 0;
}
