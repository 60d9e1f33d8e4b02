// Loading, and a frame's pose.
#include "viewer/scene.h"

#include "draw/camera.h"
#include "viewer/vec.h"

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

// ---- Room for vertices ---------------------------------------------------------------------------------------

static void free_vertices(view_vertices *v) {
    free(v->positions);
    free(v->normals);
    free(v->morphed);
    free(v->joints);
    free(v->weights);
    free(v->palette);
    *v = (view_vertices){0};
}

typedef struct needs {
    size_t vertices, largest_primitive, largest_skin;
} needs;

static bool is_shown(const sinew_mesh_instance *instance) {
    return instance->in_scene && instance->visible;
}

static void add_needs(needs *n, const sinew_asset *asset) {
    for (int32_t i = 0; i < asset->skin_count; i++) {
        size_t joints = (size_t)asset->skins[i].joint_count;
        if (joints > n->largest_skin) n->largest_skin = joints;
    }
    for (int32_t i = 0; i < asset->instance_count; i++) {
        const sinew_mesh *mesh = &asset->meshes[asset->instances[i].mesh];
        for (int32_t k = 0; is_shown(&asset->instances[i]) && k < mesh->primitive_count; k++) {
            size_t count = (size_t)mesh->primitives[k].vertex_count;
            n->vertices += count;
            if (count > n->largest_primitive) n->largest_primitive = count;
        }
    }
}

// Takes the memory of all frames to come. What there was stays when there is not enough.
static bool make_room(view_scene *scene) {
    view_vertices room = {0}, *v = &room;
    needs n = {1, 1, 1}; // so that nothing is ever of size 0
    for (int i = 0; i < scene->shown_count; i++) add_needs(&n, scene->actors[i].asset);
    if (n.vertices > INT32_MAX) return false;
    v->capacity = (int32_t)n.vertices;
    v->positions = malloc(n.vertices * 3 * sizeof *v->positions);
    v->normals = malloc(n.vertices * 3 * sizeof *v->normals);
    v->morphed = malloc(n.largest_primitive * 6 * sizeof *v->morphed);
    v->joints = calloc(n.largest_primitive * 4, sizeof *v->joints);
    v->weights = calloc(n.largest_primitive * 4, sizeof *v->weights);
    v->palette = malloc(n.largest_skin * sizeof *v->palette);
    const bool good = v->positions && v->normals && v->morphed && v->joints && v->weights && v->palette;
    for (size_t i = 0; good && i < n.largest_primitive; i++) v->weights[4 * i] = 1.0f;
    free_vertices(good ? &scene->vertices : v);
    if (good) scene->vertices = room;
    return good;
}

// ---- Posing vertices -----------------------------------------------------------------------------------------

static void skin_primitive(view_vertices *v, const sinew_asset *asset, const sinew_mesh_instance *instance,
                           const sinew_primitive *p, const sinew_affine *world, const float *weights) {
    const size_t floats = (size_t)p->vertex_count * 3;
    sinew_skin_job job = sinew_skin_job_default();
    job.positions = p->positions;
    job.normals = p->normals;
    if (p->target_count > 0) {
        const float *mine = weights + asset->skeleton->weight_offsets[instance->node];
        sinew_morph(p->positions, p->target_positions, mine, p->target_count, floats, v->morphed);
        job.positions = v->morphed;
        if (p->normals) {
            sinew_morph(p->normals, p->target_normals, mine, p->target_count, floats, v->morphed + floats);
            job.normals = v->morphed + floats;
        }
    }
    const bool skinned = instance->skin >= 0 && p->influences > 0;
    if (skinned) sinew_skin_palette(&asset->skins[instance->skin], world, v->palette);
    job.influences = skinned ? p->influences : 4;
    job.joints = skinned ? p->joints : v->joints;
    job.weights = skinned ? p->weights : v->weights;
    job.out_positions = v->positions + 3 * (size_t)v->count;
    float *normals = v->normals + 3 * (size_t)v->count;
    job.out_normals = p->normals ? normals : NULL;
    if (!p->normals) memset(normals, 0, floats * sizeof *normals);
    sinew_skin_vertices(&job, skinned ? v->palette : &world[instance->node], 0, p->vertex_count);
    v->count += p->vertex_count;
}

// Whose an actor is.
static int side_of(const view_scene *scene, const view_actor *actor) {
    return actor - scene->actors < scene->actor_count ? 0 : 1;
}

static const float *weights_of(const view_scene *scene, const view_actor *actor) {
    return actor->pose ? actor->pose->weights : sinew_mixer_weights(scene->player.mixers[side_of(scene, actor)]);
}

static void skin_actor(view_scene *scene, const view_actor *actor) {
    const sinew_asset *asset = actor->asset;
    for (int32_t i = 0; i < asset->instance_count; i++) {
        const sinew_mesh_instance *instance = &asset->instances[i];
        const sinew_mesh *mesh = &asset->meshes[instance->mesh];
        for (int32_t k = 0; is_shown(instance) && k < mesh->primitive_count; k++) {
            skin_primitive(&scene->vertices, asset, instance, &mesh->primitives[k], actor->world,
                           weights_of(scene, actor));
        }
    }
}

