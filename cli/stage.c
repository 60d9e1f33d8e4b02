// Actors, and how a frame's pose follows from the one before.
#include "stage.h"

#include <stdlib.h>

// ---- Loading -------------------------------------------------------------------------------------------------

static bool create_mixer(cli_actor *actor) {
    sinew_mixer_destroy(actor->mixer);
    actor->mixer = NULL;
    sinew_mixer_def def = sinew_mixer_default_def();
    def.skeleton = actor->asset->skeleton;
    if (sinew_mixer_create(&def, &actor->mixer) == SINEW_OK) return true;
    cli_fail("%s: out of memory", actor->path);
    return false;
}

static bool load_actor(const cli_stage *stage, cli_actor *actor, const char *hand) {
    actor->asset = cli_load(actor->path);
    if (!actor->asset) return false;
    if (!hand) return true;
    const cli_actor *carrier = &stage->actors[0];
    actor->hand = cli_find_node(carrier->asset, carrier->path, hand);
    if (actor->hand == SINEW_NO_NODE) return false;
    actor->placed = malloc(((size_t)actor->asset->skeleton->node_count + 1) * sizeof *actor->placed);
    if (!actor->placed) cli_fail("%s: out of memory", actor->path);
    return actor->placed != NULL;
}

bool cli_stage_add(cli_stage *stage, const char *path, const char *hand) {
    cli_actor *actor = &stage->actors[stage->actor_count++];
    *actor = (cli_actor){.path = path, .hand = SINEW_NO_NODE};
    return load_actor(stage, actor, hand);
}

void cli_stage_free(cli_stage *stage) {
    for (int i = 0; i < stage->actor_count; i++) {
        cli_actor *actor = &stage->actors[i];
        sinew_mixer_destroy(actor->mixer);
        free(actor->placed);
        sinew_asset_destroy(actor->asset);
    }
    *stage = (cli_stage){0};
}

// ---- Posing --------------------------------------------------------------------------------------------------

// What is carried is where the carrying node is, with its own pose inside.
static void place_actor(cli_actor *actor, const sinew_affine *carrier_world) {
    const sinew_affine *own = sinew_mixer_model_matrices(actor->mixer);
    actor->world = own;
    if (actor->hand == SINEW_NO_NODE) return;
    for (int32_t i = 0; i < actor->asset->skeleton->node_count; i++) {
        actor->placed[i] = sinew_affine_multiply(carrier_world[actor->hand], own[i]);
    }
    actor->world = actor->placed;
}

// Starts the cross-fades whose time has come. A frame stands a little before its time as often as after, so half a
// step is allowed for.
static void start_crossfades(cli_stage *stage) {
    const float now = ((float)stage->frame + 0.5f) * stage->step;
    for (; stage->next_crossfade < stage->crossfade_count; stage->next_crossfade++) {
        const cli_crossfade *fade = &stage->crossfades[stage->next_crossfade];
        if (fade->start > now) return;
        sinew_play_def def = sinew_play_default_def();
        def.loop = fade->once ? SINEW_LOOP_ONCE : SINEW_LOOP_REPEAT;
        sinew_mixer_crossfade_to(stage->actors[0].mixer, fade->clip, fade->duration, &def);
    }
}

static void pose_actors(cli_stage *stage, float seconds) {
    for (int i = 0; i < stage->actor_count; i++) {
        cli_actor *actor = &stage->actors[i];
        sinew_mixer_update(actor->mixer, seconds);
        place_actor(actor, stage->actors[0].world);
    }
    start_crossfades(stage);
}

bool cli_stage_start(cli_stage *stage) {
    for (int i = 0; i < stage->actor_count; i++) {
        if (!create_mixer(&stage->actors[i])) return false;
    }
    if (stage->clip) {
        sinew_play_def def = sinew_play_default_def();
        def.time = stage->clip_time;
        sinew_mixer_play(stage->actors[0].mixer, stage->clip, &def);
    }
    stage->frame = 0;
    stage->next_crossfade = 0;
    pose_actors(stage, 0.0f);
    return true;
}

void cli_stage_advance(cli_stage *stage) {
    stage->frame++;
    pose_actors(stage, stage->step);
}

// ---- Looking at the pose -------------------------------------------------------------------------------------

const float *cli_actor_weights(const cli_actor *actor) {
    return sinew_mixer_pose(actor->mixer)->weights;
}

static bool frame_instance(const cli_actor *actor, const sinew_mesh_instance *instance, draw_framing *framing) {
    const sinew_mesh *mesh = &actor->asset->meshes[instance->mesh];
    for (int32_t i = 0; i < mesh->primitive_count; i++) {
        const sinew_primitive *primitive = &mesh->primitives[i];
        cli_vertices vertices;
        bool good = cli_skin_primitive(actor->asset, instance, primitive, cli_actor_weights(actor), actor->world,
                                       &vertices);
        if (good) draw_framing_add(framing, vertices.positions, primitive->vertex_count);
        cli_vertices_free(&vertices);
        if (!good) return false;
    }
    return true;
}

bool cli_stage_frame(const cli_stage *stage, draw_framing *framing) {
    for (int i = 0; i < stage->actor_count; i++) {
        const cli_actor *actor = &stage->actors[i];
        for (int32_t k = 0; k < actor->asset->instance_count; k++) {
            const sinew_mesh_instance *instance = &actor->asset->instances[k];
            if (!instance->in_scene || frame_instance(actor, instance, framing)) continue;
            cli_fail("%s: out of memory", actor->path);
            return false;
        }
    }
    return true;
}
