// Actors, and how a frame's pose follows from the one before.
#include "stage.h"

#include <math.h>
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

// For the matrices of what is carried, and of what has +Z up while pictures have +Y up.
static bool make_room(cli_actor *actor) {
    if (actor->hand == SINEW_NO_NODE && actor->asset->up == SINEW_UP_Y) return true;
    actor->placed = malloc(((size_t)actor->asset->skeleton->node_count + 1) * sizeof *actor->placed);
    if (!actor->placed) cli_fail("%s: out of memory", actor->path);
    return actor->placed != NULL;
}

static bool load_actor(const cli_stage *stage, cli_actor *actor, const char *hand) {
    actor->asset = cli_load_turned(actor->path, stage->up);
    if (!actor->asset) return false;
    if (!hand) return make_room(actor);
    const cli_actor *carrier = &stage->actors[0];
    actor->hand = cli_find_node(carrier->asset, carrier->path, hand);
    return actor->hand != SINEW_NO_NODE && make_room(actor);
}

bool cli_stage_add(cli_stage *stage, const char *path, const char *hand) {
    cli_actor *actor = &stage->actors[stage->actor_count++];
    *actor = (cli_actor){.path = path, .hand = SINEW_NO_NODE};
    return load_actor(stage, actor, hand);
}

// ---- Echoes --------------------------------------------------------------------------------------------------

enum { LOOP_STEPS = 8 };

// How far apart two poses are: comparable with others of the same skeleton only.
static double gap(const sinew_affine *a, const sinew_affine *b, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 12; k++) {
            double difference = (double)a[i].m[k / 4][k % 4] - (double)b[i].m[k / 4][k % 4];
            sum += difference * difference;
        }
    }
    return sqrt(sum);
}

// A clip is a loop where it ends about where it began, however far it went.
static bool comes_back(const sinew_clip *clip, sinew_pose *pose, sinew_affine *first, sinew_affine *other) {
    const int32_t count = clip->skeleton->node_count;
    double farthest = 0.0, last = 0.0;
    sinew_clip_sample(clip, 0.0f, pose);
    sinew_pose_to_model(pose, first);
    for (int i = 1; i <= LOOP_STEPS; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / (float)LOOP_STEPS, pose);
        sinew_pose_to_model(pose, other);
        last = gap(first, other, count);
        farthest = fmax(farthest, last);
    }
    return last <= 0.3 * farthest;
}

static bool choose_wait(cli_stage *echo) {
    echo->wait = 0.0f;
    if (!echo->clip || echo->delay <= echo->clip_time) return true;
    const size_t count = (size_t)echo->clip->skeleton->node_count + 1;
    sinew_affine *first = malloc(count * sizeof *first), *other = malloc(count * sizeof *other);
    sinew_pose *pose = NULL;
    bool good = first && other && sinew_pose_create(echo->clip->skeleton, NULL, &pose) == SINEW_OK;
    if (!good) cli_fail("%s: out of memory", echo->actors[0].path);
    if (good && !comes_back(echo->clip, pose, first, other)) echo->wait = echo->delay - echo->clip_time;
    sinew_pose_destroy(pose);
    free(first);
    free(other);
    return good;
}

bool cli_stage_echo(cli_stage *echo, const cli_stage *of, float delay) {
    *echo = *of;
    echo->echo = true;
    echo->delay = delay;
    for (int i = 0; i < echo->actor_count; i++) {
        echo->actors[i].mixer = NULL;
        echo->actors[i].placed = NULL;
    }
    for (int i = 0; i < echo->actor_count; i++) {
        if (!make_room(&echo->actors[i])) return false;
    }
    return choose_wait(echo);
}

void cli_stage_free(cli_stage *stage) {
    for (int i = 0; i < stage->actor_count; i++) {
        cli_actor *actor = &stage->actors[i];
        sinew_mixer_destroy(actor->mixer);
        free(actor->placed);
        if (!stage->echo) sinew_asset_destroy(actor->asset);
    }
    *stage = (cli_stage){0};
}

// ---- Posing --------------------------------------------------------------------------------------------------

