// Nodes of a scene: handles, and who hangs on whom.
#include "scene/scene_state.h"

#include "core/def_cookie.h"
#include "core/fail.h"
#include "core/finite.h"

#include <assert.h>
#include <string.h>

// ---- Making a scene --------------------------------------------------------------------------------------------

sinew_scene_def sinew_scene_default(void) {
    return (sinew_scene_def){.max_nodes = 1024, .cookie = SINEW_DEF_COOKIE};
}

static void lay_out_boxes(sinew_layout *layout, sinew_boxes *boxes, size_t count) {
    float **planes[6] = {&boxes->center_x, &boxes->center_y, &boxes->center_z,
                         &boxes->extent_x, &boxes->extent_y, &boxes->extent_z};
    for (int i = 0; i < 6; i++) *planes[i] = sinew_layout_array(layout, float, count, SINEW_ALIGNMENT);
}

static sinew_scene *lay_out(sinew_layout *layout, sinew_scene *fields) {
    size_t nodes = (size_t)fields->def.max_nodes, places = 2 * nodes, words = (places + 63) / 64;
    sinew_scene *scene = sinew_layout_array(layout, sinew_scene, 1, SINEW_ALIGNMENT);
    fields->nodes = sinew_layout_array(layout, scene_node, nodes, SINEW_ALIGNMENT);
    fields->order = sinew_layout_array(layout, int32_t, places, SINEW_ALIGNMENT);
    fields->dirty.words = sinew_layout_array(layout, uint64_t, words, SINEW_ALIGNMENT);
    fields->dirty.summary = sinew_layout_array(layout, uint64_t, (words + 63) / 64, SINEW_ALIGNMENT);
    fields->instances = sinew_layout_array(layout, scene_instance, nodes, SINEW_ALIGNMENT);
    fields->figures = sinew_layout_array(layout, scene_figure *, 2 * nodes, SINEW_ALIGNMENT);
    fields->items = sinew_layout_array(layout, sinew_batch_item, nodes, SINEW_ALIGNMENT);
    fields->item_figures = sinew_layout_array(layout, scene_figure *, nodes, SINEW_ALIGNMENT);
    fields->moved_instances = sinew_layout_array(layout, int32_t, nodes, SINEW_ALIGNMENT);
    lay_out_boxes(layout, &fields->boxes, nodes);
    fields->bounds = sinew_layout_array(layout, sinew_box, nodes, SINEW_ALIGNMENT);
    fields->visible = sinew_layout_array(layout, uint32_t, (size_t)SINEW_VISIBLE_WORDS(nodes), SINEW_ALIGNMENT);
    return scene;
}

sinew_result sinew_scene_create(const sinew_scene_def *def, sinew_scene **scene, sinew_error *error) {
    assert(scene);
    *scene = NULL;
    if (!def) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: def is NULL");
    sinew_result result = SINEW_CHECK_DEF(def, "sinew_scene_def: start from sinew_scene_default()", error);
    if (result != SINEW_OK) return result;
    if (def->max_nodes < 1 || def->max_nodes > SINEW_MAX_NODES) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: max_nodes is %d; it must be 1 to %d",
                          (int)def->max_nodes, SINEW_MAX_NODES);
    }
    sinew_scene fields = {.def = *def, .first_root = NOTHING, .last_root = NOTHING};
    sinew_layout measure = {0};
    lay_out(&measure, &fields);
    sinew_layout layout = {(char *)sinew_allocate(&def->allocator, measure.size, SINEW_ALIGNMENT), 0};
    if (!layout.base) return sinew_fail_memory(error);
    memset(layout.base, 0, measure.size);
    *scene = lay_out(&layout, &fields);
    fields.size = measure.size;
    for (int32_t i = 0; i < def->max_nodes; i++) {
        fields.nodes[i].place = NOTHING;
        fields.nodes[i].generation = 1;
        fields.nodes[i].next = i + 1 < def->max_nodes ? i + 1 : NOTHING;
    }
    **scene = fields;
    return SINEW_OK;
}

