/// The OpenGL 3.3+ / OpenGL ES 3.0+ backend (library sinew-gl): palettes and meshes on the GPU, and the shader text
/// that skins with them. It opens no window and makes no context; it lives in the caller's.
///
/// Threads: every function must be called on the thread in which the context that sinew_gl_create saw is current
/// (or one that shares its objects; vertex arrays are never shared). Nothing is locked.
///
/// State: a function changes the bindings that its comment names, leaves them changed, and changes nothing else.
/// Uploads expect pixel-store state at its defaults and no buffer bound to GL_PIXEL_UNPACK_BUFFER.
///
/// A frame, after a program was made as sinew_gl_vertex_shader shows:
///
///     sinew_gl_palette_update(palette, matrices, skin->joint_count); // what sinew_skin_palette wrote
///     glUseProgram(program);
///     sinew_gl_palette_bind(palette);
///     for (int i = 0; i < mesh_count; i++) sinew_gl_mesh_draw(meshes[i]);
#ifndef SINEW_GL_H
#define SINEW_GL_H

#include "asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Any OpenGL function; cast to its own type before it is called.
typedef void (*sinew_gl_proc)(void);

/// What the backend takes from its caller: how to find OpenGL's functions, and which numbers it may use.
typedef struct sinew_gl_def {
    /// Finds an OpenGL function: a wrapper around glfwGetProcAddress, SDL_GL_GetProcAddress, eglGetProcAddress, ...
    /// Called only during sinew_gl_create. Returns NULL where there is none.
    sinew_gl_proc (*get_proc_address)(const char *name, void *user);
    void *user;                   ///< given to get_proc_address; never looked at
    int32_t ubo_joints;           ///< palettes up to this size (0 or more) are uniform blocks; default 128
    int32_t skin_block_binding;   ///< uniform buffer binding point of the palette; default 3
    int32_t palette_texture_unit; ///< texture unit of the palette, 0 for GL_TEXTURE0; default 7
    int32_t position_location;    ///< attribute location of the positions; default 0
    int32_t normal_location;      ///< of the normals; default 1
    int32_t uv_location;          ///< of the texture coordinates; default 2
    int32_t joints_location;      ///< of the joint indices; default 3
    int32_t weights_location;     ///< of the weights; default 4
    int32_t color_location;       ///< of the vertex colours; default 5
    int32_t joints2_location;     ///< joints 4 to 7 of a vertex with 8 influences; default 6
    int32_t weights2_location;    ///< their weights; default 7
    sinew_allocator allocator;    ///< zero: the C library's heap
} sinew_gl_def;

/// The defaults above; get_proc_address is left NULL and must be given.
SINEW_API sinew_gl_def sinew_gl_default_def(void);

/// OpenGL as one context has it: its functions, version and limits.
typedef struct sinew_gl sinew_gl;

/// Looks at the context that is current; the result is to be freed with sinew_gl_destroy. Changes no state.
/// SINEW_ERROR_UNSUPPORTED for OpenGL below 3.3 or ES below 3.0, a missing function (named), or limits too small
/// for the definition; SINEW_ERROR_ARGUMENT for locations that are negative or given twice. `error` may be NULL.
SINEW_API sinew_result sinew_gl_create(const sinew_gl_def *def, sinew_gl **gl, sinew_error *error);

/// Frees what sinew_gl_create made. NULL is allowed. Palettes and meshes made with it must be destroyed before it.
/// Makes no OpenGL call.
SINEW_API void sinew_gl_destroy(sinew_gl *gl);

// ---- Shaders -------------------------------------------------------------------------------------------------

/// How a vertex shader gets the palette.
typedef enum sinew_gl_palette_kind {
    SINEW_GL_RIGID,  ///< not at all: for meshes without a skin
    SINEW_GL_BLOCK,  ///< from a uniform block of ubo_joints joints
    SINEW_GL_TEXTURE ///< from a texture, by texelFetch
} sinew_gl_palette_kind;

/// The kind that a palette of that many joints gets, never SINEW_GL_RIGID. Makes no OpenGL call.
SINEW_API sinew_gl_palette_kind sinew_gl_kind_for(const sinew_gl *gl, int32_t joint_count);

/// How many strings sinew_gl_vertex_shader writes.
#define SINEW_GL_SOURCES 5

