// SPDX-License-Identifier: MIT
// The light on the ground below a model: a soft shadow of the key light, and contact shadows.
#ifndef DRAW_GROUND_H
#define DRAW_GROUND_H

#include "render/program.h"

// Both are maps of the ground from above. A model is projected onto the ground, along the key light or straight down,
// with each point's height as its depth; then the map is blurred. The lower a point, the sharper its shadow.
enum { DRAW_GROUND_SHADOW, DRAW_GROUND_CONTACT, DRAW_GROUND_MAPS };

typedef struct draw_ground {
    int size;            // of the maps, in texels
    GLuint blur;         // the program
    GLuint vertex_array; // of no vertices
    GLuint depth, depth_framebuffer;
    GLuint half, half_framebuffer;                                     // blurred from left to right
    GLuint maps[DRAW_GROUND_MAPS], map_framebuffers[DRAW_GROUND_MAPS]; // and from top to bottom
} draw_ground;

// The area and the height that the maps cover.
typedef struct draw_ground_area {
    sinew_vec3 middle;
    float half; // metres from the middle to each side
    float height;
    float parts[DRAW_GROUND_MAPS][4]; // the used part of each map: left, bottom, right, top, in [0, 1]
} draw_ground_area;

// The width of a map in texels, for a crowd of that size: `least` without a crowd, and more for each row of it.
int draw_map_size(int least, float row, int32_t crowd, int most);

// The maps have texels for a crowd of so many. False, with the reason in `error`, when OpenGL refuses something. Freed
// with draw_ground_free in both cases.
bool draw_ground_create(draw_ground *ground, const sinew_gl *gl, int32_t crowd, sinew_error *error);
void draw_ground_free(draw_ground *ground);

// The area of the shadow of a box [least, most]; the ground is at the box's bottom.
draw_ground_area draw_ground_area_of(sinew_vec3 least, sinew_vec3 most, sinew_vec3 toward_light);

// The matrix that projects a model onto the area, for one of the maps.
sinew_mat4 draw_ground_projection(const draw_ground_area *area, int map, sinew_vec3 toward_light);

// Begin and end of drawing the projected models.
void draw_ground_begin(const draw_ground *ground);
void draw_ground_end(const draw_ground *ground, const draw_ground_area *area, int map);

// Binds both maps to texture units and sets the uniforms of the program, which must be in use.
void draw_ground_bind(const draw_ground *ground, const draw_ground_area *area, GLuint program, int first_unit);

#endif
