// SPDX-License-Identifier: MIT
// Instances: assets in a scene, their visibility, and picking.
//
// An instance has its own index, for the arrays of bounds and visibility bits. Removing an instance moves the last one
// to its index. `index` is a node's index unless a comment calls it an instance's. A rig poses one or more instances
// (scene_rig.c). A leader is a rig that another one follows.
#include "scene/scene_state.h"

#include "base/callback.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "body/spring_data.h"

#include <assert.h>
#include <math.h>

// The rig of an instance, or of a joint's instance. NULL for a plain node or an invalid handle.
static scene_rig *find_rig(const sinew_scene *scene, sinew_scene_node node) {
    int32_t index = sinewi_scene_index(scene, node);
    return index == NO_INDEX ? NULL : sinewi_scene_rig(scene, index);
}

// ---- Visibility ------------------------------------------------------------------------------------------------

// Counts a node's rig and its ancestors' rigs as visible in the last culling. They have to be updated, because the
// ancestors' joints determine where the node is.
static void mark_visible(const sinew_scene *scene, int32_t index) {
    for (; index != NO_INDEX; index = scene->nodes[index].parent) {
        scene_rig *rig = sinewi_scene_rig(scene, index);
        if (!rig) continue;
        rig->last_visible = scene->cullings;
        if (rig->leader) rig->leader->last_visible = scene->cullings;
    }
}

// If a node or a descendant was visible in the last culling, counts its ancestors as visible too. They may be new.
void sinewi_scene_mark_ancestors_visible(const sinew_scene *scene, int32_t index) {
    if (!scene->def.skip_unseen) return;
    for (int32_t i = index; i != NO_INDEX; i = sinewi_scene_next_in_subtree(scene, index, i)) {
        const scene_rig *rig = sinewi_scene_rig(scene, i);
        if (!rig || rig->last_visible != scene->cullings) continue;
        mark_visible(scene, scene->nodes[index].parent);
        return;
    }
}

// Sets a bit for each visible instance. With skip_unseen, the next update doesn't evaluate the other instances' rigs.
const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum) {
    assert(scene && frustum);
    sinew_cull_boxes(frustum, &scene->boxes, 0, scene->instance_count, scene->visible);
    if (!scene->def.skip_unseen) return scene->visible;
    scene->cullings++;
    for (int32_t i = 0; i < scene->instance_count; i++) {
        if (sinew_is_visible(scene->visible, i)) mark_visible(scene, scene->instances[i].node);
    }
    return scene->visible;
}

// ---- Adding ----------------------------------------------------------------------------------------------------

static sinew_result check_def(const sinew_instance_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_instance_def: start from sinew_instance_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->asset) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the instance's asset is NULL");
    if ((int)def->pose < SINEW_INSTANCE_POSE_OWN || (int)def->pose > SINEW_INSTANCE_POSE_REST) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the instance's pose is %d; it must be a sinew_instance_pose", (int)def->pose);
    }
    if (def->solver_count < 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the instance's solver_count is %d; it must be 0 or more",
                           (int)def->solver_count);
    }
    if (def->springs && def->springs->skeleton != def->asset->skeleton) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the instance's springs belong to a different skeleton");
    }
    if (def->solver_count == 0 || def->solvers) return SINEW_OK;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the instance's solver_count is %d, but solvers is NULL",
                       (int)def->solver_count);
}

// The rig whose pose an instance shares. NULL if that doesn't move. If the shared rig follows a leader and has another
// asset, the leader is returned.
static scene_rig *find_shared_rig(const sinew_scene *scene, const sinew_instance_def *def) {
    scene_rig *rig = find_rig(scene, def->share);
    if (rig && rig->leader && rig->asset != def->asset) rig = rig->leader;
    return rig && rig->index != NO_INDEX ? rig : NULL;
}

// Picking triangles needs skinning, and a build may not include that.
#ifdef SINEW_NO_SKINNING
#define CAN_PICK_TRIANGLES false

static size_t pick_size(const sinew_asset *asset) {
    (void)asset;
    return 0;
}

static bool pick_asset(const scene_rig *rig, sinew_ray ray, void *scratch, sinew_asset_hit *hit) {
    (void)rig, (void)ray, (void)scratch, (void)hit;
    return false;
}
#else
#define CAN_PICK_TRIANGLES true

static size_t pick_size(const sinew_asset *asset) {
    return sinew_asset_pick_size(asset);
}

static bool pick_asset(const scene_rig *rig, sinew_ray ray, void *scratch, sinew_asset_hit *hit) {
    return sinew_asset_pick(rig->asset, rig->model, rig->weights, ray, scratch, hit);
}
#endif

