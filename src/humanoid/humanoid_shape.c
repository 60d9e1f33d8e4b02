// SPDX-License-Identifier: MIT
// Checks a humanoid's roles against the rest pose or other positions. Each check adds findings and lowers confidences,
// as documented at sinew_humanoid_finding_kind. Comparisons are written to fail for NaN.
#include "humanoid/humanoid_shape.h"

#include "base/fail.h"
#include "base/float_rules.h"
#include "core/skeleton_object.h"
#include "humanoid/humanoid_name.h"

#include <stdio.h>
#include <string.h>

// ---- Positions -----------------------------------------------------------------------------------------------

sinew_vec3 sinewi_humanoid_position(const sinew_skeleton *skeleton, const sinew_vec3 *positions, int32_t node) {
    if (positions) return positions[node];
    sinew_vec3 point = {0.0f, 0.0f, 0.0f};
    for (; node != SINEW_NO_NODE; node = skeleton->parents[node])
        point = sinew_affine_point(sinewi_skeleton_rest_local(skeleton, node), point);
    return point;
}

bool sinewi_humanoid_is_below(const sinew_skeleton *skeleton, int32_t node, int32_t ancestor) {
    return node >= ancestor && node < skeleton->subtree_ends[ancestor];
}

// ---- Reports -------------------------------------------------------------------------------------------------

void sinewi_humanoid_report_init(sinew_humanoid_report *report) {
    memset(report, 0, sizeof *report);
    for (int32_t i = 0; i < SINEW_MAX_HUMANOID_FINDINGS; i++)
        report->findings[i].node = report->findings[i].other = SINEW_NO_NODE;
}

void sinewi_humanoid_add_finding(sinew_humanoid_report *report, sinew_humanoid_finding_kind kind,
                                 const sinew_humanoid *humanoid, int32_t role, int32_t other) {
    if (report->finding_count < SINEW_MAX_HUMANOID_FINDINGS) {
        sinew_humanoid_finding *finding = &report->findings[report->finding_count];
        finding->kind = kind;
        finding->role = role;
        finding->node = humanoid->nodes[role];
        finding->other = other;
    }
    report->finding_count++;
}

void sinewi_humanoid_lower(sinew_humanoid_report *report, int32_t role, float factor) {
    report->confidences[role] *= factor;
}

static sinew_vec3 no_vector(void) {
    sinew_vec3 zero = {0.0f, 0.0f, 0.0f};
    return zero;
}

// ---- The checks ----------------------------------------------------------------------------------------------

typedef struct judge {
    const sinew_skeleton *skeleton;
    const sinew_humanoid *humanoid;
    sinew_humanoid_report *report;
    sinew_vec3 up;
    sinew_vec3 left; // horizontal, unit length; zero if the sides aren't known
    float height;    // from a foot to the head; 0 if unknown
    sinew_vec3 positions[SINEW_HUMANOID_ROLE_COUNT];
} judge;

static bool has_role(const judge *j, int32_t role) {
    return j->humanoid->nodes[role] != SINEW_NO_NODE;
}

// The vector from one role's node to another's.
static sinew_vec3 vector_between(const judge *j, int32_t from, int32_t to) {
    return sinew_vec3_subtract(j->positions[to], j->positions[from]);
}

static void find(judge *j, sinew_humanoid_finding_kind kind, int32_t role, int32_t other) {
    sinewi_humanoid_add_finding(j->report, kind, j->humanoid, role, other);
}

static void check_required(judge *j) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (sinew_humanoid_is_required(role) && !has_role(j, role))
            find(j, SINEW_HUMANOID_FINDING_MISSING, role, SINEW_NO_NODE);
}

static void check_chains(judge *j) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        int32_t parent = sinew_humanoid_role_parent(role);
        while (parent != SINEW_NO_ROLE && !has_role(j, parent)) parent = sinew_humanoid_role_parent(parent);
        if (parent == SINEW_NO_ROLE || !has_role(j, role)) continue;
        const int32_t ancestor = j->humanoid->nodes[parent];
        if (sinewi_humanoid_is_below(j->skeleton, j->humanoid->nodes[role], ancestor)) continue;
        find(j, SINEW_HUMANOID_FINDING_DETACHED, role, ancestor);
        sinewi_humanoid_lower(j->report, role, 0.5f);
    }
}

