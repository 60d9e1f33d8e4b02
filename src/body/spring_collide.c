// SPDX-License-Identifier: MIT
// Places colliders in the world. The kernels move tails out of them.
#include "body/spring_data.h"

#include "body/ik_math.h"

static float largest_scale(const sinew_affine *m) {
    float largest = 0.0f;
    for (int column = 0; column < 3; column++) {
        const sinew_vec3 v = {m->m[0][column], m->m[1][column], m->m[2][column]};
        const float square = ik_dot(v, v);
        if (square > largest) largest = square;
    }
    return sqrtf(largest);
}

// A plane's normal is transformed by the inverse transpose. Up to the determinant, that's the cofactor matrix.
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

static void put_vec3(float *out, sinew_vec3 v) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static void place(const sinew_spring_collider *c, const sinew_affine *matrix, sinewi_spring_volume *volume) {
    const sinew_vec3 position = ik_point(matrix, c->offset);
    sinew_vec3 axis = {0, 0, 0};
    if (c->shape == SINEW_SPRING_SHAPE_PLANE) axis = sinew_vec3_normalize(normal_in_world(matrix, c->normal));
    if (c->shape == SINEW_SPRING_SHAPE_CAPSULE) axis = ik_subtract(ik_point(matrix, c->tail), position);
    put_vec3(volume->position, position);
    put_vec3(volume->axis, axis);
    volume->radius = c->shape == SINEW_SPRING_SHAPE_PLANE ? 0.0f : c->radius * largest_scale(matrix);
    volume->unscaled_radius = c->radius;
}

void sinewi_spring_place_colliders(const sinew_springs *springs, const sinew_affine *world,
                                   const sinew_affine *model, sinewi_spring_volume *volumes) {
    for (int32_t i = 0; i < springs->collider_count; i++) {
        const sinew_spring_collider *c = &springs->colliders[i];
        const sinew_affine matrix =
            c->node == SINEW_NO_NODE ? sinew_affine_identity() : sinew_affine_multiply(*world, model[c->node]);
        place(c, &matrix, &volumes[i]);
    }
}
