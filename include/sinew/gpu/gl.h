// SPDX-License-Identifier: MIT
/// The OpenGL backend (library sinew-gl): uploads records and meshes, and builds the shaders that skin them.
/// Needs OpenGL 3.3 or OpenGL ES 3.0. It uses your context and opens no window.
///
///     sinew_gl_records_update(records, palette, skin->joint_count); // the result of sinew_skin_palette
///     glUseProgram(program);                                        // see sinew_gl_vertex_shader
///     sinew_gl_records_bind(records);
///     for (int i = 0; i < mesh_count; i++) sinew_gl_mesh_draw(meshes[i]);
///
/// A *record* is what the shader reads for one character (gpu_record.h). shader.h explains shader variants,
/// bake.h animation textures, and asset.h primitives.
///
/// Call all functions on the thread where the context of sinew_gl_create is current, or a context that shares its
/// objects. Vertex arrays are never shared. Nothing is locked.
///
/// The comments list the OpenGL state that each function changes. The changes stay after the call. Nothing else
/// changes. Uploads need the default pixel-store state and no buffer bound to GL_PIXEL_UNPACK_BUFFER.
///
/// Functions that create return a sinew_result; on failure they set the result pointer to NULL. `error` may be
/// NULL. Other functions assert their arguments; with NDEBUG, wrong arguments are undefined. The backend doesn't
/// read OpenGL errors: call glGetError yourself.
#ifndef SINEW_GL_H
#define SINEW_GL_H

#include "bake.h"
#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pointer to any OpenGL function, to cast to its own type.
typedef void (*sinew_gl_proc)(void);

/// The definition of the backend: how to find OpenGL's functions, and which binding points and locations to use.
/// Start from sinew_gl_default.
typedef struct sinew_gl_def {
    /// Returns an OpenGL function, or NULL if the context doesn't have it. Wrap glfwGetProcAddress,
    /// SDL_GL_GetProcAddress, eglGetProcAddress or similar. Must be set. Only sinew_gl_create calls it.
    sinew_gl_proc (*get_proc_address)(const char *name, void *user);
    void *user;                      ///< passed to get_proc_address
    int32_t uniform_joints;          ///< size of a plain uniform array, in joints of 48 bytes; default 64
    int32_t ubo_joints;              ///< size of a uniform block, in joints of 48 bytes; 0: no blocks; default 128
    int32_t skin_block_binding;      ///< uniform buffer binding point for records; default 3
    int32_t storage_binding;         ///< storage buffer binding point for records; default 3
    int32_t records_texture_unit;    ///< texture unit for records, 0 for GL_TEXTURE0; default 7
    int32_t deltas_texture_unit;     ///< texture unit for a mesh's morph targets; default 6
    int32_t animations_texture_unit; ///< texture unit for an animation texture; default 5
    int32_t position_location;       ///< attribute location of positions; default 0
    int32_t normal_location;         ///< of normals; default 1
    int32_t uv_location;             ///< of texture coordinates; default 2
    int32_t joints_location;         ///< of joint indices; default 3
    int32_t weights_location;        ///< of joint weights; default 4
    int32_t color_location;          ///< of vertex colours; default 5
    int32_t joints2_location;        ///< of joint indices 4 to 7, with 8 influences; default 6
    int32_t weights2_location;       ///< of their weights; default 7
    int32_t tangent_location;        ///< of tangents; default 8
    int32_t draw_location;     ///< of the draw's four integers, for many characters or morph targets; default 9
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_gl_default
} sinew_gl_def;

/// Returns the defaults above. get_proc_address is NULL and must be set.
SINEW_API sinew_gl_def sinew_gl_default(void);

/// The OpenGL of one context: its functions, version and limits.
typedef struct sinew_gl sinew_gl;

/// Loads the current context's functions and limits. Free the result with sinew_gl_destroy. Changes no state.
/// Fails with:
///   - SINEW_ERROR_UNSUPPORTED for OpenGL below 3.3 or ES below 3.0, a missing function, or limits too small for
///     the definition; `error` names the function.
///   - SINEW_ERROR_ARGUMENT if a location or texture unit is negative or used twice.
SINEW_API sinew_result sinew_gl_create(const sinew_gl_def *def, sinew_gl **gl, sinew_error *error);

