// SPDX-License-Identifier: MIT
// Loads a file with another file's motion, from memory. This is what `sinew retarget` would write.
#include "cli/motion.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

static bool fail(sinew_error *error, const char *path, const char *reason) {
    error->result = SINEW_ERROR_FORMAT;
    snprintf(error->message, sizeof error->message, "%.200s: %.300s", path, reason);
    return false;
}

static bool find_roles(retargeting_roles *roles, const char *path, const sinew_asset *asset, sinew_error *error) {
    return retargeting_find_roles(roles, asset) || fail(error, path, roles->error.message);
}

static bool make_clips(retargeting *work, const sinew_asset *source) {
    const sinew_clip **clips =
        calloc((size_t)source->clip_count + 1, sizeof *clips); // NOLINT(bugprone-sizeof-expression): pointers
    if (!clips) return false;
    for (int32_t i = 0; i < source->clip_count; i++) clips[i] = &source->clips[i];
    const bool good = retargeting_make_clips(work, clips, source->clip_count, NULL);
    free(clips);
    return good;
}

bool cli_append_dropped(const retargeting *work, lint_text *out) {
    const retargeting_face face = retargeting_face_of(work);
    int32_t next = 0;
    const char *name = retargeting_dropped(&face, &next);
    if (!name) return false;
    lint_append_format(out, "dropped, because %s has no matching morph targets or eyes: ", work->def.target.path);
    for (const char *separator = ""; name; name = retargeting_dropped(&face, &next), separator = ", ")
        lint_append_format(out, "%s%s", separator, name);
    lint_append(out, "", 1);
    return true;
}

static void report_dropped(const retargeting *work) {
    lint_text text = {0};
    if (cli_append_dropped(work, &text) && !text.failed)
        fprintf(stderr, "%s: %s\n", cli_text(work->def.source.path), cli_text(text.data));
    lint_text_free(&text);
}

// Retargets the clips between two loaded files, then loads the target with them.
static bool read_retargeted(retargeting *work, const retargeting_def *def, sinew_asset **asset,
                            sinew_error *error) {
    const bool good = retargeting_begin(work, def) && make_clips(work, def->source.asset) &&
                      retargeting_write(work, false, cli_decode_meshopt, NULL);
    if (good) report_dropped(work);
    if (!good) return fail(error, def->target.path, work->error[0] ? work->error : "out of memory");
    return cli_read_memory(work->written.glb, work->written.size, asset, error);
}

static bool read_both(const retargeting_character *source, const retargeting_character *target, sinew_asset **asset,
                      sinew_error *error) {
    retargeting_roles source_roles, target_roles;
    if (!find_roles(&source_roles, source->path, source->asset, error)) return false;
    if (!find_roles(&target_roles, target->path, target->asset, error)) return false;
    const bool is_source = retargeting_can_use(&source_roles), is_target = retargeting_can_use(&target_roles);
    if (is_target && !is_source) return fail(error, source->path, source_roles.error.message);
    if (is_source && !is_target) return fail(error, target->path, target_roles.error.message);
    retargeting_def def = {.source = *source, .target = *target, .feet = true, .rate = 30.0f};
    def.source.humanoid = is_source ? &source_roles.humanoid : NULL;
    def.target.humanoid = is_target ? &target_roles.humanoid : NULL;
    retargeting work = {0};
    const bool good = read_retargeted(&work, &def, asset, error);
    retargeting_end(&work);
    return good;
}

bool cli_is_motion_file(const char *path) {
    return cli_is_bvh(path) || cli_has_suffix(path, ".vrma");
}

bool cli_read_with_motion(const char *path, const char *motion, sinew_asset **asset, int32_t *first,
                          sinew_error *error) {
    *asset = NULL;
    *first = 0;
    if (cli_is_bvh(path) || cli_is_baked(path))
        return fail(error, path,
                    "motion can only be retargeted onto a "
                    "glTF file");
    sinew_asset *source = NULL, *target = NULL;
    bool good = cli_read_authored(motion, &source, error) && cli_read_authored(path, &target, error);
    if (good && source->clip_count == 0) good = fail(error, motion, "it has no clips");
    const retargeting_character from = {.path = motion, .asset = source}, to = {.path = path, .asset = target};
    good = good && read_both(&from, &to, asset, error);
    const sinew_clip *clip = good ? sinew_asset_find_clip(*asset, source->clips[0].name) : NULL;
    if (clip) *first = (int32_t)(clip - (*asset)->clips);
    sinew_asset_destroy(source);
    sinew_asset_destroy(target);
    return good;
}
