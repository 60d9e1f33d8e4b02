// SPDX-License-Identifier: MIT
// Reads and compares two files of one character.
#include "shrink/comparison.h"

#include "shrink/limits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Limits the work in a comparison to this many poses at a file's limit.
#define MAX_FULL_POSES 16.0

// ---- Reading -------------------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static bool fail(comparison *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->error, sizeof c->error, format, arguments);
    va_end(arguments);
    return false;
}

// Returns whether the library accepts the file.
static bool check_file(comparison *c, compared_file *file, const comparison_input *input, const void *bytes,
                       size_t size) {
    sinew_asset *asset = NULL;
    sinew_error error;
    if (!input->load(file->path, bytes, size, &asset, &error))
        return bytes ? fail(c, "%.400s: %s", file->path, error.message) : fail(c, "%s", error.message);
    const bool good = limits_allow_pose(asset, file->path, c->error, sizeof c->error);
    file->pose_work = limits_pose_work(asset);
    file->allowed_work = limits_allowed_work(asset, file->path);
    sinew_asset_destroy(asset);
    return good;
}

bool comparison_open(comparison *c, int side, const comparison_input *input, const char *path, const void *bytes,
                     size_t size) {
    compared_file *file = &c->files[side];
    *file = (compared_file){.path = path};
    if (!check_file(c, file, input, bytes, size)) return false;
    const bool good = bytes ? ref_open_bytes(&file->document, path, bytes, size, input->meshopt_decode, NULL)
                            : ref_open(&file->document, path, input->meshopt_decode, NULL);
    file->document.draco_decode = input->draco_decode;
    if (!good || !ref_read_model(&file->document, &file->model))
        return fail(c, "%.400s: %s", path, file->document.error);
    file->size = file->document.budget.bytes_read;
    return true;
}

// ---- Measuring -----------------------------------------------------------------------------------------------

static void add_difference(const char *what, void *user) {
    comparison *c = user;
    if (c->difference_count == c->difference_capacity) {
        const int32_t capacity = c->difference_capacity > 0 ? 2 * c->difference_capacity : 16;
        char **grown = sinewi_arena_array(&c->arena, char *, (size_t)capacity);
        if (!grown) {
            c->out_of_memory = true;
            return;
        }
        if (c->difference_count > 0)
            memcpy(grown, c->differences, (size_t)c->difference_count * sizeof *grown); // NOLINT: pointers
        c->differences = grown;
        c->difference_capacity = capacity;
    }
    c->differences[c->difference_count] = sinewi_arena_string(&c->arena, what, strlen(what));
    c->out_of_memory |= !c->differences[c->difference_count];
    c->difference_count += !c->out_of_memory;
}

static const ref_animation *other_clip(const comparison *c, int32_t clip) {
    return c->clip_of[clip] >= 0 ? &c->files[1].model.animations[c->clip_of[clip]] : NULL;
}

// Counts the poses of all clips at their keys. Stops above `most`, because files with long shared lists of times may
// have very many. Returns a negative number if memory runs out.
static double count_poses(const comparison *c, double most) {
    const ref_model *a = &c->files[0].model;
    double poses = 0.0;
    for (int32_t i = 0; i < a->animation_count && poses <= most; i++) {
        sinewi_arena scratch;
        int32_t count = 0;
        if (c->clip_of[i] < 0) continue;
        sinewi_arena_init(&scratch, NULL);
        const bool good = compare_key_times(&scratch, &a->animations[i], other_clip(c, i), &count) != NULL;
        sinewi_arena_free(&scratch);
        if (!good) return -1.0;
        poses += 3.0 * (double)count + 1.0;
    }
    return poses;
}

static bool limit_work(comparison *c) {
    const double pose = c->files[0].pose_work + c->files[1].pose_work + 64.0 * (double)c->body.group_count;
    const double allowed = MAX_FULL_POSES * (c->files[0].allowed_work + c->files[1].allowed_work) / pose;
    const double poses = count_poses(c, allowed);
    if (poses < 0.0) return !(c->out_of_memory = true);
    c->measure.max_numbers = MAX_FULL_POSES * (c->files[0].allowed_work + c->files[1].allowed_work);
    if (poses <= allowed) return true;
    return fail(c, "%.400s: the clips have %.0f poses or more at their keys, but a file of this size may have %.0f",
                c->files[0].path, poses, allowed);
}

static void tell(const comparison_input *input, int32_t done, int32_t total) {
    if (input->progress && total > 0) input->progress("comparing", done, total);
}

