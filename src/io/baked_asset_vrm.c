// SPDX-License-Identifier: MIT
// A baked asset's VRM data.
#include "io/baked_asset_coder.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int32_t node_count(const sinewi_coder *c) {
    return c->asset->skeleton->node_count;
}

static void code_node(sinewi_coder *c, int32_t *node) {
    sinewi_code_index(c, node, node_count(c));
}

static void code_node_or_none(sinewi_coder *c, int32_t *node) {
    sinewi_code_index_or_none(c, node, node_count(c));
}

// Codes a unit vector. If `exists` is false, any vector will do.
static void code_unit(sinewi_coder *c, sinew_vec3 *vector, bool exists) {
    sinewi_code_vec3(c, vector);
    float error = fabsf(sinew_vec3_length(*vector) - 1.0f);
    sinewi_code_check(c, !exists || error < 1e-5f, "a direction is not a unit vector");
}

// Codes a number from 0 to 1.
static void code_fraction(sinewi_coder *c, float *value) {
    sinewi_code_float(c, value);
    sinewi_code_check(c, *value >= 0.0f && *value <= 1.0f, "a weight is not in the range 0 to 1");
}

// Checks the elements of an array of indices.
static void check_indices(sinewi_coder *c, const int32_t *indices, int32_t count, int32_t end) {
    if (!sinewi_coder_loads(c)) return;
    for (int32_t i = 0; i < count; i++)
        sinewi_code_check(c, indices[i] >= 0 && indices[i] < end, "an index is out of range");
}

static void code_author(sinewi_coder *c, void *element) {
    sinewi_code_string(c, (const char **)element);
}

static void code_meta(sinewi_coder *c, sinew_vrm_meta *meta) {
    sinewi_code_string(c, &meta->name);
    sinewi_code_string(c, &meta->version);
    sinewi_code_count(c, &meta->author_count);
    meta->authors = (const char *const *)sinewi_code_structs(c, meta->authors, meta->author_count,
                                                             sizeof *meta->authors, code_author);
    sinewi_code_string(c, &meta->copyright);
    sinewi_code_string(c, &meta->contact);
    sinewi_code_string(c, &meta->license);
    sinewi_code_string(c, &meta->other_license);
}

static void code_constraint(sinewi_coder *c, void *element) {
    sinew_vrm_constraint *constraint = (sinew_vrm_constraint *)element;
    SINEWI_CODE_ENUM(c, constraint->kind, sinew_vrm_constraint_kind, SINEW_VRM_CONSTRAINT_ROTATION + 1);
    code_node(c, &constraint->node);
    code_node(c, &constraint->source);
    code_unit(c, &constraint->axis, constraint->kind != SINEW_VRM_CONSTRAINT_ROTATION);
    code_fraction(c, &constraint->weight);
}

// ---- Expressions ---------------------------------------------------------------------------------------------

static void code_morph(sinewi_coder *c, void *element) {
    sinew_vrm_morph_bind *morph = (sinew_vrm_morph_bind *)element;
    code_node(c, &morph->node);
    sinewi_code_count(c, &morph->target);
    sinewi_code_float(c, &morph->weight);
    if (!sinewi_coder_loads(c)) return;
    const int32_t *offsets = c->asset->skeleton->weight_offsets + morph->node;
    sinewi_code_check(c, morph->target < offsets[1] - offsets[0], "a morph target is out of range");
}

static void code_color(sinewi_coder *c, void *element) {
    sinew_vrm_color_bind *color = (sinew_vrm_color_bind *)element;
    sinewi_code_index(c, &color->material, c->asset->material_count);
    SINEWI_CODE_ENUM(c, color->target, sinew_vrm_color_target, SINEW_VRM_COLOR_TARGET_OUTLINE + 1);
    sinewi_code_floats(c, color->value, 4);
}

static void code_texture(sinewi_coder *c, void *element) {
    sinew_vrm_texture_bind *texture = (sinew_vrm_texture_bind *)element;
    sinewi_code_index(c, &texture->material, c->asset->material_count);
    sinewi_code_floats(c, texture->scale, 2);
    sinewi_code_floats(c, texture->offset, 2);
}

