// SPDX-License-Identifier: MIT
// Plays a graph with random calls, and writes the results that the package must also get: graph HERO GRAPH SEED
// FRAMES. Each line is a frame: the hashes of the animator and of the model matrices, each layer's leaf, and the
// events.
#include <sinew/all.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t generator;

// A 64-bit linear congruential generator. Uses the upper bits: 0 to 63.
static int draw(void) {
    generator = generator * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(generator >> 33) & 63;
}

static void fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

// ---- The calls -----------------------------------------------------------------------------------------------

static void set_inputs(sinew_animator *animator, const sinew_graph *graph, const int *drawn) {
    if (drawn[0] < 8)
        sinew_animator_set_float(animator, sinew_graph_find_parameter(graph, "speed"), (float)drawn[1] / 12.0f);
    if (drawn[0] > 58)
        sinew_animator_set_float(animator, sinew_graph_find_parameter(graph, "strength"), (float)drawn[1] / 64.0f);
    if (drawn[2] < 8)
        sinew_animator_set_vector2(animator, sinew_graph_find_parameter(graph, "move"),
                                   (float)(drawn[3] - 32) / 28.0f, (float)(drawn[4] - 32) / 28.0f);
    const sinew_vec3 at = {(float)(drawn[3] - 32) / 8.0f, (float)drawn[4] / 3.0f, (float)drawn[9]};
    const sinew_quat turn = {(float)(drawn[7] - 32), (float)(drawn[8] - 32) / 3.0f, 1.0f, (float)(drawn[9] - 32)};
    if (drawn[7] < 8) sinew_animator_set_vector3(animator, sinew_graph_find_parameter(graph, "look"), at);
    if (drawn[7] > 50) sinew_animator_set_transform(animator, sinew_graph_find_parameter(graph, "hand"), at, turn);
    if (drawn[5] < 2) sinew_animator_fire(animator, sinew_graph_find_parameter(graph, "jump"));
    if (drawn[5] == 2) sinew_animator_fire(animator, sinew_graph_find_parameter(graph, "attack"));
    if (drawn[5] == 3) sinew_animator_fire(animator, sinew_graph_find_parameter(graph, "wave"));
    if (drawn[5] == 4) sinew_animator_fire(animator, sinew_graph_find_parameter(graph, "turn"));
    if (drawn[5] == 5) sinew_animator_cancel(animator, sinew_graph_find_parameter(graph, "jump"));
    if (drawn[6] < 4) sinew_animator_set_bool(animator, sinew_graph_find_parameter(graph, "armed"), drawn[6] < 2);
    if (drawn[6] > 60) sinew_animator_set_int(animator, sinew_graph_find_parameter(graph, "mood"), drawn[7] - 30);
}

static void force_state(sinew_animator *animator, const sinew_graph *graph, const int *drawn) {
    if (drawn[8] != 0) return;
    sinew_transition transition = sinew_transition_default();
    transition.kind = (sinew_transition_kind)(drawn[9] % 3);
    transition.duration = (float)drawn[9] / 64.0f;
    sinew_animator_force_state(animator, drawn[1] % graph->state_count, &transition);
}

static const float steps[] = {0.015625f, 0.03125f, 0.0f, 0.0625f};

// ---- What is written -----------------------------------------------------------------------------------------

static uint32_t hash_of(const void *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619;
    return hash;
}

static void write_frame(const sinew_animator *animator, const sinew_graph *graph) {
    sinew_mixer *mixer = sinew_animator_mixer(animator);
    size_t nodes = (size_t)sinew_mixer_pose(mixer)->skeleton->node_count;
    printf("%016" PRIx64 " %08" PRIx32, sinew_animator_hash(animator),
           hash_of(sinew_mixer_model_matrices(mixer), nodes * sizeof(sinew_affine)));
    for (int32_t i = 0; i < graph->layer_count; i++) {
        char path[64];
        sinew_graph_state_path(graph, sinew_animator_state(animator, i), path, sizeof path);
        printf(" %s", path);
    }
    const sinew_graph_events events = sinew_animator_events(animator);
    for (int32_t i = 0; i < events.count; i++) {
        printf(" %d:%d:%d:%d", (int)events.items[i].type, (int)events.items[i].layer, (int)events.items[i].state,
               (int)events.items[i].transition);
    }
    printf("\n");
}

// ---- The walk ------------------------------------------------------------------------------------------------

static sinew_animator *make_animator(const sinew_graph_binding *binding) {
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.layer_count = 4; // as the package's
    mixer.max_actions = 16;
    mixer.max_blend_spaces = 4;
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    def.mixer = &mixer;
    def.max_events = 64;
    sinew_animator *animator;
    sinew_error error;
    if (sinew_animator_create(&def, &animator, &error) != SINEW_OK) fail(error.message);
    return animator;
}

static void walk(sinew_animator *animator, const sinew_graph *graph, int frames) {
    void *snapshot = malloc(sinew_animator_snapshot_size(animator));
    size_t size = 0;
    if (!snapshot) fail("out of memory");
    for (int frame = 0; frame < frames; frame++) {
        int drawn[10];
        for (int i = 0; i < 10; i++) drawn[i] = draw();
        if (frame % 64 == 16) size = sinew_animator_save(animator, snapshot);
        if (frame % 64 == 32 && !sinew_animator_restore(animator, snapshot, size)) fail("the snapshot is refused");
        set_inputs(animator, graph, drawn);
        sinew_animator_update(animator, steps[drawn[3] % 4]);
        force_state(animator, graph, drawn);
        write_frame(animator, graph);
    }
    free(snapshot);
}

int main(int argc, char **argv) {
    if (argc != 5) fail("graph HERO GRAPH SEED FRAMES");
    generator = strtoull(argv[3], NULL, 10);
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_error error;
    if (sinew_gltf_load_file(argv[1], NULL, &asset, &error) != SINEW_OK) fail(error.message);
    if (sinew_graph_load_file(argv[2], NULL, &graph, &error) != SINEW_OK) fail(error.message);
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = asset->skeleton;
    def.clips = asset->clips;
    def.clip_count = asset->clip_count;
    if (sinew_graph_bind(&def, &binding, &error) != SINEW_OK) fail(error.message);
    sinew_animator *animator = make_animator(binding);
    walk(animator, graph, (int)strtol(argv[4], NULL, 10));
    sinew_animator_destroy(animator);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    sinew_asset_destroy(asset);
    return 0;
}
