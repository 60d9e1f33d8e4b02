// SPDX-License-Identifier: MIT
// Loads a graph and the values of its parameters.
#include "cli/script.h"

#include "cli/clips.h"
#include "numbers/numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Reading an input ----------------------------------------------------------------------------------------

// Reads a number, true or false at the start of `text`. Sets *end to what follows.
static bool read_value(const char *text, const char **end, float *value) {
    static const char *const words[2] = {"false", "true"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0) continue;
        *value = (float)i;
        *end = text + length;
        return true;
    }
    *end = text;
    return numbers_read_float(end, -FLT_MAX, FLT_MAX, value);
}

// Reads X[,Y...], up to the `@` or the end.
static bool read_values(const char *text, const char *end, cli_input_arg *input) {
    do {
        if (input->value_count == CLI_MAX_VALUES || !read_value(text, &text, &input->values[input->value_count++]))
            return false;
    } while (*text++ == ',');
    return text == end + 1;
}

bool cli_script_parse_input(const char *text, cli_input_arg *input) {
    *input = (cli_input_arg){.value_count = 0};
    const char *at = strrchr(text, '@'), *end = at ? at : text + strlen(text);
    const char *equals = memchr(text, '=', (size_t)(end - text));
    const size_t length = (size_t)((equals ? equals : end) - text);
    if (length == 0 || length >= sizeof input->parameter) return false;
    memcpy(input->parameter, text, length);
    if (equals && !read_values(equals + 1, end, input)) return false;
    if (!at) return true;
    const char *rest = at + 1;
    return numbers_read_float(&rest, 0.0f, 3600.0f, &input->time) && *rest == '\0';
}

bool cli_script_arg(cli_args *args, cli_input_arg *inputs, int *count) {
    const char *text = cli_args_value(args);
    if (!text) return false;
    args->failed = true;
    if (*count == CLI_MAX_INPUTS) {
        cli_usage(args->command, "%s can be used at most %d times", args->option, CLI_MAX_INPUTS);
        return false;
    }
    if (cli_script_parse_input(text, &inputs[(*count)++])) {
        args->failed = false;
        return true;
    }
    cli_usage(args->command,
              "%s must be NAME, NAME=VALUE, NAME=X,Y or NAME=X,Y,Z, and @SECONDS between 0 and 3600, not '%s'",
              args->option, args->value);
    return false;
}

// ---- Loading -------------------------------------------------------------------------------------------------

// Describes what --set must give a parameter.
static const char *value_of_type(sinew_parameter_type type) {
    switch (type) {
    case SINEW_PARAMETER_INT:
        return "a whole number, as in name=2";
    case SINEW_PARAMETER_BOOL:
        return "true or false, as in name=true";
    case SINEW_PARAMETER_TRIGGER:
        return "no value, because it is a trigger";
    case SINEW_PARAMETER_VECTOR2:
        return "two numbers, as in name=0,1.5";
    case SINEW_PARAMETER_VECTOR3:
        return "three numbers, as in name=0,1.5,0";
    case SINEW_PARAMETER_TRANSFORM:
        return "a position, as in name=0,1.5,0, or a position and a rotation, as in name=0,1.5,0,0,0,0,1";
    default:
        return "a number, as in name=1.5";
    }
}

// Returns how many numbers a type has. A transform can also have 7.
static int count_of_type(sinew_parameter_type type) {
    switch (type) {
    case SINEW_PARAMETER_TRIGGER:
        return 0;
    case SINEW_PARAMETER_VECTOR2:
        return 2;
    case SINEW_PARAMETER_VECTOR3:
    case SINEW_PARAMETER_TRANSFORM:
        return 3;
    default:
        return 1;
    }
}

// Returns whether seven numbers end with a rotation. It must not be 0.
static bool has_rotation(const cli_input_arg *input) {
    const float *q = input->values + 3;
    return input->value_count == 7 && (q[0] != 0.0f || q[1] != 0.0f || q[2] != 0.0f || q[3] != 0.0f);
}

