// SPDX-License-Identifier: MIT
// Meshes that are skinned once, ahead of any number of draws, with transform feedback or a compute shader.
//
// The skinned buffer holds the results: positions, normals and tangents. Skinning reads the mesh's moving and fixed
// buffers. Draws take the other arrays, such as texture coordinates, from the fixed one (gl_mesh.c). A skinner is the
// program that skins (gl_skinner.c). Offsets and sizes are in bytes.
#include "gpu/gl_internal.h"

#include <assert.h>

struct sinew_gl_skinned {
    sinew_gl *gl;
    const sinew_gl_mesh *mesh;
    sinewi_gl_skinner *skinner;
    unsigned buffer;
    unsigned vertex_array;
};

enum {
    GROUP_VERTICES = 64,
    MAX_GROUPS = 65535
}; // in skin_compute.glsl; the minimum GL_MAX_COMPUTE_WORK_GROUP_COUNT along x

// ---- Offsets of arrays ---------------------------------------------------------------------------------------

// Offset of the tangents in the skinned buffer. The normals' offset is the same as in the mesh's moving buffer.
static size_t get_tangents_offset(const sinew_gl_mesh *mesh) {
    return sinewi_gl_float_bytes(mesh, mesh->normals.present ? 6 : 3);
}

static size_t get_skinned_size(const sinew_gl_mesh *mesh) {
    return get_tangents_offset(mesh) + (mesh->tangents.present ? sinewi_gl_float_bytes(mesh, 4) : 0);
}

// Where the part of the mesh's fixed buffer that compute shaders read ends. 0 if they read nothing from it.
static size_t get_fixed_end(const sinew_gl_mesh *mesh) {
    if (mesh->weights.present) return mesh->weights.offset + sinewi_gl_float_bytes(mesh, (size_t)mesh->influences);
    return mesh->tangents.present ? mesh->tangents.offset + sinewi_gl_float_bytes(mesh, 4) : 0;
}

// ---- Checks --------------------------------------------------------------------------------------------------

// Compute shaders bind whole buffers, so these must fit the limit of a storage block.
static sinew_result check_compute(const sinew_gl_mesh *mesh, sinew_error *error) {
    const sinew_gl *gl = mesh->gl;
    if (!gl->has_compute) {
        return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED,
                              "SINEW_GL_SKINNING_COMPUTE needs compute shaders: OpenGL 4.3 or OpenGL ES 3.1");
    }
    const size_t skinned = get_skinned_size(mesh), fixed = get_fixed_end(mesh);
    const size_t size = skinned > fixed ? skinned : fixed;
    if (size <= (size_t)gl->max_storage_size) return SINEW_OK;
    return sinewi_gl_fail(
        error, SINEW_ERROR_LIMIT,
        "the buffers for %d vertices have up to %zu bytes, but GL_MAX_SHADER_STORAGE_BLOCK_SIZE is %d",
        mesh->vertex_count, size, gl->max_storage_size);
}

static sinew_result check_arguments(const sinew_gl_mesh *mesh, const sinew_gl_records *records,
                                    sinew_gl_skinning skinning, sinew_error *error) {
    if (records->resource == SINEW_GPU_RESOURCE_UNIFORMS) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                              "SINEW_GPU_RESOURCE_UNIFORMS belongs to one program, so it cannot skin a mesh ahead");
    }
    if (skinning == SINEW_GL_SKINNING_COMPUTE) return check_compute(mesh, error);
    if (skinning == SINEW_GL_SKINNING_FEEDBACK) return SINEW_OK;
    return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "skinning is %d; it must be a sinew_gl_skinning",
                          (int)skinning);
}

// ---- Creating ------------------------------------------------------------------------------------------------

// The program's influences. A mesh without joints is attached to one of the records' joints, if they have any.
static int32_t choose_influences(const sinew_gl_mesh *mesh, const sinew_gl_records *records) {
    if (mesh->influences > 0) return mesh->influences;
    const bool has_joints = records->format.layout == SINEW_GPU_RECORD_BAKED || records->format.joint_count > 0;
    return has_joints ? 4 : 0;
}

// The kind of program that skins a mesh with these records. Only feedback captures outputs.
static sinewi_gl_skinner_kind choose_kind(const sinew_gl_mesh *mesh, const sinew_gl_records *records,
                                          sinew_gl_skinning skinning) {
    const bool capture = skinning == SINEW_GL_SKINNING_FEEDBACK;
    const bool morph = mesh->deltas != 0 && records->format.weight_count > 0;
    return (sinewi_gl_skinner_kind){
        .skinning = skinning,
        .variant = sinewi_gl_shader_def(mesh->gl, records, choose_influences(mesh, records), morph).variant,
        .normals = capture && mesh->normals.present,
        .tangents = capture && mesh->tangents.present,
    };
}

