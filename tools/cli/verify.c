// SPDX-License-Identifier: MIT
// sinew verify: compares every clip in a file with a slow double-precision evaluator.
#include "cli/verify_errors.h"

#include <math.h>
#include <stdlib.h>

static const char help[] =
    "usage: sinew verify FILE [--tolerance X] [--json]\n"
    "\n"
    "Compares the library's poses and vertices with a second, slow evaluator. It's written from the\n"
    "specification in double precision and shares only the JSON reader. Every node and vertex is compared\n"
    "in the rest pose and, for each clip, at each key, just before and after it, between keys, and outside\n"
    "the clip. If a file has very many poses for its size, poses at equal steps are compared instead. The\n"
    "exit status is 1 if an error exceeds the tolerance.\n"
    "\n"
    "  --tolerance X    allows this error relative to the model's size (default 2e-6). Rotations are\n"
    "                   relative to their largest element, including scale. Normals and tangents are\n"
    "                   weighted by the length that remains when their terms are summed\n"
    "  --json           prints each node's and mesh's largest errors as JSON (docs/json.md) instead of\n"
    "                   tables of the largest ones\n"
    "\n"
    "example: sinew verify hero.glb\n";

typedef struct verify_args {
    const char *file;
    float tolerance;
    bool json;
} verify_args;

// ---- Tables ------------------------------------------------------------------------------------------------------

enum { ROWS = 5 }; // in a table

// One error, which is a row in a table.
typedef struct row {
    double error; // relative; the table is sorted by it
    const cli_worst *worst;
    const cli_mesh_errors *mesh; // NULL for a node's error
    int32_t node;
} row;

static void print_row(const cli_errors *errors, const row *r) {
    char what[96], when[96];
    char name[61]; // long names are cut between characters
    sinew_escape(errors->model.nodes[r->node].name, name, r->mesh ? 41 : sizeof name);
    if (r->mesh) {
        snprintf(what, sizeof what, "%s #%d, primitive %d, vertex %d", name, r->node, r->mesh->primitive,
                 r->worst->vertex);
    } else {
        snprintf(what, sizeof what, "%s #%d", name, r->node);
    }
    if (r->worst->clip < 0) {
        snprintf(when, sizeof when, "rest pose");
    } else {
        char clip[41];
        sinew_escape(errors->asset->clips[r->worst->clip].name, clip, sizeof clip);
        snprintf(when, sizeof when, "%s #%d, %.9g s", clip, r->worst->clip, (double)r->worst->time);
    }
    printf("  %-8.1e  %-48s  %s\n", r->error, what, when);
}

static int by_error(const void *a, const void *b) {
    double x = ((const row *)a)->error, y = ((const row *)b)->error;
    return (x < y) - (x > y);
}

static void print_table(const cli_errors *errors, const char *title, row *rows, int32_t count) {
    qsort(rows, (size_t)count, sizeof *rows, by_error);
    if (count == 0 || rows[0].error == 0.0) return;
    printf("%s\n", title);
    for (int32_t i = 0; i < count && i < ROWS && rows[i].error > 0.0; i++) print_row(errors, &rows[i]);
}

static void print_node_tables(const cli_errors *errors, row *rows) {
    int32_t count = errors->model.node_count;
    for (int32_t i = 0; i < count; i++) {
        const cli_node_errors *node = &errors->nodes[i];
        rows[i] = (row){cli_node_position_error(errors, node), &node->position, NULL, i};
    }
    print_table(errors, "node positions", rows, count);
    for (int32_t i = 0; i < count; i++) {
        const cli_node_errors *node = &errors->nodes[i];
        rows[i] = (row){cli_matrix_error(node), &node->matrix, NULL, i};
    }
    print_table(errors, "node rotation and scale", rows, count);
}

static void print_mesh_tables(const cli_errors *errors, row *rows) {
    int32_t count = errors->mesh_count;
    for (int32_t i = 0; i < count; i++) {
        const cli_mesh_errors *mesh = &errors->meshes[i];
        rows[i] = (row){cli_position_error(errors, mesh), &mesh->position, mesh, mesh->node};
    }
    print_table(errors, "vertex positions", rows, count);
    for (int32_t i = 0; i < count; i++) {
        const cli_mesh_errors *mesh = &errors->meshes[i];
        rows[i] = (row){mesh->normal.error, &mesh->normal, mesh, mesh->node};
    }
    print_table(errors, "normals", rows, count);
    for (int32_t i = 0; i < count; i++) {
        const cli_mesh_errors *mesh = &errors->meshes[i];
        rows[i] = (row){mesh->tangent.error, &mesh->tangent, mesh, mesh->node};
    }
    print_table(errors, "tangents", rows, count);
}

