// SPDX-License-Identifier: MIT
// sinew pose: prints local and world transforms, skin matrices, morph weights and curves.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

static const char help[] =
    "usage: sinew pose FILE [--clip NAME] [--time SECONDS] [--up y|z] [--json]\n"
    "\n"
    "Prints a glTF file's pose at one time of a clip: every node's local and world transform, every skin's\n"
    "matrices, the morph weights and the curves, in the file's order.\n"
    "\n"
    "  --clip NAME      picks a clip by name; '#3' is the fourth (default: the rest pose)\n"
    "  --time SECONDS   sets the time in the clip (default 0), clamped to each channel's keys, never looped\n"
    "  --up y|z         sets the up axis: y, as in the file (default), or z\n"
    "  --json           prints JSON with exact numbers (docs/json.md) instead of a table of nodes\n"
    "\n"
    "example: sinew pose hero.glb --clip Walk --time 0.5\n";

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_matrix(sinew_affine matrix) {
    sinew_mat4 columns = sinew_mat4_from_affine(matrix);
    cli_json_floats(stdout, columns.m, 16);
}

static void print_node(const cli_posed *posed, int32_t source) {
    const sinew_skeleton *skeleton = posed->asset->skeleton;
    int32_t node = skeleton->node_of_source[source];
    sinew_transform t = sinew_pose_get(posed->pose, node);
    printf("{\"node\":%d,\"name\":", source);
    cli_json_string(stdout, skeleton->names[node]);
    printf(",\"translation\":");
    cli_json_floats(stdout, (float[]){t.translation.x, t.translation.y, t.translation.z}, 3);
    printf(",\"rotation\":");
    cli_json_floats(stdout, (float[]){t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w}, 4);
    printf(",\"scale\":");
    cli_json_floats(stdout, (float[]){t.scale.x, t.scale.y, t.scale.z}, 3);
    printf(",\"world\":");
    print_matrix(posed->model[node]);
    int32_t first = skeleton->weight_offsets[node], end = skeleton->weight_offsets[node + 1];
    if (end > first) {
        printf(",\"weights\":");
        cli_json_floats(stdout, posed->pose->weights + first, (size_t)(end - first));
    }
    printf("}");
}

static bool print_skin(const cli_posed *posed, int32_t index) {
    const sinew_skin *skin = &posed->asset->skins[index];
    sinew_affine *palette = malloc(((size_t)skin->joint_count + 1) * sizeof *palette);
    if (!palette) return false;
    sinew_skin_palette(skin, posed->model, palette);
    printf("{\"skin\":%d,\"name\":", index);
    cli_json_string(stdout, skin->name);
    printf(",\"joints\":[");
    for (int32_t i = 0; i < skin->joint_count; i++) {
        printf("%s%d", i ? "," : "", skin->skeleton->source_of_node[skin->joints[i]]);
    }
    printf("],\"matrices\":[");
    for (int32_t i = 0; i < skin->joint_count; i++) {
        if (i > 0) printf(",");
        print_matrix(palette[i]);
    }
    printf("]}");
    free(palette);
    return true;
}

static bool print_json(const cli_posed *posed, float time) {
    printf("{\"clip\":");
    if (posed->clip) {
        cli_json_string(stdout, posed->clip->name);
    } else {
        printf("null");
    }
    printf(",\"time\":%.9g,\"nodes\":[", (double)time);
    for (int32_t i = 0; i < posed->asset->skeleton->node_count; i++) {
        printf("%s\n", i ? "," : "");
        print_node(posed, i);
    }
    printf("],\"skins\":[");
    for (int32_t i = 0; i < posed->asset->skin_count; i++) {
        printf("%s\n", i ? "," : "");
        if (!print_skin(posed, i)) return false;
    }
    printf("],\"curves\":[");
    for (int32_t i = 0; i < posed->asset->skeleton->curve_count; i++) {
        printf("%s\n{\"name\":", i ? "," : "");
        cli_json_string(stdout, posed->asset->skeleton->curve_names[i]);
        printf(",\"value\":%.9g}", (double)posed->pose->curves[i]);
    }
    printf("]}\n");
    return true;
}

// ---- Table ---------------------------------------------------------------------------------------------------

// Returns the approximate width of a UTF-8 name on the screen, in characters.
static int width_of(const char *name) {
    int width = 0;
    for (; *name; name++) width += ((unsigned char)*name & 0xc0) != 0x80;
    return width;
}

// Replaces values near 0 with 0, to avoid -0.000 in the table.
static double tidy(float value) {
    return fabsf(value) < 0.0005f ? 0.0 : (double)value;
}

enum { MAX_INDENT = 12 }; // levels

// Returns false if memory runs out.
static bool print_table(const cli_posed *posed) {
    const sinew_skeleton *skeleton = posed->asset->skeleton;
    int *depths = calloc((size_t)skeleton->node_count + 1, sizeof *depths);
    if (!depths) return false;
    printf("%-6s %-28s %-27s %-35s %-27s %s\n", "node", "name", "translation", "rotation (x y z w)", "scale",
           "world position");
    for (int32_t i = 0; i < skeleton->node_count; i++) { // parents first, children indented
        sinew_transform t = sinew_pose_get(posed->pose, i);
        int32_t parent = skeleton->parents[i];
        if (parent != SINEW_NO_NODE) depths[i] = depths[parent] < MAX_INDENT ? depths[parent] + 1 : MAX_INDENT;
        int depth = depths[i];
        const char *name = cli_text(skeleton->names[i]);
        int fill = 28 - depth - width_of(name);
        const sinew_affine *world = &posed->model[i];
        printf("%-6d %*s%s%*s %8.3f %8.3f %8.3f  %8.4f %8.4f %8.4f %8.4f  %8.3f %8.3f %8.3f  %8.3f %8.3f %8.3f\n",
               skeleton->source_of_node[i], depth, "", name, fill > 0 ? fill : 0, "", tidy(t.translation.x),
               tidy(t.translation.y), tidy(t.translation.z), tidy(t.rotation.x), tidy(t.rotation.y),
               tidy(t.rotation.z), tidy(t.rotation.w), tidy(t.scale.x), tidy(t.scale.y), tidy(t.scale.z),
               tidy(world->m[0][3]), tidy(world->m[1][3]), tidy(world->m[2][3]));
    }
    free(depths);
    for (int32_t i = 0; i < skeleton->curve_count; i++) {
        printf("curve '%s' %.6g\n", cli_text(skeleton->curve_names[i]), (double)posed->pose->curves[i]);
    }
    return true;
}

// ---- The command ---------------------------------------------------------------------------------------------

int cli_pose(int argc, char **argv) {
    cli_pose_args pose_args = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (!cli_pose_arg(&pose_args, &args)) return cli_args_unknown(&args);
    }
    if (args.failed) return CLI_USAGE;
    if (!pose_args.file) return cli_usage("pose", "FILE is missing");
    if (pose_args.has_time && !pose_args.clip) return cli_usage("pose", "--time needs a --clip");

    cli_posed posed;
    bool good = cli_posed_load(&posed, &pose_args);
    if (good) {
        good = pose_args.json ? print_json(&posed, pose_args.time) : print_table(&posed);
        if (!good) cli_lose_text();
    }
    cli_posed_free(&posed);
    return cli_flush_stdout() && good ? CLI_GOOD : CLI_BAD_INPUT;
}
