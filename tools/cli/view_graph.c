// SPDX-License-Identifier: MIT
// Plays a graph in the window.
#include "cli/view_graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct playing {
    cli_script script;
    sinew_animator *animator;
    graph_actor *actor; // owns the animator; NULL without a rig
    float time;         // seconds since the start
    int next_input;
} playing;

static void end(void *user) {
    playing *p = user;
    if (!p->actor) sinew_animator_destroy(p->animator);
    cli_script_end_actor(p->actor);
    cli_script_free(&p->script);
    free(p);
}

static bool start(playing *p) {
    if (p->script.cast.stand.rig) {
        p->actor = cli_script_act(&p->script);
        if (p->actor) p->animator = sinew_character_animator(p->actor->character);
    } else {
        p->animator = cli_script_animate(&p->script);
    }
    return p->animator != NULL;
}

static void *begin(void *user, const sinew_asset *asset, sinew_error *error) {
    const cli_view_graph *graph = user;
    playing *p = calloc(1, sizeof *p);
    *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    if (!p) return NULL;
    if (cli_script_load(&p->script, graph->path, asset, graph->inputs, graph->input_count) && start(p)) return p;
    end(p);
    error->result = SINEW_ERROR_ARGUMENT;
    snprintf(error->message, sizeof error->message, "%.200s: can't be played on this file", graph->path);
    return NULL;
}

static void advance(void *user, float dt) {
    playing *p = user;
    p->next_input = cli_script_input(&p->script, p->animator, p->next_input, p->time);
    p->time += dt;
    if (p->actor) {
        cli_script_play(&p->script, p->actor, p->next_input, dt);
    } else {
        sinew_animator_update(p->animator, dt);
    }
}

static void pose(const void *user, sinew_pose *to, sinew_affine *model) {
    const playing *p = user;
    sinew_mixer *mixer = sinew_animator_mixer(p->animator);
    sinew_pose_copy(to, sinew_mixer_pose(mixer));
    memcpy(model, sinew_mixer_model_matrices(mixer), (size_t)to->skeleton->node_count * sizeof *model);
}

static bool swings(const void *user) {
    const sinew_graph *graph = ((const playing *)user)->script.cast.graph;
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (graph->steps[i].kind == SINEW_RIG_SPRINGS) return true;
    }
    return false;
}

static int describe(const void *user, view_act_line *lines) {
    const playing *p = user;
    const sinew_graph *graph = p->script.cast.graph;
    int count = 0;
    for (int32_t i = 0; i < graph->layer_count && count < VIEW_ACT_LINES; i++) {
        view_act_line *line = &lines[count++];
        line->weight = -1.0f;
        sinew_graph_state_path(graph, sinew_animator_state(p->animator, i), line->text, sizeof line->text);
    }
    for (int32_t i = 0; p->actor && i < graph->step_count && count < VIEW_ACT_LINES; i++) {
        view_act_line *line = &lines[count++];
        line->weight = sinew_character_step_weight(p->actor->character, i);
        snprintf(line->text, sizeof line->text, "%.90s", graph->steps[i].name);
    }
    return count;
}

view_act cli_view_graph_act(cli_view_graph *graph) {
    return (view_act){graph, begin, end, advance, pose, swings, describe};
}
