// SPDX-License-Identifier: MIT
// sinew graph test: plays an animation graph with random walks over its parameters, and measures every frame.
#include <sinew/motion/character_recording.h>

#include "cli/graph.h"
#include "cli/jumps.h"
#include "cli/output.h"

#include "system/system.h"

#include "graph/actor.h"
#include "graph/walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: sinew graph test FILE --asset ASSET [--bind OTHER]... [--walks N] [--seconds S] [--seed K]\n"
    "                        [--keep NAME]... [--degrees X] [-o REC] [--json]\n"
    "\n"
    "Plays an animation graph in random walks with a glTF file's clips. Parameters stay, jump and ramp\n"
    "within their ranges, triggers fire, and frames take 14 to 19 ms. Finds frames that pop, like\n"
    "'sinew continuity', and cycles. A transition with a duration of 0 is treated as an intended cut.\n"
    "If the graph has a rig, its steps run too, in turns on level ground and on a stair. Prints which\n"
    "states, transitions and steps were reached. The exit status is 1 if a walk fails. The first failing\n"
    "walk is recorded for 'sinew replay', with its rig if that's the cause.\n"
    "\n"
    "  --asset ASSET  reads the clips from ASSET\n"
    "  --bind OTHER   adds OTHER's clips, bound to ASSET's nodes by name; repeatable\n"
    "  --walks N      plays N walks, 1 to 1000000 (default 200)\n"
    "  --seconds S    makes each walk S seconds long, 0.1 to 3600 (default 10)\n"
    "  --seed K       seeds the first walk with K (default 1), the next with K + 1, and so on\n"
    "  --keep NAME    keeps a parameter at its default, or a trigger from firing; repeatable\n"
    "  --degrees X    allows X degrees of joint rotation, above 0 and at most 180 (default 3)\n"
    "  -o REC         writes the failing walk to REC (default walk.rec)\n"
    "  --json         prints JSON (docs/json.md)\n"
    "\n"
    "example: sinew graph test hero.graph.json --asset hero.glb --walks 1000\n";

enum { MAX_FAILURES = 10 };

typedef struct test_args {
    const char *file, *asset, *output;
    const char *kept[SINEW_MAX_GRAPH_PARAMETERS]; // [kept_count]; parameters that stay at their defaults
    int kept_count, walks, seed;
    float seconds, degrees;
    bool json;
    cli_clips clips;
} test_args;

typedef enum failure_kind { FAILURE_POP, FAILURE_CYCLE, FAILURE_INFINITE } failure_kind;

// What the rig does in one frame.
typedef struct rig_frame {
    float weights[SINEW_MAX_RIG_STEPS];
    uint64_t jumps; // bit i: parameter i jumped before the frame
} rig_frame;

// Why a walk fails.
typedef struct failure {
    int seed;
    failure_kind kind;
    int64_t frame;  // from 0
    double seconds; // since the start of the walk
    cli_jump jump;  // for a pop, includes the calls before it; for a pose that isn't finite, has the node
    int32_t states[SINEW_MAX_GRAPH_LAYERS]; // each layer's leaf
    bool is_of_rig;                         // without the rig, the walk passes this frame
    graph_ground ground;                    // only for a rig's failure
    rig_frame rig;                          // only for a rig's failure
} failure;

// A recording in memory. It ends where memory runs out.
typedef struct memory_file {
    char *bytes;
    size_t size, capacity;
    bool failed;
} memory_file;

typedef struct tester {
    const test_args *args;
    const sinew_asset *asset;
    const sinew_graph *graph;
    sinew_graph_binding *binding;
    graph_stand stand; // the rig's, if the graph has one
    void *snapshot;    // `snapshot_size` bytes for a character
    size_t snapshot_size;
    graph_walk_range ranges[SINEW_MAX_GRAPH_PARAMETERS];
    cli_jump_finder *finder;
    cli_jumps *jumps;
    int64_t *entered, *taken;        // [state_count], [transition_count]; number of times
    int64_t on[SINEW_MAX_RIG_STEPS]; // frames with a step's weight above 0
    int64_t frames, clip_jumps, cycles;
    int32_t failed; // number of walks
    failure failures[MAX_FAILURES];
} tester;

// ---- Walking -------------------------------------------------------------------------------------------------

// A frame is judged once this many frames after it are known.
enum { FRAMES_TO_JUDGE = 4, FRAMES_KEPT = 8 };

