// SPDX-License-Identifier: MIT
// Reads recordings.
#include "cli/recorded.h"

#include "files/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Reading -------------------------------------------------------------------------------------------------

// Enough for many hours at 60 frames per second.
#define MAX_SIZE ((size_t)1 << 30)

bool cli_recorded_read(const char *path, cli_recorded *to) {
    const char *reason = files_size(path, &to->size);
    if (!reason && to->size > MAX_SIZE) reason = "the file is larger than 1 GiB, the limit for recordings";
    if (!reason) reason = files_read_all(path, MAX_SIZE, &to->bytes, &to->size);
    if (reason) cli_fail("%s: %s", path, reason);
    return !reason;
}

bool cli_recorded_is_of_character(const cli_recorded *recorded) {
    return recorded->size >= 4 && memcmp(recorded->bytes, "SnwC", 4) == 0;
}

int cli_recorded_check_graph(const char *command, const char *path, const char *graph) {
    cli_recorded recorded = {0};
    int status = cli_recorded_read(path, &recorded) ? CLI_GOOD : CLI_BAD_INPUT;
    const bool is_of_character = status == CLI_GOOD && cli_recorded_is_of_character(&recorded);
    if (is_of_character && !graph)
        status = cli_usage(command, "the recording is of a character; pass its graph with --graph GRAPH");
    if (status == CLI_GOOD && graph && !is_of_character)
        status = cli_fail("%s: is the recording of a mixer; leave out --graph", path);
    cli_recorded_close(&recorded);
    return status;
}

bool cli_recorded_open(const sinew_asset *asset, const char *path, cli_recorded *to) {
    if (!cli_recorded_read(path, to)) return false;
    if (!cli_recorded_is_of_character(to)) return cli_recorded_start(asset, path, to);
    cli_fail("%s: is the recording of a character, not of a mixer; see 'sinew replay'", path);
    return false;
}

bool cli_recorded_start(const sinew_asset *asset, const char *path, cli_recorded *to) {
    const sinew_clip *all = to->clips ? to->clips->clips : asset->clips;
    const int32_t count = to->clips ? to->clips->count : asset->clip_count;
    const sinew_clip **clips = cli_clip_pointers(path, all, count);
    if (!clips) return false;
    sinew_replay_def def = sinew_replay_default();
    def.bytes = to->bytes;
    def.size = to->size;
    def.skeleton = asset->skeleton;
    def.clips = clips;
    def.clip_count = count;
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
