// SPDX-License-Identifier: MIT
// The checker's exploration against the animator: random graphs, from each leaf that an animator reaches, with every
// combination of parameters on a grid. Conditions read parameters, tags and states, not clips, so a grid covers all
// cases. Graphs with clips and two layers are walked at random: the checker must consider everything that an animator
// does possible.
#include "support/graph_stage.h"
#include "support/trials.h"

#include "graph/check.h"

#include <stdio.h>

enum {
    GRAPHS = TRIALS(2000, 300),
    WALKED_GRAPHS = TRIALS(500, 100),
    WALKS = 4,
    FRAMES = 200,
    MAX_PARAMETERS = 4,
    MAX_NODES = 32,
    MAX_MACHINES = 13,
    MAX_COMBINATIONS = 1200
};

// ---- Random numbers ------------------------------------------------------------------------------------------

static uint64_t seed;

static uint32_t random_below(uint32_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % limit;
}

static bool chance(uint32_t percent) {
    return random_below(100) < percent;
}

// ---- Random graphs -------------------------------------------------------------------------------------------

// Conditions compare with 0, 1 and 2, sometimes negated, and ranges end at -1, 0, 1, 2 and 3. There are two values
// between any two of these, so two parameters occur in each order.
static const double grid[] = {-5,   -4,   -3, -2.75, -2.25, -2, -1.75, -1.25, -1, -0.75, -0.25, 0,
                              0.25, 0.75, 1,  1.25,  1.75,  2,  2.25,  2.75,  3,  4,     5};
#define GRID ((int32_t)(sizeof grid / sizeof *grid))

typedef struct random_parameter {
    sinew_parameter_type type;
    bool limited;
    double min, max;
    int32_t count; // of values, of a vector's coordinate
    double values[GRID];
} random_parameter;

typedef struct random_node {
    int32_t machine, submachine; // submachine: -1 for a leaf
    const char *tag;             // NULL: none
    char path[64];
} random_node;

typedef struct random_graph {
    bool plays; // states play clips, and there are two layers
    int32_t parameter_count, node_count, machine_count, layer_count;
    random_parameter parameters[MAX_PARAMETERS];
    random_node nodes[MAX_NODES];
    int32_t firsts[MAX_MACHINES], counts[MAX_MACHINES]; // nodes of each machine
    int32_t layers[2];                                  // machines
    char text[16384];
    size_t length;
} random_graph;

__attribute__((format(printf, 2, 3))) static void write_text(random_graph *g, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g->length += (size_t)vsnprintf(g->text + g->length, sizeof g->text - g->length, format, arguments);
    va_end(arguments);
    assert_true(g->length < sizeof g->text);
}

static int32_t combinations(const random_parameter *p) {
    return p->type == SINEW_PARAMETER_VECTOR2 ? p->count * p->count : p->count;
}

static random_parameter make_parameter(void) {
    static const double ranges[][2] = {{0, 2}, {-1, 3}, {1, 1}, {-1, 0}};
    random_parameter p = {.type = (sinew_parameter_type)random_below(5)};
    const double *range = ranges[random_below(4)];
    p.limited = chance(70);
    p.min = p.limited ? range[0] : -INFINITY;
    p.max = p.limited ? range[1] : INFINITY;
    if (p.type == SINEW_PARAMETER_BOOL || p.type == SINEW_PARAMETER_TRIGGER) {
        p.count = 2;
        p.values[1] = 1;
        return p;
    }
    for (int32_t i = 0; i < GRID; i++) {
        if (grid[i] < p.min || grid[i] > p.max) continue;
        if (p.type == SINEW_PARAMETER_INT && grid[i] != floor(grid[i])) continue;
        p.values[p.count++] = grid[i];
    }
    return p;
}

static void make_parameters(random_graph *g) {
    int32_t product = 1;
    for (int32_t i = 0; i < MAX_PARAMETERS; i++) {
        const random_parameter p = make_parameter();
        if (product * combinations(&p) > MAX_COMBINATIONS) continue;
        product *= combinations(&p);
        g->parameters[g->parameter_count++] = p;
    }
}