// A walk in progress.
typedef struct walking {
    tester *tester;
    sinew_animator *animator;
    graph_actor *actor; // NULL without a rig
    rig_frame rig[FRAMES_KEPT];
    graph_walk walk;
    failure found;
    double seconds;
    int64_t frame, end; // the walk's last frame is `end` - 1
    bool fails;
    bool failed; // memory ran out
} walking;

static sinew_animator *make_animator(const tester *t, memory_file *recording,
                                     void (*write)(const void *bytes, size_t size, void *user)) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = t->binding;
    def.max_events = 255;
    def.write_recording = recording ? write : NULL;
    def.recording_user = recording;
    sinew_animator *animator;
    sinew_error error;
    if (sinew_animator_create(&def, &animator, &error) == SINEW_OK) return animator;
    cli_fail("%s: %s", t->args->file, error.message);
    return NULL;
}

static void note_states(const walking *w, failure *found) {
    for (int32_t i = 0; i < w->tester->graph->layer_count; i++)
        found->states[i] = sinew_animator_state(w->animator, i);
}

// Counts a frame's events. Returns whether one of them is an intended cut.
static bool count_events(walking *w) {
    tester *t = w->tester;
    bool cuts = false;
    const sinew_graph_events events = sinew_animator_events(w->animator);
    for (int32_t i = 0; i < events.count; i++) {
        const sinew_graph_event *event = &events.items[i];
        if (event->type == SINEW_GRAPH_EVENT_STATE_ENTERED) t->entered[event->state]++;
        if (event->type == SINEW_GRAPH_EVENT_TRANSITION_STARTED) {
            t->taken[event->transition]++;
            cuts = cuts || !(t->graph->transitions[event->transition].transition.duration > 0.0f);
        }
        if (event->type != SINEW_GRAPH_EVENT_CYCLE) continue;
        t->cycles++;
        if (!w->fails) {
            w->found = (failure){.kind = FAILURE_CYCLE, .frame = w->frame, .seconds = w->seconds};
            note_states(w, &w->found);
        }
        w->fails = true;
    }
    return cuts;
}

static void note_pop(walking *w) {
    const cli_jumps *jumps = w->tester->jumps;
    if (w->fails || jumps->pops == 0) return;
    w->found.jump = jumps->worst[0];
    w->found.frame = w->found.jump.frame;
    w->found.seconds = w->found.jump.seconds;
    w->fails = true;
}

static void measure_frame(walking *w, float dt) {
    tester *t = w->tester;
    const bool cuts = count_events(w);
    if (cuts) cli_jump_finder_start(t->finder, sinew_animator_mixer(w->animator), t->jumps);
    const cli_jump jump = {.frame = w->frame, .seconds = w->seconds};
    cli_jump_finder_add(t->finder, &jump, dt);
    note_pop(w);
}

// ---- The rig -------------------------------------------------------------------------------------------------

static bool is_finite(const sinew_affine *m) {
    for (int i = 0; i < 12; i++) {
        if (!isfinite(m->m[i / 4][i % 4])) return false;
    }
    return true;
}

// Records the first node whose matrix isn't finite.
static void check_finite(walking *w) {
    const sinew_affine *model = sinew_character_model(w->actor->character);
    for (int32_t i = 0; !w->fails && i < w->tester->asset->skeleton->node_count; i++) {
        if (is_finite(&model[i])) continue;
        w->found = (failure){.kind = FAILURE_INFINITE, .frame = w->frame, .seconds = w->seconds, .jump.index = i};
        w->fails = true;
    }
}

// Returns the parameters that jumped: those that don't ramp and have a new value.
static uint64_t find_jumps(const graph_walk *before, const graph_walk *now) {
    uint64_t jumps = 0;
    for (int32_t i = 0; i < now->graph->parameter_count; i++) {
        for (int k = 0; k < 7; k++) {
            const graph_walk_coordinate *a = &before->parameters[i].coordinates[k];
            const double change = fabs(now->parameters[i].coordinates[k].value - a->value);
            if (change > 0.1 * fabs(a->slope)) jumps |= UINT64_C(1) << i;
        }
    }
    return jumps;
}

static void note_steps(walking *w) {
    rig_frame *frame = &w->rig[w->frame % FRAMES_KEPT];
    for (int32_t i = 0; i < w->tester->graph->step_count; i++) {
        frame->weights[i] = sinew_character_step_weight(w->actor->character, i);
        w->tester->on[i] += frame->weights[i] > 0.0f;
    }
}

