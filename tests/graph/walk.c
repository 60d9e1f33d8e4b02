// SPDX-License-Identifier: MIT
// Plays walks through animation graphs by the public interface, and prints what compare.py compares with the
// interpreter: walk GRAPH WALK [GRAPH WALK]...
//
// A walk is lines of text. Before `start`: `max_events N`, `curve REST NAME`, `clip DURATION NAME`, `marker TIME NAME` and
// `key TIME VALUE CURVE` of the last clip, `tag NAME`. After it: `float|int|bool|vector2|vector3|transform VALUE... PARAMETER`, `fire PARAMETER`, `cancel PARAMETER`,
// `force KIND DURATION STATE` and `step SECONDS`. `start`, `step` and `force` print a line of fields.
#include <sinew/motion/animator.h>
#include <sinew/mixer_pose.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CLIPS = 16,
    MAX_MARKERS = 64,
    MAX_TAGS = 16,
    MAX_CURVES = 4,
    MAX_KEYS = 8,
    MAX_LINE = 512,
    MAX_PATH = 256
};

// STEP keys of a curve.
typedef struct walk_keys {
    int32_t count;
    float times[MAX_KEYS], values[MAX_KEYS];
} walk_keys;

typedef struct walk_clip {
    char name[MAX_LINE];
    float duration;
    int32_t first_marker, marker_count;
    walk_keys keys[MAX_CURVES];
} walk_clip;

typedef struct walk {
    int32_t max_events, clip_count, marker_count, tag_count, curve_count, line;
    char curve_names[MAX_CURVES][MAX_LINE];
    float rest_curves[MAX_CURVES];
    walk_clip clips[MAX_CLIPS];
    sinew_marker markers[MAX_MARKERS];
    char marker_names[MAX_MARKERS][MAX_LINE], tags[MAX_TAGS][MAX_LINE];
    sinew_skeleton *skeleton;
    sinew_clip *made[MAX_CLIPS];
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator;
    sinew_animator *twin; // of a graph that names curves: evaluates each pose, which the animator does not
    void *snapshot;       // of the animator
} walk;

static void fail(const char *what, const char *detail) {
    fflush(stdout);
    fprintf(stderr, "walk: %s: %s\n", what, detail);
    exit(2);
}

static void check(sinew_result result, const char *what, const sinew_error *error) {
    if (result != SINEW_OK) fail(what, error->message);
}

// ---- The character -------------------------------------------------------------------------------------------

static void make_skeleton(walk *w) {
    static const char *const names[] = {"Root", "Spine", "Hand"};
    sinew_node_def nodes[3];
    for (int32_t i = 0; i < 3; i++)
        nodes[i] = (sinew_node_def){.name = names[i], .parent = i - 1, .rest = sinew_transform_identity()};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 3;
    def.nodes = nodes;
    const char *curves[MAX_CURVES];
    for (int32_t i = 0; i < w->curve_count; i++) curves[i] = w->curve_names[i];
    def.curve_names = curves;
    def.curve_count = w->curve_count;
    def.rest_curves = w->rest_curves;
    sinew_error error;
    check(sinew_skeleton_create(&def, &w->skeleton, &error), "skeleton", &error);
}

// A clip that moves a node from its first to its last moment.
static sinew_clip *make_clip(const walk *w, int32_t number) {
    const walk_clip *data = &w->clips[number];
    float times[2] = {0.0f, data->duration}, values[6] = {0.0f, 0.0f, 0.0f, (float)number, 1.0f, 0.0f};
    sinew_channel_def channels[1 + MAX_CURVES] = {{number % 3, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR,
                                                   data->duration > 0.0f ? 2 : 1, times, values}};
    int32_t channel_count = 1;
    for (int32_t i = 0; i < w->curve_count; i++) {
        const walk_keys *keys = &data->keys[i];
        if (keys->count == 0) continue;
        channels[channel_count++] = (sinew_channel_def){i,           SINEW_TARGET_CURVE, SINEW_INTERPOLATION_STEP,
                                                        keys->count, keys->times,        keys->values};
    }
    sinew_clip_def def = sinew_clip_default();
    def.name = data->name;
    def.skeleton = w->skeleton;
    def.channels = channels;
    def.channel_count = channel_count;
    def.markers = &w->markers[data->first_marker];
    def.marker_count = data->marker_count;
    sinew_clip *clip;
    sinew_error error;
    check(sinew_clip_create(&def, &clip, &error), data->name, &error);
    return clip;
}

