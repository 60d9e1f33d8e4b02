// SPDX-License-Identifier: MIT
// Plays a file with an animation graph and random parameters, the same on every machine. Now and then it rolls back,
// and continues with an animator that reads what the last one wrote. Valid as C and C++. Include it after session.h
// and the functions of golden.c that it uses.
#ifndef DIRECTED_H
#define DIRECTED_H

enum { DIRECTED_FRAMES = 1500, DIRECTED_BACK = 8 };

static const char directed_graph[] =
    "{\"sinewGraph\":1,\"syncMarkers\":[\"Foot_L\",\"Foot_R\"],\"parameters\":{"
    "\"speed\":{\"type\":\"float\",\"range\":[0,4],\"damping\":0.15},"
    "\"lean\":{\"type\":\"vector2\",\"range\":[-1,1],\"damping\":0.3},\"count\":{\"type\":\"int\",\"range\":[-2,2]}"
    ","
    "\"grounded\":{\"type\":\"bool\",\"default\":true},\"jump\":{\"type\":\"trigger\",\"hold\":0.2},"
    "\"attack\":{\"type\":\"trigger\"},\"part\":{\"type\":\"float\",\"default\":1,\"range\":[0,1],\"damping\":0.1}}"
    ","
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"Move\":{\"blend\":{\"x\":\"speed\",\"samples\":[{\"clip\":"
    "\"Idle\"},"
    "{\"clip\":\"Walk\",\"x\":1.15},{\"clip\":\"Run\",\"x\":3.1}]},\"sync\":\"feet\"},"
    "\"Walk\":{\"clip\":\"Walk\",\"sync\":\"feet\",\"speedParameter\":\"part\",\"speed\":-1.25},"
    "\"Air\":{\"tags\":[\"airborne\"],\"states\":{\"Up\":{\"clip\":\"Jump\",\"loop\":\"once\"},"
    "\"Turn\":{\"clip\":\"Turn\",\"loop\":\"pingPong\",\"loopCount\":3,\"speed\":2}},\"transitions\":["
    "{\"from\":\"Up\",\"to\":\"Turn\",\"when\":\"past(0.3) && count > "
    "0\",\"kind\":\"deadBlend\",\"offset\":0.25}]}},"
    "\"transitions\":[{\"from\":\"*\",\"to\":\"Air\",\"when\":\"jump && grounded\",\"kind\":\"inertialize\","
    "\"duration\":0.3},{\"from\":\"Air\",\"to\":\"Move\",\"when\":\"finished || elapsed > 1.5 && lean.x < lean.y\","
    "\"duration\":0.4,\"easing\":\"smoothstep\"},{\"from\":\"Move\",\"to\":\"Walk\",\"when\":\"count == -1\","
    "\"matchRate\":true},{\"from\":\"Walk\",\"to\":\"Move\",\"when\":\"marker('Foot_L') && count != -1\","
    "\"kind\":\"deadBlend\"}]},{\"name\":\"Upper\",\"mask\":{\"node\":\"Spine\",\"feather\":2},"
    "\"weightParameter\":\"part\",\"states\":{\"Off\":{},\"Attack\":{\"clip\":\"Attack\",\"loop\":\"once\"},"
    "\"Wave\":{\"clip\":\"Wave\"}},\"transitions\":[{\"from\":[\"Off\",\"Wave\"],\"to\":\"Attack\","
    "\"when\":\"attack && !in_tag('airborne')\",\"interrupt\":\"never\"},{\"from\":\"Off\",\"to\":\"Wave\","
    "\"when\":\"speed < 0.5 && in_state('Base/Move')\"},{\"from\":\"Attack\",\"to\":\"Off\",\"when\":\"fraction > "
    "0.8\"},"
    "{\"from\":\"Wave\",\"to\":\"Off\",\"when\":\"loops >= 2 || speed > 2\",\"kind\":\"inertialize\"}]},"
    "{\"name\":\"Add\",\"mode\":\"additive\",\"reference\":\"Idle\",\"weight\":0.5,\"states\":{\"Run\":{"
    "\"clip\":\"Run\",\"speed\":0.3}}}]}";

