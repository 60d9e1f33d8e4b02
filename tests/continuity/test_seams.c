// SPDX-License-Identifier: MIT
// Random sequences of all mixer calls. The test knows nothing about how the mixer blends: it only looks at poses.
//
//   - At a seam: the poses before and after calls, with steps of 0 s, are equal, unless a call was a direct control or a cut.
//   - The root's velocity changes at most as fast as docs/mixing.md says.
//   - In a frame: no node turns further than what plays turns it, plus the running changes' even shares, plus 3 degrees.
//
// The last two hold in all but one of 500 sequences: if two rotations cancel out, no blend of them is smooth. What a
// change may do then is only known from its duration.
//
//     test_seams [SEQUENCES [FIRST]]
//
// With one sequence it prints the calls.
#include "support/check.h"

#include <stdio.h>

enum { MAX_CLIPS = 24, SEQUENCES = 300, LOG = 14, MAX_RUNNING = 64, KINDS = 24 };

// ---- Rotations, in double --------------------------------------------------------------------------------------

typedef struct turn {
    double x, y, z, w;
} turn;

// Degrees between two rotations.
static double degrees_apart(turn a, turn b) {
    const double p[4] = {a.x, a.y, a.z, a.w};
    double q[4] = {b.x, b.y, b.z, b.w}, dot = 0.0, sum = 0.0, difference = 0.0, pp = 0.0, qq = 0.0;
    for (int i = 0; i < 4; i++) dot += p[i] * q[i], pp += p[i] * p[i], qq += q[i] * q[i];
    for (int i = 0; i < 4; i++) {
        const double u = p[i] / sqrt(pp), v = (dot < 0.0 ? -q[i] : q[i]) / sqrt(qq);
        sum += (u + v) * (u + v), difference += (u - v) * (u - v);
    }
    return 4.0 * atan2(sqrt(difference), sqrt(sum)) * 180.0 / PI;
}

static turn turn_of(const sinew_pose *pose, int32_t node) {
    return (turn){pose->rx[node], pose->ry[node], pose->rz[node], pose->rw[node]};
}

// ---- Characters ------------------------------------------------------------------------------------------------

typedef struct subject {
    const char *folder, *file;      // the folder: a variable of the environment; NULL: models
    sinew_asset *asset;             // NULL: made here
    const sinew_skeleton *skeleton; // NULL: not loaded
    double root_speeds;             // metres a second, between the slowest and the fastest clip; 0: no clip travels
    const sinew_clip *clips[MAX_CLIPS];
    sinew_clip *differences[MAX_CLIPS];
    double *speeds[MAX_CLIPS];         // [node]: degrees a second, the most
    double *gaps[MAX_CLIPS];           // [node]: degrees between the clip's end and its start
    int clip_count, by_gap[MAX_CLIPS]; // first the clips that end where they start
    sinew_blend_space *spaces[4], *difference_spaces[2];
    sinew_mask *mask;
} subject;

