// SPDX-License-Identifier: MIT
// Skinners: programs that skin vertices ahead of draws, by transform feedback or a compute shader.
// Builds and shares them.
//
// A skinner's kind is its shader variant and what it captures. Skinned meshes of the same kind share one program, which
// is deleted with its last user.
#include "gpu/gl_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// The shader skins everything that a mesh may have. The driver removes whatever isn't captured.
static const char feedback_body[] =
    "layout(location = SINEW_POSITION_LOCATION) in vec3 position;\n"
    "layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;\n"
    "layout(location = SINEW_TANGENT_LOCATION) in vec4 tangent;\n"
    "out vec3 skinned_position;\n"
    "out vec3 skinned_normal;\n"
    "out vec4 skinned_tangent;\n"
    "vec3 unit(vec3 v) {\n" // 0 if its length is 0
    "    float size = length(v);\n"
    "    return size > 0.0 ? v / size : vec3(0.0);\n"
    "}\n"
    "void main() {\n"
    "    sinew_matrix skin = sinew_skin_matrix();\n"
    "    skinned_position = sinew_skin_point(skin, sinew_morph_point(position));\n"
    "    skinned_normal = unit(sinew_skin_normal(skin, sinew_morph_normal(normal)));\n"
    "    vec3 along = unit(sinew_skin_tangent(skin, sinew_morph_tangent(tangent.xyz)));\n"
    "    skinned_tangent = vec4(along, tangent.w * sinew_skin_hand(skin));\n"
    "    gl_Position = vec4(0.0);\n"
    "}\n";

// ---- Compiling -----------------------------------------------------------------------------------------------

// Fails with the driver's log, as a single line.
static sinew_result fail_driver(sinew_error *error, const char *what, char *log) {
    size_t length = strlen(log);
    while (length > 0 && (unsigned char)log[length - 1] <= ' ') length--;
    log[length] = '\0';
    for (char *c = log; *c; c++) {
        if ((unsigned char)*c < ' ') *c = ' ';
    }
    return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED, "the driver rejected the skinning %s: %s", what, log);
}

enum { LOG_BYTES = 400 };

// Compiles a shader. The caller deletes it in any case.
static sinew_result compile_shader(const sinew_gl *gl, unsigned shader, const char *what, int count,
                                   const char *const *strings, sinew_error *error) {
    const sinewi_gl_functions *f = &gl->functions;
    int is_good = 0;
    f->ShaderSource(shader, count, strings, NULL);
    f->CompileShader(shader);
    f->GetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
    if (is_good) return SINEW_OK;
    char log[LOG_BYTES] = "";
    f->GetShaderInfoLog(shader, LOG_BYTES, NULL, log);
    return fail_driver(error, what, log);
}

// Compiles a shader into the program, which keeps it.
static sinew_result attach_shader(const sinew_gl *gl, unsigned program, unsigned type, const char *what, int count,
                                  const char *const *strings, sinew_error *error) {
    const sinewi_gl_functions *f = &gl->functions;
    const unsigned shader = f->CreateShader(type);
    const sinew_result result = compile_shader(gl, shader, what, count, strings, error);
    if (result == SINEW_OK) f->AttachShader(program, shader);
    f->DeleteShader(shader);
    return result;
}

// Links the program and sets up its resources (gl_shader.c).
static sinew_result link_program(const sinew_gl *gl, unsigned program, sinew_error *error) {
    const sinewi_gl_functions *f = &gl->functions;
    int is_good = 0;
    f->LinkProgram(program);
    f->GetProgramiv(program, GL_LINK_STATUS, &is_good);
    if (is_good) return sinew_gl_setup_program(gl, program, error);
    char log[LOG_BYTES] = "";
    f->GetProgramInfoLog(program, LOG_BYTES, NULL, log);
    return fail_driver(error, "program", log);
}

// ---- Transform feedback --------------------------------------------------------------------------------------

// Attaches the shaders. OpenGL ES can't link a program without a fragment shader, even if nothing is rasterized.
static sinew_result attach_feedback(const sinew_gl *gl, const sinew_gl_records *records,
                                    const sinewi_gl_skinner *skinner, sinew_error *error) {
    const sinew_shader_variant *variant = &skinner->kind.variant;
    const char *const fragment[] = {gl->head, "void main() {}\n"};
    sinew_gl_source source;
    sinew_gl_vertex_shader(gl, records, variant->influences, variant->morph, feedback_body, &source);
    sinew_result result = attach_shader(gl, skinner->program, GL_VERTEX_SHADER, "vertex shader", SINEW_GL_SOURCES,
                                        source.strings, error);
    if (result != SINEW_OK) return result;
    return attach_shader(gl, skinner->program, GL_FRAGMENT_SHADER, "fragment shader", 2, fragment, error);
}

// Lists the outputs to capture, each into its own range of the buffer.
static void set_captured_outputs(const sinew_gl *gl, const sinewi_gl_skinner *skinner) {
    const char *names[3] = {"skinned_position"};
    int count = 1;
    if (skinner->kind.normals) names[count++] = "skinned_normal";
    if (skinner->kind.tangents) names[count++] = "skinned_tangent";
    gl->functions.TransformFeedbackVaryings(skinner->program, count, names, GL_SEPARATE_ATTRIBS);
}

static sinew_result link_feedback_program(const sinew_gl *gl, const sinew_gl_records *records,
                                          sinewi_gl_skinner *skinner, sinew_error *error) {
    const sinew_result result = attach_feedback(gl, records, skinner, error);
    if (result != SINEW_OK) return result;
    set_captured_outputs(gl, skinner);
    return link_program(gl, skinner->program, error);
}

