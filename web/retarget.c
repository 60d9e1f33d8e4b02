// SPDX-License-Identifier: MIT
// Retargeting for JavaScript, with the command's code. It's a separate module, loaded for a page's first character.
#include "files.h"

#include <sinew/humanoid/vrm.h>

#include "retargeting/retargeting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct web_character {
    web_file *files; // [file_count]
    int32_t file_count;
    sinew_meshopt_decode decode;
    sinew_asset *asset;
    retargeting_roles roles;
    sinew_humanoid_chains *chains; // the map's, or NULL
};

static char last_error[1024];

const char *web_error(void) {
    return last_error;
}

static bool fail(const char *message) {
    snprintf(last_error, sizeof last_error, "%s", message);
    return false;
}

// ---- Loading -----------------------------------------------------------------------------------------------------

static bool is_bvh(const char *path) {
    const char *suffix = strrchr(path, '.');
    return suffix && strcasecmp(suffix, ".bvh") == 0;
}

static bool load_asset(web_character *character) {
    const char *path = character->files[0].name;
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    sinew_error error;
    options.meshopt_decode = character->decode;
    options.key_growth = 0.0f; // files keep their own keys: don't add any
    web_files_set(character->files, character->file_count);
    const sinew_result result = is_bvh(path) ? sinew_bvh_load_file(path, NULL, &character->asset, &error)
                                             : sinew_gltf_load_file(path, &options, &character->asset, &error);
    return result == SINEW_OK || fail(error.message);
}

static bool find_roles(web_character *character) {
    return retargeting_find_roles(&character->roles, character->asset) || fail(character->roles.error.message);
}

static void free_files(web_file *files, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        free(files[i].name);
        free(files[i].data);
    }
    free(files);
}

web_character *web_character_load(web_file *files, int32_t count, sinew_meshopt_decode decode) {
    web_character *character = calloc(1, sizeof *character);
    if (!character) {
        (void)fail("out of memory");
        free_files(files, count);
        return NULL;
    }
    *character = (web_character){.files = files, .file_count = count, .decode = decode};
    if (load_asset(character) && find_roles(character)) return character;
    web_character_destroy(character);
    return NULL;
}

void web_character_destroy(web_character *character) {
    sinew_humanoid_chains_destroy(character->chains);
    sinew_asset_destroy(character->asset);
    free_files(character->files, character->file_count);
    free(character);
}

// ---- Describing --------------------------------------------------------------------------------------------------

// Appends a file's nodes in file order, with their positions in the rest pose.
static void append_nodes(const sinew_skeleton *skeleton, const sinew_affine *model, lint_text *out) {
    lint_append_format(out, "{\"nodes\":[");
    for (int32_t i = 0; i < skeleton->source_count; i++) {
        const int32_t node = skeleton->node_of_source[i], parent = skeleton->parents[node];
        const sinew_affine *m = &model[node];
        lint_append_format(out, "%s{\"name\":", i ? "," : "");
        lint_append_json_string(out, skeleton->names[node]);
        lint_append_format(out, ",\"parent\":%d", parent == SINEW_NO_NODE ? -1 : skeleton->source_of_node[parent]);
        lint_append_format(out, ",\"head\":[%.9g,%.9g,%.9g]}", (double)m->m[0][3], (double)m->m[1][3],
                           (double)m->m[2][3]);
    }
}

static bool append_rest_pose(const sinew_skeleton *skeleton, lint_text *out) {
    sinew_pose *pose = NULL;
    sinew_affine *model = malloc(((size_t)skeleton->node_count + 1) * sizeof *model);
    const bool is_made = model && sinew_pose_create(skeleton, NULL, &pose) == SINEW_OK;
    if (is_made) {
        sinew_pose_to_model(pose, model);
        append_nodes(skeleton, model, out);
    }
    sinew_pose_destroy(pose);
    free(model);
    return is_made;
}

static void append_clips(const sinew_asset *asset, lint_text *out) {
    lint_append_format(out, "],\"clips\":[");
    for (int32_t i = 0; i < asset->clip_count; i++) {
        lint_append_format(out, "%s{\"name\":", i ? "," : "");
        lint_append_json_string(out, asset->clips[i].name);
        lint_append_format(out, ",\"duration\":%.9g}", (double)asset->clips[i].duration);
    }
}

// Returns the text as a string. The caller frees it. NULL if memory ran out.
static char *end_text(lint_text *text) {
    lint_append(text, "", 1);
    if (!text->failed) return text->data;
    lint_text_free(text);
    return NULL;
}

