// SPDX-License-Identifier: MIT
// Characters: creation, and where they are.
#include "motion/character_state.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/float_rules.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

sinew_character_def sinew_character_default(void) {
    return (sinew_character_def){.max_events = 8, .world = sinew_transform_identity(), .cookie = SINEWI_DEF_COOKIE};
}

// ---- Creating ------------------------------------------------------------------------------------------------

static bool is_world(sinew_transform world) {
    const sinew_vec3 t = world.translation, s = world.scale;
    const sinew_quat q = world.rotation;
    const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return isfinite(t.x) && isfinite(t.y) && isfinite(t.z) && length > 0.998f && length < 1.002f && s.x > 0.0f &&
           isfinite(s.x) && s.y == s.x && s.z == s.x;
}

static bool has_kind(const sinew_graph *graph, sinew_rig_kind kind) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (graph->steps[i].kind == kind) return true;
    }
    return false;
}

static sinew_result check_character_def(const sinew_character_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_character_def: start from sinew_character_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->rig) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "character: no rig");
    const sinew_graph *graph = def->rig->binding->graph;
    if (!is_world(def->world))
        return sinewi_fail(
            error, SINEW_ERROR_ARGUMENT,
            "character: world must be finite, with a unit rotation and the same scale in all directions");
    if (has_kind(graph, SINEW_RIG_ROOT_WARP) && !(def->mixer && def->mixer->root_motion))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "character: the rig has root warps, so the mixer's `root_motion` must be set");
    if (!def->step && has_kind(graph, SINEW_RIG_CALLBACK))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "character: the rig has callbacks, so `step` must be set");
    return SINEW_OK;
}

static sinew_character *lay_out_character(sinewi_layout *layout, const sinew_character_def *def) {
    sinew_character *character = sinewi_layout_array(layout, sinew_character, 1, alignof(max_align_t));
    char *block = sinewi_layout_array(layout, char, def->rig->state_size, 8);
    if (!layout->base) return NULL;
    memset(layout->base, 0, layout->size);
    character->def = *def;
    character->block = block;
    character->size = layout->size;
    return character;
}

static sinew_result make_animator(sinew_character *character, sinew_error *error) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = character->def.rig->binding;
    def.mixer = character->def.mixer;
    def.max_events = character->def.max_events;
    def.allocator = character->def.allocator;
    const sinew_result result = sinew_animator_create(&def, &character->animator, error);
    if (result != SINEW_OK) return result;
    character->mixer = sinew_animator_mixer(character->animator);
    character->model = sinew_mixer_model_matrices(character->mixer);
    return SINEW_OK;
}

static sinew_result make_last_pose(sinew_character *character, sinew_error *error) {
    if (!character->def.trails) return SINEW_OK;
    const sinew_result result =
        sinew_pose_create(character->def.rig->binding->skeleton, &character->def.allocator, &character->last_pose);
    return result == SINEW_OK ? SINEW_OK : sinewi_fail_memory(error);
}

static void reset_states(sinew_character *character) {
    for (int32_t i = 0; i < character_step_count(character); i++) {
        const sinewi_rig_step *step = &character_steps(character)[i];
        sinewi_rig_reset_state(step, character_step_state(character, step));
    }
}

static void set_up(sinew_character *character, const sinew_character_def *def) {
    const bool is_z = def->rig->binding->up == SINEW_UP_Z;
    character->up = is_z ? (sinew_vec3){0.0f, 0.0f, 1.0f} : (sinew_vec3){0.0f, 1.0f, 0.0f};
    character->place.world = character->place.shown = character->last_world = def->world;
    character->place.platform = sinew_transform_identity();
    character->place.significance = INFINITY;
    character->has_root_motion = def->mixer && def->mixer->root_motion;
    if (character->has_root_motion) character->root_motion = *def->mixer->root_motion;
    character->def.mixer = NULL; // the caller's may not outlive this call
    reset_states(character);
}

sinew_result sinew_character_create(const sinew_character_def *def, sinew_character **character,
                                    sinew_error *error) {
    *character = NULL;
    sinew_result result = check_character_def(def, error);
    if (result != SINEW_OK) return result;
    sinewi_layout measure = {0};
    lay_out_character(&measure, def);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, alignof(max_align_t)), 0};
    if (!layout.base) return sinewi_fail_memory(error);
    sinew_character *created = lay_out_character(&layout, def);
    result = make_animator(created, error);
    if (result == SINEW_OK) result = make_last_pose(created, error);
    if (result != SINEW_OK) {
        sinew_character_destroy(created);
        return result;
    }
    set_up(created, def);
    *character = created;
    return SINEW_OK;
}

void sinew_character_destroy(sinew_character *character) {
    if (!character) return;
    assert(!character->in_step && "sinew_character_destroy in a step's callback");
    if (character->recorder) character->recorder->stop(character);
    sinew_pose_destroy(character->last_pose);
    sinew_animator_destroy(character->animator);
    sinew_allocator allocator = character->def.allocator;
    sinewi_release(&allocator, character, character->size, alignof(max_align_t));
}

// ---- Asking --------------------------------------------------------------------------------------------------

sinew_animator *sinew_character_animator(const sinew_character *character) {
    assert(character);
    return character->animator;
}

