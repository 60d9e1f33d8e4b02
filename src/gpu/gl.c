// SPDX-License-Identifier: MIT
// The OpenGL context: its functions, version and limits, and the head of its shaders.
//
// Functions come from the caller's get_proc_address. A version is 10 × major + minor. Limits are checked when the
// context is created, so drawing can't fail: attribute locations, texture units, and the sizes of the arrays that
// shaders declare for GPU records (gl_records.c), counted in joints of 48 bytes.
#include "gpu/gl_internal.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Errors and memory ---------------------------------------------------------------------------------------

sinew_result sinewi_gl_fail(sinew_error *error, sinew_result result, const char *format, ...) {
    if (!error) return result;
    error->result = result;
    char text[2 * sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sinew_escape(text, error->message, sizeof error->message); // a driver's log may span several lines
    return result;
}

void *sinewi_gl_allocate(const sinew_allocator *allocator, size_t size, sinew_error *error) {
    void *memory = allocator->allocate ? allocator->allocate(size, sizeof(void *), allocator->user) : malloc(size);
    if (memory) return memset(memory, 0, size);
    sinewi_gl_fail(error, SINEW_ERROR_OUT_OF_MEMORY, "out of memory");
    return NULL;
}

void sinewi_gl_release(const sinew_allocator *allocator, void *memory, size_t size) {
    if (!memory) return;
    if (allocator->release) {
        allocator->release(memory, size, sizeof(void *), allocator->user);
        return;
    }
    free(memory);
}

// ---- Functions -----------------------------------------------------------------------------------------------

typedef struct function_entry {
    const char *name;
    size_t offset;   // of its member in sinewi_gl_functions
    int desktop, es; // first versions that have it; 0 means every version that the backend supports
} function_entry;

static const function_entry function_entries[] = {
    {"glGetString", offsetof(sinewi_gl_functions, GetString), 0, 0},
    {"glGetIntegerv", offsetof(sinewi_gl_functions, GetIntegerv), 0, 0},
    {"glGenBuffers", offsetof(sinewi_gl_functions, GenBuffers), 0, 0},
    {"glDeleteBuffers", offsetof(sinewi_gl_functions, DeleteBuffers), 0, 0},
    {"glBindBuffer", offsetof(sinewi_gl_functions, BindBuffer), 0, 0},
    {"glBindBufferBase", offsetof(sinewi_gl_functions, BindBufferBase), 0, 0},
    {"glBindBufferRange", offsetof(sinewi_gl_functions, BindBufferRange), 0, 0},
    {"glBufferData", offsetof(sinewi_gl_functions, BufferData), 0, 0},
    {"glBufferSubData", offsetof(sinewi_gl_functions, BufferSubData), 0, 0},
    {"glGenTextures", offsetof(sinewi_gl_functions, GenTextures), 0, 0},
    {"glDeleteTextures", offsetof(sinewi_gl_functions, DeleteTextures), 0, 0},
    {"glActiveTexture", offsetof(sinewi_gl_functions, ActiveTexture), 0, 0},
    {"glBindTexture", offsetof(sinewi_gl_functions, BindTexture), 0, 0},
    {"glTexParameteri", offsetof(sinewi_gl_functions, TexParameteri), 0, 0},
    {"glTexImage2D", offsetof(sinewi_gl_functions, TexImage2D), 0, 0},
    {"glTexSubImage2D", offsetof(sinewi_gl_functions, TexSubImage2D), 0, 0},
    {"glTexBuffer", offsetof(sinewi_gl_functions, TexBuffer), 31, 32},
    {"glGenVertexArrays", offsetof(sinewi_gl_functions, GenVertexArrays), 0, 0},
    {"glDeleteVertexArrays", offsetof(sinewi_gl_functions, DeleteVertexArrays), 0, 0},
    {"glBindVertexArray", offsetof(sinewi_gl_functions, BindVertexArray), 0, 0},
    {"glEnableVertexAttribArray", offsetof(sinewi_gl_functions, EnableVertexAttribArray), 0, 0},
    {"glVertexAttribPointer", offsetof(sinewi_gl_functions, VertexAttribPointer), 0, 0},
    {"glVertexAttribIPointer", offsetof(sinewi_gl_functions, VertexAttribIPointer), 0, 0},
    {"glVertexAttrib4f", offsetof(sinewi_gl_functions, VertexAttrib4f), 0, 0},
    {"glVertexAttribI4i", offsetof(sinewi_gl_functions, VertexAttribI4i), 0, 0},
    {"glVertexAttribI4ui", offsetof(sinewi_gl_functions, VertexAttribI4ui), 0, 0},
    {"glDrawArrays", offsetof(sinewi_gl_functions, DrawArrays), 0, 0},
    {"glDrawElements", offsetof(sinewi_gl_functions, DrawElements), 0, 0},
    {"glDrawElementsInstanced", offsetof(sinewi_gl_functions, DrawElementsInstanced), 0, 0},
    {"glCreateShader", offsetof(sinewi_gl_functions, CreateShader), 0, 0},
    {"glShaderSource", offsetof(sinewi_gl_functions, ShaderSource), 0, 0},
    {"glCompileShader", offsetof(sinewi_gl_functions, CompileShader), 0, 0},
    {"glGetShaderiv", offsetof(sinewi_gl_functions, GetShaderiv), 0, 0},
    {"glGetShaderInfoLog", offsetof(sinewi_gl_functions, GetShaderInfoLog), 0, 0},
    {"glDeleteShader", offsetof(sinewi_gl_functions, DeleteShader), 0, 0},
    {"glCreateProgram", offsetof(sinewi_gl_functions, CreateProgram), 0, 0},
    {"glAttachShader", offsetof(sinewi_gl_functions, AttachShader), 0, 0},
    {"glLinkProgram", offsetof(sinewi_gl_functions, LinkProgram), 0, 0},
    {"glGetProgramiv", offsetof(sinewi_gl_functions, GetProgramiv), 0, 0},
    {"glGetProgramInfoLog", offsetof(sinewi_gl_functions, GetProgramInfoLog), 0, 0},
    {"glDeleteProgram", offsetof(sinewi_gl_functions, DeleteProgram), 0, 0},
    {"glUseProgram", offsetof(sinewi_gl_functions, UseProgram), 0, 0},
    {"glGetUniformLocation", offsetof(sinewi_gl_functions, GetUniformLocation), 0, 0},
    {"glUniform1i", offsetof(sinewi_gl_functions, Uniform1i), 0, 0},
    {"glUniform4i", offsetof(sinewi_gl_functions, Uniform4i), 0, 0},
    {"glUniform4fv", offsetof(sinewi_gl_functions, Uniform4fv), 0, 0},
    {"glGetUniformIndices", offsetof(sinewi_gl_functions, GetUniformIndices), 0, 0},
    {"glGetActiveUniformsiv", offsetof(sinewi_gl_functions, GetActiveUniformsiv), 0, 0},
    {"glGetUniformBlockIndex", offsetof(sinewi_gl_functions, GetUniformBlockIndex), 0, 0},
    {"glGetActiveUniformBlockiv", offsetof(sinewi_gl_functions, GetActiveUniformBlockiv), 0, 0},
    {"glUniformBlockBinding", offsetof(sinewi_gl_functions, UniformBlockBinding), 0, 0},
    {"glEnable", offsetof(sinewi_gl_functions, Enable), 0, 0},
    {"glDisable", offsetof(sinewi_gl_functions, Disable), 0, 0},
    {"glTransformFeedbackVaryings", offsetof(sinewi_gl_functions, TransformFeedbackVaryings), 0, 0},
    {"glBeginTransformFeedback", offsetof(sinewi_gl_functions, BeginTransformFeedback), 0, 0},
    {"glEndTransformFeedback", offsetof(sinewi_gl_functions, EndTransformFeedback), 0, 0},
    {"glDispatchCompute", offsetof(sinewi_gl_functions, DispatchCompute), 43, 31},
    {"glMemoryBarrier", offsetof(sinewi_gl_functions, MemoryBarrier), 43, 31},
};

#define FUNCTION_COUNT (sizeof function_entries / sizeof function_entries[0])

// Every member has an entry. All members are pointers of the same size.
static_assert(sizeof(sinewi_gl_functions) == FUNCTION_COUNT * sizeof(sinew_gl_proc), "an entry is missing");

// Loads an entry's function. Functions that the context's version lacks stay NULL.
static sinew_result load_function(sinew_gl *gl, const function_entry *entry, sinew_error *error) {
    if (gl->version < (gl->es ? entry->es : entry->desktop)) return SINEW_OK;
    sinew_gl_proc function = gl->def.get_proc_address(entry->name, gl->def.user);
    if (!function) {
        return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED, "get_proc_address returned NULL for %s", entry->name);
    }
    memcpy((char *)&gl->functions + entry->offset, &function, sizeof function);
    return SINEW_OK;
}

