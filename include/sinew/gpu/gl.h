// SPDX-License-Identifier: MIT
/// The OpenGL backend (library sinew-gl). It uploads records and meshes, and builds the shaders that skin them.
/// Requires OpenGL 3.3 or OpenGL ES 3.0. It uses your context and doesn't open a window.
///
///     sinew_gl_records_update(records, palette, skin->joint_count); // the result of sinew_skin_palette
///     glUseProgram(program);                                        // see sinew_gl_vertex_shader
///     sinew_gl_records_bind(records);
///     for (int i = 0; i < mesh_count; i++) sinew_gl_mesh_draw(meshes[i]);
///
/// A *record* is the data that the shader reads for one character (gpu_record.h). See shader.h for shader variants,
/// bake.h for animation textures, and asset.h for primitives.
///
/// Call all functions on the thread where your context is current. Use the same context as for sinew_gl_create, or
/// one that shares objects with it. Note that contexts never share vertex arrays. There's no locking.
///
/// The comments list the OpenGL state that each function changes and doesn't restore. No other state changes.
/// Before you upload anything, make sure that the pixel-store state is at its defaults and that no buffer is bound
/// to GL_PIXEL_UNPACK_BUFFER.
///
/// Functions that create something return a sinew_result. On failure, they set the output pointer to NULL. `error`
/// may be NULL. Other functions assert their arguments. In NDEBUG builds, invalid arguments are undefined
/// behavior. The backend doesn't check for OpenGL errors, so call glGetError yourself.
#ifndef SINEW_GL_H
#define SINEW_GL_H

#include "bake.h"
#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pointer to an OpenGL function. Cast it to the function's own type.
typedef void (*sinew_gl_proc)(void);

/// Defines the backend: how to find OpenGL functions, and which binding points and locations to use. Start from
/// sinew_gl_default.
typedef struct sinew_gl_def {
    /// Returns an OpenGL function, or NULL if the context doesn't have it. You can wrap glfwGetProcAddress,
    /// SDL_GL_GetProcAddress, eglGetProcAddress or similar. Required. Only called by sinew_gl_create.
    sinew_gl_proc (*get_proc_address)(const char *name, void *user);
    void *user;             ///< passed to get_proc_address
    int32_t uniform_joints; ///< size of a plain uniform array, in joints (48 bytes each); default 64
    int32_t ubo_joints;     ///< size of a uniform block, in joints (48 bytes each); 0 disables blocks; default 128
    int32_t skin_block_binding;      ///< uniform buffer binding point for records; default 3
    int32_t storage_binding;         ///< storage buffer binding point for records; default 3
    int32_t records_texture_unit;    ///< texture unit for records, where 0 is GL_TEXTURE0; default 7
    int32_t deltas_texture_unit;     ///< texture unit for a mesh's morph targets; default 6
    int32_t animations_texture_unit; ///< texture unit for an animation texture; default 5
    int32_t position_location;       ///< attribute location of positions; default 0
    int32_t normal_location;         ///< attribute location of normals; default 1
    int32_t uv_location;             ///< attribute location of texture coordinates; default 2
    int32_t joints_location;         ///< attribute location of joint indices; default 3
    int32_t weights_location;        ///< attribute location of joint weights; default 4
    int32_t color_location;          ///< attribute location of vertex colors; default 5
    int32_t joints2_location;        ///< attribute location of joint indices 4 to 7, for 8 influences; default 6
    int32_t weights2_location;       ///< attribute location of joint weights 4 to 7; default 7
    int32_t tangent_location;        ///< attribute location of tangents; default 8
    /// Attribute location of the draw's four integers, which you need for many characters or morph targets.
    /// Default 9.
    int32_t draw_location;
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gl_default
} sinew_gl_def;

/// Returns the defaults above. You have to set get_proc_address, which is NULL.
SINEW_API sinew_gl_def sinew_gl_default(void);

/// The functions, version and limits of an OpenGL context.
typedef struct sinew_gl sinew_gl;

/// Loads the current context's functions and limits. Free the result with sinew_gl_destroy. Doesn't change any
/// state. Errors:
///   - SINEW_ERROR_UNSUPPORTED: OpenGL is below 3.3 or ES is below 3.0, a function is missing, or the limits are
///     too small for the definition. The message includes the function's name.
///   - SINEW_ERROR_ARGUMENT: a location or texture unit is negative or used twice.
SINEW_API sinew_result sinew_gl_create(const sinew_gl_def *def, sinew_gl **gl, sinew_error *error);

