// Footsteps and hits: prints what a game would do at each marker, with the clip's name and weight.
// 11_events [FILE [FIRST SECOND ATTACK]]
#include <sinew/sinew.h>

#include <stdio.h>
#include <string.h>

// What the callback needs to know about the game.
typedef struct game {
    sinew_mixer *mixer;
    const sinew_clip *first, *second, *attack;
    double now; // seconds, at the start of the step
} game;

// Called once per event, in time order, at the end of the update where it happened.
static void on_event(const sinew_event *event, void *user) {
    game *g = user;
    const char *what = NULL;
    if (event->type == SINEW_EVENT_MARKER && strncmp(event->marker->name, "Foot", 4) == 0) {
        what = event->weight >= 0.25f ? "a footstep" : "no footstep: the clip is hardly seen";
    } else if (event->type == SINEW_EVENT_MARKER) {
        what = event->marker->name;
    } else if (event->type == SINEW_EVENT_FINISHED) {
        what = "done, and back to what was before";
        sinew_mixer_crossfade_to(g->mixer, sinew_clip_source(g->first), 0.25f, NULL);
    }
    if (!what) return;
    printf("%5.2f s  %-8s %3.0f %%  %s\n", g->now + (double)event->moment, event->clip->name,
           100.0 * (double)event->weight, what);
}

static int fail(const char *message) {
    fprintf(stderr, "11_events: %s\n", message);
    return 1;
}

int main(int argc, char **argv) {
    const char *names[3] = {"Walk", "Run", "Attack"};
    for (int i = 0; i < 3 && argc == 5; i++) names[i] = argv[i + 2];
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb"; // also loads hero.markers.json
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    game g = {.first = sinew_asset_find_clip(asset, names[0]),
              .second = sinew_asset_find_clip(asset, names[1]),
              .attack = sinew_asset_find_clip(asset, names[2])};
    if (!g.first || !g.second || !g.attack) return fail("the file lacks one of those clips");

    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.on_event = on_event;
    def.user = &g;
    if (sinew_mixer_create(&def, &g.mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    sinew_mixer_play(g.mixer, sinew_clip_source(g.first), NULL);
    for (int frame = 0; frame < 150; frame++) {
        if (frame == 45) sinew_mixer_crossfade_to(g.mixer, sinew_clip_source(g.second), 0.5f, NULL);
        if (frame == 75) sinew_mixer_crossfade_to(g.mixer, sinew_clip_source(g.attack), 0.2f, &once);
        g.now = (double)frame / 30.0;
        sinew_mixer_update(g.mixer, 1.0f / 30.0f);
    }
    sinew_mixer_destroy(g.mixer);
    sinew_asset_destroy(asset);
    return 0;
}
