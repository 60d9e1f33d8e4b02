// SPDX-License-Identifier: MIT
// hero_trail.c - simulated chains: the ponytail and the end of the scarf. Each chain is a string of masses with
// springs to its rest shape, gravity, and wind of the ground speed. A loop is simulated for several cycles, until the
// chains repeat too.
#include "hero.h"

enum { LINKS = 3, STEPS = 8, WARM_LOOPS = 4, WARM_FRAMES = 60 };

typedef struct chain {
    const char *names[LINKS];
    double stiffness; ///< 1/s^2: pull towards the shape at rest
    double damping;   ///< 1/s
    double weight;    ///< m/s^2, down
    double drag;      ///< 1/s: how much of the wind it takes
    double limit;     ///< degrees that a link bends away from its rest shape at most
} chain;

static const chain chains[] = {
    {{"Hair1", "Hair2", "Hair3"}, 330.0, 24.0, 3.5, 9.0, 44.0},
    {{"Scarf1", "Scarf2", "Scarf3"}, 70.0, 14.0, 9.0, 14.0, 62.0},
};

enum { CHAINS = sizeof chains / sizeof *chains };

/// The masses at the ends of a chain's joints, in model space.
typedef struct string {
    vec3 at[LINKS], speed[LINKS];
    bool begun;
} string;

/// Keeps the chains out of the back: a mass stays behind its rest position in the space of the chest.
static vec3 keep_behind(const pose *p, vec3 rest_tail, vec3 at) {
    rigid chest = pose_carry(p, rig_find(p->rig, "UpperChest", CENTER));
    vec3 local = rigid_point(rigid_inverse(chest), at);
    local.z = fmin(local.z, rest_tail.z + 0.015);
    return rigid_point(chest, local);
}

static void begin_string(string *s, const pose *p, const chain *c) {
    for (int i = 0; i < LINKS; i++) {
        int index = rig_find(p->rig, c->names[i], CENTER);
        s->at[i] = rigid_point(pose_carry(p, index), p->rig->joints[index].tail);
        s->speed[i] = v3(0, 0, 0);
    }
    s->begun = true;
}

/// Simulates one time step of a chain, and sets its rotations in `p` from the root to the end.
static void step_string(string *s, pose *p, const chain *c, vec3 velocity, double dt) {
    for (int i = 0; i < LINKS; i++) {
        int index = rig_find(p->rig, c->names[i], CENTER);
        const joint *j = &p->rig->joints[index];
        p->turns[index] = q_identity();
        rigid carry = pose_carry(p, index);
        vec3 head = rigid_point(carry, j->rest.t), home = rigid_point(carry, j->tail);

        vec3 force = v3_mul(v3_sub(home, s->at[i]), c->stiffness);
        force = v3_mad(force, s->speed[i], -c->damping);
        force = v3_add(force, v3(-c->drag * velocity.x, -c->weight, -c->drag * velocity.z));
        s->speed[i] = v3_mad(s->speed[i], force, dt);
        vec3 moved = keep_behind(p, j->tail, v3_mad(s->at[i], s->speed[i], dt));

        vec3 rest_way = v3_unit(v3_sub(home, head)), way = v3_unit(v3_sub(moved, head));
        quat turn = q_between(rest_way, way);
        double angle = 2.0 * acos(clamp(turn.w, -1.0, 1.0));
        if (angle > c->limit * DEG) {
            turn = q_share(turn, c->limit * DEG / angle);
            way = q_turn(turn, rest_way);
        }
        // The bone keeps its length.
        moved = v3_mad(head, way, v3_distance(j->rest.t, j->tail));
        s->speed[i] = v3_mul(v3_sub(moved, s->at[i]), 1.0 / dt);
        s->at[i] = moved;
        p->turns[index] = q_mul(q_mul(q_inverse(carry.r), turn), carry.r);
    }
}

static pose between(const pose *a, const pose *b, double t) {
    pose p = *a;
    p.hips = v3_lerp(a->hips, b->hips, t);
    p.facing = mix(a->facing, b->facing, t);
    for (int i = 0; i < p.rig->count; i++) {
        p.turns[i] = q_slerp(a->turns[i], b->turns[i], t);
    }
    return p;
}

/// Simulates all chains from one frame to the next, with the result in `to`.
static void step_frame(string strings[CHAINS], const pose *from, pose *to, vec3 velocity, double dt) {
    for (int c = 0; c < CHAINS; c++) {
        if (!strings[c].begun) {
            begin_string(&strings[c], from, &chains[c]);
        }
    }
    for (int k = 1; k <= STEPS; k++) {
        pose p = between(from, to, (double)k / STEPS);
        for (int c = 0; c < CHAINS; c++) {
            step_string(&strings[c], &p, &chains[c], velocity, dt / STEPS);
        }
        if (k == STEPS) {
            *to = p;
        }
    }
}

/// Returns the chains at the end of a one-shot to their shape at its start, so that it can be followed by itself and
/// by any clip with the same stance.
static void come_back(pose *frames, int last) {
    for (int i = 1; i <= last; i++) {
        double t = smooth(((double)i / last - 0.62) / 0.38);
        for (int k = 0; k < CHAINS * LINKS; k++) {
            int index = rig_find(frames[i].rig, chains[k / LINKS].names[k % LINKS], CENTER);
            frames[i].turns[index] = q_slerp(frames[i].turns[index], frames[0].turns[index], t);
        }
    }
}

void hero_trail(pose *frames, int count, bool loops, vec3 velocity, double dt) {
    string strings[CHAINS] = {0};
    for (int i = 0; i < WARM_FRAMES; i++) { // settle
        pose first = frames[0];
        step_frame(strings, &frames[0], &first, velocity, dt);
    }
    int last = count - 1;
    for (int i = 0; loops && i < WARM_LOOPS * last; i++) {
        pose next = frames[(i + 1) % last];
        step_frame(strings, &frames[i % last], &next, velocity, dt);
    }
    pose still = frames[0];
    step_frame(strings, &frames[loops ? last - 1 : 0], &still, velocity, dt);
    frames[0] = still;
    for (int i = 1; i < count; i++) {
        step_frame(strings, &frames[i - 1], &frames[i], velocity, dt);
    }
    if (loops) {
        frames[last] = frames[0];
    } else {
        come_back(frames, last);
    }
}
