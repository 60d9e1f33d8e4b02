// Rays against boxes and triangles.
#include <sinew/pick.h>

#include "core/float_rules.h"

#include <assert.h>
#include <math.h>

// ---- Boxes ---------------------------------------------------------------------------------------------------

// Where a ray is inside of a box: between two distances.
typedef struct stretch {
    float from, to;
} stretch;

// The part that is between two parallel faces. Both ends are rounded twice: the far one is put off by more than what
// that comes to (Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013).
static bool cut(stretch *s, float origin, float direction, float min, float max) {
    const float later = 1.0f + 8.0f / 16777216.0f;
    if (direction == 0.0f) return !(origin < min || origin > max);
    float a = (min - origin) / direction, b = (max - origin) / direction;
    float enters = direction > 0.0f ? a : b, leaves = (direction > 0.0f ? b : a) * later;
    if (enters > s->from) s->from = enters;
    if (leaves < s->to) s->to = leaves;
    return !(s->from > s->to);
}

bool sinew_ray_box(const sinew_ray *ray, const sinew_box *box, float *distance) {
    assert(ray && box);
    if (sinew_box_is_empty(*box)) return false;
    stretch s = {0.0f, INFINITY};
    bool met = cut(&s, ray->origin.x, ray->direction.x, box->min.x, box->max.x) &&
               cut(&s, ray->origin.y, ray->direction.y, box->min.y, box->max.y) &&
               cut(&s, ray->origin.z, ray->direction.z, box->min.z, box->max.z);
    if (met && distance) *distance = s.from;
    return met;
}

// ---- Triangles -----------------------------------------------------------------------------------------------

// Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013: space is sheared so that the ray runs
// along one axis; what is left is whether the origin of a plane lies inside of a triangle, by the signs of three edge
// functions. Two triangles that share an edge compute the same number for it, but for the sign, so no ray slips
// between them. Where a number is 0, its sign is found in double.
typedef struct sheared_ray {
    float origin[3];
    int x, y, z; // the axes; z is that along which the ray goes furthest
    float shear_x, shear_y, scale_z;
} sheared_ray;

static sheared_ray shear(const sinew_ray *ray) {
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    sheared_ray out = {.origin = {ray->origin.x, ray->origin.y, ray->origin.z}};
    for (int i = 1; i < 3; i++)
        if (fabsf(d[i]) > fabsf(d[out.z])) out.z = i;
    out.x = (out.z + 1) % 3;
    out.y = (out.z + 2) % 3;
    out.shear_x = d[out.x] / d[out.z];
    out.shear_y = d[out.y] / d[out.z];
    out.scale_z = 1.0f / d[out.z];
    return out;
}

// A corner in the sheared space.
typedef struct corner {
    float x, y, z;
} corner;

static corner sheared(const sheared_ray *ray, const float *place) {
    float x = place[ray->x] - ray->origin[ray->x], y = place[ray->y] - ray->origin[ray->y],
          z = place[ray->z] - ray->origin[ray->z];
    return (corner){x - ray->shear_x * z, y - ray->shear_y * z, ray->scale_z * z};
}

static float edge(corner a, corner b) {
    return a.x * b.y - a.y * b.x;
}

static float edge_in_double(corner a, corner b) {
    return (float)((double)a.x * (double)b.y - (double)a.y * (double)b.x);
}

static bool has_both_signs(const float e[3]) {
    return (e[0] < 0.0f || e[1] < 0.0f || e[2] < 0.0f) && (e[0] > 0.0f || e[1] > 0.0f || e[2] > 0.0f);
}

static bool meet(const sheared_ray *ray, const float *a, const float *b, const float *c, float max_distance,
                 sinew_triangle_hit *hit) {
    corner p = sheared(ray, a), q = sheared(ray, b), r = sheared(ray, c);
    float e[3] = {edge(r, q), edge(p, r), edge(q, p)};
    if (e[0] == 0.0f || e[1] == 0.0f || e[2] == 0.0f) {
        e[0] = edge_in_double(r, q);
        e[1] = edge_in_double(p, r);
        e[2] = edge_in_double(q, p);
    }
    if (has_both_signs(e)) return false;
    float sum = e[0] + e[1] + e[2];
    if (sum == 0.0f || isinf(sum)) return false;
    float distance = (e[0] * p.z + e[1] * q.z + e[2] * r.z) / sum;
    if (!(distance >= 0.0f && distance < max_distance)) return false; // what is not a number, too
    hit->distance = distance;
    for (int i = 0; i < 3; i++) hit->barycentrics[i] = e[i] / sum;
    return true;
}

bool sinew_pick_triangles(const sinew_ray *ray, const float *positions, const uint32_t *indices,
                          int32_t index_count, float max_distance, sinew_triangle_hit *hit) {
    const sheared_ray sheared_one = shear(ray);
    bool met = false;
    for (int32_t i = 0; i + 2 < index_count; i += 3) {
        const float *a = positions + 3 * (size_t)indices[i], *b = positions + 3 * (size_t)indices[i + 1],
                    *c = positions + 3 * (size_t)indices[i + 2];
        if (!meet(&sheared_one, a, b, c, met ? hit->distance : max_distance, hit)) continue;
        hit->triangle = i / 3;
        met = true;
    }
    return met;
}
