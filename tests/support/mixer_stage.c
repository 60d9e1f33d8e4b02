// SPDX-License-Identifier: MIT
// Builds clips from formulas, and blends poses in double precision.
#include "support/mixer_stage.h"

// ---- The stage -----------------------------------------------------------------------------------------------

const motion stage_motions[STAGE_CLIPS] = {
    {2, 2, 0.0, 5.0, 0.0, 0.5, 1.0, 0.25, 0.0, 0.5},
    {1, 0, 1.0, -4.0, 0.75, -1.0, 1.5, -0.5, 1.0, -0.75},
    {3, 1, -2.0, 1.0, -0.5, 0.25, 0.75, 0.125, 0.25, 0.25},
    {2, 2, -1.0, 3.0, 1.0, -0.5, 1.25, -0.25, 0.5, -0.25},
};

static sinew_quat about(int axis, double radians) {
    return axis == 0 ? about_x(radians) : axis == 1 ? about_y(radians) : about_z(radians);
}

#define TURN_KEYS 9 // keeps the arcs short

sinew_clip *stage_clip(const sinew_skeleton *skeleton, const motion *m) {
    static float moves[STAGE_NODES][6], turns[STAGE_NODES][4 * TURN_KEYS], sizes[6], smiles[2 * STAGE_MORPHS];
    const float ends[2] = {0.0f, m->duration};
    float times[TURN_KEYS];
    sinew_channel_def channels[3 * STAGE_NODES + 2];
    int32_t count = 0;
    for (int k = 0; k < TURN_KEYS; k++) times[k] = m->duration * (float)k / (TURN_KEYS - 1);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) sizes[3 * k + i] = (float)(m->size + m->growing * ends[k]);
        for (int i = 0; i < STAGE_MORPHS; i++) {
            smiles[STAGE_MORPHS * k + i] = (float)(m->smile + i / 8.0 + m->smiling * ends[k]);
        }
    }
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        for (int k = 0; k < 2; k++) {
            moves[n][(ptrdiff_t)3 * k] = (float)(m->x + n / 8.0 + m->vx * ends[k]);
            moves[n][3 * k + 1] = n > 0 ? 1.0f : 0.0f;
            moves[n][3 * k + 2] = 0.0f;
        }
        for (int k = 0; k < TURN_KEYS; k++) {
            sinew_quat q = about(m->axis, m->turned + n / 16.0 + m->turning * times[k]);
            memcpy(&turns[n][(ptrdiff_t)4 * k], &q, sizeof q);
        }
        channels[count++] =
            (sinew_channel_def){n, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, ends, moves[n]};
        channels[count++] =
            (sinew_channel_def){n, SINEW_TARGET_ROTATION, SINEW_INTERPOLATION_LINEAR, TURN_KEYS, times, turns[n]};
        channels[count++] = (sinew_channel_def){n, SINEW_TARGET_SCALE, SINEW_INTERPOLATION_LINEAR, 2, ends, sizes};
    }
    channels[count++] =
        (sinew_channel_def){STAGE_FACE, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 2, ends, smiles};
    channels[count++] =
        (sinew_channel_def){STAGE_TAIL, SINEW_TARGET_WEIGHTS, SINEW_INTERPOLATION_LINEAR, 2, ends, smiles};
    return make_clip(skeleton, "", channels, count);
}

