// SPDX-License-Identifier: MIT
// Graphs from files: what each key becomes, each error's position and message, limits, and damaged files. The files
// are in tests/graph/samples; the JSON Schema's test also reads them.
#include "support/check.h"

#include <sinew/motion/animator.h>

#include <stdio.h>

#define HERO      SINEW_MODELS "/hero.graph.json"
#define EVERY_KEY SINEW_GRAPHS "/every_key.graph.json"

// ---- Texts ---------------------------------------------------------------------------------------------------

// Returns the bytes of a file, with a terminating zero; to be freed.
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

// Loads a copy of exactly the text's length, so a sanitizer finds the first byte read past its end.
static sinew_result load_text(const char *text, size_t size, const sinew_allocator *allocator, sinew_graph **graph,
                              sinew_error *error) {
    char *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, text, size);
    *graph = (sinew_graph *)copy; // to be overwritten
    *error = (sinew_error){SINEW_OK, ""};
    sinew_result result = sinew_graph_load_memory(copy, size, allocator, graph, error);
    free(copy);
    if (result == SINEW_OK) {
        assert_non_null(*graph);
        return result;
    }
    assert_null(*graph);
    assert_int_equal(error->result, result);
    return result;
}

// Replaces the first occurrence of `find`; to be freed.
static char *replace(const char *text, const char *find, const char *put) {
    const char *start = strstr(text, find);
    if (!start) fail_msg("the text does not contain %s", find);
    size_t size = strlen(text) + strlen(put) + 1;
    char *out = malloc(size);
    snprintf(out, size, "%.*s%s%s", (int)(start - text), text, put, start + strlen(find));
    return out;
}

// Removes the "@" of a text, and writes its line and column, counted here, as "line:column: ".
static void take_mark(char *text, char *place, size_t size) {
    char *mark = strchr(text, '@');
    if (!mark) fail_msg("no @ in %s", text);
    int line = 1;
    const char *start = text;
    for (const char *c = text; c < mark; c++)
        if (*c == '\n') line++, start = c + 1;
    snprintf(place, size, "%d:%d: ", line, (int)(mark - start) + 1);
    memmove(mark, mark + 1, strlen(mark));
}

static int failures;

// Compares the start of the message, so other files' texts, such as conditions', needn't be repeated.
static void expect_error(const char *text, const char *place, const char *message, sinew_result expected) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", place, message);
    sinew_graph *graph;
    sinew_error error;
    sinew_result result = load_text(text, strlen(text), NULL, &graph, &error);
    if (result == expected && strncmp(error.message, whole, strlen(whole)) == 0) return;
    print_error("expected %s\n   found %s\n", whole, result == SINEW_OK ? "a graph" : error.message);
    sinew_graph_destroy(graph);
    failures++;
}

static void expect_fault(const char *marked, const char *message) {
    char *text = malloc(strlen(marked) + 1), place[32];
    memcpy(text, marked, strlen(marked) + 1);
    take_mark(text, place, sizeof place);
    expect_error(text, place, message, SINEW_ERROR_FORMAT);
    free(text);
}

// ---- What is read --------------------------------------------------------------------------------------------

