// Loading, and a frame's pose.
#include "view/scene.h"

#include "render/camera.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *view_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool out_of_memory(const char *path, sinew_error *error) {
    error->result = SINEW_ERROR_OUT_OF_MEMORY;
    snprintf(error->message, sizeof error->message, "%.200s: out of memory", path);
    return false;
}

const view_actor *view_scene_actor(const view_scene *scene, sinew_scene_node node) {
    for (int i = 0; i < scene->shown_count; i++) {
        const sinew_scene_node own = scene->actors[i].node;
        if (own.index == node.index && own.generation == node.generation) return &scene->actors[i];
    }
    return NULL;
}

sinew_vec3 view_scene_at(const view_scene *scene, const view_actor *actor, int32_t node) {
    const sinew_affine m = sinew_scene_world(scene->scene, sinew_scene_joint(actor->node, node));
    return (sinew_vec3){m.m[0][3], m.m[1][3], m.m[2][3]};
}

// ---- A frame -------------------------------------------------------------------------------------------------

// Upright, and moved.
static sinew_affine place_at(sinew_up up, sinew_vec3 at) {
    sinew_affine place = draw_upright(up);
    place.m[0][3] = at.x;
    place.m[1][3] = at.y;
    place.m[2][3] = at.z;
    return place;
}

static sinew_affine side_place(const view_scene *scene, int side) {
    const sinew_vec3 aside = {side == 0 ? 0.0f : scene->apart, 0.0f, 0.0f};
    return place_at(scene->actors[0].asset->up, aside);
}

sinew_vec3 view_scene_place(const view_scene *scene, int side, sinew_vec3 at) {
    return sinew_affine_point(side_place(scene, side), at);
}

// What plays goes where root motion has brought it; all that it carries comes with it.
static void place_players(view_scene *scene) {
    for (int side = 0; side < VIEW_SIDES && scene->player.mixers[side]; side++) {
        const sinew_affine walk = view_walk_place(&scene->player.walks[side]);
        sinew_scene_set_matrix(scene->scene, scene->player.nodes[side],
                               sinew_affine_multiply(side_place(scene, side), walk));
    }
    sinew_scene_update_world(scene->scene);
}

void view_scene_advance(view_scene *scene, float dt) {
    if (scene->actor_count == 0) return;
    view_player_advance(&scene->player, dt);
    if (!scene->player.paused) draw_crowd_advance(&scene->crowd, dt * scene->player.settings.speed);
    place_players(scene);
    view_vertices_pose(&scene->vertices, scene->scene);
    const sinew_box box = view_vertices_box(&scene->vertices, scene->scene);
    scene->least = box.min;
    scene->most = box.max;
}

void view_scene_pose_models(view_scene *scene, const sinew_mat4 *view_projection) {
    sinew_scene_node nodes[VIEW_SIDES * VIEW_MOST_ACTORS];
    if (scene->actor_count == 0) return;
    for (int i = 0; i < scene->model_count; i++) {
        nodes[i] = scene->actors[i].node;
        draw_model_pose(&scene->models[i], scene->scene, nodes[i]);
    }
    draw_models_cull(scene->models, nodes, scene->model_count, scene->scene, view_projection);
    if (scene->crowd.model.records) draw_crowd_pose(&scene->crowd);
}

bool view_scene_moves(const view_scene *scene) {
    return view_player_moves(&scene->player) || (scene->crowd.def.count > 0 && !scene->player.paused);
}

sinew_box view_scene_box(const view_scene *scene) {
    const sinew_box own = {scene->least, scene->most};
    return scene->crowd.def.count > 0 ? sinew_box_union(own, scene->crowd.all) : own;
}

// ---- Coming --------------------------------------------------------------------------------------------------

// The joints of all skins and what is above them, up to the common root; without a skin, every node.
static bool find_joints(view_scene *scene) {
    const sinew_asset *asset = scene->actors[0].asset;
    const int32_t count = asset->skeleton->node_count;
    scene->is_joint = calloc((size_t)count + 1, sizeof *scene->is_joint);
    if (!scene->is_joint) return false;
    for (int32_t i = 0; i < asset->skin_count; i++) {
        const sinew_skin *skin = &asset->skins[i];
        for (int32_t k = 0; k < skin->joint_count; k++) scene->is_joint[skin->joints[k]] = true;
    }
    for (int32_t i = 0; asset->skin_count == 0 && i < count; i++) scene->is_joint[i] = true;
    return true;
}

