// SPDX-License-Identifier: MIT
// Small skeletons from tables.
#ifndef SMALL_RIG_H
#define SMALL_RIG_H

#include "support/check.h"

enum { SMALL_RIG_MAX_NODES = 32 };

typedef struct small_node {
    const char *name, *parent; // NULL: a root
    sinew_vec3 position;       // from the parent
    int32_t weight_count;
} small_node;

// Rows up to one without a name. Each comes after its parent.
static inline sinew_skeleton *make_small_rig(const small_node *rows) {
    sinew_node_def nodes[SMALL_RIG_MAX_NODES];
    int32_t count = 0;
    for (; rows[count].name; count++) {
        int32_t parent = SINEW_NO_NODE;
        for (int32_t i = 0; i < count && rows[count].parent; i++) {
            if (strcmp(rows[i].name, rows[count].parent) == 0) parent = i;
        }
        nodes[count] =
            (sinew_node_def){.name = rows[count].name, .parent = parent, .rest = sinew_transform_identity()};
        nodes[count].rest.translation = rows[count].position;
        nodes[count].weight_count = rows[count].weight_count;
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = count;
    def.nodes = nodes;
    sinew_skeleton *skeleton;
    assert_int_equal(sinew_skeleton_create(&def, &skeleton, NULL), SINEW_OK);
    return skeleton;
}

#endif
