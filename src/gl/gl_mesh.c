// Meshes on the GPU. Positions and normals, which morph targets change, have a buffer of their own; within a buffer
// the primitive's arrays stand one after another, as they come.
#include "gl/gl_internal.h"

#include <assert.h>
#include <string.h>

// ---- Buffers -------------------------------------------------------------------------------------------------

static void begin_buffer(const sinew_gl_mesh *mesh, int buffer, size_t size, unsigned usage) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    f->BindBuffer(GL_ARRAY_BUFFER, mesh->buffers[buffer]);
    f->BufferData(GL_ARRAY_BUFFER, (ptrdiff_t)size, NULL, usage);
}

// Uploads an array to `*end` of the bound buffer, moves the end on, and returns where the array begins.
static size_t append(const sinew_gl_mesh *mesh, const void *data, size_t size, size_t *end) {
    size_t start = *end;
    mesh->gl->functions.BufferSubData(GL_ARRAY_BUFFER, (ptrdiff_t)start, (ptrdiff_t)size, data);
    *end += size;
    return start;
}

// ---- Attributes ----------------------------------------------------------------------------------------------

// OpenGL takes offsets into the bound buffer where it once took pointers.
static const void *as_pointer(size_t offset) {
    return (const void *)(uintptr_t)offset; // NOLINT(performance-no-int-to-ptr)
}

void sinew_gl_point_floats(const sinew_gl *gl, int32_t location, int components, int stride, size_t offset) {
    gl->functions.EnableVertexAttribArray((unsigned)location);
    gl->functions.VertexAttribPointer((unsigned)location, components, GL_FLOAT, GL_FALSE,
                                      stride * (int)sizeof(float), as_pointer(offset));
}

// Four joints of each vertex, as integers; `stride` is counted in joints.
static void point_joints(const sinew_gl *gl, int32_t location, int stride, size_t offset) {
    gl->functions.EnableVertexAttribArray((unsigned)location);
    gl->functions.VertexAttribIPointer((unsigned)location, 4, GL_UNSIGNED_SHORT, stride * (int)sizeof(uint16_t),
                                       as_pointer(offset));
}

// ---- Filling -------------------------------------------------------------------------------------------------

static void fill_moving(const sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl *gl = mesh->gl;
    const size_t array = sinew_gl_float_bytes(mesh, 3);
    const unsigned usage = primitive->target_count > 0 ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW;
    begin_buffer(mesh, SINEW_GL_MOVING, mesh->normals.present ? 2 * array : array, usage);
    size_t end = 0;
    sinew_gl_point_floats(gl, gl->def.position_location, 3, 3, append(mesh, primitive->positions, array, &end));
    if (!mesh->normals.present) return;
    sinew_gl_point_floats(gl, gl->def.normal_location, 3, 3, append(mesh, primitive->normals, array, &end));
}

static void fill_influences(sinew_gl_mesh *mesh, const sinew_primitive *primitive, size_t *end) {
    const sinew_gl *gl = mesh->gl;
    const int n = primitive->influences;
    const size_t joints_size = (size_t)mesh->vertex_count * (size_t)n * sizeof(uint16_t);
    const size_t joints = append(mesh, primitive->joints, joints_size, end);
    const size_t weights = append(mesh, primitive->weights, sinew_gl_float_bytes(mesh, (size_t)n), end);
    mesh->joints = (sinew_gl_array){true, joints};
    mesh->weights = (sinew_gl_array){true, weights};
    point_joints(gl, gl->def.joints_location, n, joints);
    sinew_gl_point_floats(gl, gl->def.weights_location, 4, n, weights);
    if (n < 8) return;
    point_joints(gl, gl->def.joints2_location, n, joints + 4 * sizeof(uint16_t));
    sinew_gl_point_floats(gl, gl->def.weights2_location, 4, n, weights + 4 * sizeof(float));
}

// One of the arrays that need not be there.
static sinew_gl_array fill_floats(const sinew_gl_mesh *mesh, const float *values, int components, int32_t location,
                                  size_t *end) {
    if (!values) return (sinew_gl_array){0};
    const size_t offset = append(mesh, values, sinew_gl_float_bytes(mesh, (size_t)components), end);
    sinew_gl_point_floats(mesh->gl, location, components, components, offset);
    return (sinew_gl_array){true, offset};
}

// Joints take two bytes, and stand last but for their weights: the weights stay aligned, because four or eight of them
// are a multiple of four bytes.
static void fill_fixed(sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl_def *def = &mesh->gl->def;
    const size_t floats =
        (primitive->uvs ? 2u : 0u) + (primitive->colors ? 4u : 0u) + (primitive->tangents ? 4u : 0u);
    const size_t influence_size = (size_t)primitive->influences * (sizeof(float) + sizeof(uint16_t));
    begin_buffer(mesh, SINEW_GL_FIXED,
                 sinew_gl_float_bytes(mesh, floats) + (size_t)mesh->vertex_count * influence_size, GL_STATIC_DRAW);
    size_t end = 0;
    mesh->uvs = fill_floats(mesh, primitive->uvs, 2, def->uv_location, &end);
    mesh->colors = fill_floats(mesh, primitive->colors, 4, def->color_location, &end);
    mesh->tangents = fill_floats(mesh, primitive->tangents, 4, def->tangent_location, &end);
    if (primitive->influences > 0) fill_influences(mesh, primitive, &end);
}

