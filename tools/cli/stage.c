// SPDX-License-Identifier: MIT
// A scene's actors, and their pose in each frame.
#include "cli/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Loading -------------------------------------------------------------------------------------------------

// Finds the clip of an actor that isn't attached.
static bool find_clip(cli_actor *actor) {
    const cli_actor_arg *arg = actor->arg;
    if (!arg || arg->node[0]) return true;
    if (!arg->clip[0]) {
        actor->clip = actor->asset->clip_count > 0 ? &actor->asset->clips[0] : NULL;
        return true;
    }
    actor->clip = cli_find_clip(actor->asset, actor->path, arg->clip);
    return actor->clip != NULL;
}

// Returns the matrix that makes a model upright. A humanoid that faces away is turned around.
static sinew_affine upright_of(const sinew_asset *asset) {
    const sinew_affine upright = draw_upright(asset);
    const sinew_affine around = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}}};
    sinew_humanoid humanoid;
    sinew_humanoid_report report;
    if (sinew_humanoid_find(asset, NULL, &humanoid, &report, NULL) != SINEW_OK) return upright;
    const sinew_vec3 forward = sinew_affine_point(upright, report.forward);
    return forward.z < -0.5f ? sinew_affine_multiply(around, upright) : upright;
}

// Checks that an attachment's node exists.
static bool find_carrier_node(const cli_stage *stage, const cli_actor *actor) {
    const cli_actor_arg *arg = actor->arg;
    if (!arg || !arg->node[0]) return true;
    const cli_actor *carrier = &stage->actors[arg->carrier];
    return cli_find_node(carrier->asset, carrier->path, arg->node) != SINEW_NO_NODE;
}

bool cli_stage_add(cli_stage *stage, const char *path, const cli_actor_arg *arg) {
    cli_actor *actor = &stage->actors[stage->actor_count++];
    *actor = (cli_actor){.path = path, .arg = arg};
    actor->asset = cli_load_turned(path, stage->up);
    if (!actor->asset || !cli_allows_pose(actor->asset, path)) return false;
    actor->upright = upright_of(actor->asset);
    return find_clip(actor) && find_carrier_node(stage, actor);
}

// ---- The scene -----------------------------------------------------------------------------------------------

static sinew_transform transform_of(const cli_actor_arg *arg) {
    const sinew_vec3 up = {0.0f, 1.0f, 0.0f}, scale = {1.0f, 1.0f, 1.0f};
    return (sinew_transform){arg->at, sinew_quat_from_axis_angle(up, arg->turn * 3.14159265f / 180.0f), scale};
}

// Sets the world matrix of an actor that isn't attached: makes it upright, then turns and moves it.
static void place_upright(const cli_stage *stage, const cli_actor *actor) {
    sinew_affine world = actor->upright;
    if (actor->arg) world = sinew_affine_multiply(sinew_affine_from_transform(transform_of(actor->arg)), world);
    sinew_scene_set_matrix(stage->scene, actor->node, sinew_affine_multiply(stage->turn, world));
}

// Edits the first actor's pose (a sinew_instance_edit). A rig's character has already posed itself.
static bool edit_pose(sinew_scene *scene, sinew_scene_node instance, sinew_pose *pose, sinew_affine *model,
                      float dt, void *user) {
    (void)scene, (void)instance;
    cli_stage *stage = user;
    if (stage->actor) graph_actor_copy(stage->actor, pose, model);
    if (stage->replay) {
        const sinew_character *character = stage->replay->character;
        sinew_pose_copy(pose, sinew_mixer_pose(sinew_character_mixer(character)));
        memcpy(model, sinew_character_model(character), (size_t)pose->skeleton->node_count * sizeof *model);
    }
    if (stage->warps) cli_pose_warps_apply(stage->warps, dt, &stage->stride, pose, model);
    return true;
}

static bool has_rig(const cli_stage *stage) {
    return stage->script && stage->script->cast.stand.rig;
}

static bool add_instance(cli_stage *stage, cli_actor *actor) {
    sinew_instance_def def = sinew_instance_default();
    sinew_error error;
    const bool is_carried = actor->arg && actor->arg->node[0];
    def.asset = actor->asset;
    def.node.name = actor->path;
    if (actor == stage->actors && (stage->warps || has_rig(stage))) {
        def.edit = edit_pose;
        def.node.user = stage;
    }
    if (actor == stage->actors && stage->warps) stage->stride = stage->warps->start;
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.max_actions = SINEW_MAX_ACTIONS;
    if (actor == stage->actors && stage->all.count > 0) def.mixer = &mixer;
    if (actor == stage->actors) def.springs = stage->springs;
    if (is_carried) {
        const sinew_scene_node carrier = stage->actors[actor->arg->carrier].node;
        def.node.parent = sinew_scene_find_joint(stage->scene, carrier, actor->arg->node);
    }
    if (sinew_scene_add_instance(stage->scene, &def, &actor->node, &error) != SINEW_OK) {
        cli_fail("%s: %s", actor->path, error.message);
        return false;
    }
    if (is_carried) {
        sinew_scene_set_inherits_scale(stage->scene, actor->node, false); // many hands are scaled by 0.01
    } else {
        place_upright(stage, actor);
    }
    return true;
}

