// SPDX-License-Identifier: MIT
// Evaluates clips in double precision.
#include "support/exact_clip.h"

exact_clip read_exact(const sinew_clip *clip) {
    exact_clip e = {clip, calloc((size_t)clip->channel_count + 1, sizeof *e.channels)};
    for (int32_t i = 0; i < clip->channel_count; i++) {
        exact_channel *c = &e.channels[i];
        c->channel = clip->channels[i];
        c->key_count = sinew_clip_channel_keys(clip, i, NULL, NULL);
        c->width = sinew_clip_key_width(clip, i);
        c->times = malloc((size_t)c->key_count * sizeof(float));
        c->values = malloc((size_t)c->key_count * (size_t)c->width * sizeof(float));
        sinew_clip_channel_keys(clip, i, c->times, c->values);
    }
    return e;
}

void free_exact(exact_clip *e) {
    for (int32_t i = 0; i < e->clip->channel_count; i++) {
        free(e->channels[i].times);
        free(e->channels[i].values);
    }
    free(e->channels);
}

// ---- Channels ----------------------------------------------------------------------------------------------------

typedef struct trs {
    double t[3], r[4], s[3];
} trs;

typedef struct matrix {
    double m[3][4];
} matrix;

// Between keys a and b, `length` seconds apart; of splines the middle of each is the value.
static void evaluate_spline(const float *a, const float *b, int32_t width, double u, double length, double *out) {
    const double u2 = u * u, u3 = u2 * u;
    for (int32_t i = 0; i < width; i++) {
        out[i] = (2 * u3 - 3 * u2 + 1) * (double)a[width + i] +
                 length * (u3 - 2 * u2 + u) * (double)a[2 * width + i] + (3 * u2 - 2 * u3) * (double)b[width + i] +
                 length * (u3 - u2) * (double)b[i];
    }
}

// Slerp for rotations, with acos and sin.
static void evaluate_line(const exact_channel *c, const float *a, const float *b, double u, double *out) {
    double from = 1.0 - u, to = u, d = 0.0;
    if (c->channel.target == SINEW_TARGET_ROTATION) {
        for (int i = 0; i < 4; i++) d += (double)a[i] * (double)b[i];
        const double sign = d < 0.0 ? -1.0 : 1.0, angle = acos(fmin(1.0, fabs(d)));
        if (angle > 1e-6) from = sin((1.0 - u) * angle) / sin(angle), to = sin(u * angle) / sin(angle);
        to *= sign;
    }
    for (int32_t i = 0; i < c->width; i++) out[i] = from * (double)a[i] + to * (double)b[i];
}

static void evaluate(const exact_channel *c, double time, double *out) {
    const sinew_interpolation interpolation = c->channel.interpolation;
    const bool spline = interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    int32_t k = 0;
    while (k + 1 < c->key_count && (double)c->times[k + 1] <= time) k++;
    const float *a = c->values + (ptrdiff_t)k * c->width;
    const bool between = k + 1 < c->key_count && time > (double)c->times[k];
    if (!between || interpolation == SINEW_INTERPOLATION_STEP) {
        const int32_t width = spline ? c->width / 3 : c->width;
        for (int32_t i = 0; i < width; i++) out[i] = (double)a[(spline ? width : 0) + i];
        return;
    }
    const double length = (double)c->times[k + 1] - (double)c->times[k], u = (time - (double)c->times[k]) / length;
    if (spline) evaluate_spline(a, a + c->width, c->width / 3, u, length, out);
    if (!spline) evaluate_line(c, a, a + c->width, u, out);
}

// ---- Poses -------------------------------------------------------------------------------------------------------

static trs trs_of(sinew_transform t) {
    return (trs){{(double)t.translation.x, (double)t.translation.y, (double)t.translation.z},
                 {(double)t.rotation.x, (double)t.rotation.y, (double)t.rotation.z, (double)t.rotation.w},
                 {(double)t.scale.x, (double)t.scale.y, (double)t.scale.z}};
}

static matrix to_matrix(const trs *p) {
    double n = sqrt(p->r[0] * p->r[0] + p->r[1] * p->r[1] + p->r[2] * p->r[2] + p->r[3] * p->r[3]);
    double x = p->r[0] / n, y = p->r[1] / n, z = p->r[2] / n, w = p->r[3] / n;
    double rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    matrix out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) out.m[i][j] = rotation[i][j] * p->s[j];
        out.m[i][3] = p->t[i];
    }
    return out;
}

