// SPDX-License-Identifier: MIT
// A small sample renderer over sinew-gl: a key light with a shadow, sky light, and a ground.
#ifndef DRAW_RENDERER_H
#define DRAW_RENDERER_H

#include "render/camera.h"
#include "render/ground.h"
#include "render/model.h"
#include "render/program.h"

// Colours in linear light.
typedef struct draw_look {
    bool transparent; // no background
    float top[3], bottom[3];
    float line[4]; // the colour and the opacity of the grid
    float fade;    // the transparency of the models below overlays, from 0 (opaque) to 1
    // Ghosts: the models in other poses, drawn faintly behind them, the faintest first. `pose` is called with each
    // ghost's number, and finally with `ghost_count` for the models themselves; it calls draw_model_pose.
    int ghost_count;
    void (*pose)(int ghost, void *user);
    void *user;
} draw_look;

// The default background; or one of an even sRGB colour, 0xRRGGBB; or none.
draw_look draw_look_default(void);
draw_look draw_look_even(uint32_t rgb);
draw_look draw_look_transparent(void);

enum { DRAW_PASS_SHADOW, DRAW_PASS_PICTURE, DRAW_PASS_WIRE, DRAW_PASSES, DRAW_MAX_PROGRAMS = 96 };

// A linked program of a pass and a shader variant.
typedef struct draw_program {
    int pass;
    sinew_shader_variant variant;
    GLuint name;
} draw_program;

typedef struct draw_renderer {
    sinew_gl *gl;
    draw_program programs[DRAW_MAX_PROGRAMS]; // linked when first used
    int program_count;
    GLuint background, ground;
    draw_ground maps;    // of the light on the ground
    GLuint white;        // a texture for materials without one
    GLuint vertex_array; // for draws without vertices
    int shadow_size;     // of the shadow map, in texels
    GLuint shadow_map, shadow_framebuffer;
} draw_renderer;

// Creates the renderer; the shadow maps are sized for a crowd of that many, 0 for none. Returns false, with the reason in
// `error`, if OpenGL fails. Freed with draw_renderer_free in both cases.
bool draw_renderer_create(draw_renderer *renderer, sinew_gl *gl, int32_t crowd, sinew_error *error);
void draw_renderer_free(draw_renderer *renderer);

// What a picture shows.
typedef struct draw_view {
    draw_camera camera;
    sinew_vec3 least, most; // the bounds of everything that throws a shadow
    sinew_vec3 ground;      // the center of the ground
    float radius;           // of the models; sets the extent of the ground and of its grid
    bool show_ground;
    bool wireframe;          // draws the edges of all triangles over their surfaces
    const draw_model *crowd; // drawn as well; NULL: none
} draw_view;

// Draws the models, posed by draw_model_pose, to the whole of a framebuffer of that size. Returns false, with the reason in
// `error`, if the driver rejects a shader.
bool draw_renderer_draw(draw_renderer *renderer, GLuint framebuffer, int width, int height, const draw_look *look,
                        const draw_view *view, const draw_model *models, int model_count, sinew_error *error);

#endif
