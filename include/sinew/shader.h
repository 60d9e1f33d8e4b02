/// The text of the skinning shaders, for renderers that assemble their own. (sinew-gl does it for OpenGL.)
/// All functions may be called from any thread, and allocate nothing.
#ifndef SINEW_SHADER_H
#define SINEW_SHADER_H

#include "gpu_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a shader is written in.
typedef enum sinew_shader_language {
    SINEW_SHADER_GLSL, ///< OpenGL 3.3 core and later, OpenGL ES 3.0 and later, Vulkan: src/gpu/shaders/skin.glsl
    SINEW_SHADER_WGSL  ///< WebGPU: src/gpu/shaders/skin.wgsl
} sinew_shader_language;

/// The shader text of that language, stated once for all variants: ASCII, zero-terminated, in static storage; NULL for
/// a language that there is not. Its first lines say what it wants to stand before it (sinew_shader_preamble writes
/// that), and which functions it gives.
SINEW_API const char *sinew_shader_source(sinew_shader_language language);

/// The same for the compute shader that skins vertices once, for as many passes as will draw them: what stands after a
/// preamble for shaders without attributes and sinew_shader_source. Its first lines say what it binds.
SINEW_API const char *sinew_shader_compute_source(sinew_shader_language language);

/// Where a shader finds the palette.
typedef enum sinew_gpu_resource {
    SINEW_GPU_RESOURCE_NONE,     ///< nowhere: for meshes that nothing moves
    SINEW_GPU_RESOURCE_UNIFORMS, ///< an array of plain uniforms (GLSL for OpenGL only)
    SINEW_GPU_RESOURCE_BLOCK,    ///< a uniform block (GLSL), a uniform buffer (WGSL, Vulkan)
    SINEW_GPU_RESOURCE_TEXTURE,  ///< a 2D texture, RGBA32F, SINEW_TEXTURE_WIDTH texels a row
    SINEW_GPU_RESOURCE_BUFFER,   ///< a buffer texture (GLSL only)
    SINEW_GPU_RESOURCE_STORAGE   ///< a storage buffer: OpenGL 4.3, OpenGL ES 3.1, Vulkan, WebGPU
} sinew_gpu_resource;

/// Texels in a row of a palette's, an animation's and a delta's texture: what every OpenGL 3.3 texture may have, and a
/// power of two.
#define SINEW_TEXTURE_WIDTH 1024

/// Everything that makes one skinning shader different from another.
typedef struct sinew_shader_variant {
    sinew_gpu_resource resource;    ///< where the palette is
    sinew_gpu_record_layout layout; ///< not looked at where there is no palette
    int32_t influences;             ///< 4 or 8; 0: vertices without joints
    bool per_instance_transform;    ///< records have a place, and there is one for each instance of a draw
    bool morph;                     ///< with morph targets
} sinew_shader_variant;

/// What sinew_shader_preamble writes.
typedef struct sinew_shader_def {
    sinew_shader_language language; ///< default SINEW_SHADER_GLSL
    sinew_shader_variant variant;   ///< default: see below
    int32_t
        record_texels; ///< the array's size in texels, for SINEW_GPU_RESOURCE_UNIFORMS and SINEW_GPU_RESOURCE_BLOCK
    bool vulkan;       ///< GLSL for Vulkan: descriptor sets instead of OpenGL's names
    bool no_attributes; ///< for compute shaders: without attributes and what reads them
    int32_t group;      ///< WGSL's group or Vulkan's descriptor set; default 3 (group 0 the frame, 2 the object)
    int32_t storage_binding;   ///< OpenGL's storage buffer binding; default 3
    int32_t position_location; ///< attribute locations: default 0
    int32_t normal_location;   ///< default 1
    int32_t uv_location;       ///< default 2
    int32_t joints_location;   ///< default 3
    int32_t weights_location;  ///< default 4
    int32_t color_location;    ///< default 5
    int32_t joints2_location;  ///< of influences 4 to 7: default 6
    int32_t weights2_location; ///< of influences 4 to 7: default 7
    int32_t tangent_location;  ///< default 8
    int32_t draw_location;     ///< of the draw's own four integers: default 9
    uint32_t cookie;           ///< private: set by sinew_shader_default
} sinew_shader_def;

/// The defaults above: GLSL, a uniform block of 384 texels (128 joints) in SINEW_GPU_RECORD_ROWS, 4 influences.
SINEW_API sinew_shader_def sinew_shader_default(void);

/// Writes what stands before sinew_shader_source (after the version line of GLSL): defines, or constants and bindings.
/// Like snprintf: returns the length that it has or would have, without the zero; at most `capacity` bytes are written,
/// zero included, and none where capacity is 0, when `text` may be NULL. Returns -1, and writes nothing, for a variant
/// that the language cannot say.
SINEW_API int32_t sinew_shader_preamble(const sinew_shader_def *def, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