static subject subjects[] = {
    {.file = "hero.glb"},
    {.folder = "SINEW_ASSETS", .file = "bevy/Fox.glb"},
    {.folder = "SINEW_ASSETS", .file = "kaykit/Knight.glb"},
    {.folder = "SINEW_ASSETS", .file = "robotexpressive/RobotExpressive.glb"},
    {.file = "a walking rig", .root_speeds = 4.5},
    {.folder = "SINEW_CORPUS", .file = "characters/Q_platformer_game_pack_Character_Gun.glb"},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static void measure_speeds(subject *s, int clip) {
    const int32_t n = s->skeleton->node_count;
    const int steps = 240;
    const double dt = (double)s->clips[clip]->duration / steps;
    double *most = s->speeds[clip] = calloc((size_t)n, sizeof *most);
    sinew_pose *pose[2];
    for (int i = 0; i < 2; i++) assert_int_equal(sinew_pose_create(s->skeleton, NULL, &pose[i]), SINEW_OK);
    sinew_clip_sample(s->clips[clip], 0.0f, pose[0]);
    for (int k = 1; k <= steps; k++) {
        sinew_clip_sample(s->clips[clip], (float)(k * dt), pose[k % 2]);
        for (int32_t i = 0; i < n; i++)
            most[i] = fmax(most[i], degrees_apart(turn_of(pose[0], i), turn_of(pose[1], i)) / dt);
    }
    s->gaps[clip] = calloc((size_t)n, sizeof(double));
    sinew_clip_sample(s->clips[clip], 0.0f, pose[0]);
    sinew_clip_sample(s->clips[clip], s->clips[clip]->duration, pose[1]);
    for (int32_t i = 0; i < n; i++) s->gaps[clip][i] = degrees_apart(turn_of(pose[0], i), turn_of(pose[1], i));
    for (int i = 0; i < 2; i++) sinew_pose_destroy(pose[i]);
}

static sinew_blend_space *make_space(const subject *s, bool adds, int first, float damping) {
    sinew_blend_sample samples[3];
    for (int i = 0; i < 3; i++) {
        const int clip = s->by_gap[(first + i) % s->clip_count];
        samples[i] = (sinew_blend_sample){adds ? s->differences[clip] : s->clips[clip], (float)i, 0.0f, 1.0f};
    }
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->skeleton;
    def.samples = samples;
    def.sample_count = s->clip_count < 3 ? s->clip_count : 3;
    def.damping = damping;
    sinew_blend_space *space;
    assert_int_equal(sinew_blend_space_create(&def, &space, NULL), SINEW_OK);
    return space;
}

static double widest_gap(const subject *s, int clip) {
    double widest = 0.0;
    for (int32_t i = 0; i < s->skeleton->node_count; i++) widest = fmax(widest, s->gaps[clip][i]);
    return widest;
}

static void sort_by_gap(subject *s) {
    for (int i = 0; i < s->clip_count; i++) {
        int at = i;
        for (; at > 0 && widest_gap(s, s->by_gap[at - 1]) > widest_gap(s, i); at--)
            s->by_gap[at] = s->by_gap[at - 1];
        s->by_gap[at] = i;
    }
}

static void add_clip(subject *s, const sinew_clip *clip, sinew_pose *start) {
    if (!(clip->duration > 0.3f) || s->clip_count == MAX_CLIPS) return;
    const int k = s->clip_count++;
    s->clips[k] = clip;
    sinew_clip_sample(clip, 0.0f, start);
    assert_int_equal(sinew_clip_make_additive(clip, start, NULL, &s->differences[k], NULL), SINEW_OK);
    measure_speeds(s, k);
}

static sinew_clip *walks[5];

// A clip that travels at a constant speed, and swings two nodes there and back.
static sinew_clip *make_walk(const sinew_skeleton *skeleton, const char *name, float duration, float x, float z) {
    const float times[3] = {0, duration / 2, duration}, way[9] = {0, 1, 0, x / 2, 1, z / 2, x, 1, z};
    float turns[2][12];
    for (int k = 0; k < 3; k++) {
        const sinew_quat swing = about_x(0.6 * (double)z * (k == 1 ? -1.0 : 1.0)),
                         lean = about_z(0.2 * (double)duration);
        memcpy(turns[0] + (ptrdiff_t)4 * k, (float[4]){swing.x, swing.y, swing.z, swing.w}, 4 * sizeof(float));
        memcpy(turns[1] + (ptrdiff_t)4 * k, (float[4]){lean.x, lean.y, lean.z, lean.w}, 4 * sizeof(float));
    }
    const sinew_channel_def channels[3] = {
        {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 3, times, way},
        {1, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, turns[0]},
        {2, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, 3, times, turns[1]},
    };
    return make_clip(skeleton, name, channels, 3);
}

static void make_walks(subject *s) {
    s->skeleton = make_chain(3);
    walks[0] = make_walk(s->skeleton, "idle", 2.0f, 0, 0);
    walks[1] = make_walk(s->skeleton, "walk", 1.0f, 0, 1.2f);
    walks[2] = make_walk(s->skeleton, "run", 0.7f, 0, 2.45f);
    walks[3] = make_walk(s->skeleton, "back", 0.8f, 0, -0.8f);
    walks[4] = make_walk(s->skeleton, "strafe", 0.6f, 0.9f, 0.3f);
}

static bool load(subject *s) {
    const char *folder = s->folder ? getenv(s->folder) : SINEW_MODELS;
    char path[1024];
    if (!folder) return false;
    snprintf(path, sizeof path, "%s/%s", folder, s->file);
    sinew_error error = {0};
    if (sinew_gltf_load_file(path, NULL, &s->asset, &error) != SINEW_OK) fail_msg("%s", error.message);
    s->skeleton = s->asset->skeleton;
    return true;
}

static void open_subject(subject *s) {
    if (s->root_speeds > 0.0) make_walks(s);
    if (!s->skeleton && !load(s)) return;
    sinew_pose *start;
    assert_int_equal(sinew_pose_create(s->skeleton, NULL, &start), SINEW_OK);
    for (int32_t i = 0; s->asset && i < s->asset->clip_count; i++) add_clip(s, &s->asset->clips[i], start);
    for (int i = 0; !s->asset && i < 5; i++) add_clip(s, walks[i], start);
    sinew_pose_destroy(start);
    sort_by_gap(s);
    for (int i = 0; i < 4; i++) s->spaces[i] = make_space(s, false, 2 * i, i % 2 == 0 ? 0.0f : 0.2f);
    for (int i = 0; i < 2; i++) s->difference_spaces[i] = make_space(s, true, i, 0.1f);
    assert_int_equal(sinew_mask_create(s->skeleton, 1.0f, NULL, &s->mask), SINEW_OK);
    sinew_mask_set_subtree(s->mask, s->skeleton->node_count / 3, 0.0f, 0);
}

static void close_subject(subject *s) {
    for (int i = 0; i < 4; i++) sinew_blend_space_destroy(s->spaces[i]);
    for (int i = 0; i < 2; i++) sinew_blend_space_destroy(s->difference_spaces[i]);
    for (int i = 0; i < s->clip_count; i++) {
        sinew_clip_destroy(s->differences[i]);
        free(s->speeds[i]), free(s->gaps[i]);
    }
    sinew_mask_destroy(s->mask);
    sinew_asset_destroy(s->asset);
    if (s->asset) return;
    for (int i = 0; i < 5; i++) sinew_clip_destroy(walks[i]);
    sinew_skeleton_destroy((sinew_skeleton *)(uintptr_t)s->skeleton);
}

// ---- A run -----------------------------------------------------------------------------------------------------

typedef enum call_kind {
    PLAY,
    TRANSITION,
    FADE_OUT,
    FADE_TO,
    LAYER_FADE,
    QUEUE,
    QUEUE_BACK,
    QUEUE_OUT,
    RESUME, // calls up to here change what plays: no pop
    SET_WEIGHT,
    SET_TIME,
    SET_SPEED,
    SET_PARAMETER,
    SET_LOOP,
    STOP,
    PAUSE,
    LAYER_WEIGHT,
    MASK,
    SMOOTH, // an inertialization of what follows
    SET_POSE,
    STOP_ALL,
    CALLS
} call_kind;
static const char *const names[CALLS] = {
    "play",      "transition", "fade out",     "fade to",  "layer fade",  "queue",     "queue back",
    "queue out", "resume",     "set weight",   "set time", "set speed",   "parameter", "set loop",
    "stop",      "pause",      "layer weight", "mask",     "inertialize", "set pose",  "stop all"};

// A change that runs: its seconds left, and what it may turn a node by in a second.
typedef struct running {
    double left, rate;
} running;

typedef struct run {
    subject *on;
    sinew_mixer *mixer;
    uint64_t number, random;
    int frame, layer_count;
    float dt;
    bool additive[8], is_told, was_exempt, jumps;
    uint32_t calls; // kinds since the last frame
    running changes[MAX_RUNNING];
    int change_count;
    turn *before;    // [node]
    double *allowed; // [node]
    double root[2];  // metres a second, along x and z, in the last frame
    int root_rests;  // frames in which it isn't checked
    double *recent;  // [node]: what its clips have turned it by in a frame, which a change may keep for a while
    char log[LOG][160];
    int lines;
} run;

typedef struct tally {
    long sequences, frames, seams, bad_seams, bad_frames, bad_roots, bad_sequences, by_kind[2][CALLS + 1];
    double worst_seam, worst_frame, worst_root;
} tally;
static tally total;

static float draw(run *r, float low, float high) {
    return random_float(&r->random, low, high);
}

static bool chance(run *r, float p) {
    return draw(r, 0.0f, 1.0f) < p;
}

static int pick(run *r, int count) {
    const int i = (int)draw(r, 0.0f, (float)count);
    return i < count ? i : count - 1;
}

static void note(run *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *line = r->log[r->lines++ % LOG];
    const int length = snprintf(line, sizeof r->log[0], "frame %d: ", r->frame);
    vsnprintf(line + length, sizeof r->log[0] - (size_t)length, format, arguments);
    va_end(arguments);
    if (r->is_told) print_message("%s\n", line);
}

// A change of `seconds` begins: it may turn a node by half a turn, at most at 1.73 times the even speed (docs/mixing.md).
static void begin_change(run *r, double seconds) {
    if (!(seconds > 0.0)) return;
    const running change = {seconds + 2.0 * (double)r->dt, 1.73 * 180.0 / seconds};
    if (r->change_count < MAX_RUNNING) r->changes[r->change_count++] = change;
}

// ---- Calls -----------------------------------------------------------------------------------------------------

static sinew_source draw_source(run *r, int layer) {
    const subject *s = r->on;
    if (chance(r, 0.25f)) {
        const float x = draw(r, 0.0f, 2.0f);
        return sinew_blend_space_source(
            r->additive[layer] ? s->difference_spaces[pick(r, 2)] : s->spaces[pick(r, 4)], x, 0.0f);
    }
    const int i = pick(r, s->clip_count < 5 ? s->clip_count : 5);
    return sinew_clip_source(r->additive[layer] ? s->differences[i] : s->clips[i]);
}

static float draw_seconds(run *r) {
    return draw(r, 0.15f, 0.6f);
}

static sinew_play_def draw_def(run *r, int layer) {
    sinew_play_def def = sinew_play_default();
    def.layer = layer;
    def.weight = chance(r, 0.6f) ? 1.0f : draw(r, 0.1f, 1.5f);
    def.speed = chance(r, 0.8f) ? 1.0f : draw(r, 0.3f, 1.5f);
    def.fade = draw_seconds(r);
    def.easing = chance(r, 0.5f) ? SINEW_EASING_LINEAR : SINEW_EASING_SMOOTHSTEP;
    def.loop = chance(r, 0.7f) ? SINEW_LOOP_REPEAT : (sinew_loop)pick(r, 3);
    def.loop_count = def.loop == SINEW_LOOP_PING_PONG ? 1 + pick(r, 3) : SINEW_FOREVER;
    def.allow_duplicate = chance(r, 0.2f);
    def.restart = chance(r, 0.15f);
    def.sync = chance(r, 0.2f) ? 1 : 0;
    return def;
}

static sinew_transition draw_transition(run *r) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = (sinew_transition_kind)pick(r, 3);
    transition.duration = draw_seconds(r);
    transition.match_rate = chance(r, 0.2f);
    return transition;
}