void sinew_scene_destroy(sinew_scene *scene) {
    if (!scene) return;
    while (scene->first_root != NOTHING) {
        sinew_scene_remove(scene, sinew_scene_handle(scene, scene->first_root, SINEW_NO_NODE));
    }
    sinew_allocator allocator = scene->def.allocator;
    sinew_release(&allocator, scene->pick_memory, scene->pick_size, SINEW_ALIGNMENT);
    sinew_release(&allocator, scene, scene->size, SINEW_ALIGNMENT);
}

// ---- Handles ---------------------------------------------------------------------------------------------------

sinew_scene_node sinew_scene_handle(const sinew_scene *scene, int32_t index, int32_t joint) {
    if (index == NOTHING) return (sinew_scene_node){0, 0, 0};
    return (sinew_scene_node){(uint32_t)index, scene->nodes[index].generation, joint};
}

const sinew_skeleton *sinew_scene_skeleton(const sinew_scene *scene, int32_t index) {
    const scene_figure *f = sinew_scene_figure(scene, index);
    return f ? f->asset->skeleton : NULL;
}

int32_t sinew_scene_index(const sinew_scene *scene, sinew_scene_node node) {
    if (node.generation == 0 || node.index >= (uint32_t)scene->def.max_nodes) return NOTHING;
    const scene_node *n = &scene->nodes[node.index];
    if (n->place == NOTHING || n->generation != node.generation) return NOTHING;
    if (node.joint == SINEW_NO_NODE) return (int32_t)node.index;
    const sinew_skeleton *skeleton = sinew_scene_skeleton(scene, (int32_t)node.index);
    bool is_joint = skeleton && node.joint >= 0 && node.joint < skeleton->node_count;
    return is_joint ? (int32_t)node.index : NOTHING;
}

bool sinew_scene_has(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    return sinew_scene_index(scene, node) != NOTHING;
}

bool sinew_scene_node_equals(sinew_scene_node a, sinew_scene_node b) {
    return a.index == b.index && a.generation == b.generation && a.joint == b.joint;
}

int32_t sinew_scene_node_count(const sinew_scene *scene) {
    assert(scene);
    return scene->node_count;
}

// ---- Links -----------------------------------------------------------------------------------------------------

static int32_t *first_of(sinew_scene *scene, int32_t parent) {
    return parent == NOTHING ? &scene->first_root : &scene->nodes[parent].first_child;
}

static int32_t *last_of(sinew_scene *scene, int32_t parent) {
    return parent == NOTHING ? &scene->last_root : &scene->nodes[parent].last_child;
}

static void link_in(sinew_scene *scene, int32_t index, int32_t parent, int32_t joint) {
    scene_node *node = &scene->nodes[index];
    int32_t *last = last_of(scene, parent);
    node->parent = parent;
    node->joint = joint;
    node->previous = *last;
    node->next = NOTHING;
    *(*last == NOTHING ? first_of(scene, parent) : &scene->nodes[*last].next) = index;
    *last = index;
}

static void link_out(sinew_scene *scene, int32_t index) {
    const scene_node *node = &scene->nodes[index];
    *(node->previous == NOTHING ? first_of(scene, node->parent) : &scene->nodes[node->previous].next) = node->next;
    *(node->next == NOTHING ? last_of(scene, node->parent) : &scene->nodes[node->next].previous) = node->previous;
}

// Whether a node is another one, or hangs on it.
static bool hangs_on(const sinew_scene *scene, int32_t node, int32_t on) {
    while (node != NOTHING && node != on) node = scene->nodes[node].parent;
    return node == on;
}

// ---- Adding and removing ---------------------------------------------------------------------------------------

sinew_scene_node_def sinew_scene_node_default(void) {
    return (sinew_scene_node_def){.transform = sinew_transform_identity(), .cookie = SINEW_DEF_COOKIE};
}

