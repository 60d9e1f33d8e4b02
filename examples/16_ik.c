// The hero walks up a slope: feet on the ground, head and hand towards a post by the path.
// 16_ik [FILE]
#include <sinew/all.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *message) {
    fprintf(stderr, "16_ik: %s\n", message);
    return 1;
}

// The ground in model space: a slope that rises one in four straight ahead. A game would cast a ray.
static bool slope(sinew_vec3 point, sinew_foot_ground *ground, void *user) {
    (void)user;
    *ground = (sinew_foot_ground){0.25f * point.z, {0, 0.97014250f, -0.24253563f}};
    return true;
}

static double above_slope(const sinew_affine *m) {
    return (double)m->m[1][3] - 0.25 * (double)m->m[2][3];
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    const sinew_skeleton *skeleton = asset->skeleton;
    static const char *const names[] = {"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L",     "UpperLeg_R",
                                        "LowerLeg_R", "Foot_R",     "Toes_R", "UpperArm_R", "LowerArm_R",
                                        "Hand_R",     "Head",       "Hips"};
    int32_t node[13];
    for (int i = 0; i < 13; i++) {
        node[i] = sinew_skeleton_find(skeleton, names[i]);
        if (node[i] == SINEW_NO_NODE) return fail("the file lacks a node of the hero's");
    }
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_affine *model = malloc((size_t)skeleton->node_count * sizeof *model);
    if (!model) return fail("out of memory");
    sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Walk")), NULL);
    const sinew_vec3 up = {0, 1, 0}, ahead = {0, 0, 1}, post = {-0.45f, 1.2f, 0.3f};
    const sinew_foot feet[2] = {sinew_foot_from_rest(skeleton, node[0], node[1], node[2], node[3], up),
                                sinew_foot_from_rest(skeleton, node[4], node[5], node[6], node[7], up)};
    sinew_foot_placement placement = sinew_foot_placement_default();
    placement.pelvis = node[12], placement.feet = feet, placement.foot_count = 2, placement.ground = slope;
    sinew_foot_placement_state state = {0}; // one per character

    sinew_ik_aim gaze = sinew_ik_aim_from_rest(skeleton, node[11], node[11], ahead);
    sinew_ik_aim_state gaze_state = {0}; // starts at the clip's pose
    gaze.target = post, gaze.limit = 1.2f, gaze.softness = 0.3f;
    sinew_ik arm = {.kind = SINEW_IK_TWO_BONE,
                    .two_bone = sinew_ik_two_bone_from_rest(skeleton, node[8], node[9], node[10])};
    arm.two_bone.target = post, arm.two_bone.softness = 0.1f; // no snapping when the arm straightens

    for (int frame = 0; frame <= 60; frame++) {
        sinew_mixer_advance(mixer, 1.0f / 30.0f);
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, model);
        sinew_foot_placement_solve(&placement, 1.0f / 30.0f, &state, pose, model);
        sinew_ik_aim_follow(&gaze, 1.0f / 30.0f, &gaze_state, pose, model);
        sinew_pose_to_model_below(pose, gaze.node, model);
        sinew_ik_solve(&arm, 1, pose, model); // `model` is up to date, so skin with it
        if (frame % 10 != 0) continue;
        const sinew_affine *toes = &model[node[3]], *hand = &model[node[10]], *head = &model[node[11]];
        printf("toes %+.3f m above the slope; hand %+.2f %+.2f %+.2f; head turned %+.0f degrees\n",
               above_slope(toes), (double)hand->m[0][3], (double)hand->m[1][3], (double)hand->m[2][3],
               atan2((double)head->m[0][2], (double)head->m[2][2]) * 57.29578); // where its +Z points
    }
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    free(model);
    return 0;
}
