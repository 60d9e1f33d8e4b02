// SPDX-License-Identifier: MIT
// The rows, and how each is measured.
#include "bench/bench.h"

#include "bench/animators.h"
#include "bench/crowd.h"
#include "bench/gpu.h"
#include "bench/limbs.h"
#include "bench/load.h"
#include "bench/mesh.h"
#include "bench/partner.h"
#include "bench/retarget.h"
#include "bench/springs.h"
#include "bench/scene.h"
#include "bench/spatial.h"

#include <stdio.h>
#include <string.h>

// ---- Which rows there are ------------------------------------------------------------------------------------

// A stage that characters run, in both implementations or only in Sinew.
typedef struct crowd_stage {
    const char *name;
    bench_stage_function *sinew, *textbook;
    bench_playing playing;
} crowd_stage;

static const crowd_stage sample = {"sample", bench_crowd_sample, textbook_crowd_sample, BENCH_FORWARD};
static const crowd_stage blend = {"blend", bench_crowd_blend, textbook_crowd_blend, BENCH_FORWARD};
static const crowd_stage model = {"model", bench_crowd_model, textbook_crowd_model, BENCH_FORWARD};
static const crowd_stage palette = {"palette", bench_crowd_palette, textbook_crowd_palette, BENCH_FORWARD};
static const crowd_stage upload = {"upload", bench_crowd_upload, textbook_crowd_upload, BENCH_FORWARD};
static const crowd_stage everything = {"everything", bench_crowd_everything, textbook_crowd_everything,
                                       BENCH_FORWARD};
static const crowd_stage two_threads = {"two-threads", bench_crowd_everything, NULL, BENCH_FORWARD}; // half on each
static const crowd_stage palettes = {"palettes", bench_crowd_palettes, textbook_crowd_everything, BENCH_FORWARD};
static const crowd_stage streamed = {"streamed", bench_crowd_streamed, textbook_crowd_everything, BENCH_FORWARD};
static const crowd_stage seek = {"seek", bench_crowd_seek, textbook_crowd_seek, BENCH_FORWARD};
static const crowd_stage paused = {"paused", bench_crowd_everything, textbook_crowd_everything, BENCH_PAUSED};
static const crowd_stage backward = {"backward", bench_crowd_everything, textbook_crowd_everything, BENCH_BACKWARD};

// A case that both implementations run. `joints` is 0 for a file, which has its own number.
typedef struct crowd_case {
    const crowd_stage *stage;
    int32_t joints;
    bench_keys keys;
    int32_t characters;
} crowd_case;

