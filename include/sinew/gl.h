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
///     sinew_gl_records_update(palette, matrices, skin->joint_count); // what sinew_skin_palette wrote
///     glUseProgram(program);
///     sinew_gl_records_bind(palette);
///     for (int i = 0; i < mesh_count; i++) sinew_gl_mesh_draw(meshes[i]);
#ifndef SINEW_GL_H
#define SINEW_GL_H

#include "bake.h"
#include "shader.h"

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
    int32_t uniform_joints;       ///< what an array of plain uniforms holds, in joints of 48 bytes; default 64
    int32_t ubo_joints;           ///< what a uniform block holds, in joints of 48 bytes; 0: no blocks; default 128
    int32_t skin_block_binding;   ///< uniform buffer binding point of the palette; default 3
    int32_t storage_binding;      ///< storage buffer binding point of the palette; default 3
    int32_t records_texture_unit; ///< texture unit of the palette, 0 for GL_TEXTURE0; default 7
    int32_t deltas_texture_unit;  ///< of a mesh's morph targets; default 6
    int32_t animations_texture_unit; ///< of an animation texture; default 5
    int32_t position_location;       ///< attribute location of the positions; default 0
    int32_t normal_location;         ///< of the normals; default 1
    int32_t uv_location;             ///< of the texture coordinates; default 2
    int32_t joints_location;         ///< of the joint indices; default 3
    int32_t weights_location;        ///< of the weights; default 4
    int32_t color_location;          ///< of the vertex colours; default 5
    int32_t joints2_location;        ///< joints 4 to 7 of a vertex with 8 influences; default 6
    int32_t weights2_location;       ///< their weights; default 7
    int32_t tangent_location;        ///< of the tangents; default 8
    int32_t draw_location;           ///< of what the draws of many characters and of morph targets say; default 9
    sinew_allocator allocator;       ///< zero: the C library's heap
    uint32_t cookie;                 ///< private: set by sinew_gl_default
} sinew_gl_def;

/// The defaults above; get_proc_address is left NULL and must be given.
SINEW_API sinew_gl_def sinew_gl_default(void);

/// OpenGL as one context has it: its functions, version and limits.
typedef struct sinew_gl sinew_gl;

/// Looks at the context that is current; the result is to be freed with sinew_gl_destroy. Changes no state.
/// SINEW_ERROR_UNSUPPORTED for OpenGL below 3.3 or ES below 3.0, a missing function (named), or limits too small
/// for the definition; SINEW_ERROR_ARGUMENT for locations that are negative or given twice. `error` may be NULL.
SINEW_API sinew_result sinew_gl_create(const sinew_gl_def *def, sinew_gl **gl, sinew_error *error);

/// Frees what sinew_gl_create made. NULL is allowed. Whatever was made with it must be destroyed before it.
/// Makes no OpenGL call.
SINEW_API void sinew_gl_destroy(sinew_gl *gl);

// ---- Shaders -------------------------------------------------------------------------------------------------

/// Palettes on the GPU: one for each skin of a character, shared by all the meshes that it moves; or one for a whole
/// crowd that shares a skeleton, with one upload a frame.
typedef struct sinew_gl_records sinew_gl_records;

/// How many strings a vertex shader is made of.
#define SINEW_GL_SOURCES 5

/// A vertex shader's strings. They point into the struct itself, into static storage and at the caller's body, so it
/// must stay where it is until glShaderSource has been called.
typedef struct sinew_gl_source {
    const char *strings[SINEW_GL_SOURCES]; ///< the version line, defines, skin.glsl, a line directive, the body
    char preamble[1280];                   ///< the second of them
} sinew_gl_source;