// Most characters stand at height 0, in some frames with a toe a little below. What does not stand there stands on
// its own lowest point.
static float find_ground(const view_scene *scene) {
    const float height = scene->most.y - scene->least.y;
    bool stands = scene->least.y > -0.1f * height && scene->least.y < 0.15f * height;
    return stands ? 0.0f : scene->least.y;
}

static bool load_asset(view_actor *actor, view_loader load, const char *path, sinew_error *error) {
    *actor = (view_actor){.asset = NULL};
    if (strlen(path) >= sizeof actor->path) {
        error->result = SINEW_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%.200s...: too long a name", path);
        return false;
    }
    memcpy(actor->path, path, strlen(path) + 1);
    return load(path, &actor->asset, error);
}

static void count_actors(view_scene *scene) {
    scene->actor_count = 0;
    for (int i = 0; i < scene->shown_count; i++) scene->actor_count += !scene->actors[i].is_twin;
}

// Makes an instance of the actor behind those that are shown, and shows it too.
static bool enter(view_scene *scene, const sinew_instance_def *def, sinew_error *error) {
    view_actor *actor = &scene->actors[scene->shown_count];
    if (sinew_scene_add_instance(scene->scene, def, &actor->node, error) != SINEW_OK) {
        return out_of_memory(actor->path, error);
    }
    if (!view_vertices_make_room(&scene->vertices, scene->scene)) {
        sinew_scene_remove(scene->scene, actor->node);
        return out_of_memory(actor->path, error);
    }
    scene->shown_count++;
    count_actors(scene);
    return true;
}

static bool make_scene(view_scene *scene) {
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = VIEW_SIDES * VIEW_MOST_ACTORS;
    return sinew_scene_create(&def, &scene->scene, NULL) == SINEW_OK;
}

bool view_scene_load(view_scene *scene, view_loader load, const char *path, const view_settings *settings,
                     sinew_error *error) {
    *scene = (view_scene){.player = {.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE}};
    view_actor *actor = &scene->actors[0];
    if (!load_asset(actor, load, path, error)) return false;
    sinew_instance_def def = sinew_instance_default();
    def.asset = actor->asset;
    if (!make_scene(scene) || !enter(scene, &def, error) ||
        !view_player_create(&scene->player, scene->scene, actor->node, settings) || !find_joints(scene)) {
        return out_of_memory(path, error);
    }
    view_player_choose(&scene->player, 0);
    view_scene_advance(scene, 0.0f);
    scene->ground = find_ground(scene);
    return true;
}

void view_scene_start(view_scene *scene, int32_t clip) {
    view_player_start(&scene->player, clip);
    view_scene_advance(scene, 0.0f);
}

// One more file; NULL, with the reason in `error`, where it cannot be read or there are enough.
static view_actor *load_another(view_scene *scene, view_loader load, const char *path, sinew_error *error) {
    view_actor *actor = &scene->actors[scene->shown_count];
    if (scene->actor_count == VIEW_MOST_ACTORS || scene->shown_count == VIEW_SIDES * VIEW_MOST_ACTORS) {
        error->result = SINEW_ERROR_LIMIT;
        snprintf(error->message, sizeof error->message, "%.200s: there are %d files already", view_file_name(path),
                 scene->actor_count);
        return NULL;
    }
    if (load_asset(actor, load, path, error)) return actor;
    sinew_asset_destroy(actor->asset);
    return NULL;
}

bool view_scene_attach(view_scene *scene, view_loader load, const char *path, const char *node,
                       sinew_error *error) {
    const view_actor *carrier = &scene->actors[0];
    sinew_instance_def def = sinew_instance_default();
    def.node.parent = sinew_scene_find_joint(scene->scene, carrier->node, node);
    def.pose = SINEW_INSTANCE_POSE_REST;
    if (!sinew_scene_has(scene->scene, def.node.parent)) {
        error->result = SINEW_ERROR_ARGUMENT;
        snprintf(error->message, sizeof error->message, "%.200s: there is no node '%.100s'",
                 view_file_name(carrier->path), node);
        return false;
    }
    view_actor *actor = load_another(scene, load, path, error);
    if (!actor) return false;
    def.asset = actor->asset;
    if (!enter(scene, &def, error)) {
        sinew_asset_destroy(actor->asset);
        return false;
    }
    view_scene_advance(scene, 0.0f);
    return true;
}