// Cases with the same skeleton and keys are adjacent, to make their clips only once.
static const crowd_case crowd_cases[] = {
    {&everything, 60, BENCH_KEYS_ALL, 1},
    {&everything, 60, BENCH_KEYS_ALL, 1000},
    {&everything, 60, BENCH_KEYS_ALL, 10000},
    {&two_threads, 60, BENCH_KEYS_ALL, 1000},
    {&two_threads, 60, BENCH_KEYS_ALL, 10000},
    {&palettes, 60, BENCH_KEYS_ALL, 1},
    {&palettes, 60, BENCH_KEYS_ALL, 1000},
    {&palettes, 60, BENCH_KEYS_ALL, 10000},
    {&streamed, 60, BENCH_KEYS_ALL, 1},
    {&streamed, 60, BENCH_KEYS_ALL, 1000},
    {&streamed, 60, BENCH_KEYS_ALL, 10000},
    {&sample, 60, BENCH_KEYS_ALL, 1},
    {&sample, 60, BENCH_KEYS_ALL, 1000},
    {&sample, 60, BENCH_KEYS_ALL, 10000},
    {&blend, 60, BENCH_KEYS_ALL, 1},
    {&blend, 60, BENCH_KEYS_ALL, 1000},
    {&blend, 60, BENCH_KEYS_ALL, 10000},
    {&model, 60, BENCH_KEYS_ALL, 1},
    {&model, 60, BENCH_KEYS_ALL, 1000},
    {&palette, 60, BENCH_KEYS_ALL, 1},
    {&palette, 60, BENCH_KEYS_ALL, 1000},
    {&upload, 60, BENCH_KEYS_ALL, 1},
    {&upload, 60, BENCH_KEYS_ALL, 1000},
    {&seek, 60, BENCH_KEYS_ALL, 1},
    {&seek, 60, BENCH_KEYS_ALL, 1000},
    {&paused, 60, BENCH_KEYS_ALL, 1000},
    {&backward, 60, BENCH_KEYS_ALL, 1000},
    {&everything, 60, BENCH_KEYS_GAME, 1},
    {&everything, 60, BENCH_KEYS_GAME, 1000},
    {&everything, 60, BENCH_KEYS_GAME, 10000},
    {&sample, 60, BENCH_KEYS_GAME, 1},
    {&sample, 60, BENCH_KEYS_GAME, 1000},
    {&blend, 60, BENCH_KEYS_GAME, 1000},
    {&seek, 60, BENCH_KEYS_GAME, 1000},
    {&paused, 60, BENCH_KEYS_GAME, 1000},
    {&backward, 60, BENCH_KEYS_GAME, 1000},
    {&everything, 60, BENCH_KEYS_ALL_16, 1},
    {&everything, 60, BENCH_KEYS_ALL_16, 1000},
    {&everything, 60, BENCH_KEYS_ALL_16, 10000},
    {&sample, 60, BENCH_KEYS_ALL_16, 1},
    {&sample, 60, BENCH_KEYS_ALL_16, 1000},
    {&everything, 60, BENCH_KEYS_GAME_16, 1},
    {&everything, 60, BENCH_KEYS_GAME_16, 1000},
    {&everything, 60, BENCH_KEYS_GAME_16, 10000},
    {&everything, 60, BENCH_KEYS_ALL_COMPRESSED, 1},
    {&everything, 60, BENCH_KEYS_ALL_COMPRESSED, 1000},
    {&everything, 60, BENCH_KEYS_ALL_COMPRESSED, 10000},
    {&sample, 60, BENCH_KEYS_ALL_COMPRESSED, 1},
    {&sample, 60, BENCH_KEYS_ALL_COMPRESSED, 1000},
    {&sample, 60, BENCH_KEYS_ALL_COMPRESSED, 10000},
    {&blend, 60, BENCH_KEYS_ALL_COMPRESSED, 1},
    {&blend, 60, BENCH_KEYS_ALL_COMPRESSED, 1000},
    {&blend, 60, BENCH_KEYS_ALL_COMPRESSED, 10000},
    {&everything, 60, BENCH_KEYS_SPARSE, 1},
    {&everything, 60, BENCH_KEYS_SPARSE, 1000},
    {&everything, 60, BENCH_KEYS_SPARSE, 10000},
    {&sample, 60, BENCH_KEYS_SPARSE, 1},
    {&blend, 60, BENCH_KEYS_SPARSE, 1000},
    {&seek, 60, BENCH_KEYS_SPARSE, 1000},
    {&backward, 60, BENCH_KEYS_SPARSE, 1000},
    {&everything, 60, BENCH_KEYS_GRID, 1},
    {&everything, 60, BENCH_KEYS_GRID, 1000},
    {&everything, 60, BENCH_KEYS_GRID, 10000},
    {&everything, 0, BENCH_KEYS_FILE, 1},
    {&everything, 0, BENCH_KEYS_FILE, 1000},
    {&everything, 0, BENCH_KEYS_FILE, 10000},
    {&palettes, 0, BENCH_KEYS_FILE, 1000},
    {&palettes, 0, BENCH_KEYS_FILE, 10000},
    {&streamed, 0, BENCH_KEYS_FILE, 10000},
    {&sample, 0, BENCH_KEYS_FILE, 1},
    {&blend, 0, BENCH_KEYS_FILE, 1000},
    {&model, 0, BENCH_KEYS_FILE, 1},
    {&everything, 200, BENCH_KEYS_ALL, 1},
    {&everything, 200, BENCH_KEYS_ALL, 1000},
    {&everything, 200, BENCH_KEYS_ALL, 10000},
    {&model, 200, BENCH_KEYS_ALL, 1},
    {&everything, 200, BENCH_KEYS_ALL_16, 1},
    {&everything, 200, BENCH_KEYS_ALL_16, 1000},
    {&everything, 200, BENCH_KEYS_ALL_16, 10000},
    {&everything, 200, BENCH_KEYS_GAME, 1},
    {&everything, 200, BENCH_KEYS_GAME, 1000},
    {&everything, 200, BENCH_KEYS_GAME, 10000},
    {&everything, 200, BENCH_KEYS_SPARSE, 1},
    {&everything, 200, BENCH_KEYS_SPARSE, 1000},
    {&everything, 200, BENCH_KEYS_SPARSE, 10000},
};

typedef struct mesh_case {
    const char *stage;
    const char *data;
    bench_parts parts;
    bench_layout layout;
} mesh_case;

static const mesh_case mesh_cases[] = {
    {"skin-position", "4-u16-float", BENCH_POSITION, BENCH_LAYOUT_4},
    {"skin-normal", "4-u16-float", BENCH_NORMAL, BENCH_LAYOUT_4},
    {"skin-tangent", "4-u16-float", BENCH_TANGENT, BENCH_LAYOUT_4},
    {"skin-normal", "8-u16-float", BENCH_NORMAL, BENCH_LAYOUT_8},
    {"skin-normal", "4-u8-float", BENCH_NORMAL, BENCH_LAYOUT_4_U8_FLOAT},
    {"skin-normal", "4-u8-u16", BENCH_NORMAL, BENCH_LAYOUT_4_U8_U16},
    {"skin-normal", "4-u8-u8", BENCH_NORMAL, BENCH_LAYOUT_BYTES},
    {"skin-normal", "8-u8-u8", BENCH_NORMAL, BENCH_LAYOUT_8_BYTES},
    {"skin-normal", "4-interleaved", BENCH_NORMAL, BENCH_LAYOUT_INTERLEAVED},
    {"skin-normal", "4-interleaved-u8-u8", BENCH_NORMAL, BENCH_LAYOUT_INTERLEAVED_BYTES},
    {"skin-tangent", "4-interleaved", BENCH_TANGENT, BENCH_LAYOUT_INTERLEAVED},
};

