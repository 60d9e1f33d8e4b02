// SPDX-License-Identifier: MIT
// A character on the tools' ground: how fast its clips carry it, and the stairs that it climbs.
#include "graph/actor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STAIR_PART 0.07f // height of a stair, as a fraction of the character's height: 12 cm for a person
#define TREAD      7.0f  // length of a stair, relative to its height

// ---- Gaits ---------------------------------------------------------------------------------------------------------

static const graph_gait *find_gait(const graph_stand *stand, const sinew_clip *clip) {
    for (int32_t i = 0; i < stand->gait_count; i++) {
        if (stand->gaits[i].clip == clip) return &stand->gaits[i];
    }
    return NULL;
}

static void add_gait(graph_stand *stand, const sinew_feet *feet, const sinew_clip *clip) {
    sinew_clip_speed speed;
    if (clip->additive || find_gait(stand, clip) || !sinew_clip_measure_speed(clip, feet, &speed)) return;
    stand->gaits[stand->gait_count++] = (graph_gait){clip, speed.velocity};
}

static void add_source(graph_stand *stand, const sinew_feet *feet, const sinew_source *source) {
    if (source->clip) add_gait(stand, feet, source->clip);
    for (int32_t i = 0; source->blend_space && i < source->blend_space->sample_count; i++)
        add_gait(stand, feet, source->blend_space->samples[i].clip);
}

static size_t count_clips(const sinew_graph_binding *binding) {
    size_t count = 1;
    for (int32_t i = 0; i < binding->graph->state_count; i++) {
        const sinew_blend_space *space = binding->sources[i].blend_space;
        count += space ? (size_t)space->sample_count : 1;
    }
    return count;
}

static bool measure_gaits(graph_stand *stand, const sinew_feet *feet) {
    const sinew_graph_binding *binding = stand->rig->binding;
    stand->gaits = calloc(count_clips(binding), sizeof *stand->gaits);
    for (int32_t i = 0; stand->gaits && i < binding->graph->state_count; i++) {
        if (sinew_graph_state_layer(binding->graph, i) == 0) add_source(stand, feet, &binding->sources[i]);
    }
    return stand->gaits != NULL;
}

// Finds the rig's feet, which are used to measure clips. Without any, the character doesn't walk.
static bool read_feet(graph_stand *stand) {
    const sinew_rig *rig = stand->rig;
    int32_t nodes[SINEW_MAX_FEET];
    sinew_feet feet;
    for (int32_t i = 0; i < rig->foot_count; i++) nodes[i] = rig->feet[i].node;
    if (rig->foot_count == 0) return true;
    if (sinew_feet_from_nodes(rig->binding->skeleton, nodes, rig->foot_count, rig->binding->up, &feet, NULL) !=
        SINEW_OK)
        return true;
    stand->stair = STAIR_PART * feet.height;
    return measure_gaits(stand, &feet);
}

// ---- The stand -----------------------------------------------------------------------------------------------------

static sinew_result fail_memory(sinew_error *error) {
    *error = (sinew_error){SINEW_ERROR_OUT_OF_MEMORY, "out of memory"};
    return SINEW_ERROR_OUT_OF_MEMORY;
}

sinew_result graph_stand_create(graph_stand *stand, const sinew_graph_binding *binding, sinew_error *error) {
    *stand = (graph_stand){.stair = STAIR_PART};
    sinew_rig_def def = sinew_rig_default();
    def.binding = binding;
    const sinew_result result = sinew_rig_create(&def, &stand->rig, error);
    if (result != SINEW_OK) return result;
    return read_feet(stand) ? SINEW_OK : fail_memory(error);
}

void graph_stand_free(graph_stand *stand) {
    sinew_rig_destroy(stand->rig);
    free(stand->gaits);
    *stand = (graph_stand){.rig = NULL};
}

// ---- Springs -------------------------------------------------------------------------------------------------------

static int32_t find_node(const sinew_graph_binding *binding, const char *name) {
    const size_t length = sizeof SINEW_ROLE_PREFIX - 1;
    if (strncmp(name, SINEW_ROLE_PREFIX, length) != 0) return sinew_skeleton_find(binding->skeleton, name);
    const int32_t role = sinew_humanoid_find_role(name + length);
    return role == SINEW_NO_ROLE ? SINEW_NO_NODE : sinew_humanoid_node_of(binding->humanoid, role);
}

static bool is_below(const sinew_skeleton *skeleton, int32_t root, int32_t node) {
    return root != SINEW_NO_NODE && node >= root && node < skeleton->subtree_ends[root];
}

