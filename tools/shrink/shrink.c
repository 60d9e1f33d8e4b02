// SPDX-License-Identifier: MIT
// Makes a file smaller or keeps it, and measures the result.
#include "shrink/shrink.h"

#include "files/files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Limits how many numbers are computed to find a smaller file: per byte of the file, and for any file.
#define NUMBERS_OF_A_BYTE 4000.0
#define FREE_NUMBERS      1e6

__attribute__((format(printf, 2, 3))) static bool fail(shrink_work *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(o->error, sizeof o->error, format, arguments);
    va_end(arguments);
    return false;
}

// ---- The original --------------------------------------------------------------------------------------------------

// Returns whether a file is a single .glb.
static bool is_whole(const ref_document *document) {
    for (int32_t i = 0; i < document->buffers.count; i++) {
        if (sinewi_json_get(&document->json, document->buffers.values[i], "uri") != SINEWI_JSON_ABSENT)
            return false;
    }
    return document->binary;
}

static bool keep_original(shrink_work *o, const char *why) {
    const compared_file *file = &o->comparison.files[0];
    o->kept = why;
    if (is_whole(&file->document)) {
        char *bytes = NULL;
        const bool is_read = !files_read_all(file->path, file->size, &bytes, &o->size) && o->size == file->size;
        o->original = (uint8_t *)bytes;
        o->bytes = is_read ? o->original : NULL;
    } else {
        o->is_packed = true;
        if (lint_pack(&o->packed, file->path, o->def.input->meshopt_decode, NULL)) {
            o->bytes = o->packed.glb;
            o->size = o->packed.size;
        }
    }
    return o->bytes || fail(o, "%.400s: cannot be read again", file->path);
}

// Returns an earlier optimization's error in millimeters, or 0.
static double earlier_error(ref_document *document) {
    const sinewi_json_value asset = sinewi_json_get(&document->json, 0, "asset");
    const char *mark = strstr(ref_string(document, asset, "generator"), OPTIMIZE_MARK);
    const double error = mark ? strtod(mark + strlen(OPTIMIZE_MARK), NULL) : 0.0;
    return isfinite(error) && error > 0.0 ? error : 0.0;
}

// ---- Optimizing ----------------------------------------------------------------------------------------------------

static double max_numbers(const compared_file *file) {
    return FREE_NUMBERS + NUMBERS_OF_A_BYTE * (double)file->size;
}

static bool code_meshes(shrink_work *o, double error) {
    compared_file *file = &o->comparison.files[0];
    if (!o->def.code_meshes) return true;
    const optimize_meshes_def def = {.document = &file->document,
                                     .model = &file->model,
                                     .error = error / COMPARISON_SIZE,
                                     .max_numbers = max_numbers(file)};
    return o->def.code_meshes(&o->meshes, &def);
}

// Makes the smaller file, or keeps the original.
static bool make_file(shrink_work *o) {
    compared_file *file = &o->comparison.files[0];
    const double error = o->def.error - earlier_error(&file->document);
    char mark[64];
    snprintf(mark, sizeof mark, OPTIMIZE_MARK "%.6g mm", o->def.error);
    if (error <= 1e-9) return keep_original(o, "it was already optimized with this error; use the authored file");
    if (!code_meshes(o, error)) return fail(o, "%.400s: out of memory", file->path);
    const optimize_meshes *meshes = o->meshes.model ? &o->meshes : NULL;
    if (file->model.animation_count == 0 && !meshes) return keep_original(o, "it has no animation");
    const optimize_def def = {.path = file->path,
                              .document = &file->document,
                              .model = &file->model,
                              .meshes = meshes,
                              .error = error / COMPARISON_SIZE,
                              .extension = o->def.extension,
                              .mark = mark,
                              .max_numbers = max_numbers(file),
                              .decode = o->def.input->meshopt_decode,
                              .progress = o->def.progress};
    if (!optimize_file(&o->result, &def)) return fail(o, "%s", o->result.error);
    if (!o->result.glb) return keep_original(o, "nothing in it can be changed");
    if (o->result.size >= file->size) return keep_original(o, "no smaller file was found");
    o->bytes = o->result.glb;
    o->size = o->result.size;
    return true;
}

// Reads the result from its bytes.
static bool open_result(shrink_work *o) {
    return comparison_open(&o->comparison, 1, o->def.input, o->def.output, o->bytes, o->size);
}

static bool measure_result(shrink_work *o) {
    return comparison_measure(&o->comparison, o->def.input, o->def.error);
}