/// Writes the strings of a vertex shader, ready for glShaderSource: the version line, defines, shaders/skin.glsl,
/// a line directive, so that the compiler counts the caller's lines from 1, and `body`, the caller's own part with
/// main(). The strings but `body` are owned by `gl`; `body` is not copied. `influences`, 4 or 8 (asserted), is
/// that of the primitives to be drawn (not looked at for SINEW_GL_RIGID). Besides what skin.glsl gives, the body
/// has the locations of the attributes:
///
///     layout(location = SINEW_POSITION_LOCATION) in vec3 position;
///     layout(location = SINEW_NORMAL_LOCATION) in vec3 normal; // also SINEW_UV_LOCATION (vec2),
///     uniform mat4 view_projection;                            // SINEW_COLOR_LOCATION (vec4)
///     out vec3 world_normal;
///     void main() {
///         sinew_matrix skin = sinew_skin_matrix();
///         world_normal = normalize(sinew_skin_normal(skin, normal));
///         gl_Position = view_projection * vec4(sinew_skin_point(skin, position), 1.0);
///     }
///
/// and in the program:
///
///     const char *sources[SINEW_GL_SOURCES];
///     sinew_gl_vertex_shader(gl, sinew_gl_kind_for(gl, skin->joint_count), 4, body, sources);
///     glShaderSource(shader, SINEW_GL_SOURCES, sources, NULL);
///     ... compile, attach, link ...
///     result = sinew_gl_setup_program(gl, program, &error);
SINEW_API void sinew_gl_vertex_shader(const sinew_gl *gl, sinew_gl_palette_kind kind, int32_t influences,
                                      const char *body, const char *sources[SINEW_GL_SOURCES]);

/// The version line, and for ES the statements of precision: what other shaders of the program should start with.
/// Owned by `gl`.
SINEW_API const char *sinew_gl_shader_head(const sinew_gl *gl);

/// Ties a linked program's palette to its binding point or texture unit. Once for each program with such a vertex
/// shader; does nothing for SINEW_GL_RIGID. SINEW_ERROR_ARGUMENT where the program's block is not of the size that
/// the buffers have (it was linked for another `gl`). Leaves GL_CURRENT_PROGRAM as it was. `error` may be NULL.
SINEW_API sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error);

// ---- Palettes ------------------------------------------------------------------------------------------------

/// A palette on the GPU: one for each skin of each character, shared by all the meshes that it moves.
/// Three rows of four floats a joint, 48 bytes, as in sinew_affine: a std140 array of vec4 in a uniform buffer that
/// is always as large as the shader's block, or the texels of an RGBA32F texture, 256 joints a row.
typedef struct sinew_gl_palette sinew_gl_palette;

/// Makes a palette for `joint_count` joints (1 or more), to be freed with sinew_gl_palette_destroy. Its contents
/// are undefined until the first update. SINEW_ERROR_LIMIT, with the numbers, for more joints than a texture can
/// hold. `error` may be NULL. Changes: GL_UNIFORM_BUFFER; or the active texture unit and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_palette_create(sinew_gl *gl, int32_t joint_count, sinew_gl_palette **palette,
                                               sinew_error *error);

/// Frees the palette and what it has on the GPU; draws already issued keep it. NULL is allowed.
SINEW_API void sinew_gl_palette_destroy(sinew_gl_palette *palette);

/// What sinew_gl_vertex_shader wants to know of the palette. Makes no OpenGL call.
SINEW_API sinew_gl_palette_kind sinew_gl_palette_get_kind(const sinew_gl_palette *palette);

/// Uploads matrices [0, count), 0 <= count <= joint_count (asserted); the others become undefined. Draws already
/// issued keep the old ones. Changes: GL_UNIFORM_BUFFER; or the active texture unit and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_palette_update(sinew_gl_palette *palette, const sinew_affine *matrices, int32_t count);

/// Makes it the palette that the next draws read. Changes: the binding point skin_block_binding and
/// GL_UNIFORM_BUFFER; or the active texture unit and its GL_TEXTURE_2D. (The unit used is palette_texture_unit in
/// all three functions, and it stays the active one.)
SINEW_API void sinew_gl_palette_bind(const sinew_gl_palette *palette);

// ---- Meshes --------------------------------------------------------------------------------------------------

/// A primitive's vertices and indices on the GPU, with the vertex array that binds them.
typedef struct sinew_gl_mesh sinew_gl_mesh;

/// Copies a primitive to the GPU, to be freed with sinew_gl_mesh_destroy; the primitive may go. Joints become an
/// integer attribute (uvec4). SINEW_ERROR_ARGUMENT for influences other than 0, 4 or 8; SINEW_ERROR_OUT_OF_MEMORY
/// for the host's memory (the GPU's own shortage is reported by glGetError, as always). `error` may be NULL.
/// Changes: GL_ARRAY_BUFFER; the vertex array binding is 0 afterwards.
SINEW_API sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **mesh,
                                            sinew_error *error);

/// Frees the mesh and what it has on the GPU; draws already issued keep it. NULL is allowed.
SINEW_API void sinew_gl_mesh_destroy(sinew_gl_mesh *mesh);

/// Puts new positions, and new normals where `normals` is not NULL, in the place of the old ones: 3 floats a
/// vertex, tightly packed, of all vertices. For morph targets, see sinew_morph. Normals are not looked at for a
/// primitive that had none. Changes: GL_ARRAY_BUFFER.
SINEW_API void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals);

/// Draws the triangles with the program and palette that are bound. Changes: the vertex array binding; where the
/// mesh has no colours, the current value of that attribute, to white.
SINEW_API void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh);

/// The vertex array's OpenGL name, for callers that draw themselves (instancing, a depth pass, points). It belongs
/// to the mesh.
SINEW_API uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
