// SPDX-License-Identifier: MIT
// Writes the motion of a VRM file's spring bones, as JSON, for springs.mjs to compare with:
// spring-pose FILE FRAMES SCALE
// The file's node "J_Bip_C_Hips" and the character, at that scale, turn and move as in springs.mjs. Each frame of 1/60
// s is a line with the world position of every node in the file, three numbers each.
#include <sinew/all.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NODES = 1024 };

typedef struct stage {
    sinew_asset *asset;
    sinew_springs *springs;
    sinew_spring_state *state;
    sinew_pose *pose;
    int32_t hips;
    sinew_affine model[MAX_NODES];
} stage;

static sinew_quat turn(double x, double y, double z, double angle) {
    return sinew_quat_from_axis_angle((sinew_vec3){(float)x, (float)y, (float)z}, (float)angle);
}

static sinew_affine world_at(double t, float scale) {
    const sinew_vec3 position = {(float)(0.3 * sin(3 * t)), (float)(0.1 * sin(7 * t)), (float)(0.2 * t)};
    return sinew_affine_from_transform((sinew_transform){position, turn(0, 1, 0, 0.5 * t), {scale, scale, scale}});
}

static void pose_at(stage *s, double t) {
    sinew_pose_reset(s->pose);
    sinew_transform hips = sinew_pose_get(s->pose, s->hips);
    hips.rotation = turn(0.6, 0, 0.8, 0.6 * sin(4.1 * t));
    sinew_pose_set(s->pose, s->hips, hips);
    sinew_pose_to_model(s->pose, s->model);
}

static void print_frame(const stage *s, const sinew_affine *world) {
    const sinew_skeleton *skeleton = s->asset->skeleton;
    for (int32_t source = 0; source < skeleton->source_count; source++) {
        const int32_t node = skeleton->node_of_source[source];
        sinew_vec3 p = {0, 0, 0};
        if (node != SINEW_NO_NODE)
            p = (sinew_vec3){s->model[node].m[0][3], s->model[node].m[1][3], s->model[node].m[2][3]};
        p = sinew_affine_point(*world, p);
        printf("%s%.9g,%.9g,%.9g", source ? "," : "[", (double)p.x, (double)p.y, (double)p.z);
    }
    printf("]\n");
}

static void run(stage *s, int frames, float scale) {
    for (int i = 0; i <= frames; i++) {
        sinew_springs_input input = sinew_springs_input_default();
        input.world = world_at(i / 60.0, scale);
        pose_at(s, i / 60.0);
        sinew_springs_solve(s->springs, &input, i > 0 ? 1.0f / 60.0f : 0.0f, s->state, s->pose, s->model);
        print_frame(s, &input.world);
    }
}

static const char *prepare(stage *s, const char *path, sinew_error *error) {
    sinew_gltf_options options = sinew_gltf_default();
    options.extension = sinew_vrm_extension();
    if (sinew_gltf_load_file(path, &options, &s->asset, error) != SINEW_OK) return error->message;
    if (!s->asset->vrm || s->asset->skeleton->node_count > MAX_NODES)
        return "the file has no VRM data, or too many nodes";
    s->hips = sinew_skeleton_find(s->asset->skeleton, "J_Bip_C_Hips");
    if (s->hips == SINEW_NO_NODE) return "the file has no node \"J_Bip_C_Hips\"";
    if (sinew_springs_create_from_vrm(s->asset->vrm, NULL, &s->springs) != SINEW_OK ||
        sinew_pose_create(s->asset->skeleton, NULL, &s->pose) != SINEW_OK)
        return "out of memory";
    s->state = malloc(sinew_springs_state_size(s->springs));
    if (!s->state) return "out of memory";
    sinew_springs_reset(s->springs, s->state);
    return NULL;
}

int main(int argc, char **argv) {
    static stage s;
    sinew_error error;
    if (argc != 4) {
        fprintf(stderr, "usage: spring-pose FILE FRAMES SCALE\n");
        return 2;
    }
    const char *why = prepare(&s, argv[1], &error);
    if (why)
        fprintf(stderr, "spring-pose: %s: %s\n", argv[1], why);
    else
        run(&s, (int)strtol(argv[2], NULL, 10), strtof(argv[3], NULL));
    free(s.state);
    sinew_springs_destroy(s.springs);
    sinew_pose_destroy(s.pose);
    sinew_asset_destroy(s.asset);
    return why ? 1 : 0;
}
