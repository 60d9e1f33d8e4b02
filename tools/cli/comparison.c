// SPDX-License-Identifier: MIT
// Reads, compares and prints two files of one character.
#include "cli/comparison.h"

#include "cli/draco.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The limit of the work for a comparison: as many poses of the limit of a file.
#define MAX_FULL_POSES 8.0

// ---- Reading -------------------------------------------------------------------------------------------------

// Whether the library accepts the file; prints the reason if not.
static bool check_file(cli_compared *file, const void *bytes, size_t size) {
    sinew_asset *asset = NULL;
    if (bytes) {
        sinew_error error;
        if (!cli_read_memory(bytes, size, &asset, &error)) cli_fail("%s: %s", file->path, error.message);
    } else {
        asset = cli_load(file->path);
    }
    const bool good = asset && cli_allows_pose(asset, file->path);
    if (good) {
        file->pose_work = cli_pose_work(asset);
        file->allowed_work = cli_allowed_work(asset, file->path);
    }
    sinew_asset_destroy(asset);
    return good;
}

bool cli_compared_open(cli_compared *file, const char *path, const void *bytes, size_t size) {
    *file = (cli_compared){.path = path};
    if (!cli_check_gltf(path, "the JSON and the buffers of a glTF file are compared")) return false;
    if (!check_file(file, bytes, size)) return false;
    const bool good = bytes ? ref_open_bytes(&file->document, path, bytes, size, cli_decode_meshopt, NULL)
                            : ref_open(&file->document, path, cli_decode_meshopt, NULL);
    file->document.draco_decode = cli_draco_decoder();
    if (!good || !ref_read_model(&file->document, &file->model)) {
        cli_fail("%s: %s", path, file->document.error);
        return false;
    }
    file->size = file->document.budget.bytes_read;
    return true;
}

double cli_compared_poses(const cli_compared *file) {
    return MAX_FULL_POSES * file->allowed_work / (file->pose_work + 1.0);
}

void cli_compared_close(cli_compared *file) {
    ref_close(&file->document);
}

// ---- Measuring -----------------------------------------------------------------------------------------------

static void add_difference(const char *what, void *user) {
    cli_comparison *c = user;
    if (c->difference_count == c->difference_capacity) {
        const int32_t capacity = c->difference_capacity > 0 ? 2 * c->difference_capacity : 16;
        char **grown = sinew_arena_array(&c->arena, char *, (size_t)capacity);
        if (!grown) {
            c->out_of_memory = true;
            return;
        }
        if (c->difference_count > 0)
            memcpy(grown, c->differences, (size_t)c->difference_count * sizeof *grown); // NOLINT: pointers
        c->differences = grown;
        c->difference_capacity = capacity;
    }
    c->differences[c->difference_count] = sinew_arena_string(&c->arena, what, strlen(what));
    c->out_of_memory |= !c->differences[c->difference_count];
    c->difference_count += !c->out_of_memory;
}

static const ref_animation *other_clip(const cli_comparison *c, int32_t clip) {
    return c->clip_of[clip] >= 0 ? &c->files[1].model.animations[c->clip_of[clip]] : NULL;
}

// The poses of all clips, at their keys; counting ends above `most`. Files that share long lists of times may have very
// many. Returns a negative number if memory runs out.
static double count_poses(const cli_comparison *c, double most) {
    const ref_model *a = &c->files[0].model;
    double poses = 0.0;
    for (int32_t i = 0; i < a->animation_count && poses <= most; i++) {
        sinew_arena scratch;
        int32_t count = 0;
        if (c->clip_of[i] < 0) continue;
        sinew_arena_init(&scratch, NULL);
        const bool good = compare_key_times(&scratch, &a->animations[i], other_clip(c, i), &count) != NULL;
        sinew_arena_free(&scratch);
        if (!good) return -1.0;
        poses += 3.0 * (double)count + 1.0;
    }
    return poses;
}