// Creates a new scene, because a shot must not depend on the previous one.
static bool make_scene(cli_stage *stage) {
    sinew_scene_def def = sinew_scene_default();
    def.max_nodes = CLI_MAX_ACTORS;
    sinew_scene_destroy(stage->scene);
    sinew_error error;
    if (sinew_scene_create(&def, &stage->scene, &error) != SINEW_OK) {
        cli_fail("%s: %s", stage->actors[0].path, error.message);
        return false;
    }
    sinew_scene_set_wind(stage->scene, stage->wind);
    for (int i = 0; i < stage->actor_count; i++) {
        if (!add_instance(stage, &stage->actors[i])) return false;
    }
    return true;
}

void cli_warn_left_out(const draw_all_clips *all, const char *path) {
    char more[40] = "";
    if (all->left_out_count == 0) return;
    if (all->left_out_count > 1) snprintf(more, sizeof more, " and %d more", (int)(all->left_out_count - 1));
    cli_warn("%s: left out '%s'%s: another clip moves the same nodes", path, all->left_out->name, more);
}

// ---- Echoes --------------------------------------------------------------------------------------------------

enum { LOOP_STEPS = 8 };

// Returns how far apart two poses are, to compare poses of one skeleton.
static double pose_distance(const sinew_affine *a, const sinew_affine *b, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 12; k++) {
            double difference = (double)a[i].m[k / 4][k % 4] - (double)b[i].m[k / 4][k % 4];
            sum += difference * difference;
        }
    }
    return sqrt(sum);
}

// Returns whether a clip is a loop: its last pose is at most 0.3 times as far from the first pose as the farthest one.
static bool is_loop(const sinew_clip *clip, sinew_pose *pose, sinew_affine *first, sinew_affine *other) {
    const int32_t count = clip->skeleton->node_count;
    double farthest = 0.0, last = 0.0;
    sinew_clip_sample(clip, 0.0f, pose);
    sinew_pose_to_model(pose, first);
    for (int i = 1; i <= LOOP_STEPS; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / (float)LOOP_STEPS, pose);
        sinew_pose_to_model(pose, other);
        last = pose_distance(first, other, count);
        farthest = fmax(farthest, last);
    }
    return last <= 0.3 * farthest;
}

static bool choose_wait(cli_stage *echo) {
    echo->wait = 0.0f;
    if (echo->delay <= echo->clip_time) return true;
    if (echo->script) echo->wait = echo->delay - echo->clip_time;
    if (!echo->clip) return true;
    const size_t count = (size_t)echo->clip->skeleton->node_count + 1;
    sinew_affine *first = malloc(count * sizeof *first), *other = malloc(count * sizeof *other);
    sinew_pose *pose = NULL;
    bool good = first && other && sinew_pose_create(echo->clip->skeleton, NULL, &pose) == SINEW_OK;
    if (!good) cli_fail("%s: out of memory", echo->actors[0].path);
    if (good && !is_loop(echo->clip, pose, first, other)) echo->wait = echo->delay - echo->clip_time;
    sinew_pose_destroy(pose);
    free(first);
    free(other);
    return good;
}

bool cli_stage_echo(cli_stage *echo, const cli_stage *stage, float delay) {
    *echo = *stage;
    echo->echo = true;
    echo->delay = delay;
    echo->scene = NULL;
    echo->animator = NULL;
    echo->actor = NULL;
    echo->replay = NULL;
    return choose_wait(echo);
}

static void end_script(cli_stage *stage) {
    if (!stage->actor && !stage->replay) sinew_animator_destroy(stage->animator);
    cli_script_end_actor(stage->actor);
    sinew_character_replay_destroy(stage->replay);
    stage->animator = NULL;
    stage->actor = NULL;
    stage->replay = NULL;
}

