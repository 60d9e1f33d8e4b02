// Assets that are placed in a scene: instances, their bounds, who is seen, and what a ray hits.
#include "scene/scene_state.h"

#include "core/def_cookie.h"
#include "core/fail.h"
#include "core/finite.h"

#include <assert.h>
#include <math.h>

// ---- Seen ------------------------------------------------------------------------------------------------------

// Whoever carries what is seen counts as seen: its joints say where that is.
static void see(const sinew_scene *scene, int32_t index) {
    for (; index != NOTHING; index = scene->nodes[index].parent) {
        scene_figure *f = sinew_scene_figure(scene, index);
        if (!f) continue;
        f->seen = scene->cullings;
        if (f->leader) f->leader->seen = scene->cullings;
    }
}

void sinew_scene_see_carriers(const sinew_scene *scene, int32_t index) {
    if (!scene->def.skip_unseen) return;
    for (int32_t at = index; at != NOTHING; at = sinew_scene_next_of_subtree(scene, index, at)) {
        const scene_figure *f = sinew_scene_figure(scene, at);
        if (!f || f->seen != scene->cullings) continue;
        see(scene, scene->nodes[index].parent);
        return;
    }
}

// ---- Placing ---------------------------------------------------------------------------------------------------

// What a node or a joint's instance shows; NULL where it is gone or is no instance.
static scene_figure *figure_of(const sinew_scene *scene, sinew_scene_node node) {
    int32_t index = sinew_scene_index(scene, node);
    return index == NOTHING ? NULL : sinew_scene_figure(scene, index);
}

sinew_instance_def sinew_instance_default(void) {
    return (sinew_instance_def){.node = sinew_scene_node_default(), .cookie = SINEW_DEF_COOKIE};
}

// The figure whose pose an asset is to share: the one that leads, where that is led itself and shows another asset.
static scene_figure *figure_to_share(const sinew_scene *scene, const sinew_instance_def *def) {
    scene_figure *f = figure_of(scene, def->share);
    if (f && f->leader && f->asset != def->asset) f = f->leader;
    return f && (f->mixer || f->leader) ? f : NULL;
}

// Room to pick in, for the largest asset so far.
static sinew_result make_pick_memory(sinew_scene *scene, const sinew_asset *asset, sinew_error *error) {
    size_t size = asset->bounds ? sinew_asset_pick_size(asset) : 0;
    if (size <= scene->pick_size) return SINEW_OK;
    void *memory = sinew_allocate(&scene->def.allocator, size, SINEW_ALIGNMENT);
    if (!memory) return sinew_fail_memory(error);
    sinew_release(&scene->def.allocator, scene->pick_memory, scene->pick_size, SINEW_ALIGNMENT);
    scene->pick_memory = memory;
    scene->pick_size = size;
    return SINEW_OK;
}

static scene_instance *instance_of(const sinew_scene *scene, int32_t index) {
    return &scene->instances[scene->nodes[index].instance];
}

static void set_bounds(sinew_scene *scene, int32_t instance) {
    const scene_instance *own = &scene->instances[instance];
    scene->bounds[instance] = sinew_box_transform(own->shows->box, scene->nodes[own->node].world);
    sinew_boxes_set(&scene->boxes, instance, scene->bounds[instance]);
}

static void show_figure(sinew_scene *scene, int32_t index, scene_figure *f) {
    int32_t instance = scene->instance_count++;
    scene->nodes[index].instance = instance;
    scene->instances[instance] = (scene_instance){.node = index, .shows = f, .previous = NOTHING, .next = f->first};
    if (f->first != NOTHING) instance_of(scene, f->first)->previous = index;
    f->first = index;
    if (f->users++ == 0) f->node = index;
    set_bounds(scene, instance);
    see(scene, index);
}

static sinew_result check_def(const sinew_instance_def *def, sinew_error *error) {
    if (!def) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: the instance's def is NULL");
    sinew_result result = SINEW_CHECK_DEF(def, "sinew_instance_def: start from sinew_instance_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->asset) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "asset: there is none to place");
    if ((int)def->pose < SINEW_INSTANCE_POSE_OWN || (int)def->pose > SINEW_INSTANCE_POSE_REST) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "pose: %d is no sinew_instance_pose", (int)def->pose);
    }
    if (def->solver_count >= 0 && (def->solver_count == 0 || def->solvers)) return SINEW_OK;
    return sinew_fail(error, SINEW_ERROR_ARGUMENT, "solvers: %d of them%s; give 0 or more", (int)def->solver_count,
                      def->solvers ? "" : ", but solvers is NULL");
}