// The nodes of a machine, then of the machines in them. Leaves room for another layer's machine.
static void make_machine(random_graph *g, const char *path, int32_t depth) {
    const int32_t machine = g->machine_count++, first = g->node_count;
    const int32_t count = depth == 0 ? 2 + (int32_t)random_below(3) : 1 + (int32_t)random_below(3);
    g->firsts[machine] = first;
    g->counts[machine] = count;
    g->node_count += count;
    for (int32_t i = first; i < first + count; i++) {
        random_node *node = &g->nodes[i];
        *node = (random_node){.machine = machine, .submachine = -1};
        node->tag = chance(30) ? (chance(50) ? "t0" : "t1") : NULL;
        snprintf(node->path, sizeof node->path, "%.50s/S%d", path, (int)i);
        if (depth == 2 || !chance(30) || g->node_count + 3 + 4 > MAX_NODES || g->machine_count + 1 == MAX_MACHINES)
            continue;
        node->submachine = g->machine_count;
        make_machine(g, node->path, depth + 1);
    }
}

static const char *pick_comparison(void) {
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    return operators[random_below(6)];
}

static bool is_number(const random_parameter *p) {
    return p->type != SINEW_PARAMETER_BOOL && p->type != SINEW_PARAMETER_TRIGGER;
}

// Writes a number: a parameter or a coordinate, negated at times; a constant if the graph has no numbers.
static void write_number(random_graph *g) {
    const int32_t i = g->parameter_count > 0 ? (int32_t)random_below((uint32_t)g->parameter_count) : 0;
    if (chance(15)) write_text(g, "-");
    if (g->parameter_count == 0 || !is_number(&g->parameters[i])) {
        write_text(g, "%d", (int)random_below(3));
    } else {
        const char *coordinate = g->parameters[i].type != SINEW_PARAMETER_VECTOR2 ? "" : chance(50) ? ".x" : ".y";
        write_text(g, "p%d%s", (int)i, coordinate);
    }
}

static bool has_tag(const random_graph *g, const char *tag) {
    for (int32_t i = 0; i < g->node_count; i++) {
        if (g->nodes[i].tag && strcmp(g->nodes[i].tag, tag) == 0) return true;
    }
    return false;
}

// Of a clip or its state.
static void write_clip_atom(random_graph *g) {
    static const char *const words[] = {"time", "fraction", "elapsed"};
    const double part = 0.25 * random_below(5);
    switch (random_below(5)) {
    case 0:
        write_text(g, "finished");
        break;
    case 1:
        write_text(g, "past(%g)", 0.25 * (1 + random_below(4)));
        break;
    case 2:
        write_text(g, "marker('Hit')");
        break;
    case 3:
        write_text(g, "loops %s %d", pick_comparison(), (int)random_below(3));
        break;
    default:
        write_text(g, "%s %s %g", words[random_below(3)], pick_comparison(), part);
        break;
    }
}

static void write_atom(random_graph *g) {
    if (g->plays && chance(40)) {
        write_clip_atom(g);
        return;
    }
    const int32_t i = g->parameter_count > 0 ? (int32_t)random_below((uint32_t)g->parameter_count) : -1;
    const uint32_t kind = random_below(10);
    const char *tag = chance(50) ? "t0" : "t1";
    if (kind == 0) {
        write_text(g, "in_state('%s')", g->nodes[random_below((uint32_t)g->node_count)].path);
    } else if (kind == 1 && has_tag(g, tag)) {
        write_text(g, "in_tag('%s')", tag);
    } else if (i >= 0 && !is_number(&g->parameters[i])) {
        write_text(g, "p%d", (int)i);
    } else {
        write_number(g);
        write_text(g, " %s ", pick_comparison());
        if (chance(60)) {
            write_text(g, "%d", (int)random_below(3));
        } else {
            write_number(g);
        }
    }
}

