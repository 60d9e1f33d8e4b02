// SPDX-License-Identifier: MIT
// +Z up: everything in a file is turned while it loads. Pitfall 21: vectors, matrices and inverse binds must turn the
// same way. Mistakes: swapping the turn's columns and rows, which lays characters on their backs; turning a scale
// like a position; turning inverse binds on one side only; forgetting a normal, tangent or morph target.
//
// Proof by commuting: turning and then posing must equal posing and then turning. Here, the turn is a matrix,
// multiplied in double; the importer swaps and negates.
#include "support/files.h"
#include "support/gltf_builder.h"

#include <stdio.h>

// ---- The turn --------------------------------------------------------------------------------------------------

// As rows: (x, y, z) becomes (x, -z, y).
static const double turn[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
static const double turn_back[3][3] = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};

static void turned_vector(const float *v, double *out) {
    for (int r = 0; r < 3; r++) out[r] = turn[r][0] * v[0] + turn[r][1] * v[1] + turn[r][2] * v[2];
}

// The turn × m × the turn back.
static void turned_matrix(const sinew_affine *m, double out[3][4]) {
    double half[3][4];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            half[r][c] = 0;
            for (int i = 0; i < 3; i++) half[r][c] += turn[r][i] * m->m[i][c];
        }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r][c] = 0;
            for (int i = 0; i < 3; i++) out[r][c] += half[r][i] * turn_back[i][c];
        }
        out[r][3] = half[r][3];
    }
}

static void test_the_turns_are_inverse(void **state) {
    (void)state;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) sum += turn[r][i] * turn_back[i][c];
            check_near(sum, r == c, 0);
        }
}

// ---- Comparing -------------------------------------------------------------------------------------------------

// The same file twice.
typedef struct pair {
    const char *name;
    sinew_asset *y, *z;
    double size; // of the model: the largest coordinate, and at least 1
} pair;

static double largest_difference; // of what need not be exact, in parts of the model's size

static void check_turned_vectors(const pair *p, const char *what, const float *z, const float *y, size_t count,
                                 size_t width) {
    assert_int_equal(!z, !y);
    for (size_t i = 0; z && y && i < count; i++) {
        double expected[3];
        turned_vector(y + i * width, expected);
        for (size_t k = 0; k < width; k++)
            if (z[i * width + k] != (k < 3 ? expected[k] : (double)y[i * width + k]))
                fail_msg("%s: %s: number %zu of vector %zu is not turned exactly", p->name, what, k, i);
    }
}

static void check_close(const pair *p, const char *what, const double *expected, const float *found, size_t count,
                        double tolerance) {
    for (size_t i = 0; i < count; i++) {
        double difference = fabs(expected[i] - found[i]);
        if (!(difference <= tolerance * p->size))
            fail_msg("%s: %s: number %zu is %.9g, not %.9g", p->name, what, i, (double)found[i], expected[i]);
        if (difference > largest_difference * p->size) largest_difference = difference / p->size;
    }
}

static void check_turned_matrix(const pair *p, const char *what, const sinew_affine *z, const sinew_affine *y,
                                double tolerance) {
    double expected[3][4];
    turned_matrix(y, expected);
    check_close(p, what, &expected[0][0], &z->m[0][0], 12, tolerance);
}

// Rotations that are unit in the file are exact too; others are divided by a sum in another order.
static void check_turned_transform(const pair *p, sinew_transform z, sinew_transform y, double tolerance) {
    check_turned_vectors(p, "a translation", &z.translation.x, &y.translation.x, 1, 3);
    if (z.scale.x != y.scale.x || z.scale.y != y.scale.z || z.scale.z != y.scale.y)
        fail_msg("%s: a scale is not turned", p->name);
    const double rotation[4] = {y.rotation.x, -y.rotation.z, y.rotation.y, y.rotation.w};
    for (int i = 0; i < 4; i++) {
        float found = (&z.rotation.x)[i];
        if (!(fabs(rotation[i] - found) <= tolerance)) fail_msg("%s: a rotation is not turned", p->name);
    }
}

