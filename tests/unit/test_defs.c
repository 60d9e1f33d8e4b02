// SPDX-License-Identifier: MIT
// Definitions not made by a default function: zeros, or NULL for functions that create. Each case runs in a child
// process. A build with asserts must stop with a message that names the definition and its default function. Without
// asserts, functions that create or load must fail with the same message, and functions that run in a frame must
// ignore the definition.
#include <sinew/gpu/gl.h>
#include <sinew/all.h>

#include "support/in_child.h"

#include <stdlib.h>
#include <string.h>

// ---- The stage -----------------------------------------------------------------------------------------------

typedef struct stage {
    sinew_skeleton *skeleton;
    sinew_clip *slide;
    sinew_mixer *mixer;
    sinew_pose *pose;
    sinew_affine model[3];
    sinew_scene *scene;
    sinew_graph *graph; // two empty states
    sinew_graph_binding *binding;
    sinew_animator *animator;
    sinew_error error;
} stage;

static stage s;

static void make_animator(void) {
    static const char text[] = "{\"sinewGraph\":1,\"layers\":[{\"name\":\"Base\",\"states\":{\"A\":{},\"B\":{}}}]}";
    assert_int_equal(sinew_graph_load_memory(text, sizeof text - 1, NULL, &s.graph, NULL), SINEW_OK);
    sinew_graph_binding_def binding = sinew_graph_binding_default();
    binding.graph = s.graph;
    binding.skeleton = s.skeleton;
    assert_int_equal(sinew_graph_bind(&binding, &s.binding, NULL), SINEW_OK);
    sinew_animator_def animator = sinew_animator_default();
    animator.binding = s.binding;
    assert_int_equal(sinew_animator_create(&animator, &s.animator, NULL), SINEW_OK);
}

static int set_up(void **state) {
    (void)state;
    s.skeleton = make_chain(3);
    s.slide = make_slide(s.skeleton, "slide", 1, 1, 2);
    sinew_mixer_def mixer = sinew_mixer_default();
    mixer.skeleton = s.skeleton;
    assert_int_equal(sinew_mixer_create(&mixer, &s.mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_pose_create(s.skeleton, NULL, &s.pose), SINEW_OK);
    sinew_pose_to_model(s.pose, s.model);
    sinew_scene_def scene = sinew_scene_default();
    assert_int_equal(sinew_scene_create(&scene, &s.scene, NULL), SINEW_OK);
    make_animator();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sinew_animator_destroy(s.animator);
    sinew_graph_binding_destroy(s.binding);
    sinew_graph_destroy(s.graph);
    sinew_scene_destroy(s.scene);
    sinew_pose_destroy(s.pose);
    sinew_mixer_destroy(s.mixer);
    sinew_clip_destroy(s.slide);
    sinew_skeleton_destroy(s.skeleton);
    return 0;
}

// ---- Creating and loading ------------------------------------------------------------------------------------

// `name` with a definition of zeros, name_null with NULL.
#define CREATES(name, type, call)                                                                                  \
    static int name##_with(const type *def) {                                                                      \
        return (int)(call);                                                                                        \
    }                                                                                                              \
    static int name(void) {                                                                                        \
        static const type zeros;                                                                                   \
        return name##_with(&zeros);                                                                                \
    }                                                                                                              \
    static int name##_null(void) {                                                                                 \
        return name##_with(NULL);                                                                                  \
    }

static void *out;

CREATES(skeleton, sinew_skeleton_def, sinew_skeleton_create(def, (sinew_skeleton **)&out, &s.error))
CREATES(clip, sinew_clip_def, sinew_clip_create(def, (sinew_clip **)&out, &s.error))
CREATES(skin, sinew_skin_def, sinew_skin_create(def, (sinew_skin **)&out, &s.error))
CREATES(bounds, sinew_bounds_def, sinew_bounds_create(def, (sinew_bounds **)&out, &s.error))
CREATES(space, sinew_blend_space_def, sinew_blend_space_create(def, (sinew_blend_space **)&out, &s.error))
CREATES(mixer, sinew_mixer_def, sinew_mixer_create(def, (sinew_mixer **)&out, &s.error))
CREATES(replay, sinew_replay_def, sinew_replay_create(def, (sinew_replay **)&out, &s.error))
CREATES(character_replay, sinew_character_replay_def,
        sinew_character_replay_create(def, (sinew_character_replay **)&out, &s.error))
