// SPDX-License-Identifier: MIT
// Meshes on the GPU. Morph targets change positions and normals, so those are in a buffer of their own, the moving one.
// The primitive's other arrays are in the fixed one. Within a buffer, the arrays follow each other.
//
// Deltas are the displacements of morph targets, in a texture. A draw selects the records (gl_records.c), and which of
// their morph weights the mesh uses. `f` is the context's functions. Strides are in elements, offsets in bytes.
#include "gpu/gl_internal.h"

#include <assert.h>
#include <string.h>

// ---- Buffers -------------------------------------------------------------------------------------------------

// Binds one of the mesh's buffers and gives it new storage.
static void allocate_buffer(const sinew_gl_mesh *mesh, int buffer, size_t size, unsigned usage) {
    const sinewi_gl_functions *f = &mesh->gl->functions;
    f->BindBuffer(GL_ARRAY_BUFFER, mesh->buffers[buffer]);
    f->BufferData(GL_ARRAY_BUFFER, (ptrdiff_t)size, NULL, usage);
}

// Uploads an array at offset `*end` of the bound buffer, advances `*end`, and returns the array's offset.
static size_t append_array(const sinew_gl_mesh *mesh, const void *data, size_t size, size_t *end) {
    size_t start = *end;
    mesh->gl->functions.BufferSubData(GL_ARRAY_BUFFER, (ptrdiff_t)start, (ptrdiff_t)size, data);
    *end += size;
    return start;
}

// ---- Attributes ----------------------------------------------------------------------------------------------

// OpenGL takes offsets into the bound buffer as pointers.
static const void *offset_as_pointer(size_t offset) {
    return (const void *)(uintptr_t)offset; // NOLINT(performance-no-int-to-ptr)
}

void sinewi_gl_point_floats(const sinew_gl *gl, int32_t location, int components, int stride, size_t offset) {
    gl->functions.EnableVertexAttribArray((unsigned)location);
    gl->functions.VertexAttribPointer((unsigned)location, components, GL_FLOAT, GL_FALSE,
                                      stride * (int)sizeof(float), offset_as_pointer(offset));
}

// Points an attribute to four joints per vertex, as integers. `stride` is in joints.
static void point_joints(const sinew_gl *gl, int32_t location, int stride, size_t offset) {
    gl->functions.EnableVertexAttribArray((unsigned)location);
    gl->functions.VertexAttribIPointer((unsigned)location, 4, GL_UNSIGNED_SHORT, stride * (int)sizeof(uint16_t),
                                       offset_as_pointer(offset));
}

// ---- Filling -------------------------------------------------------------------------------------------------

// Uploads positions, then normals. Morphed meshes may be updated each frame.
static void fill_moving_buffer(const sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl *gl = mesh->gl;
    const size_t array = sinewi_gl_float_bytes(mesh, 3);
    const unsigned usage = primitive->target_count > 0 ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW;
    allocate_buffer(mesh, SINEWI_GL_MOVING, mesh->normals.present ? 2 * array : array, usage);
    size_t end = 0;
    sinewi_gl_point_floats(gl, gl->def.position_location, 3, 3,
                           append_array(mesh, primitive->positions, array, &end));
    if (!mesh->normals.present) return;
    sinewi_gl_point_floats(gl, gl->def.normal_location, 3, 3, append_array(mesh, primitive->normals, array, &end));
}

// Uploads joints and weights and points the attributes to them: four of each, or eight with 8 influences.
static void fill_influences(sinew_gl_mesh *mesh, const sinew_primitive *primitive, size_t *end) {
    const sinew_gl *gl = mesh->gl;
    const int influences = primitive->influences;
    const size_t joints_size = (size_t)mesh->vertex_count * (size_t)influences * sizeof(uint16_t);
    const size_t joints = append_array(mesh, primitive->joints, joints_size, end);
    const size_t weights =
        append_array(mesh, primitive->weights, sinewi_gl_float_bytes(mesh, (size_t)influences), end);
    mesh->joints = (sinewi_gl_array){true, joints};
    mesh->weights = (sinewi_gl_array){true, weights};
    point_joints(gl, gl->def.joints_location, influences, joints);
    sinewi_gl_point_floats(gl, gl->def.weights_location, 4, influences, weights);
    if (influences < 8) return;
    point_joints(gl, gl->def.joints2_location, influences, joints + 4 * sizeof(uint16_t));
    sinewi_gl_point_floats(gl, gl->def.weights2_location, 4, influences, weights + 4 * sizeof(float));
}

