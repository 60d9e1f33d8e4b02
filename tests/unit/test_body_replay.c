// SPDX-License-Identifier: MIT
// Rollback and replay of a whole body: a hero walks up a slope, jumps to a moving goal and runs on. It uses root,
// orientation and stride warps, locked and placed feet, a body, a chain, an aim, springs and curves. The recording
// has the mixer's calls, and the solvers' input as notes.
#include "support/recorded.h"
#include "support/avatar.h"

#include <stdio.h>

enum { MAX_NODES = 128, JUMP = 50, RUN = 132, FRAMES = 180, LAG = 6, MAX_SAVES = FRAMES };

// Frames between the takeoff and the landing, the window of the warp.
enum { FIRST_WARPED = JUMP + 27, LAST_WARPED = JUMP + 53 };

static const float frame_time = 1.0f / 60;

static struct {
    sinew_asset *asset;
    const sinew_skeleton *skeleton;
    const sinew_clip *walk, *jump, *run;
    const sinew_clip **clips;
    sinew_root_motion_def motion;
    sinew_root_warp_def warp;
    sinew_orientation_warp orientation;
    sinew_foot legs[2];
    sinew_stride_warp stride;
    sinew_foot_lock lock;
    sinew_foot_placement placement;
    sinew_ik_aim aim;
    sinew_ik_effector effectors[3]; // hand and feet
    int32_t plants[2], reach;       // curves
    sinew_springs *springs;
    size_t swing_size;
} s;

// ---- The hero ------------------------------------------------------------------------------------------------

static const char sidecar[] =
    "{ \"Walk\": { \"curves\": {"
    "    \"Plant_L\": { \"times\": [0, 0.55], \"values\": [1, 0], \"interpolation\": \"STEP\" },"
    "    \"Plant_R\": { \"times\": [0, 0.5, 1], \"values\": [0, 1, 0], \"interpolation\": \"STEP\" },"
    "    \"Reach\": { \"times\": [0, 0.5, 1], \"values\": [0, 0.8, 0] } } },"
    "  \"Jump\": { \"curves\": { \"Reach\": { \"times\": [0, 0.6, 1.2], \"values\": [0, 1, 0.2] } } } }";

static int32_t node_of(const char *name) {
    const int32_t node = sinew_skeleton_find(s.skeleton, name);
    assert_int_not_equal(node, SINEW_NO_NODE);
    return node;
}

static int32_t curve_of(const char *name) {
    const int32_t curve = sinew_skeleton_find_curve(s.skeleton, name);
    assert_int_not_equal(curve, SINEW_NO_CURVE);
    return curve;
}

static const sinew_clip *clip_of(const char *name) {
    const sinew_clip *clip = sinew_asset_find_clip(s.asset, name);
    assert_non_null(clip);
    return clip;
}

static void load_asset(void) {
    FILE *file = fopen("hero.curves.json", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(sidecar, 1, sizeof sidecar - 1, file), sizeof sidecar - 1);
    assert_int_equal(fclose(file), 0);
    sinew_gltf_options options = *with_avatars();
    options.markers = "hero.curves.json";
    s.asset = load_gltf(SINEW_MODELS "/hero.glb", &options);
    s.skeleton = s.asset->skeleton;
    assert_true(s.skeleton->node_count <= MAX_NODES);
    s.walk = clip_of("Walk"), s.jump = clip_of("Jump"), s.run = clip_of("Run");
    s.clips = malloc((size_t)s.asset->clip_count * sizeof *s.clips); // NOLINT(bugprone-sizeof-expression): pointers
    assert_non_null(s.clips);
    for (int32_t i = 0; i < s.asset->clip_count; i++) s.clips[i] = &s.asset->clips[i];
    s.plants[0] = curve_of("Plant_L"), s.plants[1] = curve_of("Plant_R"), s.reach = curve_of("Reach");
}

static bool find_ground(sinew_vec3 point, sinew_foot_ground *ground, void *user);

