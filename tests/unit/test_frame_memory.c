// SPDX-License-Identifier: MIT
// A frame neither allocates nor frees: not with the objects' allocator, and not with the C library behind its back.
// The linker replaces the heap's functions with those below (--wrap). If it can't, only the allocator is watched.
#include "support/check.h"
#include "core/bounds_object.h"

static int heap_calls;

#ifdef SINEW_WRAPPED_HEAP
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): these names are the linker's.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size) {
    heap_calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    heap_calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    heap_calls++;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    heap_calls++;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
    heap_calls++;
    return __real_posix_memalign(memory, alignment, size);
}

void __wrap_free(void *memory) {
    heap_calls++;
    __real_free(memory);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static void test_the_heap_is_watched(void **state) {
    (void)state; // what the library takes from the heap is seen: the tests below do not pass for want of eyes
    heap_calls = 0;
    sinew_skeleton *skeleton = make_chain(2);
    int helper_calls = 2 + 2; // make_chain's own two callocs and frees
    assert_true(heap_calls > helper_calls);
    heap_calls = 0;
    sinew_skeleton_destroy(skeleton);
    assert_int_equal(heap_calls, 1);
}
#endif

// ---- A character and its frames ------------------------------------------------------------------------------

enum { MOST_CLIPS = 16, VERTICES = 256, FRAMES = 600 };

typedef struct character {
    const sinew_skin *skin;
    const sinew_clip *clips[MOST_CLIPS];
    int clip_count;
    sinew_mixer *mixer;
    sinew_action action; // the one that was started last
    sinew_mask *mask;
    sinew_node_lod *lod;    // of the skin, without the nodes below the second one
    sinew_clip *difference; // of the first clip
    int events;
    sinew_skin_job job;
    int32_t vertex_count;
    sinew_affine *palette;
    sinew_mat4 *matrices;
    sinew_transform hand;
    float out_positions[3 * VERTICES], out_normals[3 * VERTICES];
} character;

static void on_event(const sinew_event *event, void *user) {
    character *c = user;
    c->events++;
    if (event->type == SINEW_EVENT_FINISHED) { // as a game would: back to the first clip
        c->action = sinew_mixer_crossfade_to(c->mixer, sinew_clip_source(c->clips[0]), 0.2f, NULL);
    }
}

// Layers and transitions: the base's, the masked one's above it, and the additive one's.
static void ask_of_layers(character *c, int frame) {
    sinew_mixer *mixer = c->mixer;
    const sinew_clip *clip = c->clips[frame / 20 % c->clip_count];
    sinew_play_def above = sinew_play_default();
    above.layer = 1;
    above.easing = SINEW_EASING_SMOOTHSTEP;
    sinew_transition how = sinew_transition_default();
    switch (frame % 50) {
    case 3:
    case 5: // one in the middle of another
        how.kind = frame % 50 == 3 ? SINEW_TRANSITION_DEAD_BLEND : SINEW_TRANSITION_INERTIALIZE;
        c->action = sinew_mixer_transition_to(mixer, sinew_clip_source(clip), &how, NULL);
        break;
    case 12:
        how.match_rate = true;
        c->action = sinew_mixer_transition_to(mixer, sinew_clip_source(clip), &how, NULL);
        break;
    case 22:
        how.kind = SINEW_TRANSITION_INERTIALIZE;
        sinew_mixer_transition_to(mixer, sinew_clip_source(clip), &how, &above);
        sinew_layer_set_mask(mixer, 1, frame % 100 < 50 ? c->mask : NULL);
        break;
    case 27:
        sinew_mask_set_subtree(c->mask, 1, 0.5f, 1);
        sinew_layer_set_mask(mixer, 1, c->mask);
        sinew_layer_fade_to(mixer, 1, 0.25f, 0.2f, SINEW_EASING_SMOOTHSTEP);
        break;
    case 29: // several changes that are not transitions
        sinew_mixer_inertialize(mixer, SINEW_ALL_LAYERS, 0.3f);
        sinew_action_set_time(mixer, c->action, 0.2f);
        sinew_mixer_inertialize(mixer, 1, 0.2f);
        sinew_layer_set_mask(mixer, 1, NULL);
        break;
    case 33:
        above.layer = 2;
        sinew_mixer_crossfade_to(mixer, sinew_clip_source(c->difference), 0.1f, &above);
        break;
    case 45:
        sinew_action_fade_out(mixer, sinew_mixer_find(mixer, sinew_clip_source(c->difference), SINEW_ALL_LAYERS),
                              0.1f);
        break;
    default:
        break;
    }
}

// What a game asks for between frames, a little of everything.
static void ask_for_something(character *c, int frame) {
    sinew_mixer *mixer = c->mixer;
    const sinew_clip *clip = c->clips[frame / 20 % c->clip_count];
    sinew_play_def def = sinew_play_default();
    switch (frame % 100) {
    case 0:
        c->action = sinew_mixer_play(mixer, sinew_clip_source(clip), NULL);
        break;
    case 10:
        c->action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), 0.3f, NULL);
        break;
    case 20:
        def.loop = SINEW_LOOP_ONCE;
        def.speed = -1.5f;
        c->action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), 0.2f, &def);
        break;
    case 30:
        sinew_action_set_time(mixer, c->action, 0.1f);
        break;
    case 35:
        sinew_action_set_paused(mixer, c->action, true);
        break;
    case 38:
        sinew_action_set_paused(mixer, c->action, false);
        break;
    case 40: // more than there are slots
        def.allow_duplicate = true;
        def.loop = SINEW_LOOP_PING_PONG;
        for (int i = 0; i < 6; i++) c->action = sinew_mixer_play(mixer, sinew_clip_source(clip), &def);
        break;
    case 50:
        sinew_action_fade_to(mixer, c->action, 0.5f, 0.1f);
        break;
    case 60:
        sinew_action_set_loop(mixer, c->action, SINEW_LOOP_REPEAT, 2);
        break;
    case 65:
        sinew_action_set_speed(mixer, c->action, -1);
        break;
    case 70:
        sinew_action_stop(mixer, c->action);
        break;
    case 80:
        c->action = sinew_mixer_crossfade_to(mixer, sinew_clip_source(clip), 0, NULL);
        break;
    case 90:
        sinew_action_reset(mixer, c->action);
        break;
    case 99:
        if (frame % 200 == 199) sinew_mixer_stop_all(mixer);
        break;
    default:
        break;
    }
}

