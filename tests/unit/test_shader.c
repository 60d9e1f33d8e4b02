// SPDX-License-Identifier: MIT
// The shaders' text: its prefix and its variants. Compilers check whether it's valid.
#include "support/check.h"
#include "shaders/variants.h"

static void the_defaults_are_those_of_the_header(void **state) {
    (void)state;
    const sinew_shader_def def = sinew_shader_default();
    assert_int_equal(def.language, SINEW_SHADER_LANGUAGE_GLSL);
    assert_int_equal(def.variant.resource, SINEW_GPU_RESOURCE_BLOCK);
    assert_int_equal(def.variant.layout, SINEW_GPU_RECORD_ROWS);
    assert_int_equal(def.variant.influences, 4);
    assert_false(def.variant.per_instance_transform || def.variant.morph || def.vulkan || def.no_attributes);
    assert_int_equal(def.record_texels, 384);
    assert_int_equal(def.group, 3);
    assert_int_equal(def.storage_binding, 3);
    assert_int_equal(def.position_location, 0);
    assert_int_equal(def.normal_location, 1);
    assert_int_equal(def.uv_location, 2);
    assert_int_equal(def.joints_location, 3);
    assert_int_equal(def.weights_location, 4);
    assert_int_equal(def.color_location, 5);
    assert_int_equal(def.joints2_location, 6);
    assert_int_equal(def.weights2_location, 7);
    assert_int_equal(def.tangent_location, 8);
    assert_int_equal(def.draw_location, 9);
}

// ---- Preambles -------------------------------------------------------------------------------------------------

static const char *preamble_of(const sinew_shader_def *def) {
    static char text[4096];
    const size_t length = sinew_shader_preamble(def, text, sizeof text);
    assert_true(length > 0 && (size_t)length < sizeof text);
    assert_int_equal(strlen(text), length);
    return text;
}

static void glsl_says_what_the_variant_is(void **state) {
    (void)state;
    const sinew_shader_def def = sinew_shader_default();
    assert_string_equal(preamble_of(&def), "#define SINEW_INFLUENCES 4\n"
                                           "#define SINEW_TEXTURE_WIDTH 1024\n"
                                           "#define SINEW_GPU_RESOURCE_BLOCK\n"
                                           "#define SINEW_GPU_RECORD_ROWS\n"
                                           "#define SINEW_RECORD_TEXELS 384\n"
                                           "#define SINEW_POSITION_LOCATION 0\n"
                                           "#define SINEW_NORMAL_LOCATION 1\n"
                                           "#define SINEW_UV_LOCATION 2\n"
                                           "#define SINEW_COLOR_LOCATION 5\n"
                                           "#define SINEW_TANGENT_LOCATION 8\n"
                                           "#define SINEW_JOINTS_LOCATION 3\n"
                                           "#define SINEW_WEIGHTS_LOCATION 4\n");
}

static void glsl_for_compute_has_no_locations(void **state) {
    (void)state;
    sinew_shader_def def = sinew_shader_default();
    def.variant = (sinew_shader_variant){SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RECORD_BAKED, 8, true, true};
    def.no_attributes = true;
    def.storage_binding = 11;
    assert_string_equal(preamble_of(&def), "#define SINEW_INFLUENCES 8\n"
                                           "#define SINEW_TEXTURE_WIDTH 1024\n"
                                           "#define SINEW_GPU_RESOURCE_STORAGE\n"
                                           "#define SINEW_GPU_RECORD_BAKED\n"
                                           "#define SINEW_RECORD_BINDING 11\n"
                                           "#define SINEW_PER_INSTANCE_TRANSFORM\n"
                                           "#define SINEW_MORPH\n"
                                           "#define SINEW_NO_ATTRIBUTES\n");
}

