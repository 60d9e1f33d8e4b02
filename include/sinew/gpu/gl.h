// SPDX-License-Identifier: MIT
/// The OpenGL 3.3+ / OpenGL ES 3.0+ backend (library sinew-gl): records and meshes on the GPU, and the shader text
/// that skins with them. gpu_record.h defines a record, shader.h the variants of shaders, asset.h a primitive, and
/// bake.h an animation texture. The backend opens no window and makes no context; it uses the caller's.
///
/// Threads: every function must be called on the thread in which the context of sinew_gl_create is current (or one
/// that shares its objects; vertex arrays are never shared). Nothing is locked.
///
/// State: a function changes the bindings that its comment names, leaves them changed, and changes nothing else.
/// Uploads need the default pixel-store state and no buffer bound to GL_PIXEL_UNPACK_BUFFER.
///
/// Errors: functions that create return a sinew_result, and their result pointer is NULL on failure. Arguments of the
/// other functions are asserted, and wrong ones are undefined with NDEBUG. OpenGL's own errors are not read: the
/// program calls glGetError.
///
/// A frame, with a program made as sinew_gl_vertex_shader shows:
///
///     sinew_gl_records_update(records, palette, skin->joint_count); // the result of sinew_skin_palette
///     glUseProgram(program);
///     sinew_gl_records_bind(records);
///     for (int i = 0; i < mesh_count; i++) sinew_gl_mesh_draw(meshes[i]);
#ifndef SINEW_GL_H
#define SINEW_GL_H

#include "bake.h"
#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pointer to any OpenGL function, to be cast to its own type.
typedef void (*sinew_gl_proc)(void);

/// The definition of the backend: how it finds OpenGL's functions, and the binding points and locations that it uses.
typedef struct sinew_gl_def {
    /// Finds an OpenGL function: a wrapper around glfwGetProcAddress, SDL_GL_GetProcAddress, eglGetProcAddress, ...
    /// Must be set. Called only during sinew_gl_create. Returns NULL for a function that the context does not have.
    sinew_gl_proc (*get_proc_address)(const char *name, void *user);
    void *user;                      ///< passed to get_proc_address
    int32_t uniform_joints;          ///< size of an array of plain uniforms, in joints of 48 bytes; default 64
    int32_t ubo_joints;              ///< size of a uniform block, in joints of 48 bytes; 0: no blocks; default 128
    int32_t skin_block_binding;      ///< uniform buffer binding point of the records; default 3
    int32_t storage_binding;         ///< storage buffer binding point of the records; default 3
    int32_t records_texture_unit;    ///< texture unit of the records, 0 for GL_TEXTURE0; default 7
    int32_t deltas_texture_unit;     ///< texture unit of a mesh's morph targets; default 6
    int32_t animations_texture_unit; ///< texture unit of an animation texture; default 5
    int32_t position_location;       ///< attribute location of the positions; default 0
    int32_t normal_location;         ///< of the normals; default 1
    int32_t uv_location;             ///< of the texture coordinates; default 2
    int32_t joints_location;         ///< of the joint indices; default 3
    int32_t weights_location;        ///< of the weights; default 4
    int32_t color_location;          ///< of the vertex colours; default 5
    int32_t joints2_location;        ///< joints 4 to 7 of a vertex with 8 influences; default 6
    int32_t weights2_location;       ///< their weights; default 7
    int32_t tangent_location;        ///< of the tangents; default 8
    int32_t draw_location; ///< of the four integers of a draw of many characters or with morph targets; default 9
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gl_default
} sinew_gl_def;

/// Returns the defaults above; get_proc_address is NULL and must be set.
SINEW_API sinew_gl_def sinew_gl_default(void);

/// The OpenGL of one context: its functions, version and limits.
typedef struct sinew_gl sinew_gl;

/// Loads the functions and limits of the current context, to be freed with sinew_gl_destroy. Changes no state.
/// SINEW_ERROR_UNSUPPORTED for OpenGL below 3.3 or ES below 3.0, a missing function (named), or limits too small
/// for the definition; SINEW_ERROR_ARGUMENT for locations and texture units that are negative or given twice. `error`
/// may be NULL.
SINEW_API sinew_result sinew_gl_create(const sinew_gl_def *def, sinew_gl **gl, sinew_error *error);

