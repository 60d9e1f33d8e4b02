// SPDX-License-Identifier: MIT
// Creates a retarget map. Finds drivers (retarget_links.c), aligns (retarget_align.c), and derives the slots and drives
// that a frame computes (retarget_pose.c).
#include "base/def_cookie.h"
#include "base/fail.h"
#include "humanoid/retarget_data.h"

#include <math.h>
#include <string.h>

typedef struct retarget_object {
    sinew_retarget map;
    sinew_retarget_data data;
    sinew_allocator allocator;
    size_t size;
} retarget_object;

// A map's lists, in scratch memory until their sizes are known.
typedef struct rt_lists {
    rt_slot *source_slots, *target_slots;
    rt_quat *source_turns;
    rt_drive *drives;
    rt_twist *twists;
    sinew_retarget_pair *pairs;
    rt_weights *weights;
    rt_curve *curves;
    int32_t source_count, target_count, drive_count, twist_count, weights_count, curve_count;
} rt_lists;

// ---- Slots ---------------------------------------------------------------------------------------------------

// Marks a node and its ancestors.
static void mark_path(const sinew_skeleton *skeleton, int32_t node, int32_t *slot_of) {
    const int32_t marked = 0;
    for (; node != SINEW_NO_NODE && slot_of[node] == RT_NONE; node = skeleton->parents[node])
        slot_of[node] = marked;
}

// Numbers the marked nodes, parents first.
static int32_t list_slots(const sinew_skeleton *skeleton, int32_t *slot_of, rt_slot *slots) {
    int32_t count = 0;
    for (int32_t i = 0; i < skeleton->node_count; i++) {
        if (slot_of[i] == RT_NONE) continue;
        if (count == SINEW_MAX_RETARGET_NODES) return RT_NONE;
        int32_t parent = skeleton->parents[i];
        slots[count] =
            (rt_slot){i, parent == SINEW_NO_NODE ? RT_NONE : slot_of[parent], RT_NONE, RT_NONE, false, false};
        slot_of[i] = count++;
    }
    return count;
}

static sinew_result make_slots(rt_builder *b, rt_lists *lists) {
    const sinew_skeleton *source = b->def->source, *target = b->def->target;
    for (int32_t i = 0; i < source->node_count; i++) b->source_slot_of[i] = RT_NONE;
    for (int32_t i = 0; i < target->node_count; i++) b->target_slot_of[i] = RT_NONE;
    for (int32_t i = 0; i < target->node_count; i++) {
        const rt_link *link = &b->links[i];
        if (link->twists) mark_path(target, i, b->target_slot_of);
        if (link->source == RT_NONE) continue;
        mark_path(target, i, b->target_slot_of);
        mark_path(source, link->source, b->source_slot_of);
        mark_path(source, link->second, b->source_slot_of);
    }
    lists->source_count = list_slots(source, b->source_slot_of, lists->source_slots);
    lists->target_count = list_slots(target, b->target_slot_of, lists->target_slots);
    if (lists->source_count != RT_NONE && lists->target_count != RT_NONE) return SINEW_OK;
    return sinewi_fail(b->error, SINEW_ERROR_LIMIT,
                       "the %s: more than %d nodes are paired or above a pair; set match_names to false",
                       lists->source_count == RT_NONE ? "source" : "target", SINEW_MAX_RETARGET_NODES);
}

// Attaches the first node that waits for its space. Nodes that wait for each other are a fault of the humanoid.
static void attach_first(rt_builder *b, const rt_lists *lists, const int32_t *place_of) {
    for (int32_t i = 0; i < lists->target_count; i++) {
        int32_t node = lists->target_slots[i].node;
        if (place_of[i] != RT_NONE || !b->links[node].detached) continue;
        sinewi_retarget_attach(b, node);
        return;
    }
}

