// Where the nodes of a scene are: their order, what has changed, and world matrices.
#include "scene/scene_state.h"

#include "core/finite.h"

#include <assert.h>

// ---- What has changed ------------------------------------------------------------------------------------------

static void set_bit(const dirty_places *dirty, int32_t place) {
    dirty->words[place / 64] |= UINT64_C(1) << place % 64;
    dirty->summary[place / 4096] |= UINT64_C(1) << place / 64 % 64;
}

static bool clear_bit(const dirty_places *dirty, int32_t place) {
    uint64_t bit = UINT64_C(1) << place % 64, *word = &dirty->words[place / 64];
    bool was_set = (*word & bit) != 0;
    *word &= ~bit;
    if (*word == 0) dirty->summary[place / 4096] &= ~(UINT64_C(1) << place / 64 % 64);
    return was_set;
}

static int32_t lowest_bit(uint64_t word) {
#if defined(__GNUC__)
    return __builtin_ctzll(word);
#else
    int32_t bit = 0;
    while ((word >> bit & 1) == 0) bit++;
    return bit;
#endif
}

// The first place at which something has changed, of those that `*at`, which goes on with it, has not passed; NOTHING
// where there is none. What is marked meanwhile lies further back.
static int32_t next_dirty(const sinew_scene *scene, int32_t *at) {
    int32_t end = (scene->order_end + 4095) / 4096;
    for (; *at < end; (*at)++) {
        uint64_t summary = scene->dirty.summary[*at];
        if (summary == 0) continue;
        int32_t word = *at * 64 + lowest_bit(summary);
        return word * 64 + lowest_bit(scene->dirty.words[word]);
    }
    return NOTHING;
}

void sinew_scene_mark(sinew_scene *scene, int32_t index) {
    set_bit(&scene->dirty, scene->nodes[index].place);
}

// ---- The order -------------------------------------------------------------------------------------------------

static void move_to(sinew_scene *scene, int32_t index, int32_t place) {
    scene_node *node = &scene->nodes[index];
    bool is_dirty = clear_bit(&scene->dirty, node->place);
    scene->order[node->place] = NOTHING;
    scene->order[place] = index;
    node->place = place;
    if (is_dirty) set_bit(&scene->dirty, place);
}

// There are twice as many places as nodes: with the gaps closed, half of them are free, so that it is seldom done.
static void close_gaps(sinew_scene *scene) {
    int32_t to = 0;
    for (int32_t place = 0; place < scene->order_end; place++) {
        int32_t index = scene->order[place];
        if (index == NOTHING) continue;
        if (place != to) move_to(scene, index, to);
        to++;
    }
    scene->order_end = to;
}

int32_t sinew_scene_take_place(sinew_scene *scene, int32_t index) {
    if (scene->order_end == 2 * scene->def.max_nodes) close_gaps(scene);
    scene->order[scene->order_end] = index;
    return scene->order_end++;
}

void sinew_scene_leave_place(sinew_scene *scene, int32_t index) {
    scene_node *node = &scene->nodes[index];
    clear_bit(&scene->dirty, node->place);
    scene->order[node->place] = NOTHING;
    if (node->place == scene->order_end - 1) scene->order_end--;
    node->place = NOTHING;
}

int32_t sinew_scene_next_of_subtree(const sinew_scene *scene, int32_t top, int32_t at) {
    if (scene->nodes[at].first_child != NOTHING) return scene->nodes[at].first_child;
    while (at != top && scene->nodes[at].next == NOTHING) at = scene->nodes[at].parent;
    return at == top ? NOTHING : scene->nodes[at].next;
}

void sinew_scene_put_behind_parent(sinew_scene *scene, int32_t index) {
    int32_t parent = scene->nodes[index].parent, count = 0;
    if (parent == NOTHING || scene->nodes[parent].place < scene->nodes[index].place) return;
    for (int32_t at = index; at != NOTHING; at = sinew_scene_next_of_subtree(scene, index, at)) count++;
    if (scene->order_end + count > 2 * scene->def.max_nodes) close_gaps(scene);
    for (int32_t at = index; at != NOTHING; at = sinew_scene_next_of_subtree(scene, index, at)) {
        move_to(scene, at, scene->order_end++);
    }
}

// ---- World matrices --------------------------------------------------------------------------------------------

sinew_affine sinew_scene_without_scale(sinew_affine matrix) {
    sinew_transform transform = sinew_affine_decompose(matrix);
    transform.scale = (sinew_vec3){1.0f, 1.0f, 1.0f};
    return sinew_affine_from_transform(transform);
}

