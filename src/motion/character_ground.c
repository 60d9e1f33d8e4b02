// SPDX-License-Identifier: MIT
// The ground of a character: asked for place by place, or for all places of an update at once.
#include "motion/character_state.h"
#include "base/float_rules.h"

#include <assert.h>

// A foot asks for the ground below both ends of its sole, and at parts of the way ahead of it.
enum { PLACES_OF_FOOT = SINEW_MAX_GROUND_PLACES / SINEW_MAX_FEET, PLACES_AHEAD = PLACES_OF_FOOT - 2 };

static const sinewi_rig_step *find_placement(const sinew_character *character) {
    const sinewi_rig_step *steps = character_steps(character);
    for (int32_t i = 0; i < character_step_count(character); i++) {
        if (steps[i].step->kind == SINEW_RIG_FOOT_PLACEMENT) return &steps[i];
    }
    return NULL;
}

// How far a foot looks ahead in the world: see sinew_foot_placement. The character moves at the speed of its last update.
static sinew_vec3 way_ahead(const sinew_character *character, const sinewi_rig_step *placement) {
    const character_place *place = &character->place;
    if (!place->is_known || !(character->dt > 0.0f)) return (sinew_vec3){0.0f, 0.0f, 0.0f};
    const sinew_vec3 moved = sinew_vec3_subtract(place->world.translation, place->shown.translation);
    return sinew_vec3_scale(moved, 5.0f * placement->foot_placement.foot_time / character->dt);
}

static float squared_distance(sinew_vec3 a, sinew_vec3 b) {
    const sinew_vec3 d = sinew_vec3_subtract(a, b);
    return sinew_vec3_dot(d, d);
}

// The sole point that is farthest from a place, all in model space. The place itself without sole points.
static sinew_vec3 farthest_point(const sinew_character *character, const sinew_foot *foot, sinew_vec3 from) {
    sinew_vec3 farthest = from;
    for (int32_t i = 0; i < foot->point_count; i++) {
        const sinew_foot_point *point = &foot->points[i];
        const sinew_vec3 at = sinew_affine_point(character->model[point->node], point->point);
        if (squared_distance(at, from) > squared_distance(farthest, from)) farthest = at;
    }
    return farthest;
}

int32_t sinew_character_ground_places(const sinew_character *character, sinew_vec3 *places, int32_t capacity) {
    assert(character && (places || capacity <= 0));
    const sinewi_rig_step *placement = find_placement(character);
    if (!placement) return 0;
    const sinew_rig *rig = character->def.rig;
    const sinew_affine world = sinew_affine_from_transform(character->place.world);
    const sinew_vec3 ahead = way_ahead(character, placement);
    for (int32_t i = 0; i < rig->foot_count; i++) {
        const sinew_affine *joint = &character->model[rig->feet[i].node];
        const sinew_vec3 ankle = {joint->m[0][3], joint->m[1][3], joint->m[2][3]};
        const sinew_vec3 toes = farthest_point(character, &rig->feet[i], ankle);
        sinew_vec3 of_foot[PLACES_OF_FOOT];
        of_foot[0] = sinew_affine_point(world, farthest_point(character, &rig->feet[i], toes));
        of_foot[1] = sinew_affine_point(world, toes);
        for (int k = 0; k < PLACES_AHEAD; k++)
            of_foot[2 + k] =
                sinew_vec3_add(of_foot[1], sinew_vec3_scale(ahead, (float)(k + 1) / (float)PLACES_AHEAD));
        for (int32_t k = 0; k < PLACES_OF_FOOT && i * PLACES_OF_FOOT + k < capacity; k++)
            places[i * PLACES_OF_FOOT + k] = of_foot[k];
    }
    return rig->foot_count * PLACES_OF_FOOT;
}

void sinew_character_set_grounds(sinew_character *character, const sinew_ground *grounds, int32_t count) {
    assert(character && (grounds || count <= 0));
    character->ground_count = 0;
    for (int32_t i = 0; i < count && i < SINEW_MAX_GROUND_PLACES; i++) {
        if (sinew_vec3_dot(grounds[i].normal, grounds[i].normal) > 0.5f)
            character->grounds[character->ground_count++] = grounds[i];
    }
}

// The nearest answer, seen from above.
static const sinew_ground *nearest_answer(const sinew_character *character, sinew_vec3 up, sinew_vec3 place) {
    const sinew_ground *nearest = NULL;
    float least = 0.0f;
    for (int32_t i = 0; i < character->ground_count; i++) {
        const sinew_vec3 off = sinew_vec3_subtract(character->grounds[i].position, place);
        const float height = sinew_vec3_dot(off, up), distance = sinew_vec3_dot(off, off) - height * height;
        if (nearest && !(distance < least)) continue;
        nearest = &character->grounds[i];
        least = distance;
    }
    return nearest;
}

void sinewi_character_find_answer(const sinew_character *character, sinew_vec3 place, sinew_ground *ground) {
    const sinew_vec3 up = sinew_quat_rotate(character->place.world.rotation, character->up);
    const sinew_ground *answer = nearest_answer(character, up, place);
    *ground = *answer;
    const float slope = sinew_vec3_dot(answer->normal, up);
    if (!(slope > 0.1f)) return; // a wall has no height elsewhere
    const float rise = sinew_vec3_dot(answer->normal, sinew_vec3_subtract(answer->position, place)) / slope;
    ground->position = sinew_vec3_add(place, sinew_vec3_scale(up, rise));
}
