// SPDX-License-Identifier: MIT
// What `sinew bench --gpu` measures: every path draws the same characters, and sends as many bytes with as many draws
// as its layout says. Also runs the command, whose path is the argument. Checks only the order of times. Skipped if
// EGL gives no context.
#include "bench/bench.h"
#include "bench/gpu_paths.h"

#include <epoxy/gl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { CHARACTERS = 20, FEW = CHARACTERS / 10, PIXELS = BENCH_GPU_PIXELS * BENCH_GPU_PIXELS };

static const char *command_path;
static bool have_gl;

static void need_gl(void) {
    if (!have_gl) skip();
}

// ---- Pictures --------------------------------------------------------------------------------------------------

typedef struct drawn {
    bench_gpu_sent sent;
    int range_step; // bytes: ranges of uniform buffers begin at multiples
    bool missing;   // this OpenGL does not have the path
    uint8_t rgba[4 * PIXELS];
} drawn;

// So that a few characters fill the picture.
static void enlarge(bench_gpu_stage *stage) {
    for (int i = 0; i < stage->characters; i++) {
        for (int k = 0; k < 3; k++) stage->transforms[i].m[k][k] = 5.0f;
    }
}

static void open_stage(bench_gpu_stage *stage) {
    sinew_error error;
    if (!bench_gpu_stage_open(stage, CHARACTERS, &error)) fail_msg("%s", error.message);
    enlarge(stage);
}

