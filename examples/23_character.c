// SPDX-License-Identifier: MIT
// A character that climbs stairs, looks around, fights, is hit, rides a lift and sits down. The file says how; the program
// only says what.
// 23_character [CHARACTER [MODEL]]
#include <sinew/all.h>

#include <math.h>
#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "23_character: %s\n", message);
    return 1;
}

static float lift_height; // in meters, above the top of the stairs

// Stairs of 15 cm from z = 1 m to 3 m, and a lift at their top. A game asks its physics.
static bool find_ground(sinew_vec3 place, sinew_ground *ground, void *user) {
    (void)user;
    place.y = 0.15f * floorf(fminf(fmaxf(place.z - 1.0f, 0.0f), 2.0f) * 2.5f) + lift_height;
    *ground = (sinew_ground){place, {0, 1, 0}};
    return true;
}

static sinew_character *load(const char *path, const char *model, sinew_humanoid *roles, sinew_error *error) {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    sinew_graph_binding *bound;
    sinew_rig_def rig = sinew_rig_default();
    sinew_rig *made;
    sinew_springs *springs = NULL;
    sinew_character_def def = sinew_character_default();
    sinew_character *character = NULL;
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension(); // springs for hair, if the file has any
    if (sinew_graph_load_file(path, NULL, &graph, error) != SINEW_OK ||
        sinew_gltf_load_file(model, &options, &asset, error) != SINEW_OK ||
        sinew_humanoid_find(asset, NULL, roles, NULL, error) != SINEW_OK)
        return NULL;
    binding.graph = graph, binding.asset = asset, binding.humanoid = roles;
    if (sinew_graph_bind(&binding, &bound, error) != SINEW_OK) return NULL;
    if (asset->vrm && sinew_springs_create_from_vrm(asset->vrm, NULL, &springs) != SINEW_OK) return NULL;
    rig.binding = bound, rig.springs = springs;
    if (sinew_rig_create(&rig, &made, error) != SINEW_OK) return NULL;
    def.rig = made, def.ground = find_ground;
    return sinew_character_create(&def, &character, error) == SINEW_OK ? character : NULL;
}

int main(int argc, char **argv) {
    enum {
        MOVE,
        ATTACK,
        HIT = 3,
        LOOKS = 6,
        LOOK_AT,
        ARMED,
        SITS,
        SEAT
    }; // the parameters, in the order of the file
    sinew_error error = {.message = "out of memory"};
    sinew_humanoid roles;
    sinew_character *hero = load(argc > 1 ? argv[1] : "models/hero.character.json",
                                 argc > 2 ? argv[2] : "models/hero.glb", &roles, &error);
    if (!hero) return fail(error.message);
    sinew_animator *animator = sinew_character_animator(hero);
    for (int frame = 0; frame <= 600; frame++) {
        const float seconds = (float)frame / 60.0f, speed = seconds < 4.0f ? 1.0f : 0.0f;
        sinew_transform world = sinew_character_world(hero), lift = sinew_transform_identity();
        sinew_animator_set_vector2(animator, MOVE, 0.0f, speed);
        sinew_animator_set_bool(animator, LOOKS, seconds > 1.0f);
        sinew_animator_set_vector3(animator, LOOK_AT, (sinew_vec3){2.0f, 2.5f, 6.0f});
        sinew_animator_set_bool(animator, ARMED, seconds > 2.0f);
        if (frame == 250) sinew_animator_fire(animator, ATTACK);
        if (frame == 330) sinew_animator_fire(animator, HIT);
        sinew_animator_set_bool(animator, SITS, seconds > 7.0f);
        sinew_animator_set_transform(
            animator, SEAT, sinew_vec3_add(world.translation, (sinew_vec3){0, 0.5f, -0.1f}), world.rotation);
        lift_height = lift.translation.y = fmaxf(0.0f, 0.4f * (seconds - 5.0f));
        if (seconds > 5.0f) sinew_character_ride(hero, &lift);
        sinew_ground ground;
        world.translation.z += speed / 60.0f; // the clips walk in place, so the program moves the character
        if (seconds <= 5.0f && find_ground(world.translation, &ground, NULL)) world.translation = ground.position;
        if (seconds <= 5.0f) sinew_character_set_world(hero, world);
        sinew_character_update(hero, 1.0f / 60.0f);
        const sinew_affine hand = sinew_character_node(hero, roles.nodes[SINEW_HUMANOID_RIGHT_HAND]);
        if (frame % 60 == 0)
            printf("%2.0f s: the hand is at %.2f %.2f %.2f\n", (double)seconds, (double)hand.m[0][3],
                   (double)hand.m[1][3], (double)hand.m[2][3]);
    }
    return 0; // a game also destroys what it has made
}
