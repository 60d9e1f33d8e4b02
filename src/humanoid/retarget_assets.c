// SPDX-License-Identifier: MIT
// A retarget map of two files: finds what a program would otherwise have to.
#include <sinew/humanoid/reference.h>
#include <sinew/humanoid/retarget.h>

#include "base/fail.h"
#include "base/float_rules.h"

#include <assert.h>

// A character's roles and reference pose, which is NULL after running out of memory.
typedef struct retarget_body {
    const sinew_asset *asset;
    const char *what; // for messages
    sinew_humanoid roles;
    sinew_pose *pose;
} retarget_body;

static sinew_result find_body(retarget_body *body, const sinew_allocator *allocator, sinew_error *error) {
    sinew_error found;
    found.message[0] = '\0';
    sinew_result result = sinew_pose_create(body->asset->skeleton, allocator, &body->pose);
    if (result == SINEW_OK) result = sinew_humanoid_find(body->asset, allocator, &body->roles, NULL, &found);
    if (result == SINEW_OK)
        result = sinew_reference_find(body->asset, &body->roles, allocator, body->pose, NULL, &found);
    if (result == SINEW_OK) return SINEW_OK;
    if (result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_fail_memory(error);
    return sinewi_fail(error, result, "the %s: %s", body->what, found.message);
}

static sinew_result make_map(const retarget_body *source, const retarget_body *target,
                             const sinew_allocator *allocator, sinew_retarget **map, sinew_error *error) {
    sinew_feet soles;
    const sinew_result result =
        sinew_reference_find_soles(target->asset, &target->roles, target->pose, allocator, &soles, error);
    if (result != SINEW_OK) return result;
    sinew_retarget_def def = sinew_retarget_default();
    def.source = source->asset->skeleton;
    def.source_up = source->asset->up;
    def.source_humanoid = &source->roles;
    def.source_reference = source->pose;
    def.target = target->asset->skeleton;
    def.target_up = target->asset->up;
    def.target_humanoid = &target->roles;
    def.target_reference = target->pose;
    def.target_soles = &soles;
    if (allocator) def.allocator = *allocator;
    return sinew_retarget_create(&def, map, error);
}

sinew_result sinew_retarget_assets(const sinew_asset *source, const sinew_asset *target,
                                   const sinew_allocator *allocator, sinew_retarget **map, sinew_error *error) {
    assert(source && target && map);
    *map = NULL;
    retarget_body bodies[2] = {{.asset = source, .what = "source"}, {.asset = target, .what = "target"}};
    sinew_result result = find_body(&bodies[0], allocator, error);
    if (result == SINEW_OK) result = find_body(&bodies[1], allocator, error);
    if (result == SINEW_OK) result = make_map(&bodies[0], &bodies[1], allocator, map, error);
    for (int i = 0; i < 2; i++) sinew_pose_destroy(bodies[i].pose);
    return result;
}
