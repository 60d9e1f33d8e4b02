// SPDX-License-Identifier: MIT
// hero_pose.c - poses of the hero: rotations from the rest pose, two-bone IK for legs and arms, and hands.
#include "hero.h"

pose pose_rest(const rig *r) {
    pose p = {.rig = r, .hips = r->joints[0].rest.t};
    for (int i = 0; i < RIG_JOINTS; i++) {
        p.turns[i] = q_identity();
    }
    return p;
}

void pose_turn(pose *p, const char *name, enum side side, quat turn) {
    int i = rig_find(p->rig, name, side);
    p->turns[i] = q_mul(turn, p->turns[i]);
}

// ---- the trunk ----

static quat sway_turn(sway s, double share) {
    double yaw = s.yaw * share * DEG, roll = s.roll * share * DEG, pitch = s.pitch * share * DEG;
    return q_mul(q_y(yaw), q_mul(q_x(pitch), q_z(roll)));
}

void pose_sway(pose *p, const char *name, sway s) {
    pose_turn(p, name, CENTER, sway_turn(s, 1.0));
}

void pose_bend_back(pose *p, sway s) {
    pose_turn(p, "Spine", CENTER, sway_turn(s, 0.35));
    pose_turn(p, "Chest", CENTER, sway_turn(s, 0.35));
    pose_turn(p, "UpperChest", CENTER, sway_turn(s, 0.30));
}

void pose_bend_neck(pose *p, sway s) {
    pose_turn(p, "Neck", CENTER, sway_turn(s, 0.42));
    pose_turn(p, "Head", CENTER, sway_turn(s, 0.58));
}

// ---- forward ----

/// Transforms from the space of the hero, with its heading, to model space.
static rigid pose_root(const pose *p) {
    return (rigid){q_y(p->facing), {0, 0, 0}};
}

rigid pose_carry(const pose *p, int index) {
    const joint *j = &p->rig->joints[index];
    rigid parent = pose_root(p);
    vec3 at = rigid_point(parent, p->hips);
    if (j->parent >= 0) {
        parent = pose_carry(p, j->parent);
        at = rigid_point(parent, j->rest.t);
    }
    quat r = q_mul(parent.r, p->turns[index]);
    return (rigid){r, v3_sub(at, q_turn(r, j->rest.t))};
}

rigid pose_frame(const pose *p, int index) {
    return rigid_mul(pose_carry(p, index), p->rig->joints[index].rest);
}

quat pose_local_rotation(const pose *p, int index) {
    const joint *j = &p->rig->joints[index];
    quat parent = j->parent < 0 ? q_identity() : p->rig->joints[j->parent].rest.r;
    // The rotation is about the model's axes; the channel has it about the parent's axes.
    return q_unit(q_mul(q_inverse(parent), q_mul(p->turns[index], j->rest.r)));
}

/// Sets a joint's rotation so that its transform from the rest pose has the rotation `carry`.
static void set_carry(pose *p, int index, quat carry) {
    int parent = p->rig->joints[index].parent;
    quat above = parent < 0 ? pose_root(p).r : pose_carry(p, parent).r;
    p->turns[index] = q_unit(q_mul(q_inverse(above), carry));
}

// ---- two bones ----

/// A limb of two bones in the rest pose.
typedef struct limb {
    vec3 root, middle, end;
} limb;

/// The rotations of a limb from `root` that bring its end to `target`, bent towards `pole`.
typedef struct bend {
    quat upper, lower;
    vec3 end; ///< where the end came to lie
    bool reached;
} bend;

/// The frame of a bone: +Y along it, +Z towards the bend of the limb.
static quat bone_frame(vec3 from, vec3 to, vec3 pole) {
    return q_frame(v3_sub(to, from), pole);
}

