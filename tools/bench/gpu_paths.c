// SPDX-License-Identifier: MIT
// Draws a frame of characters with each path.
#include "bench/gpu_paths.h"

#include "bench/measure.h"
#include "render/program.h"

#include <string.h>

static const float frame_seconds = 1.0f / 60.0f;

// A path with separate vertices for each character draws fewer characters.
const bench_gpu_path bench_gpu_paths[BENCH_GPU_PATHS] = {
    {"uniforms-rows", BENCH_GPU_SINGLE, 1, SINEW_GPU_RESOURCE_UNIFORMS, SINEW_GPU_RECORD_ROWS, 0, false, false},
    {"block-rows", BENCH_GPU_SINGLE, 1, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 0, false, false},
    {"ranges-rows", BENCH_GPU_RANGES, 1, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 0, false, false},
    {"ranges-mat4", BENCH_GPU_RANGES, 1, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_MAT4, 0, false, false},
    {"ranges-trs", BENCH_GPU_RANGES, 1, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_TRS, 0, false, false},
    {"texture-rows", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_TEXTURE, SINEW_GPU_RECORD_ROWS, 0, false, false},
    {"texture-mat4", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_TEXTURE, SINEW_GPU_RECORD_MAT4, 0, false, false},
    {"texture-trs", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_TEXTURE, SINEW_GPU_RECORD_TRS, 0, false, false},
    {"buffer-rows", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_BUFFER, SINEW_GPU_RECORD_ROWS, 0, false, false},
    {"buffer-mat4", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_BUFFER, SINEW_GPU_RECORD_MAT4, 0, false, false},
    {"buffer-trs", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_BUFFER, SINEW_GPU_RECORD_TRS, 0, false, false},
    {"storage-rows", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RECORD_ROWS, 0, false, false},
    {"storage-mat4", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RECORD_MAT4, 0, false, false},
    {"storage-trs", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_STORAGE, SINEW_GPU_RECORD_TRS, 0, false, false},
    {"baked-float", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_NONE, SINEW_GPU_RECORD_BAKED, SINEW_BAKE_FLOAT,
     false, false},
    {"baked-half", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_NONE, SINEW_GPU_RECORD_BAKED, SINEW_BAKE_HALF, false,
     false},
    {"baked-alone", BENCH_GPU_INSTANCED, 1, SINEW_GPU_RESOURCE_NONE, SINEW_GPU_RECORD_BAKED, SINEW_BAKE_HALF, false,
     true},
    {"vertices", BENCH_GPU_VERTICES, 1, SINEW_GPU_RESOURCE_NONE, SINEW_GPU_RECORD_ROWS, 0, true, false},
    {"4-passes", BENCH_GPU_RANGES, 4, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 0, true, false},
    {"4-passes-feedback", BENCH_GPU_FEEDBACK, 4, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 0, true, false},
    {"4-passes-compute", BENCH_GPU_COMPUTE, 4, SINEW_GPU_RESOURCE_BLOCK, SINEW_GPU_RECORD_ROWS, 0, true, false},
};

int bench_gpu_path_characters(const bench_gpu_path *path, int count) {
    return path->few ? count / 10 : count;
}

static bool skins_once(const bench_gpu_path *path) {
    return path->drawing == BENCH_GPU_FEEDBACK || path->drawing == BENCH_GPU_COMPUTE;
}

// ---- Making one ------------------------------------------------------------------------------------------------

static bool make_palettes(bench_gpu_crowd *crowd, sinew_error *error) {
    const bench_gpu_path *path = crowd->path;
    if (path->drawing == BENCH_GPU_VERTICES) return true;
    sinew_gl_records_def def = sinew_gl_records_default();
    def.format = (sinew_gpu_record_format){
        .layout = path->layout, .joint_count = BENCH_GPU_JOINTS, .per_instance_transform = true};
    def.character_count = path->drawing == BENCH_GPU_SINGLE ? 1 : crowd->characters;
    def.resource = path->source;
    const int count = crowd->characters / def.character_count;
    while (crowd->palette_count < count) {
        sinew_gl_records **palette = &crowd->palettes[crowd->palette_count++];
        if (sinew_gl_records_create(crowd->stage->gl, &def, palette, error) != SINEW_OK) return false;
    }
    return true;
}

