// SPDX-License-Identifier: MIT
// sinew replay for a character's recording: prints its updates or compares two recordings.
#include "cli/replay_character.h"

#include <sinew/motion/character_recording.h>

#include "graph/actor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- What it plays -------------------------------------------------------------------------------------------

// The character's parts, and the clips that its program may have played itself.
typedef struct character_cast {
    sinew_graph *graph;
    sinew_humanoid humanoid;
    sinew_graph_binding *binding;
    graph_stand stand;
    const sinew_clip **clips;
    sinew_state_names names;
} character_cast;

static bool bind_graph(const cli_character_job *job, character_cast *to) {
    const cli_clips *clips = job->clips;
    sinew_graph_binding_def def;
    sinew_error error;
    if (!cli_binding_def(job->file, clips->asset, clips->clips, clips->count, &to->humanoid, &def)) return false;
    def.graph = to->graph;
    const bool is_good = sinew_graph_bind(&def, &to->binding, &error) == SINEW_OK &&
                         graph_stand_create(&to->stand, to->binding, &error) == SINEW_OK;
    if (!is_good) cli_fail("%s", error.message);
    return is_good;
}

static bool list_clips(const cli_character_job *job, character_cast *to) {
    to->clips = cli_clip_pointers(job->file, job->clips->clips, job->clips->count);
    if (!to->clips) return false;
    to->names = sinew_state_names_default();
    to->names.clips = to->clips;
    to->names.clip_count = job->clips->count;
    return true;
}

static bool make_cast(const cli_character_job *job, character_cast *to) {
    to->graph = cli_load_graph(job->graph);
    return to->graph && bind_graph(job, to) && list_clips(job, to);
}

static void free_cast(character_cast *from) {
    graph_stand_free(&from->stand);
    sinew_graph_binding_destroy(from->binding);
    sinew_graph_destroy(from->graph);
    free(from->clips);
}

// ---- Recordings ----------------------------------------------------------------------------------------------

typedef struct character_take {
    const char *path;
    cli_recorded file;
    sinew_character_replay *replay;
    char text[1024]; // describes the last update
} character_take;

static bool open_take(const character_cast *cast, const char *path, character_take *to) {
    to->path = path;
    if (!cli_recorded_read(path, &to->file)) return false;
    sinew_character_replay_def def = sinew_character_replay_default();
    def.bytes = to->file.bytes;
    def.size = to->file.size;
    def.rig = cast->stand.rig;
    def.names = &cast->names;
    sinew_error error;
    if (sinew_character_replay_create(&def, &to->replay, &error) == SINEW_OK) return true;
    cli_fail("%s: %s", path, error.message);
    return false;
}

static void close_take(character_take *from) {
    sinew_character_replay_destroy(from->replay);
    cli_recorded_close(&from->file);
}

static bool is_at_end(const character_take *take) {
    return take->replay->updates_made == take->replay->update_count;
}

static bool step(character_take *take) {
    sinew_error error;
    const sinew_result result = sinew_character_replay_step(take->replay, &error);
    sinew_character_replay_describe(take->replay, take->text, sizeof take->text);
    if (result != SINEW_OK) cli_fail("%s: %s", take->path, error.message);
    return result == SINEW_OK;
}

// ---- Replaying -----------------------------------------------------------------------------------------------

static int report_mismatch(const character_take *take) {
    return cli_fail("%s: first mismatch: after update %" PRId64 " the character does not match the recording",
                    take->path, take->replay->first_mismatch);
}

static int replay_one(character_take *take) {
    const sinew_character_replay *replay = take->replay;
    while (!is_at_end(take)) {
        const double seconds = replay->seconds;
        const int64_t number = replay->updates_made;
        if (!step(take)) return replay->first_mismatch < 0 ? CLI_BAD_INPUT : report_mismatch(take);
        printf("%8" PRId64 " %10.4f  %s\n", number, seconds, cli_text(take->text));
    }
    printf("%" PRId64 " updates over %.4f s, hash %016" PRIx64 "%s\n", replay->update_count, replay->seconds,
           sinew_character_hash(replay->character), replay->complete ? "" : "; the recording is truncated");
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    return replay->first_mismatch < 0 ? CLI_GOOD : report_mismatch(take);
}

static int compare(character_take *one, character_take *two) {
    double seconds = 0.0;
    bool is_same = true;
    while (is_same && !is_at_end(one) && !is_at_end(two)) {
        seconds = one->replay->seconds;
        if (!step(one) || !step(two)) return CLI_BAD_INPUT;
        is_same = strcmp(one->text, two->text) == 0 &&
                  sinew_character_hash(one->replay->character) == sinew_character_hash(two->replay->character);
    }
    const int64_t number = one->replay->updates_made;
    if (!is_same)
        return cli_fail("update %" PRId64 " at %.4f s: %s has '%s', %s has '%s'", number - 1, seconds, one->path,
                        one->text, two->path, two->text);
    if (!is_at_end(one) || !is_at_end(two))
        return cli_fail("%s: has more updates after %" PRId64 " identical ones",
                        is_at_end(one) ? two->path : one->path, number);
    printf("identical: %" PRId64 " updates over %.4f s\n", number, one->replay->seconds);
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

int cli_replay_character(const cli_character_job *job) {
    if (!job->graph) return cli_usage("replay", "the recording is of a character: pass its graph, --graph GRAPH");
    character_cast cast = {0};
    character_take one = {0}, two = {0};
    int status = CLI_BAD_INPUT;
    if (make_cast(job, &cast) && open_take(&cast, job->recording, &one)) {
        if (!job->other) {
            status = replay_one(&one);
        } else if (open_take(&cast, job->other, &two)) {
            status = compare(&one, &two);
        }
    }
    close_take(&one);
    close_take(&two);
    free_cast(&cast);
    return status;
}