static bend bend_limb(limb rest, vec3 rest_pole, vec3 root, vec3 target, vec3 pole) {
    double a = v3_distance(rest.root, rest.middle), b = v3_distance(rest.middle, rest.end);
    double longest = (a + b) * 0.999, far = v3_distance(root, target);
    bend result = {.reached = far <= longest};
    double d = clamp(far, fabs(a - b) + 0.01, longest);
    vec3 direction = v3_unit(v3_sub(target, root));
    vec3 side = v3_across(pole, direction);
    double along = (a * a - b * b + d * d) / (2.0 * d);
    double out = sqrt(fmax(a * a - along * along, 0.0));
    vec3 middle = v3_mad(v3_mad(root, direction, along), side, out);
    result.end = v3_mad(root, direction, d);
    result.upper = q_mul(bone_frame(root, middle, side), q_inverse(bone_frame(rest.root, rest.middle, rest_pole)));
    result.lower =
        q_mul(bone_frame(middle, result.end, side), q_inverse(bone_frame(rest.middle, rest.end, rest_pole)));
    return result;
}

// ---- legs ----

/// The ankle position and foot rotation of a footing. The foot rolls over its heel or its ball, which does not move.
static rigid ankle_of(const pose *p, enum side side, footing foot) {
    vec3 ankle = rig_head(p->rig, "Foot", side), ball = rig_head(p->rig, "Toes", side);
    vec3 heel = v3(ankle.x, 0.0, ankle.z - 0.036);
    vec3 pivot = foot.pitch > 0.0 ? heel : ball;
    quat yaw = q_y(foot.yaw), roll = q_mul(yaw, q_x(-foot.pitch));
    vec3 sole = v3(ankle.x, 0.0, ankle.z);
    vec3 pivot_at = v3_add(foot.at, q_turn(yaw, v3_sub(pivot, sole)));
    return (rigid){roll, v3_add(pivot_at, q_turn(roll, v3_sub(ankle, pivot)))};
}

bool pose_leg(pose *p, enum side side, footing foot, double knee_out) {
    int upper = rig_find(p->rig, "UpperLeg", side), lower = rig_find(p->rig, "LowerLeg", side);
    int ankle = rig_find(p->rig, "Foot", side), toes = rig_find(p->rig, "Toes", side);
    const joint *joints = p->rig->joints;
    rigid root = pose_root(p), target = rigid_mul(root, ankle_of(p, side, foot));
    rigid hips = pose_carry(p, 0);
    limb rest = {joints[upper].rest.t, joints[lower].rest.t, joints[ankle].rest.t};
    double out = foot.yaw * 0.6 + knee_out * (double)side;
    vec3 ahead = q_turn(root.r, v3(sin(out), 0, cos(out)));
    bend b = bend_limb(rest, v3(0, 0, 1), rigid_point(hips, rest.root), target.t,
                       v3_unit(v3_add(ahead, q_turn(hips.r, v3(0, 0, 0.5)))));
    set_carry(p, upper, b.upper);
    set_carry(p, lower, b.lower);
    set_carry(p, ankle, target.r);
    // On a raised heel the toes stay flat on the ground.
    // A drooping toe stays out of it.
    double lift = foot.pitch < 0.0 ? -foot.pitch : 0.0, toe = v3_distance(joints[toes].rest.t, joints[toes].tail);
    double droop = fmax(foot.toes, -asin(clamp(0.5 * foot.at.y / toe, 0.0, 1.0)));
    p->turns[toes] = q_x(-lift - droop);
    return b.reached;
}

// ---- arms ----

/// Half of a bone's twist goes to its twist joint, so that the skin turns gradually.
static void share_twist(pose *p, enum side side) {
    const joint *joints = p->rig->joints;
    int upper = rig_find(p->rig, "UpperArm", side), lower = rig_find(p->rig, "LowerArm", side);
    int hand = rig_find(p->rig, "Hand", side);
    vec3 arm = v3_unit(v3_sub(joints[lower].rest.t, joints[upper].rest.t));
    vec3 forearm = v3_unit(v3_sub(joints[hand].rest.t, joints[lower].rest.t));
    quat back = q_inverse(q_twist(p->turns[upper], arm));
    p->turns[rig_find(p->rig, "UpperArmTwist", side)] = q_share(back, 0.6);
    quat ahead = q_twist(p->turns[hand], forearm);
    p->turns[rig_find(p->rig, "LowerArmTwist", side)] = q_share(ahead, 0.6);
}

