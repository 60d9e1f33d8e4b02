// conformance_truth.c - the meaning of a document in double precision, by the formulas of the glTF 2.0 specification
// without optimisation. Importers are tested against these results.
#include "conformance.h"

#include <stdlib.h>
#include <string.h>

// ---- matrices ----

matrix from_parts(vec3 t, quat r, vec3 s) {
    quat q = q_unit(r);
    const vec3 columns[4] = {v3_mul(q_turn(q, v3(1, 0, 0)), s.x), v3_mul(q_turn(q, v3(0, 1, 0)), s.y),
                             v3_mul(q_turn(q, v3(0, 0, 1)), s.z), t};
    matrix out;
    for (int c = 0; c < 4; c++) {
        out.m[0][c] = columns[c].x;
        out.m[1][c] = columns[c].y;
        out.m[2][c] = columns[c].z;
    }
    return out;
}

static matrix times(matrix a, matrix b) {
    matrix out;
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < 4; c++) {
            out.m[row][c] = c == 3 ? a.m[row][3] : 0.0;
            for (int k = 0; k < 3; k++) {
                out.m[row][c] += a.m[row][k] * b.m[k][c];
            }
        }
    }
    return out;
}

static vec3 turned_by(const matrix *m, vec3 v) {
    double out[3];
    for (int row = 0; row < 3; row++) {
        out[row] = m->m[row][0] * v.x + m->m[row][1] * v.y + m->m[row][2] * v.z;
    }
    return v3(out[0], out[1], out[2]);
}

/// The cofactor of an element of the 3x3 part.
static double cofactor(const matrix *a, int row, int column) {
    int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    return a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1];
}

static double determinant(const matrix *a) {
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        sum += a->m[0][c] * cofactor(a, 0, c);
    }
    return sum;
}

matrix inverse_of(matrix a) {
    matrix out;
    double d = determinant(&a);
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < 3; c++) {
            out.m[row][c] = cofactor(&a, c, row) / d;
        }
    }
    for (int row = 0; row < 3; row++) {
        out.m[row][3] = 0.0;
        for (int k = 0; k < 3; k++) {
            out.m[row][3] -= out.m[row][k] * a.m[k][3];
        }
    }
    return out;
}

/// a + weight × b
static matrix plus(matrix a, double weight, matrix b) {
    for (int i = 0; i < 12; i++) {
        a.m[i / 4][i % 4] += weight * b.m[i / 4][i % 4];
    }
    return a;
}

// ---- keys (appendix C) ----

