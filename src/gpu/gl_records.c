// SPDX-License-Identifier: MIT
// GPU records and animation textures in OpenGL. A record is what the skinning shader reads for one character: its
// joints' matrices or the frames of an animation texture, its world matrix, and its morph weights (gpu/gpu_record.c).
//
// The records of all characters are in one resource: plain uniforms, a uniform block, a texture, a buffer texture or a
// storage buffer. From uniforms and from a bound range of a block, a shader reads one character's record. From the
// others, it reads any record by instance. A texel is four floats. Declared texels are the texels of the array that
// shaders declare in uniforms or a block.
#include "gpu/gl_internal.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <string.h>

enum { TEXEL_BYTES = 16, TEXEL_FLOATS = 4, MAX_TEXELS = 1 << 27 };

static_assert(sizeof(sinew_affine) == (size_t)3 * TEXEL_BYTES, "limits are counted in joints of three texels");

// ---- Sizes -----------------------------------------------------------------------------------------------------

int32_t sinewi_gl_declared_texels(const sinew_gl *gl, sinew_gpu_resource resource) {
    if (resource == SINEW_GPU_RESOURCE_UNIFORMS) return 3 * gl->def.uniform_joints;
    return resource == SINEW_GPU_RESOURCE_BLOCK ? 3 * gl->def.ubo_joints : 0;
}

// Texels from one record to the next. A uniform buffer's ranges start at multiples of the context's alignment. In all
// other resources, records follow each other.
static int32_t get_record_stride(const sinew_gl *gl, sinew_gpu_resource resource, int32_t record_texels) {
    if (resource != SINEW_GPU_RESOURCE_BLOCK) return record_texels;
    const int32_t step = gl->block_alignment > TEXEL_BYTES ? gl->block_alignment / TEXEL_BYTES : 1;
    return (record_texels + step - 1) / step * step;
}

// Texels in a buffer. The last range must also be as long as the block that the shader declares.
static int64_t count_buffer_texels(const sinew_gl *gl, sinew_gpu_resource resource, int32_t stride, int32_t count) {
    if (resource != SINEW_GPU_RESOURCE_BLOCK) return (int64_t)stride * count;
    return (int64_t)stride * (count - 1) + sinewi_gl_declared_texels(gl, resource);
}

// A single character gets a block, if it fits. Many get a storage buffer or a buffer texture, because those need no
// rows. A texture always works.
sinew_gpu_resource sinew_gl_choose_resource(const sinew_gl *gl, const sinew_gl_records_def *def) {
    const int32_t record = sinew_gpu_record_texel_count(&def->format);
    const int64_t all = (int64_t)record * def->character_count;
    if (def->character_count <= 1) {
        const bool fits = record <= sinewi_gl_declared_texels(gl, SINEW_GPU_RESOURCE_BLOCK);
        return fits ? SINEW_GPU_RESOURCE_BLOCK : SINEW_GPU_RESOURCE_TEXTURE;
    }
    if (gl->has_storage && all * TEXEL_BYTES <= gl->max_storage_size) return SINEW_GPU_RESOURCE_STORAGE;
    return all <= gl->max_buffer_texels ? SINEW_GPU_RESOURCE_BUFFER : SINEW_GPU_RESOURCE_TEXTURE;
}

static sinew_result check_records_def(const sinew_gl_records_def *def, sinew_error *error) {
    if (!SINEWI_IS_DEF(def, "sinew_gl_records_def: start from sinew_gl_records_default()")) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                              "sinew_gl_records_def: start from sinew_gl_records_default()");
    }
    const sinew_gpu_record_format *f = &def->format;
    const int32_t texels = sinew_gpu_record_texel_count(f);
    if (texels < 1) {
        return sinewi_gl_fail(
            error, SINEW_ERROR_ARGUMENT,
            "records with %d joints and %d morph weights: a record must have 1 to 16777216 texels", f->joint_count,
            f->weight_count);
    }
    if (def->character_count < 1) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "character_count is %d; it must be 1 or more",
                              def->character_count);
    }
    if (f->layout == SINEW_GPU_RECORD_BAKED && !f->per_instance_transform) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                              "records of SINEW_GPU_RECORD_BAKED need per_instance_transform");
    }
    if ((int64_t)texels * def->character_count > MAX_TEXELS) {
        return sinewi_gl_fail(error, SINEW_ERROR_LIMIT, "%d records of %d texels exceed the limit of %d texels",
                              def->character_count, texels, MAX_TEXELS);
    }
    return SINEW_OK;
}