// Bounds, culling and picking: the unit, and how many units a call processes.
typedef struct spatial_case {
    const char *stage, *data;
    bench_spatial_function *work;
    int32_t joints, characters;
    const char *unit;
    int32_t units;
} spatial_case;

enum { MESH_JOINTS = 60, SPRING_JOINTS = 200 };

static const spatial_case spatial_cases[] = {
    {"bounds", "box", bench_spatial_box, MESH_JOINTS, 1, "joint", MESH_JOINTS},
    {"bounds", "box-sphere", bench_spatial_sphere, MESH_JOINTS, 1, "joint", MESH_JOINTS},
    {"cull", "boxes", bench_spatial_cull, 0, BENCH_BOXES, "box", BENCH_BOXES},
    {"pick", "triangles", bench_spatial_pick, MESH_JOINTS, 1, "triangle", BENCH_TRIANGLES},
};

// Scenes: how many instances move per frame, or 0 for culling.
typedef struct scene_case {
    const char *stage, *data;
    int32_t moved;
    bool skip_unseen;
} scene_case;

static const scene_case scene_cases[] = {
    {"scene", "10-moved", 10, false},     {"scene", "100-moved", 100, false},
    {"scene", "1000-moved", 1000, false}, {"scene", "10000-moved", 10000, false},
    {"scene-cull", "boxes", 0, false},    {"scene-cull", "leaves-unseen", 0, true},
};

// Each solve uses current matrices.
typedef struct limb_case {
    const char *stage;
    bench_solver solver;
} limb_case;

static const limb_case limb_cases[] = {
    {"ik-two-bone", BENCH_TWO_BONE},
    {"ik-aim", BENCH_AIM},
    {"ik-foot", BENCH_FOOT},
    {"ik-foot-lock", BENCH_FOOT_LOCK},
    {"orient-warp", BENCH_ORIENTATION_WARP},
    {"stride-warp", BENCH_STRIDE_WARP},
    {"aim-offset", BENCH_AIM_OFFSET},
    {"root-warp", BENCH_ROOT_WARP},
    {"ik-chain", BENCH_CHAIN},
    {"ik-body", BENCH_BODY},
};

// A frame of characters that a graph drives, or of only their mixers.
typedef struct animator_case {
    const char *data;
    bool by_graph;
    int32_t characters;
} animator_case;

static const animator_case animator_cases[] = {
    {"mixer", false, 1},
    {"graph", true, 1},
    {"mixer", false, 1000},
    {"graph", true, 1000},
};

// A character's pose, without and with its limbs.
static const char *const retarget_cases[] = {"pose", "limbs"};

// A character's springs, without and with colliders.
static const char *const spring_cases[] = {"free", "colliders"};

// Files with different numbers of clips, to show that the time per byte doesn't depend on the size.
typedef struct load_case {
    // "load" for the .glb, "load-baked" and "load-trusted" for the baked asset without a copy, "map-baked" for a mapped
    // file, or "read" for how fast the system reads from a disk.
    const char *stage;
    const char *data;
    int32_t clips;
} load_case;

static const load_case load_cases[] = {
    {"load", "50-clips", 50},         {"read", "50-clips", 50},           {"load", "500-clips", 500},
    {"load-baked", "500-clips", 500}, {"load-trusted", "500-clips", 500}, {"map-baked", "500-clips", 500},
    {"read", "500-clips", 500},
};

enum {
    CROWD_CASES = sizeof crowd_cases / sizeof *crowd_cases,
    MESH_CASES = sizeof mesh_cases / sizeof *mesh_cases,
    SPATIAL_CASES = sizeof spatial_cases / sizeof *spatial_cases,
    SCENE_CASES = sizeof scene_cases / sizeof *scene_cases,
    LIMB_CASES = sizeof limb_cases / sizeof *limb_cases,
    ANIMATOR_CASES = sizeof animator_cases / sizeof *animator_cases,
    RETARGET_CASES = sizeof retarget_cases / sizeof *retarget_cases,
    SPRING_CASES = sizeof spring_cases / sizeof *spring_cases,
    LOAD_CASES = sizeof load_cases / sizeof *load_cases,
    LOAD_RUNS = 5
};

// The crowd's default budget. Without the option, fewer frames run.
static const double default_budget_ms = 4.0;
enum { FEW_BUDGET_FRAMES = 1000 };

// ---- Names and filters ---------------------------------------------------------------------------------------

