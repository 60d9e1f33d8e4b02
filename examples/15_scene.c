// A scene with two characters from one file, a sword that changes hands, a camera and a ray.
// 15_scene [CHARACTER WEAPON], where the character has a node Grip_R and a clip Walk
#include <sinew/all.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const char *message) {
    fprintf(stderr, "15_scene: %s\n", message);
    return 1;
}

static sinew_asset *load(const char *path) {
    sinew_error error;
    sinew_asset *asset;
    if (sinew_gltf_load_file(path, NULL, &asset, &error) == SINEW_OK) return asset;
    exit(fail(error.message));
}

static sinew_scene_node add(sinew_scene *scene, const sinew_asset *asset, const char *name, float x,
                            sinew_instance_pose pose) {
    sinew_error error;
    sinew_scene_node instance;
    sinew_instance_def def = sinew_instance_default();
    def.asset = asset, def.pose = pose;
    def.node.name = name, def.node.transform.translation.x = x;
    if (sinew_scene_add_instance(scene, &def, &instance, &error) != SINEW_OK) exit(fail(error.message));
    return instance;
}

static void print_position(const sinew_scene *scene, sinew_scene_node node) {
    sinew_affine world = sinew_scene_world(scene, node);
    sinew_scene_node owner = sinew_scene_joint(sinew_scene_parent(scene, node), SINEW_NO_NODE);
    printf("%s is %s's, at x %5.2f  y %5.2f  z %5.2f\n", sinew_scene_name(scene, node),
           sinew_scene_name(scene, owner), (double)world.m[0][3], (double)world.m[1][3], (double)world.m[2][3]);
}

int main(int argc, char **argv) {
    sinew_asset *hero = load(argc > 1 ? argv[1] : "models/hero.glb");
    sinew_asset *blade = load(argc > 2 ? argv[2] : "models/sword.glb");
    if (!sinew_asset_find_clip(hero, "Walk")) return fail("the character has no Walk");
    sinew_scene_def def = sinew_scene_default();
    sinew_scene *scene;
    sinew_error error;
    if (sinew_scene_create(&def, &scene, &error) != SINEW_OK) return fail(error.message);
    sinew_scene_node ann = add(scene, hero, "Ann", -1.0f, SINEW_INSTANCE_POSE_OWN);
    sinew_scene_node ben = add(scene, hero, "Ben", 1.0f, SINEW_INSTANCE_POSE_OWN);
    sinew_scene_node sword = add(scene, blade, "the sword", 0.0f, SINEW_INSTANCE_POSE_REST);
    sinew_mixer_play(sinew_scene_mixer(scene, ann), sinew_clip_source(&hero->clips[0]), NULL);
    sinew_mixer_play(sinew_scene_mixer(scene, ben), sinew_clip_source(sinew_asset_find_clip(hero, "Walk")), NULL);
    const sinew_transform fit = sinew_transform_identity(); // the demo sword is made for the node Grip_R
    for (int frame = 0; frame < 120; frame++) {
        if (frame % 60 == 0) sinew_scene_attach(scene, sword, frame < 60 ? ann : ben, "Grip_R", fit, NULL);
        sinew_scene_update(scene, 1.0f / 60.0f);
        if (frame % 20 == 19) print_position(scene, sword);
    }

    // Cull for a camera at (1, 1, 4) that looks along -Z. Draw each visible instance with its world matrix × palette.
    const sinew_vec3 eye = {1.0f, 1.0f, 4.0f}, target = {1.0f, 1.0f, 0.0f}, up = {0.0f, 1.0f, 0.0f};
    sinew_mat4 view = sinew_mat4_look_at(eye, target, up);
    sinew_mat4 projection = sinew_mat4_perspective(0.8f, 0.5f, 0.1f, 100.0f, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    sinew_mat4 view_projection = sinew_mat4_multiply(projection, view);
    sinew_frustum frustum = sinew_frustum_from_matrix(view_projection, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    const uint32_t *visible = sinew_scene_cull(scene, &frustum);
    for (int32_t i = 0; i < sinew_scene_instance_count(scene); i++) {
        const char *name = sinew_scene_name(scene, sinew_scene_instance(scene, i));
        printf("%s is %s\n", name, sinew_is_visible(visible, i) ? "visible" : "culled");
    }
    const sinew_ray ray = {{1.0f, 1.25f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    sinew_scene_hit hit;
    if (sinew_scene_pick(scene, ray, SINEW_PICK_TRIANGLES, &hit)) {
        printf("the ray hits %s after %.2f m\n", sinew_scene_name(scene, hit.node), (double)hit.distance);
    }
    sinew_scene_destroy(scene);
    sinew_asset_destroy(blade);
    sinew_asset_destroy(hero);
    return 0;
}
