// SPDX-License-Identifier: MIT
// The GPU rows. A frame is timed until the GPU has finished it. No runs are discarded, because the driver's threads may
// run on any core.
#include "bench/gpu.h"

#include "bench/gpu_paths.h"

#include <epoxy/gl.h>

#include <stdio.h>
#include <string.h>

enum { WARM_UP_RUNS = 2, FEWEST_RUNS = 5, MAX_RUNS = 21 };

static const double patience = 1.0; // seconds; after that, the minimum number of runs is enough

// ---- What it runs on -------------------------------------------------------------------------------------------

// Software renderers: Mesa's, Google's, Microsoft's and Apple's.
static bool is_software(const char *renderer) {
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast",      "SwiftShader",
                                        "GDI",      "Software", "Basic Render"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(renderer, names[i])) return true;
    }
    return false;
}

static void identify(bench_gpu *gpu) {
    snprintf(gpu->renderer, sizeof gpu->renderer, "%s", (const char *)glGetString(GL_RENDERER));
    snprintf(gpu->version, sizeof gpu->version, "%s", (const char *)glGetString(GL_VERSION));
    gpu->software = is_software(gpu->renderer);
    gpu->vertices = BENCH_VERTICES;
    gpu->triangles = BENCH_GPU_TRIANGLES;
    gpu->pixels = BENCH_GPU_PIXELS;
}

// ---- Rows ------------------------------------------------------------------------------------------------------

typedef struct gpu_run {
    const bench_options *options;
    bench_report *report;
    bench_gpu_stage stage;
    int done, total;
} gpu_run;

static void count_step(gpu_run *r) {
    if (r->options->progress) r->options->progress("Measuring", ++r->done, r->total);
}

static bench_row row_of(const gpu_run *r, const char *stage, const char *data, int characters) {
    return (bench_row){.stage = stage,
                       .joints = BENCH_GPU_JOINTS,
                       .data = data,
                       .characters = characters,
                       .implementation = "sinew",
                       .simd = r->report->machine.simd,
                       .unit = "character"};
}

// Return a path's rows, and the row for posing the characters for all paths.
static bench_row frame_row(const gpu_run *r, const bench_gpu_path *path) {
    return row_of(r, "gpu-frame", path->name, bench_gpu_path_characters(path, BENCH_GPU_CHARACTERS));
}

static bench_row send_row(const gpu_run *r, const bench_gpu_path *path) {
    return row_of(r, "gpu-send", path->name, bench_gpu_path_characters(path, BENCH_GPU_CHARACTERS));
}

static bench_row pose_row(const gpu_run *r) {
    return row_of(r, "gpu-pose", "palettes", BENCH_GPU_CHARACTERS);
}

static bool wants_path(const gpu_run *r, const bench_gpu_path *path) {
    const bench_row frame = frame_row(r, path), send = send_row(r, path);
    return bench_passes_filters(r->options, &frame) || bench_passes_filters(r->options, &send);
}

static bool wants_posing(const gpu_run *r) {
    const bench_row row = pose_row(r);
    return bench_passes_filters(r->options, &row);
}

// `seconds` are frame times. They get sorted.
static void add_row(gpu_run *r, bench_row row, double *seconds, int runs) {
    if (!bench_passes_filters(r->options, &row)) return;
    const double unit = 1e9 / row.characters;
    const double median = bench_median(seconds, runs);
    row.timing = (bench_timing){unit * median, unit * seconds[0], unit * seconds[runs - 1], runs, 0, true};
    r->report->rows[r->report->row_count++] = row;
}

// ---- Measuring -------------------------------------------------------------------------------------------------

static bool is_enough(int runs, double started) {
    return runs == MAX_RUNS || (runs >= FEWEST_RUNS && bench_seconds() - started > patience);
}

