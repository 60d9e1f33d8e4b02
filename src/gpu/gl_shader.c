// SPDX-License-Identifier: MIT
// Vertex shaders: the strings in front of the caller's own, and the setup of a linked program.
//
// A shader is the head (version and precision), a preamble (gpu/shader.c), the library's functions, and the caller's
// body. A program reads GPU records from a uniform block, an array of plain uniforms, or a sampler. All are named
// sinew_records (gl_records.c).
#include "gpu/gl_internal.h"

#include <assert.h>

// ---- Text ----------------------------------------------------------------------------------------------------

// The preamble's definition for these records. With NULL, the shader doesn't skin.
sinew_shader_def sinewi_gl_shader_def(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph) {
    const sinew_gl_def *from = &gl->def;
    sinew_shader_def def = sinew_shader_default();
    def.variant =
        records ? sinew_gl_records_variant(records) : (sinew_shader_variant){.resource = SINEW_GPU_RESOURCE_NONE};
    def.variant.influences = records ? influences : 0;
    def.variant.morph = records && morph;
    def.record_texels = sinewi_gl_declared_texels(gl, def.variant.resource);
    def.storage_binding = from->storage_binding;
    def.position_location = from->position_location;
    def.normal_location = from->normal_location;
    def.uv_location = from->uv_location;
    def.joints_location = from->joints_location;
    def.weights_location = from->weights_location;
    def.color_location = from->color_location;
    def.joints2_location = from->joints2_location;
    def.weights2_location = from->weights2_location;
    def.tangent_location = from->tangent_location;
    def.draw_location = from->draw_location;
    return def;
}

// Fills a vertex shader's strings for glShaderSource. `body` is the caller's text.
void sinew_gl_vertex_shader(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences, bool morph,
                            const char *body, sinew_gl_source *source) {
    assert(gl);
    assert(influences == 0 || influences == 4 || influences == 8);
    const sinew_shader_def def = sinewi_gl_shader_def(gl, records, influences, morph);
    const size_t length = sinew_shader_preamble(&def, source->preamble, sizeof source->preamble);
    assert(length > 0 && length < sizeof source->preamble);
    (void)length;
    source->strings[0] = gl->head;
    source->strings[1] = source->preamble;
    source->strings[2] = sinew_shader_source(SINEW_SHADER_LANGUAGE_GLSL);
    source->strings[3] = "#line 1\n";
    source->strings[4] = body;
}

// ---- Programs ------------------------------------------------------------------------------------------------

// Reports records whose size differs from the context's.
static sinew_result fail_size(const sinew_gl *gl, const char *name, int size, const char *unit,
                              sinew_gpu_resource resource, int texel_size, sinew_error *error) {
    const int texels = sinewi_gl_declared_texels(gl, resource);
    return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                          "the program's %s has %d %s, but records with %d joints have %d", name, size, unit,
                          texels / 3, texels * texel_size);
}

// Checks the size of the records' block and binds it to the definition's binding point.
static sinew_result bind_records_block(const sinew_gl *gl, uint32_t program, unsigned block, sinew_error *error) {
    const sinewi_gl_functions *f = &gl->functions;
    int size = 0;
    f->GetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    if (size != 16 * sinewi_gl_declared_texels(gl, SINEW_GPU_RESOURCE_BLOCK)) {
        return fail_size(gl, "sinew_records_block", size, "bytes", SINEW_GPU_RESOURCE_BLOCK, 16, error);
    }
    f->UniformBlockBinding(program, block, (unsigned)gl->def.skin_block_binding);
    return SINEW_OK;
}

// Index of the uniform `sinew_records`, an array or a sampler. GL_INVALID_INDEX if the program has none.
static unsigned find_records_uniform(const sinew_gl *gl, uint32_t program) {
    static const char *const name = "sinew_records";
    unsigned uniform = GL_INVALID_INDEX;
    gl->functions.GetUniformIndices(program, 1, &name, &uniform);
    return uniform;
}

static int get_uniform_parameter(const sinew_gl *gl, uint32_t program, unsigned uniform, unsigned name) {
    int value = 0;
    gl->functions.GetActiveUniformsiv(program, 1, &uniform, name, &value);
    return value;
}

// Checks the size of an array of plain uniforms. Writing to a smaller one would run past its end.
static sinew_result check_uniform_array_size(const sinew_gl *gl, uint32_t program, unsigned uniform,
                                             sinew_error *error) {
    const int size = get_uniform_parameter(gl, program, uniform, GL_UNIFORM_SIZE);
    if (size == sinewi_gl_declared_texels(gl, SINEW_GPU_RESOURCE_UNIFORMS)) return SINEW_OK;
    return fail_size(gl, "sinew_records", size, "texels", SINEW_GPU_RESOURCE_UNIFORMS, 1, error);
}

// Sets the texture unit of a sampler in the current program, if it has one with that name.
static void set_sampler_unit(const sinew_gl *gl, uint32_t program, const char *name, int32_t unit) {
    const int location = gl->functions.GetUniformLocation(program, name);
    if (location >= 0) gl->functions.Uniform1i(location, unit);
}

// Checks the size of a program's records and sets its block binding and texture units. Restores the program in use.
sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error) {
    assert(gl);
    const sinewi_gl_functions *f = &gl->functions;
    const unsigned block = f->GetUniformBlockIndex(program, "sinew_records_block");
    const unsigned records = block == GL_INVALID_INDEX ? find_records_uniform(gl, program) : GL_INVALID_INDEX;
    const bool is_array = records != GL_INVALID_INDEX &&
                          get_uniform_parameter(gl, program, records, GL_UNIFORM_TYPE) == GL_FLOAT_VEC4;
    sinew_result result = SINEW_OK;
    if (block != GL_INVALID_INDEX) result = bind_records_block(gl, program, block, error);
    if (is_array) result = check_uniform_array_size(gl, program, records, error);
    if (result != SINEW_OK) return result;

    int current = 0;
    f->GetIntegerv(GL_CURRENT_PROGRAM, &current);
    f->UseProgram(program);
    if (!is_array) set_sampler_unit(gl, program, "sinew_records", gl->def.records_texture_unit);
    set_sampler_unit(gl, program, "sinew_deltas", gl->def.deltas_texture_unit);
    set_sampler_unit(gl, program, "sinew_animations", gl->def.animations_texture_unit);
    f->UseProgram((unsigned)current);
    return SINEW_OK;
}
