// SPDX-License-Identifier: MIT
// Animation textures on the GPU, against sinew_bake_palette: the shader blends a SINEW_GPU_RECORD_BAKED record like
// the CPU. The command line names the context; see gl_context.h.
#include "support/gl_capture.h"
#include "support/gl_state.h"

#include "support/check.h"

#include <stdio.h>

enum { VERTICES = 900 };

static random_crowd hero;
static sinew_bake *bakes[2]; // of floats and of halves

// ---- Characters ----------------------------------------------------------------------------------------------

// Between frames of a clip; in a cross-fade; at its end; alone in the last clip; and the first clip backwards.
static void make_states(sinew_bake_state states[MOST_CHARACTERS], const sinew_bake *bake) {
    const int last = bake->clip_count - 1;
    for (int i = 0; i < MOST_CHARACTERS; i++) {
        states[i] = sinew_bake_play(i == 3 ? last : i % bake->clip_count);
        states[i].tracks[0].time = 0.137f * (float)(i + 1);
    }
    sinew_bake_fade_to(&states[1], last, 1.0f);
    sinew_bake_advance(bake, &states[1], 0.3f);
    sinew_bake_fade_to(&states[2], last, 1.0f);
    sinew_bake_advance(bake, &states[2], 1.0f);
    states[4].tracks[0].speed = -1.0f;
    sinew_bake_advance(bake, &states[4], 0.4f);
}

static void write_records(sinew_gl_records *palette, const sinew_bake *bake, bool many) {
    sinew_bake_state states[MOST_CHARACTERS];
    make_states(states, bake);
    const int count = many ? MOST_CHARACTERS : 1;
    for (int i = 0; i < count; i++) {
        sinew_gl_records_write(palette, i, hero.places[i], NULL, hero.morph_weights[i]);
        sinew_bake_write(bake, &states[i], sinew_gl_records_data(palette, i) + 12); // after the place
        sinew_bake_palette(bake, &states[i], hero.palettes[i]);
    }
    sinew_gl_records_upload(palette, count);
}

// ---- Paths ---------------------------------------------------------------------------------------------------

static const char *const source_names[] = {"", "uniforms", "block", "texture", "buffer texture", "storage buffer"};

typedef struct baked_case {
    const sinew_bake *bake;
    sinew_gpu_resource source;
    int influences;
    bool morph;
} baked_case;

// NULL where the context has no such source.
static sinew_gl_records *make_palette(sinew_gl *gl, const baked_case *c, bool many) {
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format = (sinew_gpu_record_format){
        .layout = SINEW_GPU_RECORD_BAKED, .per_instance_transform = true, .weight_count = c->morph ? WEIGHTS : 0};
    def.character_count = many ? MOST_CHARACTERS : 1;
    def.resource = c->source;
    sinew_gl_records *palette;
    const sinew_result result = sinew_gl_records_create(gl, &def, &palette, NULL);
    if (result != SINEW_ERROR_UNSUPPORTED) assert_int_equal(result, SINEW_OK);
    return palette;
}

// Uniforms hold one character, and are sent to the program in use. Of a block each character is a range.
static float draw_error(const sinew_gl_records *palette, const baked_case *c, GLuint program,
                        const sinew_gl_mesh *mesh, int character, int count) {
    const bool whole = c->source > SINEW_GPU_RESOURCE_BLOCK;
    const sinew_gl_draw draw = {
        .records = palette, .first = whole ? character : 0, .count = count, .first_weight = FIRST_WEIGHT};
    glUseProgram(program);
    sinew_gl_records_bind_character(palette, character);
    const captured *vertices = capture_draw(program, &hero, mesh, &draw);
    float worst = 0.0f;
    for (int i = 0; i < count; i++) {
        worst = fmaxf(worst, capture_error(vertices + (ptrdiff_t)i * VERTICES, &hero, character + i, true));
    }
    return worst;
}

