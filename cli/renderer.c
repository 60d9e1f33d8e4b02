// The sample renderer's passes: shadow map, background, what is opaque, the ground, what is not.
#include "renderer.h"

#include "cli.h"

#include <math.h>

enum { SHADOW_SIZE = 1024, COLOR_UNIT = 0, SHADOW_UNIT = 1 };

// Toward the key light: from the left of the camera, above and a little in front.
static const sinew_vec3 toward_light = {-0.115f, 0.801f, 0.588f};

// ---- Looks ---------------------------------------------------------------------------------------------------

static float linear_channel(uint32_t rgb, int shift) {
    float s = (float)((rgb >> shift) & 255u) / 255.0f;
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static void linear_color(uint32_t rgb, float *out) {
    for (int i = 0; i < 3; i++) out[i] = linear_channel(rgb, 16 - 8 * i);
}

cli_look cli_look_default(void) {
    cli_look look = {.line = {0.08f, 0.09f, 0.11f, 0.22f}};
    linear_color(0xccd5de, look.top);
    linear_color(0xf1f1ee, look.bottom);
    return look;
}

// Lines are darker than a light background and lighter than a dark one.
cli_look cli_look_even(uint32_t rgb) {
    cli_look look = cli_look_default();
    linear_color(rgb, look.top);
    linear_color(rgb, look.bottom);
    bool dark = 0.2f * look.top[0] + 0.7f * look.top[1] + 0.1f * look.top[2] < 0.18f;
    if (!dark) return look;
    for (int i = 0; i < 3; i++) look.line[i] = 0.9f;
    look.line[3] = 0.1f;
    return look;
}

cli_look cli_look_transparent(void) {
    cli_look look = cli_look_default();
    look.transparent = true;
    look.line[3] = 0.0f; // whatever it will be laid over, it gets a shadow and no grid
    return look;
}

// ---- Making --------------------------------------------------------------------------------------------------

static GLuint make_white(void) {
    static const uint8_t pixel[4] = {255, 255, 255, 255};
    GLuint name;
    glGenTextures(1, &name);
    glActiveTexture(GL_TEXTURE0 + COLOR_UNIT);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return name;
}

static bool make_shadow_map(cli_renderer *renderer) {
    glGenTextures(1, &renderer->shadow_map);
    glActiveTexture(GL_TEXTURE0 + SHADOW_UNIT);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_map);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);

    static const GLenum no_color = GL_NONE;
    glGenFramebuffers(1, &renderer->shadow_framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->shadow_framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, renderer->shadow_map, 0);
    glDrawBuffers(1, &no_color);
    glReadBuffer(GL_NONE);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return true;
    cli_fail("this OpenGL has no framebuffer for a shadow map");
    return false;
}

bool cli_renderer_create(cli_renderer *renderer, sinew_gl *gl) {
    *renderer = (cli_renderer){.gl = gl};
    const char *head = sinew_gl_shader_head(gl);
    const char *const background[2][2] = {{head, cli_background_vert}, {head, cli_background_frag}};
    const char *const ground_vertex[] = {head, cli_ground_vert};
    const char *const ground_fragment[] = {head, cli_light_glsl, cli_ground_frag};
    renderer->background = cli_program_link(gl, background[0], 2, background[1], 2);
    renderer->ground = cli_program_link(gl, ground_vertex, 2, ground_fragment, 3);
    if (!renderer->background || !renderer->ground) return false;
    renderer->white = make_white();
    glGenVertexArrays(1, &renderer->vertex_array);
    return make_shadow_map(renderer);
}

void cli_renderer_free(cli_renderer *renderer) {
    for (int pass = 0; pass < CLI_PASSES; pass++) {
        for (int i = 0; i < CLI_VARIANTS; i++) glDeleteProgram(renderer->programs[pass][i]);
    }
    glDeleteProgram(renderer->background);
    glDeleteProgram(renderer->ground);
    glDeleteTextures(1, &renderer->white);
    glDeleteTextures(1, &renderer->shadow_map);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    glDeleteFramebuffers(1, &renderer->shadow_framebuffer);
    *renderer = (cli_renderer){0};
}