static const char *name_of(sinew_source source) {
    return source.clip ? source.clip->name : source.blend_space ? "a space" : "nothing";
}

static void call_play(run *r, bool replaces) {
    const int layer = pick(r, r->layer_count);
    const sinew_source source = draw_source(r, layer);
    const sinew_play_def def = draw_def(r, layer);
    const sinew_transition transition = draw_transition(r);
    const double seconds = (double)(replaces ? transition.duration : def.fade);
    note(r, "%s %s in layer %d over %.3f s, kind %d, weight %g, speed %g, loop %d, sync %d%s%s",
         replaces ? "transition to" : "play", name_of(source), layer, seconds, replaces ? (int)transition.kind : 0,
         (double)def.weight, (double)def.speed, (int)def.loop, (int)def.sync,
         def.allow_duplicate ? ", duplicate" : "", def.restart ? ", restart" : "");
    begin_change(r, seconds);
    if (sinew_mixer_find(r->mixer, source, layer).id != 0) r->root_rests = 3; // it may get another speed
    if (replaces) {
        sinew_mixer_transition_to(r->mixer, source, &transition, &def);
    } else {
        sinew_mixer_play(r->mixer, source, &def);
    }
}

static sinew_action draw_action(run *r) {
    sinew_action actions[SINEW_MAX_ACTIONS];
    const int count = sinew_mixer_actions(r->mixer, actions, SINEW_MAX_ACTIONS);
    return count > 0 ? actions[pick(r, count)] : (sinew_action){0};
}