sinew_result sinew_scene_add_instance(sinew_scene *scene, const sinew_instance_def *def, sinew_scene_node *instance,
                                      sinew_error *error) {
    assert(scene && instance);
    *instance = (sinew_scene_node){0, 0, 0};
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    bool shares = def->pose == SINEW_INSTANCE_POSE_SHARE;
    scene_figure *shared = shares ? figure_to_share(scene, def) : NULL;
    if (shares && !shared) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "share: there is no instance with a mixer to share with");
    }
    result = make_pick_memory(scene, def->asset, error);
    if (result != SINEW_OK) return result;
    result = sinew_scene_add_node(scene, &def->node, instance, error);
    if (result != SINEW_OK) return result;
    scene_figure *shows = shared;
    if (!shared || shared->asset != def->asset) result = sinew_figure_create(scene, def, shared, &shows, error);
    if (result != SINEW_OK) {
        sinew_scene_remove(scene, *instance);
        *instance = (sinew_scene_node){0, 0, 0};
        return result;
    }
    show_figure(scene, (int32_t)instance->index, shows);
    return SINEW_OK;
}

static void take_off_moved(sinew_scene *scene, int32_t index) {
    for (int32_t i = 0; i < scene->moved_count; i++) {
        if (scene->moved_instances[i] != index) continue;
        scene->moved_instances[i] = scene->moved_instances[--scene->moved_count];
        return;
    }
}

void sinew_scene_drop_instance(sinew_scene *scene, int32_t index) {
    int32_t gone = scene->nodes[index].instance, last = --scene->instance_count;
    scene_instance *own = &scene->instances[gone];
    if (own->is_listed) take_off_moved(scene, index);
    if (own->shows->node == index) own->shows->node = NOTHING; // edits and solvers were this one's
    if (own->next != NOTHING) instance_of(scene, own->next)->previous = own->previous;
    *(own->previous == NOTHING ? &own->shows->first : &instance_of(scene, own->previous)->next) = own->next;
    sinew_figure_release(scene, own->shows);
    scene->nodes[index].instance = NOTHING;
    if (gone == last) return;
    *own = scene->instances[last];
    scene->nodes[own->node].instance = gone;
    float *planes[6] = {scene->boxes.center_x, scene->boxes.center_y, scene->boxes.center_z,
                        scene->boxes.extent_x, scene->boxes.extent_y, scene->boxes.extent_z};
    for (int i = 0; i < 6; i++) planes[i][gone] = planes[i][last];
    scene->bounds[gone] = scene->bounds[last];
}

// ---- Asking ----------------------------------------------------------------------------------------------------

int32_t sinew_scene_instance_count(const sinew_scene *scene) {
    assert(scene);
    return scene->instance_count;
}

sinew_scene_node sinew_scene_instance(const sinew_scene *scene, int32_t index) {
    assert(scene && index >= 0 && index < scene->instance_count);
    if (index < 0 || index >= scene->instance_count) return (sinew_scene_node){0, 0, 0};
    return sinew_scene_handle(scene, scene->instances[index].node, SINEW_NO_NODE);
}

const sinew_asset *sinew_scene_asset(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_figure *f = figure_of(scene, instance);
    return f ? f->asset : NULL;
}

sinew_mixer *sinew_scene_mixer(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_figure *f = figure_of(scene, instance);
    if (f && f->leader) f = f->leader;
    return f ? f->mixer : NULL;
}

sinew_result sinew_scene_set_mixer(sinew_scene *scene, sinew_scene_node instance, const sinew_mixer_def *def,
                                   sinew_error *error) {
    assert(scene);
    scene_figure *f = figure_of(scene, instance);
    if (!f || !f->mixer || f->node != (int32_t)instance.index) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "instance: it is gone, or has no mixer of its own");
    }
    return sinew_figure_set_mixer(scene, f, def, error);
}

const sinew_affine *sinew_scene_model_matrices(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_figure *f = figure_of(scene, instance);
    return f ? f->model : NULL;
}

const float *sinew_scene_weights(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    const scene_figure *f = figure_of(scene, instance);
    return f ? f->weights : NULL;
}

const sinew_affine *sinew_scene_palette(const sinew_scene *scene, sinew_scene_node instance, int32_t skin) {
    assert(scene);
    const scene_figure *f = figure_of(scene, instance);
    if (!f) return NULL;
    assert(skin >= 0 && skin < f->asset->skin_count);
    if (skin < 0 || skin >= f->asset->skin_count) return NULL;
    return f->palettes[skin];
}

// ---- Attaching -------------------------------------------------------------------------------------------------