// ---- What is in the file -----------------------------------------------------------------------------------------

static void check_skeleton(const pair *p) {
    const sinew_skeleton *y = p->y->skeleton, *z = p->z->skeleton;
    assert_int_equal(z->node_count, y->node_count);
    for (int32_t i = 0; i < y->node_count; i++) {
        assert_int_equal(z->parents[i], y->parents[i]);
        check_turned_transform(p, z->rest[i], y->rest[i], 1.2e-7);
    }
    for (int32_t i = 0; i < p->y->skin_count; i++)
        for (int32_t k = 0; k < p->y->skins[i].joint_count; k++)
            check_turned_matrix(p, "an inverse bind", &p->z->skins[i].inverse_binds[k],
                                &p->y->skins[i].inverse_binds[k], 0);
}

static void check_primitive(const pair *p, const sinew_primitive *z, const sinew_primitive *y) {
    size_t n = (size_t)y->vertex_count;
    assert_int_equal(z->vertex_count, y->vertex_count);
    assert_int_equal(z->index_count, y->index_count);
    assert_int_equal(z->target_count, y->target_count);
    check_turned_vectors(p, "positions", z->positions, y->positions, n, 3);
    check_turned_vectors(p, "normals", z->normals, y->normals, n, 3);
    check_turned_vectors(p, "tangents", z->tangents, y->tangents, n, 4);
    for (int32_t t = 0; t < y->target_count; t++) {
        check_turned_vectors(p, "a target's positions", z->target_positions[t], y->target_positions[t], n, 3);
        check_turned_vectors(p, "a target's normals", z->target_normals[t], y->target_normals[t], n, 3);
        check_turned_vectors(p, "a target's tangents", z->target_tangents[t], y->target_tangents[t], n, 3);
    }
    if (y->uvs) assert_memory_equal(z->uvs, y->uvs, n * 2 * sizeof(float)); // these do not turn
    if (y->colors) assert_memory_equal(z->colors, y->colors, n * 4 * sizeof(float));
    if (y->weights) assert_memory_equal(z->weights, y->weights, n * (size_t)y->influences * sizeof(float));
}

static void check_meshes(const pair *p) {
    assert_int_equal(p->z->mesh_count, p->y->mesh_count);
    for (int32_t i = 0; i < p->y->mesh_count; i++)
        for (int32_t k = 0; k < p->y->meshes[i].primitive_count; k++)
            check_primitive(p, &p->z->meshes[i].primitives[k], &p->y->meshes[i].primitives[k]);
}

// ---- What follows from it ----------------------------------------------------------------------------------------

// Sums of products come in another order where axes are swapped: a few roundings of the largest number.
#define CLOSE 2e-6

typedef struct posed {
    sinew_pose *pose;
    sinew_affine *model, *palette;
} posed;

static posed make_posed(const sinew_asset *asset) {
    posed p;
    size_t most = 1;
    for (int32_t i = 0; i < asset->skin_count; i++)
        if ((size_t)asset->skins[i].joint_count > most) most = (size_t)asset->skins[i].joint_count;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &p.pose), SINEW_OK);
    p.model = calloc((size_t)asset->skeleton->node_count + 1, sizeof *p.model);
    p.palette = calloc(most, sizeof *p.palette);
    sinew_pose_to_model(p.pose, p.model);
    return p;
}

static void free_posed(posed *p) {
    sinew_pose_destroy(p->pose);
    free(p->model);
    free(p->palette);
}

static void grow(double *size, const sinew_affine *m) {
    for (int r = 0; r < 3; r++) *size = fmax(*size, fabs((double)m->m[r][3]));
}