static void call_queue(run *r, call_kind kind, sinew_action action) {
    const int layer = sinew_action_get(r->mixer, action).layer;
    const sinew_transition transition = draw_transition(r);
    if (layer < 0) return;
    begin_change(r, 10.0); // later; its own share is counted when it starts
    if (kind == QUEUE) {
        const sinew_play_def def = draw_def(r, layer);
        sinew_action_queue(r->mixer, action, draw_source(r, layer), &transition, &def);
    } else if (kind == QUEUE_BACK) {
        sinew_action_queue_previous(r->mixer, action, &transition);
    } else {
        sinew_action_queue_fade_out(r->mixer, action, transition.duration);
    }
    r->changes[r->change_count - 1] = (running){20.0, 1.73 * 180.0 / (double)transition.duration};
}

static void call_control(run *r, call_kind kind, sinew_action action) {
    sinew_mixer *m = r->mixer;
    switch (kind) {
    case SET_WEIGHT:
        sinew_action_set_weight(m, action, chance(r, 0.3f) ? 0.0f : draw(r, 0.0f, 1.5f));
        break;
    case SET_TIME:
        sinew_action_set_time(m, action, draw(r, 0.0f, 1.0f));
        break;
    case SET_SPEED:
        sinew_action_set_speed(m, action, draw(r, 0.2f, 1.5f));
        break;
    case SET_PARAMETER:
        sinew_action_set_parameter(m, action, draw(r, 0.0f, 2.0f), 0.0f);
        break;
    case SET_LOOP:
        sinew_action_set_loop(m, action, (sinew_loop)pick(r, 3), 1 + pick(r, 3));
        break;
    case STOP:
        sinew_action_stop(m, action);
        break;
    case PAUSE:
        sinew_action_set_paused(m, action, true);
        break;
    default:
        break;
    }
}

