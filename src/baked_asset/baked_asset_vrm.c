// SPDX-License-Identifier: MIT
// The VRM data of a baked asset.
#include "baked_asset/baked_asset_coder.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int32_t node_count(const sinew_coder *c) {
    return c->asset->skeleton->node_count;
}

static void code_node(sinew_coder *c, int32_t *node) {
    sinew_code_index(c, node, node_count(c));
}

static void code_node_or_none(sinew_coder *c, int32_t *node) {
    sinew_code_index_or_none(c, node, node_count(c));
}

// A unit vector, or, if `exists` is false, any.
static void code_unit(sinew_coder *c, sinew_vec3 *vector, bool exists) {
    sinew_code_vec3(c, vector);
    float error = fabsf(sinew_vec3_length(*vector) - 1.0f);
    sinew_code_check(c, !exists || error < 1e-5f, "a direction is not a unit vector");
}

// A number from 0 to 1.
static void code_fraction(sinew_coder *c, float *value) {
    sinew_code_float(c, value);
    sinew_code_check(c, *value >= 0.0f && *value <= 1.0f, "a weight is not from 0 to 1");
}

// The elements of an array of indices.
static void check_indices(sinew_coder *c, const int32_t *indices, int32_t count, int32_t end) {
    if (!sinew_coder_loads(c)) return;
    for (int32_t i = 0; i < count; i++)
        sinew_code_check(c, indices[i] >= 0 && indices[i] < end, "an index is out of range");
}

static void code_author(sinew_coder *c, void *element) {
    sinew_code_string(c, (const char **)element);
}

static void code_meta(sinew_coder *c, sinew_vrm_meta *meta) {
    sinew_code_string(c, &meta->name);
    sinew_code_string(c, &meta->version);
    sinew_code_count(c, &meta->author_count);
    meta->authors = (const char *const *)sinew_code_structs(c, meta->authors, meta->author_count,
                                                            sizeof *meta->authors, code_author);
    sinew_code_string(c, &meta->copyright);
    sinew_code_string(c, &meta->contact);
    sinew_code_string(c, &meta->license);
    sinew_code_string(c, &meta->other_license);
}

static void code_constraint(sinew_coder *c, void *element) {
    sinew_vrm_constraint *constraint = (sinew_vrm_constraint *)element;
    SINEW_CODE_ENUM(c, constraint->kind, sinew_vrm_constraint_kind, SINEW_VRM_CONSTRAINT_ROTATION + 1);
    code_node(c, &constraint->node);
    code_node(c, &constraint->source);
    code_unit(c, &constraint->axis, constraint->kind != SINEW_VRM_CONSTRAINT_ROTATION);
    code_fraction(c, &constraint->weight);
}

// ---- Expressions ---------------------------------------------------------------------------------------------

static void code_morph(sinew_coder *c, void *element) {
    sinew_vrm_morph_bind *morph = (sinew_vrm_morph_bind *)element;
    code_node(c, &morph->node);
    sinew_code_count(c, &morph->target);
    sinew_code_float(c, &morph->weight);
    if (!sinew_coder_loads(c)) return;
    const int32_t *offsets = c->asset->skeleton->weight_offsets + morph->node;
    sinew_code_check(c, morph->target < offsets[1] - offsets[0], "a morph target is out of range");
}

static void code_color(sinew_coder *c, void *element) {
    sinew_vrm_color_bind *color = (sinew_vrm_color_bind *)element;
    sinew_code_index(c, &color->material, c->asset->material_count);
    SINEW_CODE_ENUM(c, color->target, sinew_vrm_color_target, SINEW_VRM_COLOR_TARGET_OUTLINE + 1);
    sinew_code_floats(c, color->value, 4);
}

static void code_texture(sinew_coder *c, void *element) {
    sinew_vrm_texture_bind *texture = (sinew_vrm_texture_bind *)element;
    sinew_code_index(c, &texture->material, c->asset->material_count);
    sinew_code_floats(c, texture->scale, 2);
    sinew_code_floats(c, texture->offset, 2);
}