// Makes the scene's scratch memory for picking large enough for an asset.
static sinew_result grow_pick_memory(sinew_scene *scene, const sinew_asset *asset, sinew_error *error) {
    size_t size = asset->bounds ? pick_size(asset) : 0;
    if (size <= scene->pick_size) return SINEW_OK;
    void *memory = sinewi_allocate(&scene->def.allocator, size, SINEWI_ALIGNMENT);
    if (!memory) return sinewi_fail_memory(error);
    sinewi_release(&scene->def.allocator, scene->pick_memory, scene->pick_size, SINEWI_ALIGNMENT);
    scene->pick_memory = memory;
    scene->pick_size = size;
    return SINEW_OK;
}

// Checks a definition, finds the rig whose pose it shares (may be NULL), and allocates the memory that picking needs.
sinew_result sinewi_scene_check_instance(sinew_scene *scene, const sinew_instance_def *def, scene_rig **shared,
                                         sinew_error *error) {
    *shared = NULL;
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    if (def->pose == SINEW_INSTANCE_POSE_SHARE) {
        *shared = find_shared_rig(scene, def);
        if (!*shared) {
            return sinewi_fail(
                error, SINEW_ERROR_ARGUMENT,
                "scene: the instance to share with is gone, or is in the rest pose and has no mixer or model");
        }
    }
    return grow_pick_memory(scene, def->asset, error);
}

// The instance of a node that has one.
static scene_instance *get_instance(const sinew_scene *scene, int32_t index) {
    return &scene->instances[scene->nodes[index].instance];
}

// Makes a node an instance, with the shared rig or a new one. If the shared rig has another asset, the
// new rig follows it.
sinew_result sinewi_scene_make_instance(sinew_scene *scene, int32_t index, const sinew_instance_def *def,
                                        scene_rig *shared, sinew_error *error) {
    scene_rig *rig = shared;
    if (!shared || shared->asset != def->asset) {
        sinew_result result = sinewi_rig_create(scene, def, shared, &rig, error);
        if (result != SINEW_OK) return result;
    }
    int32_t i = scene->instance_count++, next = rig->first_instance;
    scene->nodes[index].instance = i;
    scene->instances[i] = (scene_instance){.node = index, .rig = rig, .previous = NO_INDEX, .next = next};
    if (next != NO_INDEX) get_instance(scene, next)->previous = index;
    rig->first_instance = index;
    if (rig->users++ == 0) rig->owner = index;
    sinewi_scene_compute_bounds(scene, i);
    mark_visible(scene, index);
    return SINEW_OK;
}

// ---- Removing --------------------------------------------------------------------------------------------------

static void unmark_moved(sinew_scene *scene, int32_t index) {
    for (int32_t i = 0; i < scene->moved_count; i++) {
        if (scene->moved_instances[i] != index) continue;
        scene->moved_instances[i] = scene->moved_instances[--scene->moved_count];
        return;
    }
}

// Releases the node's rig, and moves the last instance into the gap.
void sinewi_scene_free_instance(sinew_scene *scene, int32_t index) {
    int32_t removed = scene->nodes[index].instance, last = --scene->instance_count;
    scene_instance *instance = &scene->instances[removed];
    scene_rig *rig = instance->rig;
    if (instance->has_moved) unmark_moved(scene, index);
    if (rig->owner == index) rig->owner = NO_INDEX; // its edit and solvers stop running
    if (instance->next != NO_INDEX) get_instance(scene, instance->next)->previous = instance->previous;
    *(instance->previous == NO_INDEX ? &rig->first_instance : &get_instance(scene, instance->previous)->next) =
        instance->next;
    sinewi_rig_release(scene, rig);
    scene->nodes[index].instance = NO_INDEX;
    if (removed == last) return;
    *instance = scene->instances[last];
    scene->nodes[instance->node].instance = removed;
    float *planes[6] = {scene->boxes.center_x, scene->boxes.center_y, scene->boxes.center_z,
                        scene->boxes.extent_x, scene->boxes.extent_y, scene->boxes.extent_z};
    for (int i = 0; i < 6; i++) planes[i][removed] = planes[i][last];
    scene->bounds[removed] = scene->bounds[last];
}

// ---- Queries ---------------------------------------------------------------------------------------------------

int32_t sinew_scene_instance_count(const sinew_scene *scene) {
    assert(scene);
    return scene->instance_count;
}

sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index) {
    assert(scene && index >= 0 && index < scene->instance_count);
    if (index < 0 || index >= scene->instance_count) return (sinew_scene_node){0, 0, 0};
    return sinewi_scene_handle(scene, scene->instances[index].node, SINEW_NO_NODE);
}

const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_rig *rig = find_rig(scene, instance);
    return rig ? rig->asset : NULL;
}

sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_rig *rig = find_rig(scene, instance);
    if (rig && rig->leader) rig = rig->leader;
    return rig ? rig->mixer : NULL;
}

// The rig of an instance whose mixer can be replaced. For any other, returns NULL with the reason in `error`.
static scene_rig *find_rig_with_mixer(const sinew_scene *scene, sinew_scene_node instance, sinew_error *error) {
    scene_rig *rig = find_rig(scene, instance);
    if (rig && rig->mixer && rig->owner == (int32_t)instance.index) return rig;
    sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scene: the instance is gone, or has no mixer of its own");
    return NULL;
}

sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance, const sinew_mixer_def *def,
                                   sinew_error *error) {
    assert(scene);
    sinew_result idle = SINEWI_CHECK_IDLE(
        scene->is_updating, "sinew_scene_set_mixer in on_event or an edit: defer it until after sinew_scene_update",
        error);
    if (idle != SINEW_OK) return idle;
    scene_rig *rig = find_rig_with_mixer(scene, instance, error);
    return rig ? sinewi_rig_set_mixer(scene, rig, def, error) : SINEW_ERROR_ARGUMENT;
}

sinew_result sinew_scene_use_mixer(sinew_scene *scene, sinew_scene_node instance, sinew_mixer *mixer,
                                   sinew_error *error) {
    assert(scene);
    sinew_result idle = SINEWI_CHECK_IDLE(
        scene->is_updating, "sinew_scene_use_mixer in on_event or an edit: defer it until after sinew_scene_update",
        error);
    if (idle != SINEW_OK) return idle;
    scene_rig *rig = find_rig_with_mixer(scene, instance, error);
    return rig ? sinewi_rig_use_mixer(scene, rig, mixer, error) : SINEW_ERROR_ARGUMENT;
}

sinew_result sinew_scene_use_model(sinew_scene *scene, sinew_scene_node instance, const sinew_affine *model,
                                   const float *weights, sinew_error *error) {
    assert(scene);
    sinew_result idle = SINEWI_CHECK_IDLE(
        scene->is_updating, "sinew_scene_use_model in on_event or an edit: defer it until after sinew_scene_update",
        error);
    if (idle != SINEW_OK) return idle;
    scene_rig *rig = find_rig(scene, instance);
    if (!rig || rig->mixer || rig->leader || rig->owner != (int32_t)instance.index) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "scene: the instance is gone, shares a pose, or has a mixer; add it with "
                           "SINEW_INSTANCE_POSE_REST");
    }
    sinewi_rig_use_model(scene, rig, model, weights);
    return SINEW_OK;
}

const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_rig *rig = find_rig(scene, instance);
    return rig ? rig->model : NULL;
}

const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_rig *rig = find_rig(scene, instance);
    return rig ? rig->weights : NULL;
}

const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance, int32_t skin) {
    assert(scene);
    const scene_rig *rig = find_rig(scene, instance);
    if (!rig) return NULL;
    assert(skin >= 0 && skin < rig->asset->skin_count);
    if (skin < 0 || skin >= rig->asset->skin_count) return NULL;
    return rig->palettes[skin];
}

// ---- Picking ---------------------------------------------------------------------------------------------------

// Picks an instance's triangles. The model-space ray isn't normalized, so distances along it stay the same.
static bool pick_triangles(const sinew_scene *scene, int32_t instance, sinew_ray ray, sinew_scene_hit *hit) {
    int32_t node = scene->instances[instance].node;
    const scene_rig *rig = scene->instances[instance].rig;
    sinew_affine world = scene->nodes[node].world, inverse = sinew_affine_inverse(world);
    sinew_ray model_ray = {sinew_affine_point(inverse, ray.origin), sinew_affine_direction(inverse, ray.direction)};
    if (!pick_asset(rig, model_ray, scene->pick_memory, &hit->asset)) return false;
    hit->node = sinewi_scene_handle(scene, node, hit->asset.node);
    hit->distance = hit->asset.distance;
    hit->position = sinew_affine_point(world, hit->asset.position);
    return true;
}

// A hit of an instance's bounds at a distance along the ray.
static sinew_scene_hit make_bounds_hit(const sinew_scene *scene, int32_t instance, sinew_ray ray, float distance) {
    sinew_vec3 origin = ray.origin, direction = ray.direction;
    return (sinew_scene_hit){
        .node = sinew_scene_instance(scene, instance),
        .distance = distance,
        .position = {origin.x + distance * direction.x, origin.y + distance * direction.y,
                     origin.z + distance * direction.z},
    };
}

// The nearest hit. Tests the instances' bounds first and then, if requested, their triangles.
bool sinew_scene_pick(sinew_scene *scene, sinew_ray ray, sinew_pick_mode mode, sinew_scene_hit *hit) {
    assert(scene && hit && ((CAN_PICK_TRIANGLES && mode == SINEW_PICK_TRIANGLES) || mode == SINEW_PICK_BOUNDS));
    float nearest = INFINITY;
    for (int32_t i = 0; i < scene->instance_count; i++) {
        float distance;
        if (!sinew_ray_box(ray, scene->bounds[i], &distance) || !(distance < nearest)) continue;
        sinew_scene_hit found = {.node = {0, 0, 0}};
        if (mode == SINEW_PICK_BOUNDS) {
            found = make_bounds_hit(scene, i, ray, distance);
        } else if (!pick_triangles(scene, i, ray, &found) || !(found.distance < nearest)) {
            continue;
        }
        nearest = found.distance;
        *hit = found;
    }
    return nearest < INFINITY;
}