// First advances the animator and splits the mixer's step as a trial. Then plays the frame with the rig.
static void play_with_rig(walking *w, float dt) {
    tester *t = w->tester;
    sinew_character *character = w->actor->character;
    const size_t size = sinew_character_save(character, t->snapshot);
    sinew_animator_advance(w->animator, dt);
    w->failed = !cli_jump_finder_split(t->finder, sinew_character_mixer(character), dt);
    sinew_character_restore(character, t->snapshot, size);
    graph_actor_update(w->actor, dt);
    w->walk.walked = graph_actor_walked(w->actor);
    note_steps(w);
    check_finite(w);
}

// ---- Frames --------------------------------------------------------------------------------------------------

static void play_without_rig(walking *w, float dt) {
    sinew_mixer *mixer = sinew_animator_mixer(w->animator);
    sinew_animator_advance(w->animator, dt);
    w->failed = !cli_jump_finder_split(w->tester->finder, mixer, dt);
    if (!w->failed) sinew_mixer_update(mixer, dt);
}

// Walks one frame further. Returns false after the last frame, or after the frame where the walk fails. The last
// frame is past the walk's length, because the frames before it can only be judged then.
static bool step(walking *w) {
    const graph_walk before = w->walk;
    const float dt = graph_walk_step(&w->walk, w->animator);
    w->rig[w->frame % FRAMES_KEPT].jumps = find_jumps(&before, &w->walk);
    (w->actor ? play_with_rig : play_without_rig)(w, dt);
    if (w->failed) return false;
    w->seconds += (double)dt;
    measure_frame(w, dt);
    w->frame++;
    if (w->seconds < (double)w->tester->args->seconds) w->end = w->frame + 1 + FRAMES_TO_JUDGE;
    return !w->fails && w->frame < w->end;
}

static void start_walk(walking *w, tester *t, int seed, sinew_animator *animator, graph_actor *actor) {
    *w = (walking){.tester = t, .animator = animator, .actor = actor};
    graph_walk_start(&w->walk, t->graph, t->ranges, (uint64_t)seed);
    t->jumps->pops = t->jumps->clip_jumps = 0;
    t->jumps->worst_count = 0;
    for (int32_t i = 0; i < t->graph->layer_count; i++) {
        for (int32_t s = sinew_animator_state(animator, i); s != SINEW_GRAPH_NONE;
             s = sinew_graph_machine_state(t->graph, t->graph->states[s].machine))
            t->entered[s]++;
    }
    cli_jump_finder_start(t->finder, sinew_animator_mixer(animator), t->jumps);
}

// Walks to the end. If the walk fails, fills in why. If memory runs out, prints the reason and returns false.
static bool finish_walk(walking *w, int seed, failure *found, bool *fails) {
    while (step(w)) continue;
    *fails = w->fails;
    *found = w->found;
    found->seed = seed;
    if (w->failed) cli_fail("%s: out of memory", w->tester->args->file);
    return !w->failed;
}

static bool walk_without_rig(tester *t, int seed, failure *found, bool *fails) {
    sinew_animator *animator = make_animator(t, NULL, NULL);
    if (!animator) return false;
    walking w;
    start_walk(&w, t, seed, animator, NULL);
    const bool good = finish_walk(&w, seed, found, fails);
    t->frames += w.frame;
    t->clip_jumps += t->jumps->clip_jumps;
    sinew_animator_destroy(animator);
    return good;
}

static bool make_actor(tester *t, graph_ground ground, graph_actor *actor) {
    sinew_error error;
    if (graph_actor_create(actor, &t->stand, ground, 255, &error) != SINEW_OK) {
        cli_fail("%s: %s", t->args->file, error.message);
        return false;
    }
    if (t->snapshot) return true;
    t->snapshot_size = sinew_character_snapshot_size(actor->character);
    t->snapshot = system_allocate(t->snapshot_size);
    if (!t->snapshot) cli_fail("%s: out of memory", t->args->file);
    return t->snapshot != NULL;
}

static bool walk_with_rig(tester *t, int seed, failure *found, bool *fails) {
    graph_actor actor = {.character = NULL};
    walking w;
    const graph_ground ground = seed % 2 == 0 ? GRAPH_GROUND_LEVEL : GRAPH_GROUND_STAIR;
    bool good = make_actor(t, ground, &actor);
    if (good) {
        start_walk(&w, t, seed, sinew_character_animator(actor.character), &actor);
        good = finish_walk(&w, seed, found, fails);
        t->frames += w.frame;
        t->clip_jumps += t->jumps->clip_jumps;
        found->is_of_rig = true;
        found->ground = ground;
        found->rig = w.rig[found->frame % FRAMES_KEPT];
    }
    graph_actor_free(&actor);
    return good;
}