static void code_expression(sinew_coder *c, void *element) {
    sinew_vrm_expression *e = (sinew_vrm_expression *)element;
    sinew_code_string(c, &e->name);
    SINEW_CODE_ENUM(c, e->preset, sinew_vrm_preset, SINEW_VRM_PRESET_COUNT);
    sinew_code_bool(c, &e->binary);
    SINEW_CODE_ENUM(c, e->override_mouth, sinew_vrm_override, SINEW_VRM_OVERRIDE_BLEND + 1);
    SINEW_CODE_ENUM(c, e->override_blink, sinew_vrm_override, SINEW_VRM_OVERRIDE_BLEND + 1);
    SINEW_CODE_ENUM(c, e->override_look_at, sinew_vrm_override, SINEW_VRM_OVERRIDE_BLEND + 1);
    sinew_code_count(c, &e->morph_count);
    sinew_code_count(c, &e->color_count);
    sinew_code_count(c, &e->texture_count);
    SINEW_CODE_STRUCTS(c, e->morphs, sinew_vrm_morph_bind, e->morph_count, code_morph);
    SINEW_CODE_STRUCTS(c, e->colors, sinew_vrm_color_bind, e->color_count, code_color);
    SINEW_CODE_STRUCTS(c, e->textures, sinew_vrm_texture_bind, e->texture_count, code_texture);
}

// ---- Gaze ----------------------------------------------------------------------------------------------------

static void code_eye(sinew_coder *c, sinew_vrm_eye *eye) {
    code_node_or_none(c, &eye->node);
    code_unit(c, &eye->up, eye->node != SINEW_NO_NODE);
    code_unit(c, &eye->left, eye->node != SINEW_NO_NODE);
}

static void code_range(sinew_coder *c, sinew_vrm_range *range) {
    sinew_code_float(c, &range->input_max);
    sinew_code_float(c, &range->output);
}

static void code_look_at(sinew_coder *c, sinew_vrm_look_at *look_at) {
    SINEW_CODE_ENUM(c, look_at->type, sinew_vrm_look_at_type, SINEW_VRM_LOOK_AT_EXPRESSION + 1);
    code_node_or_none(c, &look_at->head);
    sinew_code_check(c, look_at->type == SINEW_VRM_LOOK_AT_NONE || look_at->head != SINEW_NO_NODE,
                     "it has no head");
    sinew_code_vec3(c, &look_at->offset);
    sinew_code_vec3(c, &look_at->forward);
    sinew_code_vec3(c, &look_at->up);
    code_eye(c, &look_at->left_eye);
    code_eye(c, &look_at->right_eye);
    code_range(c, &look_at->horizontal_inner);
    code_range(c, &look_at->horizontal_outer);
    code_range(c, &look_at->vertical_down);
    code_range(c, &look_at->vertical_up);
}

static void code_first_person(sinew_coder *c, void *element) {
    sinew_vrm_first_person *flag = (sinew_vrm_first_person *)element;
    SINEW_CODE_ENUM(c, *flag, sinew_vrm_first_person, SINEW_VRM_FIRST_PERSON_FIRST_PERSON_ONLY + 1);
}

// ---- Spring bones --------------------------------------------------------------------------------------------

static void code_collider(sinew_coder *c, void *element) {
    sinew_vrm_collider *collider = (sinew_vrm_collider *)element;
    code_node(c, &collider->node);
    SINEW_CODE_ENUM(c, collider->shape, sinew_vrm_collider_shape, SINEW_VRM_COLLIDER_SHAPE_PLANE + 1);
    sinew_code_bool(c, &collider->inside);
    sinew_code_vec3(c, &collider->offset);
    sinew_code_vec3(c, &collider->tail);
    sinew_code_vec3(c, &collider->normal);
    sinew_code_float(c, &collider->radius);
}

static void code_group(sinew_coder *c, void *element) {
    sinew_vrm_collider_group *group = (sinew_vrm_collider_group *)element;
    sinew_code_string(c, &group->name);
    sinew_code_count(c, &group->collider_count);
    SINEW_CODE_SMALL(c, group->colliders, const int32_t, group->collider_count);
    check_indices(c, group->colliders, group->collider_count, c->vrm->collider_count);
}