// Skins a primitive, morphed by the pose's weights; 3 floats for the place and 3 for the normal of each vertex.
static float *skinned(const sinew_primitive *p, const posed *at, const float *weights) {
    size_t n = (size_t)p->vertex_count;
    float *morphed = calloc(6 * n + 1, sizeof *morphed), *out = calloc(6 * n + 1, sizeof *out);
    sinew_morph(p->positions, p->target_positions, weights, p->target_count, (int32_t)(3 * n), morphed);
    if (p->normals)
        sinew_morph(p->normals, p->target_normals, weights, p->target_count, (int32_t)(3 * n), morphed + 3 * n);
    sinew_skin_job job = sinew_primitive_skin_job(p);
    job.positions = morphed;
    job.normals = p->normals ? morphed + 3 * n : NULL;
    job.out_positions = out;
    job.out_normals = p->normals ? out + 3 * n : NULL;
    sinew_skin_vertices(&job, at->palette, 0, p->vertex_count);
    free(morphed);
    return out;
}

static void check_vertices(const pair *p, const sinew_mesh_node *mesh_node, int32_t primitive, const posed *z,
                           const posed *y) {
    const sinew_primitive *in_y = &p->y->meshes[mesh_node->mesh].primitives[primitive];
    const sinew_primitive *in_z = &p->z->meshes[mesh_node->mesh].primitives[primitive];
    size_t n = (size_t)in_y->vertex_count, weights = (size_t)p->y->skeleton->weight_offsets[mesh_node->node];
    if (in_y->influences == 0 || n == 0) return;
    float *vertices_y = skinned(in_y, y, y->pose->weights + weights);
    float *vertices_z = skinned(in_z, z, z->pose->weights + weights);
    pair sized = *p;
    for (size_t i = 0; i < 3 * n; i++) sized.size = fmax(sized.size, fabs((double)vertices_y[i]));
    for (size_t i = 0; i < n; i++) {
        double expected[3];
        turned_vector(vertices_y + 3 * i, expected);
        check_close(&sized, "a vertex", expected, vertices_z + 3 * i, 3, CLOSE);
        turned_vector(vertices_y + 3 * (n + i), expected);
        check_close(&sized, "a normal", expected, vertices_z + 3 * (n + i), 3, 1e-4); // of flat triangles, too
    }
    free(vertices_y);
    free(vertices_z);
}

static void check_skins(const pair *p, const posed *z, const posed *y, bool vertices) {
    for (int32_t i = 0; i < p->y->mesh_node_count; i++) {
        const sinew_mesh_node *mesh_node = &p->y->mesh_nodes[i];
        if (mesh_node->skin < 0) continue;
        const sinew_skin *skin = &p->y->skins[mesh_node->skin];
        sinew_skin_palette(skin, y->model, y->palette);
        sinew_skin_palette(&p->z->skins[mesh_node->skin], z->model, z->palette);
        pair sized = *p;
        for (int32_t k = 0; k < skin->joint_count; k++) grow(&sized.size, &y->palette[k]);
        for (int32_t k = 0; k < skin->joint_count; k++)
            check_turned_matrix(&sized, "a skin's matrix", &z->palette[k], &y->palette[k], CLOSE);
        for (int32_t k = 0; vertices && k < p->y->meshes[mesh_node->mesh].primitive_count; k++)
            check_vertices(&sized, mesh_node, k, z, y);
    }
}

// Both look at the same picture: a place and its turned place are seen in one spot.
static void check_cameras(const pair *p, const posed *z, const posed *y) {
    assert_int_equal(p->z->camera_node_count, p->y->camera_node_count);
    for (int32_t i = 0; i < p->y->camera_node_count; i++) {
        int32_t node = p->y->camera_nodes[i].node;
        sinew_affine view_y = sinew_camera_view(p->y->up, y->model[node]);
        sinew_affine view_z = sinew_camera_view(p->z->up, z->model[node]);
        double expected[3][4]; // the view × the turn back
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) {
                expected[r][c] = 0;
                for (int k = 0; k < 3; k++) expected[r][c] += view_y.m[r][k] * turn_back[k][c];
            }
            expected[r][3] = view_y.m[r][3];
        }
        check_close(p, "a camera's view", &expected[0][0], &view_z.m[0][0], 12, 2 * CLOSE);
    }
    assert_int_equal(p->z->light_node_count, p->y->light_node_count);
    for (int32_t i = 0; i < p->y->light_node_count; i++) {
        int32_t node = p->y->light_nodes[i].node;
        sinew_vec3 light_y = sinew_light_direction(p->y->up, y->model[node]);
        sinew_vec3 light_z = sinew_light_direction(p->z->up, z->model[node]);
        double expected[3];
        turned_vector(&light_y.x, expected);
        check_close(p, "a light's direction", expected, &light_z.x, 3, CLOSE);
    }
}