// Repeats a walk that fails with the rig without it. If it still fails by the same frame, clips and transitions are to
// blame.
static bool find_culprit(tester *t, failure *found) {
    const tester counts = *t;
    failure other;
    bool fails = false;
    const bool good = walk_without_rig(t, found->seed, &other, &fails);
    t->frames = counts.frames;
    t->cycles = counts.cycles;
    t->clip_jumps = counts.clip_jumps;
    if (good && fails && other.frame <= found->frame) *found = other;
    return good;
}

static bool run_walk(tester *t, int seed) {
    const bool has_rig = t->graph->step_count > 0;
    failure found;
    bool fails = false;
    if (!(has_rig ? walk_with_rig : walk_without_rig)(t, seed, &found, &fails)) return false;
    if (!fails) return true;
    if (has_rig && found.kind != FAILURE_CYCLE && !find_culprit(t, &found)) return false;
    if (t->failed < MAX_FAILURES) t->failures[t->failed] = found;
    t->failed++;
    return true;
}

static bool run_walks(tester *t) {
    for (int i = 0; i < t->args->walks; i++) {
        if (!run_walk(t, t->args->seed + i)) return false;
        cli_progress("walks", i + 1, t->args->walks);
    }
    return true;
}

// ---- Failing walks -------------------------------------------------------------------------------------------