/// Frees the result of sinew_gl_create. NULL is allowed. Destroy all objects that you made with it first. Doesn't
/// call OpenGL.
SINEW_API void sinew_gl_destroy(sinew_gl *gl);

// ---- Shaders -------------------------------------------------------------------------------------------------

/// Records on the GPU, which you upload once per frame. They hold either one character, for all meshes with the
/// same skin, or a crowd of characters with the same skeleton.
typedef struct sinew_gl_records sinew_gl_records;

/// The number of source strings for a vertex shader.
#define SINEW_GL_SOURCES 5

/// The source strings for a vertex shader. They point into this struct, into static storage and into the body you
/// passed in, so don't move or copy the struct before you call glShaderSource.
typedef struct sinew_gl_source {
    const char *strings[SINEW_GL_SOURCES]; ///< version line, defines, shader source, line directive, body
    char preamble[1280];                   ///< storage for the second string
} sinew_gl_source;

/// Gets the source strings for a vertex shader, which you pass to glShaderSource. They are the version line,
/// defines, src/gpu/shaders/skin.glsl, a line directive, and then `body`. The body has your main() and isn't
/// copied. Thanks to the line directive, line numbers in compiler messages are relative to your body, starting at
/// 1.
///
/// `records` selects the variant. If it's NULL, nothing is skinned. `influences` must match the primitives: 0, 4
/// or 8 (asserted). Set `morph` to add morph targets on the GPU (see sinew_gl_mesh_add_deltas). Records with the
/// same variant can share a program (see sinew_gl_records_variant). Doesn't call OpenGL.
///
/// The body can use the functions in skin.glsl and these attribute locations:
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
/// Then build the program:
///
///     sinew_gl_source source;
///     sinew_gl_vertex_shader(gl, records, 4, false, body, &source);
///     glShaderSource(shader, SINEW_GL_SOURCES, source.strings, NULL);
///     ... compile, attach, link ...
///     result = sinew_gl_setup_program(gl, program, &error);
SINEW_API void sinew_gl_vertex_shader(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph, const char *body, sinew_gl_source *source);

/// Returns the version line for the program's other shaders, such as the fragment shader. For ES, it includes the
/// precision statements. The version is the highest one that the context supports and the backend uses: 330 core or
/// 430 core; 300, 310 or 320 es. `gl` owns the string.
SINEW_API const char *sinew_gl_shader_head(const sinew_gl *gl);

/// Sets a linked program's binding points and texture units for records, morph targets and the animation texture.
/// Call this once for each program that you build with sinew_gl_vertex_shader. It does nothing for other programs.
/// Returns SINEW_ERROR_ARGUMENT if the program was made for a different `gl`, and the size of its block or array
/// doesn't match. Restores GL_CURRENT_PROGRAM, which must not be a deleted program.
SINEW_API sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error);

// ---- Records -------------------------------------------------------------------------------------------------

/// Defines records on the GPU. Start from sinew_gl_records_default.
typedef struct sinew_gl_records_def {
    sinew_gpu_record_format format; ///< format of each record; required
    int32_t character_count;        ///< number of records, 1 or more
    sinew_gpu_resource resource;    ///< SINEW_GPU_RESOURCE_NONE uses sinew_gl_choose_resource
    uint32_t cookie;                ///< private: set by sinew_gl_records_default
} sinew_gl_records_def;

/// Returns the defaults: one character, SINEW_GPU_RECORD_ROWS, no joints, no per_instance_transform, no morph
/// weights, and the resource from sinew_gl_choose_resource. Set `format` to match the skin. You have to set at
/// least its joint_count.
SINEW_API sinew_gl_records_def sinew_gl_records_default(void);

/// Returns the default resource for records. A single character uses a uniform block if the record fits, and a
/// texture otherwise. Many characters are drawn as instances. They use a storage buffer if vertex shaders can read
/// one. Otherwise, they use a buffer texture if it's large enough, or a texture if it isn't. The choice only
/// depends on the context, `ubo_joints` and the size. Doesn't call OpenGL.
SINEW_API sinew_gpu_resource sinew_gl_choose_resource(const sinew_gl *gl, const sinew_gl_records_def *def);