// The index buffer's binding belongs to the vertex array that is bound.
static void fill_indices(const sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    ptrdiff_t size = (ptrdiff_t)((size_t)mesh->index_count * sizeof *primitive->indices);
    f->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[SINEW_GL_INDICES]);
    f->BufferData(GL_ELEMENT_ARRAY_BUFFER, size, primitive->indices, GL_STATIC_DRAW);
}

// ---- The mesh ------------------------------------------------------------------------------------------------

sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **out,
                                  sinew_error *error) {
    assert(gl && primitive && out);
    *out = NULL;
    const int32_t influences = primitive->influences;
    if (influences != 0 && influences != 4 && influences != 8) {
        return sinew_gl_fail(error, SINEW_ERROR_ARGUMENT, "a primitive with %d influences a vertex", influences);
    }
    sinew_gl_mesh *mesh = (sinew_gl_mesh *)sinew_gl_allocate(&gl->def.allocator, sizeof *mesh, error);
    if (!mesh) return SINEW_ERROR_OUT_OF_MEMORY;
    mesh->gl = gl;
    mesh->vertex_count = primitive->vertex_count;
    mesh->index_count = primitive->index_count;
    mesh->influences = influences;
    mesh->normals = (sinew_gl_array){primitive->normals != NULL, sinew_gl_float_bytes(mesh, 3)};

    const sinew_gl_functions *f = &gl->functions;
    f->GenVertexArrays(1, &mesh->vertex_array);
    f->GenBuffers(SINEW_GL_BUFFERS, mesh->buffers);
    f->BindVertexArray(mesh->vertex_array);
    fill_moving(mesh, primitive);
    fill_fixed(mesh, primitive);
    fill_indices(mesh, primitive);
    f->BindVertexArray(0); // so that later changes of the caller's do not end up in the mesh
    *out = mesh;
    return SINEW_OK;
}

void sinew_gl_mesh_destroy(sinew_gl_mesh *mesh) {
    if (!mesh) return;
    const sinew_gl_functions *f = &mesh->gl->functions;
    f->DeleteVertexArrays(1, &mesh->vertex_array);
    f->DeleteBuffers(SINEW_GL_BUFFERS, mesh->buffers);
    if (mesh->deltas) f->DeleteTextures(1, &mesh->deltas);
    sinew_gl_release(&mesh->gl->def.allocator, mesh, sizeof *mesh);
}

void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals) {
    assert(mesh);
    const size_t array = sinew_gl_float_bytes(mesh, 3);
    const bool both = mesh->normals.present && normals;
    // Where everything is replaced, draws that still read the old contents need not be waited for.
    if (both || !mesh->normals.present) {
        begin_buffer(mesh, SINEW_GL_MOVING, mesh->normals.present ? 2 * array : array, GL_DYNAMIC_DRAW);
    } else {
        mesh->gl->functions.BindBuffer(GL_ARRAY_BUFFER, mesh->buffers[SINEW_GL_MOVING]);
    }
    size_t end = 0;
    append(mesh, positions, array, &end);
    if (both) append(mesh, normals, array, &end);
}

// ---- Morph targets -------------------------------------------------------------------------------------------

static int32_t deltas_of_vertex(const sinew_gl_mesh *mesh) {
    return mesh->tangents.present ? 3 : 2;
}

// One kind of deltas of one target, each into a texel of its own.
static void spread_deltas(const sinew_gl_mesh *mesh, const float *deltas, size_t first, float *texels) {
    if (!deltas) return;
    const size_t step = (size_t)mesh->target_count * (size_t)deltas_of_vertex(mesh);
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        memcpy(texels + 4 * (first + v * step), deltas + 3 * v, 3 * sizeof *deltas);
    }
}

static void spread_targets(const sinew_gl_mesh *mesh, const sinew_primitive *primitive, float *texels) {
    for (int32_t t = 0; t < mesh->target_count; t++) {
        const size_t first = (size_t)t * (size_t)deltas_of_vertex(mesh);
        spread_deltas(mesh, primitive->target_positions[t], first, texels);
        if (mesh->normals.present) spread_deltas(mesh, primitive->target_normals[t], first + 1, texels);
        if (mesh->tangents.present) spread_deltas(mesh, primitive->target_tangents[t], first + 2, texels);
    }
}

