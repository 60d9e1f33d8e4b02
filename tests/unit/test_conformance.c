// SPDX-License-Identifier: MIT
// The conformance set. The library loads, poses and skins every file in models/conformance. The results must match
// what the program that made the file computed in double precision, without importer and runtime. Files that must be
// refused must be refused for the stated reason, at the stated location. docs/conformance.md says what each file
// catches.
//
// Everything must agree within 1e-6 of the model's size: the largest coordinate of any node or vertex in any pose, at
// least 1. A float has 24 bits, 6e-8 of its size, and the set's results are at most a dozen roundings deep. The
// mistakes that the files are made to catch are off by 1e-4 at least, most by 0.1 and more.
//
// Seen to fail: tests/mutants plants the mistakes, and names this test where it must find them.
#include "support/check.h"

#include "base/memory.h"
#include "json/json.h"

#include <stdio.h>

#ifdef SINEW_HAVE_MESHOPTIMIZER
#include "cli/cli.h"
#endif

#define TOLERANCE 1e-6

// ---- Files ---------------------------------------------------------------------------------------------------------

// A JSON file of the set, with all that was read of it.
typedef struct text {
    char *bytes;
    sinewi_arena arena;
    sinewi_json json;
} text;

static void path_of(char path[1024], const char *name) {
    int length = snprintf(path, 1024, "%s/conformance/%s", SINEW_MODELS, name);
    assert_true(length > 0 && length < 1024);
}

static void open_text(text *t, const char *name) {
    char path[1024];
    path_of(path, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("cannot open %s", path);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(stream);
    rewind(stream);
    t->bytes = malloc(size + 1);
    assert_int_equal(fread(t->bytes, 1, size, stream), size);
    fclose(stream);
    sinewi_arena_init(&t->arena, NULL);
    sinewi_json_problem problem;
    if (sinewi_json_parse(&t->json, t->bytes, size, &t->arena, &problem) != SINEW_OK)
        fail_msg("%s: %s at byte %zu", name, problem.what, problem.offset);
}

static void close_text(text *t) {
    sinewi_arena_free(&t->arena);
    free(t->bytes);
}

#ifdef SINEW_HAVE_MESHOPTIMIZER
enum { CAN_DECODE = true };
static const sinew_meshopt_decode decode = cli_decode_meshopt;
#else
enum { CAN_DECODE = false };
static const sinew_meshopt_decode decode = NULL;
#endif

static sinew_result load(const char *name, sinew_up up, sinew_asset **asset, sinew_error *error) {
    char path[1024];
    path_of(path, name);
    sinew_gltf_options options = sinew_gltf_default();
    options.meshopt_decode = decode;
    options.up = up;
    return sinew_gltf_load_file(path, &options, asset, error);
}

// ---- Reading what is expected --------------------------------------------------------------------------------------

// What a file must come out as, and what came out.
typedef struct subject {
    const sinewi_json *json;
    const sinew_asset *asset;
    double size;     // of the model
    char moment[64]; // what is compared, for messages
} subject;

static sinewi_json_value get(const subject *s, sinewi_json_value object, const char *key) {
    return sinewi_json_get(s->json, object, key);
}

static int32_t index_at(const subject *s, sinewi_json_value object, const char *key) {
    sinewi_json_value value = get(s, object, key);
    return value == SINEWI_JSON_ABSENT ? -1 : (int32_t)sinewi_json_number(s->json, value);
}

static bool is_true(const subject *s, sinewi_json_value value) {
    return sinewi_json_kind_of(s->json, value) == SINEWI_JSON_TRUE;
}

static void check_list(const subject *s, sinewi_json_value list, const char *what, const float *found, size_t count,
                       double tolerance) {
    if ((size_t)sinewi_json_count(s->json, list) != count)
        fail_msg("%s, %s: %zu numbers instead of %d", s->moment, what, count,
                 (int)sinewi_json_count(s->json, list));
    size_t i = 0;
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), i++) {
        double expected = sinewi_json_number(s->json, e);
        if (!(fabs((double)found[i] - expected) <= tolerance))
            fail_msg("%s, %s[%zu]: %.9g is not %.9g (%.1e off)", s->moment, what, i, (double)found[i], expected,
                     fabs((double)found[i] - expected));
    }
}

