// SPDX-License-Identifier: MIT
// Evaluates each chosen pose with the library and with tools/reference, and measures the difference.
#include "cli/verify_errors.h"

#include "cli/draco.h"

#include "shrink/limits.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The times to compare in one clip.
typedef struct moments {
    int32_t count;
    float *times;
} moments;

// What a comparison needs besides the errors.
typedef struct comparison {
    cli_errors *errors;
    sinew_pose *pose;
    sinew_affine *matrices;
    ref_pose expected;
    double *palette;       // big enough for the largest skin
    ref_vertices vertices; // big enough for the largest primitive
    moments *clips;
    bool *sized;          // [node]; its position counts toward the model's size
    int32_t clip;         // clip of the current pose; -1 for the rest pose
    float time;           // time of the current pose
    int32_t chosen_poses; // number of poses to compare
    int32_t step;         // compare only every step-th pose of the clips
} comparison;

static bool fail_memory(const char *path) {
    cli_fail("%s: out of memory", path);
    return false;
}

// ---- Times -------------------------------------------------------------------------------------------------------

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int compare_times(const void *a, const void *b) {
    const double *x = (*(const ref_channel *const *)a)->times, *y = (*(const ref_channel *const *)b)->times;
    return (x > y) - (x < y);
}

// Lists one channel per time accessor, because many channels may share one. Returns the number of channels.
static int32_t list_timelines(const ref_animation *animation, const ref_channel **timelines) {
    int32_t kept = 0;
    for (int32_t c = 0; c < animation->channel_count; c++) timelines[c] = &animation->channels[c];
    qsort(timelines, (size_t)animation->channel_count, sizeof *timelines, compare_times); // NOLINT: pointers
    for (int32_t c = 0; c < animation->channel_count; c++) {
        if (kept == 0 || timelines[c]->times != timelines[kept - 1]->times) timelines[kept++] = timelines[c];
    }
    return kept;
}

// Collects all channels' key times, sorted and without duplicates, on the heap. Returns NULL if memory runs out.
static float *collect_keys(const ref_animation *animation, int32_t *kept) {
    size_t channels = (size_t)animation->channel_count, most = 0, count = 0;
    const ref_channel **timelines = malloc((channels + 1) * sizeof *timelines); // NOLINT: pointers
    int32_t timeline_count = timelines ? list_timelines(animation, timelines) : 0;
    for (int32_t i = 0; i < timeline_count; i++) most += (size_t)timelines[i]->key_count;
    float *keys = timelines ? malloc((most + 1) * sizeof *keys) : NULL;
    for (int32_t i = 0; keys && i < timeline_count; i++) {
        for (int32_t k = 0; k < timelines[i]->key_count; k++) keys[count++] = (float)timelines[i]->times[k];
    }
    free(timelines);
    *kept = 0;
    if (!keys) return NULL;
    qsort(keys, count, sizeof *keys, compare_floats);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[*kept - 1]) keys[(*kept)++] = keys[i];
    }
    return keys;
}

enum { INTERVAL_TIMES = 6 }; // times per interval: its first key, and those between

// Adds a key, then the time just after it, three in between, and one just before the next key.
static int32_t add_interval(float from, float to, float *out) {
    const float times[INTERVAL_TIMES] = {from,
                                         nextafterf(from, FLT_MAX),
                                         from + 0.2f * (to - from),
                                         from + 0.5f * (to - from),
                                         from + 0.9f * (to - from),
                                         nextafterf(to, -FLT_MAX)};
    int32_t count = 0;
    for (int i = 0; i < INTERVAL_TIMES; i++) {
        if (i == 0 || (times[i] > out[count - 1] && times[i] < to)) out[count++] = times[i];
    }
    return count;
}

