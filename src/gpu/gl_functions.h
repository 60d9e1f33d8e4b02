// SPDX-License-Identifier: MIT
// The part of OpenGL that the backend uses, declared here so the build needs no OpenGL header. Constants have OpenGL's
// own names and values (Khronos registry, gl.xml), so don't include an OpenGL header together with this one.
#ifndef SINEWI_GL_FUNCTIONS_H
#define SINEWI_GL_FUNCTIONS_H

#include <sinew/gpu/gl.h>

#if defined(_WIN32)
#define SINEWI_GL_CALL __stdcall
#else
#define SINEWI_GL_CALL
#endif

enum {
    GL_FALSE = 0,
    GL_TRIANGLES = 0x0004,
    GL_TEXTURE_2D = 0x0DE1,
    GL_UNSIGNED_SHORT = 0x1403,
    GL_UNSIGNED_INT = 0x1405,
    GL_FLOAT = 0x1406,
    GL_RGBA = 0x1908,
    GL_NEAREST = 0x2600,
    GL_TEXTURE_MAG_FILTER = 0x2800,
    GL_TEXTURE_MIN_FILTER = 0x2801,
    GL_VERSION = 0x1F02,
    GL_MAX_TEXTURE_SIZE = 0x0D33,
    GL_TEXTURE0 = 0x84C0,
    GL_MAX_VERTEX_ATTRIBS = 0x8869,
    GL_ARRAY_BUFFER = 0x8892,
    GL_ELEMENT_ARRAY_BUFFER = 0x8893,
    GL_RGBA32F = 0x8814,
    GL_STREAM_DRAW = 0x88E0,
    GL_STATIC_DRAW = 0x88E4,
    GL_DYNAMIC_DRAW = 0x88E8,
    GL_TEXTURE_BUFFER = 0x8C2A,
    GL_MAX_TEXTURE_BUFFER_SIZE = 0x8C2B,
    GL_HALF_FLOAT = 0x140B,
    GL_RGBA16F = 0x881A,
    GL_UNIFORM_BUFFER = 0x8A11,
    GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT = 0x8A34,
    GL_UNIFORM_TYPE = 0x8A37,
    GL_UNIFORM_SIZE = 0x8A38,
    GL_FLOAT_VEC4 = 0x8B52,
    GL_MAX_VERTEX_UNIFORM_COMPONENTS = 0x8B4A,
    GL_SHADER_STORAGE_BUFFER = 0x90D2,
    GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS = 0x90D6,
    GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS = 0x90DD,
    GL_MAX_SHADER_STORAGE_BLOCK_SIZE = 0x90DE,
    GL_MAX_UNIFORM_BUFFER_BINDINGS = 0x8A2F,
    GL_MAX_UNIFORM_BLOCK_SIZE = 0x8A30,
    GL_UNIFORM_BLOCK_DATA_SIZE = 0x8A40,
    GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS = 0x8B4D,
    GL_CURRENT_PROGRAM = 0x8B8D,
    GL_POINTS = 0x0000,
    GL_FRAGMENT_SHADER = 0x8B30,
    GL_VERTEX_SHADER = 0x8B31,
    GL_COMPUTE_SHADER = 0x91B9,
    GL_COMPILE_STATUS = 0x8B81,
    GL_LINK_STATUS = 0x8B82,
    GL_DYNAMIC_COPY = 0x88EA,
    GL_RASTERIZER_DISCARD = 0x8C89,
    GL_SEPARATE_ATTRIBS = 0x8C8D,
    GL_TRANSFORM_FEEDBACK_BUFFER = 0x8C8E,
    GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT = 0x00000001,
    GL_BUFFER_UPDATE_BARRIER_BIT = 0x00000200,
    GL_SHADER_STORAGE_BARRIER_BIT = 0x00002000
};

#define GL_INVALID_INDEX 0xFFFFFFFFu