/// Frees the result of sinew_gl_create. NULL is allowed. All objects made with it must be destroyed first. Makes no
/// OpenGL call.
SINEW_API void sinew_gl_destroy(sinew_gl *gl);

// ---- Shaders -------------------------------------------------------------------------------------------------

/// Records on the GPU: of one character, shared by all meshes of one skin, or of a crowd that shares a skeleton, with
/// one upload a frame.
typedef struct sinew_gl_records sinew_gl_records;

/// The number of strings of a vertex shader.
#define SINEW_GL_SOURCES 5

/// The strings of a vertex shader. They point into the struct itself, into static storage and at the caller's body,
/// so the struct must not be moved or copied before glShaderSource is called.
typedef struct sinew_gl_source {
    const char *strings[SINEW_GL_SOURCES]; ///< version line, defines, text of the shader, line directive, body
    char preamble[1280];                   ///< the second string
} sinew_gl_source;

/// Writes the strings of a vertex shader, for glShaderSource: the version line, defines, src/gpu/shaders/skin.glsl, a
/// line directive, with which the compiler counts the caller's lines from 1, and `body`, the caller's part with
/// main(), which is not copied. `records` gives the variant; without them (NULL) nothing is skinned. `influences`, 0,
/// 4 or 8 (asserted), is that of the primitives to be drawn. `morph` says whether their morph targets are added on
/// the GPU (sinew_gl_mesh_add_deltas). The body has the functions that skin.glsl defines, and the locations of the
/// attributes:
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
/// In the program:
///
///     sinew_gl_source source;
///     sinew_gl_vertex_shader(gl, records, 4, false, body, &source);
///     glShaderSource(shader, SINEW_GL_SOURCES, source.strings, NULL);
///     ... compile, attach, link ...
///     result = sinew_gl_setup_program(gl, program, &error);
///
/// Records of equal variant (sinew_gl_records_variant) can share a program. Makes no OpenGL call.
SINEW_API void sinew_gl_vertex_shader(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph, const char *body, sinew_gl_source *source);

/// Returns the version line, and for ES the statements of precision, with which the other shaders of the program
/// should start. It is the highest version that the context has and the backend uses: 330 core or 430 core; 300, 310
/// or 320 es. It belongs to `gl`.
SINEW_API const char *sinew_gl_shader_head(const sinew_gl *gl);

/// Sets the binding points and texture units of a linked program: of its records, morph targets and animation
/// texture. It is called once for each program with such a vertex shader, and is a no-op for a program without them.
/// SINEW_ERROR_ARGUMENT if the program's block or array is not of the size that `gl` has (it was linked for another
/// `gl`); `error` may be NULL. Leaves GL_CURRENT_PROGRAM as it was, which must not be a program that was deleted.
SINEW_API sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error);

// ---- Records -------------------------------------------------------------------------------------------------

/// The definition of records on the GPU.
typedef struct sinew_gl_records_def {
    sinew_gpu_record_format format; ///< of each record
    int32_t character_count;        ///< number of records, 1 or more
    sinew_gpu_resource resource;    ///< SINEW_GPU_RESOURCE_NONE: that of sinew_gl_choose_resource
    uint32_t cookie;                ///< private: set by sinew_gl_records_default
} sinew_gl_records_def;

/// Returns the default definition: one character, SINEW_GPU_RECORD_ROWS, no joints, no transform of an instance, no
/// morph weights, the resource of sinew_gl_choose_resource. `format` must be set to that of the skin: its
/// joint_count, at least.
SINEW_API sinew_gl_records_def sinew_gl_records_default(void);

/// Returns the resource that records get by default. It depends on the context, `ubo_joints` and the size alone. For
/// one character it is a uniform block if the record fits, else a texture. For many, which are drawn as instances, it
/// is a storage buffer if vertex shaders have them, a buffer texture if it is large enough, else a texture. Makes no
/// OpenGL call.
SINEW_API sinew_gpu_resource sinew_gl_choose_resource(const sinew_gl *gl, const sinew_gl_records_def *def);