static float case_error(sinew_gl_records *palette, const baked_case *c, GLuint program, const sinew_gl_mesh *mesh) {
    const bool many = c->source != SINEW_GPU_RESOURCE_UNIFORMS;
    write_records(palette, c->bake, many);
    if (!many) return draw_error(palette, c, program, mesh, 0, 1);
    float worst = 0.0f;
    const int step = c->source == SINEW_GPU_RESOURCE_BLOCK ? 1 : 3;
    for (int i = 0; i + step <= MOST_CHARACTERS; i += step == 1 ? 1 : 2) {
        worst = fmaxf(worst, draw_error(palette, c, program, mesh, i, step));
    }
    return worst;
}

// The last character's vertices, skinned ahead of the draws; -1 where that is refused.
static float ahead_error(sinew_gl *gl, const sinew_gl_records *palette, const baked_case *c,
                         const sinew_gl_mesh *mesh, sinew_gl_skinning skinning) {
    sinew_gl_skinned *skinned;
    const int character = MOST_CHARACTERS - 1;
    const sinew_result result = sinew_gl_skinned_create(gl, mesh, palette, skinning, &skinned, NULL);
    if (c->source == SINEW_GPU_RESOURCE_UNIFORMS) return -1.0f;
    assert_int_equal(result == SINEW_OK, skinning == SINEW_GL_SKINNING_FEEDBACK || gl_context_has(43, 31));
    if (!skinned) return -1.0f;
    const sinew_gl_draw draw = {.records = palette,
                                .first = c->source > SINEW_GPU_RESOURCE_BLOCK ? character : 0,
                                .count = 1,
                                .first_weight = FIRST_WEIGHT};
    sinew_gl_records_bind_character(palette, character);
    sinew_gl_skinned_update(skinned, &draw);
    const float error = capture_error(read_skinned(&hero, skinned), &hero, character, true);
    sinew_gl_skinned_destroy(skinned);
    return error;
}

// Joints that are far apart in the skeleton may turn against each other, and half of each would be next to nothing:
// most of a vertex hangs on its first.
static void hang_on_the_first_joint(int influences) {
    for (int i = 0; i < VERTICES * influences; i++) {
        hero.weights[i] = 0.2f * hero.weights[i] + (i % influences == 0 ? 0.8f : 0.0f);
    }
}

static void print_row(const baked_case *c, const float errors[3]) {
    print_message("%-14s  %-5s  %d  %-5s", source_names[c->source],
                  c->bake->format == SINEW_BAKE_HALF ? "half" : "float", c->influences, c->morph ? "morph" : "-");
    for (int i = 0; i < 3; i++) {
        if (errors[i] < 0.0f)
            print_message("  refused");
        else
            print_message("  %.1e", (double)errors[i]);
    }
    print_message("\n");
}

static void check_case(sinew_gl *gl, const sinew_gl_animations *animations, const baked_case *c) {
    make_vertices(&hero, VERTICES, c->bake->joint_count, c->influences, c->morph);
    hang_on_the_first_joint(c->influences);
    make_poses(&hero, SCALE_MIRRORED); // for places and weights; joints come from the texture
    sinew_gl_records *palette = make_palette(gl, c, c->source != SINEW_GPU_RESOURCE_UNIFORMS);
    if (!palette) return;
    sinew_gl_mesh *mesh;
    assert_int_equal(sinew_gl_mesh_create(gl, &hero.primitive, &mesh, NULL), SINEW_OK);
    assert_int_equal(sinew_gl_mesh_add_deltas(mesh, &hero.primitive, NULL), SINEW_OK);
    GLuint program = make_capture_program(gl, palette, c->influences, c->morph);
    sinew_gl_animations_bind(animations);
    const float errors[3] = {case_error(palette, c, program, mesh),
                             ahead_error(gl, palette, c, mesh, SINEW_GL_SKINNING_FEEDBACK),
                             ahead_error(gl, palette, c, mesh, SINEW_GL_SKINNING_COMPUTE)};
    print_row(c, errors);
    for (int i = 0; i < 3; i++) assert_true(errors[i] <= VERTEX_TOLERANCE);
    glDeleteProgram(program);
    sinew_gl_mesh_destroy(mesh);
    sinew_gl_records_destroy(palette);
}