static bool limit_work(cli_comparison *c) {
    const double pose = c->files[0].pose_work + c->files[1].pose_work + 64.0 * (double)c->body.group_count;
    const double allowed = MAX_FULL_POSES * (c->files[0].allowed_work + c->files[1].allowed_work) / pose;
    const double poses = count_poses(c, allowed);
    if (poses < 0.0) return !(c->out_of_memory = true);
    c->measure.max_poses = (int64_t)fmin(allowed, 1e15);
    if (poses <= allowed) return true;
    cli_fail("%s: the clips have %.0f poses or more at their keys, and %.0f are allowed for a file of this size",
             c->files[0].path, poses, allowed);
    return false;
}

static bool measure_clips(cli_comparison *c, double limit) {
    const ref_model *a = &c->files[0].model, *b = &c->files[1].model;
    if (!compare_match(&c->body, &c->arena, a, b)) return !(c->out_of_memory = true);
    const double limit_length = limit / CLI_SCALED_SIZE * c->body.size;
    c->clip_of = sinew_arena_zeros(&c->arena, int32_t, (size_t)a->animation_count);
    c->clips = sinew_arena_zeros(&c->arena, compare_worst, (size_t)a->animation_count);
    if (!c->clip_of || !c->clips || !compare_match_clips(&c->arena, a, b, c->clip_of) ||
        !compare_measure_begin(&c->measure, &c->body, limit_length))
        return !(c->out_of_memory = true);
    if (!limit_work(c)) return false;
    if (!compare_clip(&c->measure, NULL, NULL, -1, &c->worst)) return !(c->out_of_memory = true);
    for (int32_t i = 0; i < a->animation_count; i++) {
        c->clips[i] = (compare_worst){.clip = i, .group = -1, .part = -1, .vertex = -1};
        cli_progress("comparing", i, a->animation_count);
        if (c->clip_of[i] < 0) continue;
        if (!compare_clip(&c->measure, &a->animations[i], other_clip(c, i), i, &c->clips[i]))
            return !(c->out_of_memory = true);
        const double bound = fmax(c->worst.bound, c->clips[i].bound);
        if (c->clips[i].error > c->worst.error) c->worst = c->clips[i];
        c->worst.bound = bound;
    }
    if (a->animation_count > 0) cli_progress("comparing", a->animation_count, a->animation_count);
    return true;
}

static bool describe(cli_comparison *c) {
    ref_document *const documents[2] = {&c->files[0].document, &c->files[1].document};
    if (compare_differences(documents, &c->body, c->clip_of, add_difference, c) < 0) return false;
    for (int side = 0; side < 2; side++) {
        if (!compare_count_bytes(&c->arena, documents[side], &c->files[side].bytes)) return false;
    }
    return !c->out_of_memory;
}

bool cli_comparison_measure(cli_comparison *c, double limit) {
    sinew_arena_init(&c->arena, NULL);
    if (measure_clips(c, limit) && (describe(c) || !(c->out_of_memory = true))) return true;
    if (c->out_of_memory) cli_fail("%s: out of memory", c->files[0].path);
    return false;
}

void cli_comparison_free(cli_comparison *c) {
    sinew_arena_free(&c->arena);
    for (int side = 0; side < 2; side++) cli_compared_close(&c->files[side]);
}

double cli_comparison_millimetres(const cli_comparison *c, double length) {
    return length / c->body.size * CLI_SCALED_SIZE;
}

// ---- Text ----------------------------------------------------------------------------------------------------

enum { MAX_ROWS = 10 };

// 0.0123, 1.23, 12.3: three digits.
static const char *millimetres(const cli_comparison *c, double length, char text[32]) {
    const double mm = cli_comparison_millimetres(c, length);
    snprintf(text, 32, mm >= 100.0 ? "%.0f" : mm >= 10.0 ? "%.1f" : mm >= 1.0 ? "%.2f" : "%.3f", mm);
    return text;
}

static const char *name_of_node(const cli_comparison *c, int32_t node) {
    return cli_text(c->files[0].model.nodes[node].name);
}

