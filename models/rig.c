// SPDX-License-Identifier: MIT
// rig.c - the joints of a character: tables of positions in the rest pose, and the fingers of its hands.
#include "body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const enum side sides[2] = {LEFT, RIGHT};

vec3 sided(enum side side, double x, double y, double z) {
    return v3(x * (double)side, y, z);
}

const char *const finger_names[FINGERS] = {"Thumb", "Index", "Middle", "Ring", "Pinky"};

// ---- joints ----

static int find(const rig *r, const char *name, enum side side) {
    for (int i = 0; i < r->count; i++) {
        if (r->joints[i].side == side && strcmp(r->joints[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int rig_find(const rig *r, const char *name, enum side side) {
    int found = find(r, name, side);
    if (found < 0) {
        fprintf(stderr, "make-models: the rig has no joint %s on side %d\n", name, (int)side);
        exit(1);
    }
    return found;
}

bool rig_has(const rig *r, const char *name, enum side side) {
    return find(r, name, side) >= 0;
}

vec3 rig_head(const rig *r, const char *name, enum side side) {
    return r->joints[rig_find(r, name, side)].rest.t;
}

vec3 rig_tail(const rig *r, const char *name, enum side side) {
    return r->joints[rig_find(r, name, side)].tail;
}

vec3 rig_along(const rig *r, const char *name, enum side side, double t) {
    return v3_lerp(rig_head(r, name, side), rig_tail(r, name, side), t);
}

rigid rig_local(const rig *r, int index) {
    const joint *j = &r->joints[index];
    return j->parent < 0 ? j->rest : rigid_mul(rigid_inverse(r->joints[j->parent].rest), j->rest);
}

static void add_joint(rig *r, const joint_row *row, enum side side) {
    if (r->count == RIG_JOINTS) {
        fprintf(stderr, "make-models: too many joints\n");
        exit(1);
    }
    vec3 head = side == RIGHT ? v3_mirror(row->head) : row->head;
    vec3 tail = side == RIGHT ? v3_mirror(row->tail) : row->tail;
    int parent = -1;
    if (row->parent) { // of the same side, or of none
        parent = find(r, row->parent, side);
        parent = parent < 0 ? rig_find(r, row->parent, CENTER) : parent;
    }
    joint *j = &r->joints[r->count++];
    snprintf(j->name, sizeof j->name, "%s", row->name);
    j->side = side;
    j->parent = parent;
    j->rest = (rigid){q_frame(v3_sub(tail, head), row->front), head};
    j->tail = tail;
    j->skin = (bone){head, tail};
}

void rig_add_rows(rig *r, const joint_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].paired) {
            add_joint(r, &rows[i], CENTER);
            continue;
        }
        add_joint(r, &rows[i], LEFT);
        add_joint(r, &rows[i], RIGHT);
    }
}

// ---- hands ----

palm rig_palm(const rig *r, enum side side) {
    palm p = {.wrist = rig_head(r, "Hand", side)};
    p.along = v3_unit(v3_sub(rig_tail(r, "Hand", side), p.wrist));
    p.thumb = v3_across(v3(0, 0, 1), p.along);
    p.back = v3_mul(v3_cross(p.thumb, p.along), (double)side);
    return p;
}

vec3 palm_direction(const palm *p, vec3 v) {
    return v3_add(v3_mul(p->along, v.x), v3_add(v3_mul(p->thumb, v.y), v3_mul(p->back, v.z)));
}

/// A finger in the directions of the hand: the position of its first joint, its direction, and the lengths of its
/// three bones.
typedef struct finger {
    vec3 root, direction; ///< along, thumb, back
    double lengths[3];
} finger;

static const finger fingers[FINGERS] = {
    {{0.018, 0.026, -0.010}, {0.66, 0.66, -0.34}, {0.042, 0.036, 0.029}},
    {{0.092, 0.034, 0.000}, {0.990, 0.10, -0.14}, {0.040, 0.027, 0.024}},
    {{0.096, 0.011, 0.003}, {0.988, 0.01, -0.15}, {0.045, 0.030, 0.025}},
    {{0.092, -0.012, 0.000}, {0.984, -0.07, -0.16}, {0.041, 0.028, 0.024}},
    {{0.083, -0.033, -0.006}, {0.972, -0.16, -0.17}, {0.032, 0.022, 0.021}},
};

/// The bones of a relaxed finger curl slightly, each by `bend` more than the previous one.
static void add_finger(rig *r, enum side side, int index) {
    const finger *f = &fingers[index];
    palm p = rig_palm(r, side);
    bool thumb = index == 0;
    vec3 at = v3_add(p.wrist, v3_mul(palm_direction(&p, f->root), r->hand_size));
    vec3 direction = v3_unit(palm_direction(&p, f->direction));
    vec3 out = thumb ? v3_unit(palm_direction(&p, v3(-0.45, 0.75, 0.5))) : p.back;
    vec3 hinge = v3_unit(v3_cross(direction, v3_across(out, direction)));
    double bend = (thumb ? -9.0 : -11.0) * DEG;
    for (int i = 0; i < 3; i++) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "%s%d", finger_names[index], i + 1);
        snprintf(parent, sizeof parent, "%s%d", finger_names[index], i);
        vec3 tail = v3_mad(at, direction, f->lengths[i] * r->hand_size);
        // Rows are given for the left; add_joint mirrors them back.
        bool flip = side == RIGHT;
        joint_row row = {name,
                         i == 0 && !rig_has(r, parent, side) ? "Hand" : parent,
                         true,
                         flip ? v3_mirror(at) : at,
                         flip ? v3_mirror(tail) : tail,
                         v3_across(out, direction)};
        add_joint(r, &row, side);
        at = tail;
        direction = q_turn(q_axis(hinge, bend), direction);
    }
}

void rig_add_fingers(rig *r, enum side side) {
    for (int i = 0; i < FINGERS; i++) {
        add_finger(r, side, i);
    }
}

void rig_share_skin(rig *r, const char *upper, const char *lower, enum side side) {
    bone *a = &r->joints[rig_find(r, upper, side)].skin;
    bone *b = &r->joints[rig_find(r, lower, side)].skin;
    vec3 from = a->a, to = b->b, middle = v3_lerp(from, to, 0.5);
    *a = (bone){from, middle};
    *b = (bone){middle, to};
}