/// Writes the strings of a vertex shader, ready for glShaderSource: the version line, defines, src/gpu/shaders/skin.glsl,
/// a line directive, so that the compiler counts the caller's lines from 1, and `body`, the caller's own part with
/// main(), which is not copied. The palette says how it is to be read; without one (NULL) nothing is skinned.
/// `influences`, 0, 4 or 8 (asserted), is that of the primitives to be drawn, and `morph` says whether their morph
/// targets are added on the GPU (sinew_gl_mesh_add_deltas). Besides what skin.glsl gives, the body has the
/// locations of the attributes:
///
///     layout(location = SINEW_POSITION_LOCATION) in vec3 position;
///     layout(location = SINEW_NORMAL_LOCATION) in vec3 normal; // also SINEW_UV_LOCATION (vec2),
///     uniform mat4 view_projection;                            // SINEW_COLOR_LOCATION and SINEW_TANGENT_LOCATION
///     out vec3 world_normal;                                   // (vec4)
///     void main() {
///         sinew_matrix skin = sinew_skin_matrix();
///         world_normal = normalize(sinew_skin_normal(skin, sinew_morph_normal(normal)));
///         gl_Position = view_projection * vec4(sinew_skin_point(skin, sinew_morph_point(position)), 1.0);
///     }
///
/// and in the program:
///
///     sinew_gl_source source;
///     sinew_gl_vertex_shader(gl, palette, 4, false, body, &source);
///     glShaderSource(shader, SINEW_GL_SOURCES, source.strings, NULL);
///     ... compile, attach, link ...
///     result = sinew_gl_setup_program(gl, program, &error);
///
/// Palettes of equal variant (sinew_gl_records_variant) can share a program. Makes no OpenGL call.
SINEW_API void sinew_gl_vertex_shader(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph, const char *body, sinew_gl_source *source);

/// The version line, and for ES the statements of precision: what other shaders of the program should start with. The
/// highest version that the context has and the backend uses: 330 core or 430 core; 300, 310 or 320 es. Owned by `gl`.
SINEW_API const char *sinew_gl_shader_head(const sinew_gl *gl);

/// Ties a linked program's palette, morph targets and animations to their binding points and texture units. Once for
/// each program with such a vertex shader; does nothing where there is nothing to tie. SINEW_ERROR_ARGUMENT where
/// the program's block or array is not of the size that the palettes have (it was linked for another `gl`). Leaves
/// GL_CURRENT_PROGRAM as it was, which must not be one that was deleted. `error` may be NULL.
SINEW_API sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error);

// ---- Palettes ------------------------------------------------------------------------------------------------

/// What a palette is to hold.
typedef struct sinew_gl_records_def {
    sinew_gpu_record_format format; ///< of each character's record
    int32_t character_count;        ///< 1 or more: for how many there is room
    sinew_gpu_resource resource; ///< where the shader is to find it; SINEW_GPU_RESOURCE_NONE: the best that will do
    uint32_t cookie;             ///< private: set by sinew_gl_records_default
} sinew_gl_records_def;

/// One character, rows of 3x4, no joints yet, not placed, no morph weights, the best source that will do.
SINEW_API sinew_gl_records_def sinew_gl_records_default(void);

/// What a palette gets that leaves the choice open; it depends on the context, `ubo_joints` and the size alone.
/// One character: a uniform block where its record fits, else a texture. Many, which are drawn as instances: a storage
/// buffer where vertex shaders have one, a buffer texture where it is large enough, else a texture. Makes no OpenGL
/// call.
SINEW_API sinew_gpu_resource sinew_gl_choose_resource(const sinew_gl *gl, const sinew_gl_records_def *def);

/// Makes a palette, to be freed with sinew_gl_records_destroy. Its contents are undefined until the first upload.
/// SINEW_ERROR_UNSUPPORTED for a source that the context does not have, by name; SINEW_ERROR_LIMIT, with the
/// numbers, for records that do not fit into it; SINEW_ERROR_ARGUMENT for a format that says nothing, for many
/// characters whose records are not placed (but in a block), or to be instanced from plain uniforms, which hold one;
/// SINEW_ERROR_OUT_OF_MEMORY. `error` may be NULL.
/// SINEW_GPU_RESOURCE_BLOCK with many characters is one buffer of ranges: sinew_gl_records_bind_character, a draw for each.
/// Changes: GL_UNIFORM_BUFFER, GL_TEXTURE_BUFFER or GL_SHADER_STORAGE_BUFFER; for textures of either kind the active
/// texture unit (records_texture_unit) and what is bound there.
SINEW_API sinew_result sinew_gl_records_create(sinew_gl *gl, const sinew_gl_records_def *def,
                                               sinew_gl_records **records, sinew_error *error);

/// Frees the palette and what it has on the GPU; draws already issued keep it. NULL is allowed. Makes nothing be
/// bound anew; what is deleted is unbound as OpenGL does it.
SINEW_API void sinew_gl_records_destroy(sinew_gl_records *records);

/// Where and how a shader reads it: what decides which program draws with it. Influences are 0 and morph is false: they
/// are the mesh's. Makes no OpenGL call.
SINEW_API sinew_shader_variant sinew_gl_records_variant(const sinew_gl_records *records);

