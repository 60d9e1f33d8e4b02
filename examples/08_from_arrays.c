// Builds a skeleton, a skin and a clip from plain arrays. An importer for another file format does the same.
#include <sinew/sinew.h>

#include <stdio.h>
#define COUNT(array) ((int32_t)(sizeof(array) / sizeof *(array)))

static int fail(const char *message) {
    fprintf(stderr, "08_from_arrays: %s\n", message);
    return 1;
}

int main(void) {
    sinew_error error;

    // Three nodes, each half a meter above its parent. Their order doesn't matter, because Sinew sorts them.
    sinew_transform up = sinew_transform_identity();
    up.translation.y = 0.5f;
    sinew_node_def nodes[] = {
        {.name = "tip", .parent = 1, .rest = up},
        {.name = "middle", .parent = 2, .rest = up},
        {.name = "root", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()},
    };
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = COUNT(nodes);
    skeleton_def.nodes = nodes;
    sinew_skeleton *skeleton;
    if (sinew_skeleton_create(&skeleton_def, &skeleton, &error) != SINEW_OK) return fail(error.message);
    const int32_t *ours = skeleton->node_of_source; // maps our indices to the sorted skeleton's

    // The middle node turns by 90 degrees about Z in one second. Sinew keeps your keys and doesn't resample.
    const float times[] = {0.0f, 1.0f};
    const float rotations[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    sinew_channel_def channel = {ours[1], SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 2, times, rotations};
    sinew_clip_def clip_def = sinew_clip_default();
    clip_def.name = "Bend";
    clip_def.skeleton = skeleton;
    clip_def.channel_count = 1;
    clip_def.channels = &channel;
    sinew_clip *clip;
    if (sinew_clip_create(&clip_def, &clip, &error) != SINEW_OK) return fail(error.message);

    // Two joints, and where they were when the mesh was bound: at the root, and half a meter up.
    sinew_affine binds[2] = {sinew_affine_identity(), sinew_affine_identity()};
    binds[1].m[1][3] = -0.5f; // the inverse, which maps from the mesh to the joint
    sinew_skin_def skin_def = sinew_skin_default();
    skin_def.skeleton = skeleton;
    skin_def.joint_count = 2;
    skin_def.joints = (int32_t[]){ours[2], ours[1]};
    skin_def.inverse_binds = binds;
    sinew_skin *skin;
    if (sinew_skin_create(&skin_def, &skin, &error) != SINEW_OK) return fail(error.message);

    // A line of five vertices, a quarter of a meter apart. The third one follows both joints equally.
    const float line[5][3] = {{0, 0, 0}, {0, 0.25f, 0}, {0, 0.5f, 0}, {0, 0.75f, 0}, {0, 1, 0}};
    const uint16_t joints[5][4] = {{0}, {0}, {0, 1}, {1}, {1}};
    const float weights[5][4] = {{1}, {1}, {0.5f, 0.5f}, {1}, {1}};
    float bent[5][3];
    sinew_skin_job job = sinew_skin_job_default();
    job.joints = joints[0], job.weights = weights[0], job.positions = line[0], job.out_positions = bent[0];

    sinew_pose *pose;
    if (sinew_pose_create(skeleton, NULL, &pose) != SINEW_OK) return fail("out of memory");
    sinew_affine model[COUNT(nodes)], palette[2];
    for (int i = 0; i <= 2; i++) {
        sinew_clip_sample(clip, 0.5f * (float)i, pose);
        sinew_pose_to_model(pose, model);
        sinew_skin_palette(skin, model, palette);
        sinew_skin_vertices(&job, palette, 0, 5);
        printf("%.1f s:", 0.5 * i);
        for (int v = 0; v < 5; v++) printf("  (%5.2f, %4.2f)", (double)bent[v][0], (double)bent[v][1]);
        printf("\n");
    }
    sinew_pose_destroy(pose);
    sinew_skin_destroy(skin);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    return 0;
}
