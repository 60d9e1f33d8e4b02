// SPDX-License-Identifier: MIT
// A random character of a crowd, the same on every machine. Its record lies between nonsense records, across the end
// of a texture's row if possible. The expected vertices are the CPU's own.
#include "cases.h"

#include "support/check.h"
#include "output.h"

enum { VERTICES = 120, JOINTS = 7, TARGETS = 3, FRAMES = 60, WEIGHTS = 6, FIRST_WEIGHT = 2, MOST_INFLUENCES = 8 };
enum { FRAME_TEXELS = 3 * JOINTS, MOST_TEXELS = 2048, BLOCK_TEXELS = 384 };

static const int32_t frames[4] = {48, 3, 57, 12}; // the first lies over the end of a row

typedef struct character {
    sinew_gpu_record_format format;
    int32_t influences, deltas;
    int32_t only_joint; // that all vertices hang on, or -1
    sinew_affine place, joints[JOINTS];
    float frame_shares[4];
    sinew_affine frames[FRAMES][JOINTS];
    float morph_weights[WEIGHTS];
    bool has_normals;
    float positions[3 * VERTICES], normals[3 * VERTICES], tangents[4 * VERTICES];
    float target_deltas[3][TARGETS][3 * VERTICES]; // of positions, normals and tangents
    uint16_t vertex_joints[MOST_INFLUENCES * VERTICES];
    float vertex_weights[MOST_INFLUENCES * VERTICES];
} character;

// ---- Chance ----------------------------------------------------------------------------------------------------

static uint64_t seed;

static void draw_floats(float *out, int32_t count, float most) {
    for (int32_t i = 0; i < count; i++) out[i] = random_float(&seed, -most, most);
}

static void draw_units(float *out, int32_t stride, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        float *v = out + (size_t)stride * (size_t)i;
        do draw_floats(v, 3, 1.0f);
        while (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 0.1f);
        const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int k = 0; k < 3; k++) v[k] /= length;
        if (stride == 4) v[3] = i % 3 == 0 ? -1.0f : 1.0f;
    }
}

// Turned by less than 40 degrees, so that blending four of them leaves something.
static sinew_affine draw_matrix(bool is_even, float hand) {
    sinew_transform t = sinew_transform_identity();
    draw_floats(&t.translation.x, 3, 1.0f);
    draw_floats(&t.rotation.x, 3, 0.2f);
    t.rotation = sinew_quat_normalize(t.rotation);
    t.scale.x = random_float(&seed, 0.7f, 1.3f);
    t.scale.y = is_even ? t.scale.x : random_float(&seed, 0.7f, 1.3f);
    t.scale.z = is_even ? t.scale.x : random_float(&seed, 0.7f, 1.3f);
    t.scale = (sinew_vec3){hand * t.scale.x, hand * t.scale.y, hand * t.scale.z};
    const sinew_affine matrix = sinew_affine_from_transform(t);
    if (is_even) return matrix;
    t.rotation = sinew_quat_normalize((sinew_quat){0.2f, -0.1f, 0.1f, 1.0f});
    t.scale = (sinew_vec3){1.2f, 0.9f, 1.0f};
    return sinew_affine_multiply(sinew_affine_from_transform(t), matrix); // sheared
}

static void draw_influences(character *c) {
    for (int32_t v = 0; v < VERTICES; v++) {
        uint16_t *joints = c->vertex_joints + (size_t)c->influences * (size_t)v;
        float *weights = c->vertex_weights + (size_t)c->influences * (size_t)v;
        float sum = 0.0f;
        for (int i = 0; i < c->influences; i++) {
            joints[i] = (uint16_t)(random_next(&seed) % JOINTS);
            weights[i] = random_float(&seed, 0.0f, 1.0f);
            sum += weights[i];
        }
        for (int i = 0; i < c->influences; i++) weights[i] /= sum;
    }
}

static void blend_frames(character *c) {
    for (int j = 0; j < JOINTS; j++) {
        for (int i = 0; i < 12; i++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++) sum += c->frame_shares[k] * c->frames[frames[k]][j].m[i / 4][i % 4];
            c->joints[j].m[i / 4][i % 4] = sum;
        }
    }
}

