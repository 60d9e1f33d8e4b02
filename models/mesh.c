// SPDX-License-Identifier: MIT
// mesh.c - growing triangle lists, and colours.
#include "models.h"

#include <stdlib.h>

static double linear_from_srgb(uint32_t byte) {
    double s = (double)(byte & 0xFF) / 255.0;
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

rgb rgb_from_srgb(uint32_t hex) {
    return (rgb){linear_from_srgb(hex >> 16), linear_from_srgb(hex >> 8), linear_from_srgb(hex)};
}

uint32_t mesh_vertex(mesh *m, vertex v) {
    if (m->vertex_count == m->vertex_space) {
        m->vertex_space = m->vertex_space * 2 + 64;
        m->vertices = must_realloc(m->vertices, m->vertex_space, sizeof *m->vertices);
    }
    m->vertices[m->vertex_count] = v;
    return (uint32_t)m->vertex_count++;
}

static void push_index(mesh *m, uint32_t index) {
    if (m->index_count == m->index_space) {
        m->index_space = m->index_space * 2 + 64;
        m->indices = must_realloc(m->indices, m->index_space, sizeof *m->indices);
    }
    m->indices[m->index_count++] = index;
}

void mesh_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    push_index(m, a);
    push_index(m, b);
    push_index(m, c);
}

void mesh_free(mesh *m) {
    free(m->vertices);
    free(m->indices);
    *m = (mesh){0};
}