/// Slerp along the shorter arc by the fraction `u`. The angle is computed from chords, which are accurate for small
/// angles.
static void slerp(const double *a, const double *b, double u, double *out) {
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double side = dot < 0.0 ? -1.0 : 1.0, apart = 0.0, together = 0.0;
    for (int i = 0; i < 4; i++) {
        apart += (a[i] - side * b[i]) * (a[i] - side * b[i]);
        together += (a[i] + side * b[i]) * (a[i] + side * b[i]);
    }
    double angle = 2.0 * atan2(sqrt(apart), sqrt(together));
    double wa = 1.0 - u, wb = u;
    if (sin(angle) > 0.0) {
        wa = sin((1.0 - u) * angle) / sin(angle);
        wb = sin(u * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) {
        out[i] = wa * a[i] + wb * side * b[i];
    }
}

/// `a` and `b` are keys of in-tangent, value, out-tangent, each of `width` numbers.
static void hermite(const double *a, const double *b, int width, double u, double interval, double *out) {
    double u2 = u * u, u3 = u2 * u;
    for (int i = 0; i < width; i++) {
        double from = a[width + i], leave = interval * a[2 * width + i];
        double to = b[width + i], arrive = interval * b[i];
        out[i] =
            (2 * u3 - 3 * u2 + 1) * from + (u3 - 2 * u2 + u) * leave + (3 * u2 - 2 * u3) * to + (u3 - u2) * arrive;
    }
}

/// The value of a channel at a time, clamped to the first and the last key (section 3.11).
static void sample(const document *d, const channel *c, double time, int width, double *out) {
    const double *at = d->elements[c->times].values, *values = d->elements[c->values].values;
    int count = d->elements[c->times].count, cubic = c->interpolation == CUBICSPLINE;
    int row = cubic ? 3 * width : width, key = 0;
    while (key + 1 < count && at[key + 1] <= time) {
        key++;
    }
    memcpy(out, values + key * row + cubic * width, (size_t)width * sizeof *out);
    if (time <= at[key] || key + 1 == count || c->interpolation == STEP) {
        return;
    }
    double interval = at[key + 1] - at[key], u = (time - at[key]) / interval;
    const double *a = values + key * row, *b = a + row;
    if (cubic) {
        hermite(a, b, width, u, interval, out);
    } else if (c->path == ROTATION) {
        slerp(a, b, u, out);
    } else {
        for (int i = 0; i < width; i++) {
            out[i] = (1.0 - u) * a[i] + u * b[i];
        }
    }
}

static const channel *channel_of(const document *d, int clip_index, int node_index, enum path path) {
    if (clip_index == NONE) {
        return NULL;
    }
    const clip *c = &d->clips[clip_index];
    for (int i = 0; i < c->channel_count; i++) {
        if (c->channels[i].node == node_index && c->channels[i].path == path) {
            return &c->channels[i];
        }
    }
    return NULL;
}

static double duration_of(const document *d, const clip *c) {
    double last = 0.0;
    for (int i = 0; i < c->channel_count; i++) {
        const elements *e = &d->elements[c->channels[i].times];
        if (c->channels[i].node != NONE) {
            last = fmax(last, e->values[e->count - 1]);
        }
    }
    return last;
}

// ---- nodes ----

static matrix local_of(const document *d, int clip_index, double time, int node_index) {
    const node *n = &d->nodes[node_index];
    if (n->whole) {
        return *n->whole;
    }
    double t[3] = {n->t.x, n->t.y, n->t.z}, r[4] = {n->r.x, n->r.y, n->r.z, n->r.w},
           s[3] = {n->s.x, n->s.y, n->s.z};
    double *const parts[] = {t, r, s};
    for (int path = TRANSLATION; path <= SCALE; path++) {
        const channel *c = channel_of(d, clip_index, node_index, (enum path)path);
        if (c) {
            sample(d, c, time, path == ROTATION ? 4 : 3, parts[path]);
        }
    }
    return from_parts(v3(t[0], t[1], t[2]), (quat){r[0], r[1], r[2], r[3]}, v3(s[0], s[1], s[2]));
}

matrix world_of(const document *d, int clip_index, double time, int node_index) {
    matrix world = local_of(d, clip_index, time, node_index);
    for (int up = d->nodes[node_index].parent; up != NONE; up = d->nodes[up].parent) {
        world = times(local_of(d, clip_index, time, up), world);
    }
    return world;
}

/// Finds the weights of a node's morph targets. Returns their count.
static int weights_of(const document *d, const moment *at, int node_index, double *out) {
    const node *n = &d->nodes[node_index];
    if (n->mesh == NONE) {
        return 0;
    }
    const mesh *m = &d->meshes[n->mesh];
    int count = m->primitives[0].target_count;
    const double *rest = n->weights ? n->weights : m->weights;
    for (int i = 0; i < count; i++) {
        out[i] = rest ? rest[i] : 0.0;
    }
    const channel *c = channel_of(d, at->clip, node_index, WEIGHTS);
    if (c) {
        sample(d, c, at->time, count, out);
    }
    return count;
}

static matrix skin_matrix(const document *d, const moment *at, const skin *s, int joint) {
    matrix world = world_of(d, at->clip, at->time, s->joints[joint]);
    if (s->inverse_binds == NONE) {
        return world;
    }
    const double *columns = d->elements[s->inverse_binds].values + 16 * joint;
    matrix bind;
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < 4; c++) {
            bind.m[row][c] = columns[4 * c + row];
        }
    }
    return times(world, bind);
}

// ---- vertices ----

