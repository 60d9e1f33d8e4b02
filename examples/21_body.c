// SPDX-License-Identifier: MIT
// The hero crouches and puts both hands on the ground. Its feet are pinned, and it looks at its left hand.
// 21_body [FILE]
#include <sinew/all.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *message) {
    fprintf(stderr, "21_body: %s\n", message);
    return 1;
}

static double distance(const sinew_affine *node, sinew_vec3 point) {
    return hypot(hypot((double)node->m[0][3] - (double)point.x, (double)node->m[1][3] - (double)point.y),
                 (double)node->m[2][3] - (double)point.z);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    const sinew_skeleton *skeleton = asset->skeleton;
    static const char *const names[] = {"Hand_L", "Hand_R", "Foot_L", "Foot_R", "Hips", "Spine", "Head"};
    int32_t node[7];
    for (int i = 0; i < 7; i++) {
        node[i] = sinew_skeleton_find(skeleton, names[i]);
        if (node[i] == SINEW_NO_NODE) return fail("the file lacks a node of the hero's");
    }
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_affine *model = malloc((size_t)skeleton->node_count * sizeof *model);
    if (!model) return fail("out of memory");
    sinew_mixer_play(mixer, sinew_clip_source(sinew_asset_find_clip(asset, "Idle")), NULL);

    sinew_ik_effector effectors[4];
    for (int i = 0; i < 4; i++) {
        effectors[i] = sinew_ik_effector_default();
        effectors[i].node = node[i];
        effectors[i].pin = i >= 2; // the feet
    }
    effectors[0].target = (sinew_vec3){0.15f, 0.12f, 0.35f};
    effectors[1].target = (sinew_vec3){-0.15f, 0.12f, 0.35f};
    sinew_ik solvers[2] = {{.kind = SINEW_IK_BODY}, {.kind = SINEW_IK_SPREAD}};
    solvers[0].body = sinew_ik_body_default();
    solvers[0].body.root = node[4], solvers[0].body.effectors = effectors, solvers[0].body.effector_count = 4;
    solvers[1].spread = sinew_ik_spread_from_rest(skeleton, sinew_skeleton_find(skeleton, "Neck"), node[6],
                                                  (sinew_vec3){0, 0, 1}); // its +Z points ahead
    solvers[1].spread.limit = 1.2f, solvers[1].spread.target = effectors[0].target;

    for (int frame = 0; frame <= 30; frame++) {
        sinew_mixer_advance(mixer, 1.0f / 30.0f);
        sinew_mixer_evaluate(mixer);
        sinew_pose *pose = sinew_mixer_edit_pose(mixer);
        sinew_pose_to_model(pose, model);
        const sinew_affine foot = model[node[2]];
        float u = (float)frame / 30.0f;
        float part = u * u * (3.0f - 2.0f * u); // fades the targets in while the feet stay put
        effectors[0].position_weight = effectors[1].position_weight = solvers[1].spread.weight = part;
        sinew_ik_solve(solvers, 2, pose, model); // `model` is up to date, so skin with it
        if (frame % 10 != 0) continue;
        const sinew_vec3 planted = {foot.m[0][3], foot.m[1][3], foot.m[2][3]};
        printf("hips at %.2f m; left hand %.3f m from its target; left foot moved by %.4f m\n",
               (double)model[node[4]].m[1][3], distance(&model[node[0]], effectors[0].target),
               distance(&model[node[2]], planted));
    }
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    free(model);
    return 0;
}