int bench_row_name(const bench_row *row, char *name, size_t room) {
    return snprintf(name, room, "%s %d %s %d %s", row->stage, row->joints, row->data, row->characters,
                    row->implementation);
}

const bench_row *bench_textbook_row(const bench_report *report, const bench_row *row) {
    for (int i = 0; i < report->row_count; i++) {
        const bench_row *other = &report->rows[i];
        if (strcmp(other->implementation, "textbook") == 0 && strcmp(other->stage, row->stage) == 0 &&
            strcmp(other->data, row->data) == 0 && other->joints == row->joints &&
            other->characters == row->characters) {
            return other;
        }
    }
    return NULL;
}

bool bench_passes_filters(const bench_options *options, const bench_row *row) {
    char name[160];
    bench_row_name(row, name, sizeof name);
    for (int i = 0; i < options->filter_count; i++) {
        if (strstr(name, options->filters[i])) return true;
    }
    return options->filter_count == 0;
}

// Turns "models/hero.glb" into "hero".
static void name_file(const char *path, char *name, size_t room) {
    const char *slash = strrchr(path, '/');
    snprintf(name, room, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot > name) *dot = '\0';
}

// ---- The run -------------------------------------------------------------------------------------------------

// The state of a run. Keeps the last world, because adjacent cases share one.
typedef struct run {
    const bench_options *options;
    bench_report *report;
    int done, total;
    bench_world *world;
    bench_keys keys;
    int32_t joints;
    const char *why; // why it failed, or NULL
} run;

static const char out_of_memory[] = "out of memory";

static void count_step(run *r) {
    if (r->options->progress) r->options->progress("Measuring", ++r->done, r->total);
}

static int32_t joints_of(const run *r, int32_t joints) {
    return joints || !r->options->file ? joints : r->options->file->skins[0].joint_count;
}

static const char *data_name(const run *r, bench_keys keys) {
    switch (keys) {
    case BENCH_KEYS_ALL:
        return "all";
    case BENCH_KEYS_GAME:
        return "game";
    case BENCH_KEYS_SPARSE:
        return "sparse";
    case BENCH_KEYS_GRID:
        return "sparse-grid";
    case BENCH_KEYS_ALL_16:
        return "all-16";
    case BENCH_KEYS_GAME_16:
        return "game-16";
    case BENCH_KEYS_ALL_COMPRESSED:
        return "all-compressed";
    case BENCH_KEYS_FILE:
        return r->report->file_data;
    }
    return "";
}

static bool enter_world(run *r, bench_keys keys, int32_t joints) {
    if (r->world && r->keys == keys && r->joints == joints) return true;
    bench_world_destroy(r->world);
    r->keys = keys, r->joints = joints;
    const char *why = out_of_memory;
    r->world =
        keys == BENCH_KEYS_FILE ? bench_world_of_asset(r->options->file, &why) : bench_world_create(keys, joints);
    if (!r->world) r->why = why;
    return r->world != NULL;
}

static void add_row(run *r, const bench_row *row, bench_timing timing, double units) {
    timing.median /= units, timing.least /= units, timing.most /= units;
    bench_row *added = &r->report->rows[r->report->row_count++];
    *added = *row;
    added->timing = timing;
    if (strcmp(row->implementation, "sinew") != 0) return;
    added->floor = bench_floor_of(&r->report->machine, row->stage, row->data, row->joints, row->characters);
}

// Returns a row for one character in Sinew.
static bench_row sinew_row(const run *r, const char *stage, int32_t joints, const char *data, const char *unit) {
    return (bench_row){
        .stage = stage,
        .joints = joints,
        .data = data,
        .characters = 1,
        .implementation = "sinew",
        .simd = r->report->machine.simd,
        .unit = unit,
    };
}

static void set_textbook(bench_row *row) {
    row->implementation = "textbook";
    row->simd = "compiler";
}

// If memory ran out for a case's data, ends the run and returns false.
static bool check_created(run *r, const void *data) {
    if (!data) r->why = out_of_memory;
    return data;
}

// ---- Characters ----------------------------------------------------------------------------------------------

// A run may end within a frame. A frame of ten thousand characters would be too long.
typedef struct crowd_work {
    bench_crowd *crowd;
    bench_stage_function *stage;
    bench_partner *partner; // for a shared stage
    int32_t next;
} crowd_work;

// Hands over a shared stage once per frame, like a game.
static void do_stage(const crowd_work *work, int32_t first, int32_t count) {
    if (work->partner) {
        bench_partner_share(work->partner, work->stage, work->crowd, first, count);
    } else {
        work->stage(work->crowd, first, count);
    }
}

static void work_on_crowd(void *context, int64_t count) {
    crowd_work *work = context;
    while (count > 0) {
        if (work->next == work->crowd->count) work->next = 0;
        int32_t left = work->crowd->count - work->next;
        int32_t some = count < left ? (int32_t)count : left;
        do_stage(work, work->next, some);
        work->next += some;
        count -= some;
    }
}