static void draw(character *c) {
    sinew_skin_palette(c->skin, sinew_mixer_model_matrices(c->mixer), c->palette);
    c->hand = sinew_clip_sample_node(c->clips[0], sinew_action_time(c->mixer, c->action), c->skin->joints[0]);
    for (int32_t i = 0; i < c->skin->joint_count; i++) c->matrices[i] = sinew_mat4_from_affine(c->palette[i]);
    sinew_skin_vertices(&c->job, c->palette, 0, c->vertex_count);
}

// A crowd's frames, and a character that goes to the texture and back in each.
static void check_baked_frames(character *c, const sinew_asset *asset, counting *counted) {
    sinew_bake_def bake_def = sinew_bake_default();
    bake_def.asset = asset;
    bake_def.allocator = counting_allocator(counted);
    sinew_bake *bake;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = asset->skeleton;
    def.allocator = counting_allocator(counted);
    assert_int_equal(sinew_bake_create(&bake_def, &bake, NULL), SINEW_OK);
    assert_int_equal(sinew_mixer_create(&def, &c->mixer, NULL), SINEW_OK);
    c->palette = malloc((size_t)bake->joint_count * sizeof *c->palette);
    assert_non_null(c->palette);
    sinew_bake_state state = sinew_bake_play(0);
    float texels[8];
    int allocations = counted->allocations;
    heap_calls = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame % 30 == 0) sinew_bake_fade_to(&state, frame / 30 % bake->clip_count, 0.3f);
        sinew_bake_advance(bake, &state, 1.0f / 60);
        sinew_bake_write(bake, &state, texels);
        sinew_bake_palette(bake, &state, c->palette);
        assert_true(sinew_bake_to_mixer(bake, &state, c->mixer));
        sinew_mixer_update(c->mixer, 1.0f / 60);
        assert_true(sinew_bake_distance(bake, &state, sinew_mixer_model_matrices(c->mixer)) < 2.0f);
        assert_true(sinew_bake_from_mixer(bake, c->mixer, &state) == 0.0f);
    }
    assert_int_equal(heap_calls, 0);
    assert_int_equal(counted->allocations, allocations);
    free(c->palette);
    sinew_mixer_destroy(c->mixer);
    sinew_bake_destroy(bake);
}