// Moves the slots of detached nodes behind the slots of their spaces. Each pass keeps the order of slots whose parent
// and space are already placed. Without detached nodes, one pass is enough.
static void order_slots(rt_builder *b, rt_lists *lists) {
    rt_slot ordered[SINEW_MAX_RETARGET_NODES];
    int32_t place_of[SINEW_MAX_RETARGET_NODES], count = 0;
    for (int32_t i = 0; i < lists->target_count; i++) place_of[i] = RT_NONE;
    while (count < lists->target_count) {
        int32_t before = count;
        for (int32_t i = 0; i < lists->target_count; i++) {
            rt_slot slot = lists->target_slots[i];
            int32_t space = b->links[slot.node].parent;
            bool waits = (slot.parent != RT_NONE && place_of[slot.parent] == RT_NONE) ||
                         (space != RT_NONE && place_of[b->target_slot_of[space]] == RT_NONE);
            if (waits || place_of[i] != RT_NONE) continue;
            place_of[i] = count;
            if (slot.parent != RT_NONE) slot.parent = place_of[slot.parent];
            ordered[count++] = slot;
        }
        if (count == before) attach_first(b, lists, place_of);
    }
    memcpy(lists->target_slots, ordered, (size_t)count * sizeof *ordered);
    for (int32_t i = 0; i < count; i++) b->target_slot_of[ordered[i].node] = i;
}

// ---- Drives --------------------------------------------------------------------------------------------------

// A target node's rotation relative to a source node, in the aligned references.
static rt_quat post_of(const rt_builder *b, int32_t source, int32_t target) {
    rt_quat aligned = rt_multiply(b->links[target].aligned, b->target_reference[target].rotation);
    return rt_normalize(rt_multiply(rt_conjugate(b->source_reference[source].rotation), aligned));
}

// Whether the source's change of distance means something on the target: on both sides, it must start from
// the same node above.
static bool follows(const rt_builder *b, const rt_link *link) {
    if (link->second != RT_NONE) return false;
    if (!link->moves && b->def->translations == SINEW_RETARGET_TRANSLATIONS_FIXED) return false;
    if (link->parent == RT_NONE) return true;
    const rt_link *parent = &b->links[link->parent];
    return parent->second == RT_NONE &&
           rt_is_below(b->def->source, link->source, parent->source) == !link->detached;
}

// Sets a drive's translation.
static void set_offset(const rt_builder *b, const rt_link *link, int32_t target, rt_drive *drive) {
    drive->follows = follows(b, link);
    drive->space_source = drive->space_target = RT_NONE;
    drive->source_offset = b->source_reference[link->source].position;
    drive->target_offset = b->target_reference[target].position;
    drive->offset_rotation = rt_identity();
    drive->offset_scale = b->scale;
    if (link->parent == RT_NONE) return;
    const rt_link *parent = &b->links[link->parent];
    const rt_similarity *source = &b->source_reference[parent->source], *space = &b->target_reference[link->parent];
    drive->space_source = b->source_slot_of[parent->source];
    drive->space_target = b->target_slot_of[link->parent];
    drive->source_offset = rt_point_to_local(source, drive->source_offset);
    drive->target_offset = rt_point_to_local(space, drive->target_offset);
    drive->offset_rotation = rt_conjugate(post_of(b, parent->source, link->parent));
    drive->offset_scale = b->scale * source->scale / space->scale;
}

// Raises the hips by a height in model space.
static void shift_hips(const rt_builder *b, double shift, rt_lists *lists) {
    int32_t hips = b->def->source_humanoid ? sinewi_retarget_role_target(b, SINEW_HUMANOID_HIPS) : b->hips;
    if (hips == RT_NONE) return;
    rt_drive *drive = &lists->drives[lists->target_slots[b->target_slot_of[hips]].drive];
    rt_vec up = rt_scale(rt_up(b->def->target_up), shift);
    int32_t parent = b->links[hips].parent;
    if (parent != RT_NONE) {
        const rt_similarity *space = &b->target_reference[parent];
        up = rt_scale(rt_rotate_back(space->rotation, up), 1.0 / space->scale);
    }
    drive->target_offset = rt_add(drive->target_offset, up);
}

// Follows the source's scale by the ratio of the references. Without a ratio, the target keeps its own.
static void set_scale_component(float source, float target, float *scale, float *factor) {
    const float ratio = target / source;
    const bool follows = source != 0.0f && isfinite(ratio);
    *scale = follows ? 0.0f : target;
    *factor = follows ? ratio : 0.0f;
}

static void set_scale(const rt_builder *b, const rt_link *link, int32_t target, rt_drive *drive) {
    const sinew_vec3 from = sinew_pose_get(b->source_pose, link->source).scale;
    const sinew_vec3 to = sinew_pose_get(b->target_pose, target).scale;
    drive->scale = to;
    if (link->second != RT_NONE) return; // driven by two
    set_scale_component(from.x, to.x, &drive->scale.x, &drive->scale_factor.x);
    set_scale_component(from.y, to.y, &drive->scale.y, &drive->scale_factor.y);
    set_scale_component(from.z, to.z, &drive->scale.z, &drive->scale_factor.z);
}

