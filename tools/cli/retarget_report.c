// SPDX-License-Identifier: MIT
// Prints what `sinew retarget` did.
#include "cli/retarget.h"

#include <string.h>

// ---- One take ------------------------------------------------------------------------------------------------

static void print_pairs(const sinew_retarget *map) {
    for (int32_t i = 0; i < map->pair_count; i++) {
        const sinew_retarget_pair *pair = &map->pairs[i];
        printf("  %-24s %-32s %s\n", pair->role == SINEW_NO_ROLE ? "" : sinew_humanoid_role_name(pair->role),
               cli_short_text(map->target->names[pair->target]), cli_short_text(map->source->names[pair->source]));
    }
}

static void print_output(const retarget_output *output) {
    const write_result *written = &output->result;
    printf("%s: ", cli_text(output->args->out));
    if (output->args->form < RETARGET_BVH)
        printf("%d added, %d replaced, %d removed, ", (int)written->added, (int)written->replaced,
               (int)written->removed);
    cli_print_bytes(written->size);
    printf("\n");
}

// Prints the names of the chains that two characters without roles share.
static void print_chains(const retargeting *work) {
    const sinew_humanoid_chains *source = work->def.source.chains, *target = work->def.target.chains;
    printf("no roles, paired by name and chain");
    for (int32_t i = 0; i < target->count; i++)
        for (int32_t k = 0; k < source->count; k++)
            if (strcmp(target->chains[i].name, source->chains[k].name) == 0)
                printf(" %s", cli_short_text(target->chains[i].name));
    printf("\n");
}

static void print_sources(const sinew_humanoid *source, const sinew_humanoid *target) {
    printf("roles by %s", retargeting_source_texts[source->source]);
    if (target->source != source->source) printf(" and by %s", retargeting_source_texts[target->source]);
    printf("\n");
}

void retarget_print_one(const retarget_take *take, const retarget_output *output) {
    const retarget_character *target = retarget_target_of(take);
    printf("%s onto %s: %d pairs, size %.3f; ", cli_text(take->path), cli_text(target->path), (int)take->pair_count,
           (double)take->scale);
    if (take->work.def.source.humanoid) {
        print_sources(&take->source.roles.humanoid, &target->roles.humanoid);
    } else {
        print_chains(&take->work);
    }
    printf("  source reference: %s\n  target reference: %s\n", take->references[0], take->references[1]);
    if (!output->args->out) {
        print_pairs(take->work.map);
        return;
    }
    for (int32_t i = 0; i < take->clip_count; i++) {
        const retarget_clip *clip = &take->clips[i];
        printf("  %s: %.3f s, %d channel%s\n", cli_short_text(clip->name), (double)clip->duration,
               (int)clip->channel_count, cli_plural(clip->channel_count));
    }
    print_output(output);
}

bool retarget_print_one_json(const retarget_take *take, const retarget_output *output) {
    lint_text json = {0};
    retargeting work = take->work;
    work.written = output->result; // for the size
    retargeting_append_json(&work, &json);
    return cli_print_json(&json);
}

// ---- Many takes ----------------------------------------------------------------------------------------------

static bool is_guess(const retarget_take *take) {
    return take->has_roles && take->source.roles.humanoid.source == SINEW_HUMANOID_SOURCE_GUESS;
}

static void print_roles(const retarget_take *take) {
    if (!take->has_roles) {
        printf("no roles");
        return;
    }
    printf("roles by %s", retargeting_source_texts[take->source.roles.humanoid.source]);
    if (is_guess(take)) printf(" (%.2f)", (double)take->source.roles.report.score);
}

static void print_slides(const retarget_clip *clip) {
    if (clip->slides[0] < 0.0 || clip->slides[1] < 0.0) return;
    printf(", slide %.1f to %.1f cm/s", 100.0 * clip->slides[0], 100.0 * clip->slides[1]);
}

