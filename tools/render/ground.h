// SPDX-License-Identifier: MIT
// The light on the ground below a model: the key light's soft shadow, and contact shadows.
#ifndef DRAW_GROUND_H
#define DRAW_GROUND_H

#include "render/program.h"

// Both are maps of the ground, seen from above. A model is projected onto the ground, along the key light or straight
// down, with each point's height as its depth. Then the map is blurred. Lower points have sharper shadows.
enum { DRAW_GROUND_SHADOW, DRAW_GROUND_CONTACT, DRAW_GROUND_MAPS };

typedef struct draw_ground {
    int size;            // of the maps, in texels
    GLuint blur;         // program
    GLuint vertex_array; // without vertices
    GLuint depth, depth_framebuffer;
    GLuint half, half_framebuffer;                                     // blurred from left to right
    GLuint maps[DRAW_GROUND_MAPS], map_framebuffers[DRAW_GROUND_MAPS]; // then blurred from top to bottom
} draw_ground;

// The area and height that the maps cover.
typedef struct draw_ground_area {
    sinew_vec3 middle;
    float half; // meters from the middle to each side
    float height;
    float parts[DRAW_GROUND_MAPS][4]; // each map's used part: left, bottom, right, top, in [0, 1]
} draw_ground_area;

// Returns a map's width in texels: `least` without a crowd, and more for each of the crowd's rows.
int draw_map_size(int least, float row, int32_t crowd, int most);

// Creates maps with enough texels for a crowd of this size. On failure, returns false with the reason in `error`. Call
// draw_ground_free either way.
bool draw_ground_create(draw_ground *ground, const sinew_gl *gl, int32_t crowd, sinew_error *error);
void draw_ground_free(draw_ground *ground);

// Returns the area of a box's shadow. The box is [least, most], and the ground is at its bottom.
draw_ground_area draw_ground_area_of(sinew_vec3 least, sinew_vec3 most, sinew_vec3 toward_light);

// Returns the matrix that projects a model onto the area, for one of the maps.
sinew_mat4 draw_ground_projection(const draw_ground_area *area, int map, sinew_vec3 toward_light);

// Call these before and after drawing the projected models.
void draw_ground_begin(const draw_ground *ground);
void draw_ground_end(const draw_ground *ground, const draw_ground_area *area, int map);

// Binds both maps to texture units and sets the program's uniforms. The program must be in use.
void draw_ground_bind(const draw_ground *ground, const draw_ground_area *area, GLuint program, int first_unit);

#endif
