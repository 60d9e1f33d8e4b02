// SPDX-License-Identifier: MIT
// Makes one take: loads it, finds its roles and reference, and retargets its clips.
#include "cli/retarget.h"

#include "cli/motion.h"
#include "cli/reference.h"
#include "cli/retarget_slide.h"
#include "files/load.h"
#include "write/edit_clip.h"

#include <stdlib.h>
#include <string.h>

static cli_message error_of(retarget_take *take) {
    return (cli_message){take->error, sizeof take->error};
}

// ---- Characters ----------------------------------------------------------------------------------------------

static bool read_map(retarget_character *c, cli_message to) {
    sinew_humanoid given;
    sinew_error error;
    if (files_load_humanoid(c->map, c->asset->skeleton, &given, &c->chains, &error) != SINEW_OK)
        return cli_note(to, "%s", error.message);
    retargeting_give_roles(&c->roles, c->asset, &given);
    return true;
}

static bool find_roles(retarget_character *c, cli_message to) {
    if (c->map) return read_map(c, to);
    return retargeting_find_roles(&c->roles, c->asset) || cli_note(to, "%s: %s", c->path, c->roles.error.message);
}

static bool has_roles(const retarget_character *c) {
    return retargeting_can_use(&c->roles);
}

// Returns whether a character's map file has chains.
static bool has_chains(const retarget_character *c) {
    return c->chains && c->chains->count > 0;
}

// Checks that characters can be paired. If both have roles, they're paired by roles. If neither has, or the user gave
// chains, they're paired by chains and names. Pairing a humanoid with a character without roles takes a map.
static bool check_roles(const retarget_take *take, const retarget_character *target, cli_message to) {
    const retarget_character *source = &take->source;
    const bool is_stated = take->args->chain_count > 0 || has_chains(source) || has_chains(target);
    if (has_roles(source) == has_roles(target) || is_stated) return true;
    const retarget_character *without = has_roles(source) ? target : source;
    return cli_note(
        to,
        "%s: %s; write the roles with 'sinew humanoid --map' and pass them with --%s-map, or pair nodes with "
        "--chain",
        without->path, without->roles.error.message, without->side);
}

static bool find_reference(retarget_character *c, cli_message to) {
    const cli_reference_def def = {c->side, c->path, c->pose_arg};
    return cli_reference_read(&def, c->asset, &c->pose, to.text, to.size);
}

bool retarget_load(retarget_character *c, const sinew_asset *curves_of, const sinew_log *notes, char *error,
                   size_t size) {
    const cli_message to = {error, size};
    sinew_error reason;
    if (!cli_read_silently(c->path, curves_of, notes, &c->asset, &reason))
        return cli_note(to, "%s", reason.message);
    return find_roles(c, to) && (!c->pose_arg || find_reference(c, to));
}

static void keep_note(const char *line, void *user) {
    lint_append(user, line, strlen(line) + 1);
}

static bool has_own_curves(const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->skeleton->curve_count; i++)
        if (asset->skeleton->curve_names[i][0] != '/') return true;
    return false;
}

static bool load(retarget_take *take) {
    const cli_message to = error_of(take);
    const sinew_log notes = {keep_note, &take->notes};
    take->source = take->args->source;
    take->source.path = take->path;
    if (!retarget_load(&take->source, NULL, &notes, to.text, to.size)) return false;
    if (take->notes.failed) return cli_note(to, "%s: out of memory", take->path);
    if (has_own_curves(take->source.asset)) {
        const retarget_character *shared = &take->args->target;
        // Loads the target again with these curves, which the shared one lacks.
        take->own = (retarget_character){
            .side = shared->side, .path = shared->path, .map = shared->map, .pose_arg = shared->pose_arg};
        if (!retarget_load(&take->own, take->source.asset, &notes, to.text, to.size)) return false;
    }
    return check_roles(take, retarget_target_of(take), to);
}

