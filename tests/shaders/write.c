// SPDX-License-Identifier: MIT
// Writes every shader variant like a program would assemble it, for compilers to validate: write FOLDER. Next to the
// WGSL for compute, writes numbers to run it with.
#include "cases.h"
#include "output.h"
#include "variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *folder;

static char *make_preamble(const sinew_shader_def *def) {
    const size_t length = sinew_shader_preamble(def, NULL, 0);
    assert_true(length > 0);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(sinew_shader_preamble(def, text, length + 1), length);
    return text;
}

// ---- GLSL ------------------------------------------------------------------------------------------------------

typedef struct target {
    const char *name;
    const char *head;
    bool vulkan;
    bool has_buffer, has_storage, has_compute; // buffer textures, storage buffers, compute shaders
} target;

static const target targets[] = {
    {"330", "#version 330 core\n", false, true, false, false},
    {"430", "#version 430 core\n", false, true, true, true},
    {"300es", "#version 300 es\n", false, false, false, false},
    {"310es", "#version 310 es\n", false, false, true, true},
    {"320es", "#version 320 es\n", false, true, true, true},
    {"vulkan", "#version 450\n", true, false, true, true},
};

// Calls all that a vertex shader gets.
static const char vertex_body[] =
    "#line 1\n"
    "#if defined(SINEW_VULKAN_SET)\n"
    "#define OUT(number) layout(location = number) out\n"
    "#else\n"
    "#define OUT(number) out\n"
    "#endif\n"
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "layout(location = SINEW_UV_LOCATION) in vec2 uv;\n"
    "layout(location = SINEW_COLOR_LOCATION) in vec4 color;\n"
    "layout(location = SINEW_TANGENT_LOCATION) in vec4 tangent;\n"
    "OUT(0) vec3 world_normal;\n"
    "OUT(1) vec4 world_tangent;\n"
    "OUT(2) vec4 what;\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n"
    "    world_normal = sinew_skin_normal(skin, sinew_morph_normal(normal));\n"
    "    vec3 along = sinew_skin_tangent(skin, sinew_morph_tangent(tangent.xyz));\n"
    "    world_tangent = vec4(along, tangent.w * sinew_skin_hand(skin));\n"
    "    what = color + vec4(uv, uv);\n"
    "    gl_Position = vec4(sinew_skin_point(skin, sinew_morph_point(position)), 1.0);\n"
    "}\n";

static bool target_has(const target *t, const sinew_shader_variant *v) {
    if (v->resource == SINEW_GPU_RESOURCE_UNIFORMS) return !t->vulkan;
    if (v->resource == SINEW_GPU_RESOURCE_BUFFER) return t->has_buffer;
    return v->resource != SINEW_GPU_RESOURCE_STORAGE || t->has_storage;
}

static void write_glsl(const target *t, const char *name, const sinew_shader_variant *v, bool compute) {
    sinew_shader_def def = sinew_shader_default();
    def.variant = *v;
    def.vulkan = t->vulkan;
    def.no_attributes = compute;
    char *preamble = make_preamble(&def);
    char path[256];
    snprintf(path, sizeof path, "%s/%s.%s", t->vulkan ? "vulkan" : "gl", name, compute ? "comp" : "vert");
    const char *const parts[] = {t->head, preamble, sinew_shader_source(SINEW_SHADER_LANGUAGE_GLSL),
                                 compute ? sinew_shader_compute_source(SINEW_SHADER_LANGUAGE_GLSL) : vertex_body,
                                 NULL};
    write_text(folder, path, parts);
    free(preamble);
}

static void write_target(const target *t) {
    bool has_source[6] = {false};
    for (int32_t i = 0; i < VARIANT_COUNT; i++) {
        const sinew_shader_variant v = variant_at(i);
        if (!is_there(&v) || !target_has(t, &v)) continue;
        char name[128], variant[64];
        name_variant(&v, variant, sizeof variant);
        snprintf(name, sizeof name, "%s_%s", t->name, variant);
        write_glsl(t, name, &v, false);
        if (t->has_compute) write_glsl(t, name, &v, true);
        has_source[v.resource] = true;
    }
    for (int i = 0; i < 6; i++) {
        if (!has_source[i]) print_message("%s has no palettes in %s: left out\n", t->name, source_names[i]);
    }
}