static void append_bytes(const void *bytes, size_t size, void *user) {
    memory_file *to = user;
    if (to->failed) return;
    if (to->size + size > to->capacity) {
        const size_t capacity = 2 * (to->size + size);
        char *larger = realloc(to->bytes, capacity);
        to->failed = !larger;
        if (!larger) return;
        to->bytes = larger;
        to->capacity = capacity;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

enum { FRAMES_AFTER = 8 }; // frames to record after the failure

static void note_leaves(const tester *t, const sinew_animator *animator, failure *found) {
    for (int32_t i = 0; i < t->graph->layer_count; i++) found->states[i] = sinew_animator_state(animator, i);
}

// Like record_walk, with the rig.
static bool record_walk_with_rig(const tester *t, failure *found, memory_file *recording) {
    graph_actor actor = {.character = NULL};
    sinew_error error;
    bool is_good = graph_actor_create(&actor, &t->stand, found->ground, 255, &error) == SINEW_OK &&
                   sinew_character_record(actor.character, NULL, append_bytes, recording, &error) == SINEW_OK;
    graph_walk walk;
    graph_walk_start(&walk, t->graph, t->ranges, (uint64_t)found->seed);
    for (int64_t frame = 0; is_good && frame <= found->frame + FRAMES_AFTER; frame++) {
        graph_actor_update(&actor, graph_walk_step(&walk, sinew_character_animator(actor.character)));
        walk.walked = graph_actor_walked(&actor);
        if (frame == found->frame) note_leaves(t, sinew_character_animator(actor.character), found);
    }
    is_good = is_good && sinew_character_record(actor.character, NULL, NULL, NULL, &error) == SINEW_OK;
    if (recording->failed) error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    if (!is_good || recording->failed) cli_fail("%s: %s", t->args->output, error.message);
    graph_actor_free(&actor);
    return is_good && !recording->failed;
}

// Repeats a failing walk and records it until some frames after the failure. Notes the states in the failing frame.
static bool record_walk(const tester *t, failure *found, memory_file *recording) {
    if (found->is_of_rig) return record_walk_with_rig(t, found, recording);
    sinew_animator *animator = make_animator(t, recording, append_bytes);
    if (!animator) return false;
    graph_walk walk;
    graph_walk_start(&walk, t->graph, t->ranges, (uint64_t)found->seed);
    for (int64_t frame = 0; frame <= found->frame + FRAMES_AFTER; frame++) {
        const float dt = graph_walk_step(&walk, animator);
        sinew_animator_update(animator, dt);
        if (frame == found->frame) note_leaves(t, animator, found);
    }
    sinew_error error = {SINEW_OK, "out of memory"};
    const bool is_whole = sinew_mixer_record(sinew_animator_mixer(animator), NULL, NULL, &error) == SINEW_OK;
    sinew_animator_destroy(animator);
    if (!is_whole || recording->failed) cli_fail("%s: %s", t->args->output, error.message);
    return is_whole && !recording->failed;
}

// Finds the recorded calls and notes before the frame that pops.
static bool find_cause(const tester *t, failure *found, const memory_file *recording) {
    cli_recorded recorded = {.bytes = recording->bytes, .size = recording->size, .clips = &t->args->clips};
    bool good = cli_recorded_start(t->asset, t->args->output, &recorded) &&
                cli_find_jumps(t->args->output, t->asset, recorded.replay, t->args->degrees, t->jumps);
    for (int32_t i = 0; good && i < t->jumps->worst_count; i++) {
        if (t->jumps->worst[i].frame == found->frame) found->jump = t->jumps->worst[i];
    }
    sinew_replay_destroy(recorded.replay);
    return good;
}

static cli_output_def describe_output(const test_args *args) {
    return (cli_output_def){"graph test", "-o", args->output};
}

static bool write_output(const tester *t, const memory_file *recording) {
    const cli_output_def def = describe_output(t->args);
    cli_output output;
    if (cli_output_open(&output, &def) != CLI_GOOD) return false;
    fwrite(recording->bytes, 1, recording->size, output.file); // closing the file finds errors
    return cli_output_close(&output) == CLI_GOOD;
}

// Explains all listed failures and writes the recording of the first.
static bool explain_failures(tester *t) {
    bool good = true;
    for (int32_t i = 0; good && i < t->failed && i < MAX_FAILURES; i++) {
        failure *found = &t->failures[i];
        memory_file recording = {0};
        const bool has_cause = found->kind == FAILURE_POP && !found->is_of_rig; // in the recording
        good = record_walk(t, found, &recording) && (!has_cause || find_cause(t, found, &recording)) &&
               (i > 0 || write_output(t, &recording));
        free(recording.bytes);
    }
    return good;
}

// ---- Text ----------------------------------------------------------------------------------------------------

static const char *path_of(const tester *t, int32_t state) {
    static char path[1024];
    sinew_graph_state_path(t->graph, state, path, sizeof path);
    return path;
}

// Writes "Base/Combo: First -> Second".
static void write_location(const tester *t, int32_t transition, char *text, size_t size) {
    const sinew_graph_transition *one = &t->graph->transitions[transition];
    const char *path = path_of(t, one->to), *name = t->graph->states[one->to].name;
    const int outer = (int)(strlen(path) - strlen(name)) - 1;
    const char *from = one->from == SINEW_ANY_STATE ? "*" : t->graph->states[one->from].name;
    snprintf(text, size, "%.*s: %s -> %s", outer > 0 ? outer : 0, path, from, name);
}

static const char *part_of(const tester *t, const cli_jump *jump) {
    if (jump->part == CLI_JUMP_NODE) return t->asset->skeleton->names[jump->index];
    return jump->part == CLI_JUMP_ROOT ? "(root motion)" : "(morph weight)";
}

static void print_calls(const cli_jump *jump) {
    for (int32_t i = 0; i < jump->call_count && i < CLI_JUMP_CALLS; i++)
        printf("%s%s", i ? "; " : "", cli_text(jump->calls[i].text));
    if (jump->call_count > CLI_JUMP_CALLS) printf("; and %d more", jump->call_count - CLI_JUMP_CALLS);
    if (jump->call_count == 0) printf("no call: a transition is in progress");
}

static const char *ground_name(graph_ground ground) {
    return ground == GRAPH_GROUND_STAIR ? "stair" : "level";
}

// Prints the steps that are on, and the parameters that jump before the frame.
static void print_rig(const tester *t, const failure *found) {
    const char *separator = "  steps: ";
    for (int32_t i = 0; i < t->graph->step_count; i++) {
        if (!(found->rig.weights[i] > 0.0f)) continue;
        printf("%s%s %.2f", separator, cli_text(t->graph->steps[i].name), (double)found->rig.weights[i]);
        separator = ", ";
    }
    printf("\n");
    separator = "  cause: the rig, while these parameters jump: ";
    for (int32_t i = 0; i < t->graph->parameter_count; i++) {
        if (!(found->rig.jumps >> i & 1)) continue;
        printf("%s%s", separator, cli_text(t->graph->parameters[i].name));
        separator = ", ";
    }
    printf("%s\n", found->rig.jumps ? "" : "  cause: the rig; no parameter jumps");
}

static void print_failure(const tester *t, const failure *found) {
    printf("seed %d, frame %" PRId64 " at %.4f s, in ", found->seed, found->frame, found->seconds);
    for (int32_t i = 0; i < t->graph->layer_count; i++)
        printf("%s%s", i ? ", " : "", cli_text(path_of(t, found->states[i])));
    if (found->is_of_rig) printf(" (%s ground)", ground_name(found->ground));
    const cli_jump *jump = &found->jump;
    if (found->kind == FAILURE_CYCLE) {
        printf(": more than %d transitions in one layer and frame\n", SINEW_MAX_GRAPH_HOPS);
        return;
    }
    if (found->kind == FAILURE_INFINITE) {
        printf(": the matrix of %s isn't finite\n", cli_text(part_of(t, jump)));
    } else {
        printf(": %s pops: step %.4f, clips %.4f, excess %.4f\n", cli_text(part_of(t, jump)), (double)jump->step,
               (double)jump->clips, (double)jump->excess);
    }
    if (found->is_of_rig) {
        print_rig(t, found);
        return;
    }
    printf("  cause: ");
    print_calls(jump);
    printf("\n");
}

static int32_t count_reached(const int64_t *counts, int32_t size) {
    int32_t reached = 0;
    for (int32_t i = 0; i < size; i++) reached += counts[i] > 0;
    return reached;
}

static void print_coverage(const tester *t) {
    const sinew_graph *graph = t->graph;
    char location[1200];
    printf("states entered: %d of %d\n", count_reached(t->entered, graph->state_count), graph->state_count);
    for (int32_t i = 0; i < graph->state_count; i++) {
        if (t->entered[i] == 0) printf("  never: line %d: %s\n", graph->states[i].line, cli_text(path_of(t, i)));
    }
    printf("transitions taken: %d of %d\n", count_reached(t->taken, graph->transition_count),
           graph->transition_count);
    for (int32_t i = 0; i < graph->transition_count; i++) {
        if (t->taken[i] > 0) continue;
        const sinew_graph_transition *one = &graph->transitions[i];
        write_location(t, i, location, sizeof location);
        printf("  never: line %d: %s", one->line, cli_text(location));
        printf(one->when ? " when %s\n" : "\n", one->when ? cli_text(one->when) : "");
    }
    if (graph->step_count > 0)
        printf("steps on: %d of %d\n", count_reached(t->on, graph->step_count), graph->step_count);
    for (int32_t i = 0; i < graph->step_count; i++) {
        const sinew_rig_step *one = &graph->steps[i];
        if (t->on[i] > 0) continue;
        printf("  never: line %d: %s", one->line, cli_text(one->name));
        printf(one->when ? " when %s\n" : "\n", one->when ? cli_text(one->when) : "");
    }
}

static void print_text(const tester *t) {
    const int last = t->args->seed + t->args->walks - 1;
    printf("%d walks of %.9g s, seeds %d to %d: %" PRId64 " frames\n", t->args->walks, (double)t->args->seconds,
           t->args->seed, last, t->frames);
    print_coverage(t);
    printf("failed walks: %d; cycles: %" PRId64 "; frames where a clip itself jumps: %" PRId64 "\n", t->failed,
           t->cycles, t->clip_jumps);
    for (int32_t i = 0; i < t->failed && i < MAX_FAILURES; i++) print_failure(t, &t->failures[i]);
}

// ---- JSON ----------------------------------------------------------------------------------------------------

static void print_json_rig(const tester *t, const failure *found) {
    const char *separator = "";
    printf(",\"ground\":\"%s\",\"steps\":[", ground_name(found->ground));
    for (int32_t i = 0; i < t->graph->step_count; i++) {
        printf("%s{\"name\":", i ? "," : "");
        cli_json_string(stdout, t->graph->steps[i].name);
        printf(",\"weight\":%.9g}", (double)found->rig.weights[i]);
    }
    printf("],\"jumps\":[");
    for (int32_t i = 0; i < t->graph->parameter_count; i++) {
        if (!(found->rig.jumps >> i & 1)) continue;
        printf("%s", separator);
        cli_json_string(stdout, t->graph->parameters[i].name);
        separator = ",";
    }
    printf("]");
}

static void print_json_failure(const tester *t, const failure *found) {
    const cli_jump *jump = &found->jump;
    static const char *const kinds[] = {"pop", "cycle", "infinite"};
    printf("{\"kind\":\"%s\",\"seed\":%d,\"frame\":%" PRId64 ",\"seconds\":%.9g,\"states\":[", kinds[found->kind],
           found->seed, found->frame, found->seconds);
    for (int32_t i = 0; i < t->graph->layer_count; i++) {
        printf(i ? "," : "");
        cli_json_string(stdout, path_of(t, found->states[i]));
    }
    printf("]");
    if (found->is_of_rig) print_json_rig(t, found);
    if (found->kind != FAILURE_CYCLE) {
        printf(",\"name\":");
        cli_json_string(stdout, part_of(t, jump));
        printf(",\"step\":%.9g,\"clipStep\":%.9g,\"excess\":%.9g,\"callCount\":%d,\"calls\":[", (double)jump->step,
               (double)jump->clips, (double)jump->excess, jump->call_count);
        for (int32_t i = 0; i < jump->call_count && i < CLI_JUMP_CALLS; i++) {
            printf(i ? "," : "");
            cli_json_string(stdout, jump->calls[i].text);
        }
        printf("]");
    }
    printf("}");
}

static void print_json_coverage(const tester *t) {
    char location[1200];
    printf(",\n\"states\":[");
    for (int32_t i = 0; i < t->graph->state_count; i++) {
        printf("%s\n{\"path\":", i ? "," : "");
        cli_json_string(stdout, path_of(t, i));
        printf(",\"line\":%d,\"entered\":%" PRId64 "}", t->graph->states[i].line, t->entered[i]);
    }
    printf("],\n\"transitions\":[");
    for (int32_t i = 0; i < t->graph->transition_count; i++) {
        write_location(t, i, location, sizeof location);
        printf("%s\n{\"location\":", i ? "," : "");
        cli_json_string(stdout, location);
        printf(",\"line\":%d,\"taken\":%" PRId64 "}", t->graph->transitions[i].line, t->taken[i]);
    }
    printf("],\n\"steps\":[");
    for (int32_t i = 0; i < t->graph->step_count; i++) {
        printf("%s\n{\"name\":", i ? "," : "");
        cli_json_string(stdout, t->graph->steps[i].name);
        printf(",\"line\":%d,\"on\":%" PRId64 "}", t->graph->steps[i].line, t->on[i]);
    }
    printf("]");
}

static void print_json(const tester *t) {
    const test_args *args = t->args;
    printf("{\"file\":");
    cli_json_string(stdout, args->file);
    printf(",\"walks\":%d,\"seconds\":%.9g,\"seed\":%d,\"degrees\":%.9g,\"frames\":%" PRId64
           ",\"failed\":%d,\"cycles\":%" PRId64 ",\"clipJumps\":%" PRId64,
           args->walks, (double)args->seconds, args->seed, (double)args->degrees, t->frames, t->failed, t->cycles,
           t->clip_jumps);
    print_json_coverage(t);
    printf(",\n\"failures\":[");
    for (int32_t i = 0; i < t->failed && i < MAX_FAILURES; i++) {
        printf("%s\n", i ? "," : "");
        print_json_failure(t, &t->failures[i]);
    }
    printf("],\n\"recording\":");
    if (t->failed > 0) {
        cli_json_string(stdout, args->output);
    } else {
        printf("null");
    }
    printf("}\n");
}

// ---- The command ---------------------------------------------------------------------------------------------

static int report(const tester *t) {
    (t->args->json ? print_json : print_text)(t);
    if (!cli_flush_stdout()) return CLI_BAD_INPUT;
    if (t->failed == 0) return CLI_GOOD;
    char bound[1024] = "";
    size_t length = 0;
    for (int i = 0; i < t->args->clips.other_count && length < sizeof bound; i++)
        length += (size_t)snprintf(bound + length, sizeof bound - length, " --bind %s", t->args->clips.others[i]);
    const bool is_of_rig = t->failures[0].is_of_rig;
    return cli_fail("%s: %d of %d walks fail%s; replay the first with 'sinew replay %s %s%s%s%s'", t->args->file,
                    t->failed, t->args->walks, t->failed == 1 ? "s" : "", t->args->output, t->args->asset,
                    is_of_rig ? " --graph " : "", is_of_rig ? t->args->file : "", bound);
}

static bool keep_parameters(tester *t) {
    for (int i = 0; i < t->args->kept_count; i++) {
        const int32_t parameter = sinew_graph_find_parameter(t->graph, t->args->kept[i]);
        if (parameter == SINEW_GRAPH_NONE) {
            cli_fail("%s: has no parameter '%s'", t->args->file, t->args->kept[i]);
            return false;
        }
        t->ranges[parameter].is_kept = true;
    }
    return true;
}

static bool prepare(tester *t) {
    sinew_humanoid humanoid;
    sinew_graph_binding_def def;
    if (!cli_binding_def(t->args->file, t->asset, t->args->clips.clips, t->args->clips.count, &humanoid, &def))
        return false;
    def.graph = t->graph;
    sinew_error error;
    if (sinew_graph_bind(&def, &t->binding, &error) != SINEW_OK) {
        cli_fail("%s", error.message);
        return false;
    }
    if (t->graph->step_count > 0 && graph_stand_create(&t->stand, t->binding, &error) != SINEW_OK) {
        cli_fail("%s", error.message);
        return false;
    }
    graph_walk_ranges(t->graph, t->ranges);
    if (!keep_parameters(t)) return false;
    t->finder = cli_jump_finder_create(t->asset->skeleton, t->args->degrees);
    if (t->finder && t->stand.rig) cli_jump_finder_leave_out_swinging(t->finder, &t->stand);
    if (t->finder) cli_jump_finder_set_masks(t->finder, t->binding->masks, t->graph->layer_count);
    t->jumps = calloc(1, sizeof *t->jumps);
    t->entered = calloc((size_t)t->graph->state_count + 1, sizeof *t->entered);
    t->taken = calloc((size_t)t->graph->transition_count + 1, sizeof *t->taken);
    const bool good = t->finder && t->jumps && t->entered && t->taken;
    if (!good) cli_fail("%s: out of memory", t->args->file);
    return good;
}

static int run_with(const test_args *args, const sinew_graph *graph, const sinew_asset *asset) {
    tester *t = calloc(1, sizeof *t);
    if (!t) return cli_fail("%s: out of memory", args->file);
    t->args = args;
    t->graph = graph;
    t->asset = asset;
    int status = CLI_BAD_INPUT;
    if (prepare(t) && run_walks(t) && explain_failures(t)) status = report(t);
    cli_jump_finder_destroy(t->finder);
    free(t->jumps);
    free(t->entered);
    free(t->taken);
    system_free(t->snapshot);
    graph_stand_free(&t->stand);
    sinew_graph_binding_destroy(t->binding);
    free(t);
    return status;
}

static int run(test_args *args) {
    sinew_graph *graph = cli_load_graph(args->file);
    if (!graph) return CLI_BAD_INPUT;
    const bool is_loaded = cli_clips_load(&args->clips, args->asset, SINEW_UP_Y);
    const cli_output_def output = describe_output(args);
    int status = is_loaded ? cli_output_check(&output) : CLI_BAD_INPUT; // before the walks, which may take long
    if (status == CLI_GOOD) status = run_with(args, graph, args->clips.asset);
    cli_clips_free(&args->clips);
    sinew_graph_destroy(graph);
    return status;
}

static void add_kept(test_args *test, cli_args *args) {
    const char *name = cli_args_value(args);
    if (!name) return;
    args->failed = test->kept_count == SINEW_MAX_GRAPH_PARAMETERS;
    if (args->failed) {
        cli_usage(args->command, "--keep can be used at most %d times", SINEW_MAX_GRAPH_PARAMETERS);
        return;
    }
    test->kept[test->kept_count++] = name;
}

// Reads one option. Returns false if it's unknown.
static bool read_option(test_args *test, cli_args *args) {
    if (cli_args_flag(args, "--json")) {
        test->json = true;
    } else if (cli_args_is(args, "--asset")) {
        test->asset = cli_args_file(args);
    } else if (cli_args_is(args, "-o") || cli_args_is(args, "--output")) {
        test->output = cli_args_file(args);
    } else if (cli_args_is(args, "--walks")) {
        cli_args_int(args, 1, 1000000, &test->walks);
    } else if (cli_args_is(args, "--seed")) {
        cli_args_int(args, 0, 1000000000, &test->seed);
    } else if (cli_args_is(args, "--seconds")) {
        cli_args_float(args, 0.1f, 3600.0f, &test->seconds);
    } else if (cli_args_is(args, "--keep")) {
        add_kept(test, args);
    } else if (cli_args_is(args, "--degrees")) {
        cli_args_float(args, 0.001f, 180.0f, &test->degrees);
    } else if (!args->option && !test->file) {
        test->file = args->value;
    } else {
        return cli_clips_arg(&test->clips, args);
    }
    return true;
}

int cli_graph_test(int argc, char **argv) {
    test_args test = {.output = "walk.rec", .walks = 200, .seed = 1, .seconds = 10.0f, .degrees = 3.0f};
    cli_args args = cli_args_start(argc, argv);
    while (cli_args_next(&args)) {
        if (cli_args_flag(&args, "--help")) {
            printf("%s", help);
            return CLI_GOOD;
        }
        if (!read_option(&test, &args)) return cli_args_unknown(&args);
    }
    if (args.failed) return CLI_USAGE;
    if (!test.file) return cli_usage(args.command, "FILE is missing");
    if (!test.asset) return cli_usage(args.command, "--asset is missing: name the file with the clips");
    const cli_output_def output = describe_output(&test);
    if (!cli_output_has_ending(&output, ".rec", NULL)) return CLI_USAGE;
    return run(&test);
}
