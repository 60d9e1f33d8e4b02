// Turns a character's head towards a moving target during any clip, by editing the blended pose.
// 07_edit_pose [FILE [CLIP [NODE]]]
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "07_edit_pose: %s\n", message);
    return 1;
}

// A node's forward direction in model space. It's the local +Z, which is where all joints of the demo hero point.
static sinew_vec3 forward(sinew_affine model) {
    return sinew_affine_direction(model, (sinew_vec3){0.0f, 0.0f, 1.0f});
}

static sinew_vec3 direction_to(sinew_vec3 target, sinew_affine model) {
    return sinew_vec3_subtract(target, sinew_affine_point(model, (sinew_vec3){0.0f, 0.0f, 0.0f}));
}

// The angle between a node's forward direction and the target.
static double degrees_off(sinew_vec3 target, sinew_affine model) {
    sinew_quat rotation = sinew_quat_between(forward(model), direction_to(target, model));
    return 2.0 * acos(fmin(1.0, (double)rotation.w)) * 57.29578;
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    const sinew_clip *clip = sinew_asset_find_clip(asset, argc > 2 ? argv[2] : "Walk");
    int32_t head = sinew_skeleton_find(asset->skeleton, argc > 3 ? argv[3] : "Head");
    if (!clip || head == SINEW_NO_NODE) return fail("the file lacks that clip or that node");
    int32_t neck = asset->skeleton->parents[head];
    if (neck == SINEW_NO_NODE) return fail("that node has no parent");

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);

    for (int frame = 0; frame <= 60; frame++) {
        sinew_vec3 target = {-1.5f + 0.05f * (float)frame, 1.4f, 2.0f}; // passes by, two meters ahead
        sinew_mixer_update(mixer, 1.0f / 30.0f);                        // the clip's pose
        const sinew_affine *model = sinew_mixer_model_matrices(mixer);
        double before = degrees_off(target, model[head]);

        // The turn is in model space. The pose needs it in the parent's local space: parent^-1 × turn × parent.
        sinew_quat turn = sinew_quat_between(forward(model[head]), direction_to(target, model[head]));
        sinew_quat parent = sinew_affine_decompose(model[neck]).rotation;
        turn = sinew_quat_multiply(sinew_quat_conjugate(parent), sinew_quat_multiply(turn, parent));
        sinew_transform local = sinew_pose_get(sinew_mixer_pose(mixer), head);
        local.rotation = sinew_quat_multiply(turn, local.rotation);
        sinew_pose_set(sinew_mixer_edit_pose(mixer), head, local);
        sinew_mixer_to_model(mixer); // updates the matrices after the edit
        double after = degrees_off(target, model[head]);
        if (frame % 10 == 0) printf("%4.1f degrees off the target, then %.2f\n", before, after);
    }
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