sinew_result sinew_scene_add_node(sinew_scene *scene, const sinew_scene_node_def *def, sinew_scene_node *node,
                                  sinew_error *error) {
    assert(scene && node);
    *node = (sinew_scene_node){0, 0, 0};
    if (!def) return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: the node's def is NULL");
    sinew_result result =
        SINEW_CHECK_DEF(def, "sinew_scene_node_def: start from sinew_scene_node_default()", error);
    if (result != SINEW_OK) return result;
    if (!sinew_transform_is_finite(&def->transform)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: the node's transform is not finite");
    }
    int32_t parent = sinew_scene_index(scene, def->parent);
    if (parent == NOTHING && def->parent.generation != 0) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: the parent is gone, or not of this scene");
    }
    if (scene->node_count == scene->def.max_nodes) {
        return sinew_fail(error, SINEW_ERROR_LIMIT, "scene: all %d nodes are in use; raise max_nodes",
                          (int)scene->def.max_nodes);
    }
    int32_t index = scene->free_node;
    scene_node *n = &scene->nodes[index];
    scene->free_node = n->next;
    scene->node_count++;
    *n = (scene_node){
        .generation = n->generation,
        .first_child = NOTHING,
        .last_child = NOTHING,
        .instance = NOTHING,
        .name = def->name ? def->name : "",
        .user = def->user,
    };
    n->place = sinew_scene_take_place(scene, index);
    link_in(scene, index, parent, parent == NOTHING ? SINEW_NO_NODE : def->parent.joint);
    *node = sinew_scene_handle(scene, index, SINEW_NO_NODE);
    sinew_scene_set_transform(scene, *node, def->transform);
    sinew_scene_make_world(scene, index);
    return SINEW_OK;
}

static void remove_leaf(sinew_scene *scene, int32_t index) {
    scene_node *node = &scene->nodes[index];
    link_out(scene, index);
    if (node->instance != NOTHING) sinew_scene_drop_instance(scene, index);
    sinew_scene_leave_place(scene, index);
    node->generation++;
    if (node->generation == 0) node->generation = 1; // 0 is no node's
    node->next = scene->free_node;
    scene->free_node = index;
    scene->node_count--;
}

void sinew_scene_remove(sinew_scene *scene, sinew_scene_node node) {
    int32_t top = sinew_scene_index(scene, node);
    if (top == NOTHING) return;
    assert(node.joint == SINEW_NO_NODE);
    if (node.joint != SINEW_NO_NODE) return;
    for (int32_t at = top;;) { // from leaf to leaf
        while (scene->nodes[at].first_child != NOTHING) at = scene->nodes[at].first_child;
        int32_t parent = scene->nodes[at].parent;
        remove_leaf(scene, at);
        if (at == top) return;
        at = parent;
    }
}

// ---- Another parent --------------------------------------------------------------------------------------------

static void hang(sinew_scene *scene, int32_t index, int32_t parent, int32_t joint) {
    link_out(scene, index);
    link_in(scene, index, parent, joint);
    sinew_scene_put_behind_parent(scene, index);
    sinew_scene_mark(scene, index);
    sinew_scene_see_carriers(scene, index);
}

// The matrix with which a node would stay where it is in the world below another parent; false where none does that.
static bool find_same_place(const sinew_scene *scene, int32_t index, int32_t parent, int32_t joint,
                            sinew_affine *local) {
    const scene_node *node = &scene->nodes[index];
    *local = node->world;
    if (parent == NOTHING) return true;
    sinew_affine base = sinew_scene_base(scene, parent, joint);
    if (node->leaves_scale) base = sinew_scene_without_scale(base);
    *local = sinew_affine_multiply(sinew_affine_inverse(base), node->world);
    return sinew_affine_is_finite(local);
}

// `name` is what the error calls the node.
static sinew_result check_movable(int32_t index, sinew_scene_node node, const char *name, sinew_error *error) {
    if (index == NOTHING) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: %s is gone, or not of this scene", name);
    }
    if (node.joint == SINEW_NO_NODE) return SINEW_OK;
    return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                      "scene: %s is joint %d of an instance; a joint keeps its parent, move the instance", name,
                      (int)node.joint);
}