static void read_picture(drawn *out) {
    glReadPixels(0, 0, BENCH_GPU_PIXELS, BENCH_GPU_PIXELS, GL_RGBA, GL_UNSIGNED_BYTE, out->rgba);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static bench_gpu_crowd *make_crowd(bench_gpu_stage *stage, const bench_gpu_path *path) {
    sinew_error error;
    bench_gpu_crowd *crowd = bench_gpu_crowd_create(stage, path, &error);
    if (!crowd) print_message("no %s: %s\n", path->name, error.message);
    return crowd;
}

static void draw_path(bench_gpu_stage *stage, const bench_gpu_path *path, drawn *out) {
    *out = (drawn){.missing = true};
    bench_gpu_crowd *crowd = make_crowd(stage, path);
    if (!crowd) return;
    out->missing = false;
    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &out->range_step);
    bench_gpu_take_sent();
    const bench_gpu_times times = bench_gpu_crowd_frame(crowd);
    out->sent = bench_gpu_take_sent();
    assert_true(times.sending > 0.0 && times.sending < times.frame);
    read_picture(out);
    bench_gpu_crowd_destroy(crowd);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static const bench_gpu_path *find_path(const char *name) {
    for (int i = 0; i < BENCH_GPU_PATHS; i++) {
        if (strcmp(bench_gpu_paths[i].name, name) == 0) return &bench_gpu_paths[i];
    }
    fail_msg("no path is called %s", name);
    return NULL;
}

static int covered(const drawn *picture) {
    int count = 0;
    for (int i = 0; i < PIXELS; i++) count += picture->rgba[4 * i + 3] > 0;
    return count;
}

static int different(const drawn *a, const drawn *b) {
    int count = 0;
    for (int i = 0; i < PIXELS; i++) {
        bool differs = false;
        for (int c = 0; c < 4; c++) differs |= abs(a->rgba[4 * i + c] - b->rgba[4 * i + c]) > 8;
        count += differs;
    }
    return count;
}

// Most triangles are smaller than a pixel, so a position's last bit sometimes decides.
static void check_same(const char *name, const drawn *actual, const drawn *expected) {
    const int differences = different(actual, expected), all = covered(expected);
    if (differences > all / 20) fail_msg("%s: %d pixels differ, and %d are covered", name, differences, all);
}

// By every path, from the same palettes.
static drawn drawings[BENCH_GPU_PATHS];

static int draw_all_paths(void **state) {
    (void)state;
    if (!have_gl) return 0;
    bench_gpu_stage stage;
    open_stage(&stage);
    for (int i = 0; i < BENCH_GPU_PATHS; i++) draw_path(&stage, &bench_gpu_paths[i], &drawings[i]);
    bench_gpu_stage_close(&stage);
    return 0;
}

// Catches characters that are not where they belong, that have one another's palettes, or all of them one.
static void test_palettes_draw_the_same(void **state) {
    (void)state;
    need_gl();
    const drawn *all = &drawings[find_path("ranges-rows") - bench_gpu_paths];
    const drawn *few = &drawings[find_path("4-passes") - bench_gpu_paths];
    assert_in_range(covered(few), 30, 200);
    assert_in_range(covered(all), 400, 3000);
    for (int i = 0; i < BENCH_GPU_PATHS; i++) {
        const bench_gpu_path *path = &bench_gpu_paths[i];
        if (path->layout == SINEW_GPU_RECORD_BAKED || drawings[i].missing) continue;
        check_same(path->name, &drawings[i], path->few ? few : all);
    }
}

// An animation texture's characters, against palettes that the CPU makes of it.
static void check_baked(const bench_gpu_path *path) {
    static drawn actual, expected;
    bench_gpu_stage stage;
    open_stage(&stage);
    bench_gpu_crowd *crowd = make_crowd(&stage, path);
    assert_non_null(crowd);
    bench_gpu_crowd_frame(crowd);
    read_picture(&actual);
    for (int i = 0; i < CHARACTERS; i++) {
        assert_int_equal(crowd->states[i].tracks[1].clip < 0, path->alone);
        sinew_bake_palette(crowd->bake, &crowd->states[i], stage.crowd->items[i].palette);
    }
    bench_gpu_crowd_destroy(crowd);
    draw_path(&stage, find_path("ranges-rows"), &expected);
    assert_in_range(covered(&expected), 400, 3000);
    check_same(path->name, &actual, &expected);
    bench_gpu_stage_close(&stage);
}

static void test_animation_textures_draw_what_they_hold(void **state) {
    (void)state;
    need_gl();
    int checked = 0;
    for (int i = 0; i < BENCH_GPU_PATHS; i++) {
        if (bench_gpu_paths[i].layout != SINEW_GPU_RECORD_BAKED) continue;
        check_baked(&bench_gpu_paths[i]);
        checked++;
    }
    assert_int_equal(checked, 3);
}

// ---- What is sent ----------------------------------------------------------------------------------------------

// Bytes of a record: its place, and its joints or the two texels of an animation texture.
static size_t record_bytes(const bench_gpu_path *path) {
    static const size_t joint[] = {[SINEW_GPU_RECORD_ROWS] = 48,
                                   [SINEW_GPU_RECORD_MAT4] = 64,
                                   [SINEW_GPU_RECORD_TRS] = 32,
                                   [SINEW_GPU_RECORD_BAKED] = 0};
    return 48 + BENCH_GPU_JOINTS * joint[path->layout] + (path->layout == SINEW_GPU_RECORD_BAKED ? 32 : 0);
}

static size_t round_up(size_t bytes, size_t step) {
    return (bytes + step - 1) / step * step;
}

static size_t bytes_of(const bench_gpu_path *path, const drawn *picture) {
    const size_t record = record_bytes(path);
    switch (path->drawing) {
    case BENCH_GPU_INSTANCED: // rows of a texture are sent whole
        return round_up(CHARACTERS * record, path->source == SINEW_GPU_RESOURCE_TEXTURE ? 1024 * 16 : 1);
    case BENCH_GPU_RANGES:
    case BENCH_GPU_FEEDBACK:
    case BENCH_GPU_COMPUTE:
        return (size_t)((path->few ? FEW : CHARACTERS) - 1) * round_up(record, (size_t)picture->range_step) +
               record;
    case BENCH_GPU_SINGLE:
        return CHARACTERS * record;
    case BENCH_GPU_VERTICES: // positions and normals
        return FEW * (size_t)BENCH_VERTICES * 24;
    }
    return 0;
}

static int draws_of(const bench_gpu_path *path) {
    switch (path->drawing) {
    case BENCH_GPU_INSTANCED:
        return 1;
    case BENCH_GPU_RANGES:
    case BENCH_GPU_SINGLE:
    case BENCH_GPU_VERTICES:
        return path->passes * (path->few ? FEW : CHARACTERS);
    case BENCH_GPU_FEEDBACK:
    case BENCH_GPU_COMPUTE:
        return (1 + path->passes) * FEW;
    }
    return 0;
}

static void test_bytes_and_draws_are_counted(void **state) {
    (void)state;
    need_gl();
    for (int i = 0; i < BENCH_GPU_PATHS; i++) {
        const bench_gpu_path *path = &bench_gpu_paths[i];
        const bench_gpu_sent sent = drawings[i].sent;
        if (drawings[i].missing) continue;
        const size_t bytes = bytes_of(path, &drawings[i]);
        const int draws = draws_of(path);
        if (sent.bytes == bytes && sent.draws == draws) continue;
        fail_msg("%s sends %zu bytes by %d draws, not %zu by %d", path->name, sent.bytes, sent.draws, bytes, draws);
    }
}

// ---- Rows ------------------------------------------------------------------------------------------------------

static const bench_row *find_row(const bench_report *report, const char *name) {
    for (int i = 0; i < report->row_count; i++) {
        char of_row[160];
        bench_row_name(&report->rows[i], of_row, sizeof of_row);
        if (strcmp(of_row, name) == 0) return &report->rows[i];
    }
    fail_msg("no row '%s'", name);
    return NULL;
}

static void check_timing(const bench_row *row) {
    assert_string_equal(row->unit, "character");
    assert_true(row->timing.runs >= 5);
    assert_true(row->timing.least > 0.0);
    assert_true(row->timing.least <= row->timing.median && row->timing.median <= row->timing.most);
}

static void test_rows(void **state) {
    (void)state;
    need_gl();
    const char *const filters[] = {"gpu-pose", " vertices 100"};
    const bench_options options = {.gpu = true, .filters = filters, .filter_count = 2};
    static bench_report report;
    const char *why = bench_run(&options, &report);
    if (why) fail_msg("%s", why);
    assert_int_equal(report.row_count, 3);
    const bench_row *pose = find_row(&report, "gpu-pose 60 palettes 1000 sinew");
    const bench_row *frame = find_row(&report, "gpu-frame 60 vertices 100 sinew");
    const bench_row *send = find_row(&report, "gpu-send 60 vertices 100 sinew");
    check_timing(pose);
    check_timing(frame);
    check_timing(send);
    assert_int_equal(pose->draws, 0);
    assert_int_equal(frame->draws, 100);
    assert_int_equal(frame->bytes, 100 * (size_t)BENCH_VERTICES * 24);
    assert_true(send->timing.median < frame->timing.median);
    assert_int_equal(report.missing_count, 0);
    assert_true(strlen(report.gpu.renderer) > 0 && strlen(report.gpu.version) > 0);
    if (strstr(report.gpu.renderer, "llvmpipe")) assert_true(report.gpu.software);
}

// ---- The command -----------------------------------------------------------------------------------------------

static char output[1 << 16], said[4096];

static void read_file(const char *path, char *text, size_t room) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    fclose(file);
}