static void draw_character(character *c, const sinew_shader_variant *v) {
    seed = 8;
    c->format = (sinew_gpu_record_format){v->layout, JOINTS, v->morph ? WEIGHTS : 0, v->per_instance_transform};
    c->influences = v->influences;
    c->deltas = v->influences == 8 ? 2 : 3;
    c->only_joint = v->influences == 4 && v->morph && v->layout == SINEW_GPU_RECORD_TRS ? 3 : -1;
    c->has_normals = v->influences > 0;
    const bool is_even = v->layout == SINEW_GPU_RECORD_TRS;
    c->place = draw_matrix(false, -1.0f);
    for (int j = 0; j < JOINTS; j++) c->joints[j] = draw_matrix(is_even, v->morph ? -1.0f : 1.0f);
    for (int f = 0; f < FRAMES; f++) {
        for (int j = 0; j < JOINTS; j++) c->frames[f][j] = draw_matrix(false, 1.0f);
    }
    static const float of_one[4] = {0.7f, 0.3f}, of_two[4] = {0.4f, 0.3f, 0.1f, 0.2f};
    memcpy(c->frame_shares, v->morph ? of_two : of_one, sizeof of_one);
    if (v->layout == SINEW_GPU_RECORD_BAKED) blend_frames(c);
    draw_floats(c->morph_weights, WEIGHTS, 1.0f);
    c->morph_weights[FIRST_WEIGHT + 1] = 0.0f;
    draw_floats(c->positions, 3 * VERTICES, 1.0f);
    draw_units(c->normals, 3, VERTICES);
    draw_units(c->tangents, 4, VERTICES);
    draw_floats(c->target_deltas[0][0], 3 * TARGETS * 3 * VERTICES, 0.1f);
    draw_influences(c);
}

// ---- What must come out ----------------------------------------------------------------------------------------

static void morph_character(character *c) {
    const float *deltas[3][TARGETS];
    for (int t = 0; t < TARGETS; t++) {
        for (int k = 0; k < 3; k++) deltas[k][t] = c->target_deltas[k][t];
    }
    const float *weights = c->morph_weights + FIRST_WEIGHT;
    sinew_morph(c->positions, deltas[0], weights, TARGETS, 3 * VERTICES, c->positions);
    sinew_morph(c->normals, deltas[1], weights, TARGETS, 3 * VERTICES, c->normals);
    if (c->deltas < 3) return;
    sinew_morph_tangents(c->tangents, deltas[2], weights, TARGETS, VERTICES, c->tangents);
}

// Vertices that have no joints of their own are all of one.
static void hang_on(character *c, const sinew_affine *joint) {
    c->influences = 4;
    c->joints[0] = *joint;
    memset(c->vertex_joints, 0, sizeof c->vertex_joints);
    for (int32_t i = 0; i < 4 * VERTICES; i++) c->vertex_weights[i] = i % 4 == 0 ? 1.0f : 0.0f;
}

static void skin_character(character c, float *positions, float *normals, float *tangents) {
    const sinew_affine nothing = sinew_affine_identity();
    if (c.influences == 0) hang_on(&c, &nothing);
    if (c.only_joint >= 0) hang_on(&c, &c.joints[c.only_joint]);
    if (c.format.weight_count > 0) morph_character(&c);
    for (int j = 0; j < JOINTS && c.format.per_instance_transform; j++)
        c.joints[j] = sinew_affine_multiply(c.place, c.joints[j]);
    sinew_skin_job job = sinew_skin_job_default();
    job.influences = c.influences;
    job.joints = c.vertex_joints;
    job.weights = c.vertex_weights;
    job.positions = c.positions;
    job.normals = c.normals;
    job.tangents = c.tangents;
    job.out_positions = positions;
    job.out_normals = normals;
    job.out_tangents = tangents;
    sinew_skin_vertices(&job, c.joints, 0, VERTICES);
}

// ---- JSON ------------------------------------------------------------------------------------------------------

static void write_numbers(FILE *file, const char *name, const float *numbers, size_t count) {
    fprintf(file, "\"%s\": [", name);
    for (size_t i = 0; i < count; i++) fprintf(file, "%s%.9g", i > 0 ? "," : "", (double)numbers[i]);
    fprintf(file, "],\n");
}

// The character's number. Its record extends over the end of a row, or is the last one in a block.
static int32_t number_of(const sinew_shader_variant *v, int32_t record_texels) {
    if (!v->per_instance_transform && !v->morph) return 0;
    if (v->resource == SINEW_GPU_RESOURCE_BLOCK) return BLOCK_TEXELS / record_texels - 1;
    return (SINEW_TEXTURE_WIDTH - 1) / record_texels;
}