static rigid grip_rest(const rig *r, enum side side) {
    rigid grip = r->grip;
    if (side == RIGHT) {
        return grip;
    }
    vec3 y = v3_mirror(q_turn(grip.r, v3(0, 1, 0))), z = v3_mirror(q_turn(grip.r, v3(0, 0, 1)));
    return (rigid){q_frame(y, z), v3_mirror(grip.t)};
}

/// Limits the bend of a wrist: beyond it the hand follows the forearm.
static quat ease_wrist(quat hand, quat forearm, vec3 along) {
    const double most = 52.0 * DEG;
    quat bent = q_between(q_turn(hand, along), q_turn(forearm, along));
    double angle = 2.0 * acos(clamp(bent.w, -1.0, 1.0)), over = fmax(angle - 0.6 * most, 0.0);
    double kept = over > 0.0 ? 0.6 * most + 0.4 * most * tanh(over / (0.8 * most)) : angle;
    return angle > 1e-6 ? q_mul(q_share(bent, (angle - kept) / angle), hand) : hand;
}

bool pose_arm(pose *p, enum side side, reach hand) {
    const joint *joints = p->rig->joints;
    int upper = rig_find(p->rig, "UpperArm", side), lower = rig_find(p->rig, "LowerArm", side);
    int wrist = rig_find(p->rig, "Hand", side);
    rigid chest = pose_carry(p, rig_find(p->rig, "UpperChest", CENTER));
    rigid shoulder = pose_carry(p, rig_find(p->rig, "Shoulder", side));
    rigid grip = grip_rest(p->rig, side);
    quat turn = q_mul(q_mul(chest.r, q_frame(hand.blade, hand.knuckle)), q_inverse(grip.r));
    vec3 from_grip = v3_sub(joints[wrist].rest.t, grip.t);
    vec3 target = v3_add(rigid_point(chest, hand.at), q_turn(turn, from_grip));
    limb rest = {joints[upper].rest.t, joints[lower].rest.t, joints[wrist].rest.t};
    // In the rest pose the elbows point back.
    bend b = bend_limb(rest, v3(0, 0, -1), rigid_point(shoulder, rest.root), target, q_turn(chest.r, hand.elbow));
    set_carry(p, upper, b.upper);
    set_carry(p, lower, b.lower);
    vec3 along = v3_unit(v3_sub(joints[wrist].tail, joints[wrist].rest.t));
    set_carry(p, wrist, ease_wrist(turn, b.lower, along));
    share_twist(p, side);
    return b.reached;
}

void pose_hang(pose *p, enum side side, double swing, double lift, double turn, double bend_by, double roll) {
    const joint *joints = p->rig->joints;
    int upper = rig_find(p->rig, "UpperArm", side), lower = rig_find(p->rig, "LowerArm", side);
    int hand = rig_find(p->rig, "Hand", side);
    double s = (double)side;
    vec3 arm = v3_sub(joints[lower].rest.t, joints[upper].rest.t);
    vec3 forearm = v3_unit(v3_sub(joints[hand].rest.t, joints[lower].rest.t));
    double rest_lift = atan2(fabs(arm.x), -arm.y);
    quat down = q_z(-s * (rest_lift - lift * DEG)); // from the A-pose to the side of the body
    quat own = q_axis(arm, s * turn * DEG);
    p->turns[upper] = q_mul(q_x(-swing * DEG), q_mul(down, own));
    // In the A-pose the forearm bends forward about the axis across the arm and the front.
    vec3 hinge = v3_unit(v3_cross(v3_unit(arm), v3(0, 0, 1)));
    p->turns[lower] = q_axis(hinge, bend_by * DEG);
    p->turns[hand] = q_mul(q_axis(forearm, s * roll * DEG), p->turns[hand]);
    share_twist(p, side);
}