// For a pair, given by its left role: the horizontal vector from right to left. Zero if either node is missing.
static sinew_vec3 vector_to_left(const judge *j, int32_t role) {
    const int32_t mirror = sinewi_humanoid_role_mirror(role);
    if (!has_role(j, role) || !has_role(j, mirror)) return no_vector();
    const sinew_vec3 across = vector_between(j, mirror, role);
    return sinew_vec3_subtract(across, sinew_vec3_scale(j->up, sinew_vec3_dot(across, j->up)));
}

static bool is_left(int32_t role) {
    return role < sinewi_humanoid_role_mirror(role);
}

// Finds left from the legs, or from the arms if there are no legs.
static void find_left(judge *j) {
    static const int32_t legs[] = {SINEW_HUMANOID_LEFT_UPPER_LEG, SINEW_HUMANOID_LEFT_LOWER_LEG,
                                   SINEW_HUMANOID_LEFT_FOOT};
    static const int32_t arms[] = {SINEW_HUMANOID_LEFT_UPPER_ARM, SINEW_HUMANOID_LEFT_LOWER_ARM,
                                   SINEW_HUMANOID_LEFT_HAND};
    sinew_vec3 by_legs = no_vector(), by_arms = no_vector();
    for (int32_t i = 0; i < 3; i++) {
        by_legs = sinew_vec3_add(by_legs, vector_to_left(j, legs[i]));
        by_arms = sinew_vec3_add(by_arms, vector_to_left(j, arms[i]));
    }
    const bool has_legs = sinew_vec3_length(by_legs) > 1e-3f * j->height;
    j->left = sinew_vec3_normalize(has_legs ? by_legs : by_arms);
}

// Each pair must agree with the legs. Pairs that are closer than a thousandth of the height don't count.
static void check_sides(judge *j) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (!is_left(role) || sinew_vec3_dot(vector_to_left(j, role), j->left) >= -1e-3f * j->height) continue;
        find(j, SINEW_HUMANOID_FINDING_SIDE, role, SINEW_NO_NODE);
        sinewi_humanoid_lower(j->report, role, 0.0f);
        sinewi_humanoid_lower(j->report, sinewi_humanoid_role_mirror(role), 0.0f);
    }
}

// Where toes and eyes point, as a length along `forward`. 0 without any.
static float forward_by_features(const judge *j, sinew_vec3 forward) {
    static const int32_t features[][2] = {{SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_LEFT_TOES},
                                          {SINEW_HUMANOID_RIGHT_FOOT, SINEW_HUMANOID_RIGHT_TOES},
                                          {SINEW_HUMANOID_HEAD, SINEW_HUMANOID_LEFT_EYE},
                                          {SINEW_HUMANOID_HEAD, SINEW_HUMANOID_RIGHT_EYE}};
    float sum = 0.0f;
    for (int32_t i = 0; i < 4; i++) {
        if (!has_role(j, features[i][0]) || !has_role(j, features[i][1])) continue;
        sum += sinew_vec3_dot(vector_between(j, features[i][0], features[i][1]), forward);
    }
    return sum;
}

// Up and left determine forward, and the features must agree.
static void check_facing(judge *j) {
    const sinew_vec3 forward = sinew_vec3_cross(j->left, j->up);
    j->report->forward = forward;
    if (!(forward_by_features(j, forward) < -0.01f * j->height)) return;
    find(j, SINEW_HUMANOID_FINDING_SWAPPED, SINEW_HUMANOID_HIPS, SINEW_NO_NODE);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (sinewi_humanoid_role_mirror(role) != role) sinewi_humanoid_lower(j->report, role, 0.0f);
}

// The feet must be below the upper legs and the hips.
static void check_legs(judge *j) {
    for (int32_t side = 0; side < 2; side++) {
        const int32_t first = side == 0 ? SINEW_HUMANOID_LEFT_UPPER_LEG : SINEW_HUMANOID_RIGHT_UPPER_LEG;
        const int32_t foot = first + 2;
        const int32_t upper = has_role(j, first) ? first : SINEW_HUMANOID_HIPS;
        if (!has_role(j, foot) || !has_role(j, upper)) continue;
        bool is_down = sinew_vec3_dot(vector_between(j, upper, foot), j->up) < 0.0f;
        if (has_role(j, SINEW_HUMANOID_HIPS))
            is_down = is_down && sinew_vec3_dot(vector_between(j, SINEW_HUMANOID_HIPS, foot), j->up) < 0.0f;
        if (is_down) continue;
        find(j, SINEW_HUMANOID_FINDING_BELOW, foot, SINEW_NO_NODE);
        for (int32_t role = first; role <= foot; role++) sinewi_humanoid_lower(j->report, role, 0.0f);
    }
}

