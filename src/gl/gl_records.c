// Palettes on the GPU: records in an array of uniforms, a uniform block, a texture, a buffer texture or a storage buffer.
#include "gl/gl_internal.h"
#include "core/def_cookie.h"

#include <assert.h>
#include <string.h>

enum { TEXEL_BYTES = 16, TEXEL_FLOATS = 4, MOST_TEXELS = 1 << 27 };

static_assert(sizeof(sinew_affine) == (size_t)3 * TEXEL_BYTES, "limits are counted in joints of three texels");

// ---- What fits -------------------------------------------------------------------------------------------------

int32_t sinew_gl_declared_texels(const sinew_gl *gl, sinew_gpu_resource source) {
    if (source == SINEW_GPU_RESOURCE_UNIFORMS) return 3 * gl->def.uniform_joints;
    return source == SINEW_GPU_RESOURCE_BLOCK ? 3 * gl->def.ubo_joints : 0;
}

// Ranges of a uniform buffer begin where the context lets them; all else stands side by side.
static int32_t stride_of(const sinew_gl *gl, sinew_gpu_resource source, int32_t record_texels) {
    if (source != SINEW_GPU_RESOURCE_BLOCK) return record_texels;
    const int32_t step = gl->block_alignment > TEXEL_BYTES ? gl->block_alignment / TEXEL_BYTES : 1;
    return (record_texels + step - 1) / step * step;
}

// Bytes of a buffer: the last range must be as long as the block that the shader declares, too.
static int64_t buffer_texels(const sinew_gl *gl, sinew_gpu_resource source, int32_t stride, int32_t count) {
    if (source != SINEW_GPU_RESOURCE_BLOCK) return (int64_t)stride * count;
    return (int64_t)stride * (count - 1) + sinew_gl_declared_texels(gl, source);
}

sinew_gpu_resource sinew_gl_choose_resource(const sinew_gl *gl, const sinew_gl_records_def *def) {
    const int32_t record = sinew_gpu_record_texel_count(&def->format);
    const int64_t all = (int64_t)record * def->character_count;
    if (def->character_count <= 1) {
        const bool fits = record <= sinew_gl_declared_texels(gl, SINEW_GPU_RESOURCE_BLOCK);
        return fits ? SINEW_GPU_RESOURCE_BLOCK : SINEW_GPU_RESOURCE_TEXTURE;
    }
    if (gl->has_storage && all * TEXEL_BYTES <= gl->max_storage_size) return SINEW_GPU_RESOURCE_STORAGE;
    return all <= gl->max_buffer_texels ? SINEW_GPU_RESOURCE_BUFFER : SINEW_GPU_RESOURCE_TEXTURE;
}

static sinew_result check_def(const sinew_gl_records_def *def, sinew_error *error) {
    if (!SINEW_IS_DEF(def, "sinew_gl_records_def: start from sinew_gl_records_default()")) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT,
                             "sinew_gl_records_def: start from sinew_gl_records_default()");
    }
    const sinew_gpu_record_format *f = &def->format;
    const int32_t texels = sinew_gpu_record_texel_count(f);
    if (texels < 1) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT, "a palette for %d joints and %d morph weights",
                             f->joint_count, f->weight_count);
    }
    if (def->character_count < 1) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT, "a palette for %d characters", def->character_count);
    }
    if (f->layout == SINEW_GPU_RECORD_BAKED && !f->per_instance_transform) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT, "records of SINEW_GPU_RECORD_BAKED must be placed");
    }
    if ((int64_t)texels * def->character_count > MOST_TEXELS) {
        return sinew_gl_fail(error, SINEW_ERROR_LIMIT, "%d records of %d texels are more than %d texels",
                             def->character_count, texels, MOST_TEXELS);
    }
    return SINEW_OK;
}

// Shaders look for a record by its instance where records are placed; ranges are bound one by one.
static sinew_result check_source(const sinew_gl *gl, const sinew_gl_records_def *def, sinew_gpu_resource source,
                                 sinew_error *error) {
    if (def->character_count > 1 && !def->format.per_instance_transform && source > SINEW_GPU_RESOURCE_BLOCK) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT,
                             "records of %d characters must be placed, or ranges of a SINEW_GPU_RESOURCE_BLOCK",
                             def->character_count);
    }
    if (source == SINEW_GPU_RESOURCE_BUFFER && gl->max_buffer_texels == 0) {
        return sinew_gl_fail(error, SINEW_ERROR_UNSUPPORTED,
                             "SINEW_GPU_RESOURCE_BUFFER needs buffer textures: OpenGL 3.3 or OpenGL ES 3.2");
    }
    if (source == SINEW_GPU_RESOURCE_STORAGE && !gl->has_storage) {
        return sinew_gl_fail(
            error, SINEW_ERROR_UNSUPPORTED,
            "SINEW_GPU_RESOURCE_STORAGE needs storage buffers in vertex shaders: OpenGL 4.3, or OpenGL ES "
            "3.1 with GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS above 0");
    }
    return SINEW_OK;
}

