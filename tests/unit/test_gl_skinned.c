// SPDX-License-Identifier: MIT
// Meshes skinned ahead of draws, by transform feedback and by a compute shader, against the CPU and against draws
// that skin. The command line names the context; see gl_context.h.
#include "support/skinned_stage.h"

enum { FIRST_DRAWN = 2 };

static const char *const way_names[] = {"feedback", "compute"};

// ---- The table -------------------------------------------------------------------------------------------------

typedef struct path {
    const char *name;
    sinew_gpu_resource source;
    int characters;
    int since, since_es;
} path;

static const path paths[] = {
    {"block", SINEW_GPU_RESOURCE_BLOCK, 1, 33, 30},
    {"ranges of a block", SINEW_GPU_RESOURCE_BLOCK, MOST_CHARACTERS, 33, 30},
    {"texture", SINEW_GPU_RESOURCE_TEXTURE, MOST_CHARACTERS, 33, 30},
    {"buffer texture", SINEW_GPU_RESOURCE_BUFFER, MOST_CHARACTERS, 33, 32},
    {"storage buffer", SINEW_GPU_RESOURCE_STORAGE, MOST_CHARACTERS, 43, 31},
};

enum { PATH_COUNT = sizeof paths / sizeof paths[0], RIGID = 0, PLACE_ONLY = -1 };

typedef struct table_case {
    const path *path;
    sinew_gl_skinning way;
    int influences; // or RIGID: on a joint; PLACE_ONLY: the same, of a palette without joints
    bool morph;
    sinew_gpu_record_layout layout;
} table_case;

static sinew_gl_records_def palette_def(const table_case *c) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format.joint_count = c->influences == PLACE_ONLY ? 0 : hero.joint_count;
    def.format.weight_count = c->morph ? WEIGHTS : 0;
    def.format.layout = c->layout;
    def.format.per_instance_transform = true;
    def.character_count = c->path->characters;
    def.resource = c->path->source;
    return def;
}

static sinew_primitive make_case_vertices(const table_case *c) {
    make_vertices(&hero, VERTICES, JOINTS, c->influences > 0 ? c->influences : 4, c->morph);
    if (c->influences == RIGID) return hang_vertices(HUNG_ON);
    return c->influences == PLACE_ONLY ? hang_vertices(0) : hero.primitive;
}

static void make_case_poses(const table_case *c, scale_kind scale) {
    make_poses(&hero, scale);
    if (c->influences != PLACE_ONLY) return;
    for (int i = 0; i < MOST_CHARACTERS; i++) hero.palettes[i][0] = sinew_affine_identity();
}

static float case_error(const table_case *c, sinew_gl_records *palette, sinew_gl_skinned *skinned) {
    const int count = palette_def(c).character_count;
    const int character = count > 1 ? FIRST_DRAWN : 0;
    const sinew_gl_draw draw = {
        .records = palette, .first = character, .count = 1, .joint = HUNG_ON, .first_weight = FIRST_WEIGHT};
    spoil_buffer(skinned);
    upload(palette, count);
    sinew_gl_records_bind_character(palette, character);
    sinew_gl_skinned_update(skinned, &draw);
    return capture_error(read_skinned(&hero, skinned), &hero, character, true);
}

static bool can_hold(sinew_gpu_record_layout layout, scale_kind scale) {
    return layout != SINEW_GPU_RECORD_TRS || scale == SCALE_UNIFORM || scale == SCALE_MIRRORED_UNIFORM;
}

static float check_case(sinew_gl *gl, const table_case *c, stage *s) {
    const sinew_primitive primitive = make_case_vertices(c);
    const sinew_gl_records_def def = palette_def(c);
    *s = make_stage(gl, &def, &primitive, c->way);
    float worst = 0.0f;
    for (scale_kind scale = 0; scale < SCALE_COUNT; scale++) {
        if (!can_hold(c->layout, scale)) continue;
        make_case_poses(c, scale);
        worst = fmaxf(worst, case_error(c, s->palette, s->skinned));
    }
    return worst;
}

static void check_row(sinew_gl *gl, const table_case *c) {
    static const char *const kinds[] = {"place only", "rigid", "", "", "", "4", "", "", "", "8"};
    static const char *const layouts[] = {"rows", "mat4", "trs"};
    stage s;
    const float error = check_case(gl, c, &s);
    destroy_stage(&s);
    print_message("%-8s  %-17s  %-10s  %-5s  %-4s  %.1e\n", way_names[c->way], c->path->name,
                  kinds[c->influences + 1], c->morph ? "morph" : "-", layouts[c->layout], (double)error);
    assert_true(error <= VERTEX_TOLERANCE);
}