/// Creates records. Free them with sinew_gl_records_destroy. Their contents are undefined until the first upload.
/// If many characters use SINEW_GPU_RESOURCE_BLOCK, they share one buffer. Bind each character with
/// sinew_gl_records_bind_character and draw it separately.
///
/// Errors:
///   - SINEW_ERROR_UNSUPPORTED: the context doesn't have the resource. The message includes the resource's name.
///   - SINEW_ERROR_LIMIT: the records don't fit into the resource. The message includes the numbers.
///   - SINEW_ERROR_ARGUMENT: the format is invalid, there are many characters without per_instance_transform
///     (unless you use a block), or there are many characters in plain uniforms, which only hold one.
///   - SINEW_ERROR_OUT_OF_MEMORY.
///
/// Changes: GL_UNIFORM_BUFFER, GL_TEXTURE_BUFFER or GL_SHADER_STORAGE_BUFFER. Both kinds of texture also change the
/// active texture unit (records_texture_unit) and its texture.
SINEW_API sinew_result sinew_gl_records_create(sinew_gl *gl, const sinew_gl_records_def *def,
                                               sinew_gl_records **records, sinew_error *error);

/// Frees records and their GPU objects. NULL is allowed. Earlier draws stay valid. OpenGL unbinds deleted objects.
/// No other bindings change.
SINEW_API void sinew_gl_records_destroy(sinew_gl_records *records);

/// Returns the shader variant for the records. `influences` is 0 and `morph` is false, because they depend on the
/// mesh. Doesn't call OpenGL.
SINEW_API sinew_shader_variant sinew_gl_records_variant(const sinew_gl_records *records);

/// Uploads a palette of `count` matrices. `count` must be in the range 0 to joint_count (asserted). The remaining
/// matrices become undefined. Earlier draws keep the old matrices. Only use this for records that have one
/// character and no per_instance_transform (asserted). Changes: same as sinew_gl_records_create.
SINEW_API void sinew_gl_records_update(sinew_gl_records *records, const sinew_affine *matrices, int32_t count);

/// Returns a character's record in host memory. Write to it with sinew_gpu_record_write, sinew_bake_write or your
/// own code, then call sinew_gl_records_upload. The memory keeps its contents between uploads. `character` must be
/// in range (asserted). Different threads can write different characters. Doesn't call OpenGL.
SINEW_API float *sinew_gl_records_data(sinew_gl_records *records, int32_t character);

/// Writes a character's record in host memory with sinew_gpu_record_write. Doesn't call OpenGL.
SINEW_API void sinew_gl_records_write(sinew_gl_records *records, int32_t character, sinew_affine world,
                                      const sinew_affine *joints, const float *weights);

/// Uploads the records of the first `count` characters in one call. `count` must be in the range 0 to
/// character_count (asserted). Other records become undefined. Earlier draws keep the old records. The upload
/// doesn't wait for these draws, because it orphans the old storage. Changes: same as sinew_gl_records_create. For
/// plain uniforms, nothing changes, because they're sent when you bind them.
SINEW_API void sinew_gl_records_upload(sinew_gl_records *records, int32_t count);

/// Binds records for the next draws. Plain uniforms are the slowest resource, because they're sent to the current
/// program each time. The program must have been built for them. Changes: binding point skin_block_binding and
/// GL_UNIFORM_BUFFER, or storage_binding and GL_SHADER_STORAGE_BUFFER, or the active texture unit
/// (records_texture_unit) and its texture.
SINEW_API void sinew_gl_records_bind(const sinew_gl_records *records);

/// Binds one character's record. `character` must be in range (asserted). For SINEW_GPU_RESOURCE_BLOCK, this binds
/// the character's range of the buffer, so set `first` in sinew_gl_draw to 0. For other resources, it binds all
/// records like sinew_gl_records_bind, and `first` selects the character. Changes: same as sinew_gl_records_bind.
SINEW_API void sinew_gl_records_bind_character(const sinew_gl_records *records, int32_t character);

// ---- Animation textures --------------------------------------------------------------------------------------

/// An animation texture on the GPU.
typedef struct sinew_gl_animations sinew_gl_animations;

