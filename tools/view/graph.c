// SPDX-License-Identifier: MIT
// The graph of the player: loading, reloading, playing.
#include "view/graph.h"

#include "files/load.h"
#include "view/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float ADOPT_SECONDS = 0.2f; // from the old version's pose to that of the new one

bool view_player_has_graph(const view_player *player) {
    return player->graph.animator != NULL;
}

// ---- The rows of the panel -----------------------------------------------------------------------------------

static void add_row(view_graph_version *version, view_graph_row row) {
    version->rows[version->row_count++] = row;
}

// The states of a machine in the order of the file, each followed by those that it contains.
static void add_machine(view_graph_version *version, int32_t machine, int depth) {
    const sinew_graph *graph = version->graph;
    for (int32_t i = 0; i < graph->state_count; i++) {
        if (graph->states[i].machine != machine) continue;
        add_row(version, (view_graph_row){VIEW_GRAPH_STATE, i, 0, depth});
        if (graph->states[i].kind == SINEW_GRAPH_STATE_MACHINE)
            add_machine(version, graph->states[i].submachine, depth + 1);
    }
}

static bool make_rows(view_graph_version *version) {
    const sinew_graph *graph = version->graph;
    const size_t most =
        2 * (size_t)graph->parameter_count + (size_t)graph->layer_count + (size_t)graph->state_count;
    version->rows = calloc(most, sizeof *version->rows);
    if (!version->rows) return false;
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        add_row(version, (view_graph_row){VIEW_GRAPH_PARAMETER, i, 0, 0});
        if (graph->parameters[i].type == SINEW_PARAMETER_VECTOR2)
            add_row(version, (view_graph_row){VIEW_GRAPH_PARAMETER, i, 1, 0});
    }
    for (int32_t i = 0; i < graph->layer_count; i++) {
        add_row(version, (view_graph_row){VIEW_GRAPH_LAYER, i, 0, 0});
        add_machine(version, graph->layers[i].machine, 0);
    }
    return true;
}

// ---- Loading -------------------------------------------------------------------------------------------------

static void free_version(view_graph_version *version) {
    sinew_graph_binding_destroy(version->binding);
    sinew_graph_destroy(version->graph);
    free(version->rows);
    *version = (view_graph_version){.graph = NULL};
}

void view_graph_free(view_graph *graph) {
    sinew_animator_destroy(graph->animator);
    free_version(&graph->version);
    *graph = (view_graph){.animator = NULL};
}

// FNV-1a of a file's bytes. False if it cannot be read.
static bool find_fingerprint(const char *path, uint64_t *fingerprint) {
    char *bytes;
    size_t size;
    if (files_read_all(path, FILES_MAX_TEXT, &bytes, &size)) return false;
    *fingerprint = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) *fingerprint = (*fingerprint ^ (unsigned char)bytes[i]) * 1099511628211u;
    free(bytes);
    return true;
}

static bool bind(const view_player *player, view_graph_version *version, sinew_error *error) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = version->graph;
    def.skeleton = player->asset->skeleton;
    def.clips = player->asset->clips;
    def.clip_count = player->asset->clip_count;
    if (sinew_graph_bind(&def, &version->binding, error) == SINEW_OK) return true;
    char reason[sizeof error->message];
    memcpy(reason, error->message, sizeof reason);
    snprintf(error->message, sizeof error->message, "%.100s: %.380s", player->settings.graph, reason);
    return false;
}

static bool load_version(const view_player *player, view_graph_version *version, sinew_error *error) {
    *version = (view_graph_version){.graph = NULL};
    if (files_load_graph(player->settings.graph, &version->graph, error) == SINEW_OK &&
        bind(player, version, error)) {
        if (make_rows(version)) return true;
        *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    }
    free_version(version);
    return false;
}

// ---- The animator --------------------------------------------------------------------------------------------

static bool create_animator(const view_player *player, const sinew_graph_binding *binding,
                            sinew_animator **animator, sinew_error *error) {
    sinew_animator_def def = sinew_animator_default();
    sinew_mixer_def mixer = sinew_mixer_default();
    sinew_root_motion_def root;
    view_player_set_root_motion(player, &mixer, &root);
    def.binding = binding;
    def.mixer = &mixer;
    def.max_events = 64;
    return sinew_animator_create(&def, animator, error) == SINEW_OK;
}

// Lets an animator of `version` drive the character, and frees the old animator and its version, unless that is the
// same one.
static bool drive(view_player *player, const view_graph_version *version, sinew_animator *animator,
                  sinew_error *error) {
    view_graph *graph = &player->graph;
    sinew_mixer *mixer = sinew_animator_mixer(animator);
    if (sinew_scene_use_mixer(player->scene, player->nodes[0], mixer, error) != SINEW_OK) return false;
    sinew_animator_destroy(graph->animator);
    if (version->graph != graph->version.graph) {
        view_graph_carry_targets(graph, version->graph);
        free_version(&graph->version);
        graph->version = *version;
    }
    graph->animator = animator;
    player->mixers[0] = mixer;
    player->mains[0] = sinew_animator_action(animator, 0);
    player->space_action = (sinew_action){0};
    player->chosen = -1;
    player->in_space = false;
    return true;
}