static void set_own_pose(run *r) {
    sinew_pose *pose;
    assert_int_equal(sinew_pose_create(r->on->skeleton, NULL, &pose), SINEW_OK);
    sinew_clip_sample(r->on->clips[pick(r, r->on->clip_count)], 0.1f, pose);
    sinew_mixer_set_pose(r->mixer, pose);
    sinew_pose_destroy(pose);
}

static void call_layer(run *r, call_kind kind) {
    if (r->layer_count < 2) return;
    const int layer = 1 + pick(r, r->layer_count - 1);
    const float weight = chance(r, 0.3f) ? 0.0f : draw(r, 0.0f, 1.0f), seconds = draw_seconds(r);
    note(r, "%s of layer %d to %g over %g s", names[kind], layer, (double)weight, (double)seconds);
    if (kind == LAYER_FADE) begin_change(r, (double)seconds);
    if (kind == LAYER_FADE) sinew_layer_fade_to(r->mixer, layer, weight, seconds, SINEW_EASING_LINEAR);
    if (kind == LAYER_WEIGHT) sinew_layer_set_weight(r->mixer, layer, weight);
    if (kind == MASK) sinew_layer_set_mask(r->mixer, layer, chance(r, 0.5f) ? r->on->mask : NULL);
}

static void make_call(run *r, call_kind kind) {
    const sinew_action action = draw_action(r);
    const sinew_action_state now = sinew_action_get(r->mixer, action);
    const float seconds = draw_seconds(r), weight = draw(r, 0.0f, 1.5f);
    r->calls |= 1u << kind;
    if (kind > RESUME) r->was_exempt = true;
    if (kind >= RESUME) r->root_rests = kind == SET_PARAMETER || kind == PAUSE || kind == STOP ? 60 : 3;
    if (kind == SET_PARAMETER) r->jumps = true; // in the next step, without damping
    if (kind == PLAY || kind == TRANSITION) {
        call_play(r, kind == TRANSITION);
    } else if (kind == LAYER_FADE || kind == LAYER_WEIGHT || kind == MASK) {
        call_layer(r, kind);
    } else {
        note(r, "%s: %s in layer %d, %.3f s, weight %g", names[kind], name_of(now.source), now.layer,
             (double)seconds, (double)weight);
        if (kind == FADE_OUT || kind == FADE_TO || kind == RESUME)
            begin_change(r, kind == RESUME ? 0.2 : 2.0 * (double)seconds); // then the root comes to rest
        if (kind == FADE_OUT) sinew_action_fade_out(r->mixer, action, seconds);
        if (kind == FADE_TO) sinew_action_fade_to(r->mixer, action, weight, seconds);
        if (kind == RESUME) sinew_action_set_paused(r->mixer, action, false);
        if (kind == QUEUE || kind == QUEUE_BACK || kind == QUEUE_OUT) call_queue(r, kind, action);
        if (kind == SMOOTH)
            begin_change(r, (double)seconds), sinew_mixer_inertialize(r->mixer, SINEW_ALL_LAYERS, seconds);
        if (kind == STOP_ALL) sinew_mixer_stop_all(r->mixer);
        if (kind == SET_POSE) set_own_pose(r);
        call_control(r, kind, action);
    }
}