static void check_indices(const subject *s, sinewi_json_value list, const char *what, const uint32_t *found,
                          int32_t count) {
    assert_int_equal(sinewi_json_count(s->json, list), count);
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), found++) {
        if (*found != (uint32_t)sinewi_json_number(s->json, e))
            fail_msg("%s, %s: %u is not %g", s->moment, what, (unsigned)*found, sinewi_json_number(s->json, e));
    }
}

static void check_string(const subject *s, sinewi_json_value value, const char *what, const char *found) {
    if (!sinewi_json_equals(s->json, value, found)) fail_msg("%s: '%s' is not what is expected", what, found);
}

// ---- The size of the model -----------------------------------------------------------------------------------------

static void grow(subject *s, sinewi_json_value list, int32_t first) {
    int32_t i = 0;
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        if (i++ >= first) s->size = fmax(s->size, fabs(sinewi_json_number(s->json, e)));
    }
}

static void measure(subject *s) {
    s->size = 1.0;
    for (sinewi_json_value pose = sinewi_json_first(s->json, get(s, 0, "poses")); pose != SINEWI_JSON_ABSENT;
         pose = sinewi_json_following(s->json, pose)) {
        for (sinewi_json_value e = sinewi_json_first(s->json, get(s, pose, "nodes")); e != SINEWI_JSON_ABSENT;
             e = sinewi_json_following(s->json, e))
            grow(s, get(s, e, "world"), 12); // the last column: where it is
        for (sinewi_json_value e = sinewi_json_first(s->json, get(s, pose, "meshes")); e != SINEWI_JSON_ABSENT;
             e = sinewi_json_following(s->json, e))
            grow(s, get(s, e, "positions"), 0);
    }
}

// ---- Poses ---------------------------------------------------------------------------------------------------------

typedef struct posed {
    sinew_pose *pose;
    sinew_affine *model;
} posed;

static void check_matrix(const subject *s, sinewi_json_value list, const char *what, sinew_affine matrix) {
    check_list(s, list, what, sinew_mat4_from_affine(matrix).m, 16, TOLERANCE * s->size);
}

static int32_t camera_of(const sinew_asset *asset, int32_t node) {
    for (int32_t i = 0; i < asset->camera_node_count; i++)
        if (asset->camera_nodes[i].node == node) return asset->camera_nodes[i].camera;
    return -1;
}

static int32_t light_of(const sinew_asset *asset, int32_t node) {
    for (int32_t i = 0; i < asset->light_node_count; i++)
        if (asset->light_nodes[i].node == node) return asset->light_nodes[i].light;
    return -1;
}

// Where the light of a node shines, or else its camera looks: along -Z of the camera's own space.
static void check_direction(const subject *s, sinewi_json_value expected, int32_t node, const posed *p) {
    if (expected == SINEWI_JSON_ABSENT) return;
    sinew_affine view = sinew_camera_view(s->asset->up, p->model[node]);
    sinew_vec3 looks = {-view.m[2][0], -view.m[2][1], -view.m[2][2]};
    if (light_of(s->asset, node) >= 0) looks = sinew_light_direction(s->asset->up, p->model[node]);
    check_list(s, expected, "looks", &looks.x, 3, TOLERANCE);
}

static void check_nodes(const subject *s, sinewi_json_value pose, const posed *p) {
    const sinew_skeleton *skeleton = s->asset->skeleton;
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, pose, "nodes")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        int32_t source = index_at(s, e, "node");
        assert_true(source >= 0 && source < skeleton->node_count);
        int32_t node = skeleton->node_of_source[source];
        char what[32];
        snprintf(what, sizeof what, "node %d, world", (int)source);
        check_matrix(s, get(s, e, "world"), what, p->model[node]);
        check_direction(s, get(s, e, "looks"), node, p);
        int32_t first = skeleton->weight_offsets[node], end = skeleton->weight_offsets[node + 1];
        if (end > first || get(s, e, "weights") != SINEWI_JSON_ABSENT)
            check_list(s, get(s, e, "weights"), "weights", p->pose->weights + first, (size_t)(end - first),
                       TOLERANCE);
    }
}