// "Walk at 0.53 s: vertex 17 of mesh 2, primitive 0, at 'foot.L'"
static void print_where(const cli_comparison *c, const compare_worst *worst, bool with_clip) {
    if (worst->part < 0) {
        printf("\n");
        return;
    }
    const compare_part *part = &c->body.parts[worst->part];
    const int32_t node = c->body.groups[worst->group].node;
    if (with_clip && worst->clip >= 0)
        printf("%s, ", cli_short_text(c->files[0].model.animations[worst->clip].name));
    printf(worst->clip >= 0 ? "%.4g s: " : "rest pose: ", worst->time);
    if (part->mesh >= 0) {
        printf("vertex %d of mesh %d, primitive %d, on '%s'\n", worst->vertex, part->mesh, part->primitive,
               name_of_node(c, node));
    } else {
        printf("%s '%s'\n", worst->vertex == 0 ? "the origin of" : "a point on the axes of", name_of_node(c, node));
    }
}

static int by_error(const void *a, const void *b) {
    const double x = ((const compare_worst *)a)->error, y = ((const compare_worst *)b)->error;
    return (x < y) - (x > y);
}

static void print_rows(const cli_comparison *c, const compare_worst *list, int32_t count, bool by_clip) {
    compare_worst *rows = malloc(((size_t)count + 1) * sizeof *rows);
    if (!rows) return;
    if (count > 0) memcpy(rows, list, (size_t)count * sizeof *rows);
    qsort(rows, (size_t)count, sizeof *rows, by_error);
    const int32_t shown = by_clip || count < MAX_ROWS ? count : MAX_ROWS;
    for (int32_t i = 0; i < shown; i++) {
        char text[32];
        if (rows[i].part < 0 || rows[i].error == 0.0) continue;
        printf("  %8s mm  %-24s ", millimetres(c, rows[i].error, text),
               by_clip ? cli_short_text(c->files[0].model.animations[rows[i].clip].name)
                       : cli_short_text(c->files[0].model.nodes[c->body.groups[rows[i].group].node].name));
        print_where(c, &rows[i], !by_clip);
    }
    free(rows);
}

static void print_bytes(const cli_comparison *c) {
    const cli_compared *a = &c->files[0], *b = &c->files[1];
    printf("animation: %zu bytes (%zu of data, %zu of JSON) and %zu bytes (%zu and %zu)\n",
           a->bytes.data + a->bytes.json, a->bytes.data, a->bytes.json, b->bytes.data + b->bytes.json,
           b->bytes.data, b->bytes.json);
    printf("files: %zu bytes and %zu bytes\n", a->size, b->size);
}

static void print_measured(const cli_comparison *c) {
    const compare_body *body = &c->body;
    printf("%d vertices and the nodes without a mesh, %d clip%s; the model is %.4g units large\n",
           body->vertex_count, c->files[0].model.animation_count, cli_plural(c->files[0].model.animation_count),
           body->size);
    if (body->carried_vertices > 0)
        printf("%d vertices have no counterpart in the second file: they are moved by its joints\n",
               body->carried_vertices);
    if (body->unmatched_vertices > 0)
        printf("%d vertices are not measured: the second file has no joint or node of that name for them\n",
               body->unmatched_vertices);
}