static void check_path(sinew_gl *gl, sinew_gl_skinning way, const path *on) {
    check_row(gl, &(table_case){on, way, 4, true, SINEW_GPU_RECORD_ROWS});
    check_row(gl, &(table_case){on, way, 8, false, SINEW_GPU_RECORD_ROWS});
    check_row(gl, &(table_case){on, way, RIGID, true, SINEW_GPU_RECORD_ROWS});
    check_row(gl, &(table_case){on, way, RIGID, true, SINEW_GPU_RECORD_MAT4});
    check_row(gl, &(table_case){on, way, RIGID, true, SINEW_GPU_RECORD_TRS});
    check_row(gl, &(table_case){on, way, PLACE_ONLY, false, SINEW_GPU_RECORD_ROWS});
}

// A few cases of each path; test_gl_paths has all, except meshes without joints. Catches another vertex's joints or
// weights, a word's two joints swapped, arrays at the wrong offset in the mesh's buffers, unturned normals or
// tangents, handedness that mirroring doesn't change, missing places and deltas, draw numbers that don't reach the
// shader, and a rigid mesh on another joint.
static void each_way_agrees_with_the_cpu(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl();
    for (sinew_gl_skinning way = SINEW_GL_SKINNING_FEEDBACK; way <= SINEW_GL_SKINNING_COMPUTE; way++) {
        for (int i = 0; i < PATH_COUNT; i++) {
            const bool can = gl_context_has(paths[i].since, paths[i].since_es);
            if (can && (way == SINEW_GL_SKINNING_FEEDBACK || has_compute()))
                check_path(gl, way, &paths[i]);
            else
                print_message("%-8s  %-17s  skipped: %s has none\n", way_names[way], paths[i].name,
                              gl_context_name());
        }
    }
    destroy_gl(gl);
}

// ---- Arrays ----------------------------------------------------------------------------------------------------

// What a mesh has besides positions.
static void check_arrays(sinew_gl *gl, sinew_gl_skinning way, bool normals, bool tangents) {
    static skinned_vertices expected;
    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    make_poses(&hero, SCALE_MIRRORED);
    skin_on_cpu(&hero, 0, true, &expected);
    sinew_primitive primitive = hero.primitive;
    if (!normals) primitive.normals = NULL;
    if (!tangents) primitive.tangents = NULL;
    const sinew_gl_records_def def = block_def(1);
    const stage s = make_stage(gl, &def, &primitive, way);
    skin_first(&s);

    const int size = read_buffer(s.skinned);
    const float *at = floats;
    for (int i = 0; i < 3 * VERTICES; i++) check_near(*at++, expected.positions[i], 1e-4);
    for (int i = 0; normals && i < 3 * VERTICES; i++) check_near(*at++, expected.normals[i], 1e-4);
    for (int i = 0; tangents && i < 4 * VERTICES; i++) check_near(*at++, expected.tangents[i], 1e-4);
    assert_int_equal(at - floats, size);
    destroy_stage(&s);
}

// Catches a buffer that has room for what the mesh lacks, or is laid out by what is usual rather than by what is there.
static void the_buffer_holds_what_the_mesh_has(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl();
    for (sinew_gl_skinning way = SINEW_GL_SKINNING_FEEDBACK; way <= SINEW_GL_SKINNING_COMPUTE; way++) {
        if (way == SINEW_GL_SKINNING_COMPUTE && !has_compute()) continue;
        for (int i = 0; i < 4; i++) check_arrays(gl, way, (i & 1) != 0, (i & 2) != 0);
    }
    destroy_gl(gl);
}

// Catches normals that become NaN when a joint leaves nothing of them, and lost small normals.
static void check_scale(sinew_gl *gl, sinew_gl_skinning way, float scale) {
    static skinned_vertices expected;
    make_vertices(&hero, VERTICES, JOINTS, 4, false);
    make_poses(&hero, SCALE_NON_UNIFORM);
    hero.places[0] = sinew_affine_identity();
    for (int i = 0; i < 3; i++) hero.places[0].m[i][i] = scale;
    skin_on_cpu(&hero, 0, true, &expected);
    const sinew_gl_records_def def = block_def(1);
    const stage s = make_stage(gl, &def, &hero.primitive, way);
    skin_first(&s);
    const captured *vertices = read_skinned(&hero, s.skinned);
    for (int i = 0; i < VERTICES; i++) {
        for (int k = 0; k < 3; k++) check_near(vertices[i].normal[k], expected.normals[3 * i + k], 2e-5);
        for (int k = 0; k < 4; k++) check_near(vertices[i].tangent[k], expected.tangents[4 * i + k], 2e-5);
    }
    destroy_stage(&s);
}