static void check_frames(character *c, const counting *counted) {
    int allocations = counted->allocations, live = counted->live;
    heap_calls = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        ask_for_something(c, frame);
        ask_of_layers(c, frame);
        if (frame % 2) {
            sinew_mixer_update(c->mixer, 1.0f / 60);
        } else {
            sinew_mixer_advance(c->mixer, 1.0f / 30);
            sinew_mixer_evaluate(c->mixer);
            sinew_mixer_edit_pose(c->mixer)->tx[0] += 0.01f;
            sinew_mixer_finish_pose(c->mixer);
        }
        sinew_batch_item item = {.mixer = c->mixer, .skin = c->skin, .palette = c->palette, .lod = c->lod};
        item.significance = 1.0f;
        sinew_batch_budget budget = sinew_batch_budget_default();
        budget.max_poses = frame % 3;
        sinew_batch_update_within(&budget, &item, 0, 1, 1.0f / 60);
        sinew_batch_catch_up(&item);
        draw(c);
    }
    assert_int_equal(heap_calls, 0);
    assert_int_equal(counted->allocations, allocations);
    assert_int_equal(counted->live, live);
    assert_true(c->events > 0); // the frames did something
}

// The skin, clips and vertices are there; the rest is made here.
static void play_through(character *c, const sinew_skeleton *skeleton, counting *counted) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.max_actions = 4;
    def.layer_count = 3;
    def.on_event = on_event;
    def.user = c;
    def.allocator = counting_allocator(counted);
    assert_int_equal(sinew_mixer_create(&def, &c->mixer, NULL), SINEW_OK);
    assert_int_equal(sinew_mask_create(skeleton, 1, NULL, &c->mask), SINEW_OK);
    assert_int_equal(sinew_clip_make_additive(c->clips[0], NULL, NULL, &c->difference, NULL), SINEW_OK);
    sinew_mask_set_subtree(c->mask, 1, 0, 0);
    assert_int_equal(sinew_node_lod_create(c->skin, c->mask, NULL, &c->lod), SINEW_OK);
    sinew_mask_set_subtree(c->mask, 1, 1, 0);
    sinew_layer_set_mode(c->mixer, 2, SINEW_LAYER_ADDITIVE);
    c->palette = malloc((size_t)c->skin->joint_count * sizeof *c->palette);
    c->matrices = malloc((size_t)c->skin->joint_count * sizeof *c->matrices);
    c->job.out_positions = c->out_positions;
    c->job.out_normals = c->out_normals;
    check_frames(c, counted);
    free(c->palette);
    free(c->matrices);
    sinew_mixer_destroy(c->mixer);
    sinew_node_lod_destroy(c->lod);
    sinew_mask_destroy(c->mask);
    sinew_clip_destroy(c->difference);
}

// ---- Tests ---------------------------------------------------------------------------------------------------