static bool make_skinned(bench_gpu_crowd *crowd, sinew_error *error) {
    if (!skins_once(crowd->path)) return true;
    const bench_gpu_stage *stage = crowd->stage;
    const sinew_gl_skinning how =
        crowd->path->drawing == BENCH_GPU_COMPUTE ? SINEW_GL_SKINNING_COMPUTE : SINEW_GL_SKINNING_FEEDBACK;
    for (int i = 0; i < crowd->characters; i++) {
        if (sinew_gl_skinned_create(stage->gl, stage->mesh, crowd->palettes[0], how, &crowd->skinned[i], error) !=
            SINEW_OK) {
            return false;
        }
    }
    return true;
}

// Sets the states to what the stage's mixers play: two clips in a cross-fade.
static void start_states(bench_gpu_crowd *crowd) {
    const bench_crowd *players = crowd->stage->crowd;
    for (int i = 0; i < crowd->characters; i++) {
        sinew_bake_from_mixer(crowd->bake, players->items[i].mixer, &crowd->states[i]);
        if (crowd->path->alone) crowd->states[i].tracks[1].clip = -1;
    }
}

static bool make_animations(bench_gpu_crowd *crowd, sinew_error *error) {
    if (crowd->path->layout != SINEW_GPU_RECORD_BAKED) return true;
    const bench_world *world = crowd->stage->world;
    crowd->asset = (sinew_asset){.skeleton = world->skeleton, .skin_count = 1, .skins = world->skin};
    sinew_bake_def def = sinew_bake_default();
    def.asset = &crowd->asset;
    def.clips = world->clips;
    def.clip_count = world->clip_count;
    def.format = crowd->path->texels;
    if (sinew_bake_create(&def, &crowd->bake, error) != SINEW_OK) return false;
    start_states(crowd);
    return sinew_gl_animations_create(crowd->stage->gl, crowd->bake, &crowd->animations, error) == SINEW_OK;
}

// Makes the path's program. Skinned vertices are drawn without a palette.
static bool make_program(bench_gpu_crowd *crowd, sinew_error *error) {
    const sinew_gl_records *palette = skins_once(crowd->path) ? NULL : crowd->palettes[0];
    crowd->program = bench_gpu_program(crowd->stage, palette, error);
    return crowd->program != 0;
}

bench_gpu_crowd *bench_gpu_crowd_create(bench_gpu_stage *stage, const bench_gpu_path *path, sinew_error *error) {
    bench_gpu_crowd *crowd = bench_allocate(1, sizeof *crowd);
    crowd->stage = stage;
    crowd->path = path;
    crowd->characters = bench_gpu_path_characters(path, stage->characters);
    if (make_palettes(crowd, error) && make_skinned(crowd, error) && make_animations(crowd, error) &&
        make_program(crowd, error)) {
        return crowd;
    }
    bench_gpu_crowd_destroy(crowd);
    return NULL;
}

void bench_gpu_crowd_destroy(bench_gpu_crowd *crowd) {
    const bench_mesh *vertices = crowd->stage->vertices;
    if (crowd->path->drawing == BENCH_GPU_VERTICES) {
        sinew_gl_mesh_update(crowd->stage->mesh, vertices->job.positions, vertices->job.normals);
    }
    for (int i = 0; i < crowd->characters; i++) sinew_gl_skinned_destroy(crowd->skinned[i]);
    for (int i = 0; i < crowd->palette_count; i++) sinew_gl_records_destroy(crowd->palettes[i]);
    sinew_gl_animations_destroy(crowd->animations);
    sinew_bake_destroy(crowd->bake);
    glUseProgram(0); // OpenGL doesn't delete a program while it's in use
    glDeleteProgram(crowd->program);
    bench_release(crowd);
}

// ---- Sending ---------------------------------------------------------------------------------------------------

static int characters_each(const bench_gpu_crowd *crowd) {
    return crowd->characters / crowd->palette_count;
}

static void write_palettes(bench_gpu_crowd *crowd) {
    const bench_gpu_stage *stage = crowd->stage;
    const int each = characters_each(crowd);
    for (int i = 0; i < crowd->characters; i++) {
        const sinew_affine *joints = stage->crowd->items[i].palette;
        sinew_gl_records_write(crowd->palettes[i / each], i % each, stage->transforms[i], joints, NULL);
    }
}

// Writes the states. A transform is three texels, followed by the state.
static void write_states(bench_gpu_crowd *crowd) {
    for (int i = 0; i < crowd->characters; i++) {
        sinew_gl_records_write(crowd->palettes[0], i, crowd->stage->transforms[i], NULL, NULL);
        sinew_bake_advance(crowd->bake, &crowd->states[i], frame_seconds);
        sinew_bake_write(crowd->bake, &crowd->states[i], sinew_gl_records_data(crowd->palettes[0], i) + 12);
    }
}

