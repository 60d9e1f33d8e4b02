// An OpenGL 3.3 context without a window, for examples that render to a framebuffer. If your program has a window, it
// gets its context from GLFW, SDL or the like and needs none of this.
#ifndef EXAMPLE_GL_CONTEXT_H
#define EXAMPLE_GL_CONTEXT_H

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <sinew/gpu/gl.h>

#include <stdio.h>
#include <stdlib.h>

static void gl_context_require(bool good, const char *message) {
    if (good) return;
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static bool gl_context_on(EGLDisplay display) {
    static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
        return false;
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
    return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

// Makes a context current, on Mesa's surfaceless platform or on the default display.
static void gl_context_open(void) {
    bool good = epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
                gl_context_on(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
    if (!good) good = gl_context_on(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    gl_context_require(good, "there is no OpenGL 3.3 through EGL on this machine");
}

// The get_proc_address for sinew_gl_def.
static sinew_gl_proc gl_context_proc(const char *name, void *user) {
    (void)user;
    return (sinew_gl_proc)eglGetProcAddress(name);
}

// Creates, binds and clears a square framebuffer with depth. Draws go there.
static void gl_context_make_framebuffer(int size) {
    GLuint framebuffer, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    glViewport(0, 0, size, size);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static GLuint gl_context_compile(GLenum type, int count, const char *const *sources) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good;
    char log[1024];
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    gl_context_require(good, log);
    return shader;
}

// Links Sinew's vertex shader with a fragment shader, which is complete except for its version line.
static GLuint gl_context_link(const sinew_gl *gl, const sinew_gl_source *vertex, const char *fragment_body) {
    const char *fragment[] = {sinew_gl_shader_head(gl), fragment_body};
    GLuint program = glCreateProgram();
    glAttachShader(program, gl_context_compile(GL_VERTEX_SHADER, SINEW_GL_SOURCES, vertex->strings));
    glAttachShader(program, gl_context_compile(GL_FRAGMENT_SHADER, 2, fragment));
    glLinkProgram(program);
    sinew_error error;
    gl_context_require(sinew_gl_setup_program(gl, program, &error) == SINEW_OK, error.message);
    return program;
}

// Prints how much of the image was drawn, and writes it to `path` unless that is NULL. An empty image is an error.
static void gl_context_finish(int size, const char *path) {
    size_t pixels = (size_t)size * (size_t)size, drawn = 0;
    unsigned char *rgba = malloc(pixels * 4);
    gl_context_require(rgba != NULL, "out of memory");
    glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    for (size_t i = 0; i < pixels; i++) drawn += rgba[4 * i + 3] != 0;
    printf("%.1f %% of the picture was drawn\n", 100.0 * (double)drawn / (double)pixels);
    gl_context_require(drawn > 0, "nothing was drawn");

    FILE *file = path ? fopen(path, "wb") : NULL;
    if (file) {
        fprintf(file, "P6 %d %d 255\n", size, size);
        for (int y = size - 1; y >= 0; y--) { // OpenGL's first row is at the bottom
            for (int x = 0; x < size; x++) fwrite(&rgba[4 * ((size_t)y * (size_t)size + (size_t)x)], 1, 3, file);
        }
    }
    gl_context_require(!path || (file && fclose(file) == 0), "the picture cannot be written");
    free(rgba);
}

#endif