/// Uploads matrices [0, count), 0 <= count <= joint_count (asserted), of the only character; the others become
/// undefined. Draws already issued keep the old ones. For palettes of one character that is not placed (asserted).
/// Changes: what sinew_gl_records_create changes.
SINEW_API void sinew_gl_records_update(sinew_gl_records *records, const sinew_affine *matrices, int32_t count);

/// The floats of a character's record in the host's memory, to be written in any way (sinew_gpu_record_write,
/// sinew_bake_write) and uploaded with all others. They keep what was last written. 0 <= character < character_count
/// (asserted). Different characters may be written by different threads. Makes no OpenGL call.
SINEW_API float *sinew_gl_records_data(sinew_gl_records *records, int32_t character);

/// Writes a character's record with sinew_gpu_record_write. Makes no OpenGL call.
SINEW_API void sinew_gl_records_write(sinew_gl_records *records, int32_t character, const sinew_affine *world,
                                      const sinew_affine *joints, const float *weights);

/// Uploads the records of characters [0, count), 0 <= count <= character_count (asserted), in one call; those of others
/// become undefined. Draws already issued keep the old ones: old storage is let go of, not waited for. Changes: what
/// sinew_gl_records_create changes; nothing for plain uniforms, which are sent when they are bound.
SINEW_API void sinew_gl_records_upload(sinew_gl_records *records, int32_t count);

/// Makes it the palette that the next draws read, from its first character on. Changes: the binding point
/// skin_block_binding and GL_UNIFORM_BUFFER, or storage_binding and GL_SHADER_STORAGE_BUFFER; or the active texture
/// unit and what is bound there. (The unit used is records_texture_unit in all these functions, and it stays the active
/// one.) Plain uniforms are sent to the program in use, which must be one of theirs: the slowest way.
SINEW_API void sinew_gl_records_bind(const sinew_gl_records *records);

/// The same for one character of many, 0 <= character < character_count (asserted): a range of a uniform block. For the
/// other sources it is sinew_gl_records_bind, and the draw says which (sinew_gl_draw).
SINEW_API void sinew_gl_records_bind_character(const sinew_gl_records *records, int32_t character);

// ---- Animation textures --------------------------------------------------------------------------------------

/// An animation texture on the GPU.
typedef struct sinew_gl_animations sinew_gl_animations;

/// Copies an animation texture to the GPU, to be freed with sinew_gl_animations_destroy; the bake may go.
/// SINEW_ERROR_LIMIT where it has more rows than textures may. `error` may be NULL. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_animations_create(sinew_gl *gl, const sinew_bake *bake,
                                                  sinew_gl_animations **animations, sinew_error *error);

/// Frees it and what it has on the GPU. NULL is allowed.
SINEW_API void sinew_gl_animations_destroy(sinew_gl_animations *animations);

/// Makes it the animation texture that the next draws of SINEW_GPU_RECORD_BAKED read. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_animations_bind(const sinew_gl_animations *animations);

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

/// Copies a primitive's morph targets to the GPU, so that a vertex shader made with `morph` adds them by the weights of
/// the palette's record. The primitive is that which the mesh was made from (asserted by its counts), and may go. Once
/// for a mesh; nothing is done for a primitive without targets. SINEW_ERROR_LIMIT, with the numbers, for more texels
/// than a texture or a float's integers hold. `error` may be NULL. Changes: the active texture unit
/// (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_mesh_add_deltas(sinew_gl_mesh *mesh, const sinew_primitive *primitive,
                                                sinew_error *error);

/// Draws the triangles with the program and palette that are bound: one character that is not placed, with no morph
/// targets added on the GPU. Changes: the vertex array binding; where the mesh has no colours, the current value of that
/// attribute, to white; the same for tangents, to (1, 0, 0, 1).
SINEW_API void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh);

/// What is drawn of a palette of many characters, or with morph targets.
typedef struct sinew_gl_draw {
    const sinew_gl_records *records; ///< the one that is bound
    int32_t first;                   ///< the first character; 0 for one that was bound by itself
    int32_t count;                   ///< how many, as instances of one draw; 0: nothing is drawn
    int32_t joint; ///< for a mesh without joints of its own, the one that it hangs on, in a shader for 4 influences
    int32_t first_weight; ///< the mesh's first morph weight in the format's: skeleton->weight_offsets of its node
} sinew_gl_draw;

