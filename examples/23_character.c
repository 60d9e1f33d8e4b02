// SPDX-License-Identifier: MIT
// A character climbs stairs, looks around, fights, is hit, rides a lift and sits down. models/hero.character.json says how.
// 23_character [MODEL]
#include <sinew/all.h>
#include <math.h>
#include <stdio.h>

static float lift; // height of the lift in meters

// Stairs of 15 cm from z = 1 m to 3 m, and a lift at their top. A game asks its physics.
static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    place.y = 0.15f * floorf(fminf(fmaxf(place.z - 1.0f, 0.0f), 2.0f) * 2.5f) + lift;
    *ground = (sinew_ground){place, {0.0f, 1.0f, 0.0f}};
    return true;
}

static sinew_character *load(const char *path, sinew_rig **rig, sinew_error *error) {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_character *character;
    if (sinew_graph_load_file("models/hero.character.json", NULL, &graph, error) != SINEW_OK ||
        sinew_gltf_load_file(path, NULL, &asset, error) != SINEW_OK)
        return NULL;
    sinew_rig_def rig_def = sinew_rig_default();
    rig_def.graph = graph, rig_def.asset = asset;
    if (sinew_rig_create(&rig_def, rig, error) != SINEW_OK) return NULL;
    sinew_character_def def = sinew_character_default();
    def.rig = *rig, def.ground = find_ground;
    return sinew_character_create(&def, &character, error) == SINEW_OK ? character : NULL;
}

int main(int argc, char **argv) {
    enum { MOVE, ATTACK, HIT, LOOKS = 4, LOOK_AT, ARMED, SITS, SEAT }; // the parameters, in the order of the file
    sinew_error error;
    sinew_rig *rig;
    sinew_character *hero = load(argc > 1 ? argv[1] : "models/hero.glb", &rig, &error);
    if (!hero) return fprintf(stderr, "23_character: %s\n", error.message), 1;
    sinew_animator *animator = sinew_character_animator(hero);
    const int32_t right_hand = rig->binding->humanoid->nodes[SINEW_HUMANOID_RIGHT_HAND];
    for (int frame = 0; frame <= 600; frame++) {
        const float seconds = (float)frame / 60.0f, speed = seconds < 4.0f ? 1.0f : 0.0f;
        sinew_transform platform = sinew_transform_identity();
        lift = platform.translation.y = fmaxf(0.0f, 0.4f * (seconds - 5.0f));
        sinew_character_ride(hero, platform);
        sinew_transform world = sinew_character_world(hero);
        sinew_ground ground;
        world.translation.z += speed / 60.0f; // the clips walk in place, so the program moves the character
        if (find_ground(world.translation, &ground, NULL)) world.translation = ground.position;
        sinew_character_set_world(hero, world);
        sinew_animator_set_vector2(animator, MOVE, 0.0f, speed);
        sinew_animator_set_bool(animator, LOOKS, seconds > 1.0f);
        sinew_animator_set_vector3(animator, LOOK_AT, (sinew_vec3){2.0f, 2.5f, 6.0f});
        sinew_animator_set_bool(animator, ARMED, seconds > 2.0f);
        if (frame == 250) sinew_animator_fire(animator, ATTACK);
        if (frame == 330) sinew_animator_fire(animator, HIT);
        const sinew_vec3 bench = sinew_vec3_add(world.translation, (sinew_vec3){0.0f, 0.5f, -0.1f});
        sinew_animator_set_transform(animator, SEAT, bench, world.rotation);
        sinew_animator_set_bool(animator, SITS, seconds > 7.0f);
        sinew_character_update(hero, 1.0f / 60.0f);
        const sinew_affine hand = sinew_character_node(hero, right_hand);
        if (frame % 60 == 0) printf("%2d s: the hand is %.2f m high\n", frame / 60, (double)hand.m[1][3]);
    }
    return 0; // a game also destroys what it has made
}
