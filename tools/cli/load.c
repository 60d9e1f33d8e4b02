// SPDX-License-Identifier: MIT
// Loads files, finds names in them, and poses them.
#include "cli/cli.h"

#include <sinew/humanoid/vrm.h>

#include "cli/draco.h"

#include "files/load.h"
#include "numbers/numbers.h"
#include "shrink/limits.h"

#include <stdlib.h>
#include <string.h>

// ---- Loading -------------------------------------------------------------------------------------------------

// Reports a file whose meshes stay empty because this build has no Draco decoder. Sets `path` to NULL once it's
// printed.
static void print_missing_decoder(const char *line, void *user) {
    const char **path = user;
    if (!*path || !strstr(line, "KHR_draco_mesh_compression")) return;
    fprintf(stderr, "sinew: %s: meshes compressed with Draco are left empty, because this build has no libdraco\n",
            *path);
    *path = NULL;
}

bool cli_is_bvh(const char *path) {
    return cli_has_suffix(path, ".bvh");
}

static void print_note(const char *line, void *user) {
    fprintf(stderr, "%s: %s\n", (const char *)user, line);
}

cli_bvh_reading cli_bvh;

bool cli_read_unit(const char *text) {
    static const struct {
        const char *name;
        float metres;
    } units[] = {{"m", 1.0f}, {"cm", 0.01f}, {"mm", 0.001f}, {"in", 0.0254f}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text, units[i].name) == 0) cli_bvh.unit = units[i].metres;
    if (cli_bvh.unit > 0.0f) return true;
    return numbers_read_float(&text, 1e-6f, 1e6f, &cli_bvh.unit) && *text == '\0';
}

bool cli_read_file_up(const char *text) {
    cli_bvh.has_up = true;
    cli_bvh.up = strcmp(text, "z") == 0 ? SINEW_UP_Z : SINEW_UP_Y;
    return cli_bvh.up == SINEW_UP_Z || strcmp(text, "y") == 0;
}

// Reads motion capture. Guesses the unit and axis unless they're given.
static bool read_bvh(const char *path, sinew_up up, const cli_storage *storage, const sinew_log *notes,
                     sinew_asset **asset, sinew_error *error) {
    sinew_bvh_options options = sinew_bvh_default();
    options.up = up;
    options.scale = cli_bvh.unit;
    options.guess_up = !cli_bvh.has_up;
    options.file_up = cli_bvh.up;
    options.key_format = storage->keys;
    options.compress_error = storage->compress_error;
    options.log = notes ? *notes : (sinew_log){print_note, (void *)(uintptr_t)path};
    return files_load_bvh(path, &options, asset, error) == SINEW_OK;
}

bool cli_is_baked(const char *path) {
    char start[8];
    size_t size;
    if (files_size(path, &size)) return cli_has_suffix(path, ".sinew"); // its loader says why
    if (size < sizeof start) return false;
    if (files_read(path, start, sizeof start)) return cli_has_suffix(path, ".sinew");
    return sinew_baked_asset_is(start, sizeof start);
}

bool cli_check_gltf(const char *path, const char *reason) {
    const bool is_baked = cli_is_baked(path);
    if (is_baked) cli_fail("%s: is a baked asset, not the glTF file that it was baked from; %s", path, reason);
    if (cli_is_bvh(path)) cli_fail("%s: %s", path, reason);
    return !is_baked && !cli_is_bvh(path);
}

// Reads a baked asset. Its axis is the one it was baked with.
static bool read_baked(const char *path, sinew_up up, sinew_asset **asset, sinew_error *error) {
    if (files_load_baked(path, asset, error) != SINEW_OK) return false;
    if ((*asset)->up == up) return true;
    const char *name = (*asset)->up == SINEW_UP_Z ? "+Z" : "+Y";
    snprintf(error->message, sizeof error->message,
             "%.400s: was baked with %s up and cannot be converted; bake "
             "it again with --up",
             path, name);
    error->result = SINEW_ERROR_UNSUPPORTED;
    sinew_asset_destroy(*asset);
    *asset = NULL;
    return false;
}