static sinew_result check_parent(const sinew_scene *scene, int32_t index, int32_t to, sinew_scene_node parent,
                                 sinew_error *error) {
    if (to == NOTHING && parent.generation != 0) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: the parent is gone, or not of this scene");
    }
    if (to == NOTHING || !hangs_on(scene, to, index)) return SINEW_OK;
    return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                      "scene: the parent is the node itself or one of its descendants");
}

sinew_result sinew_scene_set_parent(sinew_scene *scene, sinew_scene_node node, sinew_scene_node parent,
                                    sinew_reparent_mode keep, sinew_error *error) {
    int32_t index = sinew_scene_index(scene, node), to = sinew_scene_index(scene, parent);
    sinew_result result = check_movable(index, node, "the node", error);
    if (result == SINEW_OK) result = check_parent(scene, index, to, parent, error);
    if (result != SINEW_OK) return result;
    if (keep != SINEW_REPARENT_KEEP_LOCAL && keep != SINEW_REPARENT_KEEP_WORLD) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                          "scene: keep is %d, neither SINEW_REPARENT_KEEP_LOCAL nor SINEW_REPARENT_KEEP_WORLD",
                          (int)keep);
    }
    int32_t joint = to == NOTHING ? SINEW_NO_NODE : parent.joint;
    if (keep == SINEW_REPARENT_KEEP_LOCAL) {
        hang(scene, index, to, joint);
        return SINEW_OK;
    }
    sinew_scene_update_world(scene);
    sinew_affine local;
    if (!find_same_place(scene, index, to, joint, &local)) {
        return sinew_fail(
            error, SINEW_ERROR_ARGUMENT,
            "scene: the parent is scaled to 0 along an axis, so SINEW_REPARENT_KEEP_WORLD cannot keep the world "
            "transform; use SINEW_REPARENT_KEEP_LOCAL");
    }
    hang(scene, index, to, joint);
    scene->nodes[index].local = local;
    scene->nodes[index].is_matrix = true;
    return SINEW_OK;
}

sinew_result sinew_scene_swap(sinew_scene *scene, sinew_scene_node a, sinew_scene_node b, sinew_error *error) {
    int32_t i = sinew_scene_index(scene, a), j = sinew_scene_index(scene, b);
    sinew_result result = check_movable(i, a, "the first node", error);
    if (result == SINEW_OK) result = check_movable(j, b, "the second node", error);
    if (result != SINEW_OK || i == j) return result;
    if (hangs_on(scene, i, j) || hangs_on(scene, j, i)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "scene: one of the two nodes is a descendant of the other");
    }
    scene_node *x = &scene->nodes[i], *y = &scene->nodes[j], was = *x;
    x->local = y->local, x->transform = y->transform;
    x->is_matrix = y->is_matrix, x->leaves_scale = y->leaves_scale;
    y->local = was.local, y->transform = was.transform;
    y->is_matrix = was.is_matrix, y->leaves_scale = was.leaves_scale;
    int32_t parent = y->parent, joint = y->joint;
    hang(scene, j, was.parent, was.joint);
    hang(scene, i, parent, joint);
    return SINEW_OK;
}

// ---- Looking around --------------------------------------------------------------------------------------------

// The first of a node's own children, from `at` on, that hang on one of its joints, or on none.
static sinew_scene_node added_child(const sinew_scene *scene, int32_t at, int32_t joint) {
    while (at != NOTHING && scene->nodes[at].joint != joint) at = scene->nodes[at].next;
    return sinew_scene_handle(scene, at, SINEW_NO_NODE);
}

// The first joint from `joint` on where the skeleton has it below `parent`, or else what was added there.
static sinew_scene_node joint_or_added(const sinew_scene *scene, int32_t index, int32_t joint, int32_t parent) {
    const sinew_skeleton *skeleton = sinew_scene_skeleton(scene, index);
    bool is_joint = skeleton && joint < skeleton->node_count && skeleton->parents[joint] == parent;
    if (is_joint) return sinew_scene_handle(scene, index, joint);
    return added_child(scene, scene->nodes[index].first_child, parent);
}