static sinew_affine *palette_of(const sinew_skin *skin, const posed *p) {
    sinew_affine *palette = malloc((size_t)skin->joint_count * sizeof *palette);
    sinew_skin_palette(skin, p->model, palette);
    return palette;
}

static void check_skins(const subject *s, sinewi_json_value pose, const posed *p) {
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, pose, "skins")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        int32_t index = index_at(s, e, "skin"), joint = 0;
        assert_true(index >= 0 && index < s->asset->skin_count);
        const sinew_skin *skin = &s->asset->skins[index];
        sinewi_json_value matrices = get(s, e, "matrices");
        assert_int_equal(sinewi_json_count(s->json, matrices), skin->joint_count);
        sinew_affine *palette = palette_of(skin, p);
        for (sinewi_json_value m = sinewi_json_first(s->json, matrices); m != SINEWI_JSON_ABSENT;
             m = sinewi_json_following(s->json, m))
            check_matrix(s, m, "skin", palette[joint++]);
        free(palette);
    }
}

// ---- Vertices ------------------------------------------------------------------------------------------------------

static float *morphed(const float *base, const float *const *deltas, const float *weights, int32_t targets,
                      size_t count) {
    float *out = malloc(count * sizeof *out);
    sinew_morph(base, deltas, weights, targets, (int32_t)count, out);
    return out;
}

// A mesh without a skin is skinned to one joint, which is its node.
static void skin(const sinew_asset *asset, const sinew_mesh_node *mesh_node, const posed *p, sinew_skin_job *job,
                 int32_t vertex_count) {
    if (mesh_node->skin >= 0) {
        sinew_affine *palette = palette_of(&asset->skins[mesh_node->skin], p);
        sinew_skin_vertices(job, palette, 0, vertex_count);
        free(palette);
        return;
    }
    size_t count = 4 * (size_t)vertex_count;
    uint16_t *joints = calloc(count, sizeof *joints);
    float *weights = calloc(count, sizeof *weights);
    for (size_t i = 0; i < count; i += 4) weights[i] = 1.0f;
    job->influences = 4;
    job->joints = joints;
    job->weights = weights;
    sinew_skin_vertices(job, &p->model[mesh_node->node], 0, vertex_count);
    free(joints);
    free(weights);
}

static float *morphed_tangents(const sinew_primitive *p, const float *weights) {
    float *out = malloc(4 * (size_t)p->vertex_count * sizeof *out);
    sinew_morph_tangents(p->tangents, p->target_tangents, weights, p->target_count, p->vertex_count, out);
    return out;
}

static void check_attribute(const subject *s, sinewi_json_value expected, const char *what, const float *found,
                            size_t count, double tolerance) {
    sinewi_json_value list = get(s, expected, what);
    if (found || list != SINEWI_JSON_ABSENT) check_list(s, list, what, found, found ? count : 0, tolerance);
}

static void check_vertices(const subject *s, sinewi_json_value expected, const sinew_mesh_node *mesh_node,
                           const sinew_primitive *primitive, const posed *p) {
    const float *weights = p->pose->weights + s->asset->skeleton->weight_offsets[mesh_node->node];
    const int32_t targets = primitive->target_count;
    size_t count = (size_t)primitive->vertex_count;
    float *positions = morphed(primitive->positions, primitive->target_positions, weights, targets, 3 * count);
    float *normals = NULL, *tangents = NULL, *out = malloc(10 * count * sizeof *out);
    if (primitive->normals)
        normals = morphed(primitive->normals, primitive->target_normals, weights, targets, 3 * count);
    if (primitive->tangents) tangents = morphed_tangents(primitive, weights);
    sinew_skin_job job = sinew_primitive_skin_job(primitive);
    job.positions = positions;
    job.normals = normals;
    job.tangents = tangents;
    job.out_positions = out;
    job.out_normals = normals ? out + 3 * count : NULL;
    job.out_tangents = tangents ? out + 6 * count : NULL;
    skin(s->asset, mesh_node, p, &job, primitive->vertex_count);
    check_attribute(s, expected, "positions", job.out_positions, 3 * count, TOLERANCE * s->size);
    check_attribute(s, expected, "normals", job.out_normals, 3 * count, TOLERANCE);
    check_attribute(s, expected, "tangents", job.out_tangents, 4 * count, TOLERANCE);
    free(positions);
    free(normals);
    free(tangents);
    free(out);
}

