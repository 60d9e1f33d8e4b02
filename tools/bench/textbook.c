// SPDX-License-Identifier: MIT
// The method in tutorials: keys per bone, a search per list, slerp with the C library, and 4x4 products throughout.
#include "bench/textbook.h"

#include "bench/memory.h"

#include <math.h>
#include <string.h>

// ---- Vectors, quaternions, matrices ----------------------------------------------------------------------------

static sinew_vec3 lerp(sinew_vec3 a, sinew_vec3 b, float t) {
    return (sinew_vec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static sinew_vec3 normalize(sinew_vec3 v) {
    float scale = 1.0f / sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    return (sinew_vec3){v.x * scale, v.y * scale, v.z * scale};
}

static sinew_quat weigh(sinew_quat a, float wa, sinew_quat b, float wb) {
    return (sinew_quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
}

static sinew_quat slerp(sinew_quat a, sinew_quat b, float t) {
    float cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (cosine < 0.0f) {
        b = (sinew_quat){-b.x, -b.y, -b.z, -b.w};
        cosine = -cosine;
    }
    if (cosine > 0.9995f) { // nearly equal: the division below would cancel all digits
        sinew_quat q = weigh(a, 1.0f - t, b, t);
        float scale = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
        return (sinew_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    }
    float angle = acosf(cosine);
    float sine = sinf(angle);
    return weigh(a, sinf((1.0f - t) * angle) / sine, b, sinf(t * angle) / sine);
}

static sinew_mat4 multiply(const sinew_mat4 *a, const sinew_mat4 *b) {
    sinew_mat4 out;
    for (size_t column = 0; column < 4; column++) {
        const float *factors = &b->m[4 * column];
        for (size_t row = 0; row < 4; row++) {
            out.m[4 * column + row] = a->m[row] * factors[0] + a->m[4 + row] * factors[1] +
                                      a->m[8 + row] * factors[2] + a->m[12 + row] * factors[3];
        }
    }
    return out;
}

static sinew_mat4 translation_matrix(sinew_vec3 t) {
    return (sinew_mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, t.x, t.y, t.z, 1}};
}

static sinew_mat4 rotation_matrix(sinew_quat q) {
    float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (sinew_mat4){{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy), 0, 2 * (xy - wz), 1 - 2 * (xx + zz),
                         2 * (yz + wx), 0, 2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy), 0, 0, 0, 0, 1}};
}

static sinew_mat4 scale_matrix(sinew_vec3 s) {
    return (sinew_mat4){{s.x, 0, 0, 0, 0, s.y, 0, 0, 0, 0, s.z, 0, 0, 0, 0, 1}};
}

static sinew_mat4 local_matrix(const sinew_transform *transform) {
    sinew_mat4 t = translation_matrix(transform->translation);
    sinew_mat4 r = rotation_matrix(transform->rotation);
    sinew_mat4 s = scale_matrix(transform->scale);
    sinew_mat4 rs = multiply(&r, &s);
    return multiply(&t, &rs);
}

// ---- Keys ----------------------------------------------------------------------------------------------------

// Where a time is between keys: `t` goes from key `index` to the next one.
typedef struct key_span {
    int32_t index;
    float t;
} key_span;

static key_span find_vector(const textbook_vector_key *keys, int32_t count, float time) {
    int32_t low = 0, high = count - 1;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (key_span){low, (time - keys[low].time) / (keys[low + 1].time - keys[low].time)};
}

static key_span find_rotation(const textbook_rotation_key *keys, int32_t count, float time) {
    int32_t low = 0, high = count - 1;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (keys[middle].time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (key_span){low, (time - keys[low].time) / (keys[low + 1].time - keys[low].time)};
}

static sinew_vec3 vector_at(const textbook_vector_key *keys, int32_t count, float time, sinew_vec3 rest) {
    if (count == 0) return rest;
    if (count == 1 || time <= keys[0].time) return keys[0].value;
    if (time >= keys[count - 1].time) return keys[count - 1].value;
    key_span at = find_vector(keys, count, time);
    return lerp(keys[at.index].value, keys[at.index + 1].value, at.t);
}

static sinew_quat rotation_at(const textbook_rotation_key *keys, int32_t count, float time, sinew_quat rest) {
    if (count == 0) return rest;
    if (count == 1 || time <= keys[0].time) return keys[0].value;
    if (time >= keys[count - 1].time) return keys[count - 1].value;
    key_span at = find_rotation(keys, count, time);
    return slerp(keys[at.index].value, keys[at.index + 1].value, at.t);
}

// ---- A frame -------------------------------------------------------------------------------------------------

void textbook_advance(textbook_action *action, float dt) {
    if (!action->paused) {
        action->time = fmodf(action->time + action->speed * dt, action->clip->duration);
        if (action->time < 0.0f) action->time += action->clip->duration;
    }
    if (action->fade_duration <= 0.0f) return;
    action->fade_elapsed += dt;
    float done = action->fade_elapsed / action->fade_duration;
    if (done >= 1.0f) done = 1.0f;
    action->weight = action->fade_from + (action->fade_to - action->fade_from) * done;
    if (done >= 1.0f) action->fade_duration = 0.0f;
}

void textbook_sample(const textbook_skeleton *skeleton, const textbook_clip *clip, float time,
                     sinew_transform *pose) {
    for (int32_t i = 0; i < clip->bone_count; i++) {
        const textbook_track *track = &clip->tracks[i];
        const sinew_transform *rest = &skeleton->rest[i];
        pose[i].translation = vector_at(track->positions, track->position_count, time, rest->translation);
        pose[i].rotation = rotation_at(track->rotations, track->rotation_count, time, rest->rotation);
        pose[i].scale = vector_at(track->scales, track->scale_count, time, rest->scale);
    }
}

void textbook_blend(const sinew_transform *a, const sinew_transform *b, float t, int32_t count,
                    sinew_transform *out) {
    for (int32_t i = 0; i < count; i++) {
        out[i].translation = lerp(a[i].translation, b[i].translation, t);
        out[i].rotation = slerp(a[i].rotation, b[i].rotation, t);
        out[i].scale = lerp(a[i].scale, b[i].scale, t);
    }
}

void textbook_world_matrices(const textbook_skeleton *skeleton, const sinew_transform *pose, sinew_mat4 *world) {
    for (int32_t i = 0; i < skeleton->bone_count; i++) {
        sinew_mat4 local = local_matrix(&pose[i]);
        int32_t parent = skeleton->parents[i];
        world[i] = parent < 0 ? local : multiply(&world[parent], &local);
    }
}

void textbook_palette(const textbook_skeleton *skeleton, const sinew_mat4 *world, sinew_mat4 *palette) {
    for (int32_t i = 0; i < skeleton->joint_count; i++) {
        palette[i] = multiply(&world[skeleton->joints[i]], &skeleton->inverse_binds[i]);
    }
}

// ---- Vertices ------------------------------------------------------------------------------------------------

static sinew_mat4 blend_matrices(const textbook_mesh *mesh, const sinew_mat4 *palette, size_t vertex) {
    sinew_mat4 sum = {{0}};
    size_t first = vertex * (size_t)mesh->influences;
    for (size_t i = first; i < first + (size_t)mesh->influences; i++) {
        int joint = mesh->joints ? mesh->joints[i] : mesh->byte_joints[i];
        float weight = mesh->joints ? mesh->weights[i] : (float)mesh->byte_weights[i] / 255.0f;
        for (int e = 0; e < 16; e++) sum.m[e] += weight * palette[joint].m[e];
    }
    return sum;
}

static sinew_vec3 transform(const sinew_mat4 *m, const float *v, float w) {
    return (sinew_vec3){m->m[0] * v[0] + m->m[4] * v[1] + m->m[8] * v[2] + m->m[12] * w,
                        m->m[1] * v[0] + m->m[5] * v[1] + m->m[9] * v[2] + m->m[13] * w,
                        m->m[2] * v[0] + m->m[6] * v[1] + m->m[10] * v[2] + m->m[14] * w};
}

static void store(float *to, sinew_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

void textbook_skin_vertices(const textbook_mesh *mesh, const sinew_mat4 *palette, int32_t first, int32_t count) {
    for (size_t i = (size_t)first; i < (size_t)first + (size_t)count; i++) {
        sinew_mat4 m = blend_matrices(mesh, palette, i);
        size_t from = i * mesh->stride, to = i * mesh->out_stride;
        store(mesh->out_positions + to, transform(&m, mesh->positions + from, 1.0f));
        if (mesh->normals) store(mesh->out_normals + to, normalize(transform(&m, mesh->normals + from, 0.0f)));
        if (!mesh->tangents) continue;
        const float *tangent = mesh->tangents + i * mesh->tangent_stride;
        float *out = mesh->out_tangents + i * mesh->out_tangent_stride;
        store(out, normalize(transform(&m, tangent, 0.0f)));
        out[3] = tangent[3];
    }
}

// ---- Copies of Sinew's objects ---------------------------------------------------------------------------------

textbook_skeleton *textbook_skeleton_create(const sinew_skin *skin) {
    const sinew_skeleton *from = skin->skeleton;
    size_t bones = (size_t)from->node_count, joints = (size_t)skin->joint_count;
    textbook_skeleton *skeleton = bench_allocate(1, sizeof *skeleton);
    *skeleton = (textbook_skeleton){
        .bone_count = from->node_count,
        .parents = bench_allocate(bones, sizeof *skeleton->parents),
        .rest = bench_allocate(bones, sizeof *skeleton->rest),
        .joint_count = skin->joint_count,
        .joints = bench_allocate(joints, sizeof *skeleton->joints),
        .inverse_binds = bench_allocate(joints, sizeof *skeleton->inverse_binds),
    };
    memcpy(skeleton->parents, from->parents, bones * sizeof *skeleton->parents);
    memcpy(skeleton->rest, from->rest, bones * sizeof *skeleton->rest);
    memcpy(skeleton->joints, skin->joints, joints * sizeof *skeleton->joints);
    for (size_t i = 0; i < joints; i++) {
        skeleton->inverse_binds[i] = sinew_mat4_from_affine(skin->inverse_binds[i]);
    }
    return skeleton;
}

void textbook_skeleton_destroy(textbook_skeleton *skeleton) {
    if (!skeleton) return;
    bench_release(skeleton->parents);
    bench_release(skeleton->rest);
    bench_release(skeleton->joints);
    bench_release(skeleton->inverse_binds);
    bench_release(skeleton);
}

static textbook_vector_key *copy_vectors(const sinew_channel_def *channel) {
    textbook_vector_key *keys = bench_allocate((size_t)channel->key_count, sizeof *keys);
    for (int32_t i = 0; i < channel->key_count; i++) {
        const float *v = channel->values + (ptrdiff_t)3 * i;
        keys[i] = (textbook_vector_key){channel->times[i], {v[0], v[1], v[2]}};
    }
    return keys;
}

static textbook_rotation_key *copy_rotations(const sinew_channel_def *channel) {
    textbook_rotation_key *keys = bench_allocate((size_t)channel->key_count, sizeof *keys);
    for (int32_t i = 0; i < channel->key_count; i++) {
        const float *q = channel->values + (ptrdiff_t)4 * i;
        keys[i] = (textbook_rotation_key){channel->times[i], {q[0], q[1], q[2], q[3]}};
    }
    return keys;
}

static size_t copy_channel(const sinew_channel_def *channel, textbook_track *track) {
    size_t count = (size_t)channel->key_count;
    switch (channel->target) {
    case SINEW_TARGET_TRANSLATION:
        track->positions = copy_vectors(channel);
        track->position_count = channel->key_count;
        return count * sizeof *track->positions;
    case SINEW_TARGET_ROTATION:
        track->rotations = copy_rotations(channel);
        track->rotation_count = channel->key_count;
        return count * sizeof *track->rotations;
    case SINEW_TARGET_SCALE:
        track->scales = copy_vectors(channel);
        track->scale_count = channel->key_count;
        return count * sizeof *track->scales;
    case SINEW_TARGET_WEIGHTS:
    case SINEW_TARGET_CURVE:
        return 0;
    }
    return 0;
}

textbook_clip *textbook_clip_create(const textbook_skeleton *skeleton, const sinew_channel_def *channels,
                                    int32_t channel_count) {
    textbook_clip *clip = bench_allocate(1, sizeof *clip);
    clip->bone_count = skeleton->bone_count;
    clip->tracks = bench_allocate((size_t)clip->bone_count, sizeof *clip->tracks);
    clip->bytes = sizeof *clip + (size_t)clip->bone_count * sizeof *clip->tracks;
    for (int32_t i = 0; i < channel_count; i++) {
        clip->bytes += copy_channel(&channels[i], &clip->tracks[channels[i].node]);
        float end = channels[i].times[channels[i].key_count - 1];
        if (end > clip->duration) clip->duration = end;
    }
    return clip;
}

void textbook_clip_destroy(textbook_clip *clip) {
    if (!clip) return;
    for (int32_t i = 0; i < clip->bone_count; i++) {
        bench_release(clip->tracks[i].positions);
        bench_release(clip->tracks[i].rotations);
        bench_release(clip->tracks[i].scales);
    }
    bench_release(clip->tracks);
    bench_release(clip);
}