static bool file_swings(const graph_stand *stand, int32_t node) {
    const sinew_asset *asset = stand->rig->binding->asset;
    for (int32_t i = 0; asset && asset->vrm && i < asset->vrm->spring_count; i++) {
        if (is_below(asset->skeleton, asset->vrm->springs[i].joints[0].node, node)) return true;
    }
    return false;
}

bool graph_stand_swings(const graph_stand *stand, int32_t node) {
    const sinew_graph_binding *binding = stand->rig->binding;
    for (int32_t i = 0; i < binding->graph->step_count; i++) {
        const sinew_rig_step *step = &binding->graph->steps[i];
        if (step->kind != SINEW_RIG_SPRINGS) continue;
        if (step->springs.chain_count == 0 && file_swings(stand, node)) return true;
        for (int32_t k = 0; k < step->springs.chain_count; k++) {
            const int32_t root = find_node(binding, step->springs.chains[k].root);
            if (is_below(binding->skeleton, root, node)) return true;
        }
    }
    return false;
}

// ---- The ground ----------------------------------------------------------------------------------------------------

static bool is_z_up(const graph_actor *actor) {
    return actor->stand->rig->binding->up == SINEW_UP_Z;
}

// Returns how far ahead of the start a place is.
static float ahead(const graph_actor *actor, sinew_vec3 place) {
    return is_z_up(actor) ? -place.y : place.z;
}

static void set_height(const graph_actor *actor, sinew_vec3 *place, float height) {
    *(is_z_up(actor) ? &place->z : &place->y) = height;
}

static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    const graph_actor *actor = user;
    const float stair = actor->stand->stair, steps = ahead(actor, place) / (TREAD * stair);
    set_height(actor, &place, actor->ground == GRAPH_GROUND_STAIR ? stair * floorf(steps + 0.5f) : 0.0f);
    ground->position = place;
    ground->normal = is_z_up(actor) ? (sinew_vec3){0, 0, 1} : (sinew_vec3){0, 1, 0};
    return true;
}

// Returns the height of an even slope. The character climbs that, like a game's capsule.
static float slope_height(const graph_actor *actor, sinew_vec3 place) {
    return actor->ground == GRAPH_GROUND_STAIR ? ahead(actor, place) / TREAD : 0.0f;
}

// ---- The actor -----------------------------------------------------------------------------------------------------

static void run_nothing(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                        sinew_affine *model, void *user) {
    (void)character, (void)step, (void)weight, (void)dt, (void)pose, (void)model, (void)user;
}

static bool warps_root(const sinew_graph *graph) {
    for (int32_t i = 0; i < graph->step_count; i++) {
        if (graph->steps[i].kind == SINEW_RIG_ROOT_WARP) return true;
    }
    return false;
}

sinew_result graph_actor_create(graph_actor *actor, const graph_stand *stand, graph_ground ground,
                                int32_t max_events, sinew_error *error) {
    *actor = (graph_actor){.stand = stand, .ground = ground};
    sinew_character_def def = sinew_character_default();
    def.rig = stand->rig;
    def.ground = find_ground;
    def.step = run_nothing;
    def.user = actor;
    def.max_events = max_events;
    sinew_root_motion_def motion = sinew_root_motion_default(); // root warps need it
    sinew_mixer_def mixer = sinew_mixer_default();
    motion.skeleton = stand->rig->binding->skeleton;
    motion.node = stand->rig->binding->humanoid->nodes[SINEW_HUMANOID_HIPS];
    if (motion.node == SINEW_NO_NODE) motion.node = 0;
    motion.up = stand->rig->binding->up;
    mixer.root_motion = &motion;
    if (warps_root(stand->rig->binding->graph)) def.mixer = &mixer;
    return sinew_character_create(&def, &actor->character, error);
}

void graph_actor_free(graph_actor *actor) {
    sinew_character_destroy(actor->character);
    *actor = (graph_actor){.character = NULL};
}

sinew_vec3 graph_actor_walked(const graph_actor *actor) {
    return sinew_character_world(actor->character).translation;
}

// ---- Walking -------------------------------------------------------------------------------------------------------

static float phase_of(const sinew_action_state *state) {
    return state->clip->duration > 0 ? state->time / state->clip->duration : 0;
}

static const graph_played *find_played(const graph_actor *actor, sinew_action action) {
    for (int32_t i = 0; i < actor->played_count; i++) {
        if (actor->played[i].action.id == action.id) return &actor->played[i];
    }
    return NULL;
}