static const sinew_clip *find_clip(const char *name, void *user) {
    const walk *w = (const walk *)user;
    for (int32_t i = 0; i < w->clip_count; i++) {
        if (strcmp(w->made[i]->name, name) == 0) return w->made[i];
    }
    return NULL;
}

static void bind_graph(walk *w) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = w->graph;
    def.skeleton = w->skeleton;
    def.find_clip = find_clip;
    def.user = w;
    sinew_error error;
    check(sinew_graph_bind(&def, &w->binding, &error), "binding", &error);
}

static sinew_animator *make_animator(const walk *w) {
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.max_actions = 64;
    mixer.max_events = 8192;
    mixer.max_blend_spaces = 4;
    sinew_animator_def def = sinew_animator_default();
    def.binding = w->binding;
    def.mixer = &mixer;
    def.max_events = w->max_events;
    sinew_error error;
    sinew_animator *animator;
    check(sinew_animator_create(&def, &animator, &error), "animator", &error);
    return animator;
}

// Conditions read the pose that was drawn, or would have been. So there are two animators. One doesn't evaluate poses
// in each step and returns to its own snapshots. Its twin is drawn each frame. Both must play the same.
static void make_animators(walk *w) {
    w->animator = make_animator(w);
    if (w->graph->curve_count == 0) {
        sinew_mixer_evaluate(sinew_animator_mixer(w->animator));
        return;
    }
    w->twin = make_animator(w);
    sinew_mixer_evaluate(sinew_animator_mixer(w->twin));
    w->snapshot = malloc(sinew_animator_snapshot_size(w->animator));
    if (!w->snapshot) fail("out of memory", "snapshot");
}

static void start(walk *w) {
    make_skeleton(w);
    for (int32_t i = 0; i < w->clip_count; i++) w->made[i] = make_clip(w, i);
    bind_graph(w);
    make_animators(w);
}

static void end(walk *w) {
    sinew_animator_destroy(w->animator);
    sinew_animator_destroy(w->twin);
    free(w->snapshot);
    sinew_graph_binding_destroy(w->binding);
    sinew_graph_destroy(w->graph);
    for (int32_t i = 0; i < w->clip_count; i++) sinew_clip_destroy(w->made[i]);
    sinew_skeleton_destroy(w->skeleton);
}

// ---- Output --------------------------------------------------------------------------------------------------

static const char *path_of(const walk *w, int32_t state, char path[MAX_PATH]) {
    sinew_graph_state_path(w->graph, state, path, MAX_PATH);
    return path;
}

static const char *machine_path(const walk *w, int32_t machine, char path[MAX_PATH]) {
    int32_t state = sinew_graph_machine_state(w->graph, machine);
    if (state != SINEW_GRAPH_NONE) return path_of(w, state, path);
    for (int32_t i = 0; i < w->graph->layer_count; i++) {
        if (w->graph->layers[i].machine == machine) return w->graph->layers[i].name;
    }
    return "?";
}

// Prints a transition as the path of its machine and its number there.
static void print_transition(const walk *w, int32_t transition) {
    if (transition == SINEW_GRAPH_NONE) {
        printf("-");
        return;
    }
    const sinew_graph_transition *transitions = w->graph->transitions;
    int32_t machine = transitions[transition].machine, number = 0;
    for (int32_t i = 0; i < transition; i++) number += transitions[i].machine == machine;
    char path[MAX_PATH];
    printf("%s#%d", machine_path(w, machine, path), (int)number);
}

// Prints `elapsed` of a state and of those that contain it, outermost first.
static void print_elapsed(const walk *w, int32_t state) {
    int32_t outer = sinew_graph_machine_state(w->graph, w->graph->states[state].machine);
    if (outer != SINEW_GRAPH_NONE) {
        print_elapsed(w, outer);
        printf(" ");
    }
    if (!sinew_animator_is_active(w->animator, state)) fail("not active", w->graph->states[state].name);
    printf("%.9g", (double)sinew_animator_elapsed(w->animator, state));
}