// What is carried is where the carrying node is, with its own pose inside.
static void place_actor(cli_actor *actor, const sinew_affine *carrier_world) {
    const sinew_affine *own = sinew_mixer_model_matrices(actor->mixer);
    const int32_t count = actor->asset->skeleton->node_count;
    actor->world = actor->placed ? actor->placed : own;
    if (!actor->placed) return;
    if (actor->hand == SINEW_NO_NODE) {
        draw_stand_upright(own, count, actor->placed);
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        actor->placed[i] = sinew_affine_multiply(carrier_world[actor->hand], own[i]);
    }
}

// Starts the cross-fades whose time has come. A frame stands a little before its time as often as after, so half a
// step is allowed for.
static void start_crossfades(cli_stage *stage) {
    const float now = ((float)stage->frame + 0.5f) * stage->step - stage->delay;
    for (; stage->next_crossfade < stage->crossfade_count; stage->next_crossfade++) {
        const cli_crossfade *fade = &stage->crossfades[stage->next_crossfade];
        if (fade->start > now) return;
        sinew_play_def def = sinew_play_default_def();
        def.loop = fade->once ? SINEW_LOOP_ONCE : SINEW_LOOP_REPEAT;
        sinew_mixer_crossfade_to(stage->actors[0].mixer, fade->clip, fade->duration, &def);
        stage->newest = fade->clip;
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

// Where in the clip the first frame is, some loops back for an echo.
static float first_time(const cli_stage *stage) {
    float time = stage->clip_time - stage->delay, duration = stage->clip->duration;
    if (time >= 0.0f || duration <= 0.0f || stage->wait > 0.0f) return fmaxf(time, 0.0f);
    return fminf(time - duration * floorf(time / duration), duration);
}

bool cli_stage_start(cli_stage *stage) {
    for (int i = 0; i < stage->actor_count; i++) {
        if (!create_mixer(&stage->actors[i])) return false;
    }
    if (stage->clip) {
        sinew_play_def def = sinew_play_default_def();
        def.time = first_time(stage);
        sinew_mixer_play(stage->actors[0].mixer, stage->clip, &def);
    }
    stage->newest = stage->clip;
    stage->frame = 0;
    stage->next_crossfade = 0;
    pose_actors(stage, 0.0f);
    return true;
}

// Seconds played up to a frame.
static float played(const cli_stage *stage, int frame) {
    return fmaxf((float)frame * stage->step - stage->wait, 0.0f);
}

void cli_stage_advance(cli_stage *stage) {
    stage->frame++;
    const bool waited = stage->wait > 0.0f;
    pose_actors(stage, waited ? played(stage, stage->frame) - played(stage, stage->frame - 1) : stage->step);
}

// ---- Looking at the pose -------------------------------------------------------------------------------------

const float *cli_actor_weights(const cli_actor *actor) {
    return sinew_mixer_weights(actor->mixer);
}

enum { MOST_ACTIONS = 16 }; // of a mixer, by default

void cli_stage_describe(const cli_stage *stage, char *text, size_t room) {
    const sinew_mixer *mixer = stage->actors[0].mixer;
    sinew_action actions[MOST_ACTIONS];
    int32_t count = sinew_mixer_actions(mixer, actions, MOST_ACTIONS), newest = count - 1, other = -1;
    float sum = 0.0f, most = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float weight = sinew_action_weight(mixer, actions[i]);
        sum += weight;
        if (sinew_action_clip(mixer, actions[i]) == stage->newest) newest = i;
    }
    for (int32_t i = 0; i < count; i++) {
        float weight = sinew_action_weight(mixer, actions[i]);
        if (i == newest || weight <= most) continue;
        most = weight;
        other = i;
    }
    text[0] = '\0';
    if (count == 0) return;
    const char *name = sinew_action_clip(mixer, actions[newest])->name;
    if (other < 0) {
        snprintf(text, room, "%s %.2f s", name, (double)sinew_action_time(mixer, actions[newest]));
    } else {
        snprintf(text, room, "%s \xe2\x86\x92 %s %.0f%%", sinew_action_clip(mixer, actions[other])->name, name,
                 100.0 * (double)(sinew_action_weight(mixer, actions[newest]) / sum));
    }
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
            if (!instance->in_scene || !instance->visible || frame_instance(actor, instance, framing)) continue;
            cli_fail("%s: out of memory", actor->path);
            return false;
        }
    }
    return true;
}