// Handles a copy of the original. It doesn't have to be measured if there are too many poses.
static bool measure_original(shrink_work *o) {
    comparison *c = &o->comparison;
    return measure_result(o) || (!c->out_of_memory && comparison_take_for_equal(c)) || fail(o, "%s", c->error);
}

// Measures the result. If it can't be shown to be within the error, keeps the original.
static bool check_file(shrink_work *o) {
    comparison *c = &o->comparison;
    if (!open_result(o)) return fail(o, "%s", c->error);
    if (o->kept) return measure_original(o);
    const bool is_measured = measure_result(o);
    if (c->out_of_memory) return fail(o, "%s", c->error);
    if (is_measured && comparison_millimetres(c, c->worst.bound) <= o->def.error * (1.0 + 1e-6)) return true;
    comparison_close(c);
    return keep_original(o, is_measured ? "no smaller file is provably within the error"
                                        : "its clips have too many poses to be measured") &&
           (open_result(o) ? measure_original(o) : fail(o, "%s", c->error));
}

bool shrink_run(shrink_work *o, const shrink_def *def) {
    memset(o, 0, sizeof *o);
    o->def = *def;
    sinewi_arena_init(&o->meshes.arena, NULL);
    if (!comparison_open(&o->comparison, 0, def->input, def->path, NULL, 0))
        return fail(o, "%s", o->comparison.error);
    return make_file(o) && check_file(o);
}

void shrink_end(shrink_work *o) {
    if (o->is_packed) lint_fixed_end(&o->packed);
    free(o->original);
    comparison_free(&o->comparison);
    optimize_end(&o->result);
    sinewi_arena_free(&o->meshes.arena);
    memset(o, 0, sizeof *o);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void append_reason(const char *reason, lint_text *out) {
    if (reason) {
        lint_append_json_string(out, reason);
    } else {
        lint_append_format(out, "null");
    }
}

static void append_tracks(const shrink_work *o, lint_text *out) {
    lint_append_format(out, ",\n\"tracks\":[");
    for (int32_t i = 0; i < o->comparison.files[0].model.animation_count && o->result.clips && !o->kept; i++) {
        const optimize_clip *clip = &o->result.clips[i];
        lint_append_format(out,
                           "%s{\"clip\":%d,\"all\":%d,\"dropped\":%d,\"constant\":%d,\"reduced\":%d,\"untouched\":%"
                           "s,\"limited\":%s}",
                           i ? "," : "", i, clip->tracks, clip->dropped, clip->constant, clip->reduced,
                           clip->untouched ? "true" : "false", clip->limited ? "true" : "false");
    }
    lint_append_format(out, "]");
}

static void append_meshes(const shrink_work *o, lint_text *out) {
    const optimize_meshes *meshes = &o->meshes;
    lint_append_format(out,
                       ",\n\"meshes\":{\"accessors\":%d,\"bytes\":[%zu,%zu],\"step\":%.9g,\"weightBits\":%d,"
                       "\"reordered\":%d,\"merged\":%d,\"dropped\":%d,\"bound\":%.9g,\"exact\":",
                       o->kept ? 0 : meshes->accessor_count, o->kept ? 0 : meshes->bytes[0],
                       o->kept ? 0 : meshes->bytes[1], o->kept ? 0.0 : meshes->step,
                       o->kept ? 0 : meshes->weight_bits, o->kept ? 0 : meshes->reordered,
                       o->kept ? 0 : meshes->merged, o->kept ? 0 : meshes->dropped_count,
                       o->kept ? 0.0 : comparison_millimetres(&o->comparison, meshes->error));
    append_reason(meshes->exact, out);
    lint_append_format(out, ",\"kept\":[");
    for (int32_t i = 0; i < meshes->kept_count; i++) {
        lint_append_format(out, "%s{\"accessor\":%d,\"why\":", i ? "," : "", meshes->kept[i].accessor);
        append_reason(meshes->kept[i].why, out);
        lint_append_format(out, "}");
    }
    lint_append_format(out, "]}");
}

void shrink_append_json(const shrink_work *o, lint_text *out) {
    lint_append_format(out, "{\"error\":%.9g,\"kept\":", o->def.error);
    append_reason(o->kept, out);
    lint_append_format(out, ",");
    comparison_append_json(&o->comparison, out);
    append_tracks(o, out);
    if (o->def.code_meshes) append_meshes(o, out);
    lint_append_format(out, "}");
}