static matrix multiply(const matrix *a, const matrix *b) {
    matrix out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            out.m[i][j] = j == 3 ? a->m[i][3] : 0.0;
            for (int k = 0; k < 3; k++) out.m[i][j] += a->m[i][k] * b->m[k][j];
        }
    }
    return out;
}

static void to_model(const sinew_skeleton *skeleton, const trs *local, matrix *model) {
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        matrix own = to_matrix(&local[i]);
        model[i] = skeleton->parents[i] < 0 ? own : multiply(&model[skeleton->parents[i]], &own);
    }
}

// Adds an additive clip's differences to the rest pose.
static void add_to_rest(const sinew_skeleton *skeleton, trs *local) {
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        const trs rest = trs_of(skeleton->rest[i]);
        const double *a = rest.r, b[4] = {local[i].r[0], local[i].r[1], local[i].r[2], local[i].r[3]};
        local[i].r[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            local[i].r[k] = a[3] * b[k] + a[k] * b[3] + a[l] * b[m] - a[m] * b[l];
            local[i].t[k] += rest.t[k];
            local[i].s[k] *= rest.s[k];
        }
    }
}

// Writes the transforms, and the morph weights followed by the curves.
static void evaluate_pose(const exact_clip *e, double time, trs *local, double *weights) {
    const sinew_skeleton *skeleton = e->clip->skeleton;
    for (int32_t i = 0; i < skeleton->node_count; i++)
        local[i] = trs_of(e->clip->additive ? sinew_transform_identity() : skeleton->rest[i]);
    for (int32_t i = 0; i < e->clip->channel_count; i++) {
        const exact_channel *c = &e->channels[i];
        trs *to = &local[c->channel.target == SINEW_TARGET_CURVE ? 0 : c->channel.node];
        double *const out[] = {to->t, to->r, to->s, weights + skeleton->weight_offsets[c->channel.node],
                               weights + skeleton->weight_count + c->channel.node};
        evaluate(c, time, out[c->channel.target]);
    }
    if (e->clip->additive) add_to_rest(skeleton, local);
}

// ---- Displacements -----------------------------------------------------------------------------------------------

displacement_meter displacement_begin(const exact_clip *exact, const sinew_clip *clip, double distance) {
    const sinew_skeleton *skeleton = clip->skeleton;
    displacement_meter m = {.exact = exact, .clip = clip, .distance = distance};
    const size_t nodes = (size_t)skeleton->node_count,
                 weights = (size_t)skeleton->weight_count + (size_t)skeleton->curve_count;
    assert_int_equal(sinew_pose_create(skeleton, NULL, &m.pose), SINEW_OK);
    m.memory = calloc(1, nodes * (sizeof(trs) + 2 * sizeof(matrix)) + (weights + 1) * sizeof(double));
    assert_non_null(m.memory);
    return m;
}

void displacement_end(displacement_meter *m) {
    sinew_pose_destroy(m->pose);
    free(m->memory);
}