static sinew_skeleton *stage_skeleton(void) {
    sinew_node_def nodes[STAGE_NODES];
    for (int32_t i = 0; i < STAGE_NODES; i++) {
        bool smiles = i == STAGE_FACE || i == STAGE_TAIL;
        nodes[i] = (sinew_node_def){.parent = i - 1, .rest = sinew_transform_identity()};
        nodes[i].rest.translation.y = i > 0 ? 1.0f : 0.0f;
        nodes[i].weight_count = smiles ? STAGE_MORPHS : 0;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = STAGE_NODES;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

sinew_mixer_def stage_def(const mixer_stage *s) {
    sinew_mixer_def def = sinew_mixer_default();
    def.skeleton = s->skeleton;
    return def;
}

void stage_remake(mixer_stage *s, const sinew_mixer_def *def) {
    sinew_mixer_destroy(s->mixer);
    assert_int_equal(sinew_mixer_create(def, &s->mixer, NULL), SINEW_OK);
}

int stage_set_up(void **state) {
    mixer_stage *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->skeleton = stage_skeleton();
    for (int i = 0; i < STAGE_CLIPS; i++) s->clips[i] = stage_clip(s->skeleton, &stage_motions[i]);
    sinew_mixer_def def = stage_def(s);
    stage_remake(s, &def);
    *state = s;
    return 0;
}

int stage_tear_down(void **state) {
    mixer_stage *s = *state;
    sinew_mixer_destroy(s->mixer);
    for (int i = 0; i < STAGE_CLIPS; i++) sinew_clip_destroy(s->clips[i]);
    sinew_skeleton_destroy(s->skeleton);
    free(s);
    return 0;
}

// ---- Expectations --------------------------------------------------------------------------------------------

exact_node node_of_motion(const motion *m, double time, int32_t node) {
    double half = (m->turned + node / 16.0 + m->turning * time) / 2.0, part[3] = {0, 0, 0};
    part[m->axis] = sin(half);
    bool smiles = node == STAGE_FACE || node == STAGE_TAIL;
    return (exact_node){
        .at = {m->x + node / 8.0 + m->vx * time, node > 0 ? 1.0 : 0.0, 0.0},
        .turn = {part[0], part[1], part[2], cos(half)},
        .size = m->size + m->growing * time,
        .smile = smiles ? m->smile + m->smiling * time : 0.0,
    };
}

exact_node node_of_clip(int clip, double time, int32_t node) {
    return node_of_motion(&stage_motions[clip], time, node);
}

exact_node node_at_rest(int32_t node) {
    return (exact_node){.at = {0, node > 0 ? 1.0 : 0.0, 0}, .turn = {0, 0, 0, 1}, .size = 1.0};
}

static double cosine(exact_quat a, exact_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

exact_node mean_of(const exact_node *nodes, const double *weights, int count) {
    exact_node mean = {{0, 0, 0}, {0, 0, 0, 0}, 0, 0};
    double sum = 0;
    for (int i = 0; i < count; i++) sum += weights[i];
    for (int i = 0; i < count; i++) {
        double part = weights[i] / sum, turn = cosine(nodes[i].turn, nodes[0].turn) < 0 ? -part : part;
        mean.at = exact_add(mean.at, nodes[i].at, part);
        mean.turn.x += nodes[i].turn.x * turn;
        mean.turn.y += nodes[i].turn.y * turn;
        mean.turn.z += nodes[i].turn.z * turn;
        mean.turn.w += nodes[i].turn.w * turn;
        mean.size += nodes[i].size * part;
        mean.smile += nodes[i].smile * part;
    }
    double norm = exact_norm(mean.turn);
    mean.turn = (exact_quat){mean.turn.x / norm, mean.turn.y / norm, mean.turn.z / norm, mean.turn.w / norm};
    return mean;
}

exact_node mean_of_two(exact_node a, double weight_a, exact_node b, double weight_b) {
    const exact_node nodes[2] = {a, b};
    const double weights[2] = {weight_a, weight_b};
    return mean_of(nodes, weights, 2);
}

exact_node node_shown(sinew_mixer *mixer, int32_t node) {
    const sinew_pose *pose = sinew_mixer_pose(mixer);
    sinew_transform t = sinew_pose_get(pose, node);
    int32_t first = pose->skeleton->weight_offsets[node], end = pose->skeleton->weight_offsets[node + 1];
    return (exact_node){
        .at = exact_vec(t.translation),
        .turn = exact_rotation(t.rotation),
        .size = t.scale.x,
        .smile = first < end ? pose->weights[first] : 0.0,
    };
}

double gap_between(const exact_node *a, const exact_node *b) {
    double gap = exact_length(exact_add(a->at, b->at, -1.0));
    gap = fmax(gap, exact_angle(a->turn, b->turn));
    gap = fmax(gap, fabs(a->size - b->size));
    gap = fmax(gap, fabs(a->smile - b->smile));
    bool is_number = isfinite(a->at.x + a->at.y + a->at.z + a->turn.w + a->size + a->smile);
    return is_number ? gap : INFINITY;
}

void check_shown_at(sinew_mixer *mixer, int32_t node, exact_node e, double tolerance, const char *file, int line) {
    exact_node is = node_shown(mixer, node);
    if (gap_between(&is, &e) <= tolerance) return;
    print_error("node %d: x %.7g, not %.7g; (%.6g %.6g %.6g %.6g), not (%.6g %.6g %.6g %.6g); size %.7g, not %.7g; "
                "smile %.7g, not %.7g\n",
                (int)node, is.at.x, e.at.x, is.turn.x, is.turn.y, is.turn.z, is.turn.w, e.turn.x, e.turn.y,
                e.turn.z, e.turn.w, is.size, e.size, is.smile, e.smile);
    _fail(file, line);
}

// ---- Shares of a pose ----------------------------------------------------------------------------------------

exact_node node_of_shares(const shares *all, int32_t node) {
    exact_node nodes[8];
    double weights[8];
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        if (!(all->of[i].weight > 0)) continue;
        bool rests = all->of[i].clip == REST_POSE;
        nodes[count] = rests ? node_at_rest(node) : node_of_clip(all->of[i].clip, all->of[i].time, node);
        weights[count++] = all->of[i].weight;
    }
    return mean_of(nodes, weights, count);
}

void check_shares_at(mixer_stage *s, shares expected, const char *file, int line) {
    for (int32_t n = 0; n < STAGE_NODES; n++) {
        check_shown_at(s->mixer, n, node_of_shares(&expected, n), SHARES_CLOSE, file, line);
    }
}

// ---- Bits ----------------------------------------------------------------------------------------------------

static void check_bytes(const void *a, const void *b, size_t size) {
    assert_memory_equal(a, b, size);
}

void check_pose_bits(const sinew_pose *a, const sinew_pose *b) {
    const float *planes_a[10] = {a->tx, a->ty, a->tz, a->rx, a->ry, a->rz, a->rw, a->sx, a->sy, a->sz};
    const float *planes_b[10] = {b->tx, b->ty, b->tz, b->rx, b->ry, b->rz, b->rw, b->sx, b->sy, b->sz};
    for (int p = 0; p < 10; p++) check_bytes(planes_a[p], planes_b[p], STAGE_NODES * sizeof(float));
    check_bytes(a->weights, b->weights, (size_t)2 * STAGE_MORPHS * sizeof(float));
}

void check_mixer_bits(const mixer_stage *s, const sinew_mixer *a, const sinew_mixer *b) {
    size_t nodes = (size_t)s->skeleton->node_count, weights = (size_t)s->skeleton->weight_count;
    check_bytes(sinew_mixer_model_matrices(a), sinew_mixer_model_matrices(b), nodes * sizeof(sinew_affine));
    check_bytes(sinew_mixer_morph_weights(a), sinew_mixer_morph_weights(b), weights * sizeof(float));
}
