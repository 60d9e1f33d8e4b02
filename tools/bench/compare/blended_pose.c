// SPDX-License-Identifier: MIT
// Writes a pose of two clips that a mixer blends, as JSON, for three.mjs to compare with:
// blended-pose FILE CLIP TIME OTHER_CLIP OTHER_TIME WEIGHT_OF_OTHER
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static bool play(sinew_mixer *mixer, const sinew_asset *asset, const char *name, const char *time, float weight) {
    const sinew_clip *clip = sinew_asset_find_clip(asset, name);
    if (!clip) {
        fprintf(stderr, "blended-pose: there is no clip '%s'\n", name);
        return false;
    }
    sinew_play_def def = sinew_play_default();
    def.time = strtof(time, NULL);
    def.weight = weight;
    sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
    return true;
}

static void print_pose(const sinew_asset *asset, const sinew_pose *pose) {
    const sinew_skeleton *skeleton = asset->skeleton;
    printf("{\"nodes\":[");
    for (int32_t source = 0; source < skeleton->node_count; source++) {
        sinew_transform t = sinew_pose_get(pose, skeleton->node_of_source[source]);
        printf(
            "%s\n{\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],\"scale\":[%.9g,%.9g,%.9g]}",
            source ? "," : "", (double)t.translation.x, (double)t.translation.y, (double)t.translation.z,
            (double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z, (double)t.rotation.w,
            (double)t.scale.x, (double)t.scale.y, (double)t.scale.z);
    }
    printf("]}\n");
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: blended-pose FILE CLIP TIME OTHER_CLIP OTHER_TIME WEIGHT_OF_OTHER\n");
        return 2;
    }
    sinew_asset *asset;
    sinew_error error;
    if (sinew_gltf_load_file(argv[1], NULL, &asset, &error) != SINEW_OK) {
        fprintf(stderr, "blended-pose: %s\n", error.message);
        return 1;
    }
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer = NULL;
    float weight = strtof(argv[6], NULL);
    bool good = sinew_mixer_create(&def, &mixer, NULL) == SINEW_OK &&
                play(mixer, asset, argv[2], argv[3], 1.0f - weight) && play(mixer, asset, argv[4], argv[5], weight);
    if (good) {
        sinew_mixer_update(mixer, 0.0f);
        print_pose(asset, sinew_mixer_pose(mixer));
    }
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return good ? 0 : 1;
}