static call_kind draw_kind(run *r) {
    static const uint8_t weights[CALLS] = {20, 24, 5, 5, 6, 4, 3, 3, 2, 4, 2, 2, 5, 1, 4, 2, 2, 2, 2, 1, 1};
    int sum = 0, at;
    for (int i = 0; i < CALLS; i++) sum += weights[i];
    at = pick(r, sum);
    for (int i = 0; i < CALLS; i++) {
        if (at < weights[i]) return (call_kind)i;
        at -= weights[i];
    }
    return PLAY;
}

// ---- Looking ---------------------------------------------------------------------------------------------------

static void look(const run *r, turn *out) {
    const sinew_pose *pose = sinew_mixer_pose(r->mixer);
    for (int32_t i = 0; i < r->on->skeleton->node_count; i++) out[i] = turn_of(pose, i);
}

static double worst_of(const run *r, const turn *then, const double *allowed, int32_t *node) {
    const sinew_pose *pose = sinew_mixer_pose(r->mixer);
    double worst = -1e9;
    for (int32_t i = 0; i < r->on->skeleton->node_count; i++) {
        const double by = degrees_apart(then[i], turn_of(pose, i)) - (allowed ? allowed[i] : 0.0);
        if (by > worst) worst = by, *node = i;
    }
    return worst;
}

static void count_kinds(const run *r, int what) {
    for (int i = 0; i < CALLS; i++)
        if ((r->calls >> i & 1) != 0) total.by_kind[what][i]++;
    if (r->calls == 0) total.by_kind[what][CALLS]++;
}

// Calls between two looks at the same instant.
static void make_calls(run *r) {
    turn *then = calloc((size_t)r->on->skeleton->node_count, sizeof *then);
    const int count = 1 + pick(r, 3);
    sinew_mixer_update(r->mixer, 0.0f);
    look(r, then);
    r->was_exempt = false;
    for (int i = 0; i < count; i++) make_call(r, draw_kind(r));
    sinew_mixer_update(r->mixer, 0.0f);
    int32_t node = 0;
    const double jump = worst_of(r, then, NULL, &node);
    free(then);
    if (r->was_exempt) return;
    total.seams++;
    total.worst_seam = fmax(total.worst_seam, jump);
    if (jump <= 0.01) return;
    total.bad_seams++;
    count_kinds(r, 0);
    if (r->is_told)
        print_message("frame %d: SEAM: %s jumps by %.3f degrees\n", r->frame, r->on->skeleton->names[node], jump);
}

static double rate_of_changes(run *r) {
    double rate = 0.0;
    int kept = 0;
    for (int i = 0; i < r->change_count; i++) {
        running *c = &r->changes[i];
        rate += c->rate;
        c->left -= (double)r->dt;
        if (c->left > 0.0) r->changes[kept++] = *c;
    }
    r->change_count = kept;
    return rate;
}

static int clip_index(const subject *s, const sinew_clip *clip) {
    for (int i = 0; i < s->clip_count; i++)
        if (s->clips[i] == clip || s->differences[i] == clip) return i;
    return -1;
}

static void allow_clip(run *r, const sinew_clip *clip, double speed) {
    const int i = clip_index(r->on, clip);
    for (int32_t k = 0; i >= 0 && k < r->on->skeleton->node_count; k++)
        r->allowed[k] += 1.3 * r->on->speeds[i][k] * speed * (double)r->dt;
}

static void allow_gap(run *r, const sinew_clip *clip) {
    const int i = clip_index(r->on, clip);
    for (int32_t k = 0; i >= 0 && k < r->on->skeleton->node_count; k++) r->allowed[k] += r->on->gaps[i][k];
}

// Clips that end elsewhere than they start may jump when they loop. Of a blend space that is not known.
static void allow_loops(run *r) {
    const sinew_events events = sinew_mixer_events(r->mixer);
    for (int32_t i = 0; i < events.count; i++)
        if (events.items[i].type == SINEW_EVENT_LOOPED && !events.items[i].blend_space)
            allow_gap(r, events.items[i].clip);
    // A difference on the longer arc jumps by more than its clip.
    for (int32_t i = 0; i < events.count; i++)
        r->jumps |= events.items[i].type == SINEW_EVENT_LOOPED && r->additive[events.items[i].layer];
}