// Uploads an array that the primitive may lack, and points its attribute to it.
static sinewi_gl_array append_optional_floats(const sinew_gl_mesh *mesh, const float *values, int components,
                                              int32_t location, size_t *end) {
    if (!values) return (sinewi_gl_array){0};
    const size_t offset = append_array(mesh, values, sinewi_gl_float_bytes(mesh, (size_t)components), end);
    sinewi_gl_point_floats(mesh->gl, location, components, components, offset);
    return (sinewi_gl_array){true, offset};
}

// Uploads the arrays that morph targets don't change. Joints are two bytes each, and weights follow them. The weights
// stay aligned, because four or eight joints are a multiple of four bytes.
static void fill_fixed_buffer(sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl_def *def = &mesh->gl->def;
    const size_t floats =
        (primitive->uvs ? 2u : 0u) + (primitive->colors ? 4u : 0u) + (primitive->tangents ? 4u : 0u);
    const size_t influence_size = (size_t)primitive->influences * (sizeof(float) + sizeof(uint16_t));
    allocate_buffer(mesh, SINEWI_GL_FIXED,
                    sinewi_gl_float_bytes(mesh, floats) + (size_t)mesh->vertex_count * influence_size,
                    GL_STATIC_DRAW);
    size_t end = 0;
    mesh->uvs = append_optional_floats(mesh, primitive->uvs, 2, def->uv_location, &end);
    mesh->colors = append_optional_floats(mesh, primitive->colors, 4, def->color_location, &end);
    mesh->tangents = append_optional_floats(mesh, primitive->tangents, 4, def->tangent_location, &end);
    if (primitive->influences > 0) fill_influences(mesh, primitive, &end);
}

// Uploads the indices. The index buffer binding belongs to the bound vertex array.
static void fill_indices(const sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinewi_gl_functions *f = &mesh->gl->functions;
    ptrdiff_t size = (ptrdiff_t)((size_t)mesh->index_count * sizeof *primitive->indices);
    f->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[SINEWI_GL_INDICES]);
    f->BufferData(GL_ELEMENT_ARRAY_BUFFER, size, primitive->indices, GL_STATIC_DRAW);
}

// ---- The mesh ------------------------------------------------------------------------------------------------

sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **out,
                                  sinew_error *error) {
    assert(gl && primitive && out);
    *out = NULL;
    const int32_t influences = primitive->influences;
    if (influences != 0 && influences != 4 && influences != 8) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT,
                              "a primitive has %d influences per vertex; it must have 0, 4 or 8", influences);
    }
    sinew_gl_mesh *mesh = (sinew_gl_mesh *)sinewi_gl_allocate(&gl->def.allocator, sizeof *mesh, error);
    if (!mesh) return SINEW_ERROR_OUT_OF_MEMORY;
    mesh->gl = gl;
    mesh->vertex_count = primitive->vertex_count;
    mesh->index_count = primitive->index_count;
    mesh->influences = influences;
    mesh->normals = (sinewi_gl_array){primitive->normals != NULL, sinewi_gl_float_bytes(mesh, 3)};

    const sinewi_gl_functions *f = &gl->functions;
    f->GenVertexArrays(1, &mesh->vertex_array);
    f->GenBuffers(SINEWI_GL_BUFFERS, mesh->buffers);
    f->BindVertexArray(mesh->vertex_array);
    fill_moving_buffer(mesh, primitive);
    fill_fixed_buffer(mesh, primitive);
    fill_indices(mesh, primitive);
    f->BindVertexArray(0); // keeps later calls by the caller from changing the mesh
    *out = mesh;
    return SINEW_OK;
}