/// Frees the result of sinew_gl_create, or nothing if NULL. Destroy all objects made with it first. Makes no
/// OpenGL call.
SINEW_API void sinew_gl_destroy(sinew_gl *gl);

// ---- Shaders -------------------------------------------------------------------------------------------------

/// Records on the GPU, uploaded once a frame. Either one character's, shared by all meshes of a skin, or those of
/// a crowd with one skeleton.
typedef struct sinew_gl_records sinew_gl_records;

/// The number of strings in a vertex shader.
#define SINEW_GL_SOURCES 5

/// The strings of a vertex shader. They point into this struct, into static storage and at your body. So don't
/// move or copy the struct before glShaderSource.
typedef struct sinew_gl_source {
    const char *strings[SINEW_GL_SOURCES]; ///< version line, defines, shader text, line directive, body
    char preamble[1280];                   ///< the second string
} sinew_gl_source;

/// Writes a vertex shader's strings for glShaderSource: version line, defines, src/gpu/shaders/skin.glsl, a line
/// directive, then `body`, which has your main() and isn't copied. The line directive makes compilers count your
/// lines from 1.
///
/// `records` selects the variant; NULL skins nothing. `influences` must be the primitives': 0, 4 or 8 (asserted).
/// `morph` adds morph targets on the GPU; see sinew_gl_mesh_add_deltas. Records with equal variants
/// (sinew_gl_records_variant) can share a program. Makes no OpenGL call.
///
/// The body can use skin.glsl's functions and the attribute locations:
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
SINEW_API void sinew_gl_vertex_shader(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph, const char *body, sinew_gl_source *source);

/// Returns the version line, and for ES the precision statements, to start the program's other shaders with. The
/// version is the highest that the context has and the backend uses: 330 core or 430 core; 300, 310 or 320 es.
/// `gl` owns the string.
SINEW_API const char *sinew_gl_shader_head(const sinew_gl *gl);

/// Sets a linked program's binding points and texture units for records, morph targets and the animation texture.
/// Call it once for each program from sinew_gl_vertex_shader; no-op for other programs. Fails with
/// SINEW_ERROR_ARGUMENT if the size of the program's block or array doesn't match `gl`, because it was made for
/// another. Restores GL_CURRENT_PROGRAM, which must not be a deleted program.
SINEW_API sinew_result sinew_gl_setup_program(const sinew_gl *gl, uint32_t program, sinew_error *error);

// ---- Records -------------------------------------------------------------------------------------------------

/// The definition of records on the GPU. Start from sinew_gl_records_default.
typedef struct sinew_gl_records_def {
    sinew_gpu_record_format format; ///< of each record; must be set
    int32_t character_count;        ///< number of records, 1 or more
    sinew_gpu_resource resource;    ///< SINEW_GPU_RESOURCE_NONE: use sinew_gl_choose_resource
    uint32_t cookie;                ///< private: set by sinew_gl_records_default
} sinew_gl_records_def;

/// Returns the defaults: one character, SINEW_GPU_RECORD_ROWS, no joints, no per_instance_transform, no morph
/// weights, and the resource from sinew_gl_choose_resource. Set `format` to match the skin, at least its
/// joint_count.
SINEW_API sinew_gl_records_def sinew_gl_records_default(void);

/// Returns the default resource for records. For one character it is a uniform block if the record fits, else a
/// texture. Many characters are drawn as instances. They get a storage buffer if vertex shaders can read one,
/// else a buffer texture if it is large enough, else a texture. The choice depends only on the context,
/// `ubo_joints` and the size. Makes no OpenGL call.
SINEW_API sinew_gpu_resource sinew_gl_choose_resource(const sinew_gl *gl, const sinew_gl_records_def *def);

