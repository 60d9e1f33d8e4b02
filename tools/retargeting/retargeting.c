// SPDX-License-Identifier: MIT
// Makes the map between two characters, retargets clips and writes them.
#include "retargeting/retargeting.h"

#include "retargeting/pairing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static bool fail(retargeting *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, sizeof r->error, format, arguments);
    va_end(arguments);
    return false;
}

// ---- References ----------------------------------------------------------------------------------------------------

sinew_pose *retargeting_sample(const sinew_asset *asset, const sinew_clip *clip, float time) {
    sinew_pose *pose;
    if (sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) return NULL;
    sinew_clip_sample(clip, time, pose);
    return pose;
}

void retargeting_reference_text(const sinew_asset *asset, const retargeting_reference *reference, char *text,
                                size_t size) {
    const sinew_reference *found = &reference->found;
    char pose[160], name[64] = "", ground[64] = "", score[32] = "";
    if (reference->is_given) {
        snprintf(pose, sizeof pose, "the given pose");
    } else if (found->kind == SINEW_REFERENCE_CLIP) {
        sinew_escape(asset->clips[found->clip].name, name, sizeof name);
        snprintf(pose, sizeof pose, "%s at %.3f s", name, (double)found->time);
    } else {
        snprintf(pose, sizeof pose, found->kind == SINEW_REFERENCE_BIND ? "the bind pose" : "the rest pose");
    }
    if (found->raised != 0.0f)
        snprintf(ground, sizeof ground, ", %s by %.3f m", found->raised > 0.0f ? "raised" : "lowered",
                 (double)(found->raised > 0.0f ? found->raised : -found->raised));
    if (found->score > 0.0f) snprintf(score, sizeof score, " (score %.2f)", (double)found->score);
    snprintf(text, size, "%s%s%s%s", pose, score, found->levels_feet ? ", with level soles" : "", ground);
}

// ---- The map -------------------------------------------------------------------------------------------------------

static bool read_chains(retargeting *r) {
    const retargeting_def *def = &r->def;
    char what[512];
    r->chains = calloc((size_t)def->chain_count + 1, sizeof *r->chains);
    if (!r->chains) return fail(r, "out of memory");
    for (int32_t i = 0; i < def->chain_count; i++)
        if (!retargeting_read_chain(def->chains[i], def->source.asset->skeleton, def->target.asset->skeleton,
                                    &r->chains[i], what, sizeof what))
            return fail(r, "--chain %.400s: %s", def->chains[i], what);
    return true;
}

static bool has_roles(const retargeting_def *def) {
    return def->source.humanoid && def->target.humanoid;
}

// Guesses the chains of characters that have no roles and no chains from a map file.
static bool guess_chains(retargeting *r) {
    retargeting_character *source = &r->def.source, *target = &r->def.target;
    if (has_roles(&r->def)) return true;
    source->humanoid = target->humanoid = NULL;
    if (!source->chains) {
        if (!retargeting_guess_chains(&r->source_chains, source->asset)) return fail(r, "out of memory");
        source->chains = &r->source_chains.list;
    }
    if (!target->chains) {
        if (!retargeting_guess_chains(&r->target_chains, target->asset)) return fail(r, "out of memory");
        target->chains = &r->target_chains.list;
    }
    return true;
}

// Returns whether nodes without roles are paired: by what the user gave, or enough of them by names and shape.
static bool check_pairs(retargeting *r) {
    const retargeting_def *def = &r->def;
    char what[512];
    if (has_roles(def) || def->chain_count > 0) return true;
    if (def->source.chains != &r->source_chains.list || def->target.chains != &r->target_chains.list) return true;
    return retargeting_has_pairs(r->map, what, sizeof what) ||
           fail(r,
                "%.240s onto %.240s: %s; pair nodes with --chain FIRST..LAST=FIRST..LAST, or pass map files "
                "('sinew humanoid --map')",
                def->source.path, def->target.path, what);
}

static bool make_map(retargeting *r, const sinew_pose *source_reference, const sinew_pose *target_reference) {
    const retargeting_def *from = &r->def;
    sinew_error error;
    sinew_feet soles;
    if (has_roles(from) && sinew_reference_find_soles(from->target.asset, from->target.humanoid, target_reference,
                                                      NULL, &soles, NULL) != SINEW_OK)
        return fail(r, "out of memory");
    sinew_retarget_def def = sinew_retarget_default();
    def.source = from->source.asset->skeleton;
    def.target = from->target.asset->skeleton;
    def.source_humanoid = from->source.humanoid;
    def.target_humanoid = from->target.humanoid;
    def.source_chains = from->source.chains;
    def.target_chains = from->target.chains;
    def.chains = r->chains;
    def.chain_count = from->chain_count;
    def.source_reference = source_reference;
    def.target_reference = target_reference;
    def.target_soles = has_roles(from) ? &soles : NULL;
    def.scale = from->scale;
    def.foot_weight = from->feet ? 1.0f : 0.0f;
    def.hand_weight = from->hands ? 1.0f : 0.0f;
    if (from->fixed_lengths) def.translations = SINEW_RETARGET_TRANSLATIONS_FIXED;
    if (sinew_retarget_create(&def, &r->map, &error) == SINEW_OK) return check_pairs(r);
    return fail(r, "%.240s onto %.240s: %s", from->source.path, from->target.path, error.message);
}

