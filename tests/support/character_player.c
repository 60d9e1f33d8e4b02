// SPDX-License-Identifier: MIT
#include "support/character_player.h"

// ---- The stage -----------------------------------------------------------------------------------------------

void player_stage_open(player_stage *stage, const char *graph) {
    sinew_error error = {0};
    stage->asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    const sinew_result result = graph[0] == '{'
                                    ? sinew_graph_load_memory(graph, strlen(graph), NULL, &stage->graph, &error)
                                    : sinew_graph_load_file(graph, NULL, &stage->graph, &error);
    if (result != SINEW_OK) fail_msg("%s", error.message);
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    binding.graph = stage->graph;
    binding.asset = stage->asset;
    sinew_humanoid humanoid;
    assert_int_equal(sinew_humanoid_find(stage->asset, NULL, &humanoid, NULL, NULL), SINEW_OK);
    binding.humanoid = &humanoid;
    if (sinew_graph_bind(&binding, &stage->binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    sinew_rig_def rig = sinew_rig_default();
    rig.binding = stage->binding;
    if (sinew_rig_create(&rig, &stage->rig, &error) != SINEW_OK) fail_msg("%s", error.message);
    stage->root_motion = sinew_root_motion_default();
    stage->root_motion.skeleton = stage->asset->skeleton;
    stage->root_motion.node = sinew_skeleton_find(stage->asset->skeleton, "Hero");
    stage->mixer = sinew_mixer_default();
    stage->mixer.root_motion = &stage->root_motion;
    stage->mixer.inertialization = true;
    stage->mixer.layer_count = stage->graph->layer_count + 1;
}

void player_stage_close(player_stage *stage) {
    sinew_rig_destroy(stage->rig);
    sinew_graph_binding_destroy(stage->binding);
    sinew_graph_destroy(stage->graph);
    sinew_asset_destroy(stage->asset);
}

// ---- The callbacks -------------------------------------------------------------------------------------------

// Stairs of 15 cm, a hill beside them, and an edge.
static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    if (place.x < -3) return false;
    place.y = 0.15f * floorf(place.z / 2);
    *ground = (sinew_ground){place, {0, 1, 0}};
    if (place.x <= 1) return true;
    ground->position.y += 0.1f * (place.x - 1);
    ground->normal = sinew_vec3_normalize((sinew_vec3){-0.1f, 1, 0});
    return true;
}

// Turns two nodes, one above the other, and sometimes moves a matrix away from its pose.
static void edit(sinew_character *character, int32_t step, float weight, float dt, sinew_pose *pose,
                 sinew_affine *model, void *user) {
    (void)character, (void)step, (void)dt;
    const player *p = user;
    if (p->frame % 5 == 4) return;
    const char *const names[2] = {"Chest", "Head"};
    for (int i = 0; i < 2; i++) {
        const int32_t node = sinew_skeleton_find(pose->skeleton, names[i]);
        sinew_transform t = sinew_pose_get(pose, node);
        t.rotation = sinew_quat_multiply(t.rotation, about_y(0.02 * (double)weight * (p->frame % 7)));
        sinew_pose_set(pose, node, t);
    }
    if (pose->skeleton->weight_count > 0) pose->weights[0] = 0.1f * (float)(p->frame % 3);
    sinew_pose_to_model(pose, model);
    if (p->frame % 3 == 0) model[sinew_skeleton_find(pose->skeleton, "Head")].m[0][3] += 0.01f;
}

// A footstep changes a parameter in the middle of an update.
static void on_event(const sinew_event *event, void *user) {
    player *p = user;
    (void)event;
    if (!p->character) return; // it's being made
    p->events++;
    sinew_animator_set_float(sinew_character_animator(p->character), 6, 0.01f * (float)(p->frame % 50));
}

void player_start(player *p, const player_stage *stage, const sinew_allocator *allocator, bool has_events) {
    *p = (player){.stage = stage, .random = 7, .input = {.stride = 1, .dt = 1.0f / 60}};
    p->input.rail = p->input.ledge = sinew_transform_identity();
    sinew_mixer_def mixer = stage->mixer;
    if (has_events) mixer.on_event = on_event;
    mixer.user = p;
    sinew_character_def def = sinew_character_default();
    def.rig = stage->rig;
    if (allocator) def.allocator = *allocator;
    def.mixer = &mixer;
    def.ground = find_ground;
    def.step = edit;
    def.user = p;
    sinew_error error = {0};
    if (sinew_character_create(&def, &p->character, &error) != SINEW_OK) fail_msg("%s", error.message);
    p->saved = malloc(sinew_character_snapshot_size(p->character));
    assert_non_null(p->saved);
    sinew_character_save(p->character, p->saved);
}

void player_stop(player *p) {
    sinew_character_destroy(p->character);
    free(p->saved);
}

// ---- The program ---------------------------------------------------------------------------------------------

static bool happens(player *p, uint32_t once_in) {
    return random_next(&p->random) % once_in == 0;
}

static void steer(player *p) {
    parts_input *in = &p->input;
    const sinew_transform world = sinew_character_world(p->character);
    in->jump = happens(p, 150);
    if (happens(p, 60)) in->move[1] = random_float(&p->random, 0, 3.1f);
    if (happens(p, 90)) in->aware = !in->aware;
    if (happens(p, 120)) in->carries = !in->carries;
    if (happens(p, 100)) in->aiming = happens(p, 2) ? random_float(&p->random, 0, 1) : 0;
    if (happens(p, 40)) in->aim[0] = random_float(&p->random, -0.5f, 1.5f);
    if (happens(p, 100)) in->stride = random_float(&p->random, 0.7f, 1.3f);
    if (happens(p, 80)) in->dt = happens(p, 4) ? 0 : random_float(&p->random, 0.008f, 0.05f);
    in->look_at = sinew_vec3_add(world.translation, (sinew_vec3){random_float(&p->random, -2, 2), 1.5f, 2});
    in->ledge.translation = sinew_vec3_add(world.translation, (sinew_vec3){0.2f, 0, 1.6f});
    parts_set(sinew_character_animator(p->character), in);
}

static void move(player *p) {
    sinew_character *c = p->character;
    sinew_transform lift = sinew_transform_identity();
    lift.translation.y = 0.01f * (float)(p->frame % 100);
    lift.rotation = about_y(0.01 * p->frame);
    if (happens(p, 70)) p->rides = !p->rides;
    if (p->rides) sinew_character_ride(c, lift);
    if (!p->rides) sinew_character_get_off(c);
    sinew_transform to = sinew_transform_identity();
    to.translation.x = random_float(&p->random, -4, 4);
    to.rotation = random_quat(&p->random);
    to.rotation = sinew_quat_normalize((sinew_quat){0, to.rotation.y, 0, to.rotation.w});
    to.rotation.w *= 1.0004f; // still counts as a unit quaternion
    if (happens(p, 130)) sinew_character_teleport(c, to);
    if (happens(p, 50)) sinew_character_set_wind(c, (sinew_vec3){random_float(&p->random, -3, 3), 0, 1});
    if (happens(p, 90)) sinew_character_set_significance(c, happens(p, 2) ? 0.05f : INFINITY);
}

static void meddle(player *p) {
    sinew_mixer *mixer = sinew_character_mixer(p->character);
    sinew_play_def def = sinew_play_default();
    def.layer = p->stage->graph->layer_count;
    def.weight = 0.5f;
    if (happens(p, 60))
        sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(p->stage->asset, "Attack")), &def);
    if (happens(p, 100)) sinew_layer_set_weight(mixer, def.layer, random_float(&p->random, 0, 1));
    const int32_t jump = sinew_graph_find_state(p->stage->graph, "Base/Jump");
    if (happens(p, 140)) sinew_animator_force_state(sinew_character_animator(p->character), jump, NULL);
    if (happens(p, 40)) sinew_character_save(p->character, p->saved);
    const size_t size = sinew_character_snapshot_size(p->character);
    if (happens(p, 90)) assert_true(sinew_character_restore(p->character, p->saved, size));
}