/// Creates records, to be freed with sinew_gl_records_destroy. Their contents are undefined until the first upload.
/// SINEW_GPU_RESOURCE_BLOCK with many characters is one buffer of ranges: bind each with
/// sinew_gl_records_bind_character, and draw it by itself.
///
/// SINEW_ERROR_UNSUPPORTED for a resource that the context does not have, by name; SINEW_ERROR_LIMIT, with the
/// numbers, for records that do not fit into it; SINEW_ERROR_ARGUMENT for a format that is not valid, for many
/// characters without per_instance_transform (except in a block), and for many characters in plain uniforms, which
/// hold one; SINEW_ERROR_OUT_OF_MEMORY. `error` may be NULL.
///
/// Changes: GL_UNIFORM_BUFFER, GL_TEXTURE_BUFFER or GL_SHADER_STORAGE_BUFFER; for textures of either kind the active
/// texture unit (records_texture_unit) and its texture.
SINEW_API sinew_result sinew_gl_records_create(sinew_gl *gl, const sinew_gl_records_def *def,
                                               sinew_gl_records **records, sinew_error *error);

/// Frees records and their GPU objects; draws already issued keep them. NULL is allowed. Binds nothing; OpenGL
/// unbinds what is deleted.
SINEW_API void sinew_gl_records_destroy(sinew_gl_records *records);

/// Returns the variant of the shaders that read the records. Its influences are 0 and morph is false: they are the
/// mesh's. Makes no OpenGL call.
SINEW_API sinew_shader_variant sinew_gl_records_variant(const sinew_gl_records *records);

/// Uploads a palette, matrices [0, count), 0 <= count <= joint_count (asserted), of the only character; its other
/// matrices become undefined. Draws already issued keep the old ones. Only for records of one character without
/// per_instance_transform (asserted). Changes: what sinew_gl_records_create changes.
SINEW_API void sinew_gl_records_update(sinew_gl_records *records, const sinew_affine *matrices, int32_t count);

/// Returns the floats of a character's record in the host's memory, to be written (by sinew_gpu_record_write,
/// sinew_bake_write or the caller) and uploaded with all others. They keep what was last written. 0 <= character <
/// character_count (asserted). Different characters may be written by different threads. Makes no OpenGL call.
SINEW_API float *sinew_gl_records_data(sinew_gl_records *records, int32_t character);

/// Writes a character's record in the host's memory with sinew_gpu_record_write. Makes no OpenGL call.
SINEW_API void sinew_gl_records_write(sinew_gl_records *records, int32_t character, sinew_affine world,
                                      const sinew_affine *joints, const float *weights);

/// Uploads the records of characters [0, count), 0 <= count <= character_count (asserted), in one call; other records
/// become undefined. Draws already issued keep the old ones: the old storage is released, not waited for.
/// Changes: what sinew_gl_records_create changes; nothing for plain uniforms, which are sent when they are bound.
SINEW_API void sinew_gl_records_upload(sinew_gl_records *records, int32_t count);

/// Binds records: the next draws read them, from the first character on. Plain uniforms are sent to the program in
/// use, which must have been made for them: the slowest resource. Changes: the binding point skin_block_binding and
/// GL_UNIFORM_BUFFER; or storage_binding and GL_SHADER_STORAGE_BUFFER; or the active texture unit and its texture.
/// (The unit is records_texture_unit in all these functions, and it stays active.)
SINEW_API void sinew_gl_records_bind(const sinew_gl_records *records);

/// Binds the record of one character, 0 <= character < character_count (asserted). For SINEW_GPU_RESOURCE_BLOCK this
/// binds the character's range of the buffer, and `first` of the draw is 0. For other resources it is
/// sinew_gl_records_bind: all records are bound, and `first` of sinew_gl_draw selects the character. Changes: what
/// sinew_gl_records_bind changes.
SINEW_API void sinew_gl_records_bind_character(const sinew_gl_records *records, int32_t character);

// ---- Animation textures --------------------------------------------------------------------------------------

/// An animation texture on the GPU.
typedef struct sinew_gl_animations sinew_gl_animations;

