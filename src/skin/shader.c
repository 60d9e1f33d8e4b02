// The skinning shaders as text.
#include <sinew/shader.h>

#include "skin/shader_texts.h"

const char *sinew_shader_source(sinew_shader_language language) {
    return language == SINEW_SHADER_GLSL ? sinew_skin_glsl : NULL;
}