static inline void directed_set(sinew_animator *animator, const sinew_graph *graph, uint64_t *draws) {
    static const char *const triggers[2] = {"jump", "attack"};
    if (session_below(draws, 8) == 0)
        sinew_animator_set_float(animator, sinew_graph_find_parameter(graph, "speed"), session_draw(draws, 0, 4));
    if (session_below(draws, 8) == 0) {
        float x = session_draw(draws, -1, 1), y = session_draw(draws, -1, 1);
        sinew_animator_set_vector2(animator, sinew_graph_find_parameter(graph, "lean"), x, y);
    }
    if (session_below(draws, 10) == 0)
        sinew_animator_set_int(animator, sinew_graph_find_parameter(graph, "count"), session_below(draws, 5) - 2);
    if (session_below(draws, 20) == 0)
        sinew_animator_set_float(animator, sinew_graph_find_parameter(graph, "part"), session_draw(draws, 0, 1));
    sinew_animator_set_bool(animator, sinew_graph_find_parameter(graph, "grounded"), session_below(draws, 10) > 0);
    for (int i = 0; i < 2; i++) {
        if (session_below(draws, 15) == 0)
            sinew_animator_fire(animator, sinew_graph_find_parameter(graph, triggers[i]));
    }
}

// Writes the state of an animator, and reads it in another one that takes its place.
static inline sinew_animator *directed_pass_on(sinew_animator *animator, const sinew_animator_def *def) {
    const size_t size = sinew_animator_write(animator, NULL, NULL, 0);
    void *bytes = take(size, 1);
    sinew_animator_write(animator, NULL, bytes, size);
    sinew_animator *next;
    sinew_error error;
    demand(sinew_animator_create(def, &next, &error), error.message);
    demand(sinew_animator_read(next, NULL, bytes, size, NULL, &error), error.message);
    free(bytes);
    sinew_animator_destroy(animator);
    return next;
}

static inline void add_directed(const sinew_asset *asset) {
    sinew_graph *graph;
    sinew_error error;
    demand(sinew_graph_load_memory(directed_graph, sizeof directed_graph - 1, NULL, &graph, &error), error.message);
    sinew_graph_binding_def binding_def = sinew_graph_binding_default();
    binding_def.graph = graph;
    binding_def.skeleton = asset->skeleton;
    binding_def.clips = asset->clips;
    binding_def.clip_count = asset->clip_count;
    sinew_graph_binding *binding;
    demand(sinew_graph_bind(&binding_def, &binding, &error), error.message);
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    sinew_animator *animator;
    demand(sinew_animator_create(&def, &animator, &error), error.message);
    size_t size = sinew_animator_snapshot_size(animator);
    void *snapshot = take(size, 1);
    uint64_t draws = 23, saved = 23;
    int entered = 0;
    for (int frame = 0; frame < DIRECTED_FRAMES; frame++) {
        if (frame % 50 == 0) {
            sinew_animator_save(animator, snapshot);
            saved = draws;
        }
        if (frame % 50 == DIRECTED_BACK && frame > 50 && frame % 100 < 50) {
            if (!sinew_animator_restore(animator, snapshot, size)) exit(1);
            draws = saved;
            for (int i = 0; i < DIRECTED_BACK; i++) {
                directed_set(animator, graph, &draws);
                sinew_animator_update(animator, 1.0f / 60.0f);
            }
        }
        if (frame % 125 == 124) animator = directed_pass_on(animator, &def);
        directed_set(animator, graph, &draws);
        sinew_animator_update(animator, 1.0f / 60.0f);
        const int32_t count = sinew_animator_events(animator).count;
        entered += count;
        add_number(sinew_animator_hash(animator));
        if (frame % 10 == 0)
            add_matrices(sinew_mixer_model_matrices(sinew_animator_mixer(animator)), asset->skeleton->node_count);
    }
    if (entered < 150) {
        fprintf(stderr, "golden: only %d events of the graph\n", entered);
        exit(1);
    }
    free(snapshot);
    sinew_animator_destroy(animator);
    sinew_graph_binding_destroy(binding);
    sinew_graph_destroy(graph);
}

#endif