/// The matrix of a vertex: the sum of weight × skin matrix over its joints, with the weights normalised to a sum of 1;
/// without a skin the matrix of the node. With a skin the node of the mesh has no effect (section 3.7.3.1). A vertex
/// with a NaN weight follows the skin's first joint.
static matrix vertex_matrix(const document *d, const moment *at, int node_index, const primitive *p, int vertex) {
    const node *n = &d->nodes[node_index];
    if (n->skin == NONE) {
        return world_of(d, at->clip, at->time, node_index);
    }
    matrix sum = {{{0}}};
    double total = 0.0;
    for (int k = 0; k < 8; k++) {
        int set = k / 4, at_vertex = 4 * vertex + k % 4;
        if (p->joints[set] == NONE || d->elements[p->weights[set]].values[at_vertex] == 0.0) {
            continue;
        }
        double weight = d->elements[p->weights[set]].values[at_vertex];
        int joint = (int)d->elements[p->joints[set]].values[at_vertex];
        sum = plus(sum, weight, skin_matrix(d, at, &d->skins[n->skin], joint));
        total += weight;
    }
    if (isnan(total)) {
        return skin_matrix(d, at, &d->skins[n->skin], 0);
    }
    return plus((matrix){{{0}}}, 1.0 / total, sum);
}

/// An attribute with its morph targets added: 3 numbers.
static vec3 morphed(const document *d, int attribute, const int *targets, int target_count, const double *weights,
                    int vertex) {
    const elements *e = &d->elements[attribute];
    const double *v = e->values + e->width * vertex;
    vec3 sum = v3(v[0], v[1], v[2]);
    for (int i = 0; i < target_count; i++) {
        if (targets[i] != NONE) {
            const double *delta = d->elements[targets[i]].values + 3 * vertex;
            sum = v3_mad(sum, v3(delta[0], delta[1], delta[2]), weights[i]);
        }
    }
    return sum;
}

/// Transforms a normal by the inverse transpose, up to scale: the cofactors have its direction, and the sign of the
/// determinant turns a mirrored normal to the outside.
static vec3 normal_by(const matrix *m, vec3 normal) {
    matrix c = {{{0}}};
    for (int i = 0; i < 9; i++) {
        c.m[i / 3][i % 3] = cofactor(m, i / 3, i % 3);
    }
    return v3_mul(v3_unit(turned_by(&c, normal)), determinant(m) < 0.0 ? -1.0 : 1.0);
}

// ---- Z up ----

static vec3 stood_up(vec3 v) {
    return v3(v.x, -v.z, v.y);
}

/// C × m × C⁻¹ with C the rotation to Z up: it permutes columns and rows alike.
static matrix matrix_stood_up(matrix m) {
    static const int from[4] = {0, 2, 1, 3};
    static const double sign[4] = {1, -1, 1, 1};
    matrix out;
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < 4; c++) {
            out.m[row][c] = sign[row] * sign[c] * m.m[from[row]][from[c]];
        }
    }
    return out;
}

// ---- writing ----

void say_numbers(buffer *b, int count, const double *numbers) {
    say(b, "[");
    for (int i = 0; i < count; i++) {
        double x = fabs(numbers[i]) < 1e-12 ? 0.0 : numbers[i];
        say(b, "%s%.9g", i ? "," : "", x);
    }
    say(b, "]");
}

static void say_matrix(buffer *b, const moment *at, matrix m) {
    double columns[16];
    matrix up = at->z_up ? matrix_stood_up(m) : m;
    for (int k = 0; k < 16; k++) {
        columns[k] = k % 4 == 3 ? (double)(k == 15) : up.m[k % 4][k / 4];
    }
    say_numbers(b, 16, columns);
}

/// The direction of a camera or a light: -Z of its node.
static void say_direction(buffer *b, const moment *at, matrix world) {
    vec3 v = v3_unit(turned_by(&world, v3(0, 0, -1)));
    v = at->z_up ? stood_up(v) : v;
    say_json(b, ",'looks':");
    say_numbers(b, 3, (const double[]){v.x, v.y, v.z});
}

static void say_node_pose(buffer *b, const document *d, const moment *at, int node_index) {
    double weights[MAX_SMALL];
    int count = weights_of(d, at, node_index, weights);
    say_json(b, "{'node':%d,'world':", node_index);
    say_matrix(b, at, world_of(d, at->clip, at->time, node_index));
    if (d->nodes[node_index].looks) {
        say_direction(b, at, world_of(d, at->clip, at->time, node_index));
    }
    if (count > 0) {
        say_json(b, ",'weights':");
        say_numbers(b, count, weights);
    }
    say(b, "}");
}

static void say_skin_pose(buffer *b, const document *d, const moment *at, int index) {
    const skin *s = &d->skins[index];
    say_json(b, "{'skin':%d,'matrices':[", index);
    for (int i = 0; i < s->joint_count; i++) {
        say(b, i ? "," : "");
        say_matrix(b, at, skin_matrix(d, at, s, i));
    }
    say(b, "]}");
}

