// SPDX-License-Identifier: MIT
// The framebuffer for pictures. It's sRGB, so blending and averaging samples happen in linear light.
#include "render/target.h"

#include "render/program.h"

#include <math.h>

static int sample_count(void) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    return most < 4 ? most : 4;
}

static GLuint make_renderbuffer(int samples, GLenum format, int width, int height) {
    GLuint name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return name;
}

static bool attach(GLuint *framebuffer, GLuint color, GLuint depth) {
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    if (depth) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool draw_target_create(draw_target *target, int width, int height, sinew_error *error) {
    *target = (draw_target){.width = width, .height = height};
    GLint most = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    if (width > most || height > most) {
        draw_fail(error, "this OpenGL draws at most %d x %d pixels, not %d x %d", most, most, width, height);
        return false;
    }
    target->color = make_renderbuffer(sample_count(), GL_SRGB8_ALPHA8, width, height);
    target->depth = make_renderbuffer(sample_count(), GL_DEPTH_COMPONENT24, width, height);
    target->resolved_color = make_renderbuffer(0, GL_SRGB8_ALPHA8, width, height);
    if (attach(&target->resolved_framebuffer, target->resolved_color, 0) &&
        attach(&target->framebuffer, target->color, target->depth)) {
        return true;
    }
    draw_fail(error, "this OpenGL cannot create a %d x %d framebuffer", width, height);
    return false;
}

void draw_target_free(draw_target *target) {
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteFramebuffers(1, &target->resolved_framebuffer);
    glDeleteRenderbuffers(1, &target->color);
    glDeleteRenderbuffers(1, &target->depth);
    glDeleteRenderbuffers(1, &target->resolved_color);
    *target = (draw_target){0};
}

// ---- Reading -------------------------------------------------------------------------------------------------

static float to_linear(float s) {
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float l) {
    return l <= 0.0031308f ? l * 12.92f : 1.055f * powf(l, 1.0f / 2.4f) - 0.055f;
}

// Computes a partly covered pixel's color by dividing by its alpha in linear light.
static void make_straight(uint8_t *pixel) {
    if (pixel[3] == 255 || pixel[3] == 0) return;
    for (int i = 0; i < 3; i++) {
        float light = to_linear((float)pixel[i] / 255.0f) * 255.0f / (float)pixel[3];
        pixel[i] = (uint8_t)lrintf(255.0f * to_srgb(fminf(light, 1.0f)));
    }
}

// Flips the picture, because OpenGL starts at the bottom row.
static void turn_upside_down(draw_picture *picture) {
    size_t row_size = (size_t)picture->width * 4;
    for (int top = 0, bottom = picture->height - 1; top < bottom; top++, bottom--) {
        uint8_t *a = picture->rgba + (size_t)top * row_size, *b = picture->rgba + (size_t)bottom * row_size;
        for (size_t i = 0; i < row_size; i++) {
            uint8_t byte = a[i];
            a[i] = b[i];
            b[i] = byte;
        }
    }
}

void draw_target_read(const draw_target *target, draw_picture *picture) {
    const int width = target->width, height = target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved_framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved_framebuffer);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture->rgba);
    turn_upside_down(picture);
    const size_t count = (size_t)width * (size_t)height;
    for (size_t i = 0; i < count; i++) make_straight(picture->rgba + 4 * i);
}