static bool suits(sinew_parameter_type type, const cli_input_arg *input) {
    const float x = input->values[0];
    if (type == SINEW_PARAMETER_TRANSFORM && has_rotation(input)) return true;
    if (input->value_count != count_of_type(type)) return false;
    if (type == SINEW_PARAMETER_BOOL) return x == 0.0f || x == 1.0f;
    return type != SINEW_PARAMETER_INT || (x == floorf(x) && fabsf(x) <= 0x1p24f);
}

static bool add_input(cli_script *script, const char *path, const cli_input_arg *arg) {
    const int32_t parameter = sinew_graph_find_parameter(script->cast.graph, arg->parameter);
    if (parameter == SINEW_GRAPH_NONE) {
        cli_fail("%s: has no parameter '%s'", path, arg->parameter);
        return false;
    }
    const sinew_parameter_type type = script->cast.graph->parameters[parameter].type;
    if (!suits(type, arg)) {
        cli_fail("%s: the parameter '%s' needs %s", path, arg->parameter, value_of_type(type));
        return false;
    }
    // Inputs with the same time keep their order.
    int i = script->input_count++;
    for (; i > 0 && script->inputs[i - 1].time > arg->time; i--) script->inputs[i] = script->inputs[i - 1];
    script->inputs[i] = (cli_input){.parameter = parameter, .time = arg->time};
    memcpy(script->inputs[i].values, arg->values, sizeof arg->values);
    if (arg->value_count == 3) script->inputs[i].values[6] = 1.0f; // no rotation
    return true;
}

bool cli_script_load(cli_script *script, const char *path, const sinew_asset *asset, const cli_input_arg *inputs,
                     int input_count) {
    *script = (cli_script){.input_count = 0};
    if (!cli_cast_load(path, asset, asset->clips, asset->clip_count, &script->cast)) return false;
    for (int i = 0; i < input_count; i++) {
        if (!add_input(script, path, &inputs[i])) return false;
    }
    return true;
}

// ---- Recordings ----------------------------------------------------------------------------------------------

sinew_character_replay *cli_script_replay(const cli_script *script) {
    return cli_cast_replay(&script->cast, script->recording, &script->recorded);
}

// Plays the whole recording.
static bool measure(cli_script *script, sinew_character_replay *replay) {
    sinew_error error;
    sinew_result result = SINEW_OK;
    while (result == SINEW_OK && replay->updates_made < replay->update_count)
        result = sinew_character_replay_step(replay, &error);
    if (result != SINEW_OK) cli_fail("%s: %s", script->recording, error.message);
    if (result == SINEW_OK && replay->first_mismatch >= 0)
        cli_warn("%s: after update %lld the character does not match the recording", script->recording,
                 (long long)replay->first_mismatch);
    script->seconds = (float)replay->seconds;
    return result == SINEW_OK;
}

bool cli_script_load_recording(cli_script *script, const char *path) {
    if (!cli_recorded_read(path, &script->recorded)) return false;
    script->recording = path;
    sinew_character_replay *replay = cli_script_replay(script);
    const bool is_good = replay && measure(script, replay);
    sinew_character_replay_destroy(replay);
    return is_good;
}

void cli_script_follow(sinew_character_replay *replay, float time) {
    const double tolerance = 1e-4;
    while (replay->updates_made < replay->update_count &&
           (replay->updates_made == 0 || replay->seconds < (double)time - tolerance))
        sinew_character_replay_step(replay, NULL); // can't fail, because it was played before
}

void cli_script_free(cli_script *script) {
    cli_recorded_close(&script->recorded);
    cli_cast_free(&script->cast);
    *script = (cli_script){.input_count = 0};
}

// ---- Playing -------------------------------------------------------------------------------------------------

float cli_script_span(const cli_script *script) {
    if (script->recorded.bytes) return script->seconds;
    return script->input_count > 0 ? script->inputs[script->input_count - 1].time : 0.0f;
}

