// SPDX-License-Identifier: MIT
// A small sample renderer that uses sinew-gl: a key light with a shadow, sky light and a ground.
#ifndef DRAW_RENDERER_H
#define DRAW_RENDERER_H

#include "render/camera.h"
#include "render/ground.h"
#include "render/model.h"
#include "render/program.h"

// How pictures look. Colors are linear.
typedef struct draw_look {
    bool transparent; // no background
    float top[3], bottom[3];
    float line[4]; // the grid's color and opacity
    float fade;    // how transparent the models are below overlays, from 0 (opaque) to 1
    // Ghosts are the models in other poses, drawn faintly behind them, the faintest first. `pose` is called with each
    // ghost's number, and finally with `ghost_count` for the models themselves. It must call draw_model_pose.
    int ghost_count;
    void (*pose)(int ghost, void *user);
    void *user;
} draw_look;

// Return the default background, or an even sRGB color 0xRRGGBB, or no background.
draw_look draw_look_default(void);
draw_look draw_look_even(uint32_t rgb);
draw_look draw_look_transparent(void);

enum { DRAW_PASS_SHADOW, DRAW_PASS_PICTURE, DRAW_PASS_WIRE, DRAW_PASSES, DRAW_MAX_PROGRAMS = 96 };

// A linked program for a pass and a shader variant.
typedef struct draw_program {
    int pass;
    sinew_shader_variant variant;
    GLuint name;
} draw_program;

typedef struct draw_renderer {
    sinew_gl *gl;
    draw_program programs[DRAW_MAX_PROGRAMS]; // linked at their first use
    int program_count;
    GLuint background, ground;
    draw_ground maps;    // light on the ground
    GLuint white;        // texture for materials without one
    GLuint vertex_array; // for draws without vertices
    int shadow_size;     // the shadow map's, in texels
    GLuint shadow_map, shadow_framebuffer;
} draw_renderer;

// Creates the renderer, with shadow maps sized for a crowd, or 0 for none. On failure, returns false with the reason in
// `error`. Call draw_renderer_free either way.
bool draw_renderer_create(draw_renderer *renderer, sinew_gl *gl, int32_t crowd, sinew_error *error);
void draw_renderer_free(draw_renderer *renderer);

// What a picture shows.
typedef struct draw_view {
    draw_camera camera;
    sinew_vec3 least, most; // bounds of everything that casts a shadow
    sinew_vec3 ground;      // center of the ground
    float radius;           // the models' radius; sets the size of the ground and its grid
    bool show_ground;
    bool wireframe;          // draw all triangle edges over their surfaces
    const draw_model *crowd; // drawn besides the models; may be NULL
} draw_view;

// Draws the models to a whole framebuffer of this size. Call draw_model_pose first. If the driver rejects a shader,
// returns false with the reason in `error`.
bool draw_renderer_draw(draw_renderer *renderer, GLuint framebuffer, int width, int height, const draw_look *look,
                        const draw_view *view, const draw_model *models, int model_count, sinew_error *error);

#endif