static bool choose_moments(sinewi_arena *arena, const ref_animation *animation, moments *out) {
    int32_t count;
    float *keys = collect_keys(animation, &count);
    out->times = sinewi_arena_array(arena, float, (size_t)count *INTERVAL_TIMES + 5);
    if (keys && out->times && count > 0) {
        float first = keys[0], last = keys[count - 1], *to = out->times;
        *to++ = first - 1.0f;
        *to++ = nextafterf(first, -FLT_MAX);
        for (int32_t k = 0; k + 1 < count; k++) to += add_interval(keys[k], keys[k + 1], to);
        *to++ = last;
        *to++ = nextafterf(last, FLT_MAX);
        *to++ = last + 1.0f;
        out->count = (int32_t)(to - out->times);
        // Clips start at 0 s. Keys before that affect what's in between, but can't be reached.
        for (int32_t i = 0; i < out->count && first < 0.0f; i++) out->times[i] = fmaxf(out->times[i], 0.0f);
    }
    bool good = keys && out->times;
    free(keys);
    return good;
}

// ---- Errors ------------------------------------------------------------------------------------------------------

// Treats an error that isn't finite as infinite.
static double or_infinity(double error) {
    return isfinite(error) ? error : (double)INFINITY;
}

static double distance(const float *actual, const double *expected, int width) {
    double sum = 0.0;
    for (int i = 0; i < width; i++) {
        double d = (double)actual[i] - expected[i];
        sum += d * d;
    }
    return or_infinity(sqrt(sum));
}

static void note(const comparison *c, cli_worst *worst, double error, int32_t vertex) {
    if (error > worst->error) *worst = (cli_worst){error, c->clip, c->time, vertex};
}

// Returns the largest finite magnitude. With an infinite size, every relative error would be 0.
static double largest(const double *numbers, size_t count, double so_far) {
    for (size_t i = 0; i < count; i++) {
        if (isfinite(numbers[i])) so_far = fmax(so_far, fabs(numbers[i]));
    }
    return so_far;
}

// ---- Nodes -------------------------------------------------------------------------------------------------------

static void compare_node(comparison *c, int32_t index) {
    cli_node_errors *node = &c->errors->nodes[index];
    const double *expected = c->expected.worlds + 16 * (ptrdiff_t)index;
    const sinew_affine *actual = &c->matrices[c->errors->asset->skeleton->node_of_source[index]];
    double difference = 0.0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            const double *element = &expected[4 * column + row];
            difference = fmax(difference, or_infinity(fabs((double)actual->m[row][column] - *element)));
            node->scale = largest(element, 1, node->scale);
        }
    }
    const float position[3] = {actual->m[0][3], actual->m[1][3], actual->m[2][3]};
    node->reach = largest(expected + 12, 3, node->reach);
    if (c->sized[index]) c->errors->size = fmax(c->errors->size, node->reach);
    note(c, &node->position, distance(position, expected + 12, 3), 0);
    note(c, &node->matrix, difference, 0);
}

// ---- Vertices ----------------------------------------------------------------------------------------------------

// Returns whether the area around a vertex has a volume. If it's nearly flat, rounding decides which side of the
// surface faces out, but then it isn't visible.
static bool has_volume(const comparison *c, const cli_mesh_errors *mesh, int32_t vertex) {
    return c->vertices.volumes[vertex] > 1e-5 * mesh->scale * mesh->scale * mesh->scale;
}

// Multiplies errors of directions by the vector's remainder. If a normal is a small difference between large terms, the
// last bits of the file's floats turn it.
static void compare_directions(const comparison *c, const cli_mesh_errors *mesh, cli_worst *worst,
                               const float *actual, const double *expected, const double *remainders, int width) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        if (!has_volume(c, mesh, v)) continue;
        double error = distance(actual + (ptrdiff_t)width * v, expected + (ptrdiff_t)width * v, width);
        note(c, worst, isfinite(error) ? error * remainders[v] : error, v);
    }
}