// Four-legged animals have the names of a humanoid, but a horizontal spine.
static void check_posture(judge *j) {
    if (!has_role(j, SINEW_HUMANOID_HIPS) || !has_role(j, SINEW_HUMANOID_HEAD)) return;
    const sinew_vec3 trunk = vector_between(j, SINEW_HUMANOID_HIPS, SINEW_HUMANOID_HEAD);
    const float rise = sinew_vec3_dot(trunk, j->up);
    if (rise > 0.0f && rise * rise >= 0.5f * sinew_vec3_dot(trunk, trunk)) return;
    find(j, SINEW_HUMANOID_FINDING_LYING, SINEW_HUMANOID_HIPS, SINEW_NO_NODE);
    sinewi_humanoid_lower(j->report, SINEW_HUMANOID_HIPS, 0.0f);
    sinewi_humanoid_lower(j->report, SINEW_HUMANOID_SPINE, 0.0f);
    sinewi_humanoid_lower(j->report, SINEW_HUMANOID_HEAD, 0.0f);
}

// Bones on both sides must have similar lengths above 0.
static void check_lengths(judge *j) {
    static const int32_t ends[] = {SINEW_HUMANOID_LEFT_LOWER_LEG, SINEW_HUMANOID_LEFT_FOOT,
                                   SINEW_HUMANOID_LEFT_LOWER_ARM, SINEW_HUMANOID_LEFT_HAND};
    for (int32_t i = 0; i < 4; i++) {
        const int32_t left = ends[i], left_start = sinew_humanoid_role_parent(left);
        const int32_t right = sinewi_humanoid_role_mirror(left),
                      right_start = sinewi_humanoid_role_mirror(left_start);
        if (!has_role(j, left) || !has_role(j, left_start) || !has_role(j, right) || !has_role(j, right_start))
            continue;
        const float a = sinew_vec3_length(vector_between(j, left_start, left));
        const float b = sinew_vec3_length(vector_between(j, right_start, right));
        if (a > 1e-3f * j->height && b > 1e-3f * j->height && a <= 1.25f * b && b <= 1.25f * a) continue;
        find(j, SINEW_HUMANOID_FINDING_UNEQUAL, left, SINEW_NO_NODE);
        sinewi_humanoid_lower(j->report, left, 0.5f);
        sinewi_humanoid_lower(j->report, right, 0.5f);
    }
}

static float mean_of_required(const sinew_humanoid_report *report) {
    float sum = 0.0f, count = 0.0f;
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (!sinew_humanoid_is_required(role)) continue;
        sum += report->confidences[role];
        count += 1.0f;
    }
    return sum / count;
}

void sinewi_humanoid_judge(const sinew_skeleton *skeleton, const sinew_vec3 *positions, sinew_up up,
                           const sinew_humanoid *humanoid, sinew_humanoid_report *report) {
    judge j;
    memset(&j, 0, sizeof j);
    j.skeleton = skeleton;
    j.humanoid = humanoid;
    j.report = report;
    if (up == SINEW_UP_Z) {
        j.up.z = 1.0f;
    } else {
        j.up.y = 1.0f;
    }
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++)
        if (has_role(&j, role))
            j.positions[role] = sinewi_humanoid_position(skeleton, positions, humanoid->nodes[role]);
    if (has_role(&j, SINEW_HUMANOID_HEAD) && has_role(&j, SINEW_HUMANOID_LEFT_FOOT))
        j.height = sinew_vec3_length(vector_between(&j, SINEW_HUMANOID_LEFT_FOOT, SINEW_HUMANOID_HEAD));
    check_required(&j);
    check_chains(&j);
    find_left(&j);
    check_sides(&j);
    check_facing(&j);
    check_legs(&j);
    check_posture(&j);
    check_lengths(&j);
    report->score = mean_of_required(report);
}

