// Stands, walks and runs with the feet in step: a blend space that follows a stick.
// 13_blend_space [FILE [STAND WALK RUN]]
#include <sinew/all.h>

#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "13_blend_space: %s\n", message);
    return 1;
}

static void print_weights(const sinew_blend_space *space, float speed) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_blend_space_weights(space, speed, 0.0f, weights);
    for (int32_t i = 0; i < count; i++) {
        const sinew_clip *clip = space->samples[weights[i].sample].clip;
        printf("  %s %3.0f %%", clip->name, 100.0 * (double)weights[i].weight);
    }
}

int main(int argc, char **argv) {
    const char *names[3] = {"Idle", "Walk", "Run"};
    for (int i = 0; i < 3 && argc == 5; i++) names[i] = argv[i + 2];
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);

    sinew_blend_sample samples[3];
    for (int i = 0; i < 3; i++) {
        samples[i] = (sinew_blend_sample){sinew_asset_find_clip(asset, names[i]), 0.0f, 0.0f, 1.0f};
        if (!samples[i].clip) return fail("the file lacks one of those clips");
    }
    sinew_feet feet; // samples[i].x: the speed in m/s where the feet don't slide
    if (sinew_feet_find(asset->skeleton, SINEW_UP_Y, &feet, &error) != SINEW_OK) return fail(error.message);
    if (sinew_blend_samples_measure(samples, 3, SINEW_BLEND_SPACE_LINE, &feet, &error) != SINEW_OK)
        return fail(error.message);
    static const char *const markers[2] = {"Foot_L", "Foot_R"}; // where clips must be in step
    sinew_blend_space_def space_def = sinew_blend_space_default();
    space_def.skeleton = asset->skeleton;
    space_def.samples = samples;
    space_def.sample_count = 3;
    space_def.sync_names = markers;
    space_def.sync_name_count = 2;
    space_def.damping = 0.15f; // seconds to cover half the distance
    sinew_blend_space *space;
    if (sinew_blend_space_create(&space_def, &space, &error) != SINEW_OK) return fail(error.message);

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_action moves = sinew_mixer_play(mixer, sinew_blend_space_source(space, 0.0f, 0.0f), NULL);
    for (int frame = 0; frame < 120; frame++) {
        float stick = frame < 10 ? 0.0f : frame < 60 ? 3.1f : 1.15f; // jumps, but the character doesn't
        sinew_action_set_parameter(mixer, moves, stick, 0.0f);
        sinew_mixer_update(mixer, 1.0f / 30.0f);
        double speed = sinew_action_get(mixer, moves).parameter.x;
        const sinew_events events = sinew_mixer_events(mixer);
        for (int32_t i = 0; i < events.count; i++) {
            if (events.items[i].type != SINEW_EVENT_MARKER) continue;
            printf("%5.2f s  %s comes down at %.2f m/s:", (double)frame / 30.0, events.items[i].marker->name,
                   speed);
            print_weights(space, (float)speed);
            printf("\n");
        }
    }
    sinew_mixer_destroy(mixer);
    sinew_blend_space_destroy(space);
    sinew_asset_destroy(asset);
    return 0;
}
