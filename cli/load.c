// Loading files and posing them: what pose, skin and render start with.
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- Loading -------------------------------------------------------------------------------------------------

bool cli_read(const char *path, sinew_asset **asset, sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default_options();
    options.meshopt_decode = cli_decode_meshopt;
    *asset = NULL;
    return sinew_gltf_load_file(path, &options, asset, error) == SINEW_OK;
}

sinew_asset *cli_load(const char *path) {
    sinew_asset *asset;
    sinew_error error;
    if (cli_read(path, &asset, &error)) return asset;
    cli_fail("%s", error.message);
    return NULL;
}

// ---- Names ---------------------------------------------------------------------------------------------------

// One line that names what there is, as far as a line goes.
static void fail_with_names(const char *path, const char *what, const char *name, const char *const *names,
                            int32_t count) {
    enum { MOST = 24 };
    fprintf(stderr, "sinew: %s: there is no %s '%s'", path, what, name);
    fprintf(stderr, count > 0 ? "; there are" : "; there are none");
    for (int32_t i = 0; i < count && i < MOST; i++) fprintf(stderr, "%s '%s'", i ? "," : "", names[i]);
    if (count > MOST) fprintf(stderr, " and %d more", count - MOST);
    fprintf(stderr, "\n");
}

const sinew_clip *cli_find_clip(const sinew_asset *asset, const char *path, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(asset, name);
    if (clip) return clip;
    if (name[0] == '#') {
        char *end;
        errno = 0;
        long index = strtol(name + 1, &end, 10);
        bool whole = end != name + 1 && *end == '\0' && errno == 0;
        if (whole && index >= 0 && index < asset->clip_count) return &asset->clips[index];
    }
    const char *names[32];
    int32_t count = asset->clip_count;
    for (int32_t i = 0; i < count && i < 32; i++) names[i] = asset->clips[i].name;
    fail_with_names(path, "clip", name, names, count);
    return NULL;
}

int32_t cli_find_node(const sinew_asset *asset, const char *path, const char *name) {
    int32_t node = sinew_skeleton_find(asset->skeleton, name);
    if (node == SINEW_NO_NODE) {
        fail_with_names(path, "node", name, asset->skeleton->names, asset->skeleton->node_count);
    }
    return node;
}

// ---- Posing --------------------------------------------------------------------------------------------------

bool cli_pose_arg(cli_pose_args *pose_args, cli_args *args) {
    if (!args->option && !pose_args->file) {
        pose_args->file = args->value;
    } else if (cli_args_is(args, "--clip")) {
        pose_args->clip = cli_args_value(args);
    } else if (cli_args_is(args, "--time")) {
        pose_args->has_time = cli_args_float(args, 0.0f, 1e9f, &pose_args->time);
    } else if (cli_args_flag(args, "--json")) {
        pose_args->json = true;
    } else {
        return false;
    }
    return true;
}

bool cli_posed_load(cli_posed *posed, const cli_pose_args *pose_args) {
    *posed = (cli_posed){0};
    posed->asset = cli_load(pose_args->file);
    if (!posed->asset) return false;
    if (pose_args->clip) {
        posed->clip = cli_find_clip(posed->asset, pose_args->file, pose_args->clip);
        if (!posed->clip) return false;
    }
    const sinew_skeleton *skeleton = posed->asset->skeleton;
    posed->model = malloc(((size_t)skeleton->node_count + 1) * sizeof *posed->model);
    if (!posed->model || sinew_pose_create(skeleton, NULL, &posed->pose) != SINEW_OK) {
        cli_fail("%s: out of memory", pose_args->file);
        return false;
    }
    if (posed->clip) sinew_clip_sample(posed->clip, pose_args->time, posed->pose);
    sinew_pose_to_model(posed->pose, posed->model);
    return true;
}

void cli_posed_free(cli_posed *posed) {
    free(posed->model);
    sinew_pose_destroy(posed->pose);
    sinew_asset_destroy(posed->asset);
    *posed = (cli_posed){0};
}

// ---- Vertices ------------------------------------------------------------------------------------------------

// A copy of a vertex array with the morph targets added; NULL when memory runs out.
static float *morphed(const float *base, const float *const *deltas, const float *weights, int32_t target_count,
                      size_t float_count) {
    float *out = malloc((float_count + 1) * sizeof *out);
    if (out) sinew_morph(base, deltas, weights, target_count, float_count, out);
    return out;
}

static void skin_in_place(const sinew_primitive *primitive, const sinew_affine *palette, cli_vertices *vertices,
                          const float *positions, const float *normals) {
    sinew_skin_job job = sinew_skin_job_default();
    job.influences = primitive->influences;
    job.joints = primitive->joints;
    job.weights = primitive->weights;
    job.positions = positions;
    job.normals = normals;
    job.out_positions = vertices->positions;
    job.out_normals = vertices->normals;
    sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
}

// A mesh without a skin is a mesh on one joint: its node.
static bool skin_to_node(const sinew_primitive *primitive, const sinew_affine *model, cli_vertices *vertices,
                         const float *positions, const float *normals) {
    size_t count = (size_t)primitive->vertex_count * 4;
    uint16_t *joints = calloc(count + 1, sizeof *joints);
    float *weights = calloc(count + 1, sizeof *weights);
    bool good = joints && weights;
    if (good) {
        for (size_t i = 0; i < count; i += 4) weights[i] = 1.0f;
        sinew_primitive rigid = *primitive;
        rigid.influences = 4;
        rigid.joints = joints;
        rigid.weights = weights;
        skin_in_place(&rigid, model, vertices, positions, normals);
    }
    free(joints);
    free(weights);
    return good;
}

static bool skin_arrays(const sinew_asset *asset, const sinew_mesh_instance *instance,
                        const sinew_primitive *primitive, const sinew_affine *model, cli_vertices *vertices,
                        const float *positions, const float *normals) {
    if (instance->skin < 0 || primitive->influences == 0) {
        return skin_to_node(primitive, &model[instance->node], vertices, positions, normals);
    }
    const sinew_skin *skin = &asset->skins[instance->skin];
    sinew_affine *palette = malloc(((size_t)skin->joint_count + 1) * sizeof *palette);
    if (!palette) return false;
    sinew_skin_palette(skin, model, palette);
    skin_in_place(primitive, palette, vertices, positions, normals);
    free(palette);
    return true;
}

bool cli_skin_primitive(const sinew_asset *asset, const sinew_mesh_instance *instance,
                        const sinew_primitive *primitive, const float *weights, const sinew_affine *model,
                        cli_vertices *vertices) {
    *vertices = (cli_vertices){0};
    size_t count = (size_t)primitive->vertex_count * 3;
    const float *mine = weights + asset->skeleton->weight_offsets[instance->node];
    float *positions =
        morphed(primitive->positions, primitive->target_positions, mine, primitive->target_count, count);
    float *normals = NULL;
    vertices->positions = malloc((count + 1) * sizeof(float));
    bool good = positions && vertices->positions;
    if (good && primitive->normals) {
        normals = morphed(primitive->normals, primitive->target_normals, mine, primitive->target_count, count);
        vertices->normals = malloc((count + 1) * sizeof(float));
        good = normals && vertices->normals;
    }
    good = good && skin_arrays(asset, instance, primitive, model, vertices, positions, normals);
    free(positions);
    free(normals);
    return good;
}

void cli_vertices_free(cli_vertices *vertices) {
    free(vertices->positions);
    free(vertices->normals);
    *vertices = (cli_vertices){0};
}