static void test_frames_of_a_built_character_take_no_memory(void **state) {
    (void)state;
    enum { NODES = 40, KEYS = 5 };
    sinew_skeleton *skeleton = make_chain(NODES);
    // More timelines than a mixer has hints, unevenly spaced: sampling takes each of its ways.
    static float times[NODES][KEYS], values[NODES][4 * KEYS];
    sinew_channel_def channels[NODES];
    uint64_t random = 5;
    for (int32_t i = 0; i < NODES; i++) {
        for (int k = 0; k < KEYS; k++) {
            times[i][k] = (k ? times[i][k - 1] : 0) + random_float(&random, 0.05f, 0.3f);
            sinew_quat q = random_quat(&random);
            memcpy(&values[i][(ptrdiff_t)4 * k], &q, sizeof q);
        }
        channels[i] =
            (sinew_channel_def){i, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, KEYS, times[i], values[i]};
    }
    int32_t joints[NODES];
    for (int32_t i = 0; i < NODES; i++) joints[i] = i;
    sinew_skin_def skin_def = sinew_skin_default();
    skin_def.skeleton = skeleton;
    skin_def.joint_count = NODES;
    skin_def.joints = joints;
    sinew_skin *skin;
    assert_int_equal(sinew_skin_create(&skin_def, &skin, NULL), SINEW_OK);
    sinew_clip *turn = make_clip(skeleton, "turn", channels, NODES),
               *slide = make_slide(skeleton, "slide", 3, 1, 2);
    sinew_clip *instant = make_slide(skeleton, "instant", 3, 0, 2);

    static uint16_t vertex_joints[4 * VERTICES];
    static float weights[4 * VERTICES], positions[3 * VERTICES], normals[3 * VERTICES], delta[3 * VERTICES];
    for (int v = 0; v < VERTICES; v++) {
        vertex_joints[(ptrdiff_t)4 * v] = (uint16_t)(v % NODES);
        weights[(ptrdiff_t)4 * v] = 1;
        positions[(ptrdiff_t)3 * v] = normals[3 * v + 1] = 1;
    }
    const float *deltas[1] = {delta}, half = 0.5f;
    heap_calls = 0;
    sinew_morph(positions, deltas, &half, 1, 3 * VERTICES, positions);
    assert_int_equal(heap_calls, 0);

    static character c;
    c = (character){.skin = skin, .clips = {turn, slide, instant}, .clip_count = 3, .vertex_count = VERTICES};
    c.job = sinew_skin_job_default();
    c.job.joints = vertex_joints;
    c.job.weights = weights;
    c.job.positions = positions;
    c.job.normals = normals;
    counting counted = {0};
    play_through(&c, skeleton, &counted);
    assert_int_equal(counted.allocations, 1); // the mixer, when it was made
    assert_int_equal(counted.live, 0);
    sinew_skin_destroy(skin);
    sinew_clip_destroy(turn);
    sinew_clip_destroy(slide);
    sinew_clip_destroy(instant);
    sinew_skeleton_destroy(skeleton);
}

static void test_frames_of_the_hero_take_no_memory(void **state) {
    (void)state;
    counting counted = {0};
    sinew_gltf_options options = sinew_gltf_default();
    options.allocator = counting_allocator(&counted);
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", &options);
    const sinew_mesh_node *mesh_node = &asset->mesh_nodes[0];
    while (mesh_node->skin < 0) mesh_node++;
    const sinew_primitive *primitive = &asset->meshes[mesh_node->mesh].primitives[0];

    static character c;
    c = (character){.skin = &asset->skins[mesh_node->skin]};
    c.clip_count = asset->clip_count < MOST_CLIPS ? asset->clip_count : MOST_CLIPS;
    for (int i = 0; i < c.clip_count; i++) c.clips[i] = &asset->clips[i];
    c.vertex_count = primitive->vertex_count < VERTICES ? primitive->vertex_count : VERTICES;
    c.job = sinew_primitive_skin_job(primitive);
    play_through(&c, asset->skeleton, &counted);
    check_baked_frames(&c, asset, &counted);
    sinew_asset_destroy(asset);
    assert_int_equal(counted.live, 0);
}

static void test_poses_by_hand_take_no_memory(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(20);
    sinew_clip *slide = make_slide(skeleton, "slide", 3, 1, 2), *additive;
    assert_int_equal(sinew_clip_make_additive(slide, NULL, NULL, &additive, NULL), SINEW_OK);
    sinew_pose *pose, *other;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &other), SINEW_OK);
    sinew_mask *mask;
    assert_int_equal(sinew_mask_create(skeleton, 0, NULL, &mask), SINEW_OK);
    heap_calls = 0;
    for (int frame = 0; frame < 30; frame++) {
        float time = (float)frame / 30;
        sinew_mask_set_subtree(mask, 2, time, 3);
        sinew_clip_sample(slide, time, pose);
        sinew_clip_sample(additive, 1 - time, other);
        sinew_pose_add(pose, pose, other, 0.5f, mask->nodes);
        sinew_pose_blend(other, pose, other, 0.5f, mask->nodes);
    }
    assert_int_equal(heap_calls, 0);
    sinew_mask_destroy(mask);
    sinew_pose_destroy(pose);
    sinew_pose_destroy(other);
    sinew_clip_destroy(slide);
    sinew_clip_destroy(additive);
    sinew_skeleton_destroy(skeleton);
}