// Prints notes if `notes` is NULL.
static bool read_with_curves(const char *path, sinew_up up, const cli_storage *storage, const char *const *curves,
                             int32_t curve_count, const sinew_log *notes, sinew_asset **asset, sinew_error *error) {
    if (cli_is_bvh(path)) return read_bvh(path, up, storage, notes, asset, error);
    if (cli_is_baked(path)) return read_baked(path, up, asset, error);
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    options.meshopt_decode = cli_decode_meshopt;
    options.draco_decode = cli_draco_decoder();
    const char *unreported = path;
    if (!options.draco_decode && !notes) options.log = (sinew_log){print_missing_decoder, &unreported};
    options.up = up;
    options.key_format = storage->keys;
    options.compress_error = storage->compress_error;
    if (storage->only_authored) options.key_growth = 0.0f;
    options.curve_names = curves;
    options.curve_count = curve_count;
    return files_load_gltf(path, &options, asset, error) == SINEW_OK;
}

static bool read_stored(const char *path, sinew_up up, const cli_storage *storage, sinew_asset **asset,
                        sinew_error *error) {
    return read_with_curves(path, up, storage, NULL, 0, NULL, asset, error);
}

bool cli_read_memory(const void *data, size_t size, sinew_asset **asset, sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    options.meshopt_decode = cli_decode_meshopt;
    options.draco_decode = cli_draco_decoder();
    options.key_growth = 0.0f;
    *asset = NULL;
    return sinew_gltf_load_memory(data, size, &options, asset, error) == SINEW_OK;
}

static const cli_storage as_given = {SINEW_KEYS_FLOAT, 0.0f, false}, authored = {SINEW_KEYS_FLOAT, 0.0f, true};

bool cli_read(const char *path, sinew_asset **asset, sinew_error *error) {
    return read_stored(path, SINEW_UP_Y, &as_given, asset, error);
}

bool cli_read_authored(const char *path, sinew_asset **asset, sinew_error *error) {
    return read_stored(path, SINEW_UP_Y, &authored, asset, error);
}

bool cli_read_z_up(const char *path, sinew_asset **asset, sinew_error *error) {
    return read_stored(path, SINEW_UP_Z, &as_given, asset, error);
}

sinew_asset *cli_load_stored(const char *path, sinew_up up, const cli_storage *storage) {
    sinew_asset *asset;
    sinew_error error;
    if (read_stored(path, up, storage, &asset, &error)) return asset;
    cli_fail("%s", error.message);
    return NULL;
}

sinew_asset *cli_load_turned(const char *path, sinew_up up) {
    return cli_load_stored(path, up, &as_given);
}

sinew_asset *cli_load(const char *path) {
    return cli_load_turned(path, SINEW_UP_Y);
}

sinew_asset *cli_load_authored(const char *path) {
    return cli_load_stored(path, SINEW_UP_Y, &authored);
}

// Reads a file with other assets' curves.
static bool read_with_curves_of(const char *path, const sinew_asset *const *from, int from_count,
                                const sinew_log *notes, sinew_asset **asset, sinew_error *error) {
    size_t capacity = 1;
    int32_t count = 0;
    for (int i = 0; i < from_count; i++) capacity += (size_t)from[i]->skeleton->curve_count;
    const char **names = calloc(capacity, sizeof *names);
    for (int i = 0; names && i < from_count; i++) {
        const sinew_skeleton *skeleton = from[i]->skeleton;
        for (int32_t k = 0; k < skeleton->curve_count; k++) // property curves belong to the other file
            if (skeleton->curve_names[k][0] != '/') names[count++] = skeleton->curve_names[k];
    }
    *asset = NULL;
    *error = (sinew_error){.result = SINEW_ERROR_OUT_OF_MEMORY};
    snprintf(error->message, sizeof error->message, "%.400s: out of memory", path);
    const bool is_read = names && read_with_curves(path, SINEW_UP_Y, &authored, (const char *const *)names, count,
                                                   notes, asset, error);
    free((void *)names);
    return is_read;
}

bool cli_read_silently(const char *path, const sinew_asset *curves_of, const sinew_log *notes, sinew_asset **asset,
                       sinew_error *error) {
    return read_with_curves_of(path, &curves_of, curves_of ? 1 : 0, notes, asset, error);
}