static bool compare_primitive(comparison *c, const sinew_mesh_node *mesh_node, cli_mesh_errors *mesh) {
    cli_errors *errors = c->errors;
    const ref_primitive *expected = &errors->model.meshes[mesh->mesh].primitives[mesh->primitive];
    const sinew_primitive *actual = &errors->asset->meshes[mesh->mesh].primitives[mesh->primitive];
    int32_t count = mesh->vertex_count;
    cli_vertices vertices;
    bool good = cli_skin_primitive(errors->asset, mesh_node, actual, c->pose->weights, c->matrices, &vertices);
    if (good) {
        ref_vertices wanted = c->vertices;
        if (!expected->base.normals) wanted.normals = NULL;
        if (!expected->base.tangents) wanted.tangents = NULL;
        ref_move_vertices(&errors->model, &c->expected, mesh->node, expected, c->palette, &wanted);
        errors->size = largest(wanted.positions, 3 * (size_t)count, errors->size);
        mesh->scale = largest(wanted.scales, (size_t)count, mesh->scale);
        for (ptrdiff_t v = 0; v < count; v++) {
            double error = distance(vertices.positions + 3 * v, wanted.positions + 3 * v, 3);
            note(c, &mesh->position, error, (int32_t)v);
        }
        if (wanted.normals)
            compare_directions(c, mesh, &mesh->normal, vertices.normals, wanted.normals, wanted.normal_remainders,
                               3);
        if (wanted.tangents)
            compare_directions(c, mesh, &mesh->tangent, vertices.tangents, wanted.tangents,
                               wanted.tangent_remainders, 4);
    }
    cli_vertices_free(&vertices);
    return good;
}

static bool compare_meshes(comparison *c) {
    const sinew_asset *asset = c->errors->asset;
    cli_mesh_errors *mesh = c->errors->meshes;
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        int32_t skin = c->errors->model.nodes[asset->skeleton->source_of_node[mesh_node->node]].skin;
        if (skin >= 0) ref_palette(&c->errors->model.skins[skin], &c->expected, c->palette);
        for (int32_t p = 0; p < asset->meshes[mesh_node->mesh].primitive_count; p++, mesh++) {
            if (!compare_primitive(c, mesh_node, mesh)) return false;
        }
    }
    return true;
}

// ---- Poses -------------------------------------------------------------------------------------------------------

// Compares the last pose that was sampled.
static bool compare_pose(comparison *c) {
    const ref_animation *animation = c->clip >= 0 ? &c->errors->model.animations[c->clip] : NULL;
    ref_evaluate(&c->errors->model, animation, (double)c->time, &c->expected);
    sinew_pose_to_model(c->pose, c->matrices);
    for (int32_t i = 0; i < c->errors->model.node_count; i++) compare_node(c, i);
    c->errors->pose_count++;
    if (c->errors->pose_count % 16 == 0 || c->errors->pose_count == c->chosen_poses) {
        cli_progress("verifying", c->errors->pose_count, c->chosen_poses);
    }
    return compare_meshes(c);
}

static bool compare_all(comparison *c) {
    int32_t pose = 0;
    c->clip = -1;
    if (!compare_pose(c)) return false; // a new pose starts as the rest pose
    for (int32_t i = 0; i < c->errors->asset->clip_count; i++) {
        c->clip = i;
        for (int32_t k = 0; k < c->clips[i].count; k++) {
            if (++pose % c->step != 0) continue;
            c->time = c->clips[i].times[k];
            sinew_clip_sample(&c->errors->asset->clips[i], c->time, c->pose);
            if (!compare_pose(c)) return false;
        }
    }
    return true;
}

// ---- Preparation -------------------------------------------------------------------------------------------------

static bool same_shape(const cli_errors *errors) {
    const sinew_asset *asset = errors->asset;
    const ref_model *model = &errors->model;
    if (asset->skeleton->node_count != model->node_count || asset->clip_count != model->animation_count ||
        asset->skin_count != model->skin_count || asset->mesh_count != model->mesh_count)
        return false;
    for (int32_t m = 0; m < model->mesh_count; m++) {
        const sinew_mesh *mesh = &asset->meshes[m];
        if (mesh->primitive_count != model->meshes[m].primitive_count) return false;
        for (int32_t p = 0; p < mesh->primitive_count; p++) {
            const sinew_primitive *actual = &mesh->primitives[p];
            const ref_primitive *expected = &model->meshes[m].primitives[p];
            if (actual->vertex_count != expected->vertex_count || !actual->normals != !expected->base.normals ||
                !actual->tangents != !expected->base.tangents)
                return false;
        }
    }
    return true;
}