static void measure_crowd(run *r, const crowd_case *one, const bench_row *row, bool textbook) {
    const crowd_stage *stage = one->stage;
    crowd_work work = {
        .crowd = textbook ? textbook_crowd_create(r->world, one->characters, stage->playing)
                          : bench_crowd_create(r->world, one->characters, stage->playing),
        .stage = textbook ? stage->textbook : stage->sinew,
    };
    if (!check_created(r, work.crowd)) return;
    if (stage == &two_threads) work.partner = bench_partner_start();
    if (stage != &two_threads || work.partner) add_row(r, row, bench_measure(work_on_crowd, &work), row->joints);
    bench_partner_stop(work.partner);
    bench_crowd_destroy(work.crowd);
}

static bool crowd_row(const run *r, const crowd_case *one, bool textbook, bench_row *row) {
    if (textbook && !one->stage->textbook) return false;
    if (one->keys == BENCH_KEYS_FILE && !r->options->file) return false;
    *row = sinew_row(r, one->stage->name, joints_of(r, one->joints), data_name(r, one->keys), "joint");
    row->characters = one->characters;
    if (textbook) set_textbook(row);
    return bench_passes_filters(r->options, row);
}

// ---- A budget ------------------------------------------------------------------------------------------------

static void measure_budget(run *r, const bench_row *row) {
    bench_budget *budget = &r->report->budget;
    bool is_asked = r->options->budget_ms > 0.0f;
    double ms = is_asked ? (double)r->options->budget_ms : default_budget_ms;
    int32_t frames = is_asked ? BENCH_BUDGET_FRAMES : FEW_BUDGET_FRAMES;
    if (!bench_budget_measure(r->world, 1e-3 * ms, frames, budget)) {
        r->why = out_of_memory;
        return;
    }
    bench_timing timing = {1e9 * budget->median, 1e9 * budget->least, 1e9 * budget->most, frames, 0, true};
    add_row(r, row, timing, budget->characters);
}

// Uses the file's characters, or generated ones.
static bool budget_row(const run *r, bench_row *row) {
    bench_keys keys = r->options->file ? BENCH_KEYS_FILE : BENCH_KEYS_ALL;
    const int32_t joints = joints_of(r, keys == BENCH_KEYS_FILE ? 0 : MESH_JOINTS);
    *row = sinew_row(r, "budget", joints, data_name(r, keys), "character");
    row->characters = BENCH_BUDGET_CHARACTERS;
    return bench_passes_filters(r->options, row);
}

// ---- Vertices ------------------------------------------------------------------------------------------------

typedef struct mesh_work {
    bench_mesh *mesh;
    bool textbook;
} mesh_work;

static void work_on_mesh(void *context, int64_t count) {
    const mesh_work *work = context;
    const bench_mesh *mesh = work->mesh;
    for (int64_t i = 0; i < count; i++) {
        if (work->textbook) {
            textbook_skin_vertices(&mesh->textbook, mesh->mat4s, 0, BENCH_VERTICES);
        } else {
            sinew_skin_vertices(&mesh->job, mesh->palette, 0, BENCH_VERTICES);
        }
    }
}

static void measure_mesh(run *r, const mesh_case *one, const bench_row *row, bool textbook) {
    mesh_work work = {bench_mesh_create(r->world, one->parts, one->layout), textbook};
    if (!check_created(r, work.mesh)) return;
    add_row(r, row, bench_measure(work_on_mesh, &work), BENCH_VERTICES);
    bench_mesh_destroy(work.mesh);
}

static bool mesh_row(const run *r, const mesh_case *one, bool textbook, bench_row *row) {
    *row = sinew_row(r, one->stage, MESH_JOINTS, one->data, "vertex");
    if (textbook) set_textbook(row);
    return bench_passes_filters(r->options, row);
}

// ---- Bounds, culling, picking --------------------------------------------------------------------------------

typedef struct spatial_work {
    bench_spatial *spatial;
    bench_spatial_function *work;
} spatial_work;

static void work_on_spatial(void *context, int64_t count) {
    const spatial_work *work = context;
    for (int64_t i = 0; i < count; i++) work->work(work->spatial);
}

static void measure_spatial(run *r, size_t index, const bench_row *row) {
    const spatial_case *one = &spatial_cases[index];
    spatial_work work = {bench_spatial_create(r->world), one->work};
    if (!check_created(r, work.spatial)) return;
    add_row(r, row, bench_measure(work_on_spatial, &work), one->units);
    bench_spatial_destroy(work.spatial);
}

static bench_row spatial_row(const run *r, size_t index) {
    const spatial_case *one = &spatial_cases[index];
    bench_row row = sinew_row(r, one->stage, one->joints, one->data, one->unit);
    row.characters = one->characters;
    return row;
}

// ---- Scenes --------------------------------------------------------------------------------------------------

