// SPDX-License-Identifier: MIT
// Joints and the hierarchy: a skin's skeleton, and the scenes with its meshes and joints.
#include "lint/subject.h"

#include <string.h>

// The hierarchy, indexed to make each query take constant time.
typedef struct hierarchy {
    int32_t *root;         // [node]; topmost ancestor
    int32_t *enter, *last; // [node]; index in depth-first order, and the largest index in the subtree
    int32_t *scene_start;  // [nodes + 1]; where a root's scenes start in scene_list
    int32_t *scene_list;
} hierarchy;

// ---- Order ---------------------------------------------------------------------------------------------------------

// Lists the nodes with parents before children.
static int32_t *order_nodes(lint_subject *s) {
    int32_t *order = lint_array(s, int32_t, s->node_count), count = 0;
    if (!order) return NULL;
    for (int32_t i = 0; i < s->node_count; i++) {
        if (s->nodes[i].parent < 0) order[count++] = i;
    }
    for (int32_t cursor = 0; cursor < count; cursor++) {
        ref_list children = s->nodes[order[cursor]].children;
        for (int32_t i = 0; i < children.count; i++) {
            int32_t child = lint_element(s, children, i);
            if (child >= 0) order[count++] = child;
        }
    }
    return order;
}

// Numbers the nodes in depth-first order: a node comes after its parent and its previous siblings' subtrees.
static void number_nodes(lint_subject *s, const int32_t *order, hierarchy *h) {
    int32_t *sizes = lint_array(s, int32_t, s->node_count), *next = lint_array(s, int32_t, s->node_count);
    if (!sizes || !next) return;
    for (int32_t cursor = s->node_count - 1; cursor >= 0; cursor--) {
        int32_t parent = s->nodes[order[cursor]].parent;
        sizes[order[cursor]]++;
        if (parent >= 0) sizes[parent] += sizes[order[cursor]];
    }
    for (int32_t cursor = 0, first = 0; cursor < s->node_count; cursor++) {
        int32_t node = order[cursor], parent = s->nodes[node].parent, *number = parent < 0 ? &first : &next[parent];
        h->root[node] = parent < 0 ? node : h->root[parent];
        h->enter[node] = *number;
        h->last[node] = *number + sizes[node] - 1;
        next[node] = *number + 1;
        *number += sizes[node];
    }
}

// ---- Scenes of a root ----------------------------------------------------------------------------------------------

// Visits each root in each scene once. Counts a root's scenes, or also lists them. If a scene lists a node that isn't a
// root, it counts for that node's root.
static void visit_scenes(lint_subject *s, const hierarchy *h, int32_t *visited, int32_t *counts, int32_t *list) {
    for (int32_t i = 0; i < s->node_count; i++) visited[i] = -1;
    for (int32_t scene = 0; scene < s->document->scenes.count; scene++) {
        ref_list roots = ref_elements(s->document, s->document->scenes.values[scene], "nodes");
        for (int32_t i = 0; i < roots.count; i++) {
            int32_t node = lint_element(s, roots, i), root = node < 0 ? -1 : h->root[node];
            if (root < 0 || visited[root] == scene) continue;
            visited[root] = scene;
            if (list) list[counts[root]] = scene;
            counts[root]++;
        }
    }
}

static void list_scenes(lint_subject *s, hierarchy *h) {
    int32_t *visited = lint_array(s, int32_t, s->node_count), *counts = lint_array(s, int32_t, s->node_count + 1);
    h->scene_start = lint_array(s, int32_t, s->node_count + 1);
    if (!visited || !counts || !h->scene_start) return;
    visit_scenes(s, h, visited, counts, NULL);
    int32_t total = 0;
    for (int32_t i = 0; i <= s->node_count; i++) {
        h->scene_start[i] = total;
        total += counts[i];
    }
    h->scene_list = lint_array(s, int32_t, total);
    if (!h->scene_list) return;
    memcpy(counts, h->scene_start, (size_t)s->node_count * sizeof *counts);
    visit_scenes(s, h, visited, counts, h->scene_list);
}

static bool read_hierarchy(lint_subject *s, hierarchy *h) {
    const int32_t *order = order_nodes(s);
    h->root = lint_array(s, int32_t, s->node_count);
    h->enter = lint_array(s, int32_t, s->node_count);
    h->last = lint_array(s, int32_t, s->node_count);
    if (!s->out_of_memory) number_nodes(s, order, h);
    if (!s->out_of_memory) list_scenes(s, h);
    return !s->out_of_memory;
}

// ---- skin.skeleton -------------------------------------------------------------------------------------------------

static bool is_at_or_below(const hierarchy *h, int32_t node, int32_t above) {
    return h->enter[node] >= h->enter[above] && h->enter[node] <= h->last[above];
}

static void check_skeleton(lint_subject *s, const hierarchy *h, int32_t skin) {
    sinewi_json_value value = s->document->skins.values[skin];
    sinewi_json_value member = sinewi_json_get(&s->document->json, value, "skeleton");
    if (member == SINEWI_JSON_ABSENT) return;
    const char *location = lint_location(s, "skins[%d].skeleton", (int)skin);
    int32_t node = lint_index(s->document, value, "skeleton", s->node_count);
    if (node < 0) {
        char text[80];
        sinewi_json_quote(&s->document->json, member, text, sizeof text);
        lint_add(s, LINT_SKIN_SKELETON, 0, location, "%s is not a node; the file has %d nodes", text,
                 (int)s->node_count);
        return;
    }
    ref_list joints = ref_elements(s->document, value, "joints");
    for (int32_t i = 0; i < joints.count; i++) {
        int32_t joint = lint_element(s, joints, i);
        if (joint < 0 || is_at_or_below(h, joint, node)) continue;
        lint_add(s, LINT_SKIN_SKELETON, 0, location, "%s is not an ancestor of joints[%d], %s",
                 lint_node_label(s, node), (int)i, lint_node_label(s, joint));
        return;
    }
}

