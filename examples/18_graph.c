// A third-person character from an animation graph. The file decides what follows what, the program
// only sets parameters.
// 18_graph [GRAPH [MODEL]]
#include <sinew/all.h>

#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "18_graph: %s\n", message);
    return 1;
}

// What a player does: a trigger or a forward speed at a given time.
typedef struct input {
    float time;
    const char *trigger;
    float forward;
} input;

static const input script[] = {{0.5f, NULL, 1.15f},    {2.0f, NULL, 3.1f},     {3.0f, "jump", 3.1f},
                               {4.5f, "attack", 0.0f}, {5.0f, "attack", 0.0f}, {7.0f, "wave", 0.0f},
                               {8.0f, "hit", 0.0f}};

static void print_events(const sinew_animator *animator, const sinew_graph *graph, float time) {
    const sinew_graph_events events = sinew_animator_events(animator);
    for (int32_t i = 0; i < events.count; i++) {
        if (events.items[i].type != SINEW_GRAPH_EVENT_STATE_ENTERED) continue;
        char path[128];
        sinew_graph_state_path(graph, events.items[i].state, path, sizeof path);
        printf("%5.2f s  %s\n", (double)time, path);
    }
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_graph *graph;
    if (sinew_graph_load_file(argc > 1 ? argv[1] : "models/hero.graph.json", NULL, &graph, &error) != SINEW_OK)
        return fail(error.message);
    sinew_asset *asset;
    if (sinew_gltf_load_file(argc > 2 ? argv[2] : "models/hero.glb", NULL, &asset, &error) != SINEW_OK)
        return fail(error.message);

    // Resolves the graph's names to this file's clips and nodes, once for all characters that share it.
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = graph;
    binding_def.skeleton = asset->skeleton;
    binding_def.clips = asset->clips;
    binding_def.clip_count = asset->clip_count;
    sinew_graph_binding *binding;
    if (sinew_graph_bind(&binding_def, &binding, &error) != SINEW_OK) return fail(error.message);

    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    sinew_animator *animator; // one per character, with its own mixer
    if (sinew_animator_create(&def, &animator, &error) != SINEW_OK) return fail(error.message);
    int32_t move = sinew_graph_find_parameter(graph, "move");
    if (move == SINEW_GRAPH_NONE) return fail("the graph has no parameter named move");

    size_t next = 0;
    for (int frame = 0; frame < 600; frame++) {
        float time = (float)frame / 60.0f;
        for (; next < sizeof script / sizeof *script && script[next].time <= time; next++) {
            sinew_animator_set_vector2(animator, move, 0.0f, script[next].forward);
            if (script[next].trigger)
                sinew_animator_fire(animator, sinew_graph_find_parameter(graph, script[next].trigger));
        }
        sinew_animator_update(animator, 1.0f / 60.0f);
        print_events(animator, graph, time);
        // The pose to skin and draw is in sinew_mixer_model_matrices(sinew_animator_mixer(animator)).
    }

    sinew_animator_destroy(animator);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
    sinew_asset_destroy(asset);
    return 0;
}