static bool match(comparison *c) {
    const ref_model *a = &c->files[0].model, *b = &c->files[1].model;
    if (!compare_match(&c->body, &c->arena, a, b)) return !(c->out_of_memory = true);
    c->clip_of = sinewi_arena_zeros(&c->arena, int32_t, (size_t)a->animation_count);
    c->clips = sinewi_arena_zeros(&c->arena, compare_worst, (size_t)a->animation_count);
    if (!c->clip_of || !c->clips || !compare_match_clips(&c->arena, a, b, c->clip_of))
        return !(c->out_of_memory = true);
    return true;
}

// Displacements of up to `limit` millimeters needn't be found exactly; 0 finds all exactly.
static bool measure_clips(comparison *c, const comparison_input *input, double limit) {
    const ref_model *a = &c->files[0].model;
    const double limit_length = limit / COMPARISON_SIZE * c->body.size;
    if (!compare_measure_begin(&c->measure, &c->body, limit_length)) return !(c->out_of_memory = true);
    if (!limit_work(c)) return false;
    if (!compare_clip(&c->measure, NULL, NULL, -1, &c->worst)) return !(c->out_of_memory = true);
    for (int32_t i = 0; i < a->animation_count; i++) {
        c->clips[i] = (compare_worst){.clip = i, .group = -1, .part = -1, .vertex = -1};
        tell(input, i, a->animation_count);
        if (c->clip_of[i] < 0) continue;
        if (!compare_clip(&c->measure, &a->animations[i], other_clip(c, i), i, &c->clips[i]))
            return !(c->out_of_memory = true);
        const double bound = fmax(c->worst.bound, c->clips[i].bound);
        if (c->clips[i].error > c->worst.error) c->worst = c->clips[i];
        c->worst.bound = bound;
    }
    tell(input, a->animation_count, a->animation_count);
    return true;
}

static bool describe(comparison *c) {
    ref_document *const documents[2] = {&c->files[0].document, &c->files[1].document};
    if (compare_differences(documents, &c->body, c->clip_of, add_difference, c) < 0) return false;
    for (int side = 0; side < 2; side++) {
        if (!compare_count_bytes(documents[side], &c->files[side].bytes)) return false;
    }
    return !c->out_of_memory;
}

// Returns whether the displacement may be within an error although its bound isn't.
static bool is_open(const comparison *c, double error) {
    return comparison_millimetres(c, c->worst.error) <= error && comparison_millimetres(c, c->worst.bound) > error;
}

// Measures with the error as the limit. Keeps what was found before.
static bool measure_again(comparison *c, const comparison_input *input, double error) {
    const compare_worst worst = c->worst;
    if (!measure_clips(c, input, error)) return false;
    const double bound = fmin(worst.bound, c->worst.bound);
    if (worst.error > c->worst.error) c->worst = worst;
    c->worst.bound = fmax(bound, c->worst.error);
    return true;
}

bool comparison_measure(comparison *c, const comparison_input *input, double error) {
    sinewi_arena_init(&c->arena, NULL);
    bool good = match(c) && measure_clips(c, input, 0.0);
    if (good && error > 0.0 && is_open(c, error)) good = measure_again(c, input, error);
    if (good && (describe(c) || !(c->out_of_memory = true))) return true;
    return c->out_of_memory ? fail(c, "%.400s: out of memory", c->files[0].path) : false;
}

bool comparison_take_for_equal(comparison *c) {
    c->worst = (compare_worst){.clip = -1, .group = -1, .part = -1, .vertex = -1};
    for (int32_t i = 0; i < c->files[0].model.animation_count; i++) {
        c->clips[i] = c->worst;
        c->clips[i].clip = i;
    }
    c->error[0] = '\0';
    return describe(c) || fail(c, "%.400s: out of memory", c->files[0].path);
}

void comparison_close(comparison *c) {
    sinewi_arena_free(&c->arena);
    ref_close(&c->files[1].document);
    c->files[1] = (compared_file){.path = NULL};
    c->difference_count = c->difference_capacity = 0;
    c->differences = NULL;
    c->body = (compare_body){.arena = NULL};
}

void comparison_free(comparison *c) {
    sinewi_arena_free(&c->arena);
    for (int side = 0; side < 2; side++) ref_close(&c->files[side].document);
    memset(c, 0, sizeof *c);
}

double comparison_millimetres(const comparison *c, double length) {
    return length / c->body.size * COMPARISON_SIZE;
}