static void check_pose(pair p, posed *z, posed *y, bool vertices) {
    const int32_t count = p.y->skeleton->node_count;
    sinew_pose_to_model(y->pose, y->model);
    sinew_pose_to_model(z->pose, z->model);
    for (int32_t i = 0; i < count; i++) {
        check_turned_transform(&p, sinew_pose_get(z->pose, i), sinew_pose_get(y->pose, i), 5e-7);
        grow(&p.size, &y->model[i]);
        for (int c = 0; c < 9; c++) p.size = fmax(p.size, fabs((double)y->model[i].m[c / 3][c % 3]));
    }
    for (int32_t i = 0; i < count; i++) check_turned_matrix(&p, "a node", &z->model[i], &y->model[i], CLOSE);
    int32_t weights = p.y->skeleton->weight_count;
    if (weights > 0) assert_memory_equal(z->pose->weights, y->pose->weights, (size_t)weights * sizeof(float));
    check_skins(&p, z, y, vertices);
    check_cameras(&p, z, y);
}

// Everything: what was read, the rest pose, and every clip at its ends, on the way, and behind its end.
static void check_commutes(const char *name, sinew_asset *in_y, sinew_asset *in_z) {
    pair p = {name, in_y, in_z, 1.0};
    assert_true(in_y->up == SINEW_UP_Y && in_z->up == SINEW_UP_Z);
    check_skeleton(&p);
    check_meshes(&p);
    posed y = make_posed(in_y), z = make_posed(in_z);
    check_pose(p, &z, &y, true);
    assert_int_equal(in_z->clip_count, in_y->clip_count);
    for (int32_t i = 0; i < in_y->clip_count; i++) {
        static const float parts[] = {0.0f, 0.31f, 0.5f, 0.77f, 1.0f, 1.5f};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            float time = parts[k] * in_y->clips[i].duration;
            sinew_clip_sample(&in_y->clips[i], time, y.pose);
            sinew_clip_sample(&in_z->clips[i], time, z.pose);
            check_pose(p, &z, &y, k == 1);
        }
    }
    free_posed(&y);
    free_posed(&z);
    sinew_asset_destroy(in_y);
    sinew_asset_destroy(in_z);
}

static sinew_result load(const char *path, sinew_up up, sinew_asset **asset, sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.up = up;
    return sinew_gltf_load_file(path, &options, asset, error);
}

static void check_built(const char *name, gltf_builder *b) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    sinew_asset *assets[2];
    for (int i = 0; i < 2; i++) {
        sinew_gltf_options options = sinew_gltf_default();
        sinew_error error = {0};
        options.up = i == 0 ? SINEW_UP_Y : SINEW_UP_Z;
        if (sinew_gltf_load_memory(glb, size, &options, &assets[i], &error) != SINEW_OK)
            fail_msg("%s", error.message);
    }
    free(glb);
    gltf_end(b);
    check_commutes(name, assets[0], assets[1]);
}

// ---- By hand ---------------------------------------------------------------------------------------------------