void cli_comparison_print(const cli_comparison *c) {
    char error[32], bound[32];
    print_measured(c);
    printf("largest displacement, scaled to 1.8 m: %s mm, at no time more than %s mm; %.4g in the file's unit\n",
           millimetres(c, c->worst.error, error), millimetres(c, c->worst.bound, bound), c->worst.error);
    if (c->worst.error > 0.0) {
        printf("  ");
        print_where(c, &c->worst, true);
        printf("by clip\n");
        print_rows(c, c->clips, c->files[0].model.animation_count, true);
        printf("worst joints\n");
        print_rows(c, c->measure.groups, c->body.group_count, false);
    }
    if (c->difference_count > 0)
        printf("%d other difference%s\n", c->difference_count, cli_plural(c->difference_count));
    for (int32_t i = 0; i < c->difference_count && i < 2 * MAX_ROWS; i++)
        printf("  %s\n", cli_text(c->differences[i]));
    if (c->difference_count > 2 * MAX_ROWS) printf("  and %d more\n", c->difference_count - 2 * MAX_ROWS);
    print_bytes(c);
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_number(const char *name, double number) {
    printf("\"%s\":", name);
    if (isfinite(number)) {
        printf("%.9g", number);
    } else {
        printf("null");
    }
}

static void print_worst(const cli_comparison *c, const compare_worst *worst) {
    print_number("millimetres", cli_comparison_millimetres(c, worst->error));
    printf(",");
    print_number("bound", cli_comparison_millimetres(c, worst->bound));
    printf(",");
    print_number("units", worst->error);
    if (worst->clip >= 0) {
        printf(",\"clip\":%d,", worst->clip);
        print_number("time", worst->time);
    }
    if (worst->part < 0) return;
    const compare_part *part = &c->body.parts[worst->part];
    printf(",\"node\":%d", c->body.groups[worst->group].node);
    if (part->mesh >= 0) printf(",\"mesh\":%d,\"primitive\":%d", part->mesh, part->primitive);
    printf(",\"%s\":%d", part->mesh >= 0 ? "vertex" : "point", worst->vertex);
}

static void print_file_json(const cli_compared *file) {
    printf("{\"path\":");
    cli_json_string(stdout, file->path);
    printf(",\"bytes\":%zu,\"animationData\":%zu,\"animationJson\":%zu}", file->size, file->bytes.data,
           file->bytes.json);
}

void cli_comparison_json(const cli_comparison *c) {
    printf("\"files\":[");
    print_file_json(&c->files[0]);
    printf(",");
    print_file_json(&c->files[1]);
    printf("],\"size\":%.9g,\"vertices\":%d,\"carriedVertices\":%d,\"unmatchedVertices\":%d,\n\"worst\":{",
           c->body.size, c->body.vertex_count, c->body.carried_vertices, c->body.unmatched_vertices);
    print_worst(c, &c->worst);
    printf("},\"clips\":[");
    for (int32_t i = 0; i < c->files[0].model.animation_count; i++) {
        printf("%s\n{\"name\":", i ? "," : "");
        cli_json_string(stdout, c->files[0].model.animations[i].name);
        printf(",\"matched\":%s,", c->clip_of[i] >= 0 ? "true" : "false");
        print_worst(c, &c->clips[i]);
        printf("}");
    }
    printf("],\"joints\":[");
    for (int32_t g = 0; g < c->body.group_count; g++) {
        printf("%s\n{\"name\":", g ? "," : "");
        cli_json_string(stdout, c->files[0].model.nodes[c->body.groups[g].node].name);
        printf(",");
        print_worst(c, &c->measure.groups[g]);
        printf("}");
    }
    printf("],\"differences\":[");
    for (int32_t i = 0; i < c->difference_count; i++) {
        printf("%s", i ? "," : "");
        cli_json_string(stdout, c->differences[i]);
    }
    printf("]");
}

// ---- Arguments -----------------------------------------------------------------------------------------------

bool cli_args_millimetres(cli_args *args, double *millimetres) {
    static const struct {
        const char *unit;
        double millimetres;
    } units[] = {{"", 1.0}, {"mm", 1.0}, {"cm", 10.0}, {"m", 1000.0}};
    const char *text = cli_args_value(args);
    if (!text) return false;
    char *end;
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units && end != text; i++) {
        *millimetres = number * units[i].millimetres;
        if (strcmp(end, units[i].unit) == 0 && *millimetres > 0.0 && *millimetres <= 1000.0) return true;
    }
    cli_usage(args->command, "%s needs a length such as 1mm, above 0 and at most 1m, not '%s'", args->option, text);
    args->failed = true;
    return false;
}