static bool continue_with(view_player *player, const view_graph_version *version, bool adopts, float duration,
                          sinew_error *error) {
    sinew_animator *animator;
    if (!create_animator(player, version->binding, &animator, error)) return false;
    if (adopts && player->graph.animator) sinew_animator_adopt(animator, player->graph.animator, duration);
    if (drive(player, version, animator, error)) return true;
    sinew_animator_destroy(animator);
    return false;
}

bool view_player_remake_animator(view_player *player, sinew_error *error) {
    const view_graph_version version = player->graph.version;
    return continue_with(player, &version, true, 0.0f, error);
}

bool view_player_restart_graph(view_player *player, sinew_error *error) {
    const view_graph_version version = player->graph.version;
    if (!continue_with(player, &version, false, 0.0f, error)) return false;
    player->graph.event_count = 0;
    view_graph_reset(&player->graph);
    return true;
}

// ---- The file ------------------------------------------------------------------------------------------------

bool view_player_start_graph(view_player *player, sinew_error *error) {
    view_graph_version version;
    const char *path = player->settings.graph;
    if (!path) return true;
    find_fingerprint(path, &player->graph.fingerprint);
    if (!load_version(player, &version, error)) return false;
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the player has the version then
    if (continue_with(player, &version, true, ADOPT_SECONDS, error)) return true;
    free_version(&version);
    return false;
}

const char *view_graph_message(const view_player *player, const sinew_error *error) {
    const char *path = player->settings.graph;
    const size_t folder = (size_t)(view_file_name(path) - path);
    return error->message + (strncmp(error->message, path, folder) == 0 ? folder : 0);
}

view_reload view_player_reload_graph(view_player *player, sinew_error *error) {
    uint64_t fingerprint;
    view_graph *graph = &player->graph;
    if (!player->settings.graph || !player->mixers[0]) return VIEW_RELOAD_SAME;
    if (!find_fingerprint(player->settings.graph, &fingerprint) || fingerprint == graph->fingerprint)
        return VIEW_RELOAD_SAME;
    graph->fault[0] = '\0';
    if (view_player_start_graph(player, error)) return VIEW_RELOAD_DONE;
    snprintf(graph->fault, sizeof graph->fault, "%s", view_graph_message(player, error));
    return VIEW_RELOAD_FAULT;
}

// ---- Playing -------------------------------------------------------------------------------------------------

static const char *state_name(const sinew_graph *graph, int32_t state) {
    return state == SINEW_ANY_STATE ? "any" : graph->states[state].name;
}

static void describe_event(const sinew_graph *graph, const sinew_graph_event *event, char *text, size_t size) {
    static const char *const verbs[] = {[SINEW_GRAPH_EVENT_STATE_ENTERED] = "entered",
                                        [SINEW_GRAPH_EVENT_STATE_LEFT] = "left",
                                        [SINEW_GRAPH_EVENT_TRANSITION_STARTED] = "started",
                                        [SINEW_GRAPH_EVENT_TRANSITION_ENDED] = "ended",
                                        [SINEW_GRAPH_EVENT_CYCLE] = "cycle in"};
    char path[VIEW_GRAPH_PATH];
    sinew_graph_state_path(graph, event->state, path, sizeof path);
    if (event->type != SINEW_GRAPH_EVENT_TRANSITION_STARTED && event->type != SINEW_GRAPH_EVENT_TRANSITION_ENDED) {
        snprintf(text, size, "%s %s", verbs[event->type], path);
    } else if (event->transition == SINEW_GRAPH_NONE) {
        snprintf(text, size, "%s → %s, forced", verbs[event->type], path);
    } else {
        const int32_t from = graph->transitions[event->transition].from;
        snprintf(text, size, "%s %.90s → %s", verbs[event->type], state_name(graph, from), path);
    }
}

static void note_events(view_player *player) {
    view_graph *graph = &player->graph;
    int32_t count;
    const sinew_graph_event *events = sinew_animator_events(graph->animator, &count);
    for (int32_t i = count > VIEW_GRAPH_EVENTS ? count - VIEW_GRAPH_EVENTS : 0; i < count; i++) {
        memmove(graph->events + 1, graph->events, (VIEW_GRAPH_EVENTS - 1) * sizeof graph->events[0]);
        describe_event(graph->version.graph, &events[i], graph->events[0].text, sizeof graph->events[0].text);
        graph->events[0].age = 0.0f;
        if (graph->event_count < VIEW_GRAPH_EVENTS) graph->event_count++;
    }
}

void view_player_advance_graph(view_player *player, float dt) {
    view_graph *graph = &player->graph;
    for (int i = 0; i < graph->event_count; i++) graph->events[i].age += dt;
    sinew_animator_advance(graph->animator, dt);
    note_events(player);
    player->mains[0] = sinew_animator_action(graph->animator, 0);
}

void view_player_force_state(view_player *player, int32_t state) {
    sinew_animator_force_state(player->graph.animator, state, NULL);
    note_events(player);
    player->mains[0] = sinew_animator_action(player->graph.animator, 0);
}