static void print_take(const retarget_take *take) {
    printf("%s: %d pairs, size %.3f, ", cli_text(take->path), (int)take->pair_count, (double)take->scale);
    print_roles(take);
    printf(", from %s", take->references[0]);
    for (int32_t i = 0; i < take->clip_count; i++) {
        printf("; %s: %.3f s", cli_short_text(take->clips[i].name), (double)take->clips[i].duration);
        print_slides(&take->clips[i]);
    }
    for (size_t at = 0; at < take->notes.size; at += strlen(take->notes.data + at) + 1)
        printf("; %s", cli_text(take->notes.data + at));
    printf("\n");
}

void retarget_print_many(const retarget_take *takes, int count, const retarget_output *output) {
    int done = 0;
    for (int i = 0; i < count; i++) {
        done += takes[i].is_done;
        if (takes[i].is_done) print_take(&takes[i]);
    }
    printf("%d of %d sources retargeted onto %s\n", done, count, cli_text(output->args->target.path));
    if (output->args->out && done > 0) print_output(output);
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void append_slides(const retarget_clip *clip, lint_text *out) {
    lint_append_format(out, ",\"slide\":");
    if (clip->slides[0] < 0.0 || clip->slides[1] < 0.0) {
        lint_append_format(out, "null");
    } else {
        lint_append_format(out, "[%.9g,%.9g]", clip->slides[0], clip->slides[1]);
    }
}

static void append_notes(const retarget_take *take, lint_text *out) {
    lint_append_format(out, ",\"assumed\":[");
    for (size_t at = 0; at < take->notes.size; at += strlen(take->notes.data + at) + 1) {
        lint_append(out, ",", at > 0 ? 1 : 0);
        lint_append_json_string(out, take->notes.data + at);
    }
    lint_append_format(out, "]");
}

static void append_done(const retarget_take *take, lint_text *out) {
    lint_append_format(out, ",\"scale\":%.9g,\"pairs\":%d,\"sourceRoles\":", (double)take->scale,
                       (int)take->pair_count);
    lint_append_json_string(out,
                            take->has_roles ? retargeting_source_names[take->source.roles.humanoid.source] : NULL);
    lint_append_format(out, ",\"score\":");
    if (is_guess(take)) {
        lint_append_format(out, "%.9g", (double)take->source.roles.report.score);
    } else {
        lint_append_format(out, "null");
    }
    lint_append_format(out, ",\"reference\":");
    lint_append_json_string(out, take->references[0]);
    lint_append_format(out, ",\"clips\":[");
    for (int32_t i = 0; i < take->clip_count; i++) {
        const retarget_clip *clip = &take->clips[i];
        lint_append_format(out, "%s{\"name\":", i > 0 ? "," : "");
        lint_append_json_string(out, clip->name);
        lint_append_format(out, ",\"duration\":%.9g,\"channels\":%d", (double)clip->duration,
                           (int)clip->channel_count);
        append_slides(clip, out);
        lint_append_format(out, "}");
    }
    lint_append_format(out, "]");
}

bool retarget_print_many_json(const retarget_take *takes, int count, const retarget_output *output) {
    lint_text json = {0};
    lint_append_format(&json, "{\"target\":");
    lint_append_json_string(&json, output->args->target.path);
    lint_append_format(&json, ",\"takes\":[");
    for (int i = 0; i < count; i++) {
        lint_append_format(&json, "%s\n{\"source\":", i > 0 ? "," : "");
        lint_append_json_string(&json, takes[i].path);
        lint_append_format(&json, ",\"error\":");
        if (takes[i].is_done) {
            lint_append_format(&json, "null");
            append_done(&takes[i], &json);
        } else {
            lint_append_json_string(&json, takes[i].error);
        }
        append_notes(&takes[i], &json);
        lint_append_format(&json, "}");
    }
    lint_append_format(&json, "],\"bytes\":%zu}", output->result.size);
    return cli_print_json(&json);
}