static void define_legs(void) {
    static const char *const names[2][4] = {{"UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"},
                                            {"UpperLeg_R", "LowerLeg_R", "Foot_R", "Toes_R"}};
    const sinew_vec3 up = {0, 1, 0};
    for (int i = 0; i < 2; i++)
        s.legs[i] = sinew_foot_from_rest(s.skeleton, node_of(names[i][0]), node_of(names[i][1]),
                                         node_of(names[i][2]), node_of(names[i][3]), up);
    s.stride = sinew_stride_warp_default();
    s.stride.pelvis = node_of("Hips");
    s.stride.feet = s.legs, s.stride.foot_count = 2;
    s.lock = sinew_foot_lock_default();
    s.lock.feet = s.legs, s.lock.foot_count = 2;
    s.placement = sinew_foot_placement_default();
    s.placement.feet = s.legs, s.placement.foot_count = 2;
    s.placement.pelvis = node_of("Hips");
    s.placement.ground = find_ground;
}

static void define_solvers(void) {
    s.motion = sinew_root_motion_default();
    s.motion.skeleton = s.skeleton, s.motion.node = node_of("Hero"), s.motion.y = true;
    s.warp = sinew_root_warp_default();
    s.warp.clip = s.jump, s.warp.root_motion = &s.motion, s.warp.added_speed = 6;
    s.warp.start = s.jump->markers[0].time, s.warp.end = s.jump->markers[1].time;
    s.orientation = sinew_orientation_warp_default();
    s.orientation.hips = node_of("Hips");
    static const char *const spine[3] = {"Spine", "Chest", "UpperChest"};
    for (int i = 0; i < 3; i++) s.orientation.spine[s.orientation.spine_count++] = node_of(spine[i]);
    define_legs();
    s.aim = sinew_ik_aim_from_rest(s.skeleton, node_of("Head"), node_of("Head"), (sinew_vec3){0, 0, 1});
    s.aim.limit = 1.0f;
    static const char *const ends[3] = {"Hand_L", "Foot_L", "Foot_R"};
    for (int i = 0; i < 3; i++) {
        s.effectors[i] = sinew_ik_effector_default();
        s.effectors[i].node = node_of(ends[i]);
        s.effectors[i].pin = i > 0;
    }
    assert_non_null(s.asset->vrm);
    assert_int_equal(sinew_springs_create_from_vrm(s.asset->vrm, NULL, &s.springs), SINEW_OK);
    s.swing_size = sinew_springs_state_size(s.springs);
}

static int load(void **state) {
    (void)state;
    load_asset();
    define_solvers();
    return 0;
}

static int unload(void **state) {
    (void)state;
    sinew_springs_destroy(s.springs);
    free(s.clips);
    sinew_asset_destroy(s.asset);
    return 0;
}

// ---- A character ---------------------------------------------------------------------------------------------

// The input of a frame's solvers, in the world.
typedef struct frame_input {
    float goal[3];   // of the jump
    float target[3]; // of hands and head
    float direction; // of travel, radians from the facing
    float wind;
} frame_input;

// The state of a character's solvers, without springs.
typedef struct body_state {
    sinew_root_warp_transform here;
    sinew_root_warp warp;
    sinew_orientation_warp_state turning;
    sinew_stride_warp_state steps;
    sinew_foot_lock_state feet;
    sinew_foot_placement_state ground;
    sinew_ik_aim_state looking;
} body_state;

typedef struct body {
    sinew_mixer *mixer;
    body_state state;
    sinew_spring_state *swing;
    float before; // the jump's time before the mixer was advanced, seconds
    sinew_affine model[MAX_NODES];
} body;

// A snapshot of the solvers and of the mixer.
typedef struct body_snapshot {
    body_state state;
    void *swing;
} body_snapshot;

static sinew_mixer_def def_of(bool inertialization) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s.skeleton, def.root_motion = &s.motion;
    def.inertialization = inertialization;
    return def;
}

static body make_body(sinew_mixer *mixer) {
    body b = {.mixer = mixer, .swing = malloc(s.swing_size)};
    assert_non_null(b.swing);
    b.state.here.facing = (sinew_quat){0, 0, 0, 1};
    sinew_springs_reset(s.springs, b.swing);
    return b;
}