/// Creates records. Free them with sinew_gl_records_destroy. Their contents are undefined until the first upload.
/// With SINEW_GPU_RESOURCE_BLOCK, many characters share one buffer; bind each with
/// sinew_gl_records_bind_character and draw it separately.
///
/// Fails with:
///   - SINEW_ERROR_UNSUPPORTED if the context doesn't have the resource; `error` names it.
///   - SINEW_ERROR_LIMIT if the records don't fit into the resource; `error` has the numbers.
///   - SINEW_ERROR_ARGUMENT for an invalid format, for many characters without per_instance_transform (except in
///     a block), or for many characters in plain uniforms, which hold one.
///   - SINEW_ERROR_OUT_OF_MEMORY.
///
/// Changes: GL_UNIFORM_BUFFER, GL_TEXTURE_BUFFER or GL_SHADER_STORAGE_BUFFER; for both kinds of texture, the
/// active texture unit (records_texture_unit) and its texture.
SINEW_API sinew_result sinew_gl_records_create(sinew_gl *gl, const sinew_gl_records_def *def,
                                               sinew_gl_records **records, sinew_error *error);

/// Frees records and their GPU objects, or nothing if NULL. Earlier draws stay valid. OpenGL unbinds what is
/// deleted; no other binding changes.
SINEW_API void sinew_gl_records_destroy(sinew_gl_records *records);

/// Returns the shader variant for the records. `influences` is 0 and `morph` is false, because they depend on the
/// mesh. Makes no OpenGL call.
SINEW_API sinew_shader_variant sinew_gl_records_variant(const sinew_gl_records *records);

/// Uploads a palette. 0 <= count <= joint_count (asserted); matrices from `count` on become undefined. Earlier
/// draws keep the old ones. Only for records of one character without per_instance_transform (asserted). Changes:
/// same as sinew_gl_records_create.
SINEW_API void sinew_gl_records_update(sinew_gl_records *records, const sinew_affine *matrices, int32_t count);

/// Returns a character's record in host memory. Write it with sinew_gpu_record_write, sinew_bake_write or your
/// own code, then call sinew_gl_records_upload. It keeps its contents between uploads. 0 <= character <
/// character_count (asserted). Different threads can write different characters. Makes no OpenGL call.
SINEW_API float *sinew_gl_records_data(sinew_gl_records *records, int32_t character);

/// Writes a character's record in host memory with sinew_gpu_record_write. Makes no OpenGL call.
SINEW_API void sinew_gl_records_write(sinew_gl_records *records, int32_t character, sinew_affine world,
                                      const sinew_affine *joints, const float *weights);

/// Uploads the records of the first `count` characters in one call. 0 <= count <= character_count (asserted);
/// other records become undefined. Earlier draws keep the old ones. The call doesn't wait for them: it orphans
/// the old storage. Changes: same as sinew_gl_records_create; nothing for plain uniforms, which are sent when
/// bound.
SINEW_API void sinew_gl_records_upload(sinew_gl_records *records, int32_t count);

/// Binds records for the next draws. Plain uniforms, the slowest resource, are sent to the program in use, which
/// must be made for them. Changes: binding point skin_block_binding and GL_UNIFORM_BUFFER; or storage_binding and
/// GL_SHADER_STORAGE_BUFFER; or the active texture unit (records_texture_unit) and its texture.
SINEW_API void sinew_gl_records_bind(const sinew_gl_records *records);

/// Binds one character's record. 0 <= character < character_count (asserted). For SINEW_GPU_RESOURCE_BLOCK it
/// binds the character's range of the buffer; set `first` of sinew_gl_draw to 0. For other resources it binds all
/// records, like sinew_gl_records_bind, and `first` selects the character. Changes: same as
/// sinew_gl_records_bind.
SINEW_API void sinew_gl_records_bind_character(const sinew_gl_records *records, int32_t character);

// ---- Animation textures --------------------------------------------------------------------------------------

/// An animation texture on the GPU.
typedef struct sinew_gl_animations sinew_gl_animations;

/// Copies an animation texture to the GPU. Free it with sinew_gl_animations_destroy. Keep `bake` if you call
/// sinew_bake_write; the copy itself doesn't need it. Fails with SINEW_ERROR_LIMIT if it has more rows than the
/// context's textures can have, or with SINEW_ERROR_OUT_OF_MEMORY. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_animations_create(sinew_gl *gl, const sinew_bake *bake,
                                                  sinew_gl_animations **animations, sinew_error *error);