// To the right of all others, and not below the ground.
static void put_beside(view_scene *scene, const view_actor *actor) {
    const sinew_vec3 least = scene->least, most = scene->most, origin = {0.0f, 0.0f, 0.0f};
    sinew_scene_set_matrix(scene->scene, actor->node, place_at(actor->asset->up, origin));
    sinew_scene_update(scene->scene, 0.0f);
    const sinew_box own = sinew_scene_bounds(scene->scene, actor->node);
    if (!(own.min.x <= own.max.x)) return; // it has no vertices
    const float gap = 0.1f * (most.x - least.x + own.max.x - own.min.x);
    const float lift = own.min.y < scene->ground ? scene->ground - own.min.y : 0.0f;
    const sinew_vec3 at = {most.x + gap - own.min.x, lift, 0.5f * (least.z + most.z - own.min.z - own.max.z)};
    if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z)) return; // boxes that overflow
    sinew_scene_set_matrix(scene->scene, actor->node, place_at(actor->asset->up, at));
}

bool view_scene_add(view_scene *scene, view_loader load, const char *path, sinew_error *error) {
    view_actor *actor = load_another(scene, load, path, error);
    sinew_instance_def def = sinew_instance_default();
    if (!actor) return false;
    def.asset = actor->asset;
    if (!enter(scene, &def, error)) {
        sinew_asset_destroy(actor->asset);
        return false;
    }
    if (actor->asset->clip_count > 0) {
        const sinew_play_def play = view_player_def(&scene->player, &actor->asset->clips[0]);
        sinew_mixer_play(sinew_scene_mixer(scene->scene, actor->node), sinew_clip_source(&actor->asset->clips[0]),
                         &play);
    }
    put_beside(scene, actor);
    view_scene_advance(scene, 0.0f);
    return true;
}

// ---- Going ---------------------------------------------------------------------------------------------------

// What is drawn goes before the asset that it is drawn from.
static void leave_model(view_scene *scene, int index) {
    if (index >= scene->model_count) return;
    draw_model *model = &scene->models[index];
    draw_model_free(model);
    memmove(model, model + 1, (size_t)(--scene->model_count - index) * sizeof *model);
}

// The later ones come one place nearer to the first.
static void leave(view_scene *scene, int index) {
    view_actor *actor = &scene->actors[index];
    leave_model(scene, index);
    sinew_scene_remove(scene->scene, actor->node);
    if (!actor->is_twin) sinew_asset_destroy(actor->asset);
    const int behind = --scene->shown_count - index;
    memmove(actor, actor + 1, (size_t)behind * sizeof *actor);
    count_actors(scene);
}

// Those that hung on what has gone went with it.
static void leave_with(view_scene *scene, sinew_scene_node node) {
    sinew_scene_remove(scene->scene, node);
    for (int i = scene->shown_count - 1; i >= 0; i--) {
        if (!sinew_scene_has(scene->scene, scene->actors[i].node)) leave(scene, i);
    }
}

void view_scene_remove(view_scene *scene, sinew_scene_node node) {
    const view_actor *actor = view_scene_actor(scene, node);
    if (!actor) return;
    if (sinew_scene_node_equals(actor->node, scene->player.nodes[1])) {
        view_scene_set_beside(scene, false);
    } else if (actor == &scene->actors[0]) {
        const view_settings settings = scene->player.settings;
        view_scene_free(scene);
        scene->player.settings = settings;
    } else {
        leave_with(scene, actor->node);
        view_scene_advance(scene, 0.0f);
    }
}

// ---- Side by side --------------------------------------------------------------------------------------------

// Another instance of an actor's file, at rest where the actor is.
static view_actor *double_actor(view_scene *scene, int index, sinew_scene_node parent) {
    const view_actor *of = &scene->actors[index];
    view_actor *twin = &scene->actors[scene->shown_count];
    sinew_instance_def def = sinew_instance_default();
    sinew_error error;
    if (scene->shown_count == VIEW_SIDES * VIEW_MOST_ACTORS) return NULL;
    *twin = *of;
    twin->is_twin = true;
    def.asset = of->asset;
    def.node.parent = parent;
    def.node.transform = sinew_scene_transform(scene->scene, of->node);
    def.pose = index == 0 ? SINEW_INSTANCE_POSE_OWN : SINEW_INSTANCE_POSE_REST;
    return enter(scene, &def, &error) ? twin : NULL;
}

// What hangs on the first one's joints hangs on the second one's as well.
static bool make_doubles(view_scene *scene) {
    const int count = scene->shown_count;
    const view_actor *first = double_actor(scene, 0, (sinew_scene_node){0, 0, 0});
    if (!first) return false;
    scene->player.nodes[1] = first->node;
    for (int i = 1; i < count; i++) {
        const sinew_scene_node on = sinew_scene_parent(scene->scene, scene->actors[i].node);
        if (view_scene_actor(scene, on) != &scene->actors[0]) continue;
        if (!double_actor(scene, i, sinew_scene_joint(first->node, on.joint))) return false;
    }
    return true;
}

