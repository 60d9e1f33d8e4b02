// SPDX-License-Identifier: MIT
// Ground maps: projects and blurs them.
#include "render/ground.h"

#include <math.h>

enum { MAP_SIZE = 320, MAX_MAP_SIZE = 2048, SOURCE_UNIT = 0 };

// Relative to the height of the box that casts the shadow.
static const float SHADOW_BLUR = 0.07f;   // at the highest point
static const float CONTACT_BLUR = 0.08f;  // for the contact shadow
static const float CONTACT_LIMIT = 0.14f; // surfaces up to this height have a contact shadow

// ---- Making --------------------------------------------------------------------------------------------------

static bool make_framebuffer(int size, GLuint *framebuffer, GLuint *texture, bool depth) {
    glGenTextures(1, texture);
    glActiveTexture(GL_TEXTURE0 + SOURCE_UNIT);
    glBindTexture(GL_TEXTURE_2D, *texture);
    if (depth) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                     NULL);
    } else {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, depth ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, depth ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);

    GLenum target = depth ? GL_NONE : GL_COLOR_ATTACHMENT0;
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, depth ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           *texture, 0);
    glDrawBuffers(1, &target);
    glReadBuffer(target);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

int draw_map_size(int least, float row, int32_t crowd, int most) {
    const float size = (float)least + row * sqrtf((float)crowd);
    return size < (float)most ? (int)size : most;
}

bool draw_ground_create(draw_ground *ground, const sinew_gl *gl, int32_t crowd, sinew_error *error) {
    const int size = draw_map_size(MAP_SIZE, 56.0f, crowd, MAX_MAP_SIZE);
    *ground = (draw_ground){.size = size};
    const char *const vertex[] = {sinew_gl_shader_head(gl), draw_background_vert};
    const char *const fragment[] = {sinew_gl_shader_head(gl), draw_blur_frag};
    ground->blur = draw_program_link(gl, vertex, 2, fragment, 2, error);
    if (!ground->blur) return false;
    glGenVertexArrays(1, &ground->vertex_array);
    bool good = make_framebuffer(size, &ground->depth_framebuffer, &ground->depth, true) &&
                make_framebuffer(size, &ground->half_framebuffer, &ground->half, false);
    for (int i = 0; good && i < DRAW_GROUND_MAPS; i++) {
        good = make_framebuffer(size, &ground->map_framebuffers[i], &ground->maps[i], false);
    }
    if (!good) draw_fail(error, "this OpenGL cannot create a framebuffer for the shadow on the ground");
    return good;
}

void draw_ground_free(draw_ground *ground) {
    glDeleteProgram(ground->blur);
    glDeleteVertexArrays(1, &ground->vertex_array);
    glDeleteTextures(1, &ground->depth);
    glDeleteTextures(1, &ground->half);
    glDeleteTextures(DRAW_GROUND_MAPS, ground->maps);
    glDeleteFramebuffers(1, &ground->depth_framebuffer);
    glDeleteFramebuffers(1, &ground->half_framebuffer);
    glDeleteFramebuffers(DRAW_GROUND_MAPS, ground->map_framebuffers);
    *ground = (draw_ground){0};
}

// ---- Pressing ------------------------------------------------------------------------------------------------

// Computes how far a point's shadow moves per meter of the point's height.
static void slant(int map, sinew_vec3 toward_light, float *x, float *z) {
    bool down = map == DRAW_GROUND_CONTACT;
    *x = down ? 0.0f : -toward_light.x / toward_light.y;
    *z = down ? 0.0f : -toward_light.z / toward_light.y;
}

static void set_part(draw_ground_area *area, int map, sinew_vec3 least, sinew_vec3 most, float margin) {
    const float scale = 0.5f / area->half;
    float *part = area->parts[map];
    part[0] = 0.5f + scale * (least.x - margin - area->middle.x);
    part[1] = 0.5f + scale * (least.z - margin - area->middle.z);
    part[2] = 0.5f + scale * (most.x + margin - area->middle.x);
    part[3] = 0.5f + scale * (most.z + margin - area->middle.z);
    for (int i = 0; i < 4; i++) part[i] = fminf(fmaxf(part[i], 0.0f), 1.0f);
}