/// Copies an animation texture to the GPU. Free it with sinew_gl_animations_destroy. You can destroy `bake`
/// afterwards, unless you still need it for sinew_bake_write. Returns SINEW_ERROR_LIMIT if the texture has more
/// rows than the context supports, or SINEW_ERROR_OUT_OF_MEMORY. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_animations_create(sinew_gl *gl, const sinew_bake *bake,
                                                  sinew_gl_animations **animations, sinew_error *error);

/// Frees an animation texture and its GPU objects. NULL is allowed.
SINEW_API void sinew_gl_animations_destroy(sinew_gl_animations *animations);

/// Binds an animation texture for the next draws with SINEW_GPU_RECORD_BAKED. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_animations_bind(const sinew_gl_animations *animations);

// ---- Meshes --------------------------------------------------------------------------------------------------

/// A primitive's vertices and indices on the GPU, including a vertex array.
typedef struct sinew_gl_mesh sinew_gl_mesh;

/// Copies a primitive to the GPU. Free the mesh with sinew_gl_mesh_destroy. You can free the primitive afterwards.
/// Joints become an integer attribute (uvec4). Returns SINEW_ERROR_ARGUMENT if `influences` isn't 0, 4 or 8, or
/// SINEW_ERROR_OUT_OF_MEMORY if there isn't enough host memory. Changes: GL_ARRAY_BUFFER, and the vertex array
/// binding, which becomes 0.
SINEW_API sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **mesh,
                                            sinew_error *error);

/// Frees a mesh and its GPU objects. NULL is allowed. Earlier draws stay valid.
SINEW_API void sinew_gl_mesh_destroy(sinew_gl_mesh *mesh);

/// Replaces all positions, and all normals if `normals` isn't NULL. Use this if you add morph targets on the CPU
/// (see sinew_morph in skin.h). Both arrays have 3 tightly packed floats per vertex. Normals are ignored if the
/// primitive doesn't have any. Changes: GL_ARRAY_BUFFER.
SINEW_API void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals);

/// Copies a primitive's morph targets to the GPU. Vertex shaders that you build with `morph` add them using the
/// record's weights. You must pass the same primitive that you created the mesh from (its counts are asserted).
/// You can free it afterwards. Call this once per mesh (asserted). It does nothing if there are no targets.
/// Returns SINEW_ERROR_LIMIT if a texture can't hold the texels (the message includes the numbers), or
/// SINEW_ERROR_OUT_OF_MEMORY.
///
/// Changes: the active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_mesh_add_deltas(sinew_gl_mesh *mesh, const sinew_primitive *primitive,
                                                sinew_error *error);

/// Draws a mesh for one character, with the current program and the bound records. Doesn't support
/// per_instance_transform or morph targets on the GPU: use sinew_gl_mesh_draw_many for these. Changes: the vertex
/// array binding. If the mesh has no colors, the color attribute's current value becomes white. If it has no
/// tangents, the tangent attribute's current value becomes (1, 0, 0, 1).
SINEW_API void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh);

/// A draw with many characters or with morph targets.
typedef struct sinew_gl_draw {
    const sinew_gl_records *records; ///< the bound records
    int32_t first; ///< first character; 0 if you bound a block with sinew_gl_records_bind_character
    int32_t count; ///< number of characters, drawn as instances; 0 draws nothing
    /// If the mesh doesn't have joints, this is the joint that it's attached to. The shader must have 4 influences.
    int32_t joint;
    /// The index of the mesh's first morph weight in the record. If the record has all of the skeleton's weights,
    /// this is skeleton->weight_offsets[node] for the mesh's node.
    int32_t first_weight;
} sinew_gl_draw;

/// Draws a mesh for `draw->count` characters in one call, with the current program and the bound records. `first`
/// and `count` must be within the records (asserted). Changes: same as sinew_gl_mesh_draw, and the current value of
/// the attribute at draw_location. If the mesh has no joints, the current values of joints and weights also change.
/// If it has deltas, the active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D also change.
SINEW_API void sinew_gl_mesh_draw_many(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

/// Returns the OpenGL name of a mesh's vertex array. You can use it for your own draws, such as a depth pass. The
/// mesh owns it.
SINEW_API uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh);

