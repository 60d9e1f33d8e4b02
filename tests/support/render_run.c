// SPDX-License-Identifier: MIT
// Runs the command in a process and reads its images.
#include "support/render_run.h"

#include "render/egl_context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static const char *command_path;
static bool have_gl;

void render_setup(const char *path) {
    command_path = path;
    draw_egl egl;
    sinew_error error;
    have_gl = draw_egl_open(&egl, DRAW_EGL_DESKTOP, &error);
    if (!have_gl) print_message("nothing will be drawn: %s\n", error.message);
    draw_egl_close(&egl);
}

void need_gl(void) {
    if (!have_gl) skip();
}

// ---- Running the command -------------------------------------------------------------------------------------

static char said[4096]; // on standard error, by the run before

static void read_said(void) {
    FILE *file = fopen("test_render.err", "rb");
    assert_non_null(file);
    size_t size = fread(said, 1, sizeof said - 1, file);
    said[size] = '\0';
    fclose(file);
}

int render(const char *format, ...) {
    char arguments[2048], line[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(line, sizeof line, "\"%s\" render %s >test_render.out 2>test_render.err", command_path, arguments);
    int status = system(line); // NOLINT(cert-env33-c): the shell is what users have, too
    read_said();
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

const char *render_said(void) {
    return said;
}

void expect_good(int status) {
    if (status != 0) fail_msg("exit status %d: %s", status, said);
    assert_string_equal(said, "");
}

void expect_refused(int status, int expected, const char *what) {
    assert_int_equal(status, expected);
    if (!strstr(said, what)) fail_msg("'%s' does not say '%s'", said, what);
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

// ---- Reading pictures ----------------------------------------------------------------------------------------

draw_picture read_png(const char *path) {
    static uint8_t bytes[4 << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    draw_picture picture;
    const char *reason;
    if (!draw_picture_decode(&picture, bytes, size, DRAW_MAX_FILE_PIXELS, &reason))
        fail_msg("%s: %s", path, reason);
    return picture;
}

const uint8_t *pixel_at(const draw_picture *picture, int x, int y) {
    return picture->rgba + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

extent covered(const draw_picture *picture) {
    extent e = {picture->width, picture->height, -1, -1, 0};
    for (int y = 0; y < picture->height; y++) {
        for (int x = 0; x < picture->width; x++) {
            if (pixel_at(picture, x, y)[3] != 255) continue;
            if (x < e.left) e.left = x;
            if (y < e.top) e.top = y;
            if (x > e.right) e.right = x;
            if (y > e.bottom) e.bottom = y;
            e.count++;
        }
    }
    return e;
}

int differing_by(const draw_picture *a, const draw_picture *b, int tolerance) {
    int count = 0;
    assert_true(a->width == b->width && a->height == b->height);
    for (int i = 0; i < a->width * a->height; i++) {
        bool same = true;
        for (int k = 0; k < 4; k++) same = same && abs(a->rgba[4 * i + k] - b->rgba[4 * i + k]) <= tolerance;
        count += !same;
    }
    return count;
}

int differing(const draw_picture *a, const draw_picture *b) {
    return differing_by(a, b, 3);
}

// ---- A cube --------------------------------------------------------------------------------------------------

// The cube, and a slide along +Z: to 4 in half a second, and from there to `end`.
static void write_cube_buffer(float end) {
    static const uint16_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const float weights[4] = {1.0f, 0.0f, 0.0f, 0.0f};
    static const uint8_t joints[4] = {0};
    FILE *file = fopen("test_render_cube.bin", "wb");
    assert_non_null(file);
    for (int i = 0; i < 8; i++) {
        const float corner[3] = {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
        fwrite(corner, sizeof corner, 1, file);
    }
    fwrite(indices, sizeof indices, 1, file);
    for (int i = 0; i < 8; i++) fwrite(weights, sizeof weights, 1, file);
    for (int i = 0; i < 8; i++) fwrite(joints, sizeof joints, 1, file);
    const float times[3] = {0.0f, 0.5f, 1.0f}, places[9] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 4.0f, 0.0f, 0.0f, end};
    fwrite(times, sizeof times, 1, file);
    fwrite(places, sizeof places, 1, file);
    fclose(file);
}

void write_cube(float scale_x, float scale, bool skinned) {
    write_cube_buffer(0.0f);
    FILE *file = fopen("test_render_cube.gltf", "wb");
    assert_non_null(file);
    fprintf(
        file,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
        "\"nodes\":[{\"name\":\"Cube\",\"scale\":[%g,%g,%g]%s},{%s}],"
        "\"skins\":[{\"joints\":[0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":2,\"JOINTS_0\":3},"
        "\"indices\":1}]}],"
        "\"buffers\":[{\"uri\":\"test_render_cube.bin\",\"byteLength\":376}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},"
        "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":168,\"byteLength\":128},"
        "{\"buffer\":0,\"byteOffset\":296,\"byteLength\":32}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
        "\"min\":[-1,-1,-1],\"max\":[1,1,1]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":8,\"type\":\"VEC4\"},"
        "{\"bufferView\":3,\"componentType\":5121,\"count\":8,\"type\":\"VEC4\"}]}",
        (double)(scale_x * scale), (double)scale, (double)scale, skinned ? "" : ",\"mesh\":0",
        skinned ? "\"mesh\":0,\"skin\":0" : "");
    fclose(file);
}

void write_sliding_cube(float end) {
    write_cube_buffer(end);
    FILE *file = fopen("test_render_slide.gltf", "wb");
    assert_non_null(file);
    fputs("{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
          "\"nodes\":[{\"name\":\"Cube\",\"mesh\":0}],"
          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
          "\"animations\":[{\"name\":\"Slide\",\"samplers\":[{\"input\":2,\"output\":3}],"
          "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}],"
          "\"buffers\":[{\"uri\":\"test_render_cube.bin\",\"byteLength\":376}],"
          "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},"
          "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":328,\"byteLength\":12},"
          "{\"buffer\":0,\"byteOffset\":340,\"byteLength\":36}],"
          "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
          "\"min\":[-1,-1,-1],\"max\":[1,1,1]},"
          "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"},"
          "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
          "{\"bufferView\":3,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}",
          file);
    fclose(file);
}

void write_hidden_cube(bool hidden, float x) {
    write_cube_buffer(0.0f);
    FILE *file = fopen("test_render_hidden.gltf", "wb");
    assert_non_null(file);
    fprintf(file,
            "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0},"
            "{\"children\":[2],\"extensions\":{\"KHR_node_visibility\":{\"visible\":%s}}},"
            "{\"mesh\":0,\"translation\":[%g,0,0]}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
            "\"buffers\":[{\"uri\":\"test_render_cube.bin\",\"byteLength\":376}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},"
            "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":72}],"
            "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
            "{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}]}",
            hidden ? "false" : "true", (double)x);
    fclose(file);
}

// Two cubes in one primitive: corners 0 to 7 follow joint 0, corners 8 to 15 joint 1.
static void write_pair_buffer(void) {
    static const uint16_t cube[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const float weights[4] = {1.0f, 0.0f, 0.0f, 0.0f};
    FILE *file = fopen("test_render_pair.bin", "wb");
    assert_non_null(file);
    for (int i = 0; i < 16; i++) {
        const float corner[3] = {i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f};
        fwrite(corner, sizeof corner, 1, file);
    }
    for (int i = 0; i < 72; i++) {
        const uint16_t index = (uint16_t)(cube[i % 36] + i / 36 * 8);
        fwrite(&index, sizeof index, 1, file);
    }
    for (int i = 0; i < 16; i++) fwrite(weights, sizeof weights, 1, file);
    for (int i = 0; i < 16; i++) {
        const uint8_t joints[4] = {(uint8_t)(i / 8)};
        fwrite(joints, sizeof joints, 1, file);
    }
    fclose(file);
}

void write_pair_of_cubes(float scale_x) {
    write_pair_buffer();
    FILE *file = fopen("test_render_pair.gltf", "wb");
    assert_non_null(file);
    fprintf(
        file,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"translation\":[-2,0,0]},"
        "{\"translation\":[2,0,0],\"scale\":[%g,1,1]},{\"mesh\":0,\"skin\":0}],"
        "\"skins\":[{\"joints\":[0,1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":2,\"JOINTS_0\":3},"
        "\"indices\":1}]}],"
        "\"buffers\":[{\"uri\":\"test_render_pair.bin\",\"byteLength\":656}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":192},"
        "{\"buffer\":0,\"byteOffset\":192,\"byteLength\":144},{\"buffer\":0,\"byteOffset\":336,\"byteLength\":256},"
        "{\"buffer\":0,\"byteOffset\":592,\"byteLength\":64}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":16,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":72,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":16,\"type\":\"VEC4\"},"
        "{\"bufferView\":3,\"componentType\":5121,\"count\":16,\"type\":\"VEC4\"}]}",
        (double)scale_x);
    fclose(file);
}
