// SPDX-License-Identifier: MIT
// parts.c - grows the surface parts of a character: points, weights, colours and baked shade.
#include "body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- parts ----

part *parts_add(parts *all, uint32_t srgb, double cell, size_t points, double spread) {
    if (all->count == PARTS_MAX) {
        fprintf(stderr, "make-models: too many parts\n");
        exit(1);
    }
    part *p = &all->items[all->count++];
    p->color = rgb_from_srgb(srgb);
    p->cell = cell;
    p->points = points;
    p->spread = spread;
    p->base = -1;
    p->shade = 0.55;
    return p;
}

part *parts_layer(parts *all, int base, uint32_t srgb, double thickness, double cell, size_t points) {
    part *p = parts_add(all, srgb, cell, points, 0.0);
    p->field = all->items[base].field;
    p->base = base;
    field_grow(&p->field, thickness);
    return p;
}

part *parts_band(parts *all, int base, uint32_t srgb, double thickness, double cell, size_t points, double low,
                 double high) {
    part *p = parts_layer(all, base, srgb, thickness, cell, points);
    field_keep(&p->field, v3(0, low, 0), v3(0, high, 0), 0.004);
    return p;
}

void add_column(part *p, double y0, double z0, double r0, double y1, double z1, double r1, double flat) {
    field_flat_cone(&p->field, v3(0, y0, z0), v3(0, y1, z1), r0, r1, flat, v3(0, 0, 1));
}

void add_lock(part *p, const lock *l, double middle, double tip) {
    field_cone(&p->field, l->a, l->b, l->radius, l->radius * middle);
    field_cone(&p->field, l->b, l->c, l->radius * middle, l->radius * tip);
}

void brush_also(part *p, const rig *r, const char *names, enum side side) {
    while (*names != '\0') {
        char name[24] = {0};
        size_t length = strcspn(names, " ");
        memcpy(name, names, length < sizeof name - 1 ? length : sizeof name - 1);
        names += length + strspn(names + length, " ");
        if (p->field.brush.bone_count == PRIM_BONES) {
            fprintf(stderr, "make-models: too many joints for one brush\n");
            exit(1);
        }
        p->field.brush.bones[p->field.brush.bone_count++] = rig_find(r, name, side);
    }
}

void brush(part *p, const rig *r, double blend, const char *names, enum side side) {
    p->field.brush.op = OP_JOIN;
    p->field.brush.blend = blend;
    p->field.brush.bone_count = 0;
    brush_also(p, r, names, side);
}

void tint(part *p, vec3 at, double radius, uint32_t srgb, double strength) {
    if (p->tint_count == TINTS_MAX) {
        fprintf(stderr, "make-models: too many tints on one part\n");
        exit(1);
    }
    p->tints[p->tint_count++] = (tint_spot){at, radius, strength, rgb_from_srgb(srgb)};
}

// ---- vertices ----

static rgb tinted(const part *p, vec3 at) {
    rgb c = p->color;
    for (int i = 0; i < p->tint_count; i++) {
        const tint_spot *s = &p->tints[i];
        double t = s->strength * smooth(1.0 - v3_distance(at, s->at) / s->radius);
        c = (rgb){mix(c.r, s->color.r, t), mix(c.g, s->color.g, t), mix(c.b, s->color.b, t)};
    }
    return c;
}

/// Whether `p` is farther than `range` from the bounds of a part.
static bool beyond(const part *other, vec3 p, double range) {
    vec3 low = other->low, high = other->high;
    return p.x < low.x - range || p.y < low.y - range || p.z < low.z - range || p.x > high.x + range ||
           p.y > high.y + range || p.z > high.z + range;
}

/// The ambient openness at a point, 0 to 1, which is baked into the colours.
static double openness(const parts *all, vec3 p, vec3 normal) {
    double shade = 0.0, weight = 1.0;
    for (int i = 1; i <= 4; i++) {
        double height = 0.012 * i * i;
        vec3 at = v3_mad(p, normal, height);
        double nearest = height;
        for (int k = 0; k < all->count; k++) {
            if (!beyond(&all->items[k], at, nearest)) {
                nearest = fmin(nearest, field_at(&all->items[k].field, at));
            }
        }
        shade += weight * (height - fmax(nearest, 0.0)) / height;
        weight *= 0.6;
    }
    return 1.0 - shade / 2.176; // the sum of the weights
}