static sinew_asset *load_turned(gltf_builder *b) {
    size_t size;
    uint8_t *glb = gltf_write_glb(b, &size);
    sinew_gltf_options options = sinew_gltf_default();
    sinew_asset *asset;
    sinew_error error = {0};
    options.up = SINEW_UP_Z;
    if (sinew_gltf_load_memory(glb, size, &options, &asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    free(glb);
    gltf_end(b);
    return asset;
}

// The expected numbers. Something that's turned the wrong way but commutes with itself fails here.
static void test_by_hand(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    const float bind[16] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 10, 0, 11, 12, 13, 1}; // column after column
    int matrices = gltf_floats(&b, "MAT4", 1, bind);
    int corners = gltf_floats(&b, "VEC3", 3, (float[9]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    int tangents = gltf_floats(&b, "VEC4", 3, (float[12]){0, 1, 0, -1, 0, 0, 1, 1, 1, 0, 0, 1});
    gltf_section(&b,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':%d,'TANGENT':%d},'targets':[{'POSITION':%d,"
                 "'NORMAL':%d,'TANGENT':%d}]}]}]",
                 corners, tangents, corners, corners, corners);
    gltf_section(&b,
                 "'nodes':[{'translation':[1,2,3],'rotation':[0.1,0.7,0.5,0.5],'scale':[2,3,4],'mesh':0}],"
                 "'skins':[{'joints':[0],'inverseBindMatrices':%d}]",
                 matrices);
    sinew_asset *asset = load_turned(&b);
    const sinew_transform *t = &asset->skeleton->rest[0];
    const sinew_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(asset->up, SINEW_UP_Z);
    check_vec3(t->translation, 1, -3, 2, 0);
    check_floats(&t->rotation.x, (float[4]){0.1f, -0.5f, 0.7f, 0.5f}, 4, 1e-7f);
    check_vec3(t->scale, 2, 4, 3, 0);
    check_floats(&asset->skins[0].inverse_binds[0].m[0][0],
                 (float[12]){1, -7, 4, 11, -3, 10, -6, -13, 2, -8, 5, 12}, 12, 0);
    const float turned[9] = {1, -3, 2, 4, -6, 5, 7, -9, 8};
    check_floats(p->positions, turned, 9, 0);
    check_floats(p->tangents, (float[12]){0, 0, 1, -1, 0, -1, 0, 1, 1, 0, 0, 1}, 12, 0);
    check_floats(p->target_positions[0], turned, 9, 0);
    check_floats(p->target_normals[0], turned, 9, 0);
    check_floats(p->target_tangents[0], turned, 9, 0);
    sinew_asset_destroy(asset);
}

// A character that stands upright in a file stands upright, and not on its back or head.
static void test_upright_is_upright(void **state) {
    (void)state;
    char path[1024];
    sinew_asset *hero;
    sinew_error error = {0};
    snprintf(path, sizeof path, "%s/hero.glb", SINEW_MODELS);
    if (load(path, SINEW_UP_Z, &hero, &error) != SINEW_OK) fail_msg("%s", error.message);
    posed at = make_posed(hero);
    const sinew_affine *head = &at.model[sinew_skeleton_find(hero->skeleton, "Head")];
    const sinew_affine *left = &at.model[sinew_skeleton_find(hero->skeleton, "Hand_L")];
    assert_true(head->m[2][3] > 1.3f && fabsf(head->m[1][3]) < 0.3f);
    assert_true(left->m[0][3] > 0.2f); // its left hand is at +X, as it was
    free_posed(&at);
    sinew_asset_destroy(hero);
}

static void test_cameras_look_along_y(void **state) {
    (void)state;
    sinew_affine view = sinew_camera_view(SINEW_UP_Z, sinew_affine_identity());
    check_vec3(sinew_affine_point(view, (sinew_vec3){1, 5, 3}), 1, 3, -5, 0); // right, up, five ahead
    check_vec3(sinew_light_direction(SINEW_UP_Z, sinew_affine_identity()), 0, 1, 0, 0);
}

// ---- Every feature -----------------------------------------------------------------------------------------------

static uint64_t seed = 4;

static int random_floats(gltf_builder *b, const char *type, int count, size_t width) {
    float numbers[256];
    size_t total = (size_t)count * width;
    assert_true(total <= sizeof numbers / sizeof numbers[0]);
    for (size_t i = 0; i < total; i++) numbers[i] = random_float(&seed, -2, 2);
    return gltf_floats(b, type, count, numbers);
}

static int random_binds(gltf_builder *b, int count) {
    float numbers[64];
    for (int i = 0; i < count; i++) {
        sinew_transform t = {{random_float(&seed, -1, 1), 2, 3}, random_quat(&seed), {1, 2, -0.5f}};
        sinew_mat4 m = sinew_mat4_from_affine(sinew_affine_from_transform(t));
        memcpy(numbers + (size_t)16 * (size_t)i, m.m, sizeof m.m);
    }
    return gltf_floats(b, "MAT4", count, numbers);
}

static int random_weights(gltf_builder *b, int count) {
    float numbers[64];
    for (int i = 0; i < 4 * count; i++) numbers[i] = i % 4 == i / 4 % 4 ? 0.7f : 0.1f;
    return gltf_floats(b, "VEC4", count, numbers);
}

// Two skinned primitives, one of plain floats with morph targets, the other of integers with eight influences; and
// nodes with mirrors, a matrix, a camera and a light.
static void add_figure(gltf_builder *b) {
    const int16_t shorts[16] = {900, -800, 700, 0, -32768, 32767, 123, 0, 5, 6, -7, 0, 1, 2, 3, 0};
    const int8_t bytes[16] = {90, -80, 70, 0, -128, 127, 12, 0, 5, 6, -7, 0, 1, 2, 3, 0};
    const uint8_t joints[16] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 1};
    int positions = random_floats(b, "VEC3", 4, 3), normals = random_floats(b, "VEC3", 4, 3);
    int tangents = random_floats(b, "VEC4", 4, 4), joints_0 = gltf_accessor(b, joints, 16, U8, "VEC4", 4);
    int weights = random_weights(b, 4), targets[3];
    for (int i = 0; i < 3; i++) targets[i] = random_floats(b, "VEC3", 4, 3);
    int plain = gltf_view(b, shorts, sizeof shorts, 8), unit = gltf_view(b, bytes, sizeof bytes, 4);
    int quantized = gltf_raw_accessor(b, "'bufferView':%d,'componentType':%d,'type':'VEC3','count':4", plain, I16);
    int normalized = gltf_raw_accessor(
        b, "'bufferView':%d,'componentType':%d,'type':'VEC3','count':4,'normalized':true", unit, I8);
    int sparse = gltf_raw_accessor(
        b,
        "'componentType':%d,'type':'VEC3','count':4,'sparse':{'count':1,'indices':{'bufferView':%d,"
        "'componentType':%d,'byteOffset':1},'values':{'bufferView':%d}}",
        I16, gltf_view(b, joints, sizeof joints, 0), U8, gltf_view(b, shorts, 6, 0));
    gltf_section(b,
                 "'meshes':[{'weights':[0.5,0.25],'primitives':[{'attributes':{'POSITION':%d,'NORMAL':%d,"
                 "'TANGENT':%d,'JOINTS_0':%d,'WEIGHTS_0':%d},'targets':[{'POSITION':%d,'NORMAL':%d,'TANGENT':%d},"
                 "{'POSITION':%d}]},{'attributes':{'POSITION':%d,'NORMAL':%d,'JOINTS_0':%d,'WEIGHTS_0':%d,"
                 "'JOINTS_1':%d,'WEIGHTS_1':%d},'targets':[{'POSITION':%d},{'NORMAL':%d}]}]}]",
                 positions, normals, tangents, joints_0, weights, targets[0], targets[1], targets[2], sparse,
                 quantized, normalized, joints_0, weights, joints_0, weights, quantized, normalized);
    gltf_section(b, "'nodes':[{'name':'arm','translation':[1,2,3],'rotation':[0.5,0.5,-0.5,0.5],'scale':[1,2,3]},"
                    "{'name':'root','children':[0,2,4],'rotation':[0.3,0.1,-0.2,1.7]},"
                    "{'name':'mirror','scale':[1,-2,0.5],'translation':[0,1,-2],'children':[3]},"
                    "{'name':'matrix','matrix':[0,2,0,0,-3,0,0,0,0,0,-4,0,5,6,7,1]},"
                    "{'name':'eye','rotation':[0.1,0.2,0.3,0.9],'camera':0,'mesh':0,'skin':0,'children':[5]},"
                    "{'rotation':[-0.4,0.2,0.3,0.9],'extensions':{'KHR_lights_punctual':{'light':0}}}]");
    gltf_section(b, "'skins':[{'joints':[3,0,1],'inverseBindMatrices':%d}]", random_binds(b, 3));
    gltf_section(b, "'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':0.1}}],"
                    "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'spot'}]}}");
}

// A clip that moves translation, rotation and scale of two nodes and the weights, each interpolated in one way.
static void add_clip(gltf_builder *b, gltf_text *animations, const char *interpolation, int per_key) {
    char text[1024];
    int times = gltf_floats(b, "SCALAR", 3, (float[3]){0, 0.4f, 1}), keys = 3 * per_key;
    int moves = random_floats(b, "VEC3", keys, 3), turns = random_floats(b, "VEC4", keys, 4);
    int weights = random_floats(b, "SCALAR", 2 * keys, 1);
    int length = snprintf(
        text, sizeof text,
        "%s{'samplers':[{'input':%d,'output':%d,'interpolation':'%s'},{'input':%d,'output':%d,'interpolation':'%s'}"
        ","
        "{'input':%d,'output':%d,'interpolation':'%s'}],'channels':["
        "{'sampler':0,'target':{'node':0,'path':'translation'}},{'sampler':1,'target':{'node':0,'path':'rotation'}}"
        ","
        "{'sampler':0,'target':{'node':0,'path':'scale'}},{'sampler':0,'target':{'node':2,'path':'scale'}},"
        "{'sampler':1,'target':{'node':1,'path':'rotation'}},{'sampler':2,'target':{'node':4,'path':'weights'}}]}",
        animations->size > 0 ? "," : "", times, moves, interpolation, times, turns, interpolation, times, weights,
        interpolation);
    assert_true(length > 0 && (size_t)length < sizeof text);
    gltf_append(animations, text, (size_t)length);
}

// One accessor serves a translation and a scale, which turn differently.
static void test_every_feature(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        gltf_builder b = gltf_begin();
        gltf_text animations = {NULL, 0, 0};
        add_figure(&b);
        add_clip(&b, &animations, "STEP", 1);
        add_clip(&b, &animations, "LINEAR", 1);
        add_clip(&b, &animations, "CUBICSPLINE", 3);
        gltf_section(&b, "'animations':[%s]", animations.data);
        free(animations.data);
        check_built("every feature", &b);
    }
}

// ---- Files -----------------------------------------------------------------------------------------------------

static struct { int commuted, refused; } counts;

static void check_file(const char *path) {
    sinew_asset *y, *z;
    sinew_error error = {0};
    if (load(path, SINEW_UP_Y, &y, &error) != SINEW_OK) { // those that need a meshopt decoder
        assert_int_equal(error.result, SINEW_ERROR_UNSUPPORTED);
        counts.refused++;
        return;
    }
    if (load(path, SINEW_UP_Z, &z, &error) != SINEW_OK) fail_msg("%s", error.message);
    check_commutes(path, y, z);
    counts.commuted++;
}

static void check_folder(const char *folder) {
    memset(&counts, 0, sizeof counts);
    largest_difference = 0;
    for_each_file(folder, ".glb .gltf", check_file);
    print_message("%s: %d commute, within %.2g of a model's size; %d need a decoder\n", folder, counts.commuted,
                  largest_difference, counts.refused);
    assert_true(counts.commuted > 0);
}

static void test_models(void **state) {
    (void)state;
    check_folder(SINEW_MODELS);
}

static void test_assets(void **state) {
    (void)state;
    check_folder(other_peoples_files());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_turns_are_inverse),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_upright_is_upright),
        cmocka_unit_test(test_cameras_look_along_y),
        cmocka_unit_test(test_every_feature),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
