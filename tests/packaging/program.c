// SPDX-License-Identifier: MIT
// A user's program, in twenty lines: where a character's hand is, half a second into its first clip.
#include <sinew/sinew.h>

#include <stdio.h>

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    if (argc != 2 || sinew_gltf_load_file(argv[1], NULL, &asset, &error) != SINEW_OK) return 1;

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, NULL) != SINEW_OK) return 1;
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);
    sinew_mixer_update(mixer, 0.5f);

    sinew_affine hand = sinew_mixer_model_matrices(mixer)[sinew_skeleton_find(asset->skeleton, "Grip_R")];
    printf("%.4f %.4f %.4f\n", (double)hand.m[0][3], (double)hand.m[1][3], (double)hand.m[2][3]);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