// The reference poses while making the map.
typedef struct references {
    sinew_pose *source, *target;
} references;

// Copies the pose that was given for a character, or chooses one.
static bool find_reference(retargeting *r, const retargeting_character *c, const char *side,
                           retargeting_reference *reference, sinew_pose **pose) {
    sinew_error error;
    reference->is_given = c->pose != NULL;
    if (sinew_pose_create(c->asset->skeleton, NULL, pose) != SINEW_OK) return fail(r, "out of memory");
    if (c->pose) sinew_pose_copy(*pose, c->pose);
    if (!c->humanoid) { // an animal, where any posture may be right
        reference->found = (sinew_reference){.kind = SINEW_REFERENCE_REST};
        return true;
    }
    if (c->pose) {
        reference->found.score = sinew_reference_score(c->humanoid, c->pose, c->asset->up);
        return true;
    }
    const sinew_result result = sinew_reference_find(c->asset, c->humanoid, NULL, *pose, &reference->found, &error);
    if (result == SINEW_OK) return true;
    return fail(r, "%.240s: %s; choose a pose with --%s-pose CLIP@SECONDS, or another file's with --%s-pose FILE",
                c->path, error.message, side, side);
}

bool retargeting_begin(retargeting *r, const retargeting_def *def) {
    memset(r, 0, sizeof *r);
    r->def = *def;
    if (!read_chains(r) || !guess_chains(r)) return false;
    references poses = {NULL, NULL};
    const bool is_made = find_reference(r, &r->def.source, "source", &r->source, &poses.source) &&
                         find_reference(r, &r->def.target, "target", &r->target, &poses.target) &&
                         make_map(r, poses.source, poses.target);
    sinew_pose_destroy(poses.source);
    sinew_pose_destroy(poses.target);
    return is_made;
}

// ---- Clips ---------------------------------------------------------------------------------------------------------

// Returns whether a clip's name means nothing, because an exporter gives it to every file. If a file has several clips,
// it may be meant.
static bool is_unnamed(const retargeting *r, const sinew_clip *clip) {
    static const char *const names[] = {"", "animation", "Animation", "mixamo.com", "Take 001"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(clip->name, names[i]) == 0) return i == 0 || r->def.source.asset->clip_count == 1;
    return false;
}

// Returns a file's name without folder and ending. It names clips that have no real name, like in most .vrma files.
static const char *name_of_file(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *end = strrchr(start, '.');
    snprintf(name, size, "%.*s", (int)(end && end > start ? (size_t)(end - start) : strlen(start)), start);
    return name;
}

retargeting_face retargeting_face_of(const retargeting *r) {
    return (retargeting_face){r->def.source.asset->vrm, r->def.target.asset->vrm, r->def.rate};
}

static bool retarget_clip(retargeting *r, const sinew_clip *clip) {
    sinew_error error;
    sinew_retarget_clip_def def = sinew_retarget_clip_default();
    char name[128];
    def.rate = r->def.rate;
    if (is_unnamed(r, clip)) def.name = name_of_file(r->def.source.path, name, sizeof name);
    if (r->def.name) def.name = r->def.name;
    if (sinew_clip_retarget(r->map, clip, &def, &r->clips[r->clip_count], &error) != SINEW_OK)
        return fail(r, "%.400s: %s", r->def.source.path, error.message);
    const retargeting_face face = retargeting_face_of(r);
    sinew_clip **made = &r->clips[r->clip_count++];
    if (retargeting_add_face(&face, clip, made, &error) == SINEW_OK) return true;
    return fail(r, "%.400s: %s", r->def.source.path, error.message);
}

bool retargeting_make_clips(retargeting *r, const sinew_clip *const *clips, int32_t clip_count,
                            void (*progress)(int done, int total)) {
    r->clips = calloc((size_t)clip_count + 1, sizeof *r->clips); // NOLINT(bugprone-sizeof-expression): pointers
    if (!r->clips) return fail(r, "out of memory");
    for (int32_t i = 0; i < clip_count; i++) {
        if (!retarget_clip(r, clips[i])) return false;
        if (progress) progress(i + 1, clip_count);
    }
    return true;
}

