// SPDX-License-Identifier: MIT
// Colliders. A bone's tail moves on a sphere about its head, so what a collider forbids is a cone of directions: for a
// sphere at the distance D from the head, with R the sum of the radii and L the bone's length, the angle from the line to
// its centre whose cosine is (L² + D² - R²) / (2 L D), and for a plane at the height h below the head that whose cosine is
// (radius - h) / L from the normal. The bone is rotated to the nearest direction on that cone. A capsule is a sphere about
// the point of its axis that is nearest to the tail, which changes as the bone rotates: it takes some passes.
//
// The rule of VRMC_springBone 1.0 pushes the tail along the shortest path out of the collider and restores the length.
#include "spring/spring_data.h"

#include "ik/ik_math.h"

#define PASSES 8

// ---- Volumes -------------------------------------------------------------------------------------------------

static float largest_scale(const sinew_affine *m) {
    float largest = 0.0f;
    for (int column = 0; column < 3; column++) {
        const sinew_vec3 v = {m->m[0][column], m->m[1][column], m->m[2][column]};
        const float square = ik_dot(v, v);
        if (square > largest) largest = square;
    }
    return sqrtf(largest);
}

// A plane's normal is transformed by the inverse transpose, which is the matrix of cofactors up to its determinant.
static sinew_vec3 normal_in_world(const sinew_affine *m, sinew_vec3 normal) {
    const sinew_vec3 x = {m->m[0][0], m->m[1][0], m->m[2][0]};
    const sinew_vec3 y = {m->m[0][1], m->m[1][1], m->m[2][1]};
    const sinew_vec3 z = {m->m[0][2], m->m[1][2], m->m[2][2]};
    const sinew_vec3 across = ik_cross(y, z);
    sinew_vec3 sum = ik_scale(across, normal.x);
    sum = ik_add(sum, ik_scale(ik_cross(z, x), normal.y));
    sum = ik_add(sum, ik_scale(ik_cross(x, y), normal.z));
    return ik_scale(sum, ik_dot(x, across) < 0.0f ? -1.0f : 1.0f);
}

static spring_volume volume_in_world(const sinew_spring_collider *c, const sinew_affine *matrix) {
    spring_volume volume = {.position = ik_point(matrix, c->offset)};
    if (c->shape == SINEW_SPRING_SHAPE_PLANE) {
        volume.axis = sinew_vec3_normalize(normal_in_world(matrix, c->normal));
        return volume;
    }
    volume.radius = c->radius * largest_scale(matrix);
    if (c->shape == SINEW_SPRING_SHAPE_CAPSULE) {
        volume.axis = ik_subtract(ik_point(matrix, c->tail), volume.position);
    }
    return volume;
}

void sinew_spring_place_colliders(const sinew_springs *springs, const sinew_affine *world,
                                  const sinew_affine *model, spring_volume *volumes) {
    for (int32_t i = 0; i < springs->collider_count; i++) {
        const sinew_spring_collider *c = &springs->colliders[i];
        const sinew_affine matrix =
            c->node == SINEW_NO_NODE ? sinew_affine_identity() : sinew_affine_multiply(*world, model[c->node]);
        volumes[i] = volume_in_world(c, &matrix);
    }
}

static spring_volume interpolate(const spring_volume *a, const spring_volume *b, float t, bool is_plane) {
    if (t >= 1.0f) return *b;
    spring_volume v = {
        .position = sinew_vec3_lerp(a->position, b->position, t),
        .axis = sinew_vec3_lerp(a->axis, b->axis, t),
        .radius = a->radius + (b->radius - a->radius) * t,
    };
    if (is_plane) v.axis = sinew_vec3_normalize(v.axis);
    return v;
}

// ---- Directions ----------------------------------------------------------------------------------------------

void sinew_spring_set_angle(spring_bone *bone, sinew_vec3 axis, float cosine) {
    const float c = cosine > 1.0f ? 1.0f : cosine > -1.0f ? cosine : -1.0f;
    sinew_vec3 side = ik_reject(bone->vector, axis);
    const bool is_along = ik_is_parallel(bone->vector, side);
    side = is_along ? ik_perpendicular(axis) : ik_normalize(side);
    const sinew_vec3 direction = ik_add(ik_scale(axis, c), ik_scale(side, sqrtf(1.0f - c * c)));
    bone->vector = ik_scale(direction, bone->length);
}