CREATES(scene, sinew_scene_def, sinew_scene_create(def, (sinew_scene **)&out, &s.error))
CREATES(contacts, sinew_foot_contacts_def, sinew_foot_contacts_create(def, (sinew_foot_contacts **)&out, &s.error))
CREATES(retarget, sinew_retarget_def, sinew_retarget_create(def, (sinew_retarget **)&out, &s.error))
CREATES(bake, sinew_bake_def, sinew_bake_create(def, (sinew_bake **)&out, &s.error))
CREATES(graph, sinew_graph_def, sinew_graph_create(def, (sinew_graph **)&out, &s.error))
CREATES(binding, sinew_graph_binding_def, sinew_graph_bind(def, (sinew_graph_binding **)&out, &s.error))
CREATES(animator, sinew_animator_def, sinew_animator_create(def, (sinew_animator **)&out, &s.error))

static int retarget_clip_with(const sinew_retarget_clip_def *def) {
    sinew_retarget_def map_def = sinew_retarget_default();
    map_def.source = map_def.target = s.skeleton;
    sinew_retarget *map;
    if (sinew_retarget_create(&map_def, &map, NULL) != SINEW_OK) return SINEW_OK;
    const int result = (int)sinew_clip_retarget(map, s.slide, def, (sinew_clip **)&out, &s.error);
    sinew_retarget_destroy(map);
    return result;
}

static int retarget_clip(void) {
    static const sinew_retarget_clip_def zeros;
    return retarget_clip_with(&zeros);
}

static int retarget_clip_null(void) {
    return retarget_clip_with(NULL);
}

static int gltf(void) { // NULL are the defaults
    static const sinew_gltf_options zeros;
    return (int)sinew_gltf_load_memory("{}", 2, &zeros, (sinew_asset **)&out, &s.error);
}

static int baked_asset(void) { // NULL are the defaults
    static const sinew_baked_asset_options zeros;
    return (int)sinew_baked_asset_load_memory("", 0, &zeros, (sinew_asset **)&out, &s.error);
}

static int bvh(void) { // NULL are the defaults
    static const sinew_bvh_options zeros;
    return (int)sinew_bvh_load_memory("", 0, &zeros, (sinew_asset **)&out, &s.error);
}

static int bind(void) { // NULL are the defaults
    static const sinew_bind_def zeros;
    return (int)sinew_clip_bind(s.slide, s.skeleton, &zeros, (sinew_clip **)&out, NULL, &s.error);
}

static int root_motion(void) {
    static const sinew_root_motion_def zero;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton;
    def.root_motion = &zero;
    return (int)sinew_mixer_create(&def, (sinew_mixer **)&out, &s.error);
}

static int animators_mixer(void) {
    static const sinew_mixer_def zero;
    sinew_animator_def def = sinew_animator_default();
    def.binding = s.binding;
    def.mixer = &zero;
    return (int)sinew_animator_create(&def, (sinew_animator **)&out, &s.error);
}

static sinew_scene_node node;

CREATES(scene_node, sinew_scene_node_def, sinew_scene_add_node(s.scene, def, &node, &s.error))
CREATES(instance, sinew_instance_def, sinew_scene_add_instance(s.scene, def, &node, &s.error))

// The context is not used before the definition is checked.
CREATES(gl, sinew_gl_def, sinew_gl_create(def, (sinew_gl **)&out, &s.error))
CREATES(gl_records, sinew_gl_records_def,
        sinew_gl_records_create((sinew_gl *)(void *)&s, def, (sinew_gl_records **)&out, &s.error))

// ---- In a frame ----------------------------------------------------------------------------------------------

// 0 for a pose that did not change.
static int is_changed(const sinew_affine model[3]) {
    sinew_affine now[3];
    sinew_pose_to_model(s.pose, now);
    return memcmp(now, model, sizeof now) != 0;
}