// ---- The box -------------------------------------------------------------------------------------------------

typedef struct box {
    sinew_vec3 least, most;
    bool empty;
} box;

static void add_to_box(box *b, sinew_vec3 p) {
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return;
    if (b->empty) *b = (box){p, p, false};
    b->least = (sinew_vec3){fminf(b->least.x, p.x), fminf(b->least.y, p.y), fminf(b->least.z, p.z)};
    b->most = (sinew_vec3){fmaxf(b->most.x, p.x), fmaxf(b->most.y, p.y), fmaxf(b->most.z, p.z)};
}

static void find_box(view_scene *scene) {
    const view_vertices *v = &scene->vertices;
    box b = {.empty = true};
    for (size_t i = 0; i < (size_t)v->count; i++) {
        add_to_box(&b, (sinew_vec3){v->positions[3 * i], v->positions[3 * i + 1], v->positions[3 * i + 2]});
    }
    const bool bare = b.empty;
    for (int k = 0; bare && k < scene->shown_count; k += scene->actor_count) {
        const view_actor *actor = &scene->actors[k];
        for (int32_t i = 0; i < actor->asset->skeleton->node_count; i++) {
            const sinew_affine *m = &actor->world[i];
            add_to_box(&b, (sinew_vec3){m->m[0][3], m->m[1][3], m->m[2][3]});
        }
    }
    const sinew_vec3 one = {0.5f, 0.5f, 0.5f};
    bool flat = b.empty || !(vec_length(vec_sub(b.most, b.least)) > 0.0f);
    scene->least = flat ? vec_sub(b.least, one) : b.least;
    scene->most = flat ? vec_add(b.most, one) : b.most;
}

// ---- A frame -------------------------------------------------------------------------------------------------

// What is carried is where the carrying node is, with its own pose inside. placed[] holds its own matrices first.
static void place_actor(view_actor *actor, const sinew_affine *carrier) {
    sinew_pose_to_model(actor->pose, actor->placed);
    for (int32_t i = 0; i < actor->asset->skeleton->node_count; i++) {
        actor->placed[i] = sinew_affine_multiply(carrier[actor->hand], actor->placed[i]);
    }
    actor->world = actor->placed;
}

sinew_vec3 view_scene_place(const view_scene *scene, int side, sinew_vec3 at) {
    const bool upright = scene->actors[0].asset->up == SINEW_UP_Y;
    const float aside = side == 0 ? 0.0f : scene->apart;
    return upright ? (sinew_vec3){at.x + aside, at.y, at.z} : (sinew_vec3){at.x + aside, at.z, -at.y};
}

// One that plays; pictures have +Y up, whatever it has.
static void place_player(view_scene *scene, int side) {
    view_actor *actor = &scene->actors[side == 0 ? 0 : scene->actor_count];
    const sinew_affine *model = sinew_mixer_model_matrices(scene->player.mixers[side]);
    const sinew_affine walk = view_walk_place(&scene->player.walks[side]);
    const bool is_turned = actor->asset->up == SINEW_UP_Z;
    actor->world = model;
    if (!is_turned && side == 0 && scene->player.root == SINEW_NO_NODE) return;
    actor->world = actor->placed;
    for (int32_t i = 0; i < actor->asset->skeleton->node_count; i++) {
        const sinew_affine moved = sinew_affine_multiply(walk, model[i]);
        actor->placed[i] = moved;
        if (is_turned) draw_stand_upright(&moved, 1, &actor->placed[i]);
        if (side == 1) actor->placed[i].m[0][3] += scene->apart;
    }
}

void view_scene_advance(view_scene *scene, float dt) {
    if (scene->actor_count == 0) return;
    view_player_advance(&scene->player, dt);
    for (int first = 0; first < scene->shown_count; first += scene->actor_count) {
        place_player(scene, first > 0);
        for (int i = first + 1; i < first + scene->actor_count; i++) {
            place_actor(&scene->actors[i], scene->actors[first].world);
        }
    }
    scene->vertices.count = 0;
    for (int i = 0; i < scene->shown_count; i++) skin_actor(scene, &scene->actors[i]);
    find_box(scene);
}

void view_scene_pose_models(view_scene *scene) {
    for (int i = 0; i < scene->model_count && i < scene->shown_count; i++) {
        draw_model_pose(&scene->models[i], scene->actors[i].world, weights_of(scene, &scene->actors[i]));
    }
}

// ---- Loading -------------------------------------------------------------------------------------------------

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
    *actor = (view_actor){.hand = SINEW_NO_NODE};
    if (strlen(path) >= sizeof actor->path) {
        error->result = SINEW_ERROR_IO;
        snprintf(error->message, sizeof error->message, "%.200s...: too long a name", path);
        return false;
    }
    memcpy(actor->path, path, strlen(path) + 1);
    return load(path, &actor->asset, error);
}

static bool make_places(view_actor *actor) {
    actor->placed = malloc(((size_t)actor->asset->skeleton->node_count + 1) * sizeof *actor->placed);
    return actor->placed != NULL;
}

