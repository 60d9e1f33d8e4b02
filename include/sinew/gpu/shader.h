// SPDX-License-Identifier: MIT
/// Source code of the skinning shaders, for renderers that build their own programs. In OpenGL, gl.h does this for
/// you.
///
/// To make a vertex shader, concatenate these parts:
///   - the version line, if you use GLSL
///   - the preamble of a *variant* (sinew_shader_preamble), which selects the resource and the layout
///   - sinew_shader_source, which defines sinew_skin_matrix(), sinew_skin_point() and more
///   - your own main()
///
/// The shader reads records (gpu_record.h). See docs/gpu.md for a complete example. The end of this header
/// describes the bindings and a draw's four integers.
///
/// You can call all functions from any thread. They don't allocate. Strings are in static storage.
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

/// Returns the source of the skinning shader, which is the same for all variants. It's ASCII and zero-terminated.
/// Returns NULL if the language is unknown. The comment at the top lists the functions that it defines, and the
/// names that it needs from the preamble.
SINEW_API const char *sinew_shader_source(sinew_shader_language language);

/// Returns the source of a compute shader that skins vertices once, so you can draw them in any number of passes.
/// Returns NULL if the language is unknown. Put it after sinew_shader_source, and use a preamble with
/// `no_attributes`. It has its own entry point: main() in GLSL and sinew_skin_vertices in WGSL. A work group
/// processes 64 vertices. All vertices are skinned no matter how many groups you dispatch along x, but you never
/// need more than one for every 64 vertices, rounded up. The shader reads vertex attributes from storage buffers,
/// and writes skinned positions, normals and tangents to a single buffer. The comment at the top lists the
/// bindings and the order. Vertices are skinned with the draw's first record.
SINEW_API const char *sinew_shader_compute_source(sinew_shader_language language);

/// The GPU resource that a shader reads records from. See sinew/gpu/gpu_record.h.
typedef enum sinew_gpu_resource {
    SINEW_GPU_RESOURCE_NONE,     ///< no records, for static meshes
    SINEW_GPU_RESOURCE_UNIFORMS, ///< an array of plain uniforms with one or more records; only in OpenGL
    SINEW_GPU_RESOURCE_BLOCK, ///< a uniform block (GLSL) or uniform buffer (WGSL, Vulkan) with one or more records
    SINEW_GPU_RESOURCE_TEXTURE, ///< a 2D RGBA32F texture, SINEW_TEXTURE_WIDTH texels wide
    SINEW_GPU_RESOURCE_BUFFER,  ///< a buffer texture (GLSL only)
    SINEW_GPU_RESOURCE_STORAGE  ///< a storage buffer: OpenGL 4.3, OpenGL ES 3.1, Vulkan, WebGPU
} sinew_gpu_resource;

/// The width of textures for records, animations and morph target deltas, in texels. Every OpenGL 3.3 context
/// supports it.
#define SINEW_TEXTURE_WIDTH 1024

/// A variant of the skinning shader.
typedef struct sinew_shader_variant {
    sinew_gpu_resource resource;    ///< where the records are
    sinew_gpu_record_layout layout; ///< the records' layout; ignored for SINEW_GPU_RESOURCE_NONE
    int32_t influences;             ///< joints per vertex: 4 or 8, or 0 if there are no joints
    /// Each instance in a draw has its own record, which includes a world matrix. Must be true for
    /// SINEW_GPU_RECORD_BAKED, and false for SINEW_GPU_RESOURCE_NONE.
    bool per_instance_transform;
    bool morph; ///< adds morph targets, with weights from the records; must be false for SINEW_GPU_RESOURCE_NONE
} sinew_shader_variant;

/// Defines a preamble. Start from sinew_shader_default.
typedef struct sinew_shader_def {
    sinew_shader_language language; ///< default SINEW_SHADER_LANGUAGE_GLSL
    /// Default: SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 4 influences, no per_instance_transform, no
    /// morph.
    sinew_shader_variant variant;
    /// The size of the array for SINEW_GPU_RESOURCE_UNIFORMS and SINEW_GPU_RESOURCE_BLOCK, in texels. It must be
    /// above 0 and hold all records in a draw. Default 384, which is 128 joints with 3 texels each. Ignored for
    /// other resources.
    int32_t record_texels;
    bool vulkan;        ///< GLSL for Vulkan, with descriptor sets instead of names; default false; ignored for WGSL
    bool no_attributes; ///< leaves out attributes and the code that reads them, for compute shaders; default false
    int32_t group;      ///< WGSL group or Vulkan descriptor set for all bindings; default 3
    int32_t storage_binding;   ///< OpenGL's storage buffer binding point; default 3
    int32_t position_location; ///< attribute location of positions; default 0
    int32_t normal_location;   ///< attribute location of normals; default 1
    int32_t uv_location;       ///< attribute location of texture coordinates; default 2
    int32_t joints_location;   ///< attribute location of joint indices; default 3
    int32_t weights_location;  ///< attribute location of joint weights; default 4
    int32_t color_location;    ///< attribute location of vertex colors; default 5
    int32_t joints2_location;  ///< attribute location of joint indices 4 to 7; default 6
    int32_t weights2_location; ///< attribute location of joint weights 4 to 7; default 7
    int32_t tangent_location;  ///< attribute location of tangents; default 8
    int32_t draw_location;     ///< attribute location of the draw's four integers; default 9
    uint32_t cookie;           ///< private: set by sinew_shader_default
} sinew_shader_def;

/// Returns the defaults above.
SINEW_API sinew_shader_def sinew_shader_default(void);

/// Writes the preamble of a variant: defines in GLSL, or constants and bindings in WGSL. Put it before
/// sinew_shader_source. In GLSL, the version line must come first. Returns the length of the whole preamble, not
/// counting the terminating zero, like snprintf. Writes at most `capacity` bytes, including the zero. `text` may
/// be NULL if `capacity` is 0. Returns 0 and writes nothing if the variant is invalid, or if the language doesn't
/// support it: WGSL and Vulkan have no plain uniforms or buffer textures.
SINEW_API size_t sinew_shader_preamble(const sinew_shader_def *def, char *text, size_t capacity);

// ---- Bindings and draws --------------------------------------------------------------------------------------

// Bindings. In OpenGL they have names: sinew_records, sinew_deltas (the morph target texture) and sinew_animations
// (for baked records). In Vulkan and WebGPU they're all in one group: binding 0 is for records, 1 for deltas, 2
// for the draw's four integers and 3 for animations. A variant only declares the bindings that it reads. It also
// declares these attributes: joints (unsigned integers), weights (floats) and the draw's four integers (signed).
// Declare any other attributes yourself.
//
// Draws. If you use per_instance_transform or morph targets, a draw needs four integers. In OpenGL they're an
// attribute with no array. Elsewhere they're a uniform buffer:
//   - the first texel of the first instance's record
//   - the number of texels from one record to the next
//   - the index of the mesh's first morph weight in the record, in floats: sinew_gpu_record_first_weight plus
//     skeleton->weight_offsets[node] for the mesh's node
//   - 4 × targets + deltas, where deltas is 1 for positions, 2 with normals, and 3 with tangents
//
// Morph targets. The k-th delta is in texel (vertex × targets + target) × deltas + k of the morph target texture.
// `vertex` is the shader's vertex number, including the base vertex.

#ifdef __cplusplus
}
#endif
#endif