/// Frees an animation texture and its GPU objects, or nothing if NULL.
SINEW_API void sinew_gl_animations_destroy(sinew_gl_animations *animations);

/// Binds an animation texture for the next draws of SINEW_GPU_RECORD_BAKED. Changes: the active texture unit
/// (animations_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_animations_bind(const sinew_gl_animations *animations);

// ---- Meshes --------------------------------------------------------------------------------------------------

/// A primitive's vertices and indices on the GPU, with a vertex array.
typedef struct sinew_gl_mesh sinew_gl_mesh;

/// Copies a primitive to the GPU. Free the mesh with sinew_gl_mesh_destroy. You can free the primitive
/// afterwards. Joints become an integer attribute (uvec4). Fails with SINEW_ERROR_ARGUMENT if influences isn't 0,
/// 4 or 8, or with SINEW_ERROR_OUT_OF_MEMORY for host memory. Changes: GL_ARRAY_BUFFER; the vertex array binding
/// becomes 0.
SINEW_API sinew_result sinew_gl_mesh_create(sinew_gl *gl, const sinew_primitive *primitive, sinew_gl_mesh **mesh,
                                            sinew_error *error);

/// Frees a mesh and its GPU objects, or nothing if NULL. Earlier draws stay valid.
SINEW_API void sinew_gl_mesh_destroy(sinew_gl_mesh *mesh);

/// Replaces all positions, and all normals if `normals` isn't NULL. Both have 3 tightly packed floats per vertex.
/// Use it for morph targets added on the CPU; see sinew_morph (skin.h). Normals are ignored if the primitive has
/// none. Changes: GL_ARRAY_BUFFER.
SINEW_API void sinew_gl_mesh_update(sinew_gl_mesh *mesh, const float *positions, const float *normals);

/// Copies a primitive's morph targets to the GPU. Vertex shaders made with `morph` add them, weighted by the
/// record. `primitive` must be the mesh's own (its counts are asserted). You can free it afterwards. Call this
/// once per mesh (asserted); no-op without targets. Fails with SINEW_ERROR_LIMIT, with the numbers, if a texture
/// can't hold the texels, or with SINEW_ERROR_OUT_OF_MEMORY.
///
/// Changes: the active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API sinew_result sinew_gl_mesh_add_deltas(sinew_gl_mesh *mesh, const sinew_primitive *primitive,
                                                sinew_error *error);

/// Draws a mesh with the bound program and records: one character, without per_instance_transform and GPU morph
/// targets. Changes: the vertex array binding; for a mesh without colours, the attribute's current value to
/// white; without tangents, to (1, 0, 0, 1).
SINEW_API void sinew_gl_mesh_draw(const sinew_gl_mesh *mesh);

/// A draw of many characters, or one with morph targets.
typedef struct sinew_gl_draw {
    const sinew_gl_records *records; ///< the bound records
    int32_t first;                   ///< first character; 0 after sinew_gl_records_bind_character of a block
    int32_t count;                   ///< number of characters, drawn as instances; 0 draws nothing
    /// For a mesh without joints: the joint to attach it to, in a shader for 4 influences.
    int32_t joint;
    /// The mesh's first morph weight among the record's: skeleton->weight_offsets of its node, if the record has
    /// all the skeleton's weights.
    int32_t first_weight;
} sinew_gl_draw;