static void answer_at_once(sinew_character *character) {
    sinew_vec3 places[SINEW_MAX_GROUND_PLACES];
    sinew_ground grounds[SINEW_MAX_GROUND_PLACES] = {0};
    const int32_t count = sinew_character_ground_places(character, places, SINEW_MAX_GROUND_PLACES);
    for (int32_t i = 0; i < count; i++) find_ground(places[i], &grounds[i], NULL);
    sinew_character_set_grounds(character, grounds, count);
}

// Some frames are whole, others are in two halves.
void player_play_frame(player *p) {
    steer(p);
    move(p);
    meddle(p);
    if (p->frame++ % 4 == 3) {
        sinew_character_update(p->character, p->input.dt);
        return;
    }
    sinew_character_begin(p->character, p->input.dt);
    sinew_transform world = sinew_character_world(p->character);
    world.translation.z += p->input.move[1] * p->input.dt;
    if (p->frame % 4 != 2) sinew_character_set_world(p->character, world);
    if (p->frame % 8 == 1) sinew_animator_set_float(sinew_character_animator(p->character), 5, 0.3f);
    if (p->frame % 3 == 0) answer_at_once(p->character);
    sinew_character_end(p->character);
}

recorded player_record(const player_stage *stage, uint64_t *hashes, int frames, bool has_events) {
    recorded r = {0};
    player p;
    player_start(&p, stage, NULL, has_events);
    for (int i = 0; i < 20; i++) player_play_frame(&p); // a recording starts whenever
    assert_int_equal(sinew_character_record(p.character, NULL, record_bytes, &r, NULL), SINEW_OK);
    for (int i = 0; i < frames; i++) {
        player_play_frame(&p);
        if (hashes) hashes[i] = sinew_character_hash(p.character);
    }
    if (has_events) assert_true(p.events > 0);
    assert_int_equal(sinew_character_record(p.character, NULL, NULL, NULL, NULL), SINEW_OK);
    player_stop(&p);
    return r;
}

sinew_state_names player_names(const player_stage *stage) {
    static const sinew_clip *clips[32];
    for (int32_t i = 0; i < stage->asset->clip_count; i++) clips[i] = &stage->asset->clips[i];
    sinew_state_names names = sinew_state_names_default();
    names.clips = clips;
    names.clip_count = stage->asset->clip_count;
    return names;
}

sinew_character_replay_def player_replay_def(const player_stage *stage, const sinew_state_names *names,
                                             recorded r) {
    sinew_character_replay_def def = sinew_character_replay_default();
    def.bytes = r.bytes;
    def.size = r.size;
    def.rig = stage->rig;
    def.names = names;
    return def;
}