static body new_body(bool inertialization) {
    const sinew_mixer_def def = def_of(inertialization);
    return make_body(make_mixer(&def));
}

static void free_body(body *b) {
    sinew_mixer_destroy(b->mixer);
    free(b->swing);
}

static void save_body(const body *b, body_snapshot *to) {
    to->state = b->state;
    if (!to->swing) to->swing = malloc(s.swing_size);
    assert_non_null(to->swing);
    memcpy(to->swing, b->swing, s.swing_size);
}

static void restore_body(body *b, const body_snapshot *from) {
    assert_non_null(from->swing);
    b->state = from->state;
    memcpy(b->swing, from->swing, s.swing_size);
}

static sinew_affine world_of(const body *b) {
    return sinew_affine_from_transform((sinew_transform){b->state.here.position, b->state.here.facing, {1, 1, 1}});
}

// A position of the world in model space.
static sinew_vec3 to_model(const body *b, const float position[3]) {
    const sinew_vec3 offset =
        sinew_vec3_subtract((sinew_vec3){position[0], position[1], position[2]}, b->state.here.position);
    return sinew_quat_rotate(sinew_quat_conjugate(b->state.here.facing), offset);
}

// A slope of 0.1 along +Z of the world, below the character's height at its start.
static bool find_ground(sinew_vec3 point, sinew_foot_ground *ground, void *user) {
    const body *b = user;
    const sinew_vec3 offset = sinew_quat_rotate(b->state.here.facing, point);
    ground->height = 0.1f * (b->state.here.position.z + offset.z) - b->state.here.position.y;
    ground->normal = sinew_quat_rotate(sinew_quat_conjugate(b->state.here.facing),
                                       sinew_vec3_normalize((sinew_vec3){0, 1, -0.1f}));
    return true;
}

// ---- A frame -------------------------------------------------------------------------------------------------

static sinew_action jump_of(const body *b) {
    return sinew_mixer_find(b->mixer, sinew_clip_source(s.jump), SINEW_ALL_LAYERS);
}

static sinew_root_warp_transform goal_of(const frame_input *input) {
    return (sinew_root_warp_transform){{input->goal[0], input->goal[1], input->goal[2]}, about_y(0.6)};
}

static void begin_jump(body *b, const frame_input *input) {
    sinew_error error = {0};
    if (sinew_root_warp_begin(&s.warp, 0, b->state.here, goal_of(input), &b->state.warp, &error) != SINEW_OK)
        fail_msg("%s", error.message);
}

// Moves the character by its warp, faded like the action, after the mixer was advanced.
static void move_body(body *b, const frame_input *input) {
    const sinew_action jump = jump_of(b);
    sinew_root_delta delta = sinew_mixer_root_delta(b->mixer);
    if (jump.id != 0) {
        const float now = sinew_action_time(b->mixer, jump);
        const sinew_root_delta warped = sinew_root_warp_delta(&s.warp, &b->state.warp, b->before, now);
        delta = sinew_root_delta_blend(delta, warped, sinew_action_weight(b->mixer, jump));
    }
    sinew_root_warp_transform *here = &b->state.here;
    here->position = sinew_vec3_add(here->position, sinew_quat_rotate(here->facing, delta.translation));
    here->facing = sinew_quat_normalize(sinew_quat_multiply(here->facing, delta.rotation));
    if (jump.id != 0)
        sinew_root_warp_set_goal(&s.warp, &b->state.warp, sinew_action_time(b->mixer, jump), here, goal_of(input));
}

static void solve_legs(body *b, float dt, const frame_input *input, sinew_pose *pose) {
    const float *curves = sinew_mixer_curves(b->mixer);
    const float contacts[2] = {curves[s.plants[0]], curves[s.plants[1]]};
    const sinew_affine world = world_of(b);
    sinew_orientation_warp_solve(&s.orientation, input->direction, dt, &b->state.turning, pose, b->model);
    sinew_stride_warp_solve(&s.stride, 1.2f, dt, &b->state.steps, pose, b->model);
    sinew_foot_lock_solve(&s.lock, &world, contacts, dt, &b->state.feet, pose, b->model);
    sinew_foot_placement placement = s.placement;
    placement.user = b;
    placement.elevation = b->state.here.position.y;
    sinew_foot_placement_solve(&placement, dt, &b->state.ground, pose, b->model);
}