static void normals_are_unit_or_zero(void **state) {
    (void)state;
    need_context();
    sinew_gl *gl = create_gl();
    const float scales[] = {0.0f, 1e-6f, 1e6f};
    for (int i = 0; i < 3; i++) {
        check_scale(gl, SINEW_GL_SKINNING_FEEDBACK, scales[i]);
        if (has_compute()) check_scale(gl, SINEW_GL_SKINNING_COMPUTE, scales[i]);
    }
    destroy_gl(gl);
}

// More vertices than the groups of one dispatch have invocations: catches those that are left out.
static void any_number_of_vertices_is_skinned(void **state) {
    (void)state;
    need_context();
    need_compute();
    enum { MANY = 65535 * 64 + 1000 };
    sinew_gl *gl = create_gl();
    float *positions = calloc(MANY, 3 * sizeof *positions);
    assert_non_null(positions);
    for (int i = 0; i < MANY; i++) positions[3 * (size_t)i] = (float)i;
    const uint32_t indices[3] = {0, 1, 2};
    const sinew_primitive primitive = {
        .vertex_count = MANY, .positions = positions, .index_count = 3, .indices = indices};
    make_vertices(&hero, 3, JOINTS, 4, false);
    make_poses(&hero, SCALE_UNIFORM);
    hero.palettes[0][HUNG_ON] = sinew_affine_identity();
    hero.places[0] = sinew_affine_identity();
    hero.places[0].m[1][3] = 1.0f;
    const sinew_gl_records_def def = block_def(1);
    const stage s = make_stage(gl, &def, &primitive, SINEW_GL_SKINNING_COMPUTE);
    skin_first(&s);

    glBindBuffer(GL_ARRAY_BUFFER, sinew_gl_skinned_buffer(s.skinned));
    const float *out =
        glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)MANY * 3 * (GLsizeiptr)sizeof *out, GL_MAP_READ_BIT);
    assert_non_null(out);
    int wrong = 0;
    for (size_t i = 0; i < MANY; i++) wrong += out[3 * i] != (float)i || out[3 * i + 1] != 1.0f;
    glUnmapBuffer(GL_ARRAY_BUFFER);
    assert_int_equal(wrong, 0);
    destroy_stage(&s);
    free(positions);
    destroy_gl(gl);
}

// Catches binding points that take the palette's away.
static void storage_bindings_leave_the_palettes_alone(void **state) {
    (void)state;
    need_context();
    need_compute();
    for (int binding = 0; binding < 4; binding++) {
        sinew_gl_def def = gl_def();
        def.storage_binding = binding;
        sinew_gl *gl = gl_context_create(&def);
        const table_case c = {&paths[4], SINEW_GL_SKINNING_COMPUTE, 8, true, SINEW_GPU_RECORD_ROWS};
        stage s;
        assert_true(check_case(gl, &c, &s) <= VERTEX_TOLERANCE);
        destroy_stage(&s);
        destroy_gl(gl);
    }
}

// ---- Pictures --------------------------------------------------------------------------------------------------

enum { PICTURE = 128, PICTURE_BYTES = PICTURE * PICTURE * 4 };

static const char vertex_body[] =
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "layout(location = SINEW_UV_LOCATION) in vec2 uv;\n"
    "layout(location = SINEW_COLOR_LOCATION) in vec4 color;\n"
    "layout(location = SINEW_TANGENT_LOCATION) in vec4 tangent;\n"
    "out vec4 shade;\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n"
    "    vec3 n = normalize(sinew_skin_normal(skin, sinew_morph_normal(normal)));\n"
    "    vec3 t = normalize(sinew_skin_tangent(skin, sinew_morph_tangent(tangent.xyz)));\n"
    "    vec3 bitangent = cross(n, t) * tangent.w * sinew_skin_hand(skin);\n"
    "    shade = vec4(0.5 + 0.5 * bitangent, 1.0) * color + vec4(0.1 * uv, 0.0, 0.0);\n"
    "    gl_Position = vec4(0.2 * sinew_skin_point(skin, sinew_morph_point(position)), 1.0);\n"
    "}\n";

static const char fragment_body[] = "in vec4 shade;\n"
                                    "out vec4 result;\n"
                                    "void main() { result = shade; }\n";

