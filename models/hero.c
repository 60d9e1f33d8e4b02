// SPDX-License-Identifier: MIT
// hero.c - the hero: grows its parts, binds them to the rig and writes hero.glb.
#include "hero.h"

#include <stdio.h>
#include <stdlib.h>

// ---- nodes ----

/// Writes the nodes of the joints under "Hero" > "Armature", and the grip under the right hand.
static void add_nodes(glb *g, const rig *r, int *root, int *nodes) {
    *root = glb_node(g, "Hero", -1, rigid_identity());
    int armature = glb_node(g, "Armature", *root, rigid_identity());
    for (int i = 0; i < r->count; i++) {
        const joint *j = &r->joints[i];
        char name[32];
        snprintf(name, sizeof name, "%s%s", j->name, j->side == LEFT ? "_L" : j->side == RIGHT ? "_R" : "");
        nodes[i] = glb_node(g, name, j->parent < 0 ? armature : nodes[j->parent], rig_local(r, i));
    }
    int hand = rig_find(r, "Hand", RIGHT);
    glb_node(g, "Grip_R", nodes[hand], rigid_mul(rigid_inverse(r->joints[hand].rest), r->grip));
}

bool make_hero(const char *path) {
    rig r = rig_make();
    parts all = {must_alloc(PARTS_MAX, sizeof(part)), 0};
    hero_add_head(&all, &r);
    hero_add_hair(&all, &r);
    hero_add_hands(&all, &r);
    hero_add_clothes(&all, &r);
    mesh m = {0};
    parts_grow(&all, &r, &m);
    free(all.items);

    glb *g = glb_begin();
    int root, nodes[RIG_JOINTS] = {0};
    rigid rest[RIG_JOINTS];
    add_nodes(g, &r, &root, nodes);
    for (int i = 0; i < r.count; i++) {
        rest[i] = r.joints[i].rest;
    }
    const rgb white = {1, 1, 1};
    glb_primitive primitive = {&m, glb_material(g, "Hero", white, 0.0, 0.8), true, true};
    int body = glb_node(g, "Body", -1, rigid_identity());
    glb_node_mesh(g, body, glb_mesh(g, "Hero", &primitive, 1));
    glb_node_skin(g, body, glb_skin(g, "Hero", nodes, rest, 1.0, r.count, nodes[0]));
    hero_write_clips(g, &r, root, nodes);
    hero_add_springs(g, &r, nodes);
    mesh_free(&m);
    return glb_end(g, path);
}