static void solve_arms(const body *b, const frame_input *input, sinew_pose *pose, sinew_affine *model) {
    sinew_ik solvers[2] = {{.kind = SINEW_IK_BODY}, {.kind = SINEW_IK_CHAIN}};
    sinew_ik_effector effectors[3] = {s.effectors[0], s.effectors[1], s.effectors[2]};
    effectors[0].target = to_model(b, input->target);
    effectors[0].position_weight = sinew_mixer_curves(b->mixer)[s.reach];
    solvers[0].body = sinew_ik_body_default();
    solvers[0].body.root = node_of("Hips");
    solvers[0].body.effectors = effectors, solvers[0].body.effector_count = 3;
    solvers[1].chain = sinew_ik_chain_from_rest(s.skeleton, node_of("UpperArm_R"), node_of("Hand_R"));
    solvers[1].chain.target = effectors[0].target;
    solvers[1].chain.weight = 0.5f * effectors[0].position_weight;
    sinew_ik_solve(solvers, 2, pose, model);
}

// Edits the pose that was evaluated.
static void edit_body(body *b, float dt, const frame_input *input) {
    sinew_pose *pose = sinew_mixer_edit_pose(b->mixer);
    sinew_pose_to_model(pose, b->model);
    solve_legs(b, dt, input, pose);
    solve_arms(b, input, pose, b->model);
    sinew_ik_aim aim = s.aim;
    aim.target = to_model(b, input->target);
    sinew_ik_aim_follow(&aim, dt, &b->state.looking, pose, b->model);
}

// Solves the springs of the finished pose.
static void swing_body(body *b, float dt, const frame_input *input) {
    sinew_pose *pose = sinew_mixer_edit_pose(b->mixer);
    sinew_pose_to_model(pose, b->model);
    sinew_springs_input spring = sinew_springs_input_default();
    spring.world = world_of(b);
    spring.wind.x = input->wind;
    sinew_springs_solve(s.springs, &spring, dt, b->swing, pose, b->model);
}

// All that the frame has made.
static uint64_t bits_of_body(const body *b) {
    const sinew_root_warp_transform *here = &b->state.here;
    const float root[7] = {here->position.x, here->position.y, here->position.z, here->facing.x,
                           here->facing.y,   here->facing.z,   here->facing.w};
    uint64_t bits = add_bits(sinew_mixer_hash(b->mixer), root, 7);
    return add_bits(bits, b->model[0].m[0], 12 * (size_t)s.skeleton->node_count);
}

// ---- The program ---------------------------------------------------------------------------------------------

// The input of the player and the world; `seed` 1 is a wrong prediction of it.
static frame_input input_of(int frame, int seed) {
    const float t = (float)frame * frame_time + 0.3f * (float)seed;
    const float wave = (float)sin(3 * (double)t), slow = (float)cos(1.1 * (double)t);
    return (frame_input){{0.5f + 0.2f * wave, 0.5f + 0.1f * (float)seed, 1.5f + 0.1f * slow},
                         {0.6f + 0.2f * wave, 1.3f, 2.0f + 0.5f * slow},
                         0.5f * slow,
                         3 * wave};
}

static void note_input(const body *b, const frame_input *in) {
    char text[SINEW_MAX_NOTE + 1];
    snprintf(text, sizeof text, "input %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g", (double)in->goal[0],
             (double)in->goal[1], (double)in->goal[2], (double)in->target[0], (double)in->target[1],
             (double)in->target[2], (double)in->direction, (double)in->wind);
    sinew_mixer_note(b->mixer, text);
}