// ---- Version -------------------------------------------------------------------------------------------------

// Parses a version string like "4.5 (Core Profile) ...", "OpenGL ES 3.2 ..." or "OpenGL ES-CM 1.1" (glGetString, OpenGL
// ES 3.0.6, section 6.1.5).
static bool read_version(const char *text, bool *es, int *major, int *minor) {
    static const char es_prefix[] = "OpenGL ES";
    *es = strncmp(text, es_prefix, sizeof es_prefix - 1) == 0;
    const char *number = text + strcspn(text, "0123456789");
    char *end;
    *major = (int)strtol(number, &end, 10);
    if (end == number || *end != '.') return false;
    *minor = (int)strtol(end + 1, NULL, 10);
    return true;
}

// Requires OpenGL 3.3 or OpenGL ES 3.0.
static sinew_result check_version(sinew_gl *gl, sinew_error *error) {
    const char *text = (const char *)gl->functions.GetString(GL_VERSION);
    if (!text) return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED, "no OpenGL context is current on this thread");
    int major = 0, minor = 0;
    bool readable = read_version(text, &gl->es, &major, &minor);
    gl->version = 10 * major + minor;
    bool new_enough = gl->version >= (gl->es ? 30 : 33);
    if (readable && new_enough) return SINEW_OK;
    return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED,
                          "OpenGL 3.3 or OpenGL ES 3.0 is needed, but this is \"%s\"", text);
}