void sinew_gl_mesh_destroy(sinew_gl_mesh *mesh) {
    if (!mesh) return;
    const sinewi_gl_functions *f = &mesh->gl->functions;
    f->DeleteVertexArrays(1, &mesh->vertex_array);
    f->DeleteBuffers(SINEWI_GL_BUFFERS, mesh->buffers);
    if (mesh->deltas) f->DeleteTextures(1, &mesh->deltas);
    sinewi_gl_release(&mesh->gl->def.allocator, mesh, sizeof *mesh);
}

// Replaces positions and, if given, normals, for vertices that were morphed on the CPU.
void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals) {
    assert(mesh);
    const size_t array = sinewi_gl_float_bytes(mesh, 3);
    const bool both = mesh->normals.present && normals;
    // When everything is replaced, there is no need to wait for draws that still read the old contents.
    if (both || !mesh->normals.present) {
        allocate_buffer(mesh, SINEWI_GL_MOVING, mesh->normals.present ? 2 * array : array, GL_DYNAMIC_DRAW);
    } else {
        mesh->gl->functions.BindBuffer(GL_ARRAY_BUFFER, mesh->buffers[SINEWI_GL_MOVING]);
    }
    size_t end = 0;
    append_array(mesh, positions, array, &end);
    if (both) append_array(mesh, normals, array, &end);
}

// ---- Morph targets -------------------------------------------------------------------------------------------

// Deltas per vertex and target: position, normal and, if the mesh has tangents, tangent.
static int32_t count_deltas(const sinew_gl_mesh *mesh) {
    return mesh->tangents.present ? 3 : 2;
}

// Copies one kind of a target's deltas, each to its own texel. `first` is the texel of vertex 0.
static void copy_deltas(const sinew_gl_mesh *mesh, const float *deltas, size_t first, float *texels) {
    if (!deltas) return;
    const size_t step = (size_t)mesh->target_count * (size_t)count_deltas(mesh);
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        memcpy(texels + 4 * (first + v * step), deltas + 3 * v, 3 * sizeof *deltas);
    }
}

static void copy_targets(const sinew_gl_mesh *mesh, const sinew_primitive *primitive, float *texels) {
    for (int32_t t = 0; t < mesh->target_count; t++) {
        const size_t first = (size_t)t * (size_t)count_deltas(mesh);
        copy_deltas(mesh, primitive->target_positions[t], first, texels);
        if (mesh->normals.present) copy_deltas(mesh, primitive->target_normals[t], first + 1, texels);
        if (mesh->tangents.present) copy_deltas(mesh, primitive->target_tangents[t], first + 2, texels);
    }
}

// Creates the texture of morph target displacements, which lets shaders morph. A texel holds one delta. A vertex's
// deltas are consecutive, target by target.
sinew_result sinew_gl_mesh_add_deltas(sinew_gl_mesh *mesh, const sinew_primitive *primitive, sinew_error *error) {
    assert(mesh && primitive);
    assert(!mesh->deltas && primitive->vertex_count == mesh->vertex_count);
    sinew_gl *gl = mesh->gl;
    mesh->target_count = primitive->target_count;
    const int64_t vertex_texels = (int64_t)mesh->target_count * count_deltas(mesh);
    const int64_t max = (int64_t)gl->max_texture_size * SINEW_TEXTURE_WIDTH;
    if (vertex_texels == 0 || mesh->vertex_count == 0) return SINEW_OK;
    if (vertex_texels > max / mesh->vertex_count) {
        mesh->target_count = 0;
        return sinewi_gl_fail(
            error, SINEW_ERROR_LIMIT,
            "%d morph targets with %d vertices need %lld rows of %d texels, but GL_MAX_TEXTURE_SIZE is %d",
            primitive->target_count, mesh->vertex_count,
            (long long)sinewi_gl_texture_rows(vertex_texels * mesh->vertex_count), SINEW_TEXTURE_WIDTH,
            gl->max_texture_size);
    }
    const int32_t rows = sinewi_gl_texture_rows(vertex_texels * mesh->vertex_count);
    const size_t size = (size_t)rows * SINEW_TEXTURE_WIDTH * 4 * sizeof(float);
    float *texels = (float *)sinewi_gl_allocate(&gl->def.allocator, size, error);
    if (!texels) return SINEW_ERROR_OUT_OF_MEMORY;
    copy_targets(mesh, primitive, texels);
    mesh->deltas = sinewi_gl_make_texture(gl, gl->def.deltas_texture_unit, GL_RGBA32F, rows, texels);
    sinewi_gl_release(&gl->def.allocator, texels, size);
    return SINEW_OK;
}