static void print_layer(const walk *w, int32_t layer) {
    char path[MAX_PATH];
    int32_t leaf = sinew_animator_state(w->animator, layer);
    printf("%s\t", path_of(w, leaf, path));
    print_transition(w, sinew_animator_transition(w->animator, layer));
    printf("\t%.9g\t", (double)sinew_animator_progress(w->animator, layer));
    print_elapsed(w, leaf);
    const sinew_mixer *mixer = sinew_animator_mixer(w->animator);
    sinew_action action = sinew_animator_action(w->animator, layer);
    const sinew_clip *clip = sinew_action_get(mixer, action).clip;
    float time = sinew_action_time(mixer, action);
    float fraction = clip && clip->duration > 0.0f ? time / clip->duration : 0.0f;
    if (clip && clip->duration > 0.0f && sinew_action_get(mixer, action).speed < 0.0f) fraction = 1.0f - fraction;
    printf("\t%.9g\t%.9g\t", (double)time, (double)fraction);
}

static void print_numbers(const float *numbers, int count) {
    for (int i = 0; i < count; i++) printf("%.9g%s", (double)numbers[i], i + 1 < count ? " " : "\t");
}

static void print_parameter(const walk *w, int32_t parameter) {
    const sinew_animator *animator = w->animator;
    printf("%s ", w->graph->parameters[parameter].name);
    float x, y;
    switch (w->graph->parameters[parameter].type) {
    case SINEW_PARAMETER_FLOAT:
        printf("%.9g\t", (double)sinew_animator_float(animator, parameter));
        break;
    case SINEW_PARAMETER_INT:
        printf("%d\t", (int)sinew_animator_int(animator, parameter));
        break;
    case SINEW_PARAMETER_BOOL:
        printf("%d\t", sinew_animator_bool(animator, parameter));
        break;
    case SINEW_PARAMETER_TRIGGER:
        printf("%d\t", sinew_animator_trigger(animator, parameter));
        break;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_vector2(animator, parameter, &x, &y);
        printf("%.9g %.9g\t", (double)x, (double)y);
        break;
    case SINEW_PARAMETER_VECTOR3:
        print_numbers(
            &(sinew_vec3[]) { sinew_animator_vector3(animator, parameter) } -> x, 3);
        break;
    case SINEW_PARAMETER_TRANSFORM:
        print_numbers(
            &(sinew_transform[]) { sinew_animator_transform(animator, parameter) } -> translation.x, 7);
        break;
    }
}

static void print_event(const walk *w, const sinew_graph_event *event) {
    static const char *const names[] = {[SINEW_GRAPH_EVENT_STATE_ENTERED] = "entered",
                                        [SINEW_GRAPH_EVENT_STATE_LEFT] = "left",
                                        [SINEW_GRAPH_EVENT_TRANSITION_STARTED] = "started",
                                        [SINEW_GRAPH_EVENT_TRANSITION_ENDED] = "ended",
                                        [SINEW_GRAPH_EVENT_CYCLE] = "cycle"};
    char path[MAX_PATH];
    printf("\t%s %d %s ", names[event->type], (int)event->layer, path_of(w, event->state, path));
    print_transition(w, event->transition);
}

static void print_curves(const walk *w) {
    const sinew_mixer *mixer = sinew_animator_mixer(w->twin ? w->twin : w->animator);
    for (int32_t i = 0; i < w->curve_count; i++) printf("%.9g\t", (double)sinew_mixer_curves(mixer)[i]);
}

static void print_line(const walk *w) {
    print_curves(w);
    for (int32_t i = 0; i < w->graph->layer_count; i++) print_layer(w, i);
    for (int32_t i = 0; i < w->tag_count; i++) {
        int32_t tag = sinew_graph_find_tag(w->graph, w->tags[i]);
        printf("%d", tag != SINEW_GRAPH_NONE && sinew_animator_has_tag(w->animator, tag));
    }
    printf("\t");
    for (int32_t i = 0; i < w->graph->parameter_count; i++) print_parameter(w, i);
    const sinew_graph_events events = sinew_animator_events(w->animator);
    printf("events %d dropped %d", (int)events.count, (int)events.dropped_count);
    for (int32_t i = 0; i < events.count; i++) print_event(w, &events.items[i]);
    printf("\n");
}

// ---- The walk ------------------------------------------------------------------------------------------------