static rt_drive make_drive(const rt_builder *b, const rt_link *link, int32_t target) {
    rt_drive drive = {0};
    drive.source = b->source_slot_of[link->source];
    drive.source_node = link->source;
    drive.second = link->second == RT_NONE ? drive.source : b->source_slot_of[link->second];
    drive.second_part = link->part;
    drive.post = post_of(b, link->source, target);
    drive.second_post = link->second == RT_NONE ? drive.post : post_of(b, link->second, target);
    set_offset(b, link, target, &drive);
    set_scale(b, link, target, &drive);
    return drive;
}

// Uses local translations where both spaces are the parents. That's exact and half the work.
static void use_local_offsets(const rt_builder *b, const rt_lists *lists, const rt_slot *slot, rt_drive *drive) {
    const rt_slot *source = &lists->source_slots[drive->source];
    if (drive->space_target == RT_NONE || slot->parent != drive->space_target) return;
    if (drive->follows && source->parent != drive->space_source) return;
    drive->is_local = true;
    drive->source_offset = rt_pose_translation(b->source_pose, source->node);
    drive->target_offset = rt_pose_translation(b->target_pose, slot->node);
}

// Twist joints come after the drives, because some read them.
static void make_twists(const rt_builder *b, rt_lists *lists) {
    for (int32_t i = 0; i < lists->target_count; i++) {
        rt_slot *slot = &lists->target_slots[i];
        const rt_link *link = &b->links[slot->node];
        if (!link->twists) continue;
        int32_t end = sinewi_retarget_limb_end(b->links[link->parent].role), end_drive = RT_NONE;
        if (end == SINEW_NO_ROLE && b->links[link->parent].parent == RT_NONE) continue; // attached without a parent
        if (end != SINEW_NO_ROLE) {
            int32_t node = sinewi_retarget_role_target(b, end);
            end_drive = lists->target_slots[b->target_slot_of[node]].drive;
        }
        slot->twist = lists->twist_count;
        lists->twists[lists->twist_count++] = sinewi_retarget_make_twist(b, slot->node, end_drive);
    }
}

static void mark_rotations(rt_slot *slots, int32_t slot) {
    for (; slot != RT_NONE && !slots[slot].has_rotation; slot = slots[slot].parent) slots[slot].has_rotation = true;
}

static void mark_positions(rt_slot *slots, int32_t slot) {
    mark_rotations(slots, slot);
    for (; slot != RT_NONE && !slots[slot].has_position; slot = slots[slot].parent) slots[slot].has_position = true;
}

// Marks the slots whose positions are read by drives without local offsets.
static void mark_needed_positions(const rt_lists *lists) {
    for (int32_t i = 0; i < lists->target_count; i++) {
        const rt_slot *slot = &lists->target_slots[i];
        if (slot->drive == RT_NONE || lists->drives[slot->drive].is_local) continue;
        const rt_drive *drive = &lists->drives[slot->drive];
        mark_positions(lists->target_slots, slot->parent);
        mark_positions(lists->target_slots, drive->space_target);
        mark_positions(lists->source_slots, drive->source);
        mark_positions(lists->source_slots, drive->space_source);
    }
}

// Whether the parents of a driven slot and its source are a pair. Then the local rotations are related.
static bool has_paired_parents(const rt_lists *lists, const rt_slot *slot) {
    const rt_drive *drive = &lists->drives[slot->drive];
    if (slot->parent == RT_NONE || lists->target_slots[slot->parent].drive == RT_NONE) return false;
    const rt_drive *above = &lists->drives[lists->target_slots[slot->parent].drive];
    return drive->second_part == 0.0 && above->second_part == 0.0 &&
           lists->source_slots[drive->source].parent == above->source;
}

// Marks the target slots whose rotations are read by others.
static void mark_target_rotations(const rt_lists *lists) {
    for (int32_t i = 0; i < lists->target_count; i++) {
        const rt_slot *slot = &lists->target_slots[i];
        if (slot->drive != RT_NONE && !has_paired_parents(lists, slot)) {
            mark_rotations(lists->target_slots, slot->parent);
        }
        if (slot->twist == RT_NONE) continue;
        mark_rotations(lists->target_slots, lists->twists[slot->twist].limb);
        mark_rotations(lists->target_slots, lists->twists[slot->twist].above);
    }
}