typedef struct scene_work {
    bench_scene *scene;
    int32_t moved;
} scene_work;

static void work_on_scene(void *context, int64_t count) {
    const scene_work *work = context;
    for (int64_t i = 0; i < count; i++) {
        if (work->moved > 0)
            bench_scene_update(work->scene, work->moved);
        else
            bench_scene_cull(work->scene);
    }
}

static void measure_scene(run *r, size_t index, const bench_row *row) {
    const scene_case *one = &scene_cases[index];
    scene_work work = {bench_scene_create(one->skip_unseen), one->moved};
    if (!check_created(r, work.scene)) return;
    add_row(r, row, bench_measure(work_on_scene, &work), one->moved > 0 ? one->moved : BENCH_INSTANCES);
    bench_scene_destroy(work.scene);
}

static bench_row scene_row(const run *r, size_t index) {
    const scene_case *one = &scene_cases[index];
    bench_row row = sinew_row(r, one->stage, 0, one->data, one->moved > 0 ? "node" : "box");
    row.characters = BENCH_INSTANCES;
    return row;
}

// ---- Inverse kinematics ----------------------------------------------------------------------------------------

typedef struct limb_work {
    bench_limbs *limbs;
    bench_solver solver;
} limb_work;

static void work_on_limbs(void *context, int64_t count) {
    const limb_work *work = context;
    bench_limbs_solve(work->limbs, work->solver, count);
}

static void measure_limbs(run *r, size_t index, const bench_row *row) {
    const limb_case *one = &limb_cases[index];
    limb_work work = {bench_limbs_create(r->world), one->solver};
    if (!check_created(r, work.limbs)) return;
    add_row(r, row, bench_measure(work_on_limbs, &work), 1.0);
    bench_limbs_destroy(work.limbs);
}

static bench_row limb_row(const run *r, size_t index) {
    return sinew_row(r, limb_cases[index].stage, MESH_JOINTS, "random", "solve");
}

// ---- Animators -------------------------------------------------------------------------------------------------

typedef struct animator_work {
    bench_animators *animators;
    bool by_graph;
} animator_work;

static void work_on_animators(void *context, int64_t count) {
    const animator_work *work = context;
    bench_animators_update(work->animators, work->by_graph, count);
}

static void measure_animators(run *r, size_t index, const bench_row *row) {
    const animator_case *one = &animator_cases[index];
    animator_work work = {bench_animators_create(r->world, one->characters), one->by_graph};
    if (!check_created(r, work.animators)) return;
    add_row(r, row, bench_measure(work_on_animators, &work), 1.0);
    bench_animators_destroy(work.animators);
}

static bench_row animator_row(const run *r, size_t index) {
    const animator_case *one = &animator_cases[index];
    bench_row row = sinew_row(r, "animator", MESH_JOINTS, one->data, "character");
    row.characters = one->characters;
    return row;
}

// ---- Retargeting ---------------------------------------------------------------------------------------------

typedef struct retarget_work {
    bench_retarget *retarget;
    bool limbs;
} retarget_work;

static void work_on_retarget(void *context, int64_t count) {
    const retarget_work *work = context;
    bench_retarget_poses(work->retarget, work->limbs, count);
}

static void measure_retarget(run *r, size_t index, const bench_row *row) {
    retarget_work work = {bench_retarget_create(r->world), strcmp(retarget_cases[index], "limbs") == 0};
    if (!check_created(r, work.retarget)) return;
    add_row(r, row, bench_measure(work_on_retarget, &work), row->joints);
    bench_retarget_destroy(work.retarget);
}

static bench_row retarget_row(const run *r, size_t index) {
    return sinew_row(r, "retarget", MESH_JOINTS, retarget_cases[index], "joint");
}

// ---- Springs -------------------------------------------------------------------------------------------------

static void work_on_springs(void *context, int64_t count) {
    bench_springs_solve(context, count);
}

static void measure_springs(run *r, size_t index, const bench_row *row) {
    bench_springs *springs = bench_springs_create(r->world, strcmp(spring_cases[index], "colliders") == 0);
    if (!check_created(r, springs)) return;
    add_row(r, row, bench_measure(work_on_springs, springs), sinew_springs_joint_count(springs->springs));
    bench_springs_destroy(springs);
}

static bench_row spring_row(const run *r, size_t index) {
    return sinew_row(r, "springs", SPRING_JOINTS, spring_cases[index], "joint");
}

// ---- Files ---------------------------------------------------------------------------------------------------

static double time_load(const bench_library *library, const char **why) {
    double start = bench_seconds();
    return bench_library_load(library, why) ? 1e9 * (bench_seconds() - start) : 0.0;
}

// A library in the two forms that are loaded.
typedef struct load_files {
    bench_library library;
    sinew_baked_asset *baked; // NULL if the stage doesn't need it
} load_files;

