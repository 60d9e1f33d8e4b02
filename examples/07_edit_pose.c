// Turns a character's head towards a thing that moves, whatever clip plays, by editing the blended pose.
// 07_edit_pose [FILE [CLIP [NODE]]]
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "07_edit_pose: %s\n", message);
    return 1;
}

static float dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static sinew_vec3 unit(sinew_vec3 v) {
    float length = sqrtf(dot(v, v));
    return (sinew_vec3){v.x / length, v.y / length, v.z / length};
}

// The shortest rotation that brings the unit vector a onto b. (Opposite ones have no shortest rotation.)
static sinew_quat rotation_between(sinew_vec3 a, sinew_vec3 b) {
    sinew_quat q = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 1.0f + dot(a, b)};
    return sinew_quat_normalize(q);
}

// Where the node looks: the demo hero's joints look along +Z at rest.
static sinew_vec3 gaze(const sinew_affine *model) {
    return unit(sinew_affine_direction(*model, (sinew_vec3){0.0f, 0.0f, 1.0f}));
}

static sinew_vec3 direction_to(sinew_vec3 target, const sinew_affine *model) {
    return unit((sinew_vec3){target.x - model->m[0][3], target.y - model->m[1][3], target.z - model->m[2][3]});
}

static double degrees(sinew_vec3 a, sinew_vec3 b) {
    return acos(fmin(1.0, (double)dot(a, b))) * 57.29578;
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
        sinew_vec3 target = {-1.5f + 0.05f * (float)frame, 1.4f, 2.0f}; // passes by, two metres ahead
        sinew_mixer_update(mixer, 1.0f / 30.0f);                        // where the head is without us
        const sinew_affine *model = sinew_mixer_model_matrices(mixer);
        double before = degrees(gaze(&model[head]), direction_to(target, &model[head]));

        // The turn is known in the scene; the pose wants it as the parent sees it: there, turn, and back.
        sinew_quat turn = rotation_between(gaze(&model[head]), direction_to(target, &model[head]));
        sinew_quat there = sinew_affine_decompose(model[neck]).rotation;
        turn = sinew_quat_multiply(turn, there);
        turn = sinew_quat_multiply((sinew_quat){-there.x, -there.y, -there.z, there.w}, turn);
        sinew_transform local = sinew_pose_get(sinew_mixer_pose(mixer), head);
        local.rotation = sinew_quat_multiply(turn, local.rotation);
        sinew_pose_set(sinew_mixer_edit_pose(mixer), head, local);
        sinew_mixer_to_model(mixer); // the matrices anew, with the edit
        double after = degrees(gaze(&model[head]), direction_to(target, &model[head]));
        if (frame % 10 == 0) printf("%4.1f degrees beside the target, then %.2f\n", before, after);
    }
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
