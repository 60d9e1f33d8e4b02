// SPDX-License-Identifier: MIT
// Recordings that the command reads.
#include "cli/recorded.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Reading -------------------------------------------------------------------------------------------------

static bool read_all(FILE *file, cli_recorded *to) {
    size_t capacity = 0;
    for (;;) {
        if (to->size == capacity) {
            capacity = 2 * capacity + 65536;
            void *larger = realloc(to->bytes, capacity);
            if (!larger) return false;
            to->bytes = larger;
        }
        size_t count = fread((char *)to->bytes + to->size, 1, capacity - to->size, file);
        if (count == 0) return !ferror(file);
        to->size += count;
    }
}

bool cli_recorded_open(const sinew_asset *asset, const char *path, cli_recorded *to) {
    FILE *file = fopen(path, "rb");
    bool good = file && read_all(file, to);
    if (!good) cli_fail("%s: cannot be read: %s", path, strerror(errno));
    if (file) (void)fclose(file);
    return good && cli_recorded_start(asset, path, to);
}

bool cli_recorded_start(const sinew_asset *asset, const char *path, cli_recorded *to) {
    const sinew_clip **clips = malloc(((size_t)asset->clip_count + 1) * sizeof(const sinew_clip *));
    if (!clips) {
        cli_fail("%s: out of memory", path);
        return false;
    }
    for (int32_t i = 0; i < asset->clip_count; i++) clips[i] = &asset->clips[i];
    sinew_replay_def def = sinew_replay_default();
    def.bytes = to->bytes;
    def.size = to->size;
    def.skeleton = asset->skeleton;
    def.clips = clips;
    def.clip_count = asset->clip_count;
    sinew_error error;
    bool good = sinew_replay_create(&def, &to->replay, &error) == SINEW_OK;
    if (!good) cli_fail("%s: %s", path, error.message);
    free(clips);
    return good;
}

void cli_recorded_close(cli_recorded *recorded) {
    sinew_replay_destroy(recorded->replay);
    free(recorded->bytes);
}

// ---- Replaying -----------------------------------------------------------------------------------------------

bool cli_recorded_step(const char *path, sinew_replay *replay, cli_call_line *line) {
    sinew_replay_describe(replay, line->text, sizeof line->text);
    sinew_result result = sinew_replay_step(replay);
    if (result == SINEW_OK) return true;
    cli_fail("%s: call %" PRId64 ": %s", path, replay->calls_made, sinew_result_string(result));
    return false;
}