// One member per function, named like in OpenGL without the "gl". NULL if the context is too old to have it.
typedef struct sinewi_gl_functions {
    const unsigned char *(SINEWI_GL_CALL *GetString)(unsigned name);
    void(SINEWI_GL_CALL *GetIntegerv)(unsigned name, int *value);

    void(SINEWI_GL_CALL *GenBuffers)(int count, unsigned *buffers);
    void(SINEWI_GL_CALL *DeleteBuffers)(int count, const unsigned *buffers);
    void(SINEWI_GL_CALL *BindBuffer)(unsigned target, unsigned buffer);
    void(SINEWI_GL_CALL *BindBufferBase)(unsigned target, unsigned index, unsigned buffer);
    void(SINEWI_GL_CALL *BindBufferRange)(unsigned target, unsigned index, unsigned buffer, ptrdiff_t offset,
                                          ptrdiff_t size);
    void(SINEWI_GL_CALL *BufferData)(unsigned target, ptrdiff_t size, const void *data, unsigned usage);
    void(SINEWI_GL_CALL *BufferSubData)(unsigned target, ptrdiff_t offset, ptrdiff_t size, const void *data);

    void(SINEWI_GL_CALL *GenTextures)(int count, unsigned *textures);
    void(SINEWI_GL_CALL *DeleteTextures)(int count, const unsigned *textures);
    void(SINEWI_GL_CALL *ActiveTexture)(unsigned unit);
    void(SINEWI_GL_CALL *BindTexture)(unsigned target, unsigned texture);
    void(SINEWI_GL_CALL *TexParameteri)(unsigned target, unsigned name, int value);
    void(SINEWI_GL_CALL *TexImage2D)(unsigned target, int level, int internal_format, int width, int height,
                                     int border, unsigned format, unsigned type, const void *texels);
    void(SINEWI_GL_CALL *TexSubImage2D)(unsigned target, int level, int x, int y, int width, int height,
                                        unsigned format, unsigned type, const void *texels);
    void(SINEWI_GL_CALL *TexBuffer)(unsigned target, unsigned internal_format, unsigned buffer);

    void(SINEWI_GL_CALL *GenVertexArrays)(int count, unsigned *arrays);
    void(SINEWI_GL_CALL *DeleteVertexArrays)(int count, const unsigned *arrays);
    void(SINEWI_GL_CALL *BindVertexArray)(unsigned array);
    void(SINEWI_GL_CALL *EnableVertexAttribArray)(unsigned location);
    void(SINEWI_GL_CALL *VertexAttribPointer)(unsigned location, int size, unsigned type, unsigned char normalized,
                                              int stride, const void *offset);
    void(SINEWI_GL_CALL *VertexAttribIPointer)(unsigned location, int size, unsigned type, int stride,
                                               const void *offset);
    void(SINEWI_GL_CALL *VertexAttrib4f)(unsigned location, float x, float y, float z, float w);
    void(SINEWI_GL_CALL *VertexAttribI4i)(unsigned location, int x, int y, int z, int w);
    void(SINEWI_GL_CALL *VertexAttribI4ui)(unsigned location, unsigned x, unsigned y, unsigned z, unsigned w);
    void(SINEWI_GL_CALL *DrawArrays)(unsigned mode, int first, int count);
    void(SINEWI_GL_CALL *DrawElements)(unsigned mode, int count, unsigned type, const void *offset);
    void(SINEWI_GL_CALL *DrawElementsInstanced)(unsigned mode, int count, unsigned type, const void *offset,
                                                int instances);

    unsigned(SINEWI_GL_CALL *CreateShader)(unsigned type);
    void(SINEWI_GL_CALL *ShaderSource)(unsigned shader, int count, const char *const *strings, const int *lengths);
    void(SINEWI_GL_CALL *CompileShader)(unsigned shader);
    void(SINEWI_GL_CALL *GetShaderiv)(unsigned shader, unsigned name, int *value);
    void(SINEWI_GL_CALL *GetShaderInfoLog)(unsigned shader, int capacity, int *length, char *text);
    void(SINEWI_GL_CALL *DeleteShader)(unsigned shader);
    unsigned(SINEWI_GL_CALL *CreateProgram)(void);
    void(SINEWI_GL_CALL *AttachShader)(unsigned program, unsigned shader);
    void(SINEWI_GL_CALL *LinkProgram)(unsigned program);
    void(SINEWI_GL_CALL *GetProgramiv)(unsigned program, unsigned name, int *value);
    void(SINEWI_GL_CALL *GetProgramInfoLog)(unsigned program, int capacity, int *length, char *text);
    void(SINEWI_GL_CALL *DeleteProgram)(unsigned program);

    void(SINEWI_GL_CALL *UseProgram)(unsigned program);
    int(SINEWI_GL_CALL *GetUniformLocation)(unsigned program, const char *name);
    void(SINEWI_GL_CALL *Uniform1i)(int location, int value);
    void(SINEWI_GL_CALL *Uniform4i)(int location, int x, int y, int z, int w);
    void(SINEWI_GL_CALL *Uniform4fv)(int location, int count, const float *values);
    void(SINEWI_GL_CALL *GetUniformIndices)(unsigned program, int count, const char *const *names,
                                            unsigned *indices);
    void(SINEWI_GL_CALL *GetActiveUniformsiv)(unsigned program, int count, const unsigned *indices, unsigned name,
                                              int *values);
    unsigned(SINEWI_GL_CALL *GetUniformBlockIndex)(unsigned program, const char *name);
    void(SINEWI_GL_CALL *GetActiveUniformBlockiv)(unsigned program, unsigned block, unsigned name, int *value);
    void(SINEWI_GL_CALL *UniformBlockBinding)(unsigned program, unsigned block, unsigned binding);

    void(SINEWI_GL_CALL *Enable)(unsigned capability);
    void(SINEWI_GL_CALL *Disable)(unsigned capability);
    void(SINEWI_GL_CALL *TransformFeedbackVaryings)(unsigned program, int count, const char *const *names,
                                                    unsigned mode);
    void(SINEWI_GL_CALL *BeginTransformFeedback)(unsigned mode);
    void(SINEWI_GL_CALL *EndTransformFeedback)(void);
    void(SINEWI_GL_CALL *DispatchCompute)(unsigned x, unsigned y, unsigned z);
    void(SINEWI_GL_CALL *MemoryBarrier)(unsigned barriers);
} sinewi_gl_functions;

#endif