static sinew_result fail_size(const sinew_gl_records_def *def, long long need, const char *unit, const char *limit,
                              long long most, sinew_error *error) {
    return sinew_gl_fail(error, SINEW_ERROR_LIMIT, "palettes for %d x %d joints need %lld %s, but %s is %lld",
                         def->character_count, def->format.joint_count, need, unit, limit, most);
}

static sinew_result check_size(const sinew_gl *gl, const sinew_gl_records_def *def, sinew_gpu_resource source,
                               sinew_error *error) {
    const int32_t record = sinew_gpu_record_texel_count(&def->format);
    const int32_t declared = sinew_gl_declared_texels(gl, source);
    const int64_t all = (int64_t)record * def->character_count;
    switch (source) {
    case SINEW_GPU_RESOURCE_UNIFORMS:
        if (def->character_count > 1) {
            return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT,
                                 "SINEW_GPU_RESOURCE_UNIFORMS holds one character, not %d", def->character_count);
        }
        if (record <= declared) return SINEW_OK;
        return fail_size(def, record, "texels", "uniform_joints x 3", declared, error);
    case SINEW_GPU_RESOURCE_BLOCK:
        if (record <= declared) return SINEW_OK;
        return fail_size(def, record, "texels", "ubo_joints x 3", declared, error);
    case SINEW_GPU_RESOURCE_TEXTURE:
        if (sinew_gl_rows_of(all) <= gl->max_texture_size) return SINEW_OK;
        return fail_size(def, sinew_gl_rows_of(all), "rows of 1024 texels", "GL_MAX_TEXTURE_SIZE",
                         gl->max_texture_size, error);
    case SINEW_GPU_RESOURCE_BUFFER:
        if (all <= gl->max_buffer_texels) return SINEW_OK;
        return fail_size(def, all, "texels", "GL_MAX_TEXTURE_BUFFER_SIZE", gl->max_buffer_texels, error);
    case SINEW_GPU_RESOURCE_STORAGE:
        if (all * TEXEL_BYTES <= gl->max_storage_size) return SINEW_OK;
        return fail_size(def, all * TEXEL_BYTES, "bytes", "GL_MAX_SHADER_STORAGE_BLOCK_SIZE", gl->max_storage_size,
                         error);
    case SINEW_GPU_RESOURCE_NONE:
        break;
    }
    return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT, "%d is no palette source", (int)source);
}

// ---- Textures --------------------------------------------------------------------------------------------------

int32_t sinew_gl_rows_of(int64_t texels) {
    return (int32_t)((texels + SINEW_TEXTURE_WIDTH - 1) / SINEW_TEXTURE_WIDTH);
}

void sinew_gl_bind_texture(const sinew_gl *gl, int32_t unit, unsigned target, unsigned texture) {
    gl->functions.ActiveTexture(GL_TEXTURE0 + (unsigned)unit);
    gl->functions.BindTexture(target, texture);
}

unsigned sinew_gl_make_texture(const sinew_gl *gl, int32_t unit, unsigned format, int32_t rows,
                               const void *texels) {
    const sinew_gl_functions *f = &gl->functions;
    unsigned texture = 0;
    f->GenTextures(1, &texture);
    sinew_gl_bind_texture(gl, unit, GL_TEXTURE_2D, texture);
    f->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST); // without mipmaps it would be incomplete
    f->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    f->TexImage2D(GL_TEXTURE_2D, 0, (int)format, SINEW_TEXTURE_WIDTH, rows, 0, GL_RGBA,
                  format == GL_RGBA16F ? GL_HALF_FLOAT : GL_FLOAT, texels);
    return texture;
}

// The host's records fill whole rows, so that one call uploads them all; a palette of less than a row is not filled up.
static void upload_texture(const sinew_gl_records *palette, int64_t texels) {
    const sinew_gl *gl = palette->gl;
    const int width = texels < SINEW_TEXTURE_WIDTH ? (int)texels : SINEW_TEXTURE_WIDTH;
    sinew_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_2D, palette->texture);
    gl->functions.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, sinew_gl_rows_of(texels), GL_RGBA, GL_FLOAT,
                                palette->records);
}