static int play(void) {
    static const sinew_play_def def;
    return sinew_mixer_play(s.mixer, sinew_clip_source(s.slide), &def).id != 0;
}

static int transition(void) {
    static const sinew_transition zero;
    return sinew_mixer_transition_to(s.mixer, sinew_clip_source(s.slide), &zero, NULL).id != 0;
}

static int force_state(void) {
    static const sinew_transition zero;
    sinew_animator_force_state(s.animator, 1, &zero);
    return sinew_animator_state(s.animator, 0) != 0;
}

static int two_bone(void) {
    sinew_ik_two_bone limb;
    memset(&limb, 0, sizeof limb);
    limb.lower = 1, limb.end = 2, limb.weight = 1;
    sinew_ik_two_bone_solve(&limb, s.pose, s.model);
    return is_changed(s.model);
}

static int aim(void) {
    sinew_ik_aim zero;
    memset(&zero, 0, sizeof zero);
    zero.forward.x = zero.target.y = zero.weight = 1;
    sinew_ik_aim_solve(&zero, s.pose, s.model);
    return is_changed(s.model);
}

static int chain(void) {
    sinew_ik_chain zero;
    memset(&zero, 0, sizeof zero);
    zero.tip = 2, zero.target.x = zero.weight = 1;
    sinew_ik_chain_solve(&zero, s.pose, s.model);
    return is_changed(s.model);
}

// The joint is ignored: with it, the tip's parent would not rotate.
static int joint(void) {
    sinew_ik_limit zero;
    memset(&zero, 0, sizeof zero);
    zero.stiffness = 1;
    sinew_ik_chain made = sinew_ik_chain_from_rest(s.skeleton, 0, 1);
    made.limits = &zero, made.limit_count = 1;
    made.target.x = 1;
    sinew_affine model[3];
    memcpy(model, s.model, sizeof model);
    sinew_ik_chain_solve(&made, s.pose, model);
    int solved = is_changed(s.model);
    sinew_pose_reset(s.pose);
    return !solved;
}

static int spread(void) {
    sinew_ik zero;
    memset(&zero, 0, sizeof zero);
    zero.kind = SINEW_IK_SPREAD;
    zero.spread.forward.x = zero.spread.target.y = zero.spread.weight = zero.spread.growth = 1;
    sinew_affine model[3];
    memcpy(model, s.model, sizeof model);
    sinew_ik_solve(&zero, 1, s.pose, model);
    return is_changed(s.model);
}

static int body(void) {
    sinew_ik_effector effector = sinew_ik_effector_default();
    effector.node = 2, effector.target.x = 1;
    sinew_ik_body zero;
    memset(&zero, 0, sizeof zero);
    zero.effectors = &effector, zero.effector_count = 1, zero.weight = 1;
    sinew_ik_body_solve(&zero, s.pose, s.model);
    return is_changed(s.model);
}

static int effector(void) {
    sinew_ik_effector zero;
    memset(&zero, 0, sizeof zero);
    zero.node = 2, zero.target.x = zero.position_weight = zero.pull = 1;
    sinew_ik_body made = sinew_ik_body_default();
    made.root = 0, made.effectors = &zero, made.effector_count = 1;
    sinew_ik_body_solve(&made, s.pose, s.model);
    return is_changed(s.model);
}

static bool level(sinew_vec3 place, sinew_foot_ground *ground, void *user) {
    (void)place, (void)user;
    *ground = (sinew_foot_ground){0, {0, 1, 0}};
    return true;
}

static int place_feet(const sinew_foot_placement *placement) {
    static sinew_foot_placement_state state;
    sinew_affine model[3];
    memcpy(model, s.model, sizeof model);
    sinew_foot_placement_solve(placement, 0.1f, &state, s.pose, model);
    return is_changed(s.model);
}

static int foot_placement(void) {
    sinew_foot_placement zero;
    memset(&zero, 0, sizeof zero);
    zero.ground = level;
    return place_feet(&zero);
}