static void check_meshes(subject *s, sinewi_json_value pose, const posed *p) {
    int32_t at = 0;
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, pose, "meshes")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        int32_t node = s->asset->skeleton->node_of_source[index_at(s, e, "node")];
        while (at < s->asset->mesh_node_count && s->asset->mesh_nodes[at].node != node)
            at++; // both in nodes' order
        assert_true(at < s->asset->mesh_node_count);
        const sinew_mesh_node *mesh_node = &s->asset->mesh_nodes[at];
        assert_int_equal(mesh_node->mesh, index_at(s, e, "mesh"));
        int32_t primitive = index_at(s, e, "primitive");
        assert_true(primitive < s->asset->meshes[mesh_node->mesh].primitive_count);
        check_vertices(s, e, mesh_node, &s->asset->meshes[mesh_node->mesh].primitives[primitive], p);
    }
}

static void check_pose(subject *s, sinewi_json_value expected) {
    const sinew_skeleton *skeleton = s->asset->skeleton;
    int32_t clip = index_at(s, expected, "clip");
    float time = (float)sinewi_json_number(s->json, get(s, expected, "time"));
    snprintf(s->moment, sizeof s->moment, "clip %d at %.9g s", (int)clip, (double)time);
    posed p;
    p.model = malloc((size_t)skeleton->node_count * sizeof *p.model);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &p.pose), SINEW_OK);
    assert_true(clip < s->asset->clip_count);
    if (clip >= 0) sinew_clip_sample(&s->asset->clips[clip], time, p.pose);
    sinew_pose_to_model(p.pose, p.model);
    check_nodes(s, expected, &p);
    check_skins(s, expected, &p);
    check_meshes(s, expected, &p);
    sinew_pose_destroy(p.pose);
    free(p.model);
}

// The poses of the file as it is, or of the file turned.
static void check_poses(subject *s) {
    measure(s);
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, "poses")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        bool turned = get(s, e, "up") != SINEWI_JSON_ABSENT;
        if (turned == (s->asset->up == SINEW_UP_Z)) check_pose(s, e);
    }
}

// ---- What holds at any time ----------------------------------------------------------------------------------------

static void check_clips(const subject *s) {
    sinewi_json_value list = get(s, 0, "clips");
    assert_int_equal(list == SINEWI_JSON_ABSENT ? s->asset->clip_count : sinewi_json_count(s->json, list),
                     s->asset->clip_count);
    const sinew_clip *clip = s->asset->clips;
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), clip++) {
        check_string(s, get(s, e, "name"), "a clip's name", clip->name);
        check_near(clip->duration, (float)sinewi_json_number(s->json, get(s, e, "duration")), 0.0);
    }
}

static void check_names(const subject *s) {
    const sinew_skeleton *skeleton = s->asset->skeleton;
    int32_t i = 0;
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, "names")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e))
        check_string(s, e, "a node's name", skeleton->names[skeleton->node_of_source[i++]]);
}

// Where a file says what is shown, each of its nodes has a mesh.
static void check_shown(const subject *s) {
    sinewi_json_value in_scene = get(s, 0, "in_scene"), visible = get(s, 0, "visible");
    sinewi_json_value list = in_scene != SINEWI_JSON_ABSENT ? in_scene : visible;
    if (list == SINEWI_JSON_ABSENT) return;
    assert_int_equal(sinewi_json_count(s->json, list), s->asset->mesh_node_count);
    const sinew_mesh_node *mesh_node = s->asset->mesh_nodes;
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), mesh_node++)
        assert_int_equal(list == visible ? mesh_node->visible : mesh_node->in_scene, is_true(s, e));
}