/// Copies an animation texture to the GPU, to be freed with sinew_gl_animations_destroy. The copy does not need
/// `bake` any more, but sinew_bake_write does. SINEW_ERROR_LIMIT if it has more rows than the context's textures;
/// SINEW_ERROR_OUT_OF_MEMORY. `error` may be NULL. Changes: the active texture unit (animations_texture_unit) and its
/// GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_animations_create(sinew_gl *gl, const sinew_bake *bake,
                                                  sinew_gl_animations **animations, sinew_error *error);

/// Frees an animation texture and its GPU objects. NULL is allowed.
SINEW_API void sinew_gl_animations_destroy(sinew_gl_animations *animations);

/// Binds an animation texture: the next draws of SINEW_GPU_RECORD_BAKED read it. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_animations_bind(const sinew_gl_animations *animations);

// ---- Meshes --------------------------------------------------------------------------------------------------

/// A primitive's vertices and indices on the GPU, with the vertex array that binds them.
typedef struct sinew_gl_mesh sinew_gl_mesh;

/// Copies a primitive to the GPU, to be freed with sinew_gl_mesh_destroy. The primitive may be freed afterwards.
/// Joints become an integer attribute (uvec4). SINEW_ERROR_ARGUMENT for influences other than 0, 4 or 8;
/// SINEW_ERROR_OUT_OF_MEMORY for the host's memory (the GPU's own shortage is reported by glGetError, as always).
/// `error` may be NULL. Changes: GL_ARRAY_BUFFER; the vertex array binding is 0 afterwards.
SINEW_API sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **mesh,
                                            sinew_error *error);

/// Frees a mesh and its GPU objects; draws already issued keep it. NULL is allowed.
SINEW_API void sinew_gl_mesh_destroy(sinew_gl_mesh *mesh);

/// Replaces the positions of all vertices, and the normals if `normals` is not NULL: 3 floats a vertex, tightly
/// packed. It is for morph targets that were added on the CPU: see sinew_morph (skin.h). Normals are ignored for a
/// primitive without normals. Changes: GL_ARRAY_BUFFER.
SINEW_API void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals);

/// Copies a primitive's morph targets to the GPU, for vertex shaders made with `morph`, which add them by the weights
/// of the record. The primitive is that of the mesh (asserted by its counts), and may be freed afterwards. Call it
/// once for a mesh (asserted); it is a no-op for a primitive without targets. SINEW_ERROR_LIMIT, with the numbers,
/// for more texels than a texture holds; SINEW_ERROR_OUT_OF_MEMORY. `error` may be NULL.
///
/// Changes: the active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_mesh_add_deltas(sinew_gl_mesh *mesh, const sinew_primitive *primitive,
                                                sinew_error *error);

/// Draws the triangles of a mesh with the program and records that are bound: one character, without
/// per_instance_transform and without morph targets on the GPU. Changes: the vertex array binding; for a mesh without
/// colours, the current value of that attribute, to white; for one without tangents, to (1, 0, 0, 1).
SINEW_API void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh);

/// A draw of many characters, or with morph targets.
typedef struct sinew_gl_draw {
    const sinew_gl_records *records; ///< the records that are bound
    int32_t first;                   ///< first character; 0 after sinew_gl_records_bind_character of a block
    int32_t count;                   ///< number of characters, drawn as instances; 0: nothing is drawn
    int32_t joint; ///< for a mesh without joints: the joint that it is attached to, in a shader for 4 influences
    /// The first morph weight of the mesh among those of the record: skeleton->weight_offsets of its node, if the
    /// record has all weights of the skeleton.
    int32_t first_weight;
} sinew_gl_draw;

/// Draws the triangles of a mesh for `draw->count` characters in one call, with the program and records that are
/// bound. `first` and `count` must be within the records (asserted). Changes: what sinew_gl_mesh_draw does; the
/// current value of the attribute draw_location; for a mesh without joints, those of the joints and the weights; for
/// a mesh with deltas, the active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_mesh_draw_many(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

/// Returns the OpenGL name of a mesh's vertex array, for callers that issue their own draws (a depth pass, points).
/// It belongs to the mesh.
SINEW_API uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh);