static int leg(void) {
    sinew_foot zero;
    memset(&zero, 0, sizeof zero);
    sinew_foot_placement placement = sinew_foot_placement_default();
    placement.ground = level, placement.feet = &zero, placement.foot_count = 1;
    return place_feet(&placement);
}

static int foot_lock(void) {
    static const float contact = 1;
    sinew_foot_lock zero;
    memset(&zero, 0, sizeof zero);
    sinew_foot_lock_state state;
    memset(&state, 0, sizeof state);
    sinew_affine world = sinew_affine_identity(), model[3];
    memcpy(model, s.model, sizeof model);
    sinew_foot_lock_solve(&zero, &world, &contact, 0.1f, &state, s.pose, model);
    return is_changed(s.model);
}

static int warp_of(const sinew_root_warp_def *def) {
    sinew_root_warp warp;
    sinew_root_warp_transform here = {{0, 0, 0}, {0, 0, 0, 1}};
    return (int)sinew_root_warp_begin(def, 0, here, here, &warp, &s.error);
}

static int warp(void) {
    static const sinew_root_warp_def zero;
    return warp_of(&zero);
}

static int warp_null(void) {
    return warp_of(NULL);
}

static int warp_root_motion(void) {
    sinew_root_motion_def zero;
    memset(&zero, 0, sizeof zero);
    zero.skeleton = s.skeleton;
    sinew_root_warp_def def = sinew_root_warp_default();
    def.clip = s.slide, def.root_motion = &zero, def.end = 1;
    return warp_of(&def);
}

static int aim_offset(void) {
    static const sinew_aim_offset_def zero;
    sinew_aim_offset *aim_offset;
    return (int)sinew_aim_offset_create(&zero, &aim_offset, &s.error);
}

static int aim_offset_null(void) {
    sinew_aim_offset *aim_offset;
    return (int)sinew_aim_offset_create(NULL, &aim_offset, &s.error);
}

static int orientation_warp(void) {
    static const sinew_orientation_warp zero;
    sinew_orientation_warp_state state = {0, 0};
    sinew_affine model[3];
    memcpy(model, s.model, sizeof model);
    sinew_orientation_warp_solve(&zero, 1, 0.1f, &state, s.pose, model);
    return is_changed(model);
}

static int stride_warp(void) {
    static const sinew_stride_warp zero;
    sinew_stride_warp_state state = {0, 0, 0, 0};
    sinew_affine model[3];
    memcpy(model, s.model, sizeof model);
    sinew_stride_warp_solve(&zero, 1.2f, 0.1f, &state, s.pose, model);
    return is_changed(model);
}

static int springs(void) {
    static const sinew_springs_def zero;
    sinew_springs *made;
    return (int)sinew_springs_create(&zero, &made, &s.error);
}

static int springs_null(void) {
    sinew_springs *made;
    return (int)sinew_springs_create(NULL, &made, &s.error);
}

static int springs_input(void) {
    sinew_springs_def def = sinew_springs_default();
    def.skeleton = s.skeleton;
    sinew_springs *made;
    if (sinew_springs_create(&def, &made, &s.error) != SINEW_OK) return 1;
    float state[64];
    assert_true(sinew_springs_state_size(made) <= sizeof state);
    sinew_springs_reset(made, (sinew_spring_state *)(void *)state);
    static const sinew_springs_input zero;
    sinew_affine model[3];
    memcpy(model, s.model, sizeof model);
    sinew_springs_solve(made, &zero, 0.1f, (sinew_spring_state *)(void *)state, s.pose, model);
    sinew_springs_destroy(made);
    return is_changed(s.model);
}

static int skin_job(void) {
    static const sinew_skin_job zero;
    sinew_skin_vertices(&zero, s.model, 0, 1);
    return 0;
}

static int shader(void) {
    static const sinew_shader_def zero;
    return sinew_shader_preamble(&zero, NULL, 0) != 0;
}

// ---- Cases ---------------------------------------------------------------------------------------------------

#ifdef NDEBUG
static const bool has_asserts = false;
#else
static const bool has_asserts = true;
#endif

typedef struct def_case {
    const char *type, *maker;
    int (*call)(void);
    bool creates;
} def_case;

