// SPDX-License-Identifier: MIT
// Ground speeds, foot contacts and foot locking for JavaScript.
#include "internal.h"

#include <stdlib.h>

// ---- Ground speeds -------------------------------------------------------------------------------------------

static sinew_feet feet; // from the last measurement
static sinew_clip_speed speed;

// Sets `feet` to the given nodes. Without nodes, finds feet by shape.
static bool set_feet(const sinew_asset *asset, const int32_t *nodes, int32_t count) {
    sinew_error error;
    sinew_result result = count > 0
                              ? sinew_feet_from_nodes(asset->skeleton, nodes, count, SINEW_UP_Y, &feet, &error)
                              : sinew_feet_find(asset->skeleton, SINEW_UP_Y, &feet, &error);
    if (result != SINEW_OK) web_fail(error.message);
    return result == SINEW_OK;
}

const sinew_clip_speed *web_clip_measure_speed(const sinew_asset *asset, const sinew_clip *clip,
                                               const int32_t *nodes, int32_t count) {
    if (!set_feet(asset, nodes, count)) return NULL;
    sinew_clip_measure_speed(clip, &feet, &speed);
    return &speed;
}

int32_t web_speed_foot_node(int32_t foot) {
    return foot < feet.foot_count ? feet.feet[foot].node : SINEW_NO_NODE;
}

bool web_space_measure(const sinew_asset *asset, sinew_blend_space_kind kind, sinew_blend_sample *samples,
                       int32_t sample_count, const int32_t *nodes, int32_t count) {
    sinew_error error;
    if (!set_feet(asset, nodes, count)) return false;
    if (sinew_blend_samples_measure(samples, sample_count, kind, &feet, &error) == SINEW_OK) return true;
    web_fail(error.message);
    return false;
}

void web_space_stride(const sinew_blend_space *space, float x, float y) {
    sinew_blend_stride stride = sinew_blend_space_stride(space, x, y);
    float *numbers = web_numbers();
    numbers[0] = stride.speed;
    numbers[1] = stride.rate;
    numbers[2] = stride.length;
}

// ---- Contacts ------------------------------------------------------------------------------------------------

struct web_legs {
    sinew_foot feet[SINEW_MAX_FEET];
    int32_t count;
    sinew_foot_contacts *contacts;
};

static const sinew_vec3 up = {0.0f, 1.0f, 0.0f};

static bool find_contacts(web_legs *legs, sinew_foot_contacts_def *def) {
    def->foot_count = legs->count;
    def->feet = legs->feet;
    sinew_error error;
    if (sinew_foot_contacts_create(def, &legs->contacts, &error) == SINEW_OK) return true;
    web_fail(error.message);
    return false;
}

web_legs *web_legs_create(const sinew_asset *asset, const int32_t *nodes, int32_t count,
                          const sinew_clip *const *clips, int32_t clip_count, const char *names, bool has_names) {
    web_legs *legs = calloc(1, sizeof *legs);
    const char **split = web_split(names, has_names ? 2 * count : 0);
    if (!legs || !split) {
        free(legs);
        free(split);
        web_fail("out of memory");
        return NULL;
    }
    legs->count = count;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *leg = nodes + 4 * i;
        legs->feet[i] = sinew_foot_from_rest(asset->skeleton, leg[0], leg[1], leg[2], leg[3], up);
    }
    sinew_foot_contacts_def def = sinew_foot_contacts_default();
    def.skeleton = asset->skeleton;
    def.clips = clips;
    def.clip_count = clip_count;
    def.down_names = has_names ? split : NULL;
    def.up_names = has_names ? split + count : NULL;
    bool found = find_contacts(legs, &def);
    free(split);
    if (found) return legs;
    web_legs_destroy(legs);
    return NULL;
}

void web_legs_destroy(web_legs *legs) {
    sinew_foot_contacts_destroy(legs->contacts);
    free(legs);
}

const sinew_clip_contacts *web_legs_contacts(const web_legs *legs, const sinew_clip *clip) {
    return sinew_foot_contacts_find(legs->contacts, clip);
}

// ---- Foot locking --------------------------------------------------------------------------------------------

struct web_foot_lock {
    web_mixer *character;
    const web_legs *legs;
    sinew_foot_lock lock;
    sinew_foot_lock_state state;
    sinew_affine *model; // [node_count], model matrices that the solver changes
};

web_foot_lock *web_foot_lock_create(web_mixer *character, const web_legs *legs) {
    web_foot_lock *lock = calloc(1, sizeof *lock);
    size_t nodes = (size_t)sinew_mixer_pose(web_mixer_mixer(character))->skeleton->node_count;
    sinew_affine *model = aligned_alloc(16, (nodes + 1) * sizeof *model);
    if (!lock || !model) {
        free(lock);
        free(model);
        web_fail("out of memory");
        return NULL;
    }
    *lock =
        (web_foot_lock){.character = character, .legs = legs, .lock = sinew_foot_lock_default(), .model = model};
    lock->lock.feet = legs->feet;
    lock->lock.foot_count = legs->count;
    return lock;
}

void web_foot_lock_destroy(web_foot_lock *lock) {
    free(lock->model);
    free(lock);
}

float *web_foot_lock_settings(web_foot_lock *lock) {
    return &lock->lock.contact_on;
}

sinew_foot_lock_state *web_foot_lock_state(web_foot_lock *lock) {
    return &lock->state;
}

void web_foot_lock_release(web_foot_lock *lock) {
    sinew_foot_lock_release(&lock->state);
}

bool web_foot_lock_is_locked(const web_foot_lock *lock, int32_t leg) {
    return lock->state.feet[leg].locked;
}

void web_foot_lock_solve(web_foot_lock *lock, float dt) {
    sinew_mixer *mixer = web_mixer_mixer(lock->character);
    sinew_pose *pose = sinew_mixer_edit_pose(mixer);
    sinew_mat4 columns;
    for (int i = 0; i < 16; i++) columns.m[i] = web_numbers()[i];
    sinew_affine world = sinew_affine_from_mat4(columns);
    float contacts[SINEW_MAX_FEET];
    sinew_pose_to_model(pose, lock->model);
    sinew_foot_contacts_evaluate(lock->legs->contacts, mixer, contacts);
    sinew_foot_lock_solve(&lock->lock, &world, contacts, dt, &lock->state, pose, lock->model);
    web_mixer_finish_pose(lock->character);
}
