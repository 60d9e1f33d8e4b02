// Attaches a sword to a character's hand and prints the path of its tip during an attack.
// 03_attach [CHARACTER WEAPON NODE CLIP]
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static sinew_asset *load(const char *path) {
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK) return asset;
    fprintf(stderr, "03_attach: %s\n", error.message);
    exit(1);
}

static int fail(const char *message) {
    fprintf(stderr, "03_attach: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    bool given = argc == 5;
    sinew_asset *hero = load(given ? argv[1] : "models/hero.glb");
    sinew_asset *sword = load(given ? argv[2] : "models/sword.glb");
    int32_t hand = sinew_skeleton_find(hero->skeleton, given ? argv[3] : "Grip_R");
    if (hand == SINEW_NO_NODE) return fail("the character has no node of that name");
    const sinew_clip *clip = sinew_asset_find_clip(hero, given ? argv[4] : "Attack");
    if (!clip) return fail("the character has no clip of that name");

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = hero->skeleton;
    sinew_mixer *mixer;
    sinew_error error;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);

    // The sword's transform relative to the hand. It's the identity, because the demo sword fits the node Grip_R.
    sinew_transform fit = sinew_transform_identity();
    sinew_affine offset = sinew_affine_from_transform(fit);
    const sinew_vec3 tip = {0.0f, 0.78f, 0.0f}; // in the sword's local space, where the blade points along +Y

    const float dt = 1.0f / 60.0f;
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_action attack = sinew_mixer_play(mixer, sinew_clip_source(clip), &once);
    sinew_mixer_update(mixer, 0.0f); // the starting pose

    sinew_vec3 before = {0};
    float fastest = 0.0f;
    for (int frame = 0; !sinew_action_is_finished(mixer, attack); frame++) {
        const sinew_affine *model = sinew_mixer_model_matrices(mixer);
        sinew_affine world = sinew_affine_multiply(model[hand], offset); // draw the sword with this matrix
        sinew_vec3 position = sinew_affine_point(world, tip);
        float speed = frame > 0 ? sinew_vec3_length(sinew_vec3_subtract(position, before)) / dt : 0.0f;
        if (speed > fastest) fastest = speed;
        if (frame % 6 == 0) {
            printf("%.2f s  tip at x %5.2f  y %5.2f  z %5.2f, %4.1f m/s\n", (double)((float)frame * dt),
                   (double)position.x, (double)position.y, (double)position.z, (double)speed);
        }
        before = position;
        sinew_mixer_update(mixer, dt);
    }
    printf("the tip was never faster than %.1f m/s\n", (double)fastest);

    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(sword);
    sinew_asset_destroy(hero);
    return 0;
}