// What plays may turn each node by, in a frame.
static void allow(run *r) {
    sinew_action actions[SINEW_MAX_ACTIONS];
    const int count = sinew_mixer_actions(r->mixer, actions, SINEW_MAX_ACTIONS);
    for (int32_t i = 0; i < r->on->skeleton->node_count; i++) r->allowed[i] = 0.0;
    for (int k = 0; k < count; k++) {
        const sinew_source source = sinew_action_get(r->mixer, actions[k]).source;
        const double speed = fmax(1.0, fabs((double)sinew_action_get(r->mixer, actions[k]).speed)) * 2.0;
        if (source.clip) allow_clip(r, source.clip, speed);
        // One that was set to its end has no loop behind it, and no event.
        if (source.clip && sinew_action_time(r->mixer, actions[k]) == source.clip->duration)
            allow_gap(r, source.clip);
        for (int i = 0; source.blend_space && i < source.blend_space->sample_count; i++)
            allow_clip(r, source.blend_space->samples[i].clip, speed);
        for (int i = 0; source.blend_space && i < source.blend_space->sample_count; i++)
            allow_gap(r, source.blend_space->samples[i].clip);
        if (source.blend_space) { // a parameter that follows
            for (int32_t i = 0; i < r->on->skeleton->node_count; i++) r->allowed[i] += 180.0 / 0.2 * (double)r->dt;
        }
    }
}

static void allow_all(run *r) {
    allow(r);
    const double changes = 3.0 + rate_of_changes(r) * (double)r->dt;
    for (int32_t i = 0; i < r->on->skeleton->node_count; i++) {
        r->recent[i] = fmax(r->allowed[i], r->recent[i] * exp(-(double)r->dt / 0.5));
        r->allowed[i] = changes + fmax(r->allowed[i], r->recent[i]);
    }
}

// Compares the root's velocity with the last frame's. A finished clip stops immediately, and a moving parameter
// changes the velocity.
static void check_root(run *r) {
    const sinew_events events = sinew_mixer_events(r->mixer);
    const sinew_vec3 move = sinew_mixer_root_delta(r->mixer).translation;
    const double v[2] = {(double)move.x / (double)r->dt, (double)move.z / (double)r->dt};
    for (int32_t i = 0; i < events.count; i++)
        if (events.items[i].type == SINEW_EVENT_FINISHED ||
            sinew_action_get(r->mixer, events.items[i].action).loop != SINEW_LOOP_REPEAT)
            r->root_rests = 2;
    double allowed = 0.01;
    for (int i = 0; i < r->change_count; i++)
        allowed += 2.0 * r->changes[i].rate / 180.0 * r->on->root_speeds * (double)r->dt;
    sinew_action actions[SINEW_MAX_ACTIONS];
    const int playing = sinew_mixer_actions(r->mixer, actions, SINEW_MAX_ACTIONS);
    for (int i = 0; i < playing; i++)
        allowed += fabs(sinew_action_get(r->mixer, actions[i]).parameter.vx) * r->on->root_speeds * (double)r->dt;
    const double change = hypot(v[0] - r->root[0], v[1] - r->root[1]);
    r->root[0] = v[0], r->root[1] = v[1];
    if (r->root_rests > 0) {
        r->root_rests--;
        return;
    }
    total.worst_root = fmax(total.worst_root, change - allowed);
    if (change <= allowed) return;
    total.bad_roots++;
    if (r->is_told)
        print_message("frame %d: ROOT: its velocity changes by %.3f m/s, of %.3f allowed\n", r->frame, change,
                      allowed);
}

static void advance(run *r) {
    int32_t node = 0;
    look(r, r->before);
    allow_all(r);
    sinew_mixer_update(r->mixer, r->dt);
    allow_loops(r);
    total.frames++;
    const double excess = worst_of(r, r->before, r->allowed, &node);
    if (!r->jumps) total.worst_frame = fmax(total.worst_frame, excess);
    if (r->on->root_speeds > 0.0) check_root(r);
    if (excess <= 0.0 || r->jumps) return;
    total.bad_frames++;
    count_kinds(r, 1);
    if (r->is_told)
        print_message("frame %d: POP: %s turns by %.2f degrees more than the %.2f allowed\n", r->frame,
                      r->on->skeleton->names[node], excess, r->allowed[node]);
}

// ---- Sequences -------------------------------------------------------------------------------------------------

