// SPDX-License-Identifier: MIT
// Cameras, lights and visibility: what's read, where they're attached, and where they look.
#include "support/gltf_builder.h"

#include <math.h>

// ---- What is read ----------------------------------------------------------------------------------------------

static void test_cameras(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b,
                 "'cameras':[{'name':'eye','type':'perspective','perspective':{'yfov':0.75,'znear':0.1}},"
                 "{'type':'perspective','perspective':{'yfov':1.5,'znear':0.5,'zfar':20,'aspectRatio':1.5}},"
                 "{'name':'plan','type':'orthographic','orthographic':{'xmag':3,'ymag':2,'znear':0,'zfar':9}}]");
    gltf_section(&b, "'nodes':[{'camera':1,'children':[2]},{'camera':0},{'camera':1}],'scenes':[{'nodes':[1]}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const int32_t *node_of = asset->skeleton->node_of_source;
    assert_int_equal(asset->camera_count, 3);
    const sinew_camera *eye = &asset->cameras[0], *wide = &asset->cameras[1], *plan = &asset->cameras[2];
    assert_string_equal(eye->name, "eye");
    assert_false(eye->orthographic);
    check_floats(&eye->yfov, (float[1]){0.75f}, 1, 0);
    assert_true(eye->aspect == 0 && eye->znear == 0.1f && isinf(eye->zfar) && eye->zfar > 0);
    assert_string_equal(wide->name, "");
    assert_true(wide->yfov == 1.5f && wide->aspect == 1.5f && wide->znear == 0.5f && wide->zfar == 20);
    assert_true(plan->orthographic && plan->xmag == 3 && plan->ymag == 2 && plan->znear == 0 && plan->zfar == 9);
    const struct {
        int32_t source, camera;
        bool in_scene;
    } expected[3] = {{0, 1, false}, {1, 0, true}, {2, 1, false}}; // in the file's order of nodes
    assert_int_equal(asset->camera_node_count, 3);
    for (int32_t i = 0; i < 3; i++) {
        const sinew_camera_node *mesh_node = &asset->camera_nodes[i];
        assert_int_equal(mesh_node->node, node_of[expected[i].source]);
        assert_int_equal(mesh_node->camera, expected[i].camera);
        assert_int_equal(mesh_node->in_scene, expected[i].in_scene);
    }
    assert_int_equal(asset->light_count + asset->light_node_count + asset->mesh_node_count, 0);
    sinew_asset_destroy(asset);
}