// ---- Buffers ---------------------------------------------------------------------------------------------------

static unsigned buffer_target(sinew_gpu_resource source) {
    if (source == SINEW_GPU_RESOURCE_BUFFER) return GL_TEXTURE_BUFFER;
    return source == SINEW_GPU_RESOURCE_STORAGE ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER;
}

// Throws the old contents away, so that draws which still read them are not waited for.
static void orphan_buffer(const sinew_gl_records *palette) {
    const sinew_gl_functions *f = &palette->gl->functions;
    const unsigned target = buffer_target(palette->source);
    const int64_t texels =
        buffer_texels(palette->gl, palette->source, palette->stride_texels, palette->character_count);
    f->BindBuffer(target, palette->buffer);
    f->BufferData(target, (ptrdiff_t)(texels * TEXEL_BYTES), NULL, GL_STREAM_DRAW);
}

static void upload_buffer(const sinew_gl_records *palette, int64_t texels) {
    orphan_buffer(palette);
    palette->gl->functions.BufferSubData(buffer_target(palette->source), 0, (ptrdiff_t)(texels * TEXEL_BYTES),
                                         palette->records);
}

static void create_buffer(sinew_gl_records *palette) {
    const sinew_gl *gl = palette->gl;
    gl->functions.GenBuffers(1, &palette->buffer);
    orphan_buffer(palette);
    if (palette->source != SINEW_GPU_RESOURCE_BUFFER) return;
    gl->functions.GenTextures(1, &palette->texture);
    sinew_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_BUFFER, palette->texture);
    gl->functions.TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, palette->buffer);
}

// ---- Making one ------------------------------------------------------------------------------------------------

sinew_gl_records_def sinew_gl_records_default(void) {
    return (sinew_gl_records_def){
        .format = {.layout = SINEW_GPU_RECORD_ROWS},
        .character_count = 1,
        .resource = SINEW_GPU_RESOURCE_NONE,
        .cookie = SINEW_DEF_COOKIE,
    };
}

static sinew_gl_records *allocate(sinew_gl *gl, const sinew_gl_records_def *def, sinew_gpu_resource source,
                                  sinew_error *error) {
    const int32_t record = sinew_gpu_record_texel_count(&def->format);
    const int32_t stride = stride_of(gl, source, record);
    int64_t texels = (int64_t)stride * def->character_count;
    if (source == SINEW_GPU_RESOURCE_TEXTURE) texels = (int64_t)sinew_gl_rows_of(texels) * SINEW_TEXTURE_WIDTH;
    const size_t header = (sizeof(sinew_gl_records) + TEXEL_BYTES - 1) / TEXEL_BYTES * TEXEL_BYTES;
    const size_t size = header + (size_t)texels * TEXEL_BYTES;
    sinew_gl_records *palette = (sinew_gl_records *)sinew_gl_allocate(&gl->def.allocator, size, error);
    if (!palette) return NULL;
    palette->gl = gl;
    palette->format = def->format;
    palette->source = source;
    palette->character_count = def->character_count;
    palette->record_texels = record;
    palette->stride_texels = stride;
    palette->size = size;
    palette->records = (float *)(void *)((char *)palette + header);
    return palette;
}

sinew_result sinew_gl_records_create(sinew_gl *gl, const sinew_gl_records_def *def, sinew_gl_records **out,
                                     sinew_error *error) {
    assert(gl && def && out);
    *out = NULL;
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    const sinew_gpu_resource source =
        def->resource == SINEW_GPU_RESOURCE_NONE ? sinew_gl_choose_resource(gl, def) : def->resource;
    result = check_source(gl, def, source, error);
    if (result == SINEW_OK) result = check_size(gl, def, source, error);
    if (result != SINEW_OK) return result;
    sinew_gl_records *palette = allocate(gl, def, source, error);
    if (!palette) return SINEW_ERROR_OUT_OF_MEMORY;
    if (source == SINEW_GPU_RESOURCE_TEXTURE) {
        const int32_t rows = sinew_gl_rows_of((int64_t)palette->stride_texels * def->character_count);
        palette->texture = sinew_gl_make_texture(gl, gl->def.records_texture_unit, GL_RGBA32F, rows, NULL);
    } else if (source != SINEW_GPU_RESOURCE_UNIFORMS) {
        create_buffer(palette);
    }
    *out = palette;
    return SINEW_OK;
}