/// Draws the triangles for `draw->count` characters in one call, with the program and palette that are bound. `first`
/// and `count` must lie within the palette (asserted). Changes: what sinew_gl_mesh_draw does; the current value of the
/// attribute draw_location; for a mesh without joints, those of the joints' and the weights'; for a mesh with deltas, the
/// active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_mesh_draw_many(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

/// The vertex array's OpenGL name, for callers that draw themselves (instancing, a depth pass, points). It belongs
/// to the mesh.
SINEW_API uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh);

// ---- Skinning once -------------------------------------------------------------------------------------------

/// How vertices are skinned ahead of the draws that want them.
typedef enum sinew_gl_skinning {
    SINEW_GL_FEEDBACK, ///< by transform feedback: OpenGL 3.3, OpenGL ES 3.0
    SINEW_GL_COMPUTE   ///< by a compute shader: OpenGL 4.3, OpenGL ES 3.1
} sinew_gl_skinning;

/// A mesh whose vertices are skinned once, for a character, and drawn as often as there are passes.
typedef struct sinew_gl_skinned sinew_gl_skinned;

/// Makes a buffer for the vertices of `mesh` as palettes of `palette`'s variant skin them, to be freed with
/// sinew_gl_skinned_destroy before the mesh and `gl`; the palette may go. Positions, normals and tangents that the mesh
/// has are skinned, and deltas that it has (sinew_gl_mesh_add_deltas, before this) are added where the palette's format
/// has morph weights. A mesh without joints hangs on one, `draw->joint`, where the format has any. The program is made
/// with the first of its kind, and shared by all of that kind that `gl` has.
/// SINEW_ERROR_UNSUPPORTED for SINEW_GL_COMPUTE where the context has no compute shaders, or where the driver refuses
/// the program, with its own words; SINEW_ERROR_LIMIT, with the numbers, for buffers larger than a storage buffer;
/// SINEW_ERROR_ARGUMENT for SINEW_GPU_RESOURCE_UNIFORMS, which only the caller's own programs have;
/// SINEW_ERROR_OUT_OF_MEMORY for the host's memory. `error` may be NULL. Changes: GL_ARRAY_BUFFER; the vertex array
/// binding is 0 afterwards. Leaves GL_CURRENT_PROGRAM as it was.
SINEW_API sinew_result sinew_gl_skinned_create(sinew_gl *gl, const sinew_gl_mesh *mesh,
                                               const sinew_gl_records *records, sinew_gl_skinning skinning,
                                               sinew_gl_skinned **skinned, sinew_error *error);

/// Frees it and what it has on the GPU, with the program where no other has it; draws already issued keep it. NULL is
/// allowed.
SINEW_API void sinew_gl_skinned_destroy(sinew_gl_skinned *skinned);

/// Skins the vertices for `draw->first`, which must lie within the palette (asserted), with the palette that is bound (a
/// range of a block by itself), of the variant that it was made for (asserted); `draw->count` is not looked at. Draws,
/// storage buffer reads and copies that follow see the result: compute shaders' barrier for them is issued here.
/// Changes: the program in use, to none; for a mesh with deltas, the active texture unit (deltas_texture_unit) and its
/// GL_TEXTURE_2D; and
/// by SINEW_GL_FEEDBACK: the vertex array binding, to 0; GL_RASTERIZER_DISCARD, disabled afterwards;
/// GL_TRANSFORM_FEEDBACK_BUFFER and its binding points 0 to 2, as far as the mesh has arrays; the current value of the
/// attribute draw_location and, for a mesh without joints, those of the joints' and the weights'. No transform feedback
/// may be active, and the object that is bound for it is used;
/// by SINEW_GL_COMPUTE: GL_SHADER_STORAGE_BUFFER and its three lowest binding points that are not storage_binding: by
/// default 0, 1 and 2.
SINEW_API void sinew_gl_skinned_update(sinew_gl_skinned *skinned, const sinew_gl_draw *draw);

/// Draws the skinned triangles with the program that is bound, whose vertex shader was made without a palette. Changes:
/// what sinew_gl_mesh_draw does.
SINEW_API void sinew_gl_skinned_draw(const sinew_gl_skinned *skinned);

/// The buffer of skinned vertices: x, y, z of all positions, then of all normals, then x, y, z, w of all tangents, for
/// those that the mesh has. It belongs to `skinned`.
SINEW_API uint32_t sinew_gl_skinned_buffer(const sinew_gl_skinned *skinned);

#ifdef __cplusplus
}
#endif
#endif
