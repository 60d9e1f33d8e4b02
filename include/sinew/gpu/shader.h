// SPDX-License-Identifier: MIT
/// The text of the skinning shaders, for renderers that build their own programs; gl.h does it for OpenGL.
///
/// A vertex shader is, in this order: in GLSL the version line; the preamble of a *variant* (sinew_shader_preamble),
/// which chooses the resource and the layout; sinew_shader_source, which defines functions such as
/// sinew_skin_matrix() and sinew_skin_point(); and the program's own main(), which calls them. The shader reads
/// records (gpu_record.h). docs/gpu.md has a whole example.
///
/// With per_instance_transform or morph targets, a draw needs four integers, an attribute without an array in OpenGL
/// and a uniform buffer elsewhere: the first texel of the first instance's record; the texels from one record to the
/// next; the first morph weight of the mesh in the record, in floats: sinew_gpu_record_first_weight plus
/// skeleton->weight_offsets of the mesh's node; and 4 × targets + deltas. `deltas` is the number of texels of each
/// vertex and target in the texture of morph targets: 1 for positions, 2 with normals, 3 with tangents. Texel
/// (vertex × targets + target) × deltas + k of it has the k-th. The vertex is the shader's vertex number, a base vertex
/// included.
///
/// Bindings: OpenGL has names, sinew_records, sinew_deltas (the texture of morph targets) and sinew_animations (of
/// baked records). Vulkan and WebGPU have one group, with binding 0 for the records, 1 for the deltas, 2 for the four
/// integers of a draw and 3 for the animations; a variant declares only those that it reads. Of attributes it declares
/// joints (unsigned integers), weights (floats) and the draw's four integers (signed); all others are the program's
/// own.
///
/// All functions may be called from any thread, and allocate nothing. Strings are in static storage.
#ifndef SINEW_SHADER_H
#define SINEW_SHADER_H

#include "gpu_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The language of a shader.
typedef enum sinew_shader_language {
    SINEW_SHADER_LANGUAGE_GLSL, ///< OpenGL 3.3 core, OpenGL ES 3.0 and later, Vulkan: src/gpu/shaders/skin.glsl
    SINEW_SHADER_LANGUAGE_WGSL  ///< WebGPU: src/gpu/shaders/skin.wgsl
} sinew_shader_language;

/// Returns the skinning shader's text, one for all variants of a language: ASCII, zero-terminated, in static storage.
/// NULL for other languages. Its first lines say what it needs before it, which sinew_shader_preamble writes, and
/// which functions it defines.
SINEW_API const char *sinew_shader_source(sinew_shader_language language);

/// Returns the text of the compute shader that skins vertices once, for any number of passes that draw them. It
/// follows a preamble with `no_attributes` and sinew_shader_source, and has its own entry point: main() in GLSL,
/// sinew_skin_vertices in WGSL. A work group has 64 vertices; any number of groups along x skins all of them, so
/// dispatch (vertices + 63) / 64 at most. It reads positions, normals and the other attributes from storage buffers,
/// and writes skinned positions, normals and tangents to one; its first lines say at which bindings and in which
/// order. The vertices are those of the draw's first record. NULL for other languages.
SINEW_API const char *sinew_shader_compute_source(sinew_shader_language language);

/// The GPU resource from which a shader reads records (see sinew/gpu/gpu_record.h).
typedef enum sinew_gpu_resource {
    SINEW_GPU_RESOURCE_NONE,     ///< no records: for meshes that nothing moves
    SINEW_GPU_RESOURCE_UNIFORMS, ///< an array of plain uniforms (GLSL for OpenGL only), with one or more records
    SINEW_GPU_RESOURCE_BLOCK, ///< a uniform block (GLSL), a uniform buffer (WGSL, Vulkan), with one or more records
    SINEW_GPU_RESOURCE_TEXTURE, ///< a 2D texture, RGBA32F, SINEW_TEXTURE_WIDTH texels a row
    SINEW_GPU_RESOURCE_BUFFER,  ///< a buffer texture (GLSL only)
    SINEW_GPU_RESOURCE_STORAGE  ///< a storage buffer: OpenGL 4.3, OpenGL ES 3.1, Vulkan, WebGPU
} sinew_gpu_resource;

/// The number of texels in a row of the textures that hold records, animations and morph target deltas: a width that
/// every OpenGL 3.3 supports, and a power of two.
#define SINEW_TEXTURE_WIDTH 1024

/// A variant of the skinning shader.
typedef struct sinew_shader_variant {
    sinew_gpu_resource resource;    ///< of the records
    sinew_gpu_record_layout layout; ///< of the records; ignored for SINEW_GPU_RESOURCE_NONE
    int32_t influences;             ///< joints per vertex: 4 or 8; 0: vertices without joints
    /// Records have a world matrix, and there is one record for each instance of a draw. Must be set for
    /// SINEW_GPU_RECORD_BAKED, and must not be for SINEW_GPU_RESOURCE_NONE.
    bool per_instance_transform;
    bool morph; ///< with morph targets, whose weights are in the records; not for SINEW_GPU_RESOURCE_NONE
} sinew_shader_variant;

/// The definition of a preamble.
typedef struct sinew_shader_def {
    sinew_shader_language language; ///< default SINEW_SHADER_LANGUAGE_GLSL
    /// Default: SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 4 influences, no transform of an instance, no morph
    /// targets.
    sinew_shader_variant variant;
    /// The size in texels of the whole array of SINEW_GPU_RESOURCE_UNIFORMS or SINEW_GPU_RESOURCE_BLOCK, which has
    /// all records of a draw; above 0; default 384, 128 joints of 3. Ignored for other resources.
    int32_t record_texels;
    bool vulkan; ///< GLSL for Vulkan: descriptor sets instead of OpenGL's names; default false; ignored for WGSL
    bool no_attributes; ///< for compute shaders: without attributes and the functions that read them; default false
    int32_t group;      ///< WGSL's group or Vulkan's descriptor set of all bindings of the shader; default 3
    int32_t storage_binding;   ///< binding point of OpenGL's storage buffer; default 3
    int32_t position_location; ///< attribute location of the positions; default 0
    int32_t normal_location;   ///< of the normals; default 1
    int32_t uv_location;       ///< of the texture coordinates; default 2
    int32_t joints_location;   ///< of the joint indices; default 3
    int32_t weights_location;  ///< of the weights; default 4
    int32_t color_location;    ///< of the vertex colours; default 5
    int32_t joints2_location;  ///< of the joints of influences 4 to 7; default 6
    int32_t weights2_location; ///< of their weights; default 7
    int32_t tangent_location;  ///< of the tangents; default 8
    int32_t draw_location;     ///< of the four integers of a draw; default 9
    uint32_t cookie;           ///< private: set by sinew_shader_default
} sinew_shader_def;

/// Returns the default definition: the defaults above.
SINEW_API sinew_shader_def sinew_shader_default(void);

/// Writes the preamble of a variant: the defines (GLSL), or the constants and bindings (WGSL). It precedes
/// sinew_shader_source, and in GLSL follows the version line. Returns the length of the whole preamble without the
/// zero, as snprintf does; at most `capacity` bytes are written, zero included. `text` may be NULL if capacity is 0.
/// Returns 0, and writes nothing, for a variant that is not valid or that the language does not support: plain
/// uniforms and buffer textures in WGSL and for Vulkan.
SINEW_API size_t sinew_shader_preamble(const sinew_shader_def *def, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