// Fills the vertex array: skinned arrays from the skinned buffer, all others from the mesh's buffers.
static void fill_vertex_array(const sinew_gl_skinned *skinned) {
    const sinew_gl_mesh *mesh = skinned->mesh;
    const sinew_gl *gl = skinned->gl;
    const sinew_gl_def *def = &gl->def;
    const sinewi_gl_functions *f = &gl->functions;
    f->BindVertexArray(skinned->vertex_array);
    f->BindBuffer(GL_ARRAY_BUFFER, skinned->buffer);
    f->BufferData(GL_ARRAY_BUFFER, (ptrdiff_t)get_skinned_size(mesh), NULL, GL_DYNAMIC_COPY);
    sinewi_gl_point_floats(gl, def->position_location, 3, 3, 0);
    if (mesh->normals.present) sinewi_gl_point_floats(gl, def->normal_location, 3, 3, mesh->normals.offset);
    if (mesh->tangents.present) sinewi_gl_point_floats(gl, def->tangent_location, 4, 4, get_tangents_offset(mesh));
    f->BindBuffer(GL_ARRAY_BUFFER, mesh->buffers[SINEWI_GL_FIXED]);
    if (mesh->uvs.present) sinewi_gl_point_floats(gl, def->uv_location, 2, 2, mesh->uvs.offset);
    if (mesh->colors.present) sinewi_gl_point_floats(gl, def->color_location, 4, 4, mesh->colors.offset);
    f->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[SINEWI_GL_INDICES]);
    f->BindVertexArray(0); // keeps later calls by the caller from changing it
}

sinew_result sinew_gl_skinned_create(sinew_gl *gl, const sinew_gl_mesh *mesh, const sinew_gl_records *records,
                                     sinew_gl_skinning skinning, sinew_gl_skinned **out, sinew_error *error) {
    assert(gl && mesh && records && out);
    *out = NULL;
    sinew_result result = check_arguments(mesh, records, skinning, error);
    if (result != SINEW_OK) return result;
    sinew_gl_skinned *skinned = (sinew_gl_skinned *)sinewi_gl_allocate(&gl->def.allocator, sizeof *skinned, error);
    if (!skinned) return SINEW_ERROR_OUT_OF_MEMORY;
    const sinewi_gl_skinner_kind kind = choose_kind(mesh, records, skinning);
    result = sinewi_gl_skinner_acquire(gl, records, &kind, &skinned->skinner, error);
    if (result != SINEW_OK) {
        sinewi_gl_release(&gl->def.allocator, skinned, sizeof *skinned);
        return result;
    }
    skinned->gl = gl;
    skinned->mesh = mesh;
    gl->functions.GenBuffers(1, &skinned->buffer);
    gl->functions.GenVertexArrays(1, &skinned->vertex_array);
    fill_vertex_array(skinned);
    *out = skinned;
    return SINEW_OK;
}

void sinew_gl_skinned_destroy(sinew_gl_skinned *skinned) {
    if (!skinned) return;
    sinew_gl *gl = skinned->gl;
    sinewi_gl_skinner_release(gl, skinned->skinner);
    gl->functions.DeleteVertexArrays(1, &skinned->vertex_array);
    gl->functions.DeleteBuffers(1, &skinned->buffer);
    sinewi_gl_release(&gl->def.allocator, skinned, sizeof *skinned);
}

// ---- Transform feedback --------------------------------------------------------------------------------------

// Binds the range of the skinned buffer that captures each output.
static void bind_capture_ranges(const sinew_gl_skinned *skinned) {
    const sinew_gl_mesh *mesh = skinned->mesh;
    const sinewi_gl_functions *f = &skinned->gl->functions;
    const ptrdiff_t floats3 = (ptrdiff_t)sinewi_gl_float_bytes(mesh, 3),
                    floats4 = (ptrdiff_t)sinewi_gl_float_bytes(mesh, 4);
    unsigned point = 0;
    f->BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, point++, skinned->buffer, 0, floats3);
    if (mesh->normals.present) {
        f->BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, point++, skinned->buffer, (ptrdiff_t)mesh->normals.offset,
                           floats3);
    }
    if (mesh->tangents.present) {
        f->BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, point, skinned->buffer,
                           (ptrdiff_t)get_tangents_offset(mesh), floats4);
    }
}

// Draws the vertices as points in their own order. Each is skinned once, no matter how many triangles use it.
static void update_feedback(const sinew_gl_skinned *skinned, const sinew_gl_draw *draw) {
    const sinew_gl_mesh *mesh = skinned->mesh;
    const sinewi_gl_functions *f = &skinned->gl->functions;
    f->UseProgram(skinned->skinner->program);
    f->BindVertexArray(mesh->vertex_array);
    sinewi_gl_set_draw(mesh, draw);
    bind_capture_ranges(skinned);
    f->Enable(GL_RASTERIZER_DISCARD);
    f->BeginTransformFeedback(GL_POINTS);
    f->DrawArrays(GL_POINTS, 0, mesh->vertex_count);
    f->EndTransformFeedback();
    f->Disable(GL_RASTERIZER_DISCARD);
    f->BindVertexArray(0);
    f->UseProgram(0);
}