// Shaders find a record by instance if records have per_instance_transform. A block's ranges are bound one by one.
static sinew_result check_resource(const sinew_gl *gl, const sinew_gl_records_def *def, sinew_gpu_resource resource,
                                   sinew_error *error) {
    if (def->character_count > 1 && !def->format.per_instance_transform && resource > SINEW_GPU_RESOURCE_BLOCK) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                              "records for %d characters need per_instance_transform, or SINEW_GPU_RESOURCE_BLOCK",
                              def->character_count);
    }
    if (resource == SINEW_GPU_RESOURCE_BUFFER && gl->max_buffer_texels == 0) {
        return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED,
                              "SINEW_GPU_RESOURCE_BUFFER needs buffer textures: OpenGL 3.3 or OpenGL ES 3.2");
    }
    if (resource == SINEW_GPU_RESOURCE_STORAGE && !gl->has_storage) {
        return sinewi_gl_fail(
            error, SINEW_ERROR_UNSUPPORTED,
            "SINEW_GPU_RESOURCE_STORAGE needs storage buffers in vertex shaders: OpenGL 4.3, or OpenGL ES "
            "3.1 with GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS above 0");
    }
    return SINEW_OK;
}

static sinew_result fail_size(const sinew_gl_records_def *def, long long need, const char *unit, const char *limit,
                              long long max, sinew_error *error) {
    return sinewi_gl_fail(error, SINEW_ERROR_LIMIT, "records of %d x %d joints need %lld %s, but %s is %lld",
                          def->character_count, def->format.joint_count, need, unit, limit, max);
}

// Checks that the records fit into the resource.
static sinew_result check_size(const sinew_gl *gl, const sinew_gl_records_def *def, sinew_gpu_resource resource,
                               sinew_error *error) {
    const int32_t record = sinew_gpu_record_texel_count(&def->format);
    const int32_t declared = sinewi_gl_declared_texels(gl, resource);
    const int64_t all = (int64_t)record * def->character_count;
    switch (resource) {
    case SINEW_GPU_RESOURCE_UNIFORMS:
        if (def->character_count > 1) {
            return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                                  "SINEW_GPU_RESOURCE_UNIFORMS can hold one character, not %d",
                                  def->character_count);
        }
        if (record <= declared) return SINEW_OK;
        return fail_size(def, record, "texels", "uniform_joints x 3", declared, error);
    case SINEW_GPU_RESOURCE_BLOCK:
        if (record <= declared) return SINEW_OK;
        return fail_size(def, record, "texels", "ubo_joints x 3", declared, error);
    case SINEW_GPU_RESOURCE_TEXTURE:
        if (sinewi_gl_texture_rows(all) <= gl->max_texture_size) return SINEW_OK;
        return fail_size(def, sinewi_gl_texture_rows(all), "rows of 1024 texels", "GL_MAX_TEXTURE_SIZE",
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
    return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "resource is %d; it must be a sinew_gpu_resource",
                          (int)resource);
}

// ---- Textures --------------------------------------------------------------------------------------------------

int32_t sinewi_gl_texture_rows(int64_t texels) {
    return (int32_t)((texels + SINEW_TEXTURE_WIDTH - 1) / SINEW_TEXTURE_WIDTH);
}

void sinewi_gl_bind_texture(const sinew_gl *gl, int32_t unit, unsigned target, unsigned texture) {
    gl->functions.ActiveTexture(GL_TEXTURE0 + (unsigned)unit);
    gl->functions.BindTexture(target, texture);
}