static void test_retargeting_takes_no_memory_in_a_frame(void **state) {
    (void)state;
    enum { NODES = 7, BONES = 6 };
    static const sinew_humanoid_role roles[BONES] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG,
                                                     SINEW_HUMANOID_LEFT_FOOT,      SINEW_HUMANOID_LEFT_TOES,
                                                     SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_HIPS};
    counting counted = {0};
    sinew_skeleton *from = make_chain(NODES), *to = make_chain(NODES);
    sinew_humanoid humanoid = sinew_humanoid_empty();
    for (int i = 0; i < BONES; i++) humanoid.nodes[roles[i]] = i < 5 ? i + 1 : 0;
    sinew_retarget_def def = sinew_retarget_default();
    def.source = from, def.target = to;
    def.source_humanoid = def.target_humanoid = &humanoid;
    def.allocator = counting_allocator(&counted);
    sinew_retarget *map;
    assert_int_equal(sinew_retarget_create(&def, &map, NULL), SINEW_OK);
    sinew_pose *source, *target;
    assert_int_equal(sinew_pose_create(from, NULL, &source), SINEW_OK);
    assert_int_equal(sinew_pose_create(to, NULL, &target), SINEW_OK);
    sinew_affine source_model[NODES], model[NODES];
    heap_calls = 0;
    int allocations = counted.allocations;
    for (int frame = 0; frame < 30; frame++) {
        source->rx[2] = 0.6f, source->rw[2] = 0.8f;
        source->tx[1] = 0.01f * (float)frame;
        sinew_retarget_pose(map, source, target);
        sinew_pose_to_model(source, source_model);
        sinew_pose_to_model(target, model);
        sinew_retarget_limbs(map, source_model, target, model);
    }
    assert_int_equal(heap_calls, 0);
    assert_int_equal(counted.allocations, allocations);
    sinew_retarget_destroy(map);
    assert_int_equal(counted.live, 0);
    sinew_pose_destroy(source);
    sinew_pose_destroy(target);
    sinew_skeleton_destroy(from);
    sinew_skeleton_destroy(to);
}

static void test_blend_spaces_take_no_memory_in_a_frame(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(2);
    sinew_clip *clip = make_slide(skeleton, "slide", 1, 1, 1);
    const sinew_blend_sample samples[4] = {{clip, 0, 0, 1}, {clip, 1, 0, 1}, {clip, 2, 1, 1}, {clip, 3, -1, 1}};
    for (int kind = SINEW_BLEND_SPACE_LINE; kind <= SINEW_BLEND_SPACE_DIRECTIONAL; kind++) {
        sinew_blend_space_def def = sinew_blend_space_default();
        def.skeleton = skeleton;
        def.kind = (sinew_blend_space_kind)kind;
        def.samples = samples;
        def.sample_count = 4;
        sinew_blend_space *space;
        assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
        sinew_blend_parameter at = {0};
        sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
        heap_calls = 0;
        for (int frame = 0; frame < FRAMES; frame++) {
            sinew_blend_parameter_follow(&at, space, 0.01f * (float)frame, -3 + 0.01f * (float)frame, 1.0f / 60);
            assert_true(sinew_blend_space_weights(space, (float)at.x, (float)at.y, weights) > 0);
        }
        assert_int_equal(heap_calls, 0);
        sinew_blend_space_destroy(space);
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_groups_spaces_and_root_motion_take_no_memory_in_a_frame(void **state) {
    (void)state;
    sinew_skeleton *skeleton = make_chain(20);
    sinew_clip *clips[2] = {make_slide(skeleton, "slow", 1, 1, 1), make_slide(skeleton, "quick", 1, 0.5f, 2)};
    const sinew_blend_sample samples[2] = {{clips[0], 0, 0, 1}, {clips[1], 1, 0, 1}};
    sinew_blend_space_def space_def = sinew_blend_space_default();
    space_def.skeleton = skeleton;
    space_def.samples = samples;
    space_def.sample_count = 2;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&space_def, &space, NULL), SINEW_OK);
    sinew_root_motion_def root = sinew_root_motion_default();
    root.skeleton = skeleton;
    root.node = 1;
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = skeleton;
    def.root_motion = &root;
    def.max_actions = 3;
    sinew_mixer *mixer;
    assert_int_equal(sinew_mixer_create(&def, &mixer, NULL), SINEW_OK);
    sinew_play_def play = sinew_play_default();
    play.sync = 1;
    float gone = 0;
    heap_calls = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        sinew_transition how = sinew_transition_default();
        how.kind = (sinew_transition_kind)(frame / 7 % 3);
        if (frame % 14 == 0)
            sinew_mixer_transition_to(mixer, sinew_clip_source(clips[frame / 14 % 2]), &how, &play);
        if (frame % 14 == 7)
            sinew_mixer_transition_to(mixer, sinew_blend_space_source(space, (float)(frame % 3), 0), &how, &play);
        sinew_mixer_update(mixer, 1.0f / 60);
        gone += sinew_mixer_root_delta(mixer).translation.x;
    }
    assert_int_equal(heap_calls, 0);
    assert_true(gone > 1); // the frames did something
    sinew_mixer_destroy(mixer);
    sinew_blend_space_destroy(space);
    for (int i = 0; i < 2; i++) sinew_clip_destroy(clips[i]);
    sinew_skeleton_destroy(skeleton);
}

