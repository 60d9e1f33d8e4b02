// A ponytail and a scarf on springs.
// 22_springs [FILE]
#include <sinew/all.h>

#include <stdio.h>

enum { JOINTS = 3, CHAINS = 2 };

static int fail(const char *message) {
    fprintf(stderr, "22_springs: %s\n", message);
    return 1;
}

// The hero's chains: hair that swings a little, and a scarf that moves in the wind. The collider is its back.
static sinew_result make_springs(const sinew_skeleton *skeleton, sinew_springs **springs, sinew_error *error) {
    static const char *const names[CHAINS][JOINTS] = {{"Hair1", "Hair2", "Hair3"}, {"Scarf1", "Scarf2", "Scarf3"}};
    static const float stiffness[CHAINS] = {60.0f, 14.0f};
    static const int32_t back[1] = {0};
    sinew_spring_joint joints[CHAINS][JOINTS];
    sinew_spring_chain chains[CHAINS];
    for (int c = 0; c < CHAINS; c++) {
        for (int j = 0; j < JOINTS; j++) {
            joints[c][j] = sinew_spring_joint_default();
            joints[c][j].node = sinew_skeleton_find(skeleton, names[c][j]);
            joints[c][j].stiffness = stiffness[c];
            joints[c][j].limit = 1.3f; // 75 degrees
        }
        chains[c] = sinew_spring_chain_default();
        chains[c].joints = joints[c], chains[c].joint_count = JOINTS;
        chains[c].tail = (sinew_vec3){0.0f, -0.12f, 0.0f}; // of the last joint, because it has no child
        chains[c].from_rest = true;                        // ignore how the clips animate these joints
        chains[c].colliders = back, chains[c].collider_count = 1;
    }
    sinew_spring_collider collider = sinew_spring_collider_default();
    collider.node = sinew_skeleton_find(skeleton, "UpperChest");
    collider.radius = 0.1f;
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = skeleton;
    def.chains = chains, def.chain_count = CHAINS;
    def.colliders = &collider, def.collider_count = 1;
    return sinew_springs_create(&def, springs, error);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *hero;
    sinew_springs *springs;
    sinew_scene *scene;
    sinew_scene_node node;
    if (sinew_gltf_load_file(argc > 1 ? argv[1] : "models/hero.glb", NULL, &hero, &error) != SINEW_OK ||
        make_springs(hero->skeleton, &springs, &error) != SINEW_OK)
        return fail(error.message);
    sinew_scene_def scene_def = sinew_scene_default();
    sinew_instance_def instance = sinew_instance_default();
    instance.asset = hero;
    instance.springs = springs;
    if (sinew_scene_create(&scene_def, &scene, &error) != SINEW_OK ||
        sinew_scene_add_instance(scene, &instance, &node, &error) != SINEW_OK)
        return fail(error.message);
    const sinew_clip *run = sinew_asset_find_clip(hero, "Run");
    if (!run) return fail("the file has no clip Run");
    sinew_mixer_play(sinew_scene_mixer(scene, node), sinew_clip_source(run), NULL);

    const int32_t tip = sinew_skeleton_find(hero->skeleton, "Scarf3");
    const float dt = 1.0f / 60.0f;
    sinew_scene_set_wind(scene, (sinew_vec3){1.5f, 0.0f, 0.0f}); // from its right
    for (int frame = 1; frame <= 120; frame++) {
        sinew_transform t = sinew_transform_identity();
        t.translation.z = 3.1f * dt * (float)frame; // runs along +Z
        sinew_scene_set_transform(scene, node, t);
        sinew_scene_update(scene, dt);
        const sinew_affine *m = &sinew_scene_model_matrices(scene, node)[tip];
        if (frame % 30 == 0)
            printf("scarf: %.3f %.3f %.3f\n", (double)m->m[0][3], (double)m->m[1][3], (double)m->m[2][3]);
    }
    sinew_scene_destroy(scene);
    sinew_springs_destroy(springs);
    sinew_asset_destroy(hero);
}