enum attribute { POSITION, NORMAL, TANGENT };

static void say_attribute(buffer *b, const document *d, const moment *at, int node_index, const primitive *p,
                          enum attribute what) {
    static const char *const keys[] = {"positions", "normals", "tangents"};
    const int accessors[] = {p->position, p->normal, p->tangent};
    const int *const targets[] = {p->target_positions, p->target_normals, p->target_tangents};
    if (accessors[what] == NONE) {
        return;
    }
    int count = d->elements[p->position].count, width = what == TANGENT ? 4 : 3;
    double weights[MAX_SMALL] = {0}, *numbers = must_alloc((size_t)count * (size_t)width, sizeof *numbers);
    weights_of(d, at, node_index, weights);
    for (int i = 0; i < count; i++) {
        matrix m = vertex_matrix(d, at, node_index, p, i);
        vec3 v = morphed(d, accessors[what], targets[what], p->target_count, weights, i);
        if (what == POSITION) {
            v = v3_add(turned_by(&m, v), v3(m.m[0][3], m.m[1][3], m.m[2][3]));
        } else {
            v = what == NORMAL ? normal_by(&m, v) : v3_unit(turned_by(&m, v));
        }
        v = at->z_up ? stood_up(v) : v;
        numbers[width * i] = v.x;
        numbers[width * i + 1] = v.y;
        numbers[width * i + 2] = v.z;
        if (what == TANGENT) {
            numbers[width * i + 3] =
                d->elements[p->tangent].values[4 * i + 3] * (determinant(&m) < 0.0 ? -1.0 : 1.0);
        }
    }
    say_json(b, ",'%s':", keys[what]);
    say_numbers(b, count * width, numbers);
    free(numbers);
}

static void say_meshes(buffer *b, const document *d, const moment *at) {
    bool any = false;
    for (int i = 0; i < d->node_count; i++) {
        const node *n = &d->nodes[i];
        for (int k = 0; n->mesh != NONE && k < d->meshes[n->mesh].primitive_count; k++) {
            const primitive *p = &d->meshes[n->mesh].primitives[k];
            say_json(b, "%s{'node':%d,'mesh':%d,'primitive':%d", any ? ",\n" : ",\n \"meshes\":[", i, n->mesh, k);
            say_attribute(b, d, at, i, p, POSITION);
            say_attribute(b, d, at, i, p, NORMAL);
            say_attribute(b, d, at, i, p, TANGENT);
            say(b, "}");
            any = true;
        }
    }
    say(b, any ? "]" : "");
}

static void say_pose(buffer *b, const document *d, const moment *at) {
    say_json(b, "{'clip':");
    say(b, at->clip == NONE ? "null" : "%d", at->clip);
    say_json(b, ",'time':%.9g%s,\n 'nodes':[", at->time, at->z_up ? ",\"up\":\"z\"" : "");
    int count = d->told_nodes ? d->told_node_count : d->node_count;
    for (int i = 0; i < count; i++) {
        say(b, i ? "," : "");
        say_node_pose(b, d, at, d->told_nodes ? d->told_nodes[i] : i);
    }
    say(b, "]");
    for (int i = 0; i < d->skin_count && !d->told_nodes; i++) {
        say_json(b, i ? "," : ",\n 'skins':[");
        say_skin_pose(b, d, at, i);
    }
    say(b, d->skin_count > 0 && !d->told_nodes ? "]" : "");
    say_meshes(b, d, at);
    say(b, "}");
}

void write_expected(const document *d, const char *file, buffer *out) {
    say_json(out, "{'file':'%s'", file);
    for (int i = 0; i < d->clip_count; i++) {
        const clip *c = &d->clips[i];
        say_json(out, "%s{'name':'%s','duration':%.9g}", i ? "," : ",\n\"clips\":[", c->name ? c->name : "",
                 duration_of(d, c));
    }
    say(out, d->clip_count > 0 ? "]" : "");
    put(out, d->expected.data, d->expected.length);
    for (int i = 0; i < d->moment_count; i++) {
        say_json(out, i ? ",\n" : ",\n'poses':[\n");
        say_pose(out, d, &d->moments[i]);
    }
    say(out, d->moment_count > 0 ? "\n]}\n" : "}\n");
}