static void write_condition(random_graph *g, int32_t depth) {
    const uint32_t kind = depth == 0 ? 9 : random_below(10);
    if (kind >= 6) {
        write_atom(g);
        return;
    }
    static const char *const operators[] = {"&&", "&&", "&&", "||", "||", "=="};
    if (chance(25)) write_text(g, "!");
    write_text(g, "((");
    write_condition(g, depth - 1);
    write_text(g, ") %s (", operators[kind]);
    write_condition(g, depth - 1);
    write_text(g, "))");
}

static void write_transition(random_graph *g, int32_t machine) {
    static const char *const interrupts[] = {"always", "always", "always", "anyState", "never"};
    const int32_t first = g->firsts[machine];
    const uint32_t count = (uint32_t)g->counts[machine];
    const bool any = chance(25);
    if (any) {
        write_text(g, "{\"from\":\"*\",\"toSelf\":%s", chance(30) ? "true" : "false");
    } else {
        write_text(g, "{\"from\":\"S%d\"", (int)(first + (int32_t)random_below(count)));
    }
    write_text(g, ",\"to\":\"S%d\",\"interrupt\":\"%s\",\"duration\":%g",
               (int)(first + (int32_t)random_below(count)), interrupts[random_below(5)],
               g->plays ? 0.1 * random_below(3) : 0.0);
    if (g->plays) write_text(g, ",\"offset\":%g", chance(60) ? 0.0 : 0.25 * random_below(5));
    if (chance(90)) {
        write_text(g, ",\"when\":\"");
        write_condition(g, 2);
        write_text(g, "\"");
    }
    write_text(g, "}");
}

// What a leaf plays, if the graph has clips.
static void write_clip(random_graph *g) {
    static const char *const clips[] = {"idle", "walk", "run", "wave"};
    static const char *const loops[] = {"once", "repeat", "pingPong"};
    const uint32_t loop = random_below(3);
    if (!g->plays || chance(20)) return;
    if (g->parameter_count > 0 && g->parameters[0].type == SINEW_PARAMETER_FLOAT && chance(25)) {
        write_text(g, "\"blend\":{\"x\":\"p0\",\"samples\":[{\"clip\":\"walk\"},{\"clip\":\"wave\",\"x\":1}]}");
        return;
    }
    write_text(g, "\"clip\":\"%s\",\"loop\":\"%s\"", clips[random_below(4)], loops[loop]);
    if (loop > 0 && chance(50)) write_text(g, ",\"loopCount\":%d", 1 + (int)random_below(2));
    if (chance(30)) write_text(g, ",\"speed\":%d", 2 - 3 * (int)random_below(2));
    if (chance(20)) write_text(g, ",\"sync\":\"group\"");
}

static void write_machine(random_graph *g, int32_t machine) {
    const int32_t first = g->firsts[machine], count = g->counts[machine];
    write_text(g, "\"entry\":\"S%d\",\"states\":{", (int)(first + (int32_t)random_below((uint32_t)count)));
    for (int32_t i = first; i < first + count; i++) {
        const random_node *node = &g->nodes[i];
        write_text(g, "%s\"S%d\":{", i > first ? "," : "", (int)i);
        if (node->submachine >= 0) {
            write_machine(g, node->submachine);
        } else {
            write_clip(g);
        }
        write_text(g, "%s\"tags\":[", g->text[g->length - 1] == '{' ? "" : ",");
        if (node->tag) write_text(g, "\"%s\"", node->tag);
        write_text(g, "]");
        write_text(g, "}");
    }
    write_text(g, "},\"transitions\":[");
    const int32_t transitions = 1 + (int32_t)random_below((uint32_t)count + 2);
    for (int32_t i = 0; i < transitions; i++) {
        if (i > 0) write_text(g, ",");
        write_transition(g, machine);
    }
    write_text(g, "]");
}