sinew_scene_node sinew_scene_parent(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING) return sinew_scene_handle(scene, NOTHING, 0);
    if (node.joint != SINEW_NO_NODE) {
        return sinew_scene_handle(scene, index, sinew_scene_skeleton(scene, index)->parents[node.joint]);
    }
    return sinew_scene_handle(scene, scene->nodes[index].parent, scene->nodes[index].joint);
}

sinew_scene_node sinew_scene_first_child(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    if (node.generation == 0) return sinew_scene_handle(scene, scene->first_root, SINEW_NO_NODE);
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING) return sinew_scene_handle(scene, NOTHING, 0);
    return joint_or_added(scene, index, node.joint + 1, node.joint);
}

sinew_scene_node sinew_scene_next_sibling(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING) return sinew_scene_handle(scene, NOTHING, 0);
    if (node.joint != SINEW_NO_NODE) {
        const sinew_skeleton *skeleton = sinew_scene_skeleton(scene, index);
        return joint_or_added(scene, index, skeleton->subtree_ends[node.joint], skeleton->parents[node.joint]);
    }
    return added_child(scene, scene->nodes[index].next, scene->nodes[index].joint);
}

// The next in depth-first order below `from`, where it is not the last.
static sinew_scene_node next_below(const sinew_scene *scene, sinew_scene_node from, sinew_scene_node at) {
    sinew_scene_node next = sinew_scene_first_child(scene, at);
    while (next.generation == 0 && at.generation != 0 && !sinew_scene_node_equals(at, from)) {
        next = sinew_scene_next_sibling(scene, at);
        at = sinew_scene_parent(scene, at);
    }
    return next;
}

sinew_scene_node sinew_scene_find(const sinew_scene *scene, sinew_scene_node from, const char *name) {
    assert(scene && name);
    sinew_scene_node at = sinew_scene_first_child(scene, from);
    while (at.generation != 0 && strcmp(sinew_scene_name(scene, at), name) != 0) at = next_below(scene, from, at);
    return at;
}

static bool is_called(const sinew_scene *scene, sinew_scene_node node, const char *name, size_t length) {
    const char *own = sinew_scene_name(scene, node);
    return strncmp(own, name, length) == 0 && own[length] == '\0';
}

sinew_scene_node sinew_scene_find_path(const sinew_scene *scene, sinew_scene_node from, const char *path) {
    assert(scene && path);
    sinew_scene_node at = from;
    for (;;) {
        size_t length = strcspn(path, "/");
        at = sinew_scene_first_child(scene, at);
        while (at.generation != 0 && !is_called(scene, at, path, length)) at = sinew_scene_next_sibling(scene, at);
        if (at.generation == 0 || path[length] == '\0') return at;
        path += length + 1;
    }
}

sinew_scene_node sinew_scene_joint(sinew_scene_node instance, int32_t joint) {
    return (sinew_scene_node){instance.index, instance.generation, joint};
}

sinew_scene_node sinew_scene_find_joint(const sinew_scene *scene, sinew_scene_node instance, const char *name) {
    assert(scene && name);
    int32_t index = sinew_scene_index(scene, instance);
    const sinew_skeleton *skeleton = index == NOTHING ? NULL : sinew_scene_skeleton(scene, index);
    int32_t joint = skeleton ? sinew_skeleton_find(skeleton, name) : SINEW_NO_NODE;
    return sinew_scene_handle(scene, joint == SINEW_NO_NODE ? NOTHING : index, joint);
}

const char *sinew_scene_name(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING) return "";
    if (node.joint != SINEW_NO_NODE) return sinew_scene_skeleton(scene, index)->names[node.joint];
    return scene->nodes[index].name;
}

void *sinew_scene_user(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, node);
    return index == NOTHING ? NULL : scene->nodes[index].user;
}