static GLuint compile(GLenum type, int count, const char *const *strings) {
    const GLuint shader = glCreateShader(type);
    GLint good = 0;
    glShaderSource(shader, count, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    assert_true(good);
    return shader;
}

static GLuint make_program(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph) {
    sinew_gl_source source;
    const char *const fragment[] = {sinew_gl_shader_head(gl), fragment_body};
    sinew_gl_vertex_shader(gl, palette, influences, morph, vertex_body, &source);
    const GLuint shaders[2] = {compile(GL_VERTEX_SHADER, SINEW_GL_SOURCES, source.strings),
                               compile(GL_FRAGMENT_SHADER, 2, fragment)};
    const GLuint program = glCreateProgram();
    GLint good = 0;
    for (int i = 0; i < 2; i++) glAttachShader(program, shaders[i]);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    assert_true(good);
    for (int i = 0; i < 2; i++) glDeleteShader(shaders[i]);
    assert_int_equal(sinew_gl_setup_program(gl, program, NULL), SINEW_OK);
    return program;
}

static GLuint make_canvas(GLuint *framebuffer) {
    GLuint canvas;
    glGenRenderbuffers(1, &canvas);
    glBindRenderbuffer(GL_RENDERBUFFER, canvas);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, PICTURE, PICTURE);
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas);
    glViewport(0, 0, PICTURE, PICTURE);
    return canvas;
}

static void clear(void) {
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
}

// Bytes that are not black, and those that differ by more than a grey level.
static void compare(const uint8_t *a, const uint8_t *b) {
    int lit = 0, different = 0;
    for (int i = 0; i < PICTURE_BYTES; i++) {
        lit += a[i] > 0;
        different += abs(a[i] - b[i]) > 1;
    }
    assert_in_range(lit, PICTURE_BYTES / 4, PICTURE_BYTES);
    assert_in_range(different, 0, PICTURE_BYTES / 1000);
}

// Texture coordinates and colours, which are the same in all poses.
static sinew_primitive make_colored(void) {
    static float uvs[2 * VERTICES], colors[4 * VERTICES];
    make_vertices(&hero, VERTICES, JOINTS, 4, true);
    make_poses(&hero, SCALE_MIRRORED);
    for (int i = 0; i < VERTICES; i++) {
        for (int k = 0; k < 2; k++) uvs[2 * i + k] = (float)((i * 7 + k * 3) % 11) / 11.0f;
        for (int k = 0; k < 4; k++) colors[4 * i + k] = (float)((i * 5 + k * 3) % 13) / 13.0f;
    }
    sinew_primitive primitive = hero.primitive;
    primitive.uvs = uvs;
    primitive.colors = colors;
    return primitive;
}

static void check_picture(sinew_gl *gl, sinew_gl_skinning way) {
    static uint8_t drawn[PICTURE_BYTES], drawn_ahead[PICTURE_BYTES];
    const sinew_primitive primitive = make_colored();
    sinew_gl_records_def def = block_def(MOST_CHARACTERS);
    def.format.weight_count = WEIGHTS;
    const stage s = make_stage(gl, &def, &primitive, way);
    const GLuint program = make_program(gl, s.palette, 4, true), plain = make_program(gl, NULL, 4, false);
    const sinew_gl_draw draw = {.records = s.palette, .first = 1, .count = 1, .first_weight = FIRST_WEIGHT};
    upload(s.palette, MOST_CHARACTERS);
    sinew_gl_records_bind_character(s.palette, draw.first);

    clear();
    glUseProgram(program);
    sinew_gl_mesh_draw_many(s.mesh, &draw);
    glReadPixels(0, 0, PICTURE, PICTURE, GL_RGBA, GL_UNSIGNED_BYTE, drawn);
    clear();
    sinew_gl_skinned_update(s.skinned, &draw);
    glUseProgram(plain);
    sinew_gl_skinned_draw(s.skinned);
    glReadPixels(0, 0, PICTURE, PICTURE, GL_RGBA, GL_UNSIGNED_BYTE, drawn_ahead);
    compare(drawn, drawn_ahead);

    glUseProgram(0);
    glBindVertexArray(0);
    glDeleteProgram(program);
    glDeleteProgram(plain);
    destroy_stage(&s);
}

// Catches a vertex array that lacks the texture coordinates, the colours or the indices, or has another's arrays.
static void drawn_ahead_or_not_the_picture_is_the_same(void **state) {
    (void)state;
    need_context();
    GLint before = 0;
    GLuint framebuffer;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    GLuint canvas = make_canvas(&framebuffer);
    sinew_gl *gl = create_gl();
    check_picture(gl, SINEW_GL_SKINNING_FEEDBACK);
    if (has_compute()) check_picture(gl, SINEW_GL_SKINNING_COMPUTE);
    destroy_gl(gl);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &canvas);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_agrees_with_the_cpu),
        cmocka_unit_test(the_buffer_holds_what_the_mesh_has),
        cmocka_unit_test(normals_are_unit_or_zero),
        cmocka_unit_test(any_number_of_vertices_is_skinned),
        cmocka_unit_test(storage_bindings_leave_the_palettes_alone),
        cmocka_unit_test(drawn_ahead_or_not_the_picture_is_the_same),
    };
    const char *name = gl_context_choose(argc, argv);
    return cmocka_run_group_tests_name(name, tests, gl_context_setup, gl_context_teardown);
}