static void test_lights(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'extensionsRequired':['KHR_lights_punctual'],'extensions':{'KHR_lights_punctual':{'lights':["
                     "{'name':'sun','type':'directional','color':[1,0.5,0.25],'intensity':3,'range':7},"
                     "{'type':'point','range':12},{'type':'spot'},"
                     "{'type':'spot','spot':{'innerConeAngle':0.25,'outerConeAngle':0.5}}]}}");
    gltf_section(&b, "'nodes':[{'extensions':{'KHR_lights_punctual':{'light':3}}},{},"
                     "{'extensions':{'KHR_lights_punctual':{'light':0}}}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    assert_int_equal(asset->light_count, 4);
    const sinew_light *light = asset->lights;
    assert_string_equal(light[0].name, "sun");
    assert_int_equal(light[0].kind, SINEW_LIGHT_DIRECTIONAL);
    check_floats(light[0].color, (float[3]){1, 0.5f, 0.25f}, 3, 0);
    assert_true(light[0].intensity == 3 && isinf(light[0].range)); // the sun reaches everywhere
    assert_int_equal(light[1].kind, SINEW_LIGHT_POINT);
    check_floats(light[1].color, (float[3]){1, 1, 1}, 3, 0);
    assert_true(light[1].intensity == 1 && light[1].range == 12);
    assert_int_equal(light[2].kind, SINEW_LIGHT_SPOT);
    assert_true(isinf(light[2].range) && light[2].inner_cone == 0);
    check_near(light[2].outer_cone, PI / 4, 1e-7);
    assert_true(light[3].inner_cone == 0.25f && light[3].outer_cone == 0.5f);
    assert_int_equal(asset->light_node_count, 2);
    assert_int_equal(asset->light_nodes[0].light, 3);
    assert_int_equal(asset->light_nodes[1].light, 0);
    assert_int_equal(asset->light_nodes[1].node, asset->skeleton->node_of_source[2]);
    assert_true(asset->light_nodes[1].in_scene && asset->light_nodes[1].visible);
    sinew_asset_destroy(asset);
}

static void refuse(const char *sections, const char *text) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "%s", sections);
    gltf_refuse(&b, SINEW_ERROR_FORMAT, text);
}

// The animation does not need them: nodes keep their references.
static void leave_out(const char *sections, const char *line) {
    gltf_builder b = gltf_begin();
    gltf_section(&b, "%s", sections);
    gltf_leave_out(&b, line);
}

static void test_bad_cameras_and_lights(void **state) {
    (void)state;
    leave_out("'cameras':[{}]", "cameras[0]: ignored, because cameras[0]: type is not perspective or orthographic");
    leave_out("'cameras':[{'type':'fisheye'}]",
              "cameras[0]: ignored, because cameras[0]: type is not perspective or orthographic");
    leave_out("'cameras':[{'type':'perspective'}]",
              "cameras[0]: ignored, because cameras[0]: perspective is missing");
    leave_out("'cameras':[{'type':'perspective','perspective':{'znear':1}}]", "perspective: yfov is missing");
    leave_out("'cameras':[{'type':'perspective','perspective':{'yfov':0,'znear':1}}]",
              "cameras[0].perspective.yfov: 0 must be more than 0");
    leave_out("'cameras':[{'type':'perspective','perspective':{'yfov':4,'znear':1}}]",
              "yfov: 4 must be less than pi");
    leave_out("'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':0}}]",
              "znear: 0 must be more than 0");
    leave_out("'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':2,'zfar':2}}]",
              "zfar: 2 must be more than 2");
    leave_out("'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':2,'aspectRatio':-1}}]",
              "aspectRatio: -1 must be more than 0");
    leave_out("'cameras':[{'type':'orthographic','orthographic':{'xmag':0,'ymag':1,'zfar':1}}]",
              "cameras[0].orthographic: xmag is missing or 0");
    leave_out("'cameras':[{'type':'orthographic','orthographic':{'xmag':1,'ymag':1,'znear':0}}]",
              "zfar is missing");
    refuse("'nodes':[{'camera':0}]", "nodes[0].camera: 0 is out of range: the file has 0 cameras");
    leave_out("'extensions':{'KHR_lights_punctual':{'lights':[{}]}}",
              "extensions.KHR_lights_punctual.lights[0]: type is not directional, point or spot");
    leave_out("'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point','color':[1,1]}]}}",
              "lights[0].color: has 2 numbers instead of 3");
    leave_out("'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point','range':0}]}}",
              "lights[0].range: 0 must be more than 0");
    refuse("'nodes':[{'extensions':{'KHR_lights_punctual':{'light':0}}}]",
           "nodes[0].extensions.KHR_lights_punctual.light: 0 is out of range: the file has 0 lights");
    refuse("'nodes':[{'extensions':{'KHR_node_visibility':{'visible':'no'}}}]",
           "nodes[0].extensions.KHR_node_visibility.visible: \"no\" is not true or false");
}

static void test_an_unknown_light_is_a_point_light(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_section(&b, "'nodes':[{'camera':0,'extensions':{'KHR_lights_punctual':{'light':0}}}],"
                     "'cameras':[{'type':'fisheye'}],'scenes':[{'nodes':[0]}],'scene':0,"
                     "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'area','intensity':'much'}]}}");
    gltf_lines lines;
    sinew_asset *asset = gltf_load(&b, &lines);
    assert_int_equal(lines.count, 2);
    assert_int_equal(asset->light_node_count, 1);
    assert_int_equal(asset->lights[0].kind, SINEW_LIGHT_POINT);
    assert_true(asset->lights[0].intensity == 1 && isinf(asset->lights[0].range));
    assert_int_equal(asset->camera_node_count, 1);
    assert_true(!asset->cameras[0].orthographic && asset->cameras[0].yfov > 0 && asset->cameras[0].znear > 0);
    sinew_asset_destroy(asset);
}

// ---- Visibility ------------------------------------------------------------------------------------------------

// Mistakes: hiding only the node itself; letting a child that says it is visible be seen again; hiding cameras.
static void test_what_is_hidden_hides_all_below_it(void **state) {
    (void)state;
    gltf_builder b = gltf_begin();
    gltf_triangle_mesh(&b, "", "");
    gltf_section(&b, "'extensionsRequired':['KHR_node_visibility'],"
                     "'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':1}}],"
                     "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point'}]}}");
#define SEEN(value) "'KHR_node_visibility':{'visible':" value "}"
    gltf_section(&b, "'nodes':[{'mesh':0},{'mesh':0,'extensions':{" SEEN(
                         "true") "}},"
                                 "{'mesh':0,'children':[1,3],'extensions':{" SEEN(
                                     "false") "}},"
                                              "{'camera':0,'children':[4],'extensions':{'KHR_lights_punctual':{'"
                                              "light':0}}},{'mesh':0},"
                                              "{'mesh':0,'extensions':{'KHR_node_visibility':{}}},"
                                              "{'extensions':{'KHR_lights_punctual':{'light':0}}}]");
    sinew_asset *asset = gltf_load(&b, NULL);
    const int32_t sources[5] = {0, 1, 2, 4, 5};
    const bool visible[5] = {true, false, false, false, true};
    assert_int_equal(asset->mesh_node_count, 5);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(asset->mesh_nodes[i].node, asset->skeleton->node_of_source[sources[i]]);
        assert_int_equal(asset->mesh_nodes[i].visible, visible[i]);
        assert_true(asset->mesh_nodes[i].in_scene); // which is another matter
    }
    assert_int_equal(asset->light_node_count, 2);
    assert_false(asset->light_nodes[0].visible);
    assert_true(asset->light_nodes[1].visible);
    assert_int_equal(asset->camera_node_count, 1); // cameras see all the same
    sinew_asset_destroy(asset);
}

