// SPDX-License-Identifier: MIT
// A character's clips, from one or more files.
#include "cli/clips.h"

#include <stdlib.h>
#include <string.h>

bool cli_clips_arg(cli_clips *clips, cli_args *args) {
    if (!cli_args_is(args, "--bind")) return false;
    const char *path = cli_args_file(args);
    if (!path) return true;
    if (clips->other_count == CLI_MAX_BOUND_FILES) {
        args->failed = true;
        cli_usage(args->command, "--bind can be used at most %d times", CLI_MAX_BOUND_FILES);
        return true;
    }
    clips->others[clips->other_count++] = path;
    return true;
}

static bool fail_memory(const char *path) {
    cli_fail("%s: out of memory", path);
    return false;
}

// Makes room for another file's clips.
static bool reserve(cli_clips *clips, int32_t more) {
    const size_t capacity = (size_t)clips->bound_count + (size_t)more + 1;
    sinew_clip **larger = realloc(clips->bound, capacity * sizeof *larger); // NOLINT(bugprone-sizeof-expression)
    if (!larger) return false;
    clips->bound = larger;
    return true;
}

// Binds all clips of another file. Fails if no channel of any clip matches a node.
static bool bind_all(cli_clips *clips, const char *path, const sinew_asset *other) {
    sinew_bind_def def = sinew_bind_default();
    def.min_match = 0.0f;
    int32_t matched = 0;
    if (!reserve(clips, other->clip_count)) return fail_memory(path);
    for (int32_t i = 0; i < other->clip_count; i++) {
        sinew_bind_report report;
        sinew_error error;
        sinew_clip **to = &clips->bound[clips->bound_count];
        if (sinew_clip_bind(&other->clips[i], clips->asset->skeleton, &def, to, &report, &error) != SINEW_OK) {
            cli_fail("%s: %s%s", path, error.message,
                     error.result == SINEW_ERROR_ARGUMENT ? "; for another skeleton, use 'sinew retarget' first"
                                                          : "");
            return false;
        }
        clips->bound_count++;
        matched += report.bound_channel_count > 0;
    }
    if (matched > 0) return true;
    cli_fail("%s: %s", path,
             other->clip_count > 0
                 ? "no clip moves a node that the other file has; for another skeleton, use 'sinew retarget' first"
                 : "it has no clips");
    return false;
}

static bool bind_others(cli_clips *clips, sinew_up up) {
    bool good = true;
    for (int i = 0; good && i < clips->other_count; i++) {
        sinew_asset *other = cli_load_turned(clips->others[i], up);
        good = other && bind_all(clips, clips->others[i], other);
        sinew_asset_destroy(other);
    }
    return good;
}

bool cli_clips_load(cli_clips *clips, const char *path, sinew_up up) {
    clips->asset = cli_load_turned(path, up);
    if (!clips->asset || !bind_others(clips, up)) return false;
    const int32_t own = clips->asset->clip_count;
    clips->count = own + clips->bound_count;
    clips->clips = malloc(((size_t)clips->count + 1) * sizeof *clips->clips);
    if (!clips->clips) return fail_memory(path);
    for (int32_t i = 0; i < own; i++) clips->clips[i] = clips->asset->clips[i];
    for (int32_t i = 0; i < clips->bound_count; i++) clips->clips[own + i] = *clips->bound[i];
    return true;
}

void cli_clips_free(cli_clips *clips) {
    for (int32_t i = 0; i < clips->bound_count; i++) sinew_clip_destroy(clips->bound[i]);
    free(clips->bound);
    free(clips->clips);
    sinew_asset_destroy(clips->asset);
    *clips = (cli_clips){.other_count = 0};
}

const sinew_clip **cli_clip_pointers(const char *path, const sinew_clip *clips, int32_t count) {
    const sinew_clip **pointers = malloc(((size_t)count + 1) * sizeof(const sinew_clip *));
    if (!pointers) fail_memory(path);
    for (int32_t i = 0; pointers && i < count; i++) pointers[i] = &clips[i];
    return pointers;
}

bool cli_binding_def(const char *path, const sinew_asset *asset, const sinew_clip *clips, int32_t clip_count,
                     sinew_humanoid *humanoid, sinew_graph_binding_def *def) {
    const sinew_result result = sinew_humanoid_find(asset, NULL, humanoid, NULL, NULL);
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return fail_memory(path);
    if (result != SINEW_OK) *humanoid = sinew_humanoid_empty();
    *def = sinew_graph_binding_default();
    def->asset = asset;
    def->skeleton = asset->skeleton;
    def->clips = clips;
    def->clip_count = clip_count;
    def->humanoid = humanoid;
    return true;
}
