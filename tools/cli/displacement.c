// SPDX-License-Identifier: MIT
// Reads files for a comparison and prints it.
#include "cli/displacement.h"

#include "cli/draco.h"

#include "numbers/numbers.h"

#include <stdlib.h>
#include <string.h>

// ---- Reading -------------------------------------------------------------------------------------------------

static bool load(const char *path, const void *bytes, size_t size, sinew_asset **asset, sinew_error *error) {
    return bytes ? cli_read_memory(bytes, size, asset, error) : cli_read_authored(path, asset, error);
}

static void show_progress(const char *what, int32_t done, int32_t total) {
    cli_progress(what, done, total);
}

comparison_input cli_comparison_input(void) {
    return (comparison_input){.load = load,
                              .meshopt_decode = cli_decode_meshopt,
                              .draco_decode = cli_draco_decoder(),
                              .progress = show_progress};
}

bool cli_check_compared(const char *path) {
    return cli_check_gltf(path, "only glTF files can be compared or optimized");
}

// ---- Text ----------------------------------------------------------------------------------------------------

enum { MAX_ROWS = 10 };

// Formats a length with three digits: 0.0123, 1.23, 12.3.
static const char *millimetres(const comparison *c, double length, char text[32]) {
    const double mm = comparison_millimetres(c, length);
    snprintf(text, 32, mm >= 100.0 ? "%.0f" : mm >= 10.0 ? "%.1f" : mm >= 1.0 ? "%.2f" : "%.3f", mm);
    return text;
}

// Writes the node's name in quotes, or its number if it has no name.
static const char *name_of_node(const comparison *c, int32_t node, char text[128]) {
    const char *name = c->files[0].model.nodes[node].name;
    if (name[0] != '\0') {
        snprintf(text, 128, "'%s'", cli_short_text(name));
    } else {
        snprintf(text, 128, "node %d", (int)node);
    }
    return text;
}

// Prints "Walk at 0.53 s: vertex 17 of mesh 2, primitive 0, at 'foot.L'".
static void print_where(const comparison *c, const compare_worst *worst, bool with_clip) {
    if (worst->part < 0) {
        printf("\n");
        return;
    }
    const compare_part *part = &c->body.parts[worst->part];
    const int32_t node = c->body.groups[worst->group].node;
    if (with_clip && worst->clip >= 0)
        printf("%s, ", cli_short_text(c->files[0].model.animations[worst->clip].name));
    printf(worst->clip >= 0 ? "%.4g s: " : "rest pose: ", worst->time);
    char name[128];
    if (part->mesh >= 0) {
        printf("vertex %d of mesh %d, primitive %d, on %s\n", worst->vertex, part->mesh, part->primitive,
               name_of_node(c, node, name));
    } else {
        printf("%s %s\n", worst->vertex == 0 ? "the origin of" : "a point on an axis of",
               name_of_node(c, node, name));
    }
}

static int by_error(const void *a, const void *b) {
    const double x = ((const compare_worst *)a)->error, y = ((const compare_worst *)b)->error;
    return (x < y) - (x > y);
}

static void print_rows(const comparison *c, const compare_worst *list, int32_t count, bool by_clip) {
    compare_worst *rows = malloc(((size_t)count + 1) * sizeof *rows);
    if (!rows) {
        cli_lose_text();
        return;
    }
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

static void print_bytes(const comparison *c) {
    const compared_file *a = &c->files[0], *b = &c->files[1];
    printf("animation: %zu bytes (%zu of data, %zu of JSON) and %zu bytes (%zu and %zu)\n",
           a->bytes.data + a->bytes.json, a->bytes.data, a->bytes.json, b->bytes.data + b->bytes.json,
           b->bytes.data, b->bytes.json);
    printf("files: %zu bytes and %zu bytes\n", a->size, b->size);
}

static void print_measured(const comparison *c) {
    const compare_body *body = &c->body;
    printf("%d vertices and all nodes without a mesh, %d clip%s; 1.8 m is %.4g units, the extent of %s\n",
           body->vertex_count, c->files[0].model.animation_count, cli_plural(c->files[0].model.animation_count),
           body->size, compare_size_name(body->size_source));
    if (body->sorted_vertices > 0)
        printf("%d vertices are in a different order in the second file, so they are matched in the rest pose\n",
               body->sorted_vertices);
    if (body->carried_vertices > 0)
        printf("%d vertices don't have a match in the second file, so they follow that file's joints\n",
               body->carried_vertices);
    if (body->unmatched_vertices > 0)
        printf("%d vertices are not measured, because the second file doesn't have a joint or node with the same "
               "name\n",
               body->unmatched_vertices);
}

void cli_comparison_print(const comparison *c) {
    char error[32], bound[32];
    print_measured(c);
    printf("largest displacement, scaled to 1.8 m: %s mm, never more than %s mm; %.4g in the file's unit\n",
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

// ---- Arguments -----------------------------------------------------------------------------------------------

bool cli_args_millimetres(cli_args *args, double *millimetres) {
    static const struct {
        const char *unit;
        double millimetres;
    } units[] = {{"", 1.0}, {"mm", 1.0}, {"cm", 10.0}, {"m", 1000.0}};
    const char *text = cli_args_value(args);
    if (!text) return false;
    const char *end = text;
    double number;
    const bool is_number = numbers_read(&end, &number);
    for (size_t i = 0; i < sizeof units / sizeof *units && is_number; i++) {
        *millimetres = number * units[i].millimetres;
        if (strcmp(end, units[i].unit) == 0 && *millimetres > 0.0 && *millimetres <= 1000.0) return true;
    }
    cli_usage(args->command, "%s needs a length such as 1mm, above 0 and at most 1m, not '%s'", args->option, text);
    args->failed = true;
    return false;
}
