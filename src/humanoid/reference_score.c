// SPDX-License-Identifier: MIT
// How far a pose is from a T-pose or an A-pose. Each body part gets a score from 0 to 1, from the cosine of the angle
// to where it should point.
#include "humanoid/reference_score.h"
#include "humanoid/humanoid_name.h"

// ---- The body ------------------------------------------------------------------------------------------------

static const rt_similarity origin = {{0, 0, 0}, {0, 0, 0, 1}, 1};

void sinewi_reference_models(const sinew_pose *pose, rt_similarity *model) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        const int32_t parent = pose->skeleton->parents[i];
        model[i] = rt_child(parent == SINEW_NO_NODE ? &origin : &model[parent], pose, i);
    }
}

void sinewi_reference_place(sinew_pose *pose, const rt_similarity *model, int32_t node, rt_vec position,
                            rt_quat rotation) {
    const int32_t parent = pose->skeleton->parents[node];
    const rt_similarity *above = parent == SINEW_NO_NODE ? &origin : &model[parent];
    const rt_vec local = rt_point_to_local(above, position);
    const rt_quat turn = rt_normalize(rt_multiply(rt_conjugate(above->rotation), rotation));
    pose->tx[node] = (float)local.x, pose->ty[node] = (float)local.y, pose->tz[node] = (float)local.z;
    pose->rx[node] = (float)turn.x, pose->ry[node] = (float)turn.y;
    pose->rz[node] = (float)turn.z, pose->rw[node] = (float)turn.w;
}

reference_body sinewi_reference_read_body(const sinew_humanoid *humanoid, const rt_similarity *model, sinew_up up) {
    reference_body body = {.humanoid = humanoid, .up = rt_up(up)};
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (humanoid->nodes[role] != SINEW_NO_NODE) body.positions[role] = model[humanoid->nodes[role]].position;
    return body;
}

// Position of a node in a pose.
static rt_vec position_in(const sinew_pose *pose, int32_t node) {
    rt_vec position = {0, 0, 0};
    for (; node != SINEW_NO_NODE; node = pose->skeleton->parents[node]) {
        const rt_similarity local = rt_child(&origin, pose, node);
        position = rt_point(&local, position);
    }
    return position;
}

// ---- Directions ----------------------------------------------------------------------------------------------

static bool has_role(const reference_body *b, int32_t role) {
    return b->humanoid->nodes[role] != SINEW_NO_NODE;
}

static rt_vec unit(rt_vec v) {
    const double length = rt_length(v);
    return length > 0.0 ? rt_scale(v, 1.0 / length) : rt_make_vec(0, 0, 0);
}

// The direction from one role to another. 0 if either is absent.
static rt_vec direction(const reference_body *b, int32_t from, int32_t to) {
    if (!has_role(b, from) || !has_role(b, to)) return rt_make_vec(0, 0, 0);
    return unit(rt_subtract(b->positions[to], b->positions[from]));
}

static bool is_absent(rt_vec direction) {
    return !(rt_dot(direction, direction) > 0.0);
}

// The direction from a pair's right role to its left one.
static rt_vec to_left(const reference_body *b, int32_t left) {
    return direction(b, sinewi_humanoid_role_mirror(left), left);
}

// The middle between the upper arms, or the torso's highest joint.
static rt_vec shoulders_of(const reference_body *b) {
    static const int32_t others[] = {SINEW_HUMANOID_NECK, SINEW_HUMANOID_UPPER_CHEST, SINEW_HUMANOID_CHEST,
                                     SINEW_HUMANOID_SPINE, SINEW_HUMANOID_HEAD};
    if (has_role(b, SINEW_HUMANOID_LEFT_UPPER_ARM) && has_role(b, SINEW_HUMANOID_RIGHT_UPPER_ARM))
        return rt_scale(
            rt_add(b->positions[SINEW_HUMANOID_LEFT_UPPER_ARM], b->positions[SINEW_HUMANOID_RIGHT_UPPER_ARM]), 0.5);
    for (int i = 0; i < 5; i++)
        if (has_role(b, others[i])) return b->positions[others[i]];
    return b->positions[SINEW_HUMANOID_HIPS];
}

// The character's left, horizontal.
static rt_vec left_of(const reference_body *b) {
    const rt_vec across =
        rt_add(to_left(b, SINEW_HUMANOID_LEFT_UPPER_LEG), to_left(b, SINEW_HUMANOID_LEFT_UPPER_ARM));
    return unit(rt_reject(across, b->up));
}

rt_vec sinewi_reference_ahead(const reference_body *b) {
    return rt_cross(left_of(b), b->up);
}

rt_vec sinewi_reference_trunk(const reference_body *b) {
    return unit(rt_subtract(shoulders_of(b), b->positions[SINEW_HUMANOID_HIPS]));
}

