// Vertex shaders: the strings before the caller's own, and tying a program to the palette.
#include <sinew/shader.h>

#include "gl/gl_internal.h"

#include <assert.h>
#include <stdio.h>

// ---- Text ----------------------------------------------------------------------------------------------------

static const char desktop_head[] = "#version 330 core\n";
static const char es_head[] = "#version 300 es\n"
                              "precision highp float;\n"
                              "precision highp int;\n"
                              "precision highp sampler2D;\n";

// Which of gl->defines serves a kind and a number of influences.
static int variant_of(sinew_gl_palette_kind kind, int32_t influences) {
    if (kind == SINEW_GL_RIGID) return 0;
    return (kind == SINEW_GL_BLOCK ? 1 : 3) + (influences == 8 ? 1 : 0);
}

static void write_defines(sinew_gl *gl, sinew_gl_palette_kind kind, int32_t influences) {
    const sinew_gl_def *def = &gl->def;
    char *text = gl->defines[variant_of(kind, influences)];
    const size_t size = sizeof gl->defines[0];
    int length = snprintf(text, size,
                          "#define SINEW_POSITION_LOCATION %d\n"
                          "#define SINEW_NORMAL_LOCATION %d\n"
                          "#define SINEW_UV_LOCATION %d\n"
                          "#define SINEW_COLOR_LOCATION %d\n",
                          def->position_location, def->normal_location, def->uv_location, def->color_location);
    if (kind == SINEW_GL_RIGID) return;
    length += snprintf(text + length, size - (size_t)length,
                       "#define %s\n"
                       "#define SINEW_UBO_JOINTS %d\n"
                       "#define SINEW_TEXTURE_JOINTS %d\n"
                       "#define SINEW_INFLUENCES %d\n"
                       "#define SINEW_JOINTS_LOCATION %d\n"
                       "#define SINEW_WEIGHTS_LOCATION %d\n"
                       "#define SINEW_JOINTS2_LOCATION %d\n"
                       "#define SINEW_WEIGHTS2_LOCATION %d\n",
                       kind == SINEW_GL_BLOCK ? "SINEW_SKIN_BLOCK" : "SINEW_SKIN_TEXTURE", def->ubo_joints,
                       SINEW_GL_ROW_JOINTS, influences, def->joints_location, def->weights_location,
                       def->joints2_location, def->weights2_location);
    assert((size_t)length < size);
    (void)length;
}

void sinew_gl_write_defines(sinew_gl *gl) {
    gl->head = gl->es ? es_head : desktop_head;
    write_defines(gl, SINEW_GL_RIGID, 0);
    for (int32_t influences = 4; influences <= 8; influences += 4) {
        write_defines(gl, SINEW_GL_BLOCK, influences);
        write_defines(gl, SINEW_GL_TEXTURE, influences);
    }
}

const char *sinew_gl_shader_head(const sinew_gl *gl) {
    return gl->head;
}

void sinew_gl_vertex_shader(const sinew_gl *gl, sinew_gl_palette_kind kind, int32_t influences, const char *body,
                            const char *sources[SINEW_GL_SOURCES]) {
    assert(kind == SINEW_GL_RIGID || influences == 4 || influences == 8);
    assert(kind != SINEW_GL_BLOCK || gl->def.ubo_joints > 0);
    sources[0] = gl->head;
    sources[1] = gl->defines[variant_of(kind, influences)];
    sources[2] = sinew_shader_source(SINEW_SHADER_GLSL);
    sources[3] = "#line 1\n";
    sources[4] = body;
}

// ---- Programs ------------------------------------------------------------------------------------------------

static sinew_result setup_block(const sinew_gl *gl, uint32_t program, unsigned block, sinew_error *error) {
    const sinew_gl_functions *f = &gl->functions;
    int size = 0;
    f->GetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    if ((size_t)size != sinew_gl_block_size(gl)) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT,
                             "the program's palette block has %d bytes, but palettes for %d joints have %zu", size,
                             gl->def.ubo_joints, sinew_gl_block_size(gl));
    }
    f->UniformBlockBinding(program, block, (unsigned)gl->def.skin_block_binding);
    return SINEW_OK;
}

static void setup_sampler(const sinew_gl *gl, uint32_t program, int location) {
    const sinew_gl_functions *f = &gl->functions;
    int current = 0;
    f->GetIntegerv(GL_CURRENT_PROGRAM, &current);
    f->UseProgram(program);
    f->Uniform1i(location, gl->def.palette_texture_unit);
    f->UseProgram((unsigned)current);
}

sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error) {
    unsigned block = gl->functions.GetUniformBlockIndex(program, "sinew_palette_block");
    if (block != GL_INVALID_INDEX) return setup_block(gl, program, block, error);
    int sampler = gl->functions.GetUniformLocation(program, "sinew_palette");
    if (sampler >= 0) setup_sampler(gl, program, sampler);
    return SINEW_OK;
}