static void write_parameters(random_graph *g) {
    static const char *const types[] = {"float", "int", "bool", "trigger", "vector2"};
    for (int32_t i = 0; i < g->parameter_count; i++) {
        const random_parameter *p = &g->parameters[i];
        write_text(g, "%s\"p%d\":{\"type\":\"%s\"", i ? "," : "", (int)i, types[p->type]);
        if (is_number(p) && p->limited) {
            const int min = (int)p->min;
            write_text(g, ",\"range\":[%d,%d]", min, (int)p->max);
            if (p->type == SINEW_PARAMETER_VECTOR2) {
                write_text(g, ",\"default\":[%d,%d]", min, min);
            } else {
                write_text(g, ",\"default\":%d", min);
            }
        }
        write_text(g, "}");
    }
}

static void make_random_graph(random_graph *g, bool plays) {
    static const char *const names[] = {"Base", "Upper"};
    const int32_t layer_count = plays ? 2 : 1;
    *g = (random_graph){.plays = plays, .layer_count = layer_count};
    make_parameters(g);
    for (int32_t i = 0; i < layer_count; i++) {
        g->layers[i] = g->machine_count;
        make_machine(g, names[i], i);
    }
    write_text(g, "{\"sinewGraph\":1,\"parameters\":{");
    write_parameters(g);
    write_text(g, "},\"layers\":[");
    for (int32_t i = 0; i < layer_count; i++) {
        write_text(g, "%s{\"name\":\"%s\",", i ? "," : "", names[i]);
        write_machine(g, g->layers[i]);
        write_text(g, "}");
    }
    write_text(g, "]}");
}

// ---- Brute force ---------------------------------------------------------------------------------------------

typedef struct brute_force {
    const random_graph *random;
    graph_stage stage;
    bool entered[MAX_NODES], current[MAX_NODES], taken[256], cycle;
    int32_t queue[MAX_NODES], queued;
} brute_force;

static void add_current(brute_force *b, int32_t leaf) {
    if (b->current[leaf]) return;
    b->current[leaf] = true;
    b->queue[b->queued++] = leaf;
}

static void set_parameters(const brute_force *b, int32_t combination) {
    sinew_animator *animator = b->stage.animator;
    for (int32_t i = 0; i < b->random->parameter_count; i++) {
        const random_parameter *p = &b->random->parameters[i];
        const int32_t of_this = combination % combinations(p);
        const double value = p->values[of_this % p->count];
        combination /= combinations(p);
        switch (p->type) {
        case SINEW_PARAMETER_FLOAT:
            sinew_animator_set_float(animator, i, (float)value);
            break;
        case SINEW_PARAMETER_INT:
            sinew_animator_set_int(animator, i, (int32_t)value);
            break;
        case SINEW_PARAMETER_BOOL:
            sinew_animator_set_bool(animator, i, value > 0);
            break;
        case SINEW_PARAMETER_TRIGGER:
            sinew_animator_cancel(animator, i);
            if (value > 0) sinew_animator_fire(animator, i);
            break;
        default:
            sinew_animator_set_vector2(animator, i, (float)value, (float)p->values[of_this / p->count]);
            break;
        }
    }
}

static void note_events(brute_force *b) {
    const sinew_graph_events events = sinew_animator_events(b->stage.animator);
    assert_int_equal(events.dropped_count, 0);
    for (int32_t i = 0; i < events.count; i++) {
        if (events.items[i].type == SINEW_GRAPH_EVENT_STATE_ENTERED) b->entered[events.items[i].state] = true;
        if (events.items[i].type == SINEW_GRAPH_EVENT_TRANSITION_STARTED)
            b->taken[events.items[i].transition] = true;
        if (events.items[i].type == SINEW_GRAPH_EVENT_CYCLE) b->cycle = true;
    }
}

static void run_frame(brute_force *b, int32_t leaf, int32_t combination) {
    sinew_animator *animator = b->stage.animator;
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0;
    sinew_animator_force_state(animator, leaf, &cut);
    set_parameters(b, combination);
    sinew_animator_advance(animator, 0);
    note_events(b);
    add_current(b, sinew_animator_state(animator, 0));
}