/// Draws a mesh for `draw->count` characters in one call, with the bound program and records. `first` and `count`
/// must be within the records (asserted). Changes: same as sinew_gl_mesh_draw; the current value of attribute
/// draw_location; for a mesh without joints, the current values of joints and weights; for a mesh with deltas,
/// the active texture unit (deltas_texture_unit) and its GL_TEXTURE_2D.
SINEW_API void sinew_gl_mesh_draw_many(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

/// Returns the OpenGL name of a mesh's vertex array, for your own draws, such as a depth pass. The mesh owns it.
SINEW_API uint32_t sinew_gl_mesh_vertex_array(const sinew_gl_mesh *mesh);

// ---- Skinning once -------------------------------------------------------------------------------------------

/// How to skin vertices ahead of draws.
typedef enum sinew_gl_skinning {
    SINEW_GL_SKINNING_FEEDBACK, ///< transform feedback: OpenGL 3.3, OpenGL ES 3.0
    SINEW_GL_SKINNING_COMPUTE   ///< a compute shader: OpenGL 4.3, OpenGL ES 3.1
} sinew_gl_skinning;

/// A mesh that is skinned once, for one character, then drawn in any number of passes.
typedef struct sinew_gl_skinned sinew_gl_skinned;

/// Creates a buffer for a mesh's skinned vertices: positions, and normals and tangents if the mesh has them. Free
/// it with sinew_gl_skinned_destroy, before the mesh and `gl`. `records` only selects the variant; you can
/// destroy it earlier. Deltas are added if sinew_gl_mesh_add_deltas was called before and the format has morph
/// weights. All buffers of the same kind in `gl` share one program, which the first one makes.
///
/// Fails with:
///   - SINEW_ERROR_UNSUPPORTED if SINEW_GL_SKINNING_COMPUTE isn't available, or if the driver rejects the
///     program; `error` has the driver's log.
///   - SINEW_ERROR_LIMIT if buffers are larger than a storage buffer can be; `error` has the numbers.
///   - SINEW_ERROR_ARGUMENT for SINEW_GPU_RESOURCE_UNIFORMS, which work only with your own programs.
///   - SINEW_ERROR_OUT_OF_MEMORY for host memory.
///
/// Changes: GL_ARRAY_BUFFER; the vertex array binding becomes 0. Restores GL_CURRENT_PROGRAM.
SINEW_API sinew_result sinew_gl_skinned_create(sinew_gl *gl, const sinew_gl_mesh *mesh,
                                               const sinew_gl_records *records, sinew_gl_skinning skinning,
                                               sinew_gl_skinned **skinned, sinew_error *error);

/// Frees the buffer and its GPU objects, or nothing if NULL. It also frees the program after its last user.
/// Earlier draws stay valid.
SINEW_API void sinew_gl_skinned_destroy(sinew_gl_skinned *skinned);

/// Skins the vertices for character `draw->first` with the bound records. Bind a block with
/// sinew_gl_records_bind_character. `first` must be within the records, and the records must have the variant
/// from sinew_gl_skinned_create (both asserted). `draw->count` is ignored. A mesh without joints is attached to
/// `draw->joint` if the format has joints. Later draws, storage buffer reads and copies see the result; this
/// function issues the barrier for compute shaders.
///
/// Changes: the program in use, to none; for a mesh with deltas, the active texture unit (deltas_texture_unit)
/// and its GL_TEXTURE_2D.
///   - SINEW_GL_SKINNING_FEEDBACK also changes the vertex array binding, to 0; GL_RASTERIZER_DISCARD, to
///     disabled; GL_TRANSFORM_FEEDBACK_BUFFER and its binding points 0 to 2, one for each array of the mesh;
///     the current value of attribute draw_location and, for a mesh without joints, of joints and weights. It
///     uses the bound transform feedback object, and no transform feedback may be active.
///   - SINEW_GL_SKINNING_COMPUTE also changes GL_SHADER_STORAGE_BUFFER and its three lowest binding points
///     other than storage_binding: by default 0, 1 and 2.
SINEW_API void sinew_gl_skinned_update(sinew_gl_skinned *skinned, const sinew_gl_draw *draw);

/// Draws the skinned triangles with the bound program. Make its vertex shader without records. Changes: same as
/// sinew_gl_mesh_draw.
SINEW_API void sinew_gl_skinned_draw(const sinew_gl_skinned *skinned);

/// Returns the buffer of skinned vertices: x, y, z of all positions, x, y, z of all normals, then x, y, z, w of
/// all tangents. Arrays that the mesh lacks are left out. `skinned` owns it.
SINEW_API uint32_t sinew_gl_skinned_buffer(const sinew_gl_skinned *skinned);

#ifdef __cplusplus
}
#endif
#endif
