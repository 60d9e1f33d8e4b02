// Warping: the hero turns to a platform and jumps onto it, wherever it is. The clips turn by 90 degrees and jump on the
// spot. The platform keeps moving during the jump.
// 20_warping [FILE]
#include <sinew/all.h>

#include <math.h>
#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "20_warping: %s\n", message);
    return 1;
}

static void print(const char *what, float time, sinew_root_warp_transform at) {
    double facing = 2.0 * atan2((double)at.facing.y, (double)at.facing.w) * 57.29578;
    printf("%-6s %.2f s  at %+.3f, %+.3f, %+.3f m  facing %+.1f degrees\n", what, (double)time,
           (double)at.position.x, (double)at.position.y, (double)at.position.z, facing);
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(argc > 1 ? argv[1] : "models/hero.glb", NULL, &asset, &error) != SINEW_OK)
        return fail(error.message);
    sinew_root_motion_def motion = sinew_root_motion_default();
    motion.skeleton = asset->skeleton;
    motion.node = sinew_skeleton_find(asset->skeleton, "Hero");
    motion.y = true; // the platform is higher
    sinew_mixer_def mixer_def = sinew_mixer_default();
    mixer_def.skeleton = asset->skeleton, mixer_def.root_motion = &motion;
    sinew_mixer *mixer;
    if (sinew_mixer_create(&mixer_def, &mixer, &error) != SINEW_OK) return fail(error.message);

    static const char *const names[2] = {"Turn", "Jump"};
    sinew_root_warp_transform hero = {{0, 0, 0}, {0, 0, 0, 1}}, platform = {{1.6f, 0.4f, -0.9f}, {0, 0, 0, 1}};
    platform.facing = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, 2.0831f); // faces away from the hero
    for (int act = 0; act < 2; act++) {
        sinew_root_warp_def def = sinew_root_warp_default();
        def.clip = sinew_asset_find_clip(asset, names[act]), def.root_motion = &motion,
        def.end = def.clip->duration;
        if (act == 1) def.start = def.clip->markers[0].time, def.end = def.clip->markers[1].time; // TakeOff to Land
        def.added_speed = act == 1 ? 6.0f : 0.0f; // because the clip jumps on the spot
        sinew_root_warp_transform goal = act == 0 ? hero : platform;
        goal.facing = platform.facing;
        sinew_root_warp warp;
        if (sinew_root_warp_begin(&def, 0.0f, hero, goal, &warp, &error) != SINEW_OK) return fail(error.message);
        if (warp.missed_distance > 0.0f) printf("it is too far by %.2f m\n", (double)warp.missed_distance);

        sinew_play_def play = sinew_play_default();
        play.loop = SINEW_LOOP_ONCE;
        sinew_action action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(def.clip), 0.1f, &play);
        for (int frame = 0; sinew_action_time(mixer, action) < def.clip->duration; frame++) {
            float before = sinew_action_time(mixer, action);
            sinew_mixer_update(mixer, 1.0f / 60.0f); // and draw
            float time = sinew_action_time(mixer, action);
            sinew_root_delta delta = sinew_root_warp_delta(&def, &warp, before, time);
            hero.position = sinew_vec3_add(hero.position, sinew_quat_rotate(hero.facing, delta.translation));
            hero.facing = sinew_quat_normalize(sinew_quat_multiply(hero.facing, delta.rotation));
            if (frame % 12 == 11) print(names[act], time, hero);
            if (act == 0 || time >= def.end) continue;
            platform.position.x += 0.2f / 60.0f; // at 0.2 m/s
            sinew_root_warp_set_goal(&def, &warp, time, NULL, platform);
        }
    }
    sinew_vec3 apart = sinew_vec3_subtract(hero.position, platform.position);
    printf("the hero is %.1f mm from the platform's centre\n", 1000.0 * (double)sinew_vec3_length(apart));
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