/// The four largest weights of a point, in steps of 1/255 with a sum of exactly 255.
static void pack_weights(vertex *v, const double *weights, int count) {
    double best[INFLUENCES] = {0};
    for (int i = 0; i < count; i++) {
        double w = weights[i];
        int place = INFLUENCES;
        while (place > 0 && w > best[place - 1]) {
            place--;
        }
        for (int k = INFLUENCES - 1; k > place; k--) {
            best[k] = best[k - 1];
            v->joint[k] = v->joint[k - 1];
        }
        if (place < INFLUENCES) {
            best[place] = w;
            v->joint[place] = (uint8_t)i;
        }
    }
    double sum = best[0] + best[1] + best[2] + best[3];
    int left = 255;
    for (int k = INFLUENCES - 1; k >= 0; k--) { // the largest takes the remainder of rounding
        int w = k == 0 ? left : (int)(255.0 * best[k] / sum + 0.5);
        v->weight[k] = (uint8_t)w;
        v->joint[k] = w > 0 ? v->joint[k] : 0;
        left -= w;
    }
}

/// Marks the points deep inside of the base part, where they are invisible.
static bool *hidden_points(const parts *all, const part *p, const surface *s) {
    bool *hidden = must_alloc(s->point_count, sizeof *hidden);
    for (size_t i = 0; i < s->point_count && p->base >= 0; i++) {
        hidden[i] = field_at(&all->items[p->base].field, s->points[i]) < -0.003;
    }
    return hidden;
}

static vertex make_vertex(const parts *all, const part *p, const surface *s, size_t point) {
    vertex v = {.position = field_project(&p->field, s->points[point])};
    v.normal = v3_unit(field_gradient(&p->field, v.position));
    double light = 1.0 - p->shade * (1.0 - openness(all, v.position, v.normal));
    rgb c = tinted(p, v.position);
    v.color = (rgb){c.r * light, c.g * light, c.b * light};
    pack_weights(&v, s->weights + point * (size_t)s->bones, s->bones);
    return v;
}

static void add_surface(mesh *m, const parts *all, const part *p, const surface *s) {
    bool *hidden = hidden_points(all, p, s);
    uint32_t *indices = must_alloc(s->point_count, sizeof *indices); // 0: none yet, otherwise the index plus 1
    for (size_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *c = s->triangles + 3 * t;
        if (hidden[c[0]] && hidden[c[1]] && hidden[c[2]]) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            if (indices[c[k]] == 0) {
                indices[c[k]] = mesh_vertex(m, make_vertex(all, p, s, c[k])) + 1;
            }
        }
        mesh_triangle(m, indices[c[0]] - 1, indices[c[1]] - 1, indices[c[2]] - 1);
    }
    free(hidden);
    free(indices);
}

/// Adds the surface of a part to its mesh.
static void add_part(mesh *meshes, const parts *all, part *p, const surface *s) {
    mesh *m = &meshes[p->mesh];
    p->first_vertex = m->vertex_count;
    add_surface(m, all, p, s);
    p->vertex_count = m->vertex_count - p->first_vertex;
}

/// Grows one part and adds it to its mesh. `own` keeps its dense surface for the layers on it.
static void grow_part(mesh *meshes, const parts *all, int index, const rig *r, surface *own) {
    part *p = &all->items[index];
    surface s = surface_grow(&p->field, p->cell);
    if (p->base >= 0) {
        surface_thin(&s, p->points);
        surface_follow(&s, &own[p->base]);
        add_part(meshes, all, p, &s);
        surface_free(&s);
        return;
    }
    bone bones[RIG_JOINTS];
    for (int i = 0; i < r->count; i++) {
        bones[i] = r->joints[i].skin;
    }
    surface_weigh(&s, &p->field, bones, r->count, p->spread);
    own[index] = surface_copy(&s);
    surface_thin(&s, p->points);
    add_part(meshes, all, p, &s);
    surface_free(&s);
}

void parts_grow(const parts *all, const rig *r, mesh *meshes) {
    surface *own = must_alloc((size_t)all->count, sizeof *own);
    for (int i = 0; i < all->count; i++) {
        part *p = &all->items[i];
        field_bounds(&p->field, &p->low, &p->high);
    }
    for (int i = 0; i < all->count; i++) {
        grow_part(meshes, all, i, r, own);
    }
    for (int i = 0; i < all->count; i++) {
        surface_free(&own[i]);
    }
    free(own);
}