static void code_spring_joint(sinew_coder *c, void *element) {
    sinew_vrm_spring_joint *joint = (sinew_vrm_spring_joint *)element;
    code_node(c, &joint->node);
    sinew_code_float(c, &joint->hit_radius);
    sinew_code_float(c, &joint->stiffness);
    sinew_code_float(c, &joint->gravity_power);
    sinew_code_vec3(c, &joint->gravity);
    sinew_code_float(c, &joint->drag);
}

static void code_spring(sinew_coder *c, void *element) {
    sinew_vrm_spring *spring = (sinew_vrm_spring *)element;
    sinew_code_string(c, &spring->name);
    sinew_code_bool(c, &spring->subtrees);
    code_node_or_none(c, &spring->center);
    sinew_code_count(c, &spring->joint_count);
    sinew_code_count(c, &spring->group_count);
    SINEW_CODE_STRUCTS(c, spring->joints, sinew_vrm_spring_joint, spring->joint_count, code_spring_joint);
    SINEW_CODE_SMALL(c, spring->groups, const int32_t, spring->group_count);
    check_indices(c, spring->groups, spring->group_count, c->vrm->collider_group_count);
}

// ---- Animations ----------------------------------------------------------------------------------------------

static void code_track(sinew_coder *c, void *element) {
    sinew_vrm_track *track = (sinew_vrm_track *)element;
    sinew_code_string(c, &track->name);
    SINEW_CODE_ENUM(c, track->preset, sinew_vrm_preset, SINEW_VRM_PRESET_COUNT);
    code_node(c, &track->node);
}

static void code_animation(sinew_coder *c, sinew_vrm_animation *animation) {
    sinew_code_count(c, &animation->track_count);
    SINEW_CODE_STRUCTS(c, animation->tracks, sinew_vrm_track, animation->track_count, code_track);
    code_node_or_none(c, &animation->gaze_node);
    sinew_code_vec3(c, &animation->offset);
}

// ---- All of it -----------------------------------------------------------------------------------------------

static void code_counts(sinew_coder *c, sinew_vrm *vrm) {
    sinew_code_count(c, &vrm->constraint_count);
    sinew_code_count(c, &vrm->expression_count);
    sinew_code_count(c, &vrm->collider_count);
    sinew_code_count(c, &vrm->collider_group_count);
    sinew_code_count(c, &vrm->spring_count);
}

static void code_data(sinew_coder *c, sinew_vrm *vrm) {
    SINEW_CODE_ENUM(c, vrm->version, sinew_vrm_version, SINEW_VRM_VERSION_1 + 1);
    code_meta(c, &vrm->meta);
    code_counts(c, vrm);
    SINEW_CODE_PART(c, vrm, constraints, sinew_vrm_constraint, constraint_count, code_constraint);
    SINEW_CODE_PART(c, vrm, expressions, sinew_vrm_expression, expression_count, code_expression);
    for (int i = 0; i < SINEW_VRM_PRESET_COUNT; i++)
        sinew_code_index_or_none(c, &vrm->expression_of_preset[i], vrm->expression_count);
    code_look_at(c, &vrm->look_at);
    SINEW_CODE_STRUCTS(c, vrm->first_person, sinew_vrm_first_person, c->asset->instance_count, code_first_person);
    SINEW_CODE_PART(c, vrm, colliders, sinew_vrm_collider, collider_count, code_collider);
    SINEW_CODE_PART(c, vrm, collider_groups, sinew_vrm_collider_group, collider_group_count, code_group);
    SINEW_CODE_PART(c, vrm, springs, sinew_vrm_spring, spring_count, code_spring);
    code_animation(c, &vrm->animation);
}

void sinew_code_vrm(sinew_coder *c, sinew_asset *asset) {
    c->part = "vrm";
    bool exists = asset->vrm != NULL;
    sinew_code_bool(c, &exists);
    if (!exists) return;
    sinew_vrm vrm, *to = (sinew_vrm *)sinew_code_memory(c, 1, sizeof *to);
    memset(&vrm, 0, sizeof vrm);
    assert(asset->vrm || !sinew_coder_writes(c));
    if (sinew_coder_writes(c)) vrm = *asset->vrm;
    vrm.skeleton = asset->skeleton;
    vrm.up = asset->up;
    c->vrm = &vrm;
    code_data(c, &vrm);
    if (!to) return;
    *to = vrm;
    asset->vrm = to;
}