bool view_scene_load(view_scene *scene, view_loader load, const char *path, const view_settings *settings,
                     sinew_error *error) {
    *scene = (view_scene){.player = {.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE}};
    if (!load_asset(&scene->actors[0], load, path, error)) return false;
    scene->actor_count = scene->shown_count = 1;
    if (!make_places(&scene->actors[0])) return out_of_memory(path, error);
    if (!view_player_create(&scene->player, scene->actors[0].asset, settings) || !make_room(scene) ||
        !find_joints(scene)) {
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

static void free_actor(view_actor *actor) {
    sinew_pose_destroy(actor->pose);
    free(actor->placed);
    sinew_asset_destroy(actor->asset);
    *actor = (view_actor){0};
}

static bool add_actor(view_scene *scene, view_actor *actor, sinew_error *error) {
    const sinew_skeleton *skeleton = actor->asset->skeleton;
    scene->shown_count = ++scene->actor_count;
    if (make_places(actor) && sinew_pose_create(skeleton, NULL, &actor->pose) == SINEW_OK && make_room(scene))
        return true;
    scene->shown_count = --scene->actor_count;
    return out_of_memory(actor->path, error);
}

bool view_scene_attach(view_scene *scene, view_loader load, const char *path, const char *node,
                       sinew_error *error) {
    const view_actor *carrier = &scene->actors[0];
    const int32_t hand = sinew_skeleton_find(carrier->asset->skeleton, node);
    if (hand == SINEW_NO_NODE || scene->actor_count == VIEW_MOST_ACTORS) {
        error->result = SINEW_ERROR_ARGUMENT;
        snprintf(error->message, sizeof error->message,
                 hand == SINEW_NO_NODE ? "%.200s: there is no node '%.100s'" : "%.200s: carries enough",
                 view_file_name(carrier->path), node);
        return false;
    }
    view_actor *actor = &scene->actors[scene->actor_count];
    bool good = load_asset(actor, load, path, error);
    actor->hand = hand;
    good = good && add_actor(scene, actor, error);
    if (!good) free_actor(actor);
    if (good) view_scene_advance(scene, 0.0f);
    return good;
}

// ---- Side by side --------------------------------------------------------------------------------------------

static bool make_doubles(view_scene *scene) {
    for (int i = 0; i < scene->actor_count; i++) {
        view_actor *twin = &scene->actors[scene->actor_count + i];
        if (twin->placed) continue; // it was shown before
        *twin = scene->actors[i];
        if (!make_places(twin)) return false;
    }
    return true;
}

// As far that neither is in the other's way.
static float room_between(const view_scene *scene) {
    const sinew_vec3 size = vec_sub(scene->most, scene->least);
    return fmaxf(1.1f * size.x, 0.6f * size.y);
}

bool view_scene_set_beside(view_scene *scene, bool beside) {
    if (scene->actor_count == 0 || beside == view_player_is_beside(&scene->player)) return true;
    if (!beside) {
        view_player_set_beside(&scene->player, false);
        scene->shown_count = scene->actor_count;
        view_scene_advance(scene, 0.0f);
        return true;
    }
    scene->shown_count = 2 * scene->actor_count;
    if (!make_doubles(scene) || !make_room(scene) || !view_player_set_beside(&scene->player, true)) {
        scene->shown_count = scene->actor_count;
        return false;
    }
    scene->apart = room_between(scene);
    view_scene_advance(scene, 0.0f);
    return true;
}

// ---- What is asked for ---------------------------------------------------------------------------------------

// The matrices of a mixer that was made anew lie elsewhere, and so all is placed again.
bool view_scene_ask(view_scene *scene, sinew_error *error) {
    const bool good = view_player_ask(&scene->player, error);
    view_scene_advance(scene, 0.0f);
    return good;
}

bool view_scene_set_root(view_scene *scene, int32_t node, sinew_error *error) {
    const bool good = view_player_set_root(&scene->player, node, error);
    if (!view_player_is_beside(&scene->player)) scene->shown_count = scene->actor_count;
    view_scene_advance(scene, 0.0f);
    return good;
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
    for (int i = before; i < scene->shown_count; i++) {
        const view_actor *actor = &scene->actors[i];
        if (!draw_model_create(&scene->models[scene->model_count++], gl, actor->asset, actor->path, error)) {
            while (scene->model_count > before) draw_model_free(&scene->models[--scene->model_count]);
            return false;
        }
    }
    return true;
}

void view_scene_free(view_scene *scene) {
    for (int i = 0; i < scene->model_count; i++) draw_model_free(&scene->models[i]);
    view_player_free(&scene->player);
    for (int i = scene->actor_count; i < 2 * scene->actor_count; i++) free(scene->actors[i].placed);
    for (int i = 0; i < scene->actor_count; i++) free_actor(&scene->actors[i]);
    free_vertices(&scene->vertices);
    free(scene->is_joint);
    *scene = (view_scene){.player = {.chosen = -1, .layer.clip = -1, .root = SINEW_NO_NODE}};
}