static const def_case cases[] = {
    {"sinew_skeleton_def", "sinew_skeleton_default", skeleton, true},
    {"sinew_skeleton_def", "sinew_skeleton_default", skeleton_null, true},
    {"sinew_clip_def", "sinew_clip_default", clip, true},
    {"sinew_clip_def", "sinew_clip_default", clip_null, true},
    {"sinew_skin_def", "sinew_skin_default", skin, true},
    {"sinew_skin_def", "sinew_skin_default", skin_null, true},
    {"sinew_bounds_def", "sinew_bounds_default", bounds, true},
    {"sinew_bounds_def", "sinew_bounds_default", bounds_null, true},
    {"sinew_blend_space_def", "sinew_blend_space_default", space, true},
    {"sinew_blend_space_def", "sinew_blend_space_default", space_null, true},
    {"sinew_mixer_def", "sinew_mixer_default", mixer, true},
    {"sinew_mixer_def", "sinew_mixer_default", mixer_null, true},
    {"sinew_root_motion_def", "sinew_root_motion_default", root_motion, true},
    {"sinew_replay_def", "sinew_replay_default", replay, true},
    {"sinew_replay_def", "sinew_replay_default", replay_null, true},
    {"sinew_character_replay_def", "sinew_character_replay_default", character_replay, true},
    {"sinew_character_replay_def", "sinew_character_replay_default", character_replay_null, true},
    {"sinew_scene_def", "sinew_scene_default", scene, true},
    {"sinew_scene_node_def", "sinew_scene_node_default", scene_node, true},
    {"sinew_instance_def", "sinew_instance_default", instance, true},
    {"sinew_instance_def", "sinew_instance_default", instance_null, true},
    {"sinew_foot_contacts_def", "sinew_foot_contacts_default", contacts, true},
    {"sinew_foot_contacts_def", "sinew_foot_contacts_default", contacts_null, true},
    {"sinew_bake_def", "sinew_bake_default", bake, true},
    {"sinew_bake_def", "sinew_bake_default", bake_null, true},
    {"sinew_graph_def", "sinew_graph_default", graph, true},
    {"sinew_graph_def", "sinew_graph_default", graph_null, true},
    {"sinew_graph_binding_def", "sinew_graph_binding_default", binding, true},
    {"sinew_graph_binding_def", "sinew_graph_binding_default", binding_null, true},
    {"sinew_animator_def", "sinew_animator_default", animator, true},
    {"sinew_animator_def", "sinew_animator_default", animator_null, true},
    {"sinew_mixer_def", "sinew_mixer_default", animators_mixer, true},
    {"sinew_transition", "sinew_transition_default", force_state, false},
    {"sinew_retarget_def", "sinew_retarget_default", retarget, true},
    {"sinew_retarget_def", "sinew_retarget_default", retarget_null, true},
    {"sinew_retarget_clip_def", "sinew_retarget_clip_default", retarget_clip, true},
    {"sinew_gltf_options", "sinew_gltf_default", gltf, true},
    {"sinew_bind_def", "sinew_bind_default", bind, true},
    {"sinew_bvh_options", "sinew_bvh_default", bvh, true},
    {"sinew_baked_asset_options", "sinew_baked_asset_default", baked_asset, true},
    {"sinew_gl_def", "sinew_gl_default", gl, true},
    {"sinew_gl_def", "sinew_gl_default", gl_null, true},
    {"sinew_gl_records_def", "sinew_gl_records_default", gl_records, true},
    {"sinew_gl_records_def", "sinew_gl_records_default", gl_records_null, true},
    {"sinew_play_def", "sinew_play_default", play, false},
    {"sinew_transition", "sinew_transition_default", transition, false},
    {"sinew_ik_two_bone", "sinew_ik_two_bone_from_rest", two_bone, false},
    {"sinew_ik_aim", "sinew_ik_aim_from_rest", aim, false},
    {"sinew_ik_chain", "sinew_ik_chain_from_rest", chain, false},
    {"sinew_ik_limit", "sinew_ik_limit_from_rest", joint, false},
    {"sinew_ik_spread", "sinew_ik_spread_from_rest", spread, false},
    {"sinew_ik_body", "sinew_ik_body_default", body, false},
    {"sinew_ik_effector", "sinew_ik_effector_default", effector, false},
    {"sinew_foot", "sinew_foot_from_rest", leg, false},
    {"sinew_foot_placement", "sinew_foot_placement_default", foot_placement, false},
    {"sinew_foot_lock", "sinew_foot_lock_default", foot_lock, false},
    {"sinew_root_warp_def", "sinew_root_warp_default", warp, true},
    {"sinew_root_warp_def", "sinew_root_warp_default", warp_null, true},
    {"sinew_root_motion_def", "sinew_root_motion_default", warp_root_motion, true},
    {"sinew_aim_offset_def", "sinew_aim_offset_default", aim_offset, true},
    {"sinew_aim_offset_def", "sinew_aim_offset_default", aim_offset_null, true},
    {"sinew_orientation_warp", "sinew_orientation_warp_default", orientation_warp, false},
    {"sinew_stride_warp", "sinew_stride_warp_default", stride_warp, false},
    {"sinew_springs_def", "sinew_springs_default", springs, true},
    {"sinew_springs_def", "sinew_springs_default", springs_null, true},
    {"sinew_springs_input", "sinew_springs_input_default", springs_input, false},
    {"sinew_skin_job", "sinew_skin_job_default", skin_job, false},
    {"sinew_shader_def", "sinew_shader_default", shader, false},
};