sinew_asset *cli_load_with_curves(const char *path, const sinew_asset *const *from, int from_count) {
    sinew_asset *asset;
    sinew_error error;
    if (!read_with_curves_of(path, from, from_count, NULL, &asset, &error)) cli_fail("%s", error.message);
    return asset;
}

sinew_graph *cli_load_graph(const char *path) {
    sinew_graph *graph;
    sinew_error error;
    if (files_load_graph(path, &graph, &error) == SINEW_OK) return graph;
    cli_fail("%s", error.message);
    return NULL;
}

// ---- Names ---------------------------------------------------------------------------------------------------

// Writes as many existing names to error[size] as fit. `name` is NULL if none was given.
static void list_names(const char *path, const char *what, const char *name, const char *const *names,
                       int32_t count, char *error, size_t size) {
    enum { MAX_LISTED = 24 };
    char list[2048] = "";
    size_t length = 0;
    int32_t listed = 0;
    for (; listed < count && listed < MAX_LISTED && length < sizeof list; listed++) {
        const int written =
            snprintf(list + length, sizeof list - length, "%s '%s'", listed ? "," : "", names[listed]);
        length += written > 0 ? (size_t)written : 0;
    }
    if (!name && count > 0) {
        snprintf(error, size, "%s: has several %ss; choose one with --%s:%s%s", path, what, what, list,
                 count > listed ? ", ..." : "");
    } else if (!name) {
        snprintf(error, size, "%s: has no %s", path, what);
    } else if (count == 0) {
        snprintf(error, size, "%s: no %s '%s'; the file has none", path, what, name);
    } else if (count > listed) {
        snprintf(error, size, "%s: no %s '%s'; the file has%s and %d more", path, what, name, list, count - listed);
    } else {
        snprintf(error, size, "%s: no %s '%s'; the file has%s", path, what, name, list);
    }
}

const sinew_clip *cli_search_clip(const sinew_asset *asset, const char *path, const char *name, char *error,
                                  size_t size) {
    if (!name && asset->clip_count == 1) return &asset->clips[0];
    const sinew_clip *clip = name ? sinew_asset_find_clip(asset, name) : NULL;
    if (clip) return clip;
    if (name && name[0] == '#') {
        const char *end = name + 1;
        int index;
        if (numbers_read_whole(&end, 0, asset->clip_count - 1, &index) && *end == '\0') return &asset->clips[index];
    }
    const char *names[32];
    int32_t count = asset->clip_count;
    for (int32_t i = 0; i < count && i < 32; i++) names[i] = asset->clips[i].name;
    list_names(path, "clip", name, names, count, error, size);
    return NULL;
}

const sinew_clip *cli_find_clip(const sinew_asset *asset, const char *path, const char *name) {
    char error[4096];
    const sinew_clip *clip = cli_search_clip(asset, path, name, error, sizeof error);
    if (!clip) cli_fail("%s", error);
    return clip;
}

int32_t cli_find_node(const sinew_asset *asset, const char *path, const char *name) {
    int32_t node = sinew_skeleton_find(asset->skeleton, name);
    if (node == SINEW_NO_NODE) {
        char error[4096];
        list_names(path, "node", name, asset->skeleton->names, asset->skeleton->node_count, error, sizeof error);
        cli_fail("%s", error);
    }
    return node;
}

// ---- Posing --------------------------------------------------------------------------------------------------

bool cli_allows_pose(const sinew_asset *asset, const char *path) {
    char error[1024];
    const bool is_allowed = limits_allow_pose(asset, path, error, sizeof error);
    if (!is_allowed) cli_fail("%s", error);
    return is_allowed;
}

bool cli_pose_arg(cli_pose_args *pose_args, cli_args *args) {
    if (!args->option && !pose_args->file) {
        pose_args->file = args->value;
    } else if (cli_args_is(args, "--clip")) {
        pose_args->clip = cli_args_value(args);
    } else if (cli_args_is(args, "--time")) {
        pose_args->has_time = cli_args_float(args, 0.0f, 1e9f, &pose_args->time);
    } else if (cli_args_flag(args, "--json")) {
        pose_args->json = true;
    } else if (cli_args_is(args, "--up")) {
        cli_args_up(args, &pose_args->up);
    } else {
        return false;
    }
    return true;
}