static void write_palette(FILE *file, const character *c, const sinew_shader_variant *v) {
    static float texels[4 * MOST_TEXELS];
    for (int32_t i = 0; i < 4 * MOST_TEXELS; i++) texels[i] = 1e5f + (float)i;
    const int32_t stride = sinew_gpu_record_texel_count(&c->format);
    const int32_t first = stride * number_of(v, stride);
    float *record = texels + 4 * (size_t)first;
    sinew_gpu_record_write(&c->format, c->place, c->joints, c->morph_weights, record);
    float *baked = record + (v->per_instance_transform ? 12 : 0);
    for (int k = 0; k < 4 && v->layout == SINEW_GPU_RECORD_BAKED; k++) {
        baked[k] = (float)(FRAME_TEXELS * frames[k]);
        baked[4 + k] = c->frame_shares[k];
    }
    const int32_t used = v->resource == SINEW_GPU_RESOURCE_BLOCK ? BLOCK_TEXELS : MOST_TEXELS;
    write_numbers(file, "palette", texels, 4 * (size_t)used);
    fprintf(file, "\"draw\": [%d, %d, %d, %d],\n", first, stride,
            sinew_gpu_record_first_weight(&c->format) + FIRST_WEIGHT, 4 * TARGETS + c->deltas);
}

static void write_deltas(FILE *file, const character *c) {
    static float texels[3 * TARGETS * VERTICES][4];
    int32_t end = 0;
    for (int32_t v = 0; v < VERTICES; v++) {
        for (int i = 0; i < TARGETS * c->deltas; i++, end++) {
            memcpy(texels[end], c->target_deltas[i % c->deltas][i / c->deltas] + 3 * (size_t)v, 3 * sizeof(float));
        }
    }
    write_numbers(file, "deltas", texels[0], 4 * (size_t)end);
}

static void write_moving(FILE *file, const character *c) {
    static float all[6 * VERTICES];
    memcpy(all, c->positions, sizeof c->positions);
    memcpy(all + (ptrdiff_t)3 * VERTICES, c->normals, sizeof c->normals);
    write_numbers(file, "moving", all, (size_t)(c->has_normals ? 6 : 3) * VERTICES);
}

// Each array begins behind a word that is nobody's. Returns where it begins.
static int32_t append_words(FILE *file, const void *words, int32_t count, int32_t *end) {
    fprintf(file, "%s4294967295", *end > 0 ? "," : "");
    for (int32_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + sizeof word * (size_t)i, sizeof word);
        fprintf(file, ",%u", word);
    }
    *end += count + 1;
    return *end - count;
}

// Two joints are a word only where the lower half comes first.
static void pack_joints(const character *c, uint32_t *words) {
    for (int32_t i = 0; i < c->influences * VERTICES / 2; i++) {
        words[i] = (uint32_t)c->vertex_joints[(ptrdiff_t)2 * i] | (uint32_t)c->vertex_joints[2 * i + 1] << 16;
    }
}

static void write_mesh(FILE *file, const character *c) {
    static uint32_t joints[MOST_INFLUENCES * VERTICES / 2];
    const int32_t count = c->influences * VERTICES;
    int32_t end = 0;
    pack_joints(c, joints);
    fprintf(file, "\"fixed\": [");
    const int32_t tangents_at = append_words(file, c->tangents, 4 * VERTICES, &end);
    const int32_t joints_at = append_words(file, joints, count / 2, &end);
    const int32_t weights_at = append_words(file, c->vertex_weights, count, &end);
    fprintf(file, "],\n\"mesh\": [%d, %d, %d, %d, %d, %d, %d, 0],\n", VERTICES, c->has_normals ? 3 * VERTICES : -1,
            (c->has_normals ? 6 : 3) * VERTICES, c->only_joint, tangents_at, joints_at, weights_at);
}

static void write_expected(FILE *file, const character *c) {
    static float all[10 * VERTICES], normals[3 * VERTICES];
    skin_character(*c, all, c->has_normals ? all + (ptrdiff_t)3 * VERTICES : normals,
                   all + (size_t)(c->has_normals ? 6 : 3) * VERTICES);
    write_numbers(file, "expected", all, (size_t)(c->has_normals ? 10 : 7) * VERTICES);
}

void write_case(const char *folder, const char *name, const sinew_shader_def *def) {
    static character c;
    assert_int_equal(def->record_texels, BLOCK_TEXELS);
    draw_character(&c, &def->variant);
    FILE *file = open_output(folder, name);
    fprintf(file, "{\n");
    write_palette(file, &c, &def->variant);
    if (def->variant.morph) write_deltas(file, &c);
    if (def->variant.layout == SINEW_GPU_RECORD_BAKED) {
        write_numbers(file, "animations", c.frames[0][0].m[0], (size_t)12 * JOINTS * FRAMES);
    }
    write_moving(file, &c);
    write_mesh(file, &c);
    write_expected(file, &c);
    fprintf(file, "\"vertices\": %d\n}\n", VERTICES);
    close_output(file);
}