static int32_t all_combinations(const random_graph *g) {
    int32_t product = 1;
    for (int32_t i = 0; i < g->parameter_count; i++) product *= combinations(&g->parameters[i]);
    return product;
}

static void note_entries(brute_force *b) {
    for (int32_t i = 0; i < b->stage.graph->state_count; i++) {
        b->entered[i] |= sinew_animator_is_active(b->stage.animator, i);
    }
}

static void explore(brute_force *b) {
    const int32_t product = all_combinations(b->random);
    note_entries(b);
    add_current(b, sinew_animator_state(b->stage.animator, 0));
    for (int32_t i = 0; i < b->queued; i++) {
        for (int32_t k = 0; k < product; k++) run_frame(b, b->queue[i], k);
    }
}

// Frames of random length with random parameters, which change now and then.
static void walk(brute_force *b) {
    static const float steps[] = {0, 1.0f / 60, 0.0625f, 0.25f};
    const uint32_t product = (uint32_t)all_combinations(b->random);
    note_entries(b);
    for (int32_t i = 0; i < FRAMES; i++) {
        if (chance(40)) set_parameters(b, (int32_t)random_below(product));
        sinew_animator_update(b->stage.animator, steps[random_below(4)]);
        note_events(b);
    }
}

static void make_new_animator(brute_force *b) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = b->stage.binding;
    def.max_events = 255;
    sinew_animator_destroy(b->stage.animator);
    assert_int_equal(sinew_animator_create(&def, &b->stage.animator, NULL), SINEW_OK);
}

static void make_stage(brute_force *b) {
    b->stage.graph = read_graph(b->random->text);
    assert_true(b->stage.graph->state_count <= MAX_NODES && b->stage.graph->transition_count <= 256);
    const sinew_graph_binding_def binding_def = stage_binding_def(&b->stage);
    assert_int_equal(sinew_graph_bind(&binding_def, &b->stage.binding, NULL), SINEW_OK);
    make_new_animator(b);
}

static void free_stage(brute_force *b) {
    sinew_animator_destroy(b->stage.animator);
    sinew_graph_binding_destroy(b->stage.binding);
    sinew_graph_destroy(b->stage.graph);
}

// ---- The comparison ------------------------------------------------------------------------------------------

typedef struct totals {
    int32_t unreachable, never, cycles;
} totals;

static bool source_is_entered(const brute_force *b, const sinew_graph_transition *t) {
    const int32_t source =
        t->from == SINEW_ANY_STATE ? sinew_graph_machine_state(b->stage.graph, t->machine) : t->from;
    return source == SINEW_GRAPH_NONE || b->entered[source];
}

// The findings that the animator's behaviour calls for. Those of states in an unreachable one are left out.
static totals count_expected(const brute_force *b) {
    totals result = {.cycles = b->cycle};
    const sinew_graph *graph = b->stage.graph;
    for (int32_t i = 0; i < graph->state_count; i++) {
        const int32_t outer = sinew_graph_machine_state(graph, graph->states[i].machine);
        result.unreachable += !b->entered[i] && (outer == SINEW_GRAPH_NONE || b->entered[outer]);
    }
    for (int32_t i = 0; i < graph->transition_count; i++) {
        result.never += !b->taken[i] && source_is_entered(b, &graph->transitions[i]);
    }
    return result;
}

