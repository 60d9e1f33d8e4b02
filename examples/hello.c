// Loads a character, cross-fades from one clip to another, and has a sword follow its hand.
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static void die(const char *message) {
    fprintf(stderr, "hello: %s\n", message);
    exit(1);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) die(error.message);

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer; // one for each character
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) die(error.message);

    const sinew_clip *idle = sinew_asset_find_clip(asset, "Idle");
    const sinew_clip *run = sinew_asset_find_clip(asset, "Run");
    int32_t hand = sinew_skeleton_find(asset->skeleton, "Grip_R");
    if (!idle || !run || hand == SINEW_NO_NODE || asset->skin_count == 0) die("this file is not like the hero's");

    const sinew_skin *skin = &asset->skins[0];
    sinew_affine *palette = malloc((size_t)skin->joint_count * sizeof *palette);
    if (!palette) die("not enough memory");

    sinew_mixer_play(mixer, sinew_clip_source(idle), NULL);
    for (int frame = 0; frame < 120; frame++) {
        if (frame == 30) sinew_mixer_crossfade_to(mixer, sinew_clip_source(run), 0.3f, NULL);
        sinew_mixer_update(mixer, 1.0f / 60.0f);

        const sinew_affine *model = sinew_mixer_model_matrices(mixer);
        sinew_skin_palette(skin, model, palette); // upload it, and draw the character
        sinew_affine sword = model[hand];         // draw the sword with this matrix
        if (frame % 20 == 0) printf("the sword is %.2f m above the ground\n", (double)sword.m[1][3]);
    }

    free(palette);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