static void code_expression(sinewi_coder *c, void *element) {
    sinew_vrm_expression *e = (sinew_vrm_expression *)element;
    sinewi_code_string(c, &e->name);
    SINEWI_CODE_ENUM(c, e->preset, sinew_vrm_preset, SINEW_VRM_PRESET_COUNT);
    sinewi_code_bool(c, &e->binary);
    SINEWI_CODE_ENUM(c, e->override_mouth, sinew_vrm_override, SINEW_VRM_OVERRIDE_BLEND + 1);
    SINEWI_CODE_ENUM(c, e->override_blink, sinew_vrm_override, SINEW_VRM_OVERRIDE_BLEND + 1);
    SINEWI_CODE_ENUM(c, e->override_look_at, sinew_vrm_override, SINEW_VRM_OVERRIDE_BLEND + 1);
    sinewi_code_count(c, &e->morph_count);
    sinewi_code_count(c, &e->color_count);
    sinewi_code_count(c, &e->texture_count);
    SINEWI_CODE_STRUCTS(c, e->morphs, sinew_vrm_morph_bind, e->morph_count, code_morph);
    SINEWI_CODE_STRUCTS(c, e->colors, sinew_vrm_color_bind, e->color_count, code_color);
    SINEWI_CODE_STRUCTS(c, e->textures, sinew_vrm_texture_bind, e->texture_count, code_texture);
}

// ---- Gaze ----------------------------------------------------------------------------------------------------

static void code_eye(sinewi_coder *c, sinew_vrm_eye *eye) {
    code_node_or_none(c, &eye->node);
    code_unit(c, &eye->up, eye->node != SINEW_NO_NODE);
    code_unit(c, &eye->left, eye->node != SINEW_NO_NODE);
}

static void code_range(sinewi_coder *c, sinew_vrm_range *range) {
    sinewi_code_float(c, &range->input_max);
    sinewi_code_float(c, &range->output);
}

static void code_look_at(sinewi_coder *c, sinew_vrm_look_at *look_at) {
    SINEWI_CODE_ENUM(c, look_at->type, sinew_vrm_look_at_type, SINEW_VRM_LOOK_AT_EXPRESSION + 1);
    code_node_or_none(c, &look_at->head);
    sinewi_code_check(c, look_at->type == SINEW_VRM_LOOK_AT_NONE || look_at->head != SINEW_NO_NODE,
                      "it has no head");
    sinewi_code_vec3(c, &look_at->offset);
    sinewi_code_vec3(c, &look_at->forward);
    sinewi_code_vec3(c, &look_at->up);
    code_eye(c, &look_at->left_eye);
    code_eye(c, &look_at->right_eye);
    code_range(c, &look_at->horizontal_inner);
    code_range(c, &look_at->horizontal_outer);
    code_range(c, &look_at->vertical_down);
    code_range(c, &look_at->vertical_up);
}

static void code_first_person(sinewi_coder *c, void *element) {
    sinew_vrm_first_person *flag = (sinew_vrm_first_person *)element;
    SINEWI_CODE_ENUM(c, *flag, sinew_vrm_first_person, SINEW_VRM_FIRST_PERSON_FIRST_PERSON_ONLY + 1);
}

// ---- Spring bones --------------------------------------------------------------------------------------------

static void code_collider(sinewi_coder *c, void *element) {
    sinew_vrm_collider *collider = (sinew_vrm_collider *)element;
    code_node(c, &collider->node);
    SINEWI_CODE_ENUM(c, collider->shape, sinew_vrm_collider_shape, SINEW_VRM_COLLIDER_SHAPE_PLANE + 1);
    sinewi_code_bool(c, &collider->inside);
    sinewi_code_vec3(c, &collider->offset);
    sinewi_code_vec3(c, &collider->tail);
    sinewi_code_vec3(c, &collider->normal);
    sinewi_code_float(c, &collider->radius);
}

static void code_group(sinewi_coder *c, void *element) {
    sinew_vrm_collider_group *group = (sinew_vrm_collider_group *)element;
    sinewi_code_string(c, &group->name);
    sinewi_code_count(c, &group->collider_count);
    SINEWI_CODE_SMALL(c, group->colliders, const int32_t, group->collider_count);
    check_indices(c, group->colliders, group->collider_count, c->vrm->collider_count);
}