static bool load_both(cli_errors *errors, const char *path) {
    errors->asset = cli_load(path);
    if (!errors->asset || !cli_allows_pose(errors->asset, path)) return false;
    bool read = ref_open(&errors->document, path, cli_decode_meshopt, NULL);
    errors->document.draco_decode = cli_draco_decoder();
    if (!read || !ref_read_model(&errors->document, &errors->model)) {
        cli_fail("%s: %s", path, errors->document.error);
        return false;
    }
    if (same_shape(errors)) return true;
    cli_fail("%s: the library and the reference evaluator read different nodes, skins, meshes or clips", path);
    return false;
}

// Lists the nodes and primitives to compare. Their errors start empty.
static bool list_meshes(cli_errors *errors) {
    const sinew_asset *asset = errors->asset;
    size_t count = 0;
    for (int32_t i = 0; i < asset->mesh_node_count; i++)
        count += (size_t)asset->meshes[asset->mesh_nodes[i].mesh].primitive_count;
    errors->nodes = sinewi_arena_zeros(&errors->document.arena, cli_node_errors, (size_t)errors->model.node_count);
    errors->meshes = sinewi_arena_zeros(&errors->document.arena, cli_mesh_errors, count);
    if (!errors->nodes || !errors->meshes) return false;
    const cli_worst none = {.clip = -1};
    for (int32_t i = 0; i < errors->model.node_count; i++) {
        errors->nodes[i].position = errors->nodes[i].matrix = none;
    }
    for (int32_t i = 0; i < asset->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &asset->mesh_nodes[i];
        const sinew_mesh *mesh = &asset->meshes[mesh_node->mesh];
        for (int32_t p = 0; p < mesh->primitive_count; p++) {
            errors->meshes[errors->mesh_count++] = (cli_mesh_errors){
                .node = asset->skeleton->source_of_node[mesh_node->node],
                .mesh = mesh_node->mesh,
                .primitive = p,
                .vertex_count = mesh->primitives[p].vertex_count,
                .position = none,
                .normal = none,
                .tangent = none,
            };
        }
    }
    return true;
}

// Chooses the nodes that count toward the size: the joints, or all nodes in a file without skins and meshes.
static bool choose_sized(comparison *c) {
    const ref_model *model = &c->errors->model;
    c->sized = sinewi_arena_zeros(&c->errors->document.arena, bool, (size_t)model->node_count);
    if (!c->sized) return false;
    for (int32_t s = 0; s < model->skin_count; s++) {
        for (int32_t i = 0; i < model->skins[s].joint_count; i++) c->sized[model->skins[s].joints[i]] = true;
    }
    bool all = model->skin_count == 0 && c->errors->mesh_count == 0;
    for (int32_t i = 0; all && i < model->node_count; i++) c->sized[i] = true;
    return true;
}

static bool take_buffers(comparison *c) {
    sinewi_arena *arena = &c->errors->document.arena;
    const ref_model *model = &c->errors->model;
    size_t joints = 0, vertices = 0;
    for (int32_t s = 0; s < model->skin_count; s++) {
        if (joints < (size_t)model->skins[s].joint_count) joints = (size_t)model->skins[s].joint_count;
    }
    for (int32_t i = 0; i < c->errors->mesh_count; i++) {
        if (vertices < (size_t)c->errors->meshes[i].vertex_count)
            vertices = (size_t)c->errors->meshes[i].vertex_count;
    }
    c->palette = sinewi_arena_array(arena, double, 16 * joints);
    c->vertices.positions = sinewi_arena_array(arena, double, 3 * vertices);
    c->vertices.normals = sinewi_arena_array(arena, double, 3 * vertices);
    c->vertices.tangents = sinewi_arena_array(arena, double, 4 * vertices);
    c->matrices = sinewi_arena_array(arena, sinew_affine, (size_t)model->node_count);
    c->vertices.normal_remainders = sinewi_arena_array(arena, double, vertices);
    c->vertices.tangent_remainders = sinewi_arena_array(arena, double, vertices);
    c->vertices.volumes = sinewi_arena_array(arena, double, vertices);
    c->vertices.scales = sinewi_arena_array(arena, double, vertices);
    return c->palette && c->vertices.positions && c->vertices.normals && c->vertices.tangents &&
           c->vertices.normal_remainders && c->vertices.tangent_remainders && c->vertices.volumes &&
           c->vertices.scales && c->matrices && ref_make_pose(arena, model, &c->expected) && choose_sized(c) &&
           sinew_pose_create(c->errors->asset->skeleton, NULL, &c->pose) == SINEW_OK;
}

