// Animation textures on the GPU.
#include "gl/gl_internal.h"

#include <assert.h>

struct sinew_gl_animations {
    sinew_gl *gl;
    unsigned texture;
};

sinew_result sinew_gl_animations_create(sinew_gl *gl, const sinew_bake *bake, sinew_gl_animations **out,
                                        sinew_error *error) {
    assert(gl && bake && out);
    *out = NULL;
    if (bake->height > gl->max_texture_size) {
        return sinew_gl_fail(error, SINEW_ERROR_LIMIT,
                             "an animation texture of %d frames of %d joints needs %d rows of %d texels, but "
                             "GL_MAX_TEXTURE_SIZE is %d",
                             bake->frame_count, bake->joint_count, bake->height, bake->width, gl->max_texture_size);
    }
    sinew_gl_animations *animations =
        (sinew_gl_animations *)sinew_gl_allocate(&gl->def.allocator, sizeof *animations, error);
    if (!animations) return SINEW_ERROR_OUT_OF_MEMORY;
    animations->gl = gl;
    animations->texture = sinew_gl_make_texture(gl, gl->def.animations_texture_unit,
                                                bake->format == SINEW_BAKE_HALF ? GL_RGBA16F : GL_RGBA32F,
                                                bake->height, bake->texels);
    *out = animations;
    return SINEW_OK;
}

void sinew_gl_animations_destroy(sinew_gl_animations *animations) {
    if (!animations) return;
    animations->gl->functions.DeleteTextures(1, &animations->texture);
    sinew_gl_release(&animations->gl->def.allocator, animations, sizeof *animations);
}

void sinew_gl_animations_bind(const sinew_gl_animations *animations) {
    assert(animations);
    const sinew_gl *gl = animations->gl;
    sinew_gl_bind_texture(gl, gl->def.animations_texture_unit, GL_TEXTURE_2D, animations->texture);
}
