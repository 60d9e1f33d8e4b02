// SPDX-License-Identifier: MIT
// A program for libraries with and without SINEW_NO_RECORDING, SINEW_NO_KEYS_U16 and SINEW_NO_SKINNING: switches
// MODEL Prints the bits of sampled and played poses and palettes. Recording, 16-bit keys and picking must either work
// or be left out as documented; otherwise the exit status is 1.
#include <sinew/all.h>

#include <stdio.h>
#include <string.h>

static int faults;

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "switches: %s\n", what);
    faults++;
}

// ---- The bits of a pose --------------------------------------------------------------------------------------------

static void print_floats(const char *name, const float *floats, int32_t count) {
    printf("%s", name);
    for (int32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &floats[i], sizeof bits);
        printf(" %08x", (unsigned)bits);
    }
    printf("\n");
}

static void print_pose(const char *name, const sinew_pose *pose) {
    const float *const planes[10] = {pose->tx, pose->ty, pose->tz, pose->rx, pose->ry,
                                     pose->rz, pose->rw, pose->sx, pose->sy, pose->sz};
    for (int i = 0; i < 10; i++) print_floats(name, planes[i], pose->skeleton->node_count);
    print_floats(name, pose->weights, pose->skeleton->weight_count);
}

static void print_samples(const sinew_asset *asset) {
    sinew_pose *pose;
    if (sinew_pose_create(asset->skeleton, NULL, &pose) != SINEW_OK) return expect(false, "no pose");
    for (int32_t i = 0; i < asset->clip_count; i++) {
        sinew_clip_sample(&asset->clips[i], 0.37f * asset->clips[i].duration, pose);
        print_pose(asset->clips[i].name, pose);
    }
    sinew_pose_destroy(pose);
}

// Fades from the first clip to the second, in steps that don't match the keys.
static void print_playing(const sinew_asset *asset, sinew_mixer *mixer) {
    sinew_mixer_play(mixer, sinew_clip_source(&asset->clips[0]), NULL);
    for (int frame = 0; frame < 40; frame++) {
        if (frame == 10) sinew_mixer_transition_to(mixer, sinew_clip_source(&asset->clips[1]), NULL, NULL);
        sinew_mixer_update(mixer, 0.023f);
        if (frame % 5 == 4) print_pose("played", sinew_mixer_pose(mixer));
    }
    print_floats("matrices", &sinew_mixer_model_matrices(mixer)[0].m[0][0], 12 * asset->skeleton->node_count);
}

// ---- Recording -----------------------------------------------------------------------------------------------------

#ifdef SINEW_NO_RECORDING
static void play(const sinew_asset *asset, sinew_mixer *mixer) {
    print_playing(asset, mixer);
}
#else
static size_t recorded_size;

static void count_bytes(const void *bytes, size_t size, void *user) {
    (void)bytes, (void)user;
    recorded_size += size;
}

static void play(const sinew_asset *asset, sinew_mixer *mixer) {
    expect(sinew_mixer_record(mixer, count_bytes, NULL, NULL) == SINEW_OK, "recording does not start");
    print_playing(asset, mixer);
    expect(sinew_mixer_record(mixer, NULL, NULL, NULL) == SINEW_OK, "recording does not stop");
    expect(recorded_size > 0, "nothing was recorded");
}
#endif

// ---- 16-bit keys ---------------------------------------------------------------------------------------------------

static const float times[3] = {0, 1, 2};
static const float translations[9] = {0, 0, 0, 1, 2, 3, 0, 1, 0};

static sinew_result create_u16_clip(const sinew_skeleton *skeleton, sinew_clip **clip, sinew_error *error) {
    // Two channels, because a channel that shares its times with no other stays exact.
    sinew_channel_def channels[2];
    memset(channels, 0, sizeof channels);
    for (int i = 0; i < 2; i++) {
        channels[i].node = i;
        channels[i].target = SINEW_TARGET_TRANSLATION;
        channels[i].interpolation = SINEW_INTERPOLATION_LINEAR;
        channels[i].key_count = 3;
        channels[i].times = times;
        channels[i].values = translations;
    }
    sinew_clip_def def = sinew_clip_default();
    def.skeleton = skeleton;
    def.channel_count = 2;
    def.channels = channels;
    def.key_format = SINEW_KEYS_U16;
    return sinew_clip_create(&def, clip, error);
}

static void check_u16(const char *what, sinew_result result, bool exists, const sinew_error *error) {
#ifdef SINEW_NO_KEYS_U16
    expect(result == SINEW_ERROR_UNSUPPORTED && !exists, what);
    expect(strstr(error->message, "SINEW_KEYS_U16 is not part of this build") != NULL, error->message);
#else
    expect(result == SINEW_OK && exists, what);
    (void)error;
#endif
}

static void check_u16_keys(const char *path, const sinew_skeleton *skeleton) {
    sinew_error error;
    memset(&error, 0, sizeof error);
    sinew_clip *clip = NULL;
    const sinew_result created = create_u16_clip(skeleton, &clip, &error);
    check_u16("sinew_clip_create with SINEW_KEYS_U16", created, clip != NULL, &error);
    sinew_clip_destroy(clip);

    memset(&error, 0, sizeof error);
    sinew_gltf_options options = sinew_gltf_default();
    options.key_format = SINEW_KEYS_U16;
    sinew_asset *asset = NULL;
    const sinew_result loaded = sinew_gltf_load_file(path, &options, &asset, &error);
    check_u16("sinew_gltf_load_file with SINEW_KEYS_U16", loaded, asset != NULL, &error);
    sinew_asset_destroy(asset);
}

// ---- Palettes and picking --------------------------------------------------------------------------------------------

// Palettes are the same without skinning, and so are hits of bounds. Hits of triangles need it.
static void print_scene(const sinew_asset *asset) {
    const sinew_scene_def def = sinew_scene_default();
    sinew_instance_def instance = sinew_instance_default();
    sinew_scene *scene;
    sinew_scene_node node;
    instance.asset = asset;
    if (sinew_scene_create(&def, &scene, NULL) != SINEW_OK) return expect(false, "no scene");
    if (sinew_scene_add_instance(scene, &instance, &node, NULL) != SINEW_OK) return expect(false, "no instance");
    sinew_scene_update(scene, 0.0f);
    print_floats("palette", &sinew_scene_palette(scene, node, 0)[0].m[0][0], 12 * asset->skins[0].joint_count);

    const sinew_box box = sinew_scene_bounds(scene, node);
    const sinew_ray ray = {{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, 10}, {0, 0, -1}};
    sinew_scene_hit hit;
    if (!sinew_scene_pick(scene, ray, SINEW_PICK_BOUNDS, &hit)) return expect(false, "the bounds are not hit");
    print_floats("hit", &hit.distance, 1);
#ifndef SINEW_NO_SKINNING
    expect(sinew_scene_pick(scene, ray, SINEW_PICK_TRIANGLES, &hit) && hit.asset.normal.z != 0,
           "no triangle is hit");
#endif
    sinew_scene_destroy(scene);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    if (argc != 2 || sinew_gltf_load_file(argv[1], NULL, &asset, &error) != SINEW_OK) return 2;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    if (asset->clip_count < 2 || asset->skin_count == 0 || sinew_mixer_create(&def, &mixer, NULL) != SINEW_OK)
        return 2;

    print_samples(asset);
    play(asset, mixer);
    print_scene(asset);
    check_u16_keys(argv[1], asset->skeleton);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return faults > 0;
}