// ---- The public check ----------------------------------------------------------------------------------------

static sinew_result check_nodes(const sinew_skeleton *skeleton, const sinew_humanoid *humanoid,
                                sinew_error *error) {
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        const int32_t node = humanoid->nodes[role];
        if (node < SINEW_NO_NODE || node >= skeleton->node_count)
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "%s: node %d, but the skeleton has %d nodes",
                               sinew_humanoid_role_name(role), (int)node, (int)skeleton->node_count);
        const int32_t first = sinew_humanoid_role_of(humanoid, node);
        if (first != SINEW_NO_ROLE && first != role)
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "%s: node %d is also %s",
                               sinew_humanoid_role_name(role), (int)node, sinew_humanoid_role_name(first));
    }
    return SINEW_OK;
}

sinew_result sinew_humanoid_check(const sinew_skeleton *skeleton, sinew_up up, const sinew_humanoid *humanoid,
                                  sinew_humanoid_report *report, sinew_error *error) {
    const sinew_result result = check_nodes(skeleton, humanoid, error);
    if (result != SINEW_OK) return result;
    sinewi_humanoid_report_init(report);
    for (int32_t role = 0; role < SINEW_HUMANOID_ROLE_COUNT; role++) {
        if (humanoid->nodes[role] == SINEW_NO_NODE) continue;
        report->evidence[role] = SINEW_HUMANOID_EVIDENCE_GIVEN;
        report->confidences[role] = 1.0f;
    }
    sinewi_humanoid_judge(skeleton, NULL, up, humanoid, report);
    return SINEW_OK;
}

// ---- Sentences -----------------------------------------------------------------------------------------------

// A node's name and source index, like "Palm2.L" (#20).
static void describe_node(const sinew_skeleton *skeleton, int32_t node, char *text, size_t size) {
    char name[96];
    if (node == SINEW_NO_NODE) {
        (void)snprintf(text, size, "no node");
        return;
    }
    sinewi_shorten(skeleton->names[node], name, sizeof name);
    (void)snprintf(text, size, "\"%s\" (#%d)", name, (int)skeleton->source_of_node[node]);
}

size_t sinew_humanoid_finding_text(const sinew_skeleton *skeleton, const sinew_humanoid_finding *finding,
                                   char *text, size_t size) {
    char node[128], other[128], sentence[512];
    const char *role = sinew_humanoid_role_name(finding->role);
    const char *mirror = sinew_humanoid_role_name(sinewi_humanoid_role_mirror(finding->role));
    describe_node(skeleton, finding->node, node, sizeof node);
    describe_node(skeleton, finding->other, other, sizeof other);
    sentence[0] = 0;
    switch (finding->kind) {
    case SINEW_HUMANOID_FINDING_MISSING:
        (void)snprintf(sentence, sizeof sentence, "%s is missing", role);
        break;
    case SINEW_HUMANOID_FINDING_AMBIGUOUS:
        (void)snprintf(sentence, sizeof sentence, "%s: using %s, but %s matches just as well", role, node, other);
        break;
    case SINEW_HUMANOID_FINDING_DETACHED:
        (void)snprintf(sentence, sizeof sentence, "%s: %s must be below %s", role, node, other);
        break;
    case SINEW_HUMANOID_FINDING_SIDE:
        (void)snprintf(sentence, sizeof sentence, "%s: %s is on the side of %s", role, node, mirror);
        break;
    case SINEW_HUMANOID_FINDING_SWAPPED:
        (void)snprintf(sentence, sizeof sentence,
                       "left and right are swapped, because toes or eyes point backward");
        break;
    case SINEW_HUMANOID_FINDING_BELOW:
        (void)snprintf(sentence, sizeof sentence, "%s: %s is not below the upper leg and the hips", role, node);
        break;
    case SINEW_HUMANOID_FINDING_LYING:
        (void)snprintf(
            sentence, sizeof sentence,
            "the line from hips to head is more than 45 degrees from up, so this is an animal or not a rest pose");
        break;
    case SINEW_HUMANOID_FINDING_UNEQUAL:
        (void)snprintf(sentence, sizeof sentence,
                       "%s and %s: their bone lengths are 0 or differ by more than a quarter", role, mirror);
        break;
    }
    return sinew_escape(sentence, text, size);
}