sinew_mixer *sinew_character_mixer(const sinew_character *character) {
    assert(character);
    return character->mixer;
}

const sinew_affine *sinew_character_model(const sinew_character *character) {
    assert(character);
    return character->model;
}

sinew_affine sinew_character_node(const sinew_character *character, int32_t node) {
    assert(character && node >= 0 && node < character->def.rig->binding->skeleton->node_count);
    if (node < 0 || node >= character->def.rig->binding->skeleton->node_count) return sinew_affine_identity();
    return sinew_affine_multiply(sinew_affine_from_transform(character->place.world), character->model[node]);
}

float sinew_character_step_weight(const sinew_character *character, int32_t step) {
    assert(character && step >= 0 && step < character_step_count(character));
    return step >= 0 && step < character_step_count(character) ? character_weights(character)[step].value : 0.0f;
}

// ---- The world -----------------------------------------------------------------------------------------------

sinew_transform sinew_character_world(const sinew_character *character) {
    assert(character);
    return character->place.world;
}

void sinew_character_set_world(sinew_character *character, sinew_transform world) {
    assert(character && is_world(world));
    if (is_world(world)) character->place.world = world;
}

void sinew_character_teleport(sinew_character *character, sinew_transform world) {
    assert(character && is_world(world));
    if (!is_world(world)) return;
    character->place.world = character->place.shown = world;
    character->place.is_known = false;
    reset_states(character);
}

// ---- Platforms -----------------------------------------------------------------------------------------------

static sinew_transform transform_multiply(sinew_transform a, sinew_transform b) {
    b.translation = sinew_vec3_add(a.translation, sinew_quat_rotate(a.rotation, b.translation));
    b.rotation = sinew_quat_normalize(sinew_quat_multiply(a.rotation, b.rotation));
    return b;
}

// The inverse of a transform without scale.
static sinew_transform transform_inverse(sinew_transform a) {
    const sinew_quat rotation = sinew_quat_conjugate(a.rotation);
    const sinew_vec3 translation = sinew_vec3_scale(sinew_quat_rotate(rotation, a.translation), -1.0f);
    return (sinew_transform){translation, rotation, {1.0f, 1.0f, 1.0f}};
}

sinew_transform sinewi_character_on_platform(const sinew_character *character, sinew_transform world) {
    if (!character->place.rides) return world;
    return transform_multiply(transform_inverse(character->place.platform), world);
}

static void change_lock_space(sinew_foot_lock_state *lock, sinew_transform change) {
    for (int i = 0; i < SINEW_MAX_FEET; i++) {
        sinew_locked_foot *foot = &lock->feet[i];
        foot->position = sinew_vec3_add(change.translation, sinew_quat_rotate(change.rotation, foot->position));
        foot->rotation = sinew_quat_multiply(change.rotation, foot->rotation);
        foot->offset = sinew_quat_rotate(change.rotation, foot->offset);
        foot->velocity = sinew_quat_rotate(change.rotation, foot->velocity);
        foot->slide = sinew_quat_rotate(change.rotation, foot->slide);
    }
}

// Feet that are planted stay where they are when the character gets on or off.
static void change_space(sinew_character *character, sinew_transform change) {
    character_place *place = &character->place;
    const float scale = place->world.scale.x;
    for (int32_t i = 0; i < character_step_count(character); i++) {
        const sinewi_rig_step *step = &character_steps(character)[i];
        void *state = character_step_state(character, step);
        if (step->step->kind == SINEW_RIG_FOOT_LOCK) change_lock_space((sinew_foot_lock_state *)state, change);
        if (step->step->kind != SINEW_RIG_FOOT_PLACEMENT) continue;
        sinew_foot_placement_state *placed = (sinew_foot_placement_state *)state;
        placed->elevation += sinew_vec3_dot(change.translation, character->up) / scale;
    }
    place->before = sinew_vec3_add(change.translation, sinew_quat_rotate(change.rotation, place->before));
}

void sinew_character_ride(sinew_character *character, sinew_transform platform) {
    platform.scale = (sinew_vec3){1.0f, 1.0f, 1.0f};
    assert(character && is_world(platform));
    if (!is_world(platform)) return;
    character_place *place = &character->place;
    if (place->rides) {
        const sinew_transform at = sinewi_character_on_platform(character, place->world);
        place->world = transform_multiply(platform, at);
    } else {
        change_space(character, transform_inverse(platform));
    }
    place->rides = true;
    place->platform = platform;
}

void sinew_character_get_off(sinew_character *character) {
    assert(character);
    if (character->place.rides) change_space(character, character->place.platform);
    character->place.rides = false;
    character->place.platform = sinew_transform_identity();
}

// ---- The air -------------------------------------------------------------------------------------------------

void sinew_character_set_wind(sinew_character *character, sinew_vec3 wind) {
    assert(character && isfinite(wind.x) && isfinite(wind.y) && isfinite(wind.z));
    if (isfinite(wind.x) && isfinite(wind.y) && isfinite(wind.z)) character->place.wind = wind;
}

void sinew_character_set_significance(sinew_character *character, float significance) {
    assert(character);
    character->place.significance = significance > 0.0f ? significance : 0.0f; // also NaN
}