// Relates local rotations of nodes that don't need a model-space rotation, and marks the source slots that the
// other drives read.
static void choose_rotations(const rt_lists *lists) {
    mark_target_rotations(lists);
    for (int32_t i = 0; i < lists->target_count; i++) {
        const rt_slot *slot = &lists->target_slots[i];
        if (slot->drive == RT_NONE) continue;
        rt_drive *drive = &lists->drives[slot->drive];
        drive->is_relative = !slot->has_rotation && has_paired_parents(lists, slot);
        if (drive->is_relative) {
            drive->pre = rt_conjugate(lists->drives[lists->target_slots[slot->parent].drive].post);
            continue;
        }
        mark_rotations(lists->source_slots, drive->source);
        mark_rotations(lists->source_slots, drive->second);
    }
    for (int32_t i = 0; i < lists->twist_count; i++) {
        if (lists->twists[i].end == RT_NONE) continue;
        mark_rotations(lists->source_slots, lists->drives[lists->twists[i].end].source);
        mark_rotations(lists->source_slots, lists->drives[lists->twists[i].end].second);
    }
}

// Adds the morph weights of a node that was paired by name.
static void add_weights(const rt_builder *b, int32_t target, rt_lists *lists) {
    const int32_t *from = &b->def->source->weight_offsets[b->links[target].source];
    const int32_t *to = &b->def->target->weight_offsets[target];
    int32_t count = from[1] - from[0];
    if (!b->links[target].named || count == 0 || count != to[1] - to[0]) return;
    lists->weights[lists->weights_count++] = (rt_weights){target, from[0], to[0], count};
}

static void pair_curves(const rt_builder *b, rt_lists *lists) {
    for (int32_t i = 0; i < b->def->target->curve_count; i++) {
        const int32_t source = sinew_skeleton_find_curve(b->def->source, b->def->target->curve_names[i]);
        if (source != SINEW_NO_CURVE) lists->curves[lists->curve_count++] = (rt_curve){source, i};
    }
}

// Pairs are in the order of target nodes.
static void make_drives(rt_builder *b, double shift, rt_lists *lists) {
    for (int32_t node = 0; node < b->def->target->node_count; node++) {
        const rt_link *link = &b->links[node];
        if (link->source == RT_NONE) continue;
        int32_t i = lists->drive_count++;
        lists->target_slots[b->target_slot_of[node]].drive = i;
        lists->drives[i] = make_drive(b, link, node);
        use_local_offsets(b, lists, &lists->target_slots[b->target_slot_of[node]], &lists->drives[i]);
        lists->pairs[i] = (sinew_retarget_pair){link->source, node, link->role, SINEW_NO_PAIR};
        add_weights(b, node, lists);
    }
    for (int32_t i = 0; i < lists->drive_count; i++) {
        int32_t parent = b->links[lists->pairs[i].target].parent;
        if (parent != RT_NONE) lists->pairs[i].parent = lists->target_slots[b->target_slot_of[parent]].drive;
    }
    shift_hips(b, shift, lists);
    make_twists(b, lists);
    mark_needed_positions(lists);
    choose_rotations(lists);
    pair_curves(b, lists);
}

// ---- The object ----------------------------------------------------------------------------------------------