static bool print_text(const cli_errors *errors) {
    int32_t count = errors->model.node_count > errors->mesh_count ? errors->model.node_count : errors->mesh_count;
    row *rows = malloc(((size_t)count + 1) * sizeof *rows);
    if (!rows) return false;
    print_node_tables(errors, rows);
    print_mesh_tables(errors, rows);
    free(rows);
    if (errors->pose_count < errors->all_poses) printf("%d of ", errors->pose_count);
    printf("%d poses of %d clips, model size %.4g: largest error %.1e\n", errors->all_poses,
           errors->asset->clip_count, errors->size, cli_errors_largest(errors));
    return true;
}

// ---- JSON --------------------------------------------------------------------------------------------------------

static void print_number(const char *name, double number) {
    printf("\"%s\":", name);
    if (isfinite(number)) {
        printf("%.9g", number);
    } else {
        printf("null");
    }
}

static void print_worst(const char *name, double error, const cli_worst *worst, const int32_t *vertex) {
    printf(",\"%s\":{", name);
    print_number("error", error);
    if (vertex) printf(",\"vertex\":%d", *vertex);
    if (worst->clip < 0) {
        printf(",\"clip\":null,\"time\":0}");
    } else {
        printf(",\"clip\":%d,\"time\":%.9g}", worst->clip, (double)worst->time);
    }
}

static void print_json(const cli_errors *errors, double largest, float tolerance) {
    printf("{\"poses\":%d,\"allPoses\":%d,", errors->pose_count, errors->all_poses);
    print_number("size", errors->size);
    printf(",\"tolerance\":%.9g,", (double)tolerance);
    print_number("largest", largest);
    printf(",\"nodes\":[");
    for (int32_t i = 0; i < errors->model.node_count; i++) {
        const cli_node_errors *node = &errors->nodes[i];
        printf("%s\n{\"node\":%d,\"name\":", i ? "," : "", i);
        cli_json_string(stdout, errors->model.nodes[i].name);
        print_worst("position", cli_node_position_error(errors, node), &node->position, NULL);
        print_worst("matrix", cli_matrix_error(node), &node->matrix, NULL);
        printf("}");
    }
    printf("],\"meshes\":[");
    for (int32_t i = 0; i < errors->mesh_count; i++) {
        const cli_mesh_errors *mesh = &errors->meshes[i];
        printf("%s\n{\"node\":%d,\"mesh\":%d,\"primitive\":%d,\"vertices\":%d", i ? "," : "", mesh->node,
               mesh->mesh, mesh->primitive, mesh->vertex_count);
        print_worst("position", cli_position_error(errors, mesh), &mesh->position, &mesh->position.vertex);
        print_worst("normal", mesh->normal.error, &mesh->normal, &mesh->normal.vertex);
        print_worst("tangent", mesh->tangent.error, &mesh->tangent, &mesh->tangent.vertex);
        printf("}");
    }
    printf("]}\n");
}

// ---- The command -------------------------------------------------------------------------------------------------

static int verify(const verify_args *arguments, const cli_errors *errors) {
    double largest = cli_errors_largest(errors);
    if (arguments->json) {
        print_json(errors, largest, arguments->tolerance);
    } else if (!print_text(errors)) {
        return cli_fail("%s: out of memory", arguments->file);
    }
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    if (largest <= (double)arguments->tolerance) return CLI_GOOD;
    return cli_fail("%s: the largest error, %.1e, exceeds the tolerance of %.1e", arguments->file, largest,
                    (double)arguments->tolerance);
}

int cli_verify(int argc, char **argv) {
    verify_args arguments = {.tolerance = 2e-6f};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (!args.option && !arguments.file) {
            arguments.file = args.value;
        } else if (cli_args_is(&args, "--tolerance")) {
            cli_args_float(&args, 0.0f, 1.0f, &arguments.tolerance);
        } else if (cli_args_flag(&args, "--json")) {
            arguments.json = true;
        } else {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.file) return cli_usage("verify", "FILE is missing");

    if (!cli_check_gltf(arguments.file, "verify reads glTF files")) return CLI_BAD_INPUT;
    cli_errors errors;
    int status = cli_errors_measure(&errors, arguments.file) ? verify(&arguments, &errors) : CLI_BAD_INPUT;
    cli_errors_free(&errors);
    return status;
}