static void test_bounds_culling_and_picking_take_no_memory_in_a_frame(void **state) {
    (void)state;
    sinew_asset *asset = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(asset->skeleton, NULL, &pose), SINEW_OK);
    sinew_affine *model = calloc((size_t)asset->skeleton->node_count, sizeof *model);
    sinew_box *each = calloc((size_t)asset->bounds->box_count, sizeof *each);
    void *scratch = malloc(sinew_asset_pick_size(asset));
    const sinew_mat4 camera = sinew_mat4_from_affine(sinew_affine_identity());
    const sinew_ray ray = {{0, 1, 5}, {0, 0, -1}};
    float arrays[6];
    const sinew_boxes boxes = {&arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &arrays[5]};
    uint32_t visible, seen = 0;
    heap_calls = 0;
    for (int frame = 0; frame < 60; frame++) {
        sinew_box box;
        sinew_sphere sphere;
        sinew_asset_hit hit;
        sinew_clip_sample(&asset->clips[frame % asset->clip_count], (float)frame / 60, pose);
        sinew_pose_to_model(pose, model);
        sinew_bounds_pose(asset->bounds, model, pose->weights, &box, &sphere);
        sinewi_bounds_pose_boxes(asset->bounds, model, pose->weights, each);
        sinew_boxes_set(&boxes, 0, box);
        sinew_frustum frustum = sinew_frustum_from_matrix(camera, SINEW_DEPTH_MINUS_ONE_TO_ONE);
        seen += (uint32_t)sinew_cull_boxes(&frustum, &boxes, 0, 1, &visible);
        seen += sinew_asset_pick(asset, model, pose->weights, ray, scratch, &hit);
    }
    assert_int_equal(heap_calls, 0);
    assert_true(seen > 60); // the frames did something
    free(scratch);
    free(each);
    free(model);
    sinew_pose_destroy(pose);
    sinew_asset_destroy(asset);
}

// Draws, sheathes, drops and throws a sword, and makes the other calls of a scene.
static void ask_of_scene(sinew_scene *scene, const sinew_scene_node nodes[3], int frame) {
    const sinew_scene_node hero = nodes[0], blade = nodes[1], bow = nodes[2], none = {0, 0, 0};
    sinew_scene_node added;
    sinew_scene_node_def def = sinew_scene_node_default();
    switch (frame % 6) {
    case 0:
        sinew_scene_attach(scene, blade, hero, "Hand_R", sinew_transform_identity(), NULL);
        sinew_scene_attach(scene, bow, hero, "Chest", sinew_transform_identity(), NULL);
        break;
    case 1:
        sinew_scene_swap(scene, blade, bow, NULL);
        break;
    case 2:
        sinew_scene_detach(scene, blade, SINEW_REPARENT_KEEP_WORLD);
        break;
    case 3:
        sinew_scene_set_parent(scene, bow, blade, SINEW_REPARENT_KEEP_LOCAL, NULL);
        break;
    case 4:
        sinew_scene_set_parent(scene, bow, none, SINEW_REPARENT_KEEP_WORLD, NULL);
        break;
    default:
        assert_int_equal(sinew_scene_add_node(scene, &def, &added, NULL), SINEW_OK);
        assert_int_equal(sinew_scene_set_parent(scene, hero, added, SINEW_REPARENT_KEEP_WORLD, NULL), SINEW_OK);
        assert_int_equal(sinew_scene_set_parent(scene, hero, none, SINEW_REPARENT_KEEP_WORLD, NULL), SINEW_OK);
        sinew_scene_remove(scene, added);
        sinew_mixer_crossfade_to(sinew_scene_mixer(scene, hero),
                                 sinew_clip_source(&sinew_scene_asset(scene, hero)->clips[frame / 6 % 3]), 0.2f,
                                 NULL);
    }
}