// Copies the lists behind the object. While measuring, only reserves the space.
static retarget_object *lay_out(sinewi_layout *layout, const rt_lists *lists) {
    retarget_object *object = sinewi_layout_array(layout, retarget_object, 1, SINEWI_ALIGNMENT);
    rt_slot *source_slots = sinewi_layout_array(layout, rt_slot, (size_t)lists->source_count, 8);
    rt_slot *target_slots = sinewi_layout_array(layout, rt_slot, (size_t)lists->target_count, 8);
    rt_quat *source_turns = sinewi_layout_array(layout, rt_quat, (size_t)lists->source_count, 8);
    rt_drive *drives = sinewi_layout_array(layout, rt_drive, (size_t)lists->drive_count, 8);
    rt_twist *twists = sinewi_layout_array(layout, rt_twist, (size_t)lists->twist_count, 8);
    rt_weights *weights = sinewi_layout_array(layout, rt_weights, (size_t)lists->weights_count, 8);
    rt_curve *curves = sinewi_layout_array(layout, rt_curve, (size_t)lists->curve_count, 8);
    sinew_retarget_pair *pairs = sinewi_layout_array(layout, sinew_retarget_pair, (size_t)lists->drive_count, 8);
    if (!layout->base) return NULL;
    memset(object, 0, sizeof *object);
    memcpy(source_slots, lists->source_slots, (size_t)lists->source_count * sizeof *source_slots);
    memcpy(target_slots, lists->target_slots, (size_t)lists->target_count * sizeof *target_slots);
    memcpy(source_turns, lists->source_turns, (size_t)lists->source_count * sizeof *source_turns);
    memcpy(drives, lists->drives, (size_t)lists->drive_count * sizeof *drives);
    memcpy(twists, lists->twists, (size_t)lists->twist_count * sizeof *twists);
    memcpy(weights, lists->weights, (size_t)lists->weights_count * sizeof *weights);
    memcpy(curves, lists->curves, (size_t)lists->curve_count * sizeof *curves);
    memcpy(pairs, lists->pairs, (size_t)lists->drive_count * sizeof *pairs);
    object->data.source_slots = source_slots, object->data.source_count = lists->source_count;
    object->data.target_slots = target_slots, object->data.target_count = lists->target_count;
    object->data.source_turns = source_turns;
    object->data.drives = drives, object->data.drive_count = lists->drive_count;
    object->data.twists = twists, object->data.twist_count = lists->twist_count;
    object->data.weights = weights, object->data.weights_count = lists->weights_count;
    object->data.curves = curves, object->data.curve_count = lists->curve_count;
    object->map.pairs = pairs, object->map.pair_count = lists->drive_count;
    return object;
}

static sinew_result make_object(const rt_builder *b, const rt_lists *lists, double shift, sinew_retarget **map) {
    const sinew_retarget_def *def = b->def;
    sinewi_layout measure = {0};
    lay_out(&measure, lists);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, SINEWI_ALIGNMENT), 0};
    if (!layout.base) return sinewi_fail_memory(b->error);
    retarget_object *object = lay_out(&layout, lists);
    object->allocator = def->allocator;
    object->size = measure.size;
    object->data.rotation = b->rotation;
    object->data.scale = b->scale;
    object->data.up = rt_up(def->target_up);
    object->data.source_humanoid = def->source_humanoid ? *def->source_humanoid : sinew_humanoid_empty();
    object->data.target_humanoid = def->target_humanoid ? *def->target_humanoid : sinew_humanoid_empty();
    sinewi_retarget_make_limbs(b, shift, &object->data);
    object->map.source = def->source;
    object->map.target = def->target;
    object->map.scale = (float)b->scale;
    object->map.rotation =
        (sinew_quat){(float)b->rotation.x, (float)b->rotation.y, (float)b->rotation.z, (float)b->rotation.w};
    object->map.source_humanoid = &object->data.source_humanoid;
    object->map.target_humanoid = &object->data.target_humanoid;
    object->map.data = &object->data;
    *map = &object->map;
    return SINEW_OK;
}

// ---- Creation ------------------------------------------------------------------------------------------------

static bool is_weight(float weight) {
    return weight >= 0.0f && weight <= 1.0f;
}

static sinew_result check_def(const sinew_retarget_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_retarget_def: start from sinew_retarget_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->source || !def->target) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "no source or no target");
    if (!def->source_humanoid != !def->target_humanoid) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "the %s has a humanoid, but the %s has none; pass both or neither",
                           def->source_humanoid ? "source" : "target", def->source_humanoid ? "target" : "source");
    }
    if (def->source_reference && def->source_reference->skeleton != def->source) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "source_reference belongs to a different skeleton");
    }
    if (def->target_reference && def->target_reference->skeleton != def->target) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "target_reference belongs to a different skeleton");
    }
    if (def->chain_count < 0 || (def->chain_count > 0 && !def->chains)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "chain_count is %d; it must be 0 or more, and chains must be set unless it is 0",
                           def->chain_count);
    }
    if (!(def->scale >= 0.0f) || !isfinite(def->scale)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "scale is %g; it must be 0 or more", (double)def->scale);
    }
    if (is_weight(def->foot_weight) && is_weight(def->hand_weight)) return sinewi_retarget_check_soles(def, error);
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                       "foot_weight is %g and hand_weight is %g; weights must be 0 to 1", (double)def->foot_weight,
                       (double)def->hand_weight);
}