static const sinew_primitive *primitive_at(const subject *s, sinewi_json_value object) {
    int32_t mesh = index_at(s, object, "mesh"), primitive = index_at(s, object, "primitive");
    assert_true(mesh < s->asset->mesh_count && primitive < s->asset->meshes[mesh].primitive_count);
    return &s->asset->meshes[mesh].primitives[primitive];
}

static void check_primitives(subject *s) {
    snprintf(s->moment, sizeof s->moment, "the file");
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, "triangles")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e))
        check_indices(s, get(s, e, "indices"), "indices", primitive_at(s, e)->indices,
                      primitive_at(s, e)->index_count);
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, "colors")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        const sinew_primitive *p = primitive_at(s, e);
        assert_non_null(p->colors);
        check_list(s, get(s, e, "colors"), "colors", p->colors, 4 * (size_t)p->vertex_count, TOLERANCE);
    }
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, "uvs")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        const sinew_primitive *p = primitive_at(s, e);
        assert_non_null(p->uvs);
        check_list(s, get(s, e, "uvs"), "uvs", p->uvs, 2 * (size_t)p->vertex_count, 4 * TOLERANCE);
    }
}

static void check_materials(const subject *s) {
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    const sinew_material *m = s->asset->materials;
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, "materials")); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), m++) {
        assert_true(m < s->asset->materials + s->asset->material_count);
        check_list(s, get(s, e, "base_color"), "base_color", m->base_color, 4, TOLERANCE);
        check_string(s, get(s, e, "alpha"), "alpha", modes[m->alpha_mode]);
        check_near(m->alpha_cutoff, sinewi_json_number(s->json, get(s, e, "cutoff")), TOLERANCE);
        assert_int_equal(m->double_sided, is_true(s, get(s, e, "double_sided")));
        assert_int_equal(m->unlit, is_true(s, get(s, e, "unlit")));
    }
}

// ---- Cameras and lights --------------------------------------------------------------------------------------------

// Checks a member against `found`. If it's left out, `found` must be `otherwise`.
static void check_number(const subject *s, sinewi_json_value object, const char *key, float found,
                         double otherwise) {
    sinewi_json_value value = get(s, object, key);
    double expected = value == SINEWI_JSON_ABSENT ? otherwise : sinewi_json_number(s->json, value);
    if (isinf(expected) ? (double)found == expected : fabs((double)found - expected) <= TOLERANCE) return;
    fail_msg("%s is %.9g, not %.9g", key, (double)found, expected);
}

static void check_cameras(const subject *s) {
    const sinew_camera *camera = s->asset->cameras;
    sinewi_json_value list = get(s, 0, "cameras");
    assert_int_equal(sinewi_json_count(s->json, list), s->asset->camera_count);
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), camera++) {
        check_string(s, get(s, e, "name"), "a camera's name", camera->name);
        check_string(s, get(s, e, "type"), "a camera's type",
                     camera->orthographic ? "orthographic" : "perspective");
        check_number(s, e, "yfov", camera->yfov, 0);
        check_number(s, e, "aspect", camera->aspect, 0);
        check_number(s, e, "xmag", camera->xmag, 0);
        check_number(s, e, "ymag", camera->ymag, 0);
        check_number(s, e, "znear", camera->znear, 0);
        check_number(s, e, "zfar", camera->zfar, (double)INFINITY);
    }
}

static void check_lights(const subject *s) {
    static const char *const kinds[] = {"directional", "point", "spot"};
    const sinew_light *light = s->asset->lights;
    sinewi_json_value list = get(s, 0, "lights");
    assert_int_equal(sinewi_json_count(s->json, list), s->asset->light_count);
    for (sinewi_json_value e = sinewi_json_first(s->json, list); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e), light++) {
        check_string(s, get(s, e, "name"), "a light's name", light->name);
        check_string(s, get(s, e, "type"), "a light's type", kinds[light->kind]);
        check_list(s, get(s, e, "color"), "color", light->color, 3, TOLERANCE);
        check_number(s, e, "intensity", light->intensity, 1);
        check_number(s, e, "range", light->range, (double)INFINITY);
        check_number(s, e, "inner", light->inner_cone, 0);
        check_number(s, e, "outer", light->outer_cone, 0);
    }
}