static void test_scenes_take_no_memory_in_a_frame(void **state) {
    (void)state;
    sinew_asset *hero, *sword;
    hero = load_gltf(SINEW_MODELS "/hero.glb", NULL);
    sword = load_gltf(SINEW_MODELS "/sword.glb", NULL);
    counting counted = {0};
    sinew_scene_def scene_def = sinew_scene_default();
    scene_def.allocator = counting_allocator(&counted);
    scene_def.skip_unseen = true;
    sinew_scene *scene;
    assert_int_equal(sinew_scene_create(&scene_def, &scene, NULL), SINEW_OK);
    sinew_scene_node nodes[3];
    for (int i = 0; i < 3; i++) {
        sinew_instance_def def = sinew_instance_default();
        def.asset = i == 0 ? hero : sword;
        def.pose = i == 2 ? SINEW_INSTANCE_POSE_REST : SINEW_INSTANCE_POSE_OWN;
        assert_int_equal(sinew_scene_add_instance(scene, &def, &nodes[i], NULL), SINEW_OK);
    }
    const sinew_mat4 camera = sinew_mat4_from_affine(sinew_affine_identity());
    const sinew_frustum frustum = sinew_frustum_from_matrix(camera, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    const sinew_ray ray = {{0, 1, 5}, {0, 0, -1}};
    int allocations = counted.allocations, seen = 0;
    heap_calls = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        sinew_scene_hit hit;
        ask_of_scene(scene, nodes, frame);
        sinew_scene_update(scene, 1.0f / 60);
        seen += sinew_is_visible(sinew_scene_cull(scene, &frustum), 0);
        seen += sinew_scene_pick(scene, ray, SINEW_PICK_TRIANGLES, &hit);
        seen += sinew_scene_has(scene, sinew_scene_find(scene, nodes[0], "Hand_R"));
    }
    assert_int_equal(heap_calls, 0);
    assert_int_equal(counted.allocations, allocations);
    assert_true(seen > FRAMES); // the frames did something
    sinew_scene_destroy(scene);
    assert_int_equal(counted.live, 0);
    sinew_asset_destroy(hero);
    sinew_asset_destroy(sword);
}

static bool level_ground(sinew_vec3 place, sinew_foot_ground *ground, void *user) {
    (void)place, (void)user;
    *ground = (sinew_foot_ground){0.1f, {0, 1, 0}};
    return true;
}