static sinew_graph *load_file(const char *path) {
    sinew_graph *graph;
    sinew_error error = {0};
    if (sinew_graph_load_file(path, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    return graph;
}

static const sinew_graph_state *state_of(const sinew_graph *graph, const char *path) {
    int32_t state = sinew_graph_find_state(graph, path);
    if (state == SINEW_GRAPH_NONE) fail_msg("no state %s", path);
    return &graph->states[state];
}

static void check_parameter(const sinew_graph *graph, int32_t i, const char *name, sinew_parameter_type type,
                            double x, double y, double min, double max, int32_t line) {
    const sinew_graph_parameter *p = &graph->parameters[i];
    assert_string_equal(p->name, name);
    assert_int_equal(p->type, type);
    check_near(p->initial[0], x, 0);
    check_near(p->initial[1], y, 0);
    assert_true(p->min == min && p->max == max);
    assert_int_equal(p->line, line);
}

// Mistake: a default of 0.1 that is not equal to 0.1 in a condition, which is a float.
static void test_parameters(void **state) {
    (void)state;
    sinew_graph *graph = load_file(EVERY_KEY);
    assert_int_equal(graph->parameter_count, 7);
    check_parameter(graph, 0, "speed", SINEW_PARAMETER_FLOAT, 0.1f, 0, 0.1f, 6, 7);
    check_parameter(graph, 1, "steps", SINEW_PARAMETER_INT, -2, 0, -2147483648.0, 2147483647.0, 8);
    check_parameter(graph, 2, "armed", SINEW_PARAMETER_BOOL, 1, 0, -INFINITY, INFINITY, 9);
    check_parameter(graph, 3, "jump", SINEW_PARAMETER_TRIGGER, 0, 0, -INFINITY, INFINITY, 10);
    check_parameter(graph, 4, "move", SINEW_PARAMETER_VECTOR2, 1, -2.5, -3, 3, 11);
    check_near(graph->parameters[0].damping, 0.25, 0);
    check_near(graph->parameters[3].hold, 0.15f, 0);
    check_near(graph->parameters[4].damping, 0.5, 0);
    check_near(graph->parameters[1].damping + graph->parameters[1].hold, 0, 0);
    check_parameter(graph, 5, "look", SINEW_PARAMETER_VECTOR3, 0.5, 1, -2, 1.5, 12);
    check_parameter(graph, 6, "hand", SINEW_PARAMETER_TRANSFORM, 0, 1, -INFINITY, INFINITY, 13);
    static const float hand[5] = {9, 0, 0.6f, 0, -0.8f};
    for (int k = 0; k < 5; k++) check_near(graph->parameters[6].initial[2 + k], hand[k], 0);
    check_near(graph->parameters[5].initial[2], -2, 0);
    check_near(graph->parameters[5].damping, 0.25, 0);
    check_near(graph->parameters[6].damping, 1, 0);
    for (int32_t i = 0; i < 7; i++)
        assert_int_equal(graph->parameters[i].space,
                         i == 5 ? SINEW_PARAMETER_SPACE_MODEL : SINEW_PARAMETER_SPACE_WORLD);
    assert_int_equal(graph->sync_name_count, 2);
    assert_string_equal(graph->sync_names[0], "Foot_L");
    assert_string_equal(graph->sync_names[1], "Foot_R");
    sinew_graph_destroy(graph);
}

static void test_layers(void **state) {
    (void)state;
    sinew_graph *graph = load_file(EVERY_KEY);
    assert_int_equal(graph->layer_count, 3);
    const sinew_graph_layer *base = &graph->layers[0], *upper = &graph->layers[1], *head = &graph->layers[2];
    assert_string_equal(base->name, "Base");
    assert_int_equal(base->mode, SINEW_LAYER_OVERRIDE);
    assert_int_equal(base->part_count, 0);
    check_near(base->weight, 1, 0);
    assert_int_equal(base->weight_parameter, SINEW_GRAPH_NONE);
    assert_int_equal(base->line, 17);
    assert_string_equal(upper->name, "Upper");
    assert_int_equal(upper->mode, SINEW_LAYER_ADDITIVE);
    assert_string_equal(upper->reference, "Idle");
    check_near(upper->weight, 0.5, 0);
    assert_int_equal(upper->weight_parameter, 0);
    assert_string_equal(upper->weight_curve, "Reach");
    assert_null(head->weight_curve);
    assert_int_equal(graph->curve_count, 2); // layers' first
    assert_string_equal(graph->curves[0], "Reach");
    assert_string_equal(graph->curves[1], "Grip");
    assert_int_equal(upper->part_count, 3);
    assert_string_equal(upper->parts[0].name, "Spine");
    check_near(upper->parts[0].factor, 0.5, 0);
    assert_int_equal(upper->parts[0].feather, 2);
    assert_false(upper->parts[0].alone);
    assert_string_equal(upper->parts[1].name, "Hand_L");
    check_near(upper->parts[1].factor, 0, 0);
    assert_true(upper->parts[1].alone);
    assert_string_equal(upper->parts[2].name, "Grip");
    assert_true(upper->parts[2].curve);
    assert_false(upper->parts[1].curve);
    check_near(upper->parts[2].factor, 0.5, 0);
    assert_int_equal(head->part_count, 1);
    assert_string_equal(head->parts[0].name, "Head");
    check_near(head->parts[0].factor, 1, 0);
    assert_int_equal(head->parts[0].feather, 0);
    check_near(head->weight, 1, 0);
    assert_null(head->reference);
    sinew_graph_destroy(graph);
}

static void test_states(void **state) {
    (void)state;
    sinew_graph *graph = load_file(EVERY_KEY);
    const sinew_graph_state *idle = state_of(graph, "Base/Idle"), *look = state_of(graph, "Head/Look");
    assert_int_equal(idle->kind, SINEW_GRAPH_STATE_CLIP);
    assert_string_equal(idle->clip, "Breathe");
    assert_int_equal(idle->loop, SINEW_LOOP_PING_PONG);
    assert_int_equal(idle->loop_count, 3);
    check_near(idle->speed, -0.5, 0);
    assert_int_equal(idle->speed_parameter, 0);
    assert_string_equal(idle->sync, "feet");
    assert_int_equal(idle->tag_count, 2);
    assert_string_equal(idle->tags[1], "still");
    assert_int_equal(idle->line, 24);
    assert_int_equal(look->loop, SINEW_LOOP_REPEAT);
    assert_int_equal(look->loop_count, SINEW_FOREVER);
    check_near(look->speed, 1, 0);
    assert_int_equal(look->speed_parameter, SINEW_GRAPH_NONE);
    assert_null(look->sync);
    assert_int_equal(look->tag_count, 0);
    assert_int_equal(state_of(graph, "Base/Fight/First")->loop, SINEW_LOOP_ONCE);
    assert_int_equal(state_of(graph, "Base/Empty")->kind, SINEW_GRAPH_STATE_EMPTY);
    assert_string_equal(state_of(graph, "Base/Fight")->tags[0], "fighting");
    sinew_graph_destroy(graph);
}

static void test_blend_spaces(void **state) {
    (void)state;
    sinew_graph *graph = load_file(EVERY_KEY);
    const sinew_graph_state *move = state_of(graph, "Base/Move");
    assert_int_equal(move->kind, SINEW_GRAPH_STATE_BLEND_SPACE);
    check_near(move->speed, 2, 0);
    assert_string_equal(move->sync, "feet");
    assert_int_equal(move->blend->kind, SINEW_BLEND_SPACE_TRIANGLES);
    assert_int_equal(move->blend->x_parameter, 0);
    assert_int_equal(move->blend->y_parameter, 1);
    check_near(move->blend->damping, 0.75, 0);
    assert_true(move->blend->match_speed);
    check_near(move->blend->min_rate, 0.5, 0);
    check_near(move->blend->max_rate, 2, 0);
    assert_int_equal(move->blend->sample_count, 3);
    static const sinew_graph_sample samples[3] = {{"Walk", 1, 2, 0.5f}, {"Run", 3, -4, 1}, {"Strafe", 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(move->blend->samples[i].clip, samples[i].clip);
        check_near(move->blend->samples[i].x, samples[i].x, 0);
        check_near(move->blend->samples[i].y, samples[i].y, 0);
        check_near(move->blend->samples[i].speed, samples[i].speed, 0);
    }
    const sinew_graph_state *deep = state_of(graph, "Base/Fight/Second/Deep");
    assert_int_equal(deep->blend->kind, SINEW_BLEND_SPACE_DIRECTIONAL);
    assert_int_equal(deep->blend->x_parameter, 4);
    assert_int_equal(deep->blend->y_parameter, SINEW_GRAPH_NONE);
    check_near(deep->blend->damping, 0.1f, 0);
    assert_true(deep->blend->match_speed);
    check_near(deep->blend->min_rate, 0.8f, 0);
    check_near(deep->blend->max_rate, 1.25, 0);
    sinew_graph_destroy(graph);
}

// Machines are the layers', then the states'. An entry is given by name, or is the first state.
static void test_machines(void **state) {
    (void)state;
    sinew_graph *graph = load_file(EVERY_KEY);
    static const char *const entries[] = {"Base/Move", "Upper/None", "Head/None", "Base/Fight/Second",
                                          "Base/Fight/Second/Deep"};
    static const char *const owners[] = {NULL, NULL, NULL, "Base/Fight", "Base/Fight/Second"};
    assert_int_equal(graph->machine_count, 5);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(graph->machines[i].entry, sinew_graph_find_state(graph, entries[i]));
        assert_int_equal(graph->states[graph->machines[i].entry].machine, i);
        int32_t owner = owners[i] ? sinew_graph_find_state(graph, owners[i]) : SINEW_GRAPH_NONE;
        assert_int_equal(sinew_graph_machine_state(graph, i), owner);
    }
    sinew_graph_destroy(graph);
}

static void check_transition(const sinew_graph *graph, int32_t i, const char *from, const char *to,
                             const char *when, sinew_transition_kind kind, double duration, sinew_easing easing,
                             int32_t line) {
    const sinew_graph_transition *t = &graph->transitions[i];
    assert_int_equal(t->from, from ? sinew_graph_find_state(graph, from) : SINEW_ANY_STATE);
    assert_int_equal(t->to, sinew_graph_find_state(graph, to));
    assert_int_equal(t->machine, graph->states[t->to].machine);
    assert_string_equal(t->when, when);
    assert_int_equal(t->transition.kind, kind);
    check_near(t->transition.duration, (float)duration, 0);
    assert_int_equal(t->transition.easing, easing);
    assert_int_equal(t->line, line);
}

static void test_transitions(void **state) {
    (void)state;
    sinew_graph *graph = load_file(EVERY_KEY);
    const sinew_graph_transition *t = graph->transitions;
    const sinew_transition_kind fade = SINEW_TRANSITION_FADE;
    assert_int_equal(graph->transition_count, 6);
    check_transition(graph, 0, "Base/Idle", "Base/Move", "speed > 0.5 && marker('Step')",
                     SINEW_TRANSITION_DEAD_BLEND, 0.5, SINEW_EASING_SMOOTHSTEP, 55);
    check_transition(graph, 1, "Base/Move", "Base/Fight", "jump", fade, 0.2, SINEW_EASING_LINEAR, 56);
    check_transition(graph, 2, "Base/Empty", "Base/Fight", "jump", fade, 0.2, SINEW_EASING_LINEAR, 56);
    check_transition(graph, 3, NULL, "Base/Idle", "armed", SINEW_TRANSITION_INERTIALIZE, 0.2, SINEW_EASING_AUTO,
                     57);
    check_transition(graph, 4, "Base/Fight", "Base/Empty",
                     "in_tag(\"fighting\") && elapsed > 1 && curve('Grip') < 0.5", fade, 0.2, SINEW_EASING_AUTO,
                     58);
    check_transition(graph, 5, "Base/Fight/First", "Base/Fight/Second", "finished", fade, 0.2, SINEW_EASING_AUTO,
                     48);
    static const sinew_graph_interrupt interrupts[6] = {SINEW_GRAPH_INTERRUPT_ANY_STATE,
                                                        SINEW_GRAPH_INTERRUPT_NEVER, SINEW_GRAPH_INTERRUPT_NEVER};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(t[i].interrupt, interrupts[i]);
        assert_int_equal(t[i].transition.match_rate, i == 1 || i == 2);
        assert_int_equal(t[i].to_self, i == 3);
        check_near(t[i].offset, i == 0 ? 0.25 : 0, 0);
    }
    sinew_graph_destroy(graph);
}

static void test_defaults(void **state) {
    (void)state;
    sinew_graph *graph = load_file(SINEW_GRAPHS "/smallest.graph.json");
    assert_int_equal(graph->parameter_count, 0);
    assert_int_equal(graph->sync_name_count, 0);
    assert_int_equal(graph->transition_count, 0);
    assert_int_equal(graph->state_count, 1);
    assert_int_equal(graph->machines[0].entry, 0);
    sinew_graph_destroy(graph);
}

// Windows' editors write a byte order mark and two characters at the end of a line.
static void test_byte_order_mark_and_line_ends(void **state) {
    (void)state;
    static const char text[] = "\xEF\xBB\xBF{\r\n\"sinewGraph\":1,\r\n\"layers\":[{\"name\":\"B\\u00e4r\","
                               "\"states\":{\r\n\"A\":{}}}]}";
    sinew_graph *graph;
    sinew_error error;
    if (load_text(text, sizeof text - 1, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    assert_string_equal(graph->layers[0].name, "B\xC3\xA4r");
    assert_int_equal(graph->states[0].line, 4);
    sinew_graph_destroy(graph);
}

// What docs/performance.md says about the hero's animator. With 32-bit pointers, it takes less.
static void check_memory(const sinew_graph *graph, const sinew_graph_binding *binding) {
    if (sizeof(void *) != 8) return;
    counting memory = {0};
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    def.allocator = counting_allocator(&memory);
    sinew_animator *animator;
    assert_int_equal(sinew_animator_create(&def, &animator, NULL), SINEW_OK);
    assert_int_equal(memory.bytes, 408);
    assert_int_equal(graph->memory / 1000, 8);
    assert_int_equal(binding->memory / 1000, 80);
    sinew_animator_destroy(animator);
    assert_int_equal(memory.live, 0);
}

// The clips and nodes of the hero's graph are in hero.glb.
static void test_hero_is_bound(void **state) {
    (void)state;
    sinew_graph *graph = load_file(HERO);
    sinew_asset *asset;
    sinew_error error;
    if (sinew_gltf_load_file(SINEW_MODELS "/hero.glb", NULL, &asset, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = asset->skeleton;
    def.clips = asset->clips;
    def.clip_count = asset->clip_count;
    sinew_graph_binding *binding;
    if (sinew_graph_bind(&def, &binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    check_memory(graph, binding);
    sinew_graph_binding_destroy(binding);
    sinew_asset_destroy(asset);
    sinew_graph_destroy(graph);
}

// ---- Errors --------------------------------------------------------------------------------------------------

// The value of a line of faults.txt, "key value"; NULL if it has another key. It ends the line with a zero.
static const char *value_of(char *line, const char *key) {
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && (line[length] == ' ' || line[length] == '\0')
               ? line + length + (line[length] == ' ')
               : NULL;
}

typedef struct fault {
    const char *find, *put, *message, *at;
} fault;

static void check_fault(const char *base, const fault *f) {
    char *text = replace(base, f->find, f->put), place[32];
    if (f->at) {
        snprintf(place, sizeof place, "%s: ", f->at);
    } else {
        take_mark(text, place, sizeof place);
    }
    expect_error(text, place, f->message, SINEW_ERROR_FORMAT);
    free(text);
}

// tests/graph/samples/faults.txt has one fault for each rule of the page.
static void test_faults_have_a_place_and_a_message(void **state) {
    (void)state;
    size_t size;
    char *base = read_file(EVERY_KEY, &size), *list = read_file(SINEW_GRAPHS "/faults.txt", &size);
    fault f = {0};
    int count = 0;
    failures = 0;
    for (char *line = list, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        const char *find = value_of(line, "find"), *put = value_of(line, "put"), *at = value_of(line, "at"),
                   *message = value_of(line, "error");
        if (find) f = (fault){.find = find};
        if (put) f.put = put;
        if (message) f.message = message;
        if (at) f.at = at;
        bool ends = line[0] == '\0' || !next;
        if (!ends || !f.message) continue;
        assert_true(f.find && f.put);
        check_fault(base, &f);
        f = (fault){0};
        count++;
    }
    free(list);
    free(base);
    assert_true(count > 100);
    assert_int_equal(failures, 0);
}

static void test_texts_that_are_no_graph(void **state) {
    (void)state;
    failures = 0;
    expect_fault("@", "the text ends where a value is expected");
    expect_fault("@[]", "expected a graph, not an empty array");
    expect_fault("@7", "an object is expected");
    expect_fault("@{}", "a graph needs \"sinewGraph\"");
    expect_fault("{\n  \"sinewGraph\": 1\n  @\"layers\": []}", "',' or '}' is expected");
    expect_fault("@{\"sinewGraph\":1}", "a graph needs \"layers\"");
    expect_fault("{\"sinewGraph\":1,\"layers\":@{}}", "expected an array of layers, not an object");
    expect_fault("{\"sinewGraph\":1,\"layers\":@[]}", "expected an array of layers, not an empty array");
    expect_fault("{\"sinewGraph\":1,\"parameters\":@[],\"layers\":[]}", "expected an object, not an empty array");
    expect_fault("{\"sinewGraph\":1,\"layers\":[@{\"name\":\"a\"}]}", "a layer needs \"states\"");
    expect_fault("{\"sinewGraph\":1,\"layers\":[@{\"states\":{\"A\":{}}}]}", "a layer needs \"name\"");
    expect_fault("{\"sinewGraph\":1,\"layers\":[{\"name\":\"a\",\"states\":{\"A\":{}},\"transitions\":@{}}]}",
                 "expected an array of transitions, not an object");
    expect_fault("{\"sinewGraph\":1,\"layers\":[{\"name\":\"a\",\"states\":{\"A\":{\"blend\":@7}}}]}",
                 "expected a blend space, not 7");
    expect_fault("{\"sinewGraph\":2, \"more\"@}", "':' is expected");
    expect_fault("{\"sinewGraph\":1,\"rig\":@7}", "expected a rig, not 7");
    expect_fault("{\"sinewGraph\":1,\"rig\":@{}}", "a rig needs \"steps\"");
    expect_fault("{\"sinewGraph\":1,\"rig\":{\"steps\":@{}}}", "expected an array of steps, not an object");
    expect_fault("{\"sinewGraph\":1,\"rig\":{\"steps\":@[]}}", "expected an array of steps, not an empty array");
    expect_fault("{\"sinewGraph\":1,\"rig\":{\"feet\":@[],\"steps\":[]}}",
                 "expected an array of feet, not an empty array");
    expect_fault("{\"sinewGraph\":1,\"layers\":@[],\"rig\":{\"steps\":[{\"callback\":{}}]}}",
                 "expected an array of layers, not an empty array");
    assert_int_equal(failures, 0);
}

// Mistake: a message about the keys of a version that this program does not know.
static void test_version_is_checked_first(void **state) {
    (void)state;
    failures = 0;
    expect_fault("{\"new\": {}, \"sinewGraph\": @2}", "expected 1, the format version, not 2");
    assert_int_equal(failures, 0);
}

// Columns are bytes, also after characters of several bytes; names in messages are escaped.
static void test_columns_are_bytes(void **state) {
    (void)state;
    failures = 0;
    expect_fault("{\"sinewGraph\":1,\"//\":\"\xC3\xA4\xC3\xB6\",\"layers\":@7}",
                 "expected an array of layers, not 7");
    expect_fault("{\"sinewGraph\":1,@\"\\u001b[2J\":7}", "unknown key \"\\x1b[2J\" in a graph; expected");
    assert_int_equal(failures, 0);
}

static void test_arguments(void **state) {
    (void)state;
    sinew_graph *graph = (sinew_graph *)&failures;
    sinew_error error = {0};
    assert_int_equal(sinew_graph_load_memory("{}", 2, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_graph_load_memory(NULL, 2, NULL, &graph, &error), SINEW_ERROR_ARGUMENT);
    assert_null(graph);
    assert_int_equal(sinew_graph_load_memory("{}", 2, NULL, &graph, NULL), SINEW_ERROR_FORMAT);
    assert_int_equal(sinew_graph_load_file(NULL, NULL, &graph, &error), SINEW_ERROR_ARGUMENT);
    assert_int_equal(sinew_graph_load_file(HERO, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
}

// ---- Files ---------------------------------------------------------------------------------------------------

static void test_errors_start_with_the_path(void **state) {
    (void)state;
    sinew_graph *graph;
    sinew_error error;
    assert_int_equal(sinew_graph_load_file("none.graph.json", NULL, &graph, &error), SINEW_ERROR_IO);
    assert_string_equal(error.message, "none.graph.json: there is no such file");
    assert_int_equal(sinew_graph_load_file(SINEW_GRAPHS, NULL, &graph, &error), SINEW_ERROR_IO);
    assert_string_equal(error.message, SINEW_GRAPHS ": this is a directory");
#ifndef _WIN32
    assert_int_equal(sinew_graph_load_file("/dev/zero", NULL, &graph, &error), SINEW_ERROR_IO);
    assert_string_equal(error.message, "/dev/zero: this is a device, not a regular file");
#endif
    FILE *file = fopen("broken.graph.json", "wb");
    assert_non_null(file);
    assert_true(fputs("{\n  \"sinewGraph\": 2\n}\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(sinew_graph_load_file("broken.graph.json", NULL, &graph, &error), SINEW_ERROR_FORMAT);
    assert_string_equal(error.message, "broken.graph.json:2:17: expected 1, the format version, not 2");
    assert_int_equal(remove("broken.graph.json"), 0);
}

// ---- Limits --------------------------------------------------------------------------------------------------

typedef struct text_buffer {
    char *text;
    size_t used, size;
} text_buffer;

static void append(text_buffer *b, const char *format, ...) {
    va_list arguments;
    if (b->used + 256 > b->size) {
        b->size = 2 * b->size + 1024;
        b->text = realloc(b->text, b->size);
        assert_non_null(b->text);
    }
    va_start(arguments, format);
    b->used += (size_t)vsnprintf(b->text + b->used, b->size - b->used, format, arguments);
    va_end(arguments);
}

// `count` times `format`, which has one %d, with commas between them.
static void repeat(text_buffer *b, const char *format, int count) {
    for (int i = 0; i < count; i++) {
        if (i > 0) append(b, ",");
        append(b, format, i);
    }
}

// A graph with a limit of `max` is read, and one with one element more is refused, by the message.
static void check_limit(const char *before, const char *element, const char *after, int max, const char *message) {
    for (int count = max; count <= max + 1; count++) {
        text_buffer b = {0};
        append(&b, "%s", before);
        repeat(&b, element, count);
        append(&b, "%s", after);
        sinew_graph *graph;
        sinew_error error;
        sinew_result result = load_text(b.text, b.used, NULL, &graph, &error);
        if (result != (count > max ? SINEW_ERROR_LIMIT : SINEW_OK)) fail_msg("%d: %s", count, error.message);
        if (count > max && !strstr(error.message, message)) fail_msg("%s", error.message);
        sinew_graph_destroy(graph);
        free(b.text);
    }
}

#define HEAD "{\"sinewGraph\":1,"
#define TAIL "\"layers\":[{\"name\":\"a\",\"states\":{\"A\":{}}}]}"

static void test_limits(void **state) {
    (void)state;
    check_limit(HEAD "\"parameters\":{", "\"p%d\":{\"type\":\"int\"}", "}," TAIL, SINEW_MAX_GRAPH_PARAMETERS,
                "a graph can have at most 64 parameters");
    check_limit(HEAD "\"layers\":[", "{\"name\":\"l%d\",\"states\":{\"A\":{}}}", "]}", SINEW_MAX_GRAPH_LAYERS,
                "a graph can have at most 8 layers");
    check_limit(HEAD "\"layers\":[{\"name\":\"a\",\"states\":{", "\"s%d\":{}", "}}]}", SINEW_MAX_GRAPH_STATES,
                "a graph can have at most 4096 states");
    check_limit(HEAD "\"layers\":[{\"name\":\"a\",\"states\":{\"B\":{}},\"transitions\":[",
                "{\"from\":\"*\",\"to\":\"B\",\"//\":%d}", "]}]}", SINEW_MAX_GRAPH_TRANSITIONS,
                "a graph can have at most 16384 transitions");
    check_limit(HEAD "\"layers\":[{\"name\":\"a\",\"states\":{\"A\":{\"tags\":[", "\"t%d\"", "]}}}]}",
                SINEW_MAX_GRAPH_TAGS, "1:49: the tag \"t64\" exceeds the limit of 64 tags");
    check_limit(HEAD "\"syncMarkers\":[", "\"m%d\"", "]," TAIL, 64, "1:31: 65 sync markers; there must be 0 to 64");
    check_limit(HEAD "\"parameters\":{\"x\":{\"type\":\"float\"}},\"layers\":[{\"name\":\"a\",\"states\":{\"A\":"
                     "{\"blend\":{\"x\":\"x\",\"samples\":[",
                "{\"clip\":\"c\",\"x\":%d}", "]}}}}]}", SINEW_MAX_BLEND_SAMPLES,
                "65 samples; this blend space can have at most 64");
    check_limit(HEAD "\"rig\":{\"steps\":[", "{\"name\":\"s%d\",\"callback\":{}}", "]}}", SINEW_MAX_RIG_STEPS,
                "1:32: a rig can have at most 64 steps");
    check_limit(HEAD "\"rig\":{\"feet\":[", "{\"thigh\":\"t\",\"shin\":\"s\",\"foot\":\"f%d\"}",
                "],\"steps\":[{\"footLock\":{}}]}}", SINEW_MAX_FEET, "1:31: a rig can have at most 8 feet");
    check_limit(HEAD
                "\"parameters\":{\"a\":{\"type\":\"float\"}},\"rig\":{\"steps\":[{\"orientationWarp\":{\"angle\":"
                "\"a\",\"nodes\":[",
                "\"n%d\"", "]}}]}}", SINEW_MAX_RIG_NODES, "a step can have at most 9 nodes");
    check_limit(HEAD
                "\"parameters\":{\"a\":{\"type\":\"vector2\"}},\"rig\":{\"steps\":[{\"aimOffset\":{\"direction\":"
                "\"a\",\"clips\":[\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"10\",\"11\","
                "\"12\",\"13\",\"14\",\"15\"],\"yaws\":[",
                "%d", "]}}]}}", SINEW_MAX_AIM_POSES, "17 numbers; there can be at most 16");
    check_limit(HEAD "\"parameters\":{\"x\":{\"type\":\"vector2\"}},\"layers\":[{\"name\":\"a\",\"states\":{\"A\":"
                     "{\"blend\":{\"kind\":\"directional\",\"x\":\"x\",\"samples\":[",
                "{\"clip\":\"c\",\"x\":%d}", "]}}}}]}", SINEW_MAX_BLEND_WEIGHTS,
                "33 samples; this blend space can have at most 32");
}

// A machine in a machine, `depth` deep.
static void test_depth(void **state) {
    (void)state;
    for (int depth = SINEW_MAX_GRAPH_DEPTH; depth <= 100; depth += 46) {
        text_buffer b = {0};
        append(&b, HEAD "\"layers\":[{\"name\":\"a\"");
        for (int i = 0; i < depth; i++) append(&b, ",\"states\":{\"A\":{\"//\":0");
        for (int i = 0; i < depth; i++) append(&b, "}}");
        append(&b, "}]}");
        sinew_graph *graph;
        sinew_error error;
        sinew_result result = load_text(b.text, b.used, NULL, &graph, &error);
        if (result != (depth > SINEW_MAX_GRAPH_DEPTH ? SINEW_ERROR_LIMIT : SINEW_OK)) fail_msg("%s", error.message);
        if (graph) assert_int_equal(graph->machine_count, depth);
        if (!graph) assert_non_null(strstr(error.message, "machines can be nested at most 8 deep"));
        sinew_graph_destroy(graph);
        free(b.text);
    }
}

// Many names in one object: each is found again in any order, and the last duplicate is found.
static void test_many_names(void **state) {
    (void)state;
    text_buffer b = {0};
    append(&b, HEAD "\"layers\":[{\"name\":\"a\",\"states\":{");
    enum { COUNT = 4000 };
    for (int i = 0; i < COUNT; i++) append(&b, "%s\"s%d\":{}", i ? "," : "", i * 2741 % COUNT);
    append(&b, "},\"transitions\":[");
    for (int i = 0; i < COUNT; i++)
        append(&b, "%s{\"from\":\"s%d\",\"to\":\"s%d\"}", i ? "," : "", i, COUNT - 1 - i);
    append(&b, "]}]}");
    sinew_graph *graph;
    sinew_error error;
    if (load_text(b.text, b.used, NULL, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    char name[16];
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "s%d", i);
        assert_string_equal(graph->states[graph->transitions[i].from].name, name);
        assert_string_equal(graph->states[graph->transitions[COUNT - 1 - i].to].name, name);
    }
    sinew_graph_destroy(graph);
    char *twice = replace(b.text, "\"s3999\"", "\"s17\"");
    assert_int_equal(load_text(twice, strlen(twice), NULL, &graph, &error), SINEW_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "duplicate key \"s17\": the first is on line 1"));
    free(twice);
    free(b.text);
}

// Memory grows with the text, not with what one of its names is repeated in.
static void test_memory_is_linear(void **state) {
    (void)state;
    static const char *const elements[] = {"[%d]", "\"%d\"", "{\"a%d\":[]}"};
    for (int i = 0; i < 3; i++) {
        text_buffer b = {0};
        append(&b, HEAD "\"//\":[");
        repeat(&b, elements[i], 100000);
        append(&b, "]," TAIL);
        counting memory = {0};
        sinew_allocator allocator = counting_allocator(&memory);
        sinew_graph *graph;
        sinew_error error;
        if (load_text(b.text, b.used, &allocator, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
        sinew_graph_destroy(graph);
        assert_int_equal(memory.live, 0);
        if (memory.peak > 40 * b.used + ((size_t)8 << 20)) fail_msg("%zu bytes for %zu", memory.peak, b.used);
        free(b.text);
    }
}

// Mistake: a copy of a condition for each name in `from`, so a small file needs gigabytes.
static void test_long_condition_of_many_transitions(void **state) {
    (void)state;
    text_buffer b = {0};
    append(&b, HEAD "\"layers\":[{\"name\":\"a\",\"states\":{\"A\":{}},\"transitions\":[{\"to\":\"A\",\"from\":[");
    repeat(&b, "\"A\"", 16000);
    append(&b, "],\"when\":\"true");
    for (int i = 0; i < 1000; i++) append(&b, "%100s", "");
    append(&b, "\"}]}]}");
    counting memory = {0};
    sinew_allocator allocator = counting_allocator(&memory);
    sinew_graph *graph;
    sinew_error error;
    if (load_text(b.text, b.used, &allocator, &graph, &error) != SINEW_OK) fail_msg("%s", error.message);
    if (memory.peak > 100 * b.used) fail_msg("%zu bytes for %zu", memory.peak, b.used);
    sinew_graph_destroy(graph);
    free(b.text);
}

// ---- Damage --------------------------------------------------------------------------------------------------

// A graph, or an error with a line and a column in the text.
static void check_damaged(const char *text, size_t size) {
    sinew_graph *graph;
    sinew_error error;
    if (load_text(text, size, NULL, &graph, &error) == SINEW_OK) {
        sinew_graph_destroy(graph);
        return;
    }
    int lines = 1;
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    char *rest;
    const long line = strtol(error.message, &rest, 10);
    const long column = *rest == ':' ? strtol(rest + 1, &rest, 10) : 0;
    if (strncmp(rest, ": ", 2) != 0 || rest[2] == '\0' || line < 1 || line > lines || column < 1 ||
        (size_t)column > size + 1)
        fail_msg("%s", error.message);
}

static void test_truncated(void **state) {
    (void)state;
    size_t size;
    char *text = read_file(HERO, &size);
    size_t end = size;
    while (text[end - 1] != '}') end--;
    for (size_t i = 0; i < end; i++) {
        sinew_graph *graph;
        sinew_error error;
        assert_int_equal(load_text(text, i, NULL, &graph, &error), SINEW_ERROR_FORMAT);
        check_damaged(text, i);
    }
    free(text);
}

static void test_every_byte_replaced(void **state) {
    (void)state;
    static const char values[] = {'\0', '"', '}', '[', '0', '-', 'e', '\n', (char)0xE2};
    size_t size;
    char *text = read_file(HERO, &size);
    for (size_t i = 0; i < size; i++) {
        char kept = text[i];
        for (size_t k = 0; k < sizeof values; k++) {
            text[i] = values[k];
            check_damaged(text, size);
        }
        text[i] = kept;
    }
    free(text);
}

static void test_every_allocation_fails(void **state) {
    (void)state;
    size_t size;
    char *text = read_file(HERO, &size);
    counting c = {.fail_once = true};
    sinew_result result = SINEW_ERROR_OUT_OF_MEMORY;
    while (fail_next(&c, result)) {
        sinew_allocator allocator = counting_allocator(&c);
        sinew_graph *graph;
        sinew_error error;
        result = load_text(text, size, &allocator, &graph, &error);
        sinew_graph_destroy(graph);
        if (result == SINEW_OK) continue;
        assert_string_equal(error.message, "out of memory");
        counting of_file = {.fail_at = c.fail_at};
        allocator = counting_allocator(&of_file);
        assert_int_equal(sinew_graph_load_file(HERO, &allocator, &graph, &error), SINEW_ERROR_OUT_OF_MEMORY);
        assert_string_equal(error.message, HERO ": out of memory");
        assert_int_equal(of_file.live, 0);
    }
    assert_true(c.fail_at > 3);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_blend_spaces),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_transitions),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_byte_order_mark_and_line_ends),
        cmocka_unit_test(test_hero_is_bound),
        cmocka_unit_test(test_faults_have_a_place_and_a_message),
        cmocka_unit_test(test_texts_that_are_no_graph),
        cmocka_unit_test(test_version_is_checked_first),
        cmocka_unit_test(test_columns_are_bytes),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_errors_start_with_the_path),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_memory_is_linear),
        cmocka_unit_test(test_long_condition_of_many_transitions),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_every_byte_replaced),
        cmocka_unit_test(test_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
