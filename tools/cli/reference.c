// SPDX-License-Identifier: MIT
#include "cli/reference.h"

#include "cli/cli.h"

#include "numbers/numbers.h"
#include "retargeting/retargeting.h"

#include <string.h>

// ---- Clips ---------------------------------------------------------------------------------------------------

// Reads "Clip" or "Clip@0.5" from an asset. Returns false with an error.
static bool read_clip(const cli_reference_def *def, const sinew_asset *asset, const char *path, const char *text,
                      sinew_pose **pose, cli_message to) {
    char name[256];
    float time = 0.0f;
    const char *at = strrchr(text, '@');
    const size_t length = at ? (size_t)(at - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    if (at) {
        const char *end = at + 1;
        if (!numbers_read_float(&end, 0.0f, 1e6f, &time) || *end)
            return cli_note(to, "--%s-pose %s: '%s' must be a time in seconds", def->side, def->text, at + 1);
    }
    const sinew_clip *clip = cli_search_clip(asset, path, name, to.text, to.size);
    if (!clip) return false;
    *pose = retargeting_sample(asset, clip, time);
    return *pose || cli_note(to, "%s: out of memory", path);
}

// ---- Other files ---------------------------------------------------------------------------------------------

// Returns the end of a file name: where "#Clip" starts, or the end of the text. NULL if the text doesn't name a file.
static const char *end_of_file(const char *text) {
    static const char *const endings[] = {".bvh", ".glb", ".gltf", ".vrm", ".vrma"};
    const char *hash = strchr(text, '#'), *end = hash && hash > text ? hash : text + strlen(text);
    if (end == hash) return hash;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i]);
        if ((size_t)(end - text) > length && strncmp(end - length, endings[i], length) == 0) return end;
    }
    return NULL;
}

// Chooses a file's reference.
static bool choose(const sinew_asset *asset, const char *path, sinew_pose **pose, cli_message to) {
    retargeting_roles roles;
    if (sinew_pose_create(asset->skeleton, NULL, pose) != SINEW_OK || !retargeting_find_roles(&roles, asset))
        return cli_note(to, "%s: out of memory", path);
    sinew_error error = roles.error;
    const bool is_chosen = retargeting_can_use(&roles) &&
                           sinew_reference_find(asset, &roles.humanoid, NULL, *pose, NULL, &error) == SINEW_OK;
    return is_chosen || cli_note(to, "%s: %s", path, error.message);
}

// Copies the transforms of nodes with the same name. Returns the number of nodes.
static int32_t copy_by_name(const sinew_pose *from, sinew_pose *to) {
    int32_t count = 0;
    for (int32_t i = 0; i < to->skeleton->node_count; i++) {
        const int32_t node = sinew_skeleton_find(from->skeleton, to->skeleton->names[i]);
        if (node == SINEW_NO_NODE) continue;
        sinew_pose_set(to, i, sinew_pose_get(from, node));
        count++;
    }
    return count;
}

// Copies another file's pose.
static bool copy_pose(const cli_reference_def *def, const sinew_asset *asset, const sinew_pose *other,
                      sinew_pose **pose, cli_message to) {
    if (sinew_pose_create(asset->skeleton, NULL, pose) != SINEW_OK)
        return cli_note(to, "%s: out of memory", def->path);
    if (2 * copy_by_name(other, *pose) >= asset->skeleton->node_count) return true;
    return cli_note(to, "--%s-pose %s: has fewer than half of the node names in %s", def->side, def->text,
                    def->path);
}

static bool read_file_pose(const cli_reference_def *def, const sinew_asset *asset, const char *path,
                           const char *clip, sinew_pose **pose, cli_message to) {
    sinew_asset *other = NULL;
    sinew_pose *others = NULL;
    sinew_error error;
    if (!cli_read_silently(path, NULL, NULL, &other, &error)) return cli_note(to, "%s", error.message);
    const bool is_chosen =
        *clip ? read_clip(def, other, path, clip, &others, to) : choose(other, path, &others, to);
    const bool is_read = is_chosen && others && copy_pose(def, asset, others, pose, to);
    sinew_pose_destroy(others);
    sinew_asset_destroy(other);
    return is_read;
}

// ---- All -----------------------------------------------------------------------------------------------------

static bool read_bind(const cli_reference_def *def, const sinew_asset *asset, sinew_pose *pose, cli_message to) {
    sinew_error error;
    if (sinew_reference_bind_pose(asset, NULL, pose, NULL, &error) == SINEW_OK) return true;
    return cli_note(to, "--%s-pose bind: %s: %s", def->side, def->path, error.message);
}

bool cli_reference_read(const cli_reference_def *def, const sinew_asset *asset, sinew_pose **pose, char *error,
                        size_t size) {
    const cli_message to = {error, size};
    char path[1024];
    const char *end = end_of_file(def->text);
    *pose = NULL;
    if (end) {
        snprintf(path, sizeof path, "%.*s", (int)(end - def->text), def->text);
        return read_file_pose(def, asset, path, *end ? end + 1 : end, pose, to);
    }
    const bool is_bind = strcmp(def->text, "bind") == 0;
    if (!is_bind && strcmp(def->text, "rest") != 0) return read_clip(def, asset, def->path, def->text, pose, to);
    if (sinew_pose_create(asset->skeleton, NULL, pose) != SINEW_OK)
        return cli_note(to, "%s: out of memory", def->path);
    return !is_bind || read_bind(def, asset, *pose, to);
}
