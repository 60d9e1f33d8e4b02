// Meshes on the GPU. Positions and normals, which morph targets change, have a buffer of their own; within a buffer
// the primitive's arrays stand one after another, as they come.
#include "gl/gl_internal.h"

enum { MOVING_BUFFER, FIXED_BUFFER, INDEX_BUFFER, BUFFER_COUNT };

struct sinew_gl_mesh {
    sinew_gl *gl;
    unsigned vertex_array;
    unsigned buffers[BUFFER_COUNT];
    int32_t vertex_count;
    int32_t index_count;
    bool has_normals;
    bool has_colors;
};

// ---- Buffers -------------------------------------------------------------------------------------------------

// Bytes of `count` floats for each vertex.
static size_t float_bytes(const sinew_gl_mesh *mesh, size_t count) {
    return (size_t)mesh->vertex_count * count * sizeof(float);
}

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

// `components` floats of each vertex; `stride` is counted in floats.
static void point_floats(const sinew_gl *gl, int32_t location, int components, int stride, size_t offset) {
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
    const size_t array = float_bytes(mesh, 3);
    const unsigned usage = primitive->target_count > 0 ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW;
    begin_buffer(mesh, MOVING_BUFFER, mesh->has_normals ? 2 * array : array, usage);
    size_t end = 0;
    point_floats(gl, gl->def.position_location, 3, 3, append(mesh, primitive->positions, array, &end));
    if (!mesh->has_normals) return;
    point_floats(gl, gl->def.normal_location, 3, 3, append(mesh, primitive->normals, array, &end));
}

static void fill_influences(const sinew_gl_mesh *mesh, const sinew_primitive *primitive, size_t *end) {
    const sinew_gl *gl = mesh->gl;
    const int n = primitive->influences;
    const size_t joints_size = (size_t)mesh->vertex_count * (size_t)n * sizeof(uint16_t);
    size_t joints = append(mesh, primitive->joints, joints_size, end);
    size_t weights = append(mesh, primitive->weights, float_bytes(mesh, (size_t)n), end);
    point_joints(gl, gl->def.joints_location, n, joints);
    point_floats(gl, gl->def.weights_location, 4, n, weights);
    if (n < 8) return;
    point_joints(gl, gl->def.joints2_location, n, joints + 4 * sizeof(uint16_t));
    point_floats(gl, gl->def.weights2_location, 4, n, weights + 4 * sizeof(float));
}

static void fill_fixed(const sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl *gl = mesh->gl;
    const size_t uvs = primitive->uvs ? float_bytes(mesh, 2) : 0;
    const size_t colors = primitive->colors ? float_bytes(mesh, 4) : 0;
    const size_t influence_size = (size_t)primitive->influences * (sizeof(float) + sizeof(uint16_t));
    begin_buffer(mesh, FIXED_BUFFER, uvs + colors + (size_t)mesh->vertex_count * influence_size, GL_STATIC_DRAW);
    size_t end = 0;
    if (uvs > 0) point_floats(gl, gl->def.uv_location, 2, 2, append(mesh, primitive->uvs, uvs, &end));
    if (colors > 0) point_floats(gl, gl->def.color_location, 4, 4, append(mesh, primitive->colors, colors, &end));
    if (primitive->influences > 0) fill_influences(mesh, primitive, &end);
}

// The index buffer's binding belongs to the vertex array that is bound.
static void fill_indices(const sinew_gl_mesh *mesh, const sinew_primitive *primitive) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    ptrdiff_t size = (ptrdiff_t)((size_t)mesh->index_count * sizeof *primitive->indices);
    f->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->buffers[INDEX_BUFFER]);
    f->BufferData(GL_ELEMENT_ARRAY_BUFFER, size, primitive->indices, GL_STATIC_DRAW);
}

// ---- The mesh ------------------------------------------------------------------------------------------------

sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **out,
                                  sinew_error *error) {
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
    mesh->has_normals = primitive->normals != NULL;
    mesh->has_colors = primitive->colors != NULL;

    const sinew_gl_functions *f = &gl->functions;
    f->GenVertexArrays(1, &mesh->vertex_array);
    f->GenBuffers(BUFFER_COUNT, mesh->buffers);
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
    f->DeleteBuffers(BUFFER_COUNT, mesh->buffers);
    sinew_gl_release(&mesh->gl->def.allocator, mesh, sizeof *mesh);
}

void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals) {
    const size_t array = float_bytes(mesh, 3);
    const bool both = mesh->has_normals && normals;
    // Where everything is replaced, draws that still read the old contents need not be waited for.
    if (both || !mesh->has_normals) {
        begin_buffer(mesh, MOVING_BUFFER, mesh->has_normals ? 2 * array : array, GL_DYNAMIC_DRAW);
    } else {
        mesh->gl->functions.BindBuffer(GL_ARRAY_BUFFER, mesh->buffers[MOVING_BUFFER]);
    }
    size_t end = 0;
    append(mesh, positions, array, &end);
    if (both) append(mesh, normals, array, &end);
}

void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh) {
    const sinew_gl_functions *f = &mesh->gl->functions;
    f->BindVertexArray(mesh->vertex_array);
    if (!mesh->has_colors) {
        f->VertexAttrib4f((unsigned)mesh->gl->def.color_location, 1.0f, 1.0f, 1.0f, 1.0f);
    }
    f->DrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL);
}

uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh) {
    return mesh->vertex_array;
}
