// SPDX-License-Identifier: MIT
// The context and a framebuffer. Without a surface there's no other framebuffer, and nothing can be drawn without
// one, not even for capturing.
#include "support/gl_context.h"

#include "render/egl_context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static draw_egl egl;
static draw_egl_version asked;
static char context_name[16];
static GLuint framebuffer, renderbuffer;

// Mesa always gives its highest version, unless its environment says otherwise.
static void hold_mesa_to(const draw_egl_version *version) {
    char text[16];
    const bool es = version->api == DRAW_EGL_ES;
    snprintf(text, sizeof text, "%d.%d", version->major, version->minor);
    setenv(es ? "MESA_GLES_VERSION_OVERRIDE" : "MESA_GL_VERSION_OVERRIDE", text, 1);
    if (es) return;
    snprintf(text, sizeof text, "%d%d0", version->major, version->minor);
    setenv("MESA_GLSL_VERSION_OVERRIDE", text, 1);
}

static void make_framebuffer(void) {
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
}

static draw_egl_version read_name(const char *name) {
    const bool es = strncmp(name, "es", 2) == 0;
    const char *number = es ? name + 2 : name;
    assert_int_equal(strlen(number), 3);
    return (draw_egl_version){es ? DRAW_EGL_ES : DRAW_EGL_DESKTOP, number[0] - '0', number[2] - '0'};
}

bool gl_context_open(const char *name) {
    sinew_error error;
    asked = read_name(name);
    snprintf(context_name, sizeof context_name, "%s", name);
    hold_mesa_to(&asked);
    if (!draw_egl_open_version(&egl, asked, &error)) {
        print_message("[  SKIP    ] %s\n", error.message);
        return false;
    }
    print_message("%s: %s, %s\n", name, (const char *)glGetString(GL_VERSION),
                  (const char *)glGetString(GL_RENDERER));
    make_framebuffer();
    gl_context_reset_proxy();
    return true;
}

void gl_context_close(void) {
    if (!egl.context) return;
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
    draw_egl_close(&egl);
}

bool gl_context_is_open(void) {
    return egl.context != NULL;
}

bool gl_context_is_es(void) {
    return asked.api == DRAW_EGL_ES;
}

const char *gl_context_name(void) {
    return context_name;
}

bool gl_context_has(int version, int version_es) {
    return 10 * asked.major + asked.minor >= (gl_context_is_es() ? version_es : version);
}

void gl_context_reset_proxy(void) {
    gl_proxy_open(gl_context_is_es(), asked.major, asked.minor);
}

// ---- What tests begin with -----------------------------------------------------------------------------------

static const char *chosen;

const char *gl_context_choose(int argc, char **argv) {
    chosen = argc > 1 ? argv[1] : "4.5";
    return chosen;
}

int gl_context_setup(void **state) {
    (void)state;
    gl_context_open(chosen);
    return 0;
}

int gl_context_teardown(void **state) {
    (void)state;
    gl_context_close();
    return 0;
}

void gl_context_need(void) {
    if (!gl_context_is_open()) skip();
    gl_context_reset_proxy();
}

sinew_gl_def gl_context_def(void) {
    sinew_gl_def def = sinew_gl_default();
    def.get_proc_address = gl_proxy_proc;
    return def;
}

sinew_gl *gl_context_create(const sinew_gl_def *def) {
    sinew_gl *gl;
    sinew_error error;
    if (sinew_gl_create(def, &gl, &error) != SINEW_OK) fail_msg("%s", error.message);
    return gl;
}

sinew_gl *gl_context_create_default(void) {
    const sinew_gl_def def = gl_context_def();
    return gl_context_create(&def);
}
