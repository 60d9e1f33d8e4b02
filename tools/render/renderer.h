// A small sample renderer over sinew-gl: a key light with a shadow, the sky's light, and a ground to stand on.
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
    float line[4]; // the grid's, and how strong it is
    float fade;    // how much of the models is taken away, so that what is drawn over them is seen; 0: nothing
    // Ghosts: the models in other poses, drawn faintly behind them, the faintest first. `pose` is called with each
    // ghost's number, and at last with `ghost_count` for the models themselves; it calls draw_model_pose.
    int ghost_count;
    void (*pose)(int ghost, void *user);
    void *user;
} draw_look;

// The default background; or one of an even sRGB colour, 0xRRGGBB; or none.
draw_look draw_look_default(void);
draw_look draw_look_even(uint32_t rgb);
draw_look draw_look_transparent(void);

enum { DRAW_PASS_SHADOW, DRAW_PASS_PICTURE, DRAW_PASS_WIRE, DRAW_PASSES, DRAW_MOST_PROGRAMS = 96 };

// What draws some parts in one of the passes.
typedef struct draw_program {
    int pass;
    sinew_shader_variant variant;
    GLuint name;
} draw_program;

typedef struct draw_renderer {
    sinew_gl *gl;
    draw_program programs[DRAW_MOST_PROGRAMS]; // linked when first used
    int program_count;
    GLuint background, ground;
    draw_ground maps;    // of the light on the ground
    GLuint white;        // a texture for materials without one
    GLuint vertex_array; // for what has no vertices of its own
    int shadow_size;     // of the shadow map, in texels
    GLuint shadow_map, shadow_framebuffer;
} draw_renderer;

// The maps of shadows have texels for a crowd of so many, or for none (0). False, with the reason in `error`, when OpenGL
// refuses something. Freed with draw_renderer_free in both cases.
bool draw_renderer_create(draw_renderer *renderer, sinew_gl *gl, int32_t crowd, sinew_error *error);
void draw_renderer_free(draw_renderer *renderer);

// Draws the models, posed by draw_model_pose, over the whole of a framebuffer of that size, as `framing`'s camera
// sees them. False, with the reason in `error`, when the driver refuses a shader.
bool draw_renderer_draw(draw_renderer *renderer, GLuint framebuffer, int width, int height, const draw_look *look,
                        const draw_framing *framing, const draw_model *models, int model_count, sinew_error *error);

// A view with a camera of its own.
typedef struct draw_view {
    draw_camera camera;
    sinew_vec3 least, most; // the box of all that throws a shadow
    sinew_vec3 ground;      // its middle
    float radius;           // of what stands on the ground, whose reach and grid follow from it
    bool show_ground;
    bool wireframe;          // the edges of all triangles over their surfaces
    const draw_model *crowd; // is drawn too, as many; NULL: none
} draw_view;

// The same as draw_renderer_draw for such a view.
bool draw_renderer_draw_view(draw_renderer *renderer, GLuint framebuffer, int width, int height,
                             const draw_look *look, const draw_view *view, const draw_model *models,
                             int model_count, sinew_error *error);

#endif
