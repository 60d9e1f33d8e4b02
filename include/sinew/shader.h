/// The text of the skinning shaders, for renderers that assemble their own. (sinew-gl does it for OpenGL.)
#ifndef SINEW_SHADER_H
#define SINEW_SHADER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a shader is written in.
typedef enum sinew_shader_language {
    SINEW_SHADER_GLSL ///< shaders/skin.glsl: valid as `#version 330 core` and as `#version 300 es`
} sinew_shader_language;

/// The shader text of that language: ASCII, zero-terminated, in static storage; NULL for a language that there is
/// not. Its first lines say which defines it wants, and which functions it gives. Any thread.
SINEW_API const char *sinew_shader_source(sinew_shader_language language);

#ifdef __cplusplus
}
#endif
#endif