// Which node carries which.
static void check_carriers(const subject *s, const char *key, int32_t (*carried)(const sinew_asset *, int32_t)) {
    int32_t source = 0;
    for (sinewi_json_value e = sinewi_json_first(s->json, get(s, 0, key)); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(s->json, e)) {
        bool none = sinewi_json_kind_of(s->json, e) == SINEWI_JSON_NULL;
        int32_t found = carried(s->asset, s->asset->skeleton->node_of_source[source++]);
        assert_int_equal(found, none ? -1 : (int32_t)sinewi_json_number(s->json, e));
    }
}

// ---- The tests, one for each file ----------------------------------------------------------------------------------

typedef struct listed {
    char *file, *location, *says; // location and says: NULL if the file must load
} listed;

static void check_refused(const listed *f) {
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = load(f->file, SINEW_UP_Y, &asset, &error);
    if (result == SINEW_OK) fail_msg("it is not refused");
    assert_null(asset);
    assert_int_equal(error.result, result);
    if (!strstr(error.message, f->location) || !strstr(error.message, f->says))
        fail_msg("'%s' does not name '%s' and say '%s'", error.message, f->location, f->says);
}

// Asked for with another axis up, the file must be as if it had been turned.
static void check_turned(const listed *f, subject *s) {
    sinew_asset *asset;
    sinew_error error = {0};
    if (load(f->file, SINEW_UP_Z, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    s->asset = asset;
    check_poses(s);
    sinew_asset_destroy(asset);
}

static void check_all(subject *s) {
    check_clips(s);
    check_names(s);
    check_shown(s);
    check_primitives(s);
    check_materials(s);
    check_cameras(s);
    check_lights(s);
    check_carriers(s, "camera_of_node", camera_of);
    check_carriers(s, "light_of_node", light_of);
    check_poses(s);
}

static void check_taken(const listed *f) {
    sinew_asset *asset;
    sinew_error error = {0};
    sinew_result result = load(f->file, SINEW_UP_Y, &asset, &error);
    if (!CAN_DECODE && result == SINEW_ERROR_UNSUPPORTED && strstr(error.message, "meshopt")) {
        print_message("skipped: there is no meshoptimizer to decode it\n");
        skip();
    }
    if (result != SINEW_OK) fail_msg("%s", error.message);

    char name[256];
    snprintf(name, sizeof name, "%.*s.expected.json", (int)(strrchr(f->file, '.') - f->file), f->file);
    text expected;
    open_text(&expected, name);
    subject s = {.json = &expected.json, .asset = asset};
    check_string(&s, get(&s, 0, "file"), "file", f->file);
    check_all(&s);
    sinew_asset_destroy(asset);
    check_turned(f, &s);
    close_text(&expected);
}

static void test_file(void **state) {
    const listed *f = *state;
    if (f->location) {
        check_refused(f);
    } else {
        check_taken(f);
    }
}

static char *string_at(text *t, sinewi_json_value object, const char *key) {
    char *string = sinewi_json_string(&t->json, sinewi_json_get(&t->json, object, key), &t->arena, NULL);
    assert_non_null(string);
    return string;
}

static int32_t read_index(text *index, struct CMUnitTest *tests) {
    int32_t count = 0;
    for (sinewi_json_value e = sinewi_json_first(&index->json, 0); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(&index->json, e)) {
        listed *f = sinewi_arena_zeros(&index->arena, listed, 1);
        sinewi_json_value refused = sinewi_json_get(&index->json, e, "refused");
        f->file = string_at(index, e, "file");
        if (refused != SINEWI_JSON_ABSENT) {
            f->location = string_at(index, refused, "location");
            f->says = string_at(index, refused, "says");
        }
        tests[count++] = (struct CMUnitTest){f->file, test_file, NULL, NULL, f};
    }
    return count;
}

int main(void) {
    text index;
    open_text(&index, "index.json");
    size_t count = (size_t)sinewi_json_count(&index.json, 0);
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    read_index(&index, tests);
    int failed = _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
    free(tests);
    close_text(&index);
    return failed || count < 100; // an index that lists next to nothing tests nothing
}
