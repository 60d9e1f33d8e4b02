// SPDX-License-Identifier: MIT
// A character that walks, looks, reaches and rides, with feet and springs. Another character reads its written state
// and takes over. The bytes, and what follows, are the same on every machine.
#ifndef ACTED_H
#define ACTED_H

#define ACTED_FRAMES 1500
#define ACTED_PASS   500 // frames between two that take over

static const char acted_graph[] =
    "{\"sinewGraph\":1,\"parameters\":{\"move\":{\"type\":\"vector2\",\"damping\":0.1},\"aware\":{\"type\":"
    "\"bool\"},"
    "\"lookAt\":{\"type\":\"vector3\",\"damping\":0.1},\"rail\":{\"type\":\"transform\",\"space\":\"model\"}},"
    "\"layers\":[{\"name\":\"Base\",\"states\":{\"Move\":{\"blend\":{\"x\":\"move\",\"kind\":\"directional\","
    "\"samples\":["
    "{\"clip\":\"Idle\"},{\"clip\":\"Walk\",\"y\":1.2},{\"clip\":\"Run\",\"y\":3}]}}}}],"
    "\"rig\":{\"steps\":[{\"footLock\":{}},{\"footPlacement\":{}},"
    "{\"when\":\"aware\",\"limb\":{\"end\":\"role:leftHand\",\"goal\":\"rail\",\"endRotation\":\"goal\"}},"
    "{\"when\":\"aware\",\"damping\":0.2,\"aim\":{\"node\":\"role:head\",\"goal\":\"lookAt\",\"limit\":1}},"
    "{\"springs\":{\"chains\":[{\"root\":\"Hair1\"},{\"root\":\"Scarf1\",\"stiffness\":10}]}}]}}";

static inline bool acted_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    const int32_t stair = (int32_t)(place.z * 0.5f);
    (void)user;
    place.y = 0.15f * (float)(place.z < 0 ? 0 : stair);
    ground->position = place;
    ground->normal.x = ground->normal.z = 0;
    ground->normal.y = 1;
    return true;
}

static inline void acted_frame(sinew_character *character, int frame) {
    sinew_animator *animator = sinew_character_animator(character);
    sinew_ground ground;
    sinew_transform platform = sinew_transform_identity();
    const float speed = draw(0, 3);
    const sinew_vec3 target = draw_place(3), rail = {0.3f, 1.2f, draw(0.2f, 0.5f)};
    sinew_animator_set_vector2(animator, 0, 0, speed);
    if (frame % 40 == 0) sinew_animator_set_bool(animator, 1, draw(0, 1) < 0.6f);
    sinew_animator_set_vector3(animator, 2, target);
    sinew_animator_set_transform(animator, 3, rail, draw_rotation());
    platform.translation.x = 0.01f * (float)(frame % 300);
    if (frame % 300 > 200) {
        sinew_character_ride(character, platform);
    } else {
        sinew_character_get_off(character);
    }
    sinew_character_begin(character, draw(0.002f, 0.04f));
    sinew_transform world = sinew_character_world(character);
    world.translation.z += 0.02f * speed;
    if (acted_ground(world.translation, &ground, NULL)) world.translation.y = ground.position.y;
    sinew_character_set_world(character, world);
    sinew_character_end(character);
}

// Another character reads what this one writes, and takes its place.
static inline sinew_character *acted_pass_on(sinew_character *character, const sinew_character_def *def) {
    sinew_character *next;
    sinew_error error;
    const size_t size = sinew_character_write(character, NULL, NULL, 0);
    uint8_t *bytes = (uint8_t *)take(size, 1);
    sinew_character_write(character, NULL, bytes, size);
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    demand(sinew_character_create(def, &next, &error), error.message);
    demand(sinew_character_read(next, NULL, bytes, size, NULL, &error), error.message);
    if (sinew_character_hash(next) != sinew_character_hash(character)) {
        fprintf(stderr, "golden: a character that has read a state has another hash\n");
        exit(1);
    }
    free(bytes);
    sinew_character_destroy(character);
    return next;
}

static inline void add_acted(const sinew_asset *asset) {
    sinew_graph *graph;
    sinew_rig *rig;
    sinew_character *character;
    sinew_error error;
    demand(sinew_graph_load_memory(acted_graph, sizeof acted_graph - 1, NULL, &graph, &error), error.message);
    sinew_rig_def rig_def = sinew_rig_default();
    rig_def.graph = graph;
    rig_def.asset = asset;
    demand(sinew_rig_create(&rig_def, &rig, &error), error.message);
    sinew_character_def def = sinew_character_default();
    def.rig = rig;
    def.ground = acted_ground;
    demand(sinew_character_create(&def, &character, &error), error.message);
    for (int frame = 0; frame < ACTED_FRAMES; frame++) {
        if (frame % ACTED_PASS == ACTED_PASS - 1) character = acted_pass_on(character, &def);
        acted_frame(character, frame);
        add_number(sinew_character_hash(character));
        if (frame % 10 == 0) add_matrices(sinew_character_model(character), asset->skeleton->node_count);
    }
    sinew_character_destroy(character);
    sinew_rig_destroy(rig);
    sinew_graph_destroy(graph);
}

#endif