// ---- Where they look -------------------------------------------------------------------------------------------

static sinew_affine placed(double turn_x, double turn_y, sinew_vec3 place, sinew_vec3 scale) {
    sinew_quat q = sinew_quat_multiply(about_y(turn_y), about_x(turn_x));
    return sinew_affine_from_transform((sinew_transform){place, q, scale});
}

// At (1, 2, 3), turned a quarter to its left: it looks along -X, and what's at -Z is on its right.
static void test_view(void **state) {
    (void)state;
    sinew_affine node = placed(0, PI / 2, (sinew_vec3){1, 2, 3}, (sinew_vec3){1, 1, 1});
    sinew_affine view = sinew_camera_view(SINEW_UP_Y, node);
    check_vec3(sinew_affine_point(view, (sinew_vec3){1, 2, 3}), 0, 0, 0, 1e-6);
    check_vec3(sinew_affine_point(view, (sinew_vec3){-9, 2, 3}), 0, 0, -10, 2e-6);
    check_vec3(sinew_affine_point(view, (sinew_vec3){1, 2, -1}), 4, 0, 0, 1e-6);
    check_vec3(sinew_affine_point(view, (sinew_vec3){1, 7, 3}), 0, 5, 0, 1e-6);
    check_vec3(sinew_light_direction(SINEW_UP_Y, node), -1, 0, 0, 1e-6);
}

// The specification: a camera's scale is ignored. Mistake: taking the inverse of the node's matrix.
static void test_scale_takes_no_part(void **state) {
    (void)state;
    const sinew_vec3 place = {1, 2, 3},
                     scales[4] = {{2, 2, 2}, {-3, 5, 0.25f}, {1e-20f, 1e-20f, 1e-20f}, {4, 1e15f, 1}};
    sinew_affine plain = sinew_camera_view(SINEW_UP_Y, placed(0.3, 0.7, place, (sinew_vec3){1, 1, 1}));
    for (int i = 0; i < 4; i++) {
        sinew_affine node = placed(0.3, 0.7, place, scales[i]);
        sinew_affine view = sinew_camera_view(SINEW_UP_Y, node);
        check_floats(&view.m[0][0], &plain.m[0][0], 12, 1e-6f);
        sinew_vec3 direction = sinew_light_direction(SINEW_UP_Y, node);
        check_vec3(direction, -plain.m[2][0], -plain.m[2][1], -plain.m[2][2], 1e-6);
    }
}