void cli_stage_free(cli_stage *stage) {
    sinew_scene_destroy(stage->scene);
    end_script(stage);
    if (!stage->echo) draw_all_clips_free(&stage->all);
    if (!stage->echo) sinew_springs_destroy(stage->springs);
    for (int i = 0; i < stage->actor_count && !stage->echo; i++) sinew_asset_destroy(stage->actors[i].asset);
    *stage = (cli_stage){0};
}

// ---- Posing --------------------------------------------------------------------------------------------------

static sinew_mixer *mixer_of(const cli_stage *stage, int actor) {
    return sinew_scene_mixer(stage->scene, stage->actors[actor].node);
}

// Starts the cross-fades up to the current frame, with a tolerance of half a step.
static void start_crossfades(cli_stage *stage) {
    const float now = ((float)stage->frame + 0.5f) * stage->step - stage->delay;
    for (; stage->next_crossfade < stage->crossfade_count; stage->next_crossfade++) {
        const cli_crossfade *fade = &stage->crossfades[stage->next_crossfade];
        if (fade->start > now) return;
        sinew_play_def def = sinew_play_default();
        def.loop = fade->once ? SINEW_LOOP_ONCE : SINEW_LOOP_REPEAT;
        sinew_mixer_crossfade_to(mixer_of(stage, 0), sinew_clip_source(fade->clip), fade->duration, &def);
        stage->newest = fade->clip;
    }
}

// Returns a recorded character's world matrix with +Y up.
static sinew_affine recorded_world(const cli_stage *stage) {
    static const sinew_affine z_up = {{{1, 0, 0, 0}, {0, 0, 1, 0}, {0, -1, 0, 0}}};
    const sinew_affine world = sinew_affine_from_transform(sinew_character_world(stage->replay->character));
    return stage->up == SINEW_UP_Z ? sinew_affine_multiply(z_up, world) : world;
}

// Starts a recording, and turns its world so the character faces +Z after the first update.
static bool start_replay(cli_stage *stage) {
    stage->replay = cli_script_replay(stage->script);
    if (!stage->replay) return false;
    stage->animator = sinew_character_animator(stage->replay->character);
    cli_script_follow(stage->replay, 0.0f);
    const float *forward = stage->actors[0].upright.m[2]; // in model space
    sinew_affine world = recorded_world(stage);
    for (int i = 0; i < 3; i++) world.m[i][3] = 0.0f;
    const sinew_vec3 facing = sinew_affine_point(world, (sinew_vec3){forward[0], forward[1], forward[2]});
    const sinew_quat turn = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, -atan2f(facing.x, facing.z));
    stage->turn = sinew_affine_from_transform((sinew_transform){{0, 0, 0}, turn, {1, 1, 1}});
    for (int i = 1; i < stage->actor_count; i++) {
        const cli_actor *actor = &stage->actors[i];
        if (!actor->arg->node[0]) place_upright(stage, actor);
    }
    return true;
}

// Gives the first actor a new animator for the script. The scene doesn't destroy it.
static bool start_script(cli_stage *stage) {
    end_script(stage);
    stage->next_input = 0;
    stage->script_time = 0.0f;
    if (stage->script->recorded.bytes) return start_replay(stage);
    if (has_rig(stage)) {
        stage->actor = cli_script_act(stage->script);
        if (stage->actor) stage->animator = sinew_character_animator(stage->actor->character);
        return stage->actor != NULL;
    }
    stage->animator = cli_script_animate(stage->script);
    if (!stage->animator) return false;
    sinew_error error;
    sinew_mixer *mixer = sinew_animator_mixer(stage->animator);
    if (sinew_scene_use_mixer(stage->scene, stage->actors[0].node, mixer, &error) == SINEW_OK) return true;
    cli_fail("%s: %s", stage->actors[0].path, error.message);
    return false;
}

// SPRING_LEAD is how many seconds of the clip play before the first frame, to let springs settle into their motion.
enum { SCRIPT_RATE = 60, SPRING_RATE = 60, SPRING_LEAD = 3 };

// Follows a recording, including the character's path through the world.
static void play_recording(cli_stage *stage, float seconds) {
    stage->script_time += seconds;
    cli_script_follow(stage->replay, stage->script_time);
    const sinew_affine world = sinew_affine_multiply(stage->turn, recorded_world(stage));
    sinew_scene_set_matrix(stage->scene, stage->actors[0].node, world);
    sinew_scene_update(stage->scene, seconds);
}