static void wgsl_says_what_the_variant_is(void **state) {
    (void)state;
    sinew_shader_def def = sinew_shader_default();
    def.language = SINEW_SHADER_LANGUAGE_WGSL;
    def.variant = (sinew_shader_variant){SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_TRS, 8, true, false};
    def.group = 1;
    def.record_texels = 77;
    assert_string_equal(preamble_of(&def),
                        "const SINEW_GROUP = 1;\n"
                        "const SINEW_TEXTURE_WIDTH = 1024;\n"
                        "const SINEW_INFLUENCES = 8;\n"
                        "const SINEW_LAYOUT = SINEW_GPU_RECORD_TRS;\n"
                        "const SINEW_PER_INSTANCE_TRANSFORM = true;\n"
                        "const SINEW_MORPH = false;\n"
                        "const SINEW_POSITION_LOCATION = 0;\n"
                        "const SINEW_NORMAL_LOCATION = 1;\n"
                        "const SINEW_UV_LOCATION = 2;\n"
                        "const SINEW_COLOR_LOCATION = 5;\n"
                        "const SINEW_TANGENT_LOCATION = 8;\n"
                        "const SINEW_JOINTS_LOCATION = 3;\n"
                        "const SINEW_WEIGHTS_LOCATION = 4;\n"
                        "const SINEW_JOINTS2_LOCATION = 6;\n"
                        "const SINEW_WEIGHTS2_LOCATION = 7;\n"
                        "@group(SINEW_GROUP) @binding(0) var<uniform> sinew_records: array<vec4f, 77>;\n"
                        "fn sinew_texel(i: i32) -> vec4f { return sinew_records[i]; }\n"
                        "fn sinew_delta_texel(i: i32) -> vec4f { return vec4f(); }\n"
                        "fn sinew_animation_texel(i: i32) -> vec4f { return vec4f(); }\n"
                        "@group(SINEW_GROUP) @binding(2) var<uniform> sinew_draw: vec4i;\n"
                        "fn sinew_draw_numbers() -> vec4i { return sinew_draw; }\n");
}

static int bindings_of(sinew_shader_variant variant) {
    sinew_shader_def def = sinew_shader_default();
    def.language = SINEW_SHADER_LANGUAGE_WGSL;
    def.variant = variant;
    int count = 0;
    for (const char *at = preamble_of(&def); (at = strstr(at, "@binding(")); at++) count++;
    return count;
}

// A pipeline must bind what its shader has, whether that is of use or not.
static void wgsl_binds_what_it_reads(void **state) {
    (void)state;
    assert_int_equal(bindings_of((sinew_shader_variant){.resource = SINEW_GPU_RESOURCE_NONE}), 0);
    sinew_shader_variant v = {.resource = SINEW_GPU_RESOURCE_STORAGE};
    assert_int_equal(bindings_of(v), 0);
    v.influences = 4;
    assert_int_equal(bindings_of(v), 1); // records
    v.per_instance_transform = true;
    assert_int_equal(bindings_of(v), 2); // the draw
    v.morph = true;
    assert_int_equal(bindings_of(v), 3); // deltas
    v.layout = SINEW_GPU_RECORD_BAKED;
    assert_int_equal(bindings_of(v), 4); // animations
    v.influences = 0;
    assert_int_equal(bindings_of(v), 3);
}

// Every location is its own.
static void locations_are_as_they_were_asked_for(void **state) {
    (void)state;
    sinew_shader_def def = sinew_shader_default();
    def.variant = (sinew_shader_variant){SINEW_GPU_RESOURCE_TEXTURE, SINEW_GPU_RECORD_ROWS, 8, true, false};
    int32_t *const fields[] = {&def.position_location, &def.normal_location,   &def.uv_location,
                               &def.joints_location,   &def.weights_location,  &def.color_location,
                               &def.joints2_location,  &def.weights2_location, &def.tangent_location,
                               &def.draw_location};
    static const char *const names[] = {"POSITION", "NORMAL",  "UV",       "JOINTS",  "WEIGHTS",
                                        "COLOR",    "JOINTS2", "WEIGHTS2", "TANGENT", "DRAW"};
    for (int i = 0; i < 10; i++) *fields[i] = 20 + i;
    for (int i = 0; i < 10; i++) {
        char line[64];
        snprintf(line, sizeof line, "#define SINEW_%s_LOCATION %d\n", names[i], 20 + i);
        if (!strstr(preamble_of(&def), line)) fail_msg("no line %s", line);
    }
    def.language = SINEW_SHADER_LANGUAGE_WGSL; // where the draw isn't an attribute
    for (int i = 0; i < 9; i++) {
        char line[64];
        snprintf(line, sizeof line, "const SINEW_%s_LOCATION = %d;\n", names[i], 20 + i);
        if (!strstr(preamble_of(&def), line)) fail_msg("no line %s", line);
    }
    def.language = SINEW_SHADER_LANGUAGE_GLSL;
    def.vulkan = true;
    def.group = 2;
    assert_non_null(strstr(preamble_of(&def), "#define SINEW_VULKAN_SET 2\n"));
}

// Works like snprintf for any capacity: catches a zero past the end, a missing one, and returning only the length
// that fits.
static void check_capacities(const sinew_shader_def *def) {
    char whole[4096], text[4096];
    const size_t length = sinew_shader_preamble(def, whole, sizeof whole);
    assert_int_equal(sinew_shader_preamble(def, NULL, 0), length);
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        memset(text, '?', sizeof text);
        assert_int_equal(sinew_shader_preamble(def, text, capacity), length);
        const size_t fits = capacity == 0 ? 0 : capacity - 1;
        assert_memory_equal(text, whole, fits);
        if (capacity > 0) assert_int_equal(text[fits], 0);
        assert_int_equal(text[capacity], '?');
    }
}