// Below a scaled parent, axes are no longer at right angles. A view keeps its direction without bending.
static void test_a_bent_node_gives_a_straight_view(void **state) {
    (void)state;
    sinew_affine parent = placed(0, 0, (sinew_vec3){0, 0, 0}, (sinew_vec3){3, 1, 0.5f});
    sinew_affine node =
        sinew_affine_multiply(parent, placed(0.6, 0.8, (sinew_vec3){1, 2, 3}, (sinew_vec3){1, 1, 1}));
    sinew_affine view = sinew_camera_view(SINEW_UP_Y, node);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) sum += (double)view.m[i][c] * view.m[k][c];
            check_near(sum, i == k, 1e-6);
        }
    sinew_vec3 ahead = sinew_affine_direction(node, (sinew_vec3){0, 0, -7}),
               seen = sinew_affine_direction(view, ahead);
    check_near(seen.x, 0, 1e-5);
    check_near(seen.y, 0, 1e-5);
    assert_true(seen.z < 0);
    sinew_vec3 above = sinew_affine_direction(view, sinew_affine_direction(node, (sinew_vec3){0, 1, 0}));
    check_near(above.x, 0, 1e-5);
    assert_true(above.y > 0);
}

static void check_projection(const sinew_camera *camera, float aspect, const double expected[16]) {
    sinew_mat4 found = sinew_camera_projection(camera, aspect);
    for (int i = 0; i < 16; i++) check_near(found.m[i], expected[i], 1e-6 * (1 + fabs(expected[i])));
}

// The matrices of section 3.10.3, computed here in double.
static void test_projections(void **state) {
    (void)state;
    const double f = 1 / tan(0.75 / 2), n = 0.1, far = 20;
    sinew_camera camera = {.yfov = 0.75f, .aspect = 1.5f, .znear = 0.1f, .zfar = 20};
    const double finite[16] = {
        f / 1.5, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + n) / (n - far), -1, 0, 0, 2 * far * n / (n - far), 0};
    check_projection(&camera, 1.5f, finite);
    camera.zfar = INFINITY;
    camera.aspect = 0;
    const double infinite[16] = {f / 2, 0, 0, 0, 0, f, 0, 0, 0, 0, -1, -1, 0, 0, -2 * n, 0};
    check_projection(&camera, 2, infinite);
    const sinew_camera plan = {.orthographic = true, .xmag = 3, .ymag = 2, .znear = 1, .zfar = 9};
    const double flat[16] = {1.0 / 3, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, -0.25, 0, 0, 0, -1.25, 1};
    check_projection(&plan, 1.5f, flat);
}

// A viewport of another shape stretches nothing, and shows all of the camera's own picture.
static void test_other_viewports(void **state) {
    (void)state;
    const double slope = tan(0.5);
    const sinew_camera cameras[2] = {{.yfov = 1, .aspect = 1.5f, .znear = 1, .zfar = 9},
                                     {.orthographic = true, .xmag = 3, .ymag = 2, .znear = 1, .zfar = 9}};
    const double height[2] = {slope, 2};
    for (int i = 0; i < 2; i++) {
        sinew_mat4 wide = sinew_camera_projection(&cameras[i], 3),
                   high = sinew_camera_projection(&cameras[i], 0.5f);
        check_near(1 / wide.m[5], height[i], 1e-6); // as high, and twice as wide
        check_near(1 / wide.m[0], 3 * height[i], 1e-6);
        check_near(1 / high.m[0], 1.5 * height[i], 1e-6); // as wide, and three times as high
        check_near(1 / high.m[5], 3 * height[i], 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cameras),
        cmocka_unit_test(test_lights),
        cmocka_unit_test(test_bad_cameras_and_lights),
        cmocka_unit_test(test_an_unknown_light_is_a_point_light),
        cmocka_unit_test(test_what_is_hidden_hides_all_below_it),
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_scale_takes_no_part),
        cmocka_unit_test(test_a_bent_node_gives_a_straight_view),
        cmocka_unit_test(test_projections),
        cmocka_unit_test(test_other_viewports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