static void test_solvers_take_no_memory(void **state) {
    (void)state;
    enum { SOLVERS = 6 };
    sinew_skeleton *skeleton = make_chain(6);
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    sinew_affine model[6];
    sinew_pose_to_model(pose, model);
    sinew_ik solvers[SOLVERS] = {{.kind = SINEW_IK_TWO_BONE}, {.kind = SINEW_IK_AIM},    {.kind = SINEW_IK_CHAIN},
                                 {.kind = SINEW_IK_CHAIN},    {.kind = SINEW_IK_SPREAD}, {.kind = SINEW_IK_BODY}};
    solvers[2].chain = solvers[3].chain = sinew_ik_chain_from_rest(skeleton, 0, 5);
    solvers[2].chain.restarts = 2, solvers[3].chain.method = SINEW_IK_CHAIN_METHOD_CCD;
    solvers[4].spread = sinew_ik_spread_from_rest(skeleton, 1, 5, (sinew_vec3){0, 0, 1});
    sinew_ik_effector effectors[2] = {sinew_ik_effector_default(), sinew_ik_effector_default()};
    effectors[0].node = 3, effectors[1].node = 5;
    solvers[5].body = sinew_ik_body_default();
    solvers[5].body.root = 0, solvers[5].body.effectors = effectors, solvers[5].body.effector_count = 2;
    solvers[0].two_bone = sinew_ik_two_bone_from_rest(skeleton, 1, 2, 3);
    solvers[0].two_bone.pole_weight = solvers[0].two_bone.softness = 0.5f;
    solvers[0].two_bone.end_mode = SINEW_IK_LIMB_END_ROTATE;
    solvers[1].aim = sinew_ik_aim_from_rest(skeleton, 3, 5, (sinew_vec3){0, 0, 1});
    solvers[1].aim.limit = solvers[1].aim.up_weight = 1.0f;
    sinew_ik_aim_state follows = {0};
    sinew_foot leg = sinew_foot_from_rest(skeleton, 1, 2, 3, 4, (sinew_vec3){0, 1, 0});
    sinew_foot_placement feet = sinew_foot_placement_default();
    feet.pelvis = 0, feet.feet = &leg, feet.foot_count = 1, feet.ground = level_ground;
    sinew_foot_placement_state settling = {0};
    sinew_foot_lock lock = sinew_foot_lock_default();
    lock.feet = &leg, lock.foot_count = 1;
    sinew_foot_lock_state locked = {0};
    sinew_affine world = sinew_affine_identity();
    sinew_spring_joint swaying[2] = {sinew_spring_joint_default(), sinew_spring_joint_default()};
    swaying[0].node = 4, swaying[1].node = 5;
    sinew_spring_chain chain = sinew_spring_chain_default();
    chain.joints = swaying, chain.joint_count = 2;
    sinew_springs_def springs_def = sinew_springs_default();
    springs_def.skeleton = skeleton, springs_def.chains = &chain, springs_def.chain_count = 1;
    sinew_springs *springs;
    assert_int_equal(sinew_springs_create(&springs_def, &springs, NULL), SINEW_OK);
    sinew_spring_state *swing = malloc(sinew_springs_state_size(springs));
    sinew_springs_reset(springs, swing);
    heap_calls = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        sinew_vec3 target = {0.01f * (float)(frame % 100), 2.0f, 0.5f};
        solvers[0].two_bone.target = solvers[1].aim.target = target;
        solvers[2].chain.target = solvers[3].chain.target = solvers[4].spread.target = effectors[1].target = target;
        sinew_pose_reset(pose);
        sinew_pose_to_model(pose, model);
        sinew_ik_solve(solvers, SOLVERS, pose, model);
        sinew_ik_aim_follow(&solvers[1].aim, 0.02f, &follows, pose, model);
        float contact = frame % 50 < 30 ? 1.0f : 0.0f;
        world.m[0][3] = 0.01f * (float)(frame % 100);
        sinew_foot_lock_solve(&lock, &world, &contact, 0.02f, &locked, pose, model);
        sinew_foot_placement_solve(&feet, 0.02f, &settling, pose, model);
        sinew_springs_input input = sinew_springs_input_default();
        input.world = world;
        sinew_springs_solve(springs, &input, 0.02f, swing, pose, model);
    }
    assert_int_equal(heap_calls, 0);
    sinew_springs_destroy(springs);
    free(swing);
    sinew_pose_destroy(pose);
    sinew_skeleton_destroy(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef SINEW_WRAPPED_HEAP
        cmocka_unit_test(test_the_heap_is_watched),
#endif
        cmocka_unit_test(test_frames_of_a_built_character_take_no_memory),
        cmocka_unit_test(test_frames_of_the_hero_take_no_memory),
        cmocka_unit_test(test_poses_by_hand_take_no_memory),
        cmocka_unit_test(test_retargeting_takes_no_memory_in_a_frame),
        cmocka_unit_test(test_blend_spaces_take_no_memory_in_a_frame),
        cmocka_unit_test(test_solvers_take_no_memory),
        cmocka_unit_test(test_groups_spaces_and_root_motion_take_no_memory_in_a_frame),
        cmocka_unit_test(test_bounds_culling_and_picking_take_no_memory_in_a_frame),
        cmocka_unit_test(test_scenes_take_no_memory_in_a_frame),
    };
#ifndef SINEW_WRAPPED_HEAP
    print_message("This linker has no --wrap: only the allocator is watched, not the heap.\n");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