bool retargeting_write(retargeting *r, bool only, sinew_meshopt_decode decode, void *decode_user) {
    const write_def def = {
        .path = r->def.target.path,
        .clips = (const sinew_clip *const *)r->clips,
        .clip_count = r->clip_count,
        .asset = r->def.target.asset,
        .only = only,
        .decode = decode,
        .decode_user = decode_user,
    };
    return write_clips(&r->written, &def) || fail(r, "%s", r->written.error);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void append_pairs(const sinew_retarget *map, lint_text *out) {
    lint_append_format(out, ",\"pairs\":[");
    for (int32_t i = 0; i < map->pair_count; i++) {
        const sinew_retarget_pair *pair = &map->pairs[i];
        lint_append_format(out, "%s\n{\"source\":%d,\"target\":%d,\"role\":", i ? "," : "",
                           (int)map->source->source_of_node[pair->source],
                           (int)map->target->source_of_node[pair->target]);
        if (pair->role == SINEW_NO_ROLE) {
            lint_append_format(out, "null}");
        } else {
            lint_append_format(out, "\"%s\"}", sinew_humanoid_role_name(pair->role));
        }
    }
    lint_append_format(out, "]");
}

static void append_reference(const char *key, const retargeting_reference *reference, lint_text *out) {
    static const char *const kinds[] = {"bind", "rest", "clip"};
    const sinew_reference *found = &reference->found;
    lint_append_format(out, ",\"%s\":{\"kind\":\"%s\",\"score\":%.9g", key,
                       reference->is_given ? "given" : kinds[found->kind], (double)found->score);
    if (!reference->is_given && found->kind == SINEW_REFERENCE_CLIP)
        lint_append_format(out, ",\"clip\":%d,\"time\":%.9g", (int)found->clip, (double)found->time);
    lint_append_format(out, ",\"levelSoles\":%s,\"raised\":%.9g}", found->levels_feet ? "true" : "false",
                       (double)found->raised);
}

static void append_clips(const retargeting *r, lint_text *out) {
    lint_append_format(out, ",\"clips\":[");
    for (int32_t i = 0; i < r->clip_count; i++) {
        lint_append_format(out, "%s\n{\"name\":", i ? "," : "");
        lint_append_json_string(out, r->clips[i]->name);
        lint_append_format(out, ",\"duration\":%.9g,\"channels\":%d}", (double)r->clips[i]->duration,
                           (int)r->clips[i]->channel_count);
    }
    lint_append_format(out, "]");
}

static void append_dropped(const retargeting *r, lint_text *out) {
    const retargeting_face face = retargeting_face_of(r);
    int32_t next = 0;
    const char *separator = "", *name;
    lint_append_format(out, ",\"dropped\":[");
    while ((name = retargeting_dropped(&face, &next))) {
        lint_append_format(out, "%s", separator);
        lint_append_json_string(out, name);
        separator = ",";
    }
    lint_append_format(out, "]");
}

// Appends where the roles come from, or null without roles.
static void append_source(const char *key, const sinew_humanoid *humanoid, lint_text *out) {
    if (!humanoid) {
        lint_append_format(out, ",\"%s\":null", key);
    } else {
        lint_append_format(out, ",\"%s\":\"%s\"", key, retargeting_source_names[humanoid->source]);
    }
}

void retargeting_append_json(const retargeting *r, lint_text *out) {
    const retargeting_character *source = &r->def.source, *target = &r->def.target;
    lint_append_format(out, "{\"source\":");
    lint_append_json_string(out, source->path);
    lint_append_format(out, ",\"target\":");
    lint_append_json_string(out, target->path);
    lint_append_format(out, ",\"scale\":%.9g", (double)r->map->scale);
    append_source("sourceRoles", source->humanoid, out);
    append_source("targetRoles", target->humanoid, out);
    append_reference("sourceReference", &r->source, out);
    append_reference("targetReference", &r->target, out);
    append_pairs(r->map, out);
    append_clips(r, out);
    append_dropped(r, out);
    lint_append_format(out, ",\"bytes\":%zu}", r->written.size);
}

void retargeting_end(retargeting *r) {
    for (int32_t i = 0; i < r->clip_count; i++) sinew_clip_destroy(r->clips[i]);
    free(r->clips);
    for (int32_t i = 0; r->chains && i < r->def.chain_count; i++) retargeting_free_chain(&r->chains[i]);
    free(r->chains);
    retargeting_free_chains(&r->source_chains);
    retargeting_free_chains(&r->target_chains);
    sinew_retarget_destroy(r->map);
    write_end(&r->written);
    *r = (retargeting){0};
}
