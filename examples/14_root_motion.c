// Root motion: takes the root node's motion out of the pose and moves the character with it.
// 14_root_motion [FILE [CLIP NODE]]
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>

static int fail(const char *message) {
    fprintf(stderr, "14_root_motion: %s\n", message);
    return 1;
}

// The character's position in the game world (+Y up), and its heading: 0 is +Z, and a quarter turn left is +X.
typedef struct character {
    double x, z, heading;
} character;

// A game would check for walls first.
static void move(character *c, sinew_root_delta delta) {
    double ahead = (double)delta.translation.z, left = (double)delta.translation.x;
    c->x += left * cos(c->heading) + ahead * sin(c->heading);
    c->z += ahead * cos(c->heading) - left * sin(c->heading);
    c->heading += (double)delta.yaw;
}

int main(int argc, char **argv) {
    sinew_error error;
    sinew_asset *asset;
    const char *path = argc > 1 ? argv[1] : "models/hero.glb";
    if (sinew_gltf_load_file(path, NULL, &asset, &error) != SINEW_OK) return fail(error.message);
    const sinew_clip *clip = sinew_asset_find_clip(asset, argc == 4 ? argv[2] : "Turn"); // 90 degrees to the left
    if (!clip) return fail("the file lacks that clip");

    sinew_root_motion_def motion = sinew_root_motion_default(); // x, z and yaw
    motion.skeleton = asset->skeleton;
    motion.node = sinew_skeleton_find(asset->skeleton, argc == 4 ? argv[3] : "Hero");
    if (motion.node == SINEW_NO_NODE) return fail("the file lacks that node");
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.root_motion = &motion; // copied, so it may go away
    sinew_mixer *mixer;
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) return fail(error.message);
    sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);

    character hero = {0.0, 0.0, 0.0};
    const float dt = 1.0f / 60.0f;
    for (int frame = 0; (float)frame * dt < 4.0f * clip->duration;
         frame++) { // four times through, and the last step ends there
        float left = 4.0f * clip->duration - (float)frame * dt;
        sinew_mixer_update(mixer, left < dt ? left : dt);
        move(&hero, sinew_mixer_root_delta(mixer));
        if (frame % 20 != 19) continue;
        sinew_quat shown =
            sinew_pose_get(sinew_mixer_pose(mixer), motion.node).rotation; // the rotation that stays in the pose
        printf("%.2f s  at %+.2f, %+.2f m  facing %4.0f degrees;  %.0f are left in the pose\n",
               (double)(frame + 1) / 60.0, hero.x, hero.z, hero.heading * 57.29578,
               fabs(2.0 * atan2((double)shown.y, (double)shown.w) * 57.29578));
    }
    printf("in the end it faces %.0f degrees\n", hero.heading * 57.29578);
    sinew_mixer_destroy(mixer);
    sinew_asset_destroy(asset);
    return 0;
}