static void code_spring_joint(sinewi_coder *c, void *element) {
    sinew_vrm_spring_joint *joint = (sinew_vrm_spring_joint *)element;
    code_node(c, &joint->node);
    sinewi_code_float(c, &joint->hit_radius);
    sinewi_code_float(c, &joint->stiffness);
    sinewi_code_float(c, &joint->gravity_power);
    sinewi_code_vec3(c, &joint->gravity);
    sinewi_code_float(c, &joint->drag);
}

static void code_spring(sinewi_coder *c, void *element) {
    sinew_vrm_spring *spring = (sinew_vrm_spring *)element;
    sinewi_code_string(c, &spring->name);
    sinewi_code_bool(c, &spring->subtrees);
    code_node_or_none(c, &spring->center);
    sinewi_code_count(c, &spring->joint_count);
    sinewi_code_count(c, &spring->group_count);
    SINEWI_CODE_STRUCTS(c, spring->joints, sinew_vrm_spring_joint, spring->joint_count, code_spring_joint);
    SINEWI_CODE_SMALL(c, spring->groups, const int32_t, spring->group_count);
    check_indices(c, spring->groups, spring->group_count, c->vrm->collider_group_count);
}

// ---- Animations ----------------------------------------------------------------------------------------------

static void code_track(sinewi_coder *c, void *element) {
    sinew_vrm_track *track = (sinew_vrm_track *)element;
    sinewi_code_string(c, &track->name);
    SINEWI_CODE_ENUM(c, track->preset, sinew_vrm_preset, SINEW_VRM_PRESET_COUNT);
    code_node(c, &track->node);
}

static void code_animation(sinewi_coder *c, sinew_vrm_animation *animation) {
    sinewi_code_count(c, &animation->track_count);
    SINEWI_CODE_STRUCTS(c, animation->tracks, sinew_vrm_track, animation->track_count, code_track);
    code_node_or_none(c, &animation->gaze_node);
    sinewi_code_vec3(c, &animation->offset);
}

// ---- All of it -----------------------------------------------------------------------------------------------

static void code_counts(sinewi_coder *c, sinew_vrm *vrm) {
    sinewi_code_count(c, &vrm->constraint_count);
    sinewi_code_count(c, &vrm->expression_count);
    sinewi_code_count(c, &vrm->collider_count);
    sinewi_code_count(c, &vrm->collider_group_count);
    sinewi_code_count(c, &vrm->spring_count);
}

static void code_data(sinewi_coder *c, sinew_vrm *vrm) {
    SINEWI_CODE_ENUM(c, vrm->version, sinew_vrm_version, SINEW_VRM_VERSION_1 + 1);
    code_meta(c, &vrm->meta);
    code_counts(c, vrm);
    SINEWI_CODE_PART(c, vrm, constraints, sinew_vrm_constraint, constraint_count, code_constraint);
    SINEWI_CODE_PART(c, vrm, expressions, sinew_vrm_expression, expression_count, code_expression);
    for (int i = 0; i < SINEW_VRM_PRESET_COUNT; i++)
        sinewi_code_index_or_none(c, &vrm->expression_of_preset[i], vrm->expression_count);
    code_look_at(c, &vrm->look_at);
    SINEWI_CODE_STRUCTS(c, vrm->first_person, sinew_vrm_first_person, c->asset->mesh_node_count, code_first_person);
    SINEWI_CODE_PART(c, vrm, colliders, sinew_vrm_collider, collider_count, code_collider);
    SINEWI_CODE_PART(c, vrm, collider_groups, sinew_vrm_collider_group, collider_group_count, code_group);
    SINEWI_CODE_PART(c, vrm, springs, sinew_vrm_spring, spring_count, code_spring);
    code_animation(c, &vrm->animation);
}

void sinewi_code_vrm(sinewi_coder *c, sinew_asset *asset) {
    c->part = "vrm";
    bool exists = asset->vrm != NULL;
    sinewi_code_bool(c, &exists);
    if (!exists) return;
    sinew_vrm vrm, *to = (sinew_vrm *)sinewi_code_memory(c, 1, sizeof *to);
    memset(&vrm, 0, sizeof vrm);
    assert(asset->vrm || !sinewi_coder_writes(c));
    if (sinewi_coder_writes(c)) vrm = *asset->vrm;
    vrm.skeleton = asset->skeleton;
    vrm.up = asset->up;
    c->vrm = &vrm;
    code_data(c, &vrm);
    if (!to) return;
    *to = vrm;
    asset->vrm = to;
}