sinew_result sinew_gl_mesh_add_deltas(sinew_gl_mesh *mesh, const sinew_primitive *primitive, sinew_error *error) {
    assert(mesh && primitive);
    assert(!mesh->deltas && primitive->vertex_count == mesh->vertex_count);
    sinew_gl *gl = mesh->gl;
    mesh->target_count = primitive->target_count;
    const int64_t vertex_texels = (int64_t)mesh->target_count * deltas_of_vertex(mesh);
    const int64_t most = (int64_t)gl->max_texture_size * SINEW_TEXTURE_WIDTH;
    if (vertex_texels == 0 || mesh->vertex_count == 0) return SINEW_OK;
    if (vertex_texels > most / mesh->vertex_count) {
        mesh->target_count = 0;
        return sinew_gl_fail(
            error, SINEW_ERROR_LIMIT,
            "%d morph targets of %d vertices need %lld rows of %d texels, but GL_MAX_TEXTURE_SIZE is "
            "%d",
            primitive->target_count, mesh->vertex_count,
            (long long)sinew_gl_rows_of(vertex_texels * mesh->vertex_count), SINEW_TEXTURE_WIDTH,
            gl->max_texture_size);
    }
    const int32_t rows = sinew_gl_rows_of(vertex_texels * mesh->vertex_count);
    const size_t size = (size_t)rows * SINEW_TEXTURE_WIDTH * 4 * sizeof(float);
    float *texels = (float *)sinew_gl_allocate(&gl->def.allocator, size, error);
    if (!texels) return SINEW_ERROR_OUT_OF_MEMORY;
    spread_targets(mesh, primitive, texels);
    mesh->deltas = sinew_gl_make_texture(gl, gl->def.deltas_texture_unit, GL_RGBA32F, rows, texels);
    sinew_gl_release(&gl->def.allocator, texels, size);
    return SINEW_OK;
}

// ---- Drawing -------------------------------------------------------------------------------------------------

// What the mesh does not have is the same for all its vertices.
static void set_constants(const sinew_gl_mesh *mesh) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    const sinew_gl_def *def = &mesh->gl->def;
    if (!mesh->colors.present) f->VertexAttrib4f((unsigned)def->color_location, 1.0f, 1.0f, 1.0f, 1.0f);
    if (!mesh->tangents.present) f->VertexAttrib4f((unsigned)def->tangent_location, 1.0f, 0.0f, 0.0f, 1.0f);
}

void sinew_gl_draw_triangles(const sinew_gl_mesh *mesh, unsigned vertex_array) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    f->BindVertexArray(vertex_array);
    set_constants(mesh);
    f->DrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL);
}

void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh) {
    assert(mesh);
    sinew_gl_draw_triangles(mesh, mesh->vertex_array);
}

void sinew_gl_draw_numbers(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw, int32_t numbers[4]) {
    const sinew_gl_records *palette = draw->records;
    // A range of a block begins with the character itself.
    const bool whole =
        palette->source != SINEW_GPU_RESOURCE_BLOCK && palette->source != SINEW_GPU_RESOURCE_UNIFORMS;
    numbers[0] = whole ? draw->first * palette->stride_texels : 0;
    numbers[1] = palette->stride_texels;
    numbers[2] = sinew_gpu_record_first_weight(&palette->format) + draw->first_weight;
    numbers[3] = mesh->deltas ? 4 * mesh->target_count + deltas_of_vertex(mesh) : 0;
}

// A mesh without joints hangs on one.
static void hang(const sinew_gl_mesh *mesh, int32_t joint) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    const sinew_gl_def *def = &mesh->gl->def;
    f->VertexAttribI4ui((unsigned)def->joints_location, (unsigned)joint, 0, 0, 0);
    f->VertexAttrib4f((unsigned)def->weights_location, 1.0f, 0.0f, 0.0f, 0.0f);
}

void sinew_gl_set_draw(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    const sinew_gl *gl = mesh->gl;
    int32_t numbers[4];
    sinew_gl_draw_numbers(mesh, draw, numbers);
    if (mesh->influences == 0) hang(mesh, draw->joint);
    gl->functions.VertexAttribI4i((unsigned)gl->def.draw_location, numbers[0], numbers[1], numbers[2], numbers[3]);
    if (mesh->deltas) sinew_gl_bind_texture(gl, gl->def.deltas_texture_unit, GL_TEXTURE_2D, mesh->deltas);
}

void sinew_gl_mesh_draw_many(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw) {
    assert(mesh && draw);
    const sinew_gl_functions *f = &mesh->gl->functions;
    assert(draw->first >= 0 && draw->count >= 0 && draw->first <= draw->records->character_count - draw->count);
    if (draw->count == 0) return;
    f->BindVertexArray(mesh->vertex_array);
    set_constants(mesh);
    sinew_gl_set_draw(mesh, draw);
    f->DrawElementsInstanced(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL, draw->count);
}

uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh) {
    assert(mesh);
    return mesh->vertex_array;
}