// ---- Compute shaders -----------------------------------------------------------------------------------------

// Skips the records' binding.
unsigned sinewi_gl_skinner_binding(const sinew_gl *gl, int binding) {
    return (unsigned)(binding < gl->def.storage_binding ? binding : binding + 1);
}

// Attaches the compute shader. Its storage buffers get binding points that the records don't use.
static sinew_result attach_compute(const sinew_gl *gl, const sinew_gl_records *records,
                                   const sinewi_gl_skinner *skinner, sinew_error *error) {
    const sinew_shader_variant *variant = &skinner->kind.variant;
    sinew_shader_def def = sinewi_gl_shader_def(gl, records, variant->influences, variant->morph);
    def.no_attributes = true;
    char preamble[640], bindings[160];
    const size_t length = sinew_shader_preamble(&def, preamble, sizeof preamble);
    assert(length > 0 && length < sizeof preamble);
    (void)length;
    snprintf(bindings, sizeof bindings,
             "#define SINEW_MOVING_BINDING %u\n"
             "#define SINEW_FIXED_BINDING %u\n"
             "#define SINEW_SKINNED_BINDING %u\n",
             sinewi_gl_skinner_binding(gl, SINEWI_GL_BIND_MOVING),
             sinewi_gl_skinner_binding(gl, SINEWI_GL_BIND_FIXED),
             sinewi_gl_skinner_binding(gl, SINEWI_GL_BIND_SKINNED));
    const char *const strings[] = {gl->head,    preamble,
                                   bindings,    sinew_shader_source(SINEW_SHADER_LANGUAGE_GLSL),
                                   "#line 1\n", sinew_shader_compute_source(SINEW_SHADER_LANGUAGE_GLSL)};
    return attach_shader(gl, skinner->program, GL_COMPUTE_SHADER, "compute shader",
                         sizeof strings / sizeof strings[0], strings, error);
}

static sinew_result link_compute_program(const sinew_gl *gl, const sinew_gl_records *records,
                                         sinewi_gl_skinner *skinner, sinew_error *error) {
    const sinewi_gl_functions *f = &gl->functions;
    sinew_result result = attach_compute(gl, records, skinner, error);
    if (result == SINEW_OK) result = link_program(gl, skinner->program, error);
    if (result != SINEW_OK) return result;
    skinner->vertices = f->GetUniformLocation(skinner->program, "sinew_vertices");
    skinner->fixed_offsets = f->GetUniformLocation(skinner->program, "sinew_fixed_offsets");
    skinner->draw = f->GetUniformLocation(skinner->program, "sinew_draw");
    return SINEW_OK;
}

// ---- Sharing -------------------------------------------------------------------------------------------------

static bool is_same_kind(const sinewi_gl_skinner_kind *a, const sinewi_gl_skinner_kind *b) {
    const sinew_shader_variant *v = &a->variant, *w = &b->variant;
    return a->skinning == b->skinning && a->normals == b->normals && a->tangents == b->tangents &&
           v->resource == w->resource && v->layout == w->layout && v->influences == w->influences &&
           v->per_instance_transform == w->per_instance_transform && v->morph == w->morph;
}

static void destroy_skinner(const sinew_gl *gl, sinewi_gl_skinner *skinner) {
    gl->functions.DeleteProgram(skinner->program);
    sinewi_gl_release(&gl->def.allocator, skinner, sizeof *skinner);
}

// Creates a skinner and adds it to the context's list.
static sinew_result create_skinner(sinew_gl *gl, const sinew_gl_records *records,
                                   const sinewi_gl_skinner_kind *kind, sinewi_gl_skinner **out,
                                   sinew_error *error) {
    sinewi_gl_skinner *skinner =
        (sinewi_gl_skinner *)sinewi_gl_allocate(&gl->def.allocator, sizeof *skinner, error);
    if (!skinner) return SINEW_ERROR_OUT_OF_MEMORY;
    skinner->kind = *kind;
    skinner->program = gl->functions.CreateProgram();
    const sinew_result result = kind->skinning == SINEW_GL_SKINNING_COMPUTE
                                    ? link_compute_program(gl, records, skinner, error)
                                    : link_feedback_program(gl, records, skinner, error);
    if (result != SINEW_OK) {
        destroy_skinner(gl, skinner);
        return result;
    }
    skinner->next = gl->skinners;
    gl->skinners = skinner;
    *out = skinner;
    return SINEW_OK;
}

// Finds or creates the skinner of a kind, and adds a user.
sinew_result sinewi_gl_skinner_acquire(sinew_gl *gl, const sinew_gl_records *records,
                                       const sinewi_gl_skinner_kind *kind, sinewi_gl_skinner **out,
                                       sinew_error *error) {
    sinewi_gl_skinner *found = gl->skinners;
    while (found && !is_same_kind(&found->kind, kind)) found = found->next;
    if (!found) {
        const sinew_result result = create_skinner(gl, records, kind, &found, error);
        if (result != SINEW_OK) return result;
    }
    found->users++;
    *out = found;
    return SINEW_OK;
}

void sinewi_gl_skinner_release(sinew_gl *gl, sinewi_gl_skinner *skinner) {
    if (--skinner->users > 0) return;
    sinewi_gl_skinner **link = &gl->skinners;
    while (*link != skinner) link = &(*link)->next;
    *link = skinner->next;
    destroy_skinner(gl, skinner);
}