// ---- Limits --------------------------------------------------------------------------------------------------

static int get_integer(const sinew_gl *gl, unsigned name) {
    int value = 0;
    gl->functions.GetIntegerv(name, &value);
    return value;
}

// Checks that `value` is at least 0 and below the context's limit of that name.
static sinew_result check_range(const sinew_gl *gl, const char *what, int32_t value, const char *limit_name,
                                unsigned limit, sinew_error *error) {
    if (value < 0) return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "%s is %d", what, value);
    int max = get_integer(gl, limit);
    if (value < max) return SINEW_OK;
    return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED, "%s is %d, but %s is %d", what, value, limit_name, max);
}

// Checks that attribute locations are distinct and within the limit.
static sinew_result check_locations(const sinew_gl *gl, sinew_error *error) {
    const sinew_gl_def *def = &gl->def;
    const struct {
        const char *name;
        int32_t value;
    } locations[] = {
        {"position_location", def->position_location},
        {"normal_location", def->normal_location},
        {"uv_location", def->uv_location},
        {"joints_location", def->joints_location},
        {"weights_location", def->weights_location},
        {"color_location", def->color_location},
        {"joints2_location", def->joints2_location},
        {"weights2_location", def->weights2_location},
        {"tangent_location", def->tangent_location},
        {"draw_location", def->draw_location},
    };
    const size_t count = sizeof locations / sizeof locations[0];
    for (size_t i = 0; i < count; i++) {
        sinew_result result = check_range(gl, locations[i].name, locations[i].value, "GL_MAX_VERTEX_ATTRIBS",
                                          GL_MAX_VERTEX_ATTRIBS, error);
        if (result != SINEW_OK) return result;
        for (size_t j = 0; j < i; j++) {
            if (locations[i].value != locations[j].value) continue;
            return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "%s and %s are both %d", locations[j].name,
                                  locations[i].name, locations[i].value);
        }
    }
    return SINEW_OK;
}