// Copies the rest of a line; names may have spaces.
static void copy_name(char *to, const char *from) {
    snprintf(to, MAX_LINE, "%s", from);
}

static void add_clip(walk *w, float duration, const char *name) {
    if (w->clip_count == MAX_CLIPS) fail("too many clips", name);
    walk_clip *clip = &w->clips[w->clip_count++];
    clip->duration = duration;
    clip->first_marker = w->marker_count;
    copy_name(clip->name, name);
}

static void add_marker(walk *w, float time, const char *name) {
    if (w->marker_count == MAX_MARKERS || w->clip_count == 0) fail("too many markers", name);
    copy_name(w->marker_names[w->marker_count], name);
    w->markers[w->marker_count] = (sinew_marker){w->marker_names[w->marker_count], time};
    w->marker_count++;
    w->clips[w->clip_count - 1].marker_count++;
}

static void add_curve(walk *w, float rest, const char *name) {
    if (w->curve_count == MAX_CURVES) fail("too many curves", name);
    w->rest_curves[w->curve_count] = rest;
    copy_name(w->curve_names[w->curve_count++], name);
}

static void add_key(walk *w, float time, float value, const char *name) {
    int32_t curve = 0;
    while (curve < w->curve_count && strcmp(w->curve_names[curve], name) != 0) curve++;
    if (curve == w->curve_count || w->clip_count == 0) fail("no curve", name);
    walk_keys *keys = &w->clips[w->clip_count - 1].keys[curve];
    if (keys->count == MAX_KEYS) fail("too many keys", name);
    keys->times[keys->count] = time;
    keys->values[keys->count++] = value;
}

static void add_tag(walk *w, const char *name) {
    if (w->tag_count == MAX_TAGS) fail("too many tags", name);
    copy_name(w->tags[w->tag_count++], name);
}

static const char *skip_spaces(const char *text) {
    return text + strspn(text, " ");
}

// A line of a word, `count` numbers and a rest, which may be empty. Returns false if the line is another one.
static bool read_numbers(const char *line, const char *word, int count, float *numbers, const char **rest) {
    const size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || line[length] != ' ') return false;
    *rest = line + length;
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtof(*rest, &end);
        if (end == *rest) return false;
        *rest = end;
    }
    *rest = skip_spaces(*rest);
    return true;
}

// The same of a word, an integer and a rest.
static bool read_integer(const char *line, const char *word, int32_t *number, const char **rest) {
    const char *digits;
    char *end;
    if (!read_numbers(line, word, 0, NULL, &digits)) return false;
    *number = (int32_t)strtol(digits, &end, 10);
    *rest = skip_spaces(end);
    return end != digits;
}

static bool read_header(walk *w, const char *line) {
    float numbers[2];
    const char *rest;
    if (read_numbers(line, "key", 2, numbers, &rest)) {
        add_key(w, numbers[0], numbers[1], rest);
    } else if (read_numbers(line, "curve", 1, numbers, &rest)) {
        add_curve(w, numbers[0], rest);
    } else if (read_numbers(line, "clip", 1, numbers, &rest)) {
        add_clip(w, numbers[0], rest);
    } else if (read_numbers(line, "marker", 1, numbers, &rest)) {
        add_marker(w, numbers[0], rest);
    } else if (strncmp(line, "tag ", 4) == 0) {
        add_tag(w, line + 4);
    } else {
        return read_integer(line, "max_events", &w->max_events, &rest);
    }
    return true;
}

static int32_t parameter_of(const walk *w, const char *name) {
    int32_t parameter = sinew_graph_find_parameter(w->graph, name);
    if (parameter == SINEW_GRAPH_NONE) fail("no parameter", name);
    return parameter;
}