static void send_records(bench_gpu_crowd *crowd) {
    const double start = bench_seconds();
    if (crowd->path->layout == SINEW_GPU_RECORD_BAKED)
        write_states(crowd);
    else
        write_palettes(crowd);
    for (int i = 0; i < crowd->palette_count; i++) {
        sinew_gl_records_upload(crowd->palettes[i], characters_each(crowd));
    }
    crowd->sending += bench_seconds() - start;
}

// Binds the palette, and sends plain uniforms.
static void bind_palette(bench_gpu_crowd *crowd, const sinew_gl_draw *draw) {
    const double start = bench_seconds();
    sinew_gl_records_bind_character(draw->records, draw->first);
    if (crowd->animations) sinew_gl_animations_bind(crowd->animations);
    crowd->sending += bench_seconds() - start;
}

static void send_vertices(bench_gpu_crowd *crowd, int character) {
    const bench_gpu_stage *stage = crowd->stage;
    const sinew_skin_job *job = &stage->vertices->job;
    const double start = bench_seconds();
    sinew_skin_vertices(job, stage->crowd->items[character].palette, 0, BENCH_VERTICES);
    sinew_gl_mesh_update(stage->mesh, job->out_positions, job->out_normals);
    crowd->sending += bench_seconds() - start;
}

// ---- Drawing ---------------------------------------------------------------------------------------------------

static sinew_gl_draw draw_of(const bench_gpu_crowd *crowd, int character) {
    const int each = characters_each(crowd);
    return (sinew_gl_draw){.records = crowd->palettes[character / each], .first = character % each, .count = 1};
}

static void draw_all_at_once(bench_gpu_crowd *crowd) {
    sinew_gl_draw draw = draw_of(crowd, 0);
    draw.count = crowd->characters;
    bind_palette(crowd, &draw);
    sinew_gl_mesh_draw_many(crowd->stage->mesh, &draw);
}

static void draw_each(bench_gpu_crowd *crowd) {
    for (int i = 0; i < crowd->characters; i++) {
        const sinew_gl_draw draw = draw_of(crowd, i);
        bind_palette(crowd, &draw);
        sinew_gl_mesh_draw_many(crowd->stage->mesh, &draw);
    }
}

static void set_transform(const bench_gpu_crowd *crowd, const sinew_affine *transform) {
    draw_set_vec4(crowd->program, "world", &transform->m[0][0], 3);
}

static void draw_vertices(bench_gpu_crowd *crowd) {
    for (int i = 0; i < crowd->characters; i++) {
        send_vertices(crowd, i);
        set_transform(crowd, &crowd->stage->transforms[i]);
        sinew_gl_mesh_draw(crowd->stage->mesh);
    }
}

static void skin_each(bench_gpu_crowd *crowd) {
    for (int i = 0; i < crowd->characters; i++) {
        const sinew_gl_draw draw = draw_of(crowd, i);
        bind_palette(crowd, &draw);
        sinew_gl_skinned_update(crowd->skinned[i], &draw);
    }
    const sinew_affine identity = sinew_affine_identity();
    glUseProgram(crowd->program);
    set_transform(crowd, &identity); // the vertices include the transforms
}

static void draw_skinned(const bench_gpu_crowd *crowd) {
    for (int i = 0; i < crowd->characters; i++) sinew_gl_skinned_draw(crowd->skinned[i]);
}

static void draw_pass(bench_gpu_crowd *crowd) {
    switch (crowd->path->drawing) {
    case BENCH_GPU_INSTANCED:
        draw_all_at_once(crowd);
        break;
    case BENCH_GPU_RANGES:
    case BENCH_GPU_SINGLE:
        draw_each(crowd);
        break;
    case BENCH_GPU_FEEDBACK:
    case BENCH_GPU_COMPUTE:
        draw_skinned(crowd);
        break;
    case BENCH_GPU_VERTICES:
        draw_vertices(crowd);
        break;
    }
}

bench_gpu_times bench_gpu_crowd_frame(bench_gpu_crowd *crowd) {
    crowd->sending = 0.0;
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(crowd->program);
    glFinish();
    const double start = bench_seconds();
    if (crowd->palette_count > 0) send_records(crowd);
    if (skins_once(crowd->path)) skin_each(crowd);
    for (int pass = 0; pass < crowd->path->passes; pass++) draw_pass(crowd);
    glFinish();
    return (bench_gpu_times){crowd->sending, bench_seconds() - start};
}