// ---- Skinning once -------------------------------------------------------------------------------------------

/// How vertices are skinned ahead of draws.
typedef enum sinew_gl_skinning {
    SINEW_GL_SKINNING_FEEDBACK, ///< by transform feedback: OpenGL 3.3, OpenGL ES 3.0
    SINEW_GL_SKINNING_COMPUTE   ///< by a compute shader: OpenGL 4.3, OpenGL ES 3.1
} sinew_gl_skinning;

/// A mesh whose vertices are skinned once, for one character, and drawn in any number of passes.
typedef struct sinew_gl_skinned sinew_gl_skinned;

/// Creates a buffer for the vertices of `mesh`, skinned with records of the variant of `records`, to be freed with
/// sinew_gl_skinned_destroy before the mesh and `gl`; `records` may be destroyed earlier. It has positions, and the
/// normals and tangents that the mesh has. The mesh's deltas (sinew_gl_mesh_add_deltas, before this) are added if the
/// format has morph weights. A mesh without joints is attached to `draw->joint` if the format has joints. The program
/// is made with the first buffer of its kind, and shared by all of that kind that `gl` has.
///
/// SINEW_ERROR_UNSUPPORTED for SINEW_GL_SKINNING_COMPUTE if the context has no compute shaders, and if the driver
/// rejects the program, with the driver's log; SINEW_ERROR_LIMIT, with the numbers, for buffers larger than a storage
/// buffer; SINEW_ERROR_ARGUMENT for SINEW_GPU_RESOURCE_UNIFORMS, which belong to the caller's programs;
/// SINEW_ERROR_OUT_OF_MEMORY for the host's memory. `error` may be NULL.
///
/// Changes: GL_ARRAY_BUFFER; the vertex array binding is 0 afterwards. Leaves GL_CURRENT_PROGRAM as it was.
SINEW_API sinew_result sinew_gl_skinned_create(sinew_gl *gl, const sinew_gl_mesh *mesh,
                                               const sinew_gl_records *records, sinew_gl_skinning skinning,
                                               sinew_gl_skinned **skinned, sinew_error *error);

/// Frees the buffer and its GPU objects, with the program if nothing else uses it; draws already issued keep it. NULL
/// is allowed.
SINEW_API void sinew_gl_skinned_destroy(sinew_gl_skinned *skinned);

/// Skins the vertices for the character `draw->first`, which must be within the records (asserted), with the bound
/// records (for a block, bound by sinew_gl_records_bind_character). They must be of the variant of
/// sinew_gl_skinned_create (asserted); `draw->count` is ignored. Later draws, storage buffer reads and copies see the
/// result: the barrier that compute shaders need for them is issued here.
///
/// Changes: the program in use, to none; for a mesh with deltas, the active texture unit (deltas_texture_unit) and
/// its GL_TEXTURE_2D. SINEW_GL_SKINNING_FEEDBACK also changes the vertex array binding, to 0; GL_RASTERIZER_DISCARD,
/// disabled afterwards; GL_TRANSFORM_FEEDBACK_BUFFER and its binding points 0 to 2, one for each array of the mesh;
/// the current value of the attribute draw_location and, for a mesh without joints, those of the joints and the
/// weights. No transform feedback may be active, and the bound transform feedback object is used.
/// SINEW_GL_SKINNING_COMPUTE also changes GL_SHADER_STORAGE_BUFFER and its three lowest binding points that are not
/// storage_binding: by default 0, 1 and 2.
SINEW_API void sinew_gl_skinned_update(sinew_gl_skinned *skinned, const sinew_gl_draw *draw);

/// Draws the skinned triangles with the program that is bound, whose vertex shader was made without records. Changes:
/// what sinew_gl_mesh_draw does.
SINEW_API void sinew_gl_skinned_draw(const sinew_gl_skinned *skinned);

/// Returns the buffer of skinned vertices: x, y, z of all positions, then of all normals, then x, y, z, w of all
/// tangents, for those that the mesh has. It belongs to `skinned`.
SINEW_API uint32_t sinew_gl_skinned_buffer(const sinew_gl_skinned *skinned);

#ifdef __cplusplus
}
#endif
#endif
