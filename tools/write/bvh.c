// SPDX-License-Identifier: MIT
// Writes the hierarchy from the rest pose, and the motion from sampled poses.
//
// BVH has no rest rotations. If G is a node's rest rotation in model space and R its animated local rotation, the local
// rotation to write is G(parent) R G⁻¹. It's the identity in the rest pose, and joints keep their positions.
// Translations are turned and scaled by the parent's rest matrix.
#include "write/bvh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 1000000
#define MAX_INDENT 32

typedef struct bvh_writer {
    const sinew_clip *clip;
    const sinew_skeleton *skeleton;
    const write_bvh_def *def;
    lint_text *out;
    sinew_pose *pose;
    sinew_affine *rest; // [node_count]; model matrices in the rest pose
    sinew_quat *turns;  // [node_count]; model-space rotations in the rest pose
    bool *moves;        // [node_count]: the node has position channels
} bvh_writer;

static bool is_leaf(const sinew_skeleton *skeleton, int32_t node) {
    return skeleton->subtree_ends[node] == node + 1;
}

// Returns whether a node is a leaf named like an end site, and its parent's only child.
static bool is_end_site(const bvh_writer *w, int32_t node) {
    const sinew_skeleton *skeleton = w->skeleton;
    const int32_t parent = skeleton->parents[node];
    if (parent == SINEW_NO_NODE || !is_leaf(skeleton, node) || skeleton->subtree_ends[parent] != node + 1)
        return false;
    if (node != parent + 1 || w->moves[node]) return false;
    const size_t length = strlen(skeleton->names[parent]);
    const char *name = skeleton->names[node];
    return strncmp(name, skeleton->names[parent], length) == 0 && strcmp(name + length, "_end") == 0;
}

// ---- The hierarchy -----------------------------------------------------------------------------------------------

static void indent(const bvh_writer *w, int depth) {
    for (int i = 0; i < depth && i < MAX_INDENT; i++) lint_append(w->out, "  ", 2);
}

// Appends a name without line ends and braces, because those would end it.
static void append_name(const bvh_writer *w, const char *name) {
    for (; *name; name++) lint_append(w->out, (unsigned char)*name < 0x20 || strchr("{}", *name) ? "_" : name, 1);
}

static void append_offset(const bvh_writer *w, int32_t node, int depth) {
    const int32_t parent = w->skeleton->parents[node];
    indent(w, depth);
    lint_append_format(w->out, "OFFSET");
    for (int i = 0; i < 3; i++) {
        double offset = (double)w->rest[node].m[i][3];
        if (parent != SINEW_NO_NODE) offset -= (double)w->rest[parent].m[i][3];
        lint_append_format(w->out, " %.6f", w->def->units * offset);
    }
    lint_append(w->out, "\n", 1);
}

// Puts each part on its own line, because some readers expect that.
static void append_end_site(const bvh_writer *w, int depth) {
    static const char *const lines[] = {"End Site", "{", "  OFFSET 0 0 0", "}"};
    for (int i = 0; i < 4; i++) {
        indent(w, depth);
        lint_append_format(w->out, "%s\n", lines[i]);
    }
}

static void open_node(const bvh_writer *w, int32_t node, int depth) {
    const bool is_root = w->skeleton->parents[node] == SINEW_NO_NODE;
    indent(w, depth);
    if (is_end_site(w, node)) {
        lint_append_format(w->out, "End Site");
    } else {
        lint_append_format(w->out, is_root ? "ROOT " : "JOINT ");
        append_name(w, w->skeleton->names[node]);
    }
    lint_append(w->out, "\n", 1);
    indent(w, depth);
    lint_append(w->out, "{\n", 2);
    append_offset(w, node, depth + 1);
    if (is_end_site(w, node)) return;
    indent(w, depth + 1);
    lint_append_format(w->out, w->moves[node]
                                   ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                                   : "CHANNELS 3 Zrotation Xrotation Yrotation\n");
    if (!is_leaf(w->skeleton, node)) return;
    append_end_site(w, depth + 1); // every chain ends with one
}

static void append_hierarchy(const bvh_writer *w) {
    int depth = 0;
    lint_append_format(w->out, "HIERARCHY\n");
    for (int32_t i = 0; i < w->skeleton->node_count; i++) {
        open_node(w, i, depth++);
        for (int32_t p = i; p != SINEW_NO_NODE && w->skeleton->subtree_ends[p] == i + 1;
             p = w->skeleton->parents[p]) {
            indent(w, --depth);
            lint_append(w->out, "}\n", 2);
        }
    }
}

// ---- The motion --------------------------------------------------------------------------------------------------

// Appends the angles of a rotation Z × X × Y in degrees. With X at ±90 degrees, only the sum of the others is defined,
// so Y is 0.
static void append_angles(const bvh_writer *w, sinew_quat q) {
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, n = (double)q.w, degrees = 57.29577951308232;
    const double m00 = 1 - 2 * (y * y + z * z), m01 = 2 * (x * y - z * n), m10 = 2 * (x * y + z * n);
    const double m11 = 1 - 2 * (x * x + z * z), m20 = 2 * (x * z - y * n), m21 = 2 * (y * z + x * n);
    const double m22 = 1 - 2 * (x * x + y * y), cosine = hypot(m20, m22);
    const bool locked = cosine < 1e-7;
    const double about_z = locked ? atan2(m10, m00) : atan2(-m01, m11);
    const double about_y = locked ? 0.0 : atan2(-m20, m22);
    lint_append_format(w->out, " %.6f %.6f %.6f", degrees * about_z, degrees * atan2(m21, cosine),
                       degrees * about_y);
}