// Standard error of the child goes to the file, and so does the message of what it could not create.
static FILE *heard;
static const def_case *running;

static int run(void *data) {
    (void)data;
    dup2(fileno(heard), STDERR_FILENO);
    int result = running->call();
    fputs(s.error.message, stderr);
    fflush(stderr);
    return result;
}

static void hear(char *text, size_t size) {
    rewind(heard);
    text[fread(text, 1, size - 1, heard)] = 0;
}

// How the child that makes the call must end.
static int expected_end(const def_case *one) {
    if (has_asserts) return -SIGABRT;
    return one->creates ? SINEW_ERROR_ARGUMENT : 0;
}

static void test_a_definition_without_its_cookie_is_refused(void **state) {
    (void)state;
    int faults = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const def_case *one = &cases[i];
        char expected[128], text[2048];
        snprintf(expected, sizeof expected, "%s: start from %s()", one->type, one->maker);
        heard = tmpfile();
        assert_non_null(heard);
        running = one;
        int end = run_in_child(run, NULL);
        hear(text, sizeof text);
        fclose(heard);
        bool says = strstr(text, expected) != NULL || (!has_asserts && !one->creates);
        if (end == expected_end(one) && says) continue;
        print_error("%s: ended with %d and said: %s\n", one->type, end, text);
        faults++;
    }
    assert_int_equal(faults, 0);
}

// Definitions without required fields.
static void test_null_is_the_default(void **state) {
    (void)state;
    assert_int_equal(scene_null(), SINEW_OK);
    sinew_scene_destroy(out);
    assert_int_equal(scene_node_null(), SINEW_OK);
    assert_int_equal(
        sinew_gltf_load_memory("{\"asset\":{\"version\":\"2.0\"}}", 27, NULL, (sinew_asset **)&out, NULL),
        SINEW_OK);
    sinew_asset_destroy(out);
    sinew_clip *compressed;
    assert_int_equal(sinew_clip_compress(s.slide, NULL, &compressed, NULL), SINEW_OK);
    sinew_clip_destroy(compressed);
    const sinew_retarget_clip_def made = sinew_retarget_clip_default();
    assert_int_equal(retarget_clip_with(&made), SINEW_OK);
    sinew_clip *first = out;
    assert_int_equal(retarget_clip_null(), SINEW_OK);
    sinew_clip *second = out;
    check_near(first->duration, second->duration, 0);
    assert_int_equal(first->timeline_count, second->timeline_count);
    assert_int_equal(first->memory, second->memory);
    sinew_clip_destroy(first);
    sinew_clip_destroy(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_is_the_default),
        cmocka_unit_test(test_a_definition_without_its_cookie_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