// ---- Compute shaders -----------------------------------------------------------------------------------------

static void bind_storage(const sinew_gl_skinned *skinned, int binding, unsigned buffer) {
    const sinew_gl *gl = skinned->gl;
    gl->functions.BindBufferBase(GL_SHADER_STORAGE_BUFFER, sinewi_gl_skinner_binding(gl, binding), buffer);
}

// Binds the buffers. The fixed buffer may be empty, but every block of the shader needs a buffer, so it
// gets the moving one.
static void bind_compute_buffers(const sinew_gl_skinned *skinned) {
    const sinew_gl_mesh *mesh = skinned->mesh;
    const int fixed = get_fixed_end(mesh) > 0 ? SINEWI_GL_FIXED : SINEWI_GL_MOVING;
    bind_storage(skinned, SINEWI_GL_BIND_MOVING, mesh->buffers[SINEWI_GL_MOVING]);
    bind_storage(skinned, SINEWI_GL_BIND_FIXED, mesh->buffers[fixed]);
    bind_storage(skinned, SINEWI_GL_BIND_SKINNED, skinned->buffer);
}

// An offset in words, or -1 for an array that the mesh doesn't have.
static int offset_in_words(bool present, size_t offset) {
    return present ? (int)(offset / sizeof(uint32_t)) : -1;
}

// Sends the uniforms of skin_compute.glsl.
static void send_uniforms(const sinew_gl_skinned *skinned, const sinew_gl_draw *draw) {
    const sinew_gl_mesh *mesh = skinned->mesh;
    const sinewi_gl_skinner *skinner = skinned->skinner;
    const sinewi_gl_functions *f = &skinned->gl->functions;
    int32_t numbers[4];
    sinewi_gl_draw_numbers(mesh, draw, numbers);
    f->Uniform4i(skinner->draw, numbers[0], numbers[1], numbers[2], numbers[3]);
    f->Uniform4i(skinner->vertices, mesh->vertex_count,
                 offset_in_words(mesh->normals.present, mesh->normals.offset),
                 offset_in_words(mesh->tangents.present, get_tangents_offset(mesh)),
                 mesh->influences > 0 ? -1 : draw->joint);
    f->Uniform4i(skinner->fixed_offsets, offset_in_words(mesh->tangents.present, mesh->tangents.offset),
                 offset_in_words(mesh->joints.present, mesh->joints.offset),
                 offset_in_words(mesh->weights.present, mesh->weights.offset), 0);
}

// Runs the compute shader, one invocation per vertex. If there are more vertices than groups allow, each invocation
// handles several. The barrier makes the results visible to draws and uploads.
static void update_compute(const sinew_gl_skinned *skinned, const sinew_gl_draw *draw) {
    const sinew_gl_mesh *mesh = skinned->mesh;
    const sinew_gl *gl = skinned->gl;
    const sinewi_gl_functions *f = &gl->functions;
    const int32_t groups = (mesh->vertex_count - 1) / GROUP_VERTICES + 1;
    f->UseProgram(skinned->skinner->program);
    send_uniforms(skinned, draw);
    if (mesh->deltas) sinewi_gl_bind_texture(gl, gl->def.deltas_texture_unit, GL_TEXTURE_2D, mesh->deltas);
    bind_compute_buffers(skinned);
    f->DispatchCompute((unsigned)(groups < MAX_GROUPS ? groups : MAX_GROUPS), 1, 1);
    f->MemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
                     GL_BUFFER_UPDATE_BARRIER_BIT);
    f->UseProgram(0);
}

// ---- Updating ------------------------------------------------------------------------------------------------

// Skins the mesh for one character. The records must have the variant that the mesh was created for.
void sinew_gl_skinned_update(sinew_gl_skinned *skinned, const sinew_gl_draw *draw) {
    assert(skinned && draw);
    const sinewi_gl_skinner_kind *kind = &skinned->skinner->kind;
    const sinew_gl_records *records = draw->records;
    assert(draw->first >= 0 && draw->first < records->character_count);
    assert(records->resource == kind->variant.resource && records->format.layout == kind->variant.layout &&
           records->format.per_instance_transform == kind->variant.per_instance_transform);
    (void)records;
    if (skinned->mesh->vertex_count == 0) return;
    if (kind->skinning == SINEW_GL_SKINNING_COMPUTE)
        update_compute(skinned, draw);
    else
        update_feedback(skinned, draw);
}

void sinew_gl_skinned_draw(const sinew_gl_skinned *skinned) {
    assert(skinned);
    sinewi_gl_draw_triangles(skinned->mesh, skinned->vertex_array);
}

uint32_t sinew_gl_skinned_buffer(const sinew_gl_skinned *skinned) {
    assert(skinned);
    return skinned->buffer;
}