// Where something that hangs on a node, or on one of its joints, is in the world.
static sinew_affine world_below(const sinew_scene *scene, const scene_node *node, sinew_affine parent) {
    bool on_joint = node->joint != SINEW_NO_NODE;
    const sinew_affine *joint = on_joint ? &sinew_scene_figure(scene, node->parent)->model[node->joint] : NULL;
    if (node->leaves_scale) {
        sinew_affine base = sinew_scene_without_scale(joint ? sinew_affine_multiply(parent, *joint) : parent);
        return sinew_affine_multiply(base, node->local);
    }
    return sinew_affine_multiply(parent, joint ? sinew_affine_multiply(*joint, node->local) : node->local);
}

void sinew_scene_make_world(sinew_scene *scene, int32_t index) {
    scene_node *node = &scene->nodes[index];
    node->world =
        node->parent == NOTHING ? node->local : world_below(scene, node, scene->nodes[node->parent].world);
    if (node->instance != NOTHING) sinew_scene_list_moved(scene, &scene->instances[node->instance]);
    for (int32_t child = node->first_child; child != NOTHING; child = scene->nodes[child].next) {
        sinew_scene_mark(scene, child);
    }
}

void sinew_scene_update_world(sinew_scene *scene) {
    assert(scene);
    int32_t at = 0, place;
    while ((place = next_dirty(scene, &at)) != NOTHING) {
        clear_bit(&scene->dirty, place);
        sinew_scene_make_world(scene, scene->order[place]);
    }
    sinew_scene_update_bounds(scene);
}

void sinew_scene_update(sinew_scene *scene, float dt) {
    assert(scene && dt >= 0.0f && isfinite(dt));
    if (!(dt >= 0.0f && isfinite(dt))) dt = 0.0f;
    sinew_scene_update_figures(scene, dt);
    sinew_scene_update_world(scene);
}

sinew_affine sinew_scene_base(const sinew_scene *scene, int32_t index, int32_t joint) {
    const sinew_affine *world = &scene->nodes[index].world;
    if (joint == SINEW_NO_NODE) return *world;
    return sinew_affine_multiply(*world, sinew_scene_figure(scene, index)->model[joint]);
}

// ---- Setting and asking ----------------------------------------------------------------------------------------

static scene_node *movable(sinew_scene *scene, sinew_scene_node node) {
    assert(scene && (node.joint == SINEW_NO_NODE || node.generation == 0));
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING || node.joint != SINEW_NO_NODE) return NULL;
    sinew_scene_mark(scene, index);
    return &scene->nodes[index];
}

void sinew_scene_set_transform(sinew_scene *scene, sinew_scene_node node, sinew_transform transform) {
    assert(sinew_transform_is_finite(&transform));
    scene_node *n = sinew_transform_is_finite(&transform) ? movable(scene, node) : NULL;
    if (!n) return;
    n->transform = transform;
    n->local = sinew_affine_from_transform(transform);
    n->is_matrix = false;
}

void sinew_scene_set_matrix(sinew_scene *scene, sinew_scene_node node, sinew_affine matrix) {
    assert(sinew_affine_is_finite(&matrix));
    scene_node *n = sinew_affine_is_finite(&matrix) ? movable(scene, node) : NULL;
    if (!n) return;
    n->local = matrix;
    n->is_matrix = true;
}

void sinew_scene_set_inherits_scale(sinew_scene *scene, sinew_scene_node node, bool inherits) {
    scene_node *n = movable(scene, node);
    if (n) n->leaves_scale = !inherits;
}

static sinew_affine joint_in_parent(const scene_figure *f, int32_t joint) {
    int32_t parent = f->asset->skeleton->parents[joint];
    if (parent == SINEW_NO_NODE) return f->model[joint];
    return sinew_affine_multiply(sinew_affine_inverse(f->model[parent]), f->model[joint]);
}

sinew_transform sinew_scene_transform(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING) return sinew_transform_identity();
    const scene_node *n = &scene->nodes[index];
    if (node.joint != SINEW_NO_NODE) {
        return sinew_affine_decompose(joint_in_parent(sinew_scene_figure(scene, index), node.joint));
    }
    return n->is_matrix ? sinew_affine_decompose(n->local) : n->transform;
}

sinew_affine sinew_scene_world(const sinew_scene *scene, sinew_scene_node node) {
    assert(scene);
    int32_t index = sinew_scene_index(scene, node);
    if (index == NOTHING) return sinew_affine_identity();
    return sinew_scene_base(scene, index, node.joint);
}
