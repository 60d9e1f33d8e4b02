// SPDX-License-Identifier: MIT
// spring_bones.c - writes VRMC_springBone 1.0.
#include "spring_bones.h"

#include <stdio.h>

static void say_point(buffer *b, const char *key, vec3 v) {
    say(b, "\"%s\":[%.6g,%.6g,%.6g]", key, v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

static void say_collider(buffer *b, const spring_collider *c, int node) {
    bool is_capsule = v3_distance(c->offset, c->tail) > 0.0;
    say(b, "{\"node\":%d,\"shape\":{\"%s\":{", node, is_capsule ? "capsule" : "sphere");
    say_point(b, "offset", c->offset);
    say(b, ",\"radius\":%.6g", c->radius);
    if (is_capsule) {
        say(b, ",");
        say_point(b, "tail", c->tail);
    }
    say(b, "}}}");
}

static void say_group(buffer *b, const spring_group *group) {
    say(b, "{\"name\":\"%s\",\"colliders\":[", group->name);
    for (int i = 0; i < group->count; i++) {
        say(b, "%s%d", i > 0 ? "," : "", group->first + i);
    }
    say(b, "]}");
}

static void say_bone(buffer *b, const spring_bone *s, const rig *r, const int *nodes) {
    say(b, "{\"name\":\"%s\",\"joints\":[", s->name);
    for (int i = 1; i <= s->count; i++) {
        char name[24];
        snprintf(name, sizeof name, "%s%d", s->joint, i);
        say(b, "%s{\"node\":%d,\"hitRadius\":%.6g,\"stiffness\":%.6g,\"gravityPower\":%.6g,\"dragForce\":%.6g,",
            i > 1 ? "," : "", nodes[rig_find(r, name, s->side)], s->radius, s->stiffness, s->gravity, s->drag);
        say_point(b, "gravityDir", v3(0, -1, 0));
        say(b, "}");
    }
    say(b, "]");
    if (s->groups) {
        say(b, ",\"colliderGroups\":%s", s->groups);
    }
    say(b, "}");
}

void spring_bones_add(glb *g, const spring_bones *s, const rig *r, const int *nodes) {
    buffer b = {0};
    say(&b, "{\"specVersion\":\"1.0\",\"colliders\":[");
    for (int i = 0; i < s->collider_count; i++) {
        const spring_collider *c = &s->colliders[i];
        say(&b, i > 0 ? "," : "");
        say_collider(&b, c, nodes[rig_find(r, c->joint, c->side)]);
    }
    say(&b, "],\"colliderGroups\":[");
    for (int i = 0; i < s->group_count; i++) {
        say(&b, i > 0 ? "," : "");
        say_group(&b, &s->groups[i]);
    }
    say(&b, "],\"springs\":[");
    for (int i = 0; i < s->bone_count; i++) {
        say(&b, i > 0 ? "," : "");
        say_bone(&b, &s->bones[i], r, nodes);
    }
    say(&b, "]}");
    put(&b, "", 1);
    glb_extension(g, "VRMC_springBone", b.data);
    free_buffer(&b);
}
