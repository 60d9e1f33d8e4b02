// SPDX-License-Identifier: MIT
// Writes one frame of a VRM avatar, as JSON, for vrm.mjs to compare with:
// vrm-pose FILE TIME X Y Z [WEIGHT]...
// The pose is the first clip at TIME, or the rest pose. The avatar looks at (X, Y, Z). The weights are for its
// expressions, in order, and 0 for the rest.
#include <sinew/all.h>

#include <stdio.h>
#include <stdlib.h>

enum { MAX_EXPRESSIONS = 64, MAX_NODES = 1024 };

static void print_floats(const char *name, const float *floats, int32_t count) {
    printf(",\n\"%s\":[", name);
    for (int32_t i = 0; i < count; i++) printf("%s%.9g", i ? "," : "", (double)floats[i]);
    printf("]");
}

static void print_rotations(const sinew_pose *pose) {
    const sinew_skeleton *skeleton = pose->skeleton;
    printf(",\n\"rotations\":[");
    for (int32_t source = 0; source < skeleton->node_count; source++) {
        sinew_quat q = sinew_pose_get(pose, skeleton->node_of_source[source]).rotation;
        printf("%s[%.9g,%.9g,%.9g,%.9g]", source ? "," : "", (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    }
    printf("]");
}

static void print_tracks(const sinew_vrm *vrm, const sinew_pose *pose) {
    sinew_vrm_gaze gaze = sinew_vrm_track_gaze(vrm, pose);
    printf(",\n\"trackYaw\":%.9g,\"trackPitch\":%.9g,\"tracks\":{", (double)gaze.yaw, (double)gaze.pitch);
    for (int32_t i = 0; i < vrm->animation.track_count; i++) {
        const sinew_vrm_track *track = &vrm->animation.tracks[i];
        printf("%s\"%s\":%.9g", i ? "," : "", track->name, (double)sinew_vrm_track_weight(track, pose));
    }
    printf("}");
}

static void print_frame(const sinew_vrm *vrm, sinew_pose *pose, sinew_vec3 target, float *weights) {
    static sinew_affine model[MAX_NODES];
    print_tracks(vrm, pose);
    sinew_pose_to_model(pose, model);
    sinew_vrm_gaze gaze = sinew_vrm_gaze_at(vrm, model, target);
    sinew_vrm_gaze_apply(vrm, gaze, pose, weights);
    sinew_vrm_expressions_apply(vrm, weights, pose);
    sinew_vrm_constraints_apply(vrm, pose);
    sinew_vrm_expressions_resolve(vrm, weights, weights);
    printf(",\n\"yaw\":%.9g,\"pitch\":%.9g", (double)gaze.yaw, (double)gaze.pitch);
    print_rotations(pose);
    print_floats("expressions", weights, vrm->expression_count);
    print_floats("morphs", pose->weights, pose->skeleton->weight_count);
}

int main(int argc, char **argv) {
    static float weights[MAX_EXPRESSIONS];
    sinew_asset *asset;
    sinew_pose *pose;
    sinew_error error;
    if (argc < 6) {
        fprintf(stderr, "usage: vrm-pose FILE TIME X Y Z [WEIGHT]...\n");
        return 2;
    }
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    if (sinew_gltf_load_file(argv[1], &options, &asset, &error) != SINEW_OK) {
        fprintf(stderr, "vrm-pose: %s\n", error.message);
        return 1;
    }
    bool fits = asset->vrm && asset->vrm->expression_count <= MAX_EXPRESSIONS &&
                asset->skeleton->node_count <= MAX_NODES && argc - 6 <= MAX_EXPRESSIONS;
    if (!fits || sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) {
        fprintf(stderr, "vrm-pose: %s: the file has no VRM data, or too much\n", argv[1]);
        return 1;
    }
    if (asset->clip_count > 0) sinew_clip_sample(&asset->clips[0], strtof(argv[2], NULL), pose);
    for (int i = 6; i < argc; i++) weights[i - 6] = strtof(argv[i], NULL);
    printf("{\"nodes\":%d", asset->skeleton->node_count);
    print_frame(asset->vrm, pose, (sinew_vec3){strtof(argv[3], NULL), strtof(argv[4], NULL), strtof(argv[5], NULL)},
                weights);
    printf("}\n");
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
    return 0;
}