char *web_character_describe(const web_character *character) {
    lint_text out = {0};
    out.failed = !append_rest_pose(character->asset->skeleton, &out);
    append_clips(character->asset, &out);
    lint_append_format(&out, "],\"humanoid\":");
    retargeting_append_roles(&character->roles, character->chains, &out);
    lint_append_format(&out, "}");
    return end_text(&out);
}

const char *web_character_refusal(const web_character *character) {
    return retargeting_can_use(&character->roles) || character->chains ? NULL : character->roles.error.message;
}

// ---- Maps --------------------------------------------------------------------------------------------------------

char *web_character_map(const web_character *character) {
    const sinew_skeleton *skeleton = character->asset->skeleton;
    const sinew_humanoid *humanoid = &character->roles.humanoid;
    const size_t size = sinew_humanoid_write(skeleton, humanoid, character->chains, NULL, 0) + 1;
    char *text = malloc(size);
    if (text) (void)sinew_humanoid_write(skeleton, humanoid, character->chains, text, size);
    return text;
}

bool web_character_set_map(web_character *character, const char *text, size_t size) {
    sinew_humanoid given;
    sinew_humanoid_chains *chains;
    sinew_error error;
    const sinew_skeleton *skeleton = character->asset->skeleton;
    if (sinew_humanoid_read_memory(text, size, skeleton, NULL, &given, &chains, &error) != SINEW_OK)
        return fail(error.message);
    sinew_humanoid_chains_destroy(character->chains);
    character->chains = chains->count > 0 ? chains : NULL;
    if (!character->chains) sinew_humanoid_chains_destroy(chains);
    retargeting_give_roles(&character->roles, character->asset, &given);
    return true;
}

// ---- Retargeting -------------------------------------------------------------------------------------------------

static retargeting work;
static lint_text report;

static retargeting_character describe(const web_character *character, const sinew_pose *pose) {
    return (retargeting_character){
        .path = character->files[0].name,
        .asset = character->asset,
        .humanoid = retargeting_can_use(&character->roles) ? &character->roles.humanoid : NULL,
        .chains = character->chains,
        .pose = pose,
    };
}

// Samples a reference pose. Sets NULL if the page hasn't named one. Returns false if memory ran out.
static bool sample(const web_character *character, web_reference reference, sinew_pose **pose) {
    *pose = NULL;
    if (reference.clip < 0) return true;
    *pose = retargeting_sample(character->asset, &character->asset->clips[reference.clip], reference.time);
    return *pose != NULL;
}

static bool make_map_with(const web_retarget_def *from, const sinew_pose *source_pose,
                          const sinew_pose *target_pose) {
    const retargeting_def def = {
        .source = describe(from->source, source_pose),
        .target = describe(from->target, target_pose),
        .feet = from->flags & WEB_RETARGET_FEET,
        .hands = from->flags & WEB_RETARGET_HANDS,
        .fixed_lengths = from->flags & WEB_RETARGET_FIXED_LENGTHS,
        .rate = from->rate,
        .scale = from->scale,
    };
    return retargeting_begin(&work, &def) || fail(work.error);
}

static bool make_map(const web_retarget_def *from) {
    sinew_pose *source, *target = NULL;
    const bool is_sampled = sample(from->source, from->source_reference, &source) &&
                            sample(from->target, from->target_reference, &target);
    const bool is_made = is_sampled ? make_map_with(from, source, target) : fail("out of memory");
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    return is_made;
}

static bool make_clips(const web_retarget_def *from) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers
    const sinew_clip **clips = calloc((size_t)from->clip_count + 1, sizeof *clips);
    if (!clips) return fail("out of memory");
    for (int32_t i = 0; i < from->clip_count; i++) clips[i] = &from->source->asset->clips[from->clips[i]];
    const bool is_made = retargeting_make_clips(&work, clips, from->clip_count, NULL);
    free(clips);
    return is_made || fail(work.error);
}

static bool write_file(const web_retarget_def *from) {
    web_files_set(from->target->files, from->target->file_count);
    return retargeting_write(&work, from->flags & WEB_RETARGET_ONLY, from->target->decode, NULL) ||
           fail(work.error);
}

static bool write_report(void) {
    retargeting_append_json(&work, &report);
    lint_append(&report, "", 1);
    return !report.failed || fail("out of memory");
}

const web_retargeted *web_retarget(const web_retarget_def *def) {
    static web_retargeted result;
    web_retarget_end();
    if (!make_map(def) || !make_clips(def) || !write_file(def) || !write_report()) {
        web_retarget_end();
        return NULL;
    }
    result = (web_retargeted){work.written.glb, work.written.size, report.data};
    return &result;
}

void web_retarget_end(void) {
    retargeting_end(&work);
    lint_text_free(&report);
}