// Checks that `joints` of 48 bytes each fit into a limit that the context reports in units of `unit` bytes.
static sinew_result check_joints_fit(const sinew_gl *gl, const char *what, int32_t joints, const char *limit_name,
                                     unsigned limit, size_t unit, sinew_error *error) {
    if (joints < 0) return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "%s is %d", what, joints);
    int max = get_integer(gl, limit);
    if ((size_t)joints <= (size_t)max * unit / sizeof(sinew_affine)) return SINEW_OK;
    return sinewi_gl_fail(error, SINEW_ERROR_UNSUPPORTED, "%s is %d, which is %lld %s, but %s is %d", what, joints,
                          (long long)joints * (long long)(sizeof(sinew_affine) / unit),
                          unit == 1 ? "bytes" : "components", limit_name, max);
}

static sinew_result check_texture_units(const sinew_gl *gl, sinew_error *error) {
    const struct {
        const char *name;
        int32_t value;
    } units[] = {
        {"records_texture_unit", gl->def.records_texture_unit},
        {"deltas_texture_unit", gl->def.deltas_texture_unit},
        {"animations_texture_unit", gl->def.animations_texture_unit},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        sinew_result result = check_range(gl, units[i].name, units[i].value, "GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS",
                                          GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, error);
        if (result != SINEW_OK) return result;
        for (size_t j = 0; j < i; j++) {
            if (units[i].value != units[j].value) continue;
            return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "%s and %s are both %d", units[j].name,
                                  units[i].name, units[i].value);
        }
    }
    return SINEW_OK;
}

static sinew_result check_block_limits(const sinew_gl *gl, sinew_error *error) {
    sinew_result result =
        check_joints_fit(gl, "uniform_joints", gl->def.uniform_joints, "GL_MAX_VERTEX_UNIFORM_COMPONENTS",
                         GL_MAX_VERTEX_UNIFORM_COMPONENTS, sizeof(float), error);
    if (result != SINEW_OK) return result;
    result = check_joints_fit(gl, "ubo_joints", gl->def.ubo_joints, "GL_MAX_UNIFORM_BLOCK_SIZE",
                              GL_MAX_UNIFORM_BLOCK_SIZE, 1, error);
    if (result != SINEW_OK) return result;
    return check_range(gl, "skin_block_binding", gl->def.skin_block_binding, "GL_MAX_UNIFORM_BUFFER_BINDINGS",
                       GL_MAX_UNIFORM_BUFFER_BINDINGS, error);
}