// Returns an action's cycles per second in this frame. If a different clip in a blend space has the largest weight now,
// its phase may also differ, so this returns the last frame's rate. A new action has none.
static float rate_of(const graph_actor *actor, sinew_action action, const sinew_action_state *now, float dt) {
    const graph_played *last = find_played(actor, action);
    if (!last) return 0;
    if (last->clip != now->clip) return last->rate;
    float advance = phase_of(now) - last->phase;
    if (fabsf(advance) > 0.5f) advance -= copysignf(1.0f, advance);
    return dt > 0 ? advance / dt : last->rate;
}

// Adds how far a clip moves in a part of its cycle.
static void add_clip(const graph_stand *stand, const sinew_clip *clip, float part, sinew_vec3 *moved) {
    const graph_gait *gait = find_gait(stand, clip);
    if (gait) *moved = sinew_vec3_add(*moved, sinew_vec3_scale(gait->velocity, part * clip->duration));
}

static void add_action(const graph_stand *stand, const sinew_action_state *now, float part, sinew_vec3 *moved) {
    const sinew_blend_space *space = now->source.blend_space;
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    if (!space) {
        add_clip(stand, now->clip, part, moved);
        return;
    }
    const int32_t count =
        sinew_blend_space_weights(space, (float)now->parameter.x, (float)now->parameter.y, weights);
    for (int32_t i = 0; i < count; i++)
        add_clip(stand, space->samples[weights[i].sample].clip, part * weights[i].weight, moved);
}

// Returns how far the base layer's clips carried the character in this frame.
static sinew_vec3 measure_walk(graph_actor *actor, float dt) {
    const sinew_mixer *mixer = sinew_character_mixer(actor->character);
    sinew_action actions[GRAPH_ACTOR_PLAYED];
    graph_played now[GRAPH_ACTOR_PLAYED];
    const int32_t all = sinew_mixer_actions(mixer, actions, GRAPH_ACTOR_PLAYED);
    int32_t count = 0;
    sinew_vec3 moved = {0, 0, 0};
    float total = 0;
    for (int32_t i = 0; i < all && i < GRAPH_ACTOR_PLAYED; i++) {
        const sinew_action_state state = sinew_action_get(mixer, actions[i]);
        if (state.layer != 0) continue;
        const float rate = rate_of(actor, actions[i], &state, dt);
        now[count++] = (graph_played){actions[i], state.clip, phase_of(&state), rate};
        total += state.weight;
        add_action(actor->stand, &state, state.weight * rate * dt, &moved);
    }
    memcpy(actor->played, now, (size_t)count * sizeof *now);
    actor->played_count = count;
    return total > 0 ? sinew_vec3_scale(moved, 1 / total) : moved;
}

// Returns the motion after a warp. The pose follows in the same frame or a few frames later.
static sinew_vec3 warp_walk(const graph_actor *actor, int32_t index, sinew_vec3 moved) {
    const sinew_rig_step *step = &actor->stand->rig->binding->graph->steps[index];
    const sinew_animator *animator = sinew_character_animator(actor->character);
    const float weight = sinew_character_step_weight(actor->character, index);
    if (step->kind == SINEW_RIG_STRIDE_WARP) {
        const sinew_stride_warp *warp = &step->stride_warp;
        const float scale =
            fminf(fmaxf(sinew_animator_float(animator, step->input), warp->min_scale), warp->max_scale);
        return sinew_vec3_scale(moved, 1 + weight * (scale - 1));
    }
    if (step->kind != SINEW_RIG_ORIENTATION_WARP) return moved;
    const float limit = step->orientation_warp.limit;
    const float angle = fminf(fmaxf(sinew_animator_float(animator, step->input), -limit), limit);
    const sinew_vec3 up = is_z_up(actor) ? (sinew_vec3){0, 0, 1} : (sinew_vec3){0, 1, 0};
    return sinew_quat_rotate(sinew_quat_from_axis_angle(up, weight * angle), moved);
}

void graph_actor_update(graph_actor *actor, float dt) {
    sinew_character_begin(actor->character, dt);
    sinew_transform world = sinew_character_world(actor->character);
    sinew_vec3 moved = measure_walk(actor, dt);
    for (int32_t i = 0; i < actor->stand->rig->binding->graph->step_count; i++) moved = warp_walk(actor, i, moved);
    world.translation = sinew_vec3_add(world.translation, sinew_quat_rotate(world.rotation, moved));
    set_height(actor, &world.translation, slope_height(actor, world.translation));
    sinew_character_set_world(actor->character, world);
    sinew_character_end(actor->character);
}

void graph_actor_copy(const graph_actor *actor, sinew_pose *pose, sinew_affine *model) {
    sinew_pose_copy(pose, sinew_mixer_pose(sinew_character_mixer(actor->character)));
    memcpy(model, sinew_character_model(actor->character), (size_t)pose->skeleton->node_count * sizeof *model);
}
