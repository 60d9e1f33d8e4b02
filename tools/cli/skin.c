// SPDX-License-Identifier: MIT
// sinew skin: skins vertices on the CPU.
#include "cli/cli.h"

#include "cli/output.h"

static const char help[] =
    "usage: sinew skin FILE [--clip NAME] [--time SECONDS] [--up y|z] [--json | --obj OUT]\n"
    "\n"
    "Skins a glTF file's meshes on the CPU in one pose, including morph targets. Prints each mesh's posed\n"
    "bounds, unless you use --json or --obj.\n"
    "\n"
    "  --clip NAME      picks a clip by name; '#3' is the fourth (default: the rest pose)\n"
    "  --time SECONDS   sets the time in the clip (default 0), clamped to each channel's keys, never looped\n"
    "  --up y|z         sets the up axis: y, as in the file (default), or z\n"
    "  --json           prints positions and normals as JSON, in the file's order (docs/json.md)\n"
    "  --obj OUT        writes the posed meshes as a Wavefront .obj; '-' is standard output. OUT must not be\n"
    "                   an input file\n"
    "\n"
    "example: sinew skin hero.glb --clip Walk --time 0.5 --obj walk.obj\n";

typedef struct skin_args {
    cli_pose_args pose;
    const char *obj;
} skin_args;

// The output and its format.
typedef struct writer {
    FILE *out;
    bool json, obj;
    int written;
    int first_vertex; // .obj numbers the vertices of the whole file, starting at 1
    int first_normal;
} writer;

static void write_json(writer *to, const sinew_asset *asset, const sinew_mesh_node *mesh_node, int32_t index,
                       const sinew_primitive *primitive, const cli_vertices *vertices) {
    size_t count = (size_t)primitive->vertex_count * 3;
    fprintf(to->out, "%s\n{\"node\":%d,\"mesh\":%d,\"primitive\":%d,\"positions\":", to->written ? "," : "",
            asset->skeleton->source_of_node[mesh_node->node], mesh_node->mesh, index);
    cli_json_floats(to->out, vertices->positions, count);
    fprintf(to->out, ",\"normals\":");
    cli_json_floats(to->out, vertices->normals, vertices->normals ? count : 0);
    fprintf(to->out, "}");
}

static void write_obj_vectors(FILE *out, const char *tag, const float *vectors, int32_t count) {
    for (int32_t i = 0; i < count; i++, vectors += 3) {
        fprintf(out, "%s %.9g %.9g %.9g\n", tag, (double)vectors[0], (double)vectors[1], (double)vectors[2]);
    }
}

static void write_obj(writer *to, const sinew_asset *asset, const sinew_mesh_node *mesh_node, int32_t index,
                      const sinew_primitive *primitive, const cli_vertices *vertices) {
    fprintf(to->out, "o %s_%d_%d\n", cli_short_text(asset->meshes[mesh_node->mesh].name), mesh_node->node, index);
    write_obj_vectors(to->out, "v", vertices->positions, primitive->vertex_count);
    if (vertices->normals) write_obj_vectors(to->out, "vn", vertices->normals, primitive->vertex_count);
    for (int32_t i = 0; i < primitive->index_count; i += 3) {
        fprintf(to->out, "f");
        for (int32_t corner = 0; corner < 3; corner++) {
            int vertex = (int)primitive->indices[i + corner];
            fprintf(to->out, " %d", vertex + to->first_vertex);
            if (vertices->normals) fprintf(to->out, "//%d", vertex + to->first_normal);
        }
        fprintf(to->out, "\n");
    }
    to->first_vertex += primitive->vertex_count;
    if (vertices->normals) to->first_normal += primitive->vertex_count;
}