// The limit for all poses, relative to one pose's limit.
#define POSES_FOR_ONE 2.0

// Chooses how many poses to skip. If clips are long and meshes large, comparing all poses would take more than linear
// time in the file's size.
static void choose_step(comparison *c, double work, const char *path) {
    double steps = ceil(work / (POSES_FOR_ONE * limits_allowed_work(c->errors->asset, path)));
    c->step = steps > 1.0 ? (int32_t)fmin(steps, (double)INT32_MAX) : 1;
    c->chosen_poses = 1 + (c->errors->all_poses - 1) / c->step;
}

static bool choose_poses(comparison *c, const char *path) {
    sinewi_arena *arena = &c->errors->document.arena;
    const ref_model *model = &c->errors->model;
    const double pose_work = limits_pose_work(c->errors->asset);
    double work = pose_work;
    c->clips = sinewi_arena_zeros(arena, moments, (size_t)model->animation_count);
    if (!c->clips) return false;
    c->errors->all_poses = 1;
    for (int32_t i = 0; i < model->animation_count; i++) {
        if (!choose_moments(arena, &model->animations[i], &c->clips[i])) return false;
        c->errors->all_poses += c->clips[i].count;
        work += (double)c->clips[i].count * (pose_work + (double)model->animations[i].channel_count);
    }
    choose_step(c, work, path);
    return true;
}

bool cli_errors_measure(cli_errors *errors, const char *path) {
    *errors = (cli_errors){.size = 1.0};
    if (!load_both(errors, path)) return false;
    comparison c = {.errors = errors};
    bool good = list_meshes(errors) && take_buffers(&c) && choose_poses(&c, path) && compare_all(&c);
    sinew_pose_destroy(c.pose);
    if (good) return true;
    if (ref_within_budget(&errors->document)) return fail_memory(path);
    cli_fail("%s: %s", path, errors->document.error);
    return false;
}

void cli_errors_free(cli_errors *errors) {
    ref_close(&errors->document);
    sinew_asset_destroy(errors->asset);
}

// ---- Relative errors ---------------------------------------------------------------------------------------------

double cli_node_position_error(const cli_errors *errors, const cli_node_errors *node) {
    return node->position.error / fmax(errors->size, node->reach);
}

double cli_matrix_error(const cli_node_errors *node) {
    return node->matrix.error > 0.0 ? node->matrix.error / node->scale : 0.0;
}

double cli_position_error(const cli_errors *errors, const cli_mesh_errors *mesh) {
    return mesh->position.error / errors->size;
}

double cli_errors_largest(const cli_errors *errors) {
    double most = 0.0;
    for (int32_t i = 0; i < errors->model.node_count; i++) {
        const cli_node_errors *node = &errors->nodes[i];
        most = fmax(most, fmax(cli_node_position_error(errors, node), cli_matrix_error(node)));
    }
    for (int32_t i = 0; i < errors->mesh_count; i++) {
        const cli_mesh_errors *mesh = &errors->meshes[i];
        most = fmax(most, fmax(cli_position_error(errors, mesh), fmax(mesh->normal.error, mesh->tangent.error)));
    }
    return most;
}
