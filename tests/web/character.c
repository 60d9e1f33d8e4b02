// SPDX-License-Identifier: MIT
// Plays tests/golden/acted.h's character and a callback with random calls, and writes the results that the package
// must also get: character HERO SEED FRAMES READ WRITE. The first line is the graph. Each further line is a frame:
// the hashes of the character and of the model matrices. Starts with the state in file READ, and writes its last
// state to file WRITE; "-" means no file.
#include <sinew/all.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- What acted.h draws and hashes -----------------------------------------------------------------------------

static uint64_t generator, hash;

// A 64-bit linear congruential generator. Uses the upper bits: 0 to 63.
static float draw(float low, float high) {
    generator = generator * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const volatile float part =
        (high - low) * ((float)((generator >> 33) & 63) * 0.015625f); // not fused with the sum
    return low + part;
}

static sinew_vec3 draw_place(float size) {
    sinew_vec3 place;
    place.x = draw(-size, size);
    place.y = draw(-size, size);
    place.z = draw(-size, size);
    return place;
}

// Animators normalize it.
static sinew_quat draw_rotation(void) {
    sinew_quat q = {.w = 0.5f};
    q.x = draw(-1, 1);
    q.y = draw(-1, 1);
    q.z = draw(-1, 1);
    return q;
}

// FNV-1a of 32 bits.
static void add_bytes(const void *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    for (size_t i = 0; i < size; i++) hash = (uint32_t)((hash ^ bytes[i]) * 16777619);
}

static void add_number(uint64_t number) {
    add_bytes(&number, sizeof number);
}

static void add_matrices(const sinew_affine *matrices, int32_t count) {
    add_bytes(matrices, (size_t)count * sizeof *matrices);
}

static void *take(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) exit(1);
    return memory;
}

static void demand(sinew_result result, const char *what) {
    if (result == SINEW_OK) return;
    fprintf(stderr, "character: %s\n", what);
    exit(1);
}

#include "../golden/acted.h"

// ---- States ----------------------------------------------------------------------------------------------------

static void read_state(sinew_character *character, const char *path) {
    static uint8_t bytes[1 << 20];
    sinew_error error;
    FILE *file = fopen(path, "rb");
    demand(file ? SINEW_OK : SINEW_ERROR_IO, path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    demand(sinew_character_read(character, NULL, bytes, size, NULL, &error), error.message);
}

static void write_state(const sinew_character *character, const char *path) {
    static uint8_t bytes[1 << 20];
    const size_t size = sinew_character_write(character, NULL, bytes, sizeof bytes);
    FILE *file = fopen(path, "wb");
    demand(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 ? SINEW_OK : SINEW_ERROR_IO, path);
}

// ---- The callback ----------------------------------------------------------------------------------------------

#define STEPS "\"rig\":{\"steps\":["

// The graph, with a callback as its first step.
static char text[sizeof acted_graph + 100];

static void write_graph(void) {
    const char *steps = strstr(acted_graph, STEPS) + strlen(STEPS);
    snprintf(text, sizeof text, "%.*s{\"name\":\"mine\",\"when\":\"aware\",\"callback\":{}},%s",
             (int)(steps - acted_graph), acted_graph, steps);
}

// Moves and turns a node by what is in the pose, its matrix, the weight and the time step.
static void run_step(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                     sinew_affine *model, void *user) {
    const int32_t node = *(const int32_t *)user;
    (void)character;
    demand(step == 0 ? SINEW_OK : SINEW_ERROR_ARGUMENT, "another step");
    const volatile float part = 0.25f * weight, lower = 0.5f * model[node].m[1][3]; // not fused with the sums
    pose->tx[node] += part;
    pose->ty[node] = lower;
    pose->tz[node] += dt;
    pose->rx[node] = 0.28f;
    pose->ry[node] = pose->rz[node] = 0;
    pose->rw[node] = 0.96f;
    pose->sx[node] = 1.25f;
    sinew_pose_to_model_below(pose, node, model);
}

// ---- The character ---------------------------------------------------------------------------------------------

static sinew_rig *make_rig(const char *path) {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_rig *rig;
    sinew_error error;
    demand(sinew_gltf_load_file(path, NULL, &asset, &error), error.message);
    write_graph();
    demand(sinew_graph_load_memory(text, strlen(text), NULL, &graph, &error), error.message);
    sinew_rig_def def = sinew_rig_default();
    def.graph = graph;
    def.asset = asset;
    demand(sinew_rig_create(&def, &rig, &error), error.message);
    return rig;
}

static sinew_character *make_character(const sinew_rig *rig, int32_t *node) {
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.layer_count = 4; // as the package's
    mixer.max_actions = 16;
    mixer.max_blend_spaces = 4;
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    def.mixer = &mixer;
    def.max_events = 64;
    def.ground = acted_ground;
    def.step = run_step;
    def.user = node;
    sinew_character *character;
    sinew_error error;
    demand(sinew_character_create(&def, &character, &error), error.message);
    return character;
}

int main(int argc, char **argv) {
    demand(argc == 6 ? SINEW_OK : SINEW_ERROR_ARGUMENT, "HERO SEED FRAMES READ WRITE");
    sinew_rig *rig = make_rig(argv[1]);
    int32_t spine = sinew_skeleton_find(rig->binding->skeleton, "Spine");
    sinew_character *character = make_character(rig, &spine);
    generator = strtoull(argv[2], NULL, 10);
    if (strcmp(argv[4], "-") != 0) read_state(character, argv[4]);
    printf("%s\n", text);
    for (int frame = 0; frame < (int)strtol(argv[3], NULL, 10); frame++) {
        acted_frame(character, frame);
        hash = 2166136261;
        add_matrices(sinew_character_model(character), rig->binding->skeleton->node_count);
        printf("%016" PRIx64 " %08" PRIx64 "\n", sinew_character_hash(character), hash);
    }
    if (strcmp(argv[5], "-") != 0) write_state(character, argv[5]);
    sinew_character_destroy(character);
    return 0; // the rig and what it's made of go with the process
}