static sinew_mixer *make_mixer(run *r) {
    static const int slots[] = {2, 3, 4, 8, 16};
    sinew_mixer_def def = sinew_mixer_default();
    sinew_root_motion_def root = sinew_root_motion_default();
    def.skeleton = r->on->skeleton;
    def.layer_count = r->layer_count = 1 + pick(r, 6);
    def.max_actions = slots[pick(r, 5)];
    def.max_blend_spaces = 1 + pick(r, 2);
    def.underweight = chance(r, 0.2f) ? SINEW_UNDERWEIGHT_REST : SINEW_UNDERWEIGHT_NORMALIZE;
    root.skeleton = r->on->skeleton;
    root.node = 0;
    if (r->on->root_speeds > 0.0 || chance(r, 0.3f)) def.root_motion = &root;
    sinew_mixer *mixer;
    sinew_error error = {0};
    if (sinew_mixer_create(&def, &mixer, &error) != SINEW_OK) fail_msg("%s", error.message);
    for (int l = 1; l < r->layer_count; l++) {
        r->additive[l] = chance(r, 0.3f);
        if (r->additive[l]) sinew_layer_set_mode(mixer, l, SINEW_LAYER_ADDITIVE);
        if (chance(r, 0.3f)) sinew_layer_set_mask(mixer, l, r->on->mask);
        sinew_layer_set_weight(mixer, l, chance(r, 0.6f) ? 1.0f : draw(r, 0.0f, 1.0f));
    }
    note(r, "%s: %d layers, %d slots, %d spaces, %s%s", r->on->file, r->layer_count, (int)def.max_actions,
         (int)def.max_blend_spaces, def.underweight == SINEW_UNDERWEIGHT_REST ? "rest" : "normalized",
         def.root_motion ? ", root motion" : "");
    return mixer;
}

static void run_sequence(uint64_t number, bool is_told) {
    run r = {
        .root_rests = 3, .number = number, .random = number * UINT64_C(0x9e3779b97f4a7c15) + 1, .is_told = is_told};
    r.on = &subjects[number % SUBJECTS];
    if (!r.on->skeleton) return;
    const long bad = total.bad_seams + total.bad_frames + total.bad_roots;
    r.dt = number / SUBJECTS % 2 == 0 ? 1.0f / 60.0f : 1.0f / 480.0f;
    r.before = calloc((size_t)r.on->skeleton->node_count, sizeof *r.before);
    r.allowed = calloc((size_t)r.on->skeleton->node_count, sizeof *r.allowed);
    r.recent = calloc((size_t)r.on->skeleton->node_count, sizeof *r.recent);
    r.mixer = make_mixer(&r);
    const int length = r.dt < 0.01f ? 480 : 120;
    const float calls = 12.0f / (float)length;
    make_call(&r, PLAY);
    sinew_mixer_update(r.mixer, r.dt);
    for (r.frame = 0; r.frame < length; r.frame++) {
        if (chance(&r, calls)) make_calls(&r);
        advance(&r);
        r.calls = 0;
        r.jumps = false;
    }
    sinew_mixer_destroy(r.mixer);
    free(r.before), free(r.allowed), free(r.recent);
    total.sequences++;
    if (total.bad_seams + total.bad_frames + total.bad_roots == bad) return;
    if (++total.bad_sequences <= 12) print_message("sequence %d\n", (int)number);
}

static long sequences = SEQUENCES, first;

static void test_all_calls(void **state) {
    (void)state;
    for (int i = 0; i < SUBJECTS; i++) open_subject(&subjects[i]);
    for (long i = 0; i < sequences; i++) run_sequence((uint64_t)(first + i), sequences == 1);
    print_message(
        "%ld sequences, %ld bad; %ld seams, %ld bad, worst %.3f degrees; %ld frames, %ld bad, worst %.2f; "
        "%ld bad roots, worst %.3f m/s\n",
        total.sequences, total.bad_sequences, total.seams, total.bad_seams, total.worst_seam, total.frames,
        total.bad_frames, total.worst_frame, total.bad_roots, total.worst_root);
    for (int i = 0; i <= CALLS; i++)
        if (total.by_kind[0][i] + total.by_kind[1][i] > 0)
            print_message("  %-14s %6ld seams %6ld frames\n", i < CALLS ? names[i] : "by itself",
                          total.by_kind[0][i], total.by_kind[1][i]);
    for (int i = 0; i < SUBJECTS; i++)
        if (subjects[i].skeleton) close_subject(&subjects[i]);
    assert_int_equal(total.bad_seams, 0);
    assert_true(total.bad_roots <= total.sequences / 10000);
    assert_true(total.bad_sequences <= 1 + total.sequences / 500);
}

int main(int argc, char **argv) {
    if (argc > 1) sequences = strtol(argv[1], NULL, 10);
    if (argc > 2) first = strtol(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