static void a_preamble_is_cut_off_as_snprintf_does(void **state) {
    (void)state;
    sinew_shader_def def = sinew_shader_default();
    check_capacities(&def);
    def.language = SINEW_SHADER_LANGUAGE_WGSL;
    def.variant = (sinew_shader_variant){SINEW_GPU_RESOURCE_TEXTURE, SINEW_GPU_RECORD_BAKED, 8, true, true};
    check_capacities(&def);
}

// ---- Variants that there are not -------------------------------------------------------------------------------

static void check_refused(const sinew_shader_def *def) {
    char text[8] = "nothing";
    assert_int_equal(sinew_shader_preamble(def, text, sizeof text), 0);
    assert_string_equal(text, "nothing");
}

static bool can_say(const sinew_shader_def *def) {
    const sinew_gpu_resource source = def->variant.resource;
    if (def->language == SINEW_SHADER_LANGUAGE_GLSL && !def->vulkan) return true;
    return source != SINEW_GPU_RESOURCE_UNIFORMS && source != SINEW_GPU_RESOURCE_BUFFER;
}

static void there_are_as_many_variants_as_a_language_can_say(void **state) {
    (void)state;
    int counts[3] = {0};
    for (int language = 0; language < 3; language++) {
        for (int32_t i = 0; i < VARIANT_COUNT; i++) {
            sinew_shader_def def = sinew_shader_default();
            def.language = language == 2 ? SINEW_SHADER_LANGUAGE_WGSL : SINEW_SHADER_LANGUAGE_GLSL;
            def.vulkan = language == 1;
            def.variant = variant_at(i);
            const bool there = is_there(&def.variant) && can_say(&def);
            counts[language] += there;
            // Without a palette, layout and influences are ignored.
            if (def.variant.resource == SINEW_GPU_RESOURCE_NONE && !def.variant.per_instance_transform &&
                !def.variant.morph)
                continue;
            if (there)
                preamble_of(&def);
            else
                check_refused(&def);
        }
    }
    assert_int_equal(counts[0], 1 + 5 * 42);
    assert_int_equal(counts[1], 1 + 3 * 42);
    assert_int_equal(counts[2], 1 + 3 * 42);
}

static void what_is_no_variant_is_refused(void **state) {
    (void)state;
    const sinew_shader_def good = sinew_shader_default();
    sinew_shader_def def = good;
    for (int32_t influences = -1; influences <= 12; influences++) {
        def.variant.influences = influences;
        if (influences != 0 && influences != 4 && influences != 8) check_refused(&def);
    }
    def = good;
    def.record_texels = 0;
    check_refused(&def);
    def.variant.resource = SINEW_GPU_RESOURCE_TEXTURE; // has no size
    preamble_of(&def);
    def = good;
    def.language = (sinew_shader_language)2;
    check_refused(&def);
    def = good;
    def.variant.resource = (sinew_gpu_resource)6;
    check_refused(&def);
    def = good;
    def.variant.layout = (sinew_gpu_record_layout)4;
    check_refused(&def);
}

// ---- Texts -----------------------------------------------------------------------------------------------------

static void there_is_a_text_for_each_language(void **state) {
    (void)state;
    assert_non_null(strstr(sinew_shader_source(SINEW_SHADER_LANGUAGE_GLSL),
                           "vec3 sinew_skin_point(sinew_matrix m, vec3 point)"));
    assert_non_null(strstr(sinew_shader_source(SINEW_SHADER_LANGUAGE_WGSL),
                           "fn sinew_skin_point(m: sinew_matrix, point: vec3f)"));
    assert_null(sinew_shader_source((sinew_shader_language)2));
    assert_non_null(strstr(sinew_shader_compute_source(SINEW_SHADER_LANGUAGE_WGSL), "@compute"));
    assert_null(sinew_shader_compute_source((sinew_shader_language)2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_those_of_the_header),
        cmocka_unit_test(glsl_says_what_the_variant_is),
        cmocka_unit_test(glsl_for_compute_has_no_locations),
        cmocka_unit_test(wgsl_says_what_the_variant_is),
        cmocka_unit_test(wgsl_binds_what_it_reads),
        cmocka_unit_test(locations_are_as_they_were_asked_for),
        cmocka_unit_test(a_preamble_is_cut_off_as_snprintf_does),
        cmocka_unit_test(there_are_as_many_variants_as_a_language_can_say),
        cmocka_unit_test(what_is_no_variant_is_refused),
        cmocka_unit_test(there_is_a_text_for_each_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