// The program's calls on the mixer, which the recording has.
static void control(body *b, int frame, const frame_input *input) {
    sinew_play_def once = sinew_play_default();
    once.loop = SINEW_LOOP_ONCE;
    if (frame == 0) sinew_mixer_play(b->mixer, sinew_clip_source(s.walk), NULL);
    if (frame == RUN) sinew_mixer_crossfade_to(b->mixer, sinew_clip_source(s.run), 0.3f, NULL);
    if (frame != JUMP) return;
    sinew_mixer_note(b->mixer, "jump");
    sinew_mixer_crossfade_to(b->mixer, sinew_clip_source(s.jump), 0.2f, &once);
    begin_jump(b, input);
}

static uint64_t play_frame(body *b, int frame, int seed) {
    const frame_input input = input_of(frame, seed);
    note_input(b, &input);
    control(b, frame, &input);
    b->before = sinew_action_time(b->mixer, jump_of(b));
    sinew_mixer_advance(b->mixer, frame_time);
    move_body(b, &input);
    if (frame == LAST_WARPED) sinew_mixer_inertialize(b->mixer, SINEW_ALL_LAYERS, 0.3f);
    sinew_mixer_evaluate(b->mixer);
    edit_body(b, frame_time, &input);
    sinew_mixer_finish_pose(b->mixer);
    swing_body(b, frame_time, &input);
    return bits_of_body(b);
}

// The bits of each frame, straight through. The character is near its goal when it lands.
static void play_through(bool inertialization, uint64_t bits[FRAMES]) {
    body b = new_body(inertialization);
    for (int frame = 0; frame < FRAMES; frame++) {
        bits[frame] = play_frame(&b, frame, 0);
        if (frame != LAST_WARPED) continue;
        const frame_input input = input_of(frame, 0);
        const sinew_vec3 goal = goal_of(&input).position;
        const float missed = sinew_vec3_length(sinew_vec3_subtract(goal, b.state.here.position));
        print_message("%.4f m from the goal at the landing\n", (double)missed);
        assert_true(missed < 0.02f);
    }
    free_body(&b);
}

// ---- Rollback ------------------------------------------------------------------------------------------------

// Saves both before a frame, and returns the size of the mixer's snapshot.
static size_t save_both(const body *b, void *memory, body_snapshot *to) {
    save_body(b, to);
    return sinew_mixer_save(b->mixer, memory);
}

static void restore_both(body *b, const void *memory, size_t size, const body_snapshot *from) {
    assert_true(sinew_mixer_restore(b->mixer, memory, size));
    restore_body(b, from);
}

// Before each frame of the walk, of the jump and its window, and of the fade to the run: plays some frames with a
// wrong prediction, restores a snapshot (into the same memory or another character's), and continues with the right
// input.
static void check_rollback(bool inertialization, bool in_another) {
    uint64_t straight[FRAMES];
    play_through(inertialization, straight);
    body all[2] = {new_body(inertialization), new_body(inertialization)};
    void *memory = malloc(sinew_mixer_snapshot_size(all[0].mixer));
    body_snapshot solvers = {.swing = NULL};
    for (int frame = 0, mispredicted = 0; frame < FRAMES; frame++) {
        body *b = &all[in_another ? frame % 2 : 0], *next = &all[in_another ? (frame + 1) % 2 : 0];
        const size_t size = save_both(b, memory, &solvers);
        uint64_t wrong = BITS_NONE;
        for (int k = frame; k < frame + LAG && k < FRAMES; k++) wrong = play_frame(b, k, 1);
        mispredicted += wrong != straight[frame + LAG <= FRAMES ? frame + LAG - 1 : FRAMES - 1];
        restore_both(next, memory, size, &solvers);
        if (play_frame(next, frame, 0) != straight[frame]) fail_msg("frame %d has other bits", frame);
        assert_int_equal(mispredicted, frame + 1);
    }
    free(memory);
    free(solvers.swing);
    for (int i = 0; i < 2; i++) free_body(&all[i]);
}

static void test_rollback(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) check_rollback(i & 1, i & 2);
}

// ---- Replay --------------------------------------------------------------------------------------------------

// The replaying program: what it does beside the recorded calls.
typedef struct replayer {
    sinew_replay *replay;
    body b;
    frame_input input;
    body_snapshot saves[MAX_SAVES];
    int save_count;
    int skipped_springs; // frames at the start without solving springs
    bool skips_edits;
    double seconds; // of the mixer, before the current frame
    uint64_t bits[FRAMES * 2];
    int frames;
} replayer;

