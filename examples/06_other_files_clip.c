// Plays one file's clip on another file's character. Nodes are matched by name.
// 06_other_files_clip [CHARACTER OTHER_FILE CLIP]
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static sinew_asset *load(const char *path) {
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK) return asset;
    fprintf(stderr, "06_other_files_clip: %s\n", error.message);
    exit(1);
}

static int fail(const char *message) {
    fprintf(stderr, "06_other_files_clip: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    bool given = argc == 4;
    // By default, both files are the hero, loaded twice as two assets with separate skeletons.
    sinew_asset *character = load(given ? argv[1] : "models/hero.glb");
    sinew_asset *other = load(given ? argv[2] : "models/hero.glb");
    const sinew_clip *theirs = sinew_asset_find_clip(other, given ? argv[3] : "Wave");
    if (!theirs) return fail("the other file has no clip of that name");

    // A clip belongs to its file's skeleton. Binding makes a copy for this character, and we own the copy.
    sinew_clip *clip;
    sinew_bind_report report;
    sinew_error error;
    if (sinew_clip_bind(theirs, character->skeleton, NULL, &clip, &report, &error) != SINEW_OK) {
        return fail(error.message);
    }
    printf("'%s': %d channels bound, %d unmatched\n", clip->name, report.bound_channel_count,
           report.unmatched_channel_count);
    for (int32_t i = 0; i < report.unmatched_name_count && i < 16; i++) {
        printf("  the character has no '%s'\n", report.unmatched_names[i]);
    }
    sinew_asset_destroy(other); // the bound clip doesn't need it

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = character->skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);

    // Which node does the clip move furthest from the ground?
    float highest = -1e9f;
    int32_t node = 0;
    for (int frame = 0; frame < 60; frame++) {
        sinew_mixer_update(mixer, clip->duration / 60.0f);
        const sinew_affine *model = sinew_mixer_model_matrices(mixer);
        for (int32_t i = 0; i < character->skeleton->node_count; i++) {
            if (model[i].m[1][3] <= highest) continue;
            highest = model[i].m[1][3];
            node = i;
        }
    }
    printf("its highest node is '%s', at %.2f m\n", character->skeleton->names[node], (double)highest);

    sinew_mixer_destroy(mixer); // destroy the mixer before the clip, and the clip before the skeleton it belongs to
    sinew_clip_destroy(clip);
    sinew_asset_destroy(character);
    return 0;
}