// Copies a reference, or the rest pose.
static sinew_result copy_reference(const sinew_skeleton *skeleton, const sinew_pose *reference,
                                   const sinew_allocator *allocator, sinew_pose **pose) {
    sinew_result result = sinew_pose_create(skeleton, allocator, pose);
    if (result == SINEW_OK && reference) sinew_pose_copy(*pose, reference);
    return result;
}

static bool allocate_scratch(rt_builder *b, rt_lists *lists) {
    size_t source_count = (size_t)b->def->source->node_count, target_count = (size_t)b->def->target->node_count;
    b->source_reference = sinewi_arena_array(&b->scratch, rt_similarity, source_count);
    b->target_reference = sinewi_arena_array(&b->scratch, rt_similarity, target_count);
    b->source_slot_of = sinewi_arena_array(&b->scratch, int32_t, source_count);
    b->target_slot_of = sinewi_arena_array(&b->scratch, int32_t, target_count);
    lists->source_slots = sinewi_arena_array(&b->scratch, rt_slot, SINEW_MAX_RETARGET_NODES);
    lists->target_slots = sinewi_arena_array(&b->scratch, rt_slot, SINEW_MAX_RETARGET_NODES);
    lists->source_turns = sinewi_arena_array(&b->scratch, rt_quat, SINEW_MAX_RETARGET_NODES);
    lists->drives = sinewi_arena_array(&b->scratch, rt_drive, SINEW_MAX_RETARGET_NODES);
    lists->twists = sinewi_arena_array(&b->scratch, rt_twist, SINEW_MAX_RETARGET_NODES);
    lists->pairs = sinewi_arena_array(&b->scratch, sinew_retarget_pair, SINEW_MAX_RETARGET_NODES);
    lists->weights = sinewi_arena_array(&b->scratch, rt_weights, SINEW_MAX_RETARGET_NODES);
    lists->curves = sinewi_arena_array(&b->scratch, rt_curve, (size_t)b->def->target->curve_count);
    return b->source_reference && b->target_reference && b->source_slot_of && b->target_slot_of &&
           lists->source_slots && lists->target_slots && lists->source_turns && lists->drives && lists->twists &&
           lists->pairs && lists->weights && lists->curves;
}

static sinew_result build(rt_builder *b, sinew_retarget **map) {
    rt_lists lists = {0};
    const sinew_retarget_def *def = b->def;
    sinew_result result = copy_reference(def->source, def->source_reference, &def->allocator, &b->source_pose);
    if (result == SINEW_OK) {
        result = copy_reference(def->target, def->target_reference, &def->allocator, &b->target_pose);
    }
    if (result != SINEW_OK || !allocate_scratch(b, &lists)) return sinewi_fail_memory(b->error);
    result = sinewi_retarget_find_links(b);
    if (result != SINEW_OK) return result;
    sinewi_retarget_compute_references(b);
    sinewi_retarget_find_legs(b);
    sinewi_retarget_find_parents(b);
    sinewi_retarget_detach_feet(b);
    sinewi_retarget_find_twists(b);
    result = make_slots(b, &lists);
    if (result != SINEW_OK) return result;
    sinewi_retarget_align(b);
    b->sole_raise = sinewi_retarget_sole_raise(b);
    double shift = sinewi_retarget_hips_shift(b) + b->sole_raise;
    order_slots(b, &lists);
    for (int32_t i = 0; i < lists.source_count; i++)
        lists.source_turns[i] = b->source_reference[lists.source_slots[i].node].rotation;
    make_drives(b, shift, &lists);
    return make_object(b, &lists, shift, map);
}

sinew_retarget_def sinew_retarget_default(void) {
    sinew_retarget_def def = {0};
    def.match_names = true;
    def.foot_weight = 1.0f;
    def.cookie = SINEWI_DEF_COOKIE;
    return def;
}

sinew_result sinew_retarget_create(const sinew_retarget_def *def, sinew_retarget **map, sinew_error *error) {
    assert(map);
    *map = NULL;
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    rt_builder b = {0};
    b.def = def;
    b.error = error;
    sinewi_arena_init(&b.scratch, &def->allocator);
    result = build(&b, map);
    sinew_pose_destroy(b.source_pose);
    sinew_pose_destroy(b.target_pose);
    sinewi_arena_free(&b.scratch);
    return result;
}

void sinew_retarget_destroy(sinew_retarget *map) {
    if (!map) return;
    retarget_object *object = (retarget_object *)map;
    sinew_allocator allocator = object->allocator;
    sinewi_release(&allocator, object, object->size, SINEWI_ALIGNMENT);
}
