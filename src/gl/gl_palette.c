// Palettes on the GPU: uniform buffers for small ones, textures for large ones.
#include "gl/gl_internal.h"

#include <assert.h>

struct sinew_gl_palette {
    sinew_gl *gl;
    sinew_gl_palette_kind kind;
    int32_t joint_count;
    unsigned name; // of the buffer or texture
};

static_assert(sizeof(sinew_affine) == 12 * sizeof(float), "a matrix is uploaded as three rows of four floats");

size_t sinew_gl_block_size(const sinew_gl *gl) {
    return (size_t)gl->def.ubo_joints * sizeof(sinew_affine);
}

sinew_gl_palette_kind sinew_gl_kind_for(const sinew_gl *gl, int32_t joint_count) {
    return joint_count <= gl->def.ubo_joints ? SINEW_GL_BLOCK : SINEW_GL_TEXTURE;
}

// ---- Uniform buffer ------------------------------------------------------------------------------------------

// Throws the old contents away, so that draws which still read them are not waited for. The buffer is always as
// large as the block that the shader declares: a draw with a smaller one is undefined.
static void orphan_buffer(const sinew_gl_palette *palette) {
    const sinew_gl_functions *f = &palette->gl->functions;
    f->BindBuffer(GL_UNIFORM_BUFFER, palette->name);
    f->BufferData(GL_UNIFORM_BUFFER, (ptrdiff_t)sinew_gl_block_size(palette->gl), NULL, GL_STREAM_DRAW);
}

static void create_buffer(sinew_gl_palette *palette) {
    palette->gl->functions.GenBuffers(1, &palette->name);
    orphan_buffer(palette);
}

static void update_buffer(const sinew_gl_palette *palette, const sinew_affine *matrices, int32_t count) {
    orphan_buffer(palette);
    ptrdiff_t size = (ptrdiff_t)((size_t)count * sizeof *matrices);
    palette->gl->functions.BufferSubData(GL_UNIFORM_BUFFER, 0, size, matrices);
}

// ---- Texture -------------------------------------------------------------------------------------------------

static int32_t rows_of(int32_t joint_count) {
    return joint_count / SINEW_GL_ROW_JOINTS + (joint_count % SINEW_GL_ROW_JOINTS != 0);
}

static void bind_texture(const sinew_gl_palette *palette) {
    const sinew_gl_functions *f = &palette->gl->functions;
    f->ActiveTexture(GL_TEXTURE0 + (unsigned)palette->gl->def.palette_texture_unit);
    f->BindTexture(GL_TEXTURE_2D, palette->name);
}

static void create_texture(sinew_gl_palette *palette) {
    const sinew_gl_functions *f = &palette->gl->functions;
    f->GenTextures(1, &palette->name);
    bind_texture(palette);
    f->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST); // without mipmaps it would be incomplete
    f->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    f->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SINEW_GL_ROW_TEXELS, rows_of(palette->joint_count), 0, GL_RGBA,
                  GL_FLOAT, NULL);
}

// Whole rows in one call, then what is left for the last row.
static void update_texture(const sinew_gl_palette *palette, const sinew_affine *matrices, int32_t count) {
    const sinew_gl_functions *f = &palette->gl->functions;
    int32_t rows = count / SINEW_GL_ROW_JOINTS;
    int32_t rest = count % SINEW_GL_ROW_JOINTS;
    bind_texture(palette);
    if (rows > 0) {
        f->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SINEW_GL_ROW_TEXELS, rows, GL_RGBA, GL_FLOAT, matrices);
    }
    if (rest > 0) {
        f->TexSubImage2D(GL_TEXTURE_2D, 0, 0, rows, 3 * rest, 1, GL_RGBA, GL_FLOAT,
                         matrices + (size_t)rows * SINEW_GL_ROW_JOINTS);
    }
}

// ---- Both ----------------------------------------------------------------------------------------------------

static sinew_result check_joint_count(const sinew_gl *gl, int32_t joint_count, sinew_error *error) {
    if (joint_count < 1) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT, "a palette for %d joints", joint_count);
    }
    bool fits =
        sinew_gl_kind_for(gl, joint_count) == SINEW_GL_BLOCK || rows_of(joint_count) <= gl->max_texture_size;
    if (fits) return SINEW_OK;
    return sinew_gl_fail(error, SINEW_ERROR_LIMIT,
                         "a palette for %d joints needs a texture of %d x %d, but GL_MAX_TEXTURE_SIZE is %d",
                         joint_count, SINEW_GL_ROW_TEXELS, rows_of(joint_count), gl->max_texture_size);
}

sinew_result sinew_gl_palette_create(sinew_gl *gl, int32_t joint_count, sinew_gl_palette **out,
                                     sinew_error *error) {
    *out = NULL;
    sinew_result result = check_joint_count(gl, joint_count, error);
    if (result != SINEW_OK) return result;
    sinew_gl_palette *palette = (sinew_gl_palette *)sinew_gl_allocate(&gl->def.allocator, sizeof *palette, error);
    if (!palette) return SINEW_ERROR_OUT_OF_MEMORY;
    palette->gl = gl;
    palette->kind = sinew_gl_kind_for(gl, joint_count);
    palette->joint_count = joint_count;
    if (palette->kind == SINEW_GL_BLOCK) {
        create_buffer(palette);
    } else {
        create_texture(palette);
    }
    *out = palette;
    return SINEW_OK;
}

void sinew_gl_palette_destroy(sinew_gl_palette *palette) {
    if (!palette) return;
    const sinew_gl_functions *f = &palette->gl->functions;
    if (palette->kind == SINEW_GL_BLOCK) {
        f->DeleteBuffers(1, &palette->name);
    } else {
        f->DeleteTextures(1, &palette->name);
    }
    sinew_gl_release(&palette->gl->def.allocator, palette, sizeof *palette);
}

sinew_gl_palette_kind sinew_gl_palette_get_kind(const sinew_gl_palette *palette) {
    return palette->kind;
}

void sinew_gl_palette_update(sinew_gl_palette *palette, const sinew_affine *matrices, int32_t count) {
    assert(count >= 0 && count <= palette->joint_count);
    if (palette->kind == SINEW_GL_BLOCK) {
        update_buffer(palette, matrices, count);
    } else {
        update_texture(palette, matrices, count);
    }
}

void sinew_gl_palette_bind(const sinew_gl_palette *palette) {
    if (palette->kind == SINEW_GL_TEXTURE) {
        bind_texture(palette);
        return;
    }
    unsigned binding = (unsigned)palette->gl->def.skin_block_binding;
    palette->gl->functions.BindBufferBase(GL_UNIFORM_BUFFER, binding, palette->name);
}