static bool set_parameter(const walk *w, sinew_animator *animator, const char *line) {
    float v[7];
    int32_t number;
    const char *rest;
    char name[MAX_LINE];
    if (read_numbers(line, "float", 1, v, &rest)) {
        sinew_animator_set_float(animator, parameter_of(w, rest), v[0]);
    } else if (read_numbers(line, "vector2", 2, v, &rest)) {
        sinew_animator_set_vector2(animator, parameter_of(w, rest), v[0], v[1]);
    } else if (read_numbers(line, "vector3", 3, v, &rest)) {
        sinew_animator_set_vector3(animator, parameter_of(w, rest), (sinew_vec3){v[0], v[1], v[2]});
    } else if (read_numbers(line, "transform", 7, v, &rest)) {
        sinew_animator_set_transform(animator, parameter_of(w, rest), (sinew_vec3){v[0], v[1], v[2]},
                                     (sinew_quat){v[3], v[4], v[5], v[6]});
    } else if (read_integer(line, "int", &number, &rest)) {
        sinew_animator_set_int(animator, parameter_of(w, rest), number);
    } else if (read_integer(line, "bool", &number, &rest)) {
        sinew_animator_set_bool(animator, parameter_of(w, rest), number != 0);
    } else if (sscanf(line, "fire %511s", name) == 1) {
        sinew_animator_fire(animator, parameter_of(w, name));
    } else if (sscanf(line, "cancel %511s", name) == 1) {
        sinew_animator_cancel(animator, parameter_of(w, name));
    } else {
        return false;
    }
    return true;
}

static void force(const walk *w, sinew_animator *animator, const char *kind, float duration, const char *path) {
    int32_t state = sinew_graph_find_state(w->graph, path);
    if (state == SINEW_GRAPH_NONE) fail("no state", path);
    sinew_transition transition = sinew_transition_default();
    transition.duration = duration;
    if (strcmp(kind, "inertialize") == 0) transition.kind = SINEW_TRANSITION_INERTIALIZE;
    if (strcmp(kind, "deadBlend") == 0) transition.kind = SINEW_TRANSITION_DEAD_BLEND;
    sinew_animator_force_state(animator, state, strcmp(kind, "default") == 0 ? NULL : &transition);
}

static void return_to_snapshot(walk *w) {
    size_t size = sinew_animator_save(w->animator, w->snapshot);
    sinew_animator_update(w->animator, 0.125f);
    if (!sinew_animator_restore(w->animator, w->snapshot, size)) fail("cannot restore", "snapshot");
}

static void step(walk *w, float dt) {
    if (!w->twin) {
        sinew_animator_update(w->animator, dt);
        return;
    }
    w->line++;
    sinew_animator_update(w->twin, dt);
    if (w->line % 5 == 0) return_to_snapshot(w);
    sinew_animator_advance(w->animator, dt);
    sinew_mixer_advance(sinew_animator_mixer(w->animator), dt);
    if (w->line % 3 == 0) sinew_mixer_evaluate(sinew_animator_mixer(w->animator));
}

// A line of a kind of transition, a duration and a state's path.
static bool read_force(const char *line, char kind[32], float *duration, const char **rest) {
    int after;
    if (sscanf(line, "force %31s%n", kind, &after) != 1) return false;
    char *end;
    *duration = strtof(line + after, &end);
    *rest = skip_spaces(end);
    return end != line + after;
}

// A line after `start`.
static bool play_line(walk *w, const char *line) {
    float number;
    char kind[32];
    const char *rest;
    if (set_parameter(w, w->animator, line)) return !w->twin || set_parameter(w, w->twin, line);
    if (read_numbers(line, "step", 1, &number, &rest)) {
        step(w, number);
    } else if (read_force(line, kind, &number, &rest)) {
        force(w, w->animator, kind, number, rest);
        if (w->twin) force(w, w->twin, kind, number, rest);
    } else {
        return false;
    }
    print_line(w);
    return true;
}

static void play(walk *w, FILE *file) {
    char line[MAX_LINE];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        bool starts = !w->animator && strcmp(line, "start") == 0;
        if (starts) {
            start(w);
            print_line(w);
        } else if (!(w->animator ? play_line(w, line) : read_header(w, line))) {
            fail("not a line of a walk", line);
        }
    }
}

static void run(const char *graph, const char *path) {
    static walk w;
    memset(&w, 0, sizeof w);
    printf("walk\n");
    sinew_error error;
    check(sinew_graph_load_file(graph, NULL, &w.graph, &error), "graph", &error);
    FILE *file = fopen(path, "r");
    if (!file) fail("cannot read", path);
    play(&w, file);
    fclose(file);
    end(&w);
}

int main(int argc, char **argv) {
    if (argc % 2 == 0) fail("usage", "walk GRAPH WALK [GRAPH WALK]...");
    for (int i = 1; i < argc; i += 2) run(argv[i], argv[i + 1]);
    return 0;
}
