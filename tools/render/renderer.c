// SPDX-License-Identifier: MIT
// The sample renderer's passes: shadow map, background, opaque parts, ground and blended parts.
#include "render/renderer.h"

#include <assert.h>
#include <math.h>

enum { SHADOW_SIZE = 1024, MAX_SHADOW_SIZE = 4096, COLOR_UNIT = 0, SHADOW_UNIT = 1, GROUND_UNIT = 2 };

// Direction to the key light: left of the camera, above and a little in front.
static const sinew_vec3 toward_light = {-0.115f, 0.801f, 0.588f};

// ---- Looks ---------------------------------------------------------------------------------------------------

static float linear_channel(uint32_t rgb, int shift) {
    float s = (float)((rgb >> shift) & 255u) / 255.0f;
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static void linear_color(uint32_t rgb, float *out) {
    for (int i = 0; i < 3; i++) out[i] = linear_channel(rgb, 16 - 8 * i);
}

draw_look draw_look_default(void) {
    draw_look look = {.line = {0.08f, 0.09f, 0.11f, 0.22f}};
    linear_color(0xccd5de, look.top);
    linear_color(0xf1f1ee, look.bottom);
    return look;
}

// Makes lines darker than a light background and lighter than a dark one.
draw_look draw_look_even(uint32_t rgb) {
    draw_look look = draw_look_default();
    linear_color(rgb, look.top);
    linear_color(rgb, look.bottom);
    bool dark = 0.2f * look.top[0] + 0.7f * look.top[1] + 0.1f * look.top[2] < 0.18f;
    if (!dark) return look;
    for (int i = 0; i < 3; i++) look.line[i] = 0.9f;
    look.line[3] = 0.03f;
    return look;
}

draw_look draw_look_transparent(void) {
    draw_look look = draw_look_default();
    look.transparent = true;
    look.line[3] = 0.0f; // for compositing: a shadow but no grid
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

static bool make_shadow_map(draw_renderer *renderer, sinew_error *error) {
    const int size = renderer->shadow_size;
    glGenTextures(1, &renderer->shadow_map);
    glActiveTexture(GL_TEXTURE0 + SHADOW_UNIT);
    glBindTexture(GL_TEXTURE_2D, renderer->shadow_map);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
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
    draw_fail(error, "this OpenGL cannot create a framebuffer for a shadow map");
    return false;
}

bool draw_renderer_create(draw_renderer *renderer, sinew_gl *gl, int32_t crowd, sinew_error *error) {
    *renderer = (draw_renderer){.gl = gl};
    renderer->shadow_size = draw_map_size(SHADOW_SIZE, 128.0f, crowd, MAX_SHADOW_SIZE);
    const char *head = sinew_gl_shader_head(gl);
    const char *const background[2][2] = {{head, draw_background_vert}, {head, draw_background_frag}};
    const char *const ground_vertex[] = {head, draw_ground_vert};
    const char *const ground_fragment[] = {head, draw_ground_frag};
    renderer->background = draw_program_link(gl, background[0], 2, background[1], 2, error);
    if (!renderer->background) return false;
    renderer->ground = draw_program_link(gl, ground_vertex, 2, ground_fragment, 2, error);
    if (!renderer->ground) return false;
    renderer->white = make_white();
    glGenVertexArrays(1, &renderer->vertex_array);
    return make_shadow_map(renderer, error) && draw_ground_create(&renderer->maps, gl, crowd, error);
}

void draw_renderer_free(draw_renderer *renderer) {
    glUseProgram(0); // OpenGL doesn't delete a program while it's in use
    for (int i = 0; i < renderer->program_count; i++) glDeleteProgram(renderer->programs[i].name);
    glDeleteProgram(renderer->background);
    glDeleteProgram(renderer->ground);
    draw_ground_free(&renderer->maps);
    glDeleteTextures(1, &renderer->white);
    glDeleteTextures(1, &renderer->shadow_map);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    glDeleteFramebuffers(1, &renderer->shadow_framebuffer);
    *renderer = (draw_renderer){0};
}

// ---- Programs ------------------------------------------------------------------------------------------------

// Returns a part's palette, or NULL for a rigid part, which has a world matrix instead.
static const sinew_gl_records *palette_of(const draw_model *model, const draw_part *part) {
    if (model->records) return model->records;
    return part->skin < 0 ? NULL : model->palettes[part->skin];
}

// In a crowd, rigid parts are skinned to their node's joint.
static sinew_shader_variant variant_of(const draw_model *model, const draw_part *part) {
    const sinew_gl_records *palette = palette_of(model, part);
    if (!palette) return (sinew_shader_variant){.resource = SINEW_GPU_RESOURCE_NONE};
    sinew_shader_variant variant = sinew_gl_records_variant(palette);
    variant.influences = part->skin < 0 ? 4 : part->primitive->influences;
    variant.morph = model->records && part->primitive->target_count > 0;
    return variant;
}

static bool is_same(sinew_shader_variant a, sinew_shader_variant b) {
    return a.resource == b.resource && a.layout == b.layout && a.influences == b.influences &&
           a.per_instance_transform == b.per_instance_transform && a.morph == b.morph;
}

static GLuint link_model_program(const sinew_gl *gl, int pass, const sinew_gl_records *palette,
                                 sinew_shader_variant variant, sinew_error *error) {
    sinew_gl_source source;
    const char *const shadow[] = {sinew_gl_shader_head(gl), draw_shadow_frag};
    const char *const wire[] = {sinew_gl_shader_head(gl), draw_wire_frag};
    const char *const picture[] = {sinew_gl_shader_head(gl), draw_light_glsl, draw_model_frag};
    sinew_gl_vertex_shader(gl, palette, variant.influences, variant.morph, draw_model_vert, &source);
    const char *const *vertex = source.strings;
    if (pass == DRAW_PASS_SHADOW) return draw_program_link(gl, vertex, SINEW_GL_SOURCES, shadow, 2, error);
    if (pass == DRAW_PASS_WIRE) return draw_program_link(gl, vertex, SINEW_GL_SOURCES, wire, 2, error);
    return draw_program_link(gl, vertex, SINEW_GL_SOURCES, picture, 3, error);
}

// Returns the program for a part, or 0 if the driver rejects it. DRAW_MAX_PROGRAMS is enough for all variants: palettes
// for one character and for a crowd, in each GPU resource, with 4 and 8 influences, with and without morph targets.
static GLuint program_for(draw_renderer *renderer, int pass, const draw_model *model, const draw_part *part,
                          sinew_error *error) {
    const sinew_shader_variant variant = variant_of(model, part);
    for (int i = 0; i < renderer->program_count; i++) {
        const draw_program *program = &renderer->programs[i];
        if (program->pass == pass && is_same(program->variant, variant)) return program->name;
    }
    assert(renderer->program_count < DRAW_MAX_PROGRAMS);
    const GLuint name = link_model_program(renderer->gl, pass, palette_of(model, part), variant, error);
    if (name) renderer->programs[renderer->program_count++] = (draw_program){pass, variant, name};
    return name;
}

// ---- One frame -----------------------------------------------------------------------------------------------

// What a frame's passes share.
typedef struct frame {
    draw_renderer *renderer;
    const draw_look *look;
    const draw_model *models;
    int model_count;
    const draw_model *crowd;
    draw_camera camera;
    sinew_mat4 light; // view and projection of the shadow map or the ground's map
    float light_width;
    sinew_vec3 ground; // the center
    draw_ground_area area;
    float radius;
    bool show_ground, wireframe;
    float opacity; // the models' opacity
    float tint[4]; // a color mixed into the models, and how much of it
    sinew_error *error;
} frame;

static void set_light(const frame *f, GLuint program) {
    // Maps [-1, 1] to [0, 1], the range of texture coordinates.
    sinew_mat4 to_texture = f->light;
    for (int i = 0; i < 16; i++) {
        if (i % 4 != 3) to_texture.m[i] = 0.5f * (f->light.m[i] + (i >= 12 ? 1.0f : 0.0f));
    }
    draw_set_mat4(program, "light_matrix", &to_texture);
    draw_set_vec3(program, "toward_light", &toward_light.x);
    draw_set_float(program, "shadow_texel", f->light_width / (float)f->renderer->shadow_size);
    draw_set_int(program, "shadow_map", SHADOW_UNIT);
}

// ---- Models --------------------------------------------------------------------------------------------------

static const sinew_material *material_of(const draw_model *model, const draw_part *part) {
    static const sinew_material white = {.name = "", .base_color = {1, 1, 1, 1}, .base_color_texture = -1};
    int32_t material = part->primitive->material;
    return material < 0 ? &white : &model->materials[material];
}

static void set_material(const frame *f, GLuint program, const draw_model *model, const draw_part *part) {
    const sinew_material *material = material_of(model, part);
    GLuint texture = material->base_color_texture < 0 ? 0 : model->textures[material->base_color_texture];
    glActiveTexture(GL_TEXTURE0 + COLOR_UNIT);
    glBindTexture(GL_TEXTURE_2D, texture && part->primitive->uvs ? texture : f->renderer->white);
    draw_set_int(program, "base_color_texture", COLOR_UNIT);
    draw_set_vec4(program, "base_color", material->base_color, 1);
    draw_set_float(program, "alpha_cutoff",
                   material->alpha_mode == SINEW_ALPHA_MASK ? material->alpha_cutoff : -1.0f);
    draw_set_int(program, "opaque", material->alpha_mode == SINEW_ALPHA_OPAQUE);
    draw_set_int(program, "two_sided", material->double_sided || part->winding == DRAW_WINDING_MIXED);
    draw_set_int(program, "unlit", material->unlit);
}

// Mirrored parts have the opposite winding. Parts with mixed winding are drawn two-sided.
static void set_sides(const sinew_material *material, draw_winding winding) {
    glFrontFace(winding == DRAW_WINDING_MIRRORED ? GL_CW : GL_CCW);
    if (material->double_sided || winding == DRAW_WINDING_MIXED) {
        glDisable(GL_CULL_FACE);
    } else {
        glEnable(GL_CULL_FACE);
    }
}

static const float ghost_tint[4] = {0.10f, 0.20f, 0.36f, 0.6f};
static const float wire_color[4] = {0.0f, 0.02f, 0.04f, 0.3f};

static void draw_part_of(const draw_model *model, const draw_part *part) {
    if (model->records) {
        const sinew_gl_draw draw = {.records = model->records,
                                    .count = model->record_count,
                                    .joint = part->joint,
                                    .first_weight = model->asset->skeleton->weight_offsets[part->mesh_node->node]};
        sinew_gl_records_bind(model->records);
        if (model->animations) sinew_gl_animations_bind(model->animations);
        sinew_gl_mesh_draw_many(part->mesh, &draw);
        return;
    }
    if (part->skin >= 0) sinew_gl_records_bind(model->palettes[part->skin]);
    sinew_gl_mesh_draw(part->mesh);
}

static bool paint_part(const frame *f, int pass, const draw_model *model, const draw_part *part) {
    GLuint program = program_for(f->renderer, pass, model, part, f->error);
    if (!program) return false;
    glUseProgram(program);
    draw_set_vec4(program, "world", &part->world.m[0][0], 3);
    set_material(f, program, model, part);
    if (pass == DRAW_PASS_PICTURE) {
        set_sides(material_of(model, part), part->winding);
        set_light(f, program);
        draw_set_vec3(program, "eye", &f->camera.eye.x);
        draw_set_float(program, "opacity", f->opacity);
        draw_set_vec4(program, "tint", f->tint, 1);
    }
    draw_set_mat4(program, "view_projection", pass == DRAW_PASS_SHADOW ? &f->light : &f->camera.view_projection);
    if (pass == DRAW_PASS_WIRE) draw_set_vec4(program, "wire_color", wire_color, 1);
    draw_part_of(model, part);
    return true;
}

static bool paint_model(const frame *f, int pass, bool blended, const draw_model *model) {
    if (pass != DRAW_PASS_SHADOW && !model->is_seen) return true;
    for (int i = 0; i < model->part_count; i++) {
        const draw_part *part = &model->parts[i];
        bool is_blended = material_of(model, part)->alpha_mode == SINEW_ALPHA_BLEND;
        if (!part->is_hidden && is_blended == blended && !paint_part(f, pass, model, part)) return false;
    }
    return true;
}

// Draws the blended parts or the opaque parts.
static bool paint_parts(const frame *f, int pass, bool blended) {
    for (int i = 0; i < f->model_count; i++) {
        if (!paint_model(f, pass, blended, &f->models[i])) return false;
    }
    return !f->crowd || paint_model(f, pass, blended, f->crowd);
}

// ---- Passes --------------------------------------------------------------------------------------------------

static bool paint_shadow_map(const frame *f) {
    glBindFramebuffer(GL_FRAMEBUFFER, f->renderer->shadow_framebuffer);
    glViewport(0, 0, f->renderer->shadow_size, f->renderer->shadow_size);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    bool good = paint_parts(f, DRAW_PASS_SHADOW, false);
    glDisable(GL_POLYGON_OFFSET_FILL);
    return good;
}

// Runs the shadow pass again, projected onto the ground.
static bool paint_ground_maps(const frame *f) {
    frame pressed = *f;
    for (int map = 0; map < DRAW_GROUND_MAPS; map++) {
        pressed.light = draw_ground_projection(&f->area, map, toward_light);
        draw_ground_begin(&f->renderer->maps);
        if (!paint_parts(&pressed, DRAW_PASS_SHADOW, false)) return false;
        draw_ground_end(&f->renderer->maps, &f->area, map);
    }
    return true;
}

static void paint_background(const frame *f) {
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (f->look->transparent) return;
    GLuint program = f->renderer->background;
    glUseProgram(program);
    draw_set_vec3(program, "top_color", f->look->top);
    draw_set_vec3(program, "bottom_color", f->look->bottom);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(f->renderer->vertex_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEnable(GL_DEPTH_TEST);
}

// Returns the grid spacing: 1, 2 or 5 times a power of ten, to put a few cells below the model.
static float grid_spacing(float radius) {
    float power = powf(10.0f, floorf(log10f(radius * 0.5f)));
    float cells = radius * 0.5f / power; // in [1, 10)
    return power * (cells < 2.0f ? 1.0f : cells < 5.0f ? 2.0f : 5.0f);
}

static void paint_ground(const frame *f) {
    GLuint program = f->renderer->ground;
    const float reach = 4.0f * f->radius;
    glUseProgram(program);
    draw_ground_bind(&f->renderer->maps, &f->area, program, GROUND_UNIT);
    draw_set_mat4(program, "view_projection", &f->camera.view_projection);
    draw_set_vec3(program, "center", &f->ground.x);
    draw_set_float(program, "reach", reach);
    draw_set_float(program, "spacing", grid_spacing(f->radius));
    draw_set_vec4(program, "line_color", f->look->line, 1);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(f->renderer->vertex_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// Draws edges slightly in front of their surfaces, with depth testing.
static bool paint_wireframe(const frame *f) {
    glDisable(GL_CULL_FACE);
    glEnable(GL_POLYGON_OFFSET_LINE);
    glPolygonOffset(-1.0f, -1.0f);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    bool good = paint_parts(f, DRAW_PASS_WIRE, false) && paint_parts(f, DRAW_PASS_WIRE, true);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_POLYGON_OFFSET_LINE);
    return good;
}

static void begin_blending(void) {
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
}

static void end_blending(void) {
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

static bool paint_solid(const frame *f) {
    if (!paint_parts(f, DRAW_PASS_PICTURE, false)) return false;
    begin_blending();
    bool good = paint_parts(f, DRAW_PASS_PICTURE, true) && (!f->wireframe || paint_wireframe(f));
    end_blending();
    return good;
}

// Draws depth first and then only the nearest surface, to hide the inner parts of a translucent model.
static bool paint_translucent(const frame *f) {
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    bool good = paint_parts(f, DRAW_PASS_PICTURE, false);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    begin_blending();
    good = good && paint_parts(f, DRAW_PASS_PICTURE, false) && paint_parts(f, DRAW_PASS_PICTURE, true);
    end_blending();
    glDepthFunc(GL_LESS);
    return good;
}

// Draws each ghost behind all later ones, wherever it is.
static bool paint_ghosts(const frame *f) {
    const draw_look *look = f->look;
    bool good = true;
    frame ghost = *f;
    ghost.crowd = NULL;
    for (int i = 0; good && i < look->ghost_count; i++) {
        look->pose(i, look->user);
        ghost.opacity = 0.1f + 0.5f * (float)(i + 1) / (float)look->ghost_count;
        for (int k = 0; k < 4; k++) ghost.tint[k] = ghost_tint[k];
        good = paint_translucent(&ghost);
        glClear(GL_DEPTH_BUFFER_BIT);
    }
    if (look->ghost_count > 0) look->pose(look->ghost_count, look->user);
    return good;
}

static bool paint(const frame *f) {
    if (epoxy_is_desktop_gl()) glEnable(GL_FRAMEBUFFER_SRGB); // ES always encodes to sRGB framebuffers
    paint_background(f);
    begin_blending();
    if (f->show_ground) paint_ground(f);
    end_blending();
    if (!paint_ghosts(f)) return false;
    return f->opacity < 1.0f ? paint_translucent(f) : paint_solid(f);
}

static bool draw_frame(frame *f, const draw_framing *box, GLuint framebuffer, int width, int height) {
    f->opacity = 1.0f - f->look->fade;
    f->light = draw_framing_light(box, toward_light, &f->light_width);
    glActiveTexture(GL_TEXTURE0 + SHADOW_UNIT);
    glBindTexture(GL_TEXTURE_2D, 0); // it will be drawn into
    const sinew_vec3 on_ground = {box->least.x, f->ground.y, box->least.z};
    f->area = draw_ground_area_of(on_ground, box->most, toward_light);
    if (!paint_shadow_map(f) || (f->show_ground && !paint_ground_maps(f))) return false;
    glActiveTexture(GL_TEXTURE0 + SHADOW_UNIT);
    glBindTexture(GL_TEXTURE_2D, f->renderer->shadow_map);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    return paint(f);
}

bool draw_renderer_draw(draw_renderer *renderer, GLuint framebuffer, int width, int height, const draw_look *look,
                        const draw_view *view, const draw_model *models, int model_count, sinew_error *error) {
    frame f = {.renderer = renderer, .look = look, .models = models, .model_count = model_count, .error = error};
    const draw_framing box = {.least = view->least, .most = view->most};
    f.camera = view->camera;
    f.radius = view->radius;
    f.ground = view->ground;
    f.show_ground = view->show_ground;
    f.wireframe = view->wireframe;
    f.crowd = view->crowd;
    return draw_frame(&f, &box, framebuffer, width, height);
}