draw_ground_area draw_ground_area_of(sinew_vec3 least, sinew_vec3 most, sinew_vec3 toward_light) {
    const sinew_vec3 foot_least = least, foot_most = most;
    float x, z, height = most.y - least.y;
    if (!(height > 0.0f) || !isfinite(height)) height = 1.0f;
    slant(DRAW_GROUND_SHADOW, toward_light, &x, &z);
    least.x += fminf(x * height, 0.0f);
    least.z += fminf(z * height, 0.0f);
    most.x += fmaxf(x * height, 0.0f);
    most.z += fmaxf(z * height, 0.0f);
    const float margin = 1.3f * SHADOW_BLUR * height;
    draw_ground_area area = {.middle = {0.5f * (least.x + most.x), least.y, 0.5f * (least.z + most.z)},
                             .half = 0.5f * fmaxf(most.x - least.x, most.z - least.z) + margin,
                             .height = height};
    if (!(area.half > 0.0f) || !isfinite(area.half)) area.half = 1.0f;
    set_part(&area, DRAW_GROUND_SHADOW, least, most, margin);
    set_part(&area, DRAW_GROUND_CONTACT, foot_least, foot_most, 1.3f * CONTACT_BLUR * height);
    return area;
}

// Depth is height, with a margin below and above.
sinew_mat4 draw_ground_projection(const draw_ground_area *area, int map, sinew_vec3 toward_light) {
    float x, z;
    slant(map, toward_light, &x, &z);
    const float scale = 1.0f / area->half;
    sinew_mat4 out = {{0}};
    out.m[0] = out.m[9] = scale;
    out.m[4] = x * scale;
    out.m[5] = z * scale;
    out.m[6] = 1.96f / area->height;
    out.m[12] = (-area->middle.x - x * area->middle.y) * scale;
    out.m[13] = (-area->middle.z - z * area->middle.y) * scale;
    out.m[14] = -area->middle.y * out.m[6] - 0.98f;
    out.m[15] = 1.0f;
    return out;
}

// ---- Drawing -------------------------------------------------------------------------------------------------

void draw_ground_begin(const draw_ground *ground) {
    glBindFramebuffer(GL_FRAMEBUFFER, ground->depth_framebuffer);
    glViewport(0, 0, ground->size, ground->size);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glClear(GL_DEPTH_BUFFER_BIT);
}

static void blur(const draw_ground *ground, GLuint from, GLuint framebuffer, float x, float y) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glBindTexture(GL_TEXTURE_2D, from);
    const float direction[3] = {x, y, 0.0f};
    draw_set_vec3(ground->blur, "direction", direction);
    draw_set_int(ground->blur, "first", from == ground->depth);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_SCISSOR_TEST);
}

void draw_ground_end(const draw_ground *ground, const draw_ground_area *area, int map) {
    const float texel = 2.0f * area->half / (float)ground->size;
    const bool contact = map == DRAW_GROUND_CONTACT;
    const float *part = area->parts[map];
    glDisable(GL_DEPTH_TEST);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    if (epoxy_is_desktop_gl()) glDisable(GL_FRAMEBUFFER_SRGB);
    glUseProgram(ground->blur);
    glBindVertexArray(ground->vertex_array);
    glActiveTexture(GL_TEXTURE0 + SOURCE_UNIT);
    draw_set_int(ground->blur, "source", SOURCE_UNIT);
    draw_set_float(ground->blur, "limit", contact ? CONTACT_LIMIT : 0.0f);
    draw_set_float(ground->blur, "wide", (contact ? CONTACT_BLUR : SHADOW_BLUR) * area->height / texel);
    const float size = (float)ground->size;
    const int left = (int)(part[0] * size), bottom = (int)(part[1] * size);
    glScissor(left, bottom, (int)ceilf(part[2] * size) - left, (int)ceilf(part[3] * size) - bottom);
    blur(ground, ground->depth, ground->half_framebuffer, 1.0f, 0.0f);
    blur(ground, ground->half, ground->map_framebuffers[map], 0.0f, 1.0f);
    glEnable(GL_DEPTH_TEST);
}

void draw_ground_bind(const draw_ground *ground, const draw_ground_area *area, GLuint program, int first_unit) {
    static const char *const names[DRAW_GROUND_MAPS] = {"ground_shadow", "ground_contact"};
    for (int i = 0; i < DRAW_GROUND_MAPS; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)(first_unit + i));
        glBindTexture(GL_TEXTURE_2D, ground->maps[i]);
        draw_set_int(program, names[i], first_unit + i);
    }
    draw_set_vec3(program, "map_middle", &area->middle.x);
    draw_set_float(program, "map_half", area->half);
}