static void every_variant_of_glsl_is_written(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) write_target(&targets[i]);
}

// ---- WGSL ------------------------------------------------------------------------------------------------------

// Calls all that a vertex shader gets. What differs is in its parameters.
static const char *const wgsl_bodies[3] = {
    "fn matrix(v: input) -> sinew_matrix { return sinew_skin_matrix0(v.instance); }\n",
    "fn matrix(v: input) -> sinew_matrix { return sinew_skin_matrix(v.instance, v.joints, v.weights); }\n",
    "fn matrix(v: input) -> sinew_matrix {\n"
    "    return sinew_skin_matrix8(v.instance, v.joints, v.weights, v.joints2, v.weights2);\n"
    "}\n",
};
static const char *const wgsl_attributes[3] = {
    "",
    "    @location(SINEW_JOINTS_LOCATION) joints: vec4u,\n"
    "    @location(SINEW_WEIGHTS_LOCATION) weights: vec4f,\n",
    "    @location(SINEW_JOINTS_LOCATION) joints: vec4u,\n"
    "    @location(SINEW_WEIGHTS_LOCATION) weights: vec4f,\n"
    "    @location(SINEW_JOINTS2_LOCATION) joints2: vec4u,\n"
    "    @location(SINEW_WEIGHTS2_LOCATION) weights2: vec4f,\n",
};
static const char wgsl_input[] = "struct input {\n"
                                 "    @builtin(vertex_index) vertex: u32,\n"
                                 "    @builtin(instance_index) instance: u32,\n"
                                 "    @location(SINEW_POSITION_LOCATION) position: vec3f,\n"
                                 "    @location(SINEW_NORMAL_LOCATION) normal: vec3f,\n"
                                 "    @location(SINEW_UV_LOCATION) uv: vec2f,\n"
                                 "    @location(SINEW_COLOR_LOCATION) color: vec4f,\n"
                                 "    @location(SINEW_TANGENT_LOCATION) tangent: vec4f,\n";
static const char wgsl_body[] =
    "}\n"
    "struct output {\n"
    "    @builtin(position) place: vec4f,\n"
    "    @location(0) normal: vec3f,\n"
    "    @location(1) tangent: vec4f,\n"
    "    @location(2) what: vec4f,\n"
    "}\n"
    "@vertex fn main(v: input) -> output {\n"
    "    let skin = matrix(v);\n"
    "    let point = sinew_skin_point(skin, sinew_morph_point(v.position, v.instance, v.vertex));\n"
    "    let normal = sinew_skin_normal(skin, sinew_morph_normal(v.normal, v.instance, v.vertex));\n"
    "    let tangent = sinew_skin_tangent(skin, sinew_morph_tangent(v.tangent.xyz, v.instance, v.vertex));\n"
    "    return output(vec4f(point, 1.0), normal, vec4f(tangent, v.tangent.w * sinew_skin_hand(skin)),\n"
    "                  v.color + v.uv.xyxy);\n"
    "}\n";

static void write_wgsl_vertex(const char *name, const sinew_shader_def *def) {
    char path[256];
    snprintf(path, sizeof path, "wgsl/%s.vertex.wgsl", name);
    char *preamble = make_preamble(def);
    const int kind = def->variant.influences / 4;
    const char *const parts[] = {preamble,
                                 sinew_shader_source(SINEW_SHADER_LANGUAGE_WGSL),
                                 wgsl_bodies[kind],
                                 wgsl_input,
                                 wgsl_attributes[kind],
                                 wgsl_body,
                                 NULL};
    write_text(folder, path, parts);
    free(preamble);
}