// Reads the limits of storage buffers. Vertex shaders of OpenGL ES 3.1 may not have any.
static sinew_result read_storage_limits(sinew_gl *gl, sinew_error *error) {
    gl->has_compute = gl->version >= (gl->es ? 31 : 43);
    if (!gl->has_compute) return SINEW_OK;
    gl->has_storage = get_integer(gl, GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS) > 0;
    gl->max_storage_size = get_integer(gl, GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
    return check_range(gl, "storage_binding", gl->def.storage_binding, "GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS",
                       GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, error);
}

static sinew_result check_limits(sinew_gl *gl, sinew_error *error) {
    gl->max_texture_size = get_integer(gl, GL_MAX_TEXTURE_SIZE);
    gl->block_alignment = get_integer(gl, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    if (gl->functions.TexBuffer) gl->max_buffer_texels = get_integer(gl, GL_MAX_TEXTURE_BUFFER_SIZE);
    sinew_result result = check_block_limits(gl, error);
    if (result == SINEW_OK) result = read_storage_limits(gl, error);
    if (result == SINEW_OK) result = check_texture_units(gl, error);
    if (result == SINEW_OK) result = check_locations(gl, error);
    return result;
}

// ---- The head of shaders -------------------------------------------------------------------------------------

#define ES_PRECISION                                                                                               \
    "precision highp float;\n"                                                                                     \
    "precision highp int;\n"                                                                                       \
    "precision highp sampler2D;\n"

// The version line, plus precision statements for ES. All shaders of an ES program must have the same version, so a
// context has one head for all resources.
static const char *choose_head(const sinew_gl *gl) {
    if (!gl->es) return gl->version >= 43 ? "#version 430 core\n" : "#version 330 core\n";
    if (gl->version >= 32) return "#version 320 es\n" ES_PRECISION "precision highp samplerBuffer;\n";
    return gl->version >= 31 ? "#version 310 es\n" ES_PRECISION : "#version 300 es\n" ES_PRECISION;
}

const char *sinew_gl_shader_head(const sinew_gl *gl) {
    return gl->head;
}

// ---- Creating ------------------------------------------------------------------------------------------------

sinew_gl_def sinew_gl_default(void) {
    return (sinew_gl_def){
        .uniform_joints = 64,
        .ubo_joints = 128,
        .skin_block_binding = 3,
        .storage_binding = 3,
        .records_texture_unit = 7,
        .deltas_texture_unit = 6,
        .animations_texture_unit = 5,
        .position_location = 0,
        .normal_location = 1,
        .uv_location = 2,
        .joints_location = 3,
        .weights_location = 4,
        .color_location = 5,
        .joints2_location = 6,
        .weights2_location = 7,
        .tangent_location = 8,
        .draw_location = 9,
        .cookie = SINEWI_DEF_COOKIE,
    };
}

// Loads the functions and checks the context. The version comes before the other functions, so an old context is
// reported as old, not as incomplete.
static sinew_result load_context(sinew_gl *gl, sinew_error *error) {
    sinew_result result = load_function(gl, &function_entries[0], error);
    if (result == SINEW_OK) result = check_version(gl, error);
    for (size_t i = 1; result == SINEW_OK && i < FUNCTION_COUNT; i++) {
        result = load_function(gl, &function_entries[i], error);
    }
    if (result == SINEW_OK) result = check_limits(gl, error);
    return result;
}

sinew_result sinew_gl_create(const sinew_gl_def *def, sinew_gl **out, sinew_error *error) {
    assert(out);
    *out = NULL;
    if (!SINEWI_IS_DEF(def, "sinew_gl_def: start from sinew_gl_default()")) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "sinew_gl_def: start from sinew_gl_default()");
    }
    if (!def->get_proc_address) {
        return sinewi_gl_fail(error, SINEW_ERROR_ARGUMENT, "get_proc_address is NULL");
    }
    sinew_gl *gl = (sinew_gl *)sinewi_gl_allocate(&def->allocator, sizeof *gl, error);
    if (!gl) return SINEW_ERROR_OUT_OF_MEMORY;
    gl->def = *def;
    sinew_result result = load_context(gl, error);
    if (result != SINEW_OK) {
        sinew_gl_destroy(gl);
        return result;
    }
    gl->head = choose_head(gl);
    *out = gl;
    return SINEW_OK;
}

void sinew_gl_destroy(sinew_gl *gl) {
    if (!gl) return;
    sinew_allocator allocator = gl->def.allocator;
    sinewi_gl_release(&allocator, gl, sizeof *gl);
}