static GLuint link_model_program(const sinew_gl *gl, int pass, sinew_gl_palette_kind kind, int influences) {
    const char *vertex[SINEW_GL_SOURCES];
    const char *const shadow[] = {sinew_gl_shader_head(gl), cli_shadow_frag};
    const char *const picture[] = {sinew_gl_shader_head(gl), cli_light_glsl, cli_model_frag};
    sinew_gl_vertex_shader(gl, kind, influences, cli_model_vert, vertex);
    if (pass == CLI_PASS_SHADOW) return cli_program_link(gl, vertex, SINEW_GL_SOURCES, shadow, 2);
    return cli_program_link(gl, vertex, SINEW_GL_SOURCES, picture, 3);
}

// The program for a part; 0 when the driver refuses it.
static GLuint program_for(cli_renderer *renderer, int pass, const cli_model *model, const cli_part *part) {
    sinew_gl_palette_kind kind =
        part->skin < 0 ? SINEW_GL_RIGID : sinew_gl_palette_get_kind(model->palettes[part->skin]);
    int influences = part->primitive->influences;
    int variant = kind == SINEW_GL_RIGID ? 0 : (kind == SINEW_GL_BLOCK ? 1 : 3) + (influences == 8 ? 1 : 0);
    GLuint *program = &renderer->programs[pass][variant];
    if (!*program) *program = link_model_program(renderer->gl, pass, kind, influences);
    return *program;
}

// ---- One frame -----------------------------------------------------------------------------------------------

// What the passes of a frame share.
typedef struct frame {
    cli_renderer *renderer;
    const cli_look *look;
    const cli_model *models;
    int model_count;
    cli_camera camera;
    sinew_mat4 light; // view and projection of the shadow map
    float light_width;
    sinew_vec3 ground; // its middle
    float radius;
} frame;

static void set_light(const frame *f, GLuint program) {
    // From [-1, 1] to [0, 1], as textures are read.
    sinew_mat4 to_texture = f->light;
    for (int i = 0; i < 16; i++) {
        if (i % 4 != 3) to_texture.m[i] = 0.5f * (f->light.m[i] + (i >= 12 ? 1.0f : 0.0f));
    }
    cli_set_mat4(program, "light_matrix", &to_texture);
    cli_set_vec3(program, "toward_light", &toward_light.x);
    cli_set_float(program, "shadow_texel", f->light_width / (float)SHADOW_SIZE);
    cli_set_int(program, "shadow_map", SHADOW_UNIT);
}

// ---- Models --------------------------------------------------------------------------------------------------

static const sinew_material *material_of(const cli_model *model, const cli_part *part) {
    static const sinew_material white = {.name = "", .base_color = {1, 1, 1, 1}, .base_color_texture = -1};
    int32_t material = part->primitive->material;
    return material < 0 ? &white : &model->asset->materials[material];
}

static void set_material(const frame *f, GLuint program, const cli_model *model, const cli_part *part) {
    const sinew_material *material = material_of(model, part);
    GLuint texture = material->base_color_texture < 0 ? 0 : model->textures[material->base_color_texture];
    glActiveTexture(GL_TEXTURE0 + COLOR_UNIT);
    glBindTexture(GL_TEXTURE_2D, texture && part->primitive->uvs ? texture : f->renderer->white);
    cli_set_int(program, "base_color_texture", COLOR_UNIT);
    cli_set_vec4(program, "base_color", material->base_color, 1);
    cli_set_float(program, "alpha_cutoff",
                  material->alpha_mode == SINEW_ALPHA_MASK ? material->alpha_cutoff : -1.0f);
    cli_set_int(program, "opaque", material->alpha_mode == SINEW_ALPHA_OPAQUE);
    cli_set_int(program, "two_sided", material->double_sided || part->hand == CLI_HAND_MIXED);
    cli_set_int(program, "unlit", material->unlit);
}

// A mirrored part shows the backs of its triangles as OpenGL counts them; one that is mirrored in places shows
// both.
static void set_sides(const sinew_material *material, cli_hand hand) {
    glFrontFace(hand == CLI_HAND_MIRRORED ? GL_CW : GL_CCW);
    if (material->double_sided || hand == CLI_HAND_MIXED) {
        glDisable(GL_CULL_FACE);
    } else {
        glEnable(GL_CULL_FACE);
    }
}