static void append_position(const bvh_writer *w, int32_t node, sinew_vec3 t) {
    const int32_t parent = w->skeleton->parents[node];
    const double local[3] = {(double)t.x, (double)t.y, (double)t.z};
    for (int row = 0; row < 3; row++) {
        double position = local[row];
        if (parent != SINEW_NO_NODE) {
            const float *m = w->rest[parent].m[row];
            position = (double)m[0] * local[0] + (double)m[1] * local[1] + (double)m[2] * local[2];
        }
        lint_append_format(w->out, " %.6f", w->def->units * position);
    }
}

static void append_frame(const bvh_writer *w, float time) {
    sinew_clip_sample(w->clip, time, w->pose);
    for (int32_t i = 0; i < w->skeleton->node_count; i++) {
        if (is_end_site(w, i)) continue;
        const int32_t parent = w->skeleton->parents[i];
        const sinew_transform t = sinew_pose_get(w->pose, i);
        sinew_quat q = sinew_quat_multiply(t.rotation, sinew_quat_conjugate(w->turns[i]));
        if (parent != SINEW_NO_NODE) q = sinew_quat_multiply(w->turns[parent], q);
        if (w->moves[i]) append_position(w, i, t.translation);
        append_angles(w, sinew_quat_normalize(q));
    }
    lint_append(w->out, "\n", 1);
}

// Returns the keys per second of the timeline with the most keys, or 30 without keys.
static double find_rate(const bvh_writer *w) {
    if (w->def->rate > 0.0) return w->def->rate;
    const sinew_timeline *most = NULL;
    for (int32_t i = 0; i < w->clip->timeline_count; i++) {
        if (!most || w->clip->timelines[i].key_count > most->key_count) most = &w->clip->timelines[i];
    }
    if (!most || most->key_count < 2) return 30.0;
    const double span =
        (double)sinew_timeline_time(most, most->key_count - 1) - (double)sinew_timeline_time(most, 0);
    return (double)(most->key_count - 1) / span;
}

static bool append_motion(const bvh_writer *w) {
    const double steps = floor((double)w->clip->duration * find_rate(w) + 0.5);
    if (!(steps < MAX_FRAMES)) return false;
    const int frames = (int)steps + 1;
    const double frame_time = frames > 1 ? (double)w->clip->duration / steps : 1.0 / find_rate(w);
    lint_append_format(w->out, "MOTION\nFrames: %d\nFrame Time: %.9g\n", frames, frame_time);
    for (int i = 0; i < frames && !w->out->failed; i++) append_frame(w, (float)((double)i * frame_time));
    return !w->out->failed;
}

// ---- The file ----------------------------------------------------------------------------------------------------

// Returns whether a constant translation equals the rest pose's.
static bool rests(const bvh_writer *w, const sinew_channel *channel, int32_t index) {
    float value[9] = {0};
    if (channel->timeline >= 0) return false;
    sinew_clip_channel_keys(w->clip, index, NULL, value);
    const float *t = value + (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 0);
    const sinew_vec3 rest = w->skeleton->rest[channel->node].translation;
    return t[0] == rest.x && t[1] == rest.y && t[2] == rest.z;
}

static bool prepare(bvh_writer *w) {
    const size_t count = (size_t)w->skeleton->node_count + 1;
    w->rest = malloc(count * sizeof *w->rest);
    w->turns = malloc(count * sizeof *w->turns);
    w->moves = calloc(count, sizeof *w->moves);
    if (!w->rest || !w->turns || !w->moves || sinew_pose_create(w->skeleton, NULL, &w->pose) != SINEW_OK)
        return false;
    sinew_pose_to_model(w->pose, w->rest);
    for (int32_t i = 0; i < w->clip->channel_count; i++) {
        const sinew_channel *channel = &w->clip->channels[i];
        if (channel->target == SINEW_TARGET_TRANSLATION && !rests(w, channel, i)) w->moves[channel->node] = true;
    }
    for (int32_t i = 0; i < w->skeleton->node_count; i++) {
        const int32_t parent = w->skeleton->parents[i];
        const sinew_quat own = w->skeleton->rest[i].rotation;
        w->moves[i] |= parent == SINEW_NO_NODE;
        w->turns[i] =
            parent == SINEW_NO_NODE ? own : sinew_quat_normalize(sinew_quat_multiply(w->turns[parent], own));
    }
    return true;
}

bool write_bvh(const sinew_clip *clip, const write_bvh_def *def, lint_text *out) {
    bvh_writer w = {.clip = clip, .skeleton = clip->skeleton, .def = def, .out = out};
    bool good = prepare(&w);
    if (good) {
        append_hierarchy(&w);
        good = append_motion(&w);
    }
    sinew_pose_destroy(w.pose);
    free(w.rest);
    free(w.turns);
    free(w.moves);
    return good;
}