// ---- eyes ----

void pose_eyes(pose *p, double yaw, double pitch, double closed) {
    const double shut = 66.0; // from the rest pose of the lids
    for (int s = LEFT; s >= RIGHT; s -= 2) {
        enum side side = (enum side)s;
        p->turns[rig_find(p->rig, "Eye", side)] = q_mul(q_y(yaw * DEG), q_x(-pitch * DEG));
        double lid = mix(-0.6 * pitch, shut, closed);
        p->turns[rig_find(p->rig, "Lid", side)] = q_x(lid * DEG);
    }
}

// ---- hands ----

/// The axis about which a finger of this hand curls towards the palm.
static vec3 curl_axis(const pose *p, enum side side) {
    palm h = rig_palm(p->rig, side);
    return v3_cross(h.along, v3_mul(h.back, -1.0));
}

static void turn_finger(pose *p, enum side side, int finger, const double degrees[3], double spread) {
    static const char *const format[FINGERS][3] = {{"Thumb1", "Thumb2", "Thumb3"},
                                                   {"Index1", "Index2", "Index3"},
                                                   {"Middle1", "Middle2", "Middle3"},
                                                   {"Ring1", "Ring2", "Ring3"},
                                                   {"Pinky1", "Pinky2", "Pinky3"}};
    palm h = rig_palm(p->rig, side);
    vec3 axis = curl_axis(p, side);
    for (int i = 0; i < 3; i++) {
        quat turn = q_axis(axis, degrees[i] * DEG);
        if (i == 0) {
            turn = q_mul(turn, q_axis(h.back, spread * DEG * (double)side));
        }
        p->turns[rig_find(p->rig, format[finger][i], side)] = turn;
    }
}

void pose_fingers(pose *p, enum side side, double curl, double spread) {
    for (int i = 1; i < FINGERS; i++) {
        double more = 1.0 + 0.12 * (i - 1);
        const double degrees[3] = {curl * 62.0 * more, curl * 78.0 * more, curl * 50.0};
        turn_finger(p, side, i, degrees, spread * (2.2 - i));
    }
}

/// Aligns the bones of the thumb with directions of the palm: along, thumb, back.
static void lay_thumb(pose *p, enum side side, const vec3 ways[3]) {
    static const char *const names[3] = {"Thumb1", "Thumb2", "Thumb3"};
    palm h = rig_palm(p->rig, side);
    quat above = q_identity();
    for (int i = 0; i < 3; i++) {
        int index = rig_find(p->rig, names[i], side);
        const joint *j = &p->rig->joints[index];
        vec3 was = v3_unit(v3_sub(j->tail, j->rest.t));
        vec3 direction = palm_direction(&h, ways[i]);
        quat turn = q_between(was, v3_unit(direction));
        p->turns[index] = q_mul(q_inverse(above), turn);
        above = turn;
    }
}

/// A fist around a grip: the fingers curl around it, with the thumb over them.
void pose_fist(pose *p, enum side side) {
    static const double curl[FINGERS][3] = {{0, 0, 0}, {56, 84, 66}, {63, 86, 64}, {68, 88, 62}, {74, 88, 60}};
    static const double close[FINGERS] = {0, -6, -1, 4, 9};
    static const vec3 thumb[3] = {{0.66, 0.34, -0.67}, {0.70, -0.12, -0.70}, {0.78, -0.60, -0.10}};
    for (int i = 1; i < FINGERS; i++) {
        turn_finger(p, side, i, curl[i], close[i]);
    }
    lay_thumb(p, side, thumb);
}