// Creates an unfiltered texture with SINEW_TEXTURE_WIDTH texels per row, and leaves it bound to the unit.
unsigned sinewi_gl_make_texture(const sinew_gl *gl, int32_t unit, unsigned format, int32_t rows,
                                const void *texels) {
    const sinewi_gl_functions *f = &gl->functions;
    unsigned texture = 0;
    f->GenTextures(1, &texture);
    sinewi_gl_bind_texture(gl, unit, GL_TEXTURE_2D, texture);
    f->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST); // it would be incomplete without mipmaps
    f->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    f->TexImage2D(GL_TEXTURE_2D, 0, (int)format, SINEW_TEXTURE_WIDTH, rows, 0, GL_RGBA,
                  format == GL_RGBA16F ? GL_HALF_FLOAT : GL_FLOAT, texels);
    return texture;
}

// Uploads everything in one call. The records' memory has whole rows, unless all records together are
// shorter than one row.
static void upload_texture(const sinew_gl_records *records, int64_t texels) {
    const sinew_gl *gl = records->gl;
    const int width = texels < SINEW_TEXTURE_WIDTH ? (int)texels : SINEW_TEXTURE_WIDTH;
    sinewi_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_2D, records->texture);
    gl->functions.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, sinewi_gl_texture_rows(texels), GL_RGBA, GL_FLOAT,
                                records->data);
}

// ---- Buffers ---------------------------------------------------------------------------------------------------

static unsigned buffer_target(sinew_gpu_resource resource) {
    if (resource == SINEW_GPU_RESOURCE_BUFFER) return GL_TEXTURE_BUFFER;
    return resource == SINEW_GPU_RESOURCE_STORAGE ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER;
}

// Replaces a buffer's storage, so nothing has to wait for draws that still read the old one.
static void orphan_buffer(const sinew_gl_records *records) {
    const sinewi_gl_functions *f = &records->gl->functions;
    const unsigned target = buffer_target(records->resource);
    const int64_t texels =
        count_buffer_texels(records->gl, records->resource, records->stride_texels, records->character_count);
    f->BindBuffer(target, records->buffer);
    f->BufferData(target, (ptrdiff_t)(texels * TEXEL_BYTES), NULL, GL_STREAM_DRAW);
}

static void upload_buffer(const sinew_gl_records *records, int64_t texels) {
    orphan_buffer(records);
    records->gl->functions.BufferSubData(buffer_target(records->resource), 0, (ptrdiff_t)(texels * TEXEL_BYTES),
                                         records->data);
}

// Creates the records' buffer and, for a buffer texture, the texture that reads it.
static void create_buffer(sinew_gl_records *records) {
    const sinew_gl *gl = records->gl;
    gl->functions.GenBuffers(1, &records->buffer);
    orphan_buffer(records);
    if (records->resource != SINEW_GPU_RESOURCE_BUFFER) return;
    gl->functions.GenTextures(1, &records->texture);
    sinewi_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_BUFFER, records->texture);
    gl->functions.TexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, records->buffer);
}

// ---- Creating --------------------------------------------------------------------------------------------------