static double time_load_stage(const load_files *files, const char *stage, const char **why) {
    if (strcmp(stage, "load") == 0) return time_load(&files->library, why);
    if (strcmp(stage, "read") == 0) return bench_library_read_cold(&files->library);
    if (strcmp(stage, "map-baked") == 0) return bench_baked_map(files->baked);
    double start = bench_seconds();
    bool loads = bench_baked_load(files->baked, strcmp(stage, "load-trusted") == 0, why);
    return loads ? 1e9 * (bench_seconds() - start) : 0.0;
}

static bool is_baked_stage(const char *stage) {
    return strcmp(stage, "load") != 0 && strcmp(stage, "read") != 0;
}

// Measures loading. One load takes longer than any other stage's run, and allocates new memory from the system, like a
// program does. Nothing counts as a disturbance. Megabytes are the .glb's, to make stages comparable.
static void measure_load(run *r, size_t index, const bench_row *row) {
    const load_case *one = &load_cases[index];
    load_files files = {.library = bench_library_create(one->clips)};
    if (is_baked_stage(one->stage)) files.baked = bench_library_bake(&files.library, &r->why);
    double taken[LOAD_RUNS] = {0};
    for (int i = 0; i < LOAD_RUNS && !r->why; i++) taken[i] = time_load_stage(&files, one->stage, &r->why);
    double median = r->why ? 0.0 : bench_median(taken, LOAD_RUNS);
    bench_timing timing = {median, taken[0], taken[LOAD_RUNS - 1], LOAD_RUNS, 0, true};
    if (median > 0.0) add_row(r, row, timing, (double)files.library.size / 1e6);
    sinew_baked_asset_destroy(files.baked);
    bench_library_destroy(&files.library);
}

static bench_row load_row(const run *r, size_t index) {
    const load_case *one = &load_cases[index];
    bench_row row = sinew_row(r, one->stage, BENCH_LIBRARY_JOINTS, one->data, "MB");
    if (strcmp(one->stage, "read") == 0) {
        row.implementation = "system";
        row.simd = "";
    }
    return row;
}

// ---- Bytes ---------------------------------------------------------------------------------------------------

static size_t mixer_bytes(const bench_world *world, int32_t actions) {
    size_t bytes = 0;
    sinew_mixer_def def = bench_mixer_def(world, actions, &bytes);
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, NULL) != SINEW_OK) return 0;
    size_t taken = bytes;
    sinew_mixer_destroy(mixer);
    return taken;
}

static size_t padded(int32_t count) {
    return ((size_t)count + SINEW_LANES - 1) / SINEW_LANES * SINEW_LANES;
}

// Returns the size of a mixer's outputs: ten planes of floats, the morph weights, and one matrix per node.
static size_t mixer_output_bytes(const sinew_skeleton *skeleton) {
    size_t floats = 10 * padded(skeleton->node_count) + padded(skeleton->weight_count);
    return floats * sizeof(float) + (size_t)skeleton->node_count * sizeof(sinew_affine);
}

static bench_size sinew_size(const bench_world *world) {
    size_t clips = 0;
    for (int32_t i = 0; i < world->clip_count; i++) clips += world->clips[i]->memory;
    size_t outputs = mixer_output_bytes(world->skeleton);
    size_t few = mixer_bytes(world, 2), more = mixer_bytes(world, 18); // the mean cancels alignment
    return (bench_size){
        .implementation = "sinew",
        .clip = clips / (size_t)world->clip_count,
        .outputs = outputs + (size_t)world->skin->joint_count * sizeof(sinew_affine),
        .state = few - outputs,
        .action = (more - few) / 16,
    };
}

static bench_size textbook_size(const bench_world *world) {
    size_t clips = 0, bones = (size_t)world->textbook->bone_count, joints = (size_t)world->textbook->joint_count;
    for (int32_t i = 0; i < world->clip_count; i++) clips += world->textbook_clips[i]->bytes;
    return (bench_size){
        .implementation = "textbook",
        .clip = clips / (size_t)world->clip_count,
        .outputs = bones * (sizeof(sinew_transform) + sizeof(sinew_mat4)) + joints * sizeof(sinew_mat4),
        .state = 2 * sizeof(textbook_action),
        .action = sizeof(textbook_action),
    };
}

static void add_sizes(run *r) {
    const bench_size both[] = {sinew_size(r->world), textbook_size(r->world)};
    for (int i = 0; i < 2; i++) {
        bench_size *size = &r->report->sizes[r->report->size_count++];
        *size = both[i];
        size->joints = r->world->skin->joint_count;
        size->data = data_name(r, r->keys);
    }
}

static bool has_sizes(const run *r, bench_keys keys, int32_t joints) {
    for (int i = 0; i < r->report->size_count; i++) {
        const bench_size *size = &r->report->sizes[i];
        if (size->joints == joints_of(r, joints) && strcmp(size->data, data_name(r, keys)) == 0) return true;
    }
    return false;
}

// ---- All of it -----------------------------------------------------------------------------------------------

