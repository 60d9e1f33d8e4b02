// A frame of characters by each path.
#include "bench/gpu_paths.h"

#include "bench/measure.h"

#include <epoxy/gl.h>

const bench_gpu_path bench_gpu_paths[BENCH_GPU_PATHS] = {
    {"uniforms-rows", SINEW_PALETTE_UNIFORMS, SINEW_LAYOUT_ROWS, BENCH_GPU_SINGLE},
    {"block-rows", SINEW_PALETTE_BLOCK, SINEW_LAYOUT_ROWS, BENCH_GPU_SINGLE},
    {"ranges-rows", SINEW_PALETTE_BLOCK, SINEW_LAYOUT_ROWS, BENCH_GPU_RANGES},
    {"ranges-mat4", SINEW_PALETTE_BLOCK, SINEW_LAYOUT_MAT4, BENCH_GPU_RANGES},
    {"ranges-trs", SINEW_PALETTE_BLOCK, SINEW_LAYOUT_TRS, BENCH_GPU_RANGES},
    {"texture-rows", SINEW_PALETTE_TEXTURE, SINEW_LAYOUT_ROWS, BENCH_GPU_INSTANCED},
    {"texture-mat4", SINEW_PALETTE_TEXTURE, SINEW_LAYOUT_MAT4, BENCH_GPU_INSTANCED},
    {"texture-trs", SINEW_PALETTE_TEXTURE, SINEW_LAYOUT_TRS, BENCH_GPU_INSTANCED},
    {"buffer-rows", SINEW_PALETTE_BUFFER, SINEW_LAYOUT_ROWS, BENCH_GPU_INSTANCED},
    {"buffer-mat4", SINEW_PALETTE_BUFFER, SINEW_LAYOUT_MAT4, BENCH_GPU_INSTANCED},
    {"buffer-trs", SINEW_PALETTE_BUFFER, SINEW_LAYOUT_TRS, BENCH_GPU_INSTANCED},
    {"storage-rows", SINEW_PALETTE_STORAGE, SINEW_LAYOUT_ROWS, BENCH_GPU_INSTANCED},
    {"storage-mat4", SINEW_PALETTE_STORAGE, SINEW_LAYOUT_MAT4, BENCH_GPU_INSTANCED},
    {"storage-trs", SINEW_PALETTE_STORAGE, SINEW_LAYOUT_TRS, BENCH_GPU_INSTANCED},
};

// ---- Making one ------------------------------------------------------------------------------------------------

static bool make_palettes(bench_gpu_crowd *crowd, sinew_error *error) {
    const bool single = crowd->path->drawing == BENCH_GPU_SINGLE;
    const sinew_gl_palette_def def = {
        .format = {.layout = crowd->path->layout, .joint_count = BENCH_GPU_JOINTS, .placed = true},
        .character_count = single ? 1 : BENCH_GPU_CHARACTERS,
        .source = crowd->path->source,
    };
    crowd->palette_count = BENCH_GPU_CHARACTERS / def.character_count;
    for (int i = 0; i < crowd->palette_count; i++) {
        if (sinew_gl_palette_create(crowd->stage->gl, &def, &crowd->palettes[i], error) != SINEW_OK) return false;
    }
    return true;
}

bench_gpu_crowd *bench_gpu_crowd_create(bench_gpu_stage *stage, const bench_gpu_path *path, sinew_error *error) {
    bench_gpu_crowd *crowd = bench_allocate(1, sizeof *crowd);
    crowd->stage = stage;
    crowd->path = path;
    if (make_palettes(crowd, error)) crowd->program = bench_gpu_program(stage, crowd->palettes[0], error);
    if (crowd->program) return crowd;
    bench_gpu_crowd_destroy(crowd);
    return NULL;
}

void bench_gpu_crowd_destroy(bench_gpu_crowd *crowd) {
    for (int i = 0; i < crowd->palette_count; i++) sinew_gl_palette_destroy(crowd->palettes[i]);
    glDeleteProgram(crowd->program);
    bench_release(crowd);
}

// ---- A frame ---------------------------------------------------------------------------------------------------

static void write_palettes(const bench_gpu_crowd *crowd) {
    const bench_gpu_stage *stage = crowd->stage;
    const int each = BENCH_GPU_CHARACTERS / crowd->palette_count;
    for (int i = 0; i < BENCH_GPU_CHARACTERS; i++) {
        const sinew_affine *joints = stage->crowd->items[i].palette;
        sinew_gl_palette_write(crowd->palettes[i / each], i % each, &stage->places[i], joints, NULL);
    }
    for (int i = 0; i < crowd->palette_count; i++) sinew_gl_palette_upload(crowd->palettes[i], each);
}

// Returns the seconds that binding takes: plain uniforms are sent by that.
static double draw_characters(const bench_gpu_crowd *crowd) {
    const bool instanced = crowd->path->drawing == BENCH_GPU_INSTANCED;
    const int draws = instanced ? 1 : BENCH_GPU_CHARACTERS;
    const int each = BENCH_GPU_CHARACTERS / crowd->palette_count;
    double binding = 0.0;
    for (int i = 0; i < draws; i++) {
        const sinew_gl_palette *palette = crowd->palettes[i / each];
        const sinew_gl_draw draw = {.palette = palette, .first = i % each, .count = BENCH_GPU_CHARACTERS / draws};
        const double start = bench_seconds();
        sinew_gl_palette_bind_character(palette, draw.first);
        binding += bench_seconds() - start;
        sinew_gl_mesh_draw_many(crowd->stage->mesh, &draw);
    }
    return binding;
}

bench_gpu_times bench_gpu_crowd_frame(bench_gpu_crowd *crowd) {
    bench_crowd_everything(crowd->stage->crowd, 0, BENCH_GPU_CHARACTERS);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(crowd->program);
    glFinish();
    const double start = bench_seconds();
    write_palettes(crowd);
    const double written = bench_seconds() - start;
    const double bound = draw_characters(crowd);
    glFinish();
    return (bench_gpu_times){written + bound, bench_seconds() - start};
}