static void write_bounds(writer *to, const sinew_asset *asset, const sinew_mesh_node *mesh_node, int32_t index,
                         const sinew_primitive *primitive, const cli_vertices *vertices) {
    float least[3] = {0}, most[3] = {0};
    for (int32_t i = 0; i < 3 * primitive->vertex_count; i++) {
        float x = vertices->positions[i];
        int axis = i % 3;
        if (i < 3 || x < least[axis]) least[axis] = x;
        if (i < 3 || x > most[axis]) most[axis] = x;
    }
    fprintf(to->out,
            "node %d, mesh '%s', primitive %d: %d vertices, x %.4g to %.4g, y %.4g to %.4g, z %.4g to %.4g\n",
            asset->skeleton->source_of_node[mesh_node->node], cli_short_text(asset->meshes[mesh_node->mesh].name),
            index, primitive->vertex_count, (double)least[0], (double)most[0], (double)least[1], (double)most[1],
            (double)least[2], (double)most[2]);
}

static bool write_instance(writer *to, const cli_posed *posed, const sinew_mesh_node *mesh_node) {
    const sinew_mesh *mesh = &posed->asset->meshes[mesh_node->mesh];
    for (int32_t i = 0; i < mesh->primitive_count; i++) {
        const sinew_primitive *primitive = &mesh->primitives[i];
        cli_vertices vertices;
        bool good =
            cli_skin_primitive(posed->asset, mesh_node, primitive, posed->pose->weights, posed->model, &vertices);
        if (good) {
            if (to->json) {
                write_json(to, posed->asset, mesh_node, i, primitive, &vertices);
            } else if (to->obj) {
                write_obj(to, posed->asset, mesh_node, i, primitive, &vertices);
            } else {
                write_bounds(to, posed->asset, mesh_node, i, primitive, &vertices);
            }
            to->written++;
        }
        cli_vertices_free(&vertices);
        if (!good) return false;
    }
    return true;
}

static bool write_all(writer *to, const cli_posed *posed) {
    if (to->json) fprintf(to->out, "{\"meshes\":[");
    for (int32_t i = 0; i < posed->asset->mesh_node_count; i++) {
        if (!write_instance(to, posed, &posed->asset->mesh_nodes[i])) return false;
    }
    if (to->json) fprintf(to->out, "]}\n");
    return true;
}

static int print(const skin_args *arguments, const cli_posed *posed) {
    writer to = {.out = stdout, .json = arguments->pose.json};
    if (!write_all(&to, posed)) return cli_fail("%s: out of memory", arguments->pose.file);
    return cli_flush_stdout() ? CLI_GOOD : CLI_BAD_INPUT;
}

static int write_obj_file(const skin_args *arguments, const cli_posed *posed) {
    const cli_output_def def = {"skin", "--obj", arguments->obj};
    cli_output output;
    const int opened = cli_output_open(&output, &def);
    if (opened != CLI_GOOD) return opened;
    writer to = {.out = output.file, .obj = true, .first_vertex = 1, .first_normal = 1};
    if (write_all(&to, posed)) return cli_output_close(&output);
    cli_output_discard(&output);
    return cli_fail("%s: out of memory", arguments->pose.file);
}

static int run(const skin_args *arguments) {
    cli_posed posed;
    int status = CLI_BAD_INPUT;
    if (cli_posed_load(&posed, &arguments->pose) && cli_allows_pose(posed.asset, arguments->pose.file)) {
        status = arguments->obj ? write_obj_file(arguments, &posed) : print(arguments, &posed);
    }
    cli_posed_free(&posed);
    return status;
}

int cli_skin(int argc, char **argv) {
    skin_args arguments = {0};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (cli_args_is(&args, "--obj")) {
            arguments.obj = cli_args_file(&args);
        } else if (!cli_pose_arg(&arguments.pose, &args)) {
            return cli_args_unknown(&args);
        }
    }
    if (args.failed) return CLI_USAGE;
    if (!arguments.pose.file) return cli_usage("skin", "FILE is missing");
    if (arguments.pose.has_time && !arguments.pose.clip) return cli_usage("skin", "--time needs a --clip");
    if (arguments.pose.json && arguments.obj) return cli_usage("skin", "--json and --obj cannot be used together");
    const cli_output_def output = {"skin", "--obj", arguments.obj};
    if (arguments.obj && !cli_output_has_ending(&output, ".obj", NULL)) return CLI_USAGE;
    return run(&arguments);
}