bool cli_posed_load(cli_posed *posed, const cli_pose_args *pose_args) {
    *posed = (cli_posed){0};
    posed->asset = cli_load_turned(pose_args->file, pose_args->up);
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

// Allocates a primitive's positions, normals and tangents. Returns false if memory runs out.
static bool allocate_vertices(const sinew_primitive *primitive, cli_vertices *vertices) {
    size_t count = (size_t)primitive->vertex_count;
    *vertices = (cli_vertices){.positions = malloc((3 * count + 1) * sizeof(float))};
    if (primitive->normals) vertices->normals = malloc((3 * count + 1) * sizeof(float));
    if (primitive->tangents) vertices->tangents = malloc((4 * count + 1) * sizeof(float));
    return vertices->positions && !vertices->normals == !primitive->normals &&
           !vertices->tangents == !primitive->tangents;
}

static void morph_vertices(const sinew_primitive *primitive, const float *weights, const cli_vertices *out) {
    size_t count = (size_t)primitive->vertex_count;
    int32_t targets = primitive->target_count;
    sinew_morph(primitive->positions, primitive->target_positions, weights, targets, (int32_t)(3 * count),
                out->positions);
    if (out->normals)
        sinew_morph(primitive->normals, primitive->target_normals, weights, targets, (int32_t)(3 * count),
                    out->normals);
    if (out->tangents)
        sinew_morph_tangents(primitive->tangents, primitive->target_tangents, weights, targets, (int32_t)count,
                             out->tangents);
}

static void skin_by_palette(const sinew_primitive *primitive, const sinew_affine *palette, const cli_vertices *in,
                            const cli_vertices *out) {
    sinew_skin_job job = sinew_primitive_skin_job(primitive);
    job.positions = in->positions;
    job.normals = in->normals;
    job.tangents = in->tangents;
    job.out_positions = out->positions;
    job.out_normals = out->normals;
    job.out_tangents = out->tangents;
    sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
}

// Skins a mesh that has no skin to one joint, its node.
static bool skin_to_node(const sinew_primitive *primitive, const sinew_affine *model, const cli_vertices *in,
                         const cli_vertices *out) {
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
        skin_by_palette(&rigid, model, in, out);
    }
    free(joints);
    free(weights);
    return good;
}

static bool skin_vertices(const sinew_asset *asset, const sinew_mesh_node *mesh_node,
                          const sinew_primitive *primitive, const sinew_affine *model, const cli_vertices *in,
                          const cli_vertices *out) {
    if (mesh_node->skin < 0 || primitive->influences == 0) {
        return skin_to_node(primitive, &model[mesh_node->node], in, out);
    }
    const sinew_skin *skin = &asset->skins[mesh_node->skin];
    sinew_affine *palette = malloc(((size_t)skin->joint_count + 1) * sizeof *palette);
    if (!palette) return false;
    sinew_skin_palette(skin, model, palette);
    skin_by_palette(primitive, palette, in, out);
    free(palette);
    return true;
}

bool cli_skin_primitive(const sinew_asset *asset, const sinew_mesh_node *mesh_node,
                        const sinew_primitive *primitive, const float *weights, const sinew_affine *model,
                        cli_vertices *vertices) {
    cli_vertices morphed = {0};
    bool good = allocate_vertices(primitive, vertices) && allocate_vertices(primitive, &morphed);
    if (good && primitive->vertex_count > 0) { // without positions there aren't any arrays
        morph_vertices(primitive, weights + asset->skeleton->weight_offsets[mesh_node->node], &morphed);
        good = skin_vertices(asset, mesh_node, primitive, model, &morphed, vertices);
    }
    cli_vertices_free(&morphed);
    return good;
}

void cli_vertices_free(cli_vertices *vertices) {
    free(vertices->positions);
    free(vertices->normals);
    free(vertices->tangents);
    *vertices = (cli_vertices){0};
}