// ---- Skinning once -------------------------------------------------------------------------------------------

/// How to skin vertices before you draw them.
typedef enum sinew_gl_skinning {
    SINEW_GL_SKINNING_FEEDBACK, ///< transform feedback: OpenGL 3.3, OpenGL ES 3.0
    SINEW_GL_SKINNING_COMPUTE   ///< a compute shader: OpenGL 4.3, OpenGL ES 3.1
} sinew_gl_skinning;

/// A mesh that's skinned once for one character, so you can draw it in any number of passes.
typedef struct sinew_gl_skinned sinew_gl_skinned;

/// Creates a buffer for a mesh's skinned vertices. It has positions, and also normals and tangents if the mesh has
/// them. Free it with sinew_gl_skinned_destroy before you destroy the mesh or `gl`. `records` only selects the
/// variant, so you can destroy it at any time. Morph targets are added if you've already called
/// sinew_gl_mesh_add_deltas and the record format has morph weights. All buffers of the same kind in `gl` share
/// one program, which is built when you create the first one.
///
/// Errors:
///   - SINEW_ERROR_UNSUPPORTED: SINEW_GL_SKINNING_COMPUTE isn't available, or the driver rejects the program. The
///     message includes the driver's log.
///   - SINEW_ERROR_LIMIT: buffers are larger than a storage buffer can be. The message includes the numbers.
///   - SINEW_ERROR_ARGUMENT: the records are SINEW_GPU_RESOURCE_UNIFORMS, which only work with your own programs.
///   - SINEW_ERROR_OUT_OF_MEMORY: there isn't enough host memory.
///
/// Changes: GL_ARRAY_BUFFER, and the vertex array binding, which becomes 0. Restores GL_CURRENT_PROGRAM.
SINEW_API sinew_result sinew_gl_skinned_create(sinew_gl *gl, const sinew_gl_mesh *mesh,
                                               const sinew_gl_records *records, sinew_gl_skinning skinning,
                                               sinew_gl_skinned **skinned, sinew_error *error);

/// Frees the buffer and its GPU objects. NULL is allowed. The program is freed when nothing uses it anymore.
/// Earlier draws stay valid.
SINEW_API void sinew_gl_skinned_destroy(sinew_gl_skinned *skinned);

/// Skins the vertices for character `draw->first` with the bound records. If the records are in a block, bind them
/// with sinew_gl_records_bind_character. `first` must be within the records, and the records must have the same
/// variant as in sinew_gl_skinned_create (both asserted). `draw->count` is ignored. A mesh without joints is
/// attached to `draw->joint` if the format has joints. You can use the result in later draws, storage buffer reads
/// and copies, because this function issues the barrier for compute shaders.
///
/// Changes: the current program, which becomes 0. If the mesh has deltas, the active texture unit
/// (deltas_texture_unit) and its GL_TEXTURE_2D also change.
///   - SINEW_GL_SKINNING_FEEDBACK also unbinds the vertex array and disables GL_RASTERIZER_DISCARD. It changes
///     GL_TRANSFORM_FEEDBACK_BUFFER and its binding points 0 to 2, one for each of the mesh's arrays. It also
///     changes the current value of the attribute at draw_location and, if the mesh has no joints, the current
///     values of joints and weights. It uses the bound transform feedback object. Transform feedback must not be
///     active.
///   - SINEW_GL_SKINNING_COMPUTE also changes GL_SHADER_STORAGE_BUFFER and its three lowest binding points other
///     than storage_binding. By default, these are 0, 1 and 2.
SINEW_API void sinew_gl_skinned_update(sinew_gl_skinned *skinned, const sinew_gl_draw *draw);

/// Draws the skinned triangles with the current program. Build its vertex shader with NULL records. Changes: same
/// as sinew_gl_mesh_draw.
SINEW_API void sinew_gl_skinned_draw(const sinew_gl_skinned *skinned);

/// Returns the OpenGL name of the buffer with the skinned vertices. It has x, y, z for all positions, then x, y, z
/// for all normals, then x, y, z, w for all tangents. Arrays that the mesh doesn't have are left out. `skinned`
/// owns the buffer.
SINEW_API uint32_t sinew_gl_skinned_buffer(const sinew_gl_skinned *skinned);

#ifdef __cplusplus
}
#endif
#endif