// Advances the scene in equal steps of at most 1/60 s. A graph takes transitions once per step, so this makes a sheet's
// frames match a game's.
static void play_script(cli_stage *stage, float seconds) {
    const int count = (int)fmaxf(ceilf(seconds * SCRIPT_RATE - 0.01f), 1.0f);
    const float step = seconds / (float)count;
    for (int i = 0; i < count; i++) {
        const float tolerance = 0.5f / SCRIPT_RATE;
        stage->next_input =
            cli_script_input(stage->script, stage->animator, stage->next_input, stage->script_time + tolerance);
        if (stage->actor) {
            cli_script_play(stage->script, stage->actor, stage->next_input, step);
        } else {
            sinew_animator_advance(stage->animator, step);
        }
        sinew_scene_update(stage->scene, step);
        stage->script_time += step;
    }
}

static void pose_actors(cli_stage *stage, float seconds) {
    if (stage->replay) {
        play_recording(stage, seconds);
        return;
    }
    if (stage->script) {
        play_script(stage, seconds);
        return;
    }
    const int count = stage->springs ? (int)fmaxf(ceilf(seconds * SPRING_RATE - 0.01f), 1.0f) : 1;
    for (int i = 0; i < count; i++) sinew_scene_update(stage->scene, seconds / (float)count);
    start_crossfades(stage);
}

// Returns the clip time of the first frame. An echo's time wraps backward.
static float first_time(const cli_stage *stage, const sinew_clip *clip, float time) {
    const float duration = clip->duration;
    time -= stage->delay;
    if (time >= 0.0f || duration <= 0.0f || stage->wait > 0.0f) return fmaxf(time, 0.0f);
    return fminf(time - duration * floorf(time / duration), duration);
}

// Returns the first frame's time without wrapping. While an echo waits, that's the start.
static float unwrapped_time(const cli_stage *stage) {
    const float time = stage->clip_time - stage->delay;
    return stage->wait > 0.0f ? fmaxf(time, 0.0f) : time;
}

// Plays the other clips in `all`, with the first one at a time that may be before its start.
static void play_others(const cli_stage *stage, float time) {
    sinew_play_def def = sinew_play_default();
    sinew_action actions[SINEW_MAX_ACTIONS];
    def.layer = 1;
    if (stage->all.count > 0) draw_all_clips_play(&stage->all, mixer_of(stage, 0), &def, time, actions);
}

// Plays some seconds of the clip up to its first frame.
static void lead_in(cli_stage *stage) {
    const float step = 1.0f / SPRING_RATE;
    const float start = first_time(stage, stage->clip, stage->clip_time);
    sinew_play_def def = sinew_play_default();
    def.time = draw_all_clips_time(stage->clip, start - SPRING_LEAD);
    sinew_mixer_play(mixer_of(stage, 0), sinew_clip_source(stage->clip), &def);
    play_others(stage, unwrapped_time(stage) - SPRING_LEAD);
    for (int i = 0; i < SPRING_LEAD * SPRING_RATE; i++) sinew_scene_update(stage->scene, step);
}

static void play(const cli_stage *stage, int actor, const sinew_clip *clip, float time) {
    if (!clip) return;
    sinew_play_def def = sinew_play_default();
    def.time = first_time(stage, clip, time);
    sinew_mixer_play(mixer_of(stage, actor), sinew_clip_source(clip), &def);
}

// Returns the time of another actor's clip. All clips start together.
static float others_time(const cli_stage *stage, const sinew_clip *clip) {
    if (!(clip->duration > 0.0f)) return 0.0f;
    return fmodf(stage->clip_time, clip->duration);
}

bool cli_stage_start(cli_stage *stage) {
    stage->turn = sinew_affine_identity();
    if (!make_scene(stage)) return false;
    if (stage->script && !start_script(stage)) return false;
    if (stage->springs && stage->clip && stage->clip->duration > 0.0f) {
        lead_in(stage);
    } else {
        play(stage, 0, stage->clip, stage->clip_time);
        play_others(stage, unwrapped_time(stage));
    }
    for (int i = 1; i < stage->actor_count; i++) {
        const sinew_clip *clip = stage->actors[i].clip;
        if (clip) play(stage, i, clip, others_time(stage, clip));
    }
    stage->newest = stage->clip;
    stage->frame = 0;
    stage->next_crossfade = 0;
    pose_actors(stage, stage->script ? fmaxf(stage->clip_time - stage->delay, 0.0f) : 0.0f);
    return true;
}

// Returns how many seconds have played up to a frame.
static float played(const cli_stage *stage, int frame) {
    return fmaxf((float)frame * stage->step - stage->wait, 0.0f);
}

void cli_stage_advance(cli_stage *stage) {
    stage->frame++;
    const bool waited = stage->wait > 0.0f;
    pose_actors(stage, waited ? played(stage, stage->frame) - played(stage, stage->frame - 1) : stage->step);
}

