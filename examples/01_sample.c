// Samples one clip into a pose, without a mixer, and prints where a node is at several times.
// 01_sample [FILE [CLIP [NODE]]]
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const char *message) {
    fprintf(stderr, "01_sample: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    const char *clip_name = argc > 2 ? argv[2] : "Walk";
    const char *node_name = argc > 3 ? argv[3] : "Foot_L";

    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    const sinew_clip *clip = sinew_asset_find_clip(asset, clip_name);
    if (!clip) return fail("there is no clip of that name in the file");
    int32_t node = sinew_skeleton_find(asset->skeleton, node_name);
    if (node == SINEW_NO_NODE) return fail("there is no node of that name in the file");

    // A pose holds each node's transform relative to its parent. Model matrices hold it relative to the model.
    sinew_pose *pose;
    if (sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) return fail("out of memory");
    sinew_affine *model = malloc((size_t)asset->skeleton->node_count * sizeof *model);
    if (!model) return fail("out of memory");

    printf("%s in '%s', which takes %.2f s\n", node_name, clip_name, (double)clip->duration);
    enum { MOMENTS = 8 };
    for (int i = 0; i <= MOMENTS; i++) {
        float time = clip->duration * (float)i / MOMENTS;
        sinew_clip_sample(clip, time, pose);
        sinew_pose_to_model(pose, model);
        const sinew_affine *m = &model[node]; // its last column is the node's position in meters
        printf("  %.3f s   x %6.3f  y %6.3f  z %6.3f\n", (double)time, (double)m->m[0][3], (double)m->m[1][3],
               (double)m->m[2][3]);
    }

    free(model);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
    return 0;
}