static void compare(const brute_force *b, const graph_report *report, totals *sum) {
    const sinew_graph *graph = b->stage.graph;
    bool same = report->approximate_layers == 0;
    for (int32_t i = 0; i < graph->state_count; i++) {
        if (report->reachable[i] == b->entered[i]) continue;
        print_error("state %d: reachable %d, entered %d\n", (int)i, report->reachable[i], b->entered[i]);
        same = false;
    }
    for (int32_t i = 0; i < graph->transition_count; i++) {
        if (report->taken[i] == b->taken[i]) continue;
        print_error("transition %d: %d by the checker, taken %d\n", (int)i, report->taken[i], b->taken[i]);
        same = false;
    }
    const totals expected = count_expected(b);
    const int32_t *counts = report->of_rule;
    same = same && (counts[GRAPH_CYCLE_IN_FRAME] > 0) == b->cycle;
    same = same && counts[GRAPH_STATE_UNREACHABLE] == expected.unreachable;
    same = same && counts[GRAPH_TRANSITION_NEVER] + counts[GRAPH_TRANSITION_SHADOWED] == expected.never;
    if (!same) {
        fprintf(stderr, "%s\n", b->random->text); // longer than cmocka prints
        fail_msg("the check of this graph is wrong");
    }
    sum->unreachable += expected.unreachable;
    sum->never += expected.never;
    sum->cycles += expected.cycles;
}

static void test_random_graphs(void **state) {
    (void)state;
    static random_graph random;
    totals sum = {0};
    graph_stage clips = {0};
    make_graph_clips(&clips);
    for (int32_t i = 0; i < GRAPHS; i++) {
        seed = (uint64_t)i * 7919 + 1;
        make_random_graph(&random, false);
        brute_force b = {.random = &random, .stage = clips};
        make_stage(&b);
        explore(&b);
        graph_report report;
        assert_true(graph_check(&report, b.stage.graph, NULL));
        compare(&b, &report, &sum);
        graph_report_end(&report);
        free_stage(&b);
    }
    free_graph_stage(&clips);
    print_message("%d graphs: %d unreachable states, %d transitions never taken, %d graphs with cycles\n", GRAPHS,
                  (int)sum.unreachable, (int)sum.never, (int)sum.cycles);
    assert_true(sum.unreachable > GRAPHS / 10 && sum.never > GRAPHS / 10 && sum.cycles > GRAPHS / 20);
}

// Whether all that an animator did is possible for the checker.
static bool is_possible(const brute_force *b, const graph_report *report) {
    bool possible = !b->cycle || report->of_rule[GRAPH_CYCLE_IN_FRAME] > 0 || report->approximate_layers != 0;
    if (!possible) print_error("a cycle that was not found\n");
    for (int32_t i = 0; i < b->stage.graph->state_count; i++) {
        if (!b->entered[i] || report->reachable[i]) continue;
        print_error("state %d was entered\n", (int)i);
        possible = false;
    }
    for (int32_t i = 0; i < b->stage.graph->transition_count; i++) {
        if (!b->taken[i] || report->taken[i]) continue;
        print_error("transition %d was taken\n", (int)i);
        possible = false;
    }
    return possible;
}

static void test_random_walks(void **state) {
    (void)state;
    static random_graph random;
    int32_t taken = 0, transitions = 0;
    graph_stage clips = {0};
    make_graph_clips(&clips);
    for (int32_t i = 0; i < WALKED_GRAPHS; i++) {
        seed = (uint64_t)i * 104729 + 3;
        make_random_graph(&random, true);
        brute_force b = {.random = &random, .stage = clips};
        make_stage(&b);
        for (int32_t k = 0; k < WALKS; k++) {
            walk(&b);
            make_new_animator(&b);
        }
        graph_report report;
        const sinew_graph_binding_def def = stage_binding_def(&b.stage);
        assert_true(graph_check(&report, b.stage.graph, &def));
        if (!is_possible(&b, &report)) {
            fprintf(stderr, "%s\n", random.text);
            fail_msg("the check of this graph is wrong");
        }
        for (int32_t k = 0; k < b.stage.graph->transition_count; k++) {
            taken += b.taken[k];
            transitions += report.taken[k];
        }
        graph_report_end(&report);
        free_stage(&b);
    }
    free_graph_stage(&clips);
    print_message("%d graphs: %d of %d transitions taken\n", WALKED_GRAPHS, (int)taken, (int)transitions);
    assert_true(taken > transitions / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_random_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