// ---- Drawing -------------------------------------------------------------------------------------------------

// Sets attributes that the mesh doesn't have to one value for all vertices.
static void set_missing_attributes(const sinew_gl_mesh *mesh) {
    const sinewi_gl_functions *f = &mesh->gl->functions;
    const sinew_gl_def *def = &mesh->gl->def;
    if (!mesh->colors.present) f->VertexAttrib4f((unsigned)def->color_location, 1.0f, 1.0f, 1.0f, 1.0f);
    if (!mesh->tangents.present) f->VertexAttrib4f((unsigned)def->tangent_location, 1.0f, 0.0f, 0.0f, 1.0f);
}

void sinewi_gl_draw_triangles(const sinew_gl_mesh *mesh, unsigned vertex_array) {
    const sinewi_gl_functions *f = &mesh->gl->functions;
    f->BindVertexArray(vertex_array);
    set_missing_attributes(mesh);
    f->DrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL);
}

void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh) {
    assert(mesh);
    sinewi_gl_draw_triangles(mesh, mesh->vertex_array);
}

// The draw's four numbers: first texel of its records, texels per record, first morph weight in a record, and 4 ×
// targets + deltas per target, or 0 without deltas.
void sinewi_gl_draw_numbers(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw, int32_t numbers[4]) {
    const sinew_gl_records *records = draw->records;
    // A block is bound as a range of one record, and uniforms hold only one record.
    const bool has_all_records =
        records->resource != SINEW_GPU_RESOURCE_BLOCK && records->resource != SINEW_GPU_RESOURCE_UNIFORMS;
    numbers[0] = has_all_records ? draw->first * records->stride_texels : 0;
    numbers[1] = records->stride_texels;
    numbers[2] = sinew_gpu_record_first_weight(&records->format) + draw->first_weight;
    numbers[3] = mesh->deltas ? 4 * mesh->target_count + count_deltas(mesh) : 0;
}

// Attaches a mesh without joints to one joint: all its vertices get that joint with weight 1.
static void attach_to_joint(const sinew_gl_mesh *mesh, int32_t joint) {
    const sinewi_gl_functions *f = &mesh->gl->functions;
    const sinew_gl_def *def = &mesh->gl->def;
    f->VertexAttribI4ui((unsigned)def->joints_location, (unsigned)joint, 0, 0, 0);
    f->VertexAttrib4f((unsigned)def->weights_location, 1.0f, 0.0f, 0.0f, 0.0f);
}

// Sets what a draw passes to the vertex shader: four integers as a constant attribute, the joint of a mesh without
// joints, and the texture of deltas.
void sinewi_gl_set_draw(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    const sinew_gl *gl = mesh->gl;
    int32_t numbers[4];
    sinewi_gl_draw_numbers(mesh, draw, numbers);
    if (mesh->influences == 0) attach_to_joint(mesh, draw->joint);
    gl->functions.VertexAttribI4i((unsigned)gl->def.draw_location, numbers[0], numbers[1], numbers[2], numbers[3]);
    if (mesh->deltas) sinewi_gl_bind_texture(gl, gl->def.deltas_texture_unit, GL_TEXTURE_2D, mesh->deltas);
}

void sinew_gl_mesh_draw_many(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    assert(mesh && draw);
    const sinewi_gl_functions *f = &mesh->gl->functions;
    assert(draw->first >= 0 && draw->count >= 0 && draw->first <= draw->records->character_count - draw->count);
    if (draw->count == 0) return;
    f->BindVertexArray(mesh->vertex_array);
    set_missing_attributes(mesh);
    sinewi_gl_set_draw(mesh, draw);
    f->DrawElementsInstanced(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL, draw->count);
}

uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh) {
    assert(mesh);
    return mesh->vertex_array;
}