// Measures posing, which every palette needs and an animation texture avoids: two cross-fading clips on one thread.
static void measure_posing(gpu_run *r) {
    double seconds[MAX_RUNS], started = bench_seconds();
    int runs = 0;
    while (!is_enough(runs, started)) {
        const double start = bench_seconds();
        bench_crowd_everything(r->stage.crowd, 0, BENCH_GPU_CHARACTERS);
        seconds[runs++] = bench_seconds() - start;
    }
    add_row(r, pose_row(r), seconds, runs);
    count_step(r);
}

static void add_missing(gpu_run *r, const char *data, const char *why) {
    bench_missing *missing = &r->report->missing[r->report->missing_count++];
    missing->data = data;
    snprintf(missing->why, sizeof missing->why, "%s", why);
}

// Returns whether OpenGL had an error, such as running out of GPU memory. Then the measurement is discarded.
static bool has_failed(gpu_run *r, const bench_gpu_path *path) {
    const GLenum wrong = glGetError();
    if (wrong == GL_NO_ERROR) return false;
    char why[64];
    snprintf(why, sizeof why, "OpenGL failed, with error 0x%x", wrong);
    add_missing(r, path->name, why);
    return true;
}

// Draws a frame. Poses the characters right before, like a program does.
static bench_gpu_times draw_frame(bench_gpu_crowd *crowd) {
    bench_crowd_everything(crowd->stage->crowd, 0, crowd->characters);
    return bench_gpu_crowd_frame(crowd);
}

// Runs some frames until all resources have been used once. Returns the bytes sent in the last one.
static bench_gpu_sent warm_up(bench_gpu_crowd *crowd) {
    const double started = bench_seconds();
    bench_gpu_sent sent = {0};
    for (int i = 0; i < WARM_UP_RUNS && (i == 0 || bench_seconds() - started < patience); i++) {
        bench_gpu_take_sent();
        draw_frame(crowd);
        sent = bench_gpu_take_sent();
    }
    return sent;
}

static void measure_frames(gpu_run *r, bench_gpu_crowd *crowd) {
    double sending[MAX_RUNS], whole[MAX_RUNS];
    bench_row frame = frame_row(r, crowd->path), send = send_row(r, crowd->path);
    const bench_gpu_sent sent = warm_up(crowd);
    const double started = bench_seconds();
    int runs = 0;
    while (!is_enough(runs, started)) {
        const bench_gpu_times times = draw_frame(crowd);
        sending[runs] = times.sending, whole[runs++] = times.frame;
    }
    if (has_failed(r, crowd->path)) return;
    frame.bytes = send.bytes = sent.bytes;
    frame.draws = send.draws = sent.draws;
    add_row(r, frame, whole, runs);
    add_row(r, send, sending, runs);
}

static void measure_path(gpu_run *r, const bench_gpu_path *path) {
    if (!wants_path(r, path)) return;
    sinew_error error;
    bench_gpu_crowd *crowd = bench_gpu_crowd_create(&r->stage, path, &error);
    if (crowd) {
        measure_frames(r, crowd);
        bench_gpu_crowd_destroy(crowd);
    } else {
        add_missing(r, path->name, error.message);
    }
    count_step(r);
}

// ---- All of it -------------------------------------------------------------------------------------------------

static int count_steps(const gpu_run *r) {
    int count = wants_posing(r);
    for (int i = 0; i < BENCH_GPU_PATHS; i++) count += wants_path(r, &bench_gpu_paths[i]);
    return count;
}

const char *bench_run_gpu(const bench_options *options, bench_report *report) {
    gpu_run r = {.options = options, .report = report};
    r.total = count_steps(&r);
    if (r.total == 0) return NULL;
    sinew_error error;
    const bool good = bench_gpu_stage_open(&r.stage, BENCH_GPU_CHARACTERS, &error);
    if (good) {
        bench_machine_identify(&report->machine, -1);
        identify(&report->gpu);
        if (wants_posing(&r)) measure_posing(&r);
        for (int i = 0; i < BENCH_GPU_PATHS; i++) measure_path(&r, &bench_gpu_paths[i]);
    } else {
        snprintf(report->why, sizeof report->why, "%s", error.message);
    }
    bench_gpu_stage_close(&r.stage);
    return good ? NULL : report->why;
}
