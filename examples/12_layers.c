// Waves while walking. One layer is masked to an arm, and another adds breathing to the whole body.
// 12_layers [FILE [BASE OVER ADDED NODE]]
#include <sinew/sinew.h>

#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "12_layers: %s\n", message);
    return 1;
}

static double height(const sinew_affine *model) {
    return (double)model->m[1][3];
}

enum { ARM = 1, BREATH = 2, LAYERS = 3 };

int main(int argc, char **argv) {
    const char *names[4] = {"Walk", "Wave", "Idle", "Shoulder_L"};
    for (int i = 0; i < 4 && argc == 6; i++) names[i] = argv[i + 2];
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    const sinew_clip *base = sinew_asset_find_clip(asset, names[0]), *over = sinew_asset_find_clip(asset, names[1]);
    const sinew_clip *added = sinew_asset_find_clip(asset, names[2]);
    if (!base || !over || !added) return fail("the file lacks one of those clips");

    // The arm is the shoulder's subtree. The shoulder itself gets half the weight, for a soft transition.
    const sinew_mask_part part = {.name = names[3], .factor = 1.0f, .feather = 1};
    sinew_mask *arm;
    if (sinew_mask_from_names(asset->skeleton, 0.0f, &part, 1, NULL, &arm, &error) != SINEW_OK)
        return fail(error.message);
    // The difference between the clip and its own first frame.
    sinew_pose *first;
    if (sinew_pose_create(asset->skeleton, NULL, &first) != SINEW_OK) return fail("out of memory");
    sinew_clip_sample(added, 0.0f, first);
    sinew_clip *breath;
    if (sinew_clip_make_additive(added, first, NULL, &breath, &error) != SINEW_OK) return fail(error.message);

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.layer_count = LAYERS;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_layer_set_mask(mixer, ARM, arm);
    sinew_layer_set_mode(mixer, BREATH, SINEW_LAYER_ADDITIVE);
    sinew_play_def play = sinew_play_default();
    sinew_mixer_play(mixer, sinew_clip_source(base), &play);
    play.layer = BREATH;
    const sinew_action breathing = sinew_mixer_play(mixer, sinew_clip_source(breath), &play);
    play.layer = ARM;
    play.fade = 0.3f;
    sinew_action wave = {0};

    int32_t shoulder = sinew_skeleton_find(asset->skeleton, names[3]);
    int32_t hand = asset->skeleton->subtree_ends[shoulder] - 1; // a fingertip: the subtree's last node
    for (int frame = 0; frame <= 90; frame++) {
        if (frame == 15) wave = sinew_mixer_play(mixer, sinew_clip_source(over), &play);
        if (frame == 15) sinew_action_fade_to(mixer, breathing, 0.25f, 0.3f); // breathe less while waving
        if (frame == 60) sinew_action_fade_out(mixer, wave, 0.3f);            // the arm walks on
        if (frame == 60) sinew_action_fade_in(mixer, breathing, 0.3f); // back to the weight it was played with
        sinew_mixer_update(mixer, 1.0f / 30.0f);
        if (frame % 10 != 0) continue;
        const sinew_affine *model = sinew_mixer_model_matrices(mixer);
        printf("%.2f s: the wave counts %3.0f %%, '%s' is at %.2f m\n", (double)frame / 30.0,
               100.0 * (double)sinew_action_weight(mixer, wave), asset->skeleton->names[hand],
               height(&model[hand]));
    }
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(breath);
    sinew_pose_destroy(first);
    sinew_mask_destroy(arm);
    sinew_asset_destroy(asset);
    return 0;
}