const retarget_character *retarget_target_of(const retarget_take *take) {
    return take->own.asset ? &take->own : take->target;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

static retargeting_character describe(const retarget_character *c) {
    return (retargeting_character){
        .path = c->path,
        .asset = c->asset,
        .humanoid = has_roles(c) ? &c->roles.humanoid : NULL,
        .chains = has_chains(c) ? c->chains : NULL,
        .pose = c->pose,
    };
}

static bool make_map(retarget_take *take) {
    const retarget_args *args = take->args;
    const retargeting_def def = {
        .source = describe(&take->source),
        .target = describe(retarget_target_of(take)),
        .chains = args->chains,
        .chain_count = args->chain_count,
        .feet = !args->no_feet,
        .hands = args->hands,
        .fixed_lengths = args->fixed_lengths || args->form == RETARGET_VRMA, // VRMA has no others
        .rate = args->rate,
        .scale = args->scale,
        .name = args->name,
    };
    if (!retargeting_begin(&take->work, &def)) return cli_note(error_of(take), "%s", take->work.error);
    retargeting_reference_text(def.source.asset, &take->work.source, take->references[0],
                               sizeof take->references[0]);
    retargeting_reference_text(def.target.asset, &take->work.target, take->references[1],
                               sizeof take->references[1]);
    (void)cli_append_dropped(&take->work, &take->notes);
    if (take->notes.failed) return cli_note(error_of(take), "%s: out of memory", take->path);
    take->has_roles = take->work.def.source.humanoid != NULL;
    take->pair_count = take->work.map->pair_count;
    take->scale = take->work.map->scale;
    return true;
}

// Fills chosen[] with the clips to retarget.
static bool choose_clips(retarget_take *take) {
    const retarget_args *args = take->args;
    const sinew_asset *source = take->source.asset;
    const cli_message to = error_of(take);
    const int32_t count = args->clip_count > 0 ? args->clip_count : source->clip_count;
    if (args->name && count != 1)
        return cli_note(to, "--as %s: works with one clip only, but %d are retargeted; choose one with --clip",
                        args->name, (int)count);
    if (args->form >= RETARGET_BVH && count != 1)
        return cli_note(to, "-o %s: can hold only one clip, but %d are retargeted; choose one with --clip",
                        args->out, (int)count);
    take->chosen = calloc((size_t)count + 1, sizeof *take->chosen); // NOLINT(bugprone-sizeof-expression): pointers
    take->ranges = calloc((size_t)count + 1, sizeof *take->ranges); // NOLINT(bugprone-sizeof-expression): pointers
    take->clips = calloc((size_t)count + 1, sizeof *take->clips);
    if (!take->chosen || !take->ranges || !take->clips) return cli_note(to, "%s: out of memory", take->path);
    take->clip_count = count;
    for (int32_t i = 0; i < count; i++) {
        take->chosen[i] = args->clip_count == 0
                              ? &source->clips[i]
                              : cli_search_clip(source, take->path, args->clips[i], to.text, to.size);
        if (!take->chosen[i]) return false;
    }
    return true;
}

static bool trim_clips(retarget_take *take) {
    const edit_clip_def def = {.start = take->args->start, .end = take->args->end};
    if (def.start == 0.0f && def.end == 0.0f) return true;
    for (int32_t i = 0; i < take->clip_count; i++) {
        sinew_error error;
        if (edit_clip(take->chosen[i], &def, &take->ranges[i], &error) != SINEW_OK)
            return cli_note(error_of(take), "%s: clip '%s': %s", take->path, take->chosen[i]->name, error.message);
        take->chosen[i] = take->ranges[i];
    }
    return true;
}

// ---- Animations ----------------------------------------------------------------------------------------------

// Returns whether a VRM animation keeps a channel: a bone's rotation, or the hips' translation.
static bool is_in_vrma(const sinew_channel *channel, void *user) {
    const sinew_humanoid *humanoid = user;
    if (channel->target == SINEW_TARGET_TRANSLATION) return channel->node == humanoid->nodes[SINEW_HUMANOID_HIPS];
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (humanoid->nodes[role] == channel->node) return channel->target == SINEW_TARGET_ROTATION;
    return false;
}

static bool make_animation(retarget_take *take, int32_t index) {
    retarget_character target = *retarget_target_of(take);
    const sinew_clip *clip = take->work.clips[index];
    retarget_clip *made = &take->clips[index];
    const size_t size = strlen(clip->name) + 1;
    made->name = malloc(size);
    if (!made->name) return false;
    memcpy(made->name, clip->name, size);
    made->duration = clip->duration;
    made->channel_count = clip->channel_count;
    made->slides[0] = cli_retarget_slide(take->chosen[index], &take->source.roles.humanoid) * (double)take->scale;
    made->slides[1] = cli_retarget_slide(clip, &target.roles.humanoid);
    if (take->args->form == RETARGET_BVH) return true;
    const bool is_vrma = take->args->form == RETARGET_VRMA;
    return write_animation_make(&made->animation, clip, is_vrma ? NULL : target.asset, is_vrma ? is_in_vrma : NULL,
                                &target.roles.humanoid);
}

static bool make_clips(retarget_take *take, void (*progress)(int done, int total)) {
    if (!choose_clips(take) || !trim_clips(take)) return false;
    if (!retargeting_make_clips(&take->work, take->chosen, take->clip_count, progress))
        return cli_note(error_of(take), "%s", take->work.error);
    for (int32_t i = 0; i < take->clip_count; i++)
        if (!make_animation(take, i)) return cli_note(error_of(take), "%s: out of memory", take->path);
    return true;
}

// ---- The take ------------------------------------------------------------------------------------------------

void retarget_make(retarget_take *take, void (*progress)(int done, int total)) {
    take->is_done = load(take) && make_map(take) && (!take->args->out || make_clips(take, progress));
}

void retarget_release(retarget_take *take) {
    for (int32_t i = 0; i < take->clip_count; i++) {
        write_animation_free(&take->clips[i].animation);
        if (take->ranges) sinew_clip_destroy(take->ranges[i]);
    }
    free(take->ranges);
    free((void *)take->chosen);
    take->ranges = NULL;
    take->chosen = NULL;
    retargeting_end(&take->work);
    sinew_humanoid_chains_destroy(take->source.chains);
    sinew_humanoid_chains_destroy(take->own.chains);
    take->source.chains = take->own.chains = NULL;
    sinew_pose_destroy(take->source.pose);
    sinew_pose_destroy(take->own.pose);
    sinew_asset_destroy(take->source.asset);
    sinew_asset_destroy(take->own.asset);
    take->source.pose = take->own.pose = NULL;
    take->source.asset = take->own.asset = NULL;
}

void retarget_free(retarget_take *take) {
    retarget_release(take);
    for (int32_t i = 0; i < take->clip_count; i++) free(take->clips[i].name);
    free(take->clips);
    lint_text_free(&take->notes);
}