static double length3(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// The length of t + linear × v.
static double moved(const double t[3], double linear[3][3], const double v[3]) {
    double sum[3];
    for (int i = 0; i < 3; i++) sum[i] = t[i] + linear[i][0] * v[0] + linear[i][1] * v[1] + linear[i][2] * v[2];
    return length3(sum);
}

// Follows the gradient of |t + linear × v|² on the unit sphere, from some directions.
static double farthest_in_ball(const double t[3], double linear[3][3]) {
    double most = length3(t);
    for (int start = 0; start < 8; start++) {
        double v[3] = {start & 1 ? 0.6 : -0.6, start & 2 ? 0.5 : -0.5, start & 4 ? 0.62 : -0.62};
        for (int step = 0; step < 40; step++) {
            double sum[3], gradient[3], length;
            for (int i = 0; i < 3; i++)
                sum[i] = t[i] + linear[i][0] * v[0] + linear[i][1] * v[1] + linear[i][2] * v[2];
            for (int i = 0; i < 3; i++)
                gradient[i] = linear[0][i] * sum[0] + linear[1][i] * sum[1] + linear[2][i] * sum[2];
            length = length3(gradient);
            for (int i = 0; i < 3 && length > 0.0; i++) v[i] = gradient[i] / length;
        }
        most = fmax(most, moved(t, linear, v));
    }
    return most;
}

static void displace_node(const matrix *a, const matrix *b, double distance, clip_displacement *most) {
    double t[3], linear[3][3], square = 0.0;
    const double axes[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        t[i] = a->m[i][3] - b->m[i][3];
        for (int k = 0; k < 3; k++) linear[i][k] = distance * (a->m[i][k] - b->m[i][k]);
        square += linear[i][0] * linear[i][0] + linear[i][1] * linear[i][1] + linear[i][2] * linear[i][2];
    }
    for (int i = 0; i < 4; i++) most->axes = fmax(most->axes, moved(t, linear, axes[i]));
    if (length3(t) + sqrt(square) <= most->ball) return; // no point of this node moves more
    most->ball = fmax(most->ball, farthest_in_ball(t, linear));
}

clip_displacement displacement_at(displacement_meter *m, float time) {
    const sinew_skeleton *skeleton = m->clip->skeleton;
    const int32_t nodes = skeleton->node_count, weights = skeleton->weight_count + skeleton->curve_count;
    matrix *models = m->memory;
    trs *local = (trs *)(void *)(models + 2 * (ptrdiff_t)nodes);
    double *values = (double *)(void *)(local + nodes);
    clip_displacement most = {.ball = m->found};
    for (int32_t i = 0; i < weights; i++)
        values[i] = (double)(i < skeleton->weight_count && !m->clip->additive ? skeleton->rest_weights[i] : 0.0f);
    evaluate_pose(m->exact, (double)time, local, values);
    to_model(skeleton, local, models);
    sinew_clip_sample(m->clip, time, m->pose);
    for (int32_t i = 0; i < weights; i++) {
        const double other = (double)(i < skeleton->weight_count ? m->pose->weights[i]
                                                                 : m->pose->curves[i - skeleton->weight_count]);
        most.weights = fmax(most.weights, fabs(values[i] - other));
    }
    for (int32_t i = 0; i < nodes; i++) local[i] = trs_of(sinew_pose_get(m->pose, i));
    if (m->clip->additive) add_to_rest(skeleton, local);
    to_model(skeleton, local, models + nodes);
    for (int32_t i = 0; i < nodes; i++) displace_node(&models[i], &models[nodes + i], m->distance, &most);
    return most;
}

// Looks at a time.
static void raise_displacement(displacement_meter *m, float time, clip_displacement *most) {
    m->found = most->ball;
    const clip_displacement found = displacement_at(m, time);
    most->axes = fmax(most->axes, found.axes);
    most->ball = fmax(most->ball, found.ball);
    most->weights = fmax(most->weights, found.weights);
}

clip_displacement largest_displacement(const exact_clip *exact, const sinew_clip *clip, double distance,
                                       int count) {
    displacement_meter m = displacement_begin(exact, clip, distance);
    clip_displacement most = {0};
    for (int i = 0; i <= count; i++) raise_displacement(&m, clip->duration * (float)i / (float)count, &most);
    displacement_end(&m);
    return most;
}

static float key_after(const exact_clip *exact, float time) {
    float next = INFINITY;
    for (int32_t i = 0; i < exact->clip->channel_count; i++) {
        const exact_channel *c = &exact->channels[i];
        for (int32_t k = 0; k < c->key_count; k++)
            if (c->times[k] > time && c->times[k] < next) next = c->times[k];
    }
    return next;
}

clip_displacement displacement_between_keys(const exact_clip *exact, const sinew_clip *clip, double distance,
                                            int parts) {
    displacement_meter m = displacement_begin(exact, clip, distance);
    clip_displacement most = displacement_at(&m, 0.0f);
    float from = 0.0f, to = key_after(exact, from);
    while (to < INFINITY) {
        for (int i = 1; i <= parts; i++)
            raise_displacement(&m, from + (to - from) * ((float)i / (float)parts), &most);
        raise_displacement(&m, nextafterf(to, from), &most);
        from = to;
        to = key_after(exact, from);
    }
    displacement_end(&m);
    return most;
}