sinew_gl_records_def sinew_gl_records_default(void) {
    return (sinew_gl_records_def){
        .format = {.layout = SINEW_GPU_RECORD_ROWS},
        .character_count = 1,
        .resource = SINEW_GPU_RESOURCE_NONE,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

// Allocates the records with their texels on the CPU. A texture's texels fill whole rows, so one call can upload them.
static sinew_gl_records *allocate_records(sinew_gl *gl, const sinew_gl_records_def *def,
                                          sinew_gpu_resource resource, sinew_error *error) {
    const int32_t record = sinew_gpu_record_texel_count(&def->format);
    const int32_t stride = get_record_stride(gl, resource, record);
    int64_t texels = (int64_t)stride * def->character_count;
    if (resource == SINEW_GPU_RESOURCE_TEXTURE)
        texels = (int64_t)sinewi_gl_texture_rows(texels) * SINEW_TEXTURE_WIDTH;
    const size_t header = (sizeof(sinew_gl_records) + TEXEL_BYTES - 1) / TEXEL_BYTES * TEXEL_BYTES;
    const size_t size = header + (size_t)texels * TEXEL_BYTES;
    sinew_gl_records *records = (sinew_gl_records *)sinewi_gl_allocate(&gl->def.allocator, size, error);
    if (!records) return NULL;
    records->gl = gl;
    records->format = def->format;
    records->resource = resource;
    records->character_count = def->character_count;
    records->record_texels = record;
    records->stride_texels = stride;
    records->size = size;
    records->data = (float *)(void *)((char *)records + header);
    return records;
}

sinew_result sinew_gl_records_create(sinew_gl *gl, const sinew_gl_records_def *def, sinew_gl_records **out,
                                     sinew_error *error) {
    assert(gl && out);
    *out = NULL;
    sinew_result result = check_records_def(def, error);
    if (result != SINEW_OK) return result;
    const sinew_gpu_resource resource =
        def->resource == SINEW_GPU_RESOURCE_NONE ? sinew_gl_choose_resource(gl, def) : def->resource;
    result = check_resource(gl, def, resource, error);
    if (result == SINEW_OK) result = check_size(gl, def, resource, error);
    if (result != SINEW_OK) return result;
    sinew_gl_records *records = allocate_records(gl, def, resource, error);
    if (!records) return SINEW_ERROR_OUT_OF_MEMORY;
    if (resource == SINEW_GPU_RESOURCE_TEXTURE) {
        const int32_t rows = sinewi_gl_texture_rows((int64_t)records->stride_texels * def->character_count);
        records->texture = sinewi_gl_make_texture(gl, gl->def.records_texture_unit, GL_RGBA32F, rows, NULL);
    } else if (resource != SINEW_GPU_RESOURCE_UNIFORMS) {
        create_buffer(records);
    }
    *out = records;
    return SINEW_OK;
}

void sinew_gl_records_destroy(sinew_gl_records *records) {
    if (!records) return;
    const sinewi_gl_functions *f = &records->gl->functions;
    if (records->texture) f->DeleteTextures(1, &records->texture);
    if (records->buffer) f->DeleteBuffers(1, &records->buffer);
    sinewi_gl_release(&records->gl->def.allocator, records, records->size);
}

sinew_shader_variant sinew_gl_records_variant(const sinew_gl_records *records) {
    return (sinew_shader_variant){.resource = records->resource,
                                  .layout = records->format.layout,
                                  .per_instance_transform = records->format.per_instance_transform};
}

// ---- Writing ---------------------------------------------------------------------------------------------------

float *sinew_gl_records_data(sinew_gl_records *records, int32_t character) {
    assert(records);
    assert(character >= 0 && character < records->character_count);
    return records->data + (size_t)character * (size_t)records->stride_texels * TEXEL_FLOATS;
}

void sinew_gl_records_write(sinew_gl_records *records, int32_t character, sinew_affine world,
                            const sinew_affine *joints, const float *weights) {
    assert(records);
    sinew_gpu_record_write(&records->format, world, joints, weights, sinew_gl_records_data(records, character));
}

// Uploads the first `count` characters' records. Uniforms are sent when they are bound.
void sinew_gl_records_upload(sinew_gl_records *records, int32_t count) {
    assert(records);
    assert(count >= 0 && count <= records->character_count);
    if (count == 0) return;
    const int64_t texels = (int64_t)records->stride_texels * (count - 1) + records->record_texels;
    if (records->resource == SINEW_GPU_RESOURCE_TEXTURE) {
        upload_texture(records, texels);
    } else if (records->resource != SINEW_GPU_RESOURCE_UNIFORMS) {
        upload_buffer(records, texels);
    }
}

// Writes and uploads the matrices of the only character.
void sinew_gl_records_update(sinew_gl_records *records, const sinew_affine *matrices, int32_t count) {
    assert(records && (matrices || count == 0));
    assert(records->character_count == 1 && !records->format.per_instance_transform);
    assert(count >= 0 && count <= records->format.joint_count);
    sinew_gpu_record_format format = records->format;
    format.joint_count = count;
    format.weight_count = 0;
    sinew_gpu_record_write(&format, sinew_affine_identity(), matrices, NULL, records->data);
    sinew_gl_records_upload(records, 1);
}

// ---- Binding ---------------------------------------------------------------------------------------------------

// Writes the only record to the array of the program in use.
static void send_records_as_uniforms(const sinew_gl_records *records) {
    const sinewi_gl_functions *f = &records->gl->functions;
    int program = 0;
    f->GetIntegerv(GL_CURRENT_PROGRAM, &program);
    const int location = f->GetUniformLocation((unsigned)program, "sinew_records");
    f->Uniform4fv(location, records->record_texels, records->data);
}

// Binds a range as long as the block that the shader declares. Drawing with a shorter one is undefined.
static void bind_block_range(const sinew_gl_records *records, int32_t character) {
    const sinew_gl *gl = records->gl;
    const ptrdiff_t offset = (ptrdiff_t)character * records->stride_texels * TEXEL_BYTES;
    const ptrdiff_t size = (ptrdiff_t)sinewi_gl_declared_texels(gl, SINEW_GPU_RESOURCE_BLOCK) * TEXEL_BYTES;
    gl->functions.BindBufferRange(GL_UNIFORM_BUFFER, (unsigned)gl->def.skin_block_binding, records->buffer, offset,
                                  size);
}

void sinew_gl_records_bind(const sinew_gl_records *records) {
    assert(records);
    sinew_gl_records_bind_character(records, 0);
}

// Makes records readable for the next draw's shader. Only a uniform block is bound per character. For the other
// resources, all records are bound and the shader finds the character by instance. Plain uniforms have one record.
// SINEW_GPU_RESOURCE_NONE doesn't occur here, because it's replaced when records are created.
void sinew_gl_records_bind_character(const sinew_gl_records *records, int32_t character) {
    assert(records);
    assert(character >= 0 && character < records->character_count);
    const sinew_gl *gl = records->gl;
    switch (records->resource) {
    case SINEW_GPU_RESOURCE_UNIFORMS:
        send_records_as_uniforms(records);
        break;
    case SINEW_GPU_RESOURCE_BLOCK:
        bind_block_range(records, character);
        break;
    case SINEW_GPU_RESOURCE_TEXTURE:
        sinewi_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_2D, records->texture);
        break;
    case SINEW_GPU_RESOURCE_BUFFER:
        sinewi_gl_bind_texture(gl, gl->def.records_texture_unit, GL_TEXTURE_BUFFER, records->texture);
        break;
    case SINEW_GPU_RESOURCE_STORAGE:
        gl->functions.BindBufferBase(GL_SHADER_STORAGE_BUFFER, (unsigned)gl->def.storage_binding, records->buffer);
        break;
    case SINEW_GPU_RESOURCE_NONE:
        break;
    }
}

// ---- Animation textures ----------------------------------------------------------------------------------------

struct sinew_gl_animations {
    sinew_gl *gl;
    unsigned texture;
};

sinew_result sinew_gl_animations_create(sinew_gl *gl, const sinew_bake *bake, sinew_gl_animations **out,
                                        sinew_error *error) {
    assert(gl && bake && out);
    *out = NULL;
    if (bake->height > gl->max_texture_size) {
        return sinewi_gl_fail(error, SINEW_ERROR_LIMIT,
                              "an animation texture of %d frames with %d joints needs %d rows of %d texels, but "
                              "GL_MAX_TEXTURE_SIZE is %d",
                              bake->frame_count, bake->joint_count, bake->height, bake->width,
                              gl->max_texture_size);
    }
    sinew_gl_animations *animations =
        (sinew_gl_animations *)sinewi_gl_allocate(&gl->def.allocator, sizeof *animations, error);
    if (!animations) return SINEW_ERROR_OUT_OF_MEMORY;
    animations->gl = gl;
    animations->texture = sinewi_gl_make_texture(gl, gl->def.animations_texture_unit,
                                                 bake->format == SINEW_BAKE_HALF ? GL_RGBA16F : GL_RGBA32F,
                                                 bake->height, bake->texels);
    *out = animations;
    return SINEW_OK;
}

void sinew_gl_animations_destroy(sinew_gl_animations *animations) {
    if (!animations) return;
    animations->gl->functions.DeleteTextures(1, &animations->texture);
    sinewi_gl_release(&animations->gl->def.allocator, animations, sizeof *animations);
}

void sinew_gl_animations_bind(const sinew_gl_animations *animations) {
    assert(animations);
    const sinew_gl *gl = animations->gl;
    sinewi_gl_bind_texture(gl, gl->def.animations_texture_unit, GL_TEXTURE_2D, animations->texture);
}