// ---- Scenes --------------------------------------------------------------------------------------------------------

// The maximum number of steps per file. Only a hostile file has enough skins and scenes to reach it.
#define MAX_STEPS (1 << 24)

// The state of the search over all skins. A stamp is a skin's index plus 1.
typedef struct search {
    lint_subject *s;
    const hierarchy *h;
    int32_t *first_node, *next_node;   // [skin], [node]; list of nodes with a skin; -1 ends it
    int32_t *mesh_stamp, *joint_stamp; // [node]; roots of the skin's meshes and joints
    int32_t *held_stamp, *held;        // [scene]; how many of the joints' roots it has
    int32_t steps;
} search;

static const int32_t *scenes_of(const search *f, int32_t root, int32_t *count) {
    *count = f->h->scene_start[root + 1] - f->h->scene_start[root];
    return f->h->scene_list + f->h->scene_start[root];
}

// Counts how many of the joints' roots each scene has. Returns the number of roots.
static int32_t mark_held(search *f, int32_t skin, ref_list joints) {
    int32_t roots = 0;
    for (int32_t k = 0; k < joints.count; k++) {
        int32_t joint = lint_element(f->s, joints, k), count;
        if (joint < 0 || f->joint_stamp[f->h->root[joint]] == skin + 1) continue;
        f->joint_stamp[f->h->root[joint]] = skin + 1;
        roots++;
        const int32_t *scenes = scenes_of(f, f->h->root[joint], &count);
        f->steps += count;
        for (int32_t i = 0; i < count; i++) {
            if (f->held_stamp[scenes[i]] != skin + 1) f->held[scenes[i]] = 0;
            f->held_stamp[scenes[i]] = skin + 1;
            f->held[scenes[i]]++;
        }
    }
    return roots;
}

// Returns the first joint whose root isn't in a scene. Looks up each root once and then makes its stamp negative.
static int32_t joint_outside(search *f, int32_t skin, ref_list joints, int32_t scene) {
    for (int32_t k = 0; k < joints.count; k++) {
        int32_t joint = lint_element(f->s, joints, k), count, i = 0;
        if (joint < 0 || f->joint_stamp[f->h->root[joint]] == -(skin + 1)) continue;
        f->joint_stamp[f->h->root[joint]] = -(skin + 1);
        const int32_t *scenes = scenes_of(f, f->h->root[joint], &count);
        while (i < count && scenes[i] != scene) i++;
        if (i == count) return k;
    }
    return 0;
}

static void check_scenes(search *f, int32_t skin) {
    lint_subject *s = f->s;
    ref_list joints = ref_elements(s->document, s->document->skins.values[skin], "joints");
    int32_t roots = mark_held(f, skin, joints);
    for (int32_t node = f->first_node[skin]; node >= 0; node = f->next_node[node]) {
        int32_t count;
        if (f->mesh_stamp[f->h->root[node]] == skin + 1) continue; // already searched
        f->mesh_stamp[f->h->root[node]] = skin + 1;
        const int32_t *scenes = scenes_of(f, f->h->root[node], &count);
        f->steps += count;
        for (int32_t i = 0; i < count; i++) {
            int32_t scene = scenes[i], held = f->held_stamp[scene] == skin + 1 ? f->held[scene] : 0;
            if (held == roots) continue;
            int32_t k = joint_outside(f, skin, joints, scene);
            lint_add(s, LINT_JOINTS_OUTSIDE, 0, lint_location(s, "skins[%d].joints[%d]", (int)skin, (int)k),
                     "%s is not in scenes[%d], where %s uses the skin",
                     lint_node_label(s, lint_element(s, joints, k)), (int)scene, lint_node_label(s, node));
            return;
        }
    }
}

static bool begin_search(search *f) {
    lint_subject *s = f->s;
    int32_t nodes = s->node_count, scenes = s->document->scenes.count, skins = s->document->skins.count;
    f->first_node = lint_array(s, int32_t, skins);
    f->next_node = lint_array(s, int32_t, nodes);
    f->mesh_stamp = lint_array(s, int32_t, nodes);
    f->joint_stamp = lint_array(s, int32_t, nodes);
    f->held_stamp = lint_array(s, int32_t, scenes);
    f->held = lint_array(s, int32_t, scenes);
    if (s->out_of_memory) return false;
    for (int32_t i = 0; i < skins; i++) f->first_node[i] = -1;
    for (int32_t i = nodes - 1; i >= 0; i--) {
        int32_t skin = s->nodes[i].skin;
        if (skin < 0 || s->nodes[i].mesh < 0) continue;
        f->next_node[i] = f->first_node[skin];
        f->first_node[skin] = i;
    }
    return true;
}

// ---- The rules -----------------------------------------------------------------------------------------------------

void lint_check_joints(lint_subject *s) {
    hierarchy h = {.root = NULL};
    if (s->document->skins.count == 0 || !read_hierarchy(s, &h)) return;
    search f = {.s = s, .h = &h};
    if (!begin_search(&f)) return;
    for (int32_t i = 0; i < s->document->skins.count; i++) {
        check_skeleton(s, &h, i);
        if (f.steps < MAX_STEPS) check_scenes(&f, i);
    }
}
