// Fades from one clip to another, turns back halfway, and prints the weights. They never jump.
// 02_crossfade [FILE [FIRST SECOND THIRD]]
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static const sinew_clip *find(const sinew_asset *asset, const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(asset, name);
    if (clip) return clip;
    fprintf(stderr, "02_crossfade: there is no clip '%s' in the file\n", name);
    exit(1);
}

// Called once per event, at the end of the update where it happened.
static void on_event(const sinew_event *event, void *user) {
    (void)user;
    if (event->type == SINEW_EVENT_LOOPED) printf("         '%s' came round\n", event->clip->name);
    if (event->type == SINEW_EVENT_FINISHED) printf("         '%s' is at its end\n", event->clip->name);
}

int main(int argc, char **argv) {
    const char *names[3] = {"Idle", "Run", "Attack"};
    for (int i = 0; i < 3 && argc == 5; i++) names[i] = argv[i + 2];

    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(argc > 1 ? argv[1] : "models/hero.glb", NULL, &asset, &error) != SINEW_OK) {
        fprintf(stderr, "02_crossfade: %s\n", error.message);
        return 1;
    }
    const sinew_clip *clips[3];
    for (int i = 0; i < 3; i++) clips[i] = find(asset, names[i]);

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.on_event = on_event;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) {
        fprintf(stderr, "02_crossfade: %s\n", error.message);
        return 1;
    }

    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_mixer_play(mixer, sinew_clip_source(clips[0]), NULL);
    printf("time    %8s %8s %8s\n", names[0], names[1], names[2]);
    for (int frame = 0; frame <= 80; frame++) {
        if (frame == 10) sinew_mixer_crossfade_to(mixer, sinew_clip_source(clips[1]), 0.5f, NULL);
        if (frame == 20)
            sinew_mixer_crossfade_to(mixer, sinew_clip_source(clips[2]), 0.4f,
                                     &once); // while the first fade is still running
        sinew_mixer_update(mixer, 1.0f / 40.0f);
        if (frame % 4 != 0) continue;
        printf("%.2f s ", (double)(frame + 1) / 40.0);
        for (int i = 0; i < 3; i++) { // an action that has faded out is gone, so its weight is 0
            sinew_action action = sinew_mixer_find(mixer, sinew_clip_source(clips[i]), SINEW_ALL_LAYERS);
            printf(" %8.3f", (double)sinew_action_weight(mixer, action));
        }
        printf("\n");
    }

    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
