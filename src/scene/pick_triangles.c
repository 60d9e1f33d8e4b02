// SPDX-License-Identifier: MIT
// Rays against boxes and triangles.
//
// A ray is an origin and a direction of any length. Distances are in lengths of the direction. A slab is the space
// between two parallel faces of a box. An edge function is twice the signed area of the triangle between the origin and
// an edge of a sheared triangle. e[i] belongs to the edge opposite corner i.
#include <sinew/scene/pick.h>

#include "base/float_rules.h"

#include <assert.h>
#include <math.h>

// ---- Boxes ---------------------------------------------------------------------------------------------------

// The part of a ray inside a box, as the distances of its ends.
typedef struct ray_interval {
    float from, to;
} ray_interval;

// Clips an interval to the space between two parallel faces. Returns false if nothing is left. Both ends are rounded
// twice. The far one moves outward by more than that error (Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013).
static bool clip_to_slab(ray_interval *s, float origin, float direction, float min, float max) {
    const float later = 1.0f + 8.0f / 16777216.0f;
    if (direction == 0.0f) return !(origin < min || origin > max);
    float a = (min - origin) / direction, b = (max - origin) / direction;
    float enters = direction > 0.0f ? a : b, leaves = (direction > 0.0f ? b : a) * later;
    if (enters > s->from) s->from = enters;
    if (leaves < s->to) s->to = leaves;
    return !(s->from > s->to);
}

// Whether a ray hits a box, and the distance where it enters. The distance is 0 from inside.
bool sinew_ray_box(sinew_ray ray, sinew_box box, float *distance) {
    if (sinew_box_is_empty(box)) return false;
    ray_interval s = {0.0f, INFINITY};
    bool hit = clip_to_slab(&s, ray.origin.x, ray.direction.x, box.min.x, box.max.x) &&
               clip_to_slab(&s, ray.origin.y, ray.direction.y, box.min.y, box.max.y) &&
               clip_to_slab(&s, ray.origin.z, ray.direction.z, box.min.z, box.max.z);
    if (hit && distance) *distance = s.from;
    return hit;
}

// ---- Triangles -----------------------------------------------------------------------------------------------

// Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013. Space is sheared until the ray runs
// along one axis. The ray then hits a triangle if the origin of the other two axes is inside, by the signs of three
// edge functions. Two triangles that share an edge compute the same number for it, apart from the sign, so no ray slips
// between them. If a number is 0, its sign is computed in double precision.
typedef struct sheared_ray {
    float origin[3];
    int x, y, z; // axis indices; z is the axis of the direction's largest component
    float shear_x, shear_y, scale_z;
} sheared_ray;

// Finds the axis along which the ray is longest, and the shear that aligns the ray with it.
static sheared_ray shear_ray(sinew_ray ray) {
    const float d[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
    sheared_ray out = {.origin = {ray.origin.x, ray.origin.y, ray.origin.z}};
    for (int i = 1; i < 3; i++)
        if (fabsf(d[i]) > fabsf(d[out.z])) out.z = i;
    out.x = (out.z + 1) % 3;
    out.y = (out.z + 2) % 3;
    out.shear_x = d[out.x] / d[out.z];
    out.shear_y = d[out.y] / d[out.z];
    out.scale_z = 1.0f / d[out.z];
    return out;
}

// A corner in sheared space.
typedef struct corner {
    float x, y, z;
} corner;

static corner shear_corner(const sheared_ray *ray, const float *position) {
    float x = position[ray->x] - ray->origin[ray->x], y = position[ray->y] - ray->origin[ray->y],
          z = position[ray->z] - ray->origin[ray->z];
    return (corner){x - ray->shear_x * z, y - ray->shear_y * z, ray->scale_z * z};
}

static float edge_function(corner a, corner b) {
    return a.x * b.y - a.y * b.x;
}

static float edge_function_in_double(corner a, corner b) {
    return (float)((double)a.x * (double)b.y - (double)a.y * (double)b.x);
}

static bool has_both_signs(const float e[3]) {
    return (e[0] < 0.0f || e[1] < 0.0f || e[2] < 0.0f) && (e[0] > 0.0f || e[1] > 0.0f || e[2] > 0.0f);
}

// Fills distance and barycentrics of a hit that is closer than max_distance. If an edge function is 0, all three are
// computed in double precision.
static bool hit_triangle(const sheared_ray *ray, const float *a, const float *b, const float *c, float max_distance,
                         sinew_triangle_hit *hit) {
    corner p = shear_corner(ray, a), q = shear_corner(ray, b), r = shear_corner(ray, c);
    float e[3] = {edge_function(r, q), edge_function(p, r), edge_function(q, p)};
    if (e[0] == 0.0f || e[1] == 0.0f || e[2] == 0.0f) {
        e[0] = edge_function_in_double(r, q);
        e[1] = edge_function_in_double(p, r);
        e[2] = edge_function_in_double(q, p);
    }
    if (has_both_signs(e)) return false;
    float sum = e[0] + e[1] + e[2];
    if (sum == 0.0f || isinf(sum)) return false;
    float distance = (e[0] * p.z + e[1] * q.z + e[2] * r.z) / sum;
    if (!(distance >= 0.0f && distance < max_distance)) return false; // also false for NaN
    hit->distance = distance;
    for (int i = 0; i < 3; i++) hit->barycentrics[i] = e[i] / sum;
    return true;
}

// The nearest hit in a triangle list that is closer than max_distance. Both sides of a triangle count.
bool sinew_pick_triangles(sinew_ray ray, const float *positions, const uint32_t *indices, int32_t index_count,
                          float max_distance, sinew_triangle_hit *hit) {
    const sheared_ray sheared = shear_ray(ray);
    bool found = false;
    for (int32_t i = 0; i + 2 < index_count; i += 3) {
        const float *a = positions + 3 * (size_t)indices[i], *b = positions + 3 * (size_t)indices[i + 1],
                    *c = positions + 3 * (size_t)indices[i + 2];
        if (!hit_triangle(&sheared, a, b, c, found ? hit->distance : max_distance, hit)) continue;
        hit->triangle = i / 3;
        found = true;
    }
    return found;
}
