// SPDX-License-Identifier: MIT
// EGL without a window, using Mesa's surfaceless platform, a GPU's device platform, or the default display.
#include "render/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdio.h>
#include <string.h>

static bool client_has(const char *extension) {
    const char *all = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    return all && strstr(all, extension);
}

static EGLDisplay surfaceless_display(void) {
    if (!client_has("EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
    return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

// Returns the first GPU, for drivers without the surfaceless platform.
static EGLDisplay device_display(void) {
    if (!client_has("EGL_EXT_device_base") || !client_has("EGL_EXT_platform_device")) return EGL_NO_DISPLAY;
    PFNEGLQUERYDEVICESEXTPROC query_devices = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLDeviceEXT device;
    EGLint count = 0;
    if (!query_devices || !query_devices(1, &device, &count) || count == 0) return EGL_NO_DISPLAY;
    return eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, NULL);
}

static EGLDisplay default_display(void) {
    return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

// Creates a context without a config or surface, because everything is drawn into framebuffer objects.
static EGLContext create_context(EGLDisplay display, const draw_egl_version *version) {
    const bool es = version->api == DRAW_EGL_ES;
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 version->major,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 version->minor,
                                 es ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
    if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return EGL_NO_CONTEXT;
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

static bool open_on(draw_egl *egl, EGLDisplay display, const draw_egl_version *version) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) return false;
    EGLContext context = create_context(display, version);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        egl->display = display;
        egl->context = context;
        return true;
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    return false;
}

bool draw_egl_open_version(draw_egl *egl, draw_egl_version version, sinew_error *error) {
    EGLDisplay (*const displays[])(void) = {surfaceless_display, device_display, default_display};
    *egl = (draw_egl){0};
    for (size_t i = 0; i < sizeof displays / sizeof displays[0]; i++) {
        if (open_on(egl, displays[i](), &version)) return true;
    }
    error->result = SINEW_ERROR_UNSUPPORTED;
    snprintf(error->message, sizeof error->message,
             "no OpenGL%s %d.%d through EGL on this machine; install a GPU driver or Mesa's software renderer "
             "(Debian, Ubuntu: apt install libegl1 libgl1-mesa-dri; Fedora: dnf install mesa-libEGL "
             "mesa-dri-drivers)",
             version.api == DRAW_EGL_ES ? " ES" : "", version.major, version.minor);
    return false;
}

bool draw_egl_open(draw_egl *egl, draw_egl_api api, sinew_error *error) {
    return draw_egl_open_version(egl, (draw_egl_version){api, 3, api == DRAW_EGL_ES ? 0 : 3}, error);
}

// Leaves the display initialized. It belongs to the whole process, and other EGL users may share it.
void draw_egl_close(draw_egl *egl) {
    if (!egl->display) return;
    eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(egl->display, egl->context);
    *egl = (draw_egl){0};
}

sinew_gl_proc draw_egl_proc(const char *name, void *user) {
    (void)user;
    return (sinew_gl_proc)eglGetProcAddress(name);
}