static bool begins_with(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

static void read_input(const char *line, frame_input *in) {
    float *numbers[8] = {&in->goal[0],   &in->goal[1],   &in->goal[2],   &in->target[0],
                         &in->target[1], &in->target[2], &in->direction, &in->wind};
    char *at = (char *)(uintptr_t)line;
    for (int i = 0; i < 8; i++) *numbers[i] = strtof(at, &at);
}

// Before a call is replayed.
static void prepare(replayer *r, const char *line) {
    if (begins_with(line, "note input ")) read_input(line + strlen("note input "), &r->input);
    if (strcmp(line, "note jump") == 0) begin_jump(&r->b, &r->input);
    if (strcmp(line, "save") == 0) save_body(&r->b, &r->saves[r->save_count++]);
    if (begins_with(line, "restore ")) restore_body(&r->b, &r->saves[strtol(line + strlen("restore "), NULL, 10)]);
    if (!begins_with(line, "advance ")) return;
    r->b.before = sinew_action_time(r->b.mixer, jump_of(&r->b));
    r->seconds = r->replay->seconds;
}

// After a call was replayed.
static void follow(replayer *r, const char *line) {
    const float dt = (float)(r->replay->seconds - r->seconds);
    if (begins_with(line, "advance ")) move_body(&r->b, &r->input);
    if (strcmp(line, "evaluate") == 0 && !r->skips_edits) edit_body(&r->b, dt, &r->input);
    if (strcmp(line, "finish_pose") != 0) return;
    if (r->frames >= r->skipped_springs) swing_body(&r->b, dt, &r->input);
    r->bits[r->frames++] = bits_of_body(&r->b);
}

static void open_replayer(replayer *r, recorded recording) {
    memset(r, 0, sizeof *r);
    sinew_replay_def def = sinew_replay_default();
    def.bytes = recording.bytes, def.size = recording.size;
    def.skeleton = s.skeleton;
    def.clips = s.clips, def.clip_count = s.asset->clip_count;
    r->replay = open_replay(&def);
    r->b = make_body(r->replay->mixer);
}

static void step_replayer(replayer *r) {
    char line[SINEW_MAX_NOTE + 64];
    sinew_replay_describe(r->replay, line, sizeof line);
    prepare(r, line);
    assert_int_equal(sinew_replay_step(r->replay), SINEW_OK);
    follow(r, line);
}

static void replay_to_end(replayer *r) {
    while (r->replay->calls_made < r->replay->call_count) step_replayer(r);
}

static void close_replayer(replayer *r) {
    for (int i = 0; i < r->save_count; i++) free(r->saves[i].swing);
    free(r->b.swing);
    sinew_replay_destroy(r->replay);
}

// A body with a mixer recorded from the start.
static body record_body(bool inertialization, recorded *r) {
    const sinew_mixer_def def = def_of(inertialization);
    return make_body(make_recorded(&def, r));
}

static void stop_recording(body *b) {
    assert_int_equal(sinew_mixer_record(b->mixer, NULL, NULL, NULL), SINEW_OK);
    free_body(b);
}

static void record_frames(bool inertialization, recorded *r) {
    body b = record_body(inertialization, r);
    for (int frame = 0; frame < FRAMES; frame++) play_frame(&b, frame, 0);
    stop_recording(&b);
}

static void test_replay(void **state) {
    (void)state;
    for (int inertialization = 0; inertialization < 2; inertialization++) {
        uint64_t straight[FRAMES];
        play_through(inertialization, straight);
        recorded recording = {0};
        record_frames(inertialization, &recording);
        replayer r;
        open_replayer(&r, recording);
        replay_to_end(&r);
        assert_true(r.replay->complete);
        assert_int_equal(r.replay->first_mismatch, -1);
        assert_int_equal(r.frames, FRAMES);
        for (int i = 0; i < FRAMES; i++) assert_int_equal(r.bits[i], straight[i]);
        close_replayer(&r);
        free(recording.bytes);
    }
}

// The program goes back by a snapshot in the middle of the jump and of the fade to the run. The replay has the mixer's
// snapshots; the replaying program saves and restores the solvers' state at the same calls.
static void test_replay_of_rollbacks(void **state) {
    (void)state;
    static const int back[] = {FIRST_WARPED + 4, FIRST_WARPED + 12, RUN + 5};
    recorded recording = {0};
    body b = record_body(true, &recording);
    void *memory = malloc(sinew_mixer_snapshot_size(b.mixer));
    body_snapshot solvers = {.swing = NULL};
    uint64_t bits[FRAMES * 2];
    int count = 0;
    for (int frame = 0, next = 0; frame < FRAMES; frame++) {
        const size_t size = save_both(&b, memory, &solvers); // in each frame, as a game does
        if (next < 3 && frame == back[next]) {
            for (int k = 0; k < LAG; k++) bits[count++] = play_frame(&b, frame + k, 1);
            restore_both(&b, memory, size, &solvers);
            next++;
        }
        bits[count++] = play_frame(&b, frame, 0);
    }
    stop_recording(&b);
    replayer r;
    open_replayer(&r, recording);
    replay_to_end(&r);
    assert_int_equal(r.replay->first_mismatch, -1);
    assert_int_equal(r.save_count, FRAMES);
    assert_int_equal(r.frames, count);
    for (int i = 0; i < count; i++) assert_int_equal(r.bits[i], bits[i]);
    close_replayer(&r);
    free(memory);
    free(solvers.swing);
    free(recording.bytes);
}

// The mixer's hash doesn't include the edits, even inertialized ones. So a replay without solvers, like the
// command's, finds no mismatch. Its poses differ.
static void test_replay_without_solvers(void **state) {
    (void)state;
    for (int inertialization = 0; inertialization < 2; inertialization++) {
        uint64_t straight[FRAMES];
        play_through(inertialization, straight);
        recorded recording = {0};
        record_frames(inertialization, &recording);
        replayer r;
        open_replayer(&r, recording);
        r.skips_edits = true;
        replay_to_end(&r);
        assert_int_equal(r.replay->first_mismatch, -1);
        for (int i = 0; i < FRAMES; i++) assert_int_not_equal(r.bits[i], straight[i]);
        close_replayer(&r);
        free(recording.bytes);
    }
}

// The length of the difference of two positions, over the nodes that springs move or those that they do not.
static double difference(const body *a, const body *b, bool of_springs) {
    double most = 0;
    for (int32_t i = 0; i < s.skeleton->node_count; i++) {
        const char *name = s.skeleton->names[i];
        if ((begins_with(name, "Hair") || begins_with(name, "Scarf")) != of_springs) continue;
        for (int k = 0; k < 3; k++) most = fmax(most, fabs((double)a->model[i].m[k][3] - b->model[i].m[k][3]));
    }
    return most;
}

// Springs that are solved from a later frame on start at rest there: no other node differs, and the difference decays.
static void test_springs_that_start_later(void **state) {
    (void)state;
    recorded recording = {0};
    record_frames(true, &recording);
    replayer whole, late;
    open_replayer(&whole, recording);
    open_replayer(&late, recording);
    late.skipped_springs = FIRST_WARPED;
    double most = 0;
    while (whole.replay->calls_made < whole.replay->call_count) {
        step_replayer(&whole);
        step_replayer(&late);
        if (whole.frames <= FIRST_WARPED) continue;
        assert_true(difference(&whole.b, &late.b, false) == 0);
        most = fmax(most, difference(&whole.b, &late.b, true));
    }
    const double last = difference(&whole.b, &late.b, true);
    print_message("springs that start later: %.4f m apart, at most, %.6f at the end\n", most, last);
    assert_true(most > 0.01 && last < 0.05 * most);
    assert_int_equal(late.replay->first_mismatch, -1);
    close_replayer(&whole);
    close_replayer(&late);
    free(recording.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_replay_of_rollbacks),
        cmocka_unit_test(test_replay_without_solvers),
        cmocka_unit_test(test_springs_that_start_later),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