// ---- Collisions ----------------------------------------------------------------------------------------------

// What a collider forbids to a tail: it must be on the outside (or inside) of a sphere, or on the side of a plane.
typedef struct spring_contact {
    sinew_vec3 from_head; // to the centre of the sphere; of a plane its normal
    sinew_vec3 direction; // in which the tail is pushed; unit
    float depth;          // how far the tail is beyond the surface; not above 0: no contact
    float distance;       // the least from the centre, or the largest if inside
} spring_contact;

static spring_contact contact_with_plane(const spring_volume *volume, const spring_bone *bone) {
    const sinew_vec3 tail = ik_add(bone->head, bone->vector);
    const float height = ik_dot(volume->axis, ik_subtract(tail, volume->position));
    return (spring_contact){.from_head = volume->axis, .direction = volume->axis, .depth = bone->radius - height};
}

static spring_contact contact_with_sphere(const spring_volume *volume, const sinew_spring_collider *collider,
                                          const spring_bone *bone) {
    const sinew_vec3 tail = ik_subtract(ik_add(bone->head, bone->vector), volume->position);
    sinew_vec3 center = {0, 0, 0};
    if (collider->shape == SINEW_SPRING_SHAPE_CAPSULE) {
        const float whole = ik_dot(volume->axis, volume->axis), along = ik_dot(volume->axis, tail);
        if (along > 0.0f) center = ik_scale(volume->axis, along < whole ? along / whole : 1.0f);
    }
    const sinew_vec3 away = ik_subtract(tail, center);
    const float square = ik_dot(away, away);
    spring_contact contact = {.depth = 0.0f};
    contact.distance = collider->inside ? volume->radius - bone->radius : volume->radius + bone->radius;
    const bool is_outside = contact.distance < 0.0f || square > contact.distance * contact.distance;
    if (is_outside != collider->inside) return contact;
    const float length = sqrtf(square);
    contact.from_head = ik_subtract(ik_add(volume->position, center), bone->head);
    contact.depth = collider->inside ? length - contact.distance : contact.distance - length;
    if (length > 0.0f) contact.direction = ik_scale(away, (collider->inside ? -1.0f : 1.0f) / length);
    return contact;
}

static void push(const spring_contact *contact, spring_bone *bone) {
    bone->vector = ik_add(bone->vector, ik_scale(contact->direction, contact->depth));
    const float length = ik_length(bone->vector);
    if (length > 0.0f) bone->vector = ik_scale(bone->vector, bone->length / length);
}

// Rotates the bone to the cone of the contact.
static void rotate_out(const spring_contact *contact, bool is_plane, spring_bone *bone) {
    if (is_plane) {
        const float height = ik_dot(contact->from_head, bone->vector) + contact->depth;
        sinew_spring_set_angle(bone, contact->from_head, height / bone->length);
        return;
    }
    const float distance = ik_length(contact->from_head), length = bone->length;
    if (!(distance > 1e-6f * length)) return; // every direction is as far from the centre
    const float limit = contact->distance > 0.0f ? contact->distance : 0.0f;
    const float cosine = (length * length + distance * distance - limit * limit) / (2.0f * length * distance);
    sinew_spring_set_angle(bone, ik_scale(contact->from_head, 1.0f / distance), cosine);
}

void sinew_spring_collide(const sinew_springs *springs, const spring_chain *chain, const spring_state_parts *state,
                          float alpha, spring_bone *bone) {
    const int32_t *indices = springs->collider_indices + chain->first_collider;
    bool touches = true;
    for (int pass = 0; pass < (chain->vrm ? 1 : PASSES) && touches; pass++) {
        touches = false;
        for (int32_t i = 0; i < chain->collider_count; i++) {
            const sinew_spring_collider *collider = &springs->colliders[indices[i]];
            const bool is_plane = collider->shape == SINEW_SPRING_SHAPE_PLANE;
            const spring_volume volume =
                interpolate(&state->last_volumes[indices[i]], &state->volumes[indices[i]], alpha, is_plane);
            const spring_contact contact =
                is_plane ? contact_with_plane(&volume, bone) : contact_with_sphere(&volume, collider, bone);
            if (!(contact.depth > 0.0f)) continue;
            if (chain->vrm) {
                push(&contact, bone);
            } else if (contact.depth > 1e-6f * bone->length) {
                rotate_out(&contact, is_plane, bone);
                touches = true;
            }
        }
    }
}