static void remove_doubles(view_scene *scene) {
    for (int i = 0; i < scene->shown_count; i++) { // what was hung on it since then stays
        const view_actor *actor = &scene->actors[i];
        const sinew_scene_node on = sinew_scene_parent(scene->scene, actor->node);
        const view_actor *carrier = view_scene_actor(scene, on);
        if (!actor->is_twin && carrier && carrier->is_twin)
            sinew_scene_detach(scene->scene, actor->node, SINEW_REPARENT_KEEP_WORLD);
    }
    view_player_set_beside(&scene->player, false);
    for (int i = scene->shown_count - 1; i >= 0; i--) {
        if (scene->actors[i].is_twin) leave(scene, i);
    }
    scene->player.nodes[1] = (sinew_scene_node){0, 0, 0};
}

// As far that neither is in the other's way.
static float room_between(const view_scene *scene) {
    const sinew_vec3 size = sinew_vec3_subtract(scene->most, scene->least);
    return fmaxf(1.1f * size.x, 0.6f * size.y);
}

bool view_scene_set_beside(view_scene *scene, bool beside) {
    if (scene->actor_count == 0 || beside == view_player_is_beside(&scene->player)) return true;
    const float apart = room_between(scene);
    const bool good = !beside || (make_doubles(scene) && view_player_set_beside(&scene->player, true));
    if (!beside || !good) remove_doubles(scene);
    if (beside && good) scene->apart = apart;
    view_scene_advance(scene, 0.0f);
    return good;
}

// ---- What is asked for ---------------------------------------------------------------------------------------

bool view_scene_ask(view_scene *scene, sinew_error *error) {
    const bool good = view_player_ask(&scene->player, error);
    view_scene_advance(scene, 0.0f);
    return good;
}

bool view_scene_set_root(view_scene *scene, int32_t node, sinew_error *error) {
    const bool good = view_player_set_root(&scene->player, node, error);
    if (!view_player_is_beside(&scene->player)) remove_doubles(scene);
    view_scene_advance(scene, 0.0f);
    return good;
}

bool view_scene_gather(view_scene *scene, sinew_error *error) {
    const view_settings *settings = &scene->player.settings;
    const view_actor *first = &scene->actors[0];
    const draw_crowd_def def = {first->asset, view_file_name(first->path), settings->crowd, settings->baked};
    if (def.count == 0 || draw_crowd_create(&scene->crowd, &def, error)) return true;
    draw_crowd_free(&scene->crowd);
    return false;
}

// The topmost joint: the hips of most characters.
int32_t view_scene_root(const view_scene *scene) {
    const sinew_asset *asset = scene->actors[0].asset;
    for (int32_t i = 0; i < asset->skeleton->node_count; i++) {
        if (scene->is_joint[i]) return i;
    }
    return SINEW_NO_NODE;
}

// ---- Handing over --------------------------------------------------------------------------------------------

bool view_scene_upload(view_scene *scene, sinew_gl *gl, sinew_error *error) {
    const int before = scene->model_count;
    const bool gathers = scene->crowd.def.count > 0 && !scene->crowd.model.gl;
    if (gathers && !draw_crowd_upload(&scene->crowd, gl, error)) return false;
    for (int i = before; i < scene->shown_count; i++) {
        const view_actor *actor = &scene->actors[i];
        if (!draw_model_create(&scene->models[scene->model_count++], gl, actor->asset, actor->path, error)) {
            while (scene->model_count > before) draw_model_free(&scene->models[--scene->model_count]);
            return false;
        }
    }
    return true;
}

void view_scene_forget(view_scene *scene) {
    while (scene->shown_count > scene->model_count && scene->shown_count > 0) {
        view_scene_remove(scene, scene->actors[scene->shown_count - 1].node);
    }
}

void view_scene_free(view_scene *scene) {
    draw_crowd_free(&scene->crowd);
    for (int i = 0; i < scene->model_count; i++) draw_model_free(&scene->models[i]);
    view_player_free(&scene->player);
    sinew_scene_destroy(scene->scene);
    for (int i = 0; i < scene->shown_count; i++) {
        if (!scene->actors[i].is_twin) sinew_asset_destroy(scene->actors[i].asset);
    }
    if (scene->shown_count == 0) sinew_asset_destroy(scene->actors[0].asset); // it was not placed
    view_vertices_free(&scene->vertices);
    free(scene->is_joint);
    *scene = (view_scene){.player = {.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE}};
}
