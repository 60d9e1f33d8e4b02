// One number for every bit that Sinew computes from a file: clips sampled, blended and faded, matrices, palettes,
// skinned vertices. The same sources must give the same number whatever compiled them: bits FILE
// Valid as C and as C++.
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a

static void add(const void *data, size_t size) {
    const unsigned char *bytes = (const unsigned char *)data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
}

static void add_model(const sinew_affine *model, const sinew_skeleton *skeleton) {
    add(model, (size_t)skeleton->node_count * sizeof *model);
}

static void add_samples(const sinew_asset *asset) {
    const sinew_skeleton *skeleton = asset->skeleton;
    sinew_affine *model = (sinew_affine *)malloc((size_t)skeleton->node_count * sizeof *model);
    sinew_pose *a, *b;
    if (!model || sinew_pose_create(skeleton, NULL, &a) != SINEW_OK) exit(1);
    if (sinew_pose_create(skeleton, NULL, &b) != SINEW_OK) exit(1);
    for (int32_t c = 0; c < asset->clip_count; c++) {
        for (int step = 0; step < 20; step++) {
            float t = (float)step / 19.0f;
            sinew_clip_sample(&asset->clips[c], t * asset->clips[c].duration, a);
            sinew_pose_blend(b, b, a, 0.3f, NULL);
            for (int32_t i = 0; i < skeleton->node_count; i++) {
                sinew_transform one = sinew_pose_get(a, i), other = sinew_pose_get(b, i);
                one.rotation = sinew_quat_slerp(one.rotation, other.rotation, t);
                one.rotation = sinew_quat_multiply(one.rotation, other.rotation);
                sinew_affine matrix = sinew_affine_inverse(sinew_affine_from_transform(one));
                other = sinew_affine_decompose(matrix);
                one.translation = sinew_quat_rotate(other.rotation, sinew_affine_point(matrix, other.scale));
                add(&one, sizeof one);
                add(&other, sizeof other);
            }
            sinew_pose_to_model(b, model);
            add_model(model, skeleton);
        }
    }
    sinew_pose_destroy(a);
    sinew_pose_destroy(b);
    free(model);
}

static void add_vertices(const sinew_primitive *primitive, const sinew_affine *palette) {
    if (primitive->influences == 0) return;
    size_t size = (size_t)primitive->vertex_count * 3 * sizeof(float);
    sinew_skin_job job = sinew_skin_job_default();
    job.influences = primitive->influences;
    job.joints = primitive->joints;
    job.weights = primitive->weights;
    job.positions = primitive->positions;
    job.normals = primitive->normals;
    job.out_positions = (float *)malloc(size);
    job.out_normals = primitive->normals ? (float *)malloc(size) : NULL;
    if (!job.out_positions) exit(1);
    sinew_skin_vertices(&job, palette, 0, primitive->vertex_count);
    add(job.out_positions, size);
    if (job.out_normals) add(job.out_normals, size);
    free(job.out_positions);
    free(job.out_normals);
}

static void add_instances(const sinew_asset *asset, const sinew_affine *model) {
    for (int32_t i = 0; i < asset->instance_count; i++) {
        const sinew_mesh_instance *instance = &asset->instances[i];
        if (instance->skin < 0) continue;
        const sinew_skin *skin = &asset->skins[instance->skin];
        sinew_affine *palette = (sinew_affine *)malloc((size_t)skin->joint_count * sizeof *palette);
        if (!palette) exit(1);
        sinew_skin_palette(skin, model, palette);
        add(palette, (size_t)skin->joint_count * sizeof *palette);
        const sinew_mesh *mesh = &asset->meshes[instance->mesh];
        for (int32_t p = 0; p < mesh->primitive_count; p++) add_vertices(&mesh->primitives[p], palette);
        free(palette);
    }
}

static void add_playing(const sinew_asset *asset) {
    sinew_mixer_def def = sinew_mixer_default_def();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer) != SINEW_OK) exit(1);
    for (int frame = 0; frame < 100; frame++) {
        if (frame % 15 == 0)
            sinew_mixer_crossfade_to(mixer, &asset->clips[frame / 15 % asset->clip_count], 0.3f, NULL);
        sinew_mixer_update(mixer, 1.0f / 60.0f);
        add_model(sinew_mixer_model_matrices(mixer), asset->skeleton);
        if (frame % 30 == 29) add_instances(asset, sinew_mixer_model_matrices(mixer));
    }
    sinew_mixer_destroy(mixer);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    if (argc != 2 || sinew_gltf_load_file(argv[1], NULL, &asset, &error) != SINEW_OK || asset->clip_count == 0) {
        fprintf(stderr, "usage: bits FILE, one with clips\n");
        return 1;
    }
    add_samples(asset);
    add_playing(asset);
    sinew_asset_destroy(asset);
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
