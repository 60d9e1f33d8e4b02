// A small sample renderer over sinew-gl: a key light with a shadow, the sky's light, and a ground to stand on.
#ifndef CLI_RENDERER_H
#define CLI_RENDERER_H

#include "camera.h"
#include "model.h"
#include "program.h"

// Colours in linear light.
typedef struct cli_look {
    bool transparent; // no background
    float top[3], bottom[3];
    float line[4]; // the grid's, and how strong it is
} cli_look;

// The default background; or one of an even sRGB colour, 0xRRGGBB; or none.
cli_look cli_look_default(void);
cli_look cli_look_even(uint32_t rgb);
cli_look cli_look_transparent(void);

enum { CLI_PASS_SHADOW, CLI_PASS_PICTURE, CLI_PASSES, CLI_VARIANTS = 5 };

typedef struct cli_renderer {
    sinew_gl *gl;
    GLuint programs[CLI_PASSES][CLI_VARIANTS]; // linked when first used: rigid; block and texture × influences
    GLuint background, ground;
    GLuint white;        // a texture for materials without one
    GLuint vertex_array; // for what has no vertices of its own
    GLuint shadow_map, shadow_framebuffer;
} cli_renderer;

// False, with the reason printed, when OpenGL refuses something. Freed with cli_renderer_free in both cases.
bool cli_renderer_create(cli_renderer *renderer, sinew_gl *gl);
void cli_renderer_free(cli_renderer *renderer);

// Draws the models, posed by cli_model_pose, over the whole of a framebuffer of that size, as `framing`'s camera
// sees them. False, with the reason printed, when the driver refuses a shader.
bool cli_renderer_draw(cli_renderer *renderer, GLuint framebuffer, int width, int height, const cli_look *look,
                       const cli_framing *framing, const cli_model *models, int model_count);

#endif
