// SPDX-License-Identifier: MIT
// Reads recordings of characters.
#include "cli/recorded_character.h"

#include <stdlib.h>

// ---- What they play ------------------------------------------------------------------------------------------

static bool bind_graph(const char *graph, const sinew_asset *asset, const sinew_clip *clips, int32_t clip_count,
                       cli_cast *to) {
    sinew_graph_binding_def def;
    sinew_error error;
    if (!cli_binding_def(graph, asset, clips, clip_count, &to->humanoid, &def)) return false;
    def.graph = to->graph;
    const bool has_rig = to->graph->step_count > 0;
    const bool is_good = sinew_graph_bind(&def, &to->binding, &error) == SINEW_OK &&
                         (!has_rig || graph_stand_create(&to->stand, to->binding, &error) == SINEW_OK);
    if (!is_good) cli_fail("%s", error.message);
    return is_good;
}

bool cli_cast_load(const char *graph, const sinew_asset *asset, const sinew_clip *clips, int32_t clip_count,
                   cli_cast *to) {
    to->graph = cli_load_graph(graph);
    if (!to->graph || !bind_graph(graph, asset, clips, clip_count, to)) return false;
    to->clips = cli_clip_pointers(graph, clips, clip_count);
    to->names = sinew_state_names_default();
    to->names.clips = to->clips;
    to->names.clip_count = clip_count;
    return to->clips != NULL;
}

void cli_cast_free(cli_cast *from) {
    graph_stand_free(&from->stand);
    sinew_graph_binding_destroy(from->binding);
    sinew_graph_destroy(from->graph);
    free(from->clips);
}

// ---- Recordings ----------------------------------------------------------------------------------------------

sinew_character_replay *cli_cast_replay(const cli_cast *cast, const char *path, const cli_recorded *recorded) {
    if (!cast->stand.rig) {
        cli_fail("%s: the recording of a character needs a graph with a rig", path);
        return NULL;
    }
    sinew_character_replay_def def = sinew_character_replay_default();
    def.bytes = recorded->bytes;
    def.size = recorded->size;
    def.rig = cast->stand.rig;
    def.names = &cast->names;
    sinew_character_replay *replay;
    sinew_error error;
    if (sinew_character_replay_create(&def, &replay, &error) == SINEW_OK) return replay;
    cli_fail("%s: %s", path, error.message);
    return NULL;
}

bool cli_take_open(const cli_cast *cast, const char *path, cli_take *to) {
    to->path = path;
    if (!cli_recorded_read(path, &to->file)) return false;
    to->replay = cli_cast_replay(cast, path, &to->file);
    return to->replay != NULL;
}

void cli_take_close(cli_take *from) {
    sinew_character_replay_destroy(from->replay);
    cli_recorded_close(&from->file);
}

bool cli_take_is_at_end(const cli_take *take) {
    return take->replay->updates_made == take->replay->update_count;
}

bool cli_take_step(cli_take *take) {
    sinew_error error;
    const sinew_result result = sinew_character_replay_step(take->replay, &error);
    sinew_character_replay_describe(take->replay, take->text, sizeof take->text);
    if (result != SINEW_OK) cli_fail("%s: %s", take->path, error.message);
    return result == SINEW_OK;
}