sinew_animator *cli_script_animate(const cli_script *script) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = script->cast.binding;
    sinew_animator *animator;
    sinew_error error;
    if (sinew_animator_create(&def, &animator, &error) == SINEW_OK) return animator;
    cli_fail("%s", error.message);
    return NULL;
}

static void make_input(const cli_script *script, sinew_animator *animator, const cli_input *input) {
    const int32_t parameter = input->parameter;
    const float *v = input->values, x = v[0];
    switch (script->cast.graph->parameters[parameter].type) {
    case SINEW_PARAMETER_INT:
        sinew_animator_set_int(animator, parameter, (int32_t)x);
        break;
    case SINEW_PARAMETER_BOOL:
        sinew_animator_set_bool(animator, parameter, x != 0.0f);
        break;
    case SINEW_PARAMETER_TRIGGER:
        sinew_animator_fire(animator, parameter);
        break;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_set_vector2(animator, parameter, x, v[1]);
        break;
    case SINEW_PARAMETER_VECTOR3:
        sinew_animator_set_vector3(animator, parameter, (sinew_vec3){x, v[1], v[2]});
        break;
    case SINEW_PARAMETER_TRANSFORM:
        sinew_animator_set_transform(animator, parameter, (sinew_vec3){x, v[1], v[2]},
                                     (sinew_quat){v[3], v[4], v[5], v[6]});
        break;
    default:
        sinew_animator_set_float(animator, parameter, x);
        break;
    }
}

int cli_script_input(const cli_script *script, sinew_animator *animator, int next, float time) {
    for (; next < script->input_count && script->inputs[next].time <= time; next++)
        make_input(script, animator, &script->inputs[next]);
    return next;
}

// ---- With a rig ----------------------------------------------------------------------------------------------

graph_actor *cli_script_act(const cli_script *script) {
    graph_actor *actor = calloc(1, sizeof *actor);
    sinew_error error = {SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    if (actor && graph_actor_create(actor, &script->cast.stand, GRAPH_GROUND_LEVEL, 8, &error) == SINEW_OK)
        return actor;
    free(actor);
    cli_fail("%s", error.message);
    return NULL;
}

void cli_script_end_actor(graph_actor *actor) {
    if (actor) graph_actor_free(actor);
    free(actor);
}

static bool is_in_world(const sinew_graph_parameter *parameter) {
    const bool is_place =
        parameter->type == SINEW_PARAMETER_VECTOR3 || parameter->type == SINEW_PARAMETER_TRANSFORM;
    return is_place && parameter->space == SINEW_PARAMETER_SPACE_WORLD;
}

// Returns a parameter's current values, from its last input or its default.
static cli_input current_input(const cli_script *script, int32_t parameter, int next) {
    cli_input input = {.parameter = parameter};
    for (int i = 0; i < CLI_MAX_VALUES; i++)
        input.values[i] = (float)script->cast.graph->parameters[parameter].initial[i];
    for (int i = 0; i < next; i++) {
        if (script->inputs[i].parameter == parameter) input = script->inputs[i];
    }
    return input;
}

void cli_script_play(const cli_script *script, graph_actor *actor, int next, float dt) {
    const sinew_vec3 walked = graph_actor_walked(actor);
    for (int32_t i = 0; i < script->cast.graph->parameter_count; i++) {
        if (!is_in_world(&script->cast.graph->parameters[i])) continue;
        cli_input input = current_input(script, i, next);
        input.values[0] += walked.x;
        input.values[1] += walked.y;
        input.values[2] += walked.z;
        make_input(script, sinew_character_animator(actor->character), &input);
    }
    graph_actor_update(actor, dt);
}

void cli_script_describe(const cli_script *script, const sinew_animator *animator, char *text, size_t room) {
    const sinew_graph *graph = script->cast.graph;
    size_t length = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < graph->layer_count && length < room; i++) {
        const sinew_graph_state *state = &graph->states[sinew_animator_state(animator, i)];
        if (state->kind == SINEW_GRAPH_STATE_EMPTY) continue;
        length += (size_t)snprintf(text + length, room - length, "%s%s", length > 0 ? " + " : "", state->name);
    }
}