// Catches frames of another clip or joint, rows with a different width in the shader and the texture, halves read as
// floats, shares that don't sum to 1, a missing second clip, and another character's records.
static void animation_textures_agree_with_the_cpu(void **state) {
    (void)state;
    gl_context_need();
    sinew_gl *gl = gl_context_create_default();
    print_message("%-30s  %-7s  feedback  compute\n", "", "draw");
    for (int b = 0; b < 2; b++) {
        sinew_gl_animations *animations;
        assert_int_equal(sinew_gl_animations_create(gl, bakes[b], &animations, NULL), SINEW_OK);
        for (int i = 0; i < 4; i++) {
            baked_case c = {bakes[b], SINEW_GPU_RESOURCE_NONE, i & 2 ? 8 : 4, (i & 1) != 0};
            for (int s = SINEW_GPU_RESOURCE_UNIFORMS; s <= SINEW_GPU_RESOURCE_STORAGE; s++) {
                c.source = (sinew_gpu_resource)s;
                check_case(gl, animations, &c);
            }
        }
        sinew_gl_animations_destroy(animations);
    }
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// ---- State and limits ----------------------------------------------------------------------------------------

static void they_change_what_they_say(void **state) {
    (void)state;
    gl_context_need();
    static const char *const unit = "active texture, unit 5 GL_TEXTURE_2D";
    sinew_gl *gl = gl_context_create_default();
    for (int b = 0; b < 2; b++) {
        sinew_gl_animations *animations;
        gl_state_disturb(0);
        assert_int_equal(sinew_gl_animations_create(gl, bakes[b], &animations, NULL), SINEW_OK);
        assert_int_equal(gl_proxy_counts().upload_bytes, bakes[b]->size);
        gl_state_expect(unit, "");
        gl_state_disturb(0);
        sinew_gl_animations_bind(animations);
        gl_state_expect(unit, "");
        gl_state_disturb(0);
        sinew_gl_animations_destroy(animations);
        gl_state_expect("", "");
    }
    sinew_gl_destroy(gl);
    gl_state_close();
    gl_proxy_expect_clean();
}

static void too_many_rows_are_an_error(void **state) {
    (void)state;
    gl_context_need();
    const sinew_bake *bake = bakes[0];
    gl_proxy_limit(GL_MAX_TEXTURE_SIZE, bake->height - 1);
    sinew_gl *gl = gl_context_create_default();
    sinew_gl_animations *animations;
    sinew_error error;
    char expected[200];
    snprintf(
        expected, sizeof expected,
        "an animation texture of %d frames with %d joints needs %d rows of 1024 texels, but GL_MAX_TEXTURE_SIZE is "
        "%d",
        bake->frame_count, bake->joint_count, bake->height, bake->height - 1);
    assert_int_equal(sinew_gl_animations_create(gl, bake, &animations, &error), SINEW_ERROR_LIMIT);
    assert_string_equal(error.message, expected);
    assert_null(animations);
    assert_int_equal(sinew_gl_animations_create(gl, bake, &animations, NULL), SINEW_ERROR_LIMIT);
    sinew_gl_destroy(gl);
    gl_proxy_expect_clean();
}

// ---- Running -------------------------------------------------------------------------------------------------

static sinew_asset *asset;

static int open_context(void **state) {
    gl_context_setup(state);
    asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    for (int b = 0; b < 2; b++) {
        sinew_bake_def def = sinew_bake_default();
        def.asset = asset;
        def.format = b == 0 ? SINEW_BAKE_FLOAT : SINEW_BAKE_HALF;
        assert_int_equal(sinew_bake_create(&def, &bakes[b], NULL), SINEW_OK);
    }
    return 0;
}

static int close_context(void **state) {
    for (int b = 0; b < 2; b++) sinew_bake_destroy(bakes[b]);
    sinew_asset_destroy(asset);
    return gl_context_teardown(state);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(animation_textures_agree_with_the_cpu),
        cmocka_unit_test(they_change_what_they_say),
        cmocka_unit_test(too_many_rows_are_an_error),
    };
    const char *name = gl_context_choose(argc, argv);
    return cmocka_run_group_tests_name(name, tests, open_context, close_context);
}