static bool draw_part(const frame *f, int pass, const cli_model *model, const cli_part *part) {
    GLuint program = program_for(f->renderer, pass, model, part);
    if (!program) return false;
    glUseProgram(program);
    cli_set_vec4(program, "place", &part->place.m[0][0], 3);
    set_material(f, program, model, part);
    if (pass == CLI_PASS_PICTURE) {
        set_sides(material_of(model, part), part->hand);
        set_light(f, program);
        cli_set_vec3(program, "eye", &f->camera.eye.x);
    }
    cli_set_mat4(program, "view_projection", pass == CLI_PASS_PICTURE ? &f->camera.view_projection : &f->light);
    if (part->skin >= 0) sinew_gl_palette_bind(model->palettes[part->skin]);
    sinew_gl_mesh_draw(part->mesh);
    return true;
}

// Draws the parts that are blended with what is behind them, or those that are not.
static bool draw_parts(const frame *f, int pass, bool blended) {
    for (int i = 0; i < f->model_count; i++) {
        const cli_model *model = &f->models[i];
        for (int k = 0; k < model->part_count; k++) {
            const cli_part *part = &model->parts[k];
            bool is_blended = material_of(model, part)->alpha_mode == SINEW_ALPHA_BLEND;
            if (is_blended == blended && !draw_part(f, pass, model, part)) return false;
        }
    }
    return true;
}

// ---- Passes --------------------------------------------------------------------------------------------------

static bool draw_shadow_map(const frame *f) {
    glBindFramebuffer(GL_FRAMEBUFFER, f->renderer->shadow_framebuffer);
    glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    bool good = draw_parts(f, CLI_PASS_SHADOW, false);
    glDisable(GL_POLYGON_OFFSET_FILL);
    return good;
}

static void draw_background(const frame *f) {
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (f->look->transparent) return;
    GLuint program = f->renderer->background;
    glUseProgram(program);
    cli_set_vec3(program, "top_color", f->look->top);
    cli_set_vec3(program, "bottom_color", f->look->bottom);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(f->renderer->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
}

// 1, 2 or 5 times a power of ten, so that a few cells lie under the model.
static float grid_spacing(float radius) {
    float power = powf(10.0f, floorf(log10f(radius * 0.5f)));
    float cells = radius * 0.5f / power; // in [1, 10)
    return power * (cells < 2.0f ? 1.0f : cells < 5.0f ? 2.0f : 5.0f);
}

static void draw_ground(const frame *f) {
    GLuint program = f->renderer->ground;
    const float reach = 4.0f * f->radius;
    glUseProgram(program);
    set_light(f, program);
    cli_set_mat4(program, "view_projection", &f->camera.view_projection);
    cli_set_vec3(program, "center", &f->ground.x);
    cli_set_float(program, "reach", reach);
    cli_set_float(program, "spacing", grid_spacing(f->radius));
    cli_set_vec4(program, "line_color", f->look->line, 1);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(f->renderer->vertex_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static bool draw_picture(const frame *f) {
    if (epoxy_is_desktop_gl()) glEnable(GL_FRAMEBUFFER_SRGB); // ES always encodes what goes to an sRGB framebuffer
    draw_background(f);
    glDisable(GL_BLEND);
    if (!draw_parts(f, CLI_PASS_PICTURE, false)) return false;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    draw_ground(f);
    bool good = draw_parts(f, CLI_PASS_PICTURE, true);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    return good;
}

bool cli_renderer_draw(cli_renderer *renderer, GLuint framebuffer, int width, int height, const cli_look *look,
                       const cli_framing *framing, const cli_model *models, int model_count) {
    frame f = {.renderer = renderer, .look = look, .models = models, .model_count = model_count};
    f.camera = cli_framing_camera(framing);
    f.light = cli_framing_light(framing, toward_light, &f.light_width);
    f.radius = cli_framing_radius(framing);
    f.ground = cli_framing_center(framing);
    f.ground.y = framing->least.y;
    glActiveTexture(GL_TEXTURE0 + SHADOW_UNIT);
    glBindTexture(GL_TEXTURE_2D, 0); // it is drawn into
    if (!draw_shadow_map(&f)) return false;
    glActiveTexture(GL_TEXTURE0 + SHADOW_UNIT);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_map);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    return draw_picture(&f);
}
