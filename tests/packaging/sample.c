// SPDX-License-Identifier: MIT
// Samples one clip made from arrays: the smallest use of the library.
#include <sinew/sinew.h>

#include <stdio.h>

int main(void) {
    sinew_node_def node = {.parent = SINEW_NO_NODE, .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    sinew_skeleton_def skeleton_def = sinew_skeleton_default();
    skeleton_def.node_count = 1;
    skeleton_def.nodes = &node;
    sinew_skeleton *skeleton;
    if (sinew_skeleton_create(&skeleton_def, &skeleton, NULL) != SINEW_OK) return 1;

    const float times[2] = {0, 1}, translations[6] = {0, 0, 0, 4, 0, 0};
    sinew_channel_def channel = {.target = SINEW_TARGET_TRANSLATION, .interpolation = SINEW_INTERPOLATION_LINEAR};
    channel.key_count = 2;
    channel.times = times;
    channel.values = translations;
    sinew_clip_def clip_def = sinew_clip_default();
    clip_def.skeleton = skeleton;
    clip_def.channel_count = 1;
    clip_def.channels = &channel;
    sinew_clip *clip;
    sinew_pose *pose;
    if (sinew_clip_create(&clip_def, &clip, NULL) != SINEW_OK) return 1;
    if (sinew_pose_create(skeleton, NULL, &pose) != SINEW_OK) return 1;

    sinew_clip_sample(clip, 0.25f, pose);
    printf("%g\n", (double)pose->tx[0]);
    sinew_pose_destroy(pose);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    return 0;
}