sinew_result sinew_scene_attach(sinew_scene *scene, sinew_scene_node object, sinew_scene_node instance,
                                const char *joint, sinew_transform offset, sinew_error *error) {
    assert(scene);
    if (!joint) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "joint: its name is NULL");
    if (!sinew_transform_is_finite(&offset)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "offset: it is not finite");
    }
    if (!sinew_scene_has(scene, object)) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "object: it is gone");
    if (!sinew_scene_asset(scene, instance)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "instance: it is gone, or is none");
    }
    sinew_scene_node on = sinew_scene_find_joint(scene, instance, joint);
    if (!sinew_scene_has(scene, on)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "joint: the instance has none that is called \"%s\"", joint);
    }
    sinew_result result = sinew_scene_set_parent(scene, object, on, SINEW_REPARENT_KEEP_LOCAL, error);
    if (result != SINEW_OK) return result;
    sinew_scene_set_transform(scene, object, offset);
    return SINEW_OK;
}

void sinew_scene_detach(sinew_scene *scene, sinew_scene_node object, sinew_reparent_mode keep) {
    assert(scene);
    sinew_scene_set_parent(scene, object, (sinew_scene_node){0, 0, 0}, keep, NULL);
}

// ---- Bounds ----------------------------------------------------------------------------------------------------

void sinew_scene_list_moved(sinew_scene *scene, scene_instance *moved) {
    if (moved->is_listed) return;
    moved->is_listed = true;
    scene->moved_instances[scene->moved_count++] = moved->node;
}

void sinew_scene_update_bounds(sinew_scene *scene) {
    for (int32_t i = 0; i < scene->moved_count; i++) {
        const scene_node *node = &scene->nodes[scene->moved_instances[i]];
        scene->instances[node->instance].is_listed = false;
        set_bounds(scene, node->instance);
    }
    scene->moved_count = 0;
}

sinew_box sinew_scene_bounds(const sinew_scene *scene, sinew_scene_node instance) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, instance);
    int32_t i = index == NOTHING ? NOTHING : scene->nodes[index].instance;
    return i == NOTHING ? sinew_box_empty() : scene->bounds[i];
}

// ---- Seeing ----------------------------------------------------------------------------------------------------

static void see_visible(sinew_scene *scene) {
    scene->cullings++;
    for (int32_t i = 0; i < scene->instance_count; i++) {
        if (sinew_is_visible(scene->visible, i)) see(scene, scene->instances[i].node);
    }
}

const uint32_t *sinew_scene_cull(sinew_scene *scene, const sinew_frustum *frustum) {
    assert(scene && frustum);
    sinew_cull_boxes(frustum, &scene->boxes, 0, scene->instance_count, scene->visible);
    if (scene->def.skip_unseen) see_visible(scene);
    return scene->visible;
}

// ---- Picking ---------------------------------------------------------------------------------------------------

// The ray as an instance sees it: lengths along it stay, since it is not made unit.
static sinew_ray ray_in(sinew_affine world, const sinew_ray *ray) {
    sinew_affine inverse = sinew_affine_inverse(world);
    return (sinew_ray){sinew_affine_point(inverse, ray->origin), sinew_affine_direction(inverse, ray->direction)};
}

static bool pick_triangles(const sinew_scene *scene, int32_t i, const sinew_ray *ray, sinew_scene_hit *hit) {
    const scene_instance *own = &scene->instances[i];
    const scene_figure *f = own->shows;
    const sinew_affine *world = &scene->nodes[own->node].world;
    sinew_ray inside = ray_in(*world, ray);
    if (!sinew_asset_pick(f->asset, f->model, f->weights, inside, scene->pick_memory, &hit->on)) return false;
    hit->node = sinew_scene_handle(scene, own->node, hit->on.node);
    hit->distance = hit->on.distance;
    hit->position = sinew_affine_point(*world, hit->on.position);
    return true;
}

static sinew_scene_hit bounds_hit(const sinew_scene *scene, int32_t i, const sinew_ray *ray, float distance) {
    sinew_vec3 from = ray->origin, along = ray->direction;
    return (sinew_scene_hit){
        .node = sinew_scene_instance(scene, i),
        .distance = distance,
        .position = {from.x + distance * along.x, from.y + distance * along.y, from.z + distance * along.z},
    };
}

bool sinew_scene_pick(sinew_scene *scene, const sinew_ray *ray, sinew_pick_mode by, sinew_scene_hit *hit) {
    assert(scene && ray && hit && (by == SINEW_PICK_TRIANGLES || by == SINEW_PICK_BOUNDS));
    float nearest = INFINITY;
    for (int32_t i = 0; i < scene->instance_count; i++) {
        float distance;
        if (!sinew_ray_box(*ray, scene->bounds[i], &distance) || !(distance < nearest)) continue;
        sinew_scene_hit found = {.node = {0, 0, 0}};
        if (by == SINEW_PICK_BOUNDS) {
            found = bounds_hit(scene, i, ray, distance);
        } else if (!pick_triangles(scene, i, ray, &found) || !(found.distance < nearest)) {
            continue;
        }
        nearest = found.distance;
        *hit = found;
    }
    return nearest < INFINITY;
}