static void run_crowd_case(run *r, const crowd_case *one) {
    for (int textbook = 0; textbook < 2 && !r->why; textbook++) {
        bench_row row;
        if (!crowd_row(r, one, textbook, &row) || !enter_world(r, one->keys, one->joints)) continue;
        if (!has_sizes(r, one->keys, one->joints)) add_sizes(r);
        measure_crowd(r, one, &row, textbook);
        count_step(r);
    }
}

static void run_mesh_case(run *r, const mesh_case *one) {
    for (int textbook = 0; textbook < 2 && !r->why; textbook++) {
        bench_row row;
        // Use keys without scale. The textbook's normals are wrong under non-uniform scale.
        if (!mesh_row(r, one, textbook, &row) || !enter_world(r, BENCH_KEYS_GAME, MESH_JOINTS)) continue;
        measure_mesh(r, one, &row, textbook);
        count_step(r);
    }
}

// Cases that only Sinew has.
typedef struct case_list {
    size_t count;
    bench_row (*row)(const run *r, size_t index);
    void (*measure)(run *r, size_t index, const bench_row *row);
    int32_t world_joints; // the current world's, or 0
} case_list;

static const case_list case_lists[] = {
    {SPATIAL_CASES, spatial_row, measure_spatial, MESH_JOINTS},
    {SCENE_CASES, scene_row, measure_scene, 0},
    {LIMB_CASES, limb_row, measure_limbs, MESH_JOINTS},
    {ANIMATOR_CASES, animator_row, measure_animators, MESH_JOINTS},
    {RETARGET_CASES, retarget_row, measure_retarget, MESH_JOINTS},
    {SPRING_CASES, spring_row, measure_springs, SPRING_JOINTS},
    {LOAD_CASES, load_row, measure_load, 0},
};

enum { CASE_LISTS = sizeof case_lists / sizeof *case_lists };

static void run_cases(run *r, const case_list *list) {
    for (size_t i = 0; i < list->count && !r->why; i++) {
        const bench_row row = list->row(r, i);
        if (!bench_passes_filters(r->options, &row)) continue;
        if (list->world_joints > 0 && !enter_world(r, BENCH_KEYS_GAME, list->world_joints)) return;
        list->measure(r, i, &row);
        count_step(r);
    }
}

static int count_cases(const run *r, const case_list *list) {
    int count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const bench_row row = list->row(r, i);
        count += bench_passes_filters(r->options, &row);
    }
    return count;
}

static void run_budget(run *r) {
    bench_row row;
    bench_keys keys = r->options->file ? BENCH_KEYS_FILE : BENCH_KEYS_ALL;
    int32_t joints = r->options->file ? 0 : MESH_JOINTS;
    if (r->why || !budget_row(r, &row) || !enter_world(r, keys, joints)) return;
    measure_budget(r, &row);
    count_step(r);
}

static int count_rows(const run *r) {
    bench_row row;
    int count = budget_row(r, &row);
    for (size_t i = 0; i < CASE_LISTS; i++) count += count_cases(r, &case_lists[i]);
    for (int textbook = 0; textbook < 2; textbook++) {
        for (size_t i = 0; i < CROWD_CASES; i++) count += crowd_row(r, &crowd_cases[i], textbook, &row);
        for (size_t i = 0; i < MESH_CASES; i++) count += mesh_row(r, &mesh_cases[i], textbook, &row);
    }
    return count;
}

// Treats a file that can't be measured as missing.
static void check_file(bench_options *options, bench_report *report) {
    report->file_why = options->file_why;
    if (!options->file) return;
    name_file(options->file_path, report->file_data, sizeof report->file_data);
    bench_world *world = bench_world_of_asset(options->file, &report->file_why);
    if (!world) options->file = NULL;
    bench_world_destroy(world);
}

const char *bench_run(const bench_options *requested, bench_report *report) {
    *report = (bench_report){0};
    if (requested->gpu) return bench_run_gpu(requested, report);
    bench_options options = *requested;
    check_file(&options, report);
    static const char *const only_budget[] = {"budget "};
    if (options.budget_ms > 0.0f) options.filters = only_budget, options.filter_count = 1;
    if (options.needs_file && report->file_why) return report->file_why;
    run r = {.options = &options, .report = report};
    int rows = count_rows(&r);
    if (rows == 0) return NULL;
    r.total = rows + bench_machine_steps();

    bench_machine_identify(&report->machine, bench_pin());
    for (int i = 0; i < bench_machine_steps(); i++) {
        bench_machine_measure(&report->machine, i);
        count_step(&r);
    }
    run_budget(&r);
    for (size_t i = 0; i < CROWD_CASES; i++) run_crowd_case(&r, &crowd_cases[i]);
    for (size_t i = 0; i < MESH_CASES; i++) run_mesh_case(&r, &mesh_cases[i]);
    for (size_t i = 0; i < CASE_LISTS; i++) run_cases(&r, &case_lists[i]);
    bench_world_destroy(r.world);
    return r.why;
}