// What a vertex shader gets for instance 1, called for vertices in buffers so the results can be read.
static const char *const called_matrices[3] = {
    "fn matrix(vertex: i32) -> sinew_matrix { return sinew_skin_matrix0(1u); }\n",
    "fn matrix(vertex: i32) -> sinew_matrix {\n"
    "    if (sinew_arrays.vertices.w >= 0) {\n"
    "        return sinew_skin_matrix(1u, vec4u(vec4i(sinew_arrays.vertices.w)), vec4f(0.0, 1.0, 0.0, 0.0));\n"
    "    }\n"
    "    return sinew_skin_matrix(1u, joints_at(4 * vertex), weights_at(4 * vertex));\n"
    "}\n",
    "fn matrix(vertex: i32) -> sinew_matrix {\n"
    "    return sinew_skin_matrix8(1u, joints_at(8 * vertex), weights_at(8 * vertex),\n"
    "                              joints_at(8 * vertex + 4), weights_at(8 * vertex + 4));\n"
    "}\n",
};
static const char called_body[] =
    "fn joints_at(i: i32) -> vec4u {\n"
    "    return vec4u(sinew_joint(i), sinew_joint(i + 1), sinew_joint(i + 2), sinew_joint(i + 3));\n"
    "}\n"
    "fn weights_at(i: i32) -> vec4f { return sinew_fixed_vector(sinew_arrays.fixed_offsets.z + i); }\n"
    "@compute @workgroup_size(1) fn called(@builtin(global_invocation_id) id: vec3u) {\n"
    "    let vertex = i32(id.x);\n"
    "    let skin = matrix(vertex);\n"
    "    let position = sinew_morph_point(sinew_moving_vector(3 * vertex), 1u, id.x);\n"
    "    sinew_write(3 * vertex, sinew_skin_point(skin, position));\n"
    "    if (sinew_arrays.vertices.y >= 0) {\n"
    "        let at = sinew_arrays.vertices.y + 3 * vertex;\n"
    "        let normal = sinew_morph_normal(sinew_moving_vector(at), 1u, id.x);\n"
    "        sinew_write(at, normalize(sinew_skin_normal(skin, normal)));\n"
    "    }\n"
    "    let at = sinew_arrays.vertices.z + 4 * vertex;\n"
    "    let tangent = sinew_fixed_vector(sinew_arrays.fixed_offsets.x + 4 * vertex);\n"
    "    let along = sinew_skin_tangent(skin, sinew_morph_tangent(tangent.xyz, 1u, id.x));\n"
    "    sinew_write(at, normalize(along));\n"
    "    sinew_skinned[at + 3] = tangent.w * sinew_skin_hand(skin);\n"
    "}\n";

static void write_wgsl_compute(const char *name, sinew_shader_def def) {
    char path[256];
    snprintf(path, sizeof path, "wgsl/%s.compute.wgsl", name);
    def.no_attributes = true;
    char *preamble = make_preamble(&def);
    const char *const parts[] = {preamble,
                                 sinew_shader_source(SINEW_SHADER_LANGUAGE_WGSL),
                                 sinew_shader_compute_source(SINEW_SHADER_LANGUAGE_WGSL),
                                 called_matrices[def.variant.influences / 4],
                                 called_body,
                                 NULL};
    write_text(folder, path, parts);
    free(preamble);
    snprintf(path, sizeof path, "wgsl/%s.json", name);
    write_case(folder, path, &def);
}

// What the shader of docs/gpu.md stands after.
static void the_page_gets_its_variant(void **state) {
    (void)state;
    sinew_shader_def def = sinew_shader_default();
    def.language = SINEW_SHADER_LANGUAGE_WGSL;
    def.variant = (sinew_shader_variant){SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RECORD_ROWS, 4, true, false};
    char *preamble = make_preamble(&def);
    const char *const parts[] = {preamble, sinew_shader_source(SINEW_SHADER_LANGUAGE_WGSL), NULL};
    write_text(folder, "page.wgsl", parts);
    free(preamble);
}

static void every_variant_of_wgsl_is_written(void **state) {
    (void)state;
    for (int32_t i = 0; i < VARIANT_COUNT; i++) {
        sinew_shader_def def = sinew_shader_default();
        def.language = SINEW_SHADER_LANGUAGE_WGSL;
        def.variant = variant_at(i);
        const sinew_gpu_resource source = def.variant.resource;
        if (!is_there(&def.variant)) continue;
        if (source == SINEW_GPU_RESOURCE_UNIFORMS || source == SINEW_GPU_RESOURCE_BUFFER) continue;
        char name[64];
        name_variant(&def.variant, name, sizeof name);
        write_wgsl_vertex(name, &def);
        write_wgsl_compute(name, def);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    folder = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_of_glsl_is_written),
        cmocka_unit_test(every_variant_of_wgsl_is_written),
        cmocka_unit_test(the_page_gets_its_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