void sinew_gl_records_destroy(sinew_gl_records *palette) {
    if (!palette) return;
    const sinew_gl_functions *f = &palette->gl->functions;
    if (palette->texture) f->DeleteTextures(1, &palette->texture);
    if (palette->buffer) f->DeleteBuffers(1, &palette->buffer);
    sinew_gl_release(&palette->gl->def.allocator, palette, palette->size);
}

sinew_shader_variant sinew_gl_records_variant(const sinew_gl_records *palette) {
    return (sinew_shader_variant){.resource = palette->source,
                                  .layout = palette->format.layout,
                                  .per_instance_transform = palette->format.per_instance_transform};
}

// ---- Records ---------------------------------------------------------------------------------------------------

float *sinew_gl_records_data(sinew_gl_records *palette, int32_t character) {
    assert(palette);
    assert(character >= 0 && character < palette->character_count);
    return palette->records + (size_t)character * (size_t)palette->stride_texels * TEXEL_FLOATS;
}

void sinew_gl_records_write(sinew_gl_records *palette, int32_t character, const sinew_affine *place,
                            const sinew_affine *joints, const float *weights) {
    assert(palette);
    sinew_gpu_record_write(&palette->format, place, joints, weights, sinew_gl_records_data(palette, character));
}

void sinew_gl_records_upload(sinew_gl_records *palette, int32_t count) {
    assert(palette);
    assert(count >= 0 && count <= palette->character_count);
    if (count == 0) return;
    const int64_t texels = (int64_t)palette->stride_texels * (count - 1) + palette->record_texels;
    if (palette->source == SINEW_GPU_RESOURCE_TEXTURE) {
        upload_texture(palette, texels);
    } else if (palette->source != SINEW_GPU_RESOURCE_UNIFORMS) {
        upload_buffer(palette, texels);
    }
}

void sinew_gl_records_update(sinew_gl_records *palette, const sinew_affine *matrices, int32_t count) {
    assert(palette && (matrices || count == 0));
    assert(palette->character_count == 1 && !palette->format.per_instance_transform);
    assert(count >= 0 && count <= palette->format.joint_count);
    sinew_gpu_record_format format = palette->format;
    format.joint_count = count;
    format.weight_count = 0;
    sinew_gpu_record_write(&format, NULL, matrices, NULL, palette->records);
    sinew_gl_records_upload(palette, 1);
}

// ---- Binding ---------------------------------------------------------------------------------------------------

static void send_uniforms(const sinew_gl_records *palette) {
    const sinew_gl_functions *f = &palette->gl->functions;
    int program = 0;
    f->GetIntegerv(GL_CURRENT_PROGRAM, &program);
    const int location = f->GetUniformLocation((unsigned)program, "sinew_palette");
    f->Uniform4fv(location, palette->record_texels, palette->records);
}

// A range is as long as the block that the shader declares: a draw with less is undefined.
static void bind_range(const sinew_gl_records *palette, int32_t character) {
    const sinew_gl *gl = palette->gl;
    const ptrdiff_t offset = (ptrdiff_t)character * palette->stride_texels * TEXEL_BYTES;
    const ptrdiff_t size = (ptrdiff_t)sinew_gl_declared_texels(gl, SINEW_GPU_RESOURCE_BLOCK) * TEXEL_BYTES;
    gl->functions.BindBufferRange(GL_UNIFORM_BUFFER, (unsigned)gl->def.skin_block_binding, palette->buffer, offset,
                                  size);
}

void sinew_gl_records_bind(const sinew_gl_records *palette) {
    assert(palette);
    sinew_gl_records_bind_character(palette, 0);
}

void sinew_gl_records_bind_character(const sinew_gl_records *palette, int32_t character) {
    assert(palette);
    assert(character >= 0 && character < palette->character_count);
    const sinew_gl *gl = palette->gl;
    switch (palette->source) {
    case SINEW_GPU_RESOURCE_UNIFORMS:
        send_uniforms(palette);
        break;
    case SINEW_GPU_RESOURCE_BLOCK:
        bind_range(palette, character);
        break;
    case SINEW_GPU_RESOURCE_TEXTURE:
        sinew_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_2D, palette->texture);
        break;
    case SINEW_GPU_RESOURCE_BUFFER:
        sinew_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_BUFFER, palette->texture);
        break;
    case SINEW_GPU_RESOURCE_STORAGE:
        gl->functions.BindBufferBase(GL_SHADER_STORAGE_BUFFER, (unsigned)gl->def.storage_binding, palette->buffer);
        break;
    case SINEW_GPU_RESOURCE_NONE:
        break;
    }
}