// The exit status of `ENVIRONMENT sinew bench ARGUMENTS`.
static int bench(const char *environment, const char *arguments) {
    char line[2048];
    snprintf(line, sizeof line, "%s \"%s\" bench %s >bench.out 2>bench.err", environment, command_path, arguments);
    const int status = system(line); // NOLINT(cert-env33-c): the shell is what users have, too
    read_file("bench.out", output, sizeof output);
    read_file("bench.err", said, sizeof said);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_table_and_json(void **state) {
    (void)state;
    need_gl();
    assert_int_equal(bench("", "--gpu --filter ' vertices 100' -o bench.json"), 0);
    expect(output, "\nOpenGL ");
    expect(output, "each character: 10000 vertices, 19966 triangles; picture: 64 x 64 pixels\n");
    expect(output, "\nvertices ");
    expect(output, " 240000000   1000\n");    // ten times what a tenth of them sends
    assert_null(strstr(output, "peak with")); // nothing else was measured
    static char json[sizeof output];
    read_file("bench.json", json, sizeof json);
    expect(json, "\"gpu\":{\"renderer\":\"");
    expect(json, "\"vertices\":10000,\"triangles\":19966,\"pixels\":64}");
    expect(json, "{\"stage\":\"gpu-send\",\"joints\":60,\"data\":\"vertices\",\"characters\":100,");
    expect(json, ",\"unit\":\"character\",");
    expect(json, ",\"bytes\":24000000,\"draws\":100}");
}

// Mesa's driver can be told to be an older one.
static void test_what_is_missing_is_named(void **state) {
    (void)state;
    need_gl();
    const char *const older = "MESA_GL_VERSION_OVERRIDE=3.3";
    assert_int_equal(bench(older, "--gpu --filter 'gpu-send 60 storage-trs'"), 0);
    if (!strstr(output, "OpenGL 3.3 ")) skip(); // another driver
    expect(output,
           "\nstorage-trs: not available: SINEW_GPU_RESOURCE_STORAGE needs storage buffers in vertex shaders");
    assert_int_equal(bench(older, "--gpu --json --filter 'gpu-send 60 4-passes-compute'"), 0);
    expect(output, "\"rows\":[],");
    expect(
        output,
        "\"missing\":[\n{\"data\":\"4-passes-compute\",\"why\":\"SINEW_GL_SKINNING_COMPUTE needs compute shaders");
}

static void test_opengl_es_will_do(void **state) {
    (void)state;
    need_gl();
    // Mesa leaks a little when it refuses a context.
    const char *const oldest = "MESA_GL_VERSION_OVERRIDE=2.1 ASAN_OPTIONS=detect_leaks=0";
    assert_int_equal(bench(oldest, "--gpu --json --filter 'gpu-send 60 vertices'"), 0);
    if (!strstr(output, "\"version\":\"OpenGL ES ")) skip(); // another driver
    expect(output, ",\"bytes\":24000000,\"draws\":100}");
}

// Whatever this machine has: no EGL finds a driver in no file.
static void test_without_opengl(void **state) {
    (void)state;
    assert_int_equal(bench("__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null", "--gpu --filter gpu-pose"), 1);
    expect(said, "sinew: bench: no OpenGL 3.3 through EGL on this machine; ");
    assert_string_equal(output, "");
}

static void test_wrong_arguments(void **state) {
    (void)state;
    assert_int_equal(bench("", "--gpu hero.glb"), 2);
    expect(said, "sinew bench: --gpu cannot be used with a FILE such as 'hero.glb'");
    assert_int_equal(bench("", "--gpu --filter nonsense"), 1);
    expect(said, "no row contains this text; a row's name looks like 'gpu-frame 60 storage-rows 1000 sinew'");
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    command_path = argv[1];
    draw_egl egl;
    sinew_error error;
    have_gl = draw_egl_open(&egl, DRAW_EGL_DESKTOP, &error);
    if (!have_gl) print_message("nothing will be drawn: %s\n", error.message);
    draw_egl_close(&egl);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_palettes_draw_the_same),
        cmocka_unit_test(test_animation_textures_draw_what_they_hold),
        cmocka_unit_test(test_bytes_and_draws_are_counted),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_table_and_json),
        cmocka_unit_test(test_what_is_missing_is_named),
        cmocka_unit_test(test_opengl_es_will_do),
        cmocka_unit_test(test_without_opengl),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, draw_all_paths, NULL);
}
