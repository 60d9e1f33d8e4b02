// SPDX-License-Identifier: MIT
/// The text of the skinning shaders, for renderers that build their own programs. For OpenGL, gl.h does this for
/// you.
///
/// Concatenate a vertex shader from these parts: in GLSL the version line; a *variant's* preamble
/// (sinew_shader_preamble), which selects the resource and the layout; sinew_shader_source, which defines
/// sinew_skin_matrix(), sinew_skin_point() and more; and your own main(). The shader reads records
/// (gpu_record.h). docs/gpu.md has a complete example, and the end of this header describes bindings and the four
/// integers of a draw.
///
/// All functions are safe to call from any thread, and don't allocate. Strings are in static storage.
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

/// Returns the skinning shader's text, which is the same for all variants: ASCII, zero-terminated. NULL for
/// another language. Its first lines list what it needs from the preamble, and the functions that it defines.
SINEW_API const char *sinew_shader_source(sinew_shader_language language);

/// Returns the text of a compute shader that skins vertices once, to draw them in any number of passes. NULL for
/// another language. Put it after a preamble with `no_attributes` and sinew_shader_source. It has its own entry
/// point: main() in GLSL, sinew_skin_vertices in WGSL. A work group has 64 vertices; any number of groups along x
/// skins all vertices, so dispatch (vertices + 63) / 64 at most. It reads vertex attributes from storage buffers
/// and writes skinned positions, normals and tangents to one. Its first lines list the bindings and the order. It
/// skins for the draw's first record.
SINEW_API const char *sinew_shader_compute_source(sinew_shader_language language);

/// The GPU resource that a shader reads records from; see sinew/gpu/gpu_record.h.
typedef enum sinew_gpu_resource {
    SINEW_GPU_RESOURCE_NONE,     ///< no records, for meshes that nothing moves
    SINEW_GPU_RESOURCE_UNIFORMS, ///< an array of plain uniforms (OpenGL only), with one or more records
    SINEW_GPU_RESOURCE_BLOCK, ///< a uniform block (GLSL) or uniform buffer (WGSL, Vulkan), with one or more records
    SINEW_GPU_RESOURCE_TEXTURE, ///< a 2D RGBA32F texture, SINEW_TEXTURE_WIDTH texels wide
    SINEW_GPU_RESOURCE_BUFFER,  ///< a buffer texture (GLSL only)
    SINEW_GPU_RESOURCE_STORAGE  ///< a storage buffer: OpenGL 4.3, OpenGL ES 3.1, Vulkan, WebGPU
} sinew_gpu_resource;

/// The width in texels of textures for records, animations and morph target deltas. Every OpenGL 3.3 supports it.
#define SINEW_TEXTURE_WIDTH 1024

/// A variant of the skinning shader.
typedef struct sinew_shader_variant {
    sinew_gpu_resource resource;    ///< where the records are
    sinew_gpu_record_layout layout; ///< the records' layout; ignored for SINEW_GPU_RESOURCE_NONE
    int32_t influences;             ///< joints per vertex: 4 or 8; 0 without joints
    /// Records have a world matrix, one record for each instance of a draw. Must be set for
    /// SINEW_GPU_RECORD_BAKED, and must not be set for SINEW_GPU_RESOURCE_NONE.
    bool per_instance_transform;
    bool morph; ///< adds morph targets, weighted by the records; not for SINEW_GPU_RESOURCE_NONE
} sinew_shader_variant;

/// The definition of a preamble. Start from sinew_shader_default.
typedef struct sinew_shader_def {
    sinew_shader_language language; ///< default SINEW_SHADER_LANGUAGE_GLSL
    /// Default: SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 4 influences, no per_instance_transform, no
    /// morph.
    sinew_shader_variant variant;
    /// For SINEW_GPU_RESOURCE_UNIFORMS and SINEW_GPU_RESOURCE_BLOCK: the array's size in texels, for all records
    /// of a draw; above 0; default 384, 128 joints of 3. Ignored for other resources.
    int32_t record_texels;
    bool vulkan;        ///< GLSL for Vulkan, with descriptor sets instead of names; default false; ignored for WGSL
    bool no_attributes; ///< leaves out attributes and what reads them, for compute shaders; default false
    int32_t group;      ///< WGSL group or Vulkan descriptor set of all bindings; default 3
    int32_t storage_binding;   ///< OpenGL's storage buffer binding point; default 3
    int32_t position_location; ///< attribute location of positions; default 0
    int32_t normal_location;   ///< of normals; default 1
    int32_t uv_location;       ///< of texture coordinates; default 2
    int32_t joints_location;   ///< of joint indices; default 3
    int32_t weights_location;  ///< of joint weights; default 4
    int32_t color_location;    ///< of vertex colours; default 5
    int32_t joints2_location;  ///< of joint indices 4 to 7; default 6
    int32_t weights2_location; ///< of their weights; default 7
    int32_t tangent_location;  ///< of tangents; default 8
    int32_t draw_location;     ///< of the draw's four integers; default 9
    uint32_t cookie;           ///< private: set by sinew_shader_default
} sinew_shader_def;

/// Returns the defaults above.
SINEW_API sinew_shader_def sinew_shader_default(void);

/// Writes a variant's preamble: defines in GLSL, constants and bindings in WGSL. Put it before
/// sinew_shader_source and, in GLSL, after the version line. Returns the length of the whole preamble without the
/// zero, like snprintf. Writes at most `capacity` bytes, including the zero. `text` may be NULL if capacity is 0.
/// Returns 0 and writes nothing if the variant is invalid or the language doesn't support it: plain uniforms and
/// buffer textures in WGSL and for Vulkan.
SINEW_API size_t sinew_shader_preamble(const sinew_shader_def *def, char *text, size_t capacity);

// ---- Bindings and draws --------------------------------------------------------------------------------------

// Bindings. In OpenGL they have names: sinew_records, sinew_deltas (the morph target texture) and sinew_animations (for
// baked records). In Vulkan and WebGPU they share one group: binding 0 for records, 1 for deltas, 2 for the draw's four
// integers and 3 for animations. A variant declares only the bindings that it reads. It declares these attributes:
// joints (unsigned integers), weights (floats) and the draw's four integers (signed). All other attributes are yours.
//
// Draws. With per_instance_transform or morph targets, a draw needs four integers. In OpenGL they are an attribute
// without an array, elsewhere a uniform buffer:
//   - the first texel of the first instance's record
//   - the texels from one record to the next
//   - the mesh's first morph weight in the record, in floats: sinew_gpu_record_first_weight plus
//     skeleton->weight_offsets of the mesh's node
//   - 4 × targets + deltas, where deltas is 1 for positions, 2 with normals, 3 with tangents
//
// Morph targets. Texel (vertex × targets + target) × deltas + k of the morph target texture has the k-th delta. The
// vertex is the shader's vertex number, including a base vertex.

#ifdef __cplusplus
}
#endif
#endif