// ---- The parts -----------------------------------------------------------------------------------------------

typedef struct tally {
    double sum, count, least;
    const char *fault; // of the lowest score
} tally;

static void add_score(tally *t, double score, double least, const char *fault) {
    score = score > least ? score : least; // NaN counts as the least
    t->sum += score;
    t->count += 1.0;
    if (score < t->least) t->least = score, t->fault = fault;
}

// Adds a part by its cosine: scores 1 at a cosine of 1, falling to 0 at `zero_at`.
static void add_part(tally *t, double cosine, double zero_at, const char *fault) {
    add_score(t, (cosine - zero_at) / (1.0 - zero_at), 0.0, fault);
}

static void add_torso(tally *t, const reference_body *b) {
    const rt_vec shoulders = shoulders_of(b);
    add_part(t, rt_dot(sinewi_reference_trunk(b), b->up), 0.64, "the torso is not upright");
    if (has_role(b, SINEW_HUMANOID_HEAD)) {
        const rt_vec neck = unit(rt_subtract(b->positions[SINEW_HUMANOID_HEAD], shoulders));
        add_part(t, rt_dot(neck, b->up), 0.0, "the head is not above the shoulders");
    }
    const rt_vec hips = to_left(b, SINEW_HUMANOID_LEFT_UPPER_LEG), arms = to_left(b, SINEW_HUMANOID_LEFT_UPPER_ARM);
    if (is_absent(hips) || is_absent(arms)) return;
    add_part(t, rt_dot(hips, arms), 0.5, "the shoulders are turned relative to the hips");
    add_part(t, rt_dot(hips, left_of(b)), 0.5, "the hips are not level");
}

static void add_leg(tally *t, const reference_body *b, int32_t upper) {
    static const char fault[] = "the legs do not point down";
    for (int32_t role = upper; role < upper + 2; role++) {
        const rt_vec bone = direction(b, role, role + 1);
        if (!is_absent(bone)) add_part(t, 0.0 - rt_dot(bone, b->up), 0.26, fault);
    }
    const rt_vec foot = direction(b, upper + 2, upper + 3), level = rt_reject(foot, b->up);
    if (rt_dot(level, level) > 0.1)
        add_part(t, rt_dot(unit(level), sinewi_reference_ahead(b)), 0.0, "the feet do not point forward");
}

// An arm may point anywhere from down to slightly above its shoulder, on its own side, in the plane of the body. Arms
// are aligned by direction, so a wrong one only costs its roll.
static void add_arm(tally *t, const reference_body *b, int32_t upper, double side) {
    static const char fault[] = "the arms are not in a T or A pose";
    const double least = 0.3;
    const rt_vec bone = direction(b, upper, upper + 1), fore = direction(b, upper + 1, upper + 2);
    if (is_absent(bone)) return;
    const double ahead = rt_dot(bone, sinewi_reference_ahead(b)), up = rt_dot(bone, b->up),
                 out = side * rt_dot(bone, left_of(b));
    const double beside = sqrt(1.0 - (ahead * ahead < 1.0 ? ahead * ahead : 1.0));
    const double raised = up > 0.26 ? (1.0 - up) / 0.74 : 1.0, own = out > -0.2 ? 1.0 : 0.0;
    add_score(t, 2.0 * beside * raised * own - 1.0, least, fault);
    if (!is_absent(fore)) add_score(t, rt_dot(bone, fore), least, "the elbows are bent");
}

reference_score sinewi_reference_judge(const reference_body *body) {
    tally t = {.least = 1.0, .fault = ""};
    if (has_role(body, SINEW_HUMANOID_HIPS)) add_torso(&t, body);
    add_leg(&t, body, SINEW_HUMANOID_LEFT_UPPER_LEG);
    add_leg(&t, body, SINEW_HUMANOID_RIGHT_UPPER_LEG);
    add_arm(&t, body, SINEW_HUMANOID_LEFT_UPPER_ARM, 1.0);
    add_arm(&t, body, SINEW_HUMANOID_RIGHT_UPPER_ARM, -1.0);
    if (t.count == 0.0) return (reference_score){1.0f, t.fault}; // a lone head, for example: any pose will do
    return (reference_score){(float)(0.5 * (t.sum / t.count + t.least)), t.fault};
}

float sinew_reference_score(const sinew_humanoid *humanoid, const sinew_pose *pose, sinew_up up) {
    reference_body body = {.humanoid = humanoid, .up = rt_up(up)};
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (has_role(&body, role)) body.positions[role] = position_in(pose, humanoid->nodes[role]);
    return sinewi_reference_judge(&body).score;
}

bool sinewi_reference_is_upright(const reference_body *body) {
    return rt_dot(sinewi_reference_trunk(body), body->up) > 0.7;
}