// ---- Queries -------------------------------------------------------------------------------------------------

sinew_affine cli_stage_world(const cli_stage *stage, const cli_actor *actor, int32_t node) {
    return sinew_scene_world(stage->scene, sinew_scene_joint(actor->node, node));
}

enum { MAX_ACTIONS = 16 }; // a mixer's default

static void describe_script(const cli_stage *stage, char *text, size_t room) {
    cli_script_describe(stage->script, stage->animator, text, room);
    const size_t length = strlen(text);
    snprintf(text + length, room - length, "%s%.2f s", length > 0 ? " " : "", (double)stage->script_time);
}

void cli_stage_describe(const cli_stage *stage, char *text, size_t room) {
    if (stage->script) {
        describe_script(stage, text, room);
        return;
    }
    const sinew_mixer *mixer = mixer_of(stage, 0);
    sinew_action actions[MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(mixer, actions, MAX_ACTIONS), newest = count - 1, other = -1;
    float sum = 0.0f, most = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        float weight = sinew_action_weight(mixer, actions[i]);
        sum += weight;
        if (sinew_action_get(mixer, actions[i]).clip == stage->newest) newest = i;
    }
    for (int32_t i = 0; i < count; i++) {
        float weight = sinew_action_weight(mixer, actions[i]);
        if (i == newest || weight <= most) continue;
        most = weight;
        other = i;
    }
    text[0] = '\0';
    if (count == 0) return;
    const char *name = stage->all.count > 0 ? "All clips" : sinew_action_get(mixer, actions[newest]).clip->name;
    if (other < 0 || stage->all.count > 0) {
        snprintf(text, room, "%s %.2f s", name, (double)sinew_action_time(mixer, actions[newest]));
    } else {
        snprintf(text, room, "%s \xe2\x86\x92 %s %.0f%%", sinew_action_get(mixer, actions[other]).clip->name, name,
                 100.0 * (double)(sinew_action_weight(mixer, actions[newest]) / sum));
    }
}

// Transforms vertices from instance space to world space, and adds them to the framing.
static void add_points(draw_framing *framing, sinew_affine world, float *positions, int32_t count) {
    for (size_t i = 0; i < (size_t)count; i++) {
        float *p = positions + 3 * i;
        const sinew_vec3 point = sinew_affine_point(world, (sinew_vec3){p[0], p[1], p[2]});
        p[0] = point.x;
        p[1] = point.y;
        p[2] = point.z;
    }
    draw_framing_add(framing, positions, count);
}

static bool frame_instance(const cli_stage *stage, const cli_actor *actor, const sinew_mesh_node *mesh_node,
                           draw_framing *framing) {
    const sinew_mesh *mesh = &actor->asset->meshes[mesh_node->mesh];
    const sinew_affine world = sinew_scene_world(stage->scene, actor->node);
    for (int32_t i = 0; i < mesh->primitive_count; i++) {
        const sinew_primitive *primitive = &mesh->primitives[i];
        cli_vertices vertices;
        bool good =
            cli_skin_primitive(actor->asset, mesh_node, primitive, sinew_scene_weights(stage->scene, actor->node),
                               sinew_scene_model_matrices(stage->scene, actor->node), &vertices);
        if (good) add_points(framing, world, vertices.positions, primitive->vertex_count);
        cli_vertices_free(&vertices);
        if (!good) return false;
    }
    return true;
}

bool cli_is_motion(const sinew_asset *asset) {
    return asset->mesh_count == 0 && asset->clip_count > 0;
}

static void frame_nodes(const cli_stage *stage, const cli_actor *actor, draw_framing *framing) {
    for (int32_t i = 0; i < actor->asset->skeleton->node_count; i++) {
        const sinew_affine world = cli_stage_world(stage, actor, i);
        const float position[3] = {world.m[0][3], world.m[1][3], world.m[2][3]};
        draw_framing_add(framing, position, 1);
    }
}

bool cli_stage_frame(const cli_stage *stage, draw_framing *framing) {
    for (int i = 0; i < stage->actor_count; i++) {
        const cli_actor *actor = &stage->actors[i];
        if (cli_is_motion(actor->asset)) frame_nodes(stage, actor, framing);
        for (int32_t k = 0; k < actor->asset->mesh_node_count; k++) {
            const sinew_mesh_node *mesh_node = &actor->asset->mesh_nodes[k];
            if (!mesh_node->in_scene || !mesh_node->visible) continue;
            if (frame_instance(stage, actor, mesh_node, framing)) continue;
            cli_fail("%s: out of memory", actor->path);
            return false;
        }
    }
    return true;
}
