// Skins a character on the CPU and prints its bounding box. No GPU needed.
// 04_cpu_skin [FILE [CLIP]]
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *message) {
    fprintf(stderr, "04_cpu_skin: %s\n", message);
    return 1;
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) exit(fail("out of memory"));
    return memory;
}

static void print_bounds(float time, const float *positions, int32_t count) {
    float least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < 3 * count; i++) {
        least[i % 3] = fminf(least[i % 3], positions[i]);
        most[i % 3] = fmaxf(most[i % 3], positions[i]);
    }
    printf("  %.2f s   x %5.2f to %5.2f   y %5.2f to %5.2f   z %5.2f to %5.2f\n", (double)time, (double)least[0],
           (double)most[0], (double)least[1], (double)most[1], (double)least[2], (double)most[2]);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(argc > 1 ? argv[1] : "models/hero.glb", NULL, &asset, &error) != SINEW_OK) {
        return fail(error.message);
    }
    const sinew_clip *clip = sinew_asset_find_clip(asset, argc > 2 ? argv[2] : "Run");
    if (!clip) return fail("there is no clip of that name in the file");

    // A mesh node refers to a mesh, the node that carries it, and the skin that deforms it.
    const sinew_mesh_node *body = NULL;
    for (int32_t i = 0; i < asset->mesh_node_count && !body; i++) {
        if (asset->mesh_nodes[i].skin >= 0) body = &asset->mesh_nodes[i];
    }
    if (!body) return fail("nothing in the file has a skin");
    const sinew_skin *skin = &asset->skins[body->skin];
    const sinew_primitive *primitive = &asset->meshes[body->mesh].primitives[0];

    sinew_pose *pose;
    if (sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) return fail("out of memory");
    sinew_affine *model = allocate((size_t)asset->skeleton->node_count * sizeof *model);
    sinew_affine *palette = allocate((size_t)skin->joint_count * sizeof *palette);
    float *positions = allocate((size_t)primitive->vertex_count * 3 * sizeof *positions);

    sinew_skin_job job = sinew_primitive_skin_job(primitive); // tightly packed arrays
    job.out_positions = positions;

    printf("%d vertices, %d joints, '%s'\n", primitive->vertex_count, skin->joint_count, clip->name);
    for (int i = 0; i < 6; i++) {
        float time = clip->duration * (float)i / 6.0f;
        sinew_clip_sample(clip, time, pose);
        sinew_pose_to_model(pose, model);
        sinew_skin_palette(skin, model, palette);
        sinew_skin_vertices(&job, palette, 0, primitive->vertex_count); // you can split the range between threads
        print_bounds(time, positions, primitive->vertex_count);
    }

    free(positions);
    free(palette);
    free(model);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
    return 0;
}
