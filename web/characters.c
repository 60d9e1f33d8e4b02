// SPDX-License-Identifier: MIT
// Rigs and characters for JavaScript.
#include "internal.h"
#include "text.h"

#include <sinew/humanoid/reference.h>

#include <stdlib.h>
#include <string.h>

// ---- Roles ---------------------------------------------------------------------------------------------------

static sinew_error refusal;

sinew_result web_find_roles(const sinew_asset *asset, sinew_humanoid *humanoid) {
    refusal.message[0] = '\0';
    return sinew_humanoid_find(asset, NULL, humanoid, NULL, &refusal);
}

const char *web_roles_refusal(void) {
    return refusal.message;
}

// ---- Rigs ----------------------------------------------------------------------------------------------------

sinew_rig *web_character_rig_create(const sinew_graph_binding *binding) {
    sinew_rig_def def = sinew_rig_default();
    sinew_rig *rig;
    sinew_error error;
    def.binding = binding;
    if (sinew_rig_create(&def, &rig, &error) != SINEW_OK) web_fail(error.message);
    return rig;
}

// ---- The ground ----------------------------------------------------------------------------------------------

static web_ground_function ground_function;

void web_set_ground_function(web_ground_function find) {
    ground_function = find;
}

static sinew_vec3 get_vector(const float *from) {
    return (sinew_vec3){from[0], from[1], from[2]};
}

static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    web_put_vector(web_numbers(), place);
    if (!ground_function()) return false;
    *ground = (sinew_ground){get_vector(web_numbers()), get_vector(web_numbers() + 3)};
    return true;
}

static sinew_ground grounds[SINEW_MAX_GROUND_PLACES];

sinew_ground *web_grounds(void) {
    return grounds;
}

int32_t web_character_ground_places(const sinew_character *character) {
    sinew_vec3 places[SINEW_MAX_GROUND_PLACES];
    const int32_t count = sinew_character_ground_places(character, places, SINEW_MAX_GROUND_PLACES);
    for (int32_t i = 0; i < count; i++) grounds[i] = (sinew_ground){places[i], {0.0f, 0.0f, 0.0f}};
    return count;
}

void web_character_set_grounds(sinew_character *character, int32_t count) {
    sinew_character_set_grounds(character, grounds, count);
}

// ---- Callbacks -----------------------------------------------------------------------------------------------

static web_step_function step_function;

// The pose that a callback step changes, and its model matrices.
static struct {
    const sinew_pose *pose;
    sinew_affine *model;
} changed;

void web_set_step_function(web_step_function run) {
    step_function = run;
}

// Saves and restores `changed`: the page's function may update another character.
static void run_step(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                     sinew_affine *model, void *user) {
    const sinew_pose *outer_pose = changed.pose;
    sinew_affine *outer_model = changed.model;
    (void)character;
    (void)user;
    web_numbers()[0] = weight;
    web_numbers()[1] = dt;
    changed.pose = pose;
    changed.model = model;
    step_function(step);
    changed.pose = outer_pose;
    changed.model = outer_model;
}

void web_character_step_below(int32_t node) {
    sinew_pose_to_model_below(changed.pose, node, changed.model);
}

// ---- The world -----------------------------------------------------------------------------------------------

static sinew_transform get_transform(void) {
    const float *n = web_numbers();
    return (sinew_transform){get_vector(n), {n[3], n[4], n[5], n[6]}, get_vector(n + 7)};
}

void web_character_world(const sinew_character *character) {
    const sinew_transform world = sinew_character_world(character);
    web_put_vector(web_put_rotation(web_put_vector(web_numbers(), world.translation), world.rotation), world.scale);
}

void web_character_set_world(sinew_character *character) {
    sinew_character_set_world(character, get_transform());
}

void web_character_teleport(sinew_character *character) {
    sinew_character_teleport(character, get_transform());
}

void web_character_ride(sinew_character *character) {
    sinew_character_ride(character, get_transform());
}

void web_character_set_wind(sinew_character *character, float x, float y, float z) {
    sinew_character_set_wind(character, (sinew_vec3){x, y, z});
}

void web_character_node(const sinew_character *character, int32_t node) {
    const sinew_affine at = sinew_character_node(character, node);
    memcpy(web_numbers(), &at, sizeof at);
}

// ---- Characters ----------------------------------------------------------------------------------------------

sinew_result web_character_create(const sinew_rig *rig, const sinew_mixer_def *mixer, sinew_character **character) {
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    def.mixer = mixer;
    def.max_events = WEB_MAX_GRAPH_EVENTS;
    def.ground = find_ground;
    def.step = run_step;
    return sinew_character_create(&def, character, NULL);
}

// ---- States --------------------------------------------------------------------------------------------------

size_t web_character_write(const sinew_character *character, void *bytes, size_t size) {
    return sinew_character_write(character, NULL, bytes, size);
}

static void add_unknown(const char *kind, const char *name, void *user) {
    web_text *to = user;
    web_text_add(to, "%s{\"kind\":\"%s\",\"name\":", to->length > 1 ? "," : "", kind);
    web_text_add_string(to, name);
    web_text_add(to, "}");
}

char *web_character_read(sinew_character *character, const sinew_asset *asset, const void *bytes, size_t size) {
    web_text unknown = {0};
    sinew_error error = {.message = "out of memory"};
    sinew_state_names names = sinew_state_names_default();
    sinew_state_report report = {add_unknown, &unknown};
    const sinew_clip **clips =
        calloc((size_t)asset->clip_count + 1, sizeof *clips); // NOLINT(bugprone-sizeof-expression): pointers
    if (clips) {
        for (int32_t i = 0; i < asset->clip_count; i++) clips[i] = &asset->clips[i];
        names.clips = clips;
        names.clip_count = asset->clip_count;
        web_text_add(&unknown, "[");
    }
    const bool is_read = clips && sinew_character_read(character, &names, bytes, size, &report, &error) == SINEW_OK;
    free(clips);
    web_text_add(&unknown, "]");
    char *text = web_text_end(&unknown);
    if (is_read && text) return text;
    free(text);
    web_fail(error.message);
    return NULL;
}
