// SPDX-License-Identifier: MIT
// Lists the groups of points that a node moves, and their distance from it.
#include "optimize/plan.h"

#include <math.h>
#include <string.h>

static const double origin[3] = {0.0, 0.0, 0.0};

static double distance(const double *a, const double *b) {
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// Returns a world matrix's largest scale.
static double scale_of(const double *world) {
    return fmax(distance(world, origin), fmax(distance(world + 4, origin), distance(world + 8, origin)));
}

// Returns the largest distance between a group's points and its node.
static double radius_of(const compare_body *body, const compare_group *group) {
    const ref_pose *rest = &body->unfolded;
    double radius = 0.0;
    for (int32_t i = 0; i < group->point_count; i++) {
        const compare_point point = group->points[i];
        double position[3];
        compare_position(body, &body->parts[point.part], 0, rest, point.vertex, position);
        radius = fmax(radius, distance(position, rest->worlds + 16 * (ptrdiff_t)group->node + 12));
    }
    return radius;
}

// Marks the ancestors of a group's bones with the group's number plus 1. Returns how many are new.
static int32_t mark_ancestors(const compare_body *body, int32_t g, int32_t *marks, int32_t *list) {
    const compare_group *group = &body->groups[g];
    int32_t count = 0;
    for (int32_t r = 0; r < group->reach_count; r++) {
        int32_t node = body->bones[group->reaches[r].bone].nodes[0];
        for (; node >= 0 && marks[node] != g + 1; node = body->models[0]->nodes[node].parent) {
            marks[node] = g + 1;
            list[count++] = node;
        }
    }
    // A mesh is morphed by its own node's weights. That node may not be above its joints.
    for (int32_t i = 0; i < group->part_count; i++) {
        const int32_t node = body->parts[group->parts[i]].nodes[0];
        if (marks[node] == g + 1) continue;
        marks[node] = g + 1;
        list[count++] = node;
    }
    return count;
}

static void measure_scales(const plan *p, const ref_pose *rest, double *above, double *own) {
    const ref_model *model = p->body->models[0];
    for (ptrdiff_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        above[i] = parent >= 0 ? scale_of(rest->worlds + 16 * (ptrdiff_t)parent) : 1.0;
        const double *scale = rest->locals + 10 * i + 7;
        own[i] = fmax(1e-6, fmin(fabs(scale[0]), fmin(fabs(scale[1]), fabs(scale[2]))));
    }
}

// Limits the pairs of a node and a group that it moves. In a very long chain, their number is the square of its length.
#define MAX_EFFECTS (1 << 22)

bool plan_list_effects(plan *p) {
    const compare_body *body = p->body;
    const size_t nodes = (size_t)body->models[0]->node_count;
    int32_t *first = sinewi_arena_zeros(p->arena, int32_t, nodes + 2),
            *marks = sinewi_arena_zeros(p->arena, int32_t, nodes),
            *list = sinewi_arena_array(p->arena, int32_t, nodes);
    double *above = sinewi_arena_array(p->arena, double, nodes), *own = sinewi_arena_array(p->arena, double, nodes);
    const ref_pose *rest = &body->unfolded;
    if (!first || !marks || !list || !above || !own) return false;
    measure_scales(p, rest, above, own);
    int64_t total = 0;
    for (int32_t g = 0; g < body->group_count; g++) {
        const int32_t count = mark_ancestors(body, g, marks, list);
        for (int32_t i = 0; i < count; i++) first[list[i] + 2]++;
        total += count;
        p->no_effects = total > MAX_EFFECTS;
        if (p->no_effects) return true;
    }
    for (size_t i = 2; i < nodes + 2; i++) first[i] += first[i - 1];
    plan_effect *effects = sinewi_arena_array(p->arena, plan_effect, (size_t)first[nodes + 1]);
    if (!effects) return false;
    memset(marks, 0, nodes * sizeof *marks);
    for (int32_t g = 0; g < body->group_count; g++) {
        const int32_t count = mark_ancestors(body, g, marks, list);
        const double radius = radius_of(body, &body->groups[g]);
        const double *center = rest->worlds + 16 * (ptrdiff_t)body->groups[g].node + 12;
        for (int32_t i = 0; i < count; i++) {
            const double *joint = rest->worlds + 16 * (ptrdiff_t)list[i] + 12;
            effects[first[list[i] + 1]++] = (plan_effect){g, distance(center, joint) + radius};
        }
    }
    p->first_effect = first;
    p->effects = effects;
    p->scale_above = above;
    p->own_scale = own;
    return true;
}

double plan_reach(const plan *p, const plan_track *track, const plan_effect *effect) {
    const ref_channel *channel = track->source;
    if (channel->path == REF_TRANSLATION) return p->scale_above[channel->node];
    return channel->path == REF_SCALE ? effect->reach / p->own_scale[channel->node] : effect->reach;
}

double plan_tolerance(const plan *p, const plan_track *track) {
    double reach = 0.0;
    for (int32_t i = p->first_effect[track->source->node]; i < p->first_effect[track->source->node + 1]; i++)
        reach = fmax(reach, plan_reach(p, track, &p->effects[i]));
    return 0.5 * p->limit / reach;
}
