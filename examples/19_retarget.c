// Plays one character's motion on another with different proportions, axes and names.
// 19_retarget [TARGET [SOURCE]]
#include <sinew/all.h>

#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "19_retarget: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *golem, *hero;
    if (sinew_gltf_load_file(argc > 1 ? argv[1] : "models/golem.glb", NULL, &golem, &error) != SINEW_OK ||
        sinew_gltf_load_file(argc > 2 ? argv[2] : "models/hero.glb", NULL, &hero, &error) != SINEW_OK)
        return fail(error.message);

    // Finds roles from VRM data or from names and shape, reference poses (T-poses or A-poses), and the shoes' soles.
    sinew_retarget *map;
    if (sinew_retarget_assets(hero, golem, NULL, &map, &error) != SINEW_OK) return fail(error.message);
    printf("%d pairs, size %.3f\n", map->pair_count, (double)map->scale);

    // Ahead of time: makes a clip for the golem that plays, fades and layers like its own.
    if (hero->clip_count == 0) return fail("the source has no clip");
    const sinew_clip *walk = &hero->clips[hero->clip_count > 1];
    sinew_clip *golem_walk;
    if (sinew_clip_retarget(map, walk, NULL, &golem_walk, &error) != SINEW_OK) return fail(error.message);
    printf("clip '%s': %d channels\n", golem_walk->name, golem_walk->channel_count);

    // At run time: puts the pose of the hero's mixer, including fades and layers, on the golem.
    sinew_mixer_def mixer_def = sinew_mixer_default();
    mixer_def.skeleton = hero->skeleton;
    sinew_mixer *mixer;
    sinew_pose *pose;
    if (sinew_mixer_create(&mixer_def, &mixer, &error) != SINEW_OK ||
        sinew_pose_create(golem->skeleton, NULL, &pose) != SINEW_OK)
        return fail("out of memory");
    sinew_mixer_play(mixer, sinew_clip_source(walk), NULL);
    for (int frame = 0; frame < 60; frame++) {
        sinew_mixer_update(mixer, 1.0f / 60.0f);
        sinew_retarget_pose(map, sinew_mixer_pose(mixer), pose);
        // sinew_pose_to_model(pose, model); sinew_retarget_limbs(map, sinew_mixer_model_matrices(mixer), pose, model);
    }
    sinew_pose_destroy(pose);
    sinew_mixer_destroy(mixer);
    sinew_clip_destroy(golem_walk);
    sinew_retarget_destroy(map);
    sinew_asset_destroy(hero);
    sinew_asset_destroy(golem);
    return 0;
}
